"""What every expression may speak of: the players, and sets of cards. Part of table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.expressions.parser import HEAP, NotSeen
from scorekeeper.core.messages import tr
from scorekeeper.ruleset.measures import hand_measure
from scorekeeper.ruleset.phase import ACTOR, OWN, Measure
from scorekeeper.ruleset.subjects import Own, seats_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.core.cards import Pack
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Joint, Rules


def of_everyone() -> Iterator[Measure]:
    """The measures of a game of any kind."""
    yield Measure("players", "how many take part in the match", lambda rnd, _: len(rnd.names))
    yield Measure("players.left", "how many are not out", lambda rnd, _: len(rnd.playing()))
    yield Measure("rounds", "the number of this round, from 1", lambda rnd, _: rnd.number)
    yield Measure("tally.most", "the highest tally", lambda rnd, _: max(rnd.tally))
    yield Measure("tally.limit", "the most a tally may be", lambda rnd, _: rnd.rules.tally["most"])
    yield Measure(
        "levelled",
        "whether everyone was ever set to the same tally",
        lambda rnd, _: rnd.has_kept("levelled"),
    )
    yield Measure("own.tally", "what stands on the sheet for them", _tally, OWN)
    yield Measure("own.dealer", "whether one of them deals", _deals, OWN)
    yield Measure("players()", "", _players)


def _tally(rnd: Joint, subject: object) -> int:
    """The tally of a player, or of a side: once, where its players share it."""
    seats = seats_of(subject)
    if len(seats) == 1:
        return rnd.tally[seats[0]]
    sharing = {rnd.sharing(seat) for seat in seats}
    return sum(rnd.tally[each[0]] for each in sharing)


def _deals(rnd: Joint, subject: object) -> bool:
    return rnd.dealer in seats_of(subject)


def _players(rnd: Joint, _: object) -> list[Callable[[str], object]]:
    """For each player who takes part, how to read what is said of `each`."""

    def reading(seat: int) -> Callable[[str], object]:
        return rnd.reading(Own((seat,)))

    return [reading(seat) for seat in rnd.playing()]


def of_cards(rules: Rules) -> Iterator[Measure]:
    """The measures of a game with cards."""
    pack = rules.pack

    def laid(rnd: Joint, entry: Entry) -> int:
        return pack.of([kind for _, kinds in rules.from_hand(entry) for kind in kinds])

    def hand(rnd: Joint, subject: object) -> int:
        hands, cards = rnd.hands, 0
        for seat in seats_of(subject):
            if not hands.is_known(seat):
                raise NotSeen(tr("the hand of {name} is not known", name=rnd.names[seat]))
            cards = pack.total_of(cards, hands.sure[seat])
        return cards

    def asked(rnd: Joint, subject: object) -> Callable[[int], tuple[int, int, int]]:
        (seat,) = seats_of(subject)
        return lambda cards: (seat, cards & pack.full, 0)

    yield Measure("laid", "the cards of this act", laid, ACTOR, HEAP)

    def bounds(rnd: Joint, seat: int, cards: int) -> tuple[int, int]:
        return rnd.hands.bounds(seat, cards)

    yield from hand_measure("hand", "the cards in the actor's hand", hand, asked, bounds)
    yield Measure("every()", "", lambda rnd, _: pack.full)
    yield Measure("together()", "", lambda rnd, _: pack.joined)
    yield Measure("suits()", "", lambda rnd, _: lambda cards: _like(pack, cards, pack.suit))
    yield Measure("ranks()", "", lambda rnd, _: lambda cards: _like(pack, cards, pack.rank))


def _like(pack: Pack, cards: int, what: tuple[str, ...]) -> int:
    """All cards with the same of what a card is made of as one of these."""
    found = {what[kind] for kind in range(pack.size) if cards >> kind & 1}
    found.discard("")
    return pack.spread(sum(pack.bit[kind] for kind in range(pack.size) if what[kind] in found))
