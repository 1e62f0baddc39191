"""The numbers that are allowed, and the syntax with which they are entered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import N_, join_list, tr
from scorekeeper.core.text import is_signed
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.entry import Actor, EntryType
from scorekeeper.notation.syntax import Syntax, clean, parse_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scorekeeper.core.types import Rng
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import IntOrExpression
    from scorekeeper.notation.syntax import Spelling

MAX_NEAR = 40  # how many numbers are offered for one player, besides the lowest and the highest
TO, BY = "..", "/"
LEAST, MOST = untrusted.NUMBER_RANGE


# --- the numbers that are allowed


class NumberSet:
    """The numbers that are allowed, as ranges in ascending order."""

    __slots__ = ("ranges",)

    def __init__(self, text: str) -> None:
        """Parse numbers and ranges. A range is `0..13`, or `10..1500/10` with a step.

        Raises ValueError for anything else.
        """
        self.ranges: list[range] = []
        for word in text.split():
            first, to, rest = word.partition(TO)
            last, by, step = rest.partition(BY)
            least = parse_whole(first, LEAST, MOST)
            most = parse_whole(last, LEAST, MOST) if to else least
            numbers = range(least, most + 1, parse_whole(step, 1, MOST) if by else 1)
            if most < least or numbers[-1] != most:
                raise ValueError(f"{word} does not count up to {most}")
            if self.ranges and self.ranges[-1][-1] >= least:
                raise ValueError("the numbers must rise")
            self.ranges.append(numbers)
        if not self.ranges:
            raise ValueError("no number is named")

    def __contains__(self, number: int) -> bool:
        return any(number in each for each in self.ranges)

    @property
    def least(self) -> int:
        """The lowest number."""
        return self.ranges[0][0]

    @property
    def most(self) -> int:
        """The highest number."""
        return self.ranges[-1][-1]

    def sample(self) -> list[int]:
        """Return some of the numbers: those nearest to 0 first, then the lowest and the highest."""
        near = set[int]()
        for each in self.ranges:
            first = max(0, min(len(each), -each[0] // each.step) - MAX_NEAR // 5)
            near.update(each[first : first + MAX_NEAR])
        ordered = sorted(near, key=lambda number: (number < 0, abs(number)))[:MAX_NEAR]
        return list(dict.fromkeys((*ordered, self.least, self.most)))

    def describe(self) -> str:
        """Return the numbers as text, such as `0 to 100 in steps of 5`."""
        return join_list([_describe_range(each) for each in self.ranges], "or")


class Column:
    """One kind of number, with the numbers that are allowed.

    `limit` is an expression for the highest number, or None if `numbers` are fixed.
    """

    __slots__ = ("limit", "numbers")

    def __init__(self, text: str, compile_limit: Callable[[str], IntOrExpression]) -> None:
        """Parse numbers and ranges, or a range such as `0..rounds` with an expression.

        Raises ValueError for anything else.
        """
        least, to, most = text.partition(TO)
        self.limit: IntOrExpression | None = None
        if to and not is_signed(most.partition(BY)[0].strip()) and TO not in most:
            self.numbers = NumberSet(least)
            self.limit = compile_limit(most)
        else:
            self.numbers = NumberSet(text)

    def allowed(self, rnd: Round) -> NumberSet:
        """Return the numbers that are allowed in this round."""
        if self.limit is None:
            return self.numbers
        least = self.numbers.least
        return NumberSet(f"{least}{TO}{max(least, self.limit(rnd))}")


def _describe_range(numbers: range) -> str:
    if len(numbers) == 1:
        return str(numbers[0])
    least, most = numbers[0], numbers[-1]
    if numbers.step == 1:
        return tr("{least} to {most}", least=least, most=most)
    return tr("{least} to {most} in steps of {step}", least=least, most=most, step=numbers.step)


# --- entries and their syntax


class NumberEntry(NamedTuple):
    """A number, and the words after it."""

    number: int
    words: tuple[str, ...] = ()


class NumberSyntax(Syntax):
    """The syntax of a number, followed by words."""

    form = N_("NUMBER")

    def __init__(self, words: Sequence[str] = ()) -> None:
        self.words = words

    def translated_form(self) -> str:
        words = "".join(f" [{word}]" for word in self.words)
        return f"{tr(self.form)}{words}"

    def may_match(self, text: str, notation: Spelling) -> bool:
        return is_signed(text.split(None, 1)[0])

    def read(self, text: str, notation: Spelling) -> NumberEntry:
        said = self.read_several(text, notation)
        if len(said) != 1:
            raise Unreadable(
                tr("“{text}” is not one number", text=clean(text)),
                tr("type the numbers of all players without a name"),
            )
        return said[0]

    def read_several(self, text: str, notation: Spelling) -> list[NumberEntry]:
        """Return the numbers in a text, each with its words. Raises Unreadable if the text contains
        anything else."""
        said: list[NumberEntry] = []
        rest = text.strip()
        while rest:
            first, _, after = rest.partition(" ")
            if is_signed(first):
                said.append(NumberEntry(parse_whole(first, LEAST, MOST)))
                rest = after.strip()
                continue
            word, rest = notation.split_first_word(rest)
            if not said or word not in self.words or word in said[-1].words:
                raise self._word_error(first, notation)
            said[-1] = NumberEntry(said[-1].number, (*said[-1].words, word))
        return said

    def _word_error(self, typed: str, notation: Spelling) -> Unreadable:
        words = join_list(list(map(notation.write_word, self.words)), "or")
        hint = (
            tr("type whole numbers, and after a number: {words}", words=words)
            if words
            else tr("type whole numbers, separated by spaces")
        )
        return Unreadable(tr("“{text}” is not a whole number", text=clean(typed)), hint)

    def write(self, value: NumberEntry, notation: Spelling) -> str:
        return " ".join([str(value.number), *map(notation.write_word, value.words)])

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[NumberEntry]:
        words = tuple(word for word in self.words if rng.random() < 0.2)
        return (NumberEntry(rng.randint(-20, rng.choice((20, 200, 2000, 200_000))), words),)


class RowSyntax(NumberSyntax):
    """The syntax of the numbers of several players, separated by spaces."""

    form = N_("NUMBER…")

    def read(self, text: str, notation: Spelling) -> tuple[NumberEntry, ...]:  # type: ignore[override]
        if not text:
            raise Unreadable(tr("at least one number must follow"))
        return tuple(self.read_several(text, notation))

    def write(self, value: Iterable[NumberEntry], notation: Spelling) -> str:  # type: ignore[override]
        return " ".join(super(RowSyntax, self).write(said, notation) for said in value)

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[tuple[NumberEntry, ...]]:  # type: ignore[override]
        count = rng.randint(2, 6)
        return (tuple(super(RowSyntax, self).sample(rng, notation)[0] for _ in range(count)),)


class PlacesSyntax(Syntax):
    """The syntax of players from first to last place. `+` joins players who share a place."""

    form = N_("NAME NAME…")
    names_players = True

    def may_match(self, text: str, notation: Spelling) -> bool:
        try:
            self._split_name(text.replace("+", " + ").split(), notation)
        except Unreadable:
            return False
        return True

    def read(self, text: str, notation: Spelling) -> tuple[tuple[int, ...], ...]:
        tokens = text.replace("+", " + ").split()
        order: list[tuple[int, ...]] = []
        shared = False
        while tokens:
            if tokens[0] == "+" and order and not shared:
                shared, tokens = True, tokens[1:]
                continue
            seat, length = self._split_name(tokens, notation)
            if any(seat in place for place in order):
                raise Unreadable(tr("{name} is named twice", name=notation.names[seat]))
            if shared:
                order[-1] = (*order[-1], seat)
            else:
                order.append((seat,))
            shared, tokens = False, tokens[length:]
        if not order or shared:
            raise Unreadable(tr("type the names from first to last place"))
        return tuple(order)

    def _split_name(self, tokens: Sequence[str], notation: Spelling) -> tuple[int, int]:
        """Return the seat that the first tokens name, and the number of these tokens. Raises
        Unreadable if they name no seat."""
        known = [name.casefold() for name in notation.names]
        for length in range(len(tokens), 1, -1):
            typed = " ".join(tokens[:length]).casefold()
            if typed in known:
                return known.index(typed), length
        return notation.find_seat(tokens[0]), 1

    def write(self, value: Iterable[Iterable[int]], notation: Spelling) -> str:
        return " ".join("+".join(notation.names[seat] for seat in place) for place in value)

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[tuple[tuple[int, ...], ...]]:
        seats = range(len(notation.names))
        order = rng.sample(seats, len(seats) - rng.choice((0, 0, 1)))
        return (tuple((seat,) for seat in order),) if order else ()


def number_type(words: Sequence[str] = ()) -> EntryType:
    """Return the entry type for one number, which may be followed by some of these words."""
    said = N_("a number for one player or side")
    syntax = NumberSyntax(words)
    return EntryType("number", syntax, said, by=Actor.ONE_OF, is_implicit=True)


def row_type(words: Sequence[str] = ()) -> EntryType:
    """Return the entry type for the numbers of all players who have none yet."""
    said = N_("the numbers for all players who have none yet, in the order of their names")
    return EntryType("numbers", RowSyntax(words), said, by=Actor.ALL, is_implicit=True)


PLACES_TYPE = EntryType(
    "order", PlacesSyntax(), N_("the order from first to last"), by=Actor.ALL, is_implicit=True
)
