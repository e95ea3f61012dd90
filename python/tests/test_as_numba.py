"""``import numba`` as pyopt: in programs, modules and children, with what pyopt lacks refused on use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pyopt

HOOK = Path(pyopt.__file__).parents[1] / "wheel-data" / "purelib" / "pyopt_as_numba.pth"


def run(*arguments, **variables):
    """Run Python, and give what it prints; whatever it raises is printed too."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment["PYTHONPATH"] = str(Path(pyopt.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment | variables,
    )
    return done.stdout + done.stderr


def as_numba(program, *arguments, **variables):
    return run("-m", "pyopt.numba", "-c", program, *arguments, **variables)


def test_a_script_runs_with_its_arguments(tmp_path):
    script = tmp_path / "program.py"
    script.write_text("import sys, numba, helper\nprint(helper.f(1), sys.argv[1:], sys.path[0], __name__)\n")
    (tmp_path / "helper.py").write_text("import numba\n@numba.njit\ndef f(x): return x + 1\n")
    assert run("-m", "pyopt.numba", script, "-x", "y") == f"2 ['-x', 'y'] {tmp_path} __main__\n"


def test_a_module_runs(tmp_path):
    (tmp_path / "program.py").write_text("import sys, numba\nprint(numba.__version__, sys.argv[1:])\n")
    path = f"{Path(pyopt.__file__).parents[1]}{os.pathsep}{tmp_path}"
    assert run("-m", "pyopt.numba", "-m", "program", "1", PYTHONPATH=path) == "0.68.1 ['1']\n"


def test_options_of_python_are_kept():
    program = "import numba, sys; print(sys.flags.optimize, sys.flags.dev_mode)"
    assert run("-O", "-m", "pyopt.numba", "-X", "dev", "-c", program) == "1 True\n"
    assert "leave out -E" in run("-I", "-c", _in_isolation())


def _in_isolation():
    root = str(Path(pyopt.__file__).parents[1])
    return (
        f"import sys; sys.path.insert(0, {root!r}); sys.orig_argv = ['python', '-m', 'pyopt.numba', 'x.py']\n"
        "from pyopt.numba.__main__ import main; main()"
    )


def test_usage():
    assert run("-m", "pyopt.numba").startswith("``python -m pyopt.numba script.py [args]``")


def test_children_follow():
    program = (
        "import subprocess, sys\n"
        "child = [sys.executable, '-c', 'import numba; print(numba.njit.__module__)']\n"
        "print(subprocess.run(child, capture_output=True, text=True).stdout, end='')\n"
    )
    assert as_numba(program) == "pyopt.decorators\n"


def test_the_variable_works_where_the_hook_is_installed(tmp_path):
    # Python runs the lines of such a file that begin with `import`.
    program = f"import sys\nexec(open({str(HOOK)!r}).read())\nprint('pyopt.numba' in sys.modules)"
    assert run("-c", program, PYOPT_AS_NUMBA="1") == "True\n"
    assert run("-c", program, PYOPT_AS_NUMBA="0") == run("-c", program) == "False\n"


