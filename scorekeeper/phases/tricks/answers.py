"""Answers to a lead of several cards, for known and unseen hands, and the plays to choose from."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING

from scorekeeper.core.hands import AllOf, AnyOf, Claim
from scorekeeper.engine.findings import broken_rules
from scorekeeper.engine.phase import actor_of
from scorekeeper.notation import Entry
from scorekeeper.phases.tricks.state import (
    DUTIES,
    FOLLOW,
    PLAY,
    possible_kinds,
    possible_runs,
    possible_throws,
    runs_in,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.hands import Question
    from scorekeeper.core.types import Rng
    from scorekeeper.engine.round import Round
    from scorekeeper.notation.entry import EntryType
    from scorekeeper.phases.tricks.state import State

    Kinds = tuple[int, ...]
    Part = bool | Question  # yes or no, or the question about the hand that decides it
    KindCounts = Mapping[int, int]  # the number of cards of each kind

NO_RUNS, LONGEST, AGAIN = "none", "longest", "again"
MAX_CLAIMS = 400  # maximum number of claims in one choice between runs
# The number of choices of several cards to try before assuming that one of them is legal.
MAX_TRIED = 200
MAX_WAYS = 400  # maximum number of ways to split the cards that are tried


class Answer:
    """The answer to sets or runs that a hand must make with its cards of the class led.

    A player must play their longest run of the class, but none longer than the one led. From the
    remaining cards they must again play the longest run left, then single sets, then smaller sets,
    then any cards. Players may choose between equally long runs, and between sets.

    The check yields a question about the hand. If fewer sets are played than were led, no set may
    be held back. If enough sets are played, it must be possible to split them into runs so that no
    step leaves a longer run in the hand. Both conditions limit the number of cards of each kind, so
    one question works for known and unseen hands. The check is exact for sets of up to three cards;
    for larger sets it stops once a smaller set completes the answer. If there are very many ways to
    split the cards, only the first run is checked.

    `steps` lists the kinds of the class in order, grouped by strength. `bounds` maps each kind to
    the minimum and maximum number of its cards in the hand before the answer. A set has `set_size`
    cards, `sets` sets were led, and a run has at least `min_run` sets (0 if none is required). A
    throw is answered by sets alone, as many as its largest sets.
    """

    def __init__(
        self, rnd: Round, state: State, seat: int, kinds: Sequence[int], runs: str, smaller: bool
    ) -> None:
        self.column, self.seat = rnd.rules.pack.column, seat
        self.set_size, self.sets = state.form
        self.min_run = 0 if runs == NO_RUNS else state.shapes.min_run(self.set_size)
        if state.thrown:
            self.set_size = max(alike for alike, _ in state.thrown)
            self.sets = sum(sets for alike, sets in state.thrown if alike == self.set_size)
            self.min_run = 0
        self.repeats_runs, self.uses_smaller_sets = runs == AGAIN, smaller
        self.steps = state.order.ladder(state.led_class)
        self.laid = Counter(kinds)
        self.bounds: dict[int, tuple[int, int]] = {}
        for kind in (kind for step in self.steps for kind in step):
            low, high = rnd.hands.bounds_after(seat, kinds, self.column[kind])
            self.bounds[kind] = self.laid[kind] + low, self.laid[kind] + high
        self._cache: dict[tuple[int, ...], Part] = {}

    @property
    def is_short(self) -> bool:
        """True if fewer sets are played than were led."""
        return sum(count // self.set_size for count in self.laid.values()) < self.sets

    def is_correct(self) -> Part:
        """Return whether these cards are a correct answer to the lead, or the question about the
        hand that decides it."""
        return self._check_sets() if self.is_short else self._check_runs(self.sets, ())

    def _claim_at_most(self, kind: int, most: int) -> Part:
        low, high = self.bounds[kind]
        if high <= most or low > most:
            return high <= most
        return Claim(self.seat, self.column[kind], 0, most)

    def _check_sets(self) -> Part:
        """Return whether no set is held back, or the question that decides it.

        After playing its sets, the hand must hold too few cards of each kind for another set.
        """
        rest, left = self.set_size * self.sets, dict(self.laid)
        taken = dict.fromkeys(self.bounds, 0)
        most = dict.fromkeys(self.bounds, self.set_size * self.sets + self.set_size)
        for size in range(self.set_size, 1 if self.uses_smaller_sets else self.set_size - 1, -1):
            sets = {kind: count // size * size for kind, count in left.items()}
            if sum(sets.values()) >= rest // size * size:
                break
            for kind, count in sets.items():
                taken[kind] += count
                left[kind] -= count
                rest -= count
            most = {kind: min(top, taken[kind] + size - 1) for kind, top in most.items()}
        return all_of(self._claim_at_most(kind, top) for kind, top in most.items())

    def _check_runs(self, need: int, used: tuple[int, ...]) -> Part:
        """Return whether the `need` sets still to be played use the longest runs, or the question
        that decides it.

        `used` are the kinds whose sets already belong to runs.
        """
        if not self.min_run or need < self.min_run or len(self._cache) > MAX_WAYS:
            return True
        if used not in self._cache:
            self._cache[used] = self._check_next_run(need, Counter(used))
        return self._cache[used]

    def _check_next_run(self, need: int, used: Counter[int]) -> Part:
        spare = Counter({k: n // self.set_size - used[k] for k, n in self.laid.items()})
        length = find_longest_run(self.steps, spare, need)
        if length == need:
            return True
        first = self._claim_no_run(max(length + 1, self.min_run), used)
        if first is False or not self.repeats_runs or length < self.min_run:
            return first
        runs = runs_in(_kinds_with_set(self.steps, spare), length)
        after = any_of(
            self._check_runs(need - length, tuple(sorted((*used.elements(), *run)))) for run in runs
        )
        return first if _count_claims(after) > MAX_CLAIMS else all_of((first, after))

    def _claim_no_run(self, sets: int, used: Counter[int]) -> Part:
        """Return whether the hand has no other run of this many sets, or the question that decides
        it."""
        missing = [
            all_of(self._claim_at_most(kind, self.set_size * (used[kind] + 1) - 1) for kind in step)
            for step in self.steps
        ]
        return all_of(any_of(missing[at : at + sets]) for at in range(len(missing) - sets + 1))

    def example(self) -> list[int]:
        """Return sets that answer the lead, from the cards known to be in the hand."""
        hand = Counter({kind: low for kind, (low, _) in self.bounds.items()})
        need, cards = self.sets, []
        while self.min_run and need >= self.min_run:
            spare = Counter({kind: count // self.set_size for kind, count in hand.items()})
            length = find_longest_run(self.steps, spare, need)
            if length < self.min_run:
                break
            run = next(runs_in(_kinds_with_set(self.steps, spare), length))
            cards += [kind for kind in run for _ in range(self.set_size)]
            need -= length
            hand -= Counter(dict.fromkeys(run, self.set_size))
            if not self.repeats_runs:
                break
        rest = need * self.set_size
        for size in range(self.set_size, 1 if self.uses_smaller_sets else self.set_size - 1, -1):
            for kind in self.bounds:
                while rest >= size and hand[kind] >= size:
                    cards += [kind] * size
                    hand[kind] -= size
                    rest -= size
        return cards


def all_of(parts: Iterable[Part]) -> Part:
    """Return whether all conditions are true, or the question that decides it. Conditions already
    decided are left out of the question."""
    return _join(parts, False, AllOf)


def any_of(parts: Iterable[Part]) -> Part:
    """Return whether at least one condition is true, or the question that decides it. Conditions
    already decided are left out of the question."""
    return _join(parts, True, AnyOf)


def _join(
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


def _count_claims(part: Part) -> int:
    """Return the number of claims in a question."""
    if isinstance(part, (AllOf, AnyOf)):
        return sum(map(_count_claims, part.claims))
    return 1


def _kinds_with_set(steps: Sequence[Sequence[int]], sets: KindCounts) -> list[list[int]]:
    """Return, for each position in the order, the kinds with at least one set in `sets`."""
    return [[kind for kind in step if sets.get(kind, 0) > 0] for step in steps]


def find_longest_run(steps: Sequence[Sequence[int]], sets: KindCounts, most: int) -> int:
    """Return the number of sets in the longest run, but at most `most`."""
    best = now = 0
    for held in _kinds_with_set(steps, sets):
        now = now + 1 if held else 0
        best = max(best, now)
    return min(best, most)


# --- plays to choose from


def find_plays(rnd: Round, state: State, verb: EntryType, seats: Iterable[int]) -> Iterator[Entry]:
    """Yield the cards that these seats might play, as far as their hands are known.

    The clauses judge each choice later. Seats that have already played are skipped. The choices are
    single cards, sets of identical cards, and, if the hand is known, one other answer of several
    cards. A single entry without cards represents all other choices of several cards.
    """
    for seat in seats:
        if state.has_laid(seat):
            continue
        for size in [state.size] if state.laid else state.shapes.set_sizes:
            for kind in possible_kinds(rnd, seat, size):
                yield Entry(verb, seat, (kind,) * size)
        example = _example_answer(rnd, state, seat)
        if example:
            yield Entry(verb, seat, example)
        if _has_other_choices(rnd, state, Entry(verb, seat, example)):
            yield Entry(verb, seat, ())


def fill_with_run(rnd: Round, state: State, entry: Entry, rng: Rng) -> Entry | None:
    """Replace a lead of unnamed cards by a run. Return the new entry, or None if the seat cannot
    lead a run."""
    seat = actor_of(entry)
    runs = [] if state.laid else list(islice(possible_runs(rnd, state, seat), MAX_TRIED))
    return Entry(entry.type, seat, rng.choice(runs)) if runs else None


def _has_other_choices(rnd: Round, state: State, listed: Entry) -> bool:
    """Return whether a choice of several cards that is not listed may be legal. If there are very
    many choices, one is assumed to be legal."""
    if state.laid and state.size == 1:
        return False
    seat, example = actor_of(listed), sorted(listed.value)
    others = (
        _possible_answers(rnd, state, seat)
        if state.laid
        else chain(possible_runs(rnd, state, seat), possible_throws(rnd, state, seat))
    )
    tried = list(islice(others, MAX_TRIED))
    return len(tried) == MAX_TRIED or any(
        sorted(cards) != example and not broken_rules(rnd, Entry(listed.type, seat, cards))
        for cards in tried
    )


def _example_answer(rnd: Round, state: State, seat: int) -> Kinds:
    """Return one answer to a lead of several cards, from a known hand.

    Runs and sets of the class led come first, then other cards of that class, then any others.
    Return no cards if the hand is not known, or if the answer is a single set.
    """
    if not state.laid or state.size == 1 or not rnd.hands.is_known(seat):
        return ()
    pack, hand, classes = rnd.rules.pack, rnd.hands.known[seat], state.order.classes
    sets = Answer(rnd, state, seat, (), AGAIN, smaller=True).example()
    rest = pack.kinds_in(pack.subtract(hand, pack.hand_of(sets)))
    rest.sort(key=lambda kind: classes[kind] != state.led_class)
    cards = (*sets, *rest[: state.size - len(sets)])
    return cards if len(set(cards)) > 1 else ()


def _possible_answers(rnd: Round, state: State, seat: int) -> Iterator[Kinds]:
    """Yield the choices of unequal cards that might answer a lead of several cards. Choices that
    start with the class led come first."""
    order, size = state.order, state.size
    held = [kind for count in range(1, size + 1) for kind in possible_kinds(rnd, seat, count)]
    if _must_follow(rnd, state, seat):
        held = [k for k in held if order.classes[k] == state.led_class or k in order.outside]
    held.sort(key=lambda kind: (order.classes[kind] != state.led_class, kind))
    return (cards for cards in combinations(held, size) if cards[0] != cards[-1])


def _must_follow(rnd: Round, state: State, seat: int) -> bool:
    """Return whether following suit is the first duty and the hand is certain to have enough
    cards."""
    clauses = rnd.rules.clauses_of.get(PLAY, ())
    first = next((each for each in clauses if each.word.name in DUTIES), None)
    if first is None or first.word.name != FOLLOW or state.led_class < 0:
        return False
    if first.row["when"] not in ("true", True):
        return False
    return rnd.hands.bounds(seat, state.order.masks[state.led_class])[0] >= state.size
