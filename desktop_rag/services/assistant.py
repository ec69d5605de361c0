"""The door to questions: search, ask, and the chats in which one asks."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from desktop_rag.answering.catalog import CatalogAnswerer
from desktop_rag.answering.empty_context import EmptyContext, EmptyContextReplies
from desktop_rag.answering.wording import coverage_note
from desktop_rag.conversation.chat_session import HISTORY_TOKENS, ChatSession
from desktop_rag.conversation.intents import IntentRecogniser
from desktop_rag.conversation.memory import TokenWindow
from desktop_rag.conversation.small_talk import small_talk
from desktop_rag.domain.answer import Answer, LibraryCoverage
from desktop_rag.domain.content import Content
from desktop_rag.domain.events import OnEvent, StatusEvent, Step, ignore_event, with_seconds
from desktop_rag.domain.files import FileStatus
from desktop_rag.domain.filter import Filter, all_of
from desktop_rag.domain.intent import Intent, Understood
from desktop_rag.domain.messages import ChatMessage, UserMessage
from desktop_rag.domain.query import QueryContext
from desktop_rag.domain.scope import Scope
from desktop_rag.embedding.spaces import EmbeddingSpaces
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.language import ENGLISH, language_of
from desktop_rag.retrieval.filter_expression import parse_filter, split_question
from desktop_rag.retrieval.injectors.prompts import Prompts
from desktop_rag.services.assistant_parts import SEARCH_THREADS, AssistantParts, AssistantSettings
from desktop_rag.services.chat_desk import ChatDesk
from desktop_rag.services.collecting import no_collection
from desktop_rag.services.documents_meant import documents_meant
from desktop_rag.services.search_report import (
    SEARCH_MODES,
    SearchMode,
    SearchReport,
    SearchResult,
    Trial,
)
from desktop_rag.services.slots import NO_SLOTS, Slots
from desktop_rag.services.trying import Trying
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.text.dictionary import BilingualDictionary

__all__ = [
    "SEARCH_MODES",
    "Assistant",
    "AssistantSettings",
    "SearchMode",
    "SearchReport",
    "SearchResult",
    "Trial",
]


class Assistant(ChatDesk):
    """Answers from the library; every method may be called from any thread.

    ``parts`` is what questions go through, for those who measure single steps.

    Args:
        store: the library's store, open.
        spaces: the embedding models.
        settings: how much is searched and quoted; None for the defaults.
        slots: parts of one's own.
        prompts: what language models are asked with; None for the program's own.
        dictionary: what words mean in the other language; None where questions are asked
            in their own alone.
    """

    def __init__(
        self,
        store: KnowledgeStore,
        spaces: EmbeddingSpaces,
        settings: AssistantSettings | None = None,
        slots: Slots = NO_SLOTS,
        dictionary: BilingualDictionary | None = None,
        prompts: Prompts | None = None,
    ) -> None:
        super().__init__(store)
        self._intents = IntentRecogniser()
        self._settings = settings or AssistantSettings()
        self._spaces = spaces
        self._executor = ThreadPoolExecutor(SEARCH_THREADS, thread_name_prefix="search")
        self.parts = AssistantParts(
            store, spaces, self._executor, self._settings, slots, dictionary, prompts
        )

    def search(
        self,
        text: str,
        k: int = 10,
        mode: SearchMode = "hybrid",
        filter_text: str = "",
        rerank: bool = False,
        cancel: CancelToken | None = None,
        scope: Scope | None = None,
    ) -> SearchReport:
        """Return the best ``k`` passages for ``text``; none for text without words.

        ``type:pdf`` and the like in ``text`` are a condition, as in ``filter_text``. What
        is not within ``scope`` is not looked at.

        Raises:
            ValueError: ``k`` is not positive or ``mode`` is unknown.
            KnownError: a condition can't be understood, or a collection is not there.
            Cancelled: ``cancel`` was set.
        """
        started = time.perf_counter()
        if k <= 0:
            raise ValueError(f"k must be greater than 0, not {k}")
        words, condition = split_question(text)
        condition = all_of(self._within(scope), parse_filter(filter_text), condition)
        context = QueryContext(filter=condition)
        augmentor = self.parts.augmentor(mode, rerank, max(k, self._settings.depth), cancel)
        if not words.strip():
            return SearchReport(seconds=time.perf_counter() - started)
        found = augmentor.augment(UserMessage(words), context, ignore_event, cancel)
        results = self._results(found.contents[:k])
        return SearchReport(results, time.perf_counter() - started, found.notes)

    def ask(
        self,
        text: str,
        chat: int | None = None,
        filter_text: str = "",
        rerank: bool = True,
        on_event: OnEvent = ignore_event,
        cancel: CancelToken | None = None,
        scope: Scope | None = None,
        replace_last: bool = False,
    ) -> Answer:
        """Answer ``text`` with quotes, and keep both in ``chat`` when one is given.

        A question about the library itself is answered with its files, all of them.
        ``type:pdf`` and the like in ``text`` are a condition, as in ``filter_text``. What
        is not within ``scope`` is not looked at.

        The question is kept before it is searched, so that closing the program in the
        middle loses nothing; a cancelled question stays without an answer. With
        ``replace_last`` it takes the place of the chat's last question and its answer.

        Raises:
            ValueError: ``text`` is blank.
            KnownError: a condition can't be understood, or a collection is not there.
            Cancelled: ``cancel`` was set.
        """
        started = time.perf_counter()
        if not text.strip():
            raise ValueError("a question must not be blank")
        tell = with_seconds(on_event, started)
        words, condition = split_question(text)
        condition = all_of(self._within(scope), parse_filter(filter_text), condition)
        session = self._session(chat, replace_last) if chat is not None else None
        history = session.history() if session else ()
        if session:
            session.add_question(text)
        context = QueryContext(UserMessage(text), history, condition, chat)
        message = UserMessage(words if words.strip() else text)
        answer = self._answered(message, context, rerank, tell, cancel)
        answer = self._completed(answer, text, started)
        if session:
            answer = replace(answer, message_id=session.add_answer(answer))
        tell(StatusEvent(Step.DONE, answer))
        return answer

    def trial(
        self,
        text: str,
        k: int,
        mode: SearchMode,
        rerank: bool,
        quotes: int,
        cancel: CancelToken | None = None,
        history: tuple[ChatMessage, ...] = (),
    ) -> Trial:
        """Search and quote for measuring: ``quotes`` sentences, whatever the confidence.

        ``history`` is the conversation before the question, oldest first. ``seconds`` are
        those of what a user would wait for; without quotes to make, nothing is read
        sentence by sentence.

        Raises:
            ValueError: ``text`` is blank, ``k`` is not positive, ``mode`` is unknown.
            KnownError: a condition typed in ``text`` can't be understood.
            Cancelled: ``cancel`` was set.
        """
        started = time.perf_counter()
        trying = Trying(max(k, self._settings.depth), mode, rerank, quotes, cancel)
        tried = trying.question(self.parts, text, QueryContext(history=history))
        seconds = time.perf_counter() - started
        return Trial(
            self._results(tried.contents[:k]),
            tried.quotes,
            tried.confidence,
            seconds,
            tried.outcome,
            tried.about_library,
        )

    def coverage(self) -> LibraryCoverage:
        """Return how many files can be searched, of how many that are not ignored."""
        counts = self._store.count_files()
        files = sum(n for status, n in counts.items() if status is not FileStatus.IGNORED)
        return LibraryCoverage(
            ready=counts.get(FileStatus.READY, 0),
            files=files,
            failed=counts.get(FileStatus.FAILED, 0),
        )

    def set_empty_context(self, choice: str, text: str = "") -> None:
        """Say from now on what ``choice`` means where no document has the answer.

        Args:
            choice: a value of ``EmptyContext``.
            text: the words for ``own_text``.

        Raises:
            ValueError: there is no such choice.
        """
        self.parts.answerer.empty_context = EmptyContextReplies(
            EmptyContext(choice), text, self.parts.writers.general
        )

    def close(self) -> None:
        """End the threads; questions after this raise RuntimeError."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _session(self, chat: int, replace_last: bool) -> ChatSession:
        count = self._spaces.for_language(ENGLISH).counter.count
        session = ChatSession(self._store, chat, window=TokenWindow(HISTORY_TOKENS, count))
        if replace_last:
            session.replace_last_turn()
        return session

    def _answered(
        self,
        message: UserMessage,
        context: QueryContext,
        rerank: bool,
        tell: OnEvent,
        cancel: CancelToken | None,
    ) -> Answer:
        text = context.user_message.text if context.user_message else message.text
        steps = self.parts.steps.begin(cancel)
        intent = self._intents.recognise(text, self.parts.steps.intent(steps))
        if intent is Intent.GENERAL and context.filter is None:
            return small_talk(text)
        augmentor, answerer = self.parts.for_question(text, rerank, cancel, steps)
        if not isinstance(answerer, CatalogAnswerer) and not self.parts.has_own_answerer:
            of_some = intent in (Intent.SUMMARY, Intent.COMPARISON)
            documents = documents_meant(self._store, text, context) if of_some else ()
            answerer = self.parts.writers.for_intent(Understood(intent, documents))
        return answerer.answer(augmentor.augment(message, context, tell, cancel), tell, cancel)

    def _within(self, scope: Scope | None) -> Filter | None:
        if scope is None:
            return None
        members = {one.name: one.source_ids for one in self._store.collections()}
        try:
            return scope.condition(members)
        except LookupError as error:
            raise no_collection(str(error.args[0])) from error

    def _completed(self, answer: Answer, text: str, started: float) -> Answer:
        coverage = self.coverage()
        note = coverage_note(coverage, language_of(text))
        notes = (*answer.notes, *([note] if note else []))
        seconds = time.perf_counter() - started
        return replace(answer, coverage=coverage, notes=notes, seconds=seconds)

    def _results(self, contents: tuple[Content, ...]) -> tuple[SearchResult, ...]:
        places = self.parts.places.of(contents)
        return tuple(
            SearchResult(
                rank=rank,
                score=content.score,
                text=content.segment.text,
                path=place.path,
                paths=place.paths,
                page=place.page,
                heading=place.heading,
                start=place.start,
                end=place.end,
                segment=place.segment_id,
                metadata=content.segment.metadata,
                document_id=place.document_id,
                lines=place.lines,
            )
            for rank, (content, place) in enumerate(zip(contents, places, strict=True), start=1)
        )
