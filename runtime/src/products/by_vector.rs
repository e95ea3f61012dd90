//! Products of a matrix and a vector: the kernels for matrices take several times as long for one column.

use super::Matrix;
use gemm::{c32, c64};
use pulp::{Arch, Simd, WithSimd};
use std::{
    array,
    ops::{Add, AddAssign, Mul},
    slice,
};

/// Numbers that there are products of.
pub(super) trait Element: Copy + Add<Output = Self> + 'static {
    /// Writes the product of a matrix and a vector, both of which lie without gaps; whether that was done.
    ///
    /// # Safety
    ///
    /// There are as many elements at `vector` as the matrix has columns, and room for one of each of its rows
    /// at `out`, which nobody else uses.
    unsafe fn multiply(_matrix: &Matrix<Self>, _vector: *const Self, _out: *mut Self) -> bool {
        false
    }
}

impl Element for c32 {}
impl Element for c64 {}

/// A product that is to be written, by code for the processor that there is.
struct Task<'m, T> {
    matrix: &'m Matrix<T>,
    vector: *const T,
    out: *mut T,
}

impl<T: Float> WithSimd for Task<'_, T> {
    type Output = bool;

    // Inlined, as all below, into functions for what processors have.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        let Self {
            matrix,
            vector,
            out,
        } = self;
        // SAFETY: whoever makes a task vouches for what `Element::multiply` asks for.
        unsafe {
            match (matrix.row_stride, matrix.column_stride) {
                (_, 1) => by_rows(simd, matrix, vector, out),
                (1, _) => by_columns(matrix, vector, out),
                _ => return false,
            }
        }
        true
    }
}

/// Floats, and what processors do with vectors of them.
trait Float: Copy + AddAssign + Add<Output = Self> + Mul<Output = Self> {
    type Vector<S: Simd>: Copy;
    const ZERO: Self;

    /// The vectors in a slice, and the elements behind them.
    fn vectors<S: Simd>(slice: &[Self]) -> (&[Self::Vector<S>], &[Self]);
    fn zeros<S: Simd>(simd: S) -> Self::Vector<S>;
    fn multiply_add<S: Simd>(
        simd: S,
        x: Self::Vector<S>,
        y: Self::Vector<S>,
        sum: Self::Vector<S>,
    ) -> Self::Vector<S>;
    /// The sum of all elements of two vectors.
    fn sum<S: Simd>(simd: S, vectors: [Self::Vector<S>; 2]) -> Self;
}

/// Has a type of floats use the kernels of this file, with so named vectors.
macro_rules! floats {
    ($($float:ty, $vector:ident, $split:ident, $splat:ident, $mul_add:ident, $add:ident, $sum:ident;)*) => {
        $(
            impl Element for $float {
                unsafe fn multiply(
                    matrix: &Matrix<Self>,
                    vector: *const Self,
                    out: *mut Self,
                ) -> bool {
                    Arch::new().dispatch(Task { matrix, vector, out })
                }
            }

            impl Float for $float {
                type Vector<S: Simd> = S::$vector;
                const ZERO: Self = 0.0;

                #[inline(always)]
                fn vectors<S: Simd>(slice: &[Self]) -> (&[S::$vector], &[Self]) {
                    S::$split(slice)
                }

                #[inline(always)]
                fn zeros<S: Simd>(simd: S) -> S::$vector {
                    simd.$splat(0.0)
                }

                #[inline(always)]
                fn multiply_add<S: Simd>(
                    simd: S,
                    x: S::$vector,
                    y: S::$vector,
                    sum: S::$vector,
                ) -> S::$vector {
                    simd.$mul_add(x, y, sum)
                }

                #[inline(always)]
                fn sum<S: Simd>(simd: S, [first, second]: [S::$vector; 2]) -> Self {
                    simd.$sum(simd.$add(first, second))
                }
            }
        )*
    };
}

floats! {
    f32, f32s, as_simd_f32s, splat_f32s, mul_add_e_f32s, add_f32s, reduce_sum_f32s;
    f64, f64s, as_simd_f64s, splat_f64s, mul_add_e_f64s, add_f64s, reduce_sum_f64s;
}

/// How many rows, or columns, are gone through at once.
const TOGETHER: usize = 4;

