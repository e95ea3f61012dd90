"""Passes that programs put into the pipelines. The functions are those of ``pyopt.extending``."""

from pyopt import _core
from pyopt.pipelines import _text


def add_pass(name, *, at, options=None):
    """Have all pipelines run a registered pass at a place, in functions that are compiled from now on.

    ``name`` is a pass of pyopt's, of MLIR's, of an extension or of :func:`pyopt.ir.register_pass`; it may
    say what it runs on, as ``"func.func(canonicalize)"``. ``at`` is a point, such as ``"after-fusion"``, or
    ``"before:NAME"`` or ``"after:NAME"`` of a pass that a pipeline runs. ``options`` are the pass's. Return
    whether that pass with these options wasn't there already; raise ValueError where there is no such
    place, pass or option.
    """
    return _core.add_pass(at, _passes(name, options))


def remove_pass(name, *, at, options=None):
    """Take away what :func:`add_pass` has added, given as it was there; return whether it was there."""
    return _core.remove_pass(at, _passes(name, options))


def added_passes():
    """List what extensions and programs have added to the pipelines: pairs of a place and a pass."""
    return _core.placed_passes()


def _passes(name, options):
    if not options:
        return name
    settings = " ".join(f"{option}={_text(value)}" for option, value in options.items())
    passes = name.rstrip(")")
    return f"{passes}{{{settings}}}{name[len(passes) :]}"
