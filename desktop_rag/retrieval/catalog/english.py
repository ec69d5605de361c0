"""How English asks about the library. Letters are explained at ``_SENTENCES``."""

from __future__ import annotations

import re
from collections.abc import Callable

from desktop_rag.domain.catalog import DateMeaning
from desktop_rag.retrieval.catalog.english_dates import DATE_RULES, NUMBER
from desktop_rag.retrieval.catalog.grammar import Grammar, Rule
from desktop_rag.retrieval.catalog.nouns import NOUNS

_KINDS = (
    ("pdf", "pdf", "pdfs"),
    ("word", "(?:ms |microsoft )?word|docx?", "docx?s"),
    ("excel", "(?:ms |microsoft )?excel|xlsx?", "excels"),
    ("spreadsheet", "spreadsheet", "spreadsheets|workbooks"),
    ("powerpoint", "(?:ms |microsoft )?powerpoint|pptx?", "powerpoints"),
    ("presentation", "presentation|slide deck", "presentations|slide decks|slideshows"),
    ("mail", "e-?mail|mail", "e-?mails|mails"),
    ("image", "image|picture|photo|png|jpe?g", "images|pictures|photos|photographs|pngs|jpe?gs"),
    ("text", "text|txt|plain text", "text notes"),
    ("markdown", "markdown|md", "markdown notes"),
    ("csv", "csv", "csvs"),
    ("web", "html", "web ?pages"),
    ("zip", "zip", "zips|zip archives"),
    ("book", "e-?book|epub", "e-?books|epubs"),
    ("json", "json", "jsons"),
    ("code", "source code|code", "source files"),
)
"""Name of the kind; as it stands before "file"; several of them."""

_WHICH_ARE = r"(?:(?:that|which) )?(?:(?:are|were|is|was|have been|has been|got) )?"
_MY = r"(?:my|the|our|this)"
_LIBRARY = rf"(?:{_MY} (?:whole |entire )?(?:library|collection|knowledge base)|here)"
_HAVE = r"(?:have got|have|own|keep|store)"
_START = re.compile(
    r"(?:the|a|an|this|that|these|those|it|its|them|they|him|her|their|what|which|who|whom|how|"
    r"why|when|where|whether|if|each|every|hand|default|law|no|not|me|us|you|to|all|any|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"(?:that|what|which|who|whom|how|why|when|where|whether|if|it|them|they|to)\b", re.IGNORECASE
)
_MOST_WORDS = 8
_PLURALS = "tKd"


def _is_name(value: str) -> bool:
    """Whether a value may be an author: words that begin with capitals, or an address."""
    words = value.split()
    if not words or len(words) > 5 or _START.match(value):
        return False
    return "@" in value or words[0][:1].isupper() or not words[0].isascii()


def _is_someone(value: str) -> bool:
    """Whether a value may be an author where only an author can stand."""
    return 0 < len(value.split()) <= 5 and not _START.match(value)


def _is_topic(value: str) -> bool:
    return 0 < len(value.split()) <= _MOST_WORDS and not _CLAUSE.match(value)


def _is_folder(value: str) -> bool:
    return 0 < len(value.split()) <= _MOST_WORDS


def _rule(letter: str, expression: str, data: str = "") -> Rule:
    pattern = re.compile(rf"(?:{expression})(?!\w)", re.IGNORECASE)
    return Rule(letter, pattern, data=data, several=letter in _PLURALS)


def _open(
    letter: str,
    before: str,
    after: str = "",
    data: str = "",
    accept: Callable[[str], bool] = _is_topic,
) -> Rule:
    """Return a rule with a value; without words behind it, it ends at the end of a word."""
    behind = rf"\s+(?:{after})(?!\w)" if after else r"(?=\s|,|$)"
    return Rule(
        letter,
        re.compile(rf"(?:{before})\s+" if before else "", re.IGNORECASE),
        re.compile(behind, re.IGNORECASE),
        data,
        accept,
    )


_ACTIONS = (
    _rule(
        "c",
        r"how many(?: of)?(?: the)?|"
        "(?:(?:what is|what's) )?the (?:total )?(?:number|count) of(?: the)?",
    ),
    _rule("C", "count(?: (?:all|up))?(?: of)?(?: the)?"),
    _rule("m", "my|our"),
    _rule(
        "l",
        r"(?:list|show(?: me)?|give me|display|enumerate|find(?: me)?|get me)"
        r"(?: (?:a |the )?list of)?(?: all| every)?(?: of)?(?: the)?|"
        "(?:what|which) are(?: all)?(?: of)?(?: the)?|a list of(?: all)?(?: the)?|"
        "all(?: of)?(?: the)?",
    ),
    _rule("w", "which|what"),
    _rule(
        "e",
        r"(?:(?:do|have) (?:i|we) (?:have|got)|(?:are|is) there)(?: (?:any|a|an|some))?",
    ),
    _rule("x", "(?:what is|what's|what do (?:i|we) have|show me what is|what all is)"),
    _rule("y", "(?:(?:show(?: me)?|list) )?(?:the )?contents of"),
)


