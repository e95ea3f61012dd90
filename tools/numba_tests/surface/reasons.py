"""Why a test of Numba's doesn't pass: the table `reasons.toml`."""

from __future__ import annotations

import fnmatch
import functools
import tomllib
from pathlib import Path


@functools.cache
def _table() -> dict:
    return tomllib.loads(Path(__file__).with_name("reasons.toml").read_text())


def reason_of(module: str, test: str) -> tuple[str, str]:
    """Give the kind of a test's reason, and the reason; `open` and none for what isn't there."""
    for kind, modules in _table().items():
        for pattern, why in modules.get(module, {}).items():
            if fnmatch.fnmatchcase(test, f"*{pattern}"):
                return kind, why
    return "open", ""
