//! What the host knows of texts: how they are hashed in this process, and Unicode's tables, which are those
//! of its version.

use std::{
    ffi::{CStr, c_void},
    sync::OnceLock,
};

use super::{Answer, Arguments, Text};
use crate::error::PyoptError;

/// Hashes bytes as the host does.
pub type HashBytes = unsafe extern "C" fn(*const c_void, isize) -> isize;

/// Calls a method of a text, without arguments, that gives a text or a truth value: the name of the method,
/// the words of the text, where those of the result go. Gives the status of compiled code.
pub type CallMethod = unsafe fn(*mut PyoptError, &CStr, &[i64], *mut i64) -> i32;

static HASH: OnceLock<HashBytes> = OnceLock::new();
static METHOD: OnceLock<CallMethod> = OnceLock::new();

/// Says how bytes are hashed. Only the first answer counts.
pub fn on_text_hash(hash: HashBytes) {
    HASH.get_or_init(|| hash);
}

/// Says how methods of texts are called. Only the first answer counts.
pub fn on_text_method(method: CallMethod) {
    METHOD.get_or_init(|| method);
}

/// The hash of bytes. Without a host it is FNV-1a.
pub(super) fn hash(bytes: &[u8]) -> i64 {
    match HASH.get() {
        // SAFETY: the bytes are there.
        Some(hash) => unsafe { hash(bytes.as_ptr().cast(), bytes.len() as isize) as i64 },
        None => bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        }) as i64,
    }
}

/// Asks the host for the result of a method. A runtime without one has no tables: it can't go on.
pub(super) fn ask<T>(
    arguments: &Arguments,
    name: &CStr,
    text: Text,
    returned: *mut i64,
) -> Answer<T> {
    let method = METHOD
        .get()
        .expect("the host says how methods of texts are called");
    // SAFETY: the text stays during the call, and there is room for the result.
    Answer::Written(unsafe { method(arguments.error, name, &text.words(), returned) })
}
