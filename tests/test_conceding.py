"""A soloist concedes the remaining tricks, and the other players may still call.

Paragraph 12.7 of the rules of Doppelkopf.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Illegal, Match, load_ruleset
from scorekeeper.core.errors import Failure, Impossible
from tests.helpers import match_of, program
from tests.particular import FOUR, HANDS, TOURNAMENT, at_table, lawful, refused, told

if TYPE_CHECKING:
    from pathlib import Path

SOLO = ["Ana: damensolo", "all: gesund"]
# Ana wins the first trick with 31 points.
FIRST = ["Ana: QC", "Ben: QS", "Cleo: QS", "Dan: QH"]


def won(match: Match) -> tuple[int, int]:
    """Return the card points of the soloist Ana and of the others."""
    of = {name: each["points"] for name, each in match.state["players"].items()}
    return of["Ana"], of["Ben"] + of["Cleo"] + of["Dan"]


@pytest.fixture(params=[True, False], ids=["known", "unseen"])
def hands(request: pytest.FixtureRequest) -> list[str]:
    """Provide the hands as they are entered: all cards, or none."""
    return HANDS if request.param else []


def test_all_that_is_still_out_goes_to_the_others(hands: list[str], tmp_path: Path) -> None:
    match = at_table(*hands, *SOLO, *FIRST)
    assert "Ana: concede" in match.legal
    assert "Ana: concede" in match.legal()
    ruling = match.record("Ana: concede")
    assert ruling.verdict == "legal"
    played = match.rounds[-1]
    assert played.over
    assert won(match) == (12, 228)
    # won, under 90, under 60, under 30; the soloist has a trick
    assert played.scores == {"Ana": -12, "Ben": 4, "Cleo": 4, "Dan": 4}
    assert "Ana has conceded the rest" in program_status(match)
    lawful(match, tmp_path)


def program_status(match: Match) -> list[str]:
    """Return the status of the current round from its phases."""
    return [
        sentence.text
        for phase in match.ruleset.phases.values()
        for sentence in phase.view(match.live_round).sentences()
    ]


@pytest.mark.parametrize("more", [[], ["Ana: QC"], ["Ana: QC", "Ben: QS", "Cleo: QS"]])
def test_at_any_time_the_cards_on_the_table_too(
    hands: list[str], more: list[str], tmp_path: Path
) -> None:
    """Check that cards of an incomplete trick do not make a trick for the soloist."""
    match = at_table(*hands, *SOLO, *more, "Ana: concede")
    assert won(match) == (0, 240)
    assert match.scores == {"Ana": -15, "Ben": 5, "Cleo": 5, "Dan": 5}
    assert match.state["table"] == []
    lawful(match, tmp_path)


def test_a_solo_that_was_owed_has_been_played() -> None:
    match = at_table(*SOLO, "Ana: concede", "Ana: gesund")
    assert match.state["sides"] == {"re": [], "kontra": []}
    owing = [row for row in program_status(match) if "owe" in row]
    assert owing == ["Ben, Cleo and Dan owe a solo"]
    assert match.live_round.seating.dealer == 3  # the same deals again after such a solo


def test_no_special_is_won_in_a_trick_that_was_not_played() -> None:
    """Use a karosolo, in which specials count. A silent hochzeit has none."""
    played = ["Ana: karosolo", "all: gesund"]
    options = {"phases.tricks.concede": True}
    match = match_of("doppelkopf", FOUR, *played, "Ana: AC", "Ana: concede", **options)
    codes = {line.code for line in match.rounds[0].lines}
    assert not codes & {"scores.doppelkopf", "scores.fox", "scores.charlie"}


# --- who may


def test_only_who_plays_alone_may() -> None:
    match = at_table("Ana: gesund")
    assert refused(match, "Ana: concede")[0] == "verb"
    match = at_table(*SOLO)
    assert refused(match, "Ben: concede") == (
        "tricks.concede",
        "Ben may not concede: they do not play alone",
    )
    match.record("Ana: concede")
    # A second concession would belong to the next deal.
    assert refused(match, "Ana: concede")[0] == "verb"


def test_it_must_be_known_that_they_play_alone(tmp_path: Path) -> None:
    match = at_table("all: gesund", *("Ana: AC", "Ben: KC", "Cleo: 9C", "Dan: TC"))
    with pytest.raises(Impossible, match="it is not yet known whether Ana plays alone") as failure:
        match.record("Ana: concede")
    assert failure.value.hint == "if you have seen these cards in the hand, enter: holds Ana: QC QC"
    match.record("holds Ana: QC QC")
    match.record("Ana: concede")
    assert match.scores["Ana"] == -12
    lawful(match, tmp_path)
    known = at_table(*HANDS, "all: gesund", "Ana: AC")
    known.record("Ana: concede")  # the hands show it
    assert known.rounds[0].over


def test_a_hochzeit_may_find_a_partner_for_three_tricks() -> None:
    match = at_table("Ana: hochzeit", "all: gesund", "Ana: AC")
    with pytest.raises(Impossible, match="not yet known"):
        match.record("Ana: concede")
    for text in ("Ben: KC", "Cleo: 9C", "Dan: TC"):
        match.record(text)
    for card in ("9D", "KD"):
        for text in ("Ana: QC", f"Ben: {card}", f"Cleo: {card}", "Dan: JD"):
            match.record(text)
    match.record("Ana: concede")
    assert match.scores["Ana"] < 0


def test_elsewhere_nobody_concedes() -> None:
    match = match_of("doppelkopf", FOUR, *SOLO)
    with pytest.raises(Failure):
        match.record("Ana: concede")
    assert "Ana: concede" not in match.legal()


# --- the other players may still call


def test_a_call_that_comes_after_it_counts(hands: list[str], tmp_path: Path) -> None:
    match = at_table(*hands, *SOLO, *FIRST, "Ana: concede")
    (note,) = [
        each for each in match.live_round.log.all_findings() if each[1].code == "calls.still"
    ]
    assert note[1].cite == "12.7"
    assert match.record("Ben: kontra").verdict == "legal"
    assert match.scores == {"Ana": -18, "Ben": 6, "Cleo": 6, "Dan": 6}
    match.record("Cleo: keine90")
    # the level, and under 90 against it
    assert match.scores == {"Ana": -21, "Ben": 7, "Cleo": 7, "Dan": 7}
    assert match.record("Dan: kontra").findings[0].code == "calls.repeated"
    assert match.scores["Ana"] == -21
    assert len(match.rounds) == 1
    lawful(match, tmp_path)
    assert match.undo() == "Dan: kontra"
    assert (match.undo(), match.scores["Ana"]) == ("Cleo: keine90", -18)
    assert (match.undo(), match.scores["Ana"]) == ("Ben: kontra", -12)
    assert (match.undo(), match.to_act) == ("Ana: concede", ["Ana"])


def test_it_comes_to_what_the_same_call_before_it_comes_to(hands: list[str]) -> None:
    calls = ["Ben: kontra", "Cleo: keine90", "Ben: keine60"]
    before = at_table(*hands, *SOLO, *FIRST, *calls, "Ana: concede")
    after = at_table(*hands, *SOLO, *FIRST, "Ana: concede", *calls)
    assert before.rounds[0].scores == after.rounds[0].scores
    assert [str(line) for line in before.rounds[0].lines] == [
        str(line) for line in after.rounds[0].lines
    ]
    assert before.state["bindings"] == after.state["bindings"]
    assert before.standing == after.standing


def test_within_the_limits_of_the_cards_in_hand() -> None:
    tricks = [*FIRST, "Ana: AC", "Ben: KC", "Cleo: 9C", "Dan: AH"]
    match = at_table(*SOLO, *tricks, "Ana: concede")
    assert refused(match, "Ben: kontra")[0] == "calls.in-time"
    assert "needs 11 cards in hand, but 10 are left" in refused(match, "Ben: kontra")[1]
    # a card on the table is not in the hand
    match = at_table(*SOLO, *FIRST, "Ana: AC", "Ben: KC", "Ana: concede")
    assert refused(match, "Ben: kontra")[0] == "calls.in-time"
    assert match.record("Cleo: kontra").verdict == "legal"
    late = at_table(*SOLO, *tricks, "Ana: concede", "Ben: kontra !stands")
    assert "scores.announced-kontra" in {line.code for line in late.rounds[0].lines}


def test_what_was_decided_of_a_call_that_came_too_late_stays_decided(tmp_path: Path) -> None:
    """Check it with any number of later calls."""
    match = at_table(*SOLO, *FIRST, "Ana: AC", "Ben: KC", "Ana: concede")
    match.record("Ben: kontra !stands")
    match.record(f"claim Ana: {len(match.rounds[0].entries)} minor")
    assert match.scores == {"Ana": -9, "Ben": 1, "Cleo": 4, "Dan": 4}
    match.record("Cleo: kontra")
    assert match.scores == {"Ana": -15, "Ben": 3, "Cleo": 6, "Dan": 6}
    match.record("Dan: keine90")
    assert match.scores == {"Ana": -18, "Ben": 4, "Cleo": 7, "Dan": 7}
    lawful(match, tmp_path)


@pytest.mark.parametrize("calls", [["Ben: kontra"], ["Ben: kontra", "Cleo: keine90"]])
@pytest.mark.parametrize("weight", ["none", "minor", "serious"])
def test_the_hand_over_outlasts_what_is_decided_after_calls(
    hands: list[str], calls: list[str], weight: str, tmp_path: Path
) -> None:
    """Check that a call of the conceding player is judged the same after calls of the others."""
    late = ["Ana: re !stands"]
    match = at_table(*hands, *SOLO, *FIRST, "Ana: concede", *calls, *late)
    without = at_table(*hands, *SOLO, *FIRST, "Ana: concede", *calls)
    number = len(match.rounds[0].entries)
    match.record(f"claim Cleo: {number} {weight}")
    assert match.rounds[0].over
    if weight == "minor":
        scores = {name: points + 1 for name, points in without.scores.items()}
        assert match.scores == {**scores, "Ana": without.scores["Ana"] - 3}
    if not calls[1:] and weight != "serious":
        before = match.scores["Ana"]
        match.record("Dan: keine90")  # The decision also outlasts later calls.
        assert match.scores["Ana"] < before
        assert match.rounds[0].over
    lawful(match, tmp_path)


def test_a_reply_has_one_card_fewer() -> None:
    match = at_table(*SOLO, "Ana: re", *FIRST, "Ana: AC", "Ben: KC", "Cleo: 9C", "Dan: AH")
    match.record("Ana: concede")
    match.record("Ben: kontra")
    assert refused(match, "Cleo: keine90")[0] == "calls.after-reply"


def test_who_has_conceded_calls_nothing_any_more() -> None:
    match = at_table(*SOLO, "Ana: concede")
    code, reason = refused(match, "Ana: re")
    assert code == "calls.settled"
    assert reason == "Ana may not call now, because they have conceded the rest"
    assert refused(match, "Ben: re")[0] == "calls.own-side"


def test_nothing_is_said_of_calls_where_none_is_in_time() -> None:
    tricks = [*FIRST, "Ana: AC", "Ben: KC", "Cleo: 9C", "Dan: AH"]
    match = at_table(*SOLO, *tricks, "Ana: concede")
    assert not [
        each for each in match.live_round.log.all_findings() if each[1].code == "calls.still"
    ]


def test_when_the_next_deal_has_begun_it_is_too_late() -> None:
    match = at_table(*SOLO, "Ana: concede", "Ana: gesund")
    assert refused(match, "Ben: kontra")[0] == "calls.settled"


def test_after_any_other_end_a_call_is_of_the_next_deal() -> None:
    match = at_table("Ana: damensolo", "all: gesund", "result re=Ana points=130")
    assert refused(match, "Ben: kontra")[0] == "calls.settled"


def test_amended_it_is_judged_again(hands: list[str], tmp_path: Path) -> None:
    match = at_table(*hands, *SOLO, *FIRST, "Ana: concede", "Ben: kontra")
    at = len(match.rounds[0].entries)
    other = match.amended(1, at, "Ben: keine90")
    assert other.scores["Ana"] == -21
    lawful(other, tmp_path)
    without = match.amended(1, at - 1)
    assert not without.rounds[0].over
    assert without.state["bindings"]["calls"] == {"re": [], "kontra": ["kontra"]}


def test_the_program_keeps_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.db"))
    assert program("new", TOURNAMENT, *FOUR).code == 0
    answer = program("record", *SOLO, "Ana: QC", "Ana: concede")
    assert answer.code == 0
    assert "the other players may still call" in answer.out + answer.err
    assert program("record", "Ben: kontra").code == 0
    answer = program("record", "Ana: re")
    assert answer.code == 1
    assert "they have conceded the rest" in answer.out + answer.err
    answer = program("score", "--explain", "1")
    assert "kontra: kontra +2, re -2" in answer.out
    exported = program("export").out
    path = tmp_path / "match.toml"
    path.write_text(exported, encoding="utf-8")
    assert exported.startswith("format = 3\n")
    assert program("verify", str(path)).code == 0
    assert program("import", str(path)).code == 0
    assert program("export").out == exported


# --- laws


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_said_undo_gives_back_and_a_record_says_the_same(
    seed: int, tmp_path: Path
) -> None:
    """Make words before play, withdrawn ones too, early leads, concessions and calls by chance."""
    luck = Random(seed)
    match = at_table(*HANDS) if seed % 2 else Match(load_ruleset(TOURNAMENT), FOUR)
    words = ["gesund", "vorbehalt", "damensolo", "piksolo lust", "hochzeit", "concede", "kontra"]
    for _ in range(40):
        legal = match.legal()
        text = luck.choice(legal) if luck.random() < 0.5 else ""
        if not text:
            names = ["all", *FOUR] if luck.random() < 0.2 else FOUR
            text = f"{luck.choice(names)}: {luck.choice(words)}"
        before = told(match)
        try:
            if match.judge(text).refused:
                with pytest.raises(Illegal):
                    match.record(text)
                assert told(match) == before
                if luck.random() < 0.7:
                    continue
                text += " !stands"
            match.record(text)
        except Failure:
            assert told(match) == before
            continue
        after = told(match)
        match.undo()
        assert told(match) == before
        match.record(text)
        assert told(match) == after
    lawful(match, tmp_path)
