"""How many slips of the keyboard lie between two words."""

from __future__ import annotations


def edits(one: str, other: str, most: int) -> int:
    """Return the letters to insert, drop, change or swap with a neighbour; most + 1 for more.

    No letter is touched twice (optimal string alignment; Damerau 1964 counts the same four
    slips).
    """
    if abs(len(one) - len(other)) > most or len(set(one) ^ set(other)) > 2 * most:
        return most + 1
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, wanted in enumerate(other, start=1):
            same = letter == wanted
            least = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (not same))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                least = min(least, before[j - 2] + 1)
            row.append(least)
        if min(row) > most:
            return most + 1
        before, last = last, row
    return min(last[-1], most + 1)
