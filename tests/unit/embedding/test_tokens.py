from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_rag.embedding.manifest import load_manifest
from desktop_rag.embedding.tokens import BertTokenCounter, partition
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.paths import models_dir

HELLO = "Hello, how are you doing?"


@pytest.fixture(scope="module")
def counter() -> BertTokenCounter:
    return BertTokenCounter(load_manifest(models_dir())[0])


@pytest.fixture(scope="module")
def chinese_counter() -> BertTokenCounter:
    return BertTokenCounter(load_manifest(models_dir())[1])


def test_known_counts(counter: BertTokenCounter) -> None:
    assert counter.count(HELLO) == 7
    assert counter.count(HELLO * 100) == 700
    assert counter.count("hello") == 1
    assert counter.count("") == 0
    assert counter.count_all([HELLO, "", "hello"]) == [7, 0, 1]
    assert counter.count_all([]) == []


def test_chinese_counts_a_token_a_character(chinese_counter: BertTokenCounter) -> None:
    assert chinese_counter.count("合同付款期限为三十天。" * 100) == 1100


def test_truncation_and_padding_of_the_file_are_switched_off(tmp_path: Path) -> None:
    source = json.loads((models_dir() / "bge-small-en-v1.5" / "tokenizer.json").read_text("utf-8"))
    source["truncation"] = {
        "direction": "Right",
        "max_length": 128,
        "strategy": "LongestFirst",
        "stride": 0,
    }
    source["padding"] = {
        "strategy": {"Fixed": 128},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    }
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(source), "utf-8")
    counter = BertTokenCounter(path)
    assert counter.count("hello") == 1
    assert counter.count(HELLO * 100) == 700


def test_special_tokens_in_a_text_are_text(counter: BertTokenCounter) -> None:
    special = {counter.special(token) for token in ("[CLS]", "[SEP]", "[MASK]", "[PAD]")}
    assert not special & set(counter.tokenize("[CLS] a [SEP] b [MASK] [PAD]"))


def test_an_unknown_special_token_is_refused(counter: BertTokenCounter) -> None:
    with pytest.raises(ValueError, match="NOPE"):
        counter.special("[NOPE]")


def test_lone_surrogates_and_nul_are_counted_without_error(counter: BertTokenCounter) -> None:
    assert counter.count("a \ud800 b \udfff \x00") >= 2
    assert len(counter.offsets("a \ud800 b")) >= 2


def test_offsets_are_code_points_of_the_text(counter: BertTokenCounter) -> None:
    text = "Café 😀 reading"
    assert [text[start:end] for start, end in counter.offsets(text)][:1] == ["Café"]
    assert text[slice(*counter.offsets(text)[-1])] == "reading"


def test_partition_keeps_words_whole() -> None:
    words = ["I", "have", "a", "note", "##book", "that", "is", "expensive"]
    pieces = partition(range(len(words)), [word.startswith("##") for word in words], 4)
    assert [[words[index] for index in piece] for piece in pieces] == [
        ["I", "have", "a"],
        ["note", "##book", "that", "is"],
        ["expensive"],
    ]


def test_partition_cuts_a_run_that_is_longer_than_a_piece() -> None:
    continues = [False, True, True, True, True, True, False]
    assert partition(range(7), continues, 3) == [[0, 1, 2], [3, 4, 5], [6]]


@pytest.mark.parametrize(("count", "pieces"), [(0, [0]), (1, [1]), (4, [4]), (5, [4, 1])])
def test_partition_at_its_edges(count: int, pieces: list[int]) -> None:
    found = partition(range(count), [False] * count, 4)
    assert [len(piece) for piece in found] == pieces


def test_partition_refuses_a_size_that_makes_no_progress() -> None:
    with pytest.raises(ValueError, match="size"):
        partition([1], [False], 0)


def test_windows_hold_every_token_in_order(counter: BertTokenCounter) -> None:
    ids = counter.tokenize("internationalisation of unbelievably antidisestablished words " * 90)
    windows = counter.windows(ids, 510)
    assert [token for window in windows for token in window] == ids
    assert len(windows) > 1
    assert all(0 < len(window) <= 510 for window in windows)


def test_a_damaged_tokenizer_is_a_known_error_at_first_use(tmp_path: Path) -> None:
    spec = dataclasses.replace(load_manifest(models_dir())[0], folder=tmp_path)
    (tmp_path / "tokenizer.json").write_text("{}", "utf-8")
    for source in (spec, tmp_path / "tokenizer.json"):
        counter = BertTokenCounter(source)
        with pytest.raises(KnownError) as caught:
            counter.count("hello")
        assert caught.value.path == str(tmp_path / "tokenizer.json")


def test_counting_needs_no_runtime() -> None:
    program = (
        "import sys\n"
        "from desktop_rag.embedding.manifest import load_manifest\n"
        "from desktop_rag.embedding.spaces import open_spaces\n"
        "from desktop_rag.foundation.paths import models_dir\n"
        "spaces = open_spaces(models_dir())\n"
        "assert spaces.for_language('en').counter.count('hello') == 1\n"
        "assert 'onnxruntime' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
