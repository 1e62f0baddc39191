"""The interface of a match store: its methods, its rows, and the exceptions it raises.

A store does not know any rules. The recorder, the session and the commands use a store only through
the interface in this file. `store/book.py` implements it as a SQLite file, or in memory for the
lifetime of the process.

**The log.** Each operation on a match (an entry, an undo, an amendment) is one row of its log. The
rows have the positions 1, 2, 3 and so on. Rows can be added, but never changed or erased. The
caller works out which entries are valid. `store/recorder.py` documents each kind of row.

**The cache.** `RoundRow(n)` stores the standing before round n, so that no earlier round has to be
replayed. To continue the match, start with that standing and replay the log rows of round n and of
later rounds from `first_position` on. Some later rows, such as a late amendment, belong to earlier
rounds. Their effect is already part of the standing. The cache can be dropped at any time with
`reopened=1`, and is then rebuilt from the log.

**Recording.** Two people may record at the same time:
    round_row, rows, seen = store.tail(match)     # the standing, the rows since, the last position
    ...                                           # replay the rows, judge the entry
    while True:
        try:
            seen = store.append(match, seen, [LogRow("entry", 3, 7, "Ben: QC")])
            break
        except Conflict as conflict:              # nothing was written
            ...                                   # replay conflict.rows, show them, judge again
            seen = conflict.position

If a `Conflict` has rows of a round before the live one, call `tail` again, because the cache has
changed too.

**Rounds.** The entry that ends round n is appended with `finished=[RoundRow(n, first_position,
standing, summary)]`. The entry that opens the next round is appended with `finished=[RoundRow(n +
1, first_position, standing)]`, where `first_position` is the position of that entry.

An operation on an earlier round n is appended with `reopened=n + 1`, which drops the cache of the
later rounds. The caller then replays the match from `tail` if n is the last cached round, otherwise
from `log`. It may pass the new rows as `finished` in the same call.

An amended round and the rounds after it retain their `first_position`. If the amendment adds or
removes a round, the numbers of later rounds change. In this case pass `reopened=n`. The new rows
then have no `first_position`, except for round 1.

**The fingerprint** is a hash of the entries of a match. It is set by `append`. If rows are appended
without a new fingerprint, the old one becomes invalid.

**The outcome of a write.** If a method returns, its data is stored. If it raises, its data is not
stored, unless it raises `UncertainWrite`. If the commit of a transaction fails, the store reads the
data again and compares it before it reports an error. It never repeats a write. It raises
`UncertainWrite` only if the data cannot be read either.

**Errors.** Any method may raise `Damaged` for a problem with the book. It may raise the subclass
`Locked` if another process uses the book for longer than the configured wait. `Unreadable` is
raised for a match that does not exist, and for text that cannot be stored. ValueError is raised for
programming errors, such as an unknown kind of row.
"""

from __future__ import annotations

import json
import os
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from scorekeeper.core.errors import Damaged, Failure, Locked, Unreadable
from scorekeeper.core.messages import N_, plural, tr
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Literal, Self, TypeAlias, TypedDict

    from scorekeeper.core.types import Json, JsonValue

    Outcome: TypeAlias = Literal["recorded", "not recorded", "unknown"]

    class DetailOptions(TypedDict, total=False):
        """Some or all details of a match. The keys are the fields of `MatchDetails`."""

        started: str
        place: str | None
        language: str
        title: str
        note: str
        identifier: str
        day: str


MAX_SIMILAR = 10
REBUILD_HINT = N_("to compute it again from the entries: scorekeeper rebuild")
KINDS = ("entry", "undo", "amend", "replace", "insert", "remove", "restore")
_MAX_LISTED = 10
# Patterns for the beginning of a date, and for a moment in UTC.
DAY_PREFIX = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
UTC_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|\+00:00)", re.ASCII)


