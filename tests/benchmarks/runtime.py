"""ONNX Runtime alone: the least time in which the models' inputs can be worked off."""

from __future__ import annotations

import json
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Tokenizer

from desktop_rag.foundation.paths import models_dir

CALLERS = 2

Inputs = list[dict[str, npt.NDArray[np.int64]]]


def texts_by_model(data_dir: Path) -> dict[str, list[str]]:
    """Return every text that the models read for a library, as stored."""
    query = "SELECT spaces.name, texts.text FROM texts JOIN spaces ON spaces.id = texts.space_id"
    texts: dict[str, list[str]] = {}
    database = sqlite3.connect(data_dir / "library.db")
    try:
        for model, text in database.execute(query):
            texts.setdefault(model, []).append(text)
    finally:
        database.close()
    return texts


def seconds_alone(data_dir: Path) -> float:
    """Return how long bare sessions take for a library's texts, one a run, two callers."""
    total = 0.0
    for model, texts in texts_by_model(data_dir).items():
        folder = models_dir() / _folder_of(model)
        inputs, session = _inputs(folder, texts), _session(folder)
        session.run(None, inputs[0])
        start = time.perf_counter()
        with ThreadPoolExecutor(CALLERS) as callers:
            for _ in callers.map(lambda feed, run=session.run: run(None, feed), inputs):
                pass
        total += time.perf_counter() - start
    return total


def _folder_of(model: str) -> str:
    manifest = json.loads((models_dir() / "manifest.json").read_text("utf-8"))
    return next(entry["folder"] for entry in manifest["models"] if entry["name"] == model)


def _inputs(folder: Path, texts: list[str]) -> Inputs:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    made: Inputs = []
    for encoding in tokenizer.encode_batch(texts):
        ids = np.asarray([encoding.ids], dtype=np.int64)
        other = {"attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        made.append({"input_ids": ids, **other})
    return made


def _session(folder: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(
        str(folder / "model_quantized.onnx"), options, providers=["CPUExecutionProvider"]
    )
