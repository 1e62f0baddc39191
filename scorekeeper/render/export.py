"""Matches as JSON and CSV.

JSON: `{"format": 1, "matches": [...]}`, one match or many alike. A match has

    match ruleset title ruleset_sha256 players started place over scores places rounds

and where they were given, `match_title note`. `scores` are the tallies by name, `places` by name
(empty while there are none). A round has

    round over void dealer leader sat_out roles sides scores tally lines facts notes fouls
    penalties entries

and where the rules have remedies, `faults`: what was wrong, who claimed it, what was decided.

`scores` are the changes by name, or null without a score; `tally` by name after the round;
`lines` as `code for points cite label`; `facts` what the phases report for the sheet; and of each
entry, in `entries`,

    entry number who word decision findings

the canonical text (as typed from one on that could not be read), its number in the round from 1,
the actor or null, the program's word or null, `stands`, `withdrawn` or "", and the findings as in
rulings.

CSV: a heading, then a row for each entry (ENTRY_COLUMNS) or for each round and player
(SCORE_COLUMNS). A cell that a spreadsheet might take for a formula begins with an apostrophe.

Each is written as it is made, a match after the other: what comes is pieces of the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.suggest import json_text
from scorekeeper.core.tuples import NamedTuple
from scorekeeper.notation import Notation
from scorekeeper.play.summary import decision_of
from scorekeeper.render.statistics import is_decided, places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.plain import Json, Row, Summary
    from scorekeeper.play.reviewed import Reviewed, Told

FORMAT = 1

ENTRY_COLUMNS: Mapping[str, str] = {
    "match": "how the match is called",
    "ruleset": "the ruleset's name",
    "started": "when the match began",
    "place": "where it was played",
    "round": "the number of the round, from 1",
    "number": "the number of the entry in its round, from 1",
    "entry": "the entry's canonical text",
    "who": "who acted; empty for what the table says",
    "word": "the program's word for what happened; empty for an entry that could not be read",
    "decision": "the table's decision on an illegal entry: stands, withdrawn, or empty",
    "verdict": "legal, illegal or open, by all that is known now; empty after an unreadable one",
    "codes": "the codes of its findings, with blanks between",
}
SCORE_COLUMNS: Mapping[str, str] = {
    "match": "how the match is called",
    "ruleset": "the ruleset's name",
    "started": "when the match began",
    "place": "where it was played",
    "round": "the number of the round, from 1",
    "player": "the player's name",
    "seat": "their seat, from 1 in the order of the names",
    "dealer": "1 if they dealt, else 0; empty where nobody deals",
    "leader": "1 if they started, else 0",
    "sat_out": "1 if they sat out, else 0",
    "roles": "what they were in the round, with blanks between",
    "change": "the round's score for them; empty for a round without one",
    "tally": "what stands on the sheet for them after the round; empty while it goes on",
    "void": "1 if the round counts for nothing, else 0",
}

FORMULA = frozenset("=+-@\t\r＝＋－＠")


class Exported(NamedTuple):
    """A match and what is known of it besides: how it is called, when and where it was played, its
    title and a note."""

    match: Reviewed
    name: str = ""
    started: str = ""
    place: str = ""
    title: str = ""
    note: str = ""


# --- JSON


def as_json(matches: Iterable[Exported]) -> Iterator[str]:
    """The matches as a JSON text (see above), ending in a line break."""
    yield f'{{\n  "format": {FORMAT},\n  "matches": ['
    comma = ""
    for each in matches:
        text = json_text(match_data(each)).replace("\n", "\n    ")
        yield f"{comma}\n    {text}"
        comma = ","
    yield "\n  ]\n}\n" if comma else "]\n}\n"


def match_data(exported: Exported) -> Json:
    """One match as plain JSON values."""
    match = exported.match
    reviewed = list(match.review())
    summaries = [told.summary for told in reviewed]
    notation = Notation(match.ruleset.lexicon, match.players)
    return {
        "match": exported.name,
        "ruleset": match.ruleset.name,
        "title": match.ruleset.title,
        "ruleset_sha256": match.ruleset.sha256,
        "players": match.players,
        "started": exported.started,
        "place": exported.place,
        **({"match_title": exported.title} if exported.title else {}),
        **({"note": exported.note} if exported.note else {}),
        "over": match.over,
        "scores": match.scores,
        "places": places(match, summaries) if is_decided(match, summaries) else {},
        "rounds": [_round_data(told, notation) for told in reviewed],
    }


def _round_data(told: Told, notation: Notation) -> Json:
    kept = (
        *("round", "over", "void", "dealer", "leader", "sat_out", "roles", "sides"),
        *("tally", "lines", "facts", "notes", "fouls", "penalties"),
    )
    return {
        **{key: told.summary[key] for key in kept},
        **({"faults": told.summary["faults"]} if "faults" in told.summary else {}),
        "scores": told.summary["changes"],
        "entries": list(entries_of(told, notation)),
    }


def entries_of(told: Told, notation: Notation) -> Iterator[Json]:
    """A round's entries as plain JSON values: `number entry who word decision findings`."""
    summary = told.summary
    found: dict[int, list[Json]] = {}
    for number, finding in summary["found"]:
        found.setdefault(number, []).append(finding)
    for number, text in enumerate(told.entries, 1):
        row: Json = {"number": number, "entry": text, "who": None, "word": None, "decision": ""}
        if not 0 < summary["stuck"] <= number:
            entry = notation.read(text)
            if entry.seat is not None:
                row["who"] = notation.names[entry.seat] if entry.seat >= 0 else "all"
            row["word"] = entry.verb.word
            row["decision"] = "" if number in summary["ignored"] else decision_of(entry)
        yield row | {"findings": found.get(number, [])}


