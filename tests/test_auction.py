"""Bidding before play: the order of turns, the rank of bids, the contract, and refused bids."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scorekeeper import (
    Failure,
    Illegal,
    Impossible,
    Match,
    Ruleset,
    Unreadable,
    load_ruleset,
    read_record,
    verify_record,
    write_record,
)
from scorekeeper.engine.loading import check

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
KINDS = ("pairs", "rounds", "once", "each", "levels")


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))


def table(kind: str, *entries: str, **options: object) -> Match:
    """Return a match in which these entries were recorded in order."""
    rules = load_ruleset(f"auction-{kind}", **options)
    match = Match(rules, NAMES[:3] if kind == "pairs" else NAMES)
    for text in entries:
        match.record(text)
    return match


def refused(match: Match, text: str) -> tuple[str, str]:
    """Return the code and the sentence of the finding that refuses an entry."""
    with pytest.raises(Illegal) as caught:
        match.record(text)
    found = next(f for f in caught.value.ruling.findings if f.verdict == "illegal")
    return found.code, found.reason


def bound(match: Match, *names: str) -> list[object]:
    return [match.state["bindings"].get(name) for name in names]


# --- in pairs, by numbers


def test_in_pairs_the_younger_bids_and_the_elder_holds_or_passes() -> None:
    match = table("pairs", "Ben: bid 18", "Ana: hold")
    assert match.to_act == ["Ben"]
    assert refused(match, "bid 18") == (
        "auction.higher",
        "Ben must bid more than 18: 20, 22, 23, 24, …",
    )
    match.record("bid 20")
    assert refused(match, "Ana: bid 22") == (
        "auction.answers",
        "Ana must answer 20: hold, pass",
    )
    match.record("pass")
    assert match.to_act == ["Cleo"]
    match.record("bid 22")
    assert match.to_act == ["Ben"]
    match.record("hold")
    match.record("Cleo: pass")
    assert bound(match, "declarer", "bid") == ["Ben", {"who": "Ben", "says": "22"}]
    assert match.state["phase"] == "naming"


def test_the_last_bidder_wins_who_was_never_held() -> None:
    match = table("pairs", "Ben: pass", "Cleo: bid 18", "Ana: pass")
    assert bound(match, "declarer") == ["Cleo"]
    match = table("pairs", "Ben: pass", "Cleo: bid 18", "Ana: hold", "Cleo: pass")
    assert bound(match, "declarer") == ["Ana"]
    match = table("pairs", "Ben: bid 18", "Ana: pass", "Cleo: pass")
    assert bound(match, "declarer") == ["Ben"]


def test_the_eldest_may_still_bid_when_both_others_have_passed() -> None:
    match = table("pairs", "Ben: pass", "Cleo: pass")
    assert match.to_act == ["Ana"]
    assert refused(match, "hold")[1] == "Ana cannot hold, because there is no bid to answer"
    assert match.legal()[0] == "Ana: bid 18"
    match.record("bid 18")
    assert match.state["phase"] == "naming"


def test_nobody_bids_and_the_same_dealer_deals_again() -> None:
    match = table("pairs", "dealer Ben", *["pass"] * 3)
    assert [match.rounds[0].over, match.rounds[0].scores] == [True, dict.fromkeys(NAMES[:3], 0)]
    assert match.to_act == ["Ana"]
    match = table("pairs", "dealer Ben", *["pass"] * 3, **{"phases.auction.nobody": "next"})
    assert match.to_act == ["Ben"]
    match = table("pairs", *["pass"] * 3, **{"phases.auction.nobody": "grand"})
    assert bound(match, "contract", "declarer") == ["grand", None]


def test_the_declarer_names_the_contract_with_what_it_brings() -> None:
    match = table("pairs", "Ben: bid 18", "pass", "pass")
    assert refused(match, "Ana: grand")[0] == "turn"
    assert refused(match, "Ben: null schneider") == (
        "auction.optional",
        "schneider may not be combined with null",
    )
    match.record("Ben: hearts schwarz")
    assert match.rounds[0].entries[-1] == "Ben: hearts schwarz"
    assert bound(match, "contract", "trump", "options") == [
        "hearts",
        "H",
        ["hand", "schneider", "schwarz"],
    ]
    assert match.state["sides"] == {"soloist": ["Ben"], "defenders": ["Ana", "Cleo"]}
    assert match.to_act == ["Ana"]


def test_the_declarer_alone_may_name_it_early_and_only_where_the_ruleset_lets_them() -> None:
    bids = ("Ben: bid 18", "pass", "pass")
    for early, may in (("auction.bid < 20", [1]), ("auction.bid > 20", []), ("false", [])):
        match = table("pairs", *bids, **{"phases.naming.early": early})
        phase, read = match.ruleset.phases["naming"], match.notation.read
        acts = [read(f"{name}: grand") for name in NAMES[:3]]
        assert [act.seat for act in acts if phase.may_act_early(match.current_round, act)] == may
        rnd = match.current_round
        assert bool(list(phase.options(rnd))) == (rnd.is_current(phase) or bool(may))


def test_what_is_played_is_a_fact_where_nobody_bids() -> None:
    match = table("pairs", "contract Ben: 18 grand hand", "dealer Ana")
    assert bound(match, "contract", "declarer", "options") == ["grand", "Ben", ["hand"]]
    assert match.to_act == ["Ben"]
    match.record("contract Cleo: hearts")
    assert bound(match, "declarer", "trump", "bid") == ["Cleo", "H", None]
    assert refused(match, "Ben: bid 18")[0] == "verb"
    with pytest.raises(Failure, match="“hearts” cannot follow null"):
        match.record("contract Ben: null hearts")


def test_a_result_says_what_was_played_by_whom_for_which_bid() -> None:
    match = table("pairs", "result contract=grand+hand declarer=be bid=18 points=70")
    assert match.rounds[0].scores == {"Ana": 0, "Ben": 48, "Cleo": 0}
    (line,) = match.rounds[0].lines
    assert (line.code, line.to, line.points) == ("scores.won", "soloist", 48)
    for text, message in (
        ("result contract=grand points=70", "the result must name the declarer"),
        ("result declarer=Ben points=70", "the result must name the contract"),
        ("result contract=grandd declarer=Ben points=70", "“grandd” is not a contract"),
        ("result contract=grand declarer=Ben bid=19 points=70", "19 cannot be bid"),
        ("result contract=grand declarer=Nina points=70", "no player is called"),
    ):
        with pytest.raises(Failure, match=message):
            match.record(text)
    match = table("pairs", "contract Ben: hearts")
    with pytest.raises(
        Failure, match="according to the entries, hearts is being played, not grand"
    ):
        match.record("result contract=grand points=70")
    with pytest.raises(Failure, match="Ben declared the contract"):
        match.record("result declarer=Ana points=70")
    match.record("result points=61")
    assert match.rounds[0].scores == {"Ana": 0, "Ben": 10, "Cleo": 0}


# --- in two rounds, a card turned up


def test_the_card_turned_up_is_known_before_anybody_bids() -> None:
    match = table("rounds")
    assert match.to_act == []
    assert match.prompt == "the turned-up card must be entered: turnup CARD, or trump SUIT"
    assert refused(match, "Ana: pass")[0] == "verb"
    match.record("turnup QH")
    assert match.legal() == ["Ana: hearts", "Ana: hearts alone", "Ana: pass"]
    with pytest.raises(Failure, match="QH was turned up, but its suit is not S"):
        match.record("trump S")
    assert table("rounds", "trump S").legal()[0] == "Ana: spades"
    said = match.record("hand Ana: QH JH 9H AH KH").findings
    assert "QH was turned up, but is also in a hand" in said[0].reason


def test_the_second_round_is_of_the_other_suits_and_the_dealer_must_bid() -> None:
    match = table("rounds", "turnup QH", *["pass"] * 3)
    match.record("Dan: pass")
    assert match.to_act == ["Ana"]
    assert refused(match, "hearts") == ("auction.offered", "Ana may not play hearts now")
    for _ in range(3):
        match.record("pass")
    assert refused(match, "Dan: pass") == ("auction.must-bid", "Dan may not pass")
    match.record("Dan: spades alone")
    assert bound(match, "contract", "trump", "turned", "options") == [
        "spades",
        "S",
        "H",
        ["alone"],
    ]


def test_what_was_bid_is_doubled_until_a_card_is_laid() -> None:
    match = table("rounds", "turnup QH", "Ana: hearts")
    assert match.state["phase"] == "tricks"
    for text, why in (
        ("Ana: double", "Ana made the bid, so only the other side may say that"),
        ("Cleo: double", "Ana made the bid, so only the other side may say that"),
        ("Ana: redouble", "double must come first"),
    ):
        code, reason = refused(match, text)
        assert code == f"auction.doubling-{text.partition(': ')[2]}"
        assert reason.endswith(why)
    with pytest.raises(Unreadable, match="who made the entry"):
        match.record("double")
    match.record("Dan: double")
    assert match.to_act == ["Ana"]
    assert {"Ana: redouble", "Cleo: redouble"} <= set(match.legal())
    assert refused(match, "Ben: redouble")[1].endswith("so only Ana's side may say that")
    match.record("Cleo: redouble")
    assert bound(match, "doubled") == [2]
    assert refused(match, "Dan: double")[1].endswith("the bid has already been doubled twice")
    match.record("Ana: 9C")
    assert refused(match, "Ben: double")[0] == "verb"


def test_who_declares_and_who_is_against_them_are_roles() -> None:
    match = table("rounds", "turnup QH", "Ana: hearts", "Ben: double")
    for card in ("AC 9C TC QC", "AS 9S TS QS", "AD 9D TD QD", "AH JH KH TH", "KC KD KS 9H"):
        for text in match.notation.split_line(card):
            match.record(text)
    assert match.rounds[0].over
    assert match.rounds[0].scores == {"Ana": 2, "Ben": 0, "Cleo": 2, "Dan": 0}
    (line,) = match.rounds[0].lines
    assert (line.code, line.to) == ("scores.made", "Ana+Cleo")


# --- once round, contracts by rank


def test_the_highest_of_what_everyone_said_once_is_played() -> None:
    match = table("once", "Ana: rufspiel AS", "Ben: wenz")
    code, reason = refused(match, "Cleo: rufspiel AC")
    assert (code, reason) == (
        "auction.higher",
        "Cleo must bid more than wenz: club-solo, heart-solo",
    )
    match.record("Cleo: heart-solo")
    assert refused(match, "Dan: club-solo")[1] == "no bid is higher than heart-solo"
    match.record("Dan: pass")
    assert bound(match, "contract", "declarer", "trump") == ["heart-solo", "Cleo", "H"]
    assert match.to_act == ["Cleo"]


def test_nobody_bids_and_another_contract_is_played() -> None:
    match = table("once", "pass", "pass", "pass")
    assert refused(match, "Dan: ramsch")[0] == "auction.offered"
    match.record("pass")
    assert bound(match, "contract", "declarer") == ["ramsch", None]
    assert match.state["sides"]["others"] == NAMES


def test_a_card_is_called_by_who_has_its_suit_and_not_the_card() -> None:
    match = table("once", "hand Ana: AC TC QC QS JD KD QD 7S")
    for card, why in (("AC", "they hold that card"), ("AD", "they have no other card of its suit")):
        if card == "AD":
            match = table("once", "hand Ana: AC TC QC QS JD JS QD 7S")
        code, reason = refused(match, f"Ana: rufspiel {card}")
        assert code == "auction.called"
        assert why in reason
    assert (
        refused(match, "Ana: rufspiel TC")[1]
        == "Ana may not call TC: only AC, AS or AD may be called"
    )
    match.record("Ana: rufspiel AS")
    for text in ("rufspiel", "rufspiel AC AD", "wenz AC", "rufspiel alone"):
        with pytest.raises(Unreadable):
            match.record(f"Ben: {text}")


def test_a_call_that_was_not_allowed_is_proven_when_the_card_is_played() -> None:
    match = table("once")
    assert match.record("rufspiel AS").verdict == "open"
    for _ in range(3):
        match.record("pass")
    shown = match.record("Ana: AS").findings
    found = [finding for finding in shown if finding.verdict != "legal"]
    assert [(f.code, f.verdict) for f in found] == [("auction.called", "illegal")]
    assert [f.code for f in shown if f not in found] == ["parties.proven", "parties.alone"]
    assert "Ana should not have called AS" in found[0].reason


def test_the_side_of_who_doubles_is_a_claim() -> None:
    match = table("once", "rufspiel AS", *["pass"] * 3, "Ben: kontra")
    for text in ("Ana: 7S", "8S", "9S"):
        assert match.record(text).verdict == "legal"
    match.record("AS")
    assert match.state["sides"]["player"] == ["Ana", "Dan"]
    match = table("once", "rufspiel AS", *["pass"] * 3, "Ben: kontra", "Ana: 7S")
    found = [each for each in match.record("Ben: AS").findings if each.verdict != "legal"]
    assert [(f.code, f.verdict) for f in found] == [("auction.doubling-kontra", "illegal")]


def test_what_a_contract_needs_is_a_claim() -> None:
    match = table("once", "hand Ana: AC TC QC QS KC KD QD 7S")
    assert refused(match, "Ana: wenz") == (
        "auction.needs",
        "Ana may say wenz only with at least 1 card of rank J",
    )
    assert match.record("Ana: pass").verdict == "legal"
    assert match.record("Ben: wenz").verdict == "open"


# --- a number from each


def test_everyone_names_a_number_and_all_of_them_count() -> None:
    match = table("each", "Ana: bid 4", "bid 3", "bid 2")
    assert refused(match, "Dan: bid 4") == ("auction.hook", "Dan may not say 4 now")
    match.record("Dan: bid 3")
    assert bound(match, "bids", "declarer") == [
        {"Ana": "4", "Ben": "3", "Cleo": "2", "Dan": "3"},
        None,
    ]
    assert match.to_act == ["Ana"]
    for text in ("bid 14", "bid", "bid x", "bid -1", "pass", "hold", "contract Ana: x"):
        with pytest.raises(Unreadable):
            match.record(text if ":" in text else f"Ana: {text}")


def test_the_number_that_a_player_named_is_a_measure() -> None:
    row = {"for": "each", "points": "own.bid", "cite": "3.1"}
    rows = {"sides.number": 0, "scores.odd-tricks": False, "scores.bid": row}
    match = table("each", "Ana: bid 4", "bid 3", "bid 2", "bid 0", **rows)
    play_on(match, Random(1))
    assert match.rounds[0].scores == {"Ana": 4, "Ben": 3, "Cleo": 2, "Dan": 0}


# --- levels and suits


def test_a_bid_of_a_level_and_a_suit_is_higher_by_its_level_then_its_suit() -> None:
    match = table("levels", "Dan: pass", "Ana: bid 1H")
    assert refused(match, "Ben: bid 1 diamonds")[1] == (
        "Ben must bid more than 1H: 1S, 1NT, 2C, 2D, …"
    )
    match.record("Ben: bid 1nt")
    assert match.rounds[0].entries[-1] == "Ben: bid 1NT"
    match.record("Cleo: bid 2♥")
    assert match.rounds[0].entries[-1] == "Cleo: bid 2H"
    for text in ("bid 8H", "bid H", "bid 1", "bid 1X", "bid 1H 2", "8 hearts", "1"):
        with pytest.raises(Unreadable):
            match.record(f"Dan: {text}")


def test_passing_open_and_doubling_in_turn() -> None:
    match = table("levels", "Dan: bid 1C", "Ana: pass", "Ben: pass")
    match.record("Cleo: double")
    assert match.to_act == ["Dan"]
    assert refused(match, "Ana: redouble")[0] == "turn"
    for text in ("pass", "pass", "redouble", "pass", "Dan: bid 2C"):
        match.record(text)
    assert bound(match, "doubled") == [None]
    for _ in range(3):
        assert match.state["phase"] == "auction"
        match.record("pass")
    assert bound(match, "declarer", "contract") == ["Dan", "clubs"]
    assert match.to_act == ["Ana"]


def test_all_pass_and_the_next_deals() -> None:
    match = table("levels", *["pass"] * 4)
    assert match.rounds[0].over
    assert match.to_act == ["Ana"]


def test_a_double_at_any_time_may_end_the_bids() -> None:
    match = table("levels", "Dan: bid 1C", "Ana: pass", **{"phases.auction.doubling": "ends"})
    assert refused(match, "Ben: double")[0] == "auction.doubling-double"
    match.record("Cleo: double")
    assert [match.state["phase"], *bound(match, "declarer", "doubled")] == ["tricks", "Dan", 1]
    assert "Ben: redouble" in match.legal()


# --- what may be typed short


def test_a_text_that_is_a_bid_is_read_as_one_while_bids_are_made() -> None:
    match = table("levels", "1C")  # a card is called 2S, and none 1C
    for text in ("2S", "Ana: 2S", "2 spades", "Ana: 2♠", "bid 2s"):
        assert match.judge(text).entry == "Ana: bid 2S"
    assert match.judge("1NT").entry == "Ana: bid 1NT"
    assert match.judge("8S").entry == "Ana: 8S"  # There is no bid at that level.
    match.record("2S")
    assert refused(match, "2H") == (
        "auction.higher",
        "Ben must bid more than 2S: 2NT, 3C, 3D, 3H, …",
    )
    for text in ("pass", "pass", "pass"):
        match.record(text)
    match.record("Ben: 2S")  # now it is a card
    assert match.rounds[0].entries[-1] == "Ben: 2S"
    with pytest.raises(Impossible, match="“2 spades” has no meaning at this point"):
        match.judge("2 spades")


def test_a_contract_alone_is_the_one_bid_that_it_may_be_or_is_refused_with_all() -> None:
    match = table("levels", "6S")
    with pytest.raises(Impossible, match="“Ana: bid 6NT” or “Ana: bid 7NT”"):
        match.judge("nt")
    assert match.judge("H").entry == "Ana: bid 7H"
    assert match.judge("Ana: clubs").entry == "Ana: bid 7C"


def test_a_suit_that_several_contracts_have_is_refused_with_both() -> None:
    both = {"contracts.grand.trump": "H"}
    match = table("pairs", "Ben: bid 18", "pass", "pass", **both)
    with pytest.raises(Unreadable, match="“H” may mean “hearts” or “grand”"):
        match.judge("name H")
    assert table("pairs", "Ben: bid 18", "pass", "pass").judge("Ben: H").entry == "Ben: hearts"


def test_a_number_alone_is_a_bid_where_numbers_are_bid() -> None:
    match = table("pairs")
    assert match.judge("18").entry == match.judge("Ben: 18").entry == "Ben: bid 18"
    with pytest.raises(Unreadable, match="19 cannot be bid"):
        match.judge("Ben: 19")
    match = table("each", "3")
    assert match.rounds[0].entries == ["Ana: bid 3"]


def test_a_card_shown_while_bids_are_made_is_typed_with_its_word(tmp_path: Path) -> None:
    match = table("levels", "1C", "Cleo: play 2S !withdrawn", "2S", *["pass"] * 3, "Ben: play 3S")
    entries = match.rounds[0].entries
    assert entries[1] == "Cleo: play 2S !withdrawn"
    assert entries[-1] == "Ben: 3S"
    write_record(match, tmp_path / "shown.toml")
    assert verify_record(tmp_path / "shown.toml")["ok"]
    assert read_record(tmp_path / "shown.toml").rounds[0].entries == entries


def test_a_number_may_be_called_by_a_word() -> None:
    called = {"words": {"7": ["slam", "the lot"], "1": ["one"]}}
    match = table("levels", **called)
    for text in ("bid slam hearts", "the lot H", "7H", "Dan: 7 hearts"):
        assert match.judge(text).entry == "Dan: bid slam H"
    match.record("slam nt")
    assert match.prompt == "Ana says double or pass"
    assert bound(match, "bid") == [{"who": "Dan", "says": "slam NT"}]
    assert table("each", words={"0": ["nil"]}).judge("nil").entry == "Ana: bid nil"
    result = "result contract=grand declarer=Ben bid={} points=70"
    for bid in ("top", "40"):
        match = table("pairs", result.format(bid), words={"40": ["top"]})
        assert next(iter(match.summaries()))["facts"]["bid"] == "top"


# --- when nobody can say anything but pass

DOUBLED = {"word": "barred-bid", "when": "auction.doubled > 0", "cite": "2.1"}


def redoubled() -> Match:
    """Return a match whose auction forbids bids after a double. This one was doubled twice."""
    return table("levels", "1C", "double", "redouble", **{"clauses.doubled": DOUBLED})


def test_an_auction_ends_when_nobody_can_say_anything_but_pass() -> None:
    match = redoubled()
    assert match.state["phase"] == "tricks"
    assert bound(match, "declarer", "contract", "doubled") == ["Dan", "clubs", 2]
    match = table("levels", "7NT")
    for said in ("double or pass", "pass", "double or pass"):  # their side may double it
        assert match.prompt.endswith(f" says {said}")
        match.record("pass")
    assert match.state["phase"] == "tricks"


def test_passes_that_are_said_all_the_same_change_nothing(tmp_path: Path) -> None:
    match = redoubled()
    before = [match.state[key] for key in ("phase", "to_act", "bindings", "players")]
    assert refused(match, "Dan: pass")[0] == "verb"  # Cleo would be next
    for text in ("Cleo: pass", "pass", "Ana: pass"):
        match.record(text)
        assert [match.state[key] for key in ("phase", "to_act", "bindings", "players")] == before
    assert match.rounds[0].entries[-2:] == ["Dan: pass", "Ana: pass"]
    assert refused(match, "Ben: pass")[0] == "verb"
    write_record(match, tmp_path / "passes.toml")
    assert verify_record(tmp_path / "passes.toml")["ok"]
    begun = redoubled()
    begun.record("Ana: AC")
    assert refused(begun, "Cleo: pass")[0] == "verb"


def test_a_bid_after_the_last_that_could_be_made_is_told_why() -> None:
    assert refused(redoubled(), "Cleo: bid 2C")[0] == "auction.doubled"
    with pytest.raises(Impossible, match="the bidding is over"):
        redoubled().record("Cleo: bid 2C !stands")


def test_a_prompt_names_what_may_be_said_and_nothing_else() -> None:
    for entries, prompt in (
        ([], "Dan bids, or says pass"),
        (["1C"], "Ana bids more than 1C, or says double or pass"),
        (["1C", "double"], "Ben says redouble or pass"),
        (["1C", "double", "pass"], "Cleo says pass"),
    ):
        assert table("levels", *entries, **{"clauses.doubled": DOUBLED}).prompt == prompt
    must = {"clauses.must-bid": {"cite": "2.1"}}
    assert table("levels", *["pass"] * 3, **must).prompt == "Cleo bids"


# --- what is said with a contract


def test_an_option_may_make_a_bid_higher() -> None:
    ranks = ["wenz tout", ["club-solo", "heart-solo"], "wenz", "rufspiel"]
    options = {"options": {"tout": {"with": ["wenz"]}}, "phases.auction.ranks": ranks}
    match = table("once", "Ana: wenz", "Ben: club-solo", **options)
    assert refused(match, "Cleo: wenz")[1] == ("Cleo must bid more than club-solo: wenz tout")
    match.record("Cleo: wenz tout")
    assert refused(match, "Dan: heart-solo")[0] == "auction.higher"
    match.record("Dan: pass")
    assert bound(match, "contract", "options", "declarer") == ["wenz", ["tout"], "Cleo"]


def test_an_option_brings_others_where_the_contract_takes_them() -> None:
    implies = {"options.ouvert.implies": ["schwarz"]}
    bids = ("Ben: bid 18", "pass", "pass")
    match = table("pairs", *bids, "Ben: null ouvert", **implies)
    assert bound(match, "options") == [["ouvert"]]
    match = table("pairs", *bids, "Ben: grand ouvert", **implies)
    assert bound(match, "options") == [["hand", "schneider", "schwarz", "ouvert"]]


def test_what_is_named_may_be_barred_by_what_is_said_with_it() -> None:
    row = {"word": "barred-bid", "on": ["name"], "cite": "2.1"}
    row["when"] = "bid.null and bid.fixed < auction.bid or bid.ouvert and not bid.hand"
    match = table("pairs", "Ben: bid 24", "pass", "pass", **{"clauses.dear": row})
    for text in ("null", "null hand", "grand ouvert"):
        assert refused(match, f"Ben: {text}") == ("auction.dear", f"Ben may not say {text} now")
    match.record("Ben: grand hand ouvert")


def test_the_partner_of_who_plays_alone_may_lay_no_cards() -> None:
    rests = {"options.alone.rests": "partner"}
    match = table("rounds", "turnup QH", "Ana: hearts alone", **rests)
    for text in ("Ana: AH", "Ben: 9H", "Dan: TH"):
        match.record(text)
    assert match.state["players"]["Cleo"]["cards"] == 5
    assert match.to_act == ["Ana"]


# --- rulesets with mistakes


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("pairs", {"phases.auction.bids": "18 17"}, "the numbers rise"),
        ("pairs", {"phases.auction.bids": ""}, "nothing can be bid"),
        ("pairs", {"phases.auction.bids": "18 hearts"}, "is not a whole number"),
        ("pairs", {"phases.auction.bids": "contracts"}, "names the contract already"),
        ("pairs", {"phases.auction.nobody": "ramsch"}, "names no contract: ramsch"),
        ("pairs", {"phases.auction.doubles": ["pass"]}, "a word has a meaning already"),
        ("pairs", {"contracts.clubs.trump": "X"}, "is not a suit of the pack"),
        ("pairs", {"contracts.clubs.is": {"hand": 1}}, "two measures would be called"),
        ("pairs", {"contracts.clubs.is": {"declared": 1}}, "two measures would be called"),
        ("pairs", {"options.hand.implies": ["hnd"]}, "names no row: hnd"),
        ("pairs", {"options.hand.with": ["gran"]}, "names no row: gran"),
        ("once", {"contracts.rufspiel.calls": ["1C"]}, "names no card of the pack"),
        ("once", {"contracts.wenz.needs": "counts > 0"}, "unknown measure"),
        (
            "rounds",
            {"contracts.clubs.needs": "count(dealt & trumps) > 0", "contracts.clubs.order": ""},
            "which order",
        ),
        ("once", {"phases.auction.ranks": ["wens"]}, "wenz"),
        ("each", {"phases.auction.bids": "contracts"}, r"needs a table \[contracts\]"),
        ("rounds", {"contracts.clubs.when": "contract.turnd"}, "unknown measure"),
    ],
)
def test_a_mistake_in_a_ruleset_is_told(
    kind: str, options: dict[str, object], message: str
) -> None:
    with pytest.raises(Failure, match=message):
        load_ruleset(f"auction-{kind}", **options)


@pytest.mark.parametrize("kind", KINDS)
def test_the_rulesets_have_no_faults(kind: str) -> None:
    assert check(f"auction-{kind}")[2] == []


# --- any course of play


def dealt(rules: Ruleset, random: Random, names: list[str]) -> list[str]:
    """Return the facts of a start: everyone's hand, and a card that is turned up."""
    cards, size = list(rules.pack.kinds), rules.deal_size(len(names))
    random.shuffle(cards)
    facts = []
    for name in names:
        facts.append(f"hand {name}: {' '.join(cards[:size])}")
        del cards[:size]
    return [*facts, f"turnup {cards[0]}"] if "turnup" in rules.entry_types else facts


