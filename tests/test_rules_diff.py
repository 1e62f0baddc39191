"""`rules diff`: the differences between two rulesets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.engine.loading import load_merged
from scorekeeper.render.rules_diff import find_differences
from scorekeeper.ruleset import sources
from tests.helpers import program

SHIPPED = [found.name for found in sources.list_rulesets() if found.shipped]


def found(one: str, other: str) -> dict[str, Any]:
    answer = program("rules", "diff", one, other, "--format", "json")
    assert answer.code == 0
    return {each["key"]: each for each in answer.data["differences"]}


def own(folder: Path, text: str, base: str = "dudo") -> str:
    path = folder / "own.toml"
    path.write_text(f'extends = "{base}"\nname = "own"\n{text}', "utf-8")
    return str(path)


@pytest.mark.parametrize("name", SHIPPED)
def test_nothing_differs_from_itself(name: str) -> None:
    answer = program("rules", "diff", name, name)
    assert answer.code == 0
    assert answer.out.startswith("Nothing differs between the first and the second\n")
    data = program("rules", "diff", name, name, "--format", "json").data
    assert (data["same"], data["differences"]) == (True, [])


REMEDIES = (
    "revoke", "turn", "call", "reservation", "dealing", "dealt", "dealer", "talk", "conduct",
)  # fmt: skip
CHOICES = (
    "none", "minor", "harmless", "late-call", "harmless-call", "word", "serious", "against-solo",
    "given", "warning", "new-deal", "due-deal",
)  # fmt: skip


def test_a_tournament_differs_as_its_file_says() -> None:
    """Compare with the file of the tournament rules and the ruleset that it extends."""
    keys = found("doppelkopf", "doppelkopf-ddv")
    value = {key: (each["one"], each["other"]) for key, each in keys.items()
             if each["kind"] == "value"}  # fmt: skip
    assert value["players.counts"] == ([4, 5, 6, 7], [4, 5])
    assert value["tally.parity"] == (False, True)
    assert value["match.ends"] == ("deals >= 16", "deals >= (30 if players == 5 else 24)")
    assert value["phases.auction.compulsory"] == (False, True)
    assert value["phases.auction.cut_short"] == (False, True)
    assert value["phases.tricks.concede"] == (False, True)
    assert value["calls.reply"] == (0, 1)
    assert value["specials.doppelkopf.least"] == (41, 40)
    fox = "count(foxes & trumps) > 0"
    assert value["specials.fox.counts"] == (fox, f"not alone and {fox}")
    assert value["lines.nothing.label"] == ("no card points", "no trick")
    assert value["phases.auction.raises"] == ("alone", [])
    gone = {key for key, each in keys.items() if each["kind"] == "only-one"}
    assert gone == {
        "contracts.neugeben", "scores.second-announcement", "scores.first-announcement",
    }  # fmt: skip
    new = {key for key, each in keys.items() if each["kind"] == "only-other"}
    assert new == {
        "phases.auction.binding",
        "penalties.harmless", "penalties.minor", "penalties.serious",
        "remedies", "remedies.entitled", "remedies.in-order",
        *(f"remedies.{name}" for name in REMEDIES), *(f"consequences.{name}" for name in CHOICES),
        "totals.solos", "scores.announced-re", "scores.announced-kontra",
        *(f"scores.reached-{points}" for points in (120, 90, 60, 30)),
        *(f"scores.open-under-{points}" for points in (90, 60, 30)),
    }  # fmt: skip
    assert not [key for key, each in keys.items() if each["kind"] == "place"]
    assert keys["scores.reached-120"]["cite"] == "6"
    assert keys["calls.reply"]["cite"] == "4.4"  # the rule's and not the phase's
    assert keys["phases.auction.binding"]["label"].startswith("A statement may be changed")
    assert keys["phases.auction.binding"]["table"] == "phases"


def test_the_page_has_a_heading_a_label_a_key_and_a_paragraph() -> None:
    text = program("rules", "diff", "dudo", "perudo").out
    assert text.index("The course of a round") < text.index("What is allowed")
    assert "the players who may call: next → others (phases.bids.caller.exact.who, 8)" in text
    assert "only in perudo: enough-players (clauses.enough-players, 8)" in text
    assert "  An entry with a verb in `on` is legal only if the condition `must` is true.\n" in text
    back = program("rules", "diff", "perudo", "dudo").out
    assert "the players who may call: others → next (phases.bids.caller.exact.who, 3.3)" in back
    assert "only in perudo: enough-players" in back


@pytest.mark.parametrize("format", ["markdown", "html"])
def test_other_formats(format: str) -> None:
    answer = program("rules", "diff", "durak", "podkidnoy-teams", "--format", format)
    assert answer.code == 0
    assert "next → others" not in answer.out
    assert "the maximum number of players: 4 → 6" in answer.out


@pytest.mark.parametrize("other", ["doppelkopf-ddv", "dudo", "hearts"])
@pytest.mark.parametrize("one", SHIPPED)
def test_both_ways_say_the_same(one: str, other: str) -> None:
    there = find_differences(load_merged(one), load_merged(other))
    back = find_differences(load_merged(other), load_merged(one))
    turned = {"only-one": "only-other", "only-other": "only-one"}
    assert {(each.key, each.kind) for each in there if each.kind != "place"} == {
        (each.key, turned.get(each.kind, each.kind)) for each in back if each.kind != "place"
    }
    assert (one == other) == (not there)


def test_what_holds_without_a_word_is_no_difference(tmp_path: Path) -> None:
    said = own(
        tmp_path,
        'title = "Dudo"\n[phases.bids]\non-a-bid = { severity = "refuse" }\n'
        "[tally]\nzero_sum = false\n"
        '[clauses.bluff]\nword = "remark"\n[scores.lost]\npoints = "-1"\n'
        'when = "true"\n[columns.round]\nsay = ["{round}"]\n',
    )
    assert set(found("dudo", said)) == {"name"}
    text = program("rules", "diff", "dudo", said).out
    assert text.startswith("Nothing differs between dudo and own except their names\n")


def test_the_order_of_rows_is_a_difference(tmp_path: Path) -> None:
    moved = own(tmp_path, '[clauses.bluff]\nbefore = "at-least-one"\n')
    (place,) = [each for each in found("dudo", moved).values() if each["kind"] == "place"]
    assert (place["key"], place["one"], place["other"]) == (
        "clauses.bluff", "from-aces", "direction-first",
    )  # fmt: skip
    text = program("rules", "diff", "dudo", moved).out
    assert "the row before it: from-aces → direction-first (clauses.bluff)" in text


def compiled(key: str) -> bool:
    """Return whether a file cannot have this key, because it is one of the compiled tables."""
    rows = ("sheet.", "phases.turnup", "phases.parties", "phases.counting")
    return (
        key.startswith(rows)
        or re.match(r"(scores\.[\w-]+\.(label|worth)|columns\..*\.signs)$", key) is not None
    )


@pytest.mark.parametrize("other", ["doppelkopf-ddv", "da-ban", "belote"])
@pytest.mark.parametrize("one", SHIPPED)
def test_keys_are_those_of_the_files(one: str, other: str) -> None:
    keys = [each.key for each in find_differences(load_merged(one), load_merged(other))]
    assert [key for key in keys if compiled(key)] == []
    assert [key for key in keys if key.startswith("clauses.") and not any(
        key.split(".")[1] in load_merged(name).surface.get("clauses", {}) for name in (one, other)
    )] == []  # fmt: skip


def test_standard_rules_differ_once_by_the_paragraph_of_their_phase(tmp_path: Path) -> None:
    keys = found("dudo", own(tmp_path, '[phases.bids]\ncite = "1.1"\n'))
    assert set(keys) == {"name", "phases.bids.cite"}
    assert keys["phases.bids.cite"]["other"] == "1.1"


def test_a_rule_that_is_written_differs_under_its_word(tmp_path: Path) -> None:
    keys = found("dudo", own(tmp_path, '[phases.bids]\ncaller = { doubt = "1.1" }\n'))
    assert set(keys) == {"name", "phases.bids.caller.doubt.cite"}
    keys = found("doppelkopf", own(tmp_path, "[calls]\nin-time = false\n", "doppelkopf"))
    assert {key: each["kind"] for key, each in keys.items()} == {
        "name": "value", "calls.in-time": "only-one",
    }  # fmt: skip
    answer = program("rules", "diff", "doppelkopf", str(tmp_path / "own.toml"))
    assert "only in doppelkopf: in-time (calls.in-time, " in answer.out


def test_rows_of_the_sheet_have_the_keys_of_its_page(tmp_path: Path) -> None:
    text = '[lines]\nlost = "given up"\n[columns.own]\nsay = "{round}"\n'
    keys = found("dudo", own(tmp_path, text))
    assert set(keys) == {"name", "lines.lost.label", "columns.own"}


def test_a_score_with_shares_is_one_row(tmp_path: Path) -> None:
    text = '[scores.gift]\nshares = { losers = "1", loser = "-1" }\ncite = "1.1"\n'
    keys = found("dudo", own(tmp_path, text))
    assert set(keys) == {"name", "scores.gift"}
    assert keys["scores.gift"]["other"]["shares"] == {"losers": "1", "loser": "-1"}


def test_words_of_a_language_differ_word_by_word(tmp_path: Path) -> None:
    keys = found("dudo", own(tmp_path, '[languages.fr.words]\nexact = ["pile"]\n'))
    assert set(keys) == {"name", "title", "languages.fr.words.exact"} - {"title"}
    assert keys["languages.fr.words.exact"]["other"] == ["pile"]


def test_games_that_have_nothing_in_common_can_be_compared() -> None:
    keys = found("dudo", "da-ban")
    assert keys["pack.ranks"]["one"] is None
    assert keys["phases.bids"]["kind"] == "only-one"
    assert keys["phases.tricks"]["kind"] == "only-other"


def test_what_is_not_there_is_told() -> None:
    answer = program("rules", "diff", "dudo", "dodo")
    assert (answer.code, answer.out) == (2, "")
    assert 'there is no ruleset "dodo"' in answer.err
