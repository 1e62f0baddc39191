"""The sheet of a match, built from its rounds, its ruleset's `[sheet]` and details of the evening.

The table has the ruleset's columns, a row for each round, rows of totals, and the ladders. Cells
are short, as on paper: signs of the ruleset replace words, and beginnings replace long names.
The legend explains both.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from scorekeeper.core.messages import mark, tr
from scorekeeper.core.rulings import REFUSE
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.replay import Played, why_unscored
from scorekeeper.history.results import counts, places, went_out
from scorekeeper.match.match import Match
from scorekeeper.match.remedies import DECIDED, account, became, deed, faults_of, latest, void_by
from scorekeeper.match.status import PROVEN, found_in, is_any_in
from scorekeeper.match.summary import (
    common,
    round_fact,
    seat_fact,
    shown,
    signed,
    strokes,
    summarize,
)
from scorekeeper.render.sheet_model import (
    APART,
    CARRIED,
    EMPTY,
    ROUND,
    Column,
    Grid,
    Sheet,
    deals_of,
    guide,
    parts,
    payments,
    running,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from decimal import Decimal

    from scorekeeper.core.types import Json, Summary
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.view import MatchView
    from scorekeeper.ruleset.reports import Cells, Ladder


BLANK_ROWS = 24
MOST_ON_A_PAGE = 36
MOST_BLANK_ROWS = 1000
TO_WRITE = "_" * 20
NAME_TO_WRITE, LADDER_NAME_TO_WRITE = 7, 10  # widths in letters
LONG = 8  # letters; cells show only the beginning of a longer name
LEAST = 3  # letters of a beginning
SAVED = 3  # letters that a beginning must save
DOT = "."


class About(NamedTuple):
    """The details of a match that a sheet shows above the table. Empty texts are left out."""

    match: str = ""  # how the match is named in its book
    started: str = ""  # the date as it is printed
    place: str = ""
    title: str = ""
    note: str = ""


NOTHING = About()


def sheet(match: MatchView, about: About = NOTHING, stake: Decimal | None = None) -> Sheet:
    """Build the sheet of a match as it is now. A stake, the worth of a point, adds the payments.

    Raises Impossible if there is a stake and the tally cannot be paid in money.
    """
    summaries = list(match.summaries())
    layout = Layout(match, summaries or [_coming(match)])
    totals = Totals(match, layout.sides, summaries)
    facts = _facts(
        (tr("Title"), about.title),
        (tr("Started"), about.started),
        (tr("Place"), about.place),
        (tr("Note"), about.note),
        (tr("Match"), about.match),
        (tr("Players"), ", ".join(match.players)),
        (tr("Tally"), match.ruleset.said(match.ruleset.tally["name"])),
        _outcome(match),
    )
    return Sheet(
        match.ruleset.said(match.ruleset.title),
        facts,
        layout.grids(list(layout.rows(summaries)), totals, summaries),
        _footnotes(summaries, _undecided(match, summaries), match.ruleset),
        layout.legend(),
        running=running(match, summaries),
        parts=parts(match, summaries),
        payments=None if stake is None else payments(match, stake),
    )


def blank_sheet(
    ruleset: Ruleset,
    players: Sequence[str] | int,
    about: About = NOTHING,
    rows: int | None = None,
) -> Sheet:
    """Build an empty sheet to be written on.

    `players` are names or a number of players. `rows` is from 1 to 1,000. Without it there are
    as many rows as the match has deals, or as fit on a page. Raises Unreadable and Impossible as
    a match of these players does.
    """
    named = not isinstance(players, int)
    names = [f"P{seat}" for seat in range(players)] if isinstance(players, int) else players
    match = Match(ruleset, names)
    layout = Layout(match, [_coming(match)], named)
    layout.noted = layout.to_note(_coming(match))
    wanted = rows or min(deals_of(ruleset) or BLANK_ROWS, MOST_ON_A_PAGE)
    numbers = range(1, min(wanted, MOST_BLANK_ROWS) + 1)
    grids = layout.grids([layout.blank_row(number) for number in numbers], None, [])
    facts = _facts(
        (tr("Date"), about.started or TO_WRITE),
        (tr("Place"), about.place or TO_WRITE),
        (tr("Players"), ", ".join(match.players) if named else ""),
        (tr("Tally"), ruleset.said(ruleset.tally["name"])),
    )
    return Sheet(
        ruleset.said(ruleset.title),
        facts,
        grids,
        legend=layout.legend([cells for cells, _ in layout.columns]),
        guide=guide(ruleset),
    )


def _coming(match: MatchView) -> Summary:
    """Return the summary of the match's first round before it begins, with the sides only."""
    rnd = Match(match.ruleset, match.began_with, kept=True).now
    return summarize(rnd, Played(rnd.number, rnd.seating.before, rnd.names), False)


