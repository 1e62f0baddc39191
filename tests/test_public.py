"""Public information: matches that differ only in entered hands are shown the same, byte for byte.

The live table, `status` and the watched scene are compared at every entry, after an undo and
after an amendment. Then each fact that only an entered hand decides is tested separately.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.cli.show import status_lines
from scorekeeper.core.errors import Damaged, Locked
from scorekeeper.session.live import LiveMatch
from scorekeeper.session.public_round import make_public
from scorekeeper.session.rulings import Faults
from scorekeeper.session.spectators import SpectatorMatch
from scorekeeper.store.arrivals import import_match
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder, begin_match
from tests.public_pairs import Pair, pair_of
from tests.random_play import rules_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.session.spectators import Scene

FOUR = ["Ana", "Ben", "Cleo", "Dan"]
# Ben revokes in the first trick: he has clubs, but no player has seen them.
REVOKE = [
    "hand Ana: TH TH QC QH QD JH JD AC TC AS TS TS",
    "hand Ben: JS JD AD KD KD 9D KC AS AH KH 9H 9H",
    "hand Cleo: QC JC JC AD TD TD TC KC 9C 9S 9S KH",
    "hand Dan: QS QS QH QD JS JH 9D AC 9C KS KS AH",
    *("all: gesund", "Ana: AC", "Ben: 9D !stands"),
]
# The same with another club in Ben's hand.
REVOKE_TOO = [
    *(REVOKE[0], REVOKE[1].replace("KC", "9C"), REVOKE[2].replace("9C", "KC"), *REVOKE[3:]),
]
CARD = re.compile(r"\b(?:10|[2-9TJQKA])[CSHD]\b")


class Side:
    """One of two matches, with a live table for its entries and with spectators."""

    def __init__(self, ruleset: str, names: Sequence[str]) -> None:
        self.store = Book(":memory:")
        desk = begin_match(self.store, rules_of(ruleset), names, started="2026-01-01")
        self.board = LiveMatch(desk)
        self.watched, self.late = self.watch(), self.watch(1)

    def desk(self) -> MatchRecorder:
        return MatchRecorder(self.store, 1)

    def watch(self, delay: int = 0) -> SpectatorMatch:
        return SpectatorMatch(self.desk(), delay)

    def enter(self, *texts: str) -> Side:
        for text in texts:
            assert self.board.enter(text) == "", (text, self.board.log.events[-3:])
        return self

    def scene(self) -> Scene:
        self.watched.check_news()
        return self.watched.scene()

    def told(self) -> dict[str, object]:
        """Return all that is shown after every entry."""
        found: dict[str, object] = {"screen": self.board.screen(), "log": self.board.log.events}
        for name, watched in {"scene": self.watched, "late": self.late}.items():
            watched.check_news()
            found[name] = bare(watched.scene())
        return found

    def told_when_asked(self, lines: Sequence[str]) -> dict[str, object]:
        """Return all that commands show on request, and all that is shown to spectators who arrive
        now."""
        board = self.board
        shown = make_public(board.match, board.desk)
        faults = Faults(shown, shown, board.speech)
        return {
            "json": json.dumps([shown.state, faults.all]),
            "status": status_lines(shown, faults),
            "asked": [board.last(), board.score(), board.explain(), board.help(), board.rulings()],
            "typed": [[board.complete(line), board.hint(line)] for line in lines],
            "anew": [event.text for event in LiveMatch(self.desk()).log.events],
            "scene anew": bare(self.watch().scene()),
            "late anew": bare(self.watch(1).scene()),
        }


def bare(scene: Scene) -> str:
    """Return a scene as text, with the data that a sheet is made from."""
    rounds = [[told.entries, told.summary] for told in scene.history.review()]
    stands = [scene.history.scores, scene.history.players, scene.history.over]
    return json.dumps([scene._replace(history=None), rounds, stands])  # type: ignore[arg-type]


def play_alike(pair: Pair) -> tuple[Side, Side]:
    """Play both matches; all that they show is the same at every entry."""
    one, other = Side(pair.ruleset, pair.names), Side(pair.ruleset, pair.names)
    for at, (mine, theirs) in enumerate(zip(pair.one, pair.other, strict=True)):
        assert one.enter(mine).told() == other.enter(theirs).told(), (at, mine, theirs)
    return one, other


PAIRS = [
    *(("doppelkopf-ddv", 16), ("doppelkopf-ddv", 1), ("doppelkopf", 3), ("doppelkopf-armut", 5)),
    *(("skat", 2), ("durak-transfer", 2), ("durak", 1), ("da-ban", 3), ("hearts", 3)),
    *(("euchre", 2), ("belote", 1), ("sheng-ji", 1), ("podkidnoy", 1)),
]


@pytest.mark.parametrize(("ruleset", "seed"), PAIRS)
def test_matches_that_differ_in_entered_hands_are_told_alike(ruleset: str, seed: int) -> None:
    pair = pair_of(ruleset, seed, 26, swaps=1 + seed % 3)
    assert pair is not None
    assert pair.one != pair.other
    one, other = play_alike(pair)
    lines = ["", "1", pair.names[0], f"{pair.names[1]}: ", "claim "]
    assert one.told_when_asked(lines) == other.told_when_asked(lines)
    amends = f"amend {one.board.match.live_round.number}.1 --before --yes note late"
    assert one.board.amend(amends) == other.board.amend(amends) == ""
    for _ in range(4):
        one.board.undo()
        other.board.undo()
        assert one.told() == other.told()
    assert one.told_when_asked([]) == other.told_when_asked([])


# --- facts that only an entered hand decides


def ddv(texts: Sequence[str]) -> Side:
    return Side("doppelkopf-ddv", FOUR).enter(*texts)


def test_what_a_hand_refuses_is_told_as_just_that_and_waits_everywhere() -> None:
    sides = [Side("doppelkopf-ddv", FOUR).enter(*texts[:-1]) for texts in (REVOKE, REVOKE_TOO)]
    for side in sides:
        assert side.board.hint("9D").kind == "open"  # no player has seen that Ben could follow
        assert side.board.enter("9D") == "9D"
        told = [event.text for event in side.board.log.events if event.is_passing]
        assert told == [
            "Ben: 9D: illegal",
            "  this breaks a rule because of a hand that was entered; “scorekeeper judge” shows"
            " the reason (entry.hand)",
        ]
        assert (
            side.scene().pending == "an entry was refused and is waiting for the table's decision"
        )
        assert "Ben: 9D" not in bare(side.scene())
    assert sides[0].told() == sides[1].told()
    assert sides[0].board.explain() == sides[1].board.explain()
    sides[0].board.correct()
    assert sides[0].scene().pending == ""
    assert sides[1].board.decide("stands") == ""
    assert sides[1].scene().pending == ""
    told = [event.text for event in sides[1].board.log.events]
    assert any(text.startswith("    open: Ben has not followed clubs") for text in told)
    assert any("Ana, Cleo or Dan may claim 7 (Ben: 9D" in text for text in told)


def test_which_rule_a_hand_uses_is_not_told() -> None:
    rest = "2D 3D 4D 5D 6D 7D 8D"
    sides = [
        Side("whist", FOUR).enter(f"hand Ben: {hand}", "turnup 2S", "Ana: AC")
        for hand in (f"KC {rest} 9D 2H 3H 4H 5H", f"6H {rest} TD 2H 3H 4H 5H")
    ]
    for side in sides:
        assert side.board.enter("9D") == "9D"
    codes = [side.board.match.judge("Ben: 9D").findings[0].code for side in sides]
    assert codes == ["tricks.follow", "tricks.held"]
    assert sides[0].told() == sides[1].told()
    assert sides[0].board.explain() == sides[1].board.explain()


def test_a_refused_entry_that_is_left_waits_for_nobody() -> None:
    side = ddv(REVOKE[:-1])
    side.board.enter("9D")
    side.board.leave()
    assert side.scene().pending == ""


def test_what_cannot_be_by_entered_hands_is_not_told_with_their_cards() -> None:
    side = ddv(REVOKE[:3])
    assert side.board.enter("hand Dan: QC QS QH QD JS JH 9D AC 9C KS KS AH") != ""
    assert [event.text for event in side.board.log.events if event.is_passing] == [
        "hand Dan: 12: this contradicts other entries"
    ]


def test_what_could_not_be_taken_is_told_without_the_cards_in_it() -> None:
    side = Side("skat", FOUR[:3]).enter("Ben: bid 18", "Ana: pass", "Cleo: pass", "Ben: take")
    for line in ("Ben: bury 9C QS !stands", "hand Ben: 9C QS xx", "hand Ben: 9C QS 9C"):
        side.board.enter(line)
    told = [event.text for event in side.board.log.events if event.is_passing]
    assert told
    assert not any(card in text for text in told for card in ("9C", "QS"))
    side.board.enter("9Q")
    assert "9Q" in side.board.log.events[-1].text


def test_a_round_that_only_hands_can_rule_is_told_by_its_entries_until_it_is_over() -> None:
    called = ["Ana: keine90", "Ana: AC"]  # her hand puts her on re, which no player has seen
    sides = [ddv([*texts[:5], *called]) for texts in (REVOKE, REVOKE_TOO)]
    assert sides[0].told() == sides[1].told()
    side = sides[0]
    scene = side.scene()
    assert scene.screen is not None
    said = (
        "1.6 (Ana: keine90) depends on a hand that was entered but not shown; until the round"
        " ends, only its entries are shown"
    )
    assert (scene.screen.turn, side.board.screen().turn) == (said, said)
    assert (scene.screen.table, scene.screen.claims) == ([], [])
    assert [said.text for said in scene.log][-2:] == called
    assert not any("against" in line for line in scene.rulings)
    side.enter("result re=Ana+Cleo points=162")
    scene = side.scene()
    scores = side.board.match.scores
    assert scene.history.scores == scores
    assert scores["Ana"] > 0
    assert scene.screen is not None
    assert scene.screen.over
    assert scene.screen.turn.startswith("Ben says gesund")


def test_an_act_that_was_taken_back_is_a_note_only_where_it_leaves_no_room() -> None:
    """Ana has no TH, so the withdrawn card was not hers. The table sees that only after both of
    them were played by other players."""
    hand = "hand Ana: QC QC JC JS JH JD AD KD 9D AC TC 9C"
    texts = [hand, "all: gesund", "Ana: TH !withdrawn", "Ana: QC", "Ben: TH"]
    match = Match(load_ruleset("doppelkopf"), FOUR)
    for text in texts:
        match.record(text)
    assert match.public_texts(match.rounds[0])[2] == "Ana: TH !withdrawn"
    match.record("Cleo: TH")
    seen = match.public_copy()
    assert seen.rounds[0].entries[2] == "note it was taken back"
    assert not [found for _, found in seen.rounds[0].findings if found.refuses]
    assert seen.state["table"] == match.state["table"]


def test_a_finished_round_is_reviewed_by_what_was_public() -> None:
    """Ana holds both queens of clubs and so plays alone, but no player has seen that."""
    hand = "hand Ana: QC QC JC JS JH JD AD KD 9D AC TC 9C"
    side = Side("doppelkopf", FOUR).enter(hand, "all: gesund", "Ana: AC", "Ben: 9C", "Cleo: KC")
    assert side.board.match.state["sides"]["re"] == ["Ana"]
    told = next(iter(side.scene().history.summaries()))
    assert told["sides"] == {}
    assert "QC" not in bare(side.scene())


# --- pending decisions, late readers, unreadable stores


def test_what_nobody_has_decided_and_all_that_follows_is_not_shown() -> None:
    store = Book(":memory:")
    match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    match.play_round(["Ana: 3x4", "Ben: 2x4", "Ana: 5x4"])
    desk = MatchRecorder(store, import_match(store, match).match)
    watched = SpectatorMatch(desk)
    scene = watched.scene()
    assert (
        scene.pending
        == "1.2 (Ben: 2x4) is waiting for the table's decision; later entries are hidden"
    )
    assert [said.text for said in scene.log] == ["Ana: 3x4"]
    assert scene.screen is not None
    assert scene.screen.turn.startswith("Ben ")
    desk.amend(1, 2, "Ben: 2x4 !stands")
    assert watched.check_news()
    assert watched.scene().pending == ""
    assert [said.text for said in watched.scene().log] == [
        "Ana: 3x4",
        "Ben: 2x4 !stands",
        "Ana: 5x4",
    ]


def test_what_is_claimed_is_not_shown_before_it_is_weighed() -> None:
    side = ddv([*REVOKE, "Cleo: KC", "claim Ana: 7"])
    scene = side.scene()
    assert scene.pending.startswith("1.7 (Ben: 9D !stands) is waiting")
    assert [said.text for said in scene.log][-1] == "Ana: AC"
    side.enter("weigh 7 minor")
    assert side.scene().pending == ""
    assert side.scene().log[-1].text == "weigh 7 minor"


ROUND = ["Ana: 3x4", "Ben: dudo", "count 2"]


def test_with_a_delay_a_deal_is_shown_when_it_is_over() -> None:
    side = Side("dudo", ["Ana", "Ben"]).enter(*ROUND[:2])
    late, later = side.late, side.watch(2)
    late.check_news()
    assert (late.scene().screen, late.scene().log) == (None, [])
    assert late.scene().pending == "this deal will be shown when it is finished"
    side.enter(ROUND[2])
    assert late.check_news()
    assert [said.text for said in late.scene().log] == ROUND
    assert late.scene().screen == side.scene().screen
    side.enter("Ana: 2x2")
    late.check_news()
    later.check_news()
    assert late.scene().screen is None
    assert [said.text for said in late.scene().log] == ROUND
    assert later.scene().log == []
    assert later.scene().pending == "a deal is shown once the next one is finished"
    assert side.watch(4).scene().pending == "a deal is shown once 3 more deals are finished"
    side.board.undo()
    side.board.undo()
    assert late.check_news()
    assert late.scene().log == []


def test_who_looks_on_follows_whatever_is_recorded() -> None:
    side = Side("dudo", ["Ana", "Ben"])
    assert not side.watched.check_news()
    for texts in (
        ROUND[:1],
        ROUND[1:],
        ["Ana: 2x2"],
        ["Ben: 3x2", "Ana: dudo", "count 1", "Ben: 2x6"],
    ):
        side.enter(*texts)
        before = side.watched.scene().position
        assert side.watched.check_news()
        assert side.watched.scene().position > before
        assert not side.watched.check_news()
    other = side.desk()
    other.amend(1, 1, "Ana: 2x4")
    assert side.watched.check_news()
    assert side.watched.scene().log[0].text == "Ana: 2x4"
    other.describe(title="Friday")
    assert side.watched.check_news()
    assert ("Title", "Friday") in side.watched.scene().details
    assert bare(side.watched.scene()) != bare(side.late.scene())
    for _ in range(3):
        side.board.undo()
        side.watched.check_news()
        made_anew = side.watch().scene()
        assert bare(side.watched.scene()._replace(position=0)) == bare(
            made_anew._replace(position=0)
        )


class Failing(Book):
    """A store that cannot be read while `failure` is set."""

    failure: Damaged | None = None

    def position(self, match_id: int) -> int:
        if self.failure is not None:
            raise self.failure
        return super().position(match_id)


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (Locked("busy at /home/ana", "wait"), "another program is using the book"),
        (Damaged("damaged at /home/ana"), "the book cannot be read now"),
    ],
)
def test_what_cannot_be_read_for_a_while_stays_as_it_was(failure: Damaged, said: str) -> None:
    store = Failing(":memory:")
    desk = begin_match(store, load_ruleset("dudo"), ["Ana", "Ben"])
    watched = SpectatorMatch(MatchRecorder(store, desk.id))
    desk.record(["Ana: 3x4"])
    watched.check_news()
    before = watched.scene()
    store.failure = failure
    assert watched.check_news()
    assert not watched.check_news()
    assert watched.scene().trouble.startswith(said)
    assert "/home" not in watched.scene().trouble
    assert watched.scene()._replace(trouble="") == before
    store.failure = None
    desk.record(["Ben: 4x4"])
    assert watched.check_news()
    assert watched.scene().trouble == ""
    assert len(watched.scene().log) == 2


def test_a_match_that_is_deleted_is_told_and_stays_as_it_was() -> None:
    side = Side("dudo", ["Ana", "Ben"]).enter("3x4")
    side.scene()
    side.store.erase(1)
    scene = side.scene()
    assert scene.trouble.startswith("this match is no longer in the book")
    assert scene.log[0].text == "Ana: 3x4"


@pytest.mark.parametrize(("ruleset", "seed"), [("doppelkopf", 5), ("skat", 3), ("durak", 4)])
def test_no_card_is_shown_that_is_in_an_entered_hand_alone(ruleset: str, seed: int) -> None:
    pair = pair_of(ruleset, seed, 24)
    assert pair is not None
    side = Side(ruleset, pair.names).enter(*pair.one)
    match = side.board.match
    public: list[str] = []
    for played in match.rounds:
        public += match.public_entries(played).texts
    shown = scene_cards(side.scene())
    entered = set(CARD.findall(" ".join(pair.one)))
    assert shown <= set(CARD.findall(" ".join(public)))
    assert entered - shown


def scene_cards(scene: Scene) -> set[str]:
    found = [bare(scene), list(scene.history.summaries())]
    return set(CARD.findall(json.dumps(found)))


@pytest.mark.parametrize(
    ("ruleset", "texts", "shown"),
    [
        ("dudo", ["Ana: 3x4", "dice Ana: 1 3 3 4 6", "Ben: dudo"], "dice Ana: …"),
        ("dudo", ["hand Ana: 5", "Ana: 2x2", "dice Ben: 1 2 3 4 5"], "dice Ben: …"),
        ("dudo", ["Ana: 2x2", "dice Ben 1 2 3 4 5"], "dice …"),
        ("doppelkopf", ["hand Zoe: AC KD", "all: gesund"], "hand …"),
        ("doppelkopf", ["hnd Ben: QC QC"], "hnd Ben: …"),
        ("doppelkopf-armut", ["bury QC QD QX"], "…"),
        ("hearts", ["Eva: give AC 9D TC"], "Eva: give …"),
        ("hearts", ["AC 9D Ana: TC 2C"], "…"),
    ],
)
def test_of_what_could_not_be_said_no_more_is_told_than_that_it_was(
    ruleset: str, texts: list[str], shown: str
) -> None:
    match = Match(load_ruleset(ruleset), FOUR)
    match.play_round(texts)
    store = Book(":memory:")
    desk = MatchRecorder(store, import_match(store, match).match)
    scene = SpectatorMatch(desk).scene()
    assert [said.text for said in scene.log].count(shown) == 1
    secret = shown_part(texts, shown)
    for told in (bare(scene), *(event.text for event in LiveMatch(desk).log.events)):
        assert secret not in told


def shown_part(texts: list[str], shown: str) -> str:
    """Return the part of an entry that is hidden from spectators."""
    begun = shown.removesuffix("…").strip()
    text = next(text for text in texts if text.startswith(begun))
    return text.removeprefix(begun).strip(": ")
