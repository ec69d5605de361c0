"""The source pane: a document beside the answer, opened at the quoted words."""
