"""The sheet of a match, built from its rounds, its details, and its ruleset's table `[sheet]`.

The table has the ruleset's columns, a row for each round, rows of totals, and ladders. Cells are
short, as on a paper sheet. The ruleset's signs replace words, and long names are abbreviated to
their beginnings. The legend explains the signs and abbreviations.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from scorekeeper.core.messages import N_, join_list, plural, tr
from scorekeeper.core.rulings import REFUSE
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.replay import RoundRecord, unscored_reason
from scorekeeper.history.ranking import rank_players, sum_figures
from scorekeeper.history.results import elimination_order, match_result, places, sum_counts
from scorekeeper.match.match import Match
from scorekeeper.match.remedies import (
    DECIDED,
    describe_case,
    fault_text,
    faults_of,
    latest_faults,
    outcome_text,
    voiding_entry,
)
from scorekeeper.match.status import PROVEN, has_findings, list_findings
from scorekeeper.match.summary import (
    format_fact,
    format_signed,
    format_strokes,
    join_common,
    round_fact,
    seat_fact,
    summarize,
)
from scorekeeper.render.forms import form_tables
from scorekeeper.render.sheet_model import (
    CARRIED,
    EMPTY,
    FAULT,
    ROUND,
    Sheet,
    SheetColumn,
    SheetTable,
    build_guide,
    fixed_deal_count,
    running_totals,
    score_sources,
    settle,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from decimal import Decimal

    from scorekeeper.core.types import Json, Summary
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.view import MatchView
    from scorekeeper.ruleset.reports import Ladder, SheetCells


BLANK_ROWS = 24
MAX_ROWS_ON_A_PAGE = 36
MAX_BLANK_ROWS = 1000
WRITING_LINE = "_" * 20
WRITTEN_NAME_WIDTH, WRITTEN_LADDER_NAME_WIDTH = 7, 10  # widths in letters
LONG_NAME = 8  # in letters; longer names are abbreviated in cells
MIN_BEGINNING = 3  # minimum number of letters of an abbreviated name
MIN_SAVING = 3  # minimum number of letters that an abbreviation saves
DOT = "."
PLACE_FACTS = ("place", "ranked")


class SheetDetails(NamedTuple):
    """The match details shown above the sheet's table. Empty strings are omitted."""

    match: str = ""  # the name of the match in its book
    started: str = ""  # the date as printed
    place: str = ""
    title: str = ""
    note: str = ""


NO_DETAILS = SheetDetails()


def build_sheet(
    match: MatchView, details: SheetDetails = NO_DETAILS, stake: Decimal | None = None
) -> Sheet:
    """Build the sheet of a match in its current state. If a stake is given, payments are added.

    The stake is the amount of money for each point. Raises Impossible if a stake is given and the
    tally cannot be paid in money.
    """
    summaries = list(match.summaries())
    layout = SheetLayout(match, summaries or [_first_summary(match)])
    totals = SheetTotals(match, layout.sides, summaries)
    facts = _drop_empty(
        (tr("Title"), details.title),
        (tr("Started"), details.started),
        (tr("Place"), details.place),
        (tr("Note"), details.note),
        (tr("Match"), details.match),
        (tr("Players"), ", ".join(match.players)),
        (tr("Tally"), match.ruleset.translate(match.ruleset.tally["name"])),
        _outcome_fact(match),
    )
    tables = layout.build_tables(list(layout.build_rows(summaries)), totals, summaries)
    tables += form_tables(match.ruleset, summaries, match.players, is_blank=False)
    return Sheet(
        match.ruleset.translate(match.ruleset.title),
        facts,
        tables,
        [
            *_build_footnotes(summaries, _undecided_entries(match, summaries), match.ruleset),
            *_figure_notes(totals, match.ruleset),
        ],
        layout.legend(),
        running_totals=running_totals(match, summaries),
        sources=score_sources(match, summaries),
        payments=None if stake is None else settle(match, stake),
    )