# --- around the table


def _facts(*facts: tuple[str, str]) -> list[tuple[str, str]]:
    """Drop the facts without a text."""
    return [fact for fact in facts if fact[1]]


def _outcome(match: MatchView) -> tuple[str, str]:
    """Return the fact that names the result or the winners."""
    if match.over and not match.winners:
        return tr("Result"), match.outcome
    return tr("Won by"), ", ".join(match.winners)


def _undecided(match: MatchView, summaries: Sequence[Summary]) -> list[tuple[int, str]]:
    """Return the entries of each round that break a rule without any decision so far.

    Entries for which the rules have a remedy are left out, because the remedy mentions them.
    """
    if not any(map(is_any_in, summaries)):  # spares the review of all entries
        return []
    wrong = {
        (each.round, each.number): each.entry
        for cases in found_in(match.review(), match.ruleset)
        for each in cases
        if each.kind == PROVEN and each.fault is None and each.finding["severity"] == REFUSE
    }
    say = mark("{entry} ({number}) breaks a rule, and the table has not decided about it")
    return [
        (round_, tr(say, entry=entry, number=number))
        for (round_, number), entry in sorted(wrong.items())
    ]


def _footnotes(
    summaries: Sequence[Summary], undecided: Sequence[tuple[int, str]], rules: Ruleset
) -> list[str]:
    """Return the footnotes: the notes of each round, then open and late decisions."""
    called, word = rules.spoken, rules.sheet.word
    open_ = [fault for fault in latest(summaries).values() if not fault["ended"]]
    notes = [
        (summary["round"], text) for summary in summaries for text in _remarks(summary, called)
    ]
    notes += undecided
    for fault in latest(summaries).values():
        if fault["ended"] == DECIDED and fault["during"] != fault["round"]:
            say = (
                mark("declared void in round {round}: {deed}, {weight}")
                if fault.get("voids")
                else mark("score changed in round {round}: {deed}, {weight}")
            )
            weight = called(fault["weight"])
            text = tr(say, round=fault["during"], deed=deed(fault), weight=weight)
            notes.append((fault["round"], text))
    for fault in open_:
        now = tr("provisional: {deed}: {outcome}", deed=deed(fault), outcome=became(fault, called))
        notes.append((fault["round"], now))
    if not word:
        return [tr("Round {number}: {text}", number=number, text=text) for number, text in notes]
    return [
        tr("{round} {number}: {text}", round=word, number=number, text=text)
        for number, text in notes
    ]


def _remarks(summary: Summary, called: Callable[[str], str]) -> list[str]:
    """Return the notes of one round. A decision about a claim appears once."""
    notes = []
    decided = [fault for fault in faults_of(summary) if fault["ended"] == DECIDED]
    acts = {fault["text"] for fault in decided}
    if summary["void"] is not None and summary["void"] != void_by(decided):
        why = summary["void"]
        notes.append(tr("void") if why == "void" else tr("void: {reason}", reason=why))
    elif summary["annulled"] and summary["void"] is None:
        notes.append(tr("void"))
    notes += [account(fault, called) for fault in decided]
    notes += [tr("foul of {text}", text=text) for text in summary["fouls"]]
    notes += [tr("penalty of {text}", text=text) for text in summary["penalties"]]
    notes += [text for text in summary["decisions"] if text not in acts]
    notes += [text for text in summary["notes"] if text]
    if not summary["over"]:
        notes.append(tr("not finished"))
    elif summary["changes"] is None:
        waits = [name for fault in faults_of(summary) if fault["waits"] for name in fault["who"]]
        why = why_unscored(summary.get("mistaken", False), waits)
        notes.append(tr("without a score: {reason}", reason=why))
    return notes


