"""The compiled ruleset with its phases, clauses, score rows, words and numbers.

Compilation trusts the data, because the schema has checked it now or when the match began. If
`report` is given, expressions, words and citations are checked too. `pinned` compiles the text
stored in a match, without the original files.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from itertools import product
from math import inf
from typing import TYPE_CHECKING, TypeVar, cast

from scorekeeper.core import untrusted
from scorekeeper.core.cards import Pack
from scorekeeper.core.errors import Damaged
from scorekeeper.core.expressions import (
    NUMBER,
    TRUTH,
    Expression,
    ExpressionError,
    compile_expression,
)
from scorekeeper.core.messages import current_language, tr
from scorekeeper.core.rulings import REFUSE, WARN
from scorekeeper.core.text import escape_controls, quote
from scorekeeper.engine.lexicon import lexicon_of
from scorekeeper.engine.measures import (
    Measures,
    report_wrong,
    report_wrong_subject,
    role_measures,
)
from scorekeeper.engine.phase import (
    ACTOR,
    OWN,
    TRICK,
    CallRules,
    CardPlay,
    KittyRules,
    Law,
    MatchCounters,
    Phase,
    ResultPart,
    SideRules,
)
from scorekeeper.engine.rows import ALL, EACH, SIDES, Clause, ScoreRow, ScoreTable, judge_if
from scorekeeper.ruleset import tables
from scorekeeper.ruleset.orders import bound_names, fill_pattern, match_kinds
from scorekeeper.ruleset.sources import rules_sha256, sha256, unpin
from scorekeeper.ruleset.tables import SAME, with_defaults
from scorekeeper.ruleset.vocabulary import clause_words, find_phase, phase_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.expressions import Scope
    from scorekeeper.core.types import Json, Row
    from scorekeeper.engine.figures import Ranking
    from scorekeeper.engine.phase import AnyPhase, Phase
    from scorekeeper.engine.round import Round
    from scorekeeper.notation import Entry
    from scorekeeper.notation.entry import EntryType
    from scorekeeper.ruleset.orders import Orders
    from scorekeeper.ruleset.reports import HistoryRules, ReportRows
    from scorekeeper.ruleset.tables import Parameter, Report

    Typed = tuple[str, str, str]  # a word, its meaning, and the place where it is defined

K = TypeVar("K")
V = TypeVar("V")
MAX_CACHED = 50
# Rulesets compiled in this process, by text and SHA-256 hash, with their parsed data. They are
# immutable.
_pinned: dict[tuple[str, str], tuple[Row | None, Ruleset]] = {}

P = TypeVar("P", bound="AnyPhase")

VERBS = "verbs"  # the table of disabled verbs
PLAYERS = "players"
TALLY = "own.tally"
OWN_PREFIX = "own."
# Measures that are known before a round. Counters are not listed, but are known then too.
BEFORE_ROUND = (
    *(PLAYERS, "players.left", "rounds", "tally.most", "tally.limit", "levelled"),
    *(TALLY, "own.dealer", "own.place", "own.seat"),
)
DICE_ON_TABLE = "dice"  # the measure that counts all dice on the table


def _compile(source: str, scope: Scope, kind: str, *, asks: bool) -> Expression:
    """Compile an expression. If `asks` is true, let it ask about an unseen hand if possible.

    Raises ExpressionError if the expression cannot be compiled.
    """
    if not asks:
        return compile_expression(source, scope, kind=kind)
    try:
        return compile_expression(source, scope, kind=kind, may_ask_hand=True)
    except ExpressionError:
        with suppress(ExpressionError):
            return compile_expression(source, scope, kind=kind)
        raise


class Ruleset:
    """A compiled, immutable ruleset.

    `sequence` are the phases that follow one another, and `concurrent` are the phases that run
    during the whole round. `clauses_of` and `phase_of` are keyed by verb. `disabled_verbs` are the
    verbs that are turned off. A match pins the ruleset by storing its `text` and `sha256`.

    >>> from scorekeeper import load_ruleset
    >>> ruleset = load_ruleset("perudo")
    >>> ruleset.name, list(ruleset.phases)
    ('perudo', ['table', 'remedies', 'choice', 'bids', 'reveal'])
    """

    def __init__(
        self,
        data: Row,
        text: str = "",
        text_sha256: str = "",
        report: Report | None = None,
    ) -> None:
        self.data = data
        self.text = text
        self.text_sha256 = text_sha256
        self._report = report
        self._sections: dict[str, Mapping[str, Row]] = {}
        self._tables: dict[str, Row] = {}
        self._dealt: dict[int, int] = {}
        self.name: str = data["name"]
        self.title: str = data["title"]
        self.rules_text: str = data["rules"]
        for section, takes in tables.TABLES.items():
            setattr(self, section, with_defaults(data.get(section, {}), takes))
        self.pack = self._pack()
        self.disabled_verbs = find_disabled_verbs(data)
        self._phases()
        self.disabled_verbs &= {
            verb.word for phase in self.phases.values() for verb in phase.entry_types
        }
        self.numbers = TableNumbers(self)
        self.dice_per_player = dice_per_player(self, self.dice)
        phases = self.phases.values()
        self.lexicon = lexicon_of(
            data, self.pack, self.entry_types, self.disabled_verbs, phases, self.fault
        )
        self.clauses_of: dict[str, tuple[Clause, ...]] = {}
        self.clauses: dict[str, Clause] = {}
        self._clauses()
        for phase in phases:
            phase.link()
        for phase in self.sequence:
            if phase.row["ends"] not in ("false", False):
                where = f"phases.{phase.name}.ends"
                phase.end_condition = self.compile_expression(phase.row["ends"], where)
        watchers = [p for p in phases if type(p).after_trick is not Phase.after_trick]
        watchers.sort(key=lambda p: bool(p.entry_types))  # phases without entries come first
        self.watching_tricks = [phase for phase in watchers if phase.watches_tricks]
        self.watching_law = self.law if self.law is not None and self.law.watches_entries else None
        form = "" if self.concluding is None else self.concluding.result_form()
        self.lexicon.early_ends = {
            word: form for p in phases for word in p.disabled_endings if form
        }
        self.lexicon.name_keys = frozenset(k for p in self.result_parts for k in p.result_names())
        self.lexicon.shorthand = tuple(
            dict.fromkeys(v for phase in phases for v in phase.shorthands)
        )
        self.scores = [self._score(name, row) for name, row in self.rows("scores", tables.SCORE)]
        self.ends = self.compile_expression(self.match["ends"], "match.ends")
        self.prefers = self._compile_preference()
        self._sheets: dict[str, ReportRows] = {}

    def _compile_preference(self) -> Expression | None:
        text = self.match["prefers"]
        return self.compile_expression(text, "match.prefers", (OWN,)) if text else None

    def __repr__(self) -> str:
        return f"<Ruleset {escape_controls(self.name)}: {escape_controls(self.title)}>"

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 hash of the rules, by which matches are compared. It does not depend on the
        sheet and the languages.

        Raises Damaged if the pinned text has changed since it was stored.
        """
        if sha256(self.text) != self.text_sha256:
            raise Damaged(tr("the ruleset of this match does not match its SHA-256 hash"))
        return rules_sha256(current_form(unpin(self.text)))

    @property
    def game(self) -> str:
        """The game's name. Rulesets with the same rule text are the same game.

        If the text fits any game, the ruleset's name is used.
        """
        is_any = any(phase.is_any_game for phase in self.phases.values())
        return self.name if is_any else self.rules_text

    @property
    def sheet(self) -> ReportRows:
        """The rows for sheets and statistics, in the current language."""
        code = current_language()
        if code not in self._sheets:
            from scorekeeper.ruleset.reports import compile_reports

            self._sheets[code] = compile_reports(self.data, self.disabled_verbs, self.translate)
        return self._sheets[code]

    @cached_property
    def history(self) -> HistoryRules:
        """The rules for who wins a round, and for the result of an unfinished match."""
        from scorekeeper.ruleset.reports import compile_history

        return compile_history(self.data, self.match)

    @cached_property
    def ranking(self) -> Ranking:
        """The figures by which players are ranked over several matches."""
        from scorekeeper.engine.figures import compile_ranking

        roles = {role for phase in self.phases.values() for role in phase.roles}
        return compile_ranking(self, self.data, roles)

    @cached_property
    def score_table(self) -> ScoreTable:
        """The score rows, prepared for evaluating all of them together."""
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
        full = with_defaults(row, tables.PACK)
        pack = Pack.make(
            full["ranks"].split(), tables.suits_of(full), full["jokers"], full["copies"]
        )
        removed = set[int]()
        for pattern in full["without"]:
            try:
                removed.update(match_kinds(pack, pattern))
            except ValueError as error:
                self.fault("pack.without", pattern, "patterns of cards", f"pack.without: {error}")
        if removed and len(removed) == pack.kind_count:
            self.fault("pack.without", "every card", "some cards", "pack.without: no card is left")
            return pack
        return pack.without(removed) if removed else pack

    def _phases(self) -> None:
        self.phases: dict[str, AnyPhase] = {}
        self.phase_of: dict[str, AnyPhase] = {}
        self.entry_types: dict[str, EntryType] = {}
        self.all_verbs: dict[str, EntryType] = {}
        rows = phase_rows(self.data)
        for name, row in rows.items():
            cls = _class_of(name, row)
            assert cls is not None, name
            takes = tables.phase_parameters(cls.parameters, cls.concurrent)
            full = with_defaults(row, takes)
            phase = cls(self, full)
            self.phases[name] = phase
            for verb in phase.entry_types:
                self.all_verbs[verb.word], self.phase_of[verb.word] = verb, phase
                if verb.word in self.disabled_verbs:
                    continue
                if verb.word in self.entry_types:
                    say = f"two phases of this ruleset have the verb “{verb.word}”"
                    self.fault(f"phases.{name}", verb.word, "one phase for a verb", say)
                self.entry_types[verb.word] = verb
        self.concurrent = [phase for phase in self.phases.values() if phase.concurrent]
        self.sequence = [phase for phase in self.phases.values() if not phase.concurrent]
        self._roles()
        in_order = (*self.concurrent, *self.sequence)
        self.ending = [phase for phase in in_order if type(phase).close is not Phase.close]
        self.values_at: dict[str, list[tuple[str, Expression]]] = {}  # filled by the phase `table`
        self.measures = Measures({role for p in self.phases.values() for role in p.roles})
        for phase in self.phases.values():
            self.measures.add(phase.named_measures(), self._two_meanings)
        named = (m for m in role_measures(self.measures.roles) if m.name not in self.measures)
        self.measures.add(list(named), self._two_meanings)
        self.measures.add_names(self.pack, self.data.get("let", {}), self.fault)

    def _two_meanings(self, name: str, meanings: str) -> None:
        """Report a name that has two meanings in expressions."""
        what = name.rpartition(".")[2]
        owned = [table for phase in self.phases.values() for table in phase.row_tables]
        rows = (f"{table}.{what}" for table in owned if what in self.data.get(table, {}))
        where = next(rows, "phases")
        message = f"{where}: “{name}” has two meanings here: {meanings}"
        self.fault(where, name, "a name that no other measure has", message)

    def _roles(self) -> None:
        """Find the phase for each role. Every role except `ResultPart` belongs to at most one
        phase."""
        self.card_play: CardPlay | None = None
        self.side_rules: SideRules | None = None
        self.kitty_rules: KittyRules | None = None
        self.call_rules: CallRules | None = None
        self.counters: MatchCounters | None = None
        self.law: Law | None = None
        self.result_parts: list[ResultPart] = []
        for phase in self.phases.values():
            if isinstance(phase, CardPlay):
                self.card_play = phase
            elif isinstance(phase, SideRules):
                self.side_rules = phase
            elif isinstance(phase, KittyRules):
                self.kitty_rules = phase
            elif isinstance(phase, CallRules):
                self.call_rules = phase
            elif isinstance(phase, MatchCounters):
                self.counters = phase
            elif isinstance(phase, Law):
                self.law = phase
            if isinstance(phase, ResultPart):
                self.result_parts.append(phase)
        ending = [part for part in self.result_parts if part.concludes]
        self.concluding = ending[-1] if ending else None

    def fault(self, key: str, found: str, allowed: str, message: str) -> None:
        """Report a fault in the ruleset, if it is being checked."""
        if self._report is not None:
            self._report(key, found, allowed, message)

    # --- for phases

    def phase(self, kind: type[P]) -> P:
        """Return the phase of that class. Raises KeyError if the ruleset does not list it."""
        return cast("P", self.phases[kind.name])

    def has(self, section: str) -> bool:
        """Return whether the ruleset has that top-level table."""
        return section in self.data

    def table(self, name: str) -> Row:
        """Return a top-level table that a phase owns, with defaults filled in."""
        if name not in self._tables:
            takes = next((p.row_tables[name] for p in self._classes() if name in p.row_tables), {})
            self._tables[name] = with_defaults(self.data.get(name, {}), takes)
        return self._tables[name]

    def section(self, name: str) -> Mapping[str, Row]:
        """Return the named rows of a top-level table that a phase owns, with defaults filled in."""
        if name not in self._sections:
            takes = next(
                (p.row_tables[name] for p in self._classes() if name in p.row_tables), None
            )
            rows = self.data.get(name, {}) if takes is not None else {}
            full = {key: with_defaults(row, takes or {}) for key, row in rows.items()}
            self._sections[name] = enabled_rows(full, takes or {}, self.disabled_verbs)
        return self._sections[name]

    def _classes(self) -> Iterator[type[AnyPhase]]:
        """Yield the classes of the phases that the ruleset lists."""
        for name, row in phase_rows(self.data).items():
            cls = _class_of(name, row)
            if cls is not None:
                yield cls

    @cached_property
    def orders(self) -> Orders:
        """The card orders in [orders], each compiled once for each set of bindings."""
        from scorekeeper.ruleset.orders import Orders  # not needed in games with dice

        return Orders(self.pack, self.section("orders"))

    def translate_word(self, word: str) -> str:
        """Return this game's word for a canonical word or for the name of a row."""
        return self.lexicon.translate_word(word)

    def translate(self, text: str) -> str:
        """Return one of the ruleset's texts (a sentence, label or name) in the current language."""
        return self.lexicon.translate(text)

    def card_points(self) -> Sequence[float]:
        """Return the points for each card kind. The result is empty if cards have no points."""
        return () if self.card_play is None else self.card_play.card_points()

    def labels_for(self, role: str) -> list[str]:
        """Return the labels of the score rows that are for a role."""
        return [row.label for row in self.scores if row.to == role]

    def in_scores(self, measures: Iterable[str], roles: Iterable[str]) -> bool:
        """Return whether a score row for one of these roles uses one of these measures."""
        return any(row.to in roles and row.names.intersection(measures) for row in self.scores)

    def clause_names(self, verb: str) -> list[str]:
        """Return the words of all clauses that judge a verb."""
        return [clause.word.name for clause in self.clauses_of.get(verb, ())]

    def clause_rows(self, verb: str, word: str) -> list[Row]:
        """Return the rows of the clauses with this clause word that judge a verb."""
        clauses = self.clauses_of.get(verb, ())
        return [clause.row for clause in clauses if clause.word.name == word]

    def hand_cards(self, entry: Entry) -> Sequence[tuple[int, tuple[int, ...]]]:
        """Return the cards that an entry removes from hands, as pairs of a seat and the cards'
        kinds."""
        return self.phase_of[entry.type.word].hand_cards(entry)

    def compile_expression(
        self,
        text: object,
        where: str,
        about: Sequence[str] = (),
        but: Sequence[str] = (),
        whole: bool = False,
        kind: str = "",
        asks: bool = False,
    ) -> Expression:
        """Compile an expression.

        It can use the measures of the round and of the subjects in `about`. It cannot use the
        measures in `but`, because they are computed from this expression. If `whole` is true, its
        value must be an integer. `kind` is the required kind of value; without it, the expression
        is a condition, or a number if `whole` is true. If `asks` is true, it can ask about an
        unseen hand, unless it calculates with the number of cards. `where` is its place in the
        ruleset, for messages.
        """
        source = str(text).lower() if isinstance(text, bool) else str(text)
        if self._report is None:
            return Expression(source, self.measures.names)
        scope = self.measures.scope(about, but, checking=True)
        wanted = kind or (NUMBER if whole else TRUTH)
        try:
            expression = _compile(source, scope, wanted, asks=asks)
        except ExpressionError as error:
            report_wrong(error, where, source, scope, self._report)
            return Expression("0")
        self.measures.sound_parts |= expression.parts
        report_wrong_subject(self.measures, expression, where, about, but, self._report)
        if not expression.names:
            try:
                expression(dict[str, float]().__getitem__)
            except ExpressionError as error:
                self._report(where, source, "an expression with a value", f"{where}: {error}")
        if whole and not expression.is_whole(self._may_be_half):
            message = f"the value of {where} may be a fraction"
            self._report(where, source, "whole numbers: with //, ceil(…) or floor(…)", message)
        return expression

    @cached_property
    def has_halves(self) -> bool:
        """True if some cards are worth half points."""
        rows = [self.data.get("phases", {}).get("tricks"), *self.section("orders").values()]
        tables = [row.get("points", {}) for row in rows if isinstance(row, dict)]
        return any(type(points) is float for table in tables for points in table.values())

    def _may_be_half(self, name: str) -> bool:
        of_cards = name.endswith(".points") and not name.startswith(("contract.", "bid."))
        return self.has_halves and (of_cards or name == "worth()")

    def known_before_round(self) -> list[str]:
        """Return the measures that are known before a round."""
        counters = self.data.get("counters", {}).items()
        of_match = [name for name, row in counters if row.get("for", "match") == "match"]
        owned = [f"{OWN_PREFIX}{name}" for name, _ in counters if name not in of_match]
        return [*BEFORE_ROUND, *of_match, *owned]

    def measures_about(self, about: Sequence[str]) -> list[str]:
        """Return the measures that an expression about these subjects can use."""
        return self.measures.names_about(about)

    def rows(self, section: str, takes: Mapping[str, Parameter]) -> Iterator[tuple[str, Row]]:
        """Yield the named rows of a table, with defaults filled in."""
        for name, row in self.data.get(section, {}).items():
            yield name, with_defaults(row, takes)

    # --- clauses

    def _clauses(self) -> None:
        words = clause_words(self.phases.values())
        by_verb: dict[str, list[Clause]] = {}
        mild = self.data.get("severity") == "club"
        for name, row in self.data.get("clauses", {}).items():
            word = words.get(row.get("word", name))
            if word is None:
                continue
            full = dict(with_defaults(row, {**tables.CLAUSE, **word.parameters}))
            if mild and full["severity"] == REFUSE and not word.fixed_severity:
                full["severity"] = WARN
            full["path"] = f"clauses.{name}"
            on = full["on"] or [verb for verb in word.on if verb in self.entry_types] or word.on
            verbs = [verb for verb in on if verb not in self.disabled_verbs]
            if not verbs:
                continue
            full["about"] = self._subjects_of(verbs)
            phase = full["phase"] or word.phase
            judge = word.build(full, self)
            if "when" not in word.parameters and full["when"] not in ("true", True):
                where = f"clauses.{name}.when"
                judge = judge_if(self.compile_expression(full["when"], where, full["about"]), judge)
            clause = Clause(name, phase, word, full, judge, self.translate)
            self.clauses[name] = clause
            for verb in verbs:
                if verb not in self.entry_types:
                    where, known = f"clauses.{name}.on", ", ".join(self.entry_types)
                    self.fault(where, verb, known, f"{where}: “{verb}” is not a verb")
                by_verb.setdefault(verb, []).append(clause)
        self.clauses_of = {verb: tuple(clauses) for verb, clauses in by_verb.items()}

    def _subjects_of(self, verbs: Sequence[str]) -> list[str]:
        """Return the subjects that measures in a clause for these verbs can have.

        A subject is possible only if it applies to every verb.
        """
        known = [self.entry_types[verb] for verb in verbs if verb in self.entry_types]
        if len(known) < len(verbs):  # an unknown verb, which is reported as a fault
            return [measure.about for measure in self.measures.values()]
        shared = {ACTOR, OWN} if not any(verb.is_table_entry for verb in known) else set()
        if shared and self.card_play is not None:
            phases: list[object] = [self.phase_of[verb] for verb in verbs]
            during = all(each in (self.card_play, *self.concurrent) for each in phases)
            shared |= {TRICK} if during else set()
        same = {v.measured_as for v in known if all(w.measured_as == v.measured_as for w in known)}
        return sorted(shared | same)

    def _score(self, name: str, row: Row) -> ScoreRow:
        path = f"scores.{name}"
        roles = {role for phase in self.phases.values() for role in phase.roles}
        for key, known in (("for", roles | {EACH, ALL, SIDES}), ("against", roles)):
            if row[key] and row[key] not in known:
                allowed = ", ".join(sorted(known))
                self.fault(f"{path}.{key}", row[key], allowed, f"{path}.{key} is not a role")
        points, factor = (
            self.compile_expression(row[key], f"{path}.{key}", (OWN,), whole=True)
            if row[key] != ""
            else None
            for key in ("points", "factor")
        )
        score_row = ScoreRow(
            name, row, points, factor, self.compile_expression(row["when"], f"{path}.when", (OWN,))
        )
        if not score_row.sound:
            message = f"{path} needs either points or a factor"
            self.fault(path, "both or none", "points = … or factor = …", message)
        return score_row

    # --- seats

    def seating(self, count: int, dealer: int) -> list[int]:
        """Return the seats that take part in a round, in order."""
        steps = self.deal["sits_out"].get(str(count), ())
        if not steps:
            return list(range(count))
        out = {(dealer + step) % count for step in steps}
        return [seat for seat in range(count) if seat not in out]

    def deal_size(self, seats: int, rnd: Round | None = None) -> int:
        """Return how many cards each player is dealt if this number of players takes part.

        If the number depends on the round (`numbers.depend_on_round`), `rnd` is required.
        """
        if self.numbers.depend_on_round:
            kitty = self.kitty_size(seats, rnd)
            most = (self.pack.card_count - kitty) // seats
            return most if kitty else max(1, min(most, self.numbers.cards(seats, rnd)))
        size = self._dealt.get(seats)
        if size is None:
            size, kitty = self.numbers.cards(seats, None), self.kitty_size(seats)
            if kitty:
                size = (self.pack.card_count - kitty) // seats
            self._dealt[seats] = size
        return size

    def kitty_size(self, seats: int, rnd: Round | None = None) -> int:
        """Return how many cards are left after this number of players has been dealt cards.

        If the number depends on the round, `rnd` is required.
        """
        return self.numbers.kitty(seats, rnd)

    def side_of(self, seat: int, count: int) -> tuple[int, ...]:
        """Return all seats on the same side as `seat`, in a game with `count` players.

        If there are no sides, return only `seat`.
        """
        number: int = self.sides["number"]
        return tuple(range(seat % number, count, number)) if number else (seat,)

    def side_size(self, seats: int) -> int:
        """Return how many players each side has, or 1 if there are no sides."""
        return seats // int(self.sides["number"] or seats)

    @cached_property
    def eliminated_at(self) -> float:
        """The highest tally at which a player is eliminated, or minus infinity if there is none."""
        return int(self.tally["least"]) if self.tally["out"] else -inf

    def is_eliminated(self, tally: int) -> bool:
        """Return whether a player with that tally is eliminated."""
        return tally <= self.eliminated_at


