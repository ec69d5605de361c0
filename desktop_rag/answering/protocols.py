"""What answers a question from what retrieval found."""

from __future__ import annotations

from typing import Protocol

from desktop_rag.domain.answer import Answer
from desktop_rag.domain.events import OnEvent, ignore_event
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.retrieval.protocols import Augmentation


class Answerer(Protocol):
    """Makes an answer with citations that can be checked."""

    def answer(
        self,
        augmentation: Augmentation,
        on_event: OnEvent = ignore_event,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """Return the answer; every citation is of this augmentation's contents.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        ...
