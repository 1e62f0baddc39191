"""How the tricks of a round stand: as JSON, as texts, as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import Sentence, plural, tr
from scorekeeper.ruleset.orders import TRUMP_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Json
    from scorekeeper.engine.round import Round
    from scorekeeper.phases.tricks.state import State


def prompt(rnd: Round, state: State, waiting: Sequence[int], opens: Expression | None) -> str:
    """Who lays a card now; `opens` are the cards of which whoever holds one leads first."""
    if len(waiting) > 1 and opens is not None:
        pack = rnd.rules.pack
        cards = dict.fromkeys(pack.kinds_in(int(rnd.evaluate(opens))))
        return tr(
            "who holds {cards} leads to trick {number}",
            cards=pack.codes(cards),
            number=state.number,
        )
    who = rnd.names[waiting[0]]
    if state.laid:
        return tr("{who} plays to trick {number}", who=who, number=state.number)
    return tr("{who} leads to trick {number}", who=who, number=state.number)


def described(rnd: Round, state: State | None) -> Json:
    """What lies on the table, and what each player has won."""
    names = rnd.names
    if state is None:
        return {"players": {name: {"tricks": 0, "points": 0} for name in names}}
    table = [
        {"who": names[seat], "cards": rnd.rules.pack.codes(kinds)} for seat, kinds in state.laid
    ]
    players = {
        name: {"tricks": state.tricks[seat], "points": state.points[seat]}
        for seat, name in enumerate(names)
    }
    return {"table": table, "players": players}


def lying(rnd: Round, state: State) -> Iterator[str]:
    """What each has laid to the trick."""
    for seat, kinds in state.laid:
        yield f"{rnd.names[seat]}: {rnd.rules.pack.codes(kinds)}"


def sentences(rnd: Round, state: State, *, counts_points: bool) -> Iterator[str | Sentence]:
    """Who took the last trick with what (and its points, where cards have any), and how many cards
    are still to be played."""
    tricks = [trick for trick in rnd.tricks if trick.count]  # without what lay aside
    if tricks and tricks[-1].laid:
        last = tricks[-1]
        kinds = dict(last.laid)[last.winner]
        worth = (
            f" ({plural('{count} card point', '{count} card points', last.points)})"
            if counts_points
            else ""
        )
        cards = rnd.rules.pack.codes(kinds)
        yield tr(
            "{who} took trick {number} with {cards}{worth}",
            who=rnd.names[last.winner],
            number=last.number,
            cards=cards,
            worth=worth,
        )
    elif tricks and rnd.table.conceded >= 0:
        yield tr("{who} has conceded the rest", who=rnd.names[rnd.table.conceded])
    elif tricks and any(effects.rest >= 0 for effects in rnd.decisions.effects.values()):
        yield tr("the rest has gone to {who}'s side", who=rnd.names[tricks[-1].winner])
    elif tricks:
        yield tr("{who} has claimed the rest", who=rnd.names[tricks[-1].winner])
    if state.left and not rnd.over:
        if state.laid:
            left = plural(
                "each has {count} card to play, this trick included",
                "each has {count} cards to play, this trick included",
                state.left,
            )
        else:
            left = plural(
                "each has {count} card to play", "each has {count} cards to play", state.left
            )
        yield Sentence(left, on_table=True)


def set_name(state: State, cards: int) -> str:
    """What a set of cards is called, if it is a class of the order: `trumps`, `hearts`."""
    if cards not in state.order.masks:
        return ""
    name = state.order.names[state.order.masks.index(cards)]
    if name == TRUMP_NAME:
        return tr("trumps")
    return tr(name) if name.endswith("s") else f"{name}s"
