"""The contracts of a ruleset: which of two wishes is the stronger, and what it brings to be played.
Part of reservations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.phases.reservations.needs import Need, read_need
from scorekeeper.phases.reservations.wishes import Wish, WishSyntax
from scorekeeper.ruleset.orders import TRUMP

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorekeeper.core.plain import Row
    from scorekeeper.phases.reservations.state import State
    from scorekeeper.ruleset.joint import Joint, Rules


class Contracts:
    """The `[contracts]`, compiled.

    `rows` by name; `default` is played when nobody has a reservation, `others` are the rest, of
    which `solos` may be the one that a player owes (`compulsory`: whether they owe any). `needs` of
    a hand, of which one must hold, by contract. `syntax`: how a wish is typed. `heights`: how high
    each call is that may raise a wish.
    `_place`: where a contract stands in the ranking, 0 is the strongest; all that calls may raise
    stand where the strongest of them does (`_raised`), the height of the call then decides.
    """

    def __init__(self, rules: Rules, row: Row) -> None:
        self.rows = rules.section("contracts")
        self.default: str = row["default"]
        self.compulsory: bool = row["compulsory"]
        self.others = [name for name in self.rows if name != self.default]
        self.solos = [name for name in self.others if self.rows[name]["solo"]]
        self.needs: dict[str, list[Need]] = {}
        self.heights = _heights(rules)
        self.syntax = WishSyntax(self.others, self.solos, rules.section("calls"))
        self._place = _places(row, self.rows)
        raised = [self._place[name] for name, each in self.rows.items() if each["raises"]]
        self._raised = min(raised, default=0)

    def link(self, rules: Rules) -> None:
        """Read the needs, and report what is wrong with them and with the ranking."""
        for name, row in self.rows.items():
            self.needs[name] = [self._need(rules, name, row, text) for text in row["needs"]]
        for name in (self.default, *self._place):
            if name not in self.rows:
                allowed = ", ".join(self.rows)
                message = f"phases.reservations names no contract: {name}"
                rules.fault("phases.reservations", name, allowed, message)

    def _need(self, rules: Rules, name: str, row: Row, text: str) -> Need:
        """One of a contract's needs; one that cannot be read asks for nothing."""

        def trumps() -> int:
            order = row["counted"] or self.rows[self.default]["order"]
            return rules.orders.get(order, {}).masks[TRUMP]

        try:
            return read_need(text, rules.pack, trumps)
        except (ValueError, KeyError) as error:
            path = f"contracts.{name}.needs"
            rules.fault(path, text, "least NUMBER CARDS, or most NUMBER CARDS", f"{path}: {error}")
            return Need(0, 0, rules.pack.total)

    # --- which wish is the stronger

    def is_owed(self, state: State, seat: int, wish: Wish) -> bool:
        """Whether this would be the solo that the seat owes."""
        solo = bool(self.compulsory and self.rows[wish.kind]["solo"])
        return solo and not wish.voluntary and seat not in state.played

    def rank(self, state: State, seat: int, wish: Wish) -> tuple[int, ...]:
        """How strong a wish for a contract is; the least wins."""
        height = max((self.heights.get(word, 0) for word in wish.raises), default=0)
        place, turn = self._place[wish.kind], state.order.index(seat)
        after_owed = 0 if self.is_owed(state, seat, wish) else 1
        if self.rows[wish.kind]["raises"]:
            return after_owed, self._raised, -height, place, turn
        return after_owed, place, 0, place, turn

    def may_win(self, state: State, seat: int) -> bool:
        """Whether some contract that a seat has yet to name could still be the strongest wish."""
        wishes = state.wishes()
        if not wishes:
            return True
        best = min(self.rank(state, *wish) for wish in wishes)
        highest = max(self.heights, key=self.heights.__getitem__, default="")
        return any(
            self.rank(state, seat, Wish(kind, (highest,) if row["raises"] else ())) < best
            for kind, row in self.rows.items()
            if kind != self.default
        )

    # --- what is played

    def declare(self, rnd: Joint, state: State, seat: int, wish: Wish) -> None:
        """Tell the round that this seat's wish is played: who declares it, what raises it, and
        that they lead if it is the solo they owe."""
        rnd.shared.declarer = seat
        if wish.raises:
            rnd.shared.raised = wish.raises
        if self.is_owed(state, seat, wish):
            state.compulsory = True
            if rnd.start.lead is None:
                rnd.leader = seat

    def play(self, rnd: Joint, contract: str, seat: int) -> None:
        """Tell the round which contract is played: the order of cards, and what makes the sides;
        `seat` is who declared it (-1: nobody, or not known)."""
        row = self.rows[contract]
        rnd.shared.contract = contract
        rnd.void = bool(row["annuls"])
        if rnd.void:
            return
        if row["order"]:
            rnd.shared.order = row["order"]
        if rnd.parties is not None:
            size = max(rnd.hands.size(player) for player in rnd.seats)
            first = max(1, rnd.rules.deal_size(len(rnd.seats)) - size + 1)
            rnd.parties.fix(row["sides"], seat, row["within"], first)

    def change_if_alone(self, rnd: Joint) -> None:
        """Tell the round which contract is played instead, where its declarer has found no partner
        and the contract says so."""
        parties, contract = rnd.parties, rnd.shared.contract
        if parties is None or not contract or not parties.alone:
            return
        instead: str = self.rows[contract]["becomes"]
        if instead:
            rnd.shared.contract = instead


def _heights(rules: Rules) -> dict[str, int]:
    """The calls that the declaring side may make, each with its height, from 1."""
    declaring = next(iter(rules.section("parties")), "")
    calls = [row for row in rules.section("calls").items() if row[1]["side"] in ("", declaring)]
    return {name: height for height, (name, _) in enumerate(calls, 1)}


def _places(row: Row, rows: Mapping[str, Row]) -> dict[str, int]:
    """Where each contract stands in `ranks`; those that are not in it come last."""
    place: dict[str, int] = {}
    for index, names in enumerate(row["ranks"]):
        for name in [names] if isinstance(names, str) else names:
            place.setdefault(name, index)
    for name in rows:
        place.setdefault(name, len(row["ranks"]))
    return place
