"""The summary of a round as JSON values, the source of sheets, statistics and exports.

The general part is computed from the round. The phases supply the rest (`Phase.summary`). A round
in progress has a summary too, which omits facts that are not known yet. A store saves the summary
of every finished round, so that reports need no replay. Entries are stored separately, each with
its text, actor, verb and verdict.

This module also validates stored summaries, and looks up facts by the names that a ruleset's sheet
uses.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from scorekeeper.core.messages import format_points
from scorekeeper.core.rulings import ILLEGAL, LEGAL, OPEN
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.scoring import preferred_seats
from scorekeeper.engine.seating import AWAY, CAME, PREFERRED, ROSTER, SEATS
from scorekeeper.engine.state import VOID
from scorekeeper.match.figures import summarize_figures
from scorekeeper.match.remedies import voiding_entry
from scorekeeper.notation import DECISIONS, Notation
from scorekeeper.notation.entry import EVERYONE
from scorekeeper.ruleset.ranking import FIGURES, SAME
from scorekeeper.ruleset.reports import (
    BY_FEWEST,
    BY_ROLES,
    CHANGE,
    ENTRIES,
    FACT,
    FOULS,
    FOUND,
    LINES,
    ROLES,
    TIMES,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.rulings import Finding, Line
    from scorekeeper.core.types import Json, JsonValue, Summary
    from scorekeeper.engine.replay import RoundRecord
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.reports import Statistic

    Counts = dict[str, int | float]  # by player

# The version of the summary format. Stored summaries of another version are recomputed. Raise it
# whenever the meaning of a summary changes.
VERSION = 2
FIVE = "||||/"
_MAX_NUMBER = 1 << 63  # far above any tally, yet small enough that sums stay exact
_NONE = type(None)
_TEXT = (str, _NONE)
_KINDS: dict[str, type | tuple[type, ...]] = {
    "round": int, "over": bool, "ends": bool, "due": str, "dealer": _TEXT, "leader": _TEXT,
    "sat_out": list, "roles": dict, "sides": dict, "before": dict, "changes": (dict, _NONE),
    "tally": (dict, _NONE), "lines": list, "eliminated": list, "facts": dict, "mistaken": bool,
    "result": _TEXT, "void": _TEXT, "fouls": list, "penalties": list, "notes": list,
    "decisions": list, "found": list, "stuck": int, "ignored": list, "present": list,
    "annulled": bool, "won": list, "lost": list, "decided": bool, "unscored": bool, "counts": dict,
}  # fmt: skip
_FINDING_KEYS = ("code", "verdict", "severity", "cite", "facts", "reason")
# exceptions that a value of the wrong type may cause
_SHAPE_ERRORS = (LookupError, TypeError, ValueError, AttributeError)


def summarize(rnd: Round, played: RoundRecord, ends: bool) -> Json:
    """Return the summary of a round in its current state. `ends` is true if the round ends the
    match.

    Its keys are `version round over ends due dealer leader sat_out roles sides before changes tally
    lines eliminated result void fouls penalties notes decisions facts mistaken present annulled won
    lost decided unscored counts found stuck ignored`. Players are identified by name.

    `due` is the player whose turn it is to deal. `roles` maps a role to its label and its players,
    and `sides` maps a label to players. `facts` are reported by the phases. For `present annulled
    won lost decided unscored` see `round_outcome`. `counts` maps each row of the ruleset's
    statistics to the number for each player, without zeros. `found` lists pairs of an entry number
    and a finding. `stuck` and `ignored` are as in `RoundRecord`. `faults` is present if the ruleset
    has remedies, and `preferred` if only some players can win. `figures` and `same` are present if
    its ranking needs them (see `match/figures.py`). `roster` is present if a player has joined or
    left. It lists the players at the table (`seats`), the players who joined later, and the tallies
    of absent players.
    """
    rules, names, changes = rnd.rules, rnd.names, played.changes
    facts: Json = {}
    for phase in rules.phases.values():
        facts.update(phase.view(rnd).summary())
    faults: list[Json] | None = facts.pop("faults", None)
    statements = _table_statements(rnd)
    if rnd.void and statements["void"] is None:
        statements["void"] = voiding_entry(faults or ()) or _thrown_in(rnd, statements["fouls"])
    summary = {
        "version": VERSION,
        "round": rnd.number,
        "over": rnd.over,
        "ends": ends,
        "due": names[rnd.seating.standing["dealer"]],
        "dealer": names[rnd.seating.dealer] if rules.deal["dealt"] else None,
        "leader": names[rnd.seating.leader],
        "sat_out": [names[seat] for seat in range(len(names)) if seat not in rnd.seats],
        "roles": {
            role: {"side": label, "players": rnd.names_of(seats)}
            for role, (label, seats) in rnd.roles.items()
        },
        "sides": facts.pop("sides", None) or rnd.seating.seated_sides(),
        "before": dict(zip(names, rnd.seating.starting_tally, strict=True)),
        "changes": None if changes is None else dict(zip(names, changes, strict=True)),
        "tally": dict(zip(names, rnd.seating.tally, strict=True)) if rnd.over else None,
        "lines": [{**line.as_json(), "label": _label(rnd, line)} for line in played.lines],
        "eliminated": eliminated(rnd, rnd.seating.tally) if rnd.over else [],
        "facts": facts,
        "mistaken": bool(rnd.ruleset_errors),
        **statements,
        "found": [[number, finding.as_json()] for number, finding in _all_findings(rnd, played)],
        "stuck": played.failed_entry,
        "ignored": played.ignored,
    }
    summary |= summarize_figures(rnd, changes, rnd.void and statements["void"] is None)
    if faults is not None:
        summary["faults"] = faults
    if ROSTER in rnd.seating.standing:
        summary[ROSTER] = rnd.seating.standing[ROSTER]
    preferred = preferred_seats(rnd) if rnd.over else ()
    if preferred:
        summary[PREFERRED] = rnd.names_of(preferred)
    return {**summary, **round_outcome(rnd, summary), "counts": count_statistics(rnd, summary)}


def _all_findings(rnd: Round, played: RoundRecord) -> Iterator[tuple[int, Finding]]:
    """Yield the findings of a round with their entry numbers. Findings on an impossible entry come
    last."""
    yield from rnd.log.all_findings()
    if played.failed_entry:
        yield from (pair for pair in played.findings if pair[0] == played.failed_entry)


def _label(rnd: Round, line: Line) -> str:
    """Return the label of a score line."""
    for row in rnd.rules.scores:
        if row.code == line.code:
            return row.label
    return line.code.rpartition(".")[2]


def eliminated(rnd: Round, tally: Sequence[int]) -> list[str]:
    """Return the names of the players who would be eliminated if a round ended with these
    tallies."""
    is_out = rnd.rules.is_eliminated
    return [
        name
        for name, base, left in zip(rnd.names, rnd.seating.starting_tally, tally, strict=True)
        if is_out(left) and not is_out(base)
    ]


def _table_statements(rnd: Round) -> Json:
    """Return the entries that concern the round itself, such as its result, fouls and notes."""
    statements: Json = {
        "result": None,
        "void": None,
        "fouls": [],
        "penalties": [],
        "notes": [],
        "decisions": [],
    }
    for entry in rnd.log.entries:
        if table_decision(entry):
            statements["decisions"].append(entry.text)
        if not entry.has_effect:
            continue
        word, value = entry.type.word, entry.value
        if word == "note":
            statements["notes"].append(value)
        elif word == "void":
            statements["void"] = value or word
        elif word == "result":
            statements["result"] = ", ".join(" ".join(filter(None, pair)) for pair in value)
        elif word == "foul":
            statements["fouls"].append(_name_and_text(rnd, value[0], value[1]))
        elif word == "penalty":
            what, why = value[1]
            statements["penalties"].append(_name_and_text(rnd, value[0], f"{what} {why}".strip()))
    return statements


def table_decision(entry: Entry) -> str:
    """Return the table's decision on an entry: `stands`, `withdrawn` or ""."""
    return entry.decision if entry.decision in DECISIONS else ""


