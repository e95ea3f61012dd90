"""What programs written for Numba find: messages, attributes, and extensions in its terms."""

import ctypes
import gc
import operator
import pickle
import weakref

import numpy as np
import pytest

from pyopt import _core, cfunc, errors, guvectorize, jit, literally, njit, objmode, types, vectorize
from pyopt.extending import (
    box,
    intrinsic,
    is_jitted,
    lower_builtin,
    lower_cast,
    models,
    overload,
    overload_classmethod,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)
from pyopt.intrinsics import cgutils, ir
from pyopt.own_types import NativeValue


@njit
def add(a, b):
    return a + b


def test_messages_that_programs_compare():
    f = njit("(int32, int32)")(lambda a, b: a + b)
    with pytest.raises(TypeError) as caught:
        f(1j, 1j)
    assert str(caught.value) == "No matching definition for argument type(s) complex128, complex128"
    assert "int32" in caught.value.__notes__[0]
    with pytest.raises(RuntimeError) as caught:
        f.compile("(complex64, complex64)")
    assert str(caught.value) == "compilation disabled"


def test_signatures_of_object_mode_are_counted():
    jit("()", forceobj=True)(add.py_func)
    jit(["(intp, intp)"], forceobj=True)(add.py_func)
    with pytest.raises(TypeError, match="Signature mismatch: 1 argument types given, but function takes 2"):
        jit("(intp,)", forceobj=True)(add.py_func)


def test_object_mode_has_overloads():
    made = jit(forceobj=True)(lambda x: x)
    [(arguments, result)] = made.overloads.items()
    assert arguments == (types.pyobject,) == made.signatures[0]
    assert result.objectmode
    assert result.entry_point is made


def test_object_mode_has_what_dispatchers_have():
    made = jit(forceobj=True)(lambda x, y=2: {x: y})
    objects = (types.pyobject,) * 2
    assert is_jitted(made) and not is_jitted(made.py_func)
    assert made.nopython_signatures == [] and made.targetoptions == {"nopython": False, "forceobj": True}
    assert made.stats.cache_path is None and dict(made.stats.cache_misses) == {objects: 1}
    assert made.is_compiling is False
    made.disable_compile()
    made.recompile()
    assert made.get_overload(objects)(1) == {1: 2}
    assert made.get_compile_result(objects).objectmode
    assert list(made.get_metadata()) == [objects] and made.get_metadata(objects) == {}
    with pytest.warns(errors.CacheWarning, match="object mode"):
        made.enable_caching()
    with pytest.raises(errors.UnsupportedError, match="pretty"):
        made.inspect_types(pretty=True)


@pytest.mark.skipif(not _core.OWN_FRAMES, reason="the interpreter runs object mode: there is no code")
def test_object_mode_shows_its_code(capsys):
    made = jit(forceobj=True)(add.py_func)
    made.inspect_types()
    assert "py.binary add" in capsys.readouterr().out
    [(arguments, graph)] = made.inspect_cfg().items()
    assert arguments == made.signatures[0] and graph == made.inspect_cfg(arguments)


@pytest.mark.skipif(not _core.OWN_FRAMES, reason="elsewhere object mode makes plain functions")
def test_object_mode_is_pickled():
    offset = [3]
    made = jit(forceobj=True)(lambda x: x + offset[0])
    again = pickle.loads(pickle.dumps(made))
    assert again is not made
    assert again(4) == 7


def test_llvm_and_assembly_name_the_function():
    @njit
    def named(first, second):
        return first * second

    named(1, 2.0)
    for text in (*named.inspect_llvm().values(), *named.inspect_asm().values()):
        assert "named(first: int64, second: float64) -> float64" in text.splitlines()[0]


def test_lists_of_functions_are_arguments():
    @njit
    def one(x):
        return x + 1

    @njit
    def two(x):
        return x * 2

    @njit
    def choose(functions, x):
        return functions[0](x), functions[1](x), len(functions)

    assert choose([one, two], 5) == (6, 10, 2)
    assert choose([two, two], 5.5) == (11.0, 11.0, 2)
    assert choose((one, two), 5) == (6, 10, 2)


