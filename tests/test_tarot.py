"""Tarot for five, and slams with the Excuse, compared with a reckoning of their own."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest

from scorekeeper import Illegal, Match, Unreadable, load_ruleset

FIVE = ["Ana", "Ben", "Cleo", "Dan", "Eve"]
FOUR = FIVE[:4]
TRUMPS = [f"{number}T" for number in range(1, 22)]
SUITED = [rank + suit for suit in "CSHD" for rank in "KQNJT987654321"]
PACK = [*SUITED, *TRUMPS, "EX"]
BOUTS = {"21T", "1T", "EX"}
FACTORS = {"petite": 1, "garde": 2, "garde-sans": 4, "garde-contre": 6}

Trick = list[tuple[str, str]]


def worth(card: str) -> Fraction:
    if card in BOUTS or card[0] == "K":
        return Fraction(9, 2)
    court = {"Q": 7, "N": 5, "J": 3}.get(card[0], 1) if card in SUITED else 1
    return Fraction(court, 2)


def strength(card: str, led: str) -> int:
    """Return how strong a card is in a trick to which a card was led, 0 if it cannot win."""
    if card in TRUMPS:
        return 100 + int(card[:-1])
    return 14 - "KQNJT987654321".index(card[0]) if card != "EX" and card[-1] == led[-1] else 0


def cards_of(trick: Trick) -> list[str]:
    return [card for _, card in trick]


def winner_of(trick: Trick) -> str:
    led = next(card for _, card in trick if card != "EX")
    return max(trick, key=lambda laid: strength(laid[1], led))[0]


def reckon(
    tricks: Sequence[Trick],
    side: set[str],
    contract: str,
    aside: Sequence[str],
    *,
    excuse_wins: bool = False,
) -> tuple[Fraction, int, int]:
    """Return the points, the bouts, and the worth of the deal for the taker's side, by 4 and 5.

    `aside` are the cards of the dog or the discard. If `excuse_wins` is true, the Excuse
    wins the last trick for a side with all the tricks before.
    """
    piles: dict[bool, list[str]] = {True: [], False: []}
    won = [winner_of(trick) in side for trick in tricks]
    laid_by = {card: name in side for trick in tricks for name, card in trick}
    home, last_with_excuse = laid_by.get("EX"), "EX" in cards_of(tricks[-1])
    sweeps = excuse_wins and last_with_excuse and all(mine is home for mine in won[:-1])
    if sweeps and home is not None:
        won[-1] = home
    for trick, mine in zip(tricks, won, strict=True):
        piles[mine] += [card for _, card in trick]
    owner = "EX" in piles[True]
    if home is not None and owner is not home and not last_with_excuse:
        low = next((card for card in piles[home] if worth(card) == Fraction(1, 2)), None)
        if low is not None:
            piles[home].remove(low)
            piles[owner].append(low)
            piles[owner].remove("EX")
            piles[home].append("EX")
    piles[contract != "garde-contre"] += aside
    points = sum(map(worth, piles[True]), Fraction())
    bouts = len(BOUTS & set(piles[True]))
    over = points - (56, 51, 41, 36)[bouts]
    value = (25 + -(-abs(over) // 1)) * FACTORS[contract] * (1 if over >= 0 else -1)
    at_the_end = tricks[-2 if sweeps and "1T" in cards_of(tricks[-2]) else -1]
    if "1T" in cards_of(at_the_end):
        value += 10 * FACTORS[contract] * (1 if won[tricks.index(at_the_end)] else -1)
    if all(won) or not any(won):
        value += 200 if all(won) else -200
    return points, bouts, int(value)


def played(match: Match, rng: random.Random, size: int) -> list[Trick]:
    """Play the rest of a deal at random, and return its tricks."""
    tricks: list[Trick] = [[]]
    while match.rounds[-1].scores is None:
        plays = [text for text in match.legal() if text.split(": ")[1] in PACK]
        entry = rng.choice(plays)
        if len(tricks[-1]) == size:
            tricks.append([])
        name, card = entry.split(": ")
        tricks[-1].append((name, card))
        match.record(entry)
    return tricks


def five(cards: Sequence[str]) -> Match:
    match = Match(load_ruleset("tarot-five"), FIVE)
    for at, name in enumerate(FIVE):
        match.record(f"hand {name}: {' '.join(cards[15 * at : 15 * at + 15])}")
    return match


def bid(match: Match, taker: str, contract: str) -> None:
    for name in FIVE:
        match.record(f"{name}: {contract if name == taker else 'pass'}")


@pytest.mark.parametrize("seed", range(24))
def test_five_players_are_scored_as_reckoned_by_hand(seed: int) -> None:
    rng = random.Random(seed)
    cards = rng.sample(PACK, 78)
    taker, contract = rng.choice(FIVE), rng.choice(list(FACTORS))
    called = rng.choice(["KC", "KS", "KH", "KD"])
    match, dog = five(cards), cards[75:]
    bid(match, taker, contract)
    match.record(f"{taker}: call {called}")
    if FACTORS[contract] <= 2:
        match.record(f"kitty {' '.join(dog)}")
        at = FIVE.index(taker) * 15
        hand = [*cards[at : at + 15], *dog]
        match.record(f"{taker}: take")
        free = [card for card in hand if card in SUITED and card[0] != "K"]
        dog = rng.sample(free, 3)
        match.record(f"{taker}: bury {' '.join(dog)}")
    tricks = played(match, rng, 5)
    laid = {card: name for trick in tricks for name, card in trick}
    side = {taker, laid.get(called, taker)}
    _, _, value = reckon(tricks, side, contract, dog)
    shares: Mapping[str, int] = {
        name: -1 if name not in side else 1 if name != taker else 2 if len(side) == 2 else 4
        for name in FIVE
    }
    assert match.rounds[-1].scores == {name: share * value for name, share in shares.items()}


# --- 42: who is called

KINGS = {"KC", "KS", "KH", "KD"}


def dealt(ana: str, ben: str = "") -> Match:
    """Deal the named cards to Ana and Ben, and any others to the rest; Ana plays a garde."""
    given = [*ana.split(), *ben.split()]
    rest = [card for card in SUITED if card not in given and card not in KINGS]
    hands = [ana.split() + rest[: 15 - len(ana.split())], ben.split()]
    rest = [card for card in [*TRUMPS, *rest] if card not in (*hands[0], *given)]
    hands[1] += rest[: 15 - len(hands[1])]
    match = Match(load_ruleset("tarot-five"), FIVE)
    for name, hand in zip(FIVE, hands, strict=False):
        match.record(f"hand {name}: {' '.join(hand)}")
    bid(match, "Ana", "garde")
    return match


def sides(match: Match) -> dict[str, list[str]]:
    found: dict[str, list[str]] = match.state["sides"]
    return found


def test_a_queen_takes_all_four_kings() -> None:
    match = dealt("KC KS KH")
    with pytest.raises(Illegal, match="may not call QC: that takes KC, KS, KH and KD in hand"):
        match.record("Ana: call QC")
    with pytest.raises(Illegal, match="may not call JC"):
        match.record("Ana: call JC")
    match = dealt("KC KS KH KD", "QC")
    with pytest.raises(Illegal, match="may not call NC"):
        match.record("Ana: call NC")
    match.record("Ana: QC")  # the word may be left out
    assert match.state["bindings"]["called"] == ["QC"]


def test_a_knight_takes_all_kings_and_queens() -> None:
    match = dealt("KC KS KH KD QC QS QH QD", "NC")
    assert match.record("Ana: call NC").verdict == "legal"


def test_a_queen_called_by_an_unseen_hand_is_open_until_a_king_is_shown() -> None:
    match = Match(load_ruleset("tarot-five"), FIVE)
    bid(match, "Ana", "garde-sans")
    assert match.record("Ana: call QH").verdict == "open"
    for entry in ("Ana: 3C", "Ben: 4C", "Cleo: 5C", "Dan: 6C"):
        match.record(entry)
    found = match.record("Eve: KC")
    assert [finding.verdict for finding in found.findings] == ["illegal"]
    assert "should not have called QH" in str(found)


def test_the_partner_is_known_when_the_called_card_is_shown() -> None:
    match = Match(load_ruleset("tarot-five"), FIVE)
    bid(match, "Ana", "garde-sans")
    match.record("Ana: call KD")
    assert sides(match) == {"taker": ["Ana"], "defence": []}
    for entry in ("Ana: KD", "Ben: 2D"):
        match.record(entry)
    assert sides(match) == {"taker": ["Ana"], "defence": ["Ben", "Cleo", "Dan", "Eve"]}
    match = Match(load_ruleset("tarot-five"), FIVE)
    bid(match, "Ana", "garde-sans")
    for entry in ("Ana: call KD", "Ana: 3C", "Ben: 4C", "Cleo: 5C", "Dan: KC", "Eve: 2C"):
        match.record(entry)
    for entry in ("Dan: 3D", "Eve: KD"):
        match.record(entry)
    assert sides(match) == {"taker": ["Ana", "Eve"], "defence": ["Ben", "Cleo", "Dan"]}


def test_a_called_king_in_the_dog_leaves_the_taker_alone() -> None:
    match = Match(load_ruleset("tarot-five"), FIVE)
    bid(match, "Ben", "petite")
    for entry in ("Ben: call KS", "kitty KS 2C 3C", "Ben: take"):
        match.record(entry)
    assert sides(match)["taker"] == ["Ben"]
    assert len(sides(match)["defence"]) == 4


def test_the_first_lead_is_not_of_the_called_suit() -> None:
    match = dealt("KC", "KD")
    for entry in ("Ana: call KD", "kitty 19T 20T 21T", "Ana: take", "Ana: bury 3"):
        match.record(entry)
    with pytest.raises(Illegal, match="another suit than that of the called card"):
        match.record("Ana: 5D")


def test_an_own_king_may_be_led_when_it_was_called() -> None:
    match = Match(load_ruleset("tarot-five"), FIVE)
    bid(match, "Ana", "garde-sans")
    match.record("Ana: call KD")
    assert match.judge("Ana: KD").verdict == "legal"
    # A hand of 15 cards has another card than the thirteen diamonds that may not be led.
    assert match.judge("Ana: QD").verdict == "illegal"


@pytest.mark.parametrize(
    "line",
    [
        "result contract=garde declarer=Ana taker=Ana+Cleo points=51 bouts=2",
        "garde Ana+Cleo 51 2",
    ],
)
def test_a_result_names_the_partner(line: str) -> None:
    match = Match(load_ruleset("tarot-five"), FIVE)
    match.record(line)
    value = (25 + 10) * 2
    assert match.rounds[-1].scores == {
        "Ana": 2 * value,
        "Ben": -value,
        "Cleo": value,
        "Dan": -value,
        "Eve": -value,
    }
    alone = match.record("result contract=petite declarer=Ben taker=Ben points=40 bouts=2")
    assert "Ben is assumed to be taker alone; if they had a partner" in str(alone)
    assert match.rounds[-1].scores == dict.fromkeys(FIVE, 26) | {"Ben": -104}
    for entry in ("contract Cleo: garde-sans", "Cleo: call KS"):
        match.record(entry)
    with pytest.raises(Unreadable, match="must state who is taker"):
        match.record("result points=41 bouts=2")


# --- 4.5 and 5.7: a slam with the Excuse


def four(ana: Sequence[str], *announced: str, **options: object) -> Match:
    """Deal Ana these cards, the others the weakest trumps, and let Ana lead as the taker."""
    rest = [card for card in [*TRUMPS, *SUITED] if card not in ana]
    match = Match(load_ruleset("tarot", **options), FOUR)
    for at, name in enumerate(FOUR[1:]):
        match.record(f"hand {name}: {' '.join(rest[at:54:3])}")
    for entry in (f"hand Ana: {' '.join(ana)}", "contract Ana: garde-sans", "lead Ana", *announced):
        match.record(entry)
    return match


def lead_all(match: Match, order: Sequence[str]) -> list[Trick]:
    """Play Ana's cards in this order, and anything legal from the other hands."""
    tricks: list[Trick] = []
    for card in order:
        match.record(f"Ana: {card}")
        trick = [("Ana", card)]
        while len(trick) < 4:
            plays = [text for text in match.legal() if text.split(": ")[1] in PACK]
            match.record(plays[0])
            name, answer = plays[0].split(": ")
            trick.append((name, answer))
        tricks.append(trick)
    return tricks


