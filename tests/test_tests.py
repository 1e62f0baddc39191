"""Rules for the tests themselves: each file has one theme, stated by its name and first line."""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("test_*.py"))
# Suffixes that only show in which order files were written.
ORDER = re.compile(r"_(more|again|further|other|others|rest|misc|new|old|\d+)$|\d$")


def test_a_file_of_tests_says_what_it_is_about() -> None:
    said = {path.stem: ast.get_docstring(ast.parse(path.read_text("utf-8"))) for path in FILES}
    assert [name for name, text in said.items() if len((text or "").split()) < 5] == []
    assert [name for name in said if ORDER.search(name)] == []


def test_every_helper_is_used() -> None:
    texts = {path: path.read_text("utf-8") for path in HERE.rglob("*.py")}
    for helper in HERE.glob("*.py"):
        if helper not in FILES and helper.name != "conftest.py":  # pytest imports that one
            uses = [path for path, text in texts.items() if path != helper and helper.stem in text]
            assert uses, f"{helper.name} is used by nobody"
