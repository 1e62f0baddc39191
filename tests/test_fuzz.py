"""A few seconds of `python -m tests.fuzz`, with the same seeds each time."""

from __future__ import annotations

import pytest

from tests.fuzz.running import KINDS, tried

PARTS = 4
TRIED = {"tables": 80, "command-lines": 20, "evenings": 12}  # of these kinds
ANY = 40  # of each other


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_made_up_is_taken_or_refused(kind: str, part: int) -> None:
    for seed in range(1 + part, 1 + TRIED.get(kind, ANY), PARTS):
        tried(kind, seed)
