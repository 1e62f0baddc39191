"""Players who arrive, leave or change seats between rounds, and refused changes."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from scorekeeper import (
    Illegal,
    Impossible,
    Match,
    Unreadable,
    read_record,
    verify_record,
    write_record,
)
from scorekeeper.session.live import Session
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder, begin_match
from scorekeeper.store.round_cache import RoundCache
from tests.helpers import SHIPPED, match_of, program
from tests.random_play import NAMES, counts_of, result_of, rules_of

if TYPE_CHECKING:
    from pathlib import Path

FOUR = ("Ana", "Ben", "Cleo", "Dan")
DEAL = "result contract=normal re={} points=130"
REFUSED = (Illegal, Impossible, Unreadable)


def reason(match: Match, text: str) -> str:
    """Return the reason for which an entry is refused. Check that it has no effect."""
    before = repr(match)
    with pytest.raises(REFUSED) as refused:
        match.record(text)
    assert repr(match) == before
    return str(refused.value)


# --- what goes on


def test_who_comes_sits_to_the_left_of_whom_was_said_and_begins_with_the_start() -> None:
    match = match_of("dudo", ("Ana", "Ben"), "2x3", "Ben: dudo", "count 1")
    assert match.scores == {"Ana": 4, "Ben": 5}
    match.record("joins Eva after Ana")
    assert match.seated_players == ["Ana", "Eva", "Ben"]
    # The player who arrived last is in the last column of the sheet.
    assert match.players == ["Ana", "Ben", "Eva"]
    assert match.scores == {"Ana": 4, "Ben": 5, "Eva": 5}
    match.record("Ana: 2x3")
    assert match.to_act == ["Eva"]
    match.record("e: 3x3")  # a beginning is enough
    assert match.rounds[-1].entries == ["joins Eva after Ana", "Ana: 2x3", "Eva: 3x3"]
    assert match.rounds[0].names == ["Ana", "Ben"]
    assert match.rounds[1].names == ["Ana", "Eva", "Ben"]


@pytest.mark.parametrize(
    ("joins", "begins"), [("start", 5), ("least", 2), ("most", 4), ("mean", 3)]
)
def test_the_ruleset_says_with_what_who_comes_begins(joins: str, begins: int) -> None:
    match = match_of("dudo", ("Ana", "Ben"), "standing Ana: 2", tally={"joins": joins})
    for text in ("2x3", "Ben: dudo", "count 2", "joins Eva after Ben"):
        match.record(text)  # Ben was wrong, and has four
    assert match.scores == {"Ana": 2, "Ben": 4, "Eva": begins}


def test_a_seat_is_taken_over_with_what_is_owed_there_but_not_its_tally() -> None:
    match = match_of("doppelkopf", FOUR, DEAL.format("Ana+Ben"), "joins Eva for Ana")
    assert match.seated_players == ["Eva", "Ben", "Cleo", "Dan"]
    assert match.scores == {"Ana": 1, "Ben": 1, "Cleo": -1, "Dan": -1, "Eva": 0}
    assert (
        match.current_round.names[match.current_round.seating.dealer] == "Eva"
    )  # it was Ana's deal


def test_who_quits_keeps_a_tally_and_may_come_back_with_it() -> None:
    match = match_of("doppelkopf", FOUR, DEAL.format("Ana+Ben"), "joins Eva for Ben")
    match.record(DEAL.format("Eva+Ana"))
    assert match.scores == {"Ana": 2, "Ben": 1, "Cleo": -2, "Dan": -2, "Eva": 1}
    match.record("joins BEN for Cleo")  # as they were called
    assert match.seated_players == ["Ana", "Eva", "Ben", "Dan"]
    assert match.rounds[-1].entries == ["joins BEN for Cleo"]
    match.record(DEAL.format("Ben+Dan"))
    assert match.scores == {"Ana": 1, "Ben": 2, "Cleo": -2, "Dan": -1, "Eva": 0}
    assert match.rounds[2].scores == {"Ana": -1, "Eva": -1, "Ben": 1, "Dan": 1}
    assert set(match.state["players"]) == {"Ana", "Eva", "Ben", "Dan"}


@pytest.mark.parametrize(
    ("said", "dealer"),
    [
        (["joins Eva after Cleo"], "Ana"),
        (["joins Eva after Dan"], "Eva"),  # Left of the dealer.
        (["joins Eva after Ana"], "Ana"),
        (["joins Eva after Ben", "quits Ana"], "Ben"),  # The player whose deal it was has left.
        (["joins Eva after Cleo", "quits Dan"], "Ana"),  # The dealer has left.
        (["seats Ana + Dan + Cleo + Ben"], "Cleo"),
        (["joins Eva for Ana", "seats Dan + Cleo + Eva + Ben"], "Cleo"),
    ],
)
def test_the_deal_moves_on_in_the_new_order(said: list[str], dealer: str) -> None:
    match = match_of("doppelkopf", FOUR, DEAL.format("Ana+Ben"), *said)  # Dan has dealt
    assert match.current_round.names[match.current_round.seating.dealer] == dealer


def test_who_sits_out_is_worked_out_anew() -> None:
    match = match_of("doppelkopf", FOUR, DEAL.format("Ana+Ben"), "joins Eva after Dan")
    assert match.current_round.names_of(match.current_round.seats) == ["Ana", "Ben", "Cleo", "Dan"]
    assert "sits out" in reason(match, DEAL.format("Eva+Ben"))


def test_a_deal_that_is_dealt_again_stays_with_its_dealer() -> None:
    match = match_of("doppelkopf", FOUR, "void the cards were wet")
    dealer = match.current_round.names[match.current_round.seating.dealer]
    match.record("joins Eva after Cleo")
    assert match.current_round.names[match.current_round.seating.dealer] == dealer


def test_solos_that_were_played_stay_with_those_who_played_them() -> None:
    match = Match(rules_of("doppelkopf-ddv"), FOUR)
    match.record("result contract=herzsolo re=Ben points=150")
    assert match.standing["carry"]["auction"]["played"] == [1]
    match.record("joins Eva after Ana")
    assert match.current_round.seating.standing["carry"]["auction"]["played"] == [2]
    match.record("seats Ben + Ana + Cleo + Dan + Eva")
    assert match.current_round.seating.standing["carry"]["auction"]["played"] == [0]
    match.record("joins Finn for Ben")  # who owes none either
    assert match.current_round.seating.standing["carry"]["auction"]["played"] == [0]
    match.record("quits Finn")
    assert match.current_round.seating.standing["carry"]["auction"]["played"] == []


def test_a_match_that_only_one_is_left_in_is_decided() -> None:
    match = match_of(
        "dudo", ("Ana", "Ben", "Cleo"), "standing Ana: 1", "2x3", "Ben: dudo", "count 1"
    )
    assert match.scores["Ana"] == 0
    assert not match.over
    match.record("quits Cleo")
    assert match.over
    assert match.winners == ["Ben"]
    assert match.to_act == []
    match.record("joins Eva after Ben")  # of the same start
    assert not match.over
    assert match.seated_players == ["Ana", "Ben", "Eva"]


# --- what cannot be


def test_too_few_may_sit_there_until_something_else_happens() -> None:
    match = match_of("doppelkopf", FOUR, "quits Dan")
    assert match.to_act == []
    assert match.legal() == []
    assert match.prompt.startswith("Doppelkopf is for 4 or 5 or 6 or 7 players, not 3: joins NAME")
    assert reason(match, "all: gesund").endswith("not 3; joins NAME after Cleo")
    assert "not 3" in reason(match, "dealer Ana")
    assert "not 3" in reason(match, "AC")
    assert set(match.state["players"]) == {"Ana", "Ben", "Cleo"}
    match.record("note Eva is on her way")
    match.record("joins Eva after Ana")
    assert match.to_act == ["Eva"]  # Dan would have dealt; now Ana does


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("joins Ben after Ana", "Ben is already at the table; give the players different names"),
        ("joins BEN for Ana", "Ben is already at the table"),
        (
            "joins Eva",
            "the new player's seat is missing; type “joins Eva after Dan” or “joins Eva for Dan”",
        ),
        ("joins Eva after", "the new player's seat is missing; type “joins Eva after Dan” or"),
        (
            "joins Eva after Cleo for Ben",
            "two seats were entered for Eva; type “joins Eva after Cleo” or “joins Eva for Ben”",
        ),
        (
            "joins Eva after Cleo after Ben",
            "two seats were entered for Eva; type “joins Eva after Cl",
        ),
        ("joins Eva after Zoe", "no player is called “Zoe”; players are Ana, Ben, Cleo, Dan"),
        ("joins note after Ana", "“note” cannot be a name"),
        ("joins quits Eva after Ana", "“quits” is a reserved word"),
        ("joins all for Ana", "“all” is a reserved word"),
        (f"joins {'E' * 41} for Ana", "a name has 1 to 40 characters"),
        ("joins E=a for Ana", "contains one of"),
        ("joins E\u202eva for Ana", "control characters"),
        ("quits", "a name must follow"),
        ("quits Zoe", "no player is called “Zoe”"),
        ("seats Ana + Ben + Cleo", "Dan is at the table but is not named"),
        ("seats Ana + Ben + Cleo + Dan + Ben", "Ben is named twice; name every player"),
        ("seats Ana + Ben + Cleo + Dan + Eva", "no player is called “Eva”"),
        ("seats Ana ++ Ben", "a name must follow"),
    ],
)
def test_what_cannot_be_is_refused_in_words(said: str, why: str) -> None:
    match = match_of("doppelkopf", FOUR, DEAL.format("Ana+Ben"))
    assert why in reason(match, said)


def test_who_has_left_is_named_as_one_who_left() -> None:
    match = match_of("dudo", ("Ana", "Ben", "Cleo"), "quits Cleo")
    gone = "Cleo has left the table; players are Ana, Ben"
    for said in ("Cleo: 2x3", "cleo: 2x3", "quits Cleo", "joins Eva after Cleo", "lead Cleo"):
        assert gone in reason(match, said)
    assert "no player is called “Zoe”" in reason(match, "Zoe: 2x3")
    match.record("joins Cleo after Ana")
    assert match.judge("Cleo: 2x3").entry == "Cleo: 2x3"


def test_the_last_at_the_table_stays() -> None:
    match = match_of("dudo", ("Ana", "Ben"), "quits Ana")
    assert "Ben is the only player at the table" in reason(match, "quits Ben")
    assert reason(match, "quits Be").endswith(
        "another player may take over the seat: joins NAME for Ben"
    )
    match.record("joins Eva for Ben")
    assert match.seated_players == ["Eva"]


def test_what_is_to_be_typed_until_all_can_sit_there_does_that() -> None:
    match = match_of("doppelkopf", FOUR)
    for name in ("Eva", "Finn", "Gus", "Hal"):
        match.record(f"joins {name} after {match.seated_players[-1]}")
    assert match.prompt.endswith("players, not 8: quits Hal")
    for name in ("Hal", "Gus", "Finn", "Eva", "Dan"):
        match.record(f"quits {name}")
    assert match.prompt.endswith("players, not 3: joins NAME after Cleo")


def test_a_name_that_was_told_apart_before_may_say_where_somebody_sits() -> None:
    match = match_of("dudo", ("Ana for now", "Ben", "Maid after Dawn"))
    match.record("joins Eva after Maid after Dawn")
    match.record("quits Ana for now")
    match.record("joins Ana for now after Ben")
    assert match.seated_players == ["Ben", "Ana for now", "Maid after Dawn", "Eva"]


def test_an_ambiguous_name_is_refused_with_the_names() -> None:
    match = match_of("dudo", ("Ben", "Bert", "Ana"))
    assert "may mean Ben, Bert" in reason(match, "quits Be")
    match.record("quits Ber")
    assert match.seated_players == ["Ben", "Ana"]


def test_nobody_comes_or_goes_in_the_middle_of_a_round() -> None:
    match = match_of("doppelkopf", FOUR, "all: gesund", "AC")
    for said in ("joins Eva for Ana", "quits Ben", "seats Dan + Cleo + Ben + Ana"):
        told = reason(match, said)
        assert "must be entered between rounds" in told
        assert "end the round with void why" in told
    match.record("void Ben had to leave")
    match.record("joins Eva for Ben")
    assert match.seated_players == ["Ana", "Eva", "Cleo", "Dan"]


def test_it_is_said_before_anything_else_of_a_round() -> None:
    match = match_of("doppelkopf", FOUR, "note a long evening", "dealer Ana")
    told = reason(match, "joins Eva for Ben")
    assert "“dealer Ana” comes before it" in told
    assert "amend 2 --before ENTRY" in told
    assert match.amended(1, 2, "joins Eva for Ben", before=True).seated_players[1] == "Eva"


@pytest.mark.parametrize("word", ["quits Dan", "quits Cleo", "joins Eva after Ana"])
@pytest.mark.parametrize("act", ["Dan: 2x3 !withdrawn", "Cleo: 2x3 !withdrawn"])
def test_what_was_taken_back_was_seen_of_somebody_at_their_seat(act: str, word: str) -> None:
    match = match_of("dudo", FOUR, "result loser=Ana", act)
    assert f"“{act}” comes before it" in reason(match, word)
    for text in ("Ana: 1x2", "Ben: dudo", "count 0"):
        match.record(text)
    [summary] = list(match.summaries())[1:]
    assert summary["over"]
    assert summary["counts"]["illegal"] == {act.partition(":")[0]: 1}


def test_fixed_sides_with_one_tally_let_another_take_a_seat_alone() -> None:
    match = match_of("da-ban", FOUR, "result points=185")
    before = match.scores
    for said in ("quits Ben", "joins Eva after Ben", "seats Ben + Ana + Cleo + Dan"):
        assert "another player may take over a seat: joins NAME for NAME" in reason(match, said)
    match.record("joins Eva for Ben")
    assert match.scores == {**before, "Eva": before["Ben"]}
    match.record("result points=60")
    assert match.scores["Eva"] == match.scores["Dan"]
    assert match.scores["Ben"] == before["Ben"]


def test_fixed_sides_are_drawn_by_lot_before_the_first_round() -> None:
    match = match_of("da-ban", FOUR, "seats Ana + Cleo + Ben + Dan")
    assert match.seated_players == ["Ana", "Cleo", "Ben", "Dan"]
    match.record("joins Eva after Dan")
    match.record("joins Finn after Eva")
    match.record("seats Ana+Ben+Cleo+Dan+Eva+Finn")
    match.record("trump H")
    match.record("result points=100")
    assert [name for name, level in match.scores.items() if level == 4] == ["Ana", "Cleo", "Eva"]
    assert "another player may take over a seat" in reason(
        match, "seats Ben + Ana + Cleo + Dan + Eva + Finn"
    )


def test_what_may_still_be_claimed_is_settled_first() -> None:
    trick = ("all: gesund", "AC", "9D", "KC", "TC", "Ben: KC")  # A revoke that is discovered.
    match = match_of("doppelkopf-ddv", FOUR, *trick, DEAL.format("Ana+Ben"))
    assert "claim them first, or enter “waive all”" in reason(match, "joins Eva for Ben")
    match.record("waive all")
    match.record("joins Eva for Ben")
    assert match.seated_players[1] == "Eva"


# --- kept, corrected, told


def evening_of(name: str) -> Match:
    """Return a match in which a player takes a seat, arrives and leaves, where the game allows it.

    A round is entered by its result where the game has results. Otherwise it has a few acts and is
    void.
    """
    rules, chance = rules_of(name), random.Random(7)
    count = counts_of(name)[0]
    match = Match(rules, NAMES[:count])
    fixed = rules.sides["number"] and rules.sides["shared"]
    goes_on = rules.match["wins"] != "last"  # else a result may be the last
    comes: list[list[str]] = [
        [],
        [f"joins Zoe for {NAMES[count - 1]}"],
        ["joins Yan after Ana", "quits Zoe"],
        [],
    ]
    for number, texts in enumerate(comes, 1):
        for text in texts:
            if " for " in text or not fixed:
                match.record(text)
        with suppress(*REFUSED):
            if goes_on and number != 3:
                match.record(result_of(rules, match.seated_players, chance))
        while len(match.rounds) < number or not match.rounds[-1].over:
            acts = [text for text in match.legal() if "…" not in text]
            few = len(match.rounds) < number or len(match.rounds[-1].entries) < 6
            match.record(chance.choice(acts) if acts and few else "void they had to stop")
    return match


@pytest.mark.parametrize("name", SHIPPED)
def test_every_game_goes_on_when_somebody_comes_and_goes(name: str, tmp_path: Path) -> None:
    match = evening_of(name)
    assert "Zoe" in match.players
    assert len(match.seated_players) == counts_of(name)[0]
    path = str(tmp_path / "evening.toml")
    write_record(match, path)
    again = read_record(path)
    assert verify_record(path)["ok"]
    assert (again.scores, again.seated_players, again.players) == (
        match.scores,
        match.seated_players,
        match.players,
    )
    assert again.standing == match.standing
    assert [each.entries for each in again.rounds] == [each.entries for each in match.rounds]
    # Entries recorded one by one equal the whole round, and undoing them restores each state.
    live, stood = Match(match.ruleset, match.initial_players, from_storage=True), []
    for text in [text for played in match.rounds for text in played.entries]:
        stood.append((live.scores, live.seated_players, live.to_act, live.standing))
        live.record(text)
    assert live.standing == match.standing
    for before in reversed(stood):
        live.undo()
        assert (live.scores, live.seated_players, live.to_act, live.standing) == before


def test_a_book_a_record_and_what_is_told_of_it_agree(tmp_path: Path) -> None:
    store = Book(str(tmp_path / "book.db"))
    desk = begin_match(store, rules_of("doppelkopf"), FOUR)
    entries = [
        DEAL.format("Ana+Ben"),
        *("joins Eva after Ben", "quits Ana", "hand Eva: 12", DEAL.format("Eva+Ben")),
        *("joins Ana for Dan", "joins Zoe after Ana", "note five now"),
    ]
    for text in entries:
        assert not desk.record([text]).failure
    fresh = MatchRecorder(store, desk.id)
    whole = fresh.full_match()
    assert fresh.match.rounds[0].number == 3  # The standing includes the earlier score.
    assert (
        fresh.match.seated_players == whole.seated_players == ["Ben", "Eva", "Cleo", "Ana", "Zoe"]
    )
    assert fresh.match.players == whole.players == [*FOUR, "Eva", "Zoe"]
    assert fresh.match.scores == whole.scores == desk.match.scores
    assert fresh.match.to_act == whole.to_act
    told = RoundCache(store).match(fresh.row)
    assert told.scores == whole.scores
    assert told.seated_players == whole.seated_players
    assert told.record_text() == fresh.record_text()
    for _ in entries:
        fresh.undo()
    assert fresh.match.seated_players == list(FOUR)
    assert fresh.match.scores == dict.fromkeys(FOUR, 0)


def test_an_amendment_reaches_across_those_who_come(tmp_path: Path) -> None:
    store = Book(str(tmp_path / "book.db"))
    desk = begin_match(store, rules_of("doppelkopf"), FOUR)
    desk.record([DEAL.format("Ana+Ben"), "joins Eva for Ben", DEAL.format("Eva+Ana")])
    assert desk.match.scores == {"Ana": 2, "Ben": 1, "Cleo": -2, "Dan": -2, "Eva": 1}
    found = desk.amend(2, 1, "joins Zoe for Ben", confirm=lambda account: account.is_destructive)
    assert found.is_saved
    assert [each.entry for each in found.invalid] == [DEAL.format("Eva+Ana")]
    desk.undo()
    desk.amend(1, 1, DEAL.format("Ana+Cleo"))
    assert desk.match.scores == {"Ana": 2, "Ben": -1, "Cleo": 0, "Dan": -2, "Eva": 1}
    desk.amend(2, 1, confirm=lambda account: True)  # No player arrived, so Eva is not one.
    assert desk.match.seated_players == list(FOUR)


LEFT = ("1x3", "Ben: 2x3", "dudo", "count 1", "joins Bea for Ben", "Bea: 1x2")


@pytest.mark.parametrize("typed", ["Ben: 2x4", "B: 2x4", "2x4"])
def test_a_round_is_amended_among_those_who_sat_there_then(typed: str) -> None:
    match = match_of("dudo", ("Ana", "Ben", "Cleo"), *LEFT)
    assert match.amended(1, 2, typed).rounds[0].entries[1] == "Ben: 2x4"
    with pytest.raises(Unreadable, match="no player is called “Bea”; players are Ana, Ben, Cleo"):
        match.amended(1, 2, "Bea: 2x4")
    with pytest.raises(Unreadable, match="Ben has left the table; players are Ana, Bea, Cleo"):
        match.amended(2, 2, "Ben: 2x4")


def test_who_comes_by_an_amendment_may_act_in_it() -> None:
    match = match_of("dudo", ("Ana", "Ben", "Cleo"), *LEFT)
    after = match.amended(2, 1, "joins Zoe for Ben", "Zoe: 1x2")
    assert after.rounds[1].entries[:2] == ["joins Zoe for Ben", "Zoe: 1x2"]


@pytest.mark.parametrize("letters", [(), ("--language", "fr")])
def test_the_next_morning_somebody_who_left_is_put_right(
    letters: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.db"))
    program("new", "dudo", "Ana", "Ben", "Cleo", *letters)
    program("record", *LEFT)
    answer = program("amend", "1.2", "B: 2x4")
    assert answer.code == 0, answer.err
    assert ": 1.2 Ben: 2x4" in answer.out
    answer = program("amend", "1.2", "Ben: 2x5", "--format", "json")
    assert answer.data["saved"]
    table = Session([MatchRecorder(Book(str(tmp_path / "book.db")), 1)], "").current
    assert table.amend("amend 1.2 B: 2x3") == ""
    assert table.match.seated_players == ["Ana", "Bea", "Cleo"]
    assert table.desk.full_match().rounds[0].entries[1] == "Ben: 2x3"


def test_a_written_dealer_is_said_after_who_comes(tmp_path: Path) -> None:
    path = tmp_path / "by-hand.toml"
    path.write_text(
        'format = 2\nruleset = "doppelkopf"\nplayers = ["Ana", "Ben", "Cleo", "Dan"]\n'
        '[[rounds]]\ndealer = "Eva"\nentries = """\njoins Eva for Ben, all: gesund\n"""\n'
    )
    match = read_record(path)
    assert match.rounds[0].entries == ["joins Eva for Ben", "dealer Eva", "all: gesund"]


def test_what_may_be_done_is_offered_among_those_who_sat_there_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read an entry of a player who arrived, in a later round, and answer by the player's name."""
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    rounds = ("joins Eva after Ana\nresult loser=Ben\n", "Eva: 2x3\nAna: 3x3\n")
    told = "".join(f'[[rounds]]\nentries = """\n{texts}"""\n' for texts in rounds)
    (tmp_path / "e.toml").write_text(
        f'format = 2\nruleset = "dudo"\nplayers = ["Ana", "Ben"]\n{told}', "utf-8"
    )
    assert program("import", str(tmp_path / "e.toml")).code == 0
    answer = program("rulings").out
    assert "2.1  Eva: 2x3  [proven; undecided: it counts until the table decides]" in answer
    assert "scorekeeper amend 2.1 'Eva: 2x3 !stands'" in answer
    assert "scorekeeper record 'penalty Eva: cheating at 2.1'" in answer
    assert "scorekeeper amend 2.1 'Eva: …'" in answer


