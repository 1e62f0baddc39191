"""Every command: its text, its JSON (the shapes that docs/json.md promises) and its exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.cli.app import ADVICE, COMMANDS, FORMER_NAMES, GROUPS, SECTIONS
from tests.helpers import program

FINE, REFUSED, UNREADABLE = 0, 1, 2
ROOT = Path(__file__).parent.parent
SEED = ROOT / "tests" / "records" / "dudo_seed.toml"
FINDING = {"code", "verdict", "severity", "cite", "facts", "reason"}
RULING = {"entry", "verdict", "findings"}
LINE = {"code", "for", "points", "cite"}
STATE = {
    *("round", "phase", "to_act", "over", "scores", "bindings", "sides", "table"),
    *("talon", "players", "owed"),
}


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a book with a match of Ana, Ben and Cleo."""
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    monkeypatch.chdir(tmp_path)
    assert program("new", "dudo", "Ana", "Ben", "Cleo").code == FINE
    return path


def data(*arguments: str, code: int = FINE, stdin: str = "") -> Any:
    answer = program(*arguments, "--format", "json", stdin=stdin)
    assert answer.code == code, answer
    return answer.data


# --- new, matches


def test_new() -> None:
    answer = program("new", "dudo", "Ana", "Ben", "--place", "the kitchen")
    assert answer.code == FINE
    assert answer.out.splitlines() == [
        "match 2: Dudo, Ana, Ben",
        'Ana acts first; if another player does, enter: record "lead NAME"',
        "Ana starts with a bid",
        "open the live table, which helps while you type:",
        "  scorekeeper table",
        "or record what happens from the command line, for example:",
        '  scorekeeper record "Ana: 1x2"',
        "or enter only the result of a whole round:",
        '  scorekeeper record "result loser=Ana"',
    ]
    assert data("new", "dudo", "Zoe", "Yan", "--set", "tally.start=3") == {
        "match": 3,
        "ruleset": "dudo",
        "players": ["Zoe", "Yan"],
        "to_act": ["Zoe"],
    }
    assert data("status")["scores"] == {"Zoe": 3, "Yan": 3}


def test_every_command_has_its_section_in_the_help() -> None:
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted([*COMMANDS, *GROUPS])
    shown = program("--help").out
    assert all(f"\n  {name} " in shown for name in listed)
    assert "..." not in shown.partition("Options:")[2]


@pytest.mark.parametrize("word", ADVICE)
def test_a_word_tried_as_a_command_is_answered_with_the_command(word: str) -> None:
    answer = program(word)
    assert answer.code == UNREADABLE
    assert answer.err.splitlines()[1] == f"  try: scorekeeper {ADVICE[word]}"
    meant = ADVICE[word].split()[0]
    assert meant in COMMANDS or meant in GROUPS or meant == "--help"


def test_an_option_without_its_value_is_answered_with_the_form() -> None:
    answer = program("score", "--explain")
    assert answer.err.splitlines() == [
        "scorekeeper: --explain needs a value",
        "  try: scorekeeper score --explain ROUND",
    ]


def test_the_program_alone_shows_the_last_match_and_likely_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = program().out
    assert running.splitlines()[0].startswith("match 1: Dudo")
    assert "  scorekeeper table " in running
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "another.sqlite"))
    empty = program()
    assert (empty.code, empty.out.splitlines()[0]) == (FINE, "there is no match yet")
    assert "scorekeeper new" in empty.out


def test_matches() -> None:
    program("new", "perudo", "Ana", "Ben")
    program("record", "2x3", "--match", "1")
    rows = data("matches")
    assert [(row["match"], row["ruleset"], row["entries"]) for row in rows] == [
        (1, "dudo", 1),
        (2, "perudo", 0),
    ]
    assert {"match", "ruleset", "players", "started", "place", "entries", "last"} <= set(rows[0])
    assert "perudo" in program("matches").out


