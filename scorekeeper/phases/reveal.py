"""All dice are shown and counted, and the call is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import listed, number_of
from scorekeeper.core.failures import Impossible, Unreadable
from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import Number, Numbers, Of, seat_named
from scorekeeper.notation.verbs import Verb
from scorekeeper.ruleset.deciding import Deciding, cases_of, undecided, unreachable
from scorekeeper.ruleset.keys import join_key
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.phase import Measure, Phase
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.luck import Luck
    from scorekeeper.core.plain import Json, Row
    from scorekeeper.core.rulings import Finding
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Reader, Split

ROLES = ("loser", "gainer")
# Measures of whom a row of [outcomes] decides upon: not to be had before it has.
DECIDED = tuple(f"{role}.tally" for role in ROLES)
# The counts that are tried, to see whether the rows decide: fewer than so many.
TRIED = 8
DICE = Verb("dice", Of(Numbers()), "the dice somebody shows", table=True)
COUNT = Verb("count", Number(0, 9999), "how many match, aces included", table=True, late=True)


class State:
    """`shown` are the dice shown so far, by seat; `count` is how many dice match the bid, once
    that is known; `outcome` is the row of [outcomes] that then decided the call."""

    __slots__ = ("count", "outcome", "shown")

    def __init__(self) -> None:
        self.shown: dict[int, tuple[int, ...]] = {}
        self.count: int | None = None
        self.outcome: Row | None = None


def _matching(rnd: Joint, subject: object) -> int:
    return rnd.rules.phase(Reveal).counted(rnd) or 0


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

    `outcomes` are the rows that may decide a call, each with its condition.
    """

    name = "reveal"
    doc = "After a call the dice are shown: by player, or the matching count alone."
    tables = ("outcomes",)
    others = ("bids",)
    sections = {
        "outcomes": {
            "call": Parameter("choice", "the call that it decides", choices=("doubt", "exact")),
            "when": Parameter("condition", "how the count must be"),
            "who": Parameter("choice", "whom it concerns", choices=("bidder", "caller")),
            "as": Parameter("choice", "what they are then", choices=ROLES),
            "starts": Parameter(
                "choice",
                "who starts the next round (without it: whom it concerns)",
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
    measures = (
        Measure("matching", "how many dice match the bid", _matching),
        Measure("bid.count", "the count of the bid that was called", _bid_count),
        Measure("loser.tally", "the loser's tally before", _tally_of("loser")),
        Measure("gainer.tally", "the gainer's tally before", _tally_of("gainer")),
        Measure("bidder.tally", "the last bidder's tally before", _tally_of("bidder")),
        Measure("caller.tally", "the caller's tally before", _tally_of("caller")),
    )

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        self.outcomes: list[tuple[Row, Expression]] = []

    def link(self) -> None:
        self.outcomes = [
            (row, self.rules.expression(row["when"], f"outcomes.{name}.when", but=DECIDED))
            for name, row in self.rules.section("outcomes").items()
        ]

    def check(self, sound: bool) -> None:
        """Report rows of [outcomes] that never decide, and calls that they leave undecided."""
        names = self.rules.section("outcomes")
        found: dict[str, list[Deciding]] = {}
        for name, (row, when) in zip(names, self.outcomes, strict=True):
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
        for role in dict.fromkeys(row["as"] for row, _ in self.outcomes):
            yield split.also(f"a {role}", {role: (role, (0,))})

    def result_names(self) -> Iterable[str]:
        return ROLES

    def begin(self, rnd: Joint) -> State:
        return State()

    def finished(self, rnd: Joint) -> bool:
        return rnd.state(self).count is not None

    def counted(self, rnd: Joint) -> int | None:
        """How many dice match the bid, once that is known."""
        state = rnd.state_if_begun(self)
        return state.count if state is not None else None

    def prompt(self, rnd: Joint) -> str:
        hidden = self._hidden(rnd, rnd.state(self))
        return f"the dice of {listed(rnd.names_of(hidden))} are counted: dice NAME: …, or count N"

    def _hidden(self, rnd: Joint, state: State) -> list[int]:
        """The seats whose dice nobody has shown yet."""
        return [seat for seat in rnd.playing() if seat not in state.shown]

    # --- dice and counts

    def apply(self, rnd: Joint, entry: Entry) -> None:
        state = rnd.state_if_begun(self)
        if state is None:
            raise Impossible("dice are shown after a call", rnd.prompt())
        if entry.verb is COUNT:
            self._take_count(rnd, state, entry.value)
        else:
            self._show(rnd, state, *entry.value)

    def _show(self, rnd: Joint, state: State, seat: int, dice: tuple[int, ...]) -> None:
        """Somebody shows their dice; the last of them give the count."""
        name, has = rnd.names[seat], rnd.tally[seat]
        faces = sorted(map(int, rnd.rules.section("faces")))
        wrong = [face for face in dice if face not in faces]
        if wrong:
            raise Unreadable(
                f"{wrong[0]} is no face of a die", f"faces are {faces[0]} to {faces[-1]}"
            )
        if rnd.out(seat) or len(dice) != has:
            held = number_of(has, "die", "dice")
            raise Impossible(f"{name} has {held}, not {len(dice)}", f"dice {name}: …")
        if seat in state.shown:
            raise Impossible(f"{name}'s dice are shown already", "undo, or amend that entry")
        state.shown[seat] = dice
        if not self._hidden(rnd, state):
            state.count = self._matching_shown(rnd, state)

    def _take_count(self, rnd: Joint, state: State, count: int) -> None:
        """The table says how many dice match, without showing all of them."""
        if state.count is not None:
            if self._hidden(rnd, state):
                raise Impossible(f"the count is {state.count} already", "undo, or amend that entry")
            if count != state.count:
                raise Impossible(f"by the dice shown the count is {state.count}, not {count}")
            return
        if rnd.over:
            raise Impossible("the round ended without a count")
        counts = self._possible_counts(rnd, state)
        if count not in counts:
            raise Impossible(f"the count is from {counts[0]} to {counts[-1]}, not {count}")
        state.count = count

    def _matching_shown(self, rnd: Joint, state: State) -> int:
        matching = rnd.shared.matching
        return sum(die in matching for dice in state.shown.values() for die in dice)

    def _possible_counts(self, rnd: Joint, state: State) -> range:
        """The counts that are possible, by the dice shown so far."""
        least = self._matching_shown(rnd, state)
        hidden = sum(rnd.tally) - sum(map(len, state.shown.values()))
        return range(least, least + hidden + 1)

    def chance(self, rnd: Joint, luck: Luck) -> Iterator[Entry]:
        state = rnd.state_if_begun(self)
        if state is None or not rnd.is_current(self):
            return
        faces = list(map(int, rnd.rules.section("faces")))
        for seat in self._hidden(rnd, state):
            dice = tuple(luck.choice(faces) for _ in range(rnd.tally[seat]))
            yield Entry(DICE, None, (seat, dice))

    # --- what decides the call

    def close(self, rnd: Joint) -> None:
        if self._cut_short(rnd):
            return
        if self.counted(rnd) is not None:
            self._decide(rnd)
        elif rnd.result is not None:
            rnd.next_leader = next(rnd.roles[role][1][0] for role in ROLES if role in rnd.roles)

    def _cut_short(self, rnd: Joint) -> bool:
        """Whether the round has ended without a decision of its call."""
        return rnd.void or rnd.shared.foul >= 0

    def _outcome(self, rnd: Joint) -> Row | None:
        """The row that decides the call, by the count as it stands."""
        call = rnd.shared.call
        row: Row
        for row, when in self.outcomes:
            if call is not None and row["call"] == call.word and rnd.evaluate(when):
                return row
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
        row = self._outcome(rnd)
        if row is not None:
            rnd.roles[row["as"]] = rnd.roles[row["who"]]
            rnd.state(self).outcome = row
            rnd.next_leader = rnd.roles[row["starts"] or row["who"]][1][0]

    # --- rounds entered by their result

    def fields(self, rnd: Joint) -> list[tuple[str, str, list[str]]]:
        names = rnd.names_of(rnd.playing())
        possible = {row["as"] for row, _ in self.outcomes}
        fields = (("loser", "who lost", names), ("gainer", "or who gained", names))
        return [field for field in fields if field[0] in possible]

    def confirms(self, rnd: Joint, said: dict[str, str]) -> bool:
        left = rnd.playing()
        won = [seat for seat in left if rnd.tally[seat] >= rnd.rules.tally["most"]]
        return len(left) == 1 and list(said.items()) == [
            (ROLES[1], name) for name in rnd.names_of(won)
        ]

    def conclude(self, rnd: Joint, said: dict[str, str]) -> None:
        if self.counted(rnd) is not None:
            raise Impossible("the round is decided already")
        if len(said) != 1 or next(iter(said)) not in ROLES:
            raise Unreadable("a result here is loser=NAME or gainer=NAME")
        role, name = next(iter(said.items()))
        seat = seat_named(rnd.names, name)
        if rnd.out(seat):
            raise Impossible(f"{rnd.names[seat]} is out")
        state = rnd.state_if_begun(self)
        if state is None:
            self._check_some_call(rnd, role, seat)
        else:
            self._check_call(rnd, state, role, seat)
        rnd.roles[role] = (rnd.names[seat], (seat,))

    def _check_some_call(self, rnd: Joint, role: str, seat: int) -> None:
        """A result implies a call that nobody has recorded: one that gives the player that role,
        and that some player may make upon another's bid. Raises Impossible where no call does."""
        wrong: list[Finding] | None = None
        for row, _ in self.outcomes:
            for other in rnd.playing() if row["as"] == role else ():
                if other != seat:
                    pair = (seat, other) if row["who"] == "caller" else (other, seat)
                    found = rnd.wrong_with_call(row["call"], *pair)
                    if not found:
                        return
                    wrong = wrong or found
        if wrong is None:
            raise Impossible(f"nobody can be the {role} of a round here: no call comes to that")
        rnd.blame(wrong)

    def _check_call(self, rnd: Joint, state: State, role: str, seat: int) -> None:
        """A result may close a round whose call was recorded, if that call could still end so.
        Raises Impossible if not."""
        possible: dict[str, None] = {}
        for count in self._possible_counts(rnd, state):
            supposed = State()
            supposed.count = count
            row = rnd.suppose(self, supposed, lambda: self._outcome(rnd))
            if row is not None and row["as"] == role:
                possible[rnd.roles[row["who"]][0]] = None
        if rnd.names[seat] not in possible:
            names = ", ".join(possible) or "nobody"
            raise Impossible(f"after that call the {role} can be {names}, not {rnd.names[seat]}")

    # --- how it is told

    def sentences(self, rnd: Joint) -> Iterator[str]:
        count, bid = self.counted(rnd), rnd.shared.bid
        if count is None or bid is None:
            return
        dice = number_of(count, "die shows", "dice show")
        faces = listed(list(map(str, rnd.shared.matching)), "or")
        yield f"{dice} {faces}; {rnd.names[bid.seat]} had bid {bid.text}"

    def score_sentences(self, rnd: Joint) -> Iterator[str]:
        """What was bid and found; and a change that the tally's limits swallowed."""
        yield from self.sentences(rnd)
        state = rnd.state_if_begun(self)
        if state is None or state.outcome is None:
            return
        role = state.outcome["as"]
        name, (seat,) = rnd.roles[role]
        if rnd.tally[seat] == rnd.base_of(seat):
            tally = rnd.rules.tally
            most = f"nobody has more than {tally['most']} {tally['name']}"
            yield f"{name} is the {role} and stays at {rnd.tally[seat]}: {most}"

    def summary(self, rnd: Joint) -> Json:
        count = self.counted(rnd)
        return {} if count is None else {"matching": count}

    def describe(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        if state is None:
            return {}
        if not rnd.over and rnd.is_current(self):
            names = rnd.names_of(self._hidden(rnd, state))
            return {"owed": [{"who": name, "what": "dice"} for name in names]}
        bindings: Json = {}
        if rnd.over and state.count is not None and not self._cut_short(rnd):
            bindings["matching_count"] = state.count
        if state.outcome is not None:
            role, cite = state.outcome["as"], state.outcome["cite"]
            bindings["outcome"] = {role: rnd.roles[role][0], "cite": cite}
        return {"bindings": bindings}
