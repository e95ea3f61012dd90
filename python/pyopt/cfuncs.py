"""C functions and arrays over C memory, under Numba's names."""

from pyopt.missing import refuse


def cfunc(sig, locals=None, cache=False, pipeline_class=None, **options):
    """Decorate a function that C code is to call; calling it from Python runs the Python function."""

    def decorate(function):
        return CFunc(function)

    return decorate


class CFunc:
    """A function for C code, of which there is only the Python function yet."""

    def __init__(self, function):
        """Take over the function's names."""
        from functools import update_wrapper

        update_wrapper(self, function)

    def __call__(self, *args):
        """Call the Python function."""
        return self.__wrapped__(*args)

    address = property(lambda self: refuse("cfunc.address"), doc="The address of the code; refused.")
    cffi = property(lambda self: refuse("cfunc.cffi"), doc="The code as a pointer of cffi's; refused.")
    ctypes = property(lambda self: refuse("cfunc.ctypes"), doc="The code as a ctypes function; refused.")
    native_name = property(lambda self: refuse("cfunc.native_name"), doc="The code's symbol; refused.")


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
    """Give the array in C order over the memory at a ctypes pointer, or at an address with ``dtype``."""
    return _array(ptr, shape, dtype, "C")


def farray(ptr, shape, dtype=None):
    """Give the array in Fortran's order over the memory at a ctypes pointer, or at an address."""
    return _array(ptr, shape, dtype, "F")


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
    address = ptr if isinstance(ptr, int) else ctypes.cast(ptr, ctypes.c_void_p).value
    shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = (ctypes.c_byte * size).from_address(address)
    return np.ndarray(shape, dtype, memory, order=order)
