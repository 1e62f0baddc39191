"""The faults of a round, the compiled rows of [remedies] and [consequences], and the syntax of
claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.text import is_signed
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import CULPRIT
from scorekeeper.engine.state import AGAIN, COUNTS, LOST, UNSCORED, VOID
from scorekeeper.notation.syntax import Syntax, clean, parse_whole
from scorekeeper.ruleset.tables import DEALING, SAME, Parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Rng, Row, Standing
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
DUE = "due"  # the player who was to deal the void round
CULPRIT_STARTS = "culprit"
# Outcomes of a fault that can no longer be claimed.
LAPSED, DECIDED, MOOT = "lapsed", "decided", "moot"
MAX_ENTRIES = 9999
MAX_POINTS_OFF = 9999


# --- keys and compiled rows

REMEDY: Mapping[str, Parameter] = {
    "on": Parameter(
        "texts",
        "the finding codes that the remedy applies to. `told` means faults that the referee cannot"
        " see. `foul` means a foul reported by the table, which has its consequence at once,"
        " without a claim",
    ),
    "who": Parameter(
        "text",
        "the players who may claim the fault: `others` (all but the culprit), `opponents`,"
        " `everybody`, `next` (the next player); or one of these words `if` a"
        " condition `else` another",
        OTHERS,
    ),
    "from": Parameter(
        "choice",
        "when the window opens: when the fault was `done`, or when all could see it (`shown`)",
        SHOWN,
        (SHOWN, DONE),
    ),
    "until": Parameter(
        "choice",
        "the end of the window: each claimant's own next act, in the next round too (`acts`);"
        " the next act of any player (`speaks`); the next act of one of their side (`side`); the"
        " end of the trick or bout (`trick`); the second card of the round (`second-card`); each"
        " claimant's own first act of the round (`taken-up`); the end of the round (`deal`);"
        " each claimant's own first act of the next one (`next-deal`)",
        ACTS,
        UNTIL,
    ),
    "lapses": Parameter(
        "condition",
        "condition under which the window closes for all, read after each entry",
        "false",
    ),
    "choice": Parameter(
        "choice",
        "who chooses the consequence: the `law` (the first that applies), the `claimant`"
        " or a `judge`",
        LAW,
        (LAW, CLAIMANT, JUDGE),
    ),
    "then": Parameter(
        "texts", "the possible consequences: rows of [consequences]", rows="consequences"
    ),
    "decided": Parameter(
        "name",
        "the row of [consequences] that replaces any chosen consequence with an effect,"
        " if it applies",
        "",
        rows="consequences",
    ),
    "cite": Parameter("text", "the paragraph of the rule text"),
}
CONSEQUENCE: Mapping[str, Parameter] = {
    "as": Parameter(
        "text",
        "the word by which the consequence is chosen (default: the row's name). If several rows"
        " with the same word apply, the first is used",
        "",
    ),
    "when": Parameter(
        "condition",
        "condition under which the consequence applies, in the round as it was at the time of the"
        " act",
        "true",
    ),
    "undone": Parameter("condition", "condition under which the act is withdrawn", "false"),
    "play": Parameter(
        "choice",
        "whether play goes `on` or `stops`. With `given`, it stops, and the other side receives"
        " the trick of the act and all later tricks",
        ON,
        (ON, STOPS, GIVEN),
    ),
    "round": Parameter(
        "choice",
        "the effect on the round if play stops: it `counts`, is `void`, has no score (`unscored`),"
        " or counts with `own.forfeited` for the culprit's side (`lost`)",
        COUNTS,
        (COUNTS, VOID, UNSCORED, LOST),
    ),
    "penalty": Parameter("name", "the culprit's penalty class", "", rows="penalties"),
    "off": Parameter(
        "int",
        "maximum number of points that a claim may deduct from the culprit",
        0,
        bounds=(0, MAX_POINTS_OFF),
    ),
    "tricks": Parameter(
        "number", "number of last tricks that the culprit's side loses to the others at the end", 0
    ),
    "dealer": Parameter(
        "choice",
        "the player who deals after a void round: the `same` player again, the `next`, or the"
        " player who was to deal it (`due`). The default is the key `deal.after_void`",
        "",
        ("", *DEALING, DUE),
    ),
    "starts": Parameter(
        "choice",
        "the player who starts the next round if play stops: the `culprit`, or the `same` player"
        " as in this round. By default, the usual player starts",
        "",
        ("", CULPRIT_STARTS, SAME),
    ),
    "bars": Parameter("texts", "the verbs that the culprit may not use any more in this round", []),
    "cite": Parameter("text", "the paragraph of the rule text", ""),
}


class Claimant:
    """The players who may claim a fault: `first` if the condition `when` holds, else `other`."""

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
        self.when: Expression = rules.compile_expression(condition if split else "true", where)


class Remedy:
    """A compiled row of [remedies]."""

    __slots__ = (
        *("choice", "cite", "decided", "lapses", "name", "on", "opens_when_shown", "then"),
        *("until", "who"),
    )

    def __init__(self, name: str, row: Row, rules: Ruleset) -> None:
        self.name = name
        self.on: list[str] = row["on"]
        self.who = Claimant(row["who"], f"remedies.{name}.who", rules)
        self.opens_when_shown: bool = row["from"] == SHOWN
        self.until: str = row["until"]
        self.lapses: Expression | None = None
        if row["lapses"] not in ("false", False):
            where = f"remedies.{name}.lapses"
            self.lapses = rules.compile_expression(row["lapses"], where, (CULPRIT,))
        self.choice: str = row["choice"]
        self.then: list[str] = row["then"]
        self.decided: str = row["decided"]
        self.cite: str = row["cite"]
        if FOUL in self.on and (len(self.on) > 1 or self.choice != LAW):
            where, allowed = f"remedies.{name}", f'on = ["{FOUL}"], choice = "{LAW}"'
            message = (
                f"{where}: what follows of a {FOUL} is the law's choice, and it answers that only"
            )
            rules.fault(where, ", ".join([*self.on, self.choice]), allowed, message)
        if not self.then:
            where, allowed = f"remedies.{name}.then", "a row of [consequences]"
            rules.fault(where, "nothing", allowed, f"{where} says nothing that may follow")

    @property
    def code(self) -> str:
        """The code of the findings and score lines that the remedy produces."""
        return f"remedies.{self.name}"


class Consequence:
    """A compiled row of [consequences]."""

    __slots__ = (
        *("bars", "cite", "dealer", "name", "off", "outcome", "penalty", "play", "starts"),
        *("tricks", "undone", "when", "word"),
    )

    def __init__(self, name: str, row: Row, rules: Ruleset) -> None:
        path = f"consequences.{name}"
        self.name = name
        self.word: str = row["as"] or name
        self.when: Expression = rules.compile_expression(row["when"], f"{path}.when", (CULPRIT,))
        self.undone: Expression = rules.compile_expression(
            row["undone"], f"{path}.undone", (CULPRIT,)
        )
        self.play: str = row["play"]
        self.outcome: str = row["round"]
        self.penalty: str = row["penalty"]
        self.off: int = row["off"]
        self.tricks: Expression = rules.compile_expression(
            row["tricks"], f"{path}.tricks", (CULPRIT,), whole=True
        )
        self.dealer: str = row["dealer"]
        self.starts: str = row["starts"]
        self.bars: tuple[str, ...] = tuple(row["bars"])
        self.cite: str = row["cite"]

    def starter(self, culprit: int) -> int:
        """Return the seat that starts the next round, AGAIN for the same starter, or -1 if the
        rules decide."""
        return {CULPRIT_STARTS: culprit, SAME: AGAIN}.get(self.starts, -1)

    @property
    def has_no_effect(self) -> bool:
        """True if the consequence changes nothing."""
        stays = self.play == ON and not (self.bars or self.starts or self.off)
        return stays and not self.penalty and {self.tricks.text, self.undone.text} <= {"0", "false"}


# --- faults and state


class Fault:
    """A fault to which the row `remedy` applies.

    `number` is the number of the entry with the fault, or with the report if `is_reported` is true,
    and `text` is the text of that entry. `culprit` are the seats to blame. `round` is 0 for a fault
    in the current round, otherwise the number of the previous round. For a fault of the previous
    round, `standings` maps the word of each choice to the standing with which this round would have
    begun. `voiding_words` are the choices that make the previous round void. `opened_at` is the
    number of the entry that opened the window. `lapsed_at` is the number of the entry after which
    the remedy's condition closed it for all players (0 if it did not).

    `entitled` are the seats that may claim the fault, or could do so earlier. `closed_for` maps
    seats whose window has closed to the number of the entry that closed it. `claimed_by` are the
    seats that have claimed the fault. `weight` is the chosen word, and `points` are the points that
    a claim deducts (0 or negative). `ended` is the outcome, or "" while the fault may be claimed or
    decided. `decided_by` is the number of the entry that decided the fault. `decision_cite` is the
    paragraph on which the decision is based.
    """

    __slots__ = (
        *("claimed_by", "closed_for", "culprit", "decided_by", "decision_cite", "ended"),
        *(
            "entitled",
            "is_reported",
            "lapsed_at",
            "number",
            "opened_at",
            "points",
            "remedy",
            "round",
        ),
        *("standings", "text", "voiding_words", "weight"),
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
        self.opened_at = opened
        self.entitled = tuple(asked)
        self.is_reported = told
        self.closed_for: dict[int, int] = {}
        self.claimed_by: list[int] = []
        self.weight = self.ended = self.decision_cite = ""
        self.points = self.round = self.decided_by = self.lapsed_at = 0
        self.standings: Mapping[str, Standing] = {}
        self.voiding_words: tuple[str, ...] = ()

    def copy(self) -> Fault:
        """Return an independent copy."""
        other = Fault(
            self.remedy,
            self.number,
            self.text,
            self.culprit,
            self.opened_at,
            self.entitled,
            self.is_reported,
        )
        other.round, other.standings, other.voiding_words = (
            self.round,
            dict(self.standings),
            self.voiding_words,
        )
        other.closed_for, other.claimed_by = self.closed_for.copy(), self.claimed_by[:]
        other.weight, other.points, other.ended = self.weight, self.points, self.ended
        other.lapsed_at = self.lapsed_at
        other.decided_by, other.decision_cite = self.decided_by, self.decision_cite
        return other

    @property
    def reference(self) -> str:
        """The number of the entry as a user types it: `5`, or `1.47`."""
        return f"{self.round}.{self.number}" if self.round else str(self.number)

    @property
    def act_text(self) -> str:
        """The number and text of the entry."""
        return f"{self.reference} ({self.text})"

    @property
    def claimants(self) -> list[int]:
        """The seats that may still claim the fault."""
        if self.ended:
            return []
        return [seat for seat in self.entitled if seat not in self.closed_for]

    def lapse(self, number: int) -> None:
        """Record that this entry closes the window for all players who may still claim the
        fault."""
        self.lapsed_at = number
        self.closed_for.update(dict.fromkeys(self.claimants, number))

    @property
    def is_waiting(self) -> bool:
        """True if the fault is claimed but not yet decided."""
        return bool(self.claimed_by) and not self.ended


class RemedyCase:
    """The facts about a fault that the conditions of its consequences can read.

    `since` is the number of cards played since the act. `later` are the entries of the cards played
    to later tricks, and `followed` is how many of them the culprit's side played. `took` is true if
    the culprit won the trick of the fault. `tricks` is the number of tricks that their side has won
    from that trick on. `times` is how often the same fault was decided against them before.
    `stands` is true if the act was not withdrawn at once. `mate` is true if the culprit is on the
    declarer's side without being the declarer.
    """

    __slots__ = ("followed", "later", "mate", "since", "stands", "times", "took", "tricks")

    def __init__(
        self,
        since: int,
        later: Sequence[int],
        followed: int,
        took: bool,
        tricks: int,
        times: int,
        stands: bool,
        mate: bool = False,
    ) -> None:
        self.mate = mate
        self.later = later
        self.since = since
        self.followed = followed
        self.took = took
        self.tricks = tricks
        self.times = times
        self.stands = stands


class State:
    """The `faults` of one round, in the order in which their windows opened.

    `entries_seen` is the number of entries examined so far, and `findings_seen` the number of
    findings that refused an entry. `case` is set only in a copy of the round at the time of an act.
    It holds the facts about the fault. `barred_verbs` maps a seat to the verbs that it may no
    longer use. `is_provisional` is true once a note has announced that the score is provisional.
    """

    __slots__ = (
        *("barred_verbs", "case", "entries_seen", "faults", "findings_seen"),
        "is_provisional",
    )

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.entries_seen = self.findings_seen = 0
        self.case: RemedyCase | None = None
        self.barred_verbs: dict[int, tuple[str, ...]] = {}
        self.is_provisional = False

    def open_faults(self) -> list[Fault]:
        """Return the faults that may still be claimed or decided."""
        return [fault for fault in self.faults if not fault.ended]

    def find_fault(self, number: int, earlier: int = 0) -> Fault | None:
        """Return the fault of that entry, preferring an open one. `earlier` is the number of an
        earlier round, or 0 for the current one."""
        faults = [each for each in self.faults if (each.number, each.round) == (number, earlier)]
        return next((fault for fault in faults if not fault.ended), faults[-1] if faults else None)

    def waiting_faults(self) -> list[Fault]:
        """Return the claimed but undecided faults, in the order in which they happened."""
        return sorted(
            (fault for fault in self.faults if fault.is_waiting),
            key=lambda fault: (not fault.round, fault.number),
        )


def mates(rnd: Round, seat: int) -> tuple[int, ...]:
    """Return the seats proven to be on that seat's side, including the seat itself."""
    sides = rnd.sides
    if sides is None:
        return rnd.seating.side(seat)
    side = sides.side_of(seat)
    return (seat,) if side is None else sides.members(side)