# --- CSV


def entries_csv(matches: Iterable[Exported]) -> Iterator[str]:
    """A row for each entry, under ENTRY_COLUMNS."""
    yield _csv([[*ENTRY_COLUMNS]])
    for exported in matches:
        match, head = exported.match, _head(exported)
        notation = Notation(match.ruleset.lexicon, match.players)
        for told in match.review():
            rows = entries_of(told, notation)
            yield _csv([*head, told.summary["round"], *_entry_cells(entry)] for entry in rows)


def scores_csv(matches: Iterable[Exported]) -> Iterator[str]:
    """A row for each round and player, under SCORE_COLUMNS."""
    yield _csv([[*SCORE_COLUMNS]])
    for exported in matches:
        head = _head(exported)
        for summary in exported.match.summaries():
            yield _csv(
                [*head, summary["round"], name, seat, *_score_cells(summary, name)]
                for seat, name in enumerate(summary["before"], 1)
            )


def _head(exported: Exported) -> list[object]:
    return [exported.name, exported.match.ruleset.name, exported.started, exported.place]


def _entry_cells(entry: Row) -> list[object]:
    verdicts = {finding["verdict"] for finding in entry["findings"]}
    judged = "legal" if entry["word"] else ""
    verdict = next((word for word in ("illegal", "open") if word in verdicts), judged)
    codes = " ".join(finding["code"] for finding in entry["findings"])
    return [
        *(entry[key] for key in ("number", "entry", "who", "word", "decision")),
        verdict,
        codes,
    ]


def _score_cells(summary: Summary, name: str) -> list[object]:
    roles = [role for role, who in summary["roles"].items() if name in who["players"]]
    return [
        None if summary["dealer"] is None else int(summary["dealer"] == name),
        int(summary["leader"] == name),
        int(name in summary["sat_out"]),
        " ".join(roles),
        (summary["changes"] or {}).get(name),
        (summary["tally"] or {}).get(name),
        int(summary["void"] is not None),
    ]


def _csv(rows: Iterable[Sequence[object]]) -> str:
    import csv
    from io import StringIO

    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([cell(value) for value in row] for row in rows)
    return text.getvalue()


def cell(value: object) -> str:
    """A value for a cell of a spreadsheet: one line, and never a formula. Numbers stay numbers."""
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        return str(value)
    text = " ".join(str(value).splitlines()).replace("\0", "")
    if (text[:1] in FORMULA or text.strip()[:1] in FORMULA) and not _is_number(text):
        return f"'{text}"
    return text


def _is_number(text: str) -> bool:
    digits = text[1:].replace(".", "", 1)
    return text[:1] in "+-" and digits.isascii() and digits.isdigit()