class Store(Protocol):
    """A store of matches. Do not share a store between threads."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *raised: object) -> None: ...

    def close(self) -> None:
        """Close open files. The next call opens them again."""

    def batch(self) -> AbstractContextManager[object]:
        """Open a transaction, which is stored completely or not at all.

        Until it ends, other processes cannot change the data that was read in it. A transaction
        inside another becomes part of the outer one. Like every write, the transaction may raise
        UncertainWrite at its end.
        """

    def matches(self, after: int = 0, most: int | None = None) -> list[MatchRow]:
        """Return matches with numbers above `after`, ordered by number.

        At most `most` matches are returned, or all matches if `most` is None.
        """

    def similar_matches(
        self, players: Sequence[str], started: str, fingerprint: str
    ) -> list[MatchRow]:
        """Return the matches between these players that are similar to a match, ordered by number.

        These are all matches with the same `started` and the same `fingerprint`, and all matches
        without a fingerprint. They also include up to `MAX_SIMILAR` matches that share only the
        fingerprint. If `started` is not empty, up to `MAX_SIMILAR` matches that share only
        `started` are included too.
        """

    def match(self, match_id: int | None = None) -> MatchRow:
        """Return the match with this number. By default, return the match that was most recently
        created or continued.

        Raises Unreadable if there is no such match. The hint lists the existing numbers.
        """

    def create(self, new: NewMatch) -> int:
        """Begin a match and return its number.

        Matches with the same ruleset share one stored copy of it. Raises UncertainWrite. Raises
        ValueError if a different text has the same SHA-256.
        """

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
        """Change details of a match. None leaves a detail unchanged, and "" removes it.

        `day_to_store` makes `started` and `day` consistent. Raises Unreadable if the match does not
        exist, and UncertainWrite.
        """

    def erase(self, match_id: int) -> None:
        """Delete a match and all its data. Its number is never reused.

        Raises Unreadable if the match does not exist, and UncertainWrite.
        """

    def matches_with_id(self, identifier: str) -> list[MatchRow]:
        """Return the matches with this identifier, ordered by number."""

    def aliases(self) -> dict[str, str]:
        """Return the display name for every spelling that has an alias."""

    def set_aliases(self, names: Mapping[str, str]) -> None:
        """Set the display names for spellings. "" removes an alias. Raises UncertainWrite."""

    def ruleset_text(self, sha: str) -> RulesetText:
        """Return the ruleset with this SHA-256. Raises Damaged if it is missing."""

    def append(
        self,
        match_id: int,
        seen: int,
        rows: Sequence[LogRow],
        *,
        finished: Sequence[RoundRow] = (),
        reopened: int | None = None,
        summary: JsonValue = None,
        fingerprint: str | None = None,
    ) -> int:
        """Write rows after `seen`, the last position that the caller knows. Return the new last
        position.

        The same transaction first drops the cached rounds from number `reopened` on. It then
        stores `finished`, which replaces rounds with the same number. `summary` and
        `fingerprint` replace those of the match, unless they are None. `rows` may be empty.

        If the log continues after `seen`, raises Conflict with the new rows. Raises Damaged if
        the log ends before `seen`, Unreadable if the match does not exist, and UncertainWrite.
        """

    def tail(self, match_id: int) -> Tail:
        """Return the last cached round with a `first_position`, and the log from that position on.

        Raises Unreadable if the match does not exist.
        """

    def log(self, match_id: int, first: int = 1) -> list[LogRow]:
        """Return the rows of a match's log from position `first` on.

        Raises Unreadable if the match does not exist.
        """

    def rounds(self, match_id: int, first: int = 1) -> list[RoundRow]:
        """Return the cached rounds from number `first` on, in order.

        Raises Unreadable if the match does not exist.
        """

    def rounds_of(self, match_ids: Sequence[int]) -> dict[int, list[RoundRow]]:
        """Return the cached rounds of each of these matches, in order, all read at the same moment.

        A match that does not exist has no rounds.
        """

    def match_dates(self) -> list[tuple[str, str]]:
        """Return the day and the stated beginning of each match, ordered by match number.

        This call is fast.
        """

    def position(self, match_id: int) -> int:
        """Return the last position in a match's log, or 0 if the log is empty.

        This call is a fast way to check whether the match has changed. Raises Unreadable if the
        match does not exist.
        """

    def set_pending_decision(self, match_id: int, position: int | None) -> None:
        """Store a note that the table must decide on an entry that was refused after `position`.

        None removes the note. It becomes invalid when a row is appended. It only informs other
        users, so no error is raised if it cannot be written immediately.
        """

    def has_pending_decision(self, match_id: int) -> bool:
        """Return whether the table must decide on an entry that was refused after the last log
        row."""


# --- rows


class RulesetText(NamedTuple):
    """A ruleset: its SHA-256, its text, and the parsed data, which loads much faster than the
    text."""

    sha: str
    text: str
    data: JsonValue = None


class NewMatch(NamedTuple):
    """A match to be created: the name and the text of its ruleset, and its details."""

    ruleset: str
    ruleset_text: RulesetText
    players: Sequence[str]
    options: Mapping[str, JsonValue]
    started: str
    place: str | None = None
    language: str = ""
    title: str = ""
    note: str = ""
    identifier: str = ""
    day: str = ""


class MatchRow(NamedTuple):
    """A match in the match list.

    `entries` is the number of entries ever made, and `last_time` is the time in UTC at which the
    last log row was written. The store does not interpret `summary` and `fingerprint`.
    """

    id: int
    ruleset: str
    ruleset_sha: str
    players: list[str]
    options: Json
    started: str
    place: str | None
    entries: int
    last_time: str
    summary: JsonValue
    language: str = ""
    fingerprint: str | None = None
    title: str = ""
    note: str = ""
    identifier: str = ""
    day: str = ""

    @property
    def all_players(self) -> list[str]:
        """The names of the players who began the match, followed by the others in the summary.

        The others joined later.
        """
        scores = self.summary.get("scores") if isinstance(self.summary, dict) else None
        return list(dict.fromkeys([*self.players, *(scores if isinstance(scores, dict) else ())]))


class LogRow(NamedTuple):
    """One operation on a match.

    When the row is appended, the store sets `position`. It also sets `time`, in UTC, if it is
    empty.
    """

    kind: str
    round: int
    number: int
    text: str
    decision: str | None = None
    recorder: str = ""
    time: str = ""
    position: int = 0


class RoundRow(NamedTuple):
    """The cache of one round: the standing before it, and the log position at which it begins.

    `first_position` is None if the position is unknown, because earlier rounds were added or
    removed. The match cannot be continued from such a round. `summary` is the result of the
    round, and `entries_json` are its entries in a format defined by the caller. Both are empty
    for the live round.
    """

    number: int
    first_position: int | None
    standing: JsonValue
    summary: JsonValue = None
    entries_json: str = ""


class Tail(NamedTuple):
    """The data needed to continue a match.

    `cached` is the last round with a `first_position`, and `rows` is the log from that position on.
    `position` is the last position in the log. If there is no such round, `cached` is None and
    `rows` is the whole log.
    """

    cached: RoundRow | None
    rows: list[LogRow]
    position: int


# --- exceptions


class Conflict(Locked):
    """Raised if another process has recorded `rows` in the match meanwhile. The last of these rows
    is at `position`."""

    def __init__(self, rows: list[LogRow], position: int) -> None:
        super().__init__(
            plural(
                "someone else recorded {count} entry meanwhile",
                "someone else recorded {count} entries meanwhile",
                len(rows),
            ),
            tr("look at the match, then repeat your entry"),
        )
        self.rows = rows
        self.position = position


class UncertainWrite(Damaged):
    """Raised if a commit failed and the data could not be read back, so that the outcome is
    unknown."""


class DamagedCache(Damaged):
    """Raised if the cached data of a match is damaged. The data can be rebuilt from the log (see
    `round_cache.py`).

    `match` is the match number.
    """

    def __init__(self, message: str, match: int) -> None:
        super().__init__(message, tr(REBUILD_HINT))
        self.match = match


def missing_match(ids: Sequence[int], match_id: int | None) -> Unreadable:
    """Return the error for a missing match. Its hint names the existing numbers, given in `ids`."""
    if not ids:
        which = (
            tr("there is no match yet")
            if match_id is None
            else tr("there is no match {match}", match=match_id)
        )
        return Unreadable(which, tr("begin a match: scorekeeper new RULESET NAME NAME"))
    listed = ", ".join(map(str, ids[-_MAX_LISTED:]))
    if len(ids) > _MAX_LISTED:
        listed = tr(
            "{numbers} and earlier ones; to list them all: scorekeeper matches",
            numbers=listed,
        )
    return Unreadable(
        tr("there is no match {match}", match=match_id),
        tr("use an existing number: {numbers}", numbers=listed),
    )


# --- outcomes of writes


class PendingWrite:
    """The data that a transaction is about to write. If the commit fails, the store checks whether
    this data was written.

    There are three kinds of data: rows of a match's log after `last_position`, a changed match, and
    the aliases `names`. For a changed match, `before` is the old row, or None if the match did not
    exist. `after` is the new row, or None if the match was erased.
    """

    __slots__ = ("after", "before", "last_position", "match", "names", "rows")

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
        self.last_position = seen
        self.rows = rows
        self.before = before
        self.after = after


def reread_after_failure(store: Store, write: PendingWrite) -> Outcome:
    """Return whether a write was stored although its commit failed. The result may be "unknown".

    Log rows are compared by position and content, and all other data by content. If another process
    has changed the same data since, the outcome is unknown.
    """
    try:
        if write.names is not None:
            aliases = store.aliases()
            is_stored = all(aliases.get(each, "") == name for each, name in write.names.items())
            return "recorded" if is_stored else "not recorded"
        if write.rows:
            stored = store.log(write.match, write.last_position + 1)[: len(write.rows)]
            return "recorded" if stored == list(write.rows) else "not recorded"
        current = store.match(write.match)
    except Unreadable:
        was_erased = not write.rows and write.before is not None and write.after is None
        return "recorded" if was_erased else "not recorded"
    except Failure:
        return "unknown"
    if current == write.before:
        return "not recorded"
    return "recorded" if current == write.after else "unknown"


# --- checks before a write


def stamp_rows(rows: Sequence[LogRow], seen: int) -> list[LogRow]:
    """Return the rows with their positions after `seen`.

    A row without a time gets the current time. Raises ValueError for an unknown kind, and
    Unreadable for text that cannot be stored.
    """
    stamped_rows: list[LogRow] = []
    for position, row in enumerate(rows, seen + 1):
        if row.kind not in KINDS:
            raise ValueError(f"no kind of log row: {row.kind!r}")
        check_text(row.text, row.decision or "", row.recorder, row.time)
        stamped_rows.append(row._replace(time=row.time or utc_now(), position=position))
    return stamped_rows


def utc_now() -> str:
    """Return the current time in the format of the log."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def check_rounds(rows: Sequence[RoundRow], last: int) -> None:
    """Raise ValueError for a round that begins before the first row of the log or after its end."""
    for row in rows:
        if row.first_position is not None and not 1 <= row.first_position <= last + 1:
            raise ValueError(f"round {row.number} cannot begin at position {row.first_position}")


