"""The state of a match as JSON, the known cards of each hand, and the findings of rounds.

These functions read rounds or stored summaries and do not judge entries. A finding is open as long
as it depends on unseen cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.hands import Claim
from scorekeeper.core.messages import N_, join_list, plural, tr
from scorekeeper.core.rulings import ILLEGAL, LEGAL, NOTE, OPEN, Finding, SettledAct
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.findings import GROUP, name_of_cards
from scorekeeper.engine.phase import TRICK
from scorekeeper.engine.round import RULESET_ERROR
from scorekeeper.match.remedies import (
    REMEDY_PREFIX,
    add_costs,
    fault_decision,
    faults_of,
    find_fault,
    latest_faults,
)
from scorekeeper.notation import WITHDRAWN, find_decision
from scorekeeper.ruleset.orders import TRUMP_NAME, suit_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.hands import Question
    from scorekeeper.core.types import Json, Summary
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.remedies import FaultKey
    from scorekeeper.match.view import ReviewedRound

    # takes a set of cards; returns the minimum and maximum number of these cards in one place
    Bounds = Callable[[int], tuple[int, int]]

HIDDEN_HAND_TEXT = N_("this depends on a hand that was entered but not shown")
TRUMPS = N_("trumps")
ROUND_CODES = (GROUP, RULESET_ERROR)  # codes of open findings that do not belong to a single entry
MAX_LISTED = 8
MAX_RIGHT = 3  # number of correct acts listed in one line
# The verbs of entries that record a decision of the table.
TABLE_VERBS = ("penalty", "foul", "void")
TABLE_PREFIX = "decided."  # the prefix of finding codes for decisions of the table
PROVEN = "proven"  # the kind of a proven finding on which the table has not decided


# --- current state of the table


def describe(rnd: Round, coming: Round | None, to_act: list[str], scores: dict[str, int]) -> Json:
    """Return the state of a match, computed from all its entries. `rnd` is the round to display.

    Its keys are `round phase to_act over scores bindings sides table talon players owed`, and
    `faults` if the ruleset has remedies. `coming` is the round to which the next act belongs, or
    None after the end of the match.
    """
    parts = _parts(rnd)
    if rnd.over and coming is not None:
        parts["owed"] = _parts(coming).get("owed", [])
    phase = rnd.phase
    state: Json = {
        "round": rnd.number,
        "phase": phase.name if phase is not None else None,
        "to_act": to_act,
        "over": coming is None,
        "scores": scores,
        "bindings": parts.get("bindings", {}),
        "sides": parts.get("sides") or rnd.seating.seated_sides(),
        "table": parts.get("table", []),
        "talon": parts.get("talon"),
        "players": _players(rnd, parts.get("players", {})),
        "owed": parts.get("owed", []),
    }
    if "faults" in parts:
        state["faults"] = add_costs(rnd, parts["faults"])
    return state


def describe_bare(
    rnd: Round, is_match_over: bool, to_act: list[str], scores: dict[str, int]
) -> Json:
    """Return the state of a match without details that the public cannot know."""
    return {
        "round": rnd.number,
        "phase": None,
        "to_act": to_act,
        "over": is_match_over,
        "scores": scores,
        "bindings": {},
        "sides": {},
        "table": [],
        "talon": None,
        "players": {name: {"out": False} for name in rnd.seating.at_table},
        "owed": [],
    }


def open_faults(rnd: Round, public: Round) -> list[Json]:
    """Return the open cases of a round, in the form of `faults` in `Match.state`.

    An open case is a fault on which the table has not decided yet. The cost of each choice is
    computed from the round as the table has seen it.
    """
    faults = _faults(rnd)
    if not faults:
        return []
    known = {(each["round"], each["entry"]) for each in _faults(public)}
    cases = add_costs(public, faults)
    for each in cases:
        if rnd is not public and (each["round"], each["entry"]) not in known:
            each["waits"] = dict.fromkeys(each["waits"], tr(HIDDEN_HAND_TEXT))
    return cases


def _faults(rnd: Round) -> list[Json]:
    """Return the undecided faults of a round in its current state."""
    law = rnd.rules.watching_law
    return [] if law is None else law.open_faults(rnd)


def _parts(rnd: Round) -> Json:
    """Return the merged descriptions of all phases."""
    parts: Json = {}
    for phase in rnd.rules.phases.values():
        for key, value in phase.view(rnd).as_json().items():
            if isinstance(value, list):
                parts[key] = parts.get(key, []) + value
            elif key == "players":
                players = parts.setdefault(key, {})
                for name, facts in value.items():
                    players[name] = {**players.get(name, {}), **facts}
            elif key == "bindings":
                parts[key] = {**parts.get(key, {}), **value}
            else:
                parts[key] = value
    return parts


def _players(rnd: Round, more: dict[str, Json]) -> dict[str, Json]:
    """Return the description of each player at the table, by name."""
    players: dict[str, Json] = {}
    sitting = rnd.seating.at_table if rnd.seating.seating_error else rnd.names
    for seat, name in enumerate(rnd.names):
        if name not in sitting:
            continue
        player: Json = {}
        if rnd.rules.dice_per_player is not None:
            player["dice"] = rnd.dice_of(seat)
        elif rnd.has_hands:
            player["cards"] = rnd.hands.size(seat) if seat in rnd.seats else 0
        player["out"] = rnd.seating.is_out(seat)
        players[name] = {**player, **more.get(name, {})}
    return players


# --- cards known for certain, whether or not rules were obeyed


def known_hands(rnd: Round) -> Json:
    """Return what is known about the location of each card: `unseen hands not_in_hands`.

    `unseen` lists the cards in unknown places by class. `hands` maps each player's name to a place,
    and `not_in_hands` describes the cards in no hand.

    Each place has the keys `cards` (the number of cards), `sure` (the codes of cards known to be
    there), `may` (further possible kinds, by class) and `sets`. `sets` lists sets of cards with
    tighter bounds, each with its name (`set`) and the bounds `least` and `most`. A hand also has
    `aside`, the number of cards laid aside unseen.

    Raises Impossible in a game without hands.
    """
    if not rnd.has_hands:
        raise Impossible(
            tr("this game has no hands of cards"),
            tr("{command} shows the current state", command="status"),
        )
    hands, pack = rnd.hands, rnd.rules.pack
    classes, sets = _classes(rnd), _sets(rnd)
    places: Json = {}
    for seat in rnd.seats:

        def bounds(mask: int, seat: int = seat) -> tuple[int, int]:
            """Return the bounds for a set of cards in a player's hand."""
            return hands.bounds(seat, mask)

        size, aside = hands.size(seat), hands.buried_count[seat]
        places[rnd.names[seat]] = {
            "cards": size,
            **_describe_place(rnd, bounds, classes, sets),
            "aside": aside,
        }
    left = hands.unheld_count()

    def nowhere(mask: int) -> tuple[int, int]:
        """Return the bounds for a set of cards in no hand."""
        inside = (hands.unseen & mask).bit_count()
        return max(0, left + inside - hands.unseen.bit_count()), min(left, inside)

    return {
        "unseen": {
            name: [pack.kinds[kind] for kind in pack.kinds_in(hands.unseen & mask)]
            for name, mask in classes.items()
            if hands.unseen & mask
        },
        "hands": places,
        "not_in_hands": {"cards": left, **_describe_place(rnd, nowhere, classes, sets)},
    }


