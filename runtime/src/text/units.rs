//! Code units in memory.

use std::ptr;

/// Copies bytes to a place: most texts are a few words of memory, which a call would cost more than.
///
/// # Safety
///
/// There is room, which isn't that of the bytes.
#[inline]
pub(super) unsafe fn copy(bytes: &[u8], place: *mut u8) {
    let (from, length) = (bytes.as_ptr(), bytes.len());
    // SAFETY: the caller's promise; pieces that overlap cover as many bytes as there are.
    unsafe {
        match length {
            17.. => ptr::copy_nonoverlapping(from, place, length),
            8.. => copy_both_ends::<u64>(from, place, length),
            4.. => copy_both_ends::<u32>(from, place, length),
            2.. => copy_both_ends::<u16>(from, place, length),
            1 => place.write(from.read()),
            0 => {}
        }
    }
}

/// Copies two units, one at each end.
///
/// # Safety
///
/// As [`copy`]; there are at least so many bytes as a unit has, and at most twice as many.
#[inline]
unsafe fn copy_both_ends<T: Copy>(from: *const u8, place: *mut u8, length: usize) {
    let last = length - size_of::<T>();
    // SAFETY: the caller's promise.
    unsafe {
        let [first, end] = [0, last].map(|at| from.add(at).cast::<T>().read_unaligned());
        place.cast::<T>().write_unaligned(first);
        place.add(last).cast::<T>().write_unaligned(end);
    }
}

/// The fewest bytes that hold a character.
pub(super) fn width_of(character: u32) -> usize {
    match character {
        0..0x100 => 1,
        0x100..0x1_0000 => 2,
        _ => 4,
    }
}

/// Writes a code unit.
///
/// # Safety
///
/// There is room for a unit of the width, which holds the character.
pub(super) unsafe fn write_unit(place: *mut u8, width: usize, character: u32) {
    // SAFETY: the caller's promise; places of texts are aligned for their units only by chance.
    unsafe {
        match width {
            1 => place.write(character as u8),
            2 => place.cast::<u16>().write_unaligned(character as u16),
            _ => place.cast::<u32>().write_unaligned(character),
        }
    }
}
