"""Numba's names in the package: all are there, and what isn't supported says so when it is used."""

import collections
import ctypes
import inspect
import warnings

import numpy as np
import pytest

import pyopt
from pyopt import config, cuda, errors, experimental, extending, jit, njit, types


@pytest.mark.parametrize("name", pyopt.__all__)
def test_every_public_name_is_there(name):
    assert getattr(pyopt, name) is getattr(pyopt, name)


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="no attribute 'generated_jit'"):
        pyopt.generated_jit
    assert not hasattr(pyopt, "Array")


@pytest.mark.parametrize(
    ("made", "kind", "name"),
    [
        (types.UnicodeCharSeq(3), types.Type, "UnicodeCharSeq[3]"),
        (types.List(types.UnicodeCharSeq(3)), types.List, "list(UnicodeCharSeq[3])"),
    ],
)
def test_types_that_compiled_code_lacks_can_be_named_and_compared(made, kind, name):
    assert isinstance(made, kind)
    assert str(made) == name
    assert made.is_foreign
    assert made == made and made != types.int64
    declared = njit(types.float64(made))(lambda x: 1.0)
    with pytest.raises(errors.UnsupportedError, match="isn't supported yet"):
        declared(1)


def test_arrays_of_what_arrays_have_not():
    for made in (types.unicode_type[:], types.ListType(types.int8)[:, ::1], types.Array(types.none, 1, "C")):
        assert isinstance(made, types.Array) and made.is_foreign
    with pytest.raises(TypeError, match="expected a type"):
        types.Array(float, 1, "C")


def test_parts_of_types():
    assert types.ListType(types.int8).dtype == types.ListType(types.int8).item_type == types.int8
    mapping = types.DictType(keyty=types.int8, valty=types.float32)
    assert (mapping.key_type, mapping.value_type) == (types.int8, types.float32)
    assert types.UniTuple(types.int8, 3).count == len(types.UniTuple(types.int8, 3).types) == 3
    assert isinstance(types.Tuple([types.int8, types.int8]), types.UniTuple)
    assert not isinstance(types.Tuple(iter([types.int8, types.int16])), types.UniTuple)
    pair = collections.namedtuple("Pair", "a b")
    named = types.NamedUniTuple(types.float64, 2, pair)
    assert (
        named == pyopt.typeof(pair(1.0, 2.0)) and named.dtype == types.float64 and named.fields == ("a", "b")
    )
    array = types.Array(types.float64, 2, "F", aligned=False)
    assert (array.layout, array.aligned, array.is_contig) == ("bytes", False, False)
    assert types.float64[:, ::1].copy(dtype=types.int8, ndim=1) == types.int8[::1]
    assert (types.int8.minval, types.uint8.maxval, types.complex64.bitwidth) == (-128, 255, 64)
    assert types.complex64.underlying_float == types.float32
    made = types.List(types.int64, False, [1]), types.DictType(types.int64, types.int8, initial_value={1: 2})
    assert tuple(map(types.unliteral, made)) == (
        types.List(types.int64),
        types.DictType(types.int64, types.int8),
    )
    assert [one.initial_value for one in made] == [[1], None]
    with pytest.raises(TypeError, match="takes 2 positional arguments"):
        types.ListType(types.int8, types.int8)


def test_records():
    dtype = np.dtype([("x", "f8"), ("a", "i2", (2, 3))])
    record = types.from_dtype(dtype)
    assert isinstance(record, types.Record)
    assert record.typeof("x") == types.float64 and record.offset("a") == 8 and record.size == 20
    assert record.typeof("a") == types.NestedArray(types.int16, (2, 3))
    struct = types.Record.make_c_struct([("a", types.int8), ("b", types.float64)])
    assert struct == types.from_dtype(np.dtype([("a", "i1"), ("b", "f8")], align=True))
    fields = [("a", {"type": types.int8, "offset": 0}), ("b", {"type": types.float64, "offset": 8})]
    assert types.Record(fields, 16) == struct
    assert struct.dtype.isalignedstruct and struct.dtype == np.dtype([("a", "i1"), ("b", "f8")], align=True)
    assert types.Array(struct, 2, "C") == struct[:, ::1]
    nested = types.from_dtype(np.dtype((np.dtype((np.float64, (5, 2))), (3, 6))))
    assert types.Array(nested, 3, "C") == types.Array(types.float64, 7, "C")
    for of_one in (lambda: types.Tuple(types.int64), lambda: types.NamedTuple(types.int64, "p")):
        with pytest.raises(errors.TypingError, match="'types' is not iterable"):
            of_one()


