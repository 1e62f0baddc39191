"""Checks of a compiled ruleset as a whole.

Tables that are valid on their own can still contradict one another. For example, the starting tally
may be out of range, a pattern may match no card, or the sides may be unequal.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from itertools import islice, product
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged
from scorekeeper.core.text import find_nearest, quote
from scorekeeper.engine.measures import check_named
from scorekeeper.engine.phase import RoleSplit
from scorekeeper.engine.rows import ALL, EACH, SIDES, lines_of, numbers_one_by_one
from scorekeeper.engine.ruleset import VERBS, player_counts
from scorekeeper.ruleset.orders import (
    bound_names,
    fill_pattern,
    iter_patterns,
    list_patterns,
    match_cards,
    points_pattern,
)
from scorekeeper.ruleset.reports import (
    BY_ROLES,
    MAX_SIGN,
    MAX_STEPS,
    PLAYER,
    ROUND,
    ROUND_FACTS,
    ROUNDS,
    SEAT_FACTS,
    SIDE,
    TOTAL_FACTS,
    Breakdown,
    SheetCells,
    Statistic,
)
from scorekeeper.ruleset.tables import join_key
from scorekeeper.ruleset.vocabulary import COMPILED_PHASES, clause_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.expressions import Expression, Lookup
    from scorekeeper.core.rulings import Line
    from scorekeeper.engine.rows import ScoreRow, Target
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.ruleset.merge import MergedRuleset
    from scorekeeper.ruleset.tables import Report

# Limits for trials: the values tried for each measure, the conditions combined, the numbers of
# players, and the score lines.
TRIES = 4
MAX_CONDITIONS = 6
MAX_SEATS = 8
MAX_LINES = 40_000
MAX_NAMES = 2  # names in a card pattern: at most one for the rank and one for the suit
_LARGE: tuple[str, dict[str, int], int] = ("", {}, untrusted.MAX_POINTS * untrusted.MAX_PLAYERS)


def check(rules: Ruleset, trial_allowed: bool) -> None:
    """Report what is wrong with a ruleset whose tables are valid.

    If `trial_allowed` is false, the ruleset already has faults, and checks that compute values are
    skipped.
    """
    _check_verbs(rules)
    _check_orders(rules)
    _check_roles(rules)
    if trial_allowed:
        check_shares(rules)
        check_start(rules)
        _check_sums(rules)
        _check_factors(rules)
    check_names(rules)
    check_named(rules.measures, rules.fault)


def _check_verbs(rules: Ruleset) -> None:
    """Report unknown words in `[verbs]`, and needed verbs that it turns off.

    A verb is needed if its entries are typed without it, or if every game has it.
    """
    known = {verb.word: verb for phase in rules.phases.values() for verb in phase.entry_types}
    own = rules.phases["table"].entry_types
    for word, is_played in rules.data.get(VERBS, {}).items():
        where = join_key((VERBS, word))
        if word not in known:
            near = rules.lexicon.meanings.get(word, "") or find_nearest(word, known)
            hint = f"; did you mean “{near}”?" if near else ""
            message = f"{where} is not a verb of these phases{hint}"
            rules.fault(where, word, ", ".join(sorted(known)), message)
        elif not is_played and (known[word].is_implicit or known[word] in own):
            so = "it is typed without a word" if known[word].is_implicit else "every table has it"
            rules.fault(where, "false", "true", f"{where} cannot be turned off: {so}")


# --- card orders


def _check_orders(rules: Ruleset) -> None:
    bound: dict[str, list[str]] = {}
    for phase in rules.phases.values():
        for name, values in phase.pattern_names().items():
            bound.setdefault(name, []).extend(values)
    texts = list_patterns(rules.pack)
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
        for text in iter_patterns(row["outside"]):
            _is_pattern(rules, f"orders.{name}.outside", text, bound, texts)
        for rank in row["plain"].split():
            if rank not in ranks:
                where = f"orders.{name}.plain"
                message = f"{where}: “{quote(rank)}” is no rank of the pack"
                rules.fault(where, quote(rank), " ".join(sorted(ranks)), message)

    for name, value in rules.data.get("let", {}).items():
        for text in iter_patterns(value) if isinstance(value, list) else ():
            _is_pattern(rules, f"let.{name}", text, bound, texts)


def check_points(merged: MergedRuleset, pack: Pack, report: Report) -> None:
    """Report each card point row that never applies because earlier rows match all its cards.

    Only earlier rows in the same file count. A row with names in braces is reported only if no
    values of these names let it apply.
    """
    tables = {("orders", name): row for name, row in merged.table.get("orders", {}).items()}
    tables["phases", "tricks"] = merged.table.get("phases", {}).get("tricks", {})
    for where, table in tables.items():
        above: list[tuple[str, int, str]] = []  # file, cards and text of each earlier row
        for row in table.get("points", ()):
            key, text = join_key((*where, "points", row)), points_pattern(row)
            file, names = merged.origin(key), bound_names([text])
            cards = 0
            for values in product((*pack.suits, *pack.ranks), repeat=min(len(names), MAX_NAMES)):
                cards |= match_cards(pack, [text], dict(zip(names, values, strict=False)))
            over = [(taken, name) for own, taken, name in above if own == file and taken & cards]
            left = cards
            for taken, _ in over:
                left &= ~taken
            if cards and not left:
                first = over[0][1]
                message = f"the row “{quote(first)}” above it matches all of its cards"
                report(key, quote(row), f"above the row “{quote(first)}”", message)
            if not names:
                above.append((file, cards, row))


def _is_pattern(
    rules: Ruleset, where: str, text: str, bound: Mapping[str, list[str]], texts: frozenset[str]
) -> bool:
    """Return whether a pattern matches a card for every value of its names. Report a pattern that
    does not."""
    names = bound_names([text])
    for name in names:
        if name not in bound:
            near = find_nearest(name, bound)
            hint = f"; did you mean “{near}”?" if near else ""
            allowed = ", ".join([*bound, "the name of a row of [calls] whose cards are the same"])
            message = f"{where}: “{quote(text)}”: no phase or call binds “{quote(name)}”{hint}"
            rules.fault(where, quote(text), allowed, message)
            return False
    for values in product(*(bound[name] for name in names)):
        card = fill_pattern(text, dict(zip(names, values, strict=True)))
        if card not in texts:
            so = f", which can be “{quote(card)}”," if names else ""
            message = f"{where}: “{quote(text)}”{so} names no card of the pack"
            rules.fault(where, quote(text), "a card, a rank and *, * and a suit, or *", message)
            return False
    return True


# --- the sums that a tally promises


def _check_sums(rules: Ruleset) -> None:
    """Report `zero_sum` and `parity` in `[tally]` if the scores of some round would break them."""
    tally = rules.tally
    if not (tally["zero_sum"] or tally["parity"]) or _points_for_everyone(rules):
        return
    tries = MAX_LINES // max(1, len(rules.scores))
    wrong: dict[str, tuple[str, dict[str, int], int]] = {}
    for seats, split in role_splits(rules):
        for lines in islice(_splits_that_can_hold(rules, split), tries):
            sums, given = _points_by_seat(split, seats, lines)
            size = sum(map(abs, given))
            if tally["zero_sum"] and sum(given) and size < wrong.get("zero_sum", _LARGE)[2]:
                wrong["zero_sum"] = (split.text, sums, size)
            odd = len({points % 2 for points in given}) > 1
            if tally["parity"] and odd and size < wrong.get("parity", _LARGE)[2]:
                wrong["parity"] = (split.text, sums, size)
    for key, (split_text, sums, _) in wrong.items():
        example = ", ".join(f"{label} {points:+}" for label, points in sums.items())
        what = {"zero_sum": "sum to zero", "parity": "be all odd or all even"}[key]
        message = f"the scores of a round need not {what}: with {split_text}, for each {example}"
        rules.fault(f"tally.{key}", "true", f"rows whose scores always {what}, or false", message)


def _points_for_everyone(rules: Ruleset) -> bool:
    """Return whether any score row applies to each player or each side.

    The total of such rows is known only after a round.
    """
    return any(row.to in (EACH, ALL, SIDES) for row in rules.scores)


# --- roles in score rows


def _check_factors(rules: Ruleset) -> None:
    """Report factors that cannot multiply some row that they name.

    The row must be above the factor, and for the same players.
    """
    splits = [split for _, split in role_splits(rules)] if _has_aimed_factor(rules) else []
    places = {row.name: place for place, row in enumerate(rules.scores)}
    for place, row in enumerate(rules.scores):
        for name in row.target_roles if row.factor is not None else ():
            other, why = rules.scores[places[name]], ""
            if places[name] >= place:
                why = "is not above it"
            elif not any(
                _is_multiplied(rules, splits, row, each) for each in _parts(rules, row, other)
            ):
                why = f"is for “{other.to}”, the factor for “{row.to}”"
            if why:
                where = f"scores.{row.name}.of"
                allowed = "rows above, for the same"
                rules.fault(where, name, allowed, f"{where}: the row “{name}” {why}")


def check_direction(rules: Ruleset) -> None:
    """Report a direction to the right in a card game, because cards are played to the left."""
    if rules.match["direction"] == "right" and rules.pack.kinds:
        rules.fault(
            "match.direction",
            "right",
            "left",
            "match.direction: cards are played to the left; if your game is played to the right, "
            "name the players in the order of play when a match begins",
        )


def _has_aimed_factor(rules: Ruleset) -> bool:
    return any(row.factor is not None and row.target_roles for row in rules.scores)


def _parts(rules: Ruleset, factor: ScoreRow, row: ScoreRow) -> list[ScoreRow]:
    """Return the rows that a factor names by the same name as this row.

    A row with shares is compiled to several rows: one with its name, and one with its name and a
    role for each further role.
    """
    rows = [each for each in rules.scores if each.name in factor.target_roles]
    for first in rows:
        parts = [first, *(each for each in rows if each.name == f"{first.name}-{each.to}")]
        if row in parts:
            return parts
    return [row]


def _is_multiplied(
    rules: Ruleset, splits: Iterable[RoleSplit], factor: ScoreRow, row: ScoreRow
) -> bool:
    """Return whether a factor can multiply a row, so that both may have the same target.

    A role with several players is one target, and so is a party. A factor for each player does not
    multiply its points. A row's target may also be the role in `against`.
    """
    to, others = factor.to, {row.to, row.against} - {""}
    everyone = {to, row.to} & {EACH, ALL, SIDES}
    if to in others or everyone == {to, row.to}:
        return to in others
    if everyone:
        parties = rules.phases["parties"].roles if "parties" in rules.phases else ()
        role = row.to if to in everyone else to
        found = [split.roles[role] for split in splits if role in split.roles]
        return SIDES in everyone or all(
            len(seats) == 1 and label not in parties for label, seats in found
        )
    groups = [{*phase.roles} for phase in rules.phases.values()]
    pairs = [
        (split.roles[to][1], split.roles[other][1], any({to, other} <= each for each in groups))
        for split in splits
        for other in others
        if to in split.roles and other in split.roles
    ]
    # Splits show which roles of one phase are the same players. Other roles overlap in any way.
    return not pairs or any(
        own == theirs if are_settled else len(own) == len(theirs)
        for own, theirs, are_settled in pairs
    )


def _check_roles(rules: Ruleset) -> None:
    """Report each score row that uses a role which may have no player when the row applies."""
    roles = roles_of(rules)
    others = [(row, *named) for row in rules.scores for named in _other_roles(row, roles)]
    together: dict[str, set[str]] = {}
    for _, split in role_splits(rules) if others else ():
        for role in split.roles:
            together.setdefault(role, set()).update(split.roles)
    for row, key, name, role in others:
        if role not in together.get(row.to, roles):
            where = f"scores.{row.name}.{key}"
            why = f"a round in which there is a {row.to} has no {role}"
            message = f"{where}: “{name}” may have no player: {why}"
            allowed = ", ".join(sorted(together[row.to]))
            rules.fault(where, name, f"measures of these: {allowed}", message)


def _other_roles(row: ScoreRow, roles: set[str]) -> Iterator[tuple[str, str, str]]:
    """Yield each reference to another role in a score row as a triple of the key, the measure and
    the role."""
    if row.against and row.against != row.to:
        yield "against", row.against, row.against
    for key in ("points", "factor", "when"):
        expression: Expression | None = getattr(row, key)
        for name in expression.names if expression is not None else ():
            role = name.partition(".")[0]
            if role in roles and role != row.to:
                yield key, name, role


def role_splits(rules: Ruleset) -> Iterator[tuple[int, RoleSplit]]:
    """Yield every way to divide the players of a round into roles, with the number of players."""
    counts = {
        seats_in_play(rules, n): n for n in sorted(player_counts(rules.players), reverse=True)
    }
    for seats, count in sorted(counts.items())[:MAX_SEATS]:
        splits = [RoleSplit("", {}, {"players": count})]
        for phase in (rules.phases[name] for name in COMPILED_PHASES if name in rules.phases):
            splits = [more for split in splits for more in phase.splits(split, seats)]
        yield from ((seats, split) for split in splits)


def _splits_that_can_hold(rules: Ruleset, split: RoleSplit) -> Iterator[list[Line]]:
    """Yield combinations of score lines that are possible in a role split.

    Conditions of ordinary rows are tried one at a time, and conditions of factors in all
    combinations. Each attempt uses a few values for every measure.
    """
    rows = [row for row in rules.scores if row.to in split.roles and row.sound]
    open_rows = [row for row in rows if _settled_measures(row, split) is None]
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
        for chosen in _subsets(factors[:MAX_CONDITIONS]):
            for alone in ("", *others):
                true = {*chosen, alone}

                def reading(target: Target, get: Lookup = measures.__getitem__) -> Lookup:
                    return get

                def holds(row: ScoreRow, get: Lookup, true: set[str] = true) -> bool:
                    known = _settled_measures(row, split)
                    return row.when.text in true if known is None else known

                with suppress(Damaged):
                    found = lines_of(numbers_one_by_one(rows, targets, reading, holds), targets)
                    yield [line for line, _ in found]


def _settled_measures(row: ScoreRow, split: RoleSplit) -> bool | None:
    """Return whether a row applies in a role split, or None if the split does not determine
    this."""
    try:
        return row.always_counts or bool(row.when(split.measures.__getitem__))
    except (KeyError, Damaged):
        return None


def _subsets(texts: list[str]) -> Iterator[list[str]]:
    for chosen in product((False, True), repeat=len(texts)):
        yield [text for text, true in zip(texts, chosen, strict=True) if true]


def _points_by_seat(
    split: RoleSplit, seats: int, lines: Iterable[Line]
) -> tuple[dict[str, int], list[int]]:
    """Return the points per player for each role label, and the list of all players' points."""
    sizes: dict[str, int] = {}
    for label, players in split.roles.values():
        sizes[label] = max(sizes.get(label, 0), len(players))
    sums = dict.fromkeys(sizes, 0)
    for line in lines:
        sums[line.to] += int(line.points)
    given = [points for label, points in sums.items() for _ in range(sizes[label])]
    return sums, given + [0] * (seats - len(given))


