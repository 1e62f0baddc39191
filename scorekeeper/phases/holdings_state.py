"""Announced combinations: the rows of `[holdings]`, the announcements and their syntax.

This module also chooses the announcements that count in the end.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import N_, Sentence, tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.measures import mates_of
from scorekeeper.engine.phase import ACTOR, OWN, TRICK, View
from scorekeeper.engine.ruleset import check_patterns, kinds_for
from scorekeeper.notation.syntax import Cards, Syntax, clean
from scorekeeper.ruleset.orders import TRUMP, bound_names, iter_patterns
from scorekeeper.ruleset.tables import Parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Json, Rng, Row
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation.syntax import Spelling

    Rows = Mapping[str, "HoldingRow"]

HOLDINGS_KEY = "holdings"  # the measure of all points that count, and a key of results
SIDE = "side"
# Names in patterns: any suit, and any suit that is not trump.
SUIT, PLAIN = "suit", "plain"
ABOUT = (ACTOR, TRICK, OWN)  # the subjects whose measures `when` may use
SIZE = (0, untrusted.MAX_CARDS)
FACTS = ("who", "what")  # the facts that the sentence of a row may name
MAX_FORMS = 400  # examine at most this many combined forms of several holdings


class AnnouncedHolding(NamedTuple):
    """An announced holding: the seat, the row's name, and the kinds of its cards, sorted.

    `cards` is empty if the cards were not shown. If the hand was fully known, `held_cards` are the
    best cards in it for this holding. Otherwise, `held_cards` is empty. `points` is the value of
    the holding when it was announced, or None if it had no value yet.
    """

    seat: int
    name: str
    cards: tuple[int, ...]
    held_cards: tuple[int, ...] = ()
    points: int | None = None


class State:
    """The announcements of a round, in order, and the points that a result states for players."""

    __slots__ = ("announced", "stated")

    def __init__(self) -> None:
        self.announced: list[AnnouncedHolding] = []
        self.stated: dict[int, int] = {}

    def find_announced(self, seat: int, name: str) -> list[AnnouncedHolding]:
        """Return the player's announcements of a row."""
        return [each for each in self.announced if each.seat == seat and each.name == name]

    def find_unshown(self, seat: int, name: str) -> AnnouncedHolding | None:
        """Return the player's first announcement of a row without cards, or None."""
        return next((each for each in self.find_announced(seat, name) if not each.cards), None)

    def add(self, new: AnnouncedHolding) -> None:
        """Add an announcement, or add cards to an earlier one."""
        earlier = self.find_unshown(new.seat, new.name)
        if new.cards and earlier is not None:
            place = self.announced.index(earlier)
            self.announced[place] = new._replace(points=earlier.points)
        else:
            self.announced.append(new)


class Holding(NamedTuple):
    """A holding as typed: the row's name and the kinds of its cards.

    The name is "" if only cards were typed. `cards` is empty if no cards are shown.
    """

    name: str
    cards: tuple[int, ...]


class NamedSyntax(Syntax):
    """The syntax of a row's name, optionally with cards."""

    form = N_("HOLDING")
    cards = Cards()

    def __init__(self, names: Iterable[str]) -> None:
        self.names = self.words_named = frozenset(names)

    def word_in(self, value: Holding) -> str:
        return value.name

    def may_match(self, text: str, notation: Spelling) -> bool:
        return notation.split_first_word(text)[0] in self.names

    def read(self, text: str, notation: Spelling) -> Holding:
        name, rest = notation.split_first_word(text)
        if name not in self.names:
            known = [notation.write_word(each) for each in sorted(self.names)]
            found = tr("“{text}” cannot be announced", text=clean(text))
            raise Unreadable(found, tr("possible announcements: {known}", known=", ".join(known)))
        return Holding(name, self.cards.read(rest, notation) if rest else ())

    def sample(self, rng: Rng, notation: Spelling) -> tuple[Holding, ...]:
        return (Holding(rng.choice(sorted(self.names)), ()),) if self.names else ()

    def write(self, value: Holding, notation: Spelling) -> str:
        cards = self.cards.write(value.cards, notation) if value.cards else ""
        return f"{notation.write_word(value.name)} {cards}".rstrip()


