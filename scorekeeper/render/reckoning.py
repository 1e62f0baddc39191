"""How the tallies went over the evening, and what they were made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import mark, tr
from scorekeeper.play.facts import scored_by
from scorekeeper.play.remedied import weighed_later
from scorekeeper.render.paper import Parts, Running

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Summary
    from scorekeeper.play.reviewed import Reviewed

CARRIED = mark("carried over")  # what was set, and is no score
TOLD = {"tally", "strokes", "signed", "change"}  # what a column tells of tallies


def running(match: Reviewed, summaries: Sequence[Summary]) -> Running | None:
    """The tallies before the first round and after each that is over; None before that."""
    over = [summary for summary in summaries if summary["tally"] is not None]
    if not over:
        return None
    whom = _whom(match, summaries)
    stood = [summaries[0]["before"], *(summary["tally"] for summary in over)]
    return Running(
        match.ruleset.said(match.ruleset.tally["name"]),
        list(whom),
        [0, *(summary["round"] for summary in over)],
        [[tally.get(members[0]) for tally in stood] for members in whom.values()],
        match.ruleset.sheet.word,
    )


def parts(match: Reviewed, summaries: Sequence[Summary]) -> Parts | None:
    """What tallies were made of: for each it sums to what stands there now, less what everybody
    began with. None where nothing has changed."""
    rules = match.ruleset
    found: dict[str, dict[str, int]] = {row.label: {} for row in rules.scores}
    found[CARRIED] = _carried(match, summaries)
    for summary in summaries:
        later = weighed_later(summary)
        counts = summary["changes"] is not None or not summary["over"]
        for line in summary["lines"] if counts else ():
            of = found.setdefault(later.get(line["code"], line["label"]), {})
            for name in scored_by(rules, summary, line):
                of[name] = of.get(name, 0) + int(line["points"])
    made = {label: of for label, of in found.items() if any(of.values())}
    if not made:
        return None
    whom = _whom(match, summaries)
    return Parts(
        [tr(CARRIED) if label == CARRIED else rules.said(label) for label in made],
        list(whom),
        [[of.get(members[0], 0) for of in made.values()] for members in whom.values()],
    )


def _carried(match: Reviewed, summaries: Sequence[Summary]) -> dict[str, int]:
    """By how much tallies that were set before rounds differ from what stood there."""
    stood = dict.fromkeys(match.began_with, match.ruleset.numbers.start(len(match.began_with)))
    found: dict[str, int] = {}
    for summary in summaries:
        for name, tally in summary["before"].items():
            found[name] = found.get(name, 0) + tally - stood.get(name, tally)
        stood |= {**summary["before"], **(summary["tally"] or {})}
    return found


def _whom(match: Reviewed, summaries: Sequence[Summary]) -> dict[str, list[str]]:
    """Whose tallies there are, with their players: of each player; of each side where the sheet
    tells those, and its players always had the same."""
    columns = match.ruleset.sheet.columns
    each = {name: [name] for name in match.players}
    if not any(cells.per == "side" and cells.names & TOLD for cells in columns):
        return each
    sides: dict[str, list[str]] = {}
    for summary in summaries:
        sides.update(summary["sides"])
    seated = [name for members in sides.values() for name in members]
    if sorted(seated) != sorted(match.players):
        return each
    tallies = [summary[key] or {} for summary in summaries for key in ("before", "tally")]
    for members in sides.values():
        if any(len({tally.get(name) for name in members}) > 1 for tally in tallies):
            return each
    return sides
