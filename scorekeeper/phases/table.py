"""The entries that every game has: setup facts, corrections and results.

The phase is always present and runs during the whole round. `table_facts` contains the effects of
its entries. The phase also provides the measures of every game, and clause words for every phase.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.cards import longest_sequence, rank_ladders
from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import NUMBER, TRUTH, NotYetKnown
from scorekeeper.core.expressions.parser import EACH, ELEMENT, HEAP, LOOPS, RANK, SUIT
from scorekeeper.core.hands import NOT_IN_HAND, NOT_IN_PLAY, Breach, Unsure
from scorekeeper.core.messages import N_, join_list, plural, tr
from scorekeeper.core.rulings import LEGAL
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.measures import (
    OF_EACH,
    Owner,
    hand_measure,
    owner_of,
    owner_of_role,
    seats_of,
)
from scorekeeper.engine.phase import ACTOR, OWN, Measure, Phase, View
from scorekeeper.engine.scoring import Penalties
from scorekeeper.engine.seating import AFTER, INSTEAD
from scorekeeper.engine.setup import MISTYPED_HINT, refuse_sitting_out
from scorekeeper.engine.state import ContractBid
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import (
    SHORT_NUMBER,
    SHORT_NUMBERED_RESULT,
    SHORT_RESULT,
    Actor,
    EntryType,
    Timing,
)
from scorekeeper.notation.syntax import (
    Cards,
    CardsOrCount,
    KeyValues,
    NoValue,
    Number,
    OfPlayer,
    PlayerName,
    Points,
    Text,
)
from scorekeeper.phases import table_facts
from scorekeeper.phases.table_facts import MAX_POINTS
from scorekeeper.ruleset.tables import Parameter, suggest
from scorekeeper.ruleset.vocabulary import beside, clause

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.expressions import Expression, Lookup
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Json, Rng, Row
    from scorekeeper.engine.phase import Judge, Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset

    Hands = Sequence[tuple[int, tuple[int, ...]]]

ALWAYS_NAMED = ("who", "entry", "must")  # names in braces besides measures


@beside
class Table(Phase[None]):
    """The phase for facts about the table and for the table's decisions. `penalties` are the
    ruleset's penalty classes."""

    name = "table"
    doc = "Always present. Its entries concern the table itself: the dealer, hands, notes, results."
    concurrent = True
    row_tables = {
        "levelling": {
            "to": Parameter("int", "the tally that all remaining players get"),
            "cite": Parameter("text", "the paragraph of the rule text"),
        },
        "result": {
            "number": Parameter(
                "text", "the key of a `result` that is set if only a number is entered", ""
            ),
            "usual": Parameter(
                "table",
                "values that complete a `result` which begins with a number, unless it states "
                "them itself",
                {},
            ),
            "together": Parameter(
                "texts", "keys that must name two players if `usual` values are added", []
            ),
            "form": Parameter(
                "texts",
                "the keys of a `result` whose values players type in this order without the keys:"
                " `contract` and `declarer` (before them `bid` if bids have numbers), or `side`;"
                " then one or more of `points`, `tricks`, `holdings` and the special points with"
                " `told`; or `each bid tricks`; or `winner score`, which means `score`",
                [],
            ),
            "every": Parameter(
                "texts",
                "words that may replace the points or tricks in `form`: every trick was won",
                [],
            ),
            "book": Parameter(
                "int",
                "the tricks that a bid does not count: with it the tricks in `form` are `=`, `+1`"
                " or `-2`, above or below the bid",
                0,
                bounds=(0, untrusted.MAX_CARDS),
            ),
            "melds": Parameter(
                "texts",
                "words after which a player and the points of their side's announcements follow",
                [],
            ),
            "sums": Parameter(
                "table",
                "words after which a player and a number follow: how often their side has these"
                " special points in all",
                {},
            ),
            "steps": Parameter(
                "ints", "the numbers of which each number in `sums` is a sum (empty: any)", []
            ),
            "scores": Parameter(
                "ints", "what a deal can be worth, for a `form` that ends with `score`", []
            ),
            "passed": Parameter(
                "texts", "words for a deal without a bid, which `form` accepts alone", []
            ),
        },
        "values": {
            "for": Parameter(
                "name",
                (
                    "whose value it is: `each` player's, with the name `own.NAME`, or that of a "
                    "role, with the name `NAME`"
                ),
                EACH,
            ),
            "is": Parameter("number", "the value, in which `own` is that player", natural=True),
            "at": Parameter(
                "text",
                "an act, or a word of `[calls]` or `say`, with which a player fixes the value "
                "`NAME`; `own` is that player, and the value is 0 before (default: it is never "
                "fixed)",
                "",
            ),
        },
        "penalties": {
            "culprit": Parameter("number", "points for the culprit"),
            "others": Parameter("number", "points for each of the others", "0"),
            "declarer": Parameter(
                "number",
                "points for a player who is publicly alone on the declaring side, if the "
                "culprit plays against them (default: as for `others`)",
                "",
            ),
            "cite": Parameter("text", "the paragraph of the rule text"),
        },
    }
    single_tables = ("levelling", "result")
    reports = {"levelled": "the word with which all tallies were made equal before the round"}
    entry_types = (
        EntryType(
            "dealer",
            PlayerName(),
            N_("the player who deals this round"),
            by=Actor.TABLE,
            when=Timing.SETUP,
        ),
        EntryType(
            "lead", PlayerName(), N_("the player who starts"), by=Actor.TABLE, when=Timing.SETUP
        ),
        EntryType(
            "hand",
            OfPlayer(CardsOrCount()),
            N_("all cards of a hand, or their number"),
            by=Actor.TABLE,
            when=Timing.SETUP,
            can_batch=True,
            apply_batch=table_facts.place_hands,
        ),
        EntryType(
            "holds",
            OfPlayer(Cards()),
            N_("cards seen in a hand, at any time"),
            by=Actor.TABLE,
            when=Timing.SETUP | Timing.ALWAYS,
        ),
        EntryType(
            "standing",
            OfPlayer(Number(-MAX_POINTS, MAX_POINTS)),
            N_("a player's tally"),
            by=Actor.TABLE,
            when=Timing.SETUP,
        ),
        EntryType(
            "check",
            OfPlayer(Points(-MAX_POINTS, MAX_POINTS)),
            N_("a side's points so far"),
            by=Actor.TABLE,
            when=Timing.AFTER | Timing.ALWAYS,
        ),
        EntryType(
            "note",
            Text(),
            N_("anything worth writing down"),
            by=Actor.TABLE,
            when=Timing.AFTER | Timing.ALWAYS,
            is_text=True,
        ),
        EntryType(
            "void",
            Text(),
            N_("this round does not count"),
            by=Actor.TABLE,
            when=Timing.ALWAYS,
            is_text=True,
        ),
        EntryType(
            "foul",
            OfPlayer(Text()),
            N_("a player cheated"),
            by=Actor.TABLE,
            when=Timing.ALWAYS,
            is_text=True,
        ),
        EntryType(
            "penalty",
            OfPlayer(table_facts.PenaltySyntax()),
            N_("a deduction of points, by penalty class or as a number"),
            by=Actor.TABLE,
            when=Timing.ALWAYS,
            is_text=True,
        ),
        EntryType(
            "result",
            KeyValues(),
            N_("the outcome of the round"),
            by=Actor.TABLE,
            short_form=SHORT_NUMBERED_RESULT,
        ),
        EntryType(
            "score",
            table_facts.ScoreSyntax(),
            N_("a separate round, entered only by its score"),
            by=Actor.TABLE,
        ),
        EntryType(
            "sudden-death",
            NoValue(),
            N_("sets all tallies to the same number"),
            by=Actor.TABLE,
            when=Timing.SETUP,
        ),
        EntryType(
            "joins",
            table_facts.JoinsSyntax(),
            N_("a player joins between rounds, either after another player or in their place"),
            by=Actor.TABLE,
            when=Timing.SETUP,
        ),
        EntryType(
            "quits",
            table_facts.LeaverSyntax(),
            N_("a player leaves the table between rounds"),
            by=Actor.TABLE,
            when=Timing.SETUP,
        ),
        EntryType(
            "seats",
            table_facts.OrderSyntax(),
            N_("the new order of all seats, between rounds"),
            by=Actor.TABLE,
            when=Timing.SETUP,
        ),
        EntryType(
            "end",
            NoValue(),
            N_("the match ends here"),
            by=Actor.TABLE,
            when=Timing.AFTER | Timing.ALWAYS,
        ),
    )

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.penalties: Penalties  # set by `link`
        self.values: dict[str, Expression] = {}  # filled by `link`
        self._acts: Mapping[str, Callable[[Round, Entry], None]] = {
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
        for name, row in self.rules.section("values").items():
            role = "" if row["for"] == EACH else row["for"]
            if row["at"]:
                doc = f"the value {name} when {row['at']} was said, or 0"
                yield Measure(name, doc, _read_remembered(name), "")
                continue
            doc = f"the value {name}" + (f" of the role {role}" if role else "")
            of, about = ("", "") if role else ("own.", OWN)
            yield Measure(f"{of}{name}", doc, self._value(name, role), about)
        yield from general_measures()
        if self.rules.pack.card_count:
            yield from card_measures(self.rules)

    def _value(self, name: str, role: str) -> Reader:
        """Return a function that computes a named value whenever it is called."""
        if role:
            return lambda rnd, _: self.values[name].value_in(rnd, owner_of_role(rnd, role))
        return lambda rnd, subject: self.values[name].value_in(rnd, owner_of(subject))

    def _link_values(self) -> None:
        """Compile the named values. Report unknown roles, and values that depend on themselves."""
        rules = self.rules
        roles = (EACH, *sorted(rules.measures.roles))
        for name, row in rules.section("values").items():
            where, owner = f"values.{name}", row["for"]
            if owner not in roles:
                message = f"{where}.for is not a role"
                rules.fault(f"{where}.for", owner, ", ".join(roles), message)
            self.values[name] = rules.compile_expression(
                row["is"], f"{where}.is", (OWN,), kind=NUMBER
            )
            if row["at"]:
                self._fix_value(name, row)
        for name in self.values:
            if name in self._values_behind(name):
                where = f"values.{name}.is"
                rules.fault(where, name, "other measures", f"{where}: the value depends on itself")

    def _fix_value(self, name: str, row: Row) -> None:
        """Let an act of a player fix a value. Report an error if the row's `at` is neither the verb
        of such an act nor a word used in one."""
        rules, where, at = self.rules, f"values.{name}", row["at"]
        acts = {w: act for w, act in rules.entry_types.items() if not act.is_table_entry}
        known = {*acts, *(word for act in acts.values() for word in act.syntax.words_named)}
        if at not in known:
            message = f"{where}.at is no act of a player, and no word that a player can say"
            rules.fault(f"{where}.at", at, suggest(at, known), message)
        if row["for"] != EACH:
            message = f"{where}: a value that an act fixes is for no role"
            rules.fault(f"{where}.for", row["for"], EACH, message)
        rules.values_at.setdefault(at, []).append((name, self.values[name]))

    def _values_behind(self, name: str) -> set[str]:
        """Return the named values on which a value depends."""
        found, left = set[str](), [name]
        while left:
            for used in self.values[left.pop()].names:
                other = used.rpartition(".")[2]
                if other in self.values and other not in found:
                    found.add(other)
                    left.append(other)
        return found

    def link(self) -> None:
        self._link_values()
        self.penalties = Penalties(self.rules)
        row = self.rules.table("result")
        self.shorthands = (SHORT_NUMBER, SHORT_RESULT) if row["number"] else (SHORT_RESULT,)
        self.short_form = None
        if row["form"]:
            # imported here because few rulesets need it
            from scorekeeper.phases.table_forms import check_form, short_form_type

            check_form(self.rules)
            self.short_form = short_form_type(self.rules)
            self.shorthands = (self.short_form, *self.shorthands)

    def words(self) -> Iterable[tuple[str, str]]:
        sums = self.rules.table("result")["sums"]
        words = (AFTER, INSTEAD, *self.rules.section("penalties"), *sums)
        return [(name, name) for name in words]

    def interpret(self, rnd: Round, entry: Entry) -> Iterator[Entry]:
        """Yield the results that an entry without its verb may mean.

        A number alone is a result if it is entered before the first act. The ruleset's usual values
        are then added to it.
        """
        if entry.type is self.short_form and not rnd.over:
            scored = isinstance(entry.type.syntax, table_facts.ScoreSyntax)
            verb = self.rules.entry_types["score" if scored else "result"]
            yield Entry(verb, None, entry.value)
        if entry.type not in (SHORT_NUMBER, SHORT_NUMBERED_RESULT, SHORT_RESULT) or rnd.over:
            return
        row, numbered = self.rules.table("result"), not entry.value[0][0]
        if numbered and not row["number"]:
            return
        if not numbered or len(entry.value) > 1 or not rnd.acted:
            said = table_facts.expand_result(row, entry.value, usual=not rnd.acted)
            yield Entry(self.rules.entry_types["result"], None, said)

    def begin(self, rnd: Round) -> None:
        if rnd.setup.is_levelled:
            rnd.carry_over("levelled", True)
            levelling = self.rules.table("levelling")
            for seat in rnd.seating.playing():
                lost = levelling["to"] - rnd.seating.tally[seat]
                rnd.add_line("sudden-death", (seat,), lost, levelling["cite"])
        for charge in rnd.setup.charges:
            rnd.add_line(*charge)

    def check_start(self, rnd: Round) -> None:
        lead = rnd.setup.lead
        if lead is None or not rnd.seating.is_out(lead):
            return
        if lead not in rnd.seats:
            refuse_sitting_out(rnd, lead, tr("cannot start"))
            return
        message = tr("{name} is out and cannot start", name=rnd.names[lead])
        if lead in rnd.setup.standing:
            raise Impossible(message, MISTYPED_HINT)
        rnd.add_conflict(tr("{why}; to name another player, enter: lead NAME", why=message), "lead")

    def view(self, rnd: Round) -> TableView:
        foul, form = rnd.table.foul, rnd.rules.lexicon.write_word
        levelled = form("sudden-death") if rnd.setup.is_levelled else None
        return TableView(TableFacts(rnd.names[foul] if foul >= 0 else None, levelled))

    def may_follow(self, rnd: Round, entry: Entry) -> bool:
        if entry.word == "foul":
            return table_facts.is_only_noted(rnd, entry.value[0])
        if entry.word in ("holds", "hand") and rnd.decisions.due:
            return True
        if entry.word == "holds" and rnd.decisions.assumed:
            return True
        return entry.type.may_follow_round

    def chance(self, rnd: Round, rng: Rng) -> Iterator[Entry]:
        """Yield an entry with random cards for each unknown hand."""
        size = rnd.deal_size if rnd.has_hands else 0
        if rnd.acted or not size:
            return
        verb = next(verb for verb in self.entry_types if verb.word == "hand")
        for seat in rnd.seats:
            if seat not in rnd.setup.hands:
                cards = self.rules.pack.kinds_in(rnd.hands.unseen)
                yield Entry(verb, None, (seat, tuple(sorted(rng.sample(cards, size)))))

    def apply(self, rnd: Round, entry: Entry) -> None:
        self._acts[entry.word](rnd, entry)


# --- view


class TableFacts(NamedTuple):
    """Two decisions of the table.

    `foul` is the player whose foul ended the round, or None. `levelled` is the word with which all
    tallies were made equal before the round, or None.
    """

    foul: str | None
    levelled: str | None


class TableView(View[TableFacts]):
    """The table's decisions as JSON."""

    __slots__ = ()

    def as_json(self) -> Json:
        foul = self.facts.foul
        return {} if foul is None else {"bindings": {"foul": foul}}

    def summary(self) -> Json:
        levelled = self.facts.levelled
        return {} if levelled is None else {"levelled": levelled}


# --- measures of every game


def general_measures() -> Iterator[Measure]:
    """Yield the measures that every game has."""
    yield Measure("players", "the number of players in the match", lambda rnd, _: len(rnd.names))
    yield Measure(
        "players.left",
        "the number of players who are not out",
        lambda rnd, _: len(rnd.seating.playing()),
    )
    yield Measure("rounds", "the number of this round, from 1", lambda rnd, _: rnd.number)
    yield Measure("tally.most", "the highest tally", lambda rnd, _: max(rnd.seating.tally))
    yield Measure("tally.limit", "the maximum tally", lambda rnd, _: rnd.rules.tally["most"])
    yield Measure(
        "levelled",
        "whether all tallies have ever been made equal",
        lambda rnd, _: rnd.has_carried("levelled"),
        kind=TRUTH,
    )
    yield Measure("own.tally", "their tally on the sheet", _tally, OWN)
    yield Measure("own.dealer", "whether one of these players deals", _is_dealer, OWN, kind=TRUTH)
    yield Measure("own.place", "their steps from the dealer, 0 for the dealer", _place, OWN)
    yield Measure("own.seat", "their place in the order of the players, from 1", _seat, OWN)
    yield Measure("players()", "", _players)


def _tally(rnd: Round, subject: object) -> int:
    """Return the tally of a player or a side. A shared tally counts once."""
    seats = seats_of(subject)
    if len(seats) == 1:
        return rnd.seating.tally[seats[0]]
    sharing = {rnd.seating.sharing_seats(seat) for seat in seats}
    return sum(rnd.seating.tally[each[0]] for each in sharing)


def _is_dealer(rnd: Round, subject: object) -> bool:
    return rnd.seating.dealer in seats_of(subject)


def _only_seat(subject: object) -> int:
    """Return the seat of a single player. Raises LookupError for a side of several players."""
    seats = seats_of(subject)
    if len(seats) > 1:
        raise LookupError
    return seats[0]


def _place(rnd: Round, subject: object) -> int:
    """Return how often the turn passes from the dealer until it reaches a player."""
    seat, at, steps = _only_seat(subject), rnd.seating.dealer, 0
    while at != seat and steps < len(rnd.names):
        at, steps = rnd.seating.next_seat(at, rnd.seating.step), steps + 1
    return steps


def _seat(rnd: Round, subject: object) -> int:
    return _only_seat(subject) + 1


def _players(rnd: Round, _: object) -> list[Callable[[str], object]]:
    """Return, for each player who takes part, a function that reads the player's `each.…` names."""

    def reading(seat: int) -> Callable[[str], object]:
        return rnd.reading(Owner((seat,)))

    return [reading(seat) for seat in rnd.seating.playing()]


def _called_cards(entry: Entry) -> tuple[int, ...]:
    """Return the kinds of card that a bid or a call names. They stay where they are."""
    value = entry.value
    if not isinstance(value, tuple) or not value:
        return ()
    bids = [each for each in (value, value[-1]) if isinstance(each, ContractBid)]
    return bids[0].cards if bids else value


def card_measures(rules: Ruleset) -> Iterator[Measure]:
    """Yield the measures of a card game."""
    pack = rules.pack

    def laid(rnd: Round, entry: Entry) -> int:
        called = _called_cards(entry) if rules.phase_of[entry.type.word].calls_cards else ()
        moved = (kind for _, kinds in rules.hand_cards(entry) for kind in kinds)
        return pack.hand_of([*called, *moved])

    def hand(rnd: Round, subject: object) -> int:
        hands, cards = rnd.hands, 0
        for seat in seats_of(subject):
            if not hands.is_known(seat):
                raise NotYetKnown(tr("the hand of {name} is not known", name=rnd.names[seat]))
            cards = pack.combine(cards, hands.known[seat])
        return cards

    def asked(rnd: Round, subject: object) -> Callable[[int], tuple[int, int, int]]:
        (seat,) = seats_of(subject)
        return lambda cards: (seat, cards & pack.full, 0)

    yield Measure("laid", "the cards of the entry, also those that it calls", laid, ACTOR, HEAP)

    def bounds(rnd: Round, seat: int, cards: int) -> tuple[int, int]:
        return rnd.hands.bounds(seat, cards)

    yield from hand_measure("hand", "the cards in the actor's hand", hand, asked, bounds)
    yield Measure("every()", "", lambda rnd, _: pack.full)
    yield Measure("together()", "", lambda rnd, _: pack.combine_capped)
    yield Measure(
        "suits()", "", lambda rnd, _: lambda cards: _cards_sharing(pack, cards, pack.suit)
    )
    yield Measure(
        "ranks()", "", lambda rnd, _: lambda cards: _cards_sharing(pack, cards, pack.rank)
    )
    ladders = rank_ladders(pack)
    yield Measure("sequence()", "", lambda rnd, _: lambda cards: longest_sequence(ladders, cards))
    for name, what in ((SUIT, pack.suit), (RANK, pack.rank)):
        yield from _each_of(pack, name, what)


def _each_of(pack: Pack, name: str, what: tuple[str, ...]) -> Iterator[Measure]:
    """Yield the measures for loops over the suits or ranks. `what` has the suit or rank of each
    card kind."""
    values = dict.fromkeys(filter(None, what))
    masks = [
        pack.all_copies(sum(pack.bit[k] for k, each in enumerate(what) if each == value))
        for value in values
    ]
    doc = f"the cards of each {name} in turn, inside any(…), most(…) and their like"
    yield Measure(name, doc, lambda rnd, _: masks, OF_EACH, ELEMENT)
    yield Measure(LOOPS[name], "", lambda rnd, _: masks)


def _cards_sharing(pack: Pack, cards: int, what: tuple[str, ...]) -> int:
    """Return all cards that have the suit or rank of one of these cards. `what` has the suit or
    rank of each card kind."""
    values = {what[kind] for kind in range(pack.kind_count) if cards >> kind & 1}
    values.discard("")
    return pack.all_copies(
        sum(pack.bit[kind] for kind in range(pack.kind_count) if what[kind] in values)
    )


# --- the clauses


@clause(
    "remark",
    "table",
    say=N_("the rules ask for a note about {who}"),
    doc="Adds a note to a legal entry if `when` is true. The clause never refuses an entry.",
    verdict=LEGAL,
    parameters={"when": Parameter("condition", "condition under which the note is added")},
)
def _remark(row: Row, rules: Ruleset) -> Judge:
    when = rules.compile_expression(row["when"], f"{row['path']}.when", row["about"])
    facts_of = _facts_for_sentence(row, rules)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        get = rnd.reading(entry)
        return Breach(facts_of(entry, get)) if when(get) else None

    return judge


@clause(
    "until",
    "table",
    say=N_("it is too late for {who} to do that, because “{since}” has been entered"),
    doc=(
        "An entry with a verb in `on` must precede any entry with a verb in `verbs`. If the "
        "recording begins in the middle of the round, it is too late for such an entry."
    ),
    parameters={"verbs": Parameter("texts", "the verbs of the entries after which it is too late")},
)
def _until(row: Row, rules: Ruleset) -> Judge:
    verbs = tuple(row["verbs"])

    def judge(rnd: Round, entry: Entry) -> Outcome:
        since = rnd.first_entry_text(verbs)
        if rnd.starts_midway and not since:
            return Breach(
                {"since": ""},
                N_("it is too late, because the recording began in the middle of the round"),
            )
        return Breach({"since": since}) if since else None

    return judge


@clause(
    "require",
    "table",
    say=N_("{who} may not do that"),
    unknown=N_("it is not yet known whether {who} may do that"),
    doc=(
        "An entry with a verb in `on` is legal only if the condition `must` is true. The "
        "condition may ask about the actor's hand (`count(hand & trumps) == 0`)."
    ),
    parameters={"must": Parameter("condition", "condition that must hold")},
)
def _require(row: Row, rules: Ruleset) -> Judge:
    must = rules.compile_expression(row["must"], f"{row['path']}.must", row["about"], asks=True)
    facts_of = _facts_for_sentence(row, rules)
    phases = [rules.phase_of[verb] for verb in row["on"] if verb in rules.phase_of]
    if "called" in must.names and phases and all(phase.calls_cards for phase in phases):
        path = f"{row['path']}.must"
        why = f"no card is called yet when “{row['on'][0]}” is judged"
        rules.fault(path, "called", "laid, the card of the entry", f"{path}: {why}")

    def judge(rnd: Round, entry: Entry) -> Outcome:
        get = rnd.reading(entry)
        if must.is_about_hand:
            return _judge_question(must, get, lambda: facts_of(entry, get))
        return None if must(get) else Breach({"must": row["must"], **facts_of(entry, get)})

    return judge


def _judge_question(must: Expression, get: Lookup, facts: Callable[[], Facts]) -> Outcome:
    """Judge a condition about a hand: return None, a breach, or a claim about the hand that decides
    it."""
    try:
        answer = must.evaluate_claim(get)
    except NotYetKnown:
        return Unsure(facts())
    if isinstance(answer, bool):
        return None if answer else Breach(facts())
    answer.facts = facts()
    return answer


def _facts_for_sentence(row: Row, rules: Ruleset) -> Callable[[Entry, Lookup], Facts]:
    """Return a function that collects the facts for a sentence that a ruleset defines for a clause.

    The facts are the entry and the measures that the sentence names in braces. Names that are not
    measures are reported.
    """
    names = [piece.partition("}")[0] for piece in row["say"].split("{")[1:] if "}" in piece]
    measures = rules.measures_about(row["about"])
    for name in names:
        if name not in ALWAYS_NAMED and name not in measures:
            allowed = ", ".join([*ALWAYS_NAMED, *sorted(measures)])
            path = f"{row['path']}.say"
            rules.fault(path, name, allowed, f"{path} names an unknown measure: “{name}”")
    named = [name for name in names if name in measures]
    return lambda entry, get: {"entry": entry.text, **{name: get(name) for name in named}}


# --- the clause about the cards that a hand may hold


@clause(
    "held",
    "table",
    say=N_("{who} cannot hold {card}: {why}"),
    doc=(
        "A hand must be able to contain the cards in an entry with a verb in `on`, given "
        "everything that is known about the hands."
    ),
    fixed_severity=True,
)
def _held(row: Row, rules: Ruleset) -> Judge:
    def judge(rnd: Round, entry: Entry) -> Outcome:
        can_hold = rnd.hands.can_hold
        hands = rules.hand_cards(entry)
        for seat, kinds in hands:
            for kind in kinds:
                if can_hold(seat, kind) < 0:
                    return Breach(_absence_facts(rnd, entry, seat, kind, 1))
            facts = _excess_facts(rnd, entry, seat, kinds) if len(kinds) > 1 else None
            if facts is not None:
                return Breach(facts)
        facts = _clash_facts(rnd, entry, hands) if len(hands) > 1 else None
        return None if facts is None else Breach(facts)

    return judge


def _excess_facts(rnd: Round, entry: Entry, seat: int, kinds: tuple[int, ...]) -> Facts | None:
    """Return the reason why one hand cannot contain all these cards, or None if it can. The caller
    must have checked each card separately."""
    knowledge, pack = rnd.hands, rnd.rules.pack
    for kind in set(kinds):
        count = kinds.count(kind)
        if count > 1 and knowledge.can_hold(seat, kind, count) < 0:
            return _absence_facts(rnd, entry, seat, kind, count)
    size = knowledge.size(seat)
    if len(kinds) > size:
        why = plural(
            "{count} card was entered, but the hand has {size}",
            "{count} cards were entered, but the hand has {size}",
            len(kinds),
            size=size,
        )
        return _card_facts(rnd, seat, kinds[-1], why)
    unknown = pack.subtract(pack.hand_of(kinds), knowledge.known[seat])
    if unknown.bit_count() > knowledge.unknown_count[seat]:
        why = tr("that hand is known")
        if loose := knowledge.unknown_count[seat]:
            why = plural(
                "only {count} card of that hand is unknown",
                "only {count} cards of that hand are unknown",
                loose,
            )
        return _card_facts(rnd, seat, pack.kinds_in(unknown)[-1], why)
    return None


def _clash_facts(rnd: Round, entry: Entry, hands: Hands) -> Facts | None:
    """Return the reason why several hands cannot contain all these cards, or None if they can.

    The caller must have checked each hand separately. Raises Impossible if more copies of a card
    are claimed than are in play.
    """
    knowledge, pack = rnd.hands, rnd.rules.pack
    unseen = knowledge.unseen
    for seat, kinds in hands:
        for kind in pack.kinds_in(pack.subtract(pack.hand_of(kinds), knowledge.known[seat])):
            if unseen & pack.column[kind]:
                unseen = pack.remove(unseen, kind)
                continue
            there = knowledge.copies_in_play(kind)
            if sum(cards.count(kind) for _, cards in hands) > there:
                names = join_list(rnd.names_of(other for other, cards in hands if kind in cards))
                message = plural(
                    "“{entry}”: {card} cannot come from {names}, because there is only {count}",
                    "“{entry}”: {card} cannot come from {names}, because there are only {count}",
                    there,
                    entry=entry.text,
                    card=pack.kinds[kind],
                    names=names,
                )
                raise Impossible(message, MISTYPED_HINT)
            return _card_facts(rnd, seat, kind, tr("the other copies are in other hands"))
    return None


def _absence_facts(rnd: Round, entry: Entry, seat: int, kind: int, count: int) -> Facts:
    """Return the reason why a seat cannot hold `count` cards of a kind. Raises Impossible if the
    cards are in no hand."""
    knowledge, pack = rnd.hands, rnd.rules.pack
    status, card = knowledge.can_hold(seat, kind, count), pack.kinds[kind]
    if status == NOT_IN_PLAY:
        if count <= pack.copies:
            message = tr("{card} is out of play or on the table", card=card)
        else:
            message = tr("there are not enough copies of {card}", card=card)
        raise Impossible(f"“{entry.text}”: {message}", tr("look for a mistyped entry"))
    if status == NOT_IN_HAND:
        known = knowledge.is_known(seat)
        return _card_facts(
            rnd,
            seat,
            kind,
            tr("their hand is known") if known else tr("the card counts rule it out"),
        )
    holders = [other for other, sure in enumerate(knowledge.known) if sure & pack.bit[kind]]
    names = join_list(rnd.names_of(holders))
    why = (
        tr("{names} holds it", names=names)
        if len(holders) == 1
        else tr("{names} hold all of them", names=names or tr("others"))
    )
    return _card_facts(rnd, seat, kind, why)


def _card_facts(rnd: Round, seat: int, kind: int, why: str) -> Facts:
    """Return the facts about a card that cannot be in a hand: the player, the reason and the cards
    known to be there."""
    knowledge, pack = rnd.hands, rnd.rules.pack
    held = [pack.kinds[each] for each in pack.kinds_in(knowledge.known[seat])]
    return {"who": rnd.names[seat], "card": pack.kinds[kind], "why": why, "known": held}


def _read_remembered(name: str) -> Reader:
    """Return a function that reads a value fixed by an act. The value is 0 before that act."""

    def read(rnd: Round, _: object) -> float:
        value = rnd.remembered.get(name, 0)
        if value is None:
            raise NotYetKnown(
                tr("the value of {name} was not yet known at the entry that fixed it", name=name)
            )
        return value

    return read
