"""Who speaks when, when the contract is decided, and what is owed between deals. Part of
reservations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import Asked, listed, mark, tr
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Verb
from scorekeeper.phases.reservations.contracts import Contracts
from scorekeeper.phases.reservations.revising import (
    revise,
    revises,
    speak_for_others,
    why_binding,
)
from scorekeeper.phases.reservations.state import NAME, State, deals_counted, solos_played
from scorekeeper.phases.reservations.wishes import (
    ORDINARY,
    RESERVED,
    VOLUNTARY,
    Wish,
    WishSyntax,
)
from scorekeeper.ruleset.contracts import CONTRACT
from scorekeeper.ruleset.keeping import staying
from scorekeeper.ruleset.phase import Measure, Phase, actor_of
from scorekeeper.ruleset.tables import SAME, Parameter
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.joint import Joint, Rules


JUST_ORDINARY = Wish(ORDINARY)
BINDING = "binding"


def _reserve(syntax: WishSyntax) -> Verb:
    """The verb that everyone speaks with, its words read by that syntax."""
    verb = Verb(
        "reserve",
        syntax,
        mark("says that they play the ordinary game, or something else"),
        turn=True,
        implicit=True,
        everyone=True,
    )
    verb.phase = NAME
    return verb


def _is_declared(rnd: Joint, _: object) -> bool:
    """Whether the contract is not the one that is played without any wish."""
    default: str = rnd.rules.phase(Reservations).contracts.default
    return (rnd.shared.contract or default) != default


@phase
class Reservations(Phase[State]):
    """Who speaks, which wish wins, and what the contract binds."""

    name = NAME
    doc = (
        "Everyone, from the dealer's left, has the ordinary game or a reservation; the strongest"
        " wish is played. Binds `contract`, `declarer`, `order`, `raised`, `compulsory`."
    )
    tables = ("contracts",)
    others = ("parties", "tricks")
    parameters = {
        "default": Parameter(
            "name", "the contract that is played when nobody has a reservation", rows="contracts"
        ),
        "ranks": Parameter(
            "cards", "contracts, strongest first; a nested list: who spoke first", rows="contracts"
        ),
        "compulsory": Parameter(
            "bool", "whether a player's first solo is owed, and they lead", False
        ),
        "deals": Parameter("number", "of how many deals, when solos are owed", 0),
        "cut_short": Parameter(
            "bool",
            "whether a card that is led before all have spoken ends this: no fault where a wish was"
            " named that none still possible outranks; who has not spoken has the ordinary game",
            False,
        ),
    }
    sections = {
        "contracts": {
            **CONTRACT,
            "solo": Parameter("bool", "whether it may be the solo that is owed", False),
            "raises": Parameter("bool", "whether calls may raise the wish", False),
        }
    }
    tracked = ("contracts",)
    verbs = (_reserve(WishSyntax((), (), ())),)
    measures = (
        Measure(
            "deals", "how many deals of the match have counted", lambda rnd, _: deals_counted(rnd)
        ),
        Measure("contract.declared", "whether somebody's wish is played", _is_declared),
    )
    reports = {
        "contract": "what was played",
        "player.solos_left": "the solos that a player still owes",
    }

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        self.contracts = Contracts(rules, row)
        self.verbs = (_reserve(self.contracts.syntax),)
        self.deals: Expression  # how many deals there are
        self.binding: Row | None = None  # until when what was said may be said otherwise

    def link(self) -> None:
        rows = self.rules.clause_rows(self.verbs[0].word, BINDING)
        self.binding = rows[0] if rows else None
        self.deals = self.rules.expression(
            self.row["deals"], "phases.reservations.deals", whole=True
        )
        self.contracts.link(self.rules)

    def named_measures(self) -> Iterable[Measure]:
        yield from self.measures
        yield from self.contracts.measures()

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        return self.contracts.pattern_names()

    def words(self) -> Iterable[tuple[str, str]]:
        yield from ((name, name) for name in self.contracts.rows)
        yield from ((word, word) for word in (ORDINARY, RESERVED, VOLUNTARY))

    # --- who speaks

    def begin(self, rnd: Joint) -> State:
        seats = rnd.seats
        start = seats.index(rnd.after(rnd.dealer))
        return State(seats[start:] + seats[:start], solos_played(rnd), deals_counted(rnd))

    def finished(self, rnd: Joint) -> bool:
        return rnd.state(self).decided

    def waiting(self, rnd: Joint) -> list[int]:
        state = rnd.state(self)
        for seat in state.order:
            if seat not in state.spoken:
                return [seat]
        return [seat for seat in state.pending if self.contracts.may_win(state, seat)][:1]

    def may_act(self, rnd: Joint, entry: Entry) -> bool:
        """A reservation that can no longer win may be named by whoever likes; until when what was
        said may be said otherwise, a clause says."""
        state, seat = rnd.state(self), entry.seat
        if super().may_act(rnd, entry):
            return True
        if seat is None:
            return False
        if self.binding is not None and revises(state, seat, entry.value):
            return seat not in state.pending or not why_binding(rnd, state, seat)
        if not state.all_spoken or seat not in state.pending:
            return False
        return not self.contracts.may_win(state, seat)

    def allows_out_of_phase(self, rnd: Joint, entry: Entry) -> bool:
        """Until a card is played, a reservation that did not win may still be named. Until when
        what was said may be said otherwise, a clause says."""
        state, seat = rnd.state_if_begun(self), entry.seat
        wish: Wish = entry.value
        if state is None or seat is None:
            return False
        if self.binding is not None and revises(state, seat, wish):
            return True
        return not rnd.play_begun() and seat in state.pending and wish.names_contract

    def gives_way(self, rnd: Joint) -> bool:
        """Once a wish was named that nobody who has yet to speak, or to name it, can outrank."""
        if not self.row["cut_short"]:
            return False
        state = rnd.state(self)
        if not state.wishes():
            return False
        left = [seat for seat in state.order if seat not in state.spoken or seat in state.pending]
        return not any(self.contracts.may_win(state, seat) for seat in left)

    def give_way(self, rnd: Joint) -> bool:
        """Who has not spoken has the ordinary game, and so has who never names a reservation."""
        if not self.row["cut_short"]:
            return False
        state = rnd.state(self)
        left = [seat for seat in state.order if seat not in state.spoken]
        for seat in left:
            state.say(seat, JUST_ORDINARY, max(0, len(rnd.entries()) - 1))
        self._decide(rnd, state)
        if left:
            say = mark("{names} had not spoken: that counts as {ordinary}")
            facts = {"who": (names := rnd.names_of(left)), "names": listed(names)}
            facts["ordinary"] = ordinary = rnd.rules.spoken(ORDINARY)
            facts["counts_as"] = f"{rnd.rules.spoken('all')}: {ordinary}"
            rnd.remark("reservations.cut-short", say, facts, self.cite)
        return True

    def everyone(self, rnd: Joint, entry: Entry) -> list[int]:
        state, wish = rnd.state(self), entry.value
        if wish.kind != ORDINARY:
            return []
        return [seat for seat in state.order if seat not in state.spoken]

    def prompt(self, rnd: Joint) -> str:
        name = rnd.names[self.waiting(rnd)[0]]
        if rnd.state(self).all_spoken:
            return tr("{who} names their reservation", who=name)
        ordinary = rnd.rules.spoken(ORDINARY)
        said = tr(
            "{who} says {ordinary} or a reservation ({all}: {ordinary}, for all who are left)",
            who=name,
            all=rnd.rules.spoken("all"),
            ordinary=ordinary,
        )
        return Asked(said, tr("{who} says {word} or a reservation", who=name, word=ordinary))

    def options(self, rnd: Joint) -> Iterator[Entry]:
        seat = self.waiting(rnd)[0]
        first = () if seat in rnd.state(self).pending else (ORDINARY, RESERVED)
        for kind in (*first, *self.contracts.others):
            yield Entry(self.verbs[0], seat, Wish(kind))
        for kind in self.contracts.others:
            for wish in self.contracts.with_words(kind):
                yield Entry(self.verbs[0], seat, wish)

    def applied(self, rnd: Joint) -> Iterator[str]:
        state = rnd.state_if_begun(self)
        named = [wish.kind for _, wish in state.wishes()] if state is not None else []
        yield from (f"contracts.{name}" for name in {rnd.shared.contract, *named} - {""})

    # --- what happens

    def apply(self, rnd: Joint, entry: Entry) -> None:
        state, seat, wish = rnd.state(self), actor_of(entry), entry.value
        if self.binding is not None and revises(state, seat, wish):
            revise(rnd, self, entry, seat, self.binding["cite"])
            state = rnd.state(self)
        if rnd.decisions.taken:
            speak_for_others(rnd, state, seat)
        if seat in state.pending:
            state.pending.remove(seat)
            state.named.append(seat)
        elif seat in state.spoken:
            raise Impossible(
                tr("{who} has spoken already", who=rnd.names[seat]), tr("undo, or amend")
            )
        elif wish.kind == RESERVED:
            state.pending.append(seat)
        state.say(seat, wish, len(rnd.entries()))
        if not state.decided and state.all_spoken and not self.waiting(rnd):
            self._decide(rnd, state)

    def _decide(self, rnd: Joint, state: State) -> None:
        """Everyone has spoken: the strongest wish is played."""
        state.decided = True
        wishes = state.wishes()
        if not wishes:
            self.contracts.play(rnd, self.contracts.default, -1)
            return
        seat, wish = min(wishes, key=lambda each: self.contracts.rank(state, *each))
        self.contracts.choose(rnd, state, seat, wish)
        self.contracts.play(rnd, wish.kind, seat)
        if rnd.void:
            rnd.finish()

    def after_trick(self, rnd: Joint) -> None:
        """A declarer who has found no partner plays another contract."""
        if rnd.parties is not None and rnd.parties.found == rnd.tricks[-1].number:
            self.contracts.change_if_alone(rnd)

    # --- between deals

    def deals_left(self, rnd: Joint, counted: int) -> int:
        """How many deals are left after so many."""
        return int(self.deals.value(rnd.reading())) - counted

    def forced(self, rnd: Joint) -> int | None:
        """The seat that must play the solo it owes in this deal."""
        if not self.contracts.compulsory:
            return None
        state = rnd.state(self)
        owing = len(rnd.names) - len(state.played)
        if owing < self.deals_left(rnd, state.counted):
            return None
        return next((seat for seat in state.order if seat not in state.played), None)

    def reseated(self, kept: Json, moved: Sequence[int | None], count: int) -> Json:
        return {**kept, "played": staying(kept.get("played", ()), moved)}

    def close(self, rnd: Joint) -> None:
        state = rnd.state_if_begun(self)
        if state is None:
            return
        if rnd.void:
            return
        was_forced = self.forced(rnd) is not None
        if state.compulsory:
            state.played.add(rnd.shared.declarer)
            if not was_forced:
                rnd.deals_next = SAME
        deals = state.counted + 1
        rnd.keep(self.name, {"played": sorted(state.played), "deals": deals})
        if self.contracts.compulsory:
            self._warn(rnd, state, deals)

    def _warn(self, rnd: Joint, state: State, deals: int) -> None:
        """Have it noted that from now on every deal must be an owed solo."""
        owing = [name for seat, name in enumerate(rnd.names) if seat not in state.played]
        if owing and len(owing) == self.deals_left(rnd, deals):
            one = mark(
                "as many deals are left as solos are owed ({left}): {names} must play it now"
            )
            several = mark(
                "as many deals are left as solos are owed ({left}): {names} must play them now"
            )
            say = one if len(owing) == 1 else several
            facts = {"left": len(owing), "owing": owing, "names": listed(owing)}
            rnd.remark("reservations.owed", say, facts, self.cite)

    # --- results

    def read_result(self, rnd: Joint, said: dict[str, str]) -> None:
        from scorekeeper.phases.reservations import results

        results.read(rnd, rnd.state(self), self.contracts, said)

    def after_result_read(self, rnd: Joint) -> None:
        from scorekeeper.phases.reservations import results

        results.infer_what_was_said(rnd, rnd.state(self), self.contracts)

    def fields(self, rnd: Joint) -> list[tuple[str, str, list[str]]]:
        from scorekeeper.phases.reservations import results

        return results.fields(rnd, self.contracts)

    # --- what is told

    def describe(self, rnd: Joint) -> Json:
        from scorekeeper.phases.reservations import telling

        state = rnd.state_if_begun(self)
        if state is None or state.decided or rnd.over:
            return {"bindings": telling.bindings(rnd, state)}
        return {"table": telling.table(rnd, state)}

    def on_table(self, rnd: Joint) -> Iterator[str]:
        for said in self.describe(rnd).get("table", ()):
            yield f"{said['who']}: {said['says']}"

    def sentences(self, rnd: Joint) -> Iterator[str]:
        from scorekeeper.phases.reservations import telling

        yield from telling.contract(rnd, rnd.state_if_begun(self))
        yield from telling.what_is_owed(
            rnd, self.deals.value(rnd.reading()), self.contracts.compulsory
        )

    def summary(self, rnd: Joint) -> Json:
        from scorekeeper.phases.reservations import telling

        return telling.summary(rnd, self.contracts.compulsory)
