"""A sheet as PDF: it contains everything, treats no text as markup, and reports characters that
cannot be printed."""

from __future__ import annotations

import io
import json
import re
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
import typst
from pypdf import PdfReader
from typer.testing import CliRunner

from scorekeeper import Match, load_ruleset
from scorekeeper.cli.app import build
from scorekeeper.core.errors import Impossible
from scorekeeper.render import pdf
from scorekeeper.render.pdf import read_template, template_values
from scorekeeper.render.sheet import SheetDetails, build_blank_sheet, build_sheet
from scorekeeper.render.sheet_model import (
    Payments,
    RunningTotals,
    ScoreSources,
    Sheet,
    SheetColumn,
    SheetTable,
)
from tests.helpers import program
from tests.random_play import counts_of
from tests.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FOUR = ["Ana", "Ben", "Cleo", "Dan"]
LONG = [
    *("Maximiliane von Hohenstein-Schwarzenberg", "Donaudampfschifffahrtsgesellschaftskapit"),
    *("שלום בן אברהם הכהן הגדול", "Вениамин Александрович Преображенский"),
    *("Jean-Baptiste", "Ана", "Zoë"),
]
INVISIBLE = re.compile("[\\s\u200b\u2066-\u2069]")


@cache
def own_fonts() -> typst.Fonts:
    return typst.Fonts(include_system_fonts=False)


