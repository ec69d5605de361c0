"""Old Word and PowerPoint files: what LibreOffice does for us, and how it is held."""

from __future__ import annotations

import http.server
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers import libreoffice
from desktop_rag.ingestion.parsers.registry import parse_bytes, parse_file
from desktop_rag.ingestion.reading import WorkerReader
from tests.helpers.compound_file import compound_file
from tests.helpers.office_files import docx, odf, paragraph

OFFICE = libreoffice.find_libreoffice()
needs_office = pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")
needs_impress = pytest.mark.skipif(
    OFFICE is None or not list(Path(OFFICE).resolve().parent.glob("*sdlo.*")),
    reason="LibreOffice Impress is not installed",
)
needs_shell = pytest.mark.skipif(os.name == "nt", reason="the program is a shell script")

_MANIFEST = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
_CELL = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
_LINK = 'xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple"'


def problem(content: bytes, name: str) -> KnownError:
    with pytest.raises(KnownError) as caught:
        parse_bytes(content, name)
    return caught.value


def program(tmp_path: Path, script: str) -> str:
    path = tmp_path / "soffice"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def old_file(folder: Path, kind: str, body: str, suffix: str) -> Path:
    """Return an old file that LibreOffice has made of an OpenDocument one."""
    assert OFFICE is not None
    media = f"application/vnd.oasis.opendocument.{kind}"
    entries = "".join(
        f'<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{type_}"/>'
        for path, type_ in (("/", media), ("content.xml", "text/xml"), ("meta.xml", "text/xml"))
    )
    manifest = f'<manifest:manifest xmlns:manifest="{_MANIFEST}">{entries}</manifest:manifest>'
    given = folder / "made.odf"
    given.write_bytes(odf(kind, body, {"META-INF/manifest.xml": manifest}))
    profile = (folder / "profile").as_uri()
    command = [OFFICE, f"-env:UserInstallation={profile}", "--headless", "--convert-to", suffix]
    subprocess.run(
        [*command, "--outdir", str(folder), str(given)], check=True, capture_output=True, timeout=90
    )
    return given.with_suffix(f".{suffix}")


@needs_office
def test_a_word_document_of_1997_is_read(tmp_path: Path) -> None:
    cells = "".join(
        f"<table:table-row>{_CELL.format(one)}{_CELL.format(other)}</table:table-row>"
        for one, other in (("Clause", "Days"), ("Notice", "30"))
    )
    body = (
        '<text:h text:outline-level="1">The lease</text:h><text:p>Rent: 1,200 €. 三十天。</text:p>'
        f'<table:table table:name="T"><table:table-column/><table:table-column/>{cells}'
        "</table:table><text:p>The end.</text:p>"
    )

    parsed = parse_file(old_file(tmp_path, "text", body, "doc"))

    expected = "The lease\n\nRent: 1,200 €. 三十天。\n\nClause | Days\nNotice | 30\n\nThe end."
    assert (parsed.kind, parsed.document.text) == ("doc", expected)
    assert parsed.blocks[0].level == 1
    assert (parsed.title, parsed.document.metadata["author"]) == ("Annual report", "Ada")
    assert not list(Path(libreoffice.tempfile.gettempdir()).glob(f"*office-{os.getpid()}-*"))


@needs_impress
def test_a_presentation_of_1997_is_read(tmp_path: Path) -> None:
    body = "".join(
        '<draw:page><draw:frame svg:width="20cm" svg:height="4cm" svg:x="1cm" svg:y="1cm">'
        f"<draw:text-box><text:p>{words}</text:p></draw:text-box></draw:frame></draw:page>"
        for words in ("Rent is due monthly.", "Notice is one month.")
    )

    parsed = parse_file(old_file(tmp_path, "presentation", body, "ppt"))

    assert (parsed.kind, parsed.pages) == ("ppt", 2)
    assert parsed.document.text == "Rent is due monthly.\n\nNotice is one month."
    assert [block.page for block in parsed.blocks] == [1, 2]


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """The address of a server on this computer, and the paths that it was asked for."""
    paths: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_error(404)

        do_HEAD = do_OPTIONS = do_GET  # noqa: N815  - names of the protocol

        def log_message(self, *args: object) -> None:
            return

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", paths
    server.shutdown()
    thread.join()
    server.server_close()


@needs_office
@pytest.mark.enable_socket
def test_nothing_that_a_document_points_at_is_fetched(
    tmp_path: Path, asked: tuple[str, list[str]]
) -> None:
    address, paths = asked
    body = (
        '<text:p>Words <draw:frame svg:width="2cm" svg:height="2cm" text:anchor-type="as-char">'
        f'<draw:image {_LINK} xlink:href="{address}/picture.png"/></draw:frame> there.</text:p>'
        f'<text:section text:name="S"><text:section-source {_LINK} xlink:href="{address}/part.odt"'
        "/><text:p>A part.</text:p></text:section>"
    )
    path = old_file(tmp_path, "text", body, "doc")
    assert paths  # made with the usual settings, which do fetch it
    paths.clear()

    assert "there." in parse_file(path).document.text
    assert not paths


