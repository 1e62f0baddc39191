"""Matches read from TOML records, JSON files and folders, and their comparison with stored
matches."""

from __future__ import annotations

import os
from hashlib import sha256
from itertools import zip_longest
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Failure
from scorekeeper.core.messages import tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.ruleset import pinned
from scorekeeper.store.json_record import JSON_LINES_ENDINGS, is_json, read_json_matches
from scorekeeper.store.record import RecordSource, changed_rules_sha
from scorekeeper.store.recorder import (
    create_match,
    current_entries,
    log_row,
    make_round_row,
    summarize_match,
)
from scorekeeper.store.rows import MatchDetails, as_json, details_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import BinaryIO, Unpack

    from scorekeeper.core.types import JsonValue
    from scorekeeper.match.match import Match
    from scorekeeper.match.view import ReviewedRound
    from scorekeeper.store.rows import DetailOptions, LogRow, MatchRow, RoundRow, Store


SNIFF_BYTES = 64  # number of bytes needed to distinguish JSON from a record
FILE_ENDINGS = (
    ".toml",
    ".json",
    *JSON_LINES_ENDINGS,
)  # suffixes of the files that are read from a folder


class IncomingMatch(NamedTuple):
    """A match read from a file.

    `line` is the line on which the match begins, or 0 if the match is the whole file. `size` is its
    size in bytes. `finished_rounds` are the rounds of the match, `details` its details, and
    `options` its ruleset options. `wrong_claims` are the numbers of the rounds whose scores differ
    from those claimed in the record.

    `is_scores_only` is set if the match was made from a score table. `is_totals_only` is set if
    only its totals are known, not its rounds. `unusual_rounds` lists the line and the total of each
    round whose total is unusual under the rules. `changed_rules_sha` is the SHA-256 of the rules in
    the record if the ruleset has changed since, or "".
    """

    file: str
    line: int
    match: Match
    finished_rounds: Sequence[ReviewedRound]
    details: DetailOptions
    options: Mapping[str, JsonValue]
    wrong_claims: Sequence[int] = ()
    is_scores_only: bool = False
    size: int = 0
    is_totals_only: bool = False
    changed_rules_sha: str = ""
    unusual_rounds: Sequence[tuple[int, int]] = ()


class RejectedFile(NamedTuple):
    """A file, or a part of one, that does not contain a valid match.

    `line` is the line on which the part begins, or 0 for the whole file. `size` is its size in
    bytes, and `failures` are the reasons for the rejection.
    """

    file: str
    line: int
    failures: Sequence[Failure]
    size: int = 0


def origin_text(item: IncomingMatch | RejectedFile) -> str:
    """Return the file of a match as text for users, with the line unless the match is the whole
    file."""
    if not item.line:
        return item.file
    return tr("{path}, line {line}", path=item.file, line=item.line)


def list_files(path: str) -> list[str]:
    """Return the files to read for a path.

    If the path is a file, only that file is returned. For a folder, the result is all files in it
    that may contain matches, sorted by name. Raises Damaged if the folder cannot be read or
    contains no such file.
    """
    if not os.path.isdir(path):
        return [path]
    try:
        names = sorted(os.listdir(path))
    except OSError as error:
        raise Damaged(
            tr("{path} cannot be read: {reason}", path=quote(path, 200), reason=error.strerror)
        ) from None
    paths = [os.path.join(path, name) for name in names if name.lower().endswith(FILE_ENDINGS)]
    if not paths:
        raise Damaged(
            tr("{path} cannot be read: there are no records in this folder", path=quote(path, 200)),
            tr("names of record files end in {endings}", endings=", ".join(FILE_ENDINGS)),
        )
    return paths


