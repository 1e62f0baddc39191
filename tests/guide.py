"""The reference part of rulesets/README.md, made from the descriptions of words in the code.

`python -m tests.guide` writes it again; test_docs fails if it is out of date.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorekeeper import load_ruleset
from scorekeeper.core.messages import join_list
from scorekeeper.engine.phase import Phase
from scorekeeper.match.trial import format_value, play_examples
from scorekeeper.ruleset import reports
from scorekeeper.ruleset import tables as standard
from scorekeeper.ruleset.tables import REQUIRED
from scorekeeper.ruleset.vocabulary import PHASES, load_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scorekeeper import Ruleset
    from scorekeeper.engine.phase import AnyPhase, Measure
    from scorekeeper.match.trial import PlayedExample
    from scorekeeper.ruleset.tables import Parameter
    from scorekeeper.ruleset.vocabulary import ClauseWord

GUIDE = Path(__file__).parent.parent / "rulesets" / "README.md"
BEGIN, END = "<!-- words -->", "<!-- end of words -->"
KINDS = {
    "int": "number",
    "bool": "true, false",
    "text": "text",
    "texts": "list of texts",
    "name": "name",
    "number": "expression",
    "condition": "condition",
    "cards": "list of patterns",
    "set": "set of cards",
    "table": "table",
    "file": "name",
    "int for": "table",
    "ints for": "table",
    "int of": "table",
    "values": "table",
    "ints": "list of numbers",
    "lines": "text or list",
}

NAMES = (
    ("extends", "name", "the ruleset that this one changes"),
    ("includes", "list of texts", "files of words that several rulesets share"),
    ("before", "name", "in any row: the row before which it stands"),
    ("after", "name", "in any row: the row after which it stands"),
    ("[words] WORD", "list of texts", "what the game calls it, the canonical word first"),
    ("[let] NAME", "list of patterns, or expression", "a name for it in expressions"),
    ("[verbs] VERB", "true, false", "whether the verb is played"),
    ('[cites] "KEY"', "text", "where that row of what is extended stands in this rule text"),
)


def written(text: str) -> str:
    """Return the reference part of the guide's text."""
    return text.partition(BEGIN)[2].partition(END)[0].strip()


def reference() -> str:
    """Return the reference as the code describes it."""
    return "\n\n".join([*_general(), *_phases()])


def _general() -> Iterator[str]:
    yield "## Keys of every ruleset"
    tables: list[tuple[str, Mapping[str, Parameter]]] = [("at the top", standard.HEADER)]
    tables += [(f"`[{name}]`", takes) for name, takes in standard.TABLES.items()]
    tables += [
        ("`[languages.CODE]`", standard.LANGUAGE),
        ("`[phases.NAME]`, all of them", standard.PHASE),
        ("`[phases.NAME]`, each that has its time", standard.TIMED),
        ("`[clauses.NAME]`, all of them", standard.CLAUSE),
        ("`[scores.NAME]`", standard.SCORE),
    ]
    tables += [(f"`[sheet.{name}.NAME]`", takes) for name, takes in reports.SHEET.items()]
    tables.append(("`[statistics.NAME]`", reports.STATISTIC))
    tables.append(("`[breakdowns.NAME]`", reports.BREAKDOWN))
    tables.append(("`[history]`", reports.HISTORY))
    for where, takes in tables:
        yield _keys(where, takes)
    rows = ["| of names alone | takes | is |", "|---|---|---|"]
    yield "\n".join([*rows, *(f"| `{key}` | {takes} | {doc} |" for key, takes, doc in NAMES)])


def _keys(where: str, takes: Mapping[str, Parameter]) -> str:
    rows = [f"| {where} | takes | without it | is |", "|---|---|---|---|"]
    for key, parameter in takes.items():
        kind = KINDS.get(parameter.kind) or " ".join(f"`{c}`" for c in parameter.choices if c)
        without = "needed" if parameter.default is REQUIRED else _shown(parameter.default)
        rows.append(f"| `{key}` | {kind} | {without} | {_cell(parameter.doc)} |")
    return "\n".join(rows)


def _shown(default: Any) -> str:
    if default in ("", [], {}, ()):
        return ""
    if isinstance(default, bool):
        return str(default).lower()
    return f"`{_cell(str(default))}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _phases() -> Iterator[str]:
    phases, words = load_all()
    for name in PHASES:
        cls = phases[name]
        assert isinstance(cls, type)
        assert issubclass(cls, Phase)
        yield from _phase(cls, [word for word in words if word.phase == name])


