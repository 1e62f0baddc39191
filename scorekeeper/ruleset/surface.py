"""The language of ruleset files, and its translation into compiled tables.

A file states each rule once and briefly. A clause is a word in its phase's table. The standard
rules of a phase apply even if the file does not list them. `normalize` gives every file the same
shape before files are merged. `expand` translates the merged table as a whole, because a ruleset
that extends another one may change anything on which a standard rule depends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.ruleset.calls_table import (
    ANNOUNCE,
    CALL,
    CALL_WORDS,
    CALLS,
    HOLDINGS,
    IN_HAND,
    SHOW,
    in_calls,
    split_calls,
)
from scorekeeper.ruleset.ranking import FIGURE, RANKING
from scorekeeper.ruleset.reports import BREAKDOWN, SHEET, STATISTIC
from scorekeeper.ruleset.tables import (
    CLAUSE,
    OWN_KEYS,
    PHASE,
    SCORE,
    TABLES,
    describe_kind,
    suggest,
)
from scorekeeper.ruleset.tables import VERSION as COMPILED
from scorekeeper.ruleset.vocabulary import (
    BESIDE,
    HELD,
    clause_words,
    find_phase,
    is_phase,
    variants_of,
    verbs_judged,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TypeGuard

    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.tables import Parameter
    from scorekeeper.ruleset.vocabulary import PhaseSpec

    Parts = tuple[str, ...]

LANGUAGE = 4
"""The version of the language in which rulesets are written."""

# The key that lists an auction's doubles, and the clause word of the rules about doubles.
DOUBLES, DOUBLING = "doubles", "doubling"
SHARES = "shares"
# Tables of the sheet that are top-level tables of a file.
SHEET_TABLES = ("columns", "totals", "ladders")
# Tables that a sheet page may have.
SHEET_PAGE_TABLES = ("lines", "signs", *SHEET_TABLES, "statistics", "breakdowns", "history")
# Two tables of the sheet page that describe rows, each with the table to which these rows belong.
DESCRIBING = {"lines": "scores", "signs": "columns"}
# If a row does not name its clause word, one of these keys in the row implies the word.
WORD_OF_KEY = {
    "must": "require",
    "cards": "duty",
    "least": "raise",
    "verbs": "until",
    "who": "caller",
}
# The keys with which a sheet page may describe a score row.
LINE = ("label", "worth")
# Those tables in OWN_KEYS that are compiled as phases before the tricks.
BEFORE_PLAY = ("parties", "calls", "holdings")
# Those tables in OWN_KEYS that are compiled even if a file sets none of their own keys.
BROUGHT = (*BEFORE_PLAY, "levels")
# Clause words that every phase has.
GENERAL = ("require", "remark", "until", HELD)
# The usual description of the card that a duty requires, by the value of its key `cards`.
WANTED = {
    "led": "a card of the suit that was led",
    "led & beating": "a higher card of the suit",
    "trumps": "a trump",
    "trumps & beating": "a higher trump",
}
# The kinds of list that can be written as a single text.
TEXT_LISTS = ("texts", "cards")
# Kinds of values that can be `false`. For all other kinds, `false` removes the key.
TRUTHS = ("bool", "condition")
# The path of the rule about counting tricks. The rule is compiled as a separate phase.
COUNTING = ("tricks", "counted")
# The path of the key for the turned-up card, and the phases that have this key when compiled, each
# with the key's name there.
TURNED, TURNED_KEYS = ("deal", "turned"), {"stock": "turned", "bouts": "shown", "kitty": "takes"}
TAKER = "taker"
# The phases with a pile from which cards are drawn. The last card of the pile is turned up.
PILES = ("stock", "bouts")
# In these phases, the compiled row for the word `held` is also named `held`. In other phases, its
# name is `PHASE-held`.
PLAY_PHASES = ("tricks", "bouts")
# Keys that a rule in its phase's table cannot have, because the rule's path determines them.
PLACED = ("word", "phase")
A_RULE = 'a paragraph in quotes ("2.1"), a table, or false to drop the rule'


class ExpansionFault(NamedTuple):
    """A row that cannot be translated: its key as written, the value, and the allowed values."""

    key: Parts
    message: str
    found: str = ""
    allowed: str = ""


class Rule(NamedTuple):
    """The keys of one rule, and the path of the rule in the file."""

    key: Parts
    says: Json


class Expanded(NamedTuple):
    """The compiled form of a ruleset.

    `written` maps the path of a row or value in `table` to its path in the file, if they differ.
    """

    table: Json
    written: dict[Parts, Parts]
    faults: list[ExpansionFault]


# --- the shape of one file


def as_shown(path: Parts) -> Parts:
    """Return a path as it is written in a file, where the tables in OWN_KEYS are not under
    `phases`."""
    path = in_calls(path)
    return path[1:] if path[:1] == ("phases",) and path[1:2] and path[1] in OWN_KEYS else path


def as_file(table: Json) -> Json:
    """Return the merged tables as one file (see `as_shown`)."""
    phases = table.get("phases")
    if not isinstance(phases, dict):
        return table
    moved = {name: phases[name] for name in OWN_KEYS if isinstance(phases.get(name), dict)}
    rest = {name: row for name, row in phases.items() if name not in moved}
    tables = {name: {**own, **table.get(name, {})} for name, own in moved.items()}
    return {**table, "phases": rest, **tables}


def phases_named(tables: Iterable[Row]) -> list[str]:
    """Return the compiled names of the phases in these files."""
    names: dict[str, None] = {}
    for table in tables:
        phases = table.get("phases")
        for name in phases if isinstance(phases, dict) else ():
            names[name] = None
        for name in OWN_KEYS:
            if name in table:
                names[name] = None
        if CALLS in names:
            names[HOLDINGS] = None
    for name in ("parties", "remedies", "counters", "table", "counting"):
        names[name] = None
    return [name for name in names if is_phase(name)]


class Shape:
    """The tables, keys and clause words that a ruleset's files may have, given its phases.

    `phases` are the names of the phases in all files of a ruleset, as compiled. A phase may have
    several classes, because a later file can select another variant.
    """

    def __init__(self, phases: Iterable[str]) -> None:
        self.classes: dict[str, list[PhaseSpec]] = {}
        self.single: dict[str, Mapping[str, Parameter]] = {**TABLES, "ranking": RANKING}
        self.rows: dict[str, dict[str, Parameter]] = {
            "clauses": dict(CLAUSE),
            "scores": dict(SCORE),
            "figures": dict(FIGURE),
            "statistics": dict(STATISTIC),
            "breakdowns": dict(BREAKDOWN),
            **{name: dict(SHEET[name]) for name in SHEET_TABLES},
        }
        self._add(phases)

    def _add(self, phases: Iterable[str]) -> None:
        """Add the rows and words of more phases."""
        for phase in phases:
            if phase in self.classes:
                continue
            self.classes[phase] = variants_of(phase)
            for cls in self.classes[phase]:
                for name, takes in cls.row_tables.items():
                    if name in cls.single_tables:
                        self.single[name] = takes
                    else:
                        self._add_rows(name, takes)
        # One phase at a time, because two of them may have different words with the same name.
        for classes in self.classes.values():
            for word in clause_words(classes).values():
                self.rows["clauses"].update(word.parameters)

    def _add_rows(self, name: str, takes: Mapping[str, Parameter]) -> None:
        """Add keys that the rows of a table may have."""
        if name == CALLS:
            takes = {IN_HAND if key == "cards" else key: of for key, of in takes.items()}
        name = CALLS if name == HOLDINGS else name
        self.rows[name] = {**self.rows.get(name, {}), **takes}

    def words_of(self, phase: str) -> set[str]:
        """Return the clause words that a file may write in a phase's table."""
        words = {word for cls in self.classes.get(phase, []) for word in cls.clause_order.split()}
        return words | set(CALL_WORDS) if phase == CALLS else words

    def path_of_rule(self, phase: str, name: str, phases: Row) -> Parts | None:
        """Return the path of a rule in its phase's table, or None if there is no such rule.

        `name` is the name of its compiled row: the word, followed by the verb if the rule has one.
        """
        table = CALLS if phase == HOLDINGS else phase
        for cls in self.classes.get(phase, []) if isinstance(phases.get(table), dict) else ():
            keys = {word: key for key, takes in cls.parameters.items() for word in takes.words}
            for word in cls.clause_order.split():
                path = in_calls(("phases", phase, keys.get(word, word)))
                if name == word:
                    return path
                verb = name.removeprefix(f"{word}-")
                if verb != name and verb in cls.verb_names:
                    return (*path, verb)
        verb = name.removeprefix(f"{DOUBLING}-")
        return None if verb == name else ("phases", phase, DOUBLES, verb)

    def is_standard(self, path: Parts) -> bool:
        """Return whether the rule at a path applies even if no file lists it."""
        names = [(path[1], path[2])] if len(path) == 3 else []
        if len(path) == 3 and path[1] == CALLS and path[2] in CALL_WORDS:
            names = [(phase, word) for phase, word, _ in CALL_WORDS[path[2]]]
        return any(
            word in cls.standard_words.split()
            for phase, word in names
            for cls in self.classes.get(phase, [])
        )

    def normalize(self, table: Row) -> Json:
        """Return a file's table with every row, and every word of a phase, written as a table.

        A value of the wrong kind is not changed. It is reported when the ruleset is checked.
        """
        self._add(phases_named([table]))
        result = self._with_own_keys_apart(table)
        for name, takes in self.rows.items():
            rows = result.get(name)
            if isinstance(rows, dict):
                result[name] = {key: self.row_value(key, row, takes) for key, row in rows.items()}
        for name, keys in self.single.items():
            if isinstance(result.get(name), dict):
                result[name] = self.row_value(name, result[name], keys)
        lines = result.get("lines")
        if isinstance(lines, dict):
            result["lines"] = {
                key: {"label": row} if isinstance(row, str) else row for key, row in lines.items()
            }
        deal = result.get("deal")
        if isinstance(deal, dict) and isinstance(deal.get("turned"), str):
            result["deal"] = {**deal, "turned": {"cite": deal["turned"]}}
        phases = result.get("phases")
        if isinstance(phases, dict):
            result["phases"] = {
                name: {key: self.phase_value(name, key, value) for key, value in row.items()}
                if isinstance(row, dict)
                else row
                for name, row in phases.items()
            }
        return result

    def misplaced(self, table: Row) -> list[str]:
        """Return the names under `[phases]` that belong elsewhere, because they are not steps of a
        round."""
        phases = table.get("phases")
        return [name for name in phases if BESIDE.get(name)] if isinstance(phases, dict) else []

    def _with_own_keys_apart(self, table: Row) -> Json:
        """Return a file's table with the keys of the tables in OWN_KEYS moved to `[phases]`.

        A value that is not a table belongs to a key, because all rows are tables.
        """
        result: Json = dict(table)
        phases = table.get("phases", {})
        if not isinstance(phases, dict):
            return result
        moved: Json = {}
        for name in OWN_KEYS:
            rows = table.get(name)
            if rows is False:
                moved[name] = False
                if name == "levels":
                    del result[name]
            if not isinstance(rows, dict):
                continue
            known = self.own_keys(name)
            own = {
                key: value
                for key, value in rows.items()
                if key in known
                or name == "levels"
                or not (value is False or isinstance(value, dict))
            }
            if own or name in BROUGHT:
                moved[name] = own
            result[name] = {key: value for key, value in rows.items() if key not in own}
            if name == "levels":
                del result[name]
        times = {name: row for name, row in phases.items() if not BESIDE.get(name)}
        if moved or "phases" in table:
            result["phases"] = {**times, **moved}
        return result

    def own_keys(self, name: str) -> set[str]:
        keys = set(PHASE)
        for cls in self.classes.get(name, []):
            keys |= {*cls.parameters}
        return keys | self.words_of(name)

    def row_value(self, name: str, row: object, takes: Mapping[str, Parameter]) -> object:
        if isinstance(row, dict):
            return {key: _as_list(value, takes.get(key)) for key, value in row.items()}
        if name == "cite" or isinstance(row, bool):
            return row
        natural = next((key for key, takes_of in takes.items() if takes_of.natural), "")
        if natural and _fits_natural(row, takes[natural]):
            return {natural: _as_list(row, takes[natural])}
        return row

    def phase_value(self, phase: str, key: str, value: object) -> object:
        """Return a phase's key or word as a table, so that an extending file can change a part of
        it."""
        classes = self.classes.get(phase, [])
        parameter = next((cls.parameters[key] for cls in classes if key in cls.parameters), None)
        if parameter is not None and parameter.words:
            if isinstance(value, dict):
                return {
                    part: _as_list(of, parameter) if part == "is" else of
                    for part, of in value.items()
                }
            if isinstance(value, str) and parameter.kind == "bool":
                return {"is": True, "cite": value}
            return {"is": _as_list(value, parameter)}
        if parameter is not None:
            if key == DOUBLES and isinstance(value, dict):
                return {verb: _as_rule(of) for verb, of in value.items()}
            return _as_list(value, parameter)
        if (phase, key) == COUNTING:
            return _as_rule(value)
        if key in self.words_of(phase):
            if not isinstance(value, dict):
                return _as_rule(value)
            verbs = {verb for cls in classes for verb in cls.verb_names}
            if phase == CALLS:
                verbs |= {CALL, ANNOUNCE, SHOW}
            return {part: _as_rule(of) if part in verbs else of for part, of in value.items()}
        return value


