"""Commands about records: export, import, verify."""

from __future__ import annotations

import os
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scorekeeper.cli.common import (
    DAMAGED,
    FINE,
    REFUSED,
    BookOption,
    FormatOption,
    JobsOption,
    commanded,
    counted,
    open_book,
    open_desk,
    say,
    say_json,
    talk,
    write_out,
)
from scorekeeper.core.failures import Damaged, Unreadable
from scorekeeper.core.suggest import json_text, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.plain import Json
    from scorekeeper.store.desk import Desk
    from scorekeeper.store.importing import Imported


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
    if len(desks) > 1 and (to is None or os.path.isfile(to) or to.endswith(".toml")):
        raise Unreadable("several records need a folder", "--to FOLDER")
    for desk in desks:
        target = to
        if to is not None and (len(desks) > 1 or os.path.isdir(to)):
            _folder(to)
            target = os.path.join(to, f"match-{desk.id}.toml")
        write_out(desk.record_text(), target)
        if target is not None:
            talk(f"match {desk.id} is in {target}")


def _tables(desks: list[Desk], format: str) -> str:
    from scorekeeper.render import export as exporting

    exported = [
        exporting.Exported(desk.whole(), str(desk.id), desk.row.started, desk.row.place or "")
        for desk in desks
    ]
    writers = {"json": exporting.as_json, "csv": exporting.entries_csv}
    return "".join(writers.get(format, exporting.scores_csv)(exported))


def _folder(path: str) -> None:
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise Damaged(f"{path} cannot be made: {error.strerror}") from None


@commanded
def check_book(
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="FOLDER", help="Write what can be saved there, as records."),
    ] = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """What is whole in the book, row by row, and what can be saved of the rest.

    Example: scorekeeper check-book --save saved
    """
    from scorekeeper.store.book import default_path
    from scorekeeper.store.rescue import examine

    path = book or default_path()
    told: list[Json] = []
    for found in examine(path):
        name = f"match {found.match}" if found.match else "the file"
        for fault in found.faults if format == "text" else ():
            say(f"{name}: {fault}")
        target = None
        if save is not None and found.record is not None:
            _folder(save)
            target = os.path.join(save, f"match-{found.match}.toml")
            write_out(found.record, target)
            talk(f"{name} is in {target}")
        told.append({"match": found.match, "faults": found.faults, "file": target})
    file, *matches = told
    whole = sum(not row["faults"] for row in matches)
    if format == "json":
        say_json({"book": path, "faults": file["faults"], "matches": matches})
    else:
        say(f"{path}: {counted(len(matches), 'match', 'matches')}, {whole} of them whole")
    return FINE if whole == len(matches) and not file["faults"] else DAMAGED


@commanded
def import_(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Records.")],
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Put records into the book; one that is there already is not doubled.

    Example: scorekeeper import evening.toml
    """
    from scorekeeper.store.importing import import_match
    from scorekeeper.store.record import Source

    done: list[tuple[str, Imported]] = []
    with open_book(book, create=True) as opened:
        for file in files:
            source = Source(file)
            match = source.played()
            done.append((file, import_match(opened, match, **source.meta)))
    if format == "json":
        say_json([_imported_as_json(file, made) for file, made in done])
        return FINE
    for file, made in done:
        say(f"{file}: {'is already' if made.known else 'is now'} match {made.match}")
        for other in made.like:
            talk(f"  it looks like match {other.match}, but for: {', '.join(other.differs)}")
    return FINE


def _imported_as_json(file: str, made: Imported) -> dict[str, object]:
    like = [each._asdict() for each in made.like]
    row = {"file": file, "match": made.match, "known": made.known}
    return {**row, "like": like} if like else row


@commanded
def verify(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Records.")],
    format: FormatOption = "text",
    jobs: JobsOption = None,
) -> int:
    """Judge records again, entry by entry, and compare the scores they claim.

    Example: scorekeeper verify evening.toml
    """
    from scorekeeper.cli.progress import progress
    from scorekeeper.store.pool import each

    code, before = FINE, "["
    with (
        closing(each(partial(_verified, format), files, jobs)) as verified,
        closing(progress(verified, len(files), "verified")) as shown,
    ):
        for ok, told in shown:
            if format == "json":
                print(before, told, sep="\n", end="")
                before = ","
            else:
                print(told)
            code = code if ok else REFUSED
    if format == "json":
        print("\n]")
    return code


def _verified(format: str, file: str) -> tuple[bool, str]:
    """Whether a record is as it should be, and what is printed about it."""
    from scorekeeper.store.verifying import verify_record

    report = verify_record(file)
    if format == "json":
        return report["ok"], json_text([report])[2:-2]
    return report["ok"], "\n".join(map(visible, _report_lines(report)))


def _report_lines(report: Json) -> Iterator[str]:
    scores = report["scores"]
    tallies = ", ".join(f"{name} {points}" for name, points in scores.items()) if scores else ""
    verdict = "verified" if report["ok"] else "NOT verified"
    rounds = counted(len(report["rounds"]), "round", "rounds")
    yield "; ".join(filter(None, (f"{report['file']}: {verdict}", rounds, tallies)))
    for finding in report["findings"]:
        at = f"line {finding['line']}: " if finding["line"] else ""
        at = f"round {finding['round']}, {at}" if finding["round"] else at
        entry = f"{finding['entry']}: " if finding["entry"] else ""
        cite = f", {finding['cite']}" if finding["cite"] else ""
        decided = f" [{finding['decision']}]" if finding["decision"] else ""
        yield (f"  {finding['verdict']}: {at}{entry}{finding['reason']} "
               f"({finding['code']}{cite}){decided}")  # fmt: skip