def check_new(new: NewMatch) -> None:
    """Raise Unreadable if a new match contains text that cannot be stored."""
    check_text(
        new.ruleset_text.text, new.ruleset, new.ruleset_text.sha, new.started, new.place or ""
    )
    check_text(new.language, new.title, new.note, new.identifier, new.day, *new.players)


def given_details(
    started: str | None,
    place: str | None,
    title: str | None,
    note: str | None,
    language: str | None,
    identifier: str | None,
    day: str | None,
) -> dict[str, Any]:  # `_replace` accepts values of several types
    """Return the details that are not None, by name. An empty place becomes None.

    Raises Unreadable for text that cannot be stored.
    """
    given = {"started": started, "title": title, "note": note, "language": language,
             "identifier": identifier, "day": day}  # fmt: skip
    changes: dict[str, str | None] = {key: text for key, text in given.items() if text is not None}
    if place is not None:
        changes["place"] = place or None
    check_text(*filter(None, changes.values()))
    return changes


def as_json(value: JsonValue) -> str:
    """Encode a value as JSON text for storage.

    Raises ValueError for NaN and Infinity, and Unreadable for text that cannot be stored.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    check_text(text)
    return text


def check_text(*texts: str) -> None:
    """Raise Unreadable for text with a lone surrogate, which cannot be encoded."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise Unreadable(
                tr(
                    "this text contains half a character (a lone surrogate) and cannot be "
                    "stored: {found}",
                    found=ascii(text[max(0, error.start - 20) : error.end + 20]),
                ),
                tr("type the text again"),
            ) from error


