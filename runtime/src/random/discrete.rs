//! NumPy's legacy distributions of integers: the same numbers from the same state.

use super::Generator;

impl Generator {
    /// The Poisson distribution: a product of uniform numbers, from 10 on Hörmann's transformed
    /// rejection.
    pub(super) fn poisson(&mut self, mean: f64) -> i64 {
        if mean >= 10.0 {
            return self.poisson_by_rejection(mean);
        }
        if mean == 0.0 {
            return 0;
        }
        let limit = (-mean).exp();
        let mut product = 1.0;
        let mut count = 0;
        loop {
            product *= self.uniform();
            // Where the mean is NaN, so is the limit.
            match product > limit {
                true => count += 1,
                false => return count,
            }
        }
    }

    fn poisson_by_rejection(&mut self, mean: f64) -> i64 {
        let root = mean.sqrt();
        let logarithm = mean.ln();
        let b = 0.931 + 2.53 * root;
        let a = -0.059 + 0.02483 * b;
        let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
        let limit = 0.9277 - 3.6224 / (b - 2.0);
        loop {
            let u = self.uniform() - 0.5;
            let v = self.uniform();
            let us = 0.5 - u.abs();
            let k = ((2.0 * a / us + b) * u + mean + 0.43).floor();
            if us >= 0.07 && v <= limit {
                return k as i64;
            }
            if k < 0.0 || us < 0.013 && v > us {
                continue;
            }
            let left = v.ln() + inverse_alpha.ln() - (a / (us * us) + b).ln();
            if left <= -mean + k * logarithm - log_gamma(k + 1.0) {
                return k as i64;
            }
        }
    }

    /// The binomial distribution; `modern` takes more care with small probabilities, as NumPy's
    /// `multinomial` does.
    pub(super) fn binomial(&mut self, n: i64, p: f64, modern: bool) -> i64 {
        if n == 0 || p == 0.0 {
            return 0;
        }
        let q = 1.0 - p;
        if p <= 0.5 {
            match p * n as f64 <= 30.0 {
                true => self.binomial_by_inversion(n, p, modern),
                false => self.binomial_by_rejection(n, p),
            }
        } else {
            n - match q * n as f64 <= 30.0 {
                true => self.binomial_by_inversion(n, q, modern),
                false => self.binomial_by_rejection(n, q),
            }
        }
    }

    fn binomial_by_inversion(&mut self, n: i64, p: f64, modern: bool) -> i64 {
        let q = 1.0 - p;
        let count = n as f64;
        let logarithm = if modern { (-p).ln_1p() } else { q.ln() };
        let none = (count * logarithm).exp();
        let mean = count * p;
        let bound = count.min(mean + 10.0 * (mean * q + 1.0).sqrt()) as i64;
        let mut x = 0;
        let mut term = none;
        let mut u = self.uniform();
        while u > term {
            x += 1;
            if x > bound {
                x = 0;
                term = none;
                u = self.uniform();
            } else {
                u -= term;
                term = ((n - x + 1) as f64 * p * term) / (x as f64 * q);
            }
        }
        x
    }