class ShownSyntax(Syntax):
    """The syntax of cards without a name."""

    form = N_("CARD…")
    cards = Cards()

    def read(self, text: str, notation: Spelling) -> Holding:
        return Holding("", self.cards.read(text, notation))

    def sample(self, rng: Rng, notation: Spelling) -> tuple[Holding, ...]:
        return tuple(Holding("", cards) for cards in self.cards.sample(rng, notation))

    def write(self, value: Holding, notation: Spelling) -> str:
        return self.cards.write(value.cards, notation)


# --- compiled rows of [holdings]


ROW: Mapping[str, Parameter] = {
    "cards": Parameter(
        "cards",
        "patterns, one card for each; `{suit}` means any suit, the same in all patterns, and"
        " `{plain}` likewise any suit except `{trump}`. A row without `cards`, `run` and `alike` is"
        " a vow, or a fact that a player calls",
        [],
    ),
    "run": Parameter("int", "a number of consecutive cards of one suit", 0, bounds=SIZE),
    "ranks": Parameter("text", "the ranks of a run, best first (default: the pack's)", ""),
    "alike": Parameter("int", "a number of cards of one rank", 0, bounds=SIZE),
    "of": Parameter("cards", "patterns of the cards of equal rank, best first", ["*"]),
    "points": Parameter("number", "its points (`own.holdings`) at the time of the announcement", 0),
    "when": Parameter("condition", "the condition for announcing it", "true"),
    "say": Parameter(
        "text",
        "the sentence if `when` does not hold, with `{who}` for the player and `{what}` for the"
        " row's name",
        "",
    ),
    "shown": Parameter("bool", "whether its cards must be shown", False),
    "laid": Parameter(
        "bool", "whether cards that the player has already played in this deal count", False
    ),
    "most": Parameter("int", "how often a player may announce it in a deal", 1, bounds=SIZE),
    "best": Parameter(
        "choice",
        "`side`: of all rows that have this, only the announcements of the side with the best one "
        "count. The best one belongs to the earliest row; between equals, shown beats not shown, "
        "then higher cards, then trumps, then the earlier player",
        "",
        ("", SIDE),
    ),
    "cite": Parameter("text", "the paragraph of the rule text", ""),
}


# A row that consists of cards has one of these keys. A vow or a fact has none.
KEYS_FOR_CARDS = ("cards", "run", "alike")
# Keys that only a row with cards may have.
KEYS_ABOUT_CARDS = ("ranks", "shown", "laid", "best")


def has_cards(row: Row) -> bool:
    """Return whether a row of `[holdings]` consists of cards."""
    return any(row.get(key) for key in KEYS_FOR_CARDS)


class HoldingRow:
    """A compiled row of `[holdings]`. `place` is its index among the rows, from 0."""

    __slots__ = (
        *("_forms_by_trump", "after_laying", "cite", "max_count", "name", "needs_cards"),
        *("only_best", "place", "points", "row", "say", "when"),
    )

    def __init__(self, name: str, place: int, row: Row, rules: Ruleset) -> None:
        path = f"holdings.{name}"
        self.name = name
        self.place = place
        self.row = row
        self.cite: str = row["cite"]
        self.say: str = row["say"]
        self.needs_cards: bool = row["shown"]
        self.after_laying: bool = row["laid"]
        self.max_count: int = row["most"]
        self.only_best: bool = row["best"] == SIDE
        self.points: Expression = rules.compile_expression(
            row["points"], f"{path}.points", (OWN,), (f"own.{HOLDINGS_KEY}",), whole=True
        )
        self.when: Expression = rules.compile_expression(
            row["when"], f"{path}.when", ABOUT, asks=True
        )
        self._forms_by_trump: dict[str, tuple[HoldingForm, ...]] = {}
        _check_row(path, row, rules)

    def forms(self, rnd: Round) -> tuple[HoldingForm, ...]:
        """Return the forms of the holding, given what is known about the trump."""
        trump = rnd.table.trump
        if trump not in self._forms_by_trump:
            self._forms_by_trump[trump] = tuple(
                _build_forms(rnd.rules.pack, self.row, rnd.table.bindings)
            )
        return self._forms_by_trump[trump]

    def form_of(self, rnd: Round, kinds: Sequence[int]) -> HoldingForm | None:
        """Return the form of the holding that these cards make up, or None."""
        pack, ways = rnd.rules.pack, self.forms(rnd)
        if not ways or ways[0].size != len(kinds):  # all forms have the same size
            return None
        these = tuple(sorted(kinds))
        for way in ways:
            if way.kinds == these:
                return way
        return next((way for way in ways if way.is_made_by(pack, kinds)), None)

    def find_in_hand(self, rnd: Round, hand: int) -> Iterator[tuple[int, ...]]:
        """Yield cards of a hand that make up the holding, once for each of its forms."""
        pack = rnd.rules.pack
        for way in self.forms(rnd) if has_cards(self.row) else ():
            if all(need.is_met_by(hand) for need in way.requirements):
                kinds = [
                    kind
                    for need in way.requirements
                    for kind in pack.kinds_in(hand & need.cards)[: need.min_count]
                ]
                yield way.kinds or tuple(sorted(kinds))

    def forms_for_several(
        self, rnd: Round, number: int, shown: Sequence[Sequence[int]]
    ) -> Iterator[HoldingForm]:
        """Yield the combined forms of `number` holdings that share no card with each other or with
        the cards `shown`. If there are too many forms, yield the forms of fewer holdings."""
        pack, ways = rnd.rules.pack, self.forms(rnd)
        while number > 1 and comb(len(ways) + number - 1, number) > MAX_FORMS:
            number -= 1
        for chosen in combinations_with_replacement(ways, number):
            known = [*shown, *(way.kinds for way in chosen if way.kinds)]
            others = [need for way in chosen if not way.kinds for need in way.requirements]
            needs = _combine_kinds(pack, [kind for kinds in known for kind in kinds], others)
            if all(need.cards.bit_count() >= need.min_count for need in needs):
                yield HoldingForm(needs, 0, (), 0)


