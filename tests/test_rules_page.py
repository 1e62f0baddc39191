"""`rules show`: a ruleset as a page for players to agree on."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from scorekeeper import load_ruleset
from scorekeeper.core.text import display_width
from scorekeeper.engine.ruleset import Ruleset
from scorekeeper.render.pages import Page, PageItem, Section, as_html, as_markdown, as_text
from scorekeeper.render.rules_page import build_page, first_sentence
from scorekeeper.ruleset import sources
from scorekeeper.ruleset.citations import find_paragraph
from tests.helpers import program

SHIPPED = [found.name for found in sources.list_rulesets() if found.shipped]
VOID = {"meta", "br", "link"}
EVIL = '<script>alert(1)</script> & "x" [a](b) | * # \x1b[31m \u202e'


def shown(*arguments: str) -> str:
    answer = program("rules", "show", *arguments)
    assert (answer.code, answer.err) == (0, ""), answer
    return answer.out


class Outline(HTMLParser):
    """The elements of a page, in order, and whether each opened element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


# --- content


@pytest.mark.parametrize("name", SHIPPED)
def test_every_clause_and_score_row_stands_on_the_page_with_its_paragraph(name: str) -> None:
    rules, text = load_ruleset(name), shown(name)
    flat = " ".join(text.split())
    for clause in rules.clauses.values():
        assert f"{clause.name} ({clause.code}, {clause.cite})" in flat
        assert " ".join(clause.word.doc.split()) in flat
    for row in rules.scores:
        assert f"{row.label} ({row.code}, {row.cite})" in flat
    for phase in (rules.phases[name] for name in rules.data["phases"]):
        assert " ".join(phase.doc.split()) in flat
    quoted = " ".join(text.replace("\n  | ", " ").split())
    for clause in rules.clauses.values():
        said = first_sentence(find_paragraph(rules.rules_text, clause.cite))
        assert f"{clause.cite}: {' '.join(said.split())}" in quoted


@pytest.mark.parametrize("name", SHIPPED)
def test_the_page_is_no_wider_than_80_columns(name: str) -> None:
    assert max(map(display_width, shown(name).splitlines())) <= 80


@pytest.mark.parametrize("name", SHIPPED)
def test_the_page_as_html_is_whole_and_loads_nothing(name: str) -> None:
    text = shown(name, "--format", "html")
    outline = Outline(text)
    assert outline.elements.count("h1") == 1
    assert not {"script", "link", "img", "iframe", "a"} & set(outline.elements)
    assert not {"src", "href", "style", "onload"} & {key for key, _ in outline.attributes}
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


@pytest.mark.parametrize("name", SHIPPED)
def test_the_formats_say_the_same(name: str) -> None:
    rules = load_ruleset(name)
    marked = shown(name, "--format", "markdown")
    lines = shown(name).splitlines()
    headings = [line for line, below in pairwise(lines) if set(below) == {"-"}]
    assert [line[3:] for line in marked.splitlines() if line.startswith("## ")] == headings
    assert Outline(shown(name, "--format", "html")).elements.count("h2") == len(headings)
    assert json.loads(shown(name, "--format", "json")) == rules.data


def test_orders_are_cards_strongest_first() -> None:
    text = shown("doppelkopf")
    assert "trumps, strongest first: TH QC QS QH QD JC JS JH JD AD TD KD 9D\n" in text
    assert "clubs and spades: A T K 9\n  hearts: A K 9\n" in text
    assert "clubs, spades, hearts and diamonds: A T K Q J 9" in text
    bound = " ".join(shown("da-ban").split())
    assert "BJ; LJ; the level of the trump; the level of any suit (all equal); 2 of the" in bound
    assert "the rest of the trump" in bound


