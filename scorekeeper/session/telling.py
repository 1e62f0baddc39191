"""What the live table shows, as plain values and lines of text. Floor 8."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from scorekeeper.failures import Failure
from scorekeeper.referee import judge, resolve
from scorekeeper.round import Round
from scorekeeper.ruleset.citations import paragraphs, rule_text
from scorekeeper.session.judging import said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.desk import Desk
    from scorekeeper.match import Match, Played
    from scorekeeper.rulings import Ruling

MOST_ROUNDS = 12


class Row(NamedTuple):
    """A player: whether the game waits for him, his name, and a text for each heading."""

    waits: bool
    name: str
    cells: list[str]


class Screen(NamedTuple):
    """The table as it stands: `headings` are those of the rows' cells, `table` what lies there,
    `facts` what else is bound, each a name and a text."""

    round: int
    over: bool
    turn: str
    headings: list[str]
    rows: list[Row]
    table: list[str]
    facts: list[tuple[str, str]]


def screen(match: Match, seen: Match, asked: Match) -> Screen:
    """The table as it has been seen; the tallies are the match's own."""
    state = seen.state
    lying = {key for item in state["table"] if isinstance(item, dict) for key in item}
    facts = [
        (key.replace("_", " "), told(value))
        for key, value in state["bindings"].items()
        if key not in lying and value not in (None, [], {}, False, "")
    ]
    if state["talon"] is not None:
        facts.append(("talon", told(state["talon"])))
    facts += [(f"side {name}", told(known)) for name, known in state["sides"].items() if known]
    facts += [("owed", told(owed)) for owed in state["owed"]]
    headings, rows = _rows(match, state, asked.to_act)
    return Screen(
        state["round"],
        match.live.over,
        turn(match, asked),
        headings,
        rows,
        [told(item) for item in state["table"]],
        facts,
    )


def _rows(match: Match, state: dict[str, Any], waits: list[str]) -> tuple[list[str], list[Row]]:
    players: dict[str, dict[str, Any]] = state["players"]
    tally, scores = match.ruleset.tally["name"], match.scores
    keys = list(dict.fromkeys(key for player in players.values() for key in player))
    shown = [
        key
        for key in keys
        if key != tally
        and any(player.get(key) not in (None, "", False, [], {}) for player in players.values())
    ]
    rows = []
    for name, player in players.items():
        cells = [str(scores[name]), *(told(player.get(key, "")) for key in shown)]
        rows.append(Row(name in waits, name, cells))
    return [tally, *(key.replace("_", " ") for key in shown)], rows


def turn(match: Match, asked: Match) -> str:
    """Whom the game waits for and what he may do, or how the match ended."""
    if match.over:
        scores = ", ".join(f"{name} {points}" for name, points in match.scores.items())
        return f"the match is over: {match.outcome} ({scores})"
    names, prompt = asked.to_act, asked.prompt
    if prompt and any(prompt.startswith(name) for name in names[:1]):
        return prompt
    return f"{', '.join(names)}: {prompt}" if names else prompt


def told(value: Any) -> str:
    """A plain value for people."""
    if isinstance(value, dict):
        who = value.get("who")
        said = {key: inner for key, inner in value.items() if key != "who" and inner != []}
        rest = (" " if who is not None else ", ").join(_pair(*pair) for pair in said.items())
        return f"{told(who)}: {rest}" if who is not None else rest
    if isinstance(value, (list, tuple)):
        return ", ".join(map(told, value)) or "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)


def _pair(key: str, value: Any) -> str:
    # What was laid or said speaks for itself; whatever else there is needs its name.
    if key in ("cards", "bid", "what", "says"):
        return " ".join(value) if isinstance(value, list) else told(value)
    return f"{key.replace('_', ' ')} {told(value)}"


def worth(played: Played) -> str:
    """A round's changes in one line."""
    if played.scores is None:
        return "no score: it would need what was not seen" if played.over else "no score yet"
    return ", ".join(f"{name} {points:+}" for name, points in played.scores.items())