def _class_of(name: str, row: Row) -> type[AnyPhase] | None:
    """Return the class of the phase with this name and row, or None if there is no such phase."""
    cls = find_phase(name, row)
    return cls if isinstance(cls, type) and issubclass(cls, Phase) else None


# --- numbers that depend on the number of players


def player_counts(players: Row) -> list[int]:
    """Return the player counts for which a ruleset is designed."""
    most = min(players["most"], untrusted.MAX_PLAYERS)
    counts = players["counts"] or range(players["least"], most + 1)
    return [count for count in counts if players["least"] <= count <= most]


class EarlyNumber:
    """An integer that is fixed, or computed from what is known before a round.

    `depends_on_round` is true if the number of players alone does not decide it.
    """

    __slots__ = ("_at_start", "_bounds", "_by_count", "_expression", "_number", "depends_on_round")

    def __init__(
        self,
        value: str | int,
        where: str,
        rules: Ruleset,
        bounds: tuple[int, int] = untrusted.NUMBER_RANGE,
        known: Sequence[str] = (),
    ) -> None:
        """Compile the value of the key `where`.

        It can use the measures in `known` (default: all that are known before a round).
        """
        self._number, self._expression = 0, None
        self._bounds, self._by_count = bounds, dict[int, int]()
        self._at_start: dict[str, int] = {}
        self.depends_on_round = False
        if isinstance(value, int):
            self._number = value
            return
        self._expression = rules.compile_expression(value, where, whole=True)
        report_late_names(rules, self._expression, where, known or rules.known_before_round())
        self.depends_on_round = any(name != PLAYERS for name in self._expression.names)
        counters = rules.section("counters")
        for name in self._expression.names:
            self._at_start[name] = counters[name]["start"] if name in counters else 0

    def __call__(self, players: int, rnd: Round | None = None) -> int:
        """Return the number for a player count, or 0 if the expression has no value.

        Without a round, return the number at the start of a match.
        """
        if self._expression is None:
            return self._number
        number = self._by_count.get(players)
        if number is None:
            number = self._compute(self._expression, players, rnd)
            if not self.depends_on_round:
                self._by_count[players] = number
        return number

    def _compute(self, expression: Expression, players: int, rnd: Round | None) -> int:
        at_start = {**self._at_start, "rounds": 1, "players.left": players}
        get = at_start.__getitem__ if rnd is None else rnd.reading()
        try:
            value = expression(lambda name: players if name == PLAYERS else get(name))
        except ExpressionError as error:
            if rnd is not None:
                rnd.report_ruleset_error(error)
            return 0
        least, most = self._bounds
        return max(least, min(most, int(value)))


