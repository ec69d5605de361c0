"""What a user is told about a file that cannot be read."""

from __future__ import annotations

from desktop_rag.foundation.errors import KnownError

NO_TEXT = "No text"
READABLE = "files of this kind are not read by this version"


def not_read_yet(name: str, what: str) -> KnownError:
    """Return the error for a format without a parser; ``what`` is "a Word document"."""
    return KnownError("Not read yet", f"“{name}” is {what}; {READABLE}.")


def not_text(name: str) -> KnownError:
    """Return the error for bytes that are named like text but are none."""
    return KnownError(
        "Not text", f"“{name}” is named like a text file, but what is in it is not text."
    )


def no_text(name: str, why: str) -> KnownError:
    """Return the error for a file without a single word; ``why`` is a whole sentence."""
    return KnownError(NO_TEXT, f"There is no text in “{name}”. {why}")


def empty_file(name: str) -> KnownError:
    """Return the error for a file of no bytes, or of blanks alone."""
    return no_text(name, "The file is empty; it will be read when something is written in it.")


def needs_password(name: str, program: str = "a PDF viewer") -> KnownError:
    """Return the error for a document that only a password opens; ``program`` opens it."""
    return KnownError(
        "Needs a password",
        f"“{name}” needs a password. Open it in {program} and save a copy without one, "
        "then it will be read.",
    )


def damaged(name: str) -> KnownError:
    """Return the error for a file whose format can be recognised but not followed."""
    return KnownError(
        "Damaged",
        f"“{name}” is damaged and cannot be opened. Get it again from where it came from, "
        "or repair it in the program that made it.",
    )


def unpacks_to_too_much(name: str) -> KnownError:
    """Return the error for a small file that would fill the memory when it is unpacked."""
    return KnownError(
        "Unpacks to too much",
        f"“{name}” unpacks to far more than its size; such files are made to do harm, so it "
        "is not opened. If you trust it, save it again in the program that made it.",
    )


def unsafe_xml(name: str) -> KnownError:
    """Return the error for XML that declares entities: they can reach for other files."""
    return KnownError(
        "Not safe to read",
        f"“{name}” holds declarations that could read other files or fill the memory, so it "
        "is not opened. Save it again in the program that made it.",
    )


def needs_libreoffice(name: str, program: str = "LibreOffice") -> KnownError:
    """Return the error for an old format that only LibreOffice can turn into a new one.

    Args:
        name: the file's name.
        program: what is missing, LibreOffice or a part of it.
    """
    return KnownError(
        "Needs LibreOffice",
        f"“{name}” is in an old format that is read with {program}, which is not installed "
        "here. Install it and try again, or save the file in the newer format.",
    )


def encrypted(name: str) -> KnownError:
    """Return the error for a part of a mail that only its receiver's program can decrypt."""
    return KnownError(
        "Encrypted",
        f"“{name}” is encrypted. Save what is in it as a file of its own in your mail program, "
        "then it will be read.",
    )


def not_in_the_mail(name: str) -> KnownError:
    """Return the error for an attachment of which a mail holds the address alone."""
    return KnownError(
        "Not in the mail",
        f"“{name}” is kept outside of the mail. Save it as a file of its own, then it will "
        "be read.",
    )


def mail_too_large(name: str, megabytes: int) -> KnownError:
    """Return the error for a mail beyond the limit of a mailbox."""
    return KnownError(
        "Too large",
        f"“{name}” has more than {megabytes} MB. Save it as a file of its own in your mail "
        "program, then it will be read.",
    )
