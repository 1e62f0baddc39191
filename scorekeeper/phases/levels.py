"""Sides that rise through levels, and one player who is the master.

A round is played at the level of the master's side. The opponents' points decide which level
changes and who is the next master.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.cards import can_add_up, seat_to_left
from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.expressions import TRUTH
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import N_, Sentence, join_list, plural, tr
from scorekeeper.core.rulings import LEGAL
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import Measure, Phase, ResultPart, RoleSplit, View
from scorekeeper.engine.ruleset import compile_amount
from scorekeeper.engine.setup import place
from scorekeeper.notation.entry import Actor, EntryType, Timing
from scorekeeper.notation.syntax import PlayerName, parse_whole
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import beside, clause

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Json, Row
    from scorekeeper.engine.phase import Judge, Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import IntOrExpression, Ruleset
    from scorekeeper.engine.state import Setup
    from scorekeeper.notation import Entry

MASTERS, OPPONENTS = ROLES = ("masters", "opponents")
OUTCOME = ("winners", "losers")
POINTS = (0, untrusted.NUMBER_RANGE[1])


class State:
    """The levels of one round.

    `sides` maps a role to its seats. `expected_master` is the seat that should be master in this
    round according to the previous round, or None in the first round. `result_points` are the
    opponents' points from a result, or None if they are counted in play. `is_enough` is true once
    the opponents have enough points to take over.
    """

    __slots__ = ("expected_master", "is_enough", "result_points", "sides")

    def __init__(self, sides: Mapping[str, tuple[int, ...]], expected: int | None) -> None:
        self.sides = sides
        self.expected_master = expected
        self.result_points: int | None = None
        self.is_enough = False


def _side_in_role(rnd: Round, role: str) -> tuple[int, ...]:
    """Return the seats with this role: those of the master's side, or all others."""
    own = rnd.seating.side(rnd.table.master)
    return own if role == MASTERS else tuple([seat for seat in rnd.seats if seat not in own])


def _give_roles(rnd: Round) -> None:
    """Assign the roles of the master's side and the opponents."""
    for role in ROLES:
        rnd.roles[role] = (_side_label(rnd, role), _side_in_role(rnd, role))


def _side_label(rnd: Round, role: str) -> str:
    """Return the sheet label of the side in that role: its players' names."""
    return "+".join(rnd.names_of(_side_in_role(rnd, role)))


def _points_in_play(rnd: Round, role: str) -> float:
    """Return the points that the side with this role has won in play so far."""
    play = rnd.rules.card_play
    seat = rnd.state(rnd.rules.phase(Levels)).sides[role][0]
    return 0 if play is None else play.points_of(rnd, seat)


def _points(rnd: Round, role: str) -> float:
    """Return the points that the side with this role has won. For the opponents, use the points of
    a result if there is one."""
    by_result = rnd.state(rnd.rules.phase(Levels)).result_points
    return by_result if by_result is not None and role == OPPONENTS else _points_in_play(rnd, role)


def _points_of(role: str) -> Reader:
    return lambda rnd, _: _points(rnd, role)


def _level_of(role: str) -> Reader:
    return lambda rnd, _: rnd.seating.tally_before_score(_side_in_role(rnd, role)[0])


def _is_first(rnd: Round, _: object) -> bool:
    return "levels" not in rnd.seating.standing["carry"] and not rnd.setup.standing


