"""What a child process needs, since it has no thread but the one that forked.

What another thread had locked would stay locked in the child for ever: the lock of a dispatcher that
compiles, and CPython's lock of a module that is being imported.
"""

import os
from _thread import RLock
from weakref import WeakSet

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
            import pyopt.errors
            import pyopt.extensions
            import pyopt.first_class
            import pyopt.host
            import pyopt.namespaces
            import pyopt.numba
            import pyopt.types  # noqa: F401

            _loaded = True


def _in_child():
    for made in _locks:
        if not made._is_owned():
            made._at_fork_reinit()
    _loading.release()


os.register_at_fork(before=_loading.acquire, after_in_parent=_loading.release, after_in_child=_in_child)