def report_late_names(
    rules: Ruleset, expression: Expression, where: str, known: Sequence[str]
) -> None:
    """Report the names in an expression that are not known before a round."""
    for name in expression.names:
        if name.replace(f"{EACH}.", OWN_PREFIX, 1) not in known:
            allowed = f"an expression over {', '.join(known)}"
            rules.fault(where, name, allowed, f"{where}: “{name}” is not known before the round")


class TableNumbers:
    """Numbers that depend on the number of players, and on what is known before a round.

    They are a new player's tally (`start`), the leader (`leader`, from 1), the number of `cards`
    that each player is dealt, and the size of the `kitty`. If `dice_are_tally` is true, a player's
    number of dice equals the tally. `depend_on_round` is true if the cards or the kitty differ
    between rounds with the same players.
    """

    __slots__ = ("cards", "depend_on_round", "dice_are_tally", "kitty", "leader", "start")

    def __init__(self, rules: Ruleset) -> None:
        """Compile these numbers."""
        known = [name for name in rules.known_before_round() if "tally" not in name]
        of_match = [name for name in known if not name.startswith(OWN_PREFIX)]
        cards, places = (0, untrusted.MAX_CARDS), (1, untrusted.MAX_PLAYERS)
        self.start = EarlyNumber(rules.tally["start"], "tally.start", rules, known=of_match)
        self.leader = EarlyNumber(rules.match["leader"], "match.leader", rules, places)
        self.cards = EarlyNumber(rules.deal["cards"], "deal.cards", rules, cards)
        self.kitty = EarlyNumber(rules.deal["kitty"], "deal.kitty", rules, cards)
        self.depend_on_round = self.cards.depends_on_round or self.kitty.depends_on_round
        self.dice_are_tally = rules.dice.get("each") == TALLY


