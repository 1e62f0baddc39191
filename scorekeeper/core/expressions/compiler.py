"""Compile an expression's syntax tree to Python source, and the source to a function.

An `ExpressionCompiler` checks each node and generates source for it. In the source, each measure is
replaced by a slot, which is a number in braces. Functions of cards need the pack, so they are
treated as measures with parentheses in their names, such as `suits()`. The measure `players()`
returns the players that a loop such as `any(each.…)` runs over.

A slot is filled with a look-up by name (`compile_by_name`), or with the function that reads the
measure from a round (`compile_in_round`). Groups of expressions share slots, so that common parts
are computed only once (`compile_rows`, `compile_first`). Only source generated here is compiled. It
contains no name from a ruleset, because measures are numbered and passed in as values.
"""

from __future__ import annotations

from math import ceil, floor
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from scorekeeper.core.expressions.parser import (
    DEPTH_HINT,
    EACH,
    HAND,
    HEAP,
    KINDS,
    MAX_DEPTH,
    MAX_NODES,
    NODES_HINT,
    NUMBER,
    OWN,
    PLAYERS,
    TOO_DEEP,
    TOO_MANY,
    BatchedMeasure,
    ExpressionError,
    ExpressionTooLarge,
    describe_node,
    dotted_name,
    not_allowed_error,
    number_source,
    too_large_error,
    unparse,
)
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Mapping, Sequence

    from scorekeeper.core.expressions.parser import Scope

    # In these types, `Any` is a round, a subject, or a value. `core` does not know the class of a
    # round, and only the generated source knows the kind of a value.
    ByName = Callable[[Callable[[str], Any]], Any]
    InRound = Callable[[Any, Any], Any]
    # Evaluates rows for several subjects. Each result is the row's number, the subject's number
    # (both from 0) and the value.
    RowsFunction = Callable[[Any, Sequence[Any]], list[tuple[int, int, Any]]]
    Namespace = dict[str, object]

_BUILTINS: Mapping[str, object] = {
    **{"__builtins__": {}, "ceil": ceil, "floor": floor, "abs": abs},
    **{"min": min, "max": max, "sum": sum, "any": any, "all": all, "enumerate": enumerate},
}
_LITERALS = {"true": "True", "false": "False"}
_ROUNDED = frozenset(("ceil", "floor", "abs"))
_ONE_NUMBER = {"min", "max"}
# The functions that take a set of cards, each with the kinds of its argument and of its result.
_OF_CARDS = {
    "count": ((HEAP, KINDS), NUMBER),
    "worth": ((HEAP,), NUMBER),
    "run": ((HEAP,), NUMBER),
    "suits": ((HEAP, KINDS), KINDS),
    "ranks": ((HEAP, KINDS), KINDS),
}
_OVER_PLAYERS = {"any": "any", "all": "all", "total": "sum", "most": "max", "least": "min"}
MAX_QUOTED = 40  # maximum number of characters quoted in a message
FUNCTIONS = frozenset((*_ROUNDED, *_ONE_NUMBER, *_OF_CARDS, *_OVER_PLAYERS))
_SIGNS = {
    "Add": "+",
    "Sub": "-",
    "Mult": "*",
    "Div": "/",
    "FloorDiv": "//",
    "Mod": "%",
    "USub": "-",
    "Not": "not ",
    "And": " and ",
    "Or": " or ",
    "Lt": "<",
    "LtE": "<=",
    "Gt": ">",
    "GtE": ">=",
    "Eq": "==",
    "NotEq": "!=",
}
_SET_SIGNS = {"BitAnd": "&", "BitOr": "|"}
# Each comparison operator, with the operator that replaces it if the two sides are swapped.
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_BOUNDS = {
    "<": "0, ceil({0})-1",
    "<=": "0, floor({0})",
    ">": "floor({0})+1, PLENTY",
    ">=": "ceil({0}), PLENTY",
    "==": "ceil({0}), floor({0})",
    "!=": "ceil({0}), floor({0})",
}
# Values that are the same for all subjects are computed once. None marks a value that has not been
# computed yet.
_LOOP = """def values(rnd, subjects):
    found = []
    {0}None
    for at, own in enumerate(subjects):
        {1}None
        {2}
    return found
"""
_ROW = """
        if {0}:
            found.append(({1}, at, {2}))
"""
_FIRST = """def first(rnd, own):
    {0}{1}None
    return {2} or 0
"""


