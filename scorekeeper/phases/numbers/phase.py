"""The phase in which the table enters the numbers or the places of a round, and its state."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.expressions import TRUTH, NotYetKnown
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import N_, join_list, plural, tr
from scorekeeper.core.text import quote
from scorekeeper.engine.measures import Owner, seats_of
from scorekeeper.engine.phase import OWN, JointEntries, Measure, Phase, View, actor_of
from scorekeeper.engine.ruleset import compile_amount
from scorekeeper.notation import Entry
from scorekeeper.phases.numbers.entries import (
    PLACES_TYPE,
    TO,
    Column,
    NumberEntry,
    NumberSet,
    number_type,
    row_type,
)
from scorekeeper.phases.numbers.view import EACH, ONE, PLACES, SIDES, NumbersFacts, NumbersView
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Row
    from scorekeeper.engine.phase import Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import IntOrExpression, Ruleset
    from scorekeeper.notation.entry import EntryType

    Owners = Sequence[tuple[int, ...]]
    Given = list[
        tuple[tuple[int, ...], NumberEntry]
    ]  # the numbers of an entry, each with its players

DEFAULT = "number"
ANY_NUMBER = "-99999..99999"
_NUMBER_KEY = "phases.numbers.number"
SAMPLE_ROWS = 6  # number of whole rounds that random play may choose from
TOO_LITTLE = N_("the numbers add up to {total} instead of {sum}: {difference} too few")
TOO_MUCH = N_("the numbers add up to {total} instead of {sum}: {difference} too many")
OUT_OF_REACH = N_("with this entry, the numbers can no longer add up to {sum}")


class State:
    """The numbers of a round.

    `columns` contains, for each kind of number, the numbers entered so far by seat. `said` maps
    each word to the seats of the players who used it.
    """

    __slots__ = ("columns", "said")

    def __init__(self, columns: int, words: Iterable[str]) -> None:
        self.columns: list[dict[int, int]] = [{} for _ in range(columns)]
        self.said: dict[str, list[int]] = {word: [] for word in words}

    def copy(self) -> State:
        """Return an independent copy."""
        other = State(0, ())
        other.columns = [dict(column) for column in self.columns]
        other.said = {word: list(seats) for word, seats in self.said.items()}
        return other


@phase
class Numbers(Phase[State], JointEntries):
    """The phase in which the table enters the numbers or the places of a round.

    `columns` are the kinds of numbers of a round, by name. An owner of a number is a player, or
    the players of a side.
    """

    name = "numbers"
    family = N_("games scored by numbers")
    doc = (
        "The table enters each player's number: all in one line in the order of their names"
        " (`12 31 7 20`), or one by one (`Ana: 12`). Several kinds of numbers are entered one"
        " after the other. The round is over when all numbers are known. `own.number` is a player's"
        " number, or `own.NAME` a kind of `numbers`; `own.WORD` is whether they used a word, and"
        " `said.WORD` how many have used it."
    )
    clause_order = "allowed said adds-up"
    standard_words = "allowed said adds-up"
    parameters = {
        "who": Parameter(
            "choice",
            "who has a number: `each` player, the `sides`, or only `one`, the winner; with"
            " `places`, the order from first to last is entered, and a place is the number",
            EACH,
            (EACH, SIDES, ONE, PLACES),
        ),
        "number": Parameter(
            "text",
            "the numbers that are allowed: numbers and ranges such as `-17..140` or `0..100/5`; the"
            " end of a range may be an expression (`0..rounds`) (empty: any)",
            "",
        ),
        "numbers": Parameter(
            "sentences",
            "several kinds of numbers that are entered one after the other, each with the numbers"
            " that are allowed, in place of `number`",
            {},
        ),
        "words": Parameter(
            "sentences",
            "words that may follow a number, each with the condition under which it may",
            {},
        ),
        "sum": Parameter(
            "number",
            "what the numbers, or those of the last kind, add up to (empty: anything)",
            "",
            words=("adds-up",),
        ),
        "any_game": Parameter(
            "bool",
            "whether the ruleset is for any game: leagues then compare only matches of the same"
            " name",
            False,
        ),
    }
    entry_types: tuple[EntryType, ...] = (row_type(), number_type(), PLACES_TYPE)
    roles: tuple[str, ...] = ("winners",)

    @classmethod
    def idle_words(cls, row: Row, data: Row) -> Collection[str]:
        used = {"said": row.get("words"), "adds-up": "sum" in row}
        return [word for word, value in used.items() if not value]

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.who: str = row["who"]
        self.is_any_game = row["any_game"]
        words = tuple(row["words"])
        number, together = number_type(words), row_type(words)
        self.entry_types = {ONE: (number,), PLACES: (PLACES_TYPE, number)}.get(
            self.who, (together, number)
        )
        if self.who not in (ONE, PLACES):
            self.roles = ()
        self.texts: dict[str, str] = row["numbers"] or {DEFAULT: row["number"] or ANY_NUMBER}
        self.columns: list[Column] = []  # compiled by `link`, like the next two
        self.reports = {f"player.{name}": f"the {name} of each player" for name in self.texts}
        if words:
            self.reports["player.said"] = "the words after the numbers"
        self._conditions: dict[str, Expression] = {}
        self._sum: IntOrExpression | None = None

    def link(self) -> None:
        for name, text in self.texts.items():
            where = f"phases.numbers.numbers.{name}" if self.row["numbers"] else _NUMBER_KEY
            self.columns.append(self._read_column(text, where))
        for word, when in self.row["words"].items():
            where = f"phases.numbers.words.{word}"
            self._conditions[word] = self.rules.compile_expression(when, where, (OWN,))
        if self.row["sum"] != "":
            self._sum = compile_amount(self.rules, self.row["sum"], "phases.numbers.sum")

    def _read_column(self, text: str, where: str) -> Column:
        def compile_limit(value: str) -> IntOrExpression:
            return compile_amount(self.rules, value, where)

        try:
            return Column(text, compile_limit)
        except (ValueError, Unreadable) as error:
            allowed = "numbers and ranges such as 0..13"
            self.rules.fault(where, quote(text), allowed, f"{where}: {quote(error)}")
            return Column(ANY_NUMBER, compile_limit)

    def check(self, trial_allowed: bool) -> None:
        """Report keys that exclude each other, and sides that a ruleset does not have."""
        row, report = self.row, self.rules.fault
        if row["number"] and row["numbers"]:
            message = f"{_NUMBER_KEY} and phases.numbers.numbers cannot both be given"
            report(_NUMBER_KEY, row["number"], "one of the two keys", message)
        if self.who == SIDES and not self.rules.sides["number"]:
            message = "phases.numbers.who: there are no sides"
            report("phases.numbers.who", SIDES, "[sides] with a number", message)
        limited = [key for key in ("number", "numbers", "sum") if row[key] not in ("", {})]
        if self.who == PLACES and limited:
            where = f"phases.numbers.{limited[0]}"
            report(where, str(row[limited[0]]), "no such key", f"{where}: places are the numbers")
        if self.who == ONE and row["sum"] != "":
            where = "phases.numbers.sum"
            report(where, str(row["sum"]), "no such key", f"{where}: only one player has a number")

    def words(self) -> Iterable[tuple[str, str]]:
        return [(word, word) for word in self.row["words"]]

    def named_measures(self) -> Iterator[Measure]:
        for at, name in enumerate(self.texts):
            yield Measure(f"own.{name}", f"the {name} of a player or side", self._reader(at), OWN)
        for word in self.row["words"]:
            often = f"the number of players or sides with the word `{word}` so far"
            yield Measure(f"said.{word}", often, self._said_reader(word))
            own = f"whether a player or side has the word `{word}`"
            yield Measure(f"own.{word}", own, self._own_word_reader(word), OWN, TRUTH)

    def _reader(self, column: int) -> Reader:
        def read(rnd: Round, subject: object) -> int:
            state = rnd.state_if_begun(self) or self.begin(rnd)
            given, total = state.columns[column], 0
            for owner in {self._owner_of(rnd, seat) for seat in seats_of(subject)}:
                if owner[0] not in given and not (rnd.closed or (given and self.who == ONE)):
                    names = join_list(rnd.names_of(owner))
                    raise NotYetKnown(tr("the number of {who} is not known", who=names))
                total += given.get(owner[0], 0)
            return total

        return read

    def _said_reader(self, word: str) -> Reader:
        def read(rnd: Round, _: object) -> int:
            state = rnd.state_if_begun(self)
            return 0 if state is None else len(state.said[word])

        return read

    def _own_word_reader(self, word: str) -> Reader:
        def read(rnd: Round, subject: object) -> bool:
            state = rnd.state_if_begun(self)
            if state is None:
                return False
            return any(
                self._owner_of(rnd, seat)[0] in state.said[word] for seat in seats_of(subject)
            )

        return read

    # --- owners

    def owners(self, rnd: Round) -> list[tuple[int, ...]]:
        """Return the players or sides that have a number, in the order of the names."""
        return list(dict.fromkeys(self._owner_of(rnd, seat) for seat in rnd.seating.playing()))

    def _owner_of(self, rnd: Round, seat: int) -> tuple[int, ...]:
        return tuple(rnd.seating.side(seat)) if self.who == SIDES else (seat,)

    def current_column(self, state: State, owners: Sequence[tuple[int, ...]]) -> int:
        """Return the index of the first incomplete kind of number, or the number of kinds if all
        are complete."""
        for at, given in enumerate(state.columns):
            if not given if self.who == ONE else any(owner[0] not in given for owner in owners):
                return at
        return len(state.columns)

    def lacking(self, rnd: Round, state: State) -> list[tuple[int, ...]]:
        """Return the players or sides without a number of the current kind."""
        owners = self.owners(rnd)
        column = self.current_column(state, owners)
        if column == len(state.columns):
            return []
        if self.who == ONE and column:
            return [(seat,) for seat in state.columns[0]]
        given = state.columns[column]
        return [owner for owner in owners if owner[0] not in given]

    # --- course of a round

    def begin(self, rnd: Round) -> State:
        return State(len(self.texts), self.row["words"])

    def finished(self, rnd: Round) -> bool:
        return not self.lacking(rnd, rnd.state(self))

    def play_begun(self, rnd: Round) -> bool:
        state = rnd.state_if_begun(self)
        return bool(state and any(state.columns))

    def waiting(self, rnd: Round) -> list[int]:
        return [seat for owner in self.lacking(rnd, rnd.state(self)) for seat in owner]

    def apply(self, rnd: Round, entry: Entry) -> None:
        state = rnd.state(self)
        for owner, said in self.given(rnd, state, entry):
            self._add(rnd, state, owner, said)

    def _add(self, rnd: Round, state: State, owner: tuple[int, ...], said: NumberEntry) -> None:
        column = self.current_column(state, self.owners(rnd))
        for seat in owner:
            state.columns[column][seat] = said.number
        for word in said.words:
            state.said[word].append(owner[0])

    def close(self, rnd: Round) -> None:
        state = rnd.state_if_begun(self)
        if state is None or not self.roles:
            return
        first = state.columns[0]
        won = [seat for seat, place in first.items() if self.who == ONE or place == 1]
        if won:
            rnd.roles["winners"] = ("+".join(rnd.names_of(won)), tuple(won))

    def given(self, rnd: Round, state: State, entry: Entry) -> Given:
        """Return the numbers in an entry, each paired with the players who get it.

        Raises Impossible if there are more or fewer numbers than players, or if a player has a
        number already.
        """
        lacking = self.lacking(rnd, state)
        if entry.type is PLACES_TYPE:
            return self._given_places(rnd, lacking, entry.value)
        if entry.type.word == "number":
            return [(self._single_owner(rnd, state, lacking, entry), entry.value)]
        if len(entry.value) != len(lacking):
            raise self._count_error(rnd, lacking, len(entry.value))
        return list(zip(lacking, entry.value, strict=True))

    def _single_owner(
        self, rnd: Round, state: State, lacking: Sequence[tuple[int, ...]], entry: Entry
    ) -> tuple[int, ...]:
        owner = self._owner_of(rnd, actor_of(entry))
        who = join_list(rnd.names_of(owner))
        if owner not in lacking:
            raise Impossible(
                tr("{who} cannot be given a number now", who=who),
                tr("to correct an entry, type “amend NUMBER ENTRY”; {prompt}", prompt=rnd.prompt()),
            )
        return owner

    def _count_error(
        self, rnd: Round, lacking: Sequence[tuple[int, ...]], count: int
    ) -> Impossible:
        names = owner_names(rnd, lacking)
        say = plural(
            "{needed} numbers are needed, not {count}",
            "{needed} numbers are needed, not {count}",
            count,
            needed=len(names),
        )
        if len(names) == 1:
            say = plural(
                "one number is needed, not {count}", "one number is needed, not {count}", count
            )
        hint = tr(
            "type the numbers of {names} in this order, separated by spaces, or one of them with "
            "its name: “{one}”",
            names=join_list(names),
            one=f"{rnd.names[lacking[0][0]]}: 12" if lacking else "",
        )
        return Impossible(say, hint)

    def _given_places(
        self, rnd: Round, lacking: Sequence[tuple[int, ...]], order: Sequence[tuple[int, ...]]
    ) -> Given:
        seats = [owner[0] for owner in lacking]
        named = [seat for place in order for seat in place]
        for seat in named:
            if seat not in seats:
                raise Impossible(tr("{who} cannot have a place now", who=rnd.names[seat]))
        left = [seat for seat in seats if seat not in named]
        if len(left) > 1 or len(seats) < len(self.owners(rnd)):
            raise Impossible(
                tr("the places of {names} are missing", names=join_list(rnd.names_of(left))),
                tr("type the names from first to last place; only the last may be left out"),
            )
        result: Given = []
        place = 1
        for tied in (*order, *([tuple(left)] if left else [])):
            result += [((seat,), NumberEntry(place)) for seat in tied]
            place += len(tied)
        return result

    # --- what breaks a rule

    def find_not_allowed(self, rnd: Round, entry: Entry) -> Breach | None:
        """Return the breach for the first number that is not allowed, or None."""
        state = rnd.state(self)
        allowed = self._allowed(rnd, self.current_column(state, self.owners(rnd)))
        for owner, said in self.given(rnd, state, entry):
            if said.number not in allowed:
                who = join_list(rnd.names_of(owner))
                return Breach({"who": who, "number": said.number, "allowed": allowed.describe()})
        return None

    def find_word_not_allowed(self, rnd: Round, entry: Entry) -> Breach | None:
        """Return the breach for the first word that is not allowed, or None."""
        state = rnd.state(self).copy()
        for owner, said in self.given(rnd, state, entry):
            self._add(rnd, state, owner, NumberEntry(said.number))
            for word in said.words:
                holds = partial(self._conditions[word].value_in, rnd, Owner(owner))
                if not rnd.with_state(self, state, holds):
                    who = join_list(rnd.names_of(owner))
                    return Breach({"who": who, "word": rnd.rules.translate_word(word)})
                state.said[word].append(owner[0])
        return None

    def find_wrong_sum(self, rnd: Round, entry: Entry) -> Breach | None:
        """Return the breach if the numbers cannot add up to the required sum, or None."""
        state = rnd.state(self).copy()
        owners = self.owners(rnd)
        column = self.current_column(state, owners)
        if self._sum is None or column < len(self.columns) - 1:
            return None
        wanted, given = self._sum(rnd), self.given(rnd, state, entry)
        if not self._is_in_reach(rnd, state, wanted):
            return None  # an earlier number that the table accepted is to blame
        for owner, said in given:
            self._add(rnd, state, owner, said)
        if self._is_in_reach(rnd, state, wanted):
            return None
        total, left = _total(state, column, owners), self.lacking(rnd, state)
        say = OUT_OF_REACH if left else TOO_LITTLE if total < wanted else TOO_MUCH
        return Breach({"total": total, "sum": wanted, "difference": abs(total - wanted)}, say)

    def _is_in_reach(self, rnd: Round, state: State, wanted: int) -> bool:
        """Return whether the numbers of the last kind can still add up to that sum."""
        owners, last = self.owners(rnd), len(self.columns) - 1
        left = sum(owner[0] not in state.columns[last] for owner in owners)
        rest = wanted - _total(state, last, owners)
        allowed = self._allowed(rnd, last)
        return left * allowed.least <= rest <= left * allowed.most

    def _allowed(self, rnd: Round, column: int) -> NumberSet:
        """Return the numbers of a kind that are allowed in this round."""
        if self.who == PLACES:
            return NumberSet(f"1{TO}{len(self.owners(rnd))}")
        return self.columns[column].allowed(rnd)

    # --- what may be typed

    def options(self, rnd: Round) -> Iterator[Entry]:
        state = rnd.state(self)
        lacking = self.lacking(rnd, state)
        by_word = {verb.word: verb for verb in self.entry_types}
        if self.who == PLACES and len(lacking) == len(self.owners(rnd)):
            seats = [owner[0] for owner in lacking]
            for shift in range(len(seats)):
                order = seats[shift:] + seats[:shift]
                yield Entry(PLACES_TYPE, None, tuple((seat,) for seat in order))
        elif "numbers" in by_word:
            rows = (self._sample_row(rnd, state, lacking, at) for at in range(SAMPLE_ROWS))
            for row in dict.fromkeys(rows):
                if row:
                    yield Entry(by_word["numbers"], None, row)
        for owner in lacking:
            for said in self._numbers_for(rnd, state, len(lacking) - 1):
                yield Entry(by_word["number"], owner[0], said)

    def _numbers_for(self, rnd: Round, state: State, left: int) -> Iterator[NumberEntry]:
        """Yield numbers that one player may have while `left` others have none."""
        owners = self.owners(rnd)
        column = self.current_column(state, owners)
        numbers = self._allowed(rnd, column).sample()
        wanted = self._wanted(rnd, column)
        if wanted is not None and self._is_in_reach(rnd, state, wanted):
            rest = wanted - _total(state, column, owners)
            allowed = self._allowed(rnd, column)
            low, high = rest - left * allowed.most, rest - left * allowed.least
            fit = [number for number in numbers if low <= number <= high]
            numbers = fit or ([] if left else [rest])
        apart = len(numbers) // 4 + 1
        for at, number in enumerate(numbers):
            yield NumberEntry(number)
            yield from (
                NumberEntry(number, (word,)) for word in self.row["words"] if at % apart == 0
            )

    def _wanted(self, rnd: Round, column: int) -> int | None:
        """Return the required sum of the numbers of a kind, or None."""
        is_last = column == len(self.columns) - 1
        return self._sum(rnd) if self._sum is not None and is_last else None

    def _sample_row(
        self, rnd: Round, state: State, lacking: Sequence[tuple[int, ...]], at: int
    ) -> tuple[NumberEntry, ...]:
        """Return a possible line of numbers. Different values of `at` give different lines."""
        trial, row = state.copy(), list[NumberEntry]()
        for step, owner in enumerate(lacking, 1):
            found = [
                said
                for said in self._numbers_for(rnd, trial, len(lacking) - step)
                if not said.words or not any(each.words for each in row)
            ]
            if not found:
                return ()
            found = found[: len(found) * 2 // 3 + 1]
            said = found[(at * 7 + step * 11 + rnd.number * 5) % len(found)]
            self._add(rnd, trial, owner, said)
            row.append(said)
        return tuple(row)

    def describe_typed(self, rnd: Round, entry: Entry) -> str:
        state = rnd.state_if_begun(self)
        if state is None or entry.type.word != "numbers":
            return ""
        names = owner_names(rnd, self.lacking(rnd, state))
        if len(entry.value) > len(names):
            return ""
        word = rnd.rules.translate_word
        said = [" ".join([str(each.number), *map(word, each.words)]) for each in entry.value]
        said += ["…"] * (len(names) - len(said))
        return ", ".join(f"{name} {text}" for name, text in zip(names, said, strict=True))

    # --- view

    def view(self, rnd: Round) -> View[object]:
        state = rnd.state_if_begun(self)
        if state is None:
            return View(None)
        owners = self.owners(rnd)
        column = self.current_column(state, owners)
        names = list(self.texts)
        wanted = None
        if rnd.is_current(self):
            wanted = self._wanted(rnd, column)
        facts = NumbersFacts(
            who=self.who,
            kind=names[column] if column < len(names) and len(names) > 1 else "",
            kind_word=rnd.rules.translate(names[column]) if column < len(names) else "",
            lacking=owner_names(rnd, self.lacking(rnd, state)),
            numbers={
                name: {rnd.names[seat]: number for seat, number in sorted(given.items())}
                for name, given in zip(names, state.columns, strict=True)
            },
            said={
                rnd.names[seat]: [
                    word
                    for word, seats in state.said.items()
                    if self._owner_of(rnd, seat)[0] in seats
                ]
                for seat in (rnd.seats if state.said else ())
            },
            forms={word: rnd.rules.translate_word(word) for word in state.said},
            wanted=wanted,
        )
        return NumbersView(facts)


def owner_names(rnd: Round, owners: Iterable[Sequence[int]]) -> list[str]:
    """Return the name of each player, or the names of each side's players joined with `+`."""
    return ["+".join(rnd.names_of(owner)) for owner in owners]


def _total(state: State, column: int, owners: Iterable[tuple[int, ...]]) -> int:
    given = state.columns[column] if column < len(state.columns) else {}
    return sum(given.get(owner[0], 0) for owner in owners)
