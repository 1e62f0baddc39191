"""The language of ruleset files: each rule is said once and briefly, and translated as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.engine.loading import check
from tests.helpers import SHIPPED, program
from tests.hostile_rulesets import checked, table_of

if TYPE_CHECKING:
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.ruleset.sources import RulesetFault

HEAD = """
name = "base"
title = "Base"
rules = "base"
tally.name = "points"
match.ends = "rounds >= 4"
players.counts = [4]
deal = { dealt = true, cards = 8 }
pack.ranks = "A K Q J T 9 8 7"
"""
BASE = f"""{HEAD}
[orders]
usual = ["*S"]

[phases.tricks]
order = "usual"
cite = "2.1"
"""
TEXT = "# Base\n\n## 2. Play\n2.1 One.\n2.2 Two.\n2.3 Three.\n2.4 Four.\n"
FOUR = ["Ana", "Ben", "Cleo", "Dan"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the user's folder, with one ruleset and its text in it."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.toml").write_text(BASE, "utf-8")
    (tmp_path / "base.md").write_text(TEXT, "utf-8")
    return tmp_path


def write(text: str, start: str = 'extends = "base"\nname = "mine"\n') -> str:
    Path("mine.toml").write_text(start + text, "utf-8")
    return "mine"


def rules_of(text: str, start: str = 'extends = "base"\nname = "mine"\n') -> Ruleset:
    rules, _, faults = check(write(text, start))
    assert rules is not None, faults
    return rules


def faults_of(
    text: str, start: str = 'extends = "base"\nname = "mine"\n'
) -> dict[str, RulesetFault]:
    return {fault.key: fault for fault in check(write(text, start))[2]}


def cites(rules: Ruleset) -> dict[str, str]:
    return {clause.code: clause.cite for clause in rules.clauses.values()}


@pytest.mark.parametrize("name", SHIPPED)
def test_a_merged_ruleset_written_as_one_file_is_the_same(name: str) -> None:
    rules, faults = checked(table_of(name))
    assert not faults
    assert rules is not None
    assert rules.sha256 == load_ruleset(name).sha256


# --- words of a phase


def test_standard_rules_apply_without_being_written() -> None:
    assert cites(load_ruleset("base")) == {"tricks.held": "2.1", "tricks.follow": "2.1"}
    match = Match(load_ruleset("base"), FOUR)
    for text in ("dealer Dan", "hand Ben: 7H AH 8D 9D TD JD QD KD", "Ana: 8H"):
        match.record(text)
    assert [each.code for each in match.judge("Ben: 8D").findings] == ["tricks.follow"]


def test_a_standard_rule_with_nothing_to_judge_is_silent() -> None:
    assert "tricks.shape" not in cites(rules_of("[phases.tricks]\nshape = '2.2'\n"))
    shapes = rules_of("[shapes]\nsingle = {}\npair = { alike = 2 }\n[pack]\ncopies = 2\n")
    assert {"tricks.shape", "tricks.as-many"} <= set(cites(shapes))


def test_a_word_is_a_paragraph_a_table_or_false() -> None:
    assert cites(rules_of("[phases.tricks]\nfollow = '2.2'\n"))["tricks.follow"] == "2.2"
    rules = rules_of("[phases.tricks]\nfollow = { severity = 'warn', say = 'so' }\n")
    assert rules.clauses["follow"].cite == "2.1"  # that of its phase
    assert (rules.clauses["follow"].severity, rules.clauses["follow"].say) == ("warn", "so")
    assert set(cites(rules_of("[phases.tricks]\nfollow = false\n"))) == {"tricks.held"}
    fault = faults_of("[phases.tricks]\nfollow = 7\n")["phases.tricks.follow"]
    assert "a paragraph in quotes" in fault.allowed


def test_a_dropped_rule_can_be_restored() -> None:
    Path("less.toml").write_text('extends = "base"\nname = "less"\nphases.tricks.held = false\n')
    again = rules_of("[phases.tricks]\nheld = '2.3'\n", 'extends = "less"\nname = "mine"\n')
    assert cites(again)["tricks.held"] == "2.3"


def test_standard_rules_have_the_paragraph_of_their_phase_wherever_it_was_changed() -> None:
    changed = cites(rules_of("[phases.tricks]\ncite = '2.4'\n"))
    assert changed == {"tricks.held": "2.4", "tricks.follow": "2.4"}
    Path("base.toml").write_text(BASE + "follow = '2.2'\n", "utf-8")
    changed = cites(rules_of("[phases.tricks]\ncite = '2.4'\n"))
    assert changed == {"tricks.held": "2.4", "tricks.follow": "2.2"}


def test_a_phase_without_a_paragraph_says_once_that_its_rules_lack_one() -> None:
    found = faults_of("", BASE.replace('cite = "2.1"', ""))
    assert list(found) == ["phases.tricks.cite"]
    assert "held, follow" in found["phases.tricks.cite"].message


def test_a_word_has_a_paragraph_for_each_verb() -> None:
    text = "[phases.bids]\ncaller = { doubt = '3.3', exact = { who = 'others', cite = '8' } }\n"
    rules = rules_of(text, 'extends = "dudo"\nname = "mine"\n')
    doubt, exact = rules.clauses["caller-doubt"], rules.clauses["caller-exact"]
    assert (doubt.cite, doubt.row["on"]) == ("3.3", ["doubt"])
    assert (exact.cite, exact.row["on"], exact.row["who"]) == ("8", ["exact"], "others")
    less = rules_of("[phases.bids]\ncaller.exact = false\n", 'extends = "dudo"\nname = "mine"\n')
    assert "bids.caller-exact" not in cites(less)
    found = faults_of("[phases.bids]\ncaller.exact = 7\n", 'extends = "dudo"\nname = "mine"\n')
    assert list(found) == ["phases.bids.caller.exact"]


def test_each_double_has_its_paragraph() -> None:
    start = 'extends = "belote"\nname = "mine"\n'
    rules = rules_of("[phases.auction]\ndoubles = { contra = '2.1', re = '2.2' }\n", start)
    found = {code: cite for code, cite in cites(rules).items() if "doubling" in code}
    assert found == {"auction.doubling-contra": "2.1", "auction.doubling-re": "2.2"}
    assert rules.data["phases"]["auction"]["doubles"] == ["contra", "re"]


def test_a_key_and_its_rule_are_one_line() -> None:
    rules = rules_of("[phases.tricks]\nrest = '2.3'\n")
    assert rules.data["phases"]["tricks"]["rest"] is True
    assert cites(rules)["tricks.rest"] == "2.3"
    start = 'extends = "dudo"\nname = "mine"\n'
    rules = rules_of("[phases.bids]\nturns = { is = 'first', cite = '1.4' }\n", start)
    assert rules.data["phases"]["bids"]["turns"] == "first"
    assert cites(rules)["bids.direction-first"] == "1.4"
    rules = rules_of("[phases.bids]\nturns = 'first'\n", start)
    assert (
        cites(rules)["bids.direction-first"] == "1.3"
    )  # of the base, which has only another value
    assert "bids.direction-first" not in cites(rules_of("[phases.bids]\nturns = false\n", start))


def test_false_takes_a_key_of_a_phase_back() -> None:
    rules = rules_of("[phases.tricks]\npoints = false\n", 'extends = "skat"\nname = "mine"\n')
    assert "points" not in rules.data["phases"]["tricks"]
    rules = rules_of("[phases.kitty]\nwhen = false\n", 'extends = "skat"\nname = "mine"\n')
    assert rules.data["phases"]["kitty"]["when"] is False  # a condition, and this is its value


# --- rows of [clauses]


def test_a_row_of_clauses_stands_in_the_place_of_a_standard_rule() -> None:
    rules = rules_of("[clauses]\nfollow = { cards = 'led', cite = '2.2' }\n")
    assert rules.clauses["follow"].word.name == "duty"
    row = "{ word = 'follow', on = 'play', say = 'so', cite = '2.3' }"
    rules = rules_of(f"[clauses]\nmine = {row}\n")
    assert cites(rules) == {"tricks.held": "2.1", "tricks.mine": "2.3"}
    # What is written stays, so the two say the same.
    both = faults_of(f"[phases.tricks]\nfollow = '2.2'\n[clauses]\nmine = {row}\n")
    assert "repeats phases.tricks.follow" in both["clauses.mine"].message


def test_a_row_for_one_phase_leaves_the_standard_rules_of_another_alone() -> None:
    text = "[phases.give]\nheld = false\n[clauses.held]\non = 'give'\ncite = '2.1'\n"
    rules = rules_of(text, 'extends = "hearts"\nname = "mine"\n')
    held = [clause for clause in rules.clauses.values() if clause.word.name == "held"]
    assert {clause.row["phase"] for clause in held} == {"give", "tricks"}


def test_a_row_says_its_word_by_its_keys_and_its_phase_by_its_verb() -> None:
    text = """[clauses]
