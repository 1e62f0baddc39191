"""Spades, from rulesets/spades.md alone."""

from __future__ import annotations

from tests.second.tricks import NAMES, Table


class Spades(Table):
    """Deals of Spades, one after another."""

    def __init__(self, names: tuple[str, ...] = NAMES) -> None:
        super().__init__(names)
        self.bags = [0, 0]

    def begin(self, hands: dict[str, list[str]]) -> None:
        """Begin a deal with these hands, before the bids (2)."""
        super().begin(hands)
        self.bids: dict[str, int] = {}

    def strength(self, card: str) -> int:
        """Return the strength of a card. Spades beat all other suits (3.4)."""
        return 13 + 13 - self.ranks.index(card[0]) if card[1] == "S" else super().strength(card)

    @property
    def laying(self) -> bool:
        """True once all players have bid (2.4)."""
        return len(self.bids) == 4

    def to_act(self) -> list[str]:
        """Return the players who may act now."""
        return [] if self.done else [self.turn]

    def why_not(self, act: str) -> str:
        """Return the paragraph that an act breaks."""
        name, _, said = act.partition(": ")
        word, *rest = said.split()
        if name not in self.to_act():
            return "turn"
        if len(self.bids) < 4:
            named = word == "bid" and len(rest) == 1 and rest[0].isdigit()
            if word in self.pack:
                return "2.4"
            return "" if named and 0 <= int(rest[0]) <= 13 else "2.1"
        if rest:
            return "2.4" if word == "bid" else "act"
        return self._why_not_lay(name, word)

    def _why_not_lay(self, name: str, card: str) -> str:
        hand = self.hands[name]
        if card not in hand:
            return "hand"
        if not self.laid:
            broken = any(each[1] == "S" for each in self.played())
            only = all(each[1] == "S" for each in hand)
            return "" if card[1] != "S" or broken or only else "3.3"
        led = self.laid[0][1][1]
        return "3.2" if card[1] != led and self.has(name, led) else ""

    def legal(self) -> list[str]:
        """Return all acts that are allowed now."""
        said = [f"bid {count}" for count in range(14)] if len(self.bids) < 4 else []
        acts = [f"{who}: {act}" for who in self.to_act() for act in said or self.hands[who]]
        return [act for act in acts if not self.why_not(act)]

    def play(self, act: str, stands: bool = False) -> None:
        """Do an act that is allowed. With `stands`, do one that is not allowed too."""
        if (broken := self.why_not(act)) and not stands:
            raise ValueError(f"{act}: {broken}")
        name, _, said = act.partition(": ")
        if len(self.bids) < 4:
            self.bids[name] = int(said.split()[1])
            self.turn = self.left(name)
            return
        self.lay(name, said)
        if len(self.done_tricks) == 13:
            self._settle()

    def _counted(self, side: int) -> tuple[int, int]:
        """Return the points and the bags of a side, before any penalty for bags (4.1 to 4.3)."""
        mates = [name for name in self.names if self.side(name) == side]
        contract = sum(self.bids[name] for name in mates)
        over = sum(self.won(name) for name in mates) - contract
        points = 10 * contract + over if over >= 0 else -10 * contract
        for name in mates:
            if self.bids[name] == 0:
                points += -100 if self.won(name) else 100
        return points, max(over, 0)

    def _settle(self) -> None:
        """Note the scores of the deal with its bags. A side may reach the end of the match (4.4 to
        4.6)."""
        changes = []
        for side in (0, 1):
            points, bags = self._counted(side)
            tens, self.bags[side] = divmod(self.bags[side] + bags, 10)
            changes.append(points - 100 * tens)
        self.finish({name: changes[self.side(name)] for name in self.names})
        self.over = max(self.tallies.values()) >= 500