def read_incoming(path: str) -> Iterator[IncomingMatch | RejectedFile]:
    """Yield each match in a file as soon as it is read.

    If a match cannot be read, a RejectedFile is yielded in its place, and reading continues.
    """
    try:
        with open(path, "rb") as file:  # open the file only once, because it may be a pipe
            if is_json(path, file.peek(SNIFF_BYTES)[:SNIFF_BYTES].removeprefix(b"\xef\xbb\xbf")):
                for item in read_json_matches(path, file):
                    yield _read_match(path, item.line, item.record, item.size, item.sha)
            else:
                yield _read_match(path, 0, None, os.path.getsize(path), file=file)
    except Failure as failure:
        yield RejectedFile(path, 0, [failure])
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = tr("{path} cannot be read: {reason}", path=quote(path, 200), reason=reason)
        yield RejectedFile(path, 0, [Damaged(message)])
    except Exception as error:
        yield RejectedFile(path, 0, [_internal_error(error, path)])


def _read_match(
    path: str,
    line: int,
    record: dict[str, JsonValue] | Damaged | None,
    size: int,
    sha: str = "",
    file: BinaryIO | None = None,
) -> IncomingMatch | RejectedFile:
    if isinstance(record, Damaged):
        return RejectedFile(path, line, [record], size)
    name = tr("{path}, line {line}", path=path, line=line) if line else path
    try:
        source = RecordSource(name, record, file)
        match, rounds = play_record(source)
        if sha not in ("", match.ruleset.sha256, match.ruleset.text_sha256):
            raise Damaged(
                tr("{path} does not contain its rules, and the ruleset {ruleset} is different on "
                   "this computer",
                   path=quote(name, 200), ruleset=match.ruleset.name),
                tr("export the match again with this version of the program"),
            )  # fmt: skip
        options = source.data.get("options", {})
        claims = wrong_claims(source, match)
        others = changed_rules_sha(source.data, match.ruleset)
        about = source.details
    except Failure as failure:
        return RejectedFile(path, line, [failure], size)
    except Exception as error:
        return RejectedFile(path, line, [_internal_error(error, name)], size)
    return IncomingMatch(
        path, line, match, rounds, about, options, claims, size=size, changed_rules_sha=others
    )


def _internal_error(error: Exception, path: str) -> Failure:
    # imported here because `errors` imports SQLite
    from scorekeeper.store.errors import internal_error

    return internal_error(error, path)


# --- matches compared with the store, and imported


class StoredImport(NamedTuple):
    """The result of importing a match.

    `match` is its number. `known` is true if it was already stored. `similar` lists the stored
    matches that are similar to it.
    """

    match: int
    known: bool
    similar: list[SimilarMatch]


class SimilarMatch(NamedTuple):
    """A stored match that is similar to a given match, with the names of the details that
    differ."""

    match: int
    differs: list[str]


def play_record(source: RecordSource) -> tuple[Match, list[ReviewedRound]]:
    """Play the match of a record, and return it with its finished rounds.

    Rounds without entries are left out, because a log cannot contain them.
    """
    match, rounds = source.match(), []
    for index in range(len(source.rounds)):
        texts = [text for _, text in source.texts(match, index)]
        if texts:
            rounds.append(match.review_for_storage(match.play_round(texts)))
    return match, rounds


def similar_matches(
    store: Store, match: Match, about: MatchDetails, besides: Sequence[str] = ()
) -> list[SimilarMatch]:
    """Return the stored matches that are identical or similar to a given match.

    The store is not changed. Differences in the details named in `besides` are ignored.
    """
    details = _distinguishing_details(match.ruleset.sha256, about, besides)
    return [*_find_similar(store, match.initial_players, details, fingerprint(match), keep=False)]


def identity(match: Match, about: MatchDetails, besides: Sequence[str] = ()) -> tuple[object, ...]:
    """Return a key that is equal for equal matches (see `import_match`)."""
    details = _distinguishing_details(match.ruleset.sha256, about, besides)
    return (*match.initial_players, *details.items(), fingerprint(match))


