"""Sentences that are not for everybody. May import nothing."""

from __future__ import annotations


class Aside(str):
    """A sentence for who asks how a round stands: a table that plays sees it anyway, or does not
    look for it."""

    __slots__ = ()


class Asked(str):
    """What somebody is asked for, and how it is typed; `awaited` says what for who looks on."""

    __slots__ = ("awaited",)
    awaited: str

    def __new__(cls, text: str, awaited: str) -> Asked:
        made = super().__new__(cls, text)
        made.awaited = awaited
        return made
