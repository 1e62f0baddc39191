"""Shapes of several cards: pairs, triples and runs of pairs, led, won and answered."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations, product
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Failure, Match, load_ruleset
from tests.effort import tries
from tests.second.tractors import CODES, RANKS, SUITS, Cards, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper import Ruleset

TRACTORS = load_ruleset("sheng-ji-tractors")
FOUR = ["Ana", "Ben", "Cleo", "Dan"]
CASES = Path(__file__).parent / "cases"


# --- cases worked out by hand


def of(file: str, name: str) -> list[Any]:
    """Return the cases of a ruleset."""
    rows = [json.loads(line) for line in (CASES / file).read_text("utf-8").splitlines()]
    return [
        pytest.param(name, row, id=row["what"]) for row in rows if row.get("ruleset", name) == name
    ]


@pytest.mark.parametrize(
    ("name", "row"),
    [*of("sheng_ji_tractors.jsonl", "sheng-ji-tractors"), *of("house.jsonl", "da-ban-pairs")],
)
def test_a_case_worked_out_by_hand(name: str, row: dict[str, Any]) -> None:
    match = Match(load_ruleset(name), row["players"])
    for text in row["entries"]:
        match.record(text)
    if "scores" in row:
        assert match.rounds[-1].scores == row["scores"]
        return
    try:
        verdict = match.judge(row["last"]).verdict
    except Failure:
        verdict = "illegal"
    assert verdict == row["verdict"]


# --- known hands, compared with all possible plays


def small_hand(table: Table, random: Random) -> list[str]:
    """Return a hand with many pairs in one class, and some other cards."""
    group = random.choice(["trump", *table.stairs])
    cards = [card for card in CODES if table.group(card) == group]
    random.shuffle(cards)
    at = random.randrange(3)
    hand = [card for card in cards[: 3 + at] for _ in range(2)] + cards[3 + at : 7]
    others = [card for card in CODES if table.group(card) != group]
    return hand[: random.randint(5, 9)] + random.sample(others, random.randint(0, 3))


def led_for(table: Table, hand: list[str], random: Random) -> Cards | None:
    """Return a lead to this hand, in the class of most of its cards."""
    (group, _), *_ = Counter(map(table.group, hand)).most_common()
    left = Counter(CODES * 2) - Counter(hand)
    free = [card for card in left.elements() if table.group(card) == group]
    random.shuffle(free)
    leads = [lead for lead in table.leads(free) if 1 < len(lead) <= min(8, len(hand))]
    longer = [lead for lead in leads if len(lead) > 2]
    return random.choice(longer or leads) if leads else None


def a_table(random: Random) -> Table:
    return Table(random.choice(SUITS), random.choice(RANKS))


def sat_down(table: Table, *entries: str) -> Match:
    level = {"A": 14, "K": 13, "Q": 12, "J": 11, "T": 10}.get(table.level) or int(table.level)
    match = Match(TRACTORS, FOUR)
    for text in (f"standing Ana: {min(level, 13)}", f"trump {table.trump}", *entries):
        match.record(text)
    return match


@pytest.mark.parametrize("seed", tries(30))
def test_of_a_known_hand_just_what_the_text_says_is_legal(seed: int) -> None:
    random = Random(f"known {seed}")
    table = Table(random.choice(SUITS), random.choice(RANKS[1:]))
    hand = small_hand(table, random)
    led = led_for(table, hand, random)
    if led is None:
        return
    match = sat_down(table, "lead Ana", f"hand Ben: {' '.join(hand)}", f"Ana: {' '.join(led)}")
    legal = table.answers(hand, led)
    every = {tuple(sorted(cards)) for cards in combinations(hand, len(led))}
    best = max(table.rank(cards, led) for cards in every)
    assert legal == {cards for cards in every if table.rank(cards, led) == best}
    for cards in every:
        ruling = match.judge(f"Ben: {' '.join(cards)}")
        assert ruling.verdict == ("legal" if cards in legal else "illegal"), (hand, led, cards)
        for finding in ruling.findings:
            if finding.code == "tricks.answer":
                (shown,) = finding.facts["legal"]
                assert any(not Counter(shown.split()) - Counter(answer) for answer in legal)


@pytest.mark.parametrize("seed", tries(20))
def test_what_may_be_led_is_what_the_text_says(seed: int) -> None:
    random = Random(f"leads {seed}")
    table = Table(random.choice(SUITS), random.choice(RANKS[1:]))
    hand = small_hand(table, random)
    match = sat_down(table, "lead Ana", f"hand Ana: {' '.join(hand)}")
    leads = {tuple(sorted(lead)) for lead in table.leads(hand)}
    legal = match.legal()
    offered = {tuple(sorted(text.split()[1:])) for text in legal if "…" not in text}
    assert offered == {cards for cards in leads if len(set(cards)) == 1}
    assert ("Ana: …" in legal) == (offered != leads)
    for size in (1, 2, 3, 4):
        for cards in {tuple(sorted(cards)) for cards in combinations(hand, size)}:
            assert (match.judge(f"Ana: {' '.join(cards)}").verdict == "legal") == (cards in leads)


# --- whole deals, with known and unseen hands


def with_runs(table: Table, random: Random) -> list[str]:
    """Return the pack in an order in which neighbouring ranks are together more often than by
    chance."""
    pieces = []
    for stair in table.stairs.values():
        cards = [card for step in stair for card in step]
        while cards:
            size = random.randint(1, 4)
            pieces.append([card for card in cards[:size] for _ in range(2)])
            cards = cards[size:]
    random.shuffle(pieces)
    pack = [card for piece in pieces for card in piece]
    for _ in range(20):
        one, other = random.sample(range(len(pack)), 2)
        pack[one], pack[other] = pack[other], pack[one]
    return pack


class Deal:
    """A deal played at random, in a match with `known` hands and one with `unseen` ones.

    Now and then an answer breaks the rules; `wrong` has the numbers of these entries in `unseen`.
    """

    def __init__(self, seed: int, fault: float) -> None:
        self.random = random = Random(f"deal {seed}")
        self.table = Table(random.choice(SUITS), "2")
        self.fault = fault
        pack = with_runs(self.table, random)
        self.hands = {name: pack[at * 25 : at * 25 + 25] for at, name in enumerate(FOUR)}
        self.known, self.unseen = Match(TRACTORS, FOUR), Match(TRACTORS, FOUR)
        self.wrong: list[int] = []
        self.at_once = self.plays = self.runs = 0
        self.laid: list[tuple[str, Cards]] = []
        for text in (f"trump {self.table.trump}", "master Ana"):
            self.both(text)
        for name, hand in self.hands.items():
            self.known.record(f"hand {name}: {' '.join(hand)}")
        self.both(f"kitty {' '.join(pack[100:])}")
        if self.known.state["owed"] or "Ana: take" in self.known.legal():
            self.both("Ana: take")
            self.hands["Ana"] += pack[100:]
            buried = random.sample(self.hands["Ana"], 8)
            for card in buried:
                self.hands["Ana"].remove(card)
            self.both(f"Ana: bury {' '.join(buried)}", "Ana: bury 8")
        self.leader = "Ana"

    def both(self, text: str, unseen: str = "") -> None:
        self.known.record(text)
        self.unseen.record(unseen or text)

    def play(self) -> Deal:
        while self.hands["Ana"]:
            self._trick()
        return self

    def _trick(self) -> None:
        random, table = self.random, self.table
        leads = table.leads(self.hands[self.leader])
        longest = max(map(len, leads))
        most = longest if random.random() < 0.7 else random.choice([1, 2])
        led = random.choice([lead for lead in leads if len(lead) >= min(most, longest)])
        self.laid = []
        at = FOUR.index(self.leader)
        for name in FOUR[at:] + FOUR[:at]:
            cards = table.answer(self.hands[name], led, random) if self.laid else led
            if not (self.laid and random.random() < self.fault and self._go_wrong(name, led)):
                self._lay(name, cards)
        self.leader = table.winner(self.laid)
        if self.hands["Ana"]:
            assert self.known.to_act == self.unseen.to_act == [self.leader]

    def _lay(self, name: str, cards: Cards) -> None:
        text = f"{name}: {' '.join(cards)}"
        assert self.known.record(text).verdict == "legal", text
        ruling = self.unseen.record(text)
        assert ruling.verdict in ("legal", "open"), text
        self._gone(name, cards)

    def _gone(self, name: str, cards: Cards) -> None:
        self.plays += 1
        self.runs += len(cards) > 2
        self.laid.append((name, cards))
        for card in cards:
            self.hands[name].remove(card)

    def _go_wrong(self, name: str, led: Cards) -> bool:
        """Play cards of the class other than the required ones, and return whether that was
        possible."""
        mine = [c for c in self.hands[name] if self.table.group(c) == self.table.group(led[0])]
        if len(led) == 1 or len(mine) <= len(led):
            return False
        for _ in range(10):
            cards = tuple(self.random.sample(mine, len(led)))
            text = f"{name}: {' '.join(cards)}"
            if self.known.judge(text).verdict == "illegal":
                self.known.record(f"{text} !stands")
                at_once = self.unseen.judge(text).verdict == "illegal"
                self.at_once += at_once
                self.unseen.record(text + " !stands" * at_once)
                self.wrong.append(len(self.unseen.rounds[-1].entries))
                self._gone(name, cards)
                return True
        return False

    def found(self) -> list[int]:
        """Return the numbers of the entries that are illegal in `unseen`."""
        return [
            number
            for number, logged in enumerate(self.unseen.live_round.log, 1)
            if any(finding.verdict == "illegal" for finding in logged.findings)
        ]


def test_unseen_legal_play_is_never_found_illegal() -> None:
    deals = [Deal(seed, 0).play() for seed in range(40)]
    assert [deal.found() for deal in deals] == [[]] * len(deals)
    assert sum(deal.plays for deal in deals) > 2000
    assert sum(deal.runs for deal in deals) > 200


def test_unseen_faults_are_proven_by_the_end_and_nothing_else_is() -> None:
    deals = [Deal(1000 + seed, 0.7).play() for seed in range(40)]
    wrong = sum(len(deal.wrong) for deal in deals)
    proven = 0
    for deal in deals:
        assert set(deal.found()) <= set(deal.wrong)
        proven += len(deal.found())
    assert wrong > 150
    assert proven > 0.95 * wrong  # it was all of them when this test was written


# --- other shapes and other ways to answer, in the order of three packs

STAIRS = (
    *(["BJ"], ["LJ"], ["5H"], ["5C", "5S", "5D"], ["2H"], ["2C", "2S", "2D"]),
    *(["AH"], ["KH"], ["QH"], ["JH"], ["TH"], ["9H"], ["8H"], ["7H"], ["6H"], ["4H"], ["3H"]),
)
SPADES = tuple([rank + "S"] for rank in "AKQJT987643")
RUNS = {"couples": {"alike": 2, "run": 2}, "steps": {"alike": 3, "run": 2}}


def every_way(
    stairs: tuple[list[str], ...],
    hand: Counter[str],
    alike: int,
    sets: int,
    runs: str,
    smaller: bool,
) -> set[Cards]:
    """Return all valid answers with this hand to a lead of `sets` sets of `alike` cards.

    The hand is of the class that was led. The rule is followed in every possible way.
    """
    size = alike * sets

    def run(hand: Counter[str], need: int) -> Iterator[Cards]:
        for length in range(need if runs != "none" else 0, 1, -1):
            found = False
            for at in range(len(stairs) - length + 1):
                steps = [[c for c in step if hand[c] >= alike] for step in stairs[at : at + length]]
                for chosen in product(*steps):
                    found = True
                    laid = tuple(card for card in chosen for _ in range(alike))
                    rest = hand - Counter(laid)
                    more = run(rest, need - length) if runs == "again" else None
                    for others in more or fill(rest, (need - length) * alike, alike):
                        yield (*laid, *others)
            if found:
                return
        yield from fill(hand, need * alike, alike)

    def fill(hand: Counter[str], rest: int, most: int) -> Iterator[Cards]:
        most = min(most, rest)
        if most <= 1 or (most < alike and not smaller):
            yield from combinations(hand.elements(), rest)
            return
        kinds = [card for card, count in hand.items() if count >= most]
        for card in kinds:
            for more in fill(hand - Counter({card: most}), rest - most, most):
                yield (*[card] * most, *more)
        if not kinds:
            yield from fill(hand, rest, most - 1)

    return {tuple(sorted(cards)) for cards in run(hand, sets) if len(cards) == size}


def other_case(seed: int) -> tuple[Ruleset, list[str], list[str], set[Cards]]:
    """Return a ruleset, a lead, the hand that answers, and its valid answers."""
    random = Random(f"others {seed}")
    stairs = random.choice([STAIRS, SPADES])
    runs, smaller = random.choice(["again", "again", "longest", "none"]), random.random() < 0.7
    answer = {"runs": runs, "smaller": smaller}
    rules = load_ruleset("da-ban-pairs", shapes=RUNS, phases={"tricks": {"answer": answer}})
    alike, sets = random.choice([(2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2)])
    at = random.choice([0, len(stairs) - sets])
    led = [step[0] for step in stairs[at : at + sets] for _ in range(alike)]
    free = [step for step in stairs if step[0] not in led]
    low = random.randrange(len(free) - 5)
    near = [card for step in free[low : low + 6] for card in step]
    hand = random.sample(near * 3, min(10, len(near) * 3))
    return rules, led, hand, every_way(stairs, Counter(hand), alike, sets, runs, smaller)


def at_table(rules: Ruleset, led: list[str], held: str) -> Match:
    match = Match(rules, FOUR)
    for text in ("standing Ana: 5", "trump H", "lead Ana", f"hand Ben: {held}"):
        match.record(text)
    match.record(f"Ana: {' '.join(led)}")
    return match


@pytest.mark.parametrize("seed", tries(30))
def test_other_sets_runs_and_ways_to_answer(seed: int) -> None:
    rules, led, hand, legal = other_case(seed)
    match = at_table(rules, led, " ".join(hand))
    for cards in {tuple(sorted(cards)) for cards in combinations(hand, len(led))}:
        found = match.judge(f"Ben: {' '.join(cards)}").verdict
        assert found == ("legal" if cards in legal else "illegal"), (hand, led, cards)


@pytest.mark.parametrize("seed", tries(30))
def test_what_is_said_of_an_unseen_hand_is_right_once_it_is_seen(seed: int) -> None:
    """Show all other cards of an unseen hand: exactly the wrong answers are then proven illegal."""
    rules, led, hand, legal = other_case(seed)
    random = Random(f"shown {seed}")
    every = sorted({tuple(sorted(cards)) for cards in combinations(hand, len(led))})
    for cards in random.sample(every, min(8, len(every))):
        match = at_table(rules, led, str(len(hand)))
        ruling = match.judge(f"Ben: {' '.join(cards)}")
        assert ruling.verdict in ("legal", "open")
        match.record(f"Ben: {' '.join(cards)}")
        number = len(match.live_round.log)
        for card, count in (Counter(hand) - Counter(cards)).items():
            match.record(f"holds Ben: {' '.join([card] * count)}")
        found = [finding.verdict for finding in match.live_round.log[number - 1].findings]
        assert found == ([] if cards in legal else ["illegal"]), (hand, led, cards)


def test_cards_that_may_be_taken_apart_in_very_many_ways_are_judged_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))
    ranks = list("AKQJT98765432EFGILMNOPU")
    trumps = ", ".join(f'["{rank}*"]' for rank in ranks)  # all suits of a rank are equally strong
    path = tmp_path / "many.toml"
    path.write_text(
        f"""
