"""Matches kept in memory, as long as the process lives. A store, as `protocol` says what that is.

For tests, and for whoever wants a desk without a file. What is given is copied, and what is read is
a copy too: nobody changes what is kept but by writing.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scorekeeper.core.failures import Damaged
from scorekeeper.store.checks import (
    as_json,
    check_new,
    check_rounds,
    check_text,
    described,
    missing,
    now,
    stamped,
)
from scorekeeper.store.protocol import (
    MOST_ALIKE,
    Conflict,
    LogRow,
    MatchRow,
    RoundRow,
    Rules,
    Tail,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Self

    from scorekeeper.core.plain import Plain
    from scorekeeper.store.protocol import NewMatch


class _Kept:
    """A match: what is listed of it, its log, its cached rounds as JSON, and when it was last
    recorded in, counted over all matches."""

    __slots__ = ("log", "rounds", "row", "touched")

    def __init__(
        self, row: MatchRow, log: list[LogRow], rounds: dict[int, str], touched: int
    ) -> None:
        self.row = row
        self.log = log
        self.rounds = rounds
        self.touched = touched

    def copy(self) -> _Kept:
        """The same, to be put back if a batch is given up."""
        return _Kept(self.row, list(self.log), dict(self.rounds), self.touched)


class Memory:
    """The store of all matches in memory."""

    def __init__(self) -> None:
        self._matches: dict[int, _Kept] = {}
        self._rules: dict[str, Rules] = {}
        self._aliases: dict[str, str] = {}
        self._marks: dict[int, int] = {}
        self._last = 0
        self._touches = 0
        self._in_batch = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing is open here, and nothing is lost."""

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Writing that is kept whole or not at all, see `Store.batch`."""
        if self._in_batch:
            yield
            return
        matches = {number: kept.copy() for number, kept in self._matches.items()}
        rules, aliases = dict(self._rules), dict(self._aliases)
        last, touches = self._last, self._touches
        self._in_batch = True
        try:
            yield
        except BaseException:
            self._matches, self._rules, self._aliases = matches, rules, aliases
            self._last, self._touches = last, touches
            raise
        finally:
            self._in_batch = False

    def create(self, new: NewMatch) -> int:
        """Begin a match, see `Store.create`."""
        check_new(new)
        rules = Rules(new.rules.sha, new.rules.text, _copy(new.rules.data))
        players, options = _copy(list(new.players)), _copy(dict(new.options))
        if self._rules.setdefault(rules.sha, rules).text != rules.text:
            raise ValueError(f"another ruleset is stored as {rules.sha}")
        self._last = number = self._last + 1
        self._matches[number] = _Kept(
            MatchRow(
                number, new.ruleset, rules.sha, players, options, new.started, new.place,
                entries=0, last=now(), summary=None, language=new.language,
                title=new.title, note=new.note, identifier=new.identifier,
            ),
            [], {}, self._touch(),
        )  # fmt: skip
        return number

    def describe(
        self,
        match_id: int,
        *,
        started: str | None = None,
        place: str | None = None,
        title: str | None = None,
        note: str | None = None,
        language: str | None = None,
        identifier: str | None = None,
    ) -> None:
        """Change what is kept about a match, see `Store.describe`."""
        said = described(started, place, title, note, language, identifier)
        kept = self._kept(match_id)
        kept.row = kept.row._replace(**said)

    def erase(self, match_id: int) -> None:
        """Erase a match, see `Store.erase`."""
        self._kept(match_id)
        del self._matches[match_id]
        self._marks.pop(match_id, None)

    def mark(self, match_id: int, position: int | None) -> None:
        """Say that the table must decide about something, see `Store.mark`."""
        self._marks.pop(match_id, None)
        if position is not None and match_id in self._matches:
            self._marks[match_id] = position

    def marked(self, match_id: int) -> bool:
        """Whether the table must decide about something, see `Store.marked`."""
        return match_id in self._marks and self._marks[match_id] == self.position(match_id)

    def identified(self, identifier: str) -> list[MatchRow]:
        """The matches of that identifier, see `Store.identified`."""
        return [row for row in self.matches() if row.identifier == identifier]

    def aliases(self) -> dict[str, str]:
        """How spellings of names are told, see `Store.aliases`."""
        return dict(sorted(self._aliases.items()))

    def alias(self, names: Mapping[str, str]) -> None:
        """Let spellings be told by these names, see `Store.alias`."""
        check_text(*names, *names.values())
        told = {**self._aliases, **names}
        self._aliases = {spelling: name for spelling, name in told.items() if name}

    def match(self, match_id: int | None = None) -> MatchRow:
        """One match, see `Store.match`."""
        if match_id is None:
            if not self._matches:
                raise missing([], None)
            return _listed(max(self._matches.values(), key=lambda kept: kept.touched))
        return _listed(self._kept(match_id))

    def matches(self, after: int = 0, most: int | None = None) -> list[MatchRow]:
        """All matches, or some, the oldest first, see `Store.matches`."""
        found = [kept for number, kept in self._matches.items() if number > after]
        return [_listed(kept) for kept in found[:most]]

    def alike(self, players: Sequence[str], started: str, fingerprint: str) -> list[MatchRow]:
        """The matches that look like one, see `Store.alike`."""
        rows = [kept for kept in self._matches.values() if kept.row.players == list(players)]
        unknown = [kept for kept in rows if kept.row.fingerprint is None]
        same = [kept for kept in rows if kept.row.fingerprint == fingerprint]
        then = [kept for kept in same if kept.row.started == started]
        other = [kept for kept in same if kept.row.started != started]
        begun = [kept for kept in rows if started == kept.row.started != ""]
        begun = [kept for kept in begun if kept.row.fingerprint not in (None, fingerprint)]
        few = [*other[:MOST_ALIKE], *begun[:MOST_ALIKE]]
        found = sorted([*unknown, *then, *few], key=lambda kept: kept.row.id)
        return list(map(_listed, found))

    def rules(self, sha: str) -> Rules:
        """The rules that a match was begun under, see `Store.rules`."""
        if sha not in self._rules:
            raise Damaged(f"there is no ruleset {sha}")
        rules = self._rules[sha]
        return rules._replace(data=_copy(rules.data))

    def append(
        self,
        match_id: int,
        seen: int,
        rows: Sequence[LogRow],
        *,
        finished: Sequence[RoundRow] = (),
        reopened: int | None = None,
        summary: Plain = None,
        fingerprint: str | None = None,
    ) -> int:
        """Write rows after position `seen`, see `Store.append`."""
        written = stamped(rows, seen)
        last = seen + len(written)
        check_rounds(finished, last)
        cached = {row.number: as_json(row) for row in finished}
        told = _copy(summary)
        kept = self._kept(match_id)
        self._expect(kept, seen)
        kept.log += written
        if reopened is not None:
            kept.rounds = {n: row for n, row in kept.rounds.items() if n < reopened}
        kept.rounds |= cached
        if told is not None:
            kept.row = kept.row._replace(summary=told)
        if written:
            entries = kept.row.entries + sum(row.kind == "entry" for row in written)
            kept.row = kept.row._replace(entries=entries, last=written[-1].time, fingerprint=None)
            kept.touched = self._touch()
        if fingerprint is not None:
            kept.row = kept.row._replace(fingerprint=fingerprint)
        return last

    def tail(self, match_id: int) -> Tail:
        """The last round that one can go on from, and the log since."""
        rounds = [row for row in self.rounds(match_id) if row.first_position is not None]
        cached = rounds[-1] if rounds else None
        first = 1 if cached is None else cached.first_position or 1
        return Tail(cached, self.log(match_id, first), self.position(match_id))

    def log(self, match_id: int, first: int = 1) -> list[LogRow]:
        """Everything that was ever recorded in a match, from position `first` on."""
        return self._kept(match_id).log[max(0, first - 1) :]

    def rounds(self, match_id: int, first: int = 1) -> list[RoundRow]:
        """The cached rounds in order, from that number on."""
        rounds = self._kept(match_id).rounds
        numbers = sorted(number for number in rounds if number >= first)
        return [RoundRow._make(json.loads(rounds[number])) for number in numbers]

    def rounds_of(self, match_ids: Sequence[int]) -> dict[int, list[RoundRow]]:
        """The cached rounds of each of these matches, see `Store.rounds_of`."""
        there = self._matches
        return {each: self.rounds(each) if each in there else [] for each in match_ids}

    def begun(self) -> list[str]:
        """When each match was begun, see `Store.begun`."""
        return [row.started for row in self.matches()]

    def position(self, match_id: int) -> int:
        """The last position in a match's log, 0 if it is empty."""
        return len(self._kept(match_id).log)

    def _kept(self, match_id: int) -> _Kept:
        if match_id not in self._matches:
            raise missing(list(self._matches), match_id)
        return self._matches[match_id]

    def _touch(self) -> int:
        self._touches += 1
        return self._touches

    def _expect(self, kept: _Kept, seen: int) -> None:
        """Raises Conflict if a log goes on after position `seen`, Damaged if it ends before."""
        position = len(kept.log)
        if position > seen:
            raise Conflict(kept.log[seen:], position)
        if position < seen:
            raise Damaged(
                f"match {kept.row.id} ends at position {position}, not at {seen}",
                "open the match again",
            )


def _listed(kept: _Kept) -> MatchRow:
    row = kept.row
    loaded = {"players": row.players, "options": row.options, "summary": row.summary}
    return row._replace(**_copy(loaded))


def _copy(value: Plain) -> Plain:
    """A plain value, as it is read after it was kept as JSON."""
    return json.loads(as_json(value))
