//! What compiled code calls.

use std::{
    ffi::c_void,
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, OnceLock},
};

use smallvec::SmallVec;

use super::{
    DeviceError, Result, contexts,
    failures::hold_values,
    persistent::Access,
    session::{self, Session},
};
use crate::{
    error::{PyoptError, STATUS_HOST},
    memory::Owner,
};

/// A kernel, as a constant of compiled code.
#[repr(C)]
#[derive(Debug)]
pub struct Kernel {
    name: *const u8,
    name_length: i64,
    image: *const u8,
    image_length: i64,
    /// A hash of the image.
    pub content_hash: u64,
}

impl Kernel {
    /// # Safety
    ///
    /// The kernel is one of compiled code that is loaded.
    pub(super) unsafe fn image(&self) -> &[u8] {
        // SAFETY: the compiler wrote the length.
        unsafe { std::slice::from_raw_parts(self.image, self.image_length as usize) }
    }

    /// # Safety
    ///
    /// As [`Self::image`].
    pub(super) unsafe fn name(&self) -> &str {
        // SAFETY: the compiler wrote the length, and names are symbols.
        unsafe {
            let bytes = std::slice::from_raw_parts(self.name, self.name_length as usize);
            std::str::from_utf8_unchecked(bytes)
        }
    }

    /// A kernel of an image.
    #[cfg(test)]
    pub(super) fn new(name: &'static str, image: &'static [u8], content_hash: u64) -> Self {
        Self {
            name: name.as_ptr(),
            name_length: name.len() as i64,
            image: image.as_ptr(),
            image_length: image.len() as i64,
            content_hash,
        }
    }
}

/// A number of [`Self::size`] bytes.
const VALUE: i32 = 0;
/// An address, and which memory around it is used. The kernel has two parameters for it: the device's
/// memory and the offset of the address.
const MEMORY: i32 = 1;
/// Where the kernel puts the status that it fails with.
const ERRORS: i32 = 2;
/// The number of the first block along an axis of the part of the grid that is launched.
const FIRST: i32 = 3;

/// An argument of a launch.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Arg {
    kind: i32,
    /// Of memory: bit 0 if it is read, 1 if it is written, 2 if every byte of it is, 3 if
    /// its contents are undefined before. Of a first block:
    /// the axis, 1 or 2.
    access: i32,
    /// Bytes of a value.
    pub size: i64,
    /// Where the value is; the host's address of memory.
    pub value: *const c_void,
    /// The bytes that are used, relative to the address: the first, and the one behind the last.
    low: i64,
    high: i64,
}

impl Arg {
    pub(super) fn is_memory(&self) -> bool {
        self.kind == MEMORY && self.low < self.high
    }

    pub(super) fn is_errors(&self) -> bool {
        self.kind == ERRORS
    }

    /// The axis that this is the first block of.
    pub(super) fn first_block(&self) -> Option<usize> {
        (self.kind == FIRST).then_some(self.access as usize)
    }

    pub(super) fn has_value(&self) -> bool {
        self.kind == VALUE
    }

    pub(super) fn is_overwritten(&self) -> bool {
        self.access & 4 != 0
    }

    pub(super) fn is_undefined(&self) -> bool {
        self.access & 8 != 0
    }

    pub(super) fn access(&self) -> Access {
        Access {
            reads: self.access & 1 != 0,
            writes: self.access & 2 != 0,
        }
    }

    /// The addresses that are used.
    pub(super) fn range(&self) -> Range<usize> {
        // Drivers are given the addresses that these numbers are.
        let start = self.value.expose_provenance();
        start.wrapping_add_signed(self.low as isize)..start.wrapping_add_signed(self.high as isize)
    }

    #[cfg(test)]
    pub(super) fn of_value<T>(value: &T) -> Self {
        Self {
            kind: VALUE,
            access: 0,
            size: size_of::<T>() as i64,
            value: std::ptr::from_ref(value).cast(),
            low: 0,
            high: 0,
        }
    }

    #[cfg(test)]
    pub(super) fn of_memory(access: i32, value: *const c_void, low: i64, high: i64) -> Self {
        Self {
            kind: MEMORY,
            access,
            size: 8,
            value,
            low,
            high,
        }
    }

    #[cfg(test)]
    pub(super) fn of_errors() -> Self {
        Self {
            kind: ERRORS,
            ..Self::of_memory(0, std::ptr::null(), 0, 0)
        }
    }
}

