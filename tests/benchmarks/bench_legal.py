"""Assistance while a user types: `legal`, completion and hint in the slowest states.

The states are in legal_states.toml. For random evenings of every ruleset, with known and unseen
hands, it has the state in which `legal` calls most functions and the one in which typing does.
`python -m tests.benchmarks.bench_legal` prints them all. With `--search` it searches for new states
and writes them, for the named rulesets or for all (a quarter of an hour).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scorekeeper.session.completion import Completer
from scorekeeper.session.hints import make_hint
from scorekeeper.session.live import LiveMatch
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import begin_match
from tests.benchmarks.shape import Found, Row, Run, calm, process, spent
from tests.counts import calls
from tests.helpers import SHIPPED
from tests.random_play import Evening, counts_of, rules_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STATES = Path(__file__).with_name("legal_states.toml")
MOST = 20  # milliseconds
SEEDS, STEPS, TIMES = 2, 250, 5
EVERY = 6  # The interval of states that are looked at.
ASKED = LEGAL, COMPLETION, HINT = ("legal", "completion", "hint")


class State(NamedTuple):
    """A round up to an entry, the text being typed, and the number of calls when it was chosen.

    The calls are those of typing the text, or of `legal`.
    """

    ruleset: str
    hands: str
    calls: int
    players: list[str]
    entries: list[str]
    typed: str


def kept() -> list[State]:
    """Return the stored states."""
    found = tomllib.loads(STATES.read_text(encoding="utf-8"))["state"]
    return [State(**{**row, "entries": row["entries"].splitlines()}) for row in found]


def dearest(most: int) -> list[State]:
    """Return the states with the most calls, at most so many."""
    return sorted(kept(), key=lambda state: -state.calls)[:most]


def at_table(state: State) -> LiveMatch:
    """Return the state at a live table."""
    desk = begin_match(Book(":memory:"), rules_of(state.ruleset), state.players)
    refused = [ruling for ruling in desk.record(state.entries).rulings if ruling.refused]
    assert all("!" in ruling.entry for ruling in refused), refused
    return LiveMatch(desk)


def acts(board: LiveMatch, typed: str) -> dict[str, Callable[[], object]]:
    """Return the three questions about a state, each asked as if for the first time.

    The public match is already known, because it is updated with the entries.
    """
    match, seen, speech = board.match, board.public_match, board.speech

    def begun() -> list[str]:
        return [each.text for each in Completer(speech).complete(seen, typed)]

    def hint() -> None:
        texts = speech.spoken_notation.split_line(typed)
        if texts:
            make_hint(seen, texts, begun(), speech)

    return {LEGAL: match.legal, COMPLETION: begun, HINT: hint}


def milliseconds(act: Callable[[], object]) -> float:
    """Return the processor time of an act, the least of several measurements."""
    with calm():
        return 1000 * min(spent(act) for _ in range(TIMES))


def worst(run: Run, asked: str) -> Found:
    """Return the time of one of the three questions in its slowest state."""
    found: dict[str, Found] = run.once("legal", lambda: measured(run.size(100, 8)))
    return found[asked]


def measured(most: int) -> dict[str, Found]:
    """Return the longest time of each question in that many states.

    As many states in which a text is being typed are measured too.
    """
    found = dict.fromkeys(ASKED, Found(0))
    states = dearest(100)
    typed = [state for state in states[most:] if state.typed]
    for state in states[:most] + typed[:most]:
        for what, act in acts(at_table(state), state.typed).items():
            taken = milliseconds(act)
            if taken > (found[what].value or 0):
                note = f"{state.ruleset}, hands {state.hands}: {calls(act):,} calls"
                found[what] = Found(taken, note)
    return found


def legal(run: Run) -> Found:
    """Measure the list of legal entries in the slowest of all stored states."""
    return worst(run, LEGAL)


def completion(run: Run) -> Found:
    """Measure the completion at the first key in the slowest of all stored states."""
    return worst(run, COMPLETION)


def hint(run: Run) -> Found:
    """Measure the hint on a typed text, with its completion, in the slowest stored state."""
    return worst(run, HINT)


def first(run: Run) -> Found:
    """Measure the first completion in a new process, after the match has been loaded."""
    found = []
    for number, state in enumerate(dearest(run.size(12, 3))):
        command = (sys.executable, "-m", __name__, "--first", str(number))
        taken = min(float(process(command).out) for _ in range(run.size(3, 1)))
        found.append((taken, f"{state.ruleset}, hands {state.hands}"))
    return Found(*max(found))


def first_here(state: State) -> float:
    """Return the milliseconds of the first completion in this process."""
    board = at_table(state)
    start = time.process_time()
    board.complete(state.typed)
    return 1000 * (time.process_time() - start)


def rows() -> list[Row]:
    """Return the rows with their goals."""
    return [
        Row("legal, the worst of all rulesets", legal, most=MOST, unit=" ms"),
        Row("completion, the worst of all rulesets", completion, most=MOST, unit=" ms"),
        Row("hint, the worst of all rulesets", hint, most=MOST, unit=" ms"),
        Row("the first completion of a process, worst", first, most=MOST, unit=" ms"),
    ]


# --- looking for them


def courses(name: str, seed: int) -> Iterator[State]:
    """Yield a round of an evening after each event, with hands known and unseen."""
    counts = counts_of(name)
    course = Evening(name, seed, players=counts[-1 - seed % len(counts)], full=True, result=0)
    for _ in range(STEPS):
        if course.match.over or len(course.said) > 1:
            return
        course.step()
        if course.over:
            return
        for hands in ("known", "unseen"):
            entries = [getattr(said, hands) for said in course.said[-1]]
            yield State(name, hands, 0, course.names, [text for text in entries if text], "")


def lines(board: LiveMatch) -> list[str]:
    """Return texts that might be typed: nothing, a player, an act, and the text after an act."""
    legal = [text for text in board.match.legal() if "…" not in text]
    if not legal:
        return [""]
    name, act = legal[-1].split(":", 1)
    return ["", f"{name}:", act.strip()[:1], legal[-1], f"{legal[-1]}, "]


def worst_of(name: str) -> list[State]:
    """Return the states in which `legal` and typing call the most functions."""
    found: dict[bool, State] = {}
    for seed in range(SEEDS):
        for number, state in enumerate(courses(name, seed)):
            if number // 2 % EVERY:
                continue
            board = at_table(state)
            for typed in lines(board):
                for what, act in acts(board, typed).items():
                    key, count = what == LEGAL, calls(act)
                    if key not in found or count > found[key].calls:
                        found[key] = state._replace(typed=typed, calls=count)
    return list(found.values())


def written(states: list[State]) -> str:
    """Return the states as TOML."""
    text = "# States in which most is called: python -m tests.benchmarks.bench_legal --search\n"
    for state in states:
        text += "\n[[state]]\n"
        for key in ("ruleset", "hands", "calls", "players", "typed"):
            text += f"{key} = {json.dumps(getattr(state, key), ensure_ascii=False)}\n"
        text += 'entries = """\n' + "\n".join(state.entries) + '\n"""\n'
    return text


def search(names: list[str]) -> None:
    """Search for the states of these rulesets, and store them."""
    found = kept() if STATES.exists() else []
    for name in names or SHIPPED:
        found = [state for state in found if state.ruleset != name] + worst_of(name)
        found.sort(key=lambda state: state.ruleset)
        STATES.write_text(written(found), encoding="utf-8")


def main() -> None:
    """Print all states, search for them, or measure one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--search", nargs="*", metavar="RULESET", help="look for the states anew")
    parser.add_argument("--first", type=int, metavar="NUMBER", help="the first completion of one")
    options = parser.parse_args()
    if options.first is not None:
        print(first_here(dearest(options.first + 1)[-1]))
        return
    if options.search is not None:
        search(options.search)
    for state in kept():
        print(f"{state.ruleset}, hands {state.hands}, typed “{state.typed}”")
        for what, act in acts(at_table(state), state.typed).items():
            print(f"  {what:12}{milliseconds(act):8.2f} ms{calls(act):10,} calls")


if __name__ == "__main__":
    main()
