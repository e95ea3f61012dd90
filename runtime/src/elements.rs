//! Copies of elements that lie apart, in as many dimensions as there are.

use std::{ptr, slice};

/// A dimension of what is copied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dimension {
    /// How many there are; nothing is copied where one of the dimensions has none.
    pub count: i64,
    /// The bytes from one to the next in the source; 0 repeats.
    pub source_step: i64,
    /// The bytes from one to the next in the target.
    pub target_step: i64,
}

/// Copies elements of `item` bytes. The last dimension should be that whose elements lie next to each other.
///
/// # Safety
///
/// Each element of the source can be read and each of the target written, and they share no memory.
pub(crate) unsafe fn copy(
    source: *const u8,
    target: *mut u8,
    item: usize,
    dimensions: &[Dimension],
) {
    let Some((first, rest)) = dimensions.split_first() else {
        // SAFETY: the caller's promise.
        return unsafe { ptr::copy_nonoverlapping(source, target, item) };
    };
    if rest.is_empty() {
        // SAFETY: as above.
        return unsafe { copy_row(source, target, item, *first) };
    }
    for index in 0..first.count {
        // SAFETY: as above, for a part of the elements.
        unsafe {
            copy(
                at(source, index, first.source_step),
                at(target.cast_const(), index, first.target_step).cast_mut(),
                item,
                rest,
            );
        }
    }
}

/// The address of the element at an index.
fn at(first: *const u8, index: i64, step: i64) -> *const u8 {
    first.wrapping_offset((index * step) as isize)
}

/// See [`copy`].
unsafe fn copy_row(source: *const u8, target: *mut u8, item: usize, row: Dimension) {
    // SAFETY: the caller of `copy` promises it.
    unsafe {
        match item {
            1 => copy_items::<1>(source, target, row),
            2 => copy_items::<2>(source, target, row),
            4 => copy_items::<4>(source, target, row),
            8 => copy_items::<8>(source, target, row),
            16 => copy_items::<16>(source, target, row),
            _ => {
                for index in 0..row.count {
                    let target = at(target.cast_const(), index, row.target_step).cast_mut();
                    ptr::copy_nonoverlapping(at(source, index, row.source_step), target, item);
                }
            }
        }
    }
}

/// See [`copy`]: elements of a size that is known. Arrays of bytes have no alignment.
unsafe fn copy_items<const ITEM: usize>(source: *const u8, target: *mut u8, row: Dimension) {
    let Dimension {
        count,
        source_step,
        target_step,
    } = row;
    if count <= 0 {
        return;
    }
    let is_dense = target_step == ITEM as i64;
    // SAFETY: the caller of `copy` promises it, and there is an element at least.
    unsafe {
        if is_dense && source_step == 0 {
            let target = slice::from_raw_parts_mut(target.cast(), count as usize);
            target.fill(*source.cast::<[u8; ITEM]>());
        } else if is_dense && source_step == target_step {
            ptr::copy_nonoverlapping(source, target, count as usize * ITEM);
        } else {
            for index in 0..count {
                let target = at(target.cast_const(), index, target_step).cast_mut();
                *target.cast::<[u8; ITEM]>() = *at(source, index, source_step).cast();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Copies `ITEM` bytes at a time by all steps that stay in a few elements, and one by one.
    fn check<const ITEM: usize>() {
        let item = ITEM as i64;
        let source: Vec<u8> = (0..64 * ITEM).map(|at| (at % 251) as u8).collect();
        let steps = [0, 1, 2, -1].map(|source| [1, 3].map(|target| (source, target)));
        let cases = (0..6).flat_map(|count| {
            steps
                .as_flattened()
                .iter()
                .map(move |steps| (count, *steps))
        });
        for (count, (source_step, target_step)) in cases {
            let outer = Dimension {
                count: 3,
                source_step: 5 * item,
                target_step: 18 * item,
            };
            let inner = Dimension {
                count,
                source_step: source_step * item,
                target_step: target_step * item,
            };
            let mut target = vec![255; 64 * ITEM];
            let mut expected = target.clone();
            // SAFETY: the sources lie between the elements 15 and 35, and the targets before 54.
            unsafe {
                copy(
                    source.as_ptr().add(20 * ITEM),
                    target.as_mut_ptr(),
                    ITEM,
                    &[outer, inner],
                );
            }
            for row in 0..3 {
                for column in 0..count {
                    let from = ((20 + 5 * row + source_step * column) * item) as usize;
                    let to = ((18 * row + target_step * column) * item) as usize;
                    expected[to..to + ITEM].copy_from_slice(&source[from..from + ITEM]);
                }
            }
            assert_eq!(target, expected);
        }
    }

    #[test]
    fn elements_of_all_sizes_are_copied() {
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
        check::<8>();
        check::<16>();
        check::<24>();
    }

    #[test]
    fn without_dimensions_there_is_one_element() {
        let mut target = [0; 3];
        // SAFETY: source and target have three bytes.
        unsafe { copy([1, 2, 3].as_ptr(), target.as_mut_ptr(), 3, &[]) };
        assert_eq!(target, [1, 2, 3]);
    }
}
