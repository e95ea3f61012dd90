//! What kernels raise: the memory that they say it in, and what the host makes of it.

use std::{cell::RefCell, ffi::c_void, mem::offset_of};

use smallvec::SmallVec;

use super::{
    Result,
    driver::RawBuffer,
    pool::Buffer,
    registry::{OpenDevice, Queue},
};
use crate::{error::PyoptError, exception::pyopt_hold};

/// How many values the message of an exception of a kernel has at most.
const MOST_VALUES: usize = 15;

/// What kernels write of an exception.
#[repr(C)]
struct Failure {
    status: i32,
    /// How many values there are.
    count: i32,
    values: [i64; MOST_VALUES],
}

thread_local! {
    /// The values of the message of what a kernel raised last for this thread.
    static FAILED_WITH: RefCell<SmallVec<[i64; 4]>> = RefCell::default();
}

/// Puts the values of the message of what a kernel raised last, if it has some, into the record that is left with
/// its status.
///
/// # Safety
///
/// The record is that of the code that is left, and has no exception yet.
pub unsafe fn hold_values(error: *mut PyoptError) {
    let values = FAILED_WITH.take();
    if values.is_empty() {
        return;
    }
    // SAFETY: the caller's promise; there are fewer values than the record has room for.
    unsafe {
        (*error).depth = 0;
        for (at, value) in values.iter().enumerate() {
            (*error).sites[at] = *value;
        }
        pyopt_hold(error, values.len() as i64);
    }
}

/// Where the kernels of a session say what they raise.
#[derive(Default)]
pub(super) struct Failures {
    memory: Option<Buffer>,
    /// Whether a kernel was launched that may have raised something which nobody has read.
    is_pending: bool,
}

impl Failures {
    /// The memory, with nothing in it at first.
    pub(super) fn place(&mut self, device: &OpenDevice, queue: &Queue) -> Result<RawBuffer> {
        if let Some(memory) = &self.memory {
            return Ok(memory.raw);
        }
        let memory = device.take(size_of::<Failure>())?;
        let raw = memory.raw;
        self.memory = Some(memory);
        clear(device, queue, raw)?;
        Ok(raw)
    }

    /// Notes that a kernel was launched which may raise something.
    pub(super) fn expect(&mut self) {
        self.is_pending = true;
    }

    /// The status of what a kernel raised, or 0; it waits for those that may have. The values of its message are
    /// for [`hold_values`].
    pub(super) fn status(&mut self, device: &OpenDevice, queue: &Queue) -> Result<i32> {
        let Some(memory) = self.memory.as_ref().filter(|_| self.is_pending) else {
            return Ok(0);
        };
        let read = |into: *mut c_void, offset: usize, size: usize| {
            // SAFETY: the memory and what is read into have so many bytes; that lives until the queue was
            // waited for.
            unsafe {
                let copied = device
                    .device
                    .copy_out(queue.raw, memory.raw, offset, into, size);
                let waited = queue.synchronize();
                copied.and(waited)
            }
        };
        let [mut status, mut count] = [0i32; 2];
        read((&raw mut status).cast(), 0, size_of::<i32>())?;
        self.is_pending = false;
        if status == 0 {
            return Ok(0);
        }
        let offset = offset_of!(Failure, count);
        read((&raw mut count).cast(), offset, size_of::<i32>())?;
        let mut values = [0i64; MOST_VALUES];
        let count = usize::try_from(count).unwrap_or(0).min(MOST_VALUES);
        if count != 0 {
            let offset = offset_of!(Failure, values);
            read((&raw mut values).cast(), offset, count * size_of::<i64>())?;
        }
        FAILED_WITH.set(SmallVec::from_slice(&values[..count]));
        clear(device, queue, memory.raw)?;
        Ok(status)
    }

    /// Whether there is memory.
    pub(super) fn has_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// Gives the memory up.
    pub(super) fn take(&mut self) -> Option<Buffer> {
        self.memory.take()
    }
}

fn clear(device: &OpenDevice, queue: &Queue, memory: RawBuffer) -> Result<()> {
    static NONE: [i32; 2] = [0; 2];
    // SAFETY: the constant has so many bytes, and so has the memory.
    unsafe {
        let none = (&raw const NONE).cast();
        let size = size_of_val(&NONE);
        device.device.copy_in(queue.raw, none, size, memory, 0)
    }
}
