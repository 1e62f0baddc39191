"""What is kept about a match besides its rules, players and entries."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from scorekeeper.core.tuples import NamedTuple

if TYPE_CHECKING:
    from typing import TypedDict

    from scorekeeper.store.protocol import MatchRow

    class Said(TypedDict, total=False):
        """What is said about a match, as `About` has it."""

        started: str
        place: str | None
        language: str
        title: str
        note: str
        identifier: str


class About(NamedTuple):
    """When a match began, as ISO 8601 has it (a day, or a moment), where, in which language it is
    typed, a title and a note; and the identifier of one that is not known by its beginning."""

    started: str = ""
    place: str | None = None
    language: str = ""
    title: str = ""
    note: str = ""
    identifier: str = ""


NOTHING = About()


def about_of(row: MatchRow) -> About:
    """What is kept about a match that is listed."""
    return About(row.started, row.place, row.language, row.title, row.note, row.identifier)


def identifier() -> str:
    """A new identifier, written as a UUID."""
    text = os.urandom(16).hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
