"""An answer's text as rich text, with its citation marks as links."""

from __future__ import annotations

import re
from collections.abc import Collection
from html import escape

from desktop_rag.gui.theme import Tokens

_MARK = re.compile(r"\s*\[(\d{1,3})\]")


def answer_html(text: str, numbers: Collection[int], active: int | None, tokens: Tokens) -> str:
    """Return the text with every ``[n]`` of ``numbers`` as a link ``cite:n``.

    ``active`` is the number to stress. Other brackets stay as they are.
    """

    def badge(found: re.Match[str]) -> str:
        number = int(found[1])
        if number not in numbers:
            return found[0]
        ground, ink = tokens.accent, tokens.on_accent
        if number == active:
            ground, ink = tokens.mark, tokens.text
        style = f"background-color:{ground};color:{ink};text-decoration:none;font-weight:600"
        return f'&nbsp;<a href="cite:{number}" style="{style}">&nbsp;{number}&nbsp;</a>'

    lines = _MARK.sub(badge, escape(text, quote=False)).split("\n")
    return f'<div style="line-height:125%">{"<br>".join(lines)}</div>'