/// Writes the dot products of rows that lie without gaps.
///
/// # Safety
///
/// As for [`Element::multiply`].
#[inline(always)]
unsafe fn by_rows<S: Simd, T: Float>(simd: S, matrix: &Matrix<T>, vector: *const T, out: *mut T) {
    let columns = matrix.columns as usize;
    // SAFETY: the caller's promise; a row has so many elements, and each has its place in the result.
    unsafe {
        let vector = slice::from_raw_parts(vector, columns);
        let row = |at: i64| {
            let data = matrix.data.offset((at * matrix.row_stride) as isize);
            slice::from_raw_parts(data, columns)
        };
        let mut first = 0;
        while first + TOGETHER as i64 <= matrix.rows {
            let rows: [_; TOGETHER] = array::from_fn(|at| row(first + at as i64));
            let sums = dot_products(simd, rows, vector);
            out.offset(first as isize)
                .cast::<[T; TOGETHER]>()
                .write(sums);
            first += TOGETHER as i64;
        }
        for at in first..matrix.rows {
            let [sum] = dot_products(simd, [row(at)], vector);
            out.offset(at as isize).write(sum);
        }
    }
}

/// The dot products of some rows and a vector of the same length, each the sum of two vectors of sums: one
/// alone would wait for itself.
#[inline(always)]
fn dot_products<S: Simd, T: Float, const ROWS: usize>(
    simd: S,
    rows: [&[T]; ROWS],
    vector: &[T],
) -> [T; ROWS] {
    let (vector, rest) = T::vectors::<S>(vector);
    let rows = rows.map(|row| T::vectors::<S>(row));
    let (pairs, single) = vector.as_chunks::<2>();
    let mut sums = [[T::zeros(simd); 2]; ROWS];
    for (at, [y, z]) in pairs.iter().enumerate() {
        for ([first, second], (row, _)) in sums.iter_mut().zip(&rows) {
            *first = T::multiply_add(simd, row[2 * at], *y, *first);
            *second = T::multiply_add(simd, row[2 * at + 1], *z, *second);
        }
    }
    if let [y] = single {
        for ([first, _], (row, _)) in sums.iter_mut().zip(&rows) {
            *first = T::multiply_add(simd, row[2 * pairs.len()], *y, *first);
        }
    }
    array::from_fn(|at| {
        let mut sum = T::sum(simd, sums[at]);
        for (x, y) in rows[at].1.iter().zip(rest) {
            sum += *x * *y;
        }
        sum
    })
}

/// Adds up multiples of columns that lie without gaps.
///
/// # Safety
///
/// As for [`Element::multiply`].
#[inline(always)]
unsafe fn by_columns<T: Float>(matrix: &Matrix<T>, vector: *const T, out: *mut T) {
    let rows = matrix.rows as usize;
    // SAFETY: the caller's promise; a column has so many elements, as the result has.
    unsafe {
        let vector = slice::from_raw_parts(vector, matrix.columns as usize);
        let out = slice::from_raw_parts_mut(out, rows);
        let column = |at: usize| {
            let data = matrix
                .data
                .offset(at as isize * matrix.column_stride as isize);
            slice::from_raw_parts(data, rows)
        };
        out.fill(T::ZERO);
        let (parts, rest) = vector.as_chunks::<TOGETHER>();
        for (part, factors) in parts.iter().enumerate() {
            let [a, b, c, d] = array::from_fn(|at| column(part * TOGETHER + at));
            for at in 0..rows {
                let low = a[at] * factors[0] + b[at] * factors[1];
                let high = c[at] * factors[2] + d[at] * factors[3];
                out[at] += low + high;
            }
        }
        let first = parts.len() * TOGETHER;
        for (at, factor) in rest.iter().enumerate() {
            for (sum, x) in out.iter_mut().zip(column(first + at)) {
                *sum += *x * *factor;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_sums_of_all_terms() {
        for (rows, columns) in [(1, 1), (3, 7), (4, 8), (5, 9), (9, 33), (16, 4), (100, 10)] {
            for by_rows in [true, false] {
                let mut data: Vec<f64> = (0..rows * columns)
                    .map(|at| (at % 11) as f64 - 5.0)
                    .collect();
                let vector: Vec<f64> = (0..columns).map(|at| (at % 5) as f64 - 1.0).collect();
                let mut out = vec![7.0; rows as usize];
                let (row_stride, column_stride) = if by_rows { (columns, 1) } else { (1, rows) };
                let matrix = Matrix {
                    data: data.as_mut_ptr(),
                    rows,
                    columns,
                    row_stride,
                    column_stride,
                };
                // SAFETY: the vectors are as long as the matrix is wide and high.
                assert!(unsafe { f64::multiply(&matrix, vector.as_ptr(), out.as_mut_ptr()) });
                for row in 0..rows {
                    let term = |column: i64| {
                        let at = row * row_stride + column * column_stride;
                        ((at % 11) as f64 - 5.0) * vector[column as usize]
                    };
                    assert_eq!(out[row as usize], (0..columns).map(term).sum::<f64>());
                }
            }
        }
    }
}
