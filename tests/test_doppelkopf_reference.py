"""Doppelkopf compared with references for score and tricks, written from the rule text alone."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from scorekeeper import Impossible, Match, load_ruleset
from scorekeeper.engine.ruleset import Ruleset

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
SEED, DDV = "doppelkopf", "doppelkopf-ddv"
SOLOS = [
    "damensolo",
    "bubensolo",
    "kreuzsolo",
    "piksolo",
    "herzsolo",
    "karosolo",
    "fleischlos",
]
LEVELS = ["keine90", "keine60", "keine30", "schwarz"]


@cache
def rules(name: str) -> Ruleset:
    return load_ruleset(name)


def table(*lines: str, name: str = SEED) -> Match:
    """Return a match in which these lines have been recorded, entry by entry."""
    match = Match(rules(name), NAMES)
    for line in lines:
        for text in match.notation.split_line(line):
            match.record(text)
    return match


# --- a reference for the score: paragraphs 5 to 8, nothing else


SIDES = ("re", "kontra")
EDGES = [0, 2, 29, 30, 31, 59, 60, 61, 89, 90, 91, 119, 120, 121]
EDGES += [240 - edge for edge in EDGES]
NO_FOX = ("damensolo", "bubensolo", "kreuzsolo", "piksolo", "herzsolo", "fleischlos")
NO_CHARLIE = ("damensolo", "fleischlos")


class Deal:
    """A finished deal as its result states it. A call is 0 none, 1 announced, or a level from 2 to
    5."""

    def __init__(self, random: Random) -> None:
        self.contract = random.choice(["normal"] * 6 + ["hochzeit"] * 2 + SOLOS)
        solo = self.contract in SOLOS
        self.re = random.sample(NAMES, 1 if solo or random.random() < 0.15 else 2)
        self.points = {"re": random.choice([*range(241), *EDGES * 6])}
        while self.points["re"] in (1, 239):
            self.points["re"] = random.choice(EDGES)
        self.points["kontra"] = 240 - self.points["re"]
        self.called = {side: random.choice([0, 0, 0, 1, 1, random.randint(2, 5)]) for side in SIDES}
        self.tricks = {side: 6 if self.points[side] else random.choice([0, 0, 1]) for side in SIDES}
        self.specials: dict[str, dict[str, int]] = {
            side: dict.fromkeys(("doppelkopf", "fox", "charlie"), 0) for side in SIDES
        }
        for word, most in (("doppelkopf", 1), ("fox", 2), ("charlie", 1)):
            without = {"fox": NO_FOX, "charlie": NO_CHARLIE}.get(word, ())
            allowed = self.contract not in without
            if allowed and random.random() < 0.25:
                side = random.choice(SIDES)
                if self.points[side] >= 60:
                    self.specials[side][word] = random.randint(1, most)

    @property
    def text(self) -> str:
        """The entry of the result."""
        parts = [f"result contract={self.contract} re={'+'.join(self.re)}"]
        parts.append(f"points={self.points['re']}")
        calls = [
            f"{side}:{[side, *LEVELS][number]}"
            for side in SIDES
            for number in range(self.called[side])
        ]
        specials = [
            f"{side}:{word}"
            for side in SIDES
            for word, count in self.specials[side].items()
            for _ in range(count)
        ]
        tricks = [f"{side}:{self.tricks[side]}" for side in SIDES if not self.points[side]]
        for key, values in (("calls", calls), ("specials", specials), ("tricks", tricks)):
            if values:
                parts.append(f"{key}={'+'.join(values)}")
        return " ".join(parts)


def winner_of(deal: Deal, ddv: bool) -> str:
    """Return the winning side, or None."""
    reached = {}
    for side, other in (SIDES, SIDES[::-1]):
        need = [None, None, 151, 181, 211, None][deal.called[side]]
        all_tricks = deal.tricks[other] == 0
        reached[side] = all_tricks if need is None else deal.points[side] >= need
    levels = [side for side in SIDES if deal.called[side] > 1]
    if levels:
        met = [side for side in levels if reached[side]]
        if met:
            return met[0]
        return "" if len(levels) == 2 else SIDES[1 - SIDES.index(levels[0])]
    if deal.points["re"] == 120:
        lone = deal.called["kontra"] and not (ddv and deal.called["re"])
        return "re" if lone else "kontra"
    return "re" if deal.points["re"] > 120 else "kontra"


def value_of(deal: Deal, ddv: bool) -> int:
    """Return the points of each player of re before a soloist's factor of three."""
    winner = winner_of(deal, ddv)
    sign = 1 if winner == "re" else -1 if winner else 0
    loser = {"re": "kontra", "kontra": "re", "": "re"}[winner]
    alone = len(deal.re) == 1
    announced = sum(1 for side in SIDES if deal.called[side])
    levels = sum(max(deal.called[side] - 1, 0) for side in SIDES)
    under = sum(1 for tier in (90, 60, 30) if deal.points[loser] < tier)
    specials = sum(deal.specials["re"].values()) - sum(deal.specials["kontra"].values())
    if not ddv:
        value = 1 + under + (deal.points[loser] == 0) + levels + (announced == 2)
        doubled = value * (2 if announced else 1)
        return int(sign * (doubled + (winner == "kontra")) + specials)
    value = 1 + under + (deal.tricks[loser] == 0) + levels + 2 * announced
    queens = winner == "kontra" and not alone
    against = 0
    for side, other, way in (("re", "kontra", -1), ("kontra", "re", 1)):
        for number, need in ((2, 120), (3, 90), (4, 60), (5, 30)):
            if deal.called[side] >= number and deal.points[other] >= need:
                against += way
    if not winner:
        for tier in (90, 60, 30):
            against += (deal.points["kontra"] < tier) - (deal.points["re"] < tier)
    return sign * (value + queens) + against + (0 if alone else specials)


