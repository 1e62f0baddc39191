"""The reference for ruleset authors, made from the descriptions of words in the code.

It has one table for each kind of word. `python -m tests.guide` writes rulesets/reference.md again;
test_docs fails if it is out of date.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorekeeper import load_ruleset
from scorekeeper.core import untrusted
from scorekeeper.core.expressions import compiler, parser
from scorekeeper.core.messages import join_list
from scorekeeper.engine.phase import Phase
from scorekeeper.phases.parties import SOLOIST
from scorekeeper.ruleset import ranking, reports
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

# Times of the compiled tables that a file writes in another place.
ELSEWHERE = {
    "table": "always there",
    "wishes": '`[phases.auction]`, `turns = "wishes"`',
    "turnup": "`turned` in `[deal]`",
    "counting": "`counted` in `[phases.tricks]`",
    **{name: f"`[{name}]`" for name in OWN_KEYS},
    "holdings": "`[calls]`, rows with cards",
}
# Tables of rows that another time describes.
DESCRIBED_ELSEWHERE = {("wishes", "contracts")}

NAMES = (
    ("at the top", "extends", "name", "the ruleset that this one changes"),
    ("at the top", "includes", "list of texts", "files of words that several rulesets share"),
    ("any row", "before", "name", "the row, or the standard rule, before which it stands"),
    ("any row", "after", "name", "the row, or the standard rule, after which it stands"),
    ("any table", "defaults", "table", "the values of all rows that this file adds to the table"),
    ("`[lines]`", "ROW", "text, or `label` and `worth`", "what the sheet says of a score row"),
    ("`[signs]`", "COLUMN", "table", "short signs for words in the cells of a column"),
    ("`[deal]`", "turned", "table, or a paragraph", "the card that is turned up (see `turned`)"),
    ("`[words]`", "WORD", "list of texts", "what the game calls it, the canonical word first"),
    ("`[let]`", "NAME", "list of patterns, or expression", "a name for it in expressions"),
    ("`[verbs]`", "VERB", "true, false", "whether the verb is played"),
    ("`[cites]`", '"KEY"', "text", "where that row of what is extended stands in this rule text"),
)

HEAD = """\
# Reference

