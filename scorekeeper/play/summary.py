"""What a sheet, statistics or an export may tell of one round, as plain JSON values.

The general part comes from the round, the rest from its phases (`Phase.summary`). A round need
not be over: what is not known yet is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.notation import DECISIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorekeeper.core.plain import Json, Summary
    from scorekeeper.core.rulings import Line
    from scorekeeper.notation import Entry
    from scorekeeper.play.round import Round


FIVE = "||||/"


def summarize(
    rnd: Round, lines: Sequence[Line], changes: Sequence[int] | None, tally: Sequence[int]
) -> Json:
    """The summary of a round that came to these lines, changes and tallies (by seat).

    `round over dealer leader sat_out roles sides before changes tally lines eliminated result void
    fouls penalties notes decisions facts mistaken`: names of players throughout; `roles` lead to
    the label and the players, `sides` from a label to players, `facts` are what the phases report.
    """
    rules, names = rnd.rules, rnd.names
    facts: Json = {}
    for phase in rules.phases.values():
        facts.update(phase.summary(rnd))
    return {
        "round": rnd.number,
        "over": rnd.over,
        "dealer": names[rnd.dealer] if rules.deal["dealt"] else None,
        "leader": names[rnd.leader],
        "sat_out": [names[seat] for seat in range(len(names)) if seat not in rnd.seats],
        "roles": {
            role: {"side": label, "players": rnd.names_of(seats)}
            for role, (label, seats) in rnd.roles.items()
        },
        "sides": facts.pop("sides", None) or rnd.seated_sides(),
        "before": dict(zip(names, rnd.base, strict=True)),
        "changes": None if changes is None else dict(zip(names, changes, strict=True)),
        "tally": dict(zip(names, tally, strict=True)) if rnd.over else None,
        "lines": [{**line.as_json(), "label": _label(rnd, line)} for line in lines],
        "eliminated": _eliminated(rnd, tally) if rnd.over else [],
        "facts": facts,
        "mistaken": bool(rnd.mistakes),
        **_said(rnd),
    }


def _label(rnd: Round, line: Line) -> str:
    for row in rnd.rules.scores:
        if row.code == line.code:
            return row.label
    return line.code.rpartition(".")[2]


def _eliminated(rnd: Round, tally: Sequence[int]) -> list[str]:
    is_out = rnd.rules.is_out
    return [
        name
        for name, base, left in zip(rnd.names, rnd.base, tally, strict=True)
        if is_out(left) and not is_out(base)
    ]


def _said(rnd: Round) -> Json:
    """What was said about the round itself, by the table words of its entries."""
    said: Json = {
        "result": None,
        "void": None,
        "fouls": [],
        "penalties": [],
        "notes": [],
        "decisions": [],
    }
    for entry in rnd.log.entries:
        if decision_of(entry):
            said["decisions"].append(entry.text)
        if not entry.counts:
            continue
        word, value = entry.verb.word, entry.value
        if word == "note":
            said["notes"].append(value)
        elif word == "void":
            said["void"] = value or word
        elif word == "result":
            said["result"] = ", ".join(" ".join(filter(None, pair)) for pair in value)
        elif word == "foul":
            said["fouls"].append(_about(rnd, value[0], value[1]))
        elif word == "penalty":
            what, why = value[1]
            said["penalties"].append(_about(rnd, value[0], f"{what} {why}".strip()))
    return said


def decision_of(entry: Entry) -> str:
    """The table's own decision on an entry: `stands`, `withdrawn` or ""."""
    return entry.decision if entry.decision in DECISIONS else ""


def _about(rnd: Round, seat: int, what: str) -> str:
    return f"{rnd.names[seat]}: {what}" if what else rnd.names[seat]


# --- facts as texts


def shown(value: object) -> str:
    """A fact as it is printed; nothing (false, none, an empty list) is empty."""
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, (list, tuple)):
        return ", ".join(filter(None, map(shown, value)))
    if isinstance(value, float):
        return str(int(value)) if value == int(value) else str(value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {shown(item)}" for key, item in value.items())
    return str(value)


def signed(number: object) -> str:
    """A number with its sign, 0 without; empty for what is no number."""
    if not isinstance(number, (int, float)):
        return ""
    return shown(number) if number <= 0 else f"+{shown(number)}"


def strokes(number: object) -> str:
    """A number as tally marks, the fifth across: `||||/ ||`."""
    if not isinstance(number, int) or isinstance(number, bool):
        return ""
    if number <= 0 or number > 100:
        return str(number) if number else ""
    fives, rest = divmod(number, len(FIVE))
    return " ".join([FIVE] * fives + (["|" * rest] if rest else []))


def round_fact(summary: Summary, name: str) -> object:
    """A fact about a round, by the name that a ruleset's sheet uses (`sheets.ROUND_FACTS`, a
    role, a role's `.side`, or what a phase reports); None where there is none."""
    facts = summary["facts"]
    if name in facts:
        return facts[name]
    role, dot, _ = name.partition(".")
    if role in summary["roles"]:
        found = summary["roles"][role]
        return found["side"] if dot else "+".join(found["players"])
    if name == "changes":
        changes = summary["changes"] or {}
        return [f"{who} {signed(change)}" for who, change in changes.items() if change]
    if name == "value":
        winners = summary["roles"].get("winners", {}).get("side")
        return sum(line["points"] for line in summary["lines"] if line["for"] == winners) or None
    if name == "lines":
        return [f"{line['label']} {signed(line['points'])}" for line in summary["lines"]]
    return summary.get(name)


def seat_fact(summary: Summary, per: str, who: str, name: str) -> object:
    """A fact about a player or (`per` is `side`) a side in a round, by its name in the sheet."""
    if name.startswith(f"{per}."):
        found = summary["facts"].get(name) or {}
        return found.get(who)
    if name == "name":
        return who
    members = summary["sides"].get(who, []) if per == "side" else [who]
    reading: dict[str, tuple[str, Callable[[object], object]]] = {
        "tally": ("tally", lambda number: number),
        "strokes": ("tally", strokes),
        "change": ("changes", lambda number: number),
        "signed": ("changes", signed),
    }
    if name not in reading:
        return round_fact(summary, name)
    table, read = reading[name]
    return common(read, [(summary[table] or {}).get(player) for player in members])


def common(read: Callable[[object], object], numbers: Sequence[object]) -> object:
    """What a side's players have in common; where they differ, all of it."""
    different = list(dict.fromkeys(numbers))
    if len(different) == 1:
        return read(different[0])
    return "/".join(shown(read(number)) for number in different)
