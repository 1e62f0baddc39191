"""Entries, their types, and the shorthand that may be typed for them."""

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

BID = "a bid"  # the value of `measured_as` for bids
EVERYONE = -1
"""The seat of an act that is entered for every player who may do it now."""
STANDS, WITHDRAWN = DECISIONS = ("stands", "withdrawn")
IGNORED = "ignored"
"""The decision of an illegal entry that the state does not allow and the table did not decide."""
MOST_NUMBER = 99999


class Entry:
    """One thing that happened.

    `seat` is the actor's, or None if it was not given or the entry states a fact of the table.
    `value` was read by the syntax of its type. `decision` is the table's word on an illegal
    entry, or IGNORED.
    """

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
        """The program's word for the entry's type."""
        return self.verb.word

    @property
    def counts(self) -> bool:
        """True if the entry changed the state: it was neither withdrawn nor impossible."""
        return self.decision not in (WITHDRAWN, IGNORED)

    @property
    def withdrawn(self) -> bool:
        """True if the table withdrew the entry."""
        return self.decision == WITHDRAWN

    def by(self, seat: int) -> Entry:
        """Return the same act with its actor. Its text must be written again."""
        return Entry(self.verb, seat, self.value, self.decision)

    def __repr__(self) -> str:
        return f"<{self.text or self.verb.word}>"


def split_decision(text: str) -> tuple[str, str]:
    """Return an entry without the table's decision at its end, and that decision or ""."""
    for decision in DECISIONS:
        if text.endswith(f" !{decision}"):
            return text[: -len(decision) - 2].rstrip(), decision
    return text, ""


def decision_in(text: str) -> str:
    """Return the table's decision at the end of an entry: `stands`, `withdrawn` or ""."""
    return split_decision(text)[1]


class Actor(Enum):
    """The player or players whose act an entry of a type is.

    `TABLE`: no player; the entry states a fact of the table. `TURN`: only players for whom the
    phase waits may act, and the name may be left out. `ANYONE`: any player, with the name.
    `ONE_OF`: any player; the name may be left out while only one player may act.
    """

    TABLE = auto()
    TURN = auto()
    ANYONE = auto()
    ONE_OF = auto()


class Timing(Flag):
    """The times at which entries of a type are possible.

    `SETUP`: before the first act of a round, as one of its setup facts. `PLAY`: in the time of
    their phase. `AFTER`: also after a finished round, to which they then belong. `ALWAYS`: at any
    time, even while the setup facts contradict each other.
    """

    SETUP = auto()
    PLAY = auto()
    AFTER = auto()
    ALWAYS = auto()


class Verb:
    """The type of an entry: its word, the syntax of its value, the actor, and the time.

    `is_implicit`: typed without the word (a card, a bid). `plays_cards`: the value is cards out
    of the actor's hand. `is_text`: the value is free text up to the end of the line. `for_all`:
    may also be entered for every player who may act (`all: pass`). `can_batch`: several in a row
    may be applied at once, by `apply_batch(round, entries)` if given. `measured_as`: the name
    under which measures read such entries.
    `fact_key`: the fact that is stated, if another type states it too. `find_reference` returns
    the round (0: the current one) and number of the entry that a value refers to, or None.
    `is_shorthand`: it is replaced before it is stored. `short_form`: the shorthand that this
    type allows.
    """

    __slots__ = (
        *(
            "about",
            "alone",
            "apply_batch",
            "aside",
            "brief",
            "by",
            "cards",
            "doc",
            "fact",
            "for_all",
            "gathers",
        ),
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
        apply_batch: Callable[..., None] | None = None,
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
        self.apply_batch = apply_batch
        self.about = about
        self.says = says or word
        self.speaks_of = speaks_of
        self.short = short
        self.brief = brief
        # Derived once, because every entry asks.
        self.table = by is Actor.TABLE
        self.turn = by is Actor.TURN
        self.alone = by is Actor.ONE_OF
        self.fact = Timing.SETUP in when
        self.late = Timing.AFTER in when
        self.aside = Timing.ALWAYS in when

    def with_its_word(self) -> Verb:
        """Return this implicit type as one that is written with its word.

        It is needed for a card that looks like a bid.
        """
        verb = copy(self)
        verb.implicit = False
        return verb

    @property
    def form(self) -> str:
        """The form of the value, in the current language."""
        return self.syntax.spoken_form()


# --- shorthand: a card without a word, a number, a result without its word
#
# Such a text is read here without state, and is never stored. A phase decides what it means in the
# current round (`Phase.interpret`).


class OneCard(Cards):
    """A single card."""

    form = "CARD"

    def __init__(self) -> None:
        super().__init__(1, 1)

    def fits(self, text: str, notation: Spelling) -> bool:
        tokens = notation.tokens(text)
        return len(tokens) == 1 and notation.is_card(tokens[0])


class ResultPairs(Pairs):
    """A result without its word. One of its words may be a number."""

    def fits(self, text: str, notation: Spelling) -> bool:
        return "=" in text.partition(" ")[0]

    def read(self, text: str, notation: Spelling) -> tuple[Pair, ...]:
        words = text.split()
        numbers = [at for at, word in enumerate(words) if _is_number(word)]
        # A number may belong to the value before it, unless that value is complete.
        if len(numbers) == 1 and _is_whole(words[numbers[0] - 1], notation):
            number = str(whole(words.pop(numbers[0]), 0, MOST_NUMBER))
            return (("", number), *super().read(" ".join(words), notation))
        return super().read(text, notation)

    def show(self, value: Iterable[Pair], notation: Spelling) -> str:
        return _shown(value)


class NumberFirst(Syntax):
    """A number, alone or before `key=value` words. The number's pair has an empty key."""

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
    """Return whether a `key=value` word is complete, because its value is players' names."""
    key, _, value = word.partition("=")
    called = notation.canonical(key)
    if (called if called.isidentifier() else key) not in notation.name_keys:
        return False
    try:
        for name in value.split("+"):
            notation.seat(name)
    except Unreadable:
        return False
    return True


def _shown(pairs: Iterable[Pair]) -> str:
    return " ".join(f"{key}={value}" if key else value for key, value in pairs)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


ONE_CARD = Verb("", OneCard(), "a card alone", by=Actor.TURN, implicit=True, short=True)
NUMBER = Verb("", NumberFirst(), "a number alone, or before a result", implicit=True, short=True)
NUMBERED = Verb("", NumberBefore(), "a number before a result", implicit=True, short=True)
RESULT = Verb("", ResultPairs(), "a result without its word", implicit=True, short=True)
