"""The page of a match, as separate parts and as a whole.

The parts depend on the public scene alone, so no clock or counter can reveal hidden entries. An
entry's mark is a hash of all entries up to and including it. A reader who sends the mark of the
last known entry gets exactly the missing entries, even if another process serves the page. A note
on an entry may change later, so it is not part of the mark.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from scorekeeper.core.messages import current_language, tr
from scorekeeper.core.text import escape_html
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.charts import draw_lines, draw_sources
from scorekeeper.render.html import isolate, isolate_runs, render_inner
from scorekeeper.render.sheet import build_sheet
from scorekeeper.session.screen import PlayerRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.session.screen import TableScreen
    from scorekeeper.session.spectators import Scene, SpokenEntry

MAX_SHOWN = 200  # maximum number of entries shown on the page; older ones are left out
CHART_WIDTH = 480  # the width of charts, chosen so that labels are legible from a distance
# the width of the sheet on a television, in character heights (as in page.css)
SHEET_WIDTH = 42.0
MAX_RULINGS = 100  # maximum number of lines shown under the heading for findings
REFRESH = 5  # seconds after which a browser without script reloads the page
FIRST_MARK = "0"  # the mark before the first entry
# Additional attributes of some sections.
SECTION_ATTRIBUTES = {
    "now": ' aria-live="polite"',
    "trouble": ' role="status"',
    "sheet": ' class="sheet"',
}
PART_NAMES = ("trouble", "head", "now", "table", "rulings", "chart", "sheet", "sources")
# The arrangement of the parts, in columns if there is room.
PAGE_BODY = """{trouble}{head}{now}<div class="column left">
{table}{rulings}</div>
{log}<div class="column right">
{chart}{sheet}</div>
{sources}"""
WAITING_CLASS = ' class="waiting"'
MARK_LENGTH = 16  # number of characters in a mark
PAGE_TEMPLATE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="page.css">
<script src="page.js" defer></script>
<noscript><meta http-equiv="refresh" content="{refresh}"></noscript>
</head>
<body>
<p id="away" role="status" hidden>{away}</p>
<main data-at="{at}" data-most="{most}">
{parts}</main>
</body>
</html>
"""


class PageContent(NamedTuple):
    """The rendered page: its title, `parts` by name, and the entries in order.

    `marks` has one more item than `entries`, because it begins with the mark before the first
    entry. `fingerprint` is a hash of everything that the page shows.
    """

    title: str
    language: str
    parts: Mapping[str, str]
    entries: Sequence[str]
    marks: Sequence[str]
    fingerprint: str

    @property
    def position(self) -> str:
        """The position of a reader who has the whole page."""
        return f"{self.position_after(len(self.entries))}{self.fingerprint}"

    def position_after(self, count: int) -> str:
        """Return the position of a reader who has the first `count` entries.

        The other parts of the reader's page may be out of date.
        """
        return f"{count}-{self.marks[count]}-"

    @property
    def log(self) -> str:
        """The newest entries as an HTML list, latest first."""
        return _render_log(self.entries[-MAX_SHOWN:])

    def all_parts(self) -> Iterator[tuple[str, str]]:
        """Yield every part with its name, in the order of the page."""
        for name, html in self.parts.items():
            yield name, html
            if name == "rulings":
                yield "log", self.log


