"""Across matches: played, won, places, and what the ruleset's `[statistics]` count.

Rounds are looked at through `Match.review`; nothing here knows a game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.play.summary import round_fact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.plain import Json, Row
    from scorekeeper.play.match import Match
    from scorekeeper.play.round import Round
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.ruleset.sheets import Statistic

    Counts = dict[str, int | float]  # by player
    Reviewed = tuple[Round, Row]


class Figures:
    """What players have done in the matches of one ruleset.

    `labels` are the headings of the ruleset's own counts by their rows' names; `players` lead
    from a name to `played unfinished won rounds places counts`: `places` from a place, 1 being
    the best, to how often; `counts` from a row's name to its number.
    """

    __slots__ = ("_spelled", "labels", "matches", "players", "ruleset", "title")

    def __init__(self, ruleset: str, title: str) -> None:
        self.ruleset = ruleset
        self.title = title
        self.matches = 0
        self.labels: dict[str, str] = {}
        self.players: dict[str, Json] = {}
        self._spelled: dict[str, str] = {}

    def of(self, name: str) -> Json:
        """A player's figures; names that differ only in case are one player's."""
        spelled = self._spelled.setdefault(name.casefold(), name)
        empty = {"played": 0, "unfinished": 0, "won": 0, "rounds": 0, "places": {}, "counts": {}}
        return self.players.setdefault(spelled, empty)

    def as_json(self) -> Json:
        """The figures as plain JSON values; places are keys, so they are text."""
        players = [
            {
                "name": name,
                **figures,
                "places": {
                    str(place): figures["places"][place] for place in sorted(figures["places"])
                },
                "counts": {row: figures["counts"].get(row, 0) for row in self.labels},
            }
            for name, figures in self.players.items()
        ]
        return {
            "ruleset": self.ruleset,
            "title": self.title,
            "matches": self.matches,
            "labels": self.labels,
            "players": players,
        }


def statistics(matches: Iterable[Match]) -> list[Figures]:
    """The figures of all these matches, one for each ruleset by its name, players in the order
    of their wins, then of how few matches they needed. Matches without an entry do not count."""
    found: dict[str, Figures] = {}
    for match in matches:
        if match.rounds:
            rules = match.ruleset
            figures = found.setdefault(rules.name, Figures(rules.name, rules.title))
            _add(figures, match)
    for figures in found.values():
        order = sorted(
            figures.players.items(), key=lambda item: (-item[1]["won"], item[1]["played"])
        )
        figures.players = dict(order)
    return list(found.values())


def _add(figures: Figures, match: Match) -> None:
    figures.matches += 1
    rules = match.ruleset
    figures.labels.update({row.name: row.label for row in rules.sheet.statistics})
    reviewed = [(rnd, summary) for _, rnd, summary in match.review()]
    counted = counts(rules, reviewed)
    found = places(match, reviewed) if is_decided(match) else {}
    won = match.ahead if found else []
    for name in match.players:
        player = figures.of(name)
        player["played"] += 1
        player["rounds"] += sum(_took_part(rnd, summary, name) for rnd, summary in reviewed)
        if name in found:
            place = found[name]
            player["places"][place] = player["places"].get(place, 0) + 1
            player["won"] += name in won
        else:
            player["unfinished"] += 1
        for row in rules.sheet.statistics:
            before = player["counts"].get(row.name, 0)
            player["counts"][row.name] = before + counted[row.name].get(name, 0)


def _took_part(rnd: Round, summary: Row, name: str) -> bool:
    seat = rnd.names.index(name)
    return rnd.over and seat in rnd.seats and not rnd.rules.is_out(rnd.base[seat])


# --- places


def is_decided(match: Match) -> bool:
    """Whether a match has places: it is over, or it has no end of its own and a round was
    finished, so that what stands when the table stops is the result."""
    if match.over:
        return True
    rules = match.ruleset.match
    endless = str(rules["ends"]).lower() == "false" and rules["wins"] != "last"
    return endless and any(played.over for played in match.rounds)


def places(match: Match, reviewed: Sequence[Reviewed] | None = None) -> dict[str, int]:
    """Each player's place, 1 being the best, as things stand; equal players share a place, and
    the next one is as many places lower. Where the last one in wins, the places are the order of
    going out backwards."""
    tally = match.standing["tally"]
    wins = match.ruleset.match["wins"]
    if wins == "last":
        gone = went_out(match, reviewed)
        later = {name: (gone.get(name, 0) or len(gone) + 1) for name in match.players}
        worth = [(later[name], number) for name, number in zip(match.players, tally, strict=True)]
    else:
        sign = -1 if wins == "fewest" else 1
        worth = [(sign * number, 0) for number in tally]
    return {
        name: 1 + sum(other > mine for other in worth)
        for name, mine in zip(match.players, worth, strict=True)
    }


def went_out(match: Match, reviewed: Sequence[Reviewed] | None = None) -> dict[str, int]:
    """Who is out of the match, each with their place in the order of going out, from 1; players
    who went out in the same round share one."""
    if reviewed is None:
        reviewed = [(rnd, summary) for _, rnd, summary in match.review()]
    rules = match.ruleset
    standing = dict(zip(match.players, match.standing["tally"], strict=True))
    since = {name: 0 for name, tally in standing.items() if rules.is_out(tally)}
    for number, (rnd, _) in enumerate(reviewed, 1):
        for name, tally in zip(match.players, rnd.base, strict=True):
            if name in since and not rules.is_out(tally):
                since[name] = number
    return {name: 1 + sum(other < mine for other in since.values()) for name, mine in since.items()}


# --- what a ruleset counts


def counts(rules: Ruleset, reviewed: Iterable[Reviewed]) -> dict[str, Counts]:
    """What each row of `[statistics]` counts in these rounds, by player."""
    found: dict[str, Counts] = {row.name: {} for row in rules.sheet.statistics}
    for rnd, summary in reviewed:
        if summary["void"] is not None:
            continue
        for row in rules.sheet.statistics:
            if _is_given(row, summary):
                for name in rnd.names:
                    _count(found[row.name], row, rnd, summary, name)
    return found


def _is_given(row: Statistic, summary: Row) -> bool:
    return all(round_fact(summary, fact) in values for fact, values in row.given.items())


def _count(found: Counts, row: Statistic, rnd: Round, summary: Row, name: str) -> None:
    roles = {role for role, who in summary["roles"].items() if name in who["players"]}
    if row.roles and not row.roles & roles:
        return
    if row.others and (row.others & roles or not row.others & summary["roles"].keys()):
        return
    if row.count == "roles":
        number: int | float = row.role in roles
    elif row.count == "lines":
        number = _points(row, summary, name)
    elif row.count == "fact":
        number = (summary["facts"].get(row.fact) or {}).get(name) or 0
    else:
        number = _acts(row, rnd, rnd.names.index(name))
    if number:
        found[name] = found.get(name, 0) + number


def _points(row: Statistic, summary: Row, name: str) -> int | float:
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
