"""A form for the result of a round, filled in field by field and judged before it is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible, Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.syntax import clean
from scorekeeper.session.hints import FINE, REFUSED, Hint, command_of, said
from scorekeeper.session.public_round import scratch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.match.match import Match
    from scorekeeper.notation.translation import Speech

ANY = ("", "0", "1")  # trial answers for a field without words
MOST_TRIED = 12
BACK, NOTHING = "<", "-"  # input for lines without function keys


class Field(NamedTuple):
    """A field: its key in the entry, its description, and the words it takes (if few)."""

    key: str
    about: str
    words: list[str]


class Form:
    """The answers so far. `position` is the index of the current field, or the number of fields at
    the end.

    `error` is the reason why the last answer was rejected. A readable answer that is repeated is
    accepted (`accepts_repeat`), unless the field has a list of words. Only the whole result is
    judged then. Raises Impossible if the rules have no result now.
    """

    def __init__(self, match: Match, speech: Speech) -> None:
        self._match = match
        self._speech = speech
        if match.astray and not match.finished:
            raise Impossible(match.prompt)
        rnd = match.now
        fields = [Field(*row) for row in rnd.result_fields()]
        if not fields or match.over:
            raise Impossible(tr("there is no round here that a result could end"))
        self.answers = [""] * len(fields)
        self.at = 0
        self.wrong = ""
        self._doubted: tuple[int, str] | None = None
        self.fields = fields
        self.fields = [self._with_words(at, field) for at, field in enumerate(fields)]

    def _with_words(self, at: int, field: Field) -> Field:
        """Return the field, with its key as the only word if the key needs no value."""
        alone = not field.words and self._failure(at, field.key) is None
        return field._replace(words=[field.key]) if alone else field

    @property
    def done(self) -> bool:
        """True if all fields were answered or left out."""
        return self.at >= len(self.fields)

    @property
    def asked(self) -> Field:
        """The current field, or the last one at the end."""
        return self.fields[min(self.at, len(self.fields) - 1)]

    @property
    def meant_again(self) -> bool:
        """True if the rejected answer would be accepted when repeated."""
        if self._doubted is None or self._doubted[0] != self.at or self.asked.words:
            return False
        return not isinstance(self._failure(*self._doubted), Unreadable)

    @property
    def given(self) -> str:
        """The previous answer in the current field."""
        return "" if self.done else self.answers[self.at]

    @property
    def question(self) -> str:
        """The question for the current field, in one line."""
        field = self.asked
        said = f"{field.key}: {field.about}"
        if field.words:
            said += f" ({', '.join(field.words)})"
        if self.given:
            kept = mark("{question}; empty: {answer}, “-” leaves it out, “<” goes back")
            return tr(kept, question=said, answer=self.given)
        return tr("{question}; empty to leave out", question=said)

    @property
    def text(self) -> str:
        """The entry made of the answers."""
        return self._text(self.answers)

    def _text(self, answers: Sequence[str]) -> str:
        pairs = [
            f"{field.key}={answer}" if answer != field.key else field.key
            for field, answer in zip(self.fields, answers, strict=False)
            if answer
        ]
        return " ".join([self._speech.own.say("result"), *pairs])

    def take(self, line: str) -> bool:
        """Take a typed line, and return False if it is a command to leave.

        An empty line repeats the previous answer, `-` leaves the field out, and `<` goes to the
        previous field.
        """
        word = line.strip()
        leaving = command_of(word.casefold().removeprefix("/")) if word else ""
        if leaving == "quit" and word not in self.asked.words:
            return False
        if word == BACK:
            self.back()
        elif leaving != "help" or word in self.asked.words:
            self.answer("" if word == NOTHING else word or self.given)
        return True

    def answer(self, text: str) -> bool:
        """Answer the current field and go to the next, or return False if the answer is rejected.

        An empty text leaves the field out. A rejected answer does not replace the previous one.
        """
        if self.done:
            return True
        text = clean(text)
        self.wrong = ""
        meant = self.meant_again and self._doubted == (self.at, text)
        if text and not meant:
            self.wrong, text = self._checked(text)
        if self.wrong:
            self._doubted = (self.at, text)
            return False
        self.answers[self.at] = text
        self.at += 1
        return True

    def put(self, text: str) -> None:
        """Store an answer without judging it."""
        self.answers[self.at] = clean(text)
        self.at += 1

    def back(self) -> None:
        """Go to the previous field."""
        self.at = max(0, self.at - 1)
        self.wrong = ""

    def ask_again(self) -> None:
        """Go to the first field in which another answer would make a refused result acceptable."""
        self.wrong = ""
        self.at = next((at for at in range(len(self.fields)) if self._helps(at)), 0)

    def _helps(self, at: int) -> bool:
        """Return whether another answer in that field would make the result acceptable."""
        others = (*self.fields[at].words[:MOST_TRIED], *ANY)
        before, after = self.answers[:at], self.answers[at + 1 :]
        return any(self._refused([*before, other, *after]) is None for other in others)

    def complete(self, typed: str) -> list[str]:
        """Return the completions of a typed answer. Several words are joined by `+`."""
        head, plus, last = typed.rpartition("+")
        folded = last.casefold().lstrip()
        begun = [each.casefold().strip() for each in head.split("+")]
        fitting = _beginning(folded, self.asked.words)
        return [head + plus + word for word in fitting if word.casefold() not in begun]

    def _checked(self, text: str) -> tuple[str, str]:
        """Return the reason to reject an answer, or "", and the answer with complete words."""
        words = self.asked.words
        if not words:
            return self._judged(text), text
        known = self._speech.own.lexicon.meanings
        found = [
            [part] if known.get(part.casefold()) in words else _meant(part, words)
            for part in map(str.strip, text.split("+"))
        ]
        parts = [part.strip() for part in text.split("+")]
        if "" in parts:
            said = mark("{key}: “{answer}” has a “+” with nothing beside it; it joins {words}")
            return tr(said, key=self.asked.key, answer=text, words=", ".join(words)), text
        for part, meant in zip(parts, found, strict=True):
            if len(meant) > 1:
                said = mark("{key}: “{answer}” may be {words}")
                return tr(said, key=self.asked.key, answer=part, words=", ".join(meant)), text
            if not meant:
                said = mark("{key}: “{answer}” is none of {words}")
                return tr(said, key=self.asked.key, answer=part, words=", ".join(words)), text
        return "", "+".join(meant[0] for meant in found)

    def _judged(self, text: str) -> str:
        """Return the reason to reject a free answer, or "".

        It is accepted if other answers, or none, would be rejected for the same reason.
        """
        failure = self._failure(self.at, text)
        if failure is None or any(_same(failure, self._failure(self.at, other)) for other in ANY):
            return ""
        return str(self._speech.failure(failure))

    def _failure(self, at: int, answer: str) -> Failure | None:
        """Return why the answers before a field and this answer are refused, or None."""
        return self._refused([*self.answers[:at], answer])

    def _refused(self, answers: Sequence[str]) -> Failure | None:
        """Return why these answers are refused, or None."""
        try:
            ruling = self._match.judge(self._speech.canonical(self._text(answers)))
        except Failure as failure:
            return failure
        return Failure("; ".join(map(said, ruling.findings))) if ruling.refused else None

    def preview(self) -> Hint:
        """Return the score that the answers would result in, or the reason why they are refused."""
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


def _same(one: Failure | None, other: Failure | None) -> bool:
    return one is not None and other is not None and str(one) == str(other)


def _meant(typed: str, words: Sequence[str]) -> list[str]:
    """Return the words that a typed text may mean.

    A whole word takes precedence over the part after a colon, and that over the beginning of a
    word.
    """
    folded = typed.casefold()
    known = {word: word.casefold() for word in words}
    return (
        [word for word in words if known[word] == folded]
        or [word for word in words if known[word].partition(":")[2] == folded]
        or _beginning(folded, words)
    )


def _beginning(folded: str, words: Sequence[str]) -> list[str]:
    """Return the words that begin with a text, or else those with such a part after a colon."""
    known = {word: word.casefold() for word in words}
    return [word for word in words if known[word].startswith(folded)] or [
        word for word in words if known[word].partition(":")[2].startswith(folded)
    ]
