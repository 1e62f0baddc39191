"""Blank sheets: the columns of the match, its signs, its rows, and the rules of counting."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import load_ruleset
from scorekeeper.cli.output import find_locale
from scorekeeper.core.messages import using_language
from scorekeeper.render.sheet import build_blank_sheet
from scorekeeper.render.sheet_model import EMPTY
from tests.helpers import SHIPPED, program, seated


def test_columns_with_signs_are_there_although_nothing_was_called_yet() -> None:
    made = build_blank_sheet(load_ruleset("doppelkopf"), 4)
    heads = [column.label for column in made.tables[0].columns]
    assert {"Calls", "Specials"} < set(heads)
    assert "Sat out" not in heads
    legend = dict(made.legend)
    assert (legend["R"], legend["90"], legend["F"]) == ("re", "keine90", "fox")


def test_who_sits_out_has_a_column_where_somebody_will() -> None:
    heads = [
        column.label
        for column in build_blank_sheet(load_ruleset("doppelkopf"), 5).tables[0].columns
    ]
    assert "Sat out" in heads


def test_there_are_as_many_rows_as_the_match_has_deals_or_as_somebody_asks_for() -> None:
    rules = load_ruleset("doppelkopf")
    assert len(build_blank_sheet(rules, 4).tables[0].rows) == 16
    assert len(build_blank_sheet(rules, 4, rows=3).tables[0].rows) == 3
    assert len(build_blank_sheet(load_ruleset("durak"), 4).tables[0].rows) == 24


def test_the_guide_says_what_counts_by_the_rows_of_the_ruleset() -> None:
    made = dict(build_blank_sheet(load_ruleset("doppelkopf"), 4).guide)
    counts = dict(made["What counts"])
    assert (counts["against the queens"], counts["fox"]) == ("+1", "+1 each")
    assert counts["soloist: three times"] == "×3"
    assert dict(made["Calls"])["keine60"] == "with 9 cards or more"
    assert dict(made["Card points"])["T"] == "10"
    assert dict(made["The match"])["ends"] == "after 16 deals"


def test_a_dropped_row_is_not_in_the_guide() -> None:
    rules = load_ruleset("doppelkopf", **{"scores.fox": False})
    assert "fox" not in dict(dict(build_blank_sheet(rules, 4).guide)["What counts"])


@pytest.mark.parametrize("name", SHIPPED)
def test_every_blank_sheet_has_empty_rows_and_a_guide(name: str) -> None:
    rules = load_ruleset(name)
    made = build_blank_sheet(rules, 3 if name == "skat" else len(seated(name)))
    assert set(made.tables[0].kinds) == {EMPTY}
    assert not made.tables[0].carried
    assert (made.running_totals, made.sources, made.payments) == (None, None, None)
    assert all(word for _, pairs in made.guide for word, _ in pairs)
    assert made.guide


def test_what_is_no_number_is_told_in_the_words_of_the_ruleset() -> None:
    counts = dict(dict(build_blank_sheet(load_ruleset("whist"), 4).guide)["What counts"])
    assert counts["tricks"] == "1 for each beyond six"


def test_a_ladder_is_there_to_be_written_on() -> None:
    with using_language(find_locale("de")):
        made = build_blank_sheet(load_ruleset("da-ban"), ["Ana", "Ben", "Cem", "Dan"])
    assert made.tables[1].caption == "Stufe"
    assert [row[0] for row in made.tables[1].rows] == ["Ana+Cem", "Ben+Dan"]
    assert [column.label for column in made.tables[0].columns][:4] == [
        *("Spiel", "Meister", "Trumpf", "Punkte")
    ]


def test_rows_are_asked_for_of_a_blank_sheet_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    program("new", "dudo", "Ana", "Ben")
    answer = program("sheet", "--rows", "3")
    assert answer.code == 2
    assert "--rows works only with a blank sheet" in answer.err
