"""Sides of the players: proven by the first entry that leaves only one possibility in every
distribution of the unseen cards.

That entry reports the sides, and none before it does. Sides that were only stated are reported as
stated.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from scorekeeper import Finding, Illegal, Match, Ruleset, load_ruleset
from tests.effort import tries
from tests.helpers import match_of, program
from tests.random_play import evening

RULESETS = Path(__file__).parent / "rulesets"
TABLE = ["Ana", "Ben", "Cleo", "Dan"]
DOPPELKOPF = ["doppelkopf", "doppelkopf-ddv", "doppelkopf-armut", "schafkopf"]
SIDES = ["queen", "pawn"]
SEEDS = tries(30)


@pytest.fixture(autouse=True)
def _rulesets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(RULESETS))


def is_of_sides(finding: Finding) -> bool:
    return finding.code in ("parties.proven", "parties.alone")


def told(match: Match, text: str) -> list[str]:
    """Record an entry, and return its reports about sides."""
    return [each.reason for each in match.record(text).findings if is_of_sides(each)]


# --- brute force: every distribution of the unseen cards


class World(NamedTuple):
    """The certain knowledge of the hands at the start of play.

    `size` and `sure` have each player's number of cards and known cards. The cards in `aside`
    are in no hand. Those in `either` are in the first player's hand or among its `buried` cards.
    """

    size: list[int]
    sure: list[list[str]]
    aside: list[str]
    either: list[str]
    buried: int


def holders(rules: Ruleset, card: str, world: World) -> list[set[bool]]:
    """Return for each player whether they had the card, in all possible distributions."""
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
    """Add the holders of the card in every distribution of the other cards over hands of these
    sizes."""
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


# --- small random deals


class Deal:
    """A random deal of a small game, recorded at a table that sees no hand."""

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
        self.notes: list[tuple[int, str]] = []
        self.told: dict[str, str] = {}
        self.moved = False

    @property
    def dealer(self) -> int:
        return len(self.names) - 1

    def say(self, text: str, *, known: bool = True) -> None:
        """Record an entry; once play can begin, compare the sides with a brute-force search."""
        try:
            ruling = self.match.record(text)
        except Illegal:
            text = f"{text} !stands"
            ruling = self.match.record(text)
        self.entries.append(text)
        number = len(self.entries)
        self.notes += [(number, each.reason) for each in ruling.findings if is_of_sides(each)]
        if known:
            self.check(ruling.findings)

    def check(self, findings: Sequence[Finding]) -> None:
        order = [self.dealer, *range(self.dealer)] if self.either else range(len(self.names))
        size, sure = [self.size for _ in order], [self.seen[seat] for seat in order]
        world = World(size, sure, self.aside, self.either, self.buried)
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
            if finding.code == "parties.proven":
                facts = finding.facts
                assert facts["entry"] == len(self.entries)
                fresh = dict.fromkeys(facts["who"], str(facts["side"]))
                assert not fresh.keys() & now.keys(), self.entries
                now |= fresh
        if not self.moved:
            known = {self.names[seat] for seat in self.sure_sides}
            by_name = {name: side for side in SIDES for name in proven[side] if name not in known}
            assert now == by_name, self.entries
        self.told = now

    def play(self) -> None:
        """Play all cards; sometimes a card is seen in a hand first."""
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
        """Show a card of a player's hand, but not of one from which unseen cards were buried."""
        hidden = self.dealer if self.buried else -1
        may = [seat for seat, hand in enumerate(self.hands) if hand and seat != hidden]
        if not may:
            return
        seat = self.random.choice(may)
        card = self.random.choice(self.hands[seat])
        self.learn(seat, [card])
        self.say(f"holds {self.names[seat]}: {card}")

    def learn(self, seat: int, held: list[str]) -> None:
        """Note that these cards are in the hand now, in addition to the cards played."""
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


