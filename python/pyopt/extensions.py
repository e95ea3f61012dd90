"""Extensions: of installed packages, loaded ones, and those that are built in.

A package names a function that registers overloads and types before anything is compiled as the entry point
``init`` of the group ``pyopt_extensions``, or, for programs that run with pyopt in the place of Numba, of
``numba_extensions``. Entry points of the group ``pyopt.extensions`` are paths of libraries for
:func:`load_extension`, or functions that return one.
"""

import os
import sys
from _thread import get_ident
from warnings import warn

from pyopt import forking

_NAME = "init"
_CORE = "pyopt._core"
_LIBRARIES = "pyopt.extensions"
_lock = forking.lock()
# The thread that loads extensions: a child process, which may not have it, begins anew.
_loader = None
_is_loaded = False


def use_core(name):
    """Have pyopt run on another build of its compiler: the module ``name``, which has extensions built in.

    It must come before anything is compiled: packages call this when they are imported. Raise ImportError
    where the module isn't there, or where pyopt runs on another build already.
    """
    from importlib.util import find_spec, module_from_spec, spec_from_file_location

    found = find_spec(name)
    if found is None or found.origin is None:
        raise ImportError(f"there is no module '{name}': it isn't built", name=name)
    known = sys.modules.get(_CORE)
    if known is not None:
        if os.path.samefile(known.__file__, found.origin):
            return
        package = name.partition(".")[0]
        raise ImportError(
            f"pyopt runs on {known.__file__} already: import {package} before what uses pyopt, and build all "
            "extensions of a process into one",
            name=name,
        )
    spec = spec_from_file_location(_CORE, found.origin)
    core = module_from_spec(spec)
    sys.modules[_CORE] = core
    try:
        spec.loader.exec_module(core)
    except BaseException:
        del sys.modules[_CORE]
        raise


def load_extension(path):
    """Load a compiled extension: a library that uses pyopt's MLIR and has none of its own. Return its name.

    What it adds counts for functions that are compiled from then on; modules that it names are imported.
    Raise ImportError where it can't be used: the message says why.
    """
    from pyopt import _core

    name = _core.load_extension(os.path.abspath(path))
    _import_modules()
    return name


def _import_modules():
    """Import the modules of Python that extensions name."""
    from importlib import import_module

    from pyopt import _core

    for module in _core.extension_modules():
        import_module(module)


def load():
    """Call the functions that installed packages name, once a process."""
    global _is_loaded, _loader
    if _is_loaded:
        return
    with _lock:
        # What an extension compiles in its function mustn't load extensions again.
        if _is_loaded or _loader == get_ident():
            return
        _loader = get_ident()
        try:
            _load()
        finally:
            _is_loaded = True


def _load():
    from pyopt import _core

    # Reading all metadata by `importlib.metadata` takes longer than most compilations do.
    _import_modules()
    folders = [folder for folder in sys.path if isinstance(folder, str)]
    for group in _core.mentioned_groups(folders, _groups()):
        _call_all(group)


def _groups():
    groups = [_LIBRARIES, "pyopt_extensions"]
    # A module that nobody has imported has installed nothing, and importing it takes time.
    numba = sys.modules.get("pyopt.numba")
    return [*groups, "numba_extensions"] if numba is not None and numba.is_installed() else groups


def _call_all(group):
    from importlib.metadata import entry_points

    from pyopt.errors import PyoptWarning

    is_library = group == _LIBRARIES
    for entry in entry_points(group=group) if is_library else entry_points(group=group, name=_NAME):
        try:
            found = entry.load()
            result = found() if callable(found) else found
            if is_library:
                load_extension(result)
        except Exception as error:
            warn(
                f"the extension '{entry.value}' isn't loaded: {type(error).__name__}: {error}",
                PyoptWarning,
                stacklevel=2,
            )
