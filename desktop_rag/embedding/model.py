"""What every embedding model gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from desktop_rag.foundation.cancellation import CancelToken

Vector = npt.NDArray[np.float32]
"""Shape (dimension,), float32, L2-normalised."""

Matrix = npt.NDArray[np.float32]
"""Shape (rows, dimension), float32, each row L2-normalised."""


class TokenCounter(Protocol):
    """Counts text in a model's own tokens, without any runtime of the model."""

    def count(self, text: str) -> int:
        """Return the number of tokens without the model's special ones."""
        ...


class EmbeddingModel(Protocol):
    """Turns texts into vectors; a text's vector depends on that text alone."""

    @property
    def name(self) -> str:
        """The model's name, which is also its space's name in the store."""
        ...

    @property
    def dimension(self) -> int:
        """Length of its vectors."""
        ...

    @property
    def max_tokens(self) -> int:
        """The most tokens one run takes, special tokens included."""
        ...

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Matrix:
        """Return one row a text, in order; shape (0, dimension) for no texts.

        Raises:
            ValueError: a text is blank.
        """
        ...

    def embed_query(self, text: str) -> Vector:
        """Return the vector of a question, with the model's question prefix."""
        ...