def test_c_functions_come_back_as_they_went():
    @cfunc("int64(int64)")
    def plus(i):
        return i + 1

    @njit
    def same(f):
        f(1)
        return f

    assert same(plus) is plus
    gone = weakref.ref(plus)
    del plus
    gc.collect()
    assert gone() is None


def test_c_functions_of_c_functions_have_types():
    inner = types.ExternalFunctionPointer(types.int64(types.float64, types.float64))
    outer = types.ExternalFunctionPointer(types.int64(inner, types.int64))
    assert types.from_text(outer.text) == outer
    assert types.from_text(outer.text).sig == outer.sig

    @cfunc("int64(float64)")
    def small(x):
        return int(x * 3)

    @cfunc(types.int64(types.FunctionType(small.signature)))
    def large(f):
        return f(123.4)

    @njit
    def apply(f, g):
        return f(g)

    assert apply(large, small) == 370


def test_an_address_of_zero_is_refused():
    @cfunc("int64()")
    def good():
        return 123

    class Bad(types.WrapperAddressProtocol):
        def __wrapper_address__(self):
            return 0

        def signature(self):
            return types.int64()

    with pytest.raises(ValueError, match="the wrapper address of .* must be a positive"):
        njit(lambda f: f())(Bad())
    bad = Bad()
    of = njit("int64()")(lambda: bad())
    with pytest.raises(RuntimeError, match="function address is null"):
        of()
    Bad.__wrapper_address__ = lambda self: good.address
    assert of() == 123


def test_compile_results_are_functions():
    add(1, 2)
    add(1.5, 2.0)
    whole, real = (types.CompileResultWAP(add.overloads[(one, one)]) for one in (types.int64, types.float64))
    call = njit(lambda f, x, y: f(x, y))
    assert call(whole, 3, 4) == 7
    assert call(real, 3.5, 4.5) == 8.0
    assert whole.signature() == types.int64(types.int64, types.int64)
    assert (
        ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(whole.__wrapper_address__())(2, 3)
        == 5
    )


def test_universal_functions_are_made_of_compiled_functions():
    assert vectorize(add)(np.arange(3), 1).tolist() == [1, 2, 3]
    assert vectorize(parallel=True)(add)(np.arange(3), 1).tolist() == [1, 2, 3]
    assert not is_jitted(guvectorize("(n)->()")(njit(lambda a, out: None)))


def test_literally_of_parameters_that_are_passed_by_keyword():
    @njit
    def inner(x, y):
        return x + literally(y)

    @njit
    def outer(a, b):
        return inner(y=a, x=b)

    assert outer(1, 2) == 3
    [signature] = outer.signatures
    assert signature[0] == types.literal(1)
    assert signature[1] == types.int64


def test_empty_like_of_a_number():
    @njit
    def filled(x):
        made = np.empty_like(x)
        made[()] = x
        return made

    for value in (3, 2.5, np.float32(1.5), True):
        found, expected = filled(value), np.full_like(value, value)
        assert found.dtype == expected.dtype
        assert found.shape == ()
        assert found[()] == value


# Overloads.


def where_it_runs(x):
    """Stand for Python code."""


@overload(where_it_runs)
def overload_where_it_runs(x):
    offset = 10

    def body(x):
        with objmode(y="int64"):
            y = int(str(x)) + offset
        return y + 1

    return body


