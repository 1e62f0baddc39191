"""Across matches: played, won, places, and what the ruleset's `[statistics]` count.

Matches are looked back on (`Reviewed`), each when it is its turn; nothing here knows a game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.plain import Json, Summary
    from scorekeeper.play.counts import Counts
    from scorekeeper.play.reviewed import Reviewed
    from scorekeeper.ruleset.compiled import Ruleset


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


def statistics(matches: Iterable[Reviewed]) -> list[Figures]:
    """The figures of all these matches, one for each ruleset by its name, players in the order
    of their wins, then of how few matches they needed. Matches without an entry do not count, nor
    does one for who took part in no round of it while others finished one."""
    found: dict[str, Figures] = {}
    for match in matches:
        summaries = list(match.summaries())
        if summaries:
            rules = match.ruleset
            figures = found.setdefault(rules.name, Figures(rules.name, rules.said(rules.title)))
            _add(figures, match, summaries)
    for figures in found.values():
        order = sorted(
            figures.players.items(), key=lambda item: (-item[1]["won"], item[1]["played"])
        )
        figures.players = dict(order)
    return list(found.values())


def _add(figures: Figures, match: Reviewed, summaries: Sequence[Summary]) -> None:
    figures.matches += 1
    rules = match.ruleset
    figures.labels.update({row.name: row.label for row in rules.sheet.statistics})
    counted = counts(rules, summaries)
    rounds = _rounds(match, summaries)
    found = places(match, summaries) if is_decided(match, summaries) else {}
    absent = found.keys() - rounds.keys()
    if absent:  # they only sit there: the others are those who are ahead of one another
        found = _close(place for place in found.items() if place[0] not in absent)
    best = [name for name, place in found.items() if place == 1]
    won = (best if len(best) < len(found) else []) if absent else match.ahead if found else []
    for name, played in rounds.items():
        player = figures.of(name)
        player["played"] += 1
        player["rounds"] += played
        if name in found:
            place = found[name]
            player["places"][place] = player["places"].get(place, 0) + 1
            player["won"] += name in won
        else:
            player["unfinished"] += 1
        for row, numbers in counted.items():
            before = player["counts"].get(row, 0)
            player["counts"][row] = before + numbers.get(name, 0)


def _rounds(match: Reviewed, summaries: Sequence[Summary]) -> dict[str, int]:
    """In how many finished rounds each took part, of those who did, or were out from the start;
    of all as long as no round is finished."""
    over = [summary for summary in summaries if summary["over"]]
    rules, found = match.ruleset, {}
    for name in match.players:
        played = sum(_took_part(rules, summary, name) for summary in over)
        before = [summary["before"][name] for summary in over if name in summary["before"]]
        if played or not over or any(map(rules.is_out, before)):
            found[name] = played
    return found


def _close(found: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Places as they are among those who are left."""
    kept = dict(found)
    return {name: 1 + sum(other < place for other in kept.values()) for name, place in kept.items()}


def _took_part(rules: Ruleset, summary: Summary, name: str) -> bool:
    before = summary["before"].get(name)  # None: they did not sit there
    seated = summary["over"] and before is not None and name not in summary["sat_out"]
    return seated and not rules.is_out(before)


# --- places


def is_decided(match: Reviewed, summaries: Iterable[Summary] | None = None) -> bool:
    """Whether a match has places: it is over, or it has no end of its own and a round was
    finished, so that what stands when the table stops is the result."""
    if match.over:
        return True
    rules = match.ruleset.match
    endless = str(rules["ends"]).lower() == "false" and rules["wins"] != "last"
    return endless and any(summary["over"] for summary in summaries or match.summaries())


def places(match: Reviewed, summaries: Iterable[Summary] | None = None) -> dict[str, int]:
    """The place of each who sits there, 1 being the best, as things stand; equal players share a
    place, and the next one is as many places lower. Where the last one in wins, the places are the
    order of going out backwards."""
    wins = match.ruleset.match["wins"]
    if wins == "last":
        gone = went_out(match, summaries)
        later = {name: (gone.get(name, 0) or len(gone) + 1) for name in match.seated}
        worth = [(later[name], match.scores[name]) for name in match.seated]
    else:
        sign = -1 if wins == "fewest" else 1
        worth = [(sign * number, 0) for number in match.tally]
    return {
        name: 1 + sum(other > mine for other in worth)
        for name, mine in zip(match.seated, worth, strict=True)
    }


def went_out(match: Reviewed, summaries: Iterable[Summary] | None = None) -> dict[str, int]:
    """Who is out of the match, each with their place in the order of going out, from 1; players
    who went out in the same round share one."""
    rules = match.ruleset
    since = {name: 0 for name, tally in match.scores.items() if rules.is_out(tally)}
    for number, summary in enumerate(summaries or match.summaries(), 1) if since else ():
        for name, tally in summary["before"].items():
            if name in since and not rules.is_out(tally):
                since[name] = number
    return {name: 1 + sum(other < mine for other in since.values()) for name, mine in since.items()}


# --- what a ruleset counts


def counts(rules: Ruleset, summaries: Iterable[Summary]) -> dict[str, Counts]:
    """What each row of `[statistics]` counts in these rounds, by player."""
    found: dict[str, Counts] = {row.name: {} for row in rules.sheet.statistics}
    for summary in summaries:
        for row, counted in summary["counts"].items():
            for name, number in counted.items():
                found[row][name] = found[row].get(name, 0) + number
    return found
