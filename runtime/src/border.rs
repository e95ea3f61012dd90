//! The borders of arrays, which hold one value.

use std::{
    cmp::{Ordering, Reverse},
    slice,
};

use crate::elements::{self, Dimension};

/// A dimension of an array and of the box that is its inside.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Side {
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
/// `words` holds the [`Side`]s and behind them the value, of `item` bytes.
///
/// # Safety
///
/// The words are as described, and each element of the array can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_fill_border(data: *mut u8, words: *const i64, rank: i64, item: i64) {
    let sides = words.cast::<Side>();
    // SAFETY: the words start with the sides, and the value is behind them.
    let (mut sides, value) = unsafe {
        let rank = rank as usize;
        (slice::from_raw_parts(sides, rank).to_vec(), sides.add(rank))
    };
    // Elements that lie next to each other are written together.
    sides.sort_by_key(|side| Reverse(side.step.unsigned_abs()));
    for (position, side) in sides.iter().enumerate() {
        for slab in [(0, side.start), (side.end, side.size)] {
            let mut first = data;
            // A slab of a dimension spans the inside of those before it and all of those after it.
            let slab = sides.iter().enumerate().map(|(other, side)| {
                let (start, end) = match other.cmp(&position) {
                    Ordering::Less => (side.start, side.end),
                    Ordering::Equal => slab,
                    Ordering::Greater => (0, side.size),
                };
                first = first.wrapping_offset((start * side.step) as isize);
                Dimension {
                    count: end - start,
                    source_step: 0,
                    target_step: side.step,
                }
            });
            let slab: Vec<_> = slab.collect();
            // SAFETY: the value is readable, and the slab is part of the array.
            unsafe { elements::copy(value.cast(), first, item as usize, &slab) };
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
