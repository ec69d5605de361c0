"""The embedding threads against ONNX Runtime alone, on the very same inputs.

Prints one JSON object: tokens a second of the pool (tokenizing and pooling included), and of
two threads that call a bare session with inputs made beforehand, turn by turn in the
same run; ``ratio`` is the pool's time over the bare one's. Run by
``python -m tests.benchmarks.bench_embedding``.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime

from desktop_rag.embedding.bge import BgeEmbeddingModel
from desktop_rag.embedding.spaces import open_spaces
from desktop_rag.foundation.paths import models_dir
from tests.benchmarks import corpus

CALLERS = 2
ROUNDS = 5

TOKENS = 100
"""About what a segment has."""


def passages(model: BgeEmbeddingModel, count: int) -> list[str]:
    """Return texts of about ``TOKENS`` tokens, cut from the collection's."""
    found: list[str] = []
    for text in corpus.load(count)[0]:
        spans = model.counter.offsets(text)
        for first in range(0, len(spans), TOKENS):
            last = min(first + TOKENS, len(spans)) - 1
            found.append(text[spans[first][0] : spans[last][1]])
    return found[:count]


def pool_seconds(model: BgeEmbeddingModel, texts: list[str]) -> float:
    """Return how long the pool's threads take."""
    start = time.perf_counter()
    model.embed(texts)
    return time.perf_counter() - start


def inputs(model: BgeEmbeddingModel, texts: list[str]) -> list[dict[str, npt.NDArray[np.int64]]]:
    """Return what the graph is given for each text."""
    cls, sep = model.counter.special("[CLS]"), model.counter.special("[SEP]")
    made = []
    for text in texts:
        ids = np.asarray([[cls, *model.counter.tokenize(text), sep]], dtype=np.int64)
        other = {"attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        made.append({"input_ids": ids, **other})
    return made


def bare_session(model: BgeEmbeddingModel) -> onnxruntime.InferenceSession:
    """Return a session with one thread a run and everything else at its default."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(
        str(model.spec.model_path), options, providers=["CPUExecutionProvider"]
    )


def bare_seconds(session: onnxruntime.InferenceSession, feeds: list[Any]) -> float:
    """Return how long the runtime alone takes with two callers."""
    start = time.perf_counter()
    with ThreadPoolExecutor(CALLERS) as callers:
        for _ in callers.map(lambda feed: session.run(None, feed), feeds):
            pass
    return time.perf_counter() - start


def measure(language: str, count: int) -> dict[str, Any]:
    """Take turns between the two, and return the medians."""
    spaces = open_spaces(models_dir(), threads=CALLERS)
    try:
        model = spaces.for_language(language)
        texts = passages(model, count)
        feeds, session = inputs(model, texts), bare_session(model)
        pool_seconds(model, texts[:8])
        bare_seconds(session, feeds[:8])
        turns = [(pool_seconds(model, texts), bare_seconds(session, feeds)) for _ in range(ROUNDS)]
    finally:
        spaces.close()
    tokens = sum(feed["input_ids"].size for feed in feeds)
    return {
        "model": model.name,
        "texts": len(texts),
        "tokens": tokens,
        "pool_tokens_a_second": round(tokens / statistics.median(ours for ours, _ in turns)),
        "bare_tokens_a_second": round(tokens / statistics.median(bare for _, bare in turns)),
        "ratio": round(statistics.median(ours / bare for ours, bare in turns), 3),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="bench_embedding", description=__doc__)
    parser.add_argument("--texts", type=int, default=200, help="how many texts a turn")
    parser.add_argument("--language", choices=["en", "zh"], default="en")
    options = parser.parse_args()
    json.dump(measure(options.language, options.texts), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
