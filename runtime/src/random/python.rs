//! The distributions of Python's `random`: the same numbers from the same state.
//!
//! What is made of these by integer arithmetic, such as `randrange` and `shuffle`, is written in the
//! overload library.

use std::f64::consts::{E, PI, TAU};

use super::{Generator, PYTHON, number, set};
use crate::{error::PyoptError, symbols};

impl Generator {
    /// The generator that `random.seed` makes of the magnitude of a number.
    fn from_magnitude(magnitude: u64) -> Self {
        let digits = [magnitude as u32, (magnitude >> 32) as u32];
        let used = if digits[1] == 0 { 1 } else { 2 };
        Self::from_key(&digits[..used])
    }

    /// So many random bits, at most 64: the lower word is drawn first, and of a part of a word its
    /// upper bits count.
    fn some_bits(&mut self, count: i64) -> i64 {
        let mut word = |count: i64| match count.clamp(0, 32) {
            0 => 0,
            count => u64::from(self.bits.next_u32() >> (32 - count)),
        };
        let low = word(count);
        (low | word(count - 32) << 32) as i64
    }

    /// A pair of normal numbers by the method of Box and Muller, one after the other.
    fn gauss(&mut self, mean: f64, deviation: f64) -> f64 {
        let standard = self.gauss.take().unwrap_or_else(|| {
            let angle = self.uniform() * TAU;
            let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
            self.gauss = Some(angle.sin() * radius);
            angle.cos() * radius
        });
        mean + standard * deviation
    }

    /// The normal distribution by the method of Kinderman and Monahan.
    fn normal_variate(&mut self, mean: f64, deviation: f64) -> f64 {
        let scale = 4.0 * (-0.5f64).exp() / 2.0f64.sqrt();
        loop {
            let u = self.uniform();
            let v = 1.0 - self.uniform();
            let z = scale * (u - 0.5) / v;
            if z * z / 4.0 <= -v.ln() {
                return mean + z * deviation;
            }
        }
    }

    /// The exponential distribution of a rate.
    fn exponential_variate(&mut self, rate: f64) -> f64 {
        -(1.0 - self.uniform()).ln() / rate
    }

    /// Von Mises' distribution by the method of Fisher and Best.
    fn von_mises_variate(&mut self, mean: f64, concentration: f64) -> f64 {
        if concentration <= 1e-6 {
            return TAU * self.uniform();
        }
        let s = 0.5 / concentration;
        let r = s + (1.0 + s * s).sqrt();
        let z = loop {
            let z = (PI * self.uniform()).cos();
            let d = z / (r + z);
            let u = self.uniform();
            if u < 1.0 - d * d || u <= (1.0 - d) * d.exp() {
                break z;
            }
        };
        let q = 1.0 / r;
        let angle = ((q + z) / (1.0 + q * z)).acos();
        match self.uniform() > 0.5 {
            true => (mean + angle).rem_euclid(TAU),
            false => (mean - angle).rem_euclid(TAU),
        }
    }

    /// The gamma distribution: the method of Cheng above a shape of 1, below that of Ahrens and
    /// Dieter.
    fn gamma_variate(&mut self, shape: f64, scale: f64) -> f64 {
        if shape > 1.0 {
            let width = (2.0 * shape - 1.0).sqrt();
            let b = shape - 4.0f64.ln();
            let c = shape + width;
            loop {
                let u = self.uniform();
                if !(1e-7 < u && u < 0.9999999) {
                    continue;
                }
                let v = 1.0 - self.uniform();
                let w = (u / (1.0 - u)).ln() / width;
                let x = shape * w.exp();
                let z = u * u * v;
                let r = b + c * w - x;
                if r + (1.0 + 4.5f64.ln()) - 4.5 * z >= 0.0 || r >= z.ln() {
                    return x * scale;
                }
            }
        }
        if shape == 1.0 {
            return -(1.0 - self.uniform()).ln() * scale;
        }
        loop {
            let b = (E + shape) / E;
            let p = b * self.uniform();
            let x = match p <= 1.0 {
                true => p.powf(1.0 / shape),
                false => -((b - p) / shape).ln(),
            };
            let u = self.uniform();
            let is_taken = match p > 1.0 {
                true => u <= x.powf(shape - 1.0),
                false => u <= (-x).exp(),
            };
            if is_taken {
                return x * scale;
            }
        }
    }

