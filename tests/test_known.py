"""Certain and possible cards of each hand: `status --known`."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scorekeeper import Match, load_ruleset, write_record
from scorekeeper.match.status import known_hands
from tests.doppelkopf_deals import NAMES, PACK, deal
from tests.helpers import match_of, program

RULES = load_ruleset("doppelkopf")


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.db"))


def recorded(*entries: str, ruleset: str = "doppelkopf", players: tuple[str, ...] = ()) -> None:
    program("new", ruleset, *(players or NAMES))
    answer = program("record", *entries)
    assert answer.code == 0, answer


def known(*options: str) -> Any:
    return program("status", "--known", "--format", "json", *options).data["known"]


def test_nothing_is_told_of_hands_that_nobody_asked_for() -> None:
    recorded("all: gesund", "Ana: AC")
    assert "known" not in program("status", "--format", "json").data
    assert "unseen" not in program("status").out


def test_a_card_that_was_seen_is_surely_there() -> None:
    recorded("holds Ben: QC", "all: gesund", "Ana: AC", "Ben: 9D")
    told = known()
    assert told["hands"]["Ben"]["sure"] == ["QC"]
    assert told["hands"]["Ben"]["cards"] == 11
    assert "QC" in told["hands"]["Ana"]["may"]["trumps"]  # the other copy
    assert "AC" in told["unseen"]["clubs"]
    assert told["unseen"]["clubs"].count("AC") == 1


def test_not_following_proves_nothing() -> None:
    recorded("all: gesund", "Ana: AC", "Ben: 9D")
    assert "clubs" in known()["hands"]["Ben"]["may"]


def test_entered_hands_are_told_only_when_asked_for() -> None:
    hand = "QC QC JC JS JH JD AD KD 9D AC TC 9C"
    recorded(f"hand Ana: {hand}", "all: gesund")
    assert known()["hands"]["Ana"]["sure"] == []
    revealed = known("--reveal")
    assert sorted(revealed["hands"]["Ana"]["sure"]) == sorted(hand.split())
    assert revealed["hands"]["Ana"]["may"] == {}
    assert {"set": "QC", "least": 0, "most": 0} in revealed["hands"]["Ben"]["sets"]
    told = program("status", "--known", "--reveal").out
    assert "all cards located: QC" in told
    assert "QC" not in program("status", "--known").out.replace("QC QC JC", "")


def test_counting_tells_what_is_surely_there() -> None:
    match = Match(RULES, NAMES)
    hands = {name: [PACK.kinds[card] for card in cards] for name, cards in dealt(3).items()}
    for name in NAMES[:3]:
        match.record(f"hand {name}: {' '.join(hands[name])}")
    told = known_hands(match.live_round)
    # all the other cards are known
    assert sorted(told["hands"]["Dan"]["sure"]) == sorted(hands["Dan"])


def test_a_set_is_bounded_where_no_single_card_is() -> None:
    """Ten of the unseen cards are trumps and Dan has twelve of the twenty, so at least two."""
    match = Match(RULES, NAMES)
    hands = {name: [PACK.kinds[card] for card in cards] for name, cards in dealt(3).items()}
    for name in NAMES[:2]:
        match.record(f"hand {name}: {' '.join(hands[name])}")
    told = known_hands(match.live_round)
    unseen = sum(map(len, told["unseen"].values()))
    for name in NAMES[2:]:
        sets = {each["set"]: each["least"] for each in told["hands"][name]["sets"]}
        for group, cards in told["unseen"].items():
            least = 12 - (unseen - len(cards))
            assert sets.get(group, 0) == max(0, least)


def dealt(seed: int) -> dict[str, list[int]]:
    return dict(zip(NAMES, deal(Random(seed)), strict=True))


@pytest.mark.parametrize("seed", range(20))
def test_what_is_certain_is_so_and_what_is_so_is_possible(seed: int) -> None:
    """Check a deal with some known hands and cards: the truth agrees with all that is shown."""
    random, match = Random(seed), Match(RULES, NAMES)
    hands = {name: [PACK.kinds[card] for card in cards] for name, cards in dealt(seed).items()}
    for name in random.sample(NAMES, random.randint(0, 3)):
        match.record(f"hand {name}: {' '.join(hands[name])}")
    for name in random.sample(NAMES, 2):
        match.record(f"holds {name}: {random.choice(hands[name])}")
    match.record("all: gesund")
    for _ in range(random.randint(0, 40)):
        if match.rounds[-1].over:
            break
        name = match.to_act[0]
        cards = [card for card in hands[name] if f"{name}: {card}" in match.legal]
        card = random.choice(cards)
        hands[name].remove(card)
        match.record(f"{name}: {card}")
    told = known_hands(match.live_round)
    for name, place in told["hands"].items():
        held = hands[name]
        assert place["cards"] == len(held)
        assert all(held.count(card) >= place["sure"].count(card) for card in place["sure"])
        may = {card for cards in place["may"].values() for card in cards}
        beyond = [card for card in held if held.count(card) > place["sure"].count(card)]
        assert may.issuperset(beyond)
        for each in place["sets"]:
            if each["set"] == "QC":
                assert each["least"] <= held.count("QC") <= each["most"]


def test_cards_in_no_hand_are_told_of() -> None:
    recorded(ruleset="skat", players=("Ana", "Ben", "Cleo"))
    assert known()["not_in_hands"]["cards"] == 2
    assert "in no hand: 2 cards, all unseen" in program("status", "--known").out


def test_cards_that_were_laid_aside_unseen_are_told_of() -> None:
    recorded("Ben: bid 18", "Ana: pass", "Cleo: pass", "Ben: take", "Ben: bury 2",
             ruleset="skat", players=("Ana", "Ben", "Cleo"))  # fmt: skip
    ben = known()["hands"]["Ben"]
    assert (ben["cards"], ben["aside"]) == (10, 2)
    told = program("status", "--known").out
    assert "Ben: 10 cards, 2 more buried, identity unknown, all unseen" in told


def test_a_record_file_is_asked_like_a_match(tmp_path: Path) -> None:
    path = str(tmp_path / "evening.toml")
    write_record(match_of("doppelkopf", NAMES, "holds Ben: QC", "all: gesund"), path)
    assert known("--match", path)["hands"]["Ben"]["sure"] == ["QC"]
    assert "Ben: 12 cards, known QC, the rest unseen" in program(
        "status", "--known", "--match", path
    ).out.replace("  ", "")


def test_what_cannot_be_asked_is_refused_with_a_reason() -> None:
    recorded("lead Ana", ruleset="dudo", players=("Ana", "Ben"))
    answer = program("status", "--known")
    assert (answer.code, answer.out) == (2, "")
    assert "this game has no hands of cards" in answer.err
    both = program("status", "--known", "--log")
    assert both.code == 2
    assert "leave out one of them" in both.err
    assert program("status", "--known", "--match", "nonsense.toml").code == 3


def test_a_name_cannot_steer_what_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    names = ["An\u202ea", "B\x1b[31men", "Cleo", "Dan"]
    path.write_text(f'format = 2\nruleset = "doppelkopf"\nplayers = {json.dumps(names)}\n')
    answer = program("status", "--known", "--match", str(path))
    assert not {"\u202e", "\x1b"} & set(answer.out + answer.err)


def test_it_is_told_in_the_letters_of_the_match() -> None:
    program("new", "doppelkopf", *NAMES, "--language", "fr")
    program("record", "holds Ben: DT", "all: gesund")
    assert "known DT" in program("status", "--known", "--language", "en").out
    assert known()["hands"]["Ben"]["sure"] == ["QC"]
