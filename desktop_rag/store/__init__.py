"""The knowledge store: SQLite is the truth, two indexes are derived from it."""