# --- shares of cards and sides


def seats_in_play(rules: Ruleset, count: int) -> int:
    """Return how many of the given number of players take part in a round."""
    return count - len({step % count for step in rules.deal["sits_out"].get(str(count), ())})


def check_shares(rules: Ruleset) -> None:
    """Report numbers of players for which the sides or the shares of cards would be unequal."""
    known = player_counts(rules.players)
    if not known:
        least, most = rules.players["least"], rules.players["most"]
        message = "players: these keys allow no number of players"
        rules.fault("players", f"{least} to {most}", "at least one number", message)
    number, wrong = rules.sides["number"], []
    for count in known:
        if number and count % number:
            wrong.append(count)
    if wrong:
        message = f"{_join_values(wrong)} players cannot form {number} equal sides"
        allowed = "a number that divides them, or players.counts without them"
        rules.fault("sides.number", str(number), allowed, message)
    for key, actual, allowed, message in _is_dealt_out(rules, known):
        rules.fault(key, actual, allowed, message)


def check_start(rules: Ruleset) -> None:
    """Report a starting tally that is out of range for some number of players."""
    tally = rules.tally
    least, most = tally["least"] + (1 if tally["out"] else 0), tally["most"]
    for count in player_counts(rules.players):
        start = rules.numbers.start(count)
        if not least <= start <= most:
            message = f"tally.start: {count} players cannot begin with {start}"
            allowed = f"from {least} to {most}, by tally.least and tally.most"
            rules.fault("tally.start", str(start), allowed, message)
            return


