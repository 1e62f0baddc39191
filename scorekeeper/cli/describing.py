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
    say(f"ruleset: {ruleset.name} ({ruleset.title})")
    say(f"players: {', '.join(players)}")
    for key in ("started", "place"):
        if opened.meta[key]:
            say(f"{key}: {opened.meta[key]}")
    say(language_text(opened.meta["language"] or "none", opened.speech(format)))
    return FINE


def _speaking(opened: Opened, language: str) -> Opened:
    """The match after its language was changed in the book."""
    from scorekeeper.ruleset.languages import NONE

    if opened.desk is None:
        raise Unreadable("a record file is only read", "import it, then about --language CODE")
    code = "" if language == NONE else language
    opened.desk.describe(code)
    return opened._replace(meta={**opened.meta, "language": code})
