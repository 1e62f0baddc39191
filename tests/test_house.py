"""The rules of the house: allowed imports, no game in Python, nothing left unfinished."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from scorekeeper.engine.round import Round
from scorekeeper.engine.state import TableState
from tests.helpers import SHIPPED

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "scorekeeper"

# Each package imports from those above it. Imports for type checkers count too.
ROOMS = (
    *("core", "notation", "ruleset", "engine", "phases", "match"),
    *("history", "store", "render", "session", "web", "cli"),
)
# Exceptions to the order. A match knows no kind of play. Neither do history and storage. Rendering
# does not know where values are stored.
APART = {
    *(("match", "phases"), ("history", "phases")),
    *(("store", "phases"), ("render", "phases"), ("render", "store")),
}
# The one cycle: modules below a round consist of functions of a round. They may name a round, or a
# compiled ruleset, for a type checker only.
KNOT = {
    f"scorekeeper.engine.{name}"
    for name in ("phase", "rows", "ruleset", "measures", "contracts", "setup", "findings")
}
KNOTTED = {"scorekeeper.engine.round", "scorekeeper.engine.ruleset"}
# Modules that belong to no room: `python -m`, and the package itself. The package offers the
# modules below the commands and imports each of them on demand.
OUTSIDE = {"__main__": len(ROOMS), "": ROOMS.index("session")}
# The registry imports a phase's module when a ruleset names the phase. It knows no phase.
BY_NAME = {("ruleset", "phases")}

LAST_PURE_ROOM = "history"
BARRED = {
    *("asyncio", "datetime", "fcntl", "getpass", "glob", "http", "io", "logging"),
    *("multiprocessing", "os", "pathlib", "platformdirs", "prompt_toolkit", "random", "readline"),
    *("rich", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "subprocess"),
    *("tabulate", "tempfile", "termios", "threading", "time", "typer", "urllib", "uuid"),
}
BARRED_CALLS = {"breakpoint", "input", "open", "print"}
BARRED_SYS = {"sys.argv", "sys.exit", "sys.stderr", "sys.stdin", "sys.stdout"}
# The one module of these that reads files. A date in TOML is a kind of value, not a clock.
MAY = {
    PACKAGE / "ruleset" / "sources.py": {"os", "pathlib", "platformdirs"},
    PACKAGE / "core" / "untrusted.py": {"datetime"},
}


class Import(NamedTuple):
    """A dotted module name and the line that imports it."""

    line: int
    module: str


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def dotted(path: Path) -> str:
    """`scorekeeper.cli` for `scorekeeper/cli/__init__.py`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room(module: str) -> str:
    """Return the room of a module. It is empty for the package itself."""
    return (module + ".").split(".")[1]


def wrong_in(paths: Iterable[Path], check: Callable[[Path], object]) -> dict[str, object]:
    """Return the faults that `check` finds, by file, for the files in which it finds any."""
    return {relative(path): found for path in paths if (found := check(path))}


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def at_run_time(node: ast.AST) -> Iterator[ast.AST]:
    """Yield every node below `node` except those that only a type checker sees."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            for other in child.orelse:
                yield from (other, *at_run_time(other))
        else:
            yield from (child, *at_run_time(child))


def exists(module: str) -> bool:
    path = ROOT.joinpath(*module.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return ast.unparse(node.func).rpartition(".")[2]


def named_module(node: ast.Call) -> str:
    """Return the module that an `import_module` call names, as far as its text shows."""
    first = node.args[0] if node.args else None
    if isinstance(first, ast.JoinedStr) and first.values:
        first = first.values[0]
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        return first.value.rstrip(".")
    return ""


def from_module(node: ast.ImportFrom, module: str, is_package: bool) -> Iterator[str]:
    """Yield the submodules among the names in `from x import a, b`, or else x."""
    base = node.module or ""
    if node.level:
        parts = module.split(".")
        kept = parts[: len(parts) - node.level + is_package]
        base = ".".join([*kept, base] if base else kept)
    for alias in node.names:
        inner = f"{base}.{alias.name}"
        yield inner if base.split(".")[0] == PACKAGE.name and exists(inner) else base


def imports(
    tree: ast.AST, module: str, is_package: bool = False, *, types: bool = False
) -> Iterator[Import]:
    """Yield the imports of a module at run time, in functions too. With `types`, add those for
    checkers."""
    for node in ast.walk(tree) if types else at_run_time(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            for name in from_module(node, module, is_package):
                yield Import(node.lineno, name)
        elif isinstance(node, ast.Call) and called(node) in ("import_module", "__import__"):
            yield Import(node.lineno, named_module(node))


def own_imports(path: Path) -> list[Import]:
    """Return the project's modules that a file imports, including imports for a type checker."""
    found = imports(parse(path), dotted(path), path.name == "__init__.py", types=True)
    return [each for each in found if each.module.split(".")[0] == PACKAGE.name]


