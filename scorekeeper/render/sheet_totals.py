"""What the rows of totals tell of a whole match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr
from scorekeeper.history.results import counts, places, went_out
from scorekeeper.play.facts import common, signed, strokes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorekeeper.core.types import Json, Summary
    from scorekeeper.play.reviewed import Reviewed
    from scorekeeper.ruleset.reports import Cells


class Totals:
    """The facts of a whole match, for the rows of totals; none while a sheet is to be written."""

    def __init__(
        self, match: Reviewed, sides: Mapping[str, list[str]], summaries: Sequence[Summary]
    ) -> None:
        self.sides = sides
        self.summaries = summaries
        self.final = match.over or match.ruleset.history.endless
        placed = match.over or any(summary["over"] for summary in summaries)
        self.stats = counts(match.ruleset, summaries)
        tally = match.scores
        scored = [summary["changes"] for summary in summaries if summary["changes"]]
        change = {name: sum(changes.get(name, 0) for changes in scored) for name in match.players}
        self.facts: dict[str, Json] = {
            "tally": tally,
            "strokes": {name: strokes(number) for name, number in tally.items()},
            "change": change,
            "signed": {name: signed(number) for name, number in change.items()},
            "place": places(match, summaries) if placed else {},
            "out": went_out(match, summaries),
        }

    def label(self, cells: Cells) -> str:
        """What a row is called: places that may still change are told as such."""
        if self.final or not self.facts["place"] or "place" not in cells.names:
            return cells.label
        return tr("{label} so far", label=cells.label)

    def read(self, per: str, who: str, name: str) -> object:
        """A fact about a player, or what a side's players have in common."""
        if name == "name":
            return who
        if name.startswith(f"{per}."):
            return self._latest(name, who)
        if name.startswith("stat."):
            return self.stats[name.removeprefix("stat.")].get(who, 0)
        members = self.sides.get(who, []) if per == "side" else [who]
        if name == "place":  # who has left has none
            members = [member for member in members if member in self.facts[name]]
            if per == "side":
                return self._place(members)
        found = [self.facts[name].get(member) for member in members]
        return common(lambda value: value, found)

    def _place(self, members: Sequence[str]) -> object:
        """The place of a side among the sides that sit there; where players of one have different
        places, or are on several, what its own have."""
        placed = self.facts["place"]
        there = [names for names in self.sides.values() if placed.keys() >= set(names)]
        every = [[placed[name] for name in names] for names in there]
        own = [placed[member] for member in members]
        if sum(map(len, every)) > len(placed) or any(len(set(each)) > 1 for each in every):
            return common(lambda value: value, own)
        return 1 + sum(each[0] < own[0] for each in every) if own else None

    def _latest(self, name: str, who: str) -> object:
        for summary in reversed(self.summaries):
            found = (summary["facts"].get(name) or {}).get(who)
            if found is not None:
                return found
        return None
