"""The value of tricks: each side's points and tricks, special points, and the winners.

The phase reads the tricks of the round, or accepts the result of a whole deal (`counting_results`).
`counting_points` defines points and special points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.cards import plain_points
from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import TRUTH, BatchedMeasure, FirstTrue, NotYetKnown
from scorekeeper.core.messages import N_, format_has, join_list, plural, tr
from scorekeeper.core.sides import DECLARING, OTHERS
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.measures import FirstMatch, Owner, owner_of, unreachable
from scorekeeper.engine.phase import (
    OWN,
    Coverage,
    Measure,
    Phase,
    ResultPart,
    RoleSplit,
    View,
    not_by_result,
)
from scorekeeper.engine.scoring import score
from scorekeeper.phases.counting_points import (
    POINTS,
    TRICKS,
    WINNER,
    SideTotals,
    Special,
    State,
    check_known,
    find_at_end,
    find_in_tricks,
    likely_numbers,
    still_out,
    totals_so_far,
    won_by,
    won_by_seats,
)
from scorekeeper.ruleset.tables import Parameter, join_key
from scorekeeper.ruleset.vocabulary import beside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.sides import Sides
    from scorekeeper.core.types import Json, Row
    from scorekeeper.engine.phase import Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.phases.counting_points import SpecialPoint


EACH, SCORE = "each", "score"  # words that `[result] form` may contain
WINNERS, LOSERS = "winners", "losers"
ROLES = (WINNERS, LOSERS)
TIED = "tied"


@beside
class Counting(Phase[State], ResultPart, Coverage):
    """The phase that counts points and determines the winners.

    `sides` is the list of the sides' names, the declaring side first. It is empty if the seating
    determines the sides. The compiled ruleset supplies `specials`, which are keyed by name, and
    `victory`. Each row of `victory` contains a side that wins ("" for none) and its condition.
    """

    name = "counting"
    doc = (
        "Runs during the whole round, after `parties`. It adds up the tricks and card points of "
        "each side, awards special points (`[specials]`), and decides who has won: by the first "
        "row of `[victory]` that holds, or by `most`. It reads results if [parties] make the "
        "sides, or if [result] has a `form`."
    )
    concurrent = True
    needs_whole_round = True
    concludes = True
    others = ("tricks",)
    parameters = {
        "most": Parameter(
            "choice",
            "what the winning side has most of, without [victory]",
            "",
            ("", POINTS, TRICKS),
        )
    }
    row_tables = {
        "specials": {
            "for": Parameter(
                "name",
                "the owner: the `winner` of each trick, or at the end `each` player, the `sides`,"
                " or the side of that name",
                WINNER,
            ),
            "when": Parameter(
                "condition", "whether the owner has it (trick.…, own.…)", "true", natural=True
            ),
            "count": Parameter("number", "number of times that the owner has it", 1),
            "counts": Parameter("condition", "whether it counts in this deal", "true"),
            "cards": Parameter(
                "set", "the cards that earn it; results are checked against them", ""
            ),
            "least": Parameter(
                "int",
                "minimum card points of a trick that has it",
                0,
                bounds=(0, untrusted.NUMBER_RANGE[1]),
            ),
            "most": Parameter(
                "int", "maximum number of times in a deal", 1, bounds=(0, untrusted.MAX_CARDS)
            ),
            "told": Parameter(
                "bool",
                "whether a result must state its number for one side, as NAME=NUMBER, which must "
                "agree with the cards that are known; otherwise `specials=SIDE:NAME` may state "
                "it, and a note lists those that the deal decides and the result does not mention",
                False,
            ),
            "included": Parameter(
                "int",
                "how many of the points that a result states come from it, if the seating makes "
                "the sides (0: the stated points are card points only)",
                0,
                bounds=(0, untrusted.NUMBER_RANGE[1]),
            ),
            "fewest": Parameter(
                "int",
                "minimum number that a result may state",
                0,
                bounds=(0, untrusted.MAX_CARDS),
            ),
            "enough": Parameter(
                "number",
                "the number from which it counts; any lower number is valid in a result",
                0,
            ),
        },
        "victory": {
            "side": Parameter(
                "name", "the side that wins (if omitted, no side)", "", rows="parties"
            ),
            "when": Parameter("condition", "condition under which the row decides", "true"),
            "cite": Parameter("text", "the paragraph of the rule text"),
        },
    }
    roles = (*ROLES, TIED)
    coverage_tables = ("specials", "victory")

    reports = {
        "points": "card points of the sides, the declaring one first",
        "specials": "special points, by side",
        "side.points": "a side's card points",
        "player.specials": "special points that a player won, as far as they were played",
    }

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.sides = list(rules.section("parties"))
        self.specials: dict[str, Special] = {}
        self.watches_tricks = False
        self.reports = {
            **Counting.reports,
            **{name: f"how many {name}" for name in self._counted_specials()},
        }
        self.victory: list[tuple[str, Expression]] = []
        # finds the first row of [victory] whose condition holds
        self._first_victory: FirstTrue | None = None

    def link(self) -> None:
        rules = self.rules
        self.specials = {
            name: Special(name, row, rules) for name, row in rules.section("specials").items()
        }
        for special in self.specials.values():
            special.check(self.sides, rules.fault)
            self.watches_tricks |= special.holder == WINNER and not special.conditions.settled
        self.victory = [
            (row["side"], rules.compile_expression(row["when"], f"victory.{name}.when"))
            for name, row in rules.section("victory").items()
        ]
        if self.victory:
            texts = [when.text for _, when in self.victory]
            self._first_victory = FirstTrue(texts, self.victory[0][1].scope)

    def check(self, trial_allowed: bool) -> None:
        """Report rows of [victory] that can never determine the winner."""
        named = zip(self.rules.section("victory"), self.victory, strict=True)
        rows = [FirstMatch(name, when) for name, (_, when) in named]
        for row, why in unreachable(rows, ()):
            where = join_key(("victory", row.name))
            message = f"{where} never says who has won: {why}"
            self.rules.fault(where, row.when.text, "a condition that may decide", message)

    def words(self) -> Iterable[tuple[str, str]]:
        return [(name, name) for name in self.rules.section("specials")]

    def _counted_specials(self) -> list[str]:
        """Return the special points whose number a result states."""
        return [name for name, row in self.rules.section("specials").items() if row["told"]]

    # --- the end of a round

    def begin(self, rnd: Round) -> State:
        return State()

    def after_trick(self, rnd: Round) -> None:
        rnd.state(self).snapshots += ((len(rnd.tricks), rnd.copy()),)

    def close(self, rnd: Round) -> None:
        if rnd.void or rnd.unscored:
            return
        if rnd.is_partial and rnd.result is None:
            rnd.scored = False
            return
        if rnd.sides is None:
            self._close_fixed_sides(rnd)
        elif rnd.sides.is_complete:
            self._close_sides(rnd, rnd.sides)

    def _close_fixed_sides(self, rnd: Round) -> None:
        """Set the winners among sides determined by the seating. Equal points are a tie."""
        if rnd.result is None:
            rnd.state(self).won_by_seat = won_by_seats(rnd)
        elif (unknown := rnd.state(self).unknown) and score(rnd) is None:
            names = rnd.names_of(unknown)
            raise Impossible(
                tr("the result must state how many tricks {name} has won", name=names[0]),
                f"{TRICKS}={'+'.join(f'{name}:NUMBER' for name in names)}",
            )
        if self.specials and rnd.result is None:
            self._find_specials(rnd, rnd.state(self))
        if not (what := self.row["most"]):
            return
        sides = list(dict.fromkeys(rnd.seating.side(seat) for seat in rnd.seats))
        values = [self._by_seats(rnd, seats, what) for seats in sides]
        best = max(values)
        if values.count(best) > 1:
            rnd.roles[TIED] = (TIED, tuple(rnd.seats))
            return
        winners = sides[values.index(best)]
        losers = tuple(seat for seat in rnd.seats if seat not in winners)
        for role, seats in zip(ROLES, (winners, losers), strict=True):
            rnd.roles[role] = ("+".join(rnd.names_of(seats)), seats)

    def _close_sides(self, rnd: Round, sides: Sides) -> None:
        """Set the winners among the sides of this deal, by the first row of [victory] whose
        condition holds."""
        state = rnd.state(self)
        if state.totals is None:
            state.totals = totals_so_far(rnd)
            if not self._find_specials(rnd, state):
                rnd.scored = False
                return
        side = self._find_winner(rnd)
        if side:
            state.winning_side = self.sides.index(side)
        if state.winning_side is not None:
            for role, won in zip(ROLES, (state.winning_side, 1 - state.winning_side), strict=True):
                rnd.roles[role] = (sides.names[won], sides.members(won))

    def _find_specials(self, rnd: Round, state: State) -> bool:
        """Record the special points that follow from the play. Return False if some of them are
        unknown."""
        state.is_counted = True
        for special in find_in_tricks(rnd, self, self.specials.values(), state):
            state.give(special.special, special.own, special.times, special.own.seats[:1])
            state.special_points.append(special)
        state.special_points.sort(key=lambda special: [*self.specials].index(special.special))
        return find_at_end(rnd, state, self.specials.values())

    def _find_winner(self, rnd: Round) -> str:
        """Return the winning side from the first row of [victory] whose condition holds, or "" if
        no side wins."""
        number = self._first_victory.evaluate(rnd) if self._first_victory is not None else 0
        if number is None:
            return next((side for side, when in self.victory if rnd.evaluate(when)), "")
        return self.victory[number - 1][0] if number else ""

    def totals(self, rnd: Round) -> SideTotals:
        """Return the totals of the round. During play, return the totals that the sides have
        already secured."""
        return rnd.state(self).totals or totals_so_far(rnd)

    def applied_rows(self, rnd: Round) -> Iterator[str]:
        state = rnd.state(self)
        counted = (*state.specials.items(), *state.by_seats.items())
        yield from dict.fromkeys(f"specials.{name}" for (name, _), number in counted if number)
        if rnd.sides is None or rnd.void:
            return
        for name, (_, when) in zip(self.rules.section("victory"), self.victory, strict=True):
            if rnd.evaluate(when):
                yield f"victory.{name}"
                return

    def undecided(self, rnd: Round) -> str:
        if not self.victory or rnd.sides is None or rnd.void or not rnd.sides.is_complete:
            return ""
        if any(rnd.evaluate(when) for _, when in self.victory):
            return ""
        sides = zip(self.sides, self.totals(rnd).points, strict=True)
        points = join_list([f"{points} of {side}" for side, points in sides])
        return f"no row of [victory] says who has won: card points {points}"

    # --- names for expressions

    def named_measures(self) -> Iterator[Measure]:
        totals = {what: self._total(what) for what in (POINTS, TRICKS)}
        counts = self._counts()
        for side, name in enumerate(self.sides[:2]):
            yield Measure(
                f"{name}.won", "whether the side has won", self._side_won(side), kind=TRUTH
            )
            # The value is the same for every role, so the measure needs no seats.
            for what, total in totals.items():
                total_of = BatchedMeasure(total, side)
                yield Measure(f"{name}.{what}", f"the {what} that they won", total_of)
            for special in self.rules.section("specials"):
                count = BatchedMeasure(counts, (special, side))
                yield Measure(f"{name}.{special}", f"how many {special}", count)
        for special in self.rules.section("specials"):
            yield Measure(f"own.{special}", f"how many {special}", self._special(special), OWN)
        for what in (POINTS, TRICKS):
            yield Measure(f"own.{what}", f"the {what} that they won", self._own(what), OWN)
            yield Measure(f"other.{what}", f"the others' {what}", self._other(what), OWN)
        yield Measure("nobody", "whether nobody has won", self._nobody_won, kind=TRUTH)
        doc = (
            "whether a side has already won by [victory], no matter which side wins the remaining "
            "cards"
        )
        yield Measure("decided", doc, self._is_decided, kind=TRUTH)

    def _counts(self) -> Reader:
        """Return a function that counts how often each special point was won. Its result is keyed
        by the name of the special point and the side."""
        none = {(name, side): 0 for name in self.rules.section("specials") for side in (0, 1)}
        return lambda rnd, _: none | self._counted_state(rnd).specials

    def _total(self, what: str) -> Reader:
        return lambda rnd, _: self.totals(rnd).of(what)

    def _own(self, what: str) -> Reader:
        return lambda rnd, subject: self._won_by(rnd, owner_of(subject), what)

    def _other(self, what: str) -> Reader:
        def read(rnd: Round, subject: object) -> float:
            own = _by_result(rnd, owner_of(subject))
            if own.side is not None:
                return self.totals(rnd).of(what)[1 - own.side]
            return self._by_seats(rnd, [s for s in rnd.seats if s not in own.seats], what)

        return read

    def _won_by(self, rnd: Round, own: Owner, what: str) -> float:
        """Return the points or tricks won by a player or a side. If a result states what a side has
        won, return the stated number for the side."""
        own = _by_result(rnd, own)
        if own.side is not None:
            return self.totals(rnd).of(what)[own.side]
        return self._by_seats(rnd, own.seats, what)

    def _by_seats(self, rnd: Round, seats: Sequence[int], what: str) -> float:
        state = rnd.state_if_begun(self)
        if state is None or state.won_by_seat is None:
            return won_by(rnd, seats, what)
        if set(seats) & set(state.unknown) and not set(state.unknown) <= set(seats):
            raise NotYetKnown(tr("a result does not show what each player has won"))
        each, place = state.won_by_seat, (POINTS, TRICKS).index(what)
        return plain_points(sum([each[seat][place] for seat in seats]))

    def _special(self, special: str) -> Reader:
        return lambda rnd, subject: self._counted_state(rnd).times_won(
            special, _by_result(rnd, owner_of(subject))
        )

    def _counted_state(self, rnd: Round) -> State:
        """Return the state after special points are counted. Raises NotYetKnown before that."""
        state = rnd.state(self)
        if not state.is_counted:
            raise NotYetKnown(tr("special points are known when the round is over"))
        return state

    def _side_won(self, side: int | None) -> Reader:
        return lambda rnd, _: rnd.state(self).winning_side == side

    def _nobody_won(self, rnd: Round, _: object) -> bool:
        return rnd.state(self).winning_side is None and WINNERS not in rnd.roles

    def _is_decided(self, rnd: Round, _: object) -> bool:
        """Return whether the winning side is certain, regardless of which side takes the remaining
        tricks.

        The winner is certain if [victory] names the same side no matter which side takes all the
        remaining tricks. The round is left unchanged. Raises NotYetKnown if the answer depends on
        unproven sides or on unrecorded tricks.
        """
        sides = rnd.sides
        if not self.victory or sides is None or rnd.void or not sides.mode:
            return False
        state = rnd.state(self)
        if state.totals is not None:
            return state.winning_side is not None
        if rnd.starts_midway:
            raise NotYetKnown(tr("the cards won before the recording began are not known"))
        winners = {self._sure_winner(rnd, way) for way in sides.possible_teams()}
        if len(winners) == 1:
            return winners != {""}
        raise NotYetKnown(
            tr("whether a side has already won depends on sides that are not known yet")
        )

    def _sure_winner(self, rnd: Round, declaring: tuple[int, ...]) -> str:
        """Return the side that has already won, on the assumption that these seats are the
        declaring side. Return "" if no side has."""
        actual, supposed = rnd.sides, rnd.require_sides().copy(rnd.hands)
        supposed.assign(declaring)
        rnd.sides = supposed

        def named() -> str:
            return next((side for side, when in self.victory if when.value_in(rnd)), "")

        try:
            winners = {
                rnd.with_state(self, _state_if_taken_by(rnd, side), named)
                for side in (DECLARING, OTHERS)
            }
        finally:
            rnd.sides = actual
        return winners.pop() if len(winners) == 1 else ""

    def splits(self, split: RoleSplit, seats: int) -> Iterator[RoleSplit]:
        yield split.add("nobody wins", {}, self._who_won(None))
        if not self.sides:
            half = self.rules.side_size(seats)
            sides = (tuple(range(half)), tuple(range(half, seats)))
            yield split.add("", {r: (r, s) for r, s in zip(ROLES, sides, strict=True)})
            return
        for won, name in enumerate(self.sides[:2]):
            both = [split.roles[self.sides[side]] for side in (won, 1 - won)]
            roles = dict(zip(ROLES, both, strict=True))
            yield split.add(f"{name} wins", roles, self._who_won(won))

    def _who_won(self, won: int | None) -> dict[str, bool]:
        """Return the measures that describe the winner."""
        sides = {f"{name}.won": side == won for side, name in enumerate(self.sides)}
        return {**sides, "nobody": won is None}

    # --- results

    def check_rest(self, rnd: Round) -> None:
        check_known(rnd, self.specials.values(), self.result_form())

    def result_form(self) -> str:
        keys = "".join(f" {name}=NUMBER" for name in self._counted_specials())
        return f"result{keys} {POINTS}=NUMBER" if self.sides else ""

    def conclude(self, rnd: Round, result: dict[str, str]) -> None:
        from scorekeeper.phases.counting_results import ResultReader, check_nothing_left

        sides = rnd.sides
        if sides is None:
            self._conclude_fixed_sides(rnd, result)
            return
        rnd.read_result(result, self)
        if not rnd.void:
            state = rnd.state(self)
            reader = ResultReader(self, rnd, sides, self.sides, self.totals(rnd))
            points = reader.read_points(result)
            tricks, most = reader.read_tricks(result, points)
            state.totals = totals = SideTotals(points, tricks)
            state.is_counted = True
            reader.read_specials(result, state, totals, most, self.specials)
            reader.read_counted(result, state, self.specials.values())
        check_nothing_left(result)

    def _takes_lines(self) -> bool:
        """Return whether deals of fixed sides may be entered by their result."""
        form = self.rules.table("result")["form"]
        return bool(form) and SCORE not in form

    def _counts_tricks_alone(self) -> bool:
        """Return whether a result need not state anything except points and tricks, because the
        ruleset has no special points and no announcements."""
        return not (self.rules.section("specials") or self.rules.section("holdings"))

    def _conclude_fixed_sides(self, rnd: Round, result: dict[str, str]) -> None:
        """Apply a result in which the seating determines the sides. Each side is named by one of
        its players, the declarer's side by the declarer."""
        from scorekeeper.phases.counting_results import (
            ResultReader,
            SeatedSides,
            check_nothing_left,
            find_declaring_seat,
            read_each_tricks,
            read_player_tricks,
            seated_totals,
        )

        if not self._takes_lines():
            raise not_by_result()
        if rnd.tricks and not self._counts_tricks_alone():
            raise Impossible(
                tr("tricks have been recorded, so the deal cannot be entered by its result"),
                tr("enter the remaining cards, or undo those that were entered"),
            )
        rnd.read_result(result, self)
        if rnd.void:
            pass
        elif EACH in self.rules.table("result")["form"]:
            rnd.state(self).is_counted = True
            rnd.state(self).won_by_seat = [(0, each) for each in read_each_tricks(rnd, result)]
        elif not self.rules.sides["number"]:
            state = rnd.state(self)
            each_won, state.unknown = read_player_tricks(rnd, result)
            state.is_counted, state.won_by_seat = True, [(0, each) for each in each_won]
        else:
            state, seat = rnd.state(self), find_declaring_seat(rnd, result)
            own = rnd.seating.side(seat)
            others = tuple(each for each in rnd.seats if each not in own)
            names = rnd.names_of((seat, others[0]))
            so_far = seated_totals(rnd, (own, others))
            reader = ResultReader(self, rnd, SeatedSides(own), names, so_far)
            points = reader.read_points(result)
            tricks, most = reader.read_tricks(result, points)
            totals = SideTotals(points, tricks)
            reader.read_specials(result, state, totals, most, self.specials)
            reader.read_sums(result, state, tricks)
            state.is_counted = True
            state.won_by_seat = [(0, 0)] * len(rnd.names)
            for side, seats in enumerate((own, others)):
                state.won_by_seat[seats[0]] = (points[side], tricks[side])
            for (name, side), count in state.specials.items():
                state.by_seats[name, (own, others)[side]] = count
        check_nothing_left(result)

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        from scorekeeper.phases.counting_results import SPECIALS, seated_fields

        if rnd.sides is None:
            if not self._takes_lines():
                return []
            return seated_fields(self, rnd, rnd.other_result_fields(self))
        joined = tr("special points, joined by + (empty if there were none)")
        known, spoken = self.specials.values(), self.rules.translate_word
        specials = [f"{side}:{s.name}" for side in self.sides for s in known if not s.is_in_result]
        counted = [s for s in known if s.is_in_result]
        of = N_("{what} of {side}")
        also = [(SPECIALS, joined, specials)]
        return [
            *rnd.other_result_fields(self),
            *(
                (s.name, tr(of, what=spoken(s.name), side=s.holder), likely_numbers(rnd, s))
                for s in counted
            ),
            *self._total_fields(rnd, also if specials else ()),
        ]

    def _total_fields(
        self, rnd: Round, specials: Iterable[tuple[str, str, list[str]]]
    ) -> list[tuple[str, str, list[str]]]:
        """Return the result keys for the points and tricks of the sides, and for `specials`."""
        first = self.sides[DECLARING]
        orders = self.rules.section("orders").values()
        if not (any(self.rules.card_points()) or any(row.get("points") for row in orders)):
            numbers = [f"{first}:{number}" for number in range(rnd.deal_size + 1)]
            return [*specials, (TRICKS, tr("the tricks of one side, as NAME:NUMBER"), numbers)]
        may_be_empty = tr(
            "number of tricks won by a side that has no card points (leave empty if it won none)"
        )
        points = tr("card points of {side}", side=first)
        return [(POINTS, points, []), *specials, (TRICKS, may_be_empty, [])]

    def view(self, rnd: Round) -> CountingView:
        state = rnd.state_if_begun(self)
        state = State() if state is None else state
        counted, forms = self._counted_specials(), rnd.rules.lexicon.forms
        players: dict[str, list[str]] = {}
        for (name, seats), count in state.by_seats.items():
            for who in rnd.names_of(seats) if name not in counted else ():
                players.setdefault(who, []).extend([forms.get(name, name)] * count)
        return CountingView(
            CountingFacts(
                sides=self.sides,
                labels=[*map(rnd.rules.translate, self.sides)],
                totals=None if rnd.sides is None else state.totals,
                specials=state.specials,
                counted=counted,
                won=[_read_won(rnd, special) for special in state.special_points],
                players=players,
                by_result=rnd.result is not None,
                over=rnd.over,
                void=rnd.void,
                forms=forms,
                spoken=rnd.rules.translate_word,
            )
        )


