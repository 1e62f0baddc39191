"""The tests themselves: each file is about one theme, which its name and first line tell."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("test_*.py"))
# Names that only say in which order files were written.
ORDER = re.compile(r"_(more|again|further|other|others|rest|misc|new|old|\d+)$|\d$")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_tests_says_what_it_is_about(path: Path) -> None:
    said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    assert len(said.split()) >= 5
    assert ORDER.search(path.stem) is None


def test_every_helper_is_used() -> None:
    texts = {path: path.read_text("utf-8") for path in HERE.rglob("*.py")}
    for helper in HERE.glob("*.py"):
        if helper not in FILES and helper.name != "conftest.py":  # pytest uses that one
            uses = [path for path, text in texts.items() if path != helper and helper.stem in text]
            assert uses, f"{helper.name} is used by nobody"
