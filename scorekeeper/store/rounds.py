"""What is kept of a round of a match, and of a match where all are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Impossible, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.play.match import Match
from scorekeeper.play.roster import notation_for, seated
from scorekeeper.play.standing import first_standing
from scorekeeper.store.checks import as_json
from scorekeeper.store.protocol import RoundRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Json, Plain, Standing
    from scorekeeper.play.played import Played
    from scorekeeper.play.reviewed import Told
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.store.protocol import MatchRow


def kept_round(
    match: Match, played: Played, first: int | None, told: Told | None = None
) -> RoundRow:
    """A round that begins at position `first` of the log. What it came to and its entries (`told`,
    if somebody has looked) are kept unless it is the one that goes on."""
    if played is match.rounds[-1] and not played.over:
        return RoundRow(played.number, first, dict(played.before))
    from scorekeeper.play.entered import compact, entered  # only the end of a round needs it

    told = told or match.kept(played)
    notation = notation_for(match.ruleset.lexicon, tuple(match.players))
    entries = as_json([*map(compact, entered(*told, notation))])
    return RoundRow(played.number, first, dict(played.before), told.summary, entries)


def match_of(row: MatchRow, ruleset: Ruleset, standing: Standing | None, first: int) -> Match:
    """A match of a store, before its round `first`. Raises Damaged for players whom its rules
    cannot seat."""
    try:
        return Match(ruleset, row.players, standing, first, kept=True)
    except (Unreadable, Impossible) as failure:
        raise Damaged(
            tr("match {match} is damaged: {why}", match=row.id, why=failure.message),
            tr("scorekeeper check-book says what is whole, and saves it"),
        ) from failure


def is_standing(standing: Plain, ruleset: Ruleset, players: Sequence[str]) -> bool:
    """Whether a standing is one: a row of a book's first schema did not vouch for itself."""
    known = first_standing(ruleset, len(players))
    if not isinstance(standing, dict) or not known.keys() <= standing.keys():
        return False
    try:
        count = len(seated(standing, players))
        tally, dealer, leader = standing["tally"], standing["dealer"], standing["leader"]
        return (
            all(isinstance(points, int) for points in tally)
            and [type(tally), len(tally)] == [list, count]
            and dealer in range(count)
            and (leader is None or leader in range(count))
            and isinstance(standing["carry"], dict)
        )
    except (LookupError, TypeError):
        return False


def summary_of(match: Match) -> Json:
    """What is told of a match where all are listed; `ahead` have won if it ends here, `left` sit
    there no more, where somebody has gone; `since` is what the round that goes on has changed, if
    it has."""
    told: Json = {"scores": match.scores, "over": match.over, "ahead": match.ahead}
    seated = match.seated
    gone = [name for name in match.scores if name not in seated]
    since = _since(match)
    return {**told, **({"left": gone} if gone else {}), **({"since": since} if since else {})}


def _since(match: Match) -> dict[str, int]:
    """What the round that goes on has changed on the sheet so far: penalties."""
    if not match.rounds or match.rounds[-1].over:
        return {}
    live = match.live
    tallies = zip(live.names, live.tally, live.base, strict=True)
    return {name: now - before for name, now, before in tallies if now != before}
