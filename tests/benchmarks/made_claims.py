"""Sentences that say what a collection's answers say, and the same made wrong in one thing."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from desktop_rag.evaluation.datasets import Dataset
from desktop_rag.foundation.language import CHINESE, language_of
from desktop_rag.text.sentences import sentences

TRUE, NUMBER, NAME, NEGATED, OTHER = "true", "number", "name", "negated", "other"
KINDS = (TRUE, NUMBER, NAME, NEGATED)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence about a document, and what is wrong with it (``true``: nothing)."""

    kind: str
    text: str
    document: str


_AUX = "is|are|was|were|did|does|do|can|could|will|would|has|have|had|may|should"
_SUBJECT = re.compile(
    rf"^(?:who|what|which(?: \w+)?|how many(?P<noun> \w+)?) (?!(?:{_AUX})\b)(?P<rest>.+?)\?*$",
    re.IGNORECASE,
)
_BE = re.compile(
    r"^(?:who|what|where|when) (?P<aux>is|are|was|were) (?P<rest>.+?)\?*$", re.IGNORECASE
)
_OBJECT = re.compile(
    rf"^(?:who|what|where|when|which(?P<kind> \w+)|how many(?P<noun> \w+)?) (?P<aux>{_AUX}) "
    r"(?P<rest>.+?)\?*$",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"(?:什么时候|什么时间|什么地方|什么人|何时|何地|何人|哪一?[年天]|哪里|谁|哪位|哪[一两几]?[个家座部]\w{0,2}|多少(?=[人年个元米公岁座家名])|什么)"
)
_SYNONYMS = {
    "because": "since",
    "however": "but",
    "large": "big",
    "many": "numerous",
    "also": "as well",
    "began": "started",
    "approximately": "about",
    "several": "a number of",
    "such as": "like",
    "located": "situated",
    "known as": "called",
    "famous": "well-known",
    "因为": "由于",
    "但是": "可是",
    "位于": "坐落于",
    "以及": "和",
    "主要": "主要地",
    "约": "大约",
}
_OPENING = re.compile(r"^(?:However|Therefore|Moreover|In addition|For example|Also|Thus), ")
_BRACKETS = re.compile(r"\s?\([^()]*\)|（[^（）]*）")
_FIRST_PART = re.compile(
    r"^(?P<first>(?:In|On|By|During|After|Since) [^,]{3,40}), (?P<rest>[^,]+[^.])\.$"
)


def stated(dataset: Dataset, chance: random.Random) -> Iterator[Claim]:
    """Yield true sentences in a random order: of question and answer, or a source's rephrased."""
    rows = list(dataset.answers)
    chance.shuffle(rows)
    for number, row in enumerate(rows):
        document = next(iter(dataset.judgements[row]))
        answer = dataset.answers[row][0]
        make = _rephrased if number % 2 else _of_question
        text = make(dataset.queries[row], answer, dataset.documents[document])
        if text:
            yield Claim(TRUE, text, document)


def _of_question(question: str, answer: str, _document: str) -> str:
    if language_of(question) == CHINESE:
        text, count = _ASKED.subn(lambda _: answer, question.strip("？? "), count=1)
        return f"{text}。" if count and len(answer) < 40 else ""
    if len(answer) > 60:
        return ""
    if found := _SUBJECT.match(question):
        return _sentence(f"{answer}{found['noun'] or ''} {found['rest']}")
    if found := _BE.match(question):
        return _sentence(f"{found['rest']} {found['aux']} {answer}")
    if found := _OBJECT.match(question):
        return _sentence(_with_object(found, answer))
    return ""


def _with_object(found: re.Match[str], answer: str) -> str:
    """Put the auxiliary behind a subject of one to three words: as good as rules get."""
    words = found["rest"].split()
    ends = next(
        (n for n, word in enumerate(words[:5]) if n and word.islower() and word not in _SMALL), 2
    )
    subject, rest = " ".join(words[:ends]), " ".join(words[ends:])
    return f"{subject} {found['aux']} {rest} {answer}{found['noun'] or ''}"


_SMALL = frozenset(("the", "of", "a", "an", "and", "in", "for"))


def _rephrased(_question: str, answer: str, document: str) -> str:
    body = document.partition("\n")[2] or document
    for start, end in sentences(body, language_of(body)):
        text = " ".join(body[start:end].split())
        if answer in text and 20 <= len(text) <= 300:
            return _reworded(text, answer)
    return ""


