"""Compile an expression's syntax tree to Python source, and the source to a function.

An `ExpressionCompiler` checks each node and generates source for it. In the source, a slot (a
number in braces) replaces each measure and each named expression. A function of cards, such as
`suits`, is treated as a measure because it needs the pack. The measure's name ends in parentheses
(`suits()`). The measures in `LOOPS` list the elements that a loop such as `any(each.…)` or
`most(count(… & suit))` iterates over.

A slot is filled with a look-up by name (`compile_by_name`), or with the function that reads the
measure from a round (`compile_in_round`). Groups of expressions share slots, so that common parts
are computed only once (`compile_rows`, `compile_first`). Only source generated here is compiled. It
contains no name from a ruleset, because measures are numbered and passed in as values.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import ceil, floor
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from scorekeeper.core.expressions.parser import (
    DEPTH_HINT,
    EACH,
    ELEMENT,
    HAND,
    HEAP,
    KINDS,
    LOOPS,
    MAX_ALL_NODES,
    MAX_DEPTH,
    MAX_NODES,
    MAX_QUOTED,
    NODES_HINT,
    NUMBER,
    OWN,
    PARTS_DEPTH_HINT,
    PARTS_HINT,
    PARTS_TOO_DEEP,
    PARTS_TOO_MANY,
    TOO_DEEP,
    TOO_MANY,
    TRUTH,
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
_COUNTED = (NUMBER, TRUTH)  # the kinds of values that can be added; a truth value counts as 1 or 0
# The functions that take a set of cards, each with the kinds of its argument and of its result.
_OF_CARDS = {
    "count": ((HEAP, KINDS), NUMBER),
    "worth": ((HEAP,), NUMBER),
    "sequence": ((HEAP,), NUMBER),
    "matadors": ((HEAP,), NUMBER),
    "suits": ((HEAP, KINDS), KINDS),
    "ranks": ((HEAP, KINDS), KINDS),
}
RENAMED_FUNCTIONS = {"run": "matadors"}  # functions that have another name in older pinned rulesets
_LOOPING = {"any": "any", "all": "all", "total": "sum", "most": "max", "least": "min"}
# loops over conditions, each with the function that replaces it if the conditions may be claims
_OF_CONDITIONS = {"any": "either", "all": "both"}

FUNCTIONS = frozenset((*_ROUNDED, *_ONE_NUMBER, *_OF_CARDS, *_LOOPING))
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
    {same}None{functions}
    for at, own in enumerate(subjects):
        {differing}None
        {row}
    return found
"""
_ROW = """
        if {0}:
            found.append(({1}, at, {2}))
"""
_FIRST = """def first(rnd, own):
    {same}{differing}None{functions}
    return {row} or 0
"""
_ONE = """def value({takes}):
    {same}{differing}None{functions}
    return {row}
"""
# A named expression that is used several times is compiled to a function. The function computes the
# value once, or once for each element of a loop on which the value depends.
_PART = """
    def p{slot}():
        nonlocal {variables}
        if v{slot} is None:
            v{slot} = {source}
        return v{slot}"""
_PART_OF_EACH = """
    def p{slot}({takes}):
        nonlocal {variables}
        if v{slot} is None:
            v{slot} = {{}}
        if ({takes}) not in v{slot}:
            v{slot}[{takes}] = {source}
        return v{slot}[{takes}]"""
