//! Compiled functions that C code calls.
//!
//! C code has an address alone. What it takes to handle an exception there, and to run Python code, is
//! found by that address as long as the function lives.

use std::collections::HashMap;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyopt_passes::compile::Site;
use pyopt_runtime::error::PyoptError;
use pyopt_runtime::fork::Table;
use pyopt_runtime::symbols;

use crate::detached::attach;
use crate::objmode::{Host, ObjectCall};
use crate::raise;
use crate::unbox::ArgBuffer;

/// What the name of the symbol begins with; the name of the Python function follows.
pub const PREFIX: &str = "pyopt_c_entry.";

/// A function that C code calls. It stays registered until this is dropped.
pub struct CEntry {
    /// Its address.
    pub address: usize,
    /// Its symbol.
    pub symbol: String,
}

/// What there is to know when such a function runs.
struct Known {
    name: String,
    sites: Vec<Site>,
    /// Refers to what the other field owns.
    host: Option<Host<'static>>,
    _objects: Arc<[ObjectCall]>,
}

static KNOWN: Table<HashMap<usize, Arc<Known>>> = Table::new();

fn find(address: *const c_void) -> Option<Arc<Known>> {
    let known = KNOWN.lock();
    known.get(&address.addr()).cloned()
}

impl CEntry {
    /// Registers a function by its address.
    pub fn new(
        address: usize,
        symbol: String,
        sites: &[Site],
        objects: &Arc<[ObjectCall]>,
    ) -> Self {
        let host = (!objects.is_empty()).then(|| {
            // SAFETY: they are behind a pointer that doesn't move, and are dropped with the host.
            let objects: &'static [ObjectCall] = unsafe { &*Arc::as_ptr(objects) };
            Host::new(objects)
        });
        let known = Known {
            name: symbol.trim_start_matches(PREFIX).to_owned(),
            sites: sites.to_vec(),
            host,
            _objects: objects.clone(),
        };
        let mut table = KNOWN.lock();
        table.insert(address, Arc::new(known));
        Self { address, symbol }
    }
}

impl Drop for CEntry {
    fn drop(&mut self) {
        let mut known = KNOWN.lock();
        let gone = known.remove(&self.address);
        drop(known);
        drop(gone);
    }
}

/// Makes known to compiled code what it calls.
pub fn load() {
    symbols::register([
        (c"pyopt_c_begin", pyopt_c_begin as *const () as usize),
        (c"pyopt_c_failed", pyopt_c_failed as *const () as usize),
    ]);
}

/// Prepares the error record of a call. `address` is null where no Python code is run.
unsafe extern "C" fn pyopt_c_begin(address: *const c_void, error: *mut PyoptError) {
    let host = match address.is_null() {
        true => ptr::null(),
        // The address stays good: the table holds the host as long as the function is there to run.
        false => find(address).map_or(ptr::null(), |known| {
            known.host.as_ref().map_or(ptr::null(), Host::address)
        }),
    };
    // SAFETY: compiled code made room for a record.
    unsafe { PyoptError::prepare(error, host) };
}

/// Tells Python of an exception that nobody can handle: C code called.
unsafe extern "C" fn pyopt_c_failed(address: *const c_void, error: *mut PyoptError, status: i32) {
    // SAFETY: it may be asked at any time. Without an interpreter there is nobody to tell.
    if unsafe { ffi::Py_IsInitialized() } == 0 {
        return;
    }
    attach(|py| {
        let known = find(address);
        let (name, sites) = known.as_ref().map_or(("a C function", &[][..]), |known| {
            (&known.name, &known.sites)
        });
        // What the thread was about to raise stays.
        let pending = PyErr::take(py);
        // SAFETY: compiled code filled the record, and its arguments hold no arrays. The GIL is held.
        let told = AssertUnwindSafe(|| unsafe {
            raise::raise(sites, status, error, &ArgBuffer::default());
            ffi::PyErr_WriteUnraisable(PyString::new(py, name).as_ptr());
        });
        // Nothing may unwind into C.
        let _ = catch_unwind(told);
        if let Some(pending) = pending {
            pending.restore(py);
        }
    });
}
