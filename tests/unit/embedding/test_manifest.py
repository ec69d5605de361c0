from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.embedding.manifest import ModelSpec, check_files, load_manifest
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.paths import models_dir

FILES = {"model_quantized.onnx": b"a graph", "tokenizer.json": b"a vocabulary"}


def entry(**changes: Any) -> dict[str, Any]:
    made = {
        "name": "small",
        "folder": "small-folder",
        "language": "en",
        "dimension": 8,
        "pooling": "cls",
        "query_prefix": "ask: ",
        "max_tokens": 16,
        "licence": "MIT",
        "origin": "made for a test",
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in FILES.items()},
    }
    return made | changes


def write(folder: Path, *entries: dict[str, Any]) -> Path:
    (folder / "manifest.json").write_text(json.dumps({"models": entries}), "utf-8")
    (folder / "small-folder").mkdir()
    for name, data in FILES.items():
        (folder / "small-folder" / name).write_bytes(data)
    return folder


def test_the_delivered_models_are_whole_and_described() -> None:
    english, chinese = load_manifest(models_dir())
    assert (english.name, english.dimension, english.language) == ("bge-small-en-v1.5", 384, "en")
    assert (chinese.name, chinese.dimension, chinese.language) == ("bge-small-zh-v1.5", 512, "zh")
    assert english.query_prefix.startswith("Represent this sentence")
    for spec in (english, chinese):
        assert (spec.pooling, spec.max_tokens, spec.licence) == ("cls", 512, "MIT")
        check_files(spec)


def test_the_english_graph_is_the_one_that_langchain4j_has() -> None:
    english = load_manifest(models_dir())[0]
    known = "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4"
    assert hashlib.sha256(english.model_path.read_bytes()).hexdigest() == known


def test_a_manifest_is_read_without_touching_the_models(tmp_path: Path) -> None:
    (spec,) = load_manifest(write(tmp_path, entry(folder="absent")))
    assert spec.folder == tmp_path / "absent"
    assert spec.model_path == tmp_path / "absent" / "model_quantized.onnx"


@pytest.mark.parametrize("name", sorted(FILES))
@pytest.mark.parametrize("damage", ["changed", "cut", "missing"])
def test_a_damaged_file_is_a_known_error_that_names_it(
    tmp_path: Path, name: str, damage: str
) -> None:
    (spec,) = load_manifest(write(tmp_path, entry()))
    check_files(spec)
    path = tmp_path / "small-folder" / name
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(FILES[name][:-1] + (b"X" if damage == "changed" else b""))
    with pytest.raises(KnownError) as caught:
        check_files(spec)
    assert caught.value.title == "A model file is damaged"
    assert name in caught.value.message
    assert caught.value.path == str(path)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"models": []}',
        '{"models": [{}]}',
        '{"models": [1]}',
        json.dumps({"models": [entry(pooling="mean")]}),
        json.dumps({"models": [entry(dimension=0)]}),
        json.dumps({"models": [entry(max_tokens=2)]}),
        json.dumps({"models": [entry(name="")]}),
        json.dumps({"models": [entry(files={})]}),
    ],
)
def test_a_damaged_manifest_is_a_known_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "manifest.json").write_text(content, "utf-8")
    with pytest.raises(KnownError) as caught:
        load_manifest(tmp_path)
    assert caught.value.path == str(tmp_path / "manifest.json")


def test_a_missing_manifest_is_a_known_error(tmp_path: Path) -> None:
    with pytest.raises(KnownError, match=r"manifest\.json"):
        load_manifest(tmp_path)


def test_wrong_values_are_refused_when_a_spec_is_built() -> None:
    spec: ModelSpec = load_manifest(models_dir())[0]
    with pytest.raises(ValueError, match="pooling"):
        dataclasses.replace(spec, pooling="mean")
