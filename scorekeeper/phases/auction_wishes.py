"""The auction of wishes: each player in turn chooses the ordinary game or makes a reservation.

The strongest wish becomes the contract. This module contains the phase and its clauses; wishes and
their ranking are in `auction_wishes_state`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import TRUTH
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import N_, join_list, plural, tr
from scorekeeper.engine.contracts import CONTRACT, NEEDS
from scorekeeper.engine.phase import (
    ContractRules,
    Coverage,
    Interruptible,
    Measure,
    Phase,
    ResultPart,
    actor_of,
    remaining_seats,
)
from scorekeeper.notation import EVERYONE, Entry
from scorekeeper.notation.entry import Actor, EntryType
from scorekeeper.phases import auction_wishes_state
from scorekeeper.phases.auction_wishes_state import (
    NAME,
    ORDINARY,
    PARAMETERS,
    RESERVED,
    VOLUNTARY,
    WHERE,
    WISHES,
    RankedWishes,
    State,
    Wish,
    WishesView,
    WishSyntax,
    count_deals,
    seats_without_debt,
    translate_words,
)
from scorekeeper.ruleset.tables import SAME
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Json, Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset

JUST_ORDINARY = Wish(ORDINARY)
BINDING_CLAUSE = "binding"
RESERVE_TYPE = ("reserve",)


def _reserve_type(syntax: WishSyntax) -> EntryType:
    """Return the entry type of a reservation. Its words are read by `syntax`."""
    return EntryType(
        "reserve",
        syntax,
        N_("chooses the ordinary game, or makes a reservation"),
        by=Actor.TURN,
        for_all=True,
        is_implicit=True,
    )


def _is_declared(rnd: Round, _: object) -> bool:
    """Return whether the contract differs from the default contract, which is played if no player
    makes a reservation."""
    default: str = rnd.rules.phase(Wishes).contracts.default
    return (rnd.table.contract or default) != default


@phase
class Wishes(Phase[State], ContractRules, Interruptible, ResultPart, Coverage):
    """The auction in which each player names a wish once.

    The phase determines whose turn it is to speak, which wish wins, and which facts the contract
    sets.
    """

    name = NAME
    variant = WISHES
    doc = (
        "Beginning at the dealer's left, each player chooses the ordinary game or makes "
        "a reservation. The strongest wish is played. The phase binds `contract`, "
        "`declarer`, `order`, `raised`, `compulsory`."
    )
    clause_order = f"{NEEDS} kind raisable owed binding"
    standard_words = f"{NEEDS} kind raisable"
    tables = ("contracts",)
    others = ("parties", "tricks")
    parameters = PARAMETERS
    row_tables = {"contracts": CONTRACT}
    coverage_tables = ("contracts",)
    entry_types = (_reserve_type(WishSyntax((), (), ())),)
    measures = (
        Measure(
            "deals", "how many deals of the match have counted", lambda rnd, _: count_deals(rnd)
        ),
        Measure("contract.declared", "whether a player's wish is played", _is_declared, kind=TRUTH),
    )
    reports = {
        "contract": "the contract that was played",
        "player.solos_left": "the solos that a player still owes",
    }

    @classmethod
    def idle_words(cls, row: Row, data: Row) -> Collection[str]:
        contracts = data.get("contracts")
        rows = contracts.values() if isinstance(contracts, dict) else ()
        is_needed = any(isinstance(contract, dict) and "needs" in contract for contract in rows)
        return () if is_needed else (NEEDS,)

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.contracts = RankedWishes(rules, row)
        self.entry_types = (_reserve_type(self.contracts.syntax),)
        self.deals: Expression  # the number of deals of the match
        # the condition under which a statement can no longer be changed
        self.binding: Row | None = None

    def link(self) -> None:
        rows = self.rules.clause_rows(self.entry_types[0].word, BINDING_CLAUSE)
        self.binding = rows[0] if rows else None
        self.deals = self.rules.compile_expression(self.row["deals"], f"{WHERE}.deals", whole=True)
        self.contracts.link(self.rules)

    def named_measures(self) -> Iterable[Measure]:
        yield from self.measures
        yield from self.contracts.measures()

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        return self.contracts.pattern_names()

    def words(self) -> Iterable[tuple[str, str]]:
        yield from ((name, name) for name in self.contracts.rows)
        yield from ((word, word) for word in (ORDINARY, RESERVED, VOLUNTARY))

    # --- turns

    def begin(self, rnd: Round) -> State:
        seats = rnd.seats
        start = seats.index(rnd.seating.next_seat(rnd.seating.dealer))
        return State(seats[start:] + seats[:start], seats_without_debt(rnd), count_deals(rnd))

    def finished(self, rnd: Round) -> bool:
        return rnd.state(self).is_decided

    def waiting(self, rnd: Round) -> list[int]:
        state = rnd.state(self)
        for seat in state.order:
            if seat not in state.wishes_by_seat:
                return [seat]
        return [seat for seat in state.pending_seats if self.contracts.may_win(state, seat)][:1]

    def may_act(self, rnd: Round, entry: Entry) -> bool:
        """Return whether a player may speak. A player may name a reservation even if it can no
        longer win. A clause decides how long a statement may be changed."""
        state, seat = rnd.state(self), entry.seat
        if super().may_act(rnd, entry):
            return True
        if seat is None:
            return False
        if self.binding is not None and replaces_earlier(state, seat, entry.value):
            return seat not in state.pending_seats or not reason_binding(rnd, state, seat)
        if not state.all_spoken or seat not in state.pending_seats:
            return False
        return not self.contracts.may_win(state, seat)

    def may_act_early(self, rnd: Round, entry: Entry) -> bool:
        """Return whether a player may still name a losing reservation. This is possible until the
        first card is played. A clause decides how long a statement may be changed."""
        state, seat = rnd.state_if_begun(self), entry.seat
        wish: Wish = entry.value
        if state is None or seat is None:
            return False
        if self.binding is not None and replaces_earlier(state, seat, wish):
            return True
        return not rnd.play_begun() and seat in state.pending_seats and wish.names_contract

    def may_give_way(self, rnd: Round) -> bool:
        """Return whether no remaining wish can outrank the strongest one named so far."""
        if not self.row["cut_short"]:
            return False
        state = rnd.state(self)
        if not state.named_wishes():
            return False
        left = [
            seat
            for seat in state.order
            if seat not in state.wishes_by_seat or seat in state.pending_seats
        ]
        return not any(self.contracts.may_win(state, seat) for seat in left)

    def give_way(self, rnd: Round) -> bool:
        """End the phase early. Players who have not spoken are recorded as choosing the ordinary
        game, and unnamed reservations are ignored. Return whether the ruleset allows the phase to
        end early."""
        if not self.row["cut_short"]:
            return False
        left = self._decide_for_silent(rnd)
        if left:
            say = N_("{names} had not spoken, which counts as {ordinary}")
            facts = {"who": (names := rnd.names_of(left)), "names": join_list(names)}
            facts["ordinary"] = ordinary = rnd.rules.translate_word(ORDINARY)
            facts["counts_as"] = f"{rnd.rules.translate_word('all')}: {ordinary}"
            rnd.add_note("auction.cut-short", say, facts, self.cite)
        return True

    def _decide_for_silent(self, rnd: Round) -> list[int]:
        """Let the players who have not spoken choose the ordinary game, and set the contract.
        Return the seats of these players."""
        state = rnd.state(self)
        left = [seat for seat in state.order if seat not in state.wishes_by_seat]
        for seat in left:
            state.add_wish(seat, JUST_ORDINARY, max(0, len(rnd.log.entries) - 1))
        self._decide(rnd, state)
        return left

    def stop(self, rnd: Round) -> None:
        self._decide_for_silent(rnd)

    def everyone(self, rnd: Round, entry: Entry) -> list[int]:
        state, wish = rnd.state(self), entry.value
        if wish.kind != ORDINARY:
            return []
        return [seat for seat in state.order if seat not in state.wishes_by_seat]

    def options(self, rnd: Round) -> Iterator[Entry]:
        seat = self.waiting(rnd)[0]
        first = () if seat in rnd.state(self).pending_seats else (ORDINARY, RESERVED)
        for kind in (*first, *self.contracts.others):
            yield Entry(self.entry_types[0], seat, Wish(kind))
        for kind in self.contracts.others:
            for wish in self.contracts.wishes_with_words(kind):
                yield Entry(self.entry_types[0], seat, wish)

    def applied_rows(self, rnd: Round) -> Iterator[str]:
        state = rnd.state_if_begun(self)
        named = [wish.kind for _, wish in state.named_wishes()] if state is not None else []
        yield from (f"contracts.{name}" for name in {rnd.table.contract, *named} - {""})

    # --- course of a round

    def apply(self, rnd: Round, entry: Entry) -> None:
        state, seat, wish = rnd.state(self), actor_of(entry), entry.value
        if self.binding is not None and replaces_earlier(state, seat, wish):
            replace_earlier(rnd, self, entry, seat, self.binding["cite"])
            state = rnd.state(self)
        if rnd.decisions.withdrawn:
            speak_for_others(rnd, state, seat)
        if seat in state.pending_seats:
            state.pending_seats.remove(seat)
            state.named_seats.append(seat)
        elif seat in state.wishes_by_seat:
            raise Impossible(
                tr("{who} has already spoken", who=rnd.names[seat]),
                tr("undo or amend the earlier entry"),
            )
        elif wish.kind == RESERVED:
            state.pending_seats.append(seat)
        state.add_wish(seat, wish, len(rnd.log.entries))
        if not state.is_decided and state.all_spoken and not self.waiting(rnd):
            self._decide(rnd, state)

    def _decide(self, rnd: Round, state: State) -> None:
        """Make the strongest wish the contract once all players have spoken."""
        state.is_decided = True
        wishes = state.named_wishes()
        if not wishes:
            self.contracts.apply_contract(rnd, self.contracts.default, -1)
            return
        seat, wish = min(wishes, key=lambda each: self.contracts.rank_wish(state, *each))
        self.contracts.settle_wish(rnd, state, seat, wish)
        self.contracts.apply_contract(rnd, wish.kind, seat)
        if rnd.void:
            rnd.finish()

    def after_trick(self, rnd: Round) -> None:
        """Change the contract if the declarer turns out to play without a partner."""
        if rnd.sides is not None and rnd.sides.settled_after == rnd.tricks[-1].number:
            self.contracts.change_without_partner(rnd)

    def judge_needs(self, rnd: Round, entry: Entry, of: Sequence[str]) -> Outcome:
        name, seat = entry.value.kind, entry.seat
        if seat is None or (of and name not in of):
            return None
        facts = {"wish": translate_words(rnd.rules, [name])}
        return self.contracts.judge_condition(rnd, seat, name, facts)

    # --- between deals

    def count_deals_left(self, rnd: Round, counted: int) -> int:
        """Return how many deals of the match remain after `counted` deals."""
        return int(self.deals.value_or(rnd.reading())) - counted

    def seat_forced_to_play(self, rnd: Round) -> int | None:
        """Return the seat that must play its owed solo in this deal, or None."""
        if not self.contracts.compulsory:
            return None
        state = rnd.state(self)
        owing = len(rnd.names) - len(state.played_solos)
        if owing < self.count_deals_left(rnd, state.deals_counted):
            return None
        return next((seat for seat in state.order if seat not in state.played_solos), None)

    def reseat(self, carried: Json, new_seats: Sequence[int | None], count: int) -> Json:
        return {**carried, "played": remaining_seats(carried.get("played", ()), new_seats)}

    def close(self, rnd: Round) -> None:
        state = rnd.state_if_begun(self)
        if state is None or rnd.void:
            return
        was_forced = self.seat_forced_to_play(rnd) is not None
        if state.compulsory:
            state.played_solos.add(rnd.table.declarer)
            if not was_forced:
                rnd.deals_next = SAME
        deals = state.deals_counted + 1
        rnd.carry_over(self.name, {"played": sorted(state.played_solos), "deals": deals})
        if self.contracts.compulsory:
            self._warn(rnd, state, deals)

    def _warn(self, rnd: Round, state: State, deals: int) -> None:
        """Add a note if every remaining deal must be an owed solo."""
        owing = [name for seat, name in enumerate(rnd.names) if seat not in state.played_solos]
        if owing and len(owing) == self.count_deals_left(rnd, deals):
            one = N_(
                "{left} solo is owed and only {left} deal is left, so {names} must play it now"
            )
            several = N_(
                "{left} solos are owed and only {left} deals are left, so {names} must play"
                " them now"
            )
            say = one if len(owing) == 1 else several
            facts = {"left": len(owing), "owing": owing, "names": join_list(owing)}
            rnd.add_note("auction.owed", say, facts, self.cite)

    # --- results

    def read_result(self, rnd: Round, result: dict[str, str]) -> None:
        auction_wishes_state.read_result_words(rnd, rnd.state(self), self.contracts, result)

    def infer_from_result(self, rnd: Round) -> None:
        auction_wishes_state.infer_wishes(rnd, rnd.state(self), self.contracts)

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        return auction_wishes_state.result_fields(rnd, self.contracts)

    # --- view

    def _count_deals(self, rnd: Round) -> float:
        return self.deals.value_or(rnd.reading())

    def view(self, rnd: Round) -> WishesView:
        waiting = self.waiting(rnd) if rnd.is_current(self) else []
        state, compulsory = rnd.state_if_begun(self), self.contracts.compulsory
        return WishesView(rnd, state, waiting, self._count_deals, compulsory)


# --- changing a statement until it binds


def replaces_earlier(state: State, seat: int, wish: Wish) -> bool:
    """Return whether a wish replaces the seat's earlier wish. A wish that only names the contract
    of the seat's reservation does not replace it."""
    if state.wishes_by_seat.get(seat, wish) == wish:
        return False
    return not (seat in state.pending_seats and state.all_spoken and wish.names_contract)