def _describe_place(
    rnd: Round, bounds: Bounds, classes: dict[str, int], sets: dict[str, int]
) -> Json:
    """Return the certain and the possible cards in a place, and the sets of cards with bounds."""
    pack, sure, may = rnd.rules.pack, list[str](), dict[str, list[str]]()
    certain = 0
    for name, mask in classes.items():
        for kind in dict.fromkeys(pack.kinds_in(mask)):
            least, most = bounds(pack.column[kind])
            sure += [pack.kinds[kind]] * least
            for n in range(1, least + 1):
                certain |= pack.nth(kind, n)
            if most > least:
                may.setdefault(name, []).append(pack.kinds[kind])
    bounded: list[Json] = []
    for name, mask in sets.items():
        least, most = bounds(mask)
        if may and (not most or least > (certain & mask).bit_count()):
            bounded.append({"set": name, "least": least, "most": most})
    return {"sure": sure, "may": may, "sets": bounded}


def _classes(rnd: Round) -> dict[str, int]:
    """Return the classes that group the cards.

    These are the classes of the current card order, or the suits if there is no order.
    """
    play, pack = rnd.rules.card_play, rnd.rules.pack
    if play is not None:
        order = play.order_in_force(rnd)
        pairs = zip(order.names, order.masks, strict=True)
        return {rnd.rules.translate(_plural_name(name)): mask for name, mask in pairs if mask}
    masks: dict[str, int] = {}
    for kind, suit in enumerate(pack.suit):
        name = suit_name(suit) if suit else pack.kinds[kind]
        masks[name] = masks.get(name, 0) | pack.column[kind]
    return masks