def test_a_written_round_is_read_among_those_who_sit_there_from_the_entry_on_that_seats_them() -> (
    None
):
    """Check that the seats decide whose turn it is. Ben has Ana's seat, and it is her turn."""
    match = match_of("dudo", ["Ana", "Ben", "Cleo"])
    played = match.play_round(["seats Ben+Ana+Cleo", "Ben: 2x3"])
    assert [(number, finding.code) for number, finding in played.findings] == [(2, "turn")]
    assert match.to_act == ["Ana"]


def test_a_position_names_those_who_came_in_an_earlier_round() -> None:
    match = match_of("durak", ["Ana", "Ben"], "joins Eva after Ana", "result loser=Ben")
    for text in ("trump H", "lead Eva", "Eva: 6S", "Ben: 7S"):
        match.record(text)
    said = "durak: Ana, Eva, Ben; dealer Ben; standing Ben: 1; trump H; lead Eva; Eva: attack 6S"
    assert match.position == f"{said}; Ben: cover 6S 7S"


def test_what_the_commands_print_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.db"))
    program("new", "doppelkopf", *FOUR)
    program("record", DEAL.format("Ana+Ben"))
    said = program("record", "joins Eva after Ben; quits Ana; " + DEAL.format("Eva+Ben"))
    assert "round 2 is over: Ben +1, Eva +1, Cleo -1, Dan -1" in said.out
    rows = [line.split() for line in program("sheet").out.splitlines()]
    assert rows[8][:8] == ["1", "Dan", "normal", "Ana+Ben", "130:110", "1", "1", "(+1)"]
    assert rows[9][:6] == ["2", "Ben", "normal", "Ben+Eva", "130:110", "1"]
    assert rows[9][6:8] == ["2", "(+1)"]  # Ben's; Ana's cell is empty
    players = program("stats", "--format", "json").data[0]["players"]
    rounds = {player["name"]: player["rounds"] for player in players}
    assert rounds == {"Ana": 1, "Ben": 2, "Cleo": 2, "Dan": 2, "Eva": 1}
    scores = program("export", "--format", "scores-csv").out.splitlines()
    assert [row.split(",")[5] for row in scores[1:]] == [*FOUR, "Ben", "Eva", "Cleo", "Dan"]
    assert program("score").out.splitlines()[-1] == "points: Ana 1, Ben 2, Cleo -2, Dan -2, Eva 1"
    assert "quits Ana" in program("status", "--log").out
    (listed,) = program("matches", "--format", "json").data
    assert listed["players"] == [*FOUR, "Eva"]
    assert "Eva" in program("players", "list").out
    merged = program("players", "merge", "Eva", "Ana")
    assert merged.code == 2
    assert "both play in match 1" in merged.err
    judged = program("judge", "quits Ben")
    assert judged.code == 0
    assert "is for 4 or 5 or 6 or 7 players, not 3" in judged.out