def build_blank_sheet(
    ruleset: Ruleset,
    players: Sequence[str] | int,
    details: SheetDetails = NO_DETAILS,
    rows: int | None = None,
) -> Sheet:
    """Build an empty sheet for handwriting.

    `players` are names or a number of players. `rows` is from 1 to 1,000. By default there is a row
    for each deal of the match, up to the number that fits on a page. If the number of deals is not
    fixed, there are BLANK_ROWS rows. Raises Unreadable and Impossible in the same cases as a new
    match of these players.
    """
    named = not isinstance(players, int)
    names = [f"P{seat}" for seat in range(players)] if isinstance(players, int) else players
    match = Match(ruleset, names)
    layout = SheetLayout(match, [_first_summary(match)], named)
    layout.columns_to_write = layout.find_columns_to_write(_first_summary(match))
    wanted = rows or min(fixed_deal_count(ruleset) or BLANK_ROWS, MAX_ROWS_ON_A_PAGE)
    numbers = range(1, min(wanted, MAX_BLANK_ROWS) + 1)
    tables = layout.build_tables([layout.blank_row(number) for number in numbers], None, [])
    written = names if named else [""] * len(names)
    tables += form_tables(ruleset, [_first_summary(match)], written, is_blank=True)
    facts = _drop_empty(
        (tr("Date"), details.started or WRITING_LINE),
        (tr("Place"), details.place or WRITING_LINE),
        (tr("Players"), ", ".join(match.players) if named else ""),
        (tr("Tally"), ruleset.translate(ruleset.tally["name"])),
    )
    return Sheet(
        ruleset.translate(ruleset.title),
        facts,
        tables,
        legend=layout.legend([cells for cells, _ in layout.columns]),
        guide=build_guide(ruleset),
    )


def _first_summary(match: MatchView) -> Summary:
    """Return the summary of the match's first round before it begins. It contains the sides but no
    results."""
    rnd = Match(match.ruleset, match.initial_players, from_storage=True).current_round
    return summarize(rnd, RoundRecord(rnd.number, rnd.seating.standing, rnd.names), False)


# --- around the table


def _drop_empty(*facts: tuple[str, str]) -> list[tuple[str, str]]:
    """Drop the facts that have no text."""
    return [fact for fact in facts if fact[1]]


def _outcome_fact(match: MatchView) -> tuple[str, str]:
    """Return the fact that names the result or the winners."""
    if match.over and not match.winners:
        return tr("Result"), match.outcome
    return tr("Won by"), ", ".join(match.winners)


def _undecided_entries(match: MatchView, summaries: Sequence[Summary]) -> list[tuple[int, str]]:
    """Return the round and text of each entry that breaks a rule and has not been decided yet.

    Entries for which the rules have a remedy are omitted, because another footnote mentions them.
    """
    # avoids reviewing every entry if there is nothing to report
    if not any(map(has_findings, summaries)):
        return []
    wrong = {
        (each.round, each.number): each.entry
        for cases in list_findings(match.review(), match.ruleset)
        for each in cases
        if each.kind == PROVEN and each.fault is None and each.finding["severity"] == REFUSE
    }
    say = N_("{entry} ({number}) breaks a rule, and the table has not decided on it yet")
    return [
        (round_, tr(say, entry=entry, number=number))
        for (round_, number), entry in sorted(wrong.items())
    ]


def _build_footnotes(
    summaries: Sequence[Summary], undecided: Sequence[tuple[int, str]], rules: Ruleset
) -> list[str]:
    """Return the footnotes: the notes of each round, then pending decisions and decisions made
    later."""
    translate_word, word = rules.translate_word, rules.sheet.round_word
    open_ = [fault for fault in latest_faults(summaries).values() if not fault["ended"]]
    notes = [
        (summary["round"], text)
        for summary in summaries
        for text in _round_notes(summary, translate_word)
    ]
    notes += undecided
    for fault in latest_faults(summaries).values():
        if fault["ended"] == DECIDED and fault["during"] != fault["round"]:
            say = (
                N_("declared void in round {round}: {deed}, {weight}")
                if fault.get("voids")
                else N_("score changed in round {round}: {deed}, {weight}")
            )
            weight = translate_word(fault["weight"])
            text = tr(say, round=fault["during"], deed=fault_text(fault), weight=weight)
            notes.append((fault["round"], text))
    for fault in open_:
        now = tr(
            "provisional: {deed}: {outcome}",
            deed=fault_text(fault),
            outcome=outcome_text(fault, translate_word),
        )
        notes.append((fault["round"], now))
    if not word:
        return [tr("Round {number}: {text}", number=number, text=text) for number, text in notes]
    return [
        tr("{round} {number}: {text}", round=word, number=number, text=text)
        for number, text in notes
    ]