def _plural_name(name: str) -> str:
    """Return the plural name for the cards of a class. A class named after a single card has no
    plural."""
    if name == TRUMP_NAME:
        return TRUMPS
    return f"{name}s" if name.islower() and not name.endswith("s") else name


def _sets(rnd: Round) -> dict[str, int]:
    """Return the sets of cards for which bounds are reported.

    These are the classes, and the set of cards that determine the sides.
    """
    sets, parties = _classes(rnd), rnd.sides
    if parties is not None and parties.mask and parties.mask not in sets.values():
        pack = rnd.rules.pack
        kinds = dict.fromkeys(pack.kinds_in(parties.mask))
        name = tr(" or ").join(pack.kinds[kind] for kind in kinds)
        sets[name] = parties.mask
    return sets


# --- open and settled findings


def open_findings(rnd: Round) -> list[tuple[int, Finding]]:
    """Return the open findings of a round, each with its entry number."""
    return [
        (number, finding)
        for number, finding in rnd.log.all_findings()
        if finding.verdict == OPEN and finding.code not in ROUND_CODES
    ]


def open_entries(rnd: Round) -> list[int]:
    """Return the numbers of the entries with open findings."""
    return sorted({number for number, _ in open_findings(rnd)})


def settled_entries(rnd: Round) -> list[int]:
    """Return the numbers of the entries whose open findings have all been settled."""
    log = rnd.log
    return sorted({act for act, _ in log.settled if _is_settled(log.findings.get(act, ()))})


def settled_in_trick(rnd: Round) -> tuple[SettledAct, ...]:
    """Return the acts settled during the trick that the last entry completes.

    An act is settled when none of its findings is open any longer. Call this only if a finding was
    settled in the round.
    """
    log, number = rnd.log, rnd.number
    last = log.entries[-1]
    if last.type.measured_as != TRICK or not last.has_effect or not rnd.tricks:
        return ()
    first = _first_of_trick(rnd)
    if log.settled[-1][1] < first or has_laid(rnd):
        return ()
    acts: list[SettledAct] = []
    for act in sorted({act for act, by in log.settled if by >= first}):
        if _is_settled(log.findings.get(act, ())):
            right = not _is_wrong(rnd, act)
            acts.append(SettledAct(number, act, log.entries[act - 1].text, right))
    return tuple(acts)


def _is_settled(findings: Iterable[Finding]) -> bool:
    """Return whether all of these findings are settled."""
    return OPEN not in [finding.verdict for finding in findings]


def has_laid(rnd: Round) -> bool:
    """Return whether any card, die or bid is on the table."""
    return any(phase.view(rnd).as_json().get("table") for phase in rnd.rules.phases.values())


def _first_of_trick(rnd: Round) -> int:
    """Return the number of the entry with which the most recent trick began."""
    laid = next((len(trick.plays) for trick in reversed(rnd.tricks) if trick.plays), 0)
    number = len(rnd.log)
    for number in range(len(rnd.log), 0, -1):
        entry = rnd.log.entries[number - 1]
        laid -= entry.type.measured_as == TRICK and entry.has_effect
        if not laid:
            break
    return number


def end_text(settled: Sequence[SettledAct], format_entry: Callable[[str], str]) -> str:
    """Return the acts settled in a trick as one line.

    All wrong acts are listed, but only the first few correct ones.
    """
    wrong = [each for each in settled if not each.was_legal]
    right = [each for each in settled if each.was_legal]
    lines = [
        tr(
            "{round}.{number} {entry} was wrong",
            round=each.round,
            number=each.number,
            entry=format_entry(each.entry),
        )
        for each in wrong
    ]
    lines += [
        tr(
            "{round}.{number} {entry} was right",
            round=each.round,
            number=each.number,
            entry=format_entry(each.entry),
        )
        for each in right[:MAX_RIGHT]
    ]
    more = len(right) - MAX_RIGHT
    if more > 0:
        lines.append(plural("{count} other was right", "{count} others were right", more))
    return tr("settled in this trick: {acts}", acts="; ".join(lines))