def _is_dealt_out(rules: Ruleset, known: list[int]) -> Iterator[tuple[str, str, str, str]]:
    """Yield the arguments of `fault` for each fault in the deal. `known` are the numbers of players
    to check."""
    alone, uneven, short = [], [], []
    total = rules.pack.card_count
    for count in known:
        seats = seats_in_play(rules, count)
        if seats < min(2, count):
            alone.append(count)
            continue
        if rules.numbers.depend_on_round:
            continue
        kitty = rules.kitty_size(seats)
        if total and kitty and (kitty > total or (total - kitty) % seats):
            uneven.append(seats)
        elif total and not 0 < rules.deal_size(seats) * seats <= total:
            short.append(seats)
    if alone:
        message = f"with {_join_values(alone)} players, fewer than two take part"
        yield "deal.sits_out", message, "at least two who play", message
    if uneven:
        kitty = rules.kitty_size(uneven[0])
        left = f"{total - kitty} of {total} cards"
        message = f"{left} cannot be shared evenly by {_join_values(uneven)} players"
        yield "deal.kitty", f"a kitty of {kitty}", "a kitty that lets them share", message
    if short:
        size = rules.deal_size(short[0])
        message = f"{_join_values(short)} players cannot get {size} of {total} cards each"
        dealt_cards = f"{size * short[0]} cards"
        yield "deal.cards", dealt_cards, f"from 1 to {total} cards in all", message