# --- the table


class Row(NamedTuple):
    """A row of the table: a cell for each column, its kind (see `row_kinds`), and the tallies after
    it.

    The tallies are by name. They are empty while the row is to be written on.
    """

    cells: list[str]
    kind: str
    tally: Mapping[str, object]


class Layout:
    """The columns of one sheet with the player or side of each, "" for a column of the round.

    Without names, the sheet is blank and players write their names on it.
    """

    def __init__(self, match: MatchView, summaries: Sequence[Summary], named: bool = True) -> None:
        self.rules = match.ruleset
        self.said = match.ruleset.said
        self.players = match.players
        self.began_with = match.began_with
        self.named = named
        self.sides: dict[str, list[str]] = {}
        for summary in summaries:
            self.sides.update(summary["sides"])
        rows = self.rules.sheet.columns
        self.signs = Signs(self.rules, self.players)
        self.columns = [(cells, who) for cells in rows for who in self.whom(cells.per)]
        self.noted: frozenset[str] = frozenset()  # optional columns that a blank sheet shows

    def whom(self, per: str) -> list[str]:
        """Return the owners of the columns: the players, the sides, or "" for the round."""
        return {"player": self.players, "side": list(self.sides)}.get(per, [""])

    def _said(self, who: str) -> str:
        """Return a name, or "" on a blank sheet without names."""
        return who if self.named else ""

    def grids(
        self, rows: Sequence[Row], totals: Totals | None, summaries: Sequence[Summary]
    ) -> list[Grid]:
        """Build the main table, a small table for each row of totals without a column, and the
        ladders."""
        layout = self.rules.sheet
        shown = {cells.per for cells, _ in self.columns}
        under = [cells for cells in layout.totals if cells.per in shown]
        alone = [cells for cells in layout.totals if cells.per not in shown]
        return [
            self.grid(rows, under, totals),
            *(self.apart(cells, totals) for cells in alone if self.whom(cells.per)),
            *(self.ladder(ladder, summaries) for ladder in layout.ladders),
        ]

    # --- rows

    def rows(self, summaries: Sequence[Summary]) -> Iterator[Row]:
        """Build the rows of these rounds. An extra row shows tallies that were entered before a
        round."""
        start = self.rules.numbers.start(len(self.began_with))
        tallies: dict[str, object] = dict.fromkeys(self.began_with, start)
        for summary in summaries:
            before = summary["before"]
            if any(tallies.get(name, number) != number for name, number in before.items()):
                yield Row(self._standing(before), CARRIED, before)
            tallies = {**tallies, **before, **(summary["tally"] or {})}
            yield from self.rows_of(summary, tallies)

    def rows_of(self, summary: Summary, stood: Mapping[str, object]) -> Iterator[Row]:
        """Build the row of a round and a row for each decision about a fault in it."""
        faults = [fault for fault in faults_of(summary) if fault["lines"]]
        rest, *after = _apart(summary, faults)
        yield Row(self.row(rest), ROUND, {**stood, **(rest["tally"] or {})})
        for fault, standing in zip(faults, after, strict=True):
            row = self.row(standing)
            penalty = fault["lines"][0]["code"].rpartition(".")[2]
            earlier = "." in fault["at"]  # the fault was rated after its round
            label = f"{self.said(fault['weight'] if earlier else penalty)} ({fault['cited']})"
            for at, (column, _) in enumerate(self.columns):
                if not column.seated:
                    row[at], label = label, ""
            yield Row(row, APART, {**stood, **(standing["tally"] or {})})

    def row(self, summary: Summary) -> list[str]:
        """Return the cells of a round, with short forms."""
        texts = zip(self.columns, self._texts(summary), strict=True)
        return [
            text if cells.seated else self.signs.written(cells, text) for (cells, _), text in texts
        ]

    def _texts(self, summary: Summary) -> Iterator[str]:
        """Yield the cells of a round in full words."""
        for cells, who in self.columns:
            yield cells.text(self._told(summary, _of_round(summary, cells.per, who)))

    def _told(self, summary: Summary, read: Callable[[str], object]) -> Callable[[str], str]:
        """Wrap a reader of facts so that it returns text in the current language.

        Summaries hold the ruleset's own words.
        """

        def translated(value: object) -> object:
            if isinstance(value, str):
                return value if value in summary["before"] else self.said(value)
            if isinstance(value, (list, tuple)):
                return [translated(each) for each in value]
            if isinstance(value, dict):
                return {translated(key): translated(each) for key, each in value.items()}
            return tr("yes") if value is True else value

        def as_text(name: str) -> str:
            value = read(name)
            if name == "result" and isinstance(value, str):
                return self._result(value)
            return shown(translated(value) if name in summary["facts"] else value)

        return as_text

    def _result(self, text: str) -> str:
        """Translate the keys of a result to the current language."""
        pairs = [pair.partition(" ") for pair in text.split(", ")]
        return ", ".join(f"{self.rules.spoken(key)}{gap}{value}" for key, gap, value in pairs)

    def blank_row(self, number: int) -> Row:
        """Build the row of a round to be written on, with its number only."""
        read = _texts(lambda name: number if name == "round" else None)
        return Row([cells.text(read) for cells, _ in self.columns], EMPTY, {})

    def to_note(self, coming: Summary) -> frozenset[str]:
        """Return the names of optional columns that players will fill in.

        These are the columns with signs and those that have a text before the first round.
        """
        read = zip(self.columns, self._texts(coming), strict=True)
        return frozenset(
            cells.name for (cells, _), text in read if cells.optional and (cells.signs or text)
        )

    def _standing(self, tally: Mapping[str, object]) -> list[str]:
        """Return the cells that show these tallies."""
        return [
            cells.text(_texts(partial(_stands, tally, self._members(cells.per, who))))
            if cells.seated and cells.names & {"tally", "strokes"}
            else ""
            for cells, who in self.columns
        ]

    def _members(self, per: str, who: str) -> list[str]:
        """Return the players of a side, or the player."""
        return self.sides.get(who, []) if per == "side" else [who]

    # --- the table

    def grid(self, rows: Sequence[Row], under: Sequence[Cells], totals: Totals | None) -> Grid:
        """Build the main table without empty optional columns."""
        visible = [
            at
            for at, (cells, _) in enumerate(self.columns)
            if not cells.optional or cells.name in self.noted or any(row.cells[at] for row in rows)
        ]
        first = next((at for at in visible if not self.columns[at][0].seated), None)

        def cut(row: Sequence[str], label: str = "") -> list[str]:
            return [label if label and at == first else row[at] for at in visible]

        carried_over = tr("carried over")
        carried = [cut(self._standing(row.tally), carried_over) for row in rows if row.tally]
        return Grid(
            "",
            [self._heading(*self.columns[at]) for at in visible],
            [cut(row.cells, carried_over if row.kind == CARRIED else "") for row in rows],
            [cut(row, _label(cells, totals)) for cells, row in self._foot(under, totals)],
            [row.kind for row in rows],
            carried,
        )

    def _foot(
        self, under: Sequence[Cells], totals: Totals | None
    ) -> Iterator[tuple[Cells, list[str]]]:
        """Yield the rows of totals. Empty ones are left out unless the sheet is blank."""
        for cells in under:
            row = self.total(cells, totals)
            if totals is None or any(row):
                yield cells, row

    def _heading(self, cells: Cells, who: str) -> Column:
        """Build a column with its heading."""
        label = cells.label.replace("{name}", self._said(who)).strip()
        width = cells.width or (0 if self.named or not who else NAME_TO_WRITE)
        return Column(label, cells.align, width, who)

    def total(self, cells: Cells, totals: Totals | None) -> list[str]:
        """Return the cells of a row of totals, each in a column of its player or side."""
        fitting = [column.name for column, _ in self.columns if column.per == cells.per]
        under = cells.under or (fitting[0] if fitting else "")
        return [
            _of_match(cells, who, totals) if column.seated and column.name == under else ""
            for column, who in self.columns
        ]

    def apart(self, cells: Cells, totals: Totals | None) -> Grid:
        """Build a separate table for a row of totals."""
        per = tr("Side") if cells.per == "side" else tr("Player")
        columns = [Column(per, "left"), Column(_label(cells, totals), cells.align)]
        whom = self.whom(cells.per)
        rows = [[self._said(who), _of_match(cells, who, totals)] for who in whom]
        return Grid("", columns, rows, [])

    def ladder(self, ladder: Ladder, summaries: Sequence[Summary]) -> Grid:
        """Build a ladder with a row for each player or side and a column for each step.

        A cell has the number of the round that reached the step, 0 for the step at the start.
        """
        steps = [Column(str(step), "center") for step in ladder.steps]
        columns = [Column("", "left", 0 if self.named else LADDER_NAME_TO_WRITE), *steps]
        rows = []
        for who in self.whom(ladder.per):
            reached: dict[object, str] = {}
            if summaries and ladder.of == "tally":
                members = self._members(ladder.per, who)
                first = [summaries[0]["before"].get(member) for member in members]
                reached[common(lambda step: step, first)] = "0"
            for summary in summaries:
                step = seat_fact(summary, ladder.per, who, ladder.of)
                reached.setdefault(step, str(summary["round"]))
            cells = [reached.get(step, "") for step in ladder.steps]
            rows.append([self.signs.short(self._said(who)), *cells])
        return Grid(ladder.label, columns, rows, [])

    def legend(self, columns: Sequence[Cells] = ()) -> list[tuple[str, str]]:
        """Return the meanings of the signs on the sheet and of all signs of these columns.

        A line for each ladder explains how to read it.
        """
        word = self.rules.sheet.word or tr("Round")
        how = tr(
            "{column} in which each step was reached, 0: from the beginning",
            column=word,
        )
        ladders = self.rules.sheet.ladders
        return [*self.signs.legend(columns), *((ladder.label, how) for ladder in ladders)]