@beside
class Levels(Phase[State], ResultPart):
    """The phase that tracks the levels and the master, and determines the next ones."""

    name = "levels"
    doc = (
        "Runs during the whole round. It tracks the master's side and its level. At the end, it "
        "decides whether the opponents take over and so win the round, or the master's side wins, "
        "and who is the next master. The tally is the level."
    )
    clause_order = "expected-master"
    standard_words = clause_order
    concurrent = True
    needs_whole_round = True
    concludes = True
    parameters = {
        "ranks": Parameter("text", "the rank that each level stands for, from `tally.start` up"),
        "takes_over": Parameter("condition", "whether the opponents take over"),
        "after_held": Parameter(
            "number",
            "how many seats after the master the next one sits if the opponents do not take over",
            2,
            bounds=(0, untrusted.MAX_PLAYERS),
        ),
        "after_lost": Parameter(
            "number",
            "how many seats after the master the next one sits if the opponents take over",
            1,
            bounds=(0, untrusted.MAX_PLAYERS),
        ),
        "points": Parameter("int", "the total number of points in a round", bounds=POINTS),
        "unit": Parameter("int", "points come in multiples of this", 1, bounds=(1, POINTS[1])),
    }
    roles = (*ROLES, *OUTCOME)
    reports = {
        "master": "who was master",
        "level": "the rank that the round was played at",
        "points": "what the opponents took",
        "player.master": "1 for the master",
        "side.master": "the master, in their side's column",
        "side.points": "what the side took, where it is known",
    }
    player_reports = ("master", "side.master")
    entry_types = (
        EntryType(
            "master",
            PlayerName(),
            N_("who is master in this round"),
            by=Actor.TABLE,
            when=Timing.SETUP,
        ),
    )
    measures = (
        Measure("opponents.points", "points that the others won", _points_of(OPPONENTS)),
        Measure("masters.points", "points that the master's side won in play", _points_of(MASTERS)),
        Measure("opponents.level", "the others' level before", _level_of(OPPONENTS)),
        Measure("masters.level", "the level of the master's side before", _level_of(MASTERS)),
        Measure(
            "first",
            "whether this is the first recorded round and no `standing` was entered",
            _is_first,
            kind=TRUTH,
        ),
        Measure(
            "positioned",
            "whether the record of the round begins in the middle",
            lambda rnd, _: rnd.starts_midway,
            kind=TRUTH,
        ),
    )

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self._takes_over: Expression  # set by `link`
        self._ranks: list[str] = []  # the rank for each level
        self._steps: dict[str, IntOrExpression] = {}  # the number of seats to the next master

    def link(self) -> None:
        self._takes_over = self.rules.compile_expression(
            self.row["takes_over"], "phases.levels.takes_over"
        )
        for key in ("after_held", "after_lost"):
            seats = (0, untrusted.MAX_PLAYERS)
            self._steps[key] = compile_amount(
                self.rules, self.row[key], f"phases.levels.{key}", seats
            )
        self._ranks = self.row["ranks"].split()
        if not self._ranks:
            message = "phases.levels.ranks: there is no rank for any level"
            self.rules.fault("phases.levels.ranks", "nothing", "ranks of the pack", message)

    def splits(self, split: RoleSplit, seats: int) -> Iterator[RoleSplit]:
        half = self.rules.side_size(seats)
        sides = (tuple(range(half)), tuple(range(half, seats)))
        for words, outcome in (("they hold on", sides), ("they lose it", sides[::-1])):
            pairs = zip((*ROLES, *OUTCOME), (*sides, *outcome), strict=True)
            yield split.add(words, {role: (role, side) for role, side in pairs})

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        return {"level": self._ranks}

    def begin(self, rnd: Round) -> State:
        expected: int | None = rnd.seating.standing["leader"]
        master = rnd.setup.master
        if master is None:
            master = rnd.seating.leader if expected is None else expected
        if rnd.setup.lead is None:
            rnd.seating.leader = master
        rnd.table.master = master
        rnd.table.level = self._rank(rnd, rnd.seating.tally[master])
        sides = {role: _side_in_role(rnd, role) for role in ROLES}
        return State(sides, expected if rnd.has_carried(self.name) else None)

    def as_setup(self, rnd: Round, start: Setup) -> Setup:
        return start._replace(master=rnd.table.master)

    def _rank(self, rnd: Round, level: int) -> str:
        """Return the rank of a level. A level above the last rank has the last rank."""
        index = level - self.rules.numbers.start(len(rnd.names))
        return self._ranks[max(0, min(index, len(self._ranks) - 1))]

    def apply(self, rnd: Round, entry: Entry) -> None:
        place(rnd, "master", rnd.setup._replace(master=entry.value))

    def conclude(self, rnd: Round, result: dict[str, str]) -> None:
        if set(result) != {"points"}:
            raise Unreadable(
                tr("enter the opponents' points as the result"), "result points=NUMBER"
            )
        points, most, unit = (
            parse_whole(result["points"], 0, 9999),
            self.row["points"],
            self.row["unit"],
        )
        if points > most or points % unit:
            raise Impossible(
                tr(
                    "points must be from 0 to {most} in steps of {unit}, not {points}",
                    most=most,
                    unit=unit,
                    points=points,
                )
            )
        least, play = _points_in_play(rnd, OPPONENTS), rnd.rules.card_play
        # If no phase counts points, the table may state any number of points.
        out = [1] * most if play is None else play.points_left(rnd)
        if points < least or not can_add_up(out, points - least):
            aside = most - least - _points_in_play(rnd, MASTERS) - sum(out)
            facts = {"least": least, "most": least + sum(out), "points": points}
            if aside:
                message = tr(
                    "according to the entries, the opponents have {least} and can reach "
                    "{most}, not {points} ({aside} points count for no side)",
                    aside=aside,
                    **facts,
                )
            else:
                message = tr(
                    "according to the entries, the opponents have {least} and can reach "
                    "{most}, not {points}",
                    **facts,
                )
            raise Impossible(message)
        rnd.state(self).result_points = points

    def after_trick(self, rnd: Round) -> None:
        state = rnd.state(self)
        if MASTERS not in rnd.roles:
            _give_roles(rnd)
        before, state.is_enough = state.is_enough, bool(rnd.evaluate(self._takes_over))
        if state.is_enough and not before:
            facts = {"opponents": _side_label(rnd, OPPONENTS), "points": _points(rnd, OPPONENTS)}
            message = N_("the points of {opponents} are now {points}, which is enough to take over")
            rnd.add_note(f"{self.name}.enough", message, facts, self.row["cite"])

    def result_form(self) -> str:
        return "result points=NUMBER"

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        return [("points", tr("the points of {side}", side=_side_label(rnd, "opponents")), [])]

    def close(self, rnd: Round) -> None:
        rnd.next_leader = rnd.table.master
        if rnd.void:
            return
        rnd.carry_over(self.name, {"rounds": rnd.number})
        if rnd.is_partial and rnd.result is None:
            rnd.scored = False
            return
        _give_roles(rnd)
        lost = rnd.evaluate(self._takes_over)
        for role, was in zip(OUTCOME, ROLES[::-1] if lost else ROLES, strict=True):
            rnd.roles[role] = rnd.roles[was]
        steps = self._steps["after_lost" if lost else "after_held"](rnd)
        rnd.next_leader = seat_to_left(len(rnd.names), rnd.table.master, steps)

    def view(self, rnd: Round) -> LevelsView:
        master, takes_over = rnd.table.master, self._takes_over
        ours, theirs = (_side_in_role(rnd, role) for role in ROLES)
        mate, play = theirs[0], rnd.rules.card_play
        return LevelsView(
            LevelsFacts(
                master=rnd.names[master],
                role=rnd.rules.translate_word("master"),
                level=rnd.table.level,
                sides={role: rnd.names_of(_side_in_role(rnd, role)) for role in ROLES},
                labels={role: _side_label(rnd, role) for role in ROLES},
                levels={MASTERS: rnd.seating.tally[ours[0]], OPPONENTS: rnd.seating.tally[mate]},
                opponents_level=self._rank(rnd, rnd.seating.starting_tally[mate]),
                points=_points(rnd, OPPONENTS),
                takes_over=bool(takes_over.value_or(rnd.reading())),
                counts_points=play is not None and rnd.is_current(play),
                over=rnd.over,
                void=rnd.void,
                scored=rnd.scored,
                next_master=None if rnd.next_leader is None else rnd.names[rnd.next_leader],
            )
        )


