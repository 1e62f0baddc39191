"""What a store keeps of rounds and matches besides the log, and how to tell of a match by it.

A match is told from the summaries of its rounds, the round that goes on from its entries. Where a
summary is missing, or was made by another version, the match is played again, and what its rounds
came to is kept.

What is kept is looked at first, for its checksum may be right though another has written into the
book. Where it is damaged it is made again from the log. A log is never mended: nobody knows what
was in it. Where one is damaged, nothing of its match is changed, and `rescue` says what can be
saved.
"""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import ENGLISH, language, mark, tr
from scorekeeper.engine.pinning import pinned
from scorekeeper.engine.seating import AWAY, ROSTER, everyone, seated
from scorekeeper.match.summary import is_about, is_current, is_listed, is_shaped, spread
from scorekeeper.match.view import MatchView, Told
from scorekeeper.store.recorder import Desk, is_standing, kept_round, summary_of
from scorekeeper.store.rows import Conflict, KeptDamaged, about_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scorekeeper.core.types import Json, Plain, Summary
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.match import Match
    from scorekeeper.match.summary import Entered
    from scorekeeper.store.rows import MatchRow, RoundRow, Store


PAGE = 200  # matches that are read at once
ENTRIES = 1_000  # of the matches whose rounds are read at once; a longer match is read alone
MOST_RULESETS = 50


class StoredMatch(MatchView):
    """A match of a store, by what is kept of its rounds. `row` is what is listed of it; `live`,
    where its last round goes on, has that one."""

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
        """Everybody who has ever sat at the table: those who began, then as they came."""
        if self._live is not None:
            return self._live.players
        return everyone(self._last, self.row.players)

    @property
    def seated(self) -> list[str]:
        """Who sits at the table, clockwise."""
        if self._live is not None:
            return self._live.seated
        return seated(self._last, self.row.players)

    @property
    def began_with(self) -> list[str]:
        """Those who sat there at the beginning."""
        return self.row.players

    @property
    def scores(self) -> dict[str, int]:
        """The tallies of everybody who has ever sat at the table, by name."""
        if self._live is not None:
            return self._live.scores
        last = self._last
        away = last[ROSTER][AWAY] if ROSTER in last else {}
        found = {**away, **last["tally"]}
        return {name: found[name] for name in self.players}

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self._live.over if self._live is not None else bool(self._last["ends"])

    @property
    def _last(self) -> Summary:
        """What the last round came to of a match that has none that goes on."""
        last: Summary = self._rounds[-1].summary
        return last

    def record_text(self) -> str:
        """The match as the text of a record."""
        from scorekeeper.store.record import record_text

        return record_text(self, options=self.row.options, **about_of(self.row)._asdict())

    def _going_on(self) -> Iterator[Told]:
        """The rounds of which no summary is kept."""
        if self._live is not None:
            for played in self._live.rounds:
                if played.number > len(self._rounds):
                    yield self._live.told(played)

    def summaries(self) -> Iterator[Summary]:
        """What every round came to, in order."""
        for row in self._rounds:
            yield row.summary
        for told in self._going_on():
            yield told.summary

    def review(self) -> Iterator[Told]:
        """Every round with its entries and what it came to."""
        for row in self._rounds:
            yield Told([text for text, *_ in told_of(row, self.row.id)], row.summary)
        yield from self._going_on()

    def entered(self) -> Iterator[tuple[Summary, list[Entered]]]:
        """What every round came to, with its entries as they are told."""
        for row in self._rounds:
            yield row.summary, list(map(spread, told_of(row, self.row.id)))
        yield from self._entered(self._going_on())


