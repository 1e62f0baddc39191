"""The screen of the live table.

It presents the table as values, and rulings and scores as lines of text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.cards import plain_points
from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import N_, Sentence, format_points, join_list, tr
from scorekeeper.core.rulings import LEGAL
from scorekeeper.core.text import display_width, escape_controls, pad, shorten
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.referee import judge, resolve
from scorekeeper.engine.round import Round
from scorekeeper.engine.seating import tallies_by_name
from scorekeeper.match.public import verb_of
from scorekeeper.match.status import end_text, mark_open
from scorekeeper.notation import find_decision
from scorekeeper.session.hints import NOTED, VERDICTS, finding_text, kind_of
from scorekeeper.session.public_round import INDENT, Event, place_text
from scorekeeper.session.rulings import TABLE_WIDTH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.core.types import Json, JsonValue
    from scorekeeper.engine.replay import RoundRecord
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.match import Match
    from scorekeeper.notation.notation import Translator
    from scorekeeper.session.rulings import Faults
    from scorekeeper.store.recorder import MatchRecorder
    from scorekeeper.store.rows import RoundRow

# Headings for facts about players. The facts may occur in any game.
HEADINGS = {
    "announced": N_("announced"),
    "cards": N_("cards"),
    "dice": N_("dice"),
    "out": N_("out"),
    "points": N_("points"),
    "role": N_("role"),
    "says": N_("says"),
    "tricks": N_("tricks"),
}
ROLES = {"attacker": N_("attacker"), "defender": N_("defender"), "leader": N_("leader")}
CARDS = "cards"

MAX_ROUNDS = 12
MIN_WHEN_WIDTH, MIN_NUMBER_WIDTH, MAX_NAME_WIDTH = 8, 5, 24  # column widths in the score sheet


class TableScreen(NamedTuple):
    """The current table. `headings` are the column headings for `rows`.

    `table` lists the acts on the table, `facts` contains sentences about the round, and `claims`
    contains lines about the open cases.
    """

    round: int
    over: bool
    turn: str
    headings: list[str]
    rows: list[PlayerRow]
    table: list[str]
    facts: list[str]
    claims: list[str]

    def translate(self, translate_text: Callable[[str], str]) -> TableScreen:
        """Return the screen with the card names translated in all strings."""
        rows = [
            row._replace(cells=[translate_text(cell) for cell in row.cells]) for row in self.rows
        ]
        facts = [translate_text(text) for text in self.facts]
        table = [translate_text(text) for text in self.table]
        return self._replace(turn=translate_text(self.turn), rows=rows, table=table, facts=facts)


class PlayerRow(NamedTuple):
    """A row about a player, with one cell for each heading."""

    is_to_act: bool
    name: str
    cells: list[str]


def make_screen(match: Match, faults: Faults, *, playing: bool = False) -> TableScreen:
    """Return the current screen.

    If `playing` is true, sentences that players do not need are left out.
    """
    state, rnd = match.state, match.shown_round
    phases = () if match.shows_entries_only else rnd.rules.phases.values()
    headings, rows = _rows(match, state)
    return TableScreen(
        state["round"],
        _is_over(match, rnd),
        turn_text(match),
        headings,
        rows,
        mark_open(rnd, [text for phase in phases for text in phase.view(rnd).table()]),
        [each.text for each in _fact_sentences(match, rnd) if not (playing and each.on_table)],
        faults.brief_lines(),
    )


def _is_over(match: Match, rnd: Round) -> bool:
    """Return whether the round is finished, either by its entries or by its announced score."""
    return rnd.over or (match.is_round_over and not rnd.ended)


def _fact_sentences(match: Match, rnd: Round) -> Iterator[Sentence]:
    """Yield sentences about the round. If the round is finished, include its score."""
    dealt, over = match.ruleset.deal["dealt"], _is_over(match, rnd)
    if not match.shows_entries_only:
        now_first = sorted(rnd.rules.phases.values(), key=lambda phase: phase is not rnd.phase)
        for phase in now_first:
            yield from phase.view(rnd).sentences()
    if dealt and not over:
        dealer = rnd.names[rnd.seating.dealer]
        yield Sentence(tr("{who} dealt", who=dealer), on_table=rnd.acted)
    if over and match.rounds:
        worth = tr("round {number}: {worth}", number=rnd.number, worth=match.rounds[-1].result_text)
        yield Sentence("; ".join([worth, *_lines_of(match)]))
        if dealt and not match.over:
            dealer = match.current_round.names[match.current_round.seating.dealer]
            yield Sentence(tr("{who} deals next", who=dealer))


def turn_text(match: Match, *, for_spectators: bool = False) -> str:
    """Return whose turn it is and what that player may do, or the result of a finished match.

    If `for_spectators` is true, the text does not explain what to type.
    """
    if match.over:
        scores = ", ".join(f"{name} {points}" for name, points in match.scores.items())
        return tr(
            "the match is over: {outcome} ({scores})", outcome=tr(match.outcome), scores=scores
        )
    names, (prompt, for_onlookers) = match.to_act, match.full_prompt
    if for_spectators and for_onlookers:
        prompt = for_onlookers
    if prompt and any(prompt.startswith(name) for name in names[:1]):
        return prompt
    return f"{', '.join(names)}: {prompt}" if names else prompt


def _rows(match: Match, state: Mapping[str, JsonValue]) -> tuple[list[str], list[PlayerRow]]:
    players: dict[str, Json] = state["players"]
    waits = match.to_act
    name_of_tally, scores = match.ruleset.tally["name"], match.scores
    keys = list(dict.fromkeys(key for player in players.values() for key in player))
    columns_shown = [
        key
        for key in keys
        if key != name_of_tally
        # a finished round may have been entered by its result, without hands
        and not (key == CARDS and match.shown_round.over)
        and any(player.get(key) not in (None, "", False, [], {}) for player in players.values())
    ]
    rows = []

    def word(text: str) -> str:
        """Return the text as displayed, translated unless it is a player's name."""
        return text if text in players else tr(ROLES.get(text, "")) or match.ruleset.translate(text)

    for name, player in players.items():
        cells = [
            str(scores[name]),
            *(cell_text(player.get(key, ""), word) for key in columns_shown),
        ]
        rows.append(PlayerRow(name in waits, name, cells))
    headings = [tr(HEADINGS[key]) if key in HEADINGS else key for key in columns_shown]
    return [match.ruleset.translate(name_of_tally), *headings], rows


