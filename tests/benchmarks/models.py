"""``python -m tests.benchmarks.models``: what this program adds to a language model.

``cancel_ms`` is from the cancel until the call is back and the process has no more to do (it
sleeps, or is ended). ``first_token_added_ms`` is the time to the first token through the
worker, less that of llama.cpp alone in this very process, medians of questions that differ
from the first word on, so that nothing is cached. ``memory`` is of this process and its
children.
"""

from __future__ import annotations

import json
import statistics
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from desktop_rag.chat_models.gguf_file import BATCH_TOKENS
from desktop_rag.chat_models.gguf_model import GgufModel, GgufOptions
from desktop_rag.chat_models.protocols import ChatOptions, Piece
from desktop_rag.domain.messages import UserMessage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled
from tests.helpers.small_gguf import real_gguf

_CONTEXT = 4096
_ROUNDS = 12
_STORY = "Tell a very long story about the sea and all its fish."
_LONG = "The sea is deep and wide. " * 550


def cancel_ms(model: GgufModel, question: str, after_first_token: bool) -> float:
    """Return how long a reply goes on after it was cancelled, in milliseconds."""
    cancel, times = CancelToken(), [0.0]

    def stop() -> None:
        times[0] = time.perf_counter()
        cancel.cancel()

    def hear(_piece: Piece) -> None:
        if after_first_token and not cancel.cancelled:
            stop()

    if not after_first_token:
        threading.Timer(0.4, stop).start()
    try:
        model.chat([UserMessage(question)], on_piece=hear, cancel=cancel)
    except Cancelled:
        back = time.perf_counter()
    else:
        raise AssertionError("the reply was over before it was cancelled")
    idle = until_idle()
    return (max(back, idle) - times[0]) * 1000


def until_idle() -> float:
    """Return when the children of this process were first seen to use a processor no more."""
    children = psutil.Process().children()
    used = [processor_seconds(child) for child in children]
    while True:
        moment = time.perf_counter()
        time.sleep(0.02)
        now = [processor_seconds(child) for child in children]
        if now == used:
            return moment
        used = now


def processor_seconds(process: psutil.Process) -> float:
    """Return what a process has used; 0 when it is gone."""
    try:
        times = process.cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def first_token_seconds(ask: Callable[[str, Callable[[], None]], None], number: int) -> float:
    """Return the time to the first token of a question that was never asked."""
    question = f"{number} {time.perf_counter()} " + "Fish swim in the sea. "
    first: list[float] = []
    begun = time.perf_counter()
    ask(question, lambda: first.append(time.perf_counter()))
    return first[0] - begun


def added_ms(model: GgufModel, path: Path) -> dict[str, float]:
    """Return what the worker adds to llama.cpp alone until the first token."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel = str(path), _CONTEXT, 1
    params.port, params.ui, params.cache_ram_mib = 0, False, 0
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    for threads in (params.cpuparams, params.cpuparams_batch):
        threads.n_threads, threads.poll = 1, 0
    server = xllamacpp.Server(params)

    def bare(question: str, tell: Callable[[], None]) -> None:
        def take(chunk: dict[str, Any]) -> None:
            if any(choice["delta"].get("content") for choice in chunk["choices"]):
                tell()

        messages = [{"role": "user", "content": question}]
        request = {"messages": messages, "stream": True, "max_tokens": 2, "temperature": 0}
        server.handle_chat_completions(request, take)

    def ours(question: str, tell: Callable[[], None]) -> None:
        options = ChatOptions(max_tokens=2)
        model.chat([UserMessage(question)], options, lambda _: tell())

    pairs = [(first_token_seconds(bare, n), first_token_seconds(ours, n)) for n in range(_ROUNDS)]
    alone, through = (statistics.median(times) * 1000 for times in zip(*pairs, strict=True))
    return {
        "first_token_alone_ms": round(alone, 1),
        "first_token_ms": round(through, 1),
        "first_token_added_ms": round(through - alone, 1),
    }


def memory_mb() -> float:
    """Return what this process and its children have."""
    own = psutil.Process()
    return sum(one.memory_info().rss for one in (own, *own.children())) / 1e6


def figures() -> dict[str, Any]:
    """Measure everything."""
    path = real_gguf()
    model = GgufModel(path, GgufOptions(context_limit=_CONTEXT, threads=1))
    try:
        before = memory_mb()
        begun = time.perf_counter()
        model.load()
        seconds = time.perf_counter() - begun
        model.chat([UserMessage(_STORY)], ChatOptions(max_tokens=50))
        loaded = memory_mb()
        model.unload()
        after = memory_mb()
        model.load()
        writing = [cancel_ms(model, _STORY, after_first_token=True) for _ in range(_ROUNDS)]
        reading = []
        for number in range(_ROUNDS):
            model.load()
            reading.append(cancel_ms(model, f"{number} {_LONG}", after_first_token=False))
        model.load()
        return {
            "load_seconds": round(seconds, 2),
            "memory_mb": {"before": round(before), "loaded": round(loaded), "after": round(after)},
            "memory_after_over_before": round(after / before, 3),
            "cancel_writing_ms": {
                "p50": round(statistics.median(writing)),
                "max": round(max(writing)),
            },
            "cancel_reading_ms": {
                "p50": round(statistics.median(reading)),
                "max": round(max(reading)),
            },
            **added_ms(model, path),
        }
    finally:
        model.close()


if __name__ == "__main__":
    json.dump(figures(), sys.stdout, indent=2)
    print()