class Archive:
    """The matches of a store, to be told one after another, each when it is asked for.

    `replayed` counts those whose finished rounds had to be played again; `again` is called before
    the first of them. `unkept` is why that could not be kept, if it could not.
    """

    def __init__(self, store: Store, again: Callable[[], None] = lambda: None) -> None:
        self.store = store
        self.replayed = 0
        self.unkept: Damaged | None = None
        self._again = again
        self._rulesets: dict[str, Ruleset] = {}

    def every(self) -> Iterator[StoredMatch]:
        """All matches, the oldest first."""
        return self.tell(every_row(self.store))

    def told(self, row: MatchRow) -> StoredMatch:
        """One match. Raises Damaged for what is kept of it."""
        return next(self.tell([row]))

    def tell(self, rows: Iterable[MatchRow]) -> Iterator[StoredMatch]:
        """These matches. Raises Damaged for what is kept of one."""
        for some in _together(rows):
            kept = self.store.rounds_of([row.id for row in some])
            for row in some:
                known = _known(kept[row.id], row)
                if known and len(known) == len(kept[row.id]):
                    yield StoredMatch(row, self.ruleset(row.ruleset_sha), known, None)
                else:
                    yield self._unfinished(row)

    def _unfinished(self, row: MatchRow) -> StoredMatch:
        """A match of which a round goes on, or is not kept."""
        while True:
            desk = Desk(self.store, row.id)
            rows = self.store.rounds(row.id)
            known, match = _known(rows, row), desk.match
            if match.rounds and match.rounds[0].number > len(known) + 1:
                match = desk.whole()
            if self.store.position(row.id) == desk.seen:
                break  # else somebody recorded between one look and the next
        missing = [played for played in match.rounds if played.number > len(known)]
        # An older version kept nothing of a match whose only round goes on either.
        most = 0 if row.summary is None else 1
        if len(missing) > most or any(played.over for played in missing):
            if not self.replayed:
                self._again()
            self.replayed += 1
            begins = {1: 1, **{cached.number: cached.first_position for cached in rows}}
            kept = [kept_round(match, played, begins.get(played.number)) for played in missing]
            self._keep(desk, match, kept)
            known += filter(_is_kept, kept)
        return StoredMatch(row, desk.ruleset, known, match)

    def spoken(self, row: MatchRow) -> StoredMatch:
        """One match with all that was found in it, in the language that is spoken: what is kept is
        English, so in another one it is played again."""
        if language() == ENGLISH:
            return self.told(row)
        desk = Desk(self.store, row.id)
        return StoredMatch(row, desk.ruleset, [], desk.whole())

    def _keep(self, desk: Desk, match: Match, kept: Sequence[RoundRow]) -> None:
        """Keep rounds that were played again, as far as the store can be written."""
        if self.unkept is None:
            try:
                self.store.append(desk.id, desk.seen, (), finished=kept, summary=summary_of(match))
            except Conflict:
                pass  # somebody records in it: another time
            except Damaged as failure:
                self.unkept = failure

    def ruleset(self, sha: str) -> Ruleset:
        """The rules that a match was begun under, compiled."""
        if sha not in self._rulesets:
            if len(self._rulesets) >= MOST_RULESETS:
                self._rulesets.clear()
            _, text, data = self.store.rules(sha)
            self._rulesets[sha] = pinned(text, sha, data)
        return self._rulesets[sha]


def _together(rows: Iterable[MatchRow]) -> Iterator[list[MatchRow]]:
    """These matches, as many at a time as have ENTRIES."""
    some: list[MatchRow] = []
    entries = 0
    for row in rows:
        if some and entries + row.entries > ENTRIES:
            yield some
            some, entries = [], 0
        some.append(row)
        entries += row.entries
    if some:
        yield some


def _known(rows: Sequence[RoundRow], match: MatchRow) -> list[RoundRow]:
    """The first finished rounds, up to where what one came to is missing. Raises KeptDamaged."""
    found: list[RoundRow] = []
    for row in rows:
        if row.number != len(found) + 1 or not _is_kept(row):
            break
        check_about(row, match.id, match.players)
        found.append(row)
    if len(found) == len(rows) and found and not found[-1].summary["over"]:
        found.pop()
    return found


