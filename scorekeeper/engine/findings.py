"""Findings that the clauses make about an entry, and how later entries settle them.

A finding is immutable. An open finding is stored with its claim. When a later entry decides the
claim, the finding is removed if the rule was obeyed, and replaced if it was broken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from scorekeeper.core.errors import Failure
from scorekeeper.core.expressions import ExpressionError, NotYetKnown
from scorekeeper.core.hands import Breach, Outcome, Unsure
from scorekeeper.core.messages import N_, format_accounted_for, join_list, plural, tr
from scorekeeper.core.rulings import ILLEGAL, LEGAL, OPEN, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.open_claims import Proof
    from scorekeeper.core.types import Facts
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.rows import Clause
    from scorekeeper.notation import Entry

    # The number of an entry (from 1), and an open finding about it.
    Ref = tuple[int, Finding]


GROUP = "hands.group"
ONE_ENTRY_WRONG = N_(
    "at least one of the entries {told} broke a rule, but it is not known which one: {evidence}"
)
ONE_RULE_BROKEN = N_("{told} broke one of the following rules: {rules}; {evidence}")
NOT_APPLICABLE = N_("this rule cannot be applied: {message}")
NOT_KNOWN = N_("it is not known whether that is allowed: {message}")


def _card_text(ref: Ref) -> str:
    """Return the code of an open finding, with its citation if there is one."""
    finding = ref[1]
    return f"{finding.code} ({finding.cite})" if finding.cite else finding.code


def findings_on(rnd: Round, entry: Entry) -> list[Finding]:
    """Return the findings that the clauses make about an entry, in the ruleset's order."""
    findings: list[Finding] = []
    for clause in rnd.rules.clauses_of.get(entry.type.word, ()):
        try:
            outcome = clause.judge(rnd, entry)
        except NotYetKnown as error:
            outcome = Unsure({"message": error.message}, NOT_KNOWN)
        except ExpressionError as error:
            outcome = Unsure({"message": error.message}, NOT_APPLICABLE)
        if outcome is not None:
            finding = _finding(rnd, entry, clause, outcome)
            if finding is not None:
                findings.append(finding)
    if len(findings) > 1 and not entry.decision and any(each.refuses for each in findings):
        # A refused entry has no effect, so notes about it are dropped.
        return [each for each in findings if each.verdict != LEGAL]
    return findings


def _finding(rnd: Round, entry: Entry, clause: Clause, outcome: Outcome) -> Finding | None:
    if outcome is None:
        return None
    facts = _with_names(rnd, entry, outcome.facts)
    if isinstance(outcome, Breach):
        return clause.finding(clause.word.verdict, facts, outcome.say)
    if isinstance(outcome, Unsure):
        return clause.finding(OPEN, facts, outcome.say)
    obeyed = rnd.hands.answer(outcome)
    if obeyed is True:
        return None
    if obeyed is False:
        return clause.finding(ILLEGAL, facts, outcome.say)
    return clause.finding(OPEN, facts, outcome.say, outcome)


def _with_names(rnd: Round, entry: Entry, facts: Facts) -> Facts:
    seat = entry.seat
    if "who" not in facts and seat is not None and seat >= 0:
        return {"who": rnd.names[seat], **facts}
    return facts


def broken_rules(rnd: Round, entry: Entry) -> list[Finding]:
    """Return the findings that prove that an entry is illegal."""
    return [finding for finding in findings_on(rnd, entry) if finding.verdict == ILLEGAL]


def barred_rules(rnd: Round, entry: Entry) -> bool:
    """Return whether the entry breaks a rule that does not depend on any hand.

    In that case, every player knows that the entry is illegal.
    """
    for clause in rnd.rules.clauses_of.get(entry.type.word, ()):
        if clause.word.verdict != ILLEGAL or clause.word.unknown:
            continue
        try:
            if isinstance(clause.judge(rnd, entry), Breach):
                return True
        except ExpressionError:
            continue
    return False


