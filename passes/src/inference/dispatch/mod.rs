//! The typing rules of Python's operations: which family an operation belongs to, by the types of its
//! operands.
//!
//! This is the place that knows all families. [`RULES`] is the table that the emitter carries,
//! so that a family can ask for an operation on values whose types it doesn't know.

mod access;
mod calls;
mod coerce;
mod compare;
mod constants;
mod operators;
mod prototypes;

use crate::inference::{emit::Rules, families::iteration, functions};

/// What each of Python's operations means on typed values.
pub(crate) static RULES: Rules = Rules {
    unary: operators::unary,
    binary: operators::binary,
    inplace: operators::inplace,
    compare: compare::compare,
    identity: compare::identity,
    contains: operators::contains,
    truth: operators::truth,
    iterate: iteration::get_iter,
    coerce: coerce::coerce,
    attribute: access::attribute,
    item: access::item,
    set_item: access::set_item,
    call: calls::call,
    call_named: functions::call,
    call_function: calls::call_function,
    constant: constants::constant,
};
