//! Loads object code into the process with ORC's LLJIT.
//!
//! One LLJIT serves the process, made on first use and never torn down. Every loaded object has a
//! JITDylib to itself, so names in different objects never meet. Its unresolved symbols are
//! answered by [`crate::symbols`]. The C API cannot delete a JITDylib, so emptied ones are reused.

use std::{
    ffi::{CStr, CString, c_void},
    ptr,
    ptr::NonNull,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};

use llvm_sys::{
    core::LLVMCreateMemoryBufferWithMemoryRangeCopy,
    error::LLVMErrorRef,
    orc2::{lljit::*, *},
};

use super::{
    Tier, debuggers,
    error::{EngineError, Phase, check},
    object::ObjectCode,
    target::TargetMachine,
};
use crate::{fork, kept_results, symbols};

/// The process's JIT.
struct Jit {
    lljit: LLVMOrcLLJITRef,
    session: LLVMOrcExecutionSessionRef,
    /// Empty JITDylibs, ready to be used again.
    idle: Mutex<Vec<Dylib>>,
    created: AtomicUsize,
    /// What the session reported besides the errors it returned: which symbols are missing, say.
    reports: &'static Reports,
}

type Reports = Mutex<Vec<String>>;

#[derive(Clone, Copy, Debug)]
struct Dylib(NonNull<LLVMOrcOpaqueJITDylib>);

// SAFETY: JITDylibs are ORC objects, which synchronise on the session's lock.
unsafe impl Send for Dylib {}
// SAFETY: as above.
unsafe impl Sync for Dylib {}

// SAFETY: LLJIT and its execution session are made for concurrent use.
unsafe impl Send for Jit {}
// SAFETY: as above.
unsafe impl Sync for Jit {}

/// Describes code that is loaded from now on to gdb, which nobody pays for before.
pub fn show_to_gdb() -> Result<(), EngineError> {
    Jit::get()?.show_to_gdb()
}

impl Jit {
    fn get() -> Result<&'static Self, EngineError> {
        static JIT: OnceLock<Result<Jit, EngineError>> = OnceLock::new();
        let jit = match JIT.get() {
            Some(jit) => jit,
            // Inside the gate, so that no child inherits a half-made JIT.
            None => fork::guarded(|| JIT.get_or_init(Self::new)),
        };
        jit.as_ref().map_err(Clone::clone)
    }

    fn new() -> Result<Self, EngineError> {
        let machine = TargetMachine::host(Tier::Lean)?;
        let mut lljit = ptr::null_mut();
        // SAFETY: each object is handed to the next call, which takes it over; the result slot is
        // live and, when there is no error, filled.
        unsafe {
            let machine = LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine.into_raw());
            let builder = LLVMOrcCreateLLJITBuilder();
            LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(builder, machine);
            check(LLVMOrcCreateLLJIT(&mut lljit, builder), Phase::Target)?;
            debuggers::describe(lljit)?;
        }
        let reports: &'static Reports = Box::leak(Box::default());
        // SAFETY: the LLJIT was just made; the reports live as long as the process, as it does.
        let session = unsafe {
            let session = LLVMOrcLLJITGetExecutionSession(lljit);
            let context = ptr::from_ref(reports).cast_mut().cast();
            LLVMOrcExecutionSessionSetErrorReporter(session, keep_report, context);
            session
        };
        Ok(Self {
            lljit,
            session,
            idle: Mutex::default(),
            created: AtomicUsize::new(0),
            reports,
        })
    }

    fn show_to_gdb(&self) -> Result<(), EngineError> {
        // SAFETY: the LLJIT lives as long as the process.
        unsafe { debuggers::describe_to_gdb(self.lljit) }
    }

    fn dylib(&self) -> Dylib {
        let reused = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        reused.unwrap_or_else(|| {
            let number = self.created.fetch_add(1, Ordering::Relaxed);
            let name = CString::new(format!("pyopt{number}")).expect("no null byte");
            // SAFETY: the name is new to the session; the generator has no state to dispose of.
            unsafe {
                let dylib = LLVMOrcExecutionSessionCreateBareJITDylib(self.session, name.as_ptr());
                let generator = LLVMOrcCreateCustomCAPIDefinitionGenerator(
                    define_runtime_symbols,
                    ptr::null_mut(),
                    dispose_nothing,
                );
                LLVMOrcJITDylibAddGenerator(dylib, generator);
                Dylib(NonNull::new(dylib).expect("LLVM made a JITDylib"))
            }
        })
    }

    /// Frees what a JITDylib holds and keeps it for the next object. One that cannot be cleared
    /// is not used again.
    fn recycle(&self, dylib: Dylib) {
        // SAFETY: nobody uses the dylib's code any more: its `LoadedCode` is gone.
        let cleared = unsafe { check(LLVMOrcJITDylibClear(dylib.0.as_ptr()), Phase::Load) };
        if cleared.is_ok() {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push(dylib);
        }
    }

    /// Adds what the session reported since to an error.
    fn explain(&self, error: EngineError) -> EngineError {
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lines = vec![error.message().to_owned()];
        for report in reports.drain(..) {
            if !lines.contains(&report) {
                lines.push(report);
            }
        }
        EngineError::new(error.phase(), lines.join("; "))
    }
}

