"""Runs the code of ``box`` and ``unbox`` functions in Python.

A box or unbox function writes code for the types of its extension: LLVM's operations on values, and calls of
Python's API on objects. It runs once for each type; what it has written is interpreted at each conversion.
"""

import re
from functools import lru_cache
from operator import add, and_, eq, ge, gt, le, lt, ne, neg, or_, sub, xor

from pyopt.intrinsics import boundary
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
    run = _Run(program, object)
    value, error = program.outputs
    if error is not None and run.values[error]:
        raise run.pending or TypeError(f"a '{object.__class__.__name__}' can't be unboxed as {type}")
    return run.values[value]


def run_box(write, type, fields):
    """Give an object for the values of fields."""
    program = _program(write, type, True)
    run = _Run(program, fields)
    object = run.values[program.outputs[0]]
    if object is NULL:
        raise run.pending or SystemError(f"boxing a value of the type {type} gave no object and no exception")
    return object


class _Program:
    """A function, decoded: its blocks as calls of Python functions on named values."""

    def __init__(self, function, argument, outputs):
        self.argument = argument
        self.outputs = outputs
        self.entry = id(function.entry_basic_block)
        self.blocks = {id(block): self._decode(function, block) for block in function.blocks}
        self.constants = {name: _constant(one.type, one.constant) for name, one in function.constants.items()}

    @staticmethod
    def _decode(function, block):
        phis = [
            (phi.name, {id(source): function.use(value).name for value, source in phi.incoming})
            for phi in block.phis
        ]
        steps = [
            (
                _decoded(operation),
                [one.name for one in operation.operands],
                None if operation.result is None else operation.result.name,
            )
            for operation in block.operations
        ]
        text, operands, targets = block.terminator
        if text not in ("return", "cf.br", "cf.cond_br"):
            raise NotImplementedError(f"'{text}' in a box or unbox function")
        return phis, steps, [one.name for one in operands], [id(one) for one in targets]


class _Run:
    """One run of a function, to its end."""

    def __init__(self, program, argument):
        self.values = values = program.constants | {program.argument: argument}
        #: The exception that is set, as Python's API has it.
        self.pending = None
        at, before = program.entry, None
        while True:
            phis, steps, conditions, targets = program.blocks[at]
            values.update([(name, values[sources[before]]) for name, sources in phis])
            for do, operands, result in steps:
                made = do(self, *[values[one] for one in operands])
                if result is not None:
                    values[result] = made
            if not targets:
                return
            before = at
            at = targets[0] if not conditions or values[conditions[0]] else targets[1]


def _decoded(operation):
    """Give the function of a run and operands that an operation is."""
    if operation.action is not None:
        return operation.action
    name, _, rest = operation.text.partition(" ")
    decode = _OPERATIONS.get(name)
    if decode is None:
        raise NotImplementedError(f"'{name}' in a box or unbox function")
    return decode(operation, rest)


def _constant(type, value):
    if isinstance(value, list):
        return [_constant(one.type, one.constant) for one in value]
    if value is None or value is Undefined:
        if isinstance(type, (LiteralStructType, ArrayType)):
            return [_constant(one, None) for one in type.elements]
        if type.is_pointer:
            return NULL
        return 0 if isinstance(type, IntType) else 0.0
    return value


def _path(rest):
    return [int(one) for one in re.search(r"\[([\d, ]+)\]", rest).group(1).split(",")]


def _extract(operation, rest):
    path = _path(rest)

    def do(run, aggregate):
        for at in path:
            aggregate = aggregate[at]
        return aggregate

    return do


def _inserted(aggregate, value, path):
    changed = list(aggregate)
    first, *others = path
    changed[first] = _inserted(changed[first], value, others) if others else value
    return changed


def _insert(operation, rest):
    path = _path(rest)
    return lambda run, value, aggregate: _inserted(aggregate, value, path)


def _alloca(operation, rest):
    start = _constant(operation.result.type.pointee, None)
    return lambda run, count: [start]


def _store(operation, rest):
    def do(run, value, place):
        place[0] = value

    return do


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
    "llvm.load": _simple(lambda place: place[0]),
    "llvm.store": _store,
    "llvm.extractvalue": _extract,
    "llvm.insertvalue": _insert,
    "llvm.icmp": _compare_integers,
    "llvm.fcmp": _compare_floats,
    "llvm.select": _simple(lambda condition, lhs, rhs: lhs if condition else rhs),
    "llvm.zext": _simple(lambda value: value),
    "llvm.sext": _extend,
    "llvm.trunc": _truncate,
    "llvm.sitofp": _to_float,
    "llvm.uitofp": _simple(float),
    "llvm.fneg": _simple(neg),
    **{f"llvm.{one.__name__.strip('_')}": _integers(one) for one in (add, sub, and_, or_, xor)},
    **{f"llvm.f{one.__name__}": _simple(one) for one in (add, sub)},
}
