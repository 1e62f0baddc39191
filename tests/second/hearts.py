"""Hearts, from rulesets/hearts.md alone."""

from __future__ import annotations

from itertools import combinations

from tests.second.tricks import Table

STEPS = (1, 3, 2, 0)


def penalty(card: str) -> int:
    """Return the penalty points of a card (1.3)."""
    return 13 if card == "QS" else int(card[1] == "H")


class Hearts(Table):
    """Deals of Hearts, one after another."""

    def begin(self, hands: dict[str, list[str]]) -> None:
        """Begin a deal with these hands, before the giving (2)."""
        super().begin(hands)
        self.steps = STEPS[(self.number - 1) % 4]
        self.given: dict[str, list[str]] = {}
        if not self.steps:
            self._open()

    def _open(self) -> None:
        self.turn = next(name for name in self.names if "2C" in self.hands[name])

    @property
    def giving(self) -> bool:
        """True while a player still has to give cards (2.3)."""
        return self.steps > 0 and len(self.given) < 4

    @property
    def laying(self) -> bool:
        """True while cards are played."""
        return not self.giving

    def to_act(self) -> list[str]:
        """Return the players who may act now."""
        if self.giving:
            return [name for name in self.from_left() if name not in self.given]
        return [] if self.done else [self.turn]

    def why_not(self, act: str) -> str:
        """Return the paragraph that an act breaks."""
        name, _, said = act.partition(": ")
        word, *cards = said.split()
        if name not in self.to_act():
            return "turn"
        if (word == "give") != self.giving:
            return "2.3"
        if word != "give":
            return "act" if cards else self._why_not_lay(name, word)
        if any(card not in self.hands[name] for card in cards):
            return "hand"
        return "" if len(set(cards)) == len(cards) == 3 else "2.2"

    def _why_not_lay(self, name: str, card: str) -> str:
        hand, first = self.hands[name], not self.done_tricks
        if card not in hand:
            return "hand"
        if not self.laid:
            if first:
                return "" if card == "2C" else "3.1"
            broken = any(each[1] == "H" for each in self.played())
            only = all(each[1] == "H" for each in hand)
            return "" if card[1] != "H" or broken or only else "3.3"
        led = self.laid[0][1][1]
        if self.has(name, led):
            return "" if card[1] == led else "3.2"
        spare = any(not penalty(each) for each in hand)
        return "3.4" if first and penalty(card) and spare else ""

    def legal(self) -> list[str]:
        """Return all acts that are allowed now."""
        if self.giving:
            return [
                f"{name}: give {' '.join(cards)}"
                for name in self.to_act()
                for cards in combinations(self.hands[name], 3)
            ]
        acts = [f"{name}: {card}" for name in self.to_act() for card in self.hands[name]]
        return [act for act in acts if not self.why_not(act)]

    def play(self, act: str, stands: bool = False) -> None:
        """Do an act that is allowed. With `stands`, do one that is not allowed too."""
        if (broken := self.why_not(act)) and not stands:
            raise ValueError(f"{act}: {broken}")
        name, _, said = act.partition(": ")
        word, *cards = said.split()
        if word != "give":
            self.lay(name, word)
            if len(self.done_tricks) == 13:
                self.finish(self._counted())
                self.over = max(self.tallies.values()) >= 100
            return
        self.given[name] = cards
        if not self.giving:
            for who, gift in self.given.items():
                self.hands[who] = [card for card in self.hands[who] if card not in gift]
            for who, gift in self.given.items():
                self.hands[self.left(who, self.steps)] += gift
            self._open()

    def _counted(self) -> dict[str, int]:
        """Return the penalty points of a deal (4.1, 4.2)."""
        points = {name: sum(map(penalty, self.taken(name))) for name in self.names}
        if 26 in points.values():
            return {name: 26 - each for name, each in points.items()}
        return points
