"""A sheet as one page of HTML: nothing is loaded, nothing runs, and it prints on A4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import ENGLISH, language
from scorekeeper.render.plain import plain, runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.render.sheet import Column, Grid, Sheet

# From so many columns on, the paper is turned.
WIDE = 10
STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #1c1c1c; background: #fff;
  font: 1rem/1.4 system-ui, "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { margin: 0 0 .5rem; font-size: 1.6rem; line-height: 1.2; }
dl { display: flex; flex-wrap: wrap; gap: .25rem 2rem; margin: 0 0 1.25rem; }
dl div { display: flex; gap: .5rem; }
dt { color: #5a5a5a; }
dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin: 0 0 1.25rem; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { padding: .25rem 0; text-align: left; font-weight: 600; }
th, td { padding: .3rem .6rem; border: 1px solid #c8c8c8; text-align: left;
  vertical-align: top; overflow-wrap: break-word; unicode-bidi: isolate; }
thead th { background: #f0f0ee; border-bottom: 2px solid #8a8a8a; vertical-align: bottom; }
tfoot td { border-top: 1px solid #8a8a8a; font-weight: 600; background: #fafaf8; }
tfoot tr:first-child td { border-top: 2px solid #8a8a8a; }
.right { text-align: right; white-space: nowrap; }
.center { text-align: center; }
.empty td { height: 2rem; }
ul { margin: 0; padding-left: 1.2rem; }
li { overflow-wrap: anywhere; }
@media print {
  body { margin: 0; max-width: none; padding: 0; font-size: 10pt; }
  .scroll { overflow: visible; padding: 0 1px; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
  tr, li { break-inside: avoid; }
  h1, caption { break-after: avoid; }
  thead th, tfoot td { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
PAGE = "@page { size: A4 %s; margin: 14mm 12mm; }\n"
HEAD = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
"""


def escaped(text: str) -> str:
    """Text that stands for itself in HTML, in attributes too."""
    from html import escape

    return escape(plain(text))


def render(sheet: Sheet) -> str:
    """The sheet as a page."""
    turned = max((len(grid.columns) for grid in sheet.grids), default=0) >= WIDE
    widths = {column.width for grid in sheet.grids for column in grid.columns} - {0}
    style = STYLE + PAGE % ("landscape" if turned else "portrait")
    style += "".join(f".w{width} {{ min-width: {width}ch; }}\n" for width in sorted(widths))
    head = head_of(sheet.title, style, language())
    parts = [f"<h1>{isolated(sheet.title)}</h1>\n", _facts(sheet.facts)]
    parts += [_grid(grid) for grid in sheet.grids]
    if sheet.footnotes:
        notes = "".join(f"<li>{escaped(note)}</li>\n" for note in sheet.footnotes)
        parts.append(f"<ul>\n{notes}</ul>\n")
    return f"{head}<main>\n{''.join(parts)}</main>\n</body>\n</html>\n"


def head_of(title: str, style: str, code: str = ENGLISH) -> str:
    """What stands before the body of a page in this language: its title, and how it looks."""
    return HEAD.format(language=code, title=escaped(title), style=style, policy=policy(style))


def policy(style: str) -> str:
    """Nothing may be loaded or run; of styles, only the page's own."""
    from base64 import b64encode
    from hashlib import sha256

    digest = b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def isolated(text: str) -> str:
    """Text whose own direction does not turn what stands around it."""
    return f"<bdi>{escaped(text)}</bdi>"


def _cell(text: str) -> str:
    """A text put together from facts, read from the left: names from the right stand apart."""
    return "".join(isolated(piece) if turned else escaped(piece) for piece, turned in runs(text))


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    if not facts:
        return ""
    rows = (
        f"<div><dt>{escaped(word)}</dt><dd>{isolated(text)}</dd></div>\n" for word, text in facts
    )
    return f"<dl>\n{''.join(rows)}</dl>\n"


def _grid(grid: Grid) -> str:
    columns = grid.columns
    caption = f"<caption>{isolated(grid.caption)}</caption>\n" if grid.caption else ""
    headings = "".join(
        f'<th scope="col" class="{column.align} w{column.width}">{isolated(column.label)}</th>'
        for column in columns
    )
    body = "".join(_row(columns, row) for row in grid.rows)
    totals = "".join(_row(columns, row) for row in grid.totals)
    foot = f"<tfoot>\n{totals}</tfoot>\n" if totals else ""
    return (
        f'<div class="scroll"><table>\n{caption}<thead>\n<tr>{headings}</tr>\n</thead>\n'
        f"<tbody>\n{body}</tbody>\n{foot}</table></div>\n"
    )


def _row(columns: Sequence[Column], row: Sequence[str]) -> str:
    cells = "".join(
        f'<td class="{column.align}">{_cell(cell)}</td>'
        for column, cell in zip(columns, row, strict=True)
    )
    # A row of which no more than the number stands there is one to be written on.
    empty = ' class="empty"' if not any(row[1:]) else ""
    return f"<tr{empty}>{cells}</tr>\n"
