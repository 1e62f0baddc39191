"""A round's result as a form: field by field, judged before it is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.failures import Failure, Impossible
from scorekeeper.core.messages import tr
from scorekeeper.core.tuples import NamedTuple
from scorekeeper.notation.syntax import clean
from scorekeeper.session.judging import FINE, REFUSED, Hint, said
from scorekeeper.session.seen import scratch

if TYPE_CHECKING:
    from scorekeeper.notation.speech import Speech
    from scorekeeper.play.match import Match


class Field(NamedTuple):
    """One question: its key in the entry, what it means, the words it takes (if few)."""

    key: str
    about: str
    words: list[str]


class Form:
    """The answers so far; `at` is the field that is asked, or their number at the end.

    Raises Impossible where the rules know no result.
    """

    def __init__(self, match: Match, speech: Speech) -> None:
        self._match = match
        self._speech = speech
        rnd = match.now
        self.fields = [Field(*row) for row in rnd.rules.concluding.fields(rnd)]
        if not self.fields or match.over:
            raise Impossible(tr("there is no round here that a result could end"))
        self.answers = [""] * len(self.fields)
        self.at = 0

    @property
    def done(self) -> bool:
        """Whether every field was asked."""
        return self.at >= len(self.fields)

    @property
    def asked(self) -> Field:
        """The field that is asked now, the last one at the end."""
        return self.fields[min(self.at, len(self.fields) - 1)]

    @property
    def text(self) -> str:
        """The entry that the answers make."""
        verb = self._speech.own.say("result")
        pairs = [
            f"{field.key}={answer}" if answer != field.key else field.key
            for field, answer in zip(self.fields, self.answers, strict=True)
            if answer
        ]
        return " ".join([verb, *pairs])

    def answer(self, text: str) -> None:
        """Answer the field that is asked (empty: left out), and go on to the next."""
        if not self.done:
            self.answers[self.at] = clean(text)
            self.at += 1

    def back(self) -> None:
        """To the field before."""
        self.at = max(0, self.at - 1)

    def complete(self, typed: str) -> list[str]:
        """The words that the field takes and that begin so; several are joined by `+`."""
        head, plus, last = typed.rpartition("+")
        folded = last.casefold().lstrip()
        return [head + plus + w for w in self.asked.words if w.casefold().startswith(folded)]

    def preview(self) -> Hint:
        """What the answers would come to: the round's worth, or why they are not accepted."""
        trial = scratch(self._match)
        try:
            text = self._speech.canonical(self.text)
            ruling = self._match.judge(text)
            if ruling.refused:
                return Hint(REFUSED, self._speech.told("; ".join(map(said, ruling.findings))))
            trial.record(text)
        except Failure as failure:
            return Hint(REFUSED, str(self._speech.failure(failure)))
        scores = trial.rounds[-1].scores
        if scores is None:
            return Hint(FINE, tr("worth: no score"))
        worth = ", ".join(f"{name} {points:+}" for name, points in scores.items())
        return Hint(FINE, tr("worth: {worth}", worth=worth))
