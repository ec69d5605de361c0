"""A library goes to another computer, where its folder has another place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from desktop_rag.bootstrap import open_services
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.requests import run_request
from desktop_rag.services.services import Services


def request(services: Services, command: str, **arguments: object) -> dict[str, Any]:
    return run_request(services, command, arguments, lambda _: None, CancelToken())


def test_a_library_is_found_again_under_another_path(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    (here / "pump.txt").write_text("The warranty of pump P-100 lasts two years.", "utf-8")
    (here / "合同.txt").write_text("合同付款期限为三十天。", "utf-8")
    exported = tmp_path / "library.export"
    services = open_services(tmp_path / "first")
    try:
        request(services, "index", paths=[str(here)])
        request(services, "ask", question="How long is the warranty of pump P-100?", chat="Pumps")
        written = request(services, "export", file=str(exported))
        assert written["path"] == str(exported)
        assert (written["files"], written["sources"], written["chats"]) == (2, 1, 1)
        assert written["bytes"] == exported.stat().st_size
    finally:
        services.close()
    here.rename(there)

    services = open_services(tmp_path / "second")
    try:
        result = request(services, "import", file=str(exported), map={str(here): str(there)})
        assert (result["files"], result["waiting"], result["missing"]) == (2, 0, [])
        found = request(services, "search", question="pump warranty", mode="vector")
        assert found["results"][0]["path"] == str(there / "pump.txt")
        found = request(services, "search", question="付款期限", mode="keyword")
        assert [each["path"] for each in found["results"]] == [str(there / "合同.txt")]
        report = request(services, "index")
        assert (report["embedded"], report["files"]["unchanged"]) == (0, 2)
        assert request(services, "verify") == {"ok": True, "problems": []}
        assert [chat.title for chat in services.assistant.chats()] == ["Pumps"]
        exported.write_bytes(exported.read_bytes()[:-100])
        with pytest.raises(KnownError, match="damaged"):
            request(services, "import", file=str(exported))
    finally:
        services.close()
