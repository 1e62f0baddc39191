"""Withdrawn cards: they were seen, so their owner is known, in every game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Illegal, Impossible, read_record, verify_record, write_record
from scorekeeper.store.record import record_text
from tests.helpers import match_of

if TYPE_CHECKING:
    from scorekeeper import Match

THREE = ["Ana", "Ben", "Cem"]
FOUR = ["Ana", "Ben", "Cleo", "Dan"]
DURAK = ("durak", THREE, "trump D", "lead Ana", "Ana: attack 6C")
GESUND = ("doppelkopf", FOUR, "all: gesund")
DRAW = ("da-ban", FOUR, "master Ana", "result points=185", "master Ben")
MASTER = (*DRAW, "kitty 4H 9C 9C KD AS TC", "Ben: take")
PLAY = ("da-ban", FOUR, "trump H", "master Ana", "kitty 3C 4C 5C 6C 7C 8C", "Ana: leave")


def table(start: tuple[str, list[str], *tuple[str, ...]], *more: str) -> Match:
    name, players, *entries = start
    return match_of(name, players, *entries, *more)


def known(match: Match, name: str) -> str:
    """Return the cards that are certain to be in a player's hand."""
    knowledge = match.live_round.hands
    assert knowledge is not None
    return knowledge.pack.format_hand(knowledge.known[match.players.index(name)])


def blamed(match: Match, text: str) -> list[str]:
    """Record an entry, and return the earlier entries that it proves illegal."""
    return [finding.facts["then"] for finding in match.record(text).settled]


def found(match: Match) -> list[tuple[int, str, str]]:
    """Return the findings on all entries so far: number, code and verdict."""
    return [(number, f.code, f.verdict) for number, f in match.live_round.log.all_findings()]


def refused(match: Match, text: str) -> list[str]:
    with pytest.raises(Illegal) as caught:
        match.record(text)
    return [finding.code for finding in caught.value.ruling.findings]


TRANSFER = ("durak-transfer", *DURAK[1:])
KEYS = ("round", "phase", "to_act", "scores", "bindings", "table", "talon", "owed")
SHOWN = [
    (GESUND, "Ana: QC", "Ana", "QC"),
    (GESUND, "Ben: QC", "Ben", "QC"),
    (("doppelkopf", FOUR), "Ben: AC", "Ben", "AC"),
    (("fixed-trump", FOUR), "Cleo: 2S", "Cleo", "2S"),
    (PLAY, "Ana: KS KS", "Ana", "KS KS"),
    (PLAY, "Dan: KS KD", "Dan", "KS KD"),
    (("da-ban", FOUR), "Ben: BJ", "Ben", "BJ"),
    (DRAW, "Ben: declare 3H 3S", "Ben", "3S 3H"),
    (DRAW, "Ana: show BJ BJ", "Ana", "BJ BJ"),
    (DRAW, "Ben: exchange 4C 5C 6C for BJ LJ LJ with Ana", "Ben", "6C 5C 4C"),
    (DRAW, "Ben: exchange 4C 5C 6C for BJ LJ LJ with Ana", "Ana", "BJ LJ LJ"),
    (DRAW, "Ben: exchange 2 with Ana", "Ana", ""),
    (MASTER, "Ben: bury 4S 5S", "Ben", "TC 9C 9C AS 5S 4S 4H KD"),
    (MASTER, "Ben: bury 5", "Ben", "TC 9C 9C AS 4H KD"),
    (DURAK, "Ben: cover 6C 8H", "Ben", "8H"),
    (DURAK, "Cem: attack 8H 9H", "Cem", "9H 8H"),
    (DURAK, "Ben: transfer 6H", "Ben", "6H"),
    (TRANSFER, "Ben: transfer 7H", "Ben", "7H"),
    (DURAK, "together Ana: 6H / Cem: 6S 7S", "Ana", "6H"),
    (DURAK, "together Ana: 6H / Cem: 6S 7S", "Cem", "7S 6S"),
    (DURAK, "Cem: pass", "Cem", ""),
    (DURAK, "turnup 9D", "Ana", ""),
]


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))


