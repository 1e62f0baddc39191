"""Export of matches as CSV and JSON. The functions yield text piece by piece.

CSV begins with a heading. `history/columns.py` describes the columns. Numbers and dates have their
usual formats, and an empty cell means no value. A cell that a spreadsheet might take for a formula
begins with an apostrophe. An apostrophe is also inserted after a semicolon or tab, because some
spreadsheets begin a new cell there.

JSON is `{"format": 1, "matches": [...]}` for any number of matches. In JSON lines, each line is one
match, and its first key is `format`. A match has the keys

    match ruleset title ruleset_sha256 players began_with started place over scores places rounds

`match` is the number in the book and `title` the ruleset's title. `players` lists everyone who ever
took part, and `began_with` the players at the start. `scores` maps names to tallies. `places` maps
names to places, and is empty until the places are decided. Like a record, a match may also have

    options ruleset_text day match_title note language identifier

A round has the keys

    round over void annulled due dealer leader sat_out roles sides scores tally lines facts notes
    fouls penalties entries

If the rules have remedies, a round also has `faults`, with their claims and decisions.

`due` is the player who was due to deal. `scores` maps names to the changes in the round, or is null
if the round has no score. `tally` maps names to the tallies after the round. Each of the `lines`
has the keys `code for points cite label`. `facts` are the facts that phases report for the sheet.
Each of the `entries` has the keys `number entry who word decision findings`. Entries are numbered
from 1 within the round. Findings have the same form as in rulings.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core.text import format_json, format_json_line
from scorekeeper.engine.loading import describe_rules
from scorekeeper.history.columns import TABLES, VERSION, entry_rows, match_rows, score_rows
from scorekeeper.history.results import match_result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scorekeeper.core.types import Json, Summary
    from scorekeeper.history.statistics import CatalogEntry
    from scorekeeper.match.summary import ListedEntry

    Rows = Callable[[CatalogEntry], Iterator[list[object]]]


ROW_FUNCTIONS: Mapping[str, Rows] = {
    "csv": entry_rows,
    "scores-csv": score_rows,
    "matches-csv": match_rows,
}
FORMULA_SIGNS = "=+@＝＋－＠-"
FORMULA_STARTS = frozenset(f"{FORMULA_SIGNS}\t\r")
# Matches each place inside a cell where a spreadsheet might begin a new cell that contains a
# formula. Spaces and quotation marks before the formula are ignored.
_HIDDEN_FORMULA = re.compile(rf'(?<=[;\t])(?=(?:[^\S\t]|")*[{FORMULA_SIGNS}])')
ROUND_KEYS = (
    *("round", "over", "void", "annulled", "due", "dealer", "leader", "sat_out", "roles", "sides"),
    *("tally", "lines", "facts", "notes", "fouls", "penalties"),
)


# --- CSV


def as_csv(table: str, matches: Iterable[CatalogEntry]) -> Iterator[str]:
    """Yield the heading, then the rows of each match."""
    from csv import writer
    from io import StringIO

    text = StringIO()
    write = writer(text, lineterminator="\n").writerow
    write(column.name for column in TABLES[table])
    yield text.getvalue()
    for each in matches:
        text.seek(0)
        text.truncate()
        for row in ROW_FUNCTIONS[table](each):
            write(map(format_cell, row))
        yield text.getvalue()


def format_cell(value: object) -> str:
    """Format a value for a spreadsheet cell as one line.

    A spreadsheet never reads the result as a formula or as several cells. Numbers are unchanged.

    >>> format_cell("=1+1")
    "'=1+1"
    >>> format_cell(-3)
    '-3'
    """
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        return str(value)
    text = str(value)
    if not text or (text[0].isalnum() and text.isprintable() and ";" not in text):
        return text  # the most common case, which needs no further checks
    text = _HIDDEN_FORMULA.sub("'", " ".join(text.splitlines()).replace("\0", ""))
    if (text[:1] in FORMULA_STARTS or text.strip()[:1] in FORMULA_STARTS) and not _is_number(text):
        return f"'{text}"
    return text


def _is_number(text: str) -> bool:
    """Return whether a string is a number with a plus or minus sign."""
    digits = text[1:].replace(".", "", 1)
    return text[:1] in "+-" and digits.isascii() and digits.isdigit()


# --- JSON


def as_json(matches: Iterable[CatalogEntry]) -> Iterator[str]:
    """Yield the matches as one JSON document (see above), which ends with a line break."""
    yield f'{{\n  "format": {VERSION},\n  "matches": ['
    comma = ""
    for each in matches:
        text = format_json(match_data(each)).replace("\n", "\n    ")
        yield f"{comma}\n    {text}"
        comma = ","
    yield "\n  ]\n}\n" if comma else "]\n}\n"


def as_json_lines(matches: Iterable[CatalogEntry]) -> Iterator[str]:
    """Yield the matches as JSON lines."""
    for each in matches:
        yield f"{format_json_line({'format': VERSION, **match_data(each)})}\n"


def match_data(listed: CatalogEntry) -> Json:
    """Return a match as JSON values."""
    match, ruleset = listed.match, listed.match.ruleset
    rounds = list(match.list_entries())
    summaries = [summary for summary, _ in rounds]
    details = {
        "day": listed.day,
        "match_title": listed.title,
        "note": listed.note,
        "language": listed.language,
        "identifier": listed.identifier,
    }
    return {
        "match": listed.name,
        "ruleset": ruleset.name,
        "title": ruleset.title,
        **describe_rules(ruleset, listed.options or {}),
        "players": match.players,
        "began_with": match.initial_players,
        "started": listed.started,
        "place": listed.place,
        **{key: text for key, text in details.items() if text},
        "over": match.over,
        "scores": match.scores,
        "places": match_result(match, summaries).places,
        "rounds": [_round_data(*each) for each in rounds],
    }


def _round_data(summary: Summary, entries: Iterable[ListedEntry]) -> Json:
    """Return a round as JSON values."""
    return {
        **{key: summary[key] for key in ROUND_KEYS},
        **({"faults": summary["faults"]} if "faults" in summary else {}),
        "scores": summary["changes"],
        "entries": list(_entries(summary, entries)),
    }


def _entries(summary: Summary, entries: Iterable[ListedEntry]) -> Iterator[Json]:
    """Yield the entries of a round as JSON values."""
    findings: dict[int, list[Json]] = {}
    for number, finding in summary["found"]:
        findings.setdefault(number, []).append(finding)
    for number, entry in enumerate(entries, 1):
        yield {
            "number": number,
            "entry": entry.text,
            "who": entry.who,
            "word": entry.word,
            "decision": entry.decision,
            "findings": findings.get(number, []),
        }
