"""Conditions on metadata: a tree that is evaluated in memory or compiled to SQL.

The semantics are LangChain4j's (langchain4j-facts 8): a missing key makes every
comparison false but ``IsNotEqualTo`` and ``IsNotIn``; numbers compare across types as
decimals; a value of another type than the comparison's raises.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from math import isinf, isnan
from uuid import UUID

from desktop_rag.domain.metadata import Metadata, MetadataValue

Number = int | float


@dataclass(frozen=True, slots=True)
class _Comparison:
    key: str
    value: MetadataValue

    def __post_init__(self) -> None:
        _check_key(self.key)
        _check_value(self.key, self.value)


@dataclass(frozen=True, slots=True)
class IsEqualTo(_Comparison):
    """The value under ``key`` equals ``value``."""


@dataclass(frozen=True, slots=True)
class IsNotEqualTo(_Comparison):
    """The key is missing or its value differs from ``value``."""


@dataclass(frozen=True, slots=True)
class IsGreaterThan(_Comparison):
    """The value under ``key`` is greater."""


@dataclass(frozen=True, slots=True)
class IsGreaterThanOrEqualTo(_Comparison):
    """The value under ``key`` is greater or equal."""


@dataclass(frozen=True, slots=True)
class IsLessThan(_Comparison):
    """The value under ``key`` is less."""


@dataclass(frozen=True, slots=True)
class IsLessThanOrEqualTo(_Comparison):
    """The value under ``key`` is less or equal."""


@dataclass(frozen=True, slots=True)
class ContainsString:
    """The string under ``key`` contains ``value``, case-sensitively; "" is in every string."""

    key: str
    value: str

    def __post_init__(self) -> None:
        _check_key(self.key)
        _check_part(self.key, self.value)


@dataclass(frozen=True, slots=True)
class ContainsIgnoringCase:
    """As ``ContainsString``, but by ``str.lower()`` of both sides."""

    key: str
    value: str

    def __post_init__(self) -> None:
        _check_key(self.key)
        _check_part(self.key, self.value)


@dataclass(frozen=True, slots=True)
class BeginsWith:
    """The string under ``key`` begins with ``value``; not in LangChain4j, for folders."""

    key: str
    value: str

    def __post_init__(self) -> None:
        _check_key(self.key)
        _check_part(self.key, self.value)


@dataclass(frozen=True, slots=True)
class _Membership:
    key: str
    values: frozenset[MetadataValue]

    def __post_init__(self) -> None:
        _check_key(self.key)
        if not self.values:
            raise ValueError(f"the list of values for {self.key!r} must not be empty")
        for value in self.values:
            _check_value(self.key, value)


@dataclass(frozen=True, slots=True)
class IsIn(_Membership):
    """The value under ``key`` is one of ``values``."""


@dataclass(frozen=True, slots=True)
class IsNotIn(_Membership):
    """The key is missing or its value is none of ``values``."""


@dataclass(frozen=True, slots=True)
class And:
    """Both hold; the right one is not looked at when the left one fails."""

    left: Filter
    right: Filter


@dataclass(frozen=True, slots=True)
class Or:
    """One holds; the right one is not looked at when the left one does."""

    left: Filter
    right: Filter


@dataclass(frozen=True, slots=True)
class Not:
    """The inner condition does not hold."""

    inner: Filter


Filter = (
    IsEqualTo
    | IsNotEqualTo
    | IsGreaterThan
    | IsGreaterThanOrEqualTo
    | IsLessThan
    | IsLessThanOrEqualTo
    | ContainsString
    | ContainsIgnoringCase
    | BeginsWith
    | IsIn
    | IsNotIn
    | And
    | Or
    | Not
)


def all_of(*filters: Filter | None) -> Filter | None:
    """Join filters with And, skipping None; None when nothing is left."""
    joined: Filter | None = None
    for one in filters:
        if one is not None:
            joined = one if joined is None else And(joined, one)
    return joined


def is_between(key: str, low: MetadataValue, high: MetadataValue) -> Filter:
    """Return the inclusive range condition."""
    return And(IsGreaterThanOrEqualTo(key, low), IsLessThanOrEqualTo(key, high))


def matches(condition: Filter, metadata: object) -> bool:
    """Tell whether ``metadata`` satisfies ``condition``; False for anything but Metadata.

    Raises:
        ValueError: a stored value and the condition's value are of different types.
    """
    return isinstance(metadata, Metadata) and _matches(condition, metadata)


def _matches(condition: Filter, metadata: Metadata) -> bool:
    if isinstance(condition, And):
        return _matches(condition.left, metadata) and _matches(condition.right, metadata)
    if isinstance(condition, Or):
        return _matches(condition.left, metadata) or _matches(condition.right, metadata)
    if isinstance(condition, Not):
        return not _matches(condition.inner, metadata)
    actual = metadata.get(condition.key)
    if actual is None:
        return isinstance(condition, (IsNotEqualTo, IsNotIn))
    if isinstance(condition, (ContainsString, ContainsIgnoringCase, BeginsWith)):
        return _holds_part(condition, actual)
    if isinstance(condition, (IsIn, IsNotIn)):
        # All are compared: a set has no order that could decide whether one raises.
        equal = [_equal(condition.key, actual, value) for value in condition.values]
        return any(equal) if isinstance(condition, IsIn) else not any(equal)
    if isinstance(condition, (IsEqualTo, IsNotEqualTo)):
        same = _equal(condition.key, actual, condition.value)
        return same if isinstance(condition, IsEqualTo) else not same
    return _ordered(condition, actual)


def _holds_part(
    condition: ContainsString | ContainsIgnoringCase | BeginsWith, actual: MetadataValue
) -> bool:
    if not isinstance(actual, str):
        raise ValueError(_mismatch(condition.key, actual, condition.value))
    if isinstance(condition, BeginsWith):
        return actual.startswith(condition.value)
    if isinstance(condition, ContainsIgnoringCase):
        return condition.value.lower() in actual.lower()
    return condition.value in actual


_ORDER: dict[type, Callable[[int], bool]] = {
    IsGreaterThan: lambda sign: sign > 0,
    IsGreaterThanOrEqualTo: lambda sign: sign >= 0,
    IsLessThan: lambda sign: sign < 0,
    IsLessThanOrEqualTo: lambda sign: sign <= 0,
}


def _ordered(
    condition: IsGreaterThan | IsGreaterThanOrEqualTo | IsLessThan | IsLessThanOrEqualTo,
    actual: MetadataValue,
) -> bool:
    sign = _compare(condition.key, actual, condition.value)
    return sign is not None and _ORDER[type(condition)](sign)


def _equal(key: str, actual: MetadataValue, wanted: MetadataValue) -> bool:
    return _compare(key, actual, wanted) == 0


def _compare(key: str, actual: MetadataValue, wanted: MetadataValue) -> int | None:
    """Return the sign of actual - wanted; None where NaN makes it undefined."""
    if isinstance(actual, (int, float)) and isinstance(wanted, (int, float)):
        return _compare_numbers(actual, wanted)
    if isinstance(wanted, UUID) and isinstance(actual, (str, UUID)):
        return _sign(str(actual), str(wanted))
    if isinstance(actual, str) and isinstance(wanted, str):
        return _sign(actual, wanted)
    raise ValueError(_mismatch(key, actual, wanted))


def _compare_numbers(actual: Number, wanted: Number) -> int | None:
    floats = [value for value in (actual, wanted) if isinstance(value, float)]
    if any(map(isnan, floats)):
        return None
    if any(map(isinf, floats)):
        return (actual > wanted) - (actual < wanted)
    left, right = Decimal(str(actual)), Decimal(str(wanted))
    return (left > right) - (left < right)


def _sign(left: str, right: str) -> int:
    return (left > right) - (left < right)


def _mismatch(key: str, actual: MetadataValue, wanted: MetadataValue) -> str:
    return (
        f"Type mismatch: {key!r} holds a {type(actual).__name__}, "
        f"the condition has a {type(wanted).__name__}"
    )


def _check_key(key: str) -> None:
    if not key.strip():
        raise ValueError("a filter's key must not be blank")


def _check_value(key: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, (str, UUID, int, float)):
        raise ValueError(f"the value compared with {key!r} is a {type(value).__name__}")


def _check_part(key: str, value: object) -> None:
    if not isinstance(value, str):
        raise ValueError(f"what {key!r} is to hold is a {type(value).__name__}")
