//! exp, log and erf without double-double arithmetic, for devices: they have few units for double
//! precision, and many registers are threads that don't run. Results of exp and log are within one unit in
//! the last place, those of erf within 1.3.

use super::{
    exponential::{LN2, LN2_LOW, LOG2_E, TAYLOR},
    logarithm::{at_edges, split, with_series},
    number::{Float, Int},
    other::{LARGE, erf_with},
};

/// exp(x) / 2^n, and n.
fn reduced_exp(x: Float<'_>) -> (Float<'_>, Int<'_>) {
    let shifted = x.shifted(LOG2_E);
    let n = shifted.shifted_float();
    let r = n.fma(n.number(-LN2_LOW), n.fma(n.number(-LN2), x));
    let rest = r.fma(r.polynomial(&TAYLOR), r.number(0.5));
    (1.0 + (r * r).fma(rest, r), shifted.shifted_int())
}

pub(super) fn exp(x: Float) -> Float {
    let (y, n) = reduced_exp(x.clamp(-750.0, 710.0));
    // In two steps, so that subnormal results are rounded once and large ones overflow.
    let half = ((n + 2048) >> 1) - 1024;
    y * half.power_of_two() * (n - half).power_of_two()
}

pub(super) fn log(x: Float) -> Float {
    let split = split(x.into());
    at_edges(x, with_series(split.k, split.m.hi))
}

pub(super) fn erf(x: Float) -> Float {
    erf_with(x, |distant, argument| {
        // What the square is rounded by counts as much less in 1 as exp of it is smaller.
        let (power, n) = reduced_exp(-(distant * distant));
        let large = -(power * n.power_of_two());
        large.fma(argument.polynomial(&LARGE), x.number(1.0))
    })
}
