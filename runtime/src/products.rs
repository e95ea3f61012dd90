//! Products of matrices, by the kernels of the crate `gemm`, and of a matrix and a vector, by our own.

mod by_vector;

use std::{ffi::c_void, ptr};

use by_vector::Element;
use gemm::{Parallelism, c32, c64};

use crate::{
    error::PyoptError,
    scheduler::{pyopt_parallel, pyopt_parts},
};

/// A matrix; strides are in elements.
struct Matrix<T> {
    data: *mut T,
    rows: i64,
    columns: i64,
    row_stride: i64,
    column_stride: i64,
}

impl<T> Matrix<T> {
    /// The same elements with rows and columns exchanged.
    const fn transposed(&self) -> Self {
        Self {
            data: self.data,
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
        }
    }

    /// Some rows.
    ///
    /// # Safety
    ///
    /// There are so many behind the first one.
    unsafe fn some_rows(&self, first: i64, rows: i64) -> Self {
        Self {
            // SAFETY: the caller's promise.
            data: unsafe { self.data.offset((first * self.row_stride) as isize) },
            rows,
            ..*self
        }
    }

    /// Reads a matrix, or a vector as a matrix of a column or else of a row.
    ///
    /// # Safety
    ///
    /// The slots are those of a matrix or a vector of `T`.
    unsafe fn read(slots: &mut *const i64, shape: Shape) -> Self {
        // SAFETY: the caller's promise; the next array's slots follow.
        unsafe {
            let [_owner, data, first, second] = slots.cast::<[i64; 4]>().read();
            let strides = slots.add(4).cast::<[i64; 2]>();
            let count = if shape == Shape::Matrix { 6 } else { 4 };
            let [rows, columns, row_stride, column_stride] = match shape {
                Shape::Matrix => {
                    let [row, column] = strides.read();
                    [first, second, row, column]
                }
                Shape::Column => [first, 1, second, 0],
                Shape::Row => [1, first, 0, second],
            };
            *slots = slots.add(count);
            Self {
                data: data as *mut T,
                rows,
                columns,
                row_stride,
                column_stride,
            }
        }
    }
}

/// How an array is a matrix.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// It is one.
    Matrix,
    /// A vector, as the only column.
    Column,
    /// A vector, as the only row.
    Row,
}

/// A product of matrices that is to be written to the first of three.
struct Product<T> {
    matrices: [Matrix<T>; 3],
    zero: T,
    one: T,
}

impl<T: Element> Product<T> {
    /// # Safety
    ///
    /// The slots of `out`, `lhs` and `rhs` lie one behind the other. Their sizes fit, and the memory of
    /// `out` is nobody else's.
    unsafe fn read(mut slots: *const i64, shapes: [Shape; 3], zero: T, one: T) -> Self {
        Self {
            // SAFETY: the caller's promise.
            matrices: shapes.map(|shape| unsafe { Matrix::read(&mut slots, shape) }),
            zero,
            one,
        }
    }

    /// Writes the rows from one on up to another one, which is excluded.
    ///
    /// # Safety
    ///
    /// The matrices have these rows, which nobody else reads or writes.
    unsafe fn write_rows(&self, first: i64, end: i64) {
        let [out, lhs, rhs] = &self.matrices;
        let terms = lhs.columns as usize;
        // SAFETY: the caller's promise; without terms there is nothing that the kernels would write.
        unsafe {
            let out_data = out.data.offset((first * out.row_stride) as isize);
            if terms == 0 {
                for row in 0..end - first {
                    for column in 0..out.columns {
                        let at = row * out.row_stride + column * out.column_stride;
                        out_data.offset(at as isize).write(self.zero);
                    }
                }
                return;
            }
            if self.write_rows_by_vector(first, end) {
                return;
            }
            gemm::gemm(
                (end - first) as usize,
                out.columns as usize,
                terms,
                out_data,
                out.column_stride as isize,
                out.row_stride as isize,
                false,
                lhs.data.offset((first * lhs.row_stride) as isize),
                lhs.column_stride as isize,
                lhs.row_stride as isize,
                rhs.data,
                rhs.column_stride as isize,
                rhs.row_stride as isize,
                self.zero,
                self.one,
                false,
                false,
                false,
                Parallelism::None,
            );
        }
    }

