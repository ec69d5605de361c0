"""What ``verify`` finds, and what its repair does without the model."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import cast

import pytest

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.services.dispatch import run_command
from desktop_rag.services.services import Services
from desktop_rag.services.verifying import verify_library
from desktop_rag.store.database import DATABASE_NAME
from desktop_rag.store.records import VerifyReport
from tests.helpers.library_parts import Workshop, settled, write
from tests.unit.store.test_salvage import pages_of, spoil


def verify(shop: Workshop, repair: bool = False) -> VerifyReport:
    return verify_library(services_of(shop), repair, lambda _: None, CancelToken())


def services_of(shop: Workshop) -> Services:
    return Services(
        shop.library,
        cast("object", None),
        shop.store,
        cast("object", None),
        shop.data_dir,
        shop.close,
        cast("object", None),
    )


def test_a_library_that_equals_the_disk_is_in_order(shop: Workshop, docs: Path) -> None:
    shop.library.index([docs])
    assert verify(shop) == VerifyReport(True)
    (docs / "a.txt").touch()
    assert verify(shop).ok


def test_what_differs_from_the_disk_is_told_and_read(shop: Workshop, docs: Path) -> None:
    for name in ("old.txt", "edited.txt", "edited too.txt"):
        write(docs / name, f"words of {name}")
    shop.library.index([docs])
    write(docs / "new.txt", "a new file")
    write(docs / "edited.txt", "other words than before")
    write(docs / "edited too.txt", "others again, and more")
    (docs / "old.txt").unlink()
    (docs / "b.txt").rename(docs / "c.txt")
    report = verify(shop)
    assert report.problems == (
        "1 file on the disk is not in the library yet.",
        "2 files changed since they were read.",
        "1 file moved.",
        "1 file in the library is not on the disk any more.",
    )
    assert not report.ok
    known = len(shop.embedded)
    repaired = verify(shop, repair=True)
    assert (repaired.ok, repaired.repaired, repaired.problems) == (True, True, report.problems)
    assert len(shop.embedded) == known + 3
    assert verify(shop) == VerifyReport(True)


def test_files_that_wait_and_drives_that_are_away_are_no_fault(shop: Workshop, docs: Path) -> None:
    shop.library.index([docs])
    docs.rename(docs.parent / "away")
    assert verify(shop).ok
    (docs.parent / "away").rename(docs)
    shop.library.pause()
    write(docs / "new.txt", "a new file")
    shop.library.add([docs])
    while "new.txt" not in shop.paths():
        assert not shop.library.wait_settled(0.01)
    assert verify(shop).ok


@pytest.mark.parametrize("kind", ["vectors", "keywords"])
def test_an_index_that_lacks_a_passage_is_made_anew_without_the_model(
    shop: Workshop, docs: Path, kind: str
) -> None:
    shop.library.index([docs])
    settled(shop)  # so that nothing else is at the index meanwhile
    derived = shop.store._derived
    if kind == "vectors":
        derived.vectors["toy"]._vectors.remove([1])
    else:
        derived.passages.remove([1])
        derived.passages.add(999, {"body": "in its place"})
        derived.passages.commit(derived.passages.reached)
    known = len(shop.embedded)
    assert not verify(shop).ok
    assert verify(shop, repair=True).repaired
    assert verify(shop).ok
    assert len(shop.embedded) == known
    assert shop.found("alpha") == ["a.txt"]


def test_a_vector_that_is_not_its_passages_own_is_found(shop: Workshop, docs: Path) -> None:
    shop.library.index([docs])
    vectors = shop.store._derived.vectors["toy"]._vectors
    vectors._matrix[0] = -vectors._matrix[0]
    assert verify(shop).problems == ("Passages cannot all be found by meaning (toy).",)
    assert verify(shop, repair=True).ok


def test_a_damaged_database_is_mended_by_the_command(
    tmp_path: Path, data_dir: Path, docs: Path
) -> None:
    for number in range(200):
        write(docs / f"{number}.txt", "\n\n".join(f"file {number} part {n}" for n in range(8)))
    shop = Workshop(data_dir)
    shop.library.index([docs])
    shop.store.settle()
    shop.close()
    path = data_dir / DATABASE_NAME
    spoil(path, pages_of(path, "segments")[1])
    shops: list[Workshop] = []

    def open_services(folder: Path) -> Services:
        shops.append(Workshop(folder))
        return services_of(shops[-1])

    def command(repair: bool) -> dict[str, object]:
        return run_command(
            data_dir, "verify", {"repair": repair}, open_services, lambda _: None, CancelToken()
        )

    assert command(repair=False)["ok"] is False
    result = command(repair=True)
    assert result["ok"] is True
    assert "The library's database is damaged." in result["problems"]
    assert shops[-1].embedded == []
    assert command(repair=False) == {"ok": True, "problems": []}
    shop = Workshop(data_dir)
    assert set(shop.paths().values()) == {"ready"}
    assert len(shop.paths()) == 202
    shop.close()
    shutil.rmtree(data_dir)
