"""What everyone at the table knows of a round, by what they have seen and heard of it.

Other than what is proven: nothing is counted, no hand that the referee was told of counts, and what
somebody says of themselves does. It is computed when it is asked for, from the entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.ruleset.phase import TRICK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.notation import Entry
    from scorekeeper.play.opening import Opening

    Cards = tuple[int, tuple[int, ...]]  # a seat, and kinds of card


def cards_seen(rnd: Opening) -> list[int]:
    """By seat the cards (a heap) that everyone has seen come out of that hand, or in it: laid to a
    trick, laid and taken back, or told to have been seen there. A card that is seen twice before
    it is laid is one card."""
    pack, log, taken = rnd.rules.pack, rnd.log, rnd.decisions.taken
    seen, gone = [0] * len(rnd.names), [0] * len(rnd.names)
    last: dict[int, int] = {}  # the cards that each has laid last
    for number, entry in enumerate(log.entries, 1):
        counts, seat = entry.counts and number not in taken, entry.seat
        if entry.word == "takeback" and counts and seat is not None:
            gone[seat] = pack.beyond(gone[seat], last.get(seat, 0))
        if number in log.doubted:
            continue
        for owner, kinds in _shown(rnd, entry):
            cards = pack.of(kinds)
            now = pack.joined(gone[owner], cards)
            seen[owner] |= now  # of two heaps, of each kind the more
            if counts and not entry.verb.table:
                gone[owner], last[owner] = now, cards
    return seen


def _shown(rnd: Opening, entry: Entry) -> Sequence[Cards]:
    """The cards that an entry has shown, and in whose hands they were."""
    if entry.word == "holds":
        return (entry.value,) if entry.counts else ()
    laid = entry.verb.about == TRICK and (entry.counts or entry.withdrawn)
    return rnd.rules.from_hand(entry) if laid else ()
