"""Faults reported to a ruleset's author: each mistake once, with its place and a correction."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Match, Unreadable, load_ruleset, read_record, verify_record, write_record
from scorekeeper.core.expressions import Expression
from scorekeeper.core.text import find_nearest
from scorekeeper.engine.loading import check
from scorekeeper.engine.measures import FirstMatch, cases_of, undecided, unreachable
from tests.helpers import program

if TYPE_CHECKING:
    from scorekeeper.ruleset.sources import RulesetFault

FOLDER = Path(__file__).parent / "rulesets"
SHIPPED = Path(__file__).parent.parent / "rulesets"
MINE = 'extends = "dudo"\nname = "mine"\ntitle = "Ours"\n'
WHIST = MINE.replace("dudo", "whist")
ROW = 'who = "caller"\nas = "loser"\ncite = "3.1"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Prepare an empty user's folder, and return a folder outside it."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path / "user"))
    (tmp_path / "user").mkdir()
    return tmp_path


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def faults(folder: Path, text: str, start: str = MINE) -> dict[str, RulesetFault]:
    """Return the faults of a ruleset file, by key."""
    found = check(write(folder, "mine.toml", start + text))[2]
    assert len({fault.key for fault in found}) == len(found)
    assert all(str(fault).isprintable() for fault in found)
    return {fault.key: fault for fault in found}


def text_of(*numbers: str) -> str:
    """Return a rule text with those paragraphs and their sections."""
    sections = dict.fromkeys(number.partition(".")[0] for number in numbers)
    said = [
        f"## {section}. Part\n"
        + "".join(f"{n} Of {n}.\n" for n in numbers if n.startswith(f"{section}."))
        for section in sections
    ]
    return "\n".join(said)


# --- the rule text next to a ruleset named by its path


def test_the_text_beside_a_path_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    write(folder, "mine.toml", MINE + 'rules = "mine"\nclauses = { bluff = { cite = "9.9" } }')
    shipped = (SHIPPED / "dudo" / "rules.md").read_text("utf-8")
    write(folder, "mine.md", f"{shipped}\n## 9. Ours\n9.9 No bluffing here.\n")
    for name in ("mine.toml", "./mine.toml", str(folder / "mine.toml")):
        assert load_ruleset(name).clauses["bluff"].cite == "9.9"
        assert program("rules", "check", name).code == 0
        assert program("rules", "show", name).code == 0
        answer = program("rules", "explain", "bids.bluff", "--ruleset", name)
        assert "mine 9.9 No bluffing here." in answer.out
        assert program("rules", "explain", "9.9", "--ruleset", name).code == 0


def test_a_text_beside_a_path_comes_before_the_users_and_the_shipped(folder: Path) -> None:
    path = write(folder, "mine.toml", MINE)
    assert load_ruleset(path).rules_text == "dudo"
    write(folder, "dudo.md", text_of("1.1"))
    assert [fault.key for fault in check(path)[2]] == ["cites"]
    assert check("dudo")[2] == []


def test_a_text_that_is_nowhere_is_named(folder: Path) -> None:
    (fault,) = faults(folder, 'rules = "mine"').values()
    assert (fault.key, fault.found) == ("rules", "mine")
    assert "mine.md" in fault.allowed


def test_a_record_brings_its_rules_along_without_their_text(folder: Path) -> None:
    source = (SHIPPED / "dudo" / "rules.md").read_text("utf-8")
    write(folder, "mine.md", source)
    match = Match(load_ruleset(write(folder, "mine.toml", MINE + 'rules = "mine"')), ["Ana", "Ben"])
    match.record("2x3")
    record = folder / "record.toml"
    write_record(match, record)
    assert "ruleset_text" in record.read_text("utf-8")
    assert verify_record(record)["ok"]
    assert read_record(record).ruleset.sha256 == match.ruleset.sha256


# --- paragraphs of the author's rule text


def test_rows_are_cited_anew_in_one_table(folder: Path) -> None:
    numbers = [f"2.{number}" for number in range(1, 9)]
    write(folder, "mine.md", text_of("1.1", *numbers))
    rows = load_ruleset("dudo").data
    keys = [f"{table}.{name}" for table in ("faces", "outcomes", "scores") for name in rows[table]]
    keys += [clause.code for clause in load_ruleset("dudo").clauses.values()]
    keys += [f"phases.{name}" for name in rows["phases"]]
    keys += [name for name, table in rows.items() if isinstance(table, dict) and "cite" in table]
    cites = "".join(f'"{key}" = "2.1"\n' for key in keys if key not in ("bids.bluff",))
    cites += 'remedies.cheating = "2.3"\npenalties.cheating = "2.3"\n'
    cites += '"bids.bluff" = "2.5"\n'
    path = write(folder, "mine.toml", f'{MINE}rules = "mine"\n[cites]\n{cites}')
    rules = load_ruleset(path)
    assert rules.clauses["bluff"].cite == "2.5"
    assert rules.clauses["higher-face"].cite == "2.1"
    assert rules.data["penalties"]["cheating"]["cite"] == "2.3"
    assert rules.scores[0].cite == "2.1"
    assert "cites" not in rules.data
    assert rules.data["clauses"]["higher-face"].keys() == rows["clauses"]["higher-face"].keys()
    # A ruleset that extends it may cite again, in the row or in a separate table.
    write(folder / "user", "mine.toml", Path(path).read_text("utf-8"))
    write(folder / "user", "mine.md", text_of("1.1", *numbers))
    again = 'extends = "mine"\nname = "again"\n[clauses.bluff]\ncite = "2.6"\n'
    again += '[cites]\nphases.bids.on-a-bid = "2.7"\n[cites.scores]\nlost = "2.8"\n'
    last = load_ruleset(write(folder, "again.toml", again))
    assert [last.clauses[name].cite for name in ("bluff", "on-a-bid")] == ["2.6", "2.7"]
    assert last.scores[0].cite == "2.8"


def test_what_is_not_cited_anew_is_told_once_where_the_text_is_named(folder: Path) -> None:
    write(folder, "mine.md", text_of("1.1", "2.3"))
    found = faults(folder, 'rules = "mine"\n[cites]\n"clauses.bluff" = "1.1"\n')
    fault = found.pop("cites")
    assert not found
    assert fault.file.endswith("mine.toml")
    rows = fault.allowed.partition(": ")[2].split(", ")
    assert '"scores.lost" = "…"' in rows
    assert '"clauses.bluff" = "…"' not in rows  # has a new citation
    assert '"clauses.to-aces" = "…"' not in rows  # its paragraph 2.3 exists
    assert fault.found == f"{len(rows)} rows without a paragraph"
    named = ['"clauses.bluff"', *(row.partition(" ")[0] for row in rows)]
    assert not faults(folder, 'rules = "mine"\n[cites]\n' + '= "2.3"\n'.join([*named, ""]))


def test_a_mistake_in_cites_is_told_at_its_key(folder: Path) -> None:
    write(folder, "mine.md", text_of("1.1"))
    found = faults(folder, 'rules = "mine"\n[cites]\nlevelling = "7"\n"bids.bluff" = "1.2"\n')
    assert set(found) == {"cites", "cites.levelling", 'cites."bids.bluff"'}
    assert {fault.file for fault in found.values()} == {str(folder / "mine.toml")}
    found = faults(folder, '[cites]\n"bids.blufff" = "1.2"\nlevelling = 4.3\nscores.lost = ""')
    assert set(found) == {'cites."bids.blufff"', "cites.levelling", 'cites."scores.lost"'}
    assert "clauses.bluff" in found['cites."bids.blufff"'].allowed
    assert "in quotes" in found["cites.levelling"].allowed
    assert set(faults(folder, "cites = 3\n")) == {"cites"}
    # Only rows may be cited again.
    found = faults(folder, '[cites]\n"columns.why.label" = "2.1"\n')
    assert set(found) == {'cites."columns.why.label"'}


def test_what_rows_cite_is_no_table_of_options(folder: Path) -> None:
    with pytest.raises(Unreadable, match=r"cites.*set a citation in its row"):
        load_ruleset("dudo", cites={"scores.lost": "2.1"})


# --- the file at fault


def test_a_mistake_is_told_in_the_file_that_made_it(folder: Path) -> None:
    found = faults(folder, "[phases]\nchoice = false\n[match]\nends = 'looser.tally > 1'\n")
    assert {fault.file for fault in found.values()} == {str(folder / "mine.toml")}
    assert "(valid in " in found["columns.mode.say"].message
    assert "rules.toml" not in str(found["match.ends"])


def test_a_mistake_of_what_is_extended_is_told_there_and_once(folder: Path) -> None:
    base = write(folder / "user", "base.toml", 'extends = "dudo"\n[sides]\nnumber = "x"\n')
    between = write(folder / "user", "between.toml", 'extends = "base"\n[tally]\nmost = "y"\n')
    (folder / "user" / "dudo.toml").unlink(missing_ok=True)
    found = faults(folder, "[tally]\nleast = 'z'\n", 'extends = "between"\nname = "mine"\n')
    assert {key: fault.file for key, fault in found.items()} == {
        "sides.number": base,
        "tally.most": between,
        "tally.least": str(folder / "mine.toml"),
    }
    assert not any("valid in" in str(fault) for fault in found.values())


def test_what_a_file_between_breaks_is_its_mistake(folder: Path) -> None:
    between = write(folder / "user", "between.toml", 'extends = "dudo"\nphases.choice = false\n')
    found = faults(folder, "", 'extends = "between"\nname = "mine"\n')
    assert {fault.file for fault in found.values()} == {between}


def test_a_row_that_a_file_changed_is_its_own(folder: Path) -> None:
    found = faults(folder, '[clauses.opening-face]\nwhen = "opening"\n')
    assert "valid in" not in str(found["clauses.opening-face"])


# --- rows that decide


def rows_of(*texts: str) -> list[FirstMatch]:
    return [FirstMatch(str(number), Expression(text)) for number, text in enumerate(texts)]


def never(*texts: str) -> list[int]:
    cases = cases_of({"a": range(8), "b": range(8)})
    return [int(row.name) for row, _ in unreachable(rows_of(*texts), cases)]


@pytest.mark.parametrize(
    ("texts", "rows"),
    [
        (("true", "a > b"), [1]),
        (("a > b", "1 < 2", "c > 3", "b > a"), [2, 3]),
        (("a > b", "false"), [1]),
        (("a > b", "c == 1", "a  >  b"), [2]),
        (("a > b", "a == b", "a < b", "a == b + 1"), [3]),
        (("a >= b", "a >= b + 2"), [1]),
        (("a >= 2 * b", "a == b"), []),
        # No fault is reported if some cases are not tried, or a row has other variables.
        (("a > b", "a == b + 9"), []),
        (("a > b", "a > 2 * b + 1"), []),
        (("a > c", "a > b", "a < b"), []),
        (("a > b", "a // 2 == b"), []),
        (("c > 1", "c > 2"), []),
        (("0", "0", "a > b"), []),
    ],
)
def test_a_row_that_never_decides(texts: tuple[str, ...], rows: list[int]) -> None:
    assert never(*texts) == rows


def test_what_no_row_decides() -> None:
    cases = cases_of({"a": range(3), "b": range(3)})
    assert undecided(rows_of("a > b", "a <= b"), cases) is None
    assert undecided(rows_of("a > b", "a < b"), cases) == {"a": 0, "b": 0}
    assert undecided(rows_of("a > b", "c > 1"), cases) is None  # the row with c may decide it
    assert undecided(rows_of("a > b", "1 // 0"), cases) is None
    assert undecided(rows_of("a > b", "0"), cases) is None


def test_a_call_that_nothing_decides(folder: Path) -> None:
    found = faults(folder, "[outcomes]\ndoubted-badly = false\n")
    (fault,) = found.values()
    assert fault.key == "outcomes.doubted-well.when"
    assert fault.file.endswith("mine.toml")
    assert "no row decides “dudo” with 1 matching a bid of 1" in fault.message
    found = faults(folder, '[outcomes.not-exactly]\nwhen = "matching < bid.count"\n')
    (fault,) = found.values()
    assert "no row decides “calzo”" in fault.message
    # A call without any row is disabled.
    assert not faults(folder, "[outcomes]\nexactly-so = false\nnot-exactly = false\n")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ('call = "doubt"\nwhen = "matching == bid.count + 1"\n', "a row before it does"),
        ('call = "doubt"\nwhen = "2 < 1"\n', "never holds"),
        ('call = "exact"\nwhen = "matching == bid.count"\n', "the same condition"),
    ],
)
def test_an_outcome_that_is_never_reached(folder: Path, row: str, why: str) -> None:
    (fault,) = faults(folder, f"[outcomes.late]\n{row}{ROW}").values()
    assert fault.key == "outcomes.late"
    assert why in fault.message


def test_an_outcome_that_always_holds_hides_those_after_it(folder: Path) -> None:
    row = f'[outcomes.all]\ncall = "doubt"\nwhen = true\nbefore = "doubted-well"\n{ROW}'
    found = faults(folder, row)
    assert set(found) == {"outcomes.doubted-well", "outcomes.doubted-badly"}
    assert all("“all”, before it, always holds" in fault.message for fault in found.values())


def test_a_row_of_victory_that_is_never_reached(folder: Path) -> None:
    start = 'extends = "doppelkopf"\nname = "mine"\n'
    row = '[victory.late]\nside = "re"\ncite = "5.1"\nwhen = "re.points >= 121"\n'
    assert set(faults(folder, row, start)) == {"victory.late"}
    assert not faults(folder, row.replace("121", "125"), start)


def test_an_outcome_does_not_ask_for_whom_it_makes_a_loser(folder: Path) -> None:
    found = faults(folder, '[outcomes.exactly-so]\nwhen = "gainer.tally < 5"\n')
    assert "gainer.tally" in found["outcomes.exactly-so.when"].message
    found = faults(folder, '[outcomes.exactly-so]\nstarts = "bidder"\n')
    assert not found


# --- clauses


@pytest.mark.parametrize(
    ("rows", "key"),
    [
        ('opening-face = { when = "opening" }', "clauses.opening-face"),
        ("at-least-one = { least = 50 }", "clauses.at-least-one"),
        (
            'low = { word = "barred", when = "count < 4", cite = "2.2" }\n'
            'high = { word = "barred", when = "count >= 4", cite = "2.2" }',
            "clauses.high",
        ),
        (
            'no = { word = "require", phase = "bids", on = ["bid"], must = "false", cite = "2" }',
            "clauses.no",
        ),
    ],
)
def test_clauses_that_leave_no_bid(folder: Path, rows: str, key: str) -> None:
    (fault,) = faults(folder, f"[clauses]\n{rows}\n").values()
    assert fault.key == key
    assert "none of the 60 first bids of 2 players is legal" in fault.message
    assert "valid in" not in fault.message


def test_clauses_that_leave_one_bid_are_right(folder: Path) -> None:
    row = 'one = { word = "barred", when = "opening and (count < 10 or face < 6)", cite = "2.2" }'
    assert not faults(folder, f"[clauses]\n{row}\n")


def test_a_rule_that_is_said_twice(folder: Path) -> None:
    start = 'extends = "fixed-trump"\nname = "mine"\nrules = "dudo"\n'
    (folder / "user" / "fixed-trump.toml").symlink_to(FOLDER / "fixed-trump.toml")
    again = '[clauses.again]\nword = "follow"\ncite = "1.1"\nseverity = "warn"\nsay = "follow!"\n'
    said = '[phases.tricks]\nfollow = "1.1"\n'
    assert not faults(folder, again, start)  # the row stands in the place of the standard rule
    found = faults(folder, said + again, start)
    assert "repeats phases.tricks.follow: follow on play" in found["clauses.again"].message
    row = '[clauses.first]\nword = "on-a-bid"\non = ["exact"]\ncite = "3.3"\n'
    found = faults(folder, f'[phases.bids]\non-a-bid = "3.3"\n{row}')
    assert set(found) == {"clauses.first"}


def test_rules_of_one_word_that_differ_are_right(folder: Path) -> None:
    rows = '[clauses.more]\nword = "remark"\nphase = "bids"\non = ["bid"]\ncite = "2.4"\n'
    rows += 'when = "count > dice"\nsay = "another sentence"\n'
    assert not faults(folder, rows)
    rows = '[clauses.more]\nword = "raise"\nleast = 1\ncite = "2.2"\nwhen = "not opening"\n'
    assert not faults(folder, rows)


@pytest.mark.parametrize("on", ["7", '"play"', "[[]]", "[7]"])
def test_rules_that_are_malformed_are_not_compared(folder: Path, on: str) -> None:
    rows = f'[clauses.more]\nword = "on-a-bid"\non = {on}\ncite = "3.3"\n'
    assert "clauses.more.on" in faults(folder, rows)


# --- names and roles


@pytest.mark.parametrize(
    ("row", "key"),
    [
        ('[clauses."no bid"]\nword = "caller"\non = ["doubt"]\ncite = "3"', 'clauses."no bid"'),
        ('[penalties."a b"]\nculprit = -1\ncite = "5"', 'penalties."a b"'),
        ('[scores."a\\tb"]\nfor = "loser"\npoints = 1\ncite = "3"', r'scores."a\U00000009b"'),
        ('[outcomes."x "]', 'outcomes."x "'),
    ],
)
def test_a_name_with_blanks(folder: Path, row: str, key: str) -> None:
    assert set(faults(folder, row)) == {key}


def test_what_nobody_types_may_have_a_title_for_a_name(folder: Path) -> None:
    rows = '[columns."who is out"]\nlabel = "Out"\nsay = "{eliminated}"\n'
    rows += '[statistics."all bids"]\nlabel = "bids"\nverbs = ["bid"]\n'
    assert not faults(folder, rows)


@pytest.mark.parametrize(
    ("row", "key"),
    [
        ('[scores.lost]\nwhen = "gainer.tally > 1"', "scores.lost.when"),
        ('[scores.lost]\npoints = "-gainer.tally"', "scores.lost.points"),
        ('[scores.gained]\nagainst = "loser"', "scores.gained.against"),
    ],
)
def test_a_role_that_nobody_has_then(folder: Path, row: str, key: str) -> None:
    (fault,) = faults(folder, row).values()
    assert fault.key == key
    assert "may have no player" in fault.message
    assert fault.allowed.endswith(("bidder, caller, gainer", "bidder, caller, loser"))


def test_a_role_that_somebody_may_have_then(folder: Path) -> None:
    row = '[scores.lost]\nwhen = "bidder.tally > 0 and loser.tally > 0"\n'
    assert not faults(folder, row)
    start = 'extends = "doppelkopf"\nname = "mine"\n'
    row = '[scores.soloist]\nwhen = "re.points + kontra.tricks + winners.points + 1 > 0"\n'
    assert "scores.soloist.when" not in faults(folder, row, start)


# --- messages


def test_a_number_in_quotes(folder: Path) -> None:
    found = faults(folder, '[tally]\nleast = "13"\nout = "true"\n[players]\ncounts = ["2"]\n')
    assert found["tally.least"].found == 'the text "13"'
    assert "without quotes: 13" in found["tally.least"].message
    assert "without quotes: true" in found["tally.out"].message
    assert faults(folder, '[tally]\nleast = "many"\n')["tally.least"].found == "many"
    assert not faults(folder, '[scores.lost]\npoints = "-1"\n')


def test_an_expression_that_is_too_long(folder: Path) -> None:
    long = " + ".join(["loser.tally"] * 40)
    (fault,) = faults(folder, f'[scores.lost]\nwhen = "{long}"\n').values()
    assert fault.found == f"{len(long)} characters"
    assert "at most 500 characters" in fault.message
    assert "[let]" in fault.message


def test_names_of_expressions_may_be_written_as_lists_show_them(folder: Path) -> None:
    rows = '[specials.double-run]\nwhen = "trick.last"\n[specials."füchse"]\nwhen = "trick.last"\n'
    rows += '[let]\nno-dealer = "not own.dealer"\n'
    points = "own.double-run - own.füchse + winners.double-run + no-dealer"
    row = f'[scores.more]\nfor = "each"\npoints = "{points}"\ncite = "1"\n'
    assert not faults(folder, rows + row, WHIST)
    wrong = row.replace(points, "own.double_run")
    found = faults(folder, rows + wrong, WHIST)["scores.more.points"]
    assert 'did you mean "own.double-run"?' in found.message
    assert found.allowed.startswith("an expression over own.dealer, own.double-run, ")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("own.tricks & low", "a number joined by &: own.tricks"),
        ("count(~own.tricks)", "~ before something other than kinds of card: own.tricks"),
        ("1 + missing", "missing"),
    ],
)
def test_what_is_wrong_with_a_named_expression_is_told_once_where_it_stands(
    folder: Path, text: str, found: str
) -> None:
    named = f'[let]\nlow = ["2C"]\nbad = "{text}"\n'
    row = '[scores.{}]\nfor = "each"\npoints = "bad + 1"\ncite = "1"\n'
    used = faults(folder, named + row.format("one") + row.format("two"), WHIST)
    alone = faults(folder, named, WHIST)
    assert list(used) == list(alone) == ["let.bad"]
    assert found in used["let.bad"].message
    assert found in alone["let.bad"].message


def test_a_number_where_a_set_is_wanted_is_told_by_the_name_it_has(folder: Path) -> None:
    text = '[let]\nhalf = "1"\n[scores.more]\nfor = "each"\npoints = "count(half & played)"\n'
    found = faults(folder, text + 'cite = "1"\n', WHIST)["scores.more.points"]
    assert "a number joined by &: half of [let]" in found.message


def test_nobody_but_a_side_has_a_special_that_is_told(folder: Path) -> None:
    row = '[specials.{}]\nwhen = "trick.last"\nfor = "{}"\n'
    text = row.format("one", "winner") + "told = true\n" + row.format("two", "winer")
    found = faults(folder, text, WHIST)
    assert list(found) == ["specials.one.for", "specials.two.for"]
    assert "with told = true it must be a side" in found["specials.one.for"].message
    assert "did you mean “winner”?" in found["specials.two.for"].message


def test_no_message_says_its_key_twice(folder: Path) -> None:
    text = '[tally]\nstart = "x"\nstrat = 1\n[clauses.bluff]\nword = "remrk"\n[scores.more]\n'
    for said in ([*faults(folder, text).values()], [*faults(folder, "match.ends='x'").values()]):
        for fault in said:
            assert str(fault).count(fault.key) == 1, fault


@pytest.mark.parametrize(
    ("files", "chain"),
    [
        ({"one": "one"}, "one -> one"),
        ({"one": "two", "two": "one"}, "one -> two -> one"),
        ({"one": "two", "two": "three", "three": "two"}, "one -> two -> three -> two"),
    ],
)
def test_a_ruleset_that_extends_itself(folder: Path, files: dict[str, str], chain: str) -> None:
    for name, base in files.items():
        write(folder / "user", f"{name}.toml", f'extends = "{base}"\n')
    ((fault),) = check("one")[2]
    assert "extend itself" in fault.message or "extends itself" in fault.message
    assert (fault.key, fault.found) == ("extends", chain)
    path = write(folder, "one.toml", 'extends = "nobody"\n')
    assert "no ruleset" in check(path)[2][0].message


@pytest.mark.parametrize(
    ("word", "name"),
    [("dodo", "dudo"), ("dduo", "dudo"), ("perud", "perudo"), ("Dudoo", "dudo"), ("zzz", "")],
)
def test_the_nearest_name(word: str, name: str) -> None:
    assert find_nearest(word, ["durak", "dudo", "perudo"]) == name


def test_a_misspelt_ruleset_is_near_another(folder: Path) -> None:
    answer = program("new", "dodo", "Ana", "Ben", "--book", str(folder / "book.sqlite"))
    assert 'did you mean "dudo"?' in answer.err
    found = faults(folder, "", 'extends = "dodo"\nname = "mine"\n')
    assert 'did you mean "dudo"?' in found["extends"].allowed


# --- rows that are set


ADDED = {
    "clauses.modest.word": "barred",
    "clauses.modest.when": "count > 20",
    "clauses.modest.cite": "2.4",
    "clauses.modest.before": "at-least-one",
}


def test_a_row_is_added_by_settings_as_by_options(folder: Path) -> None:
    settings = [f'{key}="{value}"' for key, value in ADDED.items()]
    by_settings, options, wrong = check("dudo", settings)
    assert by_settings is not None, wrong
    row = {key.rpartition(".")[2]: value for key, value in ADDED.items()}
    nested: list[dict[str, Any]] = [ADDED, {"clauses": {"modest": row}}, {"clauses.modest": row}]
    for said in (*nested, options):
        assert load_ruleset("dudo", **said).text == by_settings.text
    names = [*by_settings.clauses]
    assert names.index("modest") == names.index("at-least-one") - 1
    inline = ", ".join(f'{key} = "{value}"' for key, value in row.items())
    one, _, _ = check("dudo", [f"clauses.modest={{{inline}}}"])
    assert one is not None
    assert one.text == by_settings.text


def test_a_match_with_an_added_row_is_recorded_and_read_again(folder: Path) -> None:
    book = ["--book", str(folder / "book.sqlite")]
    settings = [word for key, value in ADDED.items() for word in ("--set", f'{key}="{value}"')]
    assert program("new", "dudo", "Ana", "Ben", *settings, *book).code == 0
    assert program("record", "21x3", *book).code == 1
    record = write(folder, "record.toml", program("export", *book).out)
    assert program("verify", record).code == 0


def test_one_value_makes_a_row_that_is_called_by_its_word(folder: Path) -> None:
    rules, _, wrong = check("whist", ['phases.tricks.another.cite="2.2"'])
    assert rules is not None, wrong
    assert rules.clauses["another"].cite == "2.2"
    rules, _, wrong = check("dudo", ['clauses.on-a-bid.cite="2.4"'])
    assert rules is not None, wrong
    assert rules.clauses["on-a-bid"].cite == "2.4"


def test_one_value_in_a_row_that_is_like_another_makes_none(folder: Path) -> None:
    with pytest.raises(Unreadable, match=r"there is no clauses\.bluf.*did you mean \"bluff\""):
        load_ruleset("dudo", **{"clauses.bluf.severity": "warn"})
    with pytest.raises(Unreadable, match=r"clauses\.bluf\.cite is missing"):
        load_ruleset("dudo", **{"clauses.bluf.word": "remark", "clauses.bluf.on": ["bid"]})
    with pytest.raises(Unreadable, match="there is no taly"):
        load_ruleset("dudo", **{"taly.start": 3, "taly.most": 4})


def test_mistakes_of_every_kind_are_told_together(folder: Path) -> None:
    text = '[cites]\nclauses = "2"\n[clauses]\nblufff = false\n[scores.lost]\nafter = "x"\n'
    found = faults(folder, text + "[tally]\nstart = true\n")
    assert set(found) == {"cites.clauses", "clauses.blufff", "scores.lost.after", "tally.start"}


def test_a_table_of_ones_own_may_be_cited_there_too(folder: Path) -> None:
    rows = '[penalties.late]\nculprit = -1\n[cites]\n"penalties.late" = "5"\n'
    path = write(folder, "mine.toml", MINE + rows)
    assert load_ruleset(path).data["penalties"]["late"]["cite"] == "5"


def test_cards_are_played_to_the_left(folder: Path) -> None:
    right = 'match.direction = "right"\n'
    (fault,) = faults(folder, right, WHIST).values()
    assert (fault.key, fault.found, fault.allowed) == ("match.direction", "right", "left")
    assert "name the players in the order of play" in fault.message
    assert not faults(folder, right)