def test_the_cards_of_a_suit_that_is_named_during_play(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    order = '[orders.trump]\ntrumps = ["*{trump}", ["*H", "2*"]]\n'
    own.write_text(f'extends = "da-ban"\nname = "own"\n{order}', "utf-8")
    said = "all of the trump; the rest of hearts, 2 of any suit (all equal)"
    assert f"trumps, strongest first: {said}" in " ".join(shown(str(own)).split())


def test_cards_of_equal_strength_are_said_to_be_equal(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    order = '[orders.normal]\ntrumps = [["TH", "QC"], "J*"]\nplain = "9 A"\n'
    own.write_text(f'extends = "doppelkopf"\nname = "own"\n{order}', "utf-8")
    text = shown(str(own))
    assert "trumps, strongest first: QC = TH JC JS JH JD\n" in text
    assert "clubs: 9 A T = K\n" in text, "what `plain` does not name is below, and equal"


def test_card_points_are_those_of_the_pack() -> None:
    assert "card points: A 11, T 10, K 4, Q 3, J 2, 9 0; 240 points in all" in shown("doppelkopf")
    assert "300 points in all" in shown("da-ban")
    assert "card points" not in shown("durak")


def test_card_points_of_an_order_stand_with_it() -> None:
    assert "card points: *H 1, QS 13\n" in shown("hearts")


def test_what_an_expression_speaks_of_is_said_once() -> None:
    text = shown("dudo")
    glossary = text.partition("Names used in expressions\n")[2]
    assert "previous.count: the last bid's count\n" in glossary
    assert "own.dealer" not in glossary, "which no expression of it names"
    assert "own.tally: their tally on the sheet\n" in shown("perudo")


def test_what_was_changed_stands_at_the_end() -> None:
    text = shown("perudo", "--set", "tally.start=3")
    changed = text.partition("Changes from dudo\n")[2]
    assert "the players who may call: next → others (phases.bids.caller.exact.who, 8)" in changed
    assert "only in perudo: face-stays (clauses.face-stays, 8)" in changed
    besides = changed.partition("Changed by --set\n")[2]
    assert (
        "its first value, which may depend on `players`, `rounds` and counters: 5 → 3\n"
        "    (tally.start, 1.1)\n" in besides
    )
    assert "its first value, which may depend on `players`, `rounds` and counters: 3\n" in text
    assert "Changed by --set" not in shown("perudo")
    assert "Changes from" not in shown("dudo")
    assert "Nothing." in shown("dudo", "--set", "tally.start=5")


def test_what_the_club_does_is_said_of_each_clause() -> None:
    assert "is reported, but counts" not in shown("doppelkopf")
    text = shown("doppelkopf", "--set", "severity=club")
    assert "severity: club" in text
    assert "a breach: is reported, but counts" in text


def test_tables_that_are_not_known_yet_are_printed_row_by_row() -> None:
    rules = load_ruleset("dudo")
    more = {
        "let": {"hearts": ["*H"], "moon": "any(dice)"},
        "counters": {"owed-rounds": {"uses": 1, "cite": "2.2", "when": "count > 3"}},
        "strange-table": {"note": "x"},
    }
    made = build_page(
        Ruleset({**rules.data, **more}), lambda cite: f"{cite} The first. The second."
    )
    text = as_text(made)
    assert "\nLet\n---\nhearts: *H\nmoon: any(dice)\n" in text
    assert "\nCounters\n--------\nowed-rounds (2.2)\n  uses: 1\n  when: count > 3\n" in text
    assert "  | 2.2: The first.\n" in text
    assert "\nStrange table\n-------------\nnote: x\n" in text
    assert as_html(made).count("<h2>") == as_markdown(made).count("\n## ")


# --- rulesets from strangers


@pytest.fixture
def hostile(tmp_path: Path) -> str:
    own = tmp_path / "own.toml"
    said = json.dumps(EVIL)
    own.write_text(
        f'extends = "dudo"\nname = "own"\ntitle = {said}\nsource = {said}\n'
        f"[scores.lost]\nlabel = {said}\n[clauses.bluff]\nsay = {said}\n"
        f"[faces]\n1 = {{ words = [{said}] }}\n",
        "utf-8",
    )
    return str(own)


def test_a_title_from_a_stranger_stays_text(hostile: str) -> None:
    html = shown(hostile, "--format", "html")
    assert "script" not in Outline(html).elements
    assert "&lt;script&gt;" in html
    marked = shown(hostile, "--format", "markdown")
    assert "<script>" not in marked
    assert r"\[a\](b) \| \* \#" in marked
    for format in ("text", "markdown", "html"):
        text = shown(hostile, "--format", format)
        assert all(char.isprintable() or char == "\n" for char in text), format


def test_a_name_of_a_row_from_a_stranger_stays_text() -> None:
    made = Page(EVIL, [(EVIL, EVIL)], [Section(EVIL, [EVIL], [(EVIL, EVIL)],
                [PageItem(EVIL, EVIL, EVIL, [EVIL], [(EVIL, EVIL)], EVIL)])])  # fmt: skip
    assert "script" not in Outline(as_html(made)).elements
    assert "<script>" not in as_markdown(made)
    assert "\x1b" not in as_text(made)


def test_a_faulty_ruleset_has_no_page(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('extends = "dudo"\nname = "own"\n[tally]\nstart = "x"\n', "utf-8")
    assert program("rules", "show", str(own)).code == 3


# --- lines


@pytest.mark.parametrize("width", [20, 33, 80, 200])
def test_lines_fit_and_lose_nothing(width: int) -> None:
    words = ["王" * 50, "x" * 300, *["a", "bb", "ccc", "dddd"] * 20]
    said = " ".join(words)
    made = Page(said, [("k", said)], [Section("S", [said], (), [PageItem("i", quote=said)])])
    lines = as_text(made, width).splitlines()
    assert max(map(display_width, lines)) <= width
    joined = "".join("".join(line.strip().removeprefix("|").split()) for line in lines)
    assert joined.count("".join(words)) == 4


@pytest.mark.parametrize(
    ("paragraph", "said"),
    [
        ("2.1 One thing. Another.", "One thing."),
        ("2.1 No more than 3.5 cards, e.g. two. Then", "No more than 3.5 cards, e.g. two."),
        ("2. Bids", "Bids"),
        ("2.3 A raise:\n- a higher face", "A raise:"),
        ("2.4 It is *so* **[choice]**; `Q*` and `J*` too.", "It is so [choice]; Q* and J* too."),
        ("", ""),
    ],
)
def test_the_first_sentence_of_a_paragraph(paragraph: str, said: str) -> None:
    assert first_sentence(paragraph) == said


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("dudo", "2 or more"),
        ("durak", "2 to 4"),
        ("doppelkopf-ddv", "4 or 5"),
        ("podkidnoy-teams", "4 or 6"),
    ],
)
def test_the_page_says_how_many_may_play(name: str, players: str) -> None:
    assert f"\nplayers: {players}\n" in shown(name)
