"""What every table says about itself. Part of table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import mark, tr
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import NUMBER, NUMBERED, RESULT, Verb
from scorekeeper.notation.syntax import (
    Cards,
    CardsOrCount,
    Nothing,
    Number,
    Of,
    Pairs,
    Text,
    Who,
)
from scorekeeper.phases.table import about_round, about_start, coming, measures, scores
from scorekeeper.phases.table.about_round import MOST_PENALTY, PenaltySyntax
from scorekeeper.phases.table.scores import ScoreSyntax
from scorekeeper.play.positions import MISTYPED
from scorekeeper.play.roster import AFTER, INSTEAD
from scorekeeper.ruleset.penalties import Penalties
from scorekeeper.ruleset.phase import Phase
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scorekeeper.core.types import Json, Luck, Row
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Measure


@phase
class Table(Phase[None]):
    """Facts about the table, and what the table decides. `penalties` are the classes there are."""

    name = "table"
    doc = "Always there. What is said about the table itself: who deals, hands, notes, results."
    beside = True
    sections = {
        "levelling": {
            "to": Parameter("int", "what everyone still in goes to"),
            "cite": Parameter("text", "the paragraph of the rule text"),
        },
        "result": {
            "number": Parameter("text", "the key of a `result` that a number alone is", ""),
            "usual": Parameter(
                "table", "what a `result` that begins with a number says, unless it is said", {}
            ),
            "together": Parameter(
                "texts", "keys that name two players where the usual goes without saying", []
            ),
        },
        "penalties": {
            "culprit": Parameter("number", "points for the culprit"),
            "others": Parameter("number", "points for each of the others", "0"),
            "declarer": Parameter(
                "number",
                "points for who is publicly alone on the declaring side, where the culprit plays"
                " against them (without it: as `others`)",
                "",
            ),
            "cite": Parameter("text", "the paragraph of the rule text"),
        },
    }
    plain = ("levelling", "result")
    reports = {"levelled": "the word with which everyone went to the same tally before the round"}
    verbs = (
        Verb("dealer", Who(), mark("who deals this round"), table=True, fact=True),
        Verb("lead", Who(), mark("who starts"), table=True, fact=True),
        Verb(
            "hand",
            Of(CardsOrCount()),
            mark("all they hold, or how many"),
            table=True,
            fact=True,
            gathers=True,
        ),
        Verb(
            "holds",
            Of(Cards()),
            mark("cards seen in their hand, at any time"),
            table=True,
            fact=True,
            aside=True,
        ),
        Verb(
            "standing",
            Of(Number(-MOST_PENALTY, MOST_PENALTY)),
            mark("their tally"),
            table=True,
            fact=True,
        ),
        Verb(
            "check",
            Of(Number(-MOST_PENALTY, MOST_PENALTY)),
            mark("their side's points so far"),
            table=True,
            late=True,
            aside=True,
        ),
        Verb(
            "note",
            Text(),
            mark("anything worth writing down"),
            table=True,
            text=True,
            late=True,
            aside=True,
        ),
        Verb(
            "void", Text(), mark("this round counts for nothing"), table=True, text=True, aside=True
        ),
        Verb("foul", Of(Text()), mark("somebody cheated"), table=True, text=True, aside=True),
        Verb(
            "penalty",
            Of(PenaltySyntax()),
            mark("points off, by class or number"),
            table=True,
            text=True,
            aside=True,
        ),
        Verb("result", Pairs(), mark("the round by its outcome"), table=True, brief=NUMBERED),
        Verb("score", ScoreSyntax(), mark("a round of its own by its value"), table=True),
        Verb(
            "sudden-death",
            Nothing(),
            mark("everyone goes to the same tally"),
            table=True,
            fact=True,
        ),
        Verb(
            "joins",
            coming.JoinsSyntax(),
            mark("somebody sits down, between rounds: after whom, or for whom"),
            table=True,
            fact=True,
        ),
        Verb(
            "quits",
            coming.LeaverSyntax(),
            mark("somebody leaves the table, between rounds"),
            table=True,
            fact=True,
        ),
        Verb(
            "seats",
            coming.OrderSyntax(),
            mark("the whole order anew, between rounds"),
            table=True,
            fact=True,
        ),
        Verb("end", Nothing(), mark("the match ends here"), table=True, late=True, aside=True),
    )

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        self.penalties: Penalties  # known when linked
        self._happens: Mapping[str, Callable[[Joint, Entry], None]] = {
            "dealer": about_start.dealer,
            "lead": about_start.lead,
            "hand": about_start.hand,
            "holds": about_start.holds,
            "standing": about_start.standing,
            "sudden-death": about_start.sudden_death,
            "check": about_round.check,
            "note": about_round.note,
            "void": about_round.void,
            "foul": about_round.foul,
            "penalty": self._penalty,
            "result": about_round.result,
            "score": scores.happens,
            "joins": coming.joins,
            "quits": coming.quits,
            "seats": coming.seats,
            "end": about_round.end,
        }

    def named_measures(self) -> Iterator[Measure]:
        yield from measures.of_everyone()
        if self.rules.pack.total:
            yield from measures.of_cards(self.rules)

    def link(self) -> None:
        self.penalties = Penalties(self.rules)
        self.shorts = (NUMBER, RESULT) if self.rules.table("result")["number"] else (RESULT,)

    def words(self) -> Iterable[tuple[str, str]]:
        words = (AFTER, INSTEAD, *self.rules.section("penalties"))
        return [(name, name) for name in words]

    def readings(self, rnd: Joint, entry: Entry) -> Iterator[Entry]:
        """A result may be told without its word; a number alone is one before somebody acts, and
        what is usual goes without saying as long as nobody has."""
        if entry.verb not in (NUMBER, NUMBERED, RESULT) or rnd.over:
            return
        row, numbered = self.rules.table("result"), not entry.value[0][0]
        if numbered and not row["number"]:
            return
        if not numbered or len(entry.value) > 1 or not rnd.acted:
            said = about_round.whole_result(row, entry.value, usual=not rnd.acted)
            yield Entry(self.rules.verbs["result"], None, said)

    def begin(self, rnd: Joint) -> None:
        if rnd.start.levelled:
            rnd.keep("levelled", True)
            levelling = self.rules.table("levelling")
            for seat in rnd.playing():
                lost = levelling["to"] - rnd.tally[seat]
                rnd.add_line("sudden-death", (seat,), lost, levelling["cite"])
        for charge in rnd.start.charges:
            rnd.add_line(*charge)

    def position(self, rnd: Joint) -> None:
        lead = rnd.start.lead
        if lead is None or not rnd.out(lead):
            return
        if lead not in rnd.seats:
            rnd.sits_out(lead, tr("cannot start"))
            return
        say = tr("{name} is out and cannot start", name=rnd.names[lead])
        if lead in rnd.start.standing:
            raise Impossible(say, MISTYPED)
        rnd.conflict(tr("{why} (another: lead NAME)", why=say), "lead")

    def describe(self, rnd: Joint) -> Json:
        foul = rnd.shared.foul
        return {"bindings": {"foul": rnd.names[foul]}} if foul >= 0 else {}

    def summary(self, rnd: Joint) -> Json:
        levelled = rnd.start.levelled
        return {"levelled": rnd.rules.lexicon.form("sudden-death")} if levelled else {}

    def joins_finished_round(self, rnd: Joint, entry: Entry) -> bool:
        if entry.word == "foul":
            return about_round.is_only_noted(rnd, entry.value[0])
        if entry.word in ("holds", "hand") and rnd.decisions.due:
            return True
        if entry.word == "holds" and rnd.decisions.assumed:
            return True
        return entry.verb.late

    def chance(self, rnd: Joint, luck: Luck) -> Iterator[Entry]:
        """The hands, one by one."""
        size = self.rules.deal_size(len(rnd.seats)) if rnd.has_hands else 0
        if rnd.acted or not size:
            return
        verb = next(verb for verb in self.verbs if verb.word == "hand")
        for seat in rnd.seats:
            if seat not in rnd.start.hands:
                cards = self.rules.pack.kinds_in(rnd.hands.unseen)
                yield Entry(verb, None, (seat, tuple(sorted(luck.sample(cards, size)))))

    def apply(self, rnd: Joint, entry: Entry) -> None:
        self._happens[entry.word](rnd, entry)

    def gather(self, rnd: Joint, verb: Verb, facts: Iterable[Entry]) -> None:
        if verb.word == "hand" and self.rules.pack.total:
            about_start.hands(rnd, facts)
        else:
            super().gather(rnd, verb, facts)

    def _penalty(self, rnd: Joint, entry: Entry) -> None:
        about_round.penalty(rnd, entry, self.penalties)
