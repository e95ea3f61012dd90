"""What box and unbox functions and code generators do with fields: structs in structs, objects, arrays."""

import gc
import sys

import numpy as np
import pytest
from memory_checks import holds_its_memory

from pyopt import njit, types
from pyopt.extending import (
    NativeValue,
    box,
    intrinsic,
    make_attribute_wrapper,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)
from pyopt.intrinsics import cgutils


class Table:
    """Rows, with what looks them up."""

    def __init__(self, rows, lookup):
        self.rows = rows
        self.lookup = lookup


class Row:
    """A row of a table."""

    def __init__(self, table, at):
        self.table = table
        self.at = at


class TableType(types.Type):
    """The type of tables."""

    def __init__(self):
        super().__init__(name="Table")


class RowType(types.Type):
    """The type of rows."""

    table = TableType()

    def __init__(self):
        super().__init__(name="Row")


ROWS = types.Array(types.int64, 1, "A", readonly=True)
NAMES = types.Tuple([types.StringLiteral("first"), types.StringLiteral("second")])


@register_model(TableType)
class _TableModel(models.StructModel):
    def __init__(self, manager, type):
        members = [("rows", ROWS), ("names", NAMES), ("lookup", types.pyobject), ("step", types.int64)]
        super().__init__(manager, type, members)


@register_model(RowType)
class _RowModel(models.StructModel):
    def __init__(self, manager, type):
        super().__init__(manager, type, [("table", type.table), ("at", types.intp)])


typeof_impl.register(Table)(lambda value, context: TableType())
typeof_impl.register(Row)(lambda value, context: RowType())
for name in "rows", "names", "step":
    make_attribute_wrapper(TableType, name, name)
for name in "table", "at":
    make_attribute_wrapper(RowType, name, name)


def _unboxed_table(type, object, c):
    made = cgutils.create_struct_proxy(type)(c.context, c.builder)
    made.rows = c.pyapi.to_native_value(ROWS, c.pyapi.object_getattr_string(object, "rows")).value
    names = c.pyapi.tuple_pack([c.pyapi.string_from_constant_string(one) for one in ("first", "second")])
    made.names = c.pyapi.to_native_value(NAMES, names).value
    made.lookup = c.pyapi.object_getattr_string(object, "lookup")
    made.step = made.step.type(7)
    return made._getvalue()


@unbox(TableType)
def _(type, object, c):
    is_error = cgutils.is_not_null(c.builder, c.pyapi.err_occurred())
    return NativeValue(_unboxed_table(type, object, c), is_error=is_error)


@unbox(RowType)
def _(type, object, c):
    made = cgutils.create_struct_proxy(type)(c.context, c.builder)
    # The table's own function isn't called for it.
    made.table = _unboxed_table(type.table, c.pyapi.object_getattr_string(object, "table"), c)
    made.at = c.pyapi.number_as_ssize_t(c.pyapi.object_getattr_string(object, "at"))
    return NativeValue(made._getvalue(), is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


def _boxed_table(type, value, c):
    opened = cgutils.create_struct_proxy(type)(c.context, c.builder, value=value)
    rows = c.box(ROWS, opened.rows)
    return c.pyapi.call_function_objargs(
        c.pyapi.unserialize(c.pyapi.serialize_object(Table)), (rows, opened.lookup)
    )


box(TableType)(_boxed_table)


@box(RowType)
def _(type, value, c):
    opened = cgutils.create_struct_proxy(type)(c.context, c.builder, value=value)
    parts = _boxed_table(type.table, opened.table, c), c.pyapi.long_from_ssize_t(opened.at)
    return c.pyapi.call_function_objargs(c.pyapi.unserialize(c.pyapi.serialize_object(Row)), parts)


@intrinsic
def row_of(typingctx, table, at):
    """Give a row, or None for a negative number."""
    row = RowType()

    def codegen(context, builder, signature, args):
        made = context.make_helper(builder, signature.return_type)
        is_there = builder.icmp_signed(">=", args[1], args[1].type(0))
        with builder.if_else(is_there) as (there, missing):
            with there:
                opened = context.make_helper(builder, row)
                opened.table, opened.at = args
                made.valid = cgutils.true_bit
                made.data = opened._getvalue()
            with missing:
                made.valid = cgutils.false_bit
                made.data = cgutils.get_null_value(made.data.type)
        return made._getvalue()

    return types.Optional(row)(table, types.intp), codegen


@pytest.fixture
def table():
    return Table(np.arange(12)[2:10:2], {"key": "value"})


def test_a_struct_in_a_struct_is_boxed_from_its_fields(table):
    for _ in range(3):
        row = njit(lambda row: row)(Row(table, 3))
        assert (type(row), type(row.table), row.at) == (Row, Table, 3)
        assert row.table.lookup is table.lookup
        np.testing.assert_array_equal(row.table.rows, table.rows)
    inner = njit(lambda row: row.table)(Row(table, 3))
    assert inner.lookup is table.lookup


def test_fields_of_a_struct_in_a_struct_are_read(table):
    of = njit(lambda row: (row.table.rows[row.at], row.table.step, row.table.names, row.at))
    assert of(Row(table, 3)) == (8, 7, ("first", "second"), 3)


def test_an_array_goes_for_one_that_says_less(table):
    of = njit(lambda table: (table.rows.sum(), table.rows))
    for rows in np.arange(4), np.arange(8)[::2], np.arange(9)[2:6]:
        total, given = of(Table(rows, None))
        assert total == rows.sum()
        assert given is rows or (not given.flags.writeable and np.shares_memory(given, rows))
        np.testing.assert_array_equal(given, rows)
    assert len(of.signatures) == 1


def test_an_object_is_set_in_one_of_two_branches(table):
    of = njit(lambda table, at: row_of(table, at))
    row = of(table, 2)
    assert (row.at, row.table.lookup is table.lookup) == (2, True)
    assert of(table, -1) is None
    count = sys.getrefcount(table.lookup)

    def call():
        of(table, 1)
        of(table, -1)

    assert holds_its_memory(call)
    del row
    gc.collect()
    assert sys.getrefcount(table.lookup) <= count


def name_of(table, at):
    return ""


@overload(name_of)
def _(table, at):
    return lambda table, at: table.names[at]


def test_fields_of_known_texts_are_texts(table):
    assert [njit(lambda table, at: name_of(table, at))(table, at) for at in (0, 1)] == ["first", "second"]
