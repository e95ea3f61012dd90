"""Passes that programs put into the pipelines, and passes that are written in Python."""

import os
import subprocess
import sys

import numpy as np
import pytest
from tools import run

from pyopt import njit, pipelines
from pyopt.extending import add_pass, added_passes, remove_pass
from pyopt.ir import register_pass

MUL = {"kind": "#typed<binary_kind mul>"}


@pytest.fixture(autouse=True)
def no_passes():
    """Take away whatever a test adds."""
    yield
    for place, passes in added_passes():
        assert remove_pass(passes, at=place)


def fresh():
    """Make a function that nothing has compiled yet."""

    @njit
    def f(x):
        return x / 2.0 + 1.0

    return f


def test_a_registered_pass_runs_at_a_point():
    assert add_pass("canonicalize", at="after-fusion", options={"max-iterations": 3})
    assert not add_pass("canonicalize", at="after-fusion", options={"max-iterations": 3})
    assert added_passes() == [("after-fusion", "canonicalize{max-iterations={3}}")]
    listed = pipelines.passes("py-nopython-pipeline")
    at = listed.index("func.func(canonicalize{max-iterations={3}})")
    assert listed[at - 1] == "func.func(parfor-fuse)"
    assert fresh()(4.0) == 3.0
    assert remove_pass("canonicalize", at="after-fusion", options={"max-iterations": 3})
    assert not remove_pass("canonicalize", at="after-fusion", options={"max-iterations": 3})
    assert "func.func(canonicalize{max-iterations={3}})" not in pipelines.passes("py-nopython-pipeline")


def test_a_pass_runs_before_and_after_another():
    add_pass("symbol-dce", at="before:typed-to-memref")
    add_pass("func.func(canonicalize)", at="after:typed-to-memref")
    listed = pipelines.passes("py-parallel-pipeline")
    at = listed.index("typed-to-memref")
    assert listed[at - 1 : at + 2] == ["symbol-dce", "typed-to-memref", "func.func(canonicalize)"]
    assert fresh()(4.0) == 3.0


def test_a_pass_on_modules_runs_between_passes_on_functions():
    register_pass("look-at-module", on="builtin.module")(lambda module: None)
    add_pass("look-at-module", at="before-fusion")
    text = pipelines.passes("py-nopython-pipeline")
    assert "look-at-module" in text
    assert fresh()(4.0) == 3.0