@pytest.fixture(autouse=True)
def _fonts_of_typst_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use only the built-in fonts, so that the letters are the same on every machine."""
    monkeypatch.setattr(pdf, "_find_fonts", own_fonts)


def pages(made: Sheet) -> list[str]:
    """Return the text of each page, without white space."""
    return texts(pdf.render(made).content)


def texts(data: bytes) -> list[str]:
    return [bare(page.extract_text()) for page in PdfReader(io.BytesIO(data)).pages]


def bare(text: str) -> str:
    return INVISIBLE.sub("", text)


@cache
def evening(deals: int, *names: str) -> Sheet:
    """Return the sheet of an evening of calls, specials and changing sides."""
    random = Random(deals)
    match = Match(load_ruleset("doppelkopf", match={"ends": f"deals >= {deals}"}), names)
    while not match.over:
        one, other = random.sample(match.players, 2)
        points = random.choice([132, 151, 181, 211])
        calls = "re:re+kontra:kontra" + ("+re:keine90" if points > 150 else "")
        more = "kontra:fox+re:charlie+re:doppelkopf"
        # With five or more players one or more sit out.
        with suppress(Impossible):
            match.record(
                f"result contract=normal re={one}+{other} points={points} calls={calls}"
                f" specials={more}"
            )
    return build_sheet(match, SheetDetails("7", "2026-11-21 19:30", "at Ana's"))


@cache
def many(rounds: int, *names: str) -> Sheet:
    match = Match(load_ruleset("durak"), names)
    for at in range(rounds):
        match.record(f"result loser={names[at * at % len(names)]}")
    return build_sheet(match)


def everything(made: Sheet) -> Iterator[str]:
    yield made.title
    for word, text in (*made.facts, *made.legend):
        yield from (word, text)
    for grid in made.tables:
        yield grid.caption
        yield from (column.label for column in grid.columns)
        for row in (*grid.rows, *grid.totals):
            yield from row
    yield from made.footnotes


# --- content


@pytest.mark.parametrize("deals", [16, 24])
def test_an_evening_of_four_is_one_page_with_everything_on_it(deals: int) -> None:
    made = evening(deals, *FOUR)
    shown = pages(made)
    assert len(shown) == 1
    missing = [text for text in everything(made) if bare(text) not in shown[0]]
    assert missing == []
    assert made.running_totals is not None
    assert f"Deal1to{deals}" in shown[0]


def test_it_has_a_title_a_language_and_tags_and_is_the_same_again() -> None:
    made = evening(16, *FOUR)
    data = pdf.render(made).content
    assert data == pdf.render(made).content
    reader = PdfReader(io.BytesIO(data))
    assert reader.metadata is not None
    assert reader.metadata.title == made.title
    assert reader.metadata.creation_date is None
    assert str(reader.root_object["/Lang"]) == "en"
    assert "/StructTreeRoot" in reader.root_object


def test_headings_are_repeated_on_every_page_with_what_is_carried_over() -> None:
    made = many(60, *FOUR)
    shown = pages(made)
    assert len(shown) == 2
    headings = "".join(bare(column.label) for column in made.tables[0].columns)
    for page in shown:
        assert headings in page
    assert "carriedover" not in shown[0]
    assert shown[1].count("carriedover") == 1
    carried = ["".join(map(bare, row)) for row in made.tables[0].carried]
    rows = ["".join(map(bare, row)) for row in made.tables[0].rows]
    first = next(at for at, row in enumerate(rows) if row not in shown[0])
    assert carried[first - 1] + rows[first] in shown[1]
    assert headings + carried[first - 1] in shown[1]
    assert "1/2" in shown[0]
    assert "2/2" in shown[1]


def test_a_sheet_to_be_written_on_is_one_page() -> None:
    for name, players in (("doppelkopf", FOUR), ("da-ban", 4), ("dudo", 6)):
        made = build_blank_sheet(load_ruleset(name), players)
        shown = pages(made)
        assert len(shown) == 1
        for heading, rows in made.guide:
            assert bare(heading) in shown[0]
            assert all(bare(word) in shown[0] and bare(text) in shown[0] for word, text in rows)
        assert all(
            bare(column.label) in shown[0] for grid in made.tables for column in grid.columns
        )


@pytest.mark.parametrize("game", ["bluff", "doppelkopf", "dudo", "perudo-lives", "schafkopf"])
def test_it_is_one_page_whichever_names_stand_upright_on_it(game: str) -> None:
    names = [*("Christoph", "Maximilian", "Friederike", "Hildegard", "Annemarie"), "Bartholomäus"]
    rules = load_ruleset(game)
    for count in {4, 5, 6} & set(counts_of(game)):
        assert len(pages(build_blank_sheet(rules, names[:count]))) == 1


def test_payments_pictures_and_guide_are_there_and_nothing_is_as_well() -> None:
    paid = Payments("0.10 a point", [("Ana", "Ben", "1.20")])
    made = Sheet(
        "Whist",
        (),
        [
            SheetTable(
                "", [SheetColumn("A", "left"), SheetColumn("B", "right", 0, "B")], [["1", "2"]]
            )
        ],
        running_totals=RunningTotals("points", ["A", "B"], [0, 1], [[0, 1], [0, 2]]),
        sources=ScoreSources(["won"], ["A", "B"], [[1], [2]]),
        payments=paid,
        guide=[("What counts", [("won", "1 point")])],
    )
    (shown,) = pages(made)
    for text in ("0.10apoint", "Ana→Ben1.20", "Whatcounts", "won1point", "pointsover1round"):
        assert text in shown
    assert pages(Sheet("Nothing", (), ())) == ["Nothing"]


# --- markup and control characters


HOSTILE = [
    *('#eval("1+1")', "#panic()", '"]', "$x^2$", "\\u{41}\\", "*b* _i_ `c`", "= h", "// c", "/* c"),
    *("#image(\"/etc/passwd\")", "<script>", "@ref", "#sys.inputs", "~", "---", "https://x.y/z"),
]  # fmt: skip


def test_texts_are_no_markup_and_no_code_wherever_they_stand() -> None:
    columns = [SheetColumn(text, "left", 0, text) for text in HOSTILE[:4]]
    rows = [HOSTILE[at : at + 4] for at in range(0, len(HOSTILE), 4)]
    told = list(zip(HOSTILE, HOSTILE, strict=True))
    grid = SheetTable(HOSTILE[0], columns, rows, rows, (), rows)
    made = Sheet(HOSTILE[0], told, [grid], HOSTILE, told, guide=[(HOSTILE[0], told)])
    data = pdf.render(made).content
    shown = "".join(texts(data))
    assert [each for each in HOSTILE if shown.count(bare(each)) < 9] == []
    metadata = PdfReader(io.BytesIO(data)).metadata
    assert metadata is not None
    assert metadata.title == HOSTILE[0]


def test_control_characters_and_marks_that_turn_text_are_shown_as_replaced() -> None:
    (shown,) = pages(Sheet("a\u202eb\x1bc\ud800d\x00e", (), ()))
    assert shown == "a�b�c�d�e"


# --- widths


WIDER = """
#context [#metadata(sheet.tables.map(made => made.parts.map(part => part.rows.map(row =>
  row.cells.enumerate().map(((at, text)) => {
    let room = (made.columns.at(at).width * 1em - 0.8em).to-absolute()
    (measure(width: room, breakable(text, room)).width - room) / 1pt
  })))).flatten()) <wider>]
