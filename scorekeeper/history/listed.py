"""A match among others: to look back on, and what is kept about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorekeeper.core.types import Plain
    from scorekeeper.play.reviewed import Reviewed


class Listed(NamedTuple):
    """A match and what is known of it besides: how it is called (its number in the book, or its
    file), when it began (ISO 8601, a date or with a time; empty: nobody knows) and where it was
    played, its title and a note; the language in which it is typed, its identifier if it has one,
    and what was set of its ruleset."""

    match: Reviewed
    name: str = ""
    started: str = ""
    place: str = ""
    title: str = ""
    note: str = ""
    language: str = ""
    identifier: str = ""
    options: Mapping[str, Plain] | None = None
