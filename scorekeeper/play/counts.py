"""What a ruleset's `[statistics]` count in one round, for each player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.play.facts import round_fact

if TYPE_CHECKING:
    from scorekeeper.core.plain import Summary
    from scorekeeper.play.round import Round
    from scorekeeper.ruleset.sheets import Statistic

    Counts = dict[str, int | float]  # by player


def counts(rnd: Round, summary: Summary) -> dict[str, Counts]:
    """What each row of `[statistics]` counts in a round of which the summary tells the rest, by
    player: only what is not 0, and nothing in a round that is void."""
    found: dict[str, Counts] = {}
    if summary["void"] is not None:
        return found
    for row in rnd.rules.sheet.statistics:
        if all(round_fact(summary, fact) in values for fact, values in row.given.items()):
            counted = {name: _count(row, rnd, summary, name) for name in rnd.names}
            if any(counted.values()):
                found[row.name] = {name: number for name, number in counted.items() if number}
    return found


def _count(row: Statistic, rnd: Round, summary: Summary, name: str) -> int | float:
    roles = {role for role, who in summary["roles"].items() if name in who["players"]}
    if row.roles and not row.roles & roles:
        return 0
    if row.others and (row.others & roles or not row.others & summary["roles"].keys()):
        return 0
    if row.count == "roles":
        return int(row.role in roles)
    if row.count == "lines":
        return _points(row, summary, name)
    if row.count == "fact":
        number: int | float = (summary["facts"].get(row.fact) or {}).get(name) or 0
        return number
    return _acts(row, rnd, rnd.names.index(name))


def _points(row: Statistic, summary: Summary, name: str) -> int | float:
    """The points that score lines gave a player; a side's line counts for each of its players."""
    points: int | float = 0
    for line in summary["lines"]:
        members = line["for"].split("+")
        for role in summary["roles"].values():
            if role["side"] == line["for"]:
                members = role["players"]
        if name in members and (not row.lines or line["code"].rpartition(".")[2] in row.lines):
            points += line["points"]
    return points


def _acts(row: Statistic, rnd: Round, seat: int) -> int:
    number = 0
    for entry in rnd.log.entries:
        if entry.seat == seat and entry.verb.word in row.verbs and entry.counts:
            number += not row.values or _value(entry.text) in row.values
    return number


def _value(text: str) -> str:
    """What follows the name (and the verb's word, if it is written) in a canonical act."""
    return text.partition(": ")[2].partition(" !")[0]
