"""What llvmlite's binding has for the symbols of C libraries, which compiled code calls by name."""

import ctypes

# The libraries stay loaded as long as the process lives.
_LOADED = []


def load_library_permanently(filename):
    """Load a library whose functions compiled code may call by name."""
    try:
        _LOADED.append(ctypes.CDLL(filename, mode=ctypes.RTLD_GLOBAL))
    except OSError as error:
        raise RuntimeError(str(error)) from None


def address_of_symbol(name):
    """Give the address of a function that is loaded; None if there is none of the name."""
    function = getattr(ctypes.CDLL(None), name, None)
    return None if function is None else ctypes.cast(function, ctypes.c_void_p).value
