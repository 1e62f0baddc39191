"""Texts for the players of a table: sentences about the game, never about the program's state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper import Match, load_ruleset, read_record
from scorekeeper.cli.show import status_lines
from scorekeeper.session.screen import round_score_lines

RECORDS = sorted(Path(__file__).parent.glob("records/*.toml"))
OLD = sorted(Path(__file__).parent.glob("fixtures/first/records/*.toml"))
RAW = re.compile(
    r"_|\bNone\b|\bTrue\b|\bFalse\b|[\[\]{}]|\bstate\b|\bcite\b|\boutcome\b|^\s*\w+: \w+:"
)


def told(match: Match) -> Iterator[str]:
    yield from status_lines(match.public_copy())
    yield from status_lines(match)
    for played in match.rounds:
        yield from round_score_lines(match, played)


def retold(path: Path) -> Iterator[tuple[str, str]]:
    """Yield every line printed while a record is entered again, with its entry."""
    whole = read_record(path)
    match = whole.copy_from_start()
    for played in whole.rounds[:3]:
        for number in range(0, len(played.entries) + 1, 7):
            later = match.copy_from_start()
            later.play_round(played.entries[:number])
            yield from ((" ".join(played.entries[:number][-1:]), line) for line in told(later))


@pytest.mark.parametrize("path", [*RECORDS, *OLD], ids=lambda path: path.stem)
def test_no_raw_state_is_told_at_any_entry_of_a_recorded_match(path: Path) -> None:
    shown = [(entry, line) for entry, line in retold(path) if RAW.search(line)]
    assert shown == []


def score_told(ruleset: str, names: list[str], *entries: str) -> list[str]:
    match = Match(load_ruleset(ruleset), names)
    for text in entries:
        match.record(text)
    return round_score_lines(match, match.rounds[-1])


FOUR = ["Ana", "Ben", "Cleo", "Dan"]


def test_the_levels_won_who_takes_over_and_what_is_owed_are_told() -> None:
    told = score_told("da-ban", FOUR, "result points=185")
    assert "  Ben and Dan took 185 points, so they take over" in told
    assert "  Ben is master next" in told
    assert "  Ana owes 2 cards in the next exchange" in told


def test_an_exact_call_that_gains_nothing_at_the_limit_says_why() -> None:
    told = score_told("dudo", ["Ana", "Ben", "Cleo"], "Ana: 2x3", "Ben: calzo", "count 2")
    assert any("no player can have more than 5 dice" in line for line in told), told


def test_card_points_sides_and_specials_are_told_with_their_trick() -> None:
    match = read_record(Path(__file__).parent / "records" / "doppelkopf_G05.toml")
    told = round_score_lines(match, match.rounds[0])
    assert "  Ben and Dan are re" in told
    assert "  re has 176 card points in 9 tricks, kontra has 64 card points in 3 tricks" in told
    assert "  re has fox: Dan won trick 8 with TH, which caught a card from Ana" in told
    assert "  won: re +1, kontra -1 (doppelkopf 6)" in told


def test_a_finished_deal_says_who_deals_next_and_why_somebody_has_a_point() -> None:
    match = Match(load_ruleset("durak"), ["Ana", "Ben", "Cem"])
    match.record("result loser=Ben")
    told = status_lines(match)
    assert "  round 1: Ana +0, Ben +1, Cem +0; lost: Ben +1" in told
    assert "  Ben deals next" in told


def test_the_last_trick_and_what_is_left_are_told() -> None:
    match = Match(load_ruleset("doppelkopf"), FOUR)
    for text in ("all: gesund", "Ana: AC", "Ben: KC", "Cleo: 9C", "Dan: TC"):
        match.record(text)
    told = status_lines(match)
    assert "  Ana took trick 1 with AC (25 card points)" in told
    assert "  each player has 11 cards to play" in told


def test_a_deal_that_everyone_passes_says_so() -> None:
    match = Match(load_ruleset("skat"), ["Ana", "Ben", "Cleo"])
    for text in ("pass", "pass", "pass"):
        match.record(text)
    assert "  everyone passed" in status_lines(match)


def test_a_kitty_that_was_left_aside_is_not_the_rest_of_the_tricks() -> None:
    match = read_record(Path(__file__).parent / "records" / "skat_match.toml")
    for played in match.rounds:
        if not any("rest" in text for text in played.entries):
            later = match.copy_from_start()
            later.play_round(played.entries)
            assert not [line for line in status_lines(later) if "claimed the rest" in line]


def test_sides_by_the_seating_are_told_and_have_their_columns() -> None:
    match = Match(load_ruleset("whist"), FOUR)
    assert match.state["sides"] == {"Ana+Cleo": ["Ana", "Cleo"], "Ben+Dan": ["Ben", "Dan"]}
    assert match.copy_from_start().state["sides"] == match.state["sides"]


def test_points_are_told_of_when_they_are_played_for() -> None:
    """Print no points while the kitty is awaited, because none can have been won."""
    match = Match(load_ruleset("da-ban"), ["Ana", "Ben", "Cleo", "Dan", "Eve", "Fay"])
    phases = match.ruleset.phases.values()
    texts = [each.text for phase in phases for each in phase.view(match.live_round).sentences()]
    assert texts
    assert not [text for text in texts if "points" in text]
