"""What conditions mean (langchain4j-facts 8): one table for memory and for the database."""

from __future__ import annotations

from math import inf, nan
from uuid import UUID

from desktop_rag.domain.filter import (
    And,
    BeginsWith,
    ContainsIgnoringCase,
    ContainsString,
    Filter,
    IsEqualTo,
    IsGreaterThan,
    IsGreaterThanOrEqualTo,
    IsIn,
    IsLessThan,
    IsLessThanOrEqualTo,
    IsNotEqualTo,
    IsNotIn,
    Not,
    Or,
)
from desktop_rag.domain.metadata import MetadataValue

_ONE = UUID("5b6e1a7e-3a0f-4f0e-9d86-0f0a5d1c2b3a")
_OTHER = UUID("00000000-0000-0000-0000-000000000001")

Values = dict[str, MetadataValue]

MATCHING: list[tuple[Filter, Values, bool]] = [
    # A missing key.
    (IsEqualTo("k", 1), {}, False),
    (IsNotEqualTo("k", 1), {}, True),
    (IsGreaterThan("k", 1), {}, False),
    (IsGreaterThanOrEqualTo("k", 1), {}, False),
    (IsLessThan("k", 1), {}, False),
    (IsLessThanOrEqualTo("k", 1), {}, False),
    (IsIn("k", frozenset({1})), {}, False),
    (IsNotIn("k", frozenset({1})), {}, True),
    (ContainsString("k", "a"), {}, False),
    (ContainsString("k", ""), {}, False),
    (Not(IsEqualTo("k", 1)), {}, True),
    (Not(IsNotEqualTo("k", 1)), {}, False),
    # Strings.
    (IsEqualTo("k", "a"), {"k": "a"}, True),
    (IsEqualTo("k", "a"), {"k": "A"}, False),
    (IsNotEqualTo("k", "a"), {"k": "b"}, True),
    (IsGreaterThan("k", "2025-01"), {"k": "2025-01-15"}, True),
    (IsGreaterThan("k", "b"), {"k": "a"}, False),
    (IsLessThanOrEqualTo("k", "b"), {"k": "b"}, True),
    (IsLessThan("k", "z"), {"k": "合同"}, False),
    (IsIn("k", frozenset({"a", "b"})), {"k": "b"}, True),
    (IsIn("k", frozenset({"a", "b"})), {"k": "c"}, False),
    (IsNotIn("k", frozenset({"a", "b"})), {"k": "c"}, True),
    (IsNotIn("k", frozenset({"a", "b"})), {"k": "a"}, False),
    # A part of a string.
    (ContainsString("k", "ell"), {"k": "hello"}, True),
    (ContainsString("k", "ELL"), {"k": "hello"}, False),
    (ContainsString("k", ""), {"k": "hello"}, True),
    (ContainsString("k", "款期"), {"k": "付款期限"}, True),
    (ContainsString("k", "%"), {"k": "hello"}, False),
    (ContainsIgnoringCase("k", "ELL"), {"k": "hello"}, True),
    (ContainsIgnoringCase("k", "übung"), {"k": "ÜBUNG"}, True),
    (ContainsIgnoringCase("k", "x"), {"k": "hello"}, False),
    (ContainsIgnoringCase("k", "a"), {}, False),
    (BeginsWith("k", "/docs/"), {"k": "/docs/a.txt"}, True),
    (BeginsWith("k", "/docs/"), {"k": "/old/docs/a.txt"}, False),
    (BeginsWith("k", "/Docs/"), {"k": "/docs/a.txt"}, False),
    (BeginsWith("k", ""), {"k": "a"}, True),
    (BeginsWith("k", ""), {}, False),
    # Numbers of different types.
    (IsEqualTo("k", 1.0), {"k": 1}, True),
    (IsEqualTo("k", 1), {"k": 1.0}, True),
    (IsEqualTo("k", 1.1), {"k": 1.1}, True),
    (IsEqualTo("k", 0.3), {"k": 0.1 + 0.2}, False),
    (IsNotEqualTo("k", 2), {"k": 2.5}, True),
    (IsGreaterThan("k", 1), {"k": 1.5}, True),
    (IsGreaterThanOrEqualTo("k", 1.5), {"k": 2}, True),
    (IsLessThan("k", -1), {"k": -1.5}, True),
    (IsEqualTo("k", 2**53), {"k": 2**53 + 1}, False),
    (IsIn("k", frozenset({1.0, 2.0})), {"k": 2}, True),
    # What is no number, and infinity.
    (IsEqualTo("k", nan), {"k": nan}, False),
    (IsNotEqualTo("k", nan), {"k": nan}, True),
    (IsNotEqualTo("k", nan), {"k": 1}, True),
    (IsGreaterThan("k", nan), {"k": 1}, False),
    (IsLessThanOrEqualTo("k", nan), {"k": 1}, False),
    (IsNotIn("k", frozenset({nan})), {"k": nan}, True),
    (IsEqualTo("k", inf), {"k": inf}, True),
    (IsGreaterThan("k", 10**30), {"k": inf}, True),
    (IsLessThan("k", -(10**30)), {"k": -inf}, True),
    # UUIDs.
    (IsEqualTo("k", _ONE), {"k": _ONE}, True),
    (IsEqualTo("k", _ONE), {"k": str(_ONE)}, True),
    (IsNotEqualTo("k", _ONE), {"k": _OTHER}, True),
    (IsIn("k", frozenset({_ONE, _OTHER})), {"k": _OTHER}, True),
    # Joined.
    (And(IsEqualTo("k", 1), IsEqualTo("m", "x")), {"k": 1, "m": "x"}, True),
    (And(IsEqualTo("k", 1), IsEqualTo("m", "x")), {"k": 1, "m": "y"}, False),
    (Or(IsEqualTo("k", 1), IsEqualTo("m", "x")), {"k": 2, "m": "x"}, True),
    (Or(IsEqualTo("k", 1), IsEqualTo("m", "x")), {"k": 2, "m": "y"}, False),
    (Not(And(IsEqualTo("k", 1), IsEqualTo("m", "x"))), {"k": 1}, True),
    (Or(And(IsEqualTo("k", 1), Not(IsEqualTo("m", "x"))), IsEqualTo("z", 0)), {"k": 1}, True),
    # The right side is not looked at, so its type does not matter.
    (And(IsEqualTo("k", 2), IsEqualTo("m", "x")), {"k": 1, "m": 5}, False),
    (Or(IsEqualTo("k", 1), IsEqualTo("m", "x")), {"k": 1, "m": 5}, True),
]
"""Condition, metadata, whether it matches."""

MISMATCHING: list[tuple[Filter, Values]] = [
    (IsEqualTo("k", "1"), {"k": 1}),
    (IsEqualTo("k", 1), {"k": "1"}),
    (IsNotEqualTo("k", 1), {"k": "1"}),
    (IsGreaterThan("k", 1), {"k": "2"}),
    (IsLessThanOrEqualTo("k", "2"), {"k": 1.5}),
    (IsIn("k", frozenset({"1"})), {"k": 1}),
    (IsNotIn("k", frozenset({1})), {"k": "1"}),
    (ContainsString("k", "1"), {"k": 1}),
    (BeginsWith("k", "1"), {"k": 1}),
    (ContainsIgnoringCase("k", "1"), {"k": 1}),
    (IsEqualTo("k", str(_ONE)), {"k": _ONE}),
    (IsEqualTo("k", _ONE), {"k": 1}),
    (And(IsNotEqualTo("k", 2), IsEqualTo("m", "x")), {"k": 1, "m": 5}),
    (Not(IsEqualTo("k", "1")), {"k": 1}),
]
"""Condition and metadata of which a comparison that is reached has another type."""