def height(module: str) -> int:
    """Return the position of a module's room in the list."""
    name = room(module)
    return ROOMS.index(name) if name in ROOMS else OUTSIDE[name]


def by_name(importer: str, imported: str) -> bool:
    return (room(importer), room(imported)) in BY_NAME and imported == "scorekeeper.phases"


def may_import(importer: str, imported: str) -> bool:
    mine, other = room(importer), room(imported)
    if mine == other == "phases":
        # The modules of a phase in a package, or in two files, know one another.
        return importer == "scorekeeper.phases" or kind_of_play(importer) == kind_of_play(imported)
    if mine == other:
        return True
    if (mine, other) in APART:
        return False
    return by_name(importer, imported) or height(imported) < height(importer)


def kind_of_play(module: str) -> str:
    """`one` for `scorekeeper.phases.one.part` and `scorekeeper.phases.one_part`."""
    return (module + ".").split(".")[2].partition("_")[0]


def impurities(tree: ast.AST, module: str, allowed: set[str]) -> Iterator[tuple[int, str]]:
    """Ways to a file, a clock, a terminal, a database or a random number."""
    for line, name in imports(tree, module):
        if name.split(".")[0] in BARRED - allowed:
            yield line, f"import {name}"
    for node in at_run_time(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in BARRED_CALLS and not allowed:
                yield node.lineno, f"{node.func.id}()"
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in BARRED_SYS:
            yield node.lineno, ast.unparse(node)


def test_every_module_stands_in_a_room() -> None:
    homeless = [relative(p) for p in modules() if room(dotted(p)) not in {*ROOMS, *OUTSIDE}]
    assert homeless == []


def test_a_module_imports_from_rooms_above_its_own_only() -> None:
    def barred(path: Path) -> list[Import]:
        module = dotted(path)
        return [each for each in own_imports(path) if not may_import(module, each.module)]

    but_the_package = [path for path in modules() if path != PACKAGE / "__init__.py"]
    assert wrong_in(but_the_package, barred) == {}


def in_the_knot(path: Path, imported: str) -> bool:
    """Return whether a file of the cycle names another one for a type checker only."""
    if dotted(path) not in KNOT or imported not in KNOTTED:
        return False
    return imported not in {each.module for each in imports(parse(path), dotted(path))}


def test_imports_go_in_no_circle_not_in_types_either() -> None:
    graph = {
        dotted(path): {
            each.module
            for each in own_imports(path)
            if each.module != dotted(path)
            and not by_name(dotted(path), each.module)
            and not in_the_knot(path, each.module)
        }
        for path in modules()
        if path != PACKAGE / "__init__.py"
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_every_file_of_the_knot_needs_to_be_in_it() -> None:
    knotted = {
        dotted(path)
        for path in modules()
        if any(in_the_knot(path, each.module) for each in own_imports(path))
    }
    assert knotted == KNOT


def test_the_rules_know_no_file_clock_terminal_database_or_chance() -> None:
    def impure(path: Path) -> list[tuple[int, str]]:
        return list(impurities(parse(path), dotted(path), MAY.get(path, set())))

    pure = ROOMS[: ROOMS.index(LAST_PURE_ROOM) + 1]
    assert wrong_in([path for path in modules() if room(dotted(path)) in pure], impure) == {}


def test_the_page_on_the_architecture_shows_the_same_rooms() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)/` \|", page, re.M) == list(ROOMS)


MOST_OPEN_TYPES = 52


def test_few_types_are_left_open() -> None:
    found = {
        relative(path): sum(
            getattr(node, "id", "") == "Any" or getattr(node, "name", "") == "Any"
            for node in ast.walk(parse(path))
        )
        for path in modules()
    }
    assert sum(found.values()) < MOST_OPEN_TYPES, {path: n for path, n in found.items() if n}


def writers() -> Iterator[tuple[str, str]]:
    """Yield each field of `TableState` that a phase assigns, with the phase's name.

    The contracts assign some fields, which several phases may settle.
    """
    contracts = PACKAGE / "engine" / "contracts.py"
    for path in (contracts, *sorted((PACKAGE / "phases").rglob("*.py"))):
        owner = "contracts"
        if path != contracts:
            owner = kind_of_play(dotted(path))
        for node in ast.walk(parse(path)):
            if not (isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)):
                continue
            if ast.unparse(node.value).rpartition(".")[2] == "table":
                yield node.attr, owner


def test_what_phases_tell_one_another_has_one_writer_a_field() -> None:
    found: dict[str, set[str]] = {}
    for field, owner in writers():
        found.setdefault(field, set()).add(owner)
    assert {field: owners for field, owners in found.items() if len(owners) > 1} == {}
    assert set(found) == set(TableState.__slots__)


# Fields of a round for which the docstring of `Round` lists the parts that a phase may use. Each
# field of `table` has one writer (above).
HELD = ("seating", "log", "decisions")


def rounds_in(function: ast.AST) -> set[str]:
    """Return the parameters of a function that are rounds."""
    if isinstance(function, ast.FunctionDef):
        arguments = function.args
        return {
            each.arg
            for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
            if each.annotation is not None and ast.unparse(each.annotation) == "Round"
        }
    return (
        {each.arg for each in function.args.args if each.arg == "rnd"}
        if isinstance(function, ast.Lambda)
        else set()
    )


def uses_of_rounds() -> tuple[set[str], set[str]]:
    """Return the attributes of a round that phases read and write: `seats`, `seating.leader`."""
    read, written = set[str](), set[str]()
    for path in sorted((PACKAGE / "phases").rglob("*.py")):
        for function in ast.walk(parse(path)):
            rounds = rounds_in(function)
            for node in ast.walk(function) if rounds else ():
                if not isinstance(node, ast.Attribute):
                    continue
                owner, _, inner = ast.unparse(node).partition(".")
                if owner not in rounds or inner.partition(".")[0] not in {inner, *HELD}:
                    continue
                if inner.count(".") < 2 and re.fullmatch(r"[\w.]+", inner):
                    (written if isinstance(node.ctx, ast.Store) else read).add(inner)
    return read, written


def table_of_uses() -> tuple[set[str], set[str]]:
    """Return the same two sets from the table in the docstring of `Round`."""
    rows = re.findall(r"^ *\| ([\w, ]+?) *\| (.+?) *\|$", Round.__doc__ or "", re.M)
    read = {name for what, names in rows for name in names.split() if what != "written"}
    return read, {name for what, names in rows for name in names.split() if what == "written"}


def test_phases_use_of_a_round_what_its_docstring_lists() -> None:
    read, written = uses_of_rounds()
    assert (read, written) == table_of_uses()
    assert len(read) > 60


MAX_HOOKS = 33
ROLES = {
    *(
        "CallRules",
        "CardPlay",
        "ContractRules",
        "Coverage",
        "Interruptible",
        "JointEntries",
        "KittyRules",
        "Law",
        "MatchCounters",
    ),
    *("ResultPart", "SideRules"),
}


def methods_of(node: ast.ClassDef) -> set[str]:
    """Return the methods that a class defines, without private ones."""
    functions = (each for each in node.body if isinstance(each, ast.FunctionDef))
    return {each.name for each in functions if not each.name.startswith("_")}


def kinds_of_play() -> dict[str, tuple[set[str], set[str]]]:
    """Return each kind of play with its methods and the names of its other base classes."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for path in sorted((PACKAGE / "phases").rglob("*.py")):
        for node in ast.walk(parse(path)):
            bases = [ast.unparse(base) for base in getattr(node, "bases", ())]
            if isinstance(node, ast.ClassDef) and bases and bases[0].startswith("Phase["):
                found[node.name] = (methods_of(node), set(bases[1:]))
    return found


def test_a_hook_is_a_question_to_several_kinds_of_play() -> None:
    """Require that an answer of only one kind of play is a method of a role (`engine/phase.py`)."""
    nodes = parse(PACKAGE / "engine" / "phase.py").body
    classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
    hooks, kinds = methods_of(classes["Phase"]), kinds_of_play()
    answered = {hook: [kind for kind, (own, _) in kinds.items() if hook in own] for hook in hooks}
    assert len(kinds) > 20
    assert {hook: kinds for hook, kinds in answered.items() if len(kinds) < 2} == {}
    assert len(hooks) <= MAX_HOOKS
    assert set.union(*(roles for _, roles in kinds.values())) == ROLES
    assert classes.keys() >= ROLES


def test_no_method_is_looked_up_by_a_text() -> None:
    def lookups(path: Path) -> list[str]:
        return [
            ast.unparse(node)
            for node in ast.walk(parse(path))
            if called(node) == "getattr"
            and isinstance(node, ast.Call)
            and isinstance(node.args[1], ast.JoinedStr)
        ]

    assert wrong_in(modules(), lookups) == {}


LONGEST_FILE = 900  # lines: a guideline of 150 to 900 for one idea
LONGER = {  # Longer files, each with its reason.
    "scorekeeper/match/match.py": "the library's main class: docstrings with examples",
}


def test_a_file_that_is_too_long_to_read_at_once_has_a_reason() -> None:
    lines = {relative(path): len(path.read_text("utf-8").splitlines()) for path in modules()}
    assert {path for path, count in lines.items() if count > LONGEST_FILE} == set(LONGER)
    assert all(LONGER.values())


LONGEST_FUNCTION = 50  # lines: without its parameters and its docstring


def lines_of(function: ast.FunctionDef) -> int:
    body = function.body
    if ast.get_docstring(function) is not None:
        body = body[1:]
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_no_function_is_too_long() -> None:
    def long(path: Path) -> list[str]:
        functions = (node for node in ast.walk(parse(path)) if isinstance(node, ast.FunctionDef))
        return [each.name for each in functions if lines_of(each) > LONGEST_FUNCTION]

    assert wrong_in(modules(), long) == {}


class Class(NamedTuple):
    """A class of the project, by its module and its name."""

    module: str
    name: str


@cache
def classes() -> dict[Class, list[Class]]:
    """Return every class of the package with its base classes."""
    found: dict[Class, list[Class]] = {}
    for path in modules():
        tree, module = parse(path), dotted(path)
        known = {
            alias.asname or alias.name: Class(node.module or "", alias.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                names = [ast.unparse(base).partition("[")[0] for base in node.bases]
                above = [known.get(name, Class(module, name)) for name in names]
                found[Class(module, node.name)] = above
    return found


def line_above(one: Class) -> list[Class]:
    """Return the longest chain of the project's classes above one. A class from elsewhere stands
    alone."""
    lines = [[base, *line_above(base)] for base in classes().get(one, ()) if base in classes()]
    return max(lines, key=len, default=[])


def is_exempt(one: Class) -> bool:
    """Return whether the ancestors of a class document it, as for an exception or a syntax."""
    bases = classes().get(one)
    if bases is None:
        return one.name == "Exception"
    return one == SYNTAX or any(map(is_exempt, bases))


SYNTAX = Class("scorekeeper.notation.syntax", "Syntax")


def test_no_class_has_more_than_one_class_above_it() -> None:
    chains = {one: line_above(one) for one in classes() if not is_exempt(one)}
    assert {one: line for one, line in chains.items() if len(line) > 1} == {}
    assert is_exempt(Class("scorekeeper.core.errors", "Impossible"))


@pytest.mark.parametrize(
    ("importer", "imported", "allowed"),
    [
        ("scorekeeper.engine.round", "scorekeeper.engine.ruleset", True),
        ("scorekeeper.engine.ruleset", "scorekeeper.ruleset.schema", True),
        ("scorekeeper.ruleset.schema", "scorekeeper.engine.ruleset", False),
        ("scorekeeper.phases.one", "scorekeeper.engine.round", True),
        ("scorekeeper.phases.one", "scorekeeper.match.match", False),
        ("scorekeeper.match.match", "scorekeeper.engine.round", True),
        ("scorekeeper.match.match", "scorekeeper.phases.one", False),
        ("scorekeeper.render.sheet", "scorekeeper.history.league", True),
        ("scorekeeper.render.sheet", "scorekeeper.store.book", False),
        ("scorekeeper.session.live", "scorekeeper.phases.one", True),
        ("scorekeeper.ruleset.vocabulary", "scorekeeper.phases", True),
        ("scorekeeper.ruleset.vocabulary", "scorekeeper.phases.one", False),
        ("scorekeeper.phases", "scorekeeper.phases.one", True),
        ("scorekeeper.phases.one", "scorekeeper.phases.two", False),
        ("scorekeeper.phases.one.part", "scorekeeper.phases.two.part", False),
        ("scorekeeper.phases.one.part", "scorekeeper.phases.one.other", True),
        ("scorekeeper.phases.one", "scorekeeper.phases.one_part", True),
        ("scorekeeper.phases.one", "scorekeeper.phases.two_part", False),
        ("scorekeeper.match.match", "scorekeeper", False),
        ("scorekeeper.cli.main", "scorekeeper", True),
        ("scorekeeper.__main__", "scorekeeper.cli", True),
    ],
)
def test_the_import_law(importer: str, imported: str, allowed: bool) -> None:
    assert may_import(importer, imported) is allowed


def test_the_checks_see_every_kind_of_import() -> None:
    source = """
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import pathlib
else:
    import uuid
def later():
    from . import referee
    from .round import Round
    import_module(f"scorekeeper.phases.{name}")
    import os.path
    import sys
    print(sys.stdin)
"""
    tree = ast.parse(source)
    assert [each.module for each in imports(tree, "scorekeeper.engine.replay")] == [
        "typing",
        "uuid",
        "scorekeeper.engine.referee",
        "scorekeeper.engine.round",
        "scorekeeper.phases",
        "os.path",
        "sys",
    ]
    found = {what for _, what in impurities(tree, "scorekeeper.match.match", set())}
    assert found == {"import uuid", "import os.path", "print()", "sys.stdin"}


# Words of single games. Long ones are also matched inside other words.
GAME_WORDS = frozenset(
    {
        *("doppelkopf", "hochzeit", "kontra", "gesund", "neugeben", "fox", "charlie", "schwarz"),
        *("keine90", "keine60", "keine30", "damensolo", "bubensolo", "piksolo", "kreuzsolo"),
        *("herzsolo", "karosolo", "fleischlos", "schweinchen"),
        *("dudo", "calzo", "perudo", "palifico", "tonto", "trenes", "cuadra", "quina"),
        *("durak", "podkidnoy", "da-ban", "sheng-ji", "whist", "skat", "belote", "euchre"),
        *("schafkopf", "rufspiel", "wenz", "tractor", "ouvert"),
    }
)
# Words that are used everywhere, though games are called so too.
SUITS = {"hearts", "spades", "numbers"}
LONG = 5
CARD = re.compile(r"(10|[2-9TJQKA])[CSHD]|BJ|LJ")
HELP_KEYWORDS = {"help", "short_help", "epilog"}


class Text(NamedTuple):
    """A text with its line: a constant, an identifier or a comment."""

    line: int
    text: str
    constant: bool


def shipped_rulesets() -> set[str]:
    return set(SHIPPED)


def words(text: str) -> str:
    """Return the words of an identifier or a text in lower case, with a blank around each."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return " " + " ".join(re.findall(r"[^\W_]+", text.lower())) + " "


@cache
def game_words(text: str, banned: frozenset[str]) -> set[str]:
    """Return the banned words in `text`. A text that consists of cards is banned as a whole."""
    spaced = words(text)
    joined = spaced.replace(" ", "\0")
    found = {word for word in banned if words(word) in spaced}
    found |= {word for word in banned if len(word) >= LONG and word.replace("-", "") in joined}
    if text.split() and all(CARD.fullmatch(card) for card in text.split()):
        found.add(text)
    return found


def help_texts(tree: ast.Module) -> set[ast.expr]:
    """Return constants that only a reader sees: docstrings, and arguments such as `help=`."""
    shown: set[ast.expr] = set()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            shown.add(node.value)
        elif isinstance(node, ast.keyword) and node.arg in HELP_KEYWORDS:
            shown.update(part for part in ast.walk(node.value) if isinstance(part, ast.expr))
            if isinstance(node.value, ast.Name):
                names.add(node.value.id)
    for node in tree.body:
        if isinstance(node, ast.Assign) and {ast.unparse(each) for each in node.targets} <= names:
            shown.update(part for part in ast.walk(node.value) if isinstance(part, ast.expr))
    return shown


def texts(source: str) -> Iterator[Text]:
    """Yield every identifier, comment and text constant with its line, without help texts."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.NAME, tokenize.COMMENT):
            yield Text(token.start[0], token.string, False)
    tree = ast.parse(source)
    shown = help_texts(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in shown:
            yield Text(node.lineno, node.value, True)


def games_in(source: str, banned: frozenset[str]) -> list[tuple[int, str]]:
    found = set()
    for line, text, constant in texts(source):
        # As an identifier this side's name is a module of the standard library.
        if constant and text.strip().lower() == "re":
            found.add((line, text))
        found |= {(line, word) for word in game_words(text, banned)}
    return sorted(found)


def test_no_game_stands_in_python() -> None:
    banned = (GAME_WORDS | shipped_rulesets()) - SUITS

    def games(path: Path) -> list[tuple[int, str]]:
        in_its_name = [(0, word) for word in game_words(path.stem, banned)]
        return [*in_its_name, *games_in(path.read_text("utf-8"), banned)]

    assert wrong_in(modules(), games) == {}


@pytest.mark.parametrize(
    "source",
    [
        "def is_doppelkopf(): ...",
        "x = DudoPhase()",
        "say = 'the fox was caught'",
        "say = f'{name} says kontra'",
        "if side == 're': ...",
        "if card == 'QC': ...",
        "trumps = 'TH QC 10D'",
        "joker = 'BJ'",
        "name = 'da ban'",
        "name = 'DaBan'",
        "name = 'a-new-game'",
        "x = 1  # as in Durak",
        "Option(metavar='calzo')",
    ],
)
def test_a_game_in_python_is_found(source: str) -> None:
    assert games_in(source, GAME_WORDS | {"a-new-game"})


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring may show `Ben: dudo`."""',
        "def f():\n    'Kontra.'",
        "Option(help='such as doppelkopf')",
        "HELP = 'such as ' + 'durak'\nOption(epilog=HELP)",
        "import re\nre.compile('x')",
        "say = 'a foxglove, here and there'",
        "text = ''",
        "suits = 'CSHD'",
    ],
)
def test_what_is_no_game_is_let_be(source: str) -> None:
    assert games_in(source, GAME_WORDS) == []


def written() -> list[Path]:
    """Return the project's own texts."""
    found = [path for path in ROOT.iterdir() if path.suffix in {".md", ".toml"}]
    for folder in ("scorekeeper", "tests", "rulesets", "docs"):
        found += [p for p in (ROOT / folder).rglob("*") if p.suffix in {".md", ".toml", ".py"}]
    return sorted(found)


def test_nothing_is_left_for_later() -> None:
    # Put together, so that this line does not match.
    marks = ("TO" + "DO", "FIX" + "ME")

    def marked(path: Path) -> list[tuple[int, str]]:
        lines = path.read_text("utf-8").splitlines()
        return [(n, line) for n, line in enumerate(lines, 1) if any(m in line for m in marks)]

    assert wrong_in(written(), marked) == {}
