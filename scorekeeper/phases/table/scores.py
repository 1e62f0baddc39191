"""A round of its own by its value: `score NAME+NAME: POINTS`. Part of table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import listed, mark, plural, tr
from scorekeeper.notation.syntax import Syntax, clean, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.types import Luck
    from scorekeeper.notation import Entry
    from scorekeeper.notation.syntax import Spelling
    from scorekeeper.ruleset.joint import Joint

    Given = tuple[tuple[int, ...], int]  # seats, and what each of them gets

MOST_POINTS = 99999
CODE = "table.score"


class ScoreSyntax(Syntax):
    """Players and what each of them gets: `Ana+Ben: +3`, `Ana: +3 / Cleo: -3`."""

    names_players = True
    form = mark("NAME+NAME: POINTS")

    def read(self, text: str, notation: Spelling) -> tuple[Given, ...]:
        given: list[Given] = []
        named: set[int] = set()
        for part in text.split("/"):
            names, colon, points = part.partition(":")
            if not colon:
                raise Unreadable(tr("names, a colon and points must follow"))
            seats = tuple(notation.seat(name.strip()) for name in names.split("+"))
            if named & set(seats) or len(set(seats)) < len(seats):
                raise Unreadable(tr("“{names}”: somebody is named twice", names=clean(text)[:80]))
            named |= set(seats)
            given.append((seats, whole(points.strip(), -MOST_POINTS, MOST_POINTS)))
        return tuple(given)

    def show(self, value: Iterable[Given], notation: Spelling) -> str:
        names = notation.names
        parts = [f"{'+'.join(names[seat] for seat in seats)}: {each:+}" for seats, each in value]
        return " / ".join(parts)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[tuple[Given, ...]]:
        seats = luck.sample(range(len(notation.names)), 1)
        return (((tuple(seats), luck.randint(-5, 5)),),)


def happens(rnd: Joint, entry: Entry) -> None:
    """The round counts what the table says, and nothing else. Raises Impossible once somebody has
    acted in it, and for what the ruleset cannot share out."""
    if rnd.acted or rnd.over:
        raise Impossible(
            tr("this round has begun, and counts by what is recorded of it"),
            tr("play it to its end, or: void why; then the score is a round of its own"),
        )
    shared_out = _shared_out(rnd, entry.value)
    for seats, points in shared_out:
        _check_bounds(rnd, seats[0], points)
    for seats, points in shared_out:
        if points:
            rnd.add_line(CODE, seats, points)
    rnd.unscored = True
    rnd.finish()


def _check_bounds(rnd: Joint, seat: int, points: int) -> None:
    """Raise Impossible where a tally would be what no tally is."""
    tally, number = rnd.rules.tally, rnd.tally[seat] + points
    if not tally["least"] <= number <= tally["most"]:
        raise Impossible(
            tr(
                "the tally ({name}) is from {least} to {most}; {player} would stand at {number}",
                name=tally["name"],
                least=tally["least"],
                most=tally["most"],
                player=rnd.names[seat],
                number=number,
            )
        )


def _shared_out(rnd: Joint, given: Sequence[Given]) -> list[Given]:
    """What each tally gets: what was said; where scores sum to zero, the others pay for it in
    equal parts. Raises Impossible where that cannot be."""
    found: dict[tuple[int, ...], int] = {}
    for seats, points in given:
        for seat in seats:
            if seat not in rnd.seats:
                raise Impossible(tr("{name} sits out this round", name=rnd.names[seat]))
            tally = rnd.sharing(seat)
            if found.setdefault(tally, points) != points:
                raise Impossible(
                    tr("{names} are one side, with one tally", names=listed(rnd.names_of(tally)))
                )
    total = sum(found.values())
    if total and rnd.rules.tally["zero_sum"]:
        rest = [tally for tally in dict.fromkeys(map(rnd.sharing, rnd.seats)) if tally not in found]
        if len(given) > 1 or not rest:
            raise Impossible(
                tr("scores sum to zero here, and these come to {sum}", sum=f"{total:+}")
            )
        if total % len(rest):
            raise Impossible(
                plural(
                    "{points} cannot be shared out to {count} other in whole points",
                    "{points} cannot be shared out to {count} others in whole points",
                    len(rest),
                    points=f"{-total:+}",
                ),
                tr("say what each gets: score NAME: POINTS / NAME: POINTS"),
            )
        found |= dict.fromkeys(rest, -total // len(rest))
    return list(found.items())
