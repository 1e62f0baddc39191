"""What a sheet is before anybody lays it out: texts and numbers, nothing of how they look.

The renderers lay it out and make it harmless, each in its own way. Here are the values, and what is
reckoned for them beside the table: how the tallies went over the evening and what they were made
of, who pays whom, and what counts, as it stands below a sheet that is to be written on.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import mark, plural, tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.match.remedies import weighed_later
from scorekeeper.match.summary import scored_by, signed
from scorekeeper.ruleset.orders import suit_name
from scorekeeper.ruleset.tables import DIFFERENCES, NOTHING, TALLY_ITSELF

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json, Row, Summary
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.view import MatchView

    Paid = tuple[int, int, int]  # who pays, who is paid, how many points
    Pairs = list[tuple[str, str]]


# What a row of a grid is.
ROUND, APART, CARRIED, EMPTY = "round", "apart", "carried", "empty"
CARRIED_OVER = mark("carried over")  # what was set, and is no score
TOLD = {"tally", "strokes", "signed", "change"}  # what a column tells of tallies
MOST_STAKE = 1_000_000
THOUSANDS = 3  # digits after a comma that may part thousands
EXACT = 13  # up to so many who owe or are owed, no other way needs fewer payments
# So many points for each of something that a side, or one of two, has.
_EACH = re.compile(r"(?:(\d+) \* )?(?:\w+\.)?(\w+)( [+-] \w+\.\2)?")
# A number that something is compared with.
_BOUND = re.compile(r"([a-z_]+(?:\.[a-z_]+)?) (<=|<|>=|>) (\d+)")
_WRITTEN = {"<=": "≤", ">=": "≥"}
_BRACED = re.compile(r"\{(\w+)\}")


class Column(NamedTuple):
    """A column of a grid: its heading; `left`, `right` or `center`; how many letters wide it is
    on paper at least (0: as it comes); the player or side that it is for ("": the round)."""

    label: str
    align: str
    width: int = 0
    who: str = ""


class Grid(NamedTuple):
    """A table: every row of `rows`, `totals` and `carried` has a cell for each column.

    `kinds` say of each row what it is: `round`; `apart`, what was decided of something wrong in
    the round above; `carried`, what stood before the first round; `empty`, to be written on.
    `carried` has for each row what is carried over to another page after it.
    """

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    totals: Sequence[Sequence[str]] = ()
    kinds: Sequence[str] = ()
    carried: Sequence[Sequence[str]] = ()

    def cut(self, kept: Sequence[int]) -> Grid:
        """These columns of the table."""

        def cells(rows: Sequence[Sequence[str]]) -> list[list[str]]:
            return [[row[at] for at in kept] for row in rows]

        return self._replace(
            columns=[self.columns[at] for at in kept],
            rows=cells(self.rows),
            totals=cells(self.totals),
            carried=cells(self.carried),
        )


class Running(NamedTuple):
    """The tallies over the evening. `rounds` are the numbers of the rounds behind each point, 0
    for what stood before the first; `points` has a list for each name, None where nobody was;
    `word` is what a round is called on this sheet ("": a round). Over several matches `days` are
    said in the rounds' place, "" for what stood before the first."""

    label: str
    names: Sequence[str]
    rounds: Sequence[int]
    points: Sequence[Sequence[int | None]]
    word: str = ""
    days: Sequence[str] = ()


class Parts(NamedTuple):
    """What tallies were made of: `points` has a list for each name, a number for each label."""

    labels: Sequence[str]
    names: Sequence[str]
    points: Sequence[Sequence[int]]


class Payments(NamedTuple):
    """Who pays whom, in as few payments as can be: names and an amount as it is printed; `how`
    says in a sentence what it was reckoned by, `said` each payment."""

    how: str
    rows: Sequence[tuple[str, str, str]]
    said: Sequence[str] = ()


class Sheet(NamedTuple):
    """A sheet: a title, pairs of a word and what it is, tables (the first is the sheet proper),
    and footnotes; pairs of a sign and what it means; the tallies over the evening and what they
    were made of (None: nothing to draw); who pays whom (None: not asked). `guide` is what counts,
    on a sheet to be written on: headings, each with pairs of a word and what it is worth."""

    title: str
    facts: Sequence[tuple[str, str]]
    grids: Sequence[Grid]
    footnotes: Sequence[str] = ()
    legend: Sequence[tuple[str, str]] = ()
    running: Running | None = None
    parts: Parts | None = None
    payments: Payments | None = None
    guide: Sequence[tuple[str, Sequence[tuple[str, str]]]] = ()


def kinds_of(grid: Grid) -> Sequence[str]:
    """What each row is; where nobody says, one of which no more than the number stands there is to
    be written on."""
    return grid.kinds or [ROUND if any(row[1:]) else EMPTY for row in grid.rows]


def known(points: Sequence[int | None]) -> list[int]:
    """The tallies of who was there."""
    return [point for point in points if point is not None]