def ruling_lines(ruling: Ruling) -> list[str]:
    """A ruling for people: the entry and its verdict, then each finding."""
    lines = [f"{ruling.entry}: {ruling.verdict}"]
    return lines + [f"  {said(finding)}" for finding in ruling.findings]


def score_lines(desk: Desk) -> list[str]:
    """The sheet so far: the tallies after each of the last rounds, and the last score's lines."""
    match = desk.match
    names, live = match.players, match.live
    rows = [(f"after {row.number - 1}", row.standing["tally"]) for row in desk.book.rounds(desk.id)]
    now = f"after {live.number}" if live.over else "now"
    rows = [*rows[-MOST_ROUNDS:], (now, list(match.scores.values()))]
    width = max(5, *(min(12, len(name)) for name in names))
    lines = [f"{match.ruleset.tally['name']:<9}" + _spread((name[:width] for name in names), width)]
    lines += [f"{when:<9}" + _spread(map(str, tally), width) for when, tally in rows]
    for played in reversed(match.rounds):
        if played.over:
            return lines + _score_of(match, played)
    return lines


def _spread(texts: Iterable[str], width: int) -> str:
    return " ".join(f"{text:>{width}}" for text in texts)


def _score_of(match: Match, played: Played) -> list[str]:
    labels = {row.code: row.label for row in match.ruleset.scores}
    lines = [f"round {played.number}: {worth(played)}"]
    for line in played.lines:
        cite = f" ({line.cite})" if line.cite else ""
        lines.append(f"  {line.to}: {line.points:+}  {labels.get(line.code, line.code)}{cite}")
    return lines


def last_lines(match: Match) -> list[str]:
    """What was last cleared from the table, entry by entry: the last trick, bout or bids."""
    for played in reversed(match.rounds):
        groups, lying = _groups(match, played)
        group = lying if played.over and lying else groups[-1] if groups else lying
        if group:
            return [f"round {played.number}", *(f"  {text}" for text in group)]
    return ["nothing has been laid or said yet"]


def _groups(match: Match, played: Played) -> tuple[list[list[str]], list[str]]:
    """The entries of a round from an empty table to the next, and those since."""
    rnd = Round(match.ruleset, match.players, played.number, played.before)
    groups: list[list[str]] = []
    lying: list[str] = []
    full = False
    for text in filter(None, map(match.notation.hide, played.entries)):
        try:
            entry = resolve(rnd, match.notation.read(text), match.notation)
            rnd.apply(entry, judge(rnd, entry))
        except Failure:
            break
        was, full = full, _lies(rnd)
        if was or full:
            lying.append(text)
        if was and not full:
            groups.append([*lying, f"then {_prompt(rnd)}"])
            lying = []
    return groups, lying


def _lies(rnd: Round) -> bool:
    return any(phase.describe(rnd).get("table") for phase in rnd.rules.phases.values())


def _prompt(rnd: Round) -> str:
    return "the round was over" if rnd.phase is None else rnd.phase.prompt(rnd)


def explained(match: Match, ruling: Ruling | None) -> list[str]:
    """The last ruling with the rule text's own words for each paragraph it cites; of an entry
    without findings, the rules that it kept."""
    if ruling is None:
        return ["nothing has been ruled yet"]
    ruleset = match.ruleset
    lines = ruling_lines(ruling)
    asked = ruleset.clauses_of.get(match.notation.read(ruling.entry).verb.word, ())
    cited = list(dict.fromkeys(finding.cite for finding in ruling.findings if finding.cite))
    if not ruling.findings:
        lines += [f"  kept: {clause.code}, {clause.cite}" for clause in asked]
        return lines
    path = rule_text(ruleset.rules_text)
    texts = paragraphs(path) if path is not None else {}
    for cite in cited:
        lines += ["", f"{ruleset.rules_text} {cite}", *texts.get(cite, "").splitlines()]
    return lines
