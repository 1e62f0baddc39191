"""A round's result, asked for field by field. The words come from the rules."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scorekeeper.cli.common import talk
from scorekeeper.core.failures import Failure, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.notation.syntax import clean

if TYPE_CHECKING:
    from scorekeeper.notation.speech import Speech
    from scorekeeper.play.match import Match


def asked_result(match: Match, speech: Speech) -> str | None:
    """The `result` entry that the answers make, or None if the table thinks better of it. Asked
    again until the rules accept it; without a terminal each line of standard input is an
    answer, and the first refusal raises."""
    prompting = sys.stdin.isatty()
    while True:
        text = f"result {' '.join(_answers(match))}".strip()
        try:
            kept = speech.canonical(text)
            ruling = match.judge(kept)
        except Failure as failure:
            if not prompting:
                raise
            talk(tr("{reason}; once more", reason=speech.failure(failure)))
            continue
        talk(speech.told(ruling.text))
        talk(_worth(match, kept))
        if not prompting:
            return text
        talk(tr("store it? [Y/n]"))
        return None if _line().lower() in ("n", "no") else text


def _answers(match: Match) -> list[str]:
    rnd = match.now
    fields = rnd.rules.concluding.fields(rnd)
    if not fields:
        raise Unreadable(tr("a round of this game has no result of its own"))
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
