"""A page of headings, items and facts, for a terminal, as Markdown or as HTML.

Strings may come from strangers. Each renderer escapes the strings that it writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.text import display_width, make_printable, wrap_parts
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.html import isolate, page_head
from scorekeeper.render.markdown import escape_markdown as marked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


WIDTH = 80
MIN_WIDTH = 20
INDENT = "  "
STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --faint: #5a5a5a;
  --line: #c8c8c8; }
* { box-sizing: border-box; }
body { margin: 2rem auto; max-width: 48rem; padding: 0 1rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.45 system-ui, "Noto Sans", "DejaVu Sans", sans-serif;
  overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 2rem 0 .5rem; padding-bottom: .2rem; border-bottom: 1px solid var(--line);
  font-size: 1.2rem; }
h3 { margin: 1rem 0 .1rem; font-size: 1rem; }
p, dl, ul { margin: .2rem 0; }
dl div { display: flex; flex-wrap: wrap; gap: 0 .5rem; }
dt, .code, blockquote { color: var(--faint); }
dd { margin: 0; }
ul { padding-left: 1.2rem; }
.code { font-weight: 400; }
blockquote { margin: .2rem 0 0; padding-left: .75rem; border-left: 3px solid var(--line); }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e3; --paper: #171717; --faint: #a8a8a4; --line: #484848; }
}
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --faint: #444; --line: #999; }
  body { margin: 0; max-width: none; padding: 0; font-size: 10pt; }
  h2, h3 { break-after: avoid; }
  article, li, dl div { break-inside: avoid; }
}
@page { size: portrait; margin: 14mm 12mm; }
"""


class PageItem(NamedTuple):
    """An item of a section: its title, its code and paragraph (shown in brackets), sentences,
    facts, and a quotation from the rule text."""

    head: str
    code: str = ""
    cite: str = ""
    lines: Sequence[str] = ()
    facts: Sequence[tuple[str, str]] = ()
    quote: str = ""


class Section(NamedTuple):
    """A section of a page with its heading, sentences, facts and items."""

    heading: str
    lines: Sequence[str] = ()
    facts: Sequence[tuple[str, str]] = ()
    items: Sequence[PageItem] = ()


class Page(NamedTuple):
    """A page: its title, facts about its subject, and sections."""

    title: str
    facts: Sequence[tuple[str, str]]
    sections: Sequence[Section]


def _format_quote(item: PageItem) -> str:
    """Return the item's quotation and its paragraph, or "" if there is none."""
    return f"{item.cite}: {item.quote}" if item.quote else ""


def fact_line(word: str, text: str) -> str:
    """Format a fact as one line. If the word contains a colon, an equals sign separates it from its
    value.

    >>> fact_line("players", "2 to 5")
    'players: 2 to 5'
    """
    return f"{word}{' =' if ': ' in word else ':'} {text}"


# --- for a terminal


def as_text(page: Page, width: int = WIDTH) -> str:
    """Render the page as text that ends with a line break. Lines have `width` columns (at least
    20)."""
    width = max(width, MIN_WIDTH)
    title = _wrap(page.title, width)
    lines = [*title, "=" * max(map(display_width, title)), *_fact_lines(page.facts, width, "")]
    for section in page.sections:
        heading = _wrap(section.heading, width)
        lines += ["", *heading, "-" * max(map(display_width, heading))]
        for line in section.lines:
            lines += _wrap(line, width)
        lines += _fact_lines(section.facts, width, "")
        for item in section.items:
            lines += _item_lines(item, width)
    return "\n".join(lines) + "\n"


def _item_lines(item: PageItem, width: int) -> Iterator[str]:
    """Yield the lines of an item as text."""
    brackets = ", ".join(filter(None, (item.code, item.cite)))
    yield from _wrap(f"{item.head} ({brackets})" if brackets else item.head, width, "", INDENT * 2)
    for line in item.lines:
        yield from _wrap(line, width, INDENT, INDENT * 2)
    yield from _fact_lines(item.facts, width, INDENT)
    if item.quote:
        yield from _wrap(_format_quote(item), width, f"{INDENT}| ")


