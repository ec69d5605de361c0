"""A tantivy index over terms that were analysed before: BM25 and nothing else.

Nothing here parses a query: terms come as a list and go to the index as they are. The
change that an index has reached is a document in it, so a commit makes both durable
together or neither.
"""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import tantivy

from desktop_rag.store.codec import encodable
from desktop_rag.store.database import make_private, remove_folder

log = logging.getLogger(__name__)

FORMAT = 1
"""Raised when an index made by this module would look different."""

_HEAP_BYTES = 15_000_000
"""The least that a tantivy writer of one thread takes."""

_SCORE_DECIMALS = 4
"""Scores are sums of float32 in an order that depends on how the index is cut; what is
equal to four decimals is a tie."""

_TERM_SET_LIMIT = 2000
"""Up to so many allowed entries a set query is the quicker way (3 ms for 1,000 of
50,000); beyond, hits are read until enough are allowed."""

_MORE = 4

_COMMITS = 200
"""After so many the index is opened anew: tantivy 0.27 keeps 2 kB of each while it is open."""


class KeywordIndex:
    """Entries with an id and text fields of space-separated terms.

    ``fields`` gives each field's weight. One thread writes (add, remove, commit), any
    number search.
    """

    def __init__(self, folder: Path, library: str, fields: Mapping[str, float]) -> None:
        self._folder = folder
        self._mark = f"{FORMAT}:{library}:"
        self._fields = dict(fields)
        self._schema = self._make_schema()
        self._index, self._reached = self._open()
        self._writer: tantivy.IndexWriter | None = None
        self._commits = 0

    @property
    def reached(self) -> int:
        """The last change that a search sees; -1 when the index was made anew."""
        return self._reached

    @property
    def count(self) -> int:
        """Entries that can be found."""
        marks = 0 if self._reached < 0 else 1
        return int(self._searcher().num_docs) - marks

    def has_exactly(self, entries: Sequence[int]) -> bool:
        """Whether these entries, each once, are all that can be found."""
        if self.count != len(entries):
            return False
        searcher = self._searcher()
        for at in range(0, len(entries), _TERM_SET_LIMIT):
            piece = list(entries[at : at + _TERM_SET_LIMIT])
            among = tantivy.Query.term_set_query(self._schema, "id", piece)
            if len(searcher.search(among, len(piece), count=False).hits) != len(piece):
                return False
        return True

    def add(self, entry: int, terms: Mapping[str, str]) -> None:
        """Add an entry; what has its id must have been removed."""
        document = tantivy.Document()
        document.add_integer("id", entry)
        for field, words in terms.items():
            document.add_text(field, encodable(words))
        self._writing().add_document(document)

    def remove(self, entries: Collection[int]) -> None:
        """Remove entries by id; those that are not there are ignored."""
        if entries:
            among = tantivy.Query.term_set_query(self._schema, "id", sorted(entries))
            self._writing().delete_documents_by_query(among)

    def clear(self) -> None:
        """Remove everything, the words of removed entries from the files included."""
        self._writing().delete_all_documents()

    def commit(self, reached: int) -> None:
        """Make durable and visible what was added and removed."""
        writer = self._writing()
        writer.delete_documents_by_query(self._marks())
        mark = tantivy.Document()
        mark.add_text("reached", f"{self._mark}{reached}")
        writer.add_document(mark)
        writer.commit()
        self._index.reload()
        self._reached = reached
        self._commits += 1

    def search(
        self, terms: Sequence[str], k: int, allowed: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        """Return the k best (id, BM25), ties by id; ``allowed`` limits what is looked at."""
        query = self._query(terms)
        searcher = self._searcher()
        total = int(searcher.num_docs)
        if not terms or k <= 0 or not total or (allowed is not None and not allowed):
            return []
        within = None if allowed is None else set(allowed)
        if within is not None and len(within) <= _TERM_SET_LIMIT:
            query, within = self._among(query, within), None
        limit = k + 1
        while True:
            hits = _hits(searcher, query, min(limit, total))
            kept = [hit for hit in hits if within is None or hit[0] in within]
            if len(hits) < limit or _decided(kept, hits[-1][1], k):
                return sorted(kept, key=lambda hit: (-hit[1], hit[0]))[:k]
            limit *= _MORE

    def having_all(self, terms: Iterable[str]) -> list[int]:
        """Return every entry that has all of these terms, in whatever fields, by id."""
        wanted = dict.fromkeys(terms)
        searcher = self._searcher()
        total = int(searcher.num_docs)
        if not wanted or not total:
            return []
        each = [(tantivy.Occur.Must, self._query([term])) for term in wanted]
        hits = _hits(searcher, tantivy.Query.boolean_query(each), total)
        return sorted(entry for entry, _ in hits)

    def like(self, term: str, edits: int, k: int) -> list[int]:
        """Return at most k entries with a term that so many edits make this one, by id.

        A swap of neighbouring letters is one edit (2 ms for two edits in 130,000 terms).
        """
        fuzzy, word = tantivy.Query.fuzzy_term_query, encodable(term)
        near = [
            (tantivy.Occur.Should, fuzzy(self._schema, field, word, edits))
            for field in self._fields
        ]
        hits = _hits(self._searcher(), tantivy.Query.boolean_query(near), k)
        return sorted(entry for entry, _ in hits)

    def beginning(self, prefix: str) -> list[tuple[str, int]]:
        """Return the terms that begin so, each with its entries, the most frequent first.

        It takes 1.5 ms for 2,600 of 130,000 terms, 60 ms for all of them.
        """
        searcher = self._searcher()
        counts: Counter[str] = Counter()
        for field in self._fields:
            counts.update(dict(searcher.terms_with_prefix(field, encodable(prefix))))
        return counts.most_common()

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Return how many entries have each term in the field where most have it."""
        searcher = self._searcher()
        return {
            term: max(searcher.doc_freq(field, encodable(term)) for field in self._fields)
            for term in terms
        }

    def idf(self, terms: Iterable[str]) -> dict[str, float]:
        """Return each term's inverse document frequency over all fields, as in BM25."""
        total = self.count
        return {
            term: math.log(1 + (max(total - n, 0) + 0.5) / (n + 0.5))
            for term, n in self.frequencies(terms).items()
        }

    def tidy(self) -> None:
        """Finish merges and delete files that are no longer used."""
        if self._writer is not None:
            self._writer.garbage_collect_files()
            self.close()
        if self._commits >= _COMMITS:
            self._index, self._commits = self._made(), 0

    def close(self) -> None:
        """Let go of the writer and its lock; uncommitted entries are dropped."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.wait_merging_threads()

    def abandon(self) -> None:
        """Let go of a writer that has failed, with all that it has not committed.

        It is consumed, not only forgotten: whoever keeps the error keeps the writer with
        it, and that would keep the folder locked.
        """
        try:
            self.close()
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of tantivy's is no Exception
            log.warning("a writer of %s ended with its own failure (%s)", self._folder.name, error)

    def _make_schema(self) -> tantivy.Schema:
        builder = tantivy.SchemaBuilder()
        # Signed: tantivy-py 0.27 makes a signed term of any int, which never equals an
        # unsigned one, so that a deletion by term would silently delete nothing.
        builder.add_integer_field("id", indexed=True, fast=True)
        builder.add_text_field("reached", stored=True, tokenizer_name="raw", index_option="basic")
        for field in self._fields:
            builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
        return builder.build()

    def _open(self) -> tuple[tantivy.Index, int]:
        """Return the index in the folder, made anew when it cannot be trusted."""
        make_private(self._folder.parent)
        make_private(self._folder)
        try:
            if tantivy.Index.exists(str(self._folder)):
                index = self._made()
                return index, self._read_mark(index)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of tantivy's is no Exception
            log.warning("the keywords in %s are read anew (%s)", self._folder.name, error)
        remove_folder(self._folder)
        make_private(self._folder)
        return self._made(), -1

    def _made(self) -> tantivy.Index:
        index = tantivy.Index(self._schema, path=str(self._folder))
        # Reloaded after each commit and never by a thread of tantivy's, which could look
        # at files of an index that has been closed and made anew since.
        index.config_reader("manual")
        return index

    def _read_mark(self, index: tantivy.Index) -> int:
        searcher = index.searcher()
        hits = searcher.search(self._marks(), 2).hits
        if len(hits) != 1:
            raise ValueError("there is no mark of the change it has reached")
        mark = searcher.doc(hits[0][1]).get_first("reached")
        if not isinstance(mark, str) or not mark.startswith(self._mark):
            raise ValueError("it is another library's or of another format")
        return int(mark.removeprefix(self._mark))

    def _marks(self) -> tantivy.Query:
        return tantivy.Query.regex_query(self._schema, "reached", ".*")

    def _writing(self) -> tantivy.IndexWriter:
        if self._writer is None:
            self._writer = self._index.writer(_HEAP_BYTES, 1)
        return self._writer

    def _searcher(self) -> tantivy.Searcher:
        return self._index.searcher()

    def _query(self, terms: Iterable[str]) -> tantivy.Query:
        clauses = [
            (tantivy.Occur.Should, self._term(field, weight, encodable(term)))
            for term in dict.fromkeys(terms)
            for field, weight in self._fields.items()
        ]
        return tantivy.Query.boolean_query(clauses)

    def _term(self, field: str, weight: float, term: str) -> tantivy.Query:
        query = tantivy.Query.term_query(self._schema, field, term, index_option="freq")
        return query if weight == 1.0 else tantivy.Query.boost_query(query, weight)

    def _among(self, query: tantivy.Query, entries: Collection[int]) -> tantivy.Query:
        among = tantivy.Query.term_set_query(self._schema, "id", sorted(entries))
        unscored = tantivy.Query.const_score_query(among, 0.0)
        must = tantivy.Occur.Must
        return tantivy.Query.boolean_query([(must, query), (must, unscored)])


def _hits(searcher: tantivy.Searcher, query: tantivy.Query, limit: int) -> list[tuple[int, float]]:
    hits = searcher.search(query, limit, count=False).hits
    entries = searcher.fast_field_values("id", [address for _, address in hits])
    scores = np.round([score for score, _ in hits], _SCORE_DECIMALS).tolist()
    return [
        (int(entry), score)
        for entry, score in zip(entries, scores, strict=True)
        if entry is not None
    ]


def _decided(kept: list[tuple[int, float]], worst: float, k: int) -> bool:
    """Whether no hit beyond those read can be among the k best, ties included."""
    return len(kept) >= k and kept[k - 1][1] > worst