def cell_text(value: object, translate_word: Callable[[str], str]) -> str:
    """Return a value as text for a table cell. The function `translate_word` translates a word."""
    if isinstance(value, (list, tuple)):
        return ", ".join(cell_text(each, translate_word) for each in value) or "–"
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return "–" if value is None else translate_word(str(value))


# --- rulings


def ruling_lines(ruling: Ruling, speech: Translator) -> list[str]:
    """Return a ruling as lines: the entry with its verdict, followed by the findings."""
    lines = [f"{speech.to_spoken(ruling.entry)}: {tr(VERDICTS[ruling.verdict])}"]
    return lines + [
        f"  {speech.translate_letters(finding_text(finding))}" for finding in ruling.findings
    ]


def ruling_events(
    ruling: Ruling,
    place: tuple[int, int],
    kind: str,
    format_entry: Callable[[str], str],
    format_sentence: Callable[[str], str],
) -> Iterator[Event]:
    """Yield the events of an entry.

    These are its text, its findings, and, if it completes a trick, the acts settled in the trick.
    """
    verdict = "" if ruling.verdict == LEGAL else f"  [{tr(VERDICTS[ruling.verdict])}]"
    doubt = "?" if ruling.is_open and not find_decision(ruling.entry) else ""
    yield Event(kind, f"{place_text(place)}{format_entry(ruling.entry)}{doubt}{verdict}", place)
    for finding in ruling.findings:
        yield Event(kind_of(finding), INDENT + format_sentence(finding_text(finding)), place)
    if ruling.settled_in_trick:
        yield Event(NOTED, INDENT + end_text(ruling.settled_in_trick, format_entry), place)


