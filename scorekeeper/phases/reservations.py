"""Before play everyone says in turn whether they play the ordinary game, or something else.

The strongest wish is the contract; it binds the order of the cards, the sides, who leads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core import limits
from scorekeeper.core.claims import AnyOf, Breach, Claim, Unsure, fold, within
from scorekeeper.core.english import listed, number_of, of_several, times
from scorekeeper.core.failures import Impossible, Unreadable
from scorekeeper.core.parties import CARDS, DECLARING, MODES
from scorekeeper.notation import Entry, Notation
from scorekeeper.notation.syntax import Spelling, Syntax, clean
from scorekeeper.notation.verbs import Verb
from scorekeeper.ruleset.orders import TRUMP, kinds_of, suit_name
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.phase import Measure, Phase
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.core.claims import Outcome
    from scorekeeper.core.plain import Facts, Json, Row
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge

    Wish = tuple[str, tuple[str, ...], bool]
    Need = tuple[int, int, int]

ORDINARY, RESERVED, VOLUNTARY = "ordinary", "reserved", "voluntary"
TRUMPS = "trumps"


class WishSyntax(Syntax):
    """A contract, or that one has none, or that one will name it later; then calls that raise it,
    and the word for a voluntary one: (contract, raises, voluntary)."""

    form = "RESERVATION"

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
            raise Unreadable(f"one of {words} must follow, found “{clean(text)}”")
        return self.after(kind, rest, notation)

    def after(self, kind: str, rest: str, notation: Spelling) -> Wish:
        """The wish of that kind, with what follows it."""
        raises: list[str] = []
        voluntary = False
        while rest:
            said, (word, rest) = rest, notation.opening(rest)
            if word == VOLUNTARY and kind in self.solos:
                voluntary = True
            elif word in self.raises and kind in self.kinds - {ORDINARY, RESERVED}:
                raises.append(word)
            else:
                raise Unreadable(f"“{clean(said)}” cannot follow {notation.say(kind)}")
        return kind, tuple(raises), voluntary

    def show(self, value: Wish, notation: Spelling) -> str:
        return " ".join(map(notation.say, _said_of(value)))


class State:
    """What everyone has said, in the order of speaking (`order`); `pending` have still to name the
    kind. `played` are those who no longer owe a solo, `counted` the deals that have counted;
    `told` is the wish that was played, where only a result has told it."""

    __slots__ = (
        "compulsory",
        "counted",
        "done",
        "from_result",
        "order",
        "pending",
        "played",
        "spoken",
    )

    def __init__(self, order: list[int], played: Iterable[int], counted: int) -> None:
        self.order = order
        self.spoken: dict[int, Wish] = {}
        self.pending: list[int] = []
        self.done = self.compulsory = False
        self.played = set(played)
        self.counted = counted
        self.from_result: Wish | None = None


def _deals(rnd: Joint, _: Any) -> int:
    return int(rnd.kept("reservations").get("deals", 0))


def _default(rnd: Joint) -> str:
    return str(rnd.rules.phase(Reservations).row["default"])


@phase
class Reservations(Phase[State]):
    """Who speaks, which wish wins, and what the contract binds."""

    name = "reservations"
    doc = (
        "Everyone, from the dealer's left, has the ordinary game or a reservation; the strongest"
        " wish is played. Binds `contract`, `declarer`, `order`, `raised`, `compulsory`."
    )
    tables = ("contracts",)
    others = ("parties", "tricks")
    parameters = {
        "default": Parameter(
            "name", "the contract that is played when nobody has a reservation", rows="contracts"
        ),
        "ranks": Parameter(
            "cards", "contracts, strongest first; a nested list: who spoke first", rows="contracts"
        ),
        "compulsory": Parameter(
            "bool", "whether a player's first solo is owed, and they lead", False
        ),
        "deals": Parameter("number", "of how many deals, when solos are owed", 0),
    }
    sections = {
        "contracts": {
            "order": Parameter("name", "the row of [orders] that holds", "", rows="orders"),
            "sides": Parameter("choice", "what makes the sides", CARDS, MODES),
            "within": Parameter(
                "int", "how many tricks may find the partner", 3, bounds=(1, limits.CARDS)
            ),
            "becomes": Parameter(
                "name", "the contract it is when none was found", "", rows="contracts"
            ),
            "annuls": Parameter("bool", "whether the deal counts for nothing", False),
            "solo": Parameter("bool", "whether it may be the solo that is owed", False),
            "raises": Parameter("bool", "whether calls may raise the wish", False),
            "needs": Parameter(
                "texts", "of which one must hold: `least 2 QC`, `most 2 trumps`", []
            ),
            "counted": Parameter("name", "the order whose trumps `needs` means", "", rows="orders"),
        }
    }
    verbs = (
        Verb(
            "reserve",
            WishSyntax((), (), ()),
            "says that they play the ordinary game, or something else",
            turn=True,
            implicit=True,
            everyone=True,
        ),
    )
    measures = (
        Measure("deals", "how many deals of the match have counted", _deals),
        Measure(
            "contract.declared",
            "whether somebody's wish is played",
            lambda rnd, _: (rnd.shared.contract or _default(rnd)) != _default(rnd),
        ),
    )
    reports = {
        "contract": "what was played",
        "player.solos_left": "the solos that a player still owes",
    }

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        contracts = rules.section("contracts")
        raises = rules.section("calls")
        default = row["default"]
        wishes = [name for name in contracts if name != default]
        solos = [name for name in wishes if contracts[name].get("solo")]
        self.speaking = WishSyntax(wishes, solos, raises)
        says = Verb(
            "reserve",
            self.speaking,
            self.verbs[0].doc,
            turn=True,
            implicit=True,
            everyone=True,
        )
        says.phase = self.name
        self.verbs = (says,)

    def link(self) -> None:
        rules = self.rules
        self.contracts = rules.section("contracts")
        self.deals = rules.expression(self.row["deals"], "phases.reservations.deals", whole=True)
        self.wishes = [name for name in self.contracts if name != self.row["default"]]
        self.place = self._places()
        declaring = next(iter(rules.section("parties")), "")
        ours = [row for row in rules.section("calls").items() if row[1]["side"] in ("", declaring)]
        self.heights = {name: height for height, (name, _) in enumerate(ours, 1)}
        raised = [self.place[name] for name, row in self.contracts.items() if row["raises"]]
        self.block = min(raised, default=0)
        self.needs = {
            name: [self._need(name, row, text) for text in row["needs"]]
            for name, row in self.contracts.items()
        }
        for name in (self.row["default"], *self.place):
            if name not in self.contracts:
                allowed = ", ".join(self.contracts)
                message = f"phases.reservations names no contract: {name}"
                rules.fault("phases.reservations", name, allowed, message)

    def _places(self) -> dict[str, int]:
        place: dict[str, int] = {}
        for index, names in enumerate(self.row["ranks"]):
            for name in [names] if isinstance(names, str) else names:
                place.setdefault(name, index)
        for name in self.contracts:
            place.setdefault(name, len(self.row["ranks"]))
        return place

    def _need(self, name: str, row: Row, text: str) -> Need:
        """One of the needs: the cards it speaks of, at least how many, at most how many."""
        rules, total = self.rules, self.rules.pack.total
        words = text.split()
        try:
            bound, number, *patterns = words
            if bound not in ("least", "most") or not patterns:
                raise ValueError("a need is `least` or `most`, a number, and cards")
            mask = 0
            for pattern in patterns:
                if pattern == TRUMPS:
                    counted = row["counted"] or self.contracts[self.row["default"]]["order"]
                    mask |= self.rules.orders.get(counted, {}).masks[TRUMP]
                else:
                    mask |= rules.pack.spread(sum(rules.pack.bit[k] for k in self._kinds(pattern)))
            return (mask, int(number), total) if bound == "least" else (mask, 0, int(number))
        except (ValueError, KeyError) as error:
            path = f"contracts.{name}.needs"
            rules.fault(path, text, "least NUMBER CARDS, or most NUMBER CARDS", f"{path}: {error}")
            return 0, 0, total

    def _kinds(self, pattern: str) -> list[int]:
        return kinds_of(self.rules.pack, pattern)

    def words(self) -> Iterable[tuple[str, str]]:
        yield from ((name, name) for name in self.rules.section("contracts"))
        yield from ((word, word) for word in (ORDINARY, RESERVED, VOLUNTARY))

    # --- who speaks

    def begin(self, rnd: Joint) -> State:
        kept = rnd.kept(self.name)
        seats = rnd.seats
        start = seats.index(rnd.after(rnd.dealer))
        order = seats[start:] + seats[:start]
        return State(order, kept.get("played", ()), kept.get("deals", 0))

    def finished(self, rnd: Joint) -> bool:
        return bool(rnd.state(self).done)

    def waiting(self, rnd: Joint) -> list[int]:
        state = rnd.state(self)
        for seat in state.order:
            if seat not in state.spoken:
                return [seat]
        return [seat for seat in state.pending if self._may_win(rnd, state, seat)][:1]

    def allows_out_of_turn(self, rnd: Joint, entry: Entry) -> bool:
        return self._names_late(rnd.state(self), rnd, entry)

    def allows_out_of_phase(self, rnd: Joint, entry: Entry) -> bool:
        state = rnd.state_if_begun(self)
        if state is None or rnd.play_begun():
            return False
        return entry.seat in state.pending and entry.value[0] not in (ORDINARY, RESERVED)

    def _names_late(self, state: State, rnd: Joint, entry: Entry) -> bool:
        """Whether it is the kind of a reservation that can no longer win."""
        everyone = len(state.spoken) == len(rnd.seats)
        seat = entry.seat
        if seat is None or not everyone or seat not in state.pending:
            return False
        return not self._may_win(rnd, state, seat)

    def everyone(self, rnd: Joint, entry: Entry) -> list[int]:
        state = rnd.state(self)
        if entry.value[0] != ORDINARY:
            return []
        return [seat for seat in state.order if seat not in state.spoken]

    def prompt(self, rnd: Joint) -> str:
        state = rnd.state(self)
        say = rnd.rules.lexicon.forms
        name = rnd.names[self.waiting(rnd)[0]]
        if len(state.spoken) == len(rnd.seats):
            return f"{name} names their reservation"
        ordinary = say.get(ORDINARY, ORDINARY)
        return f"{name} says {ordinary} or a reservation (all: {ordinary}, for all who are left)"

    def options(self, rnd: Joint) -> Iterator[Entry]:
        state = rnd.state(self)
        verb, seat = self.verbs[0], self.waiting(rnd)[0]
        first = () if seat in state.pending else (ORDINARY, RESERVED)
        for kind in (*first, *self.contracts):
            if kind != self.row["default"]:
                yield Entry(verb, seat, (kind, (), False))

    # --- which wish wins

    def owes(self, rnd: Joint, state: State, wish: Wish, seat: int) -> bool:
        """Whether this would be the solo that they owe."""
        kind, _, voluntary = wish
        solo = bool(self.row["compulsory"] and self.contracts[kind]["solo"])
        return solo and not voluntary and seat not in state.played

    def _key(self, rnd: Joint, state: State, seat: int, wish: Wish) -> tuple[int, ...]:
        """How strong a wish is; the least wins."""
        kind, raises, _ = wish
        height = max((self.heights.get(word, 0) for word in raises), default=0)
        place = self.place[kind]
        owed = 0 if self.owes(rnd, state, wish, seat) else 1
        turn = state.order.index(seat)
        if self.contracts[kind]["raises"]:
            return owed, self.block, -height, place, turn
        return owed, place, 0, place, turn

    def _wishes(self, state: State) -> list[tuple[int, Wish]]:
        return [
            (seat, wish)
            for seat, wish in state.spoken.items()
            if wish[0] not in (ORDINARY, RESERVED)
        ]

    def _may_win(self, rnd: Joint, state: State, seat: int) -> bool:
        """Whether any kind that a seat has yet to name could still be the strongest."""
        wishes = self._wishes(state)
        if not wishes:
            return True
        best = min(self._key(rnd, state, other, wish) for other, wish in wishes)
        highest = max(self.heights, key=lambda name: self.heights[name], default="")
        return any(
            self._key(rnd, state, seat, (kind, (highest,) if row["raises"] else (), False)) < best
            for kind, row in self.contracts.items()
            if kind != self.row["default"]
        )

    # --- what happens

    def apply(self, rnd: Joint, entry: Entry) -> None:
        state = rnd.state(self)
        seat = entry.seat
        assert seat is not None
        if seat in state.pending:
            state.pending.remove(seat)
        elif seat in state.spoken:
            raise Impossible(f"{rnd.names[seat]} has spoken already", "undo, or amend")
        elif entry.value[0] == RESERVED:
            state.pending.append(seat)
        state.spoken[seat] = entry.value
        if not state.done and len(state.spoken) == len(rnd.seats) and not self.waiting(rnd):
            self._decide_contract(rnd, state)

    def _decide_contract(self, rnd: Joint, state: State) -> None:
        state.done = True
        wishes = self._wishes(state)
        if not wishes:
            self._bind(rnd, self.row["default"], -1)
            return
        seat, wish = min(wishes, key=lambda said: self._key(rnd, state, *said))
        self._declare(rnd, state, seat, wish)
        self._bind(rnd, wish[0], seat)
        if rnd.void:
            rnd.finish()

    def _declare(self, rnd: Joint, state: State, seat: int, wish: Wish) -> None:
        """The wish of that seat is played."""
        rnd.shared.declarer = seat
        if wish[1]:
            rnd.shared.raised = tuple(wish[1])
        if self.owes(rnd, state, wish, seat):
            state.compulsory = True
            if rnd.start.lead is None:
                rnd.leader = seat

    def _bind(self, rnd: Joint, contract: str, seat: int) -> None:
        row = self.contracts[contract]
        rnd.shared.contract = contract
        rnd.void = bool(row["annuls"])
        if rnd.void:
            return
        if row["order"]:
            rnd.shared.order = row["order"]
        if rnd.parties is not None:
            knowledge = rnd.hands
            size = max(knowledge.size(seat) for seat in rnd.seats)
            first = max(1, rnd.rules.deal_size(len(rnd.seats)) - size + 1)
            rnd.parties.fix(row["sides"], seat, row["within"], first)
            rnd.parties.becomes = row["becomes"]

    # --- between deals

    def _left(self, rnd: Joint, counted: int) -> int:
        """How many deals are left after so many."""
        return int(self.deals.value(rnd.reading())) - counted

    def forced(self, rnd: Joint) -> int | None:
        """The seat that must play the solo it owes in this deal."""
        if not self.row["compulsory"]:
            return None
        state = rnd.state(self)
        owing = len(rnd.names) - len(state.played)
        if owing < self._left(rnd, state.counted):
            return None
        return next((seat for seat in state.order if seat not in state.played), None)

    def close(self, rnd: Joint) -> None:
        state = rnd.state_if_begun(self)
        if state is None:
            return
        if rnd.void:
            rnd.next_dealer = rnd.dealer
            return
        was_forced = self.forced(rnd) is not None
        if state.compulsory:
            state.played.add(rnd.shared.declarer)
            if not was_forced:
                rnd.next_dealer = rnd.dealer
        deals = state.counted + 1
        rnd.keep(self.name, {"played": sorted(state.played), "deals": deals})
        if self.row["compulsory"]:
            self._warn(rnd, state, deals)

    def _warn(self, rnd: Joint, state: State, deals: int) -> None:
        owing = [name for seat, name in enumerate(rnd.names) if seat not in state.played]
        if owing and len(owing) == self._left(rnd, deals):
            say = "as many deals are left as solos are owed ({left}): {names} must play {them} now"
            facts = {"left": len(owing), "owing": owing, "names": listed(owing)}
            facts["them"] = "it" if len(owing) == 1 else "them"
            rnd.remark("reservations.owed", say, facts, self.cite)

    def after_trick(self, rnd: Joint) -> None:
        """A declarer who has found no partner plays another contract."""
        parties = rnd.parties
        if parties is not None and parties.becomes and parties.found == rnd.tricks[-1].number:
            if parties.alone:
                rnd.shared.contract = parties.becomes

    # --- results

    def read_result(self, rnd: Joint, said: dict[str, str]) -> None:
        state = rnd.state(self)
        text, bound = said.pop("contract", ""), rnd.shared.contract
        if bound and not text:
            return
        wish = self._said_wish(rnd, text)
        if not bound:
            state.from_result, state.done = wish, True
            self._bind(rnd, wish[0], -1)
        else:
            self._agrees(rnd, state, wish, bound)

    def _agrees(self, rnd: Joint, state: State, wish: Wish, bound: str) -> None:
        """Raises Impossible if another wish is played by what was recorded."""
        declarer = rnd.shared.declarer
        own = state.spoken[declarer] if declarer >= 0 else (bound, (), False)
        if wish[0] not in (bound, own[0]) or wish[1:] not in (own[1:], ((), False)):
            played, said = (_words(rnd, _said_of(each)) for each in ((bound, *own[1:]), wish))
            raise Impossible(f"{played} is played by what was recorded, not {said}")

    def _said_wish(self, rnd: Joint, text: str) -> Wish:
        """What a result says was played, in the words of a reservation; blanks or `+` join them,
        and the word for a voluntary one may come first."""
        notation = Notation(rnd.rules.lexicon, rnd.names)
        parts = sorted(text.split("+"), key=lambda part: notation.canonical(part) == VOLUNTARY)
        words = " ".join(parts)
        kind, rest = notation.opening(words)
        if kind != ORDINARY and kind not in self.contracts:
            none = f": contract={clean(words)} is none" if words.strip() else ""
            raise Unreadable(
                f"the result must say what was played{none}",
                f"contracts are {', '.join(self.contracts)}",
            )
        default = self.row["default"]
        kind = ORDINARY if kind == default else kind
        kind, raises, voluntary = self.speaking.after(kind, rest, notation)
        return default if kind == ORDINARY else kind, raises, voluntary

    def after_result_read(self, rnd: Joint) -> None:
        """Who was on which side has been told: then somebody's wish, and what the others said,
        must have been so that this was played."""
        state = rnd.state(self)
        if state.from_result is None:
            return
        declarers = self._declarers(rnd, state, state.from_result)
        stories = [self._story(rnd, state, seat, wish) for seat, wish in declarers]
        fine = [
            index
            for index, story in enumerate(stories)
            if all(any(not rnd.broken(act) for act in acts) for acts in story)
        ]
        for acts in stories[fine[0] if fine else 0]:
            rnd.imply(acts)
        seat, wish = declarers[fine[0] if fine else 0]
        if seat >= 0 and len(fine or stories) == 1:
            self._declare(rnd, state, seat, wish)
        if rnd.parties is not None and rnd.parties.alone and rnd.parties.becomes:
            rnd.shared.contract = rnd.parties.becomes

    def _declarers(self, rnd: Joint, state: State, wish: Wish) -> list[tuple[int, Wish]]:
        """Whose wish may have been played (-1: nobody had one), by what everyone is known to have
        said; raises Impossible if nobody's can."""
        said = {s: w for s, w in state.spoken.items() if s not in state.pending}
        sides, kind = rnd.parties, wish[0]
        seats = sides.members(DECLARING) if sides is not None and not rnd.void else rnd.seats
        if kind == self.row["default"]:
            may = [(-1, wish)]
        else:
            may = [(s, said.get(s, wish)) for s in seats if said.get(s, wish)[0] == kind]
        found = [
            (seat, own)
            for seat, own in may
            if not any(self._before(rnd, state, other, seat, own) for other in said.items())
        ]
        if not found:
            texts = [
                f"{rnd.names[seat]} said {_words(rnd, _said_of(w))}" for seat, w in said.items()
            ]
            raise Impossible(f"by what was recorded {', '.join(texts)}: {kind} was not played then")
        return found

    def _before(
        self, rnd: Joint, state: State, other: tuple[int, Wish], seat: int, wish: Wish
    ) -> bool:
        """Whether what another has said would have been played, not this."""
        if other[0] == seat or other[1][0] == ORDINARY:
            return False
        return seat < 0 or self._key(rnd, state, *other) < self._key(rnd, state, seat, wish)

    def _story(self, rnd: Joint, state: State, seat: int, wish: Wish) -> list[list[Entry]]:
        """What was said beyond what was recorded, if that seat's wish was played: for everyone
        who has yet to speak, or to name a kind, the acts of which one was done."""
        verb, story = self.verbs[0], []
        for other in state.order:
            if other in state.spoken and other not in state.pending:
                continue
            wishes: list[Wish] = [(ORDINARY, (), False)]
            if seat >= 0:
                own = self._key(rnd, state, seat, wish)
                kinds: list[Wish] = [(kind, (), False) for kind in self.wishes]
                wishes += [w for w in kinds if self._key(rnd, state, other, w) > own]
            if other == seat:
                wishes = [wish]
            story.append([Entry(verb, other, each) for each in wishes])
        return story

    def fields(self, rnd: Joint) -> list[tuple[str, str, list[str]]]:
        if rnd.shared.contract:
            return []
        word = rnd.rules.lexicon.forms.get(VOLUNTARY, VOLUNTARY)
        solos = [kind for kind in self.wishes if self.contracts[kind]["solo"]]
        voluntary = [f"{kind} {word}" for kind in solos] if self.row["compulsory"] else []
        return [("contract", "what was played", [*self.contracts, *voluntary])]

    # --- what is told

    def describe(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        if state is None or state.done or rnd.over:
            return {"bindings": self._bindings(rnd, state)}
        say = rnd.rules.lexicon.forms
        table = [
            {"who": rnd.names[seat], "says": " ".join(say.get(w, w) for w in (wish[0], *wish[1]))}
            for seat, wish in state.spoken.items()
        ]
        return {"table": table}

    def _bindings(self, rnd: Joint, state: State | None) -> Json:
        """What is settled, as the state shows it."""
        shared = rnd.shared
        found: Json = {
            "declarer": rnd.names[shared.declarer] if shared.declarer >= 0 else None,
            "raised": list(shared.raised),
            "compulsory": state is not None and state.compulsory,
            "contract": shared.contract,
            "order": shared.order,
        }
        return {name: value for name, value in found.items() if value}

    def on_table(self, rnd: Joint) -> Iterator[str]:
        for told in self.describe(rnd).get("table", ()):
            yield f"{told['who']}: {told['says']}"

    def sentences(self, rnd: Joint) -> Iterator[str]:
        if rnd.shared.contract:
            contract = _words(rnd, [rnd.shared.contract])
            declarer, state = rnd.shared.declarer, rnd.state_if_begun(self)
            by = f", by {rnd.names[declarer]}" if declarer >= 0 else ""
            owed = " (the solo that was owed)" if state is not None and state.compulsory else ""
            void = ": the deal counts for nothing" if rnd.void else ""
            was = "was" if rnd.over else "is"
            yield f"the contract {was} {contract}{by}{owed}{void}"
        deals, counted = self.deals.value(rnd.reading()), _deals(rnd, None)
        if deals:
            yield f"{number_of(int(counted), 'deal')} of {deals} played"
        if self.row["compulsory"]:
            played = rnd.kept(self.name).get("played", ())
            owing = [name for seat, name in enumerate(rnd.names) if seat not in played]
            if owing:
                yield f"{of_several(owing, 'owes', 'owe')} a solo"

    def summary(self, rnd: Joint) -> Json:
        told: Json = {"contract": rnd.shared.contract or None}
        if self.row["compulsory"]:
            played = rnd.kept(self.name).get("played", ())
            told["player.solos_left"] = {
                name: 0 if seat in played else 1 for seat, name in enumerate(rnd.names)
            }
        return told


# --- clauses

RESERVE = ("reserve",)


def _said_of(wish: Wish) -> tuple[str, ...]:
    """The words of a wish."""
    kind, raises, voluntary = wish
    return (kind, *raises, *((VOLUNTARY,) if voluntary else ()))


def _words(rnd: Joint, words: Iterable[str]) -> str:
    say = rnd.rules.lexicon.forms
    return " ".join(say.get(word, word) for word in words)


def _wanted(need: str) -> str:
    """A need in words: `at least 5 cards of rank 9`, `at most 2 trumps`, `QC at least twice`."""
    bound, number, *cards = need.split()
    at, count = f"at {bound}", int(number)
    if cards == [TRUMPS]:
        return f"{at} {number_of(count, 'trump')}"
    if len(cards) == 1 and "*" not in cards[0]:
        return f"{cards[0]} {at} {times(count)}"
    return f"{at} {number_of(count, 'card')} of {listed([_called(each) for each in cards], 'or')}"


def _called(pattern: str) -> str:
    """A pattern of cards in words."""
    if pattern.startswith("*"):
        return suit_name(pattern[1:]) or "any kind"
    return f"rank {pattern[:-1]}" if pattern.endswith("*") else pattern


@clause(
    "needs",
    "reservations",
    on=RESERVE,
    say="{who} may say {wish} only with {wanted}",
    unknown="{who} says {wish}; nobody knows whether they hold {wanted}",
    proven="{who} said {wish} without {wanted} ({first}, {then})",
    doc="A contract's `needs`, of the hand as it was dealt: one of them must hold.",
    legal='with `needs = ["least 5 9*"]`, the wish of a hand with five nines',
    illegal="the same wish of a hand with four",
)
def _needs(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        kind = entry.value[0]
        owner = rules.phase(Reservations)
        needs: list[Need] = owner.needs.get(kind, [])
        seat = entry.seat
        if not needs or seat is None or seat < 0:
            return None
        texts = " or ".join(owner.contracts[kind]["needs"]).replace("least", "at least")
        texts = texts.replace("most", "at most")
        wanted = " or ".join(_wanted(need) for need in owner.contracts[kind]["needs"])
        facts = {"wish": _words(rnd, [kind]), "needs": texts, "wanted": wanted}
        size = rnd.hands.size(seat) if rnd.has_hands else 0
        before = rules.deal_size(len(rnd.seats)) - size
        if before > 0:
            return _before(rnd, seat, needs, before, facts)
        claims = tuple(Claim(seat, mask, least, most, facts) for mask, least, most in needs)
        return claims[0] if len(claims) == 1 else AnyOf(claims, facts)

    return judge


def _before(rnd: Joint, seat: int, needs: list[Need], before: int, facts: Facts) -> Outcome:
    """Whether a need holds of a hand of which `before` cards had been played unseen."""
    knowledge = rnd.hands
    verdicts = []
    for mask, least, most in needs:
        low, high = knowledge.bounds(seat, mask)
        high += min(before, (knowledge.unseen & mask).bit_count())
        verdicts.append(within(low, high, least, most))
    kept = fold(verdicts, True)
    if kept is True:
        return None
    return Unsure(facts) if kept is None else Breach(facts)


@clause(
    "kind",
    "reservations",
    on=RESERVE,
    say="{who} has a reservation, so they must name it, not say {said}",
    doc="Who has said that they have a reservation names its kind when they are asked.",
    legal="the word for a reservation, then a contract",
    illegal="the word for a reservation, then the one for the ordinary game",
)
def _kind(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        kind = entry.value[0]
        if kind not in (ORDINARY, RESERVED):
            return None
        if entry.seat not in rnd.state(rnd.rules.phase(Reservations)).pending:
            return None
        return Breach({"said": _words(rnd, [kind])})

    return judge


@clause(
    "raisable",
    "reservations",
    on=RESERVE,
    say="{wish} cannot be raised with {raises}; {allowed}",
    doc="Only contracts with `raises` may be raised, and with calls of the declaring side.",
    legal="a wish that may be raised, and a call of the declaring side",
    illegal="a raise of a wish that has none",
)
def _raisable(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        kind, raises, _ = entry.value
        if not raises:
            return None
        owner = rules.phase(Reservations)
        wrong = [word for word in raises if word not in owner.heights]
        if owner.contracts[kind]["raises"] and not wrong:
            return None
        may = [name for name, contract in owner.contracts.items() if contract["raises"]]
        words = ", ".join(owner.heights)
        allowed = f"{', '.join(may)} may, with {words}" if may else "nothing can be raised"
        said = _words(rnd, wrong or raises)
        return Breach({"wish": _words(rnd, [kind]), "raises": said, "allowed": allowed})

    return judge


@clause(
    "owed",
    "reservations",
    on=RESERVE,
    say="{who} must play the solo they owe: {deals} left, and as many solos are owed",
    doc="When as many deals are left as solos are owed, the first who owes one must play it.",
    legal="a solo by them, without the word for a voluntary one",
    illegal="the word for the ordinary game by them",
)
def _owed(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        owner = rules.phase(Reservations)
        if entry.seat is None or owner.forced(rnd) != entry.seat:
            return None
        kind = entry.value[0]
        state = rnd.state(rnd.rules.phase(Reservations))
        if kind == RESERVED:
            return None
        if kind != ORDINARY and owner.owes(rnd, state, entry.value, entry.seat):
            return None
        solos = [name for name, contract in owner.contracts.items() if contract["solo"]]
        left = owner._left(rnd, state.counted)
        deals = number_of(left, "deal is", "deals are")
        return Breach({"left": left, "legal": solos, "deals": deals})

    return judge
