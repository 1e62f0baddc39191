"""What was bid and found, in sentences for people at the table. Part of reveal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import listed, plural, tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.ruleset.joint import Joint


def sentences(rnd: Joint, count: int) -> Iterator[str]:
    """How many dice show the face that was bid, and by whom."""
    bid = rnd.shared.bid
    if bid is None:
        return
    faces = listed(list(map(str, rnd.shared.matching)), "or")
    yield plural(
        "{count} die shows {faces}; {name} had bid {bid}",
        "{count} dice show {faces}; {name} had bid {bid}",
        count,
        faces=faces,
        name=rnd.names[bid.seat],
        bid=bid.text,
    )


def swallowed(rnd: Joint, role: str) -> Iterator[str]:
    """That the tally's limits have swallowed a change of the player in that role."""
    name, seats = rnd.roles[role]
    if len(seats) == 1 and rnd.tally[seats[0]] == rnd.base_of(seats[0]):
        tally = rnd.rules.tally
        yield tr(
            "{name} is the {role} and stays at {number}: nobody has more than {most} {tally}",
            name=name,
            role=role,
            number=rnd.tally[seats[0]],
            most=tally["most"],
            tally=rnd.rules.said(tally["name"]),
        )
