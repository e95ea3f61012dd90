"""Rewrites the source of tests so that their expressions are tried in compiled code.

An expression of a test function becomes a call `__tried__(program, values, plain)`: `program` is
the number of the expression's text, in which the names that it reads are parameters; `values` gives
what these names hold, `plain` is the expression itself, with its parts rewritten in turn. So the
largest expression that compiles is run in compiled code, and what doesn't compile is CPython's.
"""

from __future__ import annotations

import ast
import copy
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Iterable

from builtin_tests.programs import Program

# The name under which a rewritten module finds the function that tries programs.
TRIED = "__tried__"

# What looks at the frame that it is called in, which a lambda would change.
_LOOKS_AT_FRAMES = frozenset("super locals vars eval exec globals dir __class__".split())
_SUSPENDS = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
_OPERATIONS = (ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.JoinedStr)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)


def _is_place(node: ast.expr) -> bool:
    """Whether an expression is a name, or an attribute of an instance of the test's class."""
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
    return isinstance(node, ast.Name)


def _bound_inside(node: ast.AST) -> set[str]:
    """Names that an expression binds itself: targets of comprehensions, parameters of lambdas."""
    stored = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and not _reads(part)}
    return stored | {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}


def _reads(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


class _Parameters(ast.NodeTransformer):
    """Replaces the places that a program reads by parameters."""

    def __init__(self, bound: set[str]):
        self._bound = bound
        self.places: list[ast.expr] = []
        self._texts: list[str] = []

    def _parameter(self, node: ast.expr) -> ast.expr:
        text = ast.unparse(node)
        if text not in self._texts:
            self._texts.append(text)
            self.places.append(node)
        return ast.Name(f"v{self._texts.index(text)}", ast.Load())

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace a name that the expression doesn't bind."""
        return node if node.id in self._bound or not _reads(node) else self._parameter(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace an attribute of the test's instance, such as the class that it tests."""
        return self._parameter(node) if _is_place(node) else self.generic_visit(node)


class Rewriter(ast.NodeTransformer):
    """Rewrites the functions of one module."""

    def __init__(self, module: str, programs: list[Program]):
        """Rewrite a module; what it finds to compile is appended to `programs`."""
        self._module = module
        self._programs = programs
        self._in_function = False

    def _function(self, node):
        around, self._in_function = self._in_function, True
        node.body = [self.visit(statement) for statement in node.body]
        self._in_function = around
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Leave the names of a class body alone: no lambda sees them."""
        around, self._in_function = self._in_function, False
        node.body = [self.visit(statement) for statement in node.body]
        self._in_function = around
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """Try a store to an item."""
        return self._store(node, node.targets)

    def visit_Delete(self, node: ast.Delete) -> ast.AST:
        """Try the removal of an item."""
        return self._store(node, node.targets)

    def _store(self, node: ast.stmt, targets: list[ast.expr]) -> ast.AST:
        one = targets[0]
        if not self._in_function or len(targets) > 1 or not isinstance(one, ast.Subscript):
            return self.generic_visit(node)
        tried = self._tried(node, None)
        if tried is None:
            return self.generic_visit(node)
        # A lambda can't hold a statement: the answer says whether it is still to be executed.
        return ast.copy_location(ast.If(tried, [self.generic_visit(node)], []), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Try a call; `assertRaises(error, f, x)` is one of `lambda: f(x)`."""
        if not self._in_function:
            return self.generic_visit(node)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in ("assertRaises", "assertRaisesRegex"):
            first = 1 if name == "assertRaises" else 2
            if len(node.args) > first and not any(
                isinstance(one, ast.Starred) for one in node.args[: first + 1]
            ):
                inner = ast.Call(node.args[first], node.args[first + 1 :], node.keywords)
                if isinstance(node.args[first], (ast.Name, ast.Attribute)):
                    node.args[first:] = [
                        ast.Lambda(_no_parameters(), ast.copy_location(inner, node))
                    ]
                    node.keywords = []
        if name.startswith(("assert", "fail", "check")):
            return self.generic_visit(node)
        return self._expression(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Try operations wherever they stand."""
        if (
            self._in_function
            and isinstance(node, (*_OPERATIONS, *_COMPREHENSIONS))
            and not isinstance(node, ast.Call)
        ):
            if isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                return self._expression(node)
        return super().generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Try a formatted text as a whole: its parts aren't expressions."""
        return self._tried(node, node) or node if self._in_function else node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Try what a lambda computes."""
        node.body = self.visit(node.body)
        return node

    def _expression(self, node: ast.expr) -> ast.AST:
        original = copy.deepcopy(node)
        tried = self._tried(original, node)
        inner = super().generic_visit(node)
        if tried is None:
            return inner
        tried.args[2] = ast.Lambda(_no_parameters(), inner)
        return ast.copy_location(tried, original)

    def _tried(self, node: ast.AST, plain: ast.expr | None) -> ast.Call | None:
        """The call that tries an expression or a statement; None where it can't be moved."""
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        attributes = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
        private = {
            one for one in names | attributes if one.startswith("__") and not one.endswith("__")
        }
        if (
            names & _LOOKS_AT_FRAMES
            or private
            or any(isinstance(part, _SUSPENDS) for part in ast.walk(node))
        ):
            return None
        parameters = _Parameters(_bound_inside(node))
        text = ast.unparse(ast.fix_missing_locations(parameters.visit(copy.deepcopy(node))))
        self._programs.append(Program(self._module, node.lineno, text, isinstance(node, ast.stmt)))
        values = ast.Tuple(parameters.places, ast.Load())
        arguments = [ast.Constant(len(self._programs) - 1), ast.Lambda(_no_parameters(), values)]
        arguments.append(ast.Lambda(_no_parameters(), plain) if plain else ast.Constant(None))
        return ast.copy_location(ast.Call(ast.Name(TRIED, ast.Load()), arguments, []), node)


def _no_parameters() -> ast.arguments:
    return ast.arguments([], [], None, [], [], None, [])


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from its rewritten source."""

    tried: Callable
    programs: list[Program]

    def get_code(self, fullname: str):
        """Compile the rewritten source; nothing is read from or written to a cache."""
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        tree = Rewriter(fullname, self.programs).visit(tree)
        return compile(ast.fix_missing_locations(tree), path, "exec")

    def exec_module(self, module):
        """Execute the module where it finds what tries programs."""
        setattr(module, TRIED, self.tried)
        super().exec_module(module)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules that are to be rewritten."""

    def __init__(self, modules: Iterable[str], programs: list[Program], tried: Callable):
        """Rewrite these modules when they are imported."""
        self._modules = frozenset(modules)
        self._programs = programs
        self._tried = tried

    def find_spec(self, fullname, path, target=None):
        """The spec of a module to rewrite."""
        if fullname not in self._modules:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None:
            return None
        loader = _Loader(fullname, spec.origin)
        loader.tried, loader.programs = self._tried, self._programs
        return importlib.util.spec_from_file_location(fullname, spec.origin, loader=loader)

    def install(self) -> None:
        """Ask this finder before all others."""
        sys.meta_path.insert(0, self)
