"""The command `import`: records, JSON and score tables into the book, as new matches or as
corrections of old ones.

Of a few matches each result is printed; of many, remarkable ones and a summary.
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
    code_of,
    commanded,
    open_book,
    ruleset_with,
    say,
    say_json,
    talk,
    tell,
)
from scorekeeper.cli.output import agrees
from scorekeeper.core.errors import Damaged, Failure, Unreadable
from scorekeeper.core.messages import listed, mark, plural, tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.store.arrivals import Refused, place_of
from scorekeeper.store.record import OTHER_RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json, Plain
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.store.arrivals import Arrival
    from scorekeeper.store.importing import How, Taken
    from scorekeeper.store.rows import MatchRow, Store
    from scorekeeper.store.score_rows import LeftOut
    from scorekeeper.store.score_table import Table

# Names of what may differ between a match and a similar one (`Like.differs`), or be corrected by a
# record.
DIFFERS = (
    *(mark("rules"), mark("started"), mark("place"), mark("language"), mark("title")),
    *(mark("note"), mark("entries"), mark("day")),
)

MOST_ALIKE = 5  # similar matches that are listed
MOST_CHANGED = 5  # matches with changed rulesets that are listed
MOST_LINES = 10  # skipped rows that are listed


@commanded
def import_(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Records, JSON, JSON lines, or a folder of them."),
    ],
    replace: Annotated[
        bool,
        typer.Option("--replace", help="An edited record puts the match right that it came from."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be taken, and write nothing.")
    ] = False,
    table: Annotated[
        bool, typer.Option("--table", help="The files are tables of scores (CSV).")
    ] = False,
    ruleset: Annotated[
        str | None,
        typer.Option("--ruleset", metavar="RULESET", help="What a table's matches were played by."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A choice of that ruleset."),
    ] = None,
    columns: Annotated[
        str,
        typer.Option(metavar="WHAT=COLUMN,…", help="Which column of a table is what."),
    ] = "",
    date: Annotated[
        str, typer.Option(metavar="DATE", help="The day of a table without dates: 2026-11-20.")
    ] = "",
    date_format: Annotated[
        Literal["ymd", "dmy", "mdy"] | None,
        typer.Option("--date-format", help="The order of day, month and year in a table."),
    ] = None,
    running: Annotated[
        Literal["match", "table"] | None,
        typer.Option("--running", help="Points are running totals, from 0 in each match, or on."),
    ] = None,
    row: Annotated[
        Literal["round", "evening"] | None,
        typer.Option("--row", help="What a row is: a round, or the totals of a whole evening."),
    ] = None,
    share: ShareOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Import records, JSON or score tables into the book. Known matches are not added again.

    With --replace, an edited export corrects the match that it came from. The differences become
    amendments, so `undo` and the log keep the old entries.

    Example: scorekeeper import evening.toml
    """
    said = date_format or "", running or "", row or ""
    how = Tables(ruleset, settings or (), columns, date, *said)
    if not table and how != Tables(None, (), "", "", "", "", ""):
        raise Unreadable(
            tr(
                "--ruleset, --set, --columns, --date, --date-format, --running "
                "and --row are only for --table"
            ),
            "import --table FILE --ruleset NAME",
        )
    found = _of_tables(files, how) if table else _of_files(files)
    with open_book(book, create=not dry_run, share=share) as store:
        return _imported(store, found, files, replace, dry_run, format, table)


def _imported(
    store: Store,
    found: Iterator[Arrival | Refused],
    files: Sequence[str],
    replace: bool,
    dry: bool,
    format: str,
    table: bool,
) -> int:
    from scorekeeper.cli.output import progress
    from scorekeeper.store.importing import take_alone, taken

    first = [*islice(found, 2)]
    several = len(first) > 1
    asks = format == "text" and sys.stdin.isatty()
    how: How = "replace" if replace else "ask" if asks else "beside"
    if dry:
        how = "look to replace" if replace else "look"
    done = Import(format, several, dry, table)
    shown_ = progress(chain(first, found), _bytes(files), "imported", lambda each: each.size, True)
    waiting: list[tuple[Arrival, int]] = []
    try:
        for each in taken(store, shown_, how):
            if not isinstance(each, Refused) and not each[1].match and how == "ask":
                waiting.append((each[0], each[1].origins[0].id))
            else:
                done.heard(each)
        for arrival, origin in waiting:
            chosen: How = "replace" if agreed(arrival, store.match(origin)) else "beside"
            done.heard(take_alone(store, arrival, chosen))
    finally:
        done.end()
    return done.code


