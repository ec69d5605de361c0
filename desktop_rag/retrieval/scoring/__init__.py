"""Scoring models: how well a passage fits a question, read side by side."""
