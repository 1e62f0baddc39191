"""The dice are shown and counted after a call, and a row of `[outcomes]` decides the call.

A round may also be entered by its result. Then some call must be possible that has this result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import Prompt, Sentence, listed, mark, number_of, plural, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import Coverage, Measure, Phase, ResultPart, View
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import NUMBER, Actor, Timing, Verb
from scorekeeper.notation.syntax import Number, Numbers, Of, seat_named, whole
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Json, Luck, Row
    from scorekeeper.engine.phase import Reader, Role, Split
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset

SINGLE = ("loser", "gainer")
SEVERAL = ("losers", "gainers")
ROLES = (*SINGLE, *SEVERAL)
# The player that a row leaves out when it concerns all others.
ALL_BUT = {"all-but-bidder": "bidder", "all-but-caller": "caller"}
MISSED = "dice"  # the key of a result for the number of dice by which the bid was missed
MOST_MISSED = 9999
UNTOLD = ("matching", "bid.count")  # measures that a result does not contain
# Measures of the players that a row of [outcomes] decides on, so its condition cannot read them.
DECIDED = tuple(f"{role}.tally" for role in SINGLE)
# The check of the rows tries counts below this number.
TRIED = 8


class State:
    """The dice of a round. `shown` are the dice shown so far, by seat. `count` is the number of
    dice that match the bid, once it is known. `outcome` is the row of `[outcomes]` that decided
    the call."""

    __slots__ = ("count", "outcome", "shown")

    def __init__(self) -> None:
        self.shown: dict[int, tuple[int, ...]] = {}
        self.count: int | None = None
        self.outcome: Row | None = None


class Outcome(NamedTuple):
    """A row of `[outcomes]`: its name, the row and its compiled condition."""

    name: str
    row: Row
    when: Expression

    @property
    def whom(self) -> str:
        """The role that a result names: the one concerned, or the one left out (`bidder` or
        `caller`)."""
        who: str = self.row["who"]
        return ALL_BUT.get(who, who)

    @property
    def starter(self) -> str:
        """The role of the player who starts the next round."""
        return self.row["starts"] or self.whom

    def concerned(self, rnd: Round, bidder: int, caller: int) -> Role:
        """Return the role of the players concerned by the call of `caller` on a bid of `bidder`
        (seats)."""
        seat = bidder if self.whom == "bidder" else caller
        if self.row["who"] not in ALL_BUT:
            return rnd.names[seat], (seat,)
        found = tuple(other for other in rnd.seating.playing() if other != seat)
        return "+".join(rnd.names_of(found)), found

    def holds(self, rnd: Round, bid: int, count: int) -> bool:
        """Return whether the condition holds for a bid of `bid` dice of which `count` match."""
        given = {"bid.count": bid, "matching": count, "missed": abs(bid - count)}
        read = rnd.reading()
        return bool(self.when.value(lambda name: given[name] if name in given else read(name)))


DICE = Verb("dice", Of(Numbers()), mark("the dice somebody shows"), by=Actor.TABLE)
COUNT = Verb(
    "count",
    Number(0, 9999),
    mark("how many match, aces included"),
    by=Actor.TABLE,
    when=Timing.AFTER,
)


def _matching(rnd: Round, subject: object) -> int:
    return rnd.rules.phase(Reveal).counted(rnd) or 0


def _missed(rnd: Round, subject: object) -> int:
    """Return by how many the count misses the bid. Raise LookupError if it is unknown."""
    if rnd.result is not None and MISSED in rnd.result:
        return int(rnd.result[MISSED])
    count, bid = rnd.rules.phase(Reveal).counted(rnd), rnd.table.bid
    if count is None or bid is None:
        raise LookupError
    return abs(count - bid.number)


def _bid_count(rnd: Round, subject: object) -> int:
    bid = rnd.table.bid
    return bid.number if bid is not None else 0


def _tally_of(role: str) -> Reader:
    """Return a measure of a role's tally at the start of the round. It is 0 if no player has the
    role."""

    def read(rnd: Round, subject: object) -> int:
        found = rnd.roles.get(role)
        return rnd.seating.base_of(found[1][0]) if found else 0

    return read


@phase
class Reveal(Phase[State], ResultPart, Coverage):
    """The count of the dice after a call, and who loses or gains by it.

    `outcomes` are the rows that may decide a call, `faces` the numbers on a die.
    """

    name = "reveal"
    doc = "After a call the dice are shown: by player, or the matching count alone."
    tables = ("outcomes",)
    others = ("bids",)
    concludes = True
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
    coverage_tables = ("outcomes",)
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

    def __init__(self, rules: Ruleset, row: Row) -> None:
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
        """Report rows of `[outcomes]` that never decide a call, and calls that no row decides."""
        from scorekeeper.engine.measures import Deciding, cases_of, undecided, unreachable
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
        return (*SINGLE, *named(self.outcomes))

    def begin(self, rnd: Round) -> State:
        return State()

    def finished(self, rnd: Round) -> bool:
        return rnd.state(self).count is not None

    def counted(self, rnd: Round) -> int | None:
        """Return the number of dice that match the bid, or None while it is unknown."""
        state = rnd.state_if_begun(self)
        return state.count if state is not None else None

    def readings(self, rnd: Round, entry: Entry) -> Iterable[Entry]:
        """Read a number as the count right after a call."""
        if entry.verb is NUMBER and rnd.is_current(self) and not self.finished(rnd):
            (key, said), *more = entry.value
            if not (key or more):
                yield Entry(COUNT, None, int(said))

    # --- dice and counts

    def apply(self, rnd: Round, entry: Entry) -> None:
        state = rnd.state_if_begun(self)
        if state is None:
            raise Impossible(tr("dice are shown after a call"), rnd.prompt())
        if entry.verb is COUNT:
            take_count(rnd, state, entry.value)
        else:
            show(rnd, state, self.faces, *entry.value)

    def chance(self, rnd: Round, luck: Luck) -> Iterator[Entry]:
        state = rnd.state_if_begun(self)
        if state is None or not rnd.is_current(self):
            return
        faces = list(map(int, rnd.rules.section("faces")))
        for seat in hidden_in(rnd, state):
            dice = tuple(luck.choice(faces) for _ in range(rnd.dice_of(seat)))
            yield Entry(DICE, None, (seat, dice))

    # --- what decides the call

    def close(self, rnd: Round) -> None:
        if self._cut_short(rnd):
            return
        if self.counted(rnd) is not None:
            self._decide(rnd)

    def _cut_short(self, rnd: Round) -> bool:
        """Return whether the round ended without a decision on its call."""
        return rnd.void or rnd.unscored or rnd.table.foul >= 0

    def _outcome(self, rnd: Round) -> Outcome | None:
        """Return the outcome that decides the call by the current count, or None."""
        call = rnd.table.call
        if call is None:
            return None
        for outcome in self.outcomes:
            if outcome.row["call"] == call.word and rnd.evaluate(outcome.when):
                return outcome
        return None

    def applied_rows(self, rnd: Round) -> Iterator[str]:
        state = rnd.state_if_begun(self)
        for name, row in self.rules.section("outcomes").items():
            if state is not None and state.outcome == row:
                yield f"outcomes.{name}"
                return

    def undecided(self, rnd: Round) -> str:
        state, bid, call = rnd.state_if_begun(self), rnd.table.bid, rnd.table.call
        if state is None or bid is None or call is None or state.count is None:
            return ""
        if state.outcome is not None or self._cut_short(rnd):
            return ""
        found = number_of(state.count, "die matches", "dice match")
        return f"no row of [outcomes] decides {rnd.rules.spoken(call.word)}: {found} {bid.text}"

    def _decide(self, rnd: Round) -> None:
        outcome = self._outcome(rnd)
        if outcome is not None:
            bidder, caller = rnd.roles["bidder"][1][0], rnd.roles["caller"][1][0]
            rnd.roles[outcome.row["as"]] = outcome.concerned(rnd, bidder, caller)
            rnd.state(self).outcome = outcome.row
            rnd.next_leader = rnd.roles[outcome.starter][1][0]

    # --- rounds entered by their result

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        names = rnd.names_of(rnd.seating.playing())
        possible = {outcome.row["as"] for outcome in self.outcomes}
        docs = zip(SINGLE, (tr("who lost"), tr("or who gained")), strict=True)
        found = [(role, doc, names) for role, doc in docs if role in possible]
        for outcome in self.outcomes:
            if outcome.row["who"] in ALL_BUT:
                doc = tr("or: the {role} of that outcome", role=outcome.whom)
                found.append((outcome.name, doc, names))
        if rnd.rules.in_scores(("missed",), ROLES):
            found.append((MISSED, tr("by how many dice the bid was missed"), []))
        return found

    def confirms(self, rnd: Round, said: dict[str, str]) -> bool:
        left = rnd.seating.playing()
        won = [seat for seat in left if rnd.seating.tally[seat] >= rnd.rules.tally["most"]]
        return len(left) == 1 and list(said.items()) == [
            (SINGLE[1], name) for name in rnd.names_of(won)
        ]

    def conclude(self, rnd: Round, said: dict[str, str]) -> None:
        if self.counted(rnd) is not None:
            raise Impossible(tr("the round is decided already"))
        told = read(rnd, self.outcomes, said)
        name, seat = rnd.names[told.seat], told.seat
        if rnd.seating.out(seat):
            raise Impossible(tr("{name} is out", name=name))
        state = rnd.state_if_begun(self)
        if state is None:
            outcome = check_some_call(rnd, self.outcomes, told)
        else:
            counts = possible_counts(rnd, state)
            outcome = check_call(rnd, self.outcomes, told, counts)
        rnd.next_leader = seat
        if told.key in SINGLE:
            rnd.roles[told.key] = (name, (seat,))
        else:
            rnd.roles[outcome.row["as"]] = outcome.concerned(rnd, seat, seat)

    def view(self, rnd: Round) -> View[object]:
        state = rnd.state_if_begun(self)
        if state is None:
            return View(None)
        bid, names, seating = rnd.table.bid, rnd.names, rnd.seating
        role, tally = "", rnd.rules.tally
        concerned, seats = "", tuple[int, ...]()
        if state.outcome is not None:
            role = state.outcome["as"]
            concerned, seats = rnd.roles[role]
        same = len(seats) == 1 and seating.tally[seats[0]] == seating.base_of(seats[0])
        facts = CountFacts(
            is_current=rnd.is_current(self),
            hidden=rnd.names_of(hidden_in(rnd, state)),
            total=state.count,
            bidder="" if bid is None else names[bid.seat],
            bid="" if bid is None else bid.text,
            matching=list(rnd.table.matching),
            is_decided=rnd.over and not self._cut_short(rnd),
            role=role,
            concerned=concerned,
            cite="" if state.outcome is None else state.outcome["cite"],
            unchanged=seating.tally[seats[0]] if same else None,
            most=tally["most"],
            tally=rnd.rules.said(tally["name"]),
            is_over=rnd.over,
        )
        return RevealView(facts)


# --- what a count shows


class CountFacts(NamedTuple):
    """A count of dice. `hidden` are the players who have not shown theirs. `total` of the dice show
    one of the faces in `matching`; it is None while it is unknown. `role` is what the outcome makes
    of the players in `concerned`, by the paragraph in `cite`; all are empty before. `unchanged` is
    the tally of a single player that the outcome leaves as it was, because of the limits of the
    tally (`most`); None if it changes. `is_decided` is true of a finished round with an outcome."""

    is_current: bool
    is_over: bool
    is_decided: bool
    hidden: list[str]
    total: int | None
    bidder: str
    bid: str
    matching: list[int]
    role: str
    concerned: str
    cite: str
    unchanged: int | None
    most: int
    tally: str


class RevealView(View[CountFacts]):
    """The view of a count of dice."""

    __slots__ = ()

    def prompt(self) -> Prompt:
        names = listed(self.facts.hidden)
        return Prompt(
            tr("the dice of {names} are counted: dice NAME: …, or count N", names=names),
            tr("the dice of {names} are counted", names=names),
        )

    def sentences(self) -> Iterator[Sentence]:
        return map(Sentence, self._counted())

    def _counted(self) -> Iterator[str]:
        facts = self.facts
        if facts.total is not None and facts.bid:
            yield plural(
                "{count} die shows {faces}; {name} had bid {bid}",
                "{count} dice show {faces}; {name} had bid {bid}",
                facts.total,
                faces=listed(list(map(str, facts.matching)), "or"),
                name=facts.bidder,
                bid=facts.bid,
            )

    def result_sentences(self) -> Iterator[str]:
        facts = self.facts
        yield from self._counted()
        if facts.unchanged is not None:
            yield tr(
                "{name} is the {role} and stays at {number}: nobody has more than {most} {tally}",
                name=facts.concerned,
                role=facts.role,
                number=facts.unchanged,
                most=facts.most,
                tally=facts.tally,
            )

    def as_json(self) -> Json:
        facts = self.facts
        if facts.is_current and not facts.is_over:
            return {"owed": [{"who": name, "what": "dice"} for name in facts.hidden]}
        bindings: Json = {}
        if facts.is_decided and facts.total is not None:
            bindings["matching_count"] = facts.total
        if facts.role:
            bindings["outcome"] = {facts.role: facts.concerned, "cite": facts.cite}
        return {"bindings": bindings}

    def summary(self) -> Json:
        return {} if self.facts.total is None else {"matching": self.facts.total}


# --- dice that are shown, and how many of them match


def show(rnd: Round, state: State, faces: Sequence[int], seat: int, dice: tuple[int, ...]) -> None:
    """Show a player's dice. The last player's dice complete the count."""
    name, has = rnd.names[seat], rnd.dice_of(seat)
    wrong = [face for face in dice if face not in faces]
    if wrong:
        raise Unreadable(
            tr("{number} is no face of a die", number=wrong[0]),
            tr("faces are {least} to {most}", least=faces[0], most=faces[-1]),
        )
    if rnd.seating.out(seat) or len(dice) != has:
        raise Impossible(
            plural(
                "{name} has {count} die, not {told}",
                "{name} has {count} dice, not {told}",
                has,
                name=name,
                told=len(dice),
            ),
            f"dice {name}: …",
        )
    if seat in state.shown:
        raise Impossible(
            tr("{name}'s dice are shown already", name=name), tr("undo, or amend that entry")
        )
    state.shown[seat] = dice
    if not hidden_in(rnd, state):
        state.count = matching_shown(rnd, state)


def take_count(rnd: Round, state: State, count: int) -> None:
    """Set the number of matching dice, stated without all dice being shown."""
    if state.count is not None:
        if hidden_in(rnd, state):
            raise Impossible(
                tr("the count is {count} already", count=state.count),
                tr("undo, or amend that entry"),
            )
        if count != state.count:
            raise Impossible(
                tr(
                    "by the dice shown the count is {count}, not {told}",
                    count=state.count,
                    told=count,
                )
            )
        return
    if rnd.over:
        raise Impossible(tr("the round ended without a count"))
    counts = possible_counts(rnd, state)
    if count not in counts:
        raise Impossible(
            tr(
                "the count is from {least} to {most}, not {count}",
                least=counts[0],
                most=counts[-1],
                count=count,
            )
        )
    state.count = count


def possible_counts(rnd: Round, state: State) -> range:
    """Return the counts that are possible, given the dice shown so far."""
    least = matching_shown(rnd, state)
    hidden = rnd.dice() - sum(map(len, state.shown.values()))
    return range(least, least + hidden + 1)


def matching_shown(rnd: Round, state: State) -> int:
    """Return how many of the dice shown so far match the bid."""
    count, matching = 0, rnd.table.matching
    for dice in state.shown.values():
        for face in matching:
            count += dice.count(face)
    return count


def hidden_in(rnd: Round, state: State) -> list[int]:
    """Return the seats whose dice have not been shown."""
    return [seat for seat in rnd.seating.playing() if seat not in state.shown]


# --- rounds entered by their result: who lost or gained, and by how many dice


class Said(NamedTuple):
    """A parsed result: a role or the name of an outcome, the seat that it names, and `missed`. That
    is the number of dice by which the bid was missed, or None if it is not stated."""

    key: str
    seat: int
    missed: int | None


def read(rnd: Round, outcomes: Sequence[Outcome], said: Mapping[str, str]) -> Said:
    """Parse a result. Raise Unreadable for unknown words, and Impossible if the score reads
    measures that a result does not contain."""
    rest, keys = dict(said), [*SINGLE, *named(outcomes)]
    missed = rest.pop(MISSED, None)
    key = next(iter(rest), "")
    if len(rest) != 1 or key not in keys:
        raise Unreadable(
            tr("a result here is {forms}", forms=tr(" or ").join(f"{each}=NAME" for each in keys))
        )
    row = next((outcome.row for outcome in outcomes if outcome.name == key), None)
    role = key if row is None else row["as"]
    if rnd.rules.in_scores(UNTOLD, (role,)):
        say = tr("the score goes by the bid and the count, which a result does not tell")
        raise Impossible(say, tr("record the bid, the call and the count"))
    needed = rnd.rules.in_scores(("missed",), (role,))
    if needed != (missed is not None):
        if needed:
            say = tr("that result needs to say by how many dice the bid was missed")
            raise Unreadable(say, f"result {key}=NAME {MISSED}=NUMBER")
        say = tr("that result does not say by how many dice the bid was missed")
        raise Unreadable(say, f"result {key}=NAME")
    seat = seat_named(rnd.names, rest[key])
    return Said(key, seat, None if missed is None else whole(missed, 0, MOST_MISSED))


def named(outcomes: Iterable[Outcome]) -> list[str]:
    """Return the outcomes that concern several players. A result states their name, and the player
    who is left out."""
    return [outcome.name for outcome in outcomes if outcome.row["who"] in ALL_BUT]


def check_some_call(rnd: Round, outcomes: Sequence[Outcome], said: Said) -> Outcome:
    """Return an outcome of a possible call that gives the named player that role, in a round
    without a recorded call. Raise Impossible if there is none."""
    wrong: list[Finding] | None = None
    found: Outcome | None = None
    calls = rnd.rules.call_rules
    assert calls is not None  # the number that is called in `others`
    for outcome in fitting(outcomes, said.key):
        if not _may_decide(rnd, outcomes, outcome, said.missed):
            continue
        for other in rnd.seating.playing():
            if other != said.seat:
                caller, bidder = _pair(outcome, said.seat, other)
                findings = calls.wrong_with_call(rnd, outcome.row["call"], caller, bidder)
                if not findings:
                    return outcome
                wrong, found = wrong or findings, found or outcome
    if found is None or wrong is None:
        if said.missed is None:
            say = tr("nobody can be the {key} of a round here: no call comes to that", key=said.key)
        else:
            say = tr(
                "nobody can be the {key} by {missed} of a round here: no call comes to that",
                key=said.key,
                missed=said.missed,
            )
        raise Impossible(say)
    rnd.log.blame(wrong)
    return found


def check_call(
    rnd: Round, outcomes: Sequence[Outcome], said: Said, counts: Iterable[int]
) -> Outcome:
    """Return the outcome of the recorded call that fits the result, with one of these counts. Raise
    Impossible if there is none."""
    bid, call = rnd.table.bid, rnd.table.call
    assert bid is not None
    assert call is not None
    possible: dict[str, Outcome] = {}
    for count in counts:
        if said.missed is not None and abs(count - bid.number) != said.missed:
            continue
        name = decided(rnd, outcomes, call.word, bid.number, count)
        for outcome in fitting(outcomes, said.key):
            if outcome.name == name:
                possible[rnd.roles[outcome.whom][0]] = outcome
    found = possible.get(rnd.names[said.seat])
    if found is None:
        names = ", ".join(possible) or tr("nobody")
        raise Impossible(
            tr(
                "after that call the {key} can be {names}, not {name}",
                key=said.key,
                names=names,
                name=rnd.names[said.seat],
            )
        )
    return found


def fitting(outcomes: Iterable[Outcome], key: str) -> list[Outcome]:
    """Return the outcomes that a result with that key may mean."""
    return [
        outcome
        for outcome in outcomes
        if outcome.name == key or (outcome.row["as"] == key and key not in SEVERAL)
    ]


def decided(rnd: Round, outcomes: Iterable[Outcome], call: str, bid: int, count: int) -> str:
    """Return the name of the outcome of a call if `count` dice match a bid of `bid` dice; "" if
    there is none."""
    for outcome in outcomes:
        if outcome.row["call"] == call and outcome.holds(rnd, bid, count):
            return outcome.name
    return ""


def _may_decide(
    rnd: Round, outcomes: Sequence[Outcome], outcome: Outcome, missed: int | None
) -> bool:
    """Return whether the outcome decides some bid that was missed by that number."""
    if missed is None:
        return True
    dice = rnd.dice()
    cases = [
        (bid, count)
        for bid in range(1, dice + missed + 1)
        for count in {bid - missed, bid + missed}
        if 0 <= count <= dice
    ]
    call = outcome.row["call"]
    return any(decided(rnd, outcomes, call, *case) == outcome.name for case in cases)


def _pair(outcome: Outcome, seat: int, other: int) -> tuple[int, int]:
    """Return the caller and the bidder. `seat` is the player whom the result names for that
    outcome."""
    return (seat, other) if outcome.whom == "caller" else (other, seat)