The words of the rule language, one table for each kind. `python -m tests.guide` makes this page
from the code. Begin with the [tutorial](README.md), and look up the sentences of rule texts in the
[cookbook](cookbook.md). `scorekeeper rules explain RULE` prints a rule with examples.
"""
# A line of explanation for each table.
TIMES_LINE = """\
Times run in the order of the file; those that run *beside* are on for the whole round."""
RULES_LINE = """\
*Standard* rules apply without being written. A *word* is written in the table of its time, and a
rule *with* a key comes with that key. The others are rows of `[clauses]`."""
KEYS_LINE = """\
A key that brings a word is written `KEY = { is = VALUE, cite = "2" }`, or `KEY = "2"` for `true`.
The limits of numbers are in the last table."""
MEASURES_LINE = """\
A measure with an entry under “whose” is for rows about such a thing, the others for every
expression. Where there is `own.X`, there are also `other.X`, `each.X` inside a loop, and `ROLE.X`.
`NAME` and `SIDE` are names of rows. Without a value yet, clauses are open and scores wait."""
LAST_LINE = """\
Inside a loop, `each` is each player, `suit` each suit and `rank` each rank in turn. A loop inside
another one runs through what the outer one does not."""

ROLES_LINE = """\
A role exists only if its time does. With `[parties]`, whose names are roles, or with
`turns = "each"`, an auction brings no `declarer` and `opponents`. `caller` needs
`[phases.partner]`."""

BESIDE_ROLES = {
    "each": "every player by themselves",
    "sides": "every side by itself",
    "master": "the master of the round",
    "dealer": "the dealer of the round",
    SOLOIST: "the player who is alone on the declaring side",
    "a name in `[parties]`": "the players of that side",
}
FUNCTIONS = {
    "ceil": ("a number", "a number", "the next whole number up"),
    "floor": ("a number", "a number", "the next whole number down"),
    "abs": ("a number", "a number", "the number without its sign"),
    "min": ("numbers", "a number", "the smallest of them"),
    "max": ("numbers", "a number", "the largest of them"),
    "any": ("a condition", "a truth", "whether it holds for any of those in the loop"),
    "all": ("a condition", "a truth", "whether it holds for all of those in the loop"),
    "total": ("a number", "a number", "the sum over the loop"),
    "most": ("a number", "a number", "the highest value in the loop"),
    "least": ("a number", "a number", "the lowest value in the loop"),
    "count": ("cards", "a number", "how many cards there are; about a hand it is a claim"),
    "worth": ("a heap", "a number", "their card points"),
    "sequence": ("a heap", "a number", "the longest run of ranks in the order of the pack"),
    "matadors": ("a heap", "a number", "how many of the highest trumps are all in it, or all not"),
    "suits": ("cards", "kinds of card", "all cards of their suits"),
    "ranks": ("cards", "kinds of card", "all cards of their ranks"),
}
SIGNS = (
    ("`and` `or` `not`", "conditions", "a truth", "in sums a truth counts as 1 or 0"),
    ("`a if c else b`", "a condition between", "either", "`a` if `c` holds, otherwise `b`"),
    ("`+ - * / // %`", "numbers", "a number", "`//` divides and rounds down; `%` is the rest"),
    ("`== != < <= > >=`", "numbers", "a truth", "a truth is not compared with a number"),
    ("`& \\| ~`", "cards", "cards", "in both, in one of them, not in it; with a heap, a heap"),
)
LIMITS = (
    ("a file, in bytes", untrusted.MAX_FILE_BYTES),
    ("tables and lists in one another", untrusted.MAX_DEPTH),
    ("rulesets in a chain of `extends`", untrusted.MAX_EXTENDS),
    ("dots in a line outside texts", untrusted.MAX_KEY_PARTS),
    ("rows in a table", untrusted.MAX_ROWS),
    ("characters in the name of a row", untrusted.MAX_ROW_NAME),
    ("characters in a text", untrusted.MAX_TEXT),
    ("values in a list", untrusted.MAX_ITEMS),
    ("values that options set", untrusted.MAX_OPTIONS),
    (
        "a whole number, down to as much below 0, unless its key has limits",
        untrusted.NUMBER_RANGE[1],
    ),
    ("ranks in a pack", untrusted.MAX_RANKS),
    ("jokers in a pack", untrusted.MAX_JOKERS),
    ("copies of a card", untrusted.MAX_COPIES),
    ("cards in a pack", untrusted.MAX_CARDS),
    ("points of a card", untrusted.MAX_CARD_POINTS),
    ("players in a match", untrusted.MAX_PLAYERS),
    ("faces of a die", untrusted.MAX_FACES),
    ("dice of a player", untrusted.MAX_DICE),
    ("points in a line of a score", untrusted.MAX_POINTS),
    ("characters in an expression", parser.MAX_LENGTH),
    ("names, numbers and signs in an expression; a name of `[let]` is one", parser.MAX_NODES),
    ("the same with all that its names of `[let]` stand for", parser.MAX_ALL_NODES),
    ("parts or brackets of an expression in one another", parser.MAX_DEPTH),
    ("a number in an expression", parser.MAX_NUMBER),
)


def reference() -> str:
    """Return the reference as the code describes it."""
    parts = [HEAD.strip(), *_times(), *_rules(), *_keys(), *_pages(), *_entries()]
    parts += [*_measures(), *_roles(), *_facts(), *_functions(), *_limits()]
    return "\n\n".join(parts) + "\n"


def kind_of(cls: type[AnyPhase]) -> str:
    """Return the name of a phase, or that of the variant which one of its keys selects."""
    selected = VARIANTS.get(cls.name, ("", "", ""))[1]
    return selected if cls.variant == selected and selected else cls.name


def place_of(kind: str) -> str:
    """Return the table in which a file writes a phase."""
    return ELSEWHERE.get(kind, f"`[phases.{kind}]`")


def _table(title: str, line: str, columns: str, rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield a heading, a line about the table, and the table. Repeated rows are left out."""
    yield f"## {title}"
    if line:
        yield line
    names = columns.split(", ")
    body = dict.fromkeys(f"| {' | '.join(cells)} |" for cells in rows)
    yield "\n".join([f"| {' | '.join(names)} |", "|" + "---|" * len(names), *body])