class CompiledPart(NamedTuple):
    """The compiled part of an expression, with its source and the kind of its value.

    If the part refers to a hand, `hand` is the measure for that hand. `is_claim` is true for a
    condition about a hand (see `Expression.evaluate_claim`). If the part is a set of cards from
    that hand, `hand_kinds` is the source that computes their kinds.
    """

    source: str
    kind: str = NUMBER
    hand: str = ""
    is_claim: bool = False
    hand_kinds: str = ""


class ExpressionCompiler:
    """A compiler that checks the nodes of a syntax tree and generates source for them.

    `names` maps each measure, in order of first use, to the named expression that contains it, or
    to "". `used_parts` are the named expressions in use. `slots` maps measures and named
    expressions to slot numbers, and `parts` maps named expressions to their source. If `claiming`
    is true, conditions about hands become claims; otherwise they are numbers.
    """

    __slots__ = (
        *("_each", "_being_compiled", "claiming", "names", "nodes", "parts"),
        *("used_parts", "scope", "slots"),
    )

    def __init__(self, scope: Scope, claiming: bool) -> None:
        self.scope = scope
        self.claiming = claiming
        self.names: dict[str, str] = {}
        self.slots: dict[str, int] = {}
        self.parts: dict[str, str] = {}
        self.used_parts: set[str] = set()
        self.nodes = 0
        self._each = False
        # the named expressions that are currently being compiled
        self._being_compiled: list[str] = []

    def compile_text(self, text: str) -> CompiledPart:
        """Compile the text of an expression. The limit on its size applies to each text
        separately."""
        self.nodes = 0
        try:
            return self.compile_node(self.scope.parse(text), 0)
        except (RecursionError, MemoryError):
            raise not_allowed_error("an expression nested too deep") from None

    def compile_part(self, name: str, each: bool) -> CompiledPart:
        """Compile a named expression. `each` is true if it is used inside a loop over players."""
        self._each = each
        return self._compile_named(name, 0)

    def compile_node(self, node: ast.expr, depth: int) -> CompiledPart:
        import ast

        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise too_large_error(TOO_MANY, NODES_HINT)
        if depth > MAX_DEPTH:
            raise too_large_error(TOO_DEEP, DEPTH_HINT)
        depth += 1
        if isinstance(node, ast.Constant):
            return CompiledPart(number_source(node.value))
        if isinstance(node, ast.Name | ast.Attribute):
            return self._compile_name(node, depth)
        if isinstance(node, ast.UnaryOp):
            return self._compile_unary(node, depth)
        if isinstance(node, ast.BinOp):
            return self._compile_binary(node, depth)
        if isinstance(node, ast.BoolOp):
            return self._compile_bool(node, depth)
        if isinstance(node, ast.Compare):
            return self._compile_comparison(node, depth)
        if isinstance(node, ast.IfExp):
            return self._compile_choice(node, depth)
        if isinstance(node, ast.Call):
            return self._compile_call(node, depth)
        raise not_allowed_error(describe_node(node))

    def compile_number(self, node: ast.expr, depth: int) -> str:
        """Return the source for a part that must be a number, or a condition that concerns no
        hand."""
        part = self.compile_node(node, depth)
        if part.kind != NUMBER:
            what = "cards of a hand" if part.kind == HAND else "a set of cards"
            quoted = self._quote_node(node)
            raise not_allowed_error(f"{what} where a number is wanted: {quoted}", "count(…) of it")
        if part.is_claim:
            raise not_allowed_error(
                "a question about a hand inside a sum",
                "comparisons of count(hand & …) or count(dealt & …), joined by and, or, not",
            )
        return part.source

    def compile_condition(self, node: ast.expr, depth: int) -> CompiledPart:
        """Compile a part that must be a number or a condition."""
        part = self.compile_node(node, depth)
        return part if part.is_claim else CompiledPart(self._require_number(part))

    def _require_number(self, part: CompiledPart) -> str:
        if part.kind != NUMBER:
            raise not_allowed_error("a set of cards where a condition is wanted", "count(…) of it")
        return part.source

    # --- names

    def slot_for(self, name: str) -> str:
        """Return the slot for a name."""
        return f"{{{self.slots.setdefault(name, len(self.slots))}}}"

    def _compile_name(self, node: ast.Name | ast.Attribute, depth: int) -> CompiledPart:
        name = dotted_name(node)
        if name in _LITERALS:
            return CompiledPart(_LITERALS[name])
        if name in self.scope.parts:
            return self._compile_named(name, depth)
        if name.split(".")[0] == EACH and "." in name:
            if not self._each:
                raise not_allowed_error(
                    f"{name} outside any(…), all(…), total(…), most(…) and least(…)"
                )
            self._note_measure(name)
            return CompiledPart(self.slot_for(name), self.scope.kind_of(name) or NUMBER)
        kind = self.scope.kind_of(name)
        if name in FUNCTIONS and kind is None:
            raise not_allowed_error(f"{name} without brackets")
        self._note_measure(name)
        if kind == HAND and self.claiming:
            return CompiledPart("", HAND, name)
        if kind == HAND:
            return CompiledPart(
                self.slot_for(name), HEAP, name, hand_kinds=self.slot_for("every()")
            )
        return CompiledPart(self.slot_for(name), kind or NUMBER)

    def _quote_node(self, node: ast.expr) -> str:
        """Return part of an expression as text for a message. A named expression is shown by its
        name."""
        import ast

        if (
            isinstance(node, ast.Name | ast.Attribute)
            and (name := dotted_name(node)) in self.scope.parts
        ):
            return f"{name} of [let]"
        return quote(unparse(node), MAX_QUOTED)

    def _note_measure(self, name: str) -> None:
        """Record the name of a measure, and the named expression in which it first occurs."""
        self.names.setdefault(name, self._being_compiled[-1] if self._being_compiled else "")

    def _compile_named(self, name: str, depth: int) -> CompiledPart:
        """Compile a named expression where it is used. An error in it reports its name."""
        if name in self._being_compiled:
            raise not_allowed_error(f"{name}, which refers to itself")
        self._being_compiled.append(name)
        try:
            part = self.compile_node(self.scope.parse(self.scope.parts[name]), depth)
        except ExpressionTooLarge:
            raise
        except ExpressionError as error:
            error.part = error.part or name
            raise
        self._being_compiled.pop()
        self.used_parts.add(name)
        if not part.source or part.hand or part.is_claim or self._each:
            return part._replace(source=f"({part.source})") if part.source else part
        self.parts[name] = f"({part.source})"
        return part._replace(source=self.slot_for(name))

    # --- operators

    def _compile_unary(self, node: ast.UnaryOp, depth: int) -> CompiledPart:
        kind = type(node.op).__name__
        if kind == "Invert":
            part = self.compile_node(node.operand, depth)
            if part.kind != KINDS:
                problem = (
                    f"~ before something other than kinds of card: {self._quote_node(node.operand)}"
                )
                raise not_allowed_error(problem, "~ before kinds")
            return CompiledPart(f"(~{part.source})", KINDS)
        if kind == "Not":
            part = self.compile_condition(node.operand, depth)
            if part.is_claim:
                return CompiledPart(f"negated({part.source})", is_claim=True)
            return CompiledPart(f"(not {part.source})")
        return CompiledPart(f"({_sign(node.op)}{self.compile_number(node.operand, depth)})")

    def _compile_binary(self, node: ast.BinOp, depth: int) -> CompiledPart:
        sign = _SET_SIGNS.get(type(node.op).__name__)
        if sign is None:
            left, right = (
                self.compile_number(node.left, depth),
                self.compile_number(node.right, depth),
            )
            return CompiledPart(f"({left}{_sign(node.op)}{right})")
        one, two = self.compile_node(node.left, depth), self.compile_node(node.right, depth)
        if NUMBER in (one.kind, two.kind):
            quoted = self._quote_node(node.left if one.kind == NUMBER else node.right)
            raise not_allowed_error(f"a number joined by {sign}: {quoted}", "sets of cards")
        if KINDS not in (one.kind, two.kind) and sign == "&":
            raise not_allowed_error("& without kinds of card", "a heap & kinds, kinds & kinds")
        if sign == "|":
            return self._compile_union(one, two)
        if HAND in (one.kind, two.kind):
            hand, other = (one, two) if one.kind == HAND else (two, one)
            both = f"({hand.source}&{other.source})" if hand.source else other.source
            return CompiledPart(both, HAND, hand.hand)
        kind = HEAP if one.kind != two.kind else KINDS
        heap, kinds = (one, two) if one.hand_kinds else (two, one)
        of_hand = f"({heap.hand_kinds}&{kinds.source})" if heap.hand_kinds else ""
        return CompiledPart(f"({one.source}&{two.source})", kind, heap.hand, hand_kinds=of_hand)

    def _compile_union(self, one: CompiledPart, two: CompiledPart) -> CompiledPart:
        """Compile the union of two sets of the same kind.

        The union of two multisets has all cards of both.
        """
        if one.kind != two.kind or one.kind == HAND:
            raise not_allowed_error(
                "| between different kinds of value", "kinds | kinds, a heap | a heap"
            )
        if one.kind == KINDS:
            return CompiledPart(f"({one.source}|{two.source})", KINDS)
        return CompiledPart(f"{self.slot_for('together()')}({one.source}, {two.source})", HEAP)

    def _compile_bool(self, node: ast.BoolOp, depth: int) -> CompiledPart:
        parts = [self.compile_condition(value, depth) for value in node.values]
        if not any(part.is_claim for part in parts):
            return CompiledPart(f"({_sign(node.op).join(part.source for part in parts)})")
        how = "both" if type(node.op).__name__ == "And" else "either"
        conditions = ", ".join(f"lambda: {part.source}" for part in parts)
        return CompiledPart(f"{how}(({conditions},))", is_claim=True)

    def _compile_comparison(self, node: ast.Compare, depth: int) -> CompiledPart:
        first = self._compile_side(node.left, depth)
        if len(node.ops) == 1:
            last = self._compile_side(node.comparators[0], depth)
            sign = _sign(node.ops[0])
            if first.kind == HAND:
                return self._compile_claim(first, sign, last)
            if last.kind == HAND:
                return self._compile_claim(last, _MIRRORED[sign], first)
            return CompiledPart(f"({first.source}{sign}{last.source})")
        text = first.source
        for sign_node, right in zip(node.ops, node.comparators, strict=True):
            text += _sign(sign_node) + self.compile_number(right, depth)
        if first.kind == HAND:
            raise not_allowed_error(
                "a chain of comparisons of a hand", "two comparisons joined by and"
            )
        return CompiledPart(f"({text})")

    def _compile_side(self, node: ast.expr, depth: int) -> CompiledPart:
        """Compile one side of a comparison: a number, or (kind HAND) the number of cards in a
        hand."""
        import ast

        is_count = (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "count"
            and len(node.args) == 1
        )
        if self.claiming and is_count and isinstance(node, ast.Call):
            part = self.compile_node(node.args[0], depth)
            if part.kind == HAND:
                return part
        return CompiledPart(self.compile_number(node, depth))

    def _compile_claim(self, counted: CompiledPart, sign: str, than: CompiledPart) -> CompiledPart:
        if than.kind == HAND:
            raise not_allowed_error("two hands compared with one another", "a hand and a number")
        cards, name = counted.source or "-1", counted.hand
        bounds = _BOUNDS[sign].format(than.source)
        claim = f"within(*{self.slot_for(name + '()')}({cards}), {bounds})"
        return CompiledPart(f"negated({claim})" if sign == "!=" else claim, is_claim=True)

    def _compile_choice(self, node: ast.IfExp, depth: int) -> CompiledPart:
        test = self.compile_number(node.test, depth)
        one, two = self.compile_node(node.body, depth), self.compile_node(node.orelse, depth)
        if one.kind != two.kind or HAND in (one.kind, two.kind):
            raise not_allowed_error(
                "a choice between different kinds of value", "two of the same kind"
            )
        asks = one.is_claim or two.is_claim
        return CompiledPart(f"({one.source} if {test} else {two.source})", one.kind, is_claim=asks)

    # --- calls

    def _compile_call(self, node: ast.Call, depth: int) -> CompiledPart:
        import ast

        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS:
            raise not_allowed_error(f"a call of {quote(_callee_text(node.func))}")
        if node.keywords:
            raise not_allowed_error(f"a named argument of {name}")
        if name in _OF_CARDS:
            return self._compile_of_cards(name, node, depth)
        if name in _OVER_PLAYERS and len(node.args) == 1:
            return self._compile_over_players(name, node, depth)
        count = len(node.args)
        if count != 1 if name in _ROUNDED else count < 2 or name in _OVER_PLAYERS:
            one = name in _ROUNDED or name in _OVER_PLAYERS
            wanted = "one value" if one else "two values or more"
            raise not_allowed_error(f"{name} of {count} values, where it takes {wanted}")
        return CompiledPart(
            f"{name}({', '.join(self.compile_number(part, depth) for part in node.args)})"
        )

    def _compile_of_cards(self, name: str, node: ast.Call, depth: int) -> CompiledPart:
        if len(node.args) != 1:
            raise not_allowed_error(
                f"{name} of {len(node.args)} values, where it takes one set of cards"
            )
        part = self.compile_node(node.args[0], depth)
        takes, gives = _OF_CARDS[name]
        if part.kind == HAND:
            raise not_allowed_error(
                f"{name} of a hand here", "count(hand & …) compared with a number"
            )
        if part.kind not in takes:
            raise not_allowed_error(f"{name} of {part.kind}", " or ".join(takes))
        if name == "count" and part.hand_kinds:
            return CompiledPart(f"{self.slot_for(part.hand + '.count()')}({part.hand_kinds})")
        if name == "count":
            cards = (
                part.source if part.kind == HEAP else f"{self.slot_for('every()')}&{part.source}"
            )
            return CompiledPart(f"({cards}).bit_count()")
        return CompiledPart(f"{self.slot_for(name + '()')}({part.source})", gives)

    def _compile_over_players(self, name: str, node: ast.Call, depth: int) -> CompiledPart:
        if self._each:
            raise not_allowed_error(f"{name} inside another loop over players")
        self._each = True
        inner = self.compile_number(node.args[0], depth)
        self._each = False
        return CompiledPart(
            f"{_OVER_PLAYERS[name]}([{inner} for each in {self.slot_for(PLAYERS)}])"
        )


