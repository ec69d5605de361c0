"""Answers from what was retrieved: quoted, and honest about what was not found."""
