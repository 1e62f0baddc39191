"""The measures that expressions can name, and their subjects.

Phases offer measures about a player or a side (`own.points`). Each of these measures also has two
derived forms. The first is for a role of the score rows (`winners.points`). The second is for each
player (`each.points`), inside any(…) and similar functions. `[let]` defines names for expressions
and card patterns. Named patterns are measures too.

An expression is evaluated for a subject, which is an act (`Entry`), a complete trick, or a score
row. An act supplies its player and the trick on the table. A complete trick supplies the trick and
a player or side. A score row supplies a player or side.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import ExpressionError
from scorekeeper.core.expressions.compiler import RENAMED_FUNCTIONS
from scorekeeper.core.expressions.parser import (
    EACH,
    HAND,
    KINDS,
    PLAYERS,
    TRUTH,
    NotYetKnown,
    Scope,
    UnknownName,
    is_name,
)
from scorekeeper.core.messages import join_list, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import OWN, Measure
from scorekeeper.notation import Entry
from scorekeeper.ruleset.tables import NEXT, SAME

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Container,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from scorekeeper.core.cards import Pack, Trick
    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Row
    from scorekeeper.engine.phase import Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.ruleset.orders import Patterns
    from scorekeeper.ruleset.tables import Report

    Case = Mapping[str, int]

OF_EACH = "each player, inside any(…), total(…) and their like"
_OWN, OTHER = "own.", "other"
MASTER, DECLARER, DEALER = "master", "declarer", "dealer"
DECLARED = (DECLARER, "opponents")  # roles that no player has if the contract has no declarer
ONE = (MASTER, DECLARER, DEALER)  # words that each refer to one player


# Former names of measures, which pinned rulesets may still use. A name that begins with a dot can
# follow `own`, `each` or a role.
RENAMED = {
    "kitty.cards": "kitty.size",
    "trick.laid": "trick.players",
    "leads": "openers",
    "open": "attacks.open",
    "limit": "attacks.limit",
    ".taken": ".pile",
    ".leads": ".openers",
}
# Current measures that end like a former name.
ALSO_CURRENT = ("trick.leads", "kitty.taken")


def new_name(name: str) -> str:
    """Return the current name of a renamed measure. Raises KeyError for any other name."""
    if name in RENAMED:
        return RENAMED[name]
    whose, dot, what = name.partition(".")
    return whose + RENAMED[dot + what]


def current_name(name: str) -> str:
    """Return the current name of a measure or function. Any other name is returned unchanged.

    >>> current_name("own.taken"), current_name("kitty.taken"), current_name("run")
    ('own.pile', 'kitty.taken', 'matadors')
    """
    if name in ALSO_CURRENT:
        return name
    with suppress(KeyError):
        return new_name(name)
    return RENAMED_FUNCTIONS.get(name, name)


def _explain_unknown(name: str) -> str:
    """Return why a ruleset has no measure of that name, or ""."""
    from scorekeeper.engine.phase import Phase
    from scorekeeper.ruleset.vocabulary import VARIANTS, load_all

    with suppress(KeyError):
        return tr("“{name}” is called “{now}”", name=name, now=new_name(name))
    owners = [
        f"{cls.name} ({VARIANTS[cls.name][0]} = “{cls.variant}”)" if cls.variant else cls.name
        for cls in load_all()[0]
        if isinstance(cls, type)
        and issubclass(cls, Phase)
        and any(measure.name == name for measure in cls.measures)
    ]
    if not owners:
        return ""
    return tr(
        "“{name}” is a measure of the phase {phases}, which this ruleset does not have",
        name=name,
        phases=join_list(owners, "or"),
    )


class Measures(dict[str, Measure]):
    """A ruleset's measures by name. Forms for roles and for each player are created when needed.

    `parts` maps each named expression to its text. `sound_parts` are the named expressions that
    were already checked as parts of other expressions.
    """

    def __init__(self, roles: Collection[str]) -> None:
        super().__init__()
        self.roles = roles
        self.parts: dict[str, str] = {}
        self.sound_parts: set[str] = set()
        self.names = self.scope(())  # the scope of expressions that have already been checked

    def add(self, measures: Iterable[Measure], fault: Callable[[str, str], None]) -> None:
        """Add the measures of a phase.

        Call `fault` for each name that two measures share, with both of its meanings.
        """
        for measure in measures:
            before = self.get(measure.name)
            if before is not None:
                fault(measure.name, f"{before.doc}, and {measure.doc}")
            self[measure.name] = measure

    def add_names(self, pack: Pack, named: Row, fault: Report) -> None:
        """Add the names that [let] defines for card patterns and expressions.

        Report a name that a measure already has.
        """
        for name, value in named.items():
            if self.find(name) is not None:
                fault(f"let.{name}", name, "a different name", f"let.{name} is a measure already")
            elif isinstance(value, list):
                read = _cards(pack, value)
                self[name] = Measure(name, f"the cards of let.{name}", read, "", KINDS)
            else:
                self.parts[name] = str(value).lower() if isinstance(value, bool) else str(value)

    def __missing__(self, name: str) -> Measure:
        whose, dot, what = name.partition(".")
        own = self.get(_OWN + what) if dot else None
        if own is None or own.about != OWN:
            return self[new_name(name)]
        if whose == EACH:
            made = Measure(name, own.doc, own.read, OF_EACH, own.kind)
        elif whose == OTHER:
            said = f"the same of all the others as `{_OWN}{what}`"
            made = Measure(name, said, _of_others(own.read), OWN, own.kind)
        elif whose in self.roles:
            made = Measure(name, own.doc, _of_role(whose, own.read), "", own.kind)
        else:
            return self[new_name(name)]
        self[name] = made
        return made

    def find(self, name: str) -> Measure | None:
        """Return the measure with that name, or None."""
        try:
            return self[name]
        except KeyError:
            return None

    def names_about(self, about: Container[str], but: Container[str] = ()) -> list[str]:
        """Return the names that an expression about these subjects can use, except those in `but`.

        Named expressions are included. Measures about a player or side are listed first, then the
        others. Both lists are in alphabetical order.
        """
        listed = [
            name
            for name, measure in self.items()
            if is_name(name) and (not measure.about or measure.about in about) and name not in but
        ]
        return sorted([*listed, *self.parts], key=lambda name: (not name.startswith(_OWN), name))

    def scope(
        self, about: Container[str], but: Container[str] = (), checking: bool = False
    ) -> Scope:
        """Return the scope for an expression about these subjects.

        If `checking` is true, truth values and numbers are different kinds. Pinned rulesets may be
        older than this distinction.
        """

        def kind(name: str) -> str | None:
            measure = self.find(name)
            if measure is None or name.endswith(")") or (checking and measure.name != name):
                return None
            return measure.kind

        roles = (*self.roles, EACH)
        return Scope(
            kind,
            lambda: self.names_about(about, but),
            self.parts,
            self._reader,
            roles,
            separates_truths=checking,
            explain=_explain_unknown,
        )

    def _reader(self, name: str) -> tuple[Reader, bool]:
        """Return the function that reads a measure, and whether all subjects share its value."""
        if name == PLAYERS:
            return _every_player, True
        measure = self.find(name)
        return (_unknown_measure, False) if measure is None else (measure.read, not measure.about)


def report_wrong(
    error: ExpressionError, where: str, text: str, scope: Scope, report: Report
) -> None:
    """Report an error in the expression at `where`, or in a named expression that it uses."""
    if error.part:
        from scorekeeper.ruleset.tables import join_key

        where, text = join_key(("let", error.part)), scope.parts[error.part]
    if isinstance(error, UnknownName):
        allowed = f"an expression over {', '.join(scope.list_names())}"
        report(where, text, allowed, f"{where}: {error}")
    elif error.allowed:
        report(where, text, error.allowed, f"{where} has {error.found}")
    else:
        report(where, text, "an expression with a value", f"{where}: {error}")


def report_wrong_subject(
    measures: Measures,
    expression: Expression,
    where: str,
    about: Sequence[str],
    but: Sequence[str],
    report: Report,
) -> None:
    """Report measures in the expression at `where` that need a different subject."""
    from scorekeeper.ruleset.tables import join_key

    for name in expression.names:
        if name not in but and measures[name].about in ("", OF_EACH, *about):
            continue
        part = expression.part_of(name)
        key = join_key(("let", part)) if part else where
        place = f"in {where}" if part else "here"
        if name in but:
            why = f"depends on what is computed {place}, so it is not available"
        else:
            why = f"is about {measures[name].about}, which is not available {place}"
        message = f"{key}: “{name}” {why}"
        report(key, name, f"an expression over {', '.join(expression.scope.list_names())}", message)


def check_named(measures: Measures, report: Report) -> None:
    """Report named expressions that would be wrong in every possible use.

    Other named expressions are checked where they are used.
    """
    from scorekeeper.ruleset.tables import join_key

    scope = measures.scope((), checking=True)
    for name in measures.parts:
        wrong = None if name in measures.sound_parts else _error_in_any_use(name, scope)
        if wrong is not None:
            report_wrong(wrong, join_key(("let", name)), measures.parts[name], scope, report)


def _error_in_any_use(name: str, scope: Scope) -> ExpressionError | None:
    """Return the error in a named expression that is wrong in every kind of use, or None."""
    first = None
    for claiming, each in product((False, True), repeat=2):
        wrong = _error_in_use(name, scope, claiming, each)
        if wrong is None:
            return None
        first = first or wrong
    return first


def _error_in_use(name: str, scope: Scope, claiming: bool, each: bool) -> ExpressionError | None:
    """Return the error that a named expression has in one kind of use, or None.

    If `claiming` is true, the expression is used in a question about a hand. If `each` is true, it
    is used inside a loop over all players.
    """
    from scorekeeper.core.expressions.compiler import ExpressionCompiler
    from scorekeeper.core.expressions.expression import unknown_names_error

    reader = ExpressionCompiler(scope, claiming)
    try:
        reader.compile_part(name, each)
    except ExpressionError as error:
        return error
    unknown = [named for named in reader.names if scope.kind_of(named) is None]
    return unknown_names_error(unknown, reader.names[unknown[0]], scope) if unknown else None


def _unknown_measure(rnd: Round, _: object) -> object:
    """Raise LookupError for a name that is not a measure.

    A ruleset that was checked by an older version may contain such a name.
    """
    raise LookupError


def _every_player(rnd: Round, _: object) -> list[Owner]:
    """Return all players of the round in order. `each` refers to each of them in turn."""
    return [Owner((seat,)) for seat in rnd.seating.playing()]


def _of_role(role: str, read: Reader) -> Reader:
    """Return a function that reads a measure for the players who have a role."""

    def measure(rnd: Round, _: object) -> object:
        return read(rnd, owner_of_role(rnd, role))

    return measure


def _of_others(read: Reader) -> Reader:
    """Return a function that reads a measure for all players except the subject's own."""

    def measure(rnd: Round, subject: object) -> object:
        own = owner_of(subject)
        side = None if own.side is None else 1 - own.side
        return read(rnd, Owner(tuple(seat for seat in rnd.seats if seat not in own.seats), side))

    return measure


