"""Steps that a model does: in time or not at all, and never at the question's cost."""

from __future__ import annotations

import pytest

from desktop_rag.chat_models.circuit_breaker import CircuitBreaker
from desktop_rag.chat_models.step_figures import StepProblem
from desktop_rag.chat_models.step_runner import StepResult, StepRunner
from desktop_rag.domain.messages import UserMessage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from tests.helpers.scripted_model import Half, Hang, Reply, ScriptedModel


def number(text: str) -> int | None:
    return int(text) if text.isdigit() else None


def run(runner: StepRunner, model: ScriptedModel) -> StepResult[int]:
    return runner.run("counting", model, [UserMessage("how many?")], number)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (KnownError("Gone", "The model is gone."), StepProblem.FAILED),
        (ZeroDivisionError("a bug of the model"), StepProblem.FAILED),
        (Hang(), StepProblem.TOO_SLOW),
        ("  \n ", StepProblem.BLANK),
        ("<think>seven", StepProblem.BLANK),
        ("lorem ipsum", StepProblem.GARBAGE),
        (Half("se", KnownError("Gone", "It died.")), StepProblem.FAILED),
    ],
    ids=["known", "raises", "hangs", "blank", "only thinks", "garbage", "dies"],
)
def test_whatever_a_model_does_the_step_ends(reply: Reply, problem: StepProblem) -> None:
    runner = StepRunner(seconds=0.05)
    model = ScriptedModel([reply])
    assert run(runner, model) == StepResult(None, problem)
    (figure,) = runner.figures.all()
    assert (figure.step, figure.calls, figure.fallbacks) == ("counting", 1, {problem.value: 1})
    assert len(model.asked) == 1


def test_a_reply_is_read_without_its_reasoning() -> None:
    runner = StepRunner()
    assert run(runner, ScriptedModel(["<think>is it 3?</think>\n7"])) == StepResult(7)
    assert run(runner, ScriptedModel(["is it 3?</think>7"])) == StepResult(7)
    (figure,) = runner.figures.all()
    assert (figure.calls, figure.fallbacks) == (2, {})


def test_a_cancelled_question_stops_at_once() -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        StepRunner().run("counting", ScriptedModel(["7"]), [], number, cancel)


def test_a_cancel_goes_through_to_a_model_that_hangs() -> None:
    cancel = CancelToken()

    def read(text: str) -> int | None:
        raise AssertionError(text)

    def ask(_messages: object) -> str:
        cancel.cancel()
        return "7 8 9"

    with pytest.raises(Cancelled):
        StepRunner(seconds=60).run("counting", ScriptedModel([ask]), [], read, cancel)


def test_a_model_that_fails_again_and_again_is_left_alone_for_a_while() -> None:
    now = [0.0]
    breaker = CircuitBreaker(failures=2, rest_seconds=30, clock=lambda: now[0])
    runner = StepRunner(make_breaker=lambda: breaker)
    model = ScriptedModel([OSError(), OSError(), OSError(), "7"])
    problems = [run(runner, model).problem for _ in range(3)]
    assert problems == [StepProblem.FAILED, StepProblem.FAILED, StepProblem.RESTING]
    assert breaker.is_open
    now[0] = 31.0
    assert run(runner, model).problem is StepProblem.FAILED
    assert run(runner, model).problem is StepProblem.RESTING
    now[0] = 62.0
    assert run(runner, model).value == 7
    assert run(runner, model).value == 7
    assert len(model.asked) == 5


def test_half_open_lets_one_call_through() -> None:
    now = [0.0]
    breaker = CircuitBreaker(failures=1, rest_seconds=1, clock=lambda: now[0])
    assert breaker.enter()
    breaker.failed()
    now[0] = 2.0
    assert (breaker.enter(), breaker.enter()) == (True, False)
    breaker.given_up()
    assert breaker.enter()
    breaker.succeeded()
    assert (breaker.enter(), breaker.enter()) == (True, True)


def test_garbage_is_no_sign_that_the_model_is_gone() -> None:
    runner = StepRunner(make_breaker=lambda: CircuitBreaker(failures=1))
    model = ScriptedModel(["lorem", "ipsum", "7"])
    assert [run(runner, model).value for _ in range(3)] == [None, None, 7]


class Deaf(ScriptedModel):
    """Hangs and hears no cancel until it is let go."""

    def chat(self, messages, options=None, on_piece=None, cancel=None):  # type: ignore[no-untyped-def]
        return super().chat(messages)


def test_calls_that_do_not_end_take_their_places_and_no_more() -> None:
    hang = Hang()
    model = Deaf([hang])
    runner = StepRunner(seconds=0.02, most=2, make_breaker=lambda: CircuitBreaker(failures=9))
    problems = [run(runner, model).problem for _ in range(3)]
    hang.released.set()
    assert problems == [StepProblem.TOO_SLOW, StepProblem.TOO_SLOW, StepProblem.BUSY]
    assert len(model.asked) == 2


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="failures"):
        CircuitBreaker(failures=0)
