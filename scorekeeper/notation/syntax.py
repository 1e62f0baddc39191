"""How the value of an entry is read and written: what follows its word, such as cards, a name, a
number, keys and values.

A phase declares its verbs with these, or with ones of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, plural, tr
from scorekeeper.core.text import signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.types import Luck

Value = Any
"""What a syntax reads: cards, a name … Only the phase that declared the verb knows which."""

SUITS = {"♣": "C", "♧": "C", "♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D"}
NAME_LENGTH = 40
MOST_CARDS = 60


class Spelling(Protocol):
    """How the people of a match write cards, suits, names and words."""

    @property
    def names(self) -> Sequence[str]:
        """The players, by seat."""

    @property
    def kinds(self) -> Sequence[str]:
        """The cards as they are written, by kind."""

    @property
    def suits(self) -> Sequence[str]:
        """The suits of the pack."""

    @property
    def known_cards(self) -> Mapping[str, int]:
        """The kind of card for what may be typed, in lower case, where that is in no doubt."""

    @property
    def meanings(self) -> Mapping[str, str]:
        """The program's word for each word that may be typed, in lower case."""

    @property
    def name_keys(self) -> frozenset[str]:
        """The keys of a `result` whose values are players."""

    def card(self, token: str) -> int:
        """The kind of card that a token names; raises Unreadable."""

    def is_card(self, token: str) -> bool:
        """Whether a token names a card of the pack, or may name several."""

    def tokens(self, text: str) -> list[str]:
        """The words of a text; those that together name a card are one."""

    def suit(self, text: str) -> str:
        """The suit that a letter or a symbol names; raises Unreadable."""

    def is_suit(self, text: str) -> bool:
        """Return whether a text is a suit, or may be several."""

    def say_suit(self, suit: str) -> str:
        """The suit as it is written."""

    def seat(self, text: str) -> int:
        """The seat of the player whose name this is or begins; raises Unreadable."""

    def canonical(self, text: str) -> str:
        """The program's word, or row's name, that a typed word means ("" if none)."""

    def say(self, word: str) -> str:
        """The word that is written for a word of the program."""

    def opening(self, text: str) -> tuple[str, str]:
        """The longest known word that a text begins with, and the rest of it."""


class Syntax:
    """How what follows a verb is read and written. `form` shows it in help texts; `names_players`:
    it may mean different things among different players."""

    form = ""
    names_players = False

    def read(self, text: str, notation: Spelling) -> Value:
        """The value; raises Unreadable."""
        raise AssertionError(f"{type(self).__name__} reads nothing")

    def show(self, value: Value, notation: Spelling) -> str:
        """The canonical text of a value."""
        raise AssertionError(f"{type(self).__name__} shows nothing")

    def spoken_form(self) -> str:
        """The form in the language that is spoken."""
        return tr(self.form)

    def fits(self, text: str, notation: Spelling) -> bool:
        """Whether an implicit verb may be meant by this text at all."""
        return False

    def hidden(self, value: Value) -> Value:
        """The value as the table has seen it: cards that only the recorder was told of (a hand,
        what was buried) are counted."""
        return value

    def is_number(self, value: Value) -> bool:
        """Whether the value only says how many cards it is."""
        return isinstance(value, int)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Value]:
        """Any value, alone in a sequence, for play at random; empty: there is none to think of."""
        return ()


class Nothing(Syntax):
    """The word alone."""

    def read(self, text: str, notation: Spelling) -> None:
        if text:
            raise Unreadable(tr("nothing may follow here, found “{text}”", text=clean(text)))

    def show(self, value: None, notation: Spelling) -> str:
        return ""

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Value]:
        return (None,)


class Text(Syntax):
    """Any text to the end of the line."""

    form = mark("TEXT")

    def __init__(self, needed: bool = False) -> None:
        self.needed = needed

    def read(self, text: str, notation: Spelling) -> str:
        if self.needed and not text:
            raise Unreadable(tr("a few words must follow"))
        return clean(text)

    def show(self, value: str, notation: Spelling) -> str:
        return value

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Value]:
        return ("somebody saw it",)


class Number(Syntax):
    """A whole number from `least` to `most`."""

    form = mark("NUMBER")

    def __init__(self, least: int = 0, most: int = 9999) -> None:
        self.least = least
        self.most = most

    def read(self, text: str, notation: Spelling) -> int:
        return whole(text, self.least, self.most)

    def show(self, value: int, notation: Spelling) -> str:
        return str(value)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Value]:
        return (luck.randint(self.least, min(self.most, self.least + 30)),)


