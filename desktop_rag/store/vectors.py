"""Checks and arithmetic on vectors that every part of the store shares."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from desktop_rag.embedding.model import Matrix, Vector

Ids = npt.NDArray[np.int64]
Cosines = npt.NDArray[np.float64]

_UNIT_TOLERANCE = 1e-5
"""Float32 rows of a few hundred numbers are normalised to about 1e-7; beyond this a
vector was never normalised, and is."""

_COSINE_DECIMALS = 6
"""Float32 vectors give cosines to about seven decimals; the noise below would decide
between equal ones, and differently on another machine."""


def checked_vector(vector: Vector, dimension: int) -> Vector:
    """Return a vector fit to be stored: float32, finite, of length 1.

    Raises:
        ValueError: wrong shape, a NaN or infinity, or nothing but zeros.
    """
    unit = checked_query(vector, dimension)
    if not unit.any():
        raise ValueError("a vector must not be zero")
    return unit


def checked_query(vector: Vector, dimension: int) -> Vector:
    """Return a vector fit to be searched for; a zero one stays zero (cosine 0 with all).

    Raises:
        ValueError: wrong shape, or a NaN or infinity.
    """
    array = np.asarray(vector, dtype=np.float32)
    if array.shape != (dimension,):
        raise ValueError(f"a vector must have {dimension} numbers, not shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("a vector must not hold NaN or infinity")
    norm = float(np.linalg.norm(array.astype(np.float64)))
    if norm == 0.0 or abs(norm - 1.0) <= _UNIT_TOLERANCE:
        return array
    return (array.astype(np.float64) / norm).astype(np.float32)


def exact_cosines(rows: Matrix, query: Vector) -> Cosines:
    """Return the cosine of each row, the same wherever in a matrix the row stands.

    A matrix product sums in an order that depends on a row's position; this does not.
    """
    products = np.sum(rows.astype(np.float64) * query.astype(np.float64), axis=1)
    cosines: Cosines = np.clip(np.round(products, _COSINE_DECIMALS), -1.0, 1.0)
    return cosines


def best_first(ids: Ids, cosines: Cosines, k: int) -> list[tuple[int, float]]:
    """Return the k best, ties by id."""
    order = np.lexsort((ids, -cosines))[:k]
    return [(int(ids[i]), float(cosines[i])) for i in order]