@cache
def _phases() -> list[type[AnyPhase]]:
    return [cls for cls in load_all()[0] if isinstance(cls, type) and issubclass(cls, Phase)]


def _times() -> Iterator[str]:
    rows = [
        (f"`{kind_of(cls)}`", place_of(kind_of(cls)), _beside(cls), _cell(cls.doc))
        for cls in _phases()
    ]
    yield from _table("Times", TIMES_LINE, "time, written, runs, is", rows)


def _beside(cls: type[AnyPhase]) -> str:
    return "beside" if cls.concurrent else "in turn"


# --- rules


def _rules() -> Iterator[str]:
    rows = [row for cls in _phases() for row in _rules_of(cls)]
    columns = "rule, time, written, judges, takes, is"
    yield from _table("Rules", RULES_LINE, columns, rows)


def _words_of(cls: type[AnyPhase]) -> dict[str, ClauseWord]:
    """Return the words of a phase: first those with a place in its order, then those of rows."""
    words = load_all()[1]
    order = cls.clause_order.split()
    own = {
        word.name: word
        for word in words
        if word.phase == cls.name and word.variant in ("", cls.variant)
    }
    listed = {**{word.name: word for word in words if word.name in order}, **own}
    return {name: listed[name] for name in [*order, *(n for n in listed if n not in order)]}


def _rules_of(cls: type[AnyPhase]) -> Iterator[tuple[str, ...]]:
    for name, word in _words_of(cls).items():
        judged = cls.judged.get(name) or [verb for verb in word.on if verb in cls.verb_names]
        verbs = " ".join(f"`{verb}`" for verb in ([] if isinstance(judged, str) else judged))
        firm = " Stays `refuse` in `club`." if word.fixed_severity else ""
        key = as_shown(("phases", cls.name, name))[-1 if cls.name != "holdings" else 1]
        takes = " ".join(f"`{key}`" for key in word.parameters)
        doc = _cell(word.doc) + firm
        yield f"`{key}`", f"`{kind_of(cls)}`", _written(cls, name), verbs, takes, doc


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


# --- keys


def _keys() -> Iterator[str]:
    header = {**standard.HEADER, "language": _language()}
    tables: list[tuple[str, Mapping[str, Parameter]]] = [("at the top", header)]
    tables += [(f"`[{name}]`", takes) for name, takes in standard.TABLES.items()]
    tables.append(("each time", {**standard.PHASE, **standard.TIMED}))
    tables.append(("each rule", standard.CLAUSE))
    for cls in _phases():
        tables += _tables_of(cls)
    tables.append(("`[scores.NAME]`", standard.SCORE))
    tables += [(f"`[{name}.NAME]`", takes) for name, takes in reports.SHEET.items()]
    tables.append(("`[statistics.NAME]`", reports.STATISTIC))
    tables.append(("`[breakdowns.NAME]`", reports.BREAKDOWN))
    tables.append(("`[history]`", reports.HISTORY))
    tables.append(("`[ranking]`", ranking.RANKING))
    tables.append(("`[figures.NAME]`", ranking.FIGURE))
    tables.append(("`[languages.CODE]`", standard.LANGUAGE))
    rows: list[tuple[str, ...]] = []
    rows += [(where, f"`{key}`", takes, "", doc) for where, key, takes, doc in NAMES]
    rows += [_key(where, key, takes) for where, keys in tables for key, takes in keys.items()]
    yield from _table("Keys", KEYS_LINE, "table, key, takes, without it, is", rows)


def _language() -> Parameter:
    """Return the key of the language as a file has it, not as the compiled tables do."""
    takes = standard.HEADER["language"]
    return standard.Parameter(takes.kind, takes.doc, LANGUAGE, bounds=takes.bounds)


def _tables_of(cls: type[AnyPhase]) -> Iterator[tuple[str, Mapping[str, Parameter]]]:
    """Yield the tables that a phase reads: its own, those of its rules, and those of its rows."""
    kind = kind_of(cls)
    compiled = TURNED_KEYS.get(kind)
    own = {key: takes for key, takes in cls.parameters.items() if key != compiled}
    yield ("`turned`" if kind == "turnup" else place_of(kind)), own
    for name, word in _words_of(cls).items():
        if word.phase == cls.name:
            yield f"rule `{name}`", word.parameters
    for section, takes in cls.row_tables.items():
        if (kind, section) not in DESCRIBED_ELSEWHERE:
            name = "calls" if section == "holdings" else section
            if section == "calls":
                takes = {IN_HAND if key == "cards" else key: of for key, of in takes.items()}
            yield f"`[{name}]`" if section in cls.single_tables else f"`[{name}.NAME]`", takes