def _sign(operator: ast.AST) -> str:
    sign = _SIGNS.get(type(operator).__name__)
    if sign is None:
        raise not_allowed_error(describe_node(operator))
    return sign


def _callee_text(node: ast.expr) -> str:
    import ast

    return dotted_name(node) if isinstance(node, ast.Name | ast.Attribute) else "a value"


# --- filling slots and compiling source


def compile_by_name(
    reader: ExpressionCompiler, source: str, words: Mapping[str, object] = MappingProxyType({})
) -> ByName:
    """Return a compiled function. Its argument `get` is a function that looks up a measure by
    name."""
    known: Namespace = {**_BUILTINS, **words}
    filled: list[str] = []
    for name, slot in reader.slots.items():
        part = reader.parts.get(name)
        known[f"n{slot}"] = name
        look = EACH if _is_of_each(name) else "get"
        filled.append(f"{look}(n{slot})" if part is None else part.format(*filled))
    return cast("ByName", _run_source(f"lambda get: {source.format(*filled)}", "eval", known))


def compile_in_round(reader: ExpressionCompiler, source: str) -> InRound:
    """Return a compiled function that takes a round and a subject."""
    known: Namespace = dict(_BUILTINS)
    filled: list[str] = []
    for name, slot in reader.slots.items():
        part = reader.parts.get(name)
        read = (
            _measure_source(reader.scope, name, slot, known)[0]
            if part is None
            else part.format(*filled)
        )
        filled.append(read)
    return cast("InRound", _run_source(f"lambda rnd, own: {source.format(*filled)}", "eval", known))


