"""Records: TOML files that each contain one match.

A record contains the valid entries and the decisions of the table. Reading it plays every round as
written (`Match.play_round`). `verify` then reports the findings.
"""

from __future__ import annotations

import re
from contextlib import nullcontext
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged, Failure, Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.core.versions import Versions
from scorekeeper.engine import loading
from scorekeeper.engine.seating import ROSTER_VERBS
from scorekeeper.match.match import Match
from scorekeeper.ruleset.tables import current_option
from scorekeeper.store.rows import day_to_store

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from scorekeeper.core.types import Json, JsonValue
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.view import MatchView, WrittenRound
    from scorekeeper.store.rows import DetailOptions


USUAL_BYTES = 64 * 1024  # the size of a usual record in bytes
# The record keys for the details of a match.
DETAIL_KEYS = ("started", "day", "place", "title", "note", "language", "identifier")
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
TYPE_MESSAGES = {
    int: N_("{key} must be a number, not {found}"),
    str: N_("{key} must be text, not {found}"),
    list: N_("{key} must be a list, not {found}"),
    dict: N_("{key} must be a table, not {found}"),
}
RULES_CHANGED = N_(
    "the ruleset {ruleset} has changed since the match was recorded; today's rules were applied"
)


class RecordSource:
    """The content of a record. Its form has been checked, but its rules have not been loaded.

    `rounds` contains the text of each round's entries, and the line of the file (from 1) on which
    that text begins. For each round, `dealers` contains the dealer and `claimed_scores` the scores
    that the record states, or None if it states none.
    """

    __slots__ = ("claimed_scores", "data", "dealers", "path", "rounds")

    def __init__(
        self, path: str | Path, data: Json | None = None, file: BinaryIO | None = None
    ) -> None:
        """Read a record. Pass `data` if the content does not come from a file, or `file` if the
        file is already open."""
        self.path = str(path)
        text, blocks = "", None
        if data is None:
            text = _read_text(self.path, file)
            data, blocks = _parse_canonical(text) or (_parse_or_fail(text, self.path), None)
        self.data: Json = data
        self._check()
        if blocks is None:
            blocks = _block_lines(text)
        rounds = self.data.get("rounds", [])
        self.claimed_scores = [row.get("scores") for row in rounds]
        self.dealers = [row.get("dealer") for row in rounds]
        if len(blocks) != sum("entries" in row for row in rounds):
            blocks = [1] * len(rounds)
        starts = iter(blocks)
        self.rounds = [
            (row["entries"], next(starts)) if "entries" in row else ("", 1) for row in rounds
        ]

    @property
    def details(self) -> DetailOptions:
        """The details of the match."""
        return {key: self.data[key] for key in DETAIL_KEYS if key in self.data}  # type: ignore[return-value]

    @property
    def day(self) -> str:
        """The day on which the players began the match, or "" if it is unknown."""
        return day_to_store(self.data.get("started", ""), self.data.get("day", ""))

    def _damaged(self, what: str, hint: str = "") -> Damaged:
        return Damaged(f"{quote(self.path, 200)}: {what}", hint)

    def _check(self) -> None:
        try:
            check_shape(self.data)
        except Damaged as damaged:
            raise self._damaged(damaged.message, damaged.hint) from None

    def ruleset(self) -> Ruleset:
        """Return the rules of the match, from the text in the record or from the ruleset that it
        names.

        Raises Damaged if the ruleset is missing or invalid.
        """
        name, text = self.data["ruleset"], self.data.get("ruleset_text")
        try:
            if text is not None:
                return loading.check_text(text, self.data.get("ruleset_sha256", ""))
            if "/" in name or "\\" in name or name.endswith(".toml"):
                raise Unreadable(tr("a record must name its ruleset, not a path"))
            options = self.data.get("options", {})
            current = {current_option(key): value for key, value in options.items()}
            return loading.load_ruleset(name, **current)
        except Failure as failure:
            raise self._damaged(failure.message, failure.hint) from None

    def match(self) -> Match:
        """Return a match between the record's players under its rules, without entries."""
        try:
            match = Match(self.ruleset(), self.data["players"], from_storage=True)
            match.ruleset.lexicon.find_language(self.data.get("language", ""))
            return match
        except Damaged:
            raise
        except Failure as failure:
            raise self._damaged(failure.message, failure.hint) from None

    def play(self) -> Match:
        """Return the match after playing all its rounds as written."""
        match = self.match()
        for index in range(len(self.rounds)):
            match.play_round([text for _, text in self.texts(match, index)])
        return match

    def texts(self, match: Match, index: int) -> list[tuple[int, str]]:
        """Return the entries of a round, each with its line.

        If the record states a dealer who is not next to deal, an entry that names the dealer is
        added.
        """
        entries_found: list[tuple[int, str]] = []
        entries, first = self.rounds[index]
        split, alone = match.notation.split_line, match.notation.single_lines
        for line, text in enumerate(entries.split("\n"), first):
            if text in alone:
                entries_found.append((line, text))
                continue
            try:
                for entry in split(text):
                    entries_found.append((line, entry))
            except Unreadable:
                if text.strip():
                    entries_found.append((line, text))
        dealer = self.dealers[index]
        if dealer is not None and dealer != match.seated_players[match.standing["dealer"]]:
            at = _count_roster_entries(match, entries_found)
            entries_found.insert(at, (_first_line(entries, first), f"dealer {dealer}"))
        return entries_found


