"""What a live match shows, as values: how it stands, what may be typed, what is told when asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.play.hidden import hidden
from scorekeeper.session import judging, telling
from scorekeeper.session.completing import Completer, Completion
from scorekeeper.session.faults import Faults, claim_words
from scorekeeper.session.form import Form
from scorekeeper.session.helping import game_lines, other_forms, other_words
from scorekeeper.session.judging import Hint
from scorekeeper.session.seen import View
from scorekeeper.session.unsaid import shortest_result

if TYPE_CHECKING:
    from scorekeeper.core.rulings import Ruling
    from scorekeeper.play.match import Match
    from scorekeeper.play.round import Round
    from scorekeeper.session.telling import Screen
    from scorekeeper.store.desk import Desk


MOST_EXAMPLES = 4


class Looking:
    """A match on the table as somebody looks at it. `ruling` is the last one given; `changes`
    counts what changed the screen."""

    def __init__(self, desk: Desk, language: str = "") -> None:
        self.desk = desk
        self.ruling: Ruling | None = None
        self.changes = 0
        self._view = View(desk)
        self._words = language
        self._hinted: tuple[tuple[int, str], Hint] | None = None
        self._shown: tuple[int, Screen] | None = None
        self._faults: tuple[int, Faults] | None = None
        self._examples: tuple[int, list[str]] | None = None
        self._listen()

    def _listen(self) -> None:
        """Take in the language of the match."""
        self.speech = self.desk.speech(self._words)
        self._completer = Completer(self.speech)

    # --- what stands

    @property
    def match(self) -> Match:
        """The match from its live round on, as it was recorded."""
        return self.desk.match

    @property
    def seen(self) -> Match:
        """The same as the table has seen it."""
        return self._view.of(self.match)

    @property
    def label(self) -> str:
        """Which match that is."""
        return tr(
            "match {id}: {title}",
            id=self.desk.id,
            title=self.desk.ruleset.said(self.desk.ruleset.title),
        )

    def screen(self) -> Screen:
        """The table as it stands, by what has been seen."""
        if self._shown is None or self._shown[0] != self.changes:
            shown = telling.screen(self.seen, self.faults, playing=True)
            self._shown = (self.changes, shown.told(self.speech.told))
        return self._shown[1]

    @property
    def faults(self) -> Faults:
        """What may still be claimed or weighed, and what it would cost, by what has been seen."""
        if self._faults is None or self._faults[0] != self.changes:
            self._faults = (self.changes, Faults(self.seen, self.seen, self.speech))
        return self._faults[1]

    # --- while typing

    def complete(self, line: str) -> list[Completion]:
        """What may stand at the end of the line."""
        return self._completer.complete(self.seen, line, self.faults.offered(line))

    def _begins(self, line: str) -> list[str]:
        return self._completer.begins(self.seen, line, self.faults.offered(line))

    def hint(self, line: str) -> Hint:
        """What would become of the line; nothing is recorded."""
        line = self.faults.whole(line)
        key = (self.changes, line)
        if self._hinted is None or self._hinted[0] != key:
            self._hinted = (key, self._hint(line))
        return self._hinted[1]

    def _hint(self, line: str) -> Hint:
        try:
            texts = judging.entries_of(self.seen, line, self.speech)
        except Unreadable as failure:
            return Hint(judging.FAILED, str(failure))
        if not texts:
            return Hint(judging.PLAIN, "")
        begun = [] if line[-1:] in ",;" else self._begins(line)
        hint = judging.hint_on(self.seen, texts, begun, self.speech)
        word = "" if begun or hint.kind != judging.FAILED else self._completer.word(line)
        if word:
            return Hint(
                judging.WARNED, tr("{word}: not now; {turn}", word=word, turn=self.screen().turn)
            )
        return hint

    # --- what is told when asked

    def help(self) -> list[str]:
        """What may be typed in this game now."""
        examples = self.examples(MOST_EXAMPLES)
        turn, now = self.screen().turn, self._now
        return [*game_lines(self.speech, turn, examples, self._result(), now)]

    def _result(self) -> str:
        """A result that this table could enter now, as short as it may be typed."""
        now = self._now
        if now is None or now.acted or not now.rules.concluding.fields(now):
            return ""
        from scorekeeper.play.result_line import result_line

        whole = self.speech.spoken(result_line(self.seen))
        return shortest_result(now, whole, self.speech.own) if whole else ""

    def other_words(self) -> str:
        """The words for what else may be said in this game."""
        return other_words(self.speech, self._now)

    def other_forms(self) -> str:
        """What else may be typed in this game."""
        return other_forms(self.speech, self._now)

    @property
    def _now(self) -> Round | None:
        """The round that the next act belongs to."""
        return None if self.seen.over else self.seen.now

    def examples(self, most: int) -> list[str]:
        """Entries of different kinds that would be taken now, as people here type them."""
        if self._examples is None or self._examples[0] != self.changes:
            self._examples = (self.changes, self._completer.examples(self.seen, MOST_EXAMPLES))
        return self._examples[1][:most]

    def claim_words(self) -> list[str]:
        """What may be typed when something was wrong."""
        return claim_words(self.desk.ruleset, self.speech)

    def last(self) -> list[str]:
        """The last trick, bout or bids."""
        return [self.speech.told(line) for line in telling.last_lines(self.seen)]

    def score(self) -> list[str]:
        """The sheet so far."""
        try:
            return telling.score_lines(self.desk, self.seen)
        except Failure as failure:
            return [str(failure)]

    def explain(self) -> list[str]:
        """The last ruling, with the rule's own paragraph."""
        return telling.explained(self.seen, self.ruling, self.speech)

    def form(self) -> Form:
        """A form for the round's result. Raises Impossible where there is none."""
        return Form(self.seen, self.speech)

    def _hidden(self, kept: str) -> str:
        """An entry as the table has seen it."""
        return hidden(kept, self.match.known_notation)

    def _seen_text(self, kept: str) -> str:
        """The same, in the match's language."""
        return self.speech.spoken(self._hidden(kept))