def test_literals():
    three = types.literal(3)
    assert isinstance(three, types.IntegerLiteral) and isinstance(three, types.Integer)
    assert three.literal_value == 3 and types.unliteral(three) == types.int64
    assert types.from_text(three.text) == three
    assert types.literal("a").literal_type == types.unicode_type
    assert types.maybe_literal(2.5) is None
    with pytest.raises(TypeError, match="no literal type for 2.5"):
        types.literal(2.5)


def test_types_of_the_program_derive_from_numbas():
    class Interval(types.Type):
        def __init__(self):
            super().__init__(name="Interval")
            self.parts = 2

    assert Interval() == Interval() and Interval().is_foreign and Interval().parts == 2


def test_types_convert_numbers():
    assert types.float32(1.5) == np.float32(1.5) and type(types.float32(1.5)) is np.float32
    assert njit(lambda x: types.int8(x))(300) == 44
    assert pyopt.float64(pyopt.int64) == types.float64(types.int64)


def test_aliases_of_types():
    assert types.np_float64 is types.py_float is types.float64
    assert types.misc is types and types.bool is types.boolean
    assert types.int8 in types.signed_domain < types.integer_domain < types.number_domain


def test_errors_have_numbas_hierarchy():
    assert issubclass(errors.TypingError, errors.NumbaError)
    assert issubclass(errors.NumbaTypeError, errors.TypingError)
    assert issubclass(errors.ForbiddenConstruct, errors.LoweringError)
    assert issubclass(errors.NumbaDeprecationWarning, (errors.NumbaWarning, DeprecationWarning))
    assert issubclass(errors.NumbaIRAssumptionWarning, errors.NumbaPedanticWarning)
    classes = [one for one in vars(errors).values() if inspect.isclass(one)]
    assert all(issubclass(one, (errors.NumbaError, errors.NumbaWarning)) for one in classes)
    error = errors.NumbaValueError("wrong", loc=None)
    assert (str(error), error.msg, error.add_context("while testing")) == ("wrong", "wrong", error)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn(errors.NumbaPerformanceWarning("slow"), stacklevel=1)
    assert str(caught[0].message) == "slow"


@pytest.mark.parametrize("value", [True, 1])
def test_disabled_compilation_leaves_functions_as_they_are(monkeypatch, value):
    monkeypatch.setattr(config, "DISABLE_JIT", value)

    def function(x, **options):
        return x

    assert njit(function) is function
    assert jit("int64(int64)", parallel=True)(function) is function
    cls = type("Point", (), {})
    assert experimental.jitclass([("x", types.int64)])(cls) is cls


def test_settings_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("PYOPT_BOUNDSCHECK", "1")
    monkeypatch.setenv("PYOPT_DEBUGINFO", "1")
    monkeypatch.setenv("PYOPT_OPT", "no number")
    monkeypatch.setenv("PYOPT_THREADING_LAYER_PRIORITY", "omp tbb")
    config.reload_config()
    try:
        assert (config.BOUNDSCHECK, config.DEBUGINFO_DEFAULT, config.OPT) == (1, 1, 3)
        assert config.THREADING_LAYER_PRIORITY == ["omp", "tbb"]
        options = njit(boundscheck=False)(lambda: None).targetoptions
        assert (options["boundscheck"], options["debug"]) == (True, True)
    finally:
        monkeypatch.undo()
        config.reload_config()
    assert config.BOUNDSCHECK is None
    assert config.NUMBA_NUM_THREADS == config.NUMBA_DEFAULT_NUM_THREADS >= pyopt.get_num_threads()
    with pytest.raises(AttributeError, match="no attribute 'NO_SUCH_SETTING'"):
        config.NO_SUCH_SETTING


