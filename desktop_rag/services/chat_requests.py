"""The command ``chats``: list, find, export, rename, delete and bring back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from desktop_rag.conversation.export import chat_markdown, turns_of, write_chat
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.language import language_of
from desktop_rag.services.assistant import Assistant
from desktop_rag.services.chat_desk import UNDO_SECONDS
from desktop_rag.services.services import Services
from desktop_rag.store.records import ChatInfo


def manage_chats(services: Services, arguments: Mapping[str, Any]) -> dict[str, object]:
    """Do what is said of the chat called ``name``, and return the chats.

    ``search``: only those that have all of these words. Of one chat: ``rename``, ``delete``,
    ``restore``, ``export`` (a file that is not there yet). A name like ``#12`` is a number.

    Raises:
        KnownError: there is no such chat, a name is blank, or the file cannot be written.
    """
    assistant = services.assistant
    name = arguments.get("name")
    if name is None:
        found = assistant.search_chats(str(arguments.get("search") or ""))
        return {"chats": [_chat(one.chat, one.text) for one in found]}
    if arguments.get("restore"):
        number = assistant.deleted_chat_named(str(name))
        if number is None:
            raise _unknown(str(name), "that was deleted a short while ago")
        assistant.restore_chat(number)
        return _one(assistant, number)
    number = _number(assistant, str(name))
    if arguments.get("export") is not None:
        return _export(assistant, number, Path(arguments["export"]))
    if arguments.get("delete"):
        assistant.delete_chat(number)
        return {"deleted": name, "seconds_to_restore": UNDO_SECONDS}
    if arguments.get("rename") is not None:
        _rename(assistant, number, str(arguments["rename"]))
    return _one(assistant, number)


def _one(assistant: Assistant, number: int) -> dict[str, object]:
    return {"chats": [_chat(one) for one in assistant.chats() if one.id == number]}


def _number(assistant: Assistant, name: str) -> int:
    number = assistant.chat_named(name)
    if number is not None:
        return number
    if name.startswith("#") and name[1:].isdecimal():
        wanted = int(name[1:])
        if any(one.id == wanted for one in assistant.chats()):
            return wanted
    raise _unknown(name, "of this name")


def _rename(assistant: Assistant, number: int, title: str) -> None:
    if not title.strip():
        raise KnownError("No name", "Give the chat a name.")
    assistant.rename_chat(number, title.strip())


def _export(assistant: Assistant, number: int, file: Path) -> dict[str, object]:
    if file.exists():
        raise KnownError(
            "There is a file already",
            f"“{file}” exists. Choose another name, or move it away first.",
            str(file),
        )
    title = next(one.title for one in assistant.chats() if one.id == number)
    turns = turns_of(assistant.messages(number))
    asked = " ".join(question for question, _ in turns) or title
    write_chat(file, chat_markdown(title, turns, language_of(asked)))
    return {"exported": str(file), "questions": len(turns)}


def _chat(info: ChatInfo, text: str = "") -> dict[str, object]:
    return {
        "id": info.id,
        "title": info.title,
        "created": info.created_at,
        "changed": info.changed_at,
        "messages": info.messages,
        "scope": [list(one) for one in info.scope],
        "text": text,
    }


def _unknown(name: str, which: str) -> KnownError:
    return KnownError("No such chat", f"There is no chat “{name}” {which}.")