# --- details of a match


class MatchDetails(NamedTuple):
    """The details of a match in addition to its rules, players and entries.

    `started` is a day or a moment in ISO 8601, or free text. `day` is the day on which people began
    the match, like `2026-11-20`. `language` is the language in which entries are typed.
    `identifier` distinguishes matches that began at the same time.
    """

    started: str = ""
    place: str | None = None
    language: str = ""
    title: str = ""
    note: str = ""
    identifier: str = ""
    day: str = ""


NO_DETAILS = MatchDetails()


def details_of(row: MatchRow) -> MatchDetails:
    """Return the details of a match from its row in the match list."""
    return MatchDetails(
        row.started, row.place, row.language, row.title, row.note, row.identifier, row.day
    )


def day_to_store(started: str, day: str) -> str:
    """Return the day to store for a match with the beginning `started` and the stated `day`.

    A moment in UTC belongs to different days in different time zones. For such a moment, `day`
    takes precedence if it is at most one day away. Otherwise the day in `started`, if there is one,
    takes precedence.
    """
    own_day = day_of(started)
    if not is_day(day):
        return own_day
    if own_day and UTC_MOMENT.fullmatch(started):
        from datetime import date

        distance = date.fromisoformat(day) - date.fromisoformat(started[:10])
        return day if abs(distance.days) <= 1 else own_day
    return own_day or day


