"""The forms that players fill in a round, as tables of the sheet.

A phase reports its form in the fact `form`. The boxes are the rows, and each player has a column
for each column of the form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr
from scorekeeper.render.sheet_model import EMPTY, ROUND, SUM, SheetColumn, SheetTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Json, Summary
    from scorekeeper.engine.ruleset import Ruleset

FORM = "form"
STRUCK = "–"
BOX, WHOLE = "box", "whole"  # kinds of rows besides SUM: a box, and points for the whole form
WRITTEN_WIDTH = 5  # width of a column for handwriting, in letters


def form_tables(
    rules: Ruleset, summaries: Sequence[Summary], players: Sequence[str], is_blank: bool
) -> Iterator[SheetTable]:
    """Yield the form of each round that has one.

    On a blank sheet, players without names have columns without headings.
    """
    with_form = [summary for summary in summaries if FORM in summary["facts"]]
    for summary in with_form:
        word = rules.sheet.round_word or tr("Round")
        caption = tr("Form")
        if len(with_form) > 1:
            caption = tr(
                "{form}: {round} {number}", form=caption, round=word, number=summary["round"]
            )
        yield _form_table(rules, summary["facts"][FORM], caption, players, is_blank)


def _form_table(
    rules: Ruleset, form: Json, caption: str, players: Sequence[str], is_blank: bool
) -> SheetTable:
    columns: list[str] = form["columns"]
    width = WRITTEN_WIDTH if is_blank else 0
    labels = [_format_label(rules, label, worth) for _, label, worth, _ in form["rows"]]
    headings = [SheetColumn("", "left", max(map(len, labels)) if is_blank else 0)]
    for player in players:
        for name in columns:
            label = " ".join(filter(None, (player, rules.translate_word(name) if name else "")))
            headings.append(SheetColumn(label, "right", width, player))
    rows: list[list[str]] = []
    totals: list[list[str]] = []
    kinds: list[str] = []
    for label, (kind, _, _, points) in zip(labels, form["rows"], strict=True):
        cells = [label]
        for player in players:
            numbers = [] if is_blank else points.get(player, [])
            cells += _format_cells(kind, numbers, len(columns))
        is_total = kind == WHOLE and not is_blank
        (totals if is_total else rows).append(cells)
        if not is_total:
            kinds.append(EMPTY if is_blank else SUM if kind == SUM else ROUND)
    return SheetTable(caption, headings, rows, totals, kinds, is_form=True)


def _format_cells(kind: str, numbers: Sequence[int | None], count: int) -> list[str]:
    """Return a player's cells in a row. Points of the whole form are in the last column."""
    texts = ["" if number is None else str(number) for number in numbers]
    if kind == BOX:
        texts = [
            STRUCK if number == 0 else text for number, text in zip(numbers, texts, strict=True)
        ]
    return [""] * (count - len(texts)) + texts


def _format_label(rules: Ruleset, label: str, worth: int | None) -> str:
    """Return the name of a row in the reader's language.

    The label is translated as a text of the ruleset, or otherwise as one of its words. If `worth`
    is given, the points that the box is always worth follow in parentheses.
    """
    text = rules.translate(label)
    text = rules.translate_word(label) if text == label else text
    name = f"{text[:1].upper()}{text[1:]}"
    return name if worth is None else f"{name} ({worth})"
