"""A match that was read from a record, put into a store, unless it is there already."""

from __future__ import annotations

from hashlib import sha256
from itertools import zip_longest
from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple
from scorekeeper.store.about import About, about_of
from scorekeeper.store.checks import as_json
from scorekeeper.store.desk import create, log_row
from scorekeeper.store.history import stands
from scorekeeper.store.rounds import kept_round, summary_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Unpack

    from scorekeeper.core.types import Plain
    from scorekeeper.play.match import Match
    from scorekeeper.play.reviewed import Told
    from scorekeeper.store.about import Said
    from scorekeeper.store.protocol import LogRow, MatchRow, RoundRow, Store
    from scorekeeper.store.record import Source


class Imported(NamedTuple):
    """Where a match that was read is now, whether it was there already, and what it is like."""

    match: int
    known: bool
    like: list[Like]


class Like(NamedTuple):
    """A match of the store that looks like another one, and in what they differ."""

    match: int
    differs: list[str]


def read(source: Source) -> tuple[Match, list[Told]]:
    """The match of a record, and what its rounds came to; each is played once. A round without
    entries is none: no log could have it."""
    match, told = source.match(), []
    for index in range(len(source.rounds)):
        texts = [text for _, text in source.texts(match, index)]
        if texts:
            told.append(match.kept(match.play_round(texts)))
    return match, told


def alike(store: Store, match: Match, about: About, besides: Sequence[str] = ()) -> list[Like]:
    """The matches of a store that one that was read says the same as, or looks like. Nothing is
    written. In what is named `besides` they may differ."""
    said = _said(match.ruleset.sha256, about, besides)
    return [*_likenesses(store, match.began_with, said, fingerprint(match), keep=False)]


def identity(match: Match, about: About, besides: Sequence[str] = ()) -> tuple[object, ...]:
    """What two matches have alike that are the same: see `import_match`."""
    said = _said(match.ruleset.sha256, about, besides)
    return (*match.began_with, *said.items(), fingerprint(match))


def fingerprint(match: Match) -> str:
    """What the entries of a match are looked up by."""
    return _mark([played.entries for played in match.rounds])


def misclaimed(source: Source, match: Match) -> list[int]:
    """The rounds of a match that was read whose scores are others than its record claims."""
    if len(match.rounds) != len(source.claimed):
        return []  # some are without entries
    pairs = zip(match.rounds, source.claimed, strict=True)
    return [
        played.number
        for played, claimed in pairs
        if claimed is not None and claimed != played.scores
    ]


def import_match(
    store: Store,
    match: Match,
    *,
    options: Mapping[str, Plain] | None = None,
    told: Sequence[Told] = (),
    besides: Sequence[str] = (),
    **about_it: Unpack[Said],
) -> Imported:
    """Put a match that was read into a store, unless it is there already. The same is what agrees
    in all that tells matches apart; options are not compared, for what they come to is in the
    rules' SHA-256, nor is what is named `besides`. `told` are its rounds, where somebody has looked
    back on them."""
    about = About(**about_it)
    said = _said(match.ruleset.sha256, about, besides)
    mark = fingerprint(match)
    with store.batch():
        like = list(_likenesses(store, match.began_with, said, mark))
        for each in like:
            if not each.differs:
                return Imported(each.match, True, [])
        number = create(store, match, about, options or {})
        rows: list[LogRow] = []
        cached: list[RoundRow] = []
        for played, seen in zip_longest(match.rounds, told):
            cached.append(kept_round(match, played, len(rows) + 1, seen))
            for position, text in enumerate(played.entries, 1):
                rows.append(log_row("entry", played.number, position, text))
        store.append(number, 0, rows, finished=cached, summary=summary_of(match), fingerprint=mark)
    return Imported(number, False, like)


def _likenesses(
    store: Store, players: Sequence[str], said: Mapping[str, str], mark: str, keep: bool = True
) -> Iterator[Like]:
    """The matches between the same players that were begun at the same time, or have the same
    entries. `keep`: what is found out about them is kept."""
    for row in store.alike(players, said["started"], mark):
        theirs = _said(row.ruleset_sha, about_of(row))
        differs = [name for name in said if theirs[name] != said[name]]
        if (row.fingerprint or _marked(store, row, keep)) != mark:
            differs.append("entries")
        if "entries" not in differs or (row.started and "started" not in differs):
            yield Like(row.id, differs)


def _marked(store: Store, row: MatchRow, keep: bool) -> str:
    """The fingerprint of a match that was recorded in since it had one; if it is kept the store
    knows it then."""
    log = store.log(row.id)
    mark = _mark(stands(log))
    if keep:
        store.append(row.id, len(log), (), fingerprint=mark)
    return mark


def _mark(rounds: Sequence[Sequence[str]]) -> str:
    """What entries are looked up by: the same only for the same entries in the same rounds."""
    return sha256(as_json(rounds).encode()).hexdigest()


def _said(sha: str, about: About, besides: Sequence[str] = ()) -> dict[str, str]:
    """What tells a match apart besides its players and entries."""
    said = {"rules": sha, "started": about.started, "place": about.place or "",
            "language": about.language, "title": about.title, "note": about.note}  # fmt: skip
    return {name: text for name, text in said.items() if name not in besides}
