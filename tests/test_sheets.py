"""Sheets: their content, filled and blank, and that no content is executed or interpreted."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Damaged, Impossible, Match, load_ruleset
from scorekeeper.core.text import REPLACEMENT, display_width, make_printable, split_by_direction
from scorekeeper.phases.table import Table
from scorekeeper.render import html, markdown, text
from scorekeeper.render.sheet import SheetDetails, build_blank_sheet, build_sheet
from scorekeeper.render.sheet_model import Sheet
from scorekeeper.ruleset.reports import Template
from tests.helpers import SummaryView

if TYPE_CHECKING:
    from pathlib import Path

    from scorekeeper import Ruleset

SCRIPT = "<script>alert('x')</script>"
# Reverses the direction of the following text, and returns to the start of the line.
TURNED = "a\u202eb\u200fc\x1b[2Jd\re"


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load_ruleset("dudo")


def played(rules: Ruleset, *rounds: str, players: str = "Ana Ben Cem") -> Match:
    """Return a match of these rounds, with commas between entries."""
    match = Match(rules, players.split())
    for entries in rounds:
        for entry in entries.split(", "):
            match.record(entry)
    return match


def evening(rules: Ruleset) -> Match:
    """Return a match with bids, a result, a choice, and a foul by which B is out; then A is out and
    C wins."""
    return played(
        rules,
        "standing A: 2, standing B: 3, 3x4, 4x4, C: dudo, count 3",
        "result loser=A",
        "A: closed, A: 1x2, B: calzo, dice A: 6, dice B: 3 4, dice C: 3 4 5 6 6",
        "B: open, foul B: looked under C's cup, note " + SCRIPT,
        "lead C, 1x2, A: dudo, count 1",
        players="A B C",
    )


def extended(folder: Path, toml: str) -> Ruleset:
    path = folder / "house.toml"
    path.write_text(f'extends = "dudo"\nname = "house"\ntitle = "House"\n{toml}', "utf-8")
    return load_ruleset(str(path))


def test_a_sheet_shows_dice_per_round_who_lost_to_whom_why_and_who_went_out(
    rules: Ruleset,
) -> None:
    match = evening(rules)
    shown = text.render(build_sheet(match, SheetDetails("7", "2026-11-21", "at Ana's")))
    assert shown == (
        """\
Dudo
Started: 2026-11-21
Place: at Ana's
Match: 7
Players: A, B, C
Tally: dice
Won by: C

Round  Starts  Played  A  B  C  Change  Why                              Out
-----  ------  ------  -  -  -  ------  -------------------------------  ---
carried over           2  3  5
    1  A               2  2  5  B -1    C: dudo to B's 4x4, 3 matched
    2  B               1  2  5  A -1    result: loser A
    3  A       closed  1  1  5  B -1    B: calzo to A's 1x2, 0 matched
    4  B       open    1  0  5  B -1    foul of B: looked under C's cup  B
    5  C               0  0  5  A -1    A: dudo to C's 1x2, 1 matched    A
-----  ------  ------  -  -  -  ------  -------------------------------  ---
Dice                   0  0  5
Place                  2  3  1
Went out               2  1

dice over 5 rounds
A  0  ▄▄▂▂▂▁
B  0  ▅▄▄▂▁▁
C  5  ██████

Sources of the scores
                A    B    C
------------  ---  ---  ---
lost           -2   -2
carried over   -3   -2
foul                -1
------------  ---  ---  ---
total          -5   -5    0