    /// The algorithm BTPE of Kachitvichyanukul and Schmeiser; `p` is at most a half.
    fn binomial_by_rejection(&mut self, n: i64, p: f64) -> i64 {
        let count = n as f64;
        let (r, q) = (p, 1.0 - p);
        let fm = count * r + r;
        let m = fm.floor();
        let nrq = count * r * q;
        let p1 = (2.195 * nrq.sqrt() - 4.6 * q).floor() + 0.5;
        let middle = m + 0.5;
        let (left, right) = (middle - p1, middle + p1);
        let c = 0.134 + 20.5 / (15.3 + m);
        let tail = |a: f64| a * (1.0 + a / 2.0);
        let left_tail = tail((fm - left) / (fm - left * r));
        let right_tail = tail((right - fm) / (right * q));
        let p2 = p1 * (1.0 + 2.0 * c);
        let p3 = p2 + c / left_tail;
        let p4 = p3 + c / right_tail;
        loop {
            let u = self.uniform() * p4;
            let mut v = self.uniform();
            let y;
            if u <= p1 {
                return (middle - p1 * v + u).floor() as i64;
            } else if u <= p2 {
                let x = left + (u - p1) / c;
                v = v * c + 1.0 - (m - x + 0.5).abs() / p1;
                if v > 1.0 {
                    continue;
                }
                y = x.floor();
            } else if u <= p3 {
                y = (left + v.ln() / left_tail).floor();
                if y < 0.0 || v == 0.0 {
                    continue;
                }
                v *= (u - p2) * left_tail;
            } else {
                y = (right - v.ln() / right_tail).floor();
                if y > count || v == 0.0 {
                    continue;
                }
                v *= (u - p3) * right_tail;
            }
            let k = (y - m).abs();
            if k > 20.0 && k < nrq / 2.0 - 1.0 {
                let rho = (k / nrq) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / nrq + 0.5);
                let t = -k * k / (2.0 * nrq);
                let a = v.ln();
                if a < t - rho {
                    return y as i64;
                }
                if a > t + rho {
                    continue;
                }
                let (x1, f1, z, w) = (y + 1.0, m + 1.0, count + 1.0 - m, count - y + 1.0);
                let bound = middle * (f1 / x1).ln()
                    + (count - m + 0.5) * (z / w).ln()
                    + (y - m) * (w * r / (x1 * q)).ln()
                    + stirling(f1)
                    + stirling(z)
                    + stirling(x1)
                    + stirling(w);
                if a > bound {
                    continue;
                }
                return y as i64;
            }
            if v <= ratio(m, y, r / q, count) {
                return y as i64;
            }
        }
    }

    /// The negative binomial distribution.
    pub(super) fn negative_binomial(&mut self, n: f64, p: f64) -> i64 {
        let mean = (1.0 - p) / p * self.gamma(n);
        self.poisson(mean)
    }

    /// The geometric distribution, by search or by inversion.
    pub(super) fn geometric(&mut self, p: f64) -> i64 {
        if p < 1.0 / 3.0 {
            return ((-self.uniform()).ln_1p() / (1.0 - p).ln()).ceil() as i64;
        }
        let mut count = 1;
        let (mut sum, mut product) = (p, p);
        let u = self.uniform();
        while u > sum {
            product *= 1.0 - p;
            sum += product;
            count += 1;
        }
        count
    }

    /// The Zipf distribution.
    pub(super) fn zipf(&mut self, a: f64) -> i64 {
        let exponent = a - 1.0;
        let b = 2f64.powf(exponent);
        loop {
            let u = 1.0 - self.uniform();
            let v = self.uniform();
            let x = u.powf(-1.0 / exponent).floor();
            if x > i64::MAX as f64 || x < 1.0 {
                continue;
            }
            let t = (1.0 + 1.0 / x).powf(exponent);
            if v * x * (t - 1.0) / (b - 1.0) <= t / b {
                return x as i64;
            }
        }
    }

    /// The logarithmic series distribution.
    pub(super) fn logseries(&mut self, p: f64) -> i64 {
        let r = (-p).ln_1p();
        loop {
            let v = self.uniform();
            if v >= p {
                return 1;
            }
            let u = self.uniform();
            let q = -(r * u).exp_m1();
            if v <= q * q {
                let result = (1.0 + v.ln() / q.ln()).floor() as i64;
                if result < 1 || v == 0.0 {
                    continue;
                }
                return result;
            }
            return if v >= q { 1 } else { 2 };
        }
    }

    /// The hypergeometric distribution.
    pub(super) fn hypergeometric(&mut self, good: i64, bad: i64, sample: i64) -> i64 {
        match sample {
            ..=0 => 0,
            1..=10 => self.hypergeometric_by_draws(good, bad, sample),
            _ => self.hypergeometric_by_rejection(good, bad, sample),
        }
    }

    fn hypergeometric_by_draws(&mut self, good: i64, bad: i64, sample: i64) -> i64 {
        let others = (bad + good - sample) as f64;
        let fewer = bad.min(good) as f64;
        let mut left = fewer;
        let mut draws = sample;
        while left > 0.0 {
            let u = self.uniform();
            left -= (u + left / (others + draws as f64)).floor();
            draws -= 1;
            if draws == 0 {
                break;
            }
        }
        let drawn = (fewer - left) as i64;
        if good > bad { sample - drawn } else { drawn }
    }

    /// Stadlober's algorithm HRUA.
    fn hypergeometric_by_rejection(&mut self, good: i64, bad: i64, sample: i64) -> i64 {
        const D1: f64 = 1.7155277699214135;
        const D2: f64 = 0.8989161620588988;
        let (fewer, more) = (good.min(bad), good.max(bad));
        let all = good + bad;
        let m = sample.min(all - sample);
        let d4 = fewer as f64 / all as f64;
        let d5 = 1.0 - d4;
        let d6 = m as f64 * d4 + 0.5;
        let d7 = ((all - m) as f64 * sample as f64 * d4 * d5 / (all - 1) as f64 + 0.5).sqrt();
        let d8 = D1 * d7 + D2;
        let d9 = ((m + 1) as f64 * (fewer + 1) as f64 / (all + 2) as f64).floor();
        let terms = |z: f64| {
            log_gamma(z + 1.0)
                + log_gamma(fewer as f64 - z + 1.0)
                + log_gamma(m as f64 - z + 1.0)
                + log_gamma((more - m) as f64 + z + 1.0)
        };
        let d10 = terms(d9);
        let d11 = (m.min(fewer) as f64 + 1.0).min((d6 + 16.0 * d7).floor());
        let drawn = loop {
            let x = self.uniform();
            let y = self.uniform();
            let w = d6 + d8 * (y - 0.5) / x;
            if w < 0.0 || w >= d11 {
                continue;
            }
            let z = w.floor();
            let t = d10 - terms(z);
            if x * (4.0 - x) - 3.0 <= t {
                break z as i64;
            }
            if x * (x - t) >= 1.0 {
                continue;
            }
            if 2.0 * x.ln() <= t {
                break z as i64;
            }
        };
        let drawn = if good > bad { m - drawn } else { drawn };
        if m < sample { good - drawn } else { drawn }
    }
}

