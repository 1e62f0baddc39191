"""Which column of a table is what: by its heading, or as it was said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import did_you_mean, shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.syntax import composed
from scorekeeper.store.table_dates import is_date
from scorekeeper.store.table_words import HEADINGS, is_count, is_heading, is_total

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

TRANSPOSE = mark(
    "turn it round, so that each player has a column: in a spreadsheet copy it and paste it"
    " transposed"
)
SEVERAL = ("players", "skip")  # said as columns with + between
# The headings of scores as this program exports them (`scores-csv`), by what they are here.
OWN = {
    "match": "match", "ruleset": "ruleset", "started": "started", "place": "place",
    "round": "round", "name": "player", "points": "change", "tally": "tally", "out": "sat_out",
    "void": "void",
}  # fmt: skip


class Texts(NamedTuple):
    """The columns in which no cell can be a number, and those of them in which no digit stands."""

    all: frozenset[int] = frozenset()
    wordy: frozenset[int] = frozenset()


class Columns(NamedTuple):
    """Where what stands, by the number of the column from 0: a table with `name` is long, one with
    `players` (names by column) wide. `left_out` are columns that are not read, of which `unnamed`
    have no heading, and `texts` would be players but for the texts in them; `headed`: the first row
    holds headings. The last are of the program's own
    tables alone: which match, by which ruleset, when it began, what stands on the sheet after the
    round, who sat out, what counts for nothing."""

    date: int | None
    name: int | None
    points: int | None
    round: int | None
    title: int | None
    place: int | None
    players: Mapping[int, str]
    left_out: Sequence[int]
    unnamed: Sequence[int]
    headed: bool
    texts: Sequence[int] = ()
    match: int | None = None
    ruleset: int | None = None
    started: int | None = None
    tally: int | None = None
    out: int | None = None
    void: int | None = None


def columns_of(
    path: str,
    headings: Sequence[str],
    line: int,
    wanted: Mapping[str, str],
    texts: Texts = Texts(),  # noqa: B008
) -> Columns:
    """What each column is. `texts` hold no numbers, and are neither players nor, where they hold no
    digit, the number of a round. `wanted` says it of some, by heading or by number from 1: a key of
    HEADINGS, `players` (those, with + between), `skip`. Raises Unreadable for a column that there
    is not, and for a table of which nobody can say who got the points."""
    place = tr("{path}, line {line}", path=shown(path, 200), line=line)
    headed = not any(map(is_date, headings))
    said = {key: _found(place, headings, wanted[key].split("+")) for key in wanted
            if key in SEVERAL}  # fmt: skip
    taken = {at for several in said.values() for at in several}
    found: dict[str, int | None] = {}
    own = _own(headings)
    for key in HEADINGS:
        if key in wanted:
            (found[key],) = _found(place, headings, [wanted[key]])
        elif own:
            found[key] = own.get(key)
        else:
            alone = key != "round" or found["name"] is not None  # else it says nothing of a row
            others = {*taken, *texts.wordy} if key == "round" else taken
            found[key] = _known(place, headings, key, others, alone) if headed else None
    if not headed and not wanted:  # a date, a name, points: in this order
        if len(headings) != len(("date", "name", "points")):
            raise Unreadable(
                tr("{place}: the table has no headings", place=place),
                tr("say what its columns are: --columns date=1,name=2,points=3"),
            )
        found |= {"date": 0, "name": 1, "points": 2}
    skipped = set(said.get("skip", ()))
    rest = [at for at in range(len(headings)) if at not in {*found.values(), *skipped}]
    if found["points"] is None and "players" not in said:
        _check_names(place, [headings[at] for at in rest])
    chosen = said.get("players") or _chosen(headings, rest, texts.all)
    players, left = _players(place, headings, rest, said.get("players"), chosen, found, headed)
    left_out = sorted({*left, *skipped})
    unnamed = [at for at in left if not headings[at]]
    told = [at for at in left if players and at in texts.all]
    more = {key: at for key, at in own.items() if key not in HEADINGS}
    return Columns(
        players=players, left_out=left_out, unnamed=unnamed, headed=headed, texts=told,
        **found, **more,
    )  # fmt: skip


def _own(headings: Sequence[str]) -> dict[str, int]:
    """What the columns are of scores as this program exports them; nothing for any other table."""
    folded = [text.casefold() for text in headings]
    if not all(text in folded for text in OWN.values()):
        return {}
    return {key: folded.index(text) for key, text in OWN.items()}


def _known(
    place: str, headings: Sequence[str], key: str, taken: Container[int], alone: bool
) -> int | None:
    """The column whose heading says that it is that one of HEADINGS. Raises Unreadable for several,
    where there can be one `alone`."""
    known = [at for at, text in enumerate(headings) if at not in taken and is_heading(text, key)]
    if len(known) > 1 and alone:
        one, other = headings[known[0]], headings[known[1]]
        raise Unreadable(
            tr("{place}: “{one}” and “{other}” may both be the {key}", place=place, one=shown(one),
               other=shown(other), key=key),
            tr("say which it is: {option}", option=f"--columns {key}={shown(one)}"),
        )  # fmt: skip
    return known[0] if known else None


def _players(
    place: str,
    headings: Sequence[str],
    rest: Sequence[int],
    said: Sequence[int] | None,
    chosen: Sequence[int],
    found: Mapping[str, int | None],
    headed: bool,
) -> tuple[dict[int, str], list[int]]:
    """The columns that are players, by name, and those that are nothing."""
    if said is None and found["name"] is not None:
        if found["points"] is None:
            raise Unreadable(
                tr("{place}: there are names, and no column is called points", place=place),
                tr("say which it is: --columns points=COLUMN"),
            )
        return {}, list(rest)
    if found["points"] is not None or not headed:
        raise Unreadable(
            tr("{place}: there are points, and no column is called name", place=place),
            tr("say which it is: --columns name=COLUMN"),
        )
    players = {at: name_of(headings[at]) for at in chosen}
    folded = [name.casefold() for name in players.values()]
    twice = next((name for name in players.values() if folded.count(name.casefold()) > 1), "")
    if twice:
        raise Unreadable(
            tr("{place}: two columns are called “{name}”", place=place, name=shown(twice)),
            tr("name them apart"),
        )
    if not 1 < len(players) <= untrusted.PLAYERS:
        raise Unreadable(
            tr("{place}: it has no columns that are players", place=place),
            tr("say which are: --columns players=Ana+Ben, or name=COLUMN,points=COLUMN"),
        )
    return players, [at for at in rest if at not in players]


def _chosen(headings: Sequence[str], rest: Sequence[int], texts: Container[int]) -> list[int]:
    """The columns that are players where nobody says it: with a name above them, and numbers in
    them, unless fewer than two have these."""
    named = [at for at in rest if _is_name(headings[at])]
    chosen = [at for at in named if at not in texts]
    return chosen if len(chosen) > 1 else named


def _found(place: str, headings: Sequence[str], wanted: Iterable[str]) -> list[int]:
    """The columns of these headings, or numbers from 1."""
    folded = [composed(text).casefold() for text in headings]
    found: list[int] = []
    for each in wanted:
        name = composed(each.strip()).casefold()
        if folded.count(name) > 1:
            raise Unreadable(
                tr("{place}: two columns are called “{name}”", place=place, name=shown(each)),
                tr("say it by its number: {number}", number=folded.index(name) + 1),
            )
        if name in folded:
            found.append(folded.index(name))
        elif name.isascii() and name.isdigit() and 0 < int(name[:9]) <= len(headings):
            found.append(int(name) - 1)
        else:
            raise Unreadable(
                tr("{place}: no column is called “{name}”", place=place, name=shown(each)),
                did_you_mean(each, headings)
                or tr("there are {names}", names=shown(", ".join(filter(None, headings)), 200)),
            )
    return found


def _check_names(place: str, headings: Iterable[str]) -> None:
    """Raise Unreadable for headings that count rounds, or are days without a year."""
    count = next((text for text in headings if is_count(text)), "")
    if count:
        raise Unreadable(
            tr("{place}: “{heading}” is nobody's name: a row seems to be a player, a column a day"
               " or a round", place=place, heading=shown(count)),
            tr("write days with their year; else {turn}", turn=tr(TRANSPOSE)),
        )  # fmt: skip


def _is_name(heading: str) -> bool:
    """Whether a heading may be somebody's name: it says nothing else."""
    return bool(heading) and not (
        is_total(heading) or any(is_heading(heading, key) for key in HEADINGS)
    )


def name_of(cell: str) -> str:
    """The name that stands in a cell; an apostrophe that keeps a spreadsheet from reckoning is
    none of it."""
    return " ".join(composed(cell).strip().removeprefix("'").split())
