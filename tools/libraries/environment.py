"""The environment of the libraries, and their sources, under `target/libraries`."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import venv
from pathlib import Path

from libraries.catalog import Library

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "target" / "libraries"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")


class Environment:
    """A Python environment with the libraries, Numba and pyopt."""

    def __init__(self) -> None:
        """Make the environment unless it has what the requirements say."""
        self.python = PLACE / "venv" / "bin" / "python"
        stamp = PLACE / "installed-requirements.txt"
        wanted = REQUIREMENTS.read_text()
        if stamp.exists() and stamp.read_text() == wanted:
            return
        print("installing the libraries", file=sys.stderr)
        venv.create(PLACE / "venv", with_pip=True, clear=False)
        self._pip("install", "--requirement", str(REQUIREMENTS))
        self._find_pyopt()
        stamp.write_text(wanted)

    def source(self, library: Library) -> Path:
        """Give the folder of a library's source, which is downloaded if it isn't there."""
        place = PLACE / "sources" / library.name
        if not place.exists():
            self._pip(
                *("download", "--no-deps", "--no-binary", library.name, "--dest", str(PLACE)),
                _pinned(library.name),
            )
            # With what is behind the name: there are names that others begin with.
            prefix = library.name.replace("-", "_") + "_"
            archive = next(
                one
                for one in PLACE.glob("*.tar.gz")
                if one.name.replace("-", "_").startswith(prefix)
            )
            with tarfile.open(archive) as members:
                members.extractall(place, filter="data")
        return next(one for one in place.iterdir() if one.is_dir())

    def _pip(self, *arguments: str) -> None:
        command = [self.python, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
        subprocess.run(command, check=True)

    def _find_pyopt(self) -> None:
        """Put this checkout's package on the path, and the start-up hook beside it."""
        packages = next((PLACE / "venv" / "lib").glob("python*/site-packages"))
        (packages / "pyopt.pth").write_text(f"{ROOT / 'python'}\n")
        for hook in (ROOT / "python" / "wheel-data" / "purelib").glob("*.pth"):
            (packages / hook.name).write_text(hook.read_text())


def _pinned(name: str) -> str:
    lines = REQUIREMENTS.read_text().splitlines()
    return next(line for line in lines if line.partition("==")[0] == name)