# --- whole numbers in place of expressions: `6`, or `"5 if bouts == 0 else 6"`


class IntOrExpression:
    """An integer within bounds, fixed or computed by an expression.

    An expression is evaluated at each use. `fixed` is the number if the value is not an
    expression, and otherwise None.
    """

    __slots__ = ("_expression", "_least", "_most", "fixed")

    def __init__(self, expression: Expression | int, bounds: tuple[int, int]) -> None:
        self.fixed = expression if isinstance(expression, int) else None
        self._expression = expression
        self._least, self._most = bounds

    def __call__(self, rnd: Round, subject: object = None) -> int:
        """Return the number for a round, or for `subject` (an entry or a player) in the round."""
        if isinstance(self._expression, int):
            return self._expression
        number = int(rnd.evaluate(self._expression, subject))
        return max(self._least, min(self._most, number))


def compile_amount(
    rules: Ruleset,
    value: str | int,
    where: str,
    bounds: tuple[int, int] = untrusted.NUMBER_RANGE,
    about: Sequence[str] = (),
    but: Sequence[str] = (),
) -> IntOrExpression:
    """Compile the value of a key whose kind is `number` (see `Ruleset.compile_expression`)."""
    if isinstance(value, int):
        return IntOrExpression(value, bounds)
    return IntOrExpression(rules.compile_expression(value, where, about, but, whole=True), bounds)


