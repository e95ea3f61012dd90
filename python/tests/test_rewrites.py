"""Rewrites that are written in Python."""

import pytest

from pyopt import njit
from pyopt.rewrites import Rewrite, register_rewrite

MUL, POW = "#py<binary_kind mul>", "#py<binary_kind pow>"


@pytest.fixture(autouse=True)
def no_rewrites():
    """Whatever a test registers matches nothing in other tests."""
    yield
    for name in ("Square", "Endless", "Typed", "Raising", "Kept"):
        point = "after-inference" if name == "Typed" else "before-inference"
        register_rewrite(point)(type(name, (Rewrite,), {}))


def is_square(op):
    exponent = op.operands[1].definition
    return op.attribute("kind") == POW and exponent is not None and exponent.attribute("value") == "2 : i64"


def register_square(seen):
    """Register ``x ** 2`` as ``x * x``; note what it was asked about."""

    @register_rewrite("before-inference")
    class Square(Rewrite):
        roots = ("py.binary",)

        def match(self, block, typemap, calltypes):
            seen.append([op.name for op in block])
            self.block = block
            self.squares = [op for op in block.find("py.binary") if is_square(op)]
            assert all(typemap[op.operands[0]] == "!py.object" for op in self.squares)
            return bool(self.squares)

        def apply(self):
            for op in self.squares:
                base = op.operands[0]
                made = self.block.insert(op, "py.binary", [base, base], ["!py.object"], {"kind": MUL})
                op.replace(made.results)

    return Square


def test_a_rewrite_before_inference_changes_the_program():
    seen = []
    register_square(seen)

    @njit
    def f(x):
        return x**2 + 1

    assert [f(value) for value in (3, -4, 2.5)] == [10, 17, 7.25]
    module = f.inspect_ir("py-rewrite", "int64(int64)")
    assert "py.binary mul" in module and "py.binary pow" not in module
    # Compiled for ints, for floats, and for the look at it; asked again where it has changed something.
    assert len(seen) == 2 * (2 + 1)


def test_functions_without_its_operations_are_not_shown():
    seen = []
    register_square(seen)

    @njit
    def f(x):
        return -x

    assert f(2) == -2
    assert seen == []


def test_after_inference_the_type_map_is_known():
    types = []

    @register_rewrite("after-inference")
    class Typed(Rewrite):
        roots = ("typed.binary",)

        def match(self, block, typemap, calltypes):
            types.extend(typemap[op.results[0]] for op in block.find("typed.binary"))
            return False

    @njit
    def f(x, y):
        return x * y + y

    assert f(2, 0.5) == 1.5
    assert types == ["f64", "f64"]


def test_a_rewrite_that_always_matches_is_named():
    @register_rewrite("before-inference")
    class Endless(Rewrite):
        def match(self, block, typemap, calltypes):
            return True

        def apply(self):
            pass

    @njit
    def f(x):
        return x

    with pytest.raises(Exception, match="rewrite 'Endless' still matches after 64 rounds"):
        f(1)


def test_an_exception_of_a_rewrite_is_told():
    @register_rewrite("before-inference")
    class Raising(Rewrite):
        def match(self, block, typemap, calltypes):
            raise ValueError("no idea")

    @njit
    def f(x):
        return x

    with pytest.raises(Exception, match="rewrite 'Raising' raised ValueError: no idea"):
        f(1)


def test_views_end_with_the_call():
    kept = []

    @register_rewrite("before-inference")
    class Kept(Rewrite):
        def match(self, block, typemap, calltypes):
            kept.append((block, block.operations[0], block.arguments[0]))
            with pytest.raises(ValueError, match="still used"):
                block.operations[0].erase()
            with pytest.raises(ValueError, match="there is no operation 'py.nothing'"):
                block.insert(block.operations[0], "py.nothing")
            with pytest.raises(ValueError, match="is no type"):
                block.insert(block.operations[0], "py.unbound", types=["!no.such"])
            assert block.operations[0].location[1] > 0
            assert block.arguments[0].definition is None
            return False

    @njit
    def f(x):
        return x + 1

    assert f(1) == 2
    block, operation, value = kept[0]
    for use in (lambda: block.operations, lambda: operation.name, lambda: value.type):
        with pytest.raises(RuntimeError, match="ends with the call"):
            use()


def test_what_is_no_rewrite_is_refused():
    with pytest.raises(TypeError, match="no subclass"):
        register_rewrite("before-inference")(int)
    with pytest.raises(ValueError, match="there is no point 'later'"):
        register_rewrite("later")(type("Late", (Rewrite,), {}))
    with pytest.raises(ValueError, match="a pass has the name 'py-rewrite' already"):
        register_rewrite("before-inference")(type("py-rewrite", (Rewrite,), {}))


def test_a_rewrite_needs_apply():
    with pytest.raises(NotImplementedError, match="Rewrite has no apply"):
        Rewrite().apply()
