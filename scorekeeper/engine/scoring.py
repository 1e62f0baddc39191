"""The score of a finished round, and the standing at the start of the next one.

A row of `[scores]` awards points to a role (winners, losers, soloist), or multiplies rows above it
by a factor. Each player with the role gets the points. If the row has `against`, another role gets
the same points with the opposite sign. The lines always add up to the score.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Impossible, Unreadable
from scorekeeper.core.expressions import ExpressionError, NotYetKnown
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.measures import Owner, deals_again
from scorekeeper.engine.phase import CULPRIT
from scorekeeper.engine.round import lone_public_seat
from scorekeeper.engine.rows import ALL, EACH, SIDES, lines_of, numbers_one_by_one
from scorekeeper.engine.seating import DEALT, PREFERRED, ROSTER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scorekeeper.core.expressions import Expression, Lookup
    from scorekeeper.core.rulings import Finding, Line
    from scorekeeper.core.types import Standing
    from scorekeeper.engine.phase import Role
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.rows import Asked, Given, ScoreRow, Targets
    from scorekeeper.engine.ruleset import Ruleset

    # The effect of a penalty: its code, the seats that share a tally, the points and the citation.
    Charge = tuple[str, tuple[int, ...], int, str]
    # Score lines, and the tally change for each seat.
    Score = tuple[list[Line], list[int]]

# Forms of the entries with which players decide matters that no rule decides.
TABLE_FORMS = {"void": N_("WHY"), "result": "…", "penalty": N_("NAME: -1 WHY")}


def score(rnd: Round) -> Score | None:
    """Return a finished round's score lines, and the tally change for each seat.

    Return None if the round is not finished, if the score depends on unseen cards, or if a rule
    has no value. A void or unscored round has only the lines for penalties and fouls.
    """
    if not rnd.over or not (rnd.scored or rnd.void or rnd.unscored) or rnd.decisions.due:
        return None
    lines, changes = _sum_lines(
        rnd, [(line, (line.to, _seats_of_line(rnd, line))) for line in rnd.seating.lines]
    )
    if rnd.void or rnd.unscored:
        return lines, changes
    try:
        rows, given = _sum_lines(rnd, _rows(rnd))
        _check(rnd, given)
    except NotYetKnown:
        rnd.scored = False
        return None
    except Damaged as mistake:
        rnd.report_ruleset_error(mistake)
        return None
    if not lines:
        return rows, given
    return lines + rows, [change + points for change, points in zip(changes, given, strict=True)]


def _rows(rnd: Round) -> list[Given]:
    """Return the lines from the score rows. Raises NotYetKnown or Damaged."""
    targets, own_of = _Targets(rnd), _owner_finder(rnd)
    numbers = _numbers_at_once(rnd, targets, own_of)
    if numbers is not None:
        return lines_of(numbers, targets)

    def reading(role: Role) -> Lookup:
        return rnd.cached_reading(own_of(role))

    return lines_of(numbers_one_by_one(rnd.rules.scores, targets, reading, _does_count), targets)


def _numbers_at_once(
    rnd: Round, targets: Targets, own_of: Callable[[Role], Owner]
) -> Iterable[Asked] | None:
    """Return the numbers for all score rows, or None if a rule has no value.

    In that case the caller evaluates the rows one by one to report the errors in order.
    """
    if rnd.ruleset_errors:
        return None
    scored, remarks = rnd.scored, rnd.pending_notes[:]
    numbers = rnd.rules.score_table.numbers(rnd, targets, own_of)
    if not rnd.ruleset_errors:
        return numbers
    rnd.scored, rnd.pending_notes, rnd.ruleset_errors = (
        scored,
        remarks,
        set(),
    )  # the caller reports the errors row by row instead
    return None


class _Targets(dict[str, "Sequence[Role]"]):
    """The players or sides to which a score row can apply, keyed by the row's `to`."""

    def __init__(self, rnd: Round) -> None:
        super().__init__({name: [role] for name, role in rnd.roles.items() if role[1]})
        self._rnd = rnd

    def __missing__(self, to: str) -> Sequence[Role]:
        self[to] = targets = _everyone(self._rnd, to)
        return targets


def _everyone(rnd: Round, to: str) -> Sequence[Role]:
    """Return every player or every side if `to` is `EACH`, `ALL` or `SIDES`, else nothing."""
    if to == EACH:
        return [(rnd.names[seat], (seat,)) for seat in rnd.seats]
    if to == ALL:
        return [(name, (seat,)) for seat, name in enumerate(rnd.names)]
    return _sides(rnd) if to == SIDES else ()


def _sides(rnd: Round) -> list[Role]:
    """Return the sides that have players, as formed by this deal or by the seating."""
    parties = rnd.sides
    if parties is not None:
        sides = [(name, parties.members(side)) for side, name in enumerate(parties.names)]
        return [(name, seats) for name, seats in sides if seats]
    fixed = dict.fromkeys(rnd.seating.side(seat) for seat in rnd.seats)
    return [("+".join(rnd.names_of(seats)), seats) for seats in fixed]


