"""The common knowledge of sides at the table.

The tests cover when the sides are clear and to whom, who is publicly alone, and when a deal is
decided. Entered hands, and counting cards, do not make a side public.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from scorekeeper import Match, Ruleset, load_ruleset
from scorekeeper.engine.round import opponents
from tests.doppelkopf_deals import deal, entries

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
TOLD = """
name = "evidence"
extends = "doppelkopf-ddv"

[clauses.clear]
word = "remark"
phase = "table"
on = ["note"]
when = "sides.clear"
say = "the sides are clear"
cite = "12.2"

[clauses.lone]
word = "remark"
phase = "table"
on = ["note"]
when = "sides.alone"
say = "somebody is alone"
cite = "12.4"

[clauses.decided]
word = "remark"
phase = "table"
on = ["note"]
when = "decided"
say = "a side has won"
cite = "12.5"

[penalties.weighed]
culprit = "-1 if opposes else -2"
cite = "12.4"
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    path = tmp_path_factory.mktemp("rules") / "evidence.toml"
    path.write_text(TOLD, encoding="utf-8")
    return load_ruleset(str(path))


@pytest.fixture
def begun(rules: Ruleset) -> Callable[..., Match]:
    """Return a match in which these entries were recorded. Each text has one entry or several."""

    def begin(*texts: str, names: list[str] = NAMES) -> Match:
        match = Match(rules, names)
        record(match, *texts)
        return match

    return begin


Begin = Callable[..., Match]


def record(match: Match, *texts: str) -> None:
    for text in texts:
        for each in text.split(", "):
            match.record(each)


def told(match: Match) -> dict[str, str]:
    """Return the current facts with the verdict of the note on each: legal, or open."""
    findings = match.judge("note now").findings
    return {each.code.removeprefix("table."): each.verdict for each in findings}


def is_clear(match: Match) -> bool:
    return "clear" in told(match)


def is_alone(match: Match) -> bool:
    return "lone" in told(match)


def decided(match: Match) -> bool | None:
    """Return whether a side has won, or None if that is unknown."""
    verdict = told(match).get("decided")
    return {None: False, "legal": True, "open": None}[verdict]


def against(match: Match, name: str) -> list[str]:
    """Return the opponents of a player as far as they are public."""
    return match.current_round.names_of(opponents(match.current_round, NAMES.index(name)))


# --- clear by the contract


def test_a_solo_makes_the_sides_clear_when_all_have_spoken(begun: Begin) -> None:
    match = begun("Ana: gesund, Ben: damensolo")
    assert told(match) == {}
    record(match, "all: gesund")
    assert told(match) == {"clear": "legal", "lone": "legal"}
    assert against(match, "Ana") == ["Ben"]
    assert against(match, "Ben") == ["Ana", "Cleo", "Dan"]


def test_a_hochzeit_is_clear_with_the_trick_that_finds_the_partner(begun: Begin) -> None:
    match = begun("Ana: hochzeit, all: gesund, Ana: 9C, KC, AC")
    assert not is_clear(match)
    assert decided(match) is False
    record(match, "9C")
    assert is_clear(match)
    assert not is_alone(match)
    assert against(match, "Ana") == ["Ben", "Dan"]
    assert decided(match) is False


def test_a_hochzeit_that_finds_nobody_is_clear_from_the_fourth_trick(begun: Begin) -> None:
    match = begun("Ana: hochzeit, all: gesund")
    record(match, "Ana: AC, 9C, 9C, KC, AS, 9S, 9S, KS, AH, 9H, 9H")
    assert told(match) == {}
    record(match, "KH")
    assert told(match) == {"clear": "legal", "lone": "legal"}
    assert against(match, "Dan") == ["Ana"]


def test_what_is_called_while_a_partner_is_sought_says_nothing(begun: Begin) -> None:
    match = begun("Ana: hochzeit, all: gesund, Ana: AC, Ben: re !stands, Cleo: kontra !stands")
    assert not is_clear(match)


# --- clear by cards


