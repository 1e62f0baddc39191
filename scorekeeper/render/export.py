"""Matches as CSV and JSON, each written as it is made: what comes is pieces of the text.

CSV: a heading, then rows (see history/columns.py for what the columns are). Numbers and days are as
every reader of such tables takes them, an empty cell is no value. A cell that a spreadsheet might
take for a formula begins with an apostrophe; so does what it might take for one behind a semicolon
or a tab, where it is told to begin a cell there.

JSON: `{"format": 1, "matches": [...]}`, one match or many alike. JSON lines: a match a line, which
begins with its `format`. A match has
    match ruleset title ruleset_sha256 players began_with started place over scores places rounds

`match` is its number in the book, `title` its ruleset's, `players` are all who ever sat there,
`began_with` those who did at the beginning; `scores` are the tallies by name, `places` by name
(empty while there are none). Where there is something to say it has, as a record does,
    options ruleset_text day match_title note language identifier

A round has
    round over void due dealer leader sat_out roles sides scores tally lines facts notes fouls
    penalties entries

and where the rules have remedies, `faults`: what was wrong, who claimed it, what was decided.

`due` was to deal; `scores` are the changes by name, or null without a score; `tally` by name
after the round; `lines` as `code for points cite label`; `facts` what the phases report for the
sheet; `entries` as `number entry who word decision findings`: the number in the round, from 1,
and what the match lists of it; the findings as in rulings.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core.text import json_line, json_text
from scorekeeper.engine.loading import rules_told
from scorekeeper.history.columns import TABLES, VERSION, entry_rows, match_rows, score_rows
from scorekeeper.history.results import came_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scorekeeper.core.types import Json, Summary
    from scorekeeper.history.statistics import Listed
    from scorekeeper.match.summary import Entered

    Rows = Callable[[Listed], Iterator[list[object]]]


ROWS: Mapping[str, Rows] = {
    "csv": entry_rows,
    "scores-csv": score_rows,
    "matches-csv": match_rows,
}
SIGNS = "=+@＝＋－＠-"
FORMULA = frozenset(f"{SIGNS}\t\r")
# Where a cell that is a formula would begin; a quotation mark is none of it.
_WITHIN = re.compile(rf'(?<=[;\t])(?=(?:[^\S\t]|")*[{SIGNS}])')
ROUND = (
    *("round", "over", "void", "annulled", "due", "dealer", "leader", "sat_out", "roles", "sides"),
    *("tally", "lines", "facts", "notes", "fouls", "penalties"),
)


# --- CSV


def as_csv(table: str, matches: Iterable[Listed]) -> Iterator[str]:
    """The matches as one of the TABLES: the heading, then the rows of a match, a line each."""
    from csv import writer
    from io import StringIO

    text = StringIO()
    write = writer(text, lineterminator="\n").writerow
    write(column.name for column in TABLES[table])
    yield text.getvalue()
    for each in matches:
        text.seek(0)
        text.truncate()
        for row in ROWS[table](each):
            write(map(cell, row))
        yield text.getvalue()


def cell(value: object) -> str:
    """A value for a cell of a spreadsheet: one line, and never a formula, nor several cells of
    which one is. Numbers stay numbers."""
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        return str(value)
    text = str(value)
    if not text or (text[0].isalnum() and text.isprintable() and ";" not in text):
        return text  # as most are
    text = _WITHIN.sub("'", " ".join(text.splitlines()).replace("\0", ""))
    if (text[:1] in FORMULA or text.strip()[:1] in FORMULA) and not _is_number(text):
        return f"'{text}"
    return text


def _is_number(text: str) -> bool:
    digits = text[1:].replace(".", "", 1)
    return text[:1] in "+-" and digits.isascii() and digits.isdigit()


# --- JSON


def as_json(matches: Iterable[Listed]) -> Iterator[str]:
    """The matches as a JSON text (see above), ending in a line break."""
    yield f'{{\n  "format": {VERSION},\n  "matches": ['
    comma = ""
    for each in matches:
        text = json_text(match_data(each)).replace("\n", "\n    ")
        yield f"{comma}\n    {text}"
        comma = ","
    yield "\n  ]\n}\n" if comma else "]\n}\n"


def as_lines(matches: Iterable[Listed]) -> Iterator[str]:
    """The matches as JSON lines."""
    for each in matches:
        yield f"{json_line({'format': VERSION, **match_data(each)})}\n"


def match_data(listed: Listed) -> Json:
    """One match as plain JSON values."""
    match, ruleset = listed.match, listed.match.ruleset
    rounds = list(match.entered())
    summaries = [summary for summary, _ in rounds]
    said = {
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
        "ruleset_sha256": ruleset.sha256,
        **rules_told(ruleset, listed.options or {}),
        "players": match.players,
        "began_with": match.began_with,
        "started": listed.started,
        "place": listed.place,
        **{key: text for key, text in said.items() if text},
        "over": match.over,
        "scores": match.scores,
        "places": came_to(match, summaries).places,
        "rounds": [_round_data(*each) for each in rounds],
    }


def _round_data(summary: Summary, entries: Iterable[Entered]) -> Json:
    return {
        **{key: summary[key] for key in ROUND},
        **({"faults": summary["faults"]} if "faults" in summary else {}),
        "scores": summary["changes"],
        "entries": list(_entries(summary, entries)),
    }


def _entries(summary: Summary, entries: Iterable[Entered]) -> Iterator[Json]:
    found: dict[int, list[Json]] = {}
    for number, finding in summary["found"]:
        found.setdefault(number, []).append(finding)
    for number, entry in enumerate(entries, 1):
        yield {
            "number": number,
            "entry": entry.text,
            "who": entry.who,
            "word": entry.word,
            "decision": entry.decision,
            "findings": found.get(number, []),
        }
