"""Small words of the rule language: for each one a small ruleset that needs it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Illegal, Impossible, Match, Unreadable, load_ruleset
from scorekeeper.engine.loading import check
from scorekeeper.render.rules_page import pack_facts

if TYPE_CHECKING:
    from collections.abc import Callable

    Rules = Callable[[str], Path]
    Faults = Callable[[str], list[str]]

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
# Four players with two cards each; each test adds what it is about.
FOUR = """
name    = "small-words"
title   = "Small words"
rules   = "fixed-trump"
[players]
counts  = [4]
[tally]
name    = "points"
"""
PACK = """
[pack]
ranks   = "A K Q J"
"""
BIDS = """
[contracts]
hearts  = "H"
spades  = "S"
[orders]
trump   = ["*{trump}"]
"""


@pytest.fixture
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Faults:
    """Return a function that returns the messages of a ruleset's faults."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))
    path = tmp_path / "small-words.toml"

    def found(text: str) -> list[str]:
        path.write_text(text, encoding="utf-8")
        return [fault.message for fault in check(str(path))[2]]

    return found


@pytest.fixture
def rules(tmp_path: Path, faults: Faults) -> Rules:
    """Return a function that writes a ruleset without faults, and returns its path."""

    def write(text: str) -> Path:
        assert faults(text) == []
        return tmp_path / "small-words.toml"

    return write


def table(path: Path, *entries: str, players: int = 4, **options: object) -> Match:
    """Return a match in which these entries were recorded in order."""
    match = Match(load_ruleset(path, **options), NAMES[:players])
    for text in entries:
        match.record(text)
    return match


def refused(match: Match, text: str) -> str:
    """Return the sentence of the finding that refuses an entry."""
    with pytest.raises(Illegal) as caught:
        match.record(text)
    return next(f.reason for f in caught.value.ruling.findings if f.verdict == "illegal")


# --- a phase ends under a condition

ENDED = f"""{FOUR}
{PACK}
{BIDS}
[deal]
dealt   = true
cards   = 4
[phases.auction]
bids    = "1..3 contracts"
doubles = {{ double = "2.1" }}
passing = "open"
ends    = "auction.doubled == 1 or auction.bid == 3"
cite    = "2.1"
[phases.tricks]
order   = "trump"
ends    = "auction.bid == 3 or announced.couple"
cite    = "2.1"
counted = {{ most = "tricks", cite = "3.1" }}
[calls]
cite    = "2.1"
couple  = {{ cards = ["K{{trump}}", "Q{{trump}}"] }}
[scores]
played  = {{ for = "each", points = "own.tricks", cite = "3.1" }}
couple  = {{ for = "each", points = "20 * own.couple", cite = "3.1" }}
"""


def test_an_auction_ends_by_its_condition_after_an_entry(rules: Rules) -> None:
    match = table(rules(ENDED), "Ana: bid 1 hearts", "Ben: bid 2 hearts")
    assert match.state["phase"] == "auction"
    match.record("Cleo: double")
    assert match.state["phase"] == "tricks"
    assert match.state["bindings"]["declarer"] == "Ben"


def test_a_phase_whose_condition_holds_when_it_would_begin_is_left_at_once(rules: Rules) -> None:
    match = table(rules(ENDED), "Ana: bid 3 spades")
    assert match.is_round_over
    assert match.scores == dict.fromkeys(NAMES, 0)


def test_play_ends_by_an_entry_that_is_not_a_card(rules: Rules) -> None:
    match = table(rules(ENDED), *["Ana: bid 1 hearts", "Ben: double", "Ana: AS", "Ben: JS"])
    assert not match.is_round_over
    match.record("Cleo: announce couple")
    assert match.is_round_over
    assert match.scores == {"Ana": 0, "Ben": 0, "Cleo": 20, "Dan": 0}


def test_what_runs_all_the_time_has_no_end(faults: Faults) -> None:
    found = faults(ENDED.replace("[calls]\n", "[calls]\nends = true\n", 1))
    assert found[:1] == ["calls.ends is not a key of a ruleset"]


def test_an_auction_of_wishes_ends_by_its_condition(rules: Rules) -> None:
    path = rules(
        """
extends = "doppelkopf"
name    = "small-words"
title   = "The ordinary game first"
[phases.auction]
ends    = "deals < 1"
"""
    )
    match = Match(load_ruleset(path), NAMES)
    assert match.state["phase"] == "tricks"
    assert match.state["bindings"]["contract"] == "normal"
    match.record("121 re=Ana+Ben")
    assert match.is_round_over
    assert match.prompt != ""
    match.record("Ben: ordinary")
    assert match.state["phase"] == "auction"


# --- an auction in which nobody can bid

ORDINARY = f"""{FOUR}
{PACK}
{BIDS}
[deal]
dealt = true
cards = 4
[contracts.ordinary]
when   = false
order  = "trump"
trump  = "C"
[phases.auction]
bids   = "contracts"
nobody = "ordinary"
cite   = "2.1"
[phases.tricks]
order  = "trump"
cite   = "2.1"
"""
UNBID = ORDINARY.replace('"H"', '{ trump = "H", when = "rounds > 1" }').replace(
    '"S"', '{ trump = "S", when = "rounds > 1" }'
)


def test_an_auction_in_which_nobody_can_bid_is_passed_at_once(rules: Rules) -> None:
    path = rules(UNBID)
    match = table(path)
    assert match.state["phase"] == "tricks"
    assert match.state["bindings"]["contract"] == "ordinary"
    with pytest.raises(Illegal):
        match.record("Dan: pass")
    for text in ("Ana: pass", "pass", "Cleo: pass", "pass", "Ana: AS"):
        match.record(text)
    assert match.to_act == ["Ben"]
    with pytest.raises(Illegal):
        match.record("Ana: pass")


def test_an_auction_in_which_somebody_could_bid_waits_for_their_pass(rules: Rules) -> None:
    match = table(rules(ORDINARY), "Ana: pass", "Ben: pass", "Cleo: pass")
    assert match.state["phase"] == "auction"
    match.record("Dan: pass")
    assert match.state["bindings"]["contract"] == "ordinary"


def test_a_row_for_a_word_that_doubles_belongs_to_the_auction(rules: Rules) -> None:
    row = '[clauses]\nonce = { on = "double", must = "auction.bid > 1", cite = "2.1" }\n'
    match = table(rules(ENDED + row), "Ana: bid 1 hearts")
    assert refused(match, "Ben: double") == "Ben may not do that"


# --- who declares

BRIDGE = f"""{FOUR}
{PACK}
{BIDS}
[deal]
dealt  = true
cards  = 4
[sides]
number = 2
[phases.auction]
bids     = "1..3 contracts"
ranks    = ["spades", "hearts"]
declares = "first"
cite     = "2.1"
[phases.tricks]
order  = "trump"
cite   = "2.1"
"""
BIDDING = ["Ana: bid 1 hearts", "Ben: bid 1 spades", "Cleo: bid 2 hearts", "Dan: bid 2 spades"]


