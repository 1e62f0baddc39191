"""The page of a match in pieces, and as a whole.

The pieces depend on the public scene alone. No clock or counter can reveal hidden entries. An
entry's mark is a hash of all entries up to it. A reader who sends the mark of the last known entry
therefore gets exactly the missing ones, even from another process. A note on an entry may change
later, so it is no part of the mark.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from scorekeeper.core.messages import language, tr
from scorekeeper.core.text import escaped
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.charts import lines_svg, parts_svg
from scorekeeper.render.html import inner, isolated, mixed
from scorekeeper.render.sheet import sheet
from scorekeeper.session.screen import PlayerRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.session.screen import TableScreen
    from scorekeeper.session.spectators import Scene, SpokenEntry

MOST_SHOWN = 200  # the newest entries on the page
DRAWN = 480  # the width of charts, chosen so that labels are legible from afar
ROOM = 42.0  # the width of the sheet on a television, in letter heights (page.css)
MOST_RULED = 100  # lines of findings
REFRESH = 5  # seconds after which a browser without script reloads the page
BEGUN = "0"  # the mark before the first entry
# Further attributes of some sections.
SECTIONS = {
    "now": ' aria-live="polite"',
    "trouble": ' role="status"',
    "sheet": ' class="sheet"',
}
PARTS = ("trouble", "head", "now", "table", "rulings", "chart", "sheet", "sources")
# The parts in columns where there is room.
LAID = """{trouble}{head}{now}<div class="column left">
{table}{rulings}</div>
{log}<div class="column right">
{chart}{sheet}</div>
{sources}"""
WAITING = ' class="waiting"'
SHORT = 16  # characters of a mark
PAGE = """<!DOCTYPE html>
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


class Shown(NamedTuple):
    """The rendered page: title, `parts` by name, and the entries in order.

    `marks` has one more item than `entries`: first the mark before the first entry. A hash
    identifies everything that the page shows.
    """

    title: str
    language: str
    parts: Mapping[str, str]
    entries: Sequence[str]
    marks: Sequence[str]
    state: str

    @property
    def at(self) -> str:
        """The position of a reader who has all of this."""
        return f"{self.place(len(self.entries))}{self.state}"

    def place(self, count: int) -> str:
        """Return the position of a reader who has so many entries, but not the other changes."""
        return f"{count}-{self.marks[count]}-"

    @property
    def log(self) -> str:
        """The newest entries, the last one first."""
        return _log(self.entries[-MOST_SHOWN:])

    def whole(self) -> Iterator[tuple[str, str]]:
        """Yield every part with its name in the order of the page."""
        for name, html in self.parts.items():
            yield name, html
            if name == "rulings":
                yield "log", self.log


class PageLayout:
    """A renderer of successive scenes that reuses unchanged entries."""

    def __init__(self) -> None:
        self._said: list[SpokenEntry] = []
        self._shown: Shown | None = None

    def of(self, scene: Scene) -> Shown:
        """Render a scene."""
        return self._made(scene.title, _parts(scene), scene.log)

    def troubled(self) -> Shown:
        """Render the last page with a warning, because no current scene is available."""
        if self._shown is None or not self._shown.title:
            trouble = _p(tr("The match cannot be read yet. The page will try again."))
            return self._made("", {**dict.fromkeys(PARTS, ""), "trouble": trouble}, [])
        trouble = _p(tr("The page cannot be updated now and may be out of date."))
        parts = {**self._shown.parts, "trouble": trouble}
        return self._made(self._shown.title, parts, self._said)

    def _made(self, title: str, parts: Mapping[str, str], said: list[SpokenEntry]) -> Shown:
        """Build the content, and reuse the entries that are unchanged."""
        before, last = self._said, self._shown
        entries: Sequence[str] = ()
        marks: Sequence[str] = (BEGUN,)
        if last is not None:
            same = _alike(before, said)
            marks = last.marks[: same + 1]
            entries = last.entries[:same]
            if before[:same] != said[:same]:
                entries = [
                    html if before[index] == said[index] else _entry(index + 1, said[index])
                    for index, html in enumerate(entries)
                ]
        new = said[len(entries) :]
        marks = [*marks, *_marks(marks[-1], new)]
        entries = [*entries, *(_entry(at, each) for at, each in enumerate(new, len(entries) + 1))]
        shown = (title, language(), *parts.items(), *entries[-MOST_SHOWN:])
        state = sha256(repr(shown).encode()).hexdigest()[:SHORT]
        self._said, self._shown = said, Shown(title, language(), parts, entries, marks, state)
        return self._shown


def page(shown: Shown) -> str:
    """Render the whole page."""
    sections = {
        name: f'<section id="{name}"{SECTIONS.get(name, "")}>{html}</section>\n'
        for name, html in shown.whole()
    }
    return PAGE.format(
        language=escaped(shown.language),
        title=escaped(shown.title),
        refresh=REFRESH,
        away=escaped(tr("The page has lost its connection and will try again.")),
        at=shown.at,
        most=MOST_SHOWN,
        parts=LAID.format_map(sections),
    )


def _alike(before: list[SpokenEntry], now: list[SpokenEntry]) -> int:
    """Count the entries at the beginning that are the same, ignoring notes."""
    many = min(len(before), len(now))
    if before[:many] == now[:many]:
        return many
    pairs = enumerate(zip(before, now, strict=False))
    return next((at for at, (one, other) in pairs if one[:2] != other[:2]), many)


