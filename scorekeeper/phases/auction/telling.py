"""What was bid and what is played, as JSON and in sentences. Part of auction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import listed, times, tr
from scorekeeper.notation import Notation
from scorekeeper.notation.syntax import Of
from scorekeeper.phases.auction.turns import EACH, PAIRS
from scorekeeper.phases.auction.verbs import PASS, TO_BID

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Json, Row
    from scorekeeper.notation.entry import Verb
    from scorekeeper.phases.auction.saying import Choice
    from scorekeeper.phases.auction.state import State
    from scorekeeper.ruleset.joint import Joint
    from scorekeeper.ruleset.shared import Offer


def bid(state: State) -> int:
    """The number of the bid that stands; 0 where there is none."""
    offer = state.standing
    return offer.number or 0 if offer is not None else 0


def written(rnd: Joint, offer: Offer, by: Verb | None = None) -> str:
    """A bid, or what another verb says, as it is written."""
    verb = by if by is not None else rnd.rules.every_verb[TO_BID]
    syntax = verb.syntax.inner if isinstance(verb.syntax, Of) else verb.syntax
    return syntax.show(offer, Notation(rnd.rules.lexicon, rnd.names))


def prompt(rnd: Joint, state: State, seat: int, row: Row, may: Choice) -> str:
    """Return what the seat whose turn it is may say."""
    name, say, offer = rnd.names[seat], rnd.rules.spoken, state.standing
    words = listed([say(word) for word in (*may.words, *([PASS] if may.passes else []))], "or")
    if row["turns"] == EACH or not (may.bids or words):
        return tr("{who} bids", who=name)
    stands = written(rnd, offer) if offer is not None else ""
    if row["turns"] == PAIRS and state.asked:
        return tr("{who} answers to {bid}: {words}", who=name, bid=stands, words=words)
    if not may.bids:
        return tr("{who} says {words}", who=name, words=words)
    if not words:
        bids = tr("{who} bids more than {bid}", who=name, bid=stands)
        return bids if stands else tr("{who} bids", who=name)
    if not stands:
        return tr("{who} bids, or says {words}", who=name, words=words)
    return tr("{who} bids more than {bid}, or says {words}", who=name, bid=stands, words=words)


def described(rnd: Joint, state: State | None) -> Json:
    """What was said so far, and what is decided, as plain values."""
    if state is None:
        return {}
    found: Json = {"bindings": _bindings(rnd, state)}
    if not (state.decided or rnd.over):
        found["table"] = [{"who": rnd.names[seat], "says": text} for seat, text in state.said]
    return found


def _bindings(rnd: Joint, state: State) -> Json:
    shared, names = rnd.shared, rnd.names
    offer = state.standing
    found: Json = {
        "declarer": names[shared.declarer] if shared.declarer >= 0 else None,
        "contract": shared.contract,
        "order": shared.order,
        "trump": shared.chosen,
        "options": list(shared.options),
        "called": [rnd.rules.pack.kinds[kind] for kind in shared.named],
        "doubled": state.doubled,
    }
    if offer is not None:
        said = written(rnd, offer)
        found["bid"] = {"who": names[state.best], "says": said} if said else None
    elif state.bids:
        found["bids"] = {names[seat]: written(rnd, said) for seat, said in state.bids.items()}
    return {name: value for name, value in found.items() if value}


def sentences(rnd: Joint, state: State) -> Iterator[str]:
    """What is played, by whom, after what bids."""
    names, say = rnd.names, rnd.rules.spoken
    offer, contract = state.standing, rnd.shared.contract
    if contract:
        by = tr(", by {who}", who=names[rnd.shared.declarer]) if rnd.shared.declarer >= 0 else ""
        options = [say(option) for option in rnd.shared.options]
        cards = [rnd.rules.pack.kinds[kind] for kind in rnd.shared.named]
        said = "".join(f", {word}" for word in (*options, *cards))
        what = say(contract) + said + by
        yield (
            tr("the contract was {contract}", contract=what)
            if rnd.over
            else tr("the contract is {contract}", contract=what)
        )
    if offer is not None and offer.number is not None:
        yield tr("{who} has bid {bid}", who=names[state.best], bid=written(rnd, offer))
    elif state.bids and offer is None:
        each = [f"{names[seat]} {written(rnd, said)}" for seat, said in state.bids.items()]
        yield tr("the bids are {bids}", bids=listed(each))
    elif rnd.over and len(state.passed) == len(state.order) and not contract:
        yield tr("everyone passed")
    if state.doubled:
        often = times(state.doubled)
        yield (
            tr("it was doubled {times}", times=often)
            if rnd.over
            else tr("it is doubled {times}", times=often)
        )


def summary(rnd: Joint, state: State | None) -> Json:
    """What the sheet and the statistics may tell."""
    if state is None:
        return {}
    declarer, offer = rnd.shared.declarer, state.standing
    bids = {rnd.names[seat]: said.number for seat, said in state.bids.items()}
    options = " ".join(map(rnd.rules.spoken, rnd.shared.options))
    return {
        "contract": rnd.rules.spoken(rnd.shared.contract) or None,
        "options": options or None,
        "called": rnd.rules.pack.codes(rnd.shared.named) or None,
        "declarer": rnd.names[declarer] if declarer >= 0 else None,
        "bid": written(rnd, offer) or None if offer is not None else None,
        "doubled": state.doubled or None,
        "player.bid": bids if state.best < 0 else {},
    }
