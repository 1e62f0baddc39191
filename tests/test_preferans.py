"""Preferans: the auction up to the whist, the sheet of three columns, misère, all pass, half-whist,
and the fourth player."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import Failure, Illegal, Impossible, Match, load_ruleset

CASES = Path(__file__).parent / "cases" / "preferans.jsonl"
THREE, FOUR = ["Ana", "Ben", "Cleo"], ["Ana", "Ben", "Cleo", "Dan"]
TAKEN = ["kitty AH TC", "Ana: take", "Ana: bury 2"]
# Ana takes no trick, Ben the first and Cleo the others.
LAID = """KS AS QS / Ben: 9S JS TS / Cleo: AD 7D 8D / Cleo: KD 9D TD / Cleo: QD JD 7C
/ Cleo: AC 8C 9C / Cleo: KC JC QC / Cleo: KH 7H 8H / Cleo: QH 9H TH / Cleo: JH 7S 8S"""


def deals() -> list[Any]:
    lines = CASES.read_text("utf-8").splitlines()
    return [pytest.param(json.loads(line), id=str(n)) for n, line in enumerate(lines, 1)]


def table(*entries: str, players: list[str] = THREE, **options: Any) -> Match:
    """Return a match in which these entries were recorded."""
    match = Match(load_ruleset("preferans", **options), players)
    for text in entries:
        match.record(text)
    return match


def play(match: Match, tricks: str) -> None:
    """Record the cards of tricks, each with its leader unless Ana leads."""
    for trick in tricks.split("/"):
        for text in match.notation.split_line(trick.strip()):
            match.record(text)


def refusal(match: Match, text: str) -> tuple[str, str]:
    """Return the paragraph and the reason with which an entry is refused."""
    with pytest.raises(Illegal) as caught:
        match.record(text)
    found = next(f for f in caught.value.ruling.findings if f.verdict == "illegal")
    return found.cite, found.reason


def sheet(match: Match) -> dict[str, list[int]]:
    """Return each player's pool, dump and whists."""
    counters = match.state["bindings"]["counters"]
    return {who: [counters[key][who] for key in ("pool", "dump", "whists")] for who in match.scores}


@pytest.mark.parametrize("case", deals())
def test_a_deal_with_its_auction_fills_the_three_columns(case: dict[str, Any]) -> None:
    match, facts = Match(load_ruleset("preferans"), case["players"]), case["facts"]
    who = facts["declarer"]
    for text in case["setup"]:
        match.record(text)
    while match.state["phase"] == "auction":
        match.record("bid 6S" if match.to_act == [who] else "pass")
    match.record(f"talon {' '.join(facts['talon'])}")
    for text in (f"{who}: take", f"{who}: bury {' '.join(facts['discards'])}"):
        match.record(text)
    match.record(f"{who}: {facts['contract']}")
    for each, word in facts["whist"].items():
        assert match.to_act == [each]
        match.record(f"{each}: {word}")
    for each, card, *_ in case["plays"]:
        assert match.record(f"{each}: {card}").verdict == "legal"
    assert match.scores == case["scores"]
    assert sheet(match) == {
        each: [row["pool"], row["dump"], row["whists"]] for each, row in facts["sheet"].items()
    }


def test_suits_rise_from_spades_to_hearts_and_misere_is_between_eight_and_nine() -> None:
    bids = ["6S", "6C", "6D", "6H", "6NT", "7S", "8NT", "misère", "9S", "10NT"]
    for lower, higher in pairwise(bids):
        match = table(f"Ana: bid {lower}")
        assert match.judge(f"Ben: bid {higher}").verdict == "legal", higher
        assert refusal(match, f"Ben: bid {lower}")[0] == "1.6"


def test_the_declarer_names_the_bid_or_more_after_the_talon() -> None:
    match = table("Ana: 7D", "pass", "pass")
    assert refusal(match, "Ana: 7D")[1].startswith("that is not possible now")
    for text in TAKEN:
        match.record(text)
    for lower in ("Ana: 7C", "Ana: 6NT"):
        assert refusal(match, lower) == (
            "1.8",
            "Ana has bid 7D, and must name that or more: 7D, 7H, 7NT, 8S, …",
        )
    assert refusal(match, "Ana: misere")[0] == "6.1"
    assert match.record("Ana: 8S").entry == "Ana: name 8S"
    assert match.to_act == ["Ben"]