def test_the_match_last_recorded_in_is_meant() -> None:
    program("new", "dudo", "Zoe", "Yan")
    assert "Zoe" in program("status").err
    program("record", "2x3", "--match", "1")
    assert "match 1: Dudo, Ana, Ben, Cleo" in program("status").err


# --- record, judge, legal


def test_record() -> None:
    answer = program("record", "2x3", "Ben:", "3 trenes")
    assert answer.code == FINE
    assert answer.out.splitlines() == [
        "Ana: 2x3  [ok]",
        "Ben: 3x3  [ok]",
        "to act: Cleo (Cleo bids higher than 3x3, or says dudo or calzo)",
    ]
    assert answer.err == "match 1: Dudo, Ana, Ben, Cleo\n"


def test_record_as_json() -> None:
    rulings = data("record", "2x3", "2x2", "16x3", code=REFUSED)
    assert [(row["entry"], row["verdict"]) for row in rulings] == [
        ("Ana: 2x3", "legal"),
        ("Ben: 2x2", "illegal"),
        ("Ben: 16x3", "legal"),
    ]
    for row in rulings:
        assert set(row) == RULING
        for finding in row["findings"]:
            assert set(finding) == FINDING
    (refusal,) = rulings[1]["findings"]
    assert (refusal["code"], refusal["severity"], refusal["cite"]) == (
        "bids.same-or-lower-face",
        "refuse",
        "2.3",
    )
    assert refusal["facts"]["who"] == "Ben"
    assert [f["severity"] for f in rulings[2]["findings"]] == ["note"]


@pytest.mark.parametrize("command", ["record", "judge"])
def test_an_unreadable_entry_ends_the_list(command: str) -> None:
    rulings = data(command, "2x3", "nonsense", "4x3", code=UNREADABLE)
    assert [(row["entry"], row["verdict"]) for row in rulings] == [
        ("Ana: 2x3", "legal"),
        ("nonsense", None),
    ]
    (finding,) = rulings[1]["findings"]
    assert (finding["code"], finding["verdict"]) == ("entry.unreadable", "illegal")
    assert set(finding) == FINDING
    (row,) = data(command, "count 3", code=UNREADABLE)
    assert row["findings"][0]["code"] == "entry.impossible"


def test_record_from_standard_input() -> None:
    text = "# the first round\n2x3; 3x3\n\nCleo: dudo   # bold\ncount 2\n"
    answer = program("record", stdin=text)
    assert answer.code == FINE
    assert data("score")["rounds"][0]["scores"] == {"Ana": 0, "Ben": -1, "Cleo": 0}


def test_a_decision() -> None:
    assert program("record", "1x1").code == REFUSED
    assert program("record", "1x1", "--stands").code == FINE
    assert program("record", "Ana: 3x3", "--withdrawn").code == FINE
    assert program("record", "Ben: 1x1 !withdrawn").code == FINE
    assert 'entries = """\nAna: 1x1 !stands\nAna: 3x3 !withdrawn\n' in program("export").out
    assert data("status")["to_act"] == ["Ben"]


def test_a_result_field_by_field() -> None:
    answer = program("record", "--result", stdin="Ben\n\n")
    assert answer.code == FINE
    assert "score: Ana +0, Ben -1, Cleo +0" in answer.err
    assert "result loser=Ben  [ok]" in answer.out


def test_judge_records_nothing() -> None:
    answer = program("judge", "2x3", "Ben: dudo", "count 2")
    assert answer.code == FINE
    assert answer.out.count("[ok]") == 3
    assert "entries" not in program("export").out
    assert program("judge", "Ana: 1x1").code == REFUSED
    assert [row["verdict"] for row in data("judge", "2x3", "2x3", code=REFUSED)] == [
        "legal",
        "illegal",
    ]


def test_legal() -> None:
    found = data("legal")
    assert set(found) == {"to_act", "entries"}
    assert found["to_act"] == ["Ana"]
    assert found["entries"][0] == "Ana: 1x2"
    assert "Ana: 15x6" in found["entries"]
    assert "Ana: 16x6" not in found["entries"]
    lines = program("legal", "--all").out.splitlines()
    assert lines[0] == "to act: Ana (Ana starts with a bid)"
    assert [line.strip() for line in lines[1:]] == found["entries"]


