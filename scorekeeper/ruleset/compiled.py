"""A ruleset ready for use: phases, clauses by verb, score rows, words.

Compiling trusts the data: `schema` has checked it, now or when the match began. With `report`
given, expressions, words and citations are checked too, and what is wrong is reported.
"""

from __future__ import annotations

from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, TypeVar, cast

from scorekeeper.core.cards import Pack
from scorekeeper.core.expressions import NUMBER, Expression, ExpressionError, compile_expression
from scorekeeper.core.messages import language
from scorekeeper.core.rulings import REFUSE, WARN
from scorekeeper.core.text import visible
from scorekeeper.ruleset import tables, turned_off
from scorekeeper.ruleset.amounts import dice_each
from scorekeeper.ruleset.measures import Measures, report_elsewhere, report_wrong
from scorekeeper.ruleset.numbers import Numbers
from scorekeeper.ruleset.phase import ACTOR, OWN, Phase
from scorekeeper.ruleset.rows import Clause, ScoreRow
from scorekeeper.ruleset.scores import EACH, SIDES, ScoreTable
from scorekeeper.ruleset.tables import complete
from scorekeeper.ruleset.vocabulary import clause_words, phase_named, phase_rows
from scorekeeper.ruleset.wording import lexicon_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Row
    from scorekeeper.notation import Entry
    from scorekeeper.notation.entry import Verb
    from scorekeeper.ruleset.joint import Named
    from scorekeeper.ruleset.orders import Orders
    from scorekeeper.ruleset.reports import History, SheetRows
    from scorekeeper.ruleset.tables import Parameter, Report
    from scorekeeper.ruleset.vocabulary import AnyPhase

P = TypeVar("P", bound="Named")


