"""Durak by the French and the Japanese text: the worked example, bouts, sides, draws, the hat."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import Match, read_record, verify_record
from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.rulings import Illegal
from tests.durak_tables import begun, enter, rules
from tests.helpers import match_of

HERE = Path(__file__).parent
SHIPPED = [
    *("durak", "durak-spades", "durak-transfer", "durak-spades-transfer"),
    *("podkidnoy", "podkidnoy-teams"),
]
REPLAY = json.loads((HERE / "cases" / "durak_replays.jsonl").read_text(encoding="utf-8"))
BOUTS = {bout["bout"]: bout for bout in REPLAY["bouts"]}

ENDGAME = """
dealer Z; trump D; talon 0; lead X
hand X: 9S KD QD QC TC
hand Y: 6S AD TD AC KC
hand Z: AS QS 7S AH KH QH 7H JD 7D JC 8C 7C
"""
PLAYED = {
    11: ["X: attack TC", "Y: transfer TD", "cover TC JC", "cover TD JD", "all: pass"],
    12: ["Z: attack 7S 7H 7D 7C", "cover 7S 9S", "cover 7H KD", "cover 7D QD", "cover 7C QC"],
    13: ["attack 6S", "cover 6S QS", "Y: pass"],
    14: ["attack 8C", "cover 8C KC", "Z: attack KH", "cover KH AD", "Z: attack AH", "take"],
    15: ["attack AS", "take", "Z: pass"],
    16: ["attack QH"],
}


def endgame(before: int, entries: int = 0) -> Match:
    """Return the worked example before a bout, or after that many of its entries."""
    match = begun("durak-spades-transfer", "X Y Z", ENDGAME)
    for bout, texts in PLAYED.items():
        if bout < before:
            enter(match, "\n".join(texts))
    return enter(match, "\n".join(PLAYED[before][:entries]))


def bindings(match: Match) -> dict[str, Any]:
    found: dict[str, Any] = match.state["bindings"]
    return found


def roles(match: Match) -> tuple[str, str]:
    return bindings(match)["leader"], bindings(match)["defender"]


def cards(match: Match) -> dict[str, int]:
    return {name: player["cards"] for name, player in match.state["players"].items()}


def codes(match: Match, text: str) -> list[str]:
    """Return the codes of the rules that an entry breaks now."""
    return [finding.code for finding in match.judge(text).findings if finding.verdict == "illegal"]


def sentences(match: Match) -> list[str]:
    """Return the sentences that describe the state of the deal."""
    return [each.text for each in match.ruleset.phases["bouts"].view(match.live_round).sentences()]


def draws(match: Match) -> list[tuple[str, int]]:
    return [(o["who"], o["count"]) for o in match.state["owed"] if o["what"] == "draw"]


def passes(match: Match) -> list[str]:
    return [o["who"] for o in match.state["owed"] if o["what"] == "pass"]


# --- the worked example


@pytest.mark.parametrize("name", ["endgame", "opening", "dispute"])
def test_the_records_have_no_fault(name: str) -> None:
    report = verify_record(HERE / "records" / f"durak_{name}.toml")
    assert report["ok"], report["findings"]
    assert report["findings"] == []


def test_the_record_of_the_endgame_ends_with_its_loser() -> None:
    match = read_record(HERE / "records" / "durak_endgame.toml")
    assert match.scores == {"X": 0, "Y": 1, "Z": 0}
    assert match.standing["dealer"] == 1
    assert bindings(match)["out"] == ["X", "Z"]


@pytest.mark.parametrize("bout", [11, 12, 13, 14, 15, 16])
def test_each_hand_after_each_bout_of_the_worked_example(bout: int) -> None:
    match = endgame(bout, len(PLAYED[bout]))
    for name, hand in BOUTS[bout]["after"].items():
        text = f"hand {name}: {' '.join(hand)}" if hand else f"hand {name}: 0"
        if match.rounds[-1].over:
            assert cards(match)[name] == len(hand)
        else:
            assert match.judge(text).verdict == "legal"


@pytest.mark.parametrize("bout", [12, 13, 14, 15])
def test_who_leads_after_each_bout_of_the_worked_example(bout: int) -> None:
    match = endgame(bout, len(PLAYED[bout]))
    following = BOUTS[bout + 1]
    assert roles(match) == (following["leader"], following["defender"])
    assert match.to_act == [following["leader"]]


@pytest.mark.parametrize(
    ("bout", "entries", "text", "code", "cite", "facts"),
    [
        (15, 1, "Y: cover AS AD", "bouts.beats", "1.2", {"legal": []}),
        (15, 1, "Y: transfer AD", "bouts.room-there", "5.3", {"next": "Z", "cards": 1}),
        (15, 1, "Y: transfer AH", "bouts.room-there", "5.3", {"attacks": 2}),
        (12, 2, "Y: attack 9C", "bouts.room", "1.4", {"limit": 4, "left": 0}),
        (14, 5, "Z: attack AS", "bouts.room", "1.4", {"limit": 3, "attacks": 4}),
        (13, 1, "Z: cover 6S JH", "bouts.beats", "1.2", {"why": "only S covers S"}),
        (14, 4, "Y: take", "bouts.something-open", "1.8", {}),
    ],
)
def test_what_the_worked_example_refuses(
    bout: int, entries: int, text: str, code: str, cite: str, facts: dict[str, Any]
) -> None:
    ruling = endgame(bout, entries).judge(text)
    finding = next(found for found in ruling.findings if found.code == code)
    assert (ruling.verdict, finding.cite) == ("illegal", cite)
    assert facts.items() <= finding.facts.items()
    assert text not in endgame(bout, entries).legal()


def test_a_six_line_file_settles_a_dispute_about_an_unseen_hand() -> None:
    match = begun(
        "durak-spades-transfer",
        "Y Z",
        "trump D; talon 0; lead Y\nhand Y: 6S AC AD KC\nhand Z: 6\nY: attack 6S",
    )
    ruling = match.judge("Z: cover 6S 7D")
    assert ruling.verdict == "illegal"
    assert "only S covers S" in ruling.text
    assert all(text.split()[-1][1] == "S" for text in match.legal() if "cover" in text)
    assert match.judge("Z: cover 6S QS").verdict == "legal"
    assert "bouts.held" in codes(match, "Z: cover 6S AC")


def test_the_opening_with_a_card_that_is_never_named() -> None:
    match = read_record(HERE / "records" / "durak_opening.toml")
    assert cards(match) == {"X": 6, "Y": 6, "Z": 7}
    assert match.state["talon"] == 13
    assert bindings(match)["last_bout"]["draws"] == [["Y", 1]]
    assert "Z has taken; Y draws 1; 13 left in the talon" in match.prompt
    # His sixth card may be any card that is not known to be elsewhere.
    assert match.judge("X: attack 8S").verdict == "legal"
    assert codes(match, "X: attack KS") == ["bouts.held"]


def test_what_lies_in_the_discard_or_under_the_talon_cannot_be_played() -> None:
    match = read_record(HERE / "records" / "durak_opening.toml")
    for card in ("6C", "QD"):
        with pytest.raises(Impossible):
            match.judge(f"X: attack {card}")


# --- bouts, the French way

THREE = "turnup QD; hand X: 6; hand Y: 6; hand Z: 6"


def test_whom_the_game_waits_for_in_a_bout() -> None:
    match = begun("durak", "X Y Z W", "turnup QD")
    assert match.to_act == ["X"]
    assert enter(match, "attack 6C").to_act == ["Y"]
    assert enter(match, "W: attack 6H").to_act == ["Y"]
    assert enter(match, "cover 6C 8C").to_act == ["Y"]
    assert enter(match, "take").to_act == ["X", "Z", "W"]
    assert enter(match, "Z: pass").to_act == ["X", "W"]
    assert passes(match) == ["X", "W"]
    assert enter(match, "X: attack 8S").to_act == ["Y"]
    assert enter(match, "cover 6H 9H; cover 8S 9S").to_act == ["X", "Z", "W"]
    enter(match, "all: pass")
    assert roles(match) == ("Y", "Z")


def test_a_proposal_to_take_stands_until_somebody_adds_a_card() -> None:
    match = begun("durak", "X Y Z", f"{THREE}\nX: attack 6C\nY: take")
    assert codes(match, "Y: cover 6C 7C") == ["bouts.take-stands"]
    assert codes(match, "Y: take") == ["bouts.take-stands"]
    enter(match, "Z: attack 6H")
    assert match.judge("Y: cover 6C 7C").verdict == "legal"
    enter(match, "take; all: pass")
    assert roles(match) == ("Z", "X")
    assert cards(match) == {"X": 6, "Y": 8, "Z": 6}


def test_a_pass_holds_until_a_card_is_laid() -> None:
    match = begun("durak", "X Y Z", f"{THREE}\nX: attack 6C\ncover 6C 7C\nX: pass")
    assert passes(match) == ["Z"]
    assert codes(match, "X: pass") == ["bouts.may-pass"]
    enter(match, "Z: attack 7H; cover 7H 8H")
    assert passes(match) == ["X", "Z"]
    assert match.judge("X: attack 8C").verdict == "legal"


def test_at_the_limit_nobody_need_pass() -> None:
    match = begun("durak", "X Y Z", f"talon 0; trump D; {THREE[11:]}; hand Y: 2")
    enter(match, "attack 6C 6H; cover 6C 7C; cover 6H 7H")
    assert bindings(match)["out"] == ["Y"]
    assert roles(match) == ("Z", "X")
    assert codes(match, "all: pass") == ["turn"]


def test_who_may_not_pass() -> None:
    match = begun("durak", "X Y Z", THREE)
    assert codes(match, "X: pass") == ["bouts.may-pass"]
    enter(match, "attack 6C")
    assert codes(match, "Y: pass") == ["bouts.may-pass"]


def test_refill_goes_by_the_defender_first_and_ends_with_the_turned_card() -> None:
    match = begun("durak", "X Y Z", "turnup QD; talon 3; hand X: 6; hand Y: 6; hand Z: 6")
    enter(match, "attack 6C 6H; cover 6C 7C; cover 6H 7H; all: pass")
    assert bindings(match)["last_bout"]["draws"] == [["Y", 2], ["X", 1]]
    assert cards(match) == {"X": 5, "Y": 6, "Z": 6}
    # The turned-up card is the talon's last: X has it, and the table knows.
    assert draws(match) == [("Y", 2), ("X", 1)]
    assert codes(match, "Y: attack QD") == ["bouts.held"]
    enter(match, "Y: draw AC; Y: draw AS")
    assert draws(match) == [("X", 1)]
    with pytest.raises(Impossible):
        match.judge("Y: draw AH")


def test_a_draw_may_be_named_when_the_card_has_been_played_already() -> None:
    match = begun("durak", "X Y", "turnup QD\nX: attack 6C\ncover 6C 7C\nX: pass")
    assert draws(match) == [("Y", 1), ("X", 1)]
    enter(match, "Y: attack AS; Y: draw AS")
    assert draws(match) == [("X", 1)]


def test_an_attacker_is_out_at_once_and_the_defender_left_alone_loses() -> None:
    match = begun(
        "durak", "X Y Z", "trump D; talon 0; lead X\nhand X: 6C; hand Y: 7C 8C; hand Z: 6H"
    )
    enter(match, "attack 6C")
    assert bindings(match)["out"] == ["X"]
    assert match.judge("cover 6C 7C").verdict == "legal"
    enter(match, "Z: attack 6H")
    assert match.scores == {"X": 0, "Y": 1, "Z": 0}
    assert [row["cover"] for row in match.state["table"]] == [None, None]
    assert match.to_act == ["Z"]
    assert match.standing["dealer"] == 1


def test_whoever_transfers_his_last_card_is_out() -> None:
    match = begun(
        "durak-transfer",
        "X Y Z",
        "trump D; talon 0; lead X\nhand X: 6C 7C; hand Y: 6H; hand Z: 9H 9C 9S",
    )
    enter(match, "attack 6C; transfer 6H")
    assert bindings(match)["out"] == ["Y"]
    assert roles(match) == ("X", "Z")
    assert bindings(match)["left"] == 1


def test_a_transfer_counts_the_cards_of_the_next_player_who_is_in() -> None:
    match = begun("durak-transfer", "X Y Z", f"{THREE}\nX: attack 6C 6H")
    assert match.judge("transfer 6S").verdict == "legal"
    assert codes(match, "transfer 7S") == ["bouts.led-rank"]
    assert codes(match, "transfer 6S 6D") == ["bouts.one-card"]
    enter(match, "cover 6C 7C")
    assert codes(match, "transfer 6S") == ["bouts.before-cover"]


def test_with_two_players_a_transfer_returns_to_the_leader() -> None:
    match = begun("durak-transfer", "X Y", "turnup QD\nX: attack 6C\nY: transfer 6H")
    assert roles(match) == ("X", "X")
    assert match.to_act == ["X"]
    assert bindings(match)["limit"] == 5
    enter(match, "X: take; Y: pass")
    assert roles(match) == ("Y", "X")


def test_where_transfers_come_round_those_attack_who_laid_the_attacks() -> None:
    match = match_of("durak-transfer", ["Ana", "Ben", "Cleo"], "trump S", "lead Ana", "6C")
    match.record("Ben: 6D")
    assert "Ana attacks Cleo with 2 of at most 6 cards" in sentences(match)
    match.record("transfer 6H")
    assert "Ben and Cleo attack Ana with 3 of at most 5 cards" in sentences(match)
    pair = match_of("durak-transfer", ["Ana", "Ben"], "trump S", "lead Ana", "6C", "Ben: 6D")
    assert "Ben attacks Ana with 2 of at most 5 cards" in sentences(pair)


def test_after_a_proposal_and_an_added_card_a_transfer_is_possible_again() -> None:
    match = begun("durak-transfer", "X Y Z", f"{THREE}\nX: attack 6C\ntake")
    assert codes(match, "Y: transfer 6H") == ["bouts.take-stands"]
    enter(match, "Z: attack 6S; transfer 6H")
    assert roles(match) == ("X", "Z")


def test_what_needs_a_name() -> None:
    match = begun("durak", "X Y Z", f"{THREE}\nattack 6C\ncover 6C 7C")
    for text in ("attack 6H", "pass"):
        with pytest.raises(Unreadable):
            match.judge(text)


def test_illegal_plays_that_stand() -> None:
    match = begun("durak", "X Y Z", f"{THREE}\nZ: attack 6C !stands")
    assert roles(match) == ("Z", "X")
    enter(match, "Z: attack 9C !stands; cover 6C 6D !withdrawn; cover 6C 7H !stands; take")
    assert cards(match) == {"X": 5, "Y": 6, "Z": 4}


# --- simultaneous attacks


def test_together_the_leaders_attacks_stay_first() -> None:
    match = begun("durak", "X Y Z", f"talon 0; trump D; {THREE[11:]}; hand Y: 2")
    enter(match, "attack 6C")
    text = "together Z: 6S 6D / X: 6H"
    ruling = match.judge(text)
    assert ruling.verdict == "legal"
    assert ruling.findings[0].facts["kept"] == {"X": ["6H"]}
    assert ruling.findings[0].facts["returned"] == {"Z": ["6S", "6D"]}
    enter(match, text)
    assert cards(match) == {"X": 4, "Y": 2, "Z": 6}
    # The card that went back was seen.
    assert codes(match, "X: attack 6S") == ["bouts.room", "bouts.held"]
    assert codes(match, "Y: attack 6S") == ["bouts.roles", "bouts.room", "bouts.held"]


def test_together_the_last_laid_goes_back_first_and_nobody_with_cards_is_out() -> None:
    facts = "trump D; talon 0; lead X; hand X: 5; hand Y: 2; hand Z: 2"
    match = begun("durak", "X Y Z", f"{facts}\nattack 6C\ntogether Z: 6S 6D")
    assert bindings(match)["out"] == []
    assert [row["attack"] for row in match.state["table"]] == ["6C", "6S"]
    first = begun("durak", "X Y Z", facts, phases={"bouts": {"returns": "first"}})
    enter(first, "attack 6C\ntogether Z: 6S 6D")
    assert [row["attack"] for row in first.state["table"]] == ["6C", "6D"]


def test_together_takes_only_ranks_that_lie_there_and_attackers() -> None:
    match = begun("durak", "X Y Z", THREE)
    assert codes(match, "together X: 6H / Z: 6S") == ["bouts.on-table"]
    enter(match, "attack 6C")
    assert codes(match, "together X: 6H / Z: 7S") == ["bouts.on-table"]
    assert codes(match, "together X: 6H / Y: 6S") == ["bouts.roles"]


def test_together_one_card_at_a_time_stays() -> None:
    match = begun("podkidnoy", "X Y Z", "turnup QD; lead X\nattack 6C\ncover 6C 7C")
    ruling = match.record("together X: 6H / Z: 6S")
    assert ruling.findings[0].facts["returned"] == {"Z": ["6S"]}
    assert [row["attack"] for row in match.state["table"]] == ["6C", "6H"]


# --- spades


def test_a_turned_spade_goes_back_and_another_card_shows_trump() -> None:
    match = begun("durak-spades", "X Y", "")
    assert codes(match, "trump S") == ["bouts.trump-suit"]
    ruling = match.record("turnup 9S")
    assert ruling.verdict == "legal"
    assert "another card is turned" in ruling.text
    assert bindings(match)["trump"] is None
    assert "enter the trump (not S)" in match.prompt
    with pytest.raises(Impossible):
        match.judge("hand X: 9S 6C 7C 8C 9C TC")
    enter(match, "turnup QD")
    assert (bindings(match)["trump"], match.state["talon"]) == ("D", 24)


def test_trump_may_be_said_when_it_first_matters() -> None:
    match = begun("durak", "X Y", "attack 6C")
    assert match.judge("cover 6C 7C").verdict == "legal"
    with pytest.raises(Impossible):
        match.judge("cover 6C 7D")
    assert enter(match, "trump D").judge("cover 6C 7D").verdict == "legal"


# --- the Japanese way


def test_one_card_at_a_time_after_the_answer() -> None:
    match = begun("podkidnoy", "X Y Z", "turnup QD; lead X")
    assert codes(match, "X: attack 6C 6H") == ["bouts.at-once"]
    enter(match, "attack 6C")
    assert codes(match, "Z: attack 6H") == ["bouts.answered"]
    enter(match, "cover 6C 7C")
    assert codes(match, "Z: attack 6H 6S") == ["bouts.at-once"]
    assert match.judge("Z: attack 7H").verdict == "legal"


def test_a_take_ends_the_bout_at_once_and_the_leader_draws_first() -> None:
    match = begun("podkidnoy", "X Y Z", "turnup QD; lead X\nattack 6C\ncover 6C 7C\nZ: attack 7H")
    enter(match, "take")
    assert roles(match) == ("Z", "X")
    assert draws(match) == [("X", 1), ("Z", 1)]
    assert cards(match) == {"X": 6, "Y": 8, "Z": 6}


def test_the_lowest_trump_leads_the_first_deal() -> None:
    hands = [
        "hand A: 6C TH 7D JC QD 9S",
        "hand B: 8H 6D KC TS JD QC",
        "hand C: 7C 8C 9C TC AC 6S",
    ]
    match = begun("podkidnoy", "A B C", f"turnup 6H\n{hands[0]}\n{hands[1]}\n{hands[2]}")
    assert match.to_act == ["B"]
    assert codes(match, "A: attack 6C") == ["turn"]
    enter(match, "result loser=C")
    enter(match, "turnup 6H")
    assert match.to_act == ["A"]


def test_nobody_has_a_trump() -> None:
    facts = "turnup 6H\nhand A: 6C TD 7D JC QD 9S\nhand B: 8D 6D KC TS JD QC"
    assert begun("podkidnoy", "A B", facts).to_act == ["A"]
    other = begun("podkidnoy", "A B", facts, phases={"bouts": {"leads": ["lowest", "dealer"]}})
    assert other.to_act == ["B"]


def test_with_hidden_hands_the_table_says_who_leads_first() -> None:
    match = begun("podkidnoy", "A B C", "turnup QH")
    assert match.to_act == ["A", "B", "C"]
    assert "lead NAME" in match.prompt
    enter(match, "lead B")
    assert match.to_act == ["B"]
    enter(match, "attack 7C; cover 7C 8C")
    ruling = match.record("A: pass")
    assert ruling.findings == ()
    # No player has a lower trump, so B was wrong, but nothing is undone.
    remark = begun("podkidnoy", "A B C", "turnup QH; lead B\nattack 7C").record("cover 7C 6H")
    assert remark.verdict == "legal"
    assert remark.findings[0].code == "bouts.lowest-leads"
    assert remark.findings[0].facts["holder"] == "C"


def test_no_one_is_accused_of_a_trump_that_may_have_been_drawn() -> None:
    match = begun("podkidnoy", "A B", "turnup QH; lead B\nattack 7C\ncover 7C 8C\nB: pass")
    assert match.record("attack 6H").findings == ()


def test_an_attacker_goes_out_when_the_bout_is_over() -> None:
    facts = "trump D; talon 0; lead X\nhand X: 6C; hand Y: 7C; hand Z: 9H 9S"
    match = begun("podkidnoy", "X Y Z", f"{facts}\nattack 6C")
    assert bindings(match)["out"] == []
    enter(match, "cover 6C 7C")
    assert bindings(match)["out"] == ["X", "Y"]
    assert bindings(match)["losers"] == ["Z"]


@pytest.mark.parametrize(("key", "losers"), [("draw", []), ("defender", ["Y"]), ("leader", ["X"])])
def test_nobody_has_cards_left(key: str, losers: list[str]) -> None:
    facts = "trump D; talon 0; lead X\nhand X: 6C; hand Y: 7C"
    match = begun("podkidnoy", "X Y", facts, phases={"bouts": {"nobody": key}})
    enter(match, "attack 6C; cover 6C 7C")
    assert match.rounds[-1].over
    assert bindings(match)["losers"] == losers
    assert match.scores == {"X": int("X" in losers), "Y": int("Y" in losers)}
    if not losers:
        assert match.standing["dealer"] == 1
        assert match.to_act == ["X"]


def test_six_players_have_no_talon_and_the_dealer_holds_the_trump_that_was_shown() -> None:
    names = "A B C D E F"
    match = begun("podkidnoy", names, "turnup 6D")
    assert match.state["talon"] == 0
    assert match.to_act == ["F"]
    assert codes(match, "F: attack 6D") == []
    nobody = begun("podkidnoy", names, "lead A; turnup 6D", deal={"turned": {"holder": "nobody"}})
    assert codes(nobody, "A: attack 6D") == []
    assert codes(begun("podkidnoy", names, "lead A; turnup 6D"), "A: attack 6D") == ["bouts.held"]


def test_the_hat_rule() -> None:
    match = begun("podkidnoy", "A B C D", "touch B")
    assert match.current_round.seating.dealer == 1
    enter(match, "touch D")
    assert match.current_round.seating.dealer == 3
    enter(match, "touch A; dealer B; touch C")
    assert match.current_round.seating.dealer == 2
    enter(match, "turnup QH")
    with pytest.raises(Impossible):
        match.judge("touch A")
    first = begun("podkidnoy", "A B C", "touch A; touch B", phases={"bouts": {"touch": "first"}})
    assert first.current_round.seating.dealer == 0
    with pytest.raises(Impossible):
        begun("durak", "A B", "touch A")


# --- teams


# Leader, defender and eliminated players before the bout; then leader and defender after a success
# and after a failure.
ROTATION = [
    ("A B C D", "A", "B", "", ("B", "C"), ("C", "D")),
    ("A B C D", "B", "C", "", ("C", "D"), ("D", "A")),
    ("A B C D", "D", "A", "", ("A", "B"), ("B", "C")),
    ("A B C D", "A", "B", "C", ("B", "A"), ("A", "D")),
    ("A B C D", "A", "B", "D", ("B", "C"), ("C", "B")),
    ("A B C D", "A", "D", "B", ("D", "C"), ("C", "D")),
    ("A B C D", "A", "B", "C D", ("B", "A"), ("A", "B")),
    ("A B C D E F", "A", "B", "", ("B", "C"), ("C", "D")),
    ("A B C D E F", "F", "A", "", ("A", "B"), ("B", "C")),
    ("A B C D E F", "A", "B", "C", ("B", "E"), ("E", "D")),
    ("A B C D E F", "A", "B", "D", ("B", "C"), ("C", "F")),
    ("A B C D E F", "A", "B", "C E", ("B", "A"), ("A", "D")),
    ("A B C D E F", "E", "F", "A D", ("F", "C"), ("C", "B")),
    ("A B C D E F", "C", "D", "E F", ("D", "A"), ("A", "B")),
]


def team_bout(players: str, leader: str, defender: str, out: str, act: str) -> Match:
    """Return a bout of a team deal in its last phase, between players who may not be neighbours."""
    hands = {name: 0 if name in out.split() else 4 for name in players.split()}
    facts = [f"hand {name}: {count}" for name, count in hands.items()]
    match = begun("podkidnoy-teams", players, "\n".join(["trump D; talon 0", *facts]))
    enter(match, f"lead {leader}")
    assert roles(match) == (leader, defender)
    return enter(match, f"attack 6C; {act}")


@pytest.mark.parametrize(("players", "leader", "defender", "out", "won", "lost"), ROTATION)
def test_the_rotation_of_teams_with_players_out(
    players: str,
    leader: str,
    defender: str,
    out: str,
    won: tuple[str, str],
    lost: tuple[str, str],
) -> None:
    covered = team_bout(players, leader, defender, out, "cover 6C 7C; all: pass")
    assert roles(covered) == won
    taken = team_bout(players, leader, defender, out, "take")
    assert roles(taken) == lost


def test_nobody_leads_against_a_partner_though_an_attack_went_on_to_one() -> None:
    facts = (
        "talon 0; trump C; lead Ana; hand Ana: 7D 8D; hand Ben: 7H 9S JS; hand Cleo: KH QH AS;"
        " hand Dan: TH QS"
    )
    match = begun("podkidnoy-teams", "Ana Ben Cleo Dan", facts)
    enter(match, "Ana: attack 7D; Ben: transfer 7H !stands")
    assert roles(match) == ("Ana", "Cleo")
    taken = begun("podkidnoy-teams", "Ana Ben Cleo Dan", facts)
    enter(taken, "Ana: attack 7D; Ben: transfer 7H !stands; Cleo: take")
    assert roles(taken) == ("Cleo", "Dan")
    enter(match, "Cleo: cover 7D QH !stands; Cleo: cover 7H KH; all: pass")
    assert roles(match) == ("Cleo", "Dan")


@pytest.mark.parametrize(
    ("last", "out", "act", "next_bout"),
    [
        ("A", "D", "take", ("B", "C")),  # The leader goes out after the partner.
        ("A", "D", "cover 6C 7C; all: pass", ("B", "C")),
        ("B", "E", "cover 6C 7C", ("C", "D")),  # the defender does
        ("A", "", "take", ("D", "E")),
    ],
)
def test_of_three_sides_the_others_play_on_when_one_is_out(
    last: str, out: str, act: str, next_bout: tuple[str, str]
) -> None:
    six = {"least": 6, "counts": [6]}
    match = Match(rules("podkidnoy-teams", sides={"number": 3}, players=six), [*"ABCDEF"])
    hands = dict.fromkeys("ABCDEF", 4) | {last: 1} | dict.fromkeys(out, 0)
    enter(match, "\n".join(f"hand {name}: {count}" for name, count in hands.items()))
    enter(match, f"trump D; talon 0; lead A; attack 6C; {act}")
    assert roles(match) == next_bout
    assert match.to_act == [next_bout[0]]


def test_only_the_leaders_side_attacks() -> None:
    match = begun("podkidnoy-teams", "A B C D", "turnup QD; lead A\nattack 6C\ncover 6C 7C")
    assert match.to_act == ["A", "C"]
    assert codes(match, "D: attack 7H") == ["turn"]
    assert match.judge("C: attack 7H").verdict == "legal"
    assert match.state["sides"] == {"A+C": ["A", "C"], "B+D": ["B", "D"]}


def test_a_defender_who_is_out_leaves_the_lead_to_the_next_of_his_side() -> None:
    facts = "trump D; talon 0; hand A: 3; hand B: 1; hand C: 3; hand D: 3; lead A"
    match = begun("podkidnoy-teams", "A B C D", f"{facts}\nattack 6C\ncover 6C 7C")
    assert roles(match) == ("D", "C")
    table = begun("podkidnoy-teams", "A B C D", facts, phases={"bouts": {"heir": "table"}})
    assert roles(enter(table, "attack 6C; cover 6C 7C")) == ("C", "D")


def test_a_side_without_cards_has_won() -> None:
    facts = "trump D; talon 0; hand A: 1; hand B: 3; hand C: 0; hand D: 3; lead A"
    match = begun("podkidnoy-teams", "A B C D", f"{facts}\nattack 6C")
    assert not match.rounds[-1].over
    enter(match, "take")
    assert match.scores == {"A": 0, "B": 1, "C": 0, "D": 1}
    assert match.rounds[-1].lines[0].to == "B+D"
    # Any of the losing side deals next.
    assert match.current_round.seating.dealer == 1
    assert enter(match, "dealer D").current_round.seating.dealer == 3


def test_both_sides_without_cards_make_a_draw() -> None:
    facts = "trump D; talon 0; hand A: 1; hand B: 1; hand C: 0; hand D: 0; lead A"
    match = begun("podkidnoy-teams", "A B C D", f"{facts}\nattack 6C\ncover 6C 7C")
    assert match.rounds[-1].over
    assert set(match.scores.values()) == {0}


# --- deals and matches


def test_results_and_who_deals_next() -> None:
    match = begun("podkidnoy", "X Y Z", "result loser=Y")
    assert match.scores == {"X": 0, "Y": 1, "Z": 0}
    assert (match.current_round.seating.dealer, match.to_act) == (1, ["Z"])
    enter(match, "result draw")
    assert (match.current_round.seating.dealer, match.to_act) == (1, ["Z"])
    enter(match, "void the pack was short")
    assert (match.current_round.seating.dealer, match.to_act) == (1, ["Z"])
    assert match.rounds[-1].scores == {"X": 0, "Y": 0, "Z": 0}
    for text in ("result", "result loser=W", "result draw=yes", "result winner=X"):
        with pytest.raises(Unreadable):
            match.judge(text)


def test_after_a_draw_the_next_may_deal() -> None:
    match = begun("podkidnoy", "X Y Z", "result draw", deal={"after_void": "next"})
    assert match.current_round.seating.dealer == 0


def test_a_result_may_close_a_deal_that_was_begun() -> None:
    match = endgame(13)
    with pytest.raises(Impossible):
        match.judge("result loser=X")
    assert enter(match, "result loser=Z").scores == {"X": 0, "Y": 0, "Z": 1}


def test_a_team_loses_together_even_those_who_are_out() -> None:
    match = begun("podkidnoy-teams", "A B C D", "result loser=C")
    assert match.scores == {"A": 1, "B": 0, "C": 1, "D": 0}
    assert match.current_round.seating.dealer == 2


def test_the_match_ends_after_so_many_deals_or_losses() -> None:
    deals = begun("podkidnoy", "X Y", "result loser=X; void why", match={"ends": "deals >= 2"})
    assert not deals.over
    enter(deals, "result draw")
    assert deals.over
    assert deals.winners == ["Y"]
    losses = begun("durak", "X Y", "result loser=X", match={"ends": "tally.most > 1"})
    assert not losses.over
    enter(losses, "result loser=X")
    assert losses.over
    assert not begun("durak", "X Y", "result loser=X\n" * 9).over


def test_positions_win_over_what_was_expected_and_the_counts_are_checked() -> None:
    match = begun("durak", "X Y Z", "talon 0; trump D; hand X: 4; hand Y: 0; hand Z: 3; lead X")
    assert match.state["players"]["Y"]["out"]
    assert roles(match) == ("X", "Z")
    enter(match, "attack 6C")
    with pytest.raises(Impossible):
        match.judge("talon 3")
    with pytest.raises(Impossible):
        match.judge("hand X: 4")
    with pytest.raises(Impossible):
        match.judge("turnup QD")
    too_many = begun("durak", "X Y", "talon 30; trump D")
    with pytest.raises(Impossible):
        too_many.judge("attack 6C")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("X: entame 6♣", "X: attack 6C"),
        ("x: attaque d♦", "X: attack QD"),
        ("X: 攻撃 10h", "X: attack TH"),
        ("together x: 6h /z: 6s 6d", "together X: 6H / Z: 6S 6D"),
        ("retourne R♦", "turnup KD"),
        ("y: ramasse", "Y: take"),
        ("tous: c'est bon", "all: pass"),
    ],
)
def test_words_of_both_texts(text: str, canonical: str) -> None:
    match = Match(rules("durak"), ["X", "Y", "Z"])
    assert match.notation.read(text).text == canonical


@pytest.mark.parametrize("name", SHIPPED)
def test_every_key_of_the_bouts_may_be_mixed(name: str) -> None:
    options = {
        "limit": "now",
        "at_once": 2,
        "adders": "neighbours",
        "out": "after",
        "take": "at-once",
        "refill": ["leader", "defender", "others"],
        "foremost": "transferrer",
    }
    match = Match(rules(name, phases={"bouts": options}), ["A", "B", "C", "D"])
    enter(match, "trump D; lead A; attack 6C; cover 6C 7C; all: pass")
    assert roles(match)[0] == "B"


def test_limits_by_the_hand_of_the_moment() -> None:
    match = begun("durak", "X Y Z", "turnup QD", phases={"bouts": {"limit": "now"}})
    enter(match, "attack 6C 6H; cover 6C 7C; cover 6H 7H; X: attack 6S 6D")
    assert bindings(match)["left"] == 0
    assert codes(match, "Z: attack 7S") == ["bouts.room"]


def test_the_defenders_neighbours_alone_may_add() -> None:
    match = begun("durak", "A B C D", "turnup QD", phases={"bouts": {"adders": "neighbours"}})
    enter(match, "attack 6C; cover 6C 7C")
    assert match.to_act == ["A", "C"]
    leader = begun("durak", "A B C D", "turnup QD", phases={"bouts": {"adders": "leader"}})
    enter(leader, "attack 6C; cover 6C 7C")
    assert leader.to_act == ["A"]


def test_the_transferrer_may_be_the_first_attacker() -> None:
    match = begun("durak-transfer", "X Y Z", THREE, phases={"bouts": {"foremost": "transferrer"}})
    assert roles(enter(match, "attack 6C; transfer 6H")) == ("Y", "Z")


def test_a_clause_may_be_dropped_or_softened() -> None:
    match = begun("durak", "X Y", "turnup QD", phases={"bouts": {"something-open": False}})
    enter(match, "attack 6C; cover 6C 7C; take; X: pass")
    assert cards(match) == {"X": 6, "Y": 7}
    soft = begun("durak", "X Y", "turnup QD", severity="club")
    assert soft.record("attack 6C 7H").verdict == "illegal"
    with pytest.raises(Illegal):
        begun("durak", "X Y", "turnup QD; hand X: 6C 7C 8C 9C TC JC", severity="club").record(
            "attack 6H"
        )


def test_the_referee_says_what_is_owed_in_order() -> None:
    match = begun("durak", "X Y Z", f"{THREE}\nattack 6C 6H\ncover 6C 7C; cover 6H 8H\nall: pass")
    assert draws(match) == [("Y", 2), ("X", 2)]
    assert match.prompt == (
        "Y has covered everything; Y draws 2; X draws 2; 14 left in the talon;"
        " Y leads against Z, at most 6 attacks"
    )
    assert bindings(match)["left"] == 6
    enter(match, "attack 9C; take")
    assert match.prompt == "Z takes; Y and X may add up to 5 cards, or enter pass"


def test_larger_sets_are_listed_once() -> None:
    match = begun("durak", "X Y", "turnup QD; hand X: 6C 6D 6H 6S 7C 8C; lead X")
    legal = match.legal()
    cards = ["6C", "6D", "6H", "6S", "7C", "8C", "…"]
    assert sorted(legal) == [f"X: attack {card}" for card in cards]
    legal = begun("durak", "X Y", "turnup QD; hand X: 6C 7C; lead X").legal()
    assert legal == ["X: attack 7C", "X: attack 6C"]
