"""Files inside files: each is a file of the library, and follows the one that it lies in."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest

from desktop_rag.domain.files import FileStatus
from tests.helpers.library_parts import Workshop


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    return docs


def box(path: Path, **members: str) -> Path:
    lines = [f"{name.replace('_', '.')}: {words}" for name, words in members.items()]
    path.write_text("\n".join(("BOX", *lines)), encoding="utf-8")
    return path


def names(shop: Workshop, docs: Path) -> dict[str, str]:
    return {os.path.relpath(file.path, docs): file.status.value for file in shop.library.files()}


def test_each_file_inside_is_a_file_of_its_own(shop: Workshop, docs: Path) -> None:
    box(docs / "mail.box", a_txt="Apples grow.", b_txt="DAMAGED")
    report = shop.library.index([docs])

    assert names(shop, docs) == {
        "mail.box": "ready",
        "mail.box/a.txt": "ready",
        "mail.box/b.txt": "failed",
    }
    assert report.added == 2
    assert report.failed == 1
    assert [problem.title for problem in report.problems] == ["Damaged"]
    assert shop.found("apples") == ["a.txt"]
    again = shop.library.index([docs])
    assert (again.unchanged, again.failed) == (2, 1)


def test_a_changed_container_costs_what_changed_in_it(shop: Workshop, docs: Path) -> None:
    path = box(docs / "mail.box", a_txt="Apples grow.", b_txt="Beans climb.", c_txt="Corn ripens.")
    shop.library.index([docs])
    shop.embedded.clear()
    box(path, a_txt="Apples grow.", b_txt="Beets are red.", d_txt="Dates.")
    shop.library.index([docs])

    assert sorted(shop.embedded) == ["Beets are red.", "Dates."]
    assert names(shop, docs) == {
        "mail.box": "ready",
        "mail.box/a.txt": "ready",
        "mail.box/b.txt": "ready",
        "mail.box/d.txt": "ready",
    }
    assert shop.found("corn") == []
    assert shop.found("beans") == []


def test_a_moved_container_takes_its_files_along(shop: Workshop, docs: Path) -> None:
    path = box(docs / "mail.box", a_txt="Apples grow.")
    shop.library.index([docs])
    shop.embedded.clear()
    (docs / "old").mkdir()
    path.rename(docs / "old" / "post.box")
    shop.library.index([docs])

    assert names(shop, docs) == {"old/post.box": "ready", "old/post.box/a.txt": "ready"}
    assert shop.embedded == []
    assert shop.found("apples") == ["a.txt"]


def test_two_containers_change_places(shop: Workshop, docs: Path) -> None:
    one, other = box(docs / "1.box", a_txt="Apples."), box(docs / "2.box", a_txt="Beans.")
    shop.library.index([docs])
    shop.embedded.clear()
    one.rename(docs / "3.box")
    other.rename(docs / "1.box")
    (docs / "3.box").rename(docs / "2.box")
    shop.library.index([docs])

    assert shop.embedded == []
    by_path = {os.path.relpath(file.path, docs): file for file in shop.library.files()}
    apples = shop.library.document(by_path["2.box/a.txt"].id)
    assert apples is not None
    assert apples.text == "Apples."


def test_copies_of_a_container_and_of_a_file_inside_share(shop: Workshop, docs: Path) -> None:
    path = box(docs / "mail.box", a_txt="Apples grow.")
    (docs / "a.txt").write_text("Apples grow.", encoding="utf-8")
    shop.library.index([docs])
    shutil.copy(path, docs / "copy.box")
    shop.library.index([docs])

    assert shop.embedded == ["Apples grow."]
    assert shop.found("apples") == ["a.txt", "a.txt", "a.txt"]
    assert names(shop, docs)["copy.box/a.txt"] == "ready"


def test_a_removed_container_leaves_nothing(shop: Workshop, docs: Path) -> None:
    path = box(docs / "mail.box", a_txt="Apples grow.")
    shop.library.index([docs])
    path.unlink()
    shop.library.index([docs])

    assert names(shop, docs) == {}
    assert shop.found("apples") == []


def test_a_container_that_breaks_lets_go_of_its_files(shop: Workshop, docs: Path) -> None:
    path = box(docs / "mail.box", a_txt="Apples grow.")
    shop.library.index([docs])
    path.write_text("DAMAGED", encoding="utf-8")
    shop.library.index([docs])

    assert names(shop, docs) == {"mail.box": "failed"}
    assert shop.found("apples") == []


def test_a_folder_takes_the_place_of_a_container(shop: Workshop, docs: Path) -> None:
    path = box(docs / "box", a_txt="Apples grow.")
    shop.library.index([docs])
    path.unlink()
    path.mkdir()
    (path / "a.txt").write_text("Beans climb.", encoding="utf-8")
    shop.library.index([docs])

    assert names(shop, docs) == {"box/a.txt": "ready"}
    assert shop.found("beans") == ["a.txt"]

    shutil.rmtree(path)
    box(path, a_txt="Apples grow.")
    shop.library.index([docs])
    assert names(shop, docs) == {"box": "ready", "box/a.txt": "ready"}
    assert shop.found("apples") == ["a.txt"]


def test_a_single_container_as_source(shop: Workshop, docs: Path) -> None:
    path = box(docs / "mail.box", a_txt="Apples grow.")
    shop.library.index([path])
    assert names(shop, docs) == {"mail.box": "ready", "mail.box/a.txt": "ready"}

    shop.library.index([docs])
    assert names(shop, docs) == {"mail.box": "ready", "mail.box/a.txt": "ready"}
    shop.library.remove([docs])
    assert shop.library.files() == []


def test_a_file_inside_is_tried_again_by_itself(shop: Workshop, docs: Path) -> None:
    box(docs / "mail.box", a_txt="Apples grow.", b_txt="DAMAGED")
    shop.library.index([docs])
    read = len(shop.reader.paths)
    failed = [file.id for file in shop.library.files() if file.status is FileStatus.FAILED]
    shop.library.retry(failed)
    assert shop.library.wait_settled(30)

    assert len(shop.reader.paths) == read + 1
    assert names(shop, docs)["mail.box/b.txt"] == "failed"
    assert names(shop, docs)["mail.box/a.txt"] == "ready"


def test_what_was_not_read_of_a_container_is_read_after_a_restart(
    shop: Workshop, docs: Path
) -> None:
    box(docs / "mail.box", a_txt="Apples grow.", b_txt="Beans climb.", c_txt="Corn ripens.")
    shop.spaces.model.seconds = 0.2
    shop.library.start(False)
    shop.library.add([docs])
    first = threading.Event()
    while not first.is_set():
        if "mail.box/a.txt" in names(shop, docs):
            first.set()
        first.wait(0.01)
    shop.reopen()
    shop.library.start(False)
    assert shop.library.wait_settled(30)

    assert set(names(shop, docs).values()) == {"ready"}
    assert len(names(shop, docs)) == 4
    assert shop.found("corn") == ["c.txt"]


def test_a_large_container_waits_for_the_model(shop: Workshop, docs: Path) -> None:
    box(docs / "mail.box", **{f"m{n}_txt": f"Words number {n} of them." for n in range(1500)})
    report = shop.library.index([docs])

    assert report.added == 1501
    assert set(names(shop, docs).values()) == {"ready"}
    assert len(shop.embedded) == 1500


def test_a_container_on_a_drive_that_comes_and_goes(shop: Workshop, docs: Path) -> None:
    box(docs / "mail.box", a_txt="Apples grow.", b_txt="DAMAGED")
    shop.library.index([docs])
    away = docs.with_name("away")
    docs.rename(away)
    shop.library.index([])
    assert set(names(shop, docs).values()) <= {"unavailable", "failed"}

    away.rename(docs)
    shop.library.index([])
    assert names(shop, docs) == {
        "mail.box": "ready",
        "mail.box/a.txt": "ready",
        "mail.box/b.txt": "failed",
    }
    assert shop.found("apples") == ["a.txt"]


def test_a_file_inside_another_is_tried_again(shop: Workshop, docs: Path) -> None:
    box(docs / "mail.box", a_txt="Apples grow.", b_txt="DAMAGED")
    assert shop.library.index([docs]).failed == 1
    before = len(shop.reader.paths)
    report = shop.library.index([docs], again=True)
    assert (len(report.problems), len(shop.reader.paths)) == (1, before + 1)
    assert names(shop, docs)["mail.box/b.txt"] == "failed"


def test_a_removal_while_a_container_is_read(shop: Workshop, docs: Path) -> None:
    box(docs / "mail.box", a_txt="Apples grow.", b_txt="Beans climb.")
    shop.library.start(False)
    shop.spaces.model.seconds = 0.05
    shop.library.add([docs])
    shop.library.remove([docs])

    assert shop.library.wait_settled(30)
    assert shop.library.files() == []
    assert shop.found("apples") == []


def test_a_file_inside_can_be_left_out(shop: Workshop, docs: Path) -> None:
    path = box(docs / "mail.box", a_txt="Apples grow.", b_txt="Beans climb.")
    shop.library.index([docs])
    shop.library.remove([path / "a.txt"])
    assert shop.library.wait_settled(30)
    assert names(shop, docs)["mail.box/a.txt"] == "ignored"
    assert shop.found("apples") == []

    box(path, a_txt="Apples grow.", b_txt="Beans climb high.")
    report = shop.library.index([docs])
    assert names(shop, docs)["mail.box/a.txt"] == "ignored"
    assert shop.found("apples") == []
    assert (report.updated, report.added) == (2, 0)
