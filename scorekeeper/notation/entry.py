"""Entries, entry types, and the shorthand that players can type in place of entries."""

from __future__ import annotations

from copy import copy
from enum import Enum, Flag, auto
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.notation.syntax import Cards, KeyValues, Syntax, parse_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scorekeeper.core.types import Rng
    from scorekeeper.notation.syntax import Spelling, Value

    Pair = tuple[str, str]

BID = "a bid"  # the value of `measured_as` for entry types that are bids
EVERYONE = -1
"""The seat number of an act that is entered once for all players who may perform it now."""
STANDS, WITHDRAWN = DECISIONS = ("stands", "withdrawn")
IGNORED = "ignored"
"""The default decision on an illegal entry that is impossible in the current state."""
MAX_NUMBER = 99999


class Entry:
    """One event of a round, as entered.

    `seat` is the actor, or None if no actor was named or the entry states a fact about the table.
    `value` has been read by the entry type's syntax. `decision` is the players' decision on an
    illegal entry, or IGNORED.
    """

    __slots__ = ("decision", "seat", "text", "type", "value")

    def __init__(
        self,
        entry_type: EntryType,
        seat: int | None,
        value: Value,
        decision: str = "",
        text: str = "",
    ) -> None:
        self.type = entry_type
        self.seat = seat
        self.value = value
        self.decision = decision
        self.text = text

    @property
    def word(self) -> str:
        """The canonical word for the entry's type."""
        return self.type.word

    @property
    def has_effect(self) -> bool:
        """True if the entry was neither withdrawn nor ignored, so that it changed the state."""
        return self.decision not in (WITHDRAWN, IGNORED)

    @property
    def is_withdrawn(self) -> bool:
        """True if the players withdrew the entry."""
        return self.decision == WITHDRAWN

    def with_seat(self, seat: int) -> Entry:
        """Return a copy of the act with `seat` as its actor and with empty text."""
        return Entry(self.type, seat, self.value, self.decision)

    def __repr__(self) -> str:
        return f"<{self.text or self.type.word}>"


def split_decision(text: str) -> tuple[str, str]:
    """Return an entry without the players' decision at its end, and that decision or ""."""
    for decision in DECISIONS:
        if text.endswith(f" !{decision}"):
            return text[: -len(decision) - 2].rstrip(), decision
    return text, ""


def find_decision(text: str) -> str:
    """Return the players' decision at the end of an entry: `stands`, `withdrawn` or ""."""
    return split_decision(text)[1]


class Actor(Enum):
    """The player or players who perform an entry of some type.

    `TABLE` means no player, because the entry states a fact about the table. `TURN` means a player
    for whom the phase is waiting. The name can be left out. `ANYONE` means any player, and the name
    is required. `ONE_OF` means any player. The name can be left out if only one player may act.
    `ALL` means all players for whom the phase is waiting, together, and no name is typed.
    """

    TABLE = auto()
    TURN = auto()
    ANYONE = auto()
    ONE_OF = auto()
    ALL = auto()


class Timing(Flag):
    """The times at which entries of a type are allowed.

    `SETUP` means before the first act of a round, as one of its setup facts. `PLAY` means during
    the phase that declares the type. `AFTER` means also after a finished round. Such an
    entry is added to that round. `ALWAYS` means at any time, even while the setup facts contradict
    each other.
    """

    SETUP = auto()
    PLAY = auto()
    AFTER = auto()
    ALWAYS = auto()


class EntryType:
    """An entry type, with its word, the syntax of its value, its actor, and its timing.

    `is_implicit` is true if an entry is typed without the word (a card, a bid). `plays_cards` is
    true if the value is cards from the actor's hand, and `is_text` if it is free text to the end of
    the line. If `for_all` is true, an act can also be entered for every player who may act (`all:
    pass`). If `can_batch` is true, several entries in a row can be applied at once, with
    `apply_batch(round, entries)` if it is given. `measured_as` is the name under which measures
    read the entries.

    Types that state the same fact have the same `fact_key`. `find_reference` returns the round (0
    for the current one) and the number of the entry to which a value refers, or None.
    `is_shorthand` is true if the entry is replaced before it is stored. `short_form` is the
    shorthand that this type allows.
    """

    __slots__ = (
        *("apply_batch", "by", "can_batch", "doc", "fact_key", "find_reference", "for_all"),
        *("is_always_possible", "is_implicit", "is_joint", "is_one_of", "is_setup_fact"),
        *("is_shorthand", "is_table_entry", "is_text", "may_follow_round", "measured_as"),
        *("needs_turn", "plays_cards", "short_form", "syntax", "when", "word"),
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
        is_implicit: bool = False,
        plays_cards: bool = False,
        is_text: bool = False,
        can_batch: bool = False,
        apply_batch: Callable[..., None] | None = None,
        measured_as: str = "",
        fact_key: str = "",
        find_reference: Callable[[Value], tuple[int, int] | None] | None = None,
        is_shorthand: bool = False,
        short_form: EntryType | None = None,
    ) -> None:
        self.word = word
        self.syntax = syntax
        self.doc = doc
        self.by = by
        self.when = when
        self.for_all = for_all
        self.is_implicit = is_implicit
        self.plays_cards = plays_cards
        self.is_text = is_text
        self.can_batch = can_batch
        self.apply_batch = apply_batch
        self.measured_as = measured_as
        self.fact_key = fact_key or word
        self.find_reference = find_reference
        self.is_shorthand = is_shorthand
        self.short_form = short_form
        # Computed once, because every entry needs it.
        self.is_table_entry = by is Actor.TABLE
        self.needs_turn = by is Actor.TURN
        self.is_one_of = by is Actor.ONE_OF
        self.is_joint = by is Actor.ALL
        self.is_setup_fact = Timing.SETUP in when
        self.may_follow_round = Timing.AFTER in when
        self.is_always_possible = Timing.ALWAYS in when

    def as_explicit(self) -> EntryType:
        """Return a copy of this implicit type that is written with its word.

        This is needed, for example, for a card that looks like a bid.
        """
        verb = copy(self)
        verb.is_implicit = False
        return verb

    @property
    def form(self) -> str:
        """The form of the value for help texts, in the current language."""
        return self.syntax.translated_form()


