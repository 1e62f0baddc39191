"""What stays open in a round because hands are unseen, what would settle it, and what was settled.

It reads a round and judges nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.hands import Claim
from scorekeeper.core.messages import listed, plural, tr
from scorekeeper.core.rulings import ILLEGAL, OPEN, Settled
from scorekeeper.play.findings import GROUP
from scorekeeper.play.round import MISRULED
from scorekeeper.ruleset.phase import TRICK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scorekeeper.core.hands import Question
    from scorekeeper.core.rulings import Finding
    from scorekeeper.play.round import Round

ABOUT_NO_ACT = (GROUP, MISRULED)  # open findings that are not about the entry they stand on
MOST_TOLD = 8
MOST = 3  # acts that were right, of those in one line


def open_findings(rnd: Round) -> list[tuple[int, Finding]]:
    """What nobody knows yet: numbers of entries, each with a finding that is open on it."""
    return [
        (number, finding)
        for number, finding in rnd.log.all_found()
        if finding.verdict == OPEN and finding.code not in ABOUT_NO_ACT
    ]


def open_entries(rnd: Round) -> list[int]:
    """The numbers of the entries of which something is open."""
    return sorted({number for number, _ in open_findings(rnd)})


def settled_entries(rnd: Round) -> list[int]:
    """The numbers of the entries of which something was open and nothing is."""
    log = rnd.log
    return sorted({act for act, _ in log.settled if _is_settled(log.found.get(act, ()))})


def _is_settled(findings: Iterable[Finding]) -> bool:
    return OPEN not in [finding.verdict for finding in findings]


def settled_in_trick(rnd: Round) -> tuple[Settled, ...]:
    """What was settled in the trick that the last entry completes; nothing if it completes none.
    Something was settled in the round."""
    log, number = rnd.log, rnd.number
    last = log.entries[-1]
    if last.verb.about != TRICK or not last.counts or not rnd.tricks:
        return ()
    first = _first_of_trick(rnd)
    if log.settled[-1][1] < first or _lies(rnd):
        return ()
    found: list[Settled] = []
    for act in sorted({act for act, by in log.settled if by >= first}):
        if _is_settled(log.found.get(act, ())):
            right = not _is_wrong(rnd, act)
            found.append(Settled(number, act, log.entries[act - 1].text, right))
    return tuple(found)


def _lies(rnd: Round) -> bool:
    return any(phase.describe(rnd).get("table") for phase in rnd.rules.phases.values())


def _first_of_trick(rnd: Round) -> int:
    """The number of the entry that led to the last trick that was played."""
    laid = next((len(trick.laid) for trick in reversed(rnd.tricks) if trick.laid), 0)
    number = len(rnd.log)
    for number in range(len(rnd.log), 0, -1):
        entry = rnd.log.entries[number - 1]
        laid -= entry.verb.about == TRICK and entry.counts
        if not laid:
            break
    return number


def ended_text(ended: Sequence[Settled], words: Callable[[str], str]) -> str:
    """What was settled in a trick, in one line: all that was wrong, and the first that were right;
    `words` say an entry."""
    wrong = [each for each in ended if not each.right]
    right = [each for each in ended if each.right]
    told = [
        tr(
            "{round}.{number} {entry} was wrong",
            round=each.round,
            number=each.number,
            entry=words(each.entry),
        )
        for each in wrong
    ]
    told += [
        tr(
            "{round}.{number} {entry} was right",
            round=each.round,
            number=each.number,
            entry=words(each.entry),
        )
        for each in right[:MOST]
    ]
    more = len(right) - MOST
    if more > 0:
        told.append(plural("{count} other was right", "{count} others were right", more))
    return tr("settled in this trick: {told}", told="; ".join(told))


def marked(rnd: Round, texts: Iterable[str]) -> list[str]:
    """What lies on the table, with a `?` after each act of which something is open."""
    doubtful = set(open_entries(rnd))
    if not doubtful:
        return list(texts)
    newest = {entry.text: at for at, entry in enumerate(rnd.log.entries, 1) if entry.counts}
    return [f"{text}?" if newest.get(text) in doubtful else text for text in texts]


def told_at_end(
    rnd: Round, words: Callable[[str], str] = str, told: Callable[[str], str] = str
) -> list[str]:
    """How a round that is over ends where hands were unseen: that every act was verified, or which
    are open still, and what would settle each. Nothing where nothing was ever open. `words` say
    an entry, `told` a sentence."""
    if not (rnd.over and rnd.log.was_open):
        return []
    left = open_findings(rnd)

    def at(number: int) -> str:
        return f"{number} ({words(rnd.log.entries[number - 1].text)})"

    if left:
        acts = len({number for number, _ in left})
        lines = [plural("{count} entry is open still:", "{count} entries are open still:", acts)]
        for number, finding in left[:MOST_TOLD]:
            lines.append(f"  {at(number)}: {told(what_settles(rnd, finding))}")
        if len(left) > MOST_TOLD:
            lines.append(f"  {tr('and {count} more', count=len(left) - MOST_TOLD)}")
        return lines + [f"  {told(finding.reason)}" for finding in _groups(rnd)]
    if not rnd.log.settled:
        return []
    settled = set(settled_entries(rnd))  # what was taken back is no play, but it was open
    wrong = [
        number
        for number, entry in enumerate(rnd.log.entries, 1)
        if (not entry.withdrawn or number in settled) and _is_wrong(rnd, number)
    ]
    if wrong:
        say = plural(
            "nothing is open: {entries} was wrong, every other play is verified",
            "nothing is open: {entries} were wrong, every other play is verified",
            len(wrong),
            entries=listed(list(map(at, wrong))),
        )
        return [say]
    return [tr("every play is verified")]


def _groups(rnd: Round) -> Iterator[Finding]:
    return (f for _, f in rnd.log.all_found() if f.code == GROUP and f.verdict == OPEN)


def _is_wrong(rnd: Round, number: int) -> bool:
    return any(finding.verdict == ILLEGAL for finding in rnd.log.found.get(number, ()))


def what_settles(rnd: Round, finding: Finding) -> str:
    """What an open finding hangs on, and which cards would settle it."""
    question = finding.claim
    if question is None:
        return tr("{reason}; nothing can settle that", reason=finding.reason)
    claims = list(_claims(question))
    if len(claims) == 1:
        asked = tr(
            "whether {who} had {cards}",
            who=rnd.names[claims[0].seat],
            cards=_asked(rnd, claims[0]),
        )
    else:
        names = listed(rnd.names_of(dict.fromkeys(claim.seat for claim in claims)))
        asked = tr("what {names} held ({source})", names=names, source=finding.source)
    return tr("{asked}: {cards} would tell", asked=asked, cards=_where(rnd, claims[0].seat))


def _claims(question: Question) -> Iterator[Claim]:
    if isinstance(question, Claim):
        yield question
        return
    for part in question.claims:
        yield from _claims(part)


def _asked(rnd: Round, claim: Claim) -> str:
    """How much of a set of cards a hand is asked for."""
    cards = rnd.set_name(claim.cards)
    if claim.least:
        return (
            cards
            if claim.least == 1
            else tr("at least {least} of {cards}", least=claim.least, cards=cards)
        )
    return tr("more than {most} of {cards}", most=claim.most, cards=cards) if claim.most else cards


def _where(rnd: Round, seat: int) -> str:
    """The cards that are unseen and were in a hand once."""
    hands, who = rnd.hands, rnd.names[seat]
    if hands.hidden[seat]:
        return tr("the cards that {who} laid aside", who=who)
    if hands.loose[seat]:
        return tr("the cards that {who} still holds", who=who)
    if hands.moved[seat]:
        return tr("the cards that came to {who}, or left them, unseen", who=who)
    return tr("the cards that nobody has seen")
