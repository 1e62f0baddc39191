"""Random play of games for which no special generator exists.

It plays what the phases offer and enters random results, like `rules check --play`. It also makes
the entries of a table that sees no hands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper import Failure
from scorekeeper.match.random_play import RULE, RandomMatch, TrialLog, wrong_act
from scorekeeper.phases.tricks import Tricks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.notation import Entry
    from tests.random_play import Evening

TRIES = 12
CARDS = 0.7  # The chance of playing a card where cards are played.


class ByOffers(RandomMatch):
    """A player of an evening that enters each event in the evening."""

    def __init__(self, evening: Evening) -> None:
        luck = evening.random
        super().__init__(evening.rules, evening.names, 0, luck, TrialLog())
        self.evening = evening
        self.match = evening.match
        self._results = evening.result

    def go_on(self) -> None:
        """Play the next event."""
        self._step()

    def wrong_acts(self) -> Iterator[str]:
        """Yield illegal acts that a player could try with the cards of the hand."""
        rnd, luck = self.match.live_round, self.rng
        if isinstance(rnd.phase, Tricks) and luck.random() < CARDS:
            for name in self.match.to_act:
                hand = self.evening.hands[name]
                yield from (f"{name}: {card}" for card in luck.sample(hand, len(hand)))
        acts = [
            verb
            for verb in self._verbs
            if verb.needs_turn and not verb.is_table_entry and not verb.is_setup_fact
        ] or [verb for verb in self._verbs if verb.is_joint or verb.is_implicit]
        for _ in range(TRIES):
            verb = luck.choice(acts)
            entry = wrong_act(
                verb, rnd, self.match.notation, self._earlier_acts.get(verb, []), luck
            )
            if entry is not None and self._held(entry):
                yield self.match.notation.write(entry).text

    def _held(self, entry: Entry) -> bool:
        """Return whether all cards that it shows are in those hands."""
        rnd = self.match.live_round
        pack, phase = rnd.rules.pack, rnd.rules.phase_of[entry.word]
        if not entry.type.plays_cards or entry.type.syntax.is_count_only(entry.value):
            return not entry.type.plays_cards
        return all(
            kinds.count(kind) <= pack.count(rnd.hands.known[seat], kind)
            for seat, kinds in phase.hand_cards(entry)
            for kind in kinds
        )

    def _record(self, text: str) -> str:
        if text.endswith(": rest"):
            return "who does not see the hands asks first that they be shown"
        text = self.evening.by_side(text)
        unseen = self.match.notation.hide_cards(text)
        if text.startswith("hand ") and self.evening.full:
            unseen = ""
        try:
            self.evening.enter(text, unseen)
        except Failure as failure:
            return failure.message
        return ""

    def _undo(self) -> None:
        super()._undo()
        self.evening.said[-1].pop()

    def _add_problem(self, kind: str, message: str, last: str = "") -> None:
        if kind == RULE and not self.evening.full:
            return  # Cards played before a position are unknown, and a rule may ask for them.
        raise AssertionError(f"{kind}: {message} ({last}): {self.evening.said[-1]}")
