from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.domain.files import FileRecord, FileStat, FileStatus, Source
from desktop_rag.ingestion.changes import Plan, SourceScan, plan_changes
from desktop_rag.ingestion.listing import Listing

SOURCE = Source(1, "/s", True)
OTHER = Source(2, "/o", True)
_ids = itertools.count(1)


def stat(size: int = 1, mtime: int = 1, ctime: int = 1, inode: int = 1) -> FileStat:
    return FileStat(size, mtime, ctime, inode)


def record(
    relpath: str,
    of: FileStat,
    status: FileStatus = FileStatus.READY,
    source: Source = SOURCE,
    content: str = "h",
    document: int | None = 1,
) -> FileRecord:
    path = f"{source.path}/{relpath}"
    return FileRecord(
        next(_ids), source.id, relpath, path, status, of, content, document_id=document
    )


def plan(
    files: dict[str, FileStat],
    records: list[FileRecord],
    hashes: dict[str, str] | None = None,
    **listing: object,
) -> Plan:
    scan = SourceScan(SOURCE, Listing(files=files, **listing), records)  # type: ignore[arg-type]
    return plan_changes([scan], (hashes or {}).get)


def names(plan_: Plan) -> dict[str, list[str]]:
    return {
        "added": [s.relpath for s in plan_.added],
        "changed": [s.relpath for _, s in plan_.changed],
        "moved": [f"{r.relpath}>{s.relpath}" for r, s in plan_.moved],
        "removed": [r.relpath for r in plan_.removed],
        "unchanged": [r.relpath for r in plan_.unchanged],
    }


def test_added_changed_removed_unchanged() -> None:
    found = plan(
        {"new": stat(inode=9), "same": stat(inode=2), "edited": stat(size=5, inode=3)},
        [
            record("same", stat(inode=2)),
            record("edited", stat(inode=3)),
            record("gone", stat(inode=4), content="other"),
        ],
    )
    assert names(found) == {
        "added": ["new"],
        "changed": ["edited"],
        "moved": [],
        "removed": ["gone"],
        "unchanged": ["same"],
    }


def test_each_part_of_the_stat_counts() -> None:
    known = stat()
    for now in (stat(size=2), stat(mtime=2), stat(ctime=2), stat(inode=2)):
        assert names(plan({"a": now}, [record("a", known)]))["changed"] == ["a"]


def test_a_rename_is_a_move_and_needs_no_hash() -> None:
    def refuse(path: str) -> str | None:
        raise AssertionError(f"{path} was read")

    scan = SourceScan(
        SOURCE, Listing(files={"b": stat(inode=7, ctime=9)}), [record("a", stat(inode=7))]
    )
    assert names(plan_changes([scan], refuse))["moved"] == ["a>b"]


def test_a_move_to_another_disk_is_known_by_its_content() -> None:
    found = plan(
        {"d/b": stat(size=10, inode=70), "d/c": stat(size=10, inode=71)},
        [record("a", stat(size=10, inode=7), content="h1")],
        {"/s/d/c": "h1", "/s/d/b": "h2"},
    )
    assert names(found)["moved"] == ["a>d/c"]
    assert names(found)["added"] == ["d/b"]


def test_a_move_from_one_source_to_another() -> None:
    gone = record("a", stat(inode=7))
    found = plan_changes(
        [
            SourceScan(SOURCE, Listing(), [gone]),
            SourceScan(OTHER, Listing(files={"b": stat(inode=7)}), []),
        ],
        lambda _: None,
    )
    assert [(r.id, s.source.id, s.path) for r, s in found.moved] == [(gone.id, 2, "/o/b")]
    assert not found.removed
    assert not found.added


def test_a_replaced_file_is_an_update_of_the_same_one() -> None:
    found = plan({"a": stat(inode=8, size=3)}, [record("a", stat(inode=7))])
    assert names(found)["changed"] == ["a"]


def test_a_chain_of_names_moves_every_file() -> None:
    found = plan(
        {"log": stat(inode=3, mtime=3), "log.1": stat(inode=2), "log.2": stat(inode=1)},
        [record("log", stat(inode=2)), record("log.1", stat(inode=1))],
    )
    assert names(found) == {
        "added": ["log"],
        "changed": [],
        "moved": ["log>log.1", "log.1>log.2"],
        "removed": [],
        "unchanged": [],
    }


def test_files_that_swap_their_names() -> None:
    found = plan(
        {"a": stat(inode=2), "b": stat(inode=1)},
        [record("a", stat(inode=1)), record("b", stat(inode=2))],
    )
    assert sorted(names(found)["moved"]) == ["a>b", "b>a"]
    assert not found.changed


def test_a_file_renamed_over_another_removes_that_one() -> None:
    found = plan(
        {"b": stat(inode=1)},
        [record("a", stat(inode=1)), record("b", stat(inode=2), content="x")],
    )
    assert names(found)["moved"] == ["a>b"]
    assert names(found)["removed"] == ["b"]


def test_what_is_in_a_closed_folder_is_hidden_and_not_removed() -> None:
    found = plan({}, [record("d/a", stat())], unreadable=["d"])
    assert [r.relpath for r in found.hidden] == ["d/a"]
    assert not found.removed


def test_unfinished_files_are_taken_up_and_failed_ones_left() -> None:
    found = plan(
        {
            "w": stat(),
            "r": stat(inode=2),
            "f": stat(inode=3),
            "u": stat(inode=4),
            "n": stat(inode=5),
            "i": stat(inode=6),
        },
        [
            record("w", stat(), FileStatus.WAITING),
            record("r", stat(inode=2), FileStatus.READING),
            record("f", stat(inode=3), FileStatus.FAILED, document=None),
            record("u", stat(inode=4), FileStatus.UNAVAILABLE),
            record("n", stat(inode=5), FileStatus.UNAVAILABLE, document=None),
            record("i", stat(inode=6), FileStatus.IGNORED, document=None),
        ],
    )
    assert names(found)["changed"] == ["w", "r", "n", "i"]
    assert names(found)["unchanged"] == ["f"]
    assert [r.relpath for r in found.returned] == ["u"]


def test_newly_ignored_and_still_ignored() -> None:
    found = plan(
        {},
        [record("a", stat()), record("b", stat(), FileStatus.IGNORED)],
        ignored={"a": stat(), "b": stat(), "c": stat()},
    )
    assert [(r.relpath if r else None, s.relpath) for r, s in found.ignored] == [
        ("a", "a"),
        (None, "c"),
    ]
    assert [r.relpath for r in found.still_ignored] == ["b"]
    assert not found.removed


_stats = st.builds(FileStat, st.integers(1, 3), st.integers(1, 2), st.just(1), st.integers(1, 5))
_paths = st.sampled_from(["a", "b", "c", "d/e", "d/f"])


@given(st.dictionaries(_paths, _stats), st.dictionaries(_paths, _stats))
def test_every_file_and_every_record_is_in_exactly_one_list(
    disk: dict[str, FileStat], known: dict[str, FileStat]
) -> None:
    records = [record(path, of, content=str(of.size)) for path, of in known.items()]
    found = plan(disk, records, {f"/s/{path}": str(of.size) for path, of in disk.items()})
    seen = [s.relpath for s in found.added]
    seen += [s.relpath for _, s in found.changed] + [s.relpath for _, s in found.moved]
    seen += [r.relpath for r in found.unchanged]
    assert sorted(seen) == sorted(disk)
    told = [r.id for r, _ in found.changed] + [r.id for r, _ in found.moved]
    told += [r.id for r in found.removed] + [r.id for r in found.unchanged]
    assert sorted(told) == sorted(r.id for r in records)
