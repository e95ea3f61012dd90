//! Operands of a broadcast whose sizes aren't those of the result: copies in which dimensions are repeated.

use std::{ptr, slice};

use crate::{
    elements::{self, Dimension},
    memory::{HEADER, Owner, pyopt_acquire, pyopt_alloc, pyopt_release},
};

/// Words of an operand's description, and words of its record before sizes and strides.
const DESCRIPTION: usize = 3;
const FIELDS: usize = 2;

/// The status that says that memory is short.
const NO_MEMORY: i64 = -1;

/// How an operand lies in memory.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// One row after the other.
    Rows,
    /// One column after the other.
    Columns,
    /// With strides in elements; a copy is by rows.
    Strided,
    /// With strides in bytes; a copy is by rows.
    Bytes,
}

impl Form {
    fn of(word: i64) -> Self {
        match word {
            0 => Self::Rows,
            1 => Self::Columns,
            2 => Self::Strided,
            _ => Self::Bytes,
        }
    }

    /// Whether a record has strides; else they follow from the sizes.
    fn has_strides(self) -> bool {
        matches!(self, Self::Strided | Self::Bytes)
    }
}

/// Gives the operands of a broadcast the sizes of its result: each that has them already gets one more reference
/// of its owner; each other is replaced by a fresh copy in which the dimensions of size 1 are repeated.
///
/// `description` is the result's rank, the number of operands, and for each operand its rank `r`, the bytes of an
/// element and the [`Form`]. `table` holds the result's sizes, and for each operand owner, data, `r` sizes, and `r`
/// strides if the form has them. An operand with fewer dimensions than the result has its last ones. Owners, data
/// and strides are replaced.
///
/// Returns 0; the rank of an operand whose sizes don't fit, which then are the last ones of the table's sizes; or
/// [`NO_MEMORY`]. In these cases no reference is left.
///
/// # Safety
///
/// Description and table are as said, elements have at least one byte, and each operand can be read at all of its
/// elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_repeat(description: *const i64, table: *mut i64) -> i64 {
    // SAFETY: the caller's description has so many words, and the table starts with the sizes.
    let (described, wanted) = unsafe {
        let rank = *description as usize;
        let operands = *description.add(1) as usize;
        (
            slice::from_raw_parts(description.add(2), DESCRIPTION * operands),
            slice::from_raw_parts_mut(table, rank),
        )
    };
    let mut owners = Vec::new();
    let mut at = wanted.len();
    for operand in described.chunks_exact(DESCRIPTION) {
        let (rank, item, form) = (operand[0] as usize, operand[1], Form::of(operand[2]));
        let words = FIELDS + rank + if form.has_strides() { rank } else { 0 };
        // SAFETY: the caller's table has such a record for each operand, behind the sizes and the records before.
        let record = unsafe { slice::from_raw_parts_mut(table.add(at), words) };
        at += words;
        // SAFETY: the caller's promise about the operand.
        let status = unsafe { repeat(record, (rank, item, form), wanted) };
        if status != 0 {
            // SAFETY: each is a reference that was taken here.
            owners
                .iter()
                .for_each(|owner| unsafe { pyopt_release(*owner) });
            return status;
        }
        owners.push(record[0] as *mut Owner);
    }
    0
}

/// The same for one operand.
///
/// # Safety
///
/// As for [`pyopt_repeat`].
unsafe fn repeat(
    record: &mut [i64],
    (rank, item, form): (usize, i64, Form),
    wanted: &mut [i64],
) -> i64 {
    let (fields, shape) = record.split_at_mut(FIELDS);
    let [owner, data] = fields else {
        unreachable!("a record has so many fields");
    };
    let (sizes, strides) = shape.split_at_mut(rank);
    let first = wanted.len() - rank;
    let wanted = &mut wanted[first..];
    if sizes == wanted {
        // SAFETY: the owner of an array, or null.
        unsafe { pyopt_acquire(*owner as *mut Owner) };
        return 0;
    }
    let mut pairs = sizes.iter().zip(&*wanted);
    if !pairs.all(|(size, wanted)| size == wanted || *size == 1) {
        wanted.copy_from_slice(sizes);
        return rank as i64;
    }
    let mut extents = wanted.iter();
    let bytes = extents.try_fold(item, |bytes, size| bytes.checked_mul(*size));
    let fresh = bytes.map_or(ptr::null_mut(), |bytes| pyopt_alloc(bytes, 0));
    if fresh.is_null() {
        return NO_MEMORY;
    }

    let unit = if form == Form::Bytes { 1 } else { item };
    let steps = match form {
        Form::Strided | Form::Bytes => strides.iter().map(|stride| stride * unit).collect(),
        Form::Rows | Form::Columns => contiguous(sizes, form, item),
    };
    let targets = contiguous(wanted, form, item);
    let mut dimensions: Vec<_> = (0..rank)
        .map(|at| Dimension {
            count: wanted[at],
            source_step: if sizes[at] == wanted[at] {
                steps[at]
            } else {
                0
            },
            target_step: targets[at],
        })
        .collect();
    if form == Form::Columns {
        dimensions.reverse();
    }
    let target = fresh.cast::<u8>().wrapping_add(HEADER);
    // SAFETY: the steps stay inside of the operand, and the fresh array has room for all elements and shares no
    // memory with it.
    unsafe { elements::copy(*data as *const u8, target, item as usize, &dimensions) };
    *owner = fresh as i64;
    *data = target as i64;
    if form.has_strides() {
        strides.copy_from_slice(&contiguous(wanted, form, item / unit));
    }
    0
}

