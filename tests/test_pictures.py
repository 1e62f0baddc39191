"""The pictures of the README: each file exists, is small, has a text alternative, and contains no
script."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.pictures import MADE, PICTURES, Painted, Somebody, drawn, table

README = (PICTURES.parent.parent / "README.md").read_text("utf-8")
LARGEST = 80_000  # in bytes
SVG = "{http://www.w3.org/2000/svg}"


def test_there_are_these_pictures_and_no_others() -> None:
    assert {path.name for path in PICTURES.iterdir()} == set(MADE)


@pytest.mark.parametrize("name", MADE)
def test_a_picture_is_small_and_told_in_words(name: str) -> None:
    data = (PICTURES / name).read_bytes()
    assert 1_000 < len(data) < LARGEST
    assert data.startswith(b"\x89PNG" if name.endswith(".png") else b"<svg ")
    (words,) = re.findall(rf"!\[([^]]*)\]\(docs/pictures/{re.escape(name)}\)", README)
    assert len(words.split()) > 8, "an alternative text says what is seen"


@pytest.mark.parametrize("path", sorted(PICTURES.glob("*.svg")), ids=lambda path: path.name)
def test_a_drawing_has_no_script_and_nothing_from_elsewhere(path: Path) -> None:
    root = ElementTree.fromstring(path.read_text("utf-8"))
    assert {each.tag for each in root.iter()} <= {SVG + tag for tag in ("svg", "rect", "text")}
    for each in root.iter():
        assert not [key for key in each.attrib if key.startswith("on") or "href" in key]
        assert not [said for said in each.attrib.values() if "url(" in said]


def test_the_live_table_looks_as_in_the_picture(tmp_path: Path) -> None:
    """After an intended change, run `python -m tests.pictures table` and look at the picture."""
    made = table(Somebody(tmp_path)).decode()
    assert made == (PICTURES / "table.svg").read_text("utf-8")


def test_a_screen_is_drawn_with_its_colours_and_nothing_in_it_is_markup() -> None:
    screen = Painted(2, 20)
    screen.feed("\x1b[0;38;5;69;1m<KS>\x1b[0m  \x1b[7mF1\x1b[0m\r\n漢a&b")
    texts = [
        (each.text, each.get("x"), each.get("fill"), each.get("font-weight"))
        for each in ElementTree.fromstring(drawn(screen)).iter(f"{SVG}text")
    ]
    assert texts == [
        ("<KS>", "14.0", "#5f87ff", "bold"),
        ("F1", "64.4", "#16181d", None),
        ("漢a&b", "14.0", "#e4e6eb", None),
    ]
