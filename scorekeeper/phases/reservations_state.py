"""Reservations: the wishes, their ranking, the state of a deal, and the keys of a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import Prompt, Sentence, listed, mark, plural, tr
from scorekeeper.core.sides import DECLARING
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine import contracts
from scorekeeper.engine.findings import broken, imply
from scorekeeper.engine.phase import View
from scorekeeper.notation import Entry, Notation
from scorekeeper.notation.syntax import Syntax, clean

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from scorekeeper.core.types import Json, Luck, Row
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation.syntax import Spelling

NAME = "reservations"  # the name of the phase, under which it carries state over


ORDINARY, RESERVED, VOLUNTARY = "ordinary", "reserved", "voluntary"


class Wish(NamedTuple):
    """A player's wish. `kind` is a contract, ORDINARY, or RESERVED for one that is named later.
    `raises` are calls that make it stronger. A `voluntary` solo is not the one that the player
    owes."""

    kind: str
    raises: tuple[str, ...] = ()
    voluntary: bool = False

    @property
    def names_contract(self) -> bool:
        """True if the wish names a contract."""
        return self.kind not in (ORDINARY, RESERVED)

    @property
    def words(self) -> tuple[str, ...]:
        """The program's words for the wish, in written order."""
        return (self.kind, *self.raises, *((VOLUNTARY,) if self.voluntary else ()))


def spoken(rules: Ruleset, words: Iterable[str]) -> str:
    """Return the game's words for these words of the program."""
    return " ".join(map(rules.spoken, words))


class WishSyntax(Syntax):
    """The syntax of a wish: its kind, calls that raise it, and the word for a voluntary solo. Only
    `solos` can be voluntary."""

    form = mark("RESERVATION")

    def __init__(
        self, contracts: Iterable[str], solos: Iterable[str], raises: Iterable[str]
    ) -> None:
        self.kinds = {ORDINARY, RESERVED, *contracts}
        self.solos = set(solos)
        self.raises = set(raises)

    def fits(self, text: str, notation: Spelling) -> bool:
        return notation.opening(text)[0] in self.kinds

    def read(self, text: str, notation: Spelling) -> Wish:
        kind, rest = notation.opening(text)
        if kind not in self.kinds:
            words = ", ".join(map(notation.say, sorted(self.kinds)))
            raise Unreadable(
                tr("one of {words} must follow, found “{text}”", words=words, text=clean(text))
            )
        return self.read_rest(kind, rest, notation)

    def read_rest(self, kind: str, rest: str, notation: Spelling) -> Wish:
        """Return the wish of that kind with the words that follow. Raise Unreadable for other
        words."""
        raises: list[str] = []
        voluntary = False
        while rest:
            unread, (word, rest) = rest, notation.opening(rest)
            if word == VOLUNTARY and kind in self.solos:
                voluntary = True
            elif word in self.raises and kind in self.kinds - {ORDINARY, RESERVED}:
                raises.append(word)
            else:
                raise Unreadable(
                    tr(
                        "“{text}” cannot follow {word}",
                        text=clean(unread),
                        word=notation.say(kind),
                    )
                )
        return Wish(kind, tuple(raises), voluntary)

    def show(self, value: Wish, notation: Spelling) -> str:
        return " ".join(map(notation.say, value.words))

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Wish]:
        kind = luck.choice(sorted(self.kinds))
        if kind in (ORDINARY, RESERVED):
            return (Wish(kind),)
        raises = luck.sample(sorted(self.raises), min(len(self.raises), luck.randint(0, 1)))
        return (Wish(kind, tuple(raises), kind in self.solos and luck.random() < 0.5),)


class State:
    """The reservations of a deal. Players are seats.

    `order` are the seats in speaking order. `spoken` is each seat's last wish, and `numbers` the
    entry with which it was stated. `latest` is the seat that spoke last, or -1. `pending` must
    still name their reservation, `named` have named it. `decided` is true once the contract is
    known, `compulsory` if it is an owed solo. `played` owe no solo any more, `counted` is the
    number of deals that count so far. `from_result` is a wish that only a result states.
    """

    __slots__ = (
        *("compulsory", "counted", "decided", "from_result", "latest", "named", "numbers"),
        *("order", "pending", "played", "spoken"),
    )

    def __init__(self, order: list[int], played: Iterable[int], counted: int) -> None:
        self.order = order
        self.spoken: dict[int, Wish] = {}
        self.numbers: dict[int, int] = {}
        self.latest = -1
        self.pending: list[int] = []
        self.named: list[int] = []
        self.decided = self.compulsory = False
        self.played = set(played)
        self.counted = counted
        self.from_result: Wish | None = None

    @property
    def all_spoken(self) -> bool:
        """True once all players have spoken."""
        return len(self.spoken) == len(self.order)

    def say(self, seat: int, wish: Wish, number: int) -> None:
        """Set the seat's wish, stated by the entry of that number."""
        self.spoken[seat], self.numbers[seat], self.latest = wish, number, seat

    def wishes(self) -> list[tuple[int, Wish]]:
        """Return the named contracts, each with its seat."""
        return [(seat, wish) for seat, wish in self.spoken.items() if wish.names_contract]


