"""Reservations: what one may say, which wish is the stronger, who has said what, results."""

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

NAME = "reservations"  # the phase's, under which it keeps what the next deals must know


ORDINARY, RESERVED, VOLUNTARY = "ordinary", "reserved", "voluntary"


class Wish(NamedTuple):
    """What a player says: `kind` is a contract, ORDINARY, or RESERVED (they will name it later);
    `raises` are calls that make it stronger; `voluntary`: it is not the solo that they owe."""

    kind: str
    raises: tuple[str, ...] = ()
    voluntary: bool = False

    @property
    def names_contract(self) -> bool:
        """Whether it names a contract."""
        return self.kind not in (ORDINARY, RESERVED)

    @property
    def words(self) -> tuple[str, ...]:
        """The program's words for it, in the order in which they are written."""
        return (self.kind, *self.raises, *((VOLUNTARY,) if self.voluntary else ()))


def spoken(rules: Ruleset, words: Iterable[str]) -> str:
    """The game's own words for these."""
    return " ".join(map(rules.spoken, words))


class WishSyntax(Syntax):
    """The kind of wish, then calls that raise it, and the word for a voluntary one. Only `solos`
    can be voluntary."""

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
        """The wish of that kind, with the words that follow it. Raises Unreadable for words that
        cannot."""
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
    """One deal's reservations. Players are seats.

    `order`: the seats in the order of speaking. `spoken`: what each has said last, by seat, and
    `numbers`: of the entry with which they did; `latest`: who spoke last of all (-1: nobody).
    `pending`: those who have a reservation and have still to name it, `named`: who have named
    theirs. `decided`: whether the contract is. `compulsory`: it is a solo that the declarer owed.
    `played`: those who owe no solo any more; `counted`: the deals that have counted so far.
    `from_result`: the wish that was played, where only a result has told it.
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
        """Whether everyone has spoken."""
        return len(self.spoken) == len(self.order)

    def say(self, seat: int, wish: Wish, number: int) -> None:
        """That seat has said this, with the entry of that number."""
        self.spoken[seat], self.numbers[seat], self.latest = wish, number, seat

    def wishes(self) -> list[tuple[int, Wish]]:
        """The contracts that were named, each with its seat."""
        return [(seat, wish) for seat, wish in self.spoken.items() if wish.names_contract]


def solos_played(rnd: Round) -> Collection[int]:
    """The seats that owed no solo any more when the last deal that counted was over."""
    played: Collection[int] = rnd.kept(NAME).get("played", ())
    return played


def deals_counted(rnd: Round) -> int:
    """How many deals of the match have counted."""
    return int(rnd.kept(NAME).get("deals", 0))


# --- contracts as wishes: which of two is the stronger


class Contracts(contracts.Contracts):
    """The `[contracts]`, compiled.

    `default` is played when nobody has a reservation, `others` are the rest, of
    which `solos` may be the one that a player owes (`compulsory`: whether they owe any). `syntax`:
    how a wish is typed. `heights`: how high each call is that may raise a wish.
    `_place`: where a contract stands in the ranking, 0 is the strongest; all that calls may raise
    stand where the strongest of them does (`_raised`), the height of the call then decides.
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
        """Yield the wishes for a contract with one word more: a call that raises it, or that it is
        not the solo that is owed."""
        for word in self.heights if self.rows[kind]["raises"] else ():
            yield Wish(kind, (word,))
        if self.compulsory and kind in self.solos:
            yield Wish(kind, (), True)

    # --- which wish is the stronger

    def is_owed(self, state: State, seat: int, wish: Wish) -> bool:
        """Whether this would be the solo that the seat owes."""
        solo = bool(self.compulsory and self.rows[wish.kind]["solo"])
        return solo and not wish.voluntary and seat not in state.played

    def rank(self, state: State, seat: int, wish: Wish) -> tuple[int, ...]:
        """How strong a wish for a contract is; the least wins."""
        height = max((self.heights.get(word, 0) for word in wish.raises), default=0)
        place, turn = self._place[wish.kind], state.order.index(seat)
        after_owed = 0 if self.is_owed(state, seat, wish) else 1
        if self.rows[wish.kind]["raises"]:
            return after_owed, self._raised, -height, place, turn
        return after_owed, place, 0, place, turn

    def may_win(self, state: State, seat: int) -> bool:
        """Whether some contract that a seat has yet to name could still be the strongest wish."""
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
        """Tell the round that this seat's wish is played: who declares it, what raises it, and
        that they lead if it is the solo they owe."""
        self.declare(rnd, seat)
        if wish.raises:
            rnd.table.raised = wish.raises
        if self.is_owed(state, seat, wish):
            state.compulsory = True
            if rnd.setup.lead is None:
                rnd.seating.leader = seat


def _heights(rules: Ruleset) -> dict[str, int]:
    """The calls that the declaring side may make, each with its height, from 1."""
    declaring = next(iter(rules.section("parties")), "")
    calls = [row for row in rules.section("calls").items() if row[1]["side"] in ("", declaring)]
    return {name: height for height, (name, _) in enumerate(calls, 1)}


def _places(ranks: Sequence[str | Sequence[str]], rows: Iterable[str]) -> dict[str, int]:
    """Where each contract stands in a ranking, 0 the strongest; those that are not in it come
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
    """What the reservations show. Until the second edition of the language it reads the round
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
    """What is decided, as the state shows it."""
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
    """Which contract is played, by whom."""
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
    """How many of so many deals have counted, and, if solos are owed, who owes one."""
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
    """How many solos each player still owes."""
    played = solos_played(rnd)
    return {name: 0 if seat in played else 1 for seat, name in enumerate(rnd.names)}


# --- results: what was played, and what must have been said then


def fields(rnd: Round, contracts: Contracts) -> list[tuple[str, str, list[str]]]:
    """What a result must say of the contract, while none is known."""
    if rnd.table.contract:
        return []
    word = rnd.rules.spoken(VOLUNTARY)
    voluntary = [f"{kind} {word}" for kind in contracts.solos] if contracts.compulsory else []
    return [("contract", tr("what was played"), [*contracts.rows, *voluntary])]


def read(rnd: Round, state: State, contracts: Contracts, said: dict[str, str]) -> None:
    """Take what was played from the words of a result. Raises Unreadable for what is no contract,
    Impossible for another than was recorded."""
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
    """What a result says was played, in the words of a reservation; blanks or `+` join them, and
    the word for a voluntary one may come first."""
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
    """Raises Impossible if another wish is played by what was recorded."""
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
    """The sides are known now: somebody's wish, and what the others said, must have been so that
    this contract was played. If the rules allow none of the ways, that is a finding."""
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
    """Whose wish may have been played (-1: nobody had one), by what everyone is known to have
    said. Raises Impossible if nobody's can."""
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
    """Whether what another player has said would have been played instead."""
    if other[0] == played[0] or other[1].kind == ORDINARY:
        return False
    return played[0] < 0 or contracts.rank(state, *other) < contracts.rank(state, *played)


def _unrecorded(
    rnd: Round, state: State, contracts: Contracts, declarer: int, wish: Wish
) -> list[list[Entry]]:
    """What was said beyond what was recorded, if that seat's wish was played: for everyone who has
    yet to speak, or to name a kind, the acts of which they did one."""
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
    """Whether each player could have done one of their acts without breaking a rule."""
    return all(any(not broken(rnd, act) for act in acts) for acts in way)
