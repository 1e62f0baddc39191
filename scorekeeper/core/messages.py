"""Messages for users in their language, with names and numbers filled in.

Messages are written in English in the code. The English text is the key in the catalog of each
other language. The caller chooses the language with `using_language`. By default, as in the library
and in JSON, messages are English.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ENGLISH = "en"


class MessageCatalog(Protocol):
    """The messages of one language. `gettext.NullTranslations` has these methods too."""

    def gettext(self, message: str) -> str:
        """Return the translated message, or the message itself if there is no translation."""
        ...

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the translated form of the message for the number `n`."""
        ...


class Locale:
    """A message language, with its code and its catalog."""

    __slots__ = ("catalog", "code")

    def __init__(self, code: str, catalog: MessageCatalog) -> None:
        self.code = code
        self.catalog = catalog


_locale: ContextVar[Locale | None] = ContextVar("spoken", default=None)


def tr(message: str, /, **facts: object) -> str:
    """Return the message in the current language, with facts filled into its `{placeholders}`.

    If there are no facts, braces are left unchanged.

    >>> tr("{who} deals", who="Ana")
    'Ana deals'
    """
    locale = _locale.get()
    if locale is not None and message:
        message = locale.catalog.gettext(message)
    return message.format(**facts) if facts else message


def format_points(number: float) -> str:
    """Return a number of points as text, with the decimal mark of the current language."""
    text = str(number)
    return text if current_language() == ENGLISH else text.replace(".", ",")


def plural(one: str, several: str, count: float, /, **facts: object) -> str:
    """Return the singular or plural form of a message, with the number filled in as `{count}`.

    A number that ends in a half takes the plural.

    >>> plural("{count} card", "{count} cards", 2)
    '2 cards'
    """
    locale = _locale.get()
    number: object = count
    if isinstance(count, float):
        number, count = format_points(count), 2
    if locale is not None:
        form = locale.catalog.ngettext(one, several, abs(count))
    else:
        form = one if abs(count) == 1 else several
    return form.format(count=number, **facts)


def N_(message: str) -> str:
    """Return the message itself, and mark it for translation. `tr` translates it later."""
    return message


def current_language() -> str:
    """Return the code of the current language."""
    locale = _locale.get()
    return ENGLISH if locale is None else locale.code


def set_language(locale: Locale | None) -> None:
    """Set the language for all later messages. None means English."""
    _locale.set(locale)


@contextmanager
def using_language(locale: Locale | None) -> Iterator[None]:
    """Use a language inside a `with` block. None means English, the language of all stored text."""
    before = _locale.set(locale)
    try:
        yield
    finally:
        _locale.reset(before)


# --- names and numbers in sentences
#
# If a sentence has a fixed noun or verb, pass the whole sentence to `plural`, so that it can be
# translated: `plural("{names} is out", "{names} are out", …)`.


def join_list(names: Sequence[str], word: str = "and") -> str:
    """Join names into a list for a sentence. `word` is `and` or `or`.

    >>> join_list(["Ana", "Ben", "Cleo"])
    'Ana, Ben and Cleo'
    """
    if len(names) < 2:
        return "".join(names)
    before, last = ", ".join(names[:-1]), names[-1]
    if word == "or":
        return tr("{names} or {last}", names=before, last=last)
    return tr("{names} and {last}", names=before, last=last)


def format_quoted(text: object) -> str:
    """Return the text in quotation marks."""
    return tr("“{text}”", text=text)


def format_count(count: float, noun: str, plural_noun: str = "") -> str:
    """Return a number with its noun. Use it for English text only.

    >>> format_count(1, "card"), format_count(2, "card")
    ('1 card', '2 cards')
    """
    return f"{count} {noun if abs(count) == 1 else plural_noun or noun + 's'}"


def format_accounted_for(count: int, cards: str) -> str:
    """Return a statement that all `count` cards of a set are accounted for.

    >>> format_accounted_for(1, "QC")
    'the QC is accounted for'
    """
    if count == 1:
        return tr("the {cards} is accounted for", cards=cards)
    if count == 2:
        return tr("both {cards} are accounted for", cards=cards)
    return tr("all {count} {cards} are accounted for", count=count, cards=cards)


def format_times(count: int) -> str:
    """Return a number of times as text: `once`, `twice`, `3 times`."""
    if count == 1:
        return tr("once")
    return tr("twice") if count == 2 else plural("{count} time", "{count} times", count)


def format_has(name: str) -> str:
    """Return a side with the right form of “have”: `re has`, `opponents have`."""
    return tr("{side} have", side=name) if name.endswith("s") else tr("{side} has", side=name)


def format_changes(points: Iterable[tuple[str, float]]) -> str:
    """Return the points of each player as text. Players with equal points are listed together.

    >>> format_changes([("Ana", 1), ("Ben", -3), ("Cleo", 1)])
    'Ben -3; Ana and Cleo +1 each'
    """
    names: dict[float, list[str]] = {}
    for name, number in points:
        names.setdefault(number, []).append(name)
    return "; ".join(
        tr("{names} {points} each", names=join_list(equal), points=f"{number:+g}")
        if len(equal) > 1
        else f"{equal[0]} {number:+g}"
        for number, equal in sorted(names.items())
    )


# --- texts that are not the same for every reader


class Prompt(NamedTuple):
    """The next required action, as the end of a sentence: `J2 must choose open or closed`.

    `for_onlookers` is the wording for spectators, who type nothing. If it is empty, spectators read
    `text` too.
    """

    text: str
    for_onlookers: str = ""


class Sentence(NamedTuple):
    """A sentence about the state of a round.

    If `on_table` is true, `status` prints the sentence and the live table omits it, because the
    players can see the fact on the table.
    """

    text: str
    on_table: bool = False
