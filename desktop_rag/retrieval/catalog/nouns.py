"""Sorts of documents that people ask for by name: contracts, invoices, reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Noun:
    """A sort of document: one, several, in Chinese, and the words by which to find it.

    All but ``words`` are parts of regular expressions.
    """

    key: str
    one: str
    many: str
    chinese: str
    words: tuple[str, ...]


NOUNS = (
    Noun(
        "contract",
        "contract|agreement",
        "contracts|agreements",
        "合同|协议书?",
        ("contract", "agreement", "合同", "协议"),
    ),
    Noun("invoice", "invoice|bill", "invoices|bills", "发票|账单", ("invoice", "发票", "账单")),
    Noun("receipt", "receipt", "receipts", "收据|收条", ("receipt", "收据")),
    Noun("report", "report", "reports", "报告书?", ("report", "报告")),
    Noun(
        "minutes",
        "minutes|meeting minutes|protocol",
        "(?:sets of )?(?:meeting )?minutes|protocols",
        "会议纪要|会议记录|纪要",
        ("minutes", "纪要", "会议记录"),
    ),
    Noun(
        "manual",
        "manual|handbook|user guide",
        "manuals|handbooks|user guides",
        "使用手册|手册|说明书",
        ("manual", "handbook", "user guide", "手册", "说明书"),
    ),
    Noun("letter", "letter", "letters", "信函|信件", ("letter", "信函", "信件")),
    Noun(
        "offer",
        "offer|quotation|quote",
        "offers|quotations|quotes",
        "报价单?",
        ("offer", "quotation", "quote", "报价"),
    ),
    Noun("certificate", "certificate", "certificates", "证书|证明", ("certificate", "证书")),
    Noun("resume", "cv|r[ée]sum[ée]", "cvs|r[ée]sum[ée]s", "简历", ("cv", "resume", "简历")),
    Noun("payslip", "payslip", "payslips", "工资单|工资条", ("payslip", "工资单", "工资条")),
    Noun(
        "thesis",
        "thesis|dissertation",
        "theses|dissertations",
        "论文",
        ("thesis", "dissertation", "论文"),
    ),
)
"""What is found is any of the words in a file's name, title, headings or folder."""

NOUN_BY_KEY = {noun.key: noun for noun in NOUNS}
