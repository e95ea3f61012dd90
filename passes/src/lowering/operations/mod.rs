//! The lowering of each typed operation to upstream's dialects.

mod aggregate;
mod alloc;
mod array;
mod binary;
mod cast;
mod complex;
mod control;
mod element;
mod exceptions;
mod float;
mod generator;
mod integer;
mod list;
mod overlap;
mod text;
mod unary;
mod view;

pub(crate) use self::control::segment_sizes;
pub(crate) use self::generator::words;
pub(in crate::lowering) use self::{
    array::{Parts, assemble, parts},
    binary::combine,
    complex::{create as create_complex, parts as take_complex},
    control::REDUCTION_TYPES,
    element::{load_at, scopes, store_at},
    exceptions::ARGUMENT_TYPES,
};

use super::emit::Emit;
use crate::infra::{OperationExt, PassFailure, PassResult, single};
use melior::ir::{OperationRef, Type, Value};

/// For each result of an operation the list of values that it is converted to.
pub(super) type Lowered<'c, 'a> = PassResult<Vec<Vec<Value<'c, 'a>>>>;

/// Lowers one operation.
pub(super) type Lower = for<'x, 'c, 'a> fn(&Site<'x, 'c, 'a>) -> Lowered<'c, 'a>;

/// The operation that is lowered, with its converted operands.
pub(super) struct Site<'x, 'c, 'a> {
    /// The operation, with its typed operands.
    pub op: OperationRef<'c, 'a>,
    /// The values that each operand was converted to.
    pub operands: &'x [Vec<Value<'c, 'a>>],
    /// Makes operations before the one that is lowered.
    pub emit: Emit<'x, 'c, 'a>,
}

impl<'c, 'a> Site<'_, 'c, 'a> {
    /// An operand that was converted to exactly one value.
    fn one(&self, index: usize) -> PassResult<Value<'c, 'a>> {
        single(&self.operands[index])
    }

    /// The typed type of an operand.
    fn operand_type(&self, index: usize) -> Type<'c> {
        crate::infra::ValueExt::ty(self.op.operand_value(index))
    }

    /// The typed type of the result.
    fn result_type(&self) -> Type<'c> {
        self.op.result_types()[0]
    }
}

/// Fails the lowering with a reason.
fn refuse<T>(message: impl Into<String>) -> PassResult<T> {
    Err(PassFailure::Message(message.into()))
}

/// The operations that have a lowering.
pub(super) static OPERATIONS: &[(&str, Lower)] = &[
    ("typed.constant", text::constant),
    ("typed.constant_array", array::constant),
    ("typed.singleton", aggregate::nothing),
    ("typed.cast", cast::lower),
    ("typed.ticks", aggregate::concat),
    ("typed.binary", binary::lower),
    ("typed.unary", unary::lower),
    ("typed.compare", binary::compare),
    ("typed.tuple", aggregate::tuple),
    ("typed.as_sequence", aggregate::concat),
    ("typed.as_tuple", aggregate::concat),
    ("typed.tuple_get", aggregate::tuple_get),
    ("typed.tuple_item", aggregate::tuple_item),
    ("typed.unbound", aggregate::unbound),
    ("typed.bind", aggregate::bind),
    ("typed.is_bound", aggregate::is_bound),
    ("typed.bound_value", aggregate::bound_value),
    ("typed.optional_none", aggregate::unbound),
    ("typed.optional_some", aggregate::bind),
    ("typed.is_some", aggregate::is_bound),
    ("typed.optional_value", aggregate::bound_value),
    ("typed.range", aggregate::concat),
    ("typed.range_get", aggregate::range_get),
    ("typed.slice", aggregate::concat),
    ("typed.slice_get", aggregate::tuple_get),
    ("typed.len", array::len),
    ("typed.item", text::item),
    ("typed.dim", array::dim),
    ("typed.list_new", list::new),
    ("typed.list_reserve", list::reserve),
    ("typed.list_len", list::len),
    ("typed.list_get", list::get),
    ("typed.list_set", list::set),
    ("typed.list_push", list::push),
    ("typed.list_grow", list::grow),
    ("typed.list_truncate", list::truncate),
    ("typed.load", element::load),
    ("typed.store", element::store),
    ("typed.view", view::view),
    ("typed.transpose", view::transpose),
    ("typed.reshape", view::reshape),
    ("typed.strided", view::strided),
    ("typed.reinterpret", view::reinterpret),
    ("typed.stride", array::stride),
    ("typed.with_shape", view::with_shape),
    ("typed.overlaps", overlap::lower),
    ("typed.broadcast_size", alloc::broadcast_size),
    ("typed.empty", alloc::empty),
    ("typed.broadcast", alloc::broadcast),
    ("typed.require_equal", control::require_equal),
    ("typed.raise_if", control::raise_if),
    ("typed.variable", control::variable),
    ("typed.call", control::call),
    ("typed.try_call", exceptions::try_call),
    ("typed.exception", exceptions::exception),
    ("typed.catch", exceptions::catch),
    ("typed.exc_match", exceptions::exc_match),
    ("typed.raise_value_if", exceptions::raise_value_if),
    ("typed.new_generator", generator::new),
    ("typed.generator_load", generator::load),
    ("typed.generator_store", generator::store),
    ("parfor.chunks", control::chunks),
    ("parfor.launch", control::launch),
    ("typed.acquire", control::acquire),
    ("typed.release", control::release),
    ("arith.select", aggregate::select),
    ("ub.poison", aggregate::poison),
];
