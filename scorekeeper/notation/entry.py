"""One thing that happened, what it may begin with, and what may be typed in place of it."""

from __future__ import annotations

from copy import copy
from enum import Enum, Flag, auto
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.notation.syntax import Cards, Pairs, Syntax, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scorekeeper.core.types import Luck
    from scorekeeper.notation.syntax import Spelling, Value

    Pair = tuple[str, str]

BID = "a bid"  # what measures call what such a verb says (`about`)
EVERYONE = -1
"""The seat of an act that is said for everybody who may do it now."""
STANDS, WITHDRAWN = DECISIONS = ("stands", "withdrawn")
IGNORED = "ignored"
"""An illegal entry that nobody decided, and that the state does not allow."""
MOST_NUMBER = 99999


class Entry:
    """One thing that happened. `seat` is whose act it is (None: not said, or of the table),
    `value` what the verb's syntax read, `decision` the table's word on an illegal entry (or
    `IGNORED`)."""

    __slots__ = ("decision", "seat", "text", "value", "verb")

    def __init__(
        self, verb: Verb, seat: int | None, value: Value, decision: str = "", text: str = ""
    ) -> None:
        self.verb = verb
        self.seat = seat
        self.value = value
        self.decision = decision
        self.text = text

    @property
    def word(self) -> str:
        """The program's word for what happened."""
        return self.verb.word

    @property
    def counts(self) -> bool:
        """Whether it changed anything: it was not taken back, and the state allowed it."""
        return self.decision not in (WITHDRAWN, IGNORED)

    @property
    def withdrawn(self) -> bool:
        """Whether it was taken back at the table."""
        return self.decision == WITHDRAWN

    def by(self, seat: int) -> Entry:
        """The same act with its actor named; the text has to be written anew."""
        return Entry(self.verb, seat, self.value, self.decision)

    def __repr__(self) -> str:
        return f"<{self.text or self.verb.word}>"


def split_decision(text: str) -> tuple[str, str]:
    """An entry without the table's decision at its end, and that decision ("" for none)."""
    for decision in DECISIONS:
        if text.endswith(f" !{decision}"):
            return text[: -len(decision) - 2].rstrip(), decision
    return text, ""


def decision_in(text: str) -> str:
    """The table's decision at the end of an entry: `stands`, `withdrawn`, or "" for none."""
    return split_decision(text)[1]


class Actor(Enum):
    """Whose act an entry of a type is.

    `TABLE`: nobody's, it states a fact of the table. `TURN`: only players for whom the phase waits
    may act, and the name may be left out. `ANYONE`: any player, with the name. `ONE_OF`: any
    player; the name may be left out while only one player may act.
    """

    TABLE = auto()
    TURN = auto()
    ANYONE = auto()
    ONE_OF = auto()


class Timing(Flag):
    """When entries of a type are possible.

    `SETUP`: before the first act of a round, as one of its setup facts. `PLAY`: in the time of
    their phase. `AFTER`: also after a finished round, to which they then belong. `ALWAYS`: at any
    time, even while the setup facts contradict each other.
    """

    SETUP = auto()
    PLAY = auto()
    AFTER = auto()
    ALWAYS = auto()


class Verb:
    """What an entry may begin with: its word, the syntax of its value, who may enter it and when.

    `implicit`: typed without the word (a card, a bid). `cards`: the value is cards out of the
    actor's hand. `text`: the value is free text up to the end of the line. `for_all`: may also be
    entered for every player who may act (`all: pass`). `gathers`: several in a row may be applied
    at once. `about`: what measures may read of such an entry, besides its actor. `says`: the fact
    that is stated, where another type states it too. `speaks_of` returns the round (0: the current
    one) and number of the entry that a value refers to, or None. `short`: a shorthand, which is
    replaced before it is stored. `brief`: the shorthand that this type allows.
    """

    __slots__ = (
        *("about", "alone", "aside", "brief", "by", "cards", "doc", "fact", "for_all", "gathers"),
        *("implicit", "late", "says", "short", "speaks_of", "syntax", "table", "text", "turn"),
        *("when", "word"),
    )

    def __init__(
        self,
        word: str,
        syntax: Syntax,
        doc: str,
        *,
        by: Actor = Actor.ANYONE,
        when: Timing = Timing.PLAY,
        for_all: bool = False,
        implicit: bool = False,
        cards: bool = False,
        text: bool = False,
        gathers: bool = False,
        about: str = "",
        says: str = "",
        speaks_of: Callable[[Value], tuple[int, int] | None] | None = None,
        short: bool = False,
        brief: Verb | None = None,
    ) -> None:
        self.word = word
        self.syntax = syntax
        self.doc = doc
        self.by = by
        self.when = when
        self.for_all = for_all
        self.implicit = implicit
        self.cards = cards
        self.text = text
        self.gathers = gathers
        self.about = about
        self.says = says or word
        self.speaks_of = speaks_of
        self.short = short
        self.brief = brief
        # Asked for every entry, so read once.
        self.table = by is Actor.TABLE
        self.turn = by is Actor.TURN
        self.alone = by is Actor.ONE_OF
        self.fact = Timing.SETUP in when
        self.late = Timing.AFTER in when
        self.aside = Timing.ALWAYS in when

    def with_its_word(self) -> Verb:
        """Return this implicit verb as one that is written with its word: for a card that
        without the word looks like a bid."""
        verb = copy(self)
        verb.implicit = False
        return verb

    @property
    def form(self) -> str:
        """What follows the word, in the language that is spoken."""
        return self.syntax.spoken_form()


