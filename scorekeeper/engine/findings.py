"""What the clauses say of an entry, what stays open, and what settles it later.

A finding never changes. One that stays open is kept with its claim; when a later entry decides the
claim, the finding is gone if the rule was kept, and a new one stands in its place if not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from scorekeeper.core.errors import Failure
from scorekeeper.core.expressions import ExpressionError, NotSeen
from scorekeeper.core.hands import Breach, Outcome, Unsure
from scorekeeper.core.messages import accounted_for, listed, mark, plural, tr
from scorekeeper.core.rulings import ILLEGAL, LEGAL, OPEN, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.open_claims import Proof
    from scorekeeper.core.types import Facts
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.rows import Clause
    from scorekeeper.notation import Entry

    # A finding that is open: the number of its entry (from 1), and the finding.
    Ref = tuple[int, Finding]


GROUP = "hands.group"
ONE_OF_THESE = mark("at least one of {told} was against a rule, and nobody knows which: {evidence}")
ONE_OF_ITS_RULES = mark("{told} was against one of these rules, {rules}: {evidence}")
UNRULED = mark("this rule cannot be applied: {message}")
UNSEEN = mark("nobody knows whether that is allowed: {message}")


def _cited(ref: Ref) -> str:
    """The rule that an open finding is about, as it stands in a sentence."""
    finding = ref[1]
    return f"{finding.code} ({finding.cite})" if finding.cite else finding.code


def findings_on(rnd: Round, entry: Entry) -> list[Finding]:
    """What the clauses say of an entry, in the ruleset's order."""
    found: list[Finding] = []
    for clause in rnd.rules.clauses_of.get(entry.verb.word, ()):
        try:
            outcome = clause.judge(rnd, entry)
        except NotSeen as error:
            outcome = Unsure({"message": error.message}, UNSEEN)
        except ExpressionError as error:
            outcome = Unsure({"message": error.message}, UNRULED)
        if outcome is not None:
            finding = _finding(rnd, entry, clause, outcome)
            if finding is not None:
                found.append(finding)
    if len(found) > 1 and not entry.decision and any(each.refuses for each in found):
        return [each for each in found if each.verdict != LEGAL]  # nothing comes of it to tell
    return found


def _finding(rnd: Round, entry: Entry, clause: Clause, outcome: Outcome) -> Finding | None:
    if outcome is None:
        return None
    facts = _named(rnd, entry, outcome.facts)
    if isinstance(outcome, Breach):
        return clause.finding(clause.word.verdict, facts, outcome.say)
    if isinstance(outcome, Unsure):
        return clause.finding(OPEN, facts, outcome.say)
    kept = rnd.hands.answer(outcome)
    if kept is True:
        return None
    if kept is False:
        return clause.finding(ILLEGAL, facts, outcome.say)
    return clause.finding(OPEN, facts, outcome.say, outcome)


def _named(rnd: Round, entry: Entry, facts: Facts) -> Facts:
    seat = entry.seat
    if "who" not in facts and seat is not None and seat >= 0:
        return {"who": rnd.names[seat], **facts}
    return facts


def broken(rnd: Round, entry: Entry) -> list[Finding]:
    """What the clauses prove to be wrong with an entry."""
    return [finding for finding in findings_on(rnd, entry) if finding.verdict == ILLEGAL]


def barred(rnd: Round, entry: Entry) -> bool:
    """Return whether a clause that asks no hand proves an entry to be against a rule: then
    every player knows it."""
    for clause in rnd.rules.clauses_of.get(entry.verb.word, ()):
        if clause.word.verdict != ILLEGAL or clause.word.unknown:
            continue
        try:
            if isinstance(clause.judge(rnd, entry), Breach):
                return True
        except ExpressionError:
            continue
    return False