def _marks(last: str, said: Iterable[SpokenEntry]) -> Iterator[str]:
    """Yield the marks of these entries, which continue the chain after the last one."""
    for entry in said:
        last = sha256(repr((last, entry.place, entry.text)).encode()).hexdigest()[:SHORT]
        yield last


# --- parts


def _parts(scene: Scene) -> dict[str, str]:
    """Render all parts except the entries, in order."""
    made = sheet(scene.reviewed)
    parts = (
        _p(scene.trouble),
        f"<h1>{isolated(scene.title)}</h1>\n{_facts(scene.about)}",
        _now(scene),
        _tallies(scene)
        if scene.screen is None
        else _table(scene.screen, scene.reviewed.ruleset.sheet.word),
        _rulings(scene.rulings[:MOST_RULED]),
        lines_svg(made.running, DRAWN) if made.running is not None else "",
        f"<h2>{escaped(tr('Sheet'))}</h2>{inner(made._replace(facts=()), room=ROOM)}",
        parts_svg(made.parts, DRAWN) if made.parts is not None else "",
    )
    return dict(zip(PARTS, parts, strict=True))


def _p(text: str) -> str:
    """Render a paragraph, or "" without a text."""
    return f"<p>{escaped(text)}</p>" if text else ""


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    """Render the facts of the match."""
    rows = (f"<div><dt>{escaped(word)}</dt><dd>{mixed(text)}</dd></div>" for word, text in facts)
    return f"<dl>{''.join(rows)}</dl>" if facts else ""


def _now(scene: Scene) -> str:
    """Render the pending decision and whose turn it is."""
    waits = f'<p class="waits">{mixed(scene.waits)}</p>' if scene.waits else ""
    turn = tr("The current round will be shown later.")
    if scene.screen is not None:
        turn = scene.screen.turn
    elif scene.waits:
        turn = ""
    return waits + (f'<p class="turn">{mixed(turn)}</p>' if turn else "")


def _table(screen: TableScreen, word: str) -> str:
    """Render the table: the cards on it, the facts of the round, and a row for each player.

    `word` is the name of a round on the sheet.
    """
    round_ = escaped(f"{word or tr('Round')} {screen.round}")
    laid = "".join(map(_laid, screen.table))
    facts = "".join(f"<li>{mixed(text)}</li>" for text in screen.facts)
    claims = "".join(f"<li>{mixed(text)}</li>" for text in screen.claims)
    return "".join(
        [
            f"<h2>{round_}</h2>",
            _players(screen.headings, screen.rows),
            f'<ul class="laid">{laid}</ul>' if laid else "",
            f'<ul class="facts">{facts}</ul>' if facts else "",
            f'<ul class="claims">{claims}</ul>' if claims else "",
        ]
    )


def _laid(text: str) -> str:
    """Render cards on the table, with their player if the text has one."""
    who, colon, what = text.partition(": ")
    if not colon:
        return f"<li><span>{isolated(text)}</span></li>"
    return f"<li>{isolated(who)} <span>{isolated(what)}</span></li>"


def _players(headings: Sequence[str], rows: Sequence[PlayerRow]) -> str:
    """Render a table with a row for each player."""
    heads = "".join(f'<th scope="col">{isolated(heading)}</th>' for heading in headings)
    body = "".join(
        f'<tr{WAITING if row.waits else ""}><th scope="row">{isolated(row.name)}</th>'
        + "".join(f"<td>{isolated(cell)}</td>" for cell in row.cells)
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0"><table class="players"><thead><tr><td></td>{heads}</tr>'
        f"</thead><tbody>{body}</tbody></table></div>"
    )


def _tallies(scene: Scene) -> str:
    """Render the tallies alone, while the round is hidden."""
    ruleset = scene.reviewed.ruleset
    rows = [PlayerRow(False, name, [str(points)]) for name, points in scene.reviewed.scores.items()]
    return _players([ruleset.said(ruleset.tally["name"])], rows)


def _entry(number: int, said: SpokenEntry) -> str:
    """Render an entry as one line of HTML. The first of a round has the class `first`."""
    first = ' class="first"' if said.place.endswith(".1") else ""
    note = f' <span class="note">{mixed(said.note)}</span>' if said.note else ""
    return (
        f'<li id="e{number}"{first}><span class="place">{escaped(said.place)}</span> '
        f'<span class="said">{mixed(said.text)}</span>{note}</li>'
    )


def _log(entries: Sequence[str]) -> str:
    """Render the list of entries, the last one first."""
    return (
        f"<h2>{escaped(tr('What happened'))}</h2>"
        f'<ol id="entries" tabindex="0">{"".join(reversed(entries))}</ol>'
    )


def _rulings(lines: Sequence[str]) -> str:
    """Render the findings, the last one first. Details are indented."""
    rows = "".join(
        f'<li class="{"more" if line[:1] == " " else "entry"}">{mixed(line.strip())}</li>'
        for line in lines
    )
    heading = escaped(tr("Rulings"))
    return f'<h2>{heading}</h2><ul tabindex="0">{rows}</ul>' if lines else ""