/// Machine code in this process. Dropping it frees the code: whoever holds addresses from
/// [`LoadedCode::lookup`] must not call them afterwards, nor drop this while a call runs.
#[derive(Debug)]
pub struct LoadedCode {
    dylib: Dylib,
}

impl LoadedCode {
    /// Loads an object. It is linked when the first symbol is looked up.
    pub fn load(object: &ObjectCode) -> Result<Self, EngineError> {
        let jit = Jit::get()?;
        fork::guarded(|| {
            let code = object.bytes();
            let dylib = jit.dylib();
            // SAFETY: the buffer is a copy of the object which LLJIT takes over, and the dylib
            // belongs to this LLJIT.
            let loaded = unsafe {
                let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                    code.as_ptr().cast(),
                    code.len(),
                    c"pyopt".as_ptr(),
                );
                check(
                    LLVMOrcLLJITAddObjectFile(jit.lljit, dylib.0.as_ptr(), buffer),
                    Phase::Load,
                )
            };
            match loaded {
                Ok(()) => Ok(Self { dylib }),
                Err(error) => {
                    jit.recycle(dylib);
                    Err(jit.explain(error))
                }
            }
        })
    }

    /// The address of a symbol. It is valid until `self` is dropped; its type is what the
    /// compiler that emitted the object says.
    pub fn lookup(&self, name: &str) -> Result<NonNull<c_void>, EngineError> {
        let c_name = CString::new(name)
            .map_err(|_| EngineError::new(Phase::Lookup, "the symbol name holds a null byte"))?;
        let jit = Jit::get()?;
        let address = fork::guarded(|| {
            let (sender, receiver) = mpsc::channel();
            let sender: Box<Sender> = Box::new(sender);
            let mut order = LLVMOrcCJITDylibSearchOrderElement {
                JD: self.dylib.0.as_ptr(),
                JDLookupFlags:
                    LLVMOrcJITDylibLookupFlags::LLVMOrcJITDylibLookupFlagsMatchExportedSymbolsOnly,
            };
            // SAFETY: the name is interned for the lookup, which takes that reference over; the
            // two one-element arrays are copied; the handler runs once and frees the sender.
            unsafe {
                let mut wanted = LLVMOrcCLookupSetElement {
                    Name: LLVMOrcExecutionSessionIntern(jit.session, c_name.as_ptr()),
                    LookupFlags: LLVMOrcSymbolLookupFlags::LLVMOrcSymbolLookupFlagsRequiredSymbol,
                };
                LLVMOrcExecutionSessionLookup(
                    jit.session,
                    LLVMOrcLookupKind::LLVMOrcLookupKindDLSym,
                    &mut order,
                    1,
                    &mut wanted,
                    1,
                    send_address,
                    Box::into_raw(sender).cast(),
                );
            }
            let address = receiver.recv().unwrap_or_else(|_| {
                Err(EngineError::new(Phase::Lookup, "the lookup was abandoned"))
            });
            address.map_err(|error| jit.explain(error))
        })?;
        NonNull::new(address as *mut c_void)
            .ok_or_else(|| EngineError::new(Phase::Lookup, format!("'{name}' has no address")))
    }
}

