"""How good answers are: true to their sources, about the question, from the right documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from desktop_rag.chat_models.protocols import ChatModel, ChatOptions
from desktop_rag.domain.answer import Answer, AnswerKind, Outcome, Support
from desktop_rag.domain.messages import SystemMessage, UserMessage
from desktop_rag.evaluation.libraries import Figures
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError

_WORTH = {Support.SUPPORTED: 1.0, Support.WEAK: 0.5, Support.UNSUPPORTED: 0.0}
_JUDGE = (
    "You judge an answer. Reply with two whole numbers from 0 to 10 and nothing else: first how "
    "far the sources bear the answer out, then how far it answers the question."
)
_SCORE = r"\D{0,20}?(\d{1,2})(?:\s*/\s*10)?"
_SCORES = re.compile(rf"\s*{_SCORE}\s*[,;/\s]\s*{_SCORE}\W*")
_JUDGE_TOKENS = 64


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer with the documents of its passages, best first, and those that are right."""

    question: str
    answer: Answer
    found: tuple[str, ...]
    right: Mapping[str, int]


def answers_figures(
    judged: Sequence[Judged],
    relevance: Callable[[str, str], float],
    judge: ChatModel | None = None,
    cancel: CancelToken | None = None,
) -> Figures:
    """Return the figures of answers; those of a judge are of the replies it could be read in.

    Faithfulness is the mean over answers of the share of sentences that the check finds
    supported (weak ones count half); quotes are the documents' own words. What was not found
    has neither faithfulness nor relevance.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    said = [one for one in judged if one.answer.outcome is not Outcome.NOT_FOUND]
    figures: Figures = {
        "answers": len(said),
        "answers_written": sum(one.answer.kind is AnswerKind.GENERATIVE for one in said),
        "context_precision": _mean([_precision(one) for one in judged]),
        "context_recall": _mean([_recall(one) for one in judged]),
    }
    if said:
        figures["faithfulness"] = _mean([faithfulness(one.answer) for one in said])
        figures["relevance"] = _mean([relevance(one.question, one.answer.text) for one in said])
    if judge is not None:
        figures |= _by_judge(said, judge, cancel)
    return figures


def faithfulness(answer: Answer) -> float:
    """Return the share of an answer's sentences that are borne out, 0..1."""
    if answer.kind is not AnswerKind.GENERATIVE:
        return 1.0
    return _mean([_WORTH[one.support] for one in answer.sentences])


def _precision(one: Judged) -> float:
    """Return the mean precision at each right passage: right ones first is 1."""
    hits, total = 0, 0.0
    for rank, document in enumerate(one.found, start=1):
        if one.right.get(document, 0) > 0:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0


def _recall(one: Judged) -> float:
    wanted = {document for document, gain in one.right.items() if gain > 0}
    return len(wanted & set(one.found)) / len(wanted) if wanted else 0.0


def _by_judge(said: Sequence[Judged], judge: ChatModel, cancel: CancelToken | None) -> Figures:
    scores = [_asked(one, judge, cancel) for one in said]
    read = [one for one in scores if one is not None]
    figures: Figures = {"judge_scored": len(read), "judge_not_scored": len(scores) - len(read)}
    if read:
        figures["judge_faithfulness"] = fmean(first for first, _ in read)
        figures["judge_relevance"] = fmean(second for _, second in read)
    return figures


def _asked(one: Judged, judge: ChatModel, cancel: CancelToken | None) -> tuple[float, float] | None:
    sources = "\n\n".join(content.segment.text for content in one.answer.contents[:6])
    text = f"Question: {one.question}\n\nAnswer: {one.answer.text}\n\nSources:\n{sources}"
    messages = (SystemMessage(_JUDGE), UserMessage(text))
    try:
        reply = judge.chat(messages, ChatOptions(max_tokens=_JUDGE_TOKENS), cancel=cancel)
    except KnownError:
        return None
    return scores_in(reply.text)


def scores_in(reply: str) -> tuple[float, float] | None:
    """Return two scores, 0..1 each, None for any reply that is not two numbers up to 10."""
    found = _SCORES.fullmatch(reply)
    if found is None:
        return None
    first, second = int(found[1]), int(found[2])
    return (first / 10, second / 10) if max(first, second) <= 10 else None


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0
