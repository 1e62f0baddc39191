"""The phase in which players fill the boxes of a form in turn, and its state."""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import ExpressionError
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import N_, join_list, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.measures import ColumnFor, Owner, owner_of
from scorekeeper.engine.phase import OWN, Measure, Phase, View, actor_of
from scorekeeper.notation import Entry
from scorekeeper.phases.boxes.entries import (
    JOKER,
    MAX_POINTS,
    BoxSyntax,
    FilledBox,
    FillSyntax,
    fill_type,
    strike_type,
)
from scorekeeper.phases.boxes.throws import MAX_DICE, MAX_FACES, THROW, Box, DiceSet
from scorekeeper.phases.boxes.view import (
    BOX,
    MULTIPLIED,
    SUM,
    TOTAL,
    WHOLE,
    BoxesFacts,
    BoxesView,
    FormRow,
    describe_numbers,
)
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Row
    from scorekeeper.engine.phase import Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation.entry import EntryType
    from scorekeeper.phases.boxes.throws import Dice

    Place = tuple[str, str]  # a box and a column
    # Functions that return a number from a seat's column. ReadMark returns None for a free box.
    ReadCell = Callable[[Round, "State", int, str], int]
    ReadMark = Callable[[Round, "State", int, str], int | None]

ROWS_TABLE = "boxes"
MAX_BOXES, MAX_COLUMNS = 40, 12
STRIDE = 7  # distance in the list of throws between an offered throw and the next
DEFAULT_TYPES = (
    fill_type(FillSyntax((), (), DiceSet(1, 1), True)),
    strike_type(BoxSyntax((), ())),
)


class Mark(NamedTuple):
    """The content of a filled box: its points, and the throw if its dice were entered.

    `is_joker` is true if the throw earns the points of a joker.
    """

    points: int
    dice: tuple[int, ...]
    is_joker: bool


class State:
    """The forms of a game.

    `marks` has the filled places of each seat, in the order in which they were filled. `last` is
    the seat that filled the last one, or -1. `stopped` is true if the phase ended early.
    """

    __slots__ = ("last", "marks", "stopped")

    def __init__(self, seats: Iterable[int]) -> None:
        self.marks: dict[int, dict[Place, Mark]] = {seat: {} for seat in seats}
        self.last = -1
        self.stopped = False


class Bonus:
    """A row of `[bonuses]`: extra points for a column that meets the condition."""

    __slots__ = ("label", "name", "points", "section", "when")

    def __init__(self, name: str, row: Row, points: Expression, when: Expression) -> None:
        self.name = name
        self.label: str = row["label"] or name
        self.section: str = row["section"]
        self.points = points
        self.when = when


