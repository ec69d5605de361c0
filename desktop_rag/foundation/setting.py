"""What a setting is: a key, a default, words for people, and what it may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from desktop_rag.foundation.language import CHINESE

Value = TypeVar("Value", str, int, float, bool)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values a setting may have, with its words in both languages."""

    value: str
    label_en: str
    label_zh: str

    def label(self, language: str) -> str:
        """Return the words for "en" or "zh"."""
        return self.label_zh if language == CHINESE else self.label_en


@dataclass(frozen=True, slots=True)
class Setting(Generic[Value]):
    """One setting: its type is that of ``default``; numbers have a closed range."""

    key: str
    default: Value
    label_en: str
    label_zh: str
    help_en: str
    help_zh: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[Choice, ...] = ()

    @property
    def type(self) -> type[Value]:
        """The type of its values: str, int, float or bool."""
        return type(self.default)

    def label(self, language: str) -> str:
        """Return the setting's name for "en" or "zh"."""
        return self.label_zh if language == CHINESE else self.label_en

    def help(self, language: str) -> str:
        """Return a sentence about the setting for "en" or "zh"."""
        return self.help_zh if language == CHINESE else self.help_en

    def check(self, value: object) -> Value:
        """Return ``value`` in the setting's type.

        Raises:
            ValueError: it has another type, or is not among the values allowed.
        """
        if self.type is float and type(value) is int:
            value = float(value)
        if type(value) is not self.type:
            raise ValueError(f"{self.key} must be {self.type.__name__}, not {value!r}")
        if self.choices and value not in {choice.value for choice in self.choices}:
            raise ValueError(f"{self.key} cannot be {value!r}")
        if isinstance(value, (int, float)) and not self._in_range(value):
            raise ValueError(f"{self.key} must be {self.minimum} to {self.maximum}, not {value!r}")
        return value

    def _in_range(self, value: float) -> bool:
        above = self.minimum is None or value >= self.minimum
        below = self.maximum is None or value <= self.maximum
        return above and below
