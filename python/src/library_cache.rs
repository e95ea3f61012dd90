//! The library's functions that earlier processes have compiled.
//!
//! What a library function is compiled to depends on this version of the compiler and its extensions, on
//! the processor and on the call alone; that is the key. Where more would count, nothing is read or kept: with
//! debuggers the code describes itself, and rewrites and passes of the user's may change it.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::prelude::*;
use pyopt_passes::extension::fingerprint;
use pyopt_passes::linking::LibraryCall;
use pyopt_passes::rewrite::changes_library;
use pyopt_runtime::disk_cache::{DiskCache, Key};
use pyopt_runtime::engine::{Host, has_debuggers};
use serde::{Deserialize, Serialize};

use crate::compiler::LibraryFunction;
use crate::function_cache::VERSION;

/// What is kept of a call.
#[derive(Serialize, Deserialize)]
pub struct CompiledCall {
    /// The function, for this call's types.
    pub function: LibraryFunction,
    /// The typed type of the result.
    pub result: String,
}

static CACHE: LazyLock<Option<DiskCache>> =
    LazyLock::new(|| DiskCache::open("library", VERSION).ok());

static FOUND: AtomicU64 = AtomicU64::new(0);
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// How many of the library's functions this process has found on disk, and how many it has put
/// there.
#[pyfunction]
pub fn library_cache_stats() -> (u64, u64) {
    (
        FOUND.load(Ordering::Relaxed),
        WRITTEN.load(Ordering::Relaxed),
    )
}

/// What was compiled for a call.
pub fn read(call: &LibraryCall) -> Option<CompiledCall> {
    let (cache, key) = entry(call)?;
    let found = cache.read(key)?;
    FOUND.fetch_add(1, Ordering::Relaxed);
    Some(found)
}

/// Keeps what was compiled for a call, if it can be kept.
pub fn write(call: &LibraryCall, compiled: &CompiledCall) {
    if let Some((cache, key)) = entry(call) {
        // Without the file the next process compiles the function again.
        let label = format!("{}({})", call.function, call.arguments.join(", "));
        let written = cache.write(key, &label, compiled);
        WRITTEN.fetch_add(u64::from(written.is_ok()), Ordering::Relaxed);
    }
}

fn entry(call: &LibraryCall) -> Option<(&'static DiskCache, Key)> {
    if has_debuggers() || changes_library() {
        return None;
    }
    let extensions = fingerprint().ok()?;
    let cache = CACHE.as_ref()?;
    let key = (Host::current(), extensions, call);
    Some((cache, cache.key(&postcard::to_allocvec(&key).ok()?)))
}
