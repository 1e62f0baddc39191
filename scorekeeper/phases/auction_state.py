"""The parts of the auction: state, turns, contracts as bids, entry types, view and result keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.hands import Claim, Unsure
from scorekeeper.core.messages import N_, Prompt, Sentence, format_times, join_list, tr
from scorekeeper.core.sides import DECLARING
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine import contracts
from scorekeeper.engine.contracts import (
    RESTS_PARAMETER,
    ContractBidSyntax,
)
from scorekeeper.engine.findings import barred_rules
from scorekeeper.engine.measures import Owner
from scorekeeper.engine.phase import BID, View
from scorekeeper.engine.state import ContractBid
from scorekeeper.notation import Entry, Notation
from scorekeeper.notation.entry import Actor, EntryType, Timing
from scorekeeper.notation.syntax import NoValue, OfPlayer
from scorekeeper.ruleset.tables import Parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Json, Row
    from scorekeeper.engine.round import Round
    from scorekeeper.phases.auction_bids import RankedBids

TO_BID, HOLD, PASS, CONTRACT = "bid", "hold", "pass", "contract"
NAMING, TO_NAME = "naming", "name"  # the phase in which the contract is named, and its verb
ROUND, FIRST, ONCE, EACH, PAIRS = TURNS = ("round", "first", "once", "each", "pairs")
BIDS, WISHES = "bids", "wishes"  # the two variants of the phase
LEFT, DEALER = SPEAKS_FIRST = ("left", "dealer")
FINAL, OPEN = PASSING = ("final", "open")
HIGHEST, FIRST_NAMED = DECLARES = ("highest", "first")
IN_TURN, ENDS, UNTIL_PLAY = DOUBLING = ("turn", "ends", "play")
DECLARER, OPPONENTS = ROLES = ("declarer", "opponents")
DOUBLED = "doubled"
MAX_DOUBLES = 99
PASSED = "passed"
RESULT_KEYS = (CONTRACT, DECLARER, TO_BID)


# --- state and turns


class State:
    """The bidding of one deal. Players are seats.

    `order` lists the seats in speaking order. `number` is the number of times that bidding has
    begun. `last_speaker` is the seat that spoke last, or -1 before the first statement.
    `statements` are pairs of a seat and the words of its statement. `bids` maps a seat to its last
    bid, and `named` lists the bids in order, as pairs of a seat and a contract. `passed` lists the
    seats that have passed. If a player who passed may bid again, it lists only the passes since the
    last bid. `high_bidder` is the seat with the current bid, or -1, and `last_active` is the last
    seat that bid or doubled. `awaits_answer` is true if the elder player must answer a bid.
    `doubled` is the number of doubles of the current bid. `is_closed` is true if a double has ended
    the bidding, and `is_decided` once the bidding is finished.

    `forced_passes` lists the seats that must still pass because they had no other choice when the
    auction was decided early. `result_offer` is the contract named by a result.
    """

    __slots__ = (
        *("awaits_answer", "bids", "doubled", "forced_passes", "high_bidder", "is_closed"),
        *("is_decided", "last_active", "last_speaker", "named", "number", "order", "passed"),
        *("result_offer", "statements"),
    )

    def __init__(self, order: list[int]) -> None:
        self.order = order
        self.number = 1
        self.last_speaker = self.high_bidder = self.last_active = -1
        self.statements: list[tuple[int, str]] = []
        self.bids: dict[int, ContractBid] = {}
        self.named: list[tuple[int, str]] = []
        self.passed: list[int] = []
        self.forced_passes: list[int] = []
        self.awaits_answer = self.is_closed = self.is_decided = False
        self.doubled = 0
        self.result_offer: ContractBid | None = None

    @property
    def current_bid(self) -> ContractBid | None:
        """The highest bid so far, or None."""
        return self.bids.get(self.high_bidder)

    @property
    def silent_seats(self) -> list[int]:
        """The seats that have neither bid nor passed, in speaking order."""
        return [seat for seat in self.order if seat not in self.bids and seat not in self.passed]

    @property
    def remaining_seats(self) -> list[int]:
        """The seats that have not passed, in speaking order."""
        return [seat for seat in self.order if seat not in self.passed]

    def restart(self) -> None:
        """Start the bidding again after every player has passed."""
        self.number += 1
        self.last_speaker = -1
        self.passed = []


class Turns:
    """The order of turns.

    `mode` is one of TURNS. `passing_is_final` is true if a player who passes takes no further part.
    `doubling_ends` is true if a double ends the bidding.
    """

    __slots__ = ("doubling_ends", "mode", "passing_is_final")

    def __init__(self, mode: str, final: bool, doubling_ends: bool) -> None:
        self.mode = mode
        self.passing_is_final = final or mode == PAIRS
        self.doubling_ends = doubling_ends

    # --- turn

    def seats_to_speak(self, state: State) -> list[int]:
        """Return a list with the seat whose turn it is, or an empty list if the bidding is
        finished."""
        if state.is_decided:
            return []
        if self.mode in (ONCE, EACH):
            return state.silent_seats[:1]
        if self.mode == PAIRS:
            return self._next_of_pair(state)
        index = (
            state.order.index(state.last_speaker) + 1 if state.last_speaker in state.order else 0
        )
        following = state.order[index:] + state.order[:index]
        return [seat for seat in following if seat not in state.passed][:1]

    def _next_of_pair(self, state: State) -> list[int]:
        """Return a list with the next seat when players bid in pairs.

        The first two players who have not passed are a pair. The first of them, the elder, answers
        bids, and the other makes them. If only one player is left, that player is next.
        """
        elder, *others = state.remaining_seats or [-1]
        if not others or state.awaits_answer:
            return [elder] if elder >= 0 else []
        return others[:1]

    def is_over(self, state: State) -> bool:
        """Return whether no player may bid any more."""
        if state.is_closed:
            return True
        if self.mode in (ONCE, EACH):
            return not state.silent_seats
        if self.mode == PAIRS:
            return not state.remaining_seats or state.remaining_seats == [state.high_bidder]
        if self.mode == FIRST and state.high_bidder >= 0:
            return True
        return all(seat in state.passed or seat == state.last_active for seat in state.order)

    def is_last(self, state: State) -> bool:
        """Return whether the next player speaks last.

        If every player must name a number, this is true once all others have named theirs.
        Otherwise, it is true once all others have passed and no player has bid.
        """
        if self.mode == EACH:
            return len(state.silent_seats) == 1
        left = state.silent_seats if self.mode == ONCE else state.remaining_seats
        return state.high_bidder < 0 and len(left) == 1

    # --- bids, passes and doubles

    def bid(self, state: State, seat: int, offer: ContractBid, higher: bool) -> None:
        """Record a bid. `higher` is true if it is higher than the current bid."""
        state.bids[seat] = offer
        state.named.append((seat, offer.contract))
        if seat in state.passed:
            state.passed.remove(seat)
        if self.mode == EACH:
            return
        if higher or self.mode != ONCE:
            state.high_bidder = seat
            state.doubled = 0
        state.last_active = seat
        state.awaits_answer = self.mode == PAIRS and seat != state.remaining_seats[0]
        if not self.passing_is_final:
            state.passed = []

    def hold(self, state: State, seat: int) -> None:
        """Record that a seat takes over the current bid."""
        state.bids[seat] = state.bids[state.high_bidder]
        state.high_bidder = state.last_active = seat
        state.awaits_answer = False

    def give_up(self, state: State, seat: int) -> None:
        """Record that a seat passes."""
        if seat not in state.passed:
            state.passed.append(seat)
        state.awaits_answer = False

    def double(self, state: State, seat: int) -> None:
        """Record that a seat doubles the current bid."""
        state.doubled += 1
        state.last_active = seat
        state.is_closed = self.doubling_ends
        if not self.passing_is_final and not state.is_decided:
            state.passed = []


def are_same_side(rnd: Round, seat: int, other: int) -> bool | None:
    """Return whether two players are on the same side, or None if that is unknown."""
    if seat == other or rnd.sides is None:
        return other in rnd.seating.side(seat) or seat == other
    one, two = rnd.sides.side_of(seat), rnd.sides.side_of(other)
    return None if one is None or two is None else one == two


def claim_on_side(rnd: Round, seat: int, bidder: int, with_them: bool, facts: Facts) -> Outcome:
    """Return a claim about a player's hand that decides whether the player is on the bidder's side.

    Return Unsure if the cards cannot decide that.
    """
    sides = rnd.require_sides()
    if not sides.by_cards or sides.side_of(bidder) != DECLARING or sides.unseen_plays[seat]:
        return Unsure(facts)
    most = sides.copies if with_them else 0
    return Claim(seat, sides.mask, int(with_them), most, facts)


# --- who speaks


def speaking_order(rnd: Round, row: Row, speaks: Expression) -> list[int]:
    """Return the seats that take part in the bidding, in speaking order. `row` is the phase's
    table. `speaks` is the condition for taking part, and is evaluated for each seat."""
    seat = rnd.seating.leader
    if rnd.rules.deal["dealt"]:
        seat = rnd.seating.dealer
        if row["first"] == LEFT or seat not in rnd.seats:
            seat = rnd.seating.next_seat(seat, rnd.seating.step)
    order = []
    for _ in rnd.seats:
        if speaks.value_in(rnd, Owner((seat,))):
            order.append(seat)
        seat = rnd.seating.next_seat(seat, rnd.seating.step)
    return order


# --- keys of the phase

PARAMETERS: Mapping[str, Parameter] = {
    "bids": Parameter(
        "text",
        "the possible bids: numbers (`18 20 22`, `0..13`, with a step `10..1500/10`), the word"
        " `contracts`, or both",
    ),
    "ranks": Parameter(
        "cards",
        (
            "contracts, some with options, from the highest to the lowest; "
            "contracts in a nested list rank equally"
        ),
        [],
    ),
    "value": Parameter(
        "number",
        "what a bid counts when bids are compared, computed from the bid alone (default: its"
        " number)",
        "",
    ),
    "turns": Parameter(
        "choice",
        "`round`: the players bid in turn until no player bids higher; `first`: the "
        "first bid is played; `once`: each player speaks once; `pairs`: the younger "
        "player bids, and the elder holds or passes; `each`: each player names a number, "
        "and there is no declarer; `wishes`: each player names one wish, and the strongest is "
        "played (with other keys, see below)",
        ROUND,
        (*TURNS, WISHES),
    ),
    "first": Parameter(
        "choice",
        "the player who speaks first: the one on the dealer's left, or the dealer",
        LEFT,
        SPEAKS_FIRST,
    ),
    "speaks": Parameter("condition", "who speaks; `own` is the player", "true"),
    "declares": Parameter(
        "choice",
        "who declares: the `highest` bidder, or the player on that bidder's side who `first` "
        "named the contract",
        HIGHEST,
        DECLARES,
    ),
    "passing": Parameter(
        "choice",
        (
            "`final`: a player who has passed is out of the auction; `open`: a "
            "player who has passed may bid again"
        ),
        FINAL,
        PASSING,
    ),
    "rounds": Parameter(
        "int",
        "the number of times that bidding begins if all players pass",
        1,
        bounds=(1, untrusted.MAX_PLAYERS),
    ),
    "nobody": Parameter(
        "name",
        "what happens if no player bids: the round is void and the `same` or the `next` "
        "player deals (default: as set by `deal.after_void`), or this contract is played",
        "",
    ),
    "doubles": Parameter(
        "texts", "words that double a bid, in the order in which they may follow each other", []
    ),
    "doubling": Parameter(
        "choice",
        "when doubles are possible: in `turn`, with more bids to follow; at any time, "
        "but a double `ends` the bidding; or until the first card is played (`play`)",
        IN_TURN,
        DOUBLING,
    ),
}
SECTIONS: Mapping[str, Mapping[str, Parameter]] = {
    "contracts": {
        **contracts.CONTRACT,
        "short": Parameter("text", "the short form of its name, used right after a number", ""),
        "number": Parameter(
            "int",
            "its number in a bid, which players leave out (default: they name it)",
            0,
            bounds=(0, contracts.MAX_STEP),
        ),
        "final": Parameter(
            "bool",
            "whether the bid settles it, so that no other contract is named in `naming`",
            False,
        ),
        "calls": Parameter("cards", "cards, one of which the declarer calls", []),
        "when": Parameter("condition", "condition under which it may be bid or named", "true"),
    },
    "options": {
        "with": Parameter("texts", "the contracts that it may be added to (if omitted, all)", []),
        "implies": Parameter(
            "texts", "options that it implies; it may be added to the same contracts as these", []
        ),
        "when": Parameter("condition", "condition under which it may be named", "true"),
        "rests": RESTS_PARAMETER,
    },
}


def bids_contracts(data: Row) -> bool:
    """Return whether bids name contracts in a ruleset that has not been checked yet."""
    row = data["phases"].get(contracts.AUCTION)
    return isinstance(row, dict) and contracts.CONTRACTS in str(row.get("bids", "")).split()


# --- entry types

_ANY_OFFER = ContractBidSyntax((0,), {"": {}}, {})


def _bid_type(word: str, syntax: ContractBidSyntax, *, implicit: bool = False) -> EntryType:
    """Return the entry type of a bid, or of a `contract` fact, with the given syntax."""
    if word == CONTRACT:
        doc = "the declarer and the contract, if the table does not record bids"
        return EntryType(
            word, OfPlayer(syntax), doc, by=Actor.TABLE, when=Timing.SETUP, measured_as=BID
        )
    return EntryType(word, syntax, N_("bids"), by=Actor.TURN, is_implicit=implicit, measured_as=BID)


ENTRY_TYPES = (
    _bid_type(TO_BID, _ANY_OFFER),
    EntryType(PASS, NoValue(), N_("declines to bid"), by=Actor.TURN),
    EntryType(HOLD, NoValue(), N_("accepts the younger player's bid as their own"), by=Actor.TURN),
    _bid_type(CONTRACT, _ANY_OFFER),
)


def short_bid_type(contracts: RankedBids) -> EntryType:
    """Return the entry type of a bid without its verb, in which the number may be missing too."""
    syntax = contracts.short_bid_syntax()
    return EntryType(
        "",
        syntax,
        "a bid without its word",
        by=Actor.TURN,
        is_implicit=True,
        is_shorthand=True,
        measured_as=BID,
    )


def entry_types_of(row: Row, contracts: RankedBids) -> Iterator[EntryType]:
    """Yield the entry types of the phase for this row of a ruleset, beginning with the bid."""
    bids, (_, passes, holds, _) = contracts.bids, ENTRY_TYPES
    yield _bid_type(TO_BID, contracts.bid_syntax(), implicit=bids.contracts and not bids.steps)
    if row["turns"] != EACH:
        yield passes
    if row["turns"] == PAIRS:
        yield holds
    if contracts.rows and row["turns"] != EACH:
        yield _bid_type(CONTRACT, contracts.outcome_syntax())
    for word in row["doubles"]:
        doc = "doubles the value of the bid"
        yield EntryType(
            word, NoValue(), doc, by=Actor.TURN if row["doubling"] == IN_TURN else Actor.ANYONE
        )


def format_bid(rnd: Round, offer: ContractBid, by: EntryType | None = None) -> str:
    """Return a bid as text. `by` is the entry type whose syntax is used. By default, this is the
    entry type of a bid."""
    verb = by if by is not None else rnd.rules.all_verbs[TO_BID]
    syntax = verb.syntax.inner if isinstance(verb.syntax, OfPlayer) else verb.syntax
    return syntax.write(offer, Notation(rnd.rules.lexicon, rnd.names))


def list_bids(
    rnd: Round,
    contracts: RankedBids,
    by: EntryType,
    seat: int | None,
    least: ContractBid,
    *,
    same: bool,
) -> list[str]:
    """Return the bids above a given bid as text, including that bid if `same` is true.

    Options that do not raise a bid are left out, and so are contracts that another clause bars.
    At most four bids are listed, followed by `…` if there are more. `by` is the entry type of a
    bid.
    """

    def is_enough(offer: ContractBid) -> bool:
        return contracts.is_higher(offer, least) or (same and not contracts.is_higher(least, offer))

    bids, result = contracts.all_bids(rnd.rules.pack), list[str]()
    if not is_enough(bids[-1]):
        return result
    for offer in bids:
        bare = not offer.options or contracts.is_higher(offer, offer._replace(options=()))
        if not (bare and is_enough(offer)):
            continue
        if not (offer.contract and barred_rules(rnd, Entry(by, seat, offer))):
            result.append(format_bid(rnd, offer, by))
        if len(result) > 4:
            return [*result[:4], "…"]
    return result


# --- view


class TurnOptions(NamedTuple):
    """The choices of the player `who` in a turn. `bids` and `passes` are true if the player may bid
    or pass. `words` are the words for holding or doubling that the player may use."""

    who: str
    bids: bool
    words: tuple[str, ...]
    passes: bool


class AuctionFacts(NamedTuple):
    """The bids so far and the contract.

    `said` are pairs of a player and a statement. `bids` maps each player to the text of their last
    bid, and `numbers` maps each player to the number in that bid. `bidder` is the player with the
    current bid, or None. `doubled` is the number of times that this bid has been doubled.
    `each_bids` is true if every player names a number and there is no declarer. `is_asked` is true
    if the elder player must answer a bid. `declarer` and `contract` are the outcome, and `named` is
    the contract with its number if it was named after the auction. `options` are the names of the
    contract's options, and `called` the codes of the called cards. `all_passed` is true if no
    player has bid. `spoken` returns the game's word for a canonical word.
    """

    said: Sequence[tuple[str, str]]
    bids: Mapping[str, str]
    numbers: Mapping[str, int | None]
    bidder: str | None
    doubled: int
    each_bids: bool
    is_asked: bool
    all_passed: bool
    declarer: str | None
    contract: str
    named: str
    order: str
    trump: str
    options: list[str]
    called: list[str]
    decided: bool
    over: bool
    spoken: Callable[[str], str]


def read_facts(rnd: Round, state: State, *, each_bids: bool) -> AuctionFacts:
    """Return the facts of an auction that has begun."""
    names, table = rnd.names, rnd.table
    return AuctionFacts(
        said=[(names[seat], text) for seat, text in state.statements],
        bids={names[seat]: format_bid(rnd, offer) for seat, offer in state.bids.items()},
        numbers={names[seat]: offer.number for seat, offer in state.bids.items()},
        bidder=None if state.high_bidder < 0 else names[state.high_bidder],
        doubled=state.doubled,
        each_bids=each_bids,
        is_asked=state.awaits_answer,
        all_passed=len(state.passed) == len(state.order),
        declarer=names[table.declarer] if table.declarer >= 0 else None,
        contract=table.contract,
        named=_named_contract(rnd, state),
        order=table.order,
        trump=table.chosen,
        options=list(table.options),
        called=[rnd.rules.pack.kinds[kind] for kind in table.named_cards],
        decided=state.is_decided,
        over=rnd.over,
        spoken=rnd.rules.translate_word,
    )


def _named_contract(rnd: Round, state: State) -> str:
    """Return the contract with its number as text if it is named after the auction, else ""."""
    table, bid = rnd.table, state.current_bid
    if NAMING not in rnd.rules.phases or bid is None or not (bid.contract and table.contract):
        return ""
    return format_bid(rnd, ContractBid(table.number, table.contract, table.options))


class AuctionView(View[AuctionFacts]):
    """The auction as text and JSON.

    `choose` returns the choices of the player whose turn it is. It is slow, because it tries every
    bid, so only the prompt calls it.
    """

    __slots__ = ("_choose",)

    def __init__(self, facts: AuctionFacts, choose: Callable[[], TurnOptions]) -> None:
        super().__init__(facts)
        self._choose = choose

    @property
    def _current_bid(self) -> str:
        """The highest bid so far, or "" if there is none."""
        bidder = self.facts.bidder
        return "" if bidder is None else self.facts.bids[bidder]

    def prompt(self) -> Prompt:
        facts, may, bid = self.facts, self._choose(), self._current_bid
        passes = [PASS] if may.passes else []
        words = join_list([facts.spoken(word) for word in (*may.words, *passes)], "or")
        if facts.each_bids or not (may.bids or words):
            text = tr("{who} bids", who=may.who)
        elif facts.is_asked:
            text = tr("{who} must answer {bid}: {words}", who=may.who, bid=bid, words=words)
        elif not may.bids:
            text = tr("{who} says {words}", who=may.who, words=words)
        elif not bid and not words:
            text = tr("{who} bids", who=may.who)
        elif not words:
            text = tr("{who} bids more than {bid}", who=may.who, bid=bid)
        elif not bid:
            text = tr("{who} bids, or says {words}", who=may.who, words=words)
        else:
            text = tr(
                "{who} bids more than {bid}, or says {words}", who=may.who, bid=bid, words=words
            )
        return Prompt(text)

    def table(self) -> Iterator[str]:
        for who, text in self._on_table():
            yield f"{who}: {text}"

    def _on_table(self) -> Sequence[tuple[str, str]]:
        facts = self.facts
        return () if facts.decided or facts.over else facts.said

    def sentences(self) -> Iterator[Sentence]:
        facts = self.facts
        if facts.contract:
            yield Sentence(self._contract())
        if facts.bidder is not None and facts.numbers[facts.bidder] is not None:
            yield Sentence(tr("{who} has bid {bid}", who=facts.bidder, bid=self._current_bid))
        elif facts.bids and facts.bidder is None:
            bids = [f"{name} {bid}" for name, bid in facts.bids.items()]
            yield Sentence(tr("the bids are {bids}", bids=join_list(bids)))
        elif facts.over and facts.all_passed and not facts.contract:
            yield Sentence(tr("everyone passed"))
        if facts.doubled:
            often = format_times(facts.doubled)
            if facts.over:
                yield Sentence(tr("the bid was doubled {times}", times=often))
            else:
                yield Sentence(tr("the bid is doubled {times}", times=often))

    def _contract(self) -> str:
        facts = self.facts
        by = "" if facts.declarer is None else tr(", by {who}", who=facts.declarer)
        words = (*map(facts.spoken, (facts.contract, *facts.options)), *facts.called)
        if facts.named:
            words = (facts.named, *facts.called)
        what = ", ".join(words) + by
        if facts.over:
            return tr("the contract was {contract}", contract=what)
        return tr("the contract is {contract}", contract=what)

    def as_json(self) -> Json:
        facts = self.facts
        values: Json = {
            "declarer": facts.declarer,
            "contract": facts.contract,
            "named": facts.named,
            "order": facts.order,
            "trump": facts.trump,
            "options": facts.options,
            "called": facts.called,
            "doubled": facts.doubled,
        }
        if facts.bidder is None:
            values["bids"] = dict(facts.bids)
        elif self._current_bid:
            values["bid"] = {"who": facts.bidder, "says": self._current_bid}
        bindings = {name: value for name, value in values.items() if value}
        table = [{"who": who, "says": text} for who, text in self._on_table()]
        return {"bindings": bindings, "table": table}

    def summary(self) -> Json:
        facts = self.facts
        return {
            "contract": facts.spoken(facts.contract) or None,
            "named": facts.named or None,
            "options": " ".join(map(facts.spoken, facts.options)) or None,
            "called": " ".join(facts.called) or None,
            "declarer": facts.declarer,
            "bid": self._current_bid or None,
            "doubled": facts.doubled or None,
            "player.bid": dict(facts.numbers) if facts.bidder is None else {},
        }
