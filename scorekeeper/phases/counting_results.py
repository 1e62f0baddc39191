"""The keys of the result by which a whole deal is entered.

The values are checked against each other and against the record.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Protocol

from scorekeeper.core.cards import can_add_up, plain_points
from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import format_points, format_times, join_list, plural, tr
from scorekeeper.core.sides import DECLARING, OTHERS
from scorekeeper.engine.rows import EACH
from scorekeeper.engine.rows import SIDES as EACH_SIDE
from scorekeeper.notation.syntax import (
    find_seat,
    parse_by_player,
    parse_points,
    parse_whole,
)
from scorekeeper.phases.counting_points import (
    POINTS,
    TRICKS,
    SideTotals,
    State,
    find_in_tricks,
    kitty_and_heirs,
    possible_numbers,
    still_out,
    won_by,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.engine.phase import Phase
    from scorekeeper.engine.round import Round
    from scorekeeper.phases.counting_points import Pair, Points, Special

    # maps the keys of a result to their values; a key is removed once it has been read
    Words = dict[str, str]

SIDES = (DECLARING, OTHERS)
SPECIALS, SIDE = "specials", "side"
ALL = "all"  # the word for all tricks in a result
MAX_POINTS = 9999


class TwoSides(Protocol):
    """The sides of a deal, the declaring one first."""

    def side_of(self, seat: int) -> int | None:
        """Return the side of a seat, or None if it is not known."""

    def min_tricks(self, side: int) -> int:
        """Return the minimum number of tricks that a side has won."""


class SeatedSides:
    """The sides of a deal in which the seating determines them. `declaring` are the seats of the
    declarer's side."""

    __slots__ = ("declaring",)

    def __init__(self, declaring: Sequence[int]) -> None:
        self.declaring = declaring

    def side_of(self, seat: int) -> int:
        return DECLARING if seat in self.declaring else OTHERS

    def min_tricks(self, side: int) -> int:
        return 0