def _superlatives(letter: str, words: str) -> Rule:
    ask = r"(?:(?:what|which) (?:is|are) |what's |show(?: me)? |find(?: me)? |give me |list )?"
    return _rule(
        letter, rf"{ask}(?:{_MY} )?(?:(?P<most>{NUMBER}) )?(?:{words})(?: (?P<most2>{NUMBER}))?"
    )


_ORDERS = (
    _superlatives("n", r"newest|latest|most recent(?:ly)?|last(?= \d)"),
    _superlatives("o", r"oldest|earliest|least recent(?:ly)?"),
    _rule("N", rf"(?:is |was )?(?:{_MY} )?(?:newest|latest|most recent)(?: one)?"),
    _rule("O", rf"(?:is |was )?(?:{_MY} )?(?:oldest|earliest)(?: one)?"),
)

_THINGS = (
    _rule("t", "files|documents|docs|everything"),
    _rule("u", "file|document|doc"),
    *(
        rule
        for kind, one, many in _KINDS
        for rule in (_rule("k", one, kind), _rule("K", many, kind), _rule("L", one, kind))
    ),
    *(
        rule
        for noun in NOUNS
        for rule in (_rule("d", noun.many, noun.key), _rule("s", noun.one, noun.key))
    ),
)

_ANCHORS = (
    _rule(
        "a",
        rf"(?:(?:that|which) )?(?:do |have )?(?:i|we) (?:{_HAVE}|got)|"
        rf"(?:are |is )?(?:(?:stored|saved|kept|indexed) )?(?:in|of) {_LIBRARY}|"
        rf"does {_LIBRARY} (?:have|contain|hold)|(?:are )?(?:in total|altogether|here|right now)|"
        r"(?:can|do|have) you (?:see|read|know|have|got|search|indexed)|(?:are )?indexed",
    ),
    _rule("b", "(?:are|is) there|there (?:are|is)"),
    _rule("v", r"(?:(?:that|which) )?(?:are|were|is|was)|that|which"),
)

_BY = r"(?:(?:i|we)(?:'ve| have)? |did (?:i|we) )?"
_VERBS = (
    (
        DateMeaning.ARRIVED,
        "(?:newly )?(?:add(?:ed)?|import(?:ed)?|dropped|arrived|came in|got in)",
    ),
    (DateMeaning.CHANGED, "(?:changed?|modified|modify|edited|edit|updated?)"),
    (
        DateMeaning.STATED,
        "(?:dated|written|write|wrote|created?|made|received|sent|composed)",
    ),
)
_HOW = (
    *(_rule("h", rf"{_WHICH_ARE}{_BY}{verb}", meaning.value) for meaning, verb in _VERBS),
    _rule("z", rf"{_WHICH_ARE}(?:last|most recently)"),
)

