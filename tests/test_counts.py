"""The functions that each stage of a deal calls, held within a tenth of the stored figures.

The test works both ways. A figure that grew by more than a tenth is a slowdown. If it is intended,
write the figures again with `python -m tests.counts` and say why in the commit. A figure that
shrank by more than a tenth is a gain. The same command lowers the figure, so that the gain is not
lost again unnoticed.
"""

from __future__ import annotations

import tomllib

import pytest

from scorekeeper import verify_record
from tests.counts import DEALS, FILE, GAMES, calls, counted_apart
from tests.entered import recording_a_card

WITHIN = 10  # A figure may differ by a tenth.
FIGURES: dict[str, dict[str, int]] = tomllib.loads(FILE.read_text("utf-8"))


def strayed(held: dict[str, int], found: dict[str, int]) -> list[str]:
    """Return the figures that differ from the stored ones by more than is allowed."""
    assert list(held) == list(found)
    return [
        f"{stage}: {found[stage]} calls, held are {held[stage]}: "
        + ("why more?" if found[stage] > held[stage] else "a gain to keep: python -m tests.counts")
        for stage in held
        if abs(found[stage] - held[stage]) * WITHIN > held[stage]
    ]


@pytest.mark.parametrize("game", GAMES)
def test_no_stage_of_a_deal_calls_more_or_less_than_was_held(game: str) -> None:
    assert strayed(FIGURES[game], counted_apart(game)) == []


def test_every_game_has_a_sound_deal_and_figures_and_nothing_else_has() -> None:
    deals = {path.stem: path for path in DEALS.iterdir()}
    assert sorted(deals) == GAMES == sorted(FIGURES)
    assert [game for game in GAMES if verify_record(deals[game])["findings"]] == []


def test_what_strays_is_told_both_ways() -> None:
    held = {"loading": 100, "plays": 100, "end": 100, "judge": 100}
    found = {"loading": 110, "plays": 111, "end": 90, "judge": 89}
    assert strayed(held, found) == [
        "plays: 111 calls, held are 100: why more?",
        "judge: 89 calls, held are 100: a gain to keep: python -m tests.counts",
    ]


def test_only_named_functions_of_the_project_are_counted() -> None:
    from scorekeeper.core.messages import join_list

    others = calls(lambda: sorted(map(str, range(9)), key=lambda text: text * 2))
    assert (others, calls(lambda: join_list(["Ana", "Ben"])) > 0) == (0, True)


def test_a_recorded_card_loads_and_enters_no_more_files_than_it_needs() -> None:
    """Keep the number of files small, because a reader who follows one card reads all of them."""
    found = recording_a_card()
    assert set(found.entered) <= set(found.loaded)
    assert "phases/tricks/phase.py" in found.entered
    assert len(found.loaded) <= 90
    assert len(found.entered) <= 75
