"""Routers: which retrievers a query goes to."""
