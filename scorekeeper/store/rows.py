"""What a store of matches is: its methods, its rows, what it raises. It knows nothing of rules.

The desk, the session and the commands know a store by this file alone. `book` keeps matches in a
SQLite file, or in memory while the process runs.

**The log.** Whatever happened to a match, an entry, an undo, an amendment, is one row of its log,
at the positions 1, 2, 3 …; rows are added and never changed or erased. What stands is what the
caller makes of the log; what each kind of row means, recorder.py says.

**The cache.** `RoundRow(n)` keeps the standing before round n, so that nobody needs to read the
log from its beginning. It promises: that standing, and those rows from `first_position` on whose
`round` is n or more, taken in order, give what stands in round n and after it. (Rows of an
earlier round in there, say a late amendment, are in the standing already.) The cache may be
dropped at any time, `reopened=1` does it, and is made again from the whole log.

**Recording.** Two people may record at once:
    round_row, rows, seen = store.tail(match)     # the standing, what came since, the last position
    ...                                           # fold, judge the entry
    while True:
        try:
            seen = store.append(match, seen, [LogRow("entry", 3, 7, "Ben: QC")])
            break
        except Conflict as conflict:              # nothing was written
            ...                                   # fold conflict.rows, say so, judge again
            seen = conflict.position

After a `Conflict` whose rows reach back before the live round (their `round` is lower) read
`tail` again, for the cache has changed too.

**Rounds.** With the entry that ends round n, in the same transaction: `finished=[RoundRow(n, its
first_position, its standing, summary)]`, with the one that opens the next `finished=[RoundRow(n +
1, first_position, standing)]`, where the `first_position` is its own. An operation that reaches
back into round n is appended with `reopened=n + 1`, which drops what was cached for the rounds
after n; the caller folds again, from `tail` if the last round left is n, else from `log`, and may
give the new rows as `finished` in that same call: an amended round keeps its `first_position`,
and so do those after it. Where a round came or went the later ones have other numbers: then
`reopened=n`, and what is given has no `first_position`, but for round 1.

**The fingerprint** is what a match can be found by (`alike`). It is given with `append`, and
holds until the next rows are written without one.

**What a write came to.** What returns is recorded. What raises is not, but for `Unsettled`: then
it is not known. A store whose transaction fails at its very end may have kept it or not; it reads
back (`read_back`, by position and content) before it says anything, and never writes a second
time by itself. So only what could not be read back either is `Unsettled`.

**Failures**, those that any method may raise: `Damaged` for whatever is wrong with the place
where matches are kept; `Locked`, which is one, when somebody else kept it for longer than we
wait. `Unreadable` is for a match that is not there and for text that cannot be stored. ValueError
is for a caller's mistake: a kind of row that there is not, a value that JSON has not.
"""

from __future__ import annotations

import json
import os
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from scorekeeper.core.errors import Damaged, Failure, Locked, Unreadable
from scorekeeper.core.messages import mark, plural, tr
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Literal, Self, TypeAlias, TypedDict

    from scorekeeper.core.types import Json, Plain

    Outcome: TypeAlias = Literal["recorded", "not recorded", "unknown"]

    class Said(TypedDict, total=False):
        """What is said about a match, as `About` has it."""

        started: str
        place: str | None
        language: str
        title: str
        note: str
        identifier: str
        day: str


MOST_ALIKE = 10
ANEW = mark("scorekeeper rebuild works it out anew from what was entered")
KINDS = ("entry", "undo", "amend", "replace", "insert", "remove", "restore")
_LISTED = 10
# What is written as a day is, and a moment of UTC.
WRITTEN = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|\+00:00)", re.ASCII)


