"""The selection of stored matches by date, place, ruleset and players."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import did_you_mean, quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.store.round_cache import all_rows
from scorekeeper.store.rows import is_day, missing_match

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.store.rows import MatchRow, Store

SPAN_PATTERN = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")


class Selection(NamedTuple):
    """The conditions for selecting matches. An empty condition is true for every match.

    A match must have begun from `since` to `until`, both inclusive. These are days, months or years
    (`2026-11-20`, `2026-11`, `2026`). All of `players` must have taken part in it. Its ruleset must
    be one of `rulesets` (names, or patterns like `durak*`), and its place one of `places`.
    """

    since: str = ""
    until: str = ""
    players: Sequence[str] = ()
    rulesets: Sequence[str] = ()
    places: Sequence[str] = ()

    def includes(self, row: MatchRow, aliases: Mapping[str, str]) -> bool:
        """Return whether a match fulfils the conditions.

        The `players` of the selection must be display names. A match without a date is never within
        a period.
        """
        if self.since or self.until:
            begins, ends = row.day[: len(self.since)], row.day[: len(self.until)]
            if not row.day or begins < self.since or (self.until and ends > self.until):
                return False
        if self.rulesets and not any(fnmatchcase(row.ruleset, each) for each in self.rulesets):
            return False
        if self.places and not _casefold_all(self.places) & _casefold_all([row.place or ""]):
            return False
        shown = _casefold_all(aliases.get(name, name) for name in row.all_players)
        return _casefold_all(self.players) <= shown


EVERYTHING = Selection()


def select_matches(store: Store, selection: Selection) -> Iterator[MatchRow]:
    """Yield the selected matches, ordered by number. Matches are read as needed.

    Raises Unreadable for an invalid period. If no match is selected, also raises Unreadable for a
    player, ruleset or place that occurs in no match.
    """
    for span in filter(None, (selection.since, selection.until)):
        if not _is_span(span):
            raise Unreadable(
                tr("{text} is not a day, month or year", text=quote(span)),
                tr("write the date like {day}, {month} or {year}",
                   day="2026-11-20", month="2026-11", year="2026"),
            )  # fmt: skip
    length = min(len(selection.since), len(selection.until))
    if selection.since[:length] > selection.until[:length]:
        raise Unreadable(
            tr("{since} is after {until}", since=selection.since, until=selection.until),
            tr("check --since and --until"),
        )
    aliases, is_found = store.aliases(), False
    wanted = selection._replace(players=[display_name(name, aliases) for name in selection.players])
    for row in all_rows(store):
        if wanted.includes(row, aliases):
            is_found = True
            yield row
    if not is_found and selection != EVERYTHING:
        _check_criteria(store, selection, aliases)


def _is_span(text: str) -> bool:
    """Return whether a string is a year, a month, or an existing day."""
    return bool(SPAN_PATTERN.fullmatch(text) and is_day(f"{text}-01-01"[:10]))


def sort_by_date(store: Store, rows: Iterable[MatchRow]) -> Iterable[MatchRow]:
    """Sort matches by date. `rows` must be ordered by number.

    Matches without a date are first. The order by number is usually also the order by date. In this
    case, the matches are read as needed.
    """
    dates = store.match_dates()
    if dates == sorted(dates):
        return rows
    return sorted(rows, key=lambda row: (row.day, row.started))


def display_name(name: str, aliases: Mapping[str, str]) -> str:
    """Return the display name for a name as typed, ignoring upper and lower case."""
    folded = {spelling.casefold(): alias for spelling, alias in aliases.items()}
    return aliases.get(name) or folded.get(name.casefold(), name)


def _check_criteria(store: Store, selection: Selection, aliases: Mapping[str, str]) -> None:
    """Raise Unreadable for a player, ruleset or place that occurs in no match."""
    rows = [*all_rows(store)]
    if not rows:
        raise missing_match((), None)
    names = {aliases.get(name, name) for row in rows for name in row.all_players}
    for name in selection.players:
        if not _casefold_all([display_name(name, aliases)]) <= _casefold_all(names):
            raise Unreadable(
                tr("no player in the book is called {name}", name=quote(name)),
                did_you_mean(name, sorted(names))
                or tr("to list the players: scorekeeper players list"),
            )
    rulesets = sorted({row.ruleset for row in rows})
    for wanted in selection.rulesets:
        if not any(fnmatchcase(each, wanted) for each in rulesets):
            raise Unreadable(
                tr("no match in the book was played under {ruleset}", ruleset=quote(wanted)),
                did_you_mean(wanted, rulesets)
                or tr("choose one of these: {names}", names=", ".join(rulesets)),
            )
    places = sorted({row.place or "" for row in rows} - {""})
    hint = tr("choose one of these: {names}", names=", ".join(places))
    if not places:
        hint = tr(
            "no match has a place; to add one, enter {command}",
            command="scorekeeper describe --place PLACE",
        )
    for wanted in selection.places:
        if not _casefold_all([wanted]) & _casefold_all(places):
            raise Unreadable(
                tr("no match in the book was played at {place}", place=quote(wanted)),
                did_you_mean(wanted, places) or hint,
            )


def _casefold_all(texts: Iterable[str]) -> set[str]:
    return {text.casefold() for text in texts}
