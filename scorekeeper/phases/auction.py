"""The bidding that decides which contract is played and which player declares it.

This module contains the phase and its clauses. `auction_state` contains the state, the turns, the
ranking of bids, and the view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import TRUTH
from scorekeeper.core.hands import AllOf, Breach, Claim, Unsure
from scorekeeper.core.messages import N_, format_times, join_list, tr
from scorekeeper.core.types import copy_slots
from scorekeeper.engine.contracts import NEEDS, bid_in_entry, idle_contract_words
from scorekeeper.engine.findings import barred_rules, broken_rules
from scorekeeper.engine.measures import seats_of
from scorekeeper.engine.phase import (
    BID,
    OWN,
    ContractRules,
    Measure,
    Phase,
    ResultPart,
    RoleSplit,
    View,
    actor_of,
)
from scorekeeper.engine.setup import place, refuse_sitting_out
from scorekeeper.notation import Entry
from scorekeeper.phases import auction_results
from scorekeeper.phases.auction_bids import WHERE, RankedBids
from scorekeeper.phases.auction_state import (
    BIDS,
    CONTRACT,
    DECLARER,
    EACH,
    ENDS,
    ENTRY_TYPES,
    FINAL,
    FIRST_NAMED,
    HOLD,
    IN_TURN,
    NAMING,
    ONCE,
    PAIRS,
    PARAMETERS,
    PASS,
    PASSED,
    ROLES,
    ROUND,
    SECTIONS,
    TO_BID,
    TO_NAME,
    AuctionFacts,
    AuctionView,
    State,
    TurnOptions,
    Turns,
    are_same_side,
    bids_contracts,
    claim_on_side,
    entry_types_of,
    format_bid,
    list_bids,
    read_facts,
    short_bid_type,
    speaking_order,
)
from scorekeeper.ruleset.tables import DEALING, SAME, Parameter
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.engine.phase import Judge, Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.state import ContractBid, Setup
    from scorekeeper.notation.entry import EntryType


def _bid_by(rnd: Round, subject: object) -> int:
    """Return the number in a player's last bid. For several players, return the sum of these
    numbers."""
    state = rnd.state_if_begun(rnd.rules.phase(Auction))
    bids = state.bids if state is not None else {}
    return sum([bids[seat].number or 0 for seat in seats_of(subject) if seat in bids])


def _state_measure(read: Callable[[Auction, State], float]) -> Reader:
    """Return a function that computes a measure of the bidding, or 0 before the bidding begins."""

    def measure(rnd: Round, _: object) -> float:
        auction = rnd.rules.phase(Auction)
        state = rnd.state_if_begun(auction)
        return read(auction, state) if state is not None else 0

    return measure


def _current_number(_: Auction, state: State) -> int:
    offer = state.current_bid
    return offer.number or 0 if offer is not None else 0


def _sum_of_numbers(_: Auction, state: State) -> int:
    return sum(offer.number or 0 for offer in state.bids.values())


def _is_last(auction: Auction, state: State) -> bool:
    return auction.turns.is_last(state)


def _is_turned(rnd: Round, entry: Entry) -> bool:
    return rnd.rules.phase(Auction).contracts.is_turned(entry, rnd.table.offered)


def _declarer_of(entry: Entry) -> int:
    """Return the seat that bids or declares a contract in an entry, or -1 if the entry names no
    seat."""
    if entry.type.word == CONTRACT:
        seat: int = entry.value[0]
        return seat
    return -1 if entry.seat is None else entry.seat


@phase
class Auction(Phase[State], ContractRules, ResultPart):
    """The phase in which players bid in turn, and the highest bid decides what is played."""

    name = "auction"
    variant = BIDS
    doc = (
        "The players bid in turn: a number, a contract, or both. The highest bidder "
        "becomes the declarer. The auction binds `contract`, `declarer`, `order`, "
        "`trump` and the options. If bids are only numbers, the declarer names the "
        "contract in the phase `naming`."
    )
    clause_order = f"{NEEDS} higher answers must-bid offered optional called"
    standard_words = "higher answers offered optional called"
    judged = {
        "offered": (TO_BID, CONTRACT, TO_NAME),
        "optional": (TO_BID, CONTRACT, TO_NAME),
        "called": (TO_BID, CONTRACT, TO_NAME),
    }
    parameters = PARAMETERS
    row_tables = SECTIONS
    entry_types: tuple[EntryType, ...] = ENTRY_TYPES
    measures = (
        Measure(
            "auction.bid", "the number of the highest bid so far", _state_measure(_current_number)
        ),
        Measure(
            "auction.round",
            "the number of times that bidding has begun",
            _state_measure(lambda _, s: s.number),
        ),
        Measure(
            "auction.doubled",
            "the number of times that the bid was doubled",
            _state_measure(lambda _, s: s.doubled),
        ),
        Measure(
            "auction.total",
            "the total of the numbers named",
            _state_measure(_sum_of_numbers),
        ),
        Measure(
            "auction.last",
            (
                "whether no player has bid and all players but one have passed (or have spoken, "
                "if each player speaks once)"
            ),
            _state_measure(_is_last),
            kind=TRUTH,
        ),
        Measure(
            "bid.number", "the number that is bid", lambda _, e: bid_in_entry(e).number or 0, BID
        ),
        Measure(
            "contract.turned",
            "whether the card turned up is of the bid's trump suit",
            _is_turned,
            BID,
            kind=TRUTH,
        ),
        Measure(
            "contract.number",
            "the number of the contract: as it was bid, or as it was named after that",
            lambda rnd, _: rnd.table.number,
        ),
        Measure("own.bid", "the last number that a player has bid", _bid_by, OWN),
    )
    roles: tuple[str, ...] = ROLES
    offers_early = True
    calls_cards = True
    reports = {
        "contract": "the contract that was played",
        "named": "the contract with its number, if it is named after the auction",
        "options": "the options that were named with it",
        "called": "the card that was called with it",
        "declarer": "the declarer",
        "bid": "the highest bid",
        "doubled": "the number of times that the bid was doubled",
        "player.bid": "the number that a player named",
    }
    player_reports = ("declarer",)

    @classmethod
    def idle_words(cls, row: Row, data: Row) -> Collection[str]:
        pairs = row.get("turns") == PAIRS
        idle = [] if row.get("turns", ROUND) in (ROUND, ONCE, PAIRS) else ["higher"]
        idle += [] if pairs else ["answers"]
        return [
            *idle,
            *idle_contract_words(data, NAMING not in data["phases"] or bids_contracts(data)),
        ]

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.contracts = RankedBids(rules, row)
        self.turns = Turns(row["turns"], row["passing"] == FINAL, row["doubling"] == ENDS)
        self.entry_types = tuple(entry_types_of(row, self.contracts))
        self.named_numbers = self.contracts.bids.steps
        self.shorthands = (short_bid_type(self.contracts),)
        self.acts: dict[str, Callable[[Round, State, Entry], None]] = {
            TO_BID: self._bid,
            HOLD: self._hold,
            PASS: self._pass,
            **dict.fromkeys(row["doubles"], self._double),
        }
        has_roles = not rules.has("parties") and row["turns"] != EACH
        self.roles = ROLES if has_roles else ()

    def link(self) -> None:
        self.contracts.link(self.rules)
        self._speaks = self.rules.compile_expression(self.row["speaks"], f"{WHERE}.speaks", (OWN,))
        nobody, known = self.row["nobody"], (*DEALING, *self.contracts.rows)
        if nobody and nobody not in known:
            where, allowed = f"{WHERE}.nobody", ", ".join(known)
            message = f"{where} names no contract: {nobody}"
            if nobody == "again":
                message = f"{where}: who dealt deals again with “{SAME}”, or by deal.after_void"
            self.rules.fault(where, nobody, allowed, message)
        if self.row["declares"] == FIRST_NAMED and not self.contracts.bids.contracts:
            where = f"{WHERE}.declares"
            message = f"{where}: the bids name no contract"
            self.rules.fault(where, FIRST_NAMED, "contracts in `bids`", message)
        if len({verb.word for verb in self.entry_types}) < len(self.entry_types):
            where, words = f"{WHERE}.doubles", ", ".join(self.row["doubles"])
            self.rules.fault(
                where,
                words,
                "other words",
                f"{where}: a word has a meaning already",
            )

    def check(self, trial_allowed: bool) -> None:
        self.contracts.check_value(self.rules, "higher" in self.rules.clause_names(TO_BID))

    # --- names for expressions

    def named_measures(self) -> Iterator[Measure]:
        yield from self.measures
        yield from self.contracts.measures()
        yield from self.contracts.bid_measures()

    def splits(self, split: RoleSplit, seats: int) -> Iterator[RoleSplit]:
        if not self.roles:
            yield split
            return
        number = int(self.rules.sides["number"])
        size = self.rules.side_size(seats) if number else 1
        both = (tuple(range(size)), tuple(range(size, seats)))
        roles = {role: (role, own) for role, own in zip(self.roles, both, strict=True)}
        yield split.add(f"{size} declaring", roles)

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        return self.contracts.pattern_names()

    def result_names(self) -> Iterable[str]:
        return (DECLARER,)

    def words(self) -> Iterable[tuple[str, str]]:
        for name, row in self.contracts.rows.items():
            yield name, name
            if row["short"]:
                yield name, row["short"]
        yield from ((name, name) for name in self.contracts.options)

    # --- who speaks

    def begin(self, rnd: Round) -> State:
        state = State(speaking_order(rnd, self.row, self._speaks))
        if rnd.setup.contract is not None:
            self._declare_from_fact(rnd, state, *rnd.setup.contract)
        else:
            idle = rnd.with_state(self, state, lambda: self._find_forced_passes(rnd, state))
            if idle:
                state.forced_passes = idle
                self._decide(rnd, state)
        return state

    def _declare_from_fact(self, rnd: Round, state: State, seat: int, offer: ContractBid) -> None:
        """Set the contract and the declarer from a `contract` entry, which replaces the bids."""
        if seat not in rnd.seats:
            refuse_sitting_out(rnd, seat, tr("cannot declare a contract"))
            return
        if self.contracts.rows[offer.contract]["annuls"]:
            raise Impossible(
                tr("{contract} is not played: the deal is void", contract=offer.contract),
                "void why",
            )
        state.high_bidder, state.is_decided = seat, True
        state.bids[seat] = self.contracts.bid_of_outcome(offer)
        self.contracts.settle(rnd, seat, offer)
        self._give_roles(rnd)

    def finished(self, rnd: Round) -> bool:
        return rnd.state(self).is_decided

    def stop(self, rnd: Round) -> None:
        """End the bidding. The highest bid is played, if there is one."""
        state = rnd.state(self)
        state.number = self.row["rounds"]
        self._decide(rnd, state)

    def waiting(self, rnd: Round) -> list[int]:
        return self.turns.seats_to_speak(rnd.state(self))

    def acting_seat(self, rnd: Round, entry: Entry) -> int | None:
        """Return the next player who must still pass in an auction that was decided early, or
        None."""
        idle = rnd.state(self).forced_passes
        return idle[0] if idle else None

    def may_act_early(self, rnd: Round, entry: Entry) -> bool:
        """Return whether the entry may still be made after the auction is decided.

        Until the first card is played, a player may double if doubles may be made out of turn. A
        player who had no other choice may still pass. Neither is allowed with a verb that the
        current phase uses for something else.
        """
        state = rnd.state_if_begun(self)
        if state is None or not state.is_decided or rnd.over or rnd.play_begun():
            return False
        if rnd.phase is not None and entry.type.word in rnd.phase.shared_verbs:
            return False
        if entry.type.word in (TO_BID, PASS):
            return bool(state.forced_passes) and entry.seat in (None, state.forced_passes[0])
        return entry.type.word in self.row["doubles"] and not entry.type.needs_turn

    def interpret(self, rnd: Round, entry: Entry) -> Iterator[Entry]:
        """Yield the possible bids that an entry may mean during the bidding.

        The entry may be a bid without its verb, or a card whose text could also be a bid. If
        players bid contracts, the number of the bid may be omitted too.
        """
        if not rnd.is_current(self) or self.finished(rnd):
            return
        seat = self.waiting(rnd)[0] if entry.seat is None else entry.seat
        for offer in self.contracts.bids_of_entry(rnd, entry, self.shorthands[0]):
            yield Entry(self.entry_types[0], seat, offer)

    def options(self, rnd: Round) -> Iterator[Entry]:
        if not rnd.is_current(self):
            yield from self._late_doublings(rnd)
            return
        state = rnd.state(self)
        for seat in self.waiting(rnd):
            for verb in self.entry_types:
                if verb.word == TO_BID:
                    yield from (
                        Entry(verb, seat, offer)
                        for offer in self.contracts.all_bids(rnd.rules.pack)
                    )
                elif verb.word in (HOLD, PASS):
                    yield Entry(verb, seat, None)
        yield from self._doublings(state)

    def _doublings(self, state: State) -> Iterator[Entry]:
        for verb in self.entry_types:
            if verb.word in self.row["doubles"] and state.high_bidder >= 0:
                yield from (Entry(verb, seat, None) for seat in state.order)

    def _late_doublings(self, rnd: Round) -> Iterator[Entry]:
        state = rnd.state_if_begun(self)
        if state is not None and state.is_decided and not rnd.play_begun():
            yield from self._doublings(state)

    def hand_cards(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        return ()

    # --- possible bids, by public knowledge

    def _turn_options(self, rnd: Round, seat: int) -> TurnOptions:
        """Return the choices of the seat whose turn it is. A player who must hold or pass may not
        bid."""
        held, passes = self._may_hold(rnd, seat), self._may_say(rnd, PASS, seat)
        if held:
            return TurnOptions(rnd.names[seat], False, (HOLD,), passes)
        doubling = self.row["doubling"] == IN_TURN
        words = self._possible_doubles(rnd, seat) if doubling else []
        return TurnOptions(rnd.names[seat], self._may_bid(rnd, seat), tuple(words), passes)

    def _find_forced_passes(self, rnd: Round, state: State) -> list[int]:
        """Return the seats that have yet to pass before the auction ends, in order. Return an empty
        list if one of them may do anything but pass."""
        if self.turns.mode == EACH or self._is_void_if_passed(state):
            return []
        due, highest = self.turns.seats_to_speak(state), self.contracts.all_bids(rnd.rules.pack)[-1]
        if due and not (
            state.awaits_answer or barred_rules(rnd, Entry(self.entry_types[0], due[0], highest))
        ):
            return []  # the next player can bid, so no pass is forced
        ahead = copy_slots(state)
        return rnd.with_state(self, ahead, lambda: self._play_out_passes(rnd, ahead))

    def _is_void_if_passed(self, state: State) -> bool:
        """Return whether the bidding would produce no contract if every remaining player passed.

        The deal is then void, or the bidding begins again. Such passes are never treated as forced,
        because a late pass would be read as part of the next bidding.
        """
        if state.current_bid is not None:
            return False
        return state.number < self.row["rounds"] or self.row["nobody"] not in self.contracts.rows

    def _play_out_passes(self, rnd: Round, state: State) -> list[int]:
        result: list[int] = []
        while not self.turns.is_over(state):
            due = self.turns.seats_to_speak(state)
            if not due or self._may_speak(rnd, due[0]):
                return []
            self.turns.give_up(state, due[0])
            state.last_speaker = due[0]
            result += due
        return result

    def _may_speak(self, rnd: Round, seat: int) -> bool:
        """Return whether the auction must wait for the seat's turn. It must if the seat may bid,
        hold or double, or if it may not pass."""
        if self._may_hold(rnd, seat) or self._may_bid(rnd, seat):
            return True
        doubling = self.row["doubling"]
        may_double = [seat] if doubling == IN_TURN else rnd.seats if doubling == ENDS else []
        if any(self._possible_doubles(rnd, each) for each in may_double):
            return True
        return not self._may_say(rnd, PASS, seat)

    def _may_bid(self, rnd: Round, seat: int) -> bool:
        """Return whether the seat may make any bid. The highest bids are tried first."""
        bids = reversed(self.contracts.all_bids(rnd.rules.pack))
        verb = self.entry_types[0]
        return any(not barred_rules(rnd, Entry(verb, seat, offer)) for offer in bids)

    def _may_hold(self, rnd: Round, seat: int) -> bool:
        """Return whether the seat must answer a bid, either by holding it or by passing."""
        return rnd.state(self).awaits_answer and self._may_say(rnd, HOLD, seat)

    def _may_say(self, rnd: Round, word: str, seat: int) -> bool:
        types = [verb for verb in self.entry_types if verb.word == word]
        return any(not barred_rules(rnd, Entry(verb, seat, None)) for verb in types)

    def _possible_doubles(self, rnd: Round, seat: int) -> list[str]:
        """Return the words with which the seat may double now. If cards decide the sides, ignore
        rules that depend on a hand, because a refusal would reveal cards."""
        if rnd.state(self).high_bidder < 0:
            return []
        wrong = barred_rules if rnd.sides is not None else broken_rules
        doubles = [verb for verb in self.entry_types if verb.word in self.row["doubles"]]
        return [verb.word for verb in doubles if not wrong(rnd, Entry(verb, seat, None))]

    # --- effects of entries

    def apply(self, rnd: Round, entry: Entry) -> None:
        if entry.type.word == CONTRACT:
            place(rnd, entry.type.word, rnd.setup._replace(contract=entry.value))
        else:
            self._speak(rnd, rnd.state(self), entry)

    def _speak(self, rnd: Round, state: State, entry: Entry) -> None:
        seat = actor_of(entry)
        late = state.is_decided and entry.type.word not in self.row["doubles"]
        idle = entry.type.word == PASS and self.may_act_early(rnd, entry)
        if late and not idle:
            raise Impossible(
                tr("“{text}”: the bidding is over", text=entry.text),
                tr("undo or amend the earlier entry"),
            )
        self.acts[entry.type.word](rnd, state, entry)
        state.statements.append((seat, entry.text.partition(":")[2].strip()))
        state.last_speaker = seat
        if late:
            del state.forced_passes[0]
        elif not state.is_decided:
            state.forced_passes = (
                [] if self.turns.is_over(state) else self._find_forced_passes(rnd, state)
            )
            if state.forced_passes or self.turns.is_over(state):
                self._decide(rnd, state)

    def _bid(self, rnd: Round, state: State, entry: Entry) -> None:
        offer: ContractBid = entry.value
        higher = self.contracts.is_higher(offer, state.current_bid)
        self.turns.bid(state, actor_of(entry), offer, higher)

    def _hold(self, rnd: Round, state: State, entry: Entry) -> None:
        if state.high_bidder < 0:
            raise Impossible(tr("“{text}”: there is no bid yet", text=entry.text))
        self.turns.hold(state, actor_of(entry))

    def _pass(self, rnd: Round, state: State, entry: Entry) -> None:
        self.turns.give_up(state, actor_of(entry))

    def _double(self, rnd: Round, state: State, entry: Entry) -> None:
        if state.high_bidder < 0:
            raise Impossible(tr("“{text}”: there is no bid yet", text=entry.text))
        self.turns.double(state, actor_of(entry))

    def _decide(self, rnd: Round, state: State) -> None:
        """End a round of bidding: set the contract, start again, or play without a bid."""
        offer = state.current_bid
        if self.row["turns"] == EACH:
            state.is_decided = True
        elif offer is not None:
            state.is_decided, seat = True, self._find_declarer(rnd, state, offer)
            self.contracts.declare(rnd, seat, offer.number)
            if offer.contract and not self._is_named_later(offer):
                self.contracts.settle(rnd, seat, offer)
        elif state.number < self.row["rounds"]:
            state.restart()
        else:
            state.is_decided = True
            self._play_without_bid(rnd)
        self._give_roles(rnd)
        if rnd.void:
            rnd.finish()

    def _is_named_later(self, offer: ContractBid) -> bool:
        """Return whether the declarer may name a contract other than the one that was bid."""
        return NAMING in self.rules.phases and not self.contracts.rows[offer.contract]["final"]

    def _find_declarer(self, rnd: Round, state: State, offer: ContractBid) -> int:
        """Return the seat that declares the highest bid."""
        if self.row["declares"] == FIRST_NAMED:
            side = rnd.seating.side(state.high_bidder)
            for seat, contract in state.named:
                if seat in side and contract == offer.contract:
                    return seat
        return state.high_bidder

    def _play_without_bid(self, rnd: Round) -> None:
        nobody = self.row["nobody"]
        if nobody in self.contracts.rows:
            self.contracts.apply_contract(rnd, nobody, -1)
            return
        rnd.void, rnd.deals_next = True, nobody

    def _give_roles(self, rnd: Round) -> None:
        """Assign the roles of the declarer's side and the opponents once the declarer is known."""
        if not self.roles or rnd.table.declarer < 0:
            return
        own = rnd.seating.side(rnd.table.declarer)
        for role in self.roles:
            seats = tuple(seat for seat in rnd.seats if (seat in own) == (role == DECLARER))
            rnd.roles[role] = ("+".join(rnd.names_of(seats)), seats)

    def after_trick(self, rnd: Round) -> None:
        """Change the contract if the declarer turns out to play without a partner."""
        if rnd.sides is not None and rnd.sides.settled_after == rnd.tricks[-1].number:
            self.contracts.change_without_partner(rnd)

    def as_setup(self, rnd: Round, start: Setup) -> Setup:
        return start._replace(contract=rnd.setup.contract)

    def judge_needs(self, rnd: Round, entry: Entry, of: Sequence[str]) -> Outcome:
        name, seat = bid_in_entry(entry).contract, _declarer_of(entry)
        if of and name not in of:
            return None
        facts = {"wish": rnd.rules.translate_word(name), "who": rnd.names[seat]}
        return self.contracts.judge_condition(rnd, seat, name, facts)

    # --- results

    def read_result(self, rnd: Round, result: dict[str, str]) -> None:
        shorthand = self.rules.table("result")["form"]
        if PASSED in result and shorthand and self.row["nobody"] not in self.contracts.rows:
            del result[PASSED]
            auction_results.pass_out(rnd, rnd.state(self))
            self._play_without_bid(rnd)
            return
        if self.turns.mode == EACH:
            verb, state = self.entry_types[0], rnd.state(self)
            auction_results.read_each_bid(rnd, state, self.turns, self.contracts, verb, result)
            return
        auction_results.read_doubles(rnd, rnd.state(self), result, len(self.row["doubles"]))
        auction_results.read(rnd, rnd.state(self), self.contracts, self.row["nobody"], result)
        self._give_roles(rnd)

    def infer_from_result(self, rnd: Round) -> None:
        auction_results.infer_contract(rnd, rnd.state(self))

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        each, doubles = self.turns.mode == EACH, len(self.row["doubles"])
        return auction_results.fields(rnd, self.contracts, doubles, each_bids=each)

    # --- view

    def view(self, rnd: Round) -> View[AuctionFacts | None]:
        state = rnd.state_if_begun(self)
        if state is None:
            return View(None)
        each = self.row["turns"] == EACH
        return AuctionView(read_facts(rnd, state, each_bids=each), lambda: self._turn(rnd, state))

    def _turn(self, rnd: Round, state: State) -> TurnOptions:
        return self._turn_options(rnd, self.turns.seats_to_speak(state)[0])