Round 4: foul by B: looked under C's cup
Round 4: <script>alert('x')</script>
"""
    )


def test_a_match_that_has_not_begun_and_a_round_that_goes_on_have_no_figures_yet(
    rules: Ruleset,
) -> None:
    match = Match(rules, ["Ana", "Ben"])
    assert build_sheet(match).tables[0].rows == []
    assert build_sheet(match).facts == [("Players", "Ana, Ben"), ("Tally", "dice")]
    match.record("2x3")
    shown = build_sheet(match)
    assert shown.tables[0].rows == [["1", "Ana", "", "", "", ""]]
    assert shown.footnotes == ["Round 1: not finished"]
    assert text.render(shown).endswith("\n\nRound 1: not finished\n")


def test_places_stand_on_the_sheet_when_the_match_is_decided(rules: Ruleset) -> None:
    match = played(rules, "result loser=Ana")
    totals = {row[0]: row[1:] for row in build_sheet(match).tables[0].totals}
    assert totals["Place so far"] == ["", "3", "1", "1", "", ""]
    match.record("end")
    totals = {row[0]: row[1:] for row in build_sheet(match).tables[0].totals}
    assert totals["Place"] == ["", "3", "1", "1", "", ""]
    assert ("Result", "no winner") in build_sheet(match).facts


def test_what_everybody_shares_is_a_draw(rules: Ruleset) -> None:
    match = played(rules, "void cups fell over, end")
    assert ("Result", "a draw") in build_sheet(match).facts
    assert build_sheet(match).footnotes == ["Round 1: void: cups fell over"]


def test_sudden_death_and_decisions_are_on_the_sheet(rules: Ruleset) -> None:
    match = played(rules, "1x1 !withdrawn, 1x2, Ben: 1x2 !stands, Cem: dudo, count 0")
    match.record("sudden-death")
    match.record("result gainer=Cem")
    shown = build_sheet(match)
    headings = [column.label for column in shown.tables[0].columns]
    assert shown.tables[0].rows[1][headings.index("Played")] == "sudden-death"
    assert shown.footnotes[:2] == [
        "Round 1: Ana: 1x1 !withdrawn",
        "Round 1: Ben: 1x2 !stands",
    ]


# --- blank


@pytest.mark.parametrize("decision", ["", " !stands"])
def test_what_is_against_a_rule_and_undecided_stands_below_the_sheet(decision: str) -> None:
    said = "trump S; lead Ana; AH; KH; QH; JH; 2H; 3C{}; 4H; 5H; 2D; 6C; 3D; 4D; 9H; TH; TC; 8H"
    match = Match(load_ruleset("whist"), ["Ana", "Ben", "Cem", "Dan"])
    match.play_round(said.format(decision).split("; "))
    below = "Deal 1: Ben: 3C (8) breaks a rule, and the table has not decided on it yet"
    assert (below in build_sheet(match).footnotes) == (not decision)


def test_a_blank_sheet_has_numbered_rows_and_room_for_names_date_and_place(
    rules: Ruleset,
) -> None:
    empty = build_blank_sheet(rules, 4, rows=3)
    assert [column.label for column in empty.tables[0].columns] == [
        *("Round", "Starts", "", "", "", "", "Change", "Why")
    ]
    assert empty.tables[0].rows == [[str(number), *[""] * 7] for number in (1, 2, 3)]
    assert [row[0] for row in empty.tables[0].totals] == ["Dice", "Place", "Went out"]
    assert dict(empty.facts) == {"Date": "_" * 20, "Place": "_" * 20, "Tally": "dice"}


def test_a_blank_sheet_for_named_players(rules: Ruleset) -> None:
    empty = build_blank_sheet(rules, ["Ana", "Ben"], SheetDetails(started="2026-11-21"), rows=1)
    assert [column.label for column in empty.tables[0].columns][2:4] == ["Ana", "Ben"]
    assert dict(empty.facts)["Date"] == "2026-11-21"
    assert dict(empty.facts)["Players"] == "Ana, Ben"
    with pytest.raises(Impossible, match="2 or more players, not 1"):
        build_blank_sheet(rules, 1)


def test_the_rows_of_a_blank_sheet_are_bounded(rules: Ruleset) -> None:
    assert len(build_blank_sheet(rules, 2, rows=10**9).tables[0].rows) == 1000
    assert len(build_blank_sheet(rules, 2).tables[0].rows) == 24


# --- content from a ruleset


def test_a_ruleset_may_add_drop_and_move_columns_totals_and_ladders(tmp_path: Path) -> None:
    rules = extended(
        tmp_path,
        """
[columns]
leader = false
change = false
why = false
out = false

[columns.marks]
before = "dice"
per = "player"
label = "{name} marks"
say = ["{strokes} ({signed})", "{strokes}"]

[totals]
place = false
out = false

[totals.sum]
label = "In all"
say = "{signed}, {change}, {tally} {strokes} {name}"
under = "dice"