@pytest.mark.parametrize("cached", [False, True])
def test_bodies_have_objmode_blocks(cached, tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        assert njit(cache=cached)(lambda x: where_it_runs(x))(5) == 16


def ordered(x):
    """Have two overloads."""


@overload(ordered)
def first_overload(x):
    if isinstance(x, types.Integer):
        return lambda x: 1


@overload(ordered)
def second_overload(x):
    return lambda x: 2


def test_the_first_overload_wins():
    assert njit(lambda: (ordered(1), ordered(1.5)))() == (1, 2)


def valued(x, y):
    """Have a body that asks for a value."""


@overload(valued)
def overload_valued(x, y):
    return lambda x, y: literally(x) + y


def test_bodies_ask_for_values_of_arguments():
    of = njit(lambda a, b: valued(b, a))
    assert of(1, 2) == 3
    assert of(1, 5) == 6
    assert [one[1] for one in of.signatures] == [types.literal(2), types.literal(5)]
    assert {one[0] for one in of.signatures} == {types.int64}
    with pytest.raises(errors.TypingError, match="a value that is known"):
        njit(lambda a: valued(a, 1))(1.5)


class Made(types.Array):
    """A class of types with a method of its own."""


@overload_classmethod(Made, "allocate")
def overload_allocate(cls, count, start=0):
    assert isinstance(cls, types.TypeRef)

    def body(cls, count, start=0):
        return np.arange(start, start + count)

    return body


def test_class_methods():
    assert njit(lambda: Made.allocate(3))().tolist() == [0, 1, 2]
    assert njit(lambda: Made.allocate(start=4, count=2))().tolist() == [4, 5]
    with pytest.raises(errors.TypingError):
        njit(lambda: types.Array.allocate(3))()
    with pytest.raises(NotImplementedError):
        Made.allocate(3)


def test_bodies_with_other_parameters_are_refused():
    def check(body, *parts):
        def target(a, b, kw=None):
            pass

        overload(target)(lambda a, b, kw=None: body)
        with pytest.raises(errors.TypingError) as caught:
            njit(lambda: target(1, 2, kw=3))()
        for part in ("Typing and implementation arguments differ in", *parts):
            assert part in str(caught.value)

    check(lambda z, b, kw=None: 1, "argument names", "'z'", '<Parameter "a">')
    check(lambda a, b, kw=12: 1, "keyword argument default values", '<Parameter "kw=12">')
    check(lambda a, b: 1, "keyword argument names", '<Parameter "kw=None">')
    check(lambda a, b, c, kw=None: 1, "argument names", '<Parameter "c">')


# Own types.


class Answer:
    """Converts to 42."""


class AnswerType(types.Opaque):
    """The type of answers."""

    def can_convert_to(self, context, other):
        """Convert to numbers."""
        return 1 if isinstance(other, types.Number) else None


answer_type = AnswerType("answer")
register_model(AnswerType)(models.OpaqueModel)
an_answer = Answer()


@typeof_impl.register(Answer)
def typeof_answer(value, context):
    return answer_type


@unbox(AnswerType)
def unbox_answer(type, value, c):
    return NativeValue(c.context.get_dummy_value())


@lower_cast(AnswerType, types.Number)
def answer_to_number(context, builder, source, target, value):
    return context.get_constant(target, 42)


@pytest.mark.parametrize("function", [operator.add, operator.mul, operator.lt, operator.truediv])
def test_values_convert_in_operations(function):
    of = njit(lambda a, b: function(a, b))
    assert of(Answer(), Answer()) == function(42, 42)
    assert of(Answer(), 2) == function(42, 2)
    assert of(1.5, Answer()) == function(1.5, 42)
    assert of(5, 2) == function(5, 2)


def test_objects_of_own_types_are_constants():
    @overload(np.exp)
    def overload_exp(x):
        if isinstance(x, AnswerType):
            return lambda x: 7

    assert njit(lambda: np.exp(an_answer))() == 7
    assert njit(lambda: an_answer + 1)() == 43


def test_overloads_get_types_of_named_functions():
    kind = types.from_text("tuple<!typed.function<@module.name>, si64>")
    assert isinstance(kind[0], types.Dispatcher)
    assert str(kind[0]) == "type(CPUDispatcher(<function module.name>))"
    assert str(types.from_text('!typed.function<@"module.<lambda>:0">')) == (
        "type(CPUDispatcher(<function module.<lambda>>))"
    )


def test_constants_that_have_no_value_are_errors_where_they_are_used():
    class Bare:
        pass

    bare_type = types.Opaque("bare")
    typeof_impl.register(Bare, lambda value, context: bare_type)
    bare = Bare()
    assert njit(lambda x: bare.no_such_name if x is None else x)(1) == 1
    with pytest.raises(errors.TypingError, match="no model"):
        njit(lambda: len(bare))()


def halved(x):
    """Have its code in a Python function."""


@type_callable(halved)
def type_halved(context):
    return lambda x: types.float64 if isinstance(x, types.Number) else None


@lower_builtin(halved, types.Number)
def lower_halved(context, builder, signature, arguments):
    return context.compile_internal(builder, lambda x: x / 2, signature, arguments)


def test_the_code_of_a_function_is_a_python_function():
    assert njit(lambda x: halved(x))(3) == 1.5


def test_python_functions_are_called_beside_other_code():
    @intrinsic
    def twice(context, x):
        def generate(context, builder, signature, arguments):
            more = builder.add(arguments[0], arguments[0])
            return context.compile_internal(builder, lambda x: x * 10, signature, [more])

        return x(x), generate

    @intrinsic
    def divided(context, x, y):
        def inverse(x):
            if x == 0:
                raise ValueError("no inverse")
            return 1 / x

        def generate(context, builder, signature, arguments):
            made = context.compile_subroutine(builder, inverse, types.float64(types.float64))
            found = context.call_internal(builder, made.fndesc, made.signature, [arguments[1]])
            return builder.fmul(arguments[0], found)

        return types.float64(types.float64, types.float64), generate

    assert njit(lambda x: twice(x))(3) == 60
    of = njit(lambda x, y: divided(x, y))
    assert of(6, 2) == 3.0
    with pytest.raises(ValueError, match="no inverse"):
        of(1.0, 0.0)


def test_intrinsics_allocate_arrays():
    @intrinsic
    def squares(context, n):
        result = types.Array(types.float64, 1, "C")

        def generate(context, builder, signature, arguments):
            count = builder.add(arguments[0], arguments[0].type(1))
            made = context.compile_internal(builder, lambda n: np.zeros(n), result(n), [count])
            opened = context.make_array(result)(context, builder, value=made)
            builder.store(ir.Constant(ir.DoubleType(), 7.0), opened.data)
            return made

        return result(n), generate

    @intrinsic
    def lost(context, n):
        def generate(context, builder, signature, arguments):
            count = builder.add(arguments[0], arguments[0].type(1))
            result = types.Array(types.float64, 1, "C")
            made = context.compile_internal(builder, lambda n: np.zeros(n), result(n), [count])
            context.make_array(result)(context, builder, value=made).data  # noqa: B018
            return arguments[0]

        return n(n), generate

    of = njit(lambda n: squares(n))
    before = _core.memory_stats()
    for _ in range(10):
        assert of(3).tolist() == [7.0, 0.0, 0.0, 0.0]
    after = _core.memory_stats()
    assert after[0] - before[0] == after[1] - before[1] == 10
    of = njit(lambda n: lost(n))
    assert of(3) == 3
    before = _core.memory_stats()
    of(3)
    after = _core.memory_stats()
    assert after[0] - before[0] == after[1] - before[1] == 1


class Empty:
    """Has a type without fields."""


class EmptyType(types.Type):
    """The type of empties."""

    def __init__(self):
        super().__init__("empty")


@register_model(EmptyType)
class EmptyModel(models.StructModel):
    """No fields."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [])


@intrinsic
def make_empty(context):
    def generate(context, builder, signature, arguments):
        return cgutils.create_struct_proxy(signature.return_type)(context, builder)._getvalue()

    return EmptyType()(), generate


@overload(Empty)
def overload_empty():
    return lambda: make_empty()


def test_types_without_fields_have_values():
    @overload(len)
    def _(x):
        if isinstance(x, EmptyType):
            return lambda x: 0

    assert njit(lambda: len(Empty()))() == 0


def test_what_has_no_object_says_so():
    with pytest.raises(TypeError, match="cannot convert native empty to Python object"):
        njit(lambda: make_empty())()


class Handle:
    """Kept by its address in Numba."""


class HandleType(types.Opaque):
    """The type of handles."""


@typeof_impl.register(Handle)
def typeof_handle(value, context):
    return HandleType("handle")


register_model(HandleType)(models.OpaqueModel)


@unbox(HandleType)
def unbox_handle(type, value, c):
    return NativeValue(value)


@box(HandleType)
def box_handle(type, value, c):
    return value


def test_values_without_fields_are_not_the_objects():
    assert njit(lambda handle: 3)(Handle()) == 3
    with pytest.raises(TypeError, match="cannot convert native handle .* its model has no fields"):
        njit(lambda handle: handle)(Handle())


class Token:
    """Boxed by compiled code."""


class TokenType(types.Opaque):
    """The type of tokens."""

    start = 8


@typeof_impl.register(Token)
def typeof_token(value, context):
    return TokenType("token")


register_model(TokenType)(models.OpaqueModel)


@unbox(TokenType)
def unbox_token(type, value, c):
    return NativeValue(c.context.get_dummy_value())


@box(TokenType)
def box_token(type, value, c):
    def bridge(x):
        if x > 8:
            raise ValueError("too large")
        return x + 1

    arguments = [c.context.get_constant(types.intp, type.start)]
    error, result = c.pyapi.call_jit_code(bridge, types.intp(types.intp), arguments)
    made = cgutils.alloca_once(c.builder, c.pyapi.pyobj, zfill=True)
    with c.builder.if_then(c.builder.not_(error)):
        c.builder.store(c.pyapi.long_from_ssize_t(result), made)
    return c.builder.load(made)


def test_conversions_call_compiled_code():
    assert njit(lambda x: x)(Token()) == 9


class WrongTokenType(TokenType):
    """The type of tokens that can't be boxed."""

    start = 9


class WrongToken:
    """Boxed by compiled code that raises."""


@typeof_impl.register(WrongToken)
def typeof_wrong_token(value, context):
    return WrongTokenType("wrong token")


def test_conversions_raise_what_compiled_code_raises():
    with pytest.raises(ValueError, match="too large"):
        njit(lambda x: x)(WrongToken())


class Column:
    """A column of a table."""

    def __init__(self, data):
        self.data = data


class ColumnType(types.Buffer):
    """The type of columns."""

    def __init__(self, dtype, layout):
        super().__init__(dtype, 1, layout)

    @property
    def key(self):
        return self.dtype, self.layout

    @property
    def as_array(self):
        return types.Array(self.dtype, 1, self.layout)


@typeof_impl.register(Column)
def typeof_column(value, context):
    of = typeof_impl(value.data, context)
    return ColumnType(of.dtype, of.layout)


@register_model(ColumnType)
class ColumnModel(models.StructModel):
    """The array."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("data", fe_type.as_array)])


@type_callable("__array_wrap__")
def type_wrap(context):
    def typer(column, array):
        return ColumnType(array.dtype, array.layout) if isinstance(column, ColumnType) else None

    return typer


@lower_builtin("__array__", ColumnType)
def column_as_array(context, builder, signature, arguments):
    opened = cgutils.create_struct_proxy(signature.args[0])(context, builder, ref=arguments[0])
    return opened._get_ptr_by_name("data")


@lower_builtin("__array_wrap__", ColumnType, types.Array)
def column_of_array(context, builder, signature, arguments):
    made = cgutils.create_struct_proxy(signature.return_type)(context, builder)
    made.data = arguments[1]
    return made._getvalue()


@unbox(ColumnType)
def unbox_column(type, value, c):
    made = cgutils.create_struct_proxy(type)(c.context, c.builder)
    made.data = c.unbox(type.as_array, c.pyapi.object_getattr_string(value, "data")).value
    return NativeValue(made._getvalue())


@box(ColumnType)
def box_column(type, value, c):
    opened = cgutils.create_struct_proxy(type)(c.context, c.builder, value=value)
    array = c.box(type.as_array, opened.data)
    return c.pyapi.call_function_objargs(c.pyapi.unserialize(c.pyapi.serialize_object(Column)), (array,))


def test_types_like_arrays():
    values = np.array([0.5, 1.5, 2.5, 3.5])
    column = Column(values)
    assert njit(lambda x: len(x))(column) == 4
    assert [njit(lambda x, i: x[i])(column, at) for at in (0, 3, -1)] == [0.5, 3.5, 3.5]
    part = njit(lambda x: x[1:3])(column)
    assert type(part) is Column
    assert part.data.tolist() == [1.5, 2.5]
    made = njit(lambda x: np.sqrt(np.negative(x)))(Column(-values))
    assert type(made) is Column
    np.testing.assert_array_equal(made.data, np.sqrt(values))
    # Other arguments are as they were.
    assert njit(lambda x: np.sqrt(x))(4.0) == 2.0
    assert njit(lambda x: len(x))((1, 2)) == 2


def test_the_caches_directory_can_be_set(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path / "first"))
    from pyopt import config

    def counts():
        made = njit(cache=True)(lambda x: x + 12321)
        assert made(1) == 12322
        return made._cache_hits[(types.int64,)], made._cache_misses[(types.int64,)]

    assert [counts(), counts()] == [(0, 1), (1, 0)]
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "second"))
    assert [counts(), counts()] == [(0, 1), (1, 0)]
    assert (tmp_path / "second").is_dir()


def test_types_are_named_and_written_as_in_numba():
    import collections

    pair = collections.namedtuple("Pair", "a b")
    for made, name, written in [
        (types.float64[:], "array(float64, 1d, A)", "Array(float64, 1, 'A', False, aligned=True)"),
        (types.Array(types.int32, 2, "F", readonly=True), "readonly array(int32, 2d, F)", None),
        (types.UniTuple(types.int64, 3), "UniTuple(int64 x 3)", "UniTuple(int64, 3)"),
        (types.Tuple((types.int8, types.int16)), "Tuple(int8, int16)", "Tuple((int8, int16))"),
        (types.NamedUniTuple(types.int64, 2, pair), "Pair(int64 x 2)", None),
        (types.Omitted(3), "omitted(default=3)", None),
        (types.typeof(np.zeros(1, [("a", "i4")])[0]), "Record(a[type=int32;offset=0];4;False)", None),
    ]:
        assert str(made) == name
        assert written is None or repr(made) == written
    assert types.float64[:, ::1].mangling_args == ("Array", [types.float64, 2, "C", "mutable", "aligned"])
    assert types.int32.cast_python_value(3.7) == 3


def test_parts_of_signatures_are_replaced():
    signature = types.int64(types.float64, types.int32)
    assert signature.replace(return_type=types.int8) == types.int8(types.float64, types.int32)
    method = signature.as_method()
    assert method.is_method and method.recvr == types.float64 and method.args == (types.int32,)
    assert method.as_function() == signature
    with pytest.raises(TypeError, match="no part name"):
        signature.replace(name=1)


def test_a_dispatcher_has_what_programs_look_at():
    @njit
    def f(x, y=3, *, z=4):
        return x + y + z

    assert f.__defaults__ == (3,) and f.__kwdefaults__ == {"z": 4}
    assert f._numba_type_ == types.typeof(f)
    assert (
        f.typingctx.resolve_value_type(1) == types.int64 == f.targetdescr.typing_context.resolve_value_type(1)
    )
    declared = njit("int64(int64)")(lambda x: x)
    assert declared.get_function_type() == types.FunctionType(types.int64(types.int64))
    assert f.get_function_type() is None
    template, parameters, args, keywords = declared.get_call_template((types.int64,), {})
    assert template.cases[0].return_type == types.int64 and list(parameters.parameters) == ["x"]
    assert (args, keywords) == ((types.int64,), {})


def test_metadata_count_parallel_loops():
    @njit(parallel=True)
    def f(a, b):
        c = a + b
        return c.sum(), (a * 2)[::-1].copy()

    f(np.ones(4), np.ones(4))
    told = f.get_metadata(f.signatures[0])["parfor_diagnostics"]
    assert told.count_parfors() == str(told).split("After optimisation")[1].split("Instruction")[0].count(
        "loop #"
    )


def test_what_is_no_function_is_refused_by_decorators():
    for wrong in (3, 2.5):
        with pytest.raises(TypeError, match="The decorated object is not a function"):
            njit(wrong)
    with pytest.raises(ValueError, match="Only one of 'nopython' or 'forceobj'"):
        jit(nopython=True, forceobj=True)(lambda x: x)
