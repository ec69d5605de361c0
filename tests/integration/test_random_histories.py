"""A library after a random history is what a new one would be, passage for passage."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.disk_history import follow


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("watched", [True, False])
def test_a_history_ends_in_what_is_on_the_disk(tmp_path: Path, seed: int, watched: bool) -> None:
    follow(tmp_path, seed, watched)
