"""A row of a table recorded as a round: who was there, who sat out, who paid for it."""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible
from scorekeeper.core.messages import listed, mark, tr
from scorekeeper.play.roster import why_not_seated

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from scorekeeper.play.match import Match

WHY = "set by hand, as the table has it"
ANOTHER = mark(
    "put the row right, or say by which rules it counts: --ruleset NAME, --set KEY=VALUE"
)
EACH = mark(
    "write into the row what each has who played, 0 too, or say by which rules it counts:"
    " --ruleset NAME, --set KEY=VALUE"
)


def record_round(
    match: Match,
    points: Mapping[str, int],
    names: Sequence[str],
    everybody: Sequence[str],
    stood: Mapping[str, int],
) -> None:
    """Record a round by its value, and before that who comes, goes, or deals so that the others
    sit out. `names` are those of the match as they sit, `everybody` those of whom the table could
    say something, `stood` what they had before the round, where it says it. Raises Failure, with
    what can be typed in a table; then nothing of it is recorded."""
    done = 0
    try:
        for text in _entries(match, points, names, everybody, stood):
            match.record(text)
            done += 1
    except Failure as failure:
        for _ in range(done):
            match.undo()
        raise failure if isinstance(failure, _Said) else told(failure) from None


def told(failure: Failure) -> Failure:
    """A failure of the rules, as it is told of a table: its hint is an entry, which none takes."""
    return Impossible(failure.message, tr(ANOTHER))


class _Said(Impossible):
    """A row that cannot be understood, with a hint of its own."""


def _entries(
    match: Match,
    points: Mapping[str, int],
    names: Sequence[str],
    everybody: Sequence[str],
    stood: Mapping[str, int],
) -> Iterator[str]:
    """The entries that say a row, each once those before it are recorded."""
    begun = bool(match.rounds)
    if not _others_pay(match, points, everybody):
        if not (points.keys() == {*match.seated} or _dealer_of(match, points) is not None):
            yield from _comings_and_goings(match, points, names)
        out = _who_sits_out(match, points, begun)
        points = {name: each for name, each in points.items() if name not in out}
        dealer = _dealer_of(match, points)
        if dealer is not None and dealer != match.now.dealer and points.keys() < {*match.seated}:
            yield f"dealer {match.seated[dealer]}"
    yield from _by_hand(match, stood)
    if len({*points.values()}) == 1:  # the others may have to pay for it
        yield f"score {'+'.join(points)}: {next(iter(points.values())):+}"
    else:
        yield "score " + " / ".join(f"{name}: {each:+}" for name, each in points.items())


def _by_hand(match: Match, stood: Mapping[str, int]) -> Iterator[str]:
    """What the table has given somebody between the rounds, or taken."""
    for name, tally in stood.items():
        before = match.now.tally[match.seated.index(name)] if name in match.seated else tally
        if tally != before:
            yield f"penalty {name}: {tally - before} {WHY}"


def _playing(match: Match, dealer: int) -> list[str]:
    """Who takes part when the player in that seat deals."""
    seated = match.seated
    return [seated[seat] for seat in match.ruleset.seating(len(seated), dealer)]


def _dealer_of(match: Match, who: Collection[str]) -> int | None:
    """Who deals where these take part and nobody else, first of all who must; None if nobody."""
    dealers = [match.now.dealer, *range(len(match.seated))]
    return next((each for each in dealers if {*_playing(match, each)} == {*who}), None)


# --- who comes and goes


def _comings_and_goings(
    match: Match, points: Mapping[str, int], names: Sequence[str]
) -> Iterator[str]:
    """How those come who have points now, each to the left of who stands before them, and those go
    who have none. Raises Impossible where so few or many cannot play."""
    why = why_not_seated(match.ruleset, len(points))
    if why:
        raise _Said(why, tr(EACH))
    sitting = list(match.seated)
    absent = [name for name in sitting if name not in points]
    for name in names:
        if name in points and name not in sitting:
            before = names[: names.index(name)]
            beside = next((each for each in reversed(before) if each in sitting), sitting[-1])
            sitting.insert(sitting.index(beside) + 1, name)
            yield f"joins {name} after {beside}"
    yield from (f"quits {name}" for name in absent)


# --- who sits out, and who pays


def _who_sits_out(match: Match, points: Mapping[str, int], begun: bool) -> Collection[str]:
    """Who sat out although they have a number: it is 0, and they must, as the deal goes on from an
    earlier round (`begun`), or nobody else can have. Raises Impossible where that is not certain,
    and where nobody can have."""
    seated = match.seated
    ways = [
        tuple(name for name in seated if name not in _playing(match, dealer))
        for dealer in range(len(seated))
    ]
    if points.keys() != {*seated} or not all(ways):
        return ()
    found = [way for way in dict.fromkeys(ways) if not any(points[name] for name in way)]
    if not found:
        raise _Said(
            tr("all {count} at the table have points, and only {playing} of them play a round",
               count=len(seated), playing=len(seated) - len(ways[0])),
            tr("leave the cell of who sat out empty; if the row is a whole evening: {option}",
               option="--row evening"),
        )  # fmt: skip
    due = ways[match.now.dealer]
    if len(found) > 1 and not (begun and due in found):
        raise _Said(
            tr("nobody can tell who sat out: {one}, or {other}", one=listed(found[0]),
               other=listed(found[1])),
            tr("leave the cell of who sat out empty"),
        )  # fmt: skip
    return found[0] if len(found) == 1 else due


def _others_pay(match: Match, points: Mapping[str, int], everybody: Sequence[str]) -> bool:
    """Whether all who take part and are not named pay for what the others have. Raises Impossible
    where that may be several."""
    total = sum(points.values())
    if not (match.ruleset.tally["zero_sum"] and total and len({*points.values()}) == 1):
        return False
    blank = [name for name in everybody if name not in points]
    missing = len(_playing(match, match.now.dealer)) - len(points)
    if missing <= 0 or len(blank) < missing:
        return False
    if len(blank) > missing:
        one, other = (listed(each) for each in islice(combinations(blank, missing), 2))
        raise _Said(
            tr("who paid for the {points} of {names} may be {one}, or {other}",
               points=f"{total // len(points):+}", names=listed([*points]), one=one, other=other),
            tr("write into the row what each of them has"),
        )  # fmt: skip
    return {*blank, *points} <= {*match.seated}
