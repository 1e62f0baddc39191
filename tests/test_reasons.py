"""The reasons of refusals are true: see `tests/reasons.py`, which tries more of them."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.helpers import SHIPPED
from tests.reasons import refusals


@pytest.mark.parametrize("name", SHIPPED)
def test_a_refusal_names_the_clauses_that_make_it(name: str) -> None:
    tried = [refusal for seed in (1, 2) for refusal in islice(refusals(name, seed), 8)]
    assert tried
    assert [each for each in tried if each.unneeded or each.unnamed] == []
