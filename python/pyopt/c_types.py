"""Types of ``ctypes`` and ours, each in terms of the other."""

import _ctypes
import ctypes

from pyopt import types

_NUMBERS = {
    **{f"int{8 * size}": getattr(ctypes, f"c_int{8 * size}") for size in (1, 2, 4, 8)},
    **{f"uint{8 * size}": getattr(ctypes, f"c_uint{8 * size}") for size in (1, 2, 4, 8)},
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
    "bool": ctypes.c_bool,
}
# What C has several names for is one type of a size and sign.
_INTEGERS = "byte ubyte short ushort int uint long ulong longlong ulonglong size_t ssize_t".split()
# The flag of functions that the GIL is held for, as Python's own.
_NEEDS_GIL = 4


def from_ctypes(ctype):
    """Give our type for one of ``ctypes``, or None for ``void``."""
    if ctype is None:
        return types.void
    if ctype is ctypes.c_void_p:
        return types.voidptr
    for name, number in _NUMBERS.items():
        if ctype is number:
            return getattr(types, name)
    if ctype in [getattr(ctypes, f"c_{name}") for name in _INTEGERS]:
        sign = "" if ctype(-1).value < 0 else "u"
        return getattr(types, f"{sign}int{8 * ctypes.sizeof(ctype)}")
    if isinstance(ctype, type) and issubclass(ctype, _ctypes._Pointer):
        return types.CPointer(from_ctypes(ctype._type_))
    if isinstance(ctype, type) and issubclass(ctype, _ctypes.CFuncPtr):
        arguments = getattr(ctype, "_argtypes_", None)
        if arguments is not None:
            signature = from_ctypes(ctype._restype_)(*map(from_ctypes, arguments))
            return types.ExternalFunctionPointer(signature)
    if isinstance(ctype, type) and issubclass(ctype, _ctypes.Structure):
        import numpy as np

        return types.from_dtype(np.dtype(ctype))
    raise TypeError(f"Unsupported ctypes type: {ctype}")


def to_ctypes(type):
    """Give the type of ``ctypes`` for one of ours, None for ``void``."""
    if type == types.void:
        return None
    # Numbers first: types that are found in other modules are imported when they are asked for.
    if type.name in _NUMBERS:
        return _NUMBERS[type.name]
    if type == types.voidptr:
        return ctypes.c_void_p
    if isinstance(type, types.CPointer):
        # ctypes has no types of records by their fields alone.
        pointee = ctypes.c_void_p if isinstance(type.dtype, types.Record) else to_ctypes(type.dtype)
        return pointee if isinstance(type.dtype, types.Record) else ctypes.POINTER(pointee)
    if isinstance(type, types.ExternalFunctionPointer):
        return function_type(type.sig)
    raise TypeError(f"Cannot convert Numba type '{type}' to ctypes type")


def function_type(signature):
    """Give the class of ``ctypes`` for functions of a signature."""
    return ctypes.CFUNCTYPE(to_ctypes(signature.return_type), *map(to_ctypes, signature.args))


def is_ctypes_funcptr(value):
    """Whether a value is a function of ``ctypes``."""
    return isinstance(value, _ctypes.CFuncPtr)


def get_pointer(function):
    """Give the address of a function of ``ctypes``."""
    return ctypes.cast(function, ctypes.c_void_p).value


def name_of(function):
    """Give the name of a function of ``ctypes``, or its class's for one made of an address or in Python."""
    return getattr(function, "__name__", type(function).__name__)


def make_function_type(function):
    """Give our type for a function of ``ctypes``."""
    name = name_of(function)
    if function.argtypes is None:
        raise TypeError(
            f"ctypes function '{name}' doesn't define its argument types; "
            "consider setting the `argtypes` attribute"
        )
    if function._flags_ & _NEEDS_GIL:
        raise TypeError(f"ctypes function '{name}' changes who holds the GIL, which compiled code may not do")
    return types.ExternalFunctionPointer(make_signature(function))


# What changes who holds the GIL: a block of Python code that did it would go on without.
_OF_THREADS = ("PyEval_", "PyGILState_", "PyThreadState_", "PyInterpreterState_")
_WITH_GIL = {}


def with_gil(function):
    """Give a Python function that calls a function of ctypes which needs the GIL; None for any other one."""
    name = name_of(function)
    if not function._flags_ & _NEEDS_GIL or function.argtypes is None:
        return None
    if name.startswith(_OF_THREADS) and name != "PyGILState_Check":
        return None
    known = _WITH_GIL.get(id(function))
    types_now = function.restype, tuple(function.argtypes)
    if known is None or known[:2] != (function, types_now):
        try:
            made = _calling(function, make_signature(function))
        except TypeError:
            return None  # why it can't be called is said where it is
        _WITH_GIL[id(function)] = known = function, types_now, made
    return known[2]


def make_signature(function):
    """Give the signature of a function of ctypes."""
    return from_ctypes(function.restype)(*map(from_ctypes, function.argtypes))


def _calling(function, signature):
    """Write a Python function whose ``objmode`` block calls a function of ctypes."""
    from pyopt.with_blocks import objmode

    pointers = tuple(
        one if isinstance(kind, types.CPointer) else None
        for one, kind in zip(function.argtypes, signature.args, strict=True)
    )
    if isinstance(signature.return_type, (types.CPointer, types.RawPointer)):
        raise TypeError(f"ctypes function '{name_of(function)}' needs the GIL and returns a pointer")

    def call(*arguments):
        given = [
            one if kind is None else ctypes.cast(one, kind)
            for one, kind in zip(arguments, pointers, strict=True)
        ]
        return function(*given)

    names = [f"a{at}" for at in range(len(signature.args))]
    scope = {"call": call, "objmode": objmode, "__name__": __name__}
    lines = [f"def wrapper({', '.join(names)}):"]
    for name, kind in zip(names, signature.args, strict=True):
        if isinstance(kind, types.Number):
            scope[kind.name] = kind
            lines.append(f"    {name} = {kind.name}({name})")
    called = f"call({', '.join(names)})"
    if isinstance(signature.return_type, types.NoneType):
        lines += ["    with objmode():", f"        {called}"]
    else:
        result = signature.return_type.name
        lines += [f"    with objmode(result={result!r}):", f"        result = {called}", "    return result"]
    exec("\n".join(lines) + "\n", scope)
    made = scope["wrapper"]
    made.__qualname__ = made.__name__ = name_of(function)
    return made


def described(value):
    """Give the name, our type and the address of a function or pointer of ``ctypes``, or None."""
    if is_ctypes_funcptr(value):
        return name_of(value), make_function_type(value), get_pointer(value)
    if isinstance(value, (_ctypes._Pointer, ctypes.c_void_p)):
        address = ctypes.cast(value, ctypes.c_void_p).value
        return type(value).__name__, from_ctypes(type(value)), address or 0
    return None
