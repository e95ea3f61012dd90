"""``python -m pyopt cache``: looks after what is kept on disk of functions with ``cache=True``.

``list`` names each entry, ``verify`` reads all and says which are damaged, ``size`` says how much there
is, and ``clear`` removes everything.
"""

from pathlib import Path

from pyopt import _core


def add_command(commands):
    """Add the command to those of ``python -m pyopt``."""
    parser = commands.add_parser("cache", help="look after compiled code on disk")
    parser.add_argument("action", choices=list(_ACTIONS), nargs="?", default="list")
    parser.set_defaults(run=_run)


def usage(directory):
    """Say how much there is in the directory."""
    files, size, limit = _core.cache_usage(directory)
    return f"{files} files, {_amount(size)} of {_amount(limit)} in {directory}"


def _run(given):
    directory = _core.cache_directory()
    if directory is None:
        print("nothing is kept: PYOPT_CACHE_DIR is empty")
        return 0
    return _ACTIONS[given.action](directory)


def _list(directory):
    for kind, version, path, size, label, damage in _core.cache_entries(directory):
        what = label if damage is None else f"damaged: {damage}"
        print(f"{kind:9} {version[:8]} {Path(path).name[:16]} {_amount(size):>9}  {what}")
    return _size(directory)


def _verify(directory):
    entries = _core.cache_entries(directory)
    damaged = [(path, damage) for *_, path, _, _, damage in entries if damage is not None]
    for path, damage in damaged:
        print(f"{path}: {damage}")
    print(f"{len(entries) - len(damaged)} entries are as they were written, {len(damaged)} are damaged")
    return int(bool(damaged))


def _clear(directory):
    print(f"removed {_core.clear_cache(directory)} files of {directory}")
    return 0


def _size(directory):
    print(usage(directory))
    return 0


_ACTIONS = {"list": _list, "verify": _verify, "clear": _clear, "size": _size}


def _amount(size):
    """Write a number of bytes as people do."""
    units = ["KiB", "MiB", "GiB"]
    text = f"{size} B"
    while size >= 1024 and units:
        size /= 1024
        text = f"{size:.1f} {units.pop(0)}"
    return text
