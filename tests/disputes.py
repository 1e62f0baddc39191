"""Deals with a mistake in them, and a table that plays them up to a moment.

A card that breaks a rule is marked with `!` in a trick. With known hands, it is recorded with the
table's decision that it stands. With unseen hands, no player can prove anything yet.
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
    """A played card, and whether it breaks a rule."""

    text: str
    wrong: bool


def cards_of(tricks: str) -> Iterator[Card]:
    """Yield the cards of `Ana: AC 9D! 9C 9C` as single entries, clockwise from the player who
    leads."""
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
        """Play on up to that card and play it too. Then go on to the next card that is named."""
        for text in texts:
            self.before(text)
            self._lay(self.cards.pop(0))
        return self

    def before(self, text: str) -> Table:
        """Play on until that card is the next one."""
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
        """Return the number of an entry in its round, from 1."""
        entries = [entry.partition(" !")[0] for entry in self.match.rounds[number - 1].entries]
        return entries.index(text) + 1

    @property
    def faults(self) -> list[dict[str, Any]]:
        """The faults that may still be claimed or weighed."""
        found: list[dict[str, Any]] = self.match.state["faults"]
        return found

    def may(self, text: str) -> list[str]:
        """Return the players who may still claim that entry."""
        number = self.number(text)
        found = [fault["may"] for fault in self.faults if fault["entry"] == number]
        assert len(found) <= 1, found
        return sorted(found[0]) if found else []

    @property
    def scores(self) -> dict[str, int] | None:
        """The scores of the first round."""
        return self.match.rounds[0].scores

    def lines(self, *codes: str) -> list[tuple[str, str, int, str]]:
        """Return the first round's score lines whose code begins with `code`: code, player, points,
        paragraph."""
        found = (line.as_json() for line in self.match.rounds[0].lines)
        return [
            (row["code"], row["for"], row["points"], row["cite"])
            for row in found
            if row["code"].startswith(codes)
        ]

    # --- claims

    def claim(self, who: str, text: str, weight: str = "") -> Table:
        """Enter a player's claim about a wrong entry."""
        return self.say(f"claim {who}: {self.number(text)} {weight}".rstrip())

    def comes_to(self, tmp_path: Path, *scores: int) -> None:
        """Check the scores of the first round, seat by seat, live and from a record."""
        expected = dict(zip(self.match.players, scores, strict=True))
        assert self.scores == expected, self.match.rounds[0].lines
        self.stays(tmp_path)
        assert self.scores == expected

    def stays(self, tmp_path: Path) -> None:
        """Check that the match is the same from its record, and after undoing and repeating its
        last entries."""
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
        """Undo the last entries one by one, and enter them again."""
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
    """Return the score lines of the rounds."""
    return [[line.as_json() for line in played.lines] for played in match.rounds]


def refused(table: Table, text: str) -> str:
    """Return the reason for which an entry is refused. Judging and recording must agree on it."""
    ruling = table.match.judge(text)
    assert ruling.refused, ruling
    with pytest.raises(Illegal) as refusal:
        table.match.record(text)
    assert refusal.value.ruling.text == ruling.text
    return ruling.text
