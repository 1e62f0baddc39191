"""Who sits where in a round, who takes part, and what stands on the sheet for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.rulings import Line
    from scorekeeper.ruleset.compiled import Ruleset


class Seats:
    """The seats of one round: numbers from 0 in the order of the names; left is next.

    `seats` are those that take part; `base` the tally as the round began and `tally` as it stands
    now, by seat; `lines` are changes that happened outside the score rows.
    """

    __slots__ = ("base", "dealer", "leader", "lines", "names", "rules", "seats", "step", "tally")

    def __init__(self, rules: Ruleset, names: list[str]) -> None:
        self.rules = rules
        self.names = names
        self.seats: list[int] = list(range(len(names)))
        self.base: list[int] = [0] * len(names)
        self.tally: list[int] = list(self.base)
        self.dealer = self.leader = 0
        self.step = 1
        self.lines: list[Line] = []

    def names_of(self, seats: Iterable[int]) -> list[str]:
        """The names of seats."""
        return [self.names[seat] for seat in seats]

    def seated_sides(self) -> dict[str, list[str]]:
        """The sides that the seating makes, by what they are called; none where it makes none."""
        if not self.rules.sides["number"]:
            return {}
        sides = dict.fromkeys(self.side(seat) for seat in self.seats)
        return {"+".join(self.names_of(seats)): self.names_of(seats) for seats in sides}

    def out(self, seat: int) -> bool:
        """Whether the seat is out of the match (its tally is used up), or sits out."""
        return seat not in self.seats or self.tally[seat] <= self.rules.out_at

    def playing(self) -> list[int]:
        """The seats that take part and are not out, in the order of the names."""
        tally, out_at = self.tally, self.rules.out_at
        return [seat for seat in self.seats if tally[seat] > out_at]

    def after(self, seat: int, step: int = 1) -> int:
        """The next seat to the left (or right, with step -1) that takes part."""
        count = len(self.names)
        for offset in range(1, count + 1):
            found = (seat + step * offset) % count
            if found in self.seats:
                return found
        return seat

    def following(self, seat: int, step: int = 1) -> int:
        """The next seat in that direction that is not out; the seat itself if nobody else is."""
        found = self.after(seat, step)
        while self.out(found) and found != seat:
            found = self.after(found, step)
        return found

    def side(self, seat: int) -> tuple[int, ...]:
        """The seats on that seat's side, where sides are fixed by the seating; else its own."""
        return self.rules.side_of(seat, len(self.names))

    def sharing(self, seat: int) -> tuple[int, ...]:
        """The seats whose tally is that seat's, too: its side's, or its own."""
        return self.side(seat) if self.rules.sides["shared"] else (seat,)

    def base_of(self, seat: int) -> int:
        """A player's tally before what the score rows give."""
        if not self.lines:
            return self.base[seat]
        return self.base[seat] + sum(
            int(line.points) for line in self.lines if self.names[seat] in line.to.split("+")
        )

    def change(self, seats: Sequence[int], points: int) -> int:
        """Change a tally (of one player, or the one that several share) by so many points, never
        beyond what it may be; gives by how many it changed."""
        bounds, tally = self.rules.tally, self.tally[seats[0]]
        changed: int = max(bounds["least"], min(bounds["most"], tally + points)) - tally
        for seat in seats:
            self.tally[seat] += changed
        return changed
