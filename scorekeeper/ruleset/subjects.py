"""What an expression is asked of: whose `own.…` is meant, and which trick.

An act (`Entry`) speaks of its player and of the trick as it lies; a complete trick of itself and
of a player or a side; a score row of a player or a side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation import Entry

if TYPE_CHECKING:
    from scorekeeper.core.cards import Trick


class Own(NamedTuple):
    """A player, or several who are a side; `side` is the number of one that differs from deal to
    deal (see `Parties`)."""

    seats: tuple[int, ...]
    side: int | None = None


class Moment(NamedTuple):
    """A complete trick, looked at for a player or a side."""

    trick: Trick
    own: Own


def own_of(subject: object) -> Own:
    """Who is meant by `own`. Raises Impossible where nobody is."""
    if isinstance(subject, Own):
        return subject
    if isinstance(subject, Moment):
        return subject.own
    if isinstance(subject, Entry) and subject.seat is not None:
        return Own((subject.seat,))
    raise Impossible(tr("nobody is named whose act it is"), tr("NAME: what they did"))


def seats_of(subject: object) -> tuple[int, ...]:
    """The seats that are meant by `own`. Raises Impossible where nobody is."""
    return own_of(subject).seats
