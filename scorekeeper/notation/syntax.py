"""The values in entries, such as cards, names and numbers, and how they are read and written.

A phase declares its entry types with these classes, or with its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from scorekeeper.core.cards import SuitLead
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import N_, plural, tr
from scorekeeper.core.text import parse_signed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from scorekeeper.core.types import Rng

Value = Any
"""A value that a syntax reads, such as cards or a name. Only the phase that declared the entry type
knows the type of the value."""

SUIT_SYMBOLS = {"♣": "C", "♧": "C", "♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D"}
SUIT_NAMES = {
    "C": N_("clubs"),
    "S": N_("spades"),
    "H": N_("hearts"),
    "D": N_("diamonds"),
}
MAX_NAME_LENGTH = 40
MAX_CARDS = 60


class Spelling(Protocol):
    """The interface through which a syntax reads and writes cards, suits, names and words."""

    @property
    def names(self) -> Sequence[str]:
        """The players' names, by seat."""

    @property
    def kinds(self) -> Sequence[str]:
        """The written form of each kind of card."""

    @property
    def suits(self) -> Sequence[str]:
        """The suits of the pack."""

    @property
    def known_cards(self) -> Mapping[str, int]:
        """The kind of card for each string, in lower case, that can mean only that kind."""

    @property
    def meanings(self) -> Mapping[str, str]:
        """The canonical word for each word that may be typed, in lower case."""

    @property
    def name_keys(self) -> frozenset[str]:
        """The keys of a `result` whose values are players."""

    def read_card(self, token: str) -> int:
        """Return the card kind that a token names. Raises Unreadable."""

    def kinds_of_suit(self, suit: str) -> tuple[int, ...]:
        """Return the kinds of card in a suit."""

    def is_card(self, token: str) -> bool:
        """Return whether a token names a card of the pack, even if it is ambiguous."""

    def split_tokens(self, text: str) -> list[str]:
        """Return the words of a string, with the words of a card's name joined."""

    def read_suit(self, text: str) -> str:
        """Return the suit that a letter or symbol names. Raises Unreadable."""

    def is_suit(self, text: str) -> bool:
        """Return whether a string names a suit, even if it is ambiguous."""

    def write_suit(self, suit: str) -> str:
        """Return the written form of a suit."""

    def find_seat(self, text: str) -> int:
        """Return the seat of the player with this name, or whose name begins with it.

        Raises Unreadable.
        """

    def find_meaning(self, text: str) -> str:
        """Return the canonical word or row name for a typed word, or ""."""

    def write_word(self, word: str) -> str:
        """Return the written form of a canonical word."""

    def split_first_word(self, text: str) -> tuple[str, str]:
        """Return the longest known word at the beginning of a string, and the rest of the
        string."""


class Syntax:
    """The syntax for reading and writing a value.

    `form` represents the value in help. `names_players` is true if the meaning of a string may
    depend on the players' names. `words_named` are the words that a value may contain, if they are
    a fixed list.
    """

    form = ""
    names_players = False
    words_named: Collection[str] = ()

    def read(self, text: str, notation: Spelling) -> Value:
        """Return the value that a string denotes. Raises Unreadable."""
        raise AssertionError(f"{type(self).__name__} reads nothing")

    def write(self, value: Value, notation: Spelling) -> str:
        """Return the canonical text of a value."""
        raise AssertionError(f"{type(self).__name__} shows nothing")

    def translated_form(self) -> str:
        """Return the form for help texts in the current language."""
        return tr(self.form)

    def may_match(self, text: str, notation: Spelling) -> bool:
        """Return whether a string may be the value of an entry that is typed without its word."""
        return False

    def word_in(self, value: Value) -> str:
        """Return the word in `words_named` that a value contains, or ""."""
        return ""

    def hide_cards(self, value: Value) -> Value:
        """Return the value as the whole table saw it.

        Cards that only the recorder saw (a hand, buried cards) are replaced by their number.
        """
        return value

    def is_count_only(self, value: Value) -> bool:
        """Return whether the value states only the number of cards."""
        return isinstance(value, int)

    def shorten(self, pairs: Mapping[str, str], notation: Spelling) -> str:
        """Return a result in one line without keys, or "" if that is impossible.

        If the result is unusual, the line may be read as a different result.
        """
        return ""

    def example_lines(self, notation: Spelling) -> Iterable[str]:
        """Return lines without keys that may be results of a deal. Usually, one is accepted."""
        return ()

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[Value]:
        """Return a list with one random value, or an empty list if there is no suitable value."""
        return ()