# --- view


class LevelsFacts(NamedTuple):
    """The sides of a round, with their players and levels.

    `role` is the word for the master. `sides` maps each role to its players. `labels` are the
    sides' labels on the sheet, and `levels` their tallies. `level` is the rank at which the round
    is played, and `opponents_level` is the opponents' rank. `points` are the opponents' points, and
    `takes_over` is true if they are enough to take over. `next_master` is None until it is known.
    """

    master: str
    role: str
    level: str
    sides: Mapping[str, list[str]]
    labels: Mapping[str, str]
    levels: Mapping[str, int]
    opponents_level: str
    points: float
    takes_over: bool
    counts_points: bool
    over: bool
    void: bool
    scored: bool
    next_master: str | None


class LevelsView(View[LevelsFacts]):
    """The sides, their levels and the opponents' points, as text and JSON."""

    __slots__ = ()

    def sentences(self) -> Iterator[Sentence]:
        facts = self.facts
        yield Sentence(self._master())
        names, level = facts.sides[OPPONENTS], facts.opponents_level
        opponents = join_list(names)
        if facts.over:
            yield Sentence(
                plural(
                    "{names} was at level {level}",
                    "{names} were at level {level}",
                    len(names),
                    names=opponents,
                    level=level,
                )
            )
        else:
            yield Sentence(
                plural(
                    "{names} is at level {level}",
                    "{names} are at level {level}",
                    len(names),
                    names=opponents,
                    level=level,
                )
            )
        if facts.counts_points:
            if facts.takes_over:
                message = N_("{names} have {points}, which is enough to take over")
            else:
                message = N_("{names} have {points}, which is not yet enough to take over")
            yield Sentence(tr(message, names=opponents, points=self._points()))

    def _master(self) -> str:
        facts, role = self.facts, self.facts.role
        mates = [name for name in facts.sides[MASTERS] if name != facts.master]
        if mates:
            role = tr("{role} with {mates}", role=role, mates=join_list(mates))
        values = {"who": facts.master, "role": role, "level": facts.level}
        if facts.over:
            return tr("{who} was {role}, at level {level}", **values)
        return tr("{who} is {role}, at level {level}", **values)

    def _points(self) -> str:
        return plural("{count} point", "{count} points", self.facts.points)

    def result_sentences(self) -> Iterator[str]:
        facts = self.facts
        if facts.void or not facts.scored:
            return
        points, opponents = self._points(), join_list(facts.sides[OPPONENTS])
        message = N_("{names} took {points}, so they take over")
        if not facts.takes_over:
            message = N_("{names} took {points}, which is not enough to take over")
        yield tr(message, names=opponents, points=points)
        if facts.next_master is not None:
            yield tr("{who} is {role} next", who=facts.next_master, role=facts.role)

    def as_json(self) -> Json:
        facts = self.facts
        return {
            "sides": facts.sides,
            "players": {facts.master: {"role": facts.role}},
            "bindings": {
                "master": facts.master,
                "level": facts.level,
                "levels": {facts.labels[role]: facts.levels[role] for role in ROLES},
                "opponents": {"points": facts.points, "takes_over": facts.takes_over},
            },
        }

    def summary(self) -> Json:
        facts = self.facts
        points = facts.points if facts.over and not facts.void and facts.scored else None
        return {
            "master": facts.master,
            "level": facts.level,
            "points": points,
            "sides": {facts.labels[role]: facts.sides[role] for role in ROLES},
            "player.master": {facts.master: 1},
            "side.master": {facts.labels[MASTERS]: facts.master},
            "side.points": {facts.labels[OPPONENTS]: points},
        }


# --- clauses


@clause(
    "expected-master",
    "levels",
    on=("master",),
    say=N_("{expected} was expected to be master"),
    doc="Adds a note if the named master is not the one expected after the previous round.",
    verdict=LEGAL,
)
def _expected_master(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Levels)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        expected = rnd.state(phase).expected_master
        if expected is None or entry.value == expected:
            return None
        return Breach({"expected": rnd.names[expected], "master": rnd.names[entry.value]})

    return judge
