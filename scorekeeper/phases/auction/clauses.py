"""What may be bid, held, doubled and named: the clause words. Part of auction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.hands import AllOf, Breach, Claim, Unsure
from scorekeeper.core.messages import listed, mark, times, tr
from scorekeeper.core.sides import DECLARING
from scorekeeper.notation import Entry
from scorekeeper.phases.auction import telling
from scorekeeper.phases.auction.course import Auction
from scorekeeper.phases.auction.sides import same_side
from scorekeeper.phases.auction.verbs import CONTRACT, HOLD, PASS, TO_BID
from scorekeeper.ruleset.offers import offer_of
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge

ON_BIDS = (TO_BID,)


def _declarer_of(entry: Entry) -> int:
    """Whose bid or contract an entry is: -1 where nobody is named."""
    if entry.verb.word == CONTRACT:
        seat: int = entry.value[0]
        return seat
    return -1 if entry.seat is None else entry.seat


def _legal(auction: Auction, rnd: Joint, seat: int | None) -> list[str]:
    """Return the lowest bids that are higher than the one that stands, each height once. A
    contract that another clause bars is none of them."""
    standing, contracts, found = rnd.state(auction).standing, auction.contracts, list[str]()
    bids = contracts.all_bids(rnd.rules.pack)
    if not contracts.is_higher(bids[-1], standing):
        return found
    for offer in bids:
        bare = not offer.options or contracts.is_higher(offer, offer._replace(options=()))
        if not (bare and contracts.is_higher(offer, standing)):
            continue
        if not (offer.contract and rnd.barred(Entry(auction.verbs[0], seat, offer))):
            found.append(telling.written(rnd, offer))
        if len(found) > 4:
            return [*found[:4], "…"]
    return found


@clause(
    "higher",
    "auction",
    on=ON_BIDS,
    say=mark("{who} must bid more than {bid}: {legal}"),
    doc="A bid is higher than the one that stands: by its number, then by `ranks`.",
    parameters={"when": Parameter("condition", "it is asked only then", "true")},
)
def _higher(row: Row, rules: Rules) -> Judge:
    auction = rules.phase(Auction)
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        standing = rnd.state(auction).standing
        if standing is None or auction.contracts.is_higher(offer_of(entry), standing):
            return None
        if not when.of(rnd, entry):
            return None
        legal = _legal(auction, rnd, entry.seat)
        if not legal:
            return Breach(
                {"bid": telling.written(rnd, standing)}, mark("nothing is higher than {bid}")
            )
        return Breach({"bid": telling.written(rnd, standing), "legal": legal})

    return judge


@clause(
    "answers",
    "auction",
    on=(TO_BID, HOLD),
    say=mark("{who} cannot hold: nothing was bid to them"),
    doc="In pairs the elder holds what the younger has bid, or passes; who is not asked bids.",
)
def _answers(row: Row, rules: Rules) -> Judge:
    auction = rules.phase(Auction)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state = rnd.state(auction)
        asked = state.asked and state.left[:1] == [entry.seat]
        if asked == (entry.verb.word == HOLD):
            return None
        if not asked:
            return Breach({})
        say, form = mark("{who} answers to {bid}: {legal}"), rules.lexicon.form
        standing = state.standing
        bid = telling.written(rnd, standing) if standing is not None else ""
        return Breach({"bid": bid, "legal": [form(HOLD), form(PASS)]}, say)

    return judge


@clause(
    "must-bid",
    "auction",
    on=(PASS,),
    say=mark("{who} may not pass"),
    doc="Who may not pass: by its default the last, when all others have.",
    parameters={"when": Parameter("condition", "they may not pass then", "auction.last")},
)
def _must_bid(row: Row, rules: Rules) -> Judge:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        return Breach({}) if when.of(rnd, entry) else None

    return judge


@clause(
    "barred-bid",
    "auction",
    on=ON_BIDS,
    say=mark("{who} may not say {bid} now"),
    doc="Bids, or what is named, that may not be said, where the condition holds.",
    parameters={"when": Parameter("condition", "the bids that may not be made")},
)
def _barred_bid(row: Row, rules: Rules) -> Judge:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        if not when.of(rnd, entry):
            return None
        said = telling.written(rnd, offer_of(entry), entry.verb)
        return Breach({"bid": said, "who": rnd.names[_declarer_of(entry)]})

    return judge


@clause(
    "doubling",
    "auction",
    say=mark("{who} may not say {word}: {why}"),
    unknown=mark("{who} says {word}; nobody knows which side they are on"),
    proven=mark("{who} might not say {word}: {why} ({first}, {then})"),
    doc="Who is against the bid that stands doubles it, who is for it doubles that, and so on.",
)
def _doubling(row: Row, rules: Rules) -> Judge:
    auction = rules.phase(Auction)
    words: list[str] = auction.row["doubles"]

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state, word, seat = rnd.state(auction), entry.verb.word, _declarer_of(entry)
        facts: Facts = {"word": rules.spoken(word)}
        if state.best < 0:
            return Breach({**facts, "why": tr("there is no bid yet")})
        place = words.index(word)
        if state.doubled > place:
            return Breach(
                {**facts, "why": tr("the bid was doubled {times}", times=times(state.doubled))}
            )
        if state.doubled < place:
            return Breach(
                {**facts, "why": tr("{word} comes first", word=rules.spoken(words[place - 1]))}
            )
        with_them = place % 2 == 1
        bidder = rnd.names[state.best]
        facts["why"] = (
            tr("the bid is {who}'s, and only their side may", who=bidder)
            if with_them
            else tr("the bid is {who}'s, and only the other side may", who=bidder)
        )
        same = same_side(rnd, seat, state.best)
        if same is None:
            return _on_side(rnd, seat, state.best, with_them, facts)
        return None if same == with_them else Breach(facts)

    return judge


def _on_side(rnd: Joint, seat: int, bidder: int, with_them: bool, facts: Facts) -> Outcome:
    """What being on the bidder's side, or not, needs of a hand, where cards make the sides."""
    parties = rnd.require_parties()
    if not parties.by_cards or parties.of(bidder) != DECLARING or parties.before[seat]:
        return Unsure(facts)
    most = parties.copies if with_them else 0
    return Claim(seat, parties.mask, int(with_them), most, facts)