# --- the clauses: bids and doubles


@clause(
    "higher",
    "auction",
    variant=BIDS,
    on=(TO_BID,),
    say=N_("{who} must bid more than {bid}: {legal}"),
    doc=(
        "Each bid must be higher than the one before it, compared by number (or `value`) and then"
        " by `ranks`."
    ),
    parameters={"when": Parameter("condition", "condition under which the row applies", "true")},
)
def _higher(row: Row, rules: Ruleset) -> Judge:
    auction = rules.phase(Auction)
    when = rules.compile_expression(row["when"], f"{row['path']}.when", row["about"])

    def judge(rnd: Round, entry: Entry) -> Outcome:
        standing = rnd.state(auction).current_bid
        if standing is None or auction.contracts.is_higher(bid_in_entry(entry), standing):
            return None
        if not when.value_in(rnd, entry):
            return None
        legal = list_bids(
            rnd, auction.contracts, auction.entry_types[0], entry.seat, standing, same=False
        )
        if not legal:
            return Breach({"bid": format_bid(rnd, standing)}, N_("no bid is higher than {bid}"))
        return Breach({"bid": format_bid(rnd, standing), "legal": legal})

    return judge


@clause(
    "answers",
    "auction",
    variant=BIDS,
    on=(TO_BID, HOLD),
    say=N_("{who} cannot hold, because there is no bid to answer"),
    doc=(
        "When players bid in pairs, the elder player answers each bid of the younger player: they "
        "hold it or pass, and may not bid themselves. Only a player who must answer a bid may "
        "hold it."
    ),
)
def _answers(row: Row, rules: Ruleset) -> Judge:
    auction = rules.phase(Auction)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        state = rnd.state(auction)
        asked = state.awaits_answer and state.remaining_seats[:1] == [entry.seat]
        if asked == (entry.type.word == HOLD):
            return None
        if not asked:
            return Breach({})
        message, form = N_("{who} must answer {bid}: {legal}"), rules.lexicon.write_word
        standing = state.current_bid
        bid = format_bid(rnd, standing) if standing is not None else ""
        return Breach({"bid": bid, "legal": [form(HOLD), form(PASS)]}, message)

    return judge


