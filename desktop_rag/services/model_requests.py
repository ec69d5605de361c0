"""The request "models": what the command line can do with language models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from desktop_rag.chat_models.model_state import ModelState
from desktop_rag.chat_models.server_search import FoundServer
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.services.addresses import is_address
from desktop_rag.services.client import OnProgress
from desktop_rag.services.language_models import LanguageModels, ModelTest
from desktop_rag.services.services import Services


def use_models(
    services: Services, arguments: Mapping[str, Any], _on_progress: OnProgress, cancel: CancelToken
) -> dict[str, object]:
    """Do ``action``; tell the state of the model for answers, and of all ``steps`` so far.

    "list": nothing more. "look": ask the usual ports of this computer (``servers``).
    "choose": ``target``, a file's path or a server's address, there the model ``model``.
    "none", "unload". "test": load it and ask something (``test``).

    Raises:
        KnownError: it cannot be done.
        ValueError: there is no such action.
        Cancelled: ``cancel`` was set.
    """
    models, action = services.models, arguments.get("action", "list")
    result: dict[str, object] = {}
    if action == "look":
        result["servers"] = [server_json(found) for found in models.look_for_servers(cancel)]
    elif action == "choose":
        _choose(models, str(arguments["target"]), str(arguments.get("model") or ""))
    elif action == "none":
        models.choose_none()
    elif action == "unload":
        models.unload()
    elif action == "test":
        result["test"] = trial_json(models.test(cancel=cancel))
    elif action != "list":
        raise ValueError(f"there is no action {action!r}")
    steps = [asdict(one) for one in services.assistant.parts.steps.runner.figures.all()]
    return {"state": state_json(models.state()), "steps": steps, **result}


def _choose(models: LanguageModels, target: str, model: str) -> None:
    if is_address(target):
        models.choose_server(target, model)
    else:
        models.choose_file(Path(target))


def state_json(state: ModelState) -> dict[str, object]:
    """Return a model's state, ready for JSON."""
    return {
        "phase": state.phase.value,
        "name": state.name,
        "problem": state.problem,
        "memory_bytes": state.memory_bytes,
        "seconds": None if state.seconds is None else round(state.seconds, 3),
    }


def server_json(found: FoundServer) -> dict[str, object]:
    """Return a server that was found, ready for JSON."""
    return {"program": found.program, "address": found.address, "models": list(found.models)}


def trial_json(test: ModelTest) -> dict[str, object]:
    """Return what trying a model gave, ready for JSON."""

    def rounded(value: float | None) -> float | None:
        return None if value is None else round(value, 3)

    return {
        "name": test.name,
        "text": test.text,
        "load_seconds": rounded(test.load_seconds),
        "first_seconds": rounded(test.first_seconds),
        "tokens_per_second": rounded(test.tokens_per_second),
        "memory_bytes": test.memory_bytes,
        "context_tokens": test.context_tokens,
    }