def of_another_module(a):
    return a


def test_options_without_an_effect():
    every = {"cache": True, "forceinline": True, "no_rewrites": True, "no_cfunc_wrapper": True, "_nrt": True}
    compiled = jit(**every, nopython=True, inline=lambda *costs: True)(lambda x: x + 1)
    assert compiled(1) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Of the cache there is a warning where other tests have registered rewrites.
        jit(**every | {"cache": False})(lambda x: x + 1)(1)


def test_signatures_and_options_mean_nothing_in_object_mode():
    compiled = jit("int64(int64)", forceobj=True, cache=True, parallel=True, locals={"y": types.int8})(
        lambda x: x
    )
    assert compiled("a") == "a"
    assert jit(forceobj=True, fastmath=True)(lambda x: [x])(1) == [1]
    with pytest.raises(errors.OptionError, match="unknown option 'colour'"):
        jit(forceobj=True, colour=1)


def test_universal_functions_for_devices_are_refused_when_they_are_called():
    for made in (
        pyopt.vectorize(["float64(float64)"], target="cuda")(lambda x: x),
        pyopt.guvectorize(["void(float64[:], float64[:])"], "(n)->(n)", target="cuda")(lambda x, y: None),
    ):
        with pytest.raises(errors.UnsupportedError, match=r"vectorize\(target='cuda'\)"):
            made(np.ones(3))


def test_loops_that_cannot_be_made_are_errors_at_the_call(monkeypatch):
    monkeypatch.setattr(config, "POSTPONE_ERRORS", 1)
    made = pyopt.vectorize(["float64(float64)"])(lambda x: x.no_such_attribute)
    for _ in range(2):
        with pytest.raises(errors.TypingError, match="no_such_attribute"):
            made(np.ones(3))
    monkeypatch.setattr(config, "POSTPONE_ERRORS", 0)
    with pytest.raises(errors.TypingError, match="no_such_attribute"):
        pyopt.vectorize(["float64(float64)"])(lambda x: x.no_such_attribute)


def test_a_compiler_of_numbas_is_refused_when_the_function_is_called():
    compiled = njit(pipeline_class=object)(lambda x: x)
    with pytest.raises(errors.UnsupportedError, match="pipeline_class isn't supported"):
        compiled(1)


def test_arrays_over_c_memory():
    memory = (ctypes.c_double * 6)(*range(6))
    pointer = ctypes.cast(memory, ctypes.POINTER(ctypes.c_double))
    assert pyopt.carray(pointer, (2, 3)).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert pyopt.farray(pointer, (2, 3)).tolist() == [[0, 2, 4], [1, 3, 5]]
    anything = ctypes.c_void_p(ctypes.addressof(memory))
    pyopt.carray(anything, 6, np.float64)[5] = 7
    assert memory[5] == 7
    with pytest.raises(TypeError, match="mismatching dtype"):
        pyopt.carray(pointer, 6, np.int8)
    with pytest.raises(TypeError, match="explicit dtype"):
        pyopt.carray(anything, 6)
    with pytest.raises(TypeError, match="expected a ctypes pointer"):
        pyopt.carray(ctypes.addressof(memory), 6, np.float64)


def test_addresses_of_cython_functions():
    special = pytest.importorskip(
        "scipy.special.cython_special", reason="SciPy isn't installed", exc_type=ImportError
    )
    name = next(one for one in special.__pyx_capi__ if "beta" in one)
    assert extending.get_cython_function_address(special.__name__, name) > 0
    with pytest.raises(ValueError, match="No function 'nothing'"):
        extending.get_cython_function_address(special.__name__, "nothing")


def test_kernels_are_refused_at_their_launch():
    @cuda.jit("void(float64[:])", device=False)
    def kernel(x):
        x[cuda.grid(1)] = 0

    with pytest.raises(errors.UnsupportedError, match="launch of the CUDA kernel .*kernel"):
        kernel[1, 32](np.ones(3))
    assert cuda.jit(kernel.py_func).py_func is kernel.py_func
    assert not cuda.is_available() and not cuda.is_cuda_array(np.ones(1))
    with pytest.raises(cuda.CudaSupportError):
        len(cuda.gpus)
    with pytest.raises(errors.UnsupportedError, match=r"cuda\.atomic\.add"):
        cuda.atomic.add(np.ones(1), 0, 1)
    with pytest.raises(AttributeError):
        cuda.no_such_name