def changed_rules_sha(data: Json, ruleset: Ruleset) -> str:
    """Return the SHA-256 that a record states for its rules, or "" if the rules have not changed
    since.

    A record that contains the text of its rules is always read with that text.
    """
    sha: str = data.get("ruleset_sha256", "")
    known = ("", ruleset.sha256, ruleset.text_sha256)
    return "" if sha in known or "ruleset_text" in data else sha


def _read_text(path: str, opened: BinaryIO | None) -> str:
    try:
        with nullcontext(opened) if opened else open(path, "rb") as file:
            # reading up to the maximum size at once would allocate a large buffer, which is slow
            raw = file.read(USUAL_BYTES)
            if len(raw) == USUAL_BYTES:
                raw += file.read(untrusted.MAX_RECORD_BYTES + 1 - USUAL_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Damaged(
            tr("{path} cannot be read: {reason}", path=quote(path, 200), reason=reason)
        ) from None
    if len(raw) > untrusted.MAX_RECORD_BYTES:
        raise Damaged(
            tr(
                "{path} is larger than {size} MiB",
                path=quote(path, 200),
                size=untrusted.MAX_RECORD_BYTES // 2**20,
            )
        )
    try:
        return raw.decode().removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise Damaged(
            tr("{path}: line {line} is not UTF-8", path=quote(path, 200), line=line)
        ) from None


def _parse_canonical(text: str) -> tuple[Json, list[int]] | None:
    """Return the content of a record, and the lines on which the entries of its rounds begin.

    Return None if a round does not have the usual layout, or if the record has any fault.
    """
    canonical = parse_canonical_rounds(text)
    if canonical is None:
        return None
    data = parse_canonical_head(canonical.head)
    if data is None:
        try:
            data = _parse_toml(canonical.head)
        except ValueError:
            return None
    if "rounds" in data:
        return None
    data["rounds"] = canonical.rounds
    return data, canonical.lines


def _parse_toml(text: str) -> Json:
    return untrusted.parse(text, untrusted.MAX_RECORD_LINES, untrusted.MAX_RECORD_LINE)


def _parse_or_fail(text: str, path: str) -> Json:
    try:
        return _parse_toml(text)
    except untrusted.BrokenToml as broken:
        hint = tr("the file may have been cut off in the middle") if broken.is_syntax_error else ""
        at = {"path": quote(path, 200), "line": broken.line}
        place = tr("{path}, line {line}", **at) if broken.line else at["path"]
        raise Damaged(f"{place}: {broken.message}", hint) from None


def _block_lines(text: str) -> list[int]:
    """Return the lines, from 1, on which the text of each `entries` key begins."""
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


def _count_roster_entries(match: Match, texts: Sequence[tuple[int, str]]) -> int:
    """Return how many entries at the beginning of a round add or remove players.

    An entry that names the dealer belongs after these entries.
    """
    for at, (_, text) in enumerate(texts):
        try:
            if match.notation.read(text).word not in ROSTER_VERBS:
                return at
        except Unreadable:
            return at
    return len(texts)


def _first_line(text: str, first: int) -> int:
    """Return the line of the first entry."""
    blank = len(text) - len(text.lstrip())
    return first + text.count("\n", 0, blank) if blank < len(text) else 1


# --- reading and writing


def read_record(path: str | Path) -> Match:
    """Return the match in a record. Raises Damaged if the file is not a record.

    Illegal and unreadable entries have findings in `match.rounds[i].findings`, as pairs of an entry
    number (from 1) and a finding.

    >>> from scorekeeper import Match, load_ruleset, read_record, write_record
    >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    >>> ruling = match.record("2x3")
    >>> write_record(match, "evening.toml")
    >>> read_record("evening.toml").rounds[0].entries
    ['Ana: 2x3']
    """
    return RecordSource(path).play()


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
    options: Mapping[str, JsonValue] | None = None,
) -> None:
    """Write the valid entries of a match to a file, completely or not at all.

    `started` is a day or a moment in ISO 8601. `language` is the language in which the entries are
    typed. `identifier` distinguishes matches that began at the same time. `options` are the ruleset
    options. Raises Damaged if the file cannot be written.

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
    options: Mapping[str, JsonValue] | None = None,
) -> str:
    """Return a match as the text of a record. The same match always produces the same text."""
    from tomli_w import dumps

    ruleset = match.ruleset
    day = day_to_store(started, day)
    about = zip(DETAIL_KEYS, (started, day, place, title, note, language, identifier), strict=True)
    details = {key: value for key, value in about if value}
    rounds = list(match.written_rounds())
    data: Json = {
        "format": RECORD_VERSIONS.current,
        "ruleset": ruleset.name,
        "players": match.initial_players,
    }
    data |= details
    data |= loading.describe_rules(ruleset, options or {})
    if rounds:
        data["rounds"] = [_round_table(match, row) for row in rounds]
    return dumps(data, multiline_strings=True)


def _round_table(match: MatchView, record_round: WrittenRound) -> Json:
    row: Json = {}
    entries = list(record_round.entries)
    if entries and entries[0].startswith("dealer "):
        name = entries[0].removeprefix("dealer ")
        comers = tuple(f"{match.ruleset.lexicon.write_word(word)} " for word in ROSTER_VERBS)
        # a dealer read from its own key is placed after the entries for joining and leaving players
        moves = len(entries) > 1 and entries[1].startswith(comers)
        if name in match.players and name != record_round.dealer and not moves:
            row["dealer"] = name
            entries.pop(0)
    row["entries"] = "".join(f"{text}\n" for text in entries)
    if record_round.scores is not None:
        row["scores"] = record_round.scores
    return row


# --- the form of a record: keys, types and limits


def _to_format_2(data: Json) -> Json:
    """Upgrade a record from format 1 to 2, which only adds keys."""
    return {**data, "format": 2}


def _to_format_3(data: Json) -> Json:
    """Upgrade a record from format 2 to 3, which adds the day. A missing day is taken from
    `started`."""
    return {**data, "format": 3}


# The current format of records, and the upgrades from earlier formats.
RECORD_VERSIONS: Versions[Json] = Versions(3, {1: _to_format_2, 2: _to_format_3})


def check_shape(data: Json) -> None:
    """Raise Damaged for the first fault in the form of a record. Dates in TOML are converted to
    text."""
    from datetime import date

    for key in ("started", "day"):
        # TOML has dates of its own, which need no quotation marks
        if isinstance(data.get(key), date):
            data[key] = data[key].isoformat()
    for key, value in data.items():
        if key not in KEYS:
            message = N_("{key} is not a key of a record; the keys are {keys}")
            raise Damaged(tr(message, key=quote(key), keys=", ".join(KEYS)))
        if not isinstance(value, KEYS[key]) or isinstance(value, bool):
            raise Damaged(tr(TYPE_MESSAGES[KEYS[key]], key=key, found=quote(value)))
        if isinstance(value, str) and key != "ruleset_text" and len(value) > untrusted.MAX_TEXT:
            message = N_("{key} is longer than {most} characters")
            raise Damaged(tr(message, key=key, most=untrusted.MAX_TEXT))
    for key in ("format", "ruleset", "players"):
        if key not in data:
            raise Damaged(tr("{key} is missing, so this is not a record", key=key))
    data.update(RECORD_VERSIONS.upgrade(tr("this record"), data, data["format"]))
    if not all(isinstance(name, str) for name in data["players"]):
        raise Damaged(tr("players must be a list of names"))
    rounds = data.get("rounds", [])
    for message, found, most in (
        (N_("the record has {found} players, but at most {most} are allowed"), data["players"],
         untrusted.MAX_PLAYERS),
        (N_("the record has {found} rounds, but at most {most} are allowed"), rounds,
         untrusted.MAX_ROUNDS),
    ):  # fmt: skip
        if len(found) > most:
            raise Damaged(tr(message, found=len(found), most=most))
    for number, row in enumerate(rounds, 1):
        _check_round(number, row)


def _check_round(number: int, row: JsonValue) -> None:
    if not isinstance(row, dict):
        raise Damaged(tr("round {round} must be a table", round=number))
    for key, value in row.items():
        if key not in ROUND_KEYS:
            message = N_("round {round}: {key} is not a key of a round; the keys are {keys}")
            raise Damaged(tr(message, round=number, key=quote(key), keys=", ".join(ROUND_KEYS)))
        if not isinstance(value, ROUND_KEYS[key]):
            wrong = tr(TYPE_MESSAGES[ROUND_KEYS[key]], key=key, found=quote(value))
            raise Damaged(tr("round {round}: {wrong}", round=number, wrong=wrong))
    for name, points in row.get("scores", {}).items():
        if type(points) is not int:
            message = N_("round {round}: the score of {who} is not a number")
            raise Damaged(tr(message, round=number, who=quote(name)))


# --- records in the usual layout, read by patterns
#
# A TOML parser reads character by character, which takes as long as judging the entries. The
# patterns accept only text for which the parser would return the same data. The parser reads all
# other text, and reports the faults of a record.


# Text with no quotes or backslashes, which can be used without unescaping.
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


class CanonicalToml(NamedTuple):
    """A record in the usual layout.

    `head` is the text before the rounds. `rounds` are the rounds as tables, and `lines` are the
    lines (from 1) on which their entries begin.
    """

    head: str
    rounds: list[Json]
    lines: list[int]


def parse_canonical_rounds(text: str) -> CanonicalToml | None:
    """Return the rounds of a record, or None if a round does not have the usual layout.

    The text before the rounds is not checked.
    """
    if text.count("\n") > untrusted.MAX_RECORD_LINES:
        return None
    start = text.find("\n[[rounds]]\n") + 1
    head = text[:start]
    line = 1 + head.count("\n")
    rounds: list[Json] = []
    lines: list[int] = []
    while 0 < start < len(text):
        match = _ROUND.match(text, start)
        if match is None:
            return None
        dealer, entries, scores = match.groups()
        row: Json = {"entries": entries}
        if dealer is not None:
            row["dealer"] = dealer
        if scores is not None:
            row["scores"] = _parse_scores(scores)
            if len(row["scores"]) < scores.count("\n"):  # a name occurs twice
                return None
        rounds.append(row)
        lines.append(line + text.count("\n", start, match.start(2)))
        line += match[0].count("\n")
        start = match.end()
    return CanonicalToml(head, rounds, lines) if rounds else None


def parse_canonical_head(text: str) -> Json | None:
    """Parse the text before the rounds. Return None if it does not have the usual layout."""
    table: Json = {}
    start = lines = 0
    while start < len(text):
        match = _LINE.match(text, start)
        if match is None:
            return None
        key, text_value, number, items = match.groups()
        if items is not None:
            table[key] = [row[5:-2] for row in items.split("\n")[:-1]]
        else:
            table[key] = text_value if number is None else int(number)
        lines += 1
        start = match.end()
    return table if len(table) == lines else None  # fewer keys than lines: one occurs twice


def _parse_scores(scores: str) -> dict[str, int]:
    rows = (line.rpartition(" = ") for line in scores.split("\n")[:-1])
    return {name.strip('"'): int(points) for name, _, points in rows}
