"""The command `import`.

It adds matches from records, JSON and score tables to the book, or corrects existing matches. The
result for a single match is printed. For several matches, only notable results and a summary are
printed.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scorekeeper.cli.common import (
    FINE,
    BookOption,
    FormatOption,
    ShareOption,
    cli_command,
    exit_code,
    open_book,
    print_json,
    print_lines,
    print_notes,
    report_failure,
    ruleset_with,
)
from scorekeeper.cli.output import is_yes
from scorekeeper.core.errors import Damaged, Failure, Unreadable
from scorekeeper.core.messages import N_, format_quoted, join_list, plural, tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.store.arrivals import RejectedFile, origin_text
from scorekeeper.store.record import RULES_CHANGED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json, JsonValue
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.store.arrivals import IncomingMatch
    from scorekeeper.store.importing import How, ImportResult
    from scorekeeper.store.rows import MatchRow, Store
    from scorekeeper.store.score_rows import SkippedRow
    from scorekeeper.store.score_table import ScoreFile

# Labels for the parts of a match that a record may correct, or in which two similar matches may
# differ (`SimilarMatch.differs`).
DIFFERENCE_LABELS = (
    *(N_("rules"), N_("started"), N_("place"), N_("language"), N_("title")),
    *(N_("note"), N_("entries"), N_("day")),
)

MAX_SIMILAR = 5  # maximum number of similar matches that a batch lists
MAX_CHANGED = 5  # maximum number of matches with changed rulesets that a batch lists
MAX_LINES = 10  # maximum number of skipped rows that are listed


@cli_command
def import_(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Files of records (TOML, JSON or JSON Lines), or folders that contain them.",
        ),
    ],
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Correct the match that an edited file was exported from."),
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Show what would be imported, without writing anything."),
    ] = False,
    table: Annotated[
        bool, typer.Option("--table", help="Read the files as score tables (CSV).")
    ] = False,
    ruleset: Annotated[
        str | None,
        typer.Option("--ruleset", metavar="RULESET", help="The ruleset of the matches in a table."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting for that ruleset (repeatable)."),
    ] = None,
    columns: Annotated[
        str,
        typer.Option(
            metavar="WHAT=COLUMN,…", help="Columns of a table, such as date=Datum,name=Spieler."
        ),
    ] = "",
    date: Annotated[
        str,
        typer.Option(
            metavar="DATE", help="The date to use for a table without dates, such as 2026-11-20."
        ),
    ] = "",
    date_format: Annotated[
        Literal["ymd", "dmy", "mdy"] | None,
        typer.Option("--date-format", help="The order of day, month and year in a table."),
    ] = None,
    running: Annotated[
        Literal["match", "table"] | None,
        typer.Option(
            "--running",
            help="Read points as running totals, either of each match or of the whole table.",
        ),
    ] = None,
    row: Annotated[
        Literal["round", "evening"] | None,
        typer.Option("--row", help="Read each row as one round, or as the totals of an evening."),
    ] = None,
    share: ShareOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Import records, JSON or score tables. Matches that the book already contains are not added
    again.

    With --replace, an edited export corrects the match that it was exported from. The differences
    become amendments, so the old entries stay in the log, and `undo` can restore them.

    Example: scorekeeper import evening.toml
    """
    said = date_format or "", running or "", row or ""
    how = TableOptions(ruleset, settings or (), columns, date, *said)
    if not table and how != TableOptions(None, (), "", "", "", "", ""):
        raise Unreadable(
            tr(
                "--ruleset, --set, --columns, --date, --date-format, --running and --row "
                "work only with --table"
            ),
            "import --table FILE --ruleset NAME",
        )
    arrivals = _read_tables(files, how) if table else _read_files(files)
    with open_book(book, create=not dry_run, share=share) as store:
        return _run_import(store, arrivals, files, replace, dry_run, format, table)


