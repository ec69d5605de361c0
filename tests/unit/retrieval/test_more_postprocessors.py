"""Near copies, the order for long contexts, and passages cut to what matters."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.query import Query
from desktop_rag.retrieval.postprocessors.compression import CompressionPostProcessor
from desktop_rag.retrieval.postprocessors.copies import other_documents
from desktop_rag.retrieval.postprocessors.near_copies import NearCopiesPostProcessor
from desktop_rag.retrieval.postprocessors.reorder import LongContextReorderPostProcessor
from tests.helpers.retrieval_parts import content, contents, texts

QUESTION = Query("how long is the warranty?")
TEXT = "The warranty of the compressor lasts for seven years and covers all of its moving parts."


def passage(text: str, document: int, score: float, modified: str = "2024-01-01") -> Content:
    return content(text, score, document_id=document, modified=modified)


def kept(*found: Content) -> list[Content]:
    return NearCopiesPostProcessor().process(QUESTION, list(found))


def test_a_draft_is_one_result_with_the_final_text_and_both_places() -> None:
    draft = passage(TEXT.replace("covers", "cover"), 1, 0.9, "2023-05-01")
    final = passage(TEXT, 2, 0.8, "2024-02-01")
    (shown,) = kept(draft, final)
    assert shown.segment.text == TEXT
    assert shown.score == 0.9
    assert other_documents(shown) == (1,)
    (same,) = kept(final, draft)
    assert same.segment.text == TEXT


def test_the_places_of_all_copies_of_all_versions_are_kept() -> None:
    draft = passage(TEXT.replace("covers", "cover"), 1, 0.9, "2023-05-01")
    final = passage(TEXT, 2, 0.8, "2024-02-01").noted(ContentKey.ALSO_IN, "7")
    (shown,) = kept(draft.noted(ContentKey.ALSO_IN, "5"), final)
    assert set(other_documents(shown)) == {1, 5, 7}
    (shown,) = kept(final, draft.noted(ContentKey.ALSO_IN, "5"))
    assert set(other_documents(shown)) == {1, 5, 7}


def test_only_the_first_are_compared_and_the_rest_stays_behind_them() -> None:
    found = [passage(TEXT, n, 1.0 - n / 10) for n in range(1, 5)]
    left = NearCopiesPostProcessor(most=2).process(QUESTION, found)
    assert [one.segment.metadata["document_id"] for one in left] == [1, 3, 4]
    with pytest.raises(ValueError, match="most"):
        NearCopiesPostProcessor(most=0)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        (TEXT, TEXT.replace("seven", "nine")),
        (TEXT.replace("seven", "7"), TEXT.replace("seven", "9")),
        (TEXT, TEXT.replace("and covers", "and never covers")),
        (TEXT.replace("compressor", "Atlas pump"), TEXT.replace("compressor", "Bosch pump")),
        (
            "买方应当在合同签订之后的三十天之内付清货款",
            "买方应当在合同签订之后的六十天之内付清货款",
        ),
        (
            "买方在合同签订之后应当承担全部相应的运输费用",
            "买方在合同签订之后不应当承担全部相应的运输费用",
        ),
    ],
)
def test_what_says_another_thing_stays_however_alike(text: str, other: str) -> None:
    assert len(kept(passage(text, 1, 0.9), passage(other, 2, 0.8))) == 2


def test_other_words_and_other_places_of_a_document_stay() -> None:
    different = "The pump of hall four has no warranty, but its maker repairs it for free."
    assert len(kept(passage(TEXT, 1, 0.9), passage(different, 2, 0.8))) == 2
    assert len(kept(passage(TEXT, 1, 0.9), passage(TEXT + " Indeed.", 1, 0.8))) == 2


def test_chinese_versions_are_near_copies_too() -> None:
    text = "买方应当在合同签订之后的三十天之内向卖方付清全部货款并承担相应的运输费用"
    assert len(kept(passage(text, 1, 0.9), passage(text.replace("向卖方", "对卖方"), 2, 0.8))) == 1


def test_a_likeness_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="likeness"):
        NearCopiesPostProcessor(0.0)


@pytest.mark.parametrize(
    ("before", "after"),
    [("", ""), ("a", "a"), ("a b", "a b"), ("a b c d e", "a c e d b"), ("a b c d", "a c d b")],
)
def test_the_best_stand_at_both_ends(before: str, after: str) -> None:
    assert texts(LongContextReorderPostProcessor().process(QUESTION, contents(before))) == after


class Judge:
    def score_all(self, texts: Sequence[str], query: str) -> list[float]:
        return [1.0 if "warranty" in text else 0.2 for text in texts]


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("It is blue. The warranty is long. It is heavy. It hums.", "… The warranty is long. …"),
        ("The warranty is long. It is blue.", "The warranty is long. …"),
        ("It is blue. It hums.", "It is blue. It hums."),
        ("One sentence alone", "One sentence alone"),
    ],
)
def test_a_passage_keeps_the_sentences_that_matter(text: str, short: str) -> None:
    found = content(text, 0.7, page=3)
    (shown,) = CompressionPostProcessor(Judge()).process(QUESTION, [found])
    assert shown.segment.text == short
    assert (shown.metadata[ContentKey.SCORE], shown.segment.metadata["page"]) == (0.7, 3)