def test_two_seats_that_showed_the_card_settle_the_rest(begun: Begin) -> None:
    match = begun("all: gesund, Ana: QC, 9D, 9D, JD")
    assert not is_clear(match)
    assert against(match, "Ana") == []
    record(match, "Ana: AS, QC !stands")
    assert is_clear(match)
    assert not is_alone(match)
    assert against(match, "Dan") == ["Ana", "Ben"]


def test_both_cards_from_one_seat_make_it_alone_when_the_second_lies(begun: Begin) -> None:
    match = begun("all: gesund, Ana: QC, 9D, 9D, JD")
    assert told(match) == {}
    record(match, "Ana: QC")
    assert told(match) == {"clear": "legal", "lone": "legal"}
    assert against(match, "Cleo") == ["Ana"]


def test_a_card_that_was_taken_back_has_been_seen(begun: Begin) -> None:
    match = begun("all: gesund, Ana: AC, Ben: QC !withdrawn, 9C, Cleo: 9C, TC")
    assert not is_clear(match)
    record(match, "Ana: TD, QC")  # the same card
    assert not is_clear(match)
    record(match, "Cleo: 9D, QC")
    assert is_clear(match)


def test_it_was_seen_beside_what_lay_before(begun: Begin) -> None:
    match = begun("all: gesund, Ana: QC, 9D, 9D, JD, Ana: QH, JD, QD, QC !withdrawn, KD")
    assert told(match) == {"clear": "legal"}
    match = begun("all: gesund, Ana: QC, 9D, 9D, JD, Ana: QH, JD, QD, KD, Ana: QC !withdrawn")
    assert told(match) == {"clear": "legal", "lone": "legal"}


def test_a_card_that_cannot_have_been_in_the_hand_says_nothing(begun: Begin) -> None:
    plain = "hand Ben: 9S 9S AS AS TS TS KS KS 9C 9C AC KC"
    match = begun(plain, "all: gesund, Ana: QC, Ben: QC !withdrawn, 9C")
    assert not is_clear(match)
    assert match.rounds[0].entries[2] == "Ana: QC"


def test_a_card_that_was_seen_in_a_hand_is_public(begun: Begin) -> None:
    match = begun("all: gesund, Ana: 9D")
    record(match, "holds Ana: QC, holds Ana: QC")  # Named twice, it is the same card.
    assert told(match) == {}
    record(match, "holds Ana: QC QC")
    assert told(match) == {"clear": "legal", "lone": "legal"}


def test_a_hand_that_was_entered_is_not_public(begun: Begin) -> None:
    match = begun("hand Ana: QC QC 9D 9D JD JD JS JS JC JC TD TD, all: gesund, Ana: 9D")
    record(match, "hand Ben: 9S 9S AS AS TS TS KS KS 9C 9C KD AD")
    assert told(match) == {}
    assert match.state["sides"]["re"] == ["Ana"]


def test_counting_makes_nothing_clear(begun: Begin) -> None:
    """Count cards until all hands but one have none of them: that is proven but not public."""
    others = "9S 9S AS AS TS TS KS KS 9C 9C AC AC"
    rest = "TC TC KC KC 9H 9H AH AH KH KH 9D JD"
    last = "TH TH QS QS QH QH QD QD JC JC JS JS"
    match = begun(f"hand Ben: {others}, hand Cleo: {rest}, hand Dan: {last}, all: gesund")
    assert match.state["sides"] == {"re": ["Ana"], "kontra": ["Ben", "Cleo", "Dan"]}
    assert told(match) == {}


# --- clear by what was not followed


def test_three_who_did_not_follow_trumps_settle_the_fourth(begun: Begin) -> None:
    match = begun("all: gesund, Ana: TD, Ben: 9C, Cleo: 9C")
    assert not is_clear(match)
    record(match, "Dan: 9S")
    assert is_clear(match)
    assert not is_alone(match)  # No player has seen both cards.
    assert against(match, "Ben") == ["Ana"]


def test_who_did_not_follow_another_suit_has_said_nothing(begun: Begin) -> None:
    match = begun("all: gesund, Ana: AC, Ben: 9S, Cleo: 9S, Dan: KS")
    assert not is_clear(match)


