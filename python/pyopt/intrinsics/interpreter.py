"""Runs the code of ``box`` and ``unbox`` functions in Python.

A box or unbox function writes code for the types of its extension: LLVM's operations on values, and calls of
Python's API on objects. It runs once for each type; what it has written becomes a Python function, which is
called at each conversion.
"""

import re
from functools import lru_cache
from operator import add, and_, eq, ge, gt, le, lt, ne, neg, or_, sub, xor

import numpy as np

from pyopt.intrinsics import boundary
from pyopt.intrinsics.boundary import ARRAY_FIELDS
from pyopt.intrinsics.ir import ArrayType, IntType, LiteralStructType, Undefined


class Null:
    """The null pointer, which is no object."""

    def __repr__(self):
        """Give C's name."""
        return "NULL"


NULL = Null()


@lru_cache(maxsize=256)
def _program(write, type, is_box):
    """Run a box or unbox function for a type, and decode what it has written."""
    from pyopt.intrinsics.builder import IRBuilder
    from pyopt.intrinsics.function import NativeFunction
    from pyopt.intrinsics.python_api import BoxingContext

    function = NativeFunction()
    context = BoxingContext(IRBuilder(function.entry_basic_block))
    kind = boundary.value_type(type) if is_box else boundary.BYTE_POINTER
    _, argument = function.named(kind, "")
    given = write(type, argument, context)
    outputs = [given] if is_box else [given.value, given.is_error]
    used = [None if one is None else function.use(one).name for one in outputs]
    context.builder.block.terminator = "return", [], []
    return _Program(function, argument.name, used)


def run_unbox(write, type, object):
    """Give the fields of an object as values."""
    program = _program(write, type, False)
    run = _Run()
    value, failed = program.run(run, object)
    if failed:
        raise run.pending or TypeError(f"a '{object.__class__.__name__}' can't be unboxed as {type}")
    return value


def run_box(write, type, fields):
    """Give an object for the values of fields."""
    program = _program(write, type, True)
    run = _Run()
    (object,) = program.run(run, fields)
    if object is NULL:
        raise run.pending or SystemError(f"boxing a value of the type {type} gave no object and no exception")
    return object


class _Run:
    """One run of a function."""

    __slots__ = ("pending",)

    def __init__(self):
        #: The exception that is set, as Python's API has it.
        self.pending = None


class _Program:
    """A function of LLVM's operations as one of Python's, ``run``: of a run and the argument, to the outputs.

    Values are local variables. Blocks are the branches of a loop that says which is next.
    """

    def __init__(self, function, argument, outputs):
        self._scope = {"NULL": NULL}
        self._names = {}
        self._numbers = {id(block): at for at, block in enumerate(function.blocks)}
        lines = [f"def run(run, {self._variable(argument)}):"]
        for name, one in function.constants.items():
            lines.append(
                f"    {self._variable(name)} = {self._global(constant_object(one.type, one.constant))}"
            )
        results = [f"{self._variable(one)}," if one else "False," for one in outputs]
        returned = f"return {' '.join(results)}"
        blocks = function.blocks
        if len(blocks) == 1:
            lines += [f"    {line}" for line in [*self._steps(blocks[0]), returned]]
        else:
            lines += [f"    block = {self._numbers[id(function.entry_basic_block)]}", "    while True:"]
            for block in blocks:
                lines.append(f"        if block == {self._numbers[id(block)]}:")
                leaving = self._leaving(function, block) or [returned]
                lines += [f"            {line}" for line in [*self._steps(block), *leaving]]
            # What control didn't come by is never looked at, but is part of the outputs.
            unset = [one for one in self._names.values() if one != self._names[argument]]
            lines.insert(1, f"    {' = '.join([*unset, 'None'])}")
        exec("\n".join(lines), self._scope)
        self.run = self._scope["run"]

    def _variable(self, name):
        return self._names.setdefault(name, f"v{len(self._names)}")

    def _global(self, value):
        name = f"g{len(self._scope)}"
        self._scope[name] = value
        return name

    def _steps(self, block):
        """Give the lines of a block's operations."""
        lines = []
        for operation in block.operations:
            operands = [self._variable(one.name) for one in operation.operands]
            target = "" if operation.result is None else f"{self._variable(operation.result.name)} = "
            lines += _written(operation, operands, target, self._global)
        return lines

    def _leaving(self, function, block):
        """Give the lines that go on with another block; none at the end."""
        text, operands, targets = block.terminator
        if text not in ("return", "cf.br", "cf.cond_br"):
            raise NotImplementedError(f"'{text}' in a box or unbox function")
        gone = [[*self._phis(function, block, one), f"block = {self._numbers[id(one)]}"] for one in targets]
        if len(gone) == 2:
            condition = self._variable(operands[0].name)
            then, other = ([f"    {line}" for line in lines] for lines in gone)
            return [f"if {condition}:", *then, "else:", *other, "continue"]
        return [*gone[0], "continue"] if gone else []

    def _phis(self, function, block, target):
        pairs = [
            (self._variable(phi.name), self._variable(function.use(value).name))
            for phi in target.phis
            for value, source in phi.incoming
            if source is block
        ]
        if not pairs:
            return []
        return [f"{', '.join(to for to, _ in pairs)} = {', '.join(value for _, value in pairs)}"]


