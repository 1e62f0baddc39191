"""What everyone has said so far, and what was kept from earlier deals. Part of reservations."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from scorekeeper.phases.reservations.wishes import Wish
    from scorekeeper.ruleset.joint import Joint

NAME = "reservations"  # the phase's, under which it keeps what the next deals must know


class State:
    """One deal's reservations. Players are seats.

    `order`: the seats in the order of speaking. `spoken`: what each has said last, by seat, and
    `numbers`: of the entry with which they did; `latest`: who spoke last of all (-1: nobody).
    `pending`: those who have a reservation and have still to name it, `named`: who have named
    theirs. `decided`: whether the contract is. `compulsory`: it is a solo that the declarer owed.
    `played`: those who owe no solo any more; `counted`: the deals that have counted so far.
    `from_result`: the wish that was played, where only a result has told it.
    """

    __slots__ = (
        *("compulsory", "counted", "decided", "from_result", "latest", "named", "numbers"),
        *("order", "pending", "played", "spoken"),
    )

    def __init__(self, order: list[int], played: Iterable[int], counted: int) -> None:
        self.order = order
        self.spoken: dict[int, Wish] = {}
        self.numbers: dict[int, int] = {}
        self.latest = -1
        self.pending: list[int] = []
        self.named: list[int] = []
        self.decided = self.compulsory = False
        self.played = set(played)
        self.counted = counted
        self.from_result: Wish | None = None

    @property
    def all_spoken(self) -> bool:
        """Whether everyone has spoken."""
        return len(self.spoken) == len(self.order)

    def say(self, seat: int, wish: Wish, number: int) -> None:
        """That seat has said this, with the entry of that number."""
        self.spoken[seat], self.numbers[seat], self.latest = wish, number, seat

    def wishes(self) -> list[tuple[int, Wish]]:
        """The contracts that were named, each with its seat."""
        return [(seat, wish) for seat, wish in self.spoken.items() if wish.names_contract]


def solos_played(rnd: Joint) -> Collection[int]:
    """The seats that owed no solo any more when the last deal that counted was over."""
    played: Collection[int] = rnd.kept(NAME).get("played", ())
    return played


def deals_counted(rnd: Joint) -> int:
    """How many deals of the match have counted."""
    return int(rnd.kept(NAME).get("deals", 0))
