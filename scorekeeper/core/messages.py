"""Sentences for people, in the language of those who read them; names and numbers in them.

A sentence is written in English where it is made, and is its own key in the catalogue of each
other language. Which catalogue is asked is said once, from outside (`speaking`); where nobody
says anything, as in the library and in JSON, sentences are English.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ENGLISH = "en"


class Catalogue(Protocol):
    """What knows the sentences of one language; `gettext.NullTranslations` is one."""

    def gettext(self, message: str) -> str:
        """The sentence in that language; itself where it has none."""
        ...

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The form of the sentence for so many."""
        ...


class Tongue:
    """A language that is spoken: its code, and its catalogue."""

    __slots__ = ("catalogue", "code")

    def __init__(self, code: str, catalogue: Catalogue) -> None:
        self.code = code
        self.catalogue = catalogue


_spoken: ContextVar[Tongue | None] = ContextVar("spoken", default=None)


def tr(message: str, /, **facts: object) -> str:
    """The sentence in the language that is spoken, with facts in its `{places}`. Without facts
    braces stay as they are."""
    spoken = _spoken.get()
    if spoken is not None and message:
        message = spoken.catalogue.gettext(message)
    return message.format(**facts) if facts else message


def plural(one: str, several: str, count: int, /, **facts: object) -> str:
    """The form of the sentence for so many; `{count}` is the number."""
    spoken = _spoken.get()
    if spoken is not None:
        form = spoken.catalogue.ngettext(one, several, abs(count))
    else:
        form = one if abs(count) == 1 else several
    return form.format(count=count, **facts)


def mark(message: str) -> str:
    """A sentence that belongs into the catalogues and is told later, by `tr`."""
    return message


def language() -> str:
    """The code of the language that is spoken."""
    spoken = _spoken.get()
    return ENGLISH if spoken is None else spoken.code


def speak(tongue: Tongue | None) -> None:
    """Speak a language from now on; None is English."""
    _spoken.set(tongue)


@contextmanager
def speaking(tongue: Tongue | None) -> Iterator[None]:
    """Speak a language for a while; None is English, as whatever is kept is written in."""
    before = _spoken.set(tongue)
    try:
        yield
    finally:
        _spoken.reset(before)


# --- names and numbers as they stand in a sentence
#
# Where the noun or the verb is known to who calls, `plural` says the whole sentence at once, so
# that it can be translated: `plural("{names} is out", "{names} are out", …)`.


def listed(names: Sequence[str], word: str = "and") -> str:
    """Names as a sentence lists them: `Ana`, `Ana and Ben`, `Ana, Ben and Cleo`; `or` is the other
    word."""
    if len(names) < 2:
        return "".join(names)
    before, last = ", ".join(names[:-1]), names[-1]
    if word == "or":
        return tr("{names} or {last}", names=before, last=last)
    return tr("{names} and {last}", names=before, last=last)


def number_of(count: int, noun: str, several: str = "") -> str:
    """A number with its noun, in the singular or plural: `1 card`, `2 cards`; for what is said in
    English alone."""
    return f"{count} {noun if abs(count) == 1 else several or noun + 's'}"


def accounted_for(count: int, what: str) -> str:
    """That every card of a set is known: `the QC is accounted for`, `both QC are …`."""
    if count == 1:
        return tr("the {cards} is accounted for", cards=what)
    if count == 2:
        return tr("both {cards} are accounted for", cards=what)
    return tr("all {count} {cards} are accounted for", count=count, cards=what)


def times(count: int) -> str:
    """How often something is so: `once`, `twice`, `3 times`."""
    if count == 1:
        return tr("once")
    return tr("twice") if count == 2 else plural("{count} time", "{count} times", count)


def has(name: str) -> str:
    """A side and its verb: `re has`, `opponents have`."""
    return tr("{side} have", side=name) if name.endswith("s") else tr("{side} has", side=name)


def changed(points: Iterable[tuple[str, float]]) -> str:
    """Who gets how much, what is equal together: `Ben -3; Ana and Cleo +1 each`."""
    names: dict[float, list[str]] = {}
    for name, number in points:
        names.setdefault(number, []).append(name)
    return "; ".join(
        tr("{names} {points} each", names=listed(alike), points=f"{number:+g}")
        if len(alike) > 1
        else f"{alike[0]} {number:+g}"
        for number, alike in sorted(names.items())
    )


# --- texts that are not the same for every reader


class Prompt(NamedTuple):
    """What must happen now, as the end of a sentence: `J2 must choose open or closed`.

    `for_onlookers` is the same for spectators, who type nothing; if it is empty, they read `text`.
    """

    text: str
    for_onlookers: str = ""


class Sentence(NamedTuple):
    """A sentence about how a round stands. If `on_table`, `status` prints it and the live table
    leaves it out, because the players see the fact before them."""

    text: str
    on_table: bool = False
