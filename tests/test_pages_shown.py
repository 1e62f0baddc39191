"""Sheets in a browser: on a screen, on a phone, in dark mode and on paper nothing is cut off or
wider than the page, and all text is readable."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from itertools import cycle
from typing import TYPE_CHECKING, NamedTuple

import pytest

from scorekeeper import load_ruleset
from scorekeeper.cli.output import find_locale
from scorekeeper.core.messages import using_language
from scorekeeper.render import html
from scorekeeper.render.pages import as_html
from scorekeeper.render.rules_page import build_page
from scorekeeper.render.sheet import build_blank_sheet, build_sheet
from scorekeeper.render.sheet_model import Payments, Sheet
from scorekeeper.render.statistics import StatisticsQuery
from scorekeeper.render.statistics import as_html as statistics
from tests.browser import Shown, shown
from tests.random_play import NAMES, Evening, counts_of
from tests.test_statistics_shown import made

if TYPE_CHECKING:
    from collections.abc import Iterator

SHORT = [*NAMES, "Gus"]
LONG = [
    "Maximiliana Sophia Wilhelmina von Hohen",
    "Bartholomäus-Konstantin Freiherr zu Putl",
    "Cleopatraisabellavictoriaannemariejoseph",
    "Donaudampfschifffahrtsgesellschaftskapit",
    "Eva",
    "Ferdinand Alexander Graf von und zu Egge",
    "GGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGG",
]
WIDE = [
    "王小明" * 13,
    "日本太郎山田花子",
    "שרה כהן בת אברהם ממשפחת לוי הגדולה מאוד",
    "محمد بن عبد الله",
    "안녕하세요김철수",
    "Ülkü",
    "שרה" * 13,
]
PAID = Payments("so much", [(LONG[0], LONG[1], "1.20"), (LONG[2], LONG[3], "0.40")])
CALLED = {"short": SHORT, "long": LONG, "wide": WIDE}
GAMES = (
    *("belote", "bluff", "da-ban", "doppelkopf", "dudo", "durak", "euchre", "hearts", "perudo"),
    *("schafkopf", "sheng-ji", "skat", "spades", "whist"),
)
# The paper's width inside the margins, in pixels, by orientation.
PAPERS = {"A4": {"portrait": 718, "landscape": 1046}, "Letter": {"portrait": 740, "landscape": 980}}


class Case(NamedTuple):
    game: str
    players: int  # 0: four if possible, else the greatest number
    rounds: int
    called: str = "short"

    @property
    def table(self) -> int:
        """The number of players."""
        counts = counts_of(self.game)
        return self.players or (4 if 4 in counts else counts[-1])


EVENINGS = [Case(game, 0, 24) for game in GAMES]
MORE = [
    *(Case("doppelkopf", 4, 1, "long"), Case("doppelkopf", 5, 24, "long")),
    *(Case("doppelkopf", 6, 24), Case("doppelkopf", 7, 60, "wide")),
    *(Case("dudo", 5, 24, "wide"), Case("dudo", 6, 60, "long"), Case("dudo", 7, 24, "long")),
    *(Case("da-ban", 4, 24, "wide"), Case("da-ban", 6, 24, "long"), Case("durak", 4, 60, "wide")),
    *(Case("schafkopf", 4, 60, "long"), Case("skat", 3, 60, "long"), Case("spades", 4, 24, "wide")),
]


@cache
def evening(case: Case) -> Sheet:
    names = CALLED[case.called]
    played = Evening(case.game, 1, players=case.table, full=True, wrong=0, result=1, names=names)
    return build_sheet(played.play(case.rounds, 4000).match)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    yield from shown(tmp_path_factory.mktemp("pages"))


def lies(source: str) -> str:
    """Return the orientation of the paper."""
    found = re.search(r"@page \{ size: (\w+);", source)
    assert found is not None
    return found[1]


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def told(pdf: bytes) -> str:
    """Return the text of a PDF."""
    command = shutil.which("pdftotext")
    if command is None:
        pytest.skip("pdftotext is not installed")
    done = subprocess.run(
        [command, "-layout", "-", "-"], input=pdf, capture_output=True, check=True
    )
    return done.stdout.decode("utf-8")


def on(case: Case) -> str:
    return "-".join(map(str, case))


@pytest.mark.parametrize("case", [*EVENINGS, *MORE], ids=on)
def test_nothing_is_cut_or_faint_on_a_screen_a_phone_and_paper(browser: Shown, case: Case) -> None:
    source = html.render(evening(case))
    browser.show(source)
    for width in (1100, 390):
        browser.on_screen(width)
        assert browser.outside() == []
        assert browser.faint() == []
        browser.on_screen(width, dark=True)
        assert browser.faint() == []
    for widths in PAPERS.values():
        browser.on_paper(widths[lies(source)])
        assert browser.outside() == []
        assert browser.broken() == []
    assert browser.faint() == []


@pytest.mark.parametrize("case", EVENINGS, ids=on)
def test_an_evening_of_four_is_one_page_with_every_column(browser: Shown, case: Case) -> None:
    made = evening(case)
    first = made.tables[0]
    rows = [row for _, row in zip(range(case.rounds), cycle(first.rows), strict=False)]
    whole = first._replace(rows=rows, kinds=(), carried=())  # some games end sooner by their rules
    made = made._replace(tables=[whole, *made.tables[1:]], payments=PAID)
    browser.show(html.render(made))
    for pdf in map(browser.printed, PAPERS):
        assert pages(pdf) == 1
        words = " ".join(told(pdf).split())
        for grid in made.tables:
            assert all(word in words for column in grid.columns for word in column.label.split())


@pytest.mark.parametrize("called", ["long", "wide"])
def test_long_and_wide_names_of_four_need_no_other_page(browser: Shown, called: str) -> None:
    made = evening(Case("doppelkopf", 4, 24, called))
    browser.show(html.render(made._replace(payments=PAID)))
    assert [pages(browser.printed(paper)) for paper in PAPERS] == [1, 1]


def test_what_was_remarked_stands_in_columns_and_needs_no_other_page(browser: Shown) -> None:
    notes = [f"Round {number}: the tea of שרה is cold: {number}" for number in range(60)]
    made = evening(Case("doppelkopf", 4, 24))._replace(footnotes=notes)
    browser.show(html.render(made))
    assert [pages(browser.printed(paper)) for paper in PAPERS] == [1, 1]
    browser.on_paper(PAPERS["A4"]["portrait"])
    assert browser.outside() == []


def test_no_heading_of_a_round_is_broken_on_a_screen_of_any_width(browser: Shown) -> None:
    browser.show(html.render(evening(Case("doppelkopf", 4, 24))))
    for width in (710, 900, 1100, 1400):
        browser.on_screen(width)
        assert browser.outside() == []
        high = "[...document.querySelectorAll('.rounds th')].map((e) => e.clientHeight)"
        assert len(set(browser.page.evaluate(high))) == 1
        assert browser.page.evaluate(high)[0] < 40


@pytest.mark.parametrize("case", [*EVENINGS, *MORE, Case("doppelkopf", 7, 24, "long")], ids=on)
def test_numbers_and_words_are_never_broken(browser: Shown, case: Case) -> None:
    browser.show(html.render(evening(case)))
    for width in (320, 390, 600, 700, 768, 900, 1000):
        browser.on_screen(width)
        assert browser.broken() == []
        assert browser.outside() == []


def test_a_picture_that_stands_alone_is_as_wide_as_the_page(browser: Shown) -> None:
    browser.show(html.render(evening(Case("hearts", 4, 4))._replace(sources=None)))
    browser.on_paper(PAPERS["A4"]["portrait"])
    wide = browser.page.evaluate("document.querySelector('figure svg').clientWidth")
    assert wide > 0.9 * PAPERS["A4"]["portrait"]


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_breaks_no_number_of_a_round_however_many_there_are(
    browser: Shown, width: int
) -> None:
    made = evening(Case("hearts", 4, 4))
    first = made.tables[0]
    rows = [[str(number), *first.rows[number % 4][1:]] for number in range(1, 1200)]
    grid = first._replace(rows=rows, kinds=(), carried=())
    browser.show(html.render(made._replace(tables=[grid])))
    browser.on_screen(width)
    assert browser.broken() == []
    assert browser.outside() == []


@pytest.mark.parametrize("game", GAMES)
def test_a_blank_sheet_is_one_page(browser: Shown, game: str) -> None:
    source = html.render(build_blank_sheet(load_ruleset(game), Case(game, 0, 0).table))
    browser.show(source)
    assert [pages(browser.printed(paper)) for paper in PAPERS] == [1, 1]
    for width in (1100, 390):
        browser.on_screen(width)
        assert browser.outside() == []
    for widths in PAPERS.values():
        browser.on_paper(widths[lies(source)])
        assert browser.broken() == []


@pytest.mark.parametrize("paper", PAPERS)
def test_what_goes_on_on_another_page_begins_with_headings_and_what_is_carried_over(
    browser: Shown, paper: str
) -> None:
    made = evening(Case("schafkopf", 4, 60))
    first = made.tables[0]
    several = first._replace(
        rows=[*first.rows, *first.rows], kinds=(), carried=[*first.carried, *first.carried]
    )
    browser.show(html.render(made._replace(tables=[several], running_totals=None, sources=None)))
    pdf = browser.printed(paper)
    assert pages(pdf) == 3
    for text in told(pdf).split("\f")[1:3]:
        head, _, rest = text.partition("carried over")
        assert set(SHORT[:4]) < set(head.split())
        assert not re.search(r"\d", head)
        figures = rest.partition("\n")[0].split()
        assert figures in [list(filter(None, row[1:])) for row in first.carried]


def test_a_page_of_rules_fits_a_phone_and_can_be_read(browser: Shown) -> None:
    browser.show(as_html(build_page(load_ruleset("doppelkopf"), str)))
    for width in (1100, 390):
        browser.on_screen(width)
        assert browser.outside() == []
        assert browser.faint() == []
    browser.on_screen(390, dark=True)
    assert browser.faint() == []


def test_what_is_cut_or_faint_would_be_found(browser: Shown) -> None:
    browser.show(
        "<!DOCTYPE html><body style='background: #fff'><p style='color: #999'>pale</p>"
        "<table style='table-layout: fixed; width: 50px'><tr><td>Bartholomäusnacht</table>"
        "<p style='width: 1em; overflow-wrap: anywhere'>12345"
        "<div style='width: 2000px'>wide</div>"
    )
    browser.on_screen(390)
    assert [text.rpartition(" ")[2] for text in browser.faint()] == ["pale"]
    assert browser.broken() == ["12345"]
    assert {text.partition(":")[0] for text in browser.outside()} == {
        *("wider than the page", "outside its TD", "cut in a TD")
    }


def test_on_a_phone_scores_stand_below_their_headings_and_before_the_rest(browser: Shown) -> None:
    browser.show(html.render(evening(Case("doppelkopf", 5, 24, "long"))))
    browser.on_screen(390)
    rows = browser.page.evaluate(
        """() => [...document.querySelectorAll(".rounds tr")].slice(0, 5).map((row) =>
          [...row.querySelectorAll(".score")].map((cell) => {
            const { right, bottom } = cell.getBoundingClientRect();
            return [Math.round(right), bottom <= Math.min(...[...row.querySelectorAll(".more")]
              .filter((e) => e.offsetHeight).map((e) => e.getBoundingClientRect().top + 1))];
          }))"""
    )
    rights = [[right for right, _ in row] for row in rows]
    assert len(rights[0]) == 5
    assert all(row == rights[0] for row in rights)
    assert rights[0] == sorted(rights[0])
    assert all(before for row in rows for _, before in row)


@pytest.mark.parametrize("width", [320, 360, 390])
def test_a_phone_breaks_no_short_name_whatever_the_totals_are_called(
    browser: Shown, width: int
) -> None:
    played = Evening("doppelkopf-ddv", 1, players=4, full=True, wrong=0, result=1, names=SHORT)
    with using_language(find_locale("de")):
        browser.show(html.render(build_sheet(played.play(4, 400).match)))
    browser.on_screen(width)
    lines = """[...document.querySelectorAll(".standing td:first-child bdi")]
      .map((name) => name.getClientRects().length)"""
    assert browser.page.evaluate(lines)[-4:] == [1, 1, 1, 1]
    assert browser.outside() == []


@pytest.mark.parametrize("called", CALLED)
def test_statistics_are_read_on_a_screen_a_phone_and_paper(browser: Shown, called: str) -> None:
    names = CALLED[called]
    asked = StatisticsQuery(
        players=frozenset([names[2].casefold()]), selection=[("with", names[2])]
    )
    browser.show(statistics([made(names[:4], 3), made([*names, "<b>"], 20)], asked))
    for width in (1100, 390):
        for dark in (False, True):
            browser.on_screen(width, dark=dark)
            assert browser.outside() == []
            assert browser.faint() == []
        numbers = [word for word in browser.broken() if any(map(str.isdigit, word))]
        assert numbers == []
    for widths in PAPERS.values():
        browser.on_paper(widths["portrait"])
        assert browser.outside() == []