def _owner_finder(rnd: Round) -> Callable[[Role], Owner]:
    """Return a function that maps a target to the owner whose measures a row uses."""
    parties = rnd.sides
    names = parties.names if parties is not None else ()

    def own_of(role: Role) -> Owner:
        label, seats = role
        side = names.index(label) if label in names else None
        if parties is not None and side is not None and parties.members(side) != seats:
            side = None  # a player who has the same name as a side
        return Owner(seats, side)

    return own_of


def _does_count(row: ScoreRow, get: Lookup) -> bool:
    return row.always_counts or bool(row.when(get))


def _seats_of_line(rnd: Round, line: Line) -> tuple[int, ...]:
    return tuple(map(rnd.names.index, line.to.split("+")))


def _sum_lines(rnd: Round, given: Iterable[Given]) -> Score:
    """Return the lines, and the total for each seat.

    Points count for each player of a role or side. A shared tally is changed only once.
    """
    lines: list[Line] = []
    changes, sides = [0] * len(rnd.names), rnd.rules.sides
    shared = sides["shared"] and sides["number"]
    for line, (_, seats) in given:
        lines.append(line)
        points = int(line.points)
        for seat in (
            {mate for each in seats for mate in rnd.seating.sharing_seats(each)}
            if shared
            else seats
        ):
            changes[seat] += points
    return lines, changes


def _check(rnd: Round, given: list[int]) -> None:
    """Raise Damaged if the totals of the score rows break a rule of the ruleset's [tally]."""
    tally, wrong = rnd.rules.tally, ""
    if tally["zero_sum"] and sum(given):
        wrong = N_("the scores do not add up to zero (tally.zero_sum): {changes}")
    elif tally["parity"] and len({given[seat] % 2 for seat in rnd.seats}) > 1:
        wrong = N_("some scores are odd and others are even (tally.parity): {changes}")
    if wrong:
        text = ", ".join(f"{rnd.names[seat]} {given[seat]:+}" for seat in rnd.seats)
        raise Damaged(tr(wrong, changes=text))


# --- the next standing


def first_standing(ruleset: Ruleset, count: int) -> Standing:
    """Return the standing before the first round.

    The last player in the list deals. In a game without a dealer, the first player leads, or the
    player that the ruleset names. If the leader depends on the round, the leader is chosen when it
    begins.
    """
    tally = [ruleset.numbers.start(count)] * count
    expected = ruleset.numbers.leader
    leader = 0 if expected.depends_on_round else min(max(expected(count), 1), count) - 1
    return {"tally": tally, "dealer": count - 1, "leader": leader, "carry": {}, "over": False}


def apply_score(rnd: Round) -> Score | None:
    """Add a finished round's score to the tallies, and return it (None if there is no score).

    It can be called again after an entry was added to a finished round, because it resets the tally
    first.
    """
    if rnd.over:
        rnd.seating.tally = (
            [rnd.seating.tally_before_score(seat) for seat in range(len(rnd.names))]
            if rnd.seating.lines
            else rnd.seating.starting_tally[:]
        )
    scored = score(rnd)
    if rnd.over and rnd.rules.counters is not None:
        rnd.rules.counters.after_score(rnd)
    if scored is not None:
        rnd.seating.tally = [
            base + change
            for base, change in zip(rnd.seating.starting_tally, scored[1], strict=True)
        ]
    return scored


def note_ruleset_errors(rnd: Round) -> list[Finding]:
    """Attach the ruleset errors from scoring to the last entry. Call `apply_score` first."""
    if rnd.over:
        try:
            _ends_match(rnd)
        except ExpressionError as error:
            rnd.report_ruleset_error(error, tr("so it is not known whether the match is over"))
        try:
            _prefer(rnd)
        except ExpressionError as error:
            rnd.report_ruleset_error(error, tr("so the tallies alone decide who wins"))
    return rnd.flush_notes() if rnd.pending_notes else []


def _ends_match(rnd: Round) -> bool:
    """Return whether the match is over, once the score of a round has been applied.

    Raises ExpressionError if the condition cannot be computed.
    """
    rnd.score_applied = True
    try:
        return bool(rnd.rules.ends.value_in(rnd))
    finally:
        rnd.score_applied = False


def preferred_seats(rnd: Round) -> list[int]:
    """Return the seats of the players who can win after this round, or none if all players can win.

    Call `apply_score` first.
    """
    with suppress(ExpressionError):
        return _prefer(rnd)
    return []


def _prefer(rnd: Round) -> list[int]:
    """Return the seats for `preferred_seats`. Raises ExpressionError if the condition has no
    value."""
    if rnd.rules.prefers is None:
        return []
    rnd.score_applied = True
    try:
        return [
            seat
            for seat in range(len(rnd.names))
            if rnd.rules.prefers.value_in(rnd, Owner(tuple(rnd.seating.sharing_seats(seat))))
        ]
    finally:
        rnd.score_applied = False


