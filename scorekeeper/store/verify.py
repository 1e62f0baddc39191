"""Verification of records and stored matches, which reports findings and checks the claimed
scores."""

from __future__ import annotations

from operator import ne
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.rulings import ILLEGAL, LEGAL, WARN, Finding
from scorekeeper.engine.ruleset import pinned
from scorekeeper.match.match import Match
from scorekeeper.match.remedies import fault_decision, faults_in, find_fault
from scorekeeper.match.status import open_entries, settled_entries
from scorekeeper.match.summary import is_current
from scorekeeper.notation import find_decision
from scorekeeper.store.record import RULES_CHANGED, RecordSource, changed_rules_sha
from scorekeeper.store.recorder import MAX_TRIES, current_entries, make_round_row
from scorekeeper.store.round_cache import check_shape, checked_listing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from scorekeeper.core.types import Json, JsonValue
    from scorekeeper.engine.replay import RoundRecord
    from scorekeeper.match.remedies import FaultKey
    from scorekeeper.store.rows import LogRow, MatchRow, RoundRow, Store


class BookSource:
    """A stored match in the form of a record.

    The scores in its cached rounds are treated as claimed scores. `cached_rounds` maps round
    numbers to the cached rounds, and `listed_tallies` are the tallies in the match list.
    """

    __slots__ = (
        *("cached_rounds", "claimed_scores", "data", "listed_tallies", "players", "rounds"),
        "ruleset",
    )

    def __init__(self, store: Store, number: int) -> None:
        log, rounds, row = _read_consistently(store, number)
        sha, text, data = store.ruleset_text(row.ruleset_sha)
        self.ruleset, self.players = pinned(text, sha, data), row.players
        # the match is played under its stored rules, so there are no other rules to compare
        self.data: Json = {}
        self.rounds = current_entries(log)
        for each in rounds:
            check_shape(each, number, self.ruleset, self.players)
        self.cached_rounds = {each.number: each for each in rounds if is_current(each.summary)}
        changes = {at: each.summary["changes"] for at, each in self.cached_rounds.items()}
        self.claimed_scores = [changes.get(at) for at in range(1, len(self.rounds) + 1)]
        self.listed_tallies = checked_listing(row).get("scores")

    def match(self) -> Match:
        """Return a match for the same players under the stored rules, without entries."""
        return Match(self.ruleset, self.players, from_storage=True)

    def forged_rounds(self, match: Match) -> Iterator[int]:
        """Yield the numbers of rounds with cached tallies or entries that disagree with the log.

        `match` must have been played from the log.
        """
        for played in match.rounds:
            row = self.cached_rounds.get(played.number)
            if row is not None and played.over:
                expected = make_round_row(match, played, None)
                if (row.summary["tally"], row.entries_json) != (
                    expected.summary["tally"],
                    expected.entries_json,
                ):
                    yield played.number

    def texts(self, match: Match, index: int) -> list[tuple[int, str]]:
        """Return the entries of a round with their numbers, from 1."""
        return list(enumerate(self.rounds[index], 1))


def _read_consistently(store: Store, number: int) -> tuple[list[LogRow], list[RoundRow], MatchRow]:
    """Read the log of a match and its cache at the same moment, even while others record in it.

    Raises Impossible if others record without a pause.
    """
    for _ in range(MAX_TRIES):
        log = store.log(number)
        rounds, row = store.rounds(number), store.match(number)
        if store.position(number) == (log[-1].position if log else 0):
            return log, rounds, row
    raise Impossible(
        tr(
            "the match could not be read as a whole, because other programs are recording in it "
            "all the time"
        ),
        tr("try again"),
    )


