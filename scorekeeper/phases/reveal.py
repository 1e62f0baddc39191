"""All dice are shown and counted, and the call is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import listed, number_of
from scorekeeper.core.failures import Impossible, Unreadable
from scorekeeper.notation.syntax import Number, Numbers, Of, seat_named
from scorekeeper.notation.verbs import Verb
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.phase import Measure, Phase
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.core.plain import Json, Row
    from scorekeeper.core.rulings import Finding
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Joint
    from scorekeeper.ruleset.phase import Reader

ROLES = ("loser", "gainer")


class State:
    """The dice shown so far, by seat, the matching count once it is known, and the row that then
    decided the call."""

    __slots__ = ("count", "outcome", "shown")

    def __init__(self) -> None:
        self.outcome: Row | None = None
        self.shown: dict[int, tuple[int, ...]] = {}
        self.count: int | None = None


def _count(rnd: Joint, subject: object) -> int:
    state = rnd.state_if_begun(rnd.rules.phase(Reveal))
    return state.count if state is not None and state.count is not None else 0


def _of_role(role: str) -> Reader:
    def read(rnd: Joint, subject: object) -> int:
        found = rnd.roles.get(role)
        return rnd.base_of(found[1][0]) if found else 0

    return read


@phase
class Reveal(Phase[State]):
    """Who loses or gains, by the count and the call."""

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
    roles = ROLES
    reports = {"matching": "how many dice matched the bid that was called"}
    verbs = (
        Verb("dice", Of(Numbers()), "the dice somebody shows", table=True),
        Verb("count", Number(0, 9999), "how many match, aces included", table=True, late=True),
    )
    measures = (
        Measure("matching", "how many dice match the bid", _count),
        Measure("bid.count", "the count of the bid that was called", lambda rnd, _: _bid(rnd)),
        Measure("loser.tally", "the loser's tally before", _of_role("loser")),
        Measure("gainer.tally", "the gainer's tally before", _of_role("gainer")),
        Measure("bidder.tally", "the last bidder's tally before", _of_role("bidder")),
        Measure("caller.tally", "the caller's tally before", _of_role("caller")),
    )

    def link(self) -> None:
        self.outcomes = [
            (row, self.rules.expression(row["when"], f"outcomes.{name}.when"))
            for name, row in self.rules.section("outcomes").items()
        ]

    def result_names(self) -> Iterable[str]:
        return ROLES

    def begin(self, rnd: Joint) -> State:
        return State()

    def finished(self, rnd: Joint) -> bool:
        return rnd.state(self).count is not None

    def prompt(self, rnd: Joint) -> str:
        missing = self._missing(rnd, rnd.state(self))
        return f"the dice of {listed(rnd.names_of(missing))} are counted: dice NAME: …, or count N"

    def _missing(self, rnd: Joint, state: State) -> list[int]:
        return [seat for seat in rnd.playing() if seat not in state.shown]

    def apply(self, rnd: Joint, entry: Entry) -> None:
        state = rnd.state_if_begun(self)
        if state is None:
            raise Impossible("dice are shown after a call", rnd.prompt())
        if entry.verb.word == "count":
            self._counted(rnd, state, entry.value)
        else:
            self._shown(rnd, state, *entry.value)

    def _shown(self, rnd: Joint, state: State, seat: int, dice: tuple[int, ...]) -> None:
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
        if not self._missing(rnd, state):
            state.count = self._computed(rnd, state)

    def _computed(self, rnd: Joint, state: State) -> int:
        matching = rnd.shared.matching
        return sum(die in matching for dice in state.shown.values() for die in dice)

    def _counted(self, rnd: Joint, state: State, count: int) -> None:
        if state.count is not None:
            if self._missing(rnd, state):
                raise Impossible(f"the count is {state.count} already", "undo, or amend that entry")
            if count != state.count:
                raise Impossible(f"by the dice shown the count is {state.count}, not {count}")
            return
        if rnd.over:
            raise Impossible("the round ended without a count")
        counts = self._counts(rnd, state)
        if count not in counts:
            raise Impossible(f"the count is from {counts[0]} to {counts[-1]}, not {count}")
        state.count = count

    def _counts(self, rnd: Joint, state: State) -> range:
        """The counts that are possible, by the dice shown so far."""
        seen = self._computed(rnd, state)
        hidden = sum(rnd.tally) - sum(map(len, state.shown.values()))
        return range(seen, seen + hidden + 1)

    def close(self, rnd: Joint) -> None:
        state = rnd.state_if_begun(self)
        if rnd.void or rnd.shared.foul >= 0:
            return
        if state is not None and state.count is not None:
            self._decide(rnd)
        elif rnd.result is not None:
            rnd.next_leader = next(rnd.roles[role][1][0] for role in ROLES if role in rnd.roles)

    def _outcome(self, rnd: Joint) -> Row | None:
        """The row that decides the call, by the count as it stands."""
        call = rnd.shared.call
        row: Row
        for row, when in self.outcomes:
            if call is not None and row["call"] == call.word and rnd.evaluate(when):
                return row
        return None

    def _decide(self, rnd: Joint) -> None:
        row = self._outcome(rnd)
        if row is not None:
            concerned = rnd.roles[row["who"]]
            rnd.roles[row["as"]] = concerned
            rnd.state(self).outcome = row
            rnd.next_leader = rnd.roles[row["starts"] or row["who"]][1][0]

    def conclude(self, rnd: Joint, said: dict[str, str]) -> None:
        state = rnd.state_if_begun(self)
        if state is not None and state.count is not None:
            raise Impossible("the round is decided already")
        if len(said) != 1 or next(iter(said)) not in ROLES:
            raise Unreadable("a result here is loser=NAME or gainer=NAME")
        role, name = next(iter(said.items()))
        seat = seat_named(rnd.names, name)
        if rnd.out(seat):
            raise Impossible(f"{rnd.names[seat]} is out")
        self._contradiction(rnd, role, seat)
        rnd.roles[role] = (rnd.names[seat], (seat,))

    def _implied(self, rnd: Joint, role: str, seat: int) -> None:
        """A result tells of a call that nobody has recorded: one that makes the player that, and
        that some player may make upon another's bid."""
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

    def _contradiction(self, rnd: Joint, role: str, seat: int) -> None:
        """A result may close a round that was begun, if the call could still end so."""
        state = rnd.state_if_begun(self)
        if state is None:
            self._implied(rnd, role, seat)
            return
        possible: dict[str, None] = {}
        for count in self._counts(rnd, state):
            state.count = count
            row = self._outcome(rnd)
            if row is not None and row["as"] == role:
                possible[rnd.roles[row["who"]][0]] = None
        state.count = None
        if rnd.names[seat] not in possible:
            names = ", ".join(possible) or "nobody"
            raise Impossible(f"after that call the {role} can be {names}, not {rnd.names[seat]}")

    def confirms(self, rnd: Joint, said: dict[str, str]) -> bool:
        left = rnd.playing()
        won = [seat for seat in left if rnd.tally[seat] >= rnd.rules.tally["most"]]
        return len(left) == 1 and list(said.items()) == [
            (ROLES[1], name) for name in rnd.names_of(won)
        ]

    def fields(self, rnd: Joint) -> list[tuple[str, str, list[str]]]:
        names = rnd.names_of(rnd.playing())
        roles = {row["as"] for row, _ in self.outcomes}
        told = (("loser", "who lost", names), ("gainer", "or who gained", names))
        return [field for field in told if field[0] in roles]

    def sentences(self, rnd: Joint) -> Iterator[str]:
        state = rnd.state_if_begun(self)
        if state is None or state.count is None or rnd.shared.bid is None:
            return
        bid, faces = rnd.shared.bid, map(str, rnd.shared.matching)
        dice = number_of(state.count, "die shows", "dice show")
        yield f"{dice} {listed([*faces], 'or')}; {rnd.names[bid.seat]} had bid {bid.text}"

    def score_sentences(self, rnd: Joint) -> Iterator[str]:
        """What was bid and found; and a change that the tally's limits swallowed."""
        yield from self.sentences(rnd)
        state = rnd.state_if_begun(self)
        outcome = state.outcome if state is not None else None
        limits = rnd.rules.tally
        for role in ROLES:
            if outcome is None or outcome["as"] != role:
                continue
            who = rnd.roles[role][0]
            before = rnd.base_of(rnd.names.index(who))
            if rnd.tally[rnd.names.index(who)] == before:
                most = f"nobody has more than {limits['most']} {limits['name']}"
                yield f"{who} is the {role} and stays at {before}: {most}"

    def summary(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        return {} if state is None or state.count is None else {"matching": state.count}

    def describe(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        if state is None:
            return {}
        bindings: Json = {}
        if rnd.over and state.count is not None and not (rnd.void or rnd.shared.foul >= 0):
            bindings["matching_count"] = state.count
        if state.outcome is not None:
            role, cite = state.outcome["as"], state.outcome["cite"]
            bindings["outcome"] = {role: rnd.roles[role][0], "cite": cite}
        if rnd.over or not rnd.is_current(self):
            return {"bindings": bindings}
        missing = self._missing(rnd, state)
        return {"owed": [{"who": rnd.names[seat], "what": "dice"} for seat in missing]}


def _bid(rnd: Joint) -> int:
    bid = rnd.shared.bid
    return bid.number if bid is not None else 0
