"""What everyone at the table knows of a round, by what they have seen and heard of it.

Other than what is proven: nothing is counted, no hand that the referee was told of counts, and what
somebody says of themselves does. It is computed when it is asked for, from the entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.evidence import lone_seat
from scorekeeper.ruleset.phase import TRICK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.notation import Entry
    from scorekeeper.play.opening import Opening
    from scorekeeper.ruleset.joint import Joint

    Cards = tuple[int, tuple[int, ...]]  # a seat, and kinds of card


def cards_seen(rnd: Opening) -> list[int]:
    """By seat the cards (a heap) that everyone has seen come out of that hand, or in it: laid to a
    trick, laid and taken back, or told to have been seen there. A card that is seen twice before
    it is laid is one card."""
    pack = rnd.rules.pack
    seen, gone = [0] * len(rnd.names), [0] * len(rnd.names)
    last: dict[int, int] = {}  # the cards that each has laid last
    for number, entry in enumerate(rnd.log.entries, 1):
        seat = entry.seat
        if entry.word == "takeback" and entry.counts and seat is not None:
            gone[seat] = pack.beyond(gone[seat], last.get(seat, 0))
        for owner, kinds in _shows(rnd, number, entry):
            cards = pack.of(kinds)
            now = pack.joined(gone[owner], cards)
            seen[owner] |= now  # of two heaps, of each kind the more
            if entry.counts and not entry.verb.table:
                gone[owner], last[owner] = now, cards
    return seen


def _shows(rnd: Opening, number: int, entry: Entry) -> Iterator[Cards]:
    """The cards that an entry of that number has shown, and in whose hand they were."""
    if entry.word == "holds":
        if entry.counts:
            yield entry.value
    elif entry.verb.about == TRICK and (entry.counts or entry.withdrawn):
        possible = number not in rnd.log.doubted
        yield from rnd.rules.from_hand(entry) if possible else ()


def publicly_alone(rnd: Joint) -> int | None:
    """The seat that is publicly alone against the others; None: nobody is, or it is not public."""
    parties = rnd.parties
    if parties is None:
        return None
    return lone_seat(parties, rnd.cards_seen() if parties.by_cards else ())


def opponents(rnd: Joint, seat: int) -> list[int]:
    """Who is publicly on the other side than a seat, as far as that is public; where the sides are
    those of the seating, who is not on the seat's own."""
    if rnd.parties is None:
        return [other for other in rnd.seats if other not in rnd.side(seat)]
    sides = rnd.public_sides()
    return [other for other, side in sides.items() if side != sides.get(seat, side)]