def _bytes(files: Sequence[str]) -> int:
    """Return the total size of files and of the files in folders, at least 1."""
    from scorekeeper.store.arrivals import files_of

    total = 0
    for path in files:
        try:
            total += sum(map(os.path.getsize, files_of(path)))
        except (OSError, Failure):
            continue
    return max(total, 1)


def _of_files(paths: Sequence[str]) -> Iterator[Arrival | Refused]:
    """Yield the matches in files and folders."""
    from scorekeeper.store.arrivals import arrivals, files_of

    for path in paths:
        try:
            files = files_of(path)
        except Damaged as failure:
            yield Refused(path, 0, [failure])
            continue
        for file in files:
            yield from arrivals(file)


def agreed(arrival: Arrival, origin: MatchRow) -> bool:
    """Ask whether a record shall correct its match, and return whether the user agrees."""
    from scorekeeper.cli.show import match_line

    talk(match_line(origin))
    asked = tr(
        "{file} was exported from this match: correct the match by it? [y/N]",
        file=place_of(arrival),
    )
    talk(asked)
    return agrees(sys.stdin.readline())


# --- what came of it


class Import:
    """Prints the results of an import, and holds the worst exit `code`.

    Results of a single match are printed at once. With `several`, remarks and a summary are
    printed at the end. With `dry`, nothing is stored, and each match is described. With `table`,
    the summary counts evenings.
    """

    def __init__(self, format: str, several: bool, dry: bool, table: bool) -> None:
        self.code = FINE
        self._table = table
        self._alike = self._changed = 0
        self._format, self._several, self._dry = format, several, dry
        self._rows: list[Json] = []
        self._later: list[Callable[[], object]] = []
        self._new: list[int] = []
        self._known = self._replaced = self._refused = 0

    def heard(self, what: tuple[Arrival, Taken] | Refused) -> None:
        """Add the result for one match."""
        if isinstance(what, Refused):
            self._refused += 1
            self._refuse(what)
        else:
            arrival, made = what
            self._count(made)
            self._rows.append(_row(arrival, made, self._dry))
            if self._format == "text":
                self._tell(arrival, made)
        if not self._several:
            self._flush()

    def end(self) -> None:
        """Print what was not printed yet, and the summary."""
        if self._format == "json":
            say_json(self._rows)
        elif self._several and (self._rows or self._refused):
            self._flush()
            if self._alike > MOST_ALIKE:
                talk(plural("{count} more is similar to an existing match; --format json "
                            "lists it",
                            "{count} more are similar to existing matches; --format json "
                            "lists them",
                            self._alike - MOST_ALIKE))  # fmt: skip
            if self._changed > MOST_CHANGED:
                talk(plural("{count} more was recorded with other rules; --format json "
                            "lists it",
                            "{count} more were recorded with other rules; --format json "
                            "lists them",
                            self._changed - MOST_CHANGED))  # fmt: skip
            say(self._summary())
        if self._dry:
            talk(tr("nothing was written, because of --dry-run"))

    def _count(self, made: Taken) -> None:
        if made.replaced:
            self._replaced += 1
        elif made.known:
            self._known += 1
        else:
            self._new.append(made.match)

    def _flush(self) -> None:
        for line in self._later:
            line()
        self._later.clear()

    def _say(self, text: str) -> None:
        self._later.append(partial(say, text))

    def _talk(self, text: str) -> None:
        self._later.append(partial(talk, text))

    def _refuse(self, refused: Refused) -> None:
        for failure in refused.failures:
            self.code = max(self.code, code_of(failure))
            self._later.append(partial(tell, failure))
        first = refused.failures[0]
        row: Json = {"file": refused.file, "match": None, "known": False}
        if refused.line:
            row["line"] = refused.line
        self._rows.append({**row, "fault": first.message, "hint": first.hint})
        if len(refused.failures) > 1:
            self._rows[-1]["faults"] = [failure.message for failure in refused.failures]
        if self._format == "json":
            self._flush()

    def _summary(self) -> str:
        new, first, last = len(self._new), min(self._new, default=0), max(self._new, default=0)
        said = plural("{count} new match", "{count} new matches", new)
        if new and last:
            said = f"{said} ({first})" if first == last else _with_span(said, first, last)
        parts = [
            said if new else "",
            tr("{count} corrected", count=self._replaced) if self._replaced else "",
            tr("{count} already in the book", count=self._known) if self._known else "",
            tr("{count} refused", count=self._refused) if self._refused else "",
        ]
        count = new + self._replaced + self._known + self._refused
        what = ", ".join(filter(None, parts))
        if self._table:
            return plural("{count} evening: {what}", "{count} evenings: {what}", count, what=what)
        return plural("{count} record: {what}", "{count} records: {what}", count, what=what)

    # --- one match

    def _tell(self, arrival: Arrival, made: Taken) -> None:
        self._tell_taken(arrival, made)
        if arrival.other_rules:
            self._changed += 1
            if self._changed <= MOST_CHANGED:
                what = tr(OTHER_RULES, ruleset=arrival.match.ruleset.name)
                name = place_of(arrival)
                told = tr("{path}: {what}", path=name, what=what) if self._several else f"  {what}"
                self._talk(told)

    def _tell_taken(self, arrival: Arrival, made: Taken) -> None:
        name = place_of(arrival)
        if arrival.misclaimed:
            self._talk(_claims(name, arrival.file, arrival.misclaimed))
        if self._dry:
            self._say(_would_be(name, arrival, made))
        elif made.replaced:
            self._say(tr("{file}: match {match} was corrected", file=name,
                         match=made.match))  # fmt: skip
        if made.replaced:
            self._tell_changed(made.changed)
            for number in made.same:
                said = tr(
                    "match {match} is now identical; to delete it: scorekeeper delete {match}",
                    match=number,
                )
                self._remark(arrival, made, said)
        elif not self._dry and (not self._several or made.like or made.origins):
            self._alike += 1
            if self._several and self._alike > MOST_ALIKE:
                return
            told = mark("{file}: is already match {match}")
            told = told if made.known else mark("{file}: is now match {match}")
            self._say(tr(told, file=name, match=made.match))
        for other in made.like:
            differs = ", ".join(map(tr, other.differs))
            said = tr("it is similar to match {match}, except for: {differs}", match=other.match,
                      differs=differs)  # fmt: skip
            self._remark(arrival, made, said)
        if made.origins and not made.replaced:
            self._remark(arrival, made, _origins(made.origins, made.match))

    def _remark(self, arrival: Arrival, made: Taken, what: str) -> None:
        """Queue a note about a match. With several matches it names the match."""
        if not self._several:
            self._talk(f"  {what}")
        elif made.match and not self._dry:
            told = tr("{path}, match {match}: {what}", path=place_of(arrival), match=made.match,
                      what=what)  # fmt: skip
            self._talk(told)
        else:
            self._talk(tr("{path}: {what}", path=place_of(arrival), what=what))

    def _tell_changed(self, changed: Mapping[str, tuple[str, str]]) -> None:
        """Queue a note for each changed detail. `undo` does not bring the old values back."""
        for key, (before, after) in changed.items():
            said = {"what": tr(key), "before": shown(before), "after": shown(after)}
            if self._dry:
                self._talk(_would_change(said, before, after))
            elif before and after:
                self._talk(tr("  {what}: changed from “{before}” to “{after}”", **said))
            elif before:
                self._talk(tr("  {what}: “{before}” was removed", **said))
            else:
                self._talk(tr("  {what}: set to “{after}”", **said))


