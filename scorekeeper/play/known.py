"""What is certain of each hand, and so what is possible, as plain JSON values.

Only what is certain counts: cards that were shown or told of, how many there are, what is left.
Nothing is concluded from anybody having obeyed a rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import mark, tr
from scorekeeper.ruleset.orders import TRUMP_NAME, suit_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.core.types import Json
    from scorekeeper.play.round import Round

    # How many cards of a set are in one place: at least, at most.
    Bounds = Callable[[int], tuple[int, int]]

TRUMPS = mark("trumps")


def known_hands(rnd: Round) -> Json:
    """What is known of where the cards of a round lie now: `unseen hands nobody`.

    `unseen` are the cards that nobody has located, by class; `hands` leads from each player's
    name, and `nobody` is for cards in no hand: `cards` (how many), `sure` (codes of those that are
    there), `may` (kinds that may be there besides, by class), `sets`: of each set whose number is
    bounded beyond that, its name, `least` and `most`; a hand has `aside`, how many cards its player
    has laid aside unseen. Raises Impossible in a game without hands.
    """
    if not rnd.has_hands:
        raise Impossible(
            tr("there are no hands of cards in this game"),
            tr("{command} says how it stands", command="status"),
        )
    hands, pack = rnd.hands, rnd.rules.pack
    classes, sets = _classes(rnd), _sets(rnd)
    told: Json = {}
    for seat in rnd.seats:

        def bounds(mask: int, seat: int = seat) -> tuple[int, int]:
            return hands.bounds(seat, mask)

        size, aside = hands.size(seat), hands.hidden[seat]
        told[rnd.names[seat]] = {
            "cards": size,
            **_place(rnd, bounds, classes, sets),
            "aside": aside,
        }
    left = hands.elsewhere()

    def nowhere(mask: int) -> tuple[int, int]:
        inside = (hands.unseen & mask).bit_count()
        return max(0, left + inside - hands.unseen.bit_count()), min(left, inside)

    return {
        "unseen": {
            name: [pack.kinds[kind] for kind in pack.kinds_in(hands.unseen & mask)]
            for name, mask in classes.items()
            if hands.unseen & mask
        },
        "hands": told,
        "nobody": {"cards": left, **_place(rnd, nowhere, classes, sets)},
    }


def _place(rnd: Round, bounds: Bounds, classes: dict[str, int], sets: dict[str, int]) -> Json:
    """What surely lies in a place, what may, and what more is known of sets."""
    pack, sure, may = rnd.rules.pack, list[str](), dict[str, list[str]]()
    certain = 0
    for name, mask in classes.items():
        for kind in dict.fromkeys(pack.kinds_in(mask)):
            least, most = bounds(pack.column[kind])
            sure += [pack.kinds[kind]] * least
            for n in range(1, least + 1):
                certain |= pack.nth(kind, n)
            if most > least:
                may.setdefault(name, []).append(pack.kinds[kind])
    bounded: list[Json] = []
    for name, mask in sets.items():
        least, most = bounds(mask)
        if may and (not most or least > (certain & mask).bit_count()):
            bounded.append({"set": name, "least": least, "most": most})
    return {"sure": sure, "may": may, "sets": bounded}


def _classes(rnd: Round) -> dict[str, int]:
    """What the cards are grouped by: the classes of the order in force, or else the suits."""
    order, pack = rnd.order_in_force(), rnd.rules.pack
    if order is not None:
        named = zip(order.names, order.masks, strict=True)
        return {rnd.rules.said(_several(name)): mask for name, mask in named if mask}
    found: dict[str, int] = {}
    for kind, suit in enumerate(pack.suit):
        name = suit_name(suit) if suit else pack.kinds[kind]
        found[name] = found.get(name, 0) | pack.column[kind]
    return found


def _several(name: str) -> str:
    """What the cards of a class are called: one kind alone has no plural."""
    if name == TRUMP_NAME:
        return TRUMPS
    return f"{name}s" if name.islower() and not name.endswith("s") else name


def _sets(rnd: Round) -> dict[str, int]:
    """The sets of cards of which bounds say something: the classes, and what makes the sides."""
    found, parties = _classes(rnd), rnd.parties
    if parties is not None and parties.mask and parties.mask not in found.values():
        pack = rnd.rules.pack
        kinds = dict.fromkeys(pack.kinds_in(parties.mask))
        name = tr(" or ").join(pack.kinds[kind] for kind in kinds)
        found[name] = parties.mask
    return found
