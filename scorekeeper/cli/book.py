"""Commands about the whole book: backup, restore, check-book, rebuild, verify, and players."""

from __future__ import annotations

import os
from contextlib import closing
from functools import partial
from operator import add
from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    DAMAGED,
    FINE,
    NO_MATCHES,
    PIPE_LOCK_TIMEOUT,
    REFUSED,
    VERDICT_LABELS,
    BookOption,
    FormatOption,
    JobsOption,
    ShareOption,
    cli_command,
    locate_store,
    open_book,
    parse_match_id,
    print_json,
    print_lines,
    print_notes,
)
from scorekeeper.cli.output import ForceOption, check_replaceable, make_folder, write_out
from scorekeeper.cli.settings import chosen_book, is_book_shared
from scorekeeper.core.messages import plural, tr
from scorekeeper.core.rulings import ILLEGAL
from scorekeeper.core.text import escape_controls, format_json
from scorekeeper.core.types import NamedTuple
from scorekeeper.store.rows import REBUILD_HINT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Json
    from scorekeeper.store.backup import CopyResult
    from scorekeeper.store.people import Person


@cli_command
def backup(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|DIR",
            help=(
                "The file or folder to write to. In a folder, the file is named after the "
                "current time."
            ),
        ),
    ],
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Copy the book while others record in it, and check the copy.

    An older backup with the same name is replaced only if the new copy is intact.

    Example: scorekeeper backup backup.sqlite
    """
    from scorekeeper.store.backup import back_up

    path = locate_store(chosen_book(book))
    copied = back_up(path, file, PIPE_LOCK_TIMEOUT)
    _print_copy(copied, format, {"book": path, "file": copied.path})
    if not copied.contents.faults:
        return FINE
    saves = tr("scorekeeper check-book --save FOLDER (saves the intact matches)")
    hint = tr(REBUILD_HINT) if copied.contents.repairable else saves
    print_notes(
        tr("the book {path} is damaged; older backups were not changed", path=path),
        tr("  try: {hint}", hint=hint),
    )
    return DAMAGED


@cli_command
def restore(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A backup, which is a file written by “scorekeeper backup”."
        ),
    ],
    share: ShareOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Create a new book from an intact backup. An existing book is never replaced.

    Example: scorekeeper restore backup.sqlite --book restored.sqlite
    """
    from scorekeeper.store import backup as backups

    copied = backups.restore(file, locate_store(chosen_book(book)), is_book_shared(share))
    _print_copy(copied, format, {"file": file, "book": copied.path})
    return FINE


