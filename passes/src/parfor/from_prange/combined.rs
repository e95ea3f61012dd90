//! Values that a user-defined reduction combines: `acc = best(acc, value)`.

use super::{
    body::{argument, next},
    is_number,
};
use crate::infra::{
    OperationAttributes, OperationExt, ValueExt,
    ops::{marks, scf, typed},
};
use melior::ir::{OperationRef, Value};

/// How a carried value is combined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Combined<'c> {
    /// The symbol of the combiner.
    pub name: &'c str,
    /// Whether the loop-carried value is the first argument, and the contribution the second.
    pub leads: bool,
}

/// The step of a user-defined reduction that a call is, given which operand is the loop-carried
/// value.
pub(super) fn step<'c>(call: OperationRef<'c, '_>, operand: usize) -> Option<Combined<'c>> {
    Some(Combined {
        name: call.symbol_attr(marks::COMBINER)?,
        leads: operand == 0,
    })
}

/// The reason why a call of a user-defined reduction isn't a valid step.
pub(super) fn refuses<'c>(call: OperationRef<'c, '_>) -> Option<&'c str> {
    call.str_attr(marks::NO_COMBINER)
}

/// The only call that combines a loop-carried number with another number of its type, executed once
/// in every iteration: then it is a reduction of the `parfor.loop` itself.
pub(super) fn plain_call<'c: 'a, 'a>(
    operation: scf::For<'c, 'a>,
    position: usize,
    combined: Combined<'c>,
) -> Option<(OperationRef<'c, 'a>, Value<'c, 'a>)> {
    let argument = argument(operation, position);
    let call = typed::Call::defining(next(operation, position))?;
    let &[first, value, ..] = &call.inputs()[..] else {
        return None;
    };
    let plain = combined.leads
        && is_number(argument.ty())
        && argument.uses().len() == 1
        && first == argument
        && call.parent() == Some(*operation)
        && call.results()[0].uses().len() == 1
        && value.ty() == argument.ty();
    plain.then_some((*call, value))
}
