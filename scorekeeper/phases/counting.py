"""What the tricks are worth: points and tricks by side, special points, who has won.

It reads the tricks that stand in the round, or takes a deal by its result alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core import limits
from scorekeeper.core.english import listed, number_of, times
from scorekeeper.core.failures import Impossible, Unreadable
from scorekeeper.core.parties import DECLARING, OTHERS
from scorekeeper.core.pieces import sums
from scorekeeper.notation.syntax import whole
from scorekeeper.ruleset.orders import TRUMP, kinds_of
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.phase import SIDE, TRICK, Measure, Phase, Split
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.plain import Json, Row
    from scorekeeper.core.tricks import Trick
    from scorekeeper.ruleset.joint import Joint

    Said = dict[int, int]

SIDES = (DECLARING, OTHERS)
ROLES = ("winners", "losers")
POINTS, TRICKS = "points", "tricks"
HOW = ("trick", "caught", "winning")


class State:
    """Totals once the round is over or was entered by its result: `points` and `tricks` by side,
    `specials` by name and side, and where they were `found`: name, side, trick, and whose cards
    they were; `won` the side that has won (None: nobody)."""

    __slots__ = ("found", "points", "specials", "tricks", "won")

    def __init__(self) -> None:
        self.points: list[int] | None = None
        self.tricks: list[int] | None = None
        self.specials: dict[tuple[str, int], int] = {}
        self.found: list[tuple[str, int, Trick, list[int]]] = []
        self.won: int | None = None


def _state(rnd: Joint) -> State:
    state = rnd.state(rnd.rules.phase(Counting))
    return state


def totals(rnd: Joint, what: str) -> list[int]:
    """Points or tricks of the two sides so far, of what is proven of the sides."""
    state = _state(rnd)
    known = state.points if what == POINTS else state.tricks
    if known is not None:
        return known
    found = [0, 0]
    for trick in rnd.tricks:
        side = rnd.parties.of(trick.winner) if rnd.parties is not None else None
        if side is not None:
            found[side] += trick.points if what == POINTS else trick.count
    return found


def _of(side: int, what: str) -> Callable[[Joint, Any], int]:
    return lambda rnd, _: totals(rnd, what)[side]


def _own(what: str, other: bool) -> Callable[[Joint, Any], int]:
    """A measure about a side: its own number, or the other side's."""
    return lambda rnd, side: totals(rnd, what)[1 - side if other else side]


def _role(role: str, what: str) -> Callable[[Joint, Any], int]:
    def read(rnd: Joint, _: Any) -> int:
        seats = rnd.roles[role][1] if role in rnd.roles else ()
        state = _state(rnd)
        if rnd.parties is not None and state.won is not None:
            return totals(rnd, what)[state.won if role == "winners" else 1 - state.won]
        return sum(
            trick.points if what == POINTS else trick.count
            for trick in rnd.tricks
            if trick.winner in seats
        )

    return read


def _special(side: int, name: str) -> Callable[[Joint, Any], int]:
    return lambda rnd, _: _state(rnd).specials.get((name, side), 0)


def _won(side: int) -> Callable[[Joint, Any], bool]:
    return lambda rnd, _: _state(rnd).won == side