def test_functions_of_a_module_are_compiled_at_once():
    scope = {"__name__": "a_module", "jit_module": pyopt.jit_module, "kept": of_another_module}
    exec("def f(x):\n    return g(x) + 1\ndef g(x):\n    return x\njit_module(nopython=True)\n", scope)
    assert scope["f"](1) == 2 and scope["f"].signatures == [(types.int64,)]
    assert scope["kept"] is of_another_module


def test_texts_of_numpy_are_texts():
    f = pyopt.njit(lambda text: text.upper() + "!")
    assert f(np.str_("abé😀")) == "ABÉ😀!" and f.signatures == [(types.unicode_type,)]


def test_arrays_are_asked_for_attributes():
    f = pyopt.njit(
        lambda a: (hasattr(a, "shape"), hasattr(a, "tolist"), hasattr(a, "foo"), getattr(a, "foo", 3))
    )
    assert f(np.ones(2)) == (True, True, False, 3)


RECORDS = np.array([(1, 2.5, 3), (4, 5.5, 6)], dtype=[("a", "i4"), ("b", "f8"), ("c", "u1")])
RECORD = RECORDS[1]


def test_records_are_constants():
    matrix = np.zeros((2, 3), RECORDS.dtype)
    matrix["a"] = [[1, 2, 3], [4, 5, 6]]
    nested = np.zeros(2, [("v", "f4", (3,)), ("in", [("x", "i8"), ("y", "f4")])])
    nested["v"], nested["in"]["x"] = [[1, 2, 3], [4, 5, 6]], [7, 8]
    aligned = RECORDS.astype(np.dtype([("a", "i4"), ("b", "f8"), ("c", "u1")], align=True))
    single, none = RECORDS[:1].reshape(()), np.zeros((0, 3), RECORDS.dtype)

    @pyopt.njit
    def f(i):
        total = 0
        for row in matrix:
            for cell in row:
                total += cell.a
        fields = RECORDS[i].b, RECORDS["a"].sum(), RECORDS.c[-1], RECORD.a, RECORD["b"], matrix[1, i].a
        others = nested[i].v[1], nested["in"][i].x, aligned[i].b, single[()].b, len(none), none.shape[1]
        return fields, others, total, RECORDS.shape

    assert f(0) == ((2.5, 5, 6, 4, 5.5, 4), (2, 7, 2.5, 2.5, 0, 3), 21, (2,))
    assert f(1) == ((5.5, 5, 6, 4, 5.5, 5), (5, 8, 5.5, 2.5, 0, 3), 21, (2,))


def test_records_that_are_constants_are_returned_as_copies():
    made = pyopt.njit(lambda: (RECORDS, RECORDS[1:], RECORDS[0], RECORD, RECORDS.copy()))()
    assert made[0].tolist() == RECORDS.tolist() == made[4].tolist() and made[1].tolist() == [(4, 5.5, 6)]
    assert made[2] == RECORDS[0] and made[3] == RECORD and type(made[2]) is np.void
    made[0]["a"], made[2]["a"], made[3]["a"] = 7, 7, 7
    assert RECORDS["a"].tolist() == [1, 4]
    assert pyopt.njit(lambda: RECORD)() == RECORD


def test_records_that_are_constants_are_not_written():
    def write():
        RECORDS[0].a = 1

    def write_one():
        RECORD.a = 1

    for function in (write, write_one):
        with pytest.raises(errors.TypingError, match="can't assign to readonly"):
            pyopt.njit(function)()


def test_records_without_fields_are_refused():
    empty = np.zeros(2, np.dtype([]))
    with pytest.raises(
        errors.TypingError, match="a global array of records without fields can't be compiled"
    ):
        pyopt.njit(lambda: empty.shape)()
