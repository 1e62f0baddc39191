"""Displays of faults: pending rulings, possible claims, and decisions."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scorekeeper import Failure, Illegal, write_record
from scorekeeper.cli.common import WIDTH
from scorekeeper.core.text import display_width
from scorekeeper.match.match import Match
from scorekeeper.notation.notation import Translator
from scorekeeper.session.live import LiveMatch, Session
from scorekeeper.session.rulings import TABLE_WIDTH, Faults
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder
from tests.disputes import DEALS, FOUR, Table
from tests.helpers import Answer, match_of, program
from tests.terminal import Terminal

RULES = "doppelkopf-ddv"
# Ben plays a trump on clubs, and a club two entries later. The calls show the sides.
SHOWN = ("all: gesund", "Ana: AC", "Ben: 9D", "Cleo: KC", "Dan: TC", "Ben: KC")
WIDE = "ア" * 40
LONG = "Ben of the very long name forty letters"
STRANGE = (WIDE, LONG, "Cléo", "עדי")


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    return path


def new(*entries: str, players: tuple[str, ...] = FOUR) -> Answer:
    """Begin a match with these entries, and return the output of the last."""
    assert program("new", RULES, *players).code == 0
    answer = Answer(0, "", "")
    for entry in entries:
        answer = program("record", entry)
        assert answer.code == 0, answer
    return answer


def run(command: str) -> Answer:
    """Run a command as it is printed."""
    name, *arguments = shlex.split(command)
    assert name == "scorekeeper"
    return program(*arguments)


def rulings(*arguments: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = program("rulings", *arguments, "--format", "json").data
    return rows


def faults(match: Match, seen: Match | None = None) -> Faults:
    return Faults(match, seen or match, Translator(match.notation))


# --- pending rulings


def test_a_ruling_that_opens_a_window_goes_on_with_costs_and_what_is_typed() -> None:
    answer = new(*SHOWN)
    _, after = answer.out.split("(remedies.revoke, 12.1)\n")
    assert after.split("\n") == [
        "    none: no points",
        "    minor: Ben -3; Ana, Cleo and Dan +1 each",
        "    serious: Ben -12; Ana, Cleo and Dan +4 each; the round is void",
        "    type claim Ana: 3 · claim Cleo: 3 · claim Dan: 3 · waive Ana · waive Cleo",
        "      waive Dan · waive all",
        "to act: Cleo (Cleo plays to trick 2)",
        "",
    ]
    assert "to decide it" not in answer.out


def test_and_one_that_is_only_asked_for_as_well() -> None:
    new(*SHOWN[:-1])
    answer = program("judge", SHOWN[-1])
    assert "    minor: Ben -3; Ana, Cleo and Dan +1 each" in answer.out
    assert "type claim Ana: 3" in answer.out
    assert "minor" not in program("status").out


def test_who_has_gone_on_is_one_line_and_lapsing_too() -> None:
    new(*SHOWN)
    out = program("record", "Cleo: 9C").out
    assert "Cleo has played on; Ana and Dan may still claim 3 (Ben: 9D)" in out
    assert "type" not in out
    program("record", "Dan: 9C")
    out = program("record", "Ana: TC").out
    assert "3 (Ben: 9D) can no longer be claimed, so it counts" in out
    assert "claim" not in program("status").out


def test_a_claim_says_what_may_be_weighed_and_that_waits_until_it_is() -> None:
    new(*SHOWN)
    out = program("record", "claim Cleo: 3").out
    assert "    type weigh 3 none|minor|serious\nweigh 3 none|minor|serious; to act: Cleo" in out
    assert "\nweigh 3 none|minor|serious; to act: Dan" in program("record", "Cleo: 9C").out
    assert "weigh" not in program("record", "weigh 3 none").out.split("\n", 1)[1]


def test_a_figure_that_hangs_on_a_side_is_said_to() -> None:
    answer = new("all: gesund", "Ana: re, Ana: keine90", *SHOWN[1:])
    assert "serious: the amount is unknown until the side of Ben is known;" in answer.out
    program("record", "claim Cleo: 5 serious")
    (row,) = [row for row in rulings() if row["number"] == 5]
    assert row["fault"]["waits"]
    answer = program("rulings")
    assert "the amount is unknown until the sides are known" in " ".join(answer.out.split())


@pytest.mark.parametrize("width", [WIDTH, TABLE_WIDTH])
def test_it_fits_whatever_they_are_called(width: int, book: Path) -> None:
    _, culprit, _, last = STRANGE
    cards = ("AC", "9D", "KC", "TC")
    laid = [f"{name}: {card}" for name, card in zip(STRANGE, cards, strict=True)]
    answer = new("all: gesund", *laid, f"{culprit}: KC", players=STRANGE)
    after = answer.out.split("(remedies.revoke, 12.1)\n")[1].split("to act")[0]
    assert all(display_width(line) <= WIDTH for line in after.split("\n"))
    assert program("record", f"claim {last}: 3").code == 0
    with Book(book) as opened:
        found = faults(MatchRecorder(opened, 1).match)
    for fault in found.all:
        lines = list(found.lines(fault, width))
        assert all(0 < display_width(line) <= width for line in lines), lines
    status = program("status").out.split("Ben of the very long name forty letters took")[0]
    assert all(display_width(line) <= WIDTH for line in status.split("\n")[1:])


# --- open faults


def test_status_shows_who_may_and_what_waits_as_text_and_as_json() -> None:
    new(*SHOWN)
    out = program("status").out
    assert "  Ana, Cleo or Dan may claim 3 (Ben: 9D), 12.1, each until their own next act" in out
    assert "    type claim Ana: 3 · " in out
    (fault,) = program("status", "--format", "json").data["faults"]
    assert fault["choices"]["serious"] == {"Ana": 4, "Ben": -12, "Cleo": 4, "Dan": 4}
    assert (fault["at"], fault["may"]) == ("3", ["Ana", "Cleo", "Dan"])
    assert (fault["ends"], fault["outcomes"]) == (["serious"], {"serious": "void"})
    program("record", "claim Ana: 3")
    assert "claimed by Ana, to be rated: 3 (Ben: 9D), 12.1" in program("status").out
    program("record", "weigh 3 minor")
    assert program("status", "--format", "json").data["faults"] == []


def test_rulesets_without_remedies_say_nothing_of_it() -> None:
    assert program("new", "doppelkopf", *FOUR).code == 0
    for entry in SHOWN:
        answer = program("record", entry)
    assert "to decide this: amend 3" in answer.out
    assert "faults" not in program("status", "--format", "json").data
    assert all("fault" not in row for row in rulings())
    assert "When something was wrong" not in program("table", "--plain", stdin="help\n").out


def test_what_an_entered_hand_has_proven_is_told_without_the_hand() -> None:
    for name in ("revoke", "solo", "decided"):
        table = Table(name, known=True)
        while not table.match.state["faults"]:
            table._lay(table.cards.pop(0))
        match, seen = table.match, table.match.public_copy()
        assert [told_of(each) for each in seen.state["faults"]] == list(
            map(told_of, faults(match).all)
        )
        found = faults(match, seen)
        (fault,) = found.all
        assert fault["choices"]
        board_says = [found.heading(fault), *found.lines(fault, WIDTH)]
        assert not {"TH", "QS", "AD"} & set(" ".join(board_says).split())


def told_of(fault: Any) -> tuple[object, ...]:
    """Return a fault as the referee reports it: the act, who may claim it, who has claimed it."""
    return tuple(fault[key] for key in ("at", "text", "who", "remedy", "may", "until", "claimed"))


def test_a_window_that_a_hand_opens_is_shown_as_it_was_told() -> None:
    """Open and close the window when the referee announces it, not when the card shows."""
    hand = "hand Ben: KC 9D QD JD AS KS TS AH KH 9H TD KD"
    answer = new(hand, "all: gesund", "Ana: AC", "Ben: 9D !stands")
    assert "Ana, Cleo or Dan may claim 4 (Ben: 9D !stands)" in answer.out
    assert "Ana, Cleo or Dan may claim 4 (Ben: 9D !stands)" in program("status").out
    program("record", "Cleo: 9C", "Dan: 9C")
    (fault,) = program("status", "--format", "json").data["faults"]
    assert fault["may"] == ["Ana"]
    assert program("record", "Ben: KC").code == 0  # now the cards on the table prove it
    out = program("status").out
    assert "Ana may claim 4 (Ben: 9D !stands), 12.1" in out
    assert "claim Cleo" not in out
    program("record", "Cleo: TC", "Dan: AC", "Ana: TC")
    assert "claim" not in program("status").out


def test_the_live_table_tells_it_when_the_referee_does(book: Path) -> None:
    hand = "hand Ben: KC 9D QD JD AS KS TS AH KH 9H TD KD"
    new(hand, "all: gesund", "Ana: AC")
    with Book(book) as opened:
        board = LiveMatch(MatchRecorder(opened, 1))
        board.enter("Ben: 9D !stands")
        told = [event.text for event in board.log.events]
        assert any("Ana, Cleo or Dan may claim 4 (Ben: 9D !stands)" in text for text in told)
        assert board.screen().claims[0].startswith("Ana, Cleo or Dan may claim 4")
        assert not any("KC" in text for text in told)
        board.enter("Cleo: 9C, Dan: 9C")
        assert board.screen().claims[0].startswith("Ana may claim 4")
        shown = len(board.log.events)
        board.enter("Ben: KC")
        assert not any("claim" in event.text for event in board.log.events[shown:])
        board.undo()
        assert board.screen().claims[0].startswith("Ana may claim 4")


def test_a_match_as_it_was_seen_takes_every_claim() -> None:
    """Check the public copy: a claim is an entry of the table, so it is valid there too."""
    for seed in range(25):
        random = Random(seed)
        table = Table(random.choice(list(DEALS)), known=random.random() < 0.8)
        match = table.match
        while table.cards and not match.live_round.over:
            said = list(faults(match).entries())
            try:
                if said and random.random() < 0.3:
                    match.record(random.choice(said))
                elif not match.live_round.over:
                    table._lay(table.cards.pop(0))
            except (Failure, Illegal):
                break  # a different card than the planned one
            seen = match.public_copy()
            assert [played.failed_entry for played in seen.rounds] == [0], (seed, match.rounds[-1])
            assert len(seen.rounds[-1].entries) == len(match.rounds[-1].entries)
            assert not seen.diverged_at
            open_now = [told_of(fault) for fault in match.state["faults"]]
            assert [told_of(fault) for fault in seen.state.get("faults", ())] == open_now, (
                seed,
                match.rounds[-1].entries,
                seen.state,
            )
            Faults(match, seen, Translator(match.notation))


def test_a_waiver_of_what_nobody_has_seen_does_not_stop_what_was_seen(tmp_path: Path) -> None:
    table = Table("revoke", known=True).to("Ben: 9D").say("waive all", "Cleo: 9C")
    assert table.match.public_copy().rounds[-1].failed_entry == 0
    write_record(table.match, tmp_path / "waived.toml")
    assert program("verify", "--hands-hidden", str(tmp_path / "waived.toml")).code == 0


# --- the live table


@pytest.fixture
def board(book: Path) -> Iterator[LiveMatch]:
    """Return a live table at which a fault has just shown."""
    new(*SHOWN)
    with Book(book) as opened:
        yield LiveMatch(MatchRecorder(opened, 1))


def test_the_table_shows_and_completes_what_is_open(board: LiveMatch) -> None:
    assert board.screen().claims[0].startswith("Ana, Cleo or Dan may claim 3 (Ben: 9D), 12.1")
    told = [event.text for event in board.log.events]
    assert any("minor: Ben -3; Ana, Cleo and Dan +1 each" in text for text in told)
    offered = [each.text for each in board.complete("cla")]
    assert offered[:4] == [
        f"claim Ana: 3{weight}" for weight in ("", " none", " minor", " serious")
    ]
    assert "claim Dan: 3 serious" in offered
    assert [each.text for each in board.complete("claim Ana: 3 s")] == ["claim Ana: 3 serious"]
    assert "waive all" in [each.text for each in board.complete("wa")]
    assert board.enter("claim Ana: 3") == ""
    assert board.faults.prompt == "weigh 3 …> "
    assert [each.text for each in board.complete("weigh 3 m")] == ["weigh 3 minor"]
    assert "type weigh 3 none|minor|serious" in board.log.events[-1].text
    assert all(display_width(event.text) <= TABLE_WIDTH for event in board.log.events[-4:])
    assert board.hint("minor").text.startswith("weigh 3 minor")
    session = Session([board.desk])
    assert session.enter("Minor") == ""
    assert (session.current.faults.prompt, session.current.screen().claims) == ("> ", [])


def test_of_several_all_are_named_before_what_they_cost(board: LiveMatch) -> None:
    board.enter("Ana: TC !withdrawn")
    first, second, *costs = board.screen().claims
    assert ("3 (Ben: 9D)" in first, "7 (Ana: TC !withdrawn)" in second) == (True, True)
    assert [text.partition(":")[0] for text in costs] == ["3", "7"]


@pytest.mark.parametrize(
    "line",
    ["claim", "claim Ana", "claim Ana:", "claim Ana: 99", "claim Ana: 0", "claim Ana: x", "weigh",
     "weigh 3", "weigh 3 minor", "weigh 3 grave", "waive", "waive Eva", "claim Ben: 3",
     "claim Ana: 2", "claim Ana: talk Ben -99", "claim Ana: 3 minor minor", "claim all: 3",
     "claim \x1b[2J: 3", "waive Ana + ", "claim Ana: 1.3.3"],
)  # fmt: skip
def test_nonsense_is_answered_in_a_line(board: LiveMatch, line: str) -> None:
    before = len(board.match.rounds[-1].entries)
    assert board.enter(line) != ""
    assert board.pending is not None or board.log.events[-1].kind == "failed"
    assert len(board.match.rounds[-1].entries) == before
    board.complete(line)
    board.hint(line)


def test_line_by_line_it_reads_as_well() -> None:
    new(*SHOWN)
    answer = program("table", "--plain", stdin="claim Ana: 3\nhelp\nweigh 3 minor\n")
    assert answer.code == 0
    assert "\nweigh 3 none|minor|serious; Cleo plays to trick 2\n" in answer.out
    assert "  weigh ENTRY WEIGHT: decides a claimed fault\n" in answer.out
    assert "minor; Ben -3; Ana, Cleo and Dan +1 each" in answer.out


def test_a_dispute_in_a_terminal(book: Path, tmp_path: Path) -> None:
    new(*SHOWN[:-1])
    env = {"SCOREKEEPER_BOOK": str(book), "HOME": str(tmp_path), "COLORTERM": ""}
    with Terminal("table", env=env) as table:
        table.wait("Ben leads to trick 2")
        table.enter("Ben: KC")
        table.wait("Ana, Cleo or Dan may claim 3 (Ben: 9D), 12.1, each until their own next act")
        table.enter("Cleo: 9C")
        table.wait("Cleo has played on; Ana and Dan may still claim 3")
        table.enter("claim Ana: 3")
        table.wait("weigh 3 …>")
        screen = table.wait("claimed by Ana, to be rated: 3 (Ben: 9D), 12.1")
        assert "on the table: Ben: KC   Cleo: 9C" in screen
        table.press("weigh 3 se")
        table.wait("decides a claimed fault")
        table.press("rious", "enter")
        table.wait("round 1 is over: Ana +4, Ben -12, Cleo +4, Dan +4")
        table.press("f12")
        table.wait("1.3  Ben: 9D  [proven by 1.6; decided: serious]")
        table.press("esc", "f10")
        assert table.end() == 0


# --- findings and their outcome


def test_rulings_offer_what_may_be_said_while_it_is_open() -> None:
    new(*SHOWN)
    (row,) = rulings()
    assert row["actions"] == [
        *(f"scorekeeper record 'claim {name}: 3'" for name in ("Ana", "Cleo", "Dan")),
        "scorekeeper record 'waive all'",
        "scorekeeper amend 1.3 'Ben: …'",
    ]
    assert (row["decision"], row["fault"]["may"]) == (None, ["Ana", "Cleo", "Dan"])
    for command in row["actions"][:-1]:
        assert run(command).code == 0
        assert program("undo").code == 0
    assert run(row["actions"][0]).code == 0
    (row,) = rulings()
    weights = [f"scorekeeper record 'weigh 3 {word}'" for word in ("none", "minor", "serious")]
    assert row["actions"][:-1] == weights
    assert "[proven by 1.6; to be rated]" in program("rulings").out


@pytest.mark.parametrize(
    ("said", "decision", "stands", "told"),
    [
        (["claim Ana: 3 minor"], "minor", "decided: minor",
         "claimed by Ana: minor (12.3); Ben -3; Ana, Cleo and Dan +1 each"),
        (["claim Ana: 3", "weigh 3 none"], "none", "decided: none", "claimed by Ana: none (12.3)"),
        (["claim Dan: 3 serious"], "serious", "decided: serious", "the round"),
        (["waive all"], "lapsed", "lapsed: the entry counts", "no claim was made in time (12.1)"),
        (["void a misdeal"], "moot", "settled", "settled: the round is not played"),
    ],
)  # fmt: skip
def test_and_then_what_was_decided(said: list[str], decision: str, stands: str, told: str) -> None:
    new(*SHOWN, *said)
    row = next(row for row in rulings() if row["number"] == 3)
    assert (row["decision"], row["actions"]) == (decision, [])
    out = program("rulings").out
    assert f"1.3  Ben: 9D  [proven by 1.6; {stands}]" in out
    assert told in out
    assert "undecided" not in out.split("\n")[0]


def test_in_a_record_it_is_said_by_entries(tmp_path: Path) -> None:
    path = tmp_path / "open.toml"
    write_record(match_of(RULES, FOUR, *SHOWN), path)
    err = program("rulings", str(path)).err
    assert "claim NAME: ENTRY" in err
    assert "!stands" not in err


def test_what_is_told_is_listed_too() -> None:
    new("all: gesund", "Ana: AC", "claim Cleo: talk Ben -6", "claim Cleo: conduct Dan")
    out = program("rulings").out
    assert "1.3  claim Cleo: talk Ben -6  [decided: warning]" in out
    assert "claimed by Cleo: warning (12.7); Ben -6" in out
    assert "1.4  claim Cleo: conduct Dan  [open; to be rated]" in out
    assert "scorekeeper record 'weigh 4 minor'" in out


def last_deal(*then: str) -> Table:
    """Return a finished deal with a fault in its last trick, and with further entries."""
    return Table("last", known=False).rest().say(*then)


def test_what_is_claimed_in_the_next_deal_is_told_with_its_own(tmp_path: Path) -> None:
    path = str(tmp_path / "deal.toml")
    write_record(last_deal().match, path)
    assert "round 1 is over; next" in program("status", "--match", path).out
    assert "type claim Ana: 3 · waive all" in program("status", "--match", path).out
    changed = "change to the score of round 1:"
    assert changed in program("status", "--match", path).out
    sheet = program("sheet", "--match", path).out
    assert "Deal 1: provisional: Ben's TC (3): Ana may make a claim" in sheet
    write_record(last_deal("Ben: gesund").match, path)
    assert "type claim Ana: 1.3 · waive all" in program("status", "--match", path).out
    assert program("sheet", "--match", path).out.count("provisional") == 1
    write_record(last_deal("Ben: gesund", "claim Ana: 1.3 serious").match, path)
    (row,) = rulings(path)
    assert (row["decision"], row["fault"]["during"]) == ("serious", 2)
    sheet = program("sheet", "--match", path).out
    assert "provisional" not in sheet
    assert sheet.count("Ben's TC (1.3)") == 2
    assert "Deal 1: declared void in round 2: Ben's TC (1.3), serious" in sheet
    assert "serious (12.1)" in sheet
    assert "revoke" not in sheet
    explained = program("score", "--match", path, "--explain", "1").out
    assert "Ben's TC (1.3), decided in round 2: serious; this round is void" in explained
    assert "  serious: Ana +3" in program("score", "--match", path, "--explain", "2").out
    write_record(last_deal("Ben: gesund", "claim Ana: 1.3 minor").match, path)
    explained = program("score", "--match", path, "--explain", "1").out
    assert "Ben's TC (1.3), decided in round 2: minor; this round remains valid" in explained
    changed = "Deal 1: score changed in round 2: Ben's TC (1.3), minor"
    assert changed in program("sheet", "--match", path).out
    assert "claimed by Ana: serious (12.1); round 2 is thrown in" in sheet
    assert program("verify", path).code == 0


def test_what_happens_to_several_by_turns_is_told_apart(tmp_path: Path) -> None:
    """Show two penalties of one class in two rows, and the decision once on a sheet."""
    path = str(tmp_path / "deal.toml")
    table = Table("revoke", known=True).to("Dan: 9C").claim("Ana", "Ben: 9D", "minor")
    write_record(table.say("claim Ben: conduct Dan minor", "penalty Ana: minor").match, path)
    rows = program("score", "--match", path, "--explain", "1").out.splitlines()
    assert [row.strip() for row in rows if row.startswith("  minor: ")] == [
        "minor: Ana +1, Ben -3, Cleo +1, Dan +1 (doppelkopf 12.3)",
        "minor: Ana +1, Ben +1, Cleo +1, Dan -3 (doppelkopf 12.3)",
        "minor: Ana -3, Ben +1, Cleo +1, Dan +1 (doppelkopf 12.3)",
    ]
    sheet = program("sheet", "--match", path).out
    assert sheet.count("Ben's 9D") == 1
    assert "Ben: 9D !stands" not in sheet


def test_a_score_that_changes_once_its_round_is_over_is_told(book: Path) -> None:
    new(*Table("solo", known=False).to("Dan: AH").match.rounds[0].entries)
    assert "round 1 is over" in program("record", "Cleo: concede").out
    changed = "round 1: Ana +7, Ben +7, Cleo -21, Dan +7 (before: Ana +5, Ben +5, Cleo -15, Dan +5)"
    assert changed in program("record", "Ben: kontra").out.splitlines()
    assert "it was" not in program("record", "note they sit down again").out
    assert (program("undo").code, program("undo").code) == (0, 0)
    with Book(book) as opened:
        board = LiveMatch(MatchRecorder(opened, 1))
        board.enter("Ben: kontra")
        assert changed in [event.text for event in board.log.events]
        board.enter("Ana: gesund")
        assert [event.text for event in board.log.events].count(changed) == 1
