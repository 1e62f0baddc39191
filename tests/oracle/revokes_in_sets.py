"""Whole deals of games in which identical cards are led together: Da Ban and Sheng Ji.

They are unseen, with at most one forbidden card, like those of `tests.oracle.revokes`. Players lead
single cards, pairs and triples, after a kitty was turned up and cards were buried unseen.

A player follows with as many cards of the led class as the hand has. If sets must be answered by
sets, a player with enough cards of the class plays a set of that size if the hand has one. If not,
Da Ban demands the largest set of the hand, and Sheng Ji allows any cards.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.da_ban_reference import CODES, FOUR, strength, winner
from tests.oracle.revokes import BACK, REVOKES, Deal, Step
from tests.oracle.whole import NOBODY, Way, Whole, none_of
from tests.second.tractors import Table

if TYPE_CHECKING:
    from random import Random

    from tests.oracle.revokes import Happening

LEVELS = {"da-ban": "3", "da-ban-pairs": "3", "sheng-ji": "2", "sheng-ji-tractors": "2"}
ANSWERED = ("da-ban-pairs", "sheng-ji", "sheng-ji-tractors")  # where sets answer sets
SETS = 0.7  # The chance that a player who can lead a set does so.


class Dealer:
    """A player of one deal in which Ana is master, which records every event."""

    def __init__(self, ruleset: str, random: Random, revoke: bool) -> None:
        self.ruleset, self.random, self.revoking = ruleset, random, revoke
        self.copies, kitty = (3, 6) if ruleset.startswith("da-ban") else (2, 8)
        self.trump, self.level = random.choice("CSHD"), LEVELS[ruleset]
        self.order = Table(self.trump, self.level)
        cards = CODES * self.copies
        random.shuffle(cards)
        size = (len(cards) - kitty) // len(FOUR)
        self.hands = {name: cards[size * n : size * n + size] for n, name in enumerate(FOUR)}
        self.kitty = cards[-kitty:]
        self.steps: list[Step] = []
        self.revoke = 0

    def play(self) -> Deal:
        """Play the deal out."""
        for text in (f"trump {self.trump}", "master Ana"):
            self._write(text, _nothing)
        taken = self._take()
        given = [f"hand {name}: {' '.join(cards)}" for name, cards in self.hands.items()]
        room = {name: len(cards) for name, cards in self.hands.items()}
        whole, before = (
            Whole(CODES * self.copies, {**room, NOBODY: len(self.kitty)}),
            len(self.steps),
        )
        for card in self.kitty:
            if taken:
                whole.know(card, "Ana", NOBODY)
            else:
                whole.show(NOBODY, card)
        leader = "Ana"
        while self.hands[leader]:
            leader = self._trick(leader)
        return Deal(self.ruleset, tuple(FOUR), self.steps, before, given, whole, self.revoke)

    def _take(self) -> bool:
        """Turn up the kitty. Return whether the master has to take it and bury cards for it."""
        self._write(f"kitty {' '.join(self.kitty)}", _nothing)
        trumps = sum(card[1] == self.trump for card in self.kitty if card[1] != "J")
        if self.copies > 2 and trumps in (0, len(self.kitty)):
            self._write("Ana: leave", _nothing)
            return False
        self._write("Ana: take", _nothing)
        self.hands["Ana"] += self.kitty
        self.random.shuffle(self.hands["Ana"])
        del self.hands["Ana"][: len(self.kitty)]
        self._write(f"Ana: bury {len(self.kitty)}", _nothing)
        return True

    def group(self, card: str) -> str:
        """Return the class of a card."""
        if self.copies > 2:
            return strength(card, self.trump, self.level)[0]
        return self.order.group(card)

    def _trick(self, leader: str) -> str:
        """Play a trick. Return the name of its winner."""
        laid: list[tuple[str, list[str]]] = []
        at = FOUR.index(leader)
        for name in FOUR[at:] + FOUR[:at]:
            cards = self._answer(name, laid[0][1]) if laid else self._lead(name)
            if self.revoke == len(self.steps) + 1 and self.random.random() < BACK:
                self._lay(name, cards, laid[0][1], back=True)
                cards = self._answer(name, laid[0][1])
            self._lay(name, cards, laid[0][1] if laid else [])
            laid.append((name, cards))
        if self.copies > 2:
            return winner(laid, self.trump, self.level)
        return self.order.winner([(name, tuple(cards)) for name, cards in laid])

    def _lead(self, name: str) -> list[str]:
        hand = self.hands[name]
        pairs = [card for card in hand if hand.count(card) > 1]
        card = self.random.choice(pairs if pairs and self.random.random() < SETS else hand)
        return [card] * self.random.randint(1, hand.count(card))

    def _answer(self, name: str, led: list[str]) -> list[str]:
        """Return cards that are allowed or, once in a deal, cards that are forbidden."""
        hand, size = self.hands[name], len(led)
        wrong = not self.revoke and self.revoking and self.random.random() < REVOKES
        for _ in range(10 if wrong else 0):
            cards = self.random.sample(hand, size)
            if not self._allowed(hand, cards, led):
                self.revoke = len(self.steps) + 1
                return cards
        mine = [card for card in hand if self.group(card) == self.group(led[0])]
        others = [card for card in hand if card not in mine]
        if len(mine) <= size:
            return mine + self.random.sample(others, size - len(mine))
        while True:
            best = Counter(self.random.sample(mine, len(mine))).most_common(1)[0][0]
            found = [best] * min(size, mine.count(best)) if self.ruleset in ANSWERED else []
            rest = list((Counter(mine) - Counter(found)).elements())
            cards = found + self.random.sample(rest, size - len(found))
            if self._allowed(hand, cards, led):
                return cards

    def _held_back(self, cards: list[str], led: list[str]) -> int:
        """Return the size of the smallest set that must not be held back with these cards, or 0 for
        none."""
        size, best = len(led), max(Counter(cards).values())
        if self.ruleset not in ANSWERED or best >= size:
            return 0
        return best + 1 if self.copies > 2 else size

    def _allowed(self, hand: list[str], cards: list[str], led: list[str]) -> bool:
        group = self.group(led[0])
        mine = [card for card in hand if self.group(card) == group]
        count = sum(self.group(card) == group for card in cards)
        if count < len(led):
            return count == len(mine)
        size = self._held_back(cards, led)
        return not size or max(Counter(mine).values()) < size

    def _lay(self, name: str, cards: list[str], led: list[str], back: bool = False) -> None:
        """Play cards, which may be withdrawn, and note what that demands of the hand."""
        number, group = len(self.steps) + 1, self.group(led[0]) if led else ""
        kinds = [card for card in CODES if self.group(card) == group]
        short = bool(led) and any(self.group(card) != group for card in cards)
        size = self._held_back(cards, led) if led and not short else 0

        def happen(whole: Whole) -> None:
            if size:
                whole.ask(number, name, [Way(most=tuple((card, size - 1) for card in kinds))])
            if back:
                whole.see(name, *cards)
                caps = Counter(card for card in cards if card in kinds)
                if short:
                    most = tuple((card, caps[card]) for card in kinds)
                    whole.ask(number, name, [Way(most=most)])
                return
            for card in cards:
                whole.show(name, card)
            if short:
                whole.ask(number, name, none_of(kinds))

        self._write(f"{name}: {' '.join(cards)}{' !withdrawn' * back}", happen)
        for card in cards if not back else ():
            self.hands[name].remove(card)

    def _write(self, text: str, happen: Happening) -> None:
        self.steps.append(Step(text, happen))


def _nothing(_: Whole) -> None:
    """Do nothing, because the entry shows no card."""