    /// Writes the same rows where one of the factors is a vector without gaps, whose kernels take the other
    /// one; whether that was done.
    ///
    /// # Safety
    ///
    /// As for [`Self::write_rows`].
    unsafe fn write_rows_by_vector(&self, first: i64, end: i64) -> bool {
        let [out, lhs, rhs] = &self.matrices;
        // SAFETY: the caller's promise; a product transposed is that of its factors, exchanged.
        unsafe {
            if out.columns == 1 && rhs.row_stride == 1 && out.row_stride == 1 {
                let rows = lhs.some_rows(first, end - first);
                return T::multiply(&rows, rhs.data, out.data.offset(first as isize));
            }
            let is_row = out.rows == 1 && (first, end) == (0, 1);
            is_row
                && lhs.column_stride == 1
                && out.column_stride == 1
                && T::multiply(&rhs.transposed(), lhs.data, out.data)
        }
    }

    /// Writes the product on threads where that pays: its rows, or, where there is but one, its columns or
    /// the terms of their sums.
    ///
    /// # Safety
    ///
    /// As for [`Self::read`]; `error` points to a record.
    unsafe fn write_on_threads(&self, error: *mut PyoptError) -> i32 {
        let [out, lhs, rhs] = &self.matrices;
        // SAFETY: the caller's promise; a product transposed is that of its factors, exchanged.
        unsafe {
            match out.rows == 1 {
                true if out.columns < lhs.columns => self.write_sums_on_threads(error),
                true => Self {
                    matrices: [out.transposed(), rhs.transposed(), lhs.transposed()],
                    ..*self
                }
                .write_rows_on_threads(error),
                false => self.write_rows_on_threads(error),
            }
        }
    }

    /// Writes the only row: each part sums the products of some terms in a row of its own.
    ///
    /// # Safety
    ///
    /// As for [`Self::write_on_threads`].
    unsafe fn write_sums_on_threads(&self, error: *mut PyoptError) -> i32 {
        let [out, lhs, _] = &self.matrices;
        let (terms, columns) = (lhs.columns, out.columns as usize);
        // SAFETY: there is one extent.
        let parts = unsafe { pyopt_parts(1, &terms, (out.columns / 2).max(1), 0, out.columns) };
        let mut sums = vec![self.zero; columns * parts.max(1) as usize];
        let task = SumsTask {
            product: self,
            sums: sums.as_mut_ptr(),
        };
        let env = ptr::from_ref(&task).cast_mut().cast();
        // SAFETY: the body gets what it takes, and each part has a row of its own.
        let status = unsafe { pyopt_parallel(1, &terms, parts, write_sums::<T>, env, error) };
        if status == 0 {
            for column in 0..columns {
                let own = sums.iter().skip(column).step_by(columns).copied();
                let sum = own.reduce(|sum, one| sum + one).unwrap_or(self.zero);
                // SAFETY: the row has this column, and nobody else uses it.
                unsafe {
                    let place = out
                        .data
                        .offset(column as isize * out.column_stride as isize);
                    place.write(sum);
                }
            }
        }
        status
    }

    /// Writes the product, the rows on threads where that pays.
    ///
    /// # Safety
    ///
    /// As for [`Self::write_on_threads`].
    unsafe fn write_rows_on_threads(&self, error: *mut PyoptError) -> i32 {
        let [out, lhs, _] = &self.matrices;
        // The kernels do several times as much in a nanosecond as other loops.
        let work = (lhs.columns.saturating_mul(out.columns) / 2).max(1);
        let env = ptr::from_ref(self).cast_mut().cast();
        // SAFETY: there is one extent; the body gets what it takes, and parts have rows of their own.
        unsafe {
            let parts = pyopt_parts(1, &out.rows, work, 0, 0);
            pyopt_parallel(1, &out.rows, parts, write_part::<T>, env, error)
        }
    }
}

/// The sums of the only row of a product, a row for each part.
struct SumsTask<'a, T> {
    product: &'a Product<T>,
    sums: *mut T,
}

/// Writes the sums of a part's terms.
///
/// # Safety
///
/// `env` is a task of this element type, the bounds are terms of its product, and the part's row of sums is
/// nobody else's.
unsafe extern "C-unwind" fn write_sums<T: Element>(
    lower: *const i64,
    upper: *const i64,
    part: i64,
    env: *mut c_void,
    _error: *mut PyoptError,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        let task = &*env.cast::<SumsTask<T>>();
        let [out, lhs, rhs] = &task.product.matrices;
        let (first, terms) = (lower.read(), upper.read() - lower.read());
        let sums = Matrix {
            data: task.sums.offset((part * out.columns) as isize),
            rows: 1,
            columns: out.columns,
            row_stride: 0,
            column_stride: 1,
        };
        let row = lhs.transposed().some_rows(first, terms).transposed();
        let matrix = rhs.some_rows(first, terms);
        Product {
            matrices: [sums, row, matrix],
            ..*task.product
        }
        .write_rows(0, 1);
    }
    0
}

