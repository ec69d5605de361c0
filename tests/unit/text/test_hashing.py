from __future__ import annotations

from desktop_rag.text.hashing import text_hash


def test_a_text_has_one_name_a_space() -> None:
    assert text_hash("en", "hello") == text_hash("en", "hello")
    assert len({text_hash("en", "a"), text_hash("zh", "a"), text_hash("en", "b")}) == 3


def test_space_and_text_do_not_run_into_each_other() -> None:
    assert text_hash("en", "xy") != text_hash("enx", "y")


def test_a_name_is_32_hexadecimal_digits_and_stays() -> None:
    assert text_hash("bge-small-en-v1.5", "hello") == "142e3b1b8b8b92c8df9bfc5e1571fb74"


def test_any_text_has_a_name() -> None:
    assert text_hash("en", "\ud800") != text_hash("en", "\ud801")
    assert text_hash("en", "") != text_hash("en", "\x00")
