"""Aggregators: several result lists to one."""