@clause(
    "must-bid",
    "auction",
    variant=BIDS,
    on=(PASS,),
    say=N_("{who} may not pass"),
    doc=(
        "A player may not pass while `when` is true. By default, the last player may not pass"
        " after all others have passed."
    ),
    parameters={
        "when": Parameter(
            "condition", "condition under which the player may not pass", "auction.last"
        )
    },
)
def _must_bid(row: Row, rules: Ruleset) -> Judge:
    when = rules.compile_expression(row["when"], f"{row['path']}.when", row["about"])

    def judge(rnd: Round, entry: Entry) -> Outcome:
        return Breach({}) if when.value_in(rnd, entry) else None

    return judge


@clause(
    "barred-bid",
    "auction",
    variant=BIDS,
    on=(TO_BID,),
    say=N_("{who} may not say {bid} now"),
    doc="A bid or contract may not be named if `when` is true for it.",
    parameters={"when": Parameter("condition", "condition under which a bid is barred")},
)
def _barred_bid(row: Row, rules: Ruleset) -> Judge:
    when = rules.compile_expression(row["when"], f"{row['path']}.when", row["about"])

    def judge(rnd: Round, entry: Entry) -> Outcome:
        if not when.value_in(rnd, entry):
            return None
        bid = format_bid(rnd, bid_in_entry(entry), entry.type)
        return Breach({"bid": bid, "who": rnd.names[_declarer_of(entry)]})

    return judge


