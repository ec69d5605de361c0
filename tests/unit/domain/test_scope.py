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
    condition = scope.condition
    return condition is None or matches(condition, metadata)


def test_without_limits_everything_is_looked_at() -> None:
    assert Scope().condition is None


@pytest.mark.parametrize(
    "scope",
    [
        Scope(folders=["/docs/contracts"]),
        Scope(folders=["/docs/contracts/"]),
        Scope(files=["/docs/contracts/lease.pdf"]),
        Scope(sources=[2], files=["/docs/contracts/lease.pdf"]),
        Scope(labels={"type": ["pdf", "docx"]}),
        Scope(folders=["/docs"], labels={"type": ["pdf"]}),
    ],
)
def test_places_are_alternatives_and_labels_must_all_hold(scope: Scope) -> None:
    assert admits(scope, LEASE)
    assert not admits(scope, NOTE)


def test_a_folder_that_begins_alike_is_another_one() -> None:
    assert not admits(Scope(folders=["/docs/con"]), LEASE)


def test_what_has_no_label_is_left_out() -> None:
    assert admits(Scope(labels={"year": [2024]}), LEASE)
    assert not admits(Scope(labels={"year": [2024]}), NOTE)


def test_no_sources_are_a_place_where_nothing_is() -> None:
    assert admits(Scope(sources=[1]), LEASE)
    assert not admits(Scope(sources=[]), LEASE)