    /// The beta distribution, of two of the gamma distribution.
    fn beta_variate(&mut self, a: f64, b: f64) -> f64 {
        match self.gamma_variate(a, 1.0) {
            0.0 => 0.0,
            y => y / (y + self.gamma_variate(b, 1.0)),
        }
    }

    /// Pareto's distribution.
    fn pareto_variate(&mut self, shape: f64) -> f64 {
        (1.0 - self.uniform()).powf(-1.0 / shape)
    }

    /// Weibull's distribution.
    fn weibull_variate(&mut self, scale: f64, shape: f64) -> f64 {
        scale * (-(1.0 - self.uniform()).ln()).powf(1.0 / shape)
    }
}

/// Defines what compiled code calls for the distributions of Python's `random`.
macro_rules! distributions {
    ($($one:ident($($argument:ident: $type:ty),*) -> $result:ty = $draw:expr;)*) => {
        $(number!(PYTHON, $one($($argument: $type),*) -> $result = $draw);)*

        /// The names and addresses of these functions.
        pub(super) fn symbols() -> Vec<(&'static std::ffi::CStr, usize)> {
            symbols::table![pyopt_random_python_seed, $($one,)*].to_vec()
        }
    };
}

distributions! {
    pyopt_random_python_unit() -> f64 = Generator::uniform;
    pyopt_random_python_bits(count: i64) -> i64 = Generator::some_bits;
    pyopt_random_python_gauss(mean: f64, deviation: f64) -> f64 = Generator::gauss;
    pyopt_random_python_normal(mean: f64, deviation: f64) -> f64 = Generator::normal_variate;
    pyopt_random_python_exponential(rate: f64) -> f64 = Generator::exponential_variate;
    pyopt_random_python_vonmises(mean: f64, concentration: f64) -> f64
        = Generator::von_mises_variate;
    pyopt_random_python_gamma(shape: f64, scale: f64) -> f64 = Generator::gamma_variate;
    pyopt_random_python_beta(a: f64, b: f64) -> f64 = Generator::beta_variate;
    pyopt_random_python_pareto(shape: f64) -> f64 = Generator::pareto_variate;
    pyopt_random_python_weibull(scale: f64, shape: f64) -> f64 = Generator::weibull_variate;
}

/// Seeds this thread's generator with a key of 32-bit words, of which there is one at least.
pub(crate) fn seed_python(key: &[u32]) {
    set(&PYTHON, Generator::from_key(key));
}

/// Seeds this thread's generator with the magnitude of a number, or if that is none by the operating
/// system.
///
/// # Safety
///
/// In slots are the magnitude and whether there is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_random_python_seed(
    _error: *mut PyoptError,
    _returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    // SAFETY: the caller's promise.
    let (magnitude, is_given) = unsafe { (arguments.read(), arguments.add(1).read()) };
    let generator = match is_given {
        0 => Generator::from_system(),
        _ => Generator::from_magnitude(magnitude as u64),
    };
    set(&PYTHON, generator);
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_give_the_sequences_of_python() {
        // What random.Random(42) and random.Random(2**40) give.
        let mut generator = Generator::from_magnitude(42);
        assert_eq!(generator.uniform(), 0.6394267984578837);
        assert_eq!(generator.uniform(), 0.025010755222666936);
        let mut generator = Generator::from_magnitude(1 << 40);
        assert_eq!(generator.some_bits(40), 386_992_184_705);
    }
}