# --- view


class WonSpecial(NamedTuple):
    """A special point won in a trick by a player.

    `side` is None if the seating determines the sides. `card` won the trick. `caught_from` are the
    players who lost the cards that earn the special point.
    """

    special: str
    side: int | None
    who: str
    times: int
    trick: int
    winner: str
    card: str
    caught_from: Sequence[str]


def _read_won(rnd: Round, found: SpecialPoint) -> WonSpecial:
    trick, names = found.trick, rnd.names
    return WonSpecial(
        special=found.special,
        side=found.own.side,
        who=names[found.own.seats[0]],
        times=found.times,
        trick=trick.number,
        winner=names[trick.winner],
        card=rnd.rules.pack.kinds[trick.winning_kind],
        caught_from=rnd.names_of(found.caught_from),
    )


class CountingFacts(NamedTuple):
    """Points, tricks and special points of a round.

    `sides` are the names of the sides, and `labels` are their titles. `totals` is None during play,
    or if the seating determines the sides. `specials` states how often each side has each special
    point. `counted` are the special points whose number a result states, and `won` are the special
    points won in tricks. `players` maps players to the words for their special points,
    except those in `counted`. `by_result` is true if the round was entered as a result. `forms`
    maps names in the ruleset to the game's words for them. `spoken` returns the game's word for a
    name.
    """

    sides: Sequence[str]
    labels: Sequence[str]
    totals: SideTotals | None
    specials: Mapping[tuple[str, int], int]
    counted: Sequence[str]
    won: Sequence[WonSpecial]
    players: Mapping[str, list[str]]
    by_result: bool
    over: bool
    void: bool
    forms: Mapping[str, str]
    spoken: Callable[[str], str]


