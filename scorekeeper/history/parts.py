"""What a ruleset's `[breakdowns]` tell apart: the rounds of each player by their role or a fact."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.history.tables import Sum, Table
from scorekeeper.play.facts import is_given, round_fact, shown
from scorekeeper.ruleset.reports import BY_ROLES

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from scorekeeper.core.types import Json, Summary
    from scorekeeper.history.outcome import Outcome
    from scorekeeper.history.tables import Counted
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.ruleset.reports import Breakdown

PLAYER = "player."


class Parts:
    """The rounds of one breakdown, by part and player. `row` says what the parts are; parts are
    kept as the summaries have them and told in the words of the ruleset that was given last."""

    def __init__(self, row: Breakdown, rules: Ruleset) -> None:
        self.row = row
        self.rules = rules
        self._parts: dict[str, dict[str, Sum]] = {}

    def add(self, of: Counted, summary: Summary, outcome: Outcome) -> None:
        """Take in a round that is not void."""
        row, roles = self.row, summary["roles"]
        if not is_given(summary, row.given):
            return
        playing: Iterable[str] = outcome.present
        if row.as_:
            taken = {name for role in row.as_ if role in roles for name in roles[role]["players"]}
            playing = [name for name in playing if name in taken]
        if row.named:
            named = round_fact(summary, row.named)
            playing = [name for name in playing if name == named]
        changes, success = outcome.changes, row.success
        known = outcome.told if success else outcome.decided
        kept = (summary["facts"].get(success) or {}) if success else {}
        for name, parts in self._parts_of(summary, playing):
            went = _items(kept.get(name)) if success else ()
            points = None if changes is None else changes[name]
            for part in parts:
                rows = self._parts.setdefault(part, {})
                told = of.names[name]
                if told not in rows:
                    rows[told] = Sum()
                well = part in went if success else name in outcome.won
                rows[told].add(points, well if known else None)

    def _parts_of(
        self, summary: Summary, playing: Iterable[str]
    ) -> Iterable[tuple[str, Iterable[str]]]:
        """Which parts a round is to each of them, each once."""
        row, roles = self.row, summary["roles"]
        if row.by == BY_ROLES:
            members = [(role, roles[role]["players"]) for role in row.roles if role in roles]
            return [(name, [role for role, who in members if name in who]) for name in playing]
        if row.by.startswith(PLAYER):
            facts = summary["facts"].get(row.by) or {}
            return [(name, _items(facts[name])) for name in playing if name in facts]
        items = _items(round_fact(summary, row.by))
        return [(name, items) for name in playing] if items else ()

    def _called(self, part: str) -> str:
        """What a part is called in the language that is spoken: a word of the game, or a text."""
        return self.rules.said(self.rules.spoken(part))

    def as_json(self, players: Container[str]) -> Json:
        """`name label parts players`: the parts in the ruleset's order of roles, else those of
        most rounds first."""
        row, parts = self.row, self._parts
        if row.by == BY_ROLES:
            order = [role for role in row.roles if role in parts]
        else:
            rounds = {part: sum(each.rounds for each in parts[part].values()) for part in parts}
            order = sorted(parts, key=lambda part: (-rounds[part], part))
        labels = _told_apart({part: self._called(part) for part in order})
        names = dict.fromkeys(name for part in order for name in parts[part])
        return {
            "name": row.name,
            "label": row.label,
            "parts": list(labels.values()),
            "players": [
                {
                    "name": name,
                    "parts": {
                        labels[part]: parts[part][name].as_json()
                        for part in order
                        if name in parts[part]
                    },
                }
                for name in names
                if name in players
            ],
        }


class Breakdowns(Table):
    """The breakdowns of a ruleset."""

    def __init__(self) -> None:
        self._rows: dict[str, Parts] = {}
        self._known: Ruleset | None = None
        self._now: list[Parts] = []

    def add_round(self, of: Counted, summary: Summary, outcome: Outcome) -> None:
        """Take in a finished round, unless it is void."""
        if of.rules is not self._known:
            self._known = of.rules
            self._now = [self._of(row, of.rules) for row in of.rules.sheet.breakdowns]
        if not outcome.void:
            for parts in self._now:
                parts.add(of, summary, outcome)

    def _of(self, row: Breakdown, rules: Ruleset) -> Parts:
        """What was counted of that row, as this ruleset has it."""
        parts = self._rows.setdefault(row.name, Parts(row, rules))
        parts.row, parts.rules = row, rules
        return parts

    def as_json(self, players: Container[str]) -> list[Json]:
        """The breakdowns in the ruleset's order."""
        return [parts.as_json(players) for parts in self._rows.values()]


def _items(value: object) -> list[str]:
    """The values of a fact as texts, each once; none where there is nothing."""
    many = value if isinstance(value, list) else [value]
    return list(dict.fromkeys(text for text in map(shown, many) if text))


def _told_apart(labels: Mapping[str, str]) -> dict[str, str]:
    """Parts with what they are called; where two are called alike, as the rules call them."""
    told = list(labels.values())
    return {part: label if told.count(label) == 1 else part for part, label in labels.items()}
