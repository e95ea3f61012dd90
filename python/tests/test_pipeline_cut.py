"""The IR is the only state between passes: a pipeline can be cut anywhere.

All programs of lit-tests/programs go through each named pipeline in one module that holds theirs. For every
adjacent pair of passes, A and B in two processes give what A and B give in one, locations included; and so
do they when bytecode is what they hand over.
"""

import difflib
import re

import pytest
from tools import PROGRAMS, passes_of, pyopt, signatures_of, translate

PIPELINES = (
    "py-nopython-pipeline",
    "py-parallel-pipeline",
    # Which ids are in SPIR-V depends on addresses; PTX is the same in all processes.
    "py-gpu-pipeline=device=cuda chosen=true",
    "py-object-pipeline",
)
TEXT = "--mlir-print-debuginfo"


@pytest.fixture(scope="session", params=PIPELINES)
def pipeline(request):
    """Give a pipeline's name."""
    return request.param


_inputs = {}


def source(program, pipeline):
    """Give a program's module, translated once: with requests of types where those matter."""
    typed = pipeline != "py-object-pipeline"
    if (program, typed) not in _inputs:
        _inputs[program, typed] = translate(program, *(signatures_of(program) if typed else ()))
    return _inputs[program, typed]


def nested(passes):
    """Give the textual pipeline that runs passes on the modules inside a module."""
    return f"builtin.module({','.join(passes)})"


def untimed(text):
    """Leave out how long upstream's compiler of kernels took, which it writes into the module."""
    return re.sub(rb"(LLVMIRToISATimeInMs = )\d+", rb"\g<1>0", text)


def step(passes, module, *options):
    """Run passes in one process."""
    made = pyopt(f"--pass-pipeline={nested(passes)}", *options, input=module)
    # A time of two digits can't become one of one digit where lengths are written.
    return made if "--emit-bytecode" in options else untimed(made)


def compiles(program, pipeline):
    """Say whether a program alone gets through a pipeline."""
    try:
        pyopt(f"--{pipeline}", input=source(program, pipeline))
    except RuntimeError:
        return False
    return True


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_every_program_gets_through(program, pipeline):
    pyopt(f"--{pipeline}", input=source(program, pipeline))


@pytest.fixture(scope="session")
def combined(pipeline):
    """Give one module that holds those of all programs; what doesn't compile fails its own test."""
    parts = []
    for program in PROGRAMS:
        if compiles(program, pipeline):
            # Printed anew without aliases at the top, so that texts can be put into one.
            text = pyopt(
                "--mlir-print-debuginfo", "--mlir-print-local-scope", input=source(program, pipeline)
            ).decode()
            parts.append(text.replace("module {", f"module @{program.stem} {{", 1))
    assert parts, "no program compiles"
    return pyopt(TEXT, input="\n".join(["module {", *parts, "}"]).encode())


@pytest.fixture(scope="session")
def chain(pipeline, combined):
    """Give the modules between passes, each pass run in a process of its own."""
    modules = [combined]
    for one in passes_of(pipeline):
        modules.append(step([one], modules[-1], TEXT))
    return modules


def difference(one, other):
    """Show how two texts differ, as far as that is readable."""
    lines = difflib.unified_diff(one.decode().splitlines(), other.decode().splitlines(), "cut", "whole", n=2)
    return "\n".join(list(lines)[:60])


def test_text_carries_everything(pipeline, chain):
    passes = passes_of(pipeline)
    for at in range(1, len(passes)):
        whole = step(passes[at - 1 : at + 1], chain[at - 1], TEXT)
        cut = f"between {passes[at - 1]} and {passes[at]}"
        assert chain[at + 1] == whole, f"{cut}\n{difference(chain[at + 1], whole)}"


def test_the_whole_pipeline_is_its_passes(pipeline, combined, chain):
    whole = step(passes_of(pipeline), combined, TEXT)
    assert chain[-1] == whole, difference(chain[-1], whole)


def test_bytecode_carries_everything(pipeline, combined, chain):
    passes = passes_of(pipeline)
    module = pyopt("--emit-bytecode", input=combined)
    for at, one in enumerate(passes):
        module = step([one], module, "--emit-bytecode")
        text = untimed(pyopt(TEXT, input=module))
        assert text == chain[at + 1], f"after {one}\n{difference(text, chain[at + 1])}"


def test_printing_and_parsing_changes_nothing(chain):
    for module in chain[::4]:
        assert pyopt(TEXT, input=module) == module


def test_nothing_depends_on_threads(pipeline, combined, chain):
    alone = step(passes_of(pipeline), combined, TEXT, "--mlir-disable-threading")
    assert alone == chain[-1], difference(alone, chain[-1])
