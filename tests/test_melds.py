"""Announced holdings: cards named or shown for points."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from scorekeeper import Illegal, Impossible, Match, Unreadable, load_ruleset
from scorekeeper.engine.measures import Owner
from scorekeeper.phases.holdings import Holdings

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
Table = Callable[..., Match]
CLUBS = "AC KC QC JC TC 9C 8C 7C"
HEARTS = "AH KH QH JH TH 9H 8H 7H"


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    """Return a function that begins a match with announced holdings and the given options."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))

    def begin(**options: object) -> Match:
        return Match(load_ruleset("holdings", **options), NAMES)

    return begin


def record(match: Match, *texts: str) -> None:
    for text in texts:
        match.record(text)


def codes(match: Match, text: str) -> list[str]:
    return [finding.code for finding in match.judge(text).findings]


def verdicts(match: Match, number: int) -> list[str]:
    """Return the verdicts on an entry itself."""
    found = match.live_round.log[number - 1].findings
    return [finding.verdict for finding in found if finding.code != "hands.group"]


def announced(match: Match, name: str) -> list[str]:
    found: list[str] = match.state["players"][name].get("announced", [])
    return found


def play_out(match: Match) -> None:
    """Play the round to its end without further announcements."""
    cards = match.ruleset.pack.index
    while not match.rounds or not match.live_round.over:
        match.record(next(text for text in match.legal if text.split(": ")[1] in cards))


def worth(match: Match) -> list[object]:
    """Return each player's announcements that count."""
    own = match.ruleset.measures["own.holdings"]
    found = [own.read(match.live_round, Owner((seat,))) for seat in range(4)]
    assert all(isinstance(each, int) for each in found)
    return found


def test_a_name_alone_is_a_claim_that_later_cards_prove_or_break(table: Table) -> None:
    match = table()
    ruling = match.record("Ben: couple")
    assert (ruling.verdict, ruling.findings[0].code) == ("open", "holdings.announced-held")
    record(match, "Ana: 7H", "Ben: KH", "Cleo: 8H", "Dan: 9H")
    assert verdicts(match, 1) == ["open"]
    record(match, "Ben: QH")
    assert verdicts(match, 1) == []
    match = table()
    record(match, "Ben: couple", "Ana: KH", "Ben: 9H")
    assert verdicts(match, 1) == ["illegal"]
    (finding,) = match.live_round.log[0].findings
    assert "Ben announced couple, but did not hold it" in finding.reason


def test_a_hand_that_was_entered_decides_at_once(table: Table) -> None:
    match = table()
    record(match, f"hand Ana: {CLUBS}", f"hand Ben: {HEARTS}")
    assert codes(match, "Ana: couple") == ["holdings.announced-held"]
    assert codes(match, "Ben: couple") == []
    assert codes(match, "Ben: quart") == codes(match, "Ana: tierce") == []
    assert codes(match, "Ana: square") == ["holdings.announced-held"]
    assert codes(match, "Cleo: couple") == ["holdings.announced-held"]


MARRIAGES = {"calls.marriage.shown": False, "calls.marriage.when": "true"}


def test_what_is_named_again_is_held_again(table: Table) -> None:
    match = table(**MARRIAGES)
    record(match, f"hand Ana: {CLUBS}", "hand Ben: KH QH KD QD AH JH TH 9H")
    assert match.record("Ana: marriage").verdict == "legal"
    (finding,) = match.judge("Ana: marriage").findings
    assert finding.code == "holdings.announced-held"
    assert "Ana announces marriage (twice), but does not hold it" in finding.reason
    record(match, "Ben: marriage", "Ben: marriage")
    (finding,) = match.judge("Ben: marriage").findings
    assert "Ben announces marriage (3 times), but does not hold it" in finding.reason
    match = table(**{"calls.couple.most": 3})
    match.record("Ana: couple")
    assert match.judge("Ana: couple").verdict == "illegal"  # there is only one such king
    match = table(**{"calls.repeated": False})
    match.record("Ana: couple")
    assert codes(match, "Ana: couple") == ["holdings.announced-held"]