/// Writes the rows of a part.
///
/// # Safety
///
/// `env` is a product of this element type, the bounds are rows of it that nobody else writes.
unsafe extern "C-unwind" fn write_part<T: Element>(
    lower: *const i64,
    upper: *const i64,
    _part: i64,
    env: *mut c_void,
    _error: *mut PyoptError,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { (*env.cast::<Product<T>>()).write_rows(lower.read(), upper.read()) };
    0
}

/// Defines what compiled code calls for an element type: products of matrices, and of a matrix and a
/// vector on either side.
macro_rules! products {
    ($($name:ident($shapes:expr, $element:ty, $zero:expr, $one:expr);)*) => {
        $(
            /// Writes a product to an array, which comes before its two factors.
            ///
            /// # Safety
            ///
            /// Each of the three is in slots: owner, data, sizes, and strides in elements. The
            /// sizes fit, and the memory of the product is nobody else's.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                _error: *mut PyoptError,
                _returned: *mut i64,
                arrays: *const i64,
            ) -> i32 {
                // SAFETY: the caller's promise.
                unsafe {
                    let product = Product::<$element>::read(arrays, $shapes, $zero, $one);
                    product.write_rows(0, product.matrices[0].rows);
                }
                0
            }
        )*
    };
}

/// Defines what compiled code calls for a product on threads.
macro_rules! products_on_threads {
    ($($name:ident($shapes:expr, $element:ty, $zero:expr, $one:expr);)*) => {
        $(
            /// Writes a product to an array, which comes before its two factors.
            ///
            /// # Safety
            ///
            /// As for the function that does so on one thread; `error` points to a record.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                error: *mut PyoptError,
                _returned: *mut i64,
                arrays: *const i64,
            ) -> i32 {
                // SAFETY: the caller's promise.
                unsafe {
                    let product = Product::<$element>::read(arrays, $shapes, $zero, $one);
                    product.write_on_threads(error)
                }
            }
        )*
    };
}

products_on_threads! {
    pyopt_matmul_on_threads_f32(MATRICES, f32, 0.0, 1.0);
    pyopt_vecmat_on_threads_f32(VECTOR_MATRIX, f32, 0.0, 1.0);
    pyopt_matmul_on_threads_f64(MATRICES, f64, 0.0, 1.0);
    pyopt_vecmat_on_threads_f64(VECTOR_MATRIX, f64, 0.0, 1.0);
    pyopt_matmul_on_threads_c64(MATRICES, c32, c32::new(0.0, 0.0), c32::new(1.0, 0.0));
    pyopt_vecmat_on_threads_c64(VECTOR_MATRIX, c32, c32::new(0.0, 0.0), c32::new(1.0, 0.0));
    pyopt_matmul_on_threads_c128(MATRICES, c64, c64::new(0.0, 0.0), c64::new(1.0, 0.0));
    pyopt_vecmat_on_threads_c128(VECTOR_MATRIX, c64, c64::new(0.0, 0.0), c64::new(1.0, 0.0));
}

const MATRICES: [Shape; 3] = [Shape::Matrix; 3];
const MATRIX_VECTOR: [Shape; 3] = [Shape::Column, Shape::Matrix, Shape::Column];
const VECTOR_MATRIX: [Shape; 3] = [Shape::Row, Shape::Row, Shape::Matrix];