class NoValue(Syntax):
    """The syntax of an entry that is only a word, without a value."""

    def read(self, text: str, notation: Spelling) -> None:
        if text:
            raise Unreadable(tr("“{text}” is not allowed here", text=clean(text)))

    def write(self, value: None, notation: Spelling) -> str:
        return ""

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[Value]:
        return (None,)


class Text(Syntax):
    """Free text to the end of the line."""

    form = N_("TEXT")

    def __init__(self, needed: bool = False) -> None:
        self.needed = needed

    def read(self, text: str, notation: Spelling) -> str:
        if self.needed and not text:
            raise Unreadable(tr("a short text must follow"))
        return clean(text)

    def write(self, value: str, notation: Spelling) -> str:
        return value

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[Value]:
        return ("somebody saw it",)


class Number(Syntax):
    """An integer from `least` to `most`."""

    form = N_("NUMBER")

    def __init__(self, least: int = 0, most: int = 9999) -> None:
        self.least = least
        self.most = most

    def read(self, text: str, notation: Spelling) -> float:
        return parse_whole(text, self.least, self.most)

    def write(self, value: float, notation: Spelling) -> str:
        return str(value)

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[Value]:
        return (rng.randint(self.least, min(self.most, self.least + 30)),)


class Points(Number):
    """Card points from `least` to `most`, which may end in a half."""

    def read(self, text: str, notation: Spelling) -> float:
        return parse_points(text, self.least, self.most)


class Numbers(Syntax):
    """Numbers separated by spaces."""

    form = N_("NUMBER…")

    def read(self, text: str, notation: Spelling) -> tuple[int, ...]:
        if not text:
            raise Unreadable(tr("at least one number must follow"))
        tokens = text.split()
        digits = "".join(tokens)
        if digits.isascii() and digits.isdigit() and max(map(len, tokens)) < 5:
            return tuple(map(int, tokens))
        return tuple(parse_whole(token, 0, 9999) for token in tokens)

    def write(self, value: Iterable[int], notation: Spelling) -> str:
        return " ".join(map(str, value))


class Cards(Syntax):
    """From `least` to `most` cards. In written form, `…` represents cards that are not listed."""

    form = N_("CARD…")

    def __init__(self, least: int = 1, most: int = MAX_CARDS) -> None:
        self.least = least
        self.most = most

    def read(self, text: str, notation: Spelling) -> Value:
        known = notation.known_cards
        try:
            cards = tuple(map(known.__getitem__, text.lower().split()))
        except KeyError:
            cards = tuple(notation.read_card(token) for token in notation.split_tokens(text))
        if not self.least <= len(cards) <= self.most:
            raise Unreadable(self._count_problem(len(cards)))
        return cards

    def _count_problem(self, count: int) -> str:
        """Return the message for a wrong number of cards."""
        number = count or tr("none")
        if self.least < self.most < MAX_CARDS:
            return tr(
                "name {least} to {most} cards, not {number}",
                least=self.least,
                most=self.most,
                number=number,
            )
        if self.most >= MAX_CARDS:
            return plural(
                "name at least {count} card, not {number}",
                "name at least {count} cards, not {number}",
                self.least,
                number=number,
            )
        return plural(
            "name {count} card, not {number}",
            "name {count} cards, not {number}",
            self.least,
            number=number,
        )

    def write(self, value: Value, notation: Spelling) -> str:
        return " ".join(map(notation.kinds.__getitem__, value)) or "…"

    def may_match(self, text: str, notation: Spelling) -> bool:
        return notation.is_card(notation.split_tokens(text)[0])

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[Value]:
        kinds = range(len(notation.kinds))
        number = rng.randint(self.least, max(self.least, min(self.most, 3)))
        return (tuple(rng.choice(kinds) for _ in range(number)),) if kinds else ()


class CardsNamingSuit(Cards):
    """Cards to be played, or one card of `naming` with the suit that it names when it is led.

    `suits` are the suits by their English names.
    """

    form = N_("CARD… or CARD SUIT")

    def __init__(self, most: int) -> None:
        super().__init__(1, most)
        self.naming: frozenset[int] = frozenset()  # set when the ruleset is compiled

    def read(self, text: str, notation: Spelling) -> Value:
        *cards, last = notation.split_tokens(text)
        if len(cards) == 1 and notation.is_suit(last) and notation.is_card(cards[0]):
            kind = notation.read_card(cards[0])
            if kind in self.naming:
                suit = notation.read_suit(last)
                return SuitLead((kind,), suit, notation.kinds_of_suit(suit))
        return super().read(text, notation)

    def write(self, value: Value, notation: Spelling) -> str:
        cards = super().write(value, notation)
        named = isinstance(value, SuitLead)
        return f"{cards} {notation.write_suit(value.suit)}" if named else cards


