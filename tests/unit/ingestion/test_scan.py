from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_rag.domain.files import FileStat, Source
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled
from desktop_rag.ingestion.listing import file_stat, regular_stat
from desktop_rag.ingestion.scan import SourceScanner


def scanner(folder: Path, rules: tuple[str, ...] = (), data: Path | None = None) -> SourceScanner:
    source = Source(1, str(folder), folder.is_dir(), ignore_rules=rules)
    return SourceScanner(source, () if data is None else (data,))


def write(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_lists_files_of_all_depths_with_their_stat(tmp_path: Path) -> None:
    path = write(tmp_path / "a" / "b" / "c.txt", "four")
    write(tmp_path / "top.txt")
    listing = scanner(tmp_path).scan()
    assert sorted(listing.files) == ["a/b/c.txt", "top.txt"]
    status = path.stat()
    assert listing.files["a/b/c.txt"] == FileStat(
        4, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
    )


def test_links_loops_and_pipes_give_each_real_file_once(tmp_path: Path) -> None:
    source = tmp_path / "source"
    write(source / "real.txt")
    write(tmp_path / "outside.txt")
    (source / "loop").symlink_to(".")
    (source / "up").symlink_to("..")
    (source / "again.txt").symlink_to("real.txt")
    (source / "dangling").symlink_to("nowhere")
    os.mkfifo(source / "pipe.txt")
    assert list(scanner(source).scan().files) == ["real.txt"]
    assert regular_stat(str(source / "pipe.txt")) is None
    assert regular_stat(str(source / "again.txt")) is None


def test_a_source_may_be_reached_through_a_link(tmp_path: Path) -> None:
    write(tmp_path / "real" / "a.txt")
    (tmp_path / "link").symlink_to("real")
    found = scanner(tmp_path / "link")
    assert found.available()
    assert list(found.scan().files) == ["a.txt"]


def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    (tmp_path / name).write_text("x")
    assert list(scanner(tmp_path).scan().files) == [name]
    assert list(scanner(tmp_path).scan(name).files) == [name]


def test_default_rules(tmp_path: Path) -> None:
    for name in (
        ".git/config",
        "node_modules/a/readme.md",
        "~$r.docx",
        "cache/CACHEDIR.TAG",
        "cache/a.txt",
        "app/package.json",
        "app/dist/a.txt",
        "build/plan.txt",
    ):
        write(tmp_path / name)
    assert sorted(scanner(tmp_path).scan().files) == ["app/package.json", "build/plan.txt"]
    assert scanner(tmp_path).scan(".git/config").files == {}
    assert scanner(tmp_path).scan("cache").files == {}
    assert scanner(tmp_path).scan("app/dist/a.txt").files == {}
    assert list(scanner(tmp_path).scan("build/plan.txt").files) == ["build/plan.txt"]
    assert not scanner(tmp_path).lists("app/dist/a.txt", is_folder=False)
    assert scanner(tmp_path).lists("build/plan.txt", is_folder=False)


def test_a_hidden_folder_is_read_when_it_is_the_source_itself(tmp_path: Path) -> None:
    write(tmp_path / ".notes" / "CACHEDIR.TAG")
    write(tmp_path / ".notes" / "a.txt")
    assert sorted(scanner(tmp_path / ".notes").scan().files) == ["CACHEDIR.TAG", "a.txt"]


def test_rules_of_the_user_list_files_as_ignored(tmp_path: Path) -> None:
    for name in ("a.log", "b.txt", "drafts/c.txt", "drafts/deep/d.txt"):
        write(tmp_path / name)
    listing = scanner(tmp_path, ("*.log", "/drafts/")).scan()
    assert list(listing.files) == ["b.txt"]
    assert sorted(listing.ignored) == ["a.log", "drafts/c.txt", "drafts/deep/d.txt"]
    part = scanner(tmp_path, ("/drafts/",)).scan("drafts/deep")
    assert list(part.ignored) == ["drafts/deep/d.txt"]
    one = scanner(tmp_path, ("/drafts/",)).scan("drafts/c.txt")
    assert list(one.ignored) == ["drafts/c.txt"]


def test_the_program_s_own_folder_is_never_entered(tmp_path: Path) -> None:
    data = tmp_path / "docs" / "library"
    write(data / "library.txt")
    write(tmp_path / "docs" / "a.txt")
    (tmp_path / "docs" / "sub").mkdir()
    found = scanner(tmp_path / "docs", data=data)
    assert list(found.scan().files) == ["a.txt"]
    assert found.scan("library/library.txt").files == {}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open every folder")
def test_a_folder_without_permission_is_unknown_and_not_gone(tmp_path: Path) -> None:
    write(tmp_path / "locked" / "a.txt")
    (tmp_path / "locked").chmod(0)
    try:
        listing = scanner(tmp_path).scan()
    finally:
        (tmp_path / "locked").chmod(0o700)
    assert not listing.covers("locked/a.txt")
    assert listing.covers("other.txt")


def test_what_is_unreadable_is_not_covered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "locked" / "a.txt")
    real = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("locked"):
            raise PermissionError(13, "no", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    listing = scanner(tmp_path).scan()
    assert listing.unreadable == ["locked"]
    assert not listing.covers("locked/a.txt")
    assert listing.covers("lockedx.txt")


def test_single_files_and_roots_that_are_gone(tmp_path: Path) -> None:
    path = write(tmp_path / ".single.txt")
    single = SourceScanner(Source(1, str(path), False))
    assert list(single.scan().files) == [""]
    assert single.lists("", False)
    path.unlink()
    assert single.available()
    assert single.scan().files == {}
    assert not SourceScanner(Source(1, str(tmp_path / "gone" / "a.txt"), False)).available()
    assert not SourceScanner(Source(1, str(tmp_path / "gone"), True)).available()
    write(tmp_path / "folder_now_file")
    assert not SourceScanner(Source(1, str(tmp_path / "folder_now_file"), True)).available()


def test_large_inodes_fit_into_the_database(tmp_path: Path) -> None:
    real = write(tmp_path / "a").stat()
    values = list(real)
    values[1] = (1 << 64) - 2
    assert file_stat(os.stat_result(values)).inode == -2


def test_a_scan_can_be_cancelled(tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        scanner(tmp_path).scan(cancel=token)