@pytest.mark.parametrize("name", [SEED, DDV])
def test_results_against_the_reference(name: str) -> None:
    random = Random(name)
    refused = 0
    for _ in range(1500):
        deal = Deal(random)
        if name == DDV and len(deal.re) == 1:
            deal.specials = {side: {} for side in SIDES}
        match = Match(rules(name), NAMES)
        try:
            match.record(deal.text)
        except Impossible:
            refused += 1
            continue
        value = value_of(deal, name == DDV)
        times = 3 if len(deal.re) == 1 else 1
        expected = [value * times if who in deal.re else -value for who in NAMES]
        assert match.rounds[0].changes == expected, deal.text
        lines = match.rounds[0].lines
        for side, sign in (("re", times), ("kontra", -1)):
            assert sum(line.points for line in lines if line.to == side) == sign * value, deal.text
        assert all(line.cite and line.code.startswith("scores.") for line in lines)
    assert refused < 150


# --- a reference for tricks: the table of paragraph 2, nothing else

SUITS = "CSHD"
TRUMP_SUIT = {"kreuzsolo": "C", "piksolo": "S", "herzsolo": "H"}
WORTH = dict(zip("ATKQJ9", (11, 10, 4, 3, 2, 0), strict=True))
PACK = [rank + suit for rank in "ATKQJ9" for suit in SUITS] * 2


def trumps_of(contract: str) -> list[str]:
    """Return the trumps, strongest first."""
    queens, jacks = ["Q" + suit for suit in SUITS], ["J" + suit for suit in SUITS]
    if contract in ("damensolo", "bubensolo", "fleischlos"):
        return {"damensolo": queens, "bubensolo": jacks, "fleischlos": []}[contract]
    suit = TRUMP_SUIT.get(contract, "D")
    return ["TH", *queens, *jacks, *(r + suit for r in "ATK9" if r + suit != "TH")]


def group(card: str, trumps: list[str]) -> str:
    """Return the class that a card must follow: trump, or its suit."""
    return "trump" if card in trumps else card[1]


def may_play(hand: list[str], led: str | None, trumps: list[str]) -> list[str]:
    """Return the cards that follow, or all cards if none does."""
    follow = [card for card in hand if led and group(card, trumps) == group(led, trumps)]
    return sorted(set(follow or hand))


