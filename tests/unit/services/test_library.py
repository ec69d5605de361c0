"""Sources and files: added, told apart, moved, removed, shown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_rag.domain.files import SourceState
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.reports import Removal
from tests.helpers.library_parts import Workshop, settled, write


def test_a_report_counts_exactly(shop: Workshop, docs: Path) -> None:
    write(docs / "bad.txt", "DAMAGED")
    report = shop.library.index([docs])
    assert (report.added, report.failed, report.unchanged) == (2, 1, 0)
    assert (report.segments, report.embedded, report.reused, report.tokens) == (4, 3, 1, 4)
    assert [(p.path, p.page, p.title) for p in report.problems] == [
        (str(docs / "bad.txt"), None, "Damaged")
    ]
    again = shop.library.index([docs])
    assert (again.added, again.failed, again.unchanged, again.embedded) == (0, 1, 2, 0)
    assert again.problems == report.problems


def test_copies_share_what_was_read(shop: Workshop, docs: Path) -> None:
    for number in range(5):
        write(docs / f"copy{number}.txt", "the same text")
    report = shop.library.index([docs])
    assert report.added == 7
    assert shop.embedded.count("the same text") == 1
    assert shop.found("same") == [f"copy{n}.txt" for n in range(5)]
    write(docs / "late copy.txt", "the same text")
    late = shop.library.index([docs])
    assert (late.added, late.embedded) == (1, 0)
    assert len([path for path in shop.reader.paths if "copy" in path]) == 1


def test_a_new_name_that_asks_for_another_parser_is_read_again(shop: Workshop, docs: Path) -> None:
    shop.library.index([docs])
    read = len(shop.reader.paths)
    (docs / "a.txt").rename(docs / "a.md")
    report = shop.library.index([docs])
    assert (report.moved, report.embedded) == (1, 0)
    assert shop.reader.paths[read:] == [str(docs / "a.md")]
    (docs / "b.txt").rename(docs / "c.txt")
    report = shop.library.index([docs])
    assert (report.moved, report.unchanged) == (1, 1)
    assert len(shop.reader.paths) == read + 1


def test_removing_a_source(shop: Workshop, docs: Path) -> None:
    shop.library.index([docs])
    assert shop.library.remove([docs]) == [Removal(str(docs), "source")]
    settled(shop)
    assert shop.library.sources() == []
    assert shop.found("alpha") == []
    assert shop.store.stats().texts == 0
    with pytest.raises(KnownError, match="Not in the library"):
        shop.library.remove([docs])


def test_removing_a_path_inside_a_source_leaves_it_out(shop: Workshop, docs: Path) -> None:
    write(docs / "sub" / "c.txt", "gamma")
    shop.library.index([docs])
    removed = shop.library.remove([docs / "a.txt", docs / "sub"])
    assert removed == [
        Removal(str(docs / "a.txt"), "ignored"),
        Removal(str(docs / "sub"), "ignored"),
    ]
    settled(shop)
    assert shop.paths() == {"a.txt": "ignored", "b.txt": "ready", "c.txt": "ignored"}
    assert shop.found("alpha") == shop.found("gamma") == []
    report = shop.library.index([docs])
    assert (report.skipped, report.unchanged) == (2, 1)
    assert shop.library.coverage().files == 1
    (source,) = shop.library.add([docs / "a.txt"])
    settled(shop)
    assert source.path == str(docs)
    assert shop.found("alpha") == ["a.txt"]
    assert shop.paths()["c.txt"] == "ignored"


def test_a_folder_inside_a_source_doubles_nothing(shop: Workshop, docs: Path) -> None:
    write(docs / "sub" / "c.txt", "gamma")
    shop.library.index([docs])
    report = shop.library.index([docs / "sub"])
    assert (report.added, report.unchanged) == (0, 1)
    assert len(shop.library.sources()) == 1
    (docs.parent / "link").symlink_to(docs)
    shop.library.index([docs.parent / "link"])
    assert len(shop.library.sources()) == 1
    assert len(shop.library.files()) == 3


def test_a_folder_around_sources_takes_them_over(shop: Workshop, docs: Path) -> None:
    write(docs / "sub" / "c.txt", "gamma")
    shop.library.index([docs / "sub", docs / "a.txt"])
    shop.library.remove([docs / "sub" / "c.txt"])
    settled(shop)
    shop.embedded.clear()
    report = shop.library.index([docs])
    assert [source.path for source in shop.library.sources()] == [str(docs)]
    assert (report.added, report.unchanged, report.skipped) == (1, 1, 1)
    assert shop.embedded == ["beta"]
    assert shop.paths() == {"a.txt": "ready", "b.txt": "ready", "c.txt": "ignored"}


def test_a_hidden_folder_that_is_added_is_a_source_of_its_own(shop: Workshop, docs: Path) -> None:
    write(docs / ".notes" / "n.txt", "nu")
    shop.library.index([docs])
    assert shop.found("nu") == []
    shop.library.index([docs / ".notes"])
    assert shop.found("nu") == ["n.txt"]
    assert len(shop.library.sources()) == 2
    assert len(shop.library.files()) == 3


def test_what_cannot_be_added(shop: Workshop, docs: Path) -> None:
    with pytest.raises(KnownError, match="Not found"):
        shop.library.add([docs, docs / "nothing.txt"])
    with pytest.raises(KnownError, match="Belongs to the program"):
        shop.library.add([shop.data_dir])
    os.mkfifo(docs / "pipe")
    with pytest.raises(KnownError, match="Not found"):
        shop.library.add([docs / "pipe"])
    assert shop.library.sources() == []


def test_the_library_s_own_folder_inside_a_source_is_not_read(shop: Workshop) -> None:
    write(shop.data_dir.parent / "a.txt", "alpha")
    shop.library.index([shop.data_dir.parent])
    assert list(shop.paths()) == ["a.txt"]


def test_a_single_file_as_source(shop: Workshop, docs: Path) -> None:
    assert shop.library.index([docs / "a.txt"]).added == 1
    (file,) = shop.library.files()
    assert (file.relpath, file.path) == ("", str(docs / "a.txt"))
    docs.rename(docs.parent / "away")
    shop.library.refresh()
    settled(shop)
    assert shop.library.sources()[0].state is SourceState.UNAVAILABLE
    assert shop.paths() == {"a.txt": "unavailable"}
    (docs.parent / "away").rename(docs)
    (docs / "a.txt").unlink()
    shop.library.refresh()
    settled(shop)
    assert shop.library.sources()[0].state is SourceState.AVAILABLE
    assert shop.paths() == {}
    assert shop.found("alpha") == []
    write(docs / "a.txt", "alpha again")
    shop.library.refresh()
    settled(shop)
    assert shop.found("again") == ["a.txt"]


def test_a_link_to_a_file_is_added_as_that_file(shop: Workshop, docs: Path) -> None:
    (docs / "link.txt").symlink_to("a.txt")
    assert shop.library.index([docs / "link.txt"]).added == 1
    assert [source.path for source in shop.library.sources()] == [str(docs / "a.txt")]


def test_another_way_of_preparing_reads_everything_again(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(docs / "bad.txt", "DAMAGED")
    shop.library.start(watch=False)
    shop.library.index([docs])
    shop.reopen()
    shop.library.start(watch=False)
    settled(shop)
    assert shop.reader.paths == []
    shop.reopen()
    for module in ("ingestion.reading_stage", "services.library_engine"):
        monkeypatch.setattr(f"desktop_rag.{module}.PREPARATION_VERSION", "another")
    shop.library.start(watch=False)
    settled(shop)
    assert {Path(path).name for path in shop.reader.paths} == {"a.txt", "b.txt", "bad.txt"}
    assert shop.embedded == []
    assert shop.found("alpha") == ["a.txt"]


def test_documents_are_handed_out(shop: Workshop, docs: Path) -> None:
    shop.library.index([docs])
    (first, *_) = shop.library.files()
    document = shop.library.document(first.id)
    assert document is not None
    assert document.text == "alpha\n\nshared words"
    assert shop.library.document_by_id(document.id) == document
    assert shop.library.document(99) is None
    assert shop.library.file(99) is None
