"""The referee over unseen hands against every world of small packs.

It reports a broken rule at the first entry that leaves no world in which the rule was obeyed, and
never before.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.effort import tries
from tests.oracle.games import GAMES, compared
from tests.oracle.verdicts import FALSE

DEALS = tries(4)
# Rulesets in which every proof is reported at once; in others some are reported later.
AT_ONCE = ("calls", "conditions", "duties", "follow", "giving", "kitty", "runs", "sets", "stock")
EXACT = [name for name in GAMES if name.startswith(AT_ONCE) and "," not in name]


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the rulesets of the tests to the shipped ones."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))


@pytest.mark.parametrize("name", EXACT)
def test_all_that_can_be_proven_is_told_at_once(name: str) -> None:
    told = [(seed, *each) for seed in DEALS for each in compared(name, seed)]
    assert not told, told[0]


@pytest.mark.parametrize("name", [name for name in GAMES if name not in EXACT])
def test_nothing_is_told_that_is_not_proven(name: str) -> None:
    for seed in DEALS:
        for what, said in compared(name, seed, groups=False):
            assert what.partition(":")[0] not in FALSE, (seed, what, said)
