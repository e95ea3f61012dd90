"""C functions and arrays over C memory, under Numba's names."""

from functools import cached_property, update_wrapper

from pyopt.decorators import check_options, make_dispatcher, of_package
from pyopt.entry_points import entry_point, entry_points


@entry_point
def cfunc(sig, locals=None, cache=False, pipeline_class=None, **options):
    """Compile a function that C code calls: ``@cfunc("float64(float64, float64)")``.

    The signature has types that C has: numbers, ``types.CPointer(…)``, ``types.voidptr`` and, as the return
    type, ``types.void``. One with other types is for compiled code alone, which may get the function as an
    argument: it has no address. An exception that leaves the function is reported as
    one that nobody can handle, and
    C gets zero. From Python the Python function is called.
    """
    from pyopt.types import is_signature

    if not is_signature(sig):
        raise TypeError(f"cfunc takes the signature of the function, not {sig!r}")
    given = {**options, "locals": locals, "cache": cache, "pipeline_class": pipeline_class}
    if given.pop("forceobj", None):
        raise NotImplementedError("a C function isn't compiled in object mode")
    checked = check_options(given)
    return entry_point(lambda function: CFunc(make_dispatcher(function, checked, given), sig))


# Code whose address somebody may have.
_KEPT = set()


@entry_points("address", "cffi", "ctypes", "inspect_llvm", "native_name", "signature")
class CFunc:
    """A function for C code. The code lives as long as this, or anything that was made of it."""

    def __init__(self, dispatcher, signature):
        """Compile a function for a signature."""
        from pyopt import types
        from pyopt.dispatcher import is_postponed
        from pyopt.errors import UnsupportedError

        update_wrapper(self, dispatcher.py_func)
        self._dispatcher = dispatcher
        returns, arguments = types.parse_signature(signature)
        # Why C can't call it, if it can't.
        self._refusal = None
        if returns is not None:
            try:
                returns, arguments = _for_c(types.Signature(returns, arguments))
            except UnsupportedError as error:
                self._refusal = error
        self._asked = returns, arguments
        try:
            if self.is_for_c:
                self._compiled  # noqa: B018
            else:
                self._dispatcher.compile(types.Signature(returns, arguments))
        except Exception as error:
            # A program that never uses the function runs.
            if not is_postponed(error):
                raise

    def __call__(self, *args, **kwargs):
        """Call the Python function."""
        return self.__wrapped__(*args, **kwargs)

    def __repr__(self):
        """Name the function."""
        return f"<C function {self.__qualname__} of {self.__module__}>"

    @property
    def is_for_c(self):
        """Whether C can call it; otherwise it is a function for compiled code alone."""
        return self._refusal is None

    @cached_property
    def _compiled(self):
        if not self.is_for_c:
            raise self._refusal.with_traceback(None)
        returns, arguments = self._asked
        return self._dispatcher.compile_for_c(arguments, returns)

    @cached_property
    def signature(self):
        """The types of the parameters and of the result."""
        from pyopt import types

        returns, arguments = self._asked
        if not self.is_for_c:
            return types.Signature(returns, arguments)
        if returns is None:
            returns = types.from_text(self._compiled.return_type)
        return _for_c(types.Signature(returns, arguments))

    @property
    def _sig(self):
        return self.signature

    @property
    def type(self):
        """The type of the function's address; without one that of functions of the signature."""
        from pyopt.types import ExternalFunctionPointer, FunctionType

        return (ExternalFunctionPointer if self.is_for_c else FunctionType)(self.signature)

    @property
    def address(self):
        """The address of the code."""
        return self._compiled.c_entry[0]

    @property
    def _wrapper_address(self):
        """The address, under Numba's name; programs keep the number alone, so the code stays for ever."""
        _KEPT.add(self._compiled)
        return self.address

    # Numba's name.
    _pyfunc = property(lambda self: self.__wrapped__)

    def __wrapper_address__(self):
        """Return the address of the code, as all objects do that are C functions."""
        return self._wrapper_address

    @property
    def native_name(self):
        """The code's symbol."""
        return self._compiled.c_entry[1]

    @property
    def cache_hits(self):
        """How often the code was found on disk."""
        return sum(self._dispatcher.stats.cache_hits.values())

    @cached_property
    def ctypes(self):
        """The code as a function of ``ctypes``."""
        from pyopt.c_types import function_type

        address = self.address
        made = function_type(self.signature)(address)
        # The code lives as long as the function.
        made._pyopt_code = self._compiled
        return made

    @cached_property
    def cffi(self):
        """The code as a ``void *`` of cffi's."""
        from cffi import FFI

        ffi = FFI()
        code = self._compiled
        return ffi.gc(ffi.cast("void *", self.address), lambda _, kept=code: None)

    def inspect_llvm(self):
        """Return the LLVM IR of the code."""
        return self._compiled.inspect("llvm")

    @cached_property
    def compiled_call(self):
        """The Python function that compiled code calls: with conversions to the types of the signature."""
        from pyopt.first_class import wrapped

        return wrapped(self._dispatcher, self.signature)


def _for_c(signature):
    from pyopt.errors import UnsupportedError
    from pyopt.types.addresses import as_c_signature

    try:
        return as_c_signature(signature)
    except TypeError as error:
        raise UnsupportedError(str(error)) from None


class CompileResultWAP:
    """A compiled signature of a function as a C function, which other functions may get as an argument."""

    def __init__(self, result):
        """Compile the signature for C."""
        from pyopt import types

        self._signature = _for_c(types.Signature(*result.signature))
        self._dispatcher = result._dispatcher
        self._code = self._dispatcher.compile_for_c(self._signature.args, self._signature.return_type)

    def __call__(self, *args, **kwargs):
        """Call the Python function."""
        return self._dispatcher(*args, **kwargs)

    def __wrapper_address__(self):
        """Return the address of the code."""
        return self._code.c_entry[0]

    def signature(self):
        """Return the signature of the code."""
        return self._signature


def get_cython_function_address(module_name, function_name):
    """Return the address of a C function that a Cython module exports."""
    import ctypes
    from importlib import import_module

    exported = import_module(module_name).__pyx_capi__
    if function_name not in exported:
        raise ValueError(f"No function '{function_name}' found in __pyx_capi__ of '{module_name}'")
    capsule = ctypes.py_object(exported[function_name])
    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return pointer_of(capsule, name_of(capsule))


def carray(ptr, shape, dtype=None):
    """Give the array in C order over the memory at a ctypes pointer; ``void *`` needs a ``dtype``."""
    return _array(ptr, shape, dtype, "C")


def farray(ptr, shape, dtype=None):
    """Give the array in Fortran's order over the memory at a ctypes pointer."""
    return _array(ptr, shape, dtype, "F")


of_package(carray, farray)


def _array(ptr, shape, dtype, order):
    import ctypes

    import numpy as np

    pointed = getattr(ptr, "_type_", None)
    if isinstance(pointed, type):
        given = np.dtype(pointed)
        if dtype is not None and np.dtype(dtype) != given:
            raise TypeError(f"mismatching dtype '{np.dtype(dtype)}' for pointer to {given}")
        dtype = given
    elif dtype is None:
        raise TypeError("explicit dtype required for a pointer without a type")
    if not isinstance(ptr, (ctypes.c_void_p, ctypes._Pointer)):
        raise TypeError(f"expected a ctypes pointer, got {ptr!r}")
    address = ctypes.cast(ptr, ctypes.c_void_p).value
    shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = (ctypes.c_byte * size).from_address(address)
    return np.ndarray(shape, dtype, memory, order=order)