@cli_command
def check_book(
    save: Annotated[
        str | None,
        typer.Option(
            "--save",
            metavar="FOLDER",
            help="Write all readable matches to this folder, as records.",
        ),
    ] = None,
    force: ForceOption = False,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Check the book for damage. With --save, save every match that can be read.

    Example: scorekeeper check-book --save saved
    """
    from glob import escape, glob

    from scorekeeper.store.book import default_path
    from scorekeeper.store.files import check_address
    from scorekeeper.store.integrity import scan_book

    path = chosen_book(book) or default_path()
    check_address(path)
    if save is not None:
        check_address(save)
        for there in glob(os.path.join(escape(save), "match-*.toml")):
            check_replaceable(there, "toml", force)
    rows: list[Json] = []
    for result in scan_book(path):
        name = tr("match {match}", match=result.match) if result.match else tr("the file")
        for fault in result.faults if format == "text" else ():
            print_lines(f"{name}: {fault}")
        target = None
        if save is not None and result.record is not None:
            make_folder(save)
            target = os.path.join(save, f"match-{result.match}.toml")
            write_out([result.record], target, "toml", force)
            print_notes(tr("{match} is in {file}", match=name, file=target))
        rows.append({"match": result.match, "faults": result.faults, "file": target})
    file, *matches = rows
    intact = sum(not row["faults"] for row in matches)
    if format == "json":
        print_json({"book": path, "faults": file["faults"], "matches": matches})
    else:
        print_lines(
            plural(
                "{path}: {count} match, {whole} intact",
                "{path}: {count} matches, {whole} intact",
                len(matches),
                path=path,
                whole=intact,
            )
        )
    return FINE if intact == len(matches) and not file["faults"] else DAMAGED


@cli_command
def rebuild(book: BookOption = None, format: FormatOption = "text") -> int:
    """Store missing round summaries, and repair damaged ones.

    Sheets, statistics and exports read these summaries. A summary is normally stored when its round
    ends, so this command is seldom needed. Damaged summaries are rebuilt from the entries.

    Example: scorekeeper rebuild
    """
    from scorekeeper.cli.output import progress
    from scorekeeper.store.round_cache import RoundCache, all_rows, repair

    matches = rounds = 0
    repaired: list[int] = []
    with open_book(book) as store:
        for damaged in repair(store):
            print_notes(tr("match {match}: its stored summaries were damaged and have been rebuilt",
                    match=damaged.match))  # fmt: skip
            repaired.append(damaged.match)
        archive = RoundCache(store)
        for match in progress(
            archive.all_matches(),
            lambda: sum(1 for _ in all_rows(store)),
            tr("matches"),
            silent=True,
        ):
            matches += 1
            rounds += sum(bool(summary["over"]) for summary in match.summaries())
    if archive.store_failure is not None:
        raise archive.store_failure
    replayed = archive.replay_count + len(repaired)
    if format == "json":
        print_json(
            {"matches": matches, "rounds": rounds, "replayed": replayed, "repaired": repaired}
        )
        return FINE
    round_text = plural("{count} round", "{count} rounds", rounds)
    print_lines(
        plural(
            "{count} match, {rounds}; {replayed} replayed",
            "{count} matches, {rounds}; {replayed} of the matches replayed",
            matches,
            rounds=round_text,
            replayed=replayed,
        )
    )
    return FINE


@cli_command
def verify(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|ID",
            help="Record files or match numbers. Type ./3 for a file named 3.",
        ),
    ],
    hands_hidden: Annotated[
        bool,
        typer.Option(
            "--hands-hidden",
            help="Judge as if the hands were hidden and only their sizes were known.",
        ),
    ] = False,
    book: BookOption = None,
    format: FormatOption = "text",
    jobs: JobsOption = None,
) -> int:
    """Judge records again, and check the scores that they claim.

    For a match in the book, check the scores that the book has stored.

    Example: scorekeeper verify evening.toml
    """
    from scorekeeper.cli.output import in_language, progress
    from scorekeeper.store.pool import map_parallel

    if any(map(str.isdigit, files)):
        # reject a URL, which would otherwise be reported as a missing match
        locate_store(chosen_book(book))
    sound, doubts, separator = 0, PlayCounts(0, 0, 0), "["
    with (
        closing(
            map_parallel(in_language(partial(_verify_one, format, hands_hidden, book)), files, jobs)
        ) as verified,
        closing(progress(verified, len(files), "verified")) as results,
    ):
        for ok, counts_of_file, text in results:
            if format == "json":
                print(separator, text, sep="\n", end="")
                separator = ","
            else:
                print(text)
            sound, doubts = sound + ok, PlayCounts(*map(add, doubts, counts_of_file))
    if format == "json":
        print("\n]")
    elif len(files) > 1 and str(doubts):
        doubts_text = str(doubts)
        print_lines(
            plural(
                "{count} file: {doubts}", "{count} files: {doubts}", len(files), doubts=doubts_text
            )
        )
    return FINE if sound == len(files) else REFUSED


# --- commands for players and their names


@cli_command
def list_(book: BookOption = None, format: FormatOption = "text") -> int:
    """List everybody who plays in a match in the book, with all spellings of each name.

    Example: scorekeeper players list
    """
    from scorekeeper.store.people import people

    with open_book(book) as store:
        persons = people(store)
    if format == "json":
        print_json([_person_json(person) for person in persons])
        return FINE
    for person in persons:
        _print_person_line(person)
    if not persons:
        print_lines(tr(NO_MATCHES))
    return FINE


@cli_command
def rename(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The name that is shown now.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The name to show from now on.")],
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Show a player under a different name in matches, statistics, sheets and scores.

    Entries, records and rulings are not changed.

    Example: scorekeeper players rename Cleo Cleopatra
    """
    from scorekeeper.store import people

    with open_book(book) as store:
        return _print_person(people.rename(store, old, new), format)


@cli_command
def merge(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME", help="Spellings of one player's name, with the preferred one last."
        ),
    ],
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Treat several spellings as one player, who is shown under the last name given.

    Two players who took part in the same match cannot be merged.

    Example: scorekeeper players merge Cleopatra Cleo
    """
    from scorekeeper.core.errors import Unreadable
    from scorekeeper.store import people

    if len(names) < 2:
        raise Unreadable(
            tr("at least two names are needed to merge players"), "players merge Anna Ana"
        )
    with open_book(book) as store:
        return _print_person(people.merge(store, names[:-1], names[-1]), format)


@cli_command
def forget(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME", help="The names that are shown now.")
    ],
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Show players under their original spellings again.

    Example: scorekeeper players forget Cleo
    """
    from scorekeeper.store import people

    with open_book(book) as store:
        persons = people.forget(store, names)
    if format == "json":
        print_json([_person_json(person) for person in persons])
        return FINE
    for person in persons:
        written = ", ".join(person.spellings)
        print_lines(
            tr(
                "{name} is shown under the original spellings again: {spellings}",
                name=person.name,
                spellings=written,
            )
        )
    return FINE


