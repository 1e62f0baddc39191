"""How people are told who are written in several ways: by the aliases that a store keeps.

The log and records keep what was written. A match in which two names would be told alike is told
as it was written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.play.reviewed import Reviewed, Told
from scorekeeper.play.roster import ROSTER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Summary
    from scorekeeper.play.entered import Entered
    from scorekeeper.play.reviewed import Written

# What a summary has under names that are no player's, and what it has as it was written.
ROWS = ("roles", "counts", ROSTER)
AS_WRITTEN = ("found", "notes", "decisions", "result", "void")


def told_names(players: Sequence[str], aliases: Mapping[str, str]) -> dict[str, str]:
    """By which name each of the players of a match is told."""
    told = {name: aliases.get(name, name) for name in players}
    same = len({name.casefold() for name in told.values()}) < len(told)
    return {name: name for name in players} if same else told


def told_as(match: Reviewed, aliases: Mapping[str, str]) -> Reviewed:
    """A match to look back on, with the names by which its players are told."""
    names = told_names(match.players, aliases)
    return match if list(names.values()) == match.players else KnownAs(match, names)


class KnownAs(Reviewed):
    """A match whose players are told by other names than they were written with."""

    def __init__(self, match: Reviewed, names: Mapping[str, str]) -> None:
        self.ruleset = match.ruleset
        self._match = match
        self._names = names
        # The facts whose values are players; another may be a card, a suit or a word like one.
        phases = match.ruleset.phases.values()
        self._of_players = frozenset(name for phase in phases for name in phase.named)

    @property
    def players(self) -> list[str]:
        """Everybody who has ever sat at the table: those who began, then as they came."""
        return list(self._names.values())

    @property
    def seated(self) -> list[str]:
        """Who sits at the table, clockwise."""
        return [self._names[name] for name in self._match.seated]

    @property
    def began_with(self) -> list[str]:
        """Those who sat there at the beginning."""
        return [self._names[name] for name in self._match.began_with]

    @property
    def scores(self) -> dict[str, int]:
        """The tallies of everybody who has ever sat at the table, by name."""
        return {self._names[name]: points for name, points in self._match.scores.items()}

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self._match.over

    def summaries(self) -> Iterable[Summary]:
        """What every round came to, in order."""
        return map(self._summary, self._match.summaries())

    def review(self) -> Iterator[Told]:
        """Every round with its entries, as they were written, and what it came to."""
        for told in self._match.review():
            yield Told(told.entries, self._summary(told.summary))

    def entered(self) -> Iterator[tuple[Summary, list[Entered]]]:
        """What every round came to, with its entries as they were written."""
        for summary, entries in self._match.entered():
            yield self._summary(summary), entries

    def written(self) -> Iterator[Written]:
        """Every round as a record has it."""
        return self._match.written()

    def _summary(self, summary: Summary) -> Summary:
        told = {
            key: value if key in AS_WRITTEN else self._told(value, rows=key in ROWS)
            for key, value in summary.items()
            if key not in ("facts", "lines")
        }
        told["facts"] = {key: self._fact(key, each) for key, each in summary["facts"].items()}
        told["lines"] = [{**line, "for": self._name(line["for"])} for line in summary["lines"]]
        return told

    def _fact(self, key: str, value: Any) -> Any:  # a plain JSON value
        if key in self._of_players:
            return self._told(value)
        if isinstance(value, dict):
            return {self._name(name): each for name, each in value.items()}
        return value

    def _told(self, value: Any, *, rows: bool = False) -> Any:  # plain JSON values of any shape
        if isinstance(value, dict):
            return {
                key if rows else self._name(key): self._told(each) for key, each in value.items()
            }
        if isinstance(value, list):
            return [self._told(each) for each in value]
        return self._name(value) if isinstance(value, str) else value

    def _name(self, text: str) -> str:
        """A name, or several joined, or one and what is said of them, as they are told."""
        if text in self._names:
            return self._names[text]
        for joint in (" + ", "+", ", "):
            parts = text.split(joint)
            if len(parts) > 1 and all(part in self._names for part in parts):
                return joint.join(self._names[part] for part in parts)
        who, colon, what = text.partition(": ")
        return f"{self._names[who]}{colon}{what}" if colon and who in self._names else text