def imply(rnd: Round, acts: Sequence[Entry]) -> Entry:
    """Which of these acts the entry that is happening tells of: one of them was done. The
    first that breaks no rule; if all do, the first, and what is wrong with it is a finding on
    the entry."""
    for act in acts:
        if not broken(rnd, act):
            return act
    seats = dict.fromkeys(act.seat for act in acts if act.seat is not None)
    said = {"who": tr(" or ").join(rnd.names_of(seats))} if seats else {}
    found = broken(rnd, acts[0])
    rnd.log.blame([each.but(each.verdict, {**each.facts, **said}) for each in found])
    return acts[0]


def may_gather(rnd: Round, fact: Entry) -> bool:
    """Whether an entry may be taken with others at once: nothing but itself says that no clause
    finds anything on it."""
    if not fact.verb.gathers or fact.decision:
        return False
    clauses = rnd.rules.clauses_of.get(fact.verb.word, ())
    if not clauses:
        return True
    try:
        return all(clause.word.alone for clause in clauses) and not findings_on(rnd, fact)
    except Failure:
        return False


def keep_open(rnd: Round, findings: Iterable[Finding]) -> bool:
    """Keep the claims of findings on the entry that was last written down; whether there were
    any."""
    claimed = False
    for finding in findings:
        claim, ref = finding.claim, (len(rnd.log), finding)
        if claim is None:
            continue
        claimed = True
        rnd.hands.ask(claim, ref, ref[0])
    return claimed


def settle(rnd: Round) -> list[Finding]:
    """Replace each open finding that the last entry decides: by one that the rule was broken,
    or by none. Gives the new ones on earlier entries, and those on several of them."""
    proven: list[Finding] = []
    now, regrouped = len(rnd.log), False
    for news in rnd.hands.decided():
        if news is None:
            regrouped = True
            continue
        ref, kept, proof = news
        number, finding = cast("Ref", ref)  # as `keep_open` gave it
        later = None if kept else finding.but(ILLEGAL)
        if later is not None and number != now:  # else its own cards prove it
            later = _proven(rnd, finding, number, proof)
            proven.append(later)
        rnd.log.settle(number, finding, later)
    return proven + _regroup(rnd) if regrouped else proven


def _regroup(rnd: Round) -> list[Finding]:
    """Tell of which entries one at least was against a rule, and nobody knows which; what was
    told of others counts no longer. Gives what is new."""
    clashes = cast("list[list[Ref]]", rnd.hands.clashing())
    found = {tuple(sorted({number for number, _ in clash})): clash for clash in clashes}
    for number, finding in [each for each in rnd.log.all_found() if each[1].code == GROUP]:
        told = tuple(finding.facts["entries"])
        if told in found:
            del found[told]
        else:
            rnd.log.settle(number, finding, None)
    groups: list[Finding] = []
    for numbers in sorted(found):
        group = _group(rnd, numbers, found[numbers])
        if len(numbers) == 1:
            rnd.log.blame_earlier(numbers[0], group)
        else:  # none of them is to be blamed
            rnd.log.blame([group])
        if list(numbers) != [len(rnd.log)]:  # else its own cards prove it
            groups.append(group)
    return groups


def _group(rnd: Round, numbers: Sequence[int], clash: list[Ref]) -> Finding:
    """What is found where one of several entries, or of several rules, was broken."""
    entries = [rnd.log.entries[number - 1] for number in numbers]
    seats = dict.fromkeys(entry.seat for entry in entries if entry.seat is not None)
    told = [f"{number} ({entry.text})" for number, entry in zip(numbers, entries, strict=True)]
    facts: Facts = {
        "entries": list(numbers),
        "plays": [entry.text for entry in entries],
        "who": rnd.names_of(seats),
        "rules": listed(list(dict.fromkeys(map(_cited, clash))), "or"),
        "told": listed(told),
        "evidence": among(len(rnd.log)),
    }
    if len(numbers) == 1:
        first, second = numbers[0], len(rnd.log)
        then, now = rnd.log.entries[first - 1].text, rnd.log.entries[-1].text
        facts |= {"first": first, "second": second, "then": then, "now": now}
        return Finding(GROUP, ILLEGAL, ONE_OF_ITS_RULES, facts)
    return Finding(GROUP, OPEN, ONE_OF_THESE, facts)


