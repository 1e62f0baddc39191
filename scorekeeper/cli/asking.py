"""A round's result, asked for field by field. The words come from the rules."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scorekeeper.cli.common import talk
from scorekeeper.cli.speaking import agrees, disagrees
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.notation.syntax import clean
from scorekeeper.session.commands import command_of

if TYPE_CHECKING:
    from scorekeeper.notation.translation import Speech
    from scorekeeper.play.match import Match


def asked_result(match: Match, speech: Speech) -> str | None:
    """The `result` entry that the answers make, or None if the table thinks better of it. On a
    terminal a field is asked again until its answer may be; without one each line of standard
    input is an answer, and the first refusal raises."""
    if not match.now.rules.concluding.fields(match.now):
        raise Unreadable(tr("a round of this game has no result of its own"))
    if sys.stdin.isatty():
        return _filled_in(match, speech)
    text = f"result {' '.join(_answers(match))}".strip()
    kept = speech.canonical(text)
    talk(speech.told(match.judge(kept).text))
    talk(_worth(match, kept))
    return text


def _filled_in(match: Match, speech: Speech) -> str | None:
    from scorekeeper.session.form import Form
    from scorekeeper.session.judging import REFUSED

    form = Form(match, speech)
    while True:
        while not form.done:
            talk(form.question)
            if not form.take(_typed()):
                talk(tr("nothing was stored"))
                return None
            if form.wrong:
                talk(form.wrong)
        hint = form.preview()
        talk(f"{form.text}: {hint.text}")
        if hint.kind == REFUSED:
            form.ask_again()
            continue
        if _is_meant():
            return form.text
        talk(tr("nothing was stored"))
        return None


def _is_meant() -> bool:
    """Whether the result is to be stored; asked again until somebody says so, or not."""
    while True:
        talk(tr("store it? [Y/n]"))
        said = _typed()
        if agrees(said, default=True):
            return True
        if disagrees(said) or command_of(said.casefold()) == "quit":
            return False


def _typed() -> str:
    """A line that is edited where the system can."""
    sys.stdout.flush()
    try:
        return input("> ").strip()
    except EOFError:
        return "quit"


def _answers(match: Match) -> list[str]:
    rnd = match.now
    fields = rnd.rules.concluding.fields(rnd)
    answers: list[str] = []
    for key, what, words in fields:
        said = f"{what} ({', '.join(words)})" if words else what
        talk(tr("{key}: {what}; empty to leave out", key=key, what=said))
        answer = clean(_line())
        if answer:
            answers.append(f"{key}={answer}" if answer != key else key)
    return answers


def _line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise Unreadable(tr("the answers ended before the result was complete"))
    return line.strip()


def _worth(match: Match, text: str) -> str:
    """What the round would be worth."""
    trial = match.beside(match.now.began, match.now.number)
    played = trial.play_round([logged.entry.text for logged in match.now.log] + [text])
    if played.scores is None:
        return tr("worth: no score")
    scores = ", ".join(f"{name} {points:+}" for name, points in played.scores.items())
    return tr("worth: {scores}", scores=scores)
