"""Language models for tests of what stands before them: none is chosen unless a test says so."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from desktop_rag.chat_models.model_state import NOT_CHOSEN, ModelState
from desktop_rag.chat_models.protocols import ChatModel
from desktop_rag.chat_models.server_search import FoundServer
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.services.language_models import ModelTest

TESTED = ModelTest("Small", "A library keeps books.", 1.25, 0.5, 12.5, 400 << 20, 4096)


@dataclass
class FakeModels:
    """Remembers what was chosen; ``servers`` is what looking for some finds."""

    model: ChatModel | None = None
    known_state: ModelState = NOT_CHOSEN
    servers: list[FoundServer] = field(default_factory=list)
    chosen: list[tuple[str, ...]] = field(default_factory=list)
    looked: int = 0
    unloaded: int = 0

    def current(self) -> ChatModel | None:
        return self.model

    def for_steps(self) -> ChatModel | None:
        return self.model

    def state(self) -> ModelState:
        return self.known_state

    def look_for_servers(self, _cancel: CancelToken | None = None) -> list[FoundServer]:
        self.looked += 1
        return self.servers

    def choose_file(self, path: Path) -> None:
        self.chosen.append(("file", str(path)))

    def choose_server(self, address: str, model: str = "") -> None:
        self.chosen.append(("server", address, model))

    def choose_none(self) -> None:
        self.chosen.append(("none",))

    def test(self, on_text: object = None, cancel: CancelToken | None = None) -> ModelTest:
        return TESTED

    def unload(self) -> None:
        self.unloaded += 1
