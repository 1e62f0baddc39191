"""A ruleset as the page that a table agrees on before it plays.

What stands there is what the ruleset says: rows with what their words and keys say of themselves,
expressions as they are (with what they speak of at the end), paragraphs of the rule text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.messages import listed
from scorekeeper.core.rulings import NOTE, REFUSE, WARN
from scorekeeper.render import rules_diff
from scorekeeper.render.pages import Item, Page, Section
from scorekeeper.render.rules_cards import order_facts, pack_facts
from scorekeeper.render.rules_keys import EXPRESSIONS, READING, Keys, facts_of, heading, worded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Row
    from scorekeeper.render.rules_diff import Difference
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.ruleset.rows import Clause
    from scorekeeper.ruleset.tables import Parameter

# Told by themselves, or no matter of the rules.
APART = ("players", "languages", "sheet", "statistics")
# What a breach does, where it is not refused.
BREACHES = {WARN: "is told, and counts", NOTE: "is noted"}
LONGEST = 240  # characters of a sentence of the rule text
_SENTENCE = re.compile(r"[.!?:](?=\s+[^\W\d_a-z])")
_EMPHASIS = re.compile(r"\*([^\W\d_A-Z][^\W\d_][^*]*)\*")
_NAME = re.compile(r"[A-Za-z_][\w.]*")


def page(
    rules: Ruleset,
    texts: Callable[[str], str],
    changes: Sequence[tuple[str, str, str, Sequence[Difference]]] = (),
) -> Page:
    """The ruleset as a page. `texts` gives the paragraph that is cited; `changes` are headings,
    what left and right of an arrow are called, and what differs."""
    return _Reader(rules, texts).page(changes)


def first_sentence(paragraph: str) -> str:
    """The first sentence of a paragraph, without its number and marks of emphasis."""
    line = paragraph.split("\n", 1)[0].partition(" ")[2].replace("**", "").replace("`", "")
    line = _EMPHASIS.sub(r"\1", line)
    found = _SENTENCE.search(line)
    said = line[: found.end()] if found else line
    return said if len(said) <= LONGEST else f"{said[: LONGEST - 1].rstrip()}…"


class _Reader:
    def __init__(self, rules: Ruleset, texts: Callable[[str], str]) -> None:
        self.rules = rules
        self.texts = texts
        self.data: Row = rules.data
        self.keys = Keys(rules.data)

    def page(self, changes: Sequence[tuple[str, str, str, Sequence[Difference]]]) -> Page:
        found = [self._section(section) for section in self._reading()]
        for title, one, other, differing in changes:
            items = rules_diff.items(differing, one, other)
            said = () if items else ("Nothing.",)
            found.append(Section(title, said, (), items))
        found.append(self._glossary())
        facts = [
            ("ruleset", self.rules.name),
            ("players", self._players()),
            ("source", str(self.data.get("source", ""))),
            ("rule text", f"{self.rules.rules_text}.md"),
            ("severity", str(self.data.get("severity", ""))),
        ]
        return Page(
            self.rules.title,
            [(word, text) for word, text in facts if text],
            [each for each in found if each.lines or each.facts or each.items],
        )

    def _players(self) -> str:
        """How many may play."""
        counts, least, most = (self.rules.players[key] for key in ("counts", "least", "most"))
        if counts:
            return listed([str(count) for count in counts if least <= count <= most], "or")
        return f"{least} or more" if most >= untrusted.PLAYERS else f"{least} to {most}"

    def _reading(self) -> Iterator[str]:
        """The tables in the order in which they are read."""
        tables = [name for name, value in self.data.items() if isinstance(value, dict) and value]
        others = [name for name in tables if name not in (*READING, *APART)]
        for name in READING:
            yield from (others if name == "" else [name] if name in tables else ())

    def _section(self, section: str) -> Section:
        table: Row = self.data[section]
        takes = self.keys.plain(section)
        if section == "pack":
            return Section(heading(section), (), pack_facts(self.rules))
        rows = {
            name: row for name, row in table.items() if name not in takes and isinstance(row, dict)
        }
        plain = {
            name: value for name, value in table.items() if name not in rows and value != [name]
        }
        said = () if plain.get("cite") is None else (self._paragraph(str(plain["cite"])),)
        return Section(
            heading(section),
            tuple(filter(None, said)),
            list(facts_of(plain, takes, ("cite",))),
            [self._item(section, name, row) for name, row in rows.items()],
        )

    def _paragraph(self, cite: str) -> str:
        quote = self._quote(cite)
        return f"{cite}: {quote}" if quote else cite

    def _quote(self, cite: str) -> str:
        return first_sentence(self.texts(cite))

    def _item(self, section: str, name: str, row: Row) -> Item:
        if section == "clauses" and name in self.rules.clauses:
            return self._clause(self.rules.clauses[name], row)
        takes, doc = self.keys.row(section, name, row), self.keys.doc(section, name, row)
        cite = str(row.get("cite", ""))
        if section == "scores":
            return Item(doc or name, f"scores.{name}", cite, (), self._score(row))
        said = self.rules.spoken(name)
        head = said if said == name else f"{name}: {said}"
        if section == "orders":
            return Item(head, "", cite, (), order_facts(self.rules, name, row))
        facts = list(facts_of(row, takes, ("cite", "label")))
        lines = (doc,) if doc else () if facts else ("nothing besides its name",)
        return Item(head, "", cite, lines, facts, self._quote(cite))

    def _clause(self, clause: Clause, row: Row) -> Item:
        """A clause: what its word says, what the row adds, and what the paragraph says."""
        takes = clause.word.parameters
        on = row.get("on") or clause.word.on
        facts = [("what is judged", listed([self._verb(verb) for verb in on]))]
        facts += facts_of({key: row[key] for key in row if key in takes}, takes)
        if row.get("say"):
            facts.append(("what is said", clause.say))
        if clause.severity != REFUSE:
            facts.append(("a breach", BREACHES.get(clause.severity, clause.severity)))
        quote = self._quote(clause.cite)
        return Item(clause.name, clause.code, clause.cite, (clause.word.doc,), facts, quote)

    def _verb(self, verb: str) -> str:
        said = self.rules.spoken(verb)
        return verb if said == verb else f"{verb} ({said})"

    def _score(self, row: Row) -> list[tuple[str, str]]:
        """A score row: what it gives, to whom, and when."""
        whom = str(row["for"])
        if row.get("against"):
            whom += f", and {row['against']} the same with the other sign"
        facts = [("for", whom)]
        facts += [(key, worded(row[key])) for key in ("points", "factor") if key in row]
        if row.get("of"):
            facts.append(("of the rows", worded(row["of"])))
        elif "factor" in row:
            facts.append(("of the rows", "all above"))
        if row.get("when", "true") not in ("true", True):
            facts.append(("when", worded(row["when"])))
        told = ("for", "against", "points", "factor", "of", "when", "cite", "label")
        return facts + list(facts_of(row, self.keys.row("scores", "", row), told))

    def _glossary(self) -> Section:
        """The measures that expressions of this ruleset name, and what they are."""
        used = {name for text in self._expressions() for name in _NAME.findall(text)}
        known = self.rules.measures
        facts = [(name, known[name].doc) for name in sorted(used) if name in known]
        return Section("What the expressions speak of", (), facts)

    def _expressions(self) -> Iterator[str]:
        """The texts that are expressions, or may be: what is said of them is not known."""
        for section, table in self.data.items():
            if isinstance(table, dict) and section not in (*APART, "words"):
                yield from _texts(table, self.keys.plain(section))
                for name, row in table.items():
                    if isinstance(row, dict):
                        yield from _texts(row, self.keys.row(section, name, row))


def _texts(table: Row, takes: Mapping[str, Parameter]) -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, str) and (key not in takes or takes[key].kind in EXPRESSIONS):
            yield value
