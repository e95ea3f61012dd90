"""Why a test doesn't pass: its error, and the feature that it is for."""

from __future__ import annotations

import re

# What errors say of features that compiled code lacks as a whole, and is known to.
FEATURES = (
    ("arrays of texts", r"dtype '<U|chararray"),
    ("linear algebra", r"numpy\.linalg|_linalg_"),
    ("generators of random numbers", r"default_rng|random\.Generator|type 'Generator'"),
    ("kernels", r"\bcuda\b|CUDA"),
)
_ERROR = re.compile(r"^E?\s*((?:[\w.]+)?(?:Error|Exception|Warning)\b.*)$", re.MULTILINE)
_COMPILER = re.compile(r"pyopt\.errors\.(\w+: .*)")


def reason(test: dict) -> str:
    """Give the error in one line, without what is particular to the test."""
    text = test.get("text", "")
    refused = _COMPILER.findall(text)
    errors = _ERROR.findall(test.get("error", ""))
    found = refused or errors or [test.get("error", "") or test["outcome"]]
    line = found[-1].splitlines()[0] if found[-1] else test["outcome"]
    line = re.sub(r"0x[0-9a-f]+|\d+(\.\d+)?(e[+-]?\d+)?", "N", line)
    return line[:160]


def feature(text: str) -> str | None:
    """Give the missing feature that a reason is about."""
    return next((name for name, pattern in FEATURES if re.search(pattern, text)), None)
