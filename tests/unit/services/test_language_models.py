from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.chat_models.gguf_model import GgufModel
from desktop_rag.chat_models.model_state import NOT_CHOSEN, ModelPhase
from desktop_rag.chat_models.server_model import ServerModel
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.model_settings import (
    MODEL_CONTEXT,
    MODEL_FILE,
    MODEL_IN_FILE,
    MODEL_KIND,
    MODEL_ON_SERVER,
    MODEL_SERVER,
    NO_MODEL,
    STEPS_MODEL_FILE,
    STEPS_MODEL_KIND,
    STEPS_MODEL_NAME,
)
from desktop_rag.foundation.settings import Settings
from desktop_rag.services.addresses import is_address
from desktop_rag.services.language_models import LanguageModels
from tests.helpers.model_server import chunk, says, serving, streams
from tests.helpers.small_gguf import real_gguf, write_gguf


@pytest.fixture
def settings(data_dir: Path) -> Settings:
    return Settings(data_dir)


@pytest.fixture
def models(settings: Settings) -> Iterator[LanguageModels]:
    made = LanguageModels(settings)
    yield made
    made.close()


def test_none_is_chosen_at_first(models: LanguageModels) -> None:
    assert models.current() is None
    assert models.for_steps() is None
    assert models.state() == NOT_CHOSEN
    models.unload()
    with pytest.raises(KnownError, match="Choose one first"):
        models.test()


def test_a_file_is_chosen_and_kept(
    models: LanguageModels, settings: Settings, data_dir: Path, tmp_path: Path
) -> None:
    real_gguf()
    path = write_gguf(tmp_path / "small.gguf")
    models.choose_file(path)
    model = models.current()
    assert isinstance(model, GgufModel)
    assert (model.name, model.context_tokens) == ("small", 2048)
    assert models.for_steps() is model
    assert models.current() is model
    assert Settings(data_dir).get(MODEL_FILE) == str(path)
    settings.set(MODEL_CONTEXT, 1024)
    changed = models.current()
    assert changed is not None
    assert changed is not model
    assert changed.context_tokens == 1024
    models.choose_none()
    assert models.current() is None


def test_what_is_no_model_is_not_chosen(
    models: LanguageModels, settings: Settings, tmp_path: Path
) -> None:
    other = tmp_path / "other.gguf"
    other.write_text("nothing")
    with pytest.raises(KnownError, match=r"other\.gguf"):
        models.choose_file(other)
    assert settings.get(MODEL_KIND) == NO_MODEL


def test_another_model_for_the_steps(
    models: LanguageModels, settings: Settings, tmp_path: Path
) -> None:
    settings.set(MODEL_SERVER, "http://127.0.0.1:1")
    settings.set(MODEL_KIND, MODEL_ON_SERVER)
    settings.set(STEPS_MODEL_NAME, "tiny")
    assert models.for_steps() is models.current()
    settings.set(STEPS_MODEL_KIND, MODEL_ON_SERVER)
    steps = models.for_steps()
    assert isinstance(steps, ServerModel)
    assert steps.name == "tiny"
    settings.set(STEPS_MODEL_FILE, str(write_gguf(tmp_path / "small.gguf")))
    settings.set(STEPS_MODEL_KIND, MODEL_IN_FILE)
    assert isinstance(models.for_steps(), GgufModel)
    settings.set(STEPS_MODEL_KIND, NO_MODEL)
    assert models.for_steps() is None
    assert models.current() is not None


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_servers_model_is_chosen_and_tried(models: LanguageModels) -> None:
    answers = {
        "/v1/models": says('{"data": [{"id": "small"}]}'),
        "/v1/chat/completions": streams(
            chunk(content="Books"),
            chunk(content=" here."),
            {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 5}},
        ),
    }
    with serving(answers) as server:
        with pytest.raises(KnownError, match="has no model “large”"):
            models.choose_server(server.address, "large")
        models.choose_server(server.address)
        assert models.state().phase is ModelPhase.NOT_LOADED
        tried = models.test()
        assert (tried.name, tried.text, tried.load_seconds) == ("small", "Books here.", None)
        assert tried.memory_bytes is None
        assert models.state().phase is ModelPhase.READY
        server.answers["/v1/chat/completions"] = says(json.dumps({"error": "no room"}), 500)
        with pytest.raises(KnownError, match="no room"):
            models.test()
        assert models.state().phase is ModelPhase.FAILED
        server.answers["/v1/chat/completions"] = streams({"choices": []})
        with pytest.raises(KnownError, match="wrote nothing"):
            models.test()


def test_an_address_elsewhere_is_not_chosen(models: LanguageModels, settings: Settings) -> None:
    with pytest.raises(KnownError, match="is no address"):
        models.choose_server("https://127.0.0.1")
    assert settings.get(MODEL_KIND) == NO_MODEL


def test_a_real_file_is_tried(models: LanguageModels) -> None:
    models.choose_file(real_gguf())
    heard: list[str] = []
    tried = models.test(heard.append)
    assert "".join(heard).rstrip() == tried.text
    assert (tried.load_seconds or 0) > 0
    assert (tried.tokens_per_second or 0) > 0
    assert (tried.memory_bytes or 0) > 100 << 20
    models.unload()
    assert models.state().phase is ModelPhase.NOT_LOADED


def test_nothing_is_made_after_the_end(models: LanguageModels, settings: Settings) -> None:
    settings.set(MODEL_KIND, MODEL_ON_SERVER)
    models.close()
    assert models.current() is None


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("127.0.0.1:1234", True),
        ("http://x/y.gguf", True),
        ("localhost:80", True),
        ("model.gguf", False),
        ("/models/a:7.gguf", False),
        ("C:\\models\\a.gguf", False),
    ],
)
def test_addresses_are_told_from_files(target: str, expected: bool) -> None:
    assert is_address(target) is expected