/// Makes an exception of the host's: an owner of its object.
pub type MakeException = fn(&DeviceError) -> *mut Owner;

static MAKE_EXCEPTION: OnceLock<MakeException> = OnceLock::new();

/// Says how exceptions of the host's are made. Only the first answer counts.
pub fn on_error(make: MakeException) {
    MAKE_EXCEPTION.get_or_init(|| make);
}

/// Runs work for compiled code: gives its status, or puts the error into the record.
///
/// # Safety
///
/// The record is that of the code.
pub(super) unsafe fn reported(error: *mut PyoptError, work: impl FnOnce() -> Result<i32>) -> i32 {
    let done = catch_unwind(AssertUnwindSafe(work));
    let failed = match done {
        Ok(Ok(0)) => return 0,
        Ok(Ok(status)) => {
            // SAFETY: the caller's promise.
            unsafe { hold_values(error) };
            return status;
        }
        Ok(Err(failed)) => failed,
        Err(_) => DeviceError::Failed("an operation on a device failed".to_owned()),
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, &failed) }
}

/// Leaves an error to the host: puts its exception into the record, and gives the status that says so.
///
/// # Safety
///
/// The record is that of the code that runs.
pub unsafe fn report(error: *mut PyoptError, failed: &DeviceError) -> i32 {
    let make = MAKE_EXCEPTION.get();
    let owner = make.map_or(std::ptr::null_mut(), |make| make(failed));
    // SAFETY: the caller's promise.
    unsafe {
        (*error).depth = 0;
        (*error).payload[0] = owner as i64;
    }
    STATUS_HOST
}

/// Runs work in this thread's session, or in one of its own if it has none.
fn in_session(work: impl FnOnce(&Arc<Session>) -> Result<i32>) -> Result<i32> {
    if let Some(session) = session::current() {
        return work(&session);
    }
    // A generator that is resumed, or a callback on a thread of a library.
    let device = contexts::current_device().or_else(session::device_used_last);
    let device = device.ok_or_else(|| {
        DeviceError::Failed("code for a device runs where no device was used yet".to_owned())
    })?;
    let running = session::begin(&device, contexts::queue(&device)?, [])?;
    let done = session::current().map_or(Ok(0), |session| work(&session))?;
    let (ended, _) = running.finish();
    Ok(if done != 0 { done } else { ended? })
}

/// Launches a kernel of `grid` blocks of `block` threads: 0, or the status of an exception.
///
/// # Safety
///
/// Compiled code calls it, with the arguments that the kernel takes, `count` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_device_launch(
    kernel: *const Kernel,
    grid: *const [i64; 3],
    block: *const [i64; 3],
    args: *const Arg,
    count: i64,
    error: *mut PyoptError,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        reported(error, || {
            let args = slice(args, count);
            in_session(|session| session.launch(&*kernel, *grid, *block, args))
        })
    }
}

/// Before the host reads memory (`mode` 1), or reads and writes it or calls code that may (2): has there
/// what kernels wrote. `place` isn't 0 where that is for a loop that the host runs: what is copied is noted there.
/// Gives 0, or the status of an exception that a kernel raised.
///
/// # Safety
///
/// Compiled code calls it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_device_fence(mode: i32, place: i32, error: *mut PyoptError) -> i32 {
    let Some(session) = session::current() else {
        return 0;
    };
    // SAFETY: the caller's promise.
    unsafe { reported(error, || session.fence(mode == 2, None, place)) }
}

/// As [`pyopt_device_fence`], for the memory of arguments alone.
///
/// # Safety
///
/// Compiled code calls it, with `count` arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_device_fence_of(
    mode: i32,
    place: i32,
    args: *const Arg,
    count: i64,
    error: *mut PyoptError,
) -> i32 {
    let Some(session) = session::current() else {
        return 0;
    };
    // SAFETY: the caller's promise.
    unsafe {
        reported(error, || {
            let memory = slice(args, count).iter().filter(|arg| arg.is_memory());
            let ranges: SmallVec<[Range<usize>; 8]> = memory.map(Arg::range).collect();
            session.fence(mode == 2, Some(&ranges), place)
        })
    }
}

/// # Safety
///
/// There are so many, or none.
unsafe fn slice<'a>(args: *const Arg, count: i64) -> &'a [Arg] {
    match count {
        0 => &[],
        // SAFETY: the caller's promise.
        _ => unsafe { std::slice::from_raw_parts(args, count as usize) },
    }
}
