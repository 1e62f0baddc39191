"""Whether what is kept of rounds is what this program makes: its checksum may be right all the
same, where another has written into the book."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scorekeeper.core.messages import mark, tr
from scorekeeper.play.shaped import is_about, is_listed, is_shaped
from scorekeeper.play.summary import is_current
from scorekeeper.store.protocol import KeptDamaged
from scorekeeper.store.rounds import is_standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Json, Plain
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.store.protocol import MatchRow, RoundRow


def listed(match: MatchRow) -> Json:
    """With what a match is listed (see `summary_of`), nothing where nothing is kept of that. Raises
    KeptDamaged for what is none."""
    told = match.summary
    if told is not None and not is_listed(told):
        say = mark("the tallies with which match {match} is listed are damaged")
        raise KeptDamaged(tr(say, match=match.id), match.id)
    return told or {}


def check_about(row: RoundRow, match: int, players: Sequence[str]) -> None:
    """Raises KeptDamaged where what is kept of a round is not about its match: a cheap look."""
    if not is_about(row.summary, players):
        raise misshapen(match, row.number)


def check_shape(row: RoundRow, match: int, ruleset: Ruleset, players: Sequence[str]) -> None:
    """Raises KeptDamaged where what is kept of a round is not shaped as it is made."""
    if not is_standing(row.standing, ruleset, players):
        raise misshapen(match, row.number)
    if is_current(row.summary):
        check_about(row, match, players)
        if not is_shaped(row.summary):
            raise misshapen(match, row.number)
        told_of(row, match)


def told_of(row: RoundRow, match: int) -> list[list[Plain]]:
    """The entries that are kept of a round. Raises KeptDamaged for what is none."""
    try:
        told = json.loads(row.told or "[]")
    except (TypeError, ValueError, RecursionError):
        told = None
    if not isinstance(told, list) or not all(map(_is_entry, told)):
        raise misshapen(match, row.number)
    return told


def _is_entry(told: Plain) -> bool:
    return (
        isinstance(told, list)
        and len(told) in (3, 6)
        and isinstance(told[0], str)
        and all(isinstance(field, str | None) for field in told[1:3])
        and all(isinstance(field, str) for field in told[3:])
    )


def misshapen(match: int, number: int) -> KeptDamaged:
    """What is kept of a round is nothing that this program makes."""
    say = mark("what is kept of match {match}, round {round} is damaged")
    return KeptDamaged(tr(say, match=match, round=number), match)
