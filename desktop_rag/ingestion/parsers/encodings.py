"""Bytes to text: which encoding a text file has, also when it is short or flawed."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from desktop_rag.ingestion.parsers.plausibility import plausibility

_BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""UTF-32's mark begins with UTF-16's, so it is tried first."""

_MULTIBYTE: tuple[tuple[str, str], ...] = (
    ("gb18030", "gb2312"),
    ("big5hkscs", "big5"),
    ("cp932", "shift_jis"),
    ("euc_jp", "shift_jis"),
    ("cp949", ""),
    ("utf-16-le", "gb2312"),
    ("utf-16-be", "gb2312"),
)
"""Encodings of East Asia, and the standard that tells each one's common characters."""

_NAMES = {"big5hkscs": "big5", "cp932": "shift_jis", "cp949": "euc_kr"}
"""What a person calls an encoding that is decoded by its superset."""

_SAMPLE = 16_384
"""Bytes on which guesses are made."""

_FEWEST_NULS = 2
_SHORT = 64
"""Bytes; a shorter file of an odd number of them is not UTF-16 with its end cut off."""

_PLAUSIBLE = 0.5
"""Mean plausibility from which text is taken to be East Asian: the right encoding
gives .6 and more from five characters on, a wrong one .1 to .45."""

_SPARSE = 0.3
"""In Latin scripts less than this share of the bytes is beyond ASCII."""

_WESTERN = frozenset("àâäáãåæçéèêëîïíìñôöóòõøœùûüúÿßÀÂÄÁÃÅÆÇÉÈÊËÎÏÍÌÑÔÖÓÒÕØŒÙÛÜÚŸ")
_QUOTES = "‘’“”„«»–—…\xa0"
_CONTROL = re.compile(r"[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_IN_WORD = re.compile(
    rf"(?<=[^\W\d_])[^\x00-\x7f{_QUOTES}](?=\w)|(?<=\w)[^\x00-\x7f{_QUOTES}](?=[a-z])"
)
_ALPHABETS: tuple[tuple[str, str], ...] = (
    ("cp1251", "оеаинтсрвлкмдпуяыьгзбчйхжюцщ"),
    ("koi8_r", "оеаинтсрвлкмдпуяыьгзбчйхжюцщ"),
    ("cp1253", "αοιετσνηυρπκμλωςδγθάέίήόύώ"),
    ("cp1255", "יוהלאמרתבשנדפקחעטגםןזכ"),
    ("cp1256", "اليمونرتبدعسفحكجقهةأشص"),
    ("cp874", "านรอกเงมยลวดทสตะปบคหแจพช่้ัี็"),
    ("cp1250", "ąęłśżźćńóěščřžýáíéůúďťňőűöüäôľ"),
    ("cp1254", "ışğçöüİâŞÇÖÜĞ"),
)
"""Single-byte code pages and the letters beyond ASCII that make up nearly all of a text."""

