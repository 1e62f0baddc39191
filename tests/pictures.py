"""The pictures of the README, made from real runs by `python -m tests.pictures [NAME…]`.

`table` is the screen of the live table on a pseudo-terminal, drawn as SVG in its colours. `sheet`
and `page` are screenshots of a browser (Chromium, with the extra `pictures`). Look at them before
you commit them.
"""

from __future__ import annotations

import io
import re
import shlex
import shutil
import subprocess
import sys
from html import escape
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from wcwidth import wcwidth

from tests.terminal import Grid, Terminal
from tests.test_examples import environment

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
PAPER, INK, FAINT = "#16181d", "#e4e6eb", "#30343d"
WIDE, HIGH, MARGIN, SIZE = 8.4, 18, 14, 14  # Widths of a cell, of the margin, and of a letter.
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
STILL = 0.5  # Seconds without a change after which a screen counts as complete.
COLOURS = 256  # Colours of a picture of a page.
FONTS = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


class Look(NamedTuple):
    """The colours of a cell from the 256 of a terminal, or -1 for the default."""

    colour: int = -1
    bold: bool = False
    turned: bool = False
    underlined: bool = False


PLAIN = Look()


class Cell(str):
    """A cell with its look."""

    look = PLAIN


class Painted(Grid):
    """A screen that stores the looks of its cells."""

    look = PLAIN

    def _print(self, char: str) -> None:
        cell = Cell(char)
        cell.look = self.look
        super()._print(cell)

    def _control(self, private: str, said: str, final: str) -> None:
        super()._control(private, said, final)
        if final == "m":
            self.look = looked(self.look, [int(each or 0) for each in said.split(";")])


def looked(look: Look, numbers: list[int]) -> Look:
    """Return the look after a control sequence that changes it."""
    rest = iter(numbers)
    for number in rest:
        if number == 0:
            look = PLAIN
        elif number == 38 and next(rest, 0) == 5:
            look = look._replace(colour=next(rest, -1))
        elif 30 <= number <= 37:
            look = look._replace(colour=number - 30)
        else:
            look = look._replace(
                bold=look.bold or number == 1,
                turned=look.turned or number == 7,
                underlined=look.underlined or number == 4,
            )
    return look


def colour(number: int) -> str:
    """Return a colour of the 256 terminal colours, beyond the sixteen that vary."""
    assert number >= 16, f"no terminal shows colour {number} as others do"
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    cube = number - 16
    steps = (0, 95, 135, 175, 215, 255)
    return "#" + "".join(f"{steps[cube // each % 6]:02x}" for each in (36, 6, 1))


def pieces(row: list[str]) -> list[tuple[int, int, str, Look]]:
    """Return the pieces of a row without blanks: first column, width, text, look."""
    found = []
    column = 0
    looks = ((cell, getattr(cell, "look", PLAIN)) for cell in row)
    for look, cells in groupby(looks, key=lambda each: each[1]):
        text = "".join(cell for cell, _ in cells)
        parts = [text] if look.turned else re.split(r"( {2,})", text)
        for part in parts:
            width = sum(wcwidth(char) for char in part)
            if part and (look.turned or part.strip()):
                found.append((column, width, part, look))
            column += width
    return found


def drawn(grid: Grid) -> str:
    """Return a screen as SVG."""
    width, height = round(grid.columns * WIDE + 2 * MARGIN), grid.rows * HIGH + 2 * MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" font-family="{FONTS}" font-size="{SIZE}">',
        f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8" fill="{PAPER}"'
        f' stroke="{FAINT}"/>',
    ]
    for number, row in enumerate(grid.cells):
        for column, count, text, look in pieces(row):
            left, top = round(MARGIN + column * WIDE, 1), MARGIN + number * HIGH
            ink = INK if look.colour < 0 else colour(look.colour)
            if look.turned:
                box = f'x="{left}" y="{top}" width="{round(count * WIDE, 1)}" height="{HIGH}"'
                lines.append(f'<rect {box} fill="{ink}" shape-rendering="crispEdges"/>')
                ink = PAPER
            style = ' font-weight="bold"' * look.bold
            style += ' text-decoration="underline"' * look.underlined
            lines.append(
                f'<text x="{left}" y="{top + SIZE}" fill="{ink}"{style} xml:space="preserve"'
                f' textLength="{round(count * WIDE, 1)}">{escape(text)}</text>'
            )
    return "\n".join([*lines, "</svg>\n"])


