//! Values and their uses.

use super::{BlockExt, OperationExt};
use crate::infra::ffi::pyoptValueParentBlock;
use melior::ir::{BlockRef, Location, OperationRef, Type, TypeLike, Value, ValueLike};
use mlir_sys::{
    mlirBlockArgumentGetArgNumber, mlirOpOperandGetNextUse, mlirOpOperandGetOperandNumber,
    mlirOpOperandGetOwner, mlirOpOperandIsNull, mlirOpResultGetOwner, mlirOpResultGetResultNumber,
    mlirValueGetFirstUse, mlirValueGetLocation, mlirValueReplaceAllUsesOfWith, mlirValueSetType,
};

/// One use of a value: an operand of an operation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Use<'c, 'a> {
    /// The operation.
    pub user: OperationRef<'c, 'a>,
    /// Which of its operands.
    pub operand: usize,
}

/// Reading and changing a value.
pub trait ValueExt<'c: 'a, 'a>: Sized + Copy {
    /// The value itself.
    fn as_value(self) -> Value<'c, 'a>;

    /// Returns the type.
    fn ty(self) -> Type<'c> {
        ValueLike::r#type(&self.as_value())
    }

    /// Changes the type. What defines the value and what uses it has to be changed with it.
    fn set_ty(self, r#type: Type<'c>) {
        // SAFETY: the value and the type are valid, and of one context.
        unsafe { mlirValueSetType(self.as_value().to_raw(), r#type.to_raw()) }
    }

    /// Returns where the value comes from.
    fn location(self) -> Location<'c> {
        // SAFETY: the value is valid; locations live as long as the context.
        unsafe { Location::from_raw(mlirValueGetLocation(self.as_value().to_raw())) }
    }

    /// Returns all uses. Their order isn't part of the IR: don't let results depend on it.
    fn uses(self) -> Vec<Use<'c, 'a>> {
        let mut uses = Vec::new();
        // SAFETY: the value is valid, and so are its uses.
        unsafe {
            let mut next = mlirValueGetFirstUse(self.as_value().to_raw());
            while !mlirOpOperandIsNull(next) {
                uses.push(Use {
                    user: OperationRef::from_raw(mlirOpOperandGetOwner(next)),
                    operand: mlirOpOperandGetOperandNumber(next) as usize,
                });
                next = mlirOpOperandGetNextUse(next);
            }
        }
        uses
    }

    /// Returns the operations that use the value, each as often as it does.
    fn users(self) -> Vec<OperationRef<'c, 'a>> {
        self.uses().into_iter().map(|r#use| r#use.user).collect()
    }

    /// Returns the operations that use the value, each once: what to go by where they are erased.
    fn distinct_users(self) -> Vec<OperationRef<'c, 'a>> {
        let mut users = Vec::new();
        for user in self.users() {
            if !users.contains(&user) {
                users.push(user);
            }
        }
        users
    }

    /// Whether somebody uses the value.
    fn has_uses(self) -> bool {
        // SAFETY: the value is valid.
        unsafe { !mlirOpOperandIsNull(mlirValueGetFirstUse(self.as_value().to_raw())) }
    }

    /// Replaces the value everywhere.
    fn replace_all_uses(self, with: Value<'c, 'a>) {
        // SAFETY: both values are valid.
        unsafe { mlirValueReplaceAllUsesOfWith(self.as_value().to_raw(), with.to_raw()) }
    }

    /// Replaces the value where `wanted` says so.
    fn replace_uses_if(self, with: Value<'c, 'a>, mut wanted: impl FnMut(Use<'c, 'a>) -> bool) {
        for r#use in self.uses() {
            if wanted(r#use) {
                r#use.user.set_operand_value(r#use.operand, with);
            }
        }
    }

    /// Returns the operation the value is a result of.
    fn defining_op(self) -> Option<OperationRef<'c, 'a>> {
        let value = self.as_value();
        if !value.is_operation_result() {
            return None;
        }
        // SAFETY: the value is a result.
        unsafe { OperationRef::from_option_raw(mlirOpResultGetOwner(value.to_raw())) }
    }

    /// Returns the operation the value is a result of, if it has a name.
    fn defined_by(self, name: &str) -> Option<OperationRef<'c, 'a>> {
        self.defining_op().filter(|operation| operation.is(name))
    }

    /// Returns the position among the block arguments or the results.
    fn position(self) -> usize {
        let value = self.as_value();
        // SAFETY: the kind of the value is checked.
        unsafe {
            if value.is_block_argument() {
                mlirBlockArgumentGetArgNumber(value.to_raw()) as usize
            } else {
                mlirOpResultGetResultNumber(value.to_raw()) as usize
            }
        }
    }

    /// Returns the block the value is defined in: the one it is an argument of, or that of its
    /// operation.
    fn defining_block(self) -> BlockRef<'c, 'a> {
        // SAFETY: the value is valid; a value outside of any block can't be used by a pass.
        unsafe { BlockRef::from_raw(pyoptValueParentBlock(self.as_value().to_raw())) }
    }

    /// Whether the value is defined in a region of an operation.
    fn is_inside(self, operation: OperationRef<'c, 'a>) -> bool {
        let parent = self.defining_block().parent();
        parent.is_some_and(|parent| parent.is_within(operation))
    }
}

impl<'c: 'a, 'a> ValueExt<'c, 'a> for Value<'c, 'a> {
    fn as_value(self) -> Value<'c, 'a> {
        self
    }
}

/// The types of values.
pub fn types_of<'c>(values: &[Value<'c, '_>]) -> Vec<Type<'c>> {
    values.iter().map(|value| value.ty()).collect()
}
