"""Who plays with the declarer and who against them, where the deal makes no sides. Part of
auction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.ruleset.phase import Measure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.ruleset.joint import Joint, Role
    from scorekeeper.ruleset.phase import Reader

DECLARER, OPPONENTS = ROLES = ("declarer", "opponents")


def role_of(rnd: Joint, role: str) -> Role:
    """The declarer with who sits on their side, or all others; nobody without a declarer."""
    declarer = rnd.shared.declarer
    if declarer < 0:
        return "", ()
    own = rnd.side(declarer)
    seats = tuple(seat for seat in rnd.seats if (seat in own) == (role == DECLARER))
    return "+".join(rnd.names_of(seats)), seats


def same_side(rnd: Joint, seat: int, other: int) -> bool | None:
    """Whether two players are on one side; None while nobody can tell."""
    if seat == other or rnd.parties is None:
        return other in rnd.side(seat) or seat == other
    one, two = rnd.parties.of(seat), rnd.parties.of(other)
    return None if one is None or two is None else one == two


def measures() -> Iterator[Measure]:
    """The card points and the tricks that each role has won."""
    for role in ROLES:
        yield Measure(f"{role}.points", "the card points that they have won", _points(role))
        yield Measure(f"{role}.tricks", "the tricks that they have won", _tricks(role))


def _points(role: str) -> Reader:
    def read(rnd: Joint, _: object) -> int:
        seats = role_of(rnd, role)[1]
        return sum(trick.points for trick in rnd.tricks if trick.winner in seats)

    return read


def _tricks(role: str) -> Reader:
    def read(rnd: Joint, _: object) -> int:
        seats = role_of(rnd, role)[1]
        return sum(trick.count for trick in rnd.tricks if trick.winner in seats)

    return read
