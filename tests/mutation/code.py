"""Small changes of a module's code, each of which a test must notice.

Words for people (messages, docstrings) and annotations are left alone: they decide nothing.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from pathlib import Path

import msgspec

_COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPERATE: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
}
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "reversed": "list"}
_UNREAD = ("annotation", "returns", "decorator_list", "bases", "type_params")
_SAID = {"RuleError", "refused", "_refused", "ValueError"}
"""What raises with words for people: nothing inside is changed."""


Path_ = tuple[tuple[str, int | None], ...]
"""The way from a module to a node: each step a field, and the place in it where it is a list."""


class Mutant(msgspec.Struct, frozen=True):
    """One change. function: in which it is; before, after: its statement, the first line; tree: the code with it."""

    file: str
    line: int
    function: str
    before: str
    after: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """By which a change that changes nothing is listed; it does not move with the lines above it."""
        path = Path(self.file)
        return f"{path.parent.name}/{path.name} {self.function}: {self.before} → {self.after}"


def mutants(file: str) -> Iterator[Mutant]:
    """Every change of the module, one at a time."""
    source = ast.parse(Path(file).read_text(encoding="utf-8"))
    for path in _places(source):
        function, statement = _around(source, path)
        for before, after in _changes(_at(source, path)):
            tree = copy.deepcopy(source)
            _put(tree, path, after)
            ast.fix_missing_locations(tree)
            shown = _text(_at(source, statement)), _text(_at(tree, statement))
            yield Mutant(file, before.lineno, function, *shown, tree)


def _around(root: ast.AST, path: Path_) -> tuple[str, Path_]:
    """The functions and classes around a node, dotted, and the way to its statement."""
    names: list[str] = []
    statement: Path_ = ()
    for length in range(1, len(path) + 1):
        node = _at(root, path[:length])
        names += [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
        statement = path[:length] if isinstance(node, ast.stmt) else statement
    return ".".join(names), statement


def _places(root: ast.AST) -> Iterator[Path_]:
    """The way to every node whose change would matter."""

    def walk(node: ast.AST, path: Path_) -> Iterator[Path_]:
        if path:
            yield path
        for field, value in ast.iter_fields(node):
            if field in _UNREAD or (field == "keywords" and isinstance(node, ast.ClassDef)):
                continue
            for index, child in enumerate(value) if isinstance(value, list) else ((None, value),):
                if isinstance(child, ast.AST) and not _is_silent(child):
                    yield from walk(child, (*path, (field, index)))

    yield from walk(root, ())


def _is_silent(node: ast.AST) -> bool:
    if isinstance(node, ast.Raise | ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign | ast.Call):
        call = node.value if isinstance(node, ast.Assign) else node
        return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in _SAID
    return isinstance(node, ast.JoinedStr)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.expr | ast.stmt]]:
    """The node and what it becomes."""
    if isinstance(node, ast.Compare):
        for index, op in enumerate(node.ops):
            new = copy.deepcopy(node)
            new.ops[index] = _COMPARE[type(op)]()
            yield node, new
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _OPERATE:
        new_op = copy.deepcopy(node)
        new_op.op = _OPERATE[type(node.op)]()
        yield node, new_op
    elif isinstance(node, ast.BoolOp):
        other = copy.deepcopy(node)
        other.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield node, other
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node, node.operand
    elif isinstance(node, ast.Constant):
        yield from ((node, ast.copy_location(ast.Constant(value), node)) for value in _other_values(node.value))
    elif isinstance(node, ast.Name) and node.id in _NAMES and isinstance(node.ctx, ast.Load):
        yield node, ast.copy_location(ast.Name(_NAMES[node.id], ast.Load()), node)
    elif isinstance(node, ast.IfExp):
        yield node, ast.copy_location(ast.IfExp(node.test, node.orelse, node.body), node)
    elif isinstance(node, ast.If | ast.While) and not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
        turned = copy.deepcopy(node)
        turned.test = ast.copy_location(ast.UnaryOp(ast.Not(), turned.test), node.test)
        yield node, turned
    called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    if isinstance(node, ast.stmt) and (called or isinstance(node, ast.AugAssign | ast.Continue | ast.Break)):
        yield node, ast.copy_location(ast.Pass(), node)


def _other_values(value: object) -> tuple[bool | int, ...]:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (value + 1, value - 1)
    return ()


def _at(root: ast.AST, path: Path_) -> ast.AST:
    node = root
    for field, index in path:
        value = getattr(node, field)
        node = value if index is None else value[index]
    return node


def _put(root: ast.AST, path: Path_, new: ast.AST) -> None:
    parent = _at(root, path[:-1])
    field, index = path[-1]
    if index is None:
        setattr(parent, field, new)
    else:
        getattr(parent, field)[index] = new


def _text(node: ast.AST) -> str:
    """A statement by its first line."""
    return ast.unparse(node).partition("\n")[0]
