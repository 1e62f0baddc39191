"""The cache of a store: standings and results of rounds, from which matches are displayed.

A finished round is displayed from its cached summary, and a live round from its entries. If a
summary is missing or was written by another version of the program, the match is played again and
its summaries are stored.

Cached data is validated before use, because another program may have written it with a correct
checksum. Damaged cached data is rebuilt from the log. A damaged log cannot be rebuilt. In this case
the match is left unchanged, and `check-book` reports what can be rescued.
"""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import ENGLISH, N_, current_language, tr
from scorekeeper.engine.ruleset import pinned
from scorekeeper.engine.seating import AWAY, PREFERRED, ROSTER, all_names, seated_names
from scorekeeper.match.summary import expand_entry, is_about, is_current, is_listed, is_shaped
from scorekeeper.match.view import MatchView, ReviewedRound
from scorekeeper.store.recorder import MatchRecorder, is_standing, make_round_row, summarize_match
from scorekeeper.store.rows import Conflict, DamagedCache, details_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scorekeeper.core.types import Json, JsonValue, Summary
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.match import Match
    from scorekeeper.match.summary import ListedEntry
    from scorekeeper.store.rows import MatchRow, RoundRow, Store


PAGE = 200  # number of matches to read at once
MAX_BATCH_ENTRIES = (
    # total number of entries in matches that are read at once; a longer match is read separately
    1_000
)
MAX_RULESETS = 50


class StoredMatch(MatchView):
    """A stored match, read from its cached rounds.

    `row` is its row in the match list. `live` is the match with its unfinished round, or None if
    all rounds are finished.
    """

    def __init__(
        self,
        row: MatchRow,
        ruleset: Ruleset,
        rounds: Sequence[RoundRow],
        live: Match | None,
    ) -> None:
        self.row = row
        self.ruleset = ruleset
        self._rounds = rounds
        self._live = live

    @cached_property
    def players(self) -> list[str]:
        """All players who have ever been at the table: the initial players, then the others in the
        order in which they joined."""
        if self._live is not None:
            return self._live.players
        return all_names(self._last_summary, self.row.players)

    @property
    def seated_players(self) -> list[str]:
        """The players at the table, clockwise."""
        if self._live is not None:
            return self._live.seated_players
        return seated_names(self._last_summary, self.row.players)

    @property
    def initial_players(self) -> list[str]:
        """The players who began the match."""
        return self.row.players

    @property
    def scores(self) -> dict[str, int]:
        """The tallies of all players who have ever been at the table, by name."""
        if self._live is not None:
            return self._live.scores
        last = self._last_summary
        away = last[ROSTER][AWAY] if ROSTER in last else {}
        tallies = {**away, **last["tally"]}
        return {name: tallies[name] for name in self.players}

    @property
    def over(self) -> bool:
        """True if the match is finished."""
        return self._live.over if self._live is not None else bool(self._last_summary["ends"])

    @property
    def preferred(self) -> list[str]:
        """The names of the only players who can win. The list is empty if every player can win."""
        if self._live is not None:
            return self._live.preferred
        return list(self._last_summary.get(PREFERRED, ()))

    @property
    def _last_summary(self) -> Summary:
        """The summary of the last round of a match without a live round."""
        last: Summary = self._rounds[-1].summary
        return last

    def record_text(self) -> str:
        """Return the match as record text."""
        from scorekeeper.store.record import record_text

        return record_text(self, options=self.row.options, **details_of(self.row)._asdict())

    def _live_rounds(self) -> Iterator[ReviewedRound]:
        """Yield the rounds without a cached summary."""
        if self._live is not None:
            for played in self._live.rounds:
                if played.number > len(self._rounds):
                    yield self._live.review_round(played)

    def summaries(self) -> Iterator[Summary]:
        """Yield the summary of every round, in order."""
        for row in self._rounds:
            yield row.summary
        for finished in self._live_rounds():
            yield finished.summary

    def review(self) -> Iterator[ReviewedRound]:
        """Yield every round with its entries and its summary."""
        for row in self._rounds:
            yield ReviewedRound(
                [text for text, *_ in cached_entries(row, self.row.id)], row.summary
            )
        yield from self._live_rounds()

    def list_entries(self) -> Iterator[tuple[Summary, list[ListedEntry]]]:
        """Yield the summary of every round, with its entries as `ListedEntry` values."""
        for row in self._rounds:
            yield row.summary, list(map(expand_entry, cached_entries(row, self.row.id)))
        yield from self._list_entries(self._live_rounds())