def explain(match: Match, ruling: Ruling | None, speech: Translator) -> list[str]:
    """Return the most recent ruling with the paragraphs that it cites.

    If the entry is legal, return the rules that the entry obeyed.
    """
    from scorekeeper.ruleset.citations import cited_place, find_paragraph

    if ruling is None:
        return [tr("there is no ruling yet")]
    ruleset = match.ruleset
    lines = ruling_lines(ruling, speech)
    if not ruling.findings:
        clauses = ruleset.clauses_of.get(verb_of(ruling.entry, match.full_notation), ())
        lines += [
            tr("  obeyed: {rule}", rule=f"{clause.code}, {clause.cite}") for clause in clauses
        ]
        return lines
    cited = list(dict.fromkeys(finding.cite for finding in ruling.findings if finding.cite))
    for cite in cited:
        text = find_paragraph(ruleset.rules_text, cite)
        lines += ["", cited_place(ruleset.rules_text, cite), *text.splitlines()]
    return lines


# --- scores


def score_lines(desk: MatchRecorder, match: Match) -> list[str]:
    """Return the tallies after recent rounds, and the lines of the most recent score.

    `match` is the public copy, beginning with the live round.
    """
    live = match.live_round
    cached = desk.rounds(max(2, live.number - MAX_ROUNDS))
    rows = [(tr("after {number}", number=row.number - 1), _tallies(match, row)) for row in cached]
    now = tr("after {number}", number=live.number) if _is_over(match, live) else tr("now")
    rows = [*rows[-MAX_ROUNDS:], (now, [str(match.scores[name]) for name in match.players])]
    lines = _sheet(match, rows)
    lines += filter(None, [points_so_far(live)])
    for played in reversed(match.rounds):
        if played.over:
            return lines + round_score_lines(match, played)
    return lines


