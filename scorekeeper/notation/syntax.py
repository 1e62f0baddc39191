"""How what follows a word is read and written: cards, names, numbers.

A phase declares its verbs with these, or with ones of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core.english import number_of
from scorekeeper.core.failures import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.notation import Notation

SUITS = {"♣": "C", "♧": "C", "♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D"}
NAME_LENGTH = 40
MOST_CARDS = 60


class Syntax:
    """How what follows a verb is read and written. `form` shows it in help texts."""

    form = ""

    def read(self, text: str, notation: Notation) -> Any:
        """The value; raises Unreadable."""
        raise AssertionError(f"{type(self).__name__} reads nothing")

    def show(self, value: Any, notation: Notation) -> str:
        """The canonical text of a value."""
        raise AssertionError(f"{type(self).__name__} shows nothing")

    def fits(self, text: str, notation: Notation) -> bool:
        """Whether an implicit verb may be meant by this text at all."""
        return False


class Nothing(Syntax):
    """The word alone."""

    def read(self, text: str, notation: Notation) -> None:
        if text:
            raise Unreadable(f"nothing may follow here, found “{clean(text)}”")

    def show(self, value: None, notation: Notation) -> str:
        return ""


class Text(Syntax):
    """Any text to the end of the line."""

    form = "TEXT"

    def __init__(self, needed: bool = False) -> None:
        self.needed = needed

    def read(self, text: str, notation: Notation) -> str:
        if self.needed and not text:
            raise Unreadable("a few words must follow")
        return clean(text)

    def show(self, value: str, notation: Notation) -> str:
        return value


class Number(Syntax):
    """A whole number from `least` to `most`."""

    form = "NUMBER"

    def __init__(self, least: int = 0, most: int = 9999) -> None:
        self.least = least
        self.most = most

    def read(self, text: str, notation: Notation) -> int:
        return whole(text, self.least, self.most)

    def show(self, value: int, notation: Notation) -> str:
        return str(value)


class Numbers(Syntax):
    """Numbers with blanks between them."""

    form = "NUMBER…"

    def read(self, text: str, notation: Notation) -> tuple[int, ...]:
        if not text:
            raise Unreadable("at least one number must follow")
        return tuple(whole(token, 0, 9999) for token in text.split())

    def show(self, value: Iterable[int], notation: Notation) -> str:
        return " ".join(map(str, value))


class Cards(Syntax):
    """From `least` to `most` cards. None at all are written `…`: some that are not listed."""

    form = "CARD…"

    def __init__(self, least: int = 1, most: int = MOST_CARDS) -> None:
        self.least = least
        self.most = most

    def read(self, text: str, notation: Notation) -> Any:
        known = notation.lexicon.cards.known
        try:
            cards = tuple([known[token] for token in text.lower().split()])
        except KeyError:
            cards = tuple(notation.card(token) for token in notation.tokens(text))
        if not self.least <= len(cards) <= self.most:
            wanted = number_of(self.least, "card")
            if self.most >= MOST_CARDS:
                wanted = f"at least {wanted}"
            elif self.most > self.least:
                wanted = f"{self.least} to {self.most} cards"
            raise Unreadable(f"{wanted} must be named, found {len(cards) or 'none'}")
        return cards

    def show(self, value: Any, notation: Notation) -> str:
        kinds = notation.kinds
        return " ".join([kinds[kind] for kind in value]) or "…"

    def fits(self, text: str, notation: Notation) -> bool:
        return notation.is_card(notation.tokens(text)[0])


class Suit(Syntax):
    """One suit, by its letter or symbol."""

    form = "SUIT"

    def read(self, text: str, notation: Notation) -> str:
        return notation.suit(text)

    def show(self, value: str, notation: Notation) -> str:
        return notation.say_suit(value)


class CardsOrCount(Cards):
    """Cards, or only how many."""

    form = "CARD… or NUMBER"

    def read(self, text: str, notation: Notation) -> Any:
        if text.isascii() and text.isdigit():
            return whole(text, 0, 9999)
        return super().read(text, notation)

    def show(self, value: Any, notation: Notation) -> str:
        return str(value) if isinstance(value, int) else super().show(value, notation)


class Who(Syntax):
    """A player's name."""

    form = "NAME"

    def read(self, text: str, notation: Notation) -> int:
        return notation.seat(text)

    def show(self, value: int, notation: Notation) -> str:
        return notation.names[value]


class Of(Syntax):
    """A player's name, a colon, and something of his."""

    def __init__(self, inner: Syntax) -> None:
        self.inner = inner
        self.form = f"NAME: {inner.form}"

    def read(self, text: str, notation: Notation) -> tuple[int, Any]:
        name, colon, rest = text.partition(":")
        if not colon:
            raise Unreadable(f"a name and a colon must follow, found “{clean(text)}”")
        return notation.seat(name.strip()), self.inner.read(rest.strip(), notation)

    def show(self, value: tuple[int, Any], notation: Notation) -> str:
        return f"{notation.names[value[0]]}: {self.inner.show(value[1], notation)}".rstrip()


class OneOf(Syntax):
    """One word of a closed list of canonical words."""

    def __init__(self, *words: str) -> None:
        self.words = words
        self.form = " or ".join(words)

    def read(self, text: str, notation: Notation) -> str:
        word = notation.canonical(text)
        if word not in self.words:
            raise Unreadable(f"“{clean(text)}” is none of {', '.join(self.words)}")
        return word

    def show(self, value: str, notation: Notation) -> str:
        return notation.say(value)


class Pairs(Syntax):
    """`key=value` words; a value runs to the next ` key=`. A key may stand alone."""

    form = "KEY=VALUE…"

    def read(self, text: str, notation: Notation) -> tuple[tuple[str, str], ...]:
        pairs: list[tuple[str, str]] = []
        for token in text.split():
            key, equals, value = map(clean, token.partition("="))
            if not key:
                raise Unreadable(f"“{clean(token)}” is no key=value", "no blank before the =")
            if equals or not pairs:
                if any(key == known for known, _ in pairs):
                    raise Unreadable(f"“{key}” is said twice")
                pairs.append((key, value))
            else:
                pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]} {clean(token)}".strip())
        if not pairs:
            raise Unreadable("what the result was must follow, as key=value")
        named = notation.lexicon.name_keys
        return tuple((key, self._full(said, notation) if key in named else said)
                     for key, said in pairs)  # fmt: skip

    def _full(self, said: str, notation: Notation) -> str:
        """Players' names in full; what is no name is left to the rules to refuse."""
        try:
            return "+".join(notation.names[notation.seat(name.strip())] for name in said.split("+"))
        except Unreadable:
            return said

    def show(self, value: Iterable[tuple[str, str]], notation: Notation) -> str:
        pairs = list(map("=".join, value))
        return " ".join(pairs) if len(pairs) > 1 else pairs[0].removesuffix("=")


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
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
        raise Unreadable(f"“{clean(text)[:NAME_LENGTH]}” is no whole number from {least} to {most}")
    number = int(text)
    if not least <= number <= most:
        raise Unreadable(f"{number} is not from {least} to {most}")
    return number


def seat_named(names: Sequence[str], text: str) -> int:
    """The seat of the player whose name this is or begins: an exact name wins over a beginning;
    raises Unreadable."""
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
        raise Unreadable(f"“{shown}” may be {said}", "type one letter more")
    from scorekeeper.core.suggest import nearest

    near = nearest(folded, all_folded)
    hint = f"did you mean {names[all_folded.index(near)]}?" if near else ""
    raise Unreadable(f"no player is called “{shown}”; players are {', '.join(names)}", hint)
