"""The rows of [remedies] and [consequences], compiled; what was wrong in a round; what is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import is_signed
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import CULPRIT
from scorekeeper.engine.state import AGAIN, COUNTS, LOST, UNSCORED, VOID
from scorekeeper.notation.syntax import Syntax, clean, whole
from scorekeeper.ruleset.tables import DEALING, SAME, Parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Luck, Row, Standing
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation.syntax import Spelling

TOLD, FOUL = "told", "foul"
DONE, SHOWN = "done", "shown"
ACTS, SPEAKS, SIDE, TRICK, SECOND = "acts", "speaks", "side", "trick", "second-card"
TAKEN_UP, DEAL, NEXT_DEAL = "taken-up", "deal", "next-deal"
UNTIL = (ACTS, SPEAKS, SIDE, TRICK, SECOND, TAKEN_UP, DEAL, NEXT_DEAL)
LAW, CLAIMANT, JUDGE = "law", "claimant", "judge"
OTHERS, OPPONENTS, EVERYBODY, NEXT = "others", "opponents", "everybody", "next"
WHO = (OTHERS, OPPONENTS, EVERYBODY, NEXT)
ON, STOPS, GIVEN = "on", "stops", "given"
DUE = "due"  # who was to deal
CULPRIT_STARTS = "culprit"
# What has become of a fault that nobody may claim any more.
LAPSED, DECIDED, MOOT = "lapsed", "decided", "moot"
MOST_ENTRIES = 9999
MOST_OFF = 9999


# --- the rows

REMEDY: Mapping[str, Parameter] = {
    "on": Parameter(
        "texts",
        "the codes of the findings that it answers; or `told`: what the referee cannot see; or"
        " `foul`: the table's word, with which the law's choice happens at once, unclaimed",
    ),
    "who": Parameter(
        "text",
        "who may claim it: `others` (than the culprit), `opponents`, `everybody`, `next`; or one of"
        " these `if` a condition `else` another",
        OTHERS,
    ),
    "from": Parameter(
        "choice",
        "from when on: when it was `done`, or when all could see it (`shown`)",
        SHOWN,
        (SHOWN, DONE),
    ),
    "until": Parameter(
        "choice",
        "until when: each claimant's own next act, in the next round too (`acts`); anybody's next"
        " act (`speaks`); the next act of one of their side (`side`); the end of the trick or bout"
        " (`trick`); the second card of the round (`second-card`); each claimant's own first act of"
        " the round (`taken-up`); the end of the round (`deal`); each claimant's own first act of"
        " the next one (`next-deal`)",
        ACTS,
        UNTIL,
    ),
    "choice": Parameter(
        "choice",
        "who chooses what follows: the `law` (the first that applies), the `claimant`, a `judge`",
        LAW,
        (LAW, CLAIMANT, JUDGE),
    ),
    "then": Parameter("texts", "what may follow: rows of [consequences]", rows="consequences"),
    "decided": Parameter(
        "name",
        "the row of [consequences] that stands for every choice with an effect, once it applies",
        "",
        rows="consequences",
    ),
    "cite": Parameter("text", "the paragraph of the rule text"),
}
CONSEQUENCE: Mapping[str, Parameter] = {
    "as": Parameter(
        "text",
        "the word by which it is chosen (without it: the row's name); of several that apply"
        " the first counts",
        "",
    ),
    "when": Parameter("condition", "that it applies, as the round was at the act", "true"),
    "undone": Parameter("condition", "that the act is taken back", "false"),
    "play": Parameter(
        "choice",
        "whether play goes `on` or `stops`; `given`: it stops, and all tricks from the one of the"
        " act on go to the other side",
        ON,
        (ON, STOPS, GIVEN),
    ),
    "round": Parameter(
        "choice",
        "where play stops: the round `counts`, is `void`, is one without a score (`unscored`), or"
        " counts with `own.forfeited` for the culprit's side (`lost`)",
        COUNTS,
        (COUNTS, VOID, UNSCORED, LOST),
    ),
    "penalty": Parameter("name", "the class of penalty that the culprit has", "", rows="penalties"),
    "off": Parameter(
        "int", "the most points that the claim may take off the culprit", 0, bounds=(0, MOST_OFF)
    ),
    "tricks": Parameter(
        "number", "how many of the culprit's side's last tricks go to the others at the end", 0
    ),
    "dealer": Parameter(
        "choice",
        "who deals after a void round: the `same` player again, the `next`, or who was to deal it"
        " (`due`); without it as `deal.after_void` says",
        "",
        ("", *DEALING, DUE),
    ),
    "starts": Parameter(
        "choice",
        "where play stops: who starts the next round, the `culprit` or the `same` as this one"
        " (without it: as ever)",
        "",
        ("", CULPRIT_STARTS, SAME),
    ),
    "bars": Parameter("texts", "the verbs that the culprit may not use any more in this round", []),
    "cite": Parameter("text", "the paragraph of the rule text", ""),
}


class Who:
    """Who may claim something: of two kinds the first `if` a condition holds, else the other."""

    __slots__ = ("first", "other", "when")

    def __init__(self, text: str, where: str, rules: Ruleset) -> None:
        first, split, rest = text.partition(" if ")
        condition, also, other = rest.rpartition(" else ")
        self.first, self.other = first.strip(), (other if split else first).strip()
        for name in (self.first, self.other):
            if name not in WHO or bool(split) != bool(also):
                allowed = f"{', '.join(WHO)}, or WHO if CONDITION else WHO"
                rules.fault(where, text, allowed, f"{where}: “{text}” is nobody who may claim")
                break
        self.when: Expression = rules.expression(condition if split else "true", where)


class Remedy:
    """A row of [remedies], compiled."""

    __slots__ = ("choice", "cite", "decided", "name", "on", "shown", "then", "until", "who")

    def __init__(self, name: str, row: Row, rules: Ruleset) -> None:
        self.name = name
        self.on: list[str] = row["on"]
        self.who = Who(row["who"], f"remedies.{name}.who", rules)
        self.shown: bool = row["from"] == SHOWN
        self.until: str = row["until"]
        self.choice: str = row["choice"]
        self.then: list[str] = row["then"]
        self.decided: str = row["decided"]
        self.cite: str = row["cite"]
        if FOUL in self.on and (len(self.on) > 1 or self.choice != LAW):
            where, allowed = f"remedies.{name}", f'on = ["{FOUL}"], choice = "{LAW}"'
            say = f"{where}: what follows of a {FOUL} is the law's choice, and it answers that only"
            rules.fault(where, ", ".join([*self.on, self.choice]), allowed, say)
        if not self.then:
            where, allowed = f"remedies.{name}.then", "a row of [consequences]"
            rules.fault(where, "nothing", allowed, f"{where} says nothing that may follow")

    @property
    def code(self) -> str:
        """What its findings and lines are called."""
        return f"remedies.{self.name}"


class Consequence:
    """A row of [consequences], compiled."""

    __slots__ = (
        *("bars", "cite", "dealer", "name", "off", "outcome", "penalty", "play", "starts"),
        *("tricks", "undone", "when", "word"),
    )

    def __init__(self, name: str, row: Row, rules: Ruleset) -> None:
        path = f"consequences.{name}"
        self.name = name
        self.word: str = row["as"] or name
        self.when: Expression = rules.expression(row["when"], f"{path}.when", (CULPRIT,))
        self.undone: Expression = rules.expression(row["undone"], f"{path}.undone", (CULPRIT,))
        self.play: str = row["play"]
        self.outcome: str = row["round"]
        self.penalty: str = row["penalty"]
        self.off: int = row["off"]
        self.tricks: Expression = rules.expression(
            row["tricks"], f"{path}.tricks", (CULPRIT,), whole=True
        )
        self.dealer: str = row["dealer"]
        self.starts: str = row["starts"]
        self.bars: tuple[str, ...] = tuple(row["bars"])
        self.cite: str = row["cite"]

    def starter(self, culprit: int) -> int:
        """Who starts the next round: a seat, or what stands for one."""
        return {CULPRIT_STARTS: culprit, SAME: AGAIN}.get(self.starts, -1)

    @property
    def is_nothing(self) -> bool:
        """Whether nothing follows."""
        stays = self.play == ON and not (self.bars or self.starts or self.off)
        return stays and not self.penalty and {self.tricks.text, self.undone.text} <= {"0", "false"}


# --- what was wrong in a round, and what has become of it


class Fault:
    """Something that was wrong: `remedy` is the row that answers it.

    `number` is the entry that it was done with, or, of what the table has told, that told it
    (`told`), and `text` is its text; `culprit` the seats to blame. `round` is 0, or the number of
    the round before, in which it happened: then `instead` leads from the word of each choice to
    the standing that this round would have begun with, and `voids` are those choices by which the
    round before is void. `opened` is the entry with which the window
    opened. `asked` may claim it, or might have; `gone` are those of them that may no more, with the
    number of the entry they went on or waived with. `claims`: who has claimed it. `weight` is the
    word of what was chosen, `points` what is taken off by the table's word. `ended` says what has
    become of it ("": it may still be claimed, or weighed); of what was decided, `by` is the number
    of the entry that did, `cited` the paragraph.
    """

    __slots__ = (
        *("asked", "by", "cited", "claims", "culprit", "ended", "gone", "instead", "number"),
        *("opened", "points", "remedy", "round", "text", "told", "voids", "weight"),
    )

    def __init__(
        self,
        remedy: str,
        number: int,
        text: str,
        culprit: Sequence[int],
        opened: int,
        asked: Sequence[int],
        told: bool = False,
    ) -> None:
        self.remedy = remedy
        self.number = number
        self.text = text
        self.culprit = tuple(culprit)
        self.opened = opened
        self.asked = tuple(asked)
        self.told = told
        self.gone: dict[int, int] = {}
        self.claims: list[int] = []
        self.weight = self.ended = self.cited = ""
        self.points = self.round = self.by = 0
        self.instead: Mapping[str, Standing] = {}
        self.voids: tuple[str, ...] = ()

    def copy(self) -> Fault:
        """The same fault, to go on apart from this one."""
        other = Fault(
            self.remedy, self.number, self.text, self.culprit, self.opened, self.asked, self.told
        )
        other.round, other.instead, other.voids = self.round, dict(self.instead), self.voids
        other.gone, other.claims = self.gone.copy(), self.claims[:]
        other.weight, other.points, other.ended = self.weight, self.points, self.ended
        other.by, other.cited = self.by, self.cited
        return other

    @property
    def at(self) -> str:
        """Where it is, as it is typed: `5`, or `1.47`."""
        return f"{self.round}.{self.number}" if self.round else str(self.number)

    @property
    def act(self) -> str:
        """The entry that was wrong, with its number."""
        return f"{self.at} ({self.text})"

    @property
    def may(self) -> list[int]:
        """Who may still claim it."""
        if self.ended:
            return []
        return [seat for seat in self.asked if seat not in self.gone]

    @property
    def waits(self) -> bool:
        """Whether it is claimed, and nobody has weighed it."""
        return bool(self.claims) and not self.ended


class Case:
    """A fault as the conditions of its consequences see it, beside the round as it was at the act.

    `since`: how many cards were laid since; `later`: the entries of those to later tricks, and
    `followed`: how many of these are the culprit's side's; `took`: whether the culprit won the
    trick it happened in; `tricks`: how many their side has won from that one on; `times`: how often
    the same had been decided against them; `stands`: whether the act was not taken back at once.
    """

    __slots__ = ("followed", "later", "since", "stands", "times", "took", "tricks")

    def __init__(
        self,
        since: int,
        later: Sequence[int],
        followed: int,
        took: bool,
        tricks: int,
        times: int,
        stands: bool,
    ) -> None:
        self.later = later
        self.since = since
        self.followed = followed
        self.took = took
        self.tricks = tricks
        self.times = times
        self.stands = stands


class State:
    """The `faults` of one round, in the order in which their windows opened.

    `seen` is how many of its entries were looked at, `wrongs` how many of the findings that
    refuse. `case` is the fault that is being looked at, in a round that is asked how it was.
    `barred`: the verbs that a seat may not use any more. `provisional`: it was told that the score
    is.
    """

    __slots__ = ("barred", "case", "faults", "provisional", "seen", "wrongs")

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.seen = self.wrongs = 0
        self.case: Case | None = None
        self.barred: dict[int, tuple[str, ...]] = {}
        self.provisional = False

    def open(self) -> list[Fault]:
        """Those that may still be claimed or weighed."""
        return [fault for fault in self.faults if not fault.ended]

    def at(self, number: int, earlier: int = 0) -> Fault | None:
        """What was wrong with that entry (of an `earlier` round, by its number): what may still be
        claimed or weighed first."""
        found = [each for each in self.faults if (each.number, each.round) == (number, earlier)]
        return next((fault for fault in found if not fault.ended), found[-1] if found else None)

    def waiting(self) -> list[Fault]:
        """Those that are claimed and wait to be weighed, in the order in which they happened."""
        return sorted(
            (fault for fault in self.faults if fault.waits),
            key=lambda fault: (not fault.round, fault.number),
        )


def mates(rnd: Round, seat: int) -> tuple[int, ...]:
    """The seats that are proven to be on that seat's side, itself among them."""
    parties = rnd.sides
    if parties is None:
        return rnd.seating.side(seat)
    side = parties.of(seat)
    return (seat,) if side is None else parties.members(side)


