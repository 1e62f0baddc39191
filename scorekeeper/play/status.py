"""The table as it stands, as plain JSON values: it reads rounds and judges nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import mark, tr

if TYPE_CHECKING:
    from scorekeeper.core.types import Json
    from scorekeeper.play.round import Round

HIDDEN = mark("that hangs on a hand that was entered and not seen")


def describe(rnd: Round, coming: Round | None, to_act: list[str], scores: dict[str, int]) -> Json:
    """The state of a match whose round to be seen is `rnd`. `round phase to_act over scores
    bindings sides table talon players owed`, by all that was entered; `faults`, where the rules
    have remedies. `coming` is the round that the next act belongs to, None when the match is
    over."""
    parts = _parts(rnd)
    if rnd.over and coming is not None:
        parts["owed"] = _parts(coming).get("owed", [])
    phase = rnd.phase
    state: Json = {
        "round": rnd.number,
        "phase": phase.name if phase is not None else None,
        "to_act": to_act,
        "over": coming is None,
        "scores": scores,
        "bindings": parts.get("bindings", {}),
        "sides": parts.get("sides") or rnd.seated_sides(),
        "table": parts.get("table", []),
        "talon": parts.get("talon"),
        "players": _players(rnd, parts.get("players", {})),
        "owed": parts.get("owed", []),
    }
    if "faults" in parts:
        from scorekeeper.play.aftermath import with_costs  # hardly ever

        state["faults"] = with_costs(rnd, parts["faults"])
    return state


def bare(rnd: Round, over: bool, to_act: list[str], scores: dict[str, int]) -> Json:
    """The state of a match whose round nobody can tell by what was seen; `over`: the match is."""
    return {
        "round": rnd.number,
        "phase": None,
        "to_act": to_act,
        "over": over,
        "scores": scores,
        "bindings": {},
        "sides": {},
        "table": [],
        "talon": None,
        "players": {name: {"out": False} for name in rnd.sitting},
        "owed": [],
    }


def faults_of(rnd: Round, seen: Round) -> list[Json]:
    """What may still be claimed or weighed in a round, as the state has it; what each choice would
    cost, by the round as it was `seen`."""
    faults = _faults(rnd)
    if not faults:
        return []
    from scorekeeper.play.aftermath import with_costs

    known = {(each["round"], each["entry"]) for each in _faults(seen)}
    told = with_costs(seen, faults)
    for each in told:
        if rnd is not seen and (each["round"], each["entry"]) not in known:
            each["waits"] = dict.fromkeys(each["waits"], tr(HIDDEN))
    return told


def _faults(rnd: Round) -> list[Json]:
    watching = rnd.rules.watching_entries
    return [fault for phase in watching for fault in phase.describe(rnd).get("faults", ())]


def _parts(rnd: Round) -> Json:
    parts: Json = {}
    for phase in rnd.rules.phases.values():
        for key, value in phase.describe(rnd).items():
            if isinstance(value, list):
                parts[key] = parts.get(key, []) + value
            elif key == "players":
                players = parts.setdefault(key, {})
                for name, told in value.items():
                    players[name] = {**players.get(name, {}), **told}
            elif key == "bindings":
                parts[key] = {**parts.get(key, {}), **value}
            else:
                parts[key] = value
    return parts


def _players(rnd: Round, more: dict[str, Json]) -> dict[str, Json]:
    players: dict[str, Json] = {}
    sitting = rnd.sitting if rnd.unseated else rnd.names
    for seat, name in enumerate(rnd.names):
        if name not in sitting:
            continue
        player: Json = {}
        if rnd.rules.dice_each is not None:
            player["dice"] = rnd.dice_of(seat)
        elif rnd.has_hands:
            player["cards"] = rnd.hands.size(seat) if seat in rnd.seats else 0
        player["out"] = rnd.out(seat)
        players[name] = {**player, **more.get(name, {})}
    return players
