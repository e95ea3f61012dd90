//! The borders of arrays, which hold one value.

use std::{cmp::Reverse, ptr, slice};

/// A dimension of an array and of the box that is its inside.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Dimension {
    size: i64,
    /// The bytes from one element to the next.
    step: i64,
    /// Where the box starts, from 0 to `size`.
    start: i64,
    /// Where the box ends, from `start` to `size`.
    end: i64,
}

/// Stores a value to all elements of an array outside of an inner box.
///
/// `words` holds the [`Dimension`]s and behind them the value, of `item` bytes.
///
/// # Safety
///
/// The words are as described, and each element of the array can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_fill_border(data: *mut u8, words: *const i64, rank: i64, item: i64) {
    let (rank, item) = (rank as usize, item as usize);
    // SAFETY: the words start with the dimensions.
    let mut dimensions = unsafe { slice::from_raw_parts(words.cast::<Dimension>(), rank) }.to_vec();
    if dimensions.iter().any(|dimension| dimension.size == 0) {
        return;
    }
    // Elements that lie beside each other are written together.
    dimensions.sort_by_key(|dimension| Reverse(dimension.step.unsigned_abs()));
    // SAFETY: the value is behind the dimensions; all indices are in bounds.
    unsafe {
        let value = words.cast::<Dimension>().add(rank).cast();
        fill(data, value, item, &dimensions);
    }
}

/// Fills what of a subarray is outside of the box.
///
/// # Safety
///
/// See [`pyopt_fill_border`].
unsafe fn fill(data: *mut u8, value: *const u8, item: usize, dimensions: &[Dimension]) {
    let Some((first, rest)) = dimensions.split_first() else {
        return;
    };
    let part = |index: i64| data.wrapping_offset((index * first.step) as isize);
    // SAFETY: parts of the array, of which the caller promises it.
    unsafe {
        for (from, to) in [(0, first.start), (first.end, first.size)] {
            if rest.is_empty() {
                fill_row(part(from), value, item, (to - from, first.step));
                continue;
            }
            for index in from..to {
                fill_all(part(index), value, item, rest);
            }
        }
        for index in first.start..first.end {
            fill(part(index), value, item, rest);
        }
    }
}

/// Fills all of a subarray.
///
/// # Safety
///
/// See [`pyopt_fill_border`].
unsafe fn fill_all(data: *mut u8, value: *const u8, item: usize, dimensions: &[Dimension]) {
    // SAFETY: as above.
    unsafe {
        match *dimensions {
            [] => ptr::copy_nonoverlapping(value, data, item),
            [last] => fill_row(data, value, item, (last.size, last.step)),
            [first, ref rest @ ..] => {
                for index in 0..first.size {
                    let part = data.wrapping_offset((index * first.step) as isize);
                    fill_all(part, value, item, rest);
                }
            }
        }
    }
}

/// Fills some elements of one dimension.
///
/// # Safety
///
/// See [`pyopt_fill_border`].
unsafe fn fill_row(data: *mut u8, value: *const u8, item: usize, (count, step): (i64, i64)) {
    // SAFETY: as above.
    unsafe {
        match item {
            1 => fill_items::<1>(data, value, count, step),
            2 => fill_items::<2>(data, value, count, step),
            4 => fill_items::<4>(data, value, count, step),
            8 => fill_items::<8>(data, value, count, step),
            16 => fill_items::<16>(data, value, count, step),
            _ => {
                for index in 0..count {
                    let element = data.wrapping_offset((index * step) as isize);
                    ptr::copy_nonoverlapping(value, element, item);
                }
            }
        }
    }
}

/// See [`fill_row`]: elements of a size that is known.
unsafe fn fill_items<const ITEM: usize>(data: *mut u8, value: *const u8, count: i64, step: i64) {
    // SAFETY: the caller's promise; arrays of bytes have no alignment.
    unsafe {
        let value = *value.cast::<[u8; ITEM]>();
        if step == ITEM as i64 && count > 0 {
            slice::from_raw_parts_mut(data.cast(), count as usize).fill(value);
            return;
        }
        for index in 0..count {
            *data.wrapping_offset((index * step) as isize).cast() = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fills the border of a matrix of zeros with 7; rows and columns are sizes, strides in elements and the box.
    fn bordered(rows: [i64; 4], columns: [i64; 4]) -> Vec<u16> {
        let mut matrix = vec![0_u16; 12];
        let dimension = |[size, stride, start, end]: [i64; 4]| [size, 2 * stride, start, end];
        let mut words = dimension(rows).to_vec();
        words.extend(dimension(columns));
        words.push(7);
        // SAFETY: the tests' strides stay inside of the matrix.
        unsafe { pyopt_fill_border(matrix.as_mut_ptr().cast(), words.as_ptr(), 2, 2) };
        matrix
    }

    #[test]
    fn the_inside_is_left_alone() {
        let by_rows = bordered([3, 4, 1, 2], [4, 1, 1, 3]);
        assert_eq!(by_rows, [7, 7, 7, 7, 7, 0, 0, 7, 7, 7, 7, 7]);
        let by_columns = bordered([3, 1, 1, 2], [4, 3, 1, 3]);
        assert_eq!(by_columns, [7, 7, 7, 7, 0, 7, 7, 0, 7, 7, 7, 7]);
        let one_side = bordered([3, 4, 0, 3], [4, 1, 0, 3]);
        assert_eq!(one_side, [0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 7]);
    }

    #[test]
    fn an_empty_box_leaves_nothing() {
        assert_eq!(bordered([3, 4, 2, 2], [4, 1, 0, 4]), [7; 12]);
        assert_eq!(bordered([0, 4, 0, 0], [4, 1, 1, 3]), [0; 12]);
    }
}