# --- contracts, their options and cards


@clause(
    "offered",
    "auction",
    on=ON_BIDS,
    say=mark("{who} may not play {contract} now"),
    doc="A contract may be bid or named only where its `when` holds.",
)
def _offered(row: Row, rules: Rules) -> Judge:
    contracts = rules.phase(Auction).contracts

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        name = offer_of(entry).contract
        if not name or contracts.when[name].of(rnd, entry):
            return None
        return Breach({"contract": rules.spoken(name), "who": rnd.names[_declarer_of(entry)]})

    return judge


@clause(
    "optional",
    "auction",
    on=ON_BIDS,
    say=mark("{option} may not be said {why}"),
    doc="An option goes with the contracts of its `with`, and may be said where its `when` holds.",
)
def _optional(row: Row, rules: Rules) -> Judge:
    contracts = rules.phase(Auction).contracts

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        offer = offer_of(entry)
        for option in contracts.with_implied(offer):
            said = rules.spoken(option)
            if not contracts.takes(option, offer.contract):
                why = tr("with {contract}", contract=rules.spoken(offer.contract))
                return Breach({"option": said, "why": why})
            if not contracts.option_when[option].of(rnd, entry):
                say = mark("{option} may not be said now")
                return Breach({"option": said, "why": tr("now")}, say)
        return None

    return judge


@clause(
    "needs",
    "auction",
    on=ON_BIDS,
    say=mark("{who} may play {wish} only with {wanted}"),
    unknown=mark("{who} plays {wish}; nobody knows whether they hold {wanted}"),
    proven=mark("{who} played {wish} without {wanted} ({first}, {then})"),
    doc="A contract's `needs`, of the hand as it was dealt.",
)
def _needs(row: Row, rules: Rules) -> Judge:
    contracts = rules.phase(Auction).contracts

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        name, seat = offer_of(entry).contract, _declarer_of(entry)
        facts = {"wish": rules.spoken(name), "who": rnd.names[seat]}
        return contracts.asked(rnd, seat, name, facts)

    return judge


@clause(
    "called",
    "auction",
    on=ON_BIDS,
    say=mark("{who} may not call {card}: {why}"),
    unknown=mark("{who} calls {card}; nobody knows whether they may"),
    proven=mark("{who} might not call {card}: {why} ({first}, {then})"),
    doc="A card that is called is one of the contract's `calls`; who calls it has another card of"
    " its class, and does not hold it.",
    parameters={
        "suit": Parameter("bool", "whether another card of its class must be held", True),
        "held": Parameter("bool", "whether the card may be held", False),
    },
)
def _called(row: Row, rules: Rules) -> Judge:
    contracts, pack = rules.phase(Auction).contracts, rules.pack
    wanted = [mark("another card of its suit")] if row["suit"] else []
    wanted += [] if row["held"] else [mark("not the card itself")]

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        offer, seat = offer_of(entry), _declarer_of(entry)
        for kind in offer.cards:
            why = tr("who does has {what}", what=listed([tr(each) for each in wanted]))
            facts = {"who": rnd.names[seat], "card": pack.kinds[kind], "why": why}
            may = contracts.called_with(pack, offer.contract)
            if kind not in may:
                legal = [pack.kinds[each] for each in may]
                return Breach(
                    {**facts, "legal": legal, "why": tr("only {legal}", legal=listed(legal, "or"))}
                )
            own = pack.column[kind]
            others = contracts.suit_of(rules, offer.contract, kind) & ~own
            claims = [Claim(seat, others, 1, pack.total)] if row["suit"] else []
            claims += [] if row["held"] else [Claim(seat, own, 0, 0)]
            if claims and rnd.hands.size(seat) < rules.deal_size(len(rnd.seats)):
                return Unsure(facts)
            if not row["held"] and rnd.hands.bounds(seat, own)[0]:
                return Breach({**facts, "why": tr("they hold it")})
            if row["suit"] and not rnd.hands.bounds(seat, others)[1]:
                return Breach({**facts, "why": tr("they have no other card of its suit")})
            return AllOf(tuple(claims), facts) if claims else None
        return None

    return judge
