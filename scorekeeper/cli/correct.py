"""Commands that correct a match: rulings, undo, amend, delete.

Only `delete` erases anything, and it always erases whole matches. The other commands leave every
entry in the log.
"""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    REFUSED,
    WIDTH,
    BookOption,
    FormatOption,
    MatchOption,
    ReadOption,
    cli_command,
    complete_matches,
    join_arguments,
    label_of,
    locate_store,
    open_book,
    open_match,
    open_recorder,
    open_round_cache,
    parse_match_id,
    print_json,
    print_lines,
    print_notes,
    ruling_lines,
    translator_of,
    turn_text,
)
from scorekeeper.cli.output import is_folder, is_yes, make_folder, write_out
from scorekeeper.cli.settings import chosen_book
from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.messages import N_, plural, tr
from scorekeeper.core.rulings import Illegal
from scorekeeper.core.text import escape_controls, wrap_text
from scorekeeper.match.amend import read_place
from scorekeeper.match.status import PROVEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.cli.common import OpenedMatch
    from scorekeeper.core.types import Json
    from scorekeeper.match.amend import AmendmentReport
    from scorekeeper.notation.notation import Translator
    from scorekeeper.session.rulings import RuledEntry
    from scorekeeper.store.recorder import MatchRecorder
    from scorekeeper.store.rows import MatchRow, Store

HOW_TO_DECIDE_IN_FILE = N_("to decide on an entry, add !stands or !withdrawn after it in the file")
HOW_TO_CLAIM_IN_FILE = N_(
    "to claim a fault, add a line to the file: claim NAME: ENTRY, weigh ENTRY WEIGHT, or waive all"
)


@cli_command
def rulings(
    id_: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID|FILE]",
            help="A match number or a record file (default: the most recently changed match).",
            autocompletion=complete_matches,
        ),
    ] = None,
    match: ReadOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Show the referee's findings in a match.

    The latest finding is shown first. The list contains proven and open findings, groups of plays
    that include an illegal one, and the table's decisions. Each undecided finding is followed by
    the commands that decide it.

    Example: scorekeeper rulings
    """
    from scorekeeper.session.rulings import shell_command

    if id_ is not None and match is not None and id_ != match:
        raise Unreadable(
            tr("the command names two different matches"), "rulings ID, or rulings --match ID"
        )
    opened = open_match(book, match if id_ is None else id_)
    ruled = _find_rulings(opened)
    options = "" if opened.recorder is None else _command_options(opened.recorder, book)
    speech = opened.translator(format)
    if format == "text":
        _print_rulings(opened, ruled, options)
        return FINE
    if opened.details["language"]:
        # The suggested commands use the standard letters for cards, which need this option.
        options += " --format json"
    print_json(
        [
            {
                **finding.as_json(),
                "actions": [shell_command(each, speech, options) for each in entry.actions],
            }
            for entry in ruled
            for finding in entry.findings
        ]
    )
    return FINE


@cli_command
def undo(match: MatchOption = None, book: BookOption = None, format: FormatOption = "text") -> int:
    """Undo the last entry or amendment. It remains in the log.

    Example: scorekeeper undo
    """
    with open_book(book) as store:
        desk = open_recorder(store, match)
        print_notes(label_of(desk.match, tr("match {id}", id=desk.id)))
        text = desk.undo()
        if format == "json":
            print_json({"undone": text, "to_act": desk.match.to_act})
        else:
            speech = desk.translator()
            print_lines(tr("undone: {entry}", entry=speech.echo(text)))
            print_lines(speech.translate_letters(turn_text(desk.match)))
    return FINE


@cli_command
def amend(
    at: Annotated[
        str,
        typer.Argument(
            metavar="[ROUND.]N", help="The number of the entry in its round, counted from 1."
        ),
    ],
    entries: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ENTRY", help="One or more entries that should have been made instead."
        ),
    ] = None,
    before: Annotated[
        bool, typer.Option("--before", help="Keep the entry, and insert the new entries before it.")
    ] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the entry.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Save even if later entries become invalid.")
    ] = False,
    match: MatchOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Correct an earlier entry. Everything after it is judged again.

    Example: scorekeeper amend 1.2 Ana: 3x5
    """
    if remove and (before or entries):
        raise typer.BadParameter(tr("--remove cannot be combined with --before or a new entry"))
    if not (remove or entries):
        raise typer.BadParameter(
            tr("type what should have been entered, or --remove to remove the entry")
        )
    with open_book(book) as store:
        desk = open_recorder(store, match)
        print_notes(label_of(desk.match, tr("match {id}", id=desk.id)))
        number, position = read_place(desk.match, at)
        speech = translator_of(desk, format)
        dialog = AmendDialog(yes, speech)
        try:
            texts = _split_typed(speech, entries)
            report = desk.amend(
                number,
                position,
                *texts,
                before=before,
                confirm=dialog.confirm,
                language=speech.language,
            )
        except Illegal as refused:
            return _print_refusal(refused, speech, format == "json")
        except Unreadable as failure:
            if len(entries or ()) > 1:
                quotes = tr("an entry with spaces needs quotes")
                failure.hint = "; ".join(filter(None, (failure.hint, quotes)))
            raise
        if format == "json":
            print_json({**report.as_json(), "to_act": desk.match.to_act})
        else:
            _print_amendment(desk, report, dialog)
    return FINE if report.is_saved else REFUSED