def over_rounds(running: Running) -> str:
    """What a picture of the tallies shows."""
    rounds = [each for each in running.rounds if each]
    if running.days:
        begins, ends = running.days[1], running.days[-1]
        return tr("{label} from {first} to {last}", label=running.label, first=begins, last=ends)
    label, count = running.label, len(rounds)
    if running.word and count:
        first, last, word = rounds[0], rounds[-1], running.word
        if first == last:
            return tr("{label}: {round} {number}", label=label, round=word, number=last)
        return tr(
            "{label}: {round} {first} to {last}", label=label, round=word, first=first, last=last
        )
    return plural("{label} over {count} round", "{label} over {count} rounds", count, label=label)


def came_from() -> str:
    """What a picture of the parts shows."""
    return tr("What the scores came from")


def in_all() -> str:
    """What the parts come to."""
    return tr("all together")


# --- as JSON


def as_json(sheet: Sheet) -> Json:
    """The sheet as plain JSON values."""
    tables = [
        {
            "caption": grid.caption,
            "columns": [column.label for column in grid.columns],
            "rows": grid.rows,
            "totals": grid.totals,
        }
        for grid in sheet.grids
    ]
    running, parts, payments = sheet.running, sheet.parts, sheet.payments
    return {
        "title": sheet.title,
        "facts": dict(sheet.facts),
        "tables": tables,
        "notes": sheet.footnotes,
        "legend": dict(sheet.legend),
        "running": None if running is None else _running(running),
        "parts": None if parts is None else parts._asdict(),
        "payments": None if payments is None else _payments(payments),
        "guide": [{"heading": heading, "rows": dict(rows)} for heading, rows in sheet.guide],
    }


def _running(running: Running) -> Json:
    """Of one match, where rounds are counted and no days."""
    return {key: value for key, value in running._asdict().items() if key != "days"}


def _payments(payments: Payments) -> Json:
    rows = [{"from": payer, "to": paid, "amount": amount} for payer, paid, amount in payments.rows]
    return {"how": payments.how, "rows": rows}


# --- how the tallies went, and what they were made of


def running(match: MatchView, summaries: Sequence[Summary]) -> Running | None:
    """The tallies before the first round and after each that is over; None before that."""
    over = [summary for summary in summaries if summary["tally"] is not None]
    if not over:
        return None
    whom = _whom(match, summaries)
    stood = [summaries[0]["before"], *(summary["tally"] for summary in over)]
    return Running(
        match.ruleset.said(match.ruleset.tally["name"]),
        list(whom),
        [0, *(summary["round"] for summary in over)],
        [[tally.get(members[0]) for tally in stood] for members in whom.values()],
        match.ruleset.sheet.word,
    )


def parts(match: MatchView, summaries: Sequence[Summary]) -> Parts | None:
    """What tallies were made of: for each it sums to what stands there now, less what everybody
    began with. None where nothing has changed."""
    rules = match.ruleset
    found: dict[str, dict[str, int]] = {row.label: {} for row in rules.scores}
    found[CARRIED_OVER] = _carried(match, summaries)
    for summary in summaries:
        later = weighed_later(summary)
        counts = summary["changes"] is not None or not summary["over"]
        for line in summary["lines"] if counts else ():
            of = found.setdefault(later.get(line["code"], line["label"]), {})
            for name in scored_by(rules, summary, line):
                of[name] = of.get(name, 0) + int(line["points"])
    made = {label: of for label, of in found.items() if any(of.values())}
    if not made:
        return None
    whom = _whom(match, summaries)
    return Parts(
        [tr(CARRIED_OVER) if label == CARRIED_OVER else rules.said(label) for label in made],
        list(whom),
        [[of.get(members[0], 0) for of in made.values()] for members in whom.values()],
    )


def _carried(match: MatchView, summaries: Sequence[Summary]) -> dict[str, int]:
    """By how much tallies that were set before rounds differ from what stood there."""
    stood = dict.fromkeys(match.began_with, match.ruleset.numbers.start(len(match.began_with)))
    found: dict[str, int] = {}
    for summary in summaries:
        for name, tally in summary["before"].items():
            found[name] = found.get(name, 0) + tally - stood.get(name, tally)
        stood |= {**summary["before"], **(summary["tally"] or {})}
    return found


def _whom(match: MatchView, summaries: Sequence[Summary]) -> dict[str, list[str]]:
    """Whose tallies there are, with their players: of each player; of each side where the sheet
    tells those, and its players always had the same."""
    columns = match.ruleset.sheet.columns
    each = {name: [name] for name in match.players}
    if not any(cells.per == "side" and cells.names & TOLD for cells in columns):
        return each
    sides: dict[str, list[str]] = {}
    for summary in summaries:
        sides.update(summary["sides"])
    seated = [name for members in sides.values() for name in members]
    if sorted(seated) != sorted(match.players):
        return each
    tallies = [summary[key] or {} for summary in summaries for key in ("before", "tally")]
    for members in sides.values():
        if any(len({tally.get(name) for name in members}) > 1 for tally in tallies):
            return each
    return sides


# --- who pays whom


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


def payments(match: MatchView, stake: Decimal) -> Payments:
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


