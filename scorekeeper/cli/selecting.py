"""The options of all commands that speak of a selection of the book's matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import match_number, wanted_rows
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.store.protocol import MatchRow, Store
    from scorekeeper.store.selection import Selection

SinceOption = Annotated[
    str, typer.Option("--since", metavar="DATE", help="Begun then or later: 2026-11-20, 2026-11.")
]
UntilOption = Annotated[
    str, typer.Option("--until", metavar="DATE", help="Begun then or earlier, with all of it.")
]
PlayersOption = Annotated[
    list[str] | None,
    typer.Option("--player", metavar="NAME", help="With this player (again: and with that one)."),
]
RulesetsOption = Annotated[
    list[str] | None,
    typer.Option("--ruleset", metavar="NAME", help="Played by it: doppelkopf, or 'doppelkopf*'."),
]
PlacesOption = Annotated[
    list[str] | None,
    typer.Option("--place", metavar="PLACE", help="Played there (again: or there)."),
]


def selection_of(
    since: str,
    until: str,
    players: Sequence[str] | None,
    rulesets: Sequence[str] | None,
    places: Sequence[str] | None,
) -> Selection:
    """What is chosen by the options above."""
    from scorekeeper.store.selection import Selection

    return Selection(since, until, players or (), rulesets or (), places or ())


def selected_rows(store: Store, ids: Sequence[str], selection: Selection) -> Iterable[MatchRow]:
    """The matches of these numbers, else those that are chosen, the oldest first. Raises Unreadable
    for numbers and a choice at once, and for what is not there."""
    from scorekeeper.store.selection import selected

    named_or_chosen(ids, selection)
    return wanted_rows(store, ids) if ids else selected(store, selection)


def dated_rows(store: Store, ids: Sequence[str], selection: Selection) -> Iterable[MatchRow]:
    """The same, in the order in which they were begun."""
    from scorekeeper.store.selection import by_date

    return by_date(store, selected_rows(store, sorted(ids, key=match_number), selection))


def named_or_chosen(named: Sequence[str], selection: Selection) -> None:
    """Raises Unreadable where matches are named, by numbers or as files, and chosen at once."""
    from scorekeeper.store.selection import EVERYTHING

    if named and selection != EVERYTHING:
        raise Unreadable(
            tr("matches are named, or chosen, not both"), tr("leave out the numbers, or the choice")
        )