def play_on(match: Match, random: Random) -> None:
    """Play the round to its end by chance. Players pass more often than they raise."""
    while not match.rounds or not match.rounds[-1].over:
        may = [text for text in match.legal() if "…" not in text]
        passes = [text for text in may if text.endswith((": pass", ": hold"))]
        match.record(random.choice(passes if passes and random.random() < 0.6 else may))


def evening(kind: str, seed: int) -> Match:
    """Play two rounds with known hands by chance."""
    random, match = Random(f"{kind} {seed}"), table(kind)
    for _ in range(2):
        for text in dealt(match.ruleset, random, list(match.players)):
            match.record(text)
        match.record("note the deal")
        play_on(match, random)
    return match


def told(match: Match) -> tuple[object, ...]:
    entries = [list(played.entries) for played in match.rounds]
    scores = [(played.over, played.scores) for played in match.rounds]
    return entries, scores, match.standing, match.state, match.legal()


each = pytest.mark.parametrize("kind", KINDS)
seeded = pytest.mark.parametrize("seed", range(4))


@each
@seeded
def test_what_was_played_is_replayed_and_undone(kind: str, seed: int, tmp_path: Path) -> None:
    match, again = evening(kind, seed), table(kind)
    states = []
    for played in match.rounds:
        for text in played.entries:
            states.append((text, told(again)))
            assert again.notation.read(text).text == text
            again.record(text)
    assert told(again) == told(match)
    path = tmp_path / "record.toml"
    write_record(match, path)
    assert told(read_record(path)) == told(match)
    assert verify_record(path)["ok"]
    for text, before in reversed(states):
        assert again.undo() == text
        assert told(again) == before


