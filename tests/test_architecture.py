"""The architecture page: its worked example of a clause word runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.core.hands import Claim
from scorekeeper.core.messages import N_
from scorekeeper.engine.phase import actor_of
from scorekeeper.phases.tricks.phase import Tricks
from scorekeeper.ruleset import vocabulary
from scorekeeper.ruleset.orders import TRUMP

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "architecture.md").read_text("utf-8")
NAMES = ("Ana", "Ben", "Cleo", "Dan")


@pytest.fixture(autouse=True)
def the_word_of_the_page(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(TESTS / "rulesets"))
    (source,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    known: dict[str, Any] = {
        "clause": vocabulary.clause, "Claim": Claim, "Tricks": Tricks, "TRUMP": TRUMP,
        "actor_of": actor_of, "N_": N_,
    }  # fmt: skip
    exec("from __future__ import annotations\n" + source, known)
    yield
    del vocabulary._words["tricks", "no-trump-lead"]


def led(hand: str) -> str:
    row = {"clauses.no-trump-lead": {"cite": "2.1"}}
    match = Match(load_ruleset("fixed-trump", **row), NAMES)
    if hand:
        match.record(f"hand Ana: {hand}")
    ruling = match.judge("Ana: AS")
    return next((f.verdict for f in ruling.findings if f.code == "tricks.no-trump-lead"), "legal")


def test_the_clause_of_the_page_judges_hands_that_were_entered_and_others() -> None:
    assert led("AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S") == "legal"
    assert led("AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2H") == "illegal"
    assert led("") == "open"