def _join_values(values: list[int]) -> str:
    """Return the numbers as text, shortened if there are more than five."""
    distinct = sorted(set(values))
    texts = [str(number) for number in distinct[:5]]
    if len(distinct) > 5:
        return f"{', '.join(texts)} or more"
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"


# --- names in the sheet and the statistics


def reported_names(rules: Ruleset) -> dict[str, str]:
    """Return the names of all facts that a ruleset's phases report about a round, with
    descriptions."""
    return {name: doc for phase in rules.phases.values() for name, doc in phase.reports.items()}


def roles_of(rules: Ruleset) -> set[str]:
    """Return the roles that a ruleset's phases assign to players."""
    return {role for phase in rules.phases.values() for role in phase.roles}


def check_names(rules: Ruleset) -> None:
    """Report every name in the sheet and the statistics that is unknown or not available there."""
    rows, names = rules.sheet, _NameChecker(rules)
    columns = {column.name: column for column in rows.columns}
    for column in rows.columns:
        names.check_templates(f"sheet.columns.{column.name}", column, names.names_for(column.per))
        names.check_signs(f"sheet.columns.{column.name}.signs", column)
    for total in rows.totals:
        where = f"sheet.totals.{total.name}"
        names.check_templates(where, total, names.names_for_totals(total.per))
        fitting = [name for name, column in columns.items() if column.per == total.per]
        if total.under:
            names.check_known(f"{where}.under", total.under, fitting)
    for ladder in rows.ladders:
        where = f"sheet.ladders.{ladder.name}"
        names.check_known(f"{where}.of", ladder.of, names.names_for_totals(ladder.per))
        if len(ladder.steps) > MAX_STEPS:
            message = f"{where} has more than {MAX_STEPS} steps"
            rules.fault(where, str(len(ladder.steps)), f"at most {MAX_STEPS}", message)
    for statistic in rows.statistics:
        names.check_statistic(f"statistics.{statistic.name}", statistic)
    for breakdown in rows.breakdowns:
        names.check_breakdown(f"breakdowns.{breakdown.name}", breakdown)
    names.check_history()


