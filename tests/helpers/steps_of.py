"""Steps of a question with a model that says what a test wrote for it."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.chat_models.circuit_breaker import CircuitBreaker
from desktop_rag.chat_models.step_runner import StepRunner
from desktop_rag.retrieval.injectors.prompts import Prompts
from desktop_rag.retrieval.model_steps import ModelSteps
from tests.helpers.scripted_model import Reply, ScriptedModel


def steps_of(
    model: ScriptedModel, seconds: float = 5.0, prompts: Prompts | None = None
) -> ModelSteps:
    runner = StepRunner(seconds=seconds, make_breaker=lambda: CircuitBreaker(failures=99))
    return ModelSteps(runner, model, prompts or Prompts())


def steps_that_say(*replies: Reply) -> tuple[ModelSteps, ScriptedModel]:
    model = ScriptedModel(list(replies))
    return steps_of(model), model


def prompt_of(model: ScriptedModel, call: int = 0) -> str:
    messages: Sequence[object] = model.asked[call]
    return str(getattr(messages[-1], "text", ""))
