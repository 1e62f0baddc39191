"""What a kind of play carries over from one round to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.ruleset.joint import Joint


class Keeping:
    """The hooks of a phase that are about the rounds to come (see `Joint.keep`)."""

    def close(self, rnd: Joint) -> None:
        """The round is over: roles, who deals and leads next, what the phase carries over."""

    def closed(self, rnd: Joint) -> None:
        """The round is over, and it is known whether it has a score (`Joint.scored`): what is
        carried over from all of that. Asked again when something joins a round that is over."""

    def reseated(self, kept: Json, moved: Sequence[int | None], count: int) -> Json:
        """What the phase has kept, now that somebody has come or gone between rounds: `count` sit
        at the table; `moved` says for each seat of before which one it is now, None: it is gone,
        and whatever was owed there. A seat that is not in it is new. Raises Impossible where
        something must be settled first."""
        return kept


def staying(seats: Sequence[int], moved: Sequence[int | None]) -> list[int]:
    """Those of some seats that are still there, as they are now."""
    return sorted(now for seat in seats if (now := moved[seat]) is not None)
