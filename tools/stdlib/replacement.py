"""Compiles every function of some modules in object mode as they are imported.

The functions are decorated in the syntax tree, innermost, so that tables, decorators and classes
made while a module runs see the compiled function, and so do modules that a test imports afresh.
"""

from __future__ import annotations

import ast
import builtins
import importlib.machinery
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType

# The name the decorator has in the modules; no identifier of theirs.
_DECORATOR = "__pyopt_force_object_mode__"


class _Decorate(ast.NodeTransformer):
    """Adds the decorator to functions; `nested` says whether to those inside of functions too."""

    def __init__(self, nested: bool):
        self.nested = nested
        self.scopes: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.scopes.append("class")
        self.generic_visit(node)
        self.scopes.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        inside = "function" in self.scopes
        self.scopes.append("function")
        self.generic_visit(node)
        self.scopes.pop()
        if inside and not self.nested:
            return node
        # A decorator's line becomes the function's first line; that of the `def` is the same.
        place = {"lineno": node.lineno, "col_offset": node.col_offset}
        place |= {"end_lineno": node.lineno, "end_col_offset": node.col_offset}
        node.decorator_list.append(ast.Name(_DECORATOR, ast.Load(), **place))
        return node

    visit_AsyncFunctionDef = visit_FunctionDef


class Replacement:
    """What happened to the functions of the modules."""

    def __init__(
        self,
        modules: Iterable[str],
        compile_function: Callable[[FunctionType], object],
        nested: bool,
    ):
        """Replace functions of the modules and their submodules from now on."""
        self.modules = tuple(modules)
        self.compile_function = compile_function
        self.nested = nested
        self.compiled: set[CodeType] = set()
        self.refused: dict[CodeType, str] = {}

    def install(self) -> None:
        """Hook the import of Python source files."""
        setattr(builtins, _DECORATOR, self.decorate)
        original = importlib.machinery.SourceFileLoader.get_code

        def get_code(loader, fullname):
            if not self.covers(fullname):
                return original(loader, fullname)
            # Bypasses cached bytecode, which has no decorators.
            path = loader.get_filename(fullname)
            tree = ast.parse(loader.get_data(path), path)
            return compile(_Decorate(self.nested).visit(tree), path, "exec", dont_inherit=True)

        importlib.machinery.SourceFileLoader.get_code = get_code

    def covers(self, module: str) -> bool:
        """Whether a module's functions are replaced."""
        return any(module == one or module.startswith(f"{one}.") for one in self.modules)

    def decorate(self, function: FunctionType) -> object:
        """Compile a function; keep it as it is where that is refused."""
        try:
            made = self.compile_function(function)
        except Exception as error:
            self.refused[function.__code__] = str(error)
            return function
        self.compiled.add(function.__code__)
        return made