def _reworded(text: str, answer: str) -> str:
    text = _OPENING.sub("", text)
    shorter = _BRACKETS.sub("", text)
    text = shorter if answer in shorter else text
    if found := _FIRST_PART.match(text):
        text = f"{found['rest']} {found['first'][0].lower()}{found['first'][1:]}."
    for word, other in _SYNONYMS.items():
        edge = r"\b" if word.isascii() else ""
        text = re.sub(f"{edge}{word}{edge}", other, text, count=1)
    return text[0].upper() + text[1:]


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:].strip()}."


_NUMBER = re.compile(
    r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])|(?<=[\u4e00-\u9fff])\d+(?=[\u4e00-\u9fff])"
)
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+(?: [A-Z][a-z]+)*(?!\w)")
_HAN_NAME = re.compile(r"(?<=《)[^》]{2,20}(?=》)|[\u4e00-\u9fff]{2,4}(?:·[\u4e00-\u9fff]{2,5})+")
_BEFORE_NOT = re.compile(
    r"\b(is|are|was|were|did|does|do|can|could|will|would|has|have|had|may|should)\b"
)
_HAN_NOT = (
    ("可以", "不可以"),
    ("能够", "不能够"),
    ("位于", "并不位于"),
    ("是", "不是"),
    ("有", "没有"),
    ("被", "没有被"),
    ("在", "不在"),
)
_HAN_KNOWN_NOT = re.compile(r"[不没未无非]")


def of_others(claims: list[Claim], seed: int = 1) -> list[Claim]:
    """Return the true claims as if they were about other documents, which don't bear them out."""
    true = [claim for claim in claims if claim.kind == TRUE]
    documents = [claim.document for claim in true]
    random.Random(seed).shuffle(documents)
    return [
        Claim(OTHER, claim.text, document)
        for claim, document in zip(true, documents, strict=True)
        if document != claim.document
    ]


def with_number(claim: Claim, document: str, chance: random.Random) -> Claim | None:
    """Return the claim with a number of the document in the place of its own."""
    return _swapped(claim, document, chance, NUMBER, _NUMBER)


def with_name(claim: Claim, document: str, chance: random.Random) -> Claim | None:
    """Return the claim with a name of the document in the place of its own."""
    chinese = language_of(claim.text) == CHINESE
    return _swapped(claim, document, chance, NAME, _HAN_NAME if chinese else _NAME)


def _swapped(
    claim: Claim, document: str, chance: random.Random, kind: str, pattern: re.Pattern[str]
) -> Claim | None:
    own = list(pattern.finditer(claim.text))
    used = {one.group() for one in own}
    others = sorted({one.group() for one in pattern.finditer(document)} - used)
    others = [one for one in others if all(one not in had and had not in one for had in used)]
    if not own or not others:
        return None
    place, other = chance.choice(own), chance.choice(others)
    return Claim(
        kind, claim.text[: place.start()] + other + claim.text[place.end() :], claim.document
    )


def negated(claim: Claim, _document: str, _chance: random.Random) -> Claim | None:
    """Return the claim with a negation more, or one less where it has one."""
    text = claim.text
    if language_of(text) == CHINESE:
        for word, other in _HAN_NOT:
            if word in text and not _HAN_KNOWN_NOT.search(text):
                return Claim(NEGATED, text.replace(word, other, 1), claim.document)
        return None
    if re.search(r"\bnot\b", text):
        return Claim(NEGATED, re.sub(r"\bnot ", "", text, count=1), claim.document)
    found = _BEFORE_NOT.search(text)
    if found is None:
        return None
    return Claim(NEGATED, f"{text[: found.end()]} not{text[found.end() :]}", claim.document)


_MAKERS: dict[str, Callable[[Claim, str, random.Random], Claim | None]] = {
    NUMBER: with_number,
    NAME: with_name,
    NEGATED: negated,
}


def made_claims(dataset: Dataset, of_each: int, seed: int = 1) -> list[Claim]:
    """Return ``of_each`` claims of each kind, each of a question of its own, as far as they go.

    The scarce kinds are made first; the true ones are a third each of what the others could
    have been made of, so that nothing but the change tells them apart.
    """
    chance = random.Random(seed)
    found: dict[str, list[Claim]] = {kind: [] for kind in KINDS}
    kinds = list(_MAKERS)
    for number, claim in enumerate(stated(dataset, chance)):
        kind = kinds[number // 2 % len(kinds)]
        changed = _MAKERS[kind](claim, dataset.documents[claim.document], chance)
        if changed is None:
            continue
        wanted = TRUE if len(found[TRUE]) < of_each and chance.random() < 0.25 else kind
        if len(found[wanted]) < of_each:
            found[wanted].append(claim if wanted == TRUE else changed)
        if all(len(one) == of_each for one in found.values()):
            break
    return [claim for kind in KINDS for claim in found[kind]]
