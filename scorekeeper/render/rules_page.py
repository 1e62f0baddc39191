"""A page that explains a ruleset, and the text of a new ruleset that extends another.

Players can read the page and agree on the rules before a match. It shows each row with the
descriptions of its words and keys, quotations from the rule text, and card orders. A glossary at
the end explains the names in expressions.

The text of a new ruleset contains the keys that are changed most often. They are commented out and
have their current values.
"""

from __future__ import annotations

import re
from textwrap import wrap
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.cards import Pack, plain_points
from scorekeeper.core.messages import format_count, join_list
from scorekeeper.core.rulings import NOTE, REFUSE, WARN
from scorekeeper.core.text import escape_controls
from scorekeeper.render.pages import Page, PageItem, Section
from scorekeeper.render.rules_diff import (
    EXPRESSION_KINDS,
    READING_ORDER,
    RulesetKeys,
    build_items,
    format_value,
    table_facts,
    table_heading,
)
from scorekeeper.ruleset.orders import ORDER_ROW, TRUMP, bound_names, suit_name
from scorekeeper.ruleset.tables import PACK, join_key, suits_of, with_defaults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Row
    from scorekeeper.engine.rows import Clause
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.render.rules_diff import Difference
    from scorekeeper.ruleset.orders import Order
    from scorekeeper.ruleset.tables import Parameter

    Facts = list[tuple[str, str]]
    # A heading, the names of two rulesets, and the differences between them.
    Change = tuple[str, str, str, Sequence[Difference]]


# Tables that are shown elsewhere on the page, or have no rules.
OMITTED_TABLES = ("players", "languages", "sheet", "statistics")
# The page's words about an entry that breaks a rule but is accepted.
BREACHES = {WARN: "is reported, but counts", NOTE: "is noted"}
MAX_SENTENCE = 240  # maximum length of a quoted sentence in characters
_SENTENCE = re.compile(r"[.!?:](?=\s+[^\W\d_a-z])")
_EMPHASIS = re.compile(r"\*([^\W\d_A-Z][^\W\d_][^*]*)\*")
_NAME = re.compile(r"[A-Za-z_][\w.]*")
# Tables in which keys are often changed. In DROPPABLE_TABLES, whole rows are often dropped.
CHANGEABLE_TABLES = ("players", "deal", "sides", "tally", "match", "levelling")
WIDTH = 99  # maximum line length
CHANGEABLE_KINDS = (
    "int",
    "bool",
    "choice",
    "ints",
    "texts",
    "int of",
    "halves of",
    "int for",
    "ints for",
    *EXPRESSION_KINDS,
)
DROPPABLE_TABLES = ("clauses", "scores")
EXTENSION_HEAD = """\
# Only the differences from {parent}. The rule text is {name}.md.
extends = {extends}
name = {quoted}
title = {title}
rules = {quoted}
source = {source}

# Below are the settings that are changed most often, with their current values. To change one,
# remove the # from its line and from the name of its table above it.
# `scorekeeper rules show {parent}` describes all settings.

# Your own rules begin at {number}.1 in {name}.md. A row that follows one of them cites it:
# [cites]
# "clauses.ROW" = "{number}.1"
"""


def build_page(
    rules: Ruleset,
    find_paragraph: Callable[[str], str],
    changes: Sequence[Change] = (),
) -> Page:
    """Build the page of a ruleset.

    `changes` are the differences made by its options and variants. `find_paragraph` returns the
    paragraph for a citation, or "" if there is none.
    """
    return _PageBuilder(rules, find_paragraph).build(changes)


def first_sentence(paragraph: str) -> str:
    """Return the first sentence of a paragraph without the paragraph's number and emphasis."""
    line = paragraph.split("\n", 1)[0].partition(" ")[2].replace("**", "").replace("`", "")
    line = _EMPHASIS.sub(r"\1", line)
    match = _SENTENCE.search(line)
    sentence = line[: match.end()] if match else line
    return (
        sentence if len(sentence) <= MAX_SENTENCE else f"{sentence[: MAX_SENTENCE - 1].rstrip()}…"
    )