def test_who_has_shown_the_card_says_nothing_by_having_no_more_trumps(begun: Begin) -> None:
    match = begun("all: gesund, Ana: QC, 9D, 9D, JD, Ana: AC, 9C, TC, 9C, Ana: AS, 9S, QH, KS")
    record(match, "Cleo: TD, Dan: KD, Ana: 9H")
    assert not is_clear(match)
    record(match, "Ben: 9H")
    assert not is_clear(match)  # Ana is re, Ben is not
    record(match, "Cleo: KD, Dan: TS, Ana: KH, Ben: KS")
    assert not is_clear(match)  # Dan is not either; Ana may have both cards, or Cleo one
    assert against(match, "Ben") == ["Ana"]
    record(match, "Cleo: QC")
    assert is_clear(match)
    assert against(match, "Ben") == ["Ana", "Cleo"]


def test_a_trump_that_is_shown_later_takes_the_evidence_away(begun: Begin) -> None:
    match = begun("all: gesund, Ana: TD, Ben: 9C, Cleo: 9C, Dan: 9S")
    assert is_clear(match)
    record(match, "Ana: AC, KC, TC")
    assert is_clear(match)
    record(match, "Dan: 9D")
    assert not is_clear(match)
    match.undo()
    assert is_clear(match)
    record(match, "Dan: QH !withdrawn")
    assert not is_clear(match)


def test_a_play_against_the_rules_says_nothing(begun: Begin) -> None:
    hand = "hand Dan: 9S 9D JD JD JS JS JC JC JH JH QS QS"
    match = begun(hand, "all: gesund, Ana: TD, Ben: 9C, Cleo: 9C, Dan: 9S !stands")
    assert not is_clear(match)
    match = begun("all: gesund, Ana: TD, Ben: 9C, Cleo: 9C, Dan: 9S")
    assert is_clear(match)
    record(match, hand.replace("9S ", ""))  # An entered hand proves a fact that no player has seen.
    assert not is_clear(match)


def test_a_card_that_was_laid_before_does_not(begun: Begin) -> None:
    match = begun("all: gesund, Ana: TD, 9D, 9D, KD, Ana: QH, Ben: 9C, Cleo: 9C, Dan: 9S")
    assert is_clear(match)
    assert against(match, "Dan") == ["Ana"]


def test_a_play_that_was_taken_back_is_no_play(begun: Begin) -> None:
    match = begun("all: gesund, Ana: TD, Ben: 9C, Cleo: 9C, Dan: 9S !withdrawn")
    assert not is_clear(match)
    record(match, "Dan: QC")
    assert not is_clear(match)


# --- clear by what was called


def test_a_call_says_which_side_one_is_on(begun: Begin) -> None:
    match = begun("all: gesund, Ana: re, Ana: QC")
    assert not is_clear(match)
    record(match, "Cleo: re")
    assert is_clear(match)
    assert against(match, "Ana") == ["Ben", "Dan"]
    assert match.state["sides"]["kontra"] == []  # it proves nothing
    match.undo()
    assert not is_clear(match)


def test_three_who_called_for_the_others_settle_the_fourth(begun: Begin) -> None:
    match = begun("all: gesund, Ana: kontra, Ben: kontra")
    assert not is_clear(match)
    record(match, "Cleo: kontra")  # It counts once, with the same consequence for Cleo.
    assert is_clear(match)
    assert not is_alone(match)


def test_a_level_is_a_call_for_a_side(begun: Begin) -> None:
    match = begun("all: gesund, Ana: re keine90, Cleo: re keine60")
    assert is_clear(match)
    assert against(match, "Cleo") == ["Ben", "Dan"]


def test_a_call_that_was_taken_back_or_only_judged_is_none(begun: Begin) -> None:
    match = begun("all: gesund, Ana: QC")
    match.judge("Ben: re")
    assert not is_clear(match)
    record(match, "Ben: kontra keine90 !withdrawn")
    assert not is_clear(match)
    record(match, "Ben: re")
    assert is_clear(match)


def test_a_card_says_more_than_a_call(begun: Begin) -> None:
    match = begun("all: gesund, Cleo: kontra, Ana: QC, Ben: re")
    assert against(match, "Cleo") == ["Ana", "Ben"]
    record(match, "Ben: 9D, Cleo: QC")
    assert is_clear(match)
    assert against(match, "Ana") == ["Ben", "Dan"]


