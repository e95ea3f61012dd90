"""The tool loads MLIR's plugins, which link no MLIR of their own, and ends quietly when nobody reads on."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from tools import BUILD, run

SOURCES = Path(__file__).parent / "plugins"
PREFIX = Path(os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22"))


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Give a function that builds a plugin against the installed headers."""

    def make(name):
        library = tmp_path_factory.mktemp("plugins") / f"{name}.so"
        flags = ["-std=c++17", "-fno-rtti", "-fPIC", "-shared", f"-I{PREFIX / 'include'}"]
        clang = PREFIX / "bin" / "clang++"
        compiler = os.fspath(clang) if clang.exists() else os.environ.get("CXX", "c++")
        subprocess.run([compiler, *flags, SOURCES / f"{name}.cpp", "-o", library], check=True)
        return library

    return make


def test_a_pass_plugin(build):
    module = b"func.func @f() -> f64 {\n  %0 = typed.constant 1.0 : f64\n  return %0 : f64\n}"
    pipeline = "--pass-pipeline=builtin.module(func.func(plugin-count-typed))"
    done = run("pyopt", f"--load-pass-plugin={build('pass')}", pipeline, "-", input=module)
    assert done.returncode == 0, done.stderr.decode()
    assert b"remark: 1 typed operations" in done.stderr


def test_a_dialect_plugin(build):
    plugin = f"--load-dialect-plugin={build('dialect')}"
    done = run("pyopt", plugin, "-", input=b'"talk.say"() {text = "hello"} : () -> ()')
    assert done.returncode == 0, done.stderr.decode()
    assert b'"talk.say"() {text = "hello"}' in done.stdout
    done = run("pyopt", plugin, "-", input=b'"talk.say"() : () -> ()')
    assert done.returncode == 1
    assert b"'talk.say' op has nothing to say" in done.stderr


def test_nobody_reads_on():
    """As `mlir-opt`, the tool is ended by the signal, without a message."""
    module = "\n".join(f"func.func private @f{at}(i32) -> i32" for at in range(20000))
    reads, writes = os.pipe()
    os.close(reads)
    done = subprocess.run(
        [BUILD / "pyopt", "-"],
        input=module.encode(),
        stdout=writes,
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
    )
    os.close(writes)
    assert done.stderr == b""
    assert done.returncode == -signal.SIGPIPE
