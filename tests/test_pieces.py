"""Packs, cards and hands as integers, and the seats round a table."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.core.cards import Pack, seat_to_left

PACK = Pack.make(["A", "K"], ["C", "S"], ["BJ"], 3)
CARDS = st.lists(st.integers(0, PACK.kind_count - 1), max_size=PACK.card_count).filter(
    lambda kinds: all(n <= PACK.copies for n in Counter(kinds).values())
)


def test_make_runs_suit_by_suit_and_jokers_last() -> None:
    assert PACK.kinds == ("AC", "KC", "AS", "KS", "BJ")
    assert PACK.index["BJ"] == 4
    assert (PACK.kind_count, PACK.card_count, PACK.full.bit_count()) == (5, 15, 15)


def test_a_pack_knows_rank_and_suit_of_its_cards() -> None:
    assert PACK.rank == ("A", "K", "A", "K", "BJ")
    assert PACK.suit == ("C", "C", "S", "S", "")
    assert (PACK.ranks, PACK.suits, PACK.suited) == (["A", "K"], ["C", "S"], [0, 1, 2, 3])
    long = Pack.make(["10", "9"], ["H"], ["XH"], 1)
    assert (long.rank, long.suit) == (("10", "9", "XH"), ("H", "H", ""))


@pytest.mark.parametrize(("kinds", "copies"), [(["AC", "AC"], 1), (["AC"], 0)])
def test_a_pack_that_cannot_be_is_refused(kinds: list[str], copies: int) -> None:
    with pytest.raises(ValueError):
        Pack(kinds, copies)


def test_a_copy_too_many_and_a_card_not_there_are_refused() -> None:
    hand = PACK.hand_of([0, 0, 0])
    with pytest.raises(ValueError, match="AC"):
        PACK.add(hand, 0)
    with pytest.raises(ValueError, match="KC"):
        PACK.remove(hand, 1)
    with pytest.raises(ValueError):
        PACK.combine(hand, PACK.hand_of([0]))
    with pytest.raises(ValueError):
        PACK.take_out(hand, PACK.hand_of([1]))


def test_show_writes_codes_in_the_packs_order() -> None:
    assert PACK.format_hand(PACK.hand_of([4, 0, 3, 0])) == "AC AC KS BJ"
    assert PACK.format_hand(0) == ""


@given(CARDS)
def test_a_hand_gives_back_its_cards(kinds: list[int]) -> None:
    hand = PACK.hand_of(kinds)
    assert PACK.kinds_in(hand) == sorted(kinds)
    assert hand.bit_count() == len(kinds)
    for kind in range(PACK.kind_count):
        count = kinds.count(kind)
        assert PACK.count(hand, kind) == count
        for n in range(1, PACK.copies + 1):
            assert bool(hand & PACK.nth(kind, n)) == (count >= n)


@given(CARDS, CARDS)
def test_hands_behave_like_counters(a: list[int], b: list[int]) -> None:
    one, other = PACK.hand_of(a), PACK.hand_of(b)
    assert PACK.kinds_in(PACK.subtract(one, other)) == sorted((Counter(a) - Counter(b)).elements())
    assert PACK.kinds_in(one & other) == sorted((Counter(a) & Counter(b)).elements())
    both = Counter(a) + Counter(b)
    if all(n <= PACK.copies for n in both.values()):
        total = PACK.combine(one, other)
        assert PACK.kinds_in(total) == sorted(both.elements())
        assert PACK.take_out(total, other) == one
    for kind in a:
        assert PACK.add(PACK.remove(one, kind), kind) == one


@given(CARDS, st.integers(0, PACK.first))
def test_a_spread_mask_counts_all_copies(kinds: list[int], mask: int) -> None:
    counted = (PACK.hand_of(kinds) & PACK.all_copies(mask)).bit_count()
    assert counted == sum(1 for kind in kinds if mask & PACK.bit[kind])


def test_seats_run_clockwise() -> None:
    assert (seat_to_left(4, 3), seat_to_left(4, 3, 2), seat_to_left(4, 0, -1)) == (0, 1, 3)
