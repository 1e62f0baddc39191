"""The evenings in `docs/examples` run as they are printed there, including the screens."""

from pathlib import Path

import pytest

from tests.evenings import EVENINGS, played
from tests.test_examples import GAMES


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.stem)
def test_an_evening_shows_what_stands_in_it(path: Path, tmp_path: Path) -> None:
    for step, shown in played(path, tmp_path):
        assert shown == step.shown, step.line


def test_every_game_has_an_evening_at_the_table() -> None:
    assert {path.stem.partition("-")[2] for path in EVENINGS} >= GAMES