def _apart(summary: Summary, faults: Sequence[Json]) -> Iterator[Summary]:
    """Yield the round without decisions about these faults, then the effect of each decision."""
    points = [_points_of(fault) for fault in faults]
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


def _points_of(fault: Json) -> dict[str, int]:
    """Sum the points of a decision about a fault by player."""
    points: dict[str, int] = {}
    for line in fault["lines"]:
        for name in line["for"].split("+"):
            points[name] = points.get(name, 0) + line["points"]
    return points


def _label(cells: Cells, totals: Totals | None) -> str:
    """Return the label of a row of totals."""
    return cells.label if totals is None else totals.label(cells)


def _of_match(cells: Cells, who: str, totals: Totals | None) -> str:
    """Return a cell of a row of totals."""
    return "" if totals is None else cells.text(_texts(partial(totals.read, cells.per, who)))


def _texts(read: Callable[[str], object]) -> Callable[[str], str]:
    """Wrap a reader of facts so that it returns text."""
    return lambda name: shown(read(name))


def _of_round(summary: Summary, per: str, who: str) -> Callable[[str], object]:
    """Return a reader of the facts of a round for a player or side, or of the round itself."""
    return partial(seat_fact, summary, per, who) if who else partial(round_fact, summary)


def _stands(tally: Mapping[str, object], members: Sequence[str], name: str) -> object:
    """Return a fact that follows from the tallies alone, or None."""
    numbers = [tally.get(member) for member in members]
    if name == "strokes":
        return common(strokes, numbers)
    return common(lambda number: number, numbers) if name == "tally" else None


