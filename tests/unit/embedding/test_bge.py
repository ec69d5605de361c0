from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import numpy.typing as npt
import onnxruntime
import pytest
from tokenizers import Tokenizer

from desktop_rag.embedding.bge import BgeEmbeddingModel
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled
from tests.helpers.program import ROOT

PASSAGES = [
    "The warranty of the pump is void if the seal is opened by the customer.",
    "Invoices are payable within thirty days of receipt.",
    "A prime number has no divisors but one and itself.",
    "Patients were given 5 mg twice daily for ten days.",
    "The train to Lyon leaves at noon from platform four.",
]
QUESTIONS = [
    "Until when must an invoice be paid?",
    "What makes the guarantee of the pump invalid?",
    "When does the train leave?",
]
CHINESE_PASSAGES = [
    "合同付款期限为三十天。",
    "患者每日两次，每次五毫克。",
    "火车中午从四号站台出发。",
]


def normalised(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


class Plain:
    """The model by bare means, to hold ours against: batches, padding and all."""

    def __init__(self, model: BgeEmbeddingModel) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(model.spec.model_path), options)
        self.tokenizer = Tokenizer.from_file(str(model.spec.tokenizer_path))

    def __call__(self, texts: list[str], pad_to: int | None = None) -> npt.NDArray[np.float32]:
        self.tokenizer.enable_padding(length=pad_to)
        encodings = self.tokenizer.encode_batch(texts)
        ids = np.array([encoding.ids for encoding in encodings])
        mask = np.array([encoding.attention_mask for encoding in encodings])
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        return self.session.run(None, feed)[0]


@pytest.fixture(scope="module")
def plain(english: BgeEmbeddingModel) -> Plain:
    return Plain(english)


def test_shape_type_and_length(english: BgeEmbeddingModel, chinese: BgeEmbeddingModel) -> None:
    for model, texts in ((english, PASSAGES), (chinese, CHINESE_PASSAGES)):
        vectors = model.embed(texts)
        assert vectors.shape == (len(texts), model.dimension)
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_no_texts_give_no_rows(english: BgeEmbeddingModel) -> None:
    assert english.embed([]).shape == (0, 384)


@pytest.mark.parametrize("blank", ["", " ", "\n\t", "\u3000"])
def test_blank_texts_are_refused(english: BgeEmbeddingModel, blank: str) -> None:
    for use in (
        english.embed_query,
        english.embed_text,
        english.token_vectors,
        english.query_token_vectors,
    ):
        with pytest.raises(ValueError, match="blank"):
            use(blank)
    with pytest.raises(ValueError, match="blank"):
        english.embed(["a", blank])


def test_text_without_any_token_still_has_a_vector(english: BgeEmbeddingModel) -> None:
    vector = english.embed_text("\x01\ufffd")
    assert np.isfinite(vector).all()
    assert english.token_vectors("\x01").shape == (0, 384)


def test_d2_cls_pooling_norm_and_token_types(
    english: BgeEmbeddingModel, chinese: BgeEmbeddingModel
) -> None:
    for model, texts in ((english, PASSAGES), (chinese, CHINESE_PASSAGES)):
        plain = Plain(model)
        for text in texts:
            expected = normalised(plain([text])[0, 0])
            np.testing.assert_allclose(model.embed_text(text), expected, atol=1e-6)


def test_d2_the_prefix_is_for_questions_alone(
    english: BgeEmbeddingModel, chinese: BgeEmbeddingModel
) -> None:
    for model, question in ((english, QUESTIONS[0]), (chinese, "付款期限是多少天？")):
        prefixed = model.embed_text(model.spec.query_prefix + question)
        np.testing.assert_allclose(model.embed_query(question), prefixed, atol=1e-6)
        assert not np.allclose(model.embed_text(question), prefixed, atol=1e-3)


def test_hi_is_near_hello(english: BgeEmbeddingModel) -> None:
    first, second = english.embed(["hi", "hello"])
    assert (first @ second + 1) / 2 > 0.95


def test_a_vector_is_the_same_alone_in_company_and_in_any_order(
    english: BgeEmbeddingModel, chinese: BgeEmbeddingModel
) -> None:
    company = [f"{text} And so on: {'more ' * number}" for number, text in enumerate(PASSAGES * 3)]
    for model, texts in ((english, PASSAGES + company), (chinese, CHINESE_PASSAGES * 4)):
        forward = model.embed(texts)
        backward = model.embed(texts[::-1])[::-1]
        alone = np.stack([model.embed_text(text) for text in texts])
        assert np.array_equal(forward, backward)
        assert np.array_equal(forward, alone)
        assert np.array_equal(model.embed([texts[0]])[0], alone[0])


def test_d3_near_to_any_batch_and_padding(english: BgeEmbeddingModel, plain: Plain) -> None:
    ours = english.embed(PASSAGES)
    company = PASSAGES + [f"Number {number} of a list." for number in range(27)]
    batched = normalised(plain(company, pad_to=64)[: len(PASSAGES), 0])
    padded = np.stack([normalised(plain([text], pad_to=512)[0, 0]) for text in PASSAGES])
    questions = np.stack([english.embed_query(question) for question in QUESTIONS])
    best = (questions @ ours.T).argmax(axis=1)
    assert best.tolist() == [1, 0, 4]
    for other in (batched, padded):
        assert (other * ours).sum(axis=1).min() >= 0.98
        assert (questions @ other.T).argmax(axis=1).tolist() == best.tolist()


