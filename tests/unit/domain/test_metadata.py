from __future__ import annotations

from datetime import date
from uuid import UUID

import pytest

from desktop_rag.domain.metadata import Metadata

ONE = UUID("5b6e1a7e-3a0f-4f0e-9d86-0f0a5d1c2b3a")


@pytest.mark.parametrize("value", ["text", "", ONE, 1, -(10**30), 1.5, float("inf")])
def test_strings_uuids_and_numbers_are_kept(value: object) -> None:
    assert Metadata({"k": value})["k"] == value


@pytest.mark.parametrize("value", [None, True, [1], {"a": 1}, b"a", object(), date(2024, 3, 1)])
def test_other_values_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="'k'"):
        Metadata({"k": value})


@pytest.mark.parametrize("key", ["", " ", "\n", 1, None])
def test_a_key_is_a_string_that_is_not_blank(key: object) -> None:
    with pytest.raises(ValueError, match="blank"):
        Metadata({key: "value"})


def test_it_is_a_mapping_that_nothing_changes() -> None:
    values = {"a": 1}
    metadata = Metadata(values)
    values["a"] = 2
    assert dict(metadata) == {"a": 1}
    assert len(metadata) == 1
    with pytest.raises(TypeError):
        metadata["a"] = 3


def test_equality_and_hash_are_by_content() -> None:
    one, same, other = Metadata({"a": 1, "b": "x"}), Metadata({"b": "x", "a": 1}), Metadata()
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != {"a": 1, "b": "x"}


def test_copies_differ_in_what_was_asked_for() -> None:
    metadata = Metadata({"a": 1, "b": 2})
    assert metadata.with_value("a", 5) == Metadata({"a": 5, "b": 2})
    assert metadata.without("a", "missing") == Metadata({"b": 2})
    assert metadata == Metadata({"a": 1, "b": 2})


def test_merging_refuses_shared_keys_and_lists_them_sorted() -> None:
    assert Metadata({"a": 1}).merge(Metadata({"b": 2})) == Metadata({"a": 1, "b": 2})
    with pytest.raises(ValueError, match="b, c"):
        Metadata({"c": 1, "b": 1, "a": 1}).merge(Metadata({"b": 1, "c": 1}))


def test_values_are_read_as_a_type() -> None:
    metadata = Metadata({"n": 3, "f": 2.5, "t": "7", "d": "1.5", "u": ONE, "s": str(ONE)})
    assert metadata.get_integer("t") == 7
    assert metadata.get_integer("f") == 2
    assert metadata.get_float("n") == 3.0
    assert metadata.get_float("d") == 1.5
    assert metadata.get_string("t") == "7"
    assert metadata.get_uuid("u") == metadata.get_uuid("s") == ONE


def test_a_missing_value_is_none() -> None:
    metadata = Metadata()
    assert metadata.get_string("k") is None
    assert metadata.get_integer("k") is None
    assert metadata.get_float("k") is None
    assert metadata.get_uuid("k") is None


def test_reading_as_a_type_that_it_is_not_raises() -> None:
    metadata = Metadata({"n": 3, "t": "word", "u": ONE})
    for read in (
        lambda: metadata.get_string("n"),
        lambda: metadata.get_integer("t"),
        lambda: metadata.get_integer("u"),
        lambda: metadata.get_float("u"),
        lambda: metadata.get_uuid("n"),
    ):
        with pytest.raises(ValueError, match=r"."):
            read()