MAX_INLINE = 20  # a named expression with at most this many parts is inlined


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
    expressions to slot numbers, and `parts` maps named expressions to their source. Some named
    expressions have a different value for each element of a loop. `each_parts` maps each of these
    to its elements, which are keys of `LOOPS`. `small_parts` are the named expressions that are
    short enough to inline. If `claiming` is true, conditions about hands become claims; otherwise
    they are numbers.
    """

    __slots__ = (
        *("_all_nodes", "_being_compiled", "_elements", "_elements_of", "_known_parts"),
        *("_running", "claiming", "each_parts", "names", "nodes", "parts", "scope", "slots"),
        *("small_parts", "used_parts"),
    )

    def __init__(self, scope: Scope, claiming: bool) -> None:
        self.scope = scope
        self.claiming = claiming
        self.names: dict[str, str] = {}
        self.slots: dict[str, int] = {}
        self.parts: dict[str, str] = {}
        self.each_parts: dict[str, tuple[str, ...]] = {}
        self.small_parts: set[str] = set()
        self.used_parts: set[str] = set()
        self.nodes = 0
        self._all_nodes = 0
        self._running: frozenset[str] = frozenset()  # the elements of the enclosing loops
        self._elements: set[str] = set()  # elements that the text uses outside its loops
        # the named expressions that are currently being compiled
        self._being_compiled: list[str] = []
        # each compiled named expression, and the elements that it uses outside its loops
        self._known_parts: dict[str, tuple[CompiledPart, set[str]]] = {}
        # the elements that each named expression uses outside its loops
        self._elements_of: dict[str, set[str]] = {}

    def compile_text(self, text: str) -> CompiledPart:
        """Compile the text of an expression. The limit on its size applies to each text
        separately."""
        self.nodes = self._all_nodes = 0
        try:
            return self.compile_node(self.scope.parse(text), 0)
        except (RecursionError, MemoryError):
            raise not_allowed_error("an expression nested too deep") from None

    def compile_part(self, name: str, each: bool) -> CompiledPart:
        """Compile a named expression. `each` is true if the expression is used inside loops."""
        self._running = frozenset(LOOPS if each else ())
        return self._compile_named(name)

    def compile_node(self, node: ast.expr, depth: int) -> CompiledPart:
        import ast

        self.nodes += 1
        self._all_nodes += 1
        if self.nodes > MAX_NODES:
            raise not_allowed_error(TOO_MANY, NODES_HINT)
        if self._all_nodes > MAX_ALL_NODES:
            raise too_large_error(PARTS_TOO_MANY, PARTS_HINT)
        if depth > MAX_DEPTH:
            raise not_allowed_error(TOO_DEEP, DEPTH_HINT)
        depth += 1
        if isinstance(node, ast.Constant):
            return CompiledPart(number_source(node.value))
        if isinstance(node, ast.Name | ast.Attribute):
            return self._compile_name(node)
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
        """Return the source for a part that must be a number, or a condition that does not depend
        on a hand."""
        return self._compile_counted(node, depth).source

    def _compile_counted(self, node: ast.expr, depth: int) -> CompiledPart:
        return self._require_counted(self.compile_node(node, depth), node)

    def _require_counted(self, part: CompiledPart, node: ast.expr) -> CompiledPart:
        """Return the part if it is a number, or a condition that does not depend on a hand. Raises
        ExpressionError for any other part."""
        if part.kind not in _COUNTED:
            what = "cards of a hand" if part.kind == HAND else "a set of cards"
            quoted = self._quote_node(node)
            raise not_allowed_error(f"{what} where a number is wanted: {quoted}", "count(…) of it")
        if part.is_claim:
            raise not_allowed_error(
                "a question about a hand inside a sum",
                "comparisons of count(hand & …) or count(dealt & …), joined by and, or, not",
            )
        return part

    def compile_condition(self, node: ast.expr, depth: int) -> CompiledPart:
        """Compile a part that must be a condition."""
        part = self.compile_node(node, depth)
        if part.kind not in _COUNTED:
            raise not_allowed_error("a set of cards where a condition is wanted", "count(…) of it")
        if part.kind == NUMBER and self.scope.separates_truths:
            raise self._number_as_condition(node)
        return part

    def _number_as_condition(self, node: ast.expr) -> ExpressionError:
        """Return the error for a number that is used as a condition."""
        return number_as_condition_error(self._quote_node(node), quote(unparse(node), MAX_QUOTED))

    # --- names

    def slot_for(self, name: str) -> str:
        """Return the slot for a name."""
        return f"{{{self.slots.setdefault(name, len(self.slots))}}}"

    def _compile_name(self, node: ast.Name | ast.Attribute) -> CompiledPart:
        name = dotted_name(node)
        if name in _LITERALS:
            return CompiledPart(_LITERALS[name], TRUTH)
        if name in self.scope.parts:
            return self._compile_named(name)
        kind, element = self.scope.kind_of(name), self._element_in(name)
        if element:
            if element not in self._running:
                raise not_allowed_error(
                    f"{name} outside any(…), all(…), total(…), most(…) and least(…)"
                )
            self._note_measure(name)
            self._elements.add(element)
            is_of_pack = kind == ELEMENT
            return CompiledPart(
                name if is_of_pack else self.slot_for(name), KINDS if is_of_pack else kind or NUMBER
            )
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
        """Record a measure, and the named expression in which it first occurs."""
        self.names.setdefault(name, self._being_compiled[-1] if self._being_compiled else "")

    def _compile_named(self, name: str) -> CompiledPart:
        """Compile a named expression, reusing an earlier result where possible. An error in the
        expression reports its name."""
        if name in self._being_compiled:
            raise not_allowed_error(f"{name}, which refers to itself")
        known = self._known_parts.get(name)
        if known is None or not self._running.issuperset(known[1]):
            known = self._known_parts[name] = self._compile_named_text(name)
        part, elements = known
        self._elements |= elements
        return part

    def _compile_named_text(self, name: str) -> tuple[CompiledPart, set[str]]:
        if len(self._being_compiled) >= MAX_DEPTH:
            raise too_large_error(PARTS_TOO_DEEP, PARTS_DEPTH_HINT)
        before = self.nodes, self._elements, self._running
        nodes_before = self._all_nodes
        self.nodes, self._elements = 0, set()
        self._being_compiled.append(name)
        try:
            node = self.scope.parse(self.scope.parts[name])
            # The value depends only on the elements that the expression names.
            self._running &= self._elements_named(node)
            part = self.compile_node(node, 0)
        except ExpressionTooLarge:
            raise
        except ExpressionError as error:
            error.part = error.part or name
            raise
        self._being_compiled.pop()
        self.used_parts.add(name)
        small = self._all_nodes - nodes_before <= MAX_INLINE
        slot = self._slot_of_part(name, part.source, small)
        kinds = self._slot_of_part(f"{name} {KINDS}", part.hand_kinds, small)
        known = part._replace(source=slot, hand_kinds=kinds), self._elements
        self.nodes, self._elements, self._running = before
        return known

    def _slot_of_part(self, name: str, source: str, small: bool) -> str:
        """Store the source of a named expression and return its slot, or "" if the source is
        empty."""
        if not source:
            return ""
        self.parts[name] = source
        if self._elements:
            self.each_parts[name] = tuple(each for each in LOOPS if each in self._elements)
        if small:
            self.small_parts.add(name)
        return self.slot_for(name)

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
                return CompiledPart(f"negated({part.source})", TRUTH, is_claim=True)
            return CompiledPart(f"(not {part.source})", TRUTH)
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
        for part, side in ((one, node.left), (two, node.right)):
            if part.kind in _COUNTED:
                quoted = self._quote_node(side)
                raise not_allowed_error(f"{part.kind} joined by {sign}: {quoted}", "sets of cards")
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
            return CompiledPart(f"({_sign(node.op).join(part.source for part in parts)})", TRUTH)
        how = "both" if type(node.op).__name__ == "And" else "either"
        conditions = ", ".join(f"lambda: {part.source}" for part in parts)
        return CompiledPart(f"{how}(({conditions},))", TRUTH, is_claim=True)

    def _compile_comparison(self, node: ast.Compare, depth: int) -> CompiledPart:
        sides = [self._compile_side(node.left, depth)]
        if len(node.ops) == 1:
            sides.append(self._compile_side(node.comparators[0], depth))
        else:
            sides += [self._compile_counted(right, depth) for right in node.comparators]
        signs = [_sign(operator) for operator in node.ops]
        self._require_same_kind(node, sides)
        for at, part in enumerate(sides):
            if part.kind == HAND and len(sides) > 2:
                raise not_allowed_error(
                    "a chain of comparisons of a hand", "two comparisons joined by and"
                )
            if part.kind == HAND:
                sign = _MIRRORED[signs[0]] if at else signs[0]
                return self._compile_claim(part, sign, sides[1 - at])
        text = sides[0].source
        for sign, right in zip(signs, sides[1:], strict=True):
            text += sign + right.source
        return CompiledPart(f"({text})", TRUTH)

    def _require_same_kind(self, node: ast.Compare, sides: Sequence[CompiledPart]) -> None:
        """Raise ExpressionError if a truth value is compared with a number."""
        nodes = [node.left, *node.comparators]
        truths = [part.kind == TRUTH for part in sides]
        if self.scope.separates_truths and any(truths) and not all(truths):
            what = quote(unparse(nodes[truths.index(True)]), MAX_QUOTED)
            found = f"a truth compared with a number: {quote(unparse(node), MAX_QUOTED)}"
            raise not_allowed_error(found, f"{what} alone, or not {what}")

    def _compile_side(self, node: ast.expr, depth: int) -> CompiledPart:
        """Compile one side of a comparison: a number, or the number of cards in a hand (kind
        HAND)."""
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
        return self._compile_counted(node, depth)

    def _compile_claim(self, counted: CompiledPart, sign: str, than: CompiledPart) -> CompiledPart:
        if than.kind == HAND:
            raise not_allowed_error("two hands compared with one another", "a hand and a number")
        cards, name = counted.source or "-1", counted.hand
        bounds = _BOUNDS[sign].format(than.source)
        claim = f"within(*{self.slot_for(name + '()')}({cards}), {bounds})"
        return CompiledPart(f"negated({claim})" if sign == "!=" else claim, TRUTH, is_claim=True)

    def _compile_choice(self, node: ast.IfExp, depth: int) -> CompiledPart:
        test = self.compile_condition(node.test, depth)
        if test.is_claim:
            raise not_allowed_error(
                "a question about a hand before else", "conditions joined by and, or, not"
            )
        one, two = self.compile_node(node.body, depth), self.compile_node(node.orelse, depth)
        kind = one.kind
        if one.kind != two.kind and one.kind in _COUNTED and two.kind in _COUNTED:
            kind = NUMBER
        elif one.kind != two.kind or kind == HAND:
            raise not_allowed_error(
                "a choice between different kinds of value", "two of the same kind"
            )
        asks = one.is_claim or two.is_claim
        source = f"({one.source} if {test.source} else {two.source})"
        return CompiledPart(source, kind, is_claim=asks)

    # --- calls

    def _compile_call(self, node: ast.Call, depth: int) -> CompiledPart:
        import ast

        name = node.func.id if isinstance(node.func, ast.Name) else ""
        now = RENAMED_FUNCTIONS.get(name, name)
        if now != name and self.scope.separates_truths:
            raise not_allowed_error(f"{name}(…), which is called {now}(…)", f"{now}(…)")
        name = now
        if name not in FUNCTIONS:
            raise not_allowed_error(f"a call of {quote(_callee_text(node.func))}")
        if node.keywords:
            raise not_allowed_error(f"a named argument of {name}")
        if name in _OF_CARDS:
            return self._compile_of_cards(name, node, depth)
        if name in _LOOPING and len(node.args) == 1:
            return self._compile_loop(name, node, depth)
        count = len(node.args)
        if count != 1 if name in _ROUNDED else count < 2 or name in _LOOPING:
            one = name in _ROUNDED or name in _LOOPING
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

    # --- loops

    def _compile_loop(self, name: str, node: ast.Call, depth: int) -> CompiledPart:
        """Compile a loop. The loop iterates over the elements that it names, except those of
        enclosing loops. If it names no element, it iterates over the players."""
        argument, around, named = node.args[0], self._running, self._elements
        inside = self._elements_named(argument)
        runs = [each for each in LOOPS if each in inside and each not in around]
        if not runs and (around or _has_loop(argument)):
            raise not_allowed_error(
                f"{name} that names nothing to run through: {quote(unparse(node), MAX_QUOTED)}",
                "each.…, suit, rank or face in it, other than in a loop around it or inside it",
            )
        runs = runs or [EACH]
        self._running, self._elements = around.union(runs), set()
        inner = self.compile_node(argument, depth)
        self._running, self._elements = around, named | self._elements.difference(runs)
        loops = " ".join([f"for {each} in {self.slot_for(LOOPS[each])}" for each in runs])
        is_condition = name in _OF_CONDITIONS
        if inner.is_claim and is_condition and EACH not in runs:
            takes = ", ".join([f"{each}={each}" for each in runs])
            claims = f"{_OF_CONDITIONS[name]}([lambda {takes}: {inner.source} {loops}])"
            return CompiledPart(claims, TRUTH, is_claim=True)
        self._require_counted(inner, argument)
        if is_condition and inner.kind == NUMBER and self.scope.separates_truths:
            raise self._number_as_condition(argument)
        source = f"{_LOOPING[name]}([{inner.source} {loops}])"
        return CompiledPart(source, TRUTH if is_condition else NUMBER)

    def _element_in(self, name: str) -> str:
        """Return the loop element to which a measure refers, or "" if it refers to none."""
        if name.startswith(f"{EACH}."):
            return EACH
        return name if self.scope.kind_of(name) == ELEMENT else ""

    def _elements_named(self, node: ast.expr) -> set[str]:
        """Return the elements that a part of an expression uses outside its loops."""
        import ast

        found: set[str] = set()
        rest: list[ast.AST] = [node]
        while rest:
            part = rest.pop()
            if isinstance(part, ast.Name | ast.Attribute):
                found |= self._elements_of_name(dotted_name(part))
            elif not _is_loop(part):
                rest += ast.iter_child_nodes(part)
        return found

    def _elements_of_name(self, name: str) -> set[str]:
        if name not in self.scope.parts:
            element = self._element_in(name)
            return {element} if element else set()
        if name not in self._elements_of:
            self._elements_of[name] = set()  # stops the recursion if a name refers to itself
            node = self.scope.parse(self.scope.parts[name])
            self._elements_of[name] = self._elements_named(node)
        return self._elements_of[name]


def _is_loop(node: ast.AST) -> bool:
    """Return whether a node is a call that iterates over elements."""
    import ast

    if not isinstance(node, ast.Call) or len(node.args) != 1:
        return False
    return isinstance(node.func, ast.Name) and node.func.id in _LOOPING


def _has_loop(node: ast.AST) -> bool:
    import ast

    return any(map(_is_loop, ast.walk(node)))


def number_as_condition_error(what: str, text: str) -> ExpressionError:
    """Return the error for a number that is used as a condition."""
    allowed = f"a comparison, such as {text} > 0"
    return not_allowed_error(f"a number where a condition is wanted: {what}", allowed)


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
    return cast("ByName", _SlotsByName(reader, source, words).build_one("get", source))


def compile_in_round(reader: ExpressionCompiler, source: str) -> InRound:
    """Return a compiled function that takes a round and a subject."""
    return cast("InRound", _SlotsInRound(reader, source).build_one("rnd, own", source))


def compile_rows(pairs: Sequence[tuple[str, str]], scope: Scope) -> tuple[RowsFunction, bool]:
    """Compile pairs of a condition and a value to a function.

    The function returns the values whose conditions hold. The second result is true if these
    values are the same for every subject. Raises ExpressionError if a string is not an
    expression.
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
    """Compile conditions to a function. It returns the number of the first condition that holds, or
    0.

    Numbers count from 1. Raises ExpressionError if a string is not an expression.
    """
    reader = ExpressionCompiler(scope, False)
    sources = [reader.compile_text(text).source for text in conditions]
    row = " or ".join([f"{source} and {number}" for number, source in enumerate(sources, 1)])
    return cast("InRound", _SharedSlots(reader, row).build(_FIRST, row, "first"))


