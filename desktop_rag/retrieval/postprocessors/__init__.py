"""Post-processors: the last word on a list of contents."""
