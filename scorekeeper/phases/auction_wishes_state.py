"""The auction of wishes: the wishes and their ranking, the state of a deal, and a result's keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import N_, Prompt, Sentence, join_list, plural, tr
from scorekeeper.core.sides import ALONE, DECLARING
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine import contracts
from scorekeeper.engine.findings import broken_rules, infer_act
from scorekeeper.engine.phase import View
from scorekeeper.notation import Entry, Notation
from scorekeeper.notation.syntax import Syntax, clean
from scorekeeper.ruleset.tables import Parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json, Rng, Row
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation.syntax import Spelling

NAME, WISHES = "auction", "wishes"
WHERE = "phases.auction"
ORDINARY, RESERVED, VOLUNTARY = "ordinary", "reserved", "voluntary"
PARAMETERS: Mapping[str, Parameter] = {
    "turns": Parameter(
        "choice",
        "`wishes`: each player names one wish, and the strongest is played",
        WISHES,
        (WISHES,),
    ),
    "nobody": Parameter(
        "name", "the contract that is played if no player makes a reservation", rows="contracts"
    ),
    "ranks": Parameter(
        "cards",
        "contracts, from the strongest to the weakest; in a nested list, the player who speaks"
        " first wins",
        rows="contracts",
    ),
    "raises": Parameter(
        "words",
        "the contracts that calls may raise: a list, or `alone` for those in which the declarer"
        " plays alone (`sides`)",
        [],
    ),
    "compulsory": Parameter(
        "bool",
        "whether each player owes a solo; the first solo counts as the one owed, and its player"
        " leads",
        False,
        words=("owed",),
    ),
    "solos": Parameter(
        "words",
        "the contracts that may be the solo that is owed: a list, or `alone` for those in which"
        " the declarer plays alone (`sides`)",
        ALONE,
    ),
    "deals": Parameter("number", "the number of deals in the match, if solos are owed", 0),
    "cut_short": Parameter(
        "bool",
        "whether a card led before all have spoken ends this phase; this is no fault if no"
        " possible wish outranks the named ones, and players who have not spoken choose the"
        " ordinary game",
        False,
    ),
}


class Wish(NamedTuple):
    """The contract that a player wishes to play.

    `kind` is a contract, ORDINARY, or RESERVED. RESERVED means that the player names the contract
    later. `raises` are calls that make the wish stronger. `voluntary` is true for a solo that the
    player plays in addition to the one they owe.
    """

    kind: str
    raises: tuple[str, ...] = ()
    voluntary: bool = False

    @property
    def names_contract(self) -> bool:
        """True if the wish names a contract."""
        return self.kind not in (ORDINARY, RESERVED)

    @property
    def words(self) -> tuple[str, ...]:
        """The canonical words for the wish, in written order."""
        return (self.kind, *self.raises, *((VOLUNTARY,) if self.voluntary else ()))


def translate_words(rules: Ruleset, words: Iterable[str]) -> str:
    """Translate canonical words into the game's words."""
    return " ".join(map(rules.translate_word, words))


class WishSyntax(Syntax):
    """The syntax of a wish: its kind, calls that raise it, and the word for a voluntary solo. Only
    contracts in `solos` can be voluntary."""

    form = N_("RESERVATION")

    def __init__(
        self, contracts: Iterable[str], solos: Iterable[str], raises: Iterable[str]
    ) -> None:
        self.kinds = {ORDINARY, RESERVED, *contracts}
        self.solos = set(solos)
        self.raises = set(raises)

    def may_match(self, text: str, notation: Spelling) -> bool:
        return notation.split_first_word(text)[0] in self.kinds

    def read(self, text: str, notation: Spelling) -> Wish:
        kind, rest = notation.split_first_word(text)
        if kind not in self.kinds:
            words = ", ".join(map(notation.write_word, sorted(self.kinds)))
            raise Unreadable(
                tr(
                    "the next word must be one of {words}, not “{text}”",
                    words=words,
                    text=clean(text),
                )
            )
        return self.read_rest(kind, rest, notation)

    def read_rest(self, kind: str, rest: str, notation: Spelling) -> Wish:
        """Read the words that follow the kind of a wish, and return the wish. Raise Unreadable for
        other words."""
        raises: list[str] = []
        voluntary = False
        while rest:
            unread, (word, rest) = rest, notation.split_first_word(rest)
            if word == VOLUNTARY and kind in self.solos:
                voluntary = True
            elif word in self.raises and kind in self.kinds - {ORDINARY, RESERVED}:
                raises.append(word)
            else:
                raise Unreadable(
                    tr(
                        "“{text}” cannot follow {word}",
                        text=clean(unread),
                        word=notation.write_word(kind),
                    )
                )
        return Wish(kind, tuple(raises), voluntary)

    def write(self, value: Wish, notation: Spelling) -> str:
        return " ".join(map(notation.write_word, value.words))

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[Wish]:
        kind = rng.choice(sorted(self.kinds))
        if kind in (ORDINARY, RESERVED):
            return (Wish(kind),)
        raises = rng.sample(sorted(self.raises), min(len(self.raises), rng.randint(0, 1)))
        return (Wish(kind, tuple(raises), kind in self.solos and rng.random() < 0.5),)


