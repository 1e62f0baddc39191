"""A match as it is taken from written rounds, and looked back on."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from scorekeeper.core.messages import ENGLISH, language, speaking
from scorekeeper.notation import WITHDRAWN, decision_in
from scorekeeper.play.aftermath import standing_after
from scorekeeper.play.fold import Fold
from scorekeeper.play.played import Played
from scorekeeper.play.reviewed import Reviewed, Told, Written
from scorekeeper.play.roster import notation_for, seated
from scorekeeper.play.round import Round
from scorekeeper.play.rounds import Rounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from scorekeeper.core.plain import Standing, Summary
    from scorekeeper.ruleset.compiled import Ruleset

STEPS = 200  # how many entries can be undone before a round is played again


class Taken(Rounds, Reviewed):
    """A match whose rounds are taken as they were written, and told again. `_steps` are the last
    round before each of the last entries; None where there was none."""

    def __init__(
        self,
        ruleset: Ruleset,
        players: Sequence[str],
        standing: Standing | None = None,
        number: int = 1,
        *,
        kept: bool = False,
    ) -> None:
        super().__init__(ruleset, players, standing, number, kept)
        self._steps: deque[Round | None] = deque(maxlen=STEPS)

    # --- written rounds

    def play_round(self, texts: Iterable[str], before: Standing | None = None) -> Played:
        """Take a whole written round, whatever stands in it. What is illegal and undecided is
        reported and stands, where the state allows; what is unreadable or impossible ends the
        round: what follows is kept, but does not count; after the end of the match nothing does.
        The findings, the late ones too, are in the round that is given back."""
        return self._play(list(texts), self.standing if before is None else before, None)

    def _play(
        self, texts: list[str], standing: Standing, steps: deque[Round | None] | None
    ) -> Played:
        number = self._number + len(self.rounds)
        fold = Fold(
            Round(self.ruleset, self._first, number, standing, gathering=True),
            notation_for(self.ruleset.lexicon, tuple(seated(standing, self._first))),
        )
        fold.take(texts, steps)
        self._steps.clear()
        self.rounds.append(fold.played)
        self._live, self._coming = fold.rnd, None
        return fold.played

    # --- looking back

    def replayed(self, played: Played) -> Round:
        """A round of this match as it stands at its end, played again from its entries."""
        if self._live is not None and played is self.rounds[-1]:
            return self._live
        alone = self.beside(played.before, played.number)
        alone.play_round(played.entries)
        return alone.live

    def before_entry(self, played: Played, entry: int) -> Self:
        """Another match with a round of this one alone, as it was before one of its entries."""
        alone = self.beside(played.before, played.number)
        if entry > 1:
            alone.play_round(played.entries[: entry - 1])
        return alone

    def opened(self, played: Played) -> Round:
        """A round of this match before its first entry."""
        return Round(self.ruleset, self._first, played.number, played.before)

    def told(self, played: Played) -> Told:
        """A round of this match to look back on."""
        from scorekeeper.play.summary import summarize  # only the end of a round needs it

        rnd = self.replayed(played)
        return Told(played.entries, summarize(rnd, played, standing_after(rnd)["over"]))

    def kept(self, played: Played) -> Told:
        """The same for whoever keeps it, in English whatever is spoken: what was found in a round
        has its sentences from when it was played, so it is played again."""
        if language() == ENGLISH:
            return self.told(played)
        with speaking(None):
            alone = self.beside(played.before, played.number)
            return alone.told(alone.play_round(played.entries))

    def review(self) -> Iterator[Told]:
        """Every round with its entries and what it came to."""
        return map(self.told, self.rounds)

    def summaries(self) -> Iterator[Summary]:
        """What every round came to, in order."""
        return (told.summary for told in self.review())

    def written(self) -> Iterator[Written]:
        """Every round as a record has it."""
        for played in self.rounds:
            dealer = seated(played.before, self._first)[played.before["dealer"]]
            yield Written(played.entries, dealer, played.scores)

    def score_sentences(self, played: Played) -> list[str]:
        """What the score of a round rests on, in sentences; while it goes on, what was decided of
        what was wrong in it."""
        from scorekeeper.play.remedied import sentences  # recording needs none

        return sentences(self.replayed(played)) if played.over or played.lines else []

    def begun_again(self) -> Self:
        """The same match before its first round here."""
        return self.beside(self._before, self._number)

    def beside(self, standing: Standing, number: int) -> Self:
        """Another match of these players under these rules, before a round; who sits there by then
        the standing says."""
        return type(self)(self.ruleset, self._first, standing, number, kept=True)

    def seen(self) -> Self:
        """The match as the table has seen it: hands that were entered are only counted. What was
        left by earlier rounds is known to all."""
        match = self.begun_again()
        for played in self.rounds:
            match.play_round(self.seen_of(played), played.before)
        return match

    def seen_of(self, played: Played, start: int = 0) -> list[str]:
        """The entries of a round, from one on, as the table has seen them, each in its place. What
        was taken back and cannot have been so by an entered hand is a note: nothing came of it."""
        texts, notation = played.entries[start:], self.notation_of(played)
        if any(decision_in(text) == WITHDRAWN for text in texts):
            doubted, say = self.replayed(played).log.doubted, notation.say("note")
            for at in [number for number in doubted if number > start]:
                texts[at - start - 1] = f"{say} it was taken back"
        return [notation.hide(text) for text in texts]
