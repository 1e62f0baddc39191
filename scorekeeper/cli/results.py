"""What is told of a result that was not accepted: one that would be, with these players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.cli.common import failure_lines
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr

if TYPE_CHECKING:
    from scorekeeper.core.errors import Failure
    from scorekeeper.notation.translation import Speech
    from scorekeeper.play.match import Match


def failed_lines(failure: Failure, match: Match, speech: Speech, typed: str) -> list[str]:
    """A failure for people: what is wrong, and what to try; of a result, one that would do."""
    message, *hint = failure_lines(failure, speech)
    readable, found = _in_its_place(match, speech, typed)
    if not found:
        return [message, *hint]
    if hint and readable:
        return [message, tr("{hint}; such as {entry}", hint=hint[0], entry=found)]
    return [message, tr("  try: {hint}", hint=found)]


def refused_lines(match: Match, speech: Speech, typed: str) -> list[str]:
    """What to type in place of a result that is against a rule; nothing for another entry."""
    found = _in_its_place(match, speech, typed)[1]
    return [tr("  try: {hint}", hint=found)] if found else []


def _in_its_place(match: Match, speech: Speech, typed: str) -> tuple[bool, str]:
    """Whether that can be read; and, where it is a result, one that would be accepted, "" where
    none is found."""
    from scorekeeper.play.result_line import RESULT, result_line

    readable, said = True, typed
    try:
        word = speech.own.read(typed).verb.word
        said = speech.canonical(typed)
    except Unreadable:
        readable, word = False, speech.own.opening(typed)[0]
    return readable, speech.spoken(result_line(match, said)) if word == RESULT else ""