def day_of(started: str) -> str:
    """Return the day of `started`, or "" if it does not contain a valid day.

    For a moment in UTC the result depends on the time zone of this computer. Call this function
    only once, when the match is stored.
    """
    day = _in_local_time(started)[:10]
    return day if is_day(day) else ""


def format_start(started: str, day: str) -> str:
    """Return the beginning of a match as text for users: its day, and its time if that is known.

    For a moment in UTC, the time is left out if the moment does not fall on `day` in the time zone
    of this computer. Free text is cut off after 16 characters.
    """
    local = _in_local_time(started)
    if day and UTC_MOMENT.fullmatch(started) and not local.startswith(day):
        return day
    return local[:16].replace("T", " ")


def _in_local_time(started: str) -> str:
    """Return a moment in UTC as a moment in this computer's time zone, and any other string
    unchanged."""
    if not UTC_MOMENT.fullmatch(started):
        return started
    from datetime import datetime

    with suppress(ValueError, OverflowError, OSError):  # the string is not a valid moment
        return datetime.fromisoformat(started).astimezone().isoformat()
    return started


def is_day(text: str) -> bool:
    """Return whether a string is an existing day in ISO 8601, like `2026-11-20`."""
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def new_identifier() -> str:
    """Return a new random identifier in the form of a UUID."""
    text = os.urandom(16).hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