class Numbers(Syntax):
    """Numbers with blanks between them."""

    form = mark("NUMBER…")

    def read(self, text: str, notation: Spelling) -> tuple[int, ...]:
        if not text:
            raise Unreadable(tr("at least one number must follow"))
        tokens = text.split()
        digits = "".join(tokens)
        if digits.isascii() and digits.isdigit() and max(map(len, tokens)) < 5:
            return tuple(map(int, tokens))
        return tuple(whole(token, 0, 9999) for token in tokens)

    def show(self, value: Iterable[int], notation: Spelling) -> str:
        return " ".join(map(str, value))


class Cards(Syntax):
    """From `least` to `most` cards. None at all are written `…`: some that are not listed."""

    form = mark("CARD…")

    def __init__(self, least: int = 1, most: int = MOST_CARDS) -> None:
        self.least = least
        self.most = most

    def read(self, text: str, notation: Spelling) -> Value:
        known = notation.known_cards
        try:
            cards = tuple(map(known.__getitem__, text.lower().split()))
        except KeyError:
            cards = tuple(notation.card(token) for token in notation.tokens(text))
        if not self.least <= len(cards) <= self.most:
            raise Unreadable(self._wanted(len(cards)))
        return cards

    def _wanted(self, found: int) -> str:
        """How many cards must be named, where so many were found."""
        number = found or tr("none")
        if self.least < self.most < MOST_CARDS:
            return tr(
                "{least} to {most} cards must be named, found {number}",
                least=self.least,
                most=self.most,
                number=number,
            )
        if self.most >= MOST_CARDS:
            return plural(
                "at least {count} card must be named, found {number}",
                "at least {count} cards must be named, found {number}",
                self.least,
                number=number,
            )
        return plural(
            "{count} card must be named, found {number}",
            "{count} cards must be named, found {number}",
            self.least,
            number=number,
        )

    def show(self, value: Value, notation: Spelling) -> str:
        return " ".join(map(notation.kinds.__getitem__, value)) or "…"

    def fits(self, text: str, notation: Spelling) -> bool:
        return notation.is_card(notation.tokens(text)[0])

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Value]:
        kinds = range(len(notation.kinds))
        number = luck.randint(self.least, max(self.least, min(self.most, 3)))
        return (tuple(luck.choice(kinds) for _ in range(number)),) if kinds else ()


class Suit(Syntax):
    """One suit, by its letter or symbol."""

    form = mark("SUIT")

    def read(self, text: str, notation: Spelling) -> str:
        return notation.suit(text)

    def show(self, value: str, notation: Spelling) -> str:
        return notation.say_suit(value)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Value]:
        return (luck.choice(notation.suits),) if notation.suits else ()


class CardsOrCount(Cards):
    """Cards, or only how many."""

    form = mark("CARD… or NUMBER")

    def read(self, text: str, notation: Spelling) -> Value:
        if text.isascii() and text.isdigit():
            return whole(text, 0, 9999)
        return super().read(text, notation)

    def show(self, value: Value, notation: Spelling) -> str:
        return str(value) if isinstance(value, int) else super().show(value, notation)

    def hidden(self, value: Value) -> Value:
        return value if isinstance(value, int) else len(value)


class Who(Syntax):
    """A player's name."""

    names_players = True
    form = mark("NAME")

    def read(self, text: str, notation: Spelling) -> int:
        return notation.seat(text)

    def show(self, value: int, notation: Spelling) -> str:
        return notation.names[value]

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Value]:
        return (luck.randint(0, len(notation.names) - 1),)


class Of(Syntax):
    """A player's name, a colon, and something of theirs."""

    names_players = True

    def __init__(self, inner: Syntax) -> None:
        self.inner = inner
        self.form = f"NAME: {inner.form}"

    def spoken_form(self) -> str:
        return tr("NAME: {form}", form=self.inner.spoken_form())

    def read(self, text: str, notation: Spelling) -> tuple[int, Value]:
        name, colon, rest = text.partition(":")
        if not colon:
            say = tr("a name and a colon must follow")
            if text:
                say = tr("a name and a colon must follow, found “{text}”", text=clean(text))
            raise Unreadable(say)
        return notation.seat(name.strip()), self.inner.read(rest.strip(), notation)

    def show(self, value: tuple[int, Value], notation: Spelling) -> str:
        return f"{notation.names[value[0]]}: {self.inner.show(value[1], notation)}".rstrip()

    def hidden(self, value: tuple[int, Value]) -> tuple[int, Value]:
        return value[0], self.inner.hidden(value[1])

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Value]:
        seat = luck.randint(0, len(notation.names) - 1)
        return [(seat, value) for value in self.inner.sample(luck, notation)]