class CountingView(View[CountingFacts]):
    """Points and special points as text and JSON."""

    __slots__ = ()

    def result_sentences(self) -> Iterator[str]:
        facts = self.facts
        if facts.totals is None or facts.void:
            return
        yield ", ".join(self._totals(facts.totals))
        for won in facts.won:
            holder = (
                tr("{who} has", who=won.who)
                if won.side is None
                else format_has(facts.labels[won.side])
            )
            yield f"{holder} {facts.spoken(won.special)}: {_how_won(won)}"
        for (name, side), count in facts.specials.items():
            holder, special = format_has(facts.labels[side]), facts.spoken(name)
            played = [won.times for won in facts.won if (won.special, won.side) == (name, side)]
            if name in facts.counted:
                yield f"{holder} {count} {special}"
            elif count > sum(played) and facts.by_result:
                yield tr("{what}, according to the result", what=f"{holder} {special}")
            elif count > sum(played):
                yield f"{holder} {special}"

    def _totals(self, totals: SideTotals) -> Iterator[str]:
        for side, label in enumerate(self.facts.labels):
            points = plural("{count} card point", "{count} card points", totals.points[side])
            if not self.facts.by_result:
                tricks = plural("{count} trick", "{count} tricks", totals.tricks[side])
                points = tr("{points} in {tricks}", points=points, tricks=tricks)
            yield f"{format_has(label)} {points}"

    def summary(self) -> Json:
        facts = self.facts
        if not facts.over:
            return {}
        if facts.totals is None:
            return {"player.specials": facts.players}
        points = facts.totals.points
        specials = [
            f"{facts.sides[side]}: {facts.forms.get(name, name)}"
            + (f" x{count}" if count > 1 else "")
            for (name, side), count in facts.specials.items()
            if name not in facts.counted
        ]
        return {
            **{name: n for (name, _), n in facts.specials.items() if name in facts.counted},
            "points": ":".join(map(str, points)),
            "specials": specials or None,
            "side.points": dict(zip(facts.sides, points, strict=True)),
            "player.specials": facts.players,
        }