def verify_record(path: str | Path, *, hands_hidden: bool = False) -> Json:
    """Verify a record and return a report with the keys `file`, `ok`, `findings`, `rounds` and
    `scores`.

    `ok` is false if the record has a fault on which the table has not decided. A fault in the file
    is reported as a finding and never raised.

    If `hands_hidden` is set, the record is judged only from public information. Cards that the
    table has not seen are counted, but their identity is ignored. Entries that cannot be judged
    then remain open, and scores that depend on hidden cards are not compared. The report also has
    the key `hidden`, the number of entries that contain hidden information.

    >>> from scorekeeper import Match, load_ruleset, verify_record, write_record
    >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    >>> ruling = match.record("Ben: 2x3 !stands")
    >>> write_record(match, "evening.toml")
    >>> report = verify_record("evening.toml")
    >>> report["ok"], [finding["decision"] for finding in report["findings"]]
    (True, ['stands'])
    """
    return _report(str(path), lambda: RecordSource(path), hands_hidden)


def verify_match(
    store: Callable[[], Store], number: Callable[[], int], name: str, *, hands_hidden: bool = False
) -> Json:
    """Verify a stored match and return a report like that of `verify_record`.

    In the report, `file` is `name`. Each finding has the `number` of its entry in the round, and
    its `line` is None. A fault in the store is reported as a finding and never raised.
    """
    report = _report(name, lambda: BookSource(store(), number()), hands_hidden)
    rows: list[Json] = report["findings"]
    return {**report, "findings": [{**r, "line": None, "number": r["line"]} for r in rows]}


def _report(
    name: str, written: Callable[[], RecordSource | BookSource], hands_hidden: bool
) -> Json:
    report: Json = {
        "file": name, "ok": False, "findings": [], "rounds": [], "scores": None,
    }  # fmt: skip
    try:
        source = written()
        return report | _judge_source(source, source.match(), hands_hidden)
    except Failure as failure:
        caught = failure
    except Exception as error:  # an internal error in one file must not stop the others
        from scorekeeper.store.errors import internal_error

        caught = internal_error(error, name)
    template = "{message}; {hint}" if caught.hint else "{message}"
    finding = Finding(
        "record.damaged", ILLEGAL, template, {"message": caught.message, "hint": caught.hint}
    )
    return report | {"findings": [_finding_row(finding, None, None, None)]}


def _judge_source(source: RecordSource | BookSource, match: Match, hands_hidden: bool) -> Json:
    """Judge a record entry by entry and return the report without its key `file`."""
    judged = _RecordJudge(source, match, hands_hidden)
    for index in range(len(source.rounds)):
        judged.round(index)
    judged.apply_claims()
    findings = _changed_rules(source, match) + judged.findings
    if isinstance(source, BookSource) and not hands_hidden:
        findings += [
            _finding_row(_FORGED_ROUND, number, None, None)
            for number in source.forged_rounds(match)
        ]
    listed = (
        source.listed_tallies
        if isinstance(source, BookSource) and not judged.needs_hidden
        else None
    )
    if listed not in (None, match.scores):
        findings.append(_finding_row(_wrong_claim(listed, match.scores), None, None, None))
    wrong = any(
        row["verdict"] == ILLEGAL and row["severity"] == "refuse" and row["decision"] is None
        for row in findings
    )
    rounds = [
        {"scores": played.scores, "lines": [line.as_json() for line in played.lines], **doubts}
        for played, doubts in zip(match.rounds, judged.entry_counts, strict=True)
    ]
    scores = None if judged.needs_hidden else match.scores
    report: Json = {"ok": not wrong, "findings": findings, "rounds": rounds, "scores": scores}
    return report | {"hidden": judged.hidden} if hands_hidden else report


def _changed_rules(source: RecordSource | BookSource, match: Match) -> list[Json]:
    sha = changed_rules_sha(source.data, match.ruleset)
    if not sha:
        return []
    facts = {"ruleset": match.ruleset.name, "recorded": sha, "now": match.ruleset.sha256}
    finding = Finding("record.damaged", ILLEGAL, RULES_CHANGED, facts, WARN)
    return [_finding_row(finding, None, None, None)]


