"""pyopt compiles numeric Python functions to machine code through MLIR.

Write ``from pyopt import njit, prange, stencil`` where you would write ``from numba import …``.
"""

from pyopt.decorators import jit, literal_unroll, literally, njit, pndindex, prange
from pyopt.threads import (
    get_num_threads,
    get_parallel_chunksize,
    get_thread_id,
    parallel_chunksize,
    set_num_threads,
    set_parallel_chunksize,
    threading_layer,
)

__all__ = [
    "errors",
    "extending",
    "from_dtype",
    "get_num_threads",
    "get_parallel_chunksize",
    "get_thread_id",
    "guvectorize",
    "jit",
    "literal_unroll",
    "literally",
    "njit",
    "objmode",
    "parallel_chunksize",
    "pndindex",
    "prange",
    "rewrites",
    "set_num_threads",
    "set_parallel_chunksize",
    "stencil",
    "threading_layer",
    "typeof",
    "types",
    "vectorize",
]

__version__ = "0.1.0"


def __getattr__(name):
    # What a program with jitted functions alone doesn't need isn't imported with the package.
    if name in ("errors", "extending", "rewrites", "types"):
        from importlib import import_module

        return import_module(f"pyopt.{name}")
    if name == "stencil":
        from pyopt.stencils import stencil

        globals()[name] = stencil
        return stencil
    if name in ("guvectorize", "vectorize"):
        from pyopt import ufuncs

        globals()[name] = found = getattr(ufuncs, name)
        return found
    if name == "objmode":
        from pyopt.with_blocks import objmode

        globals()[name] = objmode
        return objmode
    if not name.startswith("_"):
        from pyopt import types

        # Types and what makes them, under the names that Numba's package has too.
        found = getattr(types, name, None)
        if isinstance(found, types.Type) or name in ("from_dtype", "optional", "typeof"):
            globals()[name] = found
            return found
    raise AttributeError(f"module 'pyopt' has no attribute '{name}'")