@phase
class Boxes(Phase[State]):
    """The phase in which players fill the boxes of a form.

    `columns` maps each column to the factor of its points. There is one column without a name if
    the ruleset names none. A place is a box in a column.
    """

    name = "boxes"
    family = N_("games scored in boxes")
    doc = (
        "The players in turn fill the boxes of a form, each once: with a throw (`Ana: 5 5 5 2 2"
        " full-house`), with its points (`Ana: 28 chance`), or with 0 (`Ana: strike chance`). The"
        " round is over when all boxes are filled. `own.NAME` are a player's points in a box, in"
        " the boxes of a section, or of a bonus."
    )
    tables = (ROWS_TABLE,)
    clause_order = "once fits possible joker forced in-order"
    standard_words = "once fits possible joker forced in-order"
    parameters = {
        "dice": Parameter("int", "the number of dice of a throw", 5, bounds=(1, MAX_DICE)),
        "faces": Parameter("int", "the number of faces of a die", 6, bounds=(2, MAX_FACES)),
        "columns": Parameter(
            "int of",
            "the columns of the form, each with the factor by which its points are multiplied"
            " (empty: one column)",
            {},
            bounds=(1, 99),
        ),
        "sections": Parameter(
            "sentences",
            "the parts of the form, each with the name of its sum there (empty: one part)",
            {},
        ),
        "downward": Parameter("texts", "the columns that are filled from top to bottom", []),
        "upward": Parameter("texts", "the columns that are filled from bottom to top", []),
        "joker": Parameter(
            "name",
            "the box whose throw is a joker once this box is filled in each column: it fits every"
            " box (empty: there are no jokers)",
            "",
            rows=ROWS_TABLE,
            words=("joker",),
        ),
        "joker_points": Parameter(
            "int", "the points of each joker, if the joker's box has points", 0
        ),
        "joker_label": Parameter("text", "the name of these points on the form", ""),
        "first": Parameter(
            "name",
            "the section in which a joker must be used if a box with points for it is free there;"
            " otherwise it must be used in another section as long as a box is free there (empty:"
            " anywhere)",
            "",
            words=("forced",),
        ),
    }
    row_tables = {
        ROWS_TABLE: {
            "points": Parameter("number", "the points of a throw, over `thrown`", natural=True),
            "needs": Parameter("condition", "what a throw must have, over `thrown`", "true"),
            "section": Parameter("name", "the part of the form to which it belongs", ""),
            "label": Parameter("text", "its name on the form (default: its word)", ""),
            "cite": Parameter("text", "the paragraph of the rule text", ""),
        },
        "bonuses": {
            "points": Parameter("number", "the points, over a column's `own.…`"),
            "when": Parameter("condition", "the condition on a column's `own.…`", "true"),
            "section": Parameter("name", "the section below which it is written", ""),
            "label": Parameter("text", "its name on the form (default: the row's name)", ""),
            "cite": Parameter("text", "the paragraph of the rule text", ""),
        },
    }
    entry_types: tuple[EntryType, ...] = DEFAULT_TYPES
    reports = {"form": "the forms of all players"}

    @classmethod
    def idle_words(cls, row: Row, data: Row) -> Collection[str]:
        joker, first = row.get("joker"), row.get("first")
        in_order = row.get("downward") or row.get("upward")
        used = {"joker": joker, "forced": joker and first, "in-order": in_order}
        return [word for word, value in used.items() if not value]

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.columns: dict[str, int] = row["columns"] or {"": 1}
        self.joker: str = row["joker"]
        self.dice = DiceSet(row["dice"], row["faces"])
        names, columns = list(rules.section(ROWS_TABLE)), list(row["columns"])
        self.entry_types = (
            fill_type(FillSyntax(names, columns, self.dice, bool(self.joker))),
            strike_type(BoxSyntax(names, columns)),
        )
        self.reports = {
            **type(self).reports,
            **{f"player.{name}": f"the points in {name}" for name in names},
            "player.struck": "the boxes with 0 points",
            "player.jokers": "the number of jokers with points",
        }
        self.boxes: dict[str, Box] = {}  # compiled by `link`, like `bonuses`
        self.bonuses: dict[str, Bonus] = {}

    def link(self) -> None:
        compiled = self.rules.compile_expression
        for name, row in self.rules.section(ROWS_TABLE).items():
            where = f"{ROWS_TABLE}.{name}"
            points = compiled(row["points"], f"{where}.points", (THROW,), whole=True)
            needs = compiled(row["needs"], f"{where}.needs", (THROW,))
            self._check_names(points, f"{where}.points")
            self._check_names(needs, f"{where}.needs")
            self.boxes[name] = Box(row, points, needs, self.dice)
        for name, row in self.rules.section("bonuses").items():
            where = f"bonuses.{name}"
            points = compiled(row["points"], f"{where}.points", (OWN,), whole=True)
            when = compiled(row["when"], f"{where}.when", (OWN,))
            self.bonuses[name] = Bonus(name, row, points, when)

    def _check_names(self, expression: Expression, where: str) -> None:
        """Report measures in the expression that do not describe a throw."""
        for name in expression.names:
            if not self.dice.knows(name):
                allowed = "measures of the throw"
                self.rules.fault(where, name, allowed, f"{where}: “{name}” is not about the throw")

    def check(self, trial_allowed: bool) -> None:
        """Report names that the form does not have, and boxes that no throw can fill."""
        report, sections = self.rules.fault, list(self.row["sections"])
        for key in ("downward", "upward"):
            for column in self.row[key]:
                if column not in self.row["columns"]:
                    where = f"phases.boxes.{key}"
                    allowed = join_list(list(self.row["columns"]), "or") or "no column"
                    report(where, column, allowed, f"{where}: there is no column “{column}”")
        named = [(f"bonuses.{name}.section", bonus.section) for name, bonus in self.bonuses.items()]
        named += [(f"{ROWS_TABLE}.{name}.section", box.section) for name, box in self.boxes.items()]
        if self.row["first"]:
            named.append(("phases.boxes.first", self.row["first"]))
        for where, section in named:
            if section not in sections and (section or sections):
                allowed = join_list(sections, "or") or "no section"
                report(where, section, allowed, f"{where}: there is no section “{section}”")
        sizes = (
            (ROWS_TABLE, len(self.boxes), MAX_BOXES),
            ("phases.boxes.columns", len(self.columns), MAX_COLUMNS),
        )
        for where, count, most in sizes:
            if count > most:
                report(where, str(count), f"at most {most}", f"{where}: more than {most}")
                trial_allowed = False
        if trial_allowed:
            self._check_boxes()

    def _check_boxes(self) -> None:
        """Report boxes that no throw can fill, and points of a throw that are out of bounds."""
        for name, box in self.boxes.items():
            where = f"{ROWS_TABLE}.{name}"
            try:
                numbers = sorted(box.throws_by_points)
            except ExpressionError as error:
                self.rules.fault(where, name, "points for every throw", f"{where}: {error}")
                continue
            if not numbers:
                message = f"{where}.needs: no throw can fill the box"
                self.rules.fault(f"{where}.needs", box.needs.text, "a throw", message)
            wrong = [number for number in numbers if not 0 <= number <= MAX_POINTS]
            if wrong:
                message = f"{where}.points: a throw would get {wrong[0]} points"
                allowed = f"0 to {MAX_POINTS} points"
                self.rules.fault(f"{where}.points", str(wrong[0]), allowed, message)

    @cached_property
    def _sections(self) -> dict[str, list[str]]:
        """The boxes of each section, in the form's order."""
        sections: dict[str, list[str]] = {name: [] for name in self.row["sections"]}
        for name, row in self.rules.section(ROWS_TABLE).items():
            sections.setdefault(row["section"], []).append(name)
        return sections

    def words(self) -> Iterable[tuple[str, str]]:
        names = [*self.rules.section(ROWS_TABLE), *self.row["columns"]]
        if self.joker:
            names.append(JOKER)
        return [(name, name) for name in names]

    # --- measures

    def named_measures(self) -> Iterator[Measure]:
        yield from self.dice.measures()
        sections = {name: boxes for name, boxes in self._sections.items() if name}
        for name in self.rules.section(ROWS_TABLE):
            yield self._own_measure(name, f"their points in the box {name}", [name])
        for name, boxes in sections.items():
            yield self._own_measure(name, f"their points in the boxes of the {name} section", boxes)
        for name in self.rules.section("bonuses"):
            doc = f"their points of the bonus {name}"
            yield Measure(f"own.{name}", doc, self._reader(self._bonus_cell(name)), OWN)
        yield Measure("own.jokers", "their points of jokers", self._read_jokers, OWN)

    def _own_measure(self, name: str, doc: str, boxes: Collection[str]) -> Measure:
        """Return the measure of the points in some boxes. If an expression is about one column,
        the points are not multiplied by the factor of the column."""
        return Measure(f"own.{name}", doc, self._reader(_sum_of(boxes)), OWN)

    def _reader(self, read: ReadCell) -> Reader:
        """Return a function that computes a number for one column or for a whole form.

        `read` returns the number for one column.
        """

        def total(rnd: Round, subject: object) -> int:
            state = rnd.state_if_begun(self)
            if state is None:
                return 0
            if isinstance(subject, ColumnFor):
                return read(rnd, state, subject.owner.seats[0], subject.column)
            return sum(
                read(rnd, state, seat, column) * factor
                for seat in owner_of(subject).seats
                if seat in state.marks
                for column, factor in self.columns.items()
            )

        return total

    def _bonus_cell(self, name: str) -> ReadCell:
        return lambda rnd, _, seat, column: self.bonus_in(rnd, name, seat, column)

    def bonus_in(self, rnd: Round, name: str, seat: int, column: str) -> int:
        """Return the points of a bonus in a player's column, before the column's factor applies."""
        bonus, owner = self.bonuses[name], ColumnFor(column, Owner((seat,)))
        return int(rnd.evaluate(bonus.points, owner)) if rnd.evaluate(bonus.when, owner) else 0

    def _read_jokers(self, rnd: Round, subject: object) -> int:
        state = rnd.state_if_begun(self)
        if state is None:
            return 0
        return sum(self._joker_points(state, seat) for seat in owner_of(subject).seats)

    def _joker_points(self, state: State, seat: int) -> int:
        return _count_jokers(state, seat) * int(self.row["joker_points"])

    # --- course of a round

    def begin(self, rnd: Round) -> State:
        return State(rnd.seating.playing())

    def finished(self, rnd: Round) -> bool:
        return not self.waiting(rnd)

    def stop(self, rnd: Round) -> None:
        rnd.state(self).stopped = True

    def play_begun(self, rnd: Round) -> bool:
        state = rnd.state_if_begun(self)
        return state is not None and state.last >= 0

    def waiting(self, rnd: Round) -> list[int]:
        state, seating = rnd.state(self), rnd.seating
        if state.stopped:
            return []
        seat = seating.leader if state.last < 0 else seating.next_seat(state.last, seating.step)
        for _ in rnd.names:
            if seat in state.marks and self._has_free_place(state, seat):
                return [seat]
            seat = seating.next_seat(seat, seating.step)
        return []

    def _has_free_place(self, state: State, seat: int) -> bool:
        return len(state.marks[seat]) < len(self.boxes) * len(self.columns)

    def close(self, rnd: Round) -> None:
        if not rnd.void:
            rnd.next_leader = rnd.seating.next_active(rnd.seating.leader, rnd.seating.step)

    def apply(self, rnd: Round, entry: Entry) -> None:
        state, seat = rnd.state(self), actor_of(entry)
        place = self.place_of(rnd, entry)
        state.marks[seat][place] = self._mark(rnd, entry, place)
        state.last = seat

    def _mark(self, rnd: Round, entry: Entry, place: Place) -> Mark:
        """Return the points that an entry writes into the form, with the throw, as a `Mark`."""
        state, seat, filled = rnd.state(self), actor_of(entry), entry.value
        throws = self._possible_throws(rnd, entry)
        has_joker = any(
            mark.points > 0 for (box, _), mark in state.marks[seat].items() if box == self.joker
        )
        is_joker = bool(throws) and all(self.is_joker(state, seat, each) for each in throws)
        points = filled.number
        if filled.dice:
            points = self.boxes[place[0]].points_of(filled.dice)
        return Mark(points, filled.dice, is_joker and has_joker)

    def place_of(self, rnd: Round, entry: Entry) -> Place:
        """Return the box and the column that an entry fills.

        The column need not be named if the box is free in one column only. Raises Impossible if
        the column is not named and the box is free in several, or if no box is named.
        """
        filled: FilledBox = entry.value
        if not filled.box:
            raise self._missing_box_error(rnd, entry)
        if filled.column or len(self.columns) == 1:
            return filled.box, filled.column or next(iter(self.columns))
        state, seat = rnd.state(self), actor_of(entry)
        marks = state.marks[seat]
        free = [column for column in self.columns if (filled.box, column) not in marks]
        if len(free) < 2:
            return filled.box, (free or list(self.columns))[0]
        word = rnd.rules.lexicon.write_word
        columns = join_list(list(map(word, free)), "or")
        raise Impossible(
            tr("the column is missing, and {box} is free in several columns", box=word(filled.box)),
            tr("add {columns}", columns=columns),
        )

    def _missing_box_error(self, rnd: Round, entry: Entry) -> Impossible:
        """Return the error for dice without a box, with the points of the throw in each free
        box."""
        state, seat, dice = rnd.state(self), actor_of(entry), entry.value.dice
        free = dict.fromkeys(box for box, _ in self._free_places(state, seat))
        worth = {
            box: self.boxes[box].points_of(dice)
            for box in free
            if self._counts(state, seat, box, dice)
        }
        best = sorted((box for box in worth if worth[box]), key=lambda box: -worth[box])
        texts = [
            tr("{points} in {box}", points=worth[box], box=self._write(rnd, box)) for box in best
        ]
        hint = tr("add a box; the throw gets {points}", points=join_list(texts, "or"))
        if not texts:
            hint = tr("add a box, or strike one; free: {free}", free=self._list_boxes(rnd, free))
        return Impossible(tr("the box is missing"), hint)

    # --- throws

    def is_joker(self, state: State, seat: int, dice: Dice) -> bool:
        """Return whether a throw is a joker for a player now."""
        if not self.joker or self._joker_box_is_free(state, seat):
            return False
        return self.boxes[self.joker].fits(dice)

    def _joker_box_is_free(self, state: State, seat: int) -> bool:
        return any((self.joker, column) not in state.marks[seat] for column in self.columns)

    def _counts(self, state: State, seat: int, box: str, dice: Dice) -> bool:
        """Return whether a throw earns points in a box for a player now."""
        return self.boxes[box].fits(dice) or self.is_joker(state, seat, dice)

    def _possible_throws(self, rnd: Round, entry: Entry) -> list[Dice]:
        """Return the throws that an entry can mean. If the entry fills a box with 0 without
        naming dice, the list is empty."""
        filled: FilledBox = entry.value
        if filled.dice:
            return [filled.dice]
        if entry.type is self.entry_types[1] or not (filled.number or filled.joker):
            return []
        state, seat = rnd.state(self), actor_of(entry)
        box, number = self.boxes[filled.box], filled.number
        jokers = self._joker_throws(state, seat)
        fitting = [] if filled.joker else box.throws_by_points.get(number, [])
        return [
            *fitting,
            *(each for each in jokers if box.points_of(each) == number and each not in fitting),
        ]

    def _joker_throws(self, state: State, seat: int) -> list[Dice]:
        """Return the throws that are jokers for a player now."""
        if not self.joker or self._joker_box_is_free(state, seat):
            return []
        return self.boxes[self.joker].fitting_throws

    # --- what breaks a rule

    def find_filled(self, rnd: Round, entry: Entry) -> Breach | None:
        """Return the breach if the box is filled already, or None."""
        state, seat = rnd.state(self), actor_of(entry)
        place = self.place_of(rnd, entry)
        mark = state.marks[seat].get(place)
        if mark is None:
            return None
        column = place[1] if len(self.columns) > 1 else ""
        free = [box for box in self.boxes if (box, place[1]) not in state.marks[seat]]
        facts = {"box": self._write(rnd, place[0], column), "points": mark.points}
        say = FILLED if free else FULL
        return Breach({**facts, "free": self._list_boxes(rnd, free)}, say)

    def _is_filled(self, rnd: Round, entry: Entry) -> bool:
        """Return whether the box is filled already. If so, no other fault of the entry is
        reported."""
        return self.place_of(rnd, entry) in rnd.state(self).marks[actor_of(entry)]

    def find_misfit(self, rnd: Round, entry: Entry) -> Breach | None:
        """Return the breach if the dice do not meet the requirement of the box, or None."""
        filled: FilledBox = entry.value
        state, seat = rnd.state(self), actor_of(entry)
        if not filled.dice or self._is_filled(rnd, entry):
            return None
        if self._counts(state, seat, filled.box, filled.dice):
            return None
        strike = Entry(self.entry_types[1], None, filled._replace(dice=(), joker=False))
        typed = " ".join(map(str, filled.dice))
        box = self._write(rnd, filled.box)
        return Breach({"dice": typed, "box": box, "legal": self._format(rnd, strike)})

    def _format(self, rnd: Round, entry: Entry) -> str:
        value: FilledBox = entry.value
        return self._write(rnd, entry.type.word, value.box, value.column)

    def find_impossible_points(self, rnd: Round, entry: Entry) -> Breach | None:
        """Return the breach if no throw has these points in the box, or None."""
        filled: FilledBox = entry.value
        if filled.dice or not (filled.number or filled.joker):
            return None
        if self._possible_throws(rnd, entry) or self._is_filled(rnd, entry):
            return None
        state, seat = rnd.state(self), actor_of(entry)
        if filled.joker and self._joker_box_is_free(state, seat):
            return None  # no throw can be a joker yet
        own = self.boxes[filled.box]
        numbers = {own.points_of(each) for each in self._joker_throws(state, seat)}
        if not filled.joker:
            numbers |= {0, *own.throws_by_points}
        box = self._write(rnd, filled.box)
        allowed = describe_numbers(numbers)
        return Breach({"number": filled.number, "box": box, "allowed": allowed})

    def find_no_joker(self, rnd: Round, entry: Entry) -> Breach | None:
        """Return the breach if a throw is entered as a joker but is not one. Otherwise, return
        None."""
        filled: FilledBox = entry.value
        if not filled.joker:
            return None
        state, seat = rnd.state(self), actor_of(entry)
        box = self._write(rnd, self.joker)
        if self._joker_box_is_free(state, seat):
            return Breach({"box": box})
        if filled.dice and not self.is_joker(state, seat, filled.dice):
            return Breach({"dice": " ".join(map(str, filled.dice)), "box": box}, NO_JOKER)
        return None

    def find_wrong_use(self, rnd: Round, entry: Entry) -> Breach | None:
        """Return the breach if a joker must be used in another box, or None.

        If only the points were entered, any throw worth these points is possible.
        """
        throws = self._possible_throws(rnd, entry)
        state, seat = rnd.state(self), actor_of(entry)
        place, allowed = self.place_of(rnd, entry), set[str]()
        for dice in throws:
            if not self.is_joker(state, seat, dice):
                return None
            places = self._places_for_joker(state, seat, dice)
            if place in places:
                return None
            allowed.update(box for box, _ in places)
        if not allowed:
            return None
        legal = self._list_boxes(rnd, [box for box in self.boxes if box in allowed], "or")
        return Breach({"box": self._write(rnd, place[0]), "legal": legal})

    def _places_for_joker(self, state: State, seat: int, dice: Dice) -> list[Place]:
        """Return the free places in which a joker may be used."""
        free, first = self._free_places(state, seat), self.row["first"]
        if not first:
            return free
        own = [(box, column) for box, column in free if self.boxes[box].section == first]
        scoring = [place for place in own if self.boxes[place[0]].points_of(dice) > 0]
        return scoring or [place for place in free if place not in own] or own

    def find_out_of_order(self, rnd: Round, entry: Entry) -> Breach | None:
        """Return the breach if another box of the column must be filled first, or None."""
        box, column = self.place_of(rnd, entry)
        marks = rnd.state(self).marks[actor_of(entry)]
        free = [name for name in self._in_order(column) if (name, column) not in marks]
        if not free or box == free[0] or (box, column) in marks:
            return None
        word = rnd.rules.lexicon.write_word
        return Breach({"box": word(box), "column": word(column), "next": word(free[0])})

    def _in_order(self, column: str) -> list[str]:
        """Return the boxes of a column in the order in which they must be filled. Return an empty
        list if any order is allowed."""
        if column in self.row["downward"]:
            return list(self.boxes)
        return list(self.boxes)[::-1] if column in self.row["upward"] else []

    def _write(self, rnd: Round, *words: str) -> str:
        return " ".join(rnd.rules.translate_word(word) for word in words if word)

    def _list_boxes(self, rnd: Round, boxes: Iterable[str], word: str = "and") -> str:
        return join_list([rnd.rules.translate_word(box) for box in boxes], word)

    def _free_places(self, state: State, seat: int) -> list[Place]:
        marks = state.marks[seat]
        return [place for place in product(self.boxes, self.columns) if place not in marks]

    # --- what may be typed

    def options(self, rnd: Round) -> Iterator[Entry]:
        state = rnd.state(self)
        fill, strike = self.entry_types
        for seat in self.waiting(rnd):
            count = sum(map(len, state.marks.values()))
            for box, column in self._free_places(state, seat):
                free = FilledBox(box, column)
                for dice in self._sample_throws(state, seat, box, count):
                    yield Entry(fill, seat, free._replace(dice=dice))
                for number in sorted(self.boxes[box].throws_by_points.keys() - {0}):
                    yield Entry(fill, seat, free._replace(number=number))
                yield Entry(strike, seat, free)

    def _sample_throws(self, state: State, seat: int, box: str, at: int) -> Iterator[Dice]:
        """Yield a throw that fits a box, and a joker if one is possible. Different values of
        `at` give different throws."""
        own = self.boxes[box]
        fitting = [dice for dice in own.fitting_throws if own.points_of(dice) > 0]
        if fitting:
            yield fitting[(at * STRIDE + len(box)) % len(fitting)]
        jokers = self._joker_throws(state, seat)
        if jokers:
            yield jokers[at % len(jokers)]

    # --- view

    def view(self, rnd: Round) -> View[object]:
        state = rnd.state_if_begun(self)
        if state is None:
            return BoxesView(BoxesFacts(rows=self._rows(rnd, None), factors=self.columns))
        waiting = self.waiting(rnd) if rnd.is_current(self) else []
        free = [place for seat in waiting for place in self._free_places(state, seat)]
        marks = {
            rnd.names[seat]: {
                place: (mark.points, mark.dice) for place, mark in state.marks[seat].items()
            }
            for seat in state.marks
        }
        places = len(self.boxes) * len(self.columns)
        words = [*self.boxes, *filter(None, self.columns)]
        facts = BoxesFacts(
            rows=self._rows(rnd, state),
            factors=self.columns,
            who=rnd.names[waiting[0]] if waiting else "",
            turn=places - len(free) + 1,
            turns=places,
            free=free,
            boxes=list(self.boxes),
            marks=marks,
            jokers={rnd.names[seat]: _count_jokers(state, seat) for seat in state.marks},
            totals={rnd.names[seat]: self._total(rnd, state, seat) for seat in state.marks},
            forms={word: rnd.rules.translate_word(word) for word in words},
        )
        return BoxesView(facts)

    def _total(self, rnd: Round, state: State, seat: int) -> int:
        """Return all points in a player's form."""
        columns = (self._column_total(rnd, state, seat, column) for column in self.columns)
        return sum(columns) + self._joker_points(state, seat)

    def _column_total(self, rnd: Round, state: State, seat: int, column: str) -> int:
        """Return a player's points in a column, multiplied by its factor."""
        bonuses = sum(self.bonus_in(rnd, name, seat, column) for name in self.bonuses)
        points = _sum_of(self.boxes)(rnd, state, seat, column)
        return self.columns[column] * (points + bonuses)

    def _fixed_points(self, box: str) -> int | None:
        """Return the points of a box that is always worth the same, or None."""
        text = self.boxes[box].points.text
        return int(text) if text.isdecimal() else None

    def _rows(self, rnd: Round, state: State | None) -> list[FormRow]:
        """Return the rows of the form, with the points of each player in each column."""

        def row(
            kind: str,
            label: str,
            read: ReadMark,
            columns: Iterable[str] = self.columns,
            worth: int | None = None,
        ) -> FormRow:
            cells: dict[str, list[int | None]] = {}
            if state is not None:
                for seat in state.marks:
                    numbers = [read(rnd, state, seat, column) for column in columns]
                    cells[rnd.names[seat]] = numbers
            return FormRow(kind, label, worth, cells)

        rows: list[FormRow] = []
        for section, boxes in self._sections.items():
            for name in boxes:
                label = self.boxes[name].label or name
                rows.append(row(BOX, label, _mark_in(name), worth=self._fixed_points(name)))
            if section:
                label = self.row["sections"].get(section, section)
                rows.append(row(SUM, label, _sum_of(boxes)))
            for bonus in self.bonuses.values():
                if bonus.section == section:
                    rows.append(row(SUM, bonus.label, self._bonus_cell(bonus.name)))
        if any(factor > 1 for factor in self.columns.values()):
            rows.append(row(SUM, MULTIPLIED, self._column_total))
        if self.joker and self.row["joker_points"]:
            label = self.row["joker_label"] or JOKER
            rows.append(
                row(WHOLE, label, lambda _, st, seat, __: self._joker_points(st, seat), ("",))
            )
        rows.append(row(WHOLE, TOTAL, lambda r, st, seat, _: self._total(r, st, seat), ("",)))
        return rows


def _mark_in(box: str) -> ReadMark:
    """Return a function that returns the points in a box, or None for a free box."""

    def read(rnd: Round, state: State, seat: int, column: str) -> int | None:
        mark = state.marks[seat].get((box, column))
        return None if mark is None else mark.points

    return read


def _sum_of(boxes: Iterable[str]) -> ReadCell:
    """Return a function that adds up the points in these boxes of a column."""

    def read(rnd: Round, state: State, seat: int, column: str) -> int:
        marks = state.marks[seat]
        return sum(marks[box, column].points for box in boxes if (box, column) in marks)

    return read


def _count_jokers(state: State, seat: int) -> int:
    """Return how many of a player's jokers have earned points."""
    return sum(mark.is_joker for mark in state.marks.get(seat, {}).values())


FILLED = N_("{who} has already filled {box}, with {points}; free: {free}")
FULL = N_("{who} has already filled {box}, with {points}")
NO_JOKER = N_("{dice} does not fit {box} and is not a joker")
