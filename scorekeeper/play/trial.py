"""Playing a ruleset many times at random, and what that finds: `rules check --play`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.play.match import Match
from scorekeeper.play.random_match import RandomMatch
from scorekeeper.play.watching import NOTHING, Trouble, Watch
from scorekeeper.ruleset.compiled import Ruleset

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.core.types import Json, Luck


SOME = 8  # rounds, of which one would have changed a tally
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal")


class Trial:
    """What a number of matches at random have shown: `troubles` that are faults, each with how
    often it came, and `notes`, which may well be meant so."""

    def __init__(self, ruleset: Ruleset, watch: Watch) -> None:
        self.matches, self.rounds, self.entries = watch.matches, watch.rounds, watch.entries
        self.troubles = [(trouble, watch.often[sort]) for sort, trouble in watch.troubles.items()]
        self.notes = watch.notes(ruleset)

    @property
    def ok(self) -> bool:
        """Whether no fault was found."""
        return not self.troubles

    def as_json(self) -> Json:
        """The same as plain values."""
        troubles = [
            {**trouble._asdict(), "players": list(trouble.players),
             "entries": list(trouble.entries), "times": often}
            for trouble, often in self.troubles
        ]  # fmt: skip
        return {
            "matches": self.matches,
            "rounds": self.rounds,
            "entries": self.entries,
            "faults": troubles,
            "notes": self.notes,
        }


def play(ruleset: Ruleset, matches: int, seed: int, luck_of: Callable[[int], Luck]) -> Trial:
    """Play so many matches, one for each seed from `seed` on; `luck_of` gives the chance of a
    seed. A seed plays the same match every time. Raises Failure where no number of players that
    the program has names for is allowed."""
    ruleset = Ruleset(ruleset.data, ruleset.text, ruleset.sha256)  # whose orders nobody asked for
    counts = counts_of(ruleset)
    watch = Watch()
    for each in range(seed, seed + matches):
        names = list(NAMES[: counts[each % len(counts)]])
        RandomMatch(ruleset, names, each, luck_of(each), watch).play()
    _nothing_changed(watch, seed)
    return Trial(ruleset, watch)


def counts_of(ruleset: Ruleset) -> list[int]:
    """The numbers of players that the ruleset allows, as far as there are names."""
    found: list[int] = []
    refused: Failure | None = None
    for count in range(1, len(NAMES) + 1):
        try:
            Match(ruleset, NAMES[:count])
        except Failure as failure:
            refused = failure
        else:
            found.append(count)
    if not found and refused is not None:
        raise refused
    return found


def _nothing_changed(watch: Watch, seed: int) -> None:
    """That no round has ever changed a tally is a fault, unless there were only a few."""
    if watch.counted >= SOME and watch.unchanged == watch.counted:
        said = f"none of {watch.counted} rounds has changed a tally"
        watch.troubles[NOTHING, said] = Trouble(NOTHING, said, seed, (), 1, 0, ())
        watch.often[NOTHING, said] = 1
