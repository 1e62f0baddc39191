"""The reference for ruleset authors, made from the descriptions of words in the code.

`python -m tests.guide` writes rulesets/reference.md again; test_docs fails if it is out of date.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorekeeper import load_ruleset
from scorekeeper.core.messages import join_list
from scorekeeper.engine.phase import Phase
from scorekeeper.ruleset import reports
from scorekeeper.ruleset import tables as standard
from scorekeeper.ruleset.calls_table import IN_HAND
from scorekeeper.ruleset.sources import RULES_PAGE, SHEET_PAGE
from scorekeeper.ruleset.surface import (
    LANGUAGE,
    SHEET_PAGE_TABLES,
    TURNED_KEYS,
    WORD_OF_KEY,
    as_shown,
)
from scorekeeper.ruleset.tables import OWN_KEYS, REQUIRED
from scorekeeper.ruleset.vocabulary import VARIANTS, load_all
from tests.helpers import SHIPPED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scorekeeper import Ruleset
    from scorekeeper.engine.phase import AnyPhase, Measure
    from scorekeeper.ruleset.tables import Parameter
    from scorekeeper.ruleset.vocabulary import ClauseWord

RULESETS = Path(__file__).parent.parent / "rulesets"
TUTORIAL = RULESETS / "README.md"
COOKBOOK = RULESETS / "cookbook.md"
REFERENCE = RULESETS / "reference.md"
BOOKS = (TUTORIAL, COOKBOOK, REFERENCE)
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
    "sentences": "table of texts",
    "file": "name",
    "int for": "table",
    "ints for": "table",
    "int of": "table",
    "halves of": "table",
    "number of": "table of expressions",
    "values": "table",
    "ints": "list of numbers",
    "lines": "text or list",
}

INTRODUCTION = """\
# Reference

The reference is generated from the code with `python -m tests.guide`, and a test compares the two.
`scorekeeper rules explain WORD` prints entries that a rule allows and refuses, in your game if
there are examples of it.

In the tables of rules, the column “written” says how a rule comes into a ruleset. A *standard*
rule applies unless the phase has `WORD = false`. A *word* applies if it is written in the table of
the phase. A rule *with* a key comes with that key. All others are rows of `[clauses]`; a row
*with* a key needs no `word`. `mode.open`, `mode.closed` and so on are measures of `choice`, one
for each of its `options`. In the tables of measures, “kind” is the kind of the value. A measure
with an entry under “of” can be used only in rows about such a player, card or other thing; every
expression can name the others."""

# Phases of the compiled tables that a file writes elsewhere: their heading, and their table.
ELSEWHERE = {
    "wishes": ('Phase `auction` with `turns = "wishes"`', "`[phases.auction]` for wishes"),
    "turnup": ("The card that is turned up", "`turned` in `[deal]`"),
    "parties": ("Sides that differ from deal to deal", "`[parties]`"),
    "counting": ("The count of tricks", "`counted` in `[phases.tricks]`"),
    **{name: (f"Table `[{name}]`", f"`[{name}]`") for name in OWN_KEYS if name != "parties"},
    "calls": ("Table `[calls]`: calls for a side", "`[calls]`"),
    "holdings": ("Table `[calls]`: cards that are announced or shown", "`[calls]`"),
}
# Tables of rows that another phase describes.
DESCRIBED_ELSEWHERE = {("wishes", "contracts")}

NAMES = (
    ("extends", "name", "the ruleset that this one changes"),
    ("includes", "list of texts", "files of words that several rulesets share"),
    ("before", "name", "in any row: the row, or the standard rule, before which it stands"),
    ("after", "name", "in any row: the row, or the standard rule, after which it stands"),
    ("[TABLE] defaults", "table", "the values of all rows that this file adds to the table"),
    ("[lines] ROW", "text, or `label` and `worth`", "what the sheet says of a score row"),
    ("[signs] COLUMN", "table", "short signs for words in the cells of a column"),
    ("[deal] turned", "table, or a paragraph", "the card that is turned up, as described below"),
    ("[words] WORD", "list of texts", "what the game calls it, the canonical word first"),
    ("[let] NAME", "list of patterns, or expression", "a name for it in expressions"),
    ("[verbs] VERB", "true, false", "whether the verb is played"),
    ('[cites] "KEY"', "text", "where that row of what is extended stands in this rule text"),
)


def reference() -> str:
    """Return the reference as the code describes it."""
    return "\n\n".join([INTRODUCTION, *_general(), *_phases()]) + "\n"


def kind_of(cls: type[AnyPhase]) -> str:
    """Return the name of a phase, or that of the variant which one of its keys selects."""
    selected = VARIANTS.get(cls.name, ("", "", ""))[1]
    return selected if cls.variant == selected and selected else cls.name


def place_of(kind: str) -> tuple[str, str]:
    """Return the heading of a phase's section, and the table in which a file writes the phase."""
    return ELSEWHERE.get(kind, (f"Phase `{kind}`", f"`[phases.{kind}]`"))