duty = { cards = "led", when = "trick.leads", cite = "2.2" }
must = { must = "count(hand) > 0", on = "play", say = "no", cite = "2.3" }
"""
    rules = rules_of(text)
    assert rules.clauses["duty"].word.name == "duty"
    assert rules.clauses["must"].word.name == "require"
    assert rules.clauses["must"].row["phase"] == "tricks"
    raised = rules_of("clauses.low = { least = 2, when = 'opening', cite = '2.2' }\n",
                      'extends = "dudo"\nname = "mine"\n')  # fmt: skip
    assert raised.clauses["low"].word.name == "raise"


@pytest.mark.parametrize(
    ("cards", "wanted"),
    [
        ("led", "a card of the suit that was led"),
        ("led & beating", "a higher card of the suit"),
        ("trumps", "a trump"),
        ("trumps & beating", "a higher trump"),
    ],
)
def test_what_a_usual_duty_asks_for_is_known(cards: str, wanted: str) -> None:
    row = f'cards = "{cards}", when = "not trick.leads", cite = "2.2"'
    assert rules_of(f"[clauses]\nmine = {{ {row} }}\n").clauses["mine"].row["wanted"] == wanted
    own = rules_of(f"[clauses]\nmine = {{ {row}, wanted = 'this' }}\n")
    assert own.clauses["mine"].row["wanted"] == "this"


def test_a_row_is_placed_before_or_after_a_standard_rule() -> None:
    row = "cards = 'trumps', when = 'not trick.leads', cite = '2.2'"
    assert [*rules_of(f"[clauses]\nmine = {{ {row} }}\n").clauses] == ["held", "follow", "mine"]
    placed = rules_of(f"[clauses]\nmine = {{ {row}, before = 'follow' }}\n")
    assert [*placed.clauses] == ["held", "mine", "follow"]
    placed = rules_of(f"[clauses]\nmine = {{ {row}, after = 'held' }}\n")
    assert [*placed.clauses] == ["held", "mine", "follow"]
    fault = faults_of(f"[clauses]\nmine = {{ {row}, after = 'hold' }}\n")["clauses.mine.after"]
    assert 'did you mean "held"?' in fault.allowed


def test_a_standard_rule_is_dropped_in_its_phase() -> None:
    (fault,) = faults_of("[clauses]\nfollow = false\n").values()
    assert (fault.key, fault.allowed) == ("clauses.follow", "phases.tricks.follow = false")


# --- rows


def test_a_row_with_one_natural_value_is_that_value() -> None:
    text = """[orders]
