"""How every sheet looks as HTML: on a screen, on a phone, in the dark and on paper.

`SHEET_STYLE` styles what is inside an element of the class `sheet`, on any page that has the
colours; `PAGE_STYLE` is the page of a sheet alone. What depends on a sheet's texts (widths, sizes,
which way the paper lies, from which width on the tables are tables) is generated beside them.
"""

from __future__ import annotations

# On a narrow screen a round is a block: its scores in one line, the rest of it beneath.
# So many scores have a line; of more, the rest goes on in the next.
MOST_SCORES = 12
# How wide a screen is at least, in pixels, for which a table is laid out as a table.
SCREENS = (1000, 850, 700)

PAGE_STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --faint: #585858;
  --line: #c8c8c8; --rule: #7d7d7d; --head: #f0f0ee; --foot: #f7f7f4; }
body { margin: 1.5rem auto; max-width: 68.5rem; padding: 0 1rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.35 system-ui, "Noto Sans", "DejaVu Sans", sans-serif; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e3; --paper: #171717; --faint: #aaaaa6; --line: #484848; --rule: #8c8c88;
    --head: #262626; --foot: #202020; }
}
@media screen and (max-width: 699.98px) {
  body { margin: .75rem auto; padding: 0 .75rem; font-size: .9375rem; }
}
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --faint: #333; --line: #999;
    --rule: #333; --head: #eee; --foot: #f5f5f5; }
  body { margin: 0; max-width: none; padding: 0; }
}
"""

BROAD_STYLE = """
.sheet, .sheet * { box-sizing: border-box; }
.sheet h1 { margin: 0 0 .4rem; font-size: 1.5rem; line-height: 1.2; overflow-wrap: anywhere; }
.sheet h2 { margin: .6rem 0 .1rem; font-size: 1em; overflow-wrap: anywhere; }
.sheet dl { display: flex; flex-wrap: wrap; gap: .1rem 1.6em; margin: 0 0 .7rem; }
.sheet dl div { display: flex; gap: .4em; min-width: 0; }
.sheet dt { color: var(--faint); overflow-wrap: anywhere; }
.sheet .facts dt { flex: none; }
.sheet dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.sheet .signs div { flex-wrap: wrap; max-width: 100%; }
.sheet .signs dt { flex: none; max-width: 100%; color: var(--ink); font-weight: 600; }
.sheet .guide section { display: flex; gap: .8em; }
.sheet .guide h2 { flex: 0 0 9.5em; margin: 0; }
.sheet .guide dl { flex: 1 1 0; min-width: 0; margin-bottom: .3rem; }
.sheet .scroll { overflow-x: auto; margin: 0 0 .9rem; padding: 0 1px; }
.sheet table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums;
  line-height: 1.25; }
.sheet caption { padding: .2em 0; text-align: left; font-weight: 600; overflow-wrap: anywhere; }
.sheet th, .sheet td { padding: .2em .4em; border: 1px solid var(--line); text-align: left;
  vertical-align: top; overflow-wrap: anywhere; unicode-bidi: isolate; }
.sheet thead th { background: var(--head); border-bottom: 2px solid var(--rule);
  vertical-align: bottom; }
.sheet tfoot td { font-weight: 600; background: var(--foot); }
.sheet tfoot tr:first-child td { border-top: 2px solid var(--rule); }
.sheet .first, .sheet .more { overflow-wrap: break-word; }
.sheet td.score { overflow-wrap: normal; }
.sheet th.score { min-width: 3.5em; }
.sheet .right { text-align: right; }
.sheet .center { text-align: center; }
.sheet .apart td, .sheet .carried td { font-style: italic; }
.sheet .carried td { background: var(--foot); }
.sheet .over, .sheet .standing { display: none; }
.sheet .empty td { height: 2rem; }
.sheet .notes { margin: 0 0 .7rem; padding: 0; columns: 17em; column-gap: 2em; }
.sheet .notes li { margin-left: 1.6em; }
.sheet li { overflow-wrap: anywhere; }
.sheet .day { white-space: nowrap; }
.sheet .pays { margin: 0 0 .7rem; padding: 0; list-style: none; display: flex; flex-wrap: wrap;
  gap: .1rem 1.6em; font-variant-numeric: tabular-nums; }
