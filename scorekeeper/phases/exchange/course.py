"""What is owed from the last round: claimed, cancelled or lapsed. Part of exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import mark, plural, tr
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Verb
from scorekeeper.notation.syntax import Cards
from scorekeeper.phases.exchange.state import CANCELLED, DONE, State
from scorekeeper.phases.exchange.syntax import Swap, SwapSyntax, count
from scorekeeper.ruleset.orders import TRUMP
from scorekeeper.ruleset.phase import Phase, actor_of
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Json, Luck, Row
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.orders import Order


@phase
class Exchange(Phase[State]):
    """What is owed from the last round, claimed, cancelled or lapsed."""

    name = "exchange"
    doc = (
        "Beside the rest: the master may claim cards that were owed when the last round ended,"
        " their own choice for the best of the player who was master then."
    )
    beside = True
    passes = True
    tables = ("pack", "deal")
    others = ("levels", "tricks")
    parameters = {
        "owed": Parameter("number", "how many cards the old master owes after a round"),
        "order": Parameter(
            "name", "the order in which cards are the best: its trumps alone", rows="orders"
        ),
        "until": Parameter("texts", "the verbs with which an unclaimed exchange lapses"),
        "cancelled_by": Parameter("texts", "what must be shown to cancel it: sets of cards", []),
        "shown_by": Parameter("choice", "who may show them", "side", ("side", "giver", "all")),
    }
    reports = {
        "exchange": "cards exchanged, or that it was cancelled or lapsed",
        "owes": "how many cards this round's master owes in the next",
    }
    named = ("exchange",)
    verbs = (
        Verb(
            "exchange", SwapSyntax(), mark("the master claims the cards that are owed"), cards=True
        ),
        Verb("show", Cards(1, 12), mark("cards that are shown from the hand"), cards=True),
    )

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        self.until: list[str] = row["until"]  # the verbs with which the claim lapses
        self.sets: list[tuple[int, ...]] = []  # what must be shown to cancel it, each sorted
        self._owed: Expression  # how many cards are owed after a round; compiled when linked

    def link(self) -> None:
        self._owed = self.rules.expression(self.row["owed"], "phases.exchange.owed", whole=True)
        self.sets = self._sets()

    def _sets(self) -> list[tuple[int, ...]]:
        index, found = self.rules.pack.index, []
        for text in self.row["cancelled_by"]:
            unknown = [code for code in text.split() if code not in index]
            if unknown:
                message = f"phases.exchange.cancelled_by: {unknown[0]} is no card of the pack"
                self.rules.fault("phases.exchange.cancelled_by", text, "cards", message)
            else:
                found.append(tuple(sorted(index[code] for code in text.split())))
        return found

    def words(self) -> Iterable[tuple[str, str]]:
        return (("for", "for"), ("with", "with"))

    def begin(self, rnd: Joint) -> State:
        kept = rnd.kept(self.name)
        if not kept or rnd.positioned:
            return State(0, None)
        return State(kept["cards"], kept["from"])

    def due(self, rnd: Joint) -> int:
        """How many cards may be claimed now."""
        state = rnd.state(self)
        if state.end or state.giver is None or state.giver in rnd.side(rnd.shared.master):
            return 0
        return 0 if rnd.over or rnd.earlier_entry(self.until) else state.cards

    def may_cancel(self, rnd: Joint) -> tuple[int, ...]:
        """The seats of those who may cancel what is owed, by showing cards."""
        giver = rnd.state(self).giver
        if giver is None:
            return ()
        whose = {"side": rnd.side(giver), "giver": (giver,), "all": tuple(rnd.seats)}
        return whose[self.row["shown_by"]]

    def order(self, rnd: Joint) -> Order:
        """What is better than what, by the trump as far as it is known."""
        return self.rules.orders.get(self.row["order"], rnd.shared.bound)

    def from_hand(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        if entry.seat is None:
            return ()
        if entry.verb.word == "show":
            return ((entry.seat, entry.value),)
        given, taken, giver = entry.value
        return () if isinstance(given, int) else ((entry.seat, given), (giver, taken))

    def options(self, rnd: Joint) -> Iterator[Entry]:
        due, giver = self.due(rnd), rnd.state(self).giver
        if not due or giver is None:
            return
        exchange, show = self.verbs
        master = rnd.shared.master
        yield Entry(exchange, master, Swap((), (), giver))
        for number in range(1, due + 1):
            yield Entry(exchange, master, Swap(number, number, giver))
        for seat in self.may_cancel(rnd):
            for cards in self.sets:
                yield Entry(show, seat, cards)

    def filled(self, rnd: Joint, entry: Entry, luck: Luck) -> Entry | None:
        """Some of the master's cards for the best trumps of the giver."""
        hands, swap, order = rnd.hands, entry.value, self.order(rnd)
        kinds_in = self.rules.pack.kinds_in
        trumps = kinds_in(hands.sure[swap.seat] & order.masks[TRUMP])
        own = kinds_in(hands.sure[rnd.shared.master])
        number = min(luck.randint(1, max(1, self.due(rnd))), len(trumps), len(own))
        if not number:
            return None
        best = sorted(trumps, key=lambda kind: -order.strength[kind])[:number]
        given = tuple(luck.sample(own, number))
        return Entry(entry.verb, entry.seat, Swap(given, tuple(best), swap.seat))

    def apply(self, rnd: Joint, entry: Entry) -> None:
        state, seat = rnd.state(self), actor_of(entry)
        if entry.verb.word == "show":
            for kind in set(entry.value):
                rnd.hands.doubt(seat, kind)
                rnd.hands.holds(seat, kind, entry.value.count(kind))
            if self.due(rnd):
                state.end = CANCELLED
        else:
            self._swap(rnd, seat, entry.value)
            if rnd.parties is not None:
                rnd.parties.forget()
            state.end = DONE
        state.last = (seat, entry.text)

    def _swap(self, rnd: Joint, seat: int, swap: Swap) -> None:
        """Move the cards from hand to hand."""
        knowledge, pack = rnd.hands, rnd.rules.pack
        given, taken, giver = swap
        if seat == giver:
            raise Impossible(tr("nobody exchanges cards with themselves"))
        if isinstance(given, int) or isinstance(taken, int):
            knowledge.give_unseen(giver, seat, count(taken))
            knowledge.give_unseen(seat, giver, count(given))
            return
        for kind in taken:
            knowledge.doubt(giver, kind)
        for kind in given:
            knowledge.doubt(seat, kind)
        knowledge.give(giver, seat, pack.of(taken))
        knowledge.give(seat, giver, pack.of(given))

    def reseated(self, kept: Json, moved: Sequence[int | None], count: int) -> Json:
        giver = moved[kept["from"]]
        return {} if giver is None else {**kept, "from": giver}

    def close(self, rnd: Joint) -> None:
        if rnd.void:
            return
        rnd.keep(self.name, None)
        cards = 0 if rnd.positioned and rnd.result is None else int(rnd.evaluate(self._owed))
        if cards > 0:
            rnd.keep(self.name, {"cards": cards, "from": rnd.shared.master})

    def describe(self, rnd: Joint) -> Json:
        from scorekeeper.phases.exchange import telling

        return telling.describe(rnd, rnd.state(self), self.due(rnd), self.until)

    def sentences(self, rnd: Joint) -> Iterator[str]:
        from scorekeeper.phases.exchange import telling

        yield from telling.sentences(rnd, rnd.state(self), self.due(rnd), self.until)
        if rnd.over:
            yield from self.score_sentences(rnd)

    def score_sentences(self, rnd: Joint) -> Iterator[str]:
        owes = rnd.kept(self.name)
        if owes and not rnd.void:
            yield plural(
                "{giver} owes {count} card in the next exchange",
                "{giver} owes {count} cards in the next exchange",
                owes["cards"],
                giver=rnd.names[owes["from"]],
            )

    def summary(self, rnd: Joint) -> Json:
        from scorekeeper.phases.exchange import telling

        owes = rnd.kept(self.name).get("cards") if rnd.over and not rnd.void else None
        return {"exchange": telling.became(rnd, rnd.state(self), self.until), "owes": owes}