class RoundCache:
    """The matches of a store. Each match is read when it is needed.

    `again` is called before the first match that must be played again. `replay_count` is the number
    of matches with finished rounds that were played again. `store_failure` is the error that
    prevented their results from being stored, or None.
    """

    def __init__(self, store: Store, again: Callable[[], None] = lambda: None) -> None:
        self.store = store
        self.replay_count = 0
        self.store_failure: Damaged | None = None
        self._on_first_replay = again
        self._rulesets: dict[str, Ruleset] = {}

    def all_matches(self) -> Iterator[StoredMatch]:
        """Return all matches, ordered by number."""
        return self.matches(all_rows(self.store))

    def match(self, row: MatchRow) -> StoredMatch:
        """Return one match. Raises Damaged if its cached data is damaged."""
        return next(self.matches([row]))

    def matches(self, rows: Iterable[MatchRow]) -> Iterator[StoredMatch]:
        """Yield these matches. Raises Damaged if the cached data of a match is damaged."""
        for some in _batches(rows):
            cached = self.store.rounds_of([row.id for row in some])
            for row in some:
                finished = _finished_rounds(cached[row.id], row)
                if finished and len(finished) == len(cached[row.id]):
                    yield StoredMatch(row, self.ruleset(row.ruleset_sha), finished, None)
                else:
                    yield self._load_unfinished(row)

    def _load_unfinished(self, row: MatchRow) -> StoredMatch:
        """Return a match with a live round, or with a round that is missing from the cache."""
        while True:
            desk = MatchRecorder(self.store, row.id)
            rows = self.store.rounds(row.id)
            finished, match = _finished_rounds(rows, row), desk.match
            if match.rounds and match.rounds[0].number > len(finished) + 1:
                match = desk.full_match()
            if self.store.position(row.id) == desk.last_position:
                break  # otherwise another process has recorded an entry between the two readings
        missing = [played for played in match.rounds if played.number > len(finished)]
        # Older versions stored no summary for a match whose only round was unfinished.
        max_missing = 0 if row.summary is None else 1
        if len(missing) > max_missing or any(played.over for played in missing):
            if not self.replay_count:
                self._on_first_replay()
            self.replay_count += 1
            begins = {1: 1, **{cached.number: cached.first_position for cached in rows}}
            made = [make_round_row(match, played, begins.get(played.number)) for played in missing]
            self._store_rounds(desk, match, made)
            finished += filter(_is_cached, made)
        return StoredMatch(row, desk.ruleset, finished, match)

    def match_in_language(self, row: MatchRow) -> StoredMatch:
        """Return one match with findings in the current message language.

        Cached findings are in English. For any other language the match is played again.
        """
        if current_language() == ENGLISH:
            return self.match(row)
        desk = MatchRecorder(self.store, row.id)
        return StoredMatch(row, desk.ruleset, [], desk.full_match())

    def _store_rounds(
        self, desk: MatchRecorder, match: Match, finished: Sequence[RoundRow]
    ) -> None:
        """Store rounds that were played again, if the store is writable."""
        if self.store_failure is None:
            try:
                self.store.append(
                    desk.id,
                    desk.last_position,
                    (),
                    finished=finished,
                    summary=summarize_match(match),
                )
            except Conflict:
                # another process is recording in the match; the rounds are stored at the next run
                pass
            except Damaged as failure:
                self.store_failure = failure

    def ruleset(self, sha: str) -> Ruleset:
        """Return the compiled ruleset of a match."""
        if sha not in self._rulesets:
            if len(self._rulesets) >= MAX_RULESETS:
                self._rulesets.clear()
            _, text, data = self.store.ruleset_text(sha)
            self._rulesets[sha] = pinned(text, sha, data)
        return self._rulesets[sha]


def _batches(rows: Iterable[MatchRow]) -> Iterator[list[MatchRow]]:
    """Yield the matches in batches with up to MAX_BATCH_ENTRIES entries in total."""
    some: list[MatchRow] = []
    entries = 0
    for row in rows:
        if some and entries + row.entries > MAX_BATCH_ENTRIES:
            yield some
            some, entries = [], 0
        some.append(row)
        entries += row.entries
    if some:
        yield some