[totals.dudos]
say = "{stat.doubts}"

[ladders.dice]
per = "player"
label = "Down to"
from = 5
to = 3
""",
    )
    match = played(
        rules, "2x3, Ben: dudo, count 1", "result loser=Ana", "result gainer=Ana", players="Ana Ben"
    )
    first, ladder = build_sheet(match).tables
    labels = ["Round", "Ana marks", "Ben marks", "Ana", "Ben"]
    assert [column.label for column in first.columns] == labels
    assert first.rows == [
        ["1", "|||| (-1)", "||||/ (0)", "4", "5"],
        ["2", "||| (-1)", "||||/ (0)", "3", "5"],
        ["3", "|||| (+1)", "||||/ (0)", "4", "5"],
    ]
    assert first.totals == [
        ["Dice", "4", "5", "", ""],
        ["In all", "", "", "-1, -1, 4 |||| Ana", "0, 0, 5 ||||/ Ben"],
        ["dudos", "0", "1", "", ""],
    ]
    assert ladder.caption == "Down to"
    assert [column.label for column in ladder.columns] == ["", "5", "4", "3"]
    assert ladder.rows == [["Ana", "0", "1", "2"], ["Ben", "0", "", ""]]


def test_columns_per_side_show_what_its_players_have_in_common(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def view(self: Table, rnd: Any) -> SummaryView:
        over = {"side.points": {"Ana+Cem": 7, "Ben": 0}} if rnd.over else {}
        return SummaryView({"sides": {"Ana+Cem": ["Ana", "Cem"], "Ben": ["Ben"]}, **over})

    monkeypatch.setattr(Table, "view", view)
    monkeypatch.setattr(Table, "reports", {**Table.reports, "side.points": "its points"})
    rules = extended(
        tmp_path,
        """
