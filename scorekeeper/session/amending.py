"""An amendment as a line of the live table: `amend 2.5 --before Ben: QC`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core.failures import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.tuples import NamedTuple
from scorekeeper.play.amending import read_place

if TYPE_CHECKING:
    from scorekeeper.notation.speech import Speech
    from scorekeeper.play.amending import Account
    from scorekeeper.play.match import Match
    from scorekeeper.store.desk import Desk

WORD = "amend"
USAGE = mark("amend [ROUND.]N ENTRY puts an entry right; with --before, --remove, --yes")
_QUOTED = re.compile(r"""(?<!\S)(["'])(.+?)\1(?=[\s,;]|$)""")
OPTIONS = ("--before", "--remove", "--yes")


class Wanted(NamedTuple):
    """What somebody wants amended, `texts` as typed; `yes`: whatever no longer stands."""

    round: int
    entry: int
    texts: list[str]
    before: bool
    yes: bool

    def done(self, desk: Desk, language: str) -> Account:
        """What it comes to at the desk of the match; `language`: in whose letters it was typed."""
        return desk.amend(
            self.round,
            self.entry,
            *self.texts,
            before=self.before,
            agree=lambda found: self.yes or not found.breaks,
            language=language,
        )


def read_wanted(match: Match, line: str, speech: Speech) -> Wanted:
    """What a line that begins with the word says. Raises Unreadable."""
    words = line.split()[1:]
    options = {word for word in words if word in OPTIONS}
    words = [word for word in words if word not in OPTIONS]
    if not words:
        raise Unreadable(tr("which entry?"), tr(USAGE))
    number, entry = read_place(match, words[0])
    texts = _entries(" ".join(words[1:]), speech)
    if bool(texts) == ("--remove" in options) or {"--before", "--remove"} <= options:
        raise Unreadable(tr("an entry is taken out, or something stands in its place"), tr(USAGE))
    return Wanted(number, entry, texts, "--before" in options, "--yes" in options)


def _entries(text: str, speech: Speech) -> list[str]:
    """The entries of a text; quotes part them, as where the command is typed."""
    pieces: list[str] = []
    at = 0
    for quoted in _QUOTED.finditer(text):
        pieces += [text[at : quoted.start()], quoted[2]]
        at = quoted.end()
    return [entry for piece in [*pieces, text[at:]] for entry in speech.split(piece)]