def _finished_rounds(rows: Sequence[RoundRow], match: MatchRow) -> list[RoundRow]:
    """Return the finished rounds before the first round without a summary. Raises DamagedCache."""
    finished: list[RoundRow] = []
    for row in rows:
        if row.number != len(finished) + 1 or not _is_cached(row):
            break
        check_about(row, match.id, match.players)
        finished.append(row)
    if len(finished) == len(rows) and finished and not finished[-1].summary["over"]:
        finished.pop()
    return finished


def _is_cached(row: RoundRow) -> bool:
    """Return whether a round's summary and entries are cached in the format of this version."""
    return is_current(row.summary) and bool(row.entries_json)


def all_rows(store: Store) -> Iterator[MatchRow]:
    """Yield the row of every match, ordered by number. Rows are read as needed."""
    last = 0
    while page := store.matches(last, PAGE):
        yield from page
        last = page[-1].id


# --- rebuilding


def repair(store: Store) -> Iterator[DamagedCache]:
    """Rebuild all damaged cached data, and yield the error for each match that was rebuilt.

    At the end, Damaged is raised for the first match that could not be rebuilt.
    """
    failed: Damaged | None = None
    for damaged in invalid_summaries(store):
        try:
            _rebuild(store, damaged.match)
        except Damaged as failure:
            failed = failed or failure
        else:
            yield damaged
    if failed is not None:
        raise failed


def invalid_summaries(store: Store) -> Iterator[DamagedCache]:
    """Yield the error for each match with damaged cached data."""
    archive = RoundCache(store)
    for row in all_rows(store):
        try:
            check_cache(store, row, archive.ruleset(row.ruleset_sha))
        except DamagedCache as damaged:
            yield damaged


def _rebuild(store: Store, number: int) -> None:
    """Delete the cached data of a match and rebuild it from the log, completely or not at all."""
    with store.batch():
        seen = store.position(number)
        store.append(number, seen, (), reopened=1)
        match = MatchRecorder(
            store, number
        ).match  # without cached data the match is replayed from its log
        # The log positions at which later rounds begin cannot be reconstructed.
        finished = [
            make_round_row(match, each, 1 if each.number == 1 else None) for each in match.rounds
        ]
        store.append(number, seen, (), finished=finished, summary=summarize_match(match))


# --- validation


def check_cache(store: Store, match: MatchRow, ruleset: Ruleset) -> None:
    """Raise DamagedCache if the cached data of a match cannot have been written by this program."""
    checked_listing(match)
    for row in store.rounds(match.id):
        check_shape(row, match.id, ruleset, match.players)


def checked_listing(match: MatchRow) -> Json:
    """Return the data that the match list shows for a match (see `summarize_match`), or {} if there
    is none.

    Raises DamagedCache if the data has an unknown form.
    """
    summary = match.summary
    if summary is not None and not is_listed(summary):
        message = N_("the tallies of match {match} in the list of matches are damaged")
        raise DamagedCache(tr(message, match=match.id), match.id)
    return summary or {}


def check_shape(row: RoundRow, match: int, ruleset: Ruleset, players: Sequence[str]) -> None:
    """Raise DamagedCache if a cached round does not have the form that this program writes."""
    if not is_standing(row.standing, ruleset, players):
        raise _damaged_round(match, row.number)
    if is_current(row.summary):
        check_about(row, match, players)
        if not is_shaped(row.summary):
            raise _damaged_round(match, row.number)
        cached_entries(row, match)


def check_about(row: RoundRow, match: int, players: Sequence[str]) -> None:
    """Raise DamagedCache if a cached round cannot belong to a match with these players.

    The check is fast, because it only compares names.
    """
    if not is_about(row.summary, players):
        raise _damaged_round(match, row.number)


def cached_entries(row: RoundRow, match: int) -> list[list[JsonValue]]:
    """Return the cached entries of a round. Raises DamagedCache if they have an unknown form."""
    try:
        entries = json.loads(row.entries_json or "[]")
    except (TypeError, ValueError, RecursionError):
        entries = None
    if not isinstance(entries, list) or not all(map(_is_entry, entries)):
        raise _damaged_round(match, row.number)
    return entries


def _is_entry(value: JsonValue) -> bool:
    return (
        isinstance(value, list)
        and len(value) in (3, 6)
        and isinstance(value[0], str)
        and all(isinstance(field, str | None) for field in value[1:3])
        and all(isinstance(field, str) for field in value[3:])
    )


def _damaged_round(match: int, number: int) -> DamagedCache:
    """Return the error for a cached round that cannot have been written by this program."""
    message = N_("the stored result of match {match}, round {round} is damaged")
    return DamagedCache(tr(message, match=match, round=number), match)