def _key(where: str, key: str, parameter: Parameter) -> tuple[str, ...]:
    kind = KINDS.get(parameter.kind) or " ".join(f"`{c}`" for c in parameter.choices if c)
    without = "needed" if parameter.default is REQUIRED else _shown(parameter.default)
    doc = _cell(parameter.doc)
    if parameter.natural:
        doc += "; a row may be this value alone"
    if parameter.words:
        doc += f"; brings {_joined(parameter.words)}"
    return where, f"`{key}`", kind, without, doc


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


def _pages() -> Iterator[str]:
    sheet = ", ".join(f"`[{name}]`" for name in SHEET_PAGE_TABLES)
    language = ", ".join(f"`{name}`" for name in standard.LANGUAGE)
    rows = [
        (f"`{RULES_PAGE}.toml`", "every table"),
        (f"`{RULES_PAGE}.md`", "the rule text"),
        (f"`{SHEET_PAGE}.toml`", sheet),
        ("`CODE.toml`, for a language", language),
    ]
    yield from _table("Files of a folder", "", "file, may have", rows)


# --- entries


def _entries() -> Iterator[str]:
    rows = []
    for cls in _phases():
        for verb in cls.entry_types:
            form = verb.syntax.form
            form = form if verb.is_implicit else f"{verb.word} {form}".strip()
            who = "" if verb.is_table_entry or verb.is_joint else "NAME: "
            entry = f"`{who}{_cell(form)}`"
            rows.append((f"`{verb.word}`", f"`{kind_of(cls)}`", entry, _cell(verb.doc)))
    yield from _table("Entries", "", "verb, time, entry, is", rows)


# --- measures


def _measures() -> Iterator[str]:
    rows = []
    for cls in _phases():
        for name, measure in measures_of(cls).items():
            about = "" if name in LOOPS else measure.about
            kind, time = measure.kind.partition(",")[0], f"`{kind_of(cls)}`"
            doc = _cell(_generalised(measure.doc, name))
            rows.append((f"`{name}`", kind, about, as_of(name, measure, cls), time, doc))
    columns = "measure, kind, whose, as of, time, is"
    yield from _table("Measures", MEASURES_LINE, columns, rows)


LOOPS = ("suit", "rank")
# Moments to which the numbers of rows refer, by the phase that has them.
MOMENTS_OF_ROWS = {
    "table": "now, or the act in `at`",
    "counting": "the round's end",
    "counters": "the round's start",
}
# Names in docs of measures that are about a row are replaced by these.
ABOUT_ROWS = (
    (r"\bthe round is \S+$", "the round is `NAME`"),
    (r"\bit is \S+$", "it is that contract"),
    (r"\b\S+ is said with it$", "that option is said with it"),
    (r"\b(?:\S+) (is|was) played$", "`NAME` is played"),
    (r"^the number \S+ of", "the number `NAME` of"),
    (r"the counter \S+", "the counter"),
    (r"^how many \S+$", "how often they have it"),
    (r"announced \S+$", "announced it"),
    (r"called \S+$", "called it"),
    (r"the word `\S+`", "that word"),
    (r"^the value \S+ when \S+ was said", "the value when its act was done"),
    (r"^the value \S+ of the role \S+$", "the value of its role"),
    (r"^the (\S+) of a player or side$", "that number of a player or side"),
)


def _generalised(doc: str, name: str) -> str:
    """Return the text about a measure without the name of the row that it is about."""
    if "NAME" in name:
        for pattern, said in ABOUT_ROWS:
            doc = re.sub(pattern, said, doc)
    return doc


