"""The sheet as strings and numbers, independent of layout.

Each renderer lays out and escapes these values. This module also computes the additions to the
table: the tallies over time, the sources of the tallies, and the payments. On a blank sheet, a
guide lists what counts.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import N_, plural, tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.match.remedies import later_choices
from scorekeeper.match.summary import format_signed, players_of_line
from scorekeeper.ruleset.orders import suit_name
from scorekeeper.ruleset.tables import DIFFERENCES, NOTHING, TALLY_ITSELF

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json, Row, Summary
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.view import MatchView

    Transfer = tuple[int, int, int]  # payer, payee, points
    Pairs = list[tuple[str, str]]


# The kinds of rows.
ROUND, FAULT, CARRIED, EMPTY, SUM = "round", "apart", "carried", "empty", "sum"
CARRIED_OVER = N_("carried over")  # tallies that were entered instead of scored
TALLY_FACTS = {"tally", "strokes", "signed", "change"}  # facts that show a tally
MAX_STAKE = 1_000_000
THOUSANDS_DIGITS = 3  # number of digits after a comma that may be a thousands separator
MAX_EXACT = 13  # with at most this many debtors and creditors, the number of payments is minimal
# An expression for points for each item that a side has, or for each item that it has more than the
# other side.
_POINTS_EACH = re.compile(r"(?:(\d+) \* )?(?:\w+\.)?(\w+)( [+-] \w+\.\2)?")
# An expression that compares a measure with a number.
_COMPARISON = re.compile(r"([a-z_]+(?:\.[a-z_]+)?) (<=|<|>=|>) (\d+)")
_RELATION_SIGNS = {"<=": "≤", ">=": "≥"}
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class SheetColumn(NamedTuple):
    """A column of a table.

    `align` is `left`, `right` or `center`. `width` is the minimum width on paper in letters, or 0
    if there is none. `owner` is the column's player or side, or "" for a column of the round.
    """

    label: str
    align: str
    width: int = 0
    owner: str = ""


class SheetTable(NamedTuple):
    """A table. Every row of `rows`, `totals` and `carried` has a cell for each column.

    `kinds` has the kind of each row. A `round` row is a round, and an `apart` row is a decision
    about a fault in the round above. A `carried` row shows tallies that were entered before a
    round, and an `empty` row is for handwriting. A `sum` row adds up rows of a form. For each row,
    `carried` has the tallies to repeat if the next row begins a page. If `is_form` is true, the
    rows are not rounds but boxes of a form, and the table looks the same on every screen.
    """

    caption: str
    columns: Sequence[SheetColumn]
    rows: Sequence[Sequence[str]]
    totals: Sequence[Sequence[str]] = ()
    kinds: Sequence[str] = ()
    carried: Sequence[Sequence[str]] = ()
    is_form: bool = False

    def select_columns(self, indexes: Sequence[int]) -> SheetTable:
        """Return the table with only the columns at these indexes."""

        def cells(rows: Sequence[Sequence[str]]) -> list[list[str]]:
            return [[row[at] for at in indexes] for row in rows]

        return self._replace(
            columns=[self.columns[at] for at in indexes],
            rows=cells(self.rows),
            totals=cells(self.totals),
            carried=cells(self.carried),
        )


class RunningTotals(NamedTuple):
    """The tallies over the evening.

    `rounds` has the round number of each point in time, or 0 for the time before the first round.
    `points` has a list for each name, with None for times when the player was absent. `word` is
    this sheet's own word for a round, or "". For several matches, `days` has the labels of the
    points in time, with "" for the start.
    """

    label: str
    names: Sequence[str]
    rounds: Sequence[int]
    points: Sequence[Sequence[int | None]]
    word: str = ""
    days: Sequence[str] = ()


class ScoreSources(NamedTuple):
    """The sources of the tallies. For each name, `points` has a list with a number for each
    label."""

    labels: Sequence[str]
    names: Sequence[str]
    points: Sequence[Sequence[int]]


class Payments(NamedTuple):
    """The fewest payments that settle the tallies, as payers, payees and amounts.

    `basis` is a sentence that explains the calculation. `sentences` has a sentence for each
    payment.
    """

    basis: str
    rows: Sequence[tuple[str, str, str]]
    sentences: Sequence[str] = ()


class Sheet(NamedTuple):
    """A sheet: title, facts, tables, footnotes and legend.

    The first table is the main one. Facts and the legend are pairs of a word and its meaning. The
    tallies over time, their sources and the payments are None if there is nothing to show. On a
    blank sheet, `guide` lists what counts. Each heading has pairs of an item and its worth.
    """

    title: str
    facts: Sequence[tuple[str, str]]
    tables: Sequence[SheetTable]
    footnotes: Sequence[str] = ()
    legend: Sequence[tuple[str, str]] = ()
    running_totals: RunningTotals | None = None
    sources: ScoreSources | None = None
    payments: Payments | None = None
    guide: Sequence[tuple[str, Sequence[tuple[str, str]]]] = ()


def row_kinds(table: SheetTable) -> Sequence[str]:
    """Return the kind of each row.

    If the table has no kinds, a row with no text after its first cell is `empty`, and any other row
    is a round.
    """
    return table.kinds or [ROUND if any(row[1:]) else EMPTY for row in table.rows]


def without_gaps(points: Sequence[int | None]) -> list[int]:
    """Return the tallies without the None values of absent players."""
    return [point for point in points if point is not None]


def running_title(running: RunningTotals) -> str:
    """Return the title for a chart of the tallies."""
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


def sources_title() -> str:
    """Return the title for a chart of the sources."""
    return tr("Sources of the scores")


def sources_total() -> str:
    """Return the label for the total of the sources."""
    return tr("total")


# --- as JSON


def as_json(sheet: Sheet) -> Json:
    """Return the sheet as JSON values."""
    tables = [
        {
            "caption": table.caption,
            "columns": [column.label for column in table.columns],
            "rows": table.rows,
            "totals": table.totals,
        }
        for table in sheet.tables
    ]
    running, parts, payments = sheet.running_totals, sheet.sources, sheet.payments
    return {
        "title": sheet.title,
        "facts": dict(sheet.facts),
        "tables": tables,
        "notes": sheet.footnotes,
        "legend": dict(sheet.legend),
        "running": None if running is None else _running_as_json(running),
        "parts": None if parts is None else parts._asdict(),
        "payments": None if payments is None else _payments_as_json(payments),
        "guide": [{"heading": heading, "rows": dict(rows)} for heading, rows in sheet.guide],
    }


def _running_as_json(running: RunningTotals) -> Json:
    """Return the tallies of a match as JSON values. Days are omitted, because a match has only
    rounds."""
    return {key: value for key, value in running._asdict().items() if key != "days"}


def _payments_as_json(payments: Payments) -> Json:
    rows = [{"from": payer, "to": paid, "amount": amount} for payer, paid, amount in payments.rows]
    return {"how": payments.basis, "rows": rows}


# --- the tallies over time and their sources


def running_totals(match: MatchView, summaries: Sequence[Summary]) -> RunningTotals | None:
    """Return the tallies before the first round and after each finished round.

    Return None if no round has finished.
    """
    finished = [summary for summary in summaries if summary["tally"] is not None]
    if not finished:
        return None
    owners = _tally_owners(match, summaries)
    tallies = [summaries[0]["before"], *(summary["tally"] for summary in finished)]
    return RunningTotals(
        match.ruleset.translate(match.ruleset.tally["name"]),
        list(owners),
        [0, *(summary["round"] for summary in finished)],
        [[tally.get(members[0]) for tally in tallies] for members in owners.values()],
        match.ruleset.sheet.round_word,
    )


def score_sources(match: MatchView, summaries: Sequence[Summary]) -> ScoreSources | None:
    """Return the sources of the tallies, or None if no tally has changed.

    The total of a player's sources is the current tally minus the tally at the start.
    """
    rules = match.ruleset
    sources: dict[str, dict[str, int]] = {row.label: {} for row in rules.scores}
    sources[CARRIED_OVER] = _carried_over(match, summaries)
    for summary in summaries:
        later = later_choices(summary)
        counts = summary["changes"] is not None or not summary["over"]
        for line in summary["lines"] if counts else ():
            of = sources.setdefault(later.get(line["code"], line["label"]), {})
            for name in players_of_line(rules, summary, line):
                of[name] = of.get(name, 0) + int(line["points"])
    made = {label: of for label, of in sources.items() if any(of.values())}
    if not made:
        return None
    owners = _tally_owners(match, summaries)
    return ScoreSources(
        [tr(CARRIED_OVER) if label == CARRIED_OVER else rules.translate(label) for label in made],
        list(owners),
        [[of.get(members[0], 0) for of in made.values()] for members in owners.values()],
    )


def _carried_over(match: MatchView, summaries: Sequence[Summary]) -> dict[str, int]:
    """Return how much each player's tally changed when tallies were entered before rounds."""
    tallies = dict.fromkeys(
        match.initial_players, match.ruleset.numbers.start(len(match.initial_players))
    )
    differences: dict[str, int] = {}
    for summary in summaries:
        for name, tally in summary["before"].items():
            differences[name] = differences.get(name, 0) + tally - tallies.get(name, tally)
        tallies |= {**summary["before"], **(summary["tally"] or {})}
    return differences


