"""pyopt compiles numeric Python functions to machine code through MLIR.

Write ``from pyopt import njit, prange, stencil`` where you would write ``from numba import …``.
"""

# Where names are: each is imported when it is asked for, so that Python starts as fast with the hook of
# `pyopt.numba` as without it.
_MODULES = tuple("_core config cuda errors experimental extending ir rewrites typed types".split())
_HOMES = {
    **dict.fromkeys(("jit", "literal_unroll", "literally", "njit", "pndindex", "prange"), "decorators"),
    **dict.fromkeys(("stencil",), "stencils"),
    **dict.fromkeys(("guvectorize", "vectorize"), "ufuncs"),
    **dict.fromkeys(("objmode",), "with_blocks"),
    **dict.fromkeys(("carray", "cfunc", "farray"), "cfuncs"),
    **dict.fromkeys(("jit_module",), "whole_modules"),
    **dict.fromkeys(("load_extension",), "extensions"),
    **dict.fromkeys(("get_num_threads", "get_parallel_chunksize", "get_thread_id"), "threads"),
    **dict.fromkeys(("parallel_chunksize", "set_num_threads", "set_parallel_chunksize"), "threads"),
    **dict.fromkeys(("threading_layer",), "threads"),
    **dict.fromkeys(("__version__", "version_info"), "versions"),
    **dict.fromkeys(("current_device", "device_context", "devices"), "offload"),
    **dict.fromkeys(
        ("as_device_array", "device_array", "device_array_like", "to_device", "DeviceArray"), "device_arrays"
    ),
}
_TYPES = (
    "b1 bool bool_ boolean byte c16 c8 char complex128 complex64 deferred_type double f4 f8 ffi "
    "ffi_forced_object float32 float64 from_dtype i1 i2 i4 i8 int16 int32 int64 int8 int_ intc intp long_ "
    "longlong none optional short size_t ssize_t typeof u1 u2 u4 u8 uchar uint uint16 uint32 uint64 uint8 "
    "uintc uintp ulong ulonglong ushort void"
)
_ERRORS = (
    "ByteCodeSupportError CompilerError ConstantInferenceError DeprecationError ForbiddenConstruct "
    "ForceLiteralArg IRError InternalError InternalTargetMismatchError LiteralTypingError LoweringError "
    "NonexistentTargetError NotDefinedError NumbaAssertionError NumbaAttributeError NumbaDebugInfoWarning "
    "NumbaDeprecationWarning NumbaError NumbaExperimentalFeatureWarning NumbaIRAssumptionWarning "
    "NumbaIndexError NumbaInvalidConfigWarning NumbaKeyError NumbaNotImplementedError "
    "NumbaParallelSafetyWarning NumbaPedanticWarning NumbaPendingDeprecationWarning NumbaPerformanceWarning "
    "NumbaRuntimeError NumbaSystemWarning NumbaTypeError NumbaTypeSafetyWarning NumbaValueError NumbaWarning "
    "RedefinedError RequireLiteralValue TypingError UnsupportedBytecodeError UnsupportedError "
    "UnsupportedParforsError UnsupportedRewriteError UntypedAttributeError VerificationError"
)
_MISSING = "gdb gdb_breakpoint gdb_init"

__all__ = [
    *_MODULES[1:],
    *(name for name in _HOMES if not name.startswith("__")),
    *_TYPES.split(),
    *_ERRORS.split(),
    *_MISSING.split(),
]


def _module(name):
    """Import a module of this package, if there is one of this name: no other module is loaded to tell."""
    from importlib import import_module

    try:
        return import_module(f"pyopt.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"pyopt.{name}":
            raise
        return None


def __dir__():
    return sorted({*globals(), *__all__})


def __getattr__(name):
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"pyopt.{name}")
    if name in _HOMES:
        home = _HOMES[name]
    elif name in _ERRORS.split():
        home = "errors"
    elif name in _MISSING.split():
        home = "missing"
    elif name.startswith("__"):
        raise AttributeError(f"module 'pyopt' has no attribute '{name}'")
    elif name not in _TYPES.split() and (module := _module(name)):
        return module
    else:
        home = "types"
    found = getattr(import_module(f"pyopt.{home}"), name, None)
    if home == "types" and name not in _TYPES.split():
        # Other types are found here too, but none of the classes.
        found = found if isinstance(found, import_module("pyopt.types").Type) else None
    if found is None:
        raise AttributeError(f"module 'pyopt' has no attribute '{name}'")
    globals()[name] = found
    return found