def dice_per_player(rules: Ruleset, dice: Row) -> IntOrExpression | None:
    """Return a player's number of dice according to [dice], or None in a game without dice."""
    if not rules.has("dice"):
        return None
    where, value, bounds = "dice.each", dice["each"], (0, untrusted.MAX_DICE)
    if isinstance(value, int):
        return IntOrExpression(value, bounds)
    expression = rules.compile_expression(value, where, (OWN,), (DICE_ON_TABLE,), whole=True)
    report_late_names(rules, expression, where, rules.known_before_round())
    return IntOrExpression(expression, bounds)


# --- verbs that are turned off (`[verbs] exact = false`)
#
# No entry can use these verbs. Clauses, statistics and rows of other tables are left out if they
# concern only such verbs. A row of another table names its verbs in a key for verbs
# (`Parameter.rows` is `verbs`).


def find_disabled_verbs(data: Row) -> frozenset[str]:
    """Return the verbs that are turned off."""
    return frozenset(word for word, played in data.get(VERBS, {}).items() if played is False)


def enabled_rows(
    rows: Mapping[str, Row], takes: Mapping[str, Parameter], off: frozenset[str]
) -> Mapping[str, Row]:
    """Return the rows of a table, except the rows for verbs that are turned off."""
    keys = [key for key, parameter in takes.items() if parameter.rows == VERBS] if off else []
    if not keys:
        return rows
    return {name: row for name, row in rows.items() if not any(row[key] in off for key in keys)}


