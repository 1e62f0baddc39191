"""The import of matches into a store. Each match is imported completely or not at all.

Several matches are written in one transaction.

A record can also correct the match from which it was exported. Each difference becomes an
amendment, and nothing is deleted.
"""

from __future__ import annotations

import re
import time
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Failure, Impossible, Locked, Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.store.arrivals import (
    RejectedFile,
    identity,
    import_match,
    origin_text,
    similar_matches,
    stored_rules,
)
from scorekeeper.store.recorder import current_entries, log_row, make_round_row, summarize_match
from scorekeeper.store.rows import (
    DAY_PREFIX,
    MatchDetails,
    UncertainWrite,
    day_of,
    day_to_store,
    details_of,
    is_day,
    new_identifier,
)
from scorekeeper.store.score_table import NOTE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Literal, TypeAlias

    from scorekeeper.match.match import Match
    from scorekeeper.match.view import ReviewedRound
    from scorekeeper.store.arrivals import IncomingMatch, SimilarMatch
    from scorekeeper.store.rows import DetailOptions, LogRow, MatchRow, Store

    # The import modes. They differ in how they treat the stored match from which the imported match
    # was exported. `beside` imports the match as an additional one, `replace` corrects the stored
    # one, and `ask` leaves the choice to the user. The modes with `look` write nothing and only
    # return the result that an import would produce.
    How: TypeAlias = Literal["beside", "replace", "ask", "look", "look to replace"]

# A beginning that is exact to the second, and therefore identifies the match.
EXACT_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


# The limits of one transaction. Other processes must wait until it ends.
MAX_BATCH_MATCHES = 50  # matches
MAX_BATCH_ENTRIES = 5_000
MAX_BATCH_SECONDS = 0.25  # seconds
REPLACE_MODES = ("replace", "look to replace")
DRY_RUN_MODES = ("look", "look to replace")


class ImportResult(NamedTuple):
    """The result of importing a match.

    `match` is its number in the store, or 0 if it was not stored. `known` is set if the store
    already contained it. `similar` are similar matches, and `origins` are the matches from which it
    may have been exported.

    `replaced` is set if the import corrects the only origin. In this case `changed` are the details
    that change (see `detail_changes`). `identical` are the numbers of other stored matches that are
    equal to the imported one.
    """

    match: int
    known: bool
    similar: Sequence[SimilarMatch] = ()
    origins: Sequence[MatchRow] = ()
    replaced: bool = False
    changed: Mapping[str, tuple[str, str]] = {}
    identical: Sequence[int] = ()


def import_incoming(store: Store, arrival: IncomingMatch, how: How) -> ImportResult:
    """Import a match, unless it is already in the store.

    In mode `ask`, a match with exactly one possible origin is not written, and `match` in the
    result is 0. Raises Impossible if several matches could be replaced, and Unreadable if the only
    one cannot be replaced. It also raises Unreadable if the stated beginning is a day that does not
    exist. Free text such as “in May” is accepted.
    """
    match, about = arrival.match, MatchDetails(**arrival.details)
    if DAY_PREFIX.match(about.started) and not day_of(about.started):
        raise Unreadable(
            tr("“{date}” is not a date", date=quote(about.started, 40)),
            'started = "2026-11-20", started = "2026-11-20T20:15"',
        )
    if about.day and not is_day(about.day):
        raise Unreadable(
            tr("“{date}” is not a date", date=quote(about.day, 40)), 'day = "2026-11-20"'
        )
    likenesses = similar_matches(store, match, about, _ignored_details(arrival))
    same = [each.match for each in likenesses if not each.differs]
    possible = []
    if how in REPLACE_MODES or not same:
        find_origins = _score_table_origins if arrival.is_scores_only else possible_origins
        possible = find_origins(store, match, about)
    if same:  # a correction is always stored after its origin and has a higher number
        possible = [row for row in possible if row.id < min(same)]
    if how in REPLACE_MODES and len(possible) > 1:
        raise _ambiguous_origin(possible)
    origin = possible[0] if len(possible) == 1 else None
    if origin is not None and how in REPLACE_MODES:
        changed = detail_changes(origin, arrival.details)
        if how == "replace":
            replace_match(store, origin, match, arrival.details, arrival.finished_rounds)
        else:
            check_replaceable(store, origin, match)
        return ImportResult(origin.id, True, (), possible, True, changed, same)
    if how in DRY_RUN_MODES or (how == "ask" and origin is not None):
        number = same[0] if same else 0
        return ImportResult(
            number, bool(same), () if same else _relevant_similar(arrival, likenesses), possible
        )
    details = arrival.details
    # The origin is not replaced. The new match gets another identifier, so that the two can be
    # distinguished.
    if origin is not None:
        details = {**details, "identifier": new_identifier()}
    imported = import_match(
        store,
        match,
        options=arrival.options,
        finished_rounds=arrival.finished_rounds,
        besides=_ignored_details(arrival),
        **details,
    )
    return ImportResult(
        imported.match, imported.known, _relevant_similar(arrival, imported.similar), possible
    )


