"""All that is left out can be listed, with the rule that does so."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

import pytest

from desktop_rag.domain.files import FileStatus
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.rules import change_rules, list_left_out
from desktop_rag.services.services import Services
from tests.helpers.library_parts import Workshop, write


def services_of(shop: Workshop) -> Services:
    nothing = cast("object", None)
    return Services(shop.library, nothing, shop.store, nothing, shop.data_dir, shop.close, nothing)


def listed(shop: Workshop, docs: Path) -> dict[str, tuple[str, bool]]:
    return {
        os.path.relpath(each.path, docs): (each.rule, each.own_rule)
        for each in list_left_out(services_of(shop), CancelToken())
    }


def change(shop: Workshop, docs: Path, *, add: list[str] = (), drop: list[str] = ()) -> list[str]:
    changed = change_rules(services_of(shop), str(docs), add, drop, lambda _: None, CancelToken())
    return list(changed)


@pytest.mark.skipif(os.name == "nt", reason="links and pipes are others there")
def test_everything_left_out_has_its_reason(shop: Workshop, docs: Path) -> None:
    for name in (".secret", "~$letter.docx", "film.mkv.part", "Thumbs.db", "note.log", "keep.log"):
        write(docs / name, "words")
    for name in (".git", ".cache", "node_modules", "project/build", "tmp", "__MACOSX"):
        write(docs / name / "inside.txt", "words")
    write(docs / "project" / "pyproject.toml", "[project]")
    write(docs / "tmp" / "CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55")
    write(docs / "drafts" / "one.txt", "words")
    (docs / "link").symlink_to(docs / "a.txt")
    os.mkfifo(docs / "pipe")
    shop.library.index([docs])
    rules = change(shop, docs, add=["# drafts and logs", "", "*.log", "!keep.log", "/drafts/"])
    assert rules == ["# drafts and logs", "*.log", "!keep.log", "/drafts/"]
    assert listed(shop, docs) == {
        ".secret": ("hidden", False),
        "~$letter.docx": ("temporary file, lock or backup", False),
        "film.mkv.part": ("unfinished download", False),
        "Thumbs.db": ("belongs to the system", False),
        ".git": ("version control", False),
        ".cache": ("hidden", False),
        "node_modules": ("parts of a program", False),
        "__MACOSX": ("belongs to the system", False),
        "project/build": ("made by a program's build", False),
        "tmp": ("marked as a cache", False),
        "link": ("link to somewhere else", False),
        "pipe": ("neither file nor folder", False),
        "note.log": ("*.log", True),
        "drafts/one.txt": ("/drafts/", True),
    }


def test_the_library_inside_a_source_is_never_read(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write(docs / "a.txt", "alpha")
    shop = Workshop(docs / "my library")
    shop.library.index([docs])
    assert shop.paths() == {"a.txt": "ready"}
    assert listed(shop, docs) == {"my library": ("the library itself", False)}
    with pytest.raises(KnownError, match="holds the library itself"):
        shop.library.add([docs / "my library"])
    shop.close()


def test_rules_take_effect_at_once_and_can_be_dropped(shop: Workshop, docs: Path) -> None:
    write(docs / "b.log", "a log of words")
    shop.library.index([docs])
    change(shop, docs, add=["*.log"])
    assert shop.paths()["b.log"] == "ignored"
    assert shop.found("log") == []
    assert change(shop, docs, add=["*.log"]) == ["*.log"]
    change(shop, docs, drop=["*.log"])
    assert shop.paths()["b.log"] == "ready"
    assert shop.found("log") == ["b.log"]
    assert listed(shop, docs) == {}


def test_a_file_inside_another_is_listed_with_its_rule(shop: Workshop, docs: Path) -> None:
    write(docs / "mail.box", "BOX\nin.txt: words inside\nout.txt: words left out")
    shop.library.index([docs])
    shop.library.remove([docs / "mail.box" / "out.txt"])
    assert shop.library.wait_settled(30)
    assert shop.paths()["out.txt"] == FileStatus.IGNORED
    assert listed(shop, docs) == {"mail.box/out.txt": ("/mail.box/out.txt", True)}


def test_what_is_no_rule_or_no_source_changes_nothing(shop: Workshop, docs: Path) -> None:
    shop.library.index([docs])
    with pytest.raises(KnownError) as caught:
        change(shop, docs, add=["!"])
    assert caught.value.title == "Not a rule"
    assert shop.library.sources()[0].ignore_rules == ()
    with pytest.raises(KnownError) as caught:
        change(shop, docs / "a.txt", add=["*.log"])
    assert caught.value.title == "Not in the library"
