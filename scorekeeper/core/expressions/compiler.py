"""Compile an expression: from its syntax tree to Python source, and from that to a function.

An `ExpressionCompiler` checks each node and writes it out again. The number of a slot in braces
replaces each measure in the source. Functions of cards are measures too, with brackets in their
names (`suits()`), because they need the pack. `players()` returns the values of `each`.

Slots are filled by a look-up (`compile_by_name`), or by the functions that read measures from a
round (`compile_in_round`). Groups of expressions share slots, so that common parts are computed
once (`compile_rows`, `compile_first`). Only source written here is compiled. It contains no name
of a ruleset, since measures are numbered and passed in as values.
"""

from __future__ import annotations

from math import ceil, floor
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from scorekeeper.core.expressions.parser import (
    DEPTH,
    EACH,
    HAND,
    HEAP,
    KINDS,
    MAX_DEPTH,
    MAX_NODES,
    NUMBER,
    OWN,
    PARTS,
    PLAYERS,
    TOO_DEEP,
    TOO_MANY,
    ExpressionError,
    Item,
    TooLarge,
    described,
    dotted,
    number,
    refused,
    too_large,
    written,
)
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Mapping, Sequence

    from scorekeeper.core.expressions.parser import Scope

    # `Any` in these types is a round, a subject, or a value. `core` does not know rounds, and the
    # source knows the kind of each value.
    ByName = Callable[[Callable[[str], Any]], Any]
    InRound = Callable[[Any, Any], Any]
    # For several subjects, the values of each: row and subject (both from 0), and value.
    Together = Callable[[Any, Sequence[Any]], list[tuple[int, int, Any]]]
    Known = dict[str, object]

_CALLED: Mapping[str, object] = {
    **{"__builtins__": {}, "ceil": ceil, "floor": floor, "abs": abs},
    **{"min": min, "max": max, "sum": sum, "any": any, "all": all, "enumerate": enumerate},
}
_WORDS = {"true": "True", "false": "False"}
_ROUNDED = frozenset(("ceil", "floor", "abs"))
_ONE_NUMBER = {"min", "max"}
# The functions of a set of cards, with the kinds that each takes and the kind that it returns.
_OF_CARDS = {
    "count": ((HEAP, KINDS), NUMBER),
    "worth": ((HEAP,), NUMBER),
    "run": ((HEAP,), NUMBER),
    "suits": ((HEAP, KINDS), KINDS),
    "ranks": ((HEAP, KINDS), KINDS),
}
_OVER_PLAYERS = {"any": "any", "all": "all", "total": "sum", "most": "max", "least": "min"}
MOST_SAID = 40  # characters of a quoted part in a message
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
_SETS = {"BitAnd": "&", "BitOr": "|"}
# The comparison after its sides are swapped.
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_BOUNDS = {
    "<": "0, ceil({0})-1",
    "<=": "0, floor({0})",
    ">": "floor({0})+1, PLENTY",
    ">=": "ceil({0}), PLENTY",
    "==": "ceil({0}), floor({0})",
    "!=": "ceil({0}), floor({0})",
}
# Values that are the same for all subjects are computed once. None marks one not computed yet.
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


class Part(NamedTuple):
    """The compiled part of an expression: its source and the kind of its value.

    `hand` is the measure of the hand that it is about. `is_claim` is true for a condition about a
    hand (see `Expression.evaluate_claim`). For a heap that is a part of that hand, `hand_kinds` is
    the source of the kinds in it.
    """

    source: str
    kind: str = NUMBER
    hand: str = ""
    asks: bool = False
    of_hand: str = ""


