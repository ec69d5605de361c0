"""From files on disk to passages in the store, kept up to date."""