class _PageBuilder:
    """A builder for a ruleset's page."""

    def __init__(self, rules: Ruleset, find_paragraph: Callable[[str], str]) -> None:
        self.rules = rules
        self.find_paragraph = find_paragraph
        self.data: Row = rules.data
        self.keys = RulesetKeys(rules.data)

    def build(self, changes: Sequence[Change]) -> Page:
        """Build the page."""
        parts = [self._build_section(section) for section in self._tables_in_order()]
        for title, one, other, differing in changes:
            rows = build_items(differing, one, other)
            lines = () if rows else ("Nothing.",)
            parts.append(Section(title, lines, (), rows))
        parts.append(self._build_glossary())
        facts = [
            ("ruleset", self.rules.name),
            ("players", self._format_players()),
            ("source", str(self.data.get("source", ""))),
            ("rule text", f"{self.rules.rules_text}.md"),
            ("severity", str(self.data.get("severity", ""))),
        ]
        return Page(
            self.rules.title,
            [(word, text) for word, text in facts if text],
            [each for each in parts if each.lines or each.facts or each.items],
        )

    def _format_players(self) -> str:
        """Format the allowed numbers of players."""
        counts, least, most = (self.rules.players[key] for key in ("counts", "least", "most"))
        if counts:
            return join_list([str(count) for count in counts if least <= count <= most], "or")
        return f"{least} or more" if most >= untrusted.MAX_PLAYERS else f"{least} to {most}"

    def _tables_in_order(self) -> Iterator[str]:
        """Yield the tables in reading order."""
        tables = [name for name, value in self.data.items() if isinstance(value, dict) and value]
        others = [name for name in tables if name not in (*READING_ORDER, *OMITTED_TABLES)]
        for name in READING_ORDER:
            yield from (others if name == "" else [name] if name in tables else ())

    def _build_section(self, section: str) -> Section:
        """Build the section of a table."""
        table: Row = self.data[section]
        takes = self.keys.table_parameters(section)
        if section == "pack":
            return Section(table_heading(section), (), pack_facts(self.rules))
        rows = {
            name: row for name, row in table.items() if name not in takes and isinstance(row, dict)
        }
        plain = {
            name: value for name, value in table.items() if name not in rows and value != [name]
        }
        lines = () if plain.get("cite") is None else (self._format_paragraph(str(plain["cite"])),)
        return Section(
            table_heading(section),
            tuple(filter(None, lines)),
            list(table_facts(plain, takes, ("cite",))),
            [self._build_item(section, name, row) for name, row in rows.items()],
        )

    def _format_paragraph(self, cite: str) -> str:
        """Return a citation with the first sentence of its paragraph."""
        quote = self._quote(cite)
        return f"{cite}: {quote}" if quote else cite

    def _quote(self, cite: str) -> str:
        """Return the first sentence of a cited paragraph."""
        return first_sentence(self.find_paragraph(cite))

    def _build_item(self, section: str, name: str, row: Row) -> PageItem:
        """Build the item of a row."""
        if section == "clauses" and name in self.rules.clauses:
            return self._clause_item(self.rules.clauses[name], row)
        takes, doc = (
            self.keys.row_parameters(section, name, row),
            self.keys.row_doc(section, name, row),
        )
        cite = str(row.get("cite", ""))
        if section == "scores":
            return PageItem(doc or name, f"scores.{name}", cite, (), self._score_facts(row))
        spoken = self.rules.translate_word(name)
        head = spoken if spoken == name else f"{name}: {spoken}"
        if section == "orders":
            return PageItem(head, "", cite, (), order_facts(self.rules, name, row))
        facts = list(table_facts(row, takes, ("cite", "label")))
        lines = (doc,) if doc else () if facts else ("only its name",)
        return PageItem(head, "", cite, lines, facts, self._quote(cite))

    def _clause_item(self, clause: Clause, row: Row) -> PageItem:
        """Build the item of a clause: the description of its word, the row's own values, and a
        quotation from the paragraph."""
        takes = clause.word.parameters
        on = row.get("on") or clause.word.on
        facts = [("applies to", join_list([self._format_verb(verb) for verb in on]))]
        facts += table_facts({key: row[key] for key in row if key in takes}, takes)
        if row.get("say"):
            facts.append(("message", clause.say))
        if clause.severity != REFUSE:
            facts.append(("a breach", BREACHES.get(clause.severity, clause.severity)))
        quote = self._quote(clause.cite)
        return PageItem(clause.name, clause.code, clause.cite, (clause.word.doc,), facts, quote)

    def _format_verb(self, verb: str) -> str:
        """Return an entry verb, followed by its translation into the match's language if that
        differs."""
        spoken = self.rules.translate_word(verb)
        return verb if spoken == verb else f"{verb} ({spoken})"

    def _score_facts(self, row: Row) -> list[tuple[str, str]]:
        """Return the facts of a score row: the recipients, the amount, the condition and the other
        keys."""
        owners = str(row["for"])
        if row.get("against"):
            owners += f", and {row['against']} the same with the other sign"
        facts = [("for", owners)]
        facts += [(key, format_value(row[key])) for key in ("points", "factor") if key in row]
        if row.get("of"):
            facts.append(("of the rows", format_value(row["of"])))
        elif "factor" in row:
            facts.append(("of the rows", "all above"))
        if row.get("when", "true") not in ("true", True):
            facts.append(("when", format_value(row["when"])))
        shown = ("for", "against", "points", "factor", "of", "when", "cite", "label")
        return facts + list(table_facts(row, self.keys.row_parameters("scores", "", row), shown))

    def _build_glossary(self) -> Section:
        """Build the section that explains the measures that expressions use."""
        used = {name for text in self._expression_texts() for name in _NAME.findall(text)}
        known = self.rules.measures
        facts = [(name, known[name].doc) for name in sorted(used) if name in known]
        return Section("Names used in expressions", (), facts)

    def _expression_texts(self) -> Iterator[str]:
        """Yield the strings in the ruleset that are or may be expressions."""
        for section, table in self.data.items():
            if isinstance(table, dict) and section not in (*OMITTED_TABLES, "words"):
                yield from _texts_of(table, self.keys.table_parameters(section))
                for name, row in table.items():
                    if isinstance(row, dict):
                        yield from _texts_of(row, self.keys.row_parameters(section, name, row))


