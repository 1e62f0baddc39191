"""Knowledge of unseen hands: card counts, claims, and contradictions with every possible deal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations_with_replacement
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.core.cards import Pack
from scorekeeper.core.hands import (
    CERTAIN,
    IN_OTHER_HANDS,
    NOT_IN_HAND,
    NOT_IN_PLAY,
    POSSIBLE,
    AllOf,
    AnyOf,
    Claim,
)
from scorekeeper.core.knowledge import Knowledge
from scorekeeper.core.placement import MAX_CELLS, Budget

SKAT = Pack.make(["A", "K", "Q", "J"], ["C", "H"], [], 1)
TWICE = Pack.make(["A", "K", "Q"], ["C", "H"], [], 2)
CLUBS = SKAT.all_copies(0b1111)
HEARTS = SKAT.all_copies(0b11110000)


def hand(pack: Pack, text: str) -> int:
    return pack.hand_of(pack.index[code] for code in text.split())


def unseen(pack: Pack, *counts: int) -> Knowledge:
    known = Knowledge(pack, len(counts))
    for seat, count in enumerate(counts):
        known.deal(seat, 0, count)
    return known


def show(known: Knowledge, seat: int, text: str) -> None:
    for code in text.split():
        known.show(seat, known.pack.index[code])


def any_of(*parts: tuple[int, int, int, int]) -> AnyOf:
    return AnyOf(tuple(Claim(*part) for part in parts))


def all_of(*parts: tuple[int, int, int, int]) -> AllOf:
    return AllOf(tuple(Claim(*part) for part in parts))


def verdicts(known: Knowledge) -> dict[object, bool]:
    return {ref: verdict for ref, verdict, _ in filter(None, known.take_decisions())}


def test_an_entered_hand_decides_at_once() -> None:
    known = Knowledge(SKAT, 2)
    known.deal(0, hand(SKAT, "AC KC AH"), 3)
    assert known.is_known(0)
    assert known.ask(Claim(0, CLUBS, 2, 2), "a") is True
    assert known.ask(Claim(0, CLUBS, 0, 1), "b") is False
    assert known.take_decisions() == ()


def test_possession() -> None:
    known = Knowledge(SKAT, 3)
    known.deal(0, hand(SKAT, "AC KC"), 2)
    known.deal(1, 0, 2)
    known.deal(2, hand(SKAT, "AH"), 2)
    known.locate(SKAT.index["QH"])
    kind = SKAT.index
    assert known.can_hold(0, kind["AC"]) == CERTAIN
    assert known.can_hold(0, kind["QC"]) == NOT_IN_HAND
    assert known.can_hold(1, kind["AC"]) == IN_OTHER_HANDS
    assert known.can_hold(1, kind["QC"]) == POSSIBLE
    assert known.can_hold(1, kind["QH"]) == NOT_IN_PLAY
    assert known.can_hold(1, kind["QC"], 2) == NOT_IN_PLAY
    with pytest.raises(ValueError):
        known.show(0, kind["QC"])


def test_several_copies_are_counted() -> None:
    known = Knowledge(TWICE, 2)
    known.deal(0, hand(TWICE, "AC"), 2)
    known.deal(1, 0, 3)
    kind = TWICE.index
    assert known.can_hold(0, kind["AC"], 2) == POSSIBLE
    assert known.can_hold(1, kind["AC"], 2) == IN_OTHER_HANDS
    known.note_held(0, kind["AC"], 2)
    assert known.can_hold(1, kind["AC"]) == IN_OTHER_HANDS
    known.show(0, kind["AC"])
    assert known.can_hold(0, kind["AC"]) == CERTAIN
    assert known.can_hold(0, kind["AC"], 2) == NOT_IN_PLAY


def test_the_last_unseen_cards_are_surely_his() -> None:
    known = unseen(SKAT, 4, 4)
    show(known, 0, "AC KC QC AH")
    assert known.can_hold(1, SKAT.index["JC"]) == CERTAIN
    assert known.bounds(1, CLUBS) == (1, 1)


def test_a_revoke_shows_when_the_card_does() -> None:
    known = unseen(SKAT, 4, 4)
    show(known, 0, "AC")
    show(known, 1, "AH")
    assert known.ask(Claim(1, CLUBS, 0, 0), "trick 1") is None
    show(known, 1, "KH")
    assert verdicts(known) == {}
    show(known, 1, "KC")
    [(ref, verdict, proof)] = filter(None, known.take_decisions())
    assert (ref, verdict) == ("trick 1", False)
    assert (proof.seat, proof.seen_kinds, proof.by_counting) == (1, (SKAT.index["KC"],), False)
    assert known.take_decisions() == ()


def test_counting_proves_what_no_card_has_shown() -> None:
    known = unseen(SKAT, 4, 4)
    show(known, 1, "AH")
    assert known.ask(Claim(1, CLUBS, 0, 0), "trick 1") is None
    assert verdicts(known) == {}
    show(known, 0, "KH")
    [(_, verdict, proof)] = filter(None, known.take_decisions())
    assert verdict is False
    assert proof.by_counting
    assert proof.least == 1


def test_an_exhausted_hand_settles() -> None:
    known = unseen(SKAT, 2, 2)
    assert known.ask(Claim(0, CLUBS, 0, 0), "none") is None
    assert known.ask(Claim(0, HEARTS, 2, 4), "two") is None
    show(known, 0, "AH KH")
    assert verdicts(known) == {"none": True, "two": True}


def test_a_card_taken_up_seen_was_not_held_before() -> None:
    known = unseen(SKAT, 2, 2)
    show(known, 0, "AC")
    assert known.ask(Claim(1, CLUBS, 0, 0), "then") is None
    known.take_seen(1, hand(SKAT, "AC"))
    show(known, 1, "AC")
    assert verdicts(known) == {}
    show(known, 1, "KC")
    assert verdicts(known) == {"then": False}


def test_an_equal_card_taken_up_seen_proves_nothing_until_the_second() -> None:
    known = unseen(TWICE, 2, 2)
    show(known, 0, "AC")
    assert known.ask(Claim(1, hand(TWICE, "AC AC"), 0, 0), "then") is None
    known.take_seen(1, hand(TWICE, "AC"))
    show(known, 1, "AC")
    assert verdicts(known) == {}
    show(known, 1, "AC")
    assert verdicts(known) == {"then": False}


def test_an_unseen_draw_leaves_it_open_and_a_drawn_card_named_closes_it() -> None:
    known = unseen(SKAT, 1, 1)
    assert known.ask(Claim(0, CLUBS, 0, 0), "then") is None
    known.take_unseen(0, 1)
    show(known, 0, "AC")
    assert verdicts(known) == {}
    known.name_drawn(0, SKAT.index["KH"])
    assert verdicts(known) == {"then": False}
    with pytest.raises(ValueError):
        known.name_drawn(0, SKAT.index["QH"])


def test_a_card_seen_in_the_hand_and_then_named_as_drawn_accuses_nobody() -> None:
    known = unseen(SKAT, 2, 1)
    assert known.ask(Claim(0, CLUBS, 0, 0), "then") is None
    known.take_unseen(0, 1)
    known.note_held(0, SKAT.index["AC"])
    known.name_drawn(0, SKAT.index["AC"])
    assert verdicts(known) == {}
    show(known, 0, "KC")
    assert verdicts(known) == {"then": False}


def test_burying_keeps_what_the_cards_together_are() -> None:
    known = Knowledge(SKAT, 2)
    known.deal(0, hand(SKAT, "AC KC AH"), 3)
    known.deal(1, 0, 3)
    known.bury_unseen(0, 1)
    assert known.size(0) == 2
    assert known.bounds(0, CLUBS) == (1, 2)
    assert known.can_hold(0, SKAT.index["AH"]) == POSSIBLE
    assert known.can_hold(1, SKAT.index["AH"]) == IN_OTHER_HANDS
    assert known.ask(Claim(0, CLUBS, 2, 2), "both") is None
    show(known, 0, "AH")
    assert verdicts(known) == {"both": False}
    show(known, 0, "AC")
    assert known.can_hold(0, SKAT.index["KC"]) == NOT_IN_HAND


def test_what_is_known_of_a_given_card_takes_no_trying() -> None:
    known = Knowledge(SKAT, 2)
    for seat, cards in enumerate(("AC KC AH", "QC QH JH")):
        known.deal(seat, hand(SKAT, cards), 3)
    known.pass_on([(0, 1, 1), (1, 0, 1)], [])
    assert known.provenance is not None
    table, budget = known.provenance.make_table([]), Budget()
    assert table.can_be_filled(budget)
    named, others = 6, 1
    assert MAX_CELLS - budget.cells_left == (named + others) * len(known.provenance.lots)


def test_reveal_settles_and_contradictions_are_refused_without_a_change() -> None:
    known = unseen(SKAT, 3, 3)
    known.note_held(0, SKAT.index["AC"])
    assert known.ask(Claim(0, CLUBS, 2, 4), "two") is None
    for wrong in ("AC KC", "KC QC JC"):
        with pytest.raises(ValueError):
            known.reveal(0, hand(SKAT, wrong))
    known.reveal(0, hand(SKAT, "AC KC AH"))
    assert verdicts(known) == {"two": True}
    assert known.is_known(0)


def test_cards_given_seen_and_unseen() -> None:
    known = Knowledge(SKAT, 3)
    known.deal(0, hand(SKAT, "AC KC"), 2)
    known.deal(1, 0, 2)
    known.deal(2, 0, 2)
    known.give(0, 1, hand(SKAT, "AC"))
    assert known.can_hold(1, SKAT.index["AC"]) == CERTAIN
    assert (known.size(0), known.size(1)) == (1, 3)
    known.give_unseen(1, 0, 1)
    assert known.can_hold(0, SKAT.index["AC"]) == POSSIBLE
    assert (known.size(0), known.size(1)) == (2, 2)
    with pytest.raises(ValueError):
        known.give(2, 0, hand(SKAT, "AH KH QH"))


def test_draws_and_deals_beyond_the_pack_are_refused() -> None:
    known = unseen(SKAT, 4, 4)
    refusals: list[Callable[[], None]] = [
        lambda: known.take_unseen(0, 1),
        lambda: known.locate(0),
        lambda: known.deal(0, 0, 5),
        lambda: known.take_seen(0, SKAT.bit[0]),
        lambda: known.bury_unseen(0, 5),
    ]
    for refused in refusals:
        with pytest.raises(ValueError):
            refused()
    assert known.unseen == SKAT.full


def test_doubt_lets_the_table_be_right_and_accuses_nobody() -> None:
    known = Knowledge(SKAT, 3)
    known.deal(0, hand(SKAT, "AC KC"), 2)
    known.deal(1, hand(SKAT, "AH"), 2)
    known.deal(2, 0, 2)
    assert known.ask(Claim(1, CLUBS, 0, 0), "then") is None
    known.mark_contradicted(1, SKAT.index["AC"])
    show(known, 1, "AC")
    assert verdicts(known) == {}
    assert known.bounds(0, hand(SKAT, "KC")) == (1, 1)
    assert known.size(0) == 2
    known.mark_contradicted(0, SKAT.index["AH"])
    show(known, 0, "AH")
    assert [known.size(seat) for seat in range(3)] == [1, 1, 2]
    with pytest.raises(ValueError):
        known.mark_contradicted(2, SKAT.index["AC"])


def test_what_clashes_does_so_until_one_of_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    pack = Pack.make("AKQJ", "CS", (), 1)
    known = unseen(pack, 4, 4)
    for seat in (0, 1):  # each claim states two of three cards
        assert known.ask(Claim(seat, hand(pack, "AC KC QC"), 2, 8), seat, seat + 1) is None
    known.take_decisions()
    assert known.list_clashes() == [[0, 1]]
    # with a limit of 0 no deduction is possible
    monkeypatch.setattr("scorekeeper.core.placement.MAX_CELLS", 0)
    show(known, 0, "JC")
    assert not known.take_decisions()
    assert known.copy().list_clashes() == known.list_clashes() == [[0, 1]]
    show(known, 1, "AC KC")
    assert verdicts(known) == {0: False, 1: True}
    assert known.list_clashes() == []


def test_compound_claims() -> None:
    known = unseen(SKAT, 2, 2)
    five = (0, CLUBS, 2, 2)
    other = (0, HEARTS, 2, 2)
    assert known.ask(any_of(five, other), "any") is None
    assert known.ask(all_of(five, (1, CLUBS, 0, 2)), "all") is None
    assert known.ask(any_of(five, (1, CLUBS, 0, 2)), "sure") is True
    assert known.ask(all_of(five, (1, CLUBS, 3, 4)), "never") is False
    show(known, 0, "AC")
    show(known, 0, "AH")
    assert verdicts(known) == {"any": False, "all": False}


# Compare with every deal that agrees with what was seen.

Counts = tuple[int, ...]
Place = tuple[Counts, ...]


class World(NamedTuple):
    """One possible deal; `last` has each seat's last unseen draw, `truths` the claims' truth."""

    hands: Place
    piles: Place
    rest: Counts
    last: Place
    truths: tuple[bool, ...] = ()

    def put(self, seat: int, part: Counts, sign: int) -> World:
        return self._replace(hands=put(self.hands, seat, shifted(self.hands[seat], part, sign)))

    def draw(self, seat: int, part: Counts) -> World:
        return self.put(seat, part, 1)._replace(rest=shifted(self.rest, part, -1))


def parts(cards: Counts, n: int) -> list[Counts]:
    """Return all ways to pick n of the cards, as counts."""
    kinds = [kind for kind, count in enumerate(cards) if count]
    picks = (
        tuple(map(pick.count, range(len(cards))))
        for pick in combinations_with_replacement(kinds, n)
    )
    return [p for p in picks if all(a <= b for a, b in zip(p, cards, strict=True))]


def shifted(cards: Counts, part: Counts, sign: int) -> Counts:
    return tuple(a + sign * b for a, b in zip(cards, part, strict=True))


def put(places: Place, seat: int, cards: Counts) -> Place:
    return (*places[:seat], cards, *places[seat + 1 :])


class Table:
    """A real deal, the knowledge of two referees, and every world that the first one cannot
    exclude."""

    def __init__(self, pack: Pack, sizes: list[int], random: Random) -> None:
        self.pack = pack
        self.random = random
        self.referee = Knowledge(pack, len(sizes))
        self.told = Knowledge(pack, len(sizes))
        self.claims: list[tuple[int, int, int, int]] = []
        self.answers: dict[object, bool] = {}
        self.told_answers: dict[object, bool] = {}
        self.loose_ends: set[int] = set()
        self.exact = True
        self.none = (0,) * pack.kind_count
        self.gone: Counts = self.none
        empty = (self.none,) * len(sizes)
        self.worlds = {World(empty, empty, (pack.copies,) * pack.kind_count, empty)}
        for seat, size in enumerate(sizes):
            self.worlds = {w.draw(seat, part) for w in self.worlds for part in parts(w.rest, size)}
        self.real = random.choice(sorted(self.worlds))
        for seat, size in enumerate(sizes):
            entered = random.random() < 0.2
            mine = self.real.hands[seat]
            self.referee.deal(seat, self.hand(mine) if entered else 0, size)
            self.told.deal(seat, self.hand(mine), size)
            if entered:
                self.worlds = {w for w in self.worlds if w.hands[seat] == mine}

    def hand(self, cards: Counts) -> int:
        return self.pack.hand_of(kind for kind, n in enumerate(cards) for _ in range(n))

    def one(self, kind: int) -> Counts:
        return tuple(int(other == kind) for other in range(self.pack.kind_count))

    def some(self, cards: Counts) -> int:
        return self.random.choice([kind for kind, n in enumerate(cards) if n])

    def change(self, step: Callable[[World], Iterable[World]]) -> None:
        """Replace every world by those that `step` makes of it; the real world becomes one of its
        own."""
        self.worlds = {after for world in self.worlds for after in step(world)}
        self.real = self.random.choice(sorted(step(self.real)))

    def keep(self, test: Callable[[World], object]) -> None:
        self.worlds = {world for world in self.worlds if test(world)}
        assert self.real in self.worlds

    def both(self, act: Callable[[Knowledge], object]) -> None:
        act(self.referee)
        act(self.told)

    # Events

    def show(self, seat: int) -> None:
        if any(self.real.hands[seat]):
            kind = self.some(self.real.hands[seat])
            self.both(lambda known: known.show(seat, kind))
            self.change(lambda w: [w.put(seat, self.one(kind), -1)] if w.hands[seat][kind] else [])
            self.gone = shifted(self.gone, self.one(kind), 1)

    def holds(self, seat: int) -> None:
        if any(self.real.hands[seat]):
            kind = self.some(self.real.hands[seat])
            n = self.real.hands[seat][kind]
            self.both(lambda known: known.note_held(seat, kind, n))
            self.keep(lambda w: w.hands[seat][kind] >= n)
            # With buried cards, only the contents of hand and pile together are known.
            self.exact = self.exact and not any(self.real.piles[seat])

    def reveal(self, seat: int) -> None:
        mine = self.real.hands[seat]
        self.both(lambda known: known.reveal(seat, self.hand(mine)))
        self.keep(lambda w: w.hands[seat] == mine)
        self.exact = self.exact and not any(self.real.piles[seat])

    def take_seen(self, seat: int) -> None:
        if any(self.gone):
            kind = self.some(self.gone)
            self.both(lambda known: known.take_seen(seat, self.pack.bit[kind]))
            self.change(lambda w: [w.put(seat, self.one(kind), 1)])
            self.gone = shifted(self.gone, self.one(kind), -1)
            self.exact = self.exact and not any(self.real.piles[seat])

    def locate(self, seat: int) -> None:
        if any(self.real.rest):
            kind = self.some(self.real.rest)
            one = self.one(kind)
            self.both(lambda known: known.locate(kind))
            self.change(
                lambda w: [w._replace(rest=shifted(w.rest, one, -1))] if w.rest[kind] else []
            )
            self.gone = shifted(self.gone, one, 1)

    def draw_seen(self, seat: int) -> None:
        if any(self.real.rest):
            kind = self.some(self.real.rest)
            self.both(lambda known: known.locate(kind))
            self.both(lambda known: known.put_back(seat, known.pack.bit[kind]))
            self.change(lambda w: [w.draw(seat, self.one(kind))] if w.rest[kind] else [])
            self.exact = self.exact and not any(self.real.piles[seat])

    def bury(self, seat: int) -> None:
        if any(self.real.hands[seat]):
            self.both(lambda known: known.bury_unseen(seat, 1))
            self.change(
                lambda w: [
                    w.put(seat, part, -1)._replace(
                        piles=put(w.piles, seat, shifted(w.piles[seat], part, 1))
                    )
                    for part in parts(w.hands[seat], 1)
                ]
            )

    def draw_unseen(self, seat: int) -> None:
        n = self.random.randint(1, 2)
        if sum(self.real.rest) >= n:
            self.exact = False
            self.both(lambda known: known.take_unseen(seat, n))
            self.change(
                lambda w: [
                    w.draw(seat, part)._replace(last=put(w.last, seat, part))
                    for part in parts(w.rest, n)
                ]
            )

    def drew(self, seat: int) -> None:
        here = tuple(map(min, self.real.last[seat], self.real.hands[seat]))
        if any(here):
            kind = self.some(here)
            self.both(lambda known: known.name_drawn(seat, kind))
            self.keep(lambda w: w.last[seat][kind] and w.hands[seat][kind])
            self.change(
                lambda w: [
                    w._replace(last=put(w.last, seat, shifted(w.last[seat], self.one(kind), -1)))
                ]
            )

    def give_unseen(self, seat: int) -> None:
        to = (seat + 1) % self.referee.seats
        if any(self.real.hands[seat]):
            self.exact = False
            self.both(lambda known: known.give_unseen(seat, to, 1))
            self.change(
                lambda w: [
                    w.put(seat, part, -1).put(to, part, 1)._replace(last=put(w.last, to, part))
                    for part in parts(w.hands[seat], 1)
                ]
            )

    def claim(self, seat: int) -> None:
        kinds = self.random.randint(1, self.pack.first)
        most = self.random.choice([0, 0, 1, 2, self.pack.card_count])
        least = self.random.randint(0, min(most, 2))
        number = len(self.claims)
        mask = self.pack.all_copies(kinds)
        self.claims.append((seat, kinds, least, most))
        for known, answers in ((self.referee, self.answers), (self.told, self.told_answers)):
            verdict = known.ask(Claim(seat, mask, least, most), number)
            if verdict is not None:
                answers[number] = verdict
        self.change(lambda w: [w._replace(truths=(*w.truths, self.true(w, number)))])

    def true(self, world: World, number: int) -> bool:
        return holds_true(world, self.claims[number])

    def compound(self, seat: int) -> None:
        """Combine two claims in one; it may be decided later than is possible."""
        both = []
        for part in (seat, self.random.randrange(self.referee.seats)):
            both.append((part, self.random.randint(1, self.pack.first), 1, 2))
        joined: Callable[[Iterable[bool]], bool] = self.random.choice([any, all])
        number = len(self.claims)
        self.claims.append(both[0])
        self.loose_ends.add(number)
        spread = [(part, self.pack.all_copies(kinds), lo, hi) for part, kinds, lo, hi in both]
        for known, answers in ((self.referee, self.answers), (self.told, self.told_answers)):
            question = any_of(*spread) if joined is any else all_of(*spread)
            verdict = known.ask(question, number)
            if verdict is not None:
                answers[number] = verdict
        self.change(
            lambda w: [w._replace(truths=(*w.truths, joined(holds_true(w, part) for part in both)))]
        )

    def copy(self, seat: int) -> None:
        """Continue with a copy, and apply a different event to the original."""
        original, self.referee = self.referee, self.referee.copy()
        original.ask(Claim(seat, self.pack.full, 1, 1), "nobody asked the copy")
        for each, mine in enumerate(self.real.hands):
            original.reveal(each, self.hand(mine))
        for each in range(original.seats):
            original.deal(each, 0, 0)

    # Invariants

    def check(self) -> None:
        for known, answers in ((self.referee, self.answers), (self.told, self.told_answers)):
            for ref, verdict, _ in filter(None, known.take_decisions()):
                assert ref not in answers
                answers[ref] = verdict
        for number in range(len(self.claims)):
            possible = {w.truths[number] for w in self.worlds}
            if number in self.answers:
                assert possible == {self.answers[number]}
            elif self.exact and number not in self.loose_ends:
                assert len(possible) == 2, (number, self.claims[number])
            told = self.told_answers.get(number)
            assert told is None or told == self.real.truths[number]
            assert self.answers.get(number) in (None, self.real.truths[number])

    def check_hands(self, seat: int) -> None:
        kinds = self.random.randint(1, self.pack.first)
        counts = [inside(w.hands[seat], kinds) for w in self.worlds]
        lo, hi = self.referee.bounds(seat, self.pack.all_copies(kinds))
        assert lo <= min(counts)
        assert max(counts) <= hi
        assert not self.exact or (lo, hi) == (min(counts), max(counts))
        assert self.referee.size(seat) == sum(self.real.hands[seat])
        for kind in range(self.pack.kind_count):
            for n in range(1, self.pack.copies + 1):
                having = {w.hands[seat][kind] >= n for w in self.worlds}
                verdict = self.referee.can_hold(seat, kind, n)
                if verdict == CERTAIN:
                    assert having == {True}
                elif verdict < POSSIBLE:
                    assert having == {False}
                elif self.exact:
                    assert len(having) == 2


def inside(cards: Counts, kinds: int) -> int:
    return sum(n for kind, n in enumerate(cards) if kinds >> kind & 1)


def holds_true(world: World, part: tuple[int, int, int, int]) -> bool:
    seat, kinds, least, most = part
    return least <= inside(world.hands[seat], kinds) <= most


PACKS = [
    (Pack("ABCDEF", 1), [2, 2]),
    (Pack("ABCDEF", 1), [3, 3]),
    (Pack("ABCDEFG", 1), [2, 2, 2]),
    (Pack("ABCD", 2), [3, 3]),
    (Pack("ABCD", 2), [2, 3, 2]),
    (Pack("ABC", 2), [2, 2, 2]),
    (Pack("AB", 3), [2, 2, 2]),
]
SEEN = [Table.show] * 4 + [Table.holds, Table.take_seen, Table.locate, Table.draw_seen]
UNSEEN = [Table.draw_unseen, Table.drew, Table.give_unseen, Table.bury]
HIDDEN = [
    [*SEEN, Table.reveal, *UNSEEN, *UNSEEN],
    [Table.draw_unseen, Table.drew, Table.show, Table.holds],
    [Table.bury, Table.show, Table.reveal],
    [Table.bury, Table.draw_unseen, Table.show],
]


def play(random: Random, events: list[Callable[[Table, int], None]]) -> None:
    pack, sizes = random.choice(PACKS)
    table = Table(pack, sizes, random)
    for _ in range(random.randint(1, 12)):
        seat = random.randrange(len(sizes))
        if random.random() < 0.4:
            random.choice([Table.claim, Table.claim, Table.claim, Table.compound])(table, seat)
        else:
            random.choice(events)(table, seat)
        table.check()
        table.check_hands(seat)


@settings(max_examples=140, deadline=None)
@given(st.randoms(use_true_random=False))
def test_what_is_seen_decides_exactly_when_every_world_agrees(random: Random) -> None:
    play(random, [*SEEN, Table.reveal])


@settings(max_examples=80, deadline=None)
@given(st.randoms(use_true_random=False))
def test_buried_cards_leave_it_exact(random: Random) -> None:
    play(random, [Table.show, Table.show, Table.locate, Table.bury])


@settings(max_examples=160, deadline=None)
@given(st.randoms(use_true_random=False))
def test_unseen_cards_never_lead_to_a_wrong_verdict(random: Random) -> None:
    play(random, random.choice(HIDDEN))


@settings(max_examples=120, deadline=None)
@given(st.randoms(use_true_random=False))
def test_a_copy_goes_on_apart_from_its_original(random: Random) -> None:
    play(random, [*SEEN, *[Table.copy] * 8, *random.choice([[], UNSEEN])])


def test_a_question_made_of_questions_is_answered_when_all_of_its_parts_that_matter_are() -> None:
    known = unseen(SKAT, 3, 3)
    pairs = AllOf((any_of((0, CLUBS, 3, 3), (1, CLUBS, 3, 3)), any_of((0, HEARTS, 1, 3))))
    assert known.ask(pairs, "both") is None
    copied = known.copy()
    show(known, 0, "AC AH")
    assert verdicts(known) == {}
    show(known, 1, "KC QC JC")
    assert verdicts(known) == {"both": True}
    show(copied, 0, "AC KC QC")
    assert verdicts(copied) == {"both": False}


def test_a_question_of_several_claims_is_answered_in_the_copy_too() -> None:
    known = unseen(SKAT, 3, 3)
    assert known.ask(any_of((0, CLUBS, 3, 3), (1, CLUBS, 3, 3)), "either") is None
    copied = known.copy()
    show(known, 0, "AC KC QC")
    assert verdicts(known) == {"either": True}
    assert verdicts(copied) == {}
    show(copied, 0, "AC KC QC")
    assert verdicts(copied) == {"either": True}