def enabled_entries(entries: Iterable[Entry], off: frozenset[str]) -> Iterable[Entry]:
    """Yield the entries whose verbs are not turned off."""
    return (entry for entry in entries if entry.word not in off) if off else entries


# --- patterns of cards in rows of phases


def kinds_for(pack: Pack, pattern: str, bindings: Row) -> list[int]:
    """Return the card kinds that match a pattern, strongest first.

    The result is empty if a name in the pattern is not bound. Raises ValueError for a pattern that
    names a card that is not in the pack.
    """
    text = fill_pattern(pattern, bindings)
    return [] if text is None else match_kinds(pack, text)


def check_patterns(
    rules: Ruleset, where: str, patterns: Iterable[str], names: Mapping[str, Iterable[str]]
) -> None:
    """Report every pattern that matches no card for some values of its names."""
    for pattern in patterns:
        bound = bound_names([pattern])
        unknown = [name for name in bound if name not in names]
        for name in unknown:
            allowed = ", ".join(f"{{{each}}}" for each in names)
            message = f"{where}: “{quote(pattern)}”: “{quote(name)}” has no meaning here"
            rules.fault(where, quote(pattern), allowed, message)
        if unknown:
            continue
        for values in product(*(list(names[name]) for name in bound)):
            try:
                kinds_for(rules.pack, pattern, dict(zip(bound, values, strict=True)))
            except ValueError as error:
                allowed = "a card, a rank and *, * and a suit, or *"
                rules.fault(where, quote(pattern), allowed, f"{where}: {error}")
                break


