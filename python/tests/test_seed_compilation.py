"""How a function is compiled: what the document on function calls states of the stages and their results."""

import ctypes
import re

import numpy as np
import pytest
from test_seed_function_calls import apply, f, foo

from pyopt import cfunc, config, errors, jit, literal_unroll, literally, njit, objmode, types
from pyopt.compile_result import CompileResult
from pyopt.extending import overload
from pyopt.numba import dispatchers
from pyopt.templates import Signature


def ir(function, stage, *arguments):
    """Give the module behind a stage of what arguments are compiled for."""
    compiled = njit(function)
    compiled(*arguments)
    return compiled.inspect_ir(stage)


def test_signatures_are_of_the_class_in_the_module_of_templates():
    signature = types.int32(types.float64)
    assert type(signature) is Signature
    assert (signature.return_type, signature.args) == (types.int32, (types.float64,))


def test_compiled_functions_are_instances_of_the_dispatchers_class():
    assert isinstance(njit(f), dispatchers.CPUDispatcher)


def test_object_mode_takes_plain_functions_as_they_are():
    assert jit(foo, forceobj=True).compile((types.int32,))(2) == 3


def test_the_compiler_compiles_and_the_dispatcher_stores():
    compiled = njit(f)
    made = compiled._compiler.compile((types.float32,), types.float64)
    assert compiled.overloads == {(types.float32,): made}
    assert made.signature == types.float64(types.float32)
    # What is stored is the answer from then on.
    assert compiled.compile((types.float32,)) is made.entry_point


def test_overloads_map_tuples_of_types_to_results():
    compiled = njit(f)
    for value in (1.5, 1, 1j):
        compiled(value)
    assert list(compiled.overloads) == [(types.float64,), (types.int64,), (types.complex128,)]
    assert all(type(one) is CompileResult for one in compiled.overloads.values())


def test_function_and_signature_have_as_many_arguments():
    for signature in ((types.int64, types.int64), (), "int64(int64, int64)"):
        with pytest.raises(TypeError, match="Signature mismatch"):
            njit(f).compile(signature)
    with pytest.raises(TypeError, match="Signature mismatch"):
        njit("int64(int64, int64)")(f)


def test_bytecode_is_translated_with_its_control_flow():
    def branching(x):
        if x > 0:
            return x
        return -x

    assert "cond_br" in ir(branching, "py-translate-bytecode", 1)


def test_with_blocks_are_lifted():
    def lifting(x):
        with objmode(y="int64"):
            y = x + 1
        return y

    compiled = njit(lifting)
    assert compiled(1) == 2
    assert "py.object_code" in compiled.inspect_ir("py-lift-with")


def test_known_values_become_constants_and_dead_branches_go():
    def by_rank(a, option=None):
        if a.ndim > 1:
            return a.no_such_name
        if option is not None:
            return option.no_such_name
        return a.sum()

    a = np.ones(3)
    assert "no_such_name" in ir(by_rank, "py-fixup-args", a)
    assert "no_such_name" not in ir(by_rank, "py-prune-branches", a)


def test_constant_items_and_operators_are_rewritten_before_inference():
    def constants(x):
        power = 2
        return x[0] * power**3

    def raising(x):
        if x < 0:
            raise ValueError("negative")
        return x

    assert njit(constants)((2, 3)) == 16
    assert "py.binary pow" in ir(constants, "py-promote-cells", (2, 3))
    assert "py.binary pow" not in ir(constants, "py-rewrite", (2, 3))
    with pytest.raises(ValueError, match="negative"):
        njit(raising)(-1)


def test_closures_are_inlined_where_they_are_called():
    def outer(x):
        def inner(y):
            return y * x

        return inner(2)

    assert "py.call" in ir(outer, "py-translate-bytecode", 3)
    assert "py.call" not in ir(outer, "py-inline-closures", 3)


def test_local_functions_become_compiled_ones():
    @njit
    def outer(x):
        def local(y):
            return y * 2

        return apply(local, x)

    assert (outer(2), outer(1.5)) == (4, 3.0)


