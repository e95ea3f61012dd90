"""Running the commands that a page shows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


class Folder:
    """A folder that holds a page's files, in which its commands find `target` as in the root."""

    def __init__(self, path: Path, root: Path):
        """Take over an empty folder."""
        self._path = path
        self._root = str(root)
        # What is told of loops depends on the CPU: pages tell it of a common one.
        of_pages = {"PYOPT_CACHE_DIR": str(root / "target/cache"), "PYOPT_CPU_NAME": "x86-64-v3"}
        self._environment = {**os.environ, **of_pages}
        (path / "target").symlink_to(root / "target")

    def write(self, name: str, text: str):
        """Write one of the page's files."""
        (self._path / name).write_text(text)

    def output(self, commands: str) -> list[str]:
        """Return the lines that commands print, on both streams."""
        run = subprocess.run(
            ["sh", "-c", commands],
            cwd=self._path,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        text = run.stdout.rstrip("\n").replace(f"{self._path}/", "")
        if self._root in text:
            sys.exit(f"what is printed names a path of this machine:\n{commands}\n{text}")
        return text.splitlines()
