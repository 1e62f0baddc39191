"""What the expressions of a ruleset may name: the measures of its phases, and its own names.

Phases give measures of a player or a side (`own.points`); from each come two more without being
listed: that of a role of the score rows (`winners.points`), and that of each player inside
any(…) and its like (`each.points`). `[let]` gives names to patterns of cards, which are measures
too, and to expressions, which are read where they are named.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from scorekeeper.core.expressions.parser import (
    EACH,
    HAND,
    KINDS,
    PLAYERS,
    ExpressionError,
    NotSeen,
    Scope,
    UnknownName,
    is_name,
)
from scorekeeper.core.messages import tr
from scorekeeper.ruleset.phase import OWN, Measure
from scorekeeper.ruleset.subjects import Own, seats_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.joint import Joint
    from scorekeeper.ruleset.orders import Patterns
    from scorekeeper.ruleset.phase import Reader
    from scorekeeper.ruleset.tables import Report

OF_EACH = "each player, inside any(…), total(…) and their like"
_OWN = "own."


class Measures(dict[str, Measure]):
    """The measures of a ruleset by name; those of roles and of each player are made when first
    asked for. `parts` are the named expressions, `sound_parts` those of them that were found to be
    right where another expression names them."""

    def __init__(self, roles: Collection[str]) -> None:
        super().__init__()
        self.roles = roles
        self.parts: dict[str, str] = {}
        self.sound_parts: set[str] = set()
        self.names = self.scope(())  # for texts that were checked before

    def add(self, measures: Iterable[Measure]) -> None:
        """Take measures in; of two of the same name the later holds."""
        for measure in measures:
            self[measure.name] = measure

    def name(self, pack: Pack, named: Row, fault: Report) -> None:
        """Take in the names of [let]: of patterns of cards, and of expressions. A name that a
        measure has already, and a pattern that names no card, is a fault."""
        for name, value in named.items():
            if self.find(name) is not None:
                fault(f"let.{name}", name, "a name of its own", f"let.{name} is a measure already")
            elif isinstance(value, list):
                read = _cards(pack, value)
                self[name] = Measure(name, f"the cards of let.{name}", read, "", KINDS)
            else:
                self.parts[name] = str(value).lower() if isinstance(value, bool) else str(value)

    def __missing__(self, name: str) -> Measure:
        whose, dot, what = name.partition(".")
        own = self.get(_OWN + what) if dot else None
        if own is None or own.about != OWN:
            raise KeyError(name)
        if whose == EACH:
            made = Measure(name, own.doc, own.read, OF_EACH, own.kind)
        elif whose in self.roles:
            made = Measure(name, own.doc, _of_role(whose, own.read), "", own.kind)
        else:
            raise KeyError(name)
        self[name] = made
        return made

    def find(self, name: str) -> Measure | None:
        """The measure of that name, if there is one."""
        try:
            return self[name]
        except KeyError:
            return None

    def about(self, about: Container[str], but: Container[str] = ()) -> list[str]:
        """The names of the measures about one of these subjects or about the round, but for some;
        and the named expressions. Those of a player or a side come first, then the others, in
        alphabetical order."""
        listed = [
            name
            for name, measure in self.items()
            if is_name(name) and (not measure.about or measure.about in about) and name not in but
        ]
        return sorted([*listed, *self.parts], key=lambda name: (not name.startswith(_OWN), name))

    def scope(self, about: Container[str], but: Container[str] = ()) -> Scope:
        """What an expression about these subjects may name."""

        def kind(name: str) -> str | None:
            measure = self.find(name)
            if measure is None or name.endswith(")"):
                return None
            return measure.kind

        roles = (*self.roles, EACH)
        return Scope(kind, lambda: self.about(about, but), self.parts, self._reader, roles)

    def _reader(self, name: str) -> tuple[Reader, bool]:
        """How a measure is read, and whether it speaks of the round alone."""
        if name == PLAYERS:
            return _everyone, True
        measure = self.find(name)
        return (_missing, False) if measure is None else (measure.read, not measure.about)


def report_wrong(
    error: ExpressionError, where: str, text: str, scope: Scope, report: Report
) -> None:
    """Report what is wrong with an expression that stands at `where`; of a named expression in it,
    where that stands."""
    if error.part:
        from scorekeeper.ruleset.tables import join_key

        where, text = join_key(("let", error.part)), scope.parts[error.part]
    if isinstance(error, UnknownName):
        allowed = f"an expression over {', '.join(scope.known())}"
        report(where, text, allowed, f"{where}: {error}")
    elif error.allowed:
        report(where, text, error.allowed, f"{where} has {error.found}")
    else:
        report(where, text, "an expression with a value", f"{where}: {error}")


def report_elsewhere(
    measures: Measures,
    expression: Expression,
    where: str,
    about: Sequence[str],
    but: Sequence[str],
    report: Report,
) -> None:
    """Report what an expression that stands at `where` asks of something else than it is about."""
    from scorekeeper.ruleset.tables import join_key

    for name in expression.names:
        if name not in but and measures[name].about in ("", OF_EACH, *about):
            continue
        what = "what is computed here" if name in but else measures[name].about
        part = expression.part_of(name)
        key = join_key(("let", part)) if part else where
        place = f"in {where}" if part else "here"
        message = f"{key}: “{name}” says something of {what}, which is not at hand {place}"
        report(key, name, f"an expression over {', '.join(expression.scope.known())}", message)


def check_named(measures: Measures, report: Report) -> None:
    """Report named expressions that are wrong wherever they are named: those that no row names are
    checked here alone."""
    from scorekeeper.ruleset.tables import join_key

    scope = measures.scope(())
    for name in measures.parts:
        wrong = None if name in measures.sound_parts else _wrong_anyhow(name, scope)
        if wrong is not None:
            report_wrong(wrong, join_key(("let", name)), measures.parts[name], scope, report)


def _wrong_anyhow(name: str, scope: Scope) -> ExpressionError | None:
    """Return what is wrong with a named expression however it is named, or None."""
    first = None
    for claiming, each in product((False, True), repeat=2):
        wrong = _wrong_with(name, scope, claiming, each)
        if wrong is None:
            return None
        first = first or wrong
    return first


def _wrong_with(name: str, scope: Scope, claiming: bool, each: bool) -> ExpressionError | None:
    """What is wrong with a named expression, asked of a hand or not, of each player or not."""
    from scorekeeper.core.expressions.compiler import Reader
    from scorekeeper.core.expressions.expression import unknown_names

    reader = Reader(scope, claiming)
    try:
        reader.part(name, each)
    except ExpressionError as error:
        return error
    unknown = [named for named in reader.names if scope.kind(named) is None]
    return unknown_names(unknown, reader.names[unknown[0]], scope) if unknown else None


def _missing(rnd: Joint, _: object) -> object:
    """Where a ruleset that an older check has passed names what is no measure."""
    raise LookupError


def _everyone(rnd: Joint, _: object) -> list[Own]:
    """Whom `each` stands for, one after the other."""
    return [Own((seat,)) for seat in rnd.playing()]


def _of_role(role: str, read: Reader) -> Reader:
    """How a measure of a player or a side is read of a role."""

    def measure(rnd: Joint, _: object) -> object:
        return read(rnd, whose_role(rnd, role))

    return measure


def whose_role(rnd: Joint, role: str) -> Own:
    """Who has a role of the score rows, or is on a side that differs from deal to deal. Raises
    NotSeen while nobody is known to be."""
    parties = rnd.parties
    if parties is not None and role in parties.names:
        side = parties.names.index(role)
        return Own(parties.members(side), side)
    found = rnd.roles.get(role)
    if found is None:
        raise NotSeen(tr("nobody is known to be {role}", role=role))
    label, seats = found
    if parties is not None and label in parties.names:
        return Own(seats, parties.names.index(label))
    return Own(seats)


def _cards(pack: Pack, patterns: Patterns) -> Reader:
    from scorekeeper.ruleset.orders import bound_names, kinds_under

    names = bound_names(patterns)
    known: dict[tuple[str, ...], int] = {}

    def read(rnd: Joint, _: object) -> int:
        bound: Mapping[str, str] = rnd.shared.bound if names else {}
        key = tuple([bound.get(name, "") for name in names]) if names else ()
        cards = known.get(key)
        if cards is None:
            cards = known[key] = kinds_under(pack, patterns, bound)
        return cards

    return read


def hand_measure(
    name: str,
    doc: str,
    cards: Reader,
    asked: Callable[..., object],
    bounds: Callable[[Joint, int, int], tuple[int, int]],
) -> list[Measure]:
    """A measure of cards in a hand: the cards themselves where they are known, and (in brackets)
    what a claim about some of them needs (seat, cards, how many of them have left it), and how
    many of some there are, where that is known; `bounds` gives, for a seat and a set of cards, at
    least and at most how many. Both may raise NotSeen."""

    def counted(rnd: Joint, subject: object) -> Callable[[int], int]:
        def count(kinds: int) -> int:
            number = 0
            for seat in seats_of(subject):
                least, most = bounds(rnd, seat, kinds & rnd.rules.pack.full)
                if least < most:
                    who = rnd.names[seat]
                    raise NotSeen(tr("the hand of {name} is not known", name=who))
                number += least
            return number

        return count

    return [
        Measure(name, doc, cards, OWN, HAND),
        Measure(f"{name}()", "", asked, OWN),
        Measure(f"{name}.count()", "", counted, OWN),
    ]
