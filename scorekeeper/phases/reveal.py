"""The phase in which the dice are shown and counted, and a row of `[outcomes]` decides the call.

A round may also be entered as a result. In that case, at least one possible call must lead to that
result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import N_, Prompt, Sentence, format_count, join_list, plural, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import Coverage, Measure, Phase, ResultPart, View
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import SHORT_NUMBER, Actor, EntryType, Timing
from scorekeeper.notation.syntax import Number, Numbers, OfPlayer, find_seat, parse_whole
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Json, Rng, Row
    from scorekeeper.engine.phase import Reader, Role, RoleSplit
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset

SINGLE_ROLES = ("loser", "gainer")
SHARED_ROLES = ("losers", "gainers")
ROLES = (*SINGLE_ROLES, *SHARED_ROLES)
# The values of `who` that mean all players but one, each with the role of the player left out.
ALL_BUT = {"all-but-bidder": "bidder", "all-but-caller": "caller"}
MISSED_KEY = "dice"  # result key for the number of dice by which the bid was missed
MAX_MISSED = 9999
NOT_IN_RESULT = ("matching", "bid.count")  # measures that a result does not contain
# Conditions in [outcomes] cannot read these measures, because the matching row determines which
# player they belong to.
DECIDED_MEASURES = tuple(f"{role}.tally" for role in SINGLE_ROLES)
# The check of the rows tries counts below this number.
MAX_TRIED = 8


class State:
    """The dice of a round.

    `shown_dice` are the dice shown so far, by seat. `matching_count` is the number of dice that
    match the bid, or None while it is unknown. `outcome` is the row of `[outcomes]` that decided
    the call.
    """

    __slots__ = ("matching_count", "outcome", "shown_dice")

    def __init__(self) -> None:
        self.shown_dice: dict[int, tuple[int, ...]] = {}
        self.matching_count: int | None = None
        self.outcome: Row | None = None


class CallOutcome(NamedTuple):
    """A row of `[outcomes]`: its name, the row itself and its compiled condition."""

    name: str
    row: Row
    when: Expression

    @property
    def named_role(self) -> str:
        """The role of the player whom a result names. It is the role that the outcome concerns, or
        the role that the outcome leaves out (`bidder` or `caller`)."""
        who: str = self.row["who"]
        return ALL_BUT.get(who, who)

    @property
    def starting_role(self) -> str:
        """The role of the player who starts the next round."""
        return self.row["starts"] or self.named_role

    def concerned_role(self, rnd: Round, bidder: int, caller: int) -> Role:
        """Return the role of the players whom the outcome concerns. `caller` and `bidder` are
        seats."""
        seat = bidder if self.named_role == "bidder" else caller
        if self.row["who"] not in ALL_BUT:
            return rnd.names[seat], (seat,)
        found = tuple(other for other in rnd.seating.playing() if other != seat)
        return "+".join(rnd.names_of(found)), found

    def holds(self, rnd: Round, bid: int, count: int) -> bool:
        """Return whether the condition holds if `count` dice match a bid of `bid` dice."""
        given = {"bid.count": bid, "matching": count, "missed": abs(bid - count)}
        read = rnd.reading()
        return bool(self.when.value_or(lambda name: given[name] if name in given else read(name)))


DICE = EntryType("dice", OfPlayer(Numbers()), N_("the dice that a player shows"), by=Actor.TABLE)
COUNT = EntryType(
    "count",
    Number(0, 9999),
    N_("the number of matching dice, aces included"),
    by=Actor.TABLE,
    when=Timing.AFTER,
)


def _matching(rnd: Round, subject: object) -> int:
    return rnd.rules.phase(Reveal).matching_count(rnd) or 0


def _missed_by(rnd: Round, subject: object) -> int:
    """Return the difference between the count and the bid. Raise LookupError if the difference is
    unknown."""
    if rnd.result is not None and MISSED_KEY in rnd.result:
        return int(rnd.result[MISSED_KEY])
    count, bid = rnd.rules.phase(Reveal).matching_count(rnd), rnd.table.bid
    if count is None or bid is None:
        raise LookupError
    return abs(count - bid.number)


def _bid_count(rnd: Round, subject: object) -> int:
    bid = rnd.table.bid
    return bid.number if bid is not None else 0


def _tally_of(role: str) -> Reader:
    """Return a function that reads the tally of the player with a role, as it was before the round.
    The result is 0 if no player has the role."""

    def read(rnd: Round, subject: object) -> int:
        found = rnd.roles.get(role)
        return rnd.seating.tally_before_score(found[1][0]) if found else 0

    return read


@phase
class Reveal(Phase[State], ResultPart, Coverage):
    """The phase in which dice are counted after a call, and the outcome changes players' tallies.

    `outcomes` are the rows that may decide a call. `faces` are the numbers on a die.
    """

    name = "reveal"
    doc = (
        "After a call, the dice are shown. Either each player's dice are entered, or "
        "only the number that match."
    )
    tables = ("outcomes",)
    others = ("bids",)
    concludes = True
    row_tables = {
        "outcomes": {
            "call": Parameter(
                "choice", "the call that the row decides", choices=("doubt", "exact"), rows="verbs"
            ),
            "when": Parameter("condition", "the condition on the count"),
            "who": Parameter(
                "choice",
                "the players concerned: the bidder, the caller, or all the others",
                choices=("bidder", "caller", *ALL_BUT),
            ),
            "as": Parameter(
                "choice",
                "the role of the players concerned (`losers` or `gainers` if all the others are)",
                choices=ROLES,
            ),
            "starts": Parameter(
                "choice",
                (
                    "the player who starts the next round (default: the player concerned, or "
                    "the one left out)"
                ),
                "",
                ("", "bidder", "caller"),
            ),
            "cite": Parameter("text", "the paragraph of the rule text"),
        }
    }
    coverage_tables = ("outcomes",)
    roles = ROLES
    reports = {"matching": "the number of dice that matched the bid that was called"}
    entry_types = (DICE, COUNT)
    shorthands = (SHORT_NUMBER,)
    measures = (
        Measure("matching", "the number of dice that match the bid", _matching),
        Measure("missed", "the number of dice by which the count missed the bid", _missed_by),
        Measure("bid.count", "the count of the bid that was called", _bid_count),
        Measure("loser.tally", "the loser's tally at the start of the round", _tally_of("loser")),
        Measure(
            "gainer.tally", "the gainer's tally at the start of the round", _tally_of("gainer")
        ),
        Measure(
            "bidder.tally", "the last bidder's tally at the start of the round", _tally_of("bidder")
        ),
        Measure(
            "caller.tally", "the caller's tally at the start of the round", _tally_of("caller")
        ),
    )

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.outcomes: list[CallOutcome] = []
        self.faces: list[int] = []

    def link(self) -> None:
        names = self.rules.section("faces")
        self.faces = sorted(int(name) for name in names if name.isascii() and name.isdigit())
        self.outcomes = []
        for name, row in self.rules.section("outcomes").items():
            where = f"outcomes.{name}"
            when = self.rules.compile_expression(row["when"], f"{where}.when", but=DECIDED_MEASURES)
            self.outcomes.append(CallOutcome(name, row, when))
            fits = SHARED_ROLES if row["who"] in ALL_BUT else SINGLE_ROLES
            if row["as"] not in fits:
                allowed = " or ".join(fits)
                message = f"{where}.as must be {allowed}, with who = “{row['who']}”"
                self.rules.fault(f"{where}.as", row["as"], allowed, message)

    def check(self, trial_allowed: bool) -> None:
        """Report rows of `[outcomes]` that never decide a call, and calls that no row decides."""
        from scorekeeper.engine.measures import FirstMatch, cases_of, undecided, unreachable
        from scorekeeper.ruleset.tables import join_key

        found: dict[str, list[FirstMatch]] = {}
        for name, row, when in self.outcomes:
            found.setdefault(row["call"], []).append(FirstMatch(name, when))
        cases = cases_of({"bid.count": range(1, MAX_TRIED), "matching": range(MAX_TRIED)})
        for call, rows in found.items():
            for idle, why in unreachable(rows, cases):
                where = join_key(("outcomes", idle.name))
                message = f"{where} never decides a call: {why}"
                self.rules.fault(where, idle.when.text, "a condition that may decide", message)
            case = undecided(rows, cases)
            if case is not None:
                where = join_key(("outcomes", rows[-1].name, "when"))
                so = f"{case['matching']} matching a bid of {case['bid.count']}"
                message = f"{where}: no row decides “{self.rules.translate_word(call)}” with {so}"
                allowed = f'rows with call = "{call}" of which one always holds'
                self.rules.fault(where, f"nothing for {so}", allowed, message)

    def splits(self, split: RoleSplit, seats: int) -> Iterator[RoleSplit]:
        for role in dict.fromkeys(outcome.row["as"] for outcome in self.outcomes):
            several = role in SHARED_ROLES
            said = f"{seats - 1} {role}" if several else f"a {role}"
            yield split.add(said, {role: (role, tuple(range(seats - 1 if several else 1)))})

    def result_names(self) -> Iterable[str]:
        return (*SINGLE_ROLES, *shared_outcomes(self.outcomes))

    def begin(self, rnd: Round) -> State:
        return State()

    def takes_place(self, rnd: Round) -> bool:
        """Return whether there is a call to decide. There is none if the bidding ended without a
        call."""
        return rnd.table.call is not None

    def finished(self, rnd: Round) -> bool:
        return rnd.state(self).matching_count is not None

    def matching_count(self, rnd: Round) -> int | None:
        """Return the number of dice that match the bid, or None while it is unknown."""
        state = rnd.state_if_begun(self)
        return state.matching_count if state is not None else None

    def interpret(self, rnd: Round, entry: Entry) -> Iterable[Entry]:
        """Read a single number as the count, right after a call."""
        if entry.type is SHORT_NUMBER and rnd.is_current(self) and not self.finished(rnd):
            (key, said), *more = entry.value
            if not (key or more):
                yield Entry(COUNT, None, int(said))

    # --- dice and counts

    def apply(self, rnd: Round, entry: Entry) -> None:
        state = rnd.state_if_begun(self)
        if state is None:
            raise Impossible(tr("dice can be shown only after a call"), rnd.prompt())
        if entry.type is COUNT:
            set_count(rnd, state, entry.value)
        else:
            show_dice(rnd, state, self.faces, *entry.value)

    def chance(self, rnd: Round, rng: Rng) -> Iterator[Entry]:
        state = rnd.state_if_begun(self)
        if state is None or not rnd.is_current(self):
            return
        faces = list(map(int, rnd.rules.section("faces")))
        for seat in hidden_seats(rnd, state):
            dice = tuple(rng.choice(faces) for _ in range(rnd.dice_of(seat)))
            yield Entry(DICE, None, (seat, dice))

    # --- decision on the call

    def close(self, rnd: Round) -> None:
        if self._is_cut_short(rnd):
            return
        if self.matching_count(rnd) is not None:
            self._decide(rnd)

    def _is_cut_short(self, rnd: Round) -> bool:
        """Return whether the round ended before its call was decided."""
        return rnd.void or rnd.unscored or rnd.table.foul >= 0

    def _find_outcome(self, rnd: Round) -> CallOutcome | None:
        """Return the outcome that decides the call with the current count, or None."""
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
        if state is None or bid is None or call is None or state.matching_count is None:
            return ""
        if state.outcome is not None or self._is_cut_short(rnd):
            return ""
        found = format_count(state.matching_count, "die matches", "dice match")
        word = rnd.rules.translate_word(call.word)
        return f"no row of [outcomes] decides {word}: {found} {bid.text}"

    def _decide(self, rnd: Round) -> None:
        outcome = self._find_outcome(rnd)
        if outcome is not None:
            bidder, caller = rnd.roles["bidder"][1][0], rnd.roles["caller"][1][0]
            rnd.roles[outcome.row["as"]] = outcome.concerned_role(rnd, bidder, caller)
            rnd.state(self).outcome = outcome.row
            rnd.next_leader = rnd.roles[outcome.starting_role][1][0]

    # --- results

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        names = rnd.names_of(rnd.seating.playing())
        possible = {outcome.row["as"] for outcome in self.outcomes}
        docs = zip(
            SINGLE_ROLES, (tr("the player who lost"), tr("or the player who gained")), strict=True
        )
        found = [(role, doc, names) for role, doc in docs if role in possible]
        for outcome in self.outcomes:
            if outcome.row["who"] in ALL_BUT:
                doc = tr("or, for this outcome, the {role}", role=outcome.named_role)
                found.append((outcome.name, doc, names))
        if rnd.rules.in_scores(("missed",), ROLES):
            found.append((MISSED_KEY, tr("the number of dice by which the bid was missed"), []))
        return found

    def confirms(self, rnd: Round, result: dict[str, str]) -> bool:
        left = rnd.seating.playing()
        won = [seat for seat in left if rnd.seating.tally[seat] >= rnd.rules.tally["most"]]
        return len(left) == 1 and list(result.items()) == [
            (SINGLE_ROLES[1], name) for name in rnd.names_of(won)
        ]

    def conclude(self, rnd: Round, result: dict[str, str]) -> None:
        if self.matching_count(rnd) is not None:
            raise Impossible(tr("the round has already been decided"))
        told = read_result_words(rnd, self.outcomes, result)
        name, seat = rnd.names[told.seat], told.seat
        if rnd.seating.is_out(seat):
            raise Impossible(tr("{name} is out", name=name))
        state = rnd.state_if_begun(self)
        if state is None:
            outcome = require_possible_call(rnd, self.outcomes, told)
        else:
            counts = possible_counts(rnd, state)
            outcome = require_open_call(rnd, self.outcomes, told, counts)
        rnd.next_leader = seat
        if told.key in SINGLE_ROLES:
            rnd.roles[told.key] = (name, (seat,))
        else:
            rnd.roles[outcome.row["as"]] = outcome.concerned_role(rnd, seat, seat)

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
        same = len(seats) == 1 and seating.tally[seats[0]] == seating.tally_before_score(seats[0])
        facts = CountFacts(
            is_current=rnd.is_current(self),
            hidden_players=rnd.names_of(hidden_seats(rnd, state)),
            total=state.matching_count,
            bidder="" if bid is None else names[bid.seat],
            bid="" if bid is None else bid.text,
            matching=list(rnd.table.matching),
            is_decided=rnd.over and not self._is_cut_short(rnd),
            role=role,
            concerned_players=concerned,
            cite="" if state.outcome is None else state.outcome["cite"],
            unchanged_tally=seating.tally[seats[0]] if same else None,
            max_tally=tally["most"],
            tally_name=rnd.rules.translate(tally["name"]),
            is_over=rnd.over,
        )
        return RevealView(facts)


# --- view


class CountFacts(NamedTuple):
    """A count of dice.

    `hidden_players` are the players who have not shown their dice. `total` is the number of dice
    that show one of the faces in `matching`, or None while that is unknown. `concerned` are the
    players whom the outcome affects, `role` is their role, and `cite` is the paragraph about the
    outcome. These three are empty before the outcome. `unchanged_tally` is set if the limits of the
    tally (`max_tally`) prevent the outcome from changing a single player's tally; otherwise it is
    None. `is_decided` is true in a finished round with an outcome.
    """

    is_current: bool
    is_over: bool
    is_decided: bool
    hidden_players: list[str]
    total: int | None
    bidder: str
    bid: str
    matching: list[int]
    role: str
    concerned_players: str
    cite: str
    unchanged_tally: int | None
    max_tally: int
    tally_name: str


class RevealView(View[CountFacts]):
    """The view of a count of dice."""

    __slots__ = ()

    def prompt(self) -> Prompt:
        names = join_list(self.facts.hidden_players)
        return Prompt(
            tr("the dice of {names} are counted: enter “dice NAME: …” or “count N”", names=names),
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
                faces=join_list(list(map(str, facts.matching)), "or"),
                name=facts.bidder,
                bid=facts.bid,
            )

    def result_sentences(self) -> Iterator[str]:
        facts = self.facts
        yield from self._counted()
        if facts.unchanged_tally is not None:
            yield tr(
                "{name} is the {role} and stays at {number}, because no player can have more "
                "than {most} {tally}",
                name=facts.concerned_players,
                role=facts.role,
                number=facts.unchanged_tally,
                most=facts.max_tally,
                tally=facts.tally_name,
            )

    def as_json(self) -> Json:
        facts = self.facts
        if facts.is_current and not facts.is_over:
            return {"owed": [{"who": name, "what": "dice"} for name in facts.hidden_players]}
        bindings: Json = {}
        if facts.is_decided and facts.total is not None:
            bindings["matching_count"] = facts.total
        if facts.role:
            bindings["outcome"] = {facts.role: facts.concerned_players, "cite": facts.cite}
        return {"bindings": bindings}

    def summary(self) -> Json:
        return {} if self.facts.total is None else {"matching": self.facts.total}


# --- dice and counts


def show_dice(
    rnd: Round, state: State, faces: Sequence[int], seat: int, dice: tuple[int, ...]
) -> None:
    """Show a player's dice. The last player's dice complete the count."""
    name, has = rnd.names[seat], rnd.dice_of(seat)
    wrong = [face for face in dice if face not in faces]
    if wrong:
        raise Unreadable(
            tr("{number} is not a face of a die", number=wrong[0]),
            tr("the faces are {least} to {most}", least=faces[0], most=faces[-1]),
        )
    if rnd.seating.is_out(seat) or len(dice) != has:
        raise Impossible(
            plural(
                "{name} has {count} die, not {number}",
                "{name} has {count} dice, not {number}",
                has,
                name=name,
                number=len(dice),
            ),
            f"dice {name}: …",
        )
    if seat in state.shown_dice:
        raise Impossible(
            tr("{name}'s dice have already been shown", name=name), tr("undo or amend that entry")
        )
    state.shown_dice[seat] = dice
    if not hidden_seats(rnd, state):
        state.matching_count = count_matching(rnd, state)


def set_count(rnd: Round, state: State, count: int) -> None:
    """Set the number of matching dice, if it is stated before all dice are shown."""
    if state.matching_count is not None:
        if hidden_seats(rnd, state):
            raise Impossible(
                tr("the count is already {count}", count=state.matching_count),
                tr("undo or amend that entry"),
            )
        if count != state.matching_count:
            raise Impossible(
                tr(
                    "according to the dice shown, the count is {count}, not {number}",
                    count=state.matching_count,
                    number=count,
                )
            )
        return
    if rnd.over:
        raise Impossible(tr("the round ended without a count"))
    counts = possible_counts(rnd, state)
    if count not in counts:
        raise Impossible(
            tr(
                "the count must be from {least} to {most}, not {count}",
                least=counts[0],
                most=counts[-1],
                count=count,
            )
        )
    state.matching_count = count


def possible_counts(rnd: Round, state: State) -> range:
    """Return the counts that are possible, given the dice shown so far."""
    least = count_matching(rnd, state)
    hidden = rnd.dice() - sum(map(len, state.shown_dice.values()))
    return range(least, least + hidden + 1)


def count_matching(rnd: Round, state: State) -> int:
    """Return how many of the dice shown so far match the bid."""
    count, matching = 0, rnd.table.matching
    for dice in state.shown_dice.values():
        for face in matching:
            count += dice.count(face)
    return count


def hidden_seats(rnd: Round, state: State) -> list[int]:
    """Return the seats whose dice have not been shown."""
    return [seat for seat in rnd.seating.playing() if seat not in state.shown_dice]


# --- results


class RevealResult(NamedTuple):
    """A parsed result. `key` is a role or an outcome name, and `seat` is the seat of the player it
    names. `missed_by` is the number of dice by which the bid was missed, or None if that is not
    stated."""

    key: str
    seat: int
    missed_by: int | None


def read_result_words(
    rnd: Round, outcomes: Sequence[CallOutcome], said: Mapping[str, str]
) -> RevealResult:
    """Parse a result. Raise Unreadable for unknown words. Raise Impossible if the score needs
    measures that a result does not contain."""
    rest, keys = dict(said), [*SINGLE_ROLES, *shared_outcomes(outcomes)]
    missed = rest.pop(MISSED_KEY, None)
    key = next(iter(rest), "")
    if len(rest) != 1 or key not in keys:
        raise Unreadable(
            tr(
                "in this game, enter the result as {forms}",
                forms=tr(" or ").join(f"{each}=NAME" for each in keys),
            )
        )
    row = next((outcome.row for outcome in outcomes if outcome.name == key), None)
    role = key if row is None else row["as"]
    if rnd.rules.in_scores(NOT_IN_RESULT, (role,)):
        say = tr("the score depends on the bid and the count, which a result does not contain")
        raise Impossible(say, tr("record the bid, the call and the count"))
    needed = rnd.rules.in_scores(("missed",), (role,))
    if needed != (missed is not None):
        if needed:
            say = tr("this result must state the number of dice by which the bid was missed")
            raise Unreadable(say, f"result {key}=NAME {MISSED_KEY}=NUMBER")
        say = tr("this result must not state the number of dice by which the bid was missed")
        raise Unreadable(say, f"result {key}=NAME")
    seat = find_seat(rnd.names, rest[key])
    return RevealResult(key, seat, None if missed is None else parse_whole(missed, 0, MAX_MISSED))


def shared_outcomes(outcomes: Iterable[CallOutcome]) -> list[str]:
    """Return the names of the outcomes that concern several players. A result with one of these
    names also names the player who is left out."""
    return [outcome.name for outcome in outcomes if outcome.row["who"] in ALL_BUT]


def require_possible_call(
    rnd: Round, outcomes: Sequence[CallOutcome], said: RevealResult
) -> CallOutcome:
    """Return an outcome that gives the named player the role in the result, for a round without a
    recorded call. Raise Impossible if no possible call has such an outcome."""
    wrong: list[Finding] | None = None
    found: CallOutcome | None = None
    calls = rnd.rules.call_rules
    # the check of the ruleset guarantees this, because every outcome decides a call
    assert calls is not None
    for outcome in matching_outcomes(outcomes, said.key):
        if not _may_decide(rnd, outcomes, outcome, said.missed_by):
            continue
        for other in rnd.seating.playing():
            if other != said.seat:
                caller, bidder = _bidder_and_caller(outcome, said.seat, other)
                findings = calls.findings_on_call(rnd, outcome.row["call"], caller, bidder)
                if not findings:
                    return outcome
                wrong, found = wrong or findings, found or outcome
    if found is None or wrong is None:
        if said.missed_by is None:
            say = tr(
                "in this game, no call can make a player the {key} of a round",
                key=said.key,
            )
        else:
            say = tr(
                "in this game, no call can make a player the {key} of a round whose bid was "
                "missed by {missed}",
                key=said.key,
                missed=said.missed_by,
            )
        raise Impossible(say)
    rnd.log.attach_findings(wrong)
    return found


def require_open_call(
    rnd: Round, outcomes: Sequence[CallOutcome], said: RevealResult, counts: Iterable[int]
) -> CallOutcome:
    """Return the outcome of the recorded call that fits the result and one of these counts. Raise
    Impossible if there is none."""
    bid, call = rnd.table.bid, rnd.table.call
    assert bid is not None
    assert call is not None
    possible: dict[str, CallOutcome] = {}
    for count in counts:
        if said.missed_by is not None and abs(count - bid.number) != said.missed_by:
            continue
        name = find_decided(rnd, outcomes, call.word, bid.number, count)
        for outcome in matching_outcomes(outcomes, said.key):
            if outcome.name == name:
                possible[rnd.roles[outcome.named_role][0]] = outcome
    found = possible.get(rnd.names[said.seat])
    if found is None:
        names = ", ".join(possible) or tr("nobody")
        raise Impossible(
            tr(
                "after that call, the {key} can be {names}, not {name}",
                key=said.key,
                names=names,
                name=rnd.names[said.seat],
            )
        )
    return found


def matching_outcomes(outcomes: Iterable[CallOutcome], key: str) -> list[CallOutcome]:
    """Return the outcomes to which a key of a result may refer."""
    return [
        outcome
        for outcome in outcomes
        if outcome.name == key or (outcome.row["as"] == key and key not in SHARED_ROLES)
    ]


def find_decided(
    rnd: Round, outcomes: Iterable[CallOutcome], call: str, bid: int, count: int
) -> str:
    """Return the name of the outcome that decides a call if `count` dice match a bid of `bid` dice,
    or "" if there is none."""
    for outcome in outcomes:
        if outcome.row["call"] == call and outcome.holds(rnd, bid, count):
            return outcome.name
    return ""


def _may_decide(
    rnd: Round, outcomes: Sequence[CallOutcome], outcome: CallOutcome, missed: int | None
) -> bool:
    """Return whether the outcome can decide a call on a bid missed by exactly `missed` dice."""
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
    return any(find_decided(rnd, outcomes, call, *case) == outcome.name for case in cases)


def _bidder_and_caller(outcome: CallOutcome, seat: int, other: int) -> tuple[int, int]:
    """Return the seats of the caller and the bidder, in this order. `seat` is the player named in
    the result."""
    return (seat, other) if outcome.named_role == "caller" else (other, seat)
