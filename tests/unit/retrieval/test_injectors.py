"""The injector to the letter (langchain4j-facts 6)."""

from __future__ import annotations

import pytest

from desktop_rag.domain.messages import UserMessage
from desktop_rag.retrieval.injectors.default import DefaultContentInjector
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
