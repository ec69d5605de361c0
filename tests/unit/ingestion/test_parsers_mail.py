from __future__ import annotations

import struct
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers import mbox
from tests.helpers.compound_file import Tree, compound_file
from tests.helpers.parsed import headings, inside, parsed, pieces, texts, words_inside, zipped

PICTURE = b"\x89PNG\r\n\x1a\n"


def mail(subject: str = "Payment terms") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Änne Weiß <anne@example.org>"
    message["To"] = "bo@example.org"
    message["Date"] = "Tue, 01 Oct 2024 12:34:56 -0500"
    message["Subject"] = subject
    return message


def full_mail() -> EmailMessage:
    inner = mail("Older mail")
    inner.set_content("The inner words.")
    message = mail("合同 付款期限")
    message.set_content("The body in thirty words.", cte="base64")
    message.add_alternative("<p>The <b>body</b> in thirty words.</p>", "html", cte="base64")
    message.add_attachment(inner)
    message.add_attachment("Attached words.", filename="notes.txt")
    message.add_attachment("<h1>Page</h1><p>Of words", subtype="html", filename="page.html")
    message.add_attachment(PICTURE, "image", "png", filename="scan.png")
    return message


def test_the_body_is_there_once_and_the_rest_apart() -> None:
    document = parsed(full_mail().as_bytes(), "a.eml")
    text = document.document.text

    assert text.count("thirty words") == 1
    assert headings(document) == [(1, "合同 付款期限")]
    assert "inner" not in text
    assert "Attached" not in text
    assert document.coverage.complete


def test_what_is_attached_is_handed_on() -> None:
    found = inside(full_mail().as_bytes(), "a.eml")

    assert list(found) == ["Older mail.eml", "notes.txt", "page.html", "scan.png"]
    older = found["Older mail.eml"]
    assert isinstance(older, ParsedDocument)
    assert older.kind == "eml"
    assert "The inner words." in older.document.text
    words = words_inside(full_mail().as_bytes(), "a.eml")
    assert words["notes.txt"] == "Attached words.\n"
    assert words["page.html"] == "Page\n\nOf words"
    assert words["scan.png"] == "Damaged"


def test_headers_are_metadata_and_can_be_found() -> None:
    document = parsed(full_mail().as_bytes(), "a.eml")

    assert document.title == "合同 付款期限"
    assert dict(document.document.metadata) == {
        "from": "Änne Weiß <anne@example.org>",
        "author": "Änne Weiß <anne@example.org>",
        "to": "bo@example.org",
        "date": "2024-10-01T12:34:56-05:00",
        "subject": "合同 付款期限",
    }
    assert "Attachments: Older mail.eml, notes.txt, page.html, scan.png" in document.document.text


def test_a_mail_is_one_by_content() -> None:
    content = full_mail().as_bytes()

    assert parsed(content, "mail").kind == parsed(content, "a.txt").kind == "eml"
    assert parsed("From: me\nTo: you\n\nA letter that begins so.", "a.txt").kind == "text"


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("gb2312", "合同付款期限为三十天。"),
        ("iso-8859-1", "Le café est fermé."),
        (None, "café 合同"),
    ],
)
def test_encodings_of_bodies(charset: str | None, text: str) -> None:
    head = f"; charset={charset}" if charset else ""
    raw = f"From: a@x\nSubject: s\nContent-Type: text/plain{head}\n\n".encode()

    assert text in parsed(raw + text.encode(charset or "utf-8"), "a.eml").document.text


def test_a_logo_in_the_text_is_not_missed_and_signatures_neither() -> None:
    message = mail()
    message.set_content("<p>Words <img src=cid:logo></p>", "html")
    message.add_related(PICTURE, "image", "png", cid="<logo>")
    message.make_mixed()
    message.add_attachment(b"xx", "application", "pkcs7-signature", filename="smime.p7s")

    document = parsed(message.as_bytes(), "a.eml")
    assert texts(document, "paragraph") == ["Words"]
    assert document.coverage.complete


