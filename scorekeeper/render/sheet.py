"""A match, its ruleset's `[sheet]` and what is known about the evening, as one neutral sheet.

A sheet is texts only: the renderers lay it out and make it harmless, each in its own way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import mark, tr
from scorekeeper.core.rulings import REFUSE
from scorekeeper.core.types import NamedTuple
from scorekeeper.play.found import PROVEN, found_in, is_any_in
from scorekeeper.play.match import Match
from scorekeeper.play.played import Played, why_unscored
from scorekeeper.play.remedied import DECIDED, account, became, deed, faults_of, latest, void_by
from scorekeeper.play.summary import summarize
from scorekeeper.render.paper import Sheet
from scorekeeper.render.payments import payments
from scorekeeper.render.reckoning import parts, running
from scorekeeper.render.sheet_guide import deals_of, guide
from scorekeeper.render.sheet_table import Layout
from scorekeeper.render.sheet_totals import Totals

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from decimal import Decimal

    from scorekeeper.core.types import Summary
    from scorekeeper.play.reviewed import Reviewed
    from scorekeeper.ruleset.compiled import Ruleset

BLANK_ROWS = 24
MOST_ON_A_PAGE = 36
MOST_BLANK_ROWS = 1000
TO_WRITE = "_" * 20


class About(NamedTuple):
    """What a sheet tells of the match besides its rounds; empty texts are left out."""

    match: str = ""  # how the match is called
    started: str = ""  # the date, as it is to be printed
    place: str = ""
    title: str = ""
    note: str = ""


NOTHING = About()


def sheet(match: Reviewed, about: About = NOTHING, stake: Decimal | None = None) -> Sheet:
    """The sheet of a match as it stands; with a stake, what a point is worth, who pays whom.
    Raises Impossible where a tally is no money."""
    summaries = list(match.summaries())
    layout = Layout(match, summaries or [_coming(match)])
    totals = Totals(match, layout.sides, summaries)
    facts = _facts(
        (tr("Title"), about.title),
        (tr("Started"), about.started),
        (tr("Place"), about.place),
        (tr("Note"), about.note),
        (tr("Match"), about.match),
        (tr("Players"), ", ".join(match.players)),
        (tr("Tally"), match.ruleset.said(match.ruleset.tally["name"])),
        _outcome(match),
    )
    return Sheet(
        match.ruleset.said(match.ruleset.title),
        facts,
        layout.grids(list(layout.rows(summaries)), totals, summaries),
        _footnotes(summaries, _undecided(match, summaries), match.ruleset),
        layout.legend(),
        running=running(match, summaries),
        parts=parts(match, summaries),
        payments=None if stake is None else payments(match, stake),
    )


def blank_sheet(
    ruleset: Ruleset,
    players: Sequence[str] | int,
    about: About = NOTHING,
    rows: int | None = None,
) -> Sheet:
    """An empty sheet to be written on: `players` are names, or how many there will be; `rows`
    from 1 to 1,000, without it as many as a match has deals, or a page has room for. Raises
    Unreadable and Impossible as a match of these players does."""
    named = not isinstance(players, int)
    names = [f"P{seat}" for seat in range(players)] if isinstance(players, int) else players
    match = Match(ruleset, names)
    layout = Layout(match, [_coming(match)], named)
    layout.noted = layout.to_note(_coming(match))
    wanted = rows or min(deals_of(ruleset) or BLANK_ROWS, MOST_ON_A_PAGE)
    numbers = range(1, min(wanted, MOST_BLANK_ROWS) + 1)
    grids = layout.grids([layout.blank_row(number) for number in numbers], None, [])
    facts = _facts(
        (tr("Date"), about.started or TO_WRITE),
        (tr("Place"), about.place or TO_WRITE),
        (tr("Players"), ", ".join(match.players) if named else ""),
        (tr("Tally"), ruleset.said(ruleset.tally["name"])),
    )
    return Sheet(
        ruleset.said(ruleset.title),
        facts,
        grids,
        legend=layout.legend([cells for cells, _ in layout.columns]),
        guide=guide(ruleset),
    )


def _coming(match: Reviewed) -> Summary:
    """The summary of a match's first round before it begins: who the sides are is known, no
    more."""
    rnd = Match(match.ruleset, match.began_with, kept=True).now
    return summarize(rnd, Played(rnd.number, rnd.before, rnd.names), False)


# --- around the table


def _facts(*facts: tuple[str, str]) -> list[tuple[str, str]]:
    return [fact for fact in facts if fact[1]]


def _outcome(match: Reviewed) -> tuple[str, str]:
    if match.over and not match.winners:
        return tr("Result"), match.outcome
    return tr("Won by"), ", ".join(match.winners)


def _undecided(match: Reviewed, summaries: Sequence[Summary]) -> list[tuple[int, str]]:
    """The entries of each round that are against a rule and about which nobody has decided; where
    the rules have a remedy, that says so."""
    if not any(map(is_any_in, summaries)):  # nobody need look at the entries
        return []
    wrong = {
        (each.round, each.number): each.entry
        for found in found_in(match.review(), match.ruleset)
        for each in found
        if each.kind == PROVEN and each.fault is None and each.finding["severity"] == REFUSE
    }
    say = mark("{entry} ({number}) is against a rule, and nobody has decided about it")
    return [
        (round_, tr(say, entry=entry, number=number))
        for (round_, number), entry in sorted(wrong.items())
    ]


def _footnotes(
    summaries: Sequence[Summary], undecided: Sequence[tuple[int, str]], rules: Ruleset
) -> list[str]:
    called, word = rules.spoken, rules.sheet.word
    open_ = [fault for fault in latest(summaries).values() if not fault["ended"]]
    said = [(summary["round"], text) for summary in summaries for text in _remarks(summary, called)]
    said += undecided
    for fault in latest(summaries).values():
        if fault["ended"] == DECIDED and fault["during"] != fault["round"]:
            say = (
                mark("void by what was decided in round {round}: {deed}, {weight}")
                if fault.get("voids")
                else mark("what it came to is changed in round {round}: {deed}, {weight}")
            )
            weight = called(fault["weight"])
            text = tr(say, round=fault["during"], deed=deed(fault), weight=weight)
            said.append((fault["round"], text))
    for fault in open_:
        now = tr("provisional: {deed}: {outcome}", deed=deed(fault), outcome=became(fault, called))
        said.append((fault["round"], now))
    if not word:
        return [tr("Round {number}: {text}", number=number, text=text) for number, text in said]
    return [
        tr("{round} {number}: {text}", round=word, number=number, text=text)
        for number, text in said
    ]


def _remarks(summary: Summary, called: Callable[[str], str]) -> list[str]:
    """What is said below the table of one round: what was decided by a claim is said once."""
    said = []
    decided = [fault for fault in faults_of(summary) if fault["ended"] == DECIDED]
    acts = {fault["text"] for fault in decided}
    if summary["void"] is not None and summary["void"] != void_by(decided):
        why = summary["void"]
        said.append(tr("void") if why == "void" else tr("void: {reason}", reason=why))
    elif summary["annulled"] and summary["void"] is None:
        said.append(tr("void"))
    said += [account(fault, called) for fault in decided]
    said += [tr("foul of {text}", text=text) for text in summary["fouls"]]
    said += [tr("penalty of {text}", text=text) for text in summary["penalties"]]
    said += [text for text in summary["decisions"] if text not in acts]
    said += [text for text in summary["notes"] if text]
    if not summary["over"]:
        said.append(tr("not finished"))
    elif summary["changes"] is None:
        waits = [name for fault in faults_of(summary) if fault["waits"] for name in fault["who"]]
        why = why_unscored(summary.get("mistaken", False), waits)
        said.append(tr("without a score: {reason}", reason=why))
    return said