def mark_open(rnd: Round, texts: Iterable[str]) -> list[str]:
    """Return the acts on the table as text, with a `?` after each act that has an open finding."""
    doubtful = set(open_entries(rnd))
    if not doubtful:
        return list(texts)
    newest = {entry.text: at for at, entry in enumerate(rnd.log.entries, 1) if entry.has_effect}
    return [f"{text}?" if newest.get(text) in doubtful else text for text in texts]


def end_report(
    rnd: Round,
    format_entry: Callable[[str], str] = str,
    format_sentence: Callable[[str], str] = str,
) -> list[str]:
    """Return the lines that conclude a round with unseen hands.

    If every act was verified, a line confirms this. Otherwise the lines list the open acts, each
    with the cards that would settle it. There are no lines if no finding was ever open.
    """
    if not (rnd.over and rnd.log.has_been_open):
        return []
    left = open_findings(rnd)

    def at(number: int) -> str:
        """Return the number and the text of an entry."""
        return f"{number} ({format_entry(rnd.log.entries[number - 1].text)})"

    if left:
        acts = len({number for number, _ in left})
        lines = [plural("{count} entry is still open:", "{count} entries are still open:", acts)]
        for number, finding in left[:MAX_LISTED]:
            lines.append(f"  {at(number)}: {format_sentence(settling_text(rnd, finding))}")
        if len(left) > MAX_LISTED:
            lines.append(f"  {tr('and {count} more', count=len(left) - MAX_LISTED)}")
        return lines + [f"  {format_sentence(finding.reason)}" for finding in _groups(rnd)]
    if not rnd.log.settled:
        return []
    # a withdrawn act is not a play, but its findings may have been open
    settled = set(settled_entries(rnd))
    wrong = [
        number
        for number, entry in enumerate(rnd.log.entries, 1)
        if (not entry.is_withdrawn or number in settled) and _is_wrong(rnd, number)
    ]
    if wrong:
        line = plural(
            "every play has been checked: {entries} was wrong, and all others were right",
            "every play has been checked: {entries} were wrong, and all others were right",
            len(wrong),
            entries=join_list(list(map(at, wrong))),
        )
        return [line]
    return [tr("every play is verified")]


def _groups(rnd: Round) -> Iterator[Finding]:
    """Return the open findings that name several entries, of which one must be illegal."""
    return (f for _, f in rnd.log.all_findings() if f.code == GROUP and f.verdict == OPEN)


def _is_wrong(rnd: Round, number: int) -> bool:
    """Return whether an entry was proven illegal."""
    return any(finding.verdict == ILLEGAL for finding in rnd.log.findings.get(number, ()))


def settling_texts(rnd: Round) -> dict[int, str]:
    """Return the cards that would settle the open findings of each entry, as text.

    The keys are entry numbers.
    """
    answers: dict[int, list[str]] = {}
    for number, finding in open_findings(rnd):
        answers.setdefault(number, []).append(settling_text(rnd, finding))
    return {number: "; ".join(dict.fromkeys(texts)) for number, texts in answers.items()}


def settling_text(rnd: Round, finding: Finding) -> str:
    """Return the question of an open finding and the cards that would settle it, as text."""
    question = finding.claim
    if question is None:
        return tr("{reason}; no later entry can settle this", reason=finding.reason)
    claims = list(_claims(question))
    if len(claims) == 1:
        question_text = tr(
            "whether {who} had {cards}",
            who=rnd.names[claims[0].seat],
            cards=_asked_cards(rnd, claims[0]),
        )
    else:
        names = join_list(rnd.names_of(dict.fromkeys(claim.seat for claim in claims)))
        question_text = tr(
            "which cards {names} held ({source})", names=names, source=finding.source
        )
    return tr(
        "{cards} would show {asked}",
        asked=question_text,
        cards=_unseen_place(rnd, claims[0].seat),
    )