def _run_import(
    store: Store,
    arrivals: Iterator[IncomingMatch | RejectedFile],
    files: Sequence[str],
    replace: bool,
    is_dry_run: bool,
    format: str,
    table: bool,
) -> int:
    from scorekeeper.cli.output import progress
    from scorekeeper.store.importing import import_all, import_alone

    first = [*islice(arrivals, 2)]
    several = len(first) > 1
    asks = format == "text" and sys.stdin.isatty()
    how: How = "replace" if replace else "ask" if asks else "beside"
    if is_dry_run:
        how = "look to replace" if replace else "look"
    printer = ImportPrinter(format, several, is_dry_run, table)
    watched = progress(
        chain(first, arrivals), _total_size(files), "imported", lambda each: each.size, True
    )
    waiting: list[tuple[IncomingMatch, int]] = []
    try:
        for each in import_all(store, watched, how):
            if not isinstance(each, RejectedFile) and not each[1].match and how == "ask":
                waiting.append((each[0], each[1].origins[0].id))
            else:
                printer.add(each)
        for arrival, origin in waiting:
            chosen: How = (
                "replace" if confirm_replacement(arrival, store.match(origin)) else "beside"
            )
            printer.add(import_alone(store, arrival, chosen))
    finally:
        printer.end()
    return printer.code


def _total_size(files: Sequence[str]) -> int:
    """Return the total size in bytes of all files, including those in folders. It is at least 1."""
    from scorekeeper.store.arrivals import list_files

    total = 0
    for path in files:
        try:
            total += sum(map(os.path.getsize, list_files(path)))
        except (OSError, Failure):
            continue
    return max(total, 1)


def _read_files(paths: Sequence[str]) -> Iterator[IncomingMatch | RejectedFile]:
    """Yield the matches in files and folders."""
    from scorekeeper.store.arrivals import list_files, read_incoming

    for path in paths:
        try:
            files = list_files(path)
        except Damaged as failure:
            yield RejectedFile(path, 0, [failure])
            continue
        for file in files:
            yield from read_incoming(file)


def confirm_replacement(arrival: IncomingMatch, origin: MatchRow) -> bool:
    """Ask whether a record should correct the match that it was exported from, and return the
    answer."""
    from scorekeeper.cli.show import describe_match_row

    print_notes(describe_match_row(origin))
    question = tr(
        "{file} was exported from this match; use it to correct the match? [y/N]",
        file=origin_text(arrival),
    )
    print_notes(question)
    return is_yes(sys.stdin.readline())


# --- results


