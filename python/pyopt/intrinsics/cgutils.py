"""Helpers of code generators, under the names of ``numba.core.cgutils``."""

from functools import reduce

from pyopt import types
from pyopt.intrinsics import boundary, function_values, instructions, slices, texts
from pyopt.intrinsics.control import (  # noqa: F401
    Loop,
    cbranch_or_continue,
    do_boundscheck,
    early_exit_if,
    early_exit_if_null,
    for_range,
    for_range_slice,
    for_range_slice_generic,
    guard_memory_error,
    guard_null,
    guard_zero,
    if_likely,
    if_unlikely,
    if_zero,
    ifnot,
    loop_nest,
    terminate,
)
from pyopt.intrinsics.data import (  # noqa: F401
    add_global_variable,
    create_constant_array,
    global_constant,
    make_bytearray,
    memcpy,
    memset,
    printf,
    raw_memcpy,
    raw_memmove,
    sizeof,
    snprintf,
    snprintf_stackbuffer,
)
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
from pyopt.intrinsics.zeros import (  # noqa: F401
    is_false,
    is_neg_int,
    is_not_null,
    is_not_scalar_zero,
    is_null,
    is_scalar_neg,
    is_scalar_zero,
    is_scalar_zero_or_nan,
    is_true,
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


def alignment_of(type):
    """Give the bytes that addresses of values of a type of LLVM are multiples of."""
    return _layout(type)[1]


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
    """A struct whose elements are attributes, zeros at first, or what a pointer points to.

    It is a value that changes as long as all is done in one block, and memory from then on: what another
    block sees depends on the way to it.
    """

    def __init__(self, builder, kind, fields, value=None, pointer=None):
        """Open a value, or what a pointer points to, or make one of zeros."""
        if pointer is not None and value is not None:
            builder.store(value, pointer)
        value = Constant(kind, None) if value is None else value
        self.__dict__.update(_builder=builder, _kind=kind, _fields=fields, _value=value)
        self.__dict__.update(_place=pointer, _block=builder.block)

    def __getattr__(self, name):
        """Take an element."""
        return self[self._index(name)]

    def __setattr__(self, name, value):
        """Replace an element."""
        self[self._index(name)] = value

    def __getitem__(self, index):
        """Take an element by its number."""
        if self._place_here() is None:
            return self._builder.extract_value(self._value, index)
        kind = self._kind.elements[index]
        return self._builder.load(self._get_ptr_by_index(index), typ=kind)

    def __setitem__(self, index, value):
        """Replace an element by its number."""
        if self._place_here() is None:
            self._setvalue(self._builder.insert_value(self._value, value, index))
        else:
            instructions.expect(value, self._kind.elements[index])
            self._builder.store(value, self._get_ptr_by_index(index))

    def __len__(self):
        """Count the elements."""
        return len(self._fields)

    def _index(self, name):
        if name not in self._fields:
            raise AttributeError(f"there is no field '{name}' in {', '.join(self._fields)}")
        return self._fields.index(name)

    def _place_here(self):
        """Give the address of the struct, or None where it is a value."""
        builder = self._builder
        has_handles = builder.function.has_handles(self._value)
        if self._place is None and self._block is not builder.block and not has_handles:
            with builder.goto_block(self._block):
                self._getpointer()
        return self._place

    def _getvalue(self):
        """Give the struct."""
        place = self._place_here()
        return self._value if place is None else self._builder.load(place, typ=self._kind)

    def _setvalue(self, value):
        """Replace the struct."""
        instructions.expect(value, self._kind)
        if self._place_here() is not None:
            self._builder.store(value, self._place)
        elif self._block is not self._builder.block:
            raise NotImplementedError(
                "a struct of what LLVM has no form for, which an intrinsic changes in another block"
            )
        else:
            self.__dict__["_value"] = value

    def _get_ptr_by_name(self, name):
        """Give the address of an element."""
        return self._get_ptr_by_index(self._index(name))

    def _get_ptr_by_index(self, index):
        """Give the address of an element by its number."""
        return gep_inbounds(self._builder, self._getpointer(), 0, index)

    def _getpointer(self):
        """Give the address of the struct."""
        if self._place is None:
            self.__dict__["_place"] = alloca_once_value(self._builder, self._value)
        return self._place


def copy_struct(dst, src, repl=None):
    """Set the elements of a struct to those of another, but for some that are given by name."""
    given = dict(repl or {})
    for name in src._fields:
        setattr(dst, name, given.pop(name) if name in given else getattr(src, name))
    for name, value in given.items():
        setattr(dst, name, value)
    return dst


def array_proxy(builder, type, value=None, ref=None):
    """Open or make an array."""
    return StructProxy(builder, boundary.value_type(type), boundary.ARRAY_FIELDS, value, ref)


def populate_array(array, data, shape, strides, itemsize, meminfo, parent=None):
    """Set the parts of an opened array; sizes and steps are values or sequences of them."""
    builder = array._builder
    sizes = unpack_tuple(builder, shape) if isinstance(shape, Value) else list(shape)
    steps = strides if isinstance(strides, Value) else pack_array(builder, list(strides), boundary.INTP)
    null = Constant(boundary.BYTE_POINTER, None)
    array.shape, array.strides = pack_array(builder, sizes, boundary.INTP), steps
    array.data, array.itemsize = data, itemsize
    array.nitems = reduce(builder.mul, sizes, Constant(boundary.INTP, 1))
    array.meminfo, array.parent = (null if one is None else one for one in (meminfo, parent))
    return array


def create_struct_proxy(type, kind="value"):
    """Give what opens values of a type that has parts: arrays, complex numbers, slices and more."""
    if isinstance(type, (types.Array, types.Bytes)):
        fields = boundary.ARRAY_FIELDS
    elif isinstance(type, types.UnicodeType):
        fields = texts.FIELDS
    elif isinstance(type, types.Complex):
        fields = ("real", "imag")
    elif isinstance(type, types.FunctionType):
        fields = function_values.FIELDS
    elif isinstance(type, types.SliceType):
        fields = slices.FIELDS
    elif isinstance(type, types.Optional):
        fields = boundary.OPTIONAL_FIELDS
    else:
        members = boundary.members(type)
        if members is None:
            raise NotImplementedError(f"create_struct_proxy({type}) in an intrinsic")
        fields = tuple("meminfo" if name == types.STRUCTURE else name for name, _ in members)
    return lambda context, builder, value=None, ref=None: StructProxy(
        builder, boundary.value_type(type), fields, value, ref
    )


def get_record_member(builder, record, offset, typ):
    """Give the address of an element of a record, for values of a type."""
    return builder.bitcast(gep_inbounds(builder, record, 0, offset), typ.as_pointer())


def is_pointer(ltyp):
    """Say whether a type is one of pointers."""
    return ltyp.is_pointer


def is_nonelike(ty):
    """Say whether a type of Numba's is that of None, or of an argument that isn't given."""
    return ty is None or isinstance(ty, (types.NoneType, types.Omitted))


def is_empty_tuple(ty):
    """Say whether a type of Numba's is that of the empty tuple."""
    return isinstance(ty, types.BaseTuple) and len(ty.types) == 0


def muladd_with_overflow(builder, a, b, c):
    """Give ``a * b + c`` of integers with signs, and whether that is wrong."""
    product = builder.smul_with_overflow(a, b)
    total = builder.sadd_with_overflow(builder.extract_value(product, 0), c)
    is_wrong = [builder.extract_value(one, 1) for one in (product, total)]
    return builder.extract_value(total, 0), builder.or_(*is_wrong)


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
    offset = Constant(intp_t, 0)
    for at, (index, size, stride) in enumerate(zip(inds, shape, strides, strict=True)):
        if wraparound is True or (isinstance(wraparound, (list, tuple)) and wraparound[at]):
            is_negative = builder.icmp_signed("<", index, index.type(0))
            index = builder.select(is_negative, builder.add(index, size), index)
        if boundscheck:
            do_boundscheck(context, builder, index, size, at)
        offset = builder.add(offset, builder.mul(index, stride))
    return pointer_add(builder, data, offset)


def get_or_insert_function(module, fnty, name):
    """Declare a function."""
    return Function(module, fnty, name)


insert_pure_function = get_or_insert_function


def as_bool_bit(builder, value):
    """Make a bit of a number."""
    return builder.icmp_unsigned("!=", value, value.type(0))


def increment_index(builder, value):
    """Add one."""
    return builder.add(value, value.type(1))


def __getattr__(name):
    """Give what raises on use: libraries import names that they may never call."""
    from pyopt.missing import missing

    if name.startswith("__"):
        raise AttributeError(name)
    return missing(f"numba.core.cgutils.{name}")
