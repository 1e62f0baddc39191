"""The rows of exported tables, as plain values in the order of their columns (see columns.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.history.results import came_to
from scorekeeper.play.facts import round_fact, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json, Plain, Summary
    from scorekeeper.history.listed import Listed

    Cells = list[object]


def entry_rows(listed: Listed, day: str) -> Iterator[Cells]:
    """A row for each entry of a match that began on that day (ISO 8601; empty: nobody knows)."""
    head = _head(listed)
    for summary, entries in listed.match.entered():
        for at, entry in enumerate(entries, 1):
            yield [*head, summary["round"], at, *entry[:5], " ".join(entry.codes), day]


def score_rows(listed: Listed, day: str) -> Iterator[Cells]:
    """A row for each round of a match and each who sat there."""
    head = _head(listed)
    for summary in listed.match.summaries():
        played = _Played(summary, day)
        for seat, name in enumerate(summary["before"], 1):
            yield [*head, summary["round"], name, seat, *played.cells(name)]


class _Played:
    """What the table of scores tells of one round."""

    def __init__(self, summary: Summary, day: str) -> None:
        self._summary = summary
        self._facts: Json = summary["facts"]
        self._sides: Mapping[str, Sequence[str]] = summary["sides"]
        self._won, self._lost = summary["won"], summary["lost"]
        facts = ("contract", "options", "bid", "trump", "level")
        self._round = (day, int(summary["over"]))
        self._played = [shown(self._facts.get(name)) for name in facts]
        self._value = round_fact(summary, "value")
        self._who = ", ".join(_side_text(label, who) for label, who in self._sides.items())

    def cells(self, name: str) -> Cells:
        """The columns from `dealer` on, for a player."""
        summary = self._summary
        side = next((label for label, who in self._sides.items() if name in who), None)
        roles = [role for role, who in summary["roles"].items() if name in who["players"]]
        return [
            None if summary["dealer"] is None else int(summary["dealer"] == name),
            int(summary["leader"] == name),
            int(name in summary["sat_out"]),
            " ".join(roles),
            (summary["changes"] or {}).get(name),
            (summary["tally"] or {}).get(name),
            int(summary["annulled"]),
            *self._round,
            1 if name in self._won else 0 if name in self._lost else None,
            side,
            self._who,
            *self._played,
            self._value,
            self._of("player.points", name, self._of("side.points", side, None)),
            " ".join(self._of("player.calls", name, ())),
            " ".join(said_of(self._facts.get("calls"), side)),
            " ".join(said_of(self._facts.get("specials"), side)),
            self._of("player.announced", name, None),
            " ".join(self._of("player.kept", name, ())),
            " ".join(self._of("player.specials", name, ())),
            self._of("player.tricks", name, None),
        ]

    def _of(self, fact: str, who: str | None, without: Plain) -> Plain:
        found = self._facts.get(fact) or {}
        return found.get(who, without)


def said_of(texts: Iterable[str] | None, side: str | None) -> Iterator[str]:
    """The words that a fact says of a side, of texts like `SIDE: word x2` and `SIDE word`; what
    counts several times comes so often."""
    for text in texts or ():
        who, colon, what = text.partition(": ")
        words = what.split(" ") if colon else text.split(" ")
        if side == (who if colon else words[0]):
            times = words[-1][1:] if words[-1][:1] == "x" else ""
            yield from words[:-1] * int(times) if times.isdecimal() else words


def _side_text(label: str, players: Sequence[str]) -> str:
    names = "+".join(players)
    return names if label == names else f"{label}: {names}"


def match_rows(listed: Listed, day: str) -> Iterator[Cells]:
    """A row for each who ever sat in a match."""
    match, head = listed.match, _head(listed)
    summaries = list(match.summaries())
    result = came_to(match, summaries)
    rounds = [outcome for _, outcome in result.outcomes]
    known = [day, listed.title, int(match.over), int(bool(result.places)), len(rounds)]
    seated = match.seated
    for seat, (name, tally) in enumerate(match.scores.items(), 1):
        there = [summary["round"] for summary in summaries if name in summary["before"]]
        yield [
            *head, name, seat, *known,
            result.places.get(name),
            int(name in result.won) if name in result.places else None,
            tally,
            result.points[name],
            result.rounds.get(name, 0),
            sum(name in each.won for each in rounds),
            sum(name in each.lost for each in rounds),
            there[0] if there else None,
            there[-1] if there else None,
            int(name in seated),
        ]  # fmt: skip


def _head(listed: Listed) -> Cells:
    return [listed.name, listed.match.ruleset.name, listed.started, listed.place]
