"""What is wrong, as far as the rooms below alerts store it. Each file answers for some kinds."""
