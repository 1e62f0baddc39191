"""The words of a result that a deal is entered by, held against one another and against what was
recorded before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.cards import sums
from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import listed, plural, times, tr
from scorekeeper.core.sides import DECLARING, OTHERS
from scorekeeper.notation.syntax import whole
from scorekeeper.phases.counting_points import (
    POINTS,
    TRICKS,
    State,
    found_in,
    kitty_and_heirs,
    possible_numbers,
    still_out,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.sides import Sides
    from scorekeeper.engine.phase import Phase
    from scorekeeper.engine.round import Round
    from scorekeeper.phases.counting_points import Pair, Special, Totals

    Words = dict[str, str]  # of a result, by their keys; what has been read is taken out

SIDES = (DECLARING, OTHERS)
SPECIALS = "specials"
MOST_POINTS = 9999


class ResultReader:
    """Reads points, tricks and special points of a result. Raises Unreadable for words that are
    none, Impossible for what no deal can come to after what was recorded.

    It reads for a `phase`, of a round (`rnd`) and its `parties`. `sides` are the names of the
    sides, `so_far` what they have won by what was recorded, `least` the fewest tricks each has won
    (also by how the sides were found); `played` is how many tricks a deal has, `still_out` the
    points of the cards that may still be won, the least first; `beside` is how many cards each side
    gets beside those of its tricks, at least and at most; `worth` are the card points of each kind.
    """

    __slots__ = (
        *("beside", "least", "parties", "phase", "played", "rnd", "sides", "so_far"),
        *("still_out", "worth"),
    )

    def __init__(
        self, phase: Phase[State], rnd: Round, parties: Sides, sides: list[str], so_far: Totals
    ) -> None:
        self.phase = phase
        self.rnd = rnd
        self.parties = parties
        self.sides = sides
        self.so_far = so_far
        self.least = [max(so_far.tricks[side], parties.tricks(side)) for side in SIDES]
        self.played = phase.rules.deal_size(len(rnd.seats))
        self.still_out = sorted(still_out(rnd))
        self.beside = [self._beside(side) for side in SIDES]
        play = rnd.rules.card_play
        points = () if play is None else play.order_in_force(rnd).points
        self.worth: Sequence[int] = points or phase.rules.card_points()

    def _beside(self, side: int) -> Pair:
        """How many cards a side gets that nobody lays to a trick: at least, and at most."""
        count, seats = kitty_and_heirs(self.rnd)
        own = [self.parties.of(seat) == side for seat in seats]
        return (count if own and all(own) else 0, count if any(own) else 0)

    # --- points

    def points(self, words: Words) -> Pair:
        """The card points of both sides."""
        text = words.pop(POINTS, None)
        total = sum(self.worth) * self.phase.rules.pack.copies
        name, has = self.sides[DECLARING], self.so_far.points
        if text is None:
            raise Unreadable(
                tr("the result must give {name}'s card points", name=name), "points=NUMBER"
            )
        points = whole(text, 0, MOST_POINTS)
        if points > total:
            raise Impossible(
                tr(
                    "{points}: there are {total} in all",
                    points=plural("{count} card point", "{count} card points", points),
                    total=total,
                )
            )
        both = (points, total - points)
        for side in SIDES:
            if both[side] < has[side]:
                raise Impossible(
                    tr(
                        "{side} has {recorded} by what was recorded, not {told}",
                        side=self.sides[side],
                        recorded=has[side],
                        told=both[side],
                    )
                )
        if not sums(self.still_out) >> (points - has[DECLARING]) & 1:
            worth = plural("{count} card point", "{count} card points", points)
            if self.rnd.tricks:
                say = tr("no cards beyond the {recorded} so far come to {points}")
                raise Impossible(say.format(recorded=has[DECLARING], points=worth))
            raise Impossible(tr("no cards come to {points}", points=worth))
        return both

    # --- tricks

    def tricks(self, words: Words, points: Pair) -> tuple[Pair, Pair]:
        """The tricks of both sides, and the most that each can have had."""
        given: dict[int, int] = {}
        for side, text in self._by_side(words, TRICKS):
            given[side] = whole(text, 0, self.played)
        if len(given) == 2 and sum(given.values()) != self.played:
            total = plural("{count} trick", "{count} tricks", sum(given.values()))
            raise Impossible(
                tr("{total}: there are {played} in all", total=total, played=self.played)
            )
        if len(given) == 1:
            ((side, number),) = given.items()
            given[1 - side] = self.played - number
        for side, number in given.items():
            self._check_tricks(side, points[side], number)
        if given:
            both = (given[DECLARING], given[OTHERS])
            return both, both
        most = self._most_tricks(points)
        return self._tricks_taken(points), most

    def _check_tricks(self, side: int, points: int, tricks: int) -> None:
        name, least = self.sides[side], self.least[side]
        if tricks < least:
            raise Impossible(
                plural(
                    "{name} has won at least {count} trick, not {told}",
                    "{name} has won at least {count} tricks, not {told}",
                    least,
                    name=name,
                    told=tricks,
                )
            )
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
                    "{count} trick has from {low} to {high}",
                    "{count} tricks have from {low} to {high}",
                    tricks,
                    low=low,
                    high=high,
                ),
            )

    def _points_in(self, side: int, tricks: int) -> Pair:
        """The least and the most card points that a side can have with so many tricks."""
        out, has = self.still_out, self.so_far.points[side]
        cards = (tricks - self.so_far.tricks[side]) * len(self.rnd.seats)
        least, most = (min(len(out), cards + more) for more in self.beside[side])
        return has + sum(out[:least]), has + sum(out[len(out) - most :])

    def _most_tricks(self, points: Pair) -> Pair:
        """The most tricks that each side can have with these points; raises Impossible if the
        tricks cannot be shared so."""
        least, most = self.least[DECLARING], self.played - self.least[OTHERS]
        shares = [
            (tricks, self.played - tricks)
            for tricks in range(least, most + 1)
            if self._may_have(DECLARING, points[DECLARING], tricks)
            and self._may_have(OTHERS, points[OTHERS], self.played - tricks)
        ]
        if not shares:
            name, left = self.sides[DECLARING], self.played - sum(self.so_far.tricks)
            has = tr(", at least {least} of them {name}'s", least=least, name=name) if least else ""
            raise Impossible(
                tr(
                    "{name} cannot have {points} card points: no share of the "
                    "{played} tricks{has}, {left} of them open, comes to that",
                    name=name,
                    points=points[DECLARING],
                    played=self.played,
                    has=has,
                    left=left,
                )
            )
        return max(share[DECLARING] for share in shares), max(share[OTHERS] for share in shares)

    def _may_have(self, side: int, points: int, tricks: int) -> bool:
        low, high = self._points_in(side, tricks)
        return low <= points <= high

    def _tricks_taken(self, points: Pair) -> Pair:
        """The tricks when nothing was said: a side without card points has won none. Raises
        Unreadable where its points may be those of cards that nobody laid."""
        for side in SIDES:
            if points[side] and not self.least[side] and self._may_have(side, points[side], 0):
                name = self.sides[side]
                raise Unreadable(
                    tr(
                        "{points} may lie in no trick: the result must say how many {name} has won",
                        points=plural("{count} card point", "{count} card points", points[side]),
                        name=name,
                    ),
                    tr("{form}, or how many", form=f"{TRICKS}={name}:0"),
                )
            if not points[side] and not self.least[side]:
                say = tr(
                    "{side} has no card points: taken to have won no trick (else: tricks={side}:1)"
                )
                code, facts = f"{self.phase.name}.tricks", {"side": self.sides[side]}
                self.rnd.remark(code, say, facts, self.phase.cite)
                return (0, self.played) if side == DECLARING else (self.played, 0)
        return max(1, self.least[DECLARING]), max(1, self.least[OTHERS])

    # --- special points

    def specials(
        self, words: Words, state: State, totals: Totals, most: Pair, known: Mapping[str, Special]
    ) -> None:
        """Put the special points into the state, each time they are named; `most` are the most
        tricks of each side."""
        meanings = self.phase.rules.lexicon.meanings
        known = {name: special for name, special in known.items() if not special.told}
        if SPECIALS not in words:
            self._note_unsaid(known.values())
        for side, text in self._by_side(words, SPECIALS):
            name = meanings.get(" ".join(text.split()).casefold(), "")
            if name not in known:
                raise Unreadable(
                    tr("“{text}” is no special point", text=text),
                    tr("these are {known}", known=", ".join(known)),
                )
            state.add(name, side)
        recorded = State()
        for found in found_in(self.rnd, self.phase, known.values(), recorded):
            recorded.give(found.special, found.own, found.times, found.own.seats[:1])
        for (name, side), count in recorded.specials.items():
            if state.count(name, side) < count:
                raise Impossible(
                    tr(
                        "{side} has {name} {times} by what was recorded",
                        side=self.sides[side],
                        name=name,
                        times=times(count),
                    )
                )
        for (name, side), count in state.specials.items():
            special = known[name]
            self._check_special(special, side, count, state.count(name, 1 - side), totals)
            if special.cards is None and count > most[side]:
                raise Impossible(
                    tr(
                        "{name} {times} takes {tricks}, and {side} can have had only {most}",
                        name=name,
                        times=times(count),
                        tricks=plural("{count} trick", "{count} tricks", count),
                        side=self.sides[side],
                        most=most[side] or tr("none"),
                    )
                )
            self._check_cards(special, count - recorded.count(name, side))

    def _note_unsaid(self, specials: Iterable[Special]) -> None:
        """Say which special points a result without any leaves out, of those that somebody may
        well have."""
        spoken = self.phase.rules.spoken
        say = tr("nothing is said of {names}: none is counted (else: specials={side}:{name})")
        left = [spoken(s.name) for s in specials if s.of_the_deal and s.possible(self.rnd)]
        if left:
            facts = {"names": left, "side": self.sides[DECLARING], "name": left[0]}
            self.rnd.remark(f"{self.phase.name}.specials", say, facts, self.phase.cite)

    def _check_special(
        self, special: Special, side: int, count: int, others: int, totals: Totals
    ) -> None:
        """Raise Impossible where a side cannot have a special point so often; `others`: how often
        the other side has it."""
        name, who = special.name, self.sides[side]
        if not special.possible(self.rnd):
            contract = self.rnd.table.contract or tr("this deal")
            raise Impossible(tr("{contract} knows no {name}", contract=contract, name=name))
        if count + others > special.most:
            both, most = times(count + others), times(special.most)
            raise Impossible(
                tr("{name} {both}: a deal has it at most {most}", name=name, both=both, most=most)
            )
        if not totals.tricks[side]:
            raise Impossible(tr("{who} has won no trick, so no {name}", who=who, name=name))
        least, points = self._least_points(special, count), totals.points[side]
        if points < least:
            raise Impossible(
                tr(
                    "{who} has {points}, too few for {name} {times} (at least {least})",
                    who=who,
                    points=plural("{count} card point", "{count} card points", points),
                    name=name,
                    times=times(count),
                    least=least,
                )
            )

    def _least_points(self, special: Special, count: int) -> int:
        """The fewest card points of who has a special point so often: `least` for each time;
        tricks so rich that every card in them is worth something take these from the pack."""
        least, seats = special.least, len(self.rnd.seats)
        if special.cards is not None:
            return count * least
        worth = sorted([*self.worth] * self.phase.rules.pack.copies)
        floor = least - (seats - 1) * worth[-1]
        return max(count * least, sum([each for each in worth if each >= floor][: count * seats]))

    def _check_cards(self, special: Special, more: int) -> None:
        """Raise Impossible for special points beyond those of the tricks that were recorded, when
        the cards that make them have been played."""
        kinds = special.kinds(self.rnd)
        laid = [kind for trick in self.rnd.tricks for _, cards in trick.laid for kind in cards]
        left = len(kinds) * self.phase.rules.pack.copies - sum(kind in kinds for kind in laid)
        if kinds and more > left:
            if left:
                say = tr(
                    "{name} {times} beyond what was recorded, and it can come {left} more",
                    name=special.name,
                    times=times(more),
                    left=times(left),
                )
            else:
                say = tr(
                    "{name} {times} beyond what was recorded, and it cannot come again",
                    name=special.name,
                    times=times(more),
                )
            raise Impossible(say)

    def told(self, words: Words, state: State, specials: Iterable[Special]) -> None:
        """Put those into the state of which a result tells how often."""
        for special in specials:
            text, name = words.pop(special.name, "") if special.told else "", special.name
            if not special.told or not (text or special.possible(self.rnd)):
                continue
            self._check_told(special, text)
            state.add(name, self.sides.index(special.to), whole(text, 0, special.most))

    def _check_told(self, special: Special, text: str) -> None:
        """Raise Unreadable where a result does not tell of it, Impossible where it cannot be."""
        name = special.name
        if not special.possible(self.rnd):
            contract = self.rnd.table.contract or tr("this deal")
            raise Impossible(tr("{contract} knows no {name}", contract=contract, name=name))
        if not text:
            raise Unreadable(tr("the result must say how many {name}", name=name), f"{name}=NUMBER")
        count, most = whole(text, 0, MOST_POINTS), special.most
        if special.cards is not None:
            most = min(most, len(special.kinds(self.rnd)) * self.phase.rules.pack.copies)
        if not special.fewest <= count <= most:
            raise Impossible(
                tr(
                    "{name}={count}: from {fewest} to {most} are possible",
                    name=name,
                    count=count,
                    fewest=special.fewest,
                    most=most,
                )
            )
        numbers = possible_numbers(self.rnd, special)
        if not any(special.alike(self.rnd, count, each) for each in numbers or [count]):
            found = listed([str(number) for number in numbers or ()], "or")
            raise Impossible(
                tr(
                    "{name}={count}: by the cards that were seen it is {numbers}",
                    name=name,
                    count=count,
                    numbers=found,
                )
            )

    # --- words

    def _by_side(self, words: Words, key: str) -> Iterator[tuple[int, str]]:
        """The parts of a word, each for a side: `SIDE:…+SIDE:…`."""
        text, meanings = words.pop(key, ""), self.phase.rules.lexicon.meanings
        for part in text.split("+") if text else ():
            who, _, what = part.partition(":")
            side = meanings.get(who.strip().casefold(), "")
            if side not in self.sides or not what:
                form = f"{key}={self.sides[OTHERS]}:…"
                raise Unreadable(
                    tr("{key}={part} names no side", key=key, part=part),
                    tr("the form is {form}", form=form),
                )
            yield self.sides.index(side), what.strip()


def nothing_else(words: Words) -> None:
    """Raise Unreadable for words that nobody has read."""
    if words:
        keys = ", ".join(words)
        raise Unreadable(
            tr("a result has no {keys} here", keys=keys), tr("result takes key=value words")
        )
