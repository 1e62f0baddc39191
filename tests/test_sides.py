"""Who is on which side: proven by the entry after which no distribution of the unseen cards leaves
it open, told by that entry once, and never before; what is only said is told as said."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from scorekeeper import Match, Ruleset, load_ruleset

RULESETS = Path(__file__).parent / "rulesets"
TABLE = ["Ana", "Ben", "Cleo", "Dan"]
DOPPELKOPF = ["doppelkopf", "doppelkopf-ddv", "doppelkopf-armut", "schafkopf"]
SIDES = ["queen", "pawn"]
SEEDS = range(60)


@pytest.fixture(autouse=True)
def _rulesets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(RULESETS))


def told(match: Match, text: str) -> list[str]:
    """What an entry says of sides."""
    found = match.record(text).findings
    return [each.reason for each in found if each.code.startswith("parties.")]


# --- brute force: every distribution of the unseen cards


class World(NamedTuple):
    """What is certain of the hands as they were when play began: for each player how many cards,
    and which of them for sure; `aside`, cards that are certain to lie elsewhere. `either` are
    certain to be in the first player's hand or among `buried` cards of theirs."""

    size: list[int]
    sure: list[list[str]]
    aside: list[str]
    either: list[str]
    buried: int


def holders(rules: Ruleset, card: str, world: World) -> list[set[bool]]:
    """For each player whether they had the card, in any distribution that is possible."""
    found: list[set[bool]] = [set() for _ in world.size]
    for count in range(len(world.either) + 1):
        for away in combinations(range(len(world.either)), count):
            kept = [each for at, each in enumerate(world.either) if at not in away]
            gone = [world.either[at] for at in away]
            sure = [[*world.sure[0], *kept], *world.sure[1:], gone]
            _spread(rules, card, [*world.size, world.buried], sure, world.aside, found)
    return found


def _spread(
    rules: Ruleset,
    card: str,
    size: list[int],
    sure: list[list[str]],
    aside: list[str],
    found: list[set[bool]],
) -> None:
    """Add what every way to spread the other cards over hands of that size comes to."""
    pack = rules.pack
    free = [most - len(cards) for most, cards in zip(size, sure, strict=True)]
    located = [*aside, *(each for cards in sure for each in cards)]
    left = [pack.copies - located.count(kind) for kind in pack.kinds]
    if min(free) < 0 or min(left) < 0:
        return
    states = {((*free, sum(left) - sum(free)), tuple(card in cards for cards in sure))}
    for kind, copies in zip(pack.kinds, left, strict=True):
        for _ in range(copies):
            states = {
                (
                    tuple(count - (at == to) for at, count in enumerate(room)),
                    tuple(one or (kind == card and at == to) for at, one in enumerate(has)),
                )
                for room, has in states
                for to, count in enumerate(room)
                if count
            }
    for _, has in states:
        for seat, held in enumerate(found):
            held.add(has[seat])


# --- small deals, played by chance