class _Slots(ABC):
    """The source for each slot of a compiled `row`.

    `same_for_all` states for each slot whether its value is the same for every subject.
    `variables[True]` lists the variables that have the same value for every subject and are reset
    only once. Those in `variables[False]` are reset before each subject. `functions` lists the
    named expressions that are compiled to functions, each with its template, slot, source and
    arguments.
    """

    __slots__ = ("filled", "functions", "known", "reader", "row", "same_for_all", "variables")

    def __init__(
        self,
        reader: ExpressionCompiler,
        row: str,
        words: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        self.reader = reader
        self.row = row + "".join(reader.parts.values())
        self.known: Namespace = {**_BUILTINS, **words}
        self.filled: list[str] = []
        self.same_for_all: list[bool] = []
        self.variables: dict[bool, list[str]] = {True: [], False: []}
        self.functions: list[tuple[str, int, str, str]] = []
        for name, slot in reader.slots.items():
            part = reader.parts.get(name)
            self.filled.append(
                self.fill_measure(name, slot) if part is None else self._fill_part(name, slot, part)
            )

    @abstractmethod
    def fill_measure(self, name: str, slot: int) -> str:
        """Return the source that reads a measure, and note whether its value is the same for every
        subject."""

    def is_shared(self, slot: int) -> bool:
        """Return whether a value is used more than once."""
        return self.row.count(f"{{{slot}}}") > 1

    def add_variable(self, slot: int) -> None:
        """Add a variable for the value of a slot."""
        self.variables[self.same_for_all[slot]].append(f"v{slot}")

    def compute_once(self, slot: int, source: str) -> str:
        """Return source that computes the value of a slot, unless its variable already has the
        value."""
        self.add_variable(slot)
        return f"(v{slot} if v{slot} is not None else (v{slot} := {source}))"

    def _fill_part(self, name: str, slot: int, part: str) -> str:
        source = part.format(*self.filled)
        self.same_for_all.append(
            all(self.same_for_all[n] for n in range(slot) if f"{{{n}}}" in part)
        )
        takes = ", ".join(self.reader.each_parts.get(name, ()))
        if self.row.count(f"{{{slot}}}") == 1 and name in self.reader.small_parts:
            once = not takes and self.is_shared(slot)
            return self.compute_once(slot, source) if once else f"({source})"
        self.add_variable(slot)
        self.functions.append((_PART_OF_EACH if takes else _PART, slot, source, takes))
        return f"p{slot}({takes})"

    def build(self, form: str, row: str, name: str, takes: str = "") -> object:
        """Insert the row into the template `form`, compile it, and return the function called
        `name`."""
        same, differing = ("".join([f"{v} = " for v in self.variables[of]]) for of in (True, False))
        every = ", ".join([*self.variables[True], *self.variables[False]])
        functions = "".join(
            [
                template.format(slot=slot, source=source, variables=every, takes=takes)
                for template, slot, source, takes in self.functions
            ]
        )
        source = form.format(
            same=same,
            differing=differing,
            functions=functions,
            row=row.format(*self.filled),
            takes=takes,
        )
        _run_source(source, self.known)
        return self.known[name]

    def build_one(self, takes: str, source: str) -> object:
        """Compile one expression to a function with the arguments `takes`, and return the
        function."""
        return self.build(_ONE, source, "value", takes)


class _SlotsByName(_Slots):
    """Slots that are filled with look-ups by name."""

    __slots__ = ()

    def fill_measure(self, name: str, slot: int) -> str:
        self.known[f"n{slot}"] = name
        self.same_for_all.append(False)
        return f"{EACH if _is_of_each(name) else 'get'}(n{slot})"


class _SlotsInRound(_Slots):
    """Slots that are filled with the functions that read measures from a round."""

    __slots__ = ()

    def fill_measure(self, name: str, slot: int) -> str:
        self.same_for_all.append(False)
        return _measure_source(self.reader.scope, name, slot, self.known)[0]


class _SharedSlots(_Slots):
    """The slots shared by several expressions. A value that is used twice is computed only once."""

    __slots__ = ("places",)

    def __init__(self, reader: ExpressionCompiler, row: str) -> None:
        # variables for measures that are read together
        self.places: dict[tuple[int, bool], str] = {}
        super().__init__(reader, row)

    def fill_measure(self, name: str, slot: int) -> str:
        source, same = _measure_source(self.reader.scope, name, slot, self.known)
        self.same_for_all.append(same)
        # Read these values directly, because they are cheap to compute or differ between players.
        if name.endswith(")") or _is_of_each(name):
            return source
        read = self.known[f"r{slot}"]
        if isinstance(read, BatchedMeasure):
            all_of, _, item = source.partition("[")
            place = self.places.get((id(read.read_all), same))
            if place is None:
                self.add_variable(slot)
                place = self.places[id(read.read_all), same] = f"(v{slot} or (v{slot} := {all_of}))"
            return f"{place}[{item}"
        return self.compute_once(slot, source) if self.is_shared(slot) else source

    def is_shared(self, slot: int) -> bool:
        return self.same_for_all[slot] or super().is_shared(slot)


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


def _run_source(source: str, known: Namespace) -> None:
    """Run source that this module has generated."""
    try:
        exec(compile(source, "<ruleset>", "exec"), known)
    except (RecursionError, MemoryError, SyntaxError):
        raise not_allowed_error("an expression nested too deep") from None