# --- undo, amend


def test_undo() -> None:
    program("record", "2x3", "3x3")
    assert "undone: Ben: 3x3" in program("undo").out
    assert data("undo") == {"undone": "Ana: 2x3", "to_act": ["Ana"]}
    assert program("undo").code == UNREADABLE
    log = data("status", "--log")
    assert [row["kind"] for row in log] == ["entry", "entry", "undo", "undo"]


def test_amend() -> None:
    program("record", "2x3", "3x3", "Cleo: dudo", "count 3", "Cleo: 4x4")
    assert program("amend", "1.2", "Ben: 3x4").code == FINE
    assert "Ben: 3x4" in program("export").out
    refused = program("amend", "1.1", "Ana: 9x9")
    assert refused.code == UNREADABLE
    broken = data("amend", "1.4", "count 1", code=REFUSED)
    assert broken["saved"] is False
    assert [(row["round"], row["number"]) for row in broken["broken"]] == [(2, 1)]
    saved = data("amend", "1.4", "count 1", "--yes")
    assert saved["saved"] is True
    assert data("score")["rounds"][0]["scores"] == {"Ana": 0, "Ben": -1, "Cleo": 0}


# --- status, score


def test_status() -> None:
    program("record", "direction right", "2x3", "Cleo: dudo")
    state = data("status")
    assert set(state) == STATE
    assert state["round"] == 1
    assert state["phase"] == "reveal"
    assert state["bindings"]["direction"] == "right"
    assert state["players"]["Ana"] == {"dice": 5, "out": False}
    assert state["owed"][0] == {"who": "Ana", "what": "dice"}
    text = program("status").out
    assert "round 1" in text
    assert "play goes to the right" in text


def test_score() -> None:
    program("record", "result loser=Ben", "foul Cleo: peeked")
    found = data("score")
    assert set(found) == {"scores", "over", "rounds"}
    assert found["scores"] == {"Ana": 5, "Ben": 4, "Cleo": 4}
    assert [row["scores"]["Cleo"] for row in found["rounds"]] == [0, -1]
    assert set(found["rounds"][0]["lines"][0]) == LINE
    explained = data("score", "--explain", "2")
    assert (explained["round"], explained["scores"]) == (2, {"Ana": 0, "Ben": 0, "Cleo": -1})
    assert explained["lines"] == [{"code": "foul", "for": "Cleo", "points": -1, "cite": "5"}]
    assert "lost: Ben -1 (" in program("score", "--explain", "1").out


# --- export, import, verify


def test_export_import_and_back(tmp_path: Path) -> None:
    program("record", "2x3", "Ben: dudo", "count 1", "Ana: 3x3")
    assert program("export", "--to", "first.toml").code == FINE
    other = str(tmp_path / "other.sqlite")
    assert data("import", "first.toml", "--book", other) == [
        {"file": "first.toml", "match": 1, "known": False}
    ]
    assert data("import", "first.toml", "--book", other)[0]["known"] is True
    assert program("export", "--to", "second.toml", "--book", other).code == FINE
    assert Path("second.toml").read_bytes() == Path("first.toml").read_bytes()


def test_export_of_several() -> None:
    program("new", "dudo", "Zoe", "Yan")
    assert program("export", "--all").code == UNREADABLE
    assert program("export", "--all", "--to", "out").code == FINE
    assert sorted(path.name for path in Path("out").iterdir()) == ["match-1.toml", "match-2.toml"]


def test_options_travel_with_the_record(tmp_path: Path) -> None:
    program("new", "dudo", "Zoe", "Yan", "--set", "tally.start=2")
    program("record", "result loser=Yan")
    program("export", "--to", "record.toml")
    (report,) = data("verify", "record.toml")
    assert report["scores"] == {"Zoe": 2, "Yan": 1}
    other = str(tmp_path / "other.sqlite")
    program("import", "record.toml", "--book", other)
    assert program("export", "--book", other).out == Path("record.toml").read_text("utf-8")


