//! Products of matrices, by the kernels of the crate `gemm`.

use gemm::{Parallelism, c32, c64};

use crate::error::PyoptError;

/// A matrix; strides are in elements.
struct Matrix<T> {
    data: *mut T,
    rows: i64,
    columns: i64,
    row_stride: i64,
    column_stride: i64,
}

impl<T> Matrix<T> {
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

/// Writes `lhs @ rhs` to `out`, the first one.
///
/// # Safety
///
/// The slots of `out`, `lhs` and `rhs` lie one behind the other. Their sizes fit, and the memory of
/// `out` is nobody else's.
unsafe fn multiply<T: Copy + 'static>(mut slots: *const i64, shapes: [Shape; 3], zero: T, one: T) {
    // SAFETY: the caller's promise; without terms there is nothing that the kernels would write.
    unsafe {
        let [out, lhs, rhs] = shapes.map(|shape| Matrix::<T>::read(&mut slots, shape));
        let terms = lhs.columns as usize;
        if terms == 0 {
            for row in 0..out.rows {
                for column in 0..out.columns {
                    let at = row * out.row_stride + column * out.column_stride;
                    out.data.offset(at as isize).write(zero);
                }
            }
            return;
        }
        gemm::gemm(
            out.rows as usize,
            out.columns as usize,
            terms,
            out.data,
            out.column_stride as isize,
            out.row_stride as isize,
            false,
            lhs.data,
            lhs.column_stride as isize,
            lhs.row_stride as isize,
            rhs.data,
            rhs.column_stride as isize,
            rhs.row_stride as isize,
            zero,
            one,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
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
                unsafe { multiply::<$element>(arrays, $shapes, $zero, $one) };
                0
            }
        )*
    };
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
