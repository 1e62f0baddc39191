"""A `result` that says what was played, by whom, for which bid. Part of auction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.notation import Entry, Notation
from scorekeeper.notation.syntax import seat_named, whole

if TYPE_CHECKING:
    from scorekeeper.phases.auction.contracts import Contracts
    from scorekeeper.phases.auction.state import State
    from scorekeeper.ruleset.joint import Joint
    from scorekeeper.ruleset.shared import Offer

CONTRACT, DECLARER, BID = KEYS = ("contract", "declarer", "bid")


def fields(rnd: Joint, contracts: Contracts) -> list[tuple[str, str, list[str]]]:
    """What a result must say of the bidding, as far as it is not known."""
    found: list[tuple[str, str, list[str]]] = []
    if contracts.rows and not rnd.shared.contract:
        found.append((CONTRACT, tr("what was played"), _named(contracts)))
    if rnd.shared.declarer < 0:
        found.append((DECLARER, tr("who declared it"), rnd.names_of(rnd.seats)))
        if contracts.bids.steps:
            found.append((BID, tr("the highest bid"), list(map(str, contracts.bids.steps))))
    return found


def _named(contracts: Contracts) -> list[str]:
    """The contracts as a result names them: one that calls a card, with each that it may call."""
    return [
        f"{name}+{card}" if card else name
        for name, row in contracts.rows.items()
        for card in row["calls"] or [""]
    ]


def read(rnd: Joint, state: State, contracts: Contracts, said: dict[str, str]) -> None:
    """Take what was played from the words of a result. Raises Unreadable for what is none,
    Impossible for another than was recorded."""
    words = {key: said.pop(key, "") for key in KEYS}
    known = rnd.shared.contract
    if known and not any(words.values()):
        return
    if not (words[CONTRACT] or known):
        rows = ", ".join(_named(contracts))
        raise Unreadable(tr("the result must say what was played"), f"contract=…: {rows}")
    if not words[CONTRACT]:
        words[CONTRACT] = known
    offer = _offer(rnd, contracts, words[CONTRACT])
    if words[BID]:
        offer = offer._replace(number=_step(rnd, contracts, words[BID]))
    seat = _declarer(rnd, words[DECLARER])
    if known:
        _check_same(rnd, offer, known)
    else:
        state.decided, state.from_result = True, offer
        state.bids[seat], state.best = contracts.bid_in(offer), seat
        contracts.settle(rnd, seat, offer)


def infer_what_was_said(rnd: Joint, state: State) -> None:
    """What a result tells of was declared, and meets the rules of it."""
    if state.from_result is not None:
        value = (rnd.shared.declarer, state.from_result)
        rnd.imply([Entry(rnd.rules.every_verb[CONTRACT], None, value)])


def _offer(rnd: Joint, contracts: Contracts, text: str) -> Offer:
    """The contract with its options, joined by blanks or `+`."""
    notation = Notation(rnd.rules.lexicon, rnd.names)
    return contracts.of_outcomes().read(" ".join(text.split("+")), notation)


def _step(rnd: Joint, contracts: Contracts, text: str) -> int:
    steps = contracts.bids.steps
    called = rnd.rules.lexicon.meanings.get(text.casefold(), text)
    number = whole(called if called.isdecimal() else text, 0, max(steps, default=0))
    if number not in steps:
        raise Unreadable(
            tr("{number} cannot be bid", number=number),
            tr("bids: {bids}", bids=", ".join(map(str, steps))),
        )
    return number


def _declarer(rnd: Joint, text: str) -> int:
    """Whose bid stood: as the result says, or as it is known."""
    known = rnd.shared.declarer
    if not text:
        if known < 0:
            raise Unreadable(
                tr("the result must say who declared it"),
                f"declarer={rnd.names[0]}",
            )
        return known
    seat = seat_named(rnd.names, text)
    if known >= 0 and seat != known:
        raise Impossible(
            tr("{who} declared it by what was recorded, not as said", who=rnd.names[known])
        )
    if seat not in rnd.seats:
        raise Impossible(tr("{who} sits out this round", who=rnd.names[seat]))
    return seat


def _check_same(rnd: Joint, offer: Offer, known: str) -> None:
    """Raises Impossible if something else is played by what was recorded."""
    if offer.contract != known:
        say = rnd.rules.spoken
        raise Impossible(
            tr(
                "{contract} is played by what was recorded, not {other}",
                contract=say(known),
                other=say(offer.contract),
            )
        )