def test_of_the_side_the_player_declares_who_first_named_the_contract(rules: Rules) -> None:
    match = table(rules(BRIDGE), *BIDDING, "Ana: pass", "Ben: pass", "Cleo: pass")
    assert match.state["bindings"]["declarer"] == "Ben"
    assert match.state["bindings"]["contract"] == "spades"
    other = table(rules(BRIDGE), *BIDDING, "Ana: pass", "Ben: pass", "Cleo: bid 3 spades")
    other.record("Dan: pass")
    assert other.state["bindings"]["declarer"] == "Cleo"  # the other side named it first


def test_without_that_word_the_highest_bidder_declares(rules: Rules) -> None:
    path = rules(BRIDGE.replace('declares = "first"', ""))
    match = table(path, *BIDDING, "Ana: pass", "Ben: pass", "Cleo: pass")
    assert match.state["bindings"]["declarer"] == "Dan"


def test_who_named_a_contract_first_needs_bids_of_contracts(faults: Faults) -> None:
    found = faults(BRIDGE.replace('"1..3 contracts"', '"1..3"'))
    assert "phases.auction.declares: the bids name no contract" in found


# --- a pack that is no product

REMOVED = """
name    = "small-words"
title   = "Small words"
rules   = "fixed-trump"
[players]
counts  = [3]
[tally]
name    = "points"
[pack]
ranks   = "A K Q J"
without = ["AC", "J*"]
[deal]
dealt   = true
cards   = 3
[orders]
none    = {}
[phases.tricks]
order   = "none"
cite    = "2.1"
"""


def test_cards_that_the_pack_is_without_do_not_exist(rules: Rules) -> None:
    path = rules(REMOVED.replace("cards   = 3", "kitty   = 2"))
    pack = load_ruleset(path).pack
    assert pack.kinds == ("KC", "QC", "AS", "KS", "QS", "AH", "KH", "QH", "AD", "KD", "QD")
    assert pack.ranks == ["A", "K", "Q"]  # the first suit has no ace
    assert ("without", "AC JC JS JH JD") in pack_facts(load_ruleset(path))
    match = table(path, players=3)
    for card in ("AC", "JH"):
        with pytest.raises(Unreadable):
            match.record(f"Ana: {card}")
    for text in ("Ana: KC", "Ben: QC", "Cleo: AS"):
        match.record(text)
    assert match.to_act == ["Ana"]


def test_a_removed_card_is_one_of_the_pack_and_some_cards_are_left(faults: Faults) -> None:
    for without, fault in (
        ('["7C"]', "pack.without: “7C” names no card of the pack"),
        ('["*"]', "pack.without: no card is left"),
    ):
        assert fault in faults(REMOVED.replace('["AC", "J*"]', without))
    (fault,) = faults(REMOVED.replace("cards   = 3", "cards   = 4"))
    assert "11" in fault


# --- hands whose size depends on the round

SIZES = """
name    = "small-words"
title   = "Small words"
rules   = "fixed-trump"
[players]
counts  = [3]
[tally]
name    = "points"
[pack]
ranks   = "A K Q J"
[deal]
dealt   = true
cards   = "size"
[let]
size    = "abs(rounds - 3) + 1"
[orders]
none    = {}
[phases.tricks]
order   = "none"
cite    = "2.1"
counted = { most = "tricks", cite = "3.1" }
[counters]
small   = { adds = 1 }
[scores]
won     = { for = "each", points = "own.tricks", cite = "3.1" }
"""


def hand_sizes(path: Path, rounds: int) -> list[int]:
    """Return how many tricks are played in each round."""
    match, found = table(path, players=3), []
    for _ in range(rounds):
        before = sum(match.scores.values())
        deal = iter(load_ruleset(path).pack.kinds)
        match.record(f"{match.to_act[0]}: {next(deal)}")
        while not match.is_round_over:
            match.record(f"{match.to_act[0]}: {next(deal)}")
        found.append(sum(match.scores.values()) - before)
    return found


def test_how_many_cards_are_dealt_may_depend_on_the_round(rules: Rules) -> None:
    assert hand_sizes(rules(SIZES), 5) == [3, 2, 1, 2, 3]


def test_how_many_cards_are_dealt_may_depend_on_tallies_and_counters(rules: Rules) -> None:
    for size, found in (
        ("1 + small", [1, 2, 3]),
        ("1 + total(each.tally)", [1, 2, 4]),
        ("min(3, 1 + tally.most)", [1, 2, 3]),
        ("players - 1", [2, 2, 2]),
    ):
        assert hand_sizes(rules(SIZES.replace("abs(rounds - 3) + 1", size)), 3) == found


def test_a_kitty_may_depend_on_the_round(rules: Rules) -> None:
    path = rules(SIZES.replace('cards   = "size"', 'kitty = "16 - 3 * size"'))
    assert hand_sizes(path, 3) == [3, 2, 1]


def test_a_hand_of_the_wrong_size_for_this_round_is_refused(rules: Rules) -> None:
    match = table(rules(SIZES), players=3)
    with pytest.raises(Impossible, match="each player is dealt 3"):
        match.record("hand Ana: AC KC QC JC")


def test_how_many_cards_are_dealt_cannot_depend_on_the_round_to_come(faults: Faults) -> None:
    for size, name in (("1 + small.added", "small.added"), ("count(played)", "played")):
        (fault,) = faults(SIZES.replace("abs(rounds - 3) + 1", size))
        assert fault == f"deal.cards: “{name}” is not known before the round"


# --- numbers that are bid

NUMBERS = f"""{FOUR}
{PACK}
{BIDS}
[deal]
dealt  = true
cards  = 4
[phases.auction]
bids   = "80..160/10 250 contracts"
cite   = "2.1"
[phases.tricks]
order  = "trump"
cite   = "2.1"
[words]
250    = ["capot", "slam"]
"""


def test_a_range_of_bids_may_have_a_step(rules: Rules) -> None:
    match = table(rules(NUMBERS), "Ana: bid 80 hearts", "Ben: bid 160 spades")
    with pytest.raises(Unreadable, match="155 cannot be bid"):
        match.record("Cleo: bid 155 hearts")
    steps = load_ruleset(rules(NUMBERS.replace("80..160/10 250", "10..1500/10"))).phases["auction"]
    assert list(steps.named_numbers) == list(range(10, 1501, 10))


def test_a_range_with_a_step_ends_with_its_last_number(faults: Faults) -> None:
    for bids, fault in (
        ("80..165/10", "80..165/10 does not count up to 165"),
        ("9..1", "9..1 does not count up to 1"),
        ("0..9999", "the numbers rise, and are at most 300"),
    ):
        found = faults(NUMBERS.replace("80..160/10 250", bids).replace("250", "80"))
        assert f"phases.auction.bids: {fault}" in found
    assert faults(NUMBERS.replace("80..160/10 250", "80..160/0"))


def test_a_word_for_a_number_is_that_number(rules: Rules) -> None:
    match = table(rules(NUMBERS), "Ana: bid capot hearts")
    assert match.state["bindings"]["bid"] == {"who": "Ana", "says": "capot H"}
    assert match.rounds[0].entries == ["Ana: bid capot H"]
    assert table(rules(NUMBERS), "Ana: slam hearts").state == match.state
    assert table(rules(NUMBERS), "Ana: bid 250 hearts").state == match.state
    assert "capot H" in refused(match, "Ben: bid 160 spades")


