"""Summaries of whole documents and comparisons, with a model and without."""

from __future__ import annotations

import pytest

from desktop_rag.answering.comparison import ComparisonAnswerer
from desktop_rag.answering.whole import SummaryAnswerer
from desktop_rag.domain.answer import AnswerKind, Support
from desktop_rag.domain.events import Step
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from tests.helpers.answering_desk import Desk
from tests.helpers.scripted_model import Hang, ScriptedModel

LONG = "\n\n".join(
    f"# Part {n}\n\nThe machine number {n} stands in hall {n * 7}. It weighs {n * 11} tons."
    for n in range(1, 31)
)
TEXTS = {
    "long.md": LONG,
    "old.txt": "The old contract costs 900 dollars. It ends in May.",
    "new.txt": "The new contract costs 950 dollars. It ends in June.",
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory):
    opened = Desk(tmp_path_factory.mktemp("desk"), TEXTS)
    opened.pool.submit(int).result()
    yield opened
    opened.close()


def document(desk, question: str, name: str) -> int:
    found = desk.found(question).contents
    return next(
        one.segment.metadata["document_id"]
        for one in found
        if one.segment.metadata["file_name"] == name
    )


def summarised(desk, model, events=None, cancel=None):
    number = document(desk, "machine", "long.md")
    answerer = SummaryAnswerer(model, desk.writing(first=0.2), desk.store, (number,))
    tell = events.append if events is not None else (lambda _event: None)
    return answerer.answer(desk.found("Summarise long.md"), tell, cancel)


def test_a_document_longer_than_the_context_is_summarised_part_by_part(desk):
    model = ScriptedModel(["The machine number 3 stands in hall 21 [1]."], context_tokens=600)
    events = []
    answer = summarised(desk, model, events)

    assert answer.kind is AnswerKind.GENERATIVE
    assert len(model.asked) > 3
    for asked, options in zip(model.asked, model.options, strict=True):
        read = sum(model.count_tokens(one.text) for one in asked)
        assert read + options.max_tokens <= 600
    parts = [one.detail for one in events if one.step is Step.ANSWERING]
    assert parts[0][0] == 0
    assert parts[0][1] > 1
    assert parts[-1] == (0, 1)
    assert answer.sentences[0].support is not Support.UNSUPPORTED
    assert answer.citations[0].quote.startswith("The machine number 3 stands")
    read_first = model.asked[0][-1].text
    assert read_first.index("number 1 ") < read_first.index("number 2 ")


@pytest.mark.parametrize("reply", [KnownError("Gone", "Start it."), "", Hang()])
def test_a_model_that_fails_leaves_quotes_of_the_sections(desk, reply):
    answer = summarised(desk, ScriptedModel([reply]))

    assert answer.kind is AnswerKind.EXTRACTIVE
    assert any("quotes instead" in note for note in answer.notes)
    assert len(answer.citations) == 8


def test_without_a_model_the_sections_begin_to_tell(desk):
    answer = summarised(desk, None)

    assert answer.text.startswith("Part 1\n“The machine number 1 stands in hall 7.” [1]")
    assert [one.start for one in answer.citations] == sorted(one.start for one in answer.citations)
    for citation in answer.citations:
        text = desk.store.document(citation.document_id).text
        assert text[citation.start : citation.end] == citation.quote


def test_a_summary_can_be_cancelled(desk):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        summarised(desk, ScriptedModel([Hang()]), cancel=cancel)


@pytest.mark.parametrize("with_model", [True, False])
def test_a_comparison_has_both_sides_with_their_citations(desk, with_model):
    said = "- The old contract costs 900 dollars [1], the new contract costs 950 dollars [2]."
    model = ScriptedModel([said]) if with_model else None
    numbers = [document(desk, "contract", name) for name in ("old.txt", "new.txt")]
    answerer = ComparisonAnswerer(model, desk.writing(), desk.store, numbers)
    answer = answerer.answer(desk.found("What do the contracts cost?"))

    assert [one.path for one in answer.citations] == ["/library/old.txt", "/library/new.txt"]
    assert [one.quote for one in answer.citations] == [
        "The old contract costs 900 dollars.",
        "The new contract costs 950 dollars.",
    ]
    if not with_model:
        assert answer.text.startswith("old.txt: “The old contract costs 900 dollars.” [1]")
