"""Configuration of the FileCheck tests: `target/venv/bin/lit -v lit-tests`.

`--param roundtrip=1` makes `%pyopt` verify that every input survives printing and parsing, as text
and as bytecode. A test that can't take part says `UNSUPPORTED: roundtrip`. `--param checked=1` has
the allocator overwrite what is freed, so that its use shows, and end the process where something
is freed twice.
"""

import os
import shlex
from pathlib import Path

import lit.formats

root = Path(__file__).resolve().parent.parent
llvm_prefix = os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")
llvm_bin = os.environ.get("LLVM_BIN", f"{llvm_prefix}/bin")
roundtrip = lit_config.params.get("roundtrip", "0") == "1"
checked = lit_config.params.get("checked", "0") == "1"

config.name = "pyopt (roundtrip)" if roundtrip else "pyopt"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".py", ".test"]
config.excludes = ["Inputs", "lit.cfg.py"]
config.test_source_root = str(root / "lit-tests")
# The two modes never write the same temporary file.
config.test_exec_root = str(root / "target/lit" / ("roundtrip" if roundtrip else "plain"))

if roundtrip:
    config.available_features.add("roundtrip")


def program(*path: str) -> str:
    """The shell word for a file below the workspace root."""
    return shlex.quote(str(root.joinpath(*path)))


pyopt = program("target", "release", "pyopt") + (" --verify-roundtrip" if roundtrip else "")
config.substitutions += [
    # A following `-` or letter would be part of another tool's name.
    (r"%pyopt(?![-\w])", pyopt),
    (r"%py-translate(?![-\w])", program("target", "release", "py-translate")),
    (r"%python(?![-\w])", program("target", "venv", "bin", "python")),
]

# FileCheck, not and split-file must be LLVM 22's.
config.environment["PATH"] = os.pathsep.join([llvm_bin, os.environ.get("PATH", "")])

# lit doesn't pass the environment on. Caches of threads would keep freed pieces from the pattern.
if checked:
    config.environment["GLIBC_TUNABLES"] = "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0"
    config.environment["MALLOC_PERTURB_"] = "165"
