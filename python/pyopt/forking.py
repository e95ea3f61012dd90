"""What a child process needs, since it has no thread but the one that forked.

What another thread had locked would stay locked in the child for ever: the lock of a dispatcher that
compiles, and CPython's lock of a module that is being imported.
"""

import os
import sys
from _frozen_importlib import _module_locks
from _thread import RLock, get_ident
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
            import pyopt.extensions
            import pyopt.host
            import pyopt.namespaces  # noqa: F401

            _loaded = True


def _before():
    # What is imported when it is needed, such as types and errors: another thread's import ends first. This
    # thread's would not, but what pyopt's modules do when they are imported doesn't fork.
    while True:
        while _imported_elsewhere():
            sleep(_POLL)
        _loading.acquire()
        if not _imported_elsewhere():
            return
        _loading.release()


def _imported_elsewhere():
    """Names of pyopt's modules whose import another thread has begun, be it that it still looks for the file.

    CPython says that a module is being imported only once its file is found. Its lock is held from the first
    step to the last.
    """
    return [name for name, owner in _owners() if owner not in (None, get_ident())]


def _owners():
    """Which thread has each of the locks of pyopt's modules. There are those that are in use."""
    held = [(name, made()) for name, made in list(_module_locks.items()) if name.startswith("pyopt.")]
    return [(name, lock.owner) for name, lock in held if lock is not None]


def _in_child():
    for made in _locks:
        if not made._is_owned():
            made._at_fork_reinit()
    # An import that began after this thread had looked, between two steps of the fork: it begins anew.
    for name in _imported_elsewhere():
        sys.modules.pop(name, None)
    # One that nobody has may be about to be taken or given back, under a lock of its own.
    for name, owner in _owners():
        if owner != get_ident():
            _module_locks.pop(name, None)
    _loading.release()


os.register_at_fork(before=_before, after_in_parent=_loading.release, after_in_child=_in_child)
