"""The real small GGUF, through the worker and through llama.cpp's own server on loopback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from desktop_rag.chat_models.gguf_model import GgufModel, GgufOptions
from desktop_rag.chat_models.model_state import ModelPhase
from desktop_rag.chat_models.protocols import ChatModel, ChatOptions, Piece
from desktop_rag.chat_models.server_model import ServerModel
from desktop_rag.chat_models.server_search import models_of
from desktop_rag.domain.messages import SystemMessage, UserMessage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from tests.helpers.small_gguf import real_gguf

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

QUESTION = [SystemMessage("Answer briefly."), UserMessage("Name a colour.")]
SHORT = ChatOptions(max_tokens=12)
LONG_STORY = [UserMessage("Tell a very long story about the sea.")]

SERVER = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port, params.n_ctx, params.n_parallel = sys.argv[1], 0, 2048, 1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.cpuparams.poll = params.cpuparams_batch.poll = 0
params.ui = False
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def gguf() -> Iterator[GgufModel]:
    made = GgufModel(real_gguf(), GgufOptions(context_limit=2048))
    yield made
    made.close()


@pytest.fixture
def server() -> Iterator[ServerModel]:
    command = [sys.executable, "-c", SERVER, str(real_gguf())]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        yield ServerModel(address, models_of(address)[0])
        process.kill()


@pytest.fixture(params=["gguf", "server"])
def either(request: pytest.FixtureRequest) -> ChatModel:
    chosen: ChatModel = request.getfixturevalue(request.param)
    return chosen


def worker_of(model: GgufModel) -> psutil.Process:
    del model
    children = psutil.Process().children()
    return next(one for one in children if "write" in one.cmdline())


def cancelled_after(
    model: ChatModel, message: list[UserMessage], ready: Callable[[CancelToken], None]
) -> None:
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        model.chat(message, on_piece=lambda _: ready(cancel), cancel=cancel)


def test_it_streams_a_reply(either: ChatModel) -> None:
    pieces: list[Piece] = []
    reply = either.chat(QUESTION, SHORT, pieces.append)
    assert reply.text
    assert "".join(piece.text for piece in pieces).rstrip() == reply.text
    assert len(pieces) > 3, "it came in pieces"
    assert 0 < (reply.usage.written or 0) <= 12
    assert (reply.usage.read or 0) > 10
    assert either.chat(QUESTION, SHORT).text == reply.text, "the same each time"


def test_it_reads_as_much_as_it_was_loaded_for(either: ChatModel) -> None:
    assert either.context_tokens == 2048
    with pytest.raises(KnownError, match="can read 2048 pieces"):
        either.chat([UserMessage("word " * 3000)])
    assert either.chat(QUESTION, SHORT).text, "and works on"


def test_a_cancelled_reply_ends_and_the_next_one_comes(either: ChatModel) -> None:
    cancelled_after(either, LONG_STORY, lambda cancel: cancel.cancel())
    assert either.chat(QUESTION, SHORT).text


def test_both_ways_say_the_same(gguf: GgufModel, server: ServerModel) -> None:
    assert gguf.chat(QUESTION, SHORT).text == server.chat(QUESTION, SHORT).text


def test_stop_words_and_length_end_a_reply(gguf: GgufModel) -> None:
    whole = gguf.chat(LONG_STORY, ChatOptions(max_tokens=10))
    assert whole.cut
    stop = whole.text.split()[2]
    ended = gguf.chat(LONG_STORY, ChatOptions(max_tokens=10, stop=(stop,)))
    assert stop not in ended.text
    assert not ended.cut


def test_a_long_question_can_be_cancelled_while_it_is_read(gguf: GgufModel) -> None:
    gguf.load()
    cancel = CancelToken()
    timer = threading.Timer(0.3, cancel.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        gguf.chat([UserMessage("sea " * 1900)], cancel=cancel)
    timer.join()
    assert gguf.chat(QUESTION, SHORT).text


def test_it_counts_its_own_tokens_once_it_is_loaded(gguf: GgufModel) -> None:
    text = "Hello world, 你好。" * 5000
    estimate = gguf.count_tokens(text)
    gguf.load()
    assert 0 < gguf.count_tokens("Hello world") <= 3
    assert gguf.count_tokens(text) <= estimate


def test_the_state_is_told_from_choice_to_unloading(gguf: GgufModel) -> None:
    assert gguf.state().phase is ModelPhase.NOT_LOADED
    gguf.load()
    state = gguf.state()
    assert state.phase is ModelPhase.READY
    assert (state.memory_bytes or 0) > 100 << 20
    assert (state.seconds or 0) > 0
    worker = worker_of(gguf)
    gguf.unload()
    assert not worker.is_running()
    assert (gguf.state().phase, gguf.state().memory_bytes) == (ModelPhase.NOT_LOADED, 0)
    assert gguf.chat(QUESTION, SHORT).text, "loaded again"


def test_an_idle_model_gives_its_memory_back() -> None:
    model = GgufModel(real_gguf(), GgufOptions(context_limit=1024, idle_seconds=0.2))
    try:
        model.load()
        worker = worker_of(model)
        worker.wait(30)
        assert model.state().phase is ModelPhase.NOT_LOADED
    finally:
        model.close()


def test_a_killed_worker_is_told_and_the_next_question_starts_another(gguf: GgufModel) -> None:
    gguf.load()
    killed: list[int] = []

    def kill(_piece: Piece) -> None:
        if not killed:
            killed.append(worker_of(gguf).pid)
            os.kill(killed[0], signal.SIGKILL)

    with pytest.raises(KnownError, match="broke off"):
        gguf.chat(LONG_STORY, on_piece=kill)
    assert gguf.state().phase is ModelPhase.FAILED
    assert gguf.chat(QUESTION, SHORT).text
    assert worker_of(gguf).pid != killed[0]
    idle = worker_of(gguf)
    idle.kill()
    idle.wait(20)
    assert gguf.chat(QUESTION, SHORT).text, "one that died idle costs nothing"


def test_a_listener_that_fails_ends_the_reply(gguf: GgufModel) -> None:
    def fail(_piece: Piece) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        gguf.chat(LONG_STORY, on_piece=fail)
    assert gguf.chat(QUESTION, SHORT).text


def test_a_file_that_llama_cpp_cannot_load_is_named(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.gguf"
    content = real_gguf().read_bytes()
    damaged.write_bytes(content[: len(content) - 1_000_000])
    model = GgufModel(damaged)
    try:
        with pytest.raises(KnownError, match=r"damaged\.gguf"):
            model.chat(QUESTION)
        assert model.state().phase is ModelPhase.FAILED
    finally:
        model.close()


def test_a_model_that_does_not_fit_is_refused_before_it_is_loaded() -> None:
    model = GgufModel(real_gguf(), free_memory=lambda: 200 << 20)
    try:
        with pytest.raises(KnownError, match=r"needs about 0\.4 GB .* 0\.2 GB are free"):
            model.chat(QUESTION)
        assert not any("write" in one.cmdline() for one in psutil.Process().children())
    finally:
        model.close()


OWNER = """
import sys
from pathlib import Path
from desktop_rag.chat_models.gguf_model import GgufModel
model = GgufModel(Path(sys.argv[1]))
model.load()
print("loaded", flush=True)
sys.stdin.read()
"""


def test_the_worker_ends_with_a_killed_owner() -> None:
    command = [sys.executable, "-c", OWNER, str(real_gguf())]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == "loaded\n"
        [worker] = psutil.Process(owner.pid).children()
        owner.kill()
    worker.wait(20)


def test_it_listens_where_nobody_else_can_ask(gguf: GgufModel) -> None:
    gguf.load()
    kinds = {connection.family.name for connection in worker_of(gguf).net_connections("all")}
    assert kinds <= {"AF_UNIX"}
