"""The calls of a ruleset: what each implies, for which side it is, until when it may be made. Part
of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.sides import DECLARING, OTHERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Row
    from scorekeeper.phases.calls.state import State
    from scorekeeper.phases.calls.syntax import Call
    from scorekeeper.ruleset.joint import Joint, Rules

SIDES = (DECLARING, OTHERS)


class Catalogue:
    """The `[calls]`, compiled.

    `rows` by name; `sides` are the names of the two sides; `implied[side][name]`: what a side has
    called by that call: the announcement, the levels before it, and itself. `_fewer`: how many
    cards fewer an announcement needs that replies to a call of the other side.
    """

    def __init__(self, rules: Rules, row: Row) -> None:
        self.rows = rules.section("calls")
        self.sides = list(rules.section("parties"))
        self._fewer: int = row["reply"]
        levels = [name for name in self.rows if self.is_level(name)]
        self.implied: list[dict[str, list[str]]] = []
        for side in self.sides:
            own = [name for name, each in self.rows.items() if each["side"] == side]
            implied = {name: [name] for name in own}
            for index, level in enumerate(levels):
                implied[level] = [*own, *levels[: index + 1]]
            self.implied.append(implied)

    def is_level(self, name: str) -> bool:
        """Whether the call is a level, not an announcement that a side wins."""
        return not self.rows[name]["side"]

    def called(self, rnd: Joint, state: State, side: int) -> Sequence[str]:
        """What a side has called, implied calls and those that its contract brings included."""
        has = state.has[side]
        raised = rnd.shared.raised if side == DECLARING else ()
        if not raised:
            return has
        found = [name for word in raised for name in self.implied[side].get(word, ())]
        return list(dict.fromkeys((*found, *has)))

    # --- until when

    def least(self, rnd: Joint, name: str) -> int:
        """The fewest cards in hand with which a call is in time, in this deal."""
        later = max(0, rnd.require_parties().found - 1)
        return int(self.rows[name]["cards"]) - later

    def too_late(self, rnd: Joint, state: State, seat: int, side: int, call: str) -> str:
        """Which of what a call says or implies is too late for that seat ("": none)."""
        held, has = rnd.hands.size(seat), self.called(rnd, state, side)
        for name in self.implied[side].get(call, ()):
            if name in has or held >= self.least(rnd, name):
                continue
            announces = name == call and not self.is_level(name)
            if not (announces and self._in_time_as_reply(rnd, state, side, held)):
                return name
        return ""

    def _in_time_as_reply(self, rnd: Joint, state: State, side: int, held: int) -> bool:
        """Whether an announcement with so many cards is in time as a reply to the other side."""
        if not self._fewer:
            return False
        needed = [self.least(rnd, n) - self._fewer for n in self.called(rnd, state, 1 - side)]
        return bool(needed) and held >= min(needed)

    # --- for which side

    def side_of(self, rnd: Joint, state: State, seat: int, call: Call) -> int | None:
        """The side that a seat's call is for. None: neither could make it. Raises Unreadable when
        both could and the call does not say which."""
        side = call.side or self.rows[call.name]["side"]
        if side:
            return self.sides.index(side)
        known = rnd.require_parties().of(seat)
        if known is None:
            known = state.side_called.get(seat)
        if known is not None:
            return known
        may = self._may_call(rnd, state, seat, call.name)
        if len(may) == 2:
            name, say = rnd.rules.spoken(call.name), rnd.rules.spoken
            spoken = [f"{rnd.names[seat]}: {say(side)} {name}" for side in self.sides]
            raise Unreadable(
                tr("whose {name}? either side may still call it", name=name),
                tr("type “{one}” or “{other}”", one=spoken[0], other=spoken[1]),
            )
        return may[0] if may else None

    def _may_call(self, rnd: Joint, state: State, seat: int, name: str) -> list[int]:
        """The sides that may still make that call, if the seat is one of theirs."""
        return [
            side
            for side in SIDES
            if not state.replied[side] and not self.too_late(rnd, state, seat, side, name)
        ]

    def is_heard(self, rnd: Joint, state: State, seat: int, side: int, call: Call) -> bool:
        """Whether everyone hears that a seat's call is for that side: it says so, or only that one
        may make it, or the seat is publicly on it."""
        if call.side or self.rows[call.name]["side"]:
            return True
        known = rnd.public_sides().get(seat)
        if known is not None:
            return known == side
        return self._may_call(rnd, state, seat, call.name) == [side]

    # --- a call is made

    def make(self, rnd: Joint, state: State, seat: int, side: int, call: str) -> None:
        """A side has made a call, by that seat; one that it has made already changes nothing."""
        has = self.called(rnd, state, side)
        if call in has:
            return
        held = rnd.hands.size(seat)
        if not self.is_level(call) and held < self.least(rnd, call):
            state.replied[side] = self._in_time_as_reply(rnd, state, side, held)
        fresh = [name for name in self.implied[side].get(call, [call]) if name not in has]
        state.has[side] = (*state.has[side], *fresh)
