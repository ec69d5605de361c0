"""Metadata of documents and segments: typed values under non-blank keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from uuid import UUID

_TYPE_NAMES = "str, UUID, int or float"
MetadataValue = str | UUID | int | float


class Metadata(Mapping[str, MetadataValue]):
    """An immutable mapping with LangChain4j's rules (langchain4j-facts 2).

    Values are strings, UUIDs, integers or floats; there are no booleans, lists or
    dates (write a date as an ISO 8601 string, which compares in time order).

    Raises:
        ValueError: a key is blank, a value is None or of another type.
    """

    __slots__ = ("_hash", "_values")

    def __init__(self, values: Mapping[str, MetadataValue] | None = None) -> None:
        checked: dict[str, MetadataValue] = {}
        for key, value in (values or {}).items():
            checked[_checked_key(key)] = _checked_value(key, value)
        self._values = checked
        self._hash: int | None = None

    def __getitem__(self, key: str) -> MetadataValue:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metadata) and self._values == other._values

    def __hash__(self) -> int:
        # Kept, since fusing looks each passage up ten times over.
        if self._hash is None:
            self._hash = hash(frozenset(self._values.items()))
        return self._hash

    def __reduce__(self) -> tuple[type[Metadata], tuple[dict[str, MetadataValue]]]:
        """Leave the hash out of a copy: in another process it would be another one."""
        return Metadata, (self._values,)

    def __repr__(self) -> str:
        return f"Metadata({self._values!r})"

    def with_value(self, key: str, value: MetadataValue) -> Metadata:
        """Return a copy in which ``key`` has ``value``."""
        return Metadata({**self._values, key: value})

    def without(self, *keys: str) -> Metadata:
        """Return a copy without ``keys``; absent ones are ignored."""
        return Metadata({k: v for k, v in self._values.items() if k not in keys})

    def merge(self, other: Metadata) -> Metadata:
        """Return the union of both.

        Raises:
            ValueError: a key is in both; the message lists them sorted.
        """
        shared = sorted(self._values.keys() & other._values.keys())
        if shared:
            raise ValueError(f"metadata keys are in both: {', '.join(shared)}")
        return Metadata({**self._values, **other._values})

    def get_string(self, key: str) -> str | None:
        """Return a string value, None when absent; ValueError for another type."""
        value = self._values.get(key)
        if value is None or isinstance(value, str):
            return value
        raise ValueError(f"metadata {key!r} is a {type(value).__name__}, not a string")

    def get_uuid(self, key: str) -> UUID | None:
        """Return a UUID (a string is parsed), None when absent."""
        value = self._values.get(key)
        if value is None or isinstance(value, UUID):
            return value
        if isinstance(value, str):
            return UUID(value)
        raise ValueError(f"metadata {key!r} is a {type(value).__name__}, not a UUID")

    def get_integer(self, key: str) -> int | None:
        """Return an integer (strings are parsed, floats cut), None when absent."""
        value = self._values.get(key)
        if value is None:
            return None
        if isinstance(value, UUID):
            raise ValueError(f"metadata {key!r} is a UUID, not a number")
        return int(value)

    def get_float(self, key: str) -> float | None:
        """Return a float (strings are parsed), None when absent."""
        value = self._values.get(key)
        if value is None:
            return None
        if isinstance(value, UUID):
            raise ValueError(f"metadata {key!r} is a UUID, not a number")
        return float(value)


def _checked_key(key: str) -> str:
    if not isinstance(key, str) or not key.strip():
        raise ValueError("a metadata key must not be blank")
    return key


def _checked_value(key: str, value: MetadataValue) -> MetadataValue:
    if isinstance(value, bool) or not isinstance(value, (str, UUID, int, float)):
        raise ValueError(
            f"the metadata value of {key!r} is a {type(value).__name__}; it must be {_TYPE_NAMES}"
        )
    return value
