"""Questions about the library itself: understood by rules, answered from what it knows."""