def solos_played(rnd: Round) -> Collection[int]:
    """Return the seats that owed no solo after the last deal that counted."""
    played: Collection[int] = rnd.kept(NAME).get("played", ())
    return played


def deals_counted(rnd: Round) -> int:
    """Return how many deals of the match have counted."""
    return int(rnd.kept(NAME).get("deals", 0))


# --- contracts as wishes: which of two is the stronger


class Contracts(contracts.Contracts):
    """The compiled table `[contracts]`, ranked.

    `default` is played without reservations, `others` are the rest. If `compulsory`, each player
    owes one of the `solos`. `syntax` reads a wish. `heights` ranks the calls that may raise one.
    `_place` is the rank of a contract, 0 the strongest. Contracts that can be raised share the
    rank of the strongest of them (`_raised`), and the height of the call decides between them.
    """

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules)
        self.default: str = row["default"]
        self.compulsory: bool = row["compulsory"]
        self.others = [name for name in self.rows if name != self.default]
        self.solos = [name for name in self.others if self.rows[name]["solo"]]
        self.heights = _heights(rules)
        self.syntax = WishSyntax(self.others, self.solos, rules.section("calls"))
        self._place = _places(row["ranks"], self.rows)
        raised = [self._place[name] for name, each in self.rows.items() if each["raises"]]
        self._raised = min(raised, default=0)

    def link(self, rules: Ruleset) -> None:
        super().link(rules)
        for name in (self.default, *self._place):
            if name not in self.rows:
                allowed = ", ".join(self.rows)
                message = f"phases.reservations names no contract: {name}"
                rules.fault("phases.reservations", name, allowed, message)

    def trumps_of(self, name: str) -> str:
        row = self.rows[name]
        return row["counted"] or str(self.rows[self.default]["order"])

    def with_words(self, kind: str) -> Iterator[Wish]:
        """Yield the wishes for a contract with one more word: a call that raises it, or
        `voluntary`."""
        for word in self.heights if self.rows[kind]["raises"] else ():
            yield Wish(kind, (word,))
        if self.compulsory and kind in self.solos:
            yield Wish(kind, (), True)

    # --- which wish is the stronger

    def is_owed(self, state: State, seat: int, wish: Wish) -> bool:
        """Return whether the wish would be the solo that the seat owes."""
        solo = bool(self.compulsory and self.rows[wish.kind]["solo"])
        return solo and not wish.voluntary and seat not in state.played

    def rank(self, state: State, seat: int, wish: Wish) -> tuple[int, ...]:
        """Return the rank of a wish for a contract; the lowest wins."""
        height = max((self.heights.get(word, 0) for word in wish.raises), default=0)
        place, turn = self._place[wish.kind], state.order.index(seat)
        after_owed = 0 if self.is_owed(state, seat, wish) else 1
        if self.rows[wish.kind]["raises"]:
            return after_owed, self._raised, -height, place, turn
        return after_owed, place, 0, place, turn

    def may_win(self, state: State, seat: int) -> bool:
        """Return whether a seat that has yet to name its contract could still have the strongest
        wish."""
        wishes = state.wishes()
        if not wishes:
            return True
        best = min(self.rank(state, *wish) for wish in wishes)
        highest = max(self.heights, key=self.heights.__getitem__, default="")
        return any(
            self.rank(state, seat, Wish(kind, (highest,) if row["raises"] else ())) < best
            for kind, row in self.rows.items()
            if kind != self.default
        )

    # --- what is played

    def choose(self, rnd: Round, state: State, seat: int, wish: Wish) -> None:
        """Settle the seat's wish as the contract. The seat leads if it is the solo that it owes."""
        self.declare(rnd, seat)
        if wish.raises:
            rnd.table.raised = wish.raises
        if self.is_owed(state, seat, wish):
            state.compulsory = True
            if rnd.setup.lead is None:
                rnd.seating.leader = seat


def _heights(rules: Ruleset) -> dict[str, int]:
    """Return the calls that the declaring side may make, each with its height from 1."""
    declaring = next(iter(rules.section("parties")), "")
    calls = [row for row in rules.section("calls").items() if row[1]["side"] in ("", declaring)]
    return {name: height for height, (name, _) in enumerate(calls, 1)}