@pytest.mark.parametrize(("start", "text", "who", "cards"), SHOWN)
def test_what_was_taken_back_is_known(
    start: tuple[str, list[str], *tuple[str, ...]], text: str, who: str, cards: str
) -> None:
    """Check that the card is in its owner's hand as before, and forgotten after an undo."""
    match = table(start)
    before, state = known(match, who), [match.state[key] for key in KEYS]
    match.record(f"{text} !withdrawn")
    assert known(match, who) == cards
    assert [match.state[key] for key in KEYS] == state
    assert match.undo() == f"{text} !withdrawn"
    assert known(match, who) == before


def test_another_player_cannot_lay_it() -> None:
    match = table(DURAK, "Ben: cover 6C 8H !withdrawn", "Ben: cover 6C 8C")
    assert refused(match, "Cem: attack 8H") == ["bouts.held"]
    assert match.record("Ana: attack 8S").verdict == "legal"
    assert match.record("Ben: cover 8S 9S").verdict == "legal"


def test_shown_twice_is_one_card() -> None:
    """Count a card that is shown twice once, but two cards shown together as two."""
    twice = ["Ben: QC !withdrawn", "Ben: QC !withdrawn"]
    assert table(GESUND, "Ana: AC", *twice, "Ben: TC", "Cleo: QC").rounds[0].entries
    match = table(PLAY, "Ana: KS", "Ben: 5H 5H !withdrawn", "Ben: 5H !withdrawn")
    assert known(match, "Ben") == "5H 5H"
    assert known(table(("doppelkopf", FOUR), *twice), "Ben") == "QC"


def test_it_tells_sides() -> None:
    match = table(GESUND, "Ana: AC", "Cleo: QC !withdrawn")
    assert match.state["players"]["Cleo"]["role"] == "re"


def test_it_proves_a_revoke() -> None:
    """Report the earlier fault with the withdrawn card, live and on replay."""
    match = table(GESUND, "Ana: AC", "Ben: AS", "Cleo: TC", "Dan: KC")
    assert blamed(match, "Ben: 9C !withdrawn") == ["Ben: AS"]
    replayed = match.copy_from_start().play_round(match.rounds[0].entries)
    assert [(n, f.code, f.verdict) for n, f in replayed.findings] == [
        (3, "tricks.follow", "illegal"),
        (6, "turn", "illegal"),
    ]
    match = table(PLAY, "Ana: KS", "Ben: AC", "Cleo: 7S", "Dan: 8S")
    assert blamed(match, "Ben: TS TS !withdrawn") == ["Ben: AC"]


def test_the_card_laid_instead_proves_a_revoke() -> None:
    """Count the withdrawn entry as an act that happened; no other card explains it away."""
    match = table(GESUND, "Ana: AC", "Ben: AS !withdrawn")
    assert blamed(match, "Ben: TC") == ["Ben: AS !withdrawn"]
    for text in ("Cleo: KC", "Dan: AC", "Ana: KC", "Ben: 9C"):
        assert not blamed(match, text), text  # it is reported once
    match = table(PLAY, "Ana: KS", "Ben: AC !withdrawn")
    assert blamed(match, "Ben: TS") == ["Ben: AC !withdrawn"]


def test_so_does_a_card_that_is_seen_later() -> None:
    match = table(GESUND, "Ana: AC", "Ben: AS !withdrawn", "Ben: TD")
    for text in ("Cleo: KC", "Dan: AC", "Ben: QS"):
        assert not blamed(match, text), text
    assert blamed(match, "holds Ben: KC") == ["Ben: AS !withdrawn", "Ben: TD"]


