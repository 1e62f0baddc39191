"""The language of ruleset files, and its translation into the tables that are compiled.

A file says each rule once and briefly: a clause is a word in its phase's table, and the standard
rules of a phase apply without being written. `normalize` gives every file the same shape before
files are merged. `expand` translates the merged table as a whole, because a ruleset that extends
another one may change anything on which a standard rule depends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.text import did_you_mean, quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.ruleset.reports import BREAKDOWN, SHEET, STATISTIC
from scorekeeper.ruleset.tables import CLAUSE, SCORE
from scorekeeper.ruleset.vocabulary import HELD, clause_words, find_phase, is_phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.tables import Parameter
    from scorekeeper.ruleset.vocabulary import PhaseSpec

    Parts = tuple[str, ...]

LANGUAGE = 4
"""The version of the language in which rulesets are written."""
COMPILED = 3
"""The version of the tables into which a ruleset is translated."""

# An auction in which each player names a wish once. It is compiled as the phase RESERVATIONS.
AUCTION, WISHES, RESERVATIONS = "auction", "wishes", "reservations"
# Tables of the sheet, which a file writes at the top level.
SHEET_TABLES = ("columns", "totals", "ladders")
# Tables that a sheet page may have.
SHEET_PAGE_TABLES = ("lines", "signs", *SHEET_TABLES, "statistics", "breakdowns", "history")
# Tables whose rows describe rows of another table, with the key that such a row sets, or "" for all
DESCRIBING = {"lines": "scores", "signs": "columns"}
# The clause word of a row that does not name it, by one of its keys.
WORD_OF_KEY = {
    "must": "require",
    "cards": "duty",
    "least": "raise",
    "verbs": "until",
    "who": "caller",
}
# Phases of the compiled tables that a file writes elsewhere.
ELSEWHERE = {
    RESERVATIONS: '[phases.auction] with turns = "wishes"',
    "turnup": "[deal] with the key turned",
    "parties": "[parties] with the key cite",
    "counting": "[phases.tricks] with the word counted",
}
# Clause words that every phase has.
GENERAL = ("require", "remark", "until", HELD)
# What a duty asks for if its row does not say so, by the cards that meet it.
WANTED = {
    "led": "a card of the suit that was led",
    "led & beating": "a higher card of the suit",
    "trumps": "a trump",
    "trumps & beating": "a higher trump",
}
# The kinds of list that can be written as a single text.
TEXT_LISTS = ("texts", "cards")


class ExpansionFault(NamedTuple):
    """A row that cannot be translated: its key as written, the value, and the allowed values."""

    key: Parts
    message: str
    found: str = ""
    allowed: str = ""


class Expanded(NamedTuple):
    """The compiled form of a ruleset.

    `written` maps the path of a row or value in `table` to its path in the file, if they differ.
    """

    table: Json
    written: dict[Parts, Parts]
    faults: list[ExpansionFault]


# --- the shape of one file


def phases_named(tables: Iterable[Row]) -> list[str]:
    """Return the names of all phases in these files, as compiled."""
    names: dict[str, None] = {}
    for table in tables:
        phases = table.get("phases")
        for name in phases if isinstance(phases, dict) else ():
            names[name] = None
            if name == AUCTION:
                names[RESERVATIONS] = None
        for name in ("parties", "remedies", "counters", "table"):
            names[name] = None
    names["counting"] = None
    return [name for name in names if is_phase(name)]


class Shape:
    """The shape of rulesets with certain phases.

    `phases` are the names of the phases in all files of a ruleset, as compiled.
    """

    def __init__(self, phases: Iterable[str]) -> None:
        self.classes: dict[str, PhaseSpec] = {}
        self.rows: dict[str, dict[str, Parameter]] = {
            "clauses": dict(CLAUSE),
            "scores": dict(SCORE),
            "statistics": dict(STATISTIC),
            "breakdowns": dict(BREAKDOWN),
            **{name: dict(SHEET[name]) for name in SHEET_TABLES},
        }
        self._add(phases)

    def _add(self, phases: Iterable[str]) -> None:
        """Add the rows and words of more phases."""
        for phase in phases:
            cls = None if phase in self.classes else find_phase(phase)
            if cls is None:
                continue
            self.classes[phase] = cls
            for name, takes in cls.row_tables.items():
                if name not in cls.single_tables:
                    self.rows[name] = {**self.rows.get(name, {}), **takes}
        for word in clause_words(tuple(self.classes)).values():
            self.rows["clauses"].update(word.parameters)

    def normalize(self, table: Row) -> Json:
        """Return a file's table in which every row is a table, and every phase's word, too.

        A value of the wrong kind is kept, and reported when the ruleset is checked.
        """
        result: Json = dict(table)
        self._add(phases_named([table]))
        for name, takes in self.rows.items():
            rows = result.get(name)
            if isinstance(rows, dict):
                result[name] = {key: self._row(key, row, takes) for key, row in rows.items()}
        lines = result.get("lines")
        if isinstance(lines, dict):
            result["lines"] = {
                key: {"label": row} if isinstance(row, str) else row for key, row in lines.items()
            }
        phases = result.get("phases")
        if isinstance(phases, dict):
            result["phases"] = {
                name: {key: self._phase_value(name, key, value) for key, value in row.items()}
                if isinstance(row, dict)
                else row
                for name, row in phases.items()
            }
        return result

    def _row(self, name: str, row: object, takes: Mapping[str, Parameter]) -> object:
        if isinstance(row, dict):
            return {
                key: [value]
                if isinstance(value, str) and key in takes and takes[key].kind in TEXT_LISTS
                else value
                for key, value in row.items()
            }
        if name == "cite" or isinstance(row, bool):
            return row
        natural = next((key for key, takes_of in takes.items() if takes_of.natural), "")
        if natural and _fits_natural(row, takes[natural]):
            return {natural: row}
        return row

    def _classes_of(self, phase: str) -> list[PhaseSpec]:
        """Return the classes that a phase of a file may be compiled as."""
        names = (phase, RESERVATIONS) if phase == AUCTION else (phase,)
        return [self.classes[name] for name in names if name in self.classes]

    def _phase_value(self, phase: str, key: str, value: object) -> object:
        """Return a phase's key or word as a table, so that an extending file can change a part."""
        classes = self._classes_of(phase)
        parameter = next((cls.parameters[key] for cls in classes if key in cls.parameters), None)
        if parameter is not None and parameter.words:
            if isinstance(value, dict):
                return value
            if isinstance(value, str) and parameter.kind == "bool":
                return {"is": True, "cite": value}
            return {"is": value}
        if parameter is not None:
            if isinstance(value, str) and parameter.kind in TEXT_LISTS:
                return [value]
            return value
        is_word = any(key in cls.clause_order.split() for cls in classes) or (phase, key) == (
            "tricks",
            "counted",
        )
        if is_word and isinstance(value, str):
            return {"cite": value}
        if is_word and isinstance(value, dict):
            verbs = {verb for cls in classes for verb in verbs_of(cls)}
            return {
                part: {"cite": of} if part in verbs and isinstance(of, str) else of
                for part, of in value.items()
            }
        return value