class Store(Protocol):
    """All matches of a table. Not to be shared between threads."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *raised: object) -> None: ...

    def close(self) -> None:
        """Let go of what is open. The next use opens it again."""

    def batch(self) -> AbstractContextManager[object]:
        """Writing in one transaction: all that is done inside is kept, or nothing of it, and what
        is read inside nobody else changes. Inside another batch it belongs to that one. Raises
        Unsettled as every write does, when it ends."""

    def matches(self, after: int = 0, most: int | None = None) -> list[MatchRow]:
        """All matches, the oldest first; or at most so many of those after that number."""

    def alike(self, players: Sequence[str], started: str, fingerprint: str) -> list[MatchRow]:
        """The matches between these players that were begun then and have that fingerprint, and
        those that have none; the first MOST_ALIKE of those that were begun at another time and have
        it, and as many that were begun then (unless nobody knows when) and have another. The oldest
        first."""

    def match(self, match_id: int | None = None) -> MatchRow:
        """One match; without a number the one last created or recorded in. Raises Unreadable, with
        the numbers there are, if it is not there."""

    def create(self, new: NewMatch) -> int:
        """Begin a match and give its number; its day is `kept_day`. The rules are stored once for
        all their matches. Raises ValueError if another text is stored under the same SHA-256;
        Unsettled."""

    def describe(
        self,
        match_id: int,
        *,
        started: str | None = None,
        place: str | None = None,
        title: str | None = None,
        note: str | None = None,
        language: str | None = None,
        identifier: str | None = None,
        day: str | None = None,
    ) -> None:
        """Change what is kept about a match; what is None stays as it is, "" takes it away. When it
        began and its day stay in agreement (`kept_day`). Raises Unreadable if there is no such
        match; Unsettled."""

    def erase(self, match_id: int) -> None:
        """Erase a match with all that is kept of it; its number is never given again. Raises
        Unreadable if there is no such match; Unsettled."""

    def identified(self, identifier: str) -> list[MatchRow]:
        """The matches of that identifier, the oldest first."""

    def aliases(self) -> dict[str, str]:
        """How spellings of names are told, those that are told otherwise."""

    def alias(self, names: Mapping[str, str]) -> None:
        """Let spellings be told by these names from now on; by "" as they are written. Raises
        Unsettled."""

    def rules(self, sha: str) -> Rules:
        """The rules that a match was begun under. Raises Damaged if there are none such."""

    def append(
        self,
        match_id: int,
        seen: int,
        rows: Sequence[LogRow],
        *,
        finished: Sequence[RoundRow] = (),
        reopened: int | None = None,
        summary: Plain = None,
        fingerprint: str | None = None,
    ) -> int:
        """Write rows after position `seen`, the last one known, and give the last position.

        In the same transaction: `reopened` drops the cached rounds from that number on, then
        `finished` are stored (a number already there is replaced), and `summary` and `fingerprint`,
        if not None, become the match's. Without rows only these. Raises Conflict, with the rows
        that came between, if `seen` is no longer the last position; Damaged if the log ends before
        it; Unreadable if there is no such match; Unsettled.
        """

    def tail(self, match_id: int) -> Tail:
        """The last cached round that one can go on from, and the log since. Raises Unreadable if
        there is no such match."""

    def log(self, match_id: int, first: int = 1) -> list[LogRow]:
        """Everything that was ever recorded in a match, from position `first` on. Raises
        Unreadable if there is no such match."""

    def rounds(self, match_id: int, first: int = 1) -> list[RoundRow]:
        """The cached rounds in order, from that number on. Raises Unreadable if there is no such
        match."""

    def rounds_of(self, match_ids: Sequence[int]) -> dict[int, list[RoundRow]]:
        """The cached rounds of each of these matches in order, all of one moment; none of one that
        is not there."""

    def begun(self) -> list[tuple[str, str]]:
        """The day of each match, and when it was begun, as it says, the oldest number first: a
        cheap look."""

    def position(self, match_id: int) -> int:
        """The last position in a match's log, 0 if it is empty: a cheap look for something new.
        Raises Unreadable if there is no such match."""

    def mark(self, match_id: int, position: int | None) -> None:
        """Say that the table must decide about an entry that was refused after that position of a
        match's log; None: no longer. It holds until anything is recorded in the match. Nothing is
        raised where that cannot be written now: it is only told to others, and nobody waits."""

    def marked(self, match_id: int) -> bool:
        """Whether somebody said that at the last position of a match's log."""


# --- its rows


class Rules(NamedTuple):
    """The text of a ruleset, its SHA-256, and what the text says, which is read much faster."""

    sha: str
    text: str
    data: Plain = None


class NewMatch(NamedTuple):
    """A match that begins: the name of its ruleset, the rules themselves, and what is kept about
    it."""

    ruleset: str
    rules: Rules
    players: Sequence[str]
    options: Mapping[str, Plain]
    started: str
    place: str | None = None
    language: str = ""
    title: str = ""
    note: str = ""
    identifier: str = ""
    day: str = ""