def _written(operation, operands, target, enter):
    """Give the lines that do an operation; ``enter`` gives the name of an object for them."""
    action = operation.action
    compute = getattr(action, "compute", None)
    if compute is not None:
        # A call of Python's API: an exception is set, and gives a value that says so. What goes on with such
        # a value fails for it, and the first exception is the cause.
        return [
            f"try: {target}{enter(compute)}({', '.join(operands)})",
            "except Exception as error:",
            "    run.pending = error if run.pending is None else run.pending",
            f"    {target}{enter(action.failure)}",
        ]
    if action is None:
        name, _, rest = operation.text.partition(" ")
        if name == "llvm.load":
            return [f"{target}{operands[0]}[0]"]
        if name == "llvm.store":
            return [f"{operands[1]}[0] = {operands[0]}"]
        if name == "llvm.extractvalue" and not _may_have_arrays(operation.operands[0].type):
            return [f"{target}{operands[0]}{''.join(f'[{at}]' for at in _path(rest))}"]
    return [f"{target}{enter(_decoded(operation))}({', '.join(['run', *operands])})"]


def _decoded(operation):
    """Give the function of a run and operands that an operation is."""
    if operation.action is not None:
        return operation.action
    name, _, rest = operation.text.partition(" ")
    decode = _OPERATIONS.get(name)
    if decode is None:
        raise NotImplementedError(f"'{name}' in a box or unbox function")
    return decode(operation, rest)


def constant_object(type, value):
    """Give the object that is a constant of a type here; without a value what is all zeros."""
    if isinstance(value, list):
        return [constant_object(one.type, one.constant) for one in value]
    if value is None or value is Undefined:
        if isinstance(type, (LiteralStructType, ArrayType)):
            return [constant_object(one, None) for one in type.elements]
        if type.is_pointer:
            return NULL
        return 0 if isinstance(type, IntType) else 0.0
    return value


def _path(rest):
    return [int(one) for one in re.search(r"\[([\d, ]+)\]", rest).group(1).split(",")]


def _inserted(aggregate, value, path):
    changed = list(aggregate)
    first, *others = path
    changed[first] = _inserted(changed[first], value, others) if others else value
    return changed


def _may_have_arrays(type):
    """Whether a struct may be an array, or have one in it: arrays are NumPy's own here."""
    elements = getattr(type, "elements", ())
    return len(elements) == len(ARRAY_FIELDS) or any(map(_may_have_arrays, elements))


def _extract(operation, rest):
    path = _path(rest)

    def part(run, value):
        for at in path:
            value = (_fields_of_array(value) if isinstance(value, np.ndarray) else value)[at]
        return value

    return part