class ResultReader:
    """A reader of points, tricks and special points in a result.

    Its methods raise Unreadable for invalid words, and Impossible for an outcome that is
    incompatible with the record. The reader reads the result of the round `rnd` for a `phase` with
    these `parties`. `sides` are the names of the sides, and `so_far` is what they have won in the
    recorded play. `min_tricks` is the minimum number of tricks for each side, and `trick_count` is
    the number of tricks in a deal. `still_out` are the points of the cards not yet won, in
    ascending order. If the stated card points already include special points, `included` maps these
    special points to their sides. `extra_cards` is the minimum and maximum number of cards that
    each side receives outside its tricks. `worth` are the card points of each kind.
    """

    __slots__ = (
        *(
            "extra_cards",
            "included",
            "min_tricks",
            "parties",
            "phase",
            "trick_count",
            "rnd",
            "sides",
        ),
        *("so_far", "still_out", "worth"),
    )

    def __init__(
        self,
        phase: Phase[State],
        rnd: Round,
        parties: TwoSides,
        sides: list[str],
        so_far: SideTotals,
    ) -> None:
        self.phase = phase
        self.rnd = rnd
        self.parties = parties
        self.sides = sides
        self.so_far = so_far
        self.included: dict[str, int] = {}
        self.min_tricks = [max(so_far.tricks[side], parties.min_tricks(side)) for side in SIDES]
        self.trick_count = rnd.deal_size
        self.still_out = sorted(still_out(rnd))
        self.extra_cards = [self._count_extra_cards(side) for side in SIDES]
        play = rnd.rules.card_play
        points = () if play is None else play.order_in_force(rnd).points
        self.worth: Sequence[float] = points or phase.rules.card_points()

    def _count_extra_cards(self, side: int) -> Pair:
        """Return the minimum and maximum number of cards that a side receives outside tricks."""
        count, seats = kitty_and_heirs(self.rnd)
        own = [self.parties.side_of(seat) == side for seat in seats]
        return (count if own and all(own) else 0, count if any(own) else 0)

    # --- points

    def read_points(self, words: Words) -> Points:
        """Read the card points of both sides."""
        text = self._side_text(words)
        total = plain_points(sum(self.worth)) * self.phase.rules.pack.copies
        name, has = self.sides[DECLARING], self.so_far.points
        if not total and text is None:
            return 0, 0
        specials = self.phase.rules.section("specials").items()
        includes = {special: row["included"] for special, row in specials if row["included"]}
        if self.rnd.sides is not None:
            includes.clear()
        most = total + sum(includes.values())
        if text is None and self.rnd.sides is None:
            text = str(most) if words.get(TRICKS) == f"{name}:{self.trick_count}" else None
        if text is None:
            raise Unreadable(
                tr("the result must state {name}'s card points", name=name), "points=NUMBER"
            )
        halves = self.phase.rules.has_halves
        points = (parse_points if halves else parse_whole)(text, 0, MAX_POINTS)
        if points > most:
            raise Impossible(
                tr(
                    "{points} are too many; there are {total} in all",
                    points=plural("{count} card point", "{count} card points", points),
                    total=format_points(most),
                )
            )
        if includes:
            points = self._without_included(points, includes, total)
        both = (points, plain_points(total - points))
        for side in SIDES:
            if both[side] < has[side]:
                raise Impossible(
                    tr(
                        "according to the entries, {side} has {recorded}, not {stated}",
                        side=self.sides[side],
                        recorded=format_points(has[side]),
                        stated=format_points(both[side]),
                    )
                )
        if not can_add_up(self.still_out, points - has[DECLARING]):
            worth = plural("{count} card point", "{count} card points", points)
            if self.rnd.tricks:
                message = tr(
                    "the remaining cards cannot raise the points from {recorded} to {points}"
                )
                raise Impossible(
                    message.format(recorded=format_points(has[DECLARING]), points=worth)
                )
            raise Impossible(tr("no set of cards adds up to {points}", points=worth))
        return both

    def _side_text(self, words: Words) -> str | None:
        """Remove the stated points from a result and return them. If the name of the declaring side
        precedes the points, leave it out."""
        text = words.pop(POINTS, None)
        who, colon, points = (text or "").rpartition(":")
        return points if colon and self._side_named(who) == self.sides[DECLARING] else text

    def _without_included(self, points: float, includes: Mapping[str, int], total: float) -> float:
        """Return the declaring side's points without the special points that they include.

        The special points are assigned to sides such that the remaining points can be the sum of
        some cards. If several assignments are possible, the declaring side gets the special points.
        Each side's total is the same in any case.
        """
        for sides in product(SIDES, repeat=len(includes)):
            own = sum(
                n for n, side in zip(includes.values(), sides, strict=True) if side == DECLARING
            )
            rest = points - own
            if 0 <= rest <= total and can_add_up(self.still_out, rest - self.so_far.points[0]):
                self.included = dict(zip(includes, sides, strict=True))
                for side in sides:
                    self.min_tricks[side] = max(1, self.min_tricks[side])
                return rest
        spoken = self.phase.rules.translate_word
        names = join_list([f"{spoken(name)} ({each})" for name, each in includes.items()])
        worth = plural("{count} card point", "{count} card points", points)
        raise Impossible(
            tr(
                "no set of cards, with or without {names}, adds up to {points}",
                points=worth,
                names=names,
            )
        )

    # --- tricks

    def read_tricks(self, words: Words, points: Points) -> tuple[Pair, Pair]:
        """Read the tricks of both sides. Return these numbers and the maximum number of tricks for
        each side."""
        tricks: dict[int, int] = {}
        for side, text in self._by_side(words, TRICKS):
            tricks[side] = (
                self.trick_count if text == ALL else parse_whole(text, 0, self.trick_count)
            )
        if not (tricks or any(self.worth)):
            name = self.sides[DECLARING]
            raise Unreadable(
                tr("the result must state how many tricks {name} has won", name=name),
                f"{TRICKS}={name}:NUMBER",
            )
        if len(tricks) == 2 and sum(tricks.values()) != self.trick_count:
            total = plural("{count} trick", "{count} tricks", sum(tricks.values()))
            raise Impossible(
                tr(
                    "the result states {total}, but there are {played} in all",
                    total=total,
                    played=self.trick_count,
                )
            )
        if len(tricks) == 1:
            ((side, number),) = tricks.items()
            tricks[1 - side] = self.trick_count - number
        for side, number in tricks.items():
            self._check_tricks(side, points[side], number)
        if tricks:
            both = (tricks[DECLARING], tricks[OTHERS])
            return both, both
        most = self._max_tricks(points)
        return self._assume_tricks(points), most

    def _check_tricks(self, side: int, points: float, tricks: int) -> None:
        check_least_tricks(self.sides[side], tricks, self.min_tricks[side])
        name = self.sides[side]
        low, high = self._points_in(side, tricks)
        if not low <= points <= high:
            won = plural("{count} trick", "{count} tricks", tricks)
            raise Impossible(
                tr(
                    "{name} cannot have {points} in {won}",
                    name=name,
                    points=plural("{count} card point", "{count} card points", points),
                    won=won,
                ),
                plural(
                    "{count} trick is worth {low} to {high} points",
                    "{count} tricks are worth {low} to {high} points",
                    tricks,
                    low=low,
                    high=high,
                ),
            )

    def _points_in(self, side: int, tricks: int) -> Points:
        """Return the minimum and maximum card points of a side that has won `tricks` tricks."""
        out, has = self.still_out, self.so_far.points[side]
        cards = (tricks - self.so_far.tricks[side]) * len(self.rnd.seats)
        least, most = (min(len(out), cards + more) for more in self.extra_cards[side])
        return has + sum(out[:least]), has + sum(out[len(out) - most :])

    def _max_tricks(self, points: Points) -> Pair:
        """Return the maximum number of tricks that each side can have with these points. Raises
        Impossible if no division of the tricks fits."""
        least, most = self.min_tricks[DECLARING], self.trick_count - self.min_tricks[OTHERS]
        shares = [
            (tricks, self.trick_count - tricks)
            for tricks in range(least, most + 1)
            if self._may_have(DECLARING, points[DECLARING], tricks)
            and self._may_have(OTHERS, points[OTHERS], self.trick_count - tricks)
        ]
        if not shares:
            name, left = self.sides[DECLARING], self.trick_count - sum(self.so_far.tricks)
            has = tr(" with at least {least} for {name}", least=least, name=name) if least else ""
            raise Impossible(
                tr(
                    "{name} cannot have {points} card points, because no division of the "
                    "{played} tricks{has} adds up to that ({left} of the tricks are not "
                    "recorded)",
                    name=name,
                    points=points[DECLARING],
                    played=self.trick_count,
                    has=has,
                    left=left,
                )
            )
        return max(share[DECLARING] for share in shares), max(share[OTHERS] for share in shares)

    def _may_have(self, side: int, points: float, tricks: int) -> bool:
        low, high = self._points_in(side, tricks)
        return low <= points <= high

    def _assume_tricks(self, points: Points) -> Pair:
        """Return the number of tricks of each side for a result that does not state it.

        A side without card points is assumed to have no tricks. Raises Unreadable if a side's
        points may come from cards outside the tricks, and the ruleset has no word for a side that
        has won every trick.
        """
        names_all_tricks = self.phase.rules.table("result")["every"]
        for side in SIDES:
            unclear = points[side] and not self.min_tricks[side] and not names_all_tricks
            if unclear and self._may_have(side, points[side], 0):
                name = self.sides[side]
                raise Unreadable(
                    tr(
                        "{points} may come from cards outside the tricks, so the result must "
                        "state how many tricks {name} has won",
                        points=plural("{count} card point", "{count} card points", points[side]),
                        name=name,
                    ),
                    tr("enter {form}, or another number", form=f"{TRICKS}={name}:0"),
                )
            if not points[side] and not self.min_tricks[side]:
                message = tr(
                    "{side} has no card points, so it is assumed to have won no trick; if it won "
                    "one, enter “tricks={side}:1”"
                )
                code, facts = f"{self.phase.name}.tricks", {"side": self.sides[side]}
                self.rnd.add_note(code, message, facts, self.phase.cite)
                return (0, self.trick_count) if side == DECLARING else (self.trick_count, 0)
        return max(1, self.min_tricks[DECLARING]), max(1, self.min_tricks[OTHERS])

    # --- special points

    def _check_recorded(self, state: State, known: Iterable[Special]) -> State:
        """Return the special points of the recorded tricks. Raise Impossible if one is missing from
        the result."""
        recorded = State()
        for special_point in find_in_tricks(self.rnd, self.phase, known, recorded):
            recorded.give(
                special_point.special,
                special_point.own,
                special_point.times,
                special_point.own.seats[:1],
            )
        for (name, side), count in recorded.specials.items():
            if state.count(name, side) < count:
                raise Impossible(
                    tr(
                        "according to the entries, {side} has {name} {times}",
                        side=self.sides[side],
                        name=name,
                        times=format_times(count),
                    )
                )
        return recorded

    def read_specials(
        self,
        words: Words,
        state: State,
        totals: SideTotals,
        most: Pair,
        known: Mapping[str, Special],
    ) -> None:
        """Read the special points from the result into the state. Each mention counts once. `most`
        is the maximum number of tricks of each side."""
        meanings = self.phase.rules.lexicon.meanings
        known = {
            name: special
            for name, special in known.items()
            if not special.is_in_result and name not in self.included
        }
        for name, side in self.included.items():
            state.add(name, side)
        if SPECIALS not in words:
            self._note_omitted(known.values())
        for side, text in self._by_side(words, SPECIALS):
            name = meanings.get(" ".join(text.split()).casefold(), "")
            if name not in known:
                raise Unreadable(
                    tr("“{text}” is not a special point", text=text),
                    tr("the special points are: {known}", known=", ".join(known)),
                )
            state.add(name, side)
        recorded = self._check_recorded(state, known.values())
        for (name, side), count in state.specials.items():
            if name in self.included:
                continue
            special = known[name]
            self._check_special(special, side, count, state.count(name, 1 - side), totals)
            if special.cards is None and needs_trick(special) and count > most[side]:
                raise Impossible(
                    tr(
                        "{name} {times} needs {tricks}, and {side} can have won only {most}",
                        name=name,
                        times=format_times(count),
                        tricks=plural("{count} trick", "{count} tricks", count),
                        side=self.sides[side],
                        most=most[side] or tr("none"),
                    )
                )
            self._check_cards(special, count - recorded.count(name, side))

    def _note_omitted(self, specials: Iterable[Special]) -> None:
        """Add a note about special points that a result does not mention, although a side may have
        them."""
        spoken = self.phase.rules.translate_word
        message = tr(
            "the result does not mention {names}, so none of that is counted; to count "
            "{name}, enter “specials={side}:{name}”"
        )
        omitted = [spoken(s.name) for s in specials if s.is_of_deal and s.is_possible(self.rnd)]
        if omitted:
            facts = {"names": omitted, "side": self.sides[DECLARING], "name": omitted[0]}
            self.rnd.add_note(f"{self.phase.name}.specials", message, facts, self.phase.cite)

    def _check_special(
        self, special: Special, side: int, count: int, others: int, totals: SideTotals
    ) -> None:
        """Raise Impossible if a side cannot have a special point `count` times. `others` is how
        often the other side has it."""
        name, who = special.name, self.sides[side]
        if not special.is_possible(self.rnd):
            contract = self.rnd.table.contract or tr("this deal")
            raise Impossible(tr("there is no {name} in {contract}", contract=contract, name=name))
        if count + others > special.most:
            both, most = format_times(count + others), format_times(special.most)
            raise Impossible(
                tr(
                    "{name} cannot be counted {both}, because it is possible at most {most} "
                    "in a deal",
                    name=name,
                    both=both,
                    most=most,
                )
            )
        if needs_trick(special) and not totals.tricks[side]:
            raise Impossible(
                tr("{who} has won no trick, so {who} cannot have {name}", who=who, name=name)
            )
        least, points = self._min_points(special, count), totals.points[side]
        if points < least:
            raise Impossible(
                tr(
                    "{who} has {points}, but {name} {times} needs at least {least}",
                    who=who,
                    points=plural("{count} card point", "{count} card points", points),
                    name=name,
                    times=format_times(count),
                    least=format_points(least),
                )
            )

    def _min_points(self, special: Special, count: int) -> float:
        """Return the minimum card points of a side that has a special point `count` times.

        The side needs at least `least` points each time. If a trick can reach `least` only when
        each of its cards is worth points, the pack must contain enough such cards.
        """
        least, seats = special.least, len(self.rnd.seats)
        if special.cards is not None:
            return count * least
        worth = sorted([*self.worth] * self.phase.rules.pack.copies)
        floor = least - (seats - 1) * worth[-1]
        richest = [each for each in worth if each >= floor][: count * seats]
        return plain_points(max(count * least, sum(richest)))

    def _check_cards(self, special: Special, more: int) -> None:
        """Raise Impossible if too few cards of a special point are left after the recorded
        tricks."""
        kinds = special.kinds(self.rnd)
        laid = [kind for trick in self.rnd.tricks for _, cards in trick.plays for kind in cards]
        left = len(kinds) * self.phase.rules.pack.copies - sum(kind in kinds for kind in laid)
        if kinds and more > left:
            if left:
                message = tr(
                    "the result states {name} {times} more than the entries show; at most {left} "
                    "more is possible",
                    name=special.name,
                    times=format_times(more),
                    left=format_times(left),
                )
            else:
                message = tr(
                    "the result states {name} {times} more than the entries show, but it is "
                    "no longer possible",
                    name=special.name,
                    times=format_times(more),
                )
            raise Impossible(message)

    def read_sums(self, words: Words, state: State, tricks: Pair) -> None:
        """Read each side's totals over several special points, and add them to the state."""
        row = self.phase.rules.table("result")
        specials = self.phase.rules.section("specials")
        for name, summed in row["sums"].items():
            names = _as_list(summed)
            most = sum(specials[each]["most"] for each in names)
            for side, text in self._by_side(words, name):
                number = parse_whole(text, 0, MAX_POINTS)
                self._check_sum(name, number, min(most, MAX_POINTS), row["steps"])
                if number and not tricks[side]:
                    who = self.sides[side]
                    message = tr("{who} has won no trick, so {who} cannot have {name}")
                    raise Impossible(message.format(who=who, name=name))
                state.add(names[0], side, number)

    def _check_sum(self, name: str, number: int, most: int, steps: Sequence[int]) -> None:
        """Raise Impossible if a number is too high, or is not a sum of `steps`."""
        possible = [each for each in range(most + 1) if not steps or is_sum(each, steps)]
        if number in possible:
            return
        below = max(each for each in possible if each < number)
        above = [each for each in possible if each > number][:1]
        raise Impossible(
            tr("{name} {number} is not possible", name=name, number=number),
            tr("the nearest are {numbers}", numbers=join_list(list(map(str, [below, *above])))),
        )

    def read_counted(self, words: Words, state: State, specials: Iterable[Special]) -> None:
        """Read the special points whose number a result states, and add them to the state."""
        for special in specials:
            text, name = words.pop(special.name, "") if special.is_in_result else "", special.name
            if not special.is_in_result or not (text or special.is_possible(self.rnd)):
                continue
            self._check_counted(special, text)
            state.add(name, self.sides.index(special.holder), parse_whole(text, 0, special.most))

    def _check_counted(self, special: Special, text: str) -> None:
        """Raise Unreadable if a result omits the number of a special point. Raise Impossible if the
        number is wrong."""
        name = special.name
        if not special.is_possible(self.rnd):
            contract = self.rnd.table.contract or tr("this deal")
            raise Impossible(tr("there is no {name} in {contract}", contract=contract, name=name))
        if not text:
            raise Unreadable(
                tr("the result must state the number of {name}", name=name), f"{name}=NUMBER"
            )
        count, most = parse_whole(text, 0, MAX_POINTS), special.most
        if special.cards is not None:
            most = min(most, len(special.kinds(self.rnd)) * self.phase.rules.pack.copies)
        if not special.fewest <= count <= most:
            raise Impossible(
                tr(
                    "{name}={count}: the number must be from {fewest} to {most}",
                    name=name,
                    count=count,
                    fewest=special.fewest,
                    most=most,
                )
            )
        numbers = possible_numbers(self.rnd, special)
        if not any(special.counts_same(self.rnd, count, each) for each in numbers or [count]):
            possible = join_list([str(number) for number in numbers or ()], "or")
            raise Impossible(
                tr(
                    "{name}={count}: according to the cards seen, it is {numbers}",
                    name=name,
                    count=count,
                    numbers=possible,
                )
            )

    # --- values

    def _by_side(self, words: Words, key: str) -> Iterator[tuple[int, str]]:
        """Yield the parts of a value, each with its side. The value has the form
        `SIDE:…+SIDE:…`."""
        text = words.pop(key, "")
        for part in text.split("+") if text else ():
            who, _, what = part.partition(":")
            side = self._side_named(who)
            if side not in self.sides or not what:
                form = f"{key}={self.sides[OTHERS]}:…"
                raise Unreadable(
                    tr("{key}={part} names no side", key=key, part=part),
                    tr("the form is {form}", form=form),
                )
            yield self.sides.index(side), what.strip()

    def _side_named(self, who: str) -> str:
        """Return the side that a text names, either by the side's own name or by the name of a
        player. Return "" if the side of the player is not known."""
        name = self.phase.rules.lexicon.meanings.get(who.strip().casefold(), "")
        if self.rnd.sides is not None and name in self.sides:
            return name
        if self.rnd.sides is not None and who.strip() not in self.rnd.names:
            return ""
        side = self.parties.side_of(find_seat(self.rnd.names, who.strip()))
        return "" if side is None else self.sides[side]


