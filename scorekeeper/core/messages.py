"""Sentences for people, in the language of those who read them.

A sentence is written in English where it is made, and is its own key in the catalogue of each other
language. Which catalogue is asked is said once, from outside (`speaking`); where nobody says
anything, as in the library and in JSON, sentences are English.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

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
