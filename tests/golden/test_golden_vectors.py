"""The models' vectors as they were when the models were delivered.

Int8 results differ a little between processors, hence a cosine and not equality. The
files are written anew, when a model changes, by ``python -m tests.golden.test_golden_vectors``.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from desktop_rag.embedding.bge import BgeEmbeddingModel
from desktop_rag.embedding.manifest import ModelSpec, load_manifest
from desktop_rag.embedding.pool import EmbeddingPool
from desktop_rag.foundation.paths import models_dir

FOLDER = Path(__file__).resolve().parent
LEAST_COSINE = 0.999

TEXTS = {
    "en": [
        "The quick brown fox jumps over the lazy dog.",
        "Invoices are payable within thirty days of receipt.",
        "x",
        "HT-2024-0815: torque 12.5 N·m; see C++ note (p. 3) – café",
        "A longer passage. It has several sentences, some of them short. Others go on for a "
        "while, with clauses and numbers such as 3.14 or 1,000, before they come to an end.",
        "word " * 700,
    ],
    "zh": [
        "合同付款期限为三十天。",
        "患者每日两次，每次五毫克，连续服用十天。",
        "好",
        "请参阅 sku-48291 的说明书（第 3 页）。",
        "这是一段较长的文字。它由几个句子组成，有的很短，有的较长，还包含一些数字，例如3.14和1000。",
        "今天天气很好。" * 120,
    ],
}
QUESTIONS = {"en": "When must an invoice be paid?", "zh": "付款期限是多少天？"}

SPECS = load_manifest(models_dir())


def golden_file(spec: ModelSpec) -> Path:
    return FOLDER / f"{spec.name}.npy"


def vectors(spec: ModelSpec) -> npt.NDArray[np.float32]:
    """Return a row a text, then the question's."""
    model = BgeEmbeddingModel(spec, EmbeddingPool(1))
    rows = [model.embed_text(text) for text in TEXTS[spec.language]]
    rows.append(model.embed_query(QUESTIONS[spec.language]))
    return np.stack(rows)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_vectors_are_what_they_were(spec: ModelSpec) -> None:
    golden = np.load(golden_file(spec))
    ours = vectors(spec)
    assert ours.shape == golden.shape == (len(TEXTS[spec.language]) + 1, spec.dimension)
    assert (ours * golden).sum(axis=1).min() >= LEAST_COSINE


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_golden_vectors_tell_the_texts_apart(spec: ModelSpec) -> None:
    golden = np.load(golden_file(spec))
    np.testing.assert_allclose(np.linalg.norm(golden, axis=1), 1, atol=1e-5)
    similar = golden @ golden.T - np.eye(len(golden))
    assert similar.max() < 0.95


def main() -> None:
    for spec in SPECS:
        np.save(golden_file(spec), vectors(spec))


if __name__ == "__main__":
    main()