# --- rulesets that matches have stored


def cache_value(known: dict[K, V], key: K, value: V) -> V:
    """Cache a value, emptying the cache first if it is full. Return the value."""
    if len(known) >= MAX_CACHED:
        known.clear()
    known[key] = value
    return value


def pinned(text: str, sha256: str, data: Row | None = None) -> Ruleset:
    """Return the ruleset that a match has pinned as `text` under that SHA-256 hash.

    The text is compiled without being checked again. `data` is its parsed form if that is
    available. Raises Damaged if it cannot be compiled.
    """
    known = _pinned.get((text, sha256))
    if known is not None and known[0] == data:  # another book's parsed data may differ
        return known[1]
    table = data
    if not table:
        from scorekeeper.ruleset.sources import unpin

        table = unpin(text)
    try:
        ruleset = Ruleset(current_form(table), text, sha256)
    except (KeyError, TypeError, ValueError, AttributeError, AssertionError) as error:
        raise Damaged(
            tr("the pinned ruleset cannot be compiled: {fault}", fault=quote(repr(error), 120))
        ) from None
    return cache_value(_pinned, (text, sha256), (data, ruleset))[1]


def current_form(data: Row) -> Json:
    """Return a pinned table in the current format version.

    Raises Damaged if the version is not supported. If the version is not a number, the table is
    returned unchanged for the check to report.
    """
    version = data.get("language", 1)  # the first rulesets did not state their version
    if type(version) is not int:
        return dict(data)
    table = tables.VERSIONS.upgrade(tr("the ruleset of this match"), dict(data), version)
    return _with_dealing(table)


def _with_dealing(table: Json) -> Json:
    """Replace early forms of the rule for the next dealer with their current forms.

    `bouts.undecided` becomes `deal.after_void`, and the value `again` of `auction.nobody` becomes
    the word for the same dealer.
    """
    phases, deal = table.get("phases"), table.get("deal", {})
    if not isinstance(phases, dict) or not isinstance(deal, dict):
        return table
    auction, bouts = (phases.get(name) for name in ("auction", "bouts"))
    if isinstance(auction, dict) and auction.get("nobody") == "again":
        phases = {**phases, "auction": {**auction, "nobody": SAME}}
    if isinstance(bouts, dict) and "undecided" in bouts:
        rest = {key: value for key, value in bouts.items() if key != "undecided"}
        phases = {**phases, "bouts": rest}
        deal = {**deal, "after_void": bouts["undecided"]}
    return {**table, "phases": phases, "deal": deal} if deal else {**table, "phases": phases}