# --- how claims, weights and waivers are read and written


class Ref(NamedTuple):
    """An entry: its number, and the number of its round (0: this one)."""

    number: int
    round: int = 0

    @property
    def text(self) -> str:
        """As it is typed: `5`, or `1.47`."""
        return f"{self.round}.{self.number}" if self.round else str(self.number)


class Claim(NamedTuple):
    """What is claimed: the entry `at` which it happened, or what is `told` (a row of [remedies])
    of a player `of`; with a `weight` (the word of a choice, "": none was said), or how many
    `points` are taken off."""

    at: Ref | None
    told: str = ""
    of: int = -1
    weight: str = ""
    points: int = 0


def spoken_of(claim: Claim) -> tuple[int, int] | None:
    """The round and the number of the entry that a claim names; None for what is told."""
    return None if claim.at is None else (claim.at.round, claim.at.number)


class ClaimSyntax(Syntax):
    """The number of an entry, or what is told of whom; then perhaps how it weighs. `weights` are
    the words of the choices, `told` the rows that may be told; `called` is what these are called
    in the language that is spoken."""

    names_players = True

    def __init__(
        self, weights: Iterable[str], told: Iterable[str], called: Callable[[str], str]
    ) -> None:
        self.weights = list(dict.fromkeys(weights))
        self.told = list(told)
        self.called = called
        self.form = mark("ENTRY [WEIGHT]")

    def spoken_form(self) -> str:
        if not self.told:
            return super().spoken_form()
        words = "|".join(map(self.called, self.told))
        return tr("ENTRY [WEIGHT] or {words} NAME [WEIGHT or POINTS]", words=words)

    def read(self, text: str, notation: Spelling) -> Claim:
        head, _, rest = text.partition(" ")
        if _is_ref(head):
            return Claim(_ref(head), weight=self._weight(rest.strip(), notation))
        told, rest = notation.opening(text)
        if told not in self.told:
            names = ", ".join(map(self.called, self.told))
            say = tr("the number of an entry must follow")
            if names:
                say = tr(
                    "the number of an entry must follow, or one of {words} and a name", words=names
                )
            raise Unreadable(
                tr("{say}, found “{text}”", say=say, text=clean(text)) if text else say
            )
        if not rest:
            raise Unreadable(tr("after {word} must follow who did it", word=notation.say(told)))
        try:
            return Claim(None, told, notation.seat(rest))
        except Unreadable:
            name, _, last = rest.rpartition(" ")
            if not name:
                raise
        of = notation.seat(name)
        if is_signed(last):
            return Claim(None, told, of, points=-abs(whole(last, -MOST_OFF, MOST_OFF)))
        return Claim(None, told, of, self._weight(last, notation))

    def _weight(self, text: str, notation: Spelling) -> str:
        word = notation.canonical(text) if text else ""
        if word not in ("", *self.weights) or (text and not word):
            names = ", ".join(map(self.called, self.weights))
            raise Unreadable(
                tr("“{text}” is no weight; weights are {words}", text=clean(text), words=names)
            )
        return word

    def show(self, value: Claim, notation: Spelling) -> str:
        what = [value.at.text] if value.at is not None else []
        if value.told:
            what = [notation.say(value.told), notation.names[value.of]]
        if value.weight:
            what.append(notation.say(value.weight))
        return " ".join(what) + (f" {value.points}" if value.points else "")

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Claim]:
        weight = luck.choice(["", *self.weights])
        if self.told and luck.random() < 0.3:
            return (Claim(None, luck.choice(self.told), 0, weight),)
        return (Claim(Ref(luck.randint(1, 12)), weight=weight),)