def _texts_of(table: Row, takes: Mapping[str, Parameter]) -> Iterator[str]:
    """Yield the strings of a table that may be expressions."""
    for key, value in table.items():
        if isinstance(value, str) and (key not in takes or takes[key].kind in EXPRESSION_KINDS):
            yield value


# --- the pack and its orders


def pack_facts(rules: Ruleset) -> Facts:
    """Describe the cards of the pack."""
    pack = rules.pack
    jokers = [pack.kinds[kind] for kind, suit in enumerate(pack.suit) if not suit]
    each = "one of each" if pack.copies == 1 else f"{pack.copies} of each"
    facts = [("cards", f"{pack.card_count}, {each}")]
    if pack.suited:
        facts += _suit_facts(rules)
    row = rules.data["pack"]
    whole = Pack.make(row.get("ranks", "").split(), suits_of(with_defaults(row, PACK)), [], 1)
    removed = [code for code in whole.kinds if code not in pack.index]
    if removed:
        facts.append(("without", " ".join(removed)))
    if jokers:
        facts.append(("without a suit", " ".join(jokers)))
    worth = rules.card_points()
    if any(worth):
        facts += _card_point_facts(pack, worth)
    return facts


def _suit_facts(rules: Ruleset) -> Facts:
    """Describe the suits, the ranks that they share, and the ranks of single suits."""
    row = with_defaults(rules.data["pack"], PACK)
    facts = [("ranks, strongest first", row["ranks"])] if row["ranks"] else []
    own = {suit: ranks for suit, ranks in suits_of(row).items() if ranks}
    facts += [
        (f"ranks of {suit_name(suit)} ({suit})", " ".join(ranks)) for suit, ranks in own.items()
    ]
    suits = [f"{suit_name(suit)} ({suit})" for suit in rules.pack.suits]
    return [*facts, ("suits", join_list(suits))]


def _card_point_facts(pack: Pack, worth: Sequence[float]) -> Iterator[tuple[str, str]]:
    """Yield the card points. A rank is listed as a whole if it has the same points in all suits."""
    by_points: dict[float, list[str]] = {}
    for rank in dict.fromkeys(pack.rank):
        kinds = [kind for kind in range(pack.kind_count) if pack.rank[kind] == rank]
        if len({worth[kind] for kind in kinds}) == 1:
            by_points.setdefault(worth[kinds[0]], []).append(rank)
        else:
            for kind in kinds:
                by_points.setdefault(worth[kind], []).append(pack.kinds[kind])
    total = plain_points(sum(worth) * pack.copies)
    texts = [
        f"{' '.join(by_points[points])} {points}" for points in sorted(by_points, reverse=True)
    ]
    yield "card points", f"{', '.join(texts)}; {format_count(total, 'point')} in all"