def role_measures(roles: Iterable[str]) -> Iterator[Measure]:
    """Yield a measure for each role, which is true if one of the subject's players has the role."""
    for role in sorted(roles):
        doc = f"whether one of these players is of the role {role}"
        yield Measure(f"{_OWN}{role}", doc, _has_role(role), OWN, TRUTH)


def _has_role(role: str) -> Reader:
    """Return a function that returns whether one of a subject's players has a role."""

    def read(rnd: Round, subject: object) -> bool:
        owner, parties = owner_of(subject), rnd.sides
        if parties is not None and role in parties.names:
            side = parties.names.index(role)
            sides = {owner.side}
            if owner.side is None:
                sides = set(map(parties.side_of, owner.seats))
            if side not in sides and None in sides:
                raise NotYetKnown(tr("it is not known who is {role}", role=role))
            return side in sides
        is_undeclared = bool(rnd.table.contract) and rnd.table.declarer < 0
        if role not in rnd.roles and (rnd.closed or (is_undeclared and role in DECLARED)):
            return False  # no player has the role
        return not set(owner_of_role(rnd, role).seats).isdisjoint(owner.seats)

    return read


def owner_of_role(rnd: Round, role: str) -> Owner:
    """Return the players who have a role in the score rows. The role may also be the name of a
    side.

    Raises NotYetKnown if these players are not known yet.
    """
    parties = rnd.sides
    if parties is not None and role in parties.names:
        side = parties.names.index(role)
        return Owner(parties.members(side), side)
    holder = rnd.roles.get(role)
    if holder is None:
        raise NotYetKnown(tr("it is not known who is {role}", role=role))
    label, seats = holder
    if parties is not None and label in parties.names:
        return Owner(seats, parties.names.index(label))
    return Owner(seats)