class PageLayout:
    """A renderer of successive scenes that reuses unchanged entries."""

    def __init__(self) -> None:
        self._entries: list[SpokenEntry] = []
        self._content: PageContent | None = None

    def lay_out(self, scene: Scene) -> PageContent:
        """Render a scene."""
        return self._build(scene.title, _build_parts(scene), scene.log)

    def with_trouble(self) -> PageContent:
        """Render the last page with a warning, because no current scene is available."""
        if self._content is None or not self._content.title:
            trouble = _paragraph(tr("The match cannot be read yet. The page will try again."))
            return self._build("", {**dict.fromkeys(PART_NAMES, ""), "trouble": trouble}, [])
        trouble = _paragraph(tr("The page cannot be updated now and may be out of date."))
        parts = {**self._content.parts, "trouble": trouble}
        return self._build(self._content.title, parts, self._entries)

    def _build(self, title: str, parts: Mapping[str, str], said: list[SpokenEntry]) -> PageContent:
        """Build the content, and reuse the entries that are unchanged."""
        before, last = self._entries, self._content
        entries: Sequence[str] = ()
        marks: Sequence[str] = (FIRST_MARK,)
        if last is not None:
            same = _count_same(before, said)
            marks = last.marks[: same + 1]
            entries = last.entries[:same]
            if before[:same] != said[:same]:
                entries = [
                    html if before[index] == said[index] else _render_entry(index + 1, said[index])
                    for index, html in enumerate(entries)
                ]
        new = said[len(entries) :]
        marks = [*marks, *_chain_marks(marks[-1], new)]
        entries = [
            *entries,
            *(_render_entry(at, each) for at, each in enumerate(new, len(entries) + 1)),
        ]
        shown = (title, current_language(), *parts.items(), *entries[-MAX_SHOWN:])
        state = sha256(repr(shown).encode()).hexdigest()[:MARK_LENGTH]
        self._entries, self._content = (
            said,
            PageContent(title, current_language(), parts, entries, marks, state),
        )
        return self._content


def render_page(content: PageContent) -> str:
    """Render the whole page."""
    sections = {
        name: f'<section id="{name}"{SECTION_ATTRIBUTES.get(name, "")}>{html}</section>\n'
        for name, html in content.all_parts()
    }
    return PAGE_TEMPLATE.format(
        language=escape_html(content.language),
        title=escape_html(content.title),
        refresh=REFRESH,
        away=escape_html(tr("The page has lost its connection and will try again.")),
        at=content.position,
        most=MAX_SHOWN,
        parts=PAGE_BODY.format_map(sections),
    )


def _count_same(before: list[SpokenEntry], now: list[SpokenEntry]) -> int:
    """Return how many entries at the beginning of both lists are the same, ignoring notes."""
    many = min(len(before), len(now))
    if before[:many] == now[:many]:
        return many
    pairs = enumerate(zip(before, now, strict=False))
    return next((at for at, (one, other) in pairs if one[:2] != other[:2]), many)


def _chain_marks(last: str, entries: Iterable[SpokenEntry]) -> Iterator[str]:
    """Yield the marks of these entries, which continue the chain after the mark `last`."""
    for entry in entries:
        last = sha256(repr((last, entry.place, entry.text)).encode()).hexdigest()[:MARK_LENGTH]
        yield last


# --- parts


def _build_parts(scene: Scene) -> dict[str, str]:
    """Render all parts except the entries, in order."""
    made = build_sheet(scene.history)
    parts = (
        _paragraph(scene.trouble),
        f"<h1>{isolate(scene.title)}</h1>\n{_render_facts(scene.details)}",
        _render_now(scene),
        _render_tallies(scene)
        if scene.screen is None
        else _render_table(scene.screen, scene.history.ruleset.sheet.round_word),
        _render_rulings(scene.rulings[:MAX_RULINGS]),
        draw_lines(made.running_totals, CHART_WIDTH) if made.running_totals is not None else "",
        f"<h2>{escape_html(tr('Sheet'))}</h2>"
        + render_inner(made._replace(facts=()), width=SHEET_WIDTH),
        draw_sources(made.sources, CHART_WIDTH) if made.sources is not None else "",
    )
    return dict(zip(PART_NAMES, parts, strict=True))


def _paragraph(text: str) -> str:
    """Render a paragraph, or return "" if there is no text."""
    return f"<p>{escape_html(text)}</p>" if text else ""


