from __future__ import annotations

from collections import Counter
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rag.domain.document import Document
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.prepared import PreparedDocument
from desktop_rag.ingestion.splitters.cuts import Sized, cut
from desktop_rag.ingestion.splitters.sizes import SegmentSizes, SizeCounter
from tests.helpers.preparing import paragraphs, prepared, spaces, splitter

CHINESE = "合同签订后买方应当在三十天内付清全部货款，逾期按日支付千分之五的违约金。"

TARGET = SegmentSizes().target


def texts(document: PreparedDocument) -> list[str]:
    return [document.text[s.start : s.end] for s in document.segments]


def test_segments_are_whole_sentences_of_about_the_target() -> None:
    document = prepared("\n\n".join(paragraphs(1, 60, 6)))

    sizes = [segment.tokens for segment in document.segments]
    assert 0.8 * TARGET <= median(sizes) <= 1.3 * TARGET
    assert max(sizes) <= SegmentSizes().longest + 2
    assert all(text.endswith(".") and text[0].isupper() for text in texts(document))


def test_nothing_is_lost_and_nothing_is_twice() -> None:
    document = prepared("\n\n".join(paragraphs(2, 80, 9)))

    letters = "".join("".join(texts(document)).split())
    assert letters == "".join(document.text.split())


def test_parents_hold_their_segments() -> None:
    document = prepared("\n\n".join(paragraphs(3, 80, 6)))

    for segment in document.segments:
        parent = document.parents[segment.parent]
        assert parent.start <= segment.start < segment.end <= parent.end
    inside = Counter(segment.parent for segment in document.segments)
    sizes = SegmentSizes()
    expected = sizes.parent / sizes.target
    assert 0.7 * expected <= len(document.segments) / len(document.parents) <= 1.3 * expected
    assert set(inside) == set(range(len(document.parents)))


@pytest.mark.parametrize("target", [48, 96, 160])
def test_the_target_is_configurable(target: int) -> None:
    document = prepared(
        "\n\n".join(paragraphs(4, 60, 6)), sizes=SegmentSizes(target=target, parent=4 * target)
    )

    assert 0.8 * target <= median(s.tokens for s in document.segments) <= 1.3 * target


def test_chinese_is_split_between_its_sentences_for_its_own_model() -> None:
    document = prepared(CHINESE * 40)

    assert {segment.space for segment in document.segments} == {spaces()["zh"].name}
    assert all(text.endswith("。") for text in texts(document))
    assert 0.8 * TARGET <= median(s.tokens for s in document.segments) <= 1.3 * TARGET


def test_languages_do_not_share_segments() -> None:
    document = prepared(
        "\n".join(["Payment is due within thirty days of the invoice.", CHINESE] * 8)
    )

    assert {s.language for s in document.segments} == {"en", "zh"}
    for segment in document.segments:
        chinese = "合同" in document.text[segment.start : segment.end]
        assert chinese == (segment.language == "zh")


def test_a_few_foreign_words_stay_with_their_neighbours() -> None:
    document = prepared("\n".join([CHINESE, "iPhone 15", CHINESE, "2024-03-01", CHINESE]))

    assert {segment.language for segment in document.segments} == {"zh"}


def test_segments_never_cross_a_section() -> None:
    document = prepared(
        "# Book\n\n## One\n\nShort text of one.\n\n## Two\n\nShort text of two.\n", "a.md"
    )

    assert [s.heading_path for s in document.segments] == [("Book", "One"), ("Book", "Two")]
    assert document.segments[0].text == "Book › One\nShort text of one."
    assert document.headings == ("One", "Two")


def test_small_subsections_may_share_a_segment() -> None:
    document = prepared(
        "## Part\n\n" + "".join(f"### Item {i}\n\nA few words on it.\n\n" for i in range(4)), "a.md"
    )

    assert len(document.segments) == 1
    assert "Item 3" in document.segments[0].text


def test_a_heading_without_text_is_text() -> None:
    document = prepared("# T\n\n## Lonely\n\n## Full\n\nWords here.\n\n## Last one\n", "a.md")

    joined = "\n".join(texts(document))
    assert "Lonely" in joined
    assert "Last one" in joined


def test_a_table_repeats_its_header() -> None:
    rows = "".join(f"| SKU-{i} | Valve type {i} | {i}.50 |\n" for i in range(80))
    document = prepared(f"# Prices\n\n| Code | Name | Price |\n|---|---|---|\n{rows}", "a.md")

    assert len(document.segments) > 5
    assert all("Code Name Price" in segment.text for segment in document.segments)
    row = next(s for s in document.segments if "SKU-60 " in s.text)
    assert "Valve type 60 60.50" in row.text
    assert document.text[row.start : row.end].startswith("| SKU-")


@pytest.mark.parametrize("name", ["a.csv", "a.md"])
def test_a_wide_table_repeats_the_names_of_the_cells_that_are_there(name: str) -> None:
    columns = [f"Measurement of valve {n}" for n in range(150)]
    rows = [[f"{row}.{column:03}" for column in range(150)] for row in range(5)]
    if name == "a.md":
        table = [columns, ["---"] * 150, *rows]
        text = "\n".join(f"| {' | '.join(cells)} |" for cells in table)
    else:
        text = "\n".join(",".join(cells) for cells in [columns, *rows])

    document = prepared(text, name)

    assert len(document.segments) < 300
    assert max(segment.tokens for segment in document.segments) < 300
    row = next(s for s in document.segments if "3.077" in s.text)
    assert "Measurement of valve 77 " in f"{row.text} "
    assert "Measurement of valve 40 " not in f"{row.text} "