@each
@seeded
def test_hands_unseen_never_accuse_who_kept_the_rules(kind: str, seed: int) -> None:
    match, unseen = evening(kind, seed), table(kind)
    for played in match.rounds:
        for text in played.entries:
            if not text.startswith("hand "):
                assert unseen.record(text).verdict in ("legal", "open"), text
    for known, found in zip(match.rounds, unseen.rounds, strict=True):
        assert found.scores in (None, known.scores)


@pytest.mark.parametrize(
    ("kind", "entries", "said"),
    [
        ("pairs", ["Ben: bid 18", "Ana: hold"], "Ben: bid 18; Ana: hold"),
        ("pairs", ["contract Ben: 18 grand hand"], "contract Ben: 18 grand hand"),
        ("rounds", ["turnup QH", "hearts", "Ben: double", "AC", "9C", "TC", "KC"], "Ben: double"),
        ("once", ["rufspiel AS", "wenz", "pass", "pass", "Dan: kontra", "AC"], "Ben: wenz"),
        ("each", ["bid 1", "bid 2", "bid 3", "bid 4", "AC"], "Dan: bid 4"),
    ],
)
def test_a_position_says_what_was_bid(kind: str, entries: list[str], said: str) -> None:
    match = table(kind, *entries)
    assert said in match.position
    again = Match.from_position(match.ruleset, match.position)
    assert (again.to_act, again.state["bindings"]) == (match.to_act, match.state["bindings"])


