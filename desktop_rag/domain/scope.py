"""Where a question looks: places, and kinds of files."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import reduce
from types import MappingProxyType

from desktop_rag.domain.filter import BeginsWith, Filter, IsEqualTo, IsIn, Or, all_of
from desktop_rag.domain.metadata import MetadataValue

_NOTHING_LIKE_IT = -1
"""An id that no source has."""

_NO_COLLECTIONS: Mapping[str, Collection[int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Scope:
    """Limits a question before anything is ranked.

    Places (``sources`` by id, ``collections`` of sources by name, ``folders`` and ``files``
    by absolute path) are alternatives; what is in none of them is not looked at. What a file
    holds, such as the entries of an archive, lies in it as in a folder. ``labels`` must all
    hold: by metadata key, the values that are allowed. A file that has no such label is left
    out: whoever asks for contracts of 2024 alone does not want what nobody has labelled.
    None for ``sources`` is no limit; an empty collection of sources is a place where nothing
    is.
    """

    sources: Collection[int] | None = None
    collections: Collection[str] = ()
    folders: Collection[str] = ()
    files: Collection[str] = ()
    labels: Mapping[str, Collection[MetadataValue]] = field(
        default_factory=lambda: MappingProxyType({})
    )

    def condition(self, members: Mapping[str, Collection[int]] = _NO_COLLECTIONS) -> Filter | None:
        """Return the scope as a condition on a passage's metadata; None without any limit.

        Args:
            members: the sources of each collection by its name.

        Raises:
            LookupError: there is no such collection; its name is the argument.
            ValueError: a label allows no value.
        """
        labels = [IsIn(key, frozenset(values)) for key, values in self.labels.items()]
        return all_of(self._places(members), *labels)

    def _places(self, members: Mapping[str, Collection[int]]) -> Filter | None:
        places: list[Filter] = []
        if self.sources is not None or self.collections:
            sources = set(self.sources or ()).union(*(members[one] for one in self.collections))
            places.append(IsIn("source_id", frozenset(sources or [_NOTHING_LIKE_IT])))
        for folder in self.folders:
            inside = folder.rstrip("/\\")
            places += [BeginsWith("path", inside + separator) for separator in "/\\"]
        places += [IsEqualTo("path", path) for path in self.files]
        return reduce(Or, places) if places else None
