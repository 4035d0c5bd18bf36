"""The rules of the kinds beside a queue's level, and how often any rule would have called."""
