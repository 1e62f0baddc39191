"""Which matches of a store are spoken of: when and where they were played, what, and by whom."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import did_you_mean, shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.store.round_cache import every_row
from scorekeeper.store.rows import is_day, missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.store.rows import MatchRow, Store

SPAN = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")


class Selection(NamedTuple):
    """Matches that were begun from `since` to `until` (days, months or years, `2026-11-20`,
    `2026-11`, `2026`, both with all of it; empty: whenever), in which all of `players` took part,
    under one of `rulesets` (names, or patterns like `durak*`), at one of `places`; where there are
    none, whichever."""

    since: str = ""
    until: str = ""
    players: Sequence[str] = ()
    rulesets: Sequence[str] = ()
    places: Sequence[str] = ()

    def takes(self, row: MatchRow, aliases: Mapping[str, str]) -> bool:
        """Whether a match is one of them, the players named as they are told. Of one without a date
        nobody knows that it is in a span."""
        if self.since or self.until:
            begins, ends = row.day[: len(self.since)], row.day[: len(self.until)]
            if not row.day or begins < self.since or (self.until and ends > self.until):
                return False
        if self.rulesets and not any(fnmatchcase(row.ruleset, each) for each in self.rulesets):
            return False
        if self.places and not _folded(self.places) & _folded([row.place or ""]):
            return False
        told = _folded(aliases.get(name, name) for name in row.everybody)
        return _folded(self.players) <= told


EVERYTHING = Selection()


def selected(store: Store, selection: Selection) -> Iterator[MatchRow]:
    """The matches of a selection, the oldest first, read as they are needed. Raises Unreadable for
    what is no span, and, where nothing is found, for a name that nobody has, or a ruleset or place
    of no match."""
    for span in filter(None, (selection.since, selection.until)):
        if not _is_span(span):
            raise Unreadable(
                tr("{text} is no day, month or year", text=shown(span)),
                tr("write it like {day}, {month} or {year}",
                   day="2026-11-20", month="2026-11", year="2026"),
            )  # fmt: skip
    both = min(len(selection.since), len(selection.until))
    if selection.since[:both] > selection.until[:both]:
        raise Unreadable(
            tr("{since} is after {until}", since=selection.since, until=selection.until),
            tr("look at --since and --until"),
        )
    aliases, found = store.aliases(), False
    wanted = selection._replace(players=[told_by(name, aliases) for name in selection.players])
    for row in every_row(store):
        if wanted.takes(row, aliases):
            found = True
            yield row
    if not found and selection != EVERYTHING:
        _check(store, selection, aliases)


def _is_span(text: str) -> bool:
    """Whether it is a year, a month or a day that there is."""
    return bool(SPAN.fullmatch(text) and is_day(f"{text}-01-01"[:10]))


def by_date(store: Store, rows: Iterable[MatchRow]) -> Iterable[MatchRow]:
    """These matches of a store, the lowest number first, in the order in which they were begun;
    those of which nobody knows it come first. Where a store has all in that order, as it mostly
    does, they are read as they are needed."""
    begun = store.begun()
    if begun == sorted(begun):
        return rows
    return sorted(rows, key=lambda row: (row.day, row.started))


def told_by(name: str, aliases: Mapping[str, str]) -> str:
    """How somebody is told whose name was typed, in whatever case."""
    folded = {spelling.casefold(): told for spelling, told in aliases.items()}
    return aliases.get(name) or folded.get(name.casefold(), name)


def _check(store: Store, selection: Selection, aliases: Mapping[str, str]) -> None:
    """Raises Unreadable for what nothing could be found by."""
    rows = [*every_row(store)]
    if not rows:
        raise missing((), None)
    names = {aliases.get(name, name) for row in rows for name in row.everybody}
    for name in selection.players:
        if not _folded([told_by(name, aliases)]) <= _folded(names):
            raise Unreadable(
                tr("nobody called {name} is in the book", name=shown(name)),
                did_you_mean(name, sorted(names)) or tr("see: scorekeeper players list"),
            )
    rulesets = sorted({row.ruleset for row in rows})
    for wanted in selection.rulesets:
        if not any(fnmatchcase(each, wanted) for each in rulesets):
            raise Unreadable(
                tr("no match in the book was played by {ruleset}", ruleset=shown(wanted)),
                did_you_mean(wanted, rulesets)
                or tr("there are {names}", names=", ".join(rulesets)),
            )
    places = sorted({row.place or "" for row in rows} - {""})
    hint = tr("there are {names}", names=", ".join(places))
    if not places:
        hint = tr("no match has one: {command}", command="scorekeeper describe --place PLACE")
    for wanted in selection.places:
        if not _folded([wanted]) & _folded(places):
            raise Unreadable(
                tr("no match in the book was played at {place}", place=shown(wanted)),
                did_you_mean(wanted, places) or hint,
            )


def _folded(texts: Iterable[str]) -> set[str]:
    return {text.casefold() for text in texts}
