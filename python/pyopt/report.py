"""What a bug report needs: versions, the machine, threads, caches and devices."""

import os
import platform
import sys

import numpy as np

from pyopt import _core, cache, offload


def text():
    """Write the report, a line for each fact."""
    return "\n".join(f"{name:<12} {value}" for name, value in facts().items())


def facts():
    """Give the facts, each by its name."""
    llvm, triple, cpu, features = _core.machine()
    return {
        "pyopt": f"{_core.__version__}, sources {_core.SOURCES[:8]}, {os.path.dirname(_core.__file__)}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}{_lock()}",
        "NumPy": np.__version__,
        "LLVM, MLIR": llvm,
        "system": f"{platform.platform()}, {triple}",
        "processor": f"{cpu}, {os.cpu_count()} processors",
        "features": " ".join(one[1:] for one in features.split(",") if one.startswith("+")),
        "threads": _core.pool_size(),
        "object mode": "on the interpreter's frames" if _core.OWN_FRAMES else "run by the interpreter",
        "cache": _cache(),
        "devices": _devices(),
        "variables": " ".join(sorted(_variables())) or "none",
    }


def _lock():
    is_enabled = getattr(sys, "_is_gil_enabled", lambda: True)()
    return "" if is_enabled else ", without a global lock"


def _cache():
    directory = _core.cache_directory()
    return "nothing is kept" if directory is None else cache.usage(directory)


def _devices():
    return ", ".join(f"{device.name} ({device.product})" for device in offload.devices())


def _variables():
    prefixes = ("PYOPT_", "NUMBA_")
    return (f"{name}={value}" for name, value in os.environ.items() if name.startswith(prefixes))
