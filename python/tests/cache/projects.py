"""Projects whose functions are kept on disk, run in processes of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path

_HARNESS = """
import importlib, json, sys, traceback, warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    main = importlib.import_module("main")
    value = main.run()
from pyopt.dispatcher import Dispatcher
every = [one for one in vars(main).values() if type(one) is Dispatcher]
print(json.dumps({
    "value": repr(value),
    "hits": sum(sum(one.stats.cache_hits.values()) for one in every),
    "misses": sum(sum(one.stats.cache_misses.values()) for one in every),
    "told": [(type(one.message).__name__, str(one.message)) for one in told],
}))
"""


def environment(cache, **more):
    """Give the environment of a process with a cache."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYOPT_")}
    path = os.pathsep.join(sys.path)
    return own | {"PYOPT_CACHE_DIR": str(cache), "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"} | more


class Run:
    """What a process of a project reported: what ``run()`` gave, and how often code was on disk."""

    def __init__(self, report):
        self.value = report["value"]
        self.hits = report["hits"]
        self.misses = report["misses"]
        self.told = [tuple(one) for one in report["told"]]

    @property
    def counts(self):
        return self.hits, self.misses


class Project:
    """A folder with a ``main.py`` and a cache."""

    def __init__(self, path, **files):
        self.folder = Path(path) / "project"
        self.folder.mkdir()
        self.cache = Path(path) / "cache"
        self.write(**files)

    def write(self, **files):
        """Write modules."""
        for name, text in files.items():
            (self.folder / f"{name}.py").write_text(text)

    def move(self, name):
        """Move the folder."""
        self.folder = self.folder.rename(self.folder.with_name(name))

    def start(self, cache=None, **more):
        """Start ``main.run()`` in a process."""
        cache = self.cache if cache is None else cache
        return subprocess.Popen(
            [sys.executable, "-c", _HARNESS],
            cwd=self.folder,
            env=environment(cache, **more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, cache=None, **more):
        """Run ``main.run()`` in a process; return what it reported."""
        process = self.start(cache, **more)
        out, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        assert not errors
        return Run(json.loads(out))

    def files(self, kind="functions"):
        """Give the entries of the cache."""
        return sorted(path for path in (self.cache / kind).rglob("*") if path.is_file())
