//! Copies of arrays in which dimensions are repeated.

use std::ptr;

use crate::memory::{HEADER, Owner, pyopt_alloc};

/// Makes an array of `rows` times `columns` elements of `item` bytes, one after the other, out of one whose
/// elements are so many bytes apart; a step of 0 repeats. Returns its owner with one reference, or null when
/// memory is short.
///
/// # Safety
///
/// With `rows` and `columns` above 0, `item` bytes can be read at `source + i * row_step + j * column_step`
/// for each `i < rows` and `j < columns`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_repeat(
    source: *const u8,
    item: i64,
    rows: i64,
    row_step: i64,
    columns: i64,
    column_step: i64,
) -> *mut Owner {
    let bytes = rows
        .checked_mul(columns)
        .and_then(|count| count.checked_mul(item));
    let owner = bytes.map_or(ptr::null_mut(), |bytes| pyopt_alloc(bytes, 0));
    if owner.is_null() {
        return owner;
    }
    let item = item as usize;
    let mut target = owner.cast::<u8>().wrapping_add(HEADER);
    for i in 0..rows {
        let row = source.wrapping_offset((i * row_step) as isize);
        for j in 0..columns {
            let element = row.wrapping_offset((j * column_step) as isize);
            // SAFETY: the caller's promise; the fresh array has room for so many elements and shares no memory
            // with the source.
            unsafe { ptr::copy_nonoverlapping(element, target, item) };
            target = target.wrapping_add(item);
        }
    }
    owner
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::pyopt_release;

    fn repeated(source: &[u16], rows: (i64, i64), columns: (i64, i64)) -> Vec<u16> {
        // SAFETY: the tests' steps stay inside of their source, and the elements of the fresh array are
        // initialised.
        unsafe {
            let owner = pyopt_repeat(
                source.as_ptr().cast(),
                2,
                rows.0,
                rows.1,
                columns.0,
                columns.1,
            );
            let data = owner.cast::<u8>().add(HEADER).cast::<u16>();
            let made = std::slice::from_raw_parts(data, (rows.0 * columns.0) as usize).to_vec();
            pyopt_release(owner);
            made
        }
    }

    #[test]
    fn repeats_elements_rows_and_columns() {
        assert_eq!(repeated(&[7], (1, 0), (3, 0)), [7, 7, 7]);
        assert_eq!(repeated(&[1, 2], (2, 0), (2, 2)), [1, 2, 1, 2]);
        assert_eq!(repeated(&[1, 2], (2, 2), (2, 0)), [1, 1, 2, 2]);
        assert_eq!(repeated(&[1, 2, 3, 4], (2, 2), (2, 4)), [1, 3, 2, 4]);
        assert!(repeated(&[1], (0, 0), (4, 0)).is_empty());
    }

    #[test]
    fn refuses_what_is_too_large() {
        // SAFETY: nothing is read.
        let owner = unsafe { pyopt_repeat(ptr::null(), 8, i64::MAX / 4, 0, 4, 0) };
        assert!(owner.is_null());
    }
}
