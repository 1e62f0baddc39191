"""What every table says, whatever is played: facts, corrections, results.

Always there, beside the other phases. Also owns the clause words that every phase may use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core.claims import Breach
from scorekeeper.core.english import listed, number_of
from scorekeeper.core.failures import Impossible, Unreadable
from scorekeeper.core.rulings import LEGAL
from scorekeeper.notation.syntax import (
    Cards,
    CardsOrCount,
    Nothing,
    Number,
    Of,
    Pairs,
    Syntax,
    Text,
    Who,
    clean,
    whole,
)
from scorekeeper.notation.verbs import Verb
from scorekeeper.play.positions import MISTYPED
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.phase import CULPRIT, Measure, Phase
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.claims import Outcome
    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.plain import Json, Row
    from scorekeeper.notation import Entry
    from scorekeeper.notation.syntax import Spelling
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge

    Hands = Sequence[tuple[int, tuple[int, ...]]]

MOST_PENALTY = 99999


class Penalty(Syntax):
    """A class of the ruleset, or a number of points, and why."""

    form = "CLASS or POINTS, and why"

    def read(self, text: str, notation: Spelling) -> tuple[str | int, str]:
        head, _, why = text.partition(" ")
        if head[1:].isdigit() or head.isdigit():
            return whole(head, -MOST_PENALTY, MOST_PENALTY), clean(why)
        if not head:
            raise Unreadable("a class of penalty or a number must follow")
        return clean(notation.canonical(head) or head), clean(why)

    def show(self, value: tuple[str | int, str], notation: Spelling) -> str:
        return f"{value[0]} {value[1]}".rstrip()


@phase
class Table(Phase[None]):
    """Facts about the table, and what the table decides."""

    name = "table"
    doc = "Always there. What is said about the table itself: who deals, hands, notes, results."
    beside = True
    sections = {
        "fouls": {
            "cost": Parameter("int", "what a foul takes from the tally", 0),
            "ends": Parameter("bool", "whether a foul ends the round, or is one of its own", False),
            "starts": Parameter("bool", "whether who committed it starts the next round", True),
            "cite": Parameter("text", "the paragraph of the rule text"),
        },
        "levelling": {
            "to": Parameter("int", "what everyone still in goes to"),
            "cite": Parameter("text", "the paragraph of the rule text"),
        },
        "penalties": {
            "culprit": Parameter("number", "points for the culprit"),
            "others": Parameter("number", "points for each of the others", "0"),
            "cite": Parameter("text", "the paragraph of the rule text"),
        },
    }
    plain = ("fouls", "levelling")
    reports = {"levelled": "the word with which everyone went to the same tally before the round"}
    verbs = (
        Verb("dealer", Who(), "who deals this round", table=True, fact=True),
        Verb("lead", Who(), "who starts", table=True, fact=True),
        Verb(
            "hand",
            Of(CardsOrCount()),
            "all they hold, or how many",
            table=True,
            fact=True,
            gathers=True,
        ),
        Verb(
            "holds",
            Of(Cards()),
            "cards seen in their hand, at any time",
            table=True,
            fact=True,
            aside=True,
        ),
        Verb(
            "standing",
            Of(Number(-MOST_PENALTY, MOST_PENALTY)),
            "their tally",
            table=True,
            fact=True,
        ),
        Verb(
            "check",
            Of(Number(0, 9999)),
            "their side's points so far",
            table=True,
            late=True,
            aside=True,
        ),
        Verb(
            "note",
            Text(),
            "anything worth writing down",
            table=True,
            text=True,
            late=True,
            aside=True,
        ),
        Verb("void", Text(), "this round counts for nothing", table=True, text=True, aside=True),
        Verb("foul", Of(Text()), "somebody cheated", table=True, text=True, aside=True),
        Verb(
            "penalty",
            Of(Penalty()),
            "points off, by class or number",
            table=True,
            text=True,
            aside=True,
        ),
        Verb("result", Pairs(), "the round by its outcome", table=True),
        Verb("sudden-death", Nothing(), "everyone goes to the same tally", table=True, fact=True),
        Verb("end", Nothing(), "the match ends here", table=True, late=True, aside=True),
    )
    measures = (
        Measure("players", "how many take part in the match", lambda rnd, _: len(rnd.names)),
        Measure("players.left", "how many are not out", lambda rnd, _: len(rnd.playing())),
        Measure("rounds", "the number of this round, from 1", lambda rnd, _: rnd.number),
        Measure("tally.most", "the highest tally", lambda rnd, _: max(rnd.tally)),
        Measure("tally.limit", "the most a tally may be", lambda rnd, _: rnd.rules.tally["most"]),
        Measure(
            "levelled",
            "whether everyone was ever set to the same tally",
            lambda rnd, _: rnd.has_kept("levelled"),
        ),
    )

    def link(self) -> None:
        self.fouls = self.rules.table("fouls")
        self.levelling = self.rules.table("levelling")
        self.penalties = {
            name: (self._cost(name, row, "culprit"), self._cost(name, row, "others"), row["cite"])
            for name, row in self.rules.section("penalties").items()
        }

    def _cost(self, name: str, row: Row, key: str) -> Expression:
        where = f"penalties.{name}.{key}"
        return self.rules.expression(row[key], where, (CULPRIT,), whole=True)

    def words(self) -> Iterable[tuple[str, str]]:
        return [(name, name) for name in self.rules.section("penalties")]

    def begin(self, rnd: Joint) -> None:
        if rnd.start.levelled:
            rnd.keep("levelled", True)
            for seat in rnd.playing():
                lost = self.levelling["to"] - rnd.tally[seat]
                rnd.add_line("sudden-death", (seat,), lost, self.levelling["cite"])
        for charged in rnd.start.charges:
            rnd.add_line(*charged)

    def position(self, rnd: Joint) -> None:
        lead = rnd.start.lead
        if lead is None or not rnd.out(lead):
            return
        if lead not in rnd.seats:
            rnd.sits_out(lead, "cannot start")
            return
        say = f"{rnd.names[lead]} is out and cannot start"
        if lead in rnd.start.standing:
            raise Impossible(say, MISTYPED)
        rnd.conflict(f"{say} (another: lead NAME)", "lead")

    def describe(self, rnd: Joint) -> Json:
        foul = rnd.shared.foul
        return {"bindings": {"foul": rnd.names[foul]}} if foul >= 0 else {}

    def summary(self, rnd: Joint) -> Json:
        word = "sudden-death"
        return {"levelled": rnd.rules.lexicon.forms.get(word, word)} if rnd.start.levelled else {}

    def joins_finished_round(self, rnd: Joint, entry: Entry) -> bool:
        if entry.verb.word == "foul":
            return self._cheap(rnd, entry.value[0])
        return entry.verb.late

    def _cheap(self, rnd: Joint, seat: int) -> bool:
        """Whether a foul by that seat is only noted."""
        return not self.fouls["cost"] or rnd.rules.is_out(rnd.tally[seat])

    def apply(self, rnd: Joint, entry: Entry) -> None:
        word = entry.verb.word.replace("-", "_")
        getattr(self, f"_{word}")(rnd, entry.value)

    # --- facts

    def _dealer(self, rnd: Joint, seat: int) -> None:
        if not rnd.rules.deal["dealt"]:
            raise Impossible("nobody deals in this game", "say who starts: lead NAME")
        expected = rnd.dealer
        start = rnd.start.copy()
        start.dealer = seat
        rnd.place("dealer", start)
        self._unexpected(rnd, "dealer", "{now} deals, not {expected}", [expected], seat)

    def _lead(self, rnd: Joint, seat: int) -> None:
        if not rnd.acted and not (rnd.over and not rnd.placed):
            expected = rnd.leaders()
            start = rnd.start.copy()
            start.lead = seat
            rnd.place("lead", start)
            self._unexpected(rnd, "lead", "{now} starts, not {expected}", expected, seat)
            return
        if rnd.out(seat):
            raise Impossible(f"{rnd.names[seat]} is out, or sits out, and cannot lead")
        if rnd.over or rnd.play_begun():
            raise Impossible("who leads is said before the first lead of a round")
        rnd.start.lead = rnd.leader = seat

    def _unexpected(self, rnd: Joint, word: str, say: str, expected: list[int], seat: int) -> None:
        """What is said wins over what was expected; a note says so."""
        if seat not in expected:
            names = listed(rnd.names_of(expected), "or")
            rnd.remark(f"{self.name}.{word}", say, {"now": rnd.names[seat], "expected": names})

    def _hand(self, rnd: Joint, value: tuple[int, Any]) -> None:
        seat, held = value
        if rnd.rules.tally["held"]:
            if not isinstance(held, int):
                raise Impossible("here a hand is a number", f"hand {rnd.names[seat]}: 3")
            self._standing(rnd, value)
            return
        if not rnd.rules.pack.total:
            raise Impossible("there are no hands in this game")
        if rnd.acted:
            self._look(rnd, seat, held)
            return
        start = rnd.start.copy()
        start.hands = {**start.hands, seat: held}
        rnd.place("hands", start)

    def _look(self, rnd: Joint, seat: int, held: Any) -> None:
        """A hand shown in the middle of a round: what they hold now."""
        knowledge = rnd.hands
        count = held if isinstance(held, int) else len(held)
        if count != knowledge.size(seat):
            name = rnd.names[seat]
            raise Impossible(
                f"{name} holds {number_of(knowledge.size(seat), 'card')} by the counts, not {count}"
            )
        if not isinstance(held, int):
            knowledge.reveal(seat, rnd.rules.pack.of(held))

    def _holds(self, rnd: Joint, value: tuple[int, tuple[int, ...]]) -> None:
        seat, kinds = value
        if not rnd.has_hands:
            raise Impossible("there are no hands in this game")
        if rnd.acted:
            for kind in set(kinds):
                rnd.hands.holds(seat, kind, kinds.count(kind))
            return
        seen = rnd.start.holds
        known: tuple[int, ...] = seen.get(seat, ())
        more = [kind for kind in set(kinds) for _ in range(kinds.count(kind) - known.count(kind))]
        start = rnd.start.copy()
        start.holds = {**seen, seat: (*known, *more)}
        rnd.place("holds", start)

    def _standing(self, rnd: Joint, value: tuple[int, int]) -> None:
        seat, number = value
        tally = rnd.rules.tally
        if not tally["least"] <= number <= tally["most"]:
            name = tally["name"]
            least, most = tally["least"], tally["most"]
            raise Impossible(f"the tally ({name}) is from {least} to {most}, not {number}")
        said = rnd.start.standing
        for mate in rnd.side(seat):
            if mate != seat and said.get(mate, number) != number:
                names = f"{rnd.names[seat]} and {rnd.names[mate]}"
                raise Impossible(
                    f"{names} are one side, which stands at {said[mate]}, not {number}",
                    f"standing {rnd.names[mate]}: {number}, if that was wrong",
                )
        start = rnd.start.copy()
        start.standing = {**said, seat: number}
        rnd.place("standing", start)

    def _sudden_death(self, rnd: Joint, value: None) -> None:
        if not rnd.rules.has("levelling"):
            raise Impossible("this ruleset knows no sudden death")
        start = rnd.start.copy()
        start.levelled = True
        rnd.place("sudden-death", start)

    # --- words about the round

    def _check(self, rnd: Joint, value: tuple[int, int]) -> None:
        seat, said = value
        points = rnd.points_of(seat)
        found = rnd.tally[seat] if points is None else points
        if found != said:
            name = rnd.names[seat]
            raise Impossible(
                f"check {name}: by what was recorded it is {found}, not {said} "
                f"(difference {said - found:+})",
                "look for the entry that is mistyped",
            )

    def _note(self, rnd: Joint, value: str) -> None:
        """A note changes nothing."""

    def _void(self, rnd: Joint, why: str) -> None:
        rnd.void = True
        rnd.next_dealer = rnd.dealer
        rnd.next_leader = rnd.leader
        rnd.finish()

    def _foul(self, rnd: Joint, value: tuple[int, str]) -> None:
        seat = value[0]
        if self._cheap(rnd, seat):
            return
        rnd.charge("foul", seat, -self.fouls["cost"], self.fouls["cite"])
        if self.fouls["ends"]:
            rnd.next_leader = seat if self.fouls["starts"] else rnd.leader
            rnd.shared.foul = seat
            rnd.finish()

    def _penalty(self, rnd: Joint, value: tuple[int, tuple[str | int, str]]) -> None:
        seat, (what, _) = value
        if isinstance(what, int):
            rnd.charge("penalty", seat, what)
            return
        if what not in self.penalties:
            of_these = f"classes are {', '.join(self.penalties)}"
            known = of_these if self.penalties else "this ruleset has none"
            raise Unreadable(f"“{what}” is no class of penalty; {known}", "penalty NAME: -1 WHY")
        culprit, others, cite = self.penalties[what]
        own = rnd.sharing(seat)
        for side in dict.fromkeys(map(rnd.sharing, rnd.seats)):
            points = rnd.evaluate(culprit if side == own else others, seat)
            rnd.charge(f"penalties.{what}", side[0], int(points), cite)

    def _result(self, rnd: Joint, pairs: tuple[tuple[str, str], ...]) -> None:
        rnd.conclude(dict(pairs))

    def _end(self, rnd: Joint, value: None) -> None:
        rnd.ended = True


@clause(
    "remark",
    "table",
    say="{who}: worth a note",
    doc="Says something about a legal entry: a note when the condition holds, never a refusal.",
    legal='with `when = "count > dice"`, a bid above the dice on the table: legal, with the note',
    illegal="nothing: a remark never refuses",
    verdict=LEGAL,
    parameters={"when": Parameter("condition", "when the note is given")},
)
def _remark(row: Row, rules: Rules) -> Judge:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])
    told = _measures_said(row, rules)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        get = rnd.reading(entry)
        if not when(get):
            return None
        return Breach({"entry": entry.text, **{name: get(name) for name in told}})

    return judge


def _measures_said(row: Row, rules: Any) -> list[str]:
    """The measures that a clause's own sentence names in braces; any other name but those of
    every finding is a fault."""
    said = [piece.partition("}")[0] for piece in row["say"].split("{")[1:] if "}" in piece]
    known, measures = ("who", "entry", "must"), rules.measures_about(row["about"])
    for name in said:
        if name not in known and name not in measures:
            allowed = ", ".join([*known, *sorted(measures)])
            path = f"{row['path']}.say"
            rules.fault(path, name, allowed, f"{path} names what there is not: “{name}”")
    return [name for name in said if name in measures]


@clause(
    "until",
    "table",
    say="{who} is too late: “{since}” came before",
    doc=(
        "An entry of the verbs in `on` may be said until one of the verbs in `verbs` has been;"
        " in a round that begins in the middle it is too late."
    ),
    legal='with `verbs = ["exchange"]`, a declaration before the exchange',
    illegal="the same declaration after it",
    parameters={"verbs": Parameter("texts", "the verbs after which it is too late")},
)
def _until(row: Row, rules: Rules) -> Judge:
    verbs = tuple(row["verbs"])

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        since = rnd.earlier_entry(verbs)
        if rnd.positioned and not since:
            return Breach({"since": ""}, "that is over: the round began in the middle")
        return Breach({"since": since}) if since else None

    return judge


@clause(
    "require",
    "table",
    say="{who} may not do that",
    doc="A condition that must hold for an entry of the verbs in `on`.",
    legal='with `must = "players.left > 2"`, a call while three players are in',
    illegal="the same call with two players left",
    parameters={"must": Parameter("condition", "what must hold")},
)
def _require(row: Row, rules: Rules) -> Judge:
    must = rules.expression(row["must"], f"{row['path']}.must", row["about"])

    told = _measures_said(row, rules)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        get = rnd.reading(entry)
        if must(get):
            return None
        return Breach(
            {"must": row["must"], "entry": entry.text, **{name: get(name) for name in told}}
        )

    return judge


@clause(
    "held",
    "table",
    say="{who} cannot have {card}: {why}",
    doc="The cards of the verbs in `on` may be in that hand, by all that is known of the hands.",
    legal="a card of a hand that was entered, or any unseen card out of an unseen hand",
    illegal="a card that their hand, as it was entered, does not hold, or that another's does",
    firm=True,
)
def _held(row: Row, rules: Rules) -> Judge:

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        knowledge = rnd.hands
        value = entry.value
        if rules.plays_own_cards(entry.verb.word) and type(value) is tuple and len(value) == 1:
            actor: Any = entry.seat
            if knowledge.can_hold(actor, value[0]) >= 0:
                return None
            return Breach(_missing(rnd, entry, actor, value[0], 1))
        hands = rules.from_hand(entry)
        for seat, kinds in hands:
            for kind in kinds:
                if knowledge.can_hold(seat, kind) < 0:
                    return Breach(_missing(rnd, entry, seat, kind, 1))
            if len(kinds) > 1:
                broken = _too_many(rnd, entry, seat, kinds)
                if broken is not None:
                    return Breach(broken)
        broken = _laid_twice(rnd, entry, hands) if len(hands) > 1 else None
        return None if broken is None else Breach(broken)

    return judge


def _laid_twice(rnd: Joint, entry: Entry, hands: Hands) -> dict[str, Any] | None:
    """What is wrong with cards out of several hands, each of which might have its own. Raises
    Impossible for more copies than there are."""
    knowledge, pack = rnd.hands, rnd.rules.pack
    unseen = knowledge.unseen
    for seat, kinds in hands:
        for kind in pack.kinds_in(pack.beyond(pack.of(kinds), knowledge.sure[seat])):
            if unseen & pack.column[kind]:
                unseen = pack.remove(unseen, kind)
                continue
            there = pack.copies - pack.count(knowledge.gone, kind)
            if sum(cards.count(kind) for _, cards in hands) > there:
                names = listed(rnd.names_of(other for other, cards in hands if kind in cards))
                left = "one" if there == 1 else f"no more than {there}"
                say = (
                    f"“{entry.text}”: {pack.kinds[kind]} cannot come from {names}: there is {left}"
                )
                raise Impossible(say, MISTYPED)
            return _cards(rnd, seat, kind, "the others of it are in other hands")
    return None


def _too_many(rnd: Joint, entry: Entry, seat: int, kinds: tuple[int, ...]) -> dict[str, Any] | None:
    """What is wrong with several cards out of one hand, each of which might be there."""
    knowledge, pack = rnd.hands, rnd.rules.pack
    for kind in set(kinds):
        count = kinds.count(kind)
        if count > 1 and knowledge.can_hold(seat, kind, count) < 0:
            return _missing(rnd, entry, seat, kind, count)
    size = knowledge.size(seat)
    if len(kinds) > size:
        why = f"these are {number_of(len(kinds), 'card')}, and by the counts that hand has {size}"
        return _cards(rnd, seat, kinds[-1], why)
    unknown = pack.beyond(pack.of(kinds), knowledge.sure[seat])
    if unknown.bit_count() > knowledge.loose[seat]:
        few = number_of(knowledge.loose[seat], "card of that hand is", "cards of that hand are")
        why = f"only {few} not known" if knowledge.loose[seat] else "that hand is known"
        return _cards(rnd, seat, pack.kinds_in(unknown)[-1], why)
    return None


def _missing(rnd: Joint, entry: Entry, seat: int, kind: int, count: int) -> dict[str, Any]:
    """Why a seat cannot hold so many of a kind. Raises Impossible if they are out of all hands."""
    from scorekeeper.core.knowledge import IMPOSSIBLE, NO_HAND

    knowledge, pack = rnd.hands, rnd.rules.pack
    status, card = knowledge.can_hold(seat, kind, count), pack.kinds[kind]
    if status == IMPOSSIBLE:
        where = "has left play or lies on the table" if count <= pack.copies else "is not so often"
        raise Impossible(f"“{entry.text}”: {card} {where}", "look for the entry that is mistyped")
    if status == NO_HAND:
        known = knowledge.is_known(seat)
        return _cards(rnd, seat, kind, "their hand is known" if known else "by the counts")
    holders = [other for other, sure in enumerate(knowledge.sure) if sure & pack.bit[kind]]
    said = listed(rnd.names_of(holders))
    why = f"{said} holds it" if len(holders) == 1 else f"{said or 'others'} hold all of them"
    return _cards(rnd, seat, kind, why)


def _cards(rnd: Joint, seat: int, kind: int, why: str) -> dict[str, Any]:
    knowledge, pack = rnd.hands, rnd.rules.pack
    held = [pack.kinds[each] for each in pack.kinds_in(knowledge.sure[seat])]
    return {"who": rnd.names[seat], "card": pack.kinds[kind], "why": why, "known": held}
