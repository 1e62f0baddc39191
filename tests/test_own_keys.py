"""Keys and rules of what runs for the whole round: they are in its own table, which is no phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.engine.loading import check
from scorekeeper.ruleset.tables import OWN_KEYS
from scorekeeper.ruleset.vocabulary import BESIDE, PHASES, load_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scorekeeper.ruleset.sources import RulesetFault

    Faults = Callable[[str], list[RulesetFault]]

FOUR = ["Ana", "Ben", "Cleo", "Dan"]


@pytest.fixture
def faults(tmp_path: Path) -> Faults:
    """Provide a function that checks a ruleset which changes `doppelkopf`."""
    path = tmp_path / "ours.toml"

    def check_change(text: str) -> list[RulesetFault]:
        path.write_text(f'name = "ours"\nextends = "doppelkopf"\n{text}', "utf-8")
        return check(str(path))[2]

    return check_change


def test_a_file_can_name_16_phases_each_a_time_of_the_round() -> None:
    times = {cls.name for cls in load_all()[0] if cls.name not in BESIDE}
    assert times == set(PHASES)
    assert len(PHASES) <= 16  # games with a form, and partners called after the auction, added two
    assert not set(PHASES) & set(OWN_KEYS)


@pytest.mark.parametrize("name", ["calls", "levels", "remedies", "counters", "parties"])
def test_what_runs_for_the_whole_round_is_no_phase_of_a_file(faults: Faults, name: str) -> None:
    (fault, *_) = faults(f'[phases.{name}]\ncite = "5.2"\n')
    assert fault.key == f"phases.{name}"
    assert fault.message == "there is no such phase in a ruleset file"
    assert fault.allowed.startswith(f"[{name}]")
    assert fault.file.endswith("ours.toml")


def test_a_rule_in_its_own_table_can_be_changed_and_dropped() -> None:
    choices: list[tuple[dict[str, object], str]] = [
        ({}, "illegal"),
        ({"calls": {"own-side": False}}, "legal"),
    ]
    for options, verdict in choices:
        match = Match(load_ruleset("doppelkopf", **options), FOUR)
        match.record("hand Ana: QC 9C 9C 9S 9S 9H AC TC KC AS TS KD")
        match.record("all: gesund")
        assert match.judge("Ana: kontra").verdict == verdict
    found = load_ruleset("doppelkopf", **{"calls.own-side.cite": "4.1"}).clauses["own-side"]
    assert (found.code, found.cite) == ("calls.own-side", "4.1")


def test_a_fault_names_the_key_as_the_file_has_it(faults: Faults) -> None:
    assert [fault.key for fault in faults('[calls]\nsettled = "4.99"\n')] == ["calls.settled.cite"]
    assert [fault.key for fault in faults("[calls]\nsettled = 3\n")] == ["calls.settled"]
    (fault,) = faults('[calls]\nsetled = "4.2"\n')
    assert fault.key == "calls.setled"
    assert "settled" in fault.message
    (fault,) = faults("[calls]\nre = { card = 9 }\n")
    assert fault.key == "calls.re.card"
    (fault,) = faults("[calls]\nreply = { is = 'x', cite = '4.4' }\n")
    assert fault.key == "calls.reply"


def test_defaults_are_for_rows_and_not_for_rules(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(
        'name = "ours"\nextends = "doppelkopf"\n[calls]\nheld = "5.1"\n'
        'defaults = { cards = ["QC", "QC"], points = 20 }\ncouple = {}\npair = { points = 5 }\n',
        "utf-8",
    )
    ruleset = load_ruleset(path)
    rows = ruleset.data["holdings"]
    assert {name: row["points"] for name, row in rows.items()} == {"couple": 20, "pair": 5}
    assert ruleset.data["clauses"]["announced-held"] == {"cite": "5.1"}
    assert ruleset.clauses["announced-when"].cite == "4.1"


def test_options_and_citations_reach_the_keys_of_a_table(tmp_path: Path) -> None:
    assert (
        load_ruleset("da-ban", **{"levels.after_lost": 3}).data["phases"]["levels"]["after_lost"]
        == 3
    )
    (fault, *_) = check("doppelkopf", ["levels.after_lost=3"])[2]
    assert fault.key.startswith("levels")
    path = tmp_path / "ours.toml"
    path.write_text(
        'name = "ours"\nrules = "house"\nextends = "doppelkopf"\n'
        '[cites]\n"calls.settled" = "22.7"\ncalls = "22.1"\n',
        "utf-8",
    )
    faults = check(str(path))[2]
    assert not [each for each in faults if each.key.startswith("cites.")]


def test_a_table_that_is_dropped_takes_its_rules_along(faults: Faults) -> None:
    path_of = check("belote", ["calls=false"])
    assert "announced-held" not in str([fault.key for fault in path_of[2]])


def test_a_table_of_holdings_is_answered_with_the_table_of_calls(faults: Faults) -> None:
    (fault, *_) = faults('[holdings.couple]\ncards = ["QC", "QC"]\n')
    assert (fault.key, fault.allowed) == ("holdings", "rows of [calls]")


def test_a_rule_of_calls_may_have_a_paragraph_for_each_verb(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(
        'name = "ours"\nextends = "doppelkopf"\n[calls]\nheld = "5.1"\n'
        'in-time = { announce = "5.2", show = "5.3" }\nrepeated = { announce = false }\n'
        'couple = { cards = ["QC", "QC"] }\nvow = { when = "own.turn" }\n',
        "utf-8",
    )
    ruleset = load_ruleset(path)
    cites = {name: (clause.code, clause.cite) for name, clause in ruleset.clauses.items()}
    assert cites["in-time"] == ("calls.in-time", "4.1")
    assert cites["announced-when-announce"][1] == "5.2"
    assert cites["announced-when-show"][1] == "5.3"
    assert cites["repeated"][1] == "4.3"
    assert "announced-once-announce" not in cites
    match = Match(ruleset, FOUR)
    match.record("all: gesund")
    assert match.judge("Ana: vow").verdict == "legal"  # it needs no cards
    assert match.judge("Ben: vow").verdict == "illegal"