def _claims(question: Question) -> Iterator[Claim]:
    """Yield the individual claims that make up a question."""
    if isinstance(question, Claim):
        yield question
        return
    for part in question.claims:
        yield from _claims(part)


def _asked_cards(rnd: Round, claim: Claim) -> str:
    """Return the number of cards that a claim concerns, and the cards, as text.

    Cards that have been seen are left out if the set has no name and one card settles the claim.
    """
    play, asked = rnd.rules.card_play, claim.cards
    if claim.least <= 1 and not claim.most and not (play and play.set_name(rnd, asked)):
        asked = asked & rnd.hands.unseen or asked
    cards = name_of_cards(rnd, asked)
    if claim.least:
        return (
            cards
            if claim.least == 1
            else tr("at least {least} of {cards}", least=claim.least, cards=cards)
        )
    return tr("more than {most} of {cards}", most=claim.most, cards=cards) if claim.most else cards


def _unseen_place(rnd: Round, seat: int) -> str:
    """Return the place of the unseen cards of a hand, as text."""
    hands, who = rnd.hands, rnd.names[seat]
    if hands.buried_count[seat]:
        return tr("the cards that {who} laid aside", who=who)
    if hands.unknown_count[seat]:
        return tr("the cards that {who} still holds", who=who)
    if hands.changed[seat]:
        return tr("the cards that {who} got or gave away unseen", who=who)
    return tr("the unseen cards")


# --- findings from stored summaries


class EntryFinding(NamedTuple):
    """A finding on an entry, with the decision of the table.

    `round` and `number` locate the entry, both counted from 1, and `finding` has the form of
    `as_json`. `decision` is `stands`, `withdrawn`, or the verb if the entry itself is a decision.
    `settled_by` is the number of the later entry that proved the finding, or None.

    `counts` is true if the entry changed the state. `stuck` is true if neither the entry nor any
    later one counts. `over` is true if the round is finished. `entries` lists all entries of the
    round. `fault` is the case that the entry opened under `[remedies]`, as in a round summary.
    """

    round: int
    number: int
    entry: str
    finding: Json
    decision: str | None
    settled_by: int | None
    counts: bool
    stuck: bool
    over: bool
    entries: list[str]
    fault: Json | None = None

    @property
    def kind(self) -> str:
        """The kind of the finding: `proven`, `group`, `open` or `decided`."""
        if self.fault is not None and self.fault["ended"]:
            return "decided"
        if self.finding["verdict"] == OPEN:
            return "group" if self.finding["code"] == GROUP else "open"
        return PROVEN if self.decision is None or self.fault is not None else "decided"

    @property
    def shown_at(self) -> int:
        """The number of the entry that revealed the finding."""
        return self.settled_by or self.number

    def as_json(self) -> Json:
        """Return the finding, its place and its decision as a dictionary of JSON values."""
        row = {
            **self.finding,
            "round": self.round,
            "number": self.number,
            "entry": self.entry,
            "decision": self.decision,
            "settled_by": self.settled_by,
        }
        return row if self.fault is None else {**row, "fault": self.fault}


def has_findings(summary: Summary) -> bool:
    """Return whether a round summary has a finding or a decision."""
    if summary["decisions"] or summary["penalties"] or summary["fouls"] or faults_of(summary):
        return True
    findings: list[tuple[int, Json]] = summary["found"]
    return summary["void"] is not None or any(each["verdict"] != LEGAL for _, each in findings)


def list_findings(rounds: Iterable[ReviewedRound], ruleset: Ruleset) -> list[list[EntryFinding]]:
    """Return the findings of rounds, grouped by entry, the latest first."""
    groups: list[list[EntryFinding]] = []
    with_faults: list[Summary] = []
    for reviewed in rounds:
        groups.append([*_findings_of_round(reviewed, ruleset)])
        if faults_of(reviewed.summary):
            with_faults.append(reviewed.summary)
    if with_faults:
        faults = latest_faults(with_faults)
        groups = [[_add_remedy(each, faults, ruleset) for each in entries] for entries in groups]
    return [entry for each in reversed(groups) for entry in _group_latest_first(each)]