extends = "fixed-trump"
name = "many"
pack = {{ ranks = "{" ".join(ranks)}" }}
deal = {{ cards = 46 }}
players = {{ counts = [2] }}
sides = {{ number = 0 }}
orders.spades.trumps = [{trumps}]
[shapes]
one = {{}}
run = {{ run = 2 }}
[clauses]
shape = {{ cite = "2.1" }}
answer = {{ cite = "2.1" }}
""",
        "utf-8",
    )
    match = Match(load_ruleset(str(path)), ["Ana", "Ben"])
    match.record("Ana: " + " ".join(f"{rank}S" for rank in ranks))
    cards = [f"{rank}{suit}" for rank in ranks[:8] for suit in "DHC"]
    started = perf_counter()
    assert match.judge("Ben: " + " ".join(cards[: len(ranks)])).verdict == "open"
    assert perf_counter() - started < 2


# --- duties after following in part

PAIRS: dict[str, Any] = {
    "pack": {"ranks": "A K Q", "copies": 2},
    "deal": {"cards": 6},
    "shapes": {"single": {}, "pair": {"alike": 2}},
    "phases": {"tricks": {"shape": "2.1", "as-many": "2.2"}},
    "clauses": {"trumping": {"cards": "trumps", "when": "not trick.leads", "cite": "2.2"}},
}


@pytest.mark.parametrize(
    ("cards", "verdict"),
    [("QC KS", "legal"), ("QC AH", "illegal"), ("KS QS", "illegal"), ("AH KH", "illegal")],
)
def test_a_card_that_follows_is_no_breach_of_a_later_duty(cards: str, verdict: str) -> None:
    match = Match(load_ruleset("whist", **PAIRS), FOUR)
    for entry in ("trump S", "hand Ben: QC KS QS AH KH QH", "AC AC"):
        match.record(entry)
    assert match.judge(f"Ben: {cards}").verdict == verdict