@clause(
    "doubling",
    "auction",
    variant=BIDS,
    say=N_("{who} may not say {word}: {why}"),
    unknown=N_("{who} says {word}; it is unknown which side they are on"),
    proven=N_("{who} should not have said {word}: {why} ({first}, {then})"),
    doc=(
        "The other side may double the highest bid, then the bidder's side may double it "
        "again, and so on."
    ),
)
def _doubling(row: Row, rules: Ruleset) -> Judge:
    auction = rules.phase(Auction)
    words: list[str] = auction.row["doubles"]

    def judge(rnd: Round, entry: Entry) -> Outcome:
        state, word, seat = rnd.state(auction), entry.type.word, _declarer_of(entry)
        facts: Facts = {"word": rules.translate_word(word)}
        if state.high_bidder < 0:
            return Breach({**facts, "why": tr("there is no bid yet")})
        place = words.index(word)
        if state.doubled > place:
            return Breach(
                {
                    **facts,
                    "why": tr(
                        "the bid has already been doubled {times}",
                        times=format_times(state.doubled),
                    ),
                }
            )
        if state.doubled < place:
            return Breach(
                {
                    **facts,
                    "why": tr(
                        "{word} must come first", word=rules.translate_word(words[place - 1])
                    ),
                }
            )
        with_them = place % 2 == 1
        bidder = rnd.names[state.high_bidder]
        facts["why"] = (
            tr("{who} made the bid, so only {who}'s side may say that", who=bidder)
            if with_them
            else tr("{who} made the bid, so only the other side may say that", who=bidder)
        )
        same = are_same_side(rnd, seat, state.high_bidder)
        if same is None:
            return claim_on_side(rnd, seat, state.high_bidder, with_them, facts)
        return None if same == with_them else Breach(facts)

    return judge


