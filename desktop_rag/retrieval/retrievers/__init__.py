"""Retrievers: a query to contents."""
