//! The library's functions that this process has compiled, for all programs that call them.

use std::collections::HashMap;
use std::ffi::CString;
use std::sync::Arc;

use pyo3::prelude::*;
use pyopt_passes::compile::Site;
use pyopt_passes::linking::{LibraryCall, Linked, Linker, set_linker};
use pyopt_runtime::engine::{Clock, TieredCode};
use pyopt_runtime::{error::PyoptError, fork::Table, symbols};

use crate::compiler::{self, Entry};
use crate::detached::attach;
use crate::library_cache::{self, CompiledCall};
use crate::raise;
use crate::unbox::ArgBuffer;

/// A compiled function. It stays for ever, as the library does.
struct Kept {
    code: Arc<TieredCode>,
    sites: Vec<Site>,
}

/// What stands for each function.
type Functions = HashMap<LibraryCall, Linked>;

static KEPT: Table<Functions> = Table::new();

/// What this process has loaded for a call.
fn known(call: &LibraryCall) -> Option<Linked> {
    KEPT.lock().get(call).cloned()
}

/// This process's linker.
struct Library;

impl Linker for Library {
    fn find(&self, call: &LibraryCall) -> Option<Linked> {
        known(call).or_else(|| keep(call, library_cache::read(call)?))
    }

    fn compile(&self, call: &LibraryCall, result: &str) -> Option<Linked> {
        // What is on disk was looked for before the types were inferred.
        if let Some(known) = known(call) {
            return Some(known);
        }
        let compiled = CompiledCall {
            function: compiler::compile_library(call).ok()?,
            result: result.into(),
        };
        library_cache::write(call, &compiled);
        keep(call, compiled)
    }
}

/// Loads a function for all programs to come. Of two threads that come here with one function, both
/// go on with the first one's.
fn keep(call: &LibraryCall, compiled: CompiledCall) -> Option<Linked> {
    let CompiledCall { function, result } = compiled;
    let mut function = Some(Kept {
        code: TieredCode::load(function.module, Clock::Thread).ok()?,
        sites: function.sites,
    });
    // Declared before the lock: the code of who comes second is unloaded after it is open again.
    let mut kept = KEPT.lock();
    if let Some(known) = kept.get(call) {
        return Some(known.clone());
    }
    let linked = Linked {
        symbol: symbol(call),
        result,
    };
    let name = CString::new(linked.symbol.clone()).ok()?;
    let function: &Kept = Box::leak(Box::new(function.take()?));
    let address = std::ptr::from_ref(function) as usize;
    symbols::register([(&*Box::leak(name.into_boxed_c_str()), address)]);
    kept.insert(call.clone(), linked.clone());
    Some(linked)
}

/// What stands for a call in machine code. It is made of the call alone, so code that is kept on disk
/// means the same in every process.
fn symbol(call: &LibraryCall) -> String {
    // Texts and numbers can always be written.
    let call_bytes = postcard::to_allocvec(call).expect("calls can be written");
    let hash = blake3::hash(&call_bytes).to_hex();
    format!("{}.{}", call.function, &hash[..32])
}

/// The calls that some of a program's symbols stand for.
pub fn calls(symbols: &[String]) -> Vec<LibraryCall> {
    let kept = KEPT.lock();
    let used = kept
        .iter()
        .filter(|(_, linked)| symbols.contains(&linked.symbol));
    let mut calls: Vec<_> = used.map(|(call, _)| call.clone()).collect();
    calls.sort_by_cached_key(symbol);
    calls
}

/// Loads what stands for a call, if this or an earlier process has compiled it.
pub fn ensure(call: &LibraryCall) -> bool {
    Library.find(call).is_some()
}

/// Makes known how compiled code calls what is kept.
pub fn load() {
    symbols::register([(
        c"pyopt_call_library",
        pyopt_call_library as *const () as usize,
    )]);
    set_linker(Box::new(Library));
}

/// Calls a function with values in slots, as [`Entry`] does. An exception becomes an object: its
/// sites mean nothing to the caller.
unsafe extern "C" fn pyopt_call_library(
    error: *mut PyoptError,
    function: *const Kept,
    returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    // SAFETY: compiled code passes what the linker gave it, its own error record, and slots of the
    // types that the function was compiled for. Functions are never freed.
    unsafe {
        let function = &*function;
        let run = |entry: std::ptr::NonNull<_>| {
            let entry: Entry = std::mem::transmute(entry.as_ptr());
            entry(returned, error, arguments)
        };
        match function.code.run(run) {
            0 => 0,
            failed => attach(|py| {
                // Exceptions of the library have no arrays, so none of the arguments.
                raise::raise(&function.sites, failed, error, &ArgBuffer::default());
                raise::hand_over(PyErr::fetch(py), py, error)
            }),
        }
    }
}