_WRITTEN = "written|authored|composed"
_DID = r"(?:made|created|sent|received|prepared)"
_WORDS = "(?:the )?(?:exact )?(?:words?|phrase|term|text|name|expression|string)"
_VALUES = (
    _open("A", rf"{_WHICH_ARE}(?:{_WRITTEN}) by(?: (?:the )?author)?", accept=_is_someone),
    _open("A", rf"{_WHICH_ARE}(?:{_DID} )?by", accept=_is_name),
    _open("A", r"(?:with|of|from|by) (?:the )?author(?: called| named)?", accept=_is_someone),
    _open("A", r"(?:whose|where the) author is", accept=_is_someone),
    _open("A", "did|has", "write|written|author(?:ed)?|sen[dt]", accept=_is_someone),
    _open("B", "from|sent by|by", accept=_is_name),
    _open(
        "F",
        rf"{_WHICH_ARE}(?:(?:located|stored|saved|kept) )?"
        rf"(?:in|inside|from|under|within|of)(?: {_MY})? (?:folder|directory)(?: called| named)?",
        accept=_is_folder,
    ),
    _open(
        "F",
        rf"{_WHICH_ARE}(?:(?:located|stored|saved|kept) )?"
        rf"(?:in|inside|from|under|within|of)(?: {_MY})?",
        "folder|directory",
        accept=_is_folder,
    ),
    _open("G", rf"(?:{_MY} )?(?:folder|directory)(?: called| named)?", accept=_is_folder),
    _open("G", _MY, "folder|directory", accept=_is_folder),
    _open(
        "Y",
        rf"what does(?: {_MY})? (?:folder|directory)(?: called| named)?",
        "contain|hold|have",
        accept=_is_folder,
    ),
    _open(
        "Y", rf"what does {_MY}", "(?:folder|directory) (?:contain|hold|have)", accept=_is_folder
    ),
    _open(
        "P",
        rf"{_WHICH_ARE}(?:about|regarding|concerning|related to|relating to|deal(?:ing)? with|"
        "talk(?:ing)? about|on the (?:subject|topic) of)",
    ),
    _open(
        "M",
        rf"(?:(?:that|which) )?(?:all )?(?:mention(?:s|ing)?|refer(?:s|ring)? to)(?: {_WORDS})?|"
        rf"(?:(?:that|which) )?(?:contain(?:s|ing)?|include)(?: {_WORDS})|with {_WORDS}|"
        r"(?:that |which )?(?:contain(?:s|ing)?)",
    ),
    _open(
        "M",
        rf"(?:where|in which)(?: {_WORDS})?",
        "(?:is |are )?(?:mentioned|appears?|occurs?|found)",
    ),
    _open("M", rf"does(?: {_WORDS})?", "appear|occur", "in which"),
)
_UNREAD = _rule(
    "U",
    r"(?:(?:that|which) )?(?:(?:could|can)(?:n't|not| not) be (?:read|opened)|"
    r"failed(?: to be read)?|(?:are|were) (?:unreadable|not readable)|"
    r"(?:have|has|were)(?: not|n't) (?:been )?read(?: yet)?)",
)

_M = "(?:z?h?D|A|B|F|P|M|U)"
_MANY = "(?:D?k?t|D?k?d|D?K|D?[sL]t)"
_ONE = "(?:k?u|k?s|L|[sL]u)"
_NAMED = "(?:k?d|k?s|[sL]t)"
_GENERIC = "(?:k?t|K)"
_SENTENCES = re.compile(
    rf"cm?{_GENERIC}(?:a|b)?|c{_MANY}(?:{_M})*a(?:{_M})*|cm?{_MANY}b?(?:{_M})+|cm{_MANY}b|"
    rf"Cm?{_MANY}(?:a|{_M})*|lm?{_GENERIC}a?|lm{_MANY}|lm?{_MANY}(?:{_M}|a)+|w{_MANY}(?:b|a)?(?:{_M})+|w{_GENERIC}(?:a|b)|"
    rf"w{_ONE}[NO]|w{_ONE}(?:hz|zh)|e(?:{_MANY}|{_ONE})(?:{_M})+|"
    rf"[no](?:{_GENERIC}|k?u|L)(?:{_M}|h|a|b)*|[no](?:{_MANY}|{_ONE})(?:{_M}|h|a)+|"
    rf"[no]h(?:{_MANY}|{_ONE})(?:{_M}|a)*|{_GENERIC}(?:{_M})+|xF|yG|Y|whD"
)
"""c, C: how many, count. m: my. l: list. w: which. e: is there. x, y, Y: what is in a folder.
n, o: newest, oldest before the files; N, O behind them; z: last. t, u: files, a file;
k: a kind before it; K, L: PDFs, a PDF; d, s: contracts, a contract. a: "do I have", b: "are
there", v: "that are". D: a date, h: added, changed; A: by someone; B: from someone (mail);
F, G, Y: a folder; P: about; M: that mention; U: could not be read.

"Contracts" alone may be a question about a contract, so it wants more beside it."""

ENGLISH = Grammar(
    rules=(
        *_ACTIONS, *_ORDERS, *_THINGS, *_ANCHORS, *DATE_RULES, *_HOW, _UNREAD, *_VALUES,
    ),
    sentences=_SENTENCES,
    fillers="v",
    between=re.compile(r"\s*,?\s*"),
    hint=re.compile(
        r"\b(?:files?|everything|documents?|docs?|folder|directory|contents|add|added|imported|"
        + "|".join(f"{one}|{many}" for _, one, many in _KINDS)
        + "|"
        + "|".join(f"{noun.one}|{noun.many}" for noun in NOUNS)
        + r")\b",
        re.IGNORECASE,
    ),
    courtesies=re.compile(
        r"^(?:(?:please|hey|hi|hello|ok|okay|so|and|then|now|can you|could you|would you|"
        r"will you|i want to|i'd like to|i would like to|tell me|let me know)\b[, ]*)+"
        r"|(?:,? (?:please|for me|thanks|thank you))*[\s?.!]*$",
        re.IGNORECASE,
    ),
)  # fmt: skip