def _round_notes(summary: Summary, translate_word: Callable[[str], str]) -> list[str]:
    """Return the notes of one round. A decision about a claim is mentioned only once."""
    notes = []
    decided = [fault for fault in faults_of(summary) if fault["ended"] == DECIDED]
    acts = {fault["text"] for fault in decided}
    if summary["void"] is not None and summary["void"] != voiding_entry(decided):
        why = summary["void"]
        notes.append(tr("void") if why == "void" else tr("void: {reason}", reason=why))
    elif summary["annulled"] and summary["void"] is None:
        notes.append(tr("void"))
    notes += [describe_case(fault, translate_word) for fault in decided]
    notes += [tr("foul by {text}", text=text) for text in summary["fouls"]]
    notes += [tr("penalty for {text}", text=text) for text in summary["penalties"]]
    notes += [text for text in summary["decisions"] if text not in acts]
    notes += [text for text in summary["notes"] if text]
    if not summary["over"]:
        notes.append(tr("not finished"))
    elif summary["changes"] is None:
        waits = [name for fault in faults_of(summary) if fault["waits"] for name in fault["who"]]
        why = unscored_reason(summary.get("mistaken", False), waits)
        notes.append(tr("without a score: {reason}", reason=why))
    return notes


# --- the table


class SheetRow(NamedTuple):
    """A row of the table: its cells, its kind (see `row_kinds`), and the tallies after it.

    `tally` maps names to tallies. It is empty in a row for handwriting.
    """

    cells: list[str]
    kind: str
    tally: Mapping[str, object]