[columns]
dice = false
[columns.side]
per = "side"
say = ["{tally}: {side.points}", "none"]
[totals.side]
per = "side"
say = "{name} {tally} {side.points}"
[ladders.side]
from = 4
to = 5
""",
    )
    match = played(rules, "result loser=Ana")
    grid, dice, place, out, ladder = build_sheet(match).tables
    labels = [column.label for column in grid.columns]
    assert labels[-2:] == ["Ana+Cem", "Ben"]
    # Totals of players, who have no column left, are in a separate table.
    assert dice.rows == [["Ana", "4"], ["Ben", "5"], ["Cem", "5"]]
    assert [column.label for column in place.columns] == ["Player", "Place so far"]
    assert out.rows == [["Ana", ""], ["Ben", ""], ["Cem", ""]]
    assert grid.rows[0][-2:] == ["4/5: 7", "5: 0"]
    assert grid.totals[-1][-2:] == ["Ana+Cem 4/5 7", "Ben 5 0"]
    assert ladder.rows == [["Ana+Cem", "", "0"], ["Ben", "", "0"]]
    assert [column.label for column in build_blank_sheet(rules, 3).tables[0].columns][-2:] == [
        "",
        "",
    ]


def test_a_ruleset_that_says_nothing_of_its_sheet_gets_a_plain_one(tmp_path: Path) -> None:
    rules = extended(tmp_path, "columns = false\ntotals = false\nstatistics = false")
    match = played(rules, "result loser=Ana", "void wind", "end")
    [grid] = build_sheet(match).tables
    assert [column.label for column in grid.columns] == ["Round", "Ana", "Ben", "Cem", "Change"]
    assert grid.rows == [["1", "4", "5", "5", "Ana -1"], ["2", "4", "5", "5", "void wind"]]
    assert grid.totals == [["Total", "4", "5", "5", ""], ["Rank", "3", "1", "1", ""]]


@pytest.mark.parametrize(
    ("toml", "fault"),
    [
        ("[columns.x]\nsay = '{bider}'", "did you mean “bidder”"),
        ("[columns.x]\nsay = '{tally}'", "columns.x.say names “tally”"),
        ("[columns.x]\nsay = ['{bid}', 4]", "must be a text or a list of text"),
        ("[columns.x]\nlabel = 'X'", "columns.x.say is missing"),
        ("[columns.x]\nsay = ''\nper = 'side '", "must be round or player or side"),
        ("[columns]\nround = 3", "columns.round"),
        (
            "[signs.why]\ndudo = ''",
            "signs.why.dudo is not a short sign",
        ),
        ("[signs.why]\ndudo = 'x'\ncalzo = 'x'", "“x” is already the sign of “dudo”"),
        ("[totals.x]\nsay = '{round}'", "totals.x.say names “round”"),
        ("[totals.x]\nsay = '{stat.wins}'", "totals.x.say names “stat.wins”"),
        ("[totals.x]\nsay = ''\nunder = 'why'", "totals.x.under names “why”"),
        ("[ladders.x]\nfrom = 1\nto = 99", "has more than 50 steps"),
        ("[ladders.x]\nfrom = 1\nto = 3\nof = 'bid'", "ladders.x.of names “bid”"),
        ("[sheet.columns.x]\nsay = ''", "sheet: there is no such table in a ruleset file"),
        ("[statistics.x]\nverbs = ['double']", "did you mean “doubt”"),
        ("[statistics.x]\nlabel = 'X'", "counts entries, so it needs verbs"),
        ("[statistics.x]\ncount = 'roles'\nrole = 'winner'", "statistics.x.role names “winner”"),
        ("[statistics.x]\ncount = 'lines'\nlines = ['won']", "statistics.x.lines names “won”"),
        ("[statistics.x]\ncount = 'fact'\nfact = 'bid'", "statistics.x.fact names “bid”"),
        ("[statistics.x]\nverbs = ['bid']\nas = ['it']", "statistics.x.as names “it”"),
        ("[statistics.x]\nverbs = ['bid']\ngiven = { a = 1 }", "statistics.x.given names “a”"),
    ],
)
def test_a_mistake_in_the_sheet_or_the_statistics_is_found_when_the_ruleset_loads(
    tmp_path: Path, toml: str, fault: str
) -> None:
    with pytest.raises(Damaged) as found:
        extended(tmp_path, toml)
    assert fault in found.value.message


def test_a_template_takes_only_plain_names() -> None:
    template = Template("{a} {a.b}} {c")
    assert template.names == ("a", "a.b")
    assert template.fill({"a": "1", "a.b": "{a}"}.get) == "1 {a}} {c"  # type: ignore[arg-type]
    assert template.fill({"a": "1", "a.b": ""}.get) is None  # type: ignore[arg-type]


# --- the renderers


class Page(HTMLParser):
    """A parsed page: its tags, its attributes, and the text of its body."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: dict[str, str | None] = {}
        self.said: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(attrs)

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def nasty(rules: Ruleset) -> Sheet:
    match = Match(rules, ["<b>Ana", "שרה", 'O\'Neill & "Co"'])
    match.record("result loser=<b>Ana")
    match.record(f"note {SCRIPT}")
    return build_sheet(match, SheetDetails("</title>" + SCRIPT, TURNED, "=1+1"))


def test_nothing_on_the_page_is_a_tag_or_turns_the_text(rules: Ruleset) -> None:
    source = html.render(nasty(rules))
    page = Page(source)
    assert "script" not in page.tags
    assert page.tags.count("title") == 1 + page.tags.count("svg")  # each picture has its own title
    assert {"b", "a", "img", "link"}.isdisjoint(page.tags)
    assert f"Round 1: {SCRIPT}" in page.said
    assert "<b>Ana" in page.said
    assert 'O\'Neill & "Co"' in page.said
    assert "=1+1" in page.said
    assert not set("\u202e\u200f\x1b\r") & set(source)
    assert f"a{REPLACEMENT}b{REPLACEMENT}c{REPLACEMENT}[2Jd e" in page.said


def test_the_page_loads_and_runs_nothing_and_its_head_repeats_in_print(rules: Ruleset) -> None:
    source = html.render(nasty(rules))
    page = Page(source)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', source)
    assert policy is not None
    assert policy[1].startswith("default-src &#x27;none&#x27;; style-src &#x27;sha256-") or (
        policy[1].startswith("default-src 'none'; style-src 'sha256-")
    )
    assert "style" not in page.attributes
    assert not [name for name in page.attributes if name.startswith("on")]
    assert {"src", "href", "action"}.isdisjoint(page.attributes)
    assert "url(" not in source
    assert page.tags.index("thead") < page.tags.index("tbody") < page.tags.index("tfoot")
    assert ".sheet thead { display: table-header-group; }" in source
    assert "size: portrait" in source


