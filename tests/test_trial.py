"""Trials of rulesets by random play: planted faults are detected, and shipped rulesets pass."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest

from scorekeeper import Failure, Match, load_ruleset
from scorekeeper.core.rulings import ILLEGAL
from scorekeeper.match.random_play import RandomMatch, TrialLog
from scorekeeper.match.trial import Trial, list_player_counts, play_matches
from scorekeeper.phases.reveal import Reveal
from scorekeeper.phases.tricks.phase import Tricks
from tests.helpers import SHIPPED, program

if TYPE_CHECKING:
    from scorekeeper import Ruleset
    from scorekeeper.engine.round import Round
    from scorekeeper.notation import Entry

TESTS = Path(__file__).parent
MATCHES, FEW = 25, 12


@pytest.fixture(autouse=True)
def _rulesets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(TESTS / "rulesets"))


def planted(folder: Path, parent: str, rows: str) -> Path:
    """Write a file that extends a sound ruleset and adds a fault."""
    path = folder / "planted.toml"
    head = f'extends = "{parent}"\nname = "planted"\ntitle = "Planted"\n'
    path.write_text(head + rows, encoding="utf-8")
    return path


def trial_of(ruleset: Ruleset, matches: int = FEW, seed: int = 1) -> Trial:
    return play_matches(ruleset, matches, seed, Random)


class Plant(NamedTuple):
    """A fault planted in a ruleset, and its report: `fault`, its kind and message, or a `note`."""

    what: str
    parent: str
    rows: str
    fault: str = ""
    note: str = ""


# Faults that a check without play cannot detect.
PLANTS = [
    Plant(
        "a score row divides by zero",
        "dudo",
        '[scores.lost]\npoints = "-1 // (loser.tally - 2)"',
        r"rule: .*divides by zero \(scores\.lost\.points\)",
    ),
    Plant(
        "a condition of a score row divides by zero",
        "fixed-trump",
        '[scores.odd-tricks]\nwhen = "6 // (winners.tricks - 7) >= 0"',
        r"rule: .*divides by zero \(scores\.odd-tricks\.when\)",
    ),
    Plant(
        "a clause divides by zero",
        "dudo",
        '[clauses.higher-face]\nleast = "4 // (previous.count - 3)"',
        r"rule: .*divides by zero \(clauses\.higher-face\.least\)",
    ),
    Plant(
        "the end of the match divides by zero",
        "dudo",
        '[match]\nends = "1 // (rounds - 2) > 5 or players.left <= 1"',
        r"rule: .*divides by zero \(match\.ends\)",
    ),
    Plant(
        "sums that are promised do not come out",
        "doppelkopf",
        '[scores.more]\nfor = "re"\npoints = "re.points > 120"\ncite = "9"',
        r"rule: the scores do not add up to zero",
    ),
    Plant(
        "a dead end: a card is never allowed",
        "fixed-trump",
        '[clauses.never]\nword = "require"\nphase = "tricks"\non = ["play"]\ncite = "2.1"\n'
        'must = "rounds > 5"\nsay = "not yet"',
        r"dead end: no player can act, but .* lead.*tricks\.never: not yet",
    ),
    Plant(
        "a dead end in the middle: who follows cannot",
        "fixed-trump",
        '[clauses.higher]\nword = "until"\nphase = "tricks"\non = ["play"]\ncite = "2.1"\n'
        'verbs = ["play"]\nsay = "one card was laid: that is enough"',
        r"dead end: .*that is enough",
    ),
    Plant(
        "what has to be said is refused",
        "dudo",
        '[clauses.no-dice]\nword = "require"\nphase = "reveal"\non = ["dice"]\ncite = "3.4"\n'
        'must = "players.left < 2"\nsay = "no dice"',
        r"chance: “dice .*” must happen now, but it is refused: .*no dice",
    ),
    Plant(
        "an outcome is missing",
        "dudo",
        '[outcomes.doubted-badly]\nwhen = "matching >= bid.count and rounds < 2"',
        r"undecided: no row of \[outcomes\] decides dudo",
    ),
    Plant(
        "no winner",
        "doppelkopf",
        "[victory]\nkontra = false",
        r"undecided: no row of \[victory\] says who has won",
    ),
    Plant(
        "scores that are all zero",
        "fixed-trump",
        '[scores.odd-tricks]\npoints = "winners.tricks // 14"',
        r"nothing changes: none of the \d+ rounds changed a tally",
    ),
    Plant(
        "a score row that never applies",
        "fixed-trump",
        '[scores.all]\nfor = "winners"\npoints = 3\nwhen = "winners.tricks > 13"\ncite = "3.1"',
        note="scores.all never applied",
    ),
    Plant(
        "a clause that never applies",
        "dudo",
        '[clauses.late]\nword = "remark"\nphase = "bids"\non = ["bid"]\ncite = "2.4"\n'
        'when = "rounds > 999"\nsay = "late"',
        note="clauses.late never applied",
    ),
    Plant(
        "a verb that never is legal",
        "dudo",
        '[clauses.never-exact]\nword = "require"\nphase = "bids"\non = ["exact"]\ncite = "2.4"\n'
        'must = "players.left > 200"\nsay = "not with so few"',
        note="calzo was never legal",
    ),
    Plant(
        "a contract that nobody can name",
        "doppelkopf",
        '[contracts.damensolo]\nneeds = "count(dealt & old_ladies) > 2"\n'
        '[let]\nold_ladies = ["QC"]',
        note="contracts.damensolo never applied",
    ),
    Plant(
        "a special point that nobody can make",
        "doppelkopf",
        "[specials.fox]\nleast = 200",
        note="specials.fox never applied",
    ),
    Plant(
        "a call that nobody can make",
        "doppelkopf",
        "[calls.kontra]\nin_hand = 40",
        note="calls.kontra never applied",
    ),
    Plant(
        "a pattern whose cards others take",
        "fixed-trump",
        '[orders.spades]\ntrumps = ["*S", "AS"]',
        note="orders.spades: the pattern AS never matched a card",
    ),
    Plant(
        "an order of another game",
        "fixed-trump",
        '[orders.hearts]\ntrumps = ["*H"]',
        note="orders.hearts was never used",
    ),
]


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Plant], tuple[Ruleset, Trial]]:
    """Return a function for a planted ruleset and its trial, each played once."""

    @cache
    def found(plant: Plant) -> tuple[Ruleset, Trial]:
        path = planted(tmp_path_factory.mktemp("planted"), plant.parent, plant.rows)
        ruleset = load_ruleset(str(path))
        return ruleset, trial_of(ruleset, FEW)

    return found


Trials = Callable[[Plant], tuple["Ruleset", Trial]]


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.what)
def test_what_was_planted_is_found(plant: Plant, trials: Trials) -> None:
    _, trial = trials(plant)
    told = [f"{trouble.kind}: {trouble.message}" for trouble, _ in trial.problems]
    if plant.fault:
        assert any(re.match(plant.fault, each) for each in told), (told, trial.notes)
        assert len({trouble.kind for trouble, _ in trial.problems}) == 1, told
    else:
        assert told == []
        assert f"{plant.note} in {FEW} matches" in trial.notes


@pytest.mark.parametrize("parent", ["dudo", "doppelkopf", "fixed-trump"])
def test_the_rulesets_are_sound_without_it(parent: str) -> None:
    trial = trial_of(load_ruleset(parent), MATCHES)
    assert trial.problems == []
    notes = {f"{plant.note} in {MATCHES} matches" for plant in PLANTS if plant.parent == parent}
    assert notes.isdisjoint(trial.notes)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_rulesets_pass(name: str) -> None:
    trial = trial_of(load_ruleset(name), 5)
    assert trial.ok, trial.problems
    assert trial.rounds >= 5


# --- the program's own mistakes


def test_a_result_that_crashes_is_told_and_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def conclude(self: Reveal, rnd: Round, said: dict[str, str]) -> None:
        raise KeyError(next(iter(said)))

    monkeypatch.setattr(Reveal, "conclude", conclude)
    trial = trial_of(load_ruleset("dudo"))
    trouble, often = trial.problems[0]
    assert {each.kind for each, _ in trial.problems} == {"crash"}
    assert often > 1
    key = trouble.entries[-1].removeprefix("result ").partition("=")[0]
    assert trouble.message == f"an error in the program: KeyError in conclude: '{key}'"
    assert key in ("loser", "gainer")


def test_an_act_that_crashes_is_told_with_its_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    happens = Tricks.apply

    def apply(self: Tricks, rnd: Round, entry: Entry) -> None:
        happens(self, rnd, entry)
        if len(rnd.tricks) == 3:
            raise RuntimeError("three")

    monkeypatch.setattr(Tricks, "apply", apply)
    trial = trial_of(load_ruleset("fixed-trump"), 3)
    ((trouble, often),) = trial.problems
    assert (trouble.kind, often) == ("crash", 3)
    assert trouble.message.endswith("RuntimeError in apply: three")
    assert len(trouble.entries) == 4 + 12  # the hands, and three tricks


def test_acts_that_change_nothing_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def apply(self: Tricks, rnd: Round, entry: Entry) -> None:
        """Leave the card in the hand."""

    monkeypatch.setattr(Tricks, "apply", apply)
    ((trouble, _),) = trial_of(load_ruleset("fixed-trump"), 1).problems
    assert (trouble.kind, trouble.message) == (
        "stands still",
        "20 acts in a row changed nothing",
    )


# --- reports


def _replayed(ruleset: Ruleset, players: tuple[str, ...], entries: tuple[str, ...]) -> Match:
    """Record the entries as a user would type them; the last may be refused."""
    match = Match(ruleset, players)
    for entry in entries[:-1]:
        match.record(entry)
    try:
        match.record(entries[-1])
    except Failure:
        assert match.judge(entries[-1]).verdict == ILLEGAL
    return match


@pytest.mark.parametrize(
    "plant", [plant for plant in PLANTS if plant.fault], ids=lambda plant: plant.what
)
def test_the_entries_lead_there(plant: Plant, trials: Trials) -> None:
    ruleset, trial = trials(plant)
    for trouble, _ in trial.problems:
        if not trouble.entries:
            continue
        match = _replayed(ruleset, trouble.players, trouble.entries)
        if trouble.kind == "dead end":
            assert not match.legal
            assert not match.rounds[-1].over
        elif trouble.kind == "undecided":
            assert match.rounds[-1].over
        elif trouble.kind == "rule" and "clauses" not in trouble.message:
            assert match.rounds[-1].has_errors


def test_a_seed_plays_the_same_match() -> None:
    rules = load_ruleset("podkidnoy")
    first, again, other = trial_of(rules, 3, 7), trial_of(rules, 3, 7), trial_of(rules, 3, 8)
    assert first.as_json() == again.as_json()
    assert first.as_json() != other.as_json()


def test_a_fault_is_found_again_by_its_seed(trials: Trials) -> None:
    ruleset, trial = trials(PLANTS[0])
    ((trouble, often),) = trial.problems
    assert often > 1
    # The seed decides the number of players, so the first match of another trial is the same.
    ((again, _),) = trial_of(ruleset, 1, trouble.seed).problems
    assert again == trouble


def test_a_result_that_calls_a_card_is_found() -> None:
    trial = trial_of(load_ruleset("sides-named"), 6)
    assert not [note for note in trial.notes if "result" in note]


def test_what_has_a_name_is_also_shown() -> None:
    trial = trial_of(load_ruleset("doppelkopf-schweine"), 25, 101)
    assert not [note for note in trial.notes if note.startswith(("show", "announce"))]


def test_what_is_played_is_told_where_nobody_bids() -> None:
    rules = load_ruleset("auction-once")
    told: set[str] = set()
    for seed in range(16, 22):
        played = RandomMatch(rules, ["Ana", "Ben", "Cleo", "Dan"], seed, Random(seed), TrialLog())
        played.play()
        entries = [text for rnd in played.match.rounds for text in rnd.entries]
        told.update(text.split()[0] for text in entries)
    assert "contract" in told


def test_every_number_of_players_has_its_turn() -> None:
    assert list_player_counts(load_ruleset("doppelkopf")) == [4, 5, 6, 7]
    assert list_player_counts(load_ruleset("podkidnoy-teams")) == [4, 6]
    assert list_player_counts(load_ruleset("dudo")) == [2, 3, 4, 5, 6, 7, 8]


# --- the command


def test_the_command_tells_of_a_sound_ruleset() -> None:
    answer = program("rules", "check", "dudo", "--play", "4", "--seed", "3")
    assert answer.code == 0
    assert re.match(
        r"dudo: 4 matches, \d+ rounds, \d+ entries at random \(seeds 3 to 6\)\n", answer.out
    )
    assert all(line.startswith("note: ") for line in answer.out.splitlines()[1:])
    assert answer.err == ""


def test_the_command_tells_of_faults_with_their_entries(tmp_path: Path) -> None:
    path = planted(tmp_path, PLANTS[0].parent, PLANTS[0].rows)
    answer = program("rules", "check", str(path), "--play", "20")
    assert (answer.code, answer.err) == (1, "one fault\n")
    lines = answer.out.splitlines()
    assert lines[1].startswith("fault: rule: ")
    assert lines[1].endswith(" times)")
    assert re.fullmatch(r"  seed \d+, (Ana|Ben|, | and |\w+)+, (round|rounds 1 to) \d+:", lines[2])
    entries = [line.strip() for line in lines if line.startswith("    ")]
    assert entries[-1].startswith("dice ")


def test_the_command_answers_as_json(tmp_path: Path) -> None:
    path = planted(tmp_path, PLANTS[0].parent, PLANTS[0].rows)
    answer = program("rules", "check", str(path), "--play", "20", "--format", "json")
    assert answer.code == 1
    assert (answer.data["ok"], answer.data["faults"]) == (False, [])
    played = answer.data["play"]
    assert sorted(played) == ["entries", "faults", "matches", "notes", "rounds"]
    keys = ["entries", "first", "kind", "message", "players", "round", "seed", "times"]
    assert sorted(played["faults"][0]) == keys


def test_long_rounds_are_shortened_and_json_has_them_whole(tmp_path: Path) -> None:
    path = planted(tmp_path, PLANTS[1].parent, PLANTS[1].rows)
    text = program("rules", "check", str(path), "--play", "5").out
    assert re.search(r"    # \d+ entries more; --format json has them all", text)
    whole = program("rules", "check", str(path), "--play", "5", "--format", "json").data
    assert len(whole["play"]["faults"][0]["entries"]) >= 56


def test_a_rule_that_never_applies_is_named_as_the_file_names_it(tmp_path: Path) -> None:
    row = '[calls.never]\nwhen = "trick.number > 99"\ncite = "2.1"\n'
    path = planted(tmp_path, "holdings", f'[phases.tricks]\nfollow = "2.1"\n{row}')
    out = program("rules", "check", str(path), "--play", "2").out
    assert "note: calls.never never applied in 2 matches\n" in out
    assert "note: phases.tricks.held never applied in 2 matches\n" in out
    played = program("rules", "check", str(path), "--play", "2", "--format", "json").data["play"]
    assert "phases.tricks.held never applied in 2 matches" in played["notes"]


def test_a_seed_without_matches_is_refused() -> None:
    answer = program("rules", "check", "dudo", "--seed", "3")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("scorekeeper: --seed needs --play\n")


def test_a_ruleset_with_mistakes_is_not_played(tmp_path: Path) -> None:
    path = planted(tmp_path, "dudo", '[scores.lost]\npoints = "nothing"')
    answer = program("rules", "check", str(path), "--play", "5")
    assert (answer.code, answer.err) == (1, "one mistake\n")
    assert "at random" not in answer.out