def _cards(pack: Pack, patterns: Patterns) -> Reader:
    from scorekeeper.ruleset.orders import bound_names, match_cards

    names = bound_names(patterns)
    known: dict[tuple[str, ...], int] = {}

    def read(rnd: Round, _: object) -> int:
        bound: Mapping[str, str] = rnd.table.bindings if names else {}
        key = tuple([bound.get(name, "") for name in names]) if names else ()
        cards = known.get(key)
        if cards is None:
            cards = known[key] = match_cards(pack, patterns, bound)
        return cards

    return read


def hand_measure(
    name: str,
    doc: str,
    cards: Reader,
    asked: Callable[..., object],
    bounds: Callable[[Round, int, int], tuple[int, int]],
) -> list[Measure]:
    """Return the measures for cards in a hand.

    The first measure is the set of cards, if they are known. The second, which `asked` reads, is a
    function that turns a set of cards into a claim. The claim consists of the seat, the set, and
    how many cards of the set have left the hand. The third is a function that counts the cards of a
    set in the hand. `bounds` returns the minimum and maximum of this count for a seat and a set.
    Reading a measure may raise NotYetKnown.
    """

    def counted(rnd: Round, subject: object) -> Callable[[int], int]:
        def count(kinds: int) -> int:
            number = 0
            for seat in seats_of(subject):
                least, most = bounds(rnd, seat, kinds & rnd.rules.pack.full)
                if least < most:
                    who = rnd.names[seat]
                    raise NotYetKnown(tr("the hand of {name} is not known", name=who))
                number += least
            return number

        return count

    return [
        Measure(name, doc, cards, OWN, HAND),
        Measure(f"{name}()", "", asked, OWN),
        Measure(f"{name}.count()", "", counted, OWN),
    ]