class ImportPrinter:
    """A printer of import results. `code` is the worst exit code so far.

    The result for a single match is printed at once. If `is_batch` is true, notable results and a
    summary are printed at the end. If `is_dry_run` is true, nothing is stored, and each match is
    described. If `is_table` is true, the summary counts evenings instead of records.
    """

    def __init__(self, format: str, is_batch: bool, is_dry_run: bool, is_table: bool) -> None:
        self.code = FINE
        self._is_table = is_table
        self._similar = self._changed = 0
        self._format, self._is_batch, self._is_dry_run = format, is_batch, is_dry_run
        self._rows: list[Json] = []
        self._pending_output: list[Callable[[], object]] = []
        self._new: list[int] = []
        self._known = self._replaced = self._refused = 0

    def add(self, outcome: tuple[IncomingMatch, ImportResult] | RejectedFile) -> None:
        """Add the result of importing one match."""
        if isinstance(outcome, RejectedFile):
            self._refused += 1
            self._add_rejected(outcome)
        else:
            arrival, result = outcome
            self._count(result)
            self._rows.append(_result_json(arrival, result, self._is_dry_run))
            if self._format == "text":
                self._add_match(arrival, result)
        if not self._is_batch:
            self._flush()

    def end(self) -> None:
        """Print the remaining results and the summary."""
        if self._format == "json":
            print_json(self._rows)
        elif self._is_batch and (self._rows or self._refused):
            self._flush()
            if self._similar > MAX_SIMILAR:
                print_notes(
                    plural(
                        "{count} more match is similar to an existing one; --format json lists it",
                        "{count} more matches are similar to existing ones; "
                        "--format json lists them",
                        self._similar - MAX_SIMILAR,
                    )
                )
            if self._changed > MAX_CHANGED:
                print_notes(
                    plural(
                        "{count} more match was recorded with other rules; --format json lists it",
                        "{count} more matches were recorded with other rules; "
                        "--format json lists them",
                        self._changed - MAX_CHANGED,
                    )
                )
            print_lines(self._summary())
        if self._is_dry_run:
            print_notes(tr("nothing was written, because of --dry-run"))

    def _count(self, result: ImportResult) -> None:
        if result.replaced:
            self._replaced += 1
        elif result.known:
            self._known += 1
        else:
            self._new.append(result.match)

    def _flush(self) -> None:
        for line in self._pending_output:
            line()
        self._pending_output.clear()

    def _queue_line(self, text: str) -> None:
        self._pending_output.append(partial(print_lines, text))

    def _queue_note(self, text: str) -> None:
        self._pending_output.append(partial(print_notes, text))

    def _add_rejected(self, rejected: RejectedFile) -> None:
        for failure in rejected.failures:
            self.code = max(self.code, exit_code(failure))
            self._pending_output.append(partial(report_failure, failure))
        first = rejected.failures[0]
        row: Json = {"file": rejected.file, "match": None, "known": False}
        if rejected.line:
            row["line"] = rejected.line
        self._rows.append({**row, "fault": first.message, "hint": first.hint})
        if len(rejected.failures) > 1:
            self._rows[-1]["faults"] = [failure.message for failure in rejected.failures]
        if self._format == "json":
            self._flush()

    def _summary(self) -> str:
        new, first, last = len(self._new), min(self._new, default=0), max(self._new, default=0)
        text = plural("{count} new match", "{count} new matches", new)
        if new and last:
            text = f"{text} ({first})" if first == last else _add_span(text, first, last)
        parts = [
            text if new else "",
            tr("{count} corrected", count=self._replaced) if self._replaced else "",
            tr("{count} already in the book", count=self._known) if self._known else "",
            tr("{count} refused", count=self._refused) if self._refused else "",
        ]
        count = new + self._replaced + self._known + self._refused
        what = ", ".join(filter(None, parts))
        if self._is_table:
            return plural("{count} evening: {what}", "{count} evenings: {what}", count, what=what)
        return plural("{count} record: {what}", "{count} records: {what}", count, what=what)

    # --- one match

    def _add_match(self, arrival: IncomingMatch, result: ImportResult) -> None:
        self._add_result(arrival, result)
        if arrival.changed_rules_sha:
            self._changed += 1
            if self._changed <= MAX_CHANGED:
                what = tr(RULES_CHANGED, ruleset=arrival.match.ruleset.name)
                name = origin_text(arrival)
                text = tr("{path}: {what}", path=name, what=what) if self._is_batch else f"  {what}"
                self._queue_note(text)

    def _add_result(self, arrival: IncomingMatch, result: ImportResult) -> None:
        name = origin_text(arrival)
        if arrival.wrong_claims:
            self._queue_note(_wrong_score_text(name, arrival.file, arrival.wrong_claims))
        if self._is_dry_run:
            self._queue_line(_preview_line(name, arrival, result))
        elif result.replaced:
            self._queue_line(tr("{file}: match {match} was corrected", file=name,
                         match=result.match))  # fmt: skip
        if result.replaced:
            self._add_changed_details(result.changed)
            for number in result.identical:
                text = tr(
                    "match {match} is now an identical copy; to delete it: scorekeeper "
                    "delete {match}",
                    match=number,
                )
                self._add_remark(arrival, result, text)
        elif not self._is_dry_run and (not self._is_batch or result.similar or result.origins):
            self._similar += 1
            if self._is_batch and self._similar > MAX_SIMILAR:
                return
            message = N_("{file} is already match {match}")
            message = message if result.known else N_("{file} is now match {match}")
            self._queue_line(tr(message, file=name, match=result.match))
        for similar in result.similar:
            differs = ", ".join(map(tr, similar.differs))
            text = tr("the match is like match {match}, except for: {differs}", match=similar.match,
                      differs=differs)  # fmt: skip
            self._add_remark(arrival, result, text)
        if result.origins and not result.replaced:
            self._add_remark(arrival, result, _origin_text(result.origins, result.match))

    def _add_remark(self, arrival: IncomingMatch, result: ImportResult, text: str) -> None:
        """Queue a note about a match. In a batch, the note begins with the name of the file."""
        if not self._is_batch:
            self._queue_note(f"  {text}")
        elif result.match and not self._is_dry_run:
            remark = tr(
                "{path}, match {match}: {what}",
                path=origin_text(arrival),
                match=result.match,
                what=text,
            )
            self._queue_note(remark)
        else:
            self._queue_note(tr("{path}: {what}", path=origin_text(arrival), what=text))

    def _add_changed_details(self, changes: Mapping[str, tuple[str, str]]) -> None:
        """Queue a note for each changed detail. They are noted because `undo` does not restore the
        old values."""
        for key, (before, after) in changes.items():
            facts = {"what": tr(key), "before": quote(before), "after": quote(after)}
            if self._is_dry_run:
                self._queue_note(_preview_change(facts, before, after))
            elif before and after:
                self._queue_note(tr("  {what}: changed from “{before}” to “{after}”", **facts))
            elif before:
                self._queue_note(tr("  {what}: “{before}” was removed", **facts))
            else:
                self._queue_note(tr("  {what}: set to “{after}”", **facts))