def reason_binding(rnd: Round, state: State, seat: int) -> str:
    """Return the reason why the seat's statement can no longer be changed, or "" if it can be
    changed."""
    number = state.entry_numbers.get(seat, 0)
    for at, act in enumerate(rnd.log.entries[number:], number + 1):
        if act.type.is_table_entry or (act.seat == seat and act.type.word == "reserve"):
            continue
        if act.type.word != "reserve" or act.seat is None:
            return tr("“{text}” was entered later ({entry})", text=act.text, entry=at)
        who = state.latest_seat if act.seat == EVERYONE else act.seat
        return tr("{who} has spoken ({entry})", who=rnd.names[who], entry=at)
    if state.latest_seat != seat:  # one entry spoke for this seat and later ones
        return tr("{who} has spoken ({entry})", who=rnd.names[state.latest_seat], entry=number)
    return ""


def replace_earlier(rnd: Round, phase: Phase[State], entry: Entry, seat: int, cite: str) -> None:
    """Remove the seat's earlier statement as if it had never been made. Raise Impossible if a later
    entry depends on it."""
    state = rnd.state(phase)
    number, before = state.entry_numbers.get(seat, 0), state.wishes_by_seat[seat]
    since = rnd.log.entries[number:-1]
    if state.is_decided and any(
        not act.type.is_table_entry and act.type.word != "reserve" for act in since
    ):
        why = reason_binding(rnd, state, seat)
        hint = tr("undo the later entries, or enter “amend {number} ENTRY”", number=number)
        raise Impossible(
            tr(
                "“{text}”: {why}, and that depends on the earlier statement",
                text=entry.text,
                why=why,
            ),
            hint,
        )
    while seat in state.wishes_by_seat:
        rnd.replay_without({state.entry_numbers[seat]})
        state = rnd.state(phase)
        if seat in state.pending_seats:
            break
    said = {
        "before": translate_words(rnd.rules, before.words),
        "wish": translate_words(rnd.rules, entry.value.words),
    }
    facts = {"who": rnd.names[seat], **said, "entry": number}
    say = N_("{who} says {wish} instead of {before} ({entry})")
    rnd.add_note("auction.revised", say, facts, cite)


