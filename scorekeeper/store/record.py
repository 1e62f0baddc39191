"""Records: a match as a TOML file, read and written.

A record holds what stands, with the table's decisions. Reading takes every round as it is written
(`Match.play_round`); `verify` reports what was found in it.
"""

from __future__ import annotations

import re
from contextlib import nullcontext
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged, Failure, Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.core.versions import Versions
from scorekeeper.engine import loading
from scorekeeper.engine.seating import COMING
from scorekeeper.match.match import Match
from scorekeeper.store.rows import kept_day

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from scorekeeper.core.types import Json, Plain
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.view import MatchView, Written
    from scorekeeper.store.rows import Said


USUAL = 64 * 1024  # bytes
# What a record says about its match besides rules, players and rounds.
ABOUT = ("started", "day", "place", "title", "note", "language", "identifier")
KEYS = {
    "format": int,
    "ruleset": str,
    "players": list,
    "rounds": list,
    "started": str,
    "day": str,
    "place": str,
    "title": str,
    "note": str,
    "language": str,
    "identifier": str,
    "options": dict,
    "ruleset_sha256": str,
    "ruleset_text": str,
}
ROUND_KEYS = {"dealer": str, "entries": str, "scores": dict}
MUST_BE = {
    int: mark("{key} must be a number, found {found}"),
    str: mark("{key} must be text, found {found}"),
    list: mark("{key} must be a list, found {found}"),
    dict: mark("{key} must be a table, found {found}"),
}
OTHER_RULES = mark("the ruleset {ruleset} has changed since this was recorded: today's was applied")


class Source:
    """A record's text, taken apart and checked for its shape, its rules not yet looked at.

    `rounds` are the entries of each, and the line in the file, from 1, on which they begin;
    `dealers` who deals, where it says so; `claimed` the scores that each round claims, or None.
    """

    __slots__ = ("claimed", "data", "dealers", "path", "rounds")

    def __init__(
        self, path: str | Path, data: Json | None = None, file: BinaryIO | None = None
    ) -> None:
        """Read a record; `data` is what it says, where it was no file of its own, `file` the file,
        where that is open already."""
        self.path = str(path)
        text, blocks = "", None
        if data is None:
            text = _read(self.path, file)
            data, blocks = _taken(text) or (_parsed(text, self.path), None)
        self.data: Json = data
        self._check()
        if blocks is None:
            blocks = _block_lines(text)
        rounds = self.data.get("rounds", [])
        self.claimed = [row.get("scores") for row in rounds]
        self.dealers = [row.get("dealer") for row in rounds]
        if len(blocks) != sum("entries" in row for row in rounds):
            blocks = [1] * len(rounds)
        starts = iter(blocks)
        self.rounds = [
            (row["entries"], next(starts)) if "entries" in row else ("", 1) for row in rounds
        ]

    @property
    def about(self) -> Said:
        """What the record says about its match (see `About`)."""
        return {key: self.data[key] for key in ABOUT if key in self.data}  # type: ignore[return-value]

    @property
    def day(self) -> str:
        """The day on which its people began the match; empty where nobody knows."""
        return kept_day(self.data.get("started", ""), self.data.get("day", ""))

    def _damaged(self, what: str, hint: str = "") -> Damaged:
        return Damaged(f"{shown(self.path, 200)}: {what}", hint)

    def _check(self) -> None:
        try:
            check_shape(self.data)
        except Damaged as damaged:
            raise self._damaged(damaged.message, damaged.hint) from None

    def ruleset(self) -> Ruleset:
        """The rules it was played under: its own text if it brings one, else by name. Raises
        Damaged for rules that are not there or have mistakes."""
        name, text = self.data["ruleset"], self.data.get("ruleset_text")
        try:
            if text is not None:
                return loading.checked_text(text, self.data.get("ruleset_sha256", ""))
            if "/" in name or "\\" in name or name.endswith(".toml"):
                raise Unreadable(tr("a record names its ruleset, it gives no path"))
            return loading.load_ruleset(name, **self.data.get("options", {}))
        except Failure as failure:
            raise self._damaged(failure.message, failure.hint) from None

    def match(self) -> Match:
        """An empty match between its players under its rules."""
        try:
            match = Match(self.ruleset(), self.data["players"], kept=True)
            match.ruleset.lexicon.spoken(self.data.get("language", ""))
            return match
        except Damaged:
            raise
        except Failure as failure:
            raise self._damaged(failure.message, failure.hint) from None

    def played(self) -> Match:
        """The match with all its rounds, as they are written."""
        match = self.match()
        for index in range(len(self.rounds)):
            match.play_round([text for _, text in self.texts(match, index)])
        return match

    def texts(self, match: Match, index: int) -> list[tuple[int, str]]:
        """The entries of a round with their lines; a dealer whom nobody expected is one of them."""
        found: list[tuple[int, str]] = []
        entries, first = self.rounds[index]
        split, alone = match.notation.split, match.notation.alone
        for line, text in enumerate(entries.split("\n"), first):
            if text in alone:
                found.append((line, text))
                continue
            try:
                for entry in split(text):
                    found.append((line, entry))
            except Unreadable:
                if text.strip():
                    found.append((line, text))
        dealer = self.dealers[index]
        if dealer is not None and dealer != match.seated[match.standing["dealer"]]:
            at = _after_comers(match, found)
            found.insert(at, (_first_line(entries, first), f"dealer {dealer}"))
        return found