class State:
    """The reservations of a deal. Players are seats.

    `order` lists the seats in speaking order. `wishes_by_seat` maps a seat to its latest wish, and
    `entry_numbers` maps it to the number of the entry that stated this wish. `latest_seat` is the
    seat that spoke most recently, or -1. `pending_seats` must still name their reservation, and
    `named_seats` have named theirs. `is_decided` is true once the contract is known, and
    `compulsory` is true if the contract is an owed solo. `played_solos` are the seats that no
    longer owe a solo. `deals_counted` is the number of deals that have counted so far.
    `from_result` is a wish that only the result of the deal states.
    """

    __slots__ = (
        *("compulsory", "deals_counted", "entry_numbers", "from_result", "is_decided"),
        *("latest_seat", "named_seats", "order", "pending_seats", "played_solos"),
        "wishes_by_seat",
    )

    def __init__(self, order: list[int], played: Iterable[int], counted: int) -> None:
        self.order = order
        self.wishes_by_seat: dict[int, Wish] = {}
        self.entry_numbers: dict[int, int] = {}
        self.latest_seat = -1
        self.pending_seats: list[int] = []
        self.named_seats: list[int] = []
        self.is_decided = self.compulsory = False
        self.played_solos = set(played)
        self.deals_counted = counted
        self.from_result: Wish | None = None

    @property
    def all_spoken(self) -> bool:
        """True once all players have spoken."""
        return len(self.wishes_by_seat) == len(self.order)

    def add_wish(self, seat: int, wish: Wish, number: int) -> None:
        """Set the seat's wish and the number of the entry that stated it."""
        self.wishes_by_seat[seat], self.entry_numbers[seat], self.latest_seat = (
            wish,
            number,
            seat,
        )

    def named_wishes(self) -> list[tuple[int, Wish]]:
        """Return the named contracts, each with its seat."""
        return [(seat, wish) for seat, wish in self.wishes_by_seat.items() if wish.names_contract]


def seats_without_debt(rnd: Round) -> Collection[int]:
    """Return the seats that owed no solo after the last deal that counted."""
    played: Collection[int] = rnd.carried(NAME).get("played", ())
    return played


def count_deals(rnd: Round) -> int:
    """Return how many deals of the match have counted."""
    return int(rnd.carried(NAME).get("deals", 0))


# --- ranking of wishes