def _general() -> Iterator[str]:
    yield "## Keys of every ruleset"
    header = {**standard.HEADER, "language": _language()}
    tables: list[tuple[str, Mapping[str, Parameter]]] = [("at the top", header)]
    tables += [(f"`[{name}]`", takes) for name, takes in standard.TABLES.items()]
    tables += [
        ("`[languages.CODE]`", standard.LANGUAGE),
        ("`[phases.NAME]`, all of them", standard.PHASE),
        ("`[phases.NAME]`, each that has its time", standard.TIMED),
        ("rules and `[clauses.NAME]`, all of them", standard.CLAUSE),
        ("`[scores.NAME]`", standard.SCORE),
    ]
    tables += [(f"`[{name}.NAME]`", takes) for name, takes in reports.SHEET.items()]
    tables.append(("`[statistics.NAME]`", reports.STATISTIC))
    tables.append(("`[breakdowns.NAME]`", reports.BREAKDOWN))
    tables.append(("`[history]`", reports.HISTORY))
    for where, takes in tables:
        yield _keys(where, takes)
    rows = ["| of names alone | takes | is |", "|---|---|---|"]
    yield "\n".join([*rows, *(f"| `{key}` | {takes} | {doc} |" for key, takes, doc in NAMES)])
    yield _pages()


def _language() -> Parameter:
    """Return the key of the language as a file has it, not as the compiled tables do."""
    takes = standard.HEADER["language"]
    return standard.Parameter(takes.kind, takes.doc, LANGUAGE, bounds=takes.bounds)


def _pages() -> str:
    """Return the table of the files in a ruleset's folder."""
    sheet = ", ".join(f"`[{name}]`" for name in SHEET_PAGE_TABLES)
    language = ", ".join(f"`{name}`" for name in standard.LANGUAGE)
    rows = [
        "| file of a ruleset's folder | may have |",
        "|---|---|",
        f"| `{RULES_PAGE}.toml` | every table |",
        f"| `{RULES_PAGE}.md` | the rule text |",
        f"| `{SHEET_PAGE}.toml` | {sheet} |",
        f"| `CODE.toml`, for a language | {language} |",
    ]
    return "\n".join(rows)


def _keys(where: str, takes: Mapping[str, Parameter]) -> str:
    rows = [f"| {where} | takes | without it | is |", "|---|---|---|---|"]
    for key, parameter in takes.items():
        kind = KINDS.get(parameter.kind) or " ".join(f"`{c}`" for c in parameter.choices if c)
        without = "needed" if parameter.default is REQUIRED else _shown(parameter.default)
        doc = _cell(parameter.doc)
        if parameter.natural:
            doc += "; a row may be this value alone"
        if parameter.words:
            doc += f"; brings {_joined(parameter.words)}"
        rows.append(f"| `{key}` | {kind} | {without} | {doc} |")
    return "\n".join(rows)


def _joined(names: Iterable[str]) -> str:
    return join_list([f"`{name}`" for name in names])


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
    for cls in phases:
        assert isinstance(cls, type)
        assert issubclass(cls, Phase)
        yield from _phase(cls, words)