def next_standing(rnd: Round) -> Standing:
    """Return the standing for the next round. Call `apply_score` first.

    `match/remedies.py` adds the decisions that can still be made about the round.
    """
    if rnd.seating.seating_error and rnd.setup.reseated is not None:
        return {**rnd.setup.reseated, "over": rnd.ended}
    dealer, leader, moves_on = rnd.next_dealer, rnd.next_leader, {}
    dealt, again = rnd.rules.deal["dealt"], dealer is None and deals_again(rnd)
    if dealer is None:
        dealer = rnd.seating.dealer
        if dealt and not again:
            dealer, moves_on = (
                (rnd.seating.dealer + 1) % len(rnd.names),
                {DEALT: rnd.seating.dealer},
            )
    if leader is None and not dealt:
        leader = rnd.seating.leader
    elif leader is None and again and rnd.void and rnd.setup.dealer is None:
        # the leader before the bids, which may have changed it
        leader = rnd.seating.standing["leader"]
    ends, preferred = False, rnd.seating.standing.get(PREFERRED, [])
    if rnd.over:
        with suppress(ExpressionError):
            ends = _ends_match(rnd)
        preferred = preferred_seats(rnd)
    over = rnd.seating.standing["over"] or rnd.ended or ends
    carry = dict(rnd.carried_over)
    if preferred:
        moves_on[PREFERRED] = preferred
    if ROSTER in rnd.seating.standing:
        moves_on[ROSTER] = rnd.seating.standing[ROSTER]
    standing = {"tally": rnd.seating.tally, "dealer": dealer, "leader": leader, "carry": carry}
    return {**standing, "over": over, **moves_on}


# --- classes of penalties


def forms_for_table(rules: Ruleset) -> str:
    """Return the forms of the entries with which players decide matters that no rule decides."""
    forms = [(word, tr(form)) for word, form in TABLE_FORMS.items() if word in rules.entry_types]
    return ", ".join(f"{rules.translate_word(word)} {form}" for word, form in forms)


class Penalty(NamedTuple):
    """A penalty class.

    It has point expressions for the culprit, for each other side, and for a player who is publicly
    alone against the culprit. `cite` is its citation.
    """

    culprit: Expression
    others: Expression
    declarer: Expression
    cite: str


class Penalties:
    """The compiled rows of [penalties]."""

    def __init__(self, rules: Ruleset) -> None:
        self._classes: dict[str, Penalty] = {}
        for name, row in rules.section("penalties").items():
            third = "others" if row["declarer"] == "" else "declarer"
            culprit, others, declarer = (
                rules.compile_expression(
                    row[key], f"penalties.{name}.{key}", (CULPRIT,), whole=True
                )
                for key in ("culprit", "others", third)
            )
            self._classes[name] = Penalty(culprit, others, declarer, row["cite"])

    def culprit_charge(self, rnd: Round, seat: int, name: str) -> Charge:
        """Return the culprit's part of a penalty, whether or not the culprit is playing."""
        row = self._classes[name]
        points = int(rnd.evaluate(row.culprit, seat))
        return f"penalties.{name}", rnd.seating.sharing_seats(seat), points, row.cite

    def charges(self, rnd: Round, seat: int, name: str) -> Iterator[Charge]:
        """Yield the charges for a penalty of that class if the seat is at fault.

        Raises Unreadable for an unknown class. Raises Impossible for a player who sits out, or
        if the points depend on something that is not yet known.
        """
        penalty = self._classes.get(name)
        if penalty is None:
            names = ", ".join(map(rnd.rules.translate_word, self._classes))
            known = (
                tr("the classes are {classes}", classes=names)
                if names
                else tr("this ruleset has no penalty classes")
            )
            raise Unreadable(
                tr("“{text}” is not a penalty class; {known}", text=name, known=known),
                "penalty NAME: -1 WHY",
            )
        if seat not in rnd.seats:
            who = rnd.names[seat]
            say = tr("{who} sits out, and penalty classes apply only to active players", who=who)
            raise Impossible(say, f"penalty {who}: -1 WHY")
        own, alone = rnd.seating.sharing_seats(seat), lone_public_seat(rnd)
        for side in dict.fromkeys(map(rnd.seating.sharing_seats, rnd.seats)):
            points = penalty.declarer if alone in side else penalty.others
            points = penalty.culprit if side == own else points
            yield f"penalties.{name}", side, self._points(rnd, points, seat), penalty.cite

    def _points(self, rnd: Round, points: Expression, seat: int) -> int:
        try:
            points.value_in(rnd, seat)
        except NotYetKnown as error:
            raise Impossible(
                tr("the penalty cannot be computed: {what}", what=error.message)
            ) from None
        return int(rnd.evaluate(points, seat))