def test_code_is_split_between_lines() -> None:
    code = "\n".join(f"value_{i} = compute(value_{i - 1}, {i})" for i in range(1, 60))
    document = prepared(f"# Code\n\n```python\n{code}\n```\n", "a.md")

    assert len(document.segments) > 2
    assert all(text.startswith("value_") for text in texts(document))


def test_a_sentence_that_is_too_long_is_cut_at_clauses_then_words() -> None:
    clause = "the buyer pays the seller the whole amount without any deduction at all"
    document = prepared(", ".join([clause] * 30) + ".\n\n" + " ".join(["word"] * 900))

    assert max(s.tokens for s in document.segments) <= SegmentSizes().longest + 2
    cuts = [text for text in texts(document) if text.startswith("the buyer")]
    assert all(text.endswith((",", ".")) for text in cuts)
    assert all(set(text.split()) == {"word"} for text in texts(document)[len(cuts) :])


@pytest.mark.parametrize("line", ["a" * 1_000_000, "ab1," * 250_000, "合同" * 200_000])
def test_a_long_line_without_spaces_is_cut_in_linear_time(line: str) -> None:
    split = splitter().split(Document(line))

    assert "".join(segment.text for segment in split) == line
    assert max(len(segment.text) for segment in split) < 1200


@pytest.mark.parametrize("most_sentences", [2, 12, 60])
def test_a_small_edit_changes_few_segments(most_sentences: int) -> None:
    parts = paragraphs(5, 1200 // most_sentences, most_sentences)
    before = Counter(s.text_hash for s in prepared("\n\n".join(parts)).segments)

    for position, new in (
        (3, parts[3] + " One more sentence was added at the end."),
        (len(parts) // 2, "A new beginning was put before it. " + parts[len(parts) // 2]),
        (len(parts) - 2, "All of this paragraph was written anew."),
    ):
        edited = [*parts[:position], new, *parts[position + 1 :]]
        after = Counter(s.text_hash for s in prepared("\n\n".join(edited)).segments)
        assert sum((after - before).values()) <= 5


def test_an_edit_of_a_book_changes_few_segments() -> None:
    parts = [
        f"## Section {i}\n\n{text}" if i % 9 == 0 else text
        for i, text in enumerate(paragraphs(6, 300, 7))
    ]
    before = Counter(s.text_hash for s in prepared("\n\n".join(parts), "a.md").segments)
    parts.insert(100, "A paragraph that was not there before, with a few words in it.")
    after = Counter(s.text_hash for s in prepared("\n\n".join(parts), "a.md").segments)

    assert sum((after - before).values()) <= 5


def test_a_title_alone_is_text() -> None:
    document = prepared("# Things to do in March\n", "a.md")

    assert texts(document) == ["Things to do in March"]


def test_lines_that_are_all_the_same_are_cut_evenly() -> None:
    document = prepared("The same line again and again.\n" * 2000)

    assert 0.8 * TARGET <= median(s.tokens for s in document.segments) <= 1.3 * TARGET


def test_what_has_no_letter_or_digit_is_left_out() -> None:
    document = prepared("First paragraph here.\n\n* * *\n\n------\n\n???\n\n" + CHINESE)

    assert all(any(map(str.isalnum, text)) for text in texts(document))
    assert len(document.segments) == 2


def test_as_a_document_splitter_it_numbers_segments() -> None:
    document = Document("\n\n".join(paragraphs(7, 20, 5)), Metadata({"author": "A", "index": "x"}))

    split = splitter().split(document)

    assert [s.metadata["index"] for s in split] == [str(i) for i in range(len(split))]
    assert {s.metadata["author"] for s in split} == {"A"}
    for segment in split:
        assert segment.place is not None
        assert document.text[segment.place.start : segment.place.end] == segment.text


def test_sizes_agree_with_the_tokenizer() -> None:
    counter = SizeCounter(spaces()["en"].counter)
    sample = " ".join(paragraphs(8, 5, 5)) + " foo_bar's well-known e-mail: a@b.org, 3.50 USD!"

    assert counter.count(sample) == spaces()["en"].counter.count(sample)
    assert counter.exact([sample, "naïve 合同", sample]) == [
        spaces()["en"].counter.count(text) for text in (sample, "naïve 合同", sample)
    ]


def test_wrong_arguments_are_refused_when_it_is_built() -> None:
    with pytest.raises(ValueError, match="target"):
        SegmentSizes(target=5)
    with pytest.raises(ValueError, match="parent"):
        SegmentSizes(target=100, parent=50)


@settings(max_examples=60, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 180), min_size=1, max_size=120),
    costs=st.lists(st.floats(-0.3, 0.8), min_size=120, max_size=120),
)
def test_cuts_cover_all_units_and_keep_the_limit(sizes: list[int], costs: list[float]) -> None:
    units = [Sized(size, cost) for size, cost in zip(sizes, costs, strict=False)]

    pieces = cut(units, 100, 180)

    assert [place for piece in pieces for place in range(*piece)] == list(range(len(units)))
    assert all(sum(sizes[low:high]) <= 180 or high - low == 1 for low, high in pieces)


@settings(max_examples=40, deadline=None)
@given(st.text(min_size=1, max_size=400).filter(lambda text: any(map(str.isalnum, text))))
def test_any_text_gives_segments_that_point_into_it(text: str) -> None:
    for segment in splitter().split(Document(text)):
        assert segment.place is not None
        assert segment.text == text[segment.place.start : segment.place.end]
        assert any(map(str.isalnum, segment.text))
