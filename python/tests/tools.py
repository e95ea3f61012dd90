"""The command line tools, as the tests run them."""

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "target" / "release"
PROGRAMS = sorted((ROOT / "lit-tests" / "programs").glob("*.py"))


def run(program, *args, input=None, timeout=120):
    """Run a tool; give the finished process with output as bytes."""
    command = [os.fspath(BUILD / program), *map(os.fspath, args)]
    return subprocess.run(command, input=input, capture_output=True, timeout=timeout, check=False)


def pyopt(*args, input=b""):
    """Run ``pyopt`` on text or bytecode; give its output, or raise with its diagnostics."""
    finished = run("pyopt", *args, "-", input=input)
    if finished.returncode != 0:
        raise RuntimeError(f"pyopt {' '.join(args)}: {finished.stderr.decode(errors='replace')[-4000:]}")
    return finished.stdout


def translate(path, *signatures, debuginfo=True):
    """Give the module of a Python file as text."""
    args = [part for signature in signatures for part in ("-s", signature)]
    finished = run("py-translate", path, *args, *(["--mlir-print-debuginfo"] if debuginfo else []))
    if finished.returncode != 0:
        raise RuntimeError(f"py-translate {path}: {finished.stderr.decode(errors='replace')}")
    return finished.stdout


def signatures_of(program):
    """Give the specialisations that a program of lit-tests asks for in its RUN lines."""
    lines = [line for line in program.read_text().splitlines() if line.startswith("# RUN:")]
    return list(dict.fromkeys(re.findall(r"-s '([^']*)'", " ".join(lines))))


def ptxas():
    """Give NVIDIA's assembler: from the system, or from the wheel nvidia-cuda-nvcc-cu12."""
    found = shutil.which("ptxas")
    if found is None and importlib.util.find_spec("nvidia") is not None:
        folders = importlib.util.find_spec("nvidia").submodule_search_locations
        found = next(
            (str(one) for folder in folders for one in Path(folder).glob("cuda_nvcc/bin/ptxas")), None
        )
    return found


def passes_of(pipeline):
    """Give the passes of a pipeline in order, each as text with the anchors around it."""
    finished = run("pyopt", "--dump-pass-pipeline", f"--{pipeline}", "-", input=b"")
    text = finished.stderr.decode()
    start = text.index("builtin.module(")
    return list(_leaves(re.sub(r"\s*\n\s*", "", text[start:])))


def _leaves(text, around=()):
    """Take a textual pipeline apart: `a(b,c(d))` has the leaves `a(b)` and `a(c(d))`."""
    for part in _split(text):
        nested = re.match(r"^([\w.-]+|\(any\)|any)\((.*)\)$", part)
        if nested:
            yield from _leaves(nested[2], (*around, nested[1]))
        elif part:
            yield "".join(f"{anchor}(" for anchor in around) + part + ")" * len(around)


def _split(text):
    """Split at commas outside all brackets."""
    depth = start = 0
    for at, char in enumerate(text):
        depth += (char in "({") - (char in ")}")
        if char == "," and depth == 0:
            yield text[start:at].strip()
            start = at + 1
        elif depth < 0:
            yield text[start:at].strip()
            return
    yield text[start:].strip()
