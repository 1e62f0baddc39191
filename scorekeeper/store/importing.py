"""The import of matches into a store: several in one transaction, each as a whole.

A record can also correct the match it was exported from. Differences become amendments, and
nothing is erased.
"""

from __future__ import annotations

import re
import time
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Failure, Impossible, Locked, Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.store.arrivals import Refused, alike, identity, import_match, place_of
from scorekeeper.store.recorder import kept_round, log_row, stands, summary_of
from scorekeeper.store.rows import (
    WRITTEN,
    About,
    Unsettled,
    about_of,
    day_of,
    identifier,
    is_day,
    kept_day,
)
from scorekeeper.store.score_table import NOTE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Literal, TypeAlias

    from scorekeeper.match.match import Match
    from scorekeeper.match.view import Told
    from scorekeeper.store.arrivals import Arrival, Like
    from scorekeeper.store.rows import LogRow, MatchRow, Said, Store

    # What to do with the match that a record was exported from: keep it in addition to the new one,
    # replace it, or ask. The modes with `look` write nothing and return what the others would do.
    How: TypeAlias = Literal["beside", "replace", "ask", "look", "look to replace"]

# A moment that identifies a match, because it has seconds.
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


# The limits of one transaction, during which others wait.
TOGETHER = 50  # matches
ENTRIES = 5_000
PATIENCE = 0.25  # seconds
REPLACING = ("replace", "look to replace")
LOOKING = ("look", "look to replace")


class Taken(NamedTuple):
    """The result of importing a match.

    `match` is its number in the store (0: it is not stored), and `known` is set if the store had it
    already. `similar` are similar matches, and `origins` the matches that it may have been exported
    from. `replaced` is set if it corrects the only one of them. Then `changed` are the details that
    change (see `detail_changes`), and `identical` the other matches that are the same.
    """

    match: int
    known: bool
    like: Sequence[Like] = ()
    origins: Sequence[MatchRow] = ()
    replaced: bool = False
    changed: Mapping[str, tuple[str, str]] = {}
    same: Sequence[int] = ()


def take(store: Store, arrival: Arrival, how: How) -> Taken:
    """Import a match, unless the store has it already.

    In mode `ask` nothing is written if there is exactly one possible origin. Then `match` is 0.
    Raises Impossible if several matches could be replaced, and Unreadable if the only one cannot
    be, or for a beginning on a day that does not exist. Other texts for the beginning (“in May”)
    are accepted.
    """
    match, about = arrival.match, About(**arrival.about)
    if WRITTEN.match(about.started) and not day_of(about.started):
        raise Unreadable(
            tr("“{date}” is no date", date=shown(about.started, 40)),
            'started = "2026-11-20", started = "2026-11-20T20:15"',
        )
    if about.day and not is_day(about.day):
        raise Unreadable(tr("“{date}” is no date", date=shown(about.day, 40)), 'day = "2026-11-20"')
    likenesses = alike(store, match, about, _besides(arrival))
    same = [each.match for each in likenesses if not each.differs]
    found = []
    if how in REPLACING or not same:
        came_from = _tabled if arrival.points_alone else origins
        found = came_from(store, match, about)
    if same:  # the origin of a corrected record is older than the match with the correction
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
    if origin is not None:  # the origin is not replaced and remains identified by its beginning
        said = {**said, "identifier": identifier()}
    made = import_match(
        store, match, options=arrival.options, told=arrival.told, besides=_besides(arrival), **said
    )
    return Taken(made.match, made.known, _notable(arrival, made.like), found)


def _tabled(store: Store, match: Match, about: About) -> list[MatchRow]:
    """Return the matches that an earlier version of a row in a score table may have become.

    They have the same players, rules and day, and come from a table.
    """
    rows = store.alike(match.began_with, about.started, "") if about.started else []
    same = (match.ruleset.sha256, about.started, about.place or "", about.title)
    return [
        row
        for row in rows
        if (row.ruleset_sha, row.started, row.place or "", row.title) == same
        and row.note.startswith(NOTE)
    ]


def _besides(arrival: Arrival) -> Sequence[str]:
    """Return the details to ignore in comparisons. A note may only name the score table."""
    return ["note"] if arrival.points_alone else []


def _notable(arrival: Arrival, likenesses: Sequence[Like]) -> list[Like]:
    """Return the similar matches to report. Matches with only scores often agree by chance."""
    return [like for like in likenesses if not (arrival.points_alone and "started" in like.differs)]


def taken(
    store: Store, arriving: Iterable[Arrival | Refused], how: How
) -> Iterator[tuple[Arrival, Taken] | Refused]:
    """Import matches in their order, and return the result of each.

    Several matches are written in one transaction. If it fails, each is written separately, and
    the invalid ones are rejected. Raises Locked and UncertainWrite. Matches that were returned
    before are stored.
    """
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
    """Return the results of imports without writing. Of equal matches only the first is new."""
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
    """Import matches from the beginning of the list until others have waited too long."""
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
    """Import a match, or return why it is rejected. Raises Locked and UncertainWrite."""
    if isinstance(each, Refused):
        return each
    try:
        return each, take(store, each, how)
    except (Locked, Unsettled):
        raise
    except Failure as failure:
        if not isinstance(failure, Damaged):  # name the record, except for a fault of the book
            what = failure.message
            failure.message = tr("{path}: {what}", path=shown(place_of(each), 200), what=what)
        return Refused(each.file, each.line, [failure], each.size)


