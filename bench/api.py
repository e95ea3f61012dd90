"""The decorators a kernel's source imports: `from bench.api import njit, prange, stencil`.

Which package they come from is decided while the kernel's file is executed, so that one source
serves every implementation and reads like a user's program.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType

# Each implementation and the module that provides its decorators.
PROVIDERS = {"CPython": "bench.pure_python", "pyopt": "pyopt", "Numba": "numba"}

# Set in the environment, functions are kept on disk.
CACHE_VARIABLE = "BENCH_CACHE"

_provider: ModuleType | None = None


@contextmanager
def provided_by(implementation: str) -> Iterator[None]:
    """While active, names imported from this module are those of `implementation`."""
    global _provider
    previous, _provider = _provider, importlib.import_module(PROVIDERS[implementation])
    try:
        yield
    finally:
        _provider = previous


def __getattr__(name: str) -> object:
    if _provider is None or name.startswith("__"):
        raise AttributeError(f"no implementation provides {name!r} here")
    if name == "jitclass" and not hasattr(_provider, name):
        return importlib.import_module(f"{_provider.__name__}.experimental").jitclass
    found = getattr(_provider, name)
    return _caching(found) if name == "njit" and CACHE_VARIABLE in os.environ else found


def _caching(njit: Callable) -> Callable:
    def decorate(function: Callable | None = None, **options: object) -> Callable:
        decorator = njit(cache=True, **options)
        return decorator if function is None else decorator(function)

    return decorate
