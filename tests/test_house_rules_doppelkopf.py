"""House rules of Doppelkopf: each a small ruleset, by cases worked out by hand from its text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.core.failures import Failure
from scorekeeper.ruleset.loading import check
from tests.helpers import match_of

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
SHIPPED = (
    *("doppelkopf-second-ten", "doppelkopf-second-ten-not-last", "doppelkopf-without-nines"),
    *("doppelkopf-five-nines", "doppelkopf-solos", "doppelkopf-bock"),
)
# The program's own codes, which cite what the phase says of turns, and possession.
OWN_CODES = ("turn", "verb", "tricks.held", "give.given-held")


def cases() -> Iterator[Any]:
    for line in (HERE / "cases" / "house.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if case["ruleset"] in SHIPPED:
            yield pytest.param(case, id=f"{case['ruleset']}: {case['what']}")


@pytest.mark.parametrize("case", list(cases()))
def test_a_case_that_was_worked_out_by_hand(case: dict[str, Any]) -> None:
    match = match_of(case["ruleset"], case["players"], *case["entries"])
    if "last" in case:
        try:
            ruling = match.judge(case["last"])
        except Failure as failure:
            assert case["verdict"] == "illegal", failure
            return
        assert ruling.verdict == case["verdict"], ruling.text
        found = [finding for finding in ruling.findings if finding.verdict == "illegal"]
        if found and not any(finding.code in OWN_CODES for finding in found):
            cites = {finding.cite.rpartition(" ")[2] for finding in found}
            assert case["paragraph"] in cites, ruling.text
    if "scores" in case:
        assert match.scores == case["scores"]


def test_every_ruleset_has_cases() -> None:
    assert {case.values[0]["ruleset"] for case in cases()} == set(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_it_has_no_mistakes_and_loads_as_it_was_pinned(name: str) -> None:
    ruleset, _, faults = check(name)
    assert faults == []
    assert ruleset is not None
    assert "language = 2" in ruleset.text
