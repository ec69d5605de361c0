"""Models that read a question and a passage together, from a folder that the user has."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_rag.embedding.sessions import create_session, giving_back
from desktop_rag.foundation.errors import KnownError

if TYPE_CHECKING:
    import onnxruntime
    from tokenizers import Tokenizer

TOKENIZER, MODEL = "tokenizer.json", "model.onnx"

_LONGEST = 512
"""Tokens of question and passage together: what models of this kind were trained with."""


class CrossEncoder:
    """Scores pairs of texts; loaded with the first, usable from several threads.

    Any model with the inputs of BERT (``input_ids``, ``attention_mask`` and, if its graph asks
    for them, ``token_type_ids``) and one number a pair as its output, or two: then the second
    less the first counts.

    Args:
        folder: holds ``tokenizer.json`` and ``model.onnx``.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._loaded: tuple[Tokenizer, onnxruntime.InferenceSession] | None = None
        self._problem: KnownError | None = None
        self._probed = False

    def load(self) -> None:
        """Load the model and try it on a pair, if that was not done; a problem is remembered.

        Raises:
            KnownError: a file is missing or damaged, or it is no such model.
        """
        if self._problem is not None:
            raise self._problem
        if self._probed:
            return
        try:
            self.score("question", "text")
        except KnownError as error:
            self._problem = error
            raise
        self._probed = True

    def score(self, question: str, text: str) -> float:
        """Return how well a text fits a question; more is better, on a scale of the model's own.

        What is beyond 512 tokens of the text is not read.

        Raises:
            KnownError: the model cannot be used.
        """
        tokenizer, session = self._parts()
        encoding = tokenizer.encode(_encodable(question), _encodable(text))
        given = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        wanted = {one.name for one in session.get_inputs()}
        feed = {
            name: np.asarray([ids], dtype=np.int64) for name, ids in given.items() if name in wanted
        }
        try:
            output = np.asarray(session.run(None, feed, giving_back())[0], dtype=np.float64).ravel()
        except Exception as error:  # the runtime raises types of its own
            raise self._unusable("it cannot be run") from error
        if len(output) not in (1, 2):
            raise self._unusable(f"it gives {len(output)} numbers for a pair of texts")
        return float(output[0] if len(output) == 1 else output[1] - output[0])

    def _parts(self) -> tuple[Tokenizer, onnxruntime.InferenceSession]:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> tuple[Tokenizer, onnxruntime.InferenceSession]:
        from tokenizers import Tokenizer

        for name in (TOKENIZER, MODEL):
            if not (self._folder / name).is_file():
                raise self._unusable(f"there is no {name} in the folder")
        try:
            tokenizer = Tokenizer.from_file(str(self._folder / TOKENIZER))
            session = create_session(self._folder / MODEL)
        except Exception as error:  # both libraries raise types of their own
            raise self._unusable("a file of it is damaged") from error
        names = {one.name for one in session.get_inputs()}
        if "input_ids" not in names or names - {"input_ids", "attention_mask", "token_type_ids"}:
            raise self._unusable(f"its graph asks for {', '.join(sorted(names))}")
        tokenizer.no_padding()
        tokenizer.enable_truncation(_LONGEST, strategy="only_second")
        return tokenizer, session

    def _unusable(self, reason: str) -> KnownError:
        return KnownError(
            "The re-ranking model cannot be used",
            f"“{self._folder}”: {reason}. Choose another folder in the settings, or none.",
            str(self._folder),
        )


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
