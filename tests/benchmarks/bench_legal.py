"""What may be done now, while somebody types: `legal`, completion and hint, where they are dearest.

The states stand in legal_states.toml: of random evenings of every ruleset, with hands known and
unseen, the one in which `legal` calls most and the one in which typing does.
`python -m tests.benchmarks.bench_legal` prints them all; with `--search` it looks for them anew and
writes them, for the rulesets that are named or for all (a quarter of an hour).
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
from tests.random_play import SHIPPED, Evening, counts_of, rules_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STATES = Path(__file__).with_name("legal_states.toml")
MOST = 20  # milliseconds
SEEDS, STEPS, TIMES = 2, 250, 5
EVERY = 6  # states, one is looked at
ASKED = LEGAL, COMPLETION, HINT = ("legal", "completion", "hint")


class State(NamedTuple):
    """A round as far as it has been entered, what is being typed, and how many functions that, or
    `legal`, called when it was found."""

    ruleset: str
    hands: str
    calls: int
    players: list[str]
    entries: list[str]
    typed: str


def kept() -> list[State]:
    """The states as they were found last."""
    found = tomllib.loads(STATES.read_text(encoding="utf-8"))["state"]
    return [State(**{**row, "entries": row["entries"].splitlines()}) for row in found]


def dearest(most: int) -> list[State]:
    """So many states in which most was called."""
    return sorted(kept(), key=lambda state: -state.calls)[:most]


def at_table(state: State) -> LiveMatch:
    """The state at a live table."""
    desk = begin_match(Book(":memory:"), rules_of(state.ruleset), state.players)
    refused = [ruling for ruling in desk.record(state.entries).rulings if ruling.refused]
    assert all("!" in ruling.entry for ruling in refused), refused
    return LiveMatch(desk)


def acts(board: LiveMatch, typed: str) -> dict[str, Callable[[], object]]:
    """What is asked of a state, each time as if it were for the first time; the table as it was
    seen is kept in step with the entries and known already."""
    match, seen, speech = board.match, board.public_match, board.speech

    def begun() -> list[str]:
        return [each.text for each in Completer(speech).complete(seen, typed)]

    def hint() -> None:
        texts = speech.spoken_notation.split_line(typed)
        if texts:
            make_hint(seen, texts, begun(), speech)

    return {LEGAL: match.legal, COMPLETION: begun, HINT: hint}


def milliseconds(act: Callable[[], object]) -> float:
    """What an act takes of the processor, of several times the least."""
    with calm():
        return 1000 * min(spent(act) for _ in range(TIMES))


def worst(run: Run, asked: str) -> Found:
    """What one of the three takes where it takes longest."""
    found: dict[str, Found] = run.once("legal", lambda: measured(run.size(100, 8)))
    return found[asked]


def measured(most: int) -> dict[str, Found]:
    """What each of the three takes at most, in so many states, and as many of those in which
    something is typed."""
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
    """Listing what may be done, in the worst of all states that were found."""
    return worst(run, LEGAL)


def completion(run: Run) -> Found:
    """Completing what is typed, at the first key, in the worst of all states that were found."""
    return worst(run, COMPLETION)


def hint(run: Run) -> Found:
    """The hint on what is typed, with its completion, in the worst of all states."""
    return worst(run, HINT)


def first(run: Run) -> Found:
    """The first completion in a process of its own, when the match has been loaded."""
    found = []
    for number, state in enumerate(dearest(run.size(12, 3))):
        command = (sys.executable, "-m", __name__, "--first", str(number))
        taken = min(float(process(command).out) for _ in range(run.size(3, 1)))
        found.append((taken, f"{state.ruleset}, hands {state.hands}"))
    return Found(*max(found))


def first_here(state: State) -> float:
    """Milliseconds that the first completion takes in this process."""
    board = at_table(state)
    start = time.process_time()
    board.complete(state.typed)
    return 1000 * (time.process_time() - start)


def rows() -> list[Row]:
    """What is measured, and what it is to reach."""
    return [
        Row("legal, the worst of all rulesets", legal, most=MOST, unit=" ms"),
        Row("completion, the worst of all rulesets", completion, most=MOST, unit=" ms"),
        Row("hint, the worst of all rulesets", hint, most=MOST, unit=" ms"),
        Row("the first completion of a process, worst", first, most=MOST, unit=" ms"),
    ]


# --- looking for them


def courses(name: str, seed: int) -> Iterator[State]:
    """A round of an evening after each thing that happens, with hands known and unseen."""
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
    """What might be being typed: nothing, whose act it is, an act, and one after an act."""
    legal = [text for text in board.match.legal() if "…" not in text]
    if not legal:
        return [""]
    name, act = legal[-1].split(":", 1)
    return ["", f"{name}:", act.strip()[:1], legal[-1], f"{legal[-1]}, "]


def worst_of(name: str) -> list[State]:
    """The states in which most functions are called, by `legal` and by what is typed."""
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
    """The states as TOML."""
    text = "# States in which most is called: python -m tests.benchmarks.bench_legal --search\n"
    for state in states:
        text += "\n[[state]]\n"
        for key in ("ruleset", "hands", "calls", "players", "typed"):
            text += f"{key} = {json.dumps(getattr(state, key), ensure_ascii=False)}\n"
        text += 'entries = """\n' + "\n".join(state.entries) + '\n"""\n'
    return text


def search(names: list[str]) -> None:
    """Look for the states of these rulesets anew, and keep them."""
    found = kept() if STATES.exists() else []
    for name in names or SHIPPED:
        found = [state for state in found if state.ruleset != name] + worst_of(name)
        found.sort(key=lambda state: state.ruleset)
        STATES.write_text(written(found), encoding="utf-8")


def main() -> None:
    """Print all states, search for them, or ask one."""
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
