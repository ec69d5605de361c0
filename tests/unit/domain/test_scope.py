from __future__ import annotations

import pytest

from desktop_rag.domain.filter import matches
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.scope import Scope


def passage(path: str, **more: str | int) -> Metadata:
    return Metadata({"path": path, "folder": path.rpartition("/")[0], "source_id": 1, **more})


LEASE = passage("/docs/contracts/lease.pdf", type="pdf", year=2024)
NOTE = passage("/docs/notes/a.md", type="markdown")


def admits(scope: Scope, metadata: Metadata) -> bool:
    condition = scope.condition({"Work": (1, 3), "Home": ()})
    return condition is None or matches(condition, metadata)


def test_without_limits_everything_is_looked_at() -> None:
    assert Scope().condition() is None


@pytest.mark.parametrize(
    "scope",
    [
        Scope(folders=["/docs/contracts"]),
        Scope(folders=["/docs/contracts/"]),
        Scope(folders=["/docs/contracts/lease.pdf"], files=["/docs/contracts/lease.pdf"]),
        Scope(files=["/docs/contracts/lease.pdf"]),
        Scope(sources=[2], files=["/docs/contracts/lease.pdf"]),
        Scope(labels={"type": ["pdf", "docx"]}),
        Scope(folders=["/docs"], labels={"type": ["pdf"]}),
    ],
)
def test_places_are_alternatives_and_labels_must_all_hold(scope: Scope) -> None:
    assert admits(scope, LEASE)
    assert not admits(scope, NOTE)


@pytest.mark.parametrize("folder", ["/docs/con", "docs/contracts", "/contracts", "/DOCS"])
def test_a_folder_that_is_spelt_alike_is_another_one(folder: str) -> None:
    assert not admits(Scope(folders=[folder]), LEASE)


def test_a_folder_holds_all_below_it_and_a_file_what_is_inside_it() -> None:
    assert admits(Scope(folders=["/docs"]), LEASE)
    assert admits(Scope(folders=["/"]), LEASE)
    assert admits(Scope(folders=["C:\\docs"]), Metadata({"path": "C:\\docs\\a\\b.txt"}))
    assert admits(Scope(folders=["/m/mail.eml"]), passage("/m/mail.eml/Offer.pdf"))


def test_collections_are_their_sources() -> None:
    assert admits(Scope(collections=["Work"]), LEASE)
    assert admits(Scope(collections=["Home", "Work"]), LEASE)
    assert admits(Scope(collections=["Home"], sources=[1]), LEASE)
    assert not admits(Scope(collections=["Home"]), LEASE)
    with pytest.raises(LookupError, match="Garden"):
        Scope(collections=["Garden"]).condition()


def test_what_has_no_label_is_left_out() -> None:
    assert admits(Scope(labels={"year": [2024]}), LEASE)
    assert not admits(Scope(labels={"year": [2024]}), NOTE)


def test_no_sources_are_a_place_where_nothing_is() -> None:
    assert admits(Scope(sources=[1]), LEASE)
    assert not admits(Scope(sources=[]), LEASE)
