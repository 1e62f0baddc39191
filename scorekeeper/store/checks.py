"""What every store asks of what it is given, before it writes anything, and says alike."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.store import protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Plain
    from scorekeeper.store.protocol import LogRow, NewMatch, RoundRow

_LISTED = 10


def stamped(rows: Sequence[LogRow], seen: int) -> list[LogRow]:
    """The rows as they are written after position `seen`: with their positions and times. Raises
    ValueError for a kind that there is not, Unreadable for text that cannot be stored."""
    found: list[LogRow] = []
    for position, row in enumerate(rows, seen + 1):
        if row.kind not in protocol.KINDS:
            raise ValueError(f"no kind of log row: {row.kind!r}")
        check_text(row.text, row.decision or "", row.recorder, row.time)
        found.append(row._replace(time=row.time or now(), position=position))
    return found


def check_rounds(rows: Sequence[RoundRow], last: int) -> None:
    """Raises ValueError for a round that begins after the last row of the log."""
    for row in rows:
        if row.first_position is not None and not 1 <= row.first_position <= last + 1:
            raise ValueError(f"round {row.number} cannot begin at position {row.first_position}")


def check_new(new: NewMatch) -> None:
    """Raises Unreadable for text that cannot be stored."""
    check_text(new.rules.text, new.ruleset, new.rules.sha, new.started, new.place or "")
    check_text(new.language, new.title, new.note, new.identifier, *new.players)


def described(
    started: str | None,
    place: str | None,
    title: str | None,
    note: str | None,
    language: str | None,
    identifier: str | None,
) -> dict[str, Any]:  # `_replace` takes the fields of a row, each of its own type
    """What of a match is to be changed: a place that is taken away is none. Raises Unreadable for
    text that cannot be stored."""
    given = {"started": started, "title": title, "note": note, "language": language,
             "identifier": identifier}  # fmt: skip
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


def now() -> str:
    """The time, as the log has it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


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
