"""Answers that quote, on a real store with small texts and models that know only words."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_rag.answering.evidence import SENTENCE_FEATURES, EvidenceReader
from desktop_rag.answering.extractive import quote_of
from desktop_rag.answering.wording import differing_note
from desktop_rag.domain.answer import AnswerKind, Citation, Outcome
from desktop_rag.domain.events import Step
from desktop_rag.domain.messages import AiMessage, UserMessage
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.query import Query
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled
from desktop_rag.retrieval.scoring.token_vectors import TokenVectors
from tests.helpers.answering_desk import Desk, judgement


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory):
    opened = Desk(tmp_path_factory.mktemp("desk"))
    opened.pool.submit(int).result()
    yield opened
    opened.close()


def test_the_answer_quotes_the_sentence_with_its_exact_place(desk):
    answer = desk.answer("When is the rent due?")
    assert answer.outcome is Outcome.ANSWER
    assert answer.answerable
    assert answer.kind is AnswerKind.EXTRACTIVE
    [citation] = answer.citations
    assert citation.quote == "The rent is due on the first day."
    assert answer.text == "“The rent is due on the first day.” [1]"
    document = desk.store.document(citation.document_id)
    assert document.text[citation.start : citation.end] == citation.quote
    assert citation.heading == "Lease"
    assert citation.metadata["file_name"] == "lease.md"
    assert citation.paths == ("/library/lease.md", "/library/copy of lease.md")
    assert answer.queries == ("When is the rent due?",)
    assert answer.nearest == ()


def test_several_quotes_stand_in_reading_order(desk):
    answer = desk.answer("rent")
    quotes = [one.quote for one in answer.citations]
    assert 2 <= len(quotes) <= 3
    assert [one.start for one in answer.citations] == sorted(one.start for one in answer.citations)
    assert [one.number for one in answer.citations] == list(range(1, len(quotes) + 1))
    assert answer.text == "\n\n".join(f"“{q}” [{n}]" for n, q in enumerate(quotes, start=1))


def test_every_quote_is_what_the_document_says(desk):
    for question in ("rent", "deposit", "parties of the lease", "付款期限", "利息", "pets allowed"):
        for one in desk.answer(question).citations:
            document = desk.store.document(one.document_id)
            assert document.text[one.start : one.end] == one.quote


def test_what_is_not_there_is_not_found(desk):
    answer = desk.answer("Which month has the prime number theorem of physics and chemistry?")
    assert answer.outcome is Outcome.NOT_FOUND
    assert answer.text == "Not found in your documents."
    assert answer.citations == ()
    assert 1 <= len(answer.nearest) <= 3
    assert not answer.answerable
    for one in answer.nearest:
        assert desk.store.document(one.document_id).text[one.start : one.end] == one.quote


def test_not_found_speaks_the_questions_language(desk):
    answer = desk.answer("量子力学的基本原理是什么？")
    assert (answer.outcome, answer.text) == (Outcome.NOT_FOUND, "文档中没有找到。")


def test_a_library_without_any_hit_has_nothing_near(desk):
    answer = desk.answer("zzz qqq")
    assert answer.outcome is Outcome.NOT_FOUND
    assert answer.confidence == 0.0
    assert answer.nearest == ()
    assert answer.contents == ()


def test_a_chinese_question_gets_a_chinese_sentence(desk):
    answer = desk.answer("付款期限是多久？")
    assert "付款期限为三十天。" in [one.quote for one in answer.citations]


def test_between_the_thresholds_is_maybe(desk):
    answerer = desk.with_judgement(judgement(answer_from=1.0, maybe_from=0.2))
    answer = answerer.answer(desk.found("When is the rent due?"))
    assert answer.outcome is Outcome.MAYBE
    assert not answer.answerable
    assert answer.citations


def test_a_follow_up_is_read_with_the_question_before_it(desk):
    answer = desk.answer(
        "tell me more", UserMessage("When is the deposit returned?"), AiMessage("Soon.")
    )
    assert any(one.quote.endswith("It is returned within 30 days.") for one in answer.citations)
    assert answer.queries[0] == "tell me more"
    assert len(answer.queries) == 3


def test_ranking_gives_every_sentence_once_whatever_the_confidence(desk):
    found = desk.found("rent deposit pets parties")
    ranking = desk.answerer.rank(found)
    quotes = [quote_of(found.contents, one) for one in ranking.sentences]
    assert len(quotes) == len(set(quotes)) >= 6
    scores = [one.score for one in ranking.sentences]
    assert scores == sorted(scores, reverse=True)
    assert ranking == desk.answerer.rank(found)


def test_one_run_of_the_model_a_passage_and_none_for_what_is_known(desk):
    runs = desk.spaces.for_language("en").runs
    found = desk.found("deposit returned")
    desk.answerer.rank(found)
    runs.clear()
    desk.answerer.rank(found)
    assert runs == ["deposit returned"]


def test_the_steps_are_told(desk):
    events = []
    answer = desk.answer("When is the rent due?", on_event=events.append)
    assert [event.step for event in events] == [Step.ANSWERING, Step.SOURCES, Step.TEXT]
    assert events[1].detail == answer.citations
    assert events[2].detail == answer.text


def test_a_cancelled_answer_is_none(desk):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        desk.answer("When is the rent due?", cancel=cancel)


@pytest.mark.parametrize("wrong", [{"passages": 0}, {"quotes": 0}])
def test_arguments_are_checked_when_built(desk, wrong):
    with pytest.raises(ValueError, match="greater than 0"):
        desk.with_judgement(judgement(), **wrong)


def test_features_are_what_they_are_called(desk):
    contents = desk.found("When is the rent due?").contents
    [evidence] = EvidenceReader(desk.store, TokenVectors(desk.spaces, desk.pool)).read(
        Query("When is the rent due?"), contents
    )
    assert evidence.features.shape == (len(evidence.sentences), len(SENTENCE_FEATURES))
    quotes = [quote_of(contents, one) for one in evidence.sentences]
    row = dict(
        zip(
            SENTENCE_FEATURES,
            evidence.features[quotes.index("The rent is due on the first day.")],
            strict=True,
        )
    )
    assert row["coverage"] == row["coverage_with_before"] == pytest.approx(1.0)
    assert 0 < row["sentence_match"] <= row["window_match"] <= row["passage_match"] <= 1.001
    assert row["answer_type"] == -1.0
    assert np.isfinite(evidence.features).all()


def test_files_that_disagree_are_told_with_their_dates():
    citations = [
        Citation(
            number=number,
            path=f"/papers/{name}",
            page=None,
            start=0,
            end=len(quote),
            quote=quote,
            metadata=Metadata({"modified": changed}),
            document_id=number,
        )
        for number, (name, quote, changed) in enumerate(
            [
                ("old.txt", "The rent is 800 dollars.", "2023-01-05"),
                ("new.txt", "The rent is 900 dollars.", "2024-08-14"),
            ],
            start=1,
        )
    ]
    assert differing_note("en", citations) == (
        "Your files say this differently: [2] new.txt (changed 2024-08-14); "
        "[1] old.txt (changed 2023-01-05)."
    )
    assert differing_note("zh", citations) == (
        "文件中的说法不一致：[2] new.txt（修改于 2024-08-14）；[1] old.txt（修改于 2023-01-05）。"
    )
