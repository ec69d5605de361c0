"""The BGE models on ONNX Runtime: one text a run, CLS pooling, L2 norm."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from desktop_rag.embedding.manifest import ModelSpec, check_model_file
from desktop_rag.embedding.model import Matrix, Vector
from desktop_rag.embedding.pool import EmbeddingPool
from desktop_rag.embedding.sessions import create_session, giving_back
from desktop_rag.embedding.tokens import BertTokenCounter
from desktop_rag.foundation.cancellation import CancelToken

if TYPE_CHECKING:
    import onnxruntime

_SPECIAL_TOKENS = 2
"""[CLS] before and [SEP] after every window."""

_LONG_TEXT = 192
"""Tokens; a segment of words and its context line have at most 160, so that only odd ones
(tables of numbers, pieces without blanks) pay for giving their memory back."""

_REMEMBERED_QUESTIONS = 8

Hidden = npt.NDArray[np.float32]
"""Shape (tokens, dimension): the hidden rows of one run, [CLS] first and [SEP] last."""


class BgeEmbeddingModel:
    """An ``EmbeddingModel`` of the BGE family.

    The models quantise a run's activations with one scale, so a text's vector would
    depend on what shares its run. Here every text runs alone, without padding:
    its vector is bit-identical in any company and any order.

    A text of more tokens than the model takes is never cut off: its tokens are divided
    in windows of whole words, each window is run and pooled, and the average weighted by
    the windows' token counts is normalised once (langchain4j-facts 10).

    Nothing is loaded before the first use, when the files are verified too. All methods
    are thread-safe, and raise ``KnownError`` when a model file is damaged.

    Args:
        spec: the model, from the manifest.
        pool: the threads that ``embed`` works on.
    """

    def __init__(self, spec: ModelSpec, pool: EmbeddingPool) -> None:
        self._spec = spec
        self._pool = pool
        self._counter = BertTokenCounter(spec)
        self._lock = threading.Lock()
        self._session: onnxruntime.InferenceSession | None = None
        self._inputs: frozenset[str] = frozenset()
        self._closed = False
        self._asked: OrderedDict[str, Sequence[Hidden]] = OrderedDict()

    @property
    def spec(self) -> ModelSpec:
        """What the manifest says about the model."""
        return self._spec

    @property
    def name(self) -> str:
        """The model's name, which is also its space's name in the store."""
        return self._spec.name

    @property
    def dimension(self) -> int:
        """Length of its vectors."""
        return self._spec.dimension

    @property
    def max_tokens(self) -> int:
        """The most tokens one run takes, special tokens included."""
        return self._spec.max_tokens

    @property
    def counter(self) -> BertTokenCounter:
        """The model's own tokenizer."""
        return self._counter

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Matrix:
        """Return one row a text, in order; shape (0, dimension) for no texts.

        Raises:
            ValueError: a text is blank.
            Cancelled: ``cancel`` was set.
        """
        for text in texts:
            _require_words(text)
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack(self._pool.run_all(self, texts, cancel))

    def embed_text(self, text: str) -> Vector:
        """Return a passage's vector, computed in the calling thread.

        Raises:
            ValueError: the text is blank.
        """
        _require_words(text)
        return self._pooled([self._run(window) for window in self._windows(text)], 0)

    def embed_query(self, text: str) -> Vector:
        """Return a question's vector, computed in the calling thread.

        The model's question prefix stands before the question (before each window of
        a question that is too long for one).

        Raises:
            ValueError: the text is blank.
        """
        return self._pooled(self._query_runs(text), self._prefix_length())

    def token_vectors(self, text: str) -> Matrix:
        """Return one row a token of a passage, special tokens left out.

        Shape (tokens, dimension); the rows are those of ``tokenize``, in the context of
        their window. Computed in the calling thread.

        Raises:
            ValueError: the text is blank.
        """
        _require_words(text)
        return _token_rows([self._run(window) for window in self._windows(text)], 0)

    def query_token_vectors(self, text: str) -> Matrix:
        """Return one row a token of a question, prefix and special tokens left out.

        The prefix was read, for it shapes the rows, but has none of its own.

        Raises:
            ValueError: the text is blank.
        """
        return _token_rows(self._query_runs(text), self._prefix_length())

    def close(self) -> None:
        """Free the session's memory; using the model afterwards is a RuntimeError."""
        with self._lock:
            self._closed = True
            self._session = None

    def _windows(self, text: str, prefix: str = "") -> list[list[int]]:
        """Return the ids of each run's tokens, prefix included, special ones not."""
        before = self._counter.tokenize(prefix) if prefix else []
        size = self.max_tokens - _SPECIAL_TOKENS - len(before)
        ids = self._counter.tokenize(text)
        return [before + window for window in self._counter.windows(ids, size)]

    def _prefix_length(self) -> int:
        return self._counter.count(self._spec.query_prefix)

    def _query_runs(self, text: str) -> Sequence[Hidden]:
        """Return the hidden rows of a question's windows, prefix included.

        The last few are remembered: an answer needs a question's vector for the search,
        and its vector and token vectors again to compare sentences with.
        """
        _require_words(text)
        with self._lock:
            runs = self._asked.get(text)
        if runs is None:
            runs = [self._run(ids) for ids in self._windows(text, self._spec.query_prefix)]
            with self._lock:
                self._asked[text] = runs
                while len(self._asked) > _REMEMBERED_QUESTIONS:
                    self._asked.popitem(last=False)
        return runs

    def _pooled(self, runs: Sequence[Hidden], skip: int) -> Vector:
        """Pool each run; ``skip`` tokens of each, the prefix, have no weight."""
        pooled = [rows[0] for rows in runs]
        if len(pooled) == 1:
            return _normalised(pooled[0])
        own = [len(rows) - _SPECIAL_TOKENS - skip for rows in runs]
        weights = np.asarray(own, dtype=np.float32)
        return _normalised(np.average(np.stack(pooled), axis=0, weights=weights))

    def _run(self, ids: Sequence[int]) -> Hidden:
        """Return the hidden rows of one window, [CLS] first and [SEP] last."""
        session = self._opened()
        cls, sep = self._counter.special("[CLS]"), self._counter.special("[SEP]")
        tokens = np.asarray([[cls, *ids, sep]], dtype=np.int64)
        feed = {"input_ids": tokens, "attention_mask": np.ones_like(tokens)}
        if "token_type_ids" in self._inputs:
            feed["token_type_ids"] = np.zeros_like(tokens)
        options = giving_back() if len(ids) > _LONG_TEXT else None
        hidden: Hidden = session.run(None, feed, options)[0][0]
        return hidden

    def _opened(self) -> onnxruntime.InferenceSession:
        session = self._session
        if session is not None:
            return session
        with self._lock:
            if self._closed:
                raise RuntimeError(f"the model {self.name} is closed")
            if self._session is None:
                check_model_file(self._spec)
                opened = create_session(self._spec.model_path)
                self._inputs = frozenset(item.name for item in opened.get_inputs())
                self._session = opened
            return self._session


def _token_rows(runs: Sequence[Hidden], skip: int) -> Matrix:
    """Return the rows of all runs without special tokens and the first ``skip``."""
    return _normalised(np.concatenate([rows[1 + skip : -1] for rows in runs]))


def _require_words(text: str) -> None:
    if not text.strip():
        raise ValueError("a blank text has no vector")


def _normalised(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Scale each row to length 1; the sum is in float64, so that no row is off by more."""
    lengths = np.sqrt(np.sum(np.square(rows, dtype=np.float64), axis=-1, keepdims=True))
    scaled: npt.NDArray[np.float32] = (rows / lengths).astype(np.float32)
    return scaled