def _add_remedy(
    finding: EntryFinding, faults: Mapping[FaultKey, Json], ruleset: Ruleset
) -> EntryFinding:
    """Return the finding with its case under `[remedies]` and the decision on the case."""
    fault = find_fault(faults, ruleset, finding.round, finding.number, finding.finding["code"])
    if fault is None:
        return finding
    decided = fault_decision(fault)
    decision = decided if fault["weight"] else finding.decision or decided
    return finding._replace(fault=fault, decision=decision or None)


def _group_latest_first(findings: list[EntryFinding]) -> list[list[EntryFinding]]:
    """Return findings grouped by entry, the latest group first."""
    entries: dict[int, list[EntryFinding]] = {}
    for each in findings:
        entries.setdefault(each.number, []).append(each)
    return sorted(entries.values(), key=_latest_key, reverse=True)


def _latest_key(findings: list[EntryFinding]) -> tuple[int, int]:
    """Return the sort key of a group of findings."""
    return max(each.shown_at for each in findings), findings[0].number


def _findings_of_round(reviewed: ReviewedRound, ruleset: Ruleset) -> Iterator[EntryFinding]:
    """Yield the findings of a round, and the table's decisions in it."""
    entries, summary = reviewed
    findings: dict[int, list[Json]] = {}
    for number, finding in summary["found"]:
        if finding["verdict"] != LEGAL:
            findings.setdefault(number, []).append(finding)
    told_by = {
        each["entry"]: [_claimed_finding(each).as_json()]
        for each in faults_of(summary)
        if (each["told"] or not findings.get(each["entry"])) and each["round"] == summary["round"]
    }
    for number, text in enumerate(entries, 1):
        counts = number not in summary["ignored"] and not 0 < summary["stuck"] <= number
        on_entry = findings.get(number, [])
        if counts:
            on_entry = [
                *on_entry,
                *_table_findings(text, on_entry, ruleset),
                *told_by.get(number, ()),
            ]
        for finding in on_entry:
            yield EntryFinding(
                summary["round"],
                number,
                text,
                finding,
                _decision_on(text, finding),
                _settled_by(finding),
                counts,
                number == summary["stuck"],
                summary["over"],
                entries,
            )


def _table_findings(text: str, findings: Sequence[Json], ruleset: Ruleset) -> Iterator[Json]:
    """Yield each decision of the table that has no finding, in the form of a finding.

    For a penalty, the row in `[penalties]` supplies the paragraph to cite.
    """
    decision = find_decision(text)
    word, _, what = text.partition(" ")
    if word in TABLE_VERBS and decision != WITHDRAWN:
        name = what.partition(": ")[2].partition(" ")[0]
        row = ruleset.data.get("penalties", {}).get(name) if word == "penalty" else None
        cite = str(row.get("cite", "")) if isinstance(row, dict) else ""
        decided = Finding(
            f"{TABLE_PREFIX}{word}",
            LEGAL,
            N_("a decision of the table"),
            {"said": what},
            NOTE,
            cite,
        )
        yield decided.as_json()
    elif decision and not findings:
        template = N_("the table has ruled on this entry, although no rule is known to be broken")
        yield Finding(f"{TABLE_PREFIX}{decision}", LEGAL, template, {}, NOTE).as_json()


def _claimed_finding(fault: Json) -> Finding:
    """Return a claimed fault in the form of a finding, if the entries do not show the fault."""
    facts = {"who": fault["who"], "text": fault["text"]}
    template = N_("{text}: reported by the players, because the entries do not show it")
    if not fault["told"]:
        template = N_("{text}: claimed and decided before it was known whether a rule was broken")
    verdict = LEGAL if fault["ended"] else OPEN
    return Finding(
        f"{REMEDY_PREFIX}{fault['remedy']}", verdict, template, facts, NOTE, fault["cite"]
    )


def _decision_on(text: str, finding: Json) -> str | None:
    """Return the table's decision on an entry with the given finding."""
    code: str = finding["code"]
    if code.startswith(TABLE_PREFIX):
        return code.removeprefix(TABLE_PREFIX)
    is_group = code == GROUP and finding["verdict"] == OPEN
    return None if is_group else find_decision(text) or None


def _settled_by(finding: Json) -> int | None:
    """Return the number of the later entry that proved a finding, or None."""
    if finding["verdict"] != ILLEGAL or "evidence" not in finding["facts"]:
        return None
    second = finding["facts"].get("second")
    return second if isinstance(second, int) and second != finding["facts"]["first"] else None