def test_what_is_named_again_without_the_cards_is_proven_later(table: Table) -> None:
    match = table(**MARRIAGES)
    record(match, "Ana: marriage", "Ana: marriage")
    assert verdicts(match, 2) == ["open"]
    record(match, "Ana: KC", "Ben: KS", "Cleo: KD", "Dan: KH")
    assert (verdicts(match, 1), verdicts(match, 2)) == (["open"], ["illegal"])
    assert (
        "Ana announced marriage (twice), but did not hold it"
        in match.live_round.log[1].findings[0].reason
    )


def test_what_was_shown_is_not_what_is_named_again(table: Table) -> None:
    match = table(**MARRIAGES)
    record(match, "Ana: show KC QC", "Ana: marriage")
    assert verdicts(match, 2) == ["open"]
    record(match, "Ana: KS", "Ben: 7S", "Cleo: 8S", "Dan: 9S", "Ana: QS")
    assert verdicts(match, 2) == []


def test_in_a_double_pack_the_same_may_be_held_twice(table: Table) -> None:
    match = table(**{"pack.ranks": "A K Q J", "pack.copies": 2, "calls.couple.most": 3})
    record(match, "hand Ana: KH QH KH QH AC AC JC JC", "hand Ben: KC KC QC QC AS AS JS JS")
    assert [match.record("Ana: couple").verdict for _ in range(2)] == ["legal"] * 2
    assert codes(match, "Ana: couple") == ["holdings.announced-held"]
    assert codes(match, "Cleo: couple") == ["holdings.announced-held"]


def test_cards_that_were_laid_since_count_for_what_was_named_before(table: Table) -> None:
    match = table(**MARRIAGES)
    record(match, "hand Ana: KC QC KS QS AC AS AD AH", "Ana: marriage", "Ana: KC")
    record(match, "Ben: 7C", "Cleo: 8C", "Dan: 9C", "Ana: QC", "Ben: TC", "Cleo: JC", "Dan: 7D")
    assert match.record("Ana: marriage").verdict == "legal"
    assert match.judge("Ana: marriage").verdict == "illegal"


def test_cards_that_were_laid_count_where_the_row_says_so(table: Table) -> None:
    match = table()
    record(match, f"hand Ana: {HEARTS}", "Ana: KH", "Ben: 7C", "Cleo: 8C", "Dan: 9C")
    assert codes(match, "Ana: couple") == []
    record(match, "Ana: QH", "Ana: couple")
    assert announced(match, "Ana") == ["couple"]
    assert codes(match, "Ana: couple") == ["holdings.announced-once"]
    match = table(**{"calls.couple.laid": False})
    record(match, f"hand Ana: {HEARTS}", "Ana: KH", "Ben: 7C", "Cleo: 8C", "Dan: 9C")
    assert codes(match, "Ana: couple") == ["holdings.announced-held"]


def test_what_counts_with_laid_cards_may_be_said_with_the_last_of_all(table: Table) -> None:
    match = table()
    play_out(match)
    number = len(match.rounds)
    match.record("Ben: couple !stands")
    assert len(match.rounds) == number
    assert "Ben has announced couple" in " ".join(
        each.text for each in match.ruleset.phases["holdings"].view(match.live_round).sentences()
    )


def test_a_rows_own_sentence_says_why_a_known_hand_does_not_allow_it(table: Table) -> None:
    say = "{who} needs two trumps at most for {what}"
    match = table(**{"calls.couple.when": "count(hand & trumps) < 3", "calls.couple.say": say})
    ruling = match.judge("Ben: couple")
    assert "Ben announces couple; it is unknown whether their cards allow it" in str(ruling)
    match.record(f"hand Ben: {HEARTS}")
    (finding,) = match.judge("Ben: couple").findings
    assert finding.reason.startswith("Ben needs two trumps at most for couple")


def test_cards_that_are_shown_are_seen_and_stay(table: Table) -> None:
    match = table()
    assert codes(match, "Ben: show KC QC") == ["holdings.announced-when"]
    ruling = match.record("Ana: show QC KC")
    assert ruling.verdict == "legal"
    assert announced(match, "Ana") == ["marriage (KC QC)"]
    assert match.current_round.hands.size(0) == 8
    assert match.judge("Ben: KC").verdict == "illegal"
    assert codes(match, "Ana: show KC QC") == ["holdings.announced-once"]
    match.record("Ana: show KS QS")
    assert worth(match) == [10, 0, 0, 0]


