"""Functions that are made again from their source: with other statements, and values under names of ours.

Lines and columns stay those of the source, so errors and tracebacks show what the program has written.
"""

import ast
import inspect
from threading import Lock
from types import CellType, FunctionType

from pyopt.errors import UnsupportedError
from pyopt.host import code_names

# What the function is called meanwhile; no name of a program's.
_NAME = "<function>"
# CPython 3.11 counts the depth of syntax trees for all threads at once: two at work fail with a SystemError.
_LOCK = Lock()


def respell(function, change, values, needed_for):
    """Give a function whose definition ``change`` has changed, in which ``values`` are free variables.

    Without the source there is an error that says what it was needed for.
    """
    names = function.__code__.co_freevars
    with _LOCK:
        code = _changed(function, change, [*names, *values], needed_for)
    cells = dict(zip(names, function.__closure__ or (), strict=True))
    cells |= {name: CellType(value) for name, value in values.items()}
    code = code.replace(**code_names(function.__name__, function.__qualname__))
    closure = tuple(cells[name] for name in code.co_freevars)
    made = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__module__ = function.__module__
    made.__qualname__ = function.__qualname__
    return made


def parameters(names):
    """Write the parameters of a definition, which have no defaults."""
    return ast.arguments(
        posonlyargs=[], args=[ast.arg(name) for name in names], kwonlyargs=[], kw_defaults=[], defaults=[]
    )


def at_place(node, place):
    """Give a new node, and those in it, the place of another one."""
    for inner in ast.walk(node):
        ast.copy_location(inner, place)
    return node


def _changed(function, change, free, needed_for):
    """Compile the function as it is changed, with free variables."""
    factory = ast.FunctionDef(
        name="factory",
        args=parameters(free),
        body=[change(definition_of(function, needed_for))],
        decorator_list=[],
        lineno=1,
        col_offset=0,
    )
    module = ast.fix_missing_locations(ast.Module(body=[factory], type_ignores=[]))
    code = compile(module, function.__code__.co_filename, "exec")
    for name in ("factory", _NAME):
        code = next(one for one in code.co_consts if getattr(one, "co_name", None) == name)
    return code


def definition_of(function, needed_for):
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
        raise UnsupportedError(f"{needed_for} needs the function's source, as a def", place) from None
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
