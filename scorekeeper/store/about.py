"""What is kept about a match besides its rules, players and entries."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple

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


# What is written as a day is, and a moment of UTC.
WRITTEN = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|\+00:00)", re.ASCII)


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


def day_of(started: str) -> str:
    """The day on which a match began, where people are; empty where nobody knows."""
    day = moment_of(started)[:10]
    return day if is_day(day) else ""


def moment_of(started: str) -> str:
    """When a match began as people say it, where they are: a day, with the minute if that is known;
    what is neither as it was said."""
    if MOMENT.fullmatch(started):
        from datetime import datetime

        with suppress(ValueError, OverflowError, OSError):  # no moment there ever is
            started = datetime.fromisoformat(started).astimezone().isoformat()
    return started[:16].replace("T", " ")


def in_order(started: str) -> tuple[str, str]:
    """By what matches are put in the order in which they were begun: by the days on which people
    began them; where nobody knows that comes first."""
    return day_of(started), started


def is_day(text: str) -> bool:
    """Whether it is a day that there is, as ISO 8601 has it."""
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def identifier() -> str:
    """A new identifier, written as a UUID."""
    text = os.urandom(16).hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
