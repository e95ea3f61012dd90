"""Makes `numba` mean pyopt, but for Numba's tests and what only they are written with.

The tests' common module asks for parts of Numba's compiler when it is imported. What stands for
these does nothing; a test that does something with them fails.
"""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import PathFinder
from types import SimpleNamespace

# What the installed Numba has that is its tests, their runner, and C functions that they call.
_OF_TESTS = ("numba.tests", "numba.testing", "numba.runtests", "numba._helperlib")


class _Finder:
    """Finds Numba's tests where Numba is installed."""

    def __init__(self, folder: str):
        self.folder = folder

    def find_spec(self, name: str, path=None, target=None):
        """Find a module of the tests."""
        if name.startswith("numba.tests."):
            return PathFinder.find_spec(name, path)
        return PathFinder.find_spec(name, [self.folder]) if name in _OF_TESTS else None


def install() -> None:
    """Put pyopt in Numba's place in this process."""
    found = PathFinder.find_spec("numba")
    if found is None:
        return
    import pyopt.numba

    pyopt.numba.install()
    sys.meta_path.insert(0, _Finder(found.submodule_search_locations[0]))
    sys.modules.update(_cloudpickle())
    _stand_in("numba.core.compiler", Flags=_Flags, DEFAULT_FLAGS=_Flags())
    switches = dict.fromkeys(("memsys_enable_stats", "memsys_disable_stats"), _nothing)
    _stand_in(
        "numba.core.runtime",
        rtsys=SimpleNamespace(get_allocation_stats=_allocation_stats),
        _nrt_python=SimpleNamespace(**switches),
    )
    _stand_in("numba.core.target_extension", resolve_dispatcher_from_str=lambda name: _Target)
    _stand_in("numba", _dispatcher=SimpleNamespace())
    _stand_in("numba._helperlib", **_random_states())
    _stand_in("numba.cpython.unicode", _MAX_UNICODE=0x10FFFF)
    _stand_in("numba.core.types.abstract", _typecache={})
    _stand_in("numba.core.types.functions", _header_lead="")
    _stand_in("llvmlite.binding", get_host_cpu_name=lambda: "generic")


class _Target:
    """Numba's class of dispatchers for a processor: tests change its target, and change it back."""

    class Description:
        """What code is made for."""

        def __init__(self, name: str):
            self.name = name

    targetdescr = Description("cpu")


class _Flags:
    """Flags of Numba's compiler: tests set them and hand them on."""


def adapt(module) -> None:
    """Adapt tests that count files of Numba's cache: each has a cache, and counts no files."""
    cached = getattr(module, "BaseCacheTest", None)
    if cached is None:
        return
    prepare = cached.setUp

    def set_up(test) -> None:
        import os

        import pyopt.config

        prepare(test)
        test.cache_dir = os.path.join(test.tempdir, "cache")
        pyopt.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = test.cache_dir

    cached.setUp = set_up
    cached.check_pycache = lambda test, count: None


def _nothing(*_) -> None:
    """Do what pyopt does anyway: allocations are counted all the time."""


def _stand_in(module: str, **names) -> None:
    vars(importlib.import_module(module)).update(names)


def _cloudpickle() -> dict:
    """The package of this name, which Numba has a copy of."""
    import cloudpickle

    return {"numba.cloudpickle": cloudpickle}


def _random_states() -> dict:
    """Functions on pyopt's generators instead of those that take addresses of Numba's."""
    from pyopt.numba import random_states

    ours = {name: one for name, one in vars(random_states).items() if name.startswith("rnd_")}
    return {"rnd_shuffle": _nothing, **ours}


def _allocation_stats() -> SimpleNamespace:
    """Count allocations and frees as Numba does: tests compare the two."""
    from pyopt import _core

    made, freed, _ = _core.memory_stats()
    return SimpleNamespace(alloc=made, free=freed, mi_alloc=made, mi_free=freed)