def test_more_callers_than_can_be_have_said_nothing(begun: Begin) -> None:
    match = begun("all: gesund, Ana: re, Ben: re")
    assert is_clear(match)
    record(match, "Cleo: re")
    assert not is_clear(match)
    assert against(match, "Ana") == []


def test_who_calls_for_both_sides_has_said_nothing(begun: Begin) -> None:
    match = begun("all: gesund, Ana: re, Ben: re, Ben: kontra")
    assert not is_clear(match)


def test_a_level_says_nothing_if_only_the_referee_knows_for_whom(begun: Begin) -> None:
    hand = "hand Ana: QC 9D 9D JD JD JS JS JC JC TD TD AD"
    match = begun(hand, "all: gesund, Cleo: re, Ana: keine90")
    assert not is_clear(match)
    other = begun(hand, "all: gesund, Cleo: re, Ana: re keine90")
    assert is_clear(other)


# --- who is alone


def test_whom_a_culprit_opposes(begun: Begin) -> None:
    match = begun("Ana: damensolo, all: gesund, penalty Ana: weighed, penalty Ben: weighed")
    assert match.current_round.seating.tally == [-2, -1, 0, 0]
    match = begun("all: gesund, Ana: QC, penalty Ben: weighed, 9D, 9D, JD, Ana: QC")
    record(match, "penalty Ben: weighed, penalty Ana: weighed")
    assert match.current_round.seating.tally == [-2, -3, 0, 0]


def test_a_silent_hochzeit_pays_the_lone_player_once_both_cards_lie(begun: Begin) -> None:
    match = begun("all: gesund, Ana: QC, 9D, 9D, JD, penalty Ben: minor")
    assert match.current_round.seating.tally == [1, -3, 1, 1]
    record(match, "Ana: QC, penalty Ben: minor, penalty Ana: minor")
    assert match.current_round.seating.tally == [1 + 3 - 3, -3 - 3 + 1, 1 + 1, 1 + 1]


# --- decided


LED = "all: gesund, Ana: QC, 9D, QC, 9D"  # Ana and Cleo are re


def test_nothing_is_decided_before_the_contract_is(begun: Begin) -> None:
    assert decided(begun("Ana: gesund")) is False
    assert decided(begun("all: gesund")) is False


def test_a_side_has_won_with_121_card_points_or_the_other_with_120(begun: Begin) -> None:
    match = begun(LED, "AC, TC, TC, AC, AS, TS, TS, AS, AH, KH, KH, AH")
    assert match.current_round.reading()("re.points") == 120
    assert decided(match) is False
    match = begun(LED, "AC, TC, TC, 9C, AS, TS, TS, AS, AH, KH, KH, AH, TH, JD, 9H")
    assert decided(match) is False  # A card in an incomplete trick belongs to no player.
    record(match, "9H")
    assert match.current_round.reading()("re.points") == 121
    assert decided(match) is True
    match.undo()
    assert decided(match) is False


KONTRA = "9C, AC, TC, TC, Ben: AS, TS, TS, AS, AH, KH, KH, AH"  # and they have 103


@pytest.mark.parametrize(
    ("calls", "card", "so"),
    [
        ("", "JD", False),  # 119
        ("", "QD", True),  # 120
        ("Ben: kontra", "QD", False),
        ("Ben: kontra, Ana: re", "QD", True),
        ("Ana: re, Ana: keine90", "9C", True),  # failed
        ("Ana: re, Ana: schwarz", "9C", True),
        ("Ben: kontra, Dan: kontra keine90", "QD", False),
    ],
)
def test_calls_made_so_far_count(begun: Begin, calls: str, card: str, so: bool) -> None:
    first, *rest = LED.split(", ")
    match = begun(", ".join(filter(None, (first, calls, *rest))), KONTRA, f"TH, KD, {card}, 9H")
    assert decided(match) is so


def test_a_level_has_failed_before_the_end(begun: Begin) -> None:
    first, *rest = LED.split(", ")
    match = begun(", ".join((first, "Ana: re keine90", *rest)), KONTRA)
    assert decided(match) is True  # kontra has 103, and 90 are enough
    match = begun(LED, KONTRA)
    assert decided(match) is False