# --- what may be typed short: a card without a word, a number, a result without its word
#
# Such a text is read here without a state, and is never kept: a phase says what it means as the
# round stands (`Phase.readings`).


class OneCard(Cards):
    """A card alone."""

    form = "CARD"

    def __init__(self) -> None:
        super().__init__(1, 1)

    def fits(self, text: str, notation: Spelling) -> bool:
        tokens = notation.tokens(text)
        return len(tokens) == 1 and notation.is_card(tokens[0])


class ResultPairs(Pairs):
    """A result without its word; a number may stand among its words."""

    def fits(self, text: str, notation: Spelling) -> bool:
        return "=" in text.partition(" ")[0]

    def read(self, text: str, notation: Spelling) -> tuple[Pair, ...]:
        words = text.split()
        numbers = [at for at, word in enumerate(words) if _is_number(word)]
        # Where a value goes on, or begins, a number may be part of it.
        if len(numbers) == 1 and _is_whole(words[numbers[0] - 1], notation):
            number = str(whole(words.pop(numbers[0]), 0, MOST_NUMBER))
            return (("", number), *super().read(" ".join(words), notation))
        return super().read(text, notation)

    def show(self, value: Iterable[Pair], notation: Spelling) -> str:
        return _shown(value)


class NumberFirst(Syntax):
    """A number, or one and then `key=value` words: pairs, the number's without a key."""

    form = "NUMBER KEY=VALUE…"
    names_players = True

    def fits(self, text: str, notation: Spelling) -> bool:
        first, _, rest = text.partition(" ")
        return _is_number(first) and "=" in f"{rest.strip()} =".split()[0]

    def read(self, text: str, notation: Spelling) -> tuple[Pair, ...]:
        first, _, rest = text.partition(" ")
        number = str(whole(first, 0, MOST_NUMBER))
        return (("", number), *(Pairs().read(rest, notation) if rest.strip() else ()))

    def show(self, value: Sequence[Pair], notation: Spelling) -> str:
        return _shown(value)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[tuple[Pair, ...]]:
        return ((("", str(luck.randint(0, 240))),),)


class NumberBefore(NumberFirst):
    """A number and then `key=value` words."""

    def fits(self, text: str, notation: Spelling) -> bool:
        return "=" in text and super().fits(text, notation)


def _is_whole(word: str, notation: Spelling) -> bool:
    """Whether a `key=value` word is one that nothing belongs to any more: players' names."""
    key, _, said = word.partition("=")
    called = notation.canonical(key)
    if (called if called.isidentifier() else key) not in notation.name_keys:
        return False
    try:
        for name in said.split("+"):
            notation.seat(name)
    except Unreadable:
        return False
    return True


def _shown(pairs: Iterable[Pair]) -> str:
    return " ".join(f"{key}={said}" if key else said for key, said in pairs)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


ONE_CARD = Verb("", OneCard(), "a card alone", by=Actor.TURN, implicit=True, short=True)
NUMBER = Verb("", NumberFirst(), "a number alone, or before a result", implicit=True, short=True)
NUMBERED = Verb("", NumberBefore(), "a number before a result", implicit=True, short=True)
RESULT = Verb("", ResultPairs(), "a result without its word", implicit=True, short=True)
