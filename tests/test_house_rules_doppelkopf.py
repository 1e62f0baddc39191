"""House rules of Doppelkopf, each a small ruleset, by cases worked out by hand from its text."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.core.errors import Failure, Impossible
from scorekeeper.engine.loading import check
from scorekeeper.ruleset.tables import VERSION
from tests.effort import tries
from tests.helpers import match_of
from tests.second.doppelkopf import Poverty

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
SHIPPED = (
    *("doppelkopf-second-ten", "doppelkopf-second-ten-not-last", "doppelkopf-without-nines"),
    *(
        "doppelkopf-five-nines",
        "doppelkopf-solos",
        "doppelkopf-bock",
        "doppelkopf-schweine",
        "doppelkopf-armut",
    ),
)
# The program's own codes, for turns (cited from the phase) and possession.
OWN_CODES = ("turn", "verb", "tricks.held", "give.held")


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
    assert f"language = {VERSION}" in ruleset.text


FOUR = ["Ana", "Ben", "Cleo", "Dan"]
SPOKEN = ["Ana: armut", "Ben: gesund", "Cleo: gesund", "Dan: gesund"]


# --- poverty


def test_cards_that_nobody_sees_are_offered_taken_and_given_back() -> None:
    match = match_of("doppelkopf-armut", FOUR, *SPOKEN)
    assert match.to_act == ["Ana"]
    match.record("Ana: give 3")
    assert (match.to_act, match.state["players"]["Ana"]["cards"]) == (["Ben"], 12)
    assert list(match.legal) == ["Ben: take", "Ben: pass"]
    match.record("Ben: take")
    assert match.state["sides"] == {"re": ["Ana", "Ben"], "kontra": ["Cleo", "Dan"]}
    assert match.state["players"]["Ben"]["cards"] == 15
    assert match.judge("Cleo: kontra").findings[0].cite == "house 22.7"
    match.record("Ben: give 3")
    assert {row["cards"] for row in match.state["players"].values()} == {12}
    assert match.judge("Cleo: kontra").verdict == "legal"
    assert match.record("Ana: 9C").verdict == "legal"


def test_who_is_not_asked_cannot_answer_and_nobody_names_a_taker() -> None:
    match = match_of("doppelkopf-armut", FOUR, *SPOKEN)
    for text in ("Ana: take", "Ana: pass"):
        with pytest.raises(Impossible, match="it is not Ana's turn to answer"):
            match.judge(text)
    match.record("Ana: give 3")
    with pytest.raises(Impossible, match="Ben has no cards to give"):
        match.judge("Ben: give 3")


def test_one_player_alone_is_no_poverty() -> None:
    match = match_of("doppelkopf-armut", FOUR)
    with pytest.raises(Impossible, match="is two players, not"):
        match.record("result contract=armut re=Ana points=132")


def test_a_hand_that_was_too_rich_is_proven_later() -> None:
    match = match_of("doppelkopf-armut", FOUR, *SPOKEN)
    assert match.record("Ana: give KD 9D JD").verdict == "open"
    for text in ("Ben: take", "Ben: give 9C 9S KS", "Ana: AC", "Ben: TC", "Cleo: KC", "Dan: 9C"):
        assert match.record(text).verdict == "legal"
    found = match.record("Ana: QC").findings
    proven = {each.code for each in found if each.verdict == "illegal"}
    assert proven == {"auction.poor", "give.all-trumps"}


@pytest.mark.parametrize("seed", tries(2))
def test_nobody_is_accused_where_cards_are_given_unseen(seed: int) -> None:
    random, second = Random(seed), Poverty()
    match = Match(load_ruleset("doppelkopf-armut"), second.names)
    for _ in range(4):
        second.deal(random)
        while not second.done:
            legal = second.legal()
            act = random.choice([each for each in legal if "armut" in each] or legal)
            name, gives, _ = act.partition(" give ")
            assert match.record(f"{name} give 3" if gives else act).verdict != "illegal"
            second.play(act)
        assert match.rounds[-1].scores == second.scores()
        found = {finding.verdict for _, finding in match.rounds[-1].findings}
        assert found <= {"legal", "open"}


def test_poverty_is_given_to_who_takes_it_and_back_to_who_gave() -> None:
    match = match_of("doppelkopf-armut", FOUR, *SPOKEN)
    (finding,) = match.judge("Ana: give 3 to Cleo").findings
    assert (finding.code, finding.cite) == ("give.given-to", "house 22.3")
    assert "Ana must give the cards to the player who takes them, not to Cleo" in finding.reason
    match.record("Ana: give 3")
    match.record("Ben: take")
    (finding,) = match.judge("Ben: give 3 to Dan").findings
    assert (finding.code, finding.cite) == ("give.given-to", "house 22.3")
    assert "Ben must give the cards to Ana in this round, not to Dan" in finding.reason
    assert match.record("Ben: give 3 to Ana").verdict == "legal"


# --- swines


def test_an_announcement_within_a_trick_holds_for_that_trick() -> None:
    match = match_of("doppelkopf-schweine", FOUR, "all: gesund", "Ana: TH", "Ben: QH")
    for text in ("Dan: schweine", "Cleo: JC", "Dan: AD"):
        match.record(text)
    assert match.to_act == ["Dan"]
    match.undo()
    assert match.to_act == ["Dan"]
    for _ in range(2):
        match.undo()
    for text in ("Cleo: JC", "Dan: AD"):
        match.record(text)
    assert match.to_act == ["Ana"]


def test_of_two_swines_the_first_laid_wins_and_neither_is_a_fox() -> None:
    match = match_of("doppelkopf-schweine", FOUR)
    match.record("result contract=normal re=Ana+Ben points=132 holdings=Ana:schweine")
    assert match.scores == {"Ana": 1, "Ben": 1, "Cleo": -1, "Dan": -1}
    match = match_of("doppelkopf-schweine", FOUR)
    with pytest.raises(Impossible, match="no fox"):
        match.record(
            "result contract=normal re=Ana+Ben points=132 holdings=Ana:schweine specials=re:fox"
        )


def test_swines_that_are_shown_are_held() -> None:
    match = match_of("doppelkopf-schweine", FOUR)
    match.record("hand Ana: AD QC QC QS QS JC JC AS AS TS 9S AH")
    match.record("all: gesund")
    (finding,) = match.judge("Ana: show AD AD").findings
    assert (finding.code, finding.cite) == ("holdings.held", "house 23.1")
    assert "AD" in finding.reason
    assert match.judge("Ben: show AD AD").findings[0].code == "holdings.held"
    match = match_of("doppelkopf-schweine", FOUR, "all: gesund")
    assert match.record("Ben: show AD AD").verdict == "legal"


def test_an_announcement_without_the_cards_is_proven_later() -> None:
    match = match_of("doppelkopf-schweine", FOUR, "all: gesund")
    assert match.record("Dan: schweine").verdict == "open"
    found = match.record("Ana: AD").findings
    assert [(each.code, each.verdict) for each in found] == [("holdings.announced-held", "illegal")]


# --- bock


def test_bock_deals_to_come_stand_on_the_sheet_and_in_the_state() -> None:
    match = match_of("doppelkopf-bock", FOUR, "result contract=normal re=Ana+Ben points=120")
    match.record("note the next deal")
    assert match.state["bindings"]["counters"] == {"bock": 4}


def test_without_nines_no_trick_is_without_points_so_who_has_all_has_won_all() -> None:
    """Check that 240 points imply all ten tricks, because no trick is worth 0 points."""
    match = Match(load_ruleset("doppelkopf-without-nines"), ["Ana", "Ben", "Cleo", "Dan"])
    ruling = match.record("result contract=normal re=Ana+Ben points=240")
    assert ruling.verdict == "legal"
    assert match.rounds[0].scores is not None
