"""Numbers as lists are numbered: 4, d, IV, 四."""

from __future__ import annotations

from collections.abc import Callable

_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_CHINESE = "〇一二三四五六七八九"
_MOST = 3999
"""Beyond this lists are numbered in digits."""


def numeral(number: int, style: str) -> str:
    """Write a number in one of Word's styles ("lowerLetter"), in digits for all others."""
    write = _STYLES.get(style)
    return str(number) if write is None or not 0 < number <= _MOST else write(number)


def _letters(number: int) -> str:
    return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)


def _roman(number: int) -> str:
    written = ""
    for value, letters in _ROMAN:
        times, number = divmod(number, value)
        written += letters * times
    return written


def _chinese(number: int) -> str:
    if number >= 100:
        return "".join(_CHINESE[int(digit)] for digit in str(number))
    tens, ones = divmod(number, 10)
    head = ("" if tens == 1 else _CHINESE[tens]) + "十" if tens else ""
    return head + (_CHINESE[ones] if ones else "")


_STYLES: dict[str, Callable[[int], str]] = {
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "decimalZero": lambda number: f"{number:02}",
    "chineseCounting": _chinese,
    "chineseCountingThousand": _chinese,
    "ideographDigital": _chinese,
    "japaneseCounting": _chinese,
    "taiwaneseCountingThousand": _chinese,
}
