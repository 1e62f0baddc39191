"""Matches that have arrived, taken into a store: several in a transaction, each whole."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Failure, Impossible, Locked, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.store.about import WRITTEN, About, day_of, identifier
from scorekeeper.store.arriving import Refused, place_of
from scorekeeper.store.evenings import NOTE
from scorekeeper.store.importing import alike, identity, import_match
from scorekeeper.store.protocol import Unsettled
from scorekeeper.store.replacing import check_place, described, origins, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Literal, TypeAlias

    from scorekeeper.play.match import Match
    from scorekeeper.store.arriving import Arrival
    from scorekeeper.store.importing import Like
    from scorekeeper.store.protocol import MatchRow, Store

    # What happens to a match of the store that a record came from: it stays beside the new one,
    # the record takes its place, or somebody is to be asked. Or nothing is written at all: what
    # would come of the first of these is looked at, or of the second.
    How: TypeAlias = Literal["beside", "replace", "ask", "look", "look to replace"]

# What goes into one transaction, at most: others wait while it lasts.
TOGETHER = 50  # matches
ENTRIES = 5_000
PATIENCE = 0.25  # seconds
REPLACING = ("replace", "look to replace")
LOOKING = ("look", "look to replace")


class Taken(NamedTuple):
    """What came of a match that arrived: which one it is in the store (0: it is not there yet),
    whether it was there already, or came before, what it looks like; the matches that it may have
    come from, and whether it took the place of the one, or would, with what was kept about that
    otherwise (see `described`) and which others say the same."""

    match: int
    known: bool
    like: Sequence[Like] = ()
    origins: Sequence[MatchRow] = ()
    replaced: bool = False
    changed: Mapping[str, tuple[str, str]] = {}
    same: Sequence[int] = ()


def take(store: Store, arrival: Arrival, how: How) -> Taken:
    """Take a match, unless it is in the store already. To be asked means that nothing is done yet
    where it came from one match alone (`match` is 0 then). Raises Impossible where several are to
    be replaced, Unreadable for one that cannot be, and for one that began on a day there never
    was; when it began may be told in other words (“in May”)."""
    match, about = arrival.match, About(**arrival.about)
    if WRITTEN.match(about.started) and not day_of(about.started):
        raise Unreadable(
            tr("“{date}” is no date", date=shown(about.started, 40)),
            'started = "2026-11-20", started = "2026-11-20T20:15"',
        )
    likenesses = alike(store, match, about, _besides(arrival))
    same = [each.match for each in likenesses if not each.differs]
    found = []
    if how in REPLACING or not same:
        came_from = _tabled if arrival.points_alone else origins
        found = came_from(store, match, about)
    if same:  # what it was edited from is older than what it became
        found = [row for row in found if row.id < min(same)]
    if how in REPLACING and len(found) > 1:
        raise _which(found)
    origin = found[0] if len(found) == 1 else None
    if origin is not None and how in REPLACING:
        changed = described(origin, arrival.about)
        if how == "replace":
            replace(store, origin, match, arrival.about, arrival.told)
        else:
            check_place(origin, match)
        return Taken(origin.id, True, (), found, True, changed, same)
    if how in LOOKING or (how == "ask" and origin is not None):
        number = same[0] if same else 0
        return Taken(number, bool(same), () if same else _notable(arrival, likenesses), found)
    said = arrival.about
    if origin is not None:  # beside the one it came from, which stays the one known by its start
        said = {**said, "identifier": identifier()}
    made = import_match(
        store, match, options=arrival.options, told=arrival.told, besides=_besides(arrival), **said
    )
    return Taken(made.match, made.known, _notable(arrival, made.like), found)


def _tabled(store: Store, match: Match, about: About) -> list[MatchRow]:
    """The matches that a row of a table may have become before it was put right: the same players
    by the same rules on that day, from a table."""
    rows = store.alike(match.began_with, about.started, "") if about.started else []
    same = (match.ruleset.sha256, about.started, about.place or "", about.title)
    return [
        row
        for row in rows
        if (row.ruleset_sha, row.started, row.place or "", row.title) == same
        and row.note.startswith(NOTE)
    ]


def _besides(arrival: Arrival) -> Sequence[str]:
    """In what a match may differ and still be the same: a note says from which table it came."""
    return ["note"] if arrival.points_alone else []


def _notable(arrival: Arrival, likenesses: Sequence[Like]) -> list[Like]:
    """Which likenesses are worth a word: where entries are points alone, some come to the same on
    another day."""
    return [like for like in likenesses if not (arrival.points_alone and "started" in like.differs)]


def taken(
    store: Store, arriving: Iterable[Arrival | Refused], how: How
) -> Iterator[tuple[Arrival, Taken] | Refused]:
    """What comes of matches as they arrive, in their order. Several are written in one transaction;
    where it fails each is written for itself, and what cannot be is refused. Raises Locked,
    Unsettled; what was given before is in the store then."""
    if how in LOOKING:
        yield from _looked_at(store, arriving, how)
        return
    waiting: list[Arrival | Refused] = []
    weight = 0
    for each in arriving:
        waiting.append(each)
        if not isinstance(each, Refused):
            weight += sum(len(played.entries) for played in each.match.rounds)
        if len(waiting) >= TOGETHER or weight >= ENTRIES:
            yield from _together(store, waiting, how)
            waiting, weight = [], 0
    yield from _together(store, waiting, how)


def _looked_at(
    store: Store, arriving: Iterable[Arrival | Refused], how: How
) -> Iterator[tuple[Arrival, Taken] | Refused]:
    """What would come of matches; of those that come twice the first is taken."""
    seen: set[tuple[object, ...]] = set()
    for each in arriving:
        came = take_alone(store, each, how)
        if not isinstance(came, Refused):
            arrival, made = came
            own = identity(arrival.match, About(**arrival.about), _besides(arrival))
            if own in seen:
                came_from = () if made.replaced else made.origins
                came = arrival, Taken(made.match, True, made.like, came_from)
            seen.add(own)
        yield came


def _together(
    store: Store, waiting: Sequence[Arrival | Refused], how: How
) -> Iterator[tuple[Arrival, Taken] | Refused]:
    rest = list(waiting)
    while rest:
        done = _transaction(store, rest, how)
        yield from done
        rest = rest[len(done) :]


def _transaction(
    store: Store, waiting: Sequence[Arrival | Refused], how: How
) -> Sequence[tuple[Arrival, Taken] | Refused]:
    """The first of those that wait, as many as are written before others have waited too long."""
    if all(isinstance(each, Refused) for each in waiting):
        return [take_alone(store, each, how) for each in waiting]
    done: list[tuple[Arrival, Taken] | Refused] = []
    try:
        with store.batch():
            until = time.monotonic() + PATIENCE
            for each in waiting:
                done.append(each if isinstance(each, Refused) else (each, take(store, each, how)))
                if time.monotonic() > until:
                    break
    except (Locked, Unsettled):
        raise
    except Failure:
        return [take_alone(store, each, how) for each in waiting]
    return done


def take_alone(store: Store, each: Arrival | Refused, how: How) -> tuple[Arrival, Taken] | Refused:
    """Take a match, or say where it came from and why it is refused. Raises Locked, Unsettled."""
    if isinstance(each, Refused):
        return each
    try:
        return each, take(store, each, how)
    except (Locked, Unsettled):
        raise
    except Failure as failure:
        if not isinstance(failure, Damaged):  # the record's fault: of a book's it does not matter
            what = failure.message
            failure.message = tr("{path}: {what}", path=shown(place_of(each), 200), what=what)
        return Refused(each.file, each.line, [failure], each.size)


def _which(found: Sequence[MatchRow]) -> Failure:
    """The failure of a record that several matches may have become."""
    numbers = ", ".join(str(row.id) for row in found)
    return Impossible(
        tr("it may have come from any of the matches {numbers}", numbers=numbers),
        tr(
            "delete those that are too many ({command}), then import it again",
            command=f"scorekeeper delete {found[-1].id}",
        ),
    )
