"""The evidence check: every sentence of a written answer against the sources of its turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.answering.checking.features import ClaimReader, Findings
from desktop_rag.answering.checking.instructions import BEFORE, is_instruction, is_reported
from desktop_rag.answering.checking.marks import (
    MarkedSentence,
    marked_sentences,
    with_mark,
    with_own_marks,
    without_marks,
)
from desktop_rag.answering.checking.reading import read_text
from desktop_rag.answering.checking.verdict import Verdicts
from desktop_rag.answering.checking.wording import reason
from desktop_rag.answering.citations import PassagePlace, cite
from desktop_rag.domain.answer import CheckedSentence, Citation, Support
from desktop_rag.domain.content import Content
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.language import language_of

_ORDER = (Support.UNSUPPORTED, Support.WEAK, Support.SUPPORTED)


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A written text with its marks made right, its sentences, and a quote a source cited."""

    text: str
    sentences: tuple[CheckedSentence, ...]
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class _Held:
    """A verdict with what it rests on."""

    support: Support
    probability: float
    numbers: tuple[int, ...]
    findings: Findings
    reason: str
    telling: bool = False
    """Whether the reason holds though no source was named."""

    @property
    def rank(self) -> tuple[int, float]:
        return _ORDER.index(self.support), self.probability


class EvidenceCheck:
    """Checks written texts; thread-safe.

    Args:
        reader: compares sentences with passages.
        verdicts: the fitted model.
    """

    def __init__(self, reader: ClaimReader, verdicts: Verdicts) -> None:
        self._reader = reader
        self._verdicts = verdicts

    def check(
        self,
        text: str,
        contents: Sequence[Content],
        places: Sequence[PassagePlace],
        language: str,
        cancel: CancelToken | None = None,
    ) -> CheckedText:
        """Hold each sentence against the sources that it cites, or that bear it out best.

        Args:
            text: what was written; marks that name no source are dropped.
            contents: the sources, numbered from 1 in this order.
            places: where they stand, one each.
            language: of the reasons: the question's.
            cancel: ends it early.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        turn = _Turn(self._reader, self._verdicts, tuple(contents), tuple(places), language, cancel)
        written = with_own_marks(text, len(contents)).strip()
        said = _Said()
        end = 0
        for sentence in marked_sentences(written, language_of(written)):
            if not read_text(sentence.bare).terms:
                continue
            said.add_between(written[end : sentence.start])
            said.add_sentence(written[sentence.start : sentence.end], turn.held(sentence), turn)
            end = sentence.end
        said.add_between(written[end:])
        return CheckedText(said.text, tuple(said.sentences), said.citations(turn))


@dataclass(frozen=True, slots=True)
class _Turn:
    """One turn's sources."""

    reader: ClaimReader
    verdicts: Verdicts
    contents: tuple[Content, ...]
    places: tuple[PassagePlace, ...]
    language: str
    cancel: CancelToken | None

    def held(self, sentence: MarkedSentence) -> _Held | None:
        """Return the verdict on a sentence; None without any source."""
        if not self.contents:
            return None
        if self.cancel is not None:
            self.cancel.check()
        own = self._against(sentence.bare, sentence.numbers) if sentence.numbers else None
        if own is not None and own.support is Support.SUPPORTED:
            return own
        every = [self._against(sentence.bare, (n,)) for n in range(1, len(self.contents) + 1)]
        best = max(every, key=lambda one: one.rank)
        if own is None:
            return best
        if best.support is not Support.SUPPORTED or set(best.numbers) & set(own.numbers):
            return own
        named = ", ".join(map(str, own.numbers))
        said = reason("elsewhere", self.language, named, best.numbers[0])
        return replace(best, support=Support.WEAK, reason=said)

    def quote(self, held: _Held) -> Citation | None:
        """Return the sentence nearest to what was written."""
        best = held.findings.best
        if best is None:
            return None
        at = best.content
        return cite(self.contents[at], self.places[at], at + 1, best.span)

    def nearest(self, bare: str, number: int) -> tuple[tuple[int, float], Citation | None]:
        """Return how well one source alone bears a sentence out, and its nearest sentence."""
        held = self._against(bare, (number,))
        return held.rank, self.quote(held)

    def first_words(self, number: int) -> Citation:
        """Return a source as it was found."""
        return cite(self.contents[number - 1], self.places[number - 1], number)

    def _against(self, bare: str, numbers: tuple[int, ...]) -> _Held:
        cited = [number - 1 for number in numbers]
        language = language_of(bare)
        findings = self.reader.read(bare, language, self.contents, cited, self.cancel)
        support = self.verdicts.support(findings)
        why = "" if support is Support.SUPPORTED else self._reason(findings)
        if not findings.same_language and not findings.missing_number:
            support, why = Support.WEAK, reason("language", self.language)
        probability = self.verdicts.probability(findings)
        if self._follows_instruction(bare, findings):
            why = reason("instruction", self.language)
            return _Held(Support.UNSUPPORTED, probability, numbers, findings, why, telling=True)
        return _Held(support, probability, numbers, findings, why)

    def _reason(self, findings: Findings) -> str:
        if findings.missing:
            return reason("missing", self.language, findings.missing[0])
        name = self.verdicts.worst(findings)
        return reason(name, self.language, findings.doubtful)

    def _follows_instruction(self, bare: str, findings: Findings) -> bool:
        """Whether the words are a source's instruction, and not a report of it."""
        if findings.best is None or is_reported(bare):
            return False
        at, (start, end) = findings.best.content, findings.best.span
        text = self.contents[at].segment.text
        return is_instruction(text[start:end], text[max(0, start - BEFORE) : start])


class _Said:
    """The text as it grows, with marks that were missing, and its sentences."""

    def __init__(self) -> None:
        self.text = ""
        self.sentences: list[CheckedSentence] = []
        self._quotes: dict[int, tuple[tuple[int, float], Citation]] = {}
        self._cited: dict[int, None] = {}

    def add_between(self, text: str) -> None:
        """Add what is no sentence."""
        self.text += text

    def add_sentence(self, written: str, held: _Held | None, turn: _Turn) -> None:
        """Add a sentence; where a source bears it out that it doesn't name, name it."""
        start = len(self.text)
        if held is None:
            self.text += written
            why = reason("nothing", turn.language)
            self.sentences.append(
                CheckedSentence(start, len(self.text), Support.UNSUPPORTED, (), why)
            )
            return
        named = _names(written, held.numbers)
        if held.support is not Support.UNSUPPORTED and not named:
            written, named = with_mark(written, held.numbers[0]), True
        self.text += written
        numbers = held.numbers if named else ()
        why = held.reason if named or held.telling else reason("nothing", turn.language)
        quote = turn.quote(held)
        self.sentences.append(
            CheckedSentence(start, len(self.text), held.support, numbers, why, quote)
        )
        for number in numbers:
            self._cited[number] = None
            if quote is not None and quote.number == number:
                self._keep(held.rank, quote)
            elif len(numbers) > 1:
                self._keep(*turn.nearest(without_marks(written), number))

    def _keep(self, rank: tuple[int, float], quote: Citation | None) -> None:
        if quote is None:
            return
        known = self._quotes.get(quote.number)
        if known is None or rank > known[0]:
            self._quotes[quote.number] = (rank, quote)

    def citations(self, turn: _Turn) -> tuple[Citation, ...]:
        """Return one quote a source cited, by number."""
        return tuple(
            self._quotes[number][1] if number in self._quotes else turn.first_words(number)
            for number in sorted(self._cited)
        )


def _names(written: str, numbers: Sequence[int]) -> bool:
    return all(f"[{number}]" in written for number in numbers)
