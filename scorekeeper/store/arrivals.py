"""Matches that others wrote: read from records, JSON and folders, compared with what is there."""

from __future__ import annotations

import os
from hashlib import sha256
from itertools import zip_longest
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Failure
from scorekeeper.core.messages import tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.store.json_record import LINES, found_in, is_json
from scorekeeper.store.record import Source, other_rules
from scorekeeper.store.recorder import create, kept_round, log_row, stands, summary_of
from scorekeeper.store.rows import About, about_of, as_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import BinaryIO, Unpack

    from scorekeeper.core.types import Plain
    from scorekeeper.match.match import Match
    from scorekeeper.match.view import Told
    from scorekeeper.store.rows import LogRow, MatchRow, RoundRow, Said, Store


LOOK = 64  # bytes that tell JSON from a record
ENDINGS = (".toml", ".json", *LINES)  # of the files that are taken of a folder


class Arrival(NamedTuple):
    """A match that was read: from which file and line (0: the whole file), what it is, what its
    rounds came to, what is said about it, what was set of its ruleset, of which rounds it claims
    other scores; `points_alone`: it came from a table of scores; how many bytes of the file it
    was; `totals_alone`: it is a whole evening, of which no round is known; the SHA-256 of the
    `other_rules` by which it was recorded, where they are not today's; the `unlike` rounds of a
    table, which come to nothing that the rules know, each with its line and what it comes to."""

    file: str
    line: int
    match: Match
    told: Sequence[Told]
    about: Said
    options: Mapping[str, Plain]
    misclaimed: Sequence[int] = ()
    points_alone: bool = False
    size: int = 0
    totals_alone: bool = False
    other_rules: str = ""
    unlike: Sequence[tuple[int, int]] = ()


class Refused(NamedTuple):
    """What is no match, or none that can be taken: in which file and line (0: all of it), why,
    and how many bytes of the file it was."""

    file: str
    line: int
    failures: Sequence[Failure]
    size: int = 0


def place_of(found: Arrival | Refused) -> str:
    """Where it came from, for people."""
    if not found.line:
        return found.file
    return tr("{path}, line {line}", path=found.file, line=found.line)


def files_of(path: str) -> list[str]:
    """The files that are meant by a path: in a folder all that may hold matches, by their names.
    Raises Damaged for a folder that cannot be read, or holds none."""
    if not os.path.isdir(path):
        return [path]
    try:
        names = sorted(os.listdir(path))
    except OSError as error:
        raise Damaged(
            tr("{path} cannot be read: {reason}", path=shown(path, 200), reason=error.strerror)
        ) from None
    found = [os.path.join(path, name) for name in names if name.lower().endswith(ENDINGS)]
    if not found:
        raise Damaged(
            tr("{path} cannot be read: there are no records in this folder", path=shown(path, 200)),
            tr("it takes files that end in {endings}", endings=", ".join(ENDINGS)),
        )
    return found


def arrivals(path: str) -> Iterator[Arrival | Refused]:
    """The matches in a file, each played as it is read; what cannot be read ends no other."""
    try:
        with open(path, "rb") as file:  # once: it may be a pipe
            if is_json(path, file.peek(LOOK)[:LOOK].removeprefix(b"\xef\xbb\xbf")):
                for found in found_in(path, file):
                    yield _arrival(path, found.line, found.record, found.size, found.sha)
            else:
                yield _arrival(path, 0, None, os.path.getsize(path), file=file)
    except Failure as failure:
        yield Refused(path, 0, [failure])
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        said = tr("{path} cannot be read: {reason}", path=shown(path, 200), reason=reason)
        yield Refused(path, 0, [Damaged(said)])
    except Exception as error:
        yield Refused(path, 0, [_mistake(error, path)])


def _arrival(
    path: str,
    line: int,
    record: dict[str, Plain] | Damaged | None,
    size: int,
    sha: str = "",
    file: BinaryIO | None = None,
) -> Arrival | Refused:
    if isinstance(record, Damaged):
        return Refused(path, line, [record], size)
    name = tr("{path}, line {line}", path=path, line=line) if line else path
    try:
        source = Source(name, record, file)
        match, told = read(source)
        if sha and match.ruleset.sha256 != sha:
            raise Damaged(
                tr("{path}: its rules are not told, and {ruleset} has others here",
                   path=shown(name, 200), ruleset=match.ruleset.name),
                tr("export it again by this version of the program"),
            )  # fmt: skip
        options = source.data.get("options", {})
        claims = misclaimed(source, match)
        others = other_rules(source.data, match.ruleset)
        about = source.about
    except Failure as failure:
        return Refused(path, line, [failure], size)
    except Exception as error:
        return Refused(path, line, [_mistake(error, name)], size)
    return Arrival(path, line, match, told, about, options, claims, size=size, other_rules=others)


def _mistake(error: Exception, path: str) -> Failure:
    from scorekeeper.store.errors import own_mistake  # which brings SQLite along

    return own_mistake(error, path)


# --- a match that was read, put into a store unless it is there already


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
