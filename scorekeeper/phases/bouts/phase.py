"""The phase of bouts: whose turn it is, and which acts are possible."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.expressions import TRUTH
from scorekeeper.core.messages import N_, format_quoted, join_list, tr
from scorekeeper.engine.findings import broken_rules
from scorekeeper.engine.phase import (
    Measure,
    Phase,
    ResultPart,
    RoleSplit,
    View,
    actor_of,
    remaining_seats,
)
from scorekeeper.engine.setup import check_leader_has_cards
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import SHORT_CARD
from scorekeeper.phases.bouts import acts, state
from scorekeeper.phases.bouts.acts import ACTS, FACTS, LOSER_KEY, require_not_put_back
from scorekeeper.phases.bouts.state import (
    ADD,
    ATTACK,
    COVER,
    COVERING,
    DRAW,
    LAYING_ENTRIES,
    NAME,
    PARAMETERS,
    PASS,
    TAKE,
    TRANSFER,
    TRUMP,
    TURNUP,
    VERBS,
    BoutSettings,
    State,
    attacks_left,
    cards_by_seat,
    count_deals,
    each_card,
)
from scorekeeper.phases.bouts.view import view
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from scorekeeper.core.types import Json, Rng, Row
    from scorekeeper.engine.phase import Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.state import Setup
    from scorekeeper.phases.bouts.state import Laid


# Only this many two-card attacks are checked. If there are more, one of them is assumed to be
# legal.
MAX_TRIED = 100


def _state_measure(read: Callable[[State], float]) -> Reader:
    """Return a function that computes a measure from the current state or from a given state."""

    def measure(rnd: Round, subject: object) -> float:
        if isinstance(subject, State):
            return read(subject)
        return read(rnd.state(rnd.rules.phase(Bouts)))

    return measure


# The words that govern transfers. If the ruleset uses one of them, the rule against transfers does
# not apply.
TRANSFER_WORDS = frozenset(("before-cover", "led-rank", "one-card", "room-there"))


@phase
class Bouts(Phase[State], ResultPart):
    """Bouts of attacks and covers. The phase determines who attacks whom, who draws, who is out and
    who loses."""

    name = NAME
    family = N_("games of attack and defence")
    doc = (
        "Bouts of attacks and covers, with a leader, a defender, and others who add. Hands"
        " are filled up from a talon. When it is empty, a player without cards is out; the"
        " last one loses."
    )
    clause_order = (
        "roles one-rank at-once on-table answered room lies-open beats not-played "
        "before-cover led-rank one-card room-there take-stands something-open may-pass held "
        "may-draw returned trump-suit turned-back lowest-leads"
    )
    standard_words = (
        "roles one-rank on-table room lies-open beats not-played take-stands "
        "something-open may-pass held may-draw"
    )
    judged = {
        "held": ("attack", "cover", "transfer", "together"),
        "not-played": ("transfer",),
        "one-card": ("transfer",),
    }
    tables = ("pack", "deal")
    only = True
    concludes = True
    parameters = PARAMETERS
    roles = ("losers",)
    reports = {
        "out": "who went out, in that order",
        "losers": "who lost",
        "draw": "whether the deal was a draw",
        "bouts": "how many bouts were played",
        "player.first": "1 for the player who went out first",
    }
    player_reports = ("out", "losers")
    entry_types = VERBS
    shorthands = (SHORT_CARD,)
    measures = (
        Measure(
            "attacks",
            "how many attacks are on the table",
            _state_measure(lambda st: len(st.attacks)),
        ),
        Measure(
            "attacks.open",
            "how many of the attacks are open",
            _state_measure(lambda st: st.open_count),
        ),
        Measure(
            "attacks.limit",
            "the highest number of attacks allowed in this bout",
            _state_measure(lambda st: st.limit),
        ),
        Measure(
            "taking",
            "whether the defender takes",
            _state_measure(lambda st: st.is_taking),
            kind=TRUTH,
        ),
        Measure("talon", "cards to be drawn", _state_measure(lambda st: st.talon)),
        Measure(
            "bouts",
            "how many bouts are finished (one more in a deal that began midway)",
            _state_measure(lambda st: st.bouts + st.earlier_bouts),
        ),
        Measure(
            "deals", "deals played so far, void ones not counted", lambda rnd, _: count_deals(rnd)
        ),
    )

    @classmethod
    def idle_words(cls, row: Row, data: Row) -> Collection[str]:
        return ("not-played",) if TRANSFER_WORDS.intersection(row) else ()

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.settings = BoutSettings(row, rules.pack)

    def link(self) -> None:
        self.settings.link(self.rules)

    def words(self) -> Iterable[tuple[str, str]]:
        yield ATTACK.word, ADD

    # --- start

    def begin(self, rnd: Round) -> State:
        return acts.deal(self.settings, rnd)

    def as_setup(self, rnd: Round, start: Setup) -> Setup:
        st = rnd.state_if_begun(self)
        if not rnd.acted or st is None:
            return start
        trump = (st.trump or None) if st.turned is None else None
        return start._replace(stock=st.talon, turned=st.turned, trump=trump)

    def check_start(self, rnd: Round) -> None:
        """Add a note about the hands and the talon, unless the deal starts as usual."""
        st = rnd.state(self)
        if not st.is_over:
            check_leader_has_cards(rnd, st.leader)
        noted = acts.describe_position(rnd, st)
        if noted is not None:
            rnd.add_note(f"{self.name}.position", *noted, self.cite)

    def play_begun(self, rnd: Round) -> bool:
        st = rnd.state_if_begun(self)
        return st is not None and bool(st.attacks or st.bouts)

    # --- turns

    def finished(self, rnd: Round) -> bool:
        return rnd.state(self).is_over

    def waiting(self, rnd: Round) -> list[int]:
        return state.waiting_seats(rnd, rnd.state(self))

    def acting_seat(self, rnd: Round, entry: Entry) -> int | None:
        st = rnd.state(self)
        if entry.type is not ATTACK:
            return st.defender
        if len(st.possible_leaders) > 1:
            names = join_list(rnd.names_of(st.possible_leaders), "or")
            raise Unreadable(
                tr("who leads? it may be {names}", names=names), tr("enter the leader: lead NAME")
            )
        if not st.attacks:
            return None
        adders = rnd.names_of(st.attackers)
        cards = " ".join(rnd.rules.pack.kinds[kind] for kind in entry.value)
        act = cards if len(entry.value) == 1 else f"{rnd.rules.translate_word('attack')} {cards}"
        raise Unreadable(
            tr("who adds these cards? it may be {names}", names=join_list(adders)),
            tr(
                "type {forms}",
                forms=join_list([format_quoted(f"{name}: {act}") for name in adders], "or"),
            ),
        )

    def interpret(self, rnd: Round, entry: Entry) -> Iterable[Entry]:
        st = rnd.state_if_begun(self)
        if entry.type not in (SHORT_CARD, COVERING) or st is None or st.is_over:
            return ()
        seat = entry.seat
        if seat is None and entry.type is SHORT_CARD and not st.must_answer():
            seat = self.acting_seat(rnd, Entry(ATTACK, None, entry.value))
        return _interpret_cards(rnd, st, entry, seat)

    def may_act(self, rnd: Round, entry: Entry) -> bool:
        st = rnd.state(self)
        if st.attacks:
            if entry.type is ATTACK:
                if entry.seat in st.attackers:
                    return True
            elif entry.seat == st.defender:
                return True
        return super().may_act(rnd, entry)

    def everyone(self, rnd: Round, entry: Entry) -> list[int]:
        st = rnd.state(self)
        return state.possible_adders(rnd, st) if st.attacks and not st.is_over else []

    # --- acts

    def options(self, rnd: Round) -> Iterator[Entry]:
        """Yield acts that may be legal now, for every player who may act."""
        terms, st = self.settings, rnd.state(self)
        if not st.attacks:
            if st.leader != st.defender:
                for seat in st.possible_leaders or [st.leader]:
                    yield from _attack_options(terms, rnd, st, seat)
            return
        yield from _defence_options(rnd, st)
        for seat in st.attackers:
            yield from _attack_options(terms, rnd, st, seat)
            yield Entry(PASS, seat, None)

    def fill(self, rnd: Round, entry: Entry, rng: Rng) -> Entry | None:
        """Return an attack with several random cards, or None if the seat cannot play several."""
        terms, st, seat = self.settings, rnd.state(self), actor_of(entry)
        most = _max_cards(terms, rnd, st, seat)
        found = [
            kinds for kinds in _attack_groups(terms, rnd, st, seat) if min(most, len(kinds)) > 1
        ]
        if not found:
            return None
        kinds = rng.choice(found)
        number = rng.randint(2, min(most, len(kinds)))
        return Entry(entry.type, seat, tuple(sorted(rng.sample(kinds, number))))

    def chance(self, rnd: Round, rng: Rng) -> Iterator[Entry]:
        """Yield the card that shows the trump, or the cards drawn after a bout."""
        st, pack = rnd.state(self), rnd.rules.pack
        stock = pack.kinds_in(rnd.hands.unseen)
        if not st.trump and not rnd.acted:
            left = [kind for kind in stock if kind not in rnd.setup.returned]
            shown = left if st.talon else pack.kinds_in(rnd.hands.known[rnd.seating.dealer])
            if shown and (st.talon or self.row["shown"] == "dealer"):
                yield Entry(TURNUP, None, (rng.choice(shown),))
            else:
                yield Entry(TRUMP, None, rng.choice(pack.suits))
        for seat, drawn in st.owed_draws.items():
            unnamed = drawn.unnamed - (drawn.turned is not None)
            if unnamed > 0 and not drawn.shown:
                yield Entry(DRAW, seat, tuple(rng.sample(stock, unnamed)))

    def apply(self, rnd: Round, entry: Entry) -> None:
        word = entry.type.word
        if word in FACTS and not (rnd.acted and word in ACTS):
            FACTS[word](self.settings, rnd, entry)
        else:
            ACTS[word](self.settings, rnd, rnd.state(self), entry)

    def hand_cards(self, entry: Entry) -> Laid:
        return cards_by_seat(entry)

    def seen_cards(self, rnd: Round, entry: Entry) -> Laid:
        if entry.type not in LAYING_ENTRIES:
            return ()
        st = rnd.state(self)
        for seat, kind in each_card(entry):
            require_not_put_back(rnd, st, seat, kind)
        return cards_by_seat(entry)

    # --- results, and the next deal

    def result_names(self) -> Iterable[str]:
        return (LOSER_KEY,)

    def splits(self, split: RoleSplit, seats: int) -> Iterator[RoleSplit]:
        yield split
        losers = tuple(range(self.rules.side_size(seats)))
        yield split.add(
            f"{len(losers)} of {seats} lose",
            {"losers": ("losers", losers)},
        )

    def conclude(self, rnd: Round, result: dict[str, str]) -> None:
        acts.conclude(self.settings, rnd, rnd.state(self), result)

    def confirms(self, rnd: Round, result: dict[str, str]) -> bool:
        return acts.confirms(rnd, rnd.state(self), result)

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        return acts.fields(self.settings, rnd)

    def close(self, rnd: Round) -> None:
        acts.close(self.settings, rnd, rnd.state(self))

    def reseat(self, carried: Json, new_seats: Sequence[int | None], count: int) -> Json:
        return {**carried, "out": remaining_seats(carried.get("out", ()), new_seats)}

    def view(self, rnd: Round) -> View[object]:
        state = rnd.state_if_begun(self)
        return View(None) if state is None else view(self.settings, rnd, state)


# --- possible acts, based on the table and the counts


def _interpret_cards(rnd: Round, st: State, entry: Entry, seat: int | None) -> Iterator[Entry]:
    """Yield the possible meanings of a card typed without a verb. It may be an attack. If the
    defender plays it, it may cover any open attack, or transfer attacks of its rank."""
    (kind,) = entry.value
    if not st.attacks and entry.type is not COVERING:
        yield Entry(ATTACK, st.leader if seat is None else seat, (kind,))
        return
    who = st.defender if seat is None else seat
    if who != st.defender and entry.type is not COVERING:
        yield Entry(ATTACK, who, (kind,))
        return
    for lying in st.open_attacks():
        yield Entry(COVER, who, (lying, kind))
    transfer = Entry(TRANSFER, who, (kind,))
    if entry.type is not COVERING and not broken_rules(rnd, transfer):
        yield transfer


def _defence_options(rnd: Round, st: State) -> Iterator[Entry]:
    defender = st.defender
    hand = _possible_cards(rnd, st, defender)
    for lying in st.open_attacks():
        for kind in hand:
            yield Entry(COVER, defender, (lying, kind))
    for kind in hand:
        yield Entry(TRANSFER, defender, (kind,))
    yield Entry(TAKE, defender, None)


def _attack_options(terms: BoutSettings, rnd: Round, st: State, seat: int) -> Iterator[Entry]:
    """Yield attacks with one card. If attacks with several cards may be legal, also yield an attack
    without cards, which represents them."""
    several: list[tuple[int, ...]] = []
    most = _max_cards(terms, rnd, st, seat)
    for kinds in _attack_groups(terms, rnd, st, seat) if most else ():
        yield from (Entry(ATTACK, seat, (kind,)) for kind in kinds)
        several += combinations(kinds, 2) if most > 1 else ()
    tried = (Entry(ATTACK, seat, cards) for cards in several[:MAX_TRIED])
    if len(several) > MAX_TRIED or any(not broken_rules(rnd, attack) for attack in tried):
        yield Entry(ATTACK, seat, ())


def _attack_groups(terms: BoutSettings, rnd: Round, st: State, seat: int) -> list[list[int]]:
    """Return the cards that the seat may attack with, in groups that may be played together."""
    hand = _possible_cards(rnd, st, seat)
    if st.attacks:
        return [[kind for kind in hand if st.ranks >> terms.rank[kind] & 1]]
    ranks = range(len(terms.ranks))
    return [[kind for kind in hand if terms.rank[kind] == rank] for rank in ranks]


def _max_cards(terms: BoutSettings, rnd: Round, st: State, seat: int) -> int:
    """Return the maximum number of cards that the seat may attack with at one time."""
    left = min(attacks_left(terms, rnd, st), rnd.hands.size(seat))
    return min(left, terms.max_at_once(rnd, st) or left)


def _possible_cards(rnd: Round, st: State, seat: int) -> list[int]:
    """Return the cards that the seat may hold."""
    can_hold = rnd.hands.can_hold
    kinds = range(rnd.rules.pack.kind_count)
    return [k for k in kinds if can_hold(seat, k) >= 0 and not st.is_put_back(seat, k)]
