"""What a chat remembers from one question to the next."""