_ALPHABET_SHARE = 0.7


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text and the name of the encoding that it was taken to have."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded:
    """Decode a text file.

    The order is: a byte order mark; UTF-16 and UTF-32 by their NUL bytes; UTF-8, also
    with a few bad bytes (which become U+FFFD) or cut in the middle of a character; the
    East Asian encodings by what they decode to; the single-byte code pages.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return Decoded(data[len(mark) :].decode(encoding, "replace"), encoding)
    encoding = _wide(data) or _utf8(data) or _east_asian(data) or _single_byte(data)
    return Decoded(data.decode(encoding, "replace"), _NAMES.get(encoding, encoding))


def _wide(data: bytes) -> str | None:
    """Recognise UTF-32 and UTF-16 without a mark by where their NUL bytes are."""
    sample = data[: _SAMPLE - _SAMPLE % 4]
    if sample.count(0) < _FEWEST_NULS or _has_utf8(data):
        return None
    for encoding in ("utf-32-le", "utf-32-be"):
        if len(data) % 4 == 0 and _decodes(sample, encoding):
            return encoding
    if len(data) % 2 and len(data) < _SHORT:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    pairs = max(1, len(sample) // 2)
    for encoding, nuls, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if nuls > 0.1 * pairs and nuls > 8 * others and _plausible_wide(sample, encoding):
            return encoding
    return None


def _has_utf8(data: bytes) -> bool:
    """Whether there are UTF-8 sequences and nothing else beyond ASCII."""
    return _decodes(data, "utf-8") and _beyond_ascii(data) > 0


def _plausible_wide(sample: bytes, encoding: str) -> bool:
    text = sample[: len(sample) - len(sample) % 2].decode(encoding, "replace")
    return text.count("\ufffd") <= 0.01 * len(text) + 1


def _utf8(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return "utf-8" if _mostly_utf8(data) else None
    return None if _hides_utf16(data, text) else "utf-8"


def _mostly_utf8(data: bytes) -> bool:
    """Whether bytes beyond ASCII are UTF-8 but for a few.

    Valid sequences hardly come about by accident: in GBK there is one in five
    characters, in Latin code pages next to none.
    """
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd") - data.count(b"\xef\xbf\xbd")
    beyond = len(text) - len(text.encode("ascii", "ignore"))
    good = beyond - bad
    sparse = _beyond_ascii(data) < _SPARSE * len(data)
    return good >= 2 * bad or (good >= bad and sparse)


def _beyond_ascii(data: bytes) -> int:
    return len(data) - len(data.decode("ascii", "ignore"))


def _hides_utf16(data: bytes, text: str) -> bool:
    """Whether valid UTF-8 with control characters in it is UTF-16.

    Chinese text in UTF-16 may be too short to have a byte that is not UTF-8.
    """
    if (
        not _CONTROL.search(text, 0, _SAMPLE)
        or len(data) % 2
        or _beyond_ascii(data) > 0.5 * len(data)
    ):
        return False
    return any(
        _decodes(data[:_SAMPLE], encoding)
        and plausibility(data[:_SAMPLE].decode(encoding), "gb2312") >= _PLAUSIBLE
        for encoding in ("utf-16-le", "utf-16-be")
    )


def _east_asian(data: bytes) -> str | None:
    sample = _sample(data)
    scored = [
        (plausibility(text, han), -rank, encoding)
        for rank, (encoding, han) in enumerate(_MULTIBYTE)
        if (text := _readable(sample, encoding)) is not None
    ]
    best = max(scored, default=(0.0, 0, ""))
    return best[2] if best[0] >= _PLAUSIBLE else None


def _readable(sample: bytes, encoding: str) -> str | None:
    """Return the sample decoded, None when too much of it is not of this encoding."""
    if encoding.startswith("utf-16"):
        sample = sample[: len(sample) - len(sample) % 2]
    text = sample.decode(encoding, "replace")
    flaws = text.count("\ufffd")
    return text if flaws <= max(1, 0.05 * len(text)) and flaws < 0.3 * len(text) else None


def _sample(data: bytes) -> bytes:
    """Return the beginning of ``data`` from shortly before its first byte beyond ASCII."""
    if len(data) <= _SAMPLE:
        return data
    first = next((i for i, byte in enumerate(data) if byte > 0x7F), 0)
    start = max(0, first - 64) & ~1
    return data[start : start + _SAMPLE]


def _single_byte(data: bytes) -> str:
    sample = _sample(data)
    if _is_western(sample):
        return "cp1252"
    best = max((_alphabet_share(sample, encoding, a), encoding) for encoding, a in _ALPHABETS)
    if best[0] >= _ALPHABET_SHARE:
        return best[1]
    from charset_normalizer import from_bytes  # 50 ms, needed rarely

    guess = from_bytes(sample).best()
    return guess.encoding if guess is not None else "cp1252"


def _alphabet_share(sample: bytes, encoding: str, alphabet: str) -> float:
    """Return the share of characters beyond ASCII that are letters of an alphabet.

    Capitals count a little less: KOI8-R and cp1251 differ by case alone.
    """
    beyond = [c for c in sample.decode(encoding, "replace") if c > "\x7f" and c not in _QUOTES]
    small = sum(c in alphabet for c in beyond)
    letters = sum(c.lower() in alphabet for c in beyond)
    return (small + 0.8 * (letters - small)) / len(beyond) if beyond else 0.0


def _is_western(sample: bytes) -> bool:
    """Whether cp1252 gives letters, never symbols, inside words."""
    if _beyond_ascii(sample) > _SPARSE * len(sample):
        return False
    try:
        text = sample.decode("cp1252")
    except UnicodeDecodeError:
        return False
    return all(character in _WESTERN for character in _IN_WORD.findall(text))


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
