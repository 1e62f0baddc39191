"""Random matches of Dudo that obey the rules, from a seed, for the measurements.

A match ends when only one player has dice. Players raise a little until one of them calls. Then all
dice are shown, or only their count is entered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper import Match
from tests.random_play import rules_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
PLAIN = range(2, 7)


def least(last: tuple[int, int] | None, face: int) -> int:
    """Return the least count of a bid on that face that is above the last bid."""
    if last is None:
        return 1
    count, before = last
    if face == 1:
        return count + 1 if before == 1 else -(-count // 2)
    if before == 1:
        return 2 * count + 1
    return count if face > before else count + 1


class Evening:
    """A match, whole or its first rounds. `rounds` has the entries of each."""

    def __init__(
        self, random: Random, names: Sequence[str] = NAMES, most: int | None = None
    ) -> None:
        self.random = random
        self.match = Match(rules_of("dudo"), names)
        self.rounds: list[list[str]] = []
        while not self.match.over and len(self.rounds) != most:
            self._play()

    def _enter(self, text: str) -> None:
        self.match.record(text)
        self.rounds[-1].append(text)

    def _act(self, text: str) -> None:
        self._enter(f"{self.match.to_act[0]}: {text}")

    def _play(self) -> None:
        """Play a round: a choice that is due, bids, a call, and the dice."""
        random, match = self.random, self.match
        self.rounds.append([])
        phase = match.current_round.phase
        if phase is not None and phase.name == "choice":
            self._act(random.choice(["open", "closed"]))
        cups = {name: random.choices(range(1, 7), k=dice) for name, dice in match.scores.items()}
        total, last = sum(match.scores.values()), None
        while last is None or last[0] < total * random.uniform(0.3, 0.7):
            face = random.choice(PLAIN) if last is None or random.random() < 0.8 else 1
            last = least(last, face) + random.randint(0, 1), face
            self._act(f"{last[0]}x{last[1]}")
        self._act("dudo" if random.random() < 0.8 else "calzo")
        if random.random() < 0.3:
            shown = [die for cup in cups.values() for die in cup]
            self._enter(f"count {sum(die in (1, last[1]) for die in shown)}")
            return
        for name, cup in cups.items():
            if cup:
                self._enter(f"dice {name}: {' '.join(map(str, cup))}")