def _result_json(arrival: IncomingMatch, result: ImportResult, is_dry_run: bool) -> Json:
    """Return the result of importing a match, as JSON."""
    row: Json = {"file": arrival.file, "match": result.match or None, "known": result.known}
    if arrival.line:
        row["line"] = arrival.line
    if arrival.changed_rules_sha:
        now = arrival.match.ruleset
        row["other_rules"] = {"ruleset": now.name, "recorded": arrival.changed_rules_sha,
                              "now": now.sha256}  # fmt: skip
    if result.replaced:
        row["replaced"] = True
    if is_dry_run:
        match = arrival.match
        row |= {
            "ruleset": match.ruleset.name,
            "started": arrival.details.get("started", ""),
            "players": match.players,
            "rounds": len(match.rounds) * (not arrival.is_totals_only),
            "scores": match.scores,
        }
    like = [each._asdict() for each in result.similar]
    return {**row, "like": like} if like else row


def _preview_line(name: str, arrival: IncomingMatch, result: ImportResult) -> str:
    """Return a line that describes a match and what the import would do with it."""
    match = arrival.match
    details = (arrival.details.get("started", ""), arrival.details.get("title", ""),
            match.ruleset.translate(match.ruleset.title))  # fmt: skip
    scores = ", ".join(f"{name} {points}" for name, points in match.scores.items())
    rounds = plural("{count} round", "{count} rounds", len(match.rounds))
    if arrival.is_totals_only:
        rounds = tr("a whole evening")
    outcome = tr("new")
    if result.replaced:
        outcome = tr("would replace match {match}", match=result.match)
    elif result.known:
        outcome = (
            tr("is already match {match}", match=result.match)
            if result.match
            else tr("repeated in this import")
        )
    return f"{name}: {', '.join(filter(None, details))}: {rounds}; {scores}; {outcome}"


def _preview_change(facts: Mapping[str, str], before: str, after: str) -> str:
    if before and after:
        return tr("  {what}: now “{before}”, would become “{after}”", **facts)
    if before:
        return tr("  {what}: now “{before}”, would be removed", **facts)
    return tr("  {what}: would become “{after}”", **facts)


