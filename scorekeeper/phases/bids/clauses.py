"""What may be bid and who may call: the clause words of bids. Part of bids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import mark
from scorekeeper.notation import Entry
from scorekeeper.phases.bids.barring import BarringRow
from scorekeeper.phases.bids.course import Bids
from scorekeeper.phases.bids.words import CALLS, DIRECTION, TO_BID, direction, written
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge

ON_BIDS = (TO_BID.word,)
ON_CALLS = tuple(verb.word for verb in CALLS)
TOO_HIGH = mark("{bid} is too high: at most {most} of that face; the least legal bids are {legal}")


def least_raises(bids: Bids, rnd: Joint, entry: Entry) -> list[str]:
    """The lowest bid on each face that no clause refuses, for whose act the entry is."""
    if entry.seat is None:
        return []
    lowest = (_lowest(bids, rnd, entry.seat, face) for face in bids.faces)
    return [bid for bid in lowest if bid]


def _lowest(bids: Bids, rnd: Joint, seat: int, face: int) -> str:
    """The lowest bid on a face that no clause refuses; "" if none is found among the counts up to
    two more than twice the last."""
    last = rnd.state(bids).last
    most = 2 * (last.number if last is not None else 0) + 2
    count: int | None = 1
    while count is not None and count <= most:
        bid = Entry(TO_BID, seat, (count, face), text=written((count, face)))
        passed, count = count, _next_count(rnd, bid, bids.barring)
        if count == passed:
            if not rnd.broken(bid):
                return bid.text
            count += 1
    return ""


def _next_count(rnd: Joint, bid: Entry, rows: Iterable[BarringRow]) -> int | None:
    """The bid's count if every row lets it pass, else what the first that does not says."""
    count: int = bid.value[0]
    for row in rows:
        following = row.next_count(rnd, bid)
        if following != count:
            return following
    return count


@clause(
    "raise",
    "bids",
    on=ON_BIDS,
    say=mark("{bid} is too low: at least {least} of that face; the least legal bids are {legal}"),
    doc="The least count of a bid, where the condition holds.",
    parameters={
        "when": Parameter("condition", "the bids it speaks of", "true"),
        "least": Parameter("number", "the least count"),
        "most": Parameter("number", "the highest count (without it: any)", ""),
    },
)
def _raise(row: Row, rules: Rules) -> Judge:
    def compiled(key: str) -> Expression:
        return rules.expression(row[key], f"{row['path']}.{key}", row["about"])

    barring = BarringRow(compiled("when"), compiled("least"))
    if row["most"] != "":
        barring.most = compiled("most")
    return _as_clause(barring, rules.phase(Bids))


@clause(
    "barred",
    "bids",
    on=ON_BIDS,
    say=mark("{bid} may not be bid now; the least legal bids are {legal}"),
    doc="Bids that may not be made at all, where the condition holds.",
    parameters={"when": Parameter("condition", "the bids that may not be made")},
)
def _barred(row: Row, rules: Rules) -> Judge:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])
    return _as_clause(BarringRow(when), rules.phase(Bids))


def _as_clause(barring: BarringRow, bids: Bids) -> Judge:
    """The row as a clause, and as one of those by which the least legal bids are found."""
    bids.barring.append(barring)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        barred = barring.bars(entry.value[0], rnd.reading(entry))
        if barred is None:
            return None
        bound = {barred.limit: barred.bound} if barred.limit else {}
        facts = {"bid": written(entry.value), **bound, "legal": least_raises(bids, rnd, entry)}
        return Breach(facts, TOO_HIGH if barred.limit == "most" else "")

    return judge


@clause(
    "on-a-bid",
    "bids",
    on=ON_CALLS,
    say=mark("there is no bid yet that {who} could call"),
    doc="A call needs a bid before it.",
)
def _on_a_bid(row: Row, rules: Rules) -> Judge:
    bids = rules.phase(Bids)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        if rnd.state(bids).bids:
            return None
        return Breach({"legal": least_raises(bids, rnd, entry)})

    return judge


@clause(
    "caller",
    "bids",
    on=ON_CALLS,
    say=mark("{who} may not call now; {may} may"),
    doc="Who may call: the `next` player only, or `others`: anyone but the bidder.",
    parameters={
        "who": Parameter("choice", "who may call", "next", ("next", "others")),
        "when": Parameter("condition", "`others` only then, else the next", "true"),
    },
)
def _caller(row: Row, rules: Rules) -> Judge:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])
    bids = rules.phase(Bids)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        last = rnd.state(bids).last
        if last is None:
            return None
        may = [rnd.following(last.seat, rnd.step)]
        if row["who"] == "others" and when(rnd.reading(entry)):
            may = [seat for seat in rnd.playing() if seat != last.seat]
        if entry.seat in may:
            return None
        return Breach({"may": rnd.names_of(may), "bidder": rnd.names[last.seat]})

    return judge


@clause(
    "direction-first",
    "bids",
    on=(DIRECTION.word,),
    say=mark("the direction is named before the first bid"),
    doc="The direction may be named by the starter, before their first bid.",
)
def _direction_first(row: Row, rules: Rules) -> Judge:
    bids = rules.phase(Bids)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        return None if bids.may_turn(rnd) else Breach({"direction": direction(rnd.step)})

    return judge
