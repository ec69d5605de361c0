"""Settings: declared as data, kept in a file, forgiving about what is in it."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.foundation import settings as module
from desktop_rag.foundation.settings import (
    LANGUAGE,
    MAX_FILE_MB,
    READ_SECONDS_LIMIT,
    SETTINGS,
    SETTINGS_FILE,
    Setting,
    Settings,
)


def stored(data_dir: Path) -> Any:
    return json.loads((data_dir / SETTINGS_FILE).read_text("utf-8"))


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_every_setting_has_words_and_an_allowed_default(setting: Setting[Any]) -> None:
    assert setting.check(setting.default) == setting.default
    for language in ("en", "zh"):
        assert setting.label(language)
        assert setting.help(language)
        assert all(choice.label(language) for choice in setting.choices)
    assert setting.help("zh") != setting.help("en")


def test_keys_are_unique() -> None:
    assert len({setting.key for setting in SETTINGS}) == len(SETTINGS)


def test_defaults_count_without_a_file_and_none_is_written(data_dir: Path) -> None:
    settings = Settings(data_dir)
    assert all(settings.get(setting) == setting.default for setting in SETTINGS)
    assert list(data_dir.iterdir()) == []


def test_a_change_is_there_after_a_restart(data_dir: Path) -> None:
    Settings(data_dir).set(LANGUAGE, "zh")
    assert Settings(data_dir).get(LANGUAGE) == "zh"
    assert stored(data_dir) == {"language": "zh"}


def test_the_data_folder_is_made_when_needed(tmp_path: Path) -> None:
    Settings(tmp_path / "new" / "data").set(MAX_FILE_MB, 50)
    assert Settings(tmp_path / "new" / "data").get(MAX_FILE_MB) == 50


def test_keys_of_another_version_are_kept(data_dir: Path) -> None:
    (data_dir / SETTINGS_FILE).write_text('{"of a newer version": [1, 2]}', "utf-8")
    Settings(data_dir).set(LANGUAGE, "en")
    assert stored(data_dir) == {"of a newer version": [1, 2], "language": "en"}


@pytest.mark.parametrize("value", ["français", 3, None, ["en"], {"a": 1}])
def test_a_wrong_value_counts_as_its_default_and_is_logged(
    data_dir: Path, value: Any, caplog: pytest.LogCaptureFixture
) -> None:
    (data_dir / SETTINGS_FILE).write_text(json.dumps({"language": value}), "utf-8")
    with caplog.at_level(logging.WARNING):
        assert Settings(data_dir).get(LANGUAGE) == LANGUAGE.default
    assert "language" in caplog.text


@pytest.mark.parametrize("value", [4, 3601, True, 60.0, "60"])
def test_numbers_have_a_type_and_a_range(data_dir: Path, value: Any) -> None:
    settings = Settings(data_dir)
    with pytest.raises(ValueError, match="read_seconds_limit"):
        settings.set(READ_SECONDS_LIMIT, value)
    assert settings.get(READ_SECONDS_LIMIT) == 120


def test_a_whole_number_will_do_for_a_fraction() -> None:
    setting = Setting("share", 0.5, "Share", "比例", "A share.", "比例。", minimum=0, maximum=1)
    value = setting.check(1)
    assert value == 1.0
    assert isinstance(value, float)
    for wrong in (float("nan"), float("inf"), 1.5):
        with pytest.raises(ValueError, match="share"):
            setting.check(wrong)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'"text"'])
def test_a_damaged_file_counts_as_none(
    data_dir: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (data_dir / SETTINGS_FILE).write_bytes(content)
    settings = Settings(data_dir)
    assert settings.get(LANGUAGE) == "system"
    assert SETTINGS_FILE in caplog.text
    settings.set(LANGUAGE, "zh")
    assert stored(data_dir) == {"language": "zh"}


def test_listeners_hear_of_real_changes_until_they_stop(data_dir: Path) -> None:
    settings = Settings(data_dir)
    heard: list[str] = []
    stop = settings.listen(lambda setting: heard.append(setting.key))
    settings.set(LANGUAGE, "zh")
    settings.set(LANGUAGE, "zh")
    stop()
    stop()
    settings.set(LANGUAGE, "en")
    assert heard == ["language"]


def test_a_setting_that_cannot_be_saved_stays_as_it_was(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir)

    def fail(target: Path, data: bytes) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(module, "write_atomically", fail)
    with pytest.raises(OSError, match="disk full"):
        settings.set(LANGUAGE, "zh")
    assert settings.get(LANGUAGE) == "system"
