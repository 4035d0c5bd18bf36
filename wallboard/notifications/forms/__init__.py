"""What people and administrators say about messages, as forms."""