def test_misere_is_a_first_bid() -> None:
    assert table("Ana: 6S", "Ben: misere").judge("Cleo: 9S").verdict == "legal"
    match = table("Ana: 6S", "Ben: 6C", "pass")
    assert refusal(match, "Ana: misere") == (
        "6.1",
        "misère is only a player's first bid, and is not named after the talon",
    )


def test_nobody_whists_misere_and_each_trick_costs_ten() -> None:
    match = table("Ana: misere", "pass", "pass", *TAKEN)
    assert (match.state["phase"], match.to_act) == ("tricks", ["Ana"])
    play(match, LAID)
    assert match.scores == {"Ana": 200, "Ben": -100, "Cleo": -100}
    assert sheet(match)["Ana"] == [10, 0, 0]
    match = table("pass", "Ben: misere", "pass", *(t.replace("Ana", "Ben") for t in TAKEN))
    play(match, LAID)
    assert match.scores == {"Ana": 100, "Ben": -200, "Cleo": 100}
    assert sheet(match)["Ben"] == [0, 10, 0]


def test_when_all_pass_each_trick_costs_one_and_none_earns_one() -> None:
    match = table("pass", "pass", "pass")
    play(match, LAID)
    assert sheet(match) == {"Ana": [1, 0, 0], "Ben": [0, 1, 0], "Cleo": [0, 9, 0]}
    assert match.scores == {"Ana": 120, "Ben": 60, "Cleo": -180}
    void: dict[str, Any] = {"phases.auction.nobody": "next"}
    assert table("pass", "pass", "pass", **void).rounds[0].over


def test_a_price_may_rise_while_all_pass() -> None:
    rising: dict[str, Any] = {"let.price": "min(3, 1 + all-passes)"}
    match, dumps = table(**rising), []
    for leader in ("Ana", "Ben", "Cleo", "Ana"):
        for _ in THREE:
            match.record("pass")
        order = THREE[THREE.index(leader) :] + THREE[: THREE.index(leader)]
        cards = [part.split(":")[-1].split() for part in LAID.replace("\n", " ").split("/")]
        seat = 0
        winners = [1, *[2] * 9]
        for trick, winner in zip(cards, winners, strict=True):
            for place, card in enumerate(trick):
                match.record(f"{order[(seat + place) % 3]}: {card}")
            seat = winner
        dumps.append(sum(row[1] for row in sheet(match).values()))
    assert dumps == [10, 30, 60, 90]


def test_the_defender_after_the_declarer_speaks_first() -> None:
    match = table("pass", "Ben: 7H", "pass", *(t.replace("Ana", "Ben") for t in TAKEN), "Ben: 7H")
    assert match.prompt == "Cleo says whist or pass"
    assert refusal(match, "Ana: whist")[0] == "1.3"
    assert refusal(match, "Cleo: half") == (
        "2.2",
        "“half” is not possible for Cleo now; possible: whist or pass",
    )
    match.record("Cleo: pass")
    assert refusal(match, "Cleo: open")[0] == "2.1"
    match.record("Ana: whist")
    for other in ("Ben: open", "Cleo: open"):
        assert refusal(match, other)[0] == "2.1"
    assert match.record("Ana: open").verdict == "legal"
    match.record("Ana: AS")
    assert match.to_act == ["Ben"]


def test_two_whisters_open_no_hands_and_neither_does_a_late_one() -> None:
    told = ["contract Ana: 6S", *TAKEN]
    match = table(*told, "Ben: whist", "Cleo: whist")
    assert refusal(match, "Ben: open")[0] == "2.1"
    match = table(*told, "Ben: whist", "Cleo: pass", "Ana: AS")
    assert refusal(match, "Ben: open")[0] == "2.1"


HALF: dict[str, Any] = {"let.half_whist": "true"}


@pytest.mark.parametrize(
    ("contract", "scores", "columns"),
    [
        ("6D", {"Ana": 40 - 12, "Ben": -20, "Cleo": -20 + 12}, [0, 0, 4]),
        ("7D", {"Ana": 80 - 12, "Ben": -40, "Cleo": -40 + 12}, [0, 0, 4]),
    ],
)
def test_half_whist_is_half_of_what_the_defence_owes(
    contract: str, scores: dict[str, int], columns: list[int]
) -> None:
    match = table(f"contract Ana: {contract}", *TAKEN, "Ben: pass", "Cleo: half", **HALF)
    assert match.prompt == "Ben says whist or pass"
    match.record("Ben: pass")
    assert match.scores == scores
    assert sheet(match)["Cleo"] == columns


