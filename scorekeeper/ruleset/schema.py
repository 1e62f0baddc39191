"""Checks of a ruleset's tables that are possible without compiling them.

Every fault is reported with the path of its key, the value there and the allowed values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged
from scorekeeper.core.expressions.compiler import FUNCTIONS
from scorekeeper.core.expressions.parser import is_name
from scorekeeper.core.rulings import ILLEGAL
from scorekeeper.core.text import find_nearest, quote
from scorekeeper.notation.syntax import SUIT_NAMES
from scorekeeper.ruleset.surface import SHEET_PAGE_TABLES
from scorekeeper.ruleset.tables import (
    CLAUSE,
    HEADER,
    LANGUAGE,
    OWN_KEYS,
    PACK,
    PHASE,
    REMOVED_KEYS,
    REQUIRED,
    REQUIRED_KEYS,
    SCORE,
    TABLES,
    VERB,
    VERSION,
    VERSIONS,
    Parameter,
    ValueProblem,
    find_problems,
    join_key,
    phase_parameters,
    suits_of,
    with_defaults,
)
from scorekeeper.ruleset.vocabulary import (
    BESIDE,
    IMPLICIT_PHASES,
    PHASES,
    PhaseSpec,
    clause_words,
    find_phase,
    implicit_phases,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.types import Json, Row
    from scorekeeper.notation import Lexicon
    from scorekeeper.ruleset.tables import Report
    from scorekeeper.ruleset.vocabulary import ClauseWord

_SUITS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


# If values are written without quotes, their description begins with one of these texts.
_BARE = ("a whole number", "a list of whole numbers", "true or false")
# Tables of statistics over many rounds.
COUNTED = ("statistics", "breakdowns", "history", "ranking", "figures")
# Tables whose row names appear in no entry and in no other row.
TITLED = ("sheet", "statistics", "breakdowns")


class SchemaChecker:
    """The checker for the tables of one merged ruleset. It reports faults."""

    def __init__(self, data: Row, report: Report) -> None:
        self.data = data
        self.report = report
        self.phases: dict[str, PhaseSpec] = {}
        self.tables: Json = {}

    def check(self) -> None:
        """Report every structural fault, and every part that is too large to build."""
        version = self.data.get("language", VERSION)
        if type(version) is int:
            try:
                VERSIONS.check("this ruleset", version)
            except Damaged as failure:
                self.report("language", str(version), str(VERSION), failure.message)
                return
        self._check_phases()
        self.tables = {**self.data, "phases": self.phases}
        rows: dict[str, Mapping[str, Parameter]] = {"languages": LANGUAGE, "scores": SCORE}
        plain = dict(TABLES)
        for cls in self.phases.values():
            for section, takes in cls.row_tables.items():
                (plain if section in cls.single_tables else rows)[section] = takes
        others = ("words", "phases", "clauses", "sheet", "let", "verbs", *COUNTED)
        known = {*HEADER, *plain, *rows, *others}
        written = [*(name for name in known if name != "sheet"), *SHEET_PAGE_TABLES]
        for key in self.data:
            if key not in known:
                self._report_unknown(join_path("", key), key, written)
        for key in REQUIRED_KEYS:
            if key not in self.data:
                self.report(key, "nothing", "a value", f"{key} is missing")
        self.check_table("", {k: v for k, v in self.data.items() if k in HEADER}, HEADER)
        for section, takes in plain.items():
            if section in self.data:
                self.check_table(section, self._find_table(section), takes)
        self._check_pack()
        for section, takes in rows.items():
            self.check_rows(section, takes)
        self._check_sheet()
        self._check_clauses()
        self._check_words()
        self.check_table(
            "verbs", self._find_table("verbs"), dict.fromkeys(self._find_table("verbs"), VERB)
        )
        self._check_let()

    def check_rows(self, section: str, takes: Mapping[str, Parameter]) -> None:
        """Check the named rows of a top-level table."""
        for key, row in self.iter_rows(section, self._find_table(section)):
            self.check_table(join_path(section, key), row, takes)

    def _find_table(self, section: str) -> Row:
        """Return a top-level table.

        If the table is missing or its value is not a table, return an empty table. A value that is
        not a table is also reported.
        """
        return self._require_table(section, self.data.get(section, {}))

    def _require_table(self, where: str, found: object) -> Row:
        if isinstance(found, dict):
            return found
        self.report(where, quote(found), "a table", f"{where} must be a table")
        return {}

    def _check_pack(self) -> None:
        row = self.data.get("pack")
        if not isinstance(row, dict) or "ranks" not in row:
            return
        if not any(find_problems(row[key], PACK[key], {}) for key in row if key in PACK):
            check_pack(with_defaults(row, PACK), self.report)

    def _check_sheet(self) -> None:
        """Check `[sheet]` and the tables of statistics over many rounds."""
        from scorekeeper.ruleset.ranking import FIGURE, RANKING
        from scorekeeper.ruleset.reports import BREAKDOWN, HISTORY, SHEET, STATISTIC

        self.check_rows("statistics", STATISTIC)
        self.check_rows("breakdowns", BREAKDOWN)
        self.check_table("history", self._find_table("history"), HISTORY)
        self.check_table("ranking", self._find_table("ranking"), RANKING)
        self.check_rows("figures", FIGURE)
        for part, rows in self._find_table("sheet").items():
            where = join_path("sheet", part)
            if part not in SHEET:
                self._report_unknown(where, part, SHEET)
                continue
            for key, row in self.iter_rows(where, self._require_table(where, rows)):
                self.check_table(join_path(where, key), row, SHEET[part])

    def iter_rows(self, name: str, found: Row) -> Iterable[tuple[str, Json]]:
        """Yield the named rows of a table, and report rows that are not tables."""
        if len(found) > untrusted.MAX_ROWS:
            allowed = f"at most {untrusted.MAX_ROWS}"
            self.report(name, f"{len(found)} rows", allowed, f"{name} is too long")
            return
        for key, row in found.items():
            where = join_path(name, key)
            if not (key.isprintable() and 0 < len(key) <= untrusted.MAX_ROW_NAME):
                allowed = f"1 to {untrusted.MAX_ROW_NAME} characters that can be printed"
                self.report(
                    where, quote(key) or "nothing", allowed, f"{where} is not a valid row name"
                )
            elif " " in key and not name.startswith(TITLED):
                allowed = f"a name without blanks: {quote('-'.join(key.split()))}"
                message = f"{where} cannot be typed or referred to, because its name has blanks"
                self.report(where, f'"{quote(key)}"', allowed, message)
            elif isinstance(row, dict):
                yield key, row
            else:
                self._require_table(where, row)

    def check_table(
        self, path: str, found: Row, takes: Mapping[str, Parameter], rules: Iterable[str] = ()
    ) -> None:
        """Check the keys and the kinds of values in one table.

        Every table and every row may cite a paragraph. `rules` are clause words that a file may
        also write in this table.
        """
        takes = {**PHASE, **takes} if path else takes
        for key, value in found.items():
            where = join_path(path, key)
            if key in takes:
                for fault in find_problems(value, takes[key], self.tables):
                    self._report_problem(where, fault)
            elif where in REMOVED_KEYS:
                self._report_removed(where, key, takes)
            else:
                self._report_unknown(where, key, [*takes, *rules])
        for key, parameter in takes.items():
            if parameter.default is REQUIRED and key not in found and path:
                where = join_path(path, key)
                self.report(where, "nothing", parameter.doc, f"{where} is missing")

    def _report_problem(self, where: str, fault: ValueProblem) -> None:
        here = join_path(where, fault.key) if fault.key else where
        words = fault.allowed.split(" or ")
        guessed = isinstance(fault.found, str) and not fault.allowed.startswith("at most")
        hint = _suggest(str(fault.found), words) if guessed else ""
        quotes = _unquoted_hint(fault)
        message = f"{here} must be {fault.allowed}{quotes or hint}"
        found = f'the text "{quote(fault.found)}"' if quotes else quote(fault.found)
        self.report(here, found, fault.allowed, message)

    def _report_removed(self, where: str, key: str, known: Iterable[str]) -> None:
        message = f"{where} is no longer a key of a ruleset: {REMOVED_KEYS[where]}"
        self.report(where, quote(key), ", ".join(known), message)

    def _report_unknown(self, where: str, key: str, known: Iterable[str]) -> None:
        names = sorted({*known})
        hint = _suggest(key, names)
        message = f"{where} is not a key of a ruleset{hint}"
        self.report(where, quote(key), ", ".join(names), message)

    def _check_phases(self) -> None:
        for name in implicit_phases(self.data):
            self.phases[name] = _require(find_phase(name))
        for name, row in self.iter_rows("phases", self._find_table("phases")):
            where, cls = join_path("phases", name), find_phase(name, row)
            if cls is None:
                hint = _suggest(name, PHASES)
                message = f"there is no phase “{quote(name)}”{hint}"
                self.report(where, quote(name), ", ".join(PHASES), message)
                continue
            self.phases[name] = cls
        self.tables = {**self.data, "phases": self.phases}
        for name, cls in self.phases.items():
            row = self._find_table("phases").get(name, {})
            takes = phase_parameters(cls.parameters, cls.concurrent)
            self.check_table(f"phases.{name}", row, takes, cls.clause_order.split())
            self._check_company(f"phases.{name}", cls)
        if "phases" in self.data and all(cls.concurrent for cls in self.phases.values()):
            listed = [name for name in self.phases if name not in IMPLICIT_PHASES]
            why = (
                "because its phases only run while others do"
                if listed
                else "because none is listed"
            )
            found = ", ".join(listed) or "no phase"
            self.report("phases", found, ", ".join(PHASES), f"phases: nothing is played, {why}")

    def _check_company(self, where: str, cls: PhaseSpec) -> None:
        """Report tables and phases that a phase needs but the ruleset lacks.

        Also report phases that this phase excludes.
        """
        for section in cls.tables:
            if section == cls.name and section in OWN_KEYS and not self.data.get(section):
                # Its table exists, because the phase has no other. It may be inherited.
                allowed = f"a row, or {section} = false to drop the table"
                self.report(where, "no rows", allowed, f"the table [{section}] has no rows")
            elif not self.data.get(section):
                message = f"{where} needs a table [{section}]"
                self.report(where, f"no [{section}]", f"[{section}]", message)
        for other in cls.others:
            if other not in self.phases:
                place = BESIDE.get(other) or f"[phases.{other}]"
                self.report(where, "nothing", place, f"{where} also needs {place}")
        rest = [name for name in self.phases if name not in (*IMPLICIT_PHASES, cls.name)]
        if cls.only and rest:
            message = f"{where} must be the only phase"
            self.report(where, ", ".join(rest), "no other phase", message)

    def _check_clauses(self) -> None:
        words = clause_words(self.phases.values())
        rows: dict[str, list[tuple[str, Json]]] = {}
        for name, row in self.iter_rows("clauses", self._find_table("clauses")):
            path, named = join_path("clauses", name), row.get("word", name)
            word = words.get(named) if isinstance(named, str) else None
            if word is None:
                self._report_unknown_word(path, quote(named), words)
                continue
            self.check_table(path, row, {**CLAUSE, **word.parameters})
            rows.setdefault(word.name, []).append((path, row))
            if not word.on and not row.get("on"):
                message = f"{path}.on must name the verbs that the clause judges"
                self.report(f"{path}.on", "nothing", "a list of verbs", message)
            if word.phase == "table" and not row.get("phase"):
                allowed = ", ".join(self.phases)
                message = f"{path}.phase must name the phase that the clause belongs to"
                self.report(f"{path}.phase", "nothing", allowed, message)

        for named, listed in rows.items():
            if len(listed) > 1:
                self._report_repeated(words[named], listed)

    def _report_repeated(self, word: ClauseWord, listed: list[tuple[str, Json]]) -> None:
        """Report clauses that repeat an earlier clause with the same word for the same entry
        type."""
        apart = ("word", "on", "severity", "cite", *(("say",) if word.verdict == ILLEGAL else ()))
        before: list[tuple[str, Sequence[str], Json]] = []
        for path, row in listed:
            full = with_defaults(row, {**CLAUSE, **word.parameters})
            says = {key: value for key, value in full.items() if key not in apart}
            on = full["on"] or word.on
            if not isinstance(on, list | tuple):  # `check_table` has reported this already
                continue
            for other, verbs, earlier in before:
                shared = [verb for verb in on if verb in verbs]
                if shared and says == earlier:
                    what = f"{word.name} on {', '.join(map(quote, shared))}"
                    message = f"{path} repeats {other}: {what}"
                    self.report(path, what, "each rule once, or other keys", message)
                    break
            before.append((path, on, says))

    def _report_unknown_word(self, path: str, name: str, words: Mapping[str, ClauseWord]) -> None:
        hint = _suggest(name, words)
        message = f"there is no clause word “{name}” in the phases of this ruleset{hint}"
        self.report(f"{path}.word", name, ", ".join(sorted(words)), message)

    def _check_words(self) -> None:
        words = Parameter("table", "for canonical words, what they are called")
        for fault in find_problems(self.data.get("words", {}), words, {}):
            self._report_problem("words", fault)

    def _check_let(self) -> None:
        """Check the names of patterns and expressions."""
        named = Parameter("let", "names for patterns of cards and for expressions")
        for fault in find_problems(self.data.get("let", {}), named, {}):
            self._report_problem("let", fault)
        for name in self._find_table("let"):
            if "." in name or not is_name(name) or name in FUNCTIONS:
                where = join_path("let", name)
                allowed = "letters, digits, _ and hyphens, and no word of expressions"
                self.report(
                    where, quote(name), allowed, f"{where} is not a valid name for expressions"
                )


def join_path(path: str, key: str) -> str:
    """Return the dotted path of a key in the table at a path."""
    return f"{path}.{join_key((key,))}" if path else join_key((key,))


def _unquoted_hint(fault: ValueProblem) -> str:
    """Return a hint to write a number, true or false without quotes, or "" if the value is none of
    these."""
    if not isinstance(fault.found, str) or not fault.allowed.startswith(_BARE):
        return ""
    bare = fault.found.strip()
    number = bare.isascii() and bare.lstrip("-").isdigit()
    return f", without quotes: {quote(bare)}" if number or bare in ("true", "false") else ""


def _require(cls: PhaseSpec | None) -> PhaseSpec:
    assert cls is not None
    return cls


def _suggest(word: str, known: Iterable[str]) -> str:
    match = find_nearest(word, known)
    return f"; did you mean “{match}”?" if match else ""


def check_pack(row: Row, report: Report) -> None:
    """Report ranks, suits and jokers that do not form a valid pack, and a pack that is too
    large."""
    ranks, suits = row["ranks"].split(), suits_of(row)
    rank_keys = {"pack.ranks": ranks, **{f"pack.suits.{suit}": own for suit, own in suits.items()}}
    for key, own in rank_keys.items():
        for rank in own:
            if not (_LETTERS.issuperset(rank) and len(rank) <= untrusted.MAX_RANK_NAME):
                allowed = f"1 to {untrusted.MAX_RANK_NAME} capital letters or digits"
                report(key, quote(rank), allowed, f"{key}: a rank is {allowed}")
    for suit in suits:
        if not (len(suit) == 1 and suit in _SUITS):
            message = "pack.suits: a suit is one capital letter"
            report("pack.suits", quote(suit), "A to Z", message)
    for joker in row["jokers"]:
        last = {*suits, *SUIT_NAMES}
        if not (_LETTERS.issuperset(joker) and 2 <= len(joker) <= 10) or joker[-1] in last:
            allowed = "2 to 10 capital letters or digits, the last of them not the letter of a suit"
            report("pack.jokers", quote(joker), allowed, f"pack.jokers: a joker is {allowed}")
    without_ranks = not ranks and not all(suits.values())
    if (bool(ranks) and not suits) or (suits and without_ranks) or not (suits or row["jokers"]):
        message = "pack: it has no cards"
        report("pack.ranks", "no ranks or suits", "ranks and suits, or jokers", message)
    listed = row["suits"].split() if isinstance(row["suits"], str) else [*suits]
    for key, items in ({**rank_keys, "pack.suits": listed, "pack.jokers": row["jokers"]}).items():
        twice = sorted({each for each in items if items.count(each) > 1})
        if twice:
            report(key, quote(" ".join(twice)), "each once", f"{key} has a duplicate")
    most_of = dict.fromkeys(rank_keys, untrusted.MAX_RANKS) | {"pack.jokers": untrusted.MAX_JOKERS}
    for key, most in most_of.items():
        items = row["jokers"] if key == "pack.jokers" else rank_keys[key]
        if len(items) > most:
            message = f"{key}: there are too many"
            report(key, f"{len(items)} of them", f"at most {most}", message)
    kinds = sum(len(own or ranks) for own in suits.values()) + len(row["jokers"])
    total = kinds * row["copies"]
    if total > untrusted.MAX_CARDS:
        message = "pack: there are too many cards in it"
        report("pack.copies", f"{total} cards", f"at most {untrusted.MAX_CARDS}", message)


def check_languages(lexicon: Lexicon, report: Report) -> None:
    """Report strings that are ambiguous in a language.

    Such a string may mean two different cards, or either a card or a word.
    """
    pack = lexicon.pack
    cards = [(pack.rank[kind], pack.suit[kind]) for kind in pack.suited]
    for code, language in lexicon.languages.items():
        where, allowed = f"languages.{code}", "letters that make one card"
        known: dict[str, tuple[str, str]] = {}
        for typed, card in language.card_forms(cards):
            before = known.setdefault(typed, card)
            if before != card:
                message = f"“{typed}” is both {''.join(before)} and {''.join(card)} in {code}"
                report(where, typed, allowed, message)
            word = lexicon.meanings.get(typed)
            if word is not None:
                message = f"“{typed}” is both {''.join(card)} and the word “{word}” in {code}"
                report(where, typed, allowed, message)
