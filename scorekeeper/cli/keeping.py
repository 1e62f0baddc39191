"""Commands about records: export, import, verify."""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal

import typer

from scorekeeper.cli.common import (
    FINE,
    REFUSED,
    BookOption,
    FormatOption,
    commanded,
    open_book,
    open_desk,
    say,
    say_json,
    talk,
)
from scorekeeper.failures import Damaged, Unreadable


@commanded
def export(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID", help="The matches (default: the one last recorded in)."),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every match in the book.")] = False,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FILE|DIR", help="Where to write (default: standard output)."),
    ] = None,
    book: BookOption = None,
    format: Annotated[Literal["toml"], typer.Option("--format", help="A record each.")] = "toml",
) -> int:
    """Write matches out as records.

    Example: scorekeeper export 1 --to evening.toml
    """
    from scorekeeper.record import record_text, write_record

    with open_book(book) as opened:
        wanted: list[str | None] = [*(ids or ())] or [None]
        if all_:
            wanted = [str(row.id) for row in opened.matches()]
        desks = [open_desk(opened, match) for match in wanted]
        if len(desks) > 1 and (to is None or os.path.isfile(to)):
            raise Unreadable("several records need a folder", "--to FOLDER")
        for desk in desks:
            about = {"started": desk.row.started, "place": desk.row.place,
                     "options": desk.row.options}  # fmt: skip
            if to is None:
                print(record_text(desk.whole(), **about), end="")
                continue
            target = to
            if len(desks) > 1 or os.path.isdir(to):
                _folder(to)
                target = os.path.join(to, f"match-{desk.id}.toml")
            write_record(desk.whole(), target, **about)
            talk(f"match {desk.id} is in {target}")
    return FINE


def _folder(path: str) -> None:
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise Damaged(f"{path} cannot be made: {error.strerror}") from None


@commanded
def import_(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Records.")],
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Put records into the book; one that is there already is not doubled.

    Example: scorekeeper import evening.toml
    """
    from scorekeeper.desk import import_match
    from scorekeeper.record import Source

    told: list[dict[str, Any]] = []
    with open_book(book, create=True) as opened:
        for file in files:
            source = Source(file)
            match = source.match()
            for index in range(len(source.rounds)):
                match.play_round([text for _, text in source.texts(match, index)])
            match_id, known = import_match(opened, match, **source.meta)
            told.append({"file": file, "match": match_id, "known": known})
    if format == "json":
        say_json(told)
        return FINE
    for row in told:
        say(f"{row['file']}: {'is already' if row['known'] else 'is now'} match {row['match']}")
    return FINE


@commanded
def verify(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Records.")],
    format: FormatOption = "text",
) -> int:
    """Judge records again, entry by entry, and compare the scores they claim.

    Example: scorekeeper verify evening.toml
    """
    from scorekeeper.record import verify_record

    reports = [verify_record(file) for file in files]
    if format == "json":
        say_json(reports)
    else:
        for report in reports:
            _say_report(report)
    return FINE if all(report["ok"] for report in reports) else REFUSED


def _say_report(report: dict[str, Any]) -> None:
    scores = report["scores"]
    tallies = ", ".join(f"{name} {points}" for name, points in scores.items()) if scores else ""
    verdict = "verified" if report["ok"] else "NOT verified"
    say(f"{report['file']}: {verdict}; {len(report['rounds'])} rounds; {tallies}")
    for finding in report["findings"]:
        at = f"line {finding['line']}: " if finding["line"] else ""
        at = f"round {finding['round']}, {at}" if finding["round"] else at
        entry = f"{finding['entry']}: " if finding["entry"] else ""
        cite = f", {finding['cite']}" if finding["cite"] else ""
        decided = f" [{finding['decision']}]" if finding["decision"] else ""
        say(f"  {finding['verdict']}: {at}{entry}{finding['reason']} "
            f"({finding['code']}{cite}){decided}")  # fmt: skip
