"""Small games in which players call a side, which depends on a card of the dealt hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.oracle.small_tricks import Careless

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.oracle.small_tricks import Laid

QUEEN = "QC"
CALLS = 0.25  # The chance that a player calls before a card is played.
HONEST = 0.8
BACK = 0.2  # The chance that a call is withdrawn.


class Calling(Careless):
    """A game in which the player who was dealt a certain card is on one side, all others on the
    other."""

    ruleset = "small-calls"
    codes = frozenset({"tricks.follow", "calls.own-side"})

    def begin(self, checked: Callable[[], None]) -> None:
        """Begin, and enter that no player has a reservation."""
        super().begin(checked)
        self.enter("all: ordinary")
        self.has_shown = [False] * len(self.names)

    def beside(self, checked: Callable[[], None]) -> None:
        """Let a player call."""
        super().beside(checked)
        seat = self.random.randrange(len(self.names))
        if not self.hands[seat] or self.random.random() > CALLS:
            return
        dealt = self.has_shown[seat] or QUEEN in self.hands[seat]
        re = dealt if self.random.random() < HONEST else not dealt
        back = " !withdrawn" if self.random.random() < BACK else ""
        number = self.enter(f"{self.names[seat]}: {'re' if re else 'kontra'}{back}")
        queens, shown = self.pack.set_of([QUEEN]), self.has_shown[seat]
        self.ask(
            (number, "calls.own-side"),
            lambda world: (shown or bool(world[seat] & queens)) is not re,
        )
        checked()

    def lay(self, seat: int, card: str, laid: Laid) -> None:
        """Play a card, and note whether it is the one that decides."""
        super().lay(seat, card, laid)
        self.has_shown[seat] |= card == QUEEN
