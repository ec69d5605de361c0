"""Splitters: documents to segments."""