# --- roles, places and seats of a player

ROLES = f"""{FOUR}
{PACK}
{BIDS}
[deal]
dealt  = true
cards  = 2
[contracts.ordinary]
order  = "trump"
trump  = "C"
when   = false
[phases.auction]
bids   = "contracts"
nobody = "ordinary"
ranks  = ["spades", "hearts"]
cite   = "2.1"
[phases.tricks]
order  = "trump"
cite   = "2.1"
counted = {{ most = "tricks", cite = "3.1" }}
[clauses]
no-spade = {{ cards = "~spades", when = "trick.leads and own.declarer", cite = "2.1" }}
[let]
spades = ["*S"]
[scores]
declarer = {{ for = "each", points = "1000 * own.declarer", cite = "3.1" }}
won      = {{ for = "each", points = "100 * own.winners", cite = "3.1" }}
place    = {{ for = "each", points = "10 * own.place", cite = "3.1" }}
seat     = {{ for = "each", points = "own.seat", cite = "3.1" }}
"""
CARDS = ["AH", "KH", "QH", "JH", "AD", "KD", "QD", "JD"]


def test_each_role_is_a_truth_about_each_player(rules: Rules) -> None:
    match = table(rules(ROLES), "Ana: bid hearts", "Ben: bid spades", *["pass"] * 3)
    for card in CARDS:
        match.record(f"{match.to_act[0]}: {card}")
    assert match.scores == {"Ana": 111, "Ben": 1022, "Cleo": 33, "Dan": 4}  # Dan deals


def test_a_role_decides_what_must_be_played(rules: Rules) -> None:
    path = rules(ROLES)
    match = table(path, "hand Ana: AS KH", "Ana: bid spades", *["pass"] * 3)
    assert "Ana must play" in refused(match, "Ana: AS")
    match = table(path, "hand Ana: AS KH", "Ana: pass", "Ben: bid spades", *["pass"] * 2)
    match.record("Ana: AS")


def test_in_a_contract_that_nobody_declares_nobody_is_the_declarer(rules: Rules) -> None:
    match = table(rules(ROLES), *["pass"] * 4)
    ruling = match.record("Ana: AS")
    assert not ruling.findings
    for card in ("KS", "QS", "JS", "AD", "KD", "QD", "JD"):
        match.record(f"{match.to_act[0]}: {card}")
    assert match.scores == {"Ana": 111, "Ben": 22, "Cleo": 33, "Dan": 4}


# --- shares of a score row, and the last complete trick

SHARED = f"""{FOUR}
{PACK}
{BIDS}
[deal]
dealt  = true
cards  = 2
[phases.auction]
bids   = "1..3 contracts"
ranks  = ["spades", "hearts"]
cite   = "2.1"
[phases.tricks]
order  = "trump"
points = {{ A = 11, K = 4 }}
cite   = "2.1"
counted = {{ most = "tricks", cite = "3.1" }}
[calls]
cite   = "2.1"
royal  = {{ when = "count(last.cards & royals) >= 3 and last.winner == own.seat" }}
[let]
royals = ["A*", "K*"]
value  = "10 * auction.bid"
shown  = "total(each.royal)"
[scores]
pool   = {{ shares = {{ declarer = "3 * value", opponents = "-value" }}, cite = "3.1" }}
bonus  = {{ for = "each", points = "own.tricks", cite = "3.1" }}
royal  = {{ factor = 2, for = "opponents", of = "pool", when = "shown > 0", cite = "3.1" }}
points = {{ for = "each", points = "last.points", when = "own.seat == last.winner", cite = "3.1" }}
"""
BID = ["Ana: bid 2 hearts", *["pass"] * 3]


def test_a_score_row_has_shares_for_several_roles(rules: Rules) -> None:
    match = table(rules(SHARED), *BID)
    for card in ["AC", "KC", "QC", "JC", "AD", "KD", "QD", "JD"]:
        match.record(f"{match.to_act[0]}: {card}")
    assert match.scores == {"Ana": 60 + 2 + 15, "Ben": -20, "Cleo": -20, "Dan": -20}
    codes = {line.code for line in match.rounds[0].lines}
    assert codes == {"scores.pool", "scores.pool-opponents", "scores.bonus", "scores.points"}


def test_a_factor_multiplies_the_share_of_its_role(rules: Rules) -> None:
    match = table(rules(SHARED), *BID, "Ana: AC", "Ben: KC", "Cleo: AS", "Dan: QC")
    assert "may not announce" in refused(match, "Ben: announce royal")
    match.record("Ana: announce royal")
    for card in ["AD", "KD", "QD", "JD"]:
        match.record(f"{match.to_act[0]}: {card}")
    assert match.scores["Ben"] == -40
    assert match.scores["Ana"] == 60 + 2 + 15


def test_shares_are_for_roles_and_alone(faults: Faults) -> None:
    found = faults(SHARED.replace("opponents =", "others ="))
    assert any("scores.pool.shares.others" in fault for fault in found), found
    found = faults(SHARED.replace("pool   = { ", "pool   = { points = 1, "))
    assert "not the only key for points" in found


def test_the_last_complete_trick_is_none_before_the_first(rules: Rules) -> None:
    match = table(rules(SHARED), *BID)
    assert "may not announce" in refused(match, "Ana: announce royal")


# --- rows without cards: a fact called about a trick, and a vow

SAID = f"""{FOUR}
{PACK}
[orders]
trump  = []
[deal]
dealt  = true
cards  = 2
[phases.tricks]
order  = "trump"
points = {{ A = 11, K = 4 }}
cite   = "2.1"
counted = {{ most = "tricks", cite = "3.1" }}
[calls]
cite   = "2.1"
roem   = {{ when = "royal and last.winner == own.seat", points = "last.points", most = 2 }}
all    = {{ when = "trick.number == 1 and own.turn", points = 50 }}
[let]
royals = ["A*", "K*"]
royal  = "count(last.cards & royals) >= 3"
[scores]
called = {{ for = "each", points = "own.holdings", cite = "3.1" }}
"""
ROEM = ["Ana: AC", "Ben: KC", "Cleo: AS", "Dan: QC"]


def test_a_fact_about_the_last_trick_is_called(rules: Rules) -> None:
    match = table(rules(SAID), *ROEM)
    assert "Ben may not announce roem now" in refused(match, "Ben: announce roem")
    assert not match.record("Ana: announce roem").findings
    for card in ["AD", "KD", "QD", "JD"]:
        match.record(f"{match.to_act[0]}: {card}")
    assert match.scores == {"Ana": 26, "Ben": 0, "Cleo": 0, "Dan": 0}


def test_a_vow_is_said_once_and_in_time(rules: Rules) -> None:
    match = table(rules(SAID))
    assert "Ben may not announce all now" in refused(match, "Ben: all")
    match.record("Ana: all")
    assert "Ana has already announced all" in refused(match, "Ana: all")
    with pytest.raises(Impossible, match="not a valid all"):
        match.record("Ana: all AC")
    with pytest.raises(Impossible, match=r"not a valid roem or all$"):
        match.record("Ana: show AC")


