"""Faulty rulesets: the check finds every fault, and a ruleset that passes can be played.

Each fault names its key, the value and the allowed values. No check raises or takes long.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Match, Unreadable, load_ruleset
from scorekeeper.core import untrusted
from scorekeeper.engine.ruleset import pinned
from scorekeeper.phases.bids import Bids
from tests.guide import REFERENCE
from tests.helpers import SHIPPED, match_of, program
from tests.hostile_rulesets import (
    PLAYERS,
    checked,
    compiled_table_of,
    play,
    spoilt,
    table_of,
    use,
    without_a_verb,
)
from tests.random_play import Evening

if TYPE_CHECKING:
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.ruleset.sources import RulesetFault

FOLDER = Path(__file__).parent / "rulesets"
NAMES = (
    *("doppelkopf", "doppelkopf-ddv", "da-ban", "sheng-ji", "durak", "durak-transfer", "podkidnoy"),
    *("podkidnoy-teams", "dudo", "perudo", str(FOLDER / "fixed-trump.toml")),
)
FOUR = PLAYERS[:4]
DELETED = object()
NO_PATTERNS: tuple[Any, ...] = (7, [7], {"x": 1}, [["QC", 7]], [[["QC"]]], [{}], True)


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(FOLDER))


def changed(ruleset: str, **values: Any) -> tuple[Ruleset | None, dict[str, RulesetFault]]:
    """Return the faults by key of a ruleset with values changed at paths (`clauses__held__on`)."""
    table = table_of(ruleset)
    for path, value in values.items():
        *outer, last = path.split("__")
        inner = table
        for key in outer:
            inner = inner.setdefault(key, {})
        if value is DELETED:
            del inner[last]
        else:
            inner[last] = value
    rules, faults = checked(table)
    for fault in faults:
        assert "\n" not in str(fault)
        assert str(fault).isprintable()
        assert fault.key, fault
        assert fault.found, fault
        assert fault.allowed, fault
    return rules, {fault.key: fault for fault in faults}


@pytest.mark.parametrize("name", SHIPPED)
def test_a_verb_that_is_turned_off_is_a_fault_or_the_rest_can_be_played(name: str) -> None:
    """`python -m tests.fuzz verbs` plays each of them for longer."""
    for found, word in without_a_verb(table_of(name)):
        try:
            rules, faults = checked(found)
            if rules is not None and not faults:
                use(rules, Random(word), 12)
        except Exception as error:
            raise AssertionError(f"{name} without {word}") from error


@pytest.mark.parametrize("name", NAMES)
def test_a_ruleset_spoilt_at_random_has_faults_or_can_be_played(name: str) -> None:
    table = table_of(name)
    for seed in range(60):
        random = Random(f"{Path(name).stem} {seed}")
        found, what = spoilt(table, random)
        try:
            rules, faults = checked(found)
            for fault in faults:
                assert "\n" not in str(fault)
            if rules is not None and not faults and seed % 3 == 0:
                play(rules, random, 12)
        except Exception as error:
            raise AssertionError(f"{name}, seed {seed}: {what}") from error


@pytest.mark.parametrize(
    ("name", "key", "value", "said"),
    [
        *(
            ("doppelkopf", "orders__normal__trumps", value, "orders.normal.trumps")
            for value in NO_PATTERNS
        ),
        ("doppelkopf", "clauses__mine", {"phase": [{}]}, "clauses.mine.word"),
        ("doppelkopf", "clauses__mine", {"word": "remark", "phase": [{}]}, "clauses.mine.phase"),
        ("doppelkopf", "clauses__mine", {"word": [{}]}, "clauses.mine.word"),
        ("doppelkopf", "phases__tricks__held__phase", [{}], "phases.tricks.held.phase"),
        ("doppelkopf", "phases__tricks__held__word", [{}], "phases.tricks.held.word"),
        ("da-ban", "phases__tricks__points__T", "3.1", "phases.tricks.points.T"),
        ("da-ban", "phases__tricks__points__T", -10, "phases.tricks.points.T"),
        ("dudo", "clauses", "x", "clauses"),
        ("dudo", "words", False, "words"),
        ("dudo", "words__doubt", [7], "words.doubt"),
        ("dudo", "phases", [], "phases"),
        ("dudo", "columns", 7, "columns"),
        ("dudo", "columns__round", 7, "columns.round"),
        ("dudo", "sheet", 7, "sheet"),
        ("dudo", "languages__fr", "x", "languages.fr"),
        ("dudo", "languages__fr__words__doubt", {}, "languages.fr.words.doubt"),
        ("doppelkopf", "languages__fr__ranks__K", 7, "languages.fr.ranks.K"),
        ("dudo", "faces__x", {}, "faces.x"),
        ("dudo", "faces__1__words", 7, "faces.1.words"),
        ("doppelkopf", "contracts__hochzeit__order", "NORMAL", "contracts.hochzeit.order"),
        ("doppelkopf", "contracts__hochzeit__becomes", "solo", "contracts.hochzeit.becomes"),
        ("doppelkopf", "calls__re__side", "rex", "calls.re.side"),
        ("doppelkopf", "phases__auction__ranks", ["hochzeti"], "phases.auction.ranks"),
        ("doppelkopf", "scores__soloist__of", ["wonn"], "scores.soloist.of"),
        ("da-ban", "phases__tricks__order", "trumps", "phases.tricks.order"),
        ("durak", "phases__bouts__refill", ["true"], "phases.bouts.refill"),
        ("durak", "phases__bouts__never_trump", ["X"], "phases.bouts.never_trump"),
        ("durak", "pack", DELETED, "phases.bouts"),
        ("durak", "phases__draw", {}, "phases.bouts"),
        ("durak", "pack__ranks", DELETED, "pack.ranks"),
        ("durak", "pack__ranks", "", "pack.ranks"),
        ("durak", "pack__ranks", "A K K", "pack.ranks"),
        ("durak", "pack__ranks", "A * Q", "pack.ranks"),
        ("durak", "pack__suits", "C x", "pack.suits"),
        ("da-ban", "pack__jokers", ["BJ", "XD"], "pack.jokers"),
        ("doppelkopf", "pack__ranks", "A T K Q J", "deal.cards"),
        ("fixed", "deal__cards", 14, "deal.cards"),
        ("fixed", "deal__cards", -13, "deal.cards"),
        ("fixed", "sides__number", 3, "sides.number"),
        ("podkidnoy", "sides__number", 2, "sides.number"),
        ("fixed", "deal__sits_out", {"4": [0, 1, 2]}, "deal.sits_out"),
        ("fixed", "deal__sits_out", {"four": [0]}, "deal.sits_out"),
        ("da-ban", "deal__kitty", 10, "deal.kitty"),
        ("da-ban", "levels", DELETED, "phases.draw"),
        ("dudo", "phases__bids", DELETED, "phases.reveal"),
        ("fixed", "phases__tricks", DELETED, "phases"),
        ("fixed", "phases__counting", {"cite": "3.1"}, "phases.counting"),
        ("da-ban", "phases__tricks__points", {"J{trump}": 20}, "phases.tricks.points.J{trump}"),
        ("da-ban", "orders__trump__trumps", ["{trmp}"], "orders.trump.trumps"),
        ("da-ban", "orders__trump__trumps", ["{trump}{level}"], "orders.trump.trumps"),
        ("da-ban", "orders__trump__trumps", ["*X"], "orders.trump.trumps"),
        ("da-ban", "orders__trump__plain", "A X", "orders.trump.plain"),
        ("da-ban", "levels__ranks", "3 4 X", "orders.trump.trumps"),
        ("fixed", "scores__odd-tricks__points", "winners.tricks / 2", "scores.odd-tricks.points"),
        ("fixed", "scores__odd-tricks__points", "1.5", "scores.odd-tricks.points"),
        ("fixed", "scores__odd-tricks__points", 0.5, "scores.odd-tricks.points"),
        ("fixed", "scores__odd-tricks__points", "1 // 0", "scores.odd-tricks.points"),
        ("dudo", "tally__most", 1_000_000, "tally.most"),
        ("dudo", "tally__start", 10_000, "tally.start"),
        ("dudo", "tally__start", 0, "tally.start"),
        ("dudo", "tally__start", "players * 3", "tally.start"),
        ("dudo", "phases", {}, "phases"),
        ("dudo", "phases", {"table": {}}, "phases"),
        ("skat", "let__q", [60], "let.q"),
        ("skat", "let__q", [[60]], "let.q"),
        ("skat", "let__q", [[]] * 500, "let.q"),
        ("skat", "let__q", [["QC"] * 500], "let.q"),
        ("dudo", "rules", "../../x", "rules"),
        ("dudo", "name", "Dudo\n", "name"),
    ],
)
def test_what_is_wrong_is_a_fault_that_names_its_key(
    name: str, key: str, value: object, said: str
) -> None:
    name = str(FOLDER / "fixed-trump.toml") if name == "fixed" else name
    values: dict[str, Any] = {key: value}
    rules, faults = changed(name, **values)
    keys = [found.replace('"', "") for found in faults]
    assert any(found.startswith(said) for found in keys), faults
    assert rules is None or faults


@pytest.mark.parametrize(
    ("name", "key", "expression"),
    [
        ("fixed", "scores__odd-tricks__factor", "trick.points < 50"),
        ("fixed", "scores__odd-tricks__points", "trick.number"),
        ("fixed", "match__ends", "own.tricks > 3"),
        ("fixed", "scores__odd-tricks__points", "trick.points"),
        ("fixed", "scores__odd-tricks__when", "trick.number > 3"),
        ("fixed", "match__ends", "trick.last"),
        ("dudo", "match__ends", "count > 3"),
        ("dudo", "match__ends", "own.tally > 1"),
        ("dudo", "outcomes__exactly-so__when", "face == 1"),
        ("dudo", "phases__bids__wild", "previous.wild"),
        ("dudo", "phases__bids__caller__exact__when", "wild"),
        ("doppelkopf", "victory__re__when", "trick.points > 3"),
        ("doppelkopf", "calls__keine90__missed", "re.missed"),
        ("doppelkopf-ddv", "scores__won__when", "others.levels > 0"),
        ("da-ban", "phases__kitty__left_when", "trick.number > 1"),
    ],
)
def test_a_measure_used_where_its_subject_is_not_at_hand_is_a_fault(
    name: str, key: str, expression: str
) -> None:
    name = str(FOLDER / "fixed-trump.toml") if name == "fixed" else name
    values: dict[str, Any] = {key: expression}
    if "mine" in key:
        row = {"word": "require", "phase": "tricks", "on": ["play"], "cite": "1.1"}
        values = {"clauses__mine": {**row, "must": expression}}
    _, faults = changed(name, **values)
    (fault,) = (fault for fault in faults.values() if "not available" in fault.message)
    assert fault.key == key.replace("__", ".")
    assert fault.found in expression
    assert fault.found not in fault.allowed.split(", ")


def test_a_measure_of_a_bid_is_none_where_one_of_the_verbs_is_no_bid() -> None:
    row = {"word": "require", "phase": "bids", "must": "count > 0", "cite": "2.1"}
    assert changed("dudo", clauses__mine={**row, "on": ["bid"]})[1] == {}
    assert "clauses.mine.must" in changed("dudo", clauses__mine={**row, "on": ["bid", "doubt"]})[1]


def test_a_kitty_is_turned_up_where_no_phase_names_a_trump() -> None:
    name = str(FOLDER / "kitty.toml")
    rules, faults = changed(name, phases__kitty__shown=True, phases__kitty__names_trump=False)
    assert not faults
    assert rules is not None
    use(rules, Random(1), 200)
    match = Match(rules, PLAYERS[:3])
    match.record("kitty AS KS")
    assert match.prompt == "Cem must take the kitty"


def test_who_is_master_turns_up_the_kitty_of_a_game_without_a_trump() -> None:
    rules, faults = changed(
        "da-ban",
        phases__draw=DELETED,
        phases__exchange=DELETED,
        lines={},
        signs={},
        columns={},
        totals={},
        statistics={},
        orders__trump__trumps=["BJ", "LJ", "{level}*", "2*"],
        clauses={},
        phases__kitty__left=False,
        phases__kitty__taken=False,
    )
    assert not faults
    assert rules is not None
    match = Match(rules, FOUR)
    match.record("kitty 5H 9C 9C KD 2S TC")
    match.record("Ana: take")
    assert "Ana buries 6 cards" in match.prompt


def test_many_dice_are_told_in_a_moment() -> None:
    rules = load_ruleset("dudo", players={"most": 200}, tally={"most": 50, "start": 50})
    match = Match(rules, [f"P{number}" for number in range(100)])
    assert len(match.legal) == 100 * 50 * 5 + 2


# --- a rule without a value


def decided(**values: Any) -> tuple[Match, Any]:
    """Return a game of dice, up to the count that decides a round, under a ruleset of an older
    check."""
    table = compiled_table_of("dudo")
    for path, value in values.items():
        *outer, last = path.split("__")
        inner = table
        for key in outer:
            inner = inner[key]
        inner[last] = value
    match = Match(pinned(repr(table), "", table), ["Ana", "Ben", "Cem"])
    for entry in ("Ana: 2x3", "Ben: dudo"):
        match.record(entry)
    return match, match.record("count 0")


@pytest.mark.parametrize(
    "values",
    [
        {"scores__lost__points": "1 // 0"},
        {"scores__lost__when": "1 % 0 > 1"},
        {"scores__lost__points": "trick.points"},
        {"scores__lost__points": "count"},
        {"scores__lost__points": "1 / 2"},
        {"scores__lost__points": "100000000 * 100000000"},
        {"tally__zero_sum": True},
        {"outcomes__doubted-well__when": "1 // 0"},
    ],
)
def test_a_rule_without_a_value_costs_the_score_and_never_the_entry(values: dict[str, Any]) -> None:
    match, ruling = decided(**values)
    assert ruling.verdict == "legal"
    (finding,) = ruling.findings
    assert (finding.code, finding.verdict, finding.severity) == ("ruleset.faulty", "open", "warn")
    assert "this round has no score" in finding.reason
    (played,) = match.rounds
    assert (played.over, played.scores) == (True, None)
    assert played.entries[-1] == "count 0"
    assert match.record(f"{match.to_act[0]}: 2x2").verdict == "legal"
    again = match.copy_from_start()
    assert [f.code for _, f in again.play_round(played.entries).findings] == ["ruleset.faulty"]


@pytest.mark.parametrize("entries", [[], ["note x", "note y"], ["lead Ben"], ["what"]])
def test_what_is_wrong_when_a_round_begins_is_told_with_its_first_entry(entries: list[str]) -> None:
    rules = load_ruleset("hearts", **{"phases.give.cards": "1 // (rounds - 1)"})
    match = Match(rules, ["Ana", "Ben", "Cem", "Dora"])
    played = match.play_round(entries)
    told = [number for number, found in played.findings if found.code == "ruleset.faulty"]
    assert told == ([] if played.failed_entry or not entries else [1])


def test_what_is_wrong_with_the_dice_is_told_with_a_bid() -> None:
    rules = load_ruleset("perudo-lives", **{"dice.each": "5 // (rounds - 1) + 5"})
    match = Match(rules, ["Ana", "Ben", "Cem"])
    found = match.play_round(["note x", "Ana: 1x3", "Ben: 2x3"]).findings
    assert [number for number, each in found if each.code == "ruleset.faulty"] == [2]


@pytest.mark.parametrize("key", ["when", "count", "cards"])
def test_a_special_point_that_is_no_expression_costs_the_score_alone(key: str) -> None:
    """Use a pinned ruleset with such a fault, because pinned rulesets are not checked again."""
    played = Evening("doppelkopf-ddv", 4, full=True, wrong=0, result=0).play(1)
    table = compiled_table_of("doppelkopf-ddv")
    for row in table["specials"].values():
        row |= {"counts": "true", "least": 0, key: "1 +"}
    match = Match(pinned(repr(table), "", table), played.names)
    found = match.play_round([said.known for said in played.said[0] if said.known])
    assert (found.over, found.failed_entry, found.scores) == (True, 0, None)
    assert [finding.code for _, finding in found.findings].count("ruleset.faulty") == 1


def test_what_one_book_says_that_a_text_says_is_not_believed_of_another() -> None:
    table = compiled_table_of("dudo")
    other = {**table, "tally": {**table["tally"], "most": 9}}
    read = [pinned("a text", "", data) for data in (other, table, table)]
    assert [ruleset.tally["most"] for ruleset in read] == [9, 5, 5]
    assert read[1] is read[2]


def test_a_match_whose_end_has_no_value_goes_on_and_keeps_its_scores() -> None:
    match, ruling = decided(match__ends="1 // 0")
    assert [finding.code for finding in ruling.findings] == ["ruleset.faulty"]
    assert "it is not known whether the match is over" in ruling.text
    assert match.rounds[0].scores == {"Ana": -1, "Ben": 0, "Cem": 0}
    assert not match.over


def test_a_clause_without_a_value_is_open() -> None:
    table = compiled_table_of("dudo")
    table["clauses"]["higher-face"]["least"] = "1 // 0"
    match = Match(pinned(repr(table), "", table), ["Ana", "Ben"])
    match.record("2x3")
    ruling = match.record("2x4")
    assert (ruling.verdict, ruling.findings[0].code) == ("open", "bids.higher-face")
    assert "it divides by zero" in ruling.text


def test_what_only_looks_at_a_round_tells_no_mistake() -> None:
    table = compiled_table_of("da-ban")
    table["phases"]["levels"]["takes_over"] = "1 // 0"
    match = Match(pinned(repr(table), "", table), FOUR)
    for _ in range(2):
        match.state  # noqa: B018
    assert match.live_round.scored


def test_a_wild_face_that_is_made_of_itself_is_no_endless_circle() -> None:
    table = compiled_table_of("dudo")
    table["phases"]["bids"]["wild"] = "previous.wild"
    match = Match(pinned(repr(table), "", table), ["Ana", "Ben"])
    match.record("2x3")
    assert isinstance(match.ruleset.phases["bids"], Bids)
    assert match.record("3x3").verdict == "legal"


# --- sums


@pytest.mark.parametrize(
    ("name", "options", "key", "said"),
    [
        ("doppelkopf", {"scores.soloist.factor": 2}, "zero_sum", "1 re, 3 kontra"),
        ("doppelkopf", {"scores.soloist.factor": 4}, "zero_sum", "1 re, 3 kontra"),
        ("doppelkopf", {"scores.soloist.when": "re.announced"}, "zero_sum", "1 re, 3 kontra"),
        ("doppelkopf", {"scores.won.against": ""}, "zero_sum", "2 re, 2 kontra"),
        ("doppelkopf", {"scores.won.for": "soloist"}, "zero_sum", "1 re, 3 kontra"),
        ("doppelkopf-ddv", {"scores.won.against": "", "tally.zero_sum": False}, "parity", "wins"),
        ("dudo", {"tally.zero_sum": True}, "zero_sum", "for each"),
        ("da-ban", {"tally.zero_sum": True}, "zero_sum", "masters +1"),
    ],
)
def test_scores_that_cannot_sum_as_the_tally_says_are_found_before_a_round(
    name: str, options: dict[str, Any], key: str, said: str
) -> None:
    with pytest.raises(Unreadable) as caught:
        load_ruleset(name, **options)
    assert f"tally.{key}" in str(caught.value)
    assert said in str(caught.value)


def test_sums_are_looked_at_whatever_the_order_of_the_phases() -> None:
    table = table_of("doppelkopf")
    table["phases"] = {name: table["phases"][name] for name in reversed(table["phases"])}
    assert not checked(table)[1]
    table["scores"]["soloist"]["factor"] = 2
    assert [fault.key for fault in checked(table)[1]] == ["tally.zero_sum"]


@pytest.mark.parametrize(
    "options",
    [
        {"scores.soloist.when": "alone"},
        {"scores.won.points": "re.levels + 2"},
        {"scores.fox.points": "2 * re.fox - 3 * kontra.fox"},
        {"scores.first-announcement.factor": 5},
        {"scores.against-the-queens.when": "kontra.won and not alone"},
    ],
)
def test_scores_that_sum_whatever_comes_are_no_fault(options: dict[str, Any]) -> None:
    load_ruleset("doppelkopf", **options)


# --- bounds, and options as wrong usage


@pytest.mark.parametrize(
    "setting",
    [
        "pack.copies=10000",
        "deal.kitty=10",
        "deal.kitty=-1",
        "tally.start=1000000000",
        f"pack.ranks={' '.join(f'R{i}' for i in range(300))}",
        "scores.held.points=1/2",
        "orders.trump.trumps=7",
        "sides.number=3",
        "title=7",
    ],
)
@pytest.mark.parametrize("command", ["new", "rules show", "rules check"])
def test_a_bad_option_is_wrong_usage_in_one_line(
    tmp_path: Path, command: str, setting: str
) -> None:
    words = [*command.split(), "da-ban", *(FOUR if command == "new" else ())]
    book = ["--book", str(tmp_path / "book.sqlite")] if command == "new" else []
    answer = program(*words, *book, "--set", setting)
    assert answer.code == 2
    assert answer.out == ""
    said, hint = answer.err.splitlines()
    assert said.startswith(f"scorekeeper: {setting.partition('=')[0]}")
    assert hint.startswith("  try: ")
    assert not (tmp_path / "book.sqlite").exists()


def test_a_faulty_ruleset_stays_one_whatever_is_set(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('extends = "dudo"\nname = "mine"\n[tally]\nzero_sum = true\n')
    assert program("rules", "check", str(path), "--set", "tally.start=3").code == 1
    assert program("rules", "show", str(path), "--set", "tally.start=3").code == 3


def test_what_is_set_is_bounded() -> None:
    many = {f"clauses.x{i}.when": "true" for i in range(30_000)}
    with pytest.raises(Unreadable, match="too many values are set"):
        load_ruleset("dudo", **many)


def test_a_pack_too_large_is_refused_before_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setattr("scorekeeper.core.cards.Pack.make", lambda *parts: made.append(parts))
    ranks, suits = " ".join(f"{i:03}" for i in range(60)), "C S H D"
    _, faults = changed("durak", pack__ranks=ranks, pack__suits=suits, pack__copies=20)
    assert {"pack.ranks", "pack.copies"} <= set(faults)
    assert made == []


def test_a_match_has_at_most_so_many_players() -> None:
    with pytest.raises(Exception, match=f"at most {untrusted.MAX_PLAYERS} players"):
        match_of("dudo", [f"P{i}" for i in range(untrusted.MAX_PLAYERS + 1)])


def test_a_result_where_no_phase_knows_one_is_impossible() -> None:
    table = table_of(str(FOLDER / "fixed-trump.toml"))
    del table["phases"]["tricks"]["counted"], table["scores"]
    rules, faults = checked(table)
    assert not faults
    assert rules is not None
    with pytest.raises(Exception, match="in this game, a round cannot be entered by its result"):
        Match(rules, FOUR).record("result points=3")


@pytest.mark.parametrize(
    "number",
    [
        *(
            untrusted.NUMBER_RANGE[1],
            untrusted.MAX_DEPTH,
            untrusted.MAX_EXTENDS,
            untrusted.MAX_KEY_PARTS,
            untrusted.MAX_ROWS,
        ),
        *(
            untrusted.MAX_ROW_NAME,
            untrusted.MAX_TEXT,
            untrusted.MAX_ITEMS,
            untrusted.MAX_OPTIONS,
            untrusted.MAX_RANKS,
            untrusted.MAX_JOKERS,
        ),
        *(
            untrusted.MAX_COPIES,
            untrusted.MAX_CARDS,
            untrusted.MAX_CARD_POINTS,
            untrusted.MAX_PLAYERS,
            untrusted.MAX_FACES,
        ),
        *(untrusted.MAX_DICE, untrusted.MAX_POINTS),
    ],
)
def test_every_bound_stands_in_the_guide(number: int) -> None:
    section = REFERENCE.read_text("utf-8").partition("\n## Limits\n")[2]
    assert f"| {number:,} |" in section
