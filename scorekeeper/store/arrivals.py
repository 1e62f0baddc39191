"""Matches from records, JSON and folders, compared with the matches of a store."""

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


LOOK = 64  # bytes that are needed to distinguish JSON from a record
ENDINGS = (".toml", ".json", *LINES)  # the endings of the files to read in a folder


class Arrival(NamedTuple):
    """A match that was read from a file.

    `line` is where it begins in the file (0: it is the whole file) and `size` the number of its
    bytes. `finished_rounds` are its rounds, `details` its details, and `options` the options of
    its ruleset. `wrong_claims` are the numbers of rounds with other scores than the record
    claims.

    A match with `is_scores_only` was made from a score table. With `is_totals_only` only its totals
    are known, not its rounds. `unusual_rounds` are rounds of a table with a total that the rules
    do not have, each with its line and total. `changed_rules_sha` is the SHA-256 of the rules of
    the record, if today's rules are different.
    """

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
    """A file, or a part of one, that is no valid match.

    `line` is where it begins in the file (0: it is the whole file), `size` the number of its bytes,
    and `failures` are the reasons.
    """

    file: str
    line: int
    failures: Sequence[Failure]
    size: int = 0


def place_of(found: Arrival | Refused) -> str:
    """Return the file and line of a match, for people."""
    if not found.line:
        return found.file
    return tr("{path}, line {line}", path=found.file, line=found.line)


def files_of(path: str) -> list[str]:
    """Return the files that a path refers to, for a folder all files that may contain matches, by
    name.

    Raises Damaged for a folder that cannot be read, or contains no such file.
    """
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
    """Return the matches of a file as they are read. A match that cannot be read does not stop the
    others."""
    try:
        with open(path, "rb") as file:  # opened once, because it may be a pipe
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
    from scorekeeper.store.errors import own_mistake  # imported here because it imports SQLite

    return own_mistake(error, path)


# --- matches compared with the store, and imported


class Imported(NamedTuple):
    """The number of an imported match, whether the store had it already, and similar matches."""

    match: int
    known: bool
    like: list[Like]


class Like(NamedTuple):
    """A match of the store that is similar to another one, and the names of what differs."""

    match: int
    differs: list[str]


def read(source: Source) -> tuple[Match, list[Told]]:
    """Play the match of a record. Return it with its finished rounds.

    Rounds without entries are left out, because a log cannot contain them.
    """
    match, told = source.match(), []
    for index in range(len(source.rounds)):
        texts = [text for _, text in source.texts(match, index)]
        if texts:
            told.append(match.kept(match.play_round(texts)))
    return match, told


def alike(store: Store, match: Match, about: About, besides: Sequence[str] = ()) -> list[Like]:
    """Return the matches of a store that are the same as a match, or similar to it.

    Nothing is written. Differences in the details named in `besides` are ignored.
    """
    said = _said(match.ruleset.sha256, about, besides)
    return [*_likenesses(store, match.began_with, said, fingerprint(match), keep=False)]


def identity(match: Match, about: About, besides: Sequence[str] = ()) -> tuple[object, ...]:
    """Return a key that is equal for matches that are the same (see `import_match`)."""
    said = _said(match.ruleset.sha256, about, besides)
    return (*match.began_with, *said.items(), fingerprint(match))


def fingerprint(match: Match) -> str:
    """Return the fingerprint of the entries of a match, by which it is looked up."""
    return _mark([played.entries for played in match.rounds])


def misclaimed(source: Source, match: Match) -> list[int]:
    """Return the numbers of the rounds with other scores than the record claims."""
    if len(match.rounds) != len(source.claimed):
        return []  # some have no entries
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
    """Store a match, unless the store has it already.

    Two matches are the same if their players, entries, rules and details agree. Options are not
    compared, because the SHA-256 of the rules depends on them, and neither are the details named in
    `besides`. `told` are the finished rounds, if the caller has them.
    """
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
    """Return the matches between the same players with the same beginning or the same entries.

    With `keep` missing fingerprints are computed and stored.
    """
    for row in store.alike(players, said["started"], mark):
        theirs = _said(row.ruleset_sha, about_of(row))
        differs = [name for name in said if theirs[name] != said[name]]
        if (row.fingerprint or _marked(store, row, keep)) != mark:
            differs.append("entries")
        if "entries" not in differs or (row.started and "started" not in differs):
            yield Like(row.id, differs)


def _marked(store: Store, row: MatchRow, keep: bool) -> str:
    """Return the fingerprint of a match. A missing one is computed, and stored with `keep`."""
    log = store.log(row.id)
    mark = _mark(stands(log))
    if keep:
        store.append(row.id, len(log), (), fingerprint=mark)
    return mark


def _mark(rounds: Sequence[Sequence[str]]) -> str:
    """Return a hash of entries, which is equal only for the same entries in the same rounds."""
    return sha256(as_json(rounds).encode()).hexdigest()


def _said(sha: str, about: About, besides: Sequence[str] = ()) -> dict[str, str]:
    """Return the details that distinguish matches with the same players and entries."""
    said = {"rules": sha, "started": about.started, "place": about.place or "",
            "language": about.language, "title": about.title, "note": about.note}  # fmt: skip
    return {name: text for name, text in said.items() if name not in besides}
