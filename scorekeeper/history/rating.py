"""Ratings: how good players are, estimated from the places in which they came in.

The model is Weng and Lin's after Plackett and Luce, as the library openskill has it, with its own
parameters: a player's skill is a normal distribution with the mean `mu` (25 before their first
match) and the deviation `sigma` (25/3 then, less with every match).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

SURE = 3  # deviations below the mean: somebody is as good as that with a chance of 99.9 %


class Rating(NamedTuple):
    """What is known of somebody's skill."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """What players are ranked by: the skill that they have at least, almost surely."""
        return self.mu - SURE * self.sigma


class Rater:
    """What rates players by their matches. Raises Unreadable where openskill is not installed."""

    def __init__(self) -> None:
        try:
            from openskill.models import PlackettLuce
        except ImportError:
            raise Unreadable(
                tr("a rating needs {names}, which is not installed", names="openskill"),
                tr("{command} in Scorekeeper's folder", command="pip install '.[rating]'"),
            ) from None
        self._model = PlackettLuce()
        self.unknown = Rating(self._model.mu, self._model.sigma)

    def rated(self, teams: Sequence[Sequence[Rating]], places: Sequence[int]) -> list[list[Rating]]:
        """What is known after a match between these teams, two at least, that came in at these
        places (1 the best, equal ones shared): a list of lists alike."""
        model = self._model
        before = [[model.rating(each.mu, each.sigma) for each in team] for team in teams]
        after = model.rate(before, ranks=[float(place) for place in places])
        return [[Rating(each.mu, each.sigma) for each in team] for team in after]
