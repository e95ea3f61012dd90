"""What a child process needs, since it has no thread but the one that forked.

What another thread had locked would stay locked in the child for ever: the lock of a dispatcher that
compiles, and CPython's lock of a module that is being imported.
"""

import os
import sys
from _thread import RLock
from time import sleep
from weakref import WeakSet

# Seconds between two looks at what other threads import.
_POLL = 0.001

_locks = WeakSet()
_loading = RLock()
_loaded = False


def lock():
    """Make a reentrant lock that is free in a child process if another thread of its parent's held it."""
    made = RLock()
    _locks.add(made)
    return made


def load():
    """Import what compiling needs, while no other thread can fork."""
    global _loaded
    if not _loaded:
        with _loading:
            import pyopt.bindings
            import pyopt.c_functions
            import pyopt.compile_result
            import pyopt.extensions
            import pyopt.host
            import pyopt.namespaces
            import pyopt.numba  # noqa: F401

            _loaded = True


def _before():
    # What is imported when it is needed, such as types and errors: another thread's import ends first. This
    # thread's would not, but what pyopt's modules do when they are imported doesn't fork.
    while True:
        while _is_importing():
            sleep(_POLL)
        _loading.acquire()
        if not _is_importing():
            return
        _loading.release()


def _is_importing():
    ours = [module for name, module in list(sys.modules.items()) if name.startswith("pyopt.")]
    return any(getattr(getattr(one, "__spec__", None), "_initializing", False) for one in ours)


def _in_child():
    for made in _locks:
        if not made._is_owned():
            made._at_fork_reinit()
    _loading.release()


os.register_at_fork(before=_before, after_in_parent=_loading.release, after_in_child=_in_child)
