"""Runs a library's tests under a compiler: in a new process behind each that ends one."""

from __future__ import annotations

import fnmatch
import json
import os
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from libraries.catalog import Library
from libraries.environment import PLACE, Environment

TOOLS = Path(__file__).resolve().parents[1]
COMMANDS = {"numba": [], "pyopt": ["-m", "pyopt.numba"]}
# Two threads, and no cached code: compilation is measured.
VARIABLES = {"NUMBA_NUM_THREADS": "2", "MPLBACKEND": "agg"}


@dataclass
class Outcomes:
    """How a library's tests ended under a compiler."""

    tests: dict[str, dict] = field(default_factory=dict)
    collected: int = 0
    compiled: float = 0.0
    seconds: float = 0.0
    is_complete: bool = True

    def named(self, outcome: str) -> set[str]:
        """Name the tests that ended so."""
        return {name for name, test in self.tests.items() if test["outcome"] == outcome}


@dataclass(frozen=True)
class Limits:
    """How many tests are run, and how long a test and a library may take, in seconds."""

    sample: int
    test: int
    library: int


def outcomes(
    library: Library, compiler: str, limits: Limits, environment: Environment, renew: bool
) -> Outcomes:
    """Run the tests, or read how they ended the last time: Numba's don't change with pyopt."""
    kept = PLACE / "results" / f"{library.name}-{compiler}-{limits.sample}.json"
    if kept.exists() and not renew:
        return Outcomes(**json.loads(kept.read_text()))
    made = _run(library, compiler, limits, environment)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(asdict(made)))
    return made


def _run(library: Library, compiler: str, limits: Limits, environment: Environment) -> Outcomes:
    made = Outcomes()
    source = environment.source(library)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        records = Path(folder, "records.jsonl")
        while True:
            left = limits.library - (time.monotonic() - begin)
            settings = {
                "records": str(records),
                "sample": limits.sample,
                "done": sorted(made.tests),
                "compiler": compiler,
            }
            command = [str(environment.python), *COMMANDS[compiler], "-m", "pytest"]
            command += [
                *("-p", "libraries.recorder", "-p", "no:cacheprovider", "-q", "--no-header"),
                *(
                    "--override-ini=addopts=",
                    "--override-ini=filterwarnings=",
                    f"--timeout={limits.test}",
                    "--tb=short",
                ),
                *("-W", "ignore", "--continue-on-collection-errors", *library.arguments),
                *(f"--ignore-glob={one}" for one in _left_out(library, source)),
                str(source / library.tests),
            ]
            variables = VARIABLES | {
                "LIBRARIES_RECORDER": json.dumps(settings),
                "PYTHONPATH": str(TOOLS),
                "NUMBA_CACHE_DIR": str(Path(folder, "cache")),
            }
            before = len(made.tests)
            ended, message = _process(command, variables, source, left)
            last = _read(made, records)
            records.unlink(missing_ok=True)
            if last is not None:
                crash = {"outcome": "failed", "when": "call", "error": message, "text": ""}
                made.tests[last] = crash
            # Statuses of pytest: all passed, some failed, none was left to run.
            if ended in (None, 0, 1, 5) or len(made.tests) == before:
                made.is_complete = ended is not None
                break
    made.seconds = time.monotonic() - begin
    return made


def _process(command: list[str], variables: dict, source: Path, left: float) -> tuple:
    """Run a process; give its exit status, None if the time is over, and how to call its end."""
    try:
        done = subprocess.run(
            command,
            cwd=source,
            env=os.environ | variables,
            capture_output=True,
            text=True,
            timeout=max(left, 1),
        )
    except subprocess.TimeoutExpired:
        return None, "the time for the library was over"
    lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return done.returncode, f"the process ended with {done.returncode}: {lines[-1:]}"


def _read(made: Outcomes, records: Path) -> str | None:
    """Take over the records; give the test that was running when the process ended."""
    running, compiled = None, 0.0
    for line in records.read_text().splitlines() if records.exists() else ():
        record = json.loads(line)
        match record:
            case {"start": name}:
                running = name
            case {"collected": count}:
                made.collected = max(made.collected, count)
            case {"compiled": seconds}:
                compiled = seconds
            case {"finished": _}:
                running = None
            case {"test": name}:
                before = made.tests.get(name)
                if before is None or before["outcome"] == "passed":
                    made.tests[name] = {key: one for key, one in record.items() if key != "test"}
    made.compiled += compiled
    return running if running is not None and running not in made.tests else None


def _left_out(library: Library, source: Path) -> list[str]:
    """Give the files of tests that are no tests of the library here."""
    found = (source / library.tests).rglob("*.py")
    return [
        str(one)
        for one in found
        if any(fnmatch.fnmatch(one.name, pattern) for pattern in library.left_out)
    ]
