"""C functions and pointers that compiled code gets: of ``ctypes``, of ``cffi``, and our own."""

import sys
from types import BuiltinFunctionType
from weakref import WeakValueDictionary


class NullAddress(ValueError, RuntimeError):
    """A C function that isn't there."""


def described(value):
    """Give the name, the type and the address of a C function or pointer; None for anything else.

    Raises TypeError for one that compiled code can't call, which says why.
    """
    kind = type(value)
    if "pyopt.cfuncs" in sys.modules and kind is sys.modules["pyopt.cfuncs"].CFunc:
        return (value.native_name, value.type, value.address) if value.is_for_c else None
    if "_ctypes" in sys.modules and isinstance(value, sys.modules["_ctypes"]._SimpleCData.__base__):
        from pyopt.c_types import described

        return described(value)
    if "_cffi_backend" in sys.modules and (kind is BuiltinFunctionType or kind.__module__ == "_cffi_backend"):
        from pyopt.cffi_types import described

        return described(value)
    if hasattr(kind, "__wrapper_address__"):
        address = value.__wrapper_address__()
        if address <= 0:
            raise NullAddress(
                f"the wrapper address of {value!r} instance must be a positive number, not {address}: "
                "the function address is null"
            )
        return kind.__name__, _pointer_class()(value.signature()), address
    return _external(value)


def _external(value):
    # Asked of every global of a program: what no program has imported isn't imported for it.
    foreign = sys.modules.get("pyopt.types.foreign")
    if foreign is None or not isinstance(value, foreign.ExternalFunction):
        return None
    import ctypes

    function = getattr(ctypes.CDLL(None), value.symbol, None)
    if function is None:
        raise TypeError(f"no C function '{value.symbol}' is loaded")
    address = ctypes.cast(function, ctypes.c_void_p).value
    return value.symbol, _pointer_class()(value.sig), address


def _pointer_class():
    # Importing the types takes milliseconds, which programs without C functions needn't pay.
    from pyopt.types import ExternalFunctionPointer

    return ExternalFunctionPointer


def python_function(value):
    """Give the Python function that compiled code calls in a C function's place; None for any other value.

    That is so for a function made by ``cfunc`` that C can't call, and for one of Python's C API, which is
    called as ``ctypes`` does: with the GIL, and raising what it raises.
    """
    cfuncs = sys.modules.get("pyopt.cfuncs")
    if cfuncs is not None and type(value) is cfuncs.CFunc:
        return None if value.is_for_c else value.compiled_call
    if "_ctypes" in sys.modules and isinstance(value, sys.modules["_ctypes"].CFuncPtr):
        from pyopt.c_types import with_gil

        return with_gil(value)
    return None


def is_ffi_instance(value):
    """Whether a value is cffi's ``FFI``."""
    cffi, backend = sys.modules.get("cffi"), sys.modules.get("_cffi_backend")
    return (cffi is not None and isinstance(value, cffi.FFI)) or (
        backend is not None and isinstance(value, backend.FFI)
    )


def is_library(value):
    """Whether a value is what the functions of cffi's are attributes of."""
    backend, cffi = sys.modules.get("_cffi_backend"), sys.modules.get("cffi")
    if backend is not None and isinstance(value, backend.Lib):
        return True
    # The class of one that is opened by a name has the name in its own.
    kind = type(value)
    return cffi is not None and kind.__name__.startswith("FFILibrary") and kind.__module__ == "cffi.api"


# The objects of C functions that were arguments, by their addresses: compiled code may return them.
_OBJECTS = WeakValueDictionary()


def argument(value):
    """Give the compiler's text of the type and the address of an argument; None if it is no address."""
    found = described(value)
    if found is None:
        return None
    _, type, address = found
    if type.text.startswith("!typed.c_function"):
        remember(value, address)
    return type.text, address


def remember(value, address):
    """Have an object of a C function found by its address, as long as it lives."""
    try:
        _OBJECTS[address] = value
    except TypeError:
        pass  # objects of cffi's aren't referred to weakly


def object_at(address):
    """Give the C function that came as an argument, or its address if it is gone."""
    return _OBJECTS.get(address, address)


def binding(value):
    """Describe a C function that a name stands for; None for anything else."""
    try:
        found = described(value)
    except TypeError as error:
        return ("opaque", f"C function ({error})")
    if found is None or not isinstance(found[1], _pointer_class()):
        return None
    name, type, address = found
    remember(value, address)
    return ("c_function", name, type.text, address)
