"""What tallies come to in money, and who pays whom."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import shown
from scorekeeper.render.paper import Payments
from scorekeeper.ruleset.tables import DIFFERENCES, NOTHING, TALLY_ITSELF

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.play.reviewed import Reviewed
    from scorekeeper.ruleset.compiled import Ruleset

    Paid = tuple[int, int, int]  # who pays, who is paid, how many points

MOST_STAKE = 1_000_000
THOUSANDS = 3  # digits after a comma that may part thousands
EXACT = 13  # up to so many who owe or are owed, no other way needs fewer payments


def stake_of(text: str) -> Decimal:
    """What a point is worth, as somebody typed it, with a point or a comma. Raises Unreadable, also
    for what may be thousands (`1,000`)."""
    typed = text.strip()
    whole, comma, part = typed.partition(",")
    if comma and len(part) != THOUSANDS:
        typed = f"{whole}.{part}"
    if re.fullmatch(r"[0-9]{1,7}(\.[0-9]{1,4})?", typed):
        stake = Decimal(typed)
        if 0 < stake <= MOST_STAKE:
            return stake
    raise Unreadable(
        tr("“{typed}” is no stake", typed=shown(text.strip(), 20)),
        tr(
            "what a point is worth, above 0 and at most {most}, with four decimals at most: 0.10",
            most=MOST_STAKE,
        ),
    )


def payments(match: Reviewed, stake: Decimal) -> Payments:
    """Who pays whom as things stand. Raises Impossible where a tally is no money."""
    rules = match.ruleset
    pays, wins = rules.tally["pays"], rules.match["wins"]
    if not pays:
        pays = TALLY_ITSELF if rules.tally["zero_sum"] else DIFFERENCES
        pays = NOTHING if wins == "last" else pays
    if pays == NOTHING:
        name = rules.said(rules.tally["name"])
        raise Impossible(
            tr(
                "in {title} the tally ({name}) is no money",
                title=rules.said(rules.title),
                name=name,
            ),
            tr("a ruleset may say otherwise: tally.pays"),
        )
    sign = -1 if wins == "fewest" else 1
    groups = [] if pays == TALLY_ITSELF else _settling(match)
    owed = _differences(match.scores, groups) if groups else _tallies(match)
    names = [*owed, tr("the pot")]
    points = [sign * number for number in owed.values()]
    points.append(-sum(points))
    paid = [(by, to, f"{many * stake:f}") for by, to, many in fewest(points)]
    rows = [(names[by], names[to], amount) for by, to, amount in paid]
    how = _how(rules, len(groups), stake)
    if not rows:
        how = tr("nobody owes anything: {how}", how=how)
    return Payments(how, rows, [_said(names, *each) for each in paid])


def _how(rules: Ruleset, groups: int, stake: Decimal) -> str:
    """What is settled, among that many groups (0: each pays their own tally)."""
    name, each = rules.said(rules.tally["name"]), f"{stake:f}"
    if not groups:
        return tr(
            "everyone wins or loses their tally ({name}), {stake} each", name=name, stake=each
        )
    if groups == 1:
        return tr(
            "every two players settle the difference of their tallies ({name}), {stake} each",
            name=name,
            stake=each,
        )
    return tr(
        "the sides settle the difference of their tallies ({name}), {stake} each: each player"
        " with one of the other side",
        name=name,
        stake=each,
    )


def _said(names: Sequence[str], by: int, to: int, amount: str) -> str:
    """A payment in words; the last of these is the pot."""
    pot = len(names) - 1
    if to == pot:
        return tr("{payer} pays {amount} into the pot", payer=names[by], amount=amount)
    if by == pot:
        return tr("{paid} gets {amount} out of the pot", paid=names[to], amount=amount)
    return tr("{payer} pays {paid} {amount}", payer=names[by], paid=names[to], amount=amount)


def _tallies(match: Reviewed) -> dict[str, int]:
    """What stands on the sheet for each beyond what a match begins with. Where that does not sum
    to zero, after a penalty, the rest is the pot's."""
    start = match.ruleset.numbers.start(len(match.began_with))
    return {name: number - start for name, number in match.scores.items()}


def _settling(match: Reviewed) -> list[list[str]]:
    """The groups in which every two settle the difference of their tallies: everybody in one, or,
    where sides are fixed and equally large, one of each side in each, who sit beside one another:
    so each player of a side wins or loses what it does. Who took over somebody's seat settles for
    it."""
    number: int = match.ruleset.sides["number"]
    seated = match.seated
    if not number or len(seated) % number:
        return [list(match.scores)]
    return [list(seated[at : at + number]) for at in range(0, len(seated), number)]


def _differences(scores: Mapping[str, int], groups: Sequence[Sequence[str]]) -> dict[str, int]:
    """For each what their tally is ahead of all the others' of their group, together."""
    found = dict.fromkeys(scores, 0)
    for group in groups:
        total = sum(scores[name] for name in group)
        for name in group:
            found[name] = len(group) * scores[name] - total
    return found


# --- who pays whom


def fewest(owed: Sequence[int]) -> list[Paid]:
    """The payments that settle what these are owed, which sums to zero: as few as can be for up to
    a dozen players. Of more the largest debt is paid to who is owed most, again and again: then it
    may be that some other way needs fewer."""
    open_ = [at for at, points in enumerate(owed) if points]
    groups = list(_groups(owed, open_)) if len(open_) <= EXACT else [open_]
    return [paid for group in groups for paid in _settled(owed, group)]


def _groups(owed: Sequence[int], open_: Sequence[int]) -> Iterator[list[int]]:
    """Them in as many groups as can be that each sum to zero: one payment fewer for each."""
    full = (1 << len(open_)) - 1
    sums, most = [0] * (full + 1), [0] * (full + 1)
    last = [0] * (full + 1)  # who was added last to the best way up to there
    for some in range(1, full + 1):
        lowest = (some & -some).bit_length() - 1
        sums[some] = sums[some & (some - 1)] + owed[open_[lowest]]
        among = [at for at in range(len(open_)) if some >> at & 1]
        without, last[some] = max((most[some ^ 1 << at], at) for at in among)
        most[some] = without + (sums[some] == 0)
    group: list[int] = []
    while full:
        if not sums[full] and group:
            yield group
            group = []
        group.append(open_[last[full]])
        full ^= 1 << last[full]
    if group:
        yield group


def _settled(owed: Sequence[int], group: Sequence[int]) -> Iterator[Paid]:
    """The payments among these, who sum to zero: each settles one of them, the last one two."""
    left = {at: owed[at] for at in group}
    while any(left.values()):
        by = min(left, key=lambda at: left[at])
        to = max(left, key=lambda at: left[at])
        many = min(-left[by], left[to])
        left[by] += many
        left[to] -= many
        yield by, to, many