def _name_and_text(rnd: Round, seat: int, what: str) -> str:
    """Return a player's name, followed by the text of the entry if there is any."""
    return f"{rnd.names[seat]}: {what}" if what else rnd.names[seat]


def _thrown_in(rnd: Round, fouls: Sequence[str]) -> str | None:
    """Return the foul that made a round void, or None."""
    made = rnd.decisions.effects.values()
    void = any(each.foul_by >= 0 and each.ends and each.outcome == VOID for each in made)
    return f"foul of {fouls[-1]}" if void else None


# --- participants, winners and losers of a round


def round_outcome(rnd: Round, summary: Summary) -> Json:
    """Return the participants, winners and losers of a round.

    The keys are `present annulled won lost decided unscored`. `summary` contains the other facts.
    `present` lists players who neither sat out nor were eliminated. `annulled` is true if the round
    is void or dealt again. `won` and `lost` list names, and are empty if the round is annulled or
    in progress. `decided` is true if the winner is known, or if it is known that there is none.
    `unscored` is true if no score row applies, because of a decision or because only the score was
    entered.
    """
    out_at, sat_out, changes = rnd.rules.eliminated_at, summary["sat_out"], summary["changes"]
    present = [
        name for name, tally in summary["before"].items() if tally > out_at and name not in sat_out
    ]
    counts = summary["over"] and not rnd.void
    won: Sequence[str] = ()
    lost: Sequence[str] = ()
    scored = counts and changes is not None
    history = rnd.rules.history
    if history.by == BY_ROLES:
        scored = scored and not rnd.unscored
        if counts:
            won, lost = _holders(summary, history.won), _holders(summary, history.lost)
    elif scored:
        won, lost = _best(present, changes, history.by == BY_FEWEST)
    return {
        "present": present,
        "annulled": rnd.void,
        "won": list(won),
        "lost": [name for name in lost if name not in won],
        "decided": bool(scored or won or lost),
        "unscored": rnd.unscored,
    }