def other_rules(data: Json, ruleset: Ruleset) -> str:
    """The SHA-256 of the rules by which a record was made, where those that its name leads to today
    are others; else empty. A record that brings their text is read by them."""
    sha: str = data.get("ruleset_sha256", "")
    return "" if sha == ruleset.sha256 or "ruleset_text" in data else sha


def _read(path: str, opened: BinaryIO | None) -> str:
    try:
        with nullcontext(opened) if opened else open(path, "rb") as file:
            raw = file.read(USUAL)  # room for the largest costs more than all the rest
            if len(raw) == USUAL:
                raw += file.read(untrusted.RECORD_BYTES + 1 - USUAL)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Damaged(
            tr("{path} cannot be read: {reason}", path=shown(path, 200), reason=reason)
        ) from None
    if len(raw) > untrusted.RECORD_BYTES:
        raise Damaged(
            tr(
                "{path} is larger than {size} MiB",
                path=shown(path, 200),
                size=untrusted.RECORD_BYTES // 2**20,
            )
        )
    try:
        return raw.decode().removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise Damaged(
            tr("{path}: line {line} is not UTF-8", path=shown(path, 200), line=line)
        ) from None


def _taken(text: str) -> tuple[Json, list[int]] | None:
    """What a record says, and where the entries of its rounds begin, if all its rounds are laid
    out as usual and nothing is wrong with the rest."""
    found = laid_out(text)
    if found is None:
        return None
    data = head_table(found.head)
    if data is None:
        try:
            data = _table(found.head)
        except ValueError:
            return None
    if "rounds" in data:
        return None
    data["rounds"] = found.rounds
    return data, found.lines


def _table(text: str) -> Json:
    return untrusted.parse(text, untrusted.RECORD_LINES, untrusted.RECORD_LINE)


def _parsed(text: str, path: str) -> Json:
    try:
        return _table(text)
    except untrusted.Broken as broken:
        hint = tr("it may have been cut off in the middle") if broken.unread else ""
        at = {"path": shown(path, 200), "line": broken.line}
        place = tr("{path}, line {line}", **at) if broken.line else at["path"]
        raise Damaged(f"{place}: {broken.message}", hint) from None


def _block_lines(text: str) -> list[int]:
    """The line, from 1, on which the text of each `entries` begins."""
    starts: list[int] = []
    closing = ""
    for number, line in enumerate(text.split("\n"), 1):
        if closing:
            if closing in line:
                closing = ""
            continue
        key, equals, value = line.partition("=")
        value = value.strip()
        quote = value[:3] if value[:3] in ('"""', "'''") else ""
        if quote and quote not in value[3:]:
            closing = quote
        if equals and key.strip() == "entries":
            starts.append(number + 1 if value == quote and quote else number)
    return starts


def _after_comers(match: Match, texts: Sequence[tuple[int, str]]) -> int:
    """How many of a round's first entries say who comes or goes: who deals is said after them."""
    for at, (_, text) in enumerate(texts):
        try:
            if match.notation.read(text).word not in COMING:
                return at
        except Unreadable:
            return at
    return len(texts)


def _first_line(text: str, first: int) -> int:
    """The line on which the first entry stands."""
    blank = len(text) - len(text.lstrip())
    return first + text.count("\n", 0, blank) if blank < len(text) else 1


# --- reading and writing


def read_record(path: str | Path) -> Match:
    """The match that a record holds. Raises Damaged for a file that is no record; entries that
    are against the rules or cannot be read are in `match.rounds[i].findings`, pairs of an entry's
    number (from 1) and a finding.

    >>> from scorekeeper import Match, load_ruleset, read_record, write_record
    >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    >>> ruling = match.record("2x3")
    >>> write_record(match, "evening.toml")
    >>> read_record("evening.toml").rounds[0].entries
    ['Ana: 2x3']
    """
    return Source(path).played()