def _sheet(match: Match, rows: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Return the tallies as a table with a line for each round.

    If the names are too wide, the table has a line for each player instead. It then shows as many
    recent rounds as fit.
    """
    names, corner = (
        [escape_controls(name) for name in match.players],
        match.ruleset.translate(match.ruleset.tally["name"]),
    )
    first = max(MIN_WHEN_WIDTH, *(display_width(when) for when, _ in rows))
    width = max([MIN_NUMBER_WIDTH, *map(display_width, names)])
    if first + (width + 1) * len(names) < TABLE_WIDTH:
        table = [
            (corner, names),
            *((when, tally) for when, tally in rows),
        ]
    else:
        first = min(MAX_NAME_WIDTH, max(map(display_width, names)))
        width = max(display_width(when) for when, _ in rows)
        last_rows = rows[-((TABLE_WIDTH - 1 - first) // (width + 1)) :]
        table = [(shorten(corner, first), [when for when, _ in last_rows])]
        for seat, name in enumerate(names):
            table.append((shorten(name, first), [tally[seat] for _, tally in last_rows]))
    return [
        " ".join([pad(head, first), *(pad(cell, width, right=True) for cell in cells)])
        for head, cells in table
    ]


def _tallies(match: Match, row: RoundRow) -> list[str]:
    """Return the tallies before a round. A player who joined later has "" instead of a tally."""
    before = tallies_by_name(row.standing, match.initial_players)
    return [str(before.get(name, "")) for name in match.players]


def points_so_far(rnd: Round) -> str:
    """Return the card points won so far in a round in progress, as a sentence.

    Points are listed by side, or by player if not all sides are known. Return "" if the round has
    ended, if cards have no points, or if no trick is complete.
    """
    if rnd.over or rnd.ended or not rnd.tricks or not any(rnd.rules.card_points()):
        return ""
    by_side: dict[str, float] = {}
    for seat in rnd.seats:
        side = (seat,) if rnd.sides is not None else rnd.seating.side(seat)
        if rnd.sides is not None and rnd.sides.is_complete:
            side = rnd.sides.members(rnd.sides.side_of(seat) or 0)
        won = sum([trick.points for trick in rnd.tricks if trick.winner in side])
        by_side[join_list(rnd.names_of(side))] = plain_points(won)
    each = ", ".join(f"{names} {format_points(points)}" for names, points in by_side.items())
    return tr("points so far: {points}", points=each)


def round_score_lines(match: Match, played: RoundRecord) -> list[str]:
    """Return the score of a round as lines: the changes, their reasons, and each score line."""
    from scorekeeper.match.remedies import later_choices
    from scorekeeper.ruleset.citations import cited_place

    ruleset = match.ruleset
    lines = [tr("round {number}: {worth}", number=played.number, worth=played.result_text)]
    if played is not match.rounds[-1] or not match.shows_entries_only:
        lines += [f"  {text}" for text in match.score_sentences(played)]
    earlier = later_choices(match.review_round(played).summary)
    for code, cite, points in _rows_of(ruleset, played):
        source = f" ({cited_place(ruleset.rules_text, cite)})" if cite else ""
        label = (
            ruleset.translate_word(earlier[code]) if code in earlier else label_of(ruleset, code)
        )
        lines.append(f"  {label}: {', '.join(points)}{source}")
    return lines


def _lines_of(match: Match) -> list[str]:
    """Return the score lines of the most recent round, each with its label and its players."""
    rows = _rows_of(match.ruleset, match.rounds[-1])
    return [f"{label_of(match.ruleset, code)}: {', '.join(points)}" for code, _, points in rows]


def _rows_of(ruleset: Ruleset, played: RoundRecord) -> list[tuple[str, str, list[str]]]:
    """Return a round's score lines: their code, their paragraph, and the players with points.

    Only lines that come from score rows are merged. Any other line may occur several times for a
    player, and each occurrence is listed.
    """
    rows: list[tuple[str, str, list[str]]] = []
    scored = {row.code for row in ruleset.scores}
    latest: dict[tuple[str, str], tuple[list[str], set[str]]] = {}
    for line in played.lines:
        points, names = latest.get((line.code, line.cite), ([], {line.to}))
        if line.to in names and line.code not in scored:
            points, names = [], set()
        if not points:
            rows.append((line.code, line.cite, points))
            latest[line.code, line.cite] = points, names
        whom = line.to if line.to in played.names else ruleset.translate(line.to)
        points.append(f"{whom} {line.points:+g}")
        names.add(line.to)
    return rows


def label_of(ruleset: Ruleset, code: str) -> str:
    """Return the label of a score line, or the last word of its code."""
    labels = {row.code: row.label for row in ruleset.scores}
    label = labels.get(code)
    name = code.rpartition(".")[2]
    return ruleset.translate(label) if label else ruleset.translate_word(name).replace("-", " ")


# --- most recent trick, bout or bids


def last_lines(match: Match) -> list[str]:
    """Return the most recent trick, bout or bids as lines."""
    for played in reversed(match.rounds):
        groups, lying = _groups(match, played)
        group = lying if played.over and lying else groups[-1] if groups else lying
        if group:
            return [tr("round {number}", number=played.number), *(f"  {text}" for text in group)]
    return [tr("nothing has been played or bid yet")]


def _groups(match: Match, played: RoundRecord) -> tuple[list[list[str]], list[str]]:
    """Return the entries of a round in groups. A group ends when the table is cleared of cards.

    The entries after the last complete group are returned separately.
    """
    rnd, notation = match.round_at_start(played), match.notation_of(played)
    groups: list[list[str]] = []
    lying: list[str] = []
    full = False
    for text in filter(None, map(notation.hide_cards, played.entries)):
        try:
            entry = resolve(rnd, notation.read(text), notation)
            rnd.apply(entry, judge(rnd, entry))
        except Failure:
            break
        was, full = full, _has_cards_on_table(rnd)
        if was or full:
            lying.append(text)
        if was and not full:
            groups.append([*lying, tr("then {turn}", turn=_prompt(rnd))])
            lying = []
    return groups, lying


def _has_cards_on_table(rnd: Round) -> bool:
    phases = rnd.rules.phases.values()
    return any(phase.view(rnd).as_json().get("table") for phase in phases)


def _prompt(rnd: Round) -> str:
    return tr("the round was over") if rnd.phase is None else rnd.prompt()