def _fact_lines(facts: Sequence[tuple[str, str]], width: int, indent: str) -> Iterator[str]:
    """Yield the lines of facts as text."""
    for word, text in facts:
        yield from _wrap(fact_line(word, text), width, indent, indent + INDENT)


def _wrap(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    """Wrap a string. The first line begins with `first`, and every other line with `rest`."""
    words = make_printable(text).split()
    if not words:
        return [first.rstrip()]
    rest = first if rest is None else rest
    return list(wrap_parts([first + words[0], *words[1:]], width, rest, " "))


# --- Markdown


def as_markdown(page: Page) -> str:
    """Render the page as Markdown, with a line break at the end."""
    parts = [f"# {marked(page.title)}", _facts_as_markdown(page.facts)]
    for section in page.sections:
        parts += [f"## {marked(section.heading)}", *map(marked, section.lines)]
        parts.append(_facts_as_markdown(section.facts))
        for item in section.items:
            parts += _item_as_markdown(item)
    return "\n\n".join(filter(None, parts)) + "\n"


def _item_as_markdown(item: PageItem) -> Iterator[str]:
    """Yield the parts of an item as Markdown."""
    brackets = ", ".join(map(marked, filter(None, (item.code, item.cite))))
    yield f"### {marked(item.head)}" + (f" ({brackets})" if brackets else "")
    # Without a bullet, a sentence might begin a heading or a list.
    lines = [f"- {marked(line)}" for line in item.lines]
    yield "\n".join([*lines, *filter(None, [_facts_as_markdown(item.facts)])])
    yield f"> {marked(_format_quote(item))}" if item.quote else ""


def _facts_as_markdown(facts: Sequence[tuple[str, str]]) -> str:
    """Return facts as a bullet list in Markdown."""
    return "\n".join(f"- {marked(fact_line(word, text))}" for word, text in facts)


# --- HTML


def as_html(page: Page) -> str:
    """Render the page as one HTML file. It loads no files, runs no scripts, and prints on A4 and
    Letter."""
    head = page_head(page.title, STYLE)
    parts = [f"<h1>{isolate(page.title)}</h1>\n", _facts_as_html(page.facts)]
    for section in page.sections:
        parts.append(f"<section>\n<h2>{isolate(section.heading)}</h2>\n")
        parts += [f"<p>{isolate(line)}</p>\n" for line in section.lines]
        parts.append(_facts_as_html(section.facts))
        parts += map(_item_as_html, section.items)
        parts.append("</section>\n")
    return f"{head}<main>\n{''.join(parts)}</main>\n</body>\n</html>\n"


def _item_as_html(item: PageItem) -> str:
    """Render an item as HTML."""
    brackets = ", ".join(map(isolate, filter(None, (item.code, item.cite))))
    small = f' <span class="code">({brackets})</span>' if brackets else ""
    parts = [f"<article>\n<h3>{isolate(item.head)}{small}</h3>\n"]
    if item.lines:
        lines = "".join(f"<li>{isolate(line)}</li>\n" for line in item.lines)
        parts.append(f"<ul>\n{lines}</ul>\n")
    parts.append(_facts_as_html(item.facts))
    if item.quote:
        parts.append(f"<blockquote>{isolate(_format_quote(item))}</blockquote>\n")
    return f"{''.join(parts)}</article>\n"


def _facts_as_html(facts: Sequence[tuple[str, str]]) -> str:
    """Render facts as an HTML description list."""
    if not facts:
        return ""
    rows = (
        f"<div><dt>{isolate(word)}</dt><dd>{isolate(text)}</dd></div>\n" for word, text in facts
    )
    return f"<dl>\n{''.join(rows)}</dl>\n"
