"""Telling Office formats by content, and by suffix where it cannot."""

from __future__ import annotations

CSV_SUFFIXES = frozenset({".csv", ".tsv", ".tab"})

TEXT_BY_OLD_NAME = {".doc": "text", ".dot": "text", ".rtf": "text", ".xls": "csv"}
"""What a file with an old Office name is when it is text: many programs export web pages and
tables as text under these names, since Office opens them."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK\x03\x04"
_RTF = b"{\\rtf"
_MIMETYPE = b"application/vnd.oasis.opendocument."
_OPEN_DOCUMENTS = ((b"text", "odt"), (b"spreadsheet", "ods"), (b"presentation", "odp"))
_OPEN_SUFFIXES = {
    **{".odt": "odt", ".ott": "odt", ".ods": "ods", ".ots": "ods", ".odp": "odp", ".otp": "odp"}
}
_OFFICE_PARTS = (b"[Content_Types].xml", b"word/", b"ppt/", b"xl/workbook", b"xl/worksheets")
_OFFICE_SUFFIXES = frozenset(
    {
        *(".docx", ".docm", ".dotx", ".dotm", ".xlsx", ".xlsm", ".xltx", ".xltm", ".xlsb"),
        *(".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"),
    }
)


def office_format(head: bytes, suffix: str) -> str | None:
    """Return "office", "old_office", "odt", "ods", "odp", "rtf" or "csv", else None.

    What is called "office" has Word's, Excel's or PowerPoint's parts: which, its parser sees.
    A document in one of these formats that only a password opens is "old_office": it lies
    encrypted within a file of the old kind.
    """
    if head.startswith(_ZIP):
        return _zip_format(head, suffix)
    if head.startswith(_OLE):
        return "old_office"
    return "rtf" if head.lstrip().startswith(_RTF) else None


def _zip_format(head: bytes, suffix: str) -> str | None:
    place = head.find(_MIMETYPE)
    if place >= 0:
        kind = head[place + len(_MIMETYPE) :]
        return next((name for word, name in _OPEN_DOCUMENTS if kind.startswith(word)), None)
    if suffix in _OPEN_SUFFIXES:
        return _OPEN_SUFFIXES[suffix]
    if suffix in _OFFICE_SUFFIXES or any(part in head for part in _OFFICE_PARTS):
        return "office"
    return None
