"""How Chinese asks about the library. Letters are explained at ``_SENTENCES``."""

from __future__ import annotations

import re
from collections.abc import Callable

from desktop_rag.domain.catalog import DateMeaning
from desktop_rag.retrieval.catalog.chinese_dates import DATE_RULES, NUMBER
from desktop_rag.retrieval.catalog.grammar import Grammar, Rule
from desktop_rag.retrieval.catalog.nouns import NOUNS

_KINDS = (
    ("pdf", "PDF"),
    ("word", "Word|docx?"),
    ("excel", "Excel|xlsx?"),
    ("powerpoint", "PowerPoint|PPTX?|pptx?"),
    ("presentation", "演示文稿|幻灯片"),
    ("spreadsheet", "电子表格"),
    ("mail", "电子邮件|邮件"),
    ("image", "图片|照片|图像"),
    ("text", "纯文本|文本|txt"),
    ("markdown", "Markdown|md"),
    ("csv", "csv"),
    ("web", "网页|html"),
    ("zip", "压缩包|压缩文件|zip"),
    ("book", "电子书|epub"),
)
_FILES = "文件|文档|资料"
_COUNTER = "(?:个|份|篇|张|本|封|条|种|部)"
_INSIDE = "(?:里面|里边|里|中|下面|下|内)"
_FOLDER = "(?:文件夹|目录)"
_MOST_CHARACTERS = 24
_NOT_A_VALUE = re.compile(r"[什么哪谁吗呢]|多少|怎么|如何|为何|[？?，,。；;：:]")
_NOT_A_NAME = re.compile(r"[的了是在有和与及或被把对从以要求需文件档合同提交个份]|应该|必须")


def _is_value(value: str) -> bool:
    return 0 < len(value) <= _MOST_CHARACTERS and not _NOT_A_VALUE.search(value)


def _is_name(value: str) -> bool:
    """Whether a value may be an author: a few characters, none of them a function word."""
    if not _is_value(value):
        return False
    return value.isascii() or (len(value) <= 10 and not _NOT_A_NAME.search(value))


def _rule(letter: str, expression: str, data: str = "", several: bool = False) -> Rule:
    return Rule(letter, re.compile(f"(?:{expression})", re.IGNORECASE), data=data, several=several)


def _open(letter: str, before: str, after: str, accept: Callable[[str], bool] = _is_value) -> Rule:
    return Rule(
        letter,
        re.compile(f"(?:{before})", re.IGNORECASE),
        re.compile(f"(?:{after})", re.IGNORECASE),
        accept=accept,
    )


_ACTIONS = (
    _rule("c", f"有?(?:多少|几){_COUNTER}?|(?:的)?(?:数量|总数|个数)(?:是多少|有多少)?"),
    _rule(
        "l",
        "(?:列出|列一下|列举|罗列|显示|展示|找出|找到|查找|查看|给出|看看|找一?下|看一?下)(?:一下|来)?",
    ),
    _rule("w", f"都?有?(?:哪些|哪几{_COUNTER})", several=True),
    _rule("w", f"都?有?哪一?{_COUNTER}"),
    _rule("e", "有没有|是否有|有无"),
    _rule("n", f"(?:最新|最近|最晚)的?(?:(?P<most>{NUMBER}){_COUNTER})?"),
    _rule("o", f"(?:最旧|最早|最老|最久)的?(?:(?P<most>{NUMBER}){_COUNTER})?"),
    _rule("i", f"(?P<most>{NUMBER}){_COUNTER}"),
    _rule("q", f"是(?:哪些|哪几{_COUNTER})", several=True),
    _rule("q", f"是(?:哪一?{_COUNTER}|什么)|叫什么(?:名字)?"),
    _rule("z", "什么(?:东西|内容)?|啥"),
)
_THINGS = (
    _rule("t", _FILES),
    *(_rule("k", words, kind) for kind, words in _KINDS),
    *(_rule("d", noun.chinese, noun.key) for noun in NOUNS),
)
_LIBRARY = "(?:我的|我们的|这个|整个)?(?:资料库|知识库|文档库|文件库)"
_ANCHORS = (
    _rule(
        "a", f"(?:在)?{_LIBRARY}{_INSIDE}?的?|我们?(?:现在|目前|一共|总共|已经)*(?:有|存了)|我们?的"
    ),
    _rule(
        "f",
        "请问|请|帮我|给我|麻烦你?|告诉我|我想知道|我们|我|你|一共|总共|共|都|有|的|了|"
        "全部的?|所有的?|目前|现在|是|吗|呢|这里|能|可以",
    ),
)
_HOW = (
    _rule(
        "h",
        "(?:新)?(?:添加|增加|新增|加入|导入|放进来|加)(?:进来)?(?:过|了)?的?",
        DateMeaning.ARRIVED.value,
    ),
    _rule("h", "(?:被)?(?:修改|改动|更新|编辑|改)(?:过|了)?的?", DateMeaning.CHANGED.value),
    _rule("h", "(?:创建|签订|签署|写|撰写|收到|发送|形成)(?:过|了)?的", DateMeaning.STATED.value),
)
_ABOUT = "有关|相关|有关系"
_MENTION = "提到|提及|包含|含有|出现|写到|谈到|说到|讲到"
_WRITE = "撰写|编写|起草|写作|写|发来|发送|发出"
_VALUES = (
    _open("F", f"在?{_FOLDER}", f"{_INSIDE}的?|的(?={_FILES})"),
    _open("F", "在?", f"(?:这个|那个)?{_FOLDER}{_INSIDE}?的?"),
    _open("P", "关于|有关|涉及", "的|$"),
    _open("P", "与|跟|和|同", f"(?:{_ABOUT})(?:的|$)"),
    _open(
        "M", f"(?:{_MENTION})(?:了|过)?(?:词语|字样|关键词|“)?", "(?:字样|这个词|一词|”)?(?:的|$)"
    ),
    _open("A", "(?:作者|发件人)(?:是|为|叫)?", "的|$", _is_name),
    _open("A", "由?", f"(?:所)?(?:{_WRITE})(?:了|过)?(?:的|(?=哪些|哪几|多少|几))", _is_name),
)
_UNREAD = _rule(
    "U",
    "(?:没有|没|未|无法|不能|还没有|还没)(?:能|被)?(?:读取|打开|读出|读)(?:成功|到)?的?|读取失败的?|读不(?:了|出来)的?",
)

