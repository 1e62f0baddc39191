"""Cards owed since the last round: the master's worst for the best of the player who owes.

The `exchange` entry is the claim. It comes before certain verbs or it lapses; it is cancelled by
somebody of the owing side who shows what the ruleset names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core.claims import Breach, Claim
from scorekeeper.core.english import listed, number_of
from scorekeeper.core.failures import Impossible, Unreadable
from scorekeeper.core.rulings import LEGAL
from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import Cards, Syntax, clean, whole
from scorekeeper.notation.verbs import Verb
from scorekeeper.ruleset.orders import TRUMP
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.phase import Phase
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.core.claims import Outcome
    from scorekeeper.core.plain import Json, Row
    from scorekeeper.notation.syntax import Spelling
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.orders import Order
    from scorekeeper.ruleset.phase import Judge

MORE = "…"


class Swap(Syntax):
    """Cards for cards with somebody, or only how many: (given, taken, seat), where the first two
    are kinds of card, or both the same number, or `MORE` for a choice that is not written out."""

    form = "CARD… for CARD… with NAME, or NUMBER with NAME"

    def read(self, text: str, notation: Spelling) -> tuple[Any, Any, int]:
        tokens = text.split()
        words = [notation.canonical(token) for token in tokens]
        if "with" not in words:
            raise Unreadable("it is not said with whom", f"the form is “{self.form}”")
        cut = words.index("with")
        seat = notation.seat(" ".join(tokens[cut + 1 :]))
        if cut == 1 and tokens[0].isascii() and tokens[0].isdigit():
            count = whole(tokens[0], 1, 99)
            return count, count, seat
        if "for" not in words[:cut]:
            raise Unreadable(f"“{clean(text)}” does not say what for what")
        middle = words.index("for")
        cards = Cards(1, 60)
        given = cards.read(" ".join(tokens[:middle]), notation)
        return given, cards.read(" ".join(tokens[middle + 1 : cut]), notation), seat

    def show(self, value: tuple[Any, Any, int], notation: Spelling) -> str:
        given, taken, seat = value
        name, with_ = notation.names[seat], notation.say("with")
        if isinstance(given, int):
            return f"{given} {with_} {name}"
        cards = Cards()
        sides = [MORE if part == MORE else cards.show(part, notation) for part in (given, taken)]
        return f"{sides[0]} {notation.say('for')} {sides[1]} {with_} {name}"


class State:
    """`cards` owed by the seat `giver` (0 and None: nothing); `end` is "", done or cancelled;
    `told` is who did something about it last, in which words."""

    __slots__ = ("cards", "end", "giver", "told")

    def __init__(self, cards: int, giver: int | None) -> None:
        self.cards = cards
        self.giver = giver
        self.end = ""
        self.told: tuple[int, str] | None = None


@phase
class Exchange(Phase[State]):
    """What is owed from the last round, claimed, cancelled or lapsed."""

    name = "exchange"
    doc = (
        "Beside the rest: the master may claim cards that were owed when the last round ended,"
        " their own choice for the best of the player who was master then."
    )
    beside = True
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
    verbs = (
        Verb("exchange", Swap(), "the master claims the cards that are owed", cards=True),
        Verb("show", Cards(1, 12), "cards that are shown from the hand", cards=True),
    )

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
        if state.end or state.giver is None or state.giver in rnd.side(master_of(rnd)):
            return 0
        return 0 if rnd.over or rnd.earlier_entry(self.row["until"]) else state.cards

    def may_cancel(self, rnd: Joint) -> tuple[int, ...]:
        """The seats of those who may cancel what is owed, by showing cards."""
        giver: int | None = rnd.state(self).giver
        if giver is None:
            return ()
        whose = {"side": rnd.side(giver), "giver": (giver,), "all": tuple(rnd.seats)}
        return whose[self.row["shown_by"]]

    def order(self, rnd: Joint) -> Order:
        """What is better than what, by the trump as far as it is known."""
        return self.rules.orders.get(self.row["order"], rnd.shared.bound)

    def from_hand(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        if entry.verb.word == "show":
            return ((entry.seat or 0, entry.value),)
        given, taken, giver = entry.value
        if not isinstance(given, tuple) or entry.seat is None:
            return ()
        return ((entry.seat, given), (giver, taken))

    def options(self, rnd: Joint) -> Iterator[Entry]:
        due, state = self.due(rnd), rnd.state(self)
        if not due:
            return
        swap, show = self.verbs
        master = master_of(rnd)
        yield Entry(swap, master, (MORE, MORE, state.giver))
        for count in range(1, due + 1):
            yield Entry(swap, master, (count, count, state.giver))
        for seat in self.may_cancel(rnd):
            for cards in self.sets:
                yield Entry(show, seat, cards)

    def apply(self, rnd: Joint, entry: Entry) -> None:
        state = rnd.state(self)
        knowledge, seat = rnd.hands, entry.seat
        assert seat is not None
        if entry.verb.word == "show":
            for kind in set(entry.value):
                count = entry.value.count(kind)
                knowledge.doubt(seat, kind)
                knowledge.holds(seat, kind, count)
            if self.due(rnd):
                state.end = "cancelled"
        else:
            given, taken, giver = entry.value
            self._swap(rnd, (seat, given), (giver, taken))
            state.end = "done"
        state.told = (seat, entry.text)

    def _swap(self, rnd: Joint, mine: tuple[int, Any], theirs: tuple[int, Any]) -> None:
        knowledge, pack = rnd.hands, rnd.rules.pack
        (seat, given), (giver, taken) = mine, theirs
        if seat == giver:
            raise Impossible("nobody exchanges cards with themselves")
        if isinstance(given, int):
            knowledge.give_unseen(giver, seat, taken)
            knowledge.give_unseen(seat, giver, given)
            return
        for kind in taken:
            knowledge.doubt(giver, kind)
        for kind in given:
            knowledge.doubt(seat, kind)
        knowledge.give(giver, seat, pack.of(taken))
        knowledge.give(seat, giver, pack.of(given))

    def close(self, rnd: Joint) -> None:
        if rnd.void:
            return
        rnd.keep(self.name, None)
        cards = 0 if rnd.positioned and rnd.result is None else int(rnd.evaluate(self._owed))
        if cards > 0:
            rnd.keep(self.name, {"cards": cards, "from": master_of(rnd)})

    def describe(self, rnd: Joint) -> Json:
        due, state = self.due(rnd), rnd.state(self)
        told: Json = {}
        if state.told is not None:
            seat, what = state.told
            told["exchange"] = {"who": rnd.names[seat], "what": what, "state": state.end}
        if not due or state.giver is None:
            return {"bindings": told}
        owed: Json = {"who": rnd.names[state.giver], "what": "exchange", "cards": due}
        owed["to"] = rnd.names[rnd.shared.master]
        said = rnd.rules.lexicon.forms
        owed["until"] = [said.get(verb, verb) for verb in self.row["until"]]
        return {"bindings": told, "owed": [owed]}

    def sentences(self, rnd: Joint) -> Iterator[str]:
        due, state = self.due(rnd), rnd.state(self)
        if due and state.giver is not None:
            cards, until = number_of(due, "card"), rnd.rules.lexicon.forms
            verbs = listed([until.get(verb, verb) for verb in self.row["until"]], "or")
            yield (
                f"{rnd.names[state.giver]} owes {rnd.names[rnd.shared.master]} {cards} in exchange,"
                f" until {verbs}"
            )
        if state.told is not None:
            ended = "is cancelled" if state.end == "cancelled" else "is done"
            yield f"the exchange {ended}: {state.told[1]}"
        if rnd.over:
            yield from self.score_sentences(rnd)

    def score_sentences(self, rnd: Joint) -> Iterator[str]:
        owes = rnd.kept(self.name)
        if owes and not rnd.void:
            giver, cards = rnd.names[owes["from"]], number_of(owes["cards"], "card")
            yield f"{giver} owes {cards} in the next exchange"

    def summary(self, rnd: Joint) -> Json:
        state = rnd.state(self)
        owes = rnd.kept(self.name).get("cards") if rnd.over and not rnd.void else None
        said = state.told[1] if state.told is not None else None
        if state.end == "cancelled":
            said = f"cancelled ({said})"
        elif state.cards and not said and rnd.earlier_entry(self.row["until"]):
            said = "lapsed"
        return {"exchange": said, "owes": owes}


def master_of(rnd: Joint) -> int:
    """The seat of the master."""
    return rnd.shared.master


def _exchange(rnd: Joint) -> Exchange:
    found = rnd.rules.phase(Exchange)
    assert isinstance(found, Exchange)
    return found


# --- clauses

BOTH = ("exchange", "show")


@clause(
    "owed",
    "exchange",
    on=BOTH,
    say="no exchange is owed now: {why}",
    doc="Cards are owed since the last round, neither claimed nor cancelled nor lapsed.",
    legal="`exchange 2 with Ana` when they owe two cards, before the verbs of `until`",
    illegal="the same when nothing is owed, a second time, or after these",
)
def _owed(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        phase = _exchange(rnd)
        return None if phase.due(rnd) else Breach({"why": _why(rnd, phase), "owed": 0})

    return judge


def _why(rnd: Joint, phase: Exchange) -> str:
    state = rnd.state(phase)
    since = rnd.earlier_entry(phase.row["until"])
    if rnd.positioned:
        return "the round began in the middle"
    if state.giver is None or state.giver in rnd.side(master_of(rnd)):
        return "nothing was owed from the last round"
    if state.end:
        what = state.told[1] if state.told is not None else ""
        return f"it was {state.end} before ({what})"
    return f"the claim lapsed with “{since}”"


@clause(
    "between",
    "exchange",
    on=("exchange",),
    say="the exchange is between {master} and {giver}",
    doc="The master claims, of the player who was master in the round that was lost.",
    legal="the new master: `exchange 2 with` the old one",
    illegal="another player's claim, or one of another player",
)
def _between(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        giver = rnd.state(rnd.rules.phase(Exchange)).giver
        if giver is None or (entry.seat == master_of(rnd) and entry.value[2] == giver):
            return None
        return Breach({"master": rnd.names[rnd.shared.master], "giver": rnd.names[giver]})

    return judge


@clause(
    "even",
    "exchange",
    on=("exchange",),
    say="{cards} for {taken}: it must be as many, and at most {owed}",
    doc="As many cards are given as taken, and no more than are owed.",
    legal="`exchange 4C for BJ with Ana`, when two are owed",
    illegal="`exchange 4C for BJ LJ with Ana`, or three cards when two are owed",
)
def _even(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        given, taken, _ = entry.value
        due = _exchange(rnd).due(rnd)
        if given == MORE or not due:
            return None
        counts = [part if isinstance(part, int) else len(part) for part in (given, taken)]
        if counts[0] == counts[1] <= due:
            return None
        facts = {"given": counts[0], "taken": counts[1], "owed": due}
        return Breach({**facts, "cards": number_of(counts[0], "card")})

    return judge


@clause(
    "best",
    "exchange",
    on=("exchange",),
    say="{giver} gives the best trumps: none that is better than {weakest} stays behind",
    doc="What is taken are the best trumps of the giver; fewer trumps, fewer cards.",
    legal="`exchange 4C for BJ with Ana`, when the BJ is the best they have",
    illegal="`exchange 4C for LJ with Ana`, when they have a BJ",
)
def _best(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        given, taken, giver = entry.value
        owing = _exchange(rnd).due(rnd) and giver == rnd.state(rnd.rules.phase(Exchange)).giver
        if given == MORE or not owing:
            return None
        order = _exchange(rnd).order(rnd)
        trumps, name = order.masks[TRUMP], rnd.names[giver]
        pack = rnd.rules.pack
        if isinstance(taken, int):
            say = "{giver} must have {trumps} to give: fewer trumps, fewer cards"
            facts = {"giver": name, "count": taken, "trumps": number_of(taken, "trump")}
            return Claim(giver, trumps, taken, pack.total, facts, say)
        plain = [pack.kinds[kind] for kind in taken if order.classes[kind] != TRUMP]
        if plain:
            say = "{cards} cannot be asked for: only trumps that are known can, the best first"
            return Breach({"giver": name, "cards": plain}, say)
        weakest = min(taken, key=order.strength.__getitem__)
        better = [
            kind
            for kind, strength in enumerate(order.strength)
            if order.classes[kind] == TRUMP and strength > order.strength[weakest]
        ]
        mask = sum(pack.column[kind] for kind in better)
        most = sum(kind in better for kind in taken)
        facts = {"giver": name, "weakest": pack.kinds[weakest]}
        facts["better"] = [pack.kinds[kind] for kind in better]
        return Claim(giver, mask, 0, most, facts) if better else None

    return judge


@clause(
    "cancels",
    "exchange",
    on=("show",),
    say="{cards} shown by {who} cannot cancel it: {sets} can, shown from one hand by {names}",
    doc="The owing side cancels the exchange when one of it shows one of `cancelled_by`.",
    legal="with `cancelled_by = ['BJ BJ BJ']`, `show BJ BJ BJ` by the old master's partner",
    illegal="`show BJ BJ`, or `show BJ BJ BJ` by the other side",
)
def _cancels(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        phase, giver = _exchange(rnd), rnd.state(rnd.rules.phase(Exchange)).giver
        shown = tuple(sorted(entry.value))
        if giver is None or (entry.seat in phase.may_cancel(rnd) and shown in phase.sets):
            return None
        kinds = rnd.rules.pack.kinds
        sets = [" ".join(kinds[kind] for kind in cards) for cards in phase.sets]
        cards = [kinds[kind] for kind in entry.value]
        may = rnd.names_of(phase.may_cancel(rnd))
        facts = {"cards": cards, "giver": rnd.names[giver], "may": may, "sets": sets}
        return Breach({**facts, "names": listed(may, "or")})

    return judge


@clause(
    "lapsed",
    "exchange",
    say="{owed} that {giver} owed {master} {were} not claimed in time: the claim lapses",
    doc="Says, with the verbs in `on`, that an exchange that is still owed lapses now.",
    legal="`kitty …` while cards are owed: legal, with the note",
    illegal="nothing: it is only said",
    verdict=LEGAL,
)
def _lapsed(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        due, seat = _exchange(rnd).due(rnd), rnd.state(_exchange(rnd)).giver
        if not due or seat is None:
            return None
        giver = rnd.names[seat]
        one = due == 1
        owed = {"owed": "the card" if one else f"the {due} cards", "were": "was" if one else "were"}
        return Breach(
            {"cards": due, "giver": giver, "master": rnd.names[rnd.shared.master], **owed}
        )

    return judge
