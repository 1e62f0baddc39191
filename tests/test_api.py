"""The reference of the public library agrees with the code."""

from __future__ import annotations

import scorekeeper
from tests.api import GROUPS, PAGE, page


def test_the_page_is_what_the_docstrings_have() -> None:
    assert PAGE.read_text("utf-8") == page(), "python -m tests.api"


def test_every_public_name_is_on_the_page() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(
        scorekeeper.__all__
    )