class RankedWishes(contracts.Contracts):
    """The contracts in the table `[contracts]`, compiled and ranked.

    `default` is the contract played without reservations, and `others` are all other contracts. If
    `compulsory` is true, each player owes one of the `solos`. `syntax` reads a wish. `raisable` are
    the contracts that calls may raise, and `heights` ranks these calls. `_place` is the rank of
    each contract, 0 for the strongest. All contracts that can be raised share the rank of the
    strongest of them (`_raised`). Between two of these contracts, the height of the call decides.
    """

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules)
        self.default: str = row["nobody"]
        self.compulsory: bool = row["compulsory"]
        self.others = [name for name in self.rows if name != self.default]
        self._listed: list[tuple[str, str | list[str]]] = [
            (key, row[key]) for key in ("raises", "solos")
        ]
        self.raisable = self._contracts_of(row["raises"])
        solos = self._contracts_of(row["solos"])
        self.solos = [name for name in self.others if name in solos]
        self.heights = _call_heights(rules)
        self.syntax = WishSyntax(self.others, self.solos, rules.section("calls"))
        self._place = _places_in_ranks(row["ranks"], self.rows)
        raised = [self._place[name] for name in self.raisable if name in self._place]
        self._raised = min(raised, default=0)

    def _contracts_of(self, value: str | list[str]) -> Collection[str]:
        """Return the contracts in the value of a key. The value ALONE means all contracts in which
        the declarer plays alone."""
        if value == ALONE:
            return [name for name, row in self.rows.items() if row["sides"] == ALONE]
        return [value] if isinstance(value, str) else value

    def link(self, rules: Ruleset) -> None:
        super().link(rules)
        allowed = ", ".join(self.rows)
        for name in (self.default, *self._place):
            if name not in self.rows:
                rules.fault(WHERE, name, allowed, f"{WHERE} names no contract: {name}")
        for key, value in self._listed:
            for name in self._contracts_of(value):
                if name not in self.rows:
                    message = f"{WHERE}.{key} names no contract: {name}"
                    rules.fault(f"{WHERE}.{key}", name, f"{ALONE}, {allowed}", message)

    def wishes_with_words(self, kind: str) -> Iterator[Wish]:
        """Yield the wishes for a contract with one additional word: a call that raises it, or
        `voluntary`."""
        for word in self.heights if kind in self.raisable else ():
            yield Wish(kind, (word,))
        if self.compulsory and kind in self.solos:
            yield Wish(kind, (), True)

    # --- ranking

    def is_owed(self, state: State, seat: int, wish: Wish) -> bool:
        """Return whether the wish would be the solo that the seat owes."""
        solo = self.compulsory and wish.kind in self.solos
        return solo and not wish.voluntary and seat not in state.played_solos

    def rank_wish(self, state: State, seat: int, wish: Wish) -> tuple[int, ...]:
        """Return the rank of a wish for a contract. The lowest rank wins."""
        height = max((self.heights.get(word, 0) for word in wish.raises), default=0)
        place, turn = self._place[wish.kind], state.order.index(seat)
        after_owed = 0 if self.is_owed(state, seat, wish) else 1
        if wish.kind in self.raisable:
            return after_owed, self._raised, -height, place, turn
        return after_owed, place, 0, place, turn

    def may_win(self, state: State, seat: int) -> bool:
        """Return whether a seat that has not named its contract could still have the strongest
        wish."""
        wishes = state.named_wishes()
        if not wishes:
            return True
        best = min(self.rank_wish(state, *wish) for wish in wishes)
        highest = max(self.heights, key=self.heights.__getitem__, default="")
        return any(
            self.rank_wish(state, seat, Wish(kind, (highest,) if kind in self.raisable else ()))
            < best
            for kind in self.others
        )

    # --- contract

    def settle_wish(self, rnd: Round, state: State, seat: int, wish: Wish) -> None:
        """Make the seat's wish the contract. If the contract is the solo that the seat owes, the
        seat also leads."""
        self.declare(rnd, seat)
        if wish.raises:
            rnd.table.raised = wish.raises
        if self.is_owed(state, seat, wish):
            state.compulsory = True
            if rnd.setup.lead is None:
                rnd.seating.leader = seat


def _call_heights(rules: Ruleset) -> dict[str, int]:
    """Return the calls that the declaring side may make, each with its height from 1."""
    declaring = next(iter(rules.section("parties")), "")
    calls = [row for row in rules.section("calls").items() if row[1]["side"] in ("", declaring)]
    return {name: height for height, (name, _) in enumerate(calls, 1)}


def _places_in_ranks(ranks: Sequence[str | Sequence[str]], rows: Iterable[str]) -> dict[str, int]:
    """Return the index of each contract in a ranking, 0 for the strongest. Unlisted contracts come
    last."""
    place: dict[str, int] = {}
    for index, names in enumerate(ranks):
        for name in [names] if isinstance(names, str) else names:
            place.setdefault(name, index)
    for name in rows:
        place.setdefault(name, len(ranks))
    return place


# --- view


class WishesView(View["State | None"]):
    """The view of the reservations.

    Unlike other views, this view reads the round directly. `waiting` are the seats that must speak.
    `deals` returns the number of deals in the match, or 0 if there is no limit. If `compulsory` is
    true, each player owes a solo.
    """

    __slots__ = ("compulsory", "deals", "rnd", "waiting")

    def __init__(
        self,
        rnd: Round,
        state: State | None,
        waiting: list[int],
        deals: Callable[[Round], float],
        compulsory: bool,
    ) -> None:
        super().__init__(state)
        self.rnd = rnd
        self.waiting = waiting
        self.deals = deals
        self.compulsory = compulsory

    def prompt(self) -> Prompt:
        name, say = self.rnd.names[self.waiting[0]], self.rnd.rules.translate_word
        if self.facts is not None and self.facts.all_spoken:
            return Prompt(tr("{who} names their reservation", who=name))
        ordinary = say(ORDINARY)
        text = tr(
            "{who} says {ordinary} or makes a reservation (for all remaining players, enter "
            "{all}: {ordinary})",
            who=name,
            all=say("all"),
            ordinary=ordinary,
        )
        return Prompt(text, tr("{who} says {word} or makes a reservation", who=name, word=ordinary))

    def table(self) -> Iterator[str]:
        for each in self.as_json().get("table", ()):
            yield f"{each['who']}: {each['says']}"

    def sentences(self) -> Iterator[Sentence]:
        yield from contract_sentence(self.rnd, self.facts)
        yield from map(Sentence, debt_sentences(self.rnd, self.deals(self.rnd), self.compulsory))

    def as_json(self) -> Json:
        rnd, state = self.rnd, self.facts
        if state is None or state.is_decided or rnd.over:
            return {"bindings": bindings_json(rnd, state)}
        table = [
            {"who": rnd.names[seat], "says": translate_words(rnd.rules, (wish.kind, *wish.raises))}
            for seat, wish in state.wishes_by_seat.items()
        ]
        return {"table": table}

    def summary(self) -> Json:
        found: Json = {"contract": self.rnd.table.contract or None}
        if self.compulsory:
            found["player.solos_left"] = _solos_left(self.rnd)
        return found


