"""Collections: named groups of what was added, and questions that are limited to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from desktop_rag.domain.scope import Scope
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.rules import not_a_source
from desktop_rag.services.services import Services


@dataclass(frozen=True, slots=True)
class CollectionChange:
    """What shall become of a collection; None leaves a thing as it is.

    ``add`` and ``drop`` are paths of sources.
    """

    rename: str | None = None
    description: str | None = None
    add: Collection[str] = ()
    drop: Collection[str] = ()
    delete: bool = False


def list_collections(services: Services) -> list[dict[str, object]]:
    """Return all collections by name, with the paths of their sources."""
    paths = {source.id: source.path for source in services.store.sources()}
    return [
        {
            "name": one.name,
            "description": one.description,
            "sources": [paths[number] for number in one.source_ids if number in paths],
        }
        for one in services.store.collections()
    ]


def change_collection(services: Services, name: str, change: CollectionChange) -> None:
    """Change a collection; one that is not there is made, unless it is to be deleted.

    Raises:
        KnownError: a path is none of the sources, a name is blank or taken, or what is to
            be deleted is not there; nothing is changed then.
    """
    store = services.store
    known = {one.name: one for one in store.collections()}
    old = known.get(name)
    if change.delete:
        if old is None:
            raise no_collection(name)
        store.delete_collection(old.id)
        return
    wanted = _members(services, old.source_ids if old else (), change)
    new_name = name if change.rename is None else change.rename
    if not new_name.strip():
        raise KnownError("No name", "Give the collection a name.")
    if new_name != name and new_name in known:
        raise KnownError("Name in use", f"There is a collection “{new_name}” already.")
    description = change.description
    if description is None:
        description = old.description if old else ""
    number = old.id if old else store.create_collection(new_name)
    store.change_collection(number, new_name, description)
    store.set_collection_sources(number, wanted)


def _members(services: Services, before: Iterable[int], change: CollectionChange) -> list[int]:
    ids = {source.path: source.id for source in services.store.sources()}
    for path in (*change.add, *change.drop):
        if path not in ids:
            raise not_a_source(path)
    dropped = {ids[path] for path in change.drop}
    return [one for one in (*before, *(ids[path] for path in change.add)) if one not in dropped]


def collection_change(arguments: Mapping[str, Any]) -> CollectionChange:
    """Return what a request says: the fields of ``CollectionChange`` by their names."""
    return CollectionChange(
        rename=arguments.get("rename"),
        description=arguments.get("description"),
        add=tuple(arguments.get("add", ())),
        drop=tuple(arguments.get("drop", ())),
        delete=bool(arguments.get("delete", False)),
    )


def scope_of(arguments: Mapping[str, Any]) -> Scope | None:
    """Return the scope of a request, None where it has none.

    ``in`` are paths of folders and files, ``collections`` names.
    """
    paths = tuple(map(str, arguments.get("in", ())))
    collections = tuple(map(str, arguments.get("collections", ())))
    if not paths and not collections:
        return None
    return Scope(collections=collections, folders=paths, files=paths)


def no_collection(name: str) -> KnownError:
    """Return the error about a collection that is not there."""
    return KnownError("No such collection", f"There is no collection “{name}”.")
