"""Hundreds of random histories, each compared with a new library of the same disk.

``make soak ARGS='-k histories --soak-sequences 20 --soak-seed 7'`` follows the histories 7 to
26, watched and not.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.helpers.disk_history import follow


@pytest.mark.parametrize("watched", [True, False])
def test_histories_end_in_what_is_on_the_disk(
    tmp_path: Path, request: pytest.FixtureRequest, watched: bool
) -> None:
    first = request.config.getoption("--soak-seed") or 0
    for seed in range(first, first + request.config.getoption("--soak-sequences")):
        folder = tmp_path / str(seed)
        follow(folder, seed, watched)
        shutil.rmtree(folder)
        print(f"seed {seed}, watched {watched}: equal", flush=True)
