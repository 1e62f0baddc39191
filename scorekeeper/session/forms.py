"""A form for the result of a round, which is filled in field by field and judged before it is
stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible, Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.syntax import clean
from scorekeeper.session.hints import FINE, REFUSED, Hint, command_of, finding_text
from scorekeeper.session.public_round import trial_match

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.match.match import Match
    from scorekeeper.notation.notation import Translator

SAMPLE_ANSWERS = ("", "0", "1")  # answers to try in a field without a list of words
MAX_TRIED = 12
BACK, NOTHING = "<", "-"  # what the user types instead of function keys


class FormField(NamedTuple):
    """A field: its key in the entry, its description, and the words that it accepts, if they are
    limited."""

    key: str
    about: str
    words: list[str]


class ResultForm:
    """A form for the result of a round, with the answers so far.

    `position` is the index of the current field, or the number of fields at the end. `error` is the
    reason why the last answer was rejected.

    A rejected but readable answer is accepted if the user repeats it (see `accepts_repeat`). It is
    then judged only as part of the whole result. Fields with a list of words do not accept repeated
    answers.

    Raises Impossible if no result can be entered now.
    """

    def __init__(self, match: Match, speech: Translator) -> None:
        self._match = match
        self._speech = speech
        if match.diverged_at and not match.is_round_over:
            raise Impossible(match.prompt)
        rnd = match.current_round
        fields = [FormField(*row) for row in rnd.result_fields()]
        if not fields or match.over:
            raise Impossible(tr("a round's result cannot be entered now"))
        self.answers = [""] * len(fields)
        self.position = 0
        self.error = ""
        self._rejected: tuple[int, str] | None = None
        self.fields = fields
        self.fields = [self._with_words(at, field) for at, field in enumerate(fields)]

    def _with_words(self, at: int, field: FormField) -> FormField:
        """Return the field. If its key needs no value, the returned field accepts only the key
        itself."""
        alone = not field.words and self._answer_failure(at, field.key) is None
        return field._replace(words=[field.key]) if alone else field

    @property
    def is_done(self) -> bool:
        """True if all fields have been answered or left out."""
        return self.position >= len(self.fields)

    @property
    def current_field(self) -> FormField:
        """The current field. At the end, this is the last field."""
        return self.fields[min(self.position, len(self.fields) - 1)]

    @property
    def accepts_repeat(self) -> bool:
        """True if the user may repeat the rejected answer to have it accepted."""
        if self._rejected is None or self._rejected[0] != self.position or self.current_field.words:
            return False
        return not isinstance(self._answer_failure(*self._rejected), Unreadable)

    @property
    def previous_answer(self) -> str:
        """The previous answer in the current field."""
        return "" if self.is_done else self.answers[self.position]

    @property
    def question(self) -> str:
        """The question for the current field, in one line."""
        field = self.current_field
        question = f"{field.key}: {field.about}"
        if field.words:
            question += f" ({', '.join(field.words)})"
        if self.previous_answer:
            template = N_(
                "{question}; leave empty for {answer}, or enter “-” to skip or “<” to go back"
            )
            return tr(template, question=question, answer=self.previous_answer)
        return tr("{question}; leave empty to skip", question=question)

    @property
    def text(self) -> str:
        """The entry composed of the answers."""
        return self._text(self.answers)

    def _text(self, answers: Sequence[str]) -> str:
        pairs = [
            f"{field.key}={answer}" if answer != field.key else field.key
            for field, answer in zip(self.fields, answers, strict=False)
            if answer
        ]
        return " ".join([self._speech.spoken_notation.write_word("result"), *pairs])

    def enter(self, line: str) -> bool:
        """Process a typed line, and return False if it is a command to leave the form.

        An empty line repeats the previous answer, `-` leaves the field out, and `<` moves to the
        previous field.
        """
        word = line.strip()
        leaving = command_of(word.casefold().removeprefix("/")) if word else ""
        if leaving == "quit" and word not in self.current_field.words:
            return False
        if word == BACK:
            self.go_back()
        elif leaving != "help" or word in self.current_field.words:
            self.answer("" if word == NOTHING else word or self.previous_answer)
        return True

    def answer(self, text: str) -> bool:
        """Answer the current field and move to the next field. Return False if the answer is
        rejected.

        If the text is empty, the field is left out. A rejected answer does not replace the previous
        one.
        """
        if self.is_done:
            return True
        text = clean(text)
        self.error = ""
        meant = self.accepts_repeat and self._rejected == (self.position, text)
        if text and not meant:
            self.error, text = self._check(text)
        if self.error:
            self._rejected = (self.position, text)
            return False
        self.answers[self.position] = text
        self.position += 1
        return True

    def set_answer(self, text: str) -> None:
        """Store an answer without judging it."""
        self.answers[self.position] = clean(text)
        self.position += 1

    def go_back(self) -> None:
        """Move to the previous field."""
        self.position = max(0, self.position - 1)
        self.error = ""

    def go_to_faulty_field(self) -> None:
        """Move to the first field where another answer would make a refused result acceptable."""
        self.error = ""
        self.position = next((at for at in range(len(self.fields)) if self._can_fix(at)), 0)

    def _can_fix(self, at: int) -> bool:
        """Return whether a different answer in the given field would make the result acceptable."""
        others = (*self.fields[at].words[:MAX_TRIED], *SAMPLE_ANSWERS)
        before, after = self.answers[:at], self.answers[at + 1 :]
        return any(self._judge_answers([*before, other, *after]) is None for other in others)

    def complete(self, typed: str) -> list[str]:
        """Return the completions of a typed answer. Several words are joined by `+`."""
        head, plus, last = typed.rpartition("+")
        folded = last.casefold().lstrip()
        earlier = [each.casefold().strip() for each in head.split("+")]
        fitting = _words_starting(folded, self.current_field.words)
        return [head + plus + word for word in fitting if word.casefold() not in earlier]

    def _check(self, text: str) -> tuple[str, str]:
        """Return two strings: the reason to reject an answer, and the answer with its words
        completed.

        The reason is "" if the answer is accepted.
        """
        words = self.current_field.words
        if not words:
            return self._judge_answer(text), text
        known = self._speech.spoken_notation.lexicon.meanings
        meanings = [
            [part] if known.get(part.casefold()) in words else _matching_words(part, words)
            for part in map(str.strip, text.split("+"))
        ]
        parts = [part.strip() for part in text.split("+")]
        if "" in parts:
            template = N_("{key}: a word is missing next to “+” in “{answer}”; choose from {words}")
            return tr(
                template, key=self.current_field.key, answer=text, words=", ".join(words)
            ), text
        for part, meant in zip(parts, meanings, strict=True):
            if len(meant) > 1:
                template = N_("{key}: “{answer}” could mean {words}")
                return tr(
                    template, key=self.current_field.key, answer=part, words=", ".join(meant)
                ), text
            if not meant:
                template = N_("{key}: “{answer}” is not one of {words}")
                return tr(
                    template, key=self.current_field.key, answer=part, words=", ".join(words)
                ), text
        return "", "+".join(meant[0] for meant in meanings)

    def _judge_answer(self, text: str) -> str:
        """Return the reason to reject a free answer, or "".

        If a different answer (or no answer) would be rejected for the same reason, this answer is
        not the cause, so it is accepted.
        """
        failure = self._answer_failure(self.position, text)
        if failure is None or any(
            _is_same_failure(failure, self._answer_failure(self.position, other))
            for other in SAMPLE_ANSWERS
        ):
            return ""
        return str(self._speech.translate_failure(failure))

    def _answer_failure(self, at: int, answer: str) -> Failure | None:
        """Return the error for this answer together with the answers to earlier fields, or None."""
        return self._judge_answers([*self.answers[:at], answer])

    def _judge_answers(self, answers: Sequence[str]) -> Failure | None:
        """Return the error for these answers, or None if they are accepted."""
        try:
            ruling = self._match.judge(self._speech.to_canonical(self._text(answers)))
        except Failure as failure:
            return failure
        return Failure("; ".join(map(finding_text, ruling.findings))) if ruling.refused else None

    def preview(self) -> Hint:
        """Return the score that results from the answers, or the reason why the result is
        refused."""
        trial = trial_match(self._match)
        try:
            text = self._speech.to_canonical(self.text)
            ruling = self._match.judge(text)
            if ruling.refused:
                return Hint(
                    REFUSED,
                    self._speech.translate_letters("; ".join(map(finding_text, ruling.findings))),
                )
            trial.record(text)
        except Failure as failure:
            return Hint(REFUSED, str(self._speech.translate_failure(failure)))
        scores = trial.rounds[-1].scores
        if scores is None:
            return Hint(FINE, tr("this result is worth no points"))
        worth = ", ".join(f"{name} {points:+}" for name, points in scores.items())
        return Hint(FINE, tr("score: {worth}", worth=worth))


def _is_same_failure(one: Failure | None, other: Failure | None) -> bool:
    return one is not None and other is not None and str(one) == str(other)


def _matching_words(typed: str, words: Sequence[str]) -> list[str]:
    """Return the words that the typed text may mean.

    Words that equal the text are preferred, then words in which the part after a colon equals the
    text, then words that begin with the text (see `_words_starting`).
    """
    folded = typed.casefold()
    known = {word: word.casefold() for word in words}
    return (
        [word for word in words if known[word] == folded]
        or [word for word in words if known[word].partition(":")[2] == folded]
        or _words_starting(folded, words)
    )


def _words_starting(folded: str, words: Sequence[str]) -> list[str]:
    """Return the words that begin with the given text.

    If there are none, return the words in which the part after a colon begins with the text.
    """
    known = {word: word.casefold() for word in words}
    return [word for word in words if known[word].startswith(folded)] or [
        word for word in words if known[word].partition(":")[2].startswith(folded)
    ]
