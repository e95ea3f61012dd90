"""Runs a program twice, under CPython and with its functions in object mode, and compares all it does."""

import copy
import gc
import itertools
import linecache
import sys
import textwrap
import traceback

from pyopt import jit


def _plain(function):
    return function


def _namespace(source, name, decorator):
    """Execute a program; ``compiled`` marks the functions to compile, ``log`` takes what it does."""
    text = textwrap.dedent(source)
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    log = []
    space = {"__name__": "program", "compiled": decorator, "log": log.append}
    exec(compile(text, name, "exec"), space)  # noqa: S102
    return space, log


def _describe(value):
    """Give a value in a form that two runs share: no addresses, exceptions in full."""
    if isinstance(value, BaseException):
        return describe_exception(value)
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [_describe(one) for one in value]
    return type(value).__name__, repr(value)


def describe_exception(error, seen=()):
    """Type, arguments, places in the program's own frames, notes, cause and context."""
    if error is None or id(error) in seen:
        return None
    seen = (*seen, id(error))
    entries = []
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_globals.get("__name__") == "program":
            entries.append((frame.f_code.co_name, line))
    columns = [
        (entry.name, entry.lineno, entry.end_lineno, entry.colno, entry.end_colno)
        for entry in traceback.TracebackException.from_exception(error).stack
        if entry.filename == "program"
    ]
    return {
        "type": type(error).__name__,
        "args": [_describe(one) for one in error.args],
        "entries": entries,
        "columns": columns,
        "notes": getattr(error, "__notes__", None),
        "cause": describe_exception(error.__cause__, seen),
        "context": describe_exception(error.__context__, seen),
        "suppressed": error.__suppress_context__,
        "group": [describe_exception(one, seen) for one in getattr(error, "exceptions", ())],
    }


def _run(source, decorator, main, arguments):
    space, log = _namespace(source, "program", decorator)
    handled = sys.exc_info()
    try:
        outcome = "returned", _describe(space[main](*arguments))
    except BaseException as error:  # noqa: BLE001
        outcome = "raised", describe_exception(error)
    assert sys.exc_info() == handled
    space.clear()
    gc.collect()
    return outcome, [_describe(one) for one in log]


def _difference(plain, compiled):
    """Say where two runs begin to differ."""
    if plain[1] == compiled[1]:
        return plain[0], compiled[0]
    pairs = itertools.zip_longest(plain[1], compiled[1])
    return next((at, *pair) for at, pair in enumerate(pairs) if pair[0] != pair[1])


def check(source, *calls, main="main"):
    """Compare a program's main function for each tuple of arguments."""
    for arguments in calls or [()]:
        plain = _run(source, _plain, main, copy.deepcopy(arguments))
        compiled = _run(source, jit(forceobj=True), main, copy.deepcopy(arguments))
        assert compiled == plain, f"{main}{arguments}: {_difference(plain, compiled)}"
