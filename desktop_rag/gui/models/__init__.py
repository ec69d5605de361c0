"""Language models in the window: which one, what it costs, whether it works."""