@phase
class Counting(Phase[State]):
    """Who has won, by how much, and what was special."""

    name = "counting"
    doc = (
        "Beside play, after `parties`: adds up tricks and their points by side, finds special"
        " points (`[specials]`), and says who has won (`[victory]`, the first row that holds; or"
        " `most`). Takes results."
    )
    beside = True
    others = ("tricks",)
    parameters = {
        "most": Parameter(
            "choice", "the side with most of it wins, without [victory]", "", ("", POINTS, TRICKS)
        )
    }
    sections = {
        "specials": {
            "how": Parameter(
                "choice",
                "`trick`: won such a trick; `caught`: won the other side's card; `winning`: won"
                " with the card",
                choices=HOW,
            ),
            "card": Parameter("text", "the card that it is about", ""),
            "when": Parameter("condition", "the tricks that it speaks of (trick.…)", "true"),
            "trump": Parameter("bool", "only where the card is a trump", False),
            "counts": Parameter("condition", "whether it counts in this deal", "true"),
            "least": Parameter(
                "int",
                "the fewest card points in a trick that has it",
                0,
                bounds=(0, limits.NUMBERS[1]),
            ),
            "most": Parameter("int", "how often a deal can have it", 1, bounds=(0, limits.CARDS)),
        },
        "victory": {
            "side": Parameter(
                "name", "the side that wins then (without it: nobody)", "", rows="parties"
            ),
            "when": Parameter("condition", "the row holds then", "true"),
            "cite": Parameter("text", "the paragraph of the rule text"),
        },
    }
    roles = ROLES
    reports = {
        "points": "card points of the sides, the declaring one first",
        "specials": "special points, by side",
        "side.points": "a side's card points",
    }

    def named_measures(self) -> Iterator[Measure]:
        sides = list(self.rules.section("parties"))[:2]
        for side, name in enumerate(sides):
            yield Measure(f"{name}.points", "the side's card points", _of(side, POINTS))
            yield Measure(f"{name}.tricks", "the side's tricks", _of(side, TRICKS))
            yield Measure(f"{name}.won", "whether the side has won", _won(side))
            for special in self.rules.section("specials"):
                yield Measure(f"{name}.{special}", f"how many {special}", _special(side, special))
        for what in (POINTS, TRICKS):
            yield Measure(f"own.{what}", f"the side's {what}", _own(what, False), SIDE)
            yield Measure(f"other.{what}", f"the other side's {what}", _own(what, True), SIDE)
            for role in ROLES:
                yield Measure(f"{role}.{what}", f"the {role}' {what}", _role(role, what))
        yield Measure("nobody", "whether nobody has won", lambda rnd, _: _state(rnd).won is None)

    def words(self) -> Iterable[tuple[str, str]]:
        return [(name, name) for name in self.rules.section("specials")]

    def link(self) -> None:
        rules = self.rules
        self.specials = rules.section("specials")
        self.conditions: dict[str, tuple[Expression, Expression]] = {}
        self.kinds: dict[str, frozenset[int]] = {}
        for name, row in self.specials.items():
            path = f"specials.{name}"
            self.conditions[name] = (
                rules.expression(row["when"], f"{path}.when", (TRICK,)),
                rules.expression(row["counts"], f"{path}.counts"),
            )
            try:
                self.kinds[name] = frozenset(
                    kinds_of(rules.pack, row["card"]) if row["card"] else ()
                )
            except ValueError as error:
                rules.fault(f"{path}.card", row["card"], "a card of the pack", str(error))
        self.names = list(rules.section("parties"))
        self.victory = [
            (row["side"], rules.expression(row["when"], f"victory.{name}.when"))
            for name, row in rules.section("victory").items()
        ]

    def splits(self, split: Split, seats: int) -> Iterator[Split]:
        yield split.also("nobody wins", {}, self._decided(None))
        if not self.names:
            half = seats // (self.rules.sides["number"] or seats)
            sides = (tuple(range(half)), tuple(range(half, seats)))
            yield split.also("", {r: (r, s) for r, s in zip(ROLES, sides, strict=True)})
            return
        for won, name in enumerate(self.names[:2]):
            both = [split.roles[self.names[side]] for side in (won, 1 - won)]
            roles = dict(zip(ROLES, both, strict=True))
            yield split.also(f"{name} wins", roles, self._decided(won))

    def _decided(self, won: int | None) -> dict[str, bool]:
        """The measures that say who has won."""
        sides = {f"{name}.won": side == won for side, name in enumerate(self.names)}
        return {**sides, "nobody": won is None}

    # --- the end of a round

    def begin(self, rnd: Joint) -> State:
        return State()

    def close(self, rnd: Joint) -> None:
        if rnd.void:
            return
        if rnd.positioned and rnd.result is None:
            rnd.scored = False
        if rnd.parties is None:
            self._close_fixed(rnd)
        elif rnd.parties.complete:
            self._close_parties(rnd)

    def _close_fixed(self, rnd: Joint) -> None:
        """Sides by the seating: who has most has won."""
        if not self.row["most"]:
            return
        sides = list(dict.fromkeys(rnd.side(seat) for seat in rnd.seats))
        values = [
            sum(
                trick.points if self.row["most"] == POINTS else trick.count
                for trick in rnd.tricks
                if trick.winner in seats
            )
            for seats in sides
        ]
        best = max(values)
        if values.count(best) > 1:
            return
        winners = sides[values.index(best)]
        losers = tuple(seat for seat in rnd.seats if seat not in winners)
        rnd.roles["winners"] = ("+".join(rnd.names_of(winners)), winners)
        rnd.roles["losers"] = ("+".join(rnd.names_of(losers)), losers)

    def _close_parties(self, rnd: Joint) -> None:
        state, parties = _state(rnd), rnd.parties
        assert parties is not None
        if state.points is None:
            points, tricks = totals(rnd, POINTS), totals(rnd, TRICKS)
            state.points, state.tricks = points, tricks
            self._find_specials(rnd, state)
        for side, when in self.victory:
            if rnd.evaluate(when):
                state.won = self.names.index(side) if side else None
                break
        if state.won is not None:
            for role, side in zip(ROLES, (state.won, 1 - state.won), strict=True):
                rnd.roles[role] = (parties.names[side], parties.members(side))

    def _counts(self, rnd: Joint, name: str) -> bool:
        """Whether this deal can have that special point at all."""
        row = self.specials[name]
        if not rnd.evaluate(self.conditions[name][1]):
            return False
        if not row["trump"]:
            return True
        order = rnd.order_in_force()
        return order is not None and all(order.classes[k] == TRUMP for k in self.kinds[name])

    def _find_specials(self, rnd: Joint, state: State) -> None:
        parties = rnd.parties
        assert parties is not None
        for name, row in self.specials.items():
            if not self._counts(rnd, name):
                continue
            when, find = self.conditions[name][0], getattr(self, f"_{row['how']}")
            least, kinds, by_card = row["least"], self.kinds[name], row["how"] == "winning"
            tricks = rnd.tricks
            if row["how"] == "caught":
                lacks = kinds.isdisjoint
                tricks = [t for t in tricks if not all(lacks(laid) for _, laid in t.laid)]
            for trick in tricks:
                if trick.points < least or not trick.laid:
                    continue
                if by_card and trick.with_kind not in kinds:
                    continue
                side = parties.of(trick.winner)
                whose = find(rnd, name, trick, side)
                if whose and side is not None and rnd.evaluate(when, trick):
                    state.specials[name, side] = state.specials.get((name, side), 0) + len(whose)
                    state.found.append((name, side, trick, whose))

    def _trick(self, rnd: Joint, name: str, trick: Trick, side: int) -> list[int]:
        return [trick.winner]

    def _winning(self, rnd: Joint, name: str, trick: Trick, side: int) -> list[int]:
        return [trick.winner]

    def _caught(self, rnd: Joint, name: str, trick: Trick, side: int) -> list[int]:
        kinds, parties = self.kinds[name], rnd.parties
        assert parties is not None
        return [
            seat
            for seat, laid in trick.laid
            for kind in laid
            if kind in kinds and parties.of(seat) != side
        ]

    # --- results

    def conclude(self, rnd: Joint, said: dict[str, str]) -> None:
        if rnd.parties is None:
            super().conclude(rnd, said)
        rnd.read_result(said, self)
        if rnd.void:
            self._nothing_else(said)
            return
        state = _state(rnd)
        points = self._said_points(rnd, said)
        tricks, most = self._said_tricks(rnd, points, said)
        state.points, state.tricks = points, tricks
        self._said_specials(rnd, state, most, said)
        self._nothing_else(said)

    def _nothing_else(self, said: dict[str, str]) -> None:
        if said:
            keys = ", ".join(said)
            raise Unreadable(f"a result has no {keys} here", "result takes key=value words")

    def _said_points(self, rnd: Joint, said: dict[str, str]) -> list[int]:
        text = said.pop(POINTS, None)
        total = sum(self.rules.card_points()) * self.rules.pack.copies
        name = self.names[DECLARING]
        if text is None:
            raise Unreadable(f"the result must give {name}'s card points", "points=NUMBER")
        points = whole(text, 0, 9999)
        if points > total:
            raise Impossible(f"{number_of(points, 'card point')}: there are {total} in all")
        so_far, out = totals(rnd, POINTS), self._out(rnd)
        both = [points, total - points]
        for side in SIDES:
            if both[side] < so_far[side]:
                has = f"{self.names[side]} has {so_far[side]} by what was recorded"
                raise Impossible(f"{has}, not {both[side]}")
        if not sums(out) >> (points - so_far[DECLARING]) & 1:
            more = f" beyond the {so_far[DECLARING]} so far" if rnd.tricks else ""
            raise Impossible(f"no cards{more} come to {number_of(points, 'card point')}")
        return both

    def _out(self, rnd: Joint) -> list[int]:
        """The points of the cards that may still be won, the least first."""
        return sorted(rnd.still_out() or ())

    def _said_tricks(
        self, rnd: Joint, points: list[int], said: dict[str, str]
    ) -> tuple[list[int], list[int]]:
        """The tricks of each side, and the most that it can have had."""
        played = self.rules.deal_size(len(rnd.seats))
        given: Said = {}
        for side, text in self._by_side(said.pop(TRICKS, ""), TRICKS):
            given[side] = whole(text, 0, played)
        if len(given) == 2 and sum(given.values()) != played:
            total = number_of(sum(given.values()), "trick")
            raise Impossible(f"{total}: there are {played} in all")
        if len(given) == 1:
            ((side, number),) = given.items()
            given[1 - side] = played - number
        for side, number in given.items():
            self._fits(rnd, side, points[side], number)
        if given:
            return [given[side] for side in SIDES], [given[side] for side in SIDES]
        most = self._most_tricks(rnd, points, played)
        given = self._taken(rnd, points, played)
        return [given[side] for side in SIDES], most

    def _least_tricks(self, rnd: Joint, side: int) -> int:
        """The fewest tricks of a side, by what was recorded and by how the sides were found."""
        assert rnd.parties is not None
        return max(totals(rnd, TRICKS)[side], rnd.parties.tricks(side))

    def _bounds(self, rnd: Joint, side: int, tricks: int) -> tuple[int, int]:
        """The least and the most card points that a side can have with so many tricks."""
        out, has = self._out(rnd), totals(rnd, POINTS)[side]
        cards = (tricks - totals(rnd, TRICKS)[side]) * len(rnd.seats)
        return has + sum(out[:cards]), has + sum(out[len(out) - cards :])

    def _most_tricks(self, rnd: Joint, points: list[int], played: int) -> list[int]:
        """The most tricks that each side can have with these points; raises Impossible if the
        tricks cannot be shared so."""
        least = [self._least_tricks(rnd, side) for side in SIDES]
        shares = [
            (tricks, played - tricks)
            for tricks in range(least[DECLARING], played - least[OTHERS] + 1)
            if all(
                low <= points[side] <= high
                for side, number in zip(SIDES, (tricks, played - tricks), strict=True)
                for low, high in (self._bounds(rnd, side, number),)
            )
        ]
        if not shares:
            name, left = self.names[DECLARING], played - sum(totals(rnd, TRICKS))
            has = f", at least {least[DECLARING]} of them {name}'s" if least[DECLARING] else ""
            raise Impossible(
                f"{name} cannot have {points[DECLARING]} card points: no share of the {played} "
                f"tricks{has}, {left} of them open, comes to that"
            )
        return [max(share[side] for share in shares) for side in SIDES]

    def _taken(self, rnd: Joint, points: list[int], played: int) -> Said:
        """The tricks when nothing was said: a side without card points has won none."""
        least = {side: self._least_tricks(rnd, side) for side in SIDES}
        for side in SIDES:
            if not points[side] and not least[side]:
                name = self.names[side]
                say = (
                    "{side} has no card points: taken to have won no trick (else: tricks={side}:1)"
                )
                rnd.remark("counting.tricks", say, {"side": name}, self.cite)
                return {side: 0, 1 - side: played}
        return {side: max(1, least[side]) for side in SIDES}

    def _fits(self, rnd: Joint, side: int, points: int, tricks: int) -> None:
        name, least = self.names[side], self._least_tricks(rnd, side)
        if tricks < least:
            raise Impossible(f"{name} has won at least {number_of(least, 'trick')}, not {tricks}")
        low, high = self._bounds(rnd, side, tricks)
        if not low <= points <= high:
            won = number_of(tricks, "trick")
            raise Impossible(
                f"{name} cannot have {number_of(points, 'card point')} in {won}",
                f"{number_of(tricks, 'trick has', 'tricks have')} from {low} to {high}",
            )

    def _by_side(self, text: str, key: str) -> Iterator[tuple[int, str]]:
        meant = self.rules.lexicon.meanings
        for part in text.split("+") if text else ():
            who, _, what = part.partition(":")
            side = meant.get(who.strip().casefold(), "")
            if side not in self.names or not what:
                form = f"{key}={self.names[OTHERS]}:…"
                raise Unreadable(f"{key}={part} names no side", f"the form is {form}")
            yield self.names.index(side), what.strip()

    def _said_specials(
        self, rnd: Joint, state: State, most: list[int], said: dict[str, str]
    ) -> None:
        meant = self.rules.lexicon.meanings
        for side, text in self._by_side(said.pop("specials", ""), "specials"):
            name = meant.get(" ".join(text.split()).casefold(), "")
            if name not in self.specials:
                allowed = ", ".join(self.specials)
                raise Unreadable(f"“{text}” is no special point", f"these are {allowed}")
            state.specials[name, side] = state.specials.get((name, side), 0) + 1
        found = State()
        self._find_specials(rnd, found)
        for (name, side), count in found.specials.items():
            if state.specials.get((name, side), 0) < count:
                has = f"{self.names[side]} has {name} {times(count)}"
                raise Impossible(f"{has} by what was recorded")
        for (name, side), count in state.specials.items():
            self._can_have(rnd, state, name, side, count)
            if self.specials[name]["how"] == "trick" and count > most[side]:
                raise Impossible(
                    f"{name} {times(count)} takes {number_of(count, 'trick')}, and "
                    f"{self.names[side]} can have had only {most[side] or 'none'}"
                )
            self._can_come(rnd, state, name, count - found.specials.get((name, side), 0))

    def _can_have(self, rnd: Joint, state: State, name: str, side: int, count: int) -> None:
        row, who = self.specials[name], self.names[side]
        assert state.points is not None
        assert state.tricks is not None
        if not self._counts(rnd, name):
            contract = rnd.shared.contract or "this deal"
            raise Impossible(f"{contract} knows no {name}")
        both = count + state.specials.get((name, 1 - side), 0)
        if both > row["most"]:
            raise Impossible(f"{name} {times(both)}: a deal has it at most {times(row['most'])}")
        if not state.tricks[side]:
            raise Impossible(f"{who} has won no trick, so no {name}")
        least = self._worth(rnd, row, count)
        if state.points[side] < least:
            raise Impossible(
                f"{who} has {number_of(state.points[side], 'card point')}, too few for {name} "
                f"{times(count)} (at least {least})"
            )

    def _worth(self, rnd: Joint, row: Row, count: int) -> int:
        """The fewest card points of so many special points: `least` for each; tricks so rich that
        every card in them is worth something take these from the pack."""
        least, seats = int(row["least"]), len(rnd.seats)
        if row["how"] != "trick":
            return count * least
        worth: list[int] = sorted([*self.rules.card_points()] * self.rules.pack.copies)
        floor = least - (seats - 1) * worth[-1]
        return max(count * least, sum([each for each in worth if each >= floor][: count * seats]))

    def _can_come(self, rnd: Joint, state: State, name: str, more: int) -> None:
        """Raises Impossible for special points beyond those of the tricks that were recorded,
        when what makes them has been played."""
        kinds = self.kinds[name]
        laid = [kind for trick in rnd.tricks for _, cards in trick.laid for kind in cards]
        left = len(kinds) * self.rules.pack.copies - sum(kind in kinds for kind in laid)
        if kinds and more > left:
            come = f"can come {times(left)} more" if left else "cannot come again"
            raise Impossible(f"{name} {times(more)} beyond what was recorded, and it {come}")

    def fields(self, rnd: Joint) -> list[tuple[str, str, list[str]]]:
        if rnd.parties is None:
            return []
        specials = [f"{side}:{name}" for side in self.names for name in self.specials]
        return [
            *rnd.result_fields(self),
            (POINTS, f"card points of {self.names[DECLARING]}", []),
            ("specials", "special points, joined by + (empty: none)", specials),
            (TRICKS, "tricks of a side without card points (empty: none)", []),
        ]

    # --- what is told

    def score_sentences(self, rnd: Joint) -> Iterator[str]:
        """The card points of the sides, and each special point: its trick and who won it."""
        state = rnd.state_if_begun(self)
        if rnd.parties is None or rnd.void or state is None or state.points is None:
            return
        assert state.tricks is not None
        scored = []
        for side, name in enumerate(self.names):
            tricks = f" in {number_of(state.tricks[side], 'trick')}" if rnd.result is None else ""
            scored.append(f"{name} has {number_of(state.points[side], 'card point')}{tricks}")
        yield ", ".join(scored)
        say = rnd.rules.lexicon.forms
        for name, side, trick, whose in state.found:
            winner, cards = rnd.names[trick.winner], rnd.rules.pack.codes([trick.with_kind])
            others = [seat for seat in whose if seat != trick.winner]
            of = f", caught from {listed(rnd.names_of(others))}" if others else ""
            what = f"{self.names[side]} has {say.get(name, name)}"
            yield f"{what}: {winner} won trick {trick.number} with {cards}{of}"
        for (name, side), count in state.specials.items():
            more = count - sum(len(whose) for *of, _, whose in state.found if of == [name, side])
            if more:
                yield f"{self.names[side]} has {say.get(name, name)}, as the result says"

    def summary(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        if rnd.parties is None or state is None or not rnd.over or state.points is None:
            return {}
        say = rnd.rules.lexicon.forms
        specials = [
            f"{self.names[side]}: {say.get(name, name)}" + (f" x{count}" if count > 1 else "")
            for (name, side), count in state.specials.items()
        ]
        return {
            "points": ":".join(map(str, state.points)),
            "specials": specials or None,
            "side.points": dict(zip(self.names, state.points, strict=True)),
        }
