//! erf and cbrt.

use super::{double::Double, exponential::exp_within, number::Float};

/// (erf(x) - x) / x in x^2 from 0 to 1, by Chebyshev interpolation.
const SMALL: [f64; 12] = [
    0.12837916709551256,
    -0.37612638903183543,
    0.11283791670945006,
    -0.02686617064323777,
    0.0052239776071164225,
    -0.0008548325975389692,
    0.00012055294904839707,
    -1.492473690741966e-5,
    1.6447424703317362e-6,
    -1.6208483801871705e-7,
    1.3720064546777686e-8,
    -7.795898827002142e-10,
];

/// erfc(x) exp(x^2) in (6.6 - 2.6 x) / (x + 3) from x = 1 to 6, by Chebyshev interpolation.
pub(super) const LARGE: [f64; 15] = [
    0.20798329133342885,
    0.15436117429436919,
    0.04969844540339464,
    0.012713147695692198,
    0.002479314697078186,
    0.0003316029605764125,
    1.9563583246137112e-5,
    -2.4255574719050315e-6,
    -5.541274478467714e-7,
    4.526700764248741e-9,
    1.1339538061744706e-8,
    2.6381508985080735e-10,
    -2.571511429603255e-10,
    -6.047405945991704e-12,
    6.0857915906870915e-12,
];

pub(super) fn erf(x: Float) -> Float {
    erf_with(x, |distant, argument| {
        let square = Double::product(distant, distant);
        let power = exp_within(Double::new(-square.hi, -square.lo));
        let terms = if x.single() { 9 } else { LARGE.len() };
        1.0 - power * argument.polynomial(&LARGE[..terms])
    })
}

/// erf(x), where `large` gives it from 1 to 6: of the magnitude there, and of the argument of [`LARGE`].
pub(super) fn erf_with<'e>(
    x: Float<'e>,
    large: impl FnOnce(Float<'e>, Float<'e>) -> Float<'e>,
) -> Float<'e> {
    let magnitude = x.abs();
    let near = magnitude.clamp(0.0, 1.0);
    let small = near.fma((near * near).polynomial(&SMALL), near);

    let distant = magnitude.clamp(1.0, 6.0);
    let argument = distant.fma_by(-2.6, 6.6) / (distant + 3.0);
    let large = large(distant, argument);

    let value = magnitude.is_less(1.0).select(small, large);
    x.is_nan().select(x, value).copysign(x)
}

/// 1 / cbrt(x) from 1/2 to 4 to 8 bits, by Chebyshev interpolation.
const INVERSE_ROOT: [f64; 6] = [
    1.7631873531973725,
    -1.3956863570775033,
    0.9031638942822358,
    -0.32592513599592976,
    0.059812450110234595,
    -0.004350397609046824,
];

pub(super) fn cbrt(x: Float) -> Float {
    // |x| = 2^(3 k) m, with m between 1/2 and 4.
    let magnitude = x.abs();
    let subnormal = magnitude.is_less(f64::MIN_POSITIVE);
    let normal = subnormal.select(magnitude * 18014398509481984.0, magnitude);
    let bits = normal.bits();
    let biased = bits >> 52;
    let exponent = (biased | 0x4330_0000_0000_0000).float() - (4503599627370496.0 + 1023.0);
    let k = exponent.shifted(1.0 / 3.0).shifted_int();
    let rest = biased - (k + (k << 1));
    let m = ((bits & 0x000f_ffff_ffff_ffff) | (rest << 52)).float();

    // Two steps of third order to the inverse, then one in twice the precision.
    let mut inverse = m.polynomial(&INVERSE_ROOT);
    for _step in 0..2 {
        let error = (-(m * inverse)).fma(inverse * inverse, x.number(1.0));
        inverse = (inverse * error).fma(error.fma_by(2.0 / 9.0, 1.0 / 3.0), inverse);
    }
    let root = m * inverse * inverse;
    let correction = || {
        let square = Double::product(root, root);
        let cube = Double::product(square.hi, root);
        let rest = (m - cube.hi) - square.lo.fma(root, cube.lo);
        rest * (1.0 / 3.0) * (inverse * inverse)
    };
    let root = (root + x.unless_single(correction)) * k.power_of_two();

    let root = subnormal.select(root * (1.0 / 262144.0), root);
    let root = magnitude.is_less(f64::INFINITY).select(root, magnitude);
    magnitude.is(0.0).select(magnitude, root).copysign(x)
}