#context [#metadata(sheet.tables.map(made => made.columns.filter(each =>
  each.upright == 0).map(each => {
  let room = (each.width * 1em - 0.8em).to-absolute()
  (measure(width: room, strong(breakable(each.label, room))).width - room) / 1pt
})).flatten()) <wider>]
#context [#metadata(sheet.tables.map(made =>
  (made.columns.map(each => each.width * 1em).sum().to-absolute() - whole) / 1pt)) <wider>]
"""


@pytest.mark.parametrize(
    ("make", "rounds", "players"),
    [(evening, 16, 4), (evening, 20, 5), (evening, 20, 7), (many, 60, 4)],
)
def test_nothing_is_wider_than_its_column_and_no_table_than_the_page(
    make: Callable[..., Sheet], rounds: int, players: int
) -> None:
    made = make(rounds, *LONG[:players])
    data = template_values(made, ["Libertinus Serif"])
    found = typst.query(
        read_template() + WIDER.encode(),
        "<wider>",
        field="value",
        sys_inputs={"sheet": json.dumps(data)},
        font_paths=own_fonts(),
    )
    wider = [each for part in json.loads(found) for each in part]
    assert len(wider) > 50
    assert max(wider) < 0.1
    shown = "".join(pages(made))
    assert [name.label for name in made.tables[0].columns if bare(name.label) not in shown
            and name.label.isascii()] == []  # fmt: skip


# --- letters that no font has


def test_a_letter_that_no_font_has_is_told_and_its_number_stands_in_its_place() -> None:
    printed = pdf.render(many(3, "Ana", "名前", "Ben🧿x", "דן"))
    for said in ("名 (U+540D)", "🧿 (U+1F9FF)", "“名前”", "“Ben🧿x”", "--format html"):
        assert said in printed.warning
    assert "\n" not in printed.warning
    (shown,) = texts(printed.content)
    for text in ("[U+540DU+524D]", "Ben[U+1F9FF]x"):
        assert text in shown
    assert "名" not in shown
    assert pdf.render(many(3, "Ana", "Zoë", "Łukasz", "Αθηνά")).warning == ""


def test_where_no_name_has_it_the_text_is_told() -> None:
    made = Sheet("Evening", (("Note", "seen by 名 and 👨\u200d👩\u200d👧!"),), (), ["🧿"])
    printed = pdf.render(made)
    assert "from “🧿”, “seen by 名 and 👨" in printed.warning
    assert "and[U+1F468U+1F469U+1F467]!" in texts(printed.content)[0]


# --- at the command line


BLANK = ("sheet", "--blank", "durak", "Ana", "Ben", "--format", "pdf")


def test_it_is_written_to_a_file_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"
    answer = program(*BLANK, "--to", str(file))
    assert (answer.code, answer.out, answer.err) == (0, "", f"the sheet is in {file}\n")
    assert "Ana" in texts(file.read_bytes())[0]
    assert [each.name for each in tmp_path.iterdir()] == ["sheet.pdf"]
    answer = program(*BLANK, "--to", str(tmp_path / "no" / "sheet.pdf"))
    assert answer.code == 3
    assert "cannot be written" in answer.err


def test_its_bytes_go_to_standard_output() -> None:
    result = CliRunner().invoke(build(*BLANK[:2]), list(BLANK), prog_name="scorekeeper")
    assert result.exit_code == 0
    assert "Ben" in texts(result.stdout_bytes)[0]


def test_a_terminal_is_not_given_a_pdf() -> None:
    with Terminal(*BLANK, env={}) as terminal:
        shown = terminal.wait("--to FILE")
        assert terminal.end() == 2
    assert "a terminal cannot show a PDF" in shown
    assert "%PDF" not in shown


def test_what_is_not_printed_is_told_on_standard_error(tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"
    answer = program(
        "sheet", "--blank", "durak", "Ana", "名前", "--format", "pdf", "--to", str(file)
    )
    assert answer.code == 0
    assert answer.err.startswith(
        "scorekeeper: no installed font contains 前 (U+524D), 名 (U+540D) from “名前”, so their"
    )
    assert answer.err.count("\n") == 2


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    answer = program(*BLANK)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "scorekeeper: a PDF needs typst, which is not installed\n"
        "  try: run pip install '.[pdf]' in Scorekeeper's folder\n"
    )


def test_a_fault_of_the_typesetter_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "read_template", lambda: b'#panic("no\nway")')
    with pytest.raises(Impossible) as caught:
        pdf.render(Sheet("Evening", (), ()))
    assert "\n" not in caught.value.message
    assert "no" in caught.value.message
