"""Broken input is an error with a place and exit status 1, or a Python exception; never a signal."""

import importlib.util
import marshal
import random
import subprocess
import sys
import types

import pytest
from tools import BUILD, PROGRAMS, run, signatures_of, translate

from pyopt import errors, njit

SOURCE = b"""
def add(a, b):
    if a > b:
        return a + b
    return [a, b, (1, 2.5, "text"), None]
"""


def pyc():
    """Give a good .pyc."""
    code = compile(SOURCE, "good.py", "exec")
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)


def assert_rejected(finished, *mentions):
    """Assert a clean failure: status 1, a diagnostic, nothing of a crash."""
    text = finished.stderr.decode(errors="replace")
    assert finished.returncode == 1, f"status {finished.returncode}: {text}"
    assert "error" in text
    for word in ("panicked", "PLEASE submit a bug report", "Stack dump", "RUST_BACKTRACE", "Assertion"):
        assert word not in text, text
    for mention in mentions:
        assert mention in text, text


def translated(tmp_path, content, name="broken.pyc"):
    """Run py-translate on a file of the given content."""
    path = tmp_path / name
    path.write_bytes(content)
    return path, run("py-translate", path)


def test_the_good_file_is_good(tmp_path):
    _, finished = translated(tmp_path, pyc())
    assert finished.returncode == 0, finished.stderr.decode()


@pytest.mark.parametrize("kept", [0, 1, 3, 4, 8, 15, 16, 17, 20, 40, 80, -40, -10, -1])
def test_truncated_pyc(tmp_path, kept):
    path, finished = translated(tmp_path, pyc()[:kept])
    assert_rejected(finished, str(path))