# --- subjects: the owner that `own.…` means, and the trick


class Owner(NamedTuple):
    """A player, or the players of a side.

    `side` is the number of a side that differs from deal to deal (see `Sides`), or None.
    """

    seats: tuple[int, ...]
    side: int | None = None


class TrickFor(NamedTuple):
    """A complete trick from the point of view of a player or a side."""

    trick: Trick
    owner: Owner


class ColumnFor(NamedTuple):
    """A column of a score form, together with the player who fills it in."""

    column: str
    owner: Owner


def owner_of(subject: object) -> Owner:
    """Return the owner that `own` refers to. Raises Impossible if the subject has no owner."""
    if isinstance(subject, Owner):
        return subject
    if isinstance(subject, TrickFor | ColumnFor):
        return subject.owner
    if isinstance(subject, Entry) and subject.seat is not None:
        return Owner((subject.seat,))
    raise Impossible(tr("the entry does not say which player acted"), tr("NAME: what they did"))


def seats_of(subject: object) -> tuple[int, ...]:
    """Return the seats that `own` refers to. Raises Impossible if the subject has no owner."""
    return owner_of(subject).seats


# --- players named by a row: the dealer, the declarer, mates


def seat_of(rnd: Round, who: str) -> int:
    """Return the seat to which a word in `ONE` refers, or -1 if it refers to no seat in the
    round."""
    seat = {MASTER: rnd.table.master, DECLARER: rnd.table.declarer, DEALER: rnd.seating.dealer}[who]
    return seat if seat in rnd.seats else -1