def _tally_owners(match: MatchView, summaries: Sequence[Summary]) -> dict[str, list[str]]:
    """Return the owners of the tallies, each with its players.

    The owners are the sides if the sheet shows tallies of sides and the players of each side always
    had the same tally. Otherwise they are the players.
    """
    columns = match.ruleset.sheet.columns
    each = {name: [name] for name in match.players}
    if not any(cells.per == "side" and cells.names & TALLY_FACTS for cells in columns):
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


# --- payments


def parse_stake(text: str) -> Decimal:
    """Parse the worth of a point, typed with a decimal point or comma.

    Raises Unreadable for anything else, and for a number that could mean thousands (`1,000`).
    """
    typed = text.strip()
    whole, comma, part = typed.partition(",")
    if comma and len(part) != THOUSANDS_DIGITS:
        typed = f"{whole}.{part}"
    if re.fullmatch(r"[0-9]{1,7}(\.[0-9]{1,4})?", typed):
        stake = Decimal(typed)
        if 0 < stake <= MAX_STAKE:
            return stake
    raise Unreadable(
        tr("“{typed}” is not a valid stake", typed=quote(text.strip(), 20)),
        tr(
            "enter what a point is worth: above 0, at most {most}, with up to four decimals,"
            " such as 0.10",
            most=MAX_STAKE,
        ),
    )