def test_the_first_row_that_the_cards_make_is_meant(table: Table) -> None:
    match = table()
    match.record("Ana: show KH QH")
    assert announced(match, "Ana") == ["couple (KH QH)"]
    match.record("Ana: tierce AC KC QC")
    assert announced(match, "Ana") == ["couple (KH QH)", "tierce (AC KC QC)"]
    for text in ("Ana: show KH QS", "Ana: show KH", "Ana: show 7C 8C TC", "Ana: tierce 7C 8C TC"):
        with pytest.raises(Impossible, match="these cards are no"):
            match.judge(text)
    with pytest.raises(Impossible, match="the cards must be shown or named"):
        match.judge("Ana: marriage")


@pytest.mark.parametrize("text", ["Ana: show", "Ana: tierce XX", "Ana: couples", "show KH QH"])
def test_nonsense_is_told(table: Table, text: str) -> None:
    with pytest.raises(Unreadable):
        table().record(text)


def test_it_is_announced_in_its_time_and_may_be_shown_later(table: Table) -> None:
    match = table()
    record(match, "Ana: tierce", "Ana: 7C", "Ben: 8C", "Cleo: 9C", "Dan: TC")
    assert "holdings.announced-when" in codes(match, "Ben: tierce")
    assert codes(match, "Ben: tierce AS KS QS") == ["holdings.announced-when"]
    record(match, "Ana: show AD KD QD")
    assert announced(match, "Ana") == ["tierce (AD KD QD)"]
    with pytest.raises(Illegal):
        match.record("Ana: show JS TS 9S")


def test_what_it_is_worth_is_read_when_it_is_announced(table: Table) -> None:
    options = {"calls.couple.points": "20 if own.tricks == 0 else 5"}
    match = table(**options)
    record(match, "Ana: couple", "Ana: KH", "Ben: 7C", "Cleo: 8C", "Dan: 9C")
    assert worth(match) == [20, 0, 0, 0]
    match = table(**options)
    record(match, "Ana: KH", "Ben: 7C", "Cleo: 8C", "Dan: 9C", "Ana: couple")
    assert worth(match) == [5, 0, 0, 0]


def test_only_the_best_side_scores_its_runs(table: Table) -> None:
    for said, wanted in (
        (["Ana: tierce", "Ben: quart", "Dan: tierce"], [0, 50, 0, 20]),
        (["Ana: tierce", "Cleo: tierce"], [20, 0, 20, 0]),
        (["Ana: tierce", "Ben: tierce", "Ana: show QD JD TD"], [20, 0, 0, 0]),
        (["Ana: tierce QD JD TD", "Ben: tierce AC KC QC"], [0, 20, 0, 0]),
        (["Ana: tierce AC KC QC", "Ben: tierce AD KD QD"], [20, 0, 0, 0]),
        (["Ana: tierce AC KC QC", "Ben: tierce AH KH QH"], [0, 20, 0, 0]),
        (["Ana: quart", "Ben: square", "Ben: couple", "Ana: couple !stands"], [20, 120, 0, 0]),
        (["Ana: square JC JS JH JD", "Ben: square AC AS AH AD"], [100, 0, 0, 0]),
        (["Ana: tierce", "Ben: tierce"], [0, 0, 0, 0]),
    ):
        match = table()
        record(match, *said)
        assert worth(match) == wanted, said


def test_what_nobody_can_tell_has_no_score_and_says_why(table: Table) -> None:
    match = table()
    record(match, "Ana: tierce", "Ben: tierce")
    play_out(match)
    assert match.rounds[0].scores is None
    (finding,) = [
        each for each in match.live_round.log[-1].findings if each.code == "holdings.best"
    ]
    assert finding.reason == (
        "it is unknown whose tierce is the best, so one of Ana, Ben must show theirs"
    )


def test_points_go_to_the_sides(table: Table) -> None:
    match = table()
    record(match, "Ana: tierce AC KC QC", "Ben: tierce 7S 8S 9S", "Dan: couple")
    play_out(match)
    scores = match.rounds[0].scores
    if scores is not None:
        assert sorted(scores.values()) == [20, 20, 20, 20]