@pytest.mark.parametrize("club", ["9C", "9S"])
def test_a_hand_decides_what_was_taken_back(club: str) -> None:
    """Enter the hand before or after; the result is the same."""
    his = f"hand Ben: {club} TS KS 9H AH KH 9H TD 9D JD JC AS"
    codes = ["tricks.follow"] if club == "9C" else []
    match = table(GESUND, "Ana: AC", "Ben: AS !withdrawn")
    assert [(number, codes) for number, codes, _ in found(match)] == [(3, "tricks.follow")]
    match.record(his)
    assert [code for _, code, verdict in found(match) if verdict == "illegal"] == codes
    assert [code for _, code, verdict in found(match) if verdict == "open"] == []
    match = table(("doppelkopf", FOUR), his, "all: gesund", "Ana: AC", "Ben: AS !withdrawn")
    assert [code for _, code, _ in found(match)] == codes


def test_who_need_not_have_taken_a_card_back_is_not_blamed() -> None:
    match = table(GESUND, "Ana: AC", "Ben: TC !withdrawn", "Ben: AC", "Cleo: AS !withdrawn")
    match.record("hand Cleo: AS TS KS 9S AH KH 9H TD 9D JD JC QD")
    for text in ("Cleo: TD", "Dan: KC", "Cleo: KH"):
        assert match.record(text).findings == (), text
    assert found(match) == []


HOCHZEIT = (("doppelkopf", FOUR), "Ana: hochzeit !withdrawn")
OF_ANA = "AC TC KC 9C AS TS KS 9S AH KH"


@pytest.mark.parametrize(
    ("facts", "wrong"),
    [
        ([f"hand Ana: {OF_ANA} QC QC"], False),
        ([f"hand Ana: {OF_ANA} QC QD"], True),
        (["dealer Cleo", "holds Ana: QC", "holds Ana: QC QC"], False),
        (["dealer Cleo", f"hand Cleo: {OF_ANA} QS QD", "holds Ben: QC"], True),
        (["Ben: QC !withdrawn"], True),
        (["note the tea is cold", "all: gesund", "Ana: QC", "Ben: QC"], True),
        (["all: gesund", "Ana: QC", "Ben: QS", "Cleo: 9D", "Dan: 9D", "Ana: QC"], False),
    ],
)
def test_what_was_taken_back_before_anybody_acted_is_decided_later(
    facts: list[str], wrong: bool
) -> None:
    """Decide it by the stated start, whatever was stated before, and by the cards played."""
    match = table(*HOCHZEIT)
    for text in facts:
        assert (1, "auction.needs", "open") in found(match)
        match.record(text)
    expected = [(1, "auction.needs", "illegal")] if wrong else []
    assert [each for each in found(match) if each[0] == 1] == expected
    replayed = match.copy_from_start().play_round(match.rounds[0].entries)
    assert [(n, f.code, f.verdict) for n, f in replayed.findings if n == 1] == expected


HIS = "hand Ben: AC TC KC 9C AS TS KS 9S AH KH 9H TD"
ANOTHERS = "hand Ana: QH QH AC TC KC 9C AS TS KS 9S AH KH"


@pytest.mark.parametrize("hand", [HIS, ANOTHERS])
@pytest.mark.parametrize("lead", [[], ["Ana: KH"]])
def test_of_a_card_that_cannot_be_there_nothing_is_learned(hand: str, lead: list[str]) -> None:
    """Cover the player's own hand, another hand, and a card out of turn."""
    match = table(("doppelkopf", FOUR), hand, "all: gesund", *lead)
    before = [known(match, name) for name in FOUR]
    match.record("Ben: QH !withdrawn")
    assert [known(match, name) for name in FOUR] == before


def test_of_several_cards_one_that_cannot_be_there_is_enough() -> None:
    match = table(PLAY, "holds Cleo: KD KD", "Ana: KS")
    match.record("Ben: QD KD KD !withdrawn")
    assert known(match, "Ben") == ""


