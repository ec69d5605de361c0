from __future__ import annotations

import platform

from desktop_rag.foundation.memory import give_back_freed_memory


def test_glibc_is_told_to_give_memory_back() -> None:
    assert give_back_freed_memory() == (platform.libc_ver()[0] == "glibc")
