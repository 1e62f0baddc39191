"""The course of bidding: what is said, and what comes of it. Part of auction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import tr
from scorekeeper.notation import Entry
from scorekeeper.phases.auction import sides, telling, verbs
from scorekeeper.phases.auction.contracts import Contracts
from scorekeeper.phases.auction.keys import FINAL, LEFT, PARAMETERS, SECTIONS
from scorekeeper.phases.auction.saying import Saying
from scorekeeper.phases.auction.state import State
from scorekeeper.phases.auction.turns import EACH, Turns
from scorekeeper.ruleset.offers import offer_of
from scorekeeper.ruleset.phase import BID, OWN, Measure, Phase, actor_of
from scorekeeper.ruleset.splits import Split
from scorekeeper.ruleset.subjects import seats_of
from scorekeeper.ruleset.tables import DEALING, SAME
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scorekeeper.core.types import Json, Row
    from scorekeeper.notation.entry import Verb
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Reader
    from scorekeeper.ruleset.shared import Offer, Start


def _bid_by(rnd: Joint, subject: object) -> int:
    """The number that a player has bid last; of several, the sum."""
    state = rnd.state_if_begun(rnd.rules.phase(Auction))
    bids = state.bids if state is not None else {}
    return sum([bids[seat].number or 0 for seat in seats_of(subject) if seat in bids])


def _of(read: Callable[[Auction, State], float]) -> Reader:
    """A measure of the bidding; 0 before its time."""

    def measure(rnd: Joint, _: object) -> float:
        auction = rnd.rules.phase(Auction)
        state = rnd.state_if_begun(auction)
        return read(auction, state) if state is not None else 0

    return measure


def _is_turned(rnd: Joint, entry: Entry) -> bool:
    return rnd.rules.phase(Auction).contracts.is_turned(entry, rnd.shared.offered)


def _total(_: Auction, state: State) -> int:
    return sum(offer.number or 0 for offer in state.bids.values())


def _is_last(auction: Auction, state: State) -> bool:
    return auction.turns.is_last(state)


@phase
class Auction(Phase[State]):
    """Who bids, whose bid stands, and what is played then."""

    name = verbs.NAME
    doc = (
        "Everyone bids in turn: a number, a contract, or both; whose bid is the highest declares."
        " Binds `contract`, `declarer`, `order`, `trump`, with what was said; where bids are"
        " numbers alone, the phase `naming` has the declarer name the contract."
    )
    parameters = PARAMETERS
    sections = SECTIONS
    verbs: tuple[Verb, ...] = verbs.EVERY
    measures = (
        Measure(
            "auction.bid", "the number of the bid that stands", _of(lambda _, s: telling.bid(s))
        ),
        Measure("auction.round", "how often they were asked, from 1", _of(lambda _, s: s.number)),
        Measure("auction.doubled", "how often that bid was doubled", _of(lambda _, s: s.doubled)),
        Measure("auction.total", "the sum of the numbers that were named", _of(_total)),
        Measure(
            "auction.last",
            "whether all others have passed, or spoken where each speaks once, and none has bid",
            _of(_is_last),
        ),
        Measure("bid.number", "the number that is bid", lambda _, e: offer_of(e).number or 0, BID),
        Measure(
            "contract.turned", "whether the trump of what is bid was turned up", _is_turned, BID
        ),
        Measure("own.bid", "the number that a player has bid last", _bid_by, OWN),
    )
    roles = sides.ROLES
    reports = {
        "contract": "what was played",
        "options": "what was said with it",
        "called": "the card that was called with it",
        "declarer": "who declared it",
        "bid": "the bid that stood",
        "doubled": "how often it was doubled",
        "player.bid": "the number that a player named",
    }
    named = ("declarer",)

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        self.contracts = Contracts(rules, row)
        self.turns = Turns(row["turns"], row["passing"] == FINAL, row["doubling"] == verbs.ENDS)
        self.verbs = tuple(verbs.verbs_of(row, self.contracts))
        self.numbers = self.contracts.bids.steps
        self.saying = Saying(self, self.contracts, self.turns)
        self.shorts = (verbs.short_bid(self.contracts),)
        self.acts: dict[str, Callable[[Joint, State, Entry], None]] = {
            verbs.TO_BID: self._bid,
            verbs.HOLD: self._hold,
            verbs.PASS: self._pass,
            **dict.fromkeys(row["doubles"], self._double),
        }
        self.has_parties = rules.has("parties")

    def link(self) -> None:
        self.contracts.link(self.rules)
        nobody, known = self.row["nobody"], (*DEALING, *self.contracts.rows)
        if nobody and nobody not in known:
            where, allowed = "phases.auction.nobody", ", ".join(known)
            message = f"{where} names no contract: {nobody}"
            if nobody == "again":
                message = f"{where}: who dealt deals again with “{SAME}”, or by deal.after_void"
            self.rules.fault(where, nobody, allowed, message)
        if len({verb.word for verb in self.verbs}) < len(self.verbs):
            where, found = "phases.auction.doubles", ", ".join(self.row["doubles"])
            self.rules.fault(
                where,
                found,
                "other words",
                f"{where}: a word has a meaning already",
            )

    # --- what the ruleset may name

    def named_measures(self) -> Iterator[Measure]:
        yield from self.measures
        yield from self.contracts.measures()
        yield from self.contracts.bid_measures()

    def role_names(self) -> Iterable[str]:
        return self.roles if self._has_roles else ()

    @property
    def _has_roles(self) -> bool:
        return not self.has_parties and self.row["turns"] != EACH

    def splits(self, split: Split, seats: int) -> Iterator[Split]:
        if not self._has_roles:
            yield split
            return
        number = int(self.rules.sides["number"])
        size = self.rules.side_size(seats) if number else 1
        both = (tuple(range(size)), tuple(range(size, seats)))
        roles = {role: (role, own) for role, own in zip(self.roles, both, strict=True)}
        yield split.also(f"{size} declaring", roles)

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        return self.contracts.pattern_names()

    def result_names(self) -> Iterable[str]:
        return (sides.DECLARER,)

    def words(self) -> Iterable[tuple[str, str]]:
        for name, row in self.contracts.rows.items():
            yield name, name
            if row["short"]:
                yield name, row["short"]
        yield from ((name, name) for name in self.contracts.options)

    # --- who speaks

    def begin(self, rnd: Joint) -> State:
        state = State(self._order(rnd))
        if rnd.start.contract is not None:
            self._declared(rnd, state, *rnd.start.contract)
        return state

    def _order(self, rnd: Joint) -> list[int]:
        seat = rnd.leader
        if rnd.rules.deal["dealt"]:
            seat = rnd.dealer
            if self.row["first"] == LEFT or seat not in rnd.seats:
                seat = rnd.after(seat, rnd.step)
        order = []
        for _ in rnd.seats:
            order.append(seat)
            seat = rnd.after(seat, rnd.step)
        return order

    def _declared(self, rnd: Joint, state: State, seat: int, offer: Offer) -> None:
        """It was said who plays what: nobody bids."""
        if seat not in rnd.seats:
            rnd.sits_out(seat, tr("declares nothing"))
            return
        if self.contracts.rows[offer.contract]["annuls"]:
            raise Impossible(
                tr("{contract} is not played: the deal is void", contract=offer.contract),
                "void why",
            )
        state.best, state.decided = seat, True
        state.bids[seat] = self.contracts.bid_in(offer)
        self.contracts.settle(rnd, seat, offer)
        self._give_roles(rnd)

    def finished(self, rnd: Joint) -> bool:
        return rnd.state(self).decided

    def waiting(self, rnd: Joint) -> list[int]:
        return self.turns.due(rnd.state(self))

    def allows_out_of_phase(self, rnd: Joint, entry: Entry) -> bool:
        """Return whether a bid may be doubled still, where that is not done in turn, or whether it
        is said by who could say nothing but pass (see `State.idle`). Until a card is laid."""
        state = rnd.state_if_begun(self)
        if state is None or not state.decided or rnd.over or rnd.play_begun():
            return False
        if entry.verb.word in (verbs.TO_BID, verbs.PASS):
            return bool(state.idle) and entry.seat in (None, state.idle[0])
        return entry.verb.word in self.row["doubles"] and not entry.verb.turn

    def actor(self, rnd: Joint, entry: Entry) -> int | None:
        """Return who speaks after an auction in which nobody could say anything but pass."""
        idle = rnd.state(self).idle
        return idle[0] if idle else None

    def readings(self, rnd: Joint, entry: Entry) -> Iterator[Entry]:
        """Yield the bids that a text may stand for while bids are made: one without its word, one
        without its number where contracts are named, a card that looks like a bid."""
        if not rnd.is_current(self) or self.finished(rnd):
            return
        seat = self.waiting(rnd)[0] if entry.seat is None else entry.seat
        for offer in self.contracts.meant(rnd, entry, self.shorts[0]):
            yield Entry(self.verbs[0], seat, offer)

    def prompt(self, rnd: Joint) -> str:
        state = rnd.state(self)
        seat = self.turns.due(state)[0]
        return telling.prompt(rnd, state, seat, self.row, self.saying.choice(rnd, seat))

    def options(self, rnd: Joint) -> Iterator[Entry]:
        state = rnd.state(self)
        for seat in self.waiting(rnd):
            for verb in self.verbs:
                if verb.word == verbs.TO_BID:
                    yield from (
                        Entry(verb, seat, offer)
                        for offer in self.contracts.all_bids(rnd.rules.pack)
                    )
                elif verb.word in (verbs.HOLD, verbs.PASS):
                    yield Entry(verb, seat, None)
        yield from self._doublings(state)

    def _doublings(self, state: State) -> Iterator[Entry]:
        for verb in self.verbs:
            if verb.word in self.row["doubles"] and state.best >= 0:
                yield from (Entry(verb, seat, None) for seat in state.order)

    def options_out_of_phase(self, rnd: Joint) -> Iterator[Entry]:
        state = rnd.state_if_begun(self)
        if state is not None and state.decided and not rnd.play_begun():
            yield from self._doublings(state)

    def from_hand(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        return ()

    # --- what happens

    def apply(self, rnd: Joint, entry: Entry) -> None:
        if entry.verb.word == verbs.CONTRACT:
            rnd.place(entry.verb.word, rnd.start._replace(contract=entry.value))
        else:
            self._speak(rnd, rnd.state(self), entry)

    def _speak(self, rnd: Joint, state: State, entry: Entry) -> None:
        seat = actor_of(entry)
        late = state.decided and entry.verb.word not in self.row["doubles"]
        idle = entry.verb.word == verbs.PASS and self.allows_out_of_phase(rnd, entry)
        if late and not idle:
            raise Impossible(
                tr("“{text}”: the bidding is over", text=entry.text), tr("undo, or amend")
            )
        self.acts[entry.verb.word](rnd, state, entry)
        state.said.append((seat, entry.text.partition(":")[2].strip()))
        state.last = seat
        if late:
            del state.idle[0]
        elif not state.decided:
            state.idle = [] if self.turns.over(state) else self.saying.idle_passes(rnd, state)
            if state.idle or self.turns.over(state):
                self._decide(rnd, state)

    def _bid(self, rnd: Joint, state: State, entry: Entry) -> None:
        offer: Offer = entry.value
        higher = self.contracts.is_higher(offer, state.standing)
        self.turns.bid(state, actor_of(entry), offer, higher)

    def _hold(self, rnd: Joint, state: State, entry: Entry) -> None:
        if state.best < 0:
            raise Impossible(tr("“{text}”: there is no bid yet", text=entry.text))
        self.turns.hold(state, actor_of(entry))

    def _pass(self, rnd: Joint, state: State, entry: Entry) -> None:
        self.turns.give_up(state, actor_of(entry))

    def _double(self, rnd: Joint, state: State, entry: Entry) -> None:
        if state.best < 0:
            raise Impossible(tr("“{text}”: there is no bid yet", text=entry.text))
        self.turns.double(state, actor_of(entry))

    def _decide(self, rnd: Joint, state: State) -> None:
        """Nobody bids any more."""
        offer = state.standing
        if self.row["turns"] == EACH:
            state.decided = True
        elif offer is not None:
            state.decided = True
            self.contracts.declare(rnd, state.best)
            if offer.contract:
                self.contracts.settle(rnd, state.best, offer)
        elif state.number < self.row["rounds"]:
            state.ask_again()
        else:
            state.decided = True
            self._play_without_bid(rnd)
        self._give_roles(rnd)
        if rnd.void:
            rnd.finish()

    def _play_without_bid(self, rnd: Joint) -> None:
        nobody = self.row["nobody"]
        if nobody in self.contracts.rows:
            self.contracts.play(rnd, nobody, -1)
            return
        rnd.void, rnd.deals_next = True, nobody

    def after_trick(self, rnd: Joint) -> None:
        """A declarer who has found no partner plays another contract."""
        if rnd.parties is not None and rnd.parties.found == rnd.tricks[-1].number:
            self.contracts.change_if_alone(rnd)

    def start_as_it_stands(self, rnd: Joint, start: Start) -> Start:
        return start._replace(contract=rnd.start.contract)

    def _give_roles(self, rnd: Joint) -> None:
        """It is known who declares: so is who plays with them, and who against."""
        if self._has_roles and rnd.shared.declarer >= 0:
            for role in self.roles:
                rnd.roles[role] = sides.role_of(rnd, role)

    # --- results

    def read_result(self, rnd: Joint, said: dict[str, str]) -> None:
        from scorekeeper.phases.auction import results

        results.read(rnd, rnd.state(self), self.contracts, said)
        self._give_roles(rnd)

    def after_result_read(self, rnd: Joint) -> None:
        from scorekeeper.phases.auction import results

        results.infer_what_was_said(rnd, rnd.state(self))

    def fields(self, rnd: Joint) -> list[tuple[str, str, list[str]]]:
        from scorekeeper.phases.auction import results

        return results.fields(rnd, self.contracts)

    # --- what is told

    def describe(self, rnd: Joint) -> Json:
        return telling.described(rnd, rnd.state_if_begun(self))

    def on_table(self, rnd: Joint) -> Iterator[str]:
        for said in self.describe(rnd).get("table", ()):
            yield f"{said['who']}: {said['says']}"

    def sentences(self, rnd: Joint) -> Iterator[str]:
        state = rnd.state_if_begun(self)
        return telling.sentences(rnd, state) if state is not None else iter(())

    def summary(self, rnd: Joint) -> Json:
        return telling.summary(rnd, rnd.state_if_begun(self))
