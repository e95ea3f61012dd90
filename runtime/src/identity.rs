//! Whether two values are one object, for compiled code.

use crate::error::PyoptError;

/// Whether two values of as many slots are the same, but for those that come first. The slots of both
/// follow the numbers of slots of a value and of those that are left out.
///
/// # Safety
///
/// `arguments` points to so many slots, `returned` to room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_same_slots(
    _error: *mut PyoptError,
    returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        let (count, left_out) = (*arguments as usize, *arguments.add(1) as usize);
        let slots = std::slice::from_raw_parts(arguments.add(2), 2 * count);
        let (lhs, rhs) = slots.split_at(count);
        returned.write(i64::from(lhs[left_out..] == rhs[left_out..]));
    }
    0
}