@cli_command
def delete(
    ids: Annotated[
        list[str],
        typer.Argument(
            metavar="ID…",
            help="The numbers of the matches to delete.",
            autocompletion=complete_matches,
        ),
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FILE|DIR",
            help="Where to write the records of the matches (default: next to the book).",
        ),
    ] = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Delete whole matches after writing their records to files.

    Their logs are deleted too. A log shows who entered what and when, and what was undone.

    Example: scorekeeper delete 4 --yes
    """
    with open_book(book) as store:
        rows = [store.match(number) for number in dict.fromkeys(map(parse_match_id, ids))]
        files = _record_files(rows, to, book)
        if not yes and not _confirm_deletion(rows):
            print_notes(tr("nothing was deleted"))
            return REFUSED
        with store.batch():  # no other process may record between the export and the deletion
            for row, file in zip(rows, files, strict=True):
                _write_record(store, row, file)
            for row in rows:
                store.erase(row.id)
    rows_written: list[Json] = []
    for row, file in zip(rows, files, strict=True):
        rows_written.append({"match": row.id, "file": file})
        if format == "text":
            print_lines(
                tr("match {match} is deleted; its record is {file}", match=row.id, file=file)
            )
    if format == "json":
        print_json(rows_written)
    return FINE


# --- rulings


def _find_rulings(opened: OpenedMatch) -> list[RuledEntry]:
    from scorekeeper.session.rulings import list_rulings, list_stored_rulings

    desk = opened.recorder
    if desk is None:
        return list_rulings(opened.match)
    with open_round_cache(desk.store) as archive:
        return list_stored_rulings(archive.match_in_language(desk.row), desk)


def _command_options(recorder: MatchRecorder, book: str | None) -> str:
    """Return the command-line options that select this match."""
    options = "" if book is None else f" --book {shlex.quote(book)}"
    return (
        options if recorder.store.match().id == recorder.id else f"{options} --match {recorder.id}"
    )


def _print_rulings(opened: OpenedMatch, rulings: list[RuledEntry], options: str) -> None:
    from scorekeeper.session.rulings import NOTHING_FOUND, count_kinds

    if not rulings:
        print_lines(tr(NOTHING_FOUND))
        return
    speech = opened.translator("text")
    print_lines(count_kinds(rulings))
    for entry in rulings:
        print_lines("", *_ruling_lines(entry, opened, speech, options))
    findings = [each for entry in rulings for each in entry.findings]
    if opened.recorder is not None:
        return
    undecided = [each for each in findings if each.kind == PROVEN and not each.stuck]
    if any(each.fault is None for each in undecided):
        print_notes(tr(HOW_TO_DECIDE_IN_FILE))
    if any(each.fault is not None for each in undecided):
        print_notes(tr(HOW_TO_CLAIM_IN_FILE))


def _ruling_lines(
    entry: RuledEntry, opened: OpenedMatch, translator: Translator, options: str
) -> Iterator[str]:
    from scorekeeper.session.rulings import heading, reasons, shell_command

    yield heading(entry, translator.echo, opened.match.ruleset.translate_word)
    for text in reasons(entry, opened.match.ruleset):
        yield from wrap_text(
            f"  {escape_controls(translator.translate_letters(text))}", WIDTH, "  "
        )
    for action in entry.actions:
        yield f"    {action.label}: {shell_command(action, translator, options)}"


# --- amend


def _split_typed(translator: Translator, entries: list[str] | None) -> list[str]:
    """Return the entries to insert, as typed."""
    texts = [
        text
        for line in join_arguments(entries or ())
        for text in translator.spoken_notation.split_pieces(line)
    ]
    if entries and not texts:
        raise Unreadable(tr("the text contains no entry"), "amend N ENTRY, or amend N --remove")
    return texts


class AmendDialog:
    """A dialog that asks whether to save an amendment that invalidates other entries.

    `shown_lines` contains the lines of the report that were already printed with the question.
    """

    def __init__(self, is_confirmed: bool, translator: Translator) -> None:
        self.is_confirmed = is_confirmed
        self.translator = translator
        self.shown_lines: list[str] = []

    def report_lines(self, report: AmendmentReport) -> list[str]:
        """Return the report as lines of text."""
        return report.lines(
            self.translator.echo, self.translator.translate_letters, self.translator.to_spoken
        )

    def confirm(self, report: AmendmentReport) -> bool:
        """Return whether to save the amendment.

        It is saved if no entry becomes invalid, if `--yes` is given, or if the user agrees at a
        terminal.
        """
        if self.is_confirmed or not report.is_destructive:
            return True
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        self.shown_lines = self.report_lines(report)
        for line in self.shown_lines:
            print_notes(line)
        print_notes(tr("save it anyway? [y/N]"))
        return is_yes(sys.stdin.readline())


def _print_amendment(recorder: MatchRecorder, report: AmendmentReport, dialog: AmendDialog) -> None:
    speech = dialog.translator
    if report.is_saved:
        _print_change(report, speech)
    lines = dialog.report_lines(report)
    for line in lines if lines != dialog.shown_lines else ():
        print_lines(line)
    turn = speech.translate_letters(turn_text(recorder.match))
    print_lines(turn if report.is_saved else tr("nothing was saved; to save anyway, add --yes"))


def _print_change(report: AmendmentReport, translator: Translator) -> None:
    """Print the new entries with their rulings, or the removed entries."""
    rulings = [ruling_lines(ruling, translator) for ruling in report.rulings]
    removed = [[translator.echo(text)] for text in report.removed]
    for entry, (text, *reasons) in enumerate(rulings or removed, report.change.entry):
        print_lines(f"{report.change.description}: {report.change.round}.{entry} {text}", *reasons)


def _print_refusal(illegal: Illegal, translator: Translator, as_json: bool) -> int:
    if as_json:
        print_json({"saved": False, "rulings": [illegal.ruling.as_json()], "broken": []})
    else:
        print_lines(*ruling_lines(illegal.ruling, translator))
        print_lines(f"  {tr('nothing was saved; if it happened, add !stands or !withdrawn')}")
    return REFUSED


# --- delete


def _confirm_deletion(rows: Sequence[MatchRow]) -> bool:
    """Ask for confirmation, and return whether the user agrees. Raises Unreadable without a
    terminal."""
    from scorekeeper.cli.show import describe_match_row

    for row in rows:
        print_notes(describe_match_row(row))
    if not sys.stdin.isatty():
        raise Unreadable(
            tr(
                "nothing was deleted, because there is no terminal on which to confirm the deletion"
            ),
            "--yes",
        )
    print_notes(
        plural(
            "delete this match and its log? [y/N]",
            "delete these {count} matches and their logs? [y/N]",
            len(rows),
        )
    )
    return is_yes(sys.stdin.readline())


def _record_files(rows: Sequence[MatchRow], to: str | None, book: str | None) -> list[str]:
    """Return the paths of the records to write. Raises Unreadable if a path exists."""
    if to is not None and not is_folder(to) and (len(rows) == 1 or to.endswith(".toml")):
        if len(rows) > 1:
            raise Unreadable(tr("to write several records, name a folder"), "--to FOLDER")
        files = [to]
    else:
        folder, stem = (to, "") if to is not None else _book_folder(book)
        files = [os.path.join(folder, f"{stem}match-{row.id}.toml") for row in rows]
    from scorekeeper.store.files import check_address, check_no_database

    for file in files:
        check_address(file)
        check_no_database(file)
        if os.path.lexists(file):
            raise Unreadable(
                tr("{path} already exists and is not overwritten", path=file), "--to FILE"
            )
    return files


def _book_folder(book: str | None) -> tuple[str, str]:
    """Return the book's folder, and the prefix for the names of files written next to it."""

    path = locate_store(chosen_book(book))
    return os.path.dirname(path), f"{os.path.splitext(os.path.basename(path))[0]}-"


def _write_record(store: Store, row: MatchRow, file: str) -> None:
    """Write a match's record. Raises Damaged if part of the match cannot be read."""
    from scorekeeper.store.recorder import MatchRecorder
    from scorekeeper.store.rows import DamagedCache

    try:
        desk = MatchRecorder(store, row.id)
        store.rounds(row.id)
        text = desk.record_text()
    except Damaged as damaged:
        say = tr("match {match} cannot be exported, so it is not deleted: {why}",
                 match=row.id, why=damaged.message)  # fmt: skip
        mends = isinstance(damaged, DamagedCache)
        raise Damaged(
            say, damaged.hint if mends else "scorekeeper check-book --save FOLDER"
        ) from None
    folder = os.path.dirname(file)
    if folder:
        make_folder(folder)
    write_out([text], file, "toml")