def _score_table_origins(store: Store, match: Match, about: MatchDetails) -> list[MatchRow]:
    """Return the stored matches that may be earlier imports of the same row of a score table.

    They were imported from a table, with the given match's players, rules, day, place and title.
    """
    rows = store.similar_matches(match.initial_players, about.started, "") if about.started else []
    same = (match.ruleset.sha256, about.started, about.place or "", about.title)
    return [
        row
        for row in rows
        if (stored_rules(store, row), row.started, row.place or "", row.title) == same
        and row.note.startswith(NOTE)
    ]


def _ignored_details(arrival: IncomingMatch) -> Sequence[str]:
    """Return the details to ignore in comparisons.

    The note of a match from a score table only names the table and is therefore ignored.
    """
    return ["note"] if arrival.is_scores_only else []


def _relevant_similar(
    arrival: IncomingMatch, likenesses: Sequence[SimilarMatch]
) -> list[SimilarMatch]:
    """Return the similar matches to report.

    If only the scores of a match are known, it often has the same entries as another match by
    chance. Similar matches with a different beginning are then not reported.
    """
    return [
        like for like in likenesses if not (arrival.is_scores_only and "started" in like.differs)
    ]


def import_all(
    store: Store, arriving: Iterable[IncomingMatch | RejectedFile], how: How
) -> Iterator[tuple[IncomingMatch, ImportResult] | RejectedFile]:
    """Import matches in the given order, and yield the result of each.

    Several matches are written in one transaction. If the transaction fails, each match is written
    separately, and the invalid ones are rejected. A Locked or UncertainWrite error ends the import.
    Even then, every match whose result has already been yielded is stored.
    """
    if how in DRY_RUN_MODES:
        yield from _dry_run(store, arriving, how)
        return
    waiting: list[IncomingMatch | RejectedFile] = []
    weight = 0
    for each in arriving:
        waiting.append(each)
        if not isinstance(each, RejectedFile):
            weight += sum(len(played.entries) for played in each.match.rounds)
        if len(waiting) >= MAX_BATCH_MATCHES or weight >= MAX_BATCH_ENTRIES:
            yield from _import_batches(store, waiting, how)
            waiting, weight = [], 0
    yield from _import_batches(store, waiting, how)


def _dry_run(
    store: Store, arriving: Iterable[IncomingMatch | RejectedFile], how: How
) -> Iterator[tuple[IncomingMatch, ImportResult] | RejectedFile]:
    """Yield the results that imports would produce, without writing. Only the first of several
    equal matches counts as new."""
    seen: set[tuple[object, ...]] = set()
    for each in arriving:
        outcome = import_alone(store, each, how)
        if not isinstance(outcome, RejectedFile):
            arrival, result = outcome
            key = identity(
                arrival.match, MatchDetails(**arrival.details), _ignored_details(arrival)
            )
            if key in seen:
                sources = () if result.replaced else result.origins
                outcome = arrival, ImportResult(result.match, True, result.similar, sources)
            seen.add(key)
        yield outcome


def _import_batches(
    store: Store, waiting: Sequence[IncomingMatch | RejectedFile], how: How
) -> Iterator[tuple[IncomingMatch, ImportResult] | RejectedFile]:
    remaining = list(waiting)
    while remaining:
        done = _import_batch(store, remaining, how)
        yield from done
        remaining = remaining[len(done) :]


def _import_batch(
    store: Store, waiting: Sequence[IncomingMatch | RejectedFile], how: How
) -> Sequence[tuple[IncomingMatch, ImportResult] | RejectedFile]:
    """Import matches in the order of the list, until the time limit of one transaction."""
    if all(isinstance(each, RejectedFile) for each in waiting):
        return [import_alone(store, each, how) for each in waiting]
    done: list[tuple[IncomingMatch, ImportResult] | RejectedFile] = []
    try:
        with store.batch():
            until = time.monotonic() + MAX_BATCH_SECONDS
            for each in waiting:
                done.append(
                    each
                    if isinstance(each, RejectedFile)
                    else (each, import_incoming(store, each, how))
                )
                if time.monotonic() > until:
                    break
    except (Locked, UncertainWrite):
        raise
    except Failure:
        return [import_alone(store, each, how) for each in waiting]
    return done


def import_alone(
    store: Store, each: IncomingMatch | RejectedFile, how: How
) -> tuple[IncomingMatch, ImportResult] | RejectedFile:
    """Import a match, or return the reason for its rejection.

    A Locked or UncertainWrite error is passed on, because it is no reason to reject the match.
    """
    if isinstance(each, RejectedFile):
        return each
    try:
        return each, import_incoming(store, each, how)
    except (Locked, UncertainWrite):
        raise
    except Failure as failure:
        # name the record in the message, unless the book itself is damaged
        if not isinstance(failure, Damaged):
            what = failure.message
            failure.message = tr("{path}: {what}", path=quote(origin_text(each), 200), what=what)
        return RejectedFile(each.file, each.line, [failure], each.size)