def test_commands_that_read_take_a_record_file() -> None:
    for command in ("status", "score", "legal", "judge"):
        extra = ["end"] if command == "judge" else []
        answer = program(command, *extra, "--match", str(SEED))
        assert answer.err.startswith("dudo_seed.toml: Dudo, J1, J2, J3, J4"), command


def test_verify() -> None:
    reports = data("verify", str(SEED), str(SEED))
    assert len(reports) == 2
    report = reports[0]
    assert set(report) == {"file", "ok", "findings", "rounds", "scores"}
    assert report["ok"] is True
    assert set(report["rounds"][0]) == {"scores", "lines", "open", "settled"}
    assert report["scores"] == {"J1": 0, "J2": 0, "J3": 1, "J4": 0}
    assert "verified" in program("verify", str(SEED)).out


def test_verify_says_where() -> None:
    Path("wrong.toml").write_text(SEED.read_text("utf-8").replace("11x4", "10x4"), "utf-8")
    (report,) = data("verify", "wrong.toml", code=REFUSED)
    found = report["findings"][0]
    assert set(found) == FINDING | {"round", "line", "entry", "decision"}
    assert (found["round"], found["entry"], found["decision"]) == (1, "J2: 10x4", None)
    lines = Path("wrong.toml").read_text("utf-8").splitlines()
    assert lines[found["line"] - 1] == "J2: 10x4"
    assert "NOT verified" in program("verify", "wrong.toml").out
    decided = SEED.read_text("utf-8").replace("11x4", "10x4 !stands")
    Path("decided.toml").write_text(decided, "utf-8")
    (report,) = data("verify", "decided.toml")
    assert [row["decision"] for row in report["findings"]] == ["stands"]


# --- odds, rules


def test_odds() -> None:
    found = data("odds", "11x4", "--ruleset", "dudo", "--dice", "20", "--seen", "4 4 4 4 1")
    assert found["mean"] == 10
    assert set(found) == {"bid", "dice", "seen", "matching", "true", "exact", "mean", "fractions"}
    assert (found["bid"], found["seen"], found["matching"]) == ("11x4", 5, 5)
    assert data("odds", "7 cuadras", "--ruleset", "dudo", "--dice", "20")["mean"] == pytest.approx(
        20 / 3
    )
    assert data("odds", "4x1", "--ruleset", "dudo", "--dice", "20")["mean"] == pytest.approx(10 / 3)
    assert "15 dice" in program("odds", "5x3").out


def test_odds_where_aces_are_not_wild() -> None:
    program("new", "perudo", "Ana", "Ben")
    program("record", "hand Ana: 2", "result loser=Ana")
    assert data("odds", "2x3")["mean"] == pytest.approx(1)


def test_the_list_of_rulesets_has_families_and_variants() -> None:
    lines = program("rules", "list", "--language", "de").out.splitlines()
    dice = lines[lines.index("Würfelspiele:") : lines.index("Spiele mit Angriff und Abwehr:")]
    place = next(index for index, line in enumerate(dice) if line.startswith("  dudo "))
    assert dice[place + 1].split(maxsplit=1) == [
        "dudo-aces",
        "Dudo, Asse auch mit einem Würfel eröffnet",
    ]
    rows = {row["name"]: row for row in data("rules", "list")}
    assert rows["dudo-aces"]["extends"] == "dudo"
    assert rows["dudo"]["family"] == rows["dudo-aces"]["family"] == "dice games"


def test_a_match_begins_by_a_title() -> None:
    assert "Doppelkopf, Ana" in program("new", "Doko", "Ana", "Ben", "Cleo", "Dan").out


