"""The thread that makes the library follow the disk: it looks, plans and has it done."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_rag.domain.files import Source, SourceState
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.ingestion.agenda import Agenda, Look
from desktop_rag.ingestion.applying import Manner, PlanApplier
from desktop_rag.ingestion.changes import Plan, SourceScan, plan_changes
from desktop_rag.ingestion.content import hash_if_readable
from desktop_rag.ingestion.denied import DeniedFolders
from desktop_rag.ingestion.entries import stands_for
from desktop_rag.ingestion.gate import Gate
from desktop_rag.ingestion.ignore import ignored_file
from desktop_rag.ingestion.patrol import Patrol
from desktop_rag.ingestion.sources import relative
from desktop_rag.ingestion.survey import EVERYTHING, Listed, Surveyor

if TYPE_CHECKING:
    from desktop_rag.store.knowledge_store import KnowledgeStore

_log = logging.getLogger(__name__)

_IN_THE_MAKING_SECONDS = 5.0
"""A file that was heard of so short a time ago may still be being written when reading
it fails; no error is shown before."""

_RETRY_SECONDS = 30.0
"""After so long a look that the store could not take is made again."""


class Upkeep:
    """Looks when it is asked to, when something is heard, and from time to time.

    ``planning`` is held while a plan is made and carried out; whoever changes sources
    holds it too.

    Args:
        store: what is known.
        surveyor: looks at the disk.
        applier: carries out the plans.
        gate: stalled when the store cannot take a plan.
        on_sources: called when a source went or came back.
        on_look: called after each look.
    """

    def __init__(
        self,
        store: KnowledgeStore,
        surveyor: Surveyor,
        applier: PlanApplier,
        gate: Gate,
        on_sources: Callable[[], None],
        on_look: Callable[[], None],
    ) -> None:
        self._store = store
        self._surveyor = surveyor
        self._applier = applier
        self._gate = gate
        self._on_sources = on_sources
        self._on_look = on_look
        self.planning = threading.RLock()
        self.agenda = Agenda()
        self._patrol: Patrol | None = None
        self._denied = DeniedFolders()
        self._wants_watch = False
        self._cancel = CancelToken()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def watch(self) -> None:
        """Hear of changes from the next look on; harmless when that is so already."""
        self._wants_watch = True

    @property
    def watching(self) -> bool:
        """Whether changes are heard of."""
        return self._wants_watch

    def request(self, look: Look) -> None:
        """Have something looked at soon.

        "All sources" are those of now: one that is added later comes with a look of its
        own, which counts what is new in it.
        """
        if look.spots is None:
            known = [source.id for source in self._store.sources()]
            look = replace(look, spots=dict.fromkeys(known, EVERYTHING))
        self._start()
        self.agenda.add(look)

    def heard_of(self, path: str) -> None:
        """Something may have happened at an absolute path."""
        for source in self._store.sources():
            relpath = relative(source.path, path)
            if relpath is not None:
                self._start()
                self.agenda.note(source.id, relpath, folder=False)
                return

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user about what cannot be seen, and how changes are noticed."""
        patrol = self._patrol
        return (*self._denied.notes, *(() if patrol is None else patrol.notes))

    def close(self, timeout: float) -> bool:
        """End the thread and all watching; False if that takes longer than ``timeout``."""
        self._cancel.cancel()
        self.agenda.close()
        with self._starting:
            thread = self._thread
        if thread is None:
            return True
        thread.join(timeout)
        return not thread.is_alive()

    def _start(self) -> None:
        with self._starting:
            if self._thread is None and not self._cancel.cancelled:
                self._thread = threading.Thread(
                    target=self._run, name="library-upkeep", daemon=True
                )
                self._thread.start()

    def _run(self) -> None:
        try:
            while (look := self.agenda.take()) is not None:
                self._make(look)
                self.agenda.done()
                self._on_look()
        finally:
            if self._patrol is not None:
                self._patrol.close()

    def _make(self, look: Look) -> None:
        try:
            self._look(look)
        except Cancelled:
            return
        except KnownError as error:
            self._gate.stall(error)
            self.agenda.postpone(look, _RETRY_SECONDS)
        except Exception as error:
            _log.exception("looking for changes failed")
            if look.tally is not None:
                look.tally.abort(error)

    def _look(self, look: Look) -> None:
        sources = {source.id: source for source in self._store.sources()}
        self._keep_watch(list(sources.values()))
        spots = look.spots or {}
        if not spots and self._patrol is not None:
            spots = dict.fromkeys(self._patrol.tick(), EVERYTHING)
            self.agenda.tick_at(self._patrol.next_tick)
        listed: list[Listed] = []
        took: dict[int, float] = {}
        for source_id, paths in spots.items():
            source = sources.get(source_id)
            if source is None:
                continue
            began = time.monotonic()
            whole = source.state is SourceState.UNAVAILABLE or "" in paths
            found = self._surveyor.look(source, EVERYTHING if whole else paths, self._cancel)
            listed.append(found)
            if whole:
                took[source_id] = time.monotonic() - began
        self._carry_out(listed, look)
        if self._patrol is not None:
            self._patrol.looked(took)
        if look.tally is not None:
            look.tally.closed()

    def _keep_watch(self, sources: Sequence[Source]) -> None:
        if not self._wants_watch:
            return
        if self._patrol is None:
            self._patrol = Patrol(self._on_change)
            self.agenda.tick_at(self._patrol.next_tick)
        self._patrol.follow(sources)

    def _carry_out(self, listed: Sequence[Listed], look: Look) -> None:
        """Plan with what was found and do it, unless the sources changed meanwhile."""
        with self.planning:
            now = {source.id: source for source in self._store.sources()}
            self._denied.keep(now)
            scans: list[SourceScan] = []
            for found in listed:
                source = now.get(found.source.id)
                if source is None:
                    continue
                if source.ignore_rules != found.source.ignore_rules:
                    self._look_again(found, look)
                    continue
                self._note_state(source, found)
                self._denied.looked(source, found.listings or ())
                if found.listings is not None:
                    scans.extend(self._surveyor.compare(found))
            plan = plan_changes(scans, lambda path: hash_if_readable(path, self._cancel))
            if look.tally is None and not look.heard:
                self._leave_restless(plan)
            patience = time.monotonic() + _IN_THE_MAKING_SECONDS if look.heard else 0.0
            self._applier.apply(plan, Manner(look.urgent, patience, look.tally))

    def _look_again(self, found: Listed, look: Look) -> None:
        if look.tally is not None:
            look.tally.opened()
        self.agenda.add(replace(look, spots={found.source.id: found.paths}))

    def _note_state(self, source: Source, found: Listed) -> None:
        state = SourceState.UNAVAILABLE if found.listings is None else SourceState.AVAILABLE
        if source.state is state:
            return
        self._store.set_source_state(source.id, state)
        if state is SourceState.UNAVAILABLE:
            self._applier.lose(source)
        self._on_sources()

    def _leave_restless(self, plan: Plan) -> None:
        """Files that are being written just now are looked at when they rest."""
        plan.added = [
            sighting
            for sighting in plan.added
            if not self.agenda.is_restless(sighting.source.id, sighting.relpath)
        ]
        plan.changed = [
            (record, sighting)
            for record, sighting in plan.changed
            if not self.agenda.is_restless(sighting.source.id, sighting.relpath)
        ]

    def _on_change(self, source: Source, path: str, is_folder: bool) -> None:
        """Called by the watching thread for each event."""
        relpath = ""
        elsewhere = None if is_folder else stands_for(os.path.basename(path))
        if elsewhere is not None:
            path = os.path.join(os.path.dirname(path), elsewhere)
        if source.is_folder:
            relpath = path[len(source.path) :].strip(os.sep).replace(os.sep, "/")
            if not is_folder and ignored_file(os.path.basename(path)):
                return
        patrol = self._patrol
        if patrol is not None:
            patrol.heard(source.id)
        self.agenda.note(source.id, relpath, is_folder)
