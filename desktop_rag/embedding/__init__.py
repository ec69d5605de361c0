"""Models that turn texts into vectors, and their tokens."""
