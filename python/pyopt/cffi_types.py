"""Types and functions of ``cffi``, in our terms; under Numba's names."""

import sys
from importlib.util import find_spec
from types import BuiltinFunctionType

from pyopt import types
from pyopt.c_functions import is_ffi_instance  # noqa: F401, under Numba's name

#: Whether cffi is there, under Numba's name.
SUPPORTED = find_spec("_cffi_backend") is not None
# Functions of modules that cffi compiled, by the object: its type in cffi and its address.
_compiled_functions = {}
_compiled_ffis = []
# What programs say of types of cffi's.
_registered = []

_NUMBERS = {
    "_Bool": "boolean",
    "char": "int8",
    "float": "float32",
    "double": "float64",
    "_cffi_float_complex_t": "complex64",
    "_cffi_double_complex_t": "complex128",
    "size_t": "uint64",
    "ssize_t": "int64",
    "intptr_t": "int64",
    "uintptr_t": "uint64",
    "ptrdiff_t": "int64",
}
_INTEGERS = ("char", "short", "int", "long", "long long")


def map_type(cffi_type, use_record_dtype=False):
    """Give our type for one of cffi's, a signature for a function's."""
    for known, type in _registered:
        if known == cffi_type:
            return type
    kind = cffi_type.kind
    if kind == "void":
        return types.void
    if kind == "function":
        if cffi_type.ellipsis:
            raise TypeError("vararg function is not supported")
        arguments = [map_type(one, use_record_dtype) for one in cffi_type.args]
        return _as_value(map_type(cffi_type.result, use_record_dtype))(*map(_as_value, arguments))
    if kind == "pointer":
        item = cffi_type.item
        if item.kind == "void" or (item.kind == "struct" and item.fields is None):
            return types.voidptr
        return types.CPointer(_as_value(map_type(item, use_record_dtype)))
    if kind == "array":
        return types.NestedArray(map_type(cffi_type.item, use_record_dtype), (cffi_type.length,))
    if kind == "struct" and use_record_dtype:
        return _record(cffi_type)
    if kind == "enum":
        return _integer(cffi_type)
    name = cffi_type.cname
    if kind == "primitive" and name in _NUMBERS:
        return getattr(types, _NUMBERS[name])
    plain = name.removeprefix("unsigned ").removeprefix("signed ")
    if kind == "primitive" and (plain in _INTEGERS or plain.removeprefix("u").endswith("_t")):
        return _integer(cffi_type)
    raise TypeError(f"no support for the C type '{name}'")


def _as_value(type):
    is_signature = isinstance(type, types.Signature)
    return types.ExternalFunctionPointer(type) if is_signature else type


def _integer(cffi_type):
    import _cffi_backend

    ffi = _cffi_backend.FFI()
    size = ffi.sizeof(cffi_type)
    sign = "" if int(ffi.cast(cffi_type, -1)) < 0 else "u"
    return getattr(types, f"{sign}int{8 * size}")


def _record(cffi_type):
    import _cffi_backend
    import numpy as np

    names, formats, offsets = [], [], []
    for name, field in cffi_type.fields:
        for what in ("bitshift", "bitsize"):
            if getattr(field, what) != -1:
                raise ValueError(f"field {name!r} has {what}, this is not supported")
        if field.flags != 0:
            raise ValueError(f"field {name!r} has flags, this is not supported")
        names.append(name)
        formats.append(_dtype(map_type(field.type, use_record_dtype=True)))
        offsets.append(field.offset)
    size = _cffi_backend.FFI().sizeof(cffi_type)
    aligned = all(one % format.alignment == 0 for one, format in zip(offsets, formats, strict=True))
    fields = {"names": names, "formats": formats, "offsets": offsets, "itemsize": size}
    return types.from_dtype(np.dtype(fields, align=aligned))


def _dtype(type):
    import numpy as np

    if isinstance(type, types.NestedArray):
        return np.dtype((_dtype(type.dtype), type.shape))
    if isinstance(type, (types.CPointer, types.ExternalFunctionPointer)) or type == types.voidptr:
        return np.dtype(np.uintp)
    from pyopt.numba.numpy_support import as_dtype

    return as_dtype(type)


def register_module(module):
    """Make the functions of a module that cffi compiled known."""
    ffi = module.ffi
    for name in dir(module.lib):
        function = getattr(module.lib, name)
        if isinstance(function, BuiltinFunctionType):
            address = int(ffi.cast("uintptr_t", ffi.addressof(module.lib, name)))
            _compiled_functions[function] = ffi.typeof(function), address
    if ffi not in _compiled_ffis:
        _compiled_ffis.append(ffi)


def register_type(cffi_type, numba_type):
    """Say which of our types stands for one of cffi's."""
    _registered.insert(0, (cffi_type, numba_type))


def is_cffi_func(value):
    """Whether a value is a function of cffi's."""
    kind = _typeof(value)
    return kind is not None and (
        kind.kind == "function" or (kind.kind == "pointer" and kind.item.kind == "function")
    )


def get_pointer(function):
    """Give the address of a function of cffi's."""
    return described(function)[2]


def make_function_type(function, use_record_dtype=False):
    """Give our type for a function of cffi's."""
    return types.ExternalFunctionPointer(map_type(_typeof(function), use_record_dtype))


def _typeof(value):
    import _cffi_backend

    if isinstance(value, BuiltinFunctionType):
        return _of_compiled(value)[0]
    try:
        return _cffi_backend.typeof(value)
    except TypeError:
        return None


def _of_compiled(function):
    library = function.__self__
    import _cffi_backend

    if not isinstance(library, _cffi_backend.Lib):
        return None, None
    if function not in _compiled_functions:
        # The library has its module's name, which has the rest.
        module = sys.modules.get(repr(library).split("'")[1])
        if module is not None and getattr(module, "lib", None) is library:
            register_module(module)
    return _compiled_functions.get(function, (None, None))


def described(value):
    """Give the name, our type and the address of a function or pointer of cffi's, or None."""
    import _cffi_backend

    if isinstance(value, BuiltinFunctionType):
        if not isinstance(value.__self__, _cffi_backend.Lib):
            return None
        cffi_type, address = _of_compiled(value)
        if cffi_type is None:
            raise TypeError(
                f"cffi function '{value.__name__}' is of a module that isn't known; call register_module"
            )
        return value.__name__, types.ExternalFunctionPointer(map_type(cffi_type)), address
    if type(value).__module__ != "_cffi_backend" or (cffi_type := _typeof(value)) is None:
        return None
    if cffi_type.kind not in ("function", "pointer", "array"):
        return None
    ffi = _cffi_backend.FFI()
    address = int(ffi.cast("uintptr_t", value))
    name = repr(value).split("'")[1]
    if cffi_type.kind == "array":
        return name, types.CPointer(map_type(cffi_type.item)), address
    if cffi_type.kind == "pointer" and cffi_type.item.kind == "function":
        cffi_type = cffi_type.item
    return name, _as_value(map_type(cffi_type)), address
