"""How a deal stands and what came of it, as plain JSON for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.phases.bouts.seats import label, may_add, room, sides

if TYPE_CHECKING:
    from scorekeeper.core.types import Json
    from scorekeeper.phases.bouts.state import LastBout, State
    from scorekeeper.phases.bouts.terms import Terms
    from scorekeeper.ruleset.joint import Joint


def describe(terms: Terms, rnd: Joint, st: State) -> Json:
    """The deal's part of the state."""
    kinds = rnd.rules.pack.kinds
    return {
        "bindings": _bindings(terms, rnd, st),
        "table": [
            {
                "who": rnd.names[by],
                "attack": kinds[attack],
                "cover": None if cover is None else kinds[cover],
            }
            for attack, by, cover in zip(st.attacks, st.by, st.covers, strict=True)
        ],
        "talon": st.talon,
        "sides": _named_sides(rnd),
        "players": {rnd.names[seat]: _player(st, seat) for seat in rnd.seats},
        "owed": [] if st.over else _owed(rnd, st),
    }


def _bindings(terms: Terms, rnd: Joint, st: State) -> Json:
    names = rnd.names
    return {
        "trump": st.trump or None,
        "leader": names[st.leader] if st.certain else None,
        "defender": names[st.defender] if st.certain else None,
        "limit": st.limit,
        "left": None if st.over else max(0, room(terms, rnd, st)),
        "taking": st.taking,
        "out": rnd.names_of(st.out),
        "turned_up": None if st.turned is None else rnd.rules.pack.kinds[st.turned],
        "last_bout": None if st.last is None else _last_bout(rnd, st.last),
        "losers": rnd.names_of(st.losers),
    }


def _last_bout(rnd: Joint, last: LastBout) -> Json:
    return {
        "outcome": "taken" if last.taken else "covered",
        "defender": rnd.names[last.defender],
        "draws": [[rnd.names[seat], number] for seat, number in last.draws],
        "talon": last.talon,
        "out": rnd.names_of(last.out),
    }


def _named_sides(rnd: Joint) -> dict[str, list[str]]:
    return {label(rnd, side): rnd.names_of(side) for side in sides(rnd)}


def _player(st: State, seat: int) -> Json:
    """The player's role in this bout, as far as it is certain who leads, and whether they are
    out."""
    out = seat in st.out
    role = None
    if st.over or (out and not st.attacks) or len(st.may_lead) > 1:
        role = None
    elif seat == st.defender:
        role = "defender"
    elif seat == st.leader:
        role = "leader"
    elif seat in st.attackers:
        role = "attacker"
    return {"role": role, "out": out}


def _owed(rnd: Joint, st: State) -> list[Json]:
    owed: list[Json] = [
        {"who": rnd.names[seat], "what": "draw", "count": drawn.left}
        for seat, drawn in st.drawn.items()
        if drawn.left
    ]
    if st.attacks and not st.answering():
        owed += [{"who": name, "what": "pass"} for name in rnd.names_of(may_add(rnd, st))]
    return owed


def summary(rnd: Joint, st: State) -> Json:
    """What the sheet and the statistics may tell of the deal."""
    found: Json = {"out": rnd.names_of(st.out), "bouts": st.ended}
    found["player.first"] = dict.fromkeys(rnd.names_of(st.out[:1]), 1)
    if rnd.over and not rnd.void:
        found["losers"] = rnd.names_of(st.losers)
        found["draw"] = not st.losers
    if named := _named_sides(rnd):
        found["sides"] = named
    return found