def _places(ranks: Sequence[str | Sequence[str]], rows: Iterable[str]) -> dict[str, int]:
    """Return the index of each contract in a ranking, 0 the strongest. Unlisted contracts come
    last."""
    place: dict[str, int] = {}
    for index, names in enumerate(ranks):
        for name in [names] if isinstance(names, str) else names:
            place.setdefault(name, index)
    for name in rows:
        place.setdefault(name, len(ranks))
    return place


# --- what is told


class ReservationsView(View["State | None"]):
    """The view of the reservations. Until the second edition of the language it reads the round
    itself. `waiting` are the seats that must speak. `deals` returns the number of deals of the
    match, 0 without a limit. Solos are owed if they are `compulsory`."""

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
        name, say = self.rnd.names[self.waiting[0]], self.rnd.rules.spoken
        if self.facts is not None and self.facts.all_spoken:
            return Prompt(tr("{who} names their reservation", who=name))
        ordinary = say(ORDINARY)
        text = tr(
            "{who} says {ordinary} or a reservation ({all}: {ordinary}, for all who are left)",
            who=name,
            all=say("all"),
            ordinary=ordinary,
        )
        return Prompt(text, tr("{who} says {word} or a reservation", who=name, word=ordinary))

    def table(self) -> Iterator[str]:
        for each in self.as_json().get("table", ()):
            yield f"{each['who']}: {each['says']}"

    def sentences(self) -> Iterator[Sentence]:
        yield from contract(self.rnd, self.facts)
        yield from map(Sentence, what_is_owed(self.rnd, self.deals(self.rnd), self.compulsory))

    def as_json(self) -> Json:
        rnd, state = self.rnd, self.facts
        if state is None or state.decided or rnd.over:
            return {"bindings": bindings(rnd, state)}
        table = [
            {"who": rnd.names[seat], "says": spoken(rnd.rules, (wish.kind, *wish.raises))}
            for seat, wish in state.spoken.items()
        ]
        return {"table": table}

    def summary(self) -> Json:
        found: Json = {"contract": self.rnd.table.contract or None}
        if self.compulsory:
            found["player.solos_left"] = _solos_left(self.rnd)
        return found


def bindings(rnd: Round, state: State | None) -> Json:
    """Return the decided facts as JSON."""
    table = rnd.table
    found: Json = {
        "declarer": rnd.names[table.declarer] if table.declarer >= 0 else None,
        "raised": list(table.raised),
        "compulsory": state is not None and state.compulsory,
        "contract": table.contract,
        "order": table.order,
    }
    return {name: value for name, value in found.items() if value}


def contract(rnd: Round, state: State | None) -> Iterator[Sentence]:
    """Yield the contract and its declarer as a sentence."""
    if not rnd.table.contract:
        return
    name, declarer = rnd.rules.spoken(rnd.table.contract), rnd.table.declarer
    by = tr(", by {who}", who=rnd.names[declarer]) if declarer >= 0 else ""
    owed = tr(" (the solo that was owed)") if state is not None and state.compulsory else ""
    void = tr(": the deal counts for nothing") if rnd.void else ""
    what = name + by + owed + void
    if rnd.over:
        yield Sentence(tr("the contract was {contract}", contract=what))
        return
    said = tr("the contract is {contract}", contract=what)
    yield Sentence(said, on_table=not (by or void))


def what_is_owed(rnd: Round, deals: float, compulsory: bool) -> Iterator[str]:
    """Yield how many of `deals` deals have counted, and which players owe a solo."""
    if deals:
        yield plural(
            "{count} deal of {deals} played",
            "{count} deals of {deals} played",
            deals_counted(rnd),
            deals=deals,
        )
    if compulsory:
        owing = [name for name, left in _solos_left(rnd).items() if left]
        if owing:
            names = listed(owing)
            yield plural("{names} owes a solo", "{names} owe a solo", len(owing), names=names)


def _solos_left(rnd: Round) -> dict[str, int]:
    """Return how many solos each player still owes."""
    played = solos_played(rnd)
    return {name: 0 if seat in played else 1 for seat, name in enumerate(rnd.names)}


# --- results: what was played, and what must have been said then


def fields(rnd: Round, contracts: Contracts) -> list[tuple[str, str, list[str]]]:
    """Return the keys of a result that state the contract, while it is unknown."""
    if rnd.table.contract:
        return []
    word = rnd.rules.spoken(VOLUNTARY)
    voluntary = [f"{kind} {word}" for kind in contracts.solos] if contracts.compulsory else []
    return [("contract", tr("what was played"), [*contracts.rows, *voluntary])]


def read(rnd: Round, state: State, contracts: Contracts, said: dict[str, str]) -> None:
    """Take the contract out of the words of a result. Raise Unreadable for an unknown contract, and
    Impossible if another one was recorded."""
    text, known = said.pop("contract", ""), rnd.table.contract
    if known and not text:
        return
    wish = _wish(rnd, contracts, text)
    if known:
        _check_same(rnd, state, wish, known)
        return
    state.from_result, state.decided = wish, True
    contracts.play(rnd, wish.kind, -1)


