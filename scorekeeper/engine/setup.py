"""How a round starts from its setup facts."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar, cast

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import listed, mark, plural, times, tr
from scorekeeper.core.rulings import LEGAL, NOTE, OPEN, Finding
from scorekeeper.engine.seating import COMING, Reseating, Seating
from scorekeeper.engine.state import NOTHING_SAID, Decisions, EntryLog, TableState
from scorekeeper.notation.syntax import Of, seat_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.cards import Trick
    from scorekeeper.core.knowledge import Knowledge
    from scorekeeper.core.sides import Sides
    from scorekeeper.core.types import Facts, Json, Standing
    from scorekeeper.engine.phase import AnyPhase, Role
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.state import Hand, Setup
    from scorekeeper.notation import Entry


# ---- positions -----------------------------------------------------------------------------------
#
# Hands at the start of a round, by what was said of them.
#
# What two facts say against one another, whatever may follow, is refused at once. What only does
# not fit what was not said yet is a conflict (`Round.conflict`), and another fact may mend it.

H = TypeVar("H", bound="Hand")
MISTYPED = mark("look for what is mistyped: undo, or amend it")


def dealt(rnd: Round) -> Knowledge:
    """Hands as they were entered; everyone else holds as many cards as the longest of them (as far
    as the pack has them), or as many as are dealt when none was."""
    from scorekeeper.core.knowledge import Knowledge  # dice have no hands to know

    knowledge = Knowledge(rnd.rules.pack, len(rnd.names))
    if rnd.setup == NOTHING_SAID:
        size = rnd.rules.deal_size(len(rnd.seats))
        for seat in rnd.seats:
            knowledge.deal(seat, 0, size)
        return knowledge
    given, seen = _playing(rnd, rnd.setup.hands), _playing(rnd, rnd.setup.holds)
    if seen:
        _in_one_place(rnd, given, seen)
    counts = {seat: held if isinstance(held, int) else len(held) for seat, held in given.items()}
    others = _size_of_others(rnd, counts)
    try:
        for seat in rnd.seats:
            held = given.get(seat, 0)
            known = 0 if isinstance(held, int) else rnd.rules.pack.of(held)
            knowledge.deal(seat, known, counts.get(seat, others))
    except ValueError:
        _in_one_place(rnd, given, seen)
        raise
    for seat, kinds in seen.items():
        _see(rnd, knowledge, seat, kinds)
    if rnd.setup.shown:
        knowledge.show_held(rnd.setup.shown)
    return knowledge


def longest(rnd: Round) -> int:
    """The longest hand that was given, or how many cards are dealt when none was."""
    given = rnd.setup.hands
    counts = [held if isinstance(held, int) else len(held) for held in given.values()]
    if not any(counts) and len(counts) < len(rnd.seats):
        return rnd.rules.deal_size(len(rnd.seats))
    return max(counts)


def _playing(rnd: Round, said: Mapping[int, H]) -> Mapping[int, H]:
    """What was said of the hands of those who play."""
    for seat in said:
        if seat not in rnd.seats:
            rnd.sits_out(seat, tr("holds no cards"))
    if len(rnd.seats) == len(rnd.names):
        return said
    return {seat: held for seat, held in said.items() if seat in rnd.seats}


def _in_one_place(
    rnd: Round, given: Mapping[int, Hand], seen: Mapping[int, tuple[int, ...]]
) -> None:
    """Raise Impossible for cards that cannot be in all the hands in which they were said to be."""
    hands: dict[int, Sequence[int]] = {s: h for s, h in given.items() if not isinstance(h, int)}
    for seat, kinds in seen.items():
        count = given.get(seat)
        if isinstance(count, int) and len(kinds) > count:
            name = rnd.names[seat]
            raise Impossible(
                plural(
                    "{name} was seen with {count} card and cannot hold {held}",
                    "{name} was seen with {count} cards and cannot hold {held}",
                    len(kinds),
                    name=name,
                    held=count or tr("none"),
                ),
                tr(MISTYPED),
            )
        for kind in kinds:
            if kinds.count(kind) > hands.get(seat, kinds).count(kind):
                card, name = rnd.rules.pack.kinds[kind], rnd.names[seat]
                raise Impossible(
                    tr(
                        "{card} was seen in {name}'s hand, which is said to be without it",
                        card=card,
                        name=name,
                    ),
                    tr(MISTYPED),
                )
        hands.setdefault(seat, kinds)
    for kind in {kind for kinds in hands.values() for kind in kinds}:
        held = [rnd.names[seat] for seat, kinds in hands.items() for k in kinds if k == kind]
        if len(held) > rnd.rules.pack.copies:
            card, names = rnd.rules.pack.kinds[kind], listed(list(dict.fromkeys(held)))
            often, said = times(rnd.rules.pack.copies), times(len(held))
            raise Impossible(
                tr(
                    "the pack has {card} {often}, not {said}: {names}",
                    card=card,
                    often=often,
                    said=said,
                    names=names,
                ),
                tr(MISTYPED),
            )


def _size_of_others(rnd: Round, counts: dict[int, int]) -> int:
    """How many cards each of those holds of whose hand nothing was said."""
    total, talon = rnd.rules.pack.total, rnd.setup.stock or 0
    left = total - sum(counts.values()) - talon
    if left < 0:
        if talon:
            say = plural(
                "the hands' {count} card and the talon's {talon} come to more than the {total} of"
                " the pack",
                "the hands' {count} cards and the talon's {talon} come to more than the {total} of"
                " the pack",
                sum(counts.values()),
                talon=talon,
                total=total,
            )
        else:
            say = plural(
                "the hands' {count} card come to more than the {total} of the pack",
                "the hands' {count} cards come to more than the {total} of the pack",
                sum(counts.values()),
                total=total,
            )
        raise Impossible(
            say,
            tr(MISTYPED),
        )
    others = [rnd.names[seat] for seat in rnd.seats if seat not in counts]
    if not others:
        return 0
    wanted = longest(rnd)
    fits: int = min(wanted, left // len(others))
    if fits < wanted and (not any(counts.values()) or not fits):
        rnd.conflict(
            _too_few(others, wanted),
            "talon",
            "hand",
        )
    return fits


def _too_few(others: list[str], wanted: int) -> str:
    """That the pack has not so many cards left for each of these."""
    entry = f"hand {others[0]}: NUMBER"
    if len(others) == 1:
        return plural(
            "the pack has not {count} card left for {name} (how many: {entry})",
            "the pack has not {count} cards left for {name} (how many: {entry})",
            wanted,
            name=others[0],
            entry=entry,
        )
    return plural(
        "the pack has not {count} card left for {names} each (how many: {entry})",
        "the pack has not {count} cards left for {names} each (how many: {entry})",
        wanted,
        names=listed(others),
        entry=entry,
    )


def _see(rnd: Round, knowledge: Knowledge, seat: int, kinds: tuple[int, ...]) -> None:
    """Cards were seen in a hand."""
    name = rnd.names[seat]
    if len(kinds) > knowledge.size(seat):
        rnd.conflict(
            plural(
                "{name} was seen with {count} card, and would hold {size} (how many: {entry})",
                "{name} was seen with {count} cards, and would hold {size} (how many: {entry})",
                len(kinds),
                name=name,
                size=knowledge.size(seat) or tr("none"),
                entry=f"hand {name}: NUMBER",
            ),
            "hand",
            "holds",
        )
        return
    for kind in set(kinds):
        knowledge.holds(seat, kind, kinds.count(kind))


def leads_with_cards(rnd: Round, seat: int) -> None:
    """Who leads has a card to lead."""
    if not rnd.hands.size(seat):
        name = rnd.names[seat]
        rnd.conflict(
            tr("{name} leads and holds no cards (another: {entry})", name=name, entry="lead NAME"),
            "lead",
            "hand",
        )


def said_now(rnd: Round, *words: str) -> bool:
    """Whether the fact that has just been said is one of these verbs'."""
    *_, entry = rnd.entries()
    return entry.verb.word in words


