"""Extensions of installed packages: functions that register overloads and types before anything is compiled.

A package names its function as the entry point ``init`` of the group ``pyopt_extensions``, or, for programs
that run with pyopt in the place of Numba, of ``numba_extensions``.
"""

import os
import sys
from threading import RLock
from warnings import warn

_NAME = "init"
_lock = RLock()
_is_loaded = False


def load():
    """Call the functions that installed packages name, once a process."""
    global _is_loaded
    if _is_loaded:
        return
    with _lock:
        if _is_loaded:
            return
        # What an extension compiles in its function mustn't load extensions again.
        _is_loaded = True
        for group in _mentioned(_groups()):
            _call_all(group)


def _groups():
    from pyopt.numba import is_installed

    return ["pyopt_extensions", "numba_extensions"] if is_installed() else ["pyopt_extensions"]


def _mentioned(groups):
    """Give those groups that a package on the path may have entry points of.

    Reading all metadata by ``importlib.metadata`` takes longer than most compilations do.
    """
    found = set()
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            if name.endswith((".dist-info", ".egg-info")):
                found.update(_groups_in(os.path.join(folder, name, "entry_points.txt"), groups))
    return [group for group in groups if group in found]


def _groups_in(path, groups):
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return []
    return [group for group in groups if f"[{group}]".encode() in text]


def _call_all(group):
    from importlib.metadata import entry_points

    from pyopt.errors import PyoptWarning

    for entry in entry_points(group=group, name=_NAME):
        try:
            entry.load()()
        except Exception as error:
            warn(
                f"the extension '{entry.value}' isn't loaded: {type(error).__name__}: {error}",
                PyoptWarning,
                stacklevel=2,
            )