def write_record(
    match: Match,
    path: str | Path,
    *,
    started: str = "",
    place: str | None = None,
    title: str = "",
    note: str = "",
    language: str = "",
    identifier: str = "",
    day: str = "",
    options: Mapping[str, Plain] | None = None,
) -> None:
    """Write what stands of a match. Raises Damaged when the file cannot be written; then nothing
    is half-written. `started` is a day or a moment as ISO 8601 has it, `language` the one in which
    the match is typed, `identifier` what tells it from all others where its beginning does not,
    `options` what was set of its ruleset.

    >>> from scorekeeper import Match, load_ruleset, write_record
    >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    >>> write_record(match, "evening.toml", started="2026-11-21", place="at home")
    >>> open("evening.toml").read().splitlines()[:2]
    ['format = 3', 'ruleset = "dudo"']
    """
    text = record_text(
        match, started=started, place=place, title=title, note=note, language=language,
        identifier=identifier, day=day, options=options,
    )  # fmt: skip
    from scorekeeper.store.files import write_text

    write_text([text], str(path))


def record_text(
    match: MatchView,
    *,
    started: str = "",
    place: str | None = None,
    title: str = "",
    note: str = "",
    language: str = "",
    identifier: str = "",
    day: str = "",
    options: Mapping[str, Plain] | None = None,
) -> str:
    """A match as the text of a record; the same match gives the same text."""
    from tomli_w import dumps

    ruleset = match.ruleset
    day = kept_day(started, day)
    about = zip(ABOUT, (started, day, place, title, note, language, identifier), strict=True)
    told = {key: value for key, value in about if value}
    rounds = list(match.written())
    data: Json = {"format": FORMATS.current, "ruleset": ruleset.name, "players": match.began_with}
    data |= told
    data["ruleset_sha256"] = ruleset.sha256
    data |= loading.rules_told(ruleset, options or {})
    if rounds:
        data["rounds"] = [_row(match, row) for row in rounds]
    return dumps(data, multiline_strings=True)


def _row(match: MatchView, written: Written) -> Json:
    row: Json = {}
    entries = list(written.entries)
    if entries and entries[0].startswith("dealer "):
        name = entries[0].removeprefix("dealer ")
        comers = tuple(f"{match.ruleset.lexicon.form(word)} " for word in COMING)
        moves = len(entries) > 1 and entries[1].startswith(comers)  # read, it would stand after
        if name in match.players and name != written.dealer and not moves:
            row["dealer"] = name
            entries.pop(0)
    row["entries"] = "".join(f"{text}\n" for text in entries)
    if written.scores is not None:
        row["scores"] = written.scores
    return row


# --- the shape of a record: its keys, what each holds, and how much


def _second(data: Json) -> Json:
    """The second format only has more keys than the first."""
    return {**data, "format": 2}


def _third(data: Json) -> Json:
    """The third format has the day besides; where none is said, it is what `started` says."""
    return {**data, "format": 3}


# The formats of a record.
FORMATS: Versions[Json] = Versions(3, {1: _second, 2: _third})


def check_shape(data: Json) -> None:
    """Raises Damaged for the first thing that no record can say. A day is made a text of it."""
    from datetime import date

    for key in ("started", "day"):
        if isinstance(data.get(key), date):  # written as TOML writes a date
            data[key] = data[key].isoformat()
    for key, value in data.items():
        if key not in KEYS:
            say = mark("{key} is no key of a record; keys are {keys}")
            raise Damaged(tr(say, key=shown(key), keys=", ".join(KEYS)))
        if not isinstance(value, KEYS[key]) or isinstance(value, bool):
            raise Damaged(tr(MUST_BE[KEYS[key]], key=key, found=shown(value)))
        if isinstance(value, str) and key != "ruleset_text" and len(value) > untrusted.TEXT:
            say = mark("{key} is longer than {most} characters")
            raise Damaged(tr(say, key=key, most=untrusted.TEXT))
    for key in ("format", "ruleset", "players"):
        if key not in data:
            raise Damaged(tr("{key} is missing, so this is no record", key=key))
    data.update(FORMATS.upgrade(tr("this record"), data, data["format"]))
    if not all(isinstance(name, str) for name in data["players"]):
        raise Damaged(tr("players must be a list of names"))
    rounds = data.get("rounds", [])
    for say, found, most in (
        (mark("it has {found} players; at most {most} can be read"), data["players"],
         untrusted.PLAYERS),
        (mark("it has {found} rounds; at most {most} can be read"), rounds, untrusted.ROUNDS),
    ):  # fmt: skip
        if len(found) > most:
            raise Damaged(tr(say, found=len(found), most=most))
    for number, row in enumerate(rounds, 1):
        _check_round(number, row)


