"""The blocks that a parser gave, as words."""

from __future__ import annotations

from desktop_rag.domain.document import Block, BlockKind, ParsedDocument


def said(parsed: ParsedDocument, block: Block) -> str:
    """Return a block's words."""
    return parsed.document.text[block.start : block.end]


def blocks(parsed: ParsedDocument) -> list[tuple[str, str]]:
    """Return (kind, words) of all blocks."""
    return [(block.kind.value, said(parsed, block)) for block in parsed.blocks]


def words_of(parsed: ParsedDocument, kind: BlockKind) -> list[str]:
    """Return the words of the blocks of one kind."""
    return [said(parsed, block) for block in parsed.blocks if block.kind is kind]


def header_of(parsed: ParsedDocument, block: Block) -> str:
    """Return the words of a table's header, "" where it has none."""
    return parsed.document.text[slice(*block.header)] if block.header else ""
