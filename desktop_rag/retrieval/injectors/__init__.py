"""Injectors: contents into the message of the user."""