def as_of(name: str, measure: Measure, cls: type[AnyPhase]) -> str:
    """Return the moment to which a measure refers."""
    first, last = name.partition(".")[0], name.rpartition(".")[2]
    if name == "dealt":
        return "the deal"
    if measure.about == "a culprit":
        return "since the act"
    if measure.about in ("an act", "a bid"):
        return measure.about.replace("a ", "the ").replace("an ", "the ")
    if last in ("tally", "level") or first == "tally" or name in ("rounds", "levelled", "players"):
        return "the round's start"
    if last == "added":
        return "the round's end"
    if cls.name in MOMENTS_OF_ROWS and "NAME" in name:
        return MOMENTS_OF_ROWS[cls.name]
    return "" if name in LOOPS else "now"


def measures_of(cls: type[AnyPhase]) -> dict[str, Measure]:
    """Return the measures of a phase in all shipped rulesets, by their names.

    A part of a name that a ruleset has chosen is `NAME`, or `SIDE` if it names a side.
    """
    found: dict[str, Measure] = {}
    for rules in _shipped():
        phase = rules.phases.get(cls.name)
        if isinstance(phase, cls):
            for measure in phase.named_measures():
                if not measure.name.endswith(")"):
                    fixed = measure.name in {each.name for each in cls.measures}
                    name = measure.name if fixed else _general_name(measure.name, rules)
                    found.setdefault(name, measure)
    return found or {measure.name: measure for measure in cls.measures}


def _general_name(name: str, rules: Ruleset) -> str:
    """Return the name of a measure with its parts that name rows replaced."""
    whose, dot, last = name.rpartition(".")
    if last == "added":
        return f"{_general_name(whose, rules)}.added"
    if whose in rules.section("parties") or whose in ROLES_OF_SIDES:
        whose = "SIDE"
    return f"{whose}{dot}{'NAME' if last in _names(rules) else last}"


# Roles that are sides where no table of parties names them.
ROLES_OF_SIDES = ("declarer", "opponents", "player", "others")


@cache
def _names_by_ruleset() -> dict[str, frozenset[str]]:
    sections = ("contracts", "options", "calls", "holdings", "specials", "counters", "values")
    found = {}
    for rules in _shipped():
        names = {name for section in sections for name in rules.section(section)}
        for row in rules.section("contracts").values():
            names |= {*row.get("is", {})}
        for phase in rules.data.get("phases", {}).values():
            for key in ("options", "words", "numbers"):
                names |= {*phase.get(key, ())}
        found[rules.name] = frozenset(names)
    return found


def _names(rules: Ruleset) -> frozenset[str]:
    return _names_by_ruleset()[rules.name]


@cache
def _shipped() -> list[Ruleset]:
    """Return the shipped rulesets."""
    return [load_ruleset(name) for name in SHIPPED]


# --- roles, facts, functions, limits


def _roles() -> Iterator[str]:
    times: dict[str, list[str]] = {}
    for cls in _phases():
        for role in cls.roles:
            times.setdefault(role, []).append(f"`{kind_of(cls)}`")
    rows = [(f"`{role}`", " ".join(dict.fromkeys(named))) for role, named in times.items()]
    rows += [(f"`{r}`" if "`" not in r else r, text) for r, text in BESIDE_ROLES.items()]
    yield from _table("Roles", ROLES_LINE, "role, time or meaning", rows)


def _facts() -> Iterator[str]:
    rows = [(f"`{name}`", "round", doc) for name, doc in reports.ROUND_FACTS.items()]
    rows += [(f"`{name}`", "player, side", doc) for name, doc in reports.SEAT_FACTS.items()]
    rows += [
        (f"`{name}`", "total", doc)
        for name, doc in reports.TOTAL_FACTS.items()
        if name not in reports.SEAT_FACTS
    ]
    rows += [
        (f"`{name}`", f"`{kind_of(cls)}`", _cell(doc))
        for cls in _phases()
        for name, doc in cls.reports.items()
    ]
    yield from _table("Facts for the sheet", "", "fact, of, is", rows)


def _functions() -> Iterator[str]:
    assert set(FUNCTIONS) == compiler.FUNCTIONS
    rows = [(f"`{name}(…)`", *cells) for name, cells in FUNCTIONS.items()]
    yield from _table("Functions", LAST_LINE, "function, takes, gives, is", [*rows, *SIGNS])


def _limits() -> Iterator[str]:
    rows = [(text, f"{most:,}") for text, most in LIMITS]
    yield from _table("Limits", "", "of, at most", rows)


if __name__ == "__main__":
    REFERENCE.write_text(reference(), "utf-8")