LONG = [*TRUMPS[5:][::-1], "1T", "EX"]  # 21T to 6T: the four trumps left fall at once


EITHER: dict[str, object] = {"phases.tricks.outside_wins": "trick.last and sweep"}
NEVER: dict[str, object] = {"phases.tricks.outside_wins": "false"}
CASES: list[tuple[list[str], dict[str, object], bool, int]] = [
    (["Ana: chelem"], {}, True, 200),
    ([], {}, False, 0),
    ([], EITHER, True, 0),
    (["Ana: chelem"], NEVER, False, -200),
]


@pytest.mark.parametrize(("announced", "options", "wins", "more"), CASES)
def test_the_excuse_wins_the_last_trick_of_a_slam(
    announced: list[str], options: dict[str, object], wins: bool, more: int
) -> None:
    match = four(LONG, *announced, **options)
    tricks = lead_all(match, LONG)
    dog = [card for card in PACK if card not in {c for trick in tricks for _, c in trick}]
    points, bouts, value = reckon(tricks, {"Ana"}, "garde-sans", dog, excuse_wins=wins)
    assert bouts == (3 if wins else 2)
    if wins:  # all points, and the Petit in the last but one trick
        assert points == 91
        assert value == (25 + 91 - 36) * 4 + 10 * 4 + 200
    value += more
    assert match.rounds[-1].scores == {"Ana": 3 * value} | dict.fromkeys(FOUR[1:], -value)


def test_the_excuse_in_the_last_trick_is_lost_without_a_slam() -> None:
    hand = [*TRUMPS[6:][::-1], "1T", "2D", "EX"]  # 2D loses a trick
    match = four(hand, "Ana: chelem")
    tricks: list[Trick] = []
    tricks += lead_all(match, hand[:-2])
    match.record("Ana: 2D")
    tricks.append([("Ana", "2D")])
    tricks += [[]]
    while match.rounds[-1].scores is None:
        entry = next(text for text in match.legal() if text.split(": ")[1] in PACK)
        match.record(entry)
        name, card = entry.split(": ")
        (tricks[-2] if len(tricks[-2]) < 4 else tricks[-1]).append((name, card))
    dog = [card for card in PACK if card not in {c for trick in tricks for _, c in trick}]
    points, bouts, value = reckon(tricks, {"Ana"}, "garde-sans", dog)
    assert bouts == 2  # the Excuse went to the defence
    value -= 200  # announced, and not made
    assert match.rounds[-1].scores == {"Ana": 3 * value} | dict.fromkeys(FOUR[1:], -value)
    assert 72 < points < 91
