"""Counting and cutting text in a model's own tokens; needs no runtime of the model."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from desktop_rag.embedding.manifest import ModelSpec, check_tokenizer_file
from desktop_rag.foundation.errors import KnownError

_CONTINUATION = "##"
"""WordPiece's mark of a token that goes on with the word before it."""

_BATCH = 256
"""Texts counted in one call: each holds some 10 KB of the tokenizer's until the call ends."""


class BertTokenCounter:
    """A BERT WordPiece tokenizer, loaded at first use; thread-safe.

    Truncation and padding are switched off whatever the file says (LangChain4j's copy
    of this vocabulary asks for 128 of both, and then every text counts 128). Words
    of a document such as "[SEP]" are text, never the model's special tokens.

    Args:
        source: the model whose tokenizer it is (its file is verified), or the path of a
            ``tokenizer.json``.
    """

    def __init__(self, source: ModelSpec | Path) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._loaded: Tokenizer | None = None
        self._continuations: npt.NDArray[np.bool_] | None = None

    def count(self, text: str) -> int:
        """Return the number of tokens, special ones not counted."""
        return self.count_all((text,))[0]

    def count_all(self, texts: Sequence[str]) -> list[int]:
        """Return ``count`` of each text; one call is quicker than many."""
        tokenizer = self._tokenizer()
        counts: list[int] = []
        for start in range(0, len(texts), _BATCH):
            batch = [_encodable(text) for text in texts[start : start + _BATCH]]
            encodings = tokenizer.encode_batch_fast(batch, add_special_tokens=False)
            counts += map(len, encodings)
        return counts

    def tokenize(self, text: str) -> list[int]:
        """Return the ids of a text's tokens, without special ones."""
        encodings = self._tokenizer().encode_batch_fast(
            [_encodable(text)], add_special_tokens=False
        )
        ids: list[int] = encodings[0].ids
        return ids

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Return each token's (start, end) in code points of ``text``."""
        encoding = self._tokenizer().encode(_encodable(text), add_special_tokens=False)
        spans: list[tuple[int, int]] = encoding.offsets
        return spans

    def special(self, token: str) -> int:
        """Return the id of a special token such as "[CLS]".

        Raises:
            ValueError: the vocabulary has no such token.
        """
        found: int | None = self._tokenizer().token_to_id(token)
        if found is None:
            raise ValueError(f"the vocabulary has no {token}")
        return found

    def windows(self, ids: Sequence[int], size: int) -> list[list[int]]:
        """Cut ids into pieces of at most ``size`` that hold whole words.

        A word's run of "##" tokens stays in one piece unless the run itself is longer
        than ``size`` (langchain4j-facts 10).

        Raises:
            ValueError: ``size`` is not positive.
        """
        return partition(ids, self._continuation_flags()[np.asarray(ids, dtype=np.int64)], size)

    def _tokenizer(self) -> Tokenizer:
        loaded = self._loaded
        if loaded is None:
            with self._lock:
                loaded = self._loaded
                if loaded is None:
                    loaded = self._loaded = self._load()
        return loaded

    def _load(self) -> Tokenizer:
        if isinstance(self._source, ModelSpec):
            check_tokenizer_file(self._source)
            path = self._source.tokenizer_path
        else:
            path = self._source
        tokenizer = _read(path)
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True
        return tokenizer

    def _continuation_flags(self) -> npt.NDArray[np.bool_]:
        flags = self._continuations
        if flags is None:
            vocabulary = self._tokenizer().get_vocab()
            flags = np.zeros(max(vocabulary.values()) + 1, dtype=np.bool_)
            for token, index in vocabulary.items():
                flags[index] = token.startswith(_CONTINUATION)
            self._continuations = flags
        return flags


def partition(
    ids: Sequence[int], continues: Sequence[bool] | npt.NDArray[np.bool_], size: int
) -> list[list[int]]:
    """Cut ``ids`` into pieces of at most ``size``; ``continues`` marks "##" tokens.

    No ids give one empty piece, so that every text has a window.

    Raises:
        ValueError: ``size`` is not positive.
    """
    if size <= 0:
        raise ValueError(f"size must be greater than 0, not {size}")
    pieces: list[list[int]] = []
    start = 0
    while len(ids) - start > size:
        end = start + size
        while end > start and continues[end]:
            end -= 1
        if end == start:
            end = start + size
        pieces.append(list(ids[start:end]))
        start = end
    pieces.append(list(ids[start:]))
    return pieces


def _encodable(text: str) -> str:
    """Replace lone surrogates, which the tokenizer refuses, by "?"."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def _read(path: Path) -> Tokenizer:
    try:
        return Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as error:  # the library raises bare Exception for a malformed file
        raise KnownError(
            "A model file is damaged",
            f"{path.parent.name}/{path.name} cannot be read. Install the program again.",
            str(path),
        ) from error
