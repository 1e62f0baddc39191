"""What a hand must have for a contract: `least 2 QC`, `most 2 trumps`, and what that claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorekeeper.core.claims import AnyOf, Breach, Claim, Unsure, fold, within
from scorekeeper.core.english import listed, number_of, times
from scorekeeper.ruleset.orders import kinds_of, suit_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorekeeper.core.claims import Outcome
    from scorekeeper.core.pieces import Pack
    from scorekeeper.core.plain import Facts
    from scorekeeper.ruleset.joint import Joint

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


def judged(rnd: Joint, seat: int, needs: Sequence[Need], facts: Facts) -> Outcome:
    """What one of the needs being met asks of the hand that a seat was dealt."""
    held = rnd.hands.size(seat) if rnd.has_hands else 0
    unseen = rnd.rules.deal_size(len(rnd.seats)) - held
    if unseen > 0:
        return _of_a_part(rnd, seat, needs, unseen, facts)
    claims = tuple(Claim(seat, need.cards, need.least, need.most, facts) for need in needs)
    return claims[0] if len(claims) == 1 else AnyOf(claims, facts)


def _of_a_part(rnd: Joint, seat: int, needs: Sequence[Need], unseen: int, facts: Facts) -> Outcome:
    """Whether a need holds of a hand of which so many cards had been played unseen."""
    verdicts = []
    for need in needs:
        low, high = rnd.hands.bounds(seat, need.cards)
        high += min(unseen, (rnd.hands.unseen & need.cards).bit_count())
        verdicts.append(within(low, high, need.least, need.most))
    kept = fold(verdicts, True)
    if kept is True:
        return None
    return Unsure(facts) if kept is None else Breach(facts)


def facts_of(texts: Sequence[str], wish: str) -> Facts:
    """What a sentence says of needs that are not met, with what was said as `wish`."""
    short = " or ".join(texts).replace("least", "at least").replace("most", "at most")
    return {"wish": wish, "needs": short, "wanted": " or ".join(map(in_words, texts))}