def mates_of(rnd: Round, seat: int) -> tuple[int, ...]:
    """Return the other seats that are known for certain to be on the seat's side."""
    side = rnd.seating.side(seat)
    if rnd.sides is not None:
        own = rnd.sides.side_of(seat)
        side = () if own is None else rnd.sides.members(own)
    return tuple([mate for mate in side if mate != seat and mate in rnd.seats])


def deals_again(rnd: Round) -> bool:
    """Return whether the same player deals the next round. Use this only if `next_dealer` is None.

    `deals_next` decides this if it is set. Otherwise, the same player deals again only after a
    void round, if `after_void` is `same`.
    """
    word: str = rnd.deals_next or (rnd.rules.deal["after_void"] if rnd.void else NEXT)
    return word == SAME


# --- first matching row
#
# These functions report rows that can never be the first match, and cases that no row matches. They
# report only what is certain. Some rows can be ruled out without trying any values. If the numbers
# in the conditions are small, all cases are tried.


UNREADABLE = "0"  # replaces a condition that has an error, which is reported separately
SMALL = frozenset(("1", "2"))  # all cases are tried if conditions contain only these numbers


class FirstMatch(NamedTuple):
    """A row of a decision table. The first row whose condition holds determines the result."""

    name: str
    when: Expression


def unreachable(
    rows: Sequence[FirstMatch], cases: Sequence[Case]
) -> Iterator[tuple[FirstMatch, str]]:
    """Yield each row that can never be the first match, with the reason why it cannot.

    `cases` are combinations of values for some measures.
    """
    if _has_unreadable(rows):
        return
    texts: dict[str, str] = {}
    always = ""
    reached = _deciding_rows(rows, cases)
    for row in rows:
        holds, text = _constant(row.when), " ".join(row.when.text.split())
        if always:
            yield row, f"“{always}”, before it, always holds"
        elif holds is False:
            yield row, "its condition never holds"
        elif text in texts:
            yield row, f"“{texts[text]}”, before it, has the same condition"
        elif reached is not None and row.name not in reached:
            yield row, "wherever its condition holds, a row before it does"
        texts.setdefault(text, row.name)
        always = always or (row.name if holds else "")


def undecided(rows: Sequence[FirstMatch], cases: Sequence[Case]) -> Case | None:
    """Return the first case in which no row's condition can hold, or None."""
    for case in () if _has_unreadable(rows) else cases:
        if all(_holds(row.when, case) is False for row in rows):
            return case
    return None


def cases_of(values: Mapping[str, range]) -> list[Case]:
    """Return all combinations of values for these measures."""
    return [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]


def _has_unreadable(rows: Sequence[FirstMatch]) -> bool:
    return any(row.when.text == UNREADABLE for row in rows)


def _deciding_rows(rows: Sequence[FirstMatch], cases: Sequence[Case]) -> set[str] | None:
    """Return the names of the rows that determine the result in at least one case.

    Return None if the cases do not cover all values.
    """
    measures = set(cases[0]) if cases else set()
    for row in rows:
        if not (measures.issuperset(row.when.names) and _is_simple(row.when.text)):
            return None
    first = (next((row for row in rows if _holds(row.when, case)), None) for case in cases)
    return {row.name for row in first if row is not None}


def _is_simple(text: str) -> bool:
    """Return whether a condition has no division or parentheses, and at most one small number."""
    numbers = "".join(letter if letter.isdigit() else " " for letter in text).split()
    return len(numbers) <= 1 and SMALL.issuperset(numbers) and not set("/%(") & set(text)


def _constant(when: Expression) -> bool | None:
    return None if when.names else _holds(when, {})


def _holds(when: Expression, case: Case) -> bool | None:
    """Return whether a condition holds, or None if it needs other measures or has no value."""
    try:
        return bool(when(case.__getitem__))
    except (KeyError, ExpressionError):
        return None
