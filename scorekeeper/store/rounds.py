"""What is kept of a round of a match, and of a match where all are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.play.standing import first_standing
from scorekeeper.store.protocol import RoundRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.plain import Json, Plain
    from scorekeeper.play.match import Match
    from scorekeeper.play.played import Played
    from scorekeeper.play.reviewed import Told
    from scorekeeper.ruleset.compiled import Ruleset


def kept_round(
    match: Match,
    played: Played,
    first: int | None,
    texts: Sequence[str],
    told: Told | None = None,
) -> RoundRow:
    """A round that begins at position `first` of the log, which has these texts. What it came to
    (`told`, if somebody has looked) is kept unless it is the one that goes on; its entries only
    where they are not those texts, for the log is of another time."""
    if played is match.rounds[-1] and not played.over:
        return RoundRow(played.number, first, dict(played.before))
    entries, summary = told or match.kept(played)
    if entries != texts:
        summary = {**summary, "entries": entries}
    return RoundRow(played.number, first, dict(played.before), summary)


def is_standing(standing: Plain, ruleset: Ruleset, players: Sequence[str]) -> bool:
    """Whether a standing is one: a row of a book's first schema did not vouch for itself."""
    known = first_standing(ruleset, len(players))
    return isinstance(standing, dict) and known.keys() <= standing.keys()


def summary_of(match: Match) -> Json:
    """What is told of a match where all are listed."""
    return {"scores": match.scores, "over": match.over}
