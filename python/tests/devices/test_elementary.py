"""The elementary functions of devices without a library of them, compiled for the host."""

import ctypes
import ctypes.util
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tools import run

BIN = Path(os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")) / "bin"
PIPELINE = (
    "builtin.module(define-device-functions,arith-expand,expand-elementary{device=true},"
    "lower-structured-control-flow,convert-complex-to-llvm,convert-math-to-llvm,convert-arith-to-llvm,"
    "convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"
)
#: How many units in the last place a result may be from the exact one.
UNARY = {
    "exp": 1,
    "log": 1,
    "erf": 1,
    "asinh": 1,
    "acosh": 1,
    "atanh": 1,
    "erfc": 2,
    "tgamma": 3,
    "lgamma": 2,
}
BINARY = {"hypot": 1, "nextafter": 0}
COMPLEX = ("cexp", "clog", "csqrt", "csin", "ccos", "ctan", "csinh", "ccosh", "ctanh")
POWERS = ("pyopt_pow_i64", "pyopt_pow_u64")


def _functions():
    """Write a module that calls each function by its name on the host."""
    for count, names in (1, UNARY), (2, BINARY):
        for name in names:
            for ty, symbol in ("f64", name), ("f32", f"{name}f"):
                types = ", ".join([ty] * count)
                parameters = ", ".join(f"%{at}: {ty}" for at in range(count))
                given = ", ".join(f"%{at}" for at in range(count))
                yield f"""
                    func.func private @{symbol}({types}) -> {ty} attributes {{pyopt.libm = "{name}"}}
                    func.func @device_{symbol}({parameters}) -> {ty} {{
                      %r = func.call @{symbol}({given}) : ({types}) -> {ty}
                      return %r : {ty}
                    }}"""
    for name in COMPLEX:
        yield f"""
            func.func private @{name}(complex<f64>) -> complex<f64>
            func.func @device_{name}(%z: complex<f64>) -> complex<f64> {{
              %r = func.call @{name}(%z) : (complex<f64>) -> complex<f64>
              return %r : complex<f64>
            }}"""
    for name in POWERS:
        yield f"""
            func.func private @{name}(i64, i64) -> i64
            func.func @device_{name}(%x: i64, %y: i64) -> i64 {{
              %r = func.call @{name}(%x, %y) : (i64, i64) -> i64
              return %r : i64
            }}"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Compile the functions."""
    folder = tmp_path_factory.mktemp("elementary")
    lowered = run("pyopt", "-", f"--pass-pipeline={PIPELINE}", input="".join(_functions()).encode())
    assert lowered.returncode == 0, lowered.stderr.decode()
    translate = [BIN / "mlir-translate", "--mlir-to-llvmir", "-", "-o", folder / "code.ll"]
    subprocess.run(translate, input=lowered.stdout, check=True)
    # What is in the text of the module is all that a device has.
    text = (folder / "code.ll").read_text()
    declared = {line.split("@")[1].split("(")[0] for line in text.splitlines() if line.startswith("declare")}
    assert all(name.startswith("llvm.") for name in declared), declared
    clang = [BIN / "clang", "-O2", "-shared", "-fPIC", folder / "code.ll", "-o", folder / "code.so"]
    subprocess.run([*clang, "-lm"], check=True, capture_output=True)
    return ctypes.CDLL(str(folder / "code.so"))


EDGES = [0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 2.3e-308, 1e300, -1e300, np.inf, -np.inf, np.nan]


def arguments(name):
    random = np.random.default_rng(5)
    small = np.exp(random.uniform(-300, 0, 5000))
    if name in ("log", "acosh"):
        spread = np.exp(random.uniform(-740, 709, 20000))
        near = 1 + np.exp(random.uniform(-36, 0, 10000))
        return [*EDGES, *spread, *near, *random.uniform(0.5, 2, 20000)]
    if name == "exp":
        return [*EDGES, 710.0, -746.0, *random.uniform(-745, 709.7, 20000), *random.uniform(-1, 1, 20000)]
    if name == "asinh":
        wide = np.exp(random.uniform(-40, 709, 20000))
        return [*EDGES, *wide, *-wide[:5000], *small, *random.uniform(-2, 2, 20000)]
    if name == "atanh":
        near = 1 - np.exp(random.uniform(-36, 0, 10000))
        return [*EDGES, 1.5, *small, *near, *-near, *random.uniform(-1, 1, 20000)]
    if name == "erfc":
        return [
            *EDGES,
            27.5,
            30.0,
            -30.0,
            *small,
            *random.uniform(-6.5, 28, 40000),
            *random.uniform(0, 2, 20000),
        ]
    if name == "tgamma":
        whole = np.arange(-200.0, 200)
        near = whole + random.uniform(-1, 1, 400) * np.exp(random.uniform(-30, 0, 400))
        parts = (random.uniform(-10, 25, 30000), random.uniform(-184, 172, 30000), small, -small)
        return [*EDGES, *whole, *near, *np.concatenate(parts), 171.62, 171.63, 172.0, -184.5, -190.5, 1e17]
    if name == "lgamma":
        # Of negative numbers digits are lost near its zeros, as libm loses them.
        whole = np.arange(-60.0, 60)
        near = 1 + np.concatenate([small, -small])
        wide = np.exp(random.uniform(0, 709, 10000))
        parts = (random.uniform(0, 25, 30000), near, 1 + near, wide, small, random.uniform(-1, 0, 5000))
        return [*EDGES, *whole, *np.concatenate(parts), 2.5e305, 2.6e305]
    return [*EDGES, 30.0, -30.0, *random.uniform(-6.5, 6.5, 40000), *small]


def exact(name, count):
    """Give libm's function in extended precision: rounded when it is returned it is exact to half a unit."""
    function = ctypes.CDLL(ctypes.util.find_library("m"))[f"{name}l"]
    function.argtypes, function.restype = [ctypes.c_longdouble] * count, ctypes.c_longdouble
    return function


def check(found, expected, units, *args):
    same = found == expected and np.signbit(found) == np.signbit(expected)
    if not np.isfinite(expected) or expected == 0:
        assert same or (np.isnan(found) and np.isnan(expected)), (args, found, expected)
    elif not same:
        assert abs(found - expected) <= units * np.spacing(abs(expected)), (args, found, expected)


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_a_number_are_within_their_units(library, name):
    function = library[f"device_{name}"]
    function.argtypes, function.restype = [ctypes.c_double], ctypes.c_double
    reference = exact(name, 1)
    for x in map(float, arguments(name)):
        check(function(x), reference(x), UNARY[name], x)


@pytest.mark.parametrize("name", UNARY)
def test_single_precision_is_the_rounded_exact_result(library, name):
    function = library[f"device_{name}f"]
    function.argtypes, function.restype = [ctypes.c_float], ctypes.c_float
    reference = exact(name, 1)
    with np.errstate(over="ignore", under="ignore"):
        numbers = np.array(arguments(name)).astype("f4")
        for x in map(float, numbers[:: 1 if name == "lgamma" else 2]):
            check(np.float32(function(x)), np.float32(reference(x)), 1, x)


@pytest.mark.parametrize("name", ["hypot"])
def test_functions_of_two_numbers_are_within_their_units(library, name):
    random = np.random.default_rng(6)
    scales = np.exp(random.uniform(-740, 708, (2, 20000)))
    pairs = [(x, y) for x in EDGES for y in EDGES]
    pairs += [
        *random.normal(size=(20000, 2)),
        *scales.T,
        *(scales[:1] * random.uniform(0.01, 1.5, (2, 20000))).T,
    ]
    for suffix, ty, dtype in ("", ctypes.c_double, "f8"), ("f", ctypes.c_float, "f4"):
        function = library[f"device_{name}{suffix}"]
        function.argtypes, function.restype = [ty, ty], ty
        reference = exact(name, 2)
        with np.errstate(over="ignore", under="ignore"):
            for x, y in np.array(pairs).astype(dtype)[:: 1 if suffix == "" else 5].tolist():
                rounded = np.dtype(dtype).type(reference(x, y))
                check(np.dtype(dtype).type(function(x, y)), rounded, BINARY[name], x, y)


def test_neighbours_are_numpy_s(library):
    random = np.random.default_rng(7)
    numbers = [
        *EDGES,
        2.2250738585072014e-308,
        1.7976931348623157e308,
        *np.exp(random.uniform(-700, 700, 50)),
    ]
    for suffix, ty, dtype in ("", ctypes.c_double, "f8"), ("f", ctypes.c_float, "f4"):
        function = library[f"device_nextafter{suffix}"]
        function.argtypes, function.restype = [ty, ty], ty
        with np.errstate(all="ignore"):
            values = np.array([*numbers, *-np.array(numbers)]).astype(dtype)
            for x in values:
                for y in values:
                    check(values.dtype.type(function(x, y)), np.nextafter(x, y), 0, x, y)


class _Complex(ctypes.Structure):
    _fields_ = [("re", ctypes.c_double), ("im", ctypes.c_double)]


@pytest.mark.parametrize("name", COMPLEX)
def test_functions_of_complex_numbers_are_close(library, name):
    """Each part is as near as libm's: relative to the whole number, and to itself away from its zeros."""
    function = library[f"device_{name}"]
    function.argtypes, function.restype = [ctypes.c_double] * 2, _Complex
    random = np.random.default_rng(8)
    edges = [*EDGES[:4], np.inf, -np.inf, np.nan, 1e-310, 1e300, 710.3, -710.3, 25.0, 0.5, 1e-9]
    special = [complex(x, y) for x in edges for y in edges]
    unit = np.exp(1j * random.uniform(-4, 4, 2000)) * (1 + random.normal(size=2000) * 1e-9)
    normal = random.normal(size=4000) + 1j * random.normal(size=4000)
    numbers = np.array([*special, *normal, *unit, *(20 * normal[:2000])])
    with np.errstate(all="ignore"):
        expected = getattr(np, name[1:])(numbers)
        exact_ones = getattr(np, name[1:])(numbers.astype(np.clongdouble))
    for z, ours, wide in zip(numbers, expected, exact_ones, strict=True):
        made = function(z.real, z.imag)
        for found, number, fine in (made.re, ours.real, wide.real), (made.im, ours.imag, wide.imag):
            if not np.isfinite(fine) or fine == 0 or not np.isfinite(number):
                assert found == number or (np.isnan(found) and np.isnan(number)), (z, made.re, made.im, ours)
                continue
            size = max(abs(float(wide.real)), abs(float(wide.imag))) if name != "clog" else abs(number)
            with np.errstate(over="ignore"):
                assert abs(found - np.double(fine)) <= 4 * np.spacing(min(size, 1e308)), (z, found, number)


def test_powers_are_the_host_s(library):
    random = np.random.default_rng(9)
    signed, unsigned = (library[f"device_{name}"] for name in POWERS)
    signed.argtypes, signed.restype = [ctypes.c_int64] * 2, ctypes.c_int64
    unsigned.argtypes, unsigned.restype = [ctypes.c_uint64] * 2, ctypes.c_uint64
    wrapped = lambda value: (value + 2**63) % 2**64 - 2**63  # noqa: E731
    for base in [-(2**63), -3, -2, -1, 0, 1, 2, 3, 10, *random.integers(-(2**62), 2**62, 50).tolist()]:
        for exponent in [0, 1, 2, 3, 62, 63, 64, *random.integers(0, 200, 20).tolist()]:
            assert signed(base, exponent) == wrapped(base**exponent)
            assert unsigned(base % 2**64, exponent) == base**exponent % 2**64
        for exponent in -1, -2, -(2**63):
            units = {0: -(2**63), 1: 1, -1: 1 if exponent % 2 == 0 else -1}
            assert signed(base, exponent) == units.get(base, 0)