class Reader:
    """Compiles checked nodes to source.

    `names` are the measures in order, each with the named expression that contains it, or "".
    `used_parts` are the named expressions. `slots` numbers the measures and named parts, and
    `parts` has the source of the named ones. If `claiming`, conditions about hands become
    claims. Otherwise they are numbers.
    """

    __slots__ = (
        *("_each", "_open", "claiming", "names", "nodes", "parts"),
        *("read_parts", "scope", "slots"),
    )

    def __init__(self, scope: Scope, claiming: bool) -> None:
        self.scope = scope
        self.claiming = claiming
        self.names: dict[str, str] = {}
        self.slots: dict[str, int] = {}
        self.parts: dict[str, str] = {}
        self.read_parts: set[str] = set()
        self.nodes = 0
        self._each = False
        self._open: list[str] = []  # the named expressions that are being compiled

    def whole(self, text: str) -> Part:
        """Compile a text. Each text has its own limits."""
        self.nodes = 0
        try:
            return self.read(self.scope.tree(text), 0)
        except (RecursionError, MemoryError):
            raise refused("an expression nested too deep") from None

    def part(self, name: str, each: bool) -> Part:
        """Compile a named expression, as it may be used inside or outside a loop over players
        (`each`)."""
        self._each = each
        return self._named(name, 0)

    def read(self, node: ast.expr, depth: int) -> Part:
        import ast

        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise too_large(TOO_MANY, PARTS)
        if depth > MAX_DEPTH:
            raise too_large(TOO_DEEP, DEPTH)
        depth += 1
        if isinstance(node, ast.Constant):
            return Part(number(node.value))
        if isinstance(node, ast.Name | ast.Attribute):
            return self._name(node, depth)
        if isinstance(node, ast.UnaryOp):
            return self._unary(node, depth)
        if isinstance(node, ast.BinOp):
            return self._binary(node, depth)
        if isinstance(node, ast.BoolOp):
            return self._joined(node, depth)
        if isinstance(node, ast.Compare):
            return self._comparison(node, depth)
        if isinstance(node, ast.IfExp):
            return self._choice(node, depth)
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        raise refused(described(node))

    def number(self, node: ast.expr, depth: int) -> str:
        """Return the source of a part that must be a number, or a condition that is not about a
        hand."""
        part = self.read(node, depth)
        if part.kind != NUMBER:
            what = "cards of a hand" if part.kind == HAND else "a set of cards"
            quoted = self._said(node)
            raise refused(f"{what} where a number is wanted: {quoted}", "count(…) of it")
        if part.asks:
            raise refused(
                "a question about a hand inside a sum",
                "comparisons of count(hand & …) or count(dealt & …), joined by and, or, not",
            )
        return part.source

    def condition(self, node: ast.expr, depth: int) -> Part:
        """Compile a part that must be a number or a condition."""
        part = self.read(node, depth)
        return part if part.asks else Part(self._plain(part))

    def _plain(self, part: Part) -> str:
        if part.kind != NUMBER:
            raise refused("a set of cards where a condition is wanted", "count(…) of it")
        return part.source

    # --- names

    def slot(self, name: str) -> str:
        """Return the slot for a name."""
        return f"{{{self.slots.setdefault(name, len(self.slots))}}}"

    def _name(self, node: ast.Name | ast.Attribute, depth: int) -> Part:
        name = dotted(node)
        if name in _WORDS:
            return Part(_WORDS[name])
        if name in self.scope.parts:
            return self._named(name, depth)
        if name.split(".")[0] == EACH and "." in name:
            if not self._each:
                raise refused(f"{name} outside any(…), all(…), total(…), most(…) and least(…)")
            self._note(name)
            return Part(self.slot(name), self.scope.kind(name) or NUMBER)
        kind = self.scope.kind(name)
        if name in FUNCTIONS and kind is None:
            raise refused(f"{name} without brackets")
        self._note(name)
        if kind == HAND and self.claiming:
            return Part("", HAND, name)
        if kind == HAND:
            return Part(self.slot(name), HEAP, name, of_hand=self.slot("every()"))
        return Part(self.slot(name), kind or NUMBER)

    def _said(self, node: ast.expr) -> str:
        """Return a part as a message quotes it. A named expression is quoted by its name."""
        import ast

        if (
            isinstance(node, ast.Name | ast.Attribute)
            and (name := dotted(node)) in self.scope.parts
        ):
            return f"{name} of [let]"
        return shown(written(node), MOST_SAID)

    def _note(self, name: str) -> None:
        """Record the name of a measure, and the named expression in which it first occurs."""
        self.names.setdefault(name, self._open[-1] if self._open else "")

    def _named(self, name: str, depth: int) -> Part:
        """Compile a named expression where it is used. Errors in it name that expression."""
        if name in self._open:
            raise refused(f"{name}, which is made of itself")
        self._open.append(name)
        try:
            part = self.read(self.scope.tree(self.scope.parts[name]), depth)
        except TooLarge:
            raise
        except ExpressionError as error:
            error.part = error.part or name
            raise
        self._open.pop()
        self.read_parts.add(name)
        if not part.source or part.hand or part.asks or self._each:
            return part._replace(source=f"({part.source})") if part.source else part
        self.parts[name] = f"({part.source})"
        return part._replace(source=self.slot(name))

    # --- operators

    def _unary(self, node: ast.UnaryOp, depth: int) -> Part:
        kind = type(node.op).__name__
        if kind == "Invert":
            part = self.read(node.operand, depth)
            if part.kind != KINDS:
                problem = f"~ before something else than kinds of card: {self._said(node.operand)}"
                raise refused(problem, "~ before kinds")
            return Part(f"(~{part.source})", KINDS)
        if kind == "Not":
            part = self.condition(node.operand, depth)
            if part.asks:
                return Part(f"negated({part.source})", asks=True)
            return Part(f"(not {part.source})")
        return Part(f"({_sign(node.op)}{self.number(node.operand, depth)})")

    def _binary(self, node: ast.BinOp, depth: int) -> Part:
        sign = _SETS.get(type(node.op).__name__)
        if sign is None:
            left, right = self.number(node.left, depth), self.number(node.right, depth)
            return Part(f"({left}{_sign(node.op)}{right})")
        one, two = self.read(node.left, depth), self.read(node.right, depth)
        if NUMBER in (one.kind, two.kind):
            quoted = self._said(node.left if one.kind == NUMBER else node.right)
            raise refused(f"a number joined by {sign}: {quoted}", "sets of cards")
        if KINDS not in (one.kind, two.kind) and sign == "&":
            raise refused("& that joins no kinds of card", "a heap & kinds, kinds & kinds")
        if sign == "|":
            return self._together(one, two)
        if HAND in (one.kind, two.kind):
            hand, other = (one, two) if one.kind == HAND else (two, one)
            both = f"({hand.source}&{other.source})" if hand.source else other.source
            return Part(both, HAND, hand.hand)
        kind = HEAP if one.kind != two.kind else KINDS
        heap, kinds = (one, two) if one.of_hand else (two, one)
        of_hand = f"({heap.of_hand}&{kinds.source})" if heap.of_hand else ""
        return Part(f"({one.source}&{two.source})", kind, heap.hand, of_hand=of_hand)

    def _together(self, one: Part, two: Part) -> Part:
        """Compile the union of two sets of the same kind.

        The union of heaps has all cards of both.
        """
        if one.kind != two.kind or one.kind == HAND:
            raise refused("| between different kinds of value", "kinds | kinds, a heap | a heap")
        if one.kind == KINDS:
            return Part(f"({one.source}|{two.source})", KINDS)
        return Part(f"{self.slot('together()')}({one.source}, {two.source})", HEAP)

    def _joined(self, node: ast.BoolOp, depth: int) -> Part:
        parts = [self.condition(value, depth) for value in node.values]
        if not any(part.asks for part in parts):
            return Part(f"({_sign(node.op).join(part.source for part in parts)})")
        how = "both" if type(node.op).__name__ == "And" else "either"
        conditions = ", ".join(f"lambda: {part.source}" for part in parts)
        return Part(f"{how}(({conditions},))", asks=True)

    def _comparison(self, node: ast.Compare, depth: int) -> Part:
        first = self._counted(node.left, depth)
        if len(node.ops) == 1:
            last = self._counted(node.comparators[0], depth)
            sign = _sign(node.ops[0])
            if first.kind == HAND:
                return self._claim(first, sign, last)
            if last.kind == HAND:
                return self._claim(last, _TURNED[sign], first)
            return Part(f"({first.source}{sign}{last.source})")
        text = first.source
        for sign_node, right in zip(node.ops, node.comparators, strict=True):
            text += _sign(sign_node) + self.number(right, depth)
        if first.kind == HAND:
            raise refused("a chain of comparisons of a hand", "two comparisons joined by and")
        return Part(f"({text})")

    def _counted(self, node: ast.expr, depth: int) -> Part:
        """Compile a side of a comparison: a number, or (kind HAND) a number of cards in a hand."""
        import ast

        is_count = (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "count"
            and len(node.args) == 1
        )
        if self.claiming and is_count and isinstance(node, ast.Call):
            part = self.read(node.args[0], depth)
            if part.kind == HAND:
                return part
        return Part(self.number(node, depth))

    def _claim(self, counted: Part, sign: str, than: Part) -> Part:
        if than.kind == HAND:
            raise refused("two hands compared with one another", "a hand and a number")
        cards, name = counted.source or "-1", counted.hand
        bounds = _BOUNDS[sign].format(than.source)
        claim = f"within(*{self.slot(name + '()')}({cards}), {bounds})"
        return Part(f"negated({claim})" if sign == "!=" else claim, asks=True)

    def _choice(self, node: ast.IfExp, depth: int) -> Part:
        test = self.number(node.test, depth)
        one, two = self.read(node.body, depth), self.read(node.orelse, depth)
        if one.kind != two.kind or HAND in (one.kind, two.kind):
            raise refused("a choice between different kinds of value", "two of the same kind")
        asks = one.asks or two.asks
        return Part(f"({one.source} if {test} else {two.source})", one.kind, asks=asks)

    # --- calls

    def _call(self, node: ast.Call, depth: int) -> Part:
        import ast

        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS:
            raise refused(f"a call of {shown(_spelled(node.func))}")
        if node.keywords:
            raise refused(f"a named argument of {name}")
        if name in _OF_CARDS:
            return self._of_cards(name, node, depth)
        if name in _OVER_PLAYERS and len(node.args) == 1:
            return self._over_players(name, node, depth)
        count = len(node.args)
        if count != 1 if name in _ROUNDED else count < 2 or name in _OVER_PLAYERS:
            one = name in _ROUNDED or name in _OVER_PLAYERS
            wanted = "one value" if one else "two values or more"
            raise refused(f"{name} of {count} values, where it takes {wanted}")
        return Part(f"{name}({', '.join(self.number(part, depth) for part in node.args)})")

    def _of_cards(self, name: str, node: ast.Call, depth: int) -> Part:
        if len(node.args) != 1:
            raise refused(f"{name} of {len(node.args)} values, where it takes one set of cards")
        part = self.read(node.args[0], depth)
        takes, gives = _OF_CARDS[name]
        if part.kind == HAND:
            raise refused(f"{name} of a hand here", "count(hand & …) compared with a number")
        if part.kind not in takes:
            raise refused(f"{name} of {part.kind}", " or ".join(takes))
        if name == "count" and part.of_hand:
            return Part(f"{self.slot(part.hand + '.count()')}({part.of_hand})")
        if name == "count":
            cards = part.source if part.kind == HEAP else f"{self.slot('every()')}&{part.source}"
            return Part(f"({cards}).bit_count()")
        return Part(f"{self.slot(name + '()')}({part.source})", gives)

    def _over_players(self, name: str, node: ast.Call, depth: int) -> Part:
        if self._each:
            raise refused(f"{name} inside another look at each player")
        self._each = True
        inner = self.number(node.args[0], depth)
        self._each = False
        return Part(f"{_OVER_PLAYERS[name]}([{inner} for each in {self.slot(PLAYERS)}])")