# --- shorthand: a card without a word, a number, a result without its word
# These forms are read here without the state of the round, and are never stored. A phase decides
# what they mean in the current round (`Phase.interpret`).


class OneCard(Cards):
    """A single card."""

    form = "CARD"

    def __init__(self) -> None:
        super().__init__(1, 1)

    def may_match(self, text: str, notation: Spelling) -> bool:
        tokens = notation.split_tokens(text)
        return len(tokens) == 1 and notation.is_card(tokens[0])


class ResultPairs(KeyValues):
    """The syntax of a result typed as `key=value` words, without the word `result`.

    One of the words may be a number without a key.
    """

    def may_match(self, text: str, notation: Spelling) -> bool:
        return "=" in text.partition(" ")[0]

    def read(self, text: str, notation: Spelling) -> tuple[Pair, ...]:
        words = text.split()
        numbers = [at for at, word in enumerate(words) if _is_number(word)]
        # A number may belong to the value before it, unless that value is complete.
        if len(numbers) == 1 and _is_complete_word(words[numbers[0] - 1], notation):
            number = str(parse_whole(words.pop(numbers[0]), 0, MAX_NUMBER))
            return (("", number), *super().read(" ".join(words), notation))
        return super().read(text, notation)

    def write(self, value: Iterable[Pair], notation: Spelling) -> str:
        return _format_pairs(value)


class NumberFirst(Syntax):
    """A number, alone or before `key=value` words. The number is stored with an empty key."""

    form = "NUMBER KEY=VALUE…"
    names_players = True

    def may_match(self, text: str, notation: Spelling) -> bool:
        first, _, rest = text.partition(" ")
        return _is_number(first) and "=" in f"{rest.strip()} =".split()[0]

    def read(self, text: str, notation: Spelling) -> tuple[Pair, ...]:
        first, _, rest = text.partition(" ")
        number = str(parse_whole(first, 0, MAX_NUMBER))
        return (("", number), *(KeyValues().read(rest, notation) if rest.strip() else ()))

    def write(self, value: Sequence[Pair], notation: Spelling) -> str:
        return _format_pairs(value)

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[tuple[Pair, ...]]:
        return ((("", str(rng.randint(0, 240))),),)


class NumberBefore(NumberFirst):
    """A number followed by `key=value` words."""

    def may_match(self, text: str, notation: Spelling) -> bool:
        return "=" in text and super().may_match(text, notation)


def _is_complete_word(word: str, notation: Spelling) -> bool:
    """Return whether a `key=value` word is complete because its value consists of players'
    names."""
    key, _, value = word.partition("=")
    called = notation.find_meaning(key)
    if (called if called.isidentifier() else key) not in notation.name_keys:
        return False
    try:
        for name in value.split("+"):
            notation.find_seat(name)
    except Unreadable:
        return False
    return True


def _format_pairs(pairs: Iterable[Pair]) -> str:
    return " ".join(f"{key}={value}" if key else value for key, value in pairs)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


SHORT_CARD = EntryType(
    "", OneCard(), "a card alone", by=Actor.TURN, is_implicit=True, is_shorthand=True
)
SHORT_NUMBER = EntryType(
    "", NumberFirst(), "a number alone, or before a result", is_implicit=True, is_shorthand=True
)
SHORT_NUMBERED_RESULT = EntryType(
    "", NumberBefore(), "a number before a result", is_implicit=True, is_shorthand=True
)
SHORT_RESULT = EntryType(
    "", ResultPairs(), "a result without its word", is_implicit=True, is_shorthand=True
)
