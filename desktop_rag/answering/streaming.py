"""A model's reply as it comes, with a limit for how long it may be silent."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop_rag.chat_models.protocols import ChatModel, ChatOptions, ChatReply, Piece
from desktop_rag.domain.messages import NO_USAGE, ChatMessage, TokenUsage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError

_log = logging.getLogger(__name__)

FIRST_SECONDS = 120.0
"""A long prompt takes a model of some size a minute on two cores before its first word."""

SILENT_SECONDS = 30.0
"""Between two words."""

_POLL_SECONDS = 0.02
_END_SECONDS = 1.0
"""How long a model that was told to stop is waited for."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that a model may take for its first word, and between two."""

    first: float = FIRST_SECONDS
    between: float = SILENT_SECONDS


@dataclass(slots=True)
class Streamed:
    """What came of a reply; ``broken`` says why it is not whole, None where it is."""

    text: str = ""
    reasoning: str = ""
    usage: TokenUsage = NO_USAGE
    cut: bool = False
    broken: KnownError | None = None

    def add(self, piece: Piece) -> None:
        """Take the next piece."""
        if piece.reasoning:
            self.reasoning += piece.text
        else:
            self.text += piece.text


def stream(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    options: ChatOptions,
    on_text: Callable[[str], None],
    cancel: CancelToken | None = None,
    patience: Patience | None = None,
) -> Streamed:
    """Ask a model and pass its text on as it comes; a reply is never asked for twice.

    Whatever goes wrong with the model is in the result, with what came until then.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    asking = _Asking(model, messages, options, cancel)
    result = Streamed()
    limits = patience or Patience()
    deadline = time.monotonic() + limits.first
    while True:
        try:
            item = asking.pieces.get(timeout=_POLL_SECONDS)
        except queue.Empty:
            if cancel is not None and cancel.cancelled:
                asking.stop()
                raise Cancelled from None
            if time.monotonic() > deadline:
                asking.stop()
                result.broken = _silent(model)
                return result
            continue
        if not isinstance(item, Piece):
            return _ended(item, result, model)
        deadline = time.monotonic() + limits.between
        result.add(item)
        if not item.reasoning:
            on_text(item.text)


class _Asking:
    """A model being asked, in a thread of its own, so that one that hangs holds up nobody."""

    def __init__(
        self,
        model: ChatModel,
        messages: Sequence[ChatMessage],
        options: ChatOptions,
        cancel: CancelToken | None,
    ) -> None:
        self.pieces: queue.SimpleQueue[Piece | ChatReply | Exception] = queue.SimpleQueue()
        self._cancel = CancelToken() if cancel is None else cancel.child()
        self._thread = threading.Thread(
            target=self._run, args=(model, messages, options), name="written answer", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Tell the model to stop, and wait a moment for it."""
        self._cancel.cancel()
        self._thread.join(_END_SECONDS)

    def _run(self, model: ChatModel, messages: Sequence[ChatMessage], options: ChatOptions) -> None:
        try:
            self.pieces.put(model.chat(messages, options, self.pieces.put, self._cancel))
        except Exception as error:  # handed to the thread that asked
            self.pieces.put(error)


def _ended(item: ChatReply | Exception, result: Streamed, model: ChatModel) -> Streamed:
    if isinstance(item, KnownError):
        result.broken = item
    elif isinstance(item, ChatReply):
        result.text = item.text or result.text
        result.reasoning = item.reasoning or result.reasoning
        result.usage, result.cut = item.usage, item.cut
    elif isinstance(item, Cancelled):
        raise item
    else:
        _log.error("“%s” failed", model.name, exc_info=item)
        result.broken = KnownError(
            "The language model failed",
            f"“{model.name}” ended with an error, which is in the log. Choose another model.",
        )
    return result


def _silent(model: ChatModel) -> KnownError:
    return KnownError(
        "The language model is silent",
        f"“{model.name}” has not written anything for a while. Choose a smaller model, or ask "
        "again later.",
    )