def settle(match: MatchView, stake: Decimal) -> Payments:
    """Calculate the payments for the match in its current state.

    Raises Impossible if the match's tally cannot be paid in money.
    """
    rules = match.ruleset
    pays, wins = rules.tally["pays"], rules.match["wins"]
    if not pays:
        pays = TALLY_ITSELF if rules.tally["zero_sum"] else DIFFERENCES
        pays = NOTHING if wins == "last" else pays
    if pays == NOTHING:
        name = rules.translate(rules.tally["name"])
        raise Impossible(
            tr(
                "{title} has no payments, because its tally ({name}) is not paid in money",
                title=rules.translate(rules.title),
                name=name,
            ),
            tr("to change that, set `tally.pays` in a ruleset of your own"),
        )
    sign = -1 if wins == "fewest" else 1
    groups = [] if pays == TALLY_ITSELF else _settlement_groups(match)
    owed = _difference_balances(match.scores, groups) if groups else _tally_balances(match)
    names = [*owed, tr("the pot")]
    points = [sign * number for number in owed.values()]
    points.append(-sum(points))
    paid = [(by, to, f"{many * stake:f}") for by, to, many in minimize_payments(points)]
    rows = [(names[by], names[to], amount) for by, to, amount in paid]
    how = _describe_basis(rules, len(groups), stake)
    if not rows:
        how = tr("nothing is owed: {how}", how=how)
    return Payments(how, rows, [_describe_payment(names, *each) for each in paid])


def _describe_basis(rules: Ruleset, groups: int, stake: Decimal) -> str:
    """Describe what the players settle.

    `groups` is the number of groups in which players settle with one another. If it is 0, each
    player settles their own tally.
    """
    name, each = rules.translate(rules.tally["name"]), f"{stake:f}"
    if not groups:
        return tr(
            "each player wins or loses their tally ({name}), at {stake} per point",
            name=name,
            stake=each,
        )
    if groups == 1:
        return tr(
            "any two players settle the difference between their tallies ({name}), at "
            "{stake} per point",
            name=name,
            stake=each,
        )
    return tr(
        "the sides settle the difference between their tallies ({name}), at {stake} per "
        "point; every player settles with one player of the other side",
        name=name,
        stake=each,
    )


