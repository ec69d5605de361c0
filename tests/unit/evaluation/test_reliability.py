"""The drawing of how far a confidence can be believed."""

from __future__ import annotations

import pytest
from lxml import etree

from tests.benchmarks.reliability import drawing, points


def test_each_side_weighs_a_half_however_many_there_are():
    found = points([0.9] * 10, [0.1] * 1000)
    assert found[0] == (pytest.approx(0.1), 0.0)
    assert found[-1] == (pytest.approx(0.9), 1.0)
    assert len(found) == 10


def test_a_bin_of_both_kinds_is_at_their_share():
    [*_, last] = points([0.5, 0.9], [0.1, 0.9])
    assert last[0] == pytest.approx(0.9)


def test_the_drawing_is_one_and_names_its_lines():
    root = etree.fromstring(drawing({"one": [(0.1, 0.2), (0.9, 0.8)]}).encode())
    assert "one" in "".join(root.itertext())
    assert len(root.findall("{*}circle")) == 2
