"""The selection of matches of a store by date, place, ruleset and players."""

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
    """The conditions of a selection. An empty condition is fulfilled by every match.

    The match began from `since` to `until`: days, months or years (`2026-11-20`, `2026-11`,
    `2026`), both inclusive. All of `players` took part in it. Its ruleset is one of `rulesets`
    (names, or patterns like `durak*`), and its place is one of `places`.
    """

    since: str = ""
    until: str = ""
    players: Sequence[str] = ()
    rulesets: Sequence[str] = ()
    places: Sequence[str] = ()

    def takes(self, row: MatchRow, aliases: Mapping[str, str]) -> bool:
        """Return whether a match fulfils the conditions. `players` are the names that are shown.

        A match without a date is in no span of time.
        """
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
    """Return the matches of a selection, in the order of numbers, read as needed.

    Raises Unreadable for an invalid span. If no match is selected, it raises Unreadable for a
    player, ruleset or place that occurs in no match.
    """
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
    """Return whether a text is an existing year, month or day."""
    return bool(SPAN.fullmatch(text) and is_day(f"{text}-01-01"[:10]))


def by_date(store: Store, rows: Iterable[MatchRow]) -> Iterable[MatchRow]:
    """Return matches, which are in the order of numbers, in the order of their beginnings.

    Matches without a date come first. Usually both orders are the same, and the matches are read as
    needed.
    """
    begun = store.begun()
    if begun == sorted(begun):
        return rows
    return sorted(rows, key=lambda row: (row.day, row.started))


def told_by(name: str, aliases: Mapping[str, str]) -> str:
    """Return the name to show for a typed name, in upper or lower case."""
    folded = {spelling.casefold(): told for spelling, told in aliases.items()}
    return aliases.get(name) or folded.get(name.casefold(), name)


def _check(store: Store, selection: Selection, aliases: Mapping[str, str]) -> None:
    """Raise Unreadable for a condition that no match fulfils."""
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