def _describe_payment(names: Sequence[str], payer: int, payee: int, amount: str) -> str:
    """Describe a payment in a sentence. The last name is the pot."""
    pot = len(names) - 1
    if payee == pot:
        return tr("{payer} pays {amount} into the pot", payer=names[payer], amount=amount)
    if payer == pot:
        return tr("{paid} gets {amount} out of the pot", paid=names[payee], amount=amount)
    return tr("{payer} pays {paid} {amount}", payer=names[payer], paid=names[payee], amount=amount)


def _tally_balances(match: MatchView) -> dict[str, int]:
    """Return each player's tally minus its value at the start.

    If the results do not add up to zero, for example after a penalty, the pot settles the rest.
    """
    start = match.ruleset.numbers.start(len(match.initial_players))
    return {name: number - start for name, number in match.scores.items()}


def _settlement_groups(match: MatchView) -> list[list[str]]:
    """Return the groups of players who settle with one another.

    In a group, any two players settle the difference between their tallies. All players are one
    group, unless sides are fixed and equally large. In that case, each group has one player of each
    side, and these players are neighbours. Each player then wins or loses as much as the side does.
    A player who took over a seat settles the tally of the seat.
    """
    number: int = match.ruleset.sides["number"]
    seated = match.seated_players
    if not number or len(seated) % number:
        return [list(match.scores)]
    return [list(seated[at : at + number]) for at in range(0, len(seated), number)]


def _difference_balances(
    scores: Mapping[str, int], groups: Sequence[Sequence[str]]
) -> dict[str, int]:
    """Return, for each player, the sum of the leads over the other players in the group. Leads may
    be negative."""
    leads = dict.fromkeys(scores, 0)
    for group in groups:
        total = sum(scores[name] for name in group)
        for name in group:
            leads[name] = len(group) * scores[name] - total
    return leads


def minimize_payments(owed: Sequence[int]) -> list[Transfer]:
    """Return the fewest payments that settle these balances, which must add up to zero.

    With more than MAX_EXACT debtors and creditors, the largest debtor repeatedly pays the largest
    creditor. That may need more payments than necessary.
    """
    open_ = [at for at, points in enumerate(owed) if points]
    groups = list(_zero_sum_groups(owed, open_)) if len(open_) <= MAX_EXACT else [open_]
    return [paid for group in groups for paid in _pay_off(owed, group)]


def _zero_sum_groups(owed: Sequence[int], open_: Sequence[int]) -> Iterator[list[int]]:
    """Split the balances into as many zero-sum groups as possible. Each group saves a payment."""
    full = (1 << len(open_)) - 1
    sums, most = [0] * (full + 1), [0] * (full + 1)
    last = [0] * (full + 1)  # the balance that was added last in the best split of each subset
    for subset in range(1, full + 1):
        lowest = (subset & -subset).bit_length() - 1
        sums[subset] = sums[subset & (subset - 1)] + owed[open_[lowest]]
        among = [at for at in range(len(open_)) if subset >> at & 1]
        without, last[subset] = max((most[subset ^ 1 << at], at) for at in among)
        most[subset] = without + (sums[subset] == 0)
    group: list[int] = []
    while full:
        if not sums[full] and group:
            yield group
            group = []
        group.append(open_[last[full]])
        full ^= 1 << last[full]
    if group:
        yield group


def _pay_off(owed: Sequence[int], group: Sequence[int]) -> Iterator[Transfer]:
    """Yield the payments within a group. Each payment settles one balance, and the last one settles
    two."""
    left = {at: owed[at] for at in group}
    while any(left.values()):
        by = min(left, key=lambda at: left[at])
        to = max(left, key=lambda at: left[at])
        many = min(-left[by], left[to])
        left[by] += many
        left[to] -= many
        yield by, to, many


# --- the guide: rules that are numbers


def build_guide(rules: Ruleset) -> Sequence[tuple[str, Pairs]]:
    """List what counts, under headings. A heading without rows is omitted."""
    sections = [
        (tr("What counts"), _distinct_rows(_scores(rules))),
        (tr("Contracts"), _contracts(rules)),
        (tr("Announcements"), _holdings(rules)),
        (tr("Calls"), _calls(rules)),
        (tr("Card points"), _cards(rules)),
        (tr("The match"), _match(rules)),
    ]
    return [(heading, pairs) for heading, pairs in sections if pairs]


def _distinct_rows(pairs: Iterator[tuple[str, str]]) -> Pairs:
    """Drop repeated rows and rows without a number."""
    return [(label, worth) for label, worth in dict.fromkeys(pairs) if worth]


