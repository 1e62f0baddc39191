"""The deals of `disputed_deals.toml`: only the marked cards are wrong.

Without a claim every card is valid.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Match
from tests.disputes import DEALS, Table, hands

# The scores from Ana to Dan of each deal if no player claims anything.
UNCLAIMED = {
    "revoke": (1, -1, 1, -1),
    "across": (1, -1, 1, -1),
    "middle": (1, -1, 1, -1),
    "last": (1, -1, 1, -1),
    "queen": (-2, -2, 2, 2),
    "counted": (1, -1, 1, -1),
    "two": (1, -1, 1, -1),
    "decided": (1, -1, 1, -1),
    "running": (2, -2, 2, -2),
    "own": (2, -2, 2, -2),
    "failed": (-2, 2, -2, 2),
    "solo": (-1, -1, 3, -1),
    "ahead": (-1, -1, 3, -1),
    "ahead-own": (-2, -2, 6, -2),
    "unknown": (4, -4, 4, -4),
    "reached": (2, -2, 2, -2),
    "silent": (3, -1, -1, -1),
    "nobody": (3, -1, -1, -1),
}


def test_every_deal_is_here_or_only_begun_by_a_test() -> None:
    assert set(DEALS) - set(UNCLAIMED) == {"found", "poor"}


@hands
@pytest.mark.parametrize("name", UNCLAIMED)
def test_unclaimed_it_comes_to_what_was_played(name: str, known: bool, tmp_path: Path) -> None:
    table = Table(name, known)
    wrong = [card.text for card in table.cards if card.wrong]
    table.rest().say("end")
    match = Match(table.match.ruleset, table.match.players)
    findings = match.play_round(table.match.rounds[0].entries).findings
    found = {number for number, finding in findings if finding.code == "tricks.follow"}
    assert found == {table.number(text) for text in wrong}
    assert table.faults == []
    table.comes_to(tmp_path, *UNCLAIMED[name])
