"""What all tests share: overloads end with the test that registers them; how long each test took is kept."""

import gc
import json
import os
from pathlib import Path

import pytest

from pyopt import extending

_seconds = {}


@pytest.fixture(autouse=True)
def _overloads_end_with_the_test():
    """Take back what a test registered: ``overload(bool)`` of texts would decide the truth in other tests.

    What pyopt's own modules register when a test loads them stays.
    """
    before = {name: len(candidates) for name, candidates in extending._overloads.items()}
    yield
    for name, candidates in extending._overloads.items():
        kept = before.get(name, 0)
        if len(candidates) > kept:
            candidates[kept:] = filter(_is_ours, candidates[kept:])


def _is_ours(candidate):
    # What pyopt makes of a program's classes is in no module.
    module = candidate.implementation.__module__
    return module is None or module.partition(".")[0] == "pyopt"


def pytest_collection_finish():
    """Take what pytest itself holds, some millions of objects, out of the collector's sight.

    Tests that count objects collect garbage many times; each would go through all of these.
    """
    gc.collect()
    gc.freeze()


def pytest_runtest_logreport(report):
    _seconds[report.nodeid] = round(_seconds.get(report.nodeid, 0) + report.duration, 4)


def pytest_sessionfinish(session):
    # With workers, their reports come to the process that started them.
    path = os.environ.get("PYOPT_TEST_DURATIONS")
    if path and not hasattr(session.config, "workerinput"):
        # `cargo xtask test` asks for it.
        Path(path).write_text(json.dumps(_seconds))