def holding(rnd: Round) -> str:
    """Who holds how many cards, as a sentence: `everyone holds 11`."""
    size = rnd.hands.size
    groups = [
        (count, rnd.names_of(seats))
        for count, seats in groupby(sorted(rnd.seats, key=lambda seat: -size(seat)), size)
    ]
    if len(groups) == 1:
        count = groups[0][0]
        return tr("everyone holds {count}", count=count) if count else tr("everyone holds no cards")
    return ", ".join(
        plural(
            "{names} holds {cards}",
            "{names} hold {cards}",
            len(names),
            names=listed(names),
            cards=count or tr("no cards"),
        )
        for count, names in groups
    )


# ---- opening -------------------------------------------------------------------------------------
#
# How a round begins: the standing, the facts that were said of it, and what they come to.


class _NoHands:
    """What stands for the hands in a game without any."""

    __slots__ = ()

    def __getattr__(self, name: str) -> object:
        raise Impossible(tr("there are no hands in this game"))


NO_HANDS = cast("Knowledge", _NoHands())


def what_is_said(fact: Entry) -> tuple[str, int]:
    """What a fact speaks of, whatever it says of that."""
    return fact.verb.says, fact.value[0] if isinstance(fact.verb.syntax, Of) else -1


class Opening:
    """A round at its start, which is made anew after each fact.

    `phase` is the one whose time it is (None when the round is over), `states` are those of the
    phases that have begun. `sides` are those of the deal where they differ from round to round
    (None: they do not).
    `positioned`: the hands given are smaller than those that are dealt, so the round began in the
    middle. `conflicts` are facts of the start that do not fit together: what is wrong, and the
    verbs concerned. `placed`: the facts alone have decided the round, and others may still follow.
    `booked`: it is over and in the tallies, and asked is whether the match is over too.
    `decisions` are the law's on what was wrong; by one the round may be `unscored`: it counts as
    one, and no score row applies.
    """

    __slots__ = (
        *("acted", "booked", "carry", "conflicts", "decisions", "ended", "gathering", "hands"),
        *("deals_next", "log"),
        *("mistakes", "names", "next_dealer", "next_leader", "number", "over", "phase"),
        *(
            "placed",
            "positioned",
            "remarks",
            "result",
            "roles",
            "rules",
            "scored",
            "seating",
            "seats",
        ),
        *("setup", "sides", "stage", "states", "table", "tricks", "unscored", "void"),
    )

    def __init__(
        self,
        rules: Ruleset,
        names: list[str],
        number: int,
        before: Standing,
        gathering: bool = False,
    ) -> None:
        """`names` are those who began the match, and sit if the standing says nothing else.
        `gathering`: the round waits for `gather`, and nothing else may be asked of it before."""
        self.rules = rules
        self.number = number
        self.seating = Seating(rules, names, before)
        self.names, self.seats = self.seating.names, self.seating.seats
        self.setup = NOTHING_SAID
        self.log = EntryLog()
        self.gathering = gathering
        self.table = TableState()
        self.decisions = Decisions()
        self.acted = self.over = self.placed = self.void = self.ended = self.positioned = False
        self.unscored = self.booked = False
        self.scored = True
        self.remarks: list[Finding] = []
        self.mistakes: set[str] = set()
        self.tricks: list[Trick] = []
        self.roles: dict[str, Role] = {}
        self.result: dict[str, str] | None = None
        self.deals_next = ""
        self.carry: Json = {}
        self.conflicts: list[tuple[str, tuple[str, ...]]] = []
        self.next_dealer: int | None = None
        self.next_leader: int | None = None
        self.sides: Sides | None = None
        self.hands: Knowledge = NO_HANDS
        # Each phase has a state of its own type, which `state` gives it back.
        self.states: dict[str, Any] = {}
        self.phase: AnyPhase | None = None
        self.stage = -1
        self.begin()

    def names_of(self, seats: Iterable[int]) -> list[str]:
        """The names of those who sit there."""
        return [self.names[seat] for seat in seats]

    def require_sides(self) -> Sides:
        """`sides`, in a game whose sides differ from deal to deal. Raises Impossible where they
        do not."""
        if self.sides is None:
            raise Impossible(tr("no sides are made in this game"))
        return self.sides

    @property
    def has_hands(self) -> bool:
        """Whether the game has hands of cards."""
        return self.hands is not NO_HANDS

    @property
    def partial(self) -> bool:
        """Whether it began in the middle, in a game where all counts that was won from the start
        on: play alone gives it no score."""
        return self.positioned and any(phase.from_start for phase in self.rules.phases.values())

    @property
    def in_conflict(self) -> bool:
        """Whether facts of the start do not fit together yet."""
        return bool(self.conflicts)

    def kept(self, name: str) -> Json:
        """What the phase of that name has kept from the last round; empty where it has nothing."""
        found: Json = self.carry.get(name, {})
        return found

    def keep(self, name: str, value: Json | int | None) -> None:
        """Keep plain JSON for the next rounds, or nothing more."""
        if value is None:
            self.carry.pop(name, None)
        else:
            self.carry[name] = value

    def has_kept(self, name: str) -> bool:
        """Whether something of that name has been kept from an earlier round."""
        return name in self.carry

    @property
    def _whole(self) -> Round:
        """This round as phases see it: there are only whole ones (`Round`)."""
        return self  # type: ignore[return-value]  # a cast would be called for every hook

    # --- made anew after each fact

    def begin(self) -> None:
        """Set everything to the start of the round, as the standing and the facts have it."""
        if self.gathering:
            return
        self.seating.sit_down(self.setup)
        self.names, self.seats = self.seating.names, self.seating.seats
        self.acted = self.over = self.placed = self.void = self.ended = self.positioned = False
        self.unscored = False
        self.scored = True
        self.table = TableState()
        self.remarks, self.mistakes = [], set()
        self.tricks, self.roles, self.result = [], {}, None
        carried, begun = self.carry, self.states
        self.carry = dict(self.seating.before["carry"])
        self.conflicts = []
        self.next_dealer = self.next_leader = self.sides = self.phase = None
        self.deals_next = ""
        self.hands = self._deal() if self.rules.pack.total else NO_HANDS
        self.states = {}
        whole = self._whole
        for phase in self.rules.beside:
            self.states[phase.name] = phase.begin(whole)
        for phase in self.rules.outlasting:  # what was claimed and decided is no fact
            if phase.name in begun:
                self.states[phase.name] = begun[phase.name]
                self.keep(phase.name, carried.get(phase.name))
        self.stage = -1
        self._next_stage()
        self.advance()
        if self.seating.unseated:
            self.conflict(self.seating.unseated, *COMING)
        if self.setup != NOTHING_SAID:
            self._check_facts()
        if self.log.found and self.has_hands:
            self._ask_again()

    def _ask_again(self) -> None:
        """Ask the hands, which were made anew, what is open of acts that were taken back."""
        log = self.log
        for number, finding in list(log.all_found()):
            if finding.claim is None or finding.verdict != OPEN or number in log.doubted:
                continue
            if log.entries[number - 1].withdrawn:
                self.hands.ask_again(finding.claim, (number, finding), number)

    def _deal(self) -> Knowledge:
        whole = self._whole
        self.positioned = longest(whole) < self.rules.deal_size(len(self.seats))
        return dealt(whole)

    def _check_facts(self) -> None:
        """What the facts come to: whether they fit together, and what they decide."""
        whole = self._whole
        for phase in self.rules.phases.values():
            phase.position(whole)
        for say, _ in self.conflicts:
            self.remark(
                "table.odds", mark("{odds}; nothing can happen before that fits"), {"odds": say}
            )
        self._end_decided()
        self.placed = self.over

    def _end_decided(self) -> None:
        """End the round when what was said or fined has decided the match: it is not played."""
        if self.over or self.seating.unseated:
            return
        if self.seating.tally == self.seating.before["tally"] and self.setup.reseated is None:
            return
        if self.rules.ends.of(self._whole):
            self.remark("table.decided", mark("that decides the match"), {})
            self.void = True
            self.finish()

    def _reseating(self) -> Reseating:
        return Reseating(self.rules, self.setup.reseated or self.seating.began, self.seating.named)

    def somebody_comes(self, name: str, instead: bool, other: str) -> None:
        """Somebody sits down to the left of another, or `instead` of them."""
        change = self._reseating()
        standing = change.joined(name, seat_named(change.names, other, tuple(change.away)), instead)
        self.place("joins", self.setup._replace(reseated=standing))

    def somebody_goes(self, name: str) -> None:
        """Somebody leaves the table; what stands on the sheet for them stays."""
        change = self._reseating()
        standing = change.left(seat_named(change.names, name, tuple(change.away)))
        self.place("quits", self.setup._replace(reseated=standing))

    def all_move(self, names: Sequence[str]) -> None:
        """Those at the table sit down in this order."""
        change = self._reseating()
        standing = change.moved([seat_named(change.names, name) for name in names])
        self.place("seats", self.setup._replace(reseated=standing))

    def rebind(self) -> None:
        """What names in patterns stand for has changed: every phase learns of it."""
        for phase in self.rules.phases.values():
            phase.rebound(self._whole)

    def place(self, word: str, start: Setup) -> None:
        """Set the facts of the start, the last of them said with that verb: the round begins anew
        from them. Raises Impossible when somebody has acted, and for what contradicts another
        fact."""
        if self.acted or (self.over and not self.placed):
            raise Impossible(
                tr("“{word}” is said before the first act of a round", word=word),
                tr("undo what came since, or say it in the next round"),
            )
        decided = self.placed
        self.setup = start
        self.begin()
        if decided and self.placed:
            say = mark("said of round {round}, which its start has decided")
            self.remark("table.decided", say, {"round": self.number})

    def conflict(self, say: str, *words: str) -> None:
        """Facts of the start, said with these verbs, do not fit together as they stand."""
        self.conflicts.append((say, words))

    def sits_out(self, seat: int, so: str) -> None:
        """Something was said of who sits out: impossible if it is settled who deals, else in
        conflict."""
        name, dealer = self.names[seat], self.names[self.seating.dealer]
        say = tr("{name} sits out when {dealer} deals, and {so}", name=name, dealer=dealer, so=so)
        if self.setup.dealer is not None:
            raise Impossible(say, tr(MISTYPED))
        self.conflict(
            tr("{say} (another: {entry})", say=say, entry="dealer NAME"),
            "dealer",
            "hand",
            "holds",
            "lead",
        )

    def check_start(self, entry: Entry) -> None:
        """Raise Impossible for what happens while the facts of the start do not fit together."""
        verb = entry.verb
        if self.seating.unseated:
            if verb.word in COMING or (verb.late and not verb.syntax.names_players):
                return
            raise Impossible(f"“{entry.text}”: {self.seating.unseated}", self.seating.how_to_seat)
        if verb.fact or verb.aside:
            return
        say, words = self.conflicts[0]
        facts = [
            f"{number} ({said.text})"
            for number, said in enumerate(self.log.entries, 1)
            if said.verb.word in words and not said.withdrawn
        ]
        message = tr("“{text}”: the start does not fit together: {say}", text=entry.text, say=say)
        if facts:
            message = tr("{message}; look at {facts}", message=message, facts=", ".join(facts))
        raise Impossible(
            message,
            tr(
                "say what is missing, or {undo}, or {amend}",
                undo="undo",
                amend="amend NUMBER ENTRY",
            ),
        )

    def repeats(self, entry: Entry) -> bool:
        """Whether that fact was said of this start already, if perhaps with another value."""
        what = what_is_said(entry)
        return any(what_is_said(said) == what for said in self.log.entries if not said.withdrawn)

    @property
    def as_dealt(self) -> bool:
        """Whether the round begins with a deal as ever: the facts that were said fit together, and
        nothing is to be told of them."""
        if self.conflicts or self.remarks or self.over or not self.has_hands:
            return False
        said = self.setup
        if said.holds or said.shown or said.standing or said.levelled or said.charges:
            return False
        if (said.touched, said.stock, said.contract) != (None, None, None):
            return False
        if self.hands.claims.asked:
            return False
        dealt = self.rules.deal_size(len(self.seats))
        sizes = self.hands.sizes()
        return {sizes[seat] for seat in self.seats} == {dealt}

    def leaders(self) -> list[int]:
        """Who is expected to start; several where that is not certain."""
        found = [self.seating.leader]
        for phase in self.rules.course:
            if phase.name in self.states:
                found = phase.leaders(self._whole) or found
        return found

    def remark(self, code: str, say: str, facts: Facts, cite: str = "") -> None:
        """Have something noted with the entry that is happening: a failed call, a warning."""
        self.remarks.append(Finding(code, LEGAL, say, facts, NOTE, cite))

    def _next_stage(self) -> None:
        course, whole = self.rules.course, self._whole
        self.stage += 1
        while self.stage < len(course) and not course[self.stage].needed(whole):
            self.stage += 1
        if self.stage < len(course):
            self.phase = phase = course[self.stage]
            self.states[phase.name] = phase.begin(whole)
        else:
            self.finish()

    def advance(self) -> None:
        """Go on to the next phase when the present one is over."""
        whole = self._whole
        while self.phase is not None and self.phase.finished(whole):
            self._next_stage()

    def give_way(self) -> bool:
        """Cards were laid before their time and stand: end the present phase's, if it gives way."""
        if self.phase is None or not self.phase.give_way(self._whole):
            return False
        self.advance()
        return True

    def finish(self) -> None:
        """End the round: every phase says what comes of it."""
        self.over = True
        self.phase = None
        whole = self._whole
        for phase in self.rules.ending:
            phase.close(whole)