# --- syntax of claims, weights and waivers


class CaseRef(NamedTuple):
    """The number of an entry and of its round (0 for the current one)."""

    number: int
    round: int = 0

    @property
    def text(self) -> str:
        """The reference as a user types it: `5`, or `1.47`."""
        return f"{self.round}.{self.number}" if self.round else str(self.number)


class RemedyClaim(NamedTuple):
    """A claim about the entry `at`, or a report that the player `of` committed the fault `told`.

    `weight` is the word of a choice, or "" if none was stated. `points` are the points to deduct (0
    or negative); a report may state them instead of a word.
    """

    at: CaseRef | None
    told: str = ""
    of: int = -1
    weight: str = ""
    points: int = 0


def entry_named(claim: RemedyClaim) -> tuple[int, int] | None:
    """Return the round and number of the entry in a claim, or None for a report."""
    return None if claim.at is None else (claim.at.round, claim.at.number)


class ClaimSyntax(Syntax):
    """The syntax of a claim, with or without a weight.

    A claim contains the number of an entry, or else a reported fault and a player. `weights` are
    the words of the choices, and `reportable` the rows that may be reported. `translate` translates
    the word of a choice into the language of the messages.
    """

    names_players = True

    def __init__(
        self, weights: Iterable[str], told: Iterable[str], called: Callable[[str], str]
    ) -> None:
        self.weights = list(dict.fromkeys(weights))
        self.reportable = list(told)
        self.translate = called
        self.form = N_("ENTRY [WEIGHT]")

    def translated_form(self) -> str:
        if not self.reportable:
            return super().translated_form()
        words = "|".join(map(self.translate, self.reportable))
        return tr("ENTRY [WEIGHT] or {words} NAME [WEIGHT or POINTS]", words=words)

    def read(self, text: str, notation: Spelling) -> RemedyClaim:
        head, _, rest = text.partition(" ")
        if _is_reference(head):
            return RemedyClaim(_read_reference(head), weight=self._weight(rest.strip(), notation))
        told, rest = notation.split_first_word(text)
        if told not in self.reportable:
            names = ", ".join(map(self.translate, self.reportable))
            message = tr("the number of an entry must follow")
            if names:
                message = tr(
                    "the number of an entry, or one of {words} and a name, must follow", words=names
                )
            raise Unreadable(
                tr("{say}, not “{text}”", say=message, text=clean(text)) if text else message
            )
        if not rest:
            raise Unreadable(
                tr(
                    "the name of the culprit must follow {word}",
                    word=notation.write_word(told),
                )
            )
        try:
            return RemedyClaim(None, told, notation.find_seat(rest))
        except Unreadable:
            name, _, last = rest.rpartition(" ")
            if not name:
                raise
        of = notation.find_seat(name)
        if is_signed(last):
            return RemedyClaim(
                None, told, of, points=-abs(parse_whole(last, -MAX_POINTS_OFF, MAX_POINTS_OFF))
            )
        return RemedyClaim(None, told, of, self._weight(last, notation))

    def _weight(self, text: str, notation: Spelling) -> str:
        word = notation.find_meaning(text) if text else ""
        if word not in ("", *self.weights) or (text and not word):
            names = ", ".join(map(self.translate, self.weights))
            raise Unreadable(
                tr(
                    "“{text}” is not a possible decision; the decisions are {words}",
                    text=clean(text),
                    words=names,
                )
            )
        return word

    def write(self, value: RemedyClaim, notation: Spelling) -> str:
        what = [value.at.text] if value.at is not None else []
        if value.told:
            what = [notation.write_word(value.told), notation.names[value.of]]
        if value.weight:
            what.append(notation.write_word(value.weight))
        return " ".join(what) + (f" {value.points}" if value.points else "")

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[RemedyClaim]:
        weight = rng.choice(["", *self.weights])
        if self.reportable and rng.random() < 0.3:
            return (RemedyClaim(None, rng.choice(self.reportable), 0, weight),)
        return (RemedyClaim(CaseRef(rng.randint(1, 12)), weight=weight),)


