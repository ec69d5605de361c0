"""Questions find passages in the other language."""

from __future__ import annotations

from desktop_rag.domain.content import Content
from desktop_rag.domain.query import Query
from desktop_rag.domain.segment import TextSegment
from desktop_rag.retrieval.aggregators.reranking import ReRankingContentAggregator
from desktop_rag.retrieval.retrievers.keyword import KeywordContentRetriever
from desktop_rag.retrieval.retrievers.vector import VectorContentRetriever
from desktop_rag.retrieval.transformers.translating import TranslatingQueryTransformer

KNOWN = {"合同": [("contract", 0)], "contract": [("合同", 0)]}


class Words:
    def meanings(self, words):
        return {word: KNOWN[word] for word in words if word in KNOWN}

    def term_frequencies(self, terms):
        return dict.fromkeys(terms, 1)


def transformer(*languages):
    return TranslatingQueryTransformer(Words(), Words(), lambda: languages)


def test_a_question_gets_its_words_in_the_other_language():
    [query] = transformer("en", "zh").transform(Query("Which contract?"))
    assert query == Query("Which contract?")
    assert query.in_language("zh") == "合同"
    assert query.in_language("en") == "Which contract?"
    [query] = transformer("en", "zh").transform(Query("哪份合同？"))
    assert query.in_language("en") == "contract"


def test_nothing_is_translated_where_no_passage_has_the_language():
    [query] = transformer("en").transform(Query("Which contract?"))
    assert query.translations == ()


def test_nothing_is_translated_without_a_known_word_or_of_a_whole_page():
    for text in ("Whose dog?", "contract " * 100):
        [query] = transformer("en", "zh").transform(Query(text))
        assert query.translations == ()


TRANSLATED = Query("contract", translations=(("zh", "合同"),))


class Recorder:
    """A store and models that remember what they were asked."""

    names = ("english", "chinese")

    def __init__(self):
        self.asked = []

    def keyword_search(self, terms, k, condition=None):
        self.asked.append(terms)
        return []

    def vector_count(self, space):
        return 1

    def vector_search(self, space, vector, k, condition=None):
        self.asked.append((space, vector))
        return []

    def segments_of_texts(self, text_ids, condition=None):
        return {}

    def get(self, name):
        return self

    def embed_query(self, text):
        return text


def test_keywords_of_both_are_searched():
    store = Recorder()
    KeywordContentRetriever(store, 5).retrieve(TRANSLATED)
    assert store.asked == [["contract", "合同"]]


def test_each_space_is_asked_in_its_language():
    store = Recorder()
    languages = {"english": "en", "chinese": "zh"}
    VectorContentRetriever(store, store, 5, None, languages).retrieve(TRANSLATED)
    assert store.asked == [("english", "contract"), ("chinese", "合同")]


def test_passages_can_be_judged_against_the_translation():
    judged = []

    class Judge:
        def score_all(self, texts, query):
            judged.append((query, list(texts)))
            return [1.0] * len(texts)

    contents = [Content(TextSegment(text), {}) for text in ("the contract", "合同")]
    aggregator = ReRankingContentAggregator(
        Judge(),
        question_of=lambda query, one: query.in_language("zh" if "合" in one.segment.text else ""),
    )
    aggregator.aggregate({TRANSLATED: [contents]})
    assert judged == [("contract", ["the contract"]), ("合同", ["合同"])]
