"""Collections as requests make and change them, and as the command line shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from desktop_rag.cli.collecting import COLLECTIONS
from desktop_rag.cli.console import Console
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.requests import run_request
from desktop_rag.services.services import Services
from tests.helpers.library_parts import Workshop


class Desk:
    """Sends requests about collections to a library with two sources."""

    def __init__(self, shop: Workshop) -> None:
        nothing = cast("object", None)
        self._services = Services(
            shop.library, nothing, shop.store, nothing, shop.data_dir, shop.close, nothing
        )
        for path in ("/a", "/b"):
            shop.store.add_source(path, True)

    def __call__(self, name: str | None = None, **arguments: Any) -> list[dict[str, Any]]:
        request = {"name": name, **arguments}
        result = run_request(self._services, "collections", request, lambda _: None, CancelToken())
        return cast("list[dict[str, Any]]", result["collections"])


@pytest.fixture
def desk(shop: Workshop) -> Desk:
    return Desk(shop)


def test_a_collection_is_made_described_filled_renamed_and_deleted(desk: Desk) -> None:
    assert desk() == []
    assert desk("Work", add=["/b", "/a"], description="what pays") == [
        {"name": "Work", "description": "what pays", "sources": ["/a", "/b"]}
    ]
    assert desk("Work", drop=["/a"], rename="Firm") == [
        {"name": "Firm", "description": "what pays", "sources": ["/b"]}
    ]
    assert desk("Firm", description="")[0]["description"] == ""
    assert desk("Home")[1] == {"name": "Home", "description": "", "sources": []}
    assert [one["name"] for one in desk("Firm", delete=True)] == ["Home"]


@pytest.mark.parametrize(
    ("name", "arguments", "title"),
    [
        ("Work", {"add": ["/c"]}, "Not in the library"),
        ("Work", {"rename": "Home"}, "Name in use"),
        ("New", {"rename": " "}, "No name"),
        (" ", {}, "No name"),
        ("New", {"delete": True}, "No such collection"),
    ],
)
def test_what_cannot_be_done_changes_nothing(
    desk: Desk, name: str, arguments: dict[str, Any], title: str
) -> None:
    desk("Home")
    before = desk("Work", add=["/a"])
    with pytest.raises(KnownError) as error:
        desk(name, **arguments)
    assert error.value.title == title
    assert desk() == before


def test_collections_are_shown_with_what_is_in_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    console = Console(json=False)
    COLLECTIONS.report({"collections": []}, console)
    work = {"name": "Work", "description": "what pays", "sources": [str(tmp_path)]}
    home = {"name": "Home", "description": "", "sources": []}
    COLLECTIONS.report({"collections": [work, home]}, console)
    assert capsys.readouterr().out.splitlines() == [
        "There are no collections.",
        "Work: what pays",
        f"    {tmp_path}",
        "Home",
    ]