def _phase(cls: type[AnyPhase], words: list[ClauseWord]) -> Iterator[str]:
    beside = " Beside the others, for the whole round." if cls.concurrent else ""
    yield f"## Phase `{cls.name}`\n\n{cls.doc}{beside}"
    example = _example(cls.name)
    if example:
        yield example
    if cls.parameters:
        yield _keys(f"`[phases.{cls.name}]`", cls.parameters)
    for section, takes in cls.row_tables.items():
        plain = section in cls.single_tables
        yield _keys(f"`[{section}]`" if plain else f"`[{section}.NAME]`", takes)
    if cls.entry_types:
        rows = ["| verb | entry | says |", "|---|---|---|"]
        for verb in cls.entry_types:
            form = (
                verb.syntax.form if verb.is_implicit else f"{verb.word} {verb.syntax.form}".strip()
            )
            who = "" if verb.is_table_entry else "NAME: "
            rows.append(f"| `{verb.word}` | `{who}{_cell(form)}` | {_cell(verb.doc)} |")
        yield "\n".join(rows)
    yield from _list("Measures", ((m.name, m.doc) for m in _measures(cls)))
    yield from _list("Roles for score rows", ((role, "") for role in cls.roles))
    yield from _list("For the sheet", cls.reports.items())
    for word in words:
        yield _word(word)


def _measures(cls: type[AnyPhase]) -> list[Measure]:
    """Return the measures of a phase in every shipped ruleset that has it.

    Measures that are named after a row of a ruleset are left out.
    """
    having = [rules for rules in _shipped() if cls.name in rules.phases]
    found = [list(rules.phases[cls.name].named_measures()) for rules in having]
    if not found:
        return list(cls.measures)
    common = set.intersection(*({measure.name for measure in each} for each in found))
    return [m for m in found[0] if m.name in common and not m.name.endswith(")")]


@cache
def _shipped() -> list[Ruleset]:
    """Return the shipped rulesets."""
    return [load_ruleset(path.stem) for path in sorted(GUIDE.parent.glob("*.toml"))]


def _list(title: str, items: Iterable[tuple[str, str]]) -> Iterator[str]:
    said = [f"`{name}` {doc}".rstrip() for name, doc in items]
    if said:
        yield f"{title}: {'; '.join(said)}."


def _word(word: ClauseWord) -> str:
    on = f" (on {', '.join(f'`{verb}`' for verb in word.on)})" if word.on else ""
    firm = " Stays `refuse` in `club`." if word.fixed_severity else ""
    lines = [f"**`{word.name}`**{on}: {word.doc}{firm}", ""]
    for example in play_examples(word):
        lines += [*_played(example), ""]
    lines.pop()
    if word.parameters:
        lines += ["", _keys(f'with `word = "{word.name}"`', word.parameters)]
    return "\n".join(lines)


def _played(example: PlayedExample) -> Iterator[str]:
    case = example.source
    settings = [f"`{key} = {format_value(value)}`" for key, value in case.settings]
    rules = f"`{case.ruleset}`" + (f" with {join_list(settings)}" if settings else "")
    before = f", after {join_list([f'`{entry}`' for entry in case.before])}" if case.before else ""
    yield f"In {rules} ({', '.join(case.players)}){before}:"
    yield ""
    for asked in example.results:
        reason = f": {asked.finding.reason}" if asked.finding is not None else ""
        yield f"- {asked.kind}: `{asked.entry}`{reason}"


def _example(phase: str) -> str:
    """Return the table of the phase in the first shipped ruleset that has one."""
    for path in sorted(GUIDE.parent.glob("*.toml")):
        found = re.search(rf"^\[phases\.{phase}\]\n(?:.+\n)*", path.read_text("utf-8"), re.M)
        if found:
            return f"As in `{path.name}`:\n\n```toml\n{found[0]}```"
    return ""


if __name__ == "__main__":
    old = GUIDE.read_text("utf-8")
    head, _, rest = old.partition(BEGIN)
    tail = rest.partition(END)[2]
    GUIDE.write_text(f"{head}{BEGIN}\n\n{reference()}\n\n{END}{tail}", "utf-8")