@pytest.mark.parametrize("turn", ["Cleo", "Dan"])
def test_a_copy_too_many_is_impossible(turn: str) -> None:
    match = table(GESUND, "Ana: QH", "Ben: QH")
    with pytest.raises(Impossible, match="QH is out of play or on the table"):
        match.record(f"{turn}: QH !withdrawn")
    assert match.rounds[0].entries[-1] == "Ben: QH"
    match = table(DURAK)
    with pytest.raises(Impossible, match="6H"):
        match.record("together Ana: 6H / Cem: 6H !withdrawn")


def test_facts_said_later_leave_it_known() -> None:
    match = table(("doppelkopf", FOUR), "Ana: QC !withdrawn", "dealer Ben", "lead Ana")
    assert known(match, "Ana") == "QC"
    with pytest.raises(Impossible, match="QC"):
        match.record("hand Ana: AC AC TC TC KC KC 9C 9C AS AS TS TS")
    match = match_of("podkidnoy", THREE, "trump H", "Cem: attack 6H !withdrawn")
    assert match.to_act == ["Cem"]


def test_what_was_turned_back_at_the_deal_cannot_be_shown() -> None:
    match = match_of("durak-spades", THREE, "turnup 9S", "turnup 8H", "lead Ana")
    with pytest.raises(Impossible, match="went back into the talon"):
        match.record("Ben: attack 9S !withdrawn")


def test_a_draw_that_is_named_later_may_be_the_card_that_was_shown() -> None:
    """Compare a card shown after the draw, which may be the drawn one, with one shown before."""
    start = ("durak", THREE, "turnup 7D", "lead Ana", "Ana: attack 6C")
    covered = ("Ben: cover 6C 8C", "all: pass")
    match = table(start, *covered, "Ben: attack JC !withdrawn", "Ben: draw JC")
    assert known(match, "Ben") == "JC"
    match = table(start, "Ben: cover 6C 9H !withdrawn", *covered)
    with pytest.raises(Impossible, match="none of the others"):
        match.record("Ben: draw 9H")


def test_an_illegal_entry_that_is_left_out_shows_nothing() -> None:
    """Take it as no evidence: it was not decided, and it cannot have happened like that."""
    match = table(("doppelkopf", FOUR))
    match.play_round(["all: gesund", "Ana: AC", "Ana: KC", "Ben: TC", "Cleo: KC"])
    assert known(match, "Ana") == ""
    assert [number for number, _ in match.rounds[-1].findings] == [3]


def test_a_record_of_it_reads_back_as_it_was(tmp_path: Path) -> None:
    match = table(GESUND, "Ana: AC", "Ben: AS", "Dan: QC !withdrawn", "Cleo: TC", "Dan: KC")
    path = tmp_path / "match.toml"
    write_record(match, path)
    again = read_record(path)
    assert known(again, "Dan") == known(match, "Dan") == "QC"
    assert record_text(again) == record_text(match)
    assert verify_record(path)["ok"]


def test_an_amendment_takes_its_knowledge_with_it() -> None:
    match = table(DURAK, "Ben: cover 6C 8H !withdrawn", "Ben: cover 6C 8C")
    amended = match.amended(1, 4, "Ben: cover 6C 9H !withdrawn")
    assert known(amended, "Ben") == "9H"


def test_the_table_learns_whose_cards_were_buried_only_when_it_saw_them() -> None:
    match = table(MASTER, "Ben: bury 4S 5S !withdrawn")
    assert known(match.public_copy(), "Ben") == "TC 9C 9C AS 4H KD"


def test_a_card_that_was_taken_back_counts_as_seen_whatever_the_hands_were() -> None:
    """Count it for the table, which does not know that an entered hand rules it out."""
    match = table(("doppelkopf", FOUR), HIS, "all: gesund", "Ben: QC !withdrawn", "Ana: KH")
    assert match.state["sides"]["re"] == []
    assert match.public_copy().state["sides"]["re"] == ["Ben"]
    match.record("Ben: AC !withdrawn")
    assert known(match.public_copy(), "Ben") == "AC QC"