EVENING = """
new doppelkopf Ana Ben Cleo Dan --date 2026-11-20
record "132 re=Ana+Ben"
record "151 re=Cleo+Dan calls=re"
"""
DEALS = """
record "132 re=Ana+Dan calls=re+kontra:keine90 specials=kontra:fox"
record "118 re=Ben+Cleo"
record "140 re=Cleo contract=damensolo"
record "151 re=Ana+Ben calls=re specials=re:charlie"
record "97 re=Ben+Dan calls=kontra"
"""
# Dan does not follow hearts, and has one two tricks later.
TYPED = ("all: gesund", "Cleo: re", "AC 9C TC KC", "AH 9S KH 9H", "AS TS KS 9S", "KC", "Dan: 9H")


class Somebody:
    """A user with an empty book who runs the program."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = environment(folder) | {"COLORTERM": "", "PROMPT_TOOLKIT_NO_CPR": "1"}
        del self.env["NO_COLOR"]

    def calls(self, lines: str) -> str:
        """Run the program once for each line, and return the output of the last call."""
        said = ""
        for line in filter(None, lines.splitlines()):
            said = subprocess.run(
                [sys.executable, "-m", "scorekeeper", *shlex.split(line)],
                cwd=self.folder,
                env=self.env,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                check=True,
            ).stdout
        return said


def table(somebody: Somebody) -> bytes:
    """Return the live table just after a revoke was discovered."""
    somebody.calls(EVENING)
    with Terminal("table", env=somebody.env) as terminal:
        terminal.grid = Painted(24, 80)
        for line in TYPED:
            terminal.wait("F10")
            terminal.enter(line)
        terminal.wait("Dan could have followed hearts in trick 2")
        picture = ""
        while picture != (now := drawn(terminal.grid)):  # Until it no longer changes.
            picture = now
            terminal.look(STILL)
        return picture.encode()


def sheet(somebody: Somebody) -> bytes:
    """Return the sheet of an evening as a browser shows it."""
    somebody.calls(EVENING + DEALS + "sheet --format html --to sheet.html")
    return shot((somebody.folder / "sheet.html").as_uri(), 1040)


def page(somebody: Somebody) -> bytes:
    """Return the page for onlookers on a phone at night, in the middle of a deal."""
    somebody.calls(EVENING + DEALS)
    somebody.calls(f"record {shlex.join(TYPED[:5])}")
    command = [sys.executable, "-m", "scorekeeper", "serve", "--port", "0"]
    with subprocess.Popen(command, env=somebody.env, stdout=subprocess.PIPE) as serving:
        assert serving.stdout is not None
        try:
            return shot(serving.stdout.readline().decode().strip(), 390, 440)
        finally:
            serving.terminate()


def shot(address: str, width: int, height: int = 0) -> bytes:
    """Return a screenshot: the whole page if it is a sheet, or the part that fits a dark screen."""
    from PIL import Image
    from playwright.sync_api import ViewportSize, sync_playwright

    with sync_playwright() as driver:
        found = next(filter(None, map(shutil.which, BROWSERS)), None)
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        screen = ViewportSize(width=width, height=height or 100)
        shown = browser.new_page(viewport=screen, color_scheme="dark" if height else "light")
        shown.goto(address)
        painted = io.BytesIO(shown.screenshot(full_page=not height))
        browser.close()
    small = io.BytesIO()
    Image.open(painted).convert("RGB").quantize(COLOURS).save(small, "PNG", optimize=True)
    return small.getvalue()


MADE = {"table.svg": table, "sheet.png": sheet, "page.png": page}


def main(names: list[str]) -> None:
    PICTURES.mkdir(exist_ok=True)
    for name, make in MADE.items():
        if not names or name.partition(".")[0] in names:
            with TemporaryDirectory() as folder:
                data = make(Somebody(Path(folder)))
            (PICTURES / name).write_bytes(data)
            print(name, len(data))


if __name__ == "__main__":
    main(sys.argv[1:])