def test_functions_are_inlined_into_their_callers():
    callee = njit(inline="always")(lambda x: x + 1)
    assert "py.call" in ir(lambda x: callee(x), "py-inline-closures", 3)
    assert "py.call" not in ir(lambda x: callee(x), "py-inline", 3)


def test_literally_and_literal_unroll():
    compiled = njit(lambda x: literally(x) + 1)
    assert compiled(1) == 2
    items = (1, 2.5)

    def unrolled():
        total = 0
        for item in literal_unroll(items):
            total += item
        return total

    assert njit(unrolled)() == 3.5
    assert "py.for_iter" in ir(unrolled, "py-literals")
    assert "py.for_iter" not in ir(unrolled, "py-literal-unroll")


def test_inference_allows_returned_arguments_and_refuses_functions_that_it_made():
    a = np.ones(3)
    assert njit(lambda a: a)(a) is a

    def making(x):
        def made(y):
            return y

        return made

    with pytest.raises(errors.TypingError):
        njit(making)(1)


def test_overloads_are_part_of_the_code():
    def plus(x):
        raise NotImplementedError

    @overload(plus, inline="always")
    def overload_plus(x):
        return lambda x: x + 1

    compiled = njit(lambda x: plus(x))
    assert compiled(2) == 3
    assert "call" not in compiled.inspect_llvm(compiled.signatures[0])


def test_array_expressions_are_one_after_the_rewrites():
    compiled = njit(lambda a, b: a * b + a)
    a = np.arange(3.0)
    assert compiled(a, a).tolist() == (a * a + a).tolist()
    assert compiled.inspect_ir("typed-array-expr").count("typed.array_expr") == 1


def test_code_gives_a_status_and_takes_places_of_result_and_exception():
    compiled = njit(f)
    compiled(1)
    (text,) = compiled.inspect_llvm().values()
    entry = re.search(r"define i32 @\S+\(ptr %\d+, ptr %\d+, ptr %\d+\)", text)
    assert entry is not None
    # The result goes to the first of them; 0 says that there is no exception.
    assert "store i64" in text and "ret i32 0" in text


def test_stages_are_printed_on_request(capsys, monkeypatch):
    settings = {
        "DUMP_BYTECODE": "RETURN_VALUE",
        "DUMP_CFG": "py.func",
        "DUMP_IR": "py.binary add",
        "ANNOTATE": "typed.binary add",
        "DUMP_LLVM": "define i32",
        "DUMP_OPTIMIZED": "define i32",
        "DUMP_ASSEMBLY": "ret",
    }
    for setting, text in settings.items():
        monkeypatch.setattr(config, setting, 1)
        njit(f)(1)
        monkeypatch.setattr(config, setting, 0)
        printed = capsys.readouterr().out
        assert f"{setting}: f (int64,)" in printed and text in printed
    njit(f)(1)
    assert capsys.readouterr().out == ""


def test_conversions_that_tie_are_explained():
    compiled = njit(["float64(int64, float64)", "float64(float64, int64)"])(lambda x, y: x + y)
    with pytest.raises(TypeError, match="Ambiguous overloading") as caught:
        compiled(1, 1)
    assert "(int64, float64) -> float64" in str(caught.value)
    assert "(float64, int64) -> float64" in str(caught.value)


def test_prototypes_of_c_functions_and_of_addresses_are_fixed_inputs():
    class Address(types.WrapperAddressProtocol):
        def __init__(self):
            self.function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x + 10)

        def __wrapper_address__(self):
            return ctypes.cast(self.function, ctypes.c_void_p).value

        def signature(self):
            return types.float64(types.float64)

    compiled = njit(apply)
    for function, added in ((cfunc("float64(float64)")(f), 1), (Address(), 10)):
        result = compiled(function, 2)
        assert type(result) is float
        assert result == 2.0 + added


def test_a_function_that_is_returned_has_its_own_realisations():
    a, compiled = njit(f), njit(apply)
    before = compiled(a, 1)
    a(2.5)
    # A realisation for floats could be used for an int: the type of the result would depend on it.
    assert type(compiled(a, 2)) is type(before) is int
    assert type(njit(apply)(a, 2)) is int
