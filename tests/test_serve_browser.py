"""The page for spectators in a real browser; skipped where there is none."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import load_ruleset
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder, begin_match
from tests.browser import Shown, shown
from tests.random_play import Evening, evening
from tests.serving import served

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parent.parent
MANY = 1_000
GAMES = ("da-ban", "doppelkopf", "durak", "dudo", "skat")
NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eva", "Finn"]
LONG = ["Maximiliane-Josephine Oberammergauer", "\N{HEBREW LETTER ALEF}" * 12, "\u9ebb\u96c0" * 9]
MANY_LONG = [*LONG, "Ben", "Wolfgang-Amadeus Donnersmarck", "W" * 40, "Zo\N{LATIN SMALL LETTER E}"]
USUAL = ["Maximilian", "Bartholomea", "Konstantin", "Wolfgang", "Hans-Peter M.", "Ursula Meier"]
# A separate recorder: 1,000 entries, several at once.
RECORDING = f"""
import sys
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder
with Book(sys.argv[1]) as store:
    desk = MatchRecorder(store, 1)
    number = 0
    while number < {MANY}:
        count = min(1 + number % 7, {MANY} - number)
        desk.record([f"note n{{number + each}}" for each in range(count)])
        number += count
"""
# Collect all entries that reach a reader, in order, even if the page drops them later.
WATCH = """() => {
  window.came = [...document.querySelectorAll("#entries .said")].map((e) => e.textContent);
  new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.addedNodes) {
      window.came.push(node.querySelector(".said").textContent);
    }
  }).observe(document.getElementById("entries"), { childList: true });
}"""


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """Start one browser for all tests."""
    yield from shown(tmp_path_factory.mktemp("pages"))


def book_of(path: Path, game: str, players: Sequence[str] = (), cut: int = 70) -> Path:
    """Make a book with a match of that game under way."""
    played = evening(game, 3)
    with Book(path, create=True) as store:
        desk = begin_match(store, load_ruleset(game), players or played.names, place="the club")
        for said in () if players else played.all()[:cut]:
            desk.record([said.known])
    return path


def wait_for(page: Any, entry: str) -> None:
    """Wait until that entry has arrived. The page's security policy blocks scripts that could wait
    in it."""
    until = time.monotonic() + 60
    while not page.evaluate(f"window.came.includes('{entry}')"):
        assert time.monotonic() < until, entry
        page.wait_for_timeout(50)


def test_a_thousand_entries_of_another_process_arrive_in_order(
    screen: Shown, tmp_path: Path
) -> None:
    book = book_of(tmp_path / "book.db", "dudo", ["Ana", "Ben"])
    page = screen.page
    with served(book) as page_of:
        page.goto(page_of.url)
        page.evaluate(WATCH)
        recording = subprocess.Popen(
            [sys.executable, "-c", RECORDING, str(book)], env=os.environ | {"PYTHONPATH": str(ROOT)}
        )
        wait_for(page, f"note n{MANY - 1}")
        assert recording.wait() == 0
        assert page.evaluate("window.came") == [f"note n{number}" for number in range(MANY)]
        newest = page.locator("#entries .said").first.text_content()
        assert newest == f"note n{MANY - 1}"


def test_who_was_cut_off_is_told_so_and_gets_what_they_missed(
    screen: Shown, tmp_path: Path
) -> None:
    book = book_of(tmp_path / "book.db", "dudo", ["Ana", "Ben"])
    page = screen.page
    with served(book) as page_of:
        page.goto(page_of.url)
        page.evaluate(WATCH)
        port = page_of.port
    page.wait_for_selector("#away", state="visible")
    with Book(book) as store:
        MatchRecorder(store, 1).record([f"note n{number}" for number in range(5)])
    with served(book, port=port):
        wait_for(page, "note n4")
        page.wait_for_selector("#away", state="hidden")
        assert page.evaluate("window.came") == [f"note n{number}" for number in range(5)]
        with Book(book) as store:
            desk = MatchRecorder(store, 1)
            desk.undo()
            desk.record(["note instead"])
        page.wait_for_selector("#entries >> text=note instead")
        assert page.locator("#entries >> text=n4").count() == 0


def test_without_script_the_page_is_read_again(screen: Shown, tmp_path: Path) -> None:
    book = book_of(tmp_path / "book.db", "dudo", ["Ana", "Ben"])
    context = screen.page.context.browser.new_context(java_script_enabled=False)
    page = context.new_page()
    with served(book) as page_of:
        page.goto(page_of.url)
        with Book(book) as store:
            MatchRecorder(store, 1).record(["note later"])
        page.wait_for_selector("#entries >> text=note later", timeout=20_000)
    context.close()


# Parts of a page that are cut off or not on its first screen: the turn, the players, the cards on
# the table, the picture, the newest entry, the newest ruling, the last rounds of the sheet.
UNSEEN = """(selectors) => {
  const hidden = [];
  for (const selector of selectors) {
    const element = document.querySelector(selector);
    const { left, right, top, bottom } = element.getBoundingClientRect();
    for (const y of [top + 2, bottom - 2]) {
      const there = document.elementFromPoint((left + right) / 2, y);
      if (there === null || !element.contains(there))
        hidden.push(selector);
    }
  }
  return hidden;
}"""
FIRST = (
    *(".turn", ".players tr:last-child", "#chart svg", "#entries li:first-child"),
    *("#sheet .scroll thead tr", "#sheet .scroll tbody tr:last-child"),
    *("#sheet tfoot tr:first-child", "#sheet tfoot tr:last-child"),
)
BEFORE_LAST = "#sheet .scroll tbody tr:nth-last-child(2)"


@pytest.mark.parametrize(
    ("game", "names"),
    [
        *(("doppelkopf", NAMES[:4]), ("doppelkopf", MANY_LONG), ("da-ban", NAMES)),
        *(("doppelkopf", USUAL[:4]), ("skat", USUAL[:4]), ("dudo", USUAL)),
    ],
)
def test_a_television_shows_on_its_first_screen_what_matters(
    screen: Shown, tmp_path: Path, game: str, names: Sequence[str]
) -> None:
    played = Evening(game, 3, players=len(names), names=names, result=0.7).play(12, 3_000)
    with Book(tmp_path / "book.db", create=True) as store:
        desk = begin_match(store, load_ruleset(game), played.names, title="a long evening")
        for said in played.all():
            desk.record([said.known])
    with served(tmp_path / "book.db") as page_of:
        screen.page.goto(page_of.url)
        ruled = screen.page.locator("#rulings .entry").count()
        for width, height in ((1600, 800), (1920, 1080), (2560, 1440)):
            screen.page.set_viewport_size({"width": width, "height": height})
            assert (width, screen.outside()) == (width, [])
            first = [*FIRST, *(["#rulings .entry", "#rulings .more"] if ruled else [])]
            first += [BEFORE_LAST] if names is not MANY_LONG else []
            assert (width, screen.page.evaluate(UNSEEN, first)) == (width, [])
        screen.page.goto("about:blank")  # the reader leaves


@pytest.mark.parametrize("game", [*GAMES, ""])
def test_nothing_is_cut_off_or_pale_whatever_it_is_read_on(
    screen: Shown, tmp_path: Path, game: str
) -> None:
    book = book_of(tmp_path / "book.db", game or "dudo", () if game else LONG)
    complaints: list[str] = []
    with served(book) as page_of:
        screen.page.on("console", lambda said: complaints.append(said.text))
        screen.page.goto(page_of.url)
        for width in (390, 1100, 1920):
            screen.on_screen(width)
            assert (width, screen.outside()) == (width, [])
        for dark in (False, True):
            screen.on_screen(1100, dark=dark)
            assert screen.faint() == []
    assert complaints == []