def test_a_hidden_sitecustomize_runs_too(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("print('its own')\n")
    path = f"{Path(pyopt.__file__).parents[1]}{os.pathsep}{tmp_path}"
    # First in the Python that starts the program's.
    assert as_numba("import numba; print('then')", PYTHONPATH=path) == "its own\nits own\nthen\n"


def test_install_comes_before_numba():
    program = (
        "import pyopt.numba as n, sys; n.install(); n.install(); import numba; print(numba.jit.__module__)"
    )
    assert run("-c", program) == "pyopt.decorators\n"
    program = "import sys; sys.modules['numba'] = sys; import pyopt.numba; pyopt.numba.install()"
    assert "RuntimeError: numba is imported already" in run("-c", program)


def test_versions():
    program = (
        "import importlib.metadata as m, numba, llvmlite\n"
        "print(m.version('numba') == numba.__version__, m.version('llvmlite') == llvmlite.__version__)\n"
        "print(numba.version_info.short, [d.name for d in m.distributions() if d.name == 'numba'][:1])\n"
    )
    assert as_numba(program) == "True True\n(0, 68) ['numba']\n"
    program = "import importlib.metadata as m; print(m.packages_distributions().get('numba'))"
    assert as_numba(program) == "['numba']\n"


def test_what_modules_list_they_have():
    program = """
import importlib
from pyopt.numba.surface import MODULES
for name in MODULES:
    module = importlib.import_module(name)
    missing = [one for one in dir(module) if not hasattr(module, one)]
    assert not missing, (name, missing)
"""
    assert as_numba(program) == ""


def test_libraries_of_c_functions_are_loaded():
    program = """
import ctypes.util
import llvmlite.binding as llvm
from numba import njit, types
llvm.load_library_permanently(ctypes.util.find_library("m"))
sine = types.ExternalFunction("sin", types.float64(types.float64))
print(njit(lambda x: sine(x))(0.0), llvm.address_of_symbol("sin") > 0, llvm.address_of_symbol("no_such"))
try:
    llvm.load_library_permanently("/no/such/library.so")
except RuntimeError as error:
    print("no such file" in str(error).lower())
"""
    assert as_numba(program) == "0.0 True None\nTrue\n"


def test_what_needs_a_device_says_that_there_is_none():
    program = """
from numba import cuda
kernel = cuda.jit(lambda x: None)
for use in (lambda: cuda.to_device(3), lambda: kernel[1, 1](3), lambda: cuda.current_context(), cuda.stream):
    try:
        use()
    except cuda.CudaSupportError as error:
        assert "isn't supported by pyopt" in str(error)
    else:
        raise AssertionError(use)
"""
    assert as_numba(program) == ""


def test_every_module_and_name_of_the_table_is_there():
    program = (
        "import importlib\nfrom pyopt.numba.surface import MODULES\n"
        "for name, module in MODULES.items():\n"
        "    made = importlib.import_module(name)\n"
        "    for one in module.names: getattr(made, one)\n"
        "    dir(made)\n"
        "import numba\nfor name in numba.__all__: getattr(numba, name)\n"
        "print(len(MODULES) > 100, 'rewrites' in numba.__all__)\n"
    )
    assert as_numba(program) == "True False\n"


def test_what_libraries_import():
    program = """
import numba as nb, numpy as np
from numba import cuda, types
from numba.core import cgutils, errors, imputils, typing
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import AttributeTemplate, infer
from numba.experimental import jitclass
from numba.extending import intrinsic, models, overload, register_model
from numba.np.numpy_support import as_dtype, from_dtype
from numba.typed import Dict, List
from llvmlite import ir

@register_model(types.Opaque)
class Model(models.StructModel):
    pass

@infer
class Template(AttributeTemplate):
    pass

@nb.njit(cache=True)
def f(x):
    total = nb.float32(0)
    for i in nb.prange(x):
        total += i
    return total

assert isinstance(f, CPUDispatcher) and f(3) == 3
assert as_dtype(from_dtype(np.dtype("i2"))) == np.dtype("i2")
assert typing.signature(types.int8, types.int16) == types.int8(types.int16)
assert ir.IntType(8).width == 8 and Model(1, 2, []).members == [] and cgutils.voidptr_t.is_pointer
for use in (lambda: ir.Module(), lambda: typing.Registry(), lambda: imputils.for_iter()):
    try:
        use()
    except errors.NumbaError as error:
        print(str(error))
"""
    assert as_numba(program).splitlines() == [
        "'llvmlite.ir.Module' isn't supported by pyopt",
        "'numba.core.typing.Registry' isn't supported by pyopt",
        "'numba.core.imputils.for_iter' isn't supported by pyopt",
    ]


def test_names_that_are_missing_are_refused_on_use_and_not_on_import():
    program = """
from numba.core.cgutils import hexdump
from numba.core.types import RangeIteratorType
from numba.core.typing.cffi_utils import map_struct_to_record_dtype
from numba.experimental.jitclass.base import register_class_type
from numba.extending import sentry_literal_args
from numba.misc.timsort import make_jit_timsort
from numba.np.ufunc.parallel import build_gufunc_wrapper
from numba.stencils.stencil import slice_addition
from numba.core.errors import NumbaError
for name, use in [one for one in globals().items() if callable(one[1]) and one[0] != "NumbaError"]:
    if name.startswith("_"):
        continue
    try:
        use()
    except NumbaError as error:
        print(name in str(error), "isn't supported" in str(error))
"""
    assert as_numba(program) == "True True\n" * 8


@pytest.mark.parametrize("statement", ["import numba.no_such", "from numba.core import no_such"])
def test_what_numba_lacks_is_missing_here_too(statement):
    printed = as_numba(statement).splitlines()[-1]
    assert "no_such" in printed and "Error" in printed


def test_numbas_variables():
    program = (
        "import numba\nprint(numba.config.DISABLE_JIT, numba.get_num_threads(), numba.config.CACHE_DIR)\n"
        "print(numba.njit(len) is len)\n"
        "numba.config.DISABLE_JIT = 0\nprint(numba.core.config.DISABLE_JIT)\n"
    )
    given = {"NUMBA_DISABLE_JIT": "1", "NUMBA_NUM_THREADS": "1", "NUMBA_CACHE_DIR": "/a"}
    assert as_numba(program, **given, PYOPT_DISABLE_JIT="0") == "1 1 /a\nTrue\n0\n"


def test_signatures_that_cannot_be_compiled_are_errors_at_the_call():
    program = """
import numba
@numba.njit("int64(int64)")
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
@numba.njit(["int64(int64)", "float64(UnicodeCharSeq(3))"])
def unknown(n):
    return later(n)
print(fibonacci(10))
try:
    unknown(1)
except numba.TypingError as error:
    print(str(error).splitlines()[0])
later = numba.njit(lambda n: n + 1)
print(unknown(1))
try:
    unknown("a")
except numba.errors.UnsupportedError as error:
    print(error)
"""
    assert as_numba(program).splitlines() == [
        "55",
        "name 'later' is not defined",
        "2",
        "unknown: the type UnicodeCharSeq[3] isn't supported yet",
    ]


def test_modules_give_their_names_to_a_star():
    program = (
        "from numba.extending import *; from numba.types import *; from numba.core.types import *\n"
        "print(is_jitted.__name__, get_cython_function_address.__name__, 'os' in dir())\n"
        "print(ListType(int64), unicode_type, DType.__name__, box is not None)"
    )
    expected = "is_jitted get_cython_function_address False\nListType[int64] unicode_type DType True\n"
    assert as_numba(program) == expected


def test_jitclass_is_a_function_beside_its_package():
    program = (
        "import numba.experimental.jitclass.base, numba.experimental.jitclass as package\n"
        "from numba.experimental import jitclass, structref\n"
        "from numba import int64\n"
        "@jitclass([('x', int64)])\n"
        "class A:\n"
        "    def __init__(self, x): self.x = x\n"
        "print(A(3).x, callable(package))"
    )
    assert as_numba(program) == "3 True\n"


def test_numpy_support():
    program = (
        "import numpy as np; from numba.np import numpy_support as n; from numba import types\n"
        "a = np.ones((2, 3))\n"
        "print(n.map_layout(a), n.map_layout(a.T), n.map_layout(a[:, ::2]), n.is_array(a))\n"
        "print(n.is_contiguous(a.shape, a.strides, 8), n.is_fortran(a.shape, a.strides, 8))\n"
        "print(n.map_arrayscalar_type(np.float32(1)), *map(n.type_is_scalar, [types.int8, types.none]))\n"
        "print(n.as_struct_dtype(n.from_struct_dtype(np.dtype([('x', 'i4')]))))"
    )
    assert as_numba(program) == "C F A True\nTrue False\nfloat32 True False\n[('x', '<i4')]\n"


def test_a_function_with_the_name_of_a_module():
    """``jitclass`` is a class decorator, and the package of its implementation."""
    program = (
        "import numba.experimental.jitclass\n"
        "from numba.experimental import jitclass\n"
        "from numba.experimental.jitclass import jitclass as same\n"
        "from numba.experimental.jitclass.base import JitClassType\n"
        "import numba\n"
        "@jitclass([('x', numba.int64)])\n"
        "class One:\n"
        "    def __init__(self): self.x = 3\n"
        "print(One().x, same is jitclass, isinstance(One, JitClassType))\n"
    )
    assert as_numba(program) == "3 True True\n"


def test_templates_of_overloads_are_registered():
    program = """
from numba import njit
from numba.core import types
from numba.core.typing import templates
from numba.extending import NativeValue, infer_getattr, models, register_model, typeof_impl, unbox


class Scale: ...


class ScaleType(types.Opaque): ...


class Calls(templates._OverloadAttributeTemplate):
    is_method = True


typeof_impl.register(Scale)(lambda value, context: ScaleType("Scale"))
register_model(ScaleType)(models.OpaqueModel)
unbox(ScaleType)(lambda type, value, c: NativeValue(c.context.get_dummy_value()))
make = templates.make_overload_attribute_template
name = make(ScaleType, "name", lambda self: lambda self: "scale")
assert infer_getattr(name) is name
infer_getattr(make(ScaleType, "__call__", lambda self, x: lambda self, x: 2 * x, base=Calls))
make = templates.make_overload_method_template
infer_getattr(make(ScaleType, "plus", lambda self, x: lambda self, x: 1 + x, "never"))
print(njit(lambda scale, x: (scale.name, scale(x), scale.plus(x)))(Scale(), 1.5))
"""
    assert as_numba(program) == "('scale', 3.0, 2.5)\n"


def test_inner_modules_are_there_and_refused_on_use():
    program = """
import numba.core.typeconv, numba.mviewbuf, numba._helperlib, numba.np.ufunc._internal
import numba.cuda.simulator.cudadrv.driver
from numba import cuda
from numba.core import config
from numba.core.typeconv import Conversion
from numba.core.boxing import unbox_array, unbox_tuple
from numba.np.arrayobj import basic_indexing, make_array, normalize_indices
from numba.core.typing.arraydecl import get_array_index_type
print(Conversion.safe, config.CUDA_LOW_OCCUPANCY_WARNINGS, config.CUDA_DEFAULT_PTX_CC, cuda.float32x4)
config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
print(config.CUDA_LOW_OCCUPANCY_WARNINGS)
try:
    numba.mviewbuf.memoryview_get_buffer(1)
except Exception as error:
    print(error)
"""
    printed = as_numba(program)
    assert printed.splitlines()[:2] == ["safe 1 (5, 0) <missing cuda.float32x4>", "0"]
    assert "numba.mviewbuf.memoryview_get_buffer" in printed.splitlines()[2]


def test_options_that_numba_does_not_know_are_errors_at_the_call():
    """Libraries decorate with options of other targets, and may never call what they decorated."""
    program = """
import numba
@numba.njit(device=True)
def f(x): return x
try:
    f(1)
except Exception as error:
    print(type(error).__name__, error)
"""
    assert as_numba(program) == "UnknownOptionError unknown option 'device'\n"


def test_functions_for_shapes(tmp_path):
    script = tmp_path / "shapes.py"
    script.write_text(
        "import numba, numpy as np\n"
        "from numba.core.caching import CacheImpl, _CacheLocator\n"
        "from numba.cpython.unsafe.tuple import build_full_slice_tuple, tuple_setitem\n"
        "from numba.np.unsafe.ndarray import to_fixed_tuple\n"
        "CacheImpl._locator_classes.insert(0, type('L', (_CacheLocator,), {}))\n"
        "@numba.njit\n"
        "def f(a, sizes, at):\n"
        "    s = tuple_setitem(a.shape, at, 9)\n"
        "    total = int(a[build_full_slice_tuple(2)].sum())\n"
        "    return s, np.zeros(s).shape, a.reshape(to_fixed_tuple(sizes, 2)).shape, total\n"
        "print(f(np.ones((2, 3)), np.array([3, 2]), 1))\n"
        "print(f.py_func(np.ones((2, 3)), np.array([3, 2]), 1))\n"
    )
    printed = run("-m", "pyopt.numba", str(script)).splitlines()
    assert printed == ["((2, 9), (2, 9), (3, 2), 6)"] * 2


def test_states_of_generators():
    program = """
import numba, numpy as np
from numba import _helperlib
@numba.njit
def draw():
    return np.random.random()
generator = _helperlib.rnd_get_np_state_ptr()
kept = _helperlib.rnd_get_state(generator)
drawn = draw()
_helperlib.rnd_set_state(generator, kept)
print(draw() == drawn, len(kept[1]))
"""
    assert as_numba(program) == "True 624\n"
