"""What answers sets and runs: how cards of the class that was led are to be judged, and what the
hand must be asked. Part of tricks.

Who answers sets lays, of the class that was led, the longest run that they have (no longer than
the one that was led), with the rest again the longest that is left, then single sets, then smaller
sets, then what they like. Which of several equally long runs it is, and which sets, is free.

Put as a question about the hand: no set is held back while too few are laid; and where as many are
laid as were led, for some way to take the cards laid apart into runs, there is at each step no
longer run in what the hand still had. Both are bounds on how many the hand has of single kinds,
joined by any and all, so that one question serves known and unseen hands. It says exactly what the
rule says for sets of up to three cards. For larger sets it asks less: only until a smaller set
ends what is to be laid. And where the ways to take the cards apart are very many, those that come
after the first run ask nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scorekeeper.core.hands import AllOf, AnyOf, Claim
from scorekeeper.phases.tricks.shapes import runs_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scorekeeper.core.hands import Question
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.joint import Joint

    Part = bool | Question  # decided, or what is asked of the hand
    Kinds = Mapping[int, int]  # how many of each kind

NO_RUNS, LONGEST, AGAIN = "none", "longest", "again"
MOST_CLAIMS = 400  # that follow from a choice between runs
MOST_WAYS = 400  # to take cards apart that are looked at


class Answer:
    """Cards of the class that was led, laid to what was led, and the hand that they come from.

    `steps` are the kinds of the class, those of equal strength together; `bounds` how many of each
    the hand has, at least and at most, as it lays these; `alike` cards make a set, `sets` were led,
    and `least` sets make a run (0: there are none to be laid).
    """

    def __init__(
        self, rnd: Joint, state: State, seat: int, kinds: Sequence[int], runs: str, smaller: bool
    ) -> None:
        self.column, self.seat = rnd.rules.pack.column, seat
        self.alike, self.sets = state.form
        self.least = 0 if runs == NO_RUNS else state.shapes.least_run(self.alike)
        self.again, self.smaller = runs == AGAIN, smaller
        self.steps = state.order.ladder(state.led)
        self.laid = Counter(kinds)
        self.bounds: dict[int, tuple[int, int]] = {}
        for kind in (kind for step in self.steps for kind in step):
            low, high = rnd.hands.beside(seat, kinds, self.column[kind])
            self.bounds[kind] = self.laid[kind] + low, self.laid[kind] + high
        self._known: dict[tuple[int, ...], Part] = {}

    @property
    def short(self) -> bool:
        """Whether fewer sets are laid than were led."""
        return sum(count // self.alike for count in self.laid.values()) < self.sets

    def kept(self) -> Part:
        """Whether this is how what was led is answered."""
        return self._sets() if self.short else self._runs(self.sets, ())

    def _at_most(self, kind: int, most: int) -> Part:
        low, high = self.bounds[kind]
        if high <= most or low > most:
            return high <= most
        return Claim(self.seat, self.column[kind], 0, most)

    def _sets(self) -> Part:
        """No set is held back: of each kind the hand has no more than the sets that are laid of
        it, and less than another set."""
        rest, left = self.alike * self.sets, dict(self.laid)
        taken = dict.fromkeys(self.bounds, 0)
        most = dict.fromkeys(self.bounds, self.alike * self.sets + self.alike)
        for size in range(self.alike, 1 if self.smaller else self.alike - 1, -1):
            found = {kind: count // size * size for kind, count in left.items()}
            if sum(found.values()) >= rest // size * size:
                break
            for kind, count in found.items():
                taken[kind] += count
                left[kind] -= count
                rest -= count
            most = {kind: min(top, taken[kind] + size - 1) for kind, top in most.items()}
        return every(self._at_most(kind, top) for kind, top in most.items())

    def _runs(self, need: int, used: tuple[int, ...]) -> Part:
        """Of so many sets that are still to be laid the longest runs are, and so on; `used` are the
        kinds of those that lie in runs already."""
        if not self.least or need < self.least or len(self._known) > MOST_WAYS:
            return True
        if used not in self._known:
            self._known[used] = self._next_run(need, Counter(used))
        return self._known[used]

    def _next_run(self, need: int, used: Counter[int]) -> Part:
        spare = Counter({k: n // self.alike - used[k] for k, n in self.laid.items()})
        length = longest_run(self.steps, spare, need)
        if length == need:
            return True
        kept = self._no_run(max(length + 1, self.least), used)
        if kept is False or not self.again or length < self.least:
            return kept
        runs = runs_in(_held(self.steps, spare), length)
        after = some(
            self._runs(need - length, tuple(sorted((*used.elements(), *run)))) for run in runs
        )
        return kept if _claims_in(after) > MOST_CLAIMS else every((kept, after))

    def _no_run(self, sets: int, used: Counter[int]) -> Part:
        """There is no run of so many sets in the hand beside what is used."""
        gone = [
            every(self._at_most(kind, self.alike * (used[kind] + 1) - 1) for kind in step)
            for step in self.steps
        ]
        return every(some(gone[at : at + sets]) for at in range(len(gone) - sets + 1))

    def example(self) -> list[int]:
        """Sets that would be laid, of what the hand surely has."""
        hand = Counter({kind: low for kind, (low, _) in self.bounds.items()})
        need, found = self.sets, []
        while self.least and need >= self.least:
            spare = Counter({kind: count // self.alike for kind, count in hand.items()})
            length = longest_run(self.steps, spare, need)
            if length < self.least:
                break
            run = next(runs_in(_held(self.steps, spare), length))
            found += [kind for kind in run for _ in range(self.alike)]
            need -= length
            hand -= Counter(dict.fromkeys(run, self.alike))
            if not self.again:
                break
        rest = need * self.alike
        for size in range(self.alike, 1 if self.smaller else self.alike - 1, -1):
            for kind in self.bounds:
                while rest >= size and hand[kind] >= size:
                    found += [kind] * size
                    hand[kind] -= size
                    rest -= size
        return found


def every(parts: Iterable[Part]) -> Part:
    """Whether all of these hold; what is decided is not asked."""
    return _joined(parts, False, AllOf)


def some(parts: Iterable[Part]) -> Part:
    """Whether one of these holds; what is decided is not asked."""
    return _joined(parts, True, AnyOf)


def _joined(
    parts: Iterable[Part], decisive: bool, join: Callable[[tuple[Question, ...]], Question]
) -> Part:
    asked: list[Question] = []
    for part in parts:
        if part is decisive:
            return decisive
        if not isinstance(part, bool):
            asked.append(part)
    if not asked:
        return not decisive
    return asked[0] if len(asked) == 1 else join(tuple(asked))


def _claims_in(part: Part) -> int:
    """How many claims a question is made of."""
    if isinstance(part, (AllOf, AnyOf)):
        return sum(map(_claims_in, part.claims))
    return 1


def _held(steps: Sequence[Sequence[int]], sets: Kinds) -> list[list[int]]:
    """The kinds of each place of which there is a set."""
    return [[kind for kind in step if sets.get(kind, 0) > 0] for step in steps]


def longest_run(steps: Sequence[Sequence[int]], sets: Kinds, most: int) -> int:
    """How many places that follow one another have a set; no more than `most`."""
    best = now = 0
    for held in _held(steps, sets):
        now = now + 1 if held else 0
        best = max(best, now)
    return min(best, most)