def _fits_natural(row: object, parameter: Parameter) -> bool:
    if isinstance(row, list):
        return parameter.kind in ("cards", "texts", "lines")
    return isinstance(row, str) and parameter.kind in ("text", "name", "condition", "lines", "card")


def verbs_of(cls: PhaseSpec) -> list[str]:
    """Return the verbs of a phase."""
    return [entry_type.word for entry_type in (*cls.entry_types, *cls.shorthands)]


def with_defaults_of_file(row: Row, defaults: Row) -> Json:
    """Return a row that a file adds, with the file's defaults for its table.

    `KEY = false` takes a default back. A row with a factor does not take the default points.
    """
    whole = {
        key: value
        for key, value in {**defaults, **row}.items()
        if value is not False or key not in defaults
    }
    if "factor" in row and "points" in defaults and "points" not in row:
        whole.pop("points", None)
    return whole


# --- the whole ruleset


def expand(table: Row, shape: Shape) -> Expanded:
    """Translate a merged ruleset into the tables that are compiled."""
    return _Expansion(table, shape).run()


class _Expansion:
    """The translation of one merged ruleset."""

    def __init__(self, table: Row, shape: Shape) -> None:
        self.table: Json = _copy(table)
        self.shape = shape
        self.written: dict[Parts, Parts] = {}
        self.faults: list[ExpansionFault] = []
        self.clauses: Json = {}
        self.own: Json = {}

    def run(self) -> Expanded:
        table = self.table
        table["language"] = COMPILED
        self._sheet()
        phases = table.get("phases")
        if isinstance(phases, dict):
            own = table.pop("clauses", {})
            self.own = own if isinstance(own, dict) else {}
            self._complete_rows(phases)
            table["phases"] = self._phases(self._concurrent(phases))
            if isinstance(own, dict):
                table["clauses"] = {**self.clauses, **own}
                self._place_rows(table["clauses"])
                if not table["clauses"]:
                    del table["clauses"]
            else:
                table["clauses"] = own
        return Expanded(table, self.written, self.faults)

    # --- the sheet

    def _sheet(self) -> None:
        for name, target in DESCRIBING.items():
            rows = self.table.pop(name, None)
            if not isinstance(rows, dict):
                if rows is not None:
                    self.faults.append(ExpansionFault((name,), f"{name} must be a table"))
                continue
            described = self.table.setdefault(target, {})
            for row, said in rows.items():
                if not isinstance(described, dict) or not isinstance(described.get(row), dict):
                    known = list(described) if isinstance(described, dict) else []
                    allowed = " ".join([did_you_mean(row, known), ", ".join(map(quote, known))])
                    message = f"there is no such row in [{target}]"
                    self.faults.append(
                        ExpansionFault((name, row), message, quote(row), allowed.strip())
                    )
                elif name == "signs":
                    described[row]["signs"] = said
                    self.written[target, row, "signs"] = (name, row)
                elif isinstance(said, dict):
                    described[row].update(said)
                    self.written |= {(target, row, key): (name, row, key) for key in said}
                else:
                    self.faults.append(
                        ExpansionFault((name, row), "not a text or a table", quote(said))
                    )
        sheet = {name: self.table.pop(name) for name in SHEET_TABLES if name in self.table}
        self.written |= {("sheet", name): (name,) for name in sheet}
        for path in list(self.written):
            if path[0] in SHEET_TABLES:
                self.written["sheet", *path] = self.written.pop(path)
        if sheet:
            self.table["sheet"] = sheet

    # --- phases

    def _concurrent(self, phases: Row) -> Json:
        """Return the phases with those that a file writes elsewhere, because they are no time."""
        result: Json = {}
        deal, parties = self.table.get("deal"), self.table.get("parties")
        if isinstance(deal, dict) and "turned" in deal:
            turned = deal.pop("turned")
            result["turnup"] = {"cite": turned} if isinstance(turned, str) else turned
            self.written["phases", "turnup"] = ("deal", "turned")
        together: Json = {}
        if isinstance(parties, dict):
            keys = [key for key, value in parties.items() if not isinstance(value, dict)]
            together = {key: parties.pop(key) for key in keys}
        for name, row in phases.items():
            is_due = name in ("calls", "tricks") and "parties" not in result
            if isinstance(parties, dict) and is_due:
                result["parties"] = together
                self.written["phases", "parties"] = ("parties",)
            result[name] = row
        return result

    def _phases(self, phases: Row) -> Json:
        result: Json = {}
        for name, row in phases.items():
            if name in ELSEWHERE and ("phases", name) not in self.written:
                message = "there is no such phase in a ruleset file"
                self.faults.append(
                    ExpansionFault(("phases", name), message, quote(name), ELSEWHERE[name])
                )
                continue
            if not isinstance(row, dict):
                result[name] = row
                continue
            kind = RESERVATIONS if name == AUCTION and row.get("turns") == WISHES else name
            cls = find_phase(kind) if is_phase(kind) else None
            if cls is None:
                result[name] = row
                continue
            rest = dict(row)
            if isinstance(rest.get("doubles"), dict) and "doubles" in cls.parameters:
                rest["doubles"] = self._doubles(name, rest["doubles"])
            counted = rest.pop("counted", None) if "counted" not in cls.parameters else None
            said = self._words(name, cls, rest)
            if kind == RESERVATIONS:
                self._wishes(name, rest)
            if kind != name:
                self.written["phases", kind] = ("phases", name)
            for word in cls.clause_order.split():
                self._clause_rows(name, kind, cls, word, said.get(word), rest)
            result[kind] = rest
            if counted is not None and counted is not False:
                result["counting"] = {"cite": counted} if isinstance(counted, str) else counted
                self.written["phases", "counting"] = ("phases", name, "counted")
        return result

    def _doubles(self, phase: str, doubles: Row) -> list[str]:
        """Return the doubles of an auction, and add a clause for each one."""
        for verb, cite in doubles.items():
            row = f"doubling-{verb}"
            self.clauses[row] = {"word": "doubling", "on": [verb], "cite": cite}
            self.written["clauses", row] = ("phases", phase, "doubles")
            self.written["clauses", row, "cite"] = ("phases", phase, "doubles", verb)
        return list(doubles)

    def _words(self, name: str, cls: PhaseSpec, row: Json) -> dict[str, Json]:
        """Return what applies for each clause word of a phase, and take the words out of its row.

        Keys that bring words keep their value alone.
        """
        cite = {"cite": row["cite"]} if "cite" in row else {}
        said: dict[str, Json] = {}
        for key, parameter in cls.parameters.items():
            value = row.get(key)
            if not parameter.words or not isinstance(value, dict):
                if value is False and parameter.kind not in ("bool",):
                    del row[key]
                continue
            rest = {part: of for part, of in value.items() if part != "is"}
            row[key] = value.get("is", True)
            if rest and row[key] is not False:
                said |= {word: {**cite, **rest} for word in parameter.words}
            for word in parameter.words:
                self.written["clauses", word] = ("phases", name, key)
        asked = dict(row)
        idle = cls.idle_words(asked, self.table)
        for word in cls.clause_order.split():
            value = row.pop(word, None) if word not in cls.parameters else None
            standard = word in cls.standard_words.split()
            if word in idle:
                continue
            if value is not None and value is not False and not isinstance(value, dict):
                allowed = 'a paragraph in quotes ("2.1"), a table, or false to drop the rule'
                here = ("phases", name, word)
                self.faults.append(ExpansionFault(here, "not a rule", quote(value), allowed))
            elif isinstance(value, dict):
                said[word] = {**cite, **value}
            elif (
                value is None
                and standard
                and word not in said
                and not self._is_replaced(name, word)
            ):
                said[word] = dict(cite)
        return said

    def _is_replaced(self, phase: str, word: str) -> bool:
        """Return whether rows of [clauses] stand in the place of a standard rule.

        They do if they have its word, or if a duty has its name.
        """
        for name, row in self.own.items():
            if not isinstance(row, dict) or (word == HELD and row.get("phase", phase) != phase):
                continue
            if row.get("word", name) == word or name == word:
                return True
        return False

    def _clause_rows(
        self, name: str, kind: str, cls: PhaseSpec, word: str, said: Json | None, row: Row
    ) -> None:
        """Add the clauses of one word: one for each verb that has its own paragraph."""
        if said is None:
            return
        verbs = {part: of for part, of in said.items() if part in verbs_of(cls) and of is not None}
        rest = {part: of for part, of in said.items() if part not in verbs}
        own_name = word if word != HELD or name in ("tricks", "bouts") else f"{name}-{HELD}"
        here = self.written.pop(("clauses", word), ("phases", name, word))
        if not verbs:
            self._add_clause(own_name, here, kind, cls, word, rest, row)
            return
        for verb, of in verbs.items():
            if isinstance(of, dict):
                says = {**rest, "on": [verb], **of}
                self._add_clause(f"{own_name}-{verb}", (*here, verb), kind, cls, word, says, row)

    def _add_clause(
        self,
        name: str,
        here: Parts,
        kind: str,
        cls: PhaseSpec,
        word: str,
        says: Row,
        row: Row,
    ) -> None:
        clause: Json = {} if word == name else {"word": word}
        if word == HELD:
            clause["phase"] = kind
        on = cls.judged.get(word, ())
        on = row.get(on, ()) if isinstance(on, str) else on
        if on and isinstance(on, list | tuple):
            clause["on"] = list(on)
        written = {key: self._listed(key, value) for key, value in says.items()}
        self.clauses[name] = {**clause, **written}
        self.written["clauses", name] = here

    def _listed(self, key: str, value: object) -> object:
        takes = self.shape.rows["clauses"].get(key)
        is_list = takes is not None and takes.kind in TEXT_LISTS
        return [value] if is_list and isinstance(value, str) else value

    def _wishes(self, name: str, row: Json) -> None:
        """Translate an auction in which each player names a wish once."""
        row.pop("turns", None)
        kind = RESERVATIONS
        if "nobody" in row:
            row["default"] = row.pop("nobody")
            self.written["phases", kind, "default"] = ("phases", name, "nobody")
        raises = row.pop("raises", [])
        contracts = self.table.get("contracts")
        for code, contract in contracts.items() if isinstance(contracts, dict) else ():
            if not isinstance(contract, dict):
                continue
            alone = contract.get("sides") == "alone"
            if alone:
                contract["solo"] = True
            if (alone and raises == "alone") or (isinstance(raises, list) and code in raises):
                contract["raises"] = True
        remedies = self.table.get("remedies")
        for remedy in remedies.values() if isinstance(remedies, dict) else ():
            on = remedy.get("on") if isinstance(remedy, dict) else None
            if isinstance(on, list):
                prefix = f"{name}."
                remedy["on"] = [
                    f"{kind}.{code.removeprefix(prefix)}"
                    if isinstance(code, str) and code.startswith(prefix)
                    else code
                    for code in on
                ]

    # --- own rows of [clauses]

    def _complete_rows(self, phases: Row) -> None:
        """Add the word and the phase that a row's keys imply."""
        for name, row in self.own.items():
            if not isinstance(row, dict):
                continue
            if "word" not in row:
                word = next((word for key, word in WORD_OF_KEY.items() if key in row), None)
                if word is not None:
                    row["word"] = word
            word = row.get("word", name)
            if word == "duty" and row.get("cards") in WANTED:
                row.setdefault("wanted", WANTED[row["cards"]])
            if word in GENERAL and "phase" not in row:
                on = row.get("on")
                verb = on[0] if isinstance(on, list) and on else None
                phase = next(self._phases_with(verb, phases), None)
                if phase is not None:
                    row["phase"] = phase
            elif row.get("phase") == AUCTION and self._has_wishes(phases):
                row["phase"] = RESERVATIONS

    def _has_wishes(self, phases: Row) -> bool:
        row = phases.get(AUCTION)
        return isinstance(row, dict) and row.get("turns") == WISHES

    def _phases_with(self, verb: object, phases: Row) -> Iterator[str]:
        """Yield the phases, as compiled, that have an entry with this verb."""
        for name in phases:
            kind = RESERVATIONS if name == AUCTION and self._has_wishes(phases) else name
            cls = find_phase(kind) if is_phase(kind) else None
            if cls is not None and verb in verbs_of(cls):
                yield kind

    def _place_rows(self, clauses: Json) -> None:
        """Move the rows that must judge before or after a standard rule."""
        for name, row in list(clauses.items()):
            if not isinstance(row, dict):
                continue
            for word in ("before", "after"):
                target = row.get(word)
                if not isinstance(target, str):
                    continue
                del row[word]
                if target not in clauses or target == name:
                    known = [other for other in clauses if other != name]
                    allowed = " ".join(
                        [did_you_mean(target, known), ", ".join(map(quote, known[:40]))]
                    )
                    message = "there is no such row in its table"
                    self.faults.append(
                        ExpansionFault(
                            ("clauses", name, word), message, quote(target), allowed.strip()
                        )
                    )
                    continue
                _place(clauses, name, target, word == "after")


def _place(table: Json, key: str, target: str, after: bool) -> None:
    order = [name for name in table if name != key]
    order.insert(order.index(target) + after, key)
    rows = {name: table[name] for name in order}
    table.clear()
    table.update(rows)


def _copy(value: Row) -> Json:
    def copied(part: object) -> object:
        if isinstance(part, dict):
            return {key: copied(inner) for key, inner in part.items()}
        return [copied(inner) for inner in part] if isinstance(part, list) else part

    return {key: copied(part) for key, part in value.items()}