class HoldingForm(NamedTuple):
    """A form of a holding: its requirements and its number of cards.

    `kinds` are the form's cards if no other cards are possible, otherwise empty. `height` ranks the
    forms of a row.
    """

    requirements: tuple[CardRequirement, ...]
    size: int
    kinds: tuple[int, ...]
    height: int

    def is_made_by(self, pack: Pack, kinds: Sequence[int]) -> bool:
        """Return whether these cards form exactly this holding."""
        if len(kinds) != self.size:
            return False
        return all(
            sum(bool(pack.bit[kind] & need.cards) for kind in kinds) >= need.min_count
            for need in self.requirements
        )


class CardRequirement(NamedTuple):
    """A minimum number of cards from a set. The set is a mask that includes all copies."""

    cards: int
    min_count: int

    def is_met_by(self, cards: int) -> bool:
        """Return whether these cards include enough cards of the set."""
        return (cards & self.cards).bit_count() >= self.min_count


def _check_row(path: str, row: Row, rules: Ruleset) -> None:
    """Report errors in a row of `[holdings]`."""
    pack = rules.pack
    said = [key for key in KEYS_FOR_CARDS if row[key]]
    if len(said) > 1:
        message = f"{path}: only one of cards, run and alike is possible"
        rules.fault(path, " and ".join(said), "cards = …, run = … or alike = …", message)
    for key in KEYS_ABOUT_CARDS if not said else ():
        if row[key]:
            message = f"{path}.{key}: a row without cards cannot have this key"
            rules.fault(f"{path}.{key}", str(row[key]), "cards = …, run = … or alike = …", message)
    for piece in row["say"].split("{")[1:]:
        name = piece.partition("}")[0]
        if name not in FACTS:
            message = f"{path}.say: “{quote(name)}” is no fact"
            rules.fault(f"{path}.say", name, ", ".join(FACTS), message)
    names = dict.fromkeys(("trump", SUIT, PLAIN), pack.suits)
    check_patterns(rules, f"{path}.cards", iter_patterns(row["cards"]), names)
    check_patterns(rules, f"{path}.of", iter_patterns(row["of"]), {"trump": pack.suits})
    for rank in row["ranks"].split():
        if rank not in pack.ranks:
            message = f"{path}.ranks: “{rank}” is no rank of the pack"
            rules.fault(f"{path}.ranks", rank, " ".join(pack.ranks), message)


