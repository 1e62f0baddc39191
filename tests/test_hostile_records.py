"""Records from strangers: each is read or refused quickly and in little memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import Match, read_record, verify_record
from scorekeeper.core import untrusted
from tests.helpers import program

PAGE = (Path(__file__).parent.parent / "docs" / "records.md").read_text("utf-8")
HEAD = 'format = 2\nruleset = "dudo"\nplayers = ["Ana", "Ben"]\n'
ROUND = '[[rounds]]\nentries = """\nAna: 2x3\n"""\n'
PINNED = 'ruleset_text = """\nname = "x"\ntitle = "x"\nrules = "dudo"\n%s\n"""\n'
HOSTILE = {
    "a key of many dots": f"a{'.a' * 30_000} = 1\n",
    "a key of many dots, in a table": f"a = {{ b{'.b' * 3_000} = 1 }}\n",
    "many option tables": "".join(f"[options.t{i}]\nx = 1\n" for i in range(30_000)),
    "many digits": f"place = {'9' * 5_000}\n",
    "many hexadecimal digits": f"place = 0x{'f' * 5_000}\n",
    "no text": "place = 5\n",
    "a long text": f'place = "{"x" * 2_000_000}"\n',
    "deep lists": f"a = {'[' * 3_000}{']' * 3_000}\n",
    "many rounds": "[[rounds]]\n" * 300_000,
    "texts that never end": '"""\\' * 60_000,
    "other texts that never end": "'''x" * 60_001,
    "a pack that is too large": '[options]\n"pack.copies" = 10000\n',
    "dice without end": '[options]\n"tally.start" = 1000000000\n',
    "options of another kind": '[options]\n"clauses" = "x"\n"phases.bids" = 3\n',
    "a number among pinned patterns": PINNED % "[phases.bids]\n[let]\nq = [60]",
    "a pinned ruleset without a phase": PINNED % "[phases]",
    "more dice than a tally has": '[options]\n"tally.start" = 10000\n',
    "a bad pinned order": PINNED % '[phases.tricks]\norder = "x"\n[orders.x]\ntrumps = 7',
    "a pinned ruleset that is none": PINNED % "phases = 3",
    "a pinned rule text elsewhere": (PINNED % "").replace('"dudo"\n', '"../../../etc/passwd"\n'),
    "a score of many digits": f"{ROUND}scores = {{ Ana = 0x{'f' * 4_000} }}\n",
}
# With 200 MiB above what the interpreter itself maps, and time enough for any machine.
BOUNDED = """
import resource, sys
from scorekeeper import verify_record
with open("/proc/self/statm") as sizes:
    mapped = int(sizes.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (mapped + 200 * 2**20,) * 2)
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
print(verify_record(sys.argv[1])["ok"])
"""


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "record.toml"
    path.write_text(text, "utf-8")
    return str(path)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="nothing says what is mapped")
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_record_is_refused_within_bounds(tmp_path: Path, what: str) -> None:
    path = written(tmp_path, HEAD + HOSTILE[what])
    done = subprocess.run([sys.executable, "-c", BOUNDED, path], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "False\n"), done.stderr


@pytest.mark.parametrize("what", HOSTILE)
def test_import_and_verify_answer_a_hostile_record_in_a_line(tmp_path: Path, what: str) -> None:
    path = written(tmp_path, HEAD + HOSTILE[what])
    book = str(tmp_path / "book.sqlite")
    answer = program("import", path, "--book", book)
    assert answer.code == 3
    assert len(answer.err.splitlines()) <= 2
    (finding,) = verify_record(path)["findings"]
    assert finding["code"] == "record.damaged"
    assert len(finding["reason"]) < 1_200


@pytest.mark.parametrize(
    ("started", "kept"),
    [
        ("2024-05-01", "2024-05-01"),
        ("2024-05-01T20:15:00Z", "2024-05-01T20:15:00+00:00"),
        ('"in May"', "in May"),
    ],
)
def test_a_date_is_a_date(tmp_path: Path, started: str, kept: str) -> None:
    path = written(tmp_path, f"{HEAD}started = {started}\n{ROUND}")
    assert verify_record(path)["ok"] is True
    book = str(tmp_path / "book.sqlite")
    assert program("import", path, "--book", book).code == 0
    assert f'started = "{kept}"' in program("export", "--book", book).out


def test_a_mistake_of_the_programs_own_stops_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = tmp_path / "bad.toml", tmp_path / "good.toml"
    bad.write_text(HEAD.replace("Ana", "Bad") + ROUND.replace("Ana", "Bad"), "utf-8")
    good.write_text(HEAD + ROUND, "utf-8")
    play_round = Match.play_round

    def stumbles(self: Match, *given: Any) -> Any:
        if "Bad" in self.players:
            raise KeyError("pass")
        return play_round(self, *given)

    monkeypatch.setattr(Match, "play_round", stumbles)
    book = ("--book", str(tmp_path / "book.sqlite"))
    told = "bad.toml: an error in the program: KeyError in stumbles: 'pass'"
    answer = program("import", str(bad), str(good), *book)
    assert (answer.code, told in answer.err) == (3, True)
    assert "1 new match" in answer.out
    answer = program("verify", str(bad), str(good))
    assert (answer.code, told in answer.out) == (1, True)
    assert f"{good}: verified" in answer.out


def test_dots_in_entries_and_notes_are_no_dots_of_keys(tmp_path: Path) -> None:
    note = "note " + "." * 1_500
    path = written(tmp_path, HEAD + ROUND.replace("Ana: 2x3", f"{note}\nAna: 2x3"))
    assert verify_record(path)["ok"] is True
    assert read_record(path).rounds[0].entries == [note, "Ana: 2x3"]


def test_a_long_evening_stays_readable(tmp_path: Path) -> None:
    rounds = ROUND.replace("Ana: 2x3", "Ana: 2x3\nBen: dudo\ncount 2\nstanding Ana: 5") * 2_000
    path = written(tmp_path, HEAD + rounds)
    assert len(verify_record(path)["rounds"]) == 2_000


@pytest.mark.parametrize(
    "number",
    [
        untrusted.MAX_RECORD_BYTES // 2**20,
        untrusted.MAX_RECORD_LINES,
        untrusted.MAX_RECORD_LINE,
        untrusted.MAX_ROUNDS,
        untrusted.MAX_PLAYERS,
        untrusted.MAX_TEXT,
    ],
)
def test_every_bound_of_a_record_stands_on_its_page(number: int) -> None:
    section = PAGE.partition("A record has limits")[2].partition("\n\n")[0]
    assert f"{number:,}" in section