def test_shown_cards_are_rows_with_cards(rules: Rules) -> None:
    pair = 'pair   = { cards = ["KH", "QH"] }\n[let]\n'
    match = table(rules(SAID.replace("[let]\n", pair)))
    with pytest.raises(Impossible, match=r"not a valid pair$"):
        match.record("Ana: show AC")
    assert match.ruleset.clause_names("show") == ["announced-when", "announced-once", "held"]


def test_only_the_most_of_a_fact_limits_it(rules: Rules) -> None:
    match = table(rules(SAID), *ROEM, "Ana: roem", "Ana: roem")
    assert "Ana has already announced roem twice" in refused(match, "Ana: roem")


def test_a_vow_proves_nothing_about_a_hand(rules: Rules) -> None:
    match = table(rules(SAID), "Ana: all")
    assert match.ruleset.clause_names("announce") == ["announced-when", "announced-once"]
    assert not match.record("Ana: AC").findings


@pytest.mark.parametrize("key", ['ranks = "A K"', "shown = true", "laid = true", 'best = "side"'])
def test_a_row_without_cards_has_no_key_about_cards(faults: Faults, key: str) -> None:
    found = faults(SAID.replace("points = 50", f"points = 50, {key}"))
    assert found == [f"calls.all.{key.split()[0]}: a row without cards cannot have this key"]


# --- standard rules as rows with a condition

FOLLOWED = f"""{FOUR}
{PACK}
[deal]
dealt  = true
cards  = 4
[orders]
none   = {{}}
[phases.tricks]
order  = "none"
cite   = "2.1"
[let]
hearts = ["*H"]
[clauses]
late   = {{ word = "follow", when = "trick.number > 2", cite = "2.1" }}
hearts = {{ word = "follow", when = "count(led & hearts) > 0", say = "hearts!", cite = "3.1" }}
"""


def test_several_rows_say_when_suit_must_be_followed(rules: Rules) -> None:
    hands = ["hand Ana: AC KC AH KH", "hand Ben: QC JD QH JH"]
    match = table(rules(FOLLOWED), *hands, "Ana: AC", "Ben: QH", "Cleo: KD", "Dan: QD", "Ana: AH")
    assert refused(match, "Ben: QC") == "hearts!"
    for text in ("Ben: JH", "Cleo: AS", "Dan: KS", "Ana: KC"):
        match.record(text)
    assert refused(match, "Ben: JD") == "Ben must follow clubs in trick 3: QC"
    match.record("Ben: QC")


def test_without_hands_a_breach_of_a_conditional_row_is_proven_later(rules: Rules) -> None:
    match = table(rules(FOLLOWED), "Ana: AH")
    assert match.record("Ben: QC").verdict == "open"
    for text in ("Cleo: AS", "Dan: KS", "Ana: KC"):
        match.record(text)
    ruling = match.record("Ben: JH")
    assert any(finding.code == "tricks.hearts" for finding in ruling.findings)


def test_a_standard_rule_of_an_auction_may_have_a_condition(rules: Rules) -> None:
    word = 'offered = { when = "not auction.last", cite = "2.1" }\n[phases.tricks]'
    path = rules(ORDINARY.replace("[phases.tricks]", word))
    assert refused(table(path), "Ana: bid ordinary") == "Ana may not play ordinary now"
    match = table(path, "Ana: pass", "Ben: pass", "Cleo: pass", "Dan: bid ordinary")
    assert match.state["bindings"]["declarer"] == "Dan"


# --- what a player has publicly not followed

LACKING = f"""{FOUR}
{PACK}
[deal]
dealt  = true
cards  = 4
[sides]
number = 2
[orders]
none   = {{}}
[phases.tricks]
order  = "none"
cite   = "2.1"
[let]
clubs  = ["*C"]
[clauses.spare]
on     = "play"
must   = "not trick.leads or count(clubs & own.lacks) == 0"
say    = "lacks clubs"
cite   = "3.1"
"""
FIRST = ["Ana: AC", "Ben: JD", "Cleo: KC", "Dan: QC"]


def test_what_a_player_lacks_is_what_everybody_saw(rules: Rules) -> None:
    path = rules(LACKING)
    second = ["Ana: KH", "Ben: AH", "Cleo: QH", "Dan: JH"]
    for hands in ([], ["hand Ben: JD AH KS QS"]):  # the same with and without the hand
        assert refused(table(path, *hands, *FIRST, *second), "Ben: KS") == "lacks clubs"
    match = table(path, "hand Ana: AC KH QS KD", "Ana: KH", "Ben: AH")  # nothing was shown
    for text in ("Cleo: QH", "Dan: JH", "Ben: KS"):
        match.record(text)


def test_a_class_of_which_a_card_is_seen_later_is_not_lacking(rules: Rules) -> None:
    second = ["Ana: KH", "Ben: JC", "Cleo: QH", "Dan: JH"]
    third = ["Ana: JS", "Ben: AS", "Cleo: KS", "Dan: QS"]
    match = table(rules(LACKING), *FIRST, *second, *third)
    match.record("Ben: KD")


# --- named values

VALUED = f"""{FOUR}
{PACK}
{BIDS}
[deal]
dealt  = true
cards  = 2
[phases.auction]
bids   = "contracts"
ranks  = ["spades", "hearts"]
cite   = "2.1"
[phases.tricks]
order  = "trump"
cite   = "2.1"
counted = {{ most = "tricks", cite = "3.1" }}
[let]
aces   = ["A*"]
[values]
aces_won = "count(own.pile & aces)"
high   = {{ for = "declarer", is = "own.aces_won + own.tricks" }}
[scores]
aces   = {{ for = "each", points = "own.aces_won", cite = "3.1" }}
high   = {{ for = "opponents", points = "100 * high", when = "high > 1", cite = "3.1" }}
over   = {{ for = "declarer", points = "1000", when = "opponents.aces_won == 0", cite = "3.1" }}
"""


def test_a_value_has_a_name_for_each_player_or_for_a_role(rules: Rules) -> None:
    match = table(rules(VALUED), "Ana: bid hearts", *["pass"] * 3)
    for card in ["AC", "KC", "QC", "JC", "AD", "KD", "QD", "JD"]:
        match.record(f"{match.to_act[0]}: {card}")
    assert match.scores == {"Ana": 1002, "Ben": 400, "Cleo": 400, "Dan": 400}


def test_a_value_is_for_a_role_and_does_not_depend_on_itself(faults: Faults) -> None:
    found = faults(VALUED.replace('for = "declarer", is', 'for = "nobody", is'))
    assert "values.high.for is not a role" in found
    found = faults(VALUED.replace("count(own.pile & aces)", "high + 1"))
    assert "values.aces_won.is: the value depends on itself" in found
    found = faults(VALUED.replace("aces_won = ", "tally = 1\naces_won = ", 1))
    assert any(text.startswith("values.tally: “own.tally” has two meanings") for text in found)


