"""Numba's modules as programs import them: their names, and the variables that scripts set before they do."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pyopt
from pyopt import errors, njit, types
from pyopt.numba import (
    caches,
    dispatchers,
    events,
    linear_algebra,
    locks,
    results,
    serialization,
    signatures,
    utilities,
)


def as_numba(program, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment["PYTHONPATH"] = str(Path(pyopt.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "pyopt.numba", "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env=environment | variables,
    )
    return done.stdout + done.stderr


def test_variables_that_a_script_sets_before_the_import_count(tmp_path):
    program = f"""
import os
os.environ["NUMBA_NUM_THREADS"] = "1"
os.environ["NUMBA_DISABLE_JIT"] = "1"
os.environ["NUMBA_CACHE_DIR"] = {str(tmp_path)!r}
import numba
print(numba.get_num_threads(), numba.config.DISABLE_JIT, numba.config.CACHE_DIR == {str(tmp_path)!r})
print(type(numba.njit(lambda x: x)).__name__)
os.environ["NUMBA_DISABLE_JIT"] = "0"
numba.config.reload_config()
print(numba.config.DISABLE_JIT)
"""
    assert as_numba(program) == "1 1 True\nfunction\n0\n"


def test_a_star_gives_the_names_that_it_gives_of_numba():
    program = """
ir = devices = carray = 1
from numba import *
import numba
print(ir, devices, carray, njit is numba.njit, "njit" in dir(numba), "literally" in numba.__all__)
print(numba.literally is not None, numba.carray is not None)
"""
    assert as_numba(program) == "1 1 1 True True False\nTrue True\n"


def test_the_package_lists_its_names():
    assert {"njit", "prange", "int64", "TypingError", "__version__"} <= {*dir(pyopt), "__version__"}
    assert "njit" in dir(pyopt)


def test_modules_that_programs_import_from():
    program = """
from numba.core.utils import PYVERSION, pysignature
from numba.core.registry import cpu_target
from numba.core.serialize import dumps, loads
from numba.core.event import install_timer
from numba.np.ufunc.parallel import _launch_threads
from numba.core.typing.templates import Signature
import numba
print(len(PYVERSION), pysignature(lambda a, b=1: 0), cpu_target.typing_context.resolve_value_type(1.5))
print(cpu_target.target_context.target_name, loads(dumps([1])), _launch_threads())
print(isinstance(numba.int64(numba.int64), Signature))
"""
    assert as_numba(program) == "2 (a, b=1) float64\ncpu [1] None\nTrue\n"


def test_compilations_are_events():
    class Listener(events.Listener):
        def __init__(self):
            self.seen = []

        def on_start(self, event):
            self.seen.append(("start", event.data["dispatcher"], event.data["args"]))

        def on_end(self, event):
            self.seen.append(("end", event.data["dispatcher"], event.is_failed))

    compiled, failing = njit(lambda x: x + 1), njit(lambda x: x.nothing)
    with events.install_listener("numba:compile", Listener()) as listener:
        compiled(1)
        compiled(2)
        with pytest.raises(pyopt.TypingError):
            failing(1)
    compiled(1.5)
    begun = [("start", one, (types.int64,)) for one in (compiled, failing)]
    assert listener.seen == [begun[0], ("end", compiled, False), begun[1], ("end", failing, True)]

    taken = []
    with events.install_timer("numba:compile", taken.append) as timer:
        assert not timer.done
        compiled(1j)
    with events.install_timer("numba:compile", taken.append):
        compiled(1)
    assert taken == [timer.duration] and taken[0] > 0

    with events.install_recorder("numba:compile") as recorder:
        compiled(True)
    assert [event.status for _, event in recorder.buffer] == [
        events.EventStatus.START,
        events.EventStatus.END,
    ]


def test_programs_have_events_of_their_own():
    with events.install_recorder("mine") as recorder:
        with events.trigger_event("mine", data=1):
            events.start_event("other")
        with pytest.raises(ValueError), events.trigger_event("mine"):
            raise ValueError
    assert [(event.is_start, event.is_end, event.is_failed) for _, event in recorder.buffer] == [
        (True, False, False),
        (False, True, False),
        (True, False, False),
        (False, True, True),
    ]
    assert repr(recorder.buffer[0][1]) == "Event(mine, EventStatus.START, data: int)"
    with pytest.raises(ValueError, match="reserved prefix"):
        events.register("numba:nothing", recorder)
    with pytest.raises(TypeError):
        events.register("mine", print)


def test_the_lock_says_whether_it_is_held():
    assert not locks.global_compiler_lock.is_locked()
    with locks.global_compiler_lock:
        assert locks.global_compiler_lock.is_locked()


def test_targets_and_serialization():
    target = dispatchers.cpu_target
    assert target.typing_context.can_convert(types.int64, types.float64)
    assert target.target_context.target_name == "cpu"
    assert utilities.pysignature is __import__("inspect").signature
    assert serialization.loads(serialization.dumps(njit(lambda x: x * 3)))(2) == 6
    assert serialization.loads(serialization.dumps(lambda x: x * 3))(2) == 6


def test_what_is_no_signature_is_a_type_error():
    for value in (3, None, 1.5):
        with pytest.raises(TypeError):
            signatures.normalize_signature(value)
    assert signatures.normalize_signature("int32(float64)") == ((types.float64,), types.int32)


def test_attributes_of_dispatchers():
    @njit(locals={"y": types.float32})
    def compiled(x):
        y = x + 1
        return y

    assert compiled.typeof_pyval(1.5) == types.float64
    assert compiled.locals == {"y": types.float32}
    assert compiled._compiler.py_func is compiled.py_func
    assert list(compiled._compiler.pysig.parameters) == ["x"]
    made = compiled._compiler.compile((types.int64,), None)
    assert made is compiled.overloads[(types.int64,)] and made.signature.return_type == types.float32
    assert compiled._compiler.compile((types.int64,), types.float32) is made


def test_functions_have_the_class_name_that_programs_ask_for():
    assert type(njit(lambda x: x)).__name__ == "CPUDispatcher"


def test_leaks_are_counted():
    program = """