def _ambiguous_origin(possible: Sequence[MatchRow]) -> Failure:
    """Return the error for a record with several possible origins."""
    numbers = ", ".join(str(row.id) for row in possible)
    return Impossible(
        tr("the record may have been exported from any of the matches {numbers}", numbers=numbers),
        tr(
            "delete the duplicates with {command}, then import the record again",
            command=f"scorekeeper delete {possible[-1].id}",
        ),
    )


# --- correcting a stored match by its record


def possible_origins(store: Store, match: Match, about: MatchDetails) -> list[MatchRow]:
    """Return the stored matches from which a record may have been exported.

    If the record has an identifier, return the matches with the same identifier. Otherwise, return
    the matches that have none, were played by the same players and began at the same second.
    """
    if about.identifier:
        return store.matches_with_id(about.identifier)
    if not EXACT_MOMENT.match(about.started):
        return []
    rows = store.similar_matches(match.initial_players, about.started, "")
    return [row for row in rows if row.started == about.started and not row.identifier]


def replace_match(
    store: Store,
    row: MatchRow,
    match: Match,
    details: DetailOptions,
    finished_rounds: Sequence[ReviewedRound],
) -> None:
    """Correct a stored match so that it agrees with an imported one.

    `finished_rounds` are the rounds of the imported match. The log still contains the earlier
    entries, and undo restores them, one correction at a time. Details that are missing from the
    record do not change. Raises Unreadable (see `check_replaceable`).
    """
    check_replaceable(store, row, match)
    wanted = [played.entries for played in match.rounds]
    with store.batch():
        log = store.log(row.id)
        rows = list(corrections(current_entries(log), wanted))
        if rows:
            # The rounds were cached from the earlier log, so a match cannot be continued from them.
            cached = [
                make_round_row(match, played, 1 if played.number == 1 else None, seen)
                for played, seen in zip(match.rounds, finished_rounds, strict=True)
            ]
            about_it = summarize_match(match)
            store.append(row.id, len(log), rows, finished=cached, reopened=1, summary=about_it)
        changed = {key: text for key, (_, text) in detail_changes(row, details).items()}
        if "started" in changed:
            changed["day"] = details.get("day", "")
        store.describe(row.id, **changed)


def check_replaceable(store: Store, row: MatchRow, match: Match) -> None:
    """Raise Unreadable if a match and its replacement have different players or rules."""
    message = ""
    if match.initial_players != row.players:
        message = N_(
            "the record does not have the same players as match {match}, so it cannot replace "
            "that match"
        )
    elif match.ruleset.sha256 != stored_rules(store, row):
        message = N_(
            "the record does not have the same rules as match {match}, so it cannot replace "
            "that match"
        )
    if message:
        raise Unreadable(
            tr(message, match=row.id),
            tr("import the record as a separate match, without --replace"),
        )


def detail_changes(row: MatchRow, details: DetailOptions) -> dict[str, tuple[str, str]]:
    """Return the details that a record changes, by key, as pairs of old and new text.

    If the beginning changes, the day changes with it and is not returned separately.
    """
    current = details_of(row)._asdict()
    new = {key: str(text or "") for key, text in details.items() if key != "identifier"}
    if new.get("started", row.started) != row.started:
        new.pop("day", None)
    elif "day" in new:
        new["day"] = day_to_store(row.started, new["day"])
    return {
        key: (current[key] or "", text) for key, text in new.items() if text != (current[key] or "")
    }


def corrections(before: Sequence[list[str]], after: Sequence[list[str]]) -> Iterator[LogRow]:
    """Yield the operations that turn the entries `before` into the entries `after`.

    The last round is corrected first, so that no correction changes the numbers that a later
    correction uses. New rounds follow at the end as new entries.
    """
    for number in range(len(before), len(after), -1):
        for entry in range(len(before[number - 1]), 0, -1):
            yield log_row("remove", number, entry, before[number - 1][entry - 1])
    common = min(len(before), len(after))
    for number in range(common, 0, -1):
        yield from _round_corrections(number, before[number - 1], after[number - 1])
    for number in range(common + 1, len(after) + 1):
        for entry, text in enumerate(after[number - 1], 1):
            yield log_row("entry", number, entry, text)


def _round_corrections(number: int, before: list[str], after: list[str]) -> Iterator[LogRow]:
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for kind, first, last, start, end in reversed(steps):
        text = "\n".join(after[start:end])
        if kind == "insert":
            yield log_row("insert", number, first + 1, text)
        if kind in ("delete", "replace"):
            first_removed = first + (kind == "replace")
            for entry in range(last, first_removed, -1):
                yield log_row("remove", number, entry, before[entry - 1])
        if kind == "replace":
            is_several = end - start > 1
            yield log_row("replace" if is_several else "amend", number, first + 1, text)