class _NameChecker:
    """A checker of the names used in a ruleset's sheet and statistics."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.reports = reported_names(rules)
        self.roles = roles_of(rules)
        self.plain = {name for name in self.reports if name.split(".")[0] not in (PLAYER, SIDE)}
        self.round = {*ROUND_FACTS, *self.plain, *self.roles}
        self.round |= {f"{role}.side" for role in self.roles}
        self.meant: dict[str, str] = {}

    def names_for(self, per: str) -> set[str]:
        """Return the names that a column can use."""
        return self.round if per == ROUND else {*self.round, *SEAT_FACTS, *self._names_for(per)}

    def names_for_totals(self, per: str) -> set[str]:
        """Return the names that a total or a ladder can use."""
        counts = {f"stat.{row.name}" for row in self.rules.sheet.statistics}
        figures = {f"figure.{figure.name}" for figure in self.rules.ranking.of_match}
        of_player = {*counts, *figures} if per == PLAYER else ()
        return {*TOTAL_FACTS, *self._names_for(per), *of_player}

    def _names_for(self, per: str) -> set[str]:
        return {name for name in self.reports if name.startswith(f"{per}.")}

    def check_templates(self, where: str, cells: SheetCells, known: set[str]) -> None:
        for template in cells.say:
            for name in template.names:
                self.check_known(f"{where}.say", name, known)

    def check_signs(self, where: str, column: SheetCells) -> None:
        """Report signs that are empty, too long, or used for two different words.

        A sign for a row that has been turned off is not an error.
        """
        for word, sign in column.signs.items():
            key = f"{where}.{word}"
            if not 0 < len(sign.strip()) <= MAX_SIGN:
                message = f"{key} is not a short sign"
                self.rules.fault(key, quote(sign), f"1 to {MAX_SIGN} letters", message)
            other = self.meant.setdefault(sign, word)
            if other != word:
                message = f"{key}: “{quote(sign)}” is already the sign of “{quote(other)}”"
                self.rules.fault(key, quote(sign), "a different sign for each word", message)

    def check_known(self, where: str, name: str, known: Collection[str]) -> None:
        if name not in known:
            near = find_nearest(name, known)
            hint = f"; did you mean “{near}”?" if near else ""
            allowed = ", ".join(sorted(known))
            message = f"{where} names “{quote(name)}”, which is not available here{hint}"
            self.rules.fault(where, quote(name), allowed, message)

    def check_statistic(self, where: str, row: Statistic) -> None:
        for key, named, known in (
            ("verbs", row.verbs, {*self.rules.entry_types, *self.rules.disabled_verbs}),
            ("as", row.roles, self.roles),
            ("others", row.others, self.roles),
            ("lines", row.lines, self._line_codes()),
            ("clauses", row.clauses, self._clause_codes()),
            ("named", {row.named} - {""}, self.plain),
            ("given", row.given, self.plain),
        ):
            for name in sorted(named):
                self.check_known(f"{where}.{key}", name, known)
        self._check_share(where, row)
        needed = {"entries": row.verbs, "roles": row.role, "fact": row.fact}
        key = {"entries": "verbs", "roles": "role"}.get(row.count, row.count)
        if not needed.get(row.count, True):
            message = f"{where} counts {row.count}, so it needs {key}"
            self.rules.fault(where, "nothing", f"{key} = …", message)
        elif row.count == "roles":
            self.check_known(f"{where}.role", row.role, self.roles)
        elif row.count == "fact":
            self.check_known(f"{where}.fact", row.fact, self._names_for(PLAYER))

    def _check_share(self, where: str, row: Statistic) -> None:
        others = {other.name for other in self.rules.sheet.statistics} - {row.name}
        if row.of and row.of not in (ROUNDS, *self.rules.data.get("statistics", {})):
            self.check_known(f"{where}.of", row.of, {ROUNDS, *others})
        elif row.of == row.name:
            message = f"{where}.of: a statistic cannot be a share of itself"
            self.rules.fault(f"{where}.of", row.of, ", ".join(sorted({ROUNDS, *others})), message)

    def check_breakdown(self, where: str, row: Breakdown) -> None:
        """Check the names of facts and roles that a breakdown of a statistic uses."""
        of_players = self._names_for(PLAYER)
        if row.by != BY_ROLES:
            self.check_known(f"{where}.by", row.by, {BY_ROLES, *self.plain, *of_players})
        elif not row.roles:
            message = f"{where} is by roles, so it needs the key roles"
            self.rules.fault(where, "nothing", "roles = …", message)
        for key, roles in (("roles", row.roles), ("as", sorted(row.as_roles))):
            for role in roles:
                self.check_known(f"{where}.{key}", role, self.roles)
        for key, facts in (("named", {row.named} - {""}), ("given", row.given)):
            for fact in facts:
                self.check_known(f"{where}.{key}", fact, self.plain)
        if row.success:
            self.check_known(f"{where}.success", row.success, of_players)

    def check_history(self) -> None:
        """Check the names of the roles that win and lose a round."""
        for key, roles in self.rules.data.get("history", {}).items():
            for role in roles if key in ("won", "lost") else ():
                self.check_known(f"history.{key}", role, self.roles)

    def _line_codes(self) -> set[str]:
        rows = {row.name for row in self.rules.scores}
        own = {*self.rules.data.get("penalties", {}), *self.rules.data.get("levelling", {})}
        return rows | own | {"foul", "penalty", "score", "sudden-death"}

    def _clause_codes(self) -> set[str]:
        """Return the clause codes that a statistic can count.

        They are the ruleset's clauses, including those that have been turned off, and the standard
        codes of its phases.
        """
        words = clause_words(self.rules.phases.values())
        return {*self.rules.data.get("clauses", {}), *words, "turn", "verb"}
