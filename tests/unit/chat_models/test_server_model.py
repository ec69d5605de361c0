from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from desktop_rag.chat_models.model_state import ModelPhase
from desktop_rag.chat_models.protocols import ChatOptions, Piece
from desktop_rag.chat_models.server_client import Timeouts
from desktop_rag.chat_models.server_model import USUAL_CONTEXT, ServerModel
from desktop_rag.chat_models.server_search import look_for_servers, models_of
from desktop_rag.domain.messages import AiMessage, SystemMessage, TokenUsage, UserMessage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from tests.helpers.model_server import FakeServer, chunk, hangs, says, serving, streams

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

CHAT = "/v1/chat/completions"
QUESTION = [UserMessage("What is it?")]
END = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
USAGE = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving({}) as fake:
        yield fake


def model(server: FakeServer, silence: float = 30.0) -> ServerModel:
    return ServerModel(server.address, "small", timeouts=Timeouts(5.0, silence))


def test_a_reply_streams_with_reasoning_and_usage(server: FakeServer) -> None:
    server.answers[CHAT] = streams(
        chunk(role="assistant", content=None),
        chunk(reasoning_content="Hm. "),
        chunk(content="<thi"),
        chunk(content="nk>more</think>"),
        chunk(content="它 is"),
        chunk(content=" good."),
        END,
        USAGE,
    )
    pieces: list[Piece] = []
    messages = [SystemMessage("Be short."), *QUESTION, AiMessage("A."), UserMessage("B?")]
    options = ChatOptions(max_tokens=9, temperature=0.5, seed=4, stop=("X",))
    reply = model(server).chat(messages, options, pieces.append)
    assert (reply.text, reply.reasoning) == ("它 is good.", "Hm. more")
    assert (reply.usage, reply.cut) == (TokenUsage(7, 3), False)
    assert [piece.text for piece in pieces] == ["Hm. ", "more", "它 is", " good."]
    [body] = server.bodies
    assert [one["role"] for one in body["messages"]] == ["system", "user", "assistant", "user"]
    assert body["messages"][-1]["content"] == "B?"
    wanted = {"model": "small", "stream": True, "max_tokens": 9, "temperature": 0.5, "seed": 4}
    assert wanted.items() <= body.items()
    assert body["stop"] == ["X"]


def test_a_reply_that_was_cut_says_so(server: FakeServer) -> None:
    cut = {"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]}
    server.answers[CHAT] = streams(chunk(content="Half a"), cut)
    reply = model(server).chat(QUESTION)
    assert (reply.text, reply.cut, reply.usage) == ("Half a", True, TokenUsage())


ERROR = {"error": {"message": "model not found, try pulling it", "type": "api_error"}}
LONG = {"type": "exceed_context_size_error", "n_ctx": 2048, "n_prompt_tokens": 5000}


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (says(json.dumps(ERROR), 404), "try pulling it"),
        (says(json.dumps({"error": "plain words"}), 500), "plain words"),
        (says(json.dumps({"error": LONG}), 400), "can read 2048 pieces"),
        (says("<html>no</html>", 502), "HTTP 502"),
        (says("<html>Welcome</html>"), "does not speak"),
        (says(""), "in the middle"),
        (says("data: {broken\n\n"), "does not speak"),
        (says("data: [1, 2]\n\n"), "does not speak"),
        (says('data: {"choices": 5}\n\n'), "cannot be understood"),
        (says('data: {"choices": [{"delta": {"content": 5}}]}\n\n'), "cannot be understood"),
        (says('data: {"hello": 1}\n\n'), "cannot be understood"),
        (says(json.dumps(ERROR)), "try pulling it"),
        (streams(chunk(content="Half"), ERROR), "try pulling it"),
        (streams(chunk(content="Half"), done=False), "in the middle"),
        (says("", 301, Location="http://example.com/"), "not followed"),
        (says("", 307, Location="http://127.0.0.1:1/"), "not followed"),
    ],
)
def test_what_a_server_may_do_wrong_is_told_in_words(
    server: FakeServer, answer: Any, words: str
) -> None:
    server.answers[CHAT] = answer
    asked = model(server)
    with pytest.raises(KnownError, match=words):
        asked.chat(QUESTION)
    assert server.asked == [CHAT], "asked once, and nothing else"
    assert asked.state().phase is ModelPhase.FAILED
    assert words in (asked.state().problem or "")


def test_a_server_that_is_gone_is_told(server: FakeServer) -> None:
    gone = ServerModel("http://127.0.0.1:9", "small")
    with pytest.raises(KnownError, match="nothing listens there"):
        gone.chat(QUESTION)


def test_a_silent_server_is_given_up(server: FakeServer) -> None:
    server.answers[CHAT] = hangs(lambda: server, chunk(content="Half"))
    pieces: list[Piece] = []
    with pytest.raises(KnownError, match=r"said nothing|does not answer"):
        model(server, silence=0.3).chat(QUESTION, on_piece=pieces.append)
    assert pieces == [Piece("Half")]


def test_cancelling_hangs_up(server: FakeServer) -> None:
    server.answers[CHAT] = hangs(lambda: server, chunk(content="Half"))
    cancel, heard = CancelToken(), threading.Event()
    threading.Thread(target=lambda: (heard.wait(20), cancel.cancel())).start()
    with pytest.raises(Cancelled):
        model(server).chat(QUESTION, on_piece=lambda _: heard.set(), cancel=cancel)
    assert server.hung_up.wait(20)


def test_a_listener_that_fails_hangs_up(server: FakeServer) -> None:
    server.answers[CHAT] = hangs(lambda: server, chunk(content="Half"))

    def fail(_piece: Piece) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        model(server).chat(QUESTION, on_piece=fail)
    assert server.hung_up.wait(20)


def test_proxies_of_the_environment_count_for_nothing(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server.answers[CHAT] = streams(chunk(content="Yes."), END)
    assert model(server).chat(QUESTION).text == "Yes."


def test_what_is_sent_names_nothing_of_the_user(server: FakeServer) -> None:
    server.answers[CHAT] = streams(chunk(content="Yes."), END)
    model(server).chat(QUESTION)
    [headers] = server.headers
    assert set(headers) <= {"Host", "Accept", "Accept-Encoding", "Content-Type", "Content-Length"}


def test_the_context_is_what_the_server_says(server: FakeServer) -> None:
    assert model(server).context_tokens == USUAL_CONTEXT
    server.answers["/props"] = says('{"default_generation_settings": {"n_ctx": 2048}}')
    assert model(server).context_tokens == 2048
    del server.answers["/props"]
    listed = {"data": [{"id": "other"}, {"id": "small", "loaded_context_length": 6000}]}
    server.answers["/api/v0/models"] = says(json.dumps(listed))
    assert model(server).context_tokens == 6000
    assert ServerModel(server.address, "small", 3000).context_tokens == 3000


def test_looking_finds_those_that_answer_as_such_servers_do(server: FakeServer) -> None:
    server.answers["/v1/models"] = says('{"data": [{"id": "b"}, {"id": "a"}]}')
    with serving({"/v1/models": says("<html>")}) as other:
        places = (("Gone", 9), ("Web", other.port), ("Mine", server.port))
        [found] = look_for_servers(places=places)
    assert (found.program, found.address, found.models) == ("Mine", server.address, ("a", "b"))


def test_what_lists_no_models_is_no_model_server(server: FakeServer) -> None:
    server.answers["/v1/models"] = says('{"models": 3}')
    with pytest.raises(KnownError, match="lists no models"):
        models_of(server.address)
