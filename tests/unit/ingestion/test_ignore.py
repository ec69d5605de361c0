from __future__ import annotations

import pytest

from desktop_rag.ingestion.ignore import (
    IgnoreRules,
    ignored_file,
    ignored_folder,
    is_cache,
    rule_for,
    rules_readmitting,
)
from desktop_rag.ingestion.sources import rules_below


@pytest.mark.parametrize(
    "name",
    [
        "~$r.docx",
        ".~lock.r.odt#",
        "~WRL0001.tmp",
        "r.pdf.crdownload",
        "._r.pdf",
        "r.pdf.part",
        "r.pdf.PARTIAL",
        "doc.md~",
        "#notes.txt#",
        ".hidden",
        ".a.tmp",
        "a.tmp",
        "report.docx.sb-1a2b3c4d-xYz123",
        "notes.txt.bak",
        ".notes.txt.swp",
        "Thumbs.db",
        "desktop.ini",
    ],
)
def test_temporary_lock_and_hidden_names_are_left_out(name: str) -> None:
    assert ignored_file(name)


@pytest.mark.parametrize(
    "name",
    [
        "r.pdf",
        "r.docx",
        "part one.txt",
        "template.txt",
        "~notes.txt",
        "合同.pdf",
        "tmp",
        "a.b.c",
        "no extension",
        "C#.md",
        "part",
        "\udcff.txt",
    ],
)
def test_documents_are_not_left_out(name: str) -> None:
    assert not ignored_file(name)


def test_folders_of_programs_are_left_out() -> None:
    assert all(map(ignored_folder, [".git", "CVS", "node_modules", "__pycache__", ".cache"]))
    assert ignored_folder("build", {"pyproject.toml", "build"})
    assert not ignored_folder("build", {"plans.pdf", "build"})
    assert not ignored_folder("Target", {"offers"})
    assert is_cache({"CACHEDIR.TAG", "x"})


def test_rules_follow_gitignore() -> None:
    rules = IgnoreRules(["*.log", "!keep.log", "/drafts/", "a/**/z.txt"])
    assert rules.ignores("x/y.log")
    assert not rules.ignores("keep.log")
    assert rules.ignores("drafts", is_folder=True)
    assert rules.ignores("drafts/a.txt")
    assert not rules.ignores("b/drafts/a.txt")
    assert rules.ignores("a/b/c/z.txt")
    assert not IgnoreRules()
    assert not IgnoreRules().ignores("x.log")


@pytest.mark.parametrize(
    "relpath",
    ["a.txt", "b/[1] *draft?.txt", "!x", "#x", "a\\b.txt", "tail ", "new\nline.txt", "ü/合同.txt"],
)
def test_a_path_s_rule_leaves_out_that_path_alone(relpath: str) -> None:
    rules = IgnoreRules([rule_for(relpath, is_folder=False)])
    assert rules.ignores(relpath)
    assert not rules.ignores(f"x/{relpath}")
    assert not rules.ignores("other.txt")


def test_a_folder_s_rule_leaves_out_what_is_in_it() -> None:
    rules = IgnoreRules([rule_for("a/b", is_folder=True)])
    assert rules.ignores("a/b/c/d.txt")
    assert rules.ignores("a/b", is_folder=True)
    assert not rules.ignores("a/bc.txt")
    assert not rules.ignores("c/a/b/d.txt")


def test_a_path_is_readmitted() -> None:
    own = rule_for("a/b.txt", is_folder=False)
    assert rules_readmitting(["*.log", own], "a/b.txt", False) == ("*.log",)
    lines = rules_readmitting(["*.log"], "a/b.log", False)
    rules = IgnoreRules(lines)
    assert not rules.ignores("a/b.log")
    assert rules.ignores("a/c.log")


def test_rules_keep_their_meaning_from_a_folder_above() -> None:
    inner = ["*.log", "!keep.log", "/drafts/", "a/b.txt", "# a comment", ""]
    moved = IgnoreRules(rules_below(inner, "docs/[x]"))
    plain = IgnoreRules(inner)
    for path in ("x.log", "d/x.log", "keep.log", "drafts/a.txt", "c/drafts/a.txt", "a/b.txt"):
        assert moved.ignores(f"docs/[x]/{path}") == plain.ignores(path), path
        assert not moved.ignores(path)