products! {
    pyopt_matmul_f32(MATRICES, f32, 0.0, 1.0);
    pyopt_matmul_f64(MATRICES, f64, 0.0, 1.0);
    pyopt_matmul_c64(MATRICES, c32, c32::new(0.0, 0.0), c32::new(1.0, 0.0));
    pyopt_matmul_c128(MATRICES, c64, c64::new(0.0, 0.0), c64::new(1.0, 0.0));
    pyopt_matvec_f32(MATRIX_VECTOR, f32, 0.0, 1.0);
    pyopt_matvec_f64(MATRIX_VECTOR, f64, 0.0, 1.0);
    pyopt_matvec_c64(MATRIX_VECTOR, c32, c32::new(0.0, 0.0), c32::new(1.0, 0.0));
    pyopt_matvec_c128(MATRIX_VECTOR, c64, c64::new(0.0, 0.0), c64::new(1.0, 0.0));
    pyopt_vecmat_f32(VECTOR_MATRIX, f32, 0.0, 1.0);
    pyopt_vecmat_f64(VECTOR_MATRIX, f64, 0.0, 1.0);
    pyopt_vecmat_c64(VECTOR_MATRIX, c32, c32::new(0.0, 0.0), c32::new(1.0, 0.0));
    pyopt_vecmat_c128(VECTOR_MATRIX, c64, c64::new(0.0, 0.0), c64::new(1.0, 0.0));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(data: *mut f64, sizes: [i64; 2], strides: [i64; 2]) -> [i64; 6] {
        [0, data as i64, sizes[0], sizes[1], strides[0], strides[1]]
    }

    fn product(lhs: [i64; 6], rhs: [i64; 6], out: [i64; 6]) {
        let slots = [out, lhs, rhs].concat();
        let nothing = std::ptr::null_mut();
        // SAFETY: the matrices are those of the tests, and nobody else uses them.
        let status = unsafe { pyopt_matmul_f64(nothing, nothing.cast(), slots.as_ptr()) };
        assert_eq!(status, 0);
    }

    #[test]
    fn strides_of_any_sign_are_followed() {
        let mut a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let mut out = [9.0; 4];
        let rows = matrix(a.as_mut_ptr(), [2, 3], [3, 1]);
        let transposed = matrix(a.as_mut_ptr(), [3, 2], [1, 3]);
        product(rows, transposed, matrix(out.as_mut_ptr(), [2, 2], [2, 1]));
        assert_eq!(out, [14.0, 32.0, 32.0, 77.0]);
        // SAFETY: the last element.
        let last = unsafe { a.as_mut_ptr().add(5) };
        let reversed = matrix(last, [3, 2], [-2, -1]);
        product(rows, reversed, matrix(out.as_mut_ptr(), [2, 2], [2, 1]));
        assert_eq!(out, [20.0, 14.0, 56.0, 41.0]);
    }

    #[test]
    fn rows_on_threads_are_those_of_one_thread() {
        let (rows, terms, columns) = (301, 200, 150);
        let mut a: Vec<f64> = (0..rows * terms).map(|at| (at % 7) as f64).collect();
        let mut b: Vec<f64> = (0..terms * columns).map(|at| (at % 5) as f64).collect();
        let mut out = vec![9.0; (rows * columns) as usize];
        let mut expected = out.clone();
        let lhs = matrix(a.as_mut_ptr(), [rows, terms], [terms, 1]);
        let rhs = matrix(b.as_mut_ptr(), [terms, columns], [columns, 1]);
        let strides = [columns, 1];
        product(
            lhs,
            rhs,
            matrix(expected.as_mut_ptr(), [rows, columns], strides),
        );
        let slots = [matrix(out.as_mut_ptr(), [rows, columns], strides), lhs, rhs].concat();
        let mut error = PyoptError::new(ptr::null());
        // SAFETY: the matrices are those of the test.
        let status =
            unsafe { pyopt_matmul_on_threads_f64(&mut error, ptr::null_mut(), slots.as_ptr()) };
        assert_eq!(status, 0);
        assert_eq!(out, expected);
    }

    #[test]
    fn vectors_by_matrices_on_threads_are_those_of_one_thread() {
        // Few columns are sums of parts, many are shared out.
        for (terms, columns) in [(200_000, 3), (3, 200_000), (0, 5), (7, 0), (1, 1)] {
            let mut a: Vec<f64> = (0..terms).map(|at| (at % 7) as f64).collect();
            let mut b: Vec<f64> = (0..terms * columns).map(|at| (at % 5) as f64).collect();
            let mut out = vec![9.0; columns as usize];
            let expected: Vec<f64> = (0..columns)
                .map(|column| {
                    (0..terms)
                        .map(|term| a[term as usize] * b[(term * columns + column) as usize])
                        .sum()
                })
                .collect();
            let row = [0, out.as_mut_ptr() as i64, columns, 1];
            let vector = [0, a.as_mut_ptr() as i64, terms, 1];
            let slots: Vec<i64> = row
                .into_iter()
                .chain(vector)
                .chain(matrix(b.as_mut_ptr(), [terms, columns], [columns, 1]))
                .collect();
            let mut error = PyoptError::new(ptr::null());
            // SAFETY: the arrays are those of the test.
            let status =
                unsafe { pyopt_vecmat_on_threads_f64(&mut error, ptr::null_mut(), slots.as_ptr()) };
            assert_eq!(status, 0);
            assert_eq!(out, expected);
        }
    }

    #[test]
    fn a_sum_without_terms_is_zero() {
        let mut out = [9.0; 6];
        let none = std::ptr::null_mut();
        let lhs = matrix(none, [2, 0], [0, 1]);
        product(
            lhs,
            matrix(none, [0, 3], [3, 1]),
            matrix(out.as_mut_ptr(), [2, 3], [3, 1]),
        );
        assert_eq!(out, [0.0; 6]);
    }
}
