"""How a deal stands and what came of it, in sentences. Part of bouts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import listed, number_of, of_several
from scorekeeper.ruleset.orders import suit_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.core.plain import Json, Row
    from scorekeeper.phases.bouts.state import State
    from scorekeeper.ruleset.joint import Joint


def lies(rnd: Joint, st: State) -> Iterator[str]:
    """Every attack, by whom, and what covers it."""
    kinds = rnd.rules.pack.kinds
    for attack, by, cover in zip(st.attacks, st.by, st.covers, strict=True):
        over = "open" if cover is None else f"covered by {kinds[cover]}"
        yield f"{rnd.names[by]}: {kinds[attack]} {over}"


def tells(rnd: Joint, st: State, row: Row, owed: Iterable[Json]) -> Iterator[str]:
    """Sides, trump, the bout, the talon, who is out, which draws nobody has named."""
    if rnd.rules.sides["number"]:
        sides = dict.fromkeys(rnd.side(seat) for seat in rnd.seats)
        yield " against ".join(listed(rnd.names_of(side)) for side in sides)
    if st.trump:
        turned = ""
        if st.turned is not None and not st.over:
            turned = f"; {rnd.rules.pack.kinds[st.turned]} lies turned up"
        yield f"{suit_name(st.trump)} {'were' if st.over else 'are'} trump{turned}"
    if not st.over and st.attacks:
        yield _bout(rnd, st)
    if not st.over and st.talon:
        yield f"{number_of(st.talon, 'card is', 'cards are')} left in the talon"
    if st.out:
        yield of_several(rnd.names_of(st.out), "is out", "are out")
    if st.over and not rnd.ended and row["touch"] != "no":
        which = row["touch"]
        yield f"who is the {which} to touch the pack before the deal becomes the dealer"
    if deals := row["deals"]:
        yield f"deal {rnd.kept('bouts').get('deals', 0) + (not st.over)} of {deals}"
    for draw in owed:
        if draw["what"] == "draw":
            yield f"nobody has named {number_of(draw['count'], 'card')} that {draw['who']} drew"


def _bout(rnd: Joint, st: State) -> str:
    limit, laid = number_of(st.limit, "attack"), len(st.attacks)
    takes = f"; {rnd.names[st.defender]} takes" if st.taking else ""
    return (
        f"{rnd.names[st.leader]} attacks {rnd.names[st.defender]}: {laid} of at most {limit}{takes}"
    )


def accounts(rnd: Joint, st: State) -> Iterator[str]:
    """Who was left with cards, and in which order the others went out."""
    if not st.losers:
        yield "nobody has lost: a draw"
    elif rnd.result is None:
        knowledge = rnd.hands
        left = [seat for seat in st.losers if seat not in st.out]
        held = [f"{rnd.names[seat]} ({number_of(knowledge.size(seat), 'card')})" for seat in left]
        after = f" after {number_of(st.ended, 'bout')}" if st.ended else ""
        yield f"{of_several(held or rnd.names_of(st.losers), 'was', 'were')} left{after}"
    if st.out:
        yield f"out, in this order: {', '.join(rnd.names_of(st.out))}"
