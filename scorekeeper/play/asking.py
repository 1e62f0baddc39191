"""What a round is asked that only one of its phases can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.play.findings import Findings
from scorekeeper.ruleset.subjects import Own

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scorekeeper.core.rulings import Finding
    from scorekeeper.ruleset.orders import Order


class Asking(Findings):
    """A round that asks its phases, whichever of them knows."""

    __slots__ = ()

    def play_begun(self) -> bool:
        """Whether play that depends on who leads has begun."""
        whole = self._whole
        return any(phase.play_begun(whole) for phase in self.rules.course)

    def tell_sides(self) -> None:
        """Have it noted whose side the entry that has happened proves. While cards may still come
        into hands, nothing is said."""
        parties = self.parties
        if parties is None or self.shared.stock:
            return
        if not (self.tricks or self._whole.to_lead() is not None or self.play_begun()):
            return
        proven = parties.prove()
        if proven:
            for phase in self.rules.watching_sides:
                phase.sides_proven(self._whole, proven)

    def cards_seen(self) -> list[int]:
        """By seat the cards (a heap) that everyone has seen come out of that hand, or in it."""
        from scorekeeper.play.evidence import cards_seen

        return cards_seen(self)

    def public_sides(self) -> Mapping[int, int]:
        """The sides that seats are on by what everyone has seen and heard: nothing is counted,
        and no hand that was entered tells of any."""
        from scorekeeper.core.sides import public_sides

        if self.parties is None:
            return {}
        shown, said = dict[int, int](), dict[int, int]()
        for phase in self.rules.phases.values():
            shown.update(phase.public_sides(self._whole))
            said.update(phase.said_sides(self._whole))
        return public_sides(self.parties, shown, said)

    def after_foul(self, seat: int) -> Callable[[], None] | None:
        """Does what follows of a foul of that seat; None: it is only noted."""
        asked = (phase.on_foul(self._whole, seat) for phase in self.rules.beside)
        return next(filter(None, asked), None)

    def points_of(self, seat: int) -> int | None:
        """The points of the seat's side so far, where some phase counts any."""
        found = None
        for phase in self.rules.counting_points:
            points = phase.points_of(self._whole, seat)
            found = found if points is None else points
        return found

    def points_now(self, seat: int) -> int | None:
        """The same by the phase whose time it is; None where that counts none."""
        return None if self.phase is None else self.phase.points_of(self._whole, seat)

    def cards_aside(self) -> list[int]:
        """The cards that are known to go to nobody (kinds, one for each card)."""
        return [
            kind for phase in self.rules.phases.values() for kind in phase.cards_aside(self._whole)
        ]

    def before_rest(self) -> None:
        """All that is still out is to go to somebody without being played. Raises Impossible where
        it would not be known what the round comes to then."""
        for phase in self.rules.phases.values():
            phase.before_rest(self._whole)

    def may_pass(self) -> bool:
        """Whether cards may still pass from hand to hand before play."""
        passing = any(phase.passes for phase in self.rules.phases.values())
        return passing and not self.play_begun()

    def beside_tricks(self) -> tuple[int, Sequence[int]]:
        """How many cards go to one of these seats beside those of the tricks."""
        found = (phase.beside_tricks(self._whole) for phase in self.rules.phases.values())
        return next((each for each in found if each[0]), (0, ()))

    def still_out(self) -> list[int] | None:
        """The points of each card that a side may still take, where some phase counts any."""
        found = (phase.still_out(self._whole) for phase in self.rules.phases.values())
        return next((points for points in found if points is not None), None)

    def order_in_force(self) -> Order | None:
        """What beats what in this round; None where nothing does, or before it is known."""
        orders = (phase.order_in_force(self._whole) for phase in self.rules.phases.values())
        return next((order for order in orders if order is not None), None)

    def wrong_with_call(self, call: str, caller: int, bidder: int) -> list[Finding]:
        """Why the caller could make that call on no bid of the bidder, whatever was bid: the
        findings on one of them; empty if some bid could be called."""
        for phase in self.rules.phases.values():
            found = phase.wrong_with_call(self._whole, call, caller, bidder)
            if found is not None:
                return found
        return []

    def dice_of(self, seat: int) -> int:
        """How many dice a player has in this round; none, who is out."""
        each = self.rules.dice_each
        if self.rules.numbers.dice_are_tally:
            return self.tally[seat]
        return 0 if each is None or self.out(seat) else each(self._whole, Own((seat,)))

    def dice(self) -> int:
        """All dice on the table."""
        if self.rules.numbers.dice_are_tally:
            return sum([self.tally[seat] for seat in self.seats])
        each = self.rules.dice_each
        if each is not None and each.fixed is not None:
            return each.fixed * len(self.playing())
        return sum(map(self.dice_of, self.seats))