@pytest.mark.parametrize(
    "name, at, options, message",
    [
        ("cse", "after-dinner", None, "no pipeline has a place 'after-dinner'; there are before-inference, "),
        ("cse", "after:no-such-pass", None, "no pipeline has a place 'after:no-such-pass'"),
        ("no-such-pass", "after-fusion", None, "'no-such-pass' can't be added: malformed pipeline"),
        ("canonicalize", "after-fusion", {"speed": 1}, "can't be added: malformed pipeline"),
        ("func.func(typed-to-abi)", "after-fusion", None, "can't be added"),
    ],
)
def test_what_there_is_not_is_an_error(name, at, options, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        add_pass(name, at=at, options=options)
    assert added_passes() == []


def half_by_product(function):
    for op in function.walk("typed.binary"):
        divisor = op.operands[1].definition
        if "truediv" in op.attribute("kind") and divisor.attribute("value") == "2.000000e+00 : f64":
            block = op.block
            half = block.insert(op, "typed.constant", [], ["f64"], {"value": "0.5 : f64"})
            product = block.insert(op, "typed.binary", [op.operands[0], *half.results], ["f64"], MUL)
            op.replace(product.results)


def test_a_pass_in_python_changes_functions():
    register_pass("half-by-product")(half_by_product)
    add_pass("half-by-product", at="after:typed-rewrite")

    @njit(error_model="numpy")
    def f(x):
        return x / 2.0 + 1.0

    assert f(4.0) == 3.0
    text = f.inspect_ir("half-by-product")
    assert "typed.binary mul" in text and "truediv" not in text


def test_a_pass_sees_everything_in_a_function():
    seen = {}

    @register_pass("look-around")
    def look(function):
        assert function.parent is None and function.block is None
        (body,) = function.regions
        (entry,) = body.blocks
        assert body.parent == function and entry.parent == function
        loops = function.walk("scf.for")
        for loop in loops:
            assert loop.block == entry and loop.parent == function
            inner = loop.regions[0].blocks[0]
            assert inner.arguments[0].block == inner and inner.arguments[0].definition is None
            assert all(op.parent == loop for op in inner)
        for argument in entry.arguments:
            assert len(argument.users) == argument.use_count
            assert all(argument in user.operands for user in argument.users)
        seen["loops"] = len(loops)
        seen["name"] = function.attributes["pyopt.function"]

    add_pass("look-around", at="before-ownership")

    @njit
    def total(a):
        result = 0.0
        for i in range(len(a)):
            result += a[i]
        return result

    assert total(np.arange(5.0)) == 10.0
    assert seen == {"loops": 1, "name": '"total"'}


def test_a_pass_makes_operations_with_regions():
    @register_pass("wrap")
    def wrap(function):
        (entry,) = function.regions[0].blocks
        last = entry.operations[-1]
        if last.name != "func.return" or entry.find("scf.execute_region"):
            return
        (value,) = last.operands
        around = entry.insert(last, "scf.execute_region", [], [value.type], regions=1)
        inner = around.regions[0].add_block()
        inner.insert(None, "scf.yield", [value])
        last.set_operand(0, around.results[0])

    add_pass("wrap", at="before-ownership")
    f = fresh()
    assert f(4.0) == 3.0
    assert "scf.execute_region" in f.inspect_ir("wrap")


def test_a_pass_makes_blocks():
    @register_pass("branch")
    def branch(function):
        region = function.regions[0]
        if len(region.blocks) > 1:
            return
        (entry,) = region.blocks
        last = entry.operations[-1]
        if last.name != "func.return" or len(last.operands) != 1:
            return
        (value,) = last.operands
        behind = region.add_block([value.type])
        dead = region.add_block()
        entry.insert(None, "cf.br", [value], successors=[behind])
        last.erase()
        behind.insert(None, "func.return", behind.arguments)
        dead.erase()
        assert [len(block.predecessors) for block in region.blocks] == [0, 1]

    add_pass("branch", at="before:typed-to-abi")
    f = fresh()
    assert f(4.0) == 3.0
    assert "cf.br ^bb1" in f.inspect_ir("branch")


def broken_operand_of_later(function):
    """Use a value before it is there."""
    ops = [op for op in function.walk() if op.results and op.operands]
    first, last = ops[0], ops[-1]
    first.set_operand(0, last.results[0])


def broken_terminator(function):
    function.walk("func.return")[-1].erase()


def broken_kind(function):
    function.walk("typed.binary")[0].set_attribute("kind", "1 : i3")


def broken_without_kind(function):
    function.walk("typed.binary")[0].remove_attribute("kind")


def broken_type(function):
    op = function.walk("typed.binary")[0]
    made = op.block.insert(op, "typed.constant", [], ["i1"], {"value": "true"})
    op.set_operand(0, made.results[0])


def broken_result(function):
    last = function.walk("func.return")[-1]
    made = last.block.insert(last, "arith.constant", [], ["i8"], {"value": "1 : i8"})
    last.set_operand(0, made.results[0])


def broken_double_terminator(function):
    last = function.walk("func.return")[-1]
    last.block.insert(last, "func.return", last.operands)


def broken_empty_region(function):
    last = function.walk("func.return")[-1]
    last.block.insert(last, "scf.execute_region", [], [], regions=1)


def broken_order(function):
    last = function.walk("func.return")[-1]
    last.operands[0].definition.move_before(function.walk("typed.constant")[0])


def broken_branch(function):
    """Branch to a block with an argument, and pass none."""
    region = function.regions[0]
    block = region.add_block(["f64"])
    last = function.walk("func.return")[-1]
    region.blocks[0].insert(last, "cf.br", successors=[block])
    last.erase()
    block.insert(None, "func.return", block.arguments)


def broken_signature(function):
    function.set_attribute("function_type", "(f64, f64) -> f64")


def broken_entry(function):
    function.regions[0].blocks[0].add_argument("f64")


def broken_loop(function):
    """Make a loop without a body."""
    last = function.walk("func.return")[-1]
    zero = last.block.insert(last, "arith.constant", [], ["index"], {"value": "0 : index"}).results[0]
    loop = last.block.insert(last, "scf.for", [zero, zero, zero], regions=1)
    assert str(loop)


def broken_name(function):
    function.remove_attribute("sym_name")


def broken_use_of_inner(function):
    """Use a value of a region behind it."""
    last = function.walk("func.return")[-1]
    around = last.block.insert(last, "scf.execute_region", regions=1)
    inner = around.regions[0].add_block()
    made = inner.insert(None, "typed.constant", [], ["f64"], {"value": "1.0 : f64"})
    inner.insert(None, "scf.yield")
    last.set_operand(0, made.results[0])


def broken_callee(function):
    last = function.walk("func.return")[-1]
    last.block.insert(last, "func.call", [], ["f64"], {"callee": "@nowhere"})


@pytest.mark.parametrize(
    "change",
    [
        broken_branch,
        broken_signature,
        broken_entry,
        broken_loop,
        broken_name,
        broken_use_of_inner,
        broken_operand_of_later,
        broken_terminator,
        broken_kind,
        broken_without_kind,
        broken_type,
        broken_result,
        broken_double_terminator,
        broken_empty_region,
        broken_order,
    ],
)
def test_invalid_ir_is_an_error_that_names_the_pass(change):
    register_pass("breaking")(change)
    add_pass("breaking", at="after:typed-rewrite")
    with pytest.raises(Exception, match="pass 'breaking' leaves invalid IR: ."):
        fresh()(4.0)
    remove_pass("breaking", at="after:typed-rewrite")
    assert fresh()(4.0) == 3.0


def test_a_call_of_nothing_is_an_error():
    register_pass("breaking")(broken_callee)
    add_pass("breaking", at="after:typed-rewrite")
    with pytest.raises(Exception, match="'nowhere' does not reference a valid function"):
        fresh()(4.0)


def refused_operand_count(op):
    op.block.insert(op, "typed.binary", [op.operands[0]], ["f64"], MUL)


def refused_attribute(op):
    op.block.insert(op, "typed.binary", op.operands, ["f64"], {"kind": "1 : i3"})


def refused_without_attribute(op):
    op.block.insert(op, "typed.binary", op.operands, ["f64"])


def refused_types(op):
    op.block.insert(op, "typed.binary", op.operands, ["f64", "f64"], MUL)


def refused_name(op):
    op.block.insert(op, "no.such")


def refused_place(op):
    function = op.parent
    function.regions[0].add_block().insert(op, "typed.constant", [], ["f64"], {"value": "1.0 : f64"})


def refused_erasure(op):
    op.erase()


def refused_root(op):
    op.parent.erase()


def refused_move(op):
    op.parent.move_before(op)


def refused_use_of_erased(op):
    made = op.block.insert(op, "typed.constant", [], ["f64"], {"value": "1.0 : f64"})
    (value,) = made.results
    made.erase()
    op.set_operand(0, value)


def refused_type(op):
    op.block.insert(op, "typed.constant", [], ["!typed.nothing"], {"value": "1.0 : f64"})


def refused_notation(op):
    op.set_attribute("kind", "#typed<binary_kind")


def refused_erasure_of_block(op):
    op.block.insert(None, "cf.br", successors=[op.block])
    try:
        op.block.erase()
    finally:
        op.block.operations[-1].erase()


def refused_block_in_use(op):
    region = op.parent.regions[0]
    block = region.add_block(["f64"])
    value = op.operands[0]
    op.set_operand(0, block.arguments[0])
    try:
        block.erase()
    finally:
        op.set_operand(0, value)
        block.erase()


def refused_use_of_erased_block(op):
    block = op.parent.regions[0].add_block(["f64"])
    (argument,) = block.arguments
    block.erase()
    op.set_operand(0, argument)


@pytest.mark.parametrize(
    "change",
    [
        refused_type,
        refused_notation,
        refused_erasure_of_block,
        refused_block_in_use,
        refused_use_of_erased_block,
        refused_operand_count,
        refused_attribute,
        refused_without_attribute,
        refused_types,
        refused_name,
        refused_place,
        refused_erasure,
        refused_root,
        refused_move,
        refused_use_of_erased,
    ],
)
def test_what_cannot_be_made_is_an_exception_at_the_call(change):
    raised = []

    @register_pass("careless")
    def careless(function):
        for op in function.walk("typed.binary"):
            with pytest.raises((ValueError, RuntimeError)) as caught:
                change(op)
            raised.append(str(caught.value))

    add_pass("careless", at="after:typed-rewrite")
    f = fresh()
    if change is refused_place:
        with pytest.raises(Exception, match="pass 'careless' leaves invalid IR"):
            f(4.0)
    else:
        assert f(4.0) == 3.0
    assert raised and all(raised)


def test_an_exception_of_a_pass_is_told():
    @register_pass("raising")
    def raising(function):
        raise ValueError("no idea")

    add_pass("raising", at="after-inference")
    with pytest.raises(Exception, match="'raising' raised ValueError: no idea"):
        fresh()(4.0)


def test_views_end_with_the_call():
    kept = []

    @register_pass("keeping")
    def keeping(function):
        kept.append((function, function.regions[0], function.regions[0].blocks[0]))

    add_pass("keeping", at="after-inference")
    assert fresh()(4.0) == 3.0
    function, region, block = kept[0]
    for use in (lambda: function.name, lambda: region.blocks, lambda: block.operations, function.walk):
        with pytest.raises(RuntimeError, match="ends with the call"):
            use()


def test_names_of_passes():
    with pytest.raises(ValueError, match="'two words' can't be the name of a pass"):
        register_pass("two words")(print)
    with pytest.raises(ValueError, match="a pass has the name 'typed-rewrite' already"):
        register_pass("typed-rewrite")(print)
    register_pass("once", on="func.func")(print)
    with pytest.raises(ValueError, match="pass 'once' is known already, and runs on 'func.func'"):
        register_pass("once", on="builtin.module")(print)
    with pytest.raises(TypeError, match="a pass is a function"):
        register_pass("nothing")(None)


KEPT = """
import sys
from pyopt import njit
from pyopt.extending import add_pass
from pyopt.ir import register_pass

if "canonicalize" in sys.argv:
    add_pass("canonicalize", at="after-fusion")
if "python" in sys.argv:
    register_pass("mine")(lambda function: None)
    add_pass("mine", at="after-fusion")

@njit(cache=True)
def f(x):
    return x + 1

f(1)
print(sum(f.stats.cache_hits.values()))
"""


def test_what_is_added_is_part_of_the_key_on_disk(tmp_path):
    script = tmp_path / "kept.py"
    script.write_text(KEPT)

    def hits(*arguments):
        variables = {**os.environ, "PYOPT_CACHE_DIR": os.fspath(tmp_path / "cache")}
        command = [sys.executable, script, *arguments]
        done = subprocess.run(
            command, env=variables, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        return int(done.stdout)

    assert [hits(), hits()] == [0, 1]
    assert [hits("canonicalize"), hits("canonicalize"), hits()] == [0, 1, 1]
    assert [hits("python"), hits("python"), hits()] == [0, 0, 1]


def test_the_tool_adds_passes():
    module = b"func.func @f() { return }"
    shown = run("pyopt", "--add-pass=after-fusion=canonicalize", "--print-pipeline=py-nopython-pipeline")
    lines = [line.split() for line in shown.stdout.decode().splitlines()]
    at = lines.index(["+", "canonicalize", "added"])
    assert lines[at - 1] == ["<after-fusion>"]
    wrong = run("pyopt", "--add-pass=later=canonicalize", "-", input=module)
    assert wrong.returncode == 1
    assert b"error: no pipeline has a place 'later'" in wrong.stderr
