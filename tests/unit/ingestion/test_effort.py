"""What is left to do is guessed by kind of file, and learned while files are read."""

from __future__ import annotations

import pytest

from desktop_rag.ingestion.effort import TOKENS_PER_FILE, Effort, Waiting, by_kind, kind_of


def test_files_that_wait_are_counted_by_kind() -> None:
    files = [(kind_of("/a/b.PDF"), 10), ("pdf", 5), (kind_of("/a.b/README"), 7)]
    assert by_kind(files) == {"pdf": Waiting(2, 15), "": Waiting(1, 7)}


def test_at_first_a_text_is_all_text_and_a_film_is_none() -> None:
    effort = Effort()
    assert effort.of({"txt": Waiting(1, 1000)}) == pytest.approx(TOKENS_PER_FILE + 300)
    assert effort.of({"mp4": Waiting(2, 10**9)}) == pytest.approx(2 * TOKENS_PER_FILE)


def test_what_kinds_hold_is_learned() -> None:
    effort = Effort()
    for _ in range(200):
        effort.learn("a.pdf", 50_000, 100)
    assert effort.of({"pdf": Waiting(0, 50_000)}) == pytest.approx(100, rel=0.7)
    for _ in range(2000):
        effort.learn("a.txt", 10_000, 0)
    assert effort.of({"txt": Waiting(0, 10_000)}) < 60


def test_one_book_says_little_about_other_files() -> None:
    effort = Effort()
    effort.learn("book.pdf", 50_000_000, 40_000_000)
    guess = 0.2 * 0.3 * 1_000_000
    assert effort.of({"pdf": Waiting(0, 1_000_000)}) < 6 * guess