def _phase(cls: type[AnyPhase], words: list[ClauseWord]) -> Iterator[str]:
    kind = kind_of(cls)
    heading, table = place_of(kind)
    beside = " Beside the others, for the whole round." if cls.concurrent else ""
    yield f"## {heading}\n\n{cls.doc}{beside}"
    example = _example(kind)
    if example:
        yield example
    yield from _rules(cls, words)
    compiled = TURNED_KEYS.get(kind)
    keys = {key: takes for key, takes in cls.parameters.items() if key != compiled}
    if keys:
        yield _keys(table, keys)
    for section, takes in cls.row_tables.items():
        if (kind, section) not in DESCRIBED_ELSEWHERE:
            plain = section in cls.single_tables
            table = "calls" if section == "holdings" else section
            if section == "calls":
                takes = {IN_HAND if key == "cards" else key: of for key, of in takes.items()}
            yield _keys(f"`[{table}]`" if plain else f"`[{table}.NAME]`", takes)
    if cls.entry_types:
        rows = ["| verb | entry | says |", "|---|---|---|"]
        for verb in cls.entry_types:
            form = (
                verb.syntax.form if verb.is_implicit else f"{verb.word} {verb.syntax.form}".strip()
            )
            who = "" if verb.is_table_entry or verb.is_joint else "NAME: "
            rows.append(f"| `{verb.word}` | `{who}{_cell(form)}` | {_cell(verb.doc)} |")
        yield "\n".join(rows)
    measures = _measures(cls)
    if measures:
        rows = ["| measure | kind | of | is |", "|---|---|---|---|"]
        rows += [f"| `{m.name}` | {m.kind} | {m.about} | {_cell(m.doc)} |" for m in measures]
        yield "\n".join(rows)
    yield from _list("Roles for score rows", ((role, "") for role in cls.roles))
    yield from _list("For the sheet", cls.reports.items())


def _rules(cls: type[AnyPhase], words: list[ClauseWord]) -> Iterator[str]:
    """Yield the table of a phase's rules: first its words in their order, then those of rows."""
    order = cls.clause_order.split()
    own = {
        word.name: word
        for word in words
        if word.phase == cls.name and word.variant in ("", cls.variant)
    }
    listed = {**{word.name: word for word in words if word.name in order}, **own}
    if not listed:
        return
    rows = ["| rule | written | judges | says |", "|---|---|---|---|"]
    for name in [*order, *(name for name in listed if name not in order)]:
        word = listed[name]
        judged = cls.judged.get(name) or [verb for verb in word.on if verb in cls.verb_names]
        verbs = ", ".join(f"`{verb}`" for verb in ([] if isinstance(judged, str) else judged))
        firm = " Stays `refuse` in `club`." if word.fixed_severity else ""
        key = as_shown(("phases", cls.name, name))[-1 if cls.name != "holdings" else 1]
        rows.append(f"| `{key}` | {_written(cls, name)} | {verbs} | {_cell(word.doc)}{firm} |")
    yield "\n".join(rows)
    for name, word in listed.items():
        if word.parameters and name in own:
            yield _keys(f"of `{name}`", word.parameters)


def _written(cls: type[AnyPhase], name: str) -> str:
    """Return how a rule comes into a ruleset."""
    if name in cls.standard_words.split():
        return "standard"
    keys = [key for key, takes in cls.parameters.items() if name in takes.words]
    if keys:
        return f"with {_joined(keys)}"
    if name in cls.clause_order.split():
        return "word"
    keys = [key for key, word in WORD_OF_KEY.items() if word == name]
    return f"row with {_joined(keys)}" if keys else "row"


def _measures(cls: type[AnyPhase]) -> list[Measure]:
    """Return the measures of a phase in every shipped ruleset that has it.

    Measures that are named after a row of a ruleset are left out.
    """
    having = [rules for rules in _shipped() if isinstance(rules.phases.get(cls.name), cls)]
    found = [list(rules.phases[cls.name].named_measures()) for rules in having]
    if not found:
        return list(cls.measures)
    common = set.intersection(*({measure.name for measure in each} for each in found))
    return [m for m in found[0] if m.name in common and not m.name.endswith(")")]


@cache
def _shipped() -> list[Ruleset]:
    """Return the shipped rulesets."""
    return [load_ruleset(name) for name in SHIPPED]


def _list(title: str, items: Iterable[tuple[str, str]]) -> Iterator[str]:
    said = [f"`{name}` {doc}".rstrip() for name, doc in items]
    if said:
        yield f"{title}: {'; '.join(said)}."


def _example(kind: str) -> str:
    """Return the table of the phase in the first shipped ruleset that has one."""
    if kind in ("turnup", "counting"):
        return ""
    table = kind if kind in OWN_KEYS else rf"phases\.{'auction' if kind == 'wishes' else kind}"
    for path in sorted([*RULESETS.glob("*/rules.toml"), *RULESETS.glob("*.toml")]):
        found = re.search(rf"^\[{table}\].*\n(?:.+\n)*", path.read_text("utf-8"), re.M)
        has_wishes = found is not None and 'turns    = "wishes"' in found[0]
        if found and has_wishes == (kind == "wishes"):
            name = path.relative_to(RULESETS)
            return f"As in `{name}`:\n\n```toml\n{found[0]}```"
    return ""


if __name__ == "__main__":
    REFERENCE.write_text(reference(), "utf-8")