def test_bids_that_end_without_a_call_leave_nothing_to_reveal(rules: Rules) -> None:
    path = rules(
        """
extends = "dudo"
name    = "small-words"
title   = "Bids up to four"
[phases.bids]
ends    = "bid.count >= 4"
"""
    )
    match = Match(load_ruleset(path), NAMES)
    match.record("Ana: 3x4")
    assert not match.is_round_over
    match.record("Ben: 4x4")
    assert match.is_round_over
    assert match.scores == dict.fromkeys(NAMES, 5)


# --- each suit and each rank

ELEMENTS = f"""{FOUR}
[pack]
ranks    = "A K Q J T"
[deal]
dealt    = true
cards    = 3
[orders]
none     = {{}}
[contracts]
ordinary = {{}}
long     = {{ needs = "any(count(dealt & suit) >= 2)", wanted = "two cards of a suit" }}
[phases.auction]
bids     = "contracts"
turns    = "first"
nobody   = "ordinary"
needs    = "2.1"
cite     = "2.1"
[phases.tricks]
order    = "none"
cite     = "2.1"
counted  = {{ most = "tricks", cite = "3.1" }}
[specials]
four     = {{ when = "most(count(trick.cards & rank)) == 4", cite = "3.1" }}
meld     = {{ when = "most(sequence(trick.cards & suit)) >= 3", cite = "3.1" }}
[let]
alike    = "count(own.laid & rank)"
top      = "most(alike)"
[scores]
points   = {{ for = "each", points = "POINTS", cite = "3.1" }}
"""
ALL_PASS = [f"{name}: pass" for name in NAMES]
THREE_TRICKS = ["AC AD AH AS", "KC QC JC KD", "JS TS QD KH"]


@pytest.mark.parametrize(
    ("points", "each"),
    [
        ("10 * own.four + own.meld", [11, 0, 0, 0]),
        ("total(count(own.laid & suit) > 0)", [2, 3, 3, 3]),
        ("least(count(own.laid & suit))", [0, 0, 0, 0]),
        ("top", [1, 1, 1, 2]),
        ("total(alike == top)", [3, 3, 3, 1]),
        ("sequence(own.laid)", [2, 1, 2, 2]),
        ("sequence(own.pile)", [5, 0, 0, 0]),
        ("most(sequence(own.pile & suit))", [4, 0, 0, 0]),
        ("most(count(each.laid & suit))", [2, 2, 2, 2]),
        ("total(count(each.laid & suit) == 2) + 0 * own.tricks", [1, 1, 1, 1]),
        (
            "any(count(own.laid & suit) > 1 and total(count(suit & own.laid & rank)) > 1)",
            [1, 0, 0, 0],
        ),
        ("all(count(own.laid & rank) < 2)", [1, 1, 1, 0]),
    ],
)
def test_what_is_named_in_a_loop_is_what_it_runs_through(
    rules: Rules, points: str, each: list[int]
) -> None:
    match = table(rules(ELEMENTS.replace("POINTS", points)), *ALL_PASS)
    for trick in THREE_TRICKS:
        for name, card in zip(NAMES, trick.split(), strict=True):
            match.record(f"{name}: {card}")
    assert match.rounds[-1].scores == dict(zip(NAMES, each, strict=True))


def test_a_question_about_each_suit_of_an_unseen_hand_stays_open_until_it_is_proven(
    rules: Rules,
) -> None:
    path = rules(ELEMENTS.replace("POINTS", "0"))
    sentence = "Ana may say long only with two cards of a suit"
    assert refused(table(path, "hand Ana: AC KD QH"), "Ana: bid long") == sentence
    table(path, "hand Ana: AC KC QH", "Ana: bid long")
    match = table(path, "Ana: bid long", "Ana: AC", "Ben: KC", "Cleo: QC", "Dan: JC", "Ana: KD")
    for text in ("Ben: QD", "Cleo: JD", "Dan: AD", "Dan: AH"):
        match.record(text)
    assert [f.verdict for _, f in match.rounds[-1].findings if f.code == "auction.needs"] == [
        "open"
    ]
    match.record("Ana: QH")
    reasons = [f.reason for _, f in match.rounds[-1].findings if f.code == "auction.needs"]
    assert reasons[-1].startswith("Ana said long without two cards of a suit")


def test_a_sequence_follows_the_ranks_of_its_suit(rules: Rules) -> None:
    suits = '[pack.suits]\nT = "3 2 1"\nC = "A K Q J T 3 1 2 9 8 7 6"\nH = "A K Q J"\n'
    text = ELEMENTS.replace("[deal]", f"{suits}[deal]", 1)
    match = table(rules(text.replace("POINTS", "sequence(own.laid)")), *ALL_PASS)
    for trick in ("3T 3C AH 2C", "2T 1C KH 6C", "1T TC JH 7C"):
        for name, card in zip(NAMES, trick.split(), strict=True):
            match.record(f"{name}: {card}")
    assert match.rounds[-1].scores == {"Ana": 3, "Ben": 3, "Cleo": 2, "Dan": 2}


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ("count(own.laid & suit)", "suit outside any(…)"),
        ("most(own.laid & suit)", "a set of cards where a number is wanted: own.laid & suit"),
        ("0 + any(count(own.laid & suit))", "a number where a condition is wanted"),
        ("most(sequence(suit))", "sequence of kinds of card"),
        ("total(any(count(own.laid & suit) > 1))", "total that names nothing to run through"),
        ("total(alike == most(alike))", "most that names nothing to run through"),
        ("run(own.laid)", "matadors(…)"),
    ],
)
def test_a_wrong_loop_is_named(faults: Faults, points: str, says: str) -> None:
    assert says in "\n".join(faults(ELEMENTS.replace("POINTS", points)))


def test_words_of_loops_are_no_names(faults: Faults) -> None:
    found = faults(ELEMENTS.replace("alike ", "suit  ").replace("alike", "suit"))
    assert "let.suit is a measure already" in found


# --- bids that are compared by a value

VALUED_BIDS = f"""{FOUR}
{PACK}
[deal]
dealt  = true
cards  = 4
[orders]
trump  = ["*{{trump}}"]
none   = {{}}
[contracts]
spades = {{ order = "trump", trump = "S", is = {{ base = 40 }} }}
clubs  = {{ order = "trump", trump = "C", is = {{ base = 60 }} }}
misere = {{ order = "none", is = {{ base = 250 }} }}
[options]
open   = {{ with = ["misere"] }}
[phases.auction]
bids   = "6..10 contracts"
value  = "500 * bid.open + (bid.base if bid.misere else 100 * (bid.number - 6) + bid.base)"
cite   = "2.1"
[phases.tricks]
order  = "trump"
cite   = "2.1"
"""