def _build_forms(pack: Pack, row: Row, bound: Mapping[str, str]) -> Iterator[HoldingForm]:
    if not has_cards(row):
        yield HoldingForm((), 0, (), 0)
    elif row["run"]:
        yield from _run_forms(pack, row["run"], row["ranks"].split() or list(pack.ranks))
    elif row["alike"]:
        yield from _set_forms(pack, row["alike"], row["of"], bound)
    else:
        patterns = [
            [each] if isinstance(each, str) else each for each in row["cards"]
        ]  # a list of patterns means one card that matches any of them
        named = bound_names([text for group in patterns for text in group])
        suits = pack.suits if {SUIT, PLAIN} & set(named) else [""]
        for suit in suits:
            if PLAIN in named and suit == bound.get("trump"):
                continue
            way = _patterns_form(pack, patterns, {**bound, SUIT: suit, PLAIN: suit})
            if way is not None:
                yield way


def _patterns_form(
    pack: Pack, patterns: Iterable[Sequence[str]], bound: Mapping[str, str]
) -> HoldingForm | None:
    """Return the form that has one card for each pattern, or None if a card is unknown."""
    counts: dict[tuple[int, ...], int] = {}
    for group in patterns:
        kinds = [kind for text in group for kind in kinds_for(pack, text, bound)]
        if not kinds:
            return None
        key = tuple(sorted(set(kinds)))
        counts[key] = counts.get(key, 0) + 1
    single = all(len(kinds) == 1 for kinds in counts)
    these = tuple(sorted(kinds[0] for kinds, n in counts.items() for _ in range(n)))
    return HoldingForm(
        _requirements(pack, counts), sum(counts.values()), these if single else (), 0
    )


def _run_forms(pack: Pack, length: int, ranks: Sequence[str]) -> Iterator[HoldingForm]:
    for suit in pack.suits:
        cards = [pack.index[f"{rank}{suit}"] for rank in ranks if f"{rank}{suit}" in pack.index]
        for start in range(len(cards) - length + 1):
            kinds = tuple(sorted(cards[start : start + length]))
            needs = _requirements(pack, {(kind,): 1 for kind in kinds})
            yield HoldingForm(needs, length, kinds, -start)


def _set_forms(
    pack: Pack, count: int, of: Iterable[str | list[str]], bound: Mapping[str, str]
) -> Iterator[HoldingForm]:
    by_rank: dict[str, list[int]] = {}
    for text in iter_patterns(of):
        for kind in kinds_for(pack, text, bound):
            by_rank.setdefault(pack.rank[kind], []).append(kind)
    for height, kinds in enumerate(by_rank.values()):
        distinct = tuple(sorted(set(kinds)))
        if len(distinct) * pack.copies >= count:
            all_of = distinct if pack.copies == 1 and len(distinct) == count else ()
            yield HoldingForm(
                (CardRequirement(_mask(pack, distinct), count),), count, all_of, -height
            )


def _requirements(pack: Pack, counts: Mapping[tuple[int, ...], int]) -> tuple[CardRequirement, ...]:
    """Return the requirements for a given number of cards from each group of kinds. Single cards
    without copies are combined into one requirement."""
    once = {kinds: n for kinds, n in counts.items() if len(kinds) == 1 and pack.copies == 1}
    needs = [
        CardRequirement(_mask(pack, kinds), least)
        for kinds, least in counts.items()
        if kinds not in once
    ]
    if once:
        needs.append(
            CardRequirement(_mask(pack, [kind for kinds in once for kind in kinds]), len(once))
        )
    return tuple(needs)


def _mask(pack: Pack, kinds: Iterable[int]) -> int:
    mask = 0
    for kind in kinds:
        mask |= pack.column[kind]
    return mask


def _combine_kinds(
    pack: Pack, kinds: Iterable[int], others: Iterable[CardRequirement]
) -> tuple[CardRequirement, ...]:
    """Return the requirements for single cards of `kinds`, combined with the requirements `others`.
    For two requirements that share cards, add a joint requirement."""
    least: dict[int, int] = {}
    for cards, number in (*((pack.column[kind], 1) for kind in kinds), *others):
        least[cards] = least.get(cards, 0) + number
    for (one, few), (other, more) in combinations(list(least.items()), 2):
        if one & other:
            least[one | other] = max(least.get(one | other, 0), few + more)
    return tuple(CardRequirement(*need) for need in least.items())


# --- announcements that count