class Deal:
    """A deal of a small game that is played by chance, as a table enters it that sees no hand."""

    def __init__(self, name: str, seed: int) -> None:
        self.random = Random(f"{name} {seed}")
        self.rules = load_ruleset(str(RULESETS / f"{name}.toml"))
        self.names = TABLE[: self.random.choice([3, 4])]
        self.match = Match(self.rules, self.names)
        cards = [*self.rules.pack.kinds] * self.rules.pack.copies
        self.random.shuffle(cards)
        self.size = self.rules.deal_size(len(self.names))
        self.hands = [[cards.pop() for _ in range(self.size)] for _ in self.names]
        self.rest = cards
        self.card, self.sure_sides = "QC", dict[int, bool]()
        self.laid: list[list[str]] = [[] for _ in self.names]
        self.seen: list[list[str]] = [[] for _ in self.names]
        self.aside: list[str] = []
        self.either: list[str] = []
        self.buried = 0
        self.entries: list[str] = []
        self.told: dict[str, str] = {}
        self.moved = False

    @property
    def dealer(self) -> int:
        return len(self.names) - 1

    def say(self, text: str, *, known: bool = True) -> None:
        """Enter it; once play can begin, the sides must be what brute force says."""
        ruling = self.match.record(text)
        self.entries.append(text)
        if known:
            self.check(ruling.as_json()["findings"])

    def check(self, findings: list[dict[str, object]]) -> None:
        order = [self.dealer, *range(self.dealer)] if self.either else range(len(self.names))
        world = World(
            [self.size for _ in order],
            [self.seen[seat] for seat in order],
            self.aside,
            self.either,
            self.buried,
        )
        possible = dict(zip(order, holders(self.rules, self.card, world), strict=True))
        possible |= {seat: {side} for seat, side in self.sure_sides.items()}
        proven = {
            side: [
                name for seat, name in enumerate(self.names) if possible[seat] == {side == SIDES[0]}
            ]
            for side in SIDES
        }
        assert self.match.state["sides"] == proven, self.entries
        now = dict(self.told)
        for finding in findings:
            if finding["code"] == "parties.proven":
                facts = finding["facts"]
                assert isinstance(facts, dict)
                assert facts["entry"] == len(self.entries)
                fresh = dict.fromkeys(facts["who"], str(facts["side"]))
                assert not fresh.keys() & now.keys(), self.entries
                now |= fresh
        if not self.moved:
            sure = {self.names[seat] for seat in self.sure_sides}
            by_name = {name: side for side in SIDES for name in proven[side] if name not in sure}
            assert now == by_name, self.entries
        self.told = now

    def play(self) -> None:
        """Lay all cards, now and then after one was seen in a hand."""
        while any(self.hands):
            (name, *_) = self.match.to_act
            if not self.hands[self.names.index(name)]:  # hands of a start may differ in size
                break
            if self.random.random() < 0.15:
                self.look()
            seat = self.names.index(name)
            hand = self.hands[seat]
            card = hand.pop(self.random.randrange(len(hand)))
            self.laid[seat].append(card)
            self.learn(seat, [])
            self.say(f"{name}: {card}")

    def look(self) -> None:
        """A card is seen in somebody's hand; not in one from which cards were buried unseen."""
        hidden = self.dealer if self.buried else -1
        may = [seat for seat, hand in enumerate(self.hands) if hand and seat != hidden]
        if not may:
            return
        seat = self.random.choice(may)
        card = self.random.choice(self.hands[seat])
        self.learn(seat, [card])
        self.say(f"holds {self.names[seat]}: {card}")

    def learn(self, seat: int, held: list[str]) -> None:
        """These cards are in the hand now, beside those that were laid."""
        cards = [*self.laid[seat], *held]
        for card in set(cards):
            more = cards.count(card) - self.seen[seat].count(card)
            self.seen[seat] += [card] * more
            for _ in range(more):
                if seat == self.dealer and card in self.either:
                    self.either.remove(card)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_side_is_proven_when_no_distribution_is_left_that_says_otherwise(seed: int) -> None:
    deal = Deal("sides", seed)
    if deal.random.random() < 0.3:
        deal.look()
    deal.play()
    assert deal.match.rounds[0].over
    assert sum(map(len, deal.match.state["sides"].values())) == len(deal.names)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_round_that_began_in_the_middle_may_have_seen_the_card_before(seed: int) -> None:
    deal = Deal("sides", seed)
    gone = [hand.pop() for hand in deal.hands]
    assert len(gone) == len(deal.names)
    deal.say(f"hand Ana: {deal.size - 1}")
    deal.play()
    deal = Deal("sides", seed)
    for hand in deal.hands[1:]:
        hand.pop()
    for name, hand in zip(deal.names, deal.hands, strict=True):
        deal.say(f"hand {name}: {len(hand)}", known=name == deal.names[-1])
    deal.play()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_card_that_is_named_makes_the_sides_likewise(seed: int) -> None:
    deal = Deal("sides-named", seed)
    deal.card, deal.sure_sides = deal.random.choice(["AC", "AS", "AH"]), {0: True}
    deal.say(f"Ana: called {deal.card}", known=False)
    for name in deal.names[1:-1]:
        deal.say(f"{name}: pass", known=False)
    deal.say(f"{deal.names[-1]}: pass")
    deal.play()
    assert not any(hand for hand in deal.hands)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_given_taken_up_and_buried_counts_where_it_lay_when_play_began(seed: int) -> None:
    deal = Deal("sides-moved", seed)
    random, given = deal.random, list[tuple[int, str, bool]]()
    for seat, name in enumerate(deal.names):
        card = deal.hands[seat].pop(random.randrange(deal.size))
        open_to_all = random.random() < 0.4
        given.append(((seat + 1) % len(deal.names), card, open_to_all))
        deal.say(f"{name}: give {card if open_to_all else 1}", known=False)
        deal.moved = deal.moved or open_to_all
    for to, card, open_to_all in given:
        deal.hands[to].append(card)
        if open_to_all:
            deal.learn(to, [*deal.seen[to], card])
    dealer = deal.hands[deal.dealer]
    dealer += [deal.rest.pop(), deal.rest.pop()]
    deal.say(f"{deal.names[-1]}: take", known=False)
    random.shuffle(dealer)
    away = [dealer.pop(), dealer.pop()]
    if random.random() < 0.4:
        deal.moved, deal.aside = True, away
        deal.seen[deal.dealer] = [card for card in deal.seen[deal.dealer] if card not in away]
        deal.say(f"{deal.names[-1]}: bury {' '.join(away)}")
    else:
        deal.either, deal.seen[deal.dealer] = deal.seen[deal.dealer], []
        deal.buried = len(away)
        deal.say(f"{deal.names[-1]}: bury 2")
    deal.play()
