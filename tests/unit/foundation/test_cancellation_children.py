from __future__ import annotations

from desktop_rag.foundation.cancellation import CancelToken


def test_a_child_ends_with_its_parent_and_alone():
    parent = CancelToken()
    one, two = parent.child(), parent.child()

    one.cancel()
    assert (parent.cancelled, one.cancelled, two.cancelled) == (False, True, False)
    parent.cancel()
    assert two.cancelled
    assert two.child().cancelled