def _fits_natural(row: object, parameter: Parameter) -> bool:
    if isinstance(row, list):
        return parameter.kind in (*TEXT_LISTS, "lines")
    if parameter.kind == "number":
        return isinstance(row, str | int)
    return isinstance(row, str) and parameter.kind in ("text", "condition", "lines", *TEXT_LISTS)


def _as_list(value: object, parameter: Parameter | None) -> object:
    """Return a single text as a list if the key takes a list."""
    is_list = parameter is not None and parameter.kind in TEXT_LISTS
    return [value] if is_list and isinstance(value, str) else value


def _as_rule(value: object) -> object:
    """Return a rule as a table. In a file, a rule may be just the paragraph that it cites."""
    return {"cite": value} if isinstance(value, str) else value


def with_defaults_of_file(row: Row, defaults: Row) -> Json:
    """Return a row that a file adds, with the file's defaults for the table of the row.

    `KEY = false` removes a default. A row with a factor does not take the default points.
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
    """Translate a merged ruleset into compiled tables."""
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
        self._share_scores()
        phases, own = table.get("phases"), table.pop("clauses", {})
        self.own = own if isinstance(own, dict) else {}
        if isinstance(phases, dict):
            phases = self._with_calls_apart(phases)
            self._complete_rows(phases)
            table["phases"] = self._phases(self._concurrent(phases))
        clauses = {**self.clauses, **self.own}
        for name in self.own:
            self.written.pop(("clauses", name), None)
        self._place_rows(clauses)
        self.written = {path: in_calls(here) for path, here in self.written.items()}
        if not isinstance(own, dict):
            table["clauses"] = own
        elif clauses:
            table["clauses"] = clauses
        return Expanded(table, self.written, self.faults)

    def _add_fault(self, key: Parts, message: str, found: str, allowed: str) -> None:
        if len(self.faults) < untrusted.MAX_FAULTS:
            self.faults.append(ExpansionFault(key, message, found, allowed))

    def _add_missing(self, key: Parts, message: str, name: str, known: Iterable[str]) -> None:
        if len(self.faults) < untrusted.MAX_FAULTS:
            self._add_fault(key, message, f'"{quote(name)}"', suggest(name, known))

    # --- scores

    def _share_scores(self) -> None:
        """Replace each score row that has shares with several rows, one for each role.

        The first new row has the name of the old row. A factor that names the old row multiplies
        the new row for the role of the factor.
        """
        rows = self.table.get("scores")
        if not isinstance(rows, dict):
            return
        whole, parts = dict[str, object](), dict[str, list[str]]()
        for name, row in rows.items():
            if not (isinstance(row, dict) and row.get(SHARES)):
                whole[name] = row
                continue
            shares, here = row[SHARES], ("scores", name, SHARES)
            excluded = [key for key in ("for", "against", "points", "factor") if key in row]
            if not isinstance(shares, dict) or excluded:
                found = excluded[0] if excluded else describe_kind(shares)
                allowed = "a table of roles with their points, without for, against, points, factor"
                self._add_fault(here, "not the only key for points", found, allowed)
                continue
            rest = {key: value for key, value in row.items() if key != SHARES}
            for role, points in shares.items():
                part = f"{name}-{role}" if name in parts else name
                parts.setdefault(name, []).append(part)
                whole[part] = {"for": role, "points": points, "label": name, **rest}
                self.written["scores", part] = ("scores", name)
                for key in ("for", "points"):
                    self.written["scores", part, key] = (*here, role)
        for row in whole.values():
            if isinstance(row, dict) and isinstance(row.get("of"), list):
                row["of"] = [
                    part
                    for name in row["of"]
                    for part in (parts.get(name, [name]) if isinstance(name, str) else [name])
                ]
        self.table["scores"] = whole

    # --- the sheet

    def _sheet(self) -> None:
        if "sheet" in self.table:
            message, allowed = "there is no such table in a ruleset file", "[columns], [totals]"
            self._add_fault(("sheet",), message, "[sheet]", f"{allowed}, [ladders]")
            del self.table["sheet"]
        for name, target in DESCRIBING.items():
            rows = self.table.pop(name, {})
            if not isinstance(rows, dict):
                self._add_fault((name,), "not a table", describe_kind(rows), "a table")
                continue
            described = self.table.get(target)
            for row, said in rows.items():
                if isinstance(described, dict) and isinstance(described.get(row), dict):
                    self._describe((name, row), said, (target, row), described[row])
                else:
                    known = described if isinstance(described, dict) else ()
                    self._add_missing(
                        (name, row), f"there is no such row in [{target}]", row, known
                    )
        sheet = {name: self.table.pop(name) for name in SHEET_TABLES if name in self.table}
        self.written |= {("sheet", name): (name,) for name in sheet}
        for path in list(self.written):
            if path[0] in SHEET_TABLES:
                self.written["sheet", *path] = self.written.pop(path)
        if sheet:
            self.table["sheet"] = sheet

    def _describe(self, here: Parts, said: object, path: Parts, row: Json) -> None:
        """Add the description of a row on the sheet page to the row itself, which is at `path`."""
        if here[0] == "signs":
            row["signs"] = said
            self.written[*path, "signs"] = here
            return
        if not isinstance(said, dict):
            self._add_fault(here, "not a text", describe_kind(said), "a text, or a table")
            return
        for key, value in said.items():
            if key in LINE:
                row[key] = value
                self.written[*path, key] = (*here, key)
            else:
                message = "the sheet cannot change this key of a row"
                self._add_missing((*here, key), message, key, LINE)

    # --- phases

    def _with_calls_apart(self, phases: Row) -> Json:
        """Return the phases, with `calls` divided into calls and holdings. Set the tables `calls`
        and `holdings`."""
        result, own, rows = dict(phases), phases.get(CALLS), self.table.get(CALLS)
        if isinstance(own, dict) and isinstance(rows, dict):
            del self.table[CALLS], result[CALLS]
            tables, keys, written = split_calls(rows, own, self.shape.classes)
            self.table |= tables
            result |= keys
            self.written |= written
        return result

    def _concurrent(self, phases: Row) -> Json:
        """Return the phases in the order of compiled tables, including those that are not steps of
        a round."""
        result, phases = self._turned_card(phases)
        beside = {name: phases[name] for name in OWN_KEYS if name in phases}
        before = {name: row for name, row in beside.items() if name in BEFORE_PLAY}
        for name, row in phases.items():
            if name == "tricks":
                result |= before
            if name not in beside:
                result[name] = row
        return {**result, **beside}

    def _turned_card(self, phases: Row) -> tuple[Json, Row]:
        """Return the phase for the turned-up card, and the other phases with their keys for it.

        In a game with a stock or a talon, the last card of this pile is turned up, so there is no
        separate phase. Otherwise the card belongs to the deal, and one player may take it.
        """
        deal = self.table.get("deal")
        turned = deal.pop(TURNED[1], False) if isinstance(deal, dict) else False
        for name, key in TURNED_KEYS.items():
            row = phases.get(name)
            if isinstance(row, dict) and key in row:
                message = "a card that is turned up is a key of [deal]"
                self._add_fault(("phases", name, key), message, quote(str(row[key])), "deal.turned")
        pile = next((name for name in PILES if isinstance(phases.get(name), dict)), "")
        if not self._is_rule(turned, TURNED):
            if pile == "bouts":
                message = "missing: the last card of the talon is turned up"
                self._add_fault(TURNED, message, "nothing", 'its paragraph in quotes ("1.1")')
            return {}, phases
        if pile:
            return {}, {**phases, pile: self._last_of_pile(pile, phases[pile], turned)}
        self.written["phases", "turnup"] = TURNED
        card = {key: value for key, value in turned.items() if key != TAKER}
        return {"turnup": card}, self._with_taker(phases, turned)

    def _last_of_pile(self, pile: str, row: Row, turned: Row) -> Json:
        """Return the row of a stock or a talon whose last card is turned up."""
        here = ("phases", pile, TURNED_KEYS[pile])
        holders = "nobody, dealer" if pile == "bouts" else "nobody"
        for key, value in turned.items():
            allowed = {"trump": "true", "holder": holders}.get(key, "")
            if key not in ("cite", "also") and str(value).lower() not in allowed.split(", "):
                message = "not said of the last card of a stock or a talon"
                self._add_fault(
                    (*TURNED, key), message, quote(str(value)), allowed or "trump, holder, cite"
                )
        deal = self.table["deal"]
        also = [deal.get("also", []), turned.get("cite", []), turned.get("also", [])]
        cites = [each for part in also for each in ([part] if isinstance(part, str) else part)]
        further = list(dict.fromkeys(cite for cite in cites if cite != deal.get("cite")))
        if further:
            deal["also"] = further
        self.written[here] = (*TURNED, "holder")
        holder = turned.get("holder", "nobody")
        return {**row, TURNED_KEYS[pile]: "last" if pile == "stock" else holder}

    def _with_taker(self, phases: Row, turned: Row) -> Row:
        """Return the phases. If a player takes the card, name that player in the phase `kitty`."""
        if not turned.get(TAKER):
            return phases
        row = phases.get("kitty")
        key, here = ("phases", "kitty"), (*TURNED, TAKER)
        if turned.get("holder", "nobody") != "nobody":
            message = "a card in a player's hand cannot be taken"
            self._add_fault(here, message, quote(str(turned[TAKER])), "holder or taker")
        if not isinstance(row, dict):
            row = {"cite": turned["cite"]} if "cite" in turned else {}
            self.written[key] = TURNED
        elif "who" in row:
            message = "who takes the card that is turned up is a key of [deal]"
            self._add_fault((*key, "who"), message, quote(str(row["who"])), "deal.turned.taker")
        self.written[*key, "who"] = self.written[*key, "takes"] = here
        kitty = {"who": turned[TAKER], "takes": TURNED[1]}
        kitty |= {key: value for key, value in row.items() if key not in kitty}
        names = list(phases) if "kitty" in phases else [*phases, "kitty"]
        if "kitty" not in phases and "tricks" in phases:
            names.insert(names.index("tricks"), names.pop())
        return {name: kitty if name == "kitty" else phases[name] for name in names}

    def _phases(self, phases: Row) -> Json:
        result: Json = {}
        for name, row in phases.items():
            cls = find_phase(name, row) if isinstance(row, dict) else None
            if cls is None or not isinstance(row, dict):
                result[name] = row
                continue
            rest = dict(row)
            if isinstance(rest.get(DOUBLES), dict) and DOUBLES in cls.parameters:
                rest[DOUBLES] = self._doubles(name, rest[DOUBLES])
            counted = rest.pop("counted", False) if name == COUNTING[0] else False
            said = self._words(name, cls, rest)
            for word in cls.clause_order.split():
                if word in said:
                    self._clause_rows(name, cls, word, said[word], rest)
            result[name] = rest
            if self._is_rule(counted, ("phases", *COUNTING)):
                result["counting"] = counted
                self.written["phases", "counting"] = ("phases", *COUNTING)
        return result

    def _doubles(self, phase: str, doubles: Row) -> list[str]:
        """Return the doubles of an auction, and add a clause for each one."""
        verbs = []
        for verb, rule in doubles.items():
            here = ("phases", phase, DOUBLES, verb)
            if self._is_rule(rule, here):
                name = f"{DOUBLING}-{verb}"
                self.clauses[name] = {"word": DOUBLING, "on": [verb], **self._fitted(here, rule)}
                self.written["clauses", name] = here
                verbs.append(verb)
        return verbs

    def _words(self, name: str, cls: PhaseSpec, row: Json) -> dict[str, Rule]:
        """Remove the clause words from a phase's row, and return the rule for each word.

        A key that has clause words retains only its value.
        """
        cite = {"cite": row["cite"]} if "cite" in row else {}
        said = self._words_of_keys(name, cls, row, cite)
        idle = cls.idle_words(
            {key: value for key, value in row.items() if value is not False}, self.table
        )
        lacking = []
        for word in cls.clause_order.split():
            value = row.pop(word, None) if word not in cls.parameters else None
            here = ("phases", name, word)
            if word in idle:
                continue
            if value is not None:
                if self._is_rule(value, here):
                    said[word] = Rule(here, {**cite, **self._fitted(here, value)})
                continue
            is_standard = word in cls.standard_words.split() and not self._is_replaced(name, word)
            if is_standard and word not in said:
                if cite:
                    said[word] = Rule(here, dict(cite))
                else:
                    lacking.append(word)
        if lacking:
            message = f"missing: these rules apply without being written: {', '.join(lacking)}"
            allowed = f'their paragraph in quotes ("2.1"), or {lacking[0]} = false'
            self._add_fault(("phases", name, "cite"), message, "nothing", allowed)
        return said

    def _words_of_keys(self, name: str, cls: PhaseSpec, row: Json, cite: Row) -> dict[str, Rule]:
        """Return the rules for the clause words of a phase's keys.

        A key without a paragraph has no rule. `false` removes a key.
        """
        said: dict[str, Rule] = {}
        for key, parameter in cls.parameters.items():
            value = row.get(key)
            if parameter.words and isinstance(value, dict):
                here = ("phases", name, key)
                rest = {part: of for part, of in value.items() if part != "is"}
                row[key] = value.get("is", True)
                if rest and row[key] is not False:
                    rule = Rule(here, {**cite, **self._fitted(here, rest)})
                    said |= dict.fromkeys(parameter.words, rule)
            if row.get(key) is False and parameter.kind not in TRUTHS:
                del row[key]
        return said

    def _fitted(self, here: Parts, rule: Row) -> Json:
        """Return a rule's keys, and report those that its place determines."""
        for key in PLACED:
            if key in rule:
                message = "a rule in its phase's table cannot have this key"
                self._add_fault((*here, key), message, describe_kind(rule[key]), "cite, say, when")
        takes = self.shape.rows["clauses"]
        return {
            key: _as_list(value, takes.get(key)) for key, value in rule.items() if key not in PLACED
        }

    def _is_rule(self, value: object, here: Parts) -> TypeGuard[Json]:
        """Return whether a value is a rule. Report a value that is neither a rule nor false."""
        if isinstance(value, dict):
            return True
        if value is not False:
            self._add_fault(here, "not a rule", describe_kind(value), A_RULE)
        return False

    def _is_replaced(self, phase: str, word: str) -> bool:
        """Return whether rows of [clauses] replace a standard rule.

        They do if a row's word, or its name, is the word of the standard rule.
        """
        for name, row in self.own.items():
            if not isinstance(row, dict) or (word == HELD and row.get("phase", phase) != phase):
                continue
            if row.get("word", name) == word or name == word:
                return True
        return False

    def _clause_rows(self, name: str, cls: PhaseSpec, word: str, rule: Rule, row: Row) -> None:
        """Add the clauses of one word: one for each verb that has its own paragraph."""
        here, says = rule.key, rule.says
        verbs = {part: of for part, of in says.items() if part in cls.verb_names}
        rest = {part: of for part, of in says.items() if part not in verbs}
        own_name = word
        if word == HELD and (name not in PLAY_PHASES or self._is_row_of_other_phase(name)):
            own_name = f"{name}-{HELD}"
        if not verbs:
            self._add_clause(own_name, here, name, cls, word, rest, row)
        for verb, of in verbs.items():
            place = (*here, verb)
            if self._is_rule(of, place):
                says = {**rest, "on": [verb], **self._fitted(place, of)}
                self._add_clause(f"{own_name}-{verb}", place, name, cls, word, says, row)

    def _is_row_of_other_phase(self, phase: str) -> bool:
        """Return whether the file has a row named `held` for another phase."""
        row = self.own.get(HELD)
        return isinstance(row, dict) and row.get("phase", phase) != phase

    def _add_clause(
        self, name: str, here: Parts, phase: str, cls: PhaseSpec, word: str, says: Row, row: Row
    ) -> None:
        clause: Json = {} if word == name else {"word": word}
        if word == HELD:
            clause["phase"] = phase
        on = verbs_judged(cls, word, row, self.table["phases"])
        if on:
            clause["on"] = on
        self.clauses[name] = {**clause, **says}
        self.written["clauses", name] = here

    # --- own rows of [clauses]

    def _complete_rows(self, phases: Row) -> None:
        """Add to each row the word and the phase that its keys imply."""
        for name, row in self.own.items():
            if not isinstance(row, dict):
                continue
            if "word" not in row:
                word = next((word for key, word in WORD_OF_KEY.items() if key in row), None)
                if word is not None:
                    row["word"] = word
            word = row.get("word", name)
            cards = row.get("cards")
            if word == "duty" and isinstance(cards, str) and cards in WANTED:
                row.setdefault("wanted", WANTED[cards])
            if word in GENERAL and "phase" not in row:
                on = row.get("on")
                verb = on[0] if isinstance(on, list) and on else None
                phase = next(self._phases_with(verb, phases), None)
                if phase is not None:
                    row["phase"] = phase

    def _phases_with(self, verb: object, phases: Row) -> Iterator[str]:
        """Yield the phases that have an entry with this verb."""
        for name, row in phases.items() if isinstance(verb, str) else ():
            cls = find_phase(name, row) if isinstance(row, dict) else find_phase(name)
            doubles = row.get(DOUBLES) if isinstance(row, dict) else None
            is_double = isinstance(doubles, dict | list) and verb in doubles
            if cls is not None and (verb in cls.verb_names or is_double):
                yield name

    def _place_rows(self, clauses: Json) -> None:
        """Move the rows that must be judged before or after a standard rule."""
        for name, row in list(clauses.items())[: untrusted.MAX_ROWS]:
            for word in ("before", "after"):
                target = row.get(word) if isinstance(row, dict) else None
                if not isinstance(target, str):
                    continue
                del row[word]
                if target in clauses and target != name:
                    _place(clauses, name, target, word == "after")
                    continue
                others = (other for other in clauses if other != name)
                message = "there is no such row in its table"
                self._add_missing(("clauses", name, word), message, target, others)


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