# --- backup and restore


def _print_copy(copy: CopyResult, format: str, paths: dict[str, str]) -> None:
    """Print a summary of a copied book, and any damage found in the copy."""
    path, held = copy
    if format == "json":
        print_json({**paths, **held._asdict()})
        return
    for fault in held.faults:
        print_lines(f"{path}: {fault}")
    parts = (
        plural("{count} match", "{count} matches", held.matches),
        plural("{count} entry", "{count} entries", held.entries),
        tr("last recorded {time}", time=held.last) if held.last else "",
        tr("NOT intact") if held.faults else tr("intact"),
    )
    print_lines(f"{path}: {', '.join(filter(None, parts))}")


# --- verify


def _verify_one(
    format: str, hands_hidden: bool, book: str | None, file: str
) -> tuple[bool, PlayCounts, str]:
    """Verify one record or match.

    Return three values: whether the match passed, the counts of its uncertain plays, and the text
    to print.
    """
    from scorekeeper.store.verify import verify_match, verify_record

    if file.isdigit():
        store, number = partial(open_book, book), partial(parse_match_id, file)
        report = verify_match(store, number, file, hands_hidden=hands_hidden)
    else:
        report = verify_record(file, hands_hidden=hands_hidden)
    rounds = [row for row in report["rounds"] if row["open"] is not None]
    wrong = sum(finding["verdict"] == ILLEGAL for finding in report["findings"])
    left, settled = sum(row["open"] for row in rounds), sum(row["settled"] for row in rounds)
    doubts = PlayCounts(left, settled, wrong)
    if format == "json":
        return report["ok"], doubts, format_json([report])[2:-2]
    return report["ok"], doubts, "\n".join(map(escape_controls, _report_lines(report, doubts)))


class PlayCounts(NamedTuple):
    """Counts of plays that could not be judged when they were made.

    `open` plays were still unverified when their round ended. `settled` plays were verified later,
    and `wrong` ones turned out to be illegal.
    """

    open: int
    settled: int
    wrong: int

    def __str__(self) -> str:
        if self.open:
            return plural("{count} open play", "{count} open plays", self.open)
        settled = tr("no open plays") if self.wrong else tr("every play verified")
        return settled if self.settled else ""


def _report_lines(report: Json, counts: PlayCounts) -> Iterator[str]:
    scores = report["scores"]
    tallies = ", ".join(f"{name} {points}" for name, points in scores.items()) if scores else ""
    verdict = tr("verified") if report["ok"] else tr("NOT verified")
    rounds = plural("{count} round", "{count} rounds", len(report["rounds"]))
    hidden = report.get("hidden")
    seen = tr("no hidden cards") if hidden == 0 else ""
    if hidden:
        seen = plural("{count} entry hidden", "{count} entries hidden", hidden)
    parts = (f"{report['file']}: {verdict}", rounds, tallies, seen, str(counts))
    yield "; ".join(filter(None, parts))
    for finding in report["findings"]:
        at = tr("line {line}: ", line=finding["line"]) if finding["line"] else ""
        at = tr("entry {number}: ", number=finding["number"]) if finding.get("number") else at
        if finding["round"]:
            at = tr("round {round}, {place}", round=finding["round"], place=at)
        entry = f"{finding['entry']}: " if finding["entry"] else ""
        cite = f", {finding['cite']}" if finding["cite"] else ""
        decided = f" [{finding['decision']}]" if finding["decision"] else ""
        yield (f"  {tr(VERDICT_LABELS[finding['verdict']])}: {at}{entry}{finding['reason']} "
               f"({finding['code']}{cite}){decided}")  # fmt: skip


# --- printing players


def _print_person(person: Person, format: str) -> int:
    if format == "json":
        print_json(_person_json(person))
    else:
        _print_person_line(person)
    return FINE


def _print_person_line(person: Person) -> None:
    text = plural(
        "{name}: {count} match", "{name}: {count} matches", person.matches, name=person.name
    )
    other_spellings = ", ".join(
        spelling for spelling in person.spellings if spelling != person.name
    )
    print_lines(
        tr("{person} (written {spellings})", person=text, spellings=other_spellings)
        if other_spellings
        else text
    )


def _person_json(person: Person) -> Json:
    return {"name": person.name, "matches": person.matches, "spellings": [*person.spellings]}