def wins(cards: list[str], trumps: list[str]) -> int:
    """Return the position of the winning card. Of two identical cards the first wins."""

    def power(card: str) -> int:
        if card in trumps:
            return 100 - trumps.index(card)
        return 10 - "ATKQJ9".index(card[0]) if card[1] == cards[0][1] else -1

    trump_led = cards[0] in trumps
    powers = [power(card) if card in trumps or not trump_led else -1 for card in cards]
    return powers.index(max(powers))


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("contract", ["normal", "hochzeit", *SOLOS])
def test_tricks_against_the_reference(contract: str, known: bool) -> None:
    """Compare turns, legal cards, winners and each side's points in whole random deals."""
    random = Random(f"{contract} {known}")
    trumps, cards = trumps_of(contract), PACK.copy()
    random.shuffle(cards)
    hands = dict(zip(NAMES, (cards[i::4] for i in range(4)), strict=True))
    while contract == "hochzeit" and hands["Ana"].count("QC") < 2:
        random.shuffle(cards)
        hands = dict(zip(NAMES, (cards[i::4] for i in range(4)), strict=True))
    given = [f"hand {who}: {' '.join(hand)}" for who, hand in hands.items()] if known else []
    match = table(*given, f"Ana: {'gesund' if contract == 'normal' else contract}", "all: gesund")
    leader, won, taken = 0, dict.fromkeys(NAMES, 0), dict.fromkeys(NAMES, 0)
    for _ in range(12):
        laid: list[str] = []
        for step in range(4):
            who = NAMES[(leader + step) % 4]
            assert match.to_act == [who]
            allowed = may_play(hands[who], laid[0] if laid else None, trumps)
            offered = [text.split(": ") for text in match.legal()]
            if known:
                assert sorted(card for name, card in offered if card in PACK) == allowed
                for card in sorted(set(hands[who])):
                    fine = match.judge(f"{who}: {card}").verdict == "legal"
                    assert fine == (card in allowed), (contract, laid, hands[who], card)
            else:
                assert set(allowed) <= {card for name, card in offered}
            card = random.choice(allowed)
            assert match.record(f"{who}: {card}").verdict != "illegal"
            hands[who].remove(card)
            laid.append(card)
        leader = (leader + wins(laid, trumps)) % 4
        won[NAMES[leader]] += 1
        taken[NAMES[leader]] += sum(WORTH[card[0]] for card in laid)
        players = match.state["players"]
        assert {who: players[who]["tricks"] for who in NAMES} == won
        assert {who: players[who]["points"] for who in NAMES} == taken
    scores = match.rounds[0].scores
    assert scores is not None
    assert sum(scores.values()) == 0


def scored_by_the_reference(contract: str, name: str, random: Random) -> None:
    """Play a random deal with calls, and compare its score with one computed from the tricks."""
    silent = contract == "silent"
    trumps, cards = trumps_of(contract), PACK.copy()
    while True:
        random.shuffle(cards)
        hands = dict(zip(NAMES, (cards[i::4] for i in range(4)), strict=True))
        if not (silent or contract == "hochzeit") or hands["Ana"].count("QC") == 2:
            break
    wish = "gesund" if silent or contract == "normal" else contract
    re = {who for who in NAMES if "QC" in hands[who]} if wish == "gesund" else {"Ana"}
    given = [f"hand {who}: {' '.join(hand)}" for who, hand in hands.items()]
    match = table(*given[: random.choice([0, 4])], f"Ana: {wish}", "all: gesund", name=name)
    called, won, leader, found = dict.fromkeys(SIDES, 0), [], 0, 1
    for number in range(1, 13):
        searching = contract == "hochzeit" and number <= 3 and re == {"Ana"}
        start = leader
        laid: list[str] = []
        for step in range(4):
            who = NAMES[(start + step) % 4]
            side = "re" if who in re else "kontra"
            said, held = called[side], len(hands[who])
            in_time = not searching and said < 5 and held >= 11 - said - (found - 1)
            if in_time and random.random() < 0.2:
                call = ["", *LEVELS][said]
                assert match.record(f"{who}: {side} {call}".strip()).verdict != "illegal"
                called[side] += 1
            card = random.choice(may_play(hands[who], laid[0] if laid else None, trumps))
            match.record(f"{who}: {card}")
            hands[who].remove(card)
            laid.append(card)
        leader = (start + wins(laid, trumps)) % 4
        won.append((leader, start, laid))
        if searching:
            re.add(NAMES[leader])
            found = number
    deal = Deal(random)
    deal.re, deal.called = sorted(re), called
    deal.points, deal.tricks = dict.fromkeys(SIDES, 0), dict.fromkeys(SIDES, 0)
    deal.specials = {side: dict.fromkeys(("doppelkopf", "fox", "charlie"), 0) for side in SIDES}
    for seat, start, laid in won:
        side = "re" if NAMES[seat] in re else "kontra"
        points = sum(WORTH[card[0]] for card in laid)
        deal.points[side] += points
        deal.tricks[side] += 1
        special = deal.specials[side]
        special["doppelkopf"] += points >= (40 if name == DDV else 41)
        for step, card in enumerate(laid):
            other = (NAMES[(start + step) % 4] in re) != (side == "re")
            special["fox"] += card == "AD" and card in trumps and other
    card = laid[(leader - start) % 4]
    deal.specials[side]["charlie"] += card == "JC" and card in trumps
    value = value_of(deal, name == DDV)
    times = 3 if len(re) == 1 else 1
    assert match.rounds[0].changes == [value * times if who in re else -value for who in NAMES]


@pytest.mark.parametrize("name", [SEED, DDV])
@pytest.mark.parametrize("contract", ["normal", "silent", "hochzeit", *SOLOS])
def test_whole_deals_against_the_reference(contract: str, name: str) -> None:
    random = Random(f"{contract} {name}")
    for _ in range(20):
        scored_by_the_reference(contract, name, random)
