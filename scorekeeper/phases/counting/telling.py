"""What the score of a deal rests on, in sentences and as JSON. Part of counting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import has, listed, plural, tr

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.phases.counting.state import Found, State, Totals
    from scorekeeper.ruleset.joint import Joint


def sentences(
    rnd: Joint, state: State, totals: Totals, sides: Sequence[str], told: Collection[str]
) -> Iterator[str]:
    """The card points of the sides, and each special point: its trick and who won it; of those in
    `told`, how many there are."""
    scored = []
    sides = [rnd.rules.said(name) for name in sides]
    for side, name in enumerate(sides):
        points = plural("{count} card point", "{count} card points", totals.points[side])
        if rnd.result is None:
            tricks = plural("{count} trick", "{count} tricks", totals.tricks[side])
            points = tr("{points} in {tricks}", points=points, tricks=tricks)
        scored.append(f"{has(name)} {points}")
    yield ", ".join(scored)
    say = rnd.rules.spoken
    for found in state.found:
        special = say(found.special)
        who = rnd.names[found.own.seats[0]] if found.own.side is None else sides[found.own.side]
        holder = tr("{who} has", who=who) if found.own.side is None else has(who)
        yield f"{holder} {special}: {_where(rnd, found)}"
    for (name, side), count in state.specials.items():
        if name in told:
            yield f"{has(sides[side])} {count} {say(name)}"
            continue
        seen = [f.times for f in state.found if (f.special, f.own.side) == (name, side)]
        if count > sum(seen):
            holds = f"{has(sides[side])} {say(name)}"
            said = rnd.result is not None
            yield tr("{what}, as the result says", what=holds) if said else holds


def _where(rnd: Joint, found: Found) -> str:
    """Who won the trick with which card, and from whom a card was caught."""
    trick = found.trick
    winner, card = rnd.names[trick.winner], rnd.rules.pack.kinds[trick.with_kind]
    won = tr(
        "{winner} won trick {number} with {card}", winner=winner, number=trick.number, card=card
    )
    if not found.seats:
        return won
    return tr("{won}, caught from {names}", won=won, names=listed(rnd.names_of(found.seats)))


def summary(rnd: Joint, state: State, sides: Sequence[str], told: Collection[str]) -> Json:
    """The card points of the sides, and their special points; those in `told` each by itself. What
    each player won of these comes with them."""
    forms = rnd.rules.lexicon.forms
    players: dict[str, list[str]] = {}
    for (name, seats), count in state.by_seats.items():
        for who in rnd.names_of(seats) if name not in told else ():
            players.setdefault(who, []).extend([forms.get(name, name)] * count)
    if rnd.parties is None or state.totals is None:
        return {"player.specials": players}
    specials = [
        f"{sides[side]}: {forms.get(name, name)}" + (f" x{count}" if count > 1 else "")
        for (name, side), count in state.specials.items()
        if name not in told
    ]
    return {
        **{name: count for (name, _), count in state.specials.items() if name in told},
        "points": ":".join(map(str, state.totals.points)),
        "specials": specials or None,
        "side.points": dict(zip(sides, state.totals.points, strict=True)),
        "player.specials": players,
    }
