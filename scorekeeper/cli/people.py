"""The commands `players`: who plays in the book's matches, and by which names they are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    BookOption,
    FormatOption,
    commanded,
    open_book,
    say,
    say_json,
)
from scorekeeper.core.messages import plural, tr

if TYPE_CHECKING:
    from scorekeeper.core.types import Json
    from scorekeeper.store.people import Person


@commanded
def list_(book: BookOption = None, format: FormatOption = "text") -> int:
    """Everybody who plays in a match of the book, and how they were written.

    Example: scorekeeper players list
    """
    from scorekeeper.store.people import people

    with open_book(book) as opened:
        found = people(opened)
    if format == "json":
        say_json([_as_json(one) for one in found])
        return FINE
    for one in found:
        _tell(one)
    if not found:
        say(tr("no matches yet; begin one: scorekeeper new RULESET NAME NAME …"))
    return FINE


@commanded
def rename(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The name as it is told now.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The name from now on.")],
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Tell somebody by another name in matches, stats, sheet and scores.

    What was entered stays as it was written: entries, records, rulings.

    Example: scorekeeper players rename Cleo Cleopatra
    """
    from scorekeeper.store import people

    with open_book(book) as opened:
        return _done(people.rename(opened, old, new), format)


@commanded
def merge(
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME", help="The names of one person, the last the right one."),
    ],
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Tell several spellings as one person: by the last name. Two people of one match are two.

    Example: scorekeeper players merge Cleopatra Cleo
    """
    from scorekeeper.core.errors import Unreadable
    from scorekeeper.store import people

    if len(names) < 2:
        raise Unreadable(tr("one name is nothing to merge"), "players merge Anna Ana")
    with open_book(book) as opened:
        return _done(people.merge(opened, names[:-1], names[-1]), format)


@commanded
def forget(
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="The names as told now.")],
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Tell people as they were written again.

    Example: scorekeeper players forget Cleo
    """
    from scorekeeper.store import people

    with open_book(book) as opened:
        found = people.forget(opened, names)
    if format == "json":
        say_json([_as_json(one) for one in found])
        return FINE
    for one in found:
        written = ", ".join(one.spellings)
        say(tr("{name} is told as written again: {spellings}", name=one.name, spellings=written))
    return FINE


def _done(one: Person, format: str) -> int:
    if format == "json":
        say_json(_as_json(one))
    else:
        _tell(one)
    return FINE


def _tell(one: Person) -> None:
    said = plural("{name}: {count} match", "{name}: {count} matches", one.matches, name=one.name)
    others = ", ".join(spelling for spelling in one.spellings if spelling != one.name)
    say(tr("{person} (written {spellings})", person=said, spellings=others) if others else said)


def _as_json(one: Person) -> Json:
    return {"name": one.name, "matches": one.matches, "spellings": [*one.spellings]}
