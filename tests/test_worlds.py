"""The referee over unseen hands against every world of small packs: it says that a rule was broken
at the first entry at which no world is left in which it was kept, and never before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.games import GAMES, compared

DEALS = range(20)


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rulesets of the tests are found beside the shipped ones."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))


@pytest.mark.parametrize("name", GAMES)
def test_each_act_is_told_as_proven_as_soon_as_it_is(name: str) -> None:
    told = [(seed, *each) for seed in DEALS for each in compared(name, seed, groups=False)]
    assert not told, told[0]