def _row(arrival: Arrival, made: Taken, dry: bool) -> Json:
    """Return the result for a match as JSON."""
    row: Json = {"file": arrival.file, "match": made.match or None, "known": made.known}
    if arrival.line:
        row["line"] = arrival.line
    if arrival.other_rules:
        now = arrival.match.ruleset
        row["other_rules"] = {"ruleset": now.name, "recorded": arrival.other_rules,
                              "now": now.sha256}  # fmt: skip
    if made.replaced:
        row["replaced"] = True
    if dry:
        match = arrival.match
        row |= {"ruleset": match.ruleset.name, "started": arrival.about.get("started", ""),
                "players": match.players, "rounds": len(match.rounds) * (not arrival.totals_alone),
                "scores": match.scores}  # fmt: skip
    like = [each._asdict() for each in made.like]
    return {**row, "like": like} if like else row


def _would_be(name: str, arrival: Arrival, made: Taken) -> str:
    """Return a line that describes a match and what an import would do with it."""
    match = arrival.match
    said = (arrival.about.get("started", ""), arrival.about.get("title", ""),
            match.ruleset.said(match.ruleset.title))  # fmt: skip
    scores = ", ".join(f"{name} {points}" for name, points in match.scores.items())
    rounds = plural("{count} round", "{count} rounds", len(match.rounds))
    if arrival.totals_alone:
        rounds = tr("a whole evening")
    told = tr("new")
    if made.replaced:
        told = tr("would replace match {match}", match=made.match)
    elif made.known:
        told = (
            tr("is already match {match}", match=made.match)
            if made.match
            else tr("repeated in this import")
        )
    return f"{name}: {', '.join(filter(None, said))}: {rounds}; {scores}; {told}"


