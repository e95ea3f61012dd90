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
