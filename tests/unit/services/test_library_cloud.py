"""Files whose content is in the cloud alone: listed, never fetched, kept when they leave."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion import entries, scan
from tests.helpers.library_parts import Workshop, settled, write

States = Callable[[], dict[str, tuple[str, str | None]]]

AWAY = ("unavailable", "Not on this computer")
READY = ("ready", None)

_of_the_systems = entries.in_the_cloud


def send_away(path: Path) -> None:
    """Mark a file as one whose content is elsewhere (see ``marks``)."""
    path.chmod(path.stat().st_mode | stat.S_ISVTX)


def fetch(path: Path) -> None:
    path.chmod(path.stat().st_mode & ~stat.S_ISVTX)


@pytest.fixture(autouse=True)
def marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a bit that means nothing for files stand for the mark of a synchronising program."""

    def marked(status: os.stat_result) -> bool:
        return bool(status.st_mode & stat.S_ISVTX)

    monkeypatch.setattr(entries, "in_the_cloud", marked)
    monkeypatch.setattr(scan, "in_the_cloud", marked)


@pytest.fixture
def states(shop: Workshop) -> States:
    def found() -> dict[str, tuple[str, str | None]]:
        return {
            Path(file.path).name: (file.status.value, file.problem and file.problem.title)
            for file in shop.library.files()
        }

    return found


def test_it_is_listed_and_not_opened_and_read_when_it_comes(
    shop: Workshop, docs: Path, states: States
) -> None:
    send_away(docs / "a.txt")
    report = shop.library.index([docs])
    assert (report.added, report.failed, report.skipped) == (1, 0, 1)
    assert states() == {"a.txt": AWAY, "b.txt": READY}
    assert shop.reader.paths == [str(docs / "b.txt")]
    again = shop.library.index()
    assert (again.added, again.unchanged) == (0, 2)
    fetch(docs / "a.txt")
    assert shop.library.index().added == 1
    assert states() == {"a.txt": READY, "b.txt": READY}
    assert shop.found("alpha") == ["a.txt"]


def test_what_was_read_before_it_left_stays(shop: Workshop, docs: Path, states: States) -> None:
    shop.library.index([docs])
    send_away(docs / "a.txt")
    shop.library.index()
    assert states() == {"a.txt": READY, "b.txt": READY}
    assert shop.found("alpha") == ["a.txt"]
    fetch(docs / "a.txt")
    assert shop.library.index().embedded == 0
    assert states() == {"a.txt": READY, "b.txt": READY}


def test_changed_elsewhere_it_is_marked_and_kept_until_it_comes(
    shop: Workshop, docs: Path, states: States
) -> None:
    shop.library.index([docs])
    write(docs / "a.txt", "omega omega omega")
    send_away(docs / "a.txt")
    shop.library.index()
    shop.library.index()
    assert states() == {"a.txt": AWAY, "b.txt": READY}
    assert shop.found("alpha") == ["a.txt"]
    fetch(docs / "a.txt")
    shop.library.index()
    assert (shop.found("alpha"), shop.found("omega")) == ([], ["a.txt"])


def test_trying_again_and_drawing_a_page_fetch_nothing(
    shop: Workshop, docs: Path, states: States
) -> None:
    send_away(docs / "a.txt")
    shop.library.index([docs])
    (away,) = [file for file in shop.library.files() if file.path.endswith("a.txt")]
    shop.library.retry([away.id])
    settled(shop)
    assert states() == {"a.txt": AWAY, "b.txt": READY}
    assert shop.reader.paths == [str(docs / "b.txt")]
    with pytest.raises(KnownError, match="in the cloud alone"):
        shop.library.viewer.render_page(docs / "a.txt", 1, 1.0)


def test_a_rename_of_what_is_away_keeps_what_was_read(
    shop: Workshop, docs: Path, states: States
) -> None:
    write(docs / "never.txt", "omega")
    send_away(docs / "never.txt")
    shop.library.index([docs])
    send_away(docs / "a.txt")
    (docs / "a.txt").rename(docs / "new name.txt")
    (docs / "never.txt").rename(docs / "never read.txt")
    report = shop.library.index()
    assert (report.moved, report.removed, report.embedded) == (2, 0, 0)
    assert states() == {"new name.txt": READY, "b.txt": READY, "never read.txt": AWAY}
    assert shop.found("alpha") == ["new name.txt"]
    shop.library.index()
    assert states() == {"new name.txt": READY, "b.txt": READY, "never read.txt": AWAY}
    for name in ("new name.txt", "never read.txt"):
        fetch(docs / name)
    assert shop.library.index().embedded == 1
    assert (shop.found("alpha"), shop.found("omega")) == (["new name.txt"], ["never read.txt"])


def test_a_single_file_may_be_away(shop: Workshop, docs: Path, states: States) -> None:
    send_away(docs / "a.txt")
    shop.library.index([docs / "a.txt"])
    assert states() == {"a.txt": AWAY}
    fetch(docs / "a.txt")
    shop.library.index()
    assert states() == {"a.txt": READY}


def test_a_placeholder_of_icloud_stands_for_its_file(
    shop: Workshop, docs: Path, states: States
) -> None:
    shop.library.index([docs])
    (docs / "a.txt").rename(docs / ".a.txt.icloud")
    write(docs / ".new.txt.icloud", "a list of properties")
    shop.library.index()
    assert states() == {"a.txt": READY, "b.txt": READY, "new.txt": AWAY}
    assert shop.found("alpha") == ["a.txt"]
    (docs / ".new.txt.icloud").unlink()
    write(docs / "new.txt", "epsilon")
    shop.library.index()
    assert states() == {"a.txt": READY, "b.txt": READY, "new.txt": READY}


def test_a_placeholder_beside_its_file_or_of_a_temporary_one_is_nothing(
    shop: Workshop, docs: Path, states: States
) -> None:
    write(docs / ".a.txt.icloud", "a list of properties")
    write(docs / ".draft.tmp.icloud", "a list of properties")
    shop.library.index([docs])
    assert states() == {"a.txt": READY, "b.txt": READY}


def test_a_placeholder_that_comes_or_goes_is_heard_of(
    shop: Workshop, docs: Path, states: States
) -> None:
    shop.library.start(watch=True)
    shop.library.index([docs])
    (docs / "a.txt").rename(docs / ".a.txt.icloud")
    write(docs / ".new.txt.icloud", "a list of properties")
    while states().get("new.txt") != AWAY:
        shop.library.wait_settled(0.05)
    assert states() == {"a.txt": READY, "b.txt": READY, "new.txt": AWAY}
    (docs / ".new.txt.icloud").rename(docs / "new.txt")
    while states()["new.txt"] != READY:
        shop.library.wait_settled(0.05)


def test_marks_of_the_systems() -> None:
    def status(**marks: int) -> object:
        return type("Status", (), marks)()

    assert entries.stands_for(".report.pdf.icloud") == "report.pdf"
    assert entries.stands_for("report.icloud") is None
    for attributes in (0x1000, 0x4_0000, 0x40_0000):
        assert _of_the_systems(status(st_file_attributes=attributes | 0x20))
    assert _of_the_systems(status(st_flags=0x4000_0000))
    assert not _of_the_systems(status(st_file_attributes=0x20, st_flags=0x8000))
    assert not _of_the_systems(status())
