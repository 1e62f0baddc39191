"""A match as it is taken from written rounds, and looked back on."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from scorekeeper.core.messages import ENGLISH, language, speaking
from scorekeeper.notation import WITHDRAWN, decision_in
from scorekeeper.play.aftermath import standing_after
from scorekeeper.play.fold import Fold
from scorekeeper.play.hidden import hidden
from scorekeeper.play.played import Played
from scorekeeper.play.public import (
    Public,
    Seen,
    announced,
    as_told,
    folded,
    heard,
    is_beyond,
    reconciled,
    seen_texts,
)
from scorekeeper.play.reviewed import Reviewed, Told, Written
from scorekeeper.play.roster import notation_for, seated
from scorekeeper.play.round import Round
from scorekeeper.play.rounds import Rounds
from scorekeeper.ruleset.decisions import Heard

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from scorekeeper.core.types import Standing, Summary
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
        from scorekeeper.play.remedied import decided_later, sentences  # recording needs none

        if not (played.over or played.lines):
            return []
        rnd = self.replayed(played)
        after = [each for each in self.rounds if each.number == played.number + 1]
        later = [text for each in after for text in decided_later(rnd, self.replayed(each))]
        return [*later, *sentences(rnd)]

    @property
    def first(self) -> int:
        """The number of its first round here."""
        return self._number

    @property
    def began(self) -> Standing:
        """The standing before its first round here."""
        return self._before

    def begun_again(self) -> Self:
        """The same match before its first round here."""
        return self.beside(self._before, self._number)

    def beside(self, standing: Standing, number: int) -> Self:
        """Another match of these players under these rules, before a round; who sits there by then
        the standing says."""
        return type(self)(self.ruleset, self._first, standing, number, kept=True)

    # --- as the table has seen it

    def seen(self, before: Standing | None = None) -> Self:
        """The match as the table has seen it: hands that were entered are only counted. What was
        announced of rounds that are over is known to all; `before` is what the table knows of the
        standing with which it begins here."""
        if before is None:
            before = as_told(self._before, self.ruleset, self.known_notation)
        match = self.beside(before, self._number)
        for public in self.publicly():
            match.take_seen(public)
        return match

    def take_seen(self, public: Public) -> Seen:
        """Take the next round by what everybody knows of it."""
        number = self._number + len(self.rounds)
        seen = folded(Round(self.ruleset, self._first, number, self.standing), public)
        self._steps.clear()
        self.rounds.append(seen.played)
        self._live, self._coming, self._seen = seen.rnd, None, seen
        return seen

    def listen(self, public: Public) -> None:
        """Take in what the referee has told may be claimed in the last round, before the entries
        are recorded with which it was told."""
        if self._live is not None:
            self._live.decisions.heard = public.heard

    def hear(self, public: Public) -> bool:
        """Take in what everybody knows of the last round, whose entries were all taken here; False
        where it contradicts them."""
        live = self._live
        if live is None or is_beyond(live, public):
            return False
        self._seen = heard(Seen(live, self.rounds[-1], public.texts, 0, None), public)
        self._coming = None
        return True

    def publicly(self) -> Iterator[Public]:
        """What everybody knows of each round."""
        return map(self.public, self.rounds, range(len(self.rounds)))

    def public(self, played: Played, at: int = -1) -> Public:
        """What everybody knows of a round of this match, the last one unless `at` says which."""
        notation = self.notation_of(played)
        texts = seen_texts(played, notation, lambda: self._begun_publicly(played))
        last = at in (-1, len(self.rounds) - 1)
        # Of a round that was never over nothing was announced, whatever followed it.
        if not self.finished if last else not played.over:
            return Public(texts, None, played.windows)
        left = self.standing if last else self.rounds[at + 1].before
        standing = as_told(left, self.ruleset, self.known_notation)
        return Public(texts, announced(played, standing), played.windows)

    def _begun_publicly(self, played: Played) -> Round:
        """A round of this match before its first entry, on what everybody knows."""
        before = as_told(played.before, self.ruleset, self.known_notation)
        begun = Round(self.ruleset, self._first, played.number, before)
        begun.decisions.heard = Heard(played.windows, len(played.entries))
        return begun

    def seen_of(self, played: Played) -> list[str]:
        """The entries of a round as the table has seen them, each in its place. What was taken
        back and leaves no room for what came later is a note: nothing came of it."""
        notation = self.notation_of(played)
        texts = [hidden(text, notation) for text in played.entries]
        if not any(decision_in(text) == WITHDRAWN for text in texts):
            return texts
        fresh = Round(self.ruleset, self._first, played.number, played.before)
        return reconciled(fresh, texts)
