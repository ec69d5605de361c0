from __future__ import annotations

import pytest

from desktop_rag.foundation.errors import KnownError
from tests.helpers.parsed import parsed, pieces, texts

SRT = """1
00:00:01,000 --> 00:00:02,500
<i>We signed</i> the

2
00:00:02,600 --> 00:00:04,000
contract in May.

3
01:00:10,000 --> 01:00:12,000
{\\an8}Later.
"""
VTT = """WEBVTT - a talk

NOTE a remark

STYLE
::cue { color: red }

first
00:01.000 --> 00:02.000 align:start
<v Jo Smith>Hello &amp; welcome

00:02.000 --> 00:03.000
Hello &amp; welcome
"""


def test_cues_are_joined_to_paragraphs_with_their_time() -> None:
    assert pieces(parsed(SRT, "a.srt")) == [
        ("heading", "00:00:01"),
        ("paragraph", "We signed the contract in May."),
        ("heading", "01:00:10"),
        ("paragraph", "Later."),
    ]


def test_speakers_are_named_and_remarks_left_out() -> None:
    document = parsed(VTT, "a.vtt")

    assert document.kind == "subtitles"
    assert texts(document, "paragraph")[0].startswith("Jo Smith: Hello & welcome")
    assert "remark" not in document.document.text


def test_long_talks_are_cut_at_sentences() -> None:
    cues = "".join(
        f"{n}\n00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900\n"
        f"Sentence number {n} of the talk.\n\n"
        for n in range(120)
    )
    paragraphs = texts(parsed(cues, "a.srt"), "paragraph")

    assert len(paragraphs) > 3
    assert all(text.endswith(".") and len(text) < 800 for text in paragraphs)


def test_a_file_without_cues_says_so() -> None:
    with pytest.raises(KnownError) as caught:
        parsed("WEBVTT\n\nnothing", "a.vtt")
    assert caught.value.title == "No text"