def test_where_both_sides_fail_nobody_has_won(begun: Begin) -> None:
    first, *rest = LED.split(", ")
    calls = "Ana: re keine90, Ben: kontra keine90"
    match = begun(", ".join((first, calls, *rest)), "AC, TC, TC, AC, AS, TS, TS, AS")
    assert decided(match) is False  # kontra has failed: re may still win, or fail
    record(match, "9H, AH, KH, AH, Ben: TH, KD, KD, TH, QS, AD, AD, TD")
    assert match.current_round.reading()("kontra.points") == 89
    assert decided(match) is False
    record(match, "Ben: QH, TD, QH, KH")
    assert match.current_round.reading()("kontra.points") == 109
    assert decided(match) is False


def test_who_has_won_enough_is_not_enough_while_nobody_knows_their_side(begun: Begin) -> None:
    match = begun("all: gesund, Ana: AC, TC, TC, AC, AS, TS, TS, AS, AH, KH, KH, AH")
    assert decided(match) is False  # 114
    record(match, "TH, JD, 9H, 9H")
    assert decided(match) is None  # re would have won, and so would kontra
    record(match, "Ana: QC")
    assert decided(match) is True


def test_a_solo_is_decided_too(begun: Begin) -> None:
    match = begun("Ana: fleischlos, all: gesund, Ana: AC, TC, TC, AC, AS, TS, TS, AS")
    record(match, "AH, TH, TH")
    assert decided(match) is False
    record(match, "AH")
    assert decided(match) is True


def test_it_is_not_known_where_the_recording_began_in_the_middle(begun: Begin) -> None:
    hands = [f"hand {name}: 4" for name in NAMES]
    assert decided(begun(", ".join(hands), "Ana: damensolo, all: gesund")) is None


# --- laws


def calls_of(match: Match, sides: list[str], random: Random) -> str:
    """Return a call that a player may make now for the player's own side."""
    seat = random.randrange(4)
    call = random.choice([sides[seat], f"{sides[seat]} keine90", f"{sides[seat]} keine60"])
    text = f"{NAMES[seat]}: {call}"
    return text if match.judge(text).verdict != "illegal" else ""


@pytest.mark.parametrize("wish", ["gesund", "herzsolo"])
@pytest.mark.parametrize("seed", range(4))
def test_known_hands_make_nothing_public(rules: Ruleset, wish: str, seed: int) -> None:
    random = Random(f"{wish} {seed}")
    hands = deal(random)
    queen = rules.pack.kinds.index("QC")
    sides = ["re" if queen in hand else "kontra" for hand in hands]
    if wish != "gesund":
        sides = ["re", "kontra", "kontra", "kontra"]
    known, unseen = Match(rules, NAMES), Match(rules, NAMES)
    texts = entries(hands, wish, random, known=True)
    record(known, *texts[:4])
    for text in texts[4:]:
        known.record(text)
        unseen.record(text)
        call = "" if random.random() < 0.7 else calls_of(unseen, sides, random)
        if call:
            known.record(call)
            unseen.record(call)
        told_known, told_unseen = told(known), told(unseen)
        assert "open" not in told_known.values()
        if told_unseen.get("decided") == "open":
            told_known.pop("decided", None)
            told_unseen.pop("decided")
        assert told_known == told_unseen
    assert known.rounds[0].over


@pytest.mark.parametrize("seed", range(6))
def test_what_was_decided_does_not_change(rules: Ruleset, seed: int) -> None:
    random = Random(f"decided {seed}")
    match, won = Match(rules, NAMES), ""
    for text in entries(deal(random), "gesund", random, known=True):
        match.record(text)
        before = match.state
        so = decided(match)
        assert match.state == before
        get = match.current_round.reading()
        if match.current_round.over or not match.current_round.tricks:
            continue
        points = get("re.points"), get("kontra.points")
        now = "re" if points[0] >= 121 else "kontra" if points[1] >= 120 else ""
        assert so is bool(now)
        assert now == won or not won
        won = now
    lines = match.rounds[0].lines
    assert won in (
        "",
        *(line.to for line in lines if line.code == "scores.won" and line.points > 0),
    )