/// The ratio of the probabilities of `y` and the mode of a binomial distribution.
fn ratio(mode: f64, y: f64, s: f64, count: f64) -> f64 {
    let a = s * (count + 1.0);
    let mut ratio = 1.0;
    let mut i = mode.min(y) + 1.0;
    while i <= mode.max(y) {
        match mode < y {
            true => ratio *= a / i - s,
            false => ratio /= a / i - s,
        }
        i += 1.0;
    }
    ratio
}

/// What Stirling's approximation of the logarithm of a factorial leaves out.
fn stirling(x: f64) -> f64 {
    let square = x * x;
    (13680. - (462. - (132. - (99. - 140. / square) / square) / square) / square) / x / 166320.
}

/// The logarithm of the gamma function, as NumPy's distributions compute it.
fn log_gamma(x: f64) -> f64 {
    const SERIES: [f64; 10] = [
        8.333333333333333e-02,
        -2.777777777777778e-03,
        7.936507936507937e-04,
        -5.952380952380952e-04,
        8.417508417508418e-04,
        -1.917526917526918e-03,
        6.41025641025641e-03,
        -2.955065359477124e-02,
        1.796443723688307e-01,
        -1.3924322169059,
    ];
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    let steps = if x < 7.0 { (7.0 - x) as i64 } else { 0 };
    let mut far = x + steps as f64;
    let inverse = 1.0 / far * (1.0 / far);
    let (last, rest) = SERIES.split_last().expect("the series has terms");
    let sum = rest
        .iter()
        .rev()
        .fold(*last, |sum, term| sum * inverse + term);
    let mut value = sum / far + 0.5 * 1.8378770664093453 + (far - 0.5) * far.ln() - far;
    for _ in 0..steps {
        value -= (far - 1.0).ln();
        far -= 1.0;
    }
    value
}