def is_sum(number: int, steps: Sequence[int]) -> bool:
    """Return whether a number is a sum of `steps`. Each of them may be used several times, or not
    at all."""
    reached = {0}
    for total in range(1, number + 1):
        if any(total - step in reached for step in steps):
            reached.add(total)
    return number in reached


def needs_trick(special: Special) -> bool:
    """Return whether only a side that has won a trick can have the special point."""
    return special.holder not in (EACH, EACH_SIDE)


def seated_fields(
    phase: Phase[State], rnd: Round, others: Iterable[tuple[str, str, list[str]]]
) -> list[tuple[str, str, list[str]]]:
    """Return the keys of a result where the seating determines the sides (see `ResultPart`).

    `others` are the keys that other phases read.
    """
    row, specials = phase.rules.table("result"), phase.rules.section("specials")
    fields = list(others)
    if EACH in row["form"]:
        what = tr("the tricks that each player won, as NAME:NUMBER joined by +")
        return [*fields, (TRICKS, what, [])]
    if SIDE in row["form"]:
        fields.append((POINTS, tr("card points of one side, as NAME:NUMBER"), []))
    elif POINTS in row["form"]:
        side = tr("the declarer's side")
        fields.append((POINTS, tr("card points of {side}", side=side), []))
    if TRICKS in row["form"]:
        fields.append((TRICKS, tr("the tricks of one side, as NAME:NUMBER"), []))
    summed = {each for names in row["sums"].values() for each in _as_list(names)}
    named = [
        f"{who}:{name}"
        for name, special in specials.items()
        if not special["included"] and name not in summed
        for who in rnd.names_of(rnd.seats)
    ]
    for name in row["sums"]:
        what = tr("{what}, as NAME:NUMBER joined by + (empty if there was none)")
        fields.append((name, what.format(what=phase.rules.translate_word(name)), []))
    if named:
        what = tr("special points, joined by + (empty if there were none)")
        fields.append((SPECIALS, what, named))
    return fields


