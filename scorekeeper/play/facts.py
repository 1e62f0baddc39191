"""The facts of a round's summary: found by the name that a ruleset's sheet uses, and as texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scorekeeper.core.types import Json, Summary
    from scorekeeper.ruleset.compiled import Ruleset

FIVE = "||||/"


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
        return _value(summary)
    if name == "lines":
        return [f"{line['label']} {signed(line['points'])}" for line in summary["lines"]]
    return summary.get(name)


def is_given(summary: Summary, given: Mapping[str, list[object]]) -> bool:
    """Whether each of these facts is one of its values; of a list, whether one of its items is."""
    for name, values in given.items():
        fact = round_fact(summary, name)
        if not any(each in values for each in (fact if isinstance(fact, list) else [fact])):
            return False
    return True


def scored_by(rules: Ruleset, summary: Summary, line: Json) -> Iterable[str]:
    """Whose tallies a line counts for: each player of a side; of a tally that several share, all
    of them."""
    to = line["for"]
    named = {role["side"]: role["players"] for role in summary["roles"].values()}
    names = (named | summary["sides"]).get(to) or to.split("+")
    if rules.sides["shared"] and rules.sides["number"]:
        sides = [side for side in summary["sides"].values() if not set(names).isdisjoint(side)]
        names = [mate for side in sides for mate in side] or names
    return dict.fromkeys(names)


def _value(summary: Summary) -> int | None:
    """What the winners' rows come to; where one side is a single player who gets or pays more, what
    it is to the other."""
    sums = []
    for role, sign in (("winners", 1), ("losers", -1)):
        side = summary["roles"].get(role, {}).get("side")
        points = [line["points"] for line in summary["lines"] if line["for"] == side]
        if points or sign == 1:
            sums.append(sign * sum(points))
    return min(sums, key=abs) or None


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
    if len(different) <= 1:
        return read(different[0]) if different else None
    return "/".join(shown(read(number)) for number in different)
