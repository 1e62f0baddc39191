"""Short signs on a sheet, and their legend."""

from __future__ import annotations

from scorekeeper import Match, load_ruleset, read_record
from scorekeeper.cli.output import find_locale
from scorekeeper.core.messages import using_language
from scorekeeper.render import text
from scorekeeper.render.charts import draw_lines
from scorekeeper.render.sheet import build_sheet

NAMES = ["Ana", "Maximiliane", "Maximus", "Gwendoline"]


def doppelkopf(*entries: str, names: list[str] | None = None) -> Match:
    match = Match(load_ruleset("doppelkopf"), names or NAMES)
    for entry in entries:
        match.record(entry)
    return match


def cells(match: Match, label: str) -> list[str]:
    grid = build_sheet(match).tables[0]
    at = [column.label for column in grid.columns].index(label)
    return [row[at] for row in grid.rows]


FULL = (
    "result contract=normal re=Ana+Maximiliane points=100 calls=re:re+re:keine90+kontra:kontra"
    " specials=kontra:fox+re:charlie"
)


def test_words_with_signs_are_written_short_and_stand_in_the_legend() -> None:
    match = doppelkopf(FULL)
    assert cells(match, "Calls") == ["R 90, K"]
    assert cells(match, "Specials") == ["K: F, R: C"]
    legend = dict(build_sheet(match).legend)
    assert legend["90"] == "keine90"
    assert legend["F"] == "fox"
    assert "60" not in legend


def test_the_legend_is_told_in_the_language_that_is_spoken() -> None:
    match = doppelkopf(FULL)
    with using_language(find_locale("de")):
        assert dict(build_sheet(match).legend)["F"] == "fuchs"


def test_calls_say_who_called() -> None:
    match = doppelkopf("all: gesund", "Ana: re", "Gwendoline: kontra", "Ana: keine90")
    assert cells(match, "Calls") == ["Ana: R 90, Gwe.: K"]


def test_long_names_are_written_by_their_shortest_beginning_that_is_nobody_elses() -> None:
    match = doppelkopf(FULL)
    assert cells(match, "Dealer") == ["Gwe."]
    assert cells(match, "Re") == ["Ana+Maximi."]
    made = build_sheet(match)
    assert [column.owner for column in made.tables[0].columns if column.owner] == NAMES
    legend = dict(made.legend)
    assert (legend["Gwe."], legend["Maximi."]) == ("Gwendoline", "Maximiliane")
    assert "Max." not in legend


def test_names_that_begin_alike_are_written_out() -> None:
    alike = ["Maximilian A", "Maximilian B", "Maximilian C", "Maximilian D"]
    match = doppelkopf(FULL.replace("Ana+Maximiliane", "Maximilian A+Maximilian B"), names=alike)
    assert cells(match, "Re") == ["Maximilian A+Maximilian B"]


def test_the_value_of_a_deal_is_what_it_is_to_each_who_is_not_alone() -> None:
    won, lost = (f"result contract=damensolo re=Ana points={points}" for points in (180, 60))
    assert cells(doppelkopf(won, lost), "Value") == ["2", "3"]


def test_a_sign_stands_for_a_whole_word_only() -> None:
    match = doppelkopf("void the referee fell asleep")
    assert "referee" in build_sheet(match).footnotes[0]
    assert build_sheet(match).legend == [("Gwe.", "Gwendoline")]


def test_a_sheet_of_levels_is_told_in_the_language_that_is_spoken() -> None:
    match = read_record("tests/records/da_ban_deal.toml")
    with using_language(find_locale("de")):
        made = build_sheet(match)
    grid, ladder = made.tables
    heads = [column.label for column in grid.columns]
    assert heads == ["Spiel", "Meister", "Trumpf", "Punkte", "Tausch", "Ana+Cleo", "Ben+Dan"]
    assert [row[heads.index("Tausch")] for row in grid.rows] == [
        *("", "Ben: ↔ 4C 6D → BJ 3S · Ana")
    ]
    told = dict(made.legend)
    assert told.pop("Stufe").count("Spiel") == 1
    assert told == {"↔": "Tausch", "→": "gegen", "·": "mit"}
    assert ladder.caption == "Stufe"


def test_a_ladder_has_the_short_names_and_says_how_it_is_read() -> None:
    names = ["Maximilian", "Wilhelmina", "Gwendoline", "Ben"]
    match = Match(load_ruleset("da-ban"), names)
    for points in (185, 90):
        match.record(f"result points={points}")
    ladder = build_sheet(match).tables[1]
    assert [row[0] for row in ladder.rows] == ["Max.+Gwe.", "Wil.+Ben"]
    assert ladder.rows[1][:3] == ["Wil.+Ben", "0", "2"]
    legend = dict(build_sheet(match).legend)
    assert legend["Gwe."] == "Gwendoline"
    assert legend["Level"] == "Deal in which each step was reached (0 means at the start)"
    shown = text.render(build_sheet(match))
    assert "Max.+Gwe." in shown
    assert "Max.+Gwe. =" not in shown


def test_every_label_of_a_sheet_of_levels_has_its_word_in_each_language_of_the_ruleset() -> None:
    rules = load_ruleset("da-ban")
    rows = [row for kind in rules.data["sheet"].values() for row in kind.values()]
    labels = {row["label"] for row in rows if "label" in row}
    assert labels
    for label in labels:
        assert label[0].isupper()
        for code in ("de", "fr", "ja"):
            assert label in rules.lexicon.languages[code].sentences, (code, label)


def test_one_word_for_a_round_stands_on_a_sheet() -> None:
    match = doppelkopf("132 re=Ana+Maximus", "151 re=Ana+Gwendoline", "penalty Ana: -3 late")
    made = build_sheet(match)
    assert made.tables[0].columns[0].label == "Deal"
    assert made.footnotes[0].startswith("Deal 3: ")
    assert made.running_totals is not None
    svg = draw_lines(made.running_totals)
    assert "points: Deal 1 to 2" in svg
    assert ">Deal</text>" in svg
    assert "ound" not in text.render(made)
    assert "points: Deal 1 to 2\n" in text.render(made)
    with using_language(find_locale("de")):
        assert build_sheet(match).footnotes[0].startswith("Spiel 3")


def test_numbers_stand_right_and_marks_begin_at_the_left() -> None:
    match = Match(load_ruleset("durak"), ["Ana", "Ben"])
    for _ in range(6):
        match.record("result loser=Ana")
    made = build_sheet(match)
    aligns = {column.label: column.align for column in made.tables[0].columns}
    assert (aligns["Deal"], aligns["Ana"]) == ("right", "left")
    assert "   1  Ben       Ana      |\n" in text.render(made)
