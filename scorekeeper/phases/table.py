"""What every table says, whatever is played: facts of the start, corrections, results.

The phase is always there, beside the others; `table_facts` is what it does with each entry. It also
owns the measures of every game, and the clause words that every phase may use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import NotSeen
from scorekeeper.core.expressions.parser import HEAP
from scorekeeper.core.hands import IMPOSSIBLE, NO_HAND, Breach, Unsure
from scorekeeper.core.messages import listed, mark, plural, tr
from scorekeeper.core.rulings import LEGAL
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.measures import Own, hand_measure, seats_of
from scorekeeper.engine.phase import ACTOR, OWN, Measure, Phase, View
from scorekeeper.engine.scoring import Penalties
from scorekeeper.engine.seating import AFTER, INSTEAD
from scorekeeper.engine.setup import MISTYPED, sits_out
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import NUMBER, NUMBERED, RESULT, Actor, Timing, Verb
from scorekeeper.notation.syntax import Cards, CardsOrCount, Nothing, Number, Of, Pairs, Text, Who
from scorekeeper.phases import table_facts
from scorekeeper.phases.table_facts import MOST_POINTS
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.expressions import Expression, Get
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Json, Luck, Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset

    Hands = Sequence[tuple[int, tuple[int, ...]]]

NAMED_ANYWAY = ("who", "entry", "must")  # what a sentence may name besides measures


@phase
class Table(Phase[None]):
    """Facts about the table, and what the table decides. `penalties` are the classes there are."""

    name = "table"
    doc = "Always there. What is said about the table itself: who deals, hands, notes, results."
    beside = True
    sections = {
        "levelling": {
            "to": Parameter("int", "what everyone still in goes to"),
            "cite": Parameter("text", "the paragraph of the rule text"),
        },
        "result": {
            "number": Parameter("text", "the key of a `result` that a number alone is", ""),
            "usual": Parameter(
                "table", "what a `result` that begins with a number says, unless it is said", {}
            ),
            "together": Parameter(
                "texts", "keys that name two players where the usual goes without saying", []
            ),
        },
        "penalties": {
            "culprit": Parameter("number", "points for the culprit"),
            "others": Parameter("number", "points for each of the others", "0"),
            "declarer": Parameter(
                "number",
                "points for who is publicly alone on the declaring side, where the culprit plays"
                " against them (without it: as `others`)",
                "",
            ),
            "cite": Parameter("text", "the paragraph of the rule text"),
        },
    }
    plain = ("levelling", "result")
    reports = {"levelled": "the word with which everyone went to the same tally before the round"}
    verbs = (
        Verb("dealer", Who(), mark("who deals this round"), by=Actor.TABLE, when=Timing.SETUP),
        Verb("lead", Who(), mark("who starts"), by=Actor.TABLE, when=Timing.SETUP),
        Verb(
            "hand",
            Of(CardsOrCount()),
            mark("all they hold, or how many"),
            by=Actor.TABLE,
            when=Timing.SETUP,
            gathers=True,
            apply_batch=table_facts.hands,
        ),
        Verb(
            "holds",
            Of(Cards()),
            mark("cards seen in their hand, at any time"),
            by=Actor.TABLE,
            when=Timing.SETUP | Timing.ALWAYS,
        ),
        Verb(
            "standing",
            Of(Number(-MOST_POINTS, MOST_POINTS)),
            mark("their tally"),
            by=Actor.TABLE,
            when=Timing.SETUP,
        ),
        Verb(
            "check",
            Of(Number(-MOST_POINTS, MOST_POINTS)),
            mark("their side's points so far"),
            by=Actor.TABLE,
            when=Timing.AFTER | Timing.ALWAYS,
        ),
        Verb(
            "note",
            Text(),
            mark("anything worth writing down"),
            by=Actor.TABLE,
            when=Timing.AFTER | Timing.ALWAYS,
            text=True,
        ),
        Verb(
            "void",
            Text(),
            mark("this round counts for nothing"),
            by=Actor.TABLE,
            when=Timing.ALWAYS,
            text=True,
        ),
        Verb(
            "foul",
            Of(Text()),
            mark("somebody cheated"),
            by=Actor.TABLE,
            when=Timing.ALWAYS,
            text=True,
        ),
        Verb(
            "penalty",
            Of(table_facts.PenaltySyntax()),
            mark("points off, by class or number"),
            by=Actor.TABLE,
            when=Timing.ALWAYS,
            text=True,
        ),
        Verb("result", Pairs(), mark("the round by its outcome"), by=Actor.TABLE, brief=NUMBERED),
        Verb(
            "score",
            table_facts.ScoreSyntax(),
            mark("a round of its own by its value"),
            by=Actor.TABLE,
        ),
        Verb(
            "sudden-death",
            Nothing(),
            mark("everyone goes to the same tally"),
            by=Actor.TABLE,
            when=Timing.SETUP,
        ),
        Verb(
            "joins",
            table_facts.JoinsSyntax(),
            mark("somebody sits down, between rounds: after whom, or for whom"),
            by=Actor.TABLE,
            when=Timing.SETUP,
        ),
        Verb(
            "quits",
            table_facts.LeaverSyntax(),
            mark("somebody leaves the table, between rounds"),
            by=Actor.TABLE,
            when=Timing.SETUP,
        ),
        Verb(
            "seats",
            table_facts.OrderSyntax(),
            mark("the whole order anew, between rounds"),
            by=Actor.TABLE,
            when=Timing.SETUP,
        ),
        Verb(
            "end",
            Nothing(),
            mark("the match ends here"),
            by=Actor.TABLE,
            when=Timing.AFTER | Timing.ALWAYS,
        ),
    )

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.penalties: Penalties  # known when linked
        self._happens: Mapping[str, Callable[[Round, Entry], None]] = {
            "dealer": table_facts.dealer,
            "lead": table_facts.lead,
            "hand": table_facts.hand,
            "holds": table_facts.holds,
            "standing": table_facts.standing,
            "sudden-death": table_facts.sudden_death,
            "check": table_facts.check,
            "note": table_facts.note,
            "void": table_facts.void,
            "foul": table_facts.foul,
            "penalty": lambda rnd, entry: table_facts.penalty(rnd, entry, self.penalties),
            "result": table_facts.result,
            "score": table_facts.score,
            "joins": table_facts.joins,
            "quits": table_facts.quits,
            "seats": table_facts.seats,
            "end": table_facts.end,
        }

    def named_measures(self) -> Iterator[Measure]:
        yield from of_everyone()
        if self.rules.pack.total:
            yield from of_cards(self.rules)

    def link(self) -> None:
        self.penalties = Penalties(self.rules)
        self.shorts = (NUMBER, RESULT) if self.rules.table("result")["number"] else (RESULT,)

    def words(self) -> Iterable[tuple[str, str]]:
        words = (AFTER, INSTEAD, *self.rules.section("penalties"))
        return [(name, name) for name in words]

    def readings(self, rnd: Round, entry: Entry) -> Iterator[Entry]:
        """A result may be told without its word; a number alone is one before somebody acts, and
        what is usual goes without saying as long as nobody has."""
        if entry.verb not in (NUMBER, NUMBERED, RESULT) or rnd.over:
            return
        row, numbered = self.rules.table("result"), not entry.value[0][0]
        if numbered and not row["number"]:
            return
        if not numbered or len(entry.value) > 1 or not rnd.acted:
            said = table_facts.whole_result(row, entry.value, usual=not rnd.acted)
            yield Entry(self.rules.verbs["result"], None, said)

    def begin(self, rnd: Round) -> None:
        if rnd.setup.levelled:
            rnd.keep("levelled", True)
            levelling = self.rules.table("levelling")
            for seat in rnd.seating.playing():
                lost = levelling["to"] - rnd.seating.tally[seat]
                rnd.add_line("sudden-death", (seat,), lost, levelling["cite"])
        for charge in rnd.setup.charges:
            rnd.add_line(*charge)

    def position(self, rnd: Round) -> None:
        lead = rnd.setup.lead
        if lead is None or not rnd.seating.out(lead):
            return
        if lead not in rnd.seats:
            sits_out(rnd, lead, tr("cannot start"))
            return
        say = tr("{name} is out and cannot start", name=rnd.names[lead])
        if lead in rnd.setup.standing:
            raise Impossible(say, MISTYPED)
        rnd.conflict(tr("{why} (another: lead NAME)", why=say), "lead")

    def view(self, rnd: Round) -> TableView:
        foul, form = rnd.table.foul, rnd.rules.lexicon.form
        levelled = form("sudden-death") if rnd.setup.levelled else None
        return TableView(TableFacts(rnd.names[foul] if foul >= 0 else None, levelled))

    def joins_finished_round(self, rnd: Round, entry: Entry) -> bool:
        if entry.word == "foul":
            return table_facts.is_only_noted(rnd, entry.value[0])
        if entry.word in ("holds", "hand") and rnd.decisions.due:
            return True
        if entry.word == "holds" and rnd.decisions.assumed:
            return True
        return entry.verb.late

    def chance(self, rnd: Round, luck: Luck) -> Iterator[Entry]:
        """The hands, one by one."""
        size = self.rules.deal_size(len(rnd.seats)) if rnd.has_hands else 0
        if rnd.acted or not size:
            return
        verb = next(verb for verb in self.verbs if verb.word == "hand")
        for seat in rnd.seats:
            if seat not in rnd.setup.hands:
                cards = self.rules.pack.kinds_in(rnd.hands.unseen)
                yield Entry(verb, None, (seat, tuple(sorted(luck.sample(cards, size)))))

    def apply(self, rnd: Round, entry: Entry) -> None:
        self._happens[entry.word](rnd, entry)


# --- what is shown


class TableFacts(NamedTuple):
    """The player whose foul has ended the round, and the word with which everyone went to the same
    tally before it; None for each that has not happened."""

    foul: str | None
    levelled: str | None


class TableView(View[TableFacts]):
    """What the table decided, as JSON."""

    __slots__ = ()

    def as_json(self) -> Json:
        foul = self.facts.foul
        return {} if foul is None else {"bindings": {"foul": foul}}

    def summary(self) -> Json:
        levelled = self.facts.levelled
        return {} if levelled is None else {"levelled": levelled}


# --- measures of every game


def of_everyone() -> Iterator[Measure]:
    """The measures of a game of any kind."""
    yield Measure("players", "how many take part in the match", lambda rnd, _: len(rnd.names))
    yield Measure("players.left", "how many are not out", lambda rnd, _: len(rnd.seating.playing()))
    yield Measure("rounds", "the number of this round, from 1", lambda rnd, _: rnd.number)
    yield Measure("tally.most", "the highest tally", lambda rnd, _: max(rnd.seating.tally))
    yield Measure("tally.limit", "the most a tally may be", lambda rnd, _: rnd.rules.tally["most"])
    yield Measure(
        "levelled",
        "whether everyone was ever set to the same tally",
        lambda rnd, _: rnd.has_kept("levelled"),
    )
    yield Measure("own.tally", "what stands on the sheet for them", _tally, OWN)
    yield Measure("own.dealer", "whether one of them deals", _deals, OWN)
    yield Measure("players()", "", _players)


def _tally(rnd: Round, subject: object) -> int:
    """The tally of a player, or of a side: once, where its players share it."""
    seats = seats_of(subject)
    if len(seats) == 1:
        return rnd.seating.tally[seats[0]]
    sharing = {rnd.seating.sharing(seat) for seat in seats}
    return sum(rnd.seating.tally[each[0]] for each in sharing)


def _deals(rnd: Round, subject: object) -> bool:
    return rnd.seating.dealer in seats_of(subject)


def _players(rnd: Round, _: object) -> list[Callable[[str], object]]:
    """For each player who takes part, how to read what is said of `each`."""

    def reading(seat: int) -> Callable[[str], object]:
        return rnd.reading(Own((seat,)))

    return [reading(seat) for seat in rnd.seating.playing()]


def of_cards(rules: Ruleset) -> Iterator[Measure]:
    """The measures of a game with cards."""
    pack = rules.pack

    def laid(rnd: Round, entry: Entry) -> int:
        return pack.of([kind for _, kinds in rules.from_hand(entry) for kind in kinds])

    def hand(rnd: Round, subject: object) -> int:
        hands, cards = rnd.hands, 0
        for seat in seats_of(subject):
            if not hands.is_known(seat):
                raise NotSeen(tr("the hand of {name} is not known", name=rnd.names[seat]))
            cards = pack.total_of(cards, hands.sure[seat])
        return cards

    def asked(rnd: Round, subject: object) -> Callable[[int], tuple[int, int, int]]:
        (seat,) = seats_of(subject)
        return lambda cards: (seat, cards & pack.full, 0)

    yield Measure("laid", "the cards of this act", laid, ACTOR, HEAP)

    def bounds(rnd: Round, seat: int, cards: int) -> tuple[int, int]:
        return rnd.hands.bounds(seat, cards)

    yield from hand_measure("hand", "the cards in the actor's hand", hand, asked, bounds)
    yield Measure("every()", "", lambda rnd, _: pack.full)
    yield Measure("together()", "", lambda rnd, _: pack.joined)
    yield Measure("suits()", "", lambda rnd, _: lambda cards: _like(pack, cards, pack.suit))
    yield Measure("ranks()", "", lambda rnd, _: lambda cards: _like(pack, cards, pack.rank))


def _like(pack: Pack, cards: int, what: tuple[str, ...]) -> int:
    """All cards with the same of what a card is made of as one of these."""
    found = {what[kind] for kind in range(pack.size) if cards >> kind & 1}
    found.discard("")
    return pack.spread(sum(pack.bit[kind] for kind in range(pack.size) if what[kind] in found))


# --- the clauses


@clause(
    "remark",
    "table",
    say=mark("{who}: worth a note"),
    doc="Says something about a legal entry: a note when the condition holds, never a refusal.",
    verdict=LEGAL,
    parameters={"when": Parameter("condition", "when the note is given")},
)
def _remark(row: Row, rules: Ruleset) -> Judge:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])
    facts_of = _facts_for_sentence(row, rules)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        get = rnd.reading(entry)
        return Breach(facts_of(entry, get)) if when(get) else None

    return judge


@clause(
    "until",
    "table",
    say=mark("{who} is too late: “{since}” came before"),
    doc=(
        "An entry of the verbs in `on` may be said until one of the verbs in `verbs` has been;"
        " in a round that begins in the middle it is too late."
    ),
    parameters={"verbs": Parameter("texts", "the verbs after which it is too late")},
)
def _until(row: Row, rules: Ruleset) -> Judge:
    verbs = tuple(row["verbs"])

    def judge(rnd: Round, entry: Entry) -> Outcome:
        since = rnd.earlier_entry(verbs)
        if rnd.positioned and not since:
            return Breach({"since": ""}, mark("that is over: the round began in the middle"))
        return Breach({"since": since}) if since else None

    return judge


@clause(
    "require",
    "table",
    say=mark("{who} may not do that"),
    unknown=mark("nobody knows yet whether {who} may do that"),
    doc=(
        "A condition that must hold for an entry of the verbs in `on`; it may ask about the actor's"
        " hand (`count(hand & trumps) == 0`)."
    ),
    parameters={"must": Parameter("condition", "what must hold")},
)
def _require(row: Row, rules: Ruleset) -> Judge:
    must = rules.expression(row["must"], f"{row['path']}.must", row["about"], asks=True)
    facts_of = _facts_for_sentence(row, rules)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        get = rnd.reading(entry)
        if must.asks:
            return _asked(must, get, lambda: facts_of(entry, get))
        return None if must(get) else Breach({"must": row["must"], **facts_of(entry, get)})

    return judge


def _asked(must: Expression, get: Get, facts: Callable[[], Facts]) -> Outcome:
    """What comes of a condition that asks about a hand: kept, broken, or what it needs of one."""
    try:
        found = must.asked(get)
    except NotSeen:
        return Unsure(facts())
    if isinstance(found, bool):
        return None if found else Breach(facts())
    found.facts = facts()
    return found


def _facts_for_sentence(row: Row, rules: Ruleset) -> Callable[[Entry, Get], Facts]:
    """What gives the facts for a clause's own sentence: the entry, and the measures that the
    sentence names in braces. A name that is nothing of these is a fault."""
    names = [piece.partition("}")[0] for piece in row["say"].split("{")[1:] if "}" in piece]
    measures = rules.measures_about(row["about"])
    for name in names:
        if name not in NAMED_ANYWAY and name not in measures:
            allowed = ", ".join([*NAMED_ANYWAY, *sorted(measures)])
            path = f"{row['path']}.say"
            rules.fault(path, name, allowed, f"{path} names what there is not: “{name}”")
    named = [name for name in names if name in measures]
    return lambda entry, get: {"entry": entry.text, **{name: get(name) for name in named}}


# --- the clause about the cards that a hand may hold


@clause(
    "held",
    "table",
    say=mark("{who} cannot have {card}: {why}"),
    doc="The cards of the verbs in `on` may be in that hand, by all that is known of the hands.",
    firm=True,
)
def _held(row: Row, rules: Ruleset) -> Judge:
    def judge(rnd: Round, entry: Entry) -> Outcome:
        can_hold = rnd.hands.can_hold
        hands = rules.from_hand(entry)
        for seat, kinds in hands:
            for kind in kinds:
                if can_hold(seat, kind) < 0:
                    return Breach(_missing(rnd, entry, seat, kind, 1))
            facts = _too_many(rnd, entry, seat, kinds) if len(kinds) > 1 else None
            if facts is not None:
                return Breach(facts)
        facts = _in_no_hand(rnd, entry, hands) if len(hands) > 1 else None
        return None if facts is None else Breach(facts)

    return judge


def _too_many(rnd: Round, entry: Entry, seat: int, kinds: tuple[int, ...]) -> Facts | None:
    """What is wrong with several cards out of one hand, each of which might be there."""
    knowledge, pack = rnd.hands, rnd.rules.pack
    for kind in set(kinds):
        count = kinds.count(kind)
        if count > 1 and knowledge.can_hold(seat, kind, count) < 0:
            return _missing(rnd, entry, seat, kind, count)
    size = knowledge.size(seat)
    if len(kinds) > size:
        why = plural(
            "these are {count} card, and by the counts that hand has {size}",
            "these are {count} cards, and by the counts that hand has {size}",
            len(kinds),
            size=size,
        )
        return _facts(rnd, seat, kinds[-1], why)
    unknown = pack.beyond(pack.of(kinds), knowledge.sure[seat])
    if unknown.bit_count() > knowledge.loose[seat]:
        why = tr("that hand is known")
        if loose := knowledge.loose[seat]:
            why = plural(
                "only {count} card of that hand is not known",
                "only {count} cards of that hand are not known",
                loose,
            )
        return _facts(rnd, seat, pack.kinds_in(unknown)[-1], why)
    return None


def _in_no_hand(rnd: Round, entry: Entry, hands: Hands) -> Facts | None:
    """What is wrong with cards out of several hands, each of which might have its own. Raises
    Impossible for more copies than there are."""
    knowledge, pack = rnd.hands, rnd.rules.pack
    unseen = knowledge.unseen
    for seat, kinds in hands:
        for kind in pack.kinds_in(pack.beyond(pack.of(kinds), knowledge.sure[seat])):
            if unseen & pack.column[kind]:
                unseen = pack.remove(unseen, kind)
                continue
            there = knowledge.in_play(kind)
            if sum(cards.count(kind) for _, cards in hands) > there:
                names = listed(rnd.names_of(other for other, cards in hands if kind in cards))
                say = plural(
                    "“{entry}”: {card} cannot come from {names}: there is one",
                    "“{entry}”: {card} cannot come from {names}: there is no more than {count}",
                    there,
                    entry=entry.text,
                    card=pack.kinds[kind],
                    names=names,
                )
                raise Impossible(say, MISTYPED)
            return _facts(rnd, seat, kind, tr("the others of it are in other hands"))
    return None


def _missing(rnd: Round, entry: Entry, seat: int, kind: int, count: int) -> Facts:
    """Why a seat cannot hold so many of a kind. Raises Impossible if they are out of all hands."""
    knowledge, pack = rnd.hands, rnd.rules.pack
    status, card = knowledge.can_hold(seat, kind, count), pack.kinds[kind]
    if status == IMPOSSIBLE:
        if count <= pack.copies:
            say = tr("{card} has left play or lies on the table", card=card)
        else:
            say = tr("{card} is not so often", card=card)
        raise Impossible(f"“{entry.text}”: {say}", tr("look for the entry that is mistyped"))
    if status == NO_HAND:
        known = knowledge.is_known(seat)
        return _facts(rnd, seat, kind, tr("their hand is known") if known else tr("by the counts"))
    holders = [other for other, sure in enumerate(knowledge.sure) if sure & pack.bit[kind]]
    names = listed(rnd.names_of(holders))
    why = (
        tr("{names} holds it", names=names)
        if len(holders) == 1
        else tr("{names} hold all of them", names=names or tr("others"))
    )
    return _facts(rnd, seat, kind, why)


def _facts(rnd: Round, seat: int, kind: int, why: str) -> Facts:
    """The facts of a card that cannot be in a hand: whose, why, and which cards are known there."""
    knowledge, pack = rnd.hands, rnd.rules.pack
    held = [pack.kinds[each] for each in pack.kinds_in(knowledge.sure[seat])]
    return {"who": rnd.names[seat], "card": pack.kinds[kind], "why": why, "known": held}