class MatchRow(NamedTuple):
    """A match as it is listed; `entries` counts those ever entered, `last` is the time of the last
    row of its log; `summary` and `fingerprint` are the caller's."""

    id: int
    ruleset: str
    ruleset_sha: str
    players: list[str]
    options: Json
    started: str
    place: str | None
    entries: int
    last: str
    summary: Plain
    language: str = ""
    fingerprint: str | None = None
    title: str = ""
    note: str = ""
    identifier: str = ""
    day: str = ""

    @property
    def everybody(self) -> list[str]:
        """The `players`, who began, and those who came later, whom the summary names."""
        came = self.summary.get("scores") if isinstance(self.summary, dict) else None
        return list(dict.fromkeys([*self.players, *(came if isinstance(came, dict) else ())]))


class LogRow(NamedTuple):
    """One operation on a match. Writing it sets `position`, and `time` (UTC) where it is empty."""

    kind: str
    round: int
    number: int
    text: str
    decision: str | None = None
    recorder: str = ""
    time: str = ""
    position: int = 0


class RoundRow(NamedTuple):
    """The cache of one round: the standing before it, and where in the log it begins (None where
    nobody can say, so that nobody goes on from it: rounds before it came or went).

    `summary` is what the round came to, None while it is played; `told` its entries, as JSON that
    the caller makes and reads, "" while it is played.
    """

    number: int
    first_position: int | None
    standing: Plain
    summary: Plain = None
    told: str = ""


class Tail(NamedTuple):
    """What one needs to go on: the last cached round that has a `first_position`, the log from
    there on, and the last position. Without such a round: None, and the whole log."""

    cached: RoundRow | None
    rows: list[LogRow]
    position: int


# --- what it raises


class Conflict(Locked):
    """Somebody else recorded meanwhile: `rows` came between, the last at `position`."""

    def __init__(self, rows: list[LogRow], position: int) -> None:
        super().__init__(
            plural(
                "somebody else recorded {count} entry meanwhile",
                "somebody else recorded {count} entries meanwhile",
                len(rows),
            ),
            tr("look, and enter it again"),
        )
        self.rows = rows
        self.position = position


class Unsettled(Damaged):
    """Whether a write is kept is not known: it failed at its end, and could not be read back."""


class KeptDamaged(Damaged):
    """What is kept of a match besides its log is damaged: it can be made again from that (see
    round_cache.py). `match` is its number."""

    def __init__(self, message: str, match: int) -> None:
        super().__init__(message, tr(ANEW))
        self.match = match


def missing(ids: Sequence[int], match_id: int | None) -> Unreadable:
    """What to say of a match that is not there: the ids there are, the latest ones if many."""
    if not ids:
        which = (
            tr("there is no match yet")
            if match_id is None
            else tr("there is no match {match}", match=match_id)
        )
        return Unreadable(which, tr("begin one: scorekeeper new RULESET NAME NAME"))
    listed = ", ".join(map(str, ids[-_LISTED:]))
    if len(ids) > _LISTED:
        listed = tr("{numbers} and earlier ones: scorekeeper matches", numbers=listed)
    return Unreadable(
        tr("there is no match {match}", match=match_id),
        tr("there are {numbers}", numbers=listed),
    )


# --- what a write came to