def _would_change(said: Mapping[str, str], before: str, after: str) -> str:
    if before and after:
        return tr("  {what}: now “{before}”, would become “{after}”", **said)
    if before:
        return tr("  {what}: now “{before}”, would be removed", **said)
    return tr("  {what}: would become “{after}”", **said)


def _with_span(said: str, first: int, last: int) -> str:
    span = tr("{first} to {last}", first=first, last=last)
    return f"{said} ({span})"


def _claims(name: str, file: str, rounds: Sequence[int]) -> str:
    """Return a text about the rounds whose claimed scores differ from those of the entries."""
    if name != file:
        return plural(
            "{name}: the claimed scores of round {rounds} differ from those of the entries",
            "{name}: the claimed scores of rounds {rounds} differ from those of the entries",
            len(rounds),
            name=name,
            rounds=", ".join(map(str, rounds)),
        )
    return plural(
        "  the claimed scores of round {rounds} differ from those of the entries: "
        "scorekeeper verify {file}",
        "  the claimed scores of rounds {rounds} differ from those of the entries: "
        "scorekeeper verify {file}",
        len(rounds),
        rounds=", ".join(map(str, rounds)),
        file=file,
    )


def _origins(found: Sequence[MatchRow], made: int) -> str:
    """Return a text about the matches that a record may have come from."""
    numbers = ", ".join(str(row.id) for row in found)
    if len(found) > 1:
        return tr("it may have been exported from any of the matches {numbers}", numbers=numbers)
    if not made:
        return tr("if it corrects match {match}: import --replace", match=numbers)
    say = mark("if it corrects match {match}: scorekeeper delete {made}, then import --replace")
    return tr(say, match=numbers, made=made)


# --- tables of scores


class Tables(NamedTuple):
    """Options about reading score tables, as typed."""

    ruleset: str | None
    settings: Sequence[str]
    columns: str
    date: str
    order: str
    running: str
    row: str


def _of_tables(paths: Sequence[str], how: Tables) -> Iterator[Arrival | Refused]:
    """Yield the matches in score tables.

    Raises Unreadable and Damaged for a ruleset that cannot be loaded and for wrong options.
    """
    from scorekeeper.cli.show import begun
    from scorekeeper.store.score_table import Mapped, matches_of, read_table

    asked = ruleset_with(how.ruleset, how.settings) if how.ruleset else None
    mapped = Mapped(_mapping(how.columns), begun(how.date), how.order, how.running)
    for path in paths:
        try:
            table = read_table(path, mapped)
        except Failure as failure:
            if asked is None:
                raise _nothing_said() from None
            yield Refused(path, 0, [failure])
            continue
        if asked is None and table.columns.ruleset is None:
            raise _nothing_said()
        talk(*_understood(path, table))
        for told in () if how.row else _guessed(table):
            talk(told)
        for name, part in _by_ruleset(table):
            if asked is not None and name not in ("", asked[0].name):
                yield _by_others(path, part, name)
                continue
            try:
                rules, options = asked or _rules_in(name, how.settings)
            except Failure as failure:
                yield _in_line(path, part, failure.message, failure.hint)
                continue
            made = matches_of(path, part, rules, options, how.row)
            yield from _held_against(made, rules.tally["sums"])


