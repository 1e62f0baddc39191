"""What a line would do: what would become of the entries in it, or which command it is.

Rulings go by the hands that were entered; what is shown must not give them away. So what the table
has seen speaks; where only an entered hand refuses a line that was sent, it is said that it does,
not why.
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

# What a hint, an event or a line of a ruling may be; a screen chooses the colours.
PLAIN, FINE, NOTED, UNPROVEN, WARNED, REFUSED, FAILED, NEWS = (
    *("plain", "fine", "noted", "open", "warned", "refused", "failed", "news"),
)

# The rule would tell what is in the hand: who may know asks the referee.
BY_HAND = mark("a hand that was entered refuses it; scorekeeper judge says why")
HAND = "entry.hand"  # the code of that
VERDICTS = {LEGAL: mark("legal"), ILLEGAL: mark("illegal"), OPEN: mark("open")}

# The words that ask the program for something, wherever lines are typed; on a screen each has its
# function key too.
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
    """What is said of a line before it is sent: its kind and a sentence."""

    kind: str
    text: str


def hint_on(seen: Match, texts: Sequence[str], begun: Sequence[str], speech: Speech) -> Hint:
    """What to say of entries that are typed and not sent. `seen` is the match as the table has
    seen it, `begun` the legal entries that the last one begins."""
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
    """What came of trying entries: rulings up to the first that was refused or failed."""

    rulings: list[Ruling]
    failure: Failure | None = None

    @property
    def refused(self) -> Ruling | None:
        """The ruling that refuses, if one does."""
        last = self.rulings[-1] if self.rulings else None
        if last is None or not last.refused or decision_in(last.entry):
            return None
        return last


def try_out(match: Match, texts: Sequence[str], speech: Speech) -> DryRun:
    """What recording these entries, as typed, would come to; nothing is recorded."""
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
    """The single entries in a line, as typed; a row of cards after a name is the rest of the trick.
    Raises Unreadable, also for a row that comes to something else."""
    texts = speech.own.split(line)
    if len(texts) > 1 and ":" in line:
        _check_rows(match, [speech.own.row(piece) for piece in speech.own.pieces(line)], speech)
    return texts


def _check_rows(match: Match, rows: Sequence[Sequence[str]], speech: Speech) -> None:
    """Check the rows after a name of a line, each as it stands when what is before it has
    happened."""
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
    """What may be told of an entry that is refused: what is against it by what the table has seen;
    where only a hand that was entered is, that it is."""
    entry = hide(ruling.entry)
    with suppress(Failure):
        known = seen.judge(ruling.entry)
        if known.refused:
            return Ruling(entry, known.findings)
    return Ruling(entry, (Finding(HAND, ILLEGAL, BY_HAND, {}, REFUSE),))


def failed_as_seen(failure: Failure, seen: Match, text: str) -> Failure:
    """What may be told of an entry that cannot be."""
    try:
        seen.judge(text)
    except Failure as known:
        return known
    if isinstance(failure, Unreadable):
        return Unreadable(tr("who did that is not clear"), tr("type a name before it"))
    return Impossible(tr("that is impossible by what was entered"))


def kind_of(finding: Finding) -> str:
    """How loud a finding is: refused, warned, open or a note."""
    if finding.verdict == OPEN:
        return UNPROVEN
    if finding.verdict != ILLEGAL:
        return NOTED
    return REFUSED if finding.refuses else WARNED


def said(finding: Finding) -> str:
    """A finding for people: its sentence, its code and its paragraph."""
    words = {
        NOTED: mark("note: {reason} ({rule})"),
        UNPROVEN: mark("open: {reason} ({rule})"),
        WARNED: mark("warning: {reason} ({rule})"),
    }
    sentence = words.get(kind_of(finding), "{reason} ({rule})")
    return tr(sentence, reason=finding.reason, rule=finding.source)


def said_of(found: Json) -> str:
    """The same of a finding as it is kept."""
    kept = Finding(
        found["code"], found["verdict"], found["reason"], {}, found["severity"], found["cite"]
    )
    return said(kept)


def command_of(word: str) -> str:
    """The command that a word is, in English or the language that is spoken; "" if it is none."""
    known = {tr(command): command for command in COMMANDS} | ALSO
    return word if word in COMMANDS else known.get(word, "")
