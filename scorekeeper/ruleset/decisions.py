"""What was decided once something had been wrong: part of a round, made by the law of its ruleset.

It outlasts a round that is played again from its entries, for it says how they are to be taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scorekeeper.core.types import Json, Standing

COUNTS, VOID, UNSCORED, LOST = "counts", "void", "unscored", "lost"
AGAIN = -2  # in the place of a seat: who started this round


class Due(NamedTuple):
    """A penalty whose figure waits: its class, for what was done by that seat with entry `number`,
    or was `told` with it."""

    penalty: str
    seat: int
    number: int
    told: bool


class Assumed(NamedTuple):
    """A penalty whose figure rests on a side that is clear and not proven: what was charged for it
    so far, by the seats of one tally."""

    due: Due
    charged: Mapping[tuple[int, ...], int]


class Moved(NamedTuple):
    """Tricks that go to another seat when play is over: how many (`most`), the last of those that
    these `seats` have won from the trick `since` on."""

    most: int
    seats: tuple[int, ...]
    to: int
    since: int


class Effects(NamedTuple):
    """What a decision changes.

    `taken`: the numbers of entries that are taken back by it; `charges`: points beside the score
    (code, seats, points, citation); `ends`: whether the round does, and then it counts, is void,
    counts as a deal without a score, or as lost for the side of who is to blame (`outcome`);
    `rest`: the seat to whose side all that is still out goes (-1: nobody's); `moved`: tricks that
    go to another; `starts`: who starts the next round (-1: as ever; or `AGAIN`); `foul`: the seat
    whose foul it was (-1: nobody's); `dealer`: who deals after a void round (`same`, `next`, `due`;
    empty: as the rules say of all); `bars`: verbs that a seat may not use any more in this round;
    `against`: what was decided (a row of [remedies]) and against whom, which is kept for the match;
    `due`: a penalty whose figure nobody knows yet; `assumed`: one whose figure may change;
    `instead`: the standing that the round should have begun with, by what was decided of the one
    before.
    """

    taken: frozenset[int] = frozenset()
    charges: tuple[tuple[str, tuple[int, ...], int, str], ...] = ()
    ends: bool = False
    outcome: str = COUNTS
    rest: int = -1
    moved: Moved | None = None
    starts: int = -1
    foul: int = -1
    dealer: str = ""
    bars: tuple[int, tuple[str, ...]] | None = None
    against: tuple[str, int] | None = None
    due: Due | None = None
    assumed: Assumed | None = None
    instead: Standing | None = None


class Window(NamedTuple):
    """That something may be claimed, as the referee told it with entry `shown`: the row of
    [remedies], the number of what was wrong, whose it was, and the seats that may claim it."""

    shown: int
    remedy: str
    number: int
    seat: int
    asked: tuple[int, ...]


class Heard(NamedTuple):
    """The windows that the referee has told of a round which is looked at by what was seen: up to
    entry `until` there are these and no others."""

    windows: tuple[Window, ...] = ()
    until: int = 0


class Decisions:
    """The decisions of one round: `effects` by the number of the entry that brought them, `taken`
    all entries that they take back; `due` are the penalties whose figure waits, `assumed` those of
    which it may change. `left` is what may still be decided when the round is over, with the number
    of entries it was computed after.
    `watching`: something may still be claimed, so each entry is looked at. `replaying`: the round
    is played again, by decisions that were made before. `windows` are those that were told in it,
    `heard` those that were told of it."""

    __slots__ = (
        *("assumed", "due", "effects", "heard", "left", "replaying", "taken", "watching"),
        "windows",
    )

    def __init__(
        self,
        effects: dict[int, Effects] | None = None,
        taken: Iterable[int] = (),
        replaying: bool = False,
    ) -> None:
        self.effects: dict[int, Effects] = {} if effects is None else effects
        self.taken = frozenset(taken)
        self.replaying = replaying
        self.watching = False
        self.due: list[Due] = []
        self.assumed: list[Assumed] = []
        self.left: tuple[int, list[Json]] = (-1, [])
        self.windows: list[Window] = []
        self.heard = Heard()

    def copy(self) -> Decisions:
        """The same decisions, to go on apart from these."""
        other = Decisions(self.effects.copy(), self.taken, self.replaying)
        other.watching, other.due = self.watching, self.due[:]
        other.assumed = self.assumed[:]
        other.windows, other.heard = self.windows[:], self.heard
        return other

    def again(self, taken: Iterable[int]) -> Decisions:
        """The same decisions for a round that is played again, with more taken back."""
        return Decisions(self.effects, self.taken.union(taken), replaying=True)

    def apart_from(self, number: int) -> Decisions:
        """The same decisions, of which none was brought by that entry or takes it back: another
        one happens in its place."""
        other = self.copy()
        other.effects = {0 if at == number else at: each for at, each in self.effects.items()}
        other.taken -= {number}
        other.replaying = self.replaying
        return other