def _holders(summary: Summary, roles: Iterable[str]) -> Sequence[str]:
    """Return the players who have one of these roles, without duplicates."""
    held = summary["roles"]
    return list(
        dict.fromkeys(name for role in roles if role in held for name in held[role]["players"])
    )


def _best(
    present: Sequence[str], changes: Mapping[str, int], fewest: bool
) -> tuple[Sequence[str], Sequence[str]]:
    """Return two lists: the players whose tally change is best, and all players of the round.

    Both lists are empty if all changes are equal.
    """
    numbers = {changes[name] for name in present}
    if len(numbers) < 2:
        return (), ()
    best = min(numbers) if fewest else max(numbers)
    return [name for name in present if changes[name] == best], present


# --- counts for `[statistics]`


def count_statistics(rnd: Round, summary: Summary) -> dict[str, Counts]:
    """Return each player's numbers for the rows of `[statistics]` in a round, without zeros.

    `summary` contains the other facts. In an annulled round, only rule violations and fouls are
    counted. In a round in progress, the score lines so far, such as penalties, are counted too. If
    only the score of a round is known, rows that are shares are left out.
    """
    numbers: dict[str, Counts] = {}
    counting = _RoundCounter(rnd, summary)
    for row in rnd.rules.sheet.statistics:
        if not _is_counted(rnd, summary, row):
            continue
        if is_given(summary, row.given):
            by_name = {name: counting.count(row, name) for name in rnd.names}
            if any(by_name.values()):
                numbers[row.name] = {name: number for name, number in by_name.items() if number}
    return numbers


def _is_counted(rnd: Round, summary: Summary, row: Statistic) -> bool:
    """Return whether anything is counted for a row in this round."""
    if row.count in (FOUND, FOULS):
        return True
    if rnd.void or (row.of and (rnd.unscored or not summary["over"])):
        return False
    return summary["over"] or row.count in (LINES, TIMES)


