"""A match of a store put right by a record of it: what differs is amended, nothing is erased."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.store.about import about_of
from scorekeeper.store.desk import log_row
from scorekeeper.store.history import stands
from scorekeeper.store.rounds import kept_round, summary_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.play.match import Match
    from scorekeeper.play.reviewed import Told
    from scorekeeper.store.about import About, Said
    from scorekeeper.store.protocol import LogRow, MatchRow, Store

# A moment at which only one match begins.
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


def origins(store: Store, match: Match, about: About) -> list[MatchRow]:
    """The matches that a record may have come from: those of its identifier; without one, those
    between its players that began at the very second."""
    if about.identifier:
        return store.identified(about.identifier)
    if not MOMENT.match(about.started):
        return []
    rows = store.alike(match.began_with, about.started, "")
    return [row for row in rows if row.started == about.started and not row.identifier]


def replace(store: Store, row: MatchRow, match: Match, said: Said, told: Sequence[Told]) -> None:
    """Let a match of the store say what another says that was read, `told` are its rounds. The log
    keeps what stood before; undoing brings it back, a correction at a time. What the record does
    not say about the match stays as it is kept. Raises Unreadable (see `check_place`)."""
    check_place(row, match)
    wanted = [played.entries for played in match.rounds]
    with store.batch():
        log = store.log(row.id)
        rows = list(corrections(stands(log), wanted))
        if rows:
            # Nobody can go on from a round after the first: the log is of another time there.
            kept = [
                kept_round(match, played, 1 if played.number == 1 else None, seen)
                for played, seen in zip(match.rounds, told, strict=True)
            ]
            about_it = summary_of(match)
            store.append(row.id, len(log), rows, finished=kept, reopened=1, summary=about_it)
        store.describe(row.id, **{key: text for key, (_, text) in described(row, said).items()})


def check_place(row: MatchRow, match: Match) -> None:
    """Raises Unreadable where a match has other players or other rules than the one whose place it
    is to take, which that cannot have."""
    say = ""
    if match.began_with != row.players:
        say = mark("the record names other players than match {match}, so it cannot take its place")
    elif match.ruleset.sha256 != row.ruleset_sha:
        say = mark("the record has other rules than match {match}, so it cannot take its place")
    if say:
        raise Unreadable(
            tr(say, match=row.id), tr("import it as a match of its own, without --replace")
        )


def described(row: MatchRow, said: Said) -> dict[str, tuple[str, str]]:
    """What a record says about a match otherwise than it is kept: by its key, how it is kept, and
    what is said."""
    kept = about_of(row)._asdict()
    new = {key: str(text or "") for key, text in said.items() if key != "identifier"}
    return {key: (kept[key] or "", text) for key, text in new.items() if text != (kept[key] or "")}


def corrections(were: Sequence[list[str]], wanted: Sequence[list[str]]) -> Iterator[LogRow]:
    """The operations that make of the entries of rounds those that are wanted: the last first, so
    that none moves what another speaks of; what is new at the end comes last, as it was entered."""
    for number in range(len(were), len(wanted), -1):
        for entry in range(len(were[number - 1]), 0, -1):
            yield log_row("remove", number, entry, were[number - 1][entry - 1])
    both = min(len(were), len(wanted))
    for number in range(both, 0, -1):
        yield from _amended(number, were[number - 1], wanted[number - 1])
    for number in range(both + 1, len(wanted) + 1):
        for entry, text in enumerate(wanted[number - 1], 1):
            yield log_row("entry", number, entry, text)


def _amended(number: int, was: list[str], wanted: list[str]) -> Iterator[LogRow]:
    steps = SequenceMatcher(None, was, wanted, autojunk=False).get_opcodes()
    for kind, first, last, start, end in reversed(steps):
        text = "\n".join(wanted[start:end])
        if kind == "insert":
            yield log_row("insert", number, first + 1, text)
        if kind in ("delete", "replace"):
            kept = first + (kind == "replace")
            for entry in range(last, kept, -1):
                yield log_row("remove", number, entry, was[entry - 1])
        if kind == "replace":
            several = end - start > 1
            yield log_row("replace" if several else "amend", number, first + 1, text)