def _render_facts(facts: Sequence[tuple[str, str]]) -> str:
    """Render the facts of the match."""
    rows = (
        f"<div><dt>{escape_html(word)}</dt><dd>{isolate_runs(text)}</dd></div>"
        for word, text in facts
    )
    return f"<dl>{''.join(rows)}</dl>" if facts else ""


def _render_now(scene: Scene) -> str:
    """Render the pending decision and whose turn it is."""
    waits = f'<p class="waits">{isolate_runs(scene.pending)}</p>' if scene.pending else ""
    turn = tr("The current round will be shown later.")
    if scene.screen is not None:
        turn = scene.screen.turn
    elif scene.pending:
        turn = ""
    return waits + (f'<p class="turn">{isolate_runs(turn)}</p>' if turn else "")


def _render_table(screen: TableScreen, word: str) -> str:
    """Render the table: the cards on it, the facts of the round, and a row for each player.

    `word` is the name of a round on the sheet.
    """
    round_ = escape_html(f"{word or tr('Round')} {screen.round}")
    laid = "".join(map(_render_laid, screen.table))
    facts = "".join(f"<li>{isolate_runs(text)}</li>" for text in screen.facts)
    claims = "".join(f"<li>{isolate_runs(text)}</li>" for text in screen.claims)
    return "".join(
        [
            f"<h2>{round_}</h2>",
            _render_players(screen.headings, screen.rows),
            f'<ul class="laid">{laid}</ul>' if laid else "",
            f'<ul class="facts">{facts}</ul>' if facts else "",
            f'<ul class="claims">{claims}</ul>' if claims else "",
        ]
    )


def _render_laid(text: str) -> str:
    """Render cards on the table, with their player if the text names one."""
    who, colon, what = text.partition(": ")
    if not colon:
        return f"<li><span>{isolate(text)}</span></li>"
    return f"<li>{isolate(who)} <span>{isolate(what)}</span></li>"


def _render_players(headings: Sequence[str], rows: Sequence[PlayerRow]) -> str:
    """Render a table with a row for each player."""
    heads = "".join(f'<th scope="col">{isolate(heading)}</th>' for heading in headings)
    body = "".join(
        f'<tr{WAITING_CLASS if row.is_to_act else ""}><th scope="row">{isolate(row.name)}</th>'
        + "".join(f"<td>{isolate(cell)}</td>" for cell in row.cells)
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0"><table class="players"><thead><tr><td></td>{heads}</tr>'
        f"</thead><tbody>{body}</tbody></table></div>"
    )


def _render_tallies(scene: Scene) -> str:
    """Render only the tallies, for use while the round is hidden."""
    ruleset = scene.history.ruleset
    rows = [PlayerRow(False, name, [str(points)]) for name, points in scene.history.scores.items()]
    return _render_players([ruleset.translate(ruleset.tally["name"])], rows)


def _render_entry(number: int, entry: SpokenEntry) -> str:
    """Render an entry as one line of HTML. The first entry of a round has the class `first`."""
    first = ' class="first"' if entry.place.endswith(".1") else ""
    note = f' <span class="note">{isolate_runs(entry.note)}</span>' if entry.note else ""
    return (
        f'<li id="e{number}"{first}><span class="place">{escape_html(entry.place)}</span> '
        f'<span class="said">{isolate_runs(entry.text)}</span>{note}</li>'
    )


def _render_log(entries: Sequence[str]) -> str:
    """Render the list of entries, latest first."""
    return (
        f"<h2>{escape_html(tr('What happened'))}</h2>"
        f'<ol id="entries" tabindex="0">{"".join(reversed(entries))}</ol>'
    )


def _render_rulings(lines: Sequence[str]) -> str:
    """Render the findings, latest first. Details are indented."""
    rows = "".join(
        f'<li class="{"more" if line[:1] == " " else "entry"}">{isolate_runs(line.strip())}</li>'
        for line in lines
    )
    heading = escape_html(tr("Rulings"))
    return f'<h2>{heading}</h2><ul tabindex="0">{rows}</ul>' if lines else ""