class Suit(Syntax):
    """One suit, by its letter, symbol or name."""

    form = N_("SUIT")

    def read(self, text: str, notation: Spelling) -> str:
        return notation.read_suit(text)

    def write(self, value: str, notation: Spelling) -> str:
        return notation.write_suit(value)

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[Value]:
        return (rng.choice(notation.suits),) if notation.suits else ()


class CardsOrCount(Cards):
    """Cards, or just the number of cards."""

    form = N_("CARD… or NUMBER")

    def read(self, text: str, notation: Spelling) -> Value:
        if text.isascii() and text.isdigit():
            return parse_whole(text, 0, 9999)
        return super().read(text, notation)

    def write(self, value: Value, notation: Spelling) -> str:
        return str(value) if isinstance(value, int) else super().write(value, notation)

    def hide_cards(self, value: Value) -> Value:
        return value if isinstance(value, int) else len(value)


class PlayerName(Syntax):
    """A player's name."""

    names_players = True
    form = N_("NAME")

    def read(self, text: str, notation: Spelling) -> int:
        return notation.find_seat(text)

    def write(self, value: int, notation: Spelling) -> str:
        return notation.names[value]

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[Value]:
        return (rng.randint(0, len(notation.names) - 1),)


class OfPlayer(Syntax):
    """A player's name, a colon, and a value for that player."""

    names_players = True

    def __init__(self, inner: Syntax) -> None:
        self.inner = inner
        self.form = f"NAME: {inner.form}"

    def translated_form(self) -> str:
        return tr("NAME: {form}", form=self.inner.translated_form())

    def read(self, text: str, notation: Spelling) -> tuple[int, Value]:
        name, colon, rest = text.partition(":")
        if not colon:
            say = tr("a name and a colon must follow")
            if text:
                say = tr("expected a name and a colon instead of “{text}”", text=clean(text))
            raise Unreadable(say)
        return notation.find_seat(name.strip()), self.inner.read(rest.strip(), notation)

    def write(self, value: tuple[int, Value], notation: Spelling) -> str:
        return f"{notation.names[value[0]]}: {self.inner.write(value[1], notation)}".rstrip()

    def hide_cards(self, value: tuple[int, Value]) -> tuple[int, Value]:
        return value[0], self.inner.hide_cards(value[1])

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[Value]:
        seat = rng.randint(0, len(notation.names) - 1)
        return [(seat, value) for value in self.inner.sample(rng, notation)]


class WordChoice(Syntax):
    """One of a fixed list of canonical words."""

    def __init__(self, *words: str) -> None:
        self.words = self.words_named = words
        self.form = " or ".join(words)

    def word_in(self, value: str) -> str:
        return value

    def translated_form(self) -> str:
        return tr(" or ").join(self.words)

    def read(self, text: str, notation: Spelling) -> str:
        word = notation.find_meaning(text)
        if word not in self.words:
            words = ", ".join(self.words)
            raise Unreadable(tr("“{text}” is not one of {words}", text=clean(text), words=words))
        return word

    def write(self, value: str, notation: Spelling) -> str:
        return notation.write_word(value)

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[Value]:
        return (rng.choice(self.words),)


class KeyValues(Syntax):
    """Words of the form `key=value`.

    A value ends before the next ` key=`. If there is only one key, its value may be empty. Keys may
    be typed in any language of the ruleset.
    """

    names_players = True
    form = "KEY=VALUE…"

    def read(self, text: str, notation: Spelling) -> tuple[tuple[str, str], ...]:
        pairs: list[tuple[str, str]] = []
        for token in text.split():
            key, equals, value = map(clean, token.partition("="))
            if not key:
                raise Unreadable(
                    tr("“{token}” is not of the form key=value", token=clean(token)),
                    tr("do not put a space before the ="),
                )
            if equals or not pairs:
                called = notation.find_meaning(key)
                key = called if called.isidentifier() else key
                if any(key == known for known, _ in pairs):
                    raise Unreadable(tr("“{key}” has been entered twice", key=key))
                pairs.append((key, value))
            else:
                pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]} {clean(token)}".strip())
        if not pairs:
            raise Unreadable(tr("type the result as key=value"))
        named = notation.name_keys
        return tuple(
            (key, self._full_names(raw, notation) if key in named else _lower_words(raw, notation))
            for key, raw in pairs
        )

    def _full_names(self, text: str, notation: Spelling) -> str:
        """Return players' names in full. A string with an unknown name is returned unchanged, so
        that the rules can refuse it."""
        try:
            return "+".join(
                notation.names[notation.find_seat(name.strip())] for name in text.split("+")
            )
        except Unreadable:
            return text

    def write(self, value: Iterable[tuple[str, str]], notation: Spelling) -> str:
        pairs = list(value)
        if len(pairs) == 1 and not pairs[0][1]:
            return pairs[0][0]
        return " ".join(map("=".join, pairs))