def _add_span(text: str, first: int, last: int) -> str:
    span = tr("{first} to {last}", first=first, last=last)
    return f"{text} ({span})"


def _wrong_score_text(name: str, file: str, rounds: Sequence[int]) -> str:
    """Return a message about rounds in which the claimed scores do not match the entries."""
    if name != file:
        return plural(
            "{name}: the scores claimed for round {rounds} do not match its entries",
            "{name}: the scores claimed for rounds {rounds} do not match their entries",
            len(rounds),
            name=name,
            rounds=", ".join(map(str, rounds)),
        )
    return plural(
        "  the scores claimed for round {rounds} do not match its entries; for details: "
        "scorekeeper verify {file}",
        "  the scores claimed for rounds {rounds} do not match their entries; for details: "
        "scorekeeper verify {file}",
        len(rounds),
        rounds=", ".join(map(str, rounds)),
        file=file,
    )


def _origin_text(rows: Sequence[MatchRow], match_id: int) -> str:
    """Return a message about the matches from which a record may have been exported."""
    numbers = ", ".join(str(row.id) for row in rows)
    if len(rows) > 1:
        return tr(
            "the record may have been exported from any of the matches {numbers}", numbers=numbers
        )
    if not match_id:
        return tr("to correct match {match} with this record: import --replace", match=numbers)
    say = N_(
        "to correct match {match} with this record, enter: scorekeeper delete {made}, then "
        "import --replace"
    )
    return tr(say, match=numbers, made=match_id)


# --- score tables


class TableOptions(NamedTuple):
    """Options for reading score tables, as typed."""

    ruleset: str | None
    settings: Sequence[str]
    columns: str
    date: str
    order: str
    running: str
    row: str


def _read_tables(
    paths: Sequence[str], table_options: TableOptions
) -> Iterator[IncomingMatch | RejectedFile]:
    """Yield the matches in score tables.

    Raises Unreadable or Damaged for a ruleset that cannot be loaded, and Unreadable for wrong
    options.
    """
    from scorekeeper.cli.show import parse_date
    from scorekeeper.store.score_table import ScoreFileOptions, matches_of, read_table

    chosen = (
        ruleset_with(table_options.ruleset, table_options.settings)
        if table_options.ruleset
        else None
    )
    mapped = ScoreFileOptions(
        _parse_columns(table_options.columns),
        parse_date(table_options.date),
        table_options.order,
        table_options.running,
    )
    for path in paths:
        try:
            table = read_table(path, mapped)
        except Failure as failure:
            if chosen is None:
                raise _missing_ruleset() from None
            yield RejectedFile(path, 0, [failure])
            continue
        if chosen is None and table.columns.ruleset is None:
            raise _missing_ruleset()
        print_notes(*_explain_reading(path, table))
        for line in () if table_options.row else _explain_guess(table):
            print_notes(line)
        for name, part in _split_by_ruleset(table):
            if chosen is not None and name not in ("", chosen[0].name):
                yield _other_ruleset(path, part, name)
                continue
            try:
                rules, options = chosen or _load_rules(name, table_options.settings)
            except Failure as failure:
                yield _reject_at_line(path, part, failure.message, failure.hint)
                continue
            matches = matches_of(path, part, rules, options, table_options.row)
            yield from _check_against_match(matches, rules.tally["sums"])