def _how_won(won: WonSpecial) -> str:
    """Return a sentence that names the winner and the winning card of a trick, and the players who
    lost a card to it."""
    text = tr(
        "{winner} won trick {number} with {card}",
        winner=won.winner,
        number=won.trick,
        card=won.card,
    )
    if not won.caught_from:
        return text
    return tr("{won}, which caught a card from {names}", won=text, names=join_list(won.caught_from))


# --- subjects of measures


def _by_result(rnd: Round, own: Owner) -> Owner:
    """Return the owner of a measure. If the round was entered as a result, the owner includes the
    side.

    Raises NotYetKnown if the round was entered as a result and the owner is only part of a side.
    """
    sides = rnd.sides
    if rnd.result is None or own.side is not None:
        return own
    if sides is None:
        if all(set(rnd.seating.side(seat)) <= set(own.seats) for seat in own.seats):
            return own
        raise NotYetKnown(tr("a result does not show what each player has won"))
    for side in range(len(sides.names)):
        if set(sides.members(side)) == set(own.seats):
            return Owner(own.seats, side)
    raise NotYetKnown(tr("a result does not show what each player has won"))


def _state_if_taken_by(rnd: Round, side: int) -> State:
    """Return the state of the round if that side takes all the remaining points and tricks."""
    won, state = totals_so_far(rnd), State()
    state.is_counted = True
    points, tricks = list(won.points), list(won.tricks)
    points[side] += sum(still_out(rnd))
    tricks[side] += _tricks_left(rnd)
    state.totals = SideTotals((points[0], points[1]), (tricks[0], tricks[1]))
    return state


def _tricks_left(rnd: Round) -> int:
    """Return the maximum number of tricks still to be won, including the one on the table."""
    seats = [seat for seat in rnd.seats if seat not in rnd.table.resting]
    return max(map(rnd.hands.size, seats)) + -(-rnd.table.stock // len(seats))