class Write:
    """What a transaction was to leave behind: rows of a match's log after position `seen`; where
    it wrote none, what was kept about the match `before` (None: it was not there) and `after`
    (None: it was erased); or what `names` are told by."""

    __slots__ = ("after", "before", "match", "names", "rows", "seen")

    def __init__(
        self,
        match: int,
        seen: int,
        rows: Sequence[LogRow],
        before: MatchRow | None = None,
        after: MatchRow | None = None,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.match = match
        self.names = names
        self.seen = seen
        self.rows = rows
        self.before = before
        self.after = after


def read_back(store: Store, write: Write) -> Outcome:
    """What a write came to that failed at its end, by what the store says now. A row of the log is
    known by its position and all that it says; what else was kept by all that it says. Where
    somebody changed that in the meantime it stays unknown."""
    try:
        if write.names is not None:
            told = store.aliases()
            kept = all(told.get(each, "") == name for each, name in write.names.items())
            return "recorded" if kept else "not recorded"
        if write.rows:
            there = store.log(write.match, write.seen + 1)[: len(write.rows)]
            return "recorded" if there == list(write.rows) else "not recorded"
        found = store.match(write.match)
    except Unreadable:
        gone = not write.rows and write.before is not None and write.after is None
        return "recorded" if gone else "not recorded"
    except Failure:
        return "unknown"
    if found == write.before:
        return "not recorded"
    return "recorded" if found == write.after else "unknown"


# --- what every store asks of what it is given, before it writes anything


def stamped(rows: Sequence[LogRow], seen: int) -> list[LogRow]:
    """The rows as they are written after position `seen`: with their positions and times. Raises
    ValueError for a kind that there is not, Unreadable for text that cannot be stored."""
    found: list[LogRow] = []
    for position, row in enumerate(rows, seen + 1):
        if row.kind not in KINDS:
            raise ValueError(f"no kind of log row: {row.kind!r}")
        check_text(row.text, row.decision or "", row.recorder, row.time)
        found.append(row._replace(time=row.time or now(), position=position))
    return found


def now() -> str:
    """The time, as the log has it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def check_rounds(rows: Sequence[RoundRow], last: int) -> None:
    """Raises ValueError for a round that begins after the last row of the log."""
    for row in rows:
        if row.first_position is not None and not 1 <= row.first_position <= last + 1:
            raise ValueError(f"round {row.number} cannot begin at position {row.first_position}")


def check_new(new: NewMatch) -> None:
    """Raises Unreadable for text that cannot be stored."""
    check_text(new.rules.text, new.ruleset, new.rules.sha, new.started, new.place or "")
    check_text(new.language, new.title, new.note, new.identifier, new.day, *new.players)


def described(
    started: str | None,
    place: str | None,
    title: str | None,
    note: str | None,
    language: str | None,
    identifier: str | None,
    day: str | None,
) -> dict[str, Any]:  # `_replace` takes the fields of a row, each of its own type
    """What of a match is to be changed: a place that is taken away is none. Raises Unreadable for
    text that cannot be stored."""
    given = {"started": started, "title": title, "note": note, "language": language,
             "identifier": identifier, "day": day}  # fmt: skip
    said: dict[str, str | None] = {key: text for key, text in given.items() if text is not None}
    if place is not None:
        said["place"] = place or None
    check_text(*filter(None, said.values()))
    return said


def as_json(value: Plain) -> str:
    """A plain value as it is kept. Raises ValueError for what JSON has not, Unreadable for text
    that cannot be stored."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    check_text(text)
    return text


def check_text(*texts: str) -> None:
    """Raises Unreadable for half a character."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise Unreadable(
                tr(
                    "this holds half a character (a lone surrogate) and cannot be stored: {found}",
                    found=ascii(text[max(0, error.start - 20) : error.end + 20]),
                ),
                tr("type it again"),
            ) from error


# --- what is kept about a match besides its rules, players and entries


class About(NamedTuple):
    """When a match began, as ISO 8601 has it (a day, or a moment), where, in which language it is
    typed, a title and a note; the identifier of one that is not known by its beginning; and the day
    on which its people began it, as `2026-11-20`."""

    started: str = ""
    place: str | None = None
    language: str = ""
    title: str = ""
    note: str = ""
    identifier: str = ""
    day: str = ""


NOTHING = About()


def about_of(row: MatchRow) -> About:
    """What is kept about a match that is listed."""
    return About(row.started, row.place, row.language, row.title, row.note, row.identifier, row.day)


def kept_day(started: str, day: str) -> str:
    """The day to keep of a match that began `started`, with `day` said of it. A moment of UTC is a
    day sooner or later somewhere, so there `day` counts, if it can be; and where `started` says no
    day. Else `started` says it."""
    own = day_of(started)
    if not is_day(day):
        return own
    if own and MOMENT.fullmatch(started):
        from datetime import date

        apart = date.fromisoformat(day) - date.fromisoformat(started[:10])
        return day if abs(apart.days) <= 1 else own
    return own or day


def day_of(started: str) -> str:
    """The day that `started` says; empty where it says none. Of a moment of UTC it is the day by
    the clock of who asks: so it is asked once, when the match is put into the book."""
    day = _by_the_clock_here(started)[:10]
    return day if is_day(day) else ""


def moment_of(started: str, day: str) -> str:
    """When a match began as its people say it: its day, with the minute if that is known. Of a
    moment of UTC the minute is told by the clock here, where that has the same day; what is neither
    a day nor a moment is told as it was said."""
    here = _by_the_clock_here(started)
    if day and MOMENT.fullmatch(started) and not here.startswith(day):
        return day
    return here[:16].replace("T", " ")


def _by_the_clock_here(started: str) -> str:
    if not MOMENT.fullmatch(started):
        return started
    from datetime import datetime

    with suppress(ValueError, OverflowError, OSError):  # no moment there ever is
        return datetime.fromisoformat(started).astimezone().isoformat()
    return started


def is_day(text: str) -> bool:
    """Whether it is a day that there is, as ISO 8601 has it."""
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def identifier() -> str:
    """A new identifier, written as a UUID."""
    text = os.urandom(16).hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
