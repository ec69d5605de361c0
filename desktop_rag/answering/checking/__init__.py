"""Written answers held against their sources, sentence by sentence."""
