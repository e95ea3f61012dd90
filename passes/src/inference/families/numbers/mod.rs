//! Numbers: Python's operators with Numba's result types.

mod arithmetic;
mod compare;
mod power;

pub(crate) use self::{
    arithmetic::{check_divisor, scalar_binary, scalar_unary},
    compare::compare_numbers,
    power::repeated_product,
};
