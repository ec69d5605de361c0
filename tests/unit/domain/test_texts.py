"""Documents and segments have words."""

from __future__ import annotations

import pytest

from desktop_rag.domain.document import Document
from desktop_rag.domain.segment import TextSegment


@pytest.mark.parametrize("kind", [Document, TextSegment])
@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000"])
def test_a_blank_text_is_refused(kind: type, text: str) -> None:
    with pytest.raises(ValueError, match="blank"):
        kind(text)
