"""The keys of a result that an auction reads: the contract, the declarer, the bid and doubles.

The auction phase itself is in `auction`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import format_times, tr
from scorekeeper.engine.contracts import sample_steps
from scorekeeper.engine.findings import infer_act
from scorekeeper.engine.state import ContractBid
from scorekeeper.notation import Entry, Notation
from scorekeeper.notation.syntax import find_seat, parse_by_player, parse_whole
from scorekeeper.phases.auction_state import CONTRACT, DECLARER, DOUBLED, TO_BID, format_bid

if TYPE_CHECKING:
    from scorekeeper.engine.round import Round
    from scorekeeper.notation.entry import EntryType
    from scorekeeper.phases.auction_bids import RankedBids
    from scorekeeper.phases.auction_state import State, Turns

MAX_DOUBLES, MAX_BID = 99, 99_999
RESULT_KEYS = (CONTRACT, DECLARER, TO_BID)


def fields(
    rnd: Round, contracts: RankedBids, most_doubles: int, *, each_bids: bool
) -> list[tuple[str, str, list[str]]]:
    """Return the keys about the bidding that a result may contain. Keys whose values are already
    known are left out."""
    if each_bids:
        return [(TO_BID, tr("what each player bid, as NAME:NUMBER joined by +"), [])]
    result: list[tuple[str, str, list[str]]] = []
    if contracts.rows and not rnd.table.contract:
        result.append((CONTRACT, tr("what was played"), _contract_names(contracts)))
    if rnd.table.declarer < 0:
        result.append((DECLARER, tr("who declared the contract"), rnd.names_of(rnd.seats)))
        if contracts.bids.steps:
            result.append((TO_BID, tr("the highest bid"), list(map(str, contracts.bids.steps))))
        if most_doubles:
            numbers = list(map(str, range(most_doubles + 1)))
            meaning = tr("how often the bid was doubled (leave empty if it was not)")
            result.append((DOUBLED, meaning, numbers))
    return result


def _contract_names(contracts: RankedBids) -> list[str]:
    """Return the names by which results refer to contracts. A contract that calls a card has one
    name for each card that it may call. A contract that annuls the deal has no result."""
    return [
        f"{name}+{card}" if card else name
        for name, row in contracts.rows.items()
        for card in row["calls"] or [""]
        if not row["annuls"]
    ]


def pass_out(rnd: Round, state: State) -> None:
    """End the auction of a deal in which no player bid. Raises Impossible if the record contains
    a bid."""
    if rnd.table.contract or state.current_bid is not None:
        who = rnd.names[max(rnd.table.declarer, state.high_bidder)]
        raise Impossible(tr("according to the entries, {who} has bid", who=who))
    state.is_decided = True


def read_doubles(rnd: Round, state: State, said: dict[str, str], most: int) -> None:
    """Read from a result how often the bid was doubled. Raises Impossible if the bid cannot be
    doubled that often, or if the record contradicts the result."""
    text = said.pop(DOUBLED, "") if most else ""
    if not text:
        return
    number = parse_whole(text, 0, MAX_DOUBLES)
    if number > most:
        raise Impossible(
            tr(
                "a bid cannot be doubled {times}; the maximum is {most}",
                times=format_times(number),
                most=format_times(most),
            )
        )
    if number < state.doubled or (rnd.table.contract and number != state.doubled):
        raise Impossible(
            tr(
                "according to the entries, the bid was doubled {times}",
                times=format_times(state.doubled),
            )
        )
    state.doubled = number


def read(
    rnd: Round, state: State, contracts: RankedBids, nobody: str, said: dict[str, str]
) -> None:
    """Read the contract and the declarer from a result. The contract `nobody`, which is played if
    no player bids, has no declarer. Raises Unreadable for unknown words, and
    Impossible if the record contradicts the result."""
    words = {key: said.pop(key, "") for key in RESULT_KEYS}
    known = rnd.table.contract
    if known and not any(words.values()):
        return
    if not (words[CONTRACT] or known):
        rows = ", ".join(_contract_names(contracts))
        raise Unreadable(tr("the result must name the contract"), f"contract=…: {rows}")
    if not words[CONTRACT]:
        words[CONTRACT] = known
    if words[CONTRACT] == nobody and not (known or words[DECLARER]):
        pass_out(rnd, state)
        contracts.apply_contract(rnd, nobody, -1)
        return
    bid, contract = words[TO_BID], words[CONTRACT]
    if bid and contracts.bids.contracts and contract in contracts.rows:
        contract = f"{_read_step(rnd, contracts, bid)} {contract}"
    offer = _read_offer(rnd, contracts, contract)
    if words[TO_BID]:
        offer = offer._replace(number=_read_step(rnd, contracts, words[TO_BID]))
    seat = _read_declarer(rnd, words[DECLARER])
    if known:
        _check_same(rnd, state, offer, known)
    else:
        _check_recorded_bid(rnd, state, contracts, seat, offer)
        state.is_decided, state.result_offer = True, offer
        state.bids[seat], state.high_bidder = contracts.bid_of_outcome(offer), seat
        contracts.settle(rnd, seat, offer)


def _check_recorded_bid(
    rnd: Round, state: State, contracts: RankedBids, seat: int, offer: ContractBid
) -> None:
    """Raise Impossible if a bid that was recorded is higher than the bid in a result."""
    standing = state.current_bid
    if standing is None or not contracts.bids.contracts or offer.number is None:
        return
    if (seat, offer) != (state.high_bidder, standing) and not contracts.is_higher(offer, standing):
        raise Impossible(
            tr(
                "according to the entries, {who} has bid {bid}",
                who=rnd.names[state.high_bidder],
                bid=format_bid(rnd, standing),
            )
        )


def infer_contract(rnd: Round, state: State) -> None:
    """Judge the contract named by a result, using the rules for declaring it."""
    if state.result_offer is not None:
        value = (rnd.table.declarer, state.result_offer)
        infer_act(rnd, [Entry(rnd.rules.all_verbs[CONTRACT], None, value)])


def _read_offer(rnd: Round, contracts: RankedBids, text: str) -> ContractBid:
    """Read a contract and its options, separated by blanks or `+`."""
    notation = Notation(rnd.rules.lexicon, rnd.names)
    return contracts.outcome_syntax().read(" ".join(text.split("+")), notation)


def _read_step(rnd: Round, contracts: RankedBids, text: str) -> int:
    steps = contracts.bids.steps
    called = rnd.rules.lexicon.meanings.get(text.casefold(), text)
    number = parse_whole(called if called.isdecimal() else text, 0, MAX_BID)
    if number not in steps:
        raise Unreadable(
            tr("{number} cannot be bid", number=number),
            tr("possible bids: {bids}", bids=sample_steps(steps)),
        )
    return number


def _read_declarer(rnd: Round, text: str) -> int:
    """Return the seat of the declarer, from the result or from the record."""
    known = rnd.table.declarer
    if not text:
        if known < 0:
            raise Unreadable(
                tr("the result must name the declarer"),
                f"declarer={rnd.names[0]}",
            )
        return known
    seat = find_seat(rnd.names, text)
    if known >= 0 and seat != known:
        raise Impossible(
            tr(
                "according to the entries, {who} declared the contract, not the player in "
                "the result",
                who=rnd.names[known],
            )
        )
    if seat not in rnd.seats:
        raise Impossible(tr("{who} sits out this round", who=rnd.names[seat]))
    return seat


def _check_same(rnd: Round, state: State, offer: ContractBid, known: str) -> None:
    """Raise Impossible if a different contract or a different bid was recorded."""
    if offer.contract != known:
        translate = rnd.rules.translate_word
        raise Impossible(
            tr(
                "according to the entries, {contract} is being played, not {other}",
                contract=translate(known),
                other=translate(offer.contract),
            )
        )
    standing = state.current_bid
    if standing is not None and standing.contract:  # the declarer may have named another contract
        standing = standing._replace(number=rnd.table.number, contract=known)
    if offer.number is not None and standing is not None and offer.number != standing.number:
        raise Impossible(
            tr(
                "according to the entries, {who} has bid {bid}",
                who=rnd.names[state.high_bidder],
                bid=format_bid(rnd, standing),
            )
        )


def read_each_bid(
    rnd: Round,
    state: State,
    turns: Turns,
    contracts: RankedBids,
    verb: EntryType,
    said: dict[str, str],
) -> None:
    """Read the number that each player bid, and judge the numbers in the order of bidding."""
    most = max(contracts.bids.steps, default=0)
    numbers = parse_by_player(said.pop(TO_BID, ""), rnd.names, TO_BID, most)
    for seat in state.order:
        who, recorded = rnd.names[seat], state.bids.get(seat)
        if seat not in numbers:
            form = f"{TO_BID}={who}:NUMBER"
            raise Unreadable(tr("the result must state what {who} bid", who=who), form)
        if recorded is None:
            offer = ContractBid(numbers[seat])
            infer_act(rnd, [Entry(verb, seat, offer)])
            turns.bid(state, seat, offer, False)
        elif recorded.number != numbers[seat]:
            message = tr(
                "according to the entries, {who} has bid {bid}", who=who, bid=recorded.number
            )
            raise Impossible(message)
    state.is_decided = True
