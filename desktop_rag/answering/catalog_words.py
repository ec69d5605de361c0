"""What things are called in an answer about the library, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from desktop_rag.domain.catalog import DateMeaning, DateRange

Words = tuple[str, str, str]
"""One of them, several of them, and in Chinese with its counter."""

KINDS: Mapping[str, Words] = {
    "": ("file", "files", "个文件"),
    "pdf": ("PDF file", "PDF files", "个 PDF 文件"),
    "word": ("Word document", "Word documents", "个 Word 文档"),
    "excel": ("Excel file", "Excel files", "个 Excel 文件"),
    "spreadsheet": ("spreadsheet", "spreadsheets", "个电子表格"),
    "powerpoint": ("PowerPoint file", "PowerPoint files", "个 PowerPoint 文件"),
    "presentation": ("presentation", "presentations", "个演示文稿"),
    "mail": ("e-mail", "e-mails", "封邮件"),
    "image": ("picture", "pictures", "张图片"),
    "text": ("text file", "text files", "个文本文件"),
    "markdown": ("Markdown file", "Markdown files", "个 Markdown 文件"),
    "csv": ("CSV file", "CSV files", "个 CSV 文件"),
    "web": ("web page", "web pages", "个网页"),
    "zip": ("zip archive", "zip archives", "个压缩包"),
    "book": ("e-book", "e-books", "本电子书"),
    "json": ("JSON file", "JSON files", "个 JSON 文件"),
    "code": ("source file", "source files", "个源代码文件"),
}

NOUNS: Mapping[str, Words] = {
    "contract": ("contract", "contracts", "份合同"),
    "invoice": ("invoice", "invoices", "张发票"),
    "receipt": ("receipt", "receipts", "张收据"),
    "report": ("report", "reports", "份报告"),
    "minutes": ("set of minutes", "sets of minutes", "份会议纪要"),
    "manual": ("manual", "manuals", "份手册"),
    "letter": ("letter", "letters", "封信函"),
    "offer": ("offer", "offers", "份报价"),
    "certificate": ("certificate", "certificates", "份证书"),
    "resume": ("CV", "CVs", "份简历"),
    "payslip": ("payslip", "payslips", "份工资单"),
    "thesis": ("thesis", "theses", "篇论文"),
}

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_HOW_DATED: Mapping[DateMeaning, tuple[str, str]] = {
    DateMeaning.STATED: ("dated", "日期为{}"),
    DateMeaning.CHANGED: ("last changed", "最后修改于{}"),
    DateMeaning.ARRIVED: ("new or changed", "新增或修改于{}"),
}


def thing(kind: str, noun: str, chinese: bool) -> tuple[str, str]:
    """Return what one file of a question is called and what several are."""
    one, many, counted = NOUNS[noun] if noun else KINDS.get(kind, KINDS[""])
    beside = KINDS[kind] if noun and kind in KINDS and kind else None
    if chinese:
        counted = f"{counted}（{beside[2][1:].strip()}）" if beside else counted
        return counted, counted
    return (f"{one} ({beside[0]})", f"{many} ({beside[1]})") if beside else (one, many)


def day(iso: str, chinese: bool) -> str:
    """Return an ISO date, month or year as people write it; as it is if it is none."""
    parts = iso.split("-")
    if not all(part.isdigit() for part in parts) or len(parts) > 3:
        return iso
    year, *others = (int(part) for part in parts)
    if chinese:
        return f"{year}年" + "".join(f"{n}{unit}" for n, unit in zip(others, "月日", strict=False))
    return " ".join(
        [*(str(n) for n in others[1:]), *(_MONTHS[n - 1] for n in others[:1]), str(year)]
    )


def span(days: DateRange, meaning: DateMeaning, chinese: bool) -> str:
    """Return a range of days as a condition on files: "dated May 2024"."""
    english, han = _HOW_DATED[meaning]
    return han.format(_chinese_span(days)) if chinese else f"{english} {_english_span(days)}"


def _english_span(days: DateRange) -> str:
    if (whole := days.whole) is not None:
        return day(whole, chinese=False)
    if days.last is None:
        return f"on or after {_written(days.first, chinese=False)}"
    if days.first is None:
        return f"up to {_written(days.last, chinese=False)}"
    first, last = (_written(one, chinese=False) for one in (days.first, days.last))
    return f"from {first} to {last}"


def _chinese_span(days: DateRange) -> str:
    if (whole := days.whole) is not None:
        return day(whole, chinese=True)
    if days.last is None:
        return f"{_written(days.first, chinese=True)}及以后"
    if days.first is None:
        return f"{_written(days.last, chinese=True)}及以前"
    return f"{_written(days.first, chinese=True)}至{_written(days.last, chinese=True)}"


def _written(one: date | None, chinese: bool) -> str:
    return day(one.isoformat(), chinese) if one else ""
