//! Scalar and reduction kernels that compiled code calls rather than inlines.

use std::ops::Add;

/// `base ** exponent` of signed integers, wrapping around like every other integer operation.
///
/// A negative exponent gives the truncated reciprocal: 1 and -1 keep their powers, everything
/// larger gives 0. `0 ** negative` gives the smallest integer, as Numba's `error_model="numpy"`
/// does; code that must raise checks for it before the call. Narrower integers take the low bits.
#[unsafe(no_mangle)]
pub extern "C" fn pyopt_pow_i64(base: i64, exponent: i64) -> i64 {
    match u64::try_from(exponent) {
        // Two's complement multiplication does not look at the sign.
        Ok(exponent) => pyopt_pow_u64(base as u64, exponent) as i64,
        Err(_) => match base {
            0 => i64::MIN,
            1 => 1,
            -1 if exponent % 2 == 0 => 1,
            -1 => -1,
            _ => 0,
        },
    }
}

/// `base ** exponent` of unsigned integers, wrapping around.
#[unsafe(no_mangle)]
pub extern "C" fn pyopt_pow_u64(mut base: u64, mut exponent: u64) -> u64 {
    let mut power = 1u64;
    while exponent != 0 {
        if exponent & 1 == 1 {
            power = power.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    power
}

/// Pairwise sum of `count` doubles that are `stride` elements apart.
///
/// # Safety
///
/// `data` points to the first of `count` readable elements; it may be anything if there are none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_sum_f64(data: *const f64, count: i64, stride: i64) -> f64 {
    // SAFETY: the caller's promise.
    unsafe { sum_strided(data, count, stride) }
}

/// Pairwise sum of `count` floats that are `stride` elements apart.
///
/// # Safety
///
/// As for [`pyopt_sum_f64`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_sum_f32(data: *const f32, count: i64, stride: i64) -> f32 {
    // SAFETY: the caller's promise.
    unsafe { sum_strided(data, count, stride) }
}

/// # Safety
///
/// `data` points to the first of `count` readable elements `stride` apart, if `count` is positive.
unsafe fn sum_strided<T: Copy + Default + Add<Output = T>>(
    data: *const T,
    count: i64,
    stride: i64,
) -> T {
    let count = usize::try_from(count).unwrap_or(0);
    if stride == 1 {
        // A known stride lets the compiler use vector loads.
        // SAFETY: `pairwise_sum` asks for indices below `count` only.
        pairwise_sum(&|index| unsafe { *data.add(index) }, 0, count)
    } else {
        // SAFETY: as above; elements are `stride` apart.
        pairwise_sum(
            &|index| unsafe { *data.offset(index as isize * stride as isize) },
            0,
            count,
        )
    }
}

/// Elements summed in one block, with eight accumulators: NumPy's numbers, so that errors grow
/// as its do (with the logarithm of the count).
const BLOCK: usize = 128;
const LANES: usize = 8;

fn pairwise_sum<T: Copy + Default + Add<Output = T>>(
    element: &impl Fn(usize) -> T,
    start: usize,
    count: usize,
) -> T {
    if count > BLOCK {
        let half = count / 2 / LANES * LANES;
        return pairwise_sum(element, start, half)
            + pairwise_sum(element, start + half, count - half);
    }
    let end = start + count;
    let mut lanes = [T::default(); LANES];
    let mut index = start;
    if count >= LANES {
        lanes = std::array::from_fn(|lane| element(start + lane));
        index += LANES;
        while index + LANES <= end {
            for (lane, sum) in lanes.iter_mut().enumerate() {
                *sum = *sum + element(index + lane);
            }
            index += LANES;
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    let mut sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
    while index < end {
        sum = sum + element(index);
        index += 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_wrap_around() {
        for base in [0i64, 1, -1, 2, -3, 7, i64::MAX, i64::MIN] {
            let mut expected = 1i64;
            for exponent in 0..100 {
                assert_eq!(
                    pyopt_pow_i64(base, exponent),
                    expected,
                    "{base} ** {exponent}"
                );
                expected = expected.wrapping_mul(base);
            }
        }
        assert_eq!(pyopt_pow_u64(3, u64::MAX), 0xaaaa_aaaa_aaaa_aaab);
    }

    #[test]
    fn negative_exponents_truncate() {
        assert_eq!(pyopt_pow_i64(1, -5), 1);
        assert_eq!(pyopt_pow_i64(-1, -5), -1);
        assert_eq!(pyopt_pow_i64(-1, i64::MIN), 1);
        assert_eq!(pyopt_pow_i64(2, -1), 0);
        assert_eq!(pyopt_pow_i64(0, -1), i64::MIN);
    }

    #[test]
    fn sums_have_every_element_once_whatever_the_count_and_stride() {
        let values: Vec<f64> = (1..=3000).map(f64::from).collect();
        for count in (0..300).chain([777, 1000]) {
            for stride in [1, 2, 3] {
                let expected: f64 = values.iter().step_by(stride).take(count).sum();
                // SAFETY: the last index is below 3000.
                let sum = unsafe { pyopt_sum_f64(values.as_ptr(), count as i64, stride as i64) };
                assert_eq!(sum, expected, "{count} elements {stride} apart");
            }
        }
    }

    #[test]
    fn negative_strides_run_backwards_and_nothing_sums_to_zero() {
        let values = [1.0f32, 2.0, 4.0];
        // SAFETY: three elements back from the last; no element of no array.
        unsafe {
            assert_eq!(pyopt_sum_f32(&values[2], 3, -1), 7.0);
            assert_eq!(pyopt_sum_f32(std::ptr::null(), 0, 1), 0.0);
        }
    }

    #[test]
    fn the_error_grows_slowly() {
        let values = vec![0.1f32; 1 << 20];
        // SAFETY: the vector's own length.
        let sum = unsafe { pyopt_sum_f32(values.as_ptr(), values.len() as i64, 1) };
        let exact = f64::from(0.1f32) * values.len() as f64;
        assert!((f64::from(sum) - exact).abs() < 1e-6 * exact, "{sum}");
    }
}
