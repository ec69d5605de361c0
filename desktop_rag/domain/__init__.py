"""The words of the field as plain frozen data."""
