//! The lowering of each typed operation to upstream's dialects.

mod aggregate;
mod alloc;
mod array;
mod binary;
mod border;
mod c;
mod cast;
mod complex;
mod control;
mod division;
mod element;
mod exceptions;
mod float;
mod generator;
mod integer;
mod list;
mod overlap;
mod repeat;
mod stack_words;
mod structure;
mod table;
mod text;
mod unary;
mod view;

pub(in crate::lowering) use self::{
    array::{Parts, assemble, parts},
    binary::combine,
    complex::{create as create_complex, parts as take_complex},
    element::{load_at, scopes, store_at},
};

use super::emit::Emit;
use crate::infra::{
    OperationExt, PassFailure, PassResult, ValueExt,
    ops::{arith, builtin, parfor, typed, ub},
    single,
};
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
        self.op.operand_value(index).ty()
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

/// The table of the functions that lower operations: by name, for the driver of the conversion. Each
/// function gets the view of its operation.
macro_rules! lowerings {
    ($($dialect:ident::$operation:ident => $module:ident::$lower:ident,)*) => {
        &[$((
            $dialect::$operation::NAME,
            |site| match $dialect::$operation::of(site.op) {
                Some(operation) => $module::$lower(operation, site),
                None => refuse("the operation is another one"),
            },
        ),)*]
    };
}

/// The operations that are lowered, and by what.
pub(super) static OPERATIONS: &[(&str, Lower)] = lowerings! {
    typed::Constant => text::constant,
    typed::ConstantArray => array::constant,
    typed::Singleton => aggregate::nothing,
    typed::Cast => cast::lower,
    builtin::UnrealizedConversionCast => aggregate::cast,
    typed::Ticks => aggregate::concat,
    typed::Binary => binary::lower,
    typed::Unary => unary::lower,
    typed::Compare => binary::compare,
    typed::Tuple => aggregate::concat,
    typed::AsSequence => aggregate::concat,
    typed::AsTuple => aggregate::concat,
    typed::TupleGet => aggregate::tuple_get,
    typed::TupleItem => aggregate::tuple_item,
    typed::Unbound => aggregate::zeros,
    typed::Bind => aggregate::bind,
    typed::IsBound => aggregate::is_bound,
    typed::BoundValue => aggregate::bound_value,
    typed::OptionalNone => aggregate::zeros,
    typed::OptionalSome => aggregate::optional_some,
    typed::IsSome => aggregate::is_some,
    typed::OptionalValue => aggregate::optional_value,
    typed::Range => aggregate::concat,
    typed::RangeGet => aggregate::range_get,
    typed::Slice => aggregate::concat,
    typed::SliceGet => aggregate::slice_get,
    typed::Len => array::len,
    typed::Item => text::item,
    typed::Dim => array::dim,
    typed::ListNew => list::new,
    typed::ListReserve => list::reserve,
    typed::ListLen => list::len,
    typed::ListGet => list::get,
    typed::ListSet => list::set,
    typed::ListPush => list::push,
    typed::ListGrow => list::grow,
    typed::ListTruncate => list::truncate,
    typed::TableNew => table::new,
    typed::TableGrow => table::grow,
    typed::TableCopy => table::copy,
    typed::TableGet => table::get,
    typed::TableSlot => table::slot,
    typed::TableSetSlot => table::set_slot,
    typed::TableHas => table::has,
    typed::TableKey => table::key,
    typed::TableValue => table::value,
    typed::TableSetValue => table::set_value,
    typed::TablePush => table::push,
    typed::TableRemove => table::remove,
    typed::TableClear => table::clear,
    typed::DictView => table::view,
    typed::ViewedDict => table::viewed,
    typed::StructNew => structure::new,
    typed::FieldGet => structure::get,
    typed::FieldSet => structure::set,
    typed::Keep => structure::keep,
    typed::Load => element::load,
    typed::Store => element::store,
    typed::View => view::view,
    typed::Transpose => view::transpose,
    typed::Reshape => view::reshape,
    typed::Strided => view::strided,
    typed::Reinterpret => view::reinterpret,
    typed::Stride => array::stride,
    typed::WithShape => view::with_shape,
    typed::Apart => view::apart,
    typed::Borrow => view::borrow,
    typed::Overlaps => overlap::lower,
    typed::BroadcastSize => alloc::broadcast_size,
    typed::Empty => alloc::empty,
    typed::Broadcast => repeat::broadcast,
    typed::FillBorder => border::fill,
    typed::Repeat => repeat::repeat,
    typed::RequireEqual => control::require_equal,
    typed::RaiseIf => control::raise_if,
    typed::Variable => control::variable,
    typed::Call => control::call,
    typed::TryCall => exceptions::try_call,
    typed::Exception => exceptions::exception,
    typed::Catch => exceptions::catch,
    typed::ExcMatch => exceptions::exc_match,
    typed::RaiseValueIf => exceptions::raise_value_if,
    typed::NewGenerator => generator::new,
    typed::GeneratorLoad => generator::load,
    typed::GeneratorStore => generator::store,
    typed::Address => c::address,
    typed::AddressCast => c::address_cast,
    typed::PointerArray => c::pointer_array,
    typed::CSymbol => c::symbol,
    typed::CCall => c::call,
    parfor::Chunks => control::chunks,
    parfor::Launch => control::launch,
    parfor::Offload => control::offload,
    parfor::Fence => control::fence,
    parfor::EnterDevice => control::enter_device,
    parfor::LeaveDevice => control::leave_device,
    parfor::OnDevice => control::on_device,
    parfor::TrapIf => control::trap_if,
    typed::Acquire => control::acquire,
    typed::Release => control::release,
    arith::Select => aggregate::select,
    ub::Poison => aggregate::zeros,
};
