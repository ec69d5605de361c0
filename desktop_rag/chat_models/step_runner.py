"""Asks a language model for a step of a question, so that no step can cost the question."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from desktop_rag.chat_models.circuit_breaker import CircuitBreaker
from desktop_rag.chat_models.protocols import ChatModel, ChatOptions, ignore_piece
from desktop_rag.chat_models.reasoning import ReplyBuilder
from desktop_rag.chat_models.step_figures import StepFigures, StepProblem
from desktop_rag.domain.messages import ChatMessage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled

_log = logging.getLogger(__name__)

T = TypeVar("T")

STEP_SECONDS = 5.0
CALLS_AT_A_TIME = 2
STEP_OPTIONS = ChatOptions(max_tokens=256)
"""Steps write a line or a few; a model that goes on for ever is stopped."""

_POLL_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class StepResult(Generic[T]):
    """What a step gave: a value, or the reason why there is none."""

    value: T | None = None
    problem: StepProblem | None = None


@dataclass
class StepRunner:
    """Runs steps with a deadline, a bulkhead and a circuit breaker a model. Thread-safe.

    ``seconds`` is what one step may take; ``most`` how many calls of a model run at a time,
    those included that were given up and do not end. A step is asked once: what comes late,
    blank, or cannot be read is as good as none. ``figures`` counts everything.
    """

    seconds: float = STEP_SECONDS
    most: int = CALLS_AT_A_TIME
    make_breaker: Callable[[], CircuitBreaker] = CircuitBreaker
    figures: StepFigures = field(default_factory=StepFigures)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _breakers: dict[str, CircuitBreaker] = field(default_factory=dict)
    _running: dict[str, int] = field(default_factory=dict)

    def run(
        self,
        step: str,
        model: ChatModel,
        messages: Sequence[ChatMessage],
        read: Callable[[str], T | None],
        cancel: CancelToken | None = None,
        options: ChatOptions = STEP_OPTIONS,
    ) -> StepResult[T]:
        """Return what ``read`` makes of the model's reply; it gives None for what it can't read.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        cancel = cancel or CancelToken()
        cancel.check()
        breaker = self._breaker(model.name)
        begun = time.monotonic()
        if not breaker.enter():
            result: StepResult[T] = StepResult(problem=StepProblem.RESTING)
        else:
            try:
                result = self._asked(model, messages, options, read, cancel)
            except BaseException:
                breaker.given_up()
                raise
            self._tell(breaker, result.problem)
        self.figures.add(step, time.monotonic() - begun, result.problem)
        return result

    @staticmethod
    def _tell(breaker: CircuitBreaker, problem: StepProblem | None) -> None:
        if problem in (StepProblem.FAILED, StepProblem.TOO_SLOW):
            breaker.failed()
        elif problem is StepProblem.BUSY:
            breaker.given_up()
        else:
            breaker.succeeded()

    def _asked(
        self,
        model: ChatModel,
        messages: Sequence[ChatMessage],
        options: ChatOptions,
        read: Callable[[str], T | None],
        cancel: CancelToken,
    ) -> StepResult[T]:
        if not self._enter(model.name):
            return StepResult(problem=StepProblem.BUSY)
        own = cancel.child()
        came: SimpleQueue[str | Exception] = SimpleQueue()

        def ask() -> None:
            try:
                came.put(model.chat(messages, options, cancel=own).text)
            except Exception as error:  # whatever a model does, the question goes on
                came.put(error)
            finally:
                self._leave(model.name)

        threading.Thread(target=ask, name="model-step", daemon=True).start()
        try:
            reply = _within(came, self.seconds, cancel)
        finally:
            own.cancel()
        cancel.check()
        return _read(reply, read)

    def _breaker(self, name: str) -> CircuitBreaker:
        with self._lock:
            if name not in self._breakers:
                self._breakers[name] = self.make_breaker()
            return self._breakers[name]

    def _enter(self, name: str) -> bool:
        with self._lock:
            if self._running.get(name, 0) >= self.most:
                return False
            self._running[name] = self._running.get(name, 0) + 1
            return True

    def _leave(self, name: str) -> None:
        with self._lock:
            self._running[name] -= 1


def without_reasoning(reply: str) -> str:
    """Return a reply without what the model thought aloud; "" where it did nothing else."""
    builder = ReplyBuilder(ignore_piece)
    builder.add(reply)
    return builder.finish().text.strip()


def _within(
    came: SimpleQueue[str | Exception], seconds: float, cancel: CancelToken
) -> str | Exception | None:
    """Return what comes in time, None for nothing."""
    until = time.monotonic() + seconds
    while True:
        cancel.check()
        left = until - time.monotonic()
        if left <= 0:
            return None
        try:
            return came.get(timeout=min(left, _POLL_SECONDS))
        except Empty:
            continue


def _read(reply: str | Exception | None, read: Callable[[str], T | None]) -> StepResult[T]:
    if reply is None:
        return StepResult(problem=StepProblem.TOO_SLOW)
    if isinstance(reply, Exception):
        if not isinstance(reply, Cancelled):
            # The words of an error may quote the question: the log gets its type alone.
            _log.warning("a step of the language model failed: %s", type(reply).__name__)
        return StepResult(problem=StepProblem.FAILED)
    text = without_reasoning(reply)
    if not text:
        return StepResult(problem=StepProblem.BLANK)
    value = read(text)
    if value is None:
        return StepResult(problem=StepProblem.GARBAGE)
    return StepResult(value)