def _scores(rules: Ruleset) -> Iterator[tuple[str, str]]:
    rows: Row = rules.data.get("scores", {})
    for row in rules.scores:
        given = rows.get(row.name, {})
        label = rules.translate(row.label)
        bound = _COMPARISON.fullmatch(str(given.get("when", "")))
        if bound is not None and not any(letter.isdigit() for letter in label):
            of = ": ".join(rules.translate(word) for word in bound[1].split("."))
            label = f"{label} ({of} {_RELATION_SIGNS.get(bound[2], bound[2])} {bound[3]})"
        yield label, rules.translate(given["worth"]) if given.get("worth") else _worth(given)


def _worth(row: Row) -> str:
    """Return the worth of a score row, or "" if it is not a fixed number."""
    if "factor" in row:
        return f"×{row['factor']}" if type(row["factor"]) is int else ""
    points = row.get("points")
    if type(points) is int:
        return format_signed(points)
    each = _POINTS_EACH.fullmatch(str(points))
    if each is None or not (each[1] or each[3]):
        return ""
    return tr("{points} each", points=format_signed(int(each[1] or 1)))


def _contracts(rules: Ruleset) -> Pairs:
    rows: Row = rules.data.get("contracts", {})
    numbers = {name: list(row.get("is", {}).values()) for name, row in rows.items()}
    return [
        (rules.translate_word(name), str(values[0]))
        for name, values in numbers.items()
        if len(values) == 1 and type(values[0]) is int
    ]


def _holdings(rules: Ruleset) -> Pairs:
    rows: Row = rules.data.get("holdings", {})
    return [
        (rules.translate_word(name), format_signed(row["points"]))
        for name, row in rows.items()
        if type(row.get("points")) is int and row["points"]
    ]


def _calls(rules: Ruleset) -> Pairs:
    """Return the calls, each with the minimum number of cards in the caller's hand."""
    rows: Row = rules.data.get("calls", {})
    return [
        (
            rules.translate_word(name),
            plural("with {count} card or more", "with {count} cards or more", row["cards"]),
        )
        for name, row in rows.items()
        if type(row.get("cards")) is int
    ]


def _cards(rules: Ruleset) -> Pairs:
    rows = [*rules.data["phases"].values(), *rules.data.get("orders", {}).values()]
    points_of: dict[str, str] = {}
    tables = [row["points"] for row in rows if isinstance(row.get("points"), dict)]
    for card, points in (pair for table in tables for pair in table.items()):
        points_of.setdefault(_card_name(rules, card), str(points))
    return list(points_of.items())


def _card_name(rules: Ruleset, pattern: str) -> str:
    """Return a readable name for a card pattern."""
    if pattern.startswith("*") and pattern[1:] in rules.pack.suits:
        return suit_name(pattern[1:])
    return _PLACEHOLDER.sub(lambda name: f" ({rules.translate(name[1])})", pattern)


def _match(rules: Ruleset) -> Pairs:
    """List when the match ends and how its winner is decided."""
    name = rules.translate(rules.tally["name"])
    best = {
        "most": tr("the highest tally ({name})", name=name),
        "fewest": tr("the lowest tally ({name})", name=name),
        "last": tr("the last remaining player"),
    }
    return [*_ends(rules, name), (tr("wins"), best[rules.match["wins"]])]


def _ends(rules: Ruleset, name: str) -> Iterator[tuple[str, str]]:
    deals, bound = fixed_deal_count(rules), _COMPARISON.fullmatch(str(rules.match["ends"]))
    if deals and rules.deal["dealt"]:
        yield tr("ends"), plural("after {count} deal", "after {count} deals", deals)
    elif deals:
        yield tr("ends"), plural("after {count} round", "after {count} rounds", deals)
    elif bound is not None and bound[1] == "tally.most" and bound[2] == ">=":
        yield tr("ends"), tr("at {number} ({name})", number=bound[3], name=name)


def fixed_deal_count(rules: Ruleset) -> int:
    """Return the number of deals after which a match ends, or 0 if the ruleset sets none."""
    bound = _COMPARISON.fullmatch(str(rules.match["ends"]))
    if bound is None or bound[2] != ">=":
        return 0
    counter: Row = rules.data.get("counters", {}).get(bound[1], {})
    is_count = bound[1] == "deals" or counter.get("adds") == 1
    return int(bound[3]) if is_count else 0