def test_half_whist_is_no_answer_to_whist_or_to_an_eight_and_whist_takes_it_back() -> None:
    match = table("contract Ana: 7D", *TAKEN, "Ben: whist", **HALF)
    assert refusal(match, "Cleo: half")[0] == "2.2"
    match = table("contract Ana: 8D", *TAKEN, "Ben: pass", **HALF)
    assert refusal(match, "Cleo: half")[0] == "2.2"
    match = table("contract Ana: 7D", *TAKEN, "Ben: pass", "Cleo: half", "Ben: whist", **HALF)
    assert match.state["phase"] == "tricks"
    play(match, LAID)
    # Ben whists alone: ten tricks at 4, and Ana lacks seven.
    assert sheet(match) == {"Ana": [0, 28, 0], "Ben": [0, 0, 28 + 40], "Cleo": [0, 0, 28]}


def test_six_spades_may_have_to_be_whisted() -> None:
    stalingrad: dict[str, Any] = {
        "phases.say.words.pass": "contract.number > 6 or not contract.spades"
    }
    match = table("contract Ana: 6S", *TAKEN, **stalingrad)
    assert refusal(match, "Ben: pass")[1] == ("“pass” is not possible for Ben now; possible: whist")
    assert table("contract Ana: 6C", *TAKEN, **stalingrad).judge("Ben: pass").verdict == "legal"


def test_the_dealer_of_four_sits_out_and_writes_only_where_a_contract_fails() -> None:
    match = table("contract Ana: 6S", *TAKEN, "Ben: pass", "Cleo: pass", players=FOUR)
    assert match.scores == {"Ana": 60, "Ben": -20, "Cleo": -20, "Dan": -20}
    assert match.to_act == ["Ben"]
    match = table("contract Ana: 6NT", *TAKEN, "Ben: whist", "Cleo: pass", players=FOUR)
    play(match, LAID)
    assert sheet(match) == {
        "Ana": [0, 12, 0],
        "Ben": [0, 0, 12 + 20],
        "Cleo": [0, 0, 12],
        "Dan": [0, 0, 12],
    }
    # The balance of these columns: 12 of Ana's dump are 360 off, and 56 whists are 224.
    assert match.scores == {"Ana": -584, "Ben": 248, "Cleo": 168, "Dan": 168}
    assert sum(match.scores.values()) == 0


def test_the_dealer_of_four_has_no_share_when_all_pass() -> None:
    match = table("pass", "pass", "pass", players=FOUR)
    play(match, LAID)
    assert sheet(match) == {
        "Ana": [1, 0, 0],
        "Ben": [0, 1, 0],
        "Cleo": [0, 9, 0],
        "Dan": [0, 0, 0],
    }
    assert match.scores == {"Ana": 130, "Ben": 50, "Cleo": -270, "Dan": 90}


def test_the_match_ends_when_the_pools_are_full() -> None:
    small: dict[str, Any] = {"let.pool_size": "6"}
    match = table(**small)
    for who, deal in zip((*THREE, "Ana"), ("10NT", "7S", "6S", "6S"), strict=True):
        assert not match.over
        others = THREE[THREE.index(who) + 1 :] + THREE[: THREE.index(who)]
        told = [f"contract {who}: {deal}", *(text.replace("Ana", who) for text in TAKEN)]
        for text in (*told, *(f"{each}: pass" for each in others)):
            match.record(text)
    assert match.over
    assert match.winners == ["Ana"]


def test_a_result_of_misere_has_no_whister() -> None:
    assert table("misere Ana 0").scores == {"Ana": 200, "Ben": -100, "Cleo": -100}
    with pytest.raises(Impossible, match="Ben chooses no word in this deal"):
        table("misere Ana 0 whist Ben")


def test_only_what_a_table_may_say_is_read() -> None:
    match = table("Ana: 6S")
    for text in ("Ben: 11S", "Ben: 5S", "Ben: 7", "Ben: whist", "Ben: 7X", "Ben: all-pass"):
        with pytest.raises(Failure):
            match.record(text)