def test_bids_are_compared_by_their_value(rules: Rules) -> None:
    path = rules(VALUED_BIDS)
    match = table(path, "Ana: bid 8 spades", "Ben: bid 6 misere", "Cleo: bid 8 clubs")
    refusal = refused(match, "Dan: bid 10 misere")
    assert refusal == "Dan must bid more than 8C: 9S, 9C, 10S, 10C, …"
    for text in ("Dan: bid 6 misere open", "Ana: pass", "Ben: pass", "Cleo: pass"):
        match.record(text)
    assert match.state["bindings"]["declarer"] == "Dan"
    match = table(path, "Ana: bid 6 misere")
    assert refused(match, "Ben: bid 8 spades").startswith("Ben must bid more than 6 misere: 8C, 9S")


def test_bids_of_one_value_are_compared_by_their_rank(rules: Rules) -> None:
    ranks = '\nranks  = ["misere", "clubs"]\ncite   = "2.1"\n[phases.tricks]'
    text = VALUED_BIDS.replace('\ncite   = "2.1"\n[phases.tricks]', ranks, 1)
    match = table(rules(text.replace("base = 250", "base = 260")), "Ana: bid 8 clubs")
    match.record("Ben: bid 6 misere")
    refused(match, "Cleo: bid 8 clubs")


@pytest.mark.parametrize(
    ("value", "higher", "says"),
    [
        ("bid.number + rounds", "", "“rounds” is not about the bid"),
        ("bid.number + bid.colour", "", 'unknown measure "bid.colour"'),
        ("bid.number // bid.base", "", "it divides by zero"),
        ("bid.number / 2", "", "may be a fraction"),
        ("bid.number", "higher = false", "no rule compares bids here"),
    ],
)
def test_a_value_is_about_the_bid_and_compared(
    faults: Faults, value: str, higher: str, says: str
) -> None:
    before = next(line for line in VALUED_BIDS.split("\n") if line.startswith("value"))
    text = VALUED_BIDS.replace(before, f'value  = "{value}"\n{higher}')
    assert says in "\n".join(faults(text.replace("is = { base = 250 }", "is = { base = 0 }")))


# --- a led card that names a suit

JOKER = f"""{FOUR}
[pack]
ranks  = "A K Q J"
jokers = ["BJ"]
[deal]
dealt  = true
cards  = 4
[orders]
joker  = ["BJ"]
[phases.tricks]
order  = "joker"
cite   = "2.1"
names_suit = {{ is = ["BJ"], cite = "3.1" }}
"""
HANDS = ("lead Ana", "hand Ana: BJ AS KH QD", "hand Ben: KS QS JH JD")


def test_a_led_joker_names_the_suit_to_follow_and_wins(rules: Rules) -> None:
    match = table(rules(JOKER), *HANDS)
    leads = [text for text in match.legal() if "BJ" in text]
    assert leads == ["Ana: BJ C", "Ana: BJ S", "Ana: BJ H", "Ana: BJ D"]
    match.record("Ana: BJ spades")
    assert match.rounds[-1].entries[-1] == "Ana: BJ S"
    assert "must follow spades" in refused(match, "Ben: JH")
    for text in ("Ben: QS", "Cleo: AC", "Dan: JC"):
        assert not match.record(text).refused
    assert match.to_act == ["Ana"]


def test_a_joker_without_its_suit_is_refused_with_what_to_type(rules: Rules) -> None:
    match = table(rules(JOKER), *HANDS)
    assert "Ana must name a suit when leading BJ, and only then: BJ C" in refused(match, "Ana: BJ")
    match = table(rules(JOKER), "lead Dan", "Dan: AH")
    assert match.judge("Ana: BJ").verdict == "open"  # they might have to follow
    assert "Ana must name a suit when leading BJ, and only then: BJ" in refused(
        match, "Ana: BJ hearts"
    )


def test_a_joker_among_the_trumps_names_no_suit(rules: Rules) -> None:
    trumps = JOKER.replace('joker  = ["BJ"]', 'joker  = ["BJ", "*S"]')
    match = table(rules(trumps), *HANDS)
    assert [text for text in match.legal() if "BJ" in text] == ["Ana: BJ"]
    assert "must name a suit when leading BJ, and only then: BJ" in refused(match, "Ana: BJ hearts")
    match.record("Ana: BJ")
    assert "must follow" in refused(match, "Ben: JH")


def test_who_did_not_follow_the_named_suit_is_found_out(rules: Rules) -> None:
    match = table(rules(JOKER), "lead Ana", "Ana: BJ S", "Ben: JH", "Cleo: AC", "Dan: JC")
    assert not match.judge("Ana: KS").refused
    match.record("Ana: KS")
    ruling = match.record("Ben: QS")
    assert [finding.code for finding in ruling.findings] == ["tricks.follow"]
    assert "Ben could have followed spades in trick 1" in ruling.findings[0].reason
    assert "Ana" not in ruling.findings[0].reason


def test_a_named_suit_is_taken_back_with_its_card(rules: Rules) -> None:
    match = table(rules(JOKER), *HANDS, "Ana: BJ S")
    match.undo()
    match.record("Ana: BJ H")
    assert "must follow hearts" in refused(match, "Ben: KS")
    again = Match(match.ruleset, match.players)
    again.play_round([str(entry) for entry in match.rounds[-1].entries])
    assert again.judge("Ben: JH").verdict == "legal"


# --- values that an act fixes

FIXED = f"""{FOUR}
{PACK}
[deal]
dealt  = true
cards  = 2
[orders]
none   = {{}}
[phases.tricks]
order  = "none"
cite   = "2.1"
counted = {{ most = "tricks", cite = "3.1" }}
[calls]
cite   = "3.1"
stop   = {{ when = "true" }}
[values]
then   = {{ is = "10 * each_now + own.tricks", at = "stop" }}
[let]
each_now = "total(each.tricks)"
[scores]
stop   = {{ for = "each", points = "100 * own.stop + then", cite = "3.1" }}
"""
TRICK = ("Ana: AS", "Ben: QS", "Cleo: JS", "Dan: KS")


def test_a_value_is_fixed_when_a_word_is_said(rules: Rules) -> None:
    played = table(rules(FIXED), "lead Ana", *TRICK, "Ana: announce stop")
    for text in ("Ana: AH", "Ben: KH", "Cleo: QH", "Dan: JH"):
        played.record(text)
    assert played.rounds[0].scores == {"Ana": 111, "Ben": 11, "Cleo": 11, "Dan": 11}


def test_a_value_that_no_act_has_fixed_is_0(rules: Rules) -> None:
    played = table(rules(FIXED), "lead Ana", *TRICK, "Ana: AH", "Ben: KH", "Cleo: QH", "Dan: JH")
    assert played.rounds[0].scores == {"Ana": 0, "Ben": 0, "Cleo": 0, "Dan": 0}


def test_a_value_is_fixed_anew_after_an_amendment(rules: Rules) -> None:
    played = table(rules(FIXED), "lead Ana", "Ana: announce stop", *TRICK)
    for text in ("Ana: AH", "Ben: KH", "Cleo: QH", "Dan: JH"):
        played.record(text)
    assert played.rounds[0].scores == {"Ana": 100, "Ben": 0, "Cleo": 0, "Dan": 0}
    for _ in range(9):
        played.undo()
    for text in (*TRICK, "Ben: announce stop", "Ana: AH", "Ben: KH", "Cleo: QH", "Dan: JH"):
        played.record(text)
    assert played.rounds[0].scores == {"Ana": 10, "Ben": 110, "Cleo": 10, "Dan": 10}


