"""Examples of valid results: a refused result is answered with one that fits, with the match's
names."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.match.result_line import find_result
from tests.helpers import match_of, program

NAMES = ["Ana", "Ben", "Cleo", "Dov"]
WITH_RESULTS = [
    *("bluff", "coinche", "da-ban", "doppelkopf-ddv", "dudo", "durak", "perudo-lives", "podkidnoy"),
    *("podkidnoy-teams", "schafkopf", "sheng-ji", "skat"),
]
REPAIRED = [
    ("result", "result contract=normal re=Ana+Ben points=100"),
    ("result points=132", "result contract=normal re=Ana+Ben points=132"),
    ("result contract=normal re=Cleo+Dov points=400",
     "result contract=normal re=Cleo+Dov points=100"),
    ("result contract=damensolo re=Ana+Ben points=90",
     "result contract=damensolo re=Ana points=90"),
    ("result re=Zoe points=77 specials=kontra:fox",
     "result contract=normal re=Ana+Ben points=77 specials=kontra:fox"),
]  # fmt: skip


@pytest.mark.parametrize("ruleset", WITH_RESULTS)
def test_the_form_of_every_game_works_as_it_is_told(ruleset: str) -> None:
    rules = load_ruleset(ruleset)
    match = Match(rules, NAMES[: int(rules.players["most"])])
    line = find_result(match)
    assert match.judge(line).verdict == "legal"
    assert match.position == Match(rules, match.players).position, "nothing was changed by it"


def test_there_is_none_where_a_game_takes_none() -> None:
    assert find_result(match_of("hearts", NAMES)) == ""


@pytest.mark.parametrize(("typed", "told"), REPAIRED)
def test_what_may_stay_of_what_was_typed_is_kept(typed: str, told: str) -> None:
    match = match_of("doppelkopf", NAMES)
    assert find_result(match, typed) == told
    match.record(told)


@pytest.mark.parametrize("command", ["record", "judge"])
def test_it_is_told_at_the_command_line(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    program("new", "durak", "Zoe", "Yan Li")
    assert program(command, "result loser=Ana").err.splitlines()[-1] == "  try: result loser=Zoe"
    # The example replaces a word that cannot be read, and follows the other choices.
    assert program(command, "result").err.splitlines()[-1] == "  try: result loser=Zoe"
    program("new", "doppelkopf", *NAMES)
    last = program(command, "result points=132").err.splitlines()[-1]
    assert last.startswith("  try: possible contracts: normal, ")
    assert last.endswith("; for example: result contract=normal re=Ana+Ben points=132")
    # Other unreadable entries have the usual message, and JSON has no example.
    assert "such as" not in program(command, "Ana: nonsense").err
    assert "such as" not in program(command, "result points=132", "--format", "json").out