from numba.core.runtime import rtsys
from numba.core.runtime.nrt import rtsys as same
import numba, numpy as np
make = numba.njit(lambda n: np.ones(n))
make(1)
before = rtsys.get_allocation_stats()
kept = make(3)
during = rtsys.get_allocation_stats()
del kept
after = rtsys.get_allocation_stats()
print(rtsys is same, during.alloc - before.alloc, during.free - before.free, after.mi_free - before.mi_free)
"""
    assert as_numba(program) == "True 1 0 1\n"


def test_threading_layer_is_known_once_threads_were_asked_for():
    program = "import numba; numba.set_num_threads(1); print(type(numba.threading_layer()).__name__)"
    assert as_numba(program) == "str\n"


def test_types_of_values_are_asked_for_with_a_purpose():
    program = """
from numba.core.typing.typeof import Purpose, typeof, typeof_impl
import numba
print(typeof(3, Purpose.constant), typeof(1.5, Purpose.argument), numba.typeof(1j, Purpose.argument))
print(Purpose.argument.name, numba.types.FunctionType(numba.int64(numba.int64, numba.int64)).nargs)
"""
    assert as_numba(program) == "int64 float64 complex128\nargument 2\n"


def test_types_are_inspected_under_a_heading(capsys):
    compiled = njit(lambda x: x + 1)
    compiled(1)
    compiled(1.5)
    compiled.inspect_types()
    printed = capsys.readouterr().out
    assert "<lambda> (int64,)\n---" in printed and "<lambda> (float64,)\n---" in printed


def test_a_c_function_that_python_made_needs_no_name():
    function = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda x: x + 1)
    assert njit(lambda x: function(x))(1) == 2


def test_what_programs_that_call_lapack_ask_for():
    assert [linear_algebra.get_blas_kind(one) for one in (types.float32, types.complex128)] == ["s", "z"]
    with pytest.raises(errors.TypingError, match=r"unsupported dtype for np\.linalg\.det\(\)"):
        linear_algebra.get_blas_kind(types.int64, "np.linalg.det")
    of = njit(lambda a: linear_algebra._copy_to_fortran_order(a))
    matrix = np.arange(24.0).reshape(4, 6)
    for array in (matrix, matrix.T, matrix[::2, ::3], matrix[:1], matrix[0], np.zeros((2, 0))):
        made = of(array)
        assert made.flags.f_contiguous
        assert not np.shares_memory(made, array)
        np.testing.assert_array_equal(made, array)
    linear_algebra._check_linalg_matrix(types.float64[:, ::1], "qr")
    for kind, reason in (
        (types.float64, "np.linalg.qr() only supported for array types"),
        (types.float64[::1], "np.linalg.qr() only supported on 2-D arrays."),
        (types.int64[:, ::1], "np.linalg.qr() only supported on float and complex arrays."),
    ):
        with pytest.raises(errors.TypingError) as caught:
            linear_algebra._check_linalg_matrix(kind, "qr")
        assert str(caught.value) == reason
    with pytest.raises(errors.TypingError, match="homogeneous dtypes"):
        linear_algebra._check_homogeneous_types("solve", types.float64[::1], types.float32[::1])


def test_inner_products_of_two_types():
    whole = linear_algebra._get_inner_prod(types.int64, types.float64)
    floats = linear_algebra._get_inner_prod(types.float32, types.float64)
    of = njit(lambda a, b, c: (whole(a, b), floats(b, c), floats(b[::2], c[1:3])))
    a, b = np.arange(4), np.arange(4.0)
    assert of(a, b, b[:4].astype(np.float32)) == (14.0, 14.0, 4.0)


def to_be_kept(x):
    return x


def test_functions_say_which_cache_they_have():
    assert isinstance(njit(lambda x: x)._cache, caches.NullCache)
    kept = njit(cache=True)(to_be_kept)
    assert isinstance(kept._cache, caches.FunctionCache)
    given = caches.NullCache()
    kept._cache = given
    assert kept._cache is given


def test_references_have_names():
    assert [one.name for one in results.RefType] == ["NEW", "BORROWED", "UNTRACKED"]


class Kept(serialization.ReduceMixin):
    """Is pickled by what it is made of."""

    def __init__(self, number):
        self.number = number
        self.unpickled = lambda: number

    def _reduce_states(self):
        return {"number": self.number}

    @classmethod
    def _rebuild(cls, number):
        return cls(number)


def test_objects_are_pickled_by_what_they_are_made_of():
    made = serialization.loads(serialization.dumps(Kept(5)))
    assert (type(made), made.number, made.unpickled()) == (Kept, 5, 5)


def test_memory_is_counted():
    program = """
