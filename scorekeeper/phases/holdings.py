"""The phase of combinations that are announced, shown or only named, and its clauses.

A combination scores points or has an effect. The rows of `[holdings]`, and what was announced, are
in `holdings_state`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.expressions import ExpressionError, NotSeen
from scorekeeper.core.hands import POSSIBLE, AllOf, AnyOf, Breach, Claim, Unsure
from scorekeeper.core.messages import mark, times, tr
from scorekeeper.engine.measures import Own, seats_of
from scorekeeper.engine.phase import OWN, Coverage, Measure, Phase, ResultPart, actor_of
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Verb
from scorekeeper.notation.syntax import seat_named
from scorekeeper.phases.holdings_state import (
    ROW,
    WORTH,
    Announced,
    Holding,
    HoldingRow,
    HoldingsView,
    NamedSyntax,
    ShownSyntax,
    State,
    Way,
    counting,
    undecided,
)
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.engine.phase import Judge, Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset

LAID = "recorded()"  # the measure of tricks that names the recorded cards a player has laid
BOTH = ("announce", "show")


def _announce(names: Iterable[str]) -> Verb:
    return Verb("announce", NamedSyntax(names), mark("announces what they hold"), implicit=True)


@phase
class Holdings(Phase[State], ResultPart, Coverage):
    """Cards that are announced for points or for their effect."""

    name = "holdings"
    doc = (
        "Beside play: cards that are announced, by the name of a row of `[holdings]` or shown"
        " (`show`: the first row that they make). What is only named is a claim about the hand."
        " Cards that are shown later belong to what their player named before. Once announced, the"
        " name of a row whose cards are all the same stands for them in patterns, `{NAME}`."
    )
    beside = True
    tables = ("pack", "deal", "holdings")
    others = ("tricks",)
    sections = {"holdings": ROW}
    coverage_tables = ("holdings",)
    verbs: tuple[Verb, ...] = (
        _announce(()),
        Verb("show", ShownSyntax(), mark("shows cards that they hold"), cards=True),
    )
    reports = {
        "announced": "what was announced, by whom",
        "player.announced": "what a player announced",
    }
    named = ("announced",)

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.verbs = (_announce(rules.section("holdings")), Holdings.verbs[1])
        self.rows: dict[str, HoldingRow] = {}  # compiled by `link`
        self._made: dict[str, dict[tuple[int, ...], HoldingRow]] = {}  # by the trump, then by cards

    def link(self) -> None:
        rows = self.rules.section("holdings").items()
        self.rows = {
            name: HoldingRow(name, place, row, self.rules) for place, (name, row) in enumerate(rows)
        }

    def words(self) -> Iterable[tuple[str, str]]:
        return [(name, name) for name in self.rules.section("holdings")]

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        cards = {name: row["cards"] for name, row in self.rules.section("holdings").items()}
        return {name: each[:1] for name, each in cards.items() if _is_of_one_kind(each)}

    # --- measures

    def named_measures(self) -> Iterator[Measure]:
        yield Measure("own.turn", "whether one of them is waited for", _in_turn, OWN)
        for name in (*self.rules.section("holdings"), WORTH):
            what = "the points of what they announced" if name == WORTH else f"how many {name}"
            yield Measure(f"own.{name}", what, self._own(name), OWN)
            if name != WORTH:
                said = f"whether anybody has announced {name}"
                yield Measure(f"announced.{name}", said, self._announced(name))

    def _own(self, name: str) -> Reader:
        return lambda rnd, subject: self.has(rnd, seats_of(subject), name)

    def _announced(self, name: str) -> Reader:
        return lambda rnd, _: any(each.name == name for each in rnd.state(self).announced)

    def has(self, rnd: Round, seats: Sequence[int], name: str) -> int:
        """Return how many announcements of a row count for these seats, or the points of all of
        them."""
        found = counting(rnd, self.rows, rnd.state(self).announced)
        own = [each for each in found if each.seat in seats]
        if name != WORTH:
            return sum(each.name == name for each in own)
        return sum(
            int(rnd.evaluate(self.rows[each.name].points, Own((each.seat,))))
            if each.points is None
            else each.points
            for each in own
        )

    def _worth(self, rnd: Round, row: HoldingRow, seat: int) -> int | None:
        """Return the current points of a row; None if an expression has no value yet."""
        try:
            return int(row.points.of(rnd, Own((seat,))))
        except ExpressionError:
            return None

    # --- what is meant

    def begin(self, rnd: Round) -> State:
        return State()

    def meant(self, rnd: Round, entry: Entry) -> HoldingRow:
        """Return the row that an entry means. Raise Impossible for cards that do not make the named
        row, or any row, and for a row that must be entered with its cards."""
        name, cards = entry.value
        if name and not cards:
            row = self.rows[name]
            if not self._may_be_named(rnd, row):
                form = f"{rnd.rules.spoken('show')} CARD…"
                raise Impossible(
                    tr("“{text}”: the cards must be shown or named", text=entry.text), form
                )
            return row
        made = self.rows[name] if name else self._made_of(rnd, cards)
        if made is not None and (not name or made.way_of(rnd, cards) is not None):
            return made
        rows = [rnd.rules.spoken(each) for each in ([name] if name else self.rows)]
        raise Impossible(
            tr("“{text}”: these cards are no {rows}", text=entry.text, rows=tr(" or ").join(rows))
        )

    def _made_of(self, rnd: Round, cards: Sequence[int]) -> HoldingRow | None:
        """Return the first row that these cards make. Cache cards that can make only one."""
        known, these = self._made.setdefault(rnd.table.trump, {}), tuple(sorted(cards))
        if these in known:
            return known[these]
        for row in self.rows.values():
            way = row.way_of(rnd, these)
            if way is not None:
                if way.kinds:
                    known[these] = row
                return row
        return None

    def _may_be_named(self, rnd: Round, row: HoldingRow) -> bool:
        """Return whether a row may be announced without cards, or has only one choice of them."""
        ways = row.ways(rnd)
        return not row.shown or (len(ways) == 1 and bool(ways[0].kinds))

    def attaches(self, rnd: Round, entry: Entry, row: HoldingRow) -> bool:
        """Return whether the cards complete an announcement that was made by name alone."""
        earlier = rnd.state(self).unshown(actor_of(entry), row.name)
        return bool(entry.value.cards) and earlier is not None

    # --- what happens

    def from_hand(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        cards = entry.value.cards
        return ((entry.seat, cards),) if cards and entry.seat is not None else ()

    def shown(self, rnd: Round, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        return self.from_hand(entry)

    def joins_finished_round(self, rnd: Round, entry: Entry) -> bool:
        """Return whether the holding may be announced with the last card laid."""
        name = entry.value.name
        return bool(name) and self.rows[name].laid and not rnd.void

    def options(self, rnd: Round) -> Iterator[Entry]:
        announce, show = self.verbs
        for row in self.rows.values():
            named, ways = self._may_be_named(rnd, row), row.ways(rnd)
            for seat in rnd.seats:
                if named and ways:
                    yield Entry(announce, seat, Holding(row.name, ()))
                    continue
                for way in ways:
                    if way.kinds and _may_hold(rnd, seat, way):
                        yield Entry(show, seat, Holding("", way.kinds))

    def extra_attempts(self, rnd: Round) -> Iterator[Entry]:
        for row in self.rows.values():
            for seat in rnd.seats:
                for cards in row.in_hand(rnd, rnd.hands.sure[seat]):
                    yield Entry(self.verbs[1], seat, Holding("", cards))

    def apply(self, rnd: Round, entry: Entry) -> None:
        row, seat, cards = self.meant(rnd, entry), actor_of(entry), entry.value.cards
        if not cards and row.shown:
            cards = row.ways(rnd)[0].kinds
        best = () if cards else self._held(rnd, row, seat)
        held = list(cards)
        for kind in rnd.rules.pack.kinds_in(laid_by(rnd, seat)) if row.laid else ():
            if kind in held:
                held.remove(kind)
        for kind in set(held):
            if rnd.hands.can_hold(seat, kind, held.count(kind)) < POSSIBLE:
                rnd.hands.doubt(seat, kind)
            rnd.hands.holds(seat, kind, held.count(kind))
        points = self._worth(rnd, row, seat)
        rnd.state(self).add(Announced(seat, row.name, tuple(sorted(cards)), best, points))
        self._bind(rnd, row.name)

    def _bind(self, rnd: Round, name: str) -> None:
        """Let an announced name stand for its cards in patterns from now on."""
        for card in self.pattern_names().get(name, ()):
            rnd.table.announced = {**rnd.table.announced, name: card}
            if rnd.rules.card_play is not None:
                rnd.rules.card_play.reorder(rnd)

    def _held(self, rnd: Round, row: HoldingRow, seat: int) -> tuple[int, ...]:
        """Return the highest cards of a row in a fully known hand; empty for another hand."""
        if not rnd.hands.is_known(seat):
            return ()
        hand = rnd.hands.sure[seat]
        ways = [
            way for way in row.ways(rnd) if way.kinds and all(n.met_by(hand) for n in way.needs)
        ]
        return max(ways, key=lambda way: way.height).kinds if ways else ()

    def close(self, rnd: Round) -> None:
        open_ = undecided(rnd, self.rows, rnd.state(self).announced)
        if rnd.void or not open_:
            return
        rnd.scored = False
        name = open_[0].name
        players = rnd.names_of(dict.fromkeys(each.seat for each in open_))
        facts: Facts = {"players": players, "what": rnd.rules.spoken(name)}
        say = mark("nobody knows whose {what} is the best: one of {players} must have shown it")
        rnd.remark(f"{self.name}.best", say, facts, self.rows[name].cite)

    def applied_rows(self, rnd: Round) -> Iterator[str]:
        return (f"holdings.{each.name}" for each in rnd.state(self).announced)

    # --- results

    def read_result(self, rnd: Round, said: dict[str, str]) -> None:
        text, meanings = said.pop(WORTH, ""), rnd.rules.lexicon.meanings
        for part in text.split("+") if text and not rnd.void else ():
            who, _, what = part.partition(":")
            name = meanings.get(" ".join(what.split()).casefold(), "")
            if name not in self.rows:
                form = f"{WORTH}=NAME:{next(iter(self.rows), '')}"
                raise Unreadable(
                    tr("{key}={value} names nothing that may be announced", key=WORTH, value=part),
                    form,
                )
            rnd.state(self).add(Announced(seat_named(rnd.names, who), name, ()))
            self._bind(rnd, name)

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        each = [f"{who}:{name}" for who in rnd.names_of(rnd.seats) for name in self.rows]
        return [(WORTH, tr("what else was announced, joined by + (empty: nothing)"), each)]

    def view(self, rnd: Round) -> HoldingsView:
        state = rnd.state(self)
        return HoldingsView(rnd, state, lambda: counting(rnd, self.rows, state.announced))


def laid_by(rnd: Round, seat: int) -> int:
    """Return the cards that a player has laid in this deal, with copies."""
    return int(rnd.reading(Own((seat,)))(LAID))


def _is_of_one_kind(cards: Sequence[str | list[str]]) -> bool:
    """Return whether all these patterns are the same card."""
    first = cards[0] if cards else "*"
    return (
        isinstance(first, str) and not {"*", "{"} & set(first) and set(map(str, cards)) == {first}
    )


def _in_turn(rnd: Round, subject: object) -> bool:
    return any(seat in rnd.waiting() for seat in seats_of(subject))


def _may_hold(rnd: Round, seat: int, way: Way) -> bool:
    """Return whether a player may hold the cards of that form."""
    return all(
        rnd.hands.can_hold(seat, kind, way.kinds.count(kind)) >= POSSIBLE for kind in way.kinds
    )


# --- the clauses


@clause(
    "announced-held",
    "holdings",
    on=("announce",),
    say=mark("{who} announces {what} and does not hold it"),
    unknown=mark("{who} announces {what}; nobody knows whether they hold it"),
    proven=mark("{who} announced {what} and did not hold it ({first}, {then})"),
    doc="What is announced by its name is held now, or laid before where the row says so; named"
    " again, with other cards than before.",
)
def _announced_held(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Holdings)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        if entry.value.cards:
            return None  # shown cards are judged by the clause `held`
        holding, seat = phase.meant(rnd, entry), actor_of(entry)
        facts: Facts = {"what": rules.spoken(holding.name)}
        laid = laid_by(rnd, seat) if holding.laid else 0
        asked = _any_of(rnd, [_missing(rnd, seat, way, laid) for way in holding.ways(rnd)], facts)
        if asked is None or isinstance(asked, Breach):
            return asked
        if holding.laid and rnd.positioned:
            return Unsure(facts)
        return asked

    def again(rnd: Round, entry: Entry) -> Outcome:
        first, seat = judge(rnd, entry), actor_of(entry)
        if entry.value.cards or isinstance(first, Breach | Unsure):
            return first
        holding = phase.meant(rnd, entry)
        before, laid = rnd.state(phase).of(seat, holding.name), laid_by(rnd, seat)
        told = len(before) >= holding.most and "announced-once" in rules.clause_names("announce")
        if not before or told or not _has_only_laid(rnd, phase, seat, laid):
            return first
        facts: Facts = {"what": f"{rules.spoken(holding.name)} ({times(len(before) + 1)})"}
        shown = [each.cards for each in before if each.cards]
        together = holding.several(rnd, len(before) - len(shown) + 1, shown)
        ways = [_missing(rnd, seat, way, laid) for way in together]
        others = _any_of(rnd, ways, facts)
        if first is None or others is None or isinstance(others, Breach):
            return others or first
        return AllOf((first, others), facts)

    return again


def _any_of(
    rnd: Round, ways: Sequence[tuple[Claim, ...]], facts: Facts
) -> Breach | AnyOf | AllOf | None:
    """Return the claim that one of these forms is in the hand; None if that is certain."""
    if any(_surely(rnd, way) for way in ways):
        return None
    if len(ways) > 1:
        joined = tuple(way[0] if len(way) == 1 else AllOf(way) for way in ways)
        return AnyOf(joined, facts)
    return AllOf(ways[0], facts) if ways else Breach(facts)


def _missing(rnd: Round, seat: int, way: Way, laid: int) -> tuple[Claim, ...]:
    """Return the claim on the cards of a holding that are still in the hand, given those laid."""
    pack = rnd.rules.pack
    found = []
    for need in way.needs:
        least = need.least - (laid & need.cards).bit_count()
        if least > 0:
            found.append(Claim(seat, need.cards, least, pack.total))
    return tuple(found)


def _surely(rnd: Round, claims: tuple[Claim, ...]) -> bool:
    """Return whether all of these claims are known to hold."""
    return all(map(rnd.hands.answer, claims))


def _has_only_laid(rnd: Round, phase: Holdings, seat: int, laid: int) -> bool:
    """Return whether only cards in `laid` are known to have left the hand since the player's first
    announcement."""
    kinds_in = rnd.rules.pack.kinds_in
    there, announced = {*kinds_in(laid), *kinds_in(rnd.hands.sure[seat])}, False
    for entry in rnd.log.entries:
        out = [kinds for giver, kinds in rnd.rules.from_hand(entry) if giver == seat]
        if announced and (not there.issuperset(*out) if out else _moves_unseen(entry, seat)):
            return False
        announced |= rnd.rules.phase_of[entry.verb.word] is phase and entry.seat == seat
    return True


def _moves_unseen(entry: Entry, seat: int) -> bool:
    """Return whether the entry moves cards of the player without naming them."""
    return entry.verb.cards and entry.seat == seat


@clause(
    "announced-when",
    "holdings",
    on=BOTH,
    say=mark("{who} may not announce {what} now"),
    doc="A holding is announced while `when` of its row holds; its cards may be shown later.",
)
def _announced_when(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Holdings)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        holding = phase.meant(rnd, entry)
        facts: Facts = {"what": rules.spoken(holding.name)}
        try:
            if phase.attaches(rnd, entry, holding) or holding.when.of(rnd, entry):
                return None
        except NotSeen:
            if rnd.play_begun() or rnd.positioned:
                raise
        return Breach(facts)  # also if it reads tricks and none is played yet

    return judge


@clause(
    "announced-once",
    "holdings",
    on=BOTH,
    say=mark("{who} has announced {what} before{times}"),
    doc="Nobody announces a row more often in a deal than `most`, nor the same cards twice.",
)
def _announced_once(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Holdings)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        holding, seat, cards = phase.meant(rnd, entry), actor_of(entry), entry.value.cards
        before = rnd.state(phase).of(seat, holding.name)
        facts: Facts = {"what": rules.spoken(holding.name), "times": ""}
        if cards and tuple(sorted(cards)) in [each.cards for each in before]:
            return Breach(facts)
        if len(before) < holding.most or phase.attaches(rnd, entry, holding):
            return None
        return Breach({**facts, "times": f" {times(len(before))}" if len(before) > 1 else ""})

    return judge


@clause(
    "announced-apart",
    "holdings",
    on=("show",),
    say=mark("{who} has shown {cards} for {what} before"),
    doc="No card that a player shows is in two of their announcements: of those of which the best"
    " side's count, nor of the others.",
)
def _announced_apart(row: Row, rules: Ruleset) -> Judge:
    phase, pack = rules.phase(Holdings), rules.pack

    def judge(rnd: Round, entry: Entry) -> Outcome:
        seat, cards, best = actor_of(entry), entry.value.cards, phase.meant(rnd, entry).best
        for each in rnd.state(phase).announced:
            if each.seat != seat or phase.rows[each.name].best != best:
                continue
            twice = [pack.kinds[kind] for kind in dict.fromkeys(cards) if kind in each.cards]
            if twice:
                return Breach({"cards": twice, "what": rules.spoken(each.name)})
        return None

    return judge