def test_a_wide_sheet_turns_the_paper(rules: Ruleset) -> None:
    assert "size: landscape" in html.render(build_blank_sheet(rules, 16))


def test_the_style_is_the_one_that_the_policy_allows(rules: Ruleset) -> None:
    from base64 import b64encode
    from hashlib import sha256

    source = html.render(build_blank_sheet(rules, 4))
    style = source.partition("<style>")[2].partition("</style>")[0]
    assert b64encode(sha256(style.encode()).digest()).decode() in source


def test_markdown_shows_text_as_it_is(rules: Ruleset) -> None:
    match = Match(rules, ["*Ana*", "[Ben](x)"])
    match.record("result loser=*Ana*")
    match.record(f"note {SCRIPT} | `x` $y$ a_b")
    shown = markdown.render(build_sheet(match, SheetDetails(place="=1+1")))
    assert shown == (
        """\
# Dudo

- Place: =1+1
- Players: \\*Ana\\*, \\[Ben\\](x)
- Tally: dice

| Round | Starts | \\*Ana\\* | \\[Ben\\](x) | Change | Why |
| --: | :-- | --: | --: | :-- | :-- |
| 1 | \\*Ana\\* | 4 | 5 | \\*Ana\\* -1 | result: loser \\*Ana\\* |
| **Dice** |  | **4** | **5** |  |  |
| **Place so far** |  | **2** | **1** |  |  |

## dice over 1 round

|  |  |  |
| :-- | --: | :-- |
| \\*Ana\\* | 4 | █▁ |
| \\[Ben\\](x) | 5 | ██ |

- Round 1: &lt;script&gt;alert('x')&lt;/script&gt; \\| \\`x\\` \\$y\\$ a\\_b
"""
    )


def test_letters_of_double_width_take_two_places_in_text(rules: Ruleset) -> None:
    shown = text.render_table(["name", "n"], [["安娜", 1], ["Ben", "=2"]], ["left", "right"])
    assert shown.splitlines() == ["name      n", "------  ---", "安娜      1", "Ben      =2"]


def test_a_table_without_rows_is_its_heading() -> None:
    assert text.render_table(["name", "n"], [], ["left", "right"]) == "name    n\n------  ---"
    assert markdown.render_table(["name", "n"], []) == "| name | n |\n| :-- | :-- |"


def test_names_written_from_the_right_do_not_turn_what_stands_beside_them(
    rules: Ruleset,
) -> None:
    match = Match(rules, ["שרה כהן", "Ana"])
    match.record("result loser=שרה כהן")
    assert "><bdi>שרה כהן</bdi> -1</td>" in html.render(build_sheet(match))
    assert split_by_direction("Ana: 1") == [("Ana: 1", False)]
    assert split_by_direction("a שָׁלוֹם-עולם - 3 כן") == [
        ("a ", False),
        ("שָׁלוֹם-עולם", True),
        (" - 3 ", False),
        ("כן", True),
    ]


def test_text_has_no_control_characters() -> None:
    assert make_printable("Ana\x1b[31m") == f"Ana{REPLACEMENT}[31m"
    assert make_printable("one\r\ntwo\ttabs\u2028") == "one  two tabs "
    assert make_printable("👩\u200d🔬 é שרה") == "👩\u200d🔬 é שרה"
    assert make_printable("x\u2066y\ud800") == f"x{REPLACEMENT}y{REPLACEMENT}"


# --- long names


def test_long_and_wide_names_fit_a_terminal() -> None:
    names = ["A" * 40, "\u738b\u5c0f" * 20, "\u05d0\u05d1" * 20, "D"]
    match = Match(load_ruleset("durak"), names)
    match.record(f"result loser={names[1]}")
    lines = text.render(build_sheet(match)).splitlines()
    assert max(map(display_width, lines)) <= 80
    told = "".join("".join(lines).split())
    assert all(told.count(name[-4:]) for name in names)