def test_the_live_table_goes_on_among_those_who_sit_there(tmp_path: Path) -> None:
    store = Book(str(tmp_path / "book.db"))
    table = Session([begin_match(store, rules_of("doppelkopf"), FOUR)], "de").current
    for line in (DEAL.format("Ana+Ben"), "joins Eva after Cleo", "quits Cl", "all: gesund"):
        assert table.enter(line) == ""
    assert table.enter("hand Eva: 12") == ""
    assert [each.text for each in table.complete("Eva: DAM")] == []
    assert [each.text for each in table.complete("hand E")] == ["hand Eva: "]
    assert {row.name for row in table.screen().rows} == {"Ana", "Ben", "Eva", "Dan"}
    lines = table.score()
    assert lines[0].split() == ["points", "Ana", "Ben", "Cleo", "Dan", "Eva"]
    assert lines[1].split() == ["after", "1", "1", "1", "-1", "-1"]  # Eva was not there
    assert lines[2].split() == ["now", "1", "1", "-1", "-1", "0"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("quits ", ["quits Ana", "quits Ben", "quits Cleo", "quits Dan"]),
        ("quits C", ["quits Cleo"]),
        ("joins Eva", []),
        ("joins Eva after C", ["joins Eva after Cleo"]),
        ("joins Eva for ", [f"joins Eva for {name}" for name in FOUR]),
    ],
)
def test_names_are_completed(typed: str, offered: list[str], tmp_path: Path) -> None:
    store = Book(str(tmp_path / "book.db"))
    table = Session([begin_match(store, rules_of("doppelkopf"), FOUR)], "").current
    assert [each.text for each in table.complete(typed)] == offered


def test_a_name_that_stands_stays_valid_whatever_words_came_since() -> None:
    match = Match(rules_of("dudo"), ["quits", "Ana"], from_storage=True)
    match.record("quits: 2x3")
    match.record("Ana: dudo")
    match.record("count 2")
    match.record("quits quits")
    assert match.seated_players == ["Ana"]
    match.record("joins quits after Ana")
    assert match.seated_players == ["Ana", "quits"]
