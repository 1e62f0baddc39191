"""Numbers that are counted from round to round in addition to the tally. Examples are bags, and
rounds that will count double.

A counter belongs to the match, to each player or to each side. Expressions can read its value at
the start of the round, and also the number that the round adds. The condition that ends a match
reads the value after the round. A void round and a round without a score change no counter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.expressions import ExpressionError, NotYetKnown
from scorekeeper.core.messages import Sentence, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.measures import Owner, seats_of
from scorekeeper.engine.phase import OWN, MatchCounters, Measure, Phase, View
from scorekeeper.engine.rows import ALL, EACH, SIDES
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import beside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Json, Row
    from scorekeeper.engine.phase import Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset

MATCH = "match"
OWNERS = (MATCH, EACH, ALL, SIDES)
ADDED_SUFFIX = ".added"  # suffix of the measure that reads the number added by the round

Counts = dict[str, list[int]]
"""The numbers of each counter, keyed by its name: one for the match, or one for each seat."""


class State:
    """The counters at the start of the round (`counts`), after it (`counts_after`), and the numbers
    that it added (`counts_added`). The last two are None until the round is finished."""

    __slots__ = ("counts", "counts_added", "counts_after")

    def __init__(self, counts: Counts) -> None:
        self.counts = counts
        self.counts_added: Counts | None = None
        self.counts_after: Counts | None = None


class Counter:
    """A compiled row of `[counters]`: expressions for the number that a round adds to the counter
    and the number that it uses up."""

    __slots__ = ("added", "label", "name", "owner", "start", "used")

    def __init__(self, name: str, row: Row, rules: Ruleset) -> None:
        path = f"counters.{name}"
        self.name = name
        self.label: str = row["label"] or name
        self.owner: str = row["for"]
        self.start: int = row["start"]
        about = () if self.owner == MATCH else (OWN,)
        self.added: Expression = rules.compile_expression(
            row["adds"], f"{path}.adds", about, whole=True
        )
        self.used: Expression = rules.compile_expression(
            row["uses"], f"{path}.uses", about, whole=True
        )

    def owners(self, rnd: Round) -> list[Owner | None]:
        """Return the players or sides that each have their own count. If the whole match has one
        count, return a list that contains only None."""
        if self.owner == MATCH:
            return [None]
        if self.owner == EACH:
            return [Owner((seat,)) for seat in rnd.seats]
        if self.owner == ALL:
            return [Owner((seat,)) for seat in range(len(rnd.names))]
        return [
            Owner(seats) for seats in dict.fromkeys(rnd.seating.side(seat) for seat in rnd.seats)
        ]


@beside
class Counters(Phase[State], MatchCounters):
    """The counters of a match."""

    name = "counters"
    doc = (
        "Present in every ruleset with `[counters]`. A row counts from round to round."
        " `NAME` (`own.NAME`) is the value at the round's start, `NAME.added` the number"
        " that the round adds. `match.ends` is evaluated after the round and reads the value"
        " after it."
    )
    concurrent = True
    row_tables = {
        "counters": {
            "for": Parameter(
                "choice",
                "the owner: the match, each player, all (with those who sit out) or each side",
                MATCH,
                OWNERS,
            ),
            "start": Parameter("int", "the value at the start of a match", 0),
            "adds": Parameter("number", "the number that a round adds", 0),
            "uses": Parameter("number", "the number that a round uses up", 0),
            "label": Parameter("text", "its label on the sheet", ""),
        }
    }

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.counters: dict[str, Counter] = {}
        self.reports = {
            name if each["for"] == MATCH else f"player.{name}": f"{name}, after the round"
            for name, each in rules.section("counters").items()
        }

    def link(self) -> None:
        rows = self.rules.section("counters").items()
        self.counters = {name: Counter(name, row, self.rules) for name, row in rows}

    def check(self, trial_allowed: bool) -> None:
        """Report counters whose `adds` depends on a number that the round adds to a counter,
        because that would be circular."""
        for name, counter in self.counters.items():
            for used in counter.added.names:
                if used.endswith(ADDED_SUFFIX):
                    where = f"counters.{name}.adds"
                    message = f"{where}: “{used}” is itself what this round adds to a counter"
                    self.rules.fault(where, used, "other measures, or a name of [let]", message)

    # --- course of a match

    def begin(self, rnd: Round) -> State:
        kept, counts = rnd.carried(self.name), dict[str, list[int]]()
        for name, row in self.rules.section("counters").items():
            owners = 1 if row["for"] == MATCH else len(rnd.names)
            counts[name] = list(kept.get(name) or [row["start"]] * owners)
        return State(counts)

    def reseat(self, carried: Json, new_seats: Sequence[int | None], count: int) -> Json:
        """Give new players the counter's value at the start of a match."""
        found: Json = dict(carried)
        for name, counter in self.counters.items():
            if counter.owner == MATCH or name not in carried:
                continue
            found[name] = [self.rules.section("counters")[name]["start"]] * count
            for before, now in enumerate(new_seats):
                if now is not None:
                    found[name][now] = carried[name][before]
        return found

    def after_score(self, rnd: Round) -> None:
        state = rnd.state(self)
        state.counts_after, state.counts_added = self._book_round(rnd, state.counts)
        rnd.carry_over(self.name, state.counts_after)

    def _book_round(self, rnd: Round, before: Counts) -> tuple[Counts, Counts]:
        """Return the counters after the round, and the numbers that the round has added to them."""
        after = {name: list(counts) for name, counts in before.items()}
        nothing = {name: [0] * len(counts) for name, counts in before.items()}
        added = {name: list(counts) for name, counts in nothing.items()}
        if rnd.void or not rnd.scored:
            return after, nothing
        try:
            for counter in self.counters.values():
                for own in counter.owners(rnd):
                    adds, uses = (
                        int(counter.added.value_in(rnd, own)),
                        int(counter.used.value_in(rnd, own)),
                    )
                    for seat in (0,) if own is None else own.seats:
                        added[counter.name][seat] = adds
                        value = before[counter.name][seat] + adds - uses
                        after[counter.name][seat] = max(
                            -untrusted.MAX_POINTS, min(untrusted.MAX_POINTS, value)
                        )
        except NotYetKnown:
            return before, nothing
        except ExpressionError as error:
            rnd.report_ruleset_error(error, tr("so the counters stay as they were"))
            return before, nothing
        return after, added

    # --- measures

    def named_measures(self) -> Iterator[Measure]:
        for name, row in self.rules.section("counters").items():
            of, about = ("", "") if row["for"] == MATCH else ("own.", OWN)
            doc = f"the counter {name} at the round's start"
            yield Measure(f"{of}{name}", doc, self._start_measure(name), about)
            doc = f"what this round adds to the counter {name}"
            yield Measure(f"{of}{name}{ADDED_SUFFIX}", doc, self._added_measure(name), about)

    def _start_measure(self, name: str) -> Reader:
        def read(rnd: Round, subject: object) -> int:
            # may be read before the phase begins
            state = rnd.state_if_begun(self) or self.begin(rnd)
            counts = (
                state.counts_after
                if rnd.score_applied and state.counts_after is not None
                else state.counts
            )
            return self._total(rnd, name, counts, subject)

        return read

    def _total(self, rnd: Round, name: str, counts: Counts, subject: object) -> int:
        """Return a counter's value for the subject, or for the match if the counter belongs to the
        match."""
        each = counts[name]
        if self.counters[name].owner == MATCH:
            return each[0]
        seats = seats_of(subject)
        if self.counters[name].owner == SIDES:
            return sum([each[side[0]] for side in {rnd.seating.side(seat) for seat in seats}])
        return sum([each[seat] for seat in seats])

    def _added_measure(self, name: str) -> Reader:
        def read(rnd: Round, subject: object) -> float:
            if rnd.void:
                return 0
            added = rnd.state(self).counts_added
            if rnd.score_applied and added is not None:
                return self._total(rnd, name, added, subject)
            counter = self.counters[name]
            asked = None if counter.owner == MATCH else subject
            return counter.added.value_in(rnd, asked)

        return read

    # --- view

    def view(self, rnd: Round) -> CountersView:
        counts, counters = self._current_counts(rnd), self.counters
        facts = [
            CounterFacts(
                name,
                rnd.rules.translate(counters[name].label),
                each[0] if counters[name].owner == MATCH else None,
                {} if counters[name].owner == MATCH else dict(zip(rnd.names, each, strict=True)),
            )
            for name, each in counts.items()
        ]
        return CountersView(facts)

    def _current_counts(self, rnd: Round) -> Counts:
        """Return the counters at the start of the round, or after the round once it is finished."""
        if rnd.over:
            kept: Counts = {name: list(counts) for name, counts in rnd.carried(self.name).items()}
            return kept or rnd.state(self).counts
        return rnd.state(self).counts


class CounterFacts(NamedTuple):
    """A counter of the match with its `total`, or a counter of each player with their `counts`."""

    name: str
    label: str
    total: int | None
    counts: Mapping[str, int]


class CountersView(View["list[CounterFacts]"]):
    """The view of the counters."""

    __slots__ = ()

    def sentences(self) -> Iterator[Sentence]:
        for _, label, total, counts in self.facts:
            if total:
                yield Sentence(f"{label}: {total}")
            elif any(counts.values()):
                each = ", ".join(f"{who} {count}" for who, count in counts.items())
                yield Sentence(f"{label}: {each}")

    def as_json(self) -> Json:
        shown = {name: counts if total is None else total for name, _, total, counts in self.facts}
        return {"bindings": {"counters": shown}}

    def summary(self) -> Json:
        return {
            f"player.{name}" if total is None else name: counts if total is None else total
            for name, _, total, counts in self.facts
        }