def test_rules() -> None:
    names = [row["name"] for row in data("rules", "list")]
    assert {"dudo", "perudo"} <= set(names)
    assert "Dudo" in program("rules", "list").out
    shown = program("rules", "show", "perudo", "--set", "tally.start=3", "--format", "toml").out
    assert "start = 3" in shown
    assert data("rules", "show", "dudo")["tally"]["name"] == "dice"
    checked = data("rules", "check", "dudo")
    assert (checked["ruleset"], checked["ok"], checked["faults"]) == ("dudo", True, [])
    assert "no mistakes" in program("rules", "check", "perudo").out


@pytest.mark.parametrize(
    "code", ["bids.from-aces", "from-aces", "clauses.from-aces", "2.3", "scores.lost"]
)
def test_rules_explain(code: str) -> None:
    answer = program("rules", "explain", code, "--ruleset", "dudo")
    assert answer.code == FINE
    found = data("rules", "explain", code, "--ruleset", "dudo")
    assert found["cite"] in ("2.3", "3.1")
    assert found["paragraph"].startswith(found["cite"])
    assert found["paragraph"].splitlines()[0][:60] in answer.out


def test_a_ruleset_with_faults(tmp_path: Path) -> None:
    Path("mine.toml").write_text('extends = "dudo"\nname = "mine"\n[tally]\nmost = "five"\n')
    report = data("rules", "check", "mine.toml", code=REFUSED)
    (fault,) = report["faults"]
    assert (fault["key"], fault["found"], fault["allowed"]) == (
        "tally.most",
        "five",
        "a whole number",
    )
    assert program("rules", "check", "mine.toml").code == REFUSED
    assert program("new", "mine.toml", "Ana", "Ben").code == 3


# --- the process


def run(*arguments: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "scorekeeper", *arguments],
        capture_output=True,
        text=True,
        input=stdin,
        check=False,
        cwd=ROOT,
        env={**os.environ, **env},
        timeout=60,
    )


def test_the_program_as_a_process() -> None:
    done = run("record", "2x3")
    assert (done.returncode, done.stderr) == (0, "match 1: Dudo, Ana, Ben, Cleo\n")
    assert run("record", "Ben: 1x2").returncode == REFUSED
    assert run("record", "nonsense").returncode == UNREADABLE
    assert "\x1b" not in run("--help").stdout


def test_record_imports_nothing_slow() -> None:
    code = (
        "import sys; sys.argv = ['scorekeeper', 'record', '2x3']\n"
        "from scorekeeper.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "barred = {'rich', 'pydantic', 'tabulate', 'prompt_toolkit', 'importlib.metadata'}\n"
        "found = sorted(barred & set(sys.modules)); assert not found, found\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    assert "Ana: 2x3  [ok]" in done.stdout


def test_importing_the_library_imports_nothing_else() -> None:
    code = (
        "import sys; before = set(sys.modules); import scorekeeper\n"
        "found = {name for name in set(sys.modules) - before if 'scorekeeper.' in name}\n"
        "assert not found, found\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT).returncode == 0


def test_what_is_decided_already_is_not_to_be_decided_when_it_is_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    assert program("new", "whist", "Ana", "Ben", "Cleo", "Dan").code == 0
    led = "trump H, Ana: AC, Ben: 2D !stands, Cleo: 3C, Dan: 4C, Ana: KC"
    assert program("record", led).code == 0
    told = program("record", "Ben: 2C").out
    assert "could have followed clubs in trick 1" in told
    assert "to decide it" not in told


@pytest.mark.parametrize(("former", "name"), FORMER_NAMES.items())
def test_the_former_name_of_a_command_still_works(former: str, name: str) -> None:
    now, before = (program(word, "--format", "json") for word in (name, former))
    assert (before.code, before.out) == (now.code, now.out)
    assert f"scorekeeper {former} is now called scorekeeper {name}" in before.err
    assert f"\n  {former} " not in program("--help").out


def test_a_former_name_is_answered_in_the_language_of_the_answer() -> None:
    answer = program("summarize", "--language", "fr")
    assert "scorekeeper summarize s'appelle désormais scorekeeper rebuild" in answer.err
