"""The chat pane: questions, answers with their sources, and the field to ask in."""
