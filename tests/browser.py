"""A browser for tests that look at pages: Chromium, driven by playwright.

If either is missing, the test is skipped with the reason. `SCOREKEEPER_BROWSER` names a Chromium
in another place.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

VARIABLE = "SCOREKEEPER_BROWSER"
USUAL = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("headless_shell", "chrome-headless-shell", "microsoft-edge"),
)
# Without its sandbox Chromium starts in a container too. No page is loaded from the network.
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")

# Faults of the current page: elements wider than the page, and text outside its cell or the page.
OUTSIDE = """(width) => {
  const found = [];
  const say = (what, text) => found.push(`${what}: ${text.trim().slice(0, 60)}`);
  const root = document.documentElement;
  if (root.scrollWidth > width) say("wider than the page", `${root.scrollWidth} of ${width}`);
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!node.data.trim() || node.parentElement.closest("style, title, desc")) continue;
    range.selectNodeContents(node);
    const holder = node.parentElement.closest("td, th, dt, dd, li, h1, h2, p, caption, svg, body");
    const within = holder.getBoundingClientRect();
    for (const rect of range.getClientRects()) {
      if (rect.width < 0.5) continue;
      if (rect.left < -0.5 || rect.right > width + 0.5) say("outside the page", node.data);
      if (rect.left < within.left - 1.5 || rect.right > within.right + 1.5 ||
          rect.top < within.top - 3 || rect.bottom > within.bottom + 3)
        say(`outside its ${holder.tagName}`, node.data);
    }
  }
  for (const cell of document.querySelectorAll("td, th, dd, dt, li, h1, h2, caption"))
    if (cell.scrollWidth > cell.clientWidth + 1 && cell.clientWidth)
      say(`cut in a ${cell.tagName}`, cell.textContent);
  for (const table of document.querySelectorAll("table")) {
    const { right, width: wide } = table.getBoundingClientRect();
    for (let box = table.parentElement; wide && box; box = box.parentElement) {
      const there = box.getBoundingClientRect(), edge = Math.min(width, there.right);
      if (there.width && right > edge + 1.5) say("a table's right border", `${right} of ${edge}`);
    }
  }
  return [...new Set(found)];
}"""

# Numbers broken over several lines, and broken words in headings and cells of a round. Names of
# players and sides may be broken.
BROKEN = """() => {
  const found = new Set();
  const range = document.createRange();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const holder = node.parentElement;
    if (holder.closest("style, title, desc, svg")) continue;
    const words = holder.closest("th:not(.score), td.more");
    for (const word of node.data.matchAll(/[-+]?\\d+(?:[.,:]\\d+)*|[a-zäöüß.]+/giu)) {
      if (!words && !/\\d/.test(word[0])) continue;
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const upright = getComputedStyle(holder).writingMode !== "horizontal-tb";
      const lines = [...range.getClientRects()].filter((rect) => rect.width > 0.5)
        .map((rect) => Math.round(upright ? rect.left : rect.top));
      if (new Set(lines).size > 1) found.add(word[0]);
    }
  }
  return [...found];
}"""

# Texts that are hard to read by the formula of WCAG 2: the contrast of a text's colour with the
# first opaque background below it.
FAINT = """(least) => {
  const parts = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
  const light = (colour) => {
    const [r, g, b] = parts(colour).slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const below = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      const given = parts(colour);
      if (given.length === 3 || given[3] > 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const found = new Set();
  const look = (element, colour, text) => {
    const [one, other] = [light(colour), light(below(element))].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < least) found.add(`${contrast.toFixed(2)}: ${colour}: ${text.trim()}`);
  };
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    if (element.closest("title, desc, style") || !element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    for (const node of own)
      look(element, element.closest("svg") ? style.fill : style.color, node.data);
    const before = getComputedStyle(element, "::before");
    if (before.content !== "none" && before.content !== "normal")
      look(element, before.color, before.content);
  }
  return [...found];
}"""


def path() -> str | None:
    """Return the path of a Chromium, or None."""
    return os.environ.get(VARIABLE) or next(filter(None, map(shutil.which, USUAL)), None)


class Shown:
    """A page of HTML in the browser."""

    # Playwright's types are unknown where it is not installed.
    def __init__(self, page: Any, file: Path) -> None:
        self.page = page
        self.file = file

    def show(self, source: str) -> None:
        """Show another page. Load it from a file, so that only its own content policy applies."""
        self.file.write_text(source, "utf-8")
        self.page.goto(self.file.as_uri())

    def on_screen(self, width: int, *, dark: bool = False) -> None:
        """Show the page on a screen of this width."""
        self.page.set_viewport_size({"width": width, "height": 800})
        self.page.emulate_media(media="screen", color_scheme="dark" if dark else "light")

    def on_paper(self, width: int = 0) -> None:
        """Show the page as it is printed. `width` is the paper's width inside its margins."""
        if width:
            self.page.set_viewport_size({"width": width, "height": 800})
        self.page.emulate_media(media="print", color_scheme="dark")

    def outside(self) -> list[str]:
        """Return the elements that do not fit or are cut off."""
        found: list[str] = self.page.evaluate(OUTSIDE, self.page.viewport_size["width"])
        return found

    def broken(self) -> list[str]:
        """Return the numbers, and words of tables, that are broken over several lines."""
        found: list[str] = self.page.evaluate(BROKEN)
        return found

    def faint(self, least: float = 4.5) -> list[str]:
        """Return the texts with less contrast than `least`."""
        found: list[str] = self.page.evaluate(FAINT, least)
        return found

    def printed(self, paper: str) -> bytes:
        """Return the page as PDF, on `A4` or `Letter`."""
        self.on_paper()
        found: bytes = self.page.pdf(format=paper)
        return found


def shown(folder: Path) -> Iterator[Shown]:
    """Yield a browser with one page, and close it afterwards. Skip the test without a browser."""
    found = path()
    if found is None:
        pytest.skip(f"no Chromium was found; {VARIABLE} may say where one is")
    driver = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install '.[browser]'"
    )
    playing: AbstractContextManager[Any] = driver.sync_playwright()
    with playing as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        try:
            yield Shown(browser.new_page(), folder / "page.html")
        finally:
            browser.close()