def test_a_value_unknown_at_the_act_stays_unknown(rules: Rules) -> None:
    text = FIXED.replace('"10 * each_now + own.tricks"', '"count(hand & aces)"').replace(
        "[let]\n", '[let]\naces = ["A*"]\n'
    )
    known = table(rules(text), "lead Ana", "hand Ana: AS AH", "Ana: announce stop", *TRICK)
    unseen = table(rules(text), "lead Ana", "Ana: announce stop", *TRICK)
    for match, scores in ((known, 102), (unseen, None)):
        for entry in ("Ana: AH", "Ben: KH", "Cleo: QH", "Dan: JH"):
            match.record(entry)
        found = match.rounds[0].scores
        assert (found and found["Ana"]) == scores


def test_only_an_act_fixes_a_value_and_not_a_note_with_its_word(rules: Rules) -> None:
    played = table(rules(FIXED), "lead Ana", *TRICK, "note stop")
    for text in ("Ana: AH", "Ben: KH", "Cleo: QH", "Dan: JH"):
        played.record(text)
    assert played.rounds[0].scores == {"Ana": 0, "Ben": 0, "Cleo": 0, "Dan": 0}


def test_a_value_is_fixed_when_the_stock_is_closed(rules: Rules) -> None:
    stock = '[phases.stock]\ncloses = "2.1"\ncite = "2.1"\n'
    played = table(rules(FIXED.replace('"stop" }', '"close" }') + stock), "lead Ana", *TRICK)
    played.record("Ana: close")
    for suit in "HC":
        for text in ("Ana: A", "Ben: K", "Cleo: Q", "Dan: J"):
            played.record(text + suit)
    assert played.rounds[0].scores == {"Ana": 11, "Ben": 11, "Cleo": 11, "Dan": 11}


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ('{ is = "1", at = "stopp" }', "values.then.at is no act of a player"),
        ('{ is = "1", at = "note" }', "values.then.at is no act of a player"),
        ('{ is = "1", at = "stop", for = "declarer" }', "values.then"),
    ],
)
def test_what_fixes_a_value_can_be_said_and_has_no_role(
    faults: Faults, row: str, says: str
) -> None:
    found = faults(re.sub(r"then   = .*", f"then = {row}", FIXED))
    assert any(says in fault for fault in found), found


# --- a step in which players say words

ASKED = f"""{FOUR}
{PACK}
{BIDS}
[deal]
dealt  = true
cards  = 2
[phases.auction]
bids   = "1..3 contracts"
ranks  = ["spades", "hearts"]
cite   = "2.1"
[phases.say]
who    = "opponents"
cite   = "2.1"
words  = {{ whist = "said.whist == 0", too = "said.whist > 0", out = "true" }}
[phases.tricks]
order  = "trump"
cite   = "2.1"
counted = {{ most = "tricks", cite = "3.1" }}
[scores]
whist  = {{ for = "each", points = "10 * own.whist + said.too", cite = "3.1" }}
"""


def test_opponents_say_words_in_turn_before_play(rules: Rules) -> None:
    match = table(rules(ASKED), "lead Ana", *BID)
    assert match.to_act == ["Ben"]
    assert match.prompt == "Ben says whist or out"
    assert match.legal() == ["Ben: whist", "Ben: out"]
    assert "“too” is not possible for Ben now; possible: whist or out" in refused(match, "Ben: too")
    for text in ("Ben: out", "whist", "Dan: too"):
        assert match.record(text).verdict == "legal"
    assert match.state["phase"] == "tricks"
    for text in ("Ana: AS", "Ben: QS", "Cleo: JS", "Dan: KS"):
        match.record(text)
    for text in ("Ana: AH", "Ben: KH", "Cleo: QH", "Dan: JH"):
        match.record(text)
    assert match.rounds[0].scores == {"Ana": 1, "Ben": 1, "Cleo": 11, "Dan": 1}


def test_the_step_ends_by_its_condition_and_after_several_times(rules: Rules) -> None:
    ended = ASKED.replace("[phases.say]\n", '[phases.say]\nends = "said.whist == 1"\n')
    match = table(rules(ended), "lead Ana", *BID, "Ben: whist")
    assert match.state["phase"] == "tricks"
    twice = ASKED.replace("[phases.say]\n", "[phases.say]\ntimes = 2\n")
    match = table(rules(twice), "lead Ana", *BID, *["out"] * 5)
    assert match.to_act == ["Dan"]
    match.record("Dan: out")
    assert match.state["phase"] == "tricks"


def test_a_word_of_the_step_may_be_a_verb_of_the_auction(rules: Rules) -> None:
    text = ASKED.replace('out = "true"', 'pass = "true"')
    match = table(rules(text), "lead Ana", *BID)
    assert match.legal() == ["Ben: whist", "Ben: say pass"]
    assert match.judge("Ben: pass").verdict == "legal"
    assert match.record("pass").entry == "Ben: say pass"
    assert "it is not Dan's turn" in refused(match, "Dan: pass")
    match.record("Cleo: pass")
    match.record("pass")
    assert match.state["phase"] == "tricks"
    again = Match(match.ruleset, match.players)
    again.play_round([str(entry) for entry in match.rounds[-1].entries])
    assert again.state == match.state


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("{}", "phases.say.words is empty"),
        ('{ hearts = "true" }', "“hearts” means something else in this ruleset"),
        ('{ bid = "true" }', "“bid” means something else in this ruleset"),
        ('{ note = "true" }', "“note” means something else in this ruleset"),
    ],
)
def test_a_word_of_the_step_has_one_meaning(faults: Faults, words: str, says: str) -> None:
    found = faults(re.sub(r"words  = .*", f"words = {words}", ASKED))
    assert any(says in fault for fault in found), found


def test_who_speaks_is_a_role_of_the_game(faults: Faults) -> None:
    assert "phases.say.who is not a role" in str(
        faults(ASKED.replace('who    = "opponents"', 'who    = "kings"'))
    )


def test_contracts_keep_their_conditions_beside_the_step(rules: Rules) -> None:
    text = ASKED.replace('hearts  = "H"', 'hearts  = { trump = "H", when = "false" }')
    assert "may not play hearts now" in refused(table(rules(text), "lead Ana"), BID[0])


def test_speaking_begins_next_to_the_player_of_a_role(rules: Rules) -> None:
    text = ASKED.replace("[phases.say]\n", '[phases.say]\nnext_to = "declarer"\n')
    bids = ["Ana: pass", "Ben: pass", "Cleo: bid 2 hearts", "Dan: pass"]
    match = table(rules(text), "lead Ana", *bids)
    assert match.to_act == ["Dan"]
    match.record("Dan: out")
    assert match.to_act == ["Ana"]
    assert table(rules(ASKED), "lead Ana", *bids).to_act == ["Ana"]