def order_facts(rules: Ruleset, name: str, row: Row) -> Facts:
    """Describe an order of cards by class. A name that is bound during play is shown as a word."""
    patterns = row.get("trumps", [])
    facts: Facts = []
    order = rules.orders.get(name, {})
    if not bound_names(patterns):
        facts += _class_facts(rules.pack, order)
    else:
        facts.append(
            (
                "trumps, strongest first",
                "; ".join(_describe_pattern(each, not at) for at, each in enumerate(patterns)),
            )
        )
        facts.append(("in the other suits", row.get("plain") or " ".join(rules.pack.ranks)))
    if row.get("points"):
        card_points = ", ".join(f"{card} {points}" for card, points in row["points"].items())
        facts.append(("card points", card_points))
    if row.get("outside"):
        facts.append(("outside the order", join_list([str(each) for each in row["outside"]])))
    return [*facts, *table_facts(row, {}, tuple(ORDER_ROW))]


def _class_facts(pack: Pack, order: Order) -> Facts:
    """List the cards of each class, strongest first. Suits with the same order of ranks share a
    line."""
    by_ranks: dict[str, list[str]] = {}
    trumps = ""
    for group, called in enumerate(order.names):
        kinds = [kind for kind in range(pack.kind_count) if order.classes[kind] == group]
        kinds.sort(key=lambda kind: -order.strength[kind])
        if group == TRUMP:
            trumps = _format_levels(order, kinds, pack.kinds)
        elif kinds and pack.suit[kinds[0]]:
            by_ranks.setdefault(_format_levels(order, kinds, pack.rank), []).append(called)
    facts = [("trumps, strongest first", trumps or "none")]
    return facts + [(join_list(suits), cards) for cards, suits in by_ranks.items()]


def _format_levels(order: Order, kinds: list[int], names: tuple[str, ...]) -> str:
    """Format cards from strongest to weakest. Cards of equal strength are joined by `=`."""
    levels: dict[int, list[str]] = {}
    for kind in kinds:
        levels.setdefault(order.strength[kind], []).append(names[kind])
    return " ".join(" = ".join(cards) for cards in levels.values())


def _describe_pattern(pattern: object, first: bool = False) -> str:
    """Describe a pattern that contains names bound during play.

    In patterns after the first, a whole suit is "the rest of" the suit, because earlier patterns
    may include some of its cards.
    """
    if isinstance(pattern, list):
        cards = ", ".join(_describe_pattern(each, first) for each in pattern)
        return f"{cards} (all equal)"
    text = str(pattern)
    at = text.rfind("{") if text.endswith("}") else len(text) - 1
    rank, suit = (_describe_name(part) for part in (text[:at], text[at:]))
    if "*" not in text and "{" not in text:
        return text
    if not rank:
        return suit
    if text[at:] == "*":
        return f"{rank} of any suit" if text[:at] != "*" else "any card"
    if text[:at] == "*":
        return f"all of {suit}" if first else f"the rest of {suit}"
    return f"{rank} of {suit}"


def _describe_name(part: str) -> str:
    """Return the description of a name that is bound during play, or of a suit."""
    return f"the {part[1:-1]}" if part.startswith("{") and part.endswith("}") else suit_name(part)


# --- the text of a new ruleset


def draft_extension(
    name: str, title: str, parent: Row, written: Callable[[str], str], number: int
) -> str:
    """Return the text of a new ruleset file that extends another.

    `parent` contains the compiled tables of the extended ruleset, and `written` converts a compiled
    key to the key that is used in a file. `number` is the number of the first section in the new
    rule text.
    """
    called = str(parent["name"])
    values = {
        "parent": called,
        "name": name,
        "number": str(number),
        "extends": format_toml(called),
        "quoted": format_toml(name),
        "title": format_toml(title),
        "source": format_toml(f"our own table, after {called}"),
    }
    return EXTENSION_HEAD.format(**values) + "".join(
        f"\n{block}\n" for block in _comment_blocks(parent, written)
    )