def test_an_alternative_without_words_does_not_win() -> None:
    message = mail()
    message.set_content("The plain words.")
    message.add_alternative("<img src=x>", "html")

    assert texts(parsed(message.as_bytes(), "a.eml"), "paragraph") == ["The plain words."]


def test_encrypted_parts_are_named() -> None:
    message = mail()
    message.set_content("x")
    message.make_mixed()
    message.add_attachment(b"xx", "application", "pkcs7-mime", filename="smime.p7m")

    assert words_inside(message.as_bytes(), "a.eml") == {"smime.p7m": "Encrypted"}


def test_mails_in_mails_end_somewhere() -> None:
    message = mail("0")
    message.set_content("level 0")
    for level in range(1, 7):
        outer = mail(str(level))
        outer.set_content(f"level {level}")
        outer.add_attachment(message)
        message = outer
    found = words_inside(message.as_bytes(), "a.eml")

    assert "level 3" in found["5.eml/4.eml/3.eml"]
    assert found["5.eml/4.eml/3.eml/2.eml"] == "Nested too deeply"


def test_a_broken_attachment_costs_itself_alone(caplog: pytest.LogCaptureFixture) -> None:
    message = mail()
    message.set_content("The body.")
    message.add_attachment(b"PK\x03\x04 cut", "application", "zip", filename="a.zip")
    message.add_attachment(zipped({"in.txt": "zipped words"}), "x", "zip", filename="b.zip")

    assert "The body." in parsed(message.as_bytes(), "a.eml").document.text
    assert words_inside(message.as_bytes(), "a.eml") == {
        "a.zip": "Damaged",
        "b.zip/in.txt": "zipped words",
        "b.zip": "in.txt",
    }


def boxed(*mails: EmailMessage) -> bytes:
    separator = b"From anne@example.org Tue Oct  1 12:00:00 2024\n"
    return b"".join(separator + each.as_bytes() + b"\n" for each in mails)


def test_the_mails_of_a_mailbox_are_documents_of_their_own() -> None:
    box = boxed(full_mail(), _plain("Second", ">From here on"), _plain("Second", "Again."))
    for name in ("a.mbox", "Inbox"):
        document = parsed(box, name)
        assert document.kind == "mbox"
        assert document.document.text == "合同 付款期限\nSecond\nSecond"
        found = words_inside(box, name)
        assert list(found) == [
            "合同 付款期限.eml/Older mail.eml",
            "合同 付款期限.eml/notes.txt",
            "合同 付款期限.eml/page.html",
            "合同 付款期限.eml/scan.png",
            "合同 付款期限.eml",
            "Second.eml",
            "Second (2).eml",
        ]
        assert found["Second.eml"].endswith("From here on")
        assert found["Second (2).eml"].endswith("Again.")


def test_a_mailbox_that_is_cut_off_gives_what_is_there() -> None:
    box = boxed(_plain("One", "First words."), _plain("Two", "Second words, and more."))

    found = words_inside(box[: box.index(b", and more")], "a.mbox")
    assert found["Two.eml"].endswith("Second words")


def _plain(subject: str, text: str) -> EmailMessage:
    message = mail(subject)
    message.set_content(text)
    return message


def test_a_mail_that_is_too_large_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mbox, "MAX_MESSAGE_BYTES", 1000)
    box = boxed(_plain("One", "long " * 300), _plain("Two", "Short words."))
    found = words_inside(box, "a.mbox")

    assert found["Message 1.eml"] == "Too large"
    assert found["Two.eml"].endswith("Short words.")


def test_mails_without_anything_say_so() -> None:
    with pytest.raises(KnownError) as caught:
        parsed("MIME-Version: 1.0\n\n", "a.eml")
    assert caught.value.title == "No text"
    with pytest.raises(KnownError):
        parsed("", "a.eml")


