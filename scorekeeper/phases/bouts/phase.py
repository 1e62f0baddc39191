"""The phase of bouts: whose turn it is, and which acts are possible."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import listed, tr
from scorekeeper.engine.findings import broken
from scorekeeper.engine.phase import Measure, Phase, ResultPart, Split, View, actor_of, staying
from scorekeeper.engine.setup import leads_with_cards
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import ONE_CARD
from scorekeeper.phases.bouts import acts, state
from scorekeeper.phases.bouts.acts import ACTS, FACTS, LOSER, check_not_put_back
from scorekeeper.phases.bouts.state import (
    ADD,
    ATTACK,
    COVER,
    COVERING,
    DRAW,
    LAYING,
    NAME,
    PARAMETERS,
    PASS,
    TAKE,
    TRANSFER,
    TRUMP,
    TURNUP,
    VERBS,
    State,
    Terms,
    cards_by_seat,
    deals_played,
    each_card,
    room,
)
from scorekeeper.phases.bouts.view import view
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scorekeeper.core.types import Json, Luck, Row
    from scorekeeper.engine.phase import Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.state import Setup
    from scorekeeper.phases.bouts.state import Laid


TRIED = 100  # the number of attacks with two cards to try; of more, one is assumed to be legal


def _of_state(read: Callable[[State], float]) -> Reader:
    """Return a measure of the state of the deal, or of a state that it is asked about."""

    def measure(rnd: Round, subject: object) -> float:
        if isinstance(subject, State):
            return read(subject)
        return read(rnd.state(rnd.rules.phase(Bouts)))

    return measure


@phase
class Bouts(Phase[State], ResultPart):
    """Bouts of attacks and covers: who attacks whom, who draws, who is out and who loses."""

    name = NAME
    doc = (
        "Bouts of attacks and covers: a leader, a defender, others who add; hands filled up from a"
        " talon; who has no cards when it is empty is out, who is left loses."
    )
    tables = ("pack", "deal")
    only = True
    concludes = True
    parameters = PARAMETERS
    roles = ("losers",)
    reports = {
        "out": "who went out, in that order",
        "losers": "who lost",
        "draw": "whether nobody lost",
        "bouts": "how many bouts were played",
        "player.first": "1 for who went out first",
    }
    named = ("out", "losers")
    verbs = VERBS
    shorts = (ONE_CARD,)
    measures = (
        Measure("laid", "how many attacks lie there", _of_state(lambda st: len(st.attacks))),
        Measure("open", "how many of them are not covered", _of_state(lambda st: st.open)),
        Measure("limit", "the most attacks of this bout", _of_state(lambda st: st.limit)),
        Measure("taking", "whether the defender takes", _of_state(lambda st: st.taking)),
        Measure("talon", "cards to be drawn", _of_state(lambda st: st.talon)),
        Measure(
            "bouts",
            "how many bouts are over (in a deal that began in the middle one more)",
            _of_state(lambda st: st.ended + st.before),
        ),
        Measure(
            "deals", "deals played so far, void ones not counted", lambda rnd, _: deals_played(rnd)
        ),
    )

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.terms = Terms(row, rules.pack)

    def link(self) -> None:
        self.terms.link(self.rules)

    def words(self) -> Iterable[tuple[str, str]]:
        yield ATTACK.word, ADD

    # --- the start

    def begin(self, rnd: Round) -> State:
        return acts.begin(self.terms, rnd)

    def start_as_it_stands(self, rnd: Round, start: Setup) -> Setup:
        st = rnd.state_if_begun(self)
        if not rnd.acted or st is None:
            return start
        trump = (st.trump or None) if st.turned is None else None
        return start._replace(stock=st.talon, turned=st.turned, trump=trump)

    def position(self, rnd: Round) -> None:
        """Note the hands and the talon, unless the deal is an ordinary one."""
        st = rnd.state(self)
        if not st.over:
            leads_with_cards(rnd, st.leader)
        noted = acts.position_noted(rnd, st)
        if noted is not None:
            rnd.remark(f"{self.name}.position", *noted, self.cite)

    def play_begun(self, rnd: Round) -> bool:
        st = rnd.state_if_begun(self)
        return st is not None and bool(st.attacks or st.ended)

    # --- whose turn

    def finished(self, rnd: Round) -> bool:
        return rnd.state(self).over

    def waiting(self, rnd: Round) -> list[int]:
        return state.waiting(rnd, rnd.state(self))

    def actor(self, rnd: Round, entry: Entry) -> int | None:
        st = rnd.state(self)
        if entry.verb is not ATTACK:
            return st.defender
        if len(st.may_lead) > 1:
            names = listed(rnd.names_of(st.may_lead), "or")
            raise Unreadable(
                tr("who leads? it may be {names}", names=names), tr("say it: lead NAME")
            )
        if not st.attacks:
            return None
        adders = rnd.names_of(st.attackers)
        cards = " ".join(rnd.rules.pack.kinds[kind] for kind in entry.value)
        act = cards if len(entry.value) == 1 else f"{rnd.rules.spoken('attack')} {cards}"
        raise Unreadable(
            tr("who adds these cards? {names} may", names=listed(adders)),
            tr("type {forms}", forms=listed([f"“{name}: {act}”" for name in adders], "or")),
        )

    def readings(self, rnd: Round, entry: Entry) -> Iterable[Entry]:
        st = rnd.state_if_begun(self)
        if entry.verb not in (ONE_CARD, COVERING) or st is None or st.over:
            return ()
        seat = entry.seat
        if seat is None and entry.verb is ONE_CARD and not st.answering():
            seat = self.actor(rnd, Entry(ATTACK, None, entry.value))
        return _readings(rnd, st, entry, seat)

    def may_act(self, rnd: Round, entry: Entry) -> bool:
        st = rnd.state(self)
        if st.attacks:
            if entry.verb is ATTACK:
                if entry.seat in st.attackers:
                    return True
            elif entry.seat == st.defender:
                return True
        return super().may_act(rnd, entry)

    def everyone(self, rnd: Round, entry: Entry) -> list[int]:
        st = rnd.state(self)
        return state.may_add(rnd, st) if st.attacks and not st.over else []

    # --- acts

    def options(self, rnd: Round) -> Iterator[Entry]:
        """Yield acts that may be legal now, for every player who may act."""
        terms, st = self.terms, rnd.state(self)
        if not st.attacks:
            if st.leader != st.defender:
                for seat in st.may_lead or [st.leader]:
                    yield from _attacks(terms, rnd, st, seat)
            return
        yield from _answers(rnd, st)
        for seat in st.attackers:
            yield from _attacks(terms, rnd, st, seat)
            yield Entry(PASS, seat, None)

    def filled(self, rnd: Round, entry: Entry, luck: Luck) -> Entry | None:
        """Return an attack without cards with some cards added, or None if none can be laid."""
        terms, st, seat = self.terms, rnd.state(self), actor_of(entry)
        most = _most(terms, rnd, st, seat)
        found = [kinds for kinds in _groups(terms, rnd, st, seat) if min(most, len(kinds)) > 1]
        if not found:
            return None
        kinds = luck.choice(found)
        number = luck.randint(2, min(most, len(kinds)))
        return Entry(entry.verb, seat, tuple(sorted(luck.sample(kinds, number))))

    def chance(self, rnd: Round, luck: Luck) -> Iterator[Entry]:
        """Yield the card that shows the trump, or cards that are drawn after a bout."""
        st, pack = rnd.state(self), rnd.rules.pack
        stock = pack.kinds_in(rnd.hands.unseen)
        if not st.trump and not rnd.acted:
            left = [kind for kind in stock if kind not in rnd.setup.returned]
            shown = left if st.talon else pack.kinds_in(rnd.hands.sure[rnd.seating.dealer])
            if shown and (st.talon or self.row["shown"] == "dealer"):
                yield Entry(TURNUP, None, (luck.choice(shown),))
            else:
                yield Entry(TRUMP, None, luck.choice(pack.suits))
        for seat, drawn in st.drawn.items():
            unnamed = drawn.left - (drawn.last is not None)
            if unnamed > 0 and not drawn.shown:
                yield Entry(DRAW, seat, tuple(luck.sample(stock, unnamed)))

    def apply(self, rnd: Round, entry: Entry) -> None:
        word = entry.verb.word
        if word in FACTS and not (rnd.acted and word in ACTS):
            FACTS[word](self.terms, rnd, entry)
        else:
            ACTS[word](self.terms, rnd, rnd.state(self), entry)

    def from_hand(self, entry: Entry) -> Laid:
        return cards_by_seat(entry)

    def shown(self, rnd: Round, entry: Entry) -> Laid:
        if entry.verb not in LAYING:
            return ()
        st = rnd.state(self)
        for seat, kind in each_card(entry):
            check_not_put_back(rnd, st, seat, kind)
        return cards_by_seat(entry)

    # --- results, and the next deal

    def result_names(self) -> Iterable[str]:
        return (LOSER,)

    def splits(self, split: Split, seats: int) -> Iterator[Split]:
        yield split
        losers = tuple(range(self.rules.side_size(seats)))
        yield split.also(
            f"{len(losers)} of {seats} lose",
            {"losers": ("losers", losers)},
        )

    def conclude(self, rnd: Round, said: dict[str, str]) -> None:
        acts.conclude(self.terms, rnd, rnd.state(self), said)

    def confirms(self, rnd: Round, said: dict[str, str]) -> bool:
        return acts.confirms(rnd, rnd.state(self), said)

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        return acts.fields(self.terms, rnd)

    def close(self, rnd: Round) -> None:
        acts.close(self.terms, rnd, rnd.state(self))

    def reseated(self, kept: Json, moved: Sequence[int | None], count: int) -> Json:
        return {**kept, "out": staying(kept.get("out", ()), moved)}

    def view(self, rnd: Round) -> View[object]:
        state = rnd.state_if_begun(self)
        return View(None) if state is None else view(self.terms, rnd, state)


# --- what may be laid, as far as table and counts go: the clauses judge the rest


def _readings(rnd: Round, st: State, entry: Entry, seat: int | None) -> Iterator[Entry]:
    """Yield what a card typed without a verb may mean. It is an attack, or by the defender a cover
    of each open attack, or a transfer of attacks of its rank."""
    (kind,) = entry.value
    if not st.attacks and entry.verb is not COVERING:
        yield Entry(ATTACK, st.leader if seat is None else seat, (kind,))
        return
    who = st.defender if seat is None else seat
    if who != st.defender and entry.verb is not COVERING:
        yield Entry(ATTACK, who, (kind,))
        return
    for lying in st.uncovered():
        yield Entry(COVER, who, (lying, kind))
    transfer = Entry(TRANSFER, who, (kind,))
    if entry.verb is not COVERING and not broken(rnd, transfer):
        yield transfer


def _answers(rnd: Round, st: State) -> Iterator[Entry]:
    defender = st.defender
    hand = _possible(rnd, st, defender)
    for lying in st.uncovered():
        for kind in hand:
            yield Entry(COVER, defender, (lying, kind))
    for kind in hand:
        yield Entry(TRANSFER, defender, (kind,))
    yield Entry(TAKE, defender, None)


def _attacks(terms: Terms, rnd: Round, st: State, seat: int) -> Iterator[Entry]:
    """Yield attacks with one card each. Several cards are one attack without its cards."""
    several: list[tuple[int, ...]] = []
    most = _most(terms, rnd, st, seat)
    for kinds in _groups(terms, rnd, st, seat) if most else ():
        yield from (Entry(ATTACK, seat, (kind,)) for kind in kinds)
        several += combinations(kinds, 2) if most > 1 else ()
    tried = (Entry(ATTACK, seat, cards) for cards in several[:TRIED])
    if len(several) > TRIED or any(not broken(rnd, attack) for attack in tried):
        yield Entry(ATTACK, seat, ())


def _groups(terms: Terms, rnd: Round, st: State, seat: int) -> list[list[int]]:
    """Return the cards that the seat may attack with, in groups that may be laid together."""
    hand = _possible(rnd, st, seat)
    if st.attacks:
        return [[kind for kind in hand if st.ranks >> terms.rank[kind] & 1]]
    ranks = range(len(terms.ranks))
    return [[kind for kind in hand if terms.rank[kind] == rank] for rank in ranks]


def _most(terms: Terms, rnd: Round, st: State, seat: int) -> int:
    """Return the maximum of cards that the seat may attack with at a time."""
    left = min(room(terms, rnd, st), rnd.hands.size(seat))
    return min(left, terms.at_once(rnd, st) or left)


def _possible(rnd: Round, st: State, seat: int) -> list[int]:
    """Return the cards that the seat may hold."""
    can_hold = rnd.hands.can_hold
    kinds = range(rnd.rules.pack.size)
    return [k for k in kinds if can_hold(seat, k) >= 0 and not st.put_back(seat, k)]
