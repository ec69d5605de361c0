"""Trouble: what went wrong, in words, each with what can be done about it."""
