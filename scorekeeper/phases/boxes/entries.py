"""The values that are entered in the boxes of a form, and their syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import N_, format_quoted, join_list, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.entry import Actor, EntryType
from scorekeeper.notation.syntax import Syntax, clean, parse_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Rng
    from scorekeeper.notation.syntax import Spelling
    from scorekeeper.phases.boxes.throws import DiceSet

JOKER = "joker"
"""The word that marks a throw as a joker if only its points are entered."""

MAX_POINTS = 999
JOKER_RATE = 0.3  # the probability that random play adds the word JOKER
TOGETHER = 3  # the faces of at least this many dice may be typed without spaces


class FilledBox(NamedTuple):
    """A box that a player fills with a throw, or with its points alone (`number`).

    `column` is "" if none is named. `joker` is true if the word JOKER is added. `box` is "" if only
    the dice are typed, which is no complete entry.
    """

    box: str
    column: str = ""
    dice: tuple[int, ...] = ()
    number: int = 0
    joker: bool = False


class BoxSyntax(Syntax):
    """The syntax of a box without dice or points."""

    form = N_("BOX")

    def __init__(self, boxes: Sequence[str], columns: Sequence[str]) -> None:
        self.boxes = self.words_named = tuple(boxes)
        self.columns = tuple(columns)

    def translated_form(self) -> str:
        return f"{tr(self.form)}{self._column_form()}"

    def _column_form(self) -> str:
        return f" {tr('COLUMN')}" if len(self.columns) > 1 else ""

    def word_in(self, value: FilledBox) -> str:
        return value.box

    def read(self, text: str, notation: Spelling) -> FilledBox:
        return self.read_words(text, notation, FilledBox(""))

    def read_words(self, text: str, notation: Spelling, filled: FilledBox) -> FilledBox:
        """Return `filled` with the box, the column and the joker that a text names. Raises
        Unreadable if the text names no box, or contains other words."""
        rest = text
        while rest:
            word, after = self._split_word(rest, notation, filled)
            if word in self.boxes:
                filled = filled._replace(box=word)
            elif word in self.columns:
                filled = filled._replace(column=word)
            else:
                filled = filled._replace(joker=True)
            rest = after
        if not filled.box and not filled.dice:
            raise Unreadable(tr("the box is missing"), self._boxes_hint(notation))
        return filled

    def _split_word(self, text: str, notation: Spelling, filled: FilledBox) -> tuple[str, str]:
        """Return the word at the beginning of a string, and the rest.

        A word may be shortened. Words in the language of `notation` take precedence over words of
        other languages.
        """
        wanted = {
            *(self.boxes if not filled.box else ()),
            *(self.columns if not filled.column else ()),
            *((JOKER,) if self._takes_joker and not filled.joker else ()),
        }
        word, rest = notation.split_first_word(text)
        if word in wanted:
            return word, rest
        tokens = text.split()
        for length in range(min(4, len(tokens)), 0, -1):
            begins = " ".join(tokens[:length]).casefold()
            found = {each for each in wanted if notation.write_word(each).startswith(begins)}
            found = found or {
                meant
                for typed, meant in notation.meanings.items()
                if meant in wanted and typed.startswith(begins)
            }
            if len(found) == 1:
                return found.pop(), " ".join(tokens[length:])
            if found and length == 1:
                forms = [format_quoted(notation.write_word(each)) for each in sorted(found)]
                say = tr("“{text}” is not clear", text=clean(tokens[0]))
                raise Unreadable(say, tr("type {words}", words=join_list(forms, "or")))
        say = tr("“{text}” is not a box", text=clean(text))
        raise Unreadable(say, self._boxes_hint(notation))

    _takes_joker = False

    def _boxes_hint(self, notation: Spelling) -> str:
        words = join_list(list(map(notation.write_word, self.boxes)))
        return tr("the boxes are {boxes}", boxes=words)

    def write(self, value: FilledBox, notation: Spelling) -> str:
        words = [value.box, value.column, JOKER if value.joker else ""]
        return " ".join(map(notation.write_word, filter(None, words)))

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[FilledBox]:
        column = rng.choice(self.columns) if len(self.columns) > 1 else ""
        return (FilledBox(rng.choice(self.boxes), column),)


class FillSyntax(BoxSyntax):
    """The syntax of a box with a throw, or with the points that a throw is worth.

    The box may be typed before or after the numbers.
    """

    form = N_("DICE BOX or POINTS BOX")

    def __init__(
        self, boxes: Sequence[str], columns: Sequence[str], dice: DiceSet, takes_joker: bool
    ) -> None:
        super().__init__(boxes, columns)
        self.dice = dice
        self._takes_joker = takes_joker

    def translated_form(self) -> str:
        joker = f" [{JOKER}]" if self._takes_joker else ""
        return f"{tr(self.form)}{self._column_form()}{joker}"

    def may_match(self, text: str, notation: Spelling) -> bool:
        tokens = text.split()
        if tokens[0].isdecimal():
            return True
        return tokens[-1].isdecimal() and notation.split_first_word(text)[0] in self.boxes

    def read(self, text: str, notation: Spelling) -> FilledBox:
        tokens = text.split()
        numbers = [token for token in tokens if token.isdecimal()]
        words = [token for token in tokens if not token.isdecimal()]
        first = 0 if tokens[:1] == numbers[:1] else len(words)
        if not numbers or tokens[first : first + len(numbers)] != numbers:
            say = tr("the dice or the points are missing") if not numbers else ""
            say = say or tr("“{text}” is not a throw and a box", text=clean(text))
            raise Unreadable(say, tr("type the dice or the points, then the box"))
        return self.read_words(" ".join(words), notation, self._read_numbers(numbers))

    def _read_numbers(self, numbers: Sequence[str]) -> FilledBox:
        count, faces = self.dice.count, self.dice.faces
        if len(numbers) == 1 and len(numbers[0]) == count >= TOGETHER:
            numbers = list(numbers[0])
        if len(numbers) == 1 and count > 1:
            return FilledBox("", number=parse_whole(numbers[0], 0, MAX_POINTS))
        if len(numbers) != count:
            raise Unreadable(
                tr("a throw has {count} dice, not {number}", count=count, number=len(numbers)),
                tr("type all dice, or the points alone"),
            )
        dice = tuple(parse_whole(each, 0, MAX_POINTS) for each in numbers)
        for die in dice:
            if die not in faces:
                say = tr("“{face}” is not a face", face=die)
                raise Unreadable(say, tr("the faces are 1 to {most}", most=faces[-1]))
        return FilledBox("", dice=dice)

    def write(self, value: FilledBox, notation: Spelling) -> str:
        numbers = " ".join(map(str, value.dice)) or str(value.number)
        return f"{numbers} {super().write(value, notation)}".rstrip()

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[FilledBox]:
        (filled,) = super().sample(rng, notation)
        joker = self._takes_joker and rng.random() < JOKER_RATE
        if rng.random() < 0.5:
            dice = tuple(rng.choice(self.dice.faces) for _ in range(self.dice.count))
            return (filled._replace(dice=dice, joker=joker),)
        return (filled._replace(number=rng.randint(0, 50), joker=joker),)


def fill_type(syntax: Syntax) -> EntryType:
    """Return the entry type for filling a box."""
    said = N_("a throw in a box, or its points")
    return EntryType("fill", syntax, said, by=Actor.TURN, is_implicit=True)


def strike_type(syntax: Syntax) -> EntryType:
    """Return the entry type for a box that is filled with 0."""
    return EntryType("strike", syntax, N_("a box that gets 0 points"), by=Actor.TURN)
