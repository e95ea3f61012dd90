"""``locals=``: variables whose type is declared, so that what is assigned to them is converted.

The function is made again from its source, with ``name = type(name)`` behind each assignment of such a
variable. Lines and columns stay those of the source.
"""

import ast
import inspect
from threading import Lock
from types import CellType, FunctionType

from pyopt.errors import UnsupportedError
from pyopt.host import code_names

# What the conversions, and the function that is made, are called meanwhile; no names of a program's.
_PREFIX, _NAME = "<type>", "<function>"
# CPython 3.11 counts the depth of syntax trees for all threads at once: two at work fail with a SystemError.
_LOCK = Lock()


def with_local_types(function, types):
    """Give a Python function that converts what it assigns to the variables named in ``types``."""
    names = function.__code__.co_freevars
    with _LOCK:
        code = _converting(function, types, names)
    cells = dict(zip(names, function.__closure__ or (), strict=True))
    cells |= {_PREFIX + name: CellType(type) for name, type in types.items()}
    code = code.replace(**code_names(function.__name__, function.__qualname__))
    closure = tuple(cells[name] for name in code.co_freevars)
    made = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__module__ = function.__module__
    made.__qualname__ = function.__qualname__
    return made


def _converting(function, types, names):
    """Compile the function with conversions; the types are free variables of it."""
    definition = _Conversions(types).visit(_definition(function))
    factory = ast.FunctionDef(
        name="factory",
        args=_arguments([*names, *(_PREFIX + name for name in types)]),
        body=[definition],
        decorator_list=[],
        lineno=1,
        col_offset=0,
    )
    module = ast.fix_missing_locations(ast.Module(body=[factory], type_ignores=[]))
    code = compile(module, function.__code__.co_filename, "exec")
    for name in ("factory", _NAME):
        code = next(one for one in code.co_consts if getattr(one, "co_name", None) == name)
    return code


def _definition(function):
    """Give the syntax tree of a function, without its decorators, at the lines of its file."""
    try:
        lines, first = inspect.getsourcelines(function.__code__)
        # Methods and closures are indented: in a block of its own the source stays as it is.
        tree = ast.parse("if 1:\n" + "".join(lines) if lines[0][:1].isspace() else "\n" + "".join(lines))
        name = function.__code__.co_name
        found = next(one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) and one.name == name)
    except (OSError, SyntaxError, StopIteration):
        code = function.__code__
        place = (code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0)
        raise UnsupportedError("locals needs the function's source, as a def", place) from None
    ast.increment_lineno(found, first - 2)
    # Under its own name it would be a free variable of itself.
    found.name = _NAME
    found.decorator_list = []
    found.returns = None
    for argument in [*found.args.posonlyargs, *found.args.args, *found.args.kwonlyargs]:
        argument.annotation = None
    found.args.defaults = [ast.Constant(None) for _ in found.args.defaults]
    found.args.kw_defaults = [one and ast.Constant(None) for one in found.args.kw_defaults]
    return found


def _arguments(names):
    return ast.arguments(
        posonlyargs=[], args=[ast.arg(name) for name in names], kwonlyargs=[], kw_defaults=[], defaults=[]
    )


class _Conversions(ast.NodeTransformer):
    """Puts the conversions behind assignments, at the beginning of loop bodies, and of the function."""

    def __init__(self, types):
        self.types = types
        self.function = None

    def visit_FunctionDef(self, node):
        if self.function is not None:
            return node  # its variables are its own
        self.function = node
        self.generic_visit(node)
        parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        node.body[:0] = self._conversions([one.arg for one in parameters], node.body[0])
        return node

    def visit_Lambda(self, node):
        return node

    def visit_NamedExpr(self, node):
        self.generic_visit(node)
        for name in {node.target.id} & self.types.keys():
            node.value = ast.copy_location(_call(name, node.value), node.value)
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        return [node, *self._conversions(_stored(node.targets), node)]

    def visit_AugAssign(self, node):
        return [node, *self._conversions(_stored([node.target]), node)]

    def visit_AnnAssign(self, node):
        return [node, *self._conversions(_stored([node.target]) if node.value else [], node)]

    def visit_For(self, node):
        self.generic_visit(node)
        node.body[:0] = self._conversions(_stored([node.target]), node.target)
        return node

    def visit_With(self, node):
        self.generic_visit(node)
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
        node.body[:0] = self._conversions(_stored(targets), node)
        return node

    def _conversions(self, names, place):
        made = []
        for name in names:
            if name in self.types:
                converted = _call(name, ast.Name(name, ast.Load()))
                made.append(ast.Assign([ast.Name(name, ast.Store())], converted))
        for statement in made:
            for inner in ast.walk(statement):
                ast.copy_location(inner, place)
        return made


def _call(name, value):
    return ast.Call(ast.Name(_PREFIX + name, ast.Load()), [value], [])


def _stored(targets):
    """Name the variables that targets of an assignment store to."""
    nodes = (node for target in targets for node in ast.walk(target))
    return [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