def _check_against_match(
    arrivals: Iterator[IncomingMatch | RejectedFile], sums: Sequence[int]
) -> Iterator[IncomingMatch | RejectedFile]:
    """Yield the matches unchanged, then print the rounds in which the points have an impossible
    total."""
    from scorekeeper.store.arrivals import IncomingMatch
    from scorekeeper.store.score_rows import place_text

    count, unlike = 0, list[tuple[int, int]]()
    for each in arrivals:
        if isinstance(each, IncomingMatch):
            count += len(each.match.rounds)
            unlike += each.unusual_rounds
        yield each
    if unlike:
        places = ", ".join(f"{place_text(line)} ({total})" for line, total in unlike[:MAX_LINES])
        print_notes(
            plural(
                "  in {unlike} of {count} round, the points do not add up to {sums}; they "
                "were imported unchanged: {places}",
                "  in {unlike} of {count} rounds, the points do not add up to {sums}; they "
                "were imported unchanged: {places}",
                count,
                unlike=len(unlike),
                sums=join_list([*map(str, sums)], "or"),
                places=f"{places}, …" if len(unlike) > MAX_LINES else places,
            )
        )


def _load_rules(name: str, settings: Sequence[str]) -> tuple[Ruleset, Mapping[str, JsonValue]]:
    """Return the ruleset that a table names. Raises Unreadable, Damaged.

    A path to a file is rejected, because the table may come from a stranger.
    """
    from scorekeeper.ruleset.tables import is_ruleset_name

    if not is_ruleset_name(name):
        raise Unreadable(
            tr("“{name}” is not a valid ruleset name", name=quote(name)), "--ruleset NAME"
        )
    return ruleset_with(name, settings)


def _missing_ruleset() -> Failure:
    return Unreadable(tr("the table does not name its ruleset"), "--ruleset NAME")


def _split_by_ruleset(table: ScoreFile) -> Iterator[tuple[str, ScoreFile]]:
    """Yield the name of each ruleset in a table, with the rows that belong to it.

    If the table names no ruleset, yield "" with all rows.
    """
    names = dict.fromkeys(row.own_key[1] if row.own_key else "" for row in table.rows)
    for name in names:
        rows = [row for row in table.rows if not name or row.own_key[1] == name]
        yield name, table._replace(rows=rows)


def _other_ruleset(path: str, table: ScoreFile, name: str) -> RejectedFile:
    """Return the error for rows that name a different ruleset than the option `--ruleset`."""
    hint = tr("leave out {option}, because the table names its rulesets", option="--ruleset")
    return _reject_at_line(
        path, table, tr("the table names a different ruleset: {ruleset}", ruleset=quote(name)), hint
    )


def _reject_at_line(path: str, table: ScoreFile, text: str, hint: str) -> RejectedFile:
    """Return the error for a part of a table, with the number of the part's first line."""
    line = table.rows[0].line
    message = tr("{path}, line {line}: {what}", path=quote(path, 200), line=line, what=text)
    return RejectedFile(path, line, [Unreadable(message, hint)])


def _parse_columns(text: str) -> dict[str, str]:
    """Parse text such as `date=Datum,name=Spieler` into columns by key. Raises Unreadable."""
    from scorekeeper.store.score_cells import HEADINGS, LIST_KEYS

    columns: dict[str, str] = {}
    for part in filter(str.strip, text.split(",")):
        key, equals, column = (each.strip() for each in part.partition("="))
        if key not in (*HEADINGS, *LIST_KEYS) or not equals or not column:
            raise Unreadable(
                tr("“{text}” does not assign a column to a key", text=quote(part)),
                tr("write it like {example}; the keys are {keys}",
                   example="--columns date=Datum,name=Spieler",
                   keys=", ".join((*HEADINGS, *LIST_KEYS))),
            )  # fmt: skip
        columns[key] = column
    return columns