def office_processes(folder: Path) -> list[psutil.Process]:
    """Return the processes of LibreOffice that work in a folder."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if any(f"{folder}/desktop-rag" in word for word in process.info["cmdline"] or ()):
            found.append(process)
    return found


@needs_office
@needs_shell
def test_a_conversion_ends_with_the_reading_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = old_file(tmp_path, "text", "<text:p>Words.</text:p>", "doc")
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(libreoffice.tempfile, "tempdir", str(place))
    reader, errors = WorkerReader(), []

    def read() -> None:
        try:
            reader.read(path)
        except RuntimeError as error:
            errors.append(error)

    reading = threading.Thread(target=read)
    reading.start()
    while reading.is_alive() and not office_processes(place):
        time.sleep(0.01)
    reader.close()
    reading.join()

    psutil.wait_procs(office_processes(place), timeout=30)
    assert errors
    assert not office_processes(place)
    assert not list(place.glob("desktop-rag-office-*"))


def test_old_files_need_libreoffice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libreoffice, "find_libreoffice", lambda: None)

    for stream in ("WordDocument", "PowerPoint Document"):
        error = problem(compound_file({stream: b"x"}), "a.doc")
        assert error.title == "Needs LibreOffice"
        assert "a.doc" in error.message


@needs_shell
@pytest.mark.parametrize(
    ("parts", "title"),
    [
        ("libswlo.so", "Needs LibreOffice"),
        ("libswlo.so libsdlo.so", "Damaged"),
        ("", "Damaged"),
    ],
)
def test_a_part_of_libreoffice_may_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: str, title: str
) -> None:
    path = program(tmp_path, "exit 0")
    for part in parts.split():
        (tmp_path / part).touch()
    monkeypatch.setattr(libreoffice, "find_libreoffice", lambda: path)

    error = problem(compound_file({"PowerPoint Document": b"x"}), "a.ppt")

    assert error.title == title
    assert ("LibreOffice Impress" in error.message) == (title == "Needs LibreOffice")


_READER = """
import sys
from desktop_rag.ingestion.parsers import libreoffice
libreoffice.find_libreoffice = lambda: sys.argv[1]
libreoffice.converted(b"x", "a.doc", "doc", "docx")
"""


@needs_shell
def test_a_conversion_ends_when_the_reading_process_is_killed(tmp_path: Path) -> None:
    told = tmp_path / "told"
    path = program(tmp_path, f"echo $$ > {told}; exec sleep 100")
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", _READER, path], env=environment) as reader:
        while not told.exists() or not told.read_text().strip():
            time.sleep(0.01)
        office = psutil.Process(int(told.read_text()))
        reader.kill()

    psutil.wait_procs([office], timeout=30)
    assert not office.is_running()


@needs_shell
def test_libreoffice_makes_a_new_file_of_an_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "made.docx"
    made.write_bytes(docx(paragraph("Old words")))
    script = f'mkdir made; echo "$@" $http_proxy > {tmp_path}/said; cp {made} made/document.docx'
    path = program(tmp_path, script)
    monkeypatch.setattr(libreoffice, "find_libreoffice", lambda: path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    parsed = parse_bytes(compound_file({"WordDocument": b"x"}), "a.doc")

    assert (parsed.kind, parsed.document.text) == ("doc", "Old words")
    said = (tmp_path / "said").read_text()
    assert "--headless" in said
    assert "-env:UserInstallation=file://" in said
    assert "http://127.0.0.1:9" in said


@needs_shell
@pytest.mark.parametrize(
    ("script", "title"), [("sleep 60", "Took too long"), ("exit 1", "Damaged")]
)
def test_libreoffice_may_fail_or_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, title: str
) -> None:
    path = program(tmp_path, script)
    monkeypatch.setattr(libreoffice, "find_libreoffice", lambda: path)
    monkeypatch.setattr(libreoffice, "SECONDS", 0.5 if "sleep" in script else 30.0)

    assert problem(compound_file({"WordDocument": b"x"}), "a.doc").title == title


@needs_shell
def test_what_a_killed_conversion_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libreoffice.tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen(["true"])
    ended.wait()
    left = tmp_path / f"desktop-rag-office-{ended.pid}-abc"
    other = tmp_path / f"desktop-rag-office-{os.getpid()}-abc"
    for folder in (left, other):
        (folder / "profile").mkdir(parents=True)

    libreoffice.remove_leftovers()

    assert list(tmp_path.iterdir()) == [other]


@needs_office
@needs_shell
def test_the_socket_of_a_killed_libreoffice_is_removed(tmp_path: Path) -> None:
    assert OFFICE is not None
    profile = (tmp_path / "profile").as_uri()
    before = set(Path("/tmp").glob("OSL_PIPE_*"))
    with subprocess.Popen(
        [OFFICE, f"-env:UserInstallation={profile}", "--headless", "--norestore"],
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    ) as process:
        while process.poll() is None and not set(Path("/tmp").glob("OSL_PIPE_*")) - before:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)

    made = set(Path("/tmp").glob("OSL_PIPE_*")) - before
    libreoffice._remove_pipe(tmp_path)

    assert len(made - set(Path("/tmp").glob("OSL_PIPE_*"))) == 1