class Ruleset:
    """One ruleset, compiled and never changed.

    `course` are the phases that follow one another, `beside` those that run beside them;
    `clauses_of` and `phase_of` go by verb, `off` are turned off; a match pins `text` and `sha256`.

    >>> from scorekeeper import load_ruleset
    >>> ruleset = load_ruleset("perudo")
    >>> ruleset.name, list(ruleset.phases)
    ('perudo', ['table', 'remedies', 'choice', 'bids', 'reveal'])
    """

    def __init__(
        self,
        data: Row,
        text: str = "",
        sha256: str = "",
        report: Report | None = None,
    ) -> None:
        self.data = data
        self.text = text
        self.sha256 = sha256
        self._report = report
        self._sections: dict[str, Mapping[str, Row]] = {}
        self._tables: dict[str, Row] = {}
        self._dealt: dict[int, int] = {}
        self.name: str = data["name"]
        self.title: str = data["title"]
        self.rules_text: str = data["rules"]
        for section, takes in tables.TABLES.items():
            setattr(self, section, complete(data.get(section, {}), takes))
        self.pack = self._pack()
        self.off = turned_off.words(data)
        self._phases()
        self.off &= {verb.word for phase in self.phases.values() for verb in phase.verbs}
        self.numbers = Numbers(self.tally, self.match, self.deal, self.dice, report)
        self.dice_each = dice_each(self, self.dice)
        phases = self.phases.values()
        self.lexicon = lexicon_of(data, self.pack, self.verbs, self.off, phases, self.fault)
        self.clauses_of: dict[str, tuple[Clause, ...]] = {}
        self.clauses: dict[str, Clause] = {}
        self._clauses()
        for phase in phases:
            phase.link()
        told = [p for p in phases if type(p).after_trick is not Phase.after_trick]
        told.sort(key=lambda p: bool(p.verbs))  # who only looks is told first
        self.watching_tricks = [phase for phase in told if phase.watches_tricks]
        self.watching_entries = [p for p in phases if p.watches]
        self.outlasting = [p for p in phases if type(p).watches]  # facts of the start
        self.watching_sides = [p for p in phases if type(p).sides_proven is not Phase.sides_proven]
        self.closing = [p for p in phases if type(p).closed is not Phase.closed]
        self.counting_points = [p for p in phases if type(p).points_of is not Phase.points_of]
        form = self.concluding.result_form()
        self.lexicon.unplayed = {word: form for p in phases for word in p.unplayed if form}
        self.lexicon.name_keys = frozenset(key for phase in phases for key in phase.result_names())
        self.lexicon.shorts = tuple(dict.fromkeys(v for phase in phases for v in phase.shorts))
        self.scores = [self._score(name, row) for name, row in self.rows("scores", tables.SCORE)]
        self.ends = self.expression(self.match["ends"], "match.ends")
        self._sheets: dict[str, SheetRows] = {}

    def __repr__(self) -> str:
        return f"<Ruleset {visible(self.name)}: {visible(self.title)}>"

    @property
    def sheet(self) -> SheetRows:
        """What the sheet and the statistics hold, in the language that is spoken."""
        code = language()
        if code not in self._sheets:
            from scorekeeper.ruleset.reports import compiled

            self._sheets[code] = compiled(self.data, self.off, self.said)
        return self._sheets[code]

    @cached_property
    def history(self) -> History:
        """Who wins a round, and what a match comes to that nobody ended."""
        from scorekeeper.ruleset.reports import history_of

        return history_of(self.data, self.match)

    @cached_property
    def score_table(self) -> ScoreTable:
        """The numbers of the score rows."""
        return ScoreTable(self.scores)

    players: Row
    deal: Row
    dice: Row
    sides: Row
    tally: Row
    match: Row

    def _pack(self) -> Pack:
        row = self.data.get("pack")
        if row is None:
            return Pack((), 1)
        full = complete(row, tables.PACK)
        return Pack.make(
            full["ranks"].split(), full["suits"].split(), full["jokers"], full["copies"]
        )

    def _phases(self) -> None:
        self.phases: dict[str, AnyPhase] = {}
        self.phase_of: dict[str, AnyPhase] = {}
        self.verbs: dict[str, Verb] = {}
        self.every_verb: dict[str, Verb] = {}
        rows = phase_rows(self.data)
        for name, row in rows.items():
            cls = phase_named(name)
            assert cls is not None, name
            full = complete(row, {**tables.PHASE, **cls.parameters})
            phase = cls(self, full)
            self.phases[name] = phase
            for verb in phase.verbs:
                self.every_verb[verb.word], self.phase_of[verb.word] = verb, phase
                if verb.word in self.off:
                    continue
                if verb.word in self.verbs:
                    say = f"two phases of this ruleset have the verb “{verb.word}”"
                    self.fault(f"phases.{name}", verb.word, "one phase for a verb", say)
                self.verbs[verb.word] = verb
        self.beside = [phase for phase in self.phases.values() if phase.beside]
        self.course = [phase for phase in self.phases.values() if not phase.beside]
        in_order = (*self.beside, *self.course)
        self.ending = [phase for phase in in_order if type(phase).close is not Phase.close]
        # The last phase that knows what a result is; the last of all, if none does.
        knows = [p for p in self.phases.values() if type(p).conclude is not Phase.conclude]
        self.concluding: AnyPhase = knows[-1] if knows else list(self.phases.values())[-1]
        self.measures = Measures({role for p in self.phases.values() for role in p.role_names()})
        for phase in self.phases.values():
            self.measures.add(phase.named_measures())
        self.measures.name(self.pack, self.data.get("let", {}), self.fault)

    def fault(self, key: str, found: str, allowed: str, message: str) -> None:
        """Report what is wrong with the ruleset, if this is a check."""
        if self._report is not None:
            self._report(key, found, allowed, message)

    # --- what a phase asks for

    def phase(self, kind: type[P]) -> P:
        """The phase of that class. Raises KeyError where the ruleset lists none."""
        return cast("P", self.phases[kind.name])

    def has(self, section: str) -> bool:
        """Whether the ruleset has that top-level table."""
        return section in self.data

    def table(self, name: str) -> Row:
        """A top-level table that some phase owns, completed with its defaults."""
        if name not in self._tables:
            takes = next((p.sections[name] for p in self._classes() if name in p.sections), {})
            self._tables[name] = complete(self.data.get(name, {}), takes)
        return self._tables[name]

    def section(self, name: str) -> Mapping[str, Row]:
        """The named rows of such a table."""
        if name not in self._sections:
            takes = next((p.sections[name] for p in self._classes() if name in p.sections), None)
            rows = self.data.get(name, {}) if takes is not None else {}
            full = {key: complete(row, takes or {}) for key, row in rows.items()}
            self._sections[name] = turned_off.played(full, takes or {}, self.off)
        return self._sections[name]

    def _classes(self) -> Iterator[type[AnyPhase]]:
        """The classes of the phases that the ruleset lists."""
        for name in phase_rows(self.data):
            cls = phase_named(name)
            if cls is not None:
                yield cls

    @cached_property
    def orders(self) -> Orders:
        """The [orders], each compiled once for each binding of its names."""
        from scorekeeper.ruleset.orders import Orders  # dice have none

        return Orders(self.pack, self.section("orders"))

    def spoken(self, word: str) -> str:
        """What one of the program's words, or a row's name, is called in this game."""
        return self.lexicon.told(word)

    def said(self, text: str) -> str:
        """A text of the ruleset, a sentence, a label or a name, in the language that is spoken."""
        return self.lexicon.said(text)

    def card_points(self) -> Sequence[int]:
        """The points of each kind of card; empty where cards have none."""
        found = (phase.card_points() for phase in self.phases.values())
        return next((points for points in found if points), ())

    def labels_for(self, role: str) -> list[str]:
        """What the score rows for a role are called."""
        return [row.label for row in self.scores if row.to == role]

    def in_scores(self, measures: Iterable[str], roles: Iterable[str]) -> bool:
        """Whether a score row for one of these roles names one of these measures."""
        return any(row.to in roles and row.names.intersection(measures) for row in self.scores)

    def clause_names(self, verb: str) -> list[str]:
        """The clause words that judge a verb."""
        return [clause.word.name for clause in self.clauses_of.get(verb, ())]

    def clause_rows(self, verb: str, word: str) -> list[Row]:
        """The rows of that clause word that judge a verb."""
        clauses = self.clauses_of.get(verb, ())
        return [clause.row for clause in clauses if clause.word.name == word]

    def from_hand(self, entry: Entry) -> Sequence[tuple[int, tuple[int, ...]]]:
        """The cards that an entry takes out of hands: pairs of a seat and kinds."""
        return self.phase_of[entry.verb.word].from_hand(entry)

    def expression(
        self,
        text: object,
        where: str,
        about: Sequence[str] = (),
        but: Sequence[str] = (),
        whole: bool = False,
        kind: str = NUMBER,
        asks: bool = False,
    ) -> Expression:
        """Compile an expression. It may name the measures of the round and those `about` one of
        these subjects, but not the measures in `but`, which are computed from it. `whole`: it must
        come to a whole number; `kind`: of what kind the value must be; `asks`: it may ask about
        a hand that nobody sees. `where` is its place in the ruleset, for messages."""
        said = str(text).lower() if isinstance(text, bool) else str(text)
        if self._report is None:
            return Expression.trusted(said, self.measures.names)
        scope = self.measures.scope(about, but)
        try:
            expression = compile_expression(said, scope, kind=kind, asks=asks)
        except ExpressionError as error:
            report_wrong(error, where, said, scope, self._report)
            return Expression.trusted("0")
        self.measures.sound_parts |= expression.parts
        report_elsewhere(self.measures, expression, where, about, but, self._report)
        if not expression.names:
            try:
                expression(dict[str, float]().__getitem__)
            except ExpressionError as error:
                self._report(where, said, "an expression with a value", f"{where}: {error}")
        if whole and not expression.whole:
            message = f"{where} may come to a fraction"
            self._report(where, said, "whole numbers: with //, ceil(…) or floor(…)", message)
        return expression

    def measures_about(self, about: Sequence[str]) -> list[str]:
        """The measures that may be asked of what an expression is about, and of the round."""
        return self.measures.about(about)

    def rows(self, section: str, takes: Mapping[str, Parameter]) -> Iterator[tuple[str, Row]]:
        """The named rows of a table, completed with their defaults."""
        for name, row in self.data.get(section, {}).items():
            yield name, complete(row, takes)

    # --- clauses

    def _clauses(self) -> None:
        words = clause_words(tuple(self.phases))
        by_verb: dict[str, list[Clause]] = {}
        mild = self.data.get("severity") == "club"
        for name, row in self.data.get("clauses", {}).items():
            word = words.get(row.get("word", name))
            if word is None:
                continue
            full = dict(complete(row, {**tables.CLAUSE, **word.parameters}))
            if mild and full["severity"] == REFUSE and not word.firm:
                full["severity"] = WARN
            full["path"] = f"clauses.{name}"
            on = full["on"] or [verb for verb in word.on if verb in self.verbs] or word.on
            verbs = [verb for verb in on if verb not in self.off]
            if not verbs:
                continue
            full["about"] = self._about(verbs)
            phase = full["phase"] or word.phase
            clause = Clause(name, phase, word, full, word.build(full, self), self.said)
            self.clauses[name] = clause
            for verb in verbs:
                if verb not in self.verbs:
                    where, known = f"clauses.{name}.on", ", ".join(self.verbs)
                    self.fault(where, verb, known, f"{where} names no verb: “{verb}”")
                by_verb.setdefault(verb, []).append(clause)
        self.clauses_of = {verb: tuple(clauses) for verb, clauses in by_verb.items()}

    def _about(self, verbs: Sequence[str]) -> list[str]:
        """What the measures of a clause may be about: what all its verbs have."""
        known = [self.verbs[verb] for verb in verbs if verb in self.verbs]
        if len(known) < len(verbs):  # which is told
            return [measure.about for measure in self.measures.values()]
        shared = [ACTOR, OWN] if not any(verb.table for verb in known) else []
        return shared + sorted({v.about for v in known if all(w.about == v.about for w in known)})

    def _score(self, name: str, row: Row) -> ScoreRow:
        path = f"scores.{name}"
        roles = {role for phase in self.phases.values() for role in phase.role_names()}
        for key, known in (("for", roles | {EACH, SIDES}), ("against", roles)):
            if row[key] and row[key] not in known:
                allowed = ", ".join(sorted(known))
                self.fault(f"{path}.{key}", row[key], allowed, f"{path}.{key} names no role")
        points, factor = (
            self.expression(row[key], f"{path}.{key}", (OWN,), whole=True)
            if row[key] != ""
            else None
            for key in ("points", "factor")
        )
        found = ScoreRow(
            name, row, points, factor, self.expression(row["when"], f"{path}.when", (OWN,))
        )
        if not found.sound:
            message = f"{path} needs either points or a factor"
            self.fault(path, "both or none", "points = … or factor = …", message)
        return found

    # --- seats

    def seating(self, count: int, dealer: int) -> list[int]:
        """The seats that take part in a round, in the order of the names."""
        steps = self.deal["sits_out"].get(str(count), ())
        if not steps:
            return list(range(count))
        out = {(dealer + step) % count for step in steps}
        return [seat for seat in range(count) if seat not in out]

    def deal_size(self, seats: int) -> int:
        """How many cards each of so many players is dealt."""
        found = self._dealt.get(seats)
        if found is None:
            kitty = self.kitty_size(seats)
            found = (self.pack.total - kitty) // seats if kitty else self.numbers.cards(seats)
            self._dealt[seats] = found
        return found

    def kitty_size(self, seats: int) -> int:
        """How many cards are left over when so many players have drawn theirs."""
        return self.numbers.kitty(seats)

    def side_of(self, seat: int, count: int) -> tuple[int, ...]:
        """The seats on that seat's side, among so many players; that seat alone without sides."""
        number: int = self.sides["number"]
        return tuple(range(seat % number, count, number)) if number else (seat,)

    def side_size(self, seats: int) -> int:
        """How many of so many players a side has; one, where there are no sides."""
        return seats // int(self.sides["number"] or seats)

    @cached_property
    def out_at(self) -> float:
        """The tally at which, and below which, a player is out of the match; no tally is, where
        nobody ever is out."""
        return int(self.tally["least"]) if self.tally["out"] else -inf

    def is_out(self, tally: int) -> bool:
        """Whether a player with that tally is out of the match."""
        return tally <= self.out_at