def _held_against(
    found: Iterator[Arrival | Refused], sums: Sequence[int]
) -> Iterator[Arrival | Refused]:
    """Yield the same matches. Then print the rounds whose points have a sum that the ruleset
    excludes."""
    from scorekeeper.store.arrivals import Arrival
    from scorekeeper.store.score_rows import place

    count, unlike = 0, list[tuple[int, int]]()
    for each in found:
        if isinstance(each, Arrival):
            count += len(each.match.rounds)
            unlike += each.unlike
        yield each
    if unlike:
        told = ", ".join(f"{place(line)} ({total})" for line, total in unlike[:MOST_LINES])
        talk(
            plural(
                "  the points of {unlike} of {count} round do not add up to {sums} and "
                "were taken as they are: {places}",
                "  the points of {unlike} of {count} rounds do not add up to {sums} and "
                "were taken as they are: {places}",
                count,
                unlike=len(unlike),
                sums=listed([*map(str, sums)], "or"),
                places=f"{told}, …" if len(unlike) > MOST_LINES else told,
            )
        )


def _rules_in(name: str, settings: Sequence[str]) -> tuple[Ruleset, Mapping[str, Plain]]:
    """Return the ruleset that a table names, never from a file, because the table may be a
    stranger's.

    Raises Unreadable, Damaged.
    """
    from scorekeeper.ruleset.tables import is_name

    if not is_name(name):
        raise Unreadable(
            tr("“{name}” is not a valid name of a ruleset", name=shown(name)), "--ruleset NAME"
        )
    return ruleset_with(name, settings)


def _nothing_said() -> Failure:
    return Unreadable(tr("the table does not name its ruleset"), "--ruleset NAME")


def _by_ruleset(table: Table) -> Iterator[tuple[str, Table]]:
    """Yield the rulesets that a table names ("" for none), each with its part of the table."""
    names = dict.fromkeys(row.own[1] if row.own else "" for row in table.rows)
    for name in names:
        rows = [row for row in table.rows if not name or row.own[1] == name]
        yield name, table._replace(rows=rows)


def _by_others(path: str, table: Table, name: str) -> Refused:
    """Return the rejection of a part that names another ruleset than `--ruleset`."""
    hint = tr("leave out {option}: the table names its rulesets", option="--ruleset")
    return _in_line(
        path, table, tr("the table says it was played by {ruleset}", ruleset=shown(name)), hint
    )


def _in_line(path: str, table: Table, what: str, hint: str) -> Refused:
    """Return the rejection of a part of a table, with the number of its first line."""
    line = table.rows[0].line
    said = tr("{path}, line {line}: {what}", path=shown(path, 200), line=line, what=what)
    return Refused(path, line, [Unreadable(said, hint)])


def _mapping(text: str) -> dict[str, str]:
    """Return the columns by key from text such as `date=Datum,name=Spieler`. Raises Unreadable."""
    from scorekeeper.store.score_cells import HEADINGS, SEVERAL

    found: dict[str, str] = {}
    for part in filter(str.strip, text.split(",")):
        key, equals, column = (each.strip() for each in part.partition("="))
        if key not in (*HEADINGS, *SEVERAL) or not equals or not column:
            raise Unreadable(
                tr("“{text}” does not assign a column", text=shown(part)),
                tr("write it like {example}; possible are {keys}",
                   example="--columns date=Datum,name=Spieler",
                   keys=", ".join((*HEADINGS, *SEVERAL))),
            )  # fmt: skip
        found[key] = column
    return found


