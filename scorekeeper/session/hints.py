"""Hints on a line that is typed: the effect of its entries, or the command that it is.

Rulings use the hands that were entered, and no hint may reveal these. Hints therefore use public
information. If only a hand makes an entry illegal, the hint says so and withholds the reason.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible, Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.rulings import ILLEGAL, LEGAL, OPEN, REFUSE, Finding, Illegal, Ruling
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.referee import check_row
from scorekeeper.notation import decision_in
from scorekeeper.session.public_round import scratch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.match.match import Match
    from scorekeeper.notation.translation import Speech

# Kinds of hints, events and lines of rulings. A screen chooses their colours.
PLAIN, FINE, NOTED, UNPROVEN, WARNED, REFUSED, FAILED, NEWS = (
    *("plain", "fine", "noted", "open", "warned", "refused", "failed", "news"),
)

# The full reason would reveal a card. It is available from `scorekeeper judge`.
BY_HAND = mark("a hand that was entered refuses it; scorekeeper judge says why")
HAND = "entry.hand"  # the code of that finding
VERDICTS = {LEGAL: mark("legal"), ILLEGAL: mark("illegal"), OPEN: mark("open")}

# The commands of the live table, which may be typed in any line. Each has a function key too.
COMMANDS = {
    mark("help"): mark("what may be typed here"),
    mark("undo"): mark("take back what was done last"),
    mark("last"): mark("the last trick, bout or bids"),
    mark("score"): mark("the sheet so far"),
    mark("explain"): mark("the last ruling, with its rule"),
    mark("rulings"): mark("what was found"),
    mark("result"): mark("the round, field by field"),
    mark("next"): mark("the next of the open matches"),
    mark("quit"): mark("leave; all is stored"),
}
ALSO = {"exit": "quit", "?": "help"}  # other words for commands


class Hint(NamedTuple):
    """A hint on a line before it is sent: its kind and a sentence."""

    kind: str
    text: str


def hint_on(seen: Match, texts: Sequence[str], begun: Sequence[str], speech: Speech) -> Hint:
    """Return the hint on typed entries.

    `public` is the match as the table has seen it. `completions` are the legal entries that
    begin with the last text.
    """
    if seen.astray and not seen.finished:
        return Hint(PLAIN, seen.prompt)
    known = try_out(seen, texts, speech)
    if begun and known.failure is not None and len(known.rulings) == len(texts) - 1:
        return Hint(PLAIN, "  ".join(begun))
    if known.failure is not None:
        return Hint(FAILED, str(speech.failure(known.failure)))
    if known.refused is not None:
        return Hint(REFUSED, _refusal(known.refused, speech))
    return _allowed(known.rulings, speech)


def _allowed(rulings: Sequence[Ruling], speech: Speech) -> Hint:
    ruling = rulings[-1]
    texts = ", ".join(speech.spoken(each.entry) for each in rulings)
    for finding in ruling.findings:
        return Hint(kind_of(finding), f"{texts}: {speech.told(said(finding))}")
    return Hint(FINE, f"{texts}: {tr(VERDICTS[LEGAL])}")


def _refusal(ruling: Ruling, speech: Speech) -> str:
    finding = next(finding for finding in ruling.findings if finding.refuses)
    return f"{speech.spoken(ruling.entry)}: {speech.told(said(finding))}"


class DryRun(NamedTuple):
    """The rulings on entries that were tried, up to the first that was refused or failed."""

    rulings: list[Ruling]
    failure: Failure | None = None

    @property
    def refused(self) -> Ruling | None:
        """The ruling that refuses an entry, or None."""
        last = self.rulings[-1] if self.rulings else None
        if last is None or not last.refused or decision_in(last.entry):
            return None
        return last


def try_out(match: Match, texts: Sequence[str], speech: Speech) -> DryRun:
    """Return the rulings on typed entries as if they were recorded."""
    rulings: list[Ruling] = []
    try:
        if len(texts) == 1:
            return DryRun([match.judge(speech.canonical(texts[0]))])
        trial = scratch(match)
        for text in texts:
            rulings.append(trial.record(speech.canonical(text)))
    except Illegal as illegal:
        rulings.append(illegal.ruling)
    except Failure as failure:
        return DryRun(rulings, failure)
    return DryRun(rulings)


def entries_of(match: Match, line: str, speech: Speech) -> list[str]:
    """Return the entries of a line, as typed.

    Cards in a row after a name are the rest of the trick. Raises Unreadable, also if such a row has
    another number of cards.
    """
    texts = speech.own.split(line)
    if len(texts) > 1 and ":" in line:
        _check_rows(match, [speech.own.row(piece) for piece in speech.own.pieces(line)], speech)
    return texts


def _check_rows(match: Match, rows: Sequence[Sequence[str]], speech: Speech) -> None:
    """Check the rows of cards in a line, each after the entries before it."""
    last = max((at for at, row in enumerate(rows) if len(row) > 1), default=-1)
    trial = scratch(match) if last > 0 else match
    for row in rows[: last + 1]:
        try:
            first = trial.notation.read(speech.canonical(row[0]))
        except Failure:
            return  # it ends the line
        check_row(trial.now, first, row)
        with suppress(Failure):
            for text in row if last > 0 else ():
                trial.record(speech.canonical(text))


def as_seen(ruling: Ruling, seen: Match, hide: Callable[[str], str]) -> Ruling:
    """Return the ruling that the table may know on a refused entry.

    If only a hand that was entered makes the entry illegal, the ruling states just that.
    """
    entry = hide(ruling.entry)
    with suppress(Failure):
        known = seen.judge(ruling.entry)
        if known.refused:
            return Ruling(entry, known.findings)
    return Ruling(entry, (Finding(HAND, ILLEGAL, BY_HAND, {}, REFUSE),))


def failed_as_seen(failure: Failure, seen: Match, text: str) -> Failure:
    """Return the failure that the table may know for an entry that is impossible."""
    try:
        seen.judge(text)
    except Failure as known:
        return known
    if isinstance(failure, Unreadable):
        return Unreadable(tr("who did that is not clear"), tr("type a name before it"))
    return Impossible(tr("that is impossible by what was entered"))


def kind_of(finding: Finding) -> str:
    """Return the kind of a finding: refused, warned, open or noted."""
    if finding.verdict == OPEN:
        return UNPROVEN
    if finding.verdict != ILLEGAL:
        return NOTED
    return REFUSED if finding.refuses else WARNED


def said(finding: Finding) -> str:
    """Return a finding as text: its sentence, its code and its paragraph."""
    words = {
        NOTED: mark("note: {reason} ({rule})"),
        UNPROVEN: mark("open: {reason} ({rule})"),
        WARNED: mark("warning: {reason} ({rule})"),
    }
    sentence = words.get(kind_of(finding), "{reason} ({rule})")
    return tr(sentence, reason=finding.reason, rule=finding.source)


def said_of(found: Json) -> str:
    """Return a finding in JSON form as text."""
    kept = Finding(
        found["code"], found["verdict"], found["reason"], {}, found["severity"], found["cite"]
    )
    return said(kept)


def command_of(word: str) -> str:
    """Return the command that a word means, in English or the current language, or ""."""
    known = {tr(command): command for command in COMMANDS} | ALSO
    return word if word in COMMANDS else known.get(word, "")
