"""``doctor``: whether everything that the program needs is there and in order."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options, Session
from desktop_rag.cli.window import check_screen
from desktop_rag.cli.words import count, size
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.paths import models_dir
from desktop_rag.services.dispatch import run_command


class DoctorCommand:
    """Looks and reports; it changes nothing, and makes no data folder."""

    name = "doctor"
    summary = "tell whether everything that the program needs is in order"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add nothing but the common arguments."""

    def run(self, _options: Options, session: Session) -> int:
        """Look at everything and print it."""
        report = examine(session)
        if session.console.json:
            session.console.print_json(report)
        else:
            _show(report, session.console)
        return 0


def examine(session: Session) -> dict[str, Any]:
    """Return everything that ``doctor`` tells."""
    from desktop_rag.services import diagnosis

    report: dict[str, Any] = {
        "versions": diagnosis.versions(),
        "models": diagnosis.models(models_dir()),
        "processor": diagnosis.processor(),
        "data_folder": diagnosis.data_folder(session.data_dir),
        "library": _library(session),
        "watching": diagnosis.watching(),
        "optional": [
            _window(),
            diagnosis.chinese_font(),
            diagnosis.recognition(),
            diagnosis.llama(),
        ],
        "language_model": _language_model(session),
    }
    return {"ok": not any(True for _ in _problems(report)), **report}


def _library(session: Session) -> dict[str, Any]:
    """Return the state of what is stored; an empty folder is left as it is."""
    from desktop_rag.store.database import DATABASE_NAME

    if not (session.data_dir / DATABASE_NAME).exists():
        return {"exists": False, "ok": True, "problems": [], "indexes": {}}
    try:
        status = _request(session, "status")
        verified = _request(session, "verify")
    except KnownError as error:
        return {"exists": True, "ok": False, "problems": [str(error)], "indexes": {}}
    return {
        "exists": True,
        "ok": verified["ok"],
        "problems": verified["problems"],
        "indexes": status["indexes"],
    }


def _language_model(session: Session) -> dict[str, Any]:
    """Return the state of the model that writes answers; an empty folder is left as it is."""
    from desktop_rag.foundation.settings import SETTINGS_FILE

    if not (session.data_dir / SETTINGS_FILE).exists():
        return {"phase": "not chosen", "name": "", "problem": None, "memory_bytes": None}
    try:
        found = _request(session, "models")
        return {**found["state"], "steps": found["steps"]}
    except KnownError as error:
        return {"phase": "failed", "name": "", "problem": str(error), "memory_bytes": None}


def _request(session: Session, command: str) -> dict[str, Any]:
    return run_command(
        session.data_dir,
        command,
        {},
        session.program.open_services,
        lambda _message: None,
        session.cancel,
    )


def _window() -> dict[str, object]:
    try:
        check_screen()
    except KnownError as error:
        return {"name": "window", "present": False, "problem": str(error)}
    return {"name": "window", "present": True, "problem": None}


def _problems(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong; what is only missing and optional is not."""
    yield from (model["problem"] for model in report["models"] if not model["ok"])
    if not report["data_folder"]["writable"]:
        yield f"{report['data_folder']['path']} cannot be written."
    yield from map(str, report["library"]["problems"])
    if report["language_model"]["problem"]:
        yield f"Language model: {report['language_model']['problem']}"


def _show(report: Mapping[str, Any], console: Console) -> None:
    versions, cpu = report["versions"], report["processor"]
    folder, watching = report["data_folder"], report["watching"]
    console.print(f"Desktop RAG {versions['desktop_rag']} · Python {versions['python']}")
    console.print(f"{versions['platform']} · {count(cpu['processors'], 'processor')}")
    console.print(f"Vector instructions: {', '.join(cpu['simd']) or 'none'}")
    console.print("\nLibraries")
    for name, version in {"SQLite": versions["sqlite"], **versions["libraries"]}.items():
        console.print(f"  {name} {version or 'unknown'}")
    console.print("\nModels")
    for model in report["models"]:
        console.print(f"  {model['name']}: {model['problem'] or 'in order'}")
    writing = report["language_model"]
    named = f"{writing['name']}, " if writing["name"] else ""
    console.print(f"  for written answers: {named}{writing['phase']}")
    for step in writing.get("steps", ()):
        console.print(f"    {_step_line(step)}")
    console.print(f"\nData folder: {folder['path']}")
    console.print(f"  {size(folder['bytes'])} used, {size(folder['free_bytes'])} free")
    for name, index in report["library"]["indexes"].items():
        console.print(f"  {name}: {index.get('state', '')} ({index.get('count', 0):,})")
    console.print(f"\nNoticing changes: {watching['problem'] or watching['method']}")
    for part in report["optional"]:
        if part["problem"]:
            console.print(f"Optional, missing: {part['name']}. {part['problem']}")
    problems = list(_problems(report))
    console.print(f"\n{'Everything is in order.' if not problems else 'To be looked at:'}")
    for problem in problems:
        console.print(f"  {problem}")


def _step_line(step: Mapping[str, Any]) -> str:
    mean = step["seconds"] / step["calls"]
    without = ", ".join(f"{reason} {times}" for reason, times in step["fallbacks"].items())
    calls = count(step["calls"], "call")
    return f"{step['step']}: {calls}, {mean:.2f} s each; without the model: {without or 'none'}"


DOCTOR = DoctorCommand()