def _proven(rnd: Round, finding: Finding, first: int, proof: Proof) -> Finding:
    """The finding on an earlier entry that is proven to have broken a rule; it names both."""
    clause = rnd.rules.clauses[finding.code.partition(".")[2]]
    second, now = len(rnd.log), rnd.log.entries[-1].text
    facts: Facts = {
        **finding.facts,
        "entries": [first, second],
        "now": now,
        "then": rnd.log.entries[first - 1].text,
        "first": first,
        "second": second,
    }
    facts["evidence"] = (
        counted(proof, set_name(rnd, proof.mask), rnd.names[proof.seat], first, second)
        if proof.counted
        else shown(first, second, now)
    )
    breach = tr(clause.word.proven) or f"{tr(clause.say)} ({{first}}, {{then}})"
    return finding.but(ILLEGAL, facts, breach + ": {evidence}")


def set_name(rnd: Round, cards: int) -> str:
    """What a set of cards is called: by a phase, or one by one."""
    play, pack = rnd.rules.card_play, rnd.rules.pack
    name = "" if play is None else play.set_name(rnd, cards)
    if name:
        return name
    return tr(" or ").join(pack.kinds[kind] for kind in dict.fromkeys(pack.kinds_in(cards)))


# --- how a proof is told: by the card that shows it, or by counting
#
# A card that was shown convicts by itself, with the entry it contradicts. A proof by counting rests
# on every entry since, and on nobody's card in particular: it says what is accounted for.


def shown(first: int, second: int, text: str) -> str:
    """The evidence of entry `second` (its `text`) against entry `first`, with its doubt."""
    return tr(
        "{second} ({text}) shows it, unless {first} or {second} is mistyped",
        second=second,
        text=text,
        first=first,
    )


def counted(proof: Proof, cards: str, who: str, first: int, second: int) -> str:
    """The evidence by counting, complete with entry `second`, against entry `first` by `who`;
    `cards` is what the set is called."""
    if proof.together:
        return tr(
            "since entry {second} the cards that nobody has seen cannot lie so "
            "that it was allowed, unless one of the entries is mistyped",
            second=second,
        )
    known = _accounted(proof, cards, who)
    if proof.broken_above:
        held = tr("at least {count}", count=proof.least) if proof.least > 1 else tr("one")
    else:
        held = tr("at most {count}", count=proof.most) if proof.most else tr("none")
    return tr(
        "since entry {second} {known}, so {who} held {held} at {first}, unless "
        "one of the entries is mistyped",
        second=second,
        known=known,
        who=who,
        held=held,
        first=first,
    )


def _accounted(proof: Proof, cards: str, who: str) -> str:
    unseen = proof.inside + proof.outside
    if proof.loose == unseen or not (proof.broken_above or proof.inside):
        return accounted_for(proof.mask.bit_count(), cards)
    if proof.broken_above:
        few = plural("only {count} card is unseen", "only {count} cards are unseen", unseen)
        return plural(
            "{few}, {inside} of them {cards}, and {count} is {who}'s",
            "{few}, {inside} of them {cards}, and {count} are {who}'s",
            proof.loose,
            few=few,
            inside=proof.inside,
            cards=cards,
            who=who,
        )
    if not proof.loose:
        return tr("every card that {who} held is known", who=who)
    return tr("all but {count} of the cards that {who} held are known", count=proof.loose, who=who)


def among(second: int) -> str:
    """The evidence, complete with entry `second`, that of several entries one broke a rule."""
    return tr(
        "since entry {second} the cards that nobody has seen cannot lie so "
        "that all of them were allowed, unless one of the entries is mistyped",
        second=second,
    )