class SheetLayout:
    """The columns of a sheet, each with its player or side, or "" for a column of the round.

    If no names are given, the sheet is blank and players write their names on it.
    """

    def __init__(
        self, match: MatchView, summaries: Sequence[Summary], has_names: bool = True
    ) -> None:
        self.rules = match.ruleset
        self.translate = match.ruleset.translate
        self.players = match.players
        self.initial_players = match.initial_players
        self.has_names = has_names
        self.sides: dict[str, list[str]] = {}
        for summary in summaries:
            self.sides.update(summary["sides"])
        rows = self.rules.sheet.columns
        self.signs = Signs(self.rules, self.players)
        self.columns = [(cells, who) for cells in rows for who in self.owners(cells.per)]
        # Names of the optional columns to show on a blank sheet.
        self.columns_to_write: frozenset[str] = frozenset()

    def owners(self, per: str) -> list[str]:
        """Return the owners of columns of the given kind: the players, the sides, or "" for the
        round."""
        return {"player": self.players, "side": list(self.sides)}.get(per, [""])

    def _written_name(self, who: str) -> str:
        """Return the name, or "" on a blank sheet without names."""
        return who if self.has_names else ""

    def build_tables(
        self, rows: Sequence[SheetRow], totals: SheetTotals | None, summaries: Sequence[Summary]
    ) -> list[SheetTable]:
        """Build the main table, the small tables and the ladders, in this order.

        A row of totals gets a small table if the main table has no column of its kind."""
        layout = self.rules.sheet
        shown = {cells.per for cells, _ in self.columns}
        under = [cells for cells in layout.totals if cells.per in shown]
        alone = [cells for cells in layout.totals if cells.per not in shown]
        return [
            self.main_table(rows, under, totals),
            *(self.totals_table(cells, totals) for cells in alone if self.owners(cells.per)),
            *(self.ladder_table(ladder, summaries) for ladder in layout.ladders),
        ]

    # --- rows

    def build_rows(self, summaries: Sequence[Summary]) -> Iterator[SheetRow]:
        """Build the rows of these rounds. An extra row shows tallies that were entered before a
        round."""
        start = self.rules.numbers.start(len(self.initial_players))
        tallies: dict[str, object] = dict.fromkeys(self.initial_players, start)
        for summary in summaries:
            before = summary["before"]
            if any(tallies.get(name, number) != number for name, number in before.items()):
                yield SheetRow(self._standing_cells(before), CARRIED, before)
            tallies = {**tallies, **before, **(summary["tally"] or {})}
            yield from self.round_rows(summary, tallies)

    def round_rows(self, summary: Summary, tallies: Mapping[str, object]) -> Iterator[SheetRow]:
        """Build the row of a round, and a row for each decision about a fault in the round."""
        faults = [fault for fault in faults_of(summary) if fault["lines"]]
        rest, *after = _split_faults(summary, faults)
        yield SheetRow(self.round_cells(rest), ROUND, {**tallies, **(rest["tally"] or {})})
        for fault, standing in zip(faults, after, strict=True):
            row = self.round_cells(standing)
            penalty = fault["lines"][0]["code"].rpartition(".")[2]
            # the decision about the fault was made after its round had ended
            earlier = "." in fault["at"]
            label = f"{self.translate(fault['weight'] if earlier else penalty)} ({fault['cited']})"
            for at, (column, _) in enumerate(self.columns):
                if not column.is_per_seat:
                    row[at], label = label, ""
            yield SheetRow(row, FAULT, {**tallies, **(standing["tally"] or {})})

    def round_cells(self, summary: Summary) -> list[str]:
        """Return the cells of a round with abbreviations."""
        texts = zip(self.columns, self._cell_texts(summary), strict=True)
        return [
            text if cells.is_per_seat else self.signs.shorten_cell(cells, text)
            for (cells, _), text in texts
        ]

    def _cell_texts(self, summary: Summary) -> Iterator[str]:
        """Yield the cells of a round without abbreviations."""
        for cells, who in self.columns:
            yield cells.fill(self._text_reader(summary, _round_reader(summary, cells.per, who)))

    def _text_reader(self, summary: Summary, read: Callable[[str], object]) -> Callable[[str], str]:
        """Return a function that reads a fact with `read` and returns it as text in the current
        language.

        Summaries contain untranslated words of the ruleset.
        """

        def translated(value: object) -> object:
            if isinstance(value, str):
                return value if value in summary["before"] else self.translate(value)
            if isinstance(value, (list, tuple)):
                return [translated(each) for each in value]
            if isinstance(value, dict):
                return {translated(key): translated(each) for key, each in value.items()}
            return tr("yes") if value is True else value

        def as_text(name: str) -> str:
            value = read(name)
            if name == "result" and isinstance(value, str):
                return self._translate_result(value)
            return format_fact(translated(value) if name in summary["facts"] else value)

        return as_text

    def _translate_result(self, text: str) -> str:
        """Translate the keys in the text of a result into the current language."""
        pairs = [pair.partition(" ") for pair in text.split(", ")]
        return ", ".join(
            f"{self.rules.translate_word(key)}{gap}{value}" for key, gap, value in pairs
        )

    def blank_row(self, number: int) -> SheetRow:
        """Build an empty row for writing down a round by hand. Only the round number is filled
        in."""
        read = _shown_reader(lambda name: number if name == "round" else None)
        return SheetRow([cells.fill(read) for cells, _ in self.columns], EMPTY, {})

    def find_columns_to_write(self, summary: Summary) -> frozenset[str]:
        """Return the names of optional columns that players will fill in.

        These are the columns that have signs, or that contain text before the first round.
        """
        read = zip(self.columns, self._cell_texts(summary), strict=True)
        return frozenset(
            cells.name for (cells, _), text in read if cells.optional and (cells.signs or text)
        )

    def _standing_cells(self, tally: Mapping[str, object]) -> list[str]:
        """Return the cells that show these tallies."""
        return [
            cells.fill(_shown_reader(partial(_tally_fact, tally, self._members(cells.per, who))))
            if cells.is_per_seat and cells.names & {"tally", "strokes"}
            else ""
            for cells, who in self.columns
        ]

    def _members(self, per: str, who: str) -> list[str]:
        """Return the players of a side, or the single player."""
        return self.sides.get(who, []) if per == "side" else [who]

    # --- the table

    def main_table(
        self, rows: Sequence[SheetRow], under: Sequence[SheetCells], totals: SheetTotals | None
    ) -> SheetTable:
        """Build the main table without empty optional columns."""
        visible = [
            at
            for at, (cells, _) in enumerate(self.columns)
            if not cells.optional
            or cells.name in self.columns_to_write
            or any(row.cells[at] for row in rows)
        ]
        first = next((at for at in visible if not self.columns[at][0].is_per_seat), None)

        def cut(row: Sequence[str], label: str = "") -> list[str]:
            return [label if label and at == first else row[at] for at in visible]

        carried_over = tr("carried over")
        carried = [cut(self._standing_cells(row.tally), carried_over) for row in rows if row.tally]
        return SheetTable(
            "",
            [self._build_column(*self.columns[at]) for at in visible],
            [cut(row.cells, carried_over if row.kind == CARRIED else "") for row in rows],
            [cut(row, _label(cells, totals)) for cells, row in self._total_rows(under, totals)],
            [row.kind for row in rows],
            carried,
        )

    def _total_rows(
        self, under: Sequence[SheetCells], totals: SheetTotals | None
    ) -> Iterator[tuple[SheetCells, list[str]]]:
        """Yield the rows of totals. Empty rows are omitted unless the sheet is blank."""
        for cells in under:
            row = self.total_cells(cells, totals)
            if totals is None or any(row):
                yield cells, row

    def _build_column(self, cells: SheetCells, who: str) -> SheetColumn:
        """Build a column with its heading."""
        label = cells.label.replace("{name}", self._written_name(who)).strip()
        width = cells.width or (0 if self.has_names or not who else WRITTEN_NAME_WIDTH)
        return SheetColumn(label, cells.align, width, who)

    def total_cells(self, cells: SheetCells, totals: SheetTotals | None) -> list[str]:
        """Return the cells of a row of totals, each in the column of its player or side. All other
        cells are ""."""
        fitting = [column.name for column, _ in self.columns if column.per == cells.per]
        under = cells.under or (fitting[0] if fitting else "")
        return [
            _match_cell(cells, who, totals) if column.is_per_seat and column.name == under else ""
            for column, who in self.columns
        ]

    def totals_table(self, cells: SheetCells, totals: SheetTotals | None) -> SheetTable:
        """Build a separate table for a row of totals."""
        per = tr("Side") if cells.per == "side" else tr("Player")
        columns = [SheetColumn(per, "left"), SheetColumn(_label(cells, totals), cells.align)]
        owners = self.owners(cells.per)
        rows = [[self._written_name(who), _match_cell(cells, who, totals)] for who in owners]
        return SheetTable("", columns, rows, [])

    def ladder_table(self, ladder: Ladder, summaries: Sequence[Summary]) -> SheetTable:
        """Build a ladder with a row for each player or side and a column for each step.

        A cell shows the number of the round in which the step was reached. The number is 0 for a
        step reached at the start.
        """
        steps = [SheetColumn(str(step), "center") for step in ladder.steps]
        columns = [
            SheetColumn("", "left", 0 if self.has_names else WRITTEN_LADDER_NAME_WIDTH),
            *steps,
        ]
        rows = []
        for who in self.owners(ladder.per):
            reached: dict[object, str] = {}
            if summaries and ladder.of == "tally":
                members = self._members(ladder.per, who)
                first = [summaries[0]["before"].get(member) for member in members]
                reached[join_common(lambda step: step, first)] = "0"
            for summary in summaries:
                step = seat_fact(summary, ladder.per, who, ladder.of)
                reached.setdefault(step, str(summary["round"]))
            cells = [reached.get(step, "") for step in ladder.steps]
            rows.append([self.signs.shorten_names(self._written_name(who)), *cells])
        return SheetTable(ladder.label, columns, rows, [])

    def legend(self, columns: Sequence[SheetCells] = ()) -> list[tuple[str, str]]:
        """Return the meanings of all signs on the sheet, and of all signs that these columns may
        contain.

        For each ladder, a line explains how to read it.
        """
        word = self.rules.sheet.round_word or tr("Round")
        how = tr(
            "{column} in which each step was reached (0 means at the start)",
            column=word,
        )
        ladders = self.rules.sheet.ladders
        return [*self.signs.legend(columns), *((ladder.label, how) for ladder in ladders)]