def test_a_measure_says_whether_anybody_has_announced(table: Table) -> None:
    match = table()
    measure = match.ruleset.measures["announced.couple"]
    assert not measure.read(match.current_round, None)
    match.record("Dan: couple")
    assert measure.read(match.current_round, None)
    match.undo()
    assert not measure.read(match.current_round, None)


@pytest.mark.parametrize("seed", range(6))
def test_nobody_is_accused_who_holds_what_they_announce(table: Table, seed: int) -> None:
    """With unseen hands, an announcement that was truly held is never called a fault."""
    match, random = table(), Random(seed)
    pack = match.ruleset.pack
    cards = list(pack.kinds)
    random.shuffle(cards)
    hands = {name: cards[at * 8 : at * 8 + 8] for at, name in enumerate(NAMES)}
    known = table()
    for name, hand in hands.items():
        known.record(f"hand {name}: {' '.join(hand)}")
    while not known.live_round.over:
        text = random.choice(list(known.legal))
        known.record(text)
        assert match.record(text).verdict != "illegal"
        assert not [log for log in match.live_round.log for each in log.findings if each.refuses]
    assert list(map(repr, match.rounds[0].lines)) == list(map(repr, known.rounds[0].lines))


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"calls.couple.run": 3}, "one of cards, run and alike"),
        ({"calls.couple.cards": ["K{level}"]}, "has no meaning here"),
        ({"calls.couple.cards": ["2C"]}, "names no card of the pack"),
        ({"calls.quart.ranks": "A 2"}, "is no rank of the pack"),
        ({"calls.quart.when": "own.what"}, "own.what"),
    ],
)
def test_a_row_with_a_mistake_is_a_fault(
    table: Table, options: dict[str, object], wrong: str
) -> None:
    with pytest.raises(Unreadable, match=wrong):
        table(**options)


def test_two_of_a_kind_are_two_in_a_pack_of_two(table: Table) -> None:
    match = table(**{"pack.copies": 2, "deal.cards": 16, "calls.couple.cards": ["AD", "AD"]})
    record(match, "Ana: couple", "Ben: couple")
    assert verdicts(match, 1) == verdicts(match, 2) == ["open"]
    match = table(**{"pack.copies": 2, "deal.cards": 16, "calls.couple.cards": ["AD", "AD"]})
    record(match, "Ana: couple", "Ana: AD", "Ben: 7D", "Cleo: AD")
    assert verdicts(match, 1) == ["illegal"]
    assert match.judge("Ana: tierce").verdict == "open"


def test_what_was_laid_before_the_recording_began_may_have_been_half_of_it(table: Table) -> None:
    match = table()
    record(match, "hand Ana: KH 7C", "hand Ben: 2")
    assert match.judge("Ana: couple").verdict == "open"
    assert codes(match, "Ana: square") == ["holdings.announced-held", "holdings.announced-when"]


def test_a_result_tells_what_was_announced(table: Table) -> None:
    match = table()
    holdings = match.ruleset.phase(Holdings)
    said = {"holdings": "Ana:couple+Ben:tierce"}
    holdings.read_result(match.current_round, said)
    assert said == {}
    assert [holdings.view(match.current_round).summary()["announced"]] == [
        ["Ana: couple", "Ben: tierce"]
    ]
    with pytest.raises(Unreadable, match="names nothing that may be announced"):
        holdings.read_result(match.current_round, {"holdings": "Ana:nothing"})
    assert holdings.result_fields(match.current_round)[0][0] == "holdings"


def test_a_holding_that_is_taken_back_was_seen(table: Table) -> None:
    match = table()
    match.record("Ana: show KC QC !withdrawn")
    assert announced(match, "Ana") == []
    assert codes(match, "Ben: KC") != []
    assert match.current_round.hands.can_hold(0, match.ruleset.pack.index["KC"]) > 0


def test_several_cards_may_be_any_of_some(table: Table) -> None:
    match = table(**{"calls.couple.cards": [["KH", "KD"], "Q*"]})
    record(match, f"hand Ana: {CLUBS}")
    assert codes(match, "Ana: couple") == ["holdings.announced-held"]
    assert match.judge("Ben: couple").verdict == "open"
    match.record("Ben: show KD QS")
    assert announced(match, "Ben") == ["couple (QS KD)"]
