"""What a ruleset's tables take, and the checks that need no compiling. Floor 2.

Every fault is a value, with the key's path, what was found and what is allowed; all are reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.rulings import REFUSE, SEVERITIES
from scorekeeper.suggest import nearest, shown
from scorekeeper.vocabulary import PHASES, REQUIRED, Parameter, Phase, clause_words, phase_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scorekeeper.vocabulary import ClauseWord

    Report = Callable[[str, str, str, str], None]  # key path, found, allowed, message

MOST_ROWS = 400
PRESETS = ("tournament", "club")

HEADER: Mapping[str, Parameter] = {
    "name": Parameter("text", "the ruleset's name: small letters, digits, hyphens"),
    "title": Parameter("text", "what people call it"),
    "rules": Parameter("text", "the rule text beside it, without its ending"),
    "source": Parameter("text", "where the rules come from", ""),
    "severity": Parameter(
        "choice",
        "all refuse (`tournament`), or warn but for turn and possession",
        "tournament",
        PRESETS,
    ),
}
PLAYERS: Mapping[str, Parameter] = {
    "least": Parameter("int", "the fewest players", 2),
    "most": Parameter("int", "the most players", 99),
    "counts": Parameter("ints", "only these numbers of players (empty: any)", []),
}
DEAL: Mapping[str, Parameter] = {
    "dealt": Parameter("bool", "whether somebody deals, and the deal moves on", False),
    "cards": Parameter("int", "how many cards each player is dealt", 0),
    "cards_for": Parameter("table", "for a number of players, how many cards each is dealt", {}),
    "sits_out": Parameter(
        "table",
        "for a number of players, who sits out: steps to the left of the dealer, 0 being himself",
        {},
    ),
    "kitty": Parameter("int", "cards left over: the players share the others evenly", 0),
    "kitty_for": Parameter("table", "for a number of players, how many cards are left over", {}),
}
SIDES: Mapping[str, Parameter] = {
    "number": Parameter("int", "how many sides, alternating round the table (0: each alone)", 0),
    "shared": Parameter(
        "bool", "whether a standing, a foul or a penalty of one player is his side's", True
    ),
}
TALLY: Mapping[str, Parameter] = {
    "name": Parameter("text", "what stands on the sheet"),
    "start": Parameter("int", "with how many a match begins", 0),
    "least": Parameter("int", "it never falls below", -999999),
    "most": Parameter("int", "it never rises above", 999999),
    "out": Parameter("bool", "who is down to the least is out of the match", False),
    "held": Parameter("bool", "it is what a player holds (dice), so `hand` sets it", False),
    "zero_sum": Parameter("bool", "a round's score rows sum to zero", False),
    "parity": Parameter("bool", "the score rows change all tallies by odd, or all by even", False),
    "limits": Parameter("int", "a round changes it by no more than this (0: any)", 0),
}
MATCH: Mapping[str, Parameter] = {
    "ends": Parameter("condition", "the match is over after a round when this holds", "false"),
    "wins": Parameter("choice", "whose tally wins", "most", ("most", "fewest", "last")),
    "leader": Parameter("int", "who starts the first round where nobody deals, as named", 1),
    "direction": Parameter(
        "choice", "which way play goes round at first", "left", ("left", "right")
    ),
}
LANGUAGE: Mapping[str, Parameter] = {
    "ranks": Parameter("table", "the letters of ranks that differ", {}),
    "words": Parameter("table", "for canonical words, what they are called", {}),
}
PACK: Mapping[str, Parameter] = {
    "ranks": Parameter("text", "the ranks, strongest first, with blanks between"),
    "suits": Parameter("text", "the suits", "C S H D"),
    "jokers": Parameter("texts", "cards without a suit", []),
    "copies": Parameter("int", "how many of each card", 1),
}
CLAUSE: Mapping[str, Parameter] = {
    "word": Parameter("name", "the clause word (without it: the row's name)", ""),
    "phase": Parameter("name", "for words that every phase has: whose clause it is", ""),
    "on": Parameter("texts", "the verbs it judges (without it: the word's own)", []),
    "severity": Parameter("choice", "what a breach does", REFUSE, SEVERITIES),
    "cite": Parameter("text", "the paragraph of the rule text"),
    "say": Parameter("text", "the sentence, with facts in braces", ""),
}
SCORE: Mapping[str, Parameter] = {
    "for": Parameter("name", "the role that gets the points"),
    "against": Parameter("name", "a role that gets the same points with the other sign", ""),
    "points": Parameter("number", "how many points", ""),
    "factor": Parameter("number", "what the rows in `of` are multiplied by", ""),
    "of": Parameter("texts", "the rows that a factor multiplies (without it: all above)", []),
    "when": Parameter("condition", "the row counts only then", "true"),
    "cite": Parameter("text", "the paragraph of the rule text"),
    "label": Parameter("text", "what the sheet calls the row", ""),
}
PHASE: Mapping[str, Parameter] = {
    "cite": Parameter("text", "the paragraph of the rule text", ""),
}
TABLES: Mapping[str, Mapping[str, Parameter]] = {
    "players": PLAYERS,
    "deal": DEAL,
    "sides": SIDES,
    "tally": TALLY,
    "match": MATCH,
    "pack": PACK,
}
NEEDED = ("name", "title", "rules", "phases", "tally")


_TYPES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "int": ((int,), "a whole number"),
    "bool": ((bool,), "true or false"),
    "text": ((str,), "text"),
    "name": ((str,), "a name"),
    "choice": ((str,), "a word"),
    "texts": ((list,), "a list of text"),
    "lines": ((str, list), "a text or a list of text"),
    "ints": ((list,), "a list of whole numbers"),
    "number": ((str, int), "a number or an expression"),
    "condition": ((str, bool), "a condition"),
    "cards": ((list,), "a list of card patterns"),
    "table": ((dict,), "a table"),
    "any": ((object,), "anything"),
}


class Checker:
    """Checks the tables of one merged ruleset and reports what is wrong with them."""

    def __init__(self, data: Mapping[str, Any], report: Report) -> None:
        self.data = data
        self.report = report
        self.phases: dict[str, type[Phase]] = {}

    def check(self) -> None:
        """Report every fault of structure."""
        self._phases()
        rows: dict[str, Mapping[str, Parameter]] = {"languages": LANGUAGE}
        tables = dict(TABLES)
        for cls in self.phases.values():
            for section, takes in cls.sections.items():
                (tables if section in cls.plain else rows)[section] = takes
        known = {
            *HEADER,
            *tables,
            *rows,
            "words",
            "phases",
            "clauses",
            "scores",
            "sheet",
            "statistics",
            "penalties",
        }
        for key in self.data:
            if key not in known:
                self._unknown(key, key, known)
        for key in NEEDED:
            if key not in self.data:
                self.report(key, "nothing", "a value", f"{key} is missing")
        self.table("", {k: v for k, v in self.data.items() if k in HEADER}, HEADER)
        for section, takes in tables.items():
            self.section(section, takes, False)
        for section, takes in rows.items():
            self.section(section, takes, True)
        self.section("scores", SCORE, True)
        self._sheet()
        self._clauses()
        self._words()

    def section(self, name: str, takes: Mapping[str, Parameter], keyed: bool) -> None:
        """Check a top-level table, or each of its named rows."""
        found = self.data.get(name)
        if found is None:
            return
        if not isinstance(found, dict):
            self.report(name, shown(found), "a table", f"{name} must be a table")
        elif not keyed:
            self.table(name, found, takes)
        else:
            for key, row in self.rows(name, found):
                self.table(f"{name}.{key}", row, takes)

    def _sheet(self) -> None:
        """Check `[statistics]`, and `[sheet]`, whose tables have named rows."""
        from scorekeeper.ruleset.sheets import SHEET, STATISTIC

        self.section("statistics", STATISTIC, True)
        found = self.data.get("sheet", {})
        if not isinstance(found, dict):
            self.report("sheet", shown(found), "a table", "sheet must be a table")
            return
        for part, rows in found.items():
            where = f"sheet.{part}"
            if part not in SHEET:
                self._unknown(where, part, SHEET)
            elif not isinstance(rows, dict):
                self.report(where, shown(rows), "a table", f"{where} must be a table")
            else:
                for key, row in self.rows(where, rows):
                    self.table(f"{where}.{key}", row, SHEET[part])

    def rows(self, name: str, found: Mapping[str, Any]) -> Iterable[tuple[str, dict[str, Any]]]:
        """The named rows of a table that are tables themselves."""
        if len(found) > MOST_ROWS:
            self.report(name, f"{len(found)} rows", f"at most {MOST_ROWS}", f"{name} is too long")
            return
        for key, row in found.items():
            if isinstance(row, dict):
                yield key, row
            else:
                self.report(f"{name}.{key}", shown(row), "a table", f"{name}.{key} must be a table")

    def table(self, path: str, found: Mapping[str, Any], takes: Mapping[str, Parameter]) -> None:
        """Check the keys and kinds of one table."""
        for key, value in found.items():
            where = f"{path}.{key}" if path else key
            if key not in takes:
                self._unknown(where, key, takes)
            else:
                self._kind(where, value, takes[key])
        for key, parameter in takes.items():
            if parameter.default is REQUIRED and key not in found and path:
                where = f"{path}.{key}"
                self.report(where, "nothing", parameter.doc, f"{where} is missing")

    def _kind(self, where: str, value: Any, parameter: Parameter) -> None:
        types, allowed = _TYPES[parameter.kind]
        wrong = not isinstance(value, types)
        if isinstance(value, bool) and parameter.kind in ("int", "number"):
            wrong = True
        if parameter.kind in ("texts", "lines") and not wrong:
            wrong = not all(isinstance(item, str) for item in value)
        if parameter.kind == "ints" and not wrong:
            wrong = not all(type(item) is int for item in value)
        if wrong:
            self.report(where, shown(value), allowed, f"{where} must be {allowed}")
        elif parameter.choices and value not in parameter.choices:
            hint = _perhaps(str(value), parameter.choices)
            allowed = " or ".join(parameter.choices)
            self.report(where, shown(value), allowed, f"{where} must be {allowed}{hint}")

    def _unknown(self, where: str, key: str, known: Iterable[str]) -> None:
        names = sorted(known)
        hint = _perhaps(key, names)
        self.report(where, key, ", ".join(names), f"{where} is no key of a ruleset{hint}")

    def _phases(self) -> None:
        found = self.data.get("phases")
        if not isinstance(found, dict):
            if "phases" in self.data:
                self.report("phases", shown(found), "a table", "phases must be a table of phases")
            found = {}
        self.phases["table"] = _must(phase_named("table"))
        for name, row in self.rows("phases", found):
            cls = phase_named(name)
            if cls is None:
                hint = _perhaps(name, PHASES)
                where = f"phases.{name}"
                self.report(where, name, ", ".join(PHASES), f"there is no phase “{name}”{hint}")
                continue
            self.phases[name] = cls
            self.table(f"phases.{name}", row, {**PHASE, **cls.parameters})

    def _clauses(self) -> None:
        words = clause_words(tuple(self.phases))
        found = self.data.get("clauses", {})
        for name, row in self.rows("clauses", found if isinstance(found, dict) else {}):
            path = f"clauses.{name}"
            word = words.get(str(row.get("word", name)))
            if word is None:
                self._unknown_word(path, str(row.get("word", name)), words)
                continue
            self.table(path, row, {**CLAUSE, **word.parameters})
            if not word.on and not row.get("on"):
                message = f"{path}.on must name the verbs that the clause judges"
                self.report(f"{path}.on", "nothing", "a list of verbs", message)
            if word.phase == "table" and row.get("phase") not in self.phases:
                allowed = ", ".join(self.phases)
                message = f"{path}.phase must name the phase that the clause belongs to"
                self.report(f"{path}.phase", shown(row.get("phase")), allowed, message)

    def _unknown_word(self, path: str, name: str, words: Mapping[str, ClauseWord]) -> None:
        hint = _perhaps(name, words)
        message = f"there is no clause word “{name}” in the phases of this ruleset{hint}"
        self.report(f"{path}.word", name, ", ".join(sorted(words)), message)

    def _words(self) -> None:
        tables = [("words", self.data.get("words", {}))]
        languages = self.data.get("languages", {})
        if isinstance(languages, dict):
            for code, row in languages.items():
                if isinstance(row, dict):
                    tables.append((f"languages.{code}.words", row.get("words", {})))
        for path, table in tables:
            for key, value in table.items() if isinstance(table, dict) else ():
                if not isinstance(value, (str, list)) or not all(isinstance(v, str) for v in value):
                    allowed = "a word or a list of words"
                    message = f"{path}.{key} must be {allowed}"
                    self.report(f"{path}.{key}", shown(value), allowed, message)


def _must(cls: type[Phase] | None) -> type[Phase]:
    assert cls is not None
    return cls


def _perhaps(word: str, known: Iterable[str]) -> str:
    found = nearest(word, known)
    return f"; did you mean “{found}”?" if found else ""