def _is_reference(token: str) -> bool:
    digits = token.replace(".", "", 1)
    return digits.isascii() and digits.isdigit()


def _read_reference(token: str) -> CaseRef:
    head, dot, tail = token.partition(".")
    if not dot:
        return CaseRef(parse_whole(head, 1, MAX_ENTRIES))
    return CaseRef(parse_whole(tail, 1, MAX_ENTRIES), parse_whole(head, 1, MAX_ENTRIES))


class WeighSyntax(ClaimSyntax):
    """The syntax of an entry number and a weight."""

    names_players = False

    def __init__(self, weights: Iterable[str], called: Callable[[str], str]) -> None:
        super().__init__(weights, (), called)
        self.form = N_("ENTRY WEIGHT")

    def read(self, text: str, notation: Spelling) -> RemedyClaim:
        claim = super().read(text, notation)
        if not claim.weight:
            names = ", ".join(map(self.translate, self.weights))
            raise Unreadable(tr("after the number, one of {words} must follow", words=names))
        return claim

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[RemedyClaim]:
        return (RemedyClaim(CaseRef(rng.randint(1, 12)), weight=rng.choice(self.weights)),)


class WaiveSyntax(Syntax):
    """The syntax of names joined by `+`, or of the word for all players. That word is read as an
    empty list of seats."""

    names_players = True
    form = N_("NAME + NAME or all")

    def read(self, text: str, notation: Spelling) -> tuple[int, ...]:
        if notation.find_meaning(text) == "all":
            return ()
        if not text:
            word = notation.write_word("all")
            raise Unreadable(tr("a name must follow, or “{word}” for all players", word=word))
        return tuple(dict.fromkeys(notation.find_seat(name.strip()) for name in text.split("+")))

    def write(self, value: tuple[int, ...], notation: Spelling) -> str:
        return " + ".join(notation.names[seat] for seat in value) or notation.write_word("all")

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[tuple[int, ...]]:
        return ((), (rng.randint(0, len(notation.names) - 1),))