def infer_act(rnd: Round, acts: Sequence[Entry]) -> Entry:
    """Return the act that the current entry implies, chosen from `acts`.

    Return the first act that breaks no rule. If every act breaks a rule, return the first one, and
    attach its findings to the entry.
    """
    for act in acts:
        if not broken_rules(rnd, act):
            return act
    seats = dict.fromkeys(act.seat for act in acts if act.seat is not None)
    who = {"who": tr(" or ").join(rnd.names_of(seats))} if seats else {}
    findings = broken_rules(rnd, acts[0])
    rnd.log.attach_findings(
        [each.with_verdict(each.verdict, {**each.facts, **who}) for each in findings]
    )
    return acts[0]


def may_gather(rnd: Round, fact: Entry) -> bool:
    """Return whether a fact can be applied together with others.

    The fact must have no findings, and its clauses must not depend on the other facts.
    """
    if not fact.type.can_batch or fact.decision:
        return False
    clauses = rnd.rules.clauses_of.get(fact.type.word, ())
    if not clauses:
        return True
    try:
        return all(clause.word.self_contained for clause in clauses) and not findings_on(rnd, fact)
    except Failure:
        return False


def keep_open(rnd: Round, findings: Iterable[Finding]) -> bool:
    """Store the claims of the last entry's findings, and return whether there were any."""
    claimed = False
    for finding in findings:
        claim, ref = finding.claim, (len(rnd.log), finding)
        if claim is None:
            continue
        claimed = True
        rnd.hands.ask(claim, ref, ref[0])
    return claimed


def settle(rnd: Round) -> list[Finding]:
    """Settle the open findings that the last entry decides.

    Return the new findings about earlier entries and about groups of entries.
    """
    proven: list[Finding] = []
    now, regrouped = len(rnd.log), False
    for decision in rnd.hands.take_decisions():
        if decision is None:
            regrouped = True
            continue
        ref, obeyed, proof = decision
        number, finding = cast("Ref", ref)  # set by `keep_open`
        later = None if obeyed else _broken(rnd, finding)
        if later is not None and number != now:  # the finding is about an earlier entry
            later = _proven_finding(rnd, finding, number, proof)
            proven.append(later)
        rnd.log.settle(number, finding, later)
    return proven + _group_again(rnd) if regrouped else proven


def _group_again(rnd: Round) -> list[Finding]:
    """Return new findings for the groups of entries in which at least one entry broke a rule.

    Findings about groups that no longer exist are removed.
    """
    clashes = cast("list[list[Ref]]", rnd.hands.list_clashes())
    clashing = {tuple(sorted({number for number, _ in clash})): clash for clash in clashes}
    for number, finding in [each for each in rnd.log.all_findings() if each[1].code == GROUP]:
        reported = tuple(finding.facts["entries"])
        if reported in clashing:
            del clashing[reported]
        else:
            rnd.log.settle(number, finding, None)
    groups: list[Finding] = []
    for numbers in sorted(clashing):
        group = _group(rnd, numbers, clashing[numbers])
        if len(numbers) == 1:
            rnd.log.attach_earlier(numbers[0], group)
        else:  # it is not known which entry is wrong
            rnd.log.attach_findings([group])
        if list(numbers) != [len(rnd.log)]:  # the finding is about an earlier entry
            groups.append(group)
    return groups


def _group(rnd: Round, numbers: Sequence[int], clash: list[Ref]) -> Finding:
    """Return the finding that at least one of several entries broke a rule.

    If there is only one entry, the finding is that it broke one of several rules.
    """
    entries = [rnd.log.entries[number - 1] for number in numbers]
    seats = dict.fromkeys(entry.seat for entry in entries if entry.seat is not None)
    texts = [f"{number} ({entry.text})" for number, entry in zip(numbers, entries, strict=True)]
    facts: Facts = {
        "entries": list(numbers),
        "plays": [entry.text for entry in entries],
        "who": rnd.names_of(seats),
        "rules": join_list(list(dict.fromkeys(map(_card_text, clash))), "or"),
        "told": join_list(texts),
        "evidence": second_places(len(rnd.log)),
    }
    if len(numbers) == 1:
        first, second = numbers[0], len(rnd.log)
        then, now = rnd.log.entries[first - 1].text, rnd.log.entries[-1].text
        facts |= {"first": first, "second": second, "then": then, "now": now}
        return Finding(GROUP, ILLEGAL, ONE_RULE_BROKEN, facts)
    return Finding(GROUP, OPEN, ONE_ENTRY_WRONG, facts)