# --- the rows of totals


class Totals:
    """The facts of a whole match for the rows of totals."""

    def __init__(
        self, match: MatchView, sides: Mapping[str, list[str]], summaries: Sequence[Summary]
    ) -> None:
        self.sides = sides
        self.summaries = summaries
        self.final = match.over or match.ruleset.history.endless
        placed = match.over or any(summary["over"] for summary in summaries)
        self.stats = counts(match.ruleset, summaries)
        tally = match.scores
        scored = [summary["changes"] for summary in summaries if summary["changes"]]
        change = {name: sum(changes.get(name, 0) for changes in scored) for name in match.players}
        self.facts: dict[str, Json] = {
            "tally": tally,
            "strokes": {name: strokes(number) for name, number in tally.items()},
            "change": change,
            "signed": {name: signed(number) for name, number in change.items()},
            "place": places(match, summaries) if placed else {},
            "out": went_out(match, summaries),
        }

    def label(self, cells: Cells) -> str:
        """Return the label of a row, which says so if its places may still change."""
        if self.final or not self.facts["place"] or "place" not in cells.names:
            return cells.label
        return tr("{label} so far", label=cells.label)

    def read(self, per: str, who: str, name: str) -> object:
        """Return a fact about a player, or the fact that all players of a side share."""
        if name == "name":
            return who
        if name.startswith(f"{per}."):
            return self._latest(name, who)
        if name.startswith("stat."):
            return self.stats[name.removeprefix("stat.")].get(who, 0)
        members = self.sides.get(who, []) if per == "side" else [who]
        if name == "place":  # players who left have no place
            members = [member for member in members if member in self.facts[name]]
            if per == "side":
                return self._place(members)
        values = [self.facts[name].get(member) for member in members]
        return common(lambda value: value, values)

    def _place(self, members: Sequence[str]) -> object:
        """Return the place of a side among the sides at the table.

        If players of a side have different places, or play on several sides, return their common
        place, if any.
        """
        placed = self.facts["place"]
        there = [names for names in self.sides.values() if placed.keys() >= set(names)]
        every = [[placed[name] for name in names] for names in there]
        own = [placed[member] for member in members]
        if sum(map(len, every)) > len(placed) or any(len(set(each)) > 1 for each in every):
            return common(lambda value: value, own)
        return 1 + sum(each[0] < own[0] for each in every) if own else None

    def _latest(self, name: str, who: str) -> object:
        """Return the latest value of a fact that phases report."""
        for summary in reversed(self.summaries):
            value = (summary["facts"].get(name) or {}).get(who)
            if value is not None:
                return value
        return None


