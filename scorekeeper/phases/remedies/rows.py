"""The rows of [remedies] and [consequences]: what they take, and compiled. Part of remedies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.ruleset.decisions import AGAIN, COUNTS, LOST, UNSCORED, VOID
from scorekeeper.ruleset.phase import CULPRIT
from scorekeeper.ruleset.tables import DEALING, SAME, Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.joint import Rules

TOLD, FOUL = "told", "foul"
DONE, SHOWN = "done", "shown"
ACTS, SPEAKS, SIDE, TRICK, SECOND = "acts", "speaks", "side", "trick", "second-card"
TAKEN_UP, DEAL, NEXT_DEAL = "taken-up", "deal", "next-deal"
UNTIL = (ACTS, SPEAKS, SIDE, TRICK, SECOND, TAKEN_UP, DEAL, NEXT_DEAL)
LAW, CLAIMANT, JUDGE = "law", "claimant", "judge"
OTHERS, OPPONENTS, EVERYBODY, NEXT = "others", "opponents", "everybody", "next"
WHO = (OTHERS, OPPONENTS, EVERYBODY, NEXT)
ON, STOPS, GIVEN = "on", "stops", "given"
DUE = "due"  # who was to deal
CULPRIT_STARTS = "culprit"

REMEDY: Mapping[str, Parameter] = {
    "on": Parameter(
        "texts",
        "the codes of the findings that it answers; or `told`: what the referee cannot see; or"
        " `foul`: the table's word, with which the law's choice happens at once, unclaimed",
    ),
    "who": Parameter(
        "text",
        "who may claim it: `others` (than the culprit), `opponents`, `everybody`, `next`; or one of"
        " these `if` a condition `else` another",
        OTHERS,
    ),
    "from": Parameter(
        "choice",
        "from when on: when it was `done`, or when all could see it (`shown`)",
        SHOWN,
        (SHOWN, DONE),
    ),
    "until": Parameter(
        "choice",
        "until when: each claimant's own next act, in the next round too (`acts`); anybody's next"
        " act (`speaks`); the next act of one of their side (`side`); the end of the trick or bout"
        " (`trick`); the second card of the round (`second-card`); each claimant's own first act of"
        " the round (`taken-up`); the end of the round (`deal`); each claimant's own first act of"
        " the next one (`next-deal`)",
        ACTS,
        UNTIL,
    ),
    "choice": Parameter(
        "choice",
        "who chooses what follows: the `law` (the first that applies), the `claimant`, a `judge`",
        LAW,
        (LAW, CLAIMANT, JUDGE),
    ),
    "then": Parameter("texts", "what may follow: rows of [consequences]", rows="consequences"),
    "decided": Parameter(
        "name",
        "the row of [consequences] that stands for every choice with an effect, once it applies",
        "",
        rows="consequences",
    ),
    "cite": Parameter("text", "the paragraph of the rule text"),
}
CONSEQUENCE: Mapping[str, Parameter] = {
    "as": Parameter(
        "text",
        "the word by which it is chosen (without it: the row's name); of several that apply"
        " the first counts",
        "",
    ),
    "when": Parameter("condition", "that it applies, as the round was at the act", "true"),
    "undone": Parameter("condition", "that the act is taken back", "false"),
    "play": Parameter(
        "choice",
        "whether play goes `on` or `stops`; `given`: it stops, and all tricks from the one of the"
        " act on go to the other side",
        ON,
        (ON, STOPS, GIVEN),
    ),
    "round": Parameter(
        "choice",
        "where play stops: the round `counts`, is `void`, is one without a score (`unscored`), or"
        " counts with `own.forfeited` for the culprit's side (`lost`)",
        COUNTS,
        (COUNTS, VOID, UNSCORED, LOST),
    ),
    "penalty": Parameter("name", "the class of penalty that the culprit has", "", rows="penalties"),
    "off": Parameter(
        "int", "the most points that the claim may take off the culprit", 0, bounds=(0, 9999)
    ),
    "tricks": Parameter(
        "number", "how many of the culprit's side's last tricks go to the others at the end", 0
    ),
    "dealer": Parameter(
        "choice",
        "who deals after a void round: the `same` player again, the `next`, or who was to deal it"
        " (`due`); without it as `deal.after_void` says",
        "",
        ("", *DEALING, DUE),
    ),
    "starts": Parameter(
        "choice",
        "where play stops: who starts the next round, the `culprit` or the `same` as this one"
        " (without it: as ever)",
        "",
        ("", CULPRIT_STARTS, SAME),
    ),
    "bars": Parameter("texts", "the verbs that the culprit may not use any more in this round", []),
    "cite": Parameter("text", "the paragraph of the rule text", ""),
}


class Who:
    """Who may claim something: of two kinds the first `if` a condition holds, else the other."""

    __slots__ = ("first", "other", "when")

    def __init__(self, text: str, where: str, rules: Rules) -> None:
        first, split, rest = text.partition(" if ")
        condition, also, other = rest.rpartition(" else ")
        self.first, self.other = first.strip(), (other if split else first).strip()
        for name in (self.first, self.other):
            if name not in WHO or bool(split) != bool(also):
                allowed = f"{', '.join(WHO)}, or WHO if CONDITION else WHO"
                rules.fault(
                    where,
                    text,
                    allowed,
                    f"{where}: “{text}” is nobody who may claim",
                )
                break
        self.when: Expression = rules.expression(condition if split else "true", where)


class Remedy:
    """A row of [remedies], compiled."""

    __slots__ = ("choice", "cite", "decided", "name", "on", "shown", "then", "until", "who")

    def __init__(self, name: str, row: Row, rules: Rules) -> None:
        self.name = name
        self.on: list[str] = row["on"]
        self.who = Who(row["who"], f"remedies.{name}.who", rules)
        self.shown: bool = row["from"] == SHOWN
        self.until: str = row["until"]
        self.choice: str = row["choice"]
        self.then: list[str] = row["then"]
        self.decided: str = row["decided"]
        self.cite: str = row["cite"]
        if FOUL in self.on and (len(self.on) > 1 or self.choice != LAW):
            where, allowed = f"remedies.{name}", f'on = ["{FOUL}"], choice = "{LAW}"'
            say = f"{where}: what follows of a {FOUL} is the law's choice, and it answers that only"
            rules.fault(where, ", ".join([*self.on, self.choice]), allowed, say)
        if not self.then:
            where, allowed = f"remedies.{name}.then", "a row of [consequences]"
            rules.fault(where, "nothing", allowed, f"{where} says nothing that may follow")

    @property
    def code(self) -> str:
        """What its findings and lines are called."""
        return f"remedies.{self.name}"


class Consequence:
    """A row of [consequences], compiled."""

    __slots__ = (
        *(
            "bars",
            "cite",
            "dealer",
            "name",
            "off",
            "outcome",
            "penalty",
            "play",
            "starts",
            "tricks",
            "when",
        ),
        *("undone", "word"),
    )

    def __init__(self, name: str, row: Row, rules: Rules) -> None:
        path = f"consequences.{name}"
        self.name = name
        self.word: str = row["as"] or name
        self.when: Expression = rules.expression(row["when"], f"{path}.when", (CULPRIT,))
        self.undone: Expression = rules.expression(row["undone"], f"{path}.undone", (CULPRIT,))
        self.play: str = row["play"]
        self.outcome: str = row["round"]
        self.penalty: str = row["penalty"]
        self.off: int = row["off"]
        self.tricks: Expression = rules.expression(
            row["tricks"], f"{path}.tricks", (CULPRIT,), whole=True
        )
        self.dealer: str = row["dealer"]
        self.starts: str = row["starts"]
        self.bars: tuple[str, ...] = tuple(row["bars"])
        self.cite: str = row["cite"]

    def starter(self, culprit: int) -> int:
        """Who starts the next round: a seat, or what stands for one."""
        return {CULPRIT_STARTS: culprit, SAME: AGAIN}.get(self.starts, -1)

    @property
    def is_nothing(self) -> bool:
        """Whether nothing follows."""
        stays = self.play == ON and not (self.bars or self.starts or self.off)
        return stays and not self.penalty and {self.tricks.text, self.undone.text} <= {"0", "false"}