@pytest.mark.parametrize(
    "magic", [b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7fELF", b"PK\x03\x04", b"\xa7\x0d\x0d\x0b"]
)
def test_wrong_magic_numbers(tmp_path, magic):
    path, finished = translated(tmp_path, magic + pyc()[4:])
    assert_rejected(finished, str(path), "magic")


def test_random_bytes(tmp_path):
    for seed in range(40):
        content = random.Random(seed).randbytes(300)
        _, finished = translated(tmp_path, content if seed % 2 else pyc()[:16] + content)
        assert_rejected(finished)


def test_changed_bytes(tmp_path):
    """A changed byte may well give another good file; a bad one is rejected."""
    good = pyc()
    for seed in range(80):
        chooser = random.Random(seed)
        content = bytearray(good)
        for _ in range(chooser.randint(1, 3)):
            content[chooser.randrange(16, len(content))] = chooser.randrange(256)
        _, finished = translated(tmp_path, bytes(content))
        if finished.returncode != 0:
            assert_rejected(finished)


def test_changed_bytecode_never_crashes_the_passes(tmp_path):
    module = compile(SOURCE, "bad.py", "exec")
    good = next(one for one in module.co_consts if isinstance(one, types.CodeType)).co_code
    for seed in range(60):
        chooser = random.Random(seed)
        content = bytearray(good)
        for _ in range(chooser.randint(1, 4)):
            content[chooser.randrange(len(content))] = chooser.randrange(256)
        path = tmp_path / "bad.pyc"
        # Changed in the file: CPython itself can't hold a code object with such bytes.
        path.write_bytes(pyc()[:16] + marshal.dumps(module).replace(good, bytes(content)))
        finished = run("py-translate", path, "-s", "add(si64, si64)")
        if finished.returncode == 0:
            finished = run("pyopt", "--py-nopython-pipeline", "-", input=finished.stdout)
        if finished.returncode != 0:
            assert_rejected(finished)


def test_missing_files_and_wrong_requests(tmp_path):
    assert_rejected(run("py-translate", tmp_path / "nothing.pyc"), "nothing.pyc")
    assert_rejected(run("py-translate", tmp_path / "nothing.py"))
    _, finished = translated(tmp_path, b"def f(:\n", "wrong.py")
    assert_rejected(finished)
    good = tmp_path / "good.py"
    good.write_bytes(SOURCE)
    for request, mention in (
        ("nothing(si64)", "nothing"),
        ("add(si65x)", "add(si65x)"),
        ("add", "add"),
        ("add(", "add("),
        ("", ""),
        ("add(si64, si64", "add"),
    ):
        assert_rejected(run("py-translate", good, "-s", request), mention)


@pytest.mark.parametrize(
    "text",
    [
        "module {",
        "module { func.func @f( }",
        "module { %0 = py.constant }",
        "module { py.nonsense }",
        "module { func.func @f() { cf.br ^nowhere } }",
        "module { func.func @f() -> si64 { func.return } }",
        "module { func.func @f(%a: !typed.array<x, f64, C>) { func.return } }",
        "module { func.func @f(%a: !typed.array<1, f64, Q>) { func.return } }",
        "module { py.code @f {} }",
        '"py.code"() : () -> ()',
        "func.func @f() { %0 = typed.binary add %a, %a : si64 func.return }",
        "ML\xefR",
        "}",
        '{-# dialect_resources: { builtin: { x: "0x" } } #-}',
    ],
)
@pytest.mark.parametrize("pipeline", ["py-nopython-pipeline", "py-parallel-pipeline"])
def test_malformed_modules(text, pipeline):
    finished = run("pyopt", f"--{pipeline}", "-", input=text.encode("latin1"))
    assert_rejected(finished)


@pytest.mark.parametrize("pipeline", ["py-nopython-pipeline", "py-parallel-pipeline"])
def test_an_empty_module_is_fine(pipeline):
    assert run("pyopt", f"--{pipeline}", "-", input=b"").returncode == 0


def test_truncated_modules_and_bytecode():
    program = PROGRAMS[0]
    module = translate(program, *signatures_of(program))
    bytecode = run("pyopt", "--emit-bytecode", "-", input=module).stdout
    for content in (module, bytecode):
        for part in range(1, 12):
            kept = content[: len(content) * part // 12]
            finished = run("pyopt", "--py-nopython-pipeline", "-", input=kept)
            if finished.returncode != 0:
                assert_rejected(finished)


def test_changed_bytecode_modules():
    program = PROGRAMS[0]
    bytecode = run("pyopt", "--emit-bytecode", "-", input=translate(program, *signatures_of(program))).stdout
    for seed in range(40):
        chooser = random.Random(seed)
        content = bytearray(bytecode)
        content[chooser.randrange(8, len(content))] ^= 1 << chooser.randrange(8)
        finished = run("pyopt", "--py-nopython-pipeline", "-", input=bytes(content))
        # Upstream's reader refuses some without a word.
        if finished.returncode != 0 and (finished.returncode != 1 or finished.stderr):
            assert_rejected(finished)


@pytest.mark.parametrize(
    "pipeline",
    [
        "builtin.module(",
        "builtin.module(nonsense)",
        "nonsense(cse)",
        "builtin.module(cse{option=1})",
        "builtin.module(infer-types{error-model=odd})",
        "builtin.module(infer-types{nothing=1})",
        "builtin.module(func.func(infer-types))",
        "builtin.module(cse))",
        "builtin.module(typed-array-expr,,cse)",
        "",
    ],
)
def test_wrong_pipelines_of_the_tool(pipeline):
    finished = run("pyopt", f"--pass-pipeline={pipeline}", "-", input=b"module {}")
    assert_rejected(finished)


def test_wrong_options_of_the_tool():
    for option in ("--nonsense", "--py-nopython-pipeline=nonsense=1", "--pass-pipeline"):
        finished = run("pyopt", option, "-", input=b"module {}")
        assert finished.returncode == 1
        assert finished.stderr


def test_passes_out_of_order_are_errors():
    program = PROGRAMS[0]
    module = translate(program, *signatures_of(program))
    for passes in ("typed-to-memref", "typed-to-abi", "infer-types", "func.func(typed-lift-control-flow)"):
        finished = run("pyopt", f"--pass-pipeline=builtin.module({passes})", "-", input=module)
        if finished.returncode != 0:
            assert_rejected(finished)


# From Python


def test_wrong_stages_from_python():
    compiled = njit(lambda a: a)
    compiled(1)
    for stage in ("nonsense", "", "builtin.module(", "cse{", "infer-types,cse"):
        with pytest.raises(ValueError):
            compiled.inspect_ir(stage)
    assert "func.func" in compiled.inspect_ir("infer-types")


def test_wrong_signatures_from_python():
    for signature in (
        "int64(",
        "nonsense(int64)",
        "int64(int65)",
        "",
        "int64 int64",
        "__import__('os')",
        "1",
        "(1,)",
    ):
        with pytest.raises((errors.OptionError, TypeError)):
            njit(signature)(lambda a: a)


def test_changed_bytecode_from_python():
    """Wrong bytecode is an exception; in a process of its own, which has to survive."""
    program = """
import random, types
from pyopt import njit

def good(a, b):
    total = 0
    for i in range(a):
        if i > b:
            total += i
    return total

for seed in range(60):
    chooser = random.Random(seed)
    content = bytearray(good.__code__.co_code)
    # Arguments only: with other opcodes CPython itself can't hold the code object.
    for _ in range(chooser.randint(1, 3)):
        content[1 + 2 * chooser.randrange(1, len(content) // 2)] = chooser.randrange(256)
    function = types.FunctionType(good.__code__.replace(co_code=bytes(content)), {"range": range})
    try:
        njit("(int64, int64)")(function)
    except Exception as error:
        assert str(error)
print("survived")
"""
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False
    )
    assert finished.stdout.strip().endswith("survived"), finished.stderr[-3000:]
    assert finished.returncode == 0


def test_the_tools_are_built():
    for name in ("pyopt", "py-translate"):
        assert (BUILD / name).is_file()
