"""What a user is told about a file that cannot be read."""

from __future__ import annotations

from desktop_rag.foundation.errors import KnownError

NO_TEXT = "No text"
READABLE = "this version reads text, Markdown and PDF files"


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


def needs_password(name: str) -> KnownError:
    """Return the error for a document that only a password opens."""
    return KnownError(
        "Needs a password",
        f"“{name}” needs a password. Open it in a PDF viewer and save a copy without one, "
        "then it will be read.",
    )


def damaged(name: str) -> KnownError:
    """Return the error for a file whose format can be recognised but not followed."""
    return KnownError(
        "Damaged",
        f"“{name}” is damaged and cannot be opened. Get it again from where it came from, "
        "or repair it in the program that made it.",
    )