def _broken(rnd: Round, finding: Finding) -> Finding:
    """Return the finding that replaces an open finding once it is certain that the rule was
    broken."""
    clause = rnd.rules.clauses[finding.code.partition(".")[2]]
    if finding.say == clause.translate(clause.word.unknown):
        return finding.with_verdict(ILLEGAL, say=clause.translate(clause.say))
    return finding.with_verdict(ILLEGAL)


def _proven_finding(rnd: Round, finding: Finding, first: int, proof: Proof) -> Finding:
    """Return a finding which states that the last entry proves an earlier one illegal."""
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
        evidence_by_count(
            proof, name_of_cards(rnd, proof.mask), rnd.names[proof.seat], first, second
        )
        if proof.by_counting
        else evidence_by_card(first, second, now)
    )
    breach = tr(clause.word.proven) or f"{tr(clause.say)} ({{first}}, {{then}})"
    return finding.with_verdict(ILLEGAL, facts, breach + ": {evidence}")


def name_of_cards(rnd: Round, cards: int) -> str:
    """Return the name that a phase has for a set of cards, or a list of the cards."""
    play, pack = rnd.rules.card_play, rnd.rules.pack
    name = "" if play is None else play.set_name(rnd, cards)
    if name:
        return name
    return tr(" or ").join(pack.kinds[kind] for kind in dict.fromkeys(pack.kinds_in(cards)))


# --- evidence: by a card that was shown, or by counting
#
# A shown card is evidence against the entry that it contradicts. A proof by counting depends on all
# later entries, not on a single card, so its text lists the known facts.


def evidence_by_card(first: int, second: int, text: str) -> str:
    """Return a text that explains how entry `second` proves entry `first` wrong.

    `text` is the text of entry `second`.
    """
    return tr(
        "entry {second} ({text}) proves this, unless {first} or {second} is mistyped",
        second=second,
        text=text,
        first=first,
    )


def evidence_by_count(proof: Proof, cards: str, who: str, first: int, second: int) -> str:
    """Return a text that explains how counting up to entry `second` proves entry `first` wrong.

    `who` made entry `first`, and `cards` is the name of the set of cards that were counted.
    """
    if proof.by_clash:
        return tr(
            "after entry {second}, the unseen cards can no longer be distributed so that this "
            "entry was legal, unless an entry was mistyped",
            second=second,
        )
    known = _all_copies(proof, cards, who)
    if proof.has_too_many:
        held = tr("at least {count}", count=proof.least) if proof.least > 1 else tr("one")
    else:
        held = tr("at most {count}", count=proof.most) if proof.most else tr("none")
    return tr(
        "after entry {second}, {known}, so {who} held {held} at entry {first}, unless an entry "
        "was mistyped",
        second=second,
        known=known,
        who=who,
        held=held,
        first=first,
    )


def _all_copies(proof: Proof, cards: str, who: str) -> str:
    unseen = proof.inside + proof.outside
    if proof.unknown_count == unseen or not (proof.has_too_many or proof.inside):
        return format_accounted_for(proof.mask.bit_count(), cards)
    if proof.has_too_many:
        few = plural("only {count} card is unseen", "only {count} cards are unseen", unseen)
        return tr(
            "{few}, {inside} of them {cards}; {who} holds {count} of the unseen cards",
            count=proof.unknown_count,
            few=few,
            inside=proof.inside,
            cards=cards,
            who=who,
        )
    if not proof.unknown_count:
        return tr("every card that {who} held is known", who=who)
    return tr(
        "all but {count} of the cards that {who} held are known", count=proof.unknown_count, who=who
    )


def second_places(second: int) -> str:
    """Return a text that explains why one of several entries must be wrong, as of entry
    `second`."""
    return tr(
        "after entry {second}, the unseen cards can no longer be distributed so that all of these "
        "entries were legal, unless an entry was mistyped",
        second=second,
    )
