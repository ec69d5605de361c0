"""Where a question looks: places, and kinds of files."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import reduce
from types import MappingProxyType

from desktop_rag.domain.filter import ContainsString, Filter, IsEqualTo, IsIn, Or, all_of
from desktop_rag.domain.metadata import MetadataValue

_NOTHING_LIKE_IT = -1
"""An id that no source has."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Limits a question before anything is ranked.

    Places (``sources`` by id, ``folders`` and ``files`` by absolute path) are alternatives;
    what is in none of them is not looked at. ``labels`` must all hold: by metadata key, the
    values that are allowed. A file that has no such label is left out: whoever asks for
    contracts of 2024 alone does not want what nobody has labelled. None for ``sources`` is
    no limit; an empty collection of sources is a place where nothing is.
    """

    sources: Collection[int] | None = None
    folders: Collection[str] = ()
    files: Collection[str] = ()
    labels: Mapping[str, Collection[MetadataValue]] = field(
        default_factory=lambda: MappingProxyType({})
    )

    @property
    def condition(self) -> Filter | None:
        """The scope as a condition on a passage's metadata; None without any limit.

        Raises:
            ValueError: a label allows no value.
        """
        labels = [IsIn(key, frozenset(values)) for key, values in self.labels.items()]
        return all_of(self._places(), *labels)

    def _places(self) -> Filter | None:
        places: list[Filter] = []
        if self.sources is not None:
            places.append(IsIn("source_id", frozenset(self.sources or [_NOTHING_LIKE_IT])))
        for folder in self.folders:
            inside = folder.rstrip("/\\")
            places.append(IsEqualTo("folder", inside))
            places += [ContainsString("path", inside + separator) for separator in "/\\"]
        places += [IsEqualTo("path", path) for path in self.files]
        return reduce(Or, places) if places else None
