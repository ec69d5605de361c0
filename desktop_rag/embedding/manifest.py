"""What the models are: ``models/manifest.json``, read and checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_rag.foundation.errors import KnownError

MANIFEST_NAME = "manifest.json"
MODEL_FILE = "model_quantized.onnx"
TOKENIZER_FILE = "tokenizer.json"

CLS_POOLING = "cls"
"""The only pooling of the BGE family: the output row of the [CLS] token."""

_DAMAGED = "A model file is damaged"


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """One model of the manifest.

    ``name`` is also the name of the model's space in the store; ``folder`` is
    absolute; ``dimension`` is the length of a vector; ``max_tokens`` counts the special
    tokens; ``query_prefix`` goes before questions and before nothing else.

    Raises:
        ValueError: a value is out of its range.
    """

    name: str
    folder: Path
    language: str
    dimension: int
    pooling: str
    query_prefix: str
    max_tokens: int
    licence: str
    origin: str
    model_sha256: str
    tokenizer_sha256: str

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("a model needs a name")
        if self.pooling != CLS_POOLING:
            raise ValueError(f"unknown pooling: {self.pooling!r}")
        if self.dimension <= 0:
            raise ValueError(f"dimension must be greater than 0, not {self.dimension}")
        if self.max_tokens <= 2:
            raise ValueError(f"max_tokens must be greater than 2, not {self.max_tokens}")

    @property
    def fingerprint(self) -> str:
        """What tells this model's vectors from those of every other model."""
        return f"{self.model_sha256}:{self.tokenizer_sha256}:{self.pooling}"

    @property
    def model_path(self) -> Path:
        """The ONNX graph with its weights."""
        return self.folder / MODEL_FILE

    @property
    def tokenizer_path(self) -> Path:
        """The vocabulary and rules of the model's tokenizer."""
        return self.folder / TOKENIZER_FILE


def load_manifest(models_dir: Path) -> tuple[ModelSpec, ...]:
    """Read the manifest of ``models_dir``; the models' own files are not touched.

    Raises:
        KnownError: the manifest is missing or is not what it should be.
    """
    path = models_dir / MANIFEST_NAME
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))["models"]
        specs = tuple(_spec(models_dir, entry) for entry in entries)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(path, "cannot be read") from error
    if not specs:
        raise _damaged(path, "names no model")
    return specs


def check_files(spec: ModelSpec) -> None:
    """Compare both files of a model with the manifest's checksums.

    Raises:
        KnownError: a file is missing or differs; the error names it.
    """
    check_model_file(spec)
    check_tokenizer_file(spec)


def check_model_file(spec: ModelSpec) -> None:
    """Compare the graph's file with its checksum; raises as ``check_files``."""
    _check(spec.model_path, spec.model_sha256)


def check_tokenizer_file(spec: ModelSpec) -> None:
    """Compare the tokenizer's file with its checksum; raises as ``check_files``."""
    _check(spec.tokenizer_path, spec.tokenizer_sha256)


def _check(path: Path, expected: str) -> None:
    try:
        with path.open("rb") as file:
            actual = hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError as error:
        raise _damaged(path, "is missing") from error
    except OSError as error:
        raise _damaged(path, "cannot be read") from error
    if actual != expected:
        raise _damaged(path, "is not the file that this program was delivered with")


def _damaged(path: Path, what: str) -> KnownError:
    named = f"{path.parent.name}/{path.name}"
    return KnownError(_DAMAGED, f"{named} {what}. Install the program again.", str(path))


def _spec(models_dir: Path, entry: Mapping[str, Any]) -> ModelSpec:
    files = entry["files"]
    return ModelSpec(
        name=entry["name"],
        folder=(models_dir / entry["folder"]).absolute(),
        language=entry["language"],
        dimension=entry["dimension"],
        pooling=entry["pooling"],
        query_prefix=entry["query_prefix"],
        max_tokens=entry["max_tokens"],
        licence=entry["licence"],
        origin=entry["origin"],
        model_sha256=files[MODEL_FILE],
        tokenizer_sha256=files[TOKENIZER_FILE],
    )
