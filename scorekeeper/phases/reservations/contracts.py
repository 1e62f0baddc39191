"""The contracts of a ruleset as wishes: which of two is the stronger. Part of reservations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.phases.reservations.wishes import Wish, WishSyntax
from scorekeeper.ruleset import contracts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.core.types import Row
    from scorekeeper.phases.reservations.state import State
    from scorekeeper.ruleset.joint import Joint, Rules


class Contracts(contracts.Contracts):
    """The `[contracts]`, compiled.

    `default` is played when nobody has a reservation, `others` are the rest, of
    which `solos` may be the one that a player owes (`compulsory`: whether they owe any). `syntax`:
    how a wish is typed. `heights`: how high each call is that may raise a wish.
    `_place`: where a contract stands in the ranking, 0 is the strongest; all that calls may raise
    stand where the strongest of them does (`_raised`), the height of the call then decides.
    """

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules)
        self.default: str = row["default"]
        self.compulsory: bool = row["compulsory"]
        self.others = [name for name in self.rows if name != self.default]
        self.solos = [name for name in self.others if self.rows[name]["solo"]]
        self.heights = _heights(rules)
        self.syntax = WishSyntax(self.others, self.solos, rules.section("calls"))
        self._place = _places(row["ranks"], self.rows)
        raised = [self._place[name] for name, each in self.rows.items() if each["raises"]]
        self._raised = min(raised, default=0)

    def link(self, rules: Rules) -> None:
        super().link(rules)
        for name in (self.default, *self._place):
            if name not in self.rows:
                allowed = ", ".join(self.rows)
                message = f"phases.reservations names no contract: {name}"
                rules.fault("phases.reservations", name, allowed, message)

    def trumps_of(self, name: str) -> str:
        row = self.rows[name]
        return row["counted"] or str(self.rows[self.default]["order"])

    def with_words(self, kind: str) -> Iterator[Wish]:
        """Yield the wishes for a contract with one word more: a call that raises it, or that it is
        not the solo that is owed."""
        for word in self.heights if self.rows[kind]["raises"] else ():
            yield Wish(kind, (word,))
        if self.compulsory and kind in self.solos:
            yield Wish(kind, (), True)

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

    def choose(self, rnd: Joint, state: State, seat: int, wish: Wish) -> None:
        """Tell the round that this seat's wish is played: who declares it, what raises it, and
        that they lead if it is the solo they owe."""
        self.declare(rnd, seat)
        if wish.raises:
            rnd.shared.raised = wish.raises
        if self.is_owed(state, seat, wish):
            state.compulsory = True
            if rnd.start.lead is None:
                rnd.leader = seat


def _heights(rules: Rules) -> dict[str, int]:
    """The calls that the declaring side may make, each with its height, from 1."""
    declaring = next(iter(rules.section("parties")), "")
    calls = [row for row in rules.section("calls").items() if row[1]["side"] in ("", declaring)]
    return {name: height for height, (name, _) in enumerate(calls, 1)}


def _places(ranks: Sequence[str | Sequence[str]], rows: Iterable[str]) -> dict[str, int]:
    """Where each contract stands in a ranking, 0 the strongest; those that are not in it come
    last."""
    place: dict[str, int] = {}
    for index, names in enumerate(ranks):
        for name in [names] if isinstance(names, str) else names:
            place.setdefault(name, index)
    for name in rows:
        place.setdefault(name, len(ranks))
    return place