def _is_ref(token: str) -> bool:
    digits = token.replace(".", "", 1)
    return digits.isascii() and digits.isdigit()


def _ref(token: str) -> Ref:
    head, dot, tail = token.partition(".")
    if not dot:
        return Ref(whole(head, 1, MOST_ENTRIES))
    return Ref(whole(tail, 1, MOST_ENTRIES), whole(head, 1, MOST_ENTRIES))


class WeighSyntax(ClaimSyntax):
    """The number of an entry, and how it weighs."""

    names_players = False

    def __init__(self, weights: Iterable[str], called: Callable[[str], str]) -> None:
        super().__init__(weights, (), called)
        self.form = mark("ENTRY WEIGHT")

    def read(self, text: str, notation: Spelling) -> Claim:
        found = super().read(text, notation)
        if not found.weight:
            names = ", ".join(map(self.called, self.weights))
            raise Unreadable(tr("one of {words} must follow the number", words=names))
        return found

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Claim]:
        return (Claim(Ref(luck.randint(1, 12)), weight=luck.choice(self.weights)),)


class WaiveSyntax(Syntax):
    """Names joined by `+`, or the word for all (then there are none)."""

    names_players = True
    form = mark("NAME + NAME or all")

    def read(self, text: str, notation: Spelling) -> tuple[int, ...]:
        if notation.canonical(text) == "all":
            return ()
        if not text:
            raise Unreadable(tr("a name must follow, or the word for all"))
        return tuple(dict.fromkeys(notation.seat(name.strip()) for name in text.split("+")))

    def show(self, value: tuple[int, ...], notation: Spelling) -> str:
        return " + ".join(notation.names[seat] for seat in value) or notation.say("all")

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[tuple[int, ...]]:
        return ((), (luck.randint(0, len(notation.names) - 1),))
