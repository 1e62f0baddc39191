"""Entries that were read among some players keep their meaning when other players are seated."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Match, Unreadable
from scorekeeper.notation import Notation
from tests.helpers import SHIPPED
from tests.random_play import evening, rules_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.notation import Entry

OTHERS = ["Vic", "Wil", "Xen", "Yves", "Zoe", "Uma", "Tim", "Sue", "Rob", "Pam", "Oma"]


class Nobody(Notation):
    """A notation that fails when it is asked for the players."""

    __slots__ = ()

    @property  # type: ignore[override]
    def names(self) -> Sequence[str]:
        raise AssertionError("who plays was asked")

    @names.setter
    def names(self, value: Sequence[str]) -> None:
        pass

    def find_seat(self, text: str) -> int:
        raise AssertionError("who plays was asked")


def told(entry: Entry) -> tuple[object, ...]:
    return entry.type.word, entry.seat, entry.value, entry.decision, entry.text


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_kept_of_an_act_does_not_hang_on_who_plays(name: str) -> None:
    rules = rules_of(name)
    notation = Notation(rules.lexicon, [])
    notation.__class__ = Nobody
    luck = Random(name)
    for verb in rules.entry_types.values():
        if verb.syntax.names_players:
            continue
        for _ in range(20):
            for value in verb.syntax.sample(luck, notation):
                text = verb.syntax.write(value, notation)
                try:
                    read = verb.syntax.read(text, notation)
                except Unreadable:
                    continue
                assert verb.syntax.write(read, notation) == text


@pytest.mark.parametrize("name", SHIPPED)
def test_entries_of_other_players_are_read_as_if_for_the_first_time(name: str) -> None:
    played = evening(name, 1)
    texts = [said.known for said in played.all() if said.known]
    names = OTHERS[: len(played.names)]
    swapped = [_among(text, played.names, names) for text in texts]
    fresh = Notation(rules_of(name).lexicon, names)
    fresh.lexicon.acts.clear()
    first = [told(Notation(fresh.lexicon, names).read(text)) for text in swapped]
    fresh.lexicon.acts.clear()
    for text in texts:
        Notation(fresh.lexicon, played.names).read(text)
    again = Match(rules_of(name), names).notation
    assert [told(again.read(text)) for text in swapped] == first
    loose = [text.replace(": ", ":  ").lower() for text in swapped if ": " in text]
    for text in loose:
        clean = Notation(fresh.lexicon, names)
        clean.lexicon.acts.clear()
        expected = told(clean.read(text))
        assert told(again.read(text)) == expected
        assert told(Notation(fresh.lexicon, names).read(text)) == expected


@pytest.mark.parametrize("name", SHIPPED)
def test_a_line_of_an_act_that_is_known_is_split_as_if_for_the_first_time(name: str) -> None:
    played = evening(name, 2)
    lines = [said.known for said in played.all() if said.known]
    lines = [*lines, *map("{}, {}".format, lines, lines[1:]), *map("{} # so".format, lines)]
    fresh = Notation(rules_of(name).lexicon, played.names)
    fresh.lexicon.acts.clear()
    first = [fresh.split_line(line) for line in lines]
    for entries in first:
        for text in entries:
            fresh.read(text)
    assert [fresh.split_line(line) for line in lines] == first


def _among(text: str, names: Sequence[str], others: Sequence[str]) -> str:
    for name, other in zip(names, others, strict=True):
        text = text.replace(name, other)
    return text


def test_right_after_a_table_word_a_colon_has_no_name_before_it() -> None:
    notation = Notation(rules_of("durak").lexicon, ["Ana", "Ben"])
    for text in ("hand: Ana: 6H", "hand:Ana: 6H", "hand : 6H"):
        with pytest.raises(Unreadable, match=r"^hand: no player is called “”"):
            notation.read(text)
