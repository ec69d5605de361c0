from __future__ import annotations

import pytest

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.encodings import decode
from desktop_rag.ingestion.parsers.text import TextParser

TERM = "合同付款期限为三十天。"
TRADITIONAL = "合約付款期限為三十天，請於期限內完成。"
JAPANESE = "日本語の文章です。契約の支払期限は三十日です。"
KOREAN = "안녕하세요. 계약 지급 기한은 삼십 일입니다."
RUSSIAN = "Привет, мир! Срок оплаты договора тридцать дней."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((TERM, name) for name in ("gbk", "gb18030", "utf-8", "utf-16-le", "utf-16-be")),
        *((TERM * 100, name) for name in ("gbk", "utf-8", "utf-16-le", "utf-16-be")),
        *((TERM, name) for name in ("utf-32-le", "utf-32-be", "utf-8-sig", "utf-16", "utf-32")),
        *((TRADITIONAL, name) for name in ("big5", "utf-16-le", "gb18030")),
        *((JAPANESE, name) for name in ("shift_jis", "euc_jp", "utf-16-le")),
        *((KOREAN, name) for name in ("euc_kr", "utf-16-le")),
        ("付款期限", "gbk"),
        ("東京都", "shift_jis"),
        ("한국어", "euc_kr"),
        ("繁體中文測試", "big5"),
        ("2024年1月3日 张三 12,000元", "gbk"),
        ("2024年1月3日 张三 12,000元", "utf-16-le"),
        ("The term is thirty days.\n合同付款期限为三十天。\nSecond line", "gbk"),
        ("plain words", "utf-16-le"),
        ("plain words", "ascii"),
        ("café", "cp1252"),
        ("Größe und Übermaß: 30 °C, §5 für € – “so”", "cp1252"),
        ("The quick “brown” fox – it’s", "cp1252"),
        ("Zażółć gęślą jaźń. Wszystkie umowy są ważne przez trzydzieści dni.", "cp1250"),
        ("Sözleşme ödeme süresi otuz gündür. İstanbul’da güzel şeyler", "cp1254"),
        ("Καλημέρα κόσμε, η προθεσμία πληρωμής είναι τριάντα ημέρες.", "cp1253"),
        ("מועד התשלום הוא שלושים יום", "cp1255"),
        ("مدة الدفع ثلاثون يوما من تاريخ العقد", "cp1256"),
        *((RUSSIAN, name) for name in ("cp1251", "koi8_r")),
        ("Привет", "cp1251"),
    ],
)
def test_the_right_text_comes_out(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)).text == text


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TERM.encode()[:9] + b"\xff" + TERM.encode(), "utf-8"),
        ("naïve café".encode() + b"\xff", "utf-8"),
        (("a" * 1000 + "é" + "b" * 100).encode() + b"\x92s", "utf-8"),
        (TERM.encode("gbk") * 3 + b"\xff\xff" + TERM.encode("gbk") * 3, "gb18030"),
    ],
)
def test_one_bad_byte_never_flips_the_file(data: bytes, encoding: str) -> None:
    decoded = decode(data)

    assert decoded.encoding == encoding
    assert "\ufffd" in decoded.text
    assert decoded.text.replace("\ufffd", "")[:4] == data.decode(encoding, "ignore")[:4]


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "utf-16-le"])
def test_a_file_cut_within_a_character_keeps_its_encoding(encoding: str) -> None:
    text = decode(TERM.encode(encoding)[:-1]).text

    assert text.startswith(TERM[:-1])


def test_the_guess_is_kept_and_shown() -> None:
    parsed = TextParser().parse(TERM.encode("gbk"), "a.txt")

    assert parsed.encoding == "gb18030"


def test_a_byte_order_mark_is_no_text() -> None:
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        assert TextParser().parse(TERM.encode(encoding), "a.txt").document.text == TERM


def test_nul_characters_are_stripped() -> None:
    parsed = TextParser().parse("合同\0付款\0 is due".encode(), "a.txt")

    assert parsed.document.text == "合同付款 is due"
    assert parsed.encoding == "utf-8"


def test_data_that_is_no_text_is_refused() -> None:
    with pytest.raises(KnownError, match="not text") as caught:
        TextParser().parse(bytes(range(1, 32)) * 100, "a.txt")

    assert caught.value.title == "Not text"


@pytest.mark.parametrize("content", [b"", b"  \n\t ", b"\xef\xbb\xbf", b"\0\0"])
def test_a_blank_file_has_no_text(content: bytes) -> None:
    with pytest.raises(KnownError) as caught:
        TextParser().parse(content, "a.txt")

    assert caught.value.title == "No text"