def _is_kept(row: RoundRow) -> bool:
    """Whether what a round came to is kept with its entries, as this version makes them."""
    return is_current(row.summary) and bool(row.told)


def every_row(store: Store) -> Iterator[MatchRow]:
    """What is listed of every match, the oldest first, read as it is needed."""
    last = 0
    while page := store.matches(last, PAGE):
        yield from page
        last = page[-1].id


# --- made again


def mended(store: Store) -> Iterator[KeptDamaged]:
    """Play the matches again of whose rounds something damaged is kept, and keep these anew: what
    was damaged of each. Raises Damaged, at the end, for the first that cannot be made again."""
    failed: Damaged | None = None
    for damaged in misshapen(store):
        try:
            _keep_anew(store, damaged.match)
        except Damaged as failure:
            failed = failed or failure
        else:
            yield damaged
    if failed is not None:
        raise failed


def misshapen(store: Store) -> Iterator[KeptDamaged]:
    """What is damaged of what is kept of matches besides their logs, one for each."""
    archive = Archive(store)
    for row in every_row(store):
        try:
            check_kept(store, row, archive.ruleset(row.ruleset_sha))
        except KeptDamaged as damaged:
            yield damaged


def _keep_anew(store: Store, number: int) -> None:
    """Forget what is kept of a match besides its log, and keep what that says; or do nothing."""
    with store.batch():
        seen = store.position(number)
        store.append(number, seen, (), reopened=1)
        match = Desk(store, number).match  # nothing else is there to go on from than its log
        # Where in the log the others begin nobody can say any more.
        kept = [kept_round(match, each, 1 if each.number == 1 else None) for each in match.rounds]
        store.append(number, seen, (), finished=kept, summary=summary_of(match))


# --- whether it is what this program makes


def check_kept(store: Store, match: MatchRow, ruleset: Ruleset) -> None:
    """Raises KeptDamaged where what is kept of a match is not shaped as it is made."""
    listed(match)
    for row in store.rounds(match.id):
        check_shape(row, match.id, ruleset, match.players)


def listed(match: MatchRow) -> Json:
    """With what a match is listed (see `summary_of`), nothing where nothing is kept of that. Raises
    KeptDamaged for what is none."""
    told = match.summary
    if told is not None and not is_listed(told):
        say = mark("the tallies with which match {match} is listed are damaged")
        raise KeptDamaged(tr(say, match=match.id), match.id)
    return told or {}


def check_shape(row: RoundRow, match: int, ruleset: Ruleset, players: Sequence[str]) -> None:
    """Raises KeptDamaged where what is kept of a round is not shaped as it is made."""
    if not is_standing(row.standing, ruleset, players):
        raise _damaged(match, row.number)
    if is_current(row.summary):
        check_about(row, match, players)
        if not is_shaped(row.summary):
            raise _damaged(match, row.number)
        told_of(row, match)


def check_about(row: RoundRow, match: int, players: Sequence[str]) -> None:
    """Raises KeptDamaged where what is kept of a round is not about its match: a cheap look."""
    if not is_about(row.summary, players):
        raise _damaged(match, row.number)


def told_of(row: RoundRow, match: int) -> list[list[Plain]]:
    """The entries that are kept of a round. Raises KeptDamaged for what is none."""
    try:
        told = json.loads(row.told or "[]")
    except (TypeError, ValueError, RecursionError):
        told = None
    if not isinstance(told, list) or not all(map(_is_entry, told)):
        raise _damaged(match, row.number)
    return told


def _is_entry(told: Plain) -> bool:
    return (
        isinstance(told, list)
        and len(told) in (3, 6)
        and isinstance(told[0], str)
        and all(isinstance(field, str | None) for field in told[1:3])
        and all(isinstance(field, str) for field in told[3:])
    )


def _damaged(match: int, number: int) -> KeptDamaged:
    """What is kept of a round is nothing that this program makes."""
    say = mark("what is kept of match {match}, round {round} is damaged")
    return KeptDamaged(tr(say, match=match, round=number), match)
