"""The view of a round of numbers: its facts, and the texts and JSON made from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import Prompt, join_list, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Json

# The values of the key `who`: whose numbers are entered.
EACH, SIDES, ONE, PLACES = "each", "sides", "one", "places"


class NumbersFacts(NamedTuple):
    """The numbers of a round.

    `who` is the value of the ruleset's key `who`. If there are several kinds of numbers, `kind` is
    the current kind, and `kind_word` its translation. `lacking` are the players or sides that have
    no number of this kind. `numbers` are the numbers so far by kind and player, and `said` the
    words by player. `forms` translates these words. `wanted` is the required sum of the numbers, or
    None.
    """

    who: str
    kind: str
    kind_word: str
    lacking: list[str]
    numbers: dict[str, dict[str, int]]
    said: dict[str, list[str]]
    forms: dict[str, str]
    wanted: int | None


class NumbersView(View[NumbersFacts]):
    """The view of the numbers of a round."""

    __slots__ = ()

    def prompt(self) -> Prompt:
        names = self.facts.lacking
        if self.facts.who == PLACES:
            text = tr(
                "the places of {names}: type the names, first to last", names=join_list(names)
            )
        elif self.facts.who == ONE and len(names) > 1:
            text = tr("the winner's number: type it after the name, as “{one}: 12”", one=names[0])
        elif len(names) == 1:
            text = tr("the number of {name}", name=names[0])
        else:
            text = tr("the numbers of {names}, in this order", names=join_list(names))
        if self.facts.kind:
            text = f"{self.facts.kind_word}: {text}"
        if self.facts.wanted is not None:
            text = tr("{text}; all numbers must add up to {sum}", text=text, sum=self.facts.wanted)
        return Prompt(text)

    def table(self) -> Iterator[str]:
        for name in self._named():
            yield self._describe(name)

    def _named(self) -> list[str]:
        names = (name for given in self.facts.numbers.values() for name in given)
        return list(dict.fromkeys(names))

    def _describe(self, name: str) -> str:
        numbers = [str(given[name]) for given in self.facts.numbers.values() if name in given]
        words = [self.facts.forms[word] for word in self.facts.said.get(name, ())]
        return f"{name}: {' '.join([*numbers, *words])}"

    def as_json(self) -> Json:
        facts = self.facts
        shown = [
            {
                "who": name,
                **{kind: given[name] for kind, given in facts.numbers.items() if name in given},
                **({"said": facts.said[name]} if facts.said.get(name) else {}),
            }
            for name in self._named()
        ]
        bindings: Json = {} if facts.wanted is None else {"sum": facts.wanted}
        return {"table": shown, "bindings": bindings}

    def summary(self) -> Json:
        facts: Json = {
            f"player.{kind}": dict(given) for kind, given in self.facts.numbers.items() if given
        }
        if any(self.facts.said.values()):
            facts["player.said"] = {name: list(words) for name, words in self.facts.said.items()}
        return facts