def _check_round(number: int, row: Plain) -> None:
    if not isinstance(row, dict):
        raise Damaged(tr("round {round} must be a table", round=number))
    for key, value in row.items():
        if key not in ROUND_KEYS:
            say = mark("round {round}: {key} is no key; keys are {keys}")
            raise Damaged(tr(say, round=number, key=shown(key), keys=", ".join(ROUND_KEYS)))
        if not isinstance(value, ROUND_KEYS[key]):
            wrong = tr(MUST_BE[ROUND_KEYS[key]], key=key, found=shown(value))
            raise Damaged(tr("round {round}: {wrong}", round=number, wrong=wrong))
    for name, points in row.get("scores", {}).items():
        if type(points) is not int:
            say = mark("round {round}: the score of {who} is no number")
            raise Damaged(tr(say, round=number, who=shown(name)))


# --- records that are laid out as the program lays them out, read by patterns
#
# A parser of TOML looks at each character of an evening, and that takes as long as judging it. Only
# what the parser would read alike is taken here; rounds or a head that are written otherwise are
# the parser's as a whole, and so is everything that is wrong with one.


# Texts without a quote and a backslash are what they look like.
_TEXT = r'[^"\\\x00-\x08\x0a-\x1f\x7f]{0,200}+'
_KEY = "[A-Za-z0-9_-]{1,200}+"
_NUMBER = "-?(?:0|[1-9][0-9]{0,17}+)"
_SCORE = rf'(?:{_KEY}|"{_TEXT}") = {_NUMBER}\n'
_ROUND = re.compile(
    r"\[\[rounds\]\]\n"
    rf'(?:dealer = "({_TEXT})"\n)?+'
    r'entries = """\n([^"\\\x00-\x08\x0b-\x1f\x7f]*+)"""\n'
    rf"(?:\n*+\[rounds\.scores\]\n((?:{_SCORE})*+))?+"
    r"\n*+"
)
_LINE = re.compile(rf'({_KEY}) = (?:"({_TEXT})"|({_NUMBER})|\[\n((?:    "{_TEXT}",\n)*+)\])\n++')


class LaidOut(NamedTuple):
    """A record's text before its rounds; the rounds as tables; the line on which the entries of
    each begin, from 1."""

    head: str
    rounds: list[Json]
    lines: list[int]


def laid_out(text: str) -> LaidOut | None:
    """The rounds of a record; None where one of them is written otherwise. The head may be
    anything, even half a text: whether it is TOML shows when it is parsed."""
    if text.count("\n") > untrusted.RECORD_LINES:
        return None
    start = text.find("\n[[rounds]]\n") + 1
    head = text[:start]
    line = 1 + head.count("\n")
    rounds: list[Json] = []
    lines: list[int] = []
    while 0 < start < len(text):
        found = _ROUND.match(text, start)
        if found is None:
            return None
        dealer, entries, scores = found.groups()
        row: Json = {"entries": entries}
        if dealer is not None:
            row["dealer"] = dealer
        if scores is not None:
            row["scores"] = _claimed(scores)
            if len(row["scores"]) < scores.count("\n"):  # a name stands twice
                return None
        rounds.append(row)
        lines.append(line + text.count("\n", start, found.start(2)))
        line += found[0].count("\n")
        start = found.end()
    return LaidOut(head, rounds, lines) if rounds else None


def head_table(text: str) -> Json | None:
    """The table that the head of a record is; None where it is written otherwise."""
    table: Json = {}
    start = lines = 0
    while start < len(text):
        found = _LINE.match(text, start)
        if found is None:
            return None
        key, said, number, several = found.groups()
        if several is not None:
            table[key] = [row[5:-2] for row in several.split("\n")[:-1]]
        else:
            table[key] = said if number is None else int(number)
        lines += 1
        start = found.end()
    return table if len(table) == lines else None  # no key stands twice


def _claimed(scores: str) -> dict[str, int]:
    rows = (line.rpartition(" = ") for line in scores.split("\n")[:-1])
    return {name.strip('"'): int(points) for name, _, points in rows}