def _split_faults(summary: Summary, faults: Sequence[Json]) -> Iterator[Summary]:
    """Yield the round without the effects of these faults, then the effect of each decision."""
    points = [_fault_points(fault) for fault in faults]
    names, tally, changes = summary["before"], summary["tally"], summary["changes"]
    whole = {name: sum(each.get(name, 0) for each in points) for name in names}
    rest = summary
    if tally is not None and faults:
        tally = {name: tally[name] - whole[name] for name in names}
        rest = {**rest, "tally": tally}
    if changes is not None and faults:
        rest = {**rest, "changes": {name: changes[name] - whole[name] for name in names}}
    yield rest
    now = dict(names if tally is None else tally)
    for each in points:
        now = {name: now[name] + each.get(name, 0) for name in names}
        yield {**summary, "tally": now, "changes": each}


def _fault_points(fault: Json) -> dict[str, int]:
    """Return the total points of each player from a decision about a fault."""
    points: dict[str, int] = {}
    for line in fault["lines"]:
        for name in line["for"].split("+"):
            points[name] = points.get(name, 0) + line["points"]
    return points


def _figure_notes(totals: SheetTotals, rules: Ruleset) -> Iterator[str]:
    """Yield a note if some deals add nothing to the figures because only their scores are known."""
    if totals.unknown_deals:
        labels = [rules.translate(figure.label) for figure in rules.ranking.of_deals]
        yield plural(
            "{count} deal of which only the score is known adds nothing to: {figures}",
            "{count} deals of which only the score is known add nothing to: {figures}",
            totals.unknown_deals,
            figures=join_list(labels),
        )


