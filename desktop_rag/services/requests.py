"""The commands of the program as requests: JSON in, JSON out.

They run in this process or, through the owner's socket, in the process that owns the
data folder; either way with the same result. Paths in arguments are absolute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from desktop_rag.domain.events import StatusEvent, Step
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.chat_requests import manage_chats
from desktop_rag.services.client import OnProgress
from desktop_rag.services.collecting import (
    change_collection,
    collection_change,
    list_collections,
    scope_of,
)
from desktop_rag.services.json_results import (
    answer_json,
    file_json,
    index_json,
    left_out_json,
    progress_json,
    removal_json,
    search_json,
    survey_json,
)
from desktop_rag.services.json_text import EXTRA
from desktop_rag.services.library_changes import follow_changes
from desktop_rag.services.model_requests import use_models
from desktop_rag.services.removing import wait_until_left_out
from desktop_rag.services.reports import Progress
from desktop_rag.services.rules import change_rules, list_left_out
from desktop_rag.services.services import Services
from desktop_rag.services.status_request import tell_status
from desktop_rag.services.surveying import Survey
from desktop_rag.services.transferring import export_library, import_library
from desktop_rag.services.trying import TRIALS, try_questions
from desktop_rag.services.verifying import verify_library

Arguments = Mapping[str, Any]
Handler = Callable[[Services, Arguments, OnProgress, CancelToken], dict[str, object]]


def run_request(
    services: Services,
    command: str,
    arguments: Arguments,
    on_progress: OnProgress,
    cancel: CancelToken,
) -> dict[str, object]:
    """Run one command and return its result, ready for JSON.

    Args:
        services: what it works with.
        command: one of ``HANDLERS``.
        arguments: the command's own (see its handler); missing ones have defaults.
        on_progress: told what happens meanwhile, possibly from another thread.
        cancel: ends the command early.

    Raises:
        KnownError: what the user can act on.
        ValueError: there is no such command, or an argument is wrong.
        Cancelled: ``cancel`` was set.
    """
    handler = HANDLERS.get(command)
    if handler is None:
        raise ValueError(f"there is no command {command!r}")
    return handler(services, arguments, on_progress, cancel)


def _index(
    services: Services, arguments: Arguments, on_progress: OnProgress, cancel: CancelToken
) -> dict[str, object]:
    """Add ``paths`` as sources and bring them up to date; all sources when there are none.

    ``ask``: when that is a great number of files, only say so, in ``survey``. ``again``:
    read those again that could not be read. ``new_model``: first have a language model that
    became another one read all passages.
    """

    def tell(progress: Progress) -> None:
        on_progress({"reading": progress_json(progress)})

    paths = list(arguments.get("paths", ()))
    counted = _counted(services, paths, on_progress, cancel)
    if arguments.get("ask") and counted is not None and counted.big:
        return {"survey": survey_json(counted)}
    if arguments.get("new_model"):
        services.library.accept_model()
    again = bool(arguments.get("again"))
    return index_json(services.library.index(paths, tell, cancel, again))


def _counted(
    services: Services, paths: Sequence[str], on_progress: OnProgress, cancel: CancelToken
) -> Survey | None:
    """Count what is about to be added, None for nothing; refuse what does not fit."""
    if not paths:
        return None
    counted = services.library.survey(paths, cancel, lambda n: on_progress({"counted": n}))
    counted.check_room(services.data_dir)
    return counted


def _search(
    services: Services, arguments: Arguments, _on_progress: OnProgress, cancel: CancelToken
) -> dict[str, object]:
    """Find passages for ``question``: ``k``, ``mode``, ``filter``, ``rerank``, and a scope."""
    report = services.assistant.search(
        str(arguments["question"]),
        k=int(arguments.get("k", 10)),
        mode=arguments.get("mode", "hybrid"),
        filter_text=str(arguments.get("filter", "")),
        rerank=bool(arguments.get("rerank", False)),
        cancel=cancel,
        scope=scope_of(arguments),
    )
    return search_json(report)


def _ask(
    services: Services, arguments: Arguments, on_progress: OnProgress, cancel: CancelToken
) -> dict[str, object]:
    """Answer ``question``: ``chat`` (a name, made when new), ``filter``, ``rerank``, a scope."""
    question = str(arguments["question"])
    if not question.strip():
        raise KnownError("No question", "Write what you want to know.")
    steps: list[str] = []
    times: dict[str, float] = {}

    def tell(event: StatusEvent) -> None:
        if event.step is Step.TEXT:
            on_progress({"text": str(event.detail)})
        if steps and steps[-1] == event.step.value:
            return
        steps.append(event.step.value)
        times.setdefault(event.step.value, round(event.seconds, 4))
        if event.step is not Step.DONE:
            step = {"step": event.step.value, "seconds": round(event.seconds, 4)}
            on_progress({"event": step})

    answer = services.assistant.ask(
        question,
        chat=_chat(services, arguments.get("chat")),
        filter_text=str(arguments.get("filter", "")),
        rerank=bool(arguments.get("rerank", True)),
        on_event=tell,
        cancel=cancel,
        scope=scope_of(arguments),
    )
    return answer_json(answer, steps, times)


def _chat(services: Services, name: str | None) -> int | None:
    if name is None:
        return None
    if not name.strip():
        raise KnownError("No chat", "Give the chat a name.")
    number = services.assistant.chat_named(name)
    return services.assistant.create_chat(name) if number is None else number


def _status(
    services: Services, _arguments: Arguments, _on_progress: OnProgress, _cancel: CancelToken
) -> dict[str, object]:
    """Return the library in numbers."""
    return tell_status(services.library)


def _files(
    services: Services, arguments: Arguments, _on_progress: OnProgress, cancel: CancelToken
) -> dict[str, object]:
    """List the files; with ``problems`` those alone of which something was not read.

    With ``ignored`` what is left out is listed instead.
    """
    if arguments.get("ignored", False):
        return {"ignored": [left_out_json(each) for each in list_left_out(services, cancel)]}
    records = services.library.files(problems_only=bool(arguments.get("problems", False)))
    return {"files": [file_json(record) for record in records]}


def _rules(
    services: Services, arguments: Arguments, on_progress: OnProgress, cancel: CancelToken
) -> dict[str, object]:
    """Return the rules of the source at ``path``, after those in ``add`` and ``drop``."""

    def tell(progress: Progress) -> None:
        on_progress({"reading": progress_json(progress)})

    path = str(arguments["path"])
    changes = (list(arguments.get("add", ())), list(arguments.get("drop", ())))
    return {"path": path, "rules": list(change_rules(services, path, *changes, tell, cancel))}


def _collections(
    services: Services, arguments: Arguments, _on_progress: OnProgress, _cancel: CancelToken
) -> dict[str, object]:
    """Return the collections, after what is said of the one called ``name``.

    ``rename``, ``description``, ``add`` and ``drop`` (paths of sources), ``delete``.
    """
    if arguments.get("name") is not None:
        change_collection(services, str(arguments["name"]), collection_change(arguments))
    return {"collections": list_collections(services)}


def _chats(
    services: Services, arguments: Arguments, _on_progress: OnProgress, _cancel: CancelToken
) -> dict[str, object]:
    """Return the chats, after what is said of the one called ``name``."""
    return manage_chats(services, arguments)


def _remove(
    services: Services, arguments: Arguments, _on_progress: OnProgress, cancel: CancelToken
) -> dict[str, object]:
    """Take ``paths`` out of the library; the files themselves stay where they are."""
    removals = services.library.remove(list(arguments["paths"]))
    wait_until_left_out(services, removals, cancel)
    return {"removed": [removal_json(removal) for removal in removals]}


def _verify(
    services: Services, arguments: Arguments, on_progress: OnProgress, cancel: CancelToken
) -> dict[str, object]:
    """Check what the library keeps; with ``repair`` make right what can be.

    ``problems`` is what was found, ``ok`` whether all is in order now.
    """

    def tell(progress: Progress) -> None:
        on_progress({"reading": progress_json(progress)})

    report = verify_library(services, bool(arguments.get("repair", False)), tell, cancel)
    return {"ok": report.ok, "problems": list(report.problems)}


def _export(
    services: Services, arguments: Arguments, _on_progress: OnProgress, _cancel: CancelToken
) -> dict[str, object]:
    """Write the library into ``file``, a new one."""
    return export_library(services, Path(arguments["file"]))


def _import(
    services: Services, arguments: Arguments, _on_progress: OnProgress, _cancel: CancelToken
) -> dict[str, object]:
    """Take in the library in ``file``; ``map`` has new folders by old ones."""
    return import_library(services, Path(arguments["file"]), arguments.get("map", {}))


def _watch(
    services: Services, arguments: Arguments, on_progress: OnProgress, cancel: CancelToken
) -> dict[str, object]:
    """Add ``paths`` and tell every change of the library until cancelled."""
    paths = list(arguments.get("paths", ()))
    _counted(services, paths, on_progress, cancel)
    for change in follow_changes(services.library, paths, cancel):
        on_progress({"change": change})
    return {EXTRA: {}}


HANDLERS: Mapping[str, Handler] = {
    "ask": _ask,
    "chats": _chats,
    "collections": _collections,
    "export": _export,
    "files": _files,
    "import": _import,
    "index": _index,
    "models": use_models,
    "remove": _remove,
    "rules": _rules,
    "search": _search,
    "status": _status,
    TRIALS: try_questions,
    "verify": _verify,
    "watch": _watch,
}
