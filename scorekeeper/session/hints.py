"""Hints on a line while it is being typed.

A hint describes the effect of the entries in the line, or the command that the line contains.
Rulings may depend on hands that were entered, but a hint must not reveal a hand. Hints therefore
use public information. If an entry is illegal only because of a hand, the hint withholds the
reason.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible, Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.rulings import ILLEGAL, LEGAL, OPEN, REFUSE, Finding, Illegal, Ruling
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import JointEntries
from scorekeeper.engine.referee import check_row
from scorekeeper.notation import find_decision
from scorekeeper.session.public_round import trial_match

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.match.match import Match
    from scorekeeper.notation.notation import Translator

# Kinds of hints, events and lines of rulings. A screen chooses their colours.
PLAIN, FINE, NOTED, UNPROVEN, WARNED, REFUSED, FAILED, NEWS = (
    *("plain", "fine", "noted", "open", "warned", "refused", "failed", "news"),
)

# The full reason would reveal a card. `scorekeeper judge` shows it.
HAND_REFUSES = N_(
    "this breaks a rule because of a hand that was entered; “scorekeeper judge” shows the reason"
)
HAND_CODE = "entry.hand"  # the finding's code if the reason is withheld
VERDICTS = {LEGAL: N_("legal"), ILLEGAL: N_("illegal"), OPEN: N_("open")}

# The commands of the live table. They may be typed at any time, and each has a function key too.
COMMANDS = {
    N_("help"): N_("what may be typed here"),
    N_("undo"): N_("undo the last action"),
    N_("last"): N_("the last trick, bout or bids"),
    N_("score"): N_("the sheet so far"),
    N_("explain"): N_("the last ruling, with its rule"),
    N_("rulings"): N_("all findings"),
    N_("result"): N_("enter the result field by field"),
    N_("next"): N_("the next open match"),
    N_("quit"): N_("leave the table; everything is stored"),
}
ALIASES = {"exit": "quit", "?": "help"}  # alternative words for commands


class Hint(NamedTuple):
    """A hint on a line that has not been entered yet: the kind of hint and a sentence."""

    kind: str
    text: str


def make_hint(
    public: Match, texts: Sequence[str], completions: Sequence[str], speech: Translator
) -> Hint:
    """Return the hint on typed entries.

    `public` is the match as the table has seen it. `completions` lists the legal entries that begin
    with the last of the `texts`.
    """
    if public.diverged_at and not public.is_round_over:
        return Hint(PLAIN, public.prompt)
    known = try_out(public, texts, speech)
    whose = _describe_typed(public, texts, speech)
    if whose and known.failure is not None:
        return Hint(PLAIN, whose)
    if whose and not known.rulings[-1].findings:
        return Hint(FINE, f"{whose}: {tr(VERDICTS[LEGAL])}")
    if completions and known.failure is not None and len(known.rulings) == len(texts) - 1:
        return Hint(PLAIN, "  ".join(completions))
    if known.failure is not None:
        return Hint(FAILED, str(speech.translate_failure(known.failure)))
    if known.refused is not None:
        return Hint(REFUSED, _refusal_text(known.refused, speech))
    return _allowed_hint(known.rulings, speech)


def _describe_typed(public: Match, texts: Sequence[str], speech: Translator) -> str:
    """Return as text which player each value of a joint entry belongs to.

    Return "" for any other line.
    """
    if len(texts) != 1:
        return ""
    try:
        entry = public.notation.read(speech.to_canonical(texts[0]))
    except Failure:
        return ""
    if not entry.type.is_joint:
        return ""
    rnd = public.current_round
    phase = rnd.rules.phase_of[entry.type.word]
    return phase.describe_typed(rnd, entry) if isinstance(phase, JointEntries) else ""


def _allowed_hint(rulings: Sequence[Ruling], speech: Translator) -> Hint:
    ruling = rulings[-1]
    texts = ", ".join(speech.to_spoken(each.entry) for each in rulings)
    for finding in ruling.findings:
        return Hint(kind_of(finding), f"{texts}: {speech.translate_letters(finding_text(finding))}")
    return Hint(FINE, f"{texts}: {tr(VERDICTS[LEGAL])}")


def _refusal_text(ruling: Ruling, speech: Translator) -> str:
    finding = next(finding for finding in ruling.findings if finding.refuses)
    return f"{speech.to_spoken(ruling.entry)}: {speech.translate_letters(finding_text(finding))}"


class DryRun(NamedTuple):
    """The rulings on entries judged as a trial, up to the first one that is refused or fails."""

    rulings: list[Ruling]
    failure: Failure | None = None

    @property
    def refused(self) -> Ruling | None:
        """The ruling that refuses an entry, or None."""
        last = self.rulings[-1] if self.rulings else None
        if last is None or not last.refused or find_decision(last.entry):
            return None
        return last


def try_out(match: Match, texts: Sequence[str], speech: Translator) -> DryRun:
    """Return the rulings on typed entries as if the entries were recorded."""
    rulings: list[Ruling] = []
    try:
        if len(texts) == 1:
            return DryRun([match.judge(speech.to_canonical(texts[0]))])
        trial = trial_match(match)
        for text in texts:
            rulings.append(trial.record(speech.to_canonical(text)))
    except Illegal as illegal:
        rulings.append(illegal.ruling)
    except Failure as failure:
        return DryRun(rulings, failure)
    return DryRun(rulings)


def split_entries(match: Match, line: str, speech: Translator) -> list[str]:
    """Return the entries in a line, as typed.

    If several cards follow a player's name, they must complete the trick. Raises Unreadable if
    they do not, or if the line cannot be read.
    """
    texts = speech.spoken_notation.split_line(line)
    if len(texts) > 1 and ":" in line:
        _check_rows(
            match,
            [
                speech.spoken_notation.split_row(piece)
                for piece in speech.spoken_notation.split_pieces(line)
            ],
            speech,
        )
    return texts


def _check_rows(match: Match, rows: Sequence[Sequence[str]], speech: Translator) -> None:
    """Check the rows of cards in a line, each as if the rows before it were recorded."""
    last = max((at for at, row in enumerate(rows) if len(row) > 1), default=-1)
    trial = trial_match(match) if last > 0 else match
    for row in rows[: last + 1]:
        try:
            first = trial.notation.read(speech.to_canonical(row[0]))
        except Failure:
            return  # the remaining rows would not be recorded either
        check_row(trial.current_round, first, row)
        with suppress(Failure):
            for text in row if last > 0 else ():
                trial.record(speech.to_canonical(text))


def public_ruling(ruling: Ruling, public: Match, redact: Callable[[str], str]) -> Ruling:
    """Return the ruling on a refused entry, without revealing hidden hands.

    If the entry is illegal only because of a hand that was entered, the ruling withholds the
    reason.
    """
    entry = redact(ruling.entry)
    with suppress(Failure):
        known = public.judge(ruling.entry)
        if known.refused:
            return Ruling(entry, known.findings)
    return Ruling(entry, (Finding(HAND_CODE, ILLEGAL, HAND_REFUSES, {}, REFUSE),))


def public_failure(failure: Failure, public: Match, text: str) -> Failure:
    """Return the error for an impossible entry, without revealing hidden hands."""
    try:
        public.judge(text)
    except Failure as known:
        return known
    if isinstance(failure, Unreadable):
        return Unreadable(
            tr("it is unclear who did that"), tr("type the player's name before the entry")
        )
    return Impossible(tr("this contradicts other entries"))


def kind_of(finding: Finding) -> str:
    """Return the kind of hint for a finding: refused, warned, open or noted."""
    if finding.verdict == OPEN:
        return UNPROVEN
    if finding.verdict != ILLEGAL:
        return NOTED
    return REFUSED if finding.refuses else WARNED


def finding_text(finding: Finding) -> str:
    """Return a finding as text: its sentence, its code and its paragraph."""
    words = {
        NOTED: N_("note: {reason} ({rule})"),
        UNPROVEN: N_("open: {reason} ({rule})"),
        WARNED: N_("warning: {reason} ({rule})"),
    }
    sentence = words.get(kind_of(finding), "{reason} ({rule})")
    return tr(sentence, reason=finding.reason, rule=finding.source)


def stored_finding_text(found: Json) -> str:
    """Return a finding in JSON form as text."""
    stored = Finding(
        found["code"], found["verdict"], found["reason"], {}, found["severity"], found["cite"]
    )
    return finding_text(stored)


def command_of(word: str) -> str:
    """Return the command that a word means, in English or the current language, or ""."""
    known = {tr(command): command for command in COMMANDS} | ALIASES
    return word if word in COMMANDS else known.get(word, "")