import numpy as np
from numba import njit
from numba.core.runtime import _nrt_python as _nrt, rtsys
from numba.core.runtime.nrt import rtsys as same

@njit
def lengths(n):
    total = 0
    for i in range(n):
        total += len(np.zeros(i)[::2])
    return total, np.ones(n)

lengths(3)
_nrt.memsys_enable_stats()
rtsys.initialize(None)
before = rtsys.get_allocation_stats()
total, array = lengths(10)
between = same.get_allocation_stats()
del array
after = rtsys.get_allocation_stats()
kept = [one.alloc - one.free for one in (before, between, after)]
print(kept[1] - kept[0], kept[2] - kept[0])
counted = _nrt.memsys_get_stats_mi_alloc(), _nrt.memsys_get_stats_mi_free()
print(_nrt.memsys_stats_enabled(), after[2:] == counted)
print(after[:2] == (_nrt.memsys_get_stats_alloc(), _nrt.memsys_get_stats_free()))
try:
    _nrt.c_helpers["get_api"]
except Exception as error:
    print(error)
"""
    shown = "1 0\nTrue True\nTrue\n'numba.core.runtime._nrt_python.c_helpers' isn't supported by pyopt\n"
    assert as_numba(program) == shown


def test_models_are_registered_in_one_registry():
    program = """
from numba import njit, types
from numba.core import datamodel, typing
from numba.core.datamodel.registry import register_default
from numba.core.datamodel import models, register
from numba.extending import NativeValue, typeof_impl, unbox, make_attribute_wrapper

class Five: ...
class Six: ...

class FiveType(types.Type):
    def __init__(self):
        super().__init__("Five")

class SixType(FiveType):
    pass

for python, kind in ((Five, FiveType), (Six, SixType)):
    typeof_impl.register(python)(lambda value, c, kind=kind: kind())

@register_default(FiveType)
class FiveModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("value", types.int64)])

register(datamodel.default_manager, SixType)(FiveModel)

@unbox(FiveType)
def _(kind, value, c):
    made = c.context.make_helper(c.builder, kind)
    made.value = c.context.get_constant(types.int64, 6 if isinstance(kind, SixType) else 5)
    return NativeValue(made._getvalue())

make_attribute_wrapper(FiveType, "value", "value")
print(njit(lambda a, b: (a.value, b.value))(Five(), Six()))
"""
    assert as_numba(program) == "(5, 6)\n"
