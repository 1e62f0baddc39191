"""The phase and the clauses for combinations of cards that players announce or show.

A combination, called a holding, scores points or has an effect. The rows of `[holdings]` and the
announcements are in `holdings_state`.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.expressions import KINDS, TRUTH, ExpressionError, NotYetKnown
from scorekeeper.core.hands import POSSIBLE, AllOf, AnyOf, Breach, Claim, Unsure
from scorekeeper.core.messages import (
    N_,
    format_quoted,
    format_times,
    join_list,
    plural,
    tr,
)
from scorekeeper.engine.measures import Owner, seats_of
from scorekeeper.engine.phase import OWN, Coverage, Measure, Phase, ResultPart, actor_of
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import EntryType
from scorekeeper.notation.syntax import find_seat, parse_whole
from scorekeeper.phases.holdings_state import (
    HOLDINGS_KEY,
    PLAIN,
    ROW,
    AnnouncedHolding,
    Holding,
    HoldingForm,
    HoldingRow,
    HoldingsView,
    NamedSyntax,
    ShownSyntax,
    State,
    counting_holdings,
    has_cards,
    undecided_holdings,
)
from scorekeeper.ruleset.orders import bound_names, iter_patterns
from scorekeeper.ruleset.vocabulary import beside, clause

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.engine.phase import Judge, Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset

# a measure of the tricks phase: the mask of the cards that a player has played
LAID_CARDS = "recorded()"
BOTH = ("announce", "show")
MAX_SPLIT = 12  # the maximum number of cards that are split into several announcements
MAX_POINTS = 9999  # maximum points that a result may state for a player
# Clause words about cards. They never apply if no row consists of cards.
ABOUT_CARDS = ("announced-held", "announced-apart", "held")


def _announce(names: Iterable[str]) -> EntryType:
    return EntryType("announce", NamedSyntax(names), N_("announces a holding"), is_implicit=True)


@beside
class Holdings(Phase[State], ResultPart, Coverage):
    """The phase in which cards are announced for points or for their effect."""

    name = "holdings"
    doc = (
        "Runs together with play. A player announces cards by the name of a row of `[calls]`, "
        "which is a claim about the hand, or shows them (`show`), which announces the first row "
        "that they make. Cards shown later belong to a row that the player has named before. If "
        "all cards of a row are the same, patterns may contain `{NAME}`, which is replaced by that "
        "card as text once the row has been announced. A row without cards is a vow, or a "
        "fact about what was played. It is limited only by its `when` and `most`, so without a "
        "condition on tricks it may also be announced during the bidding."
    )
    clause_order = "announced-held announced-when announced-once announced-apart held"
    standard_words = "announced-held announced-when announced-once held"
    judged = {"held": ("show",)}
    concurrent = True
    tables = ("pack", "deal", "holdings")
    others = ("tricks",)
    row_tables = {"holdings": ROW}
    coverage_tables = ("holdings",)
    entry_types: tuple[EntryType, ...] = (
        _announce(()),
        EntryType("show", ShownSyntax(), N_("shows cards from the hand"), plays_cards=True),
    )
    reports = {
        "announced": "what was announced, by whom",
        "player.announced": "what a player announced",
    }
    player_reports = ("announced",)

    @classmethod
    def idle_words(cls, row: Row, data: Row) -> Collection[str]:
        verbs, rows = data.get("verbs"), data.get("holdings")
        rows = rows.values() if isinstance(rows, dict) else ()
        tables = [each for each in rows if isinstance(each, dict)]
        if tables and not any(map(has_cards, tables)):
            return ABOUT_CARDS
        return ("held",) if isinstance(verbs, dict) and verbs.get("show") is False else ()

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.entry_types = (_announce(rules.section("holdings")), Holdings.entry_types[1])
        self.rows: dict[str, HoldingRow] = {}  # compiled by `link`
        self._holding_names: dict[
            str, dict[tuple[int, ...], HoldingRow]
        ] = {}  # rows by trump, then by cards

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
        yield Measure(
            "own.turn",
            ("whether it is the turn of one of these players"),
            _turn_place,
            OWN,
            kind=TRUTH,
        )
        said = "the cards that they showed in their latest announcement"
        yield Measure("own.shown", said, self._shown, OWN, KINDS)
        for name in (*self.rules.section("holdings"), HOLDINGS_KEY):
            what = (
                "the points of what they announced" if name == HOLDINGS_KEY else f"how many {name}"
            )
            yield Measure(f"own.{name}", what, self._own(name), OWN)
            if name != HOLDINGS_KEY:
                said = f"whether anybody has announced {name}"
                yield Measure(f"announced.{name}", said, self._announced_measure(name), kind=TRUTH)

    def _shown(self, rnd: Round, subject: object) -> int:
        seats, pack = seats_of(subject), rnd.rules.pack
        for each in reversed(rnd.state(self).announced):
            if each.seat in seats and each.cards:
                return pack.all_copies(sum(pack.bit[kind] for kind in set(each.cards)))
        return 0

    def _own(self, name: str) -> Reader:
        return lambda rnd, subject: self.measure_counting(rnd, seats_of(subject), name)

    def _announced_measure(self, name: str) -> Reader:
        return lambda rnd, _: any(each.name == name for each in rnd.state(self).announced)

    def measure_counting(self, rnd: Round, seats: Sequence[int], name: str) -> int:
        """Return the number of announcements of a row by these seats that count. For the name
        HOLDINGS_KEY, return the total points of all their announcements that count."""
        found = counting_holdings(rnd, self.rows, rnd.state(self).announced)
        own = [each for each in found if each.seat in seats]
        if name != HOLDINGS_KEY:
            return sum(each.name == name for each in own)
        stated = rnd.state(self).stated
        return sum(stated.get(seat, 0) for seat in seats) + sum(
            int(rnd.evaluate(self.rows[each.name].points, Owner((each.seat,))))
            if each.points is None
            else each.points
            for each in own
        )

    def _row_worth(self, rnd: Round, row: HoldingRow, seat: int) -> int | None:
        """Return the current points of a row, or None if its expression has no value yet."""
        try:
            return int(row.points.value_in(rnd, Owner((seat,))))
        except ExpressionError:
            return None

    # --- meaning of entries

    def begin(self, rnd: Round) -> State:
        return State()

    def find_row(self, rnd: Round, entry: Entry) -> HoldingRow:
        """Return the row that an entry means. Raise Impossible if the entry's cards do not form
        the named row or, without a name, any row. Also raise Impossible if the row requires cards
        and the entry has none."""
        name, cards = entry.value
        if name and not cards:
            row = self.rows[name]
            if not self._may_omit_cards(rnd, row):
                form = f"{rnd.rules.translate_word('show')} CARD…"
                raise Impossible(
                    tr("“{text}”: the cards must be shown or named", text=entry.text), form
                )
            return row
        made = self.rows[name] if name else self._row_of_cards(rnd, cards)
        if made is not None and (not name or made.form_of(rnd, cards) is not None):
            return made
        raise self._no_row_error(rnd, entry)

    def _no_row_error(self, rnd: Round, entry: Entry) -> Impossible:
        """Return the error for cards that do not form the named row or, without a name, any row."""
        name, cards = entry.value
        translate, kinds = rnd.rules.translate_word, rnd.rules.pack.format_kinds
        several = [] if name else self._split_into_rows(rnd, cards)
        if several:
            forms = [f"{translate('show')} {kinds(part)}" for part in several]
            return Impossible(
                tr("“{text}”: these cards must be announced one after the other", text=entry.text),
                tr("type {forms}", forms=join_list([format_quoted(form) for form in forms])),
            )
        if not name and not rnd.table.trump and self._depends_on_trump:
            return Impossible(
                tr(
                    "“{text}”: what these cards are depends on the trump, which is not known yet",
                    text=entry.text,
                )
            )
        of_cards = [each for each, row in self.rows.items() if has_cards(row.row)]
        rows = [translate(each) for each in ([name] if name else of_cards or self.rows)]
        return Impossible(
            tr(
                "“{text}”: these cards are not a valid {rows}",
                text=entry.text,
                rows=tr(" or ").join(rows),
            )
        )

    @cached_property
    def _depends_on_trump(self) -> bool:
        """True if the cards of some row depend on the trump suit."""
        rows = (iter_patterns(row.row["cards"]) for row in self.rows.values())
        patterns: list[str | list[str]] = [text for texts in rows for text in texts]
        return not {"trump", PLAIN}.isdisjoint(bound_names(patterns))

    def _split_into_rows(self, rnd: Round, cards: Sequence[int]) -> list[tuple[int, ...]]:
        """Split the cards into sets that each form a row. Large sets are preferred. Return an empty
        list if no split is possible, or if there are too many cards.
        """
        ways = {way.kinds for row in self.rows.values() for way in row.forms(rnd) if way.kinds}
        parts = sorted(ways, key=len, reverse=True)

        def split(left: Counter[int]) -> list[tuple[int, ...]] | None:
            if not left:
                return []
            for part in parts:
                if min(left) in part and Counter(part) <= left:
                    rest = split(left - Counter(part))
                    if rest is not None:
                        return [part, *rest]
            return None

        return (split(Counter(cards)) or []) if len(cards) <= MAX_SPLIT else []

    def _row_of_cards(self, rnd: Round, cards: Sequence[int]) -> HoldingRow | None:
        """Return the first row that these cards form. Results that cannot change are cached."""
        known, these = self._holding_names.setdefault(rnd.table.trump, {}), tuple(sorted(cards))
        if these in known:
            return known[these]
        for row in self.rows.values():
            way = row.form_of(rnd, these)
            if way is not None:
                if way.kinds:
                    known[these] = row
                return row
        return None

    def _may_omit_cards(self, rnd: Round, row: HoldingRow) -> bool:
        """Return whether a row may be announced without cards, or has only one choice of cards."""
        ways = row.forms(rnd)
        return not row.needs_cards or (len(ways) == 1 and bool(ways[0].kinds))

    def adds_cards(self, rnd: Round, entry: Entry, row: HoldingRow) -> bool:
        """Return whether the cards complete an announcement that was made only by name."""
        earlier = rnd.state(self).find_unshown(actor_of(entry), row.name)
        return bool(entry.value.cards) and earlier is not None

    # --- course of a round

    def hand_cards(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        cards = entry.value.cards
        return ((entry.seat, cards),) if cards and entry.seat is not None else ()

    def seen_cards(self, rnd: Round, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        return self.hand_cards(entry)

    def may_follow(self, rnd: Round, entry: Entry) -> bool:
        """Return whether the holding may be announced with the last card played."""
        name = entry.value.name
        return bool(name) and self.rows[name].after_laying and not rnd.void

    def options(self, rnd: Round) -> Iterator[Entry]:
        announce, show = self.entry_types
        for row in self.rows.values():
            named, ways = self._may_omit_cards(rnd, row), row.forms(rnd)
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
                for cards in row.find_in_hand(rnd, rnd.hands.known[seat]):
                    yield Entry(self.entry_types[1], seat, Holding("", cards))

    def apply(self, rnd: Round, entry: Entry) -> None:
        row, seat, cards = self.find_row(rnd, entry), actor_of(entry), entry.value.cards
        if not cards and row.needs_cards:
            cards = row.forms(rnd)[0].kinds
        best = () if cards else self._highest_in_hand(rnd, row, seat)
        held = list(cards)
        before = rnd.state(self).find_announced(seat, row.name)
        held += _other_copies(rnd, before, seat, cards) or []
        for kind in rnd.rules.pack.kinds_in(cards_laid_by(rnd, seat)) if row.after_laying else ():
            if kind in held:
                held.remove(kind)
        rnd.hands.note_seen(seat, held)
        points = self._row_worth(rnd, row, seat)
        rnd.state(self).add(AnnouncedHolding(seat, row.name, tuple(sorted(cards)), best, points))
        self._bind_cards(rnd, row.name)

    def _bind_cards(self, rnd: Round, name: str) -> None:
        """From now on, let patterns use the name of an announced row to refer to its cards."""
        for card in self.pattern_names().get(name, ()):
            rnd.table.announced = {**rnd.table.announced, name: card}
            if rnd.rules.card_play is not None:
                rnd.rules.card_play.reorder(rnd)

    def _highest_in_hand(self, rnd: Round, row: HoldingRow, seat: int) -> tuple[int, ...]:
        """Return the cards of the highest form of a row that a hand contains.

        The result is empty if the hand is not fully known.
        """
        if not rnd.hands.is_known(seat):
            return ()
        hand = rnd.hands.known[seat]
        ways = [
            way
            for way in row.forms(rnd)
            if way.kinds and all(n.is_met_by(hand) for n in way.requirements)
        ]
        return max(ways, key=lambda way: way.height).kinds if ways else ()

    def close(self, rnd: Round) -> None:
        open_ = undecided_holdings(rnd, self.rows, rnd.state(self).announced)
        if rnd.void or not open_:
            return
        rnd.scored = False
        name = open_[0].name
        players = rnd.names_of(dict.fromkeys(each.seat for each in open_))
        facts: Facts = {"players": players, "what": rnd.rules.translate_word(name)}
        say = N_("it is unknown whose {what} is the best, so one of {players} must show theirs")
        rnd.add_note(f"{self.name}.best", say, facts, self.rows[name].cite)

    def applied_rows(self, rnd: Round) -> Iterator[str]:
        return (f"holdings.{each.name}" for each in rnd.state(self).announced)

    # --- results

    def read_result(self, rnd: Round, result: dict[str, str]) -> None:
        text, meanings = result.pop(HOLDINGS_KEY, ""), rnd.rules.lexicon.meanings
        for part in text.split("+") if text and not rnd.void else ():
            who, _, what = part.partition(":")
            if what.isascii() and what.isdigit():
                self._state_points(rnd, find_seat(rnd.names, who), parse_whole(what, 0, MAX_POINTS))
                continue
            name = meanings.get(" ".join(what.split()).casefold(), "")
            if name not in self.rows:
                form = f"{HOLDINGS_KEY}=NAME:{next(iter(self.rows), '')}"
                raise Unreadable(
                    tr(
                        "{key}={value} names nothing that may be announced",
                        key=HOLDINGS_KEY,
                        value=part,
                    ),
                    form,
                )
            rnd.state(self).add(AnnouncedHolding(find_seat(rnd.names, who), name, ()))
            self._bind_cards(rnd, name)

    def _state_points(self, rnd: Round, seat: int, points: int) -> None:
        """Record a player's points for announcements from a result that names no announcements.

        Raises Impossible if no announcements are worth that many points, or if the points of both
        sides cannot count together.
        """
        stated, side = rnd.state(self).stated, rnd.seating.side(seat)
        total = points + sum(stated.get(each, 0) for each in side)
        possible = possible_sums(rnd, self.rows.values(), side)
        if total not in possible:
            near = [max(n for n in possible if n < total), *(n for n in possible if n > total)]
            numbers = join_list([str(n) for n in dict.fromkeys([near[0], *sorted(near[1:])[:1]])])
            raise Impossible(
                tr(
                    "no announcements are worth {points}",
                    points=plural("{count} point", "{count} points", total),
                ),
                tr("the nearest are {numbers}", numbers=numbers),
            )
        stated[seat] = stated.get(seat, 0) + points
        self._check_best(rnd, stated)

    def _check_best(self, rnd: Round, stated: Mapping[int, int]) -> None:
        """Raise Impossible if two sides have points for announcements that count only for the side
        with the best one."""
        points: dict[tuple[int, ...], int] = {}
        for seat, number in stated.items():
            side = rnd.seating.side(seat)
            points[side] = points.get(side, 0) + number
        for_all = [row for row in self.rows.values() if not row.only_best]
        best = [side for side in points if points[side] not in possible_sums(rnd, for_all, side)]
        if len(best) > 1:
            names = join_list([rnd.names[side[0]] for side in best])
            raise Impossible(
                tr("the announcements of only one side count, not those of {names}", names=names),
                tr("leave out the side whose announcements were not the best"),
            )

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        if self.rules.table("result")["melds"]:
            what = tr(
                "announcements, or their points as NAME:NUMBER, joined by + (empty if there were "
                "none)"
            )
            return [(HOLDINGS_KEY, what, [])]
        each = [f"{who}:{name}" for who in rnd.names_of(rnd.seats) for name in self.rows]
        what = tr("the other announcements, joined by + (empty if there were none)")
        return [(HOLDINGS_KEY, what, each)]

    def view(self, rnd: Round) -> HoldingsView:
        state = rnd.state(self)
        return HoldingsView(rnd, state, lambda: counting_holdings(rnd, self.rows, state.announced))


def cards_laid_by(rnd: Round, seat: int) -> int:
    """Return a mask of the cards that a player has played in this deal, including copies."""
    return int(rnd.reading(Owner((seat,)))(LAID_CARDS))


def _other_copies(
    rnd: Round, before: Iterable[AnnouncedHolding], seat: int, cards: Sequence[int]
) -> list[int] | None:
    """Return the additional copies of `cards` that a player must hold.

    A player who shows `cards` again must have other copies of them. Return None if the player
    cannot have enough copies.
    """
    times = sum(each.cards == tuple(sorted(cards)) for each in before if cards)
    if not times or rnd.starts_midway:
        return []
    laid, pack = cards_laid_by(rnd, seat), rnd.rules.pack
    more = []
    for kind in dict.fromkeys(cards):
        here = cards.count(kind)
        need = max(here * (times + 1) - pack.count(laid, kind), here)
        if rnd.hands.can_hold(seat, kind, need) < POSSIBLE:
            return None
        more += [kind] * (need - here)
    return more


def possible_sums(rnd: Round, rows: Iterable[HoldingRow], side: Sequence[int]) -> set[int]:
    """Return every number of points that a side can have for announcements of these rows."""
    sums = {0}
    for row in rows:
        worth = int(row.points.value_in(rnd, Owner(tuple(side))))
        for _ in range(row.max_count * len(side)):
            sums |= {each + worth for each in sums if each + worth <= MAX_POINTS}
    return sums


def _is_of_one_kind(cards: Sequence[str | list[str]]) -> bool:
    """Return whether these patterns are equal and match only one kind of card."""
    first = cards[0] if cards else "*"
    return (
        isinstance(first, str) and not {"*", "{"} & set(first) and set(map(str, cards)) == {first}
    )


def _turn_place(rnd: Round, subject: object) -> bool:
    return any(seat in rnd.waiting() for seat in seats_of(subject))


def _may_hold(rnd: Round, seat: int, way: HoldingForm) -> bool:
    """Return whether a player may hold the cards of a form."""
    return all(
        rnd.hands.can_hold(seat, kind, way.kinds.count(kind)) >= POSSIBLE for kind in way.kinds
    )


# --- the clauses


@clause(
    "announced-held",
    "holdings",
    on=("announce",),
    say=N_("{who} announces {what}, but does not hold it"),
    unknown=N_("{who} announces {what}; it is unknown whether they hold it"),
    proven=N_("{who} announced {what}, but did not hold it ({first}, {then})"),
    doc=(
        "A player who announces a holding by its name must hold it, or have played it before "
        "if the row allows that. If they announce it again, it must consist of other cards."
    ),
)
def _announced_held(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Holdings)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        if entry.value.cards:
            return None  # shown cards are judged by the clause `held`
        holding, seat = phase.find_row(rnd, entry), actor_of(entry)
        facts: Facts = {"what": rules.translate_word(holding.name)}
        laid = cards_laid_by(rnd, seat) if holding.after_laying else 0
        asked = _any_form(
            rnd, [_missing_cards(rnd, seat, way, laid) for way in holding.forms(rnd)], facts
        )
        if asked is None or isinstance(asked, Breach):
            return asked
        if holding.after_laying and rnd.starts_midway:
            return Unsure(facts)
        return asked

    def again(rnd: Round, entry: Entry) -> Outcome:
        first, seat = judge(rnd, entry), actor_of(entry)
        if entry.value.cards or isinstance(first, Breach | Unsure):
            return first
        holding = phase.find_row(rnd, entry)
        before, laid = rnd.state(phase).find_announced(seat, holding.name), cards_laid_by(rnd, seat)
        told = len(before) >= holding.max_count and "announced-once" in rules.clause_names(
            "announce"
        )
        if not before or told or not _has_only_played(rnd, phase, seat, laid):
            return first
        facts: Facts = {
            "what": f"{rules.translate_word(holding.name)} ({format_times(len(before) + 1)})"
        }
        shown = [each.cards for each in before if each.cards]
        together = holding.forms_for_several(rnd, len(before) - len(shown) + 1, shown)
        ways = [_missing_cards(rnd, seat, way, laid) for way in together]
        others = _any_form(rnd, ways, facts)
        if first is None or others is None or isinstance(others, Breach):
            return others or first
        return AllOf((first, others), facts)

    return again


def _any_form(
    rnd: Round, ways: Sequence[tuple[Claim, ...]], facts: Facts
) -> Breach | AnyOf | AllOf | None:
    """Return the claim that the hand contains one of these forms, or None if that is certain."""
    if any(_is_certain(rnd, way) for way in ways):
        return None
    if len(ways) > 1:
        joined = tuple(way[0] if len(way) == 1 else AllOf(way) for way in ways)
        return AnyOf(joined, facts)
    return AllOf(ways[0], facts) if ways else Breach(facts)


def _missing_cards(rnd: Round, seat: int, way: HoldingForm, laid: int) -> tuple[Claim, ...]:
    """Return the claims that the cards of a holding are in the hand. Cards in `laid` have already
    been played and are left out."""
    pack = rnd.rules.pack
    found = []
    for need in way.requirements:
        least = need.min_count - (laid & need.cards).bit_count()
        if least > 0:
            found.append(Claim(seat, need.cards, least, pack.card_count))
    return tuple(found)


def _is_certain(rnd: Round, claims: tuple[Claim, ...]) -> bool:
    """Return whether all of these claims are known to hold."""
    return all(map(rnd.hands.answer, claims))


def _has_only_played(rnd: Round, phase: Holdings, seat: int, laid: int) -> bool:
    """Return whether all cards that have left the hand since the player's first announcement are
    known to be in `laid`."""
    kinds_in = rnd.rules.pack.kinds_in
    there, announced = {*kinds_in(laid), *kinds_in(rnd.hands.known[seat])}, False
    for entry in rnd.log.entries:
        out = [kinds for giver, kinds in rnd.rules.hand_cards(entry) if giver == seat]
        if announced and (not there.issuperset(*out) if out else _has_unseen_moves(entry, seat)):
            return False
        announced |= rnd.rules.phase_of[entry.type.word] is phase and entry.seat == seat
    return True


def _has_unseen_moves(entry: Entry, seat: int) -> bool:
    """Return whether the entry moves cards of the player without naming them."""
    return entry.type.plays_cards and entry.seat == seat


@clause(
    "announced-when",
    "holdings",
    on=BOTH,
    say=N_("{who} may not announce {what} now"),
    unknown=N_("{who} announces {what}; it is unknown whether their cards allow it"),
    proven=N_("{who} announced {what}, which their cards did not allow ({first}, {then})"),
    doc=(
        "A holding may be announced only while the condition `when` of its row is true. The "
        "reason for a refusal is the row's `say`. The condition may ask about the hand "
        "(`count(hand & trumps) >= 10`). The cards of a holding that was announced in time may be "
        "shown later."
    ),
)
def _announced_when(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Holdings)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        holding = phase.find_row(rnd, entry)
        facts: Facts = {"what": rules.translate_word(holding.name)}
        try:
            if phase.adds_cards(rnd, entry, holding):
                return None
            if not holding.when.is_about_hand:
                return None if holding.when.value_in(rnd, entry) else Breach(facts, holding.say)
            may = holding.when.evaluate_claim(rnd.reading(entry))
            if not isinstance(may, bool):
                may.facts = facts
                answer = rnd.hands.answer(may)
                return Breach(facts, holding.say) if answer is False else may
            if may:
                return None
        except NotYetKnown:
            if rnd.play_begun() or rnd.starts_midway or holding.when.counts_hand:
                raise
        # A condition on tricks is not met before the first trick.
        return Breach(facts, holding.say)

    return judge


@clause(
    "announced-once",
    "holdings",
    on=BOTH,
    say=N_("{who} has already announced {what}{times}"),
    doc=(
        "A player may announce a row at most `most` times in a deal, and never twice with "
        "the same cards. Where a pack has several copies of each card, the same cards may be "
        "shown again if they can be the other copies."
    ),
)
def _announced_once(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Holdings)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        holding, seat, cards = phase.find_row(rnd, entry), actor_of(entry), entry.value.cards
        before = rnd.state(phase).find_announced(seat, holding.name)
        facts: Facts = {"what": rules.translate_word(holding.name), "times": ""}
        again = any(each.cards == tuple(sorted(cards)) for each in before if cards)
        if again and _other_copies(rnd, before, seat, cards) is None:
            return Breach(facts)
        if len(before) < holding.max_count or phase.adds_cards(rnd, entry, holding):
            return None
        return Breach(
            {**facts, "times": f" {format_times(len(before))}" if len(before) > 1 else ""}
        )

    return judge


@clause(
    "announced-apart",
    "holdings",
    on=("show",),
    say=N_("{who} has already shown {cards} for {what}"),
    doc=(
        "A player may not show the same card for two holdings whose rows have `best`, nor for two "
        "holdings whose rows do not have it."
    ),
)
def _announced_apart(row: Row, rules: Ruleset) -> Judge:
    phase, pack = rules.phase(Holdings), rules.pack

    def judge(rnd: Round, entry: Entry) -> Outcome:
        seat, cards, best = actor_of(entry), entry.value.cards, phase.find_row(rnd, entry).only_best
        for each in rnd.state(phase).announced:
            if each.seat != seat or phase.rows[each.name].only_best != best:
                continue
            twice = [pack.kinds[kind] for kind in dict.fromkeys(cards) if kind in each.cards]
            if twice:
                return Breach({"cards": twice, "what": rules.translate_word(each.name)})
        return None

    return judge