def _comment_blocks(parent: Row, written: Callable[[str], str]) -> Iterator[str]:
    """Yield tables of the new file, commented out."""
    keys = RulesetKeys(parent)
    places: set[str] = set()
    # In a file, these keys are tables of rules, which are listed below.
    rules = [written(join_key(("clauses", name))) for name in parent.get("clauses", {})]
    tables = {rule.rpartition(".")[0] for rule in rules}
    for section in CHANGEABLE_TABLES:
        table = parent.get(section, {})
        yield from _comment_block((section,), table, keys.table_parameters(section), written)
    for name, row in parent.get("phases", {}).items():
        place = written(join_key(("phases", name)))
        if place in places:
            continue  # an earlier phase is written in the same table of the file
        places.add(place)
        takes = keys.row_parameters("phases", name, row)
        values = {key: row[key] for key in row if f"{place}.{join_key((key,))}" not in tables}
        yield from _comment_block(("phases", name), values, takes, written)
    for name, row in parent.get("clauses", {}).items():
        word = keys.clause_word(name, row)
        if word is not None:
            yield from _comment_block(("clauses", name), row, word.parameters, written, word.doc)
    for name, row in parent.get("scores", {}).items():
        takes = keys.row_parameters("scores", name, row)
        numbers = {key: takes[key] for key in ("points", "factor") if type(row.get(key)) is int}
        doc = keys.row_doc("scores", name, row)
        yield from _comment_block(("scores", name), row, numbers, written, doc)
    for section in DROPPABLE_TABLES:
        rows = [join_key((section, name)) for name in parent.get(section, {})]
        names = ", ".join(row.partition(".")[2] for row in rows if written(row) == row)
        if names:
            note = f"To drop a row, write `NAME = false` under [{section}]. The rows are: {names}"
            yield "\n".join(f"# {line}" for line in _wrap(note, WIDTH - 2))
        listed = ", ".join(dict.fromkeys(written(row) for row in rows if written(row) != row))
        if listed:
            note = (
                f"To drop a rule of a phase, write `phases.PHASE.RULE = false`. They are: {listed}"
            )
            yield "\n".join(f"# {line}" for line in _wrap(note, WIDTH - 2))


def _comment_block(
    path: tuple[str, ...],
    table: Row,
    parameters: Mapping[str, Parameter],
    written: Callable[[str], str],
    doc: str = "",
) -> Iterator[str]:
    """Yield a commented table as one string, with only the keys that are changed most often."""
    lines, place = [], written(join_key(path))
    head = f"[{place}]"
    for key, value in table.items():
        parameter = parameters.get(key)
        if parameter is not None and parameter.kind in CHANGEABLE_KINDS and key != "cite":
            here, _, called = written(join_key((*path, key))).rpartition(".")
            if here != place:
                continue  # in a file, this key belongs to another table
            lines += _comment_lines(f"{called} = {format_toml(value)}", _parameter_note(parameter))
    if lines:
        yield "\n".join(
            [*_comment_lines(head, "" if doc == path[-1] else escape_controls(doc)), *lines]
        )


def _comment_lines(line: str, note: str) -> list[str]:
    """Return a commented line of TOML with its description after it, or above it if it is long."""
    whole = f"# {line:<37} # {note}"
    if not note or len(whole) <= WIDTH:
        return [whole if note else f"# {line}"]
    above = _wrap(note, WIDTH - 4)
    return [*(f"#   # {each}" for each in above), f"# {line}"]


def _wrap(text: str, width: int) -> list[str]:
    """Wrap a description."""
    return wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _parameter_note(parameter: Parameter) -> str:
    """Return a parameter's description, with its choices if the description does not mention
    them."""
    if not parameter.choices or all(f"`{word}`" in parameter.doc for word in parameter.choices):
        return parameter.doc
    return f"{parameter.doc}: {', '.join(filter(None, parameter.choices))}"


def format_toml(value: object) -> str:
    """Format a value as TOML on one line."""
    from tomli_w import dumps

    if isinstance(value, list):
        return f"[{', '.join(map(format_toml, value))}]"
    if isinstance(value, dict):
        pairs = (f"{join_key((key,))} = {format_toml(part)}" for key, part in value.items())
        return f"{{ {', '.join(pairs)} }}"
    return escape_controls(dumps({"v": value}).partition("=")[2].strip())
