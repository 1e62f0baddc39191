"""Deals in which something goes wrong, and a table that plays them up to a moment.

A card that breaks a rule is marked with `!` in a trick. Where hands are known, it is recorded with
the table's decision that it stands; where they are not, nobody can prove anything yet.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from scorekeeper import Illegal, Match, load_ruleset, read_record, verify_record, write_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import JsonValue

FOUR = ("Ana", "Ben", "Cleo", "Dan")
RULES = "doppelkopf-ddv"
DEALS = tomllib.loads(Path(__file__).with_name("disputed_deals.toml").read_text("utf-8"))

hands = pytest.mark.parametrize("known", [False, True], ids=["unseen", "known"])


class Card(NamedTuple):
    """A card that is laid, and whether it breaks a rule."""

    text: str
    wrong: bool


def cards_of(tricks: str) -> Iterator[Card]:
    """The cards of `Ana: AC 9D! 9C 9C`, one entry each: clockwise from who leads."""
    for trick in tricks.split("\n")[:-1]:
        leader, _, laid = trick.partition("#")[0].partition(": ")
        first = FOUR.index(leader)
        for step, card in enumerate(laid.split()):
            name = FOUR[(first + step) % 4]
            yield Card(f"{name}: {card.rstrip('!')}", card.endswith("!"))


class Table:
    """A match in which one of the deals is played, card by card."""

    def __init__(
        self,
        name: str,
        known: bool,
        words: Sequence[str] | None = None,
        players: Sequence[str] = FOUR,
        **options: JsonValue,
    ) -> None:
        deal = DEALS[name]
        self.known = known
        self.match = Match(load_ruleset(RULES, **options), list(players))
        self.cards = list(cards_of(deal["tricks"]))
        if known:
            for who, cards in deal["hands"].items():
                self.match.record(f"hand {who}: {cards}")
        self.say(*(deal.get("words", ["all: gesund"]) if words is None else words))

    # --- what happens

    def say(self, *texts: str) -> Table:
        """Record entries."""
        for text in texts:
            self.match.record(text)
        return self

    def to(self, *texts: str) -> Table:
        """Play on up to that card, which is laid too; then to the next that is named."""
        for text in texts:
            self.before(text)
            self._lay(self.cards.pop(0))
        return self

    def before(self, text: str) -> Table:
        """Play on until that card comes next."""
        while self.cards[0].text != text:
            self._lay(self.cards.pop(0))
        return self

    def rest(self) -> Table:
        """Play the deal to its end."""
        for card in self.cards:
            self._lay(card)
        self.cards.clear()
        return self

    def _lay(self, card: Card) -> None:
        decided = " !stands" if card.wrong and self.known else ""
        self.match.record(card.text + decided)

    # --- how it stands

    def number(self, text: str, number: int = 1) -> int:
        """The number of an entry of a round."""
        entries = [entry.partition(" !")[0] for entry in self.match.rounds[number - 1].entries]
        return entries.index(text) + 1

    @property
    def faults(self) -> list[dict[str, Any]]:
        """What may still be claimed or weighed."""
        found: list[dict[str, Any]] = self.match.state["faults"]
        return found

    def may(self, text: str) -> list[str]:
        """Who may still claim that entry."""
        number = self.number(text)
        found = [fault["may"] for fault in self.faults if fault["entry"] == number]
        assert len(found) <= 1, found
        return sorted(found[0]) if found else []

    @property
    def scores(self) -> dict[str, int] | None:
        """What the first round came to."""
        return self.match.rounds[0].scores

    def lines(self, *codes: str) -> list[tuple[str, str, int, str]]:
        """The lines of the first round whose code begins so: code, for whom, points, paragraph."""
        found = (line.as_json() for line in self.match.rounds[0].lines)
        return [
            (row["code"], row["for"], row["points"], row["cite"])
            for row in found
            if row["code"].startswith(codes)
        ]

    # --- claims

    def claim(self, who: str, text: str, weight: str = "") -> Table:
        """Somebody claims what was wrong with an entry."""
        return self.say(f"claim {who}: {self.number(text)} {weight}".rstrip())

    def comes_to(self, tmp_path: Path, *scores: int) -> None:
        """The first round comes to these scores, seat by seat, live and told again."""
        expected = dict(zip(self.match.players, scores, strict=True))
        assert self.scores == expected, self.match.rounds[0].lines
        self.stays(tmp_path)
        assert self.scores == expected

    def stays(self, tmp_path: Path) -> None:
        """The match is the same in a record that is read again, and after its last entries were
        undone and said again."""
        match, path = self.match, tmp_path / "dispute.toml"
        write_record(match, path)
        found, scores = verify_record(path), [played.scores for played in match.rounds]
        assert [played["scores"] for played in found["rounds"]] == scores
        assert found["scores"] == match.scores
        again = read_record(path)
        assert again.state == match.state
        assert lines_of(again) == lines_of(match)
        self._again()

    def _again(self) -> None:
        """Take the last entries back one by one, and say them again."""
        match = self.match
        states, texts = [], []
        for _ in range(min(12, sum(len(played.entries) for played in match.rounds))):
            states.append((match.state, [played.scores for played in match.rounds]))
            texts.append(match.undo())
        for text in reversed(texts):
            match.record(text)
            state = (match.state, [played.scores for played in match.rounds])
            assert state == states.pop()


def lines_of(match: Match) -> list[list[dict[str, Any]]]:
    """What the scores of the rounds are made up of."""
    return [[line.as_json() for line in played.lines] for played in match.rounds]


def refused(table: Table, text: str) -> str:
    """Why an entry is refused; judging and recording it agree."""
    ruling = table.match.judge(text)
    assert ruling.refused, ruling
    with pytest.raises(Illegal) as refusal:
        table.match.record(text)
    assert refusal.value.ruling.text == ruling.text
    return ruling.text
