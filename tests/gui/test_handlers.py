from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.gui.handlers import default_application, page_command


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A desktop with evince and okular, of which nothing is chosen yet."""
    applications = tmp_path / "data" / "applications"
    applications.mkdir(parents=True)
    (tmp_path / "config").mkdir()
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("org.gnome.Evince", "org.kde.okular"):
        (applications / f"{name}.desktop").write_text("[Desktop Entry]\n")
    for name in ("evince", "okular"):
        program = programs / name
        program.write_text("")
        program.chmod(0o755)
    (applications / "mimeinfo.cache").write_text(
        "[MIME Cache]\napplication/pdf=gone.desktop;org.gnome.Evince.desktop;\n"
    )
    return {
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_DATA_DIRS": str(tmp_path / "nowhere"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_CONFIG_DIRS": str(tmp_path / "nowhere"),
        "PATH": str(programs),
    }


@pytest.fixture
def paper(tmp_path: Path) -> str:
    path = tmp_path / "paper.pdf"
    path.write_bytes(b"%PDF-")
    return str(path)


def test_the_only_application_is_told_the_page(environment: dict[str, str], paper: str) -> None:
    assert default_application("application/pdf", environment) == "org.gnome.Evince.desktop"
    assert page_command(paper, 7, environment) == ["evince", "--page-index=7", paper]


def test_the_one_that_was_chosen_counts(environment: dict[str, str], paper: str) -> None:
    chosen = Path(environment["XDG_CONFIG_HOME"], "mimeapps.list")
    chosen.write_text("[Default Applications]\napplication/pdf=org.kde.okular.desktop\n")
    assert page_command(paper, 7, environment) == ["okular", "--page", "7", paper]


def test_what_cannot_be_told_a_page_is_just_opened(
    environment: dict[str, str], paper: str, tmp_path: Path
) -> None:
    Path(environment["PATH"], "evince").unlink()
    assert page_command(paper, 7, environment) is None
    assert page_command(str(tmp_path / "notes.txt"), 7, environment) is None
    mail = tmp_path / "mail.eml"
    mail.write_text("")
    assert page_command(str(mail / "Offer.pdf"), 7, environment) is None
    Path(environment["XDG_DATA_HOME"], "applications", "mimeinfo.cache").write_text("no [ini\x00")
    assert default_application("application/pdf", environment) is None