def _label(cells: SheetCells, totals: SheetTotals | None) -> str:
    """Return the label of a row of totals."""
    return cells.label if totals is None else totals.row_label(cells)


def _match_cell(cells: SheetCells, who: str, totals: SheetTotals | None) -> str:
    """Return a player's or side's cell in a row of totals. It is empty on a blank sheet."""
    return (
        ""
        if totals is None
        else cells.fill(_shown_reader(partial(totals.read_fact, cells.per, who)))
    )


def _shown_reader(read: Callable[[str], object]) -> Callable[[str], str]:
    """Return a function that reads a fact with `read` and returns it as text."""
    return lambda name: format_fact(read(name))


def _round_reader(summary: Summary, per: str, who: str) -> Callable[[str], object]:
    """Return a function that reads facts about a round, or about the player or side `who` in it."""
    return partial(seat_fact, summary, per, who) if who else partial(round_fact, summary)


def _tally_fact(tally: Mapping[str, object], members: Sequence[str], name: str) -> object:
    """Return a fact that can be computed from the tallies alone, or None for any other fact."""
    numbers = [tally.get(member) for member in members]
    if name == "strokes":
        return join_common(format_strokes, numbers)
    return join_common(lambda number: number, numbers) if name == "tally" else None


# --- the rows of totals


class SheetTotals:
    """The facts about a whole match that rows of totals show."""

    def __init__(
        self, match: MatchView, sides: Mapping[str, list[str]], summaries: Sequence[Summary]
    ) -> None:
        self.sides = sides
        self.summaries = summaries
        self.is_final = match.over or match.ruleset.history.endless
        placed = match.over or any(summary["over"] for summary in summaries)
        self.stats = sum_counts(match.ruleset, summaries)
        ranking, points = match.ruleset.ranking, match_result(match, summaries).points
        self.figures, self.unknown_deals = sum_figures(ranking, summaries, points)
        tally = match.scores
        scored = [summary["changes"] for summary in summaries if summary["changes"]]
        change = {name: sum(changes.get(name, 0) for changes in scored) for name in match.players}
        self.facts: dict[str, Json] = {
            "tally": tally,
            "strokes": {name: format_strokes(number) for name, number in tally.items()},
            "change": change,
            "signed": {name: format_signed(number) for name, number in change.items()},
            "place": places(match, summaries) if placed else {},
            "out": elimination_order(match, summaries),
            "ranked": rank_players(match, summaries, self.figures) if placed else {},
        }

    def row_label(self, cells: SheetCells) -> str:
        """Return the label of a row, marked as provisional if the places in the row may still
        change."""
        if self.is_final or not self.facts["place"] or cells.names.isdisjoint(PLACE_FACTS):
            return cells.label
        return tr("{label} so far", label=cells.label)

    def read_fact(self, per: str, who: str, name: str) -> object:
        """Return a fact about a player or a side.

        If the players of a side differ, their values are joined with slashes.
        """
        if name == "name":
            return who
        if name.startswith(f"{per}."):
            return self._latest_fact(name, who)
        if name.startswith("figure."):
            return self.figures[name.removeprefix("figure.")].get(who, 0)
        if name.startswith("stat."):
            return self.stats[name.removeprefix("stat.")].get(who, 0)
        members = self.sides.get(who, []) if per == "side" else [who]
        if name in PLACE_FACTS:  # players who left have no place
            members = [member for member in members if member in self.facts[name]]
            if per == "side" and name == "place":
                return self._side_place(members)
        values = [self.facts[name].get(member) for member in members]
        return join_common(lambda value: value, values)

    def _side_place(self, members: Sequence[str]) -> object:
        """Return the place of a side among the sides at the table, or None if no player has a
        place.

        If the players of some side have different places, or a player is on several sides, return
        the players' own places instead, joined with slashes.
        """
        placed = self.facts["place"]
        there = [names for names in self.sides.values() if placed.keys() >= set(names)]
        every = [[placed[name] for name in names] for names in there]
        own = [placed[member] for member in members]
        if sum(map(len, every)) > len(placed) or any(len(set(each)) > 1 for each in every):
            return join_common(lambda value: value, own)
        return 1 + sum(each[0] < own[0] for each in every) if own else None

    def _latest_fact(self, name: str, who: str) -> object:
        """Return the latest value of a fact that phases report for a player or side, or None."""
        for summary in reversed(self.summaries):
            value = (summary["facts"].get(name) or {}).get(who)
            if value is not None:
                return value
        return None