# --- the clauses: contracts, their options and cards


@clause(
    "offered",
    "auction",
    variant=BIDS,
    on=(TO_BID,),
    say=N_("{who} may not play {contract} now"),
    doc="A contract may be bid or named only if its `when` is true.",
)
def _offered(row: Row, rules: Ruleset) -> Judge:
    contracts = rules.phase(Auction).contracts

    def judge(rnd: Round, entry: Entry) -> Outcome:
        name = bid_in_entry(entry).contract
        if not name or contracts.when[name].value_in(rnd, entry):
            return None
        return Breach(
            {"contract": rules.translate_word(name), "who": rnd.names[_declarer_of(entry)]}
        )

    return judge


@clause(
    "optional",
    "auction",
    variant=BIDS,
    on=(TO_BID,),
    say=N_("{option} may not be combined {why}"),
    doc=(
        "An option may be added only to the contracts in its `with`, and only if its `when` "
        "is true."
    ),
)
def _optional(row: Row, rules: Ruleset) -> Judge:
    contracts = rules.phase(Auction).contracts

    def judge(rnd: Round, entry: Entry) -> Outcome:
        offer = bid_in_entry(entry)
        for option in contracts.options_with_implied(offer):
            name = rules.translate_word(option)
            if not contracts.allows_option(option, offer.contract):
                why = tr("with {contract}", contract=rules.translate_word(offer.contract))
                return Breach({"option": name, "why": why})
            if not contracts.option_when[option].value_in(rnd, entry):
                message = N_("{option} may not be added now")
                return Breach({"option": name, "why": tr("now")}, message)
        return None

    return judge