class _RecordJudge:
    """A judge of the rounds of a record, one after the other.

    `entry_counts` has two counts for each round. `settled` is the number of entries that were open
    and have been decided. `open` is the number of entries still open at the end of the round, or
    None if the round is unfinished.

    `hidden` is the number of entries in the record that contain hidden information. `needs_hidden`
    is set if a score depends on such information.
    """

    def __init__(self, source: RecordSource | BookSource, match: Match, hands_hidden: bool) -> None:
        self.source = source
        self.match = match
        # The same match with all hands known. Each round begins with the standing of this match.
        self.known = match.copy_from(match.standing, 1) if hands_hidden else None
        self.findings: list[Json] = []
        self.entry_counts: list[dict[str, int | None]] = []
        self.hidden = 0
        self.needs_hidden = False
        # The faults that can be claimed, and the findings with their round and entry numbers.
        self.faults: dict[FaultKey, Json] = {}
        self.places: list[tuple[int, int, Json]] = []

    def apply_claims(self) -> None:
        """Add the table's decision to each finding about a fault.

        The decision is the result of a claim, or a note that the fault can no longer be claimed.
        """
        rules = self.match.ruleset
        for number, entry, row in self.places if self.faults else ():
            fault = find_fault(self.faults, rules, number, entry, row["code"])
            if fault is not None:
                row["decision"] = row["decision"] or fault_decision(fault) or None

    def round(self, index: int) -> None:
        """Judge one round of the record. `index` counts from 0."""
        source, match = self.source, self.match
        texts = source.texts(match, index)
        last = index == len(source.rounds) - 1
        played = self._play(texts)
        for number, finding in played.findings:
            if finding.verdict != LEGAL:
                line, text = texts[number - 1]
                self.findings.append(_finding_row(finding, index + 1, line, text))
                self.places.append((index + 1, number, self.findings[-1]))
        end = texts[-1][0] if texts else None
        if not played.over and not last and not match.live_round.ended:
            message = N_(
                "the round is unfinished, but another round follows it; the prompt was: {prompt}"
            )
            unfinished = Finding(
                "round.unfinished", ILLEGAL, message, {"prompt": match.live_round.prompt()}
            )
            self.findings.append(_finding_row(unfinished, index + 1, end, None))
        claimed = source.claimed_scores[index]
        if claimed is not None and claimed != played.scores and not self._needs_more(played):
            wrong = _wrong_claim(claimed, played.scores)
            self.findings.append(_finding_row(wrong, index + 1, end, None))
        for fault in faults_in(match.live_round):
            self.faults[fault["round"], fault["entry"], fault["remedy"]] = fault
        settled, open_count = settled_entries(match.live_round), len(open_entries(match.live_round))
        self.entry_counts.append(
            {"open": open_count if played.over else None, "settled": len(settled)}
        )

    def _play(self, texts: list[tuple[int, str]]) -> RoundRecord:
        """Play a round as written, or as the table has seen it if hands are to be hidden."""
        entries = [text for _, text in texts]
        if self.known is None:
            return self.match.play_round(entries)
        full = self.known.play_round(entries)
        seen = self.known.public_texts(full)
        self.hidden += sum(map(ne, seen, full.entries))
        played = self.match.play_round(seen, full.before)
        self.needs_hidden = self.needs_hidden or self._needs_more(played)
        return played

    def _needs_more(self, played: RoundRecord) -> bool:
        """Return whether a round has no score because the necessary information is hidden."""
        if self.known is None or not played.over or played.changes is not None:
            return False
        return self.known.rounds[-1].changes is not None


_FORGED_ROUND = Finding(
    "record.damaged",
    ILLEGAL,
    N_("the stored result of the round differs from the result of its entries"),
)


def _wrong_claim(claimed: JsonValue, computed: dict[str, int] | None) -> Finding:
    message = N_("the claimed scores are {claimed}, but the computed scores are {computed}")
    return Finding("score.claimed", ILLEGAL, message, {"claimed": claimed, "computed": computed})


def _finding_row(finding: Finding, number: int | None, line: int | None, text: str | None) -> Json:
    decision = find_decision(text or "") or None
    return {
        **finding.as_json(), "round": number, "line": line, "entry": text, "decision": decision,
    }  # fmt: skip