def _wish(rnd: Round, contracts: Contracts, text: str) -> Wish:
    """Return the wish in a result. Its words are joined by blanks or `+`, and the word for a
    voluntary solo may come first."""
    notation = Notation(rnd.rules.lexicon, rnd.names)
    parts = sorted(text.split("+"), key=lambda part: notation.canonical(part) == VOLUNTARY)
    words = " ".join(parts)
    kind, rest = notation.opening(words)
    if kind != ORDINARY and kind not in contracts.rows:
        raise Unreadable(
            tr(
                "the result must say what was played: {found} is none",
                found=f"contract={clean(words)}",
            )
            if words.strip()
            else tr("the result must say what was played"),
            tr("contracts are {contracts}", contracts=", ".join(contracts.rows)),
        )
    if kind == contracts.default:
        kind = ORDINARY
    wish = contracts.syntax.read_rest(kind, rest, notation)
    return wish._replace(kind=contracts.default) if kind == ORDINARY else wish


def _check_same(rnd: Round, state: State, wish: Wish, known: str) -> None:
    """Raise Impossible if another wish was recorded."""
    declarer = rnd.table.declarer
    own = state.spoken[declarer] if declarer >= 0 else Wish(known)
    if wish.kind not in (known, own.kind) or wish[1:] not in (own[1:], Wish(known)[1:]):
        played = spoken(rnd.rules, own._replace(kind=known).words)
        told = spoken(rnd.rules, wish.words)
        raise Impossible(
            tr(
                "{contract} is played by what was recorded, not {other}",
                contract=played,
                other=told,
            )
        )


def infer_what_was_said(rnd: Round, state: State, contracts: Contracts) -> None:
    """Infer the wishes that led to this contract, now that the sides are known. Add a finding if
    the rules allow no combination."""
    if state.from_result is None:
        return
    declarers = _declarers(rnd, state, contracts, state.from_result)
    ways = [_unrecorded(rnd, state, contracts, seat, wish) for seat, wish in declarers]
    allowed = [index for index, acts in enumerate(ways) if _is_allowed(rnd, acts)]
    chosen = allowed[0] if allowed else 0
    for acts in ways[chosen]:
        imply(rnd, acts)
    seat, wish = declarers[chosen]
    if seat >= 0 and len(allowed or ways) == 1:
        contracts.choose(rnd, state, seat, wish)
    contracts.change_if_alone(rnd)


def _declarers(
    rnd: Round, state: State, contracts: Contracts, wish: Wish
) -> list[tuple[int, Wish]]:
    """Return the seats whose wish may have been played, given all statements; -1 means none. Raise
    Impossible if no seat's can have been."""
    said = {seat: own for seat, own in state.spoken.items() if seat not in state.pending}
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
        if not any(_beats(state, contracts, other, (seat, own)) for other in said.items())
    ]
    if not found:
        texts = [
            tr("{who} said {words}", who=rnd.names[seat], words=spoken(rnd.rules, own.words))
            for seat, own in said.items()
        ]
        raise Impossible(
            tr(
                "by what was recorded {said}: {contract} was not played then",
                said=", ".join(texts),
                contract=kind,
            )
        )
    return found


def _beats(
    state: State, contracts: Contracts, other: tuple[int, Wish], played: tuple[int, Wish]
) -> bool:
    """Return whether another player's wish would have been played instead."""
    if other[0] == played[0] or other[1].kind == ORDINARY:
        return False
    return played[0] < 0 or contracts.rank(state, *other) < contracts.rank(state, *played)


def _unrecorded(
    rnd: Round, state: State, contracts: Contracts, declarer: int, wish: Wish
) -> list[list[Entry]]:
    """Return the acts that are missing if that seat's wish was played. For each player who has yet
    to speak, or to name a contract, these are the alternatives."""
    verb, story = rnd.rules.verbs["reserve"], []
    for seat in state.order:
        if seat in state.spoken and seat not in state.pending:
            continue
        wishes = [Wish(ORDINARY)]
        if declarer >= 0:
            played = contracts.rank(state, declarer, wish)
            others = map(Wish, contracts.others)
            wishes += [each for each in others if contracts.rank(state, seat, each) > played]
        if seat == declarer:
            wishes = [wish]
        story.append([Entry(verb, seat, each) for each in wishes])
    return story


def _is_allowed(rnd: Round, way: list[list[Entry]]) -> bool:
    """Return whether each player could have done one of their acts legally."""
    return all(any(not broken(rnd, act) for act in acts) for acts in way)
