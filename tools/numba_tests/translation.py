"""Numba's types and names in pyopt's terms."""

from __future__ import annotations

import os
from types import CellType, CodeType, FunctionType, ModuleType

import numba
import pyopt
import pyopt.types
from numba.core import types
from numba.np.numpy_support import as_dtype


class Untranslatable(Exception):
    """A type of Numba's that pyopt has no name for."""


def to_pyopt(given: types.Type) -> pyopt.types.Type:
    """The type of pyopt's that a type of Numba's is."""
    given = types.unliteral(given)
    if isinstance(given, (types.Boolean, types.Integer, types.Float, types.Complex)):
        return getattr(pyopt.types, {"bool": "boolean"}.get(given.name, given.name))
    if isinstance(given, types.NPDatetime):
        return pyopt.types.NPDatetime(given.unit)
    if isinstance(given, types.NPTimedelta):
        return pyopt.types.NPTimedelta(given.unit)
    if isinstance(given, types.Record):
        return pyopt.from_dtype(as_dtype(given))
    if isinstance(given, types.NoneType):
        return pyopt.types.none
    if isinstance(given, types.UnicodeType):
        return pyopt.types.unicode_type
    if isinstance(given, types.Array):
        scalar = to_pyopt(given.dtype)
        in_bytes = isinstance(given.dtype, types.Record) or not given.aligned
        layout = "bytes" if in_bytes else given.layout
        return pyopt.types.Array(scalar, given.ndim, layout, not given.mutable)
    if isinstance(given, types.List) and given.reflected:
        return pyopt.types.List(to_pyopt(given.dtype))
    if isinstance(given, types.BaseTuple) and not isinstance(given, types.BaseNamedTuple):
        return pyopt.types.Tuple([to_pyopt(item) for item in given])
    if isinstance(given, types.BaseNamedTuple):
        of_class = pyopt.typeof(given.instance_class(*given.fields)).text.rpartition("#")[2]
        items = ", ".join(to_pyopt(item).text for item in given)
        return pyopt.types.from_text(f"!typed.sequence<tuple<{items}>, #{of_class}")
    if isinstance(given, types.FunctionType):
        signature = given.signature
        arguments = [to_pyopt(one) for one in signature.args]
        return pyopt.types.FunctionType(to_pyopt(signature.return_type)(*arguments))
    if isinstance(given, types.RawPointer) and given == types.voidptr:
        return pyopt.types.voidptr
    if isinstance(given, types.CPointer):
        return pyopt.types.CPointer(to_pyopt(given.dtype))
    if isinstance(given, types.ExternalFunctionPointer):
        arguments = [to_pyopt(one) for one in given.sig.args]
        return pyopt.types.ExternalFunctionPointer(to_pyopt(given.sig.return_type)(*arguments))
    raise Untranslatable(f"a signature has the type {type(given).__name__}, which pyopt lacks")


# What the language of compiled functions has from Numba, by identity.
_NAMES = {
    id(getattr(numba, name)): getattr(pyopt, name)
    for name in (
        *("carray", "farray", "prange", "pndindex", "literally", "literal_unroll", "objmode"),
        *("get_num_threads", "set_num_threads", "get_thread_id", "threading_layer"),
        *("get_parallel_chunksize", "set_parallel_chunksize", "parallel_chunksize"),
    )
    if hasattr(numba, name) and hasattr(pyopt, name)
}
_NAMES[id(types)] = pyopt.types
_NAMES[id(numba)] = pyopt


def take_settings() -> None:
    """Give pyopt's threads the settings that the test gave Numba's."""
    pyopt.set_num_threads(min(numba.get_num_threads(), int(os.environ["PYOPT_NUM_THREADS"])))
    pyopt.set_parallel_chunksize(numba.get_parallel_chunksize())


def shell(function: FunctionType) -> FunctionType:
    """The function over globals and free variables of its own, which `fill` gives their values."""
    cells = tuple(CellType() for _ in function.__closure__ or ())
    name = function.__name__
    made = FunctionType(function.__code__, {}, name, None, cells or None)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__defaults__ = function.__defaults__
    made.__qualname__ = function.__qualname__
    made.__module__ = function.__module__
    return made


def fill(made: FunctionType, function: FunctionType, convert) -> None:
    """Give a shell what `convert` makes of the function's globals and free variables."""
    scope = made.__globals__
    scope.update(function.__globals__)
    for name in names(function.__code__) & scope.keys():
        scope[name] = convert(scope[name])
    for new, cell in zip(made.__closure__ or (), function.__closure__ or (), strict=True):
        try:
            new.cell_contents = convert(cell.cell_contents)
        except ValueError:  # not assigned yet
            continue


def names(code: CodeType) -> set[str]:
    """The names that a function and those in it load."""
    inner = (const for const in code.co_consts if isinstance(const, CodeType))
    return set(code.co_names).union(*map(names, inner))


def reached(function: FunctionType) -> list[object]:
    """The values of the globals and free variables of a function."""
    scope = function.__globals__
    found = [scope[name] for name in names(function.__code__) & scope.keys()]
    for cell in function.__closure__ or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:  # not assigned yet
            continue
    return found


def name_to_pyopt(value: object) -> object:
    """What a name of Numba's stands for in pyopt: its own, or the value as it is."""
    if isinstance(value, types.Type):
        try:
            return to_pyopt(value)
        except Untranslatable:
            return value
    return _NAMES.get(id(value), value)


def is_of_numba(value: object) -> bool:
    """Whether a value comes from Numba itself, not from its tests, and has no name in pyopt."""
    if name_to_pyopt(value) is not value or isinstance(value, types.Type):
        return False
    home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    home = home or type(value).__module__
    return isinstance(home, str) and (home == "numba" or _is_inside(home))


def _is_inside(home: str) -> bool:
    return home.startswith("numba.") and not home.startswith("numba.tests")