def compile_rows(pairs: Sequence[tuple[str, str]], scope: Scope) -> tuple[RowsFunction, bool]:
    """Compile pairs of a condition and a value to a function that returns the values that apply.

    Also return whether these values are the same for every subject. Raises ExpressionError if a
    string is not an expression.
    """
    reader = ExpressionCompiler(scope, False)
    texts = [
        (reader.compile_text(when).source, reader.compile_text(number).source)
        for when, number in pairs
    ]
    row = "".join([_ROW.format(when, at, number) for at, (when, number) in enumerate(texts)])
    shared = _SharedSlots(reader, row)
    return cast("RowsFunction", shared.build(_LOOP, row, "values")), all(shared.same_for_all)


def compile_first(conditions: Sequence[str], scope: Scope) -> InRound:
    """Compile conditions to a function that returns the number of the first one that holds, or 0.

    Numbers count from 1. Raises ExpressionError if a string is not an expression.
    """
    reader = ExpressionCompiler(scope, False)
    sources = [reader.compile_text(text).source for text in conditions]
    row = " or ".join([f"{source} and {number}" for number, source in enumerate(sources, 1)])
    return cast("InRound", _SharedSlots(reader, row).build(_FIRST, row, "first"))


class _SharedSlots:
    """The slots shared by several expressions in a `row`. A value used twice is computed only once.

    `same_for_all` states for each slot whether its value is the same for every subject. Both
    strings in `assignments` begin a statement that resets variables. The string under True resets
    the variables for values that are the same for every subject, and the string under False resets
    the others.
    """

    __slots__ = ("assignments", "filled", "known", "places", "row", "same_for_all", "scope")

    def __init__(self, reader: ExpressionCompiler, row: str) -> None:
        self.scope = reader.scope
        self.row = row + "".join(reader.parts.values())
        self.known: Namespace = dict(_BUILTINS)
        self.filled: list[str] = []
        self.same_for_all: list[bool] = []
        self.assignments = {True: "", False: ""}
        # variables for measures that are read together
        self.places: dict[tuple[int, bool], str] = {}
        for name, slot in reader.slots.items():
            part = reader.parts.get(name)
            self.filled.append(
                self._fill_measure(name, slot) if part is None else self._fill_part(slot, part)
            )

    def build(self, form: str, row: str, name: str) -> object:
        """Insert the row into the template `form`, compile it, and return the function called
        `name`."""
        source = form.format(
            self.assignments[True], self.assignments[False], row.format(*self.filled)
        )
        _run_source(source, "exec", self.known)
        return self.known[name]

    def _fill_measure(self, name: str, slot: int) -> str:
        source, same = _measure_source(self.scope, name, slot, self.known)
        self.same_for_all.append(same)
        # Read these values directly, because they are cheap to compute or differ between players.
        if name.endswith(")") or _is_of_each(name):
            return source
        read = self.known[f"r{slot}"]
        if isinstance(read, BatchedMeasure):
            all_of, _, item = source.partition("[")
            place = self.places.get((id(read.read_all), same))
            if place is None:
                self.assignments[same] += f"v{slot} = "
                place = self.places[id(read.read_all), same] = f"(v{slot} or (v{slot} := {all_of}))"
            return f"{place}[{item}"
        return self._compute_once(slot, source) if self._is_reused(slot) else source

    def _fill_part(self, slot: int, part: str) -> str:
        source = part.format(*self.filled)
        self.same_for_all.append(
            all(self.same_for_all[n] for n in range(slot) if f"{{{n}}}" in part)
        )
        return self._compute_once(slot, source) if self._is_reused(slot) else source

    def _is_reused(self, slot: int) -> bool:
        """Return whether a value is used again, for the same subject or for a later one."""
        return self.same_for_all[slot] or self.row.count(f"{{{slot}}}") > 1

    def _compute_once(self, slot: int, source: str) -> str:
        self.assignments[self.same_for_all[slot]] += f"v{slot} = "
        return f"(v{slot} if v{slot} is not None else (v{slot} := {source}))"


def _is_of_each(name: str) -> bool:
    return name.startswith(f"{EACH}.")


def _measure_source(scope: Scope, name: str, slot: int, known: Namespace) -> tuple[str, bool]:
    """Return the source that reads a measure, and whether its value is the same for every
    subject."""
    assert scope.find_reader is not None
    read, same = scope.find_reader(name)
    known[f"r{slot}"] = read
    about, same = (EACH, True) if _is_of_each(name) else (OWN, same)
    if not isinstance(read, BatchedMeasure):
        return f"r{slot}(rnd, {about})", same
    known[f"a{slot}"], known[f"k{slot}"] = read.read_all, read.key
    return f"a{slot}(rnd, {about})[k{slot}]", same


def _run_source(source: str, mode: str, known: Namespace) -> object:
    """Run source that this module has generated, and return its value."""
    try:
        return eval(compile(source, "<ruleset>", mode), known)
    except (RecursionError, MemoryError, SyntaxError):
        raise not_allowed_error("an expression nested too deep") from None