def stored_rules(store: Store, row: MatchRow) -> str:
    """Return the SHA-256 hash of the rules of a stored match (see `Ruleset.sha256`).

    If the rules cannot be read, return the hash of their text.
    """
    sha, text, data = store.ruleset_text(row.ruleset_sha)
    try:
        return pinned(text, sha, data if isinstance(data, dict) else None).sha256
    except Damaged:
        return row.ruleset_sha


def fingerprint(match: Match) -> str:
    """Return a hash of a match's entries, which the store uses to look the match up."""
    return _hash_entries([played.entries for played in match.rounds])


def wrong_claims(source: RecordSource, match: Match) -> list[int]:
    """Return the numbers of the rounds whose scores differ from those claimed in the record."""
    if len(match.rounds) != len(source.claimed_scores):
        return []  # some rounds have no entries
    pairs = zip(match.rounds, source.claimed_scores, strict=True)
    return [
        played.number
        for played, claimed in pairs
        if claimed is not None and claimed != played.scores
    ]


def import_match(
    store: Store,
    match: Match,
    *,
    options: Mapping[str, JsonValue] | None = None,
    finished_rounds: Sequence[ReviewedRound] = (),
    besides: Sequence[str] = (),
    **about_it: Unpack[DetailOptions],
) -> StoredImport:
    """Store a match, unless it is already in the store.

    Two matches are the same if their players, entries, rules and details agree. Options are not
    compared, because the SHA-256 of the rules already reflects them. The details named in `besides`
    are not compared either. Pass `finished_rounds` if the finished rounds are already known.
    """
    about = MatchDetails(**about_it)
    details = _distinguishing_details(match.ruleset.sha256, about, besides)
    mark = fingerprint(match)
    with store.batch():
        like = list(_find_similar(store, match.initial_players, details, mark))
        for each in like:
            if not each.differs:
                return StoredImport(each.match, True, [])
        number = create_match(store, match, about, options or {})
        rows: list[LogRow] = []
        cached: list[RoundRow] = []
        for played, seen in zip_longest(match.rounds, finished_rounds):
            cached.append(make_round_row(match, played, len(rows) + 1, seen))
            for position, text in enumerate(played.entries, 1):
                rows.append(log_row("entry", played.number, position, text))
        store.append(
            number, 0, rows, finished=cached, summary=summarize_match(match), fingerprint=mark
        )
    return StoredImport(number, False, like)


def _find_similar(
    store: Store, players: Sequence[str], details: Mapping[str, str], mark: str, keep: bool = True
) -> Iterator[SimilarMatch]:
    """Yield the stored matches between these players with the given entries or beginning.

    `mark` is the fingerprint of the entries, and `details` contains the beginning. If `keep` is
    set, missing fingerprints are computed and stored.
    """
    for row in store.similar_matches(players, details["started"], mark):
        other = _distinguishing_details(stored_rules(store, row), details_of(row))
        differs = [name for name in details if other[name] != details[name]]
        if (row.fingerprint or _current_fingerprint(store, row, keep)) != mark:
            differs.append("entries")
        if "entries" not in differs or (row.started and "started" not in differs):
            yield SimilarMatch(row.id, differs)


def _current_fingerprint(store: Store, row: MatchRow, keep: bool) -> str:
    """Compute the fingerprint of a stored match. If `keep` is set, store it too."""
    log = store.log(row.id)
    mark = _hash_entries(current_entries(log))
    if keep:
        store.append(row.id, len(log), (), fingerprint=mark)
    return mark


def _hash_entries(rounds: Sequence[Sequence[str]]) -> str:
    """Return a hash of the entries and of their division into rounds."""
    return sha256(as_json(rounds).encode()).hexdigest()


def _distinguishing_details(
    sha: str, about: MatchDetails, besides: Sequence[str] = ()
) -> dict[str, str]:
    """Return the details that distinguish matches with the same players and entries."""
    details = {"rules": sha, "started": about.started, "place": about.place or "",
               "language": about.language, "title": about.title, "note": about.note}  # fmt: skip
    return {name: text for name, text in details.items() if name not in besides}
