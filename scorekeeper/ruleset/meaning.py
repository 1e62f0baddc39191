"""What a ruleset says that only its phases together can judge: patterns, sums."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from itertools import islice, product
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged
from scorekeeper.core.text import nearest, shown
from scorekeeper.ruleset.measures import check_named
from scorekeeper.ruleset.naming import check as check_names
from scorekeeper.ruleset.naming import roles_of
from scorekeeper.ruleset.orders import (
    bound_names,
    each_pattern,
    filled,
    kinds_under,
    pattern_texts,
    points_pattern,
)
from scorekeeper.ruleset.scores import EACH, SIDES, asked, lines_of
from scorekeeper.ruleset.shares import check_shares, check_start, counts, playing
from scorekeeper.ruleset.splits import Split
from scorekeeper.ruleset.tables import join_key
from scorekeeper.ruleset.turned_off import check as check_verbs
from scorekeeper.ruleset.vocabulary import PHASES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.expressions import Expression, Get
    from scorekeeper.core.rulings import Line
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.ruleset.merge import Merged
    from scorekeeper.ruleset.rows import ScoreRow
    from scorekeeper.ruleset.scores import Target
    from scorekeeper.ruleset.tables import Report
# How many numbers are tried for the measures, and how many conditions of factors in all ways.
TRIES = 4
MOST_CONDITIONS = 6
MOST_SEATS = 8
MOST_LINES = 40_000
MOST_NAMES = 2  # in a pattern: for a rank and a suit
_LARGE: tuple[str, dict[str, int], int] = ("", {}, untrusted.POINTS * untrusted.PLAYERS)


def check(rules: Ruleset, sound: bool) -> None:
    """Report what is wrong with a ruleset whose tables are all right, each for itself. Where it is
    not `sound`, for expressions are wrong, nothing is said of what they come to."""
    verbs = [verb for phase in rules.phases.values() for verb in phase.verbs]
    own = rules.phases["table"].verbs
    check_verbs(rules.data.get("verbs", {}), verbs, own, rules.lexicon.meanings, rules.fault)
    _check_orders(rules)
    _check_roles(rules)
    if sound:
        check_shares(rules)
        check_start(rules)
        _check_sums(rules)
        _check_factors(rules)
    check_names(rules)
    check_named(rules.measures, rules.fault)


# --- card orders


def _check_orders(rules: Ruleset) -> None:
    bound: dict[str, list[str]] = {}
    for phase in rules.phases.values():
        for name, values in phase.pattern_names().items():
            bound.setdefault(name, []).extend(values)
    texts = pattern_texts(rules.pack)
    ranks = rules.pack.ranks
    sound: set[str] = set()
    for name, row in rules.section("orders").items():
        listed = [[each] if isinstance(each, str) else each for each in row["trumps"]]
        for text in dict.fromkeys(text for group in listed for text in group):
            if text not in sound and _is_pattern(
                rules, f"orders.{name}.trumps", text, bound, texts
            ):
                sound.add(text)
        for text in map(points_pattern, row["points"]):
            _is_pattern(rules, f"orders.{name}.points", text, bound, texts)
        for text in each_pattern(row["outside"]):
            _is_pattern(rules, f"orders.{name}.outside", text, bound, texts)
        for rank in row["plain"].split():
            if rank not in ranks:
                where = f"orders.{name}.plain"
                message = f"{where}: “{shown(rank)}” is no rank of the pack"
                rules.fault(where, shown(rank), " ".join(sorted(ranks)), message)

    for name, value in rules.data.get("let", {}).items():
        for text in each_pattern(value) if isinstance(value, list) else ():
            _is_pattern(rules, f"let.{name}", text, bound, texts)


def check_points(merged: Merged, pack: Pack, report: Report) -> None:
    """Report each row of card points for which the rows that its own file has above it leave no
    card, whatever its names in braces stand for."""
    tables = {("orders", name): row for name, row in merged.table.get("orders", {}).items()}
    tables["phases", "tricks"] = merged.table.get("phases", {}).get("tricks", {})
    for where, table in tables.items():
        above: list[tuple[str, int, str]] = []  # the file, the cards, the row
        for row in table.get("points", ()):
            key, text = join_key((*where, "points", row)), points_pattern(row)
            file, names = merged.origin(key), bound_names([text])
            cards = 0
            for values in product((*pack.suits, *pack.ranks), repeat=min(len(names), MOST_NAMES)):
                cards |= kinds_under(pack, [text], dict(zip(names, values, strict=False)))
            over = [(taken, name) for own, taken, name in above if own == file and taken & cards]
            left = cards
            for taken, _ in over:
                left &= ~taken
            if cards and not left:
                first = over[0][1]
                message = f"“{shown(first)}” stands above it and takes its cards"
                report(key, shown(row), f"above the row “{shown(first)}”", message)
            if not names:
                above.append((file, cards, row))


def _is_pattern(
    rules: Ruleset, where: str, text: str, bound: Mapping[str, list[str]], texts: frozenset[str]
) -> bool:
    """Whether a pattern matches whatever is bound; reported if not."""
    names = bound_names([text])
    for name in names:
        if name not in bound:
            near = nearest(name, bound)
            hint = f"; did you mean “{near}”?" if near else ""
            allowed = ", ".join(bound) or "no names in braces"
            message = f"{where}: “{shown(text)}”: no phase binds “{shown(name)}”{hint}"
            rules.fault(where, shown(text), allowed, message)
            return False
    for values in product(*(bound[name] for name in names)):
        card = filled(text, dict(zip(names, values, strict=True)))
        if card not in texts:
            so = f", which may come to “{shown(card)}”," if names else ""
            message = f"{where}: “{shown(text)}”{so} names no card of the pack"
            rules.fault(where, shown(text), "a card, a rank and *, * and a suit, or *", message)
            return False
    return True


# --- the sums that a tally promises


def _check_sums(rules: Ruleset) -> None:
    """Report score rows that break what `tally` says of their sums, for some sizes of sides."""
    tally = rules.tally
    if not (tally["zero_sum"] or tally["parity"]) or _for_everyone(rules):
        return
    tries = MOST_LINES // max(1, len(rules.scores))
    wrong: dict[str, tuple[str, dict[str, int], int]] = {}
    for seats, split in splits(rules):
        for lines in islice(_possible(rules, split), tries):
            sums, given = _given(split, seats, lines)
            size = sum(map(abs, given))
            if tally["zero_sum"] and sum(given) and size < wrong.get("zero_sum", _LARGE)[2]:
                wrong["zero_sum"] = (split.said, sums, size)
            odd = len({points % 2 for points in given}) > 1
            if tally["parity"] and odd and size < wrong.get("parity", _LARGE)[2]:
                wrong["parity"] = (split.said, sums, size)
    for key, (said, sums, _) in wrong.items():
        example = ", ".join(f"{label} {points:+}" for label, points in sums.items())
        what = {"zero_sum": "sum to zero", "parity": "be all odd or all even"}[key]
        message = f"the scores of a round need not {what}: with {said}, for each {example}"
        rules.fault(f"tally.{key}", "true", f"rows whose scores always {what}, or false", message)


def _for_everyone(rules: Ruleset) -> bool:
    """Whether some row is for each player or side: then only a played round shows what all come
    to."""
    return any(row.to in (EACH, SIDES) for row in rules.scores)


# --- roles that go together


def _check_factors(rules: Ruleset) -> None:
    """Report factors of rows that give nothing that they could multiply."""
    places = {row.name: place for place, row in enumerate(rules.scores)}
    for place, row in enumerate(rules.scores):
        for name in row.of if row.factor is not None else ():
            other, why = rules.scores[places[name]], ""
            if places[name] >= place:
                why = "does not stand above it"
            elif {row.to, other.to} == {EACH, SIDES}:
                why = f"is for “{other.to}”, the factor for “{row.to}”"
            if why:
                where = f"scores.{row.name}.of"
                allowed = "rows above, for the same"
                rules.fault(where, name, allowed, f"{where}: the row “{name}” {why}")


def _check_roles(rules: Ruleset) -> None:
    """Report score rows that speak of a role that nobody has where somebody has the row's own."""
    roles = roles_of(rules)
    others = [(row, *named) for row in rules.scores for named in _other_roles(row, roles)]
    together: dict[str, set[str]] = {}
    for _, split in splits(rules) if others else ():
        for role in split.roles:
            together.setdefault(role, set()).update(split.roles)
    for row, key, name, role in others:
        if role not in together.get(row.to, roles):
            where = f"scores.{row.name}.{key}"
            why = f"a round in which there is a {row.to} has no {role}"
            message = f"{where}: “{name}” speaks of nobody: {why}"
            allowed = ", ".join(sorted(together[row.to]))
            rules.fault(where, name, f"what speaks of these: {allowed}", message)


