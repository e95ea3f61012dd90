"""How function calls are resolved: what the document on it states, statement by statement."""

import inspect
from time import perf_counter

import numpy as np
import pytest

from pyopt import cfunc, errors, jit, njit, typeof, types


def f(x):
    return x + 1


def foo(x):
    return f(x)


def apply(function, x):
    return function(x)


def test_nopython_compilation_is_triggered_by_compile():
    compiled = jit(f, nopython=True)
    entry = compiled.compile((types.int64,))
    assert entry(2) == 3
    assert compiled.signatures == [(types.int64,)]


def test_a_program_whose_types_are_not_unique_is_refused():
    def ambiguous(flag):
        return 1 if flag else "a"

    with pytest.raises(errors.TypingError):
        jit(ambiguous, nopython=True).compile((types.int64,))


def test_object_mode_compilation_is_triggered_by_compile():
    compiled = jit(lambda x: {x: [x]}, forceobj=True)
    assert compiled.compile((types.int32,))(3) == {3: [3]}
    assert compiled("a") == {"a": ["a"]}


def test_there_is_no_fallback_to_object_mode():
    with pytest.raises(errors.PyoptError):
        jit(lambda x: x.bit_count).compile((types.int32,))


def test_signatures_hold_return_type_arguments_and_parameters():
    compiled = njit(f)
    compiled(1)
    signature = compiled.overloads[(types.int64,)].signature
    assert signature.return_type == types.int64
    assert signature.args == (types.int64,)
    assert signature.pysig == inspect.signature(f)


def test_plain_python_functions_are_resolved_for_the_types_of_the_call():
    compiled = jit(foo, nopython=True)
    assert compiled.compile((types.int32,))(2) == 3
    assert type(compiled(1.5)) is float


def test_decorating_the_callee_needs_no_further_types():
    callee = njit(f)

    @njit
    def caller(x):
        return callee(x)

    assert (caller(1), caller(1.5)) == (2, 2.5)


def test_a_dispatcher_has_its_function_and_its_overloads():
    compiled = njit(f)
    assert compiled.py_func is f
    assert compiled.overloads == {}
    compiled(1)
    compiled(2.5)
    assert list(compiled.overloads) == [(types.int64,), (types.float64,)]


def test_compile_gives_the_entry_point_and_stores_the_result():
    compiled = njit(f)
    entry = compiled.compile(types.float64(types.float64))
    assert compiled.overloads[(types.float64,)].entry_point is entry
    assert entry(1.5) == 2.5
    # What is there already is the answer.
    assert compiled.compile((types.float64,)) is entry
    assert len(compiled.overloads) == 1


def test_entry_points_convert_and_refuse():
    entry = njit(f).compile((types.float64,))
    assert type(entry(1)) is float
    for arguments in ((), (1, 2), ("a",), (1j,)):
        with pytest.raises(TypeError):
            entry(*arguments)


def test_compile_results_hold_library_contexts_and_annotation():
    compiled = njit(f)
    compiled(1)
    result = compiled.overloads[(types.int64,)]
    assert "define" in result.library.get_llvm_str()
    assert result.library.get_asm_str()
    assert "si64" in str(result.type_annotation)
    assert result.typing_context.resolve_value_type(1.5) == types.float64
    assert result.typing_context.can_convert(types.int64, types.float64)
    assert not result.typing_context.can_convert(types.complex128, types.float64)
    assert result.target_context.target_name == "cpu"
    assert result.objectmode is False
    assert result.fndesc.qualname == "f"
    assert result.fndesc.args == ("x",)
    assert (result.fndesc.argtypes, result.fndesc.restype) == ((types.int64,), types.int64)


def test_further_compilations_can_be_disabled():
    compiled = njit(f)
    compiled(1.5)
    compiled.disable_compile()
    assert type(compiled(1)) is float
    assert len(compiled.overloads) == 1


def test_an_exact_match_is_called():
    compiled = njit(["float64(float64)", "int64(int64)"])(f)
    assert type(compiled(1)) is int
    assert type(compiled(1.0)) is float


def test_no_match_compiles_where_it_may():
    compiled = njit(f)
    compiled(1)
    assert compiled(1j) == 1 + 1j
    assert len(compiled.overloads) == 2


def test_conversions_are_searched_where_compilation_is_disabled():
    compiled = njit("float64(float64)")(f)
    assert compiled(1) == 2.0
    with pytest.raises(TypeError, match=r"No matching definition for argument type\(s\) complex128"):
        compiled(1j)


def test_a_compiled_function_as_an_argument_has_a_type_of_its_own():
    a, b = njit(f), njit(f)
    of_a, of_b = typeof(a), typeof(b)
    assert isinstance(of_a, types.Dispatcher)
    assert of_a != of_b
    assert of_a.dispatcher is a
    assert of_b.dispatcher is b
    assert typeof(a) == of_a
    a(1)
    a(1.5)
    assert typeof(a) == of_a


def test_function_types_hold_the_types_of_a_prototype():
    kind = types.FunctionType(types.float64(types.int64))
    assert kind.signature.return_type == types.float64
    assert kind.signature.args == (types.int64,)
    assert str(kind) == "FunctionType[float64(int64)]"
    assert kind == types.FunctionType(types.float64(types.int64))


