//! NumPy's legacy distributions of real numbers: the same numbers from the same state.

use super::Generator;
use std::f64::consts::PI;

impl Generator {
    /// From 0 to 1.
    #[inline]
    pub(super) fn uniform(&mut self) -> f64 {
        self.bits.next_double()
    }

    /// The standard normal distribution, by the polar method: numbers come in pairs.
    pub(super) fn normal(&mut self) -> f64 {
        if let Some(kept) = self.gauss.take() {
            return kept;
        }
        loop {
            let x = 2.0 * self.uniform() - 1.0;
            let y = 2.0 * self.uniform() - 1.0;
            let square = x * x + y * y;
            if square < 1.0 && square != 0.0 {
                let factor = (-2.0 * square.ln() / square).sqrt();
                self.gauss = Some(factor * x);
                return factor * y;
            }
        }
    }

    /// The exponential distribution of mean 1.
    pub(super) fn exponential(&mut self) -> f64 {
        -(1.0 - self.uniform()).ln()
    }

    /// The gamma distribution of scale 1: the method of Marsaglia and Tsang, below 1 that of Ahrens
    /// and Dieter.
    pub(super) fn gamma(&mut self, shape: f64) -> f64 {
        if shape == 1.0 {
            return self.exponential();
        }
        if shape == 0.0 {
            return 0.0;
        }
        if shape < 1.0 {
            loop {
                let u = self.uniform();
                let v = self.exponential();
                if u <= 1.0 - shape {
                    let x = u.powf(1.0 / shape);
                    if x <= v {
                        return x;
                    }
                } else {
                    let y = -((1.0 - u) / shape).ln();
                    let x = (1.0 - shape + shape * y).powf(1.0 / shape);
                    if x <= v + y {
                        return x;
                    }
                }
            }
        }
        let b = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * b).sqrt();
        loop {
            let (x, v) = loop {
                let x = self.normal();
                let v = 1.0 + c * x;
                if v > 0.0 {
                    break (x, v);
                }
            };
            let v = v * v * v;
            let u = self.uniform();
            if u < 1.0 - 0.0331 * (x * x) * (x * x) || u.ln() < 0.5 * x * x + b * (1.0 - v + v.ln())
            {
                return b * v;
            }
        }
    }

    /// The beta distribution: Jöhnk's method, and quotients of gammas.
    pub(super) fn beta(&mut self, a: f64, b: f64) -> f64 {
        if a > 1.0 || b > 1.0 {
            let x = self.gamma(a);
            let y = self.gamma(b);
            return x / (x + y);
        }
        loop {
            let u = self.uniform();
            let v = self.uniform();
            let x = u.powf(1.0 / a);
            let y = v.powf(1.0 / b);
            if x + y <= 1.0 && u + v > 0.0 {
                if x + y > 0.0 {
                    return x / (x + y);
                }
                // Both powers are too small for a float: their logarithms aren't.
                let (x, y) = (u.ln() / a, v.ln() / b);
                let greater = x.max(y);
                let (x, y) = (x - greater, y - greater);
                return (x - (x.exp() + y.exp()).ln()).exp();
            }
        }
    }

    /// The χ² distribution.
    pub(super) fn chisquare(&mut self, freedom: f64) -> f64 {
        2.0 * self.gamma(freedom / 2.0)
    }

    /// The χ² distribution that isn't central.
    pub(super) fn noncentral_chisquare(&mut self, freedom: f64, distance: f64) -> f64 {
        if distance == 0.0 {
            return self.chisquare(freedom);
        }
        if freedom > 1.0 {
            let rest = self.chisquare(freedom - 1.0);
            let shifted = self.normal() + distance.sqrt();
            return rest + shifted * shifted;
        }
        let extra = self.poisson(distance / 2.0);
        let drawn = self.chisquare(freedom + 2.0 * extra as f64);
        match distance.is_nan() {
            true => distance,
            false => drawn,
        }
    }

    /// The F distribution.
    pub(super) fn f(&mut self, numerator: f64, denominator: f64) -> f64 {
        let above = self.chisquare(numerator) * denominator;
        above / (self.chisquare(denominator) * numerator)
    }

    /// Student's t distribution.
    pub(super) fn t(&mut self, freedom: f64) -> f64 {
        let above = self.normal();
        let below = self.gamma(freedom / 2.0);
        (freedom / 2.0).sqrt() * above / below.sqrt()
    }

    /// The Cauchy distribution.
    pub(super) fn cauchy(&mut self) -> f64 {
        let above = self.normal();
        above / self.normal()
    }

    /// The Pareto distribution that begins at 0.
    pub(super) fn pareto(&mut self, a: f64) -> f64 {
        (self.exponential() / a).exp() - 1.0
    }

    /// The Weibull distribution.
    pub(super) fn weibull(&mut self, a: f64) -> f64 {
        if a == 0.0 {
            return 0.0;
        }
        self.exponential().powf(1.0 / a)
    }

    /// The distribution whose density is a power.
    pub(super) fn power(&mut self, a: f64) -> f64 {
        (1.0 - (-self.exponential()).exp()).powf(1.0 / a)
    }

    /// The Rayleigh distribution.
    pub(super) fn rayleigh(&mut self, mode: f64) -> f64 {
        mode * (-2.0 * (-self.uniform()).ln_1p()).sqrt()
    }

    /// The Laplace distribution.
    pub(super) fn laplace(&mut self, mean: f64, scale: f64) -> f64 {
        loop {
            let u = self.uniform();
            if u >= 0.5 {
                return mean - scale * (2.0 - u - u).ln();
            }
            if u > 0.0 {
                return mean + scale * (u + u).ln();
            }
        }
    }

    /// The Gumbel distribution.
    pub(super) fn gumbel(&mut self, mode: f64, scale: f64) -> f64 {
        loop {
            let u = 1.0 - self.uniform();
            if u < 1.0 {
                return mode - scale * (-u.ln()).ln();
            }
        }
    }

    /// The logistic distribution.
    pub(super) fn logistic(&mut self, mean: f64, scale: f64) -> f64 {
        loop {
            let u = self.uniform();
            if u > 0.0 {
                return mean + scale * (u / (1.0 - u)).ln();
            }
        }
    }

    /// The triangular distribution.
    pub(super) fn triangular(&mut self, left: f64, mode: f64, right: f64) -> f64 {
        let base = right - left;
        let left_base = mode - left;
        let u = self.uniform();
        if u <= left_base / base {
            left + (u * (left_base * base)).sqrt()
        } else {
            right - ((1.0 - u) * ((right - mode) * base)).sqrt()
        }
    }

    /// The von Mises distribution.
    pub(super) fn vonmises(&mut self, mean: f64, concentration: f64) -> f64 {
        if concentration.is_nan() {
            return f64::NAN;
        }
        if concentration < 1e-8 {
            return PI * (2.0 * self.uniform() - 1.0);
        }
        let s = if concentration < 1e-5 {
            1.0 / concentration + concentration
        } else {
            let r = 1.0 + (1.0 + 4.0 * concentration * concentration).sqrt();
            let rho = (r - (2.0 * r).sqrt()) / (2.0 * concentration);
            (1.0 + rho * rho) / (2.0 * rho)
        };
        if s.is_nan() || s <= 1.0 {
            // Too narrow for the loop below to end: a normal distribution, as for a limit of its own in
            // NumPy's newer generators.
            let angle = mean + concentration.recip().sqrt() * self.normal();
            return (angle + PI).rem_euclid(2.0 * PI) - PI;
        }
        let w = loop {
            let z = (PI * self.uniform()).cos();
            let w = (1.0 + s * z) / (s + z);
            let y = concentration * (s - w);
            let v = self.uniform();
            if y * (2.0 - y) - v >= 0.0 || (y / v).ln() + 1.0 - y >= 0.0 {
                break w;
            }
        };
        let angle = w.acos();
        let angle = if self.uniform() < 0.5 { -angle } else { angle } + mean;
        let within = (angle.abs() + PI) % (2.0 * PI) - PI;
        if angle < 0.0 { -within } else { within }
    }

    /// The inverse Gaussian distribution.
    pub(super) fn wald(&mut self, mean: f64, scale: f64) -> f64 {
        let half = mean / (2.0 * scale);
        let y = self.normal();
        let y = mean * y * y;
        let x = mean + half * (y - (4.0 * scale * y + y * y).sqrt());
        if self.uniform() <= mean / (mean + x) {
            x
        } else {
            mean * mean / x
        }
    }
}
