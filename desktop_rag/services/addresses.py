"""Telling a server's address from a file's path, without loading anything."""

from __future__ import annotations


def is_address(target: str) -> bool:
    """Whether what a user names is a server's address ("127.0.0.1:1234"), not a file."""
    last = target.rpartition(":")[2]
    return "://" in target or ("/" not in target and "\\" not in target and last.isdigit())
