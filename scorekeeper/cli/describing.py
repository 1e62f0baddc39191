"""The command `about`: what is kept with a match besides its entries."""

from __future__ import annotations

from typing import Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    BookOption,
    FormatOption,
    Opened,
    ReadOption,
    commanded,
    language_text,
    open_match,
    say,
    say_json,
)
from scorekeeper.core.failures import Unreadable
from scorekeeper.core.messages import tr


@commanded
def about(
    match: ReadOption = None,
    language: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="Its language from now on; none: the program's letters."),
    ] = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """What is kept with a match: its ruleset, players, when and where, its language.

    Entries are kept in the program's own letters, so they stay what they are.

    Example: scorekeeper about --language fr
    """
    opened = open_match(book, match)
    if language is not None:
        opened = _speaking(opened, language)
    ruleset, players = opened.match.ruleset, opened.match.players
    if format == "json":
        number = opened.desk.id if opened.desk else opened.meta["match"]
        say_json({"match": number, "ruleset": ruleset.name, "title": ruleset.title,
                  "players": players, "started": opened.meta["started"],
                  "place": opened.meta["place"], "language": opened.meta["language"]})  # fmt: skip
        return FINE
    say(tr("ruleset: {name} ({title})", name=ruleset.name, title=ruleset.title))
    say(tr("players: {players}", players=", ".join(players)))
    if opened.meta["started"]:
        say(tr("started: {date}", date=opened.meta["started"]))
    if opened.meta["place"]:
        say(tr("place: {place}", place=opened.meta["place"]))
    say(language_text(opened.meta["language"] or "none", opened.speech(format)))
    return FINE


def _speaking(opened: Opened, language: str) -> Opened:
    """The match after its language was changed in the book."""
    from scorekeeper.ruleset.languages import NONE

    if opened.desk is None:
        raise Unreadable(
            tr("a record file is only read"), tr("import it, then about --language CODE")
        )
    code = "" if language == NONE else language
    opened.desk.describe(code)
    return opened._replace(meta={**opened.meta, "language": code})