impl Drop for LoadedCode {
    fn drop(&mut self) {
        if let Ok(jit) = Jit::get() {
            kept_results::forget();
            fork::guarded(|| jit.recycle(self.dylib));
        }
    }
}

type Sender = mpsc::Sender<Result<LLVMOrcExecutorAddress, EngineError>>;

/// Receives the result of a lookup of one symbol.
extern "C" fn send_address(
    error: LLVMErrorRef,
    result: LLVMOrcCSymbolMapPairs,
    count: usize,
    sender: *mut c_void,
) {
    // SAFETY: `LoadedCode::lookup` made the pointer from such a box, for this one call.
    let sender = unsafe { Box::from_raw(sender.cast::<Sender>()) };
    // SAFETY: the error is ours to consume.
    let address = unsafe { check(error, Phase::Lookup) }.and_then(|()| {
        if count == 1 {
            // SAFETY: on success `result` points to `count` pairs.
            Ok(unsafe { (*result).Sym.Address })
        } else {
            Err(EngineError::new(Phase::Lookup, "the symbol was not found"))
        }
    });
    // The receiver waits for exactly this message; if it is gone there is nobody to tell.
    let _ = sender.send(address);
}

/// Keeps what the session would print to standard error.
extern "C" fn keep_report(reports: *mut c_void, error: LLVMErrorRef) {
    // SAFETY: the reporter was installed with the address of the leaked reports.
    let reports = unsafe { &*reports.cast::<Reports>() };
    // SAFETY: the error is ours to consume.
    if let Err(error) = unsafe { check(error, Phase::Lookup) } {
        let mut reports = reports.lock().unwrap_or_else(PoisonError::into_inner);
        reports.push(error.message().to_owned());
    }
}

/// The generator of runtime symbols has no state.
extern "C" fn dispose_nothing(_context: *mut c_void) {}

/// Defines those of the wanted symbols that the runtime or the process has. The others stay
/// undefined, and the lookup fails with their names.
extern "C" fn define_runtime_symbols(
    _generator: LLVMOrcDefinitionGeneratorRef,
    _context: *mut c_void,
    _state: *mut LLVMOrcLookupStateRef,
    kind: LLVMOrcLookupKind,
    dylib: LLVMOrcJITDylibRef,
    _flags: LLVMOrcJITDylibLookupFlags,
    wanted: LLVMOrcCLookupSet,
    count: usize,
) -> LLVMErrorRef {
    // Only what an object refers to: `LoadedCode::lookup` is for what an object defines.
    if kind == LLVMOrcLookupKind::LLVMOrcLookupKindDLSym {
        return ptr::null_mut();
    }
    let mut pairs = Vec::new();
    for index in 0..count {
        // SAFETY: `wanted` points to `count` elements whose names live through this call.
        let (entry, name) = unsafe {
            let entry = (*wanted.add(index)).Name;
            (
                entry,
                CStr::from_ptr(LLVMOrcSymbolStringPoolEntryStr(entry)),
            )
        };
        if let Some(address) = symbols::address(name) {
            // SAFETY: the name is live; the reference goes to `LLVMOrcAbsoluteSymbols` below.
            unsafe { LLVMOrcRetainSymbolStringPoolEntry(entry) };
            pairs.push(LLVMOrcCSymbolMapPair {
                Name: entry,
                Sym: LLVMJITEvaluatedSymbol {
                    Address: address.as_ptr() as u64,
                    Flags: LLVMJITSymbolFlags {
                        GenericFlags: LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported
                            as u8,
                        TargetFlags: 0,
                    },
                },
            });
        }
    }
    if pairs.is_empty() {
        return ptr::null_mut();
    }
    // SAFETY: the pairs are copied and own their names; the dylib is live and takes the unit.
    unsafe {
        let unit = LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
        let error = LLVMOrcJITDylibDefine(dylib, unit);
        if !error.is_null() {
            LLVMOrcDisposeMaterializationUnit(unit);
        }
        error
    }
}