.sheet .pays b { padding-left: .4em; }
.sheet .how { margin: 0; }
.sheet .drawn { display: flex; flex-wrap: wrap; gap: 1rem; margin: 0 0 .9rem; }
.sheet figure { flex: 1 1 26rem; min-width: 0; margin: 0; }
.sheet figure svg { display: block; width: 100%; height: auto; max-width: 45rem; }
@media print {
  .sheet h1 { margin: 0 0 4pt; font-size: 15pt; }
  .sheet dl, .sheet .notes, .sheet .how, .sheet .pays, .sheet .guide { font-size: .88em; }
  .sheet .guide dl { margin-bottom: 2pt; font-size: 1em; }
  .sheet dl, .sheet .notes, .sheet .pays, .sheet .drawn, .sheet .scroll { margin-bottom: 6pt; }
  .sheet .scroll { overflow: visible; }
  .sheet thead { display: table-header-group; }
  .sheet tfoot { display: table-row-group; }
  .sheet .over { display: table-row; }
  .sheet .page { break-before: page; }
  .sheet tr, .sheet li, .sheet dl div, .sheet figure, .sheet .ladder { break-inside: avoid; }
  .sheet tfoot, .sheet tfoot tr { break-before: avoid; }
  .sheet h1, .sheet h2, .sheet caption, .sheet .how { break-after: avoid; }
  .sheet .drawn { flex-wrap: nowrap; gap: 8pt; break-inside: avoid; }
  .sheet figure { flex: 1 1 0; max-width: 330pt; }
  .sheet figure:only-child, .sheet figure:only-child svg { max-width: none; }
  .sheet thead th, .sheet tfoot td, .sheet .carried td {
    print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
# A heading that stands upright, where the media query around it says so.
UPRIGHT = (
    "{ display: inline-block; writing-mode: vertical-rl; transform: rotate(180deg); "
    "text-orientation: sideways; text-align: left; max-height: 12em; line-height: 1.25; }"
)


_NARROW = """
  .sheet table.standing { display: table; margin: 0 0 .9rem; }
  .sheet table.standing td { font-size: 1.05em; }
  .sheet table.standing td + td { font-weight: 600; }
  .sheet table.standing td:first-child { min-width: 5.5em; }
  .sheet .guide section { display: block; margin-bottom: .5rem; }
  .sheet .standing th, .sheet .standing .right { overflow-wrap: normal; }
  .sheet .rounds, .sheet .rounds thead, .sheet .rounds tbody { display: block; width: 100%; }
  .sheet .rounds colgroup, .sheet .rounds tfoot, .sheet .rounds .over { display: none; }
  .sheet .rounds tr { display: flex; flex-wrap: wrap; border: solid var(--line);
    border-width: 0 0 1px; padding: .15em 0; }
  .sheet .rounds th, .sheet .rounds td { border: 0; padding: .1em .2em; min-width: 0; }
  .sheet .rounds thead tr { background: var(--head); border-bottom: 2px solid var(--rule); }
  .sheet .rounds thead .first bdi { display: none; }
  .sheet .ladder, .sheet .ladder thead, .sheet .ladder tbody, .sheet .ladder caption {
    display: block; }
  .sheet .ladder colgroup { display: none; }
  .sheet .ladder tr { display: flex; flex-wrap: wrap; }
  .sheet .ladder th, .sheet .ladder td { flex: 1 1 0; min-width: 0; padding: .15em 0;
    font-size: .8em; text-align: center; overflow-wrap: normal; }
  .sheet .ladder thead th:first-child { display: none; }
  .sheet .ladder td:first-child { flex: 1 0 100%; padding: .2em; font-size: 1em; text-align: left;
    overflow-wrap: break-word; }
  .sheet .long thead .up { font-size: .75em; }
  .sheet .rounds .first { order: 0; flex: 0 0 2.2em; }
  .sheet .hundreds .first { flex-basis: 3.14em; font-size: .7em; }
  .sheet .rounds .score { order: 1; text-align: right; font-weight: 600; }
  .sheet .rounds .labelled .first { flex: 1 0 100%; font-size: .875em; }
  .sheet .rounds .labelled .first:empty { display: none; }
  .sheet .rounds .labelled .begins, .sheet .rounds .begins ~ .begins { margin-left: 2.2em; }
  .sheet .rounds .more { order: 2; flex: 0 1 auto; padding-right: .7em; text-align: left;
    font-size: .875em; }
  .sheet .rounds .more:empty, .sheet .rounds thead .more { display: none; }
  .sheet .rounds [data-of]::before { content: attr(data-of) " "; color: var(--faint); }
  .sheet .rounds .empty .score { border-left: 1px solid var(--line); }
"""
_NARROW += "".join(
    f"  .sheet .n{many} .score {{ flex: 0 0 calc((100% - 2.3em) / {many}); }}\n"
    f"  .sheet .n{many}.unnumbered .score {{ flex-basis: calc(99.9% / {many}); }}\n"
    for many in range(1, MOST_SCORES + 1)
)
_NARROW += "  .sheet .unnumbered .begins ~ .begins { margin: 0; }\n"
_NARROWEST = """@media screen and (max-width: 389.98px) {
  .sheet table.standing { font-size: .85em; }
  .sheet .dense tr { font-size: .82em; }
  .sheet .dense .more { font-size: 1em; }
  .sheet .dense thead .up { font-size: .9em; }
}
"""


def narrow_style(below: int | None) -> str:
    """How a sheet looks on a screen that is narrower than that, in pixels (None: on any)."""
    narrower = f" and (max-width: {below - 0.02:g}px)" if below else ""
    return f"@media screen{narrower} {{{_NARROW}}}\n{_NARROWEST}"


# A sheet within another page, where nothing is known of its texts.
SHEET_STYLE = BROAD_STYLE + narrow_style(SCREENS[-1])
