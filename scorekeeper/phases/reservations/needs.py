"""What a hand must have for a contract: `least 2 QC`, `most 2 trumps`. Part of reservations."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorekeeper.core.english import listed, number_of, times
from scorekeeper.ruleset.orders import kinds_of, suit_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.core.pieces import Pack

TRUMPS = "trumps"
BOUNDS = ("least", "most")


class Need(NamedTuple):
    """Of `cards` (a set of kinds on every plane) a hand has at least `least` and at most `most`."""

    cards: int
    least: int
    most: int


def read_need(text: str, pack: Pack, trumps: Callable[[], int]) -> Need:
    """The need that a text of a ruleset states; `trumps` gives the set that the word means, and is
    only asked where it stands there. Raises ValueError for what is no need."""
    bound, number, *patterns = text.split()
    if bound not in BOUNDS or not patterns:
        raise ValueError("a need is `least` or `most`, a number, and cards")
    cards = 0
    for pattern in patterns:
        if pattern == TRUMPS:
            cards |= trumps()
        else:
            cards |= pack.spread(sum(pack.bit[kind] for kind in kinds_of(pack, pattern)))
    if bound == "least":
        return Need(cards, int(number), pack.total)
    return Need(cards, 0, int(number))


def in_words(text: str) -> str:
    """A need as a sentence says it: `at least 5 cards of rank 9`, `at most 2 trumps`, `QC at least
    twice`."""
    bound, number, *cards = text.split()
    at, count = f"at {bound}", int(number)
    if cards == [TRUMPS]:
        return f"{at} {number_of(count, 'trump')}"
    if len(cards) == 1 and "*" not in cards[0]:
        return f"{cards[0]} {at} {times(count)}"
    return f"{at} {number_of(count, 'card')} of {listed([_called(each) for each in cards], 'or')}"


def _called(pattern: str) -> str:
    """A pattern of cards in words."""
    if pattern.startswith("*"):
        return suit_name(pattern[1:]) or "any kind"
    return f"rank {pattern[:-1]}" if pattern.endswith("*") else pattern
