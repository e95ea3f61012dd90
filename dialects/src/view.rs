//! What the generated views of operations are made of.
//!
//! A view is a copy of a reference to an operation whose kind is known. Values, blocks and regions
//! that it returns live as long as the IR, not as long as the view.

mod attributes;
mod identity;
mod operation;
mod place;
mod state;

pub use attributes::{
    FromAttribute, IndexInteger, Integer, SignedInteger, Symbol, ToAttribute, Unit,
};
pub use identity::Identities;
pub use melior::{
    Context,
    dialect::{DialectHandle, DialectRegistry},
    ir::{Attribute, AttributeLike, BlockRef, OperationRef, RegionRef, Type, TypeLike, Value},
};
pub use mlir_sys::{MlirAttribute, MlirContext, MlirDialectHandle, MlirType};
pub use operation::{
    OPERAND_SEGMENTS, RESULT_SEGMENTS, attribute, has_attribute, operand, operand_range,
    operand_segment, operands, optional_attribute, optional_operands, optional_results, region,
    regions, result, result_range, result_segment, results, set_attribute, set_operand,
    set_operands, successor, successors,
};
pub use place::{Detached, Place};
pub use state::{OpBuilder, State};

use melior::ir::ValueLike;
use mlir_sys::mlirOpResultGetOwner;

/// A view of operations of one kind.
///
/// An operation is recognised by the identity of its registered class, which has one address in
/// the process, not by its name.
pub trait OpView<'c: 'a, 'a>: Copy {
    /// The name in the IR.
    const NAME: &'static str;

    /// The position among the operations with views that are generated together.
    #[doc(hidden)]
    const INDEX: usize;

    /// Their identities.
    #[doc(hidden)]
    fn identities() -> &'static Identities;

    /// The view of an operation that is known to be of this kind.
    #[doc(hidden)]
    fn assume(operation: OperationRef<'c, 'a>) -> Self;

    /// The operation.
    fn operation(self) -> OperationRef<'c, 'a>;

    /// Whether an operation is of this kind.
    #[inline]
    fn is(operation: OperationRef<'c, 'a>) -> bool {
        Self::identities().is(operation, Self::INDEX)
    }

    /// The view of an operation, if that is of this kind.
    #[inline]
    fn of(operation: OperationRef<'c, 'a>) -> Option<Self> {
        Self::is(operation).then(|| Self::assume(operation))
    }

    /// The view of the operation that a value is a result of, if that is of this kind.
    #[inline]
    fn defining(value: Value<'c, 'a>) -> Option<Self> {
        Self::of(owner(value)?)
    }
}

/// The operation that a value is a result of; `None` for an argument of a block.
#[inline]
pub fn owner<'c, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    if !value.is_operation_result() {
        return None;
    }
    // SAFETY: the value is a result of an operation in the same IR.
    unsafe { OperationRef::from_option_raw(mlirOpResultGetOwner(value.to_raw())) }
}