# --- what is written short


class Signs:
    """The short forms of one sheet, which records those in use."""

    __slots__ = ("_names", "_rules", "_used", "_words")

    def __init__(self, rules: Ruleset, names: Sequence[str]) -> None:
        self._rules = rules
        self._names = dict(_beginnings(names))
        self._used: set[str] = set()
        self._words = {cells.name: _forms(rules, cells.signs) for cells in rules.sheet.columns}

    def written(self, cells: Cells, text: str) -> str:
        """Shorten the words and names in a cell of a round's column."""
        return _replaced(self.short(text), self._words[cells.name], self._used)

    def short(self, text: str) -> str:
        """Shorten the names in a text."""
        return _replaced(text, self._names, self._used)

    def legend(self, columns: Sequence[Cells] = ()) -> list[tuple[str, str]]:
        """Return the meaning of each sign in use and of all signs of these columns."""
        lexicon = self._rules.lexicon
        meanings: dict[str, str] = {}
        known = {*lexicon.meanings.values(), *lexicon.forms}
        for cells in self._rules.sheet.columns:
            for word, sign in cells.signs.items():
                if sign in self._used or (cells in columns and word in known):
                    meanings.setdefault(sign, self._rules.said(word))
        meanings |= {short: name for name, short in self._names.items() if short in self._used}
        return list(meanings.items())


def _forms(rules: Ruleset, signs: Mapping[str, str]) -> dict[str, str]:
    """Return the sign for each form of these words. The match may be recorded in any language."""
    lexicon = rules.lexicon
    forms: dict[str, str] = {}
    for word, sign in signs.items():
        spoken = (language.forms.get(word, word) for language in lexicon.languages.values())
        forms |= dict.fromkeys((word, lexicon.form(word), rules.said(word), *spoken), sign)
    return forms


def _replaced(text: str, short: Mapping[str, str], used: set[str]) -> str:
    """Replace whole words, and record the replacements in `used`."""
    if not text or not short:
        return text

    def sign(match: re.Match[str]) -> str:
        used.add(short[match[0]])
        return short[match[0]]

    longest = sorted(short, key=len, reverse=True)
    return re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", sign, text)


def _beginnings(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each long name with its shortest beginning that no other name shares."""
    for name in names:
        others = [other.casefold() for other in names if other != name]
        for length in range(LEAST, len(name) - SAVED if len(name) > LONG else 0):
            begins = name[:length]
            if not _ends_there(name, length):
                continue
            if not any(other.startswith(begins.casefold()) for other in others):
                yield name, begins + DOT
                break


def _ends_there(name: str, at: int) -> bool:
    """Return whether a letter ends before that index, including its combining marks."""
    from unicodedata import category

    joined = category(name[at])[0] in "MC" or category(name[at - 1]) == "Cf"
    return name[at - 1].isalnum() and not joined
