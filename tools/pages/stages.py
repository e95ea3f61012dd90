"""The stages of `a0 * a1 + a2`, from bytecode to assembly: excerpts for `life-of-an-expression.md`.

All of it is made by the tools that users have: `py-translate`, `pyopt`, LLVM's `opt` and `llc`. The
target is a fixed one, so the text is the same on each machine; what optimises for it is the
pipeline of the first tier.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from functools import cached_property
from pathlib import Path

SOURCE = """\
def expression(a0, a1, a2):
    return a0 * a1 + a2
"""
ARRAY = "!typed.array<1, f64, C>"
SIGNATURE = f"expression({ARRAY}, {ARRAY}, {ARRAY})"

TARGET = ["-mtriple=x86_64-unknown-linux-gnu", "-mcpu=x86-64-v3"]

DUMP = re.compile(r"// -----// IR Dump After (\S+) .*//----- //\n")

# What stands for lines that an excerpt leaves out.
GAP = "…"


class Stages:
    """The stages, each made when it is asked for."""

    def __init__(self, root: Path):
        """Note where the tools are."""
        self._release = root / "target/release"
        prefix = os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")
        self._llvm = Path(prefix, "bin")

    def excerpt(self, name: str) -> list[str]:
        """Return the lines of the stage that a page names."""
        try:
            return getattr(self, "_" + name.replace("-", "_"))()
        except (StopIteration, ValueError):
            sys.exit(f"stage {name}: what its excerpt begins or ends with isn't printed any more")

    def verify(self, module: str):
        """Exit unless a module is well-formed."""
        run([self._release / "pyopt"], module)

    # The front end.

    def _bytecode(self):
        script = f"import dis\nexec({SOURCE!r})\ndis.dis(expression)"
        lines = run([sys.executable, "-c", script]).splitlines()
        return [line.rstrip() for line in lines if line]

    def _code(self):
        return [shortened(line) for line in self._module.splitlines()]

    def _lifted(self):
        return body(self._serial["py-translate-bytecode"])

    # One thread.

    def _typed(self):
        return function(self._serial["infer-types"], "expression.1")

    def _array_expr(self):
        return function(self._serial["typed-array-expr"], "expression.1")

    def _loop(self):
        return function(self._serial["parfor-from-numpy"], "expression.1")

    def _broadcast(self):
        lines = function(self._serial["parfor-expand-broadcast"], "expression.1")
        return [*regions(lines, "scf.if")[0], GAP]

    def _materialized(self):
        lines = function(self._serial["parfor-materialize"], "expression.1")
        return tail(lines, "parfor.loop(", above=1)

    def _counted(self):
        return tail(function(self._serial["parfor-to-scf"], "expression.1"), "scf.for", above=3)

    def _owned(self):
        lines = function(self._serial["typed-insert-ownership"], "expression.1")
        lent = next(at for at, line in enumerate(lines) if "typed.borrow" in line)
        owned = tail(lines, "scf.for", above=1)
        owned = [
            shortened(re.sub(r" \{(no)?alias_scopes = .*\]\}", " {…}", line)) for line in owned
        ]
        return [GAP, *dedented(lines[lent - 1 : lent + 2]), *owned]

    def _memref(self):
        lines = function(self._serial["typed-to-memref"], "py.expression.1")
        return tail(lines, "scf.for")

    def _entry(self):
        lines = function(self._serial["typed-to-abi"], "pyopt_entry_expression.1")
        call = next(at for at, line in enumerate(lines) if "call @py.expression.1" in line)
        ends = [at for at, line in enumerate(lines) if line.startswith("^bb2")]
        kept = [*lines[:5], GAP, *lines[call : ends[0] + 1], GAP, *lines[-2:]]
        return [shortened(line) for line in kept]

    # On threads.

    def _launch(self):
        dump = self._parallel["parfor-to-threads"]
        caller = [line for line in function(dump, "expression.1") if "parfor.launch" in line]
        outlined = function(dump, "expression.1.parfor0")
        return [GAP, *dedented(caller), GAP, *[shortened(line) for line in outlined]]

    # LLVM.

    def _llvm_ir(self):
        return [GAP, *basic_block(self._translated, "fmul double")]

    def _vectorised(self):
        return [GAP, *basic_block(self._optimised, "fmul <")]

    def _assembly(self):
        command = [self._llvm / "llc", *TARGET, "-relocation-model=pic", "-o", "-"]
        lines = run(command, self._optimised).splitlines()
        first = next(at for at, line in enumerate(lines) if "mulpd" in line)
        start = max(at for at in range(first) if lines[at].startswith(".L"))
        end = next(at for at in range(first, len(lines)) if lines[at].strip().startswith("j"))
        lines = [line.split("#")[0].rstrip().expandtabs(8) for line in lines[start : end + 1]]
        return [line for line in lines if line and not line.strip().startswith(".p2align")]

    # The programs, each run once.

    @cached_property
    def _module(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "expression.py").write_text(SOURCE)
            tool = self._release / "py-translate"
            command = [tool, "expression.py", "-s", SIGNATURE, "--python", sys.executable]
            return run(command, folder=folder)

    @cached_property
    def _serial(self):
        return self._dumps("py-nopython-pipeline")

    @cached_property
    def _parallel(self):
        return self._dumps("py-parallel-pipeline")

    def _dumps(self, pipeline):
        """Run a pipeline; the module after each of its passes, when that changes it first."""
        flags = ["--mlir-print-ir-after-all", "--mlir-print-ir-after-change"]
        pipeline = f"--pass-pipeline=builtin.module({pipeline})"
        command = [self._release / "pyopt", pipeline, *flags, "-o", os.devnull]
        parts = DUMP.split(run(command, self._module))
        dumps = {}
        for name, text in zip(parts[1::2], parts[2::2], strict=True):
            dumps.setdefault(name, text)
        return dumps

    @cached_property
    def _translated(self):
        lowered = run([self._release / "pyopt", "--py-nopython-pipeline"], self._module)
        translate = [self._llvm / "mlir-translate", "-allow-unregistered-dialect"]
        return run([*translate, "--mlir-to-llvmir"], lowered)

    @cached_property
    def _optimised(self):
        lean = run([self._release / "examples/tiers", "--print-pipeline"]).strip()
        return run([self._llvm / "opt", "-S", *TARGET, f"-passes={lean}"], self._translated)


def run(command: list, text: str | None = None, folder: str | None = None) -> str:
    """Run a program that has to succeed; what it prints, on both streams."""
    made = subprocess.run(
        command,
        input=text,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if made.returncode:
        sys.exit(f"{command[0]} failed:\n{made.stdout}")
    return made.stdout


def body(module: str) -> list[str]:
    """Return the operations of a module."""
    lines = module.strip().splitlines()
    return dedented(lines[1:-1]) if lines[0].startswith("module") else lines


def function(module: str, name: str) -> list[str]:
    """Return a function of a module, or of a dump that is one function."""
    lines = module.strip().splitlines()
    head = re.compile(rf"\s*func\.func (private )?@\"?{re.escape(name)}\"?\(")
    start = next(at for at, line in enumerate(lines) if head.match(line))
    return dedented(lines[start : closing(lines, start) + 1])


def regions(lines: list[str], operation: str) -> list[list[str]]:
    """Return each operation of a name, with its regions."""
    starts = [
        at for at, line in enumerate(lines) if re.search(rf"(^|\s|= ){re.escape(operation)}", line)
    ]
    return [dedented(lines[at : closing(lines, at) + 1]) for at in starts]


def tail(lines: list[str], operation: str, above: int = 0) -> list[str]:
    """Return a function from its last operation of a name on, and some lines above that."""
    start = max(at for at, line in enumerate(lines) if operation in line) - above
    return [GAP, *dedented(lines[start:-1])]


def closing(lines: list[str], start: int) -> int:
    """Find the line that ends the operation that starts at a line."""
    indent = indentation(lines[start])
    later = range(start + 1, len(lines))
    same = (at for at in later if lines[at].startswith(indent + "}"))
    end = next(same)
    while lines[end].endswith("else {"):
        end = next(same)
    return end


def basic_block(module: str, instruction: str) -> list[str]:
    """Return the block of LLVM IR with the first instruction of a kind."""
    return (
        next(block for block in module.split("\n\n") if instruction in block).strip().splitlines()
    )


def indentation(line: str) -> str:
    """Return the blanks that a line begins with."""
    return line[: len(line) - len(line.lstrip())]


def dedented(lines: list[str]) -> list[str]:
    """Remove the first line's indentation from all."""
    indent = indentation(lines[0])
    return [line.removeprefix(indent) for line in lines]


def shortened(line: str) -> str:
    """Leave out the attributes that a reader learns nothing from."""
    line = re.sub(r"(exceptiontable|linetable|localspluskinds|qualname) = \"[^\"]*\", ", "", line)
    line = re.sub(r"(firstlineno|flags|kwonlyargcount|posonlyargcount) = \d+ : i64, ", "", line)
    return re.sub(r" attributes \{pyopt\..*\} \{$", " attributes {…} {", line)