def bindings_json(rnd: Round, state: State | None) -> Json:
    """Return the facts that the reservations have decided, as JSON."""
    table = rnd.table
    found: Json = {
        "declarer": rnd.names[table.declarer] if table.declarer >= 0 else None,
        "raised": list(table.raised),
        "compulsory": state is not None and state.compulsory,
        "contract": table.contract,
        "order": table.order,
    }
    return {name: value for name, value in found.items() if value}


def contract_sentence(rnd: Round, state: State | None) -> Iterator[Sentence]:
    """Yield a sentence about the contract and its declarer."""
    if not rnd.table.contract:
        return
    name, declarer = rnd.rules.translate_word(rnd.table.contract), rnd.table.declarer
    by = tr(", by {who}", who=rnd.names[declarer]) if declarer >= 0 else ""
    owed = tr(" (the solo that was owed)") if state is not None and state.compulsory else ""
    void = tr(": the deal does not count") if rnd.void else ""
    what = name + by + owed + void
    if rnd.over:
        yield Sentence(tr("the contract was {contract}", contract=what))
        return
    said = tr("the contract is {contract}", contract=what)
    yield Sentence(said, on_table=not (by or void))


def debt_sentences(rnd: Round, deals: float, compulsory: bool) -> Iterator[str]:
    """Yield sentences that state how many of `deals` deals have counted, and which players owe a
    solo."""
    if deals:
        yield plural(
            "{count} deal of {deals} played",
            "{count} deals of {deals} played",
            count_deals(rnd),
            deals=deals,
        )
    if compulsory:
        owing = [name for name, left in _solos_left(rnd).items() if left]
        if owing:
            names = join_list(owing)
            yield plural("{names} owes a solo", "{names} owe a solo", len(owing), names=names)


def _solos_left(rnd: Round) -> dict[str, int]:
    """Return how many solos each player still owes."""
    played = seats_without_debt(rnd)
    return {name: 0 if seat in played else 1 for seat, name in enumerate(rnd.names)}


# --- results


def result_fields(rnd: Round, contracts: RankedWishes) -> list[tuple[str, str, list[str]]]:
    """Return the result keys that name the contract. There are none if the contract is known."""
    if rnd.table.contract:
        return []
    word = rnd.rules.translate_word(VOLUNTARY)
    voluntary = [f"{kind} {word}" for kind in contracts.solos] if contracts.compulsory else []
    return [("contract", tr("what was played"), [*contracts.rows, *voluntary])]


def read_result_words(
    rnd: Round, state: State, contracts: RankedWishes, said: dict[str, str]
) -> None:
    """Remove the contract from the words of a result and store it. Raise Unreadable if the contract
    is unknown, and Impossible if a different contract was recorded."""
    text, known = said.pop("contract", ""), rnd.table.contract
    if known and not text:
        return
    wish = _read_wish(rnd, contracts, text)
    if known:
        _require_same(rnd, state, wish, known)
        return
    state.from_result, state.is_decided = wish, True
    contracts.apply_contract(rnd, wish.kind, -1)


def _read_wish(rnd: Round, contracts: RankedWishes, text: str) -> Wish:
    """Return the wish that a result states. Its words are joined by spaces or `+`. The word for a
    voluntary solo may come first."""
    notation = Notation(rnd.rules.lexicon, rnd.names)
    parts = sorted(text.split("+"), key=lambda part: notation.find_meaning(part) == VOLUNTARY)
    words = " ".join(parts)
    kind, rest = notation.split_first_word(words)
    if kind != ORDINARY and kind not in contracts.rows:
        raise Unreadable(
            tr(
                "the result must name the contract; {found} is not a contract",
                found=f"contract={clean(words)}",
            )
            if words.strip()
            else tr("the result must name the contract"),
            tr("possible contracts: {contracts}", contracts=", ".join(contracts.rows)),
        )
    if kind == contracts.default:
        kind = ORDINARY
    wish = contracts.syntax.read_rest(kind, rest, notation)
    return wish._replace(kind=contracts.default) if kind == ORDINARY else wish


