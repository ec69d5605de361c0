"""The field at the top that searches everything while one types."""