@each
def test_whatever_is_typed_is_answered(kind: str) -> None:
    match, random = table(kind), Random(kind)
    words = ["bid", "hold", "pass", "18", "1H", "hearts", "hand", "AS", "double", "contract", ":"]
    words += ["Ana:", "Ben:", "turnup", "QH", "grand", "alone", "rufspiel", "all:", "kontra", "٣"]
    for _ in range(400):
        text = " ".join(random.choices(words, k=random.randint(1, 5)))
        try:
            match.record(text)
        except Failure as failure:
            assert failure.message.isprintable()
    for text in match.legal():
        assert match.judge(text).verdict != "illegal"


def test_a_contract_that_is_named_late_makes_trumps_of_cards_on_the_table(tmp_path: Path) -> None:
    path = tmp_path / "late.toml"
    path.write_text(LATE, "utf-8")
    match = Match(load_ruleset(str(path)), NAMES)
    hands = {"Ben": "7H 6H 5H", "Cleo": "2C 4D 8D", "Dan": "3C 5S 6S"}
    for name, cards in hands.items():
        match.record(f"hand {name}: {cards}")
    for text in ("Ana: bid 1", "Ben: pass", "Cleo: pass", "Dan: pass", "Ana: 4C"):
        match.record(text)
    assert refused(match, "Ana: hearts")[0] == "verb"  # nobody has asked
    match.record("Ben: 7H")
    assert refused(match, "Cleo: ask")[0] == "holdings.announced-when"  # Cleo could follow
    for text in ("Cleo: 2C", "Dan: 3C"):
        match.record(text)
    assert match.state["players"]["Ana"]["tricks"] == 1  # no trumps yet
    for text in ("Ana: 8C", "Ben: 6H", "Cleo: ask"):
        match.record(text)
    assert refused(match, "Ben: hearts")[0] == "verb"  # Ana is the declarer
    match.record("hearts")
    assert refused(match, "Ana: spades")[0] == "verb"  # named already
    for text in ("Cleo: 4D", "Dan: 5S"):
        match.record(text)
    assert match.state["players"]["Ben"]["tricks"] == 1  # the six of hearts was played before
    assert match.to_act == ["Ben"]


LATE = """
extends = "fixed-trump"
name = "late"
language = 4
rules = "fixed-trump"
deal.cards = 3
match.ends = "rounds >= 2"
[orders]
plain = { trumps = [] }
trump = ["*{trump}"]
[contracts]
defaults = { order = "trump" }
spades = "S"
hearts = "H"
[phases.auction]
bids = "1 2 3"
before = "tricks"
cite = "2.1"
[phases.naming]
late = "announced.ask"
before = "tricks"
cite = "2.1"
[phases.tricks]
order = "plain"
[calls]
cite = "2.1"
[calls.ask]
when = "trick.number > 0 and own.turn and not trick.leads and count(hand & led) == 0"
cite = "2.1"
"""