@pytest.mark.parametrize("name", ["sides", "sides-follow"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_written_round_is_told_what_its_entries_are_told_one_by_one(name: str, seed: int) -> None:
    deal = Deal(name, seed)
    deal.play()
    written = Match(deal.rules, deal.names).play_round(deal.entries)
    notes = [(number, each.reason) for number, each in written.findings if is_of_sides(each)]
    assert notes == deal.notes
    assert {number for number, _ in notes}


# --- reports


def test_who_shows_the_card_is_told_by_that_entry_alone() -> None:
    match = match_of("doppelkopf", TABLE, "all: gesund", "Ana: AC", "9C", "9C", "KC")
    (finding,) = match.record("Ana: QC").findings
    assert finding.reason == "Ana is re: QC (6)"
    assert (finding.verdict, finding.severity, finding.cite) == ("legal", "note", "1.3")
    facts = {key: finding.facts[key] for key in ("who", "side", "entry")}
    assert facts == {"who": ["Ana"], "side": "re", "entry": 6}
    assert told(match, "Ben: JC") == []


def test_who_is_left_when_all_of_the_cards_were_shown_is_told_together() -> None:
    match = match_of("doppelkopf", TABLE, "all: gesund", "Ana: QC", "9D", "9D")
    assert told(match, "Dan: QC") == [
        "Dan is re: QC (5)",
        "Ben and Cleo are kontra: both QC are accounted for",
    ]
    assert match.state["sides"] == {"re": ["Ana", "Dan"], "kontra": ["Ben", "Cleo"]}


def test_who_turns_out_to_play_alone_is_told_at_once_with_what_follows() -> None:
    match = match_of("doppelkopf", TABLE, "all: gesund", "Ana: QC", "9D", "9D", "AD")
    ruling = match.record("Ana: QC")
    assert [(each.reason, each.cite) for each in ruling.findings] == [
        ("Ben, Cleo and Dan are kontra: both QC are accounted for", "1.3"),
        ("Ana is re alone, because no other player had QC (soloist: three times)", "3.5"),
    ]


def test_a_partner_whom_a_trick_finds_is_told_when_it_is_complete() -> None:
    said = ("Ana: hochzeit", "gesund", "gesund", "gesund")
    match = match_of("doppelkopf", TABLE, *said, "Ana: AC", "9C", "9C", "KC", "Ana: KS", "TS", "AS")
    assert told(match, "Dan: 9S") == [
        "Cleo is re: the first player besides Ana to win a trick (trick 2)",
        "Ben and Dan are kontra: Cleo was the first player besides Ana to win a trick (trick 2)",
    ]
    hand = "QC QC TH QS AC AC AS AS AH 9H JC JS"
    given = (f"hand Ana: {hand}", *said, "Ana: AC", "9C", "9C", "KC", "AS", "9S", "9S", "KS")
    match = match_of("doppelkopf", TABLE, *given, "Ana: TH", "9D", "9D")
    assert told(match, "Dan: KD") == [
        "Ben, Cleo and Dan are kontra: Ana has no partner",
        "Ana is re alone, because no other player won any of the first 3 tricks"
        " (soloist: three times)",
    ]


def test_who_has_the_card_that_was_called_is_told_when_it_is_laid() -> None:
    start = ("Ana: rufspiel AS", "pass", "pass", "pass", "Ana: 7S", "8S", "9S")
    match = match_of("schafkopf", TABLE, *start)
    assert told(match, "Dan: AS") == [
        "Dan is player: AS (8)",
        "Ben and Cleo are others: the AS is accounted for",
    ]


def test_counting_is_told_as_counting() -> None:
    match = Match(load_ruleset(str(RULESETS / "sides.toml")), TABLE)
    for text in ("Ana: AC", "JC", "JC", "AC", "Ana: AH", "JH", "JH", "QH"):
        assert told(match, text) == []
    assert told(match, "holds Ana: AH") == ["Ana is pawn: all of Ana's cards are known"]
    assert told(match, "holds Ben: QH") == [
        "Cleo is queen: Cleo has 1 of the 2 unseen cards, and 2 of the unseen cards are QC",
        "Dan is queen: Dan has 1 of the 2 unseen cards, and 2 of the unseen cards are QC",
        "Ben is pawn: all of Ben's cards are known",
    ]


def test_a_card_that_was_seen_and_taken_back_proves_as_much() -> None:
    match = match_of("doppelkopf", TABLE, "all: gesund", "Ana: AC")
    assert told(match, "Cleo: QC !withdrawn") == ["Cleo is re: QC (3)"]
    assert told(match, "Ben: 9C") == []


def test_what_is_judged_is_told_and_nothing_is_recorded() -> None:
    match = match_of("doppelkopf", TABLE, "all: gesund")
    for _ in range(2):
        assert [each.reason for each in match.judge("Ana: QC").findings] == ["Ana is re: QC (2)"]
    assert match.state["sides"] == {"re": [], "kontra": []}
    match.record("Ana: QC")
    match.undo()
    assert told(match, "Ana: QC") == ["Ana is re: QC (2)"]


def test_nothing_is_told_by_hands_that_the_table_has_not_seen() -> None:
    hand = "hand Ana: QC TH QS AC AC AS AS AH 9H JC JS JH"
    match = match_of("doppelkopf", TABLE, hand, "all: gesund")
    for text in ("Ana: QC", "9D", "9D", "Dan: QC"):
        assert told(match, text) == []
    assert match.public_copy().state["sides"] == {"re": ["Ana", "Dan"], "kontra": ["Ben", "Cleo"]}


# --- stated sides without proof


def test_a_call_is_the_callers_word_until_a_card_proves_it() -> None:
    match = match_of("doppelkopf", TABLE, "all: gesund", "Ben: re")
    players = match.state["players"]
    assert match.state["sides"] == {"re": [], "kontra": []}
    assert {name: player.get("says") for name, player in players.items() if "says" in player} == {
        "Ben": "re"
    }
    for text in ("Ana: AC", "Ben: QC"):
        match.record(text)
    assert "says" not in match.state["players"]["Ben"]
    assert match.state["sides"]["re"] == ["Ben"]


def test_the_table_as_it_stands_says_what_is_not_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.db"))
    program("new", "doppelkopf", *TABLE)
    program("record", "all: gesund", "Ben: re")
    assert "Ben has called for re (unproven)" in program("status").out
    shown = program("record", "Ana: AC", "Ben: QC").out
    assert "note: Ben is re: QC (4) (parties.proven, 1.3)" in shown
    status = program("status").out
    assert "unproven" not in status
    assert "Ben is re" in status


def test_a_call_that_cards_contradict_is_proven_by_the_entry_that_leaves_no_way_out() -> None:
    calls = ("all: gesund", "Dan: re", "Ben: kontra")
    match = match_of("doppelkopf", TABLE, *calls, "Ana: QC", "9D", "9D", "AD")
    ruling = match.record("Ana: QC")
    assert [each.reason for each in ruling.settled if each.verdict == "illegal"] == [
        "Dan called for re, but is kontra (2, Dan: re): after entry 8, both QC are accounted for,"
        " so Dan held none at entry 2, unless an entry was mistyped"
    ]
    match = match_of("doppelkopf", TABLE, *calls, "Ana: AC")
    ruling = match.record("Ben: QC")
    assert [each.reason for each in ruling.settled] == [
        "Ben is re: QC (5)",
        "Ben called for kontra, but is re (3, Ben: kontra): entry 5 (Ben: QC) proves this,"
        " unless 3 or 5 is mistyped",
    ]


# --- whole evenings


@pytest.mark.parametrize("name", DOPPELKOPF)
@pytest.mark.parametrize("seed", range(6))
def test_what_is_told_of_sides_is_true_and_told_once(name: str, seed: int) -> None:
    played = evening(name, seed)
    for number, said in enumerate(played.said):
        match = played.fresh()
        known = match.play_round([each.known for each in said if each.known])
        true = match.state["sides"]
        unseen = played.fresh()
        found = unseen.play_round([each.unseen for each in said if each.unseen])
        if known.failed_entry or found.failed_entry or number:
            continue
        notes = [each.facts for _, each in found.findings if each.code == "parties.proven"]
        names = [name for facts in notes for name in facts["who"]]
        assert len(names) == len(set(names))
        for facts in notes:
            assert set(facts["who"]) <= set(true[facts["side"]])
