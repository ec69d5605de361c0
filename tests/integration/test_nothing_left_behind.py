"""What was removed is in no file of the data folder: not its words, name or vector."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_services
from desktop_rag.services.library import Library
from desktop_rag.services.services import Services
from desktop_rag.store.codec import pack_vector

_SECONDS = 60.0

PHRASE = "The zanzibarian marmalade kettle costs 48291 quokkas."
CHINESE = "翡翠蜥蜴合同违约金为九百枚银币。"
WORDS = (
    "zanzibarian",
    "zanzibar",
    "marmalad",
    "kettle",
    "quokka",
    "48291",
    "翡翠",
    "蜥蜴",
    "xylograph",
)


def traces(data_dir: Path, needles: list[bytes]) -> list[tuple[str, bytes]]:
    """Every place where something removed is still found."""
    return [
        (str(path.relative_to(data_dir)), needle[:20])
        for path in sorted(data_dir.rglob("*"))
        if path.is_file()
        for content in (path.read_bytes(),)
        for needle in needles
        if needle in content
    ]


def needles() -> list[bytes]:
    texts = [PHRASE, CHINESE, *WORDS]
    return [text.encode(code) for text in texts for code in ("utf-8", "utf-16-le")]


def vectors(services: Services) -> list[bytes]:
    """The vectors of all texts, as they are stored."""
    with services.store._snapshot() as connection:
        ids = [row[0] for row in connection.execute("SELECT id FROM texts ORDER BY id")]
    return [pack_vector(services.store.vector_of([text_id])[0]) for text_id in ids]


def make_files(docs: Path) -> None:
    docs.mkdir()
    for number in range(8):
        (docs / f"kept {number}.txt").write_text(f"Ordinary sentence number {number}.\n", "utf-8")
    secrets = docs / "xylograph"
    secrets.mkdir()
    (secrets / "xylograph notes.txt").write_text(f"{PHRASE}\n" * 3, "utf-8")
    (secrets / "合同.md").write_text(f"# {CHINESE}\n\n{CHINESE}\n", "utf-8")
    with zipfile.ZipFile(secrets / "box.zip", "w") as archive:
        archive.writestr("xylograph inside.txt", PHRASE)


def by_deletion(library: Library, docs: Path) -> None:
    shutil.rmtree(docs / "xylograph")
    library.index()


def by_a_rule(library: Library, docs: Path) -> None:
    library.remove([docs / "xylograph"])


def by_new_contents(library: Library, docs: Path) -> None:
    for path in (docs / "xylograph").iterdir():
        path.unlink()
    (docs / "xylograph").rename(docs / "harmless")
    (docs / "harmless" / "notes.txt").write_text("Nothing of interest.", "utf-8")
    library.index()


def with_the_source(library: Library, docs: Path) -> None:
    library.remove([docs])


@pytest.mark.parametrize("way", [by_deletion, by_a_rule, by_new_contents, with_the_source])
def test_a_removed_file_leaves_no_byte(
    tmp_path: Path, data_dir: Path, way: Callable[[Library, Path], None]
) -> None:
    docs = tmp_path / "docs"
    make_files(docs)
    services = open_services(data_dir)
    try:
        services.library.index([docs])
        before = vectors(services)
        sought = needles()
        assert {needle for _, needle in traces(data_dir, sought)} >= {PHRASE.encode()[:20]}
        way(services.library, docs)
        assert services.library.wait_settled(_SECONDS)
        after = vectors(services)
        sought += [vector for vector in before if vector not in after]
        assert len(before) > len(after)
        # The rule itself names the folder; nothing of the files may be there.
        named = [b"xylograph", "xylograph".encode("utf-16-le")] if way is by_a_rule else []
        sought = [needle for needle in sought if needle not in named]
        assert traces(data_dir, sought) == []
    finally:
        services.close()
    assert traces(data_dir, sought) == []