class OneOf(Syntax):
    """One word of a closed list of canonical words."""

    def __init__(self, *words: str) -> None:
        self.words = words
        self.form = " or ".join(words)

    def spoken_form(self) -> str:
        return tr(" or ").join(self.words)

    def read(self, text: str, notation: Spelling) -> str:
        word = notation.canonical(text)
        if word not in self.words:
            words = ", ".join(self.words)
            raise Unreadable(tr("“{text}” is none of {words}", text=clean(text), words=words))
        return word

    def show(self, value: str, notation: Spelling) -> str:
        return notation.say(value)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Value]:
        return (luck.choice(self.words),)


class Pairs(Syntax):
    """`key=value` words; a value runs to the next ` key=`. A key may stand alone, and be
    called as the ruleset's languages call it."""

    names_players = True
    form = "KEY=VALUE…"

    def read(self, text: str, notation: Spelling) -> tuple[tuple[str, str], ...]:
        pairs: list[tuple[str, str]] = []
        for token in text.split():
            key, equals, value = map(clean, token.partition("="))
            if not key:
                raise Unreadable(
                    tr("“{token}” is no key=value", token=clean(token)), tr("no blank before the =")
                )
            if equals or not pairs:
                called = notation.canonical(key)
                key = called if called.isidentifier() else key
                if any(key == known for known, _ in pairs):
                    raise Unreadable(tr("“{key}” is said twice", key=key))
                pairs.append((key, value))
            else:
                pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]} {clean(token)}".strip())
        if not pairs:
            raise Unreadable(tr("what the result was must follow, as key=value"))
        named = notation.name_keys
        return tuple((key, self._full(said, notation) if key in named else _small(said, notation))
                     for key, said in pairs)  # fmt: skip

    def _full(self, said: str, notation: Spelling) -> str:
        """Players' names in full; what is no name is left to the rules to refuse."""
        try:
            return "+".join(notation.names[notation.seat(name.strip())] for name in said.split("+"))
        except Unreadable:
            return said

    def show(self, value: Iterable[tuple[str, str]], notation: Spelling) -> str:
        pairs = list(value)
        if len(pairs) == 1 and not pairs[0][1]:
            return pairs[0][0]
        return " ".join(map("=".join, pairs))


def _small(said: str, notation: Spelling) -> str:
    """The ruleset's own words in small letters, as it writes them."""
    parts = (part.split(":") for part in said.split("+"))
    return "+".join(":".join(_word(word, notation) for word in part) for part in parts)


def _word(said: str, notation: Spelling) -> str:
    folded = said.casefold()
    return folded if notation.canonical(said) == folded else said


# --- what is typed, read or made harmless


def clean(text: str) -> str:
    """Text from outside, fit to be shown: no control or format characters, single blanks."""
    if not text.isascii() or not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(text.split())


def composed(text: str) -> str:
    """The text in Unicode's composed form, so that equal names are equal texts."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFC", text)


def whole(text: str, least: int, most: int) -> int:
    """A whole number within bounds; raises Unreadable."""
    number = signed(text)
    if number is None or abs(number) >= 10**9:
        typed = clean(text)[:NAME_LENGTH]
        say = mark("“{text}” is no whole number from {least} to {most}")
        raise Unreadable(tr(say, text=typed, least=least, most=most))
    if not least <= number <= most:
        raise Unreadable(
            tr("{number} is not from {least} to {most}", number=number, least=least, most=most)
        )
    return number


def seat_named(names: Sequence[str], text: str, away: Sequence[str] = ()) -> int:
    """The seat of the player whose name this is or begins: an exact name wins over a beginning;
    raises Unreadable. Those who are `away` have left the table."""
    folded = composed(text.strip().casefold())
    all_folded = [name.casefold() for name in names]
    if folded in all_folded:
        return all_folded.index(folded)
    found = [seat for seat, name in enumerate(all_folded) if folded and name.startswith(folded)]
    if len(found) == 1:
        return found[0]
    shown = clean(text)[:NAME_LENGTH]
    if found:
        said = ", ".join(names[seat] for seat in found)
        raise Unreadable(
            tr("“{typed}” may be {names}", typed=shown, names=said), tr("type one letter more")
        )
    known = ", ".join(names)
    for name in away:
        if name.casefold() == folded:
            raise Unreadable(
                tr("{who} has left the table; players are {names}", who=name, names=known)
            )
    from scorekeeper.core.text import nearest

    near = nearest(folded, all_folded)
    hint = tr("did you mean {name}?", name=names[all_folded.index(near)]) if near else ""
    raise Unreadable(
        tr("no player is called “{typed}”; players are {names}", typed=shown, names=known), hint
    )
