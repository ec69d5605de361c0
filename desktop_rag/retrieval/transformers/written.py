"""Searches that a language model writes: rewritten, expanded, imagined, more general."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from desktop_rag.domain.messages import AiMessage, ChatMessage, UserMessage
from desktop_rag.domain.query import Query
from desktop_rag.foundation.language import CHINESE, ENGLISH, language_of
from desktop_rag.retrieval.model_steps import ModelSteps
from desktop_rag.retrieval.protocols import QueryTransformer
from desktop_rag.retrieval.wording import rewritten_note

TURNS, TURN_CHARACTERS = 3, 100
"""What of a conversation a question is rewritten by."""

_LONGEST_QUERY, _LONGEST_PASSAGE = 400, 1200
"""Characters; what is longer is no query, but a model that talks."""

_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.):、])\s*")
_LABEL = re.compile(
    r"^(?:(?:rewritten |search )?(?:question|query|translation)\s*:"
    r"|(?:问题|译文|搜索语句)[:：])\s*",
    re.IGNORECASE,
)
_QUOTES = "\"'“”「」`* "


class CompressingQueryTransformer:
    """Makes one query of the whole conversation and the question (langchain4j-facts 3).

    Without a word of user or program before it, nobody is asked. Better on purpose: a blank
    or useless reply leaves the question as it is.
    """

    def __init__(self, steps: ModelSteps) -> None:
        self._steps = steps

    def transform(self, query: Query) -> list[Query]:
        """Return exactly one query, in the context of the given one."""
        history = _lines(query.context.history)
        return [_one(self._steps, "compressing", query, history)]


class RewritingQueryTransformer:
    """Rewrites a follow-up so that it can be understood alone.

    The model sees the last ``turns`` turns, of each message the first ``characters``, so that
    the step stays quick however long a chat is. Without a conversation nobody is asked.

    Raises:
        ValueError: a number is not positive.
    """

    def __init__(
        self, steps: ModelSteps, turns: int = TURNS, characters: int = TURN_CHARACTERS
    ) -> None:
        if turns <= 0 or characters <= 0:
            raise ValueError("turns and characters must be greater than 0")
        self._steps = steps
        self._turns = turns
        self._characters = characters

    def transform(self, query: Query) -> list[Query]:
        """Return exactly one query, in the context of the given one."""
        spoken = _last_turns(query.context.history, self._turns)
        return [_one(self._steps, "rewriting", query, _lines(spoken, self._characters))]


class ExpandingQueryTransformer:
    """Asks in ``count`` other ways as well, the question itself first (langchain4j-facts 3).

    Better on purpose: trimmed, each once, the question kept; a model that writes more or
    fewer is taken at what it wrote, up to ``count``.

    Raises:
        ValueError: ``count`` is not positive.
    """

    def __init__(self, steps: ModelSteps, count: int = 3) -> None:
        if count <= 0:
            raise ValueError(f"count must be greater than 0, not {count}")
        self._steps = steps
        self._count = count

    def transform(self, query: Query) -> list[Query]:
        """Return the query and the other ways to put it."""
        values = {"count": str(self._count)}
        texts = self._steps.ask("expanding", query.text, values, _several) or []
        others = [text for text in texts if text.casefold() != query.text.strip().casefold()]
        return [query, *(_written(query, text) for text in others[: self._count])]


class HypotheticalAnswerTransformer:
    """Searches an imagined answer as well (HyDE): it is nearer to passages than a question."""

    def __init__(self, steps: ModelSteps) -> None:
        self._steps = steps

    def transform(self, query: Query) -> list[Query]:
        """Return the query and the imagined passage."""
        text = self._steps.ask("hyde", query.text, {}, _passage)
        return [query] if text is None else [query, Query(text, query.context)]


class StepBackQueryTransformer:
    """Asks the more general question behind this one as well."""

    def __init__(self, steps: ModelSteps) -> None:
        self._steps = steps

    def transform(self, query: Query) -> list[Query]:
        """Return the query and the more general one."""
        text = self._steps.ask("step_back", query.text, {}, _line)
        if text is None or text == query.text:
            return [query]
        return [query, _written(query, text)]


class ModelTranslatingQueryTransformer:
    """Has a question translated where the library has passages in the other language.

    Args:
        steps: asks the model.
        languages: the languages that there are passages in.
        otherwise: translates where the model is no help; None for nobody.
    """

    def __init__(
        self,
        steps: ModelSteps,
        languages: Callable[[], Collection[str]],
        otherwise: QueryTransformer | None = None,
    ) -> None:
        self._steps = steps
        self._languages = languages
        self._otherwise = otherwise

    def transform(self, query: Query) -> list[Query]:
        """Return the query alone, with its translation where it has one."""
        other = ENGLISH if language_of(query.text) == CHINESE else CHINESE
        if other not in self._languages() or len(query.text) > _LONGEST_QUERY:
            return [query]

        def read(reply: str) -> str | None:
            text = _line(reply)
            return text if text is not None and language_of(text) == other else None

        text = self._steps.ask("translation", query.text, {}, read)
        if text is None:
            return [query] if self._otherwise is None else self._otherwise.transform(query)
        return [replace(query, translations=((other, text),))]


class BesideQueryTransformer:
    """Gives the question to several transformers side by side: what all make, each once.

    So that what one of them makes is not rewritten by the next.
    """

    def __init__(self, transformers: Sequence[QueryTransformer]) -> None:
        self._transformers = tuple(transformers)

    def transform(self, query: Query) -> list[Query]:
        """Return the question first, then what each transformer made."""
        made = (one for each in self._transformers for one in each.transform(query))
        return list(dict.fromkeys([query, *made]))


def _one(steps: ModelSteps, step: str, query: Query, history: str) -> Query:
    if not history:
        return query
    text = steps.ask(step, query.text, {"history": history}, _line)
    return query if text is None or text == query.text else _written(query, text)


def _written(query: Query, text: str) -> Query:
    return Query(text, query.context, rewritten_note(query.text, text))


def _last_turns(history: Sequence[ChatMessage], turns: int) -> Sequence[ChatMessage]:
    """Return the messages from the ``turns``-last question on."""
    asked = [at for at, message in enumerate(history) if isinstance(message, UserMessage)]
    return history[asked[-turns] :] if len(asked) >= turns else history


def _lines(history: Sequence[ChatMessage], characters: int | None = None) -> str:
    names = {UserMessage: "User", AiMessage: "AI"}
    spoken = (
        (names[type(one)], " ".join(one.text.split())[:characters])
        for one in history
        if type(one) in names
    )
    return "\n".join(f"{name}: {text}" for name, text in spoken if text)


def _line(reply: str) -> str | None:
    """Return the one line of a reply; None for a reply that is no query."""
    lines = [line for line in map(_bare, reply.splitlines()) if line]
    return lines[0] if len(lines) == 1 and len(lines[0]) <= _LONGEST_QUERY else None


def _several(reply: str) -> list[str] | None:
    lines = (line for line in map(_bare, reply.splitlines()) if line)
    kept: dict[str, str] = {}
    for line in lines:
        if len(line) <= _LONGEST_QUERY:
            kept.setdefault(line.casefold(), line)
    return list(kept.values()) or None


def _passage(reply: str) -> str | None:
    text = " ".join(reply.split())
    return text if text and len(text) <= _LONGEST_PASSAGE else None


def _bare(line: str) -> str:
    text = _LABEL.sub("", _BULLET.sub("", line.strip())).strip(_QUOTES)
    return text if any(map(str.isalnum, text)) else ""
