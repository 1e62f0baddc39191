"""Classes of penalty: what each costs who is to blame, and what the others get."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.expressions import NotSeen
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.ruleset.evidence import publicly_alone
from scorekeeper.ruleset.phase import CULPRIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.expressions import Expression
    from scorekeeper.ruleset.joint import Joint, Rules

    # What changes by a penalty: its code, the seats of one tally, points, the citation.
    Charge = tuple[str, tuple[int, ...], int, str]


# What the table enters itself, where no rule says what follows.
OWN_WORDS = {"void": mark("WHY"), "result": "…", "penalty": mark("NAME: -1 WHY")}


def by_the_table(rules: Rules) -> str:
    """What is typed where no rule says what follows and the table decides it."""
    forms = [(word, tr(form)) for word, form in OWN_WORDS.items() if word in rules.verbs]
    return ", ".join(f"{rules.spoken(word)} {form}" for word, form in forms)


class Penalty(NamedTuple):
    """A class of penalties: the points of the culprit, of each other side, and of who is publicly
    alone, where the culprit plays against them; and the citation."""

    culprit: Expression
    others: Expression
    declarer: Expression
    cite: str


class Penalties:
    """The rows of [penalties], compiled."""

    def __init__(self, rules: Rules) -> None:
        self._classes: dict[str, Penalty] = {}
        for name, row in rules.section("penalties").items():
            third = "others" if row["declarer"] == "" else "declarer"
            culprit, others, declarer = (
                rules.expression(row[key], f"penalties.{name}.{key}", (CULPRIT,), whole=True)
                for key in ("culprit", "others", third)
            )
            self._classes[name] = Penalty(culprit, others, declarer, row["cite"])

    def own(self, rnd: Joint, seat: int, name: str) -> Charge:
        """The part of it that is the culprit's, whether or not they take part."""
        row = self._classes[name]
        points = int(rnd.evaluate(row.culprit, seat))
        return f"penalties.{name}", rnd.sharing(seat), points, row.cite

    def charges(self, rnd: Joint, seat: int, name: str) -> Iterator[Charge]:
        """What a penalty of that class changes if that seat is to blame, as the round stands.
        Raises Unreadable for a class that there is not, Impossible where it hangs on what nobody
        knows yet, and for who does not take part."""
        found = self._classes.get(name)
        if found is None:
            names = ", ".join(map(rnd.rules.spoken, self._classes))
            known = (
                tr("classes are {classes}", classes=names) if names else tr("this ruleset has none")
            )
            raise Unreadable(
                tr("“{text}” is no class of penalty; {known}", text=name, known=known),
                "penalty NAME: -1 WHY",
            )
        if seat not in rnd.seats:
            who = rnd.names[seat]
            say = tr("{who} sits out: a class of penalty is between those who take part", who=who)
            raise Impossible(say, f"penalty {who}: -1 WHY")
        own, alone = rnd.sharing(seat), publicly_alone(rnd)
        for side in dict.fromkeys(map(rnd.sharing, rnd.seats)):
            points = found.declarer if alone in side else found.others
            points = found.culprit if side == own else points
            yield f"penalties.{name}", side, self._figure(rnd, points, seat), found.cite

    def _figure(self, rnd: Joint, points: Expression, seat: int) -> int:
        try:
            points.of(rnd, seat)
        except NotSeen as error:
            raise Impossible(tr("the penalty hangs on it: {what}", what=error.message)) from None
        return int(rnd.evaluate(points, seat))
