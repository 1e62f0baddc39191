"""Commands about records: export, import, verify."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from scorekeeper.cli.common import (
    FINE,
    REFUSED,
    BookOption,
    FormatOption,
    commanded,
    counted,
    open_book,
    open_desk,
    say,
    say_json,
    talk,
    write_out,
)
from scorekeeper.failures import Damaged, Unreadable

if TYPE_CHECKING:
    from scorekeeper.desk import Desk


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
    format: Annotated[
        Literal["toml", "json", "csv", "scores-csv"],
        typer.Option("--format", help="Records; all data; a row per entry; per round and player."),
    ] = "toml",
) -> int:
    """Write matches out: records, JSON, or tables for a spreadsheet.

    Example: scorekeeper export 1 --to evening.toml
    """
    with open_book(book) as opened:
        wanted: list[str | None] = [*(ids or ())] or [None]
        if all_:
            wanted = [str(row.id) for row in opened.matches()]
        desks = [open_desk(opened, match) for match in wanted]
        if format == "toml":
            _records(desks, to)
        else:
            write_out(_tables(desks, format), to)
    return FINE


def _records(desks: list[Desk], to: str | None) -> None:
    from scorekeeper.record import record_text

    if len(desks) > 1 and (to is None or os.path.isfile(to) or to.endswith(".toml")):
        raise Unreadable("several records need a folder", "--to FOLDER")
    for desk in desks:
        row = desk.row
        about = {key: getattr(row, key) for key in ("started", "place", "language", "options")}
        text = record_text(desk.whole(), **about)
        target = to
        if to is not None and (len(desks) > 1 or os.path.isdir(to)):
            _folder(to)
            target = os.path.join(to, f"match-{desk.id}.toml")
        write_out(text, target)
        if target is not None:
            talk(f"match {desk.id} is in {target}")


def _tables(desks: list[Desk], format: str) -> str:
    from scorekeeper import export as exporting

    exported = [
        exporting.Exported(desk.whole(), str(desk.id), desk.row.started, desk.row.place or "")
        for desk in desks
    ]
    writers = {"json": exporting.as_json, "csv": exporting.entries_csv}
    return writers.get(format, exporting.scores_csv)(exported)


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
            match = source.played()
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
    rounds = counted(len(report["rounds"]), "round", "rounds")
    say(f"{report['file']}: {verdict}; {rounds}; {tallies}")
    for finding in report["findings"]:
        at = f"line {finding['line']}: " if finding["line"] else ""
        at = f"round {finding['round']}, {at}" if finding["round"] else at
        entry = f"{finding['entry']}: " if finding["entry"] else ""
        cite = f", {finding['cite']}" if finding["cite"] else ""
        decided = f" [{finding['decision']}]" if finding["decision"] else ""
        say(f"  {finding['verdict']}: {at}{entry}{finding['reason']} "
            f"({finding['code']}{cite}){decided}")  # fmt: skip
