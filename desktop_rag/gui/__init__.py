"""The window: one folder a pane."""