class _RoundCounter:
    """A round prepared for counting.

    `values` holds the values of effective entries, by player and verb. `violations` holds the names
    of the violated clauses, by player and entry.
    """

    def __init__(self, rnd: Round, summary: Summary) -> None:
        self.summary = summary
        self.roles: dict[str, set[str]] = {name: set() for name in rnd.names}
        for role, who in summary["roles"].items():
            for name in who["players"]:
                self.roles[name].add(role)
        self.values: dict[tuple[str, str], list[str]] = {}
        self.fouls: dict[str, int] = {}
        self.violations: dict[str, dict[int, set[str]]] = {}
        for entry in rnd.log.entries:
            if not entry.has_effect:
                continue
            word, seat = entry.type.word, entry.seat
            if seat is not None and seat != EVERYONE:
                value = _act_text(rnd, entry)
                self.values.setdefault((rnd.names[seat], word), []).append(value)
            elif word == "foul":
                culprit = rnd.names[entry.value[0]]
                self.fouls[culprit] = self.fouls.get(culprit, 0) + 1
        for number, finding in summary["found"]:
            seat = rnd.log.entries[number - 1].seat if number <= len(rnd.log) else None
            if seat not in (None, EVERYONE) and finding["verdict"] == ILLEGAL:
                acts = self.violations.setdefault(rnd.names[seat], {})
                acts.setdefault(number, set()).update(_clause_names(rnd, finding["code"]))

    def count(self, row: Statistic, name: str) -> int | float:
        """Return a player's number for a row of the statistics."""
        roles = self.roles[name]
        if row.roles and not row.roles & roles:
            return 0
        if row.others and (row.others & roles or not row.others & self.summary["roles"].keys()):
            return 0
        if row.named and round_fact(self.summary, row.named) != name:
            return 0
        number: int | float = self._counters[row.count](self, row, name)
        return number

    def _count_entries(self, row: Statistic, name: str) -> int:
        """Return how many of a player's entries have the row's verbs and values."""
        values = [value for verb in row.verbs for value in self.values.get((name, verb), ())]
        return sum(not row.values or value in row.values for value in values)

    def _count_role(self, row: Statistic, name: str) -> int:
        """Return 1 if the player had the role, else 0."""
        return int(row.role in self.roles[name])

    def _lines(self, row: Statistic, name: str) -> Iterator[int | float]:
        """Yield the points of a player's score lines.

        A line for a side applies to each of its players.
        """
        for line in self.summary["lines"]:
            members = line["for"].split("+")
            for role in self.summary["roles"].values():
                if role["side"] == line["for"]:
                    members = role["players"]
            if name in members and (not row.lines or line["code"].rpartition(".")[2] in row.lines):
                yield line["points"]

    def _sum_points(self, row: Statistic, name: str) -> int | float:
        """Return the sum of the points in a player's score lines."""
        return sum(self._lines(row, name))

    def _count_lines(self, row: Statistic, name: str) -> int:
        """Return how many of a player's score lines have points above 0."""
        return sum(points > 0 for points in self._lines(row, name))

    def _count_fact(self, row: Statistic, name: str) -> int | float:
        """Return a number from the facts. If the fact is a list, return the number of its items."""
        fact = (self.summary["facts"].get(row.fact) or {}).get(name)
        if isinstance(fact, list):
            return sum(not row.values or item in row.values for item in fact)
        return +fact if isinstance(fact, int | float) else 0

    def _change(self, _: Statistic, name: str) -> int | float:
        """Return the change in a player's tally."""
        change: int | float = (self.summary["changes"] or {}).get(name) or 0
        return change

    def _count_violations(self, row: Statistic, name: str) -> int:
        """Return how many of a player's entries were proven illegal, regardless of the table's
        decision."""
        acts = self.violations.get(name, {}).values()
        return sum(not row.clauses or bool(row.clauses & codes) for codes in acts)

    def _count_fouls(self, _: Statistic, name: str) -> int:
        """Return the number of a player's fouls."""
        return self.fouls.get(name, 0)

    _counters: ClassVar[dict[str, Callable[..., int | float]]] = {
        ENTRIES: _count_entries,
        ROLES: _count_role,
        LINES: _sum_points,
        TIMES: _count_lines,
        FACT: _count_fact,
        CHANGE: _change,
        FOUND: _count_violations,
        FOULS: _count_fouls,
    }


def _clause_names(rnd: Round, code: str) -> set[str]:
    """Return the names by which rows refer to a finding's clause: its name and its word."""
    name = code.rpartition(".")[2]
    clause = rnd.rules.clauses.get(name)
    return {name, clause.word.name} if clause is not None else {name}


