"""The library pane: sources and their files, what state they are in, and adding more."""
