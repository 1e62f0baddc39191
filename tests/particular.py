"""Helpers of the tests of particular acts: deals of the tournament, and laws for any entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper import Illegal, Match, verify_record, write_record
from tests.helpers import match_of

if TYPE_CHECKING:
    from pathlib import Path

TOURNAMENT = "doppelkopf-ddv"
FOUR = ["Ana", "Ben", "Cleo", "Dan"]
# Ana alone has both QC.
HANDS = [
    "hand Ana: QC QC AC TC 9C AS TS 9S AH KH 9H AD",
    "hand Ben: TH QS JC AC KC KC AS TS KS 9H KD 9D",
    "hand Cleo: TH QS JC TC 9C KS 9S KH TD JD QD 9D",
    "hand Dan: QH QH QD JS JS JH JH JD AH AD TD KD",
]


def at_table(*entries: str, **options: object) -> Match:
    """Return a deal of the tournament after these entries."""
    return match_of(TOURNAMENT, FOUR, *entries, **options)


def contract(match: Match) -> tuple[str | None, str | None]:
    """Return the contract and the player who plays it."""
    bindings = match.state["bindings"]
    return bindings.get("contract"), bindings.get("declarer")


def refused(match: Match, text: str) -> tuple[str, str]:
    """Return the code and reason of the last finding for which an entry is refused."""
    with pytest.raises(Illegal) as refusal:
        match.record(text)
    finding = refusal.value.ruling.findings[-1]
    return finding.code, finding.reason


def told(match: Match) -> object:
    """Return everything that a match shows: state, players to act, prompt, scores and entries."""
    entries = [list(played.entries) for played in match.rounds]
    return match.state, match.to_act, match.prompt, match.scores, entries


def found(match: Match) -> list[tuple[int, str, str, str]]:
    """Return all findings of the last round except those about claims."""
    return sorted(
        (number, each.code, each.verdict, each.reason)
        for number, each in match.live_round.log.all_findings()
        if not each.code.startswith("remedies.")
    )


def lawful(match: Match, tmp_path: Path) -> None:
    """Check that undoing restores each state, entry by entry, and that the record reads back the
    same."""
    again = match.copy_from_start()
    states = []
    for played in match.rounds:
        for text in played.entries:
            states.append(told(again))
            again.record(text)
    assert told(again) == told(match)
    for before in reversed(states):
        again.undo()
        assert told(again) == before
    for played in match.rounds:
        again.play_round(played.entries)
    assert told(again) == told(match)
    assert [each.changes for each in again.rounds] == [each.changes for each in match.rounds]
    if match.rounds:
        assert found(again) == found(match)
    path = tmp_path / "match.toml"
    write_record(match, path)
    verified = verify_record(path)
    assert not {"score.claimed", "entry.impossible", "entry.unreadable", "record.damaged"} & {
        each["code"] for each in verified["findings"]
    }
    for played, read in zip(match.rounds, verified["rounds"], strict=True):
        assert read["scores"] == played.scores
