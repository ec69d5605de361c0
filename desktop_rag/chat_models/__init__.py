"""The models that write answers, behind one protocol."""
