"""The injector to the letter (langchain4j-facts 6), and one that numbers its sources."""

from __future__ import annotations

import pytest

from desktop_rag.domain.messages import UserMessage
from desktop_rag.retrieval.injectors.default import DefaultContentInjector
from desktop_rag.retrieval.injectors.structured import StructuredContentInjector
from desktop_rag.retrieval.injectors.template import PromptTemplate
from tests.helpers.retrieval_parts import content, contents

QUESTION = UserMessage("Which?", "Ada")


def test_contents_stand_under_the_question():
    injected = DefaultContentInjector().inject(contents("one two"), QUESTION)
    assert injected.text == "Which?\n\nAnswer using the following information:\none\n\ntwo"
    assert injected.name == "Ada"


def test_without_contents_the_message_is_the_same():
    assert DefaultContentInjector().inject([], QUESTION) is QUESTION


def test_metadata_is_written_in_the_given_order_and_absent_keys_are_skipped():
    injector = DefaultContentInjector(metadata_keys_to_include=["page", "missing", "file"])
    found = [content("text", file="a.txt", page=3), content("bare", other="x")]
    assert injector.inject(found, QUESTION).text == (
        "Which?\n\nAnswer using the following information:\n"
        "content: text\npage: 3\nfile: a.txt\n\nbare"
    )


def test_a_place_inside_a_content_is_text():
    found = contents("{{userMessage}} {{contents}} {{x}} \\1")
    injected = DefaultContentInjector().inject(found, UserMessage("{{contents}}?"))
    assert injected.text == (
        "{{contents}}?\n\nAnswer using the following information:\n"
        "{{userMessage}}\n\n{{contents}}\n\n{{x}}\n\n\\1"
    )


def test_a_template_of_ones_own():
    injector = DefaultContentInjector("{{ contents }} <- {{userMessage}}")
    assert injector.inject(contents("a"), QUESTION).text == "a <- Which?"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"template": " "}, "blank"),
        ({"template": "{{userMessage}}"}, "contents"),
        ({"template": "{{contents}} {{x}}"}, "unknown places: x"),
        ({"metadata_keys_to_include": [" "]}, "blank"),
    ],
)
def test_arguments_are_checked_when_built(arguments, message):
    with pytest.raises(ValueError, match=message):
        DefaultContentInjector(**arguments)


def test_a_missing_value_raises_and_names_it():
    with pytest.raises(ValueError, match="no value for: a, b"):
        PromptTemplate("{{b}} {{a}} {{c}}").render({"c": "1"})


def test_numbers_that_are_no_strings_are_written_as_text():
    injector = DefaultContentInjector(metadata_keys_to_include=["n", "x"])
    injected = injector.inject([content("a", n=3, x=0.5)], QUESTION)
    assert injected.text.endswith("content: a\nn: 3\nx: 0.5")


def test_sources_are_numbered_and_tell_where_they_are_from_and_how_near_they_are():
    found = [
        content("Two years.", 0.8, file_name="a.pdf", page=3, heading="Terms", modified="2024"),
        content("One year.", 0.2, file_name="b.txt"),
        content("No score."),
    ]
    injected = StructuredContentInjector().inject(found, QUESTION)
    question, orders, *sources = injected.text.split("\n\n")
    assert (question, injected.name) == ("Which?", "Ada")
    assert "like [1]" in orders
    assert sources == [
        "[1] file: a.pdf | page: 3 | section: Terms | date: 2024 | relevance: 1.00\nTwo years.",
        "[2] file: b.txt | relevance: 0.25\nOne year.",
        "[3]\nNo score.",
    ]


def test_numbered_sources_keep_to_what_an_injector_promises():
    injector = StructuredContentInjector("{{contents}}|{{userMessage}}")
    assert injector.inject([], QUESTION) is QUESTION
    assert injector.inject(contents("{{userMessage}}"), QUESTION).text == (
        "[1]\n{{userMessage}}|Which?"
    )
    with pytest.raises(ValueError, match="contents"):
        StructuredContentInjector("{{userMessage}}")