_M = "(?:h?D|h?D?h|A|F|P|M|U)"
_GENERIC = "(?:k?t|k)"
_THING = "(?:kt|k?d|dt|k|t)"
_BEFORE = f"(?:{_M}|a)*"
_SENTENCES = re.compile(
    f"{_BEFORE}c{_BEFORE}{_GENERIC}|{_BEFORE}{_GENERIC}a?c|"
    f"(?:{_M}|a)+c{_BEFORE}{_THING}|{_BEFORE}c(?:{_M}|a)+{_THING}|(?:{_M}|a)+{_THING}a?c|"
    f"l{_BEFORE}{_GENERIC}|l(?:{_M}|a)+{_THING}|"
    f"(?:{_M}|a)+w{_BEFORE}{_THING}|w(?:{_M}|a)*{_GENERIC}|w(?:{_M}|a)+{_THING}|w{_THING}(?:{_M})+|w{_THING}[no]|"
    f"(?:{_M}|a)+{_THING}w|"
    f"(?:a|F)?e(?:{_M}|a)+{_THING}|e{_THING}(?:{_M})+|"
    f"{_BEFORE}[no]h?i?(?:{_M}|a)*{_GENERIC}[qw]?|(?:{_M}|a)+[no]h?i?(?:{_M}|a)*{_THING}[qw]?|"
    f"[no]h?i?(?:{_M}|a)*{_THING}[qw]|[no]h?i?(?:{_M}|a)+{_THING}|{_BEFORE}{_GENERIC}[no]q?|"
    f"(?:{_M})+{_GENERIC}|Fw?z|F[wz]|Dhz|l?F{_GENERIC}?"
)
"""c: how many, l: list, w: which, e: is there, n, o: newest, oldest, i: so many of them,
q: "is which", z: what. t: files, k: PDFs, d: contracts. a: in the library, "I have", f:
fillers. D: a date, h: added, changed; A: by someone; F: in a folder; P: about; M: that
mention; U: could not be read.

"Contracts" alone may be a question about a contract, so it wants more beside it."""

CHINESE = Grammar(
    rules=(*_ACTIONS, *_THINGS, *_ANCHORS, *DATE_RULES, *_HOW, _UNREAD, *_VALUES),
    sentences=_SENTENCES,
    fillers="f",
    between=re.compile(r"\s*[，,]?\s*"),
    hint=re.compile(
        f"{_FILES}|{_FOLDER}|添加|新增|加入|导入|"
        + "|".join(words for _, words in _KINDS)
        + "|"
        + "|".join(noun.chinese for noun in NOUNS),
        re.IGNORECASE,
    ),
    courtesies=re.compile(r"[\s？?。.！!]+$"),
)
