//! Values that a reduction of the program combines: `acc = best(acc, value)`.

use super::{
    body::{argument, next},
    is_number,
};
use crate::{
    inference::combiners::{COMBINER, NO_COMBINER},
    infra::{OperationAttributes, OperationExt, ValueExt},
};
use melior::ir::{OperationRef, Value};

/// How a carried value is combined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Combined<'c> {
    /// The symbol of the combiner.
    pub name: &'c str,
    /// Whether the carried value is the first argument, and what an iteration finds the second.
    pub leads: bool,
}

/// The step of a reduction that a call with a carried value as its operand is.
pub(super) fn step<'c>(call: OperationRef<'c, '_>, operand: usize) -> Option<Combined<'c>> {
    Some(Combined {
        name: call.symbol_attr(COMBINER)?,
        leads: operand == 0,
    })
}

/// Why a call of a reduction can't be a step of it.
pub(super) fn refuses<'c>(call: OperationRef<'c, '_>) -> Option<&'c str> {
    call.str_attr(NO_COMBINER)
}

/// The one call of an iteration that combines a carried number with another of its type, in every
/// iteration: then what is combined is a value of the loop's.
pub(super) fn plain_call<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    position: usize,
    combined: Combined<'c>,
) -> Option<(OperationRef<'c, 'a>, Value<'c, 'a>)> {
    let argument = argument(operation, position);
    let call = next(operation, position).defined_by("typed.call")?;
    let value = call.operand_value(1);
    let plain = combined.leads
        && is_number(argument.ty())
        && argument.uses().len() == 1
        && call.operand_value(0) == argument
        && call.parent() == Some(operation)
        && call.result_value(0).uses().len() == 1
        && value.ty() == argument.ty();
    plain.then_some((call, value))
}