def _as_list(names: str | list[str]) -> list[str]:
    return [names] if isinstance(names, str) else names


def find_declaring_seat(rnd: Round, words: Words) -> int:
    """Return the seat of the declarer, or of a player whose side the result names."""
    if rnd.table.declarer >= 0:
        return rnd.table.declarer
    for key in (POINTS, TRICKS):
        who, colon, _ = words.get(key, "").partition(":")
        if colon:
            return find_seat(rnd.names, who.strip())
    raise Unreadable(
        tr("the result must name the player whose side has these points"),
        f"{POINTS}={rnd.names[rnd.seats[0]]}:NUMBER",
    )


def check_least_tricks(name: str, tricks: int, least: int) -> None:
    """Raise Impossible if a player or a side has won more tricks than a result states."""
    if tricks < least:
        raise Impossible(
            plural(
                "{name} has won at least {count} trick, not {stated}",
                "{name} has won at least {count} tricks, not {stated}",
                least,
                name=name,
                stated=tricks,
            )
        )


def seated_totals(rnd: Round, sides: Sequence[Sequence[int]]) -> SideTotals:
    """Return the points and tricks that two sides with these seats have won so far."""
    points, tricks = ([won_by(rnd, seats, what) for seats in sides] for what in (POINTS, TRICKS))
    return SideTotals((points[0], points[1]), (int(tricks[0]), int(tricks[1])))


