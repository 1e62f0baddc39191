"""From a finished round to the lines of its score.

A row gives points, or a factor on rows above it, to a role (who won, lost, was the soloist) and,
with `against`, the same with the other sign to another. A role's points count for each of its
players. Lines always sum to the score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged
from scorekeeper.core.expressions import NotSeen
from scorekeeper.core.messages import mark, tr
from scorekeeper.ruleset.scores import EACH, SIDES, asked, lines_of
from scorekeeper.ruleset.subjects import Own

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scorekeeper.core.expressions import Get
    from scorekeeper.core.rulings import Line
    from scorekeeper.play.round import Round
    from scorekeeper.ruleset.joint import Role
    from scorekeeper.ruleset.rows import ScoreRow
    from scorekeeper.ruleset.scores import Asked, Given, Targets

    # The lines of a score, and the change of each player's tally, by seat.
    Score = tuple[list[Line], list[int]]


def score(rnd: Round) -> Score | None:
    """The lines of a finished round and the change of each player's tally, by seat.

    None while the round goes on, and for a round whose score would need what was not seen, or
    what the rules cannot say (the round is told). A void or unscored round has no lines but those
    of what happened beside play (penalties, fouls).
    """
    if not rnd.over or not (rnd.scored or rnd.void or rnd.unscored) or rnd.decisions.due:
        return None
    lines, changes = _summed(rnd, [(line, (line.to, _seats(rnd, line))) for line in rnd.lines])
    if rnd.void or rnd.unscored:
        return lines, changes
    try:
        rows, given = _summed(rnd, _rows(rnd))
        _check(rnd, given)
    except NotSeen:
        rnd.scored = False
        return None
    except Damaged as mistake:
        rnd.misruled(mistake)
        return None
    if not lines:
        return rows, given
    return lines + rows, [change + points for change, points in zip(changes, given, strict=True)]


def _rows(rnd: Round) -> list[Given]:
    """What the score rows give. Raises NotSeen, and Damaged."""
    targets, own_of = _Targets(rnd), _own_of(rnd)
    numbers = _at_once(rnd, targets, own_of)
    if numbers is not None:
        return lines_of(numbers, targets)

    def reading(role: Role) -> Get:
        return rnd.cached_reading(own_of(role))

    return lines_of(asked(rnd.rules.scores, targets, reading, _counts), targets)


def _at_once(rnd: Round, targets: Targets, own_of: Callable[[Role], Own]) -> Iterable[Asked] | None:
    """The numbers of all score rows; None where anything is wrong with one, and then it is for who
    asks them one by one to say what."""
    if rnd.mistakes:
        return None
    scored, remarks = rnd.scored, rnd.remarks[:]
    numbers = rnd.rules.score_table.numbers(rnd, targets, own_of)
    if not rnd.mistakes:
        return numbers
    rnd.scored, rnd.remarks, rnd.mistakes = scored, remarks, set()  # told in the order of the rows
    return None


class _Targets(dict[str, "Sequence[Role]"]):
    """Whom a score row may be for: a role, every player who takes part, or every side."""

    def __init__(self, rnd: Round) -> None:
        super().__init__({name: [role] for name, role in rnd.roles.items() if role[1]})
        self._rnd = rnd

    def __missing__(self, to: str) -> Sequence[Role]:
        self[to] = found = _everyone(self._rnd, to)
        return found


def _everyone(rnd: Round, to: str) -> Sequence[Role]:
    """Every player, or every side; nobody, for a role that nobody has."""
    if to == EACH:
        return [(rnd.names[seat], (seat,)) for seat in rnd.seats]
    return _sides(rnd) if to == SIDES else ()


def _sides(rnd: Round) -> list[Role]:
    """The sides that have players: those of this deal, or those that the seating fixes."""
    parties = rnd.parties
    if parties is not None:
        sides = [(name, parties.members(side)) for side, name in enumerate(parties.names)]
        return [(name, seats) for name, seats in sides if seats]
    fixed = dict.fromkeys(rnd.side(seat) for seat in rnd.seats)
    return [("+".join(rnd.names_of(seats)), seats) for seats in fixed]


def _own_of(rnd: Round) -> Callable[[Role], Own]:
    """Of whom the measures of a row are asked, by whom it is for."""
    parties = rnd.parties
    names = parties.names if parties is not None else ()

    def own_of(role: Role) -> Own:
        label, seats = role
        side = names.index(label) if label in names else None
        if parties is not None and side is not None and parties.members(side) != seats:
            side = None  # a player who has the name of a side
        return Own(seats, side)

    return own_of


def _counts(row: ScoreRow, get: Get) -> bool:
    return row.always or bool(row.when(get))


def _seats(rnd: Round, line: Line) -> tuple[int, ...]:
    return tuple(map(rnd.names.index, line.to.split("+")))


def _summed(rnd: Round, given: Iterable[Given]) -> Score:
    """The lines, and what they come to for each seat: points count for each player of a role, or of
    a side; a tally that several share is changed once."""
    lines: list[Line] = []
    changes, sides = [0] * len(rnd.names), rnd.rules.sides
    shared = sides["shared"] and sides["number"]
    for line, (_, seats) in given:
        lines.append(line)
        points = int(line.points)
        for seat in {mate for each in seats for mate in rnd.sharing(each)} if shared else seats:
            changes[seat] += points
    return lines, changes


def _check(rnd: Round, given: list[int]) -> None:
    """The sums that a ruleset promises of its score rows. Raises Damaged when they are not so."""
    tally, wrong = rnd.rules.tally, ""
    if tally["zero_sum"] and sum(given):
        wrong = mark("the scores do not sum to zero (tally.zero_sum): {changes}")
    elif tally["parity"] and len({given[seat] % 2 for seat in rnd.seats}) > 1:
        wrong = mark("the scores are odd for some, even for others (tally.parity): {changes}")
    if wrong:
        said = ", ".join(f"{rnd.names[seat]} {given[seat]:+}" for seat in rnd.seats)
        raise Damaged(tr(wrong, changes=said))