high = ["A*", "*S"]
one = "QS"
[specials]
last = "trick.last"
[columns]
round = "{round}"
"""
    rules = rules_of(text, 'extends = "whist"\nname = "mine"\n').data
    assert rules["orders"]["high"] == {"trumps": ["A*", "*S"]}
    assert rules["orders"]["one"] == {"trumps": ["QS"]}
    assert rules["specials"]["last"] == {"when": "trick.last"}
    assert rules["sheet"]["columns"]["round"]["say"] == "{round}"
    assert load_ruleset("belote").data["contracts"]["clubs"]["trump"] == "C"
    faces = rules_of("[faces]\n2 = 'zwei'\n", 'extends = "dudo"\nname = "mine"\n').data["faces"]
    assert faces["2"]["words"] == ["zwei"]


def test_one_text_will_do_for_a_list() -> None:
    text = "[clauses]\nmine = { must = 'true', on = 'play', say = 'x', cite = '2.2' }\n"
    assert rules_of(text).data["clauses"]["mine"]["on"] == ["play"]
    shared = rules_of("[phases.tricks]\nlater = 'QS'\n").data["phases"]["tricks"]
    assert shared["later"] == ["QS"]


def test_defaults_are_for_the_rows_that_the_file_brings() -> None:
    text = """[scores]
defaults = { for = "sides", points = 1, when = "own.tricks > 0", cite = "3.1" }
tricks = { label = "so" }
more = { points = 2 }
less = { when = false }
double = { factor = 2, of = "more" }
"""
    scores = rules_of(text, 'extends = "whist"\nname = "mine"\n').data["scores"]
    whist = load_ruleset("whist").data["scores"]["tricks"]
    assert scores["tricks"] == {**whist, "label": "so"}
    row = {"for": "sides", "when": "own.tricks > 0", "cite": "3.1"}
    assert scores["more"] == {**row, "points": 2}
    assert scores["less"] == {"for": "sides", "points": 1, "cite": "3.1"}
    assert scores["double"] == {**row, "factor": 2, "of": ["more"]}
    assert "defaults" not in scores


def test_defaults_that_are_no_table_are_a_fault() -> None:
    found = faults_of("[scores]\ndefaults = 7\n", 'extends = "whist"\nname = "mine"\n')
    assert list(found) == ["scores.defaults"]


def test_a_word_may_be_called_defaults() -> None:
    assert rules_of("[words]\nplay = ['lay']\n").data["words"] == {"play": ["lay"]}
    assert "words.defaults" in faults_of("[words]\ndefaults = [7]\n")


# --- the sheet, and the pages of a folder


def pages(folder: Path, **texts: str) -> None:
    """Write the pages of a ruleset into its folder."""
    (folder / "game").mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / "game" / f"{name}.toml").write_text(text, "utf-8")


RULES = (
    BASE.replace('"base"', '"game"')
    + """
