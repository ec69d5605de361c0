"""Loaders: files to documents."""