@clause(
    "called",
    "auction",
    variant=BIDS,
    on=(TO_BID,),
    say=N_("{who} may not call {card}: {why}"),
    unknown=N_("{who} calls {card}; it is unknown whether they may call it"),
    proven=N_("{who} should not have called {card}: {why} ({first}, {then})"),
    doc=(
        "A called card must be one of the contract's `calls`. The caller must hold another "
        "card of the same class, but not the called card itself."
    ),
    parameters={
        "suit": Parameter("bool", "whether another card of its class must be held", True),
        "held": Parameter("bool", "whether the card may be held", False),
    },
)
def _called(row: Row, rules: Ruleset) -> Judge:
    contracts, pack = rules.phase(Auction).contracts, rules.pack
    wanted = [N_("another card of its suit")] if row["suit"] else []
    wanted += [] if row["held"] else [N_("not the card itself")]

    def judge(rnd: Round, entry: Entry) -> Outcome:
        offer, seat = bid_in_entry(entry), _declarer_of(entry)
        for kind in offer.cards:
            why = tr("the caller must hold {what}", what=join_list([tr(each) for each in wanted]))
            facts = {"who": rnd.names[seat], "card": pack.kinds[kind], "why": why}
            may = contracts.callable_cards(pack, offer.contract)
            if kind not in may:
                legal = [pack.kinds[each] for each in may]
                return Breach(
                    {
                        **facts,
                        "legal": legal,
                        "why": tr("only {legal} may be called", legal=join_list(legal, "or")),
                    }
                )
            own = pack.column[kind]
            others = contracts.suit_of(rules, offer.contract, kind) & ~own
            claims = [Claim(seat, others, 1, pack.card_count)] if row["suit"] else []
            claims += [] if row["held"] else [Claim(seat, own, 0, 0)]
            if claims and rnd.hands.size(seat) < rnd.deal_size:
                return Unsure(facts)
            if not row["held"] and rnd.hands.bounds(seat, own)[0]:
                return Breach({**facts, "why": tr("they hold that card")})
            if row["suit"] and not rnd.hands.bounds(seat, others)[1]:
                return Breach({**facts, "why": tr("they have no other card of its suit")})
            return AllOf(tuple(claims), facts) if claims else None
        return None

    return judge