def _fields_of_array(array):
    """Give the fields of a struct that is an array: its object stands for its owner."""
    strides = [one & _bits(IntType(64)) for one in array.strides]
    return [array, array, array.size, array.itemsize, array.ctypes.data, list(array.shape), strides]


def _insert(operation, rest):
    path = _path(rest)
    return lambda run, value, aggregate: _inserted(aggregate, value, path)


def _alloca(operation, rest):
    start = constant_object(operation.result.type.pointee, None)
    return lambda run, count: [start]


class _Part:
    """What points to a part of what another address points to; the item 0 is the value there."""

    __slots__ = ("path", "whole")

    def __init__(self, whole, path):
        self.whole = whole
        self.path = path

    def __getitem__(self, zero):
        value = self.whole[0]
        for at in self.path:
            value = value[at]
        return value

    def __setitem__(self, zero, value):
        self.whole[0] = _inserted(self.whole[0], value, self.path)


def _element_address(operation, rest):
    if len(operation.operands) > 1:
        raise NotImplementedError("the address of an element of a computed number in a box or unbox function")
    first, *path = _path(rest)
    if first or not path:
        raise NotImplementedError("arithmetic with addresses in a box or unbox function")
    return lambda run, whole: _Part(whole, path)


_ORDERS = {"eq": eq, "ne": ne, "lt": lt, "le": le, "gt": gt, "ge": ge}


def _compare_integers(operation, rest):
    kind, type = rest.split('"')[1], operation.operands[0].type
    if type.is_pointer:
        return lambda run, lhs, rhs: int((lhs is rhs) == (kind == "eq"))
    order = _ORDERS[kind[-2:]]
    if kind[0] == "s":
        return lambda run, lhs, rhs: int(order(_signed(lhs, type), _signed(rhs, type)))
    return lambda run, lhs, rhs: int(order(lhs, rhs))


def _compare_floats(operation, rest):
    kind = rest.split('"')[1]
    order = _ORDERS.get(kind[1:])

    def do(run, lhs, rhs):
        has_nan = lhs != lhs or rhs != rhs
        if order is None or has_nan:
            return int(has_nan == (kind[0] == "u"))
        return int(order(lhs, rhs))

    return do


def _signed(value, type):
    return value - (1 << type.width) if value >> (type.width - 1) else value


def _bits(type):
    return (1 << type.width) - 1


def _integers(compute):
    def decode(operation, rest):
        bits = _bits(operation.result.type)
        return lambda run, lhs, rhs: compute(lhs, rhs) & bits

    return decode


def _simple(compute):
    return lambda operation, rest: lambda run, *operands: compute(*operands)


def _extend(operation, rest):
    source, bits = operation.operands[0].type, _bits(operation.result.type)
    return lambda run, value: _signed(value, source) & bits


def _truncate(operation, rest):
    bits = _bits(operation.result.type)
    return lambda run, value: value & bits


def _to_float(operation, rest):
    source = operation.operands[0].type
    return lambda run, value: float(_signed(value, source))


_OPERATIONS = {
    "llvm.alloca": _alloca,
    "llvm.getelementptr": _element_address,
    "llvm.extractvalue": _extract,
    "llvm.insertvalue": _insert,
    "llvm.icmp": _compare_integers,
    "llvm.fcmp": _compare_floats,
    "llvm.select": _simple(lambda condition, lhs, rhs: lhs if condition else rhs),
    "llvm.inttoptr": _simple(lambda value: value),
    "llvm.ptrtoint": _simple(lambda value: value),
    "llvm.zext": _simple(lambda value: value),
    "llvm.sext": _extend,
    "llvm.trunc": _truncate,
    "llvm.sitofp": _to_float,
    "llvm.uitofp": _simple(float),
    "llvm.fneg": _simple(neg),
    **{f"llvm.{one.__name__.strip('_')}": _integers(one) for one in (add, sub, and_, or_, xor)},
    **{f"llvm.f{one.__name__}": _simple(one) for one in (add, sub)},
}