def _other_roles(row: ScoreRow, roles: set[str]) -> Iterator[tuple[str, str, str]]:
    """The roles beside its own that a score row speaks of: the key, the measure, the role."""
    if row.against and row.against != row.to:
        yield "against", row.against, row.against
    for key in ("points", "factor", "when"):
        expression: Expression | None = getattr(row, key)
        for name in expression.names if expression is not None else ():
            role = name.partition(".")[0]
            if role in roles and role != row.to:
                yield key, name, role


def splits(rules: Ruleset) -> Iterator[tuple[int, Split]]:
    """The ways in which the players of a round may be split into roles, with their number."""
    seen = {playing(rules, count) for count in counts(rules.players)}
    for seats in sorted(seen)[:MOST_SEATS]:
        found = [Split("", {}, {})]
        for phase in (rules.phases[name] for name in PHASES if name in rules.phases):
            found = [more for split in found for more in phase.splits(split, seats)]
        yield from ((seats, split) for split in found)


def _possible(rules: Ruleset, split: Split) -> Iterator[list[Line]]:
    """Lines that may come of the score rows: each condition alone, with those of factors in all
    ways, and numbers as they come for the measures."""
    rows = [row for row in rules.scores if row.to in split.roles and row.sound]
    open_rows = [row for row in rows if _known(row, split) is None]
    factors = list(dict.fromkeys(row.when.text for row in open_rows if row.factor is not None))
    others = dict.fromkeys(row.when.text for row in open_rows if row.factor is None)
    others = {text: None for text in others if text not in factors}

    roles = {name: [role] for name, role in split.roles.items() if role[1]}
    targets: defaultdict[str, list[Target]] = defaultdict(list, roles)

    for number in range(TRIES):
        measures: dict[str, float] = {
            name: (place * 37 + number * 41) % 97 % (2 + 30 * number)
            for place, name in enumerate(rules.measures)
        }
        measures.update(split.measures)
        for chosen in _subsets(factors[:MOST_CONDITIONS]):
            for alone in ("", *others):
                true = {*chosen, alone}

                def reading(target: Target, get: Get = measures.__getitem__) -> Get:
                    return get

                def holds(row: ScoreRow, get: Get, true: set[str] = true) -> bool:
                    known = _known(row, split)
                    return row.when.text in true if known is None else known

                with suppress(Damaged):
                    found = lines_of(asked(rows, targets, reading, holds), targets)
                    yield [line for line, _ in found]


def _known(row: ScoreRow, split: Split) -> bool | None:
    """Whether a row counts in such a split; None where that is open."""
    try:
        return row.always or bool(row.when(split.measures.__getitem__))
    except (KeyError, Damaged):
        return None


def _subsets(texts: list[str]) -> Iterator[list[str]]:
    for chosen in product((False, True), repeat=len(texts)):
        yield [text for text, true in zip(texts, chosen, strict=True) if true]


def _given(split: Split, seats: int, lines: Iterable[Line]) -> tuple[dict[str, int], list[int]]:
    """What lines come to, for each player of a role by its label, and for every player."""
    sizes: dict[str, int] = {}
    for label, players in split.roles.values():
        sizes[label] = max(sizes.get(label, 0), len(players))
    sums = dict.fromkeys(sizes, 0)
    for line in lines:
        sums[line.to] += int(line.points)
    given = [points for label, points in sums.items() for _ in range(sizes[label])]
    return sums, given + [0] * (seats - len(given))