/// The distances of elements that lie one after the other, the next one after `stride`.
fn contiguous(sizes: &[i64], form: Form, mut stride: i64) -> Vec<i64> {
    let mut strides = vec![0; sizes.len()];
    let mut set = |at: usize| {
        strides[at] = stride;
        stride *= sizes[at];
    };
    match form {
        Form::Columns => (0..sizes.len()).for_each(&mut set),
        _ => (0..sizes.len()).rev().for_each(&mut set),
    }
    strides
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The elements and strides of a broadcast matrix, or the status and the sizes in the table.
    type Repeated = Result<(Vec<u16>, [i64; 2]), (i64, [i64; 2])>;

    /// Broadcasts one matrix of `u16`.
    fn repeated(
        source: &[u16],
        sizes: [i64; 2],
        strides: [i64; 2],
        wanted: [i64; 2],
        form: i64,
    ) -> Repeated {
        let description = [2, 1, 2, 2, form];
        let data = source.as_ptr() as i64;
        let mut table = [
            wanted[0], wanted[1], 0, data, sizes[0], sizes[1], strides[0], strides[1],
        ];
        // SAFETY: the tests' strides stay inside of their source, and the elements of a fresh array are initialised.
        unsafe {
            let status = pyopt_repeat(description.as_ptr(), table.as_mut_ptr());
            if status != 0 {
                return Err((status, [table[0], table[1]]));
            }
            let count = (wanted[0] * wanted[1]) as usize;
            let made = slice::from_raw_parts(table[3] as *const u16, count).to_vec();
            pyopt_release(table[2] as *mut Owner);
            Ok((made, [table[6], table[7]]))
        }
    }

    #[test]
    fn repeats_elements_rows_and_columns() {
        let row = repeated(&[1, 2], [1, 2], [2, 1], [2, 2], 2);
        assert_eq!(row, Ok((vec![1, 2, 1, 2], [2, 1])));
        let column = repeated(&[1, 2], [2, 1], [1, 1], [2, 3], 2);
        assert_eq!(column, Ok((vec![1, 1, 1, 2, 2, 2], [3, 1])));
        let in_bytes = repeated(&[1, 9, 2, 9], [2, 1], [4, 2], [2, 2], 3);
        assert_eq!(in_bytes, Ok((vec![1, 1, 2, 2], [4, 2])));
        let backward = repeated(&[1, 2, 3][2..], [1, 1], [-1, -1], [1, 3], 2);
        assert_eq!(backward, Ok((vec![3, 3, 3], [3, 1])));
        assert_eq!(
            repeated(&[7], [1, 1], [1, 1], [0, 3], 2),
            Ok((vec![], [3, 1]))
        );
    }

    #[test]
    fn strides_of_contiguous_operands_follow_from_their_sizes() {
        let by_rows = repeated(&[1, 2], [2, 1], [9, 9], [2, 2], 0);
        assert_eq!(by_rows, Ok((vec![1, 1, 2, 2], [9, 9])));
        let by_columns = repeated(&[1, 2], [2, 1], [9, 9], [2, 2], 1);
        assert_eq!(by_columns, Ok((vec![1, 2, 1, 2], [9, 9])));
    }

    #[test]
    fn keeps_what_fits() {
        let same = repeated(&[1, 2, 3, 4], [2, 2], [2, 1], [2, 2], 2);
        assert_eq!(same, Ok((vec![1, 2, 3, 4], [2, 1])));
    }

    #[test]
    fn says_what_does_not_fit() {
        let misfit = repeated(&[1, 2, 3, 4], [2, 2], [2, 1], [2, 3], 2);
        assert_eq!(misfit, Err((2, [2, 2])));
    }

    #[test]
    fn a_size_that_does_not_fit_memory_is_none() {
        let too_large = repeated(&[7], [1, 1], [1, 1], [i64::MAX / 4, 8], 2);
        assert_eq!(too_large, Err((NO_MEMORY, [i64::MAX / 4, 8])));
    }

    #[test]
    fn operands_that_came_before_a_failure_are_released() {
        let source = [5_u16];
        let data = source.as_ptr() as i64;
        let description = [1, 2, 1, 2, 0, 1, 2, 0];
        // The first one is repeated, the second one doesn't fit.
        let mut table = [2, 0, data, 1, 0, data, 3];
        // SAFETY: only the first operand is read, at its only element.
        let status = unsafe { pyopt_repeat(description.as_ptr(), table.as_mut_ptr()) };
        assert_eq!((status, table[0]), (1, 3));
    }
}
