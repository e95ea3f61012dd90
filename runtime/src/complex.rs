//! Powers of complex numbers.

use std::ops::Mul;

/// A complex number as C passes it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Complex {
    re: f64,
    im: f64,
}

impl Complex {
    const ONE: Complex = Complex { re: 1.0, im: 0.0 };

    /// `1 / self`, by Smith's method.
    fn reciprocal(self) -> Complex {
        if self.re.abs() >= self.im.abs() {
            let ratio = self.im / self.re;
            let scale = 1.0 / (self.re + self.im * ratio);
            Complex {
                re: scale,
                im: -ratio * scale,
            }
        } else {
            let ratio = self.re / self.im;
            let scale = 1.0 / (self.im + self.re * ratio);
            Complex {
                re: ratio * scale,
                im: -scale,
            }
        }
    }
}

impl Mul for Complex {
    type Output = Complex;

    fn mul(self, other: Complex) -> Complex {
        Complex {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

unsafe extern "C" {
    safe fn cpow(base: Complex, exponent: Complex) -> Complex;
}

/// `base ** exponent` as NumPy computes it: a product for whole exponents between -100 and 100, so
/// that powers of whole numbers are exact; 0 and NaN for a base of zero.
#[unsafe(no_mangle)]
pub extern "C" fn pyopt_pow_complex(base: Complex, exponent: Complex) -> Complex {
    let Complex { re: power, im } = exponent;
    if power == 0.0 && im == 0.0 {
        return Complex::ONE;
    }
    if base.re == 0.0 && base.im == 0.0 {
        let value = if power > 0.0 { 0.0 } else { f64::NAN };
        return Complex {
            re: value,
            im: value,
        };
    }
    if im != 0.0 || power.fract() != 0.0 || power.abs() >= 100.0 {
        return cpow(base, exponent);
    }
    let mut left = power.abs() as u32;
    let mut square = base;
    let mut product: Option<Complex> = None;
    while left != 0 {
        if left & 1 == 1 {
            product = Some(product.map_or(square, |product| product * square));
        }
        square = square * square;
        left >>= 1;
    }
    let product = product.unwrap_or(Complex::ONE);
    match power < 0.0 {
        true => product.reciprocal(),
        false => product,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power(re: f64, im: f64, exponent: f64) -> (f64, f64) {
        let power = pyopt_pow_complex(
            Complex { re, im },
            Complex {
                re: exponent,
                im: 0.0,
            },
        );
        (power.re, power.im)
    }

    #[test]
    fn whole_powers_are_exact() {
        assert_eq!(power(0.0, 7.0, 2.0), (-49.0, 0.0));
        assert_eq!(power(3.0, 4.0, 3.0), (-117.0, 44.0));
        assert_eq!(power(1.0, 1.0, 16.0), (256.0, 0.0));
        assert_eq!(power(0.0, 2.0, -2.0), (-0.25, -0.0));
        assert_eq!(power(5.0, 1.0, 0.0), (1.0, 0.0));
    }

    #[test]
    fn zero_has_powers_with_a_positive_real_part() {
        assert_eq!(power(0.0, 0.0, 2.5), (0.0, 0.0));
        assert!(power(0.0, 0.0, -1.0).0.is_nan());
    }
}