[scores]
won = { for = "each", points = "own.place", cite = "2.4" }
"""
)


def test_a_folder_has_a_page_for_each_purpose(folder: Path) -> None:
    (folder / "game").mkdir()
    (folder / "game" / "rules.md").write_text(TEXT, "utf-8")
    sheet = '[columns]\nround = "{round}"\n[signs.round]\nvoid = "-"\n[lines]\nwon = "Stiche"\n'
    pages(folder, rules=RULES, sheet=sheet, de='words.note = "notiz"\nranks = { D = "Q" }\n')
    rules = load_ruleset("game")
    assert rules.data["scores"]["won"]["label"] == "Stiche"
    assert rules.data["sheet"]["columns"]["round"]["signs"] == {"void": "-"}
    assert rules.lexicon.languages["de"].forms["note"] == "notiz"
    assert "game" in program("rules", "list").out
    assert load_ruleset(str(folder / "game")).sha256 == rules.sha256
    mine = rules_of("", 'extends = "game"\nname = "mine"\n')
    assert mine.data["languages"] == rules.data["languages"]


@pytest.mark.parametrize(
    ("page", "text", "key"),
    [
        ("de", "[scores]\nwon = { points = 7 }\n", "scores"),
        ("de", "[languages.fr]\nwords = {}\n", "languages"),
        ("sheet", "[clauses]\nfollow = {}\n", "clauses"),
        ("sheet", "[languages.fr]\nwords = {}\n", "languages"),
        ("sheet", "[lines]\nwon = { points = '7' }\n", "lines.won.points"),
        ("sheet", "[lines]\nwone = 'x'\n", "lines.wone"),
        ("sheet", "[signs]\nround = 7\n", "signs.round"),
        ("sheet", "columns = 7\n", "columns"),
        ("sheet", "[columns]\nround = 7\n", "columns.round"),
        ("de", "words = 7\n", "words"),
        ("de", "[words]\nnote = 7\n", "words.note"),
        ("de", "[sentences]\nBase = ['x']\n", "sentences.Base"),
    ],
)
def test_a_page_may_hold_its_own_tables_only(folder: Path, page: str, text: str, key: str) -> None:
    pages(folder, rules=RULES, sheet="", de="")
    (folder / "game" / "rules.md").write_text(TEXT, "utf-8")
    assert check("game")[2] == []
    pages(folder, **{page: text})
    faults = check("game")[2]
    assert [(Path(fault.file).name, fault.key) for fault in faults] == [(f"{page}.toml", key)]


def test_a_users_folder_may_hold_a_language_alone(folder: Path) -> None:
    (folder / "dudo").mkdir()
    (folder / "dudo" / "it.toml").write_text('[words]\ndoubt = ["dubito"]\n', "utf-8")
    rules = load_ruleset("dudo")
    assert rules.lexicon.languages["it"].forms["doubt"] == "dubito"
    assert rules.lexicon.languages["fr"].forms["doubt"] == "je doute"
    (folder / "mine").mkdir()
    (folder / "mine" / "it.toml").write_text('[words]\nnote = ["nota"]\n', "utf-8")
    assert rules_of("").lexicon.languages["it"].forms["note"] == "nota"


# --- options and citations


def test_options_speak_of_rules_as_files_do() -> None:
    less, applied, faults = check("doppelkopf", ["calls.in-time=false"])
    assert less is not None, faults
    assert applied == {"calls.in-time": False}
    assert "calls.in-time" not in cites(less)
    more, _, faults = check("base", ['phases.tricks.follow="2.3"', "phases.tricks.held.say=no"])
    assert more is not None, faults
    assert cites(more)["tricks.follow"] == "2.3"
    assert more.clauses["held"].say == "no"
    options: dict[str, Any] = {"tricks": {"follow": {"severity": "note"}}}
    assert load_ruleset("base", phases=options).clauses["follow"].severity == "note"
    _, _, faults = check("base", ["phases.tricks.follow=7"])
    assert [(fault.file, fault.key) for fault in faults] == [
        ("the options", "phases.tricks.follow")
    ]


def test_a_standard_rule_is_cited_by_its_code(folder: Path) -> None:
    rules = rules_of('[cites]\n"tricks.follow" = "2.3"\nphases.tricks.held = "2.4"\n')
    assert cites(rules) == {"tricks.follow": "2.3", "tricks.held": "2.4"}
    found = faults_of('[cites]\n"tricks.follow" = "9.9"\n')
    assert list(found) == ['cites."tricks.follow"']
    assert list(faults_of('[cites]\n"tricks.rest" = "2.2"\n')) == ['cites."tricks.rest"']
    (folder / "mine.md").write_text("## 1. So\n1.1 So.\n", "utf-8")
    text = 'rules = "mine"\n[cites]\n"bids.caller-exact" = "1.1"\n"bids.direction-first" = "1.1"\n'
    fault = faults_of(text, 'extends = "dudo"\nname = "mine"\n')["cites"]
    assert '"phases.bids.caller.doubt" = "…"' in fault.allowed
    assert "caller.exact" not in fault.allowed


# --- what is written elsewhere


@pytest.mark.parametrize(
    ("text", "key", "allowed"),
    [
        ("[phases.turnup]\ncite = '2.1'\n", "phases.turnup", "[deal] with the key turned"),
        ("[phases.parties]\ncite = '2.1'\n", "phases.parties", "[parties] with the key cite"),
        ("[phases.counting]\ncite = '2.1'\n", "phases.counting", "with the word counted"),
        ("[sheet.columns]\nround = '{round}'\n", "sheet", "[columns]"),
    ],
)
def test_what_is_written_elsewhere_is_said(text: str, key: str, allowed: str) -> None:
    (fault,) = faults_of(text).values()
    assert fault.key == key
    assert allowed in fault.allowed


def test_a_card_that_is_turned_up_and_the_worth_of_tricks_are_rules_too() -> None:
    turned = rules_of("[deal]\nturned = '2.2'\n").data["phases"]["turnup"]
    assert turned == {"cite": "2.2"}
    row = "{ holder = 'dealer', cite = '2.3' }"
    assert rules_of(f"[deal]\nturned = {row}\n").data["phases"]["turnup"]["holder"] == "dealer"
    plain = 'extends = "whist"\nname = "mine"\n'
    assert rules_of("deal.turned = '1.2'\n", plain).data["phases"]["turnup"] == {
        "cite": "1.2",
        "holder": "dealer",
    }
    assert "deal.turned" in faults_of("deal.turned = 7\n")
    assert "phases.tricks.counted" in faults_of("phases.tricks.counted = 7\n")


@pytest.mark.parametrize(
    ("raises", "solo", "hochzeit"),
    [('"alone"', True, False), ('["hochzeit"]', False, True), ("false", False, False)],
)
def test_an_auction_of_wishes(raises: str, solo: bool, hochzeit: bool) -> None:
    start = 'extends = "doppelkopf"\nname = "mine"\n'
    match = Match(rules_of(f"[phases.auction]\nraises = {raises}\n", start), FOUR)
    match.record("dealer Dan")
    for text, may in (("Ana: damensolo schwarz", solo), ("Ana: hochzeit schwarz", hochzeit)):
        refused = {each.code for each in match.judge(text).findings}
        assert any(code.endswith(".raisable") for code in refused) != may
    match.record("all: gesund")
    assert match.state["bindings"]["contract"] == "normal"


@pytest.mark.parametrize("raises", ["7", '"all"', '["all"]', "{ x = 1 }", "[7]", "true"])
def test_a_wish_that_cannot_be_raised_is_a_fault(raises: str) -> None:
    start = 'extends = "doppelkopf"\nname = "mine"\n'
    assert list(faults_of(f"[phases.auction]\nraises = {raises}\n", start)) == [
        "phases.auction.raises"
    ]


def test_no_fault_names_a_key_that_no_file_has() -> None:
    """Faults that are found in the compiled tables name the key, and the rows, of the files."""
    text = """[phases.tricks]
follow = { cite = 7, colour = "red" }
counted = { most = "x" }
[deal]
turned = { holder = "none at all", cite = "2.2" }
[columns]
round = { align = "up" }
"""
    found = faults_of(text)
    assert set(found) == {
        *("phases.tricks.follow.cite", "phases.tricks.follow.colour", "phases.tricks.counted.most"),
        *("deal.turned.holder", "columns.round.align", "columns.round.say"),
    }
    for fault in found.values():
        assert "clauses." not in str(fault)
        assert "sheet." not in str(fault)
        assert "turnup" not in str(fault)