def test_d1_long_texts_are_averaged_by_windows(english: BgeEmbeddingModel, plain: Plain) -> None:
    text = " ".join(f"Sentence number {number} about pumps." for number in range(110))
    ids = english.counter.tokenize(text)
    windows = english.counter.windows(ids, 510)
    assert len(windows) > 1
    pooled = []
    for window in windows:
        tokens = np.array([[101, *window, 102]])
        feed = {"input_ids": tokens, "attention_mask": np.ones_like(tokens)}
        pooled.append(plain.session.run(None, feed | {"token_type_ids": tokens * 0})[0][0, 0])
    average = np.average(pooled, axis=0, weights=[len(window) for window in windows])
    np.testing.assert_allclose(english.embed_text(text), normalised(average), atol=1e-5)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_d1_a_fact_at_the_end_of_a_long_text_is_in_the_vector(
    english: BgeEmbeddingModel, chinese: BgeEmbeddingModel, language: str
) -> None:
    if language == "en":
        model, fact = english, "The vault's combination is kept by the notary in Basel."
        filler = '{"path": "/var/lib/app/cache/0x3f2a.bin", "size": 4096, "ok": true}\n' * 20
        question = "Who keeps the combination of the vault?"
    else:
        model, fact = chinese, "保险柜的密码由巴塞尔的公证人保管。"
        filler = "本季度的销售情况与上一年度大致持平，各部门运行正常。" * 25
        question = "保险柜的密码由谁保管？"
    assert model.counter.count(filler) > 510
    with_fact, without = model.embed([filler + fact, filler])
    asked = model.embed_query(question)
    assert asked @ with_fact > asked @ without
    rows = model.token_vectors(filler + fact)
    assert len(rows) == model.counter.count(filler + fact)


def test_a_question_over_the_limit_is_read_to_its_end(english: BgeEmbeddingModel) -> None:
    long = "please tell me about pumps and seals " * 80
    assert not np.array_equal(english.embed_query(long), english.embed_query(long + "in Lyon"))
    assert len(english.query_token_vectors(long)) == english.counter.count(long)


def test_token_vectors_leave_special_tokens_out(english: BgeEmbeddingModel, plain: Plain) -> None:
    text = PASSAGES[0]
    rows = english.token_vectors(text)
    assert rows.shape == (english.counter.count(text), 384)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(rows, normalised(plain([text])[0, 1:-1]), atol=1e-6)


def test_question_token_vectors_have_a_row_a_token_of_the_question(
    english: BgeEmbeddingModel, chinese: BgeEmbeddingModel
) -> None:
    for model, question in ((english, QUESTIONS[0]), (chinese, "付款期限是多少天？")):
        rows = model.query_token_vectors(question)
        assert rows.shape == (model.counter.count(question), model.dimension)


def test_a_cancelled_embed_stops(english: BgeEmbeddingModel) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        english.embed(PASSAGES * 100, cancel)


def test_d4_memory_is_flat_after_warm_up() -> None:
    """Held to in a process that is set up as the program's is (``give_back_freed_memory``)."""
    run = subprocess.run(
        [sys.executable, "-c", _ROUNDS], capture_output=True, text=True, check=True, cwd=ROOT
    )
    first, *rounds = map(int, run.stdout.split())
    assert max(rounds) < max(first, rounds[0]) + 24


_ROUNDS = """
import random
import psutil
from desktop_rag.embedding.spaces import open_spaces
from desktop_rag.foundation.memory import give_back_freed_memory
from desktop_rag.foundation.paths import models_dir

give_back_freed_memory()
chance, process = random.Random(4), psutil.Process()
words = ["pump", "seal", "valve", "warranty", "invoice", "patient", "dose", "train", "notary"]
spaces = open_spaces(models_dir())
model = spaces.get("bge-small-en-v1.5")
model.embed(["valve " * 505] * 6)
print(process.memory_info().rss >> 20)
for _ in range(5):
    lengths = [chance.randint(1, chance.choice((60, 480))) for _ in range(30)]
    model.embed([" ".join(chance.choices(words, k=length)) for length in lengths])
    print(process.memory_info().rss >> 20)
spaces.close()
"""


def test_d5_at_rest_there_is_no_work(english: BgeEmbeddingModel) -> None:
    english.embed(PASSAGES * 2)
    english.embed_query(QUESTIONS[0])
    before = time.process_time()
    time.sleep(0.5)
    assert time.process_time() - before < 0.1


def test_d5_one_session_serves_all_threads(english: BgeEmbeddingModel) -> None:
    opened = english._opened()
    english.embed(PASSAGES * 3)
    assert english._opened() is opened
    options = opened.get_session_options()
    assert options.intra_op_num_threads == 1
    assert options.inter_op_num_threads == 1
    assert options.get_session_config_entry("session.intra_op.allow_spinning") == "0"
