//! datetime64 and timedelta64: their operators, functions and conversions, on integers.
//!
//! A time is the number of its units (its ticks), NaT the least one. Everything here is written with
//! the operations of integers, so nothing below inference knows of calendars or of NaT. Rules of
//! units are NumPy's: two times are brought to the finer of their units, years and months of
//! timedelta64 go with no other units.

mod arithmetic;
mod calendar;
mod construct;
mod convert;
mod order;
mod reductions;
mod ticks;

pub(crate) use self::{
    arithmetic::{binary, unary},
    construct::construct,
    convert::{assigned, astype, int, truth},
    order::{Nat, compare, extremum, is_nat},
    reductions::{mean, reduce},
    ticks::{are_among, of},
};
