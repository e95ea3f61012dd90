"""A plugin of pytest: writes how each test ends, chooses some of many, and measures compilation.

It is told what to do by the variable `LIBRARIES_RECORDER`, a JSON object: the file to write to, how
many tests to choose, those that have been run already, and the compiler.
"""

from __future__ import annotations

import hashlib
import json
import os
import time

_SETTINGS = json.loads(os.environ["LIBRARIES_RECORDER"])
_file = open(_SETTINGS["records"], "a", buffering=1)
_compiled = {"seconds": 0.0, "numba": None}


def _write(**record) -> None:
    _file.write(json.dumps(record) + "\n")


def pytest_configure(config) -> None:
    """Begin to measure compilation."""
    if _SETTINGS["compiler"] == "numba":
        from numba.core import event

        _compiled["numba"] = event.TimingListener()
        event.register("numba:compile", _compiled["numba"])
        return
    from pyopt import _core

    for name in ("compile", "compile_cached"):
        setattr(_core, name, _timed(getattr(_core, name)))


def _timed(compile):
    def timed(*arguments):
        begin = time.perf_counter()
        try:
            return compile(*arguments)
        finally:
            _compiled["seconds"] += time.perf_counter() - begin

    return timed


def pytest_collection_modifyitems(config, items) -> None:
    """Choose the same tests whichever compiler runs them: those whose names hash lowest."""
    _write(collected=len(items))
    chosen = sorted(items, key=lambda item: hashlib.sha1(item.nodeid.encode()).digest())
    chosen = {item.nodeid for item in chosen[: _SETTINGS["sample"]]}
    done = set(_SETTINGS["done"])
    items[:] = [item for item in items if item.nodeid in chosen and item.nodeid not in done]


def pytest_collectreport(report) -> None:
    """Write what can't be imported."""
    if report.failed:
        _write(test=report.nodeid, outcome="failed", when="import", **_error(report))


def pytest_runtest_logstart(nodeid) -> None:
    """Write what begins: if nothing follows, the process has ended in it."""
    _write(start=nodeid)


def pytest_runtest_logreport(report) -> None:
    """Write how a test ends: its call, or what failed or skipped it before or behind."""
    if report.when == "teardown":
        _write(compiled=_compile_time())
    if report.when == "call" or report.outcome != "passed":
        error = _error(report) if report.failed else {}
        _write(
            test=report.nodeid,
            outcome=report.outcome,
            when=report.when,
            seconds=report.duration,
            **error,
        )


def pytest_sessionfinish(session) -> None:
    """Say that the process has come to its end."""
    _write(finished=True)


def _compile_time() -> float:
    """Give the seconds that compilation has taken so far."""
    timer = _compiled["numba"]
    return timer.duration if timer is not None and timer.done else _compiled["seconds"]


def _error(report) -> dict:
    """Give the last exception of a report: its message, and its place."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else str(report.longrepr)
    return {"error": text[:2000], "text": str(report.longrepr)[-6000:]}