def test_replies_keep_their_words() -> None:
    text = "I agree.\n\n> On Monday you wrote\n> that it is paid.\n"

    assert ("paragraph", "I agree.") in pieces(parsed(_plain("Re", text).as_bytes(), "a.eml"))


def outlook(subject: str, enclosed: bool = False, **more: bytes | Tree) -> Tree:
    def words(text: str) -> bytes:
        return text.encode("utf-16-le")

    ticks = int((datetime(2024, 10, 1, tzinfo=UTC) - datetime(1601, 1, 1, tzinfo=UTC)).days)
    fixed = struct.pack("<IIQ", 0x00390040, 0, ticks * 86_400 * 10_000_000)
    return {
        "__properties_version1.0": bytes(24 if enclosed else 32) + fixed,
        "__substg1.0_0037001F": words(subject),
        "__substg1.0_0C1A001F": words("Anne"),
        "__substg1.0_5D01001F": words("anne@example.org"),
        "__substg1.0_0E04001F": words("Bo; 陈明"),
        "__substg1.0_1000001F": words("The plain words."),
        **more,
    }


def test_outlook_messages() -> None:
    attached: Tree = {
        "__substg1.0_3707001F": "notes.txt".encode("utf-16-le"),
        "__substg1.0_37010102": b"Attached words.",
    }
    inner: Tree = {"__substg1.0_3701000D": outlook("Older", enclosed=True)}
    content = compound_file(
        outlook(
            "合同 付款期限",
            **{
                "__substg1.0_10130102": b"<p>The <b>rich</b> words.",
                "__attach_version1.0_#00000000": attached,
                "__attach_version1.0_#00000001": inner,
                "__attach_version1.0_#00000002": {"__substg1.0_3704001F": b"x\0"},
            },
        )
    )
    document = parsed(content, "a.msg")

    assert (document.kind, document.title) == ("msg", "合同 付款期限")
    assert document.document.metadata["from"] == "Anne <anne@example.org>"
    assert document.document.metadata["to"] == "Bo; 陈明"
    assert document.document.metadata["date"] == "2024-10-01T00:00:00+00:00"
    assert headings(document) == [(1, "合同 付款期限")]
    assert texts(document, "paragraph") == ["The rich words."]
    found = words_inside(content, "a.msg")
    assert list(found) == ["notes.txt", "Older.msg", "x"]
    assert found["notes.txt"] == "Attached words."
    assert found["Older.msg"].startswith("Older\n")
    assert found["x"] == "Not in the mail"


def test_outlook_messages_in_code_pages_and_damaged_ones() -> None:
    tree: Tree = {
        "__properties_version1.0": bytes(32) + struct.pack("<IIQ", 0x3FFD0003, 0, 936),
        "__substg1.0_1000001E": "合同付款期限".encode("gbk"),
    }
    content = compound_file(tree)

    assert parsed(content, "a.msg").document.text == "合同付款期限"
    for broken in (content[:700], content[:512] + bytes(3000)):
        with pytest.raises(KnownError) as caught:
            parsed(broken, "a.msg")
        assert caught.value.title in ("Damaged", "No text")


def test_mails_of_apple_mail_end_where_they_say() -> None:
    content = _plain("Short", "The words.").as_bytes()
    whole = str(len(content)).encode() + b"\n" + content + b"<?xml version='1.0'?><plist/>"

    assert parsed(whole, "1.emlx").document.text.endswith("The words.")


@pytest.mark.parametrize("depth", [150, 2000])
def test_parts_nested_beyond_measure_are_damage(depth: int) -> None:
    head = "From: a@x\nSubject: s\n"
    parts_within = "".join(
        f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(depth)
    )
    with pytest.raises(KnownError) as caught:
        parsed(f"{head}{parts_within}Content-Type: text/plain\n\nwords\n", "a.eml")
    assert caught.value.title == "Damaged"