def _act_text(rnd: Round, entry: Entry) -> str:
    """Return the value of an act: its canonical text without name, verb and decision."""
    act = entry.text.partition(": ")[2].partition(" !")[0]
    if entry.type.is_implicit:
        return act
    return act.removeprefix(rnd.rules.lexicon.write_word(entry.type.word)).lstrip()


# --- facts by the names that a ruleset's sheet uses, and as text


def round_fact(summary: Summary, name: str) -> object:
    """Return a fact about a round, or None if the summary lacks it.

    `name` is a name that a ruleset's sheet uses: one of `ROUND_FACTS`, a role, a role with
    `.side`, or a fact that a phase reports.
    """
    facts = summary["facts"]
    if name in facts:
        return facts[name]
    role, dot, _ = name.partition(".")
    if role in summary["roles"]:
        role_row = summary["roles"][role]
        return role_row["side"] if dot else "+".join(role_row["players"])
    if name == "changes":
        changes = summary["changes"] or {}
        return [f"{who} {format_signed(change)}" for who, change in changes.items() if change]
    if name == "value":
        return _value(summary)
    if name == "lines":
        return [f"{line['label']} {format_signed(line['points'])}" for line in summary["lines"]]
    return summary.get(name)


def _value(summary: Summary) -> int | None:
    """Return the value of a round, based on the sums of the winners' and the losers' score lines.

    The value is the smaller of the two amounts, or None if that is 0. If one player plays against
    all the others, the value is therefore the amount that each of the others gains or pays.
    """
    sums = []
    for role, sign in (("winners", 1), ("losers", -1)):
        side = summary["roles"].get(role, {}).get("side")
        points = [line["points"] for line in summary["lines"] if line["for"] == side]
        if points or sign == 1:
            sums.append(sign * sum(points))
    return min(sums, key=abs) or None


def seat_fact(summary: Summary, per: str, who: str, name: str) -> object:
    """Return the fact to which a name in the sheet refers.

    It is about a side if `per` is `side`, otherwise about a player.
    """
    if name.startswith(f"{per}."):
        by_player = summary["facts"].get(name) or {}
        return by_player.get(who)
    if name == "name":
        return who
    members = summary["sides"].get(who, []) if per == "side" else [who]
    reading: dict[str, tuple[str, Callable[[object], object]]] = {
        "tally": ("tally", lambda number: number),
        "strokes": ("tally", format_strokes),
        "change": ("changes", lambda number: number),
        "signed": ("changes", format_signed),
    }
    if name not in reading:
        return round_fact(summary, name)
    table, read = reading[name]
    return join_common(read, [(summary[table] or {}).get(player) for player in members])


def join_common(read: Callable[[object], object], numbers: Sequence[object]) -> object:
    """Return the value for a side. If its players have different values, join them with slashes."""
    different = list(dict.fromkeys(numbers))
    if len(different) <= 1:
        return read(different[0]) if different else None
    return "/".join(format_fact(read(number)) for number in different)


def is_given(summary: Summary, given: Mapping[str, list[object]]) -> bool:
    """Return whether each named fact has one of the values listed for it.

    If a fact is a list, one item with a listed value is enough.
    """
    for name, values in given.items():
        fact = round_fact(summary, name)
        if not any(each in values for each in (fact if isinstance(fact, list) else [fact])):
            return False
    return True


def players_of_line(rules: Ruleset, summary: Summary, line: Json) -> Iterable[str]:
    """Return the names of the players whose tallies a score line changes.

    These are the players to whom the line applies. If sides share a tally, their partners are
    included.
    """
    to = line["for"]
    by_side = {role["side"]: role["players"] for role in summary["roles"].values()}
    names = (by_side | summary["sides"]).get(to) or to.split("+")
    if rules.sides["shared"] and rules.sides["number"]:
        sides = [side for side in summary["sides"].values() if not set(names).isdisjoint(side)]
        names = [mate for side in sides for mate in side] or names
    return dict.fromkeys(names)


