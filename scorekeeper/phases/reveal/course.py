"""Dice are shown and counted; who loses or gains by that. Part of reveal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import Asked, listed, mark, number_of, tr
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import NUMBER, Verb
from scorekeeper.notation.syntax import Number, Numbers, Of
from scorekeeper.phases.reveal import results, telling
from scorekeeper.phases.reveal.shown import (
    hidden_in,
    possible_counts,
    show,
    take_count,
)
from scorekeeper.phases.reveal.state import ALL_BUT, ROLES, SEVERAL, SINGLE, Outcome, State
from scorekeeper.ruleset.phase import Measure, Phase
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.core.types import Json, Luck, Row
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Reader
    from scorekeeper.ruleset.splits import Split

# Measures of whom a row of [outcomes] decides upon: not to be had before it has.
DECIDED = tuple(f"{role}.tally" for role in SINGLE)
# The counts that are tried, to see whether the rows decide: fewer than so many.
TRIED = 8
DICE = Verb("dice", Of(Numbers()), mark("the dice somebody shows"), table=True)
COUNT = Verb("count", Number(0, 9999), mark("how many match, aces included"), table=True, late=True)


def _matching(rnd: Joint, subject: object) -> int:
    return rnd.rules.phase(Reveal).counted(rnd) or 0


def _missed(rnd: Joint, subject: object) -> int:
    """By how many the count misses the bid. Raises LookupError where nobody knows."""
    if rnd.result is not None and results.MISSED in rnd.result:
        return int(rnd.result[results.MISSED])
    count, bid = rnd.rules.phase(Reveal).counted(rnd), rnd.shared.bid
    if count is None or bid is None:
        raise LookupError
    return abs(count - bid.number)


def _bid_count(rnd: Joint, subject: object) -> int:
    bid = rnd.shared.bid
    return bid.number if bid is not None else 0


def _tally_of(role: str) -> Reader:
    """The tally, as the round began, of whoever has that role; 0 where nobody has."""

    def read(rnd: Joint, subject: object) -> int:
        found = rnd.roles.get(role)
        return rnd.base_of(found[1][0]) if found else 0

    return read


@phase
class Reveal(Phase[State]):
    """Who loses or gains, by the count and the call.

    `outcomes` are the rows that may decide a call, each with its condition; `faces` the numbers on
    a die.
    """

    name = "reveal"
    doc = "After a call the dice are shown: by player, or the matching count alone."
    tables = ("outcomes",)
    others = ("bids",)
    sections = {
        "outcomes": {
            "call": Parameter(
                "choice", "the call that it decides", choices=("doubt", "exact"), rows="verbs"
            ),
            "when": Parameter("condition", "how the count must be"),
            "who": Parameter(
                "choice",
                "whom it concerns: one of them, or everyone else",
                choices=("bidder", "caller", *ALL_BUT),
            ),
            "as": Parameter(
                "choice",
                "what they are then (`losers`, `gainers`: everyone else)",
                choices=ROLES,
            ),
            "starts": Parameter(
                "choice",
                "who starts the next round (without it: whom it concerns, or who is left out)",
                "",
                ("", "bidder", "caller"),
            ),
            "cite": Parameter("text", "the paragraph of the rule text"),
        }
    }
    tracked = ("outcomes",)
    roles = ROLES
    reports = {"matching": "how many dice matched the bid that was called"}
    verbs = (DICE, COUNT)
    shorts = (NUMBER,)
    measures = (
        Measure("matching", "how many dice match the bid", _matching),
        Measure("missed", "by how many dice the count missed the bid", _missed),
        Measure("bid.count", "the count of the bid that was called", _bid_count),
        Measure("loser.tally", "the loser's tally before", _tally_of("loser")),
        Measure("gainer.tally", "the gainer's tally before", _tally_of("gainer")),
        Measure("bidder.tally", "the last bidder's tally before", _tally_of("bidder")),
        Measure("caller.tally", "the caller's tally before", _tally_of("caller")),
    )

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        self.outcomes: list[Outcome] = []
        self.faces: list[int] = []

    def link(self) -> None:
        names = self.rules.section("faces")
        self.faces = sorted(int(name) for name in names if name.isascii() and name.isdigit())
        self.outcomes = []
        for name, row in self.rules.section("outcomes").items():
            where = f"outcomes.{name}"
            when = self.rules.expression(row["when"], f"{where}.when", but=DECIDED)
            self.outcomes.append(Outcome(name, row, when))
            fits = SEVERAL if row["who"] in ALL_BUT else SINGLE
            if row["as"] not in fits:
                allowed = " or ".join(fits)
                message = f"{where}.as must be {allowed}, with who = “{row['who']}”"
                self.rules.fault(f"{where}.as", row["as"], allowed, message)

    def check(self, sound: bool) -> None:
        """Report rows of [outcomes] that never decide, and calls that they leave undecided."""
        from scorekeeper.ruleset.deciding import Deciding, cases_of, undecided, unreachable
        from scorekeeper.ruleset.tables import join_key

        found: dict[str, list[Deciding]] = {}
        for name, row, when in self.outcomes:
            found.setdefault(row["call"], []).append(Deciding(name, when))
        cases = cases_of({"bid.count": range(1, TRIED), "matching": range(TRIED)})
        for call, rows in found.items():
            for idle, why in unreachable(rows, cases):
                where = join_key(("outcomes", idle.name))
                message = f"{where} never decides a call: {why}"
                self.rules.fault(where, idle.when.text, "a condition that may decide", message)
            case = undecided(rows, cases)
            if case is not None:
                where = join_key(("outcomes", rows[-1].name, "when"))
                so = f"{case['matching']} matching a bid of {case['bid.count']}"
                message = f"{where}: no row decides “{self.rules.spoken(call)}” with {so}"
                allowed = f'rows with call = "{call}" of which one always holds'
                self.rules.fault(where, f"nothing for {so}", allowed, message)

    def splits(self, split: Split, seats: int) -> Iterator[Split]:
        for role in dict.fromkeys(outcome.row["as"] for outcome in self.outcomes):
            several = role in SEVERAL
            said = f"{seats - 1} {role}" if several else f"a {role}"
            yield split.also(said, {role: (role, tuple(range(seats - 1 if several else 1)))})

    def result_names(self) -> Iterable[str]:
        return (*SINGLE, *results.named(self.outcomes))

    def begin(self, rnd: Joint) -> State:
        return State()

    def finished(self, rnd: Joint) -> bool:
        return rnd.state(self).count is not None

    def counted(self, rnd: Joint) -> int | None:
        """How many dice match the bid, once that is known."""
        state = rnd.state_if_begun(self)
        return state.count if state is not None else None

    def readings(self, rnd: Joint, entry: Entry) -> Iterable[Entry]:
        """Right after a call a number is the count."""
        if entry.verb is NUMBER and rnd.is_current(self) and not self.finished(rnd):
            (key, said), *more = entry.value
            if not (key or more):
                yield Entry(COUNT, None, int(said))

    def prompt(self, rnd: Joint) -> str:
        hidden = hidden_in(rnd, rnd.state(self))
        names = listed(rnd.names_of(hidden))
        return Asked(
            tr("the dice of {names} are counted: dice NAME: …, or count N", names=names),
            tr("the dice of {names} are counted", names=names),
        )

    # --- dice and counts

    def apply(self, rnd: Joint, entry: Entry) -> None:
        state = rnd.state_if_begun(self)
        if state is None:
            raise Impossible(tr("dice are shown after a call"), rnd.prompt())
        if entry.verb is COUNT:
            take_count(rnd, state, entry.value)
        else:
            show(rnd, state, self.faces, *entry.value)

    def chance(self, rnd: Joint, luck: Luck) -> Iterator[Entry]:
        state = rnd.state_if_begun(self)
        if state is None or not rnd.is_current(self):
            return
        faces = list(map(int, rnd.rules.section("faces")))
        for seat in hidden_in(rnd, state):
            dice = tuple(luck.choice(faces) for _ in range(rnd.dice_of(seat)))
            yield Entry(DICE, None, (seat, dice))

    # --- what decides the call

    def close(self, rnd: Joint) -> None:
        if self._cut_short(rnd):
            return
        if self.counted(rnd) is not None:
            self._decide(rnd)

    def _cut_short(self, rnd: Joint) -> bool:
        """Whether the round has ended without a decision of its call."""
        return rnd.void or rnd.unscored or rnd.shared.foul >= 0

    def _outcome(self, rnd: Joint) -> Outcome | None:
        """What decides the call, by the count as it stands."""
        call = rnd.shared.call
        if call is None:
            return None
        for outcome in self.outcomes:
            if outcome.row["call"] == call.word and rnd.evaluate(outcome.when):
                return outcome
        return None

    def applied(self, rnd: Joint) -> Iterator[str]:
        state = rnd.state_if_begun(self)
        for name, row in self.rules.section("outcomes").items():
            if state is not None and state.outcome == row:
                yield f"outcomes.{name}"
                return

    def undecided(self, rnd: Joint) -> str:
        state, bid, call = rnd.state_if_begun(self), rnd.shared.bid, rnd.shared.call
        if state is None or bid is None or call is None or state.count is None:
            return ""
        if state.outcome is not None or self._cut_short(rnd):
            return ""
        found = number_of(state.count, "die matches", "dice match")
        return f"no row of [outcomes] decides {rnd.rules.spoken(call.word)}: {found} {bid.text}"

    def _decide(self, rnd: Joint) -> None:
        outcome = self._outcome(rnd)
        if outcome is not None:
            bidder, caller = rnd.roles["bidder"][1][0], rnd.roles["caller"][1][0]
            rnd.roles[outcome.row["as"]] = outcome.concerned(rnd, bidder, caller)
            rnd.state(self).outcome = outcome.row
            rnd.next_leader = rnd.roles[outcome.starter][1][0]

    # --- rounds entered by their result

    def fields(self, rnd: Joint) -> list[tuple[str, str, list[str]]]:
        return list(results.fields(rnd, self.outcomes))

    def confirms(self, rnd: Joint, said: dict[str, str]) -> bool:
        left = rnd.playing()
        won = [seat for seat in left if rnd.tally[seat] >= rnd.rules.tally["most"]]
        return len(left) == 1 and list(said.items()) == [
            (SINGLE[1], name) for name in rnd.names_of(won)
        ]

    def conclude(self, rnd: Joint, said: dict[str, str]) -> None:
        if self.counted(rnd) is not None:
            raise Impossible(tr("the round is decided already"))
        told = results.read(rnd, self.outcomes, said)
        name, seat = rnd.names[told.seat], told.seat
        if rnd.out(seat):
            raise Impossible(tr("{name} is out", name=name))
        state = rnd.state_if_begun(self)
        if state is None:
            outcome = results.check_some_call(rnd, self.outcomes, told)
        else:
            counts = possible_counts(rnd, state)
            outcome = results.check_call(rnd, self.outcomes, told, counts)
        rnd.next_leader = seat
        if told.key in SINGLE:
            rnd.roles[told.key] = (name, (seat,))
        else:
            rnd.roles[outcome.row["as"]] = outcome.concerned(rnd, seat, seat)

    # --- how it is told

    def sentences(self, rnd: Joint) -> Iterator[str]:
        count = self.counted(rnd)
        return iter(()) if count is None else telling.sentences(rnd, count)

    def score_sentences(self, rnd: Joint) -> Iterator[str]:
        yield from self.sentences(rnd)
        state = rnd.state_if_begun(self)
        if state is not None and state.outcome is not None:
            yield from telling.swallowed(rnd, state.outcome["as"])

    def summary(self, rnd: Joint) -> Json:
        count = self.counted(rnd)
        return {} if count is None else {"matching": count}

    def describe(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        if state is None:
            return {}
        if not rnd.over and rnd.is_current(self):
            names = rnd.names_of(hidden_in(rnd, state))
            return {"owed": [{"who": name, "what": "dice"} for name in names]}
        bindings: Json = {}
        if rnd.over and state.count is not None and not self._cut_short(rnd):
            bindings["matching_count"] = state.count
        if state.outcome is not None:
            role, cite = state.outcome["as"], state.outcome["cite"]
            bindings["outcome"] = {role: rnd.roles[role][0], "cite": cite}
        return {"bindings": bindings}
