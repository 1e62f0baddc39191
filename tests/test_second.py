"""Second implementations of games: they obey the laws of their games and agree with the cases
that were worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.second.belote import Belote
from tests.second.euchre import Euchre
from tests.second.hearts import Hearts
from tests.second.spades import Spades
from tests.second.whist import Whist

Game = Belote | Euchre | Hearts | Spades | Whist
GAMES: dict[str, type[Game]] = {
    "belote": Belote,
    "euchre": Euchre,
    "hearts": Hearts,
    "spades": Spades,
    "whist": Whist,
}


def cases() -> list[tuple[str, dict[str, Any]]]:
    """Return the cases of these games in which every hand is known."""
    found = []
    for name in GAMES:
        path = Path(__file__).parent / "cases" / f"{name}.jsonl"
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for row in rows:
            if sum(entry.startswith("hand ") for entry in row["entries"]) >= 4:
                found.append((name, row))
    return found


def told(game: Game, entries: list[str]) -> None:
    """Play the entries in the second implementation, one deal after another."""
    hands: dict[str, list[str]] = {}
    turned: list[str] = []
    for entry in entries:
        word, rest = entry.split(" ", 1)
        if word in ("turnup", "trump"):
            turned = [rest]
        elif word == "dealer":
            game.dealer = rest
        elif word == "hand":
            name, cards = rest.split(": ")
            hands[name] = cards.split()
            if len(hands) == 4:
                held = [card for each in hands.values() for card in each]
                assert len(set(held)) == len(held)
                game.begin(hands, *turned)
                hands = {}
        else:
            game.play(entry)


def play_out(game: Game, random: Random) -> None:
    """Play one deal at random."""
    game.deal(random)
    while not game.done:
        game.play(random.choice(game.legal()))


@pytest.mark.parametrize("seed", range(10))
def test_a_deal_of_hearts_is_26_points_or_the_moon(seed: int) -> None:
    game, random = Hearts(), Random(seed)
    while not game.over:
        play_out(game, random)
        assert len(game.done_tricks) == 13
        assert sorted(game.played()) == sorted(game.pack)
        assert sum(game.scores().values()) in (26, 78)
        assert all(0 <= points <= 26 for points in game.scores().values())
        first = game.done_tricks[0][1]
        assert first[0] == "2C"
    assert max(game.tallies.values()) >= 100


def test_giving_in_hearts_goes_left_right_across_and_not_at_all() -> None:
    game, random = Hearts(), Random(1)
    for steps in (1, 3, 2, 0, 1):
        game.deal(random)
        assert game.steps == steps
        assert game.giving == (steps > 0)
        gifts = {name: game.hands[name][:3] for name in game.names}
        while game.giving:
            name = game.to_act()[-1]
            game.play(f"{name}: give {' '.join(gifts[name])}")
        for name, gift in gifts.items():
            assert set(gift) <= set(game.hands[game.left(name, steps)])
        assert "2C" in game.hands[game.turn]


@pytest.mark.parametrize("seed", range(10))
def test_a_deal_of_spades_is_made_of_its_bids_and_its_bags(seed: int) -> None:
    game, random = Spades(), Random(seed)
    sums, bags = [0, 0], [0, 0]
    for _ in range(20):
        play_out(game, random)
        assert sum(game.won(name) for name in game.names) == 13
        assert len(game.bids) == 4
        for side, pair in enumerate((("Ana", "Cleo"), ("Ben", "Dan"))):
            bid = sum(game.bids[name] for name in pair)
            over = sum(game.won(name) for name in pair) - bid
            bags[side] += max(over, 0)
            sums[side] += 10 * bid + over if over >= 0 else -10 * bid
            for name in pair:
                if not game.bids[name]:
                    sums[side] += 100 if not game.won(name) else -100
            # Counting all bags at once costs the same as counting them deal by deal.
            assert {game.tallies[name] for name in pair} == {sums[side] - bags[side] // 10 * 100}


@pytest.mark.parametrize("announcements", [True, False])
@pytest.mark.parametrize("seed", range(10))
def test_a_deal_of_belote_is_162_points_and_what_was_said(seed: int, announcements: bool) -> None:
    game, random = Belote(announcements=announcements), Random(seed)
    for _ in range(30):
        waiting = game.waiting
        play_out(game, random)
        if not game.taker:
            assert game.passed == 8
            assert game.waiting == waiting
            assert not any(game.scores().values())
            continue
        assert sorted(game.played()) == sorted(game.pack)
        assert sum(game.points()) in (162, 252)
        written = game.scores()["Ana"] + game.scores()["Ben"] + game.waiting - waiting
        said = 20 * bool(game.belote) + sum(game.announced())
        assert written == sum(game.points()) + said
        assert announcements or not sum(game.announced())
        assert game.scores()["Ana"] == game.scores()["Cleo"]


@pytest.mark.parametrize("seed", range(10))
def test_one_side_scores_in_a_deal_of_whist(seed: int) -> None:
    game, random = Whist(), Random(seed)
    while not game.over:
        play_out(game, random)
        less, more = sorted((game.scores()["Ana"], game.scores()["Ben"]))
        assert less == 0
        assert 1 <= more <= 7


@pytest.mark.parametrize("seed", range(10))
def test_a_deal_of_euchre_is_worth_one_two_or_four(seed: int) -> None:
    game, random = Euchre(), Random(seed)
    while not game.over:
        play_out(game, random)
        sides = sorted({game.scores()[name] for name in ("Ana", "Ben")})
        if not game.maker:
            assert sides == [0]
            continue
        assert len(game.played()) == (15 if game.out else 20)
        assert sides in ([0, 1], [0, 2], [0, 4])


@pytest.mark.parametrize(
    ("name", "case"), cases(), ids=lambda each: each if isinstance(each, str) else each["what"]
)
def test_the_cases_worked_out_by_hand_hold(name: str, case: dict[str, Any]) -> None:
    game = GAMES[name]()
    told(game, case["entries"])
    if "scores" in case:
        assert game.done
        assert game.scores() == case["scores"]
        return
    found = game.why_not(case["last"])
    if case["verdict"] == "legal":
        assert found == ""
    else:
        assert found in (case["paragraph"], "turn", "hand")


@pytest.mark.parametrize("make", list(GAMES.values()))
def test_what_is_legal_is_what_breaks_no_paragraph(make: type[Game]) -> None:
    game, random = make(), Random(3)
    for _ in range(5):
        game.deal(random)
        while not game.done:
            legal = game.legal()
            assert legal
            assert len(set(legal)) == len(legal)
            plain = {f"{name}: {card}" for name in game.names for card in game.pack}
            assert {act for act in plain if not game.why_not(act)} == plain & set(legal)
            game.play(random.choice(legal))
        assert game.legal() == []


def test_what_is_not_allowed_is_not_played() -> None:
    game = Hearts()
    game.deal(Random(1))
    with pytest.raises(ValueError, match=r"2\.3"):
        game.play("Ana: QS")