def counting_holdings(
    rnd: Round, rows: Rows, announced: Sequence[AnnouncedHolding]
) -> list[AnnouncedHolding]:
    """Return the announcements that count. For rows that only the side with the best announcement
    may score, leave out the announcements of the other sides."""
    rivals = [each for each in announced if rows[each.name].only_best]
    if not rivals:
        return list(announced)
    best = _best_holding(rnd, rows, rivals)
    own = () if best is None else (best.seat, *mates_of(rnd, best.seat))
    return [each for each in announced if not rows[each.name].only_best or each.seat in own]


def undecided_holdings(
    rnd: Round, rows: Rows, announced: Sequence[AnnouncedHolding]
) -> list[AnnouncedHolding]:
    """Return announcements of different sides that cannot be compared yet, because none has been
    shown."""
    rivals = [each for each in announced if rows[each.name].only_best]
    return (
        _same_row(rnd, rows, rivals) if rivals and _best_holding(rnd, rows, rivals) is None else []
    )


def _best_holding(
    rnd: Round, rows: Rows, rivals: Sequence[AnnouncedHolding]
) -> AnnouncedHolding | None:
    """Return the best of these announcements, or None if it is unknown."""
    equals = _same_row(rnd, rows, rivals)
    known = [each for each in equals if each.cards]
    if not known and all(each.held_cards for each in equals):
        known = equals
    if known:
        return max(known, key=lambda each: _rank(rnd, rows, each))
    first = equals[0]
    mates = (first.seat, *mates_of(rnd, first.seat))
    return first if all(each.seat in mates for each in equals) else None


def _same_row(rnd: Round, rows: Rows, rivals: Sequence[AnnouncedHolding]) -> list[AnnouncedHolding]:
    """Return the announcements of the best row among the rivals."""
    first = min(rows[each.name].place for each in rivals)
    return [each for each in rivals if rows[each.name].place == first]


def _rank(rnd: Round, rows: Rows, one: AnnouncedHolding) -> tuple[int, bool, int]:
    """Return a sort key for an announcement: its height, whether all its cards are trumps, and the
    player's position in turn order. The largest key is the best."""
    cards = one.cards or one.held_cards
    way = rows[one.name].form_of(rnd, cards)
    play = rnd.rules.card_play
    classes = () if play is None else play.order_in_force(rnd).classes
    trump = all(classes[kind] == TRUMP for kind in cards) if classes else False
    seats = rnd.seats
    late = (seats.index(one.seat) - seats.index(rnd.seating.leader)) % len(seats)
    return (way.height if way is not None else 0), trump, -late


# --- view


class HoldingsView(View[State]):
    """The view of the announcements.

    `counted` returns the announcements that count in a finished round. Unlike other views, this
    view reads the round directly.
    """

    __slots__ = ("counted", "rnd")

    def __init__(
        self, rnd: Round, state: State, counted: Callable[[], Sequence[AnnouncedHolding]]
    ) -> None:
        super().__init__(state)
        self.rnd = rnd
        self.counted = counted

    def sentences(self) -> Iterator[Sentence]:
        for one in self.facts.announced:
            who, what = self.rnd.names[one.seat], _holding_text(self.rnd, one)
            yield Sentence(tr("{who} has announced {what}", who=who, what=what))

    def result_sentences(self) -> Iterator[str]:
        if self.rnd.void:
            return
        counted = self.counted()
        for one in self.facts.announced:
            who, what = self.rnd.names[one.seat], _holding_text(self.rnd, one)
            if one in counted:
                yield tr("{who} has announced {what}", who=who, what=what)
            else:
                yield tr(
                    "{who} has announced {what}, which does not count because it is not the best",
                    who=who,
                    what=what,
                )

    def as_json(self) -> Json:
        by_player = _by_player(self.rnd, self.facts)
        return {"players": {name: {"announced": said} for name, said in by_player.items()}}

    def summary(self) -> Json:
        players = {name: ", ".join(what) for name, what in _by_player(self.rnd, self.facts).items()}
        said = [f"{name}: {what}" for name, what in players.items()]
        return {"announced": said or None, "player.announced": players}


def _by_player(rnd: Round, state: State) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in state.announced:
        found.setdefault(rnd.names[one.seat], []).append(_holding_text(rnd, one))
    return found


def _holding_text(rnd: Round, one: AnnouncedHolding) -> str:
    """Return a holding's name, followed by its cards if they were shown."""
    cards = f" ({' '.join(rnd.rules.pack.kinds[kind] for kind in one.cards)})" if one.cards else ""
    return rnd.rules.translate_word(one.name) + cards