def _require_same(rnd: Round, state: State, wish: Wish, known: str) -> None:
    """Raise Impossible if a different wish was recorded."""
    declarer = rnd.table.declarer
    own = state.wishes_by_seat[declarer] if declarer >= 0 else Wish(known)
    if wish.kind not in (known, own.kind) or wish[1:] not in (own[1:], Wish(known)[1:]):
        played = translate_words(rnd.rules, own._replace(kind=known).words)
        told = translate_words(rnd.rules, wish.words)
        raise Impossible(
            tr(
                "according to the entries, {contract} is being played, not {other}",
                contract=played,
                other=told,
            )
        )


def infer_wishes(rnd: Round, state: State, contracts: RankedWishes) -> None:
    """Infer the wishes that led to the contract, once the sides are known. Add a finding if the
    rules allow no combination of wishes."""
    if state.from_result is None:
        return
    declarers = _possible_declarers(rnd, state, contracts, state.from_result)
    ways = [_missing_wishes(rnd, state, contracts, seat, wish) for seat, wish in declarers]
    allowed = [index for index, acts in enumerate(ways) if _is_allowed(rnd, acts)]
    chosen = allowed[0] if allowed else 0
    for acts in ways[chosen]:
        infer_act(rnd, acts)
    seat, wish = declarers[chosen]
    if seat >= 0 and len(allowed or ways) == 1:
        contracts.settle_wish(rnd, state, seat, wish)
    contracts.change_without_partner(rnd)


def _possible_declarers(
    rnd: Round, state: State, contracts: RankedWishes, wish: Wish
) -> list[tuple[int, Wish]]:
    """Return the wishes that may have become the contract, given all statements.

    They are pairs of a seat and a wish. The seat is -1 for the contract played without a wish.
    Raise Impossible if there are none.
    """
    said = {
        seat: own for seat, own in state.wishes_by_seat.items() if seat not in state.pending_seats
    }
    sides, kind = rnd.sides, wish.kind
    seats = sides.members(DECLARING) if sides is not None and not rnd.void else rnd.seats
    if kind == contracts.default:
        may = [(-1, wish)]
    else:
        may = [(seat, said.get(seat, wish)) for seat in seats]
        may = [(seat, own) for seat, own in may if own.kind == kind]
    found = [
        (seat, own)
        for seat, own in may
        if not any(_would_win(state, contracts, other, (seat, own)) for other in said.items())
    ]
    if not found:
        texts = [
            tr(
                "{who} said {words}",
                who=rnd.names[seat],
                words=translate_words(rnd.rules, own.words),
            )
            for seat, own in said.items()
        ]
        raise Impossible(
            tr(
                "according to the entries, {said}, so {contract} was not played",
                said=", ".join(texts),
                contract=kind,
            )
        )
    return found


def _would_win(
    state: State, contracts: RankedWishes, other: tuple[int, Wish], played: tuple[int, Wish]
) -> bool:
    """Return whether another player's wish would have been played instead of this one."""
    if other[0] == played[0] or other[1].kind == ORDINARY:
        return False
    return played[0] < 0 or contracts.rank_wish(state, *other) < contracts.rank_wish(state, *played)


def _missing_wishes(
    rnd: Round, state: State, contracts: RankedWishes, declarer: int, wish: Wish
) -> list[list[Entry]]:
    """Return the unrecorded acts that must have happened if that seat's wish was played. The result
    has one list of alternatives for each player who has not spoken or has not named a contract."""
    verb, story = rnd.rules.entry_types["reserve"], []
    for seat in state.order:
        if seat in state.wishes_by_seat and seat not in state.pending_seats:
            continue
        wishes = [Wish(ORDINARY)]
        if declarer >= 0:
            played = contracts.rank_wish(state, declarer, wish)
            others = map(Wish, contracts.others)
            wishes += [each for each in others if contracts.rank_wish(state, seat, each) > played]
        if seat == declarer:
            wishes = [wish]
        story.append([Entry(verb, seat, each) for each in wishes])
    return story


def _is_allowed(rnd: Round, way: list[list[Entry]]) -> bool:
    """Return whether each player has at least one alternative that was legal."""
    return all(any(not broken_rules(rnd, act) for act in acts) for acts in way)
