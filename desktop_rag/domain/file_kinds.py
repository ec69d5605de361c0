"""What people call kinds of files, and the kinds that the library tells apart."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

_KIND_OF_NAME: Mapping[str, str] = {
    **dict.fromkeys(("md", "mdown", "mkd"), "markdown"),
    **dict.fromkeys(("txt", "log"), "text"),
    **dict.fromkeys(("htm", "xhtml"), "html"),
    "mht": "mhtml",
    "yml": "yaml",
    "jsonl": "json",
    **dict.fromkeys(("srt", "vtt"), "subtitles"),
    **dict.fromkeys(("url", "webloc"), "link"),
    **dict.fromkeys(("docm", "dotx", "dotm"), "docx"),
    **dict.fromkeys(("xlsm", "xltx", "xltm", "xlsb"), "xlsx"),
    **dict.fromkeys(("pptm", "ppsx", "ppsm", "potx", "potm"), "pptx"),
    **dict.fromkeys(("tsv", "tab"), "csv"),
    **dict.fromkeys(("jpg", "jpeg", "png", "gif", "tif", "tiff", "bmp", "webp"), "image"),
    **dict.fromkeys(("azw", "azw3", "prc"), "mobi"),
    **dict.fromkeys(("py", "js", "ts", "java", "c", "cpp", "h", "cs", "go", "rs", "sh"), "code"),
    "asciidoc": "adoc",
    "latex": "tex",
    "notebook": "ipynb",
}

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "word": ("docx", "doc", "odt", "rtf"),
    "spreadsheet": ("xlsx", "xls", "ods", "csv"),
    "excel": ("xlsx", "xls"),
    "presentation": ("pptx", "ppt", "odp"),
    "powerpoint": ("pptx", "ppt"),
    "mail": ("eml", "msg"),
    "book": ("epub", "mobi", "fb2"),
    "web": ("html", "mhtml"),
}
"""Words for several kinds at once."""


def kinds_of(name: str) -> tuple[str, ...]:
    """Return the kinds that a word for them means: "md" is markdown, "word" is four kinds.

    A word that is none is taken for a kind itself, so that it finds nothing.
    """
    key = name.strip().lstrip(".").lower()
    return FAMILIES.get(key) or (_KIND_OF_NAME.get(key, key),)


def kind_by_name(path: str) -> str:
    """Return the kind that a file's name promises, "" where it has no suffix."""
    return kinds_of(PurePath(path).suffix)[0]