def read_player_tricks(rnd: Round, words: Words) -> tuple[list[int], tuple[int, ...]]:
    """Read the tricks of players who play alone. Players not named share the other tricks.

    Return the number for every seat, and the seats of the players not named. The first of these
    seats is credited with all the tricks that they share.
    """
    text, most = words.pop(TRICKS, "").replace(f":{ALL}", f":{rnd.deal_size}"), rnd.deal_size
    stated = parse_by_player(text, rnd.names, TRICKS, most)
    others = tuple(seat for seat in rnd.seats if seat not in stated)
    left = most - sum(stated.values())
    if left < 0 or (left and not others):
        raise Impossible(
            tr(
                "the result states {total}, but there are {played} in all",
                total=plural("{count} trick", "{count} tricks", most - left),
                played=most,
            )
        )
    if others:
        stated[others[0]] = left
    for seat, number in stated.items():
        together = others if others and seat == others[0] else (seat,)
        check_least_tricks(rnd.names[seat], number, int(won_by(rnd, together, TRICKS)))
    tricks = [stated.get(seat, 0) for seat in range(len(rnd.names))]
    return tricks, others if left and len(others) > 1 else ()


def read_each_tricks(rnd: Round, words: Words) -> list[int]:
    """Read the tricks of every seat. Raises Impossible if they do not add up to all tricks."""
    tricks = parse_by_player(words.pop(TRICKS, ""), rnd.names, TRICKS, rnd.deal_size)
    total = sum(tricks.values())
    if total != rnd.deal_size:
        raise Impossible(
            tr(
                "the result states {total}, but there are {played} in all",
                total=plural("{count} trick", "{count} tricks", total),
                played=rnd.deal_size,
            )
        )
    for seat in rnd.seats:
        least = int(won_by(rnd, (seat,), TRICKS))
        check_least_tricks(rnd.names[seat], tricks.get(seat, 0), least)
    return [tricks.get(seat, 0) for seat in range(len(rnd.names))]


def check_nothing_left(words: Words) -> None:
    """Raise Unreadable for keys that were not read."""
    if words:
        keys = ", ".join(words)
        raise Unreadable(
            tr("a result cannot contain {keys} here", keys=keys),
            tr("enter a result as words of the form key=value"),
        )
