"""The command `about`: what is kept with a match besides its entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

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
from scorekeeper.core import untrusted
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import shown

if TYPE_CHECKING:
    from scorekeeper.store.about import Said


@commanded
def about(
    match: ReadOption = None,
    date: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="When it was played: 2026-11-20, or with a time."),
    ] = None,
    title: Annotated[str | None, typer.Option(help="What the match is called.")] = None,
    place: Annotated[str | None, typer.Option(help="Where it was played.")] = None,
    note: Annotated[str | None, typer.Option(help="What is worth knowing about it.")] = None,
    language: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="Its language from now on; none: the program's letters."),
    ] = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """What is kept with a match: its ruleset, players, when and where, its language.

    What is given is put right; an empty text ("") takes it away. It is no entry, and changes none:
    they are kept in the program's own letters, so they stay what they are.

    Example: scorekeeper about --date 2026-11-20 --title "Friday club"
    """
    opened = open_match(book, match)
    said = said_about(date, title, place, note)
    if language is not None:
        from scorekeeper.ruleset.checks import NONE

        said["language"] = "" if language == NONE else language
    if said:
        opened = _changed(opened, said)
    ruleset, players, meta = opened.match.ruleset, opened.match.players, opened.meta
    if format == "json":
        number = opened.desk.id if opened.desk else meta["match"]
        say_json({"match": number, "ruleset": ruleset.name, "title": ruleset.title,
                  "players": players, "started": meta["started"], "place": meta["place"],
                  "language": meta["language"], **titled(meta["title"], meta["note"])})  # fmt: skip
        return FINE
    if meta["title"]:
        say(tr("title: {title}", title=meta["title"]))
    say(tr("ruleset: {name} ({title})", name=ruleset.name, title=ruleset.said(ruleset.title)))
    say(tr("players: {players}", players=", ".join(players)))
    if meta["started"]:
        say(tr("started: {date}", date=meta["started"]))
    if meta["place"]:
        say(tr("place: {place}", place=meta["place"]))
    if meta["note"]:
        say(tr("note: {note}", note=meta["note"]))
    say(language_text(meta["language"] or tr("none"), opened.speech(format)))
    return FINE


def titled(title: str, note: str) -> dict[str, str]:
    """A match's title and note as data, where it has one."""
    named = {"match_title": title, "note": note}
    return {key: text for key, text in named.items() if text}


def said_about(date: str | None, title: str | None, place: str | None, note: str | None) -> Said:
    """What is said about a match; what is None is not. Raises Unreadable for what cannot be a
    date, and for texts that no record could hold."""
    said: Said = {}
    if date is not None:
        said["started"] = begun(date)
    if title is not None:
        said["title"] = _text("--title", title)
    if place is not None:
        said["place"] = _text("--place", place)
    if note is not None:
        said["note"] = _text("--note", note)
    return said


def begun(date: str) -> str:
    """A date, as it was typed: a day, or a day and a time of it. Raises Unreadable for neither."""
    from datetime import date as day
    from datetime import datetime

    text = date.strip()
    if not text:
        return ""
    try:
        if len(text) > len("2026-11-20"):
            moment = datetime.fromisoformat(text)
            return moment.isoformat(timespec="seconds" if moment.second else "minutes")
        return day.fromisoformat(text).isoformat()
    except ValueError:
        raise Unreadable(
            tr("“{date}” is no date", date=shown(text, 40)),
            "--date 2026-11-20, --date 2026-11-20T20:15",
        ) from None


def _text(option: str, text: str) -> str:
    from scorekeeper.notation.syntax import clean

    if len(text) > untrusted.TEXT:
        most = tr("at most {count} characters", count=untrusted.TEXT)
        raise Unreadable(tr("the text of {option} is too long", option=option), most)
    return clean(text)


def _changed(opened: Opened, said: Said) -> Opened:
    """The match after what is kept about it was changed in the book."""
    if opened.desk is None:
        raise Unreadable(
            tr("a record file is only read"), tr("import it, then about --language CODE")
        )
    opened.desk.describe(**said)
    return opened._replace(meta={**opened.meta, **{key: str(text) for key, text in said.items()}})