def test_overloads_of_dispatcher_arguments_contain_the_dispatchers_type():
    a, compiled = njit(f), njit(apply)
    compiled(a, 1)
    assert list(compiled.overloads) == [(typeof(a), types.int64)]
    assert str(typeof(a)).startswith("type(CPUDispatcher(")


def test_overloads_of_first_class_functions_contain_the_function_type():
    kind = types.FunctionType(types.float64(types.float64))
    compiled = njit(types.float64(kind, types.float64))(apply)
    a, b = njit(f), njit(lambda x: x * 2)
    assert (compiled(a, 1), compiled(b, 1)) == (2.0, 2.0)
    # One prototype is one overload, whatever functions it is called with.
    assert list(compiled.overloads) == [(kind, types.float64)]
    assert str(compiled.nopython_signatures[0]) == "(FunctionType[float64(float64)], float64) -> float64"
    assert "define" in compiled.inspect_llvm((kind, types.float64))


def test_realisations_of_callable_and_caller_are_stored_independently():
    a, compiled = njit(f), njit(apply)
    assert compiled(a, 1) == 2
    assert a.overloads == {}
    assert a(1) == 2
    assert compiled(a, 2) == 3


def test_a_known_prototype_is_a_fixed_input_of_inference():
    a, compiled = njit("float64(float64)")(f), njit(apply)
    assert type(compiled(a, 1)) is float


def test_a_function_without_prototypes_is_resolved_for_its_use():
    compiled = njit(apply)
    a = njit(f)
    assert type(compiled(a, 1)) is int
    assert type(compiled(a, 1.5)) is float
    # A plain Python function is treated as if it were decorated.
    assert type(compiled(f, 1)) is int
    assert type(compiled(f, 1.5)) is float


def test_a_callable_that_is_never_called_stays_undetermined():
    def ignore(function, x):
        return x

    assert njit(ignore)(njit(lambda a, b, c: a.nothing), 3) == 3
    assert njit(ignore)(lambda a: a.nothing, 3) == 3


@pytest.mark.parametrize("values", [(2, 2.5), (2.5, 2)])
def test_results_do_not_depend_on_earlier_calls(values):
    a, compiled = njit(f), njit(apply)
    for value in values:
        assert type(compiled(a, value)) is type(value)
        assert type(a(value)) is type(value)
    # Nor on the realisations that the callable has.
    b, compiled = njit(f), njit(apply)
    b(values[0])
    assert type(compiled(b, values[1])) is type(values[1])


def test_dispatchers_in_tuples_and_returned():
    a, b = njit(f), njit(lambda x: x * 10)

    @njit
    def both(functions, x):
        return functions[0](x) + functions[1](x)

    @njit
    def pick(functions, which):
        return functions[which](2.5)

    @njit
    def give(function):
        return function

    assert both((a, b), 2) == 23
    assert both((a, f), 2) == 6
    assert (pick((a, b), 0), pick((a, b), 1)) == (3.5, 25.0)
    assert give(a) is a
    assert give(b) is b
    assert give(f) is f
    twin = njit(f)
    assert give(twin) is twin


def test_functions_that_names_stand_for_are_returned():
    a, b = njit(f), njit(lambda x: x * 10)
    assert njit(lambda: a)() is a
    assert njit(lambda: (a, b))() == (a, b)
    chosen = njit(lambda a, b, first: a if first else b)
    assert (chosen(a, b, True), chosen(a, b, False)) == (a, b)


def test_compiled_functions_and_c_functions_are_in_one_tuple():
    a, b = njit(f), cfunc("float64(float64)")(lambda x: x * 10)

    @njit
    def composed(functions, x):
        for function in functions[::-1]:
            x = function(x)
        return x

    assert composed((a, b, b), 0.5) == 51.0
    assert composed((b, a), 0.5) == 15.0


def test_a_function_type_is_compiled_once_and_errors_pass():
    kind = types.FunctionType(types.float64(types.float64))
    compiled = njit(types.float64(kind, types.float64))(apply)
    code = compiled.overloads[kind, types.float64].code
    for factor in range(5):
        assert compiled(lambda x: x * factor if factor else x, 2) == (2.0 * factor or 2.0)
    assert compiled.overloads[kind, types.float64].code is code

    @njit
    def failing(x):
        if x == 1:
            raise ValueError("no value")
        return x

    with pytest.raises(ValueError, match="no value"):
        compiled(failing, 1.0)
    with pytest.raises(TypeError, match="takes 0 arguments"):
        compiled(lambda: 1.0, 1.0)


def test_metadata(capsys):
    @njit(parallel=True)
    def f(x: np.ndarray) -> float:
        return (x + 1).sum()

    before = perf_counter()
    assert f(np.ones(4)) == 8
    taken = perf_counter() - before
    (signature,) = f.signatures
    metadata = f.get_metadata(signature)
    assert f.get_metadata() == {signature: metadata} and metadata is f.overloads[signature].metadata
    assert 0 < metadata["timers"]["compiler_lock"] < taken
    metadata["parfor_diagnostics"].dump(1)
    f.parallel_diagnostics(level=1)
    dumped = capsys.readouterr().out
    half = len(dumped) // 2
    assert dumped[:half] == dumped[half:] and "Parallel loop listing" in dumped
    assert "Instruction hoisting" in str(metadata["parfor_diagnostics"])
    assert f.__annotations__ == {"x": np.ndarray, "return": float}