def _tallies(match: MatchView) -> dict[str, int]:
    """What stands on the sheet for each beyond what a match begins with. Where that does not sum
    to zero, after a penalty, the rest is the pot's."""
    start = match.ruleset.numbers.start(len(match.began_with))
    return {name: number - start for name, number in match.scores.items()}


def _settling(match: MatchView) -> list[list[str]]:
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


# --- what the rows of a ruleset say in numbers; what takes more to say is in the rules


def guide(rules: Ruleset) -> Sequence[tuple[str, Pairs]]:
    """Headings, each with what it is worth; none for what the ruleset has not."""
    found = [
        (tr("What counts"), _once(_scores(rules))),
        (tr("Contracts"), _contracts(rules)),
        (tr("Announcements"), _holdings(rules)),
        (tr("Calls"), _calls(rules)),
        (tr("Card points"), _cards(rules)),
        (tr("The match"), _match(rules)),
    ]
    return [(heading, pairs) for heading, pairs in found if pairs]


def _once(pairs: Iterator[tuple[str, str]]) -> Pairs:
    """Each row once, of those that are worth a number."""
    return [(label, worth) for label, worth in dict.fromkeys(pairs) if worth]


def _scores(rules: Ruleset) -> Iterator[tuple[str, str]]:
    rows: Row = rules.data.get("scores", {})
    for row in rules.scores:
        given = rows.get(row.name, {})
        label = rules.said(row.label)
        bound = _BOUND.fullmatch(str(given.get("when", "")))
        if bound is not None and not any(letter.isdigit() for letter in label):
            of = ": ".join(rules.said(word) for word in bound[1].split("."))
            label = f"{label} ({of} {_WRITTEN.get(bound[2], bound[2])} {bound[3]})"
        yield label, rules.said(given["worth"]) if given.get("worth") else _worth(given)


def _worth(row: Row) -> str:
    """What a row gives, where that is a number."""
    if "factor" in row:
        return f"×{row['factor']}" if type(row["factor"]) is int else ""
    points = row.get("points")
    if type(points) is int:
        return signed(points)
    each = _EACH.fullmatch(str(points))
    if each is None or not (each[1] or each[3]):
        return ""
    return tr("{points} each", points=signed(int(each[1] or 1)))


def _contracts(rules: Ruleset) -> Pairs:
    rows: Row = rules.data.get("contracts", {})
    numbers = {name: list(row.get("is", {}).values()) for name, row in rows.items()}
    return [
        (rules.spoken(name), str(values[0]))
        for name, values in numbers.items()
        if len(values) == 1 and type(values[0]) is int
    ]


def _holdings(rules: Ruleset) -> Pairs:
    rows: Row = rules.data.get("holdings", {})
    return [
        (rules.spoken(name), signed(row["points"]))
        for name, row in rows.items()
        if type(row.get("points")) is int and row["points"]
    ]


def _calls(rules: Ruleset) -> Pairs:
    """Each call, with how many cards must be left to make it."""
    rows: Row = rules.data.get("calls", {})
    return [
        (
            rules.spoken(name),
            plural("with {count} card or more", "with {count} cards or more", row["cards"]),
        )
        for name, row in rows.items()
        if type(row.get("cards")) is int
    ]


def _cards(rules: Ruleset) -> Pairs:
    rows = [*rules.data["phases"].values(), *rules.data.get("orders", {}).values()]
    found: dict[str, str] = {}
    tables = [row["points"] for row in rows if isinstance(row.get("points"), dict)]
    for card, points in (pair for table in tables for pair in table.items()):
        found.setdefault(_card(rules, card), str(points))
    return list(found.items())


def _card(rules: Ruleset, pattern: str) -> str:
    """What a pattern of cards is called."""
    if pattern.startswith("*") and pattern[1:] in rules.pack.suits:
        return suit_name(pattern[1:])
    return _BRACED.sub(lambda name: f" ({rules.said(name[1])})", pattern)


def _match(rules: Ruleset) -> Pairs:
    """When it ends, and who wins it."""
    name = rules.said(rules.tally["name"])
    best = {
        "most": tr("the most: {name}", name=name),
        "fewest": tr("the fewest: {name}", name=name),
        "last": tr("the last one in"),
    }
    return [*_ends(rules, name), (tr("wins"), best[rules.match["wins"]])]


def _ends(rules: Ruleset, name: str) -> Iterator[tuple[str, str]]:
    deals, found = deals_of(rules), _BOUND.fullmatch(str(rules.match["ends"]))
    if deals:
        yield tr("ends"), plural("after {count} deal", "after {count} deals", deals)
    elif found is not None and found[1] == "tally.most" and found[2] == ">=":
        yield tr("ends"), tr("at {number} ({name})", number=found[3], name=name)


def deals_of(rules: Ruleset) -> int:
    """After how many deals a match ends, where that is said by a number; else 0."""
    found = _BOUND.fullmatch(str(rules.match["ends"]))
    return int(found[3]) if found is not None and found[1] + found[2] == "deals>=" else 0
