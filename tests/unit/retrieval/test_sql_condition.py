"""Conditions in SQL become filters (langchain4j-facts 8); nothing is ever run."""

from __future__ import annotations

from datetime import datetime

import pytest

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
from desktop_rag.retrieval.sql_condition import parse_sql_condition
from desktop_rag.retrieval.sql_values import SqlConditionError

NOW = datetime(2024, 5, 6, 13, 14, 15)  # a Monday
A, B, C = IsEqualTo("a", 1), IsEqualTo("b", 2), IsEqualTo("c", 3)

READ: dict[str, Filter] = {
    "name = 'Klaus'": IsEqualTo("name", "Klaus"),
    "SELECT * FROM t WHERE name = 'Klaus'": IsEqualTo("name", "Klaus"),
    "select id from t where name = 'Klaus';": IsEqualTo("name", "Klaus"),
    "WHERE name = 'Klaus'": IsEqualTo("name", "Klaus"),
    "t.name = 'Klaus'": IsEqualTo("name", "Klaus"),
    "\"name\" = 'Klaus'": IsEqualTo("name", "Klaus"),
    "`name` = 'O''Brien'": IsEqualTo("name", "O'Brien"),
    "name = '张三'": IsEqualTo("name", "张三"),
    "a != 1": IsNotEqualTo("a", 1),
    "a <> 1": IsNotEqualTo("a", 1),
    "a > 1": IsGreaterThan("a", 1),
    "a >= 1": IsGreaterThanOrEqualTo("a", 1),
    "a < 1": IsLessThan("a", 1),
    "a <= -1": IsLessThanOrEqualTo("a", -1),
    "a = 1.5": IsEqualTo("a", 1.5),
    "a = -1e3": IsEqualTo("a", -1000.0),
    "a IN (1, 2)": IsIn("a", frozenset({1, 2})),
    "a NOT IN ('x')": IsNotIn("a", frozenset({"x"})),
    "a BETWEEN 1 AND 5": is_between("a", 1, 5),
    "a NOT BETWEEN 1 AND 5": Not(is_between("a", 1, 5)),
    "NOT a = 1": Not(A),
    "NOT (a = 1 OR b = 2)": Not(Or(A, B)),
    "a = 1 OR b = 2 AND c = 3": Or(A, And(B, C)),
    "a = 1 AND b = 2 OR c = 3": Or(And(A, B), C),
    "a = 1 AND b = 2 AND c = 3": And(And(A, B), C),
    "(a = 1 OR b = 2) AND c = 3": And(Or(A, B), C),
    "a BETWEEN 1 AND 2 AND b = 2": And(is_between("a", 1, 2), B),
    "y = YEAR(CURDATE())": IsEqualTo("y", 2024),
    "y = YEAR(CURRENT_DATE) - 1": IsEqualTo("y", 2023),
    "y >= EXTRACT(YEAR FROM CURRENT_DATE) - 2": IsGreaterThanOrEqualTo("y", 2022),
    "y = EXTRACT(MONTH FROM CURRENT_TIMESTAMP)": IsEqualTo("y", 5),
    "y = EXTRACT(HOUR FROM CURRENT_TIME)": IsEqualTo("y", 13),
    "y = MONTH(CURDATE())": IsEqualTo("y", 5),
    "y = WEEKOFYEAR(CURDATE())": IsEqualTo("y", 19),
    "y = DAYOFYEAR(CURDATE())": IsEqualTo("y", 127),
    "y = DAYOFMONTH(CURDATE())": IsEqualTo("y", 6),
    "y = DAYOFWEEK(CURDATE())": IsEqualTo("y", 1),
    "YEAR(y) = 2024": IsEqualTo("y", 2024),
    "d = CURRENT_DATE": IsEqualTo("d", "2024-05-06"),
    "a = 7 / 2": IsEqualTo("a", 3),
    "a = -7 / 2": IsEqualTo("a", -3),
    "a = 7.0 / 2.0": IsEqualTo("a", 3.5),
    "a = 2 + 3 * 4": IsEqualTo("a", 14),
    "a = (2 + 3) * 4": IsEqualTo("a", 20),
    "a = 9223372036854775807": IsEqualTo("a", 2**63 - 1),
}


@pytest.mark.parametrize("text", READ)
def test_conditions_are_read(text: str) -> None:
    assert parse_sql_condition(text, now=lambda: NOW) == READ[text]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "SELECT * FROM t",
        "name LIKE 'K%'",
        "name IS NULL",
        "1 = a",
        "a IN (1, NULL)",
        "a IN (SELECT b FROM t)",
        "a IN (b)",
        "a IN ()",
        "a = b",
        "a = 1 +",
        "a = 1 + 1.0",
        "a = 'x' + 'y'",
        "a = 1 / 0",
        "a = 9223372036854775808",
        "a = 'open",
        "(a = 1",
        "a = 1)",
        "a BETWEEN 1 OR 2",
        "a = 1; DROP TABLE t",
        "a = YEAR(b)",
        "a = EXTRACT(YEAR FROM b)",
        "a = -'x'",
        "a NOT = 1",
        "a # 1",
        "NOT " * 60 + "a = 1",
        "a = 1 OR " * 400 + "a = 1",
    ],
)
def test_what_is_not_read_is_said(text: str) -> None:
    with pytest.raises(SqlConditionError):
        parse_sql_condition(text, now=lambda: NOW)


def test_columns_that_are_not_there_are_refused() -> None:
    assert parse_sql_condition("a = 1", {"a"}) == A
    with pytest.raises(SqlConditionError, match="column"):
        parse_sql_condition("b = 1", {"a"})


def test_the_clock_is_looked_at_each_time() -> None:
    years = iter([datetime(2024, 1, 1), datetime(2025, 1, 1)])
    read = [parse_sql_condition("y = YEAR(CURDATE())", now=lambda: next(years)) for _ in "ab"]
    assert read == [IsEqualTo("y", 2024), IsEqualTo("y", 2025)]
