"""The paths that rows of the former table [clauses] have in the current rule language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.ruleset.calls_table import CALLS, HOLDINGS, VERBS_OF_HOLDINGS
from scorekeeper.ruleset.surface import (
    DOUBLES,
    DOUBLING,
    PLAY_PHASES,
    Shape,
    as_shown,
    phases_named,
)
from scorekeeper.ruleset.tables import (
    OWN_KEYS,
    RENAMED_PHASES,
    current_code,
    join_key,
    split_key,
)
from scorekeeper.ruleset.vocabulary import HELD, clause_words, find_phase, verbs_judged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.merge import MergedRuleset
    from scorekeeper.ruleset.vocabulary import PhaseSpec

    Parts = tuple[str, ...]

# Keys of a row that its place in a phase determines.
PLACED = ("word", "phase", "before", "after")


class Places:
    """The current place of each row in a file's former [clauses].

    `before` are the file's former tables, and `base` is the ruleset that the file extends.
    `inherited` maps rows of the base to their converted paths, and `codes` maps former codes to
    current codes. `moved` maps the names of this file's rows to their paths.
    """

    def __init__(
        self,
        before: Row,
        base: MergedRuleset,
        inherited: Mapping[str, Parts],
        codes: Mapping[str, str],
    ) -> None:
        self.base = base
        self.before = before
        self.inherited = inherited
        self.codes = codes
        self.clauses = _rows(before, "clauses")
        self.base_rows = _rows(base.table, "clauses")
        self.phases = _merged(_rows(base.table, "phases"), _rows(before, "phases"))
        named: Row = {"phases": {name: row for name, row in self.phases.items() if row}}
        self.shape = Shape(phases_named([named, {"phases": self.phases}, before]))
        self.moved: dict[str, Parts] = {}
        self.standard: set[Parts] = set()
        self.removed: set[Parts] = set()
        self.changed: set[str] = set()

    def is_in_base(self, phase: str) -> bool:
        return isinstance(_rows(self.base.table, "phases").get(phase), dict)

    def is_in_base_row(self, name: str) -> bool:
        return name in self.base_rows

    def key_words(self, path: Parts) -> tuple[str, ...]:
        """Return the clause words of the phase's key at a path, or () if there is no such key."""
        phase, key = _phase_of(path), path[-1]
        for cls in self.shape.classes.get(phase, []):
            if key in cls.parameters and len(path) == (2 if phase in OWN_KEYS else 3):
                return cls.parameters[key].words
        return ()

    # --- the file's rows

    def rules(self) -> Iterator[tuple[str, Parts, object]]:
        """Yield each row's former name, its path, and its value there, in the file's order."""
        groups: dict[tuple[str, str], list[str]] = {}
        for name, row in self.clauses.items():
            path = self._inherited_path(name, row)
            if path is not None:
                self._move(name, path)
                self.changed.add(name)
            elif isinstance(row, dict):
                groups.setdefault(self._phase_and_word(name, row), []).append(name)
        self.removed = {path for name, path in self.moved.items() if self.clauses[name] is False}
        for (phase, word), names in groups.items():
            for name, path in self._paths(phase, word, names).items():
                self._move(name, path)
                if len(names) == 1 and self._is_usual(phase, path, self.clauses[name]):
                    self.standard.add(path)
        for name, row in self.clauses.items():
            path = self.moved.get(name, ("clauses", name))
            if path in self.standard:
                continue
            yield name, path, self._value(path, row)
            if path == ("clauses", name) and name not in self.changed and isinstance(row, dict):
                yield from self._base_rule(str(row.get("word", name)), row)

    def _tables(self) -> Row:
        """Return the phases. If there are only holdings, include a phase for calls."""
        return {CALLS: {}, **self.phases} if HOLDINGS in self.phases else self.phases

    def _is_usual(self, phase: str, path: Parts, row: Row) -> bool:
        """Return whether the file can leave out a rule.

        This is so if the rule is standard in a phase that the base does not have.
        """
        cite = self.phases[phase].get("cite")
        is_standard = self.shape.is_standard(_full(path)) and not self.is_in_base(phase)
        return is_standard and self._value(path, row) == {"cite": cite}

    def preceding(self, name: str) -> str:
        """Return the name of the rule before which a row of [clauses] must be placed, or "".

        Rows of [clauses] are judged after the rules in their phase's table. A row that was judged
        before such a rule must therefore name it.
        """
        names = list(self.clauses)
        row = self.clauses[name]
        if name in self.changed or "before" in row or "after" in row:
            return ""
        phase, verbs = self._judges(name, row)
        for other in names[names.index(name) + 1 :]:
            path = self.moved.get(other)
            if path is None or not isinstance(self.clauses[other], dict):
                continue
            judged = self._judges(other, {**self.clauses[other], "phase": _phase_of(path)})
            if judged[0] == phase and judged[1] & verbs:
                return self._row_name(path)
        return ""

    def _judges(self, name: str, row: Row) -> tuple[str, set[str]]:
        """Return the phase of a rule, and the verbs that it judges."""
        word, on = row.get("word", name), row.get("on")
        verbs = {str(verb) for verb in on} if isinstance(on, list) else set()
        for phase, cls in self._classes():
            known = clause_words([cls]).get(str(word))
            if row.get("phase", phase) == phase and (known is not None or "phase" in row):
                return phase, verbs or (set(known.on) if known else set(cls.verb_names))
        return "", verbs

    def _paths(self, phase: str, word: str, names: list[str]) -> dict[str, Parts]:
        """Return, for each of these new rows with the same word, its path in the phase's table.

        Rows that remain in [clauses] have no path.
        """
        if word == DOUBLING:
            return self._doubling_paths(names)
        full = self.shape.path_of_rule(phase, word, self._tables()) if phase else None
        if full is None or (word in VERBS_OF_HOLDINGS and CALLS in self.phases):
            return {}
        path = as_shown(full)
        if self._is_taken(path):
            return {}
        words = self.key_words(path)
        if words:
            return dict.fromkeys(names, path) if self._fits_key(phase, path, words, names) else {}
        if len(names) == 1:
            return {names[0]: path}
        verbs = {name: _verb(self.clauses[name]) for name in names}
        known = {verb for cls in self.shape.classes[phase] for verb in cls.verb_names}
        if len(set(verbs.values())) == len(names) and known.issuperset(verbs.values()):
            return {name: (*path, verb) for name, verb in verbs.items()}
        return {name: path for name in names if name == word}

    def _is_taken(self, path: Parts) -> bool:
        """Return whether the base has a rule at a path, and the file does not drop the rule."""
        for name in self.base_rows:
            here = self.base.written_path(("clauses", name))
            if here[: len(path)] == path and here not in self.removed:
                return True
        return False

    def _doubling_paths(self, names: list[str]) -> dict[str, Parts]:
        """Return the paths of the doubles if every double of the auction has a row."""
        verbs = {name: _verb(self.clauses[name]) for name in names}
        for phase, row in self.phases.items():
            doubles = row.get(DOUBLES) if isinstance(row, dict) else None
            if isinstance(doubles, list) and sorted(map(str, doubles)) == sorted(verbs.values()):
                return {name: ("phases", phase, DOUBLES, verb) for name, verb in verbs.items()}
        return {}

    def _fits_key(self, phase: str, path: Parts, words: tuple[str, ...], names: list[str]) -> bool:
        """Return whether the phase sets the key, and all words of the key have equal rules."""
        row = self.phases.get(phase)
        if not isinstance(row, dict) or row.get(path[-1]) in (None, False) or len(names) > 1:
            return False
        rows = [
            self._value(path, each)
            for name, each in self.clauses.items()
            if isinstance(each, dict) and each.get("word", name) in words
        ]
        return len(rows) == len(words) and all(each == rows[0] for each in rows)

    def _phase_and_word(self, name: str, row: Row) -> tuple[str, str]:
        """Return a rule's phase and its word. The phase is "" if no phase has the word."""
        word = str(row.get("word", name))
        found = [
            phase
            for phase, cls in self._classes()
            if word in cls.clause_order.split() and row.get("phase", phase) == phase
        ]
        on = row.get("on")
        if len(found) > 1 and isinstance(on, list):
            exact = [phase for phase in found if self._judged(phase, word) == on]
            found = exact or [
                phase
                for phase in found
                if any(set(map(str, on)) & set(c.verb_names) for c in self.shape.classes[phase])
            ]
        return found[0] if found else "", word

    def _base_rule(self, word: str, row: Row) -> Iterator[tuple[str, Parts, object]]:
        """Yield the standard rule of the base that a row with the same word would replace."""
        for name, clause in self.base_rows.items():
            path = self.base.written_path(("clauses", name))
            is_there = word != HELD or row.get("phase") == clause.get("phase")
            is_same = clause.get("word", name) == word and path[0] != "clauses" and is_there
            if is_same and self.clauses.get(name) is not False and "cite" in clause:
                yield name, path, {"cite": clause["cite"]}

    # --- inherited rows

    def _inherited_path(self, name: str, row: object) -> Parts | None:
        """Return the path of the base's row that a file's row changes, or None."""
        if name in self.inherited:
            return self.inherited[name]
        present = name if name in self.base_rows else self._present_name(name)
        if not present:
            return None
        word = self.base_rows[present].get("word", present)
        path = self.base.written_path(("clauses", present))
        is_same = not isinstance(row, dict) or row.get("word", word) == word
        return path if is_same or path[0] == "clauses" else None

    def _present_name(self, name: str) -> str:
        """Return the base's current name for a shipped row, given its former name, or ""."""
        phases = _rows(self.base.table, "phases")
        for before, now in self.codes.items():
            phase, _, word = current_code(now).partition(".")
            path = self.shape.path_of_rule(phase, word, phases)
            if before.partition(".")[2] != name or path is None:
                continue
            for each in self.base_rows:
                if self.base.written_path(("clauses", each)) == as_shown(path):
                    return each
        return ""

    # --- values

    def _move(self, name: str, path: Parts) -> None:
        if path != ("clauses", name):
            self.moved[name] = path

    def _value(self, path: Parts, row: object) -> object:
        """Return a rule as written at a path, without the keys that its place determines."""
        if not isinstance(row, dict) or path[0] == "clauses":
            return row
        phase = _phase_of(path)
        word = _full(path)[2]
        value = {key: of for key, of in row.items() if key not in PLACED}
        if len(_full(path)) > 3:
            value.pop("on", None)
            return value
        judged = self._judged(phase, word)
        if value.get("on") == judged:
            value.pop("on", None)
        elif judged and "on" not in row and path not in self.inherited.values():
            usual = self._usual_verbs(phase, word)
            if usual and usual != judged and not self.is_in_base(phase):
                value["on"] = usual
        return value

    def _judged(self, phase: str, word: str) -> list[str] | None:
        """Return the verbs that a rule in its phase's table judges by default."""
        row = self.phases.get(phase)
        for cls in self._variants(phase):
            verbs = verbs_judged(cls, word, row, self.phases)
            if verbs:
                return verbs
        return None

    def _usual_verbs(self, phase: str, word: str) -> list[str]:
        known = clause_words(self._variants(phase))
        return list(known[word].on) if word in known else []

    def _variants(self, phase: str) -> list[PhaseSpec]:
        row = self.phases.get(phase)
        cls = find_phase(phase, row) if isinstance(row, dict) else None
        return [] if cls is None else [cls]

    def _classes(self) -> Iterator[tuple[str, PhaseSpec]]:
        rows: dict[str, object] = {**self.phases}
        for name in ("remedies", "counters"):
            if name in self.before or name in self.base.table:
                rows.setdefault(name, {})
        for name, row in rows.items():
            cls = find_phase(name, row) if isinstance(row, dict) else None
            if cls is not None:
                yield name, cls

    # --- standard rules

    def standard_rules_to_drop(self) -> Iterator[Parts]:
        """Yield the paths of the standard rules that apply only in the current language.

        A word of holdings in [clauses] does not become a word of calls.
        """
        whole = _merged(self.base.table, self.before)
        whole["phases"] = self.phases
        present = {**self.base_rows, **self.clauses}
        for phase, cls in self._classes():
            row = self.phases.get(phase, {})
            usual = {key: of for key, of in row.items() if of is not False}
            idle = set(cls.idle_words(usual, whole))
            for word in cls.standard_words.split():
                path = self.shape.path_of_rule(phase, word, self._tables())
                if word in idle or path is None or self._was_active(phase, cls, word):
                    continue
                if word in VERBS_OF_HOLDINGS and CALLS in self.phases:
                    name, verbs = VERBS_OF_HOLDINGS[word]
                    yield from ((CALLS, name, verb) for verb in verbs)
                    continue
                if as_shown(path) in self.moved.values():
                    continue
                if not any(
                    isinstance(each, dict)
                    and each.get("word", name) == word
                    and each.get("phase", phase) == phase
                    for name, each in present.items()
                ):
                    yield as_shown(path)

    def _was_active(self, phase: str, cls: PhaseSpec, word: str) -> bool:
        """Return whether the base already applies a standard rule, or has dropped it."""
        if not self.is_in_base(phase):
            return False
        row = self.base.table["phases"][phase]
        return word not in cls.idle_words(row, self.base.table)

    # --- names of rules

    def current_name(self, name: str) -> str:
        """Return the current name of a row."""
        path = self.moved.get(name) or self.inherited.get(name)
        if path is not None:
            return self._row_name(path)
        if name in self.clauses or name in self.base_rows:
            return name
        return self._present_name(name) or name

    def _row_name(self, path: Parts) -> str:
        """Return the name of the compiled row for a path."""
        full = _full(path)
        if full[0] != "phases":
            return path[-1]
        phase, word, verb = full[1], full[2], full[3:]
        if word == HELD:
            return HELD if phase in PLAY_PHASES else f"{phase}-{HELD}"
        word = next(iter(self.key_words(path)), word)
        return "-".join([DOUBLING if word == DOUBLES else word, *verb])

    def current_code(self, code: str) -> str:
        """Return the current code of a rule."""
        phase, dot, name = code.partition(".")
        phase = RENAMED_PHASES.get(phase, phase)
        path = self.moved.get(name) or self.inherited.get(name)
        if path is not None and dot:
            full = _full(path)
            if full[0] == "phases" and full[1] == phase:
                return f"{phase}.{HELD if full[2] == HELD else self._row_name(path)}"
        now = f"{phase}{dot}{name}"
        if name in self.clauses:
            return now
        return current_code(self.codes.get(now, now))

    def current_path(self, path: Parts) -> Parts:
        """Return the current path of a table, row or key of the file."""
        if path[:1] == ("sheet",):
            return path[1:]
        if path[:1] == ("clauses",) and len(path) > 1:
            return (*self.moved.get(path[1], path[:2]), *path[2:])
        if path[:1] == ("phases",) and len(path) > 1:
            name = RENAMED_PHASES.get(path[1], path[1])
            return as_shown(("phases", name, *path[2:]))
        return path

    def current_cite(self, key: str) -> str:
        """Return the current key of a row in [cites], which is a path or a code."""
        parts = split_key(key)
        if parts[:1] == ("clauses",) and len(parts) == 2:
            path = self.moved.get(parts[1]) or self._inherited_path(parts[1], {})
            return key if path is None else join_key(path)
        if len(parts) == 2 and parts[0] not in self.before:
            return self.current_code(key)
        return join_key(self.current_path(parts)) if parts else key


def _rows(table: Row, name: str) -> Json:
    rows = table.get(name)
    return dict(rows) if isinstance(rows, dict) else {}


def _merged(base: Row, over: Row) -> Json:
    """Return two tables as one, in which `over` takes precedence."""
    result: Json = dict(base)
    for key, value in over.items():
        inner = result.get(key)
        if isinstance(inner, dict) and isinstance(value, dict):
            result[key] = _merged(inner, value)
        else:
            result[key] = value
    return result


def _verb(row: Row) -> str:
    on = row.get("on")
    return str(on[0]) if isinstance(on, list) and len(on) == 1 else ""


def _full(path: Parts) -> Parts:
    """Return the compiled form of a path. The tables in OWN_KEYS are compiled as phases."""
    return ("phases", *path) if path[0] in OWN_KEYS else path


def _phase_of(path: Parts) -> str:
    return _full(path)[1]