def _sign(operator: ast.AST) -> str:
    sign = _SIGNS.get(type(operator).__name__)
    if sign is None:
        raise refused(described(operator))
    return sign


def _spelled(node: ast.expr) -> str:
    import ast

    return dotted(node) if isinstance(node, ast.Name | ast.Attribute) else "a value"


# --- filling slots and compiling source


def by_name(
    reader: Reader, source: str, words: Mapping[str, object] = MappingProxyType({})
) -> ByName:
    """Compile the function of `get`, which looks up a measure by its name."""
    known: Known = {**_CALLED, **words}
    filled: list[str] = []
    for name, slot in reader.slots.items():
        part = reader.parts.get(name)
        known[f"n{slot}"] = name
        look = EACH if _is_of_each(name) else "get"
        filled.append(f"{look}(n{slot})" if part is None else part.format(*filled))
    return cast("ByName", _made(f"lambda get: {source.format(*filled)}", "eval", known))


def in_round(reader: Reader, source: str) -> InRound:
    """Compile the function of a round and a subject."""
    known: Known = dict(_CALLED)
    filled: list[str] = []
    for name, slot in reader.slots.items():
        part = reader.parts.get(name)
        read = _read(reader.scope, name, slot, known)[0] if part is None else part.format(*filled)
        filled.append(read)
    return cast("InRound", _made(f"lambda rnd, own: {source.format(*filled)}", "eval", known))