def speak_for_others(rnd: Round, state: State, seat: int) -> None:
    """Restore the statements of the other players after one player has changed a statement that was
    entered for several players at once."""
    taken = rnd.decisions.withdrawn
    for number, act in enumerate(rnd.log.entries, 1):
        if number in taken and act.type.word == "reserve" and act.seat == EVERYONE:
            for other in state.order:
                if other != seat and other not in state.wishes_by_seat:
                    state.add_wish(other, Wish(ORDINARY), number)


# --- the clauses


@clause(
    "kind",
    NAME,
    variant=WISHES,
    on=RESERVE_TYPE,
    say=N_("{who} has made a reservation and must name the contract instead of saying {said}"),
    doc="A player who has made a reservation must name the contract when asked.",
)
def _kind(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Wishes)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        wish, seat, state = entry.value, entry.seat, rnd.state(phase)
        if (
            seat is None
            or wish.names_contract
            or seat not in (*state.pending_seats, *state.named_seats)
        ):
            return None
        taken_back = phase.binding is not None and not reason_binding(rnd, state, seat)
        if taken_back and seat in state.pending_seats:
            return None
        return Breach({"said": translate_words(rules, [wish.kind])})

    return judge


@clause(
    BINDING_CLAUSE,
    NAME,
    variant=WISHES,
    on=RESERVE_TYPE,
    say=N_("{who} can no longer change {said}, because {why}"),
    doc=(
        "A statement may be changed until the next player speaks or, after all have spoken, "
        "until the next act. After that, it is binding. If the ruleset has no row for this "
        "clause, a statement is binding at once."
    ),
)
def _binding(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Wishes)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        state, seat = rnd.state(phase), entry.seat
        if seat is None or not replaces_earlier(state, seat, entry.value):
            return None
        why = reason_binding(rnd, state, seat)
        if not why:
            return None
        return Breach(
            {"said": translate_words(rules, state.wishes_by_seat[seat].words), "why": why}
        )

    return judge


