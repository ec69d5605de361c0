"""Where a question looks: the chips above the field, and what they can be."""