def values_of(pairs: Sequence[tuple[str, str]], scope: Scope) -> tuple[Together, bool]:
    """Compile a function that returns the values of all pairs whose condition holds.

    Also returns whether these are the same for every subject. Raises ExpressionError for a text
    that is not an expression.
    """
    reader = Reader(scope, False)
    texts = [(reader.whole(when).source, reader.whole(number).source) for when, number in pairs]
    row = "".join([_ROW.format(when, at, number) for at, (when, number) in enumerate(texts)])
    shared = _Shared(reader, row)
    return cast("Together", shared.made(_LOOP, row, "values")), all(shared.alike)


def first_of(conditions: Sequence[str], scope: Scope) -> InRound:
    """Compile a function that returns the number of the first condition that holds, from 1, or 0.

    Raises ExpressionError for a text that is not an expression.
    """
    reader = Reader(scope, False)
    sources = [reader.whole(text).source for text in conditions]
    row = " or ".join([f"{source} and {number}" for number, source in enumerate(sources, 1)])
    return cast("InRound", _Shared(reader, row).made(_FIRST, row, "first"))


class _Shared:
    """The slots of several expressions in a `row`, which compute a value that is used twice only
    once.

    `same_for_all` says for each slot if its value is the same for every subject. `assignments`
    declare the variables for those values, and for the others, as the left side of an
    assignment.
    """

    __slots__ = ("alike", "filled", "kept", "known", "places", "row", "scope")

    def __init__(self, reader: Reader, row: str) -> None:
        self.scope = reader.scope
        self.row = row + "".join(reader.parts.values())
        self.known: Known = dict(_CALLED)
        self.filled: list[str] = []
        self.alike: list[bool] = []
        self.kept = {True: "", False: ""}
        # variables for measures that are read together
        self.places: dict[tuple[int, bool], str] = {}
        for name, slot in reader.slots.items():
            part = reader.parts.get(name)
            self.filled.append(
                self._measure(name, slot) if part is None else self._part(slot, part)
            )

    def made(self, form: str, row: str, name: str) -> object:
        """Compile the row into a form, and return its function of that name."""
        source = form.format(self.kept[True], self.kept[False], row.format(*self.filled))
        _made(source, "exec", self.known)
        return self.known[name]

    def _measure(self, name: str, slot: int) -> str:
        source, same = _read(self.scope, name, slot, self.known)
        self.alike.append(same)
        if name.endswith(")") or _is_of_each(name):  # cheap, and different for each player
            return source
        read = self.known[f"r{slot}"]
        if isinstance(read, Item):
            all_of, _, item = source.partition("[")
            place = self.places.get((id(read.of), same))
            if place is None:
                self.kept[same] += f"v{slot} = "
                place = self.places[id(read.of), same] = f"(v{slot} or (v{slot} := {all_of}))"
            return f"{place}[{item}"
        return self._once(slot, source) if self._is_kept(slot) else source

    def _part(self, slot: int, part: str) -> str:
        source = part.format(*self.filled)
        self.alike.append(all(self.alike[n] for n in range(slot) if f"{{{n}}}" in part))
        return self._once(slot, source) if self._is_kept(slot) else source

    def _is_kept(self, slot: int) -> bool:
        """Return whether a value is used again, for the same subject or the next."""
        return self.alike[slot] or self.row.count(f"{{{slot}}}") > 1

    def _once(self, slot: int, source: str) -> str:
        self.kept[self.alike[slot]] += f"v{slot} = "
        return f"(v{slot} if v{slot} is not None else (v{slot} := {source}))"


def _is_of_each(name: str) -> bool:
    return name.startswith(f"{EACH}.")


def _read(scope: Scope, name: str, slot: int, known: Known) -> tuple[str, bool]:
    """Return the source that reads a measure, and whether it is the same for every subject."""
    assert scope.reader is not None
    read, same = scope.reader(name)
    known[f"r{slot}"] = read
    about, same = (EACH, True) if _is_of_each(name) else (OWN, same)
    if not isinstance(read, Item):
        return f"r{slot}(rnd, {about})", same
    known[f"a{slot}"], known[f"k{slot}"] = read.of, read.key
    return f"a{slot}(rnd, {about})[k{slot}]", same


def _made(source: str, mode: str, known: Known) -> object:
    """Run source that this module has written."""
    try:
        return eval(compile(source, "<ruleset>", mode), known)
    except (RecursionError, MemoryError, SyntaxError):
        raise refused("an expression nested too deep") from None