@clause(
    "raisable",
    NAME,
    variant=WISHES,
    on=RESERVE_TYPE,
    say=N_("{wish} cannot be raised with {raises}; {allowed}"),
    doc="Only contracts in `raises` may be raised, and only with calls of the declaring side.",
)
def _raisable(row: Row, rules: Ruleset) -> Judge:
    contracts = rules.phase(Wishes).contracts

    def judge(rnd: Round, entry: Entry) -> Outcome:
        kind, raises, _ = entry.value
        if not raises:
            return None
        wrong = [word for word in raises if word not in contracts.heights]
        if kind in contracts.raisable and not wrong:
            return None
        may = [name for name in contracts.rows if name in contracts.raisable]
        words = ", ".join(contracts.heights)
        allowed = (
            tr("{may} can be raised with {words}", may=", ".join(may), words=words)
            if may
            else tr("no contract can be raised")
        )
        raised = translate_words(rules, wrong or raises)
        return Breach(
            {"wish": translate_words(rules, [kind]), "raises": raised, "allowed": allowed}
        )

    return judge


@clause(
    "owed",
    NAME,
    variant=WISHES,
    on=RESERVE_TYPE,
    say=N_(
        "{who} must play the solo they owe, because all remaining deals are needed for owed solos "
        "({deals})"
    ),
    doc=(
        "If all the remaining deals are needed for owed solos, the first player who owes a "
        "solo must play it."
    ),
)
def _owed(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Wishes)
    contracts = phase.contracts

    def judge(rnd: Round, entry: Entry) -> Outcome:
        wish, seat = entry.value, entry.seat
        if seat is None or phase.seat_forced_to_play(rnd) != seat or wish.kind == RESERVED:
            return None
        state = rnd.state(phase)
        if wish.kind != ORDINARY and contracts.is_owed(state, seat, wish):
            return None
        left = phase.count_deals_left(rnd, state.deals_counted)
        deals = plural("{count} deal left", "{count} deals left", left)
        return Breach({"left": left, "legal": contracts.solos, "deals": deals})

    return judge