def _which(found: Sequence[MatchRow]) -> Failure:
    """Return the failure of a record with several possible origins."""
    numbers = ", ".join(str(row.id) for row in found)
    return Impossible(
        tr("it may have come from any of the matches {numbers}", numbers=numbers),
        tr(
            "delete those that are too many ({command}), then import it again",
            command=f"scorekeeper delete {found[-1].id}",
        ),
    )


# --- correcting a stored match by its record


def origins(store: Store, match: Match, about: About) -> list[MatchRow]:
    """Return the matches that a record may have been exported from.

    These are the matches with its identifier. Without an identifier they are the matches between
    its players that began at the same second.
    """
    if about.identifier:
        return store.identified(about.identifier)
    if not MOMENT.match(about.started):
        return []
    rows = store.alike(match.began_with, about.started, "")
    return [row for row in rows if row.started == about.started and not row.identifier]


def replace(store: Store, row: MatchRow, match: Match, said: Said, told: Sequence[Told]) -> None:
    """Correct a match of the store so that it agrees with a match that was read.

    `told` are the finished rounds of that match. The log still contains the earlier entries, and
    undo restores them, one correction at a time. Details that the record does not state are
    unchanged. Raises Unreadable (see `check_replaceable`).
    """
    check_place(row, match)
    wanted = [played.entries for played in match.rounds]
    with store.batch():
        log = store.log(row.id)
        rows = list(corrections(stands(log), wanted))
        if rows:
            # The log belongs to the earlier match, so no later round can be continued.
            kept = [
                kept_round(match, played, 1 if played.number == 1 else None, seen)
                for played, seen in zip(match.rounds, told, strict=True)
            ]
            about_it = summary_of(match)
            store.append(row.id, len(log), rows, finished=kept, reopened=1, summary=about_it)
        changed = {key: text for key, (_, text) in described(row, said).items()}
        if "started" in changed:
            changed["day"] = said.get("day", "")
        store.describe(row.id, **changed)


def check_place(row: MatchRow, match: Match) -> None:
    """Raise Unreadable if a match differs in players or rules from the one it is to replace."""
    say = ""
    if match.began_with != row.players:
        say = mark("the record names other players than match {match}, so it cannot take its place")
    elif match.ruleset.sha256 != row.ruleset_sha:
        say = mark("the record has other rules than match {match}, so it cannot take its place")
    if say:
        raise Unreadable(
            tr(say, match=row.id), tr("import it as a match of its own, without --replace")
        )


def described(row: MatchRow, said: Said) -> dict[str, tuple[str, str]]:
    """Return the details that a record changes: by key, the old text and the new one.

    A changed beginning implies the day, which is not returned separately.
    """
    kept = about_of(row)._asdict()
    new = {key: str(text or "") for key, text in said.items() if key != "identifier"}
    if new.get("started", row.started) != row.started:
        new.pop("day", None)
    elif "day" in new:
        new["day"] = kept_day(row.started, new["day"])
    return {key: (kept[key] or "", text) for key, text in new.items() if text != (kept[key] or "")}


def corrections(were: Sequence[list[str]], wanted: Sequence[list[str]]) -> Iterator[LogRow]:
    """Return the operations that turn the entries of rounds into the wanted ones.

    The last round comes first, so that no operation changes the numbers in another. New rounds
    come at the end, as they would be entered.
    """
    for number in range(len(were), len(wanted), -1):
        for entry in range(len(were[number - 1]), 0, -1):
            yield log_row("remove", number, entry, were[number - 1][entry - 1])
    both = min(len(were), len(wanted))
    for number in range(both, 0, -1):
        yield from _amended(number, were[number - 1], wanted[number - 1])
    for number in range(both + 1, len(wanted) + 1):
        for entry, text in enumerate(wanted[number - 1], 1):
            yield log_row("entry", number, entry, text)


def _amended(number: int, was: list[str], wanted: list[str]) -> Iterator[LogRow]:
    steps = SequenceMatcher(None, was, wanted, autojunk=False).get_opcodes()
    for kind, first, last, start, end in reversed(steps):
        text = "\n".join(wanted[start:end])
        if kind == "insert":
            yield log_row("insert", number, first + 1, text)
        if kind in ("delete", "replace"):
            kept = first + (kind == "replace")
            for entry in range(last, kept, -1):
                yield log_row("remove", number, entry, was[entry - 1])
        if kind == "replace":
            several = end - start > 1
            yield log_row("replace" if several else "amend", number, first + 1, text)