def _understood(path: str, table: Table) -> Iterator[str]:
    """Yield lines about how a table was read and what was skipped."""
    columns, heads = table.columns, table.headings
    named = {key: getattr(columns, key) for key in ("date", "title", "place", "round", "name",
                                                    "points")}  # fmt: skip
    told = [f"{key} “{shown((columns.headed and heads[at]) or at + 1)}”"
            for key, at in named.items() if at is not None and not table.turned]  # fmt: skip
    if columns.match is not None:
        told = [tr("scores exported by this program")]
    if table.turned:
        told.append(tr("transposed, because each row is a player"))
    if columns.players:
        told.append(tr("players {names}", names=", ".join(map(shown, columns.players.values()))))
    left = [shown(heads[at] or str(at + 1)) for at in columns.left_out]
    if left and columns.match is None:
        told.append(tr("columns skipped: {columns}", columns=", ".join(left)))
    if columns.date is not None and columns.match is None:
        told.append(tr("dates {order}", order=table.dates.order))
    if table.encoding != "utf-8":
        told.append(tr("text encoding {encoding}", encoding=table.encoding))
    yield tr("{path}: {what}", path=shown(path, 200), what="; ".join(told))
    if columns.texts:
        names = [f"“{shown(heads[at])}”" if heads[at] else tr("column {column}", column=at + 1)
                 for at in columns.texts]  # fmt: skip
        yield plural(
            "  {columns} has texts and was not read as a player's points; if it has "
            "points: {option}",
            "  {columns} have texts and were not read as players' points; if they have "
            "points: {option}",
            len(names),
            columns=", ".join(names),
            option="--columns players=Ana+Ben",
        )
    yield from _left_out(table.left_out)


def _guessed(table: Table) -> Iterator[str]:
    """Yield a line about whether rows were taken for rounds or evenings without an option."""
    from scorekeeper.store.score_table import EVENING, one_a_day, row_is

    if row_is(table) == EVENING:
        yield tr("  each column was read as a whole evening; if it is a round: {option}",
                 option="--row round")  # fmt: skip
    elif one_a_day(table):
        yield tr("  each day has one row, read as a round; if it is a whole evening: "
                 "{option}",
                 option="--row evening")  # fmt: skip


def _left_out(rows: Sequence[LeftOut]) -> Iterator[str]:
    """Yield lines about skipped rows, by reason."""
    from scorekeeper.store.score_rows import ABOVE, AROUND, CALLED, COMES_TO, EMPTY, VOID, place

    whys = (ABOVE, AROUND, CALLED, COMES_TO, EMPTY, VOID)
    above, around, called, sums, empty, void = (
        [row for row in rows if row.why == why] for why in whys
    )
    for row in above:
        yield tr("  skipped above the headings: {place}, “{what}”",
                 place=place(row.line), what=row.what)  # fmt: skip
    if around:
        yield plural(
            "  {count} line around the table was skipped: {places}",
            "  {count} lines around the table were skipped: {places}",
            len(around),
            places=_places(around),
        )
    if called:
        yield plural(
            "  {count} row with sums was skipped: {place}, “{what}”",
            "  {count} rows with sums were skipped, the first is {place}, “{what}”",
            len(called),
            place=place(called[0].line),
            what=called[0].what,
        )
    if sums:
        yield plural(
            "  {count} row is the sum of those above it and was skipped: {places}",
            "  {count} rows are sums of those above them and were skipped: {places}",
            len(sums),
            places=_places(sums),
        )
    if empty:
        yield plural(
            "  {count} row without points was skipped: {places}",
            "  {count} rows without points were skipped: {places}",
            len(empty),
            places=_places(empty),
        )
    if void:
        yield plural(
            "  {count} row of a void round was skipped: {places}",
            "  {count} rows of void rounds were skipped: {places}",
            len(void),
            places=_places(void),
        )


def _places(rows: Sequence[LeftOut]) -> str:
    """Return the numbers of the first lines."""
    from scorekeeper.store.score_rows import places

    told = places([row.line for row in rows[:MOST_LINES]])
    return f"{told}, …" if len(rows) > MOST_LINES else told
