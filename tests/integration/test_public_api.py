"""The programming interface, as the README shows it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import desktop_rag
from desktop_rag.foundation.errors import KnownError

TEXT = "The warranty of pump P-100 lasts twenty-four months. Worn seals are not covered by it."


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "pumps.txt").write_text(TEXT, encoding="utf-8")
    return folder


def test_three_lines_are_enough(tmp_path, papers):
    library = desktop_rag.open_library(tmp_path / "library")
    report = library.add(papers)
    answer = library.ask("How long is the warranty of pump P-100?")

    assert report.added == 1
    assert "twenty-four months" in answer.text
    assert answer.answerable
    citation = answer.citations[0]
    assert TEXT[citation.start : citation.end] == citation.quote
    library.close()
    library.close()


def test_a_library_is_kept_and_kept_up_to_date(tmp_path, papers):
    with desktop_rag.open_library(tmp_path / "library") as library:
        library.add(papers)

    with desktop_rag.open_library(tmp_path / "library") as library:
        found = library.search("warranty of pump P-100", k=1)
        assert [result.path for result in found.results] == [str(papers / "pumps.txt")]

        (papers / "valves.txt").write_text("The valve V-7 opens at nine bar.")
        (papers / "pumps.txt").unlink()
        report = library.refresh()
        assert (report.added, report.removed) == (1, 1)
        assert "nine bar" in library.search("when does valve V-7 open?").results[0].text

        assert [removal.kind for removal in library.remove(papers)] == ["source"]
        assert library.search("valve V-7", mode="keyword").results == ()


def test_wrong_arguments_are_refused_at_once(tmp_path):
    with desktop_rag.open_library(tmp_path / "library") as library:
        with pytest.raises(ValueError, match="path"):
            library.add()
        with pytest.raises(KnownError) as caught:
            library.add(tmp_path / "missing")
        assert caught.value.path == str(tmp_path / "missing")
        with pytest.raises(ValueError, match="blank"):
            library.ask("  ")
        with pytest.raises(ValueError, match="greater than 0"):
            library.search("pump", k=0)
        with pytest.raises(ValueError, match="mode"):
            library.search("pump", mode="magic")

    with pytest.raises(ValueError, match="closed"):
        library.ask("pump?")


def test_a_library_has_one_owner(tmp_path):
    with (
        desktop_rag.open_library(tmp_path / "library"),
        pytest.raises(KnownError, match="in use"),
    ):
        desktop_rag.open_library(tmp_path / "library")
    desktop_rag.open_library(tmp_path / "library").close()


COSTLY = ("numpy", "onnxruntime", "tantivy", "hnswlib", "PySide6", "pymupdf", "tokenizers")


@pytest.mark.parametrize(
    ("statement", "allowed"),
    [
        ("import desktop_rag", ()),
        ("import desktop_rag.__main__", ()),
        ("import desktop_rag.bootstrap", ("numpy", "tantivy", "hnswlib", "tokenizers")),
    ],
)
def test_costly_libraries_wait_for_their_first_use(statement, allowed):
    script = f"{statement}; import sys; print(*(set({COSTLY!r}) & set(sys.modules)))"

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)

    assert set(done.stdout.decode().split()) <= set(allowed)


def test_opening_a_library_loads_no_model(tmp_path):
    script = (
        "import sys, desktop_rag\n"
        f"with desktop_rag.open_library({str(tmp_path / 'library')!r}):\n"
        "    print('onnxruntime' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)

    assert done.stdout.decode().split() == ["False"]
