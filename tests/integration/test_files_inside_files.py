"""Attachments, mails of a mailbox and entries of archives, with the real parts."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import psutil
import pytest

from desktop_rag.bootstrap import open_services
from desktop_rag.services.services import Services
from tests.helpers.drawn_pdf import drawn, lines
from tests.helpers.parsed import zipped

_WARRANTY = "The warranty of pump P-100 lasts twenty-four months."
_OFFER = "Delivery of the pumps takes nine weeks."


@pytest.fixture
def services(data_dir: Path) -> Iterator[Services]:
    services = open_services(data_dir)
    yield services
    services.close()


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "mail.eml").write_bytes(mail("Our offer").as_bytes())
    return papers


def mail(subject: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = "anne@example.org"
    message["Subject"] = subject
    message.set_content("Please find our offer attached. Greetings from the harbour.")
    offer = drawn([lambda page: lines(page, ["Offer"]), lambda page: lines(page, [_OFFER])])
    message.add_attachment(offer, "application", "pdf", filename="Offer.pdf")
    terms = zipped({"terms/warranty.txt": _WARRANTY, "broken.pdf": "%PDF-1.7 nothing"})
    message.add_attachment(terms, "application", "zip", filename="Terms.zip")
    return message


def shown(services: Services, papers: Path) -> dict[str, tuple[str, str | None]]:
    return {
        Path(file.path).relative_to(papers).as_posix(): (
            file.status.value,
            file.problem and file.problem.title,
        )
        for file in services.library.files()
    }


def test_attachments_are_found_cited_and_drawn(services: Services, papers: Path) -> None:
    services.library.index([papers])

    assert shown(services, papers) == {
        "mail.eml": ("ready", None),
        "mail.eml/Offer.pdf": ("ready", None),
        "mail.eml/Terms.zip": ("ready", None),
        "mail.eml/Terms.zip/terms/warranty.txt": ("ready", None),
        "mail.eml/Terms.zip/broken.pdf": ("failed", "Damaged"),
    }
    answer = services.assistant.ask("How long does the delivery of the pumps take?")
    citation = answer.citations[0]
    offer = papers / "mail.eml" / "Offer.pdf"
    assert (citation.path, citation.page, citation.quote) == (str(offer), 2, _OFFER)
    assert services.library.viewer.render_page(offer, 2, 1.0).pages == 2
    assert services.library.viewer.find_words(offer, 2, _OFFER)
    found = services.assistant.search("warranty of pump P-100", k=1).results[0]
    assert found.path == str(papers / "mail.eml" / "Terms.zip" / "terms" / "warranty.txt")


def test_a_mailbox_that_grows_costs_its_new_mails(services: Services, papers: Path) -> None:
    box = papers / "Inbox.mbox"
    separator = b"From anne@example.org Tue Oct  1 12:00:00 2024\n"
    with box.open("wb") as file:
        for number in range(40):
            message = EmailMessage()
            message["From"], message["Subject"] = "anne@example.org", f"Order {number}"
            message.set_content(f"We order {number + 7} valves of kind V-{number}.")
            file.write(separator + message.as_bytes() + b"\n")
    first = services.library.index([papers])
    assert first.added == 40 + 1 + 4

    with box.open("ab") as file:
        file.write(separator + mail("The newest").as_bytes() + b"\n")
    again = services.library.index([papers])
    assert (again.added, again.removed) == (4, 0)
    assert (again.updated, again.unchanged, again.failed) == (1, 40 + 4, 2)
    assert again.embedded <= 1
    found = services.assistant.search("valves of kind V-31", k=1).results[0]
    assert found.path == str(box / "Order 31.eml")


def test_a_reader_that_is_killed_within_a_container_loses_nothing(
    services: Services, papers: Path
) -> None:
    archive = papers / "many.zip"
    archive.write_bytes(zipped({f"{n}.txt": f"Words number {n} of many." for n in range(300)}))
    services.library.start(False)
    services.library.add([papers])
    while len(services.library.files()) < 20:
        os.sched_yield()
    for child in psutil.Process().children():
        if "parse" in child.cmdline():
            child.send_signal(signal.SIGKILL)
    services.library.wait_settled(60)
    failed = [file.id for file in services.library.files() if file.status.value == "failed"]
    services.library.retry(failed)
    assert services.library.wait_settled(60)

    names = [file.path for file in services.library.files()]
    assert len(names) == len(set(names)) == 300 + 1 + 5
    broken = {name for name, (state, _) in shown(services, papers).items() if state != "ready"}
    assert broken == {"mail.eml/Terms.zip/broken.pdf"}