def _explain_reading(path: str, table: ScoreFile) -> Iterator[str]:
    """Yield lines about how a table was read and what was skipped."""
    columns, heads = table.columns, table.headings
    named = {key: getattr(columns, key) for key in ("date", "title", "place", "round", "name",
                                                    "points")}  # fmt: skip
    parts = [f"{key} {format_quoted(quote((columns.has_headings and heads[at]) or at + 1))}"
            for key, at in named.items() if at is not None and not table.is_transposed]  # fmt: skip
    if columns.match is not None:
        parts = [tr("scores exported by this program")]
    if table.is_transposed:
        parts.append(tr("transposed, because each row is a player"))
    if columns.players:
        parts.append(tr("players {names}", names=", ".join(map(quote, columns.players.values()))))
    left = [quote(heads[at] or str(at + 1)) for at in columns.skipped]
    if left and columns.match is None:
        parts.append(tr("columns skipped: {columns}", columns=", ".join(left)))
    if columns.date is not None and columns.match is None:
        parts.append(tr("date format {order}", order=table.dates.order))
    if table.encoding != "utf-8":
        parts.append(tr("text encoding {encoding}", encoding=table.encoding))
    yield tr("{path}: {what}", path=quote(path, 200), what="; ".join(parts))
    if columns.texts:
        names = [
            format_quoted(quote(heads[at])) if heads[at] else tr("column {column}", column=at + 1)
            for at in columns.texts
        ]
        yield plural(
            "  {columns} contains text, so it was not read as a player's points; if it does "
            "contain points, use {option}",
            "  {columns} contain text, so they were not read as players' points; if they do "
            "contain points, use {option}",
            len(names),
            columns=", ".join(names),
            option="--columns players=Ana+Ben",
        )
    yield from _explain_skipped(table.skipped)


def _explain_guess(table: ScoreFile) -> Iterator[str]:
    """Yield a line if the program had to guess whether rows are rounds or whole evenings."""
    from scorekeeper.store.score_table import EVENING, default_row_kind, has_one_row_a_day

    if default_row_kind(table) == EVENING:
        yield tr(
            "  each column was read as a whole evening; if each column is a round, use {option}",
            option="--row round",
        )
    elif has_one_row_a_day(table):
        yield tr(
            "  each day has one row, which was read as a round; if each row is a whole "
            "evening, use {option}",
            option="--row evening",
        )


def _explain_skipped(rows: Sequence[SkippedRow]) -> Iterator[str]:
    """Yield lines about skipped rows, by reason."""
    from scorekeeper.store import score_rows as reasons

    above, around, called, sums, empty, void = (
        [row for row in rows if row.reason == reason]
        for reason in (
            *(reasons.ABOVE_HEADINGS, reasons.AROUND_TABLE, reasons.NAMED_AS_SUM),
            *(reasons.EQUALS_SUM, reasons.EMPTY, reasons.VOID),
        )
    )
    for row in above:
        yield tr("  skipped above the headings: {place}, “{what}”",
                 place=reasons.place_text(row.line), what=row.text)  # fmt: skip
    if around:
        yield plural(
            "  {count} line around the table was skipped: {places}",
            "  {count} lines around the table were skipped: {places}",
            len(around),
            places=_line_numbers(around),
        )
    if called:
        yield plural(
            "  {count} row with sums was skipped: {place}, “{what}”",
            "  {count} rows with sums were skipped; the first is {place}, “{what}”",
            len(called),
            place=reasons.place_text(called[0].line),
            what=called[0].text,
        )
    if sums:
        yield plural(
            "  {count} row was skipped because it is the sum of the rows above it: {places}",
            "  {count} rows were skipped because each is the sum of the rows above it: {places}",
            len(sums),
            places=_line_numbers(sums),
        )
    if empty:
        yield plural(
            "  {count} row without points was skipped: {places}",
            "  {count} rows without points were skipped: {places}",
            len(empty),
            places=_line_numbers(empty),
        )
    if void:
        yield plural(
            "  {count} row of a void round was skipped: {places}",
            "  {count} rows of void rounds were skipped: {places}",
            len(void),
            places=_line_numbers(void),
        )


def _line_numbers(rows: Sequence[SkippedRow]) -> str:
    """Return the first few line numbers as text, with "…" if there are more."""
    from scorekeeper.store.score_rows import places_text

    numbers = places_text([row.line for row in rows[:MAX_LINES]])
    return f"{numbers}, …" if len(rows) > MAX_LINES else numbers
