"""The page of the first start, and what is shown while files are dragged in."""
