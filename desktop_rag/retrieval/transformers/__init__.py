"""Query transformers: one query to those that are searched."""