def _lower_words(text: str, notation: Spelling) -> str:
    """Return a string in which the ruleset's own words are in lower case."""
    parts = (part.split(":") for part in text.split("+"))
    return "+".join(":".join(_lower_word(word, notation) for word in part) for part in parts)


def _lower_word(text: str, notation: Spelling) -> str:
    folded = text.casefold()
    return folded if notation.find_meaning(text) == folded else text


# --- reading and cleaning texts


def clean(text: str) -> str:
    """Return untrusted text for display, without control characters and with single spaces."""
    if not text.isascii() or not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(text.split())


def normalize(text: str) -> str:
    """Return the text in Unicode's composed form (NFC), so that equal names compare equal."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFC", text)


def parse_whole(text: str, least: int, most: int) -> int:
    """Return the integer that a string represents. Raises Unreadable unless it is within bounds."""
    number = parse_signed(text)
    if number is None or abs(number) >= 10**9:
        typed = clean(text)[:MAX_NAME_LENGTH]
        say = N_("“{text}” is not a whole number from {least} to {most}")
        raise Unreadable(tr(say, text=typed, least=least, most=most))
    if not least <= number <= most:
        raise Unreadable(
            tr("{number} is not between {least} and {most}", number=number, least=least, most=most)
        )
    return number


def parse_points(text: str, least: int, most: int) -> float:
    """Return the number of card points that a string represents, which may end in a half.

    Raises Unreadable unless it is within bounds.
    """
    whole, mark, half = clean(text).strip().replace(",", ".").partition(".")
    if mark and half.rstrip("0") in ("5", ""):
        number = parse_whole(whole, least, most)
        return number + 0.5 if half.startswith("5") else number
    return parse_whole(text, least, most)


def parse_by_player(text: str, names: Sequence[str], key: str, most: int) -> dict[int, int]:
    """Return the numbers in a text `NAME:NUMBER+NAME:NUMBER`, keyed by the players' seats.

    Raises Unreadable for any other text, for a number above `most`, and for a player named twice.
    """
    numbers: dict[int, int] = {}
    for part in text.split("+"):
        name, colon, number = part.rpartition(":")
        if not colon:
            raise Unreadable(
                tr("{key}={part} names no player", key=key, part=clean(part)),
                tr("the form is {form}", form=f"{key}={'+'.join(f'{each}:…' for each in names)}"),
            )
        seat = find_seat(names, name.strip())
        if seat in numbers:
            raise Unreadable(tr("“{names}”: a player is named twice", names=clean(text)[:80]))
        numbers[seat] = parse_whole(number.strip(), 0, most)
    return numbers


def find_seat(names: Sequence[str], text: str, absent: Sequence[str] = ()) -> int:
    """Return the seat of the player with this name, or whose name begins with it.

    An exact match takes precedence. Raises Unreadable. The message differs for players in
    `absent`, who have left the table.
    """
    folded = normalize(text.strip().casefold())
    all_folded = [name.casefold() for name in names]
    if folded in all_folded:
        return all_folded.index(folded)
    seats = [seat for seat, name in enumerate(all_folded) if folded and name.startswith(folded)]
    if len(seats) == 1:
        return seats[0]
    shown = clean(text)[:MAX_NAME_LENGTH]
    if seats:
        candidates = ", ".join(names[seat] for seat in seats)
        raise Unreadable(
            tr("“{typed}” may mean {names}", typed=shown, names=candidates),
            tr("type one more letter of the name"),
        )
    known = ", ".join(names)
    for name in absent:
        if name.casefold() == folded:
            raise Unreadable(
                tr("{who} has left the table; players are {names}", who=name, names=known)
            )
    from scorekeeper.core.text import find_nearest

    near = find_nearest(folded, all_folded)
    hint = tr("did you mean {name}?", name=names[all_folded.index(near)]) if near else ""
    raise Unreadable(
        tr("no player is called “{typed}”; players are {names}", typed=shown, names=known), hint
    )
