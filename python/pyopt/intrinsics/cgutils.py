"""Helpers of code generators, under the names of ``numba.core.cgutils``."""

from contextlib import contextmanager

from pyopt import types
from pyopt.intrinsics import boundary, function_values
from pyopt.intrinsics.ir import (
    ArrayType,
    Constant,
    DoubleType,
    FloatType,
    Function,
    IntType,
    LiteralStructType,
    PointerType,
    Undefined,
    Value,
)

bool_t = IntType(1)
int8_t = IntType(8)
int32_t = IntType(32)
int64_t = intp_t = IntType(64)
voidptr_t = PointerType(int8_t)
true_bit, false_bit = Constant(bool_t, 1), Constant(bool_t, 0)
true_byte, false_byte = Constant(int8_t, 1), Constant(int8_t, 0)
float_t, double_t = FloatType(), DoubleType()


def size_of(type):
    """Give the bytes that a type of LLVM takes in memory."""
    return _layout(type)[0]


def _layout(type):
    """Give size and alignment."""
    if isinstance(type, ArrayType):
        size, alignment = _layout(type.element)
        return size * type.count, alignment
    if isinstance(type, LiteralStructType):
        size, most = 0, 1
        for one in type.elements:
            part, alignment = _layout(one)
            alignment = 1 if type.packed else alignment
            size = -(-size // alignment) * alignment + part
            most = max(most, alignment)
        return -(-size // most) * most, most
    bits = {"f16": 16, "f32": 32, "f64": 64}.get(type.text) or getattr(type, "width", 64)
    size = 1 << max(0, (-(-bits // 8) - 1).bit_length())
    return size, min(size, 16)


def alloca_once(builder, ty, size=None, name="", zfill=False):
    """Give the address of room on the stack that is there once a call, wherever it is asked for."""
    if isinstance(size, int):
        size = Constant(intp_t, size)
    with builder.goto_entry_block():
        return _alloca(builder, ty, size, zfill)


def _alloca(builder, ty, size, zfill):
    pointer = builder.alloca(ty, size=size)
    if zfill:
        builder.store(Constant(ty, None), pointer)
    return pointer


def get_null_value(ty):
    """Give the value of a type whose bytes are zeros."""
    return Constant(ty, None)


def alloca_once_value(builder, value, name="", zfill=False):
    """Give the address of a value on the stack."""
    storage = alloca_once(builder, value.type, zfill=zfill)
    builder.store(value, storage)
    return storage


class StructProxy:
    """A struct whose elements are attributes; a value that changes, and no memory unless asked for."""

    def __init__(self, builder, kind, fields, value=None, pointer=None):
        """Open a value, or what a pointer points to, or make one of which nothing is known."""
        if pointer is not None and value is None:
            value = builder.load(pointer, typ=kind)
        value = Constant(kind, Undefined) if value is None else value
        self.__dict__.update(_builder=builder, _kind=kind, _fields=fields, _value=value, _place=None)

    def __getattr__(self, name):
        """Take an element."""
        if name not in self._fields:
            raise AttributeError(f"there is no field '{name}' in {', '.join(self._fields)}")
        return self._builder.extract_value(self._current(), self._fields.index(name))

    def __setattr__(self, name, value):
        """Replace an element."""
        if name not in self._fields:
            raise AttributeError(f"there is no field '{name}' in {', '.join(self._fields)}")
        changed = self._builder.insert_value(self._current(), value, self._fields.index(name))
        self.__dict__["_value"] = changed
        if self._place is not None:
            self._builder.store(changed, self._place)

    def _current(self):
        return self._value if self._place is None else self._builder.load(self._place, typ=self._kind)

    def _getvalue(self):
        return self._current()

    def _get_ptr_by_name(self, name):
        """Give the address of an element."""
        return gep_inbounds(self._builder, self._getpointer(), 0, self._fields.index(name))

    def _getpointer(self):
        if self._place is None:
            self.__dict__["_place"] = alloca_once_value(self._builder, self._value)
        return self._place


_ARRAY_FIELDS = ("meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides")


def array_proxy(builder, type, value=None, ref=None):
    """Open or make an array."""
    return StructProxy(builder, boundary.value_type(type), _ARRAY_FIELDS, value, ref)


def create_struct_proxy(type, kind="value"):
    """Give what opens values of a type: arrays, complex numbers, functions, own types."""
    if isinstance(type, types.Array):
        fields = _ARRAY_FIELDS
    elif isinstance(type, types.Complex):
        fields = ("real", "imag")
    elif isinstance(type, types.FunctionType):
        fields = function_values.FIELDS
    else:
        members = boundary.members(type)
        if members is None:
            raise NotImplementedError(f"create_struct_proxy({type}) in an intrinsic")
        fields = tuple("meminfo" if name == types.STRUCTURE else name for name, _ in members)
    return lambda context, builder, value=None, ref=None: StructProxy(
        builder, boundary.value_type(type), fields, value, ref
    )


def pack_array(builder, values, ty=None):
    """Make an array of LLVM of values of one type."""
    element = ty or values[0].type
    made = Constant(ArrayType(element, len(values)), Undefined)
    for at, value in enumerate(values):
        made = builder.insert_value(made, value, at)
    return made


def pack_struct(builder, values):
    """Make a struct of values."""
    made = Constant(LiteralStructType([one.type for one in values]), Undefined)
    for at, value in enumerate(values):
        made = builder.insert_value(made, value, at)
    return made


make_anonymous_struct = pack_struct


def unpack_tuple(builder, tup, count=None):
    """Give the elements of a struct or array."""
    return [builder.extract_value(tup, at) for at in range(len(tup.type) if count is None else count)]


def gep(builder, ptr, *inds, **options):
    """Give the address of a part; numbers may be indices."""
    inbounds = options.pop("inbounds", False)
    name = options.pop("name", "")
    if options:
        raise TypeError(f"unknown options {', '.join(options)}")
    indices = [one if isinstance(one, Value) else Constant(int32_t, one) for one in inds]
    return builder.gep(ptr, indices, inbounds=inbounds, name=name)


def gep_inbounds(builder, ptr, *inds, **options):
    """Give the address of a part."""
    return gep(builder, ptr, *inds, inbounds=True, **options)


def pointer_add(builder, ptr, offset, return_type=None):
    """Give the address some bytes behind another."""
    offset = offset if isinstance(offset, Value) else Constant(intp_t, offset)
    moved = builder.gep(ptr, [offset], source_etype=int8_t)
    return builder.bitcast(moved, return_type or ptr.type)


def get_item_pointer(context, builder, aryty, ary, inds, wraparound=False, boundscheck=False):
    """Give the address of an element of an opened array."""
    shape = unpack_tuple(builder, ary.shape, count=aryty.ndim)
    strides = unpack_tuple(builder, ary.strides, count=aryty.ndim)
    return get_item_pointer2(
        context, builder, ary.data, shape, strides, aryty.layout, inds, wraparound, boundscheck
    )


def get_item_pointer2(
    context, builder, data, shape, strides, layout, inds, wraparound=False, boundscheck=False
):
    """Give the address of an element of an array of given parts."""
    if boundscheck:
        raise NotImplementedError("get_item_pointer with boundscheck in an intrinsic")
    offset = Constant(intp_t, 0)
    for at, (index, size, stride) in enumerate(zip(inds, shape, strides, strict=True)):
        if wraparound is True or (isinstance(wraparound, (list, tuple)) and wraparound[at]):
            is_negative = builder.icmp_signed("<", index, index.type(0))
            index = builder.select(is_negative, builder.add(index, size), index)
        offset = builder.add(offset, builder.mul(index, stride))
    return pointer_add(builder, data, offset)


def get_or_insert_function(module, fnty, name):
    """Declare a function."""
    return Function(module, fnty, name)


def is_null(builder, value):
    """Say whether a number or pointer is zero."""
    return builder.icmp_unsigned("==", value, Constant(value.type, None))


def is_not_null(builder, value):
    """Say whether a number or pointer isn't zero."""
    return builder.icmp_unsigned("!=", value, Constant(value.type, None))


def is_true(builder, value):
    """Say whether a number isn't zero."""
    return is_not_null(builder, value)


def is_false(builder, value):
    """Say whether a number is zero."""
    return is_null(builder, value)


def as_bool_bit(builder, value):
    """Make a bit of a number."""
    return builder.icmp_unsigned("!=", value, value.type(0))


def is_scalar_zero(builder, value):
    """Say whether a number is zero; NaN isn't."""
    if isinstance(value.type, IntType):
        return builder.icmp_signed("==", value, value.type(0))
    return builder.fcmp_ordered("==", value, value.type(0.0))


def increment_index(builder, value):
    """Add one."""
    return builder.add(value, value.type(1))


@contextmanager
def early_exit_if(builder, stack, cond):
    """Write what happens under a condition; what follows is under its contrary until the stack is closed."""
    then, otherwise = stack.enter_context(builder.if_else(cond))
    with then:
        yield
    stack.enter_context(otherwise)


def early_exit_if_null(builder, stack, obj):
    """Write what happens if a pointer is null; see ``early_exit_if``."""
    return early_exit_if(builder, stack, is_null(builder, obj))


class Loop:
    """A loop that is written: its index, and what ends it."""

    def __init__(self, index, do_break):
        """Keep both."""
        self.index = index
        self.do_break = do_break

    def __iter__(self):
        """Unpack to both."""
        return iter((self.index, self.do_break))


@contextmanager
def for_range(builder, count, start=None, intp=None):
    """Write the body of a loop over ``range(start, count)``."""
    intp = intp or count.type
    start = intp(0) if start is None else start
    with for_range_slice(builder, start, builder.add(start, count), intp(1), intp) as (index, _):
        yield Loop(index, None)


@contextmanager
def for_range_slice(builder, start, stop, step, intp=None, inc=True):
    """Write the body of a loop from a start up (or down, without ``inc``) to a stop, by a step."""
    before = builder.basic_block
    condition, body, end = (builder.append_basic_block() for _ in range(3))
    builder.branch(condition)
    builder.position_at_end(condition)
    index = builder.phi(start.type)
    index.add_incoming(start, before)
    builder.cbranch(builder.icmp_signed("<" if inc else ">", index, stop), body, end)
    builder.position_at_end(body)
    yield index, before
    following = builder.add(index, step)
    index.add_incoming(following, builder.basic_block)
    builder.branch(condition)
    builder.position_at_end(end)


@contextmanager
def loop_nest(builder, shape, intp, order="C"):
    """Write the body of nested loops; give the indices."""
    if not shape:
        yield ()
        return
    order = range(len(shape)) if order == "C" else reversed(range(len(shape)))
    from contextlib import ExitStack

    indices = [None] * len(shape)
    with ExitStack() as stack:
        for at in order:
            indices[at] = stack.enter_context(for_range(builder, shape[at], intp=intp)).index
        yield indices


@contextmanager
def if_likely(builder, pred):
    """Write what happens under a condition."""
    with builder.if_then(pred, likely=True):
        yield


@contextmanager
def if_unlikely(builder, pred):
    """Write what happens under a condition."""
    with builder.if_then(pred, likely=False):
        yield


@contextmanager
def ifnot(builder, pred):
    """Write what happens unless a condition holds."""
    with builder.if_then(builder.not_(pred)):
        yield


def __getattr__(name):
    """Give what raises on use: libraries import names that they may never call."""
    from pyopt.missing import missing

    if name.startswith("__"):
        raise AttributeError(name)
    return missing(f"numba.core.cgutils.{name}")
