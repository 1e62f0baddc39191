"""The second implementations of Hearts, Spades and Belote: they keep the laws of their games."""

from __future__ import annotations

from random import Random

import pytest

from tests.second.belote import Belote
from tests.second.hearts import Hearts
from tests.second.spades import Spades

Game = Belote | Hearts | Spades


def play_out(game: Game, random: Random) -> None:
    """One deal at random."""
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
            # The bags of all deals together cost what they cost one after another.
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


@pytest.mark.parametrize("make", [Hearts, Spades, Belote])
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
