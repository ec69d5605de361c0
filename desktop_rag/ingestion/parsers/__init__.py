"""Parsers: one a file format, chosen by content."""
