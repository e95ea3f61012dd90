"""What all tests share: how long each took is written where `cargo xtask test` asks for it."""

import json
import os
from pathlib import Path

_seconds = {}


def pytest_runtest_logreport(report):
    _seconds[report.nodeid] = round(_seconds.get(report.nodeid, 0) + report.duration, 4)


def pytest_sessionfinish(session):
    # With workers, their reports come to the process that started them.
    path = os.environ.get("PYOPT_TEST_DURATIONS")
    if path and not hasattr(session.config, "workerinput"):
        Path(path).write_text(json.dumps(_seconds))