def format_fact(value: object) -> str:
    """Return a fact as text. Return "" for False, None and an empty list."""
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, (list, tuple)):
        return ", ".join(filter(None, map(format_fact, value)))
    if isinstance(value, float):
        return str(int(value)) if value == int(value) else format_points(value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {format_fact(item)}" for key, item in value.items())
    return str(value)


def format_signed(number: object) -> str:
    """Return a number as text, with a plus or minus sign unless it is 0.

    Return "" for any other value.
    """
    if not isinstance(number, (int, float)):
        return ""
    return format_fact(number) if number <= 0 else f"+{format_fact(number)}"


def format_strokes(number: object) -> str:
    """Return a number as tally marks, with a slash for every fifth mark: `||||/ ||`."""
    if not isinstance(number, int) or isinstance(number, bool):
        return ""
    if number <= 0 or number > 100:
        return str(number) if number else ""
    fives, rest = divmod(number, len(FIVE))
    return " ".join([FIVE] * fives + (["|" * rest] if rest else []))


# --- validation of stored summaries


def is_current(summary: JsonValue) -> bool:
    """Return whether a stored value is a summary of the current version."""
    return isinstance(summary, dict) and summary.get("version") == VERSION and "round" in summary


def is_about(summary: Summary, players: Sequence[str]) -> bool:
    """Return whether a summary seems to belong to a match with these players, using a quick check.

    `players` are the initial players of the match.
    """
    try:
        names = summary["before"].keys()
        sat = summary[ROSTER][SEATS] if ROSTER in summary else players
        return [*names] == sat and summary["over"] is (
            summary["tally"] is not None and summary["tally"].keys() == names
        )
    except _SHAPE_ERRORS:
        return False


def is_listed(stored: JsonValue) -> bool:
    """Return whether a stored value is valid as the state of a match in a list.

    `scores` contains all players. `ahead` (missing in older versions) and `left` name some of them.
    `since` contains the tally changes in the round in progress.
    """
    try:
        scores, since = stored["scores"], stored.get("since", {})
        some = {*stored.get("ahead", ()), *stored.get("left", ()), *since}
        return (
            isinstance(stored["over"], bool)
            and scores.keys() >= some
            and _are_numbers([*scores.values(), *since.values()])
        )
    except _SHAPE_ERRORS:
        return False


def is_shaped(summary: Summary) -> bool:
    """Return whether a summary contains every key with a value of the right type."""
    try:
        return (
            all(isinstance(summary[key], kinds) for key, kinds in _KINDS.items())
            and _are_names(summary)
            and _are_counted(summary)
            and _are_statements(summary)
            and all(map(_is_fact, summary["facts"].values()))
        )
    except _SHAPE_ERRORS:
        return False


def _are_names(summary: Summary) -> bool:
    """Return whether all names belong to players of the match."""
    names = summary["before"].keys()
    lists = [summary[key] for key in ("sat_out", "present", "won", "lost", "eliminated")]
    lists.append(summary.get(PREFERRED, []))
    members = [role["players"] for role in summary["roles"].values()]
    one = [summary["due"], *filter(None, (summary["dealer"], summary["leader"]))]
    roster = summary.get(ROSTER)
    left = roster is None or (
        _are_texts([*roster[SEATS], *roster[CAME], *roster[AWAY]])
        and _are_numbers(roster[AWAY].values())
    )
    return left and names >= {*one}.union(*lists, *members, *summary["sides"].values())


def _are_counted(summary: Summary) -> bool:
    """Return whether all counts are numbers for players of the match."""
    names, counts = summary["before"].keys(), [*summary["counts"].values()]
    whole = [each for each in (summary["tally"], summary["changes"]) if each is not None]
    figures = summary.get(FIGURES) or {}
    numbers = (summary["before"], *whole, *counts, *figures.values())
    same = summary.get(SAME)
    lines = summary["lines"]
    texts = [line[key] for line in lines for key in ("code", "for", "label")]
    return (
        (summary["tally"] is not None) is summary["over"]
        and all(each.keys() == names for each in whole)
        and all(each.keys() <= names for each in (*counts, *figures.values()))
        and (same is None or type(same) is int)
        and _are_numbers(line["points"] for line in lines)
        and _are_numbers(chain(*(each.values() for each in numbers)))
        and _are_texts([*texts, *(role["side"] for role in summary["roles"].values())])
    )


def _are_statements(summary: Summary) -> bool:
    """Return whether all statements are strings and all findings are complete.

    Each finding must be a pair of an entry number and a finding.
    """
    statements = [*chain(*(summary[key] for key in ("fouls", "penalties", "notes", "decisions")))]
    values = [finding[key] for _, finding in summary["found"] for key in _FINDING_KEYS]
    faults = summary.get("faults", [])
    return (
        _are_texts(statements)
        and len(values) == len(_FINDING_KEYS) * len(summary["found"])
        and _are_numbers([*summary["ignored"], *(number for number, _ in summary["found"])])
        and isinstance(faults, list)
        and all(
            isinstance(each, dict) and {"round", "entry", "text"} <= each.keys() for each in faults
        )
    )


def _is_fact(fact: JsonValue) -> bool:
    """Return whether a value is a fact: a single value, a list of values, or either of these by
    player."""
    each = fact.values() if isinstance(fact, dict) else [fact]
    return all(
        map(_is_value, chain(*(item if isinstance(item, list) else [item] for item in each)))
    )


def _is_value(value: JsonValue) -> bool:
    """Return whether a value is a string, a number or None."""
    return isinstance(value, _TEXT) or _are_numbers([value])


def _are_texts(values: Iterable[JsonValue]) -> bool:
    """Return whether all values are strings."""
    return all(isinstance(value, str) for value in values)


def _are_numbers(values: Iterable[JsonValue]) -> bool:
    """Return whether all values are finite numbers of a plausible size."""
    return all(
        isinstance(value, int | float) and -_MAX_NUMBER < value < _MAX_NUMBER for value in values
    )


# --- listed entries


class ListedEntry(NamedTuple):
    """An entry in the form used by lists and exports.

    `text` is canonical, but from the first unreadable entry of a round on, it is the text as typed.
    `who` is the actor, `all`, or None for the table. `word` is the verb, or None if the entry is
    unreadable. `decision` is `stands`, `withdrawn` or "". `verdict` is the verdict at the end of
    the round, or "" for an unreadable entry without findings. `codes` are the codes of the entry's
    findings.
    """

    text: str
    who: str | None = None
    word: str | None = None
    decision: str = ""
    verdict: str = ""
    codes: tuple[str, ...] = ()


def list_entries(
    texts: Sequence[str], summary: Summary, notation: Notation
) -> Iterator[ListedEntry]:
    """Yield the entries of a round as `ListedEntry`.

    `notation` contains the names of all players so far.
    """
    by_entry: dict[int, list[tuple[str, str]]] = {}
    for number, finding in summary["found"]:
        by_entry.setdefault(number, []).append((finding["verdict"], finding["code"]))
    stuck = summary["stuck"] or len(texts) + 1
    for number, text in enumerate(texts, 1):
        verdicts = {verdict for verdict, _ in by_entry.get(number, ())}
        codes = tuple(code for _, code in by_entry.get(number, ()))
        verdict = next((word for word in (ILLEGAL, OPEN) if word in verdicts), "")
        if number >= stuck:
            yield ListedEntry(text, verdict=verdict, codes=codes)
            continue
        entry = notation.read(text)
        who = None
        if entry.seat is not None:
            who = notation.names[entry.seat] if entry.seat >= 0 else "all"
        decision = "" if number in summary["ignored"] else table_decision(entry)
        yield ListedEntry(text, who, entry.type.word, decision, verdict or LEGAL, codes)


def expand_entry(fields: list[str]) -> ListedEntry:
    """Return the entry for a given stored form (see `compact_entry`)."""
    text, who, word, *rest = fields
    decision, verdict, codes = rest or ("", LEGAL, "")
    return ListedEntry(text, who, word, decision, verdict, tuple(codes.split()))


def compact_entry(row: ListedEntry) -> list[JsonValue]:
    """Return the stored form of an entry: `text who word decision verdict codes`.

    Spaces separate the codes. For a legal entry without a decision or codes, the list ends after
    `word`.
    """
    fields: list[JsonValue] = [*row[:5], " ".join(row.codes)]
    return fields[:3] if fields[3:] == ["", LEGAL, ""] else fields
