from __future__ import annotations

from math import inf, nan
from uuid import UUID

import pytest

from desktop_rag.domain.filter import (
    And,
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
    all_of,
    is_between,
    matches,
)
from desktop_rag.domain.metadata import Metadata
from tests.helpers.filter_table import MATCHING, MISMATCHING


@pytest.mark.parametrize(("condition", "values", "expected"), MATCHING)
def test_a_condition_means_what_it_means_in_langchain4j(
    condition: Filter, values: dict, expected: bool
) -> None:
    assert matches(condition, Metadata(values)) is expected


@pytest.mark.parametrize(("condition", "values"), MISMATCHING)
def test_a_value_of_another_type_raises(condition: Filter, values: dict) -> None:
    with pytest.raises(ValueError, match="Type mismatch"):
        matches(condition, Metadata(values))


@pytest.mark.parametrize("other", [None, {}, {"a": 1}, "a", 1])
def test_what_is_not_metadata_never_matches(other: object) -> None:
    assert not matches(IsEqualTo("a", 1), other)
    assert not matches(Not(IsEqualTo("a", 1)), other)
    assert not matches(IsNotEqualTo("a", 1), other)


def test_the_right_side_is_looked_at_only_when_it_decides() -> None:
    mismatch = IsEqualTo("a", "text")
    metadata = Metadata({"a": 1})
    assert not matches(And(IsEqualTo("a", 2), mismatch), metadata)
    assert matches(Or(IsEqualTo("a", 1), mismatch), metadata)
    with pytest.raises(ValueError, match="Type mismatch"):
        matches(And(mismatch, IsEqualTo("a", 2)), metadata)


def test_every_value_of_a_list_is_compared_whatever_order_the_set_has() -> None:
    for condition in (IsIn("a", frozenset({1, "x"})), IsNotIn("a", frozenset({1, "x"}))):
        with pytest.raises(ValueError, match="Type mismatch"):
            matches(condition, Metadata({"a": 1}))


def test_between_is_inclusive() -> None:
    condition = is_between("n", 2, 4)
    assert [n for n in range(7) if matches(condition, Metadata({"n": n}))] == [2, 3, 4]


def test_joining_leaves_out_what_is_none() -> None:
    one, two = IsEqualTo("a", 1), IsEqualTo("b", 2)
    assert all_of() is None
    assert all_of(None, one, None) is one
    assert all_of(one, None, two) == And(one, two)


@pytest.mark.parametrize("key", ["", " ", "\t"])
def test_a_key_must_not_be_blank(key: str) -> None:
    for build in (
        lambda: IsEqualTo(key, 1),
        lambda: ContainsString(key, "a"),
        lambda: IsIn(key, frozenset({1})),
    ):
        with pytest.raises(ValueError, match="blank"):
            build()


@pytest.mark.parametrize("value", [None, True, [1], b"a", object()])
def test_a_value_must_be_of_a_type_that_metadata_has(value: object) -> None:
    for kind in (
        IsEqualTo,
        IsNotEqualTo,
        IsGreaterThan,
        IsGreaterThanOrEqualTo,
        IsLessThan,
        IsLessThanOrEqualTo,
        ContainsString,
    ):
        with pytest.raises(ValueError, match="a"):
            kind("a", value)


def test_a_list_of_values_must_hold_some_and_no_none() -> None:
    for kind in (IsIn, IsNotIn):
        with pytest.raises(ValueError, match="empty"):
            kind("a", frozenset())
        with pytest.raises(ValueError, match="NoneType"):
            kind("a", frozenset({None}))


def test_numbers_too_large_for_a_float_are_compared_too() -> None:
    huge = 10**400
    assert matches(IsGreaterThan("n", 1.5), Metadata({"n": huge}))
    assert matches(IsLessThan("n", inf), Metadata({"n": huge}))
    assert not matches(IsEqualTo("n", nan), Metadata({"n": huge}))


def test_a_uuid_is_compared_with_its_text_and_not_the_other_way_round() -> None:
    one = UUID("5b6e1a7e-3a0f-4f0e-9d86-0f0a5d1c2b3a")
    assert matches(IsEqualTo("u", one), Metadata({"u": str(one)}))
    assert matches(IsIn("u", frozenset({one})), Metadata({"u": str(one)}))
    with pytest.raises(ValueError, match="Type mismatch"):
        matches(IsEqualTo("u", str(one)), Metadata({"u": one}))