# --- short forms


class Signs:
    """The signs and abbreviations of one sheet, with a record of which ones it uses."""

    __slots__ = ("_names", "_rules", "_used", "_words")

    def __init__(self, rules: Ruleset, names: Sequence[str]) -> None:
        self._rules = rules
        self._names = dict(_unique_beginnings(names))
        self._used: set[str] = set()
        self._words = {cells.name: _sign_forms(rules, cells.signs) for cells in rules.sheet.columns}

    def shorten_cell(self, cells: SheetCells, text: str) -> str:
        """Abbreviate the words and names in a cell of a round's column."""
        return _replace_words(self.shorten_names(text), self._words[cells.name], self._used)

    def shorten_names(self, text: str) -> str:
        """Abbreviate the names in a string."""
        return _replace_words(text, self._names, self._used)

    def legend(self, columns: Sequence[SheetCells] = ()) -> list[tuple[str, str]]:
        """Return the meanings of all signs in use, and of all signs that these columns may
        contain."""
        lexicon = self._rules.lexicon
        meanings: dict[str, str] = {}
        known = {*lexicon.meanings.values(), *lexicon.forms}
        for cells in self._rules.sheet.columns:
            for word, sign in cells.signs.items():
                if sign in self._used or (cells in columns and word in known):
                    meanings.setdefault(sign, self._rules.translate(word))
        meanings |= {short: name for name, short in self._names.items() if short in self._used}
        return list(meanings.items())


def _sign_forms(rules: Ruleset, signs: Mapping[str, str]) -> dict[str, str]:
    """Return the sign for each form of each word in `signs`, in every language.

    The match may have been recorded in any language.
    """
    lexicon = rules.lexicon
    forms: dict[str, str] = {}
    for word, sign in signs.items():
        spoken = (language.forms.get(word, word) for language in lexicon.languages.values())
        forms |= dict.fromkeys(
            (word, lexicon.write_word(word), rules.translate(word), *spoken), sign
        )
    return forms


def _replace_words(text: str, short: Mapping[str, str], used: set[str]) -> str:
    """Replace whole words with their short forms, and record the short forms in `used`."""
    if not text or not short:
        return text

    def sign(match: re.Match[str]) -> str:
        used.add(short[match[0]])
        return short[match[0]]

    longest = sorted(short, key=len, reverse=True)
    return re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", sign, text)


def _unique_beginnings(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each long name with the shortest beginning that is unique among the names."""
    for name in names:
        others = [other.casefold() for other in names if other != name]
        for length in range(MIN_BEGINNING, len(name) - MIN_SAVING if len(name) > LONG_NAME else 0):
            begins = name[:length]
            if not _is_letter_end(name, length):
                continue
            if not any(other.startswith(begins.casefold()) for other in others):
                yield name, begins + DOT
                break


def _is_letter_end(name: str, at: int) -> bool:
    """Return whether a letter and its combining marks end before this index."""
    from unicodedata import category

    joined = category(name[at])[0] in "MC" or category(name[at - 1]) == "Cf"
    return name[at - 1].isalnum() and not joined
