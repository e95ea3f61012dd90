"""Configuration of lit for tests of extensions, in an extension's ``lit.cfg.py``::

    from pyopt.lit import configure

    configure(config, lit_config, __file__, pyopt="target/release/my-opt")

Tests are files that end in ``.mlir``, ``.py`` or ``.test`` and have ``RUN:`` lines. In these ``%pyopt`` is
the tool, ``%py-translate`` makes modules of Python files, ``%python`` is the interpreter that runs lit;
FileCheck, ``not`` and ``split-file`` are LLVM's of pyopt's version. ``--param roundtrip=1`` has the tool
verify that every input survives printing and parsing; tests that can't take part say ``UNSUPPORTED:
roundtrip``.
"""

import os
import shlex
import sys
from pathlib import Path

__all__ = ["configure"]

#: Where LLVM's own tools are, unless a variable says so.
_LLVM = "/usr/lib/llvm-22"


def configure(config, lit_config, file, *, pyopt, py_translate="py-translate", name=None, substitutions=None):
    """Set up the tests of the folder that ``file`` is in: the ``lit.cfg.py`` that calls this.

    ``pyopt`` and ``py_translate`` are tools: paths relative to the folder above, or names to be found on the
    PATH. ``substitutions`` are further ones: ``{"%my-tool": "path/of/it"}``.
    """
    from lit.formats import ShTest

    folder = Path(file).resolve().parent
    roundtrip = lit_config.params.get("roundtrip", "0") == "1"
    if roundtrip:
        config.available_features.add("roundtrip")
    config.name = f"{name or folder.parent.name}{' (roundtrip)' if roundtrip else ''}"
    config.test_format = ShTest(execute_external=False)
    config.suffixes = [".mlir", ".py", ".test"]
    config.excludes = ["Inputs", "lit.cfg.py"]
    config.test_source_root = str(folder)
    # The two modes never write the same temporary file.
    config.test_exec_root = str(folder.parent / "target" / "lit" / ("roundtrip" if roundtrip else "plain"))
    tools = {"%pyopt": pyopt, "%py-translate": py_translate, **(substitutions or {})}
    for pattern, tool in tools.items():
        command = _command(tool, folder.parent)
        if pattern == "%pyopt" and roundtrip:
            command += " --verify-roundtrip"
        # A following `-` or letter would be part of another tool's name.
        config.substitutions.append((rf"{pattern}(?![-\w])", command))
    config.substitutions.append((r"%python(?![-\w])", shlex.quote(sys.executable)))
    # The tools of another version may be in front of these.
    llvm = os.environ.get("LLVM_BIN") or f"{os.environ.get('MLIR_SYS_220_PREFIX', _LLVM)}/bin"
    config.environment["PATH"] = os.pathsep.join([llvm, os.environ.get("PATH", "")])


def _command(tool, folder):
    """Give the shell word for a tool: a path, or a name to be found on the PATH."""
    return shlex.quote(str(folder / tool) if "/" in str(tool) else str(tool))
