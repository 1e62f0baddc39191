"""The places of all cards of a deal, followed from entry to entry without knowing the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from scorekeeper import Match, Ruleset


class Places:
    """The hands, the cards on the table in a bout, the talon and the kitty of one deal.

    `laid` holds the last cards that each player played. `draws` holds cards that were drawn and not
    reported yet. `turned` is the turned-up card below the talon.
    """

    def __init__(self, rules: Ruleset, random: Random) -> None:
        self.rules = rules
        self.random = random
        self.hands: dict[str, list[str]] = {}
        self.table: list[str] = []
        self.talon: list[str] = []
        self.kitty: list[str] = []
        self.laid: dict[str, list[str]] = {}
        self.draws: list[tuple[str, list[str]]] = []
        self.turned = ""

    def deal(self, names: list[str], size: int) -> list[str]:
        """Deal that many cards to every player. The rest is the talon."""
        pack = self.rules.pack
        cards = [kind for kind in pack.kinds for _ in range(pack.copies)]
        self.random.shuffle(cards)
        self.hands = {name: cards[n * size : n * size + size] for n, name in enumerate(names)}
        self.table, self.draws, self.laid, self.kitty = [], [], {}, []
        return cards[size * len(names) :]

    def move(self, text: str, match: Match) -> None:
        """Follow the cards that an entry moves."""
        who, _, act = text.partition(": ")
        word, *rest = act.split() or [""]
        if who not in self.hands or word in ("declare", "draw", "show"):
            return
        if word in self.rules.data.get("contracts", {}):
            return  # A called card that is named with the call does not move.
        cards = [part for part in (word, *rest) if part in self.rules.pack.kinds]
        if word == "exchange":
            half = len(cards) // 2
            giver = rest[-1]
            self._change(who, cards[:half], cards[half:])
            self._change(giver, cards[half:], cards[:half])
        elif word == "take" and self.kitty:
            self.hands[who] += self.kitty
        elif word == "takeback":
            self.hands[who] += self.laid.pop(who)
        else:
            self.laid[who] = cards[word == "cover" :]
            self._change(who, self.laid[who], [])
            self.table += self.laid[who]
        if "bouts" in self.rules.phases and not match.rounds[-1].over:
            self._clear(match)

    def see_hands(self, text: str, match: Match) -> None:
        """Follow an entry without knowledge of the rules. Played cards are followed, and the hands
        are looked up after any other entry that moves cards."""
        who, _, act = text.partition(": ")
        cards = act.split()
        rnd, pack = match.live_round, self.rules.pack
        if who.startswith("hand "):
            self.hands[who.removeprefix("hand ")] = cards
        elif self.hands.get(who) and all(card in pack.kinds for card in cards):
            self._change(who, cards, [])
        elif rnd.acted and rnd.has_hands and not text.endswith("!withdrawn"):
            for seat in rnd.seats:
                kinds = list(pack.kinds_in(rnd.hands.known[seat]))
                if 0 < rnd.hands.unknown_count[seat] == rnd.hands.unseen.bit_count():
                    kinds += pack.kinds_in(rnd.hands.unseen)
                self.hands[rnd.names[seat]] = [pack.kinds[kind] for kind in kinds]

    def _change(self, who: str, less: list[str], more: list[str]) -> None:
        for card in less:
            self.hands[who].remove(card)
        self.hands[who] += more

    def _clear(self, match: Match) -> None:
        """Move a finished bout's cards to a hand or away, and fill the hands from the talon."""
        state = match.state
        news = state["bindings"]["last_bout"]
        if state["table"] or not news or not self.table:
            return
        if news["outcome"] == "taken":
            self.hands[news["defender"]] += self.table
        self.table = []
        for who, number in news["draws"]:
            drawn, self.talon = self.talon[:number], self.talon[number:]
            self.hands[who] += drawn
            named = [card for card in drawn if card != self.turned]
            if named:
                self.draws.append((who, named))
