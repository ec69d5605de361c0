"""Answers that a language model writes from the passages, each sentence of them checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.answering.checking.check import CheckedText, EvidenceCheck
from desktop_rag.answering.citations import PassagePlace, PassagePlaces, cite
from desktop_rag.answering.extractive import QUOTES, ExtractiveAnswerer, Ranking
from desktop_rag.answering.held_back import HeldBack
from desktop_rag.answering.messages import Asked, MessageWriter
from desktop_rag.answering.streaming import Patience, Streamed, stream
from desktop_rag.answering.wording import written_note
from desktop_rag.chat_models.protocols import ChatModel, ChatOptions
from desktop_rag.domain.answer import Answer, AnswerKind, Citation, Outcome, Support
from desktop_rag.domain.events import OnEvent, StatusEvent, Step, ignore_event
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.language import language_of
from desktop_rag.retrieval.protocols import Augmentation

LOOKUP = "lookup"
PASSAGES = 10
"""Passages of about 75 tokens: more than quotes need, for a model reads them together."""


@dataclass(frozen=True, slots=True)
class Writing:
    """What written answers are made with: shared by all questions.

    ``extractive`` answers where the model can't, and judges whether there is an answer.
    """

    extractive: ExtractiveAnswerer
    check: EvidenceCheck
    places: PassagePlaces
    messages: MessageWriter
    patience: Patience = Patience()  # noqa: RUF009  - frozen


class GenerativeAnswerer:
    """Lets a model write the answer and holds every sentence of it against its sources.

    Where the passages don't answer the question, by the extractive answerer's own confidence,
    no model is asked to invent something. Where the model fails before its first word, the
    answer is quotes and a note; what it wrote is never asked for again.

    Args:
        model: writes.
        writing: what it is made with.
        template: the name of the prompt.
        judged: whether the confidence decides if the model is asked: not for summaries and
            the like, which no single sentence answers.
    """

    def __init__(
        self, model: ChatModel, writing: Writing, template: str = LOOKUP, judged: bool = True
    ) -> None:
        self._model = model
        self._with = writing
        self._template = template
        self._judged = judged

    def answer(
        self,
        augmentation: Augmentation,
        on_event: OnEvent = ignore_event,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """Return the written answer, or quotes with a note on why it is none.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        ranking = self._with.extractive.rank(augmentation, cancel)
        unanswered = self._judged and ranking.outcome is Outcome.NOT_FOUND
        if unanswered or not augmentation.contents:
            return self._with.extractive.answer(augmentation, on_event, cancel)
        on_event(StatusEvent(Step.ANSWERING))
        try:
            asked = self._with.messages.write(
                self._model, augmentation.question, augmentation.contents, self._template
            )
        except KnownError as error:
            return self._quoted(augmentation, error, on_event, cancel)
        turn = _Turn(self._model.name, augmentation, asked, self._with, ranking, cancel)
        on_event(StatusEvent(Step.SOURCES, turn.quotes))
        held = HeldBack(lambda text: on_event(StatusEvent(Step.TEXT, text)))
        options = ChatOptions(max_tokens=asked.reply_tokens)
        came = stream(self._model, asked.messages, options, held.add, cancel, self._with.patience)
        held.flush()
        if came.text.strip():
            return turn.refused(came) if held.refused else turn.answer(came)
        return self._quoted(augmentation, came.broken, on_event, cancel, came)

    def _quoted(
        self,
        augmentation: Augmentation,
        error: KnownError | None,
        on_event: OnEvent,
        cancel: CancelToken | None,
        came: Streamed | None = None,
    ) -> Answer:
        """Answer with quotes, and say why."""
        language = language_of(augmentation.question.text)
        why = (
            written_note("blank", language) if error is None else f"{error.title}: {error.message}"
        )

        def tell(event: StatusEvent) -> None:
            if event.step is not Step.ANSWERING:
                on_event(event)

        answer = self._with.extractive.answer(augmentation, tell, cancel)
        note = written_note("instead", language, why)
        return replace(
            answer,
            notes=(*answer.notes, note),
            reasoning=came.reasoning if came else "",
        )


@dataclass(frozen=True, slots=True)
class _Turn:
    """One question with its sources, and what becomes of the reply."""

    model: str
    augmentation: Augmentation
    asked: Asked
    writing: Writing
    ranking: Ranking
    cancel: CancelToken | None

    @property
    def places(self) -> list[PassagePlace]:
        """Where the sources stand."""
        return self.writing.places.of(self.asked.contents)

    @property
    def language(self) -> str:
        """The question's."""
        return language_of(self.augmentation.question.text)

    @property
    def quotes(self) -> tuple[Citation, ...]:
        """The best sentence of each of the best sources, with the source's own number."""
        places = self.places
        found: dict[int, Citation] = {}
        for one in self.ranking.sentences:
            if len(found) < QUOTES and one.content < len(places) and one.content not in found:
                content = self.asked.contents[one.content]
                if content.key == self.augmentation.contents[one.content].key:
                    found[one.content] = cite(
                        content, places[one.content], one.content + 1, one.span
                    )
        return tuple(found[at] for at in sorted(found))

    def answer(self, came: Streamed) -> Answer:
        """Return what came, checked, with notes on what is wrong with it."""
        checked = self.writing.check.check(
            came.text, self.asked.contents, self.places, self.language, self.cancel
        )
        borne_out = any(one.support is not Support.UNSUPPORTED for one in checked.sentences)
        outcome = self.ranking.outcome
        if not borne_out or outcome is Outcome.NOT_FOUND:
            outcome = Outcome.MAYBE
        whole = borne_out and came.broken is None
        return replace(
            self._with(came, checked.text, outcome),
            citations=checked.citations,
            sentences=checked.sentences,
            nearest=() if whole else self.quotes,
            notes=(*self.augmentation.notes, *self.asked.notes, *self._notes(came, checked)),
        )

    def refused(self, came: Streamed) -> Answer:
        """Return that the model found nothing, with what is nearest."""
        said = self.writing.extractive.empty_context.reply(
            self.augmentation.question.text, self.cancel
        )
        answer = self._with(came, said.text, Outcome.NOT_FOUND)
        notes = (*self.augmentation.notes, *self.asked.notes, *said.notes)
        kind = answer.kind if said.kind is AnswerKind.EXTRACTIVE else said.kind
        return replace(answer, kind=kind, nearest=self.quotes, notes=notes)

    def _with(self, came: Streamed, text: str, outcome: Outcome) -> Answer:
        return Answer(
            text=text,
            outcome=outcome,
            confidence=self.ranking.confidence,
            kind=AnswerKind.GENERATIVE,
            contents=self.asked.contents,
            queries=tuple(query.text for query in self.augmentation.queries),
            model=self.model,
            reasoning=came.reasoning,
            usage=came.usage,
        )

    def _notes(self, came: Streamed, checked: CheckedText) -> Sequence[str]:
        notes = []
        if came.broken is not None:
            why = f"{came.broken.title}: {came.broken.message}"
            notes.append(written_note("broke_off", self.language, why))
        if came.cut:
            notes.append(written_note("cut", self.language))
        if all(one.support is Support.UNSUPPORTED for one in checked.sentences):
            notes.append(written_note("unsupported", self.language))
        return notes