def test_nobody_speaks_where_nobody_has_the_role(rules: Rules) -> None:
    text = ASKED.replace("[phases.say]\n", '[phases.say]\nnext_to = "declarer"\n')
    text = text.replace('ranks  = ["spades"', 'nobody = "hearts"\nranks  = ["spades"')
    match = table(rules(text), "lead Ana", *["pass"] * 4)
    assert match.state["phase"] == "tricks"


def test_who_spoke_out_of_turn_does_not_speak_again(rules: Rules) -> None:
    match = table(rules(ASKED), "lead Ana", *BID, "Cleo: whist !stands")
    assert match.to_act == ["Ben"]
    match.record("Ben: out")
    assert match.to_act == ["Dan"]
    for text in ("Cleo: out !stands", "Ana: out !stands"):
        with pytest.raises(Impossible, match="does not speak now"):
            match.record(text)
    match.record("Dan: out")
    with pytest.raises(Impossible, match="does not speak now"):
        match.record("Ben: out !stands")


def test_the_role_to_speak_after_is_a_role_of_the_game(faults: Faults) -> None:
    text = ASKED.replace("[phases.say]\n", '[phases.say]\nnext_to = "kings"\n')
    assert "phases.say.next_to is not a role" in str(faults(text))


def test_a_word_of_python_may_be_a_name_in_expressions(rules: Rules, faults: Faults) -> None:
    text = ASKED.replace('out = "true"', 'pass = "not said.pass"').replace("said.too", "said.pass")
    assert "a number" in str(faults(text))
    text = text.replace("not said.pass", "said.pass == 0 and own.pass - 1 < 0")
    match = table(rules(text), "lead Ana", *BID, "Ben: pass", "Cleo: whist")
    assert match.prompt == "Dan says too"
    assert faults(text.replace("own.pass - 1", "own.in"))


# --- the contract is named with its number, after bids that name contracts

NAMED = f"""{FOUR}
{PACK}
{BIDS}
[contracts.open]
number  = 2
final   = true
[deal]
dealt   = true
cards   = 2
[phases.auction]
bids    = "1..3 contracts"
ranks   = ["open", "spades", "hearts"]
cite    = "2.1"
[phases.naming]
cite    = "2.1"
[phases.tricks]
order   = "trump"
cite    = "2.1"
counted = {{ most = "tricks", cite = "3.1" }}
[scores]
bid     = {{ for = "declarer", points = "10 * contract.number + auction.bid", cite = "3.1" }}
[columns]
contract = {{ say = "{{bid}} {{named}}" }}
"""


def test_the_contract_that_is_named_may_be_higher_than_the_bid(rules: Rules) -> None:
    match = table(rules(NAMED), "lead Ana", *BID)
    assert match.state["phase"] == "naming"
    assert "contract" not in match.state["bindings"]
    assert match.prompt == "Ana must name the contract: 2H or higher"
    assert match.legal() == [
        *("Ana: name 2H", "Ana: name 2S", "Ana: name open"),
        *("Ana: name 3H", "Ana: name 3S"),
    ]
    assert refused(match, "Ana: 1S") == (
        "Ana has bid 2H, and must name that or more: 2H, 2S, open, 3H, …"
    )
    assert "it is not Ben's turn" in refused(match, "Ben: name 3S")
    match.record("3S")
    assert (
        match.state["bindings"] | {"named": "3S", "contract": "spades"} == (match.state["bindings"])
    )
    for text in ("Ana: AS", "QS", "JS", "KS", "Ana: AH", "KH", "QH", "JH"):
        match.record(text)
    assert match.scores["Ana"] == 32


def test_a_final_bid_is_played_as_it_was_bid(rules: Rules) -> None:
    match = table(rules(NAMED), "lead Ana", "Ana: open", *["pass"] * 3)
    assert match.state["phase"] == "tricks"
    assert match.state["bindings"]["contract"] == "open"


def test_the_contract_may_be_told_without_the_auction(rules: Rules) -> None:
    match = table(rules(NAMED), "lead Ana", "contract Ben: 3H")
    assert match.state["phase"] == "tricks"
    assert match.state["bindings"]["trump"] == "H"


def test_whether_a_contract_may_be_named_is_judged_there_too(rules: Rules) -> None:
    text = NAMED.replace("[contracts.open]\n", '[contracts.open]\nwhen = "auction.bid < 2"\n')
    match = table(rules(text), "lead Ana", *BID)
    assert refused(match, "Ana: open") == "Ana may not play open now"


def test_a_bid_that_is_only_a_contract_is_not_named_again(faults: Faults) -> None:
    found = faults(NAMED.replace('"1..3 contracts"', '"contracts"').replace("number  = 2\n", ""))
    assert any("what is bid names the contract already" in fault for fault in found)


def test_nothing_is_named_after_wishes(faults: Faults) -> None:
    wishes = 'extends = "doppelkopf"\nname = "small-words"\ntitle = "Wishes"\nlanguage = 4\n'
    found = faults(f'{wishes}[phases.naming]\nbefore = "tricks"\ncite = "3.1"\n')
    assert any("players do not bid in this auction" in fault for fault in found), found


def test_the_contract_is_not_named_before_the_auction(faults: Faults) -> None:
    auction, naming, tricks = (
        NAMED.index(f"[phases.{p}]") for p in ("auction", "naming", "tricks")
    )
    text = NAMED[:auction] + NAMED[naming:tricks] + NAMED[auction:naming] + NAMED[tricks:]
    assert any("the contract is named after the auction" in fault for fault in faults(text))


# --- points for everybody, also for those who sit out

EVERYBODY = f"""{FOUR}
{PACK}
[deal]
dealt    = true
cards    = 2
sits_out = {{ 4 = [0] }}
[orders]
plain    = {{}}
[phases.tricks]
order    = "plain"
cite     = "2.1"
counted  = {{ most = "tricks", cite = "3.1" }}
[scores]
each     = {{ for = "each", points = 1, cite = "3.1" }}
all      = {{ for = "all", points = "10 + 10 * own.tricks + 100 * own.dealer", cite = "3.1" }}
[counters]
deals    = {{ for = "all", adds = 1 }}
dealt    = {{ for = "each", adds = 1 }}
"""


def test_a_row_for_all_counts_for_players_who_sit_out_too(rules: Rules) -> None:
    match = table(rules(EVERYBODY), "lead Ana")
    for text in ("Ana: AS", "QS", "JS", "Ana: AH", "KH", "QH"):
        match.record(text)
    assert match.rounds[0].scores == {"Ana": 31, "Ben": 11, "Cleo": 11, "Dan": 110}
    counters = match.state["bindings"]["counters"]
    assert counters["deals"] == dict.fromkeys(NAMES, 1)
    assert counters["dealt"] == {"Ana": 1, "Ben": 1, "Cleo": 1, "Dan": 0}


def test_a_factor_for_all_multiplies_rows_for_all(faults: Faults) -> None:
    more = '[scores.twice]\nfor = "all"\nfactor = 2\nof = ["each"]\ncite = "3.1"\n'
    text = EVERYBODY.replace("[counters]", f"{more}[counters]")
    assert "the row “each” is for “each”, the factor for “all”" in str(faults(text))
    assert faults(text.replace('["each"]', '["all"]')) == []
