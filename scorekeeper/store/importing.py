"""A match that was read from a record, put into a store, unless it is there already."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorekeeper.store.desk import add_match, log_row
from scorekeeper.store.history import stands
from scorekeeper.store.rounds import kept_round, summary_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scorekeeper.core.plain import Plain
    from scorekeeper.play.match import Match
    from scorekeeper.store.protocol import LogRow, RoundRow, Store


class Imported(NamedTuple):
    """Where a match that was read is now, whether it was there already, and what it is like."""

    match: int
    known: bool
    like: list[Like]


class Like(NamedTuple):
    """A match of the store that looks like another one, and in what they differ."""

    match: int
    differs: list[str]


def import_match(
    store: Store,
    match: Match,
    *,
    started: str = "",
    place: str | None = None,
    language: str = "",
    options: Mapping[str, Plain] | None = None,
) -> Imported:
    """Put a match that was read into a store, unless it is there already: then nothing is written.
    The same is what agrees in all that tells matches apart; options are not compared, for what
    they come to is in the rules' SHA-256."""
    said = _said(match.ruleset.sha256, started, place, language)
    with store.batch():
        like = list(_likenesses(store, match, said))
        for each in like:
            if not each.differs:
                return Imported(each.match, True, [])
        desk = add_match(
            store, match, started=started, place=place, language=language, options=options or {}
        )
        rows: list[LogRow] = []
        cached: list[RoundRow] = []
        for played in match.rounds:
            cached.append(kept_round(match, played, len(rows) + 1, played.entries))
            for number, text in enumerate(played.entries, 1):
                rows.append(log_row("entry", played.number, number, text))
        store.append(desk.id, 0, rows, finished=cached, summary=summary_of(match))
    return Imported(desk.id, False, like)


def _likenesses(store: Store, match: Match, said: Mapping[str, str]) -> Iterator[Like]:
    """The matches between the same players that were begun at the same time, or have the same
    entries."""
    texts = [played.entries for played in match.rounds]
    for row in store.matches():
        if row.players != match.players:
            continue
        theirs = _said(row.ruleset_sha, row.started, row.place, row.language)
        differs = [name for name in said if theirs[name] != said[name]]
        if stands(store.log(row.id)) != texts:
            differs.append("entries")
        if "entries" not in differs or (row.started and "started" not in differs):
            yield Like(row.id, differs)


def _said(sha: str, started: str, place: str | None, language: str) -> dict[str, str]:
    """What tells a match apart besides its players and entries."""
    return {"rules": sha, "started": started, "place": place or "", "language": language}
