"""Reads the condition of a SQL WHERE clause into a filter; nothing is ever run as SQL."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from datetime import datetime

from desktop_rag.domain.filter import (
    And,
    Filter,
    IsEqualTo,
    IsGreaterThan,
    IsGreaterThanOrEqualTo,
    IsIn,
    IsLessThan,
    IsLessThanOrEqualTo,
    IsNotEqualTo,
    IsNotIn,
    Not,
    Or,
    is_between,
)
from desktop_rag.retrieval.sql_values import (
    FIELDS,
    SqlConditionError,
    SqlValue,
    Token,
    computed,
    number_of,
    tokens_of,
)

_COMPARISONS: dict[str, Callable[[str, SqlValue], Filter]] = {
    "=": IsEqualTo,
    "!=": IsNotEqualTo,
    "<>": IsNotEqualTo,
    ">": IsGreaterThan,
    ">=": IsGreaterThanOrEqualTo,
    "<": IsLessThan,
    "<=": IsLessThanOrEqualTo,
}
_NOW = ("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP")
_RESERVED = ("AND", "OR", "NOT", "IN", "BETWEEN", "SELECT", "NULL", "LIKE", "IS", "WHERE", *_NOW)
_SELECT = re.compile(r"^\s*SELECT\b.*?\bFROM\b.*?\bWHERE\b", re.IGNORECASE | re.DOTALL)
_DEEPEST = 50


def parse_sql_condition(
    text: str,
    columns: Collection[str] | None = None,
    now: Callable[[], datetime] = datetime.now,
) -> Filter:
    """Return the filter that a SELECT with a WHERE, or a condition alone, stands for.

    = != <> > >= < <=, [NOT] IN, [NOT] BETWEEN, AND before OR, NOT, parentheses; strings,
    longs, doubles; + - * / of numbers of one type; YEAR(CURDATE()) and its like, EXTRACT(...
    FROM CURRENT_DATE); YEAR(column) on the left is the column (langchain4j-facts 8). LIKE, IS
    NULL, literals on the left and subqueries are not read. The clock is looked at each time.

    Args:
        text: the condition.
        columns: those that there are; None for any.
        now: the clock.

    Raises:
        SqlConditionError: the text is no such condition, or names another column.
    """
    text = text.strip().rstrip(";")
    if text[:6].upper() == "SELECT":
        head = _SELECT.match(text)
        if head is None:
            raise SqlConditionError("there is no WHERE")
        text = text[head.end() :]
    elif text[:6].upper() == "WHERE ":
        text = text[6:]
    parser = _Parser(tokens_of(text), columns, now())
    return parser.whole()


class _Parser:
    def __init__(self, tokens: list[Token], columns: Collection[str] | None, now: datetime) -> None:
        self._tokens = tokens
        self._columns = columns
        self._now = now
        self._at = 0
        self._depth = 0

    def whole(self) -> Filter:
        found = self._either()
        if self._next.kind != "end":
            raise SqlConditionError(f"unexpected {self._next.text!r}")
        return found

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._next
        if token.kind != "end":
            self._at += 1
        return token

    def _word(self, *words: str) -> bool:
        if self._next.is_word(*words):
            self._at += 1
            return True
        return False

    def _sign(self, sign: str) -> bool:
        if self._next.is_sign(sign):
            self._at += 1
            return True
        return False

    def _need(self, sign: str) -> None:
        if not self._sign(sign):
            raise SqlConditionError(f"{sign!r} is missing before {self._next.text!r}")

    def _either(self) -> Filter:
        found = self._both()
        while self._word("OR"):
            found = Or(found, self._both())
        return found

    def _both(self) -> Filter:
        found = self._one()
        while self._word("AND"):
            found = And(found, self._one())
        return found

    def _one(self) -> Filter:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise SqlConditionError("too deep")
        try:
            if self._word("NOT"):
                return Not(self._one())
            if self._sign("("):
                inner = self._either()
                self._need(")")
                return inner
            return self._comparison()
        finally:
            self._depth -= 1

    def _comparison(self) -> Filter:
        key = self._column()
        negated = self._word("NOT")
        if self._word("BETWEEN"):
            low = self._value()
            if not self._word("AND"):
                raise SqlConditionError("BETWEEN needs AND")
            between = is_between(key, low, self._value())
            return Not(between) if negated else between
        if self._word("IN"):
            values = self._values()
            return IsNotIn(key, values) if negated else IsIn(key, values)
        sign = self._take()
        if negated or sign.kind != "sign" or sign.text not in _COMPARISONS:
            raise SqlConditionError(f"{sign.text!r} is no comparison that is read here")
        return _COMPARISONS[sign.text](key, self._value())

    def _column(self) -> str:
        token = self._take()
        if token.is_word(*FIELDS) and self._next.is_sign("("):
            self._need("(")
            key = self._column()
            self._need(")")
            return key
        if token.kind not in ("word", "name") or token.is_word(*_RESERVED):
            raise SqlConditionError(f"{token.text!r} is no column")
        key = token.text if token.kind == "name" else token.text.rsplit(".", 1)[-1]
        if self._columns is not None and key not in self._columns:
            raise SqlConditionError(f"there is no column {key!r}")
        return key

    def _values(self) -> frozenset[SqlValue]:
        self._need("(")
        found = [self._value()]
        while self._sign(","):
            found.append(self._value())
        self._need(")")
        return frozenset(found)

    def _value(self) -> SqlValue:
        found = self._product()
        while self._next.is_sign("+", "-"):
            found = computed(self._take().text, found, self._product())
        return found

    def _product(self) -> SqlValue:
        found = self._signed()
        while self._next.is_sign("*", "/"):
            found = computed(self._take().text, found, self._signed())
        return found

    def _signed(self) -> SqlValue:
        if self._sign("-"):
            value = self._atom()
            if isinstance(value, str):
                raise SqlConditionError("a text has no sign")
            return -value
        self._sign("+")
        return self._atom()

    def _atom(self) -> SqlValue:
        token = self._take()
        if token.kind == "string":
            return token.text
        if token.kind == "number":
            return number_of(token.text)
        if token.is_sign("("):
            value = self._value()
            self._need(")")
            return value
        return self._of_now(token)

    def _of_now(self, token: Token) -> SqlValue:
        name = token.text.upper()
        if token.is_word(*_NOW):
            return self._moment(name)
        if token.is_word("CURDATE"):
            self._need("(")
            self._need(")")
            return self._moment("CURRENT_DATE")
        if token.is_word("EXTRACT"):
            self._need("(")
            part = self._take().text.upper()
            if part not in FIELDS or not self._word("FROM") or not self._word(*_NOW):
                raise SqlConditionError("EXTRACT is of CURRENT_DATE, CURRENT_TIME or so")
            self._need(")")
            return FIELDS[part](self._now)
        if token.is_word(*FIELDS):
            self._need("(")
            if self._word("CURDATE"):
                self._need("(")
                self._need(")")
            elif not self._word(*_NOW):
                raise SqlConditionError(f"{name} is of the date of today")
            self._need(")")
            return FIELDS[name](self._now)
        raise SqlConditionError(f"{token.text!r} is no value")

    def _moment(self, name: str) -> str:
        if name == "CURRENT_DATE":
            return self._now.date().isoformat()
        if name == "CURRENT_TIME":
            return self._now.time().isoformat("seconds")
        return self._now.isoformat(" ", "seconds")
