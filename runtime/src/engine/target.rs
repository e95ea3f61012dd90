//! The host's target machine: its triple, CPU and features, and a pool of machines to compile with.

use std::{
    env,
    ffi::{CStr, CString},
    ptr,
    ptr::NonNull,
    sync::{LazyLock, Mutex, Once, PoisonError},
};

use llvm_sys::{
    core::{LLVMGetVersion, LLVMSetTarget},
    prelude::LLVMModuleRef,
    support::LLVMParseCommandLineOptions,
    target::{LLVMDisposeTargetData, LLVMSetModuleDataLayout},
    target_machine::*,
};

use libc::c_char;
use serde::Serialize;

use super::{
    Tier,
    error::{EngineError, Phase, take_message},
};
use crate::fork;

unsafe extern "C" {
    fn pyoptUnknownOfTarget(
        triple: *const c_char,
        cpu: *const c_char,
        features: *const c_char,
    ) -> *mut c_char;
}

/// The CPU to compile for instead of the one that is found, with none but its own features; as
/// Numba's `NUMBA_CPU_NAME`.
const CPU_VARIABLE: &str = "PYOPT_CPU_NAME";
/// The features to compile for instead of those that are found, such as `+avx2,-fma`.
const FEATURES_VARIABLE: &str = "PYOPT_CPU_FEATURES";
/// What code for x86-64 does without: LLVM takes the gathers of newer Intel CPUs for fast, where loads of the
/// elements, and shuffles of rows that are read whole, were measured two to six times as fast.
const NO_GATHERS: &str = "+prefer-no-gather";

/// The machine that code is compiled for, as LLVM names it: the one this process runs on, unless the
/// environment names another. Part of the key of cached object code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Host {
    /// Target triple, such as `x86_64-pc-linux-gnu`.
    pub triple: String,
    /// CPU name, such as `znver4`.
    pub cpu: String,
    /// Feature string, such as `+avx2,-avx512f`.
    pub features: String,
    /// The version of LLVM: what is linked isn't part of our sources.
    pub llvm: (u32, u32, u32),
}

impl Host {
    /// The current host.
    pub fn current() -> &'static Self {
        static HOST: LazyLock<Host> = LazyLock::new(|| {
            let named = |variable| env::var(variable).ok().filter(|text| !text.is_empty());
            let cpu = named(CPU_VARIABLE);
            // SAFETY: the functions return strings of ours and have no precondition.
            let found = unsafe {
                [
                    LLVMGetDefaultTargetTriple,
                    LLVMGetHostCPUName,
                    LLVMGetHostCPUFeatures,
                ]
                .map(|of| take_message(of()))
            };
            let [triple, host_cpu, host_features] = found;
            let features = named(FEATURES_VARIABLE).unwrap_or_else(|| match cpu {
                Some(_) => String::new(),
                None if triple.starts_with("x86_64") => format!("{host_features},{NO_GATHERS}"),
                None => host_features,
            });
            Host {
                triple,
                cpu: cpu.unwrap_or(host_cpu),
                features,
                llvm: llvm_version(),
            }
        });
        &HOST
    }

    /// Refuses names that LLVM doesn't know, which come from the environment: it would compile for
    /// another machine then.
    fn check(&self) -> Result<(), EngineError> {
        let [triple, cpu, features] =
            [&self.triple, &self.cpu, &self.features].map(|text| c_string(text));
        // SAFETY: the three are C strings; the returned text is ours or null.
        let unknown = unsafe {
            take_message(pyoptUnknownOfTarget(
                triple.as_ptr(),
                cpu.as_ptr(),
                features.as_ptr(),
            ))
        };
        if unknown.is_empty() {
            return Ok(());
        }
        let variable = match unknown == self.cpu {
            true => CPU_VARIABLE,
            false => FEATURES_VARIABLE,
        };
        let message = format!(
            "{variable} names '{unknown}', which LLVM doesn't know for {}",
            self.triple
        );
        Err(EngineError::new(Phase::Target, message))
    }
}

fn llvm_version() -> (u32, u32, u32) {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: the three places are live.
    unsafe { LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    (major, minor, patch)
}

/// Makes the native target known to LLVM.
fn initialize_native() {
    static INITIALIZED: Once = Once::new();
    // SAFETY: registration functions of targets that are linked in; `Once` serialises them.
    INITIALIZED.call_once(|| unsafe {
        #[cfg(target_arch = "x86_64")]
        {
            use llvm_sys::target::*;
            LLVMInitializeX86TargetInfo();
            LLVMInitializeX86Target();
            LLVMInitializeX86TargetMC();
            LLVMInitializeX86AsmPrinter();
            LLVMInitializeX86AsmParser();
            set_options(&OPTIONS_OF_X86);
        }
        #[cfg(target_arch = "aarch64")]
        {
            use llvm_sys::target::*;
            LLVMInitializeAArch64TargetInfo();
            LLVMInitializeAArch64Target();
            LLVMInitializeAArch64TargetMC();
            LLVMInitializeAArch64AsmPrinter();
            LLVMInitializeAArch64AsmParser();
        }
    });
}

/// LLVM turns conditional moves of innermost loops into branches where that shortens its estimate of the chain of
/// dependent instructions by four cycles. The least of three sums, as in a dynamic program, is then predicted wrong
/// every other time: more must be gained.
///
/// Scalars that are computed alike become a vector where LLVM counts at least one instruction less. It doesn't count
/// that a vector is put together from values of a recurrence, each of which then waits for the other one: that must
/// gain more than two.
#[cfg(target_arch = "x86_64")]
const OPTIONS_OF_X86: [&CStr; 3] = [
    c"pyopt",
    c"-x86-cmov-converter-threshold=8",
    c"-slp-threshold=2",
];

/// Sets options of LLVM's that only its command line has; the first is the name of the program.
///
/// # Safety
///
/// Nothing compiles meanwhile: LLVM reads them without a lock.
#[cfg(target_arch = "x86_64")]
unsafe fn set_options(options: &[&CStr]) {
    let options: Vec<_> = options.iter().map(|option| option.as_ptr()).collect();
    // SAFETY: LLVM copies what it keeps of the texts.
    unsafe { LLVMParseCommandLineOptions(options.len() as i32, options.as_ptr(), ptr::null()) }
}

/// Makes the NVPTX target known to LLVM.
fn initialize_nvptx() {
    static INITIALIZED: Once = Once::new();
    // SAFETY: as in `initialize_native`.
    INITIALIZED.call_once(|| unsafe {
        use llvm_sys::target::*;
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
    });
}

/// A code generator.
#[derive(Debug)]
pub struct TargetMachine {
    raw: NonNull<LLVMOpaqueTargetMachine>,
}

// SAFETY: a target machine has no thread affinity; it is used through `&mut` or by one owner.
unsafe impl Send for TargetMachine {}

impl TargetMachine {
    /// Creates a position-independent code generator for the host's CPU with all its features.
    pub fn host(tier: Tier) -> Result<Self, EngineError> {
        initialize_native();
        let host = Host::current();
        if [CPU_VARIABLE, FEATURES_VARIABLE].map(env::var_os) != [None, None] {
            host.check()?;
        }
        Self::new(&host.triple, &host.cpu, &host.features, tier)
    }

    /// Creates a PTX generator for an NVIDIA architecture such as `sm_90`.
    pub(super) fn nvptx(chip: &str) -> Result<Self, EngineError> {
        initialize_nvptx();
        Self::new("nvptx64-nvidia-cuda", chip, "", Tier::O3)
    }

    fn new(triple: &str, cpu: &str, features: &str, tier: Tier) -> Result<Self, EngineError> {
        let c_triple = c_string(triple);
        let mut target = ptr::null_mut();
        let mut message = ptr::null_mut();
        // SAFETY: the triple is a C string and the result slots are live.
        let failed =
            unsafe { LLVMGetTargetFromTriple(c_triple.as_ptr(), &mut target, &mut message) };
        // SAFETY: LLVM allocates the message on failure and leaves null otherwise.
        let message = unsafe { take_message(message) };
        if failed != 0 {
            return Err(EngineError::new(Phase::Target, message));
        }
        // SAFETY: the target was found above and the strings live through the call.
        let raw = unsafe {
            LLVMCreateTargetMachine(
                target,
                c_triple.as_ptr(),
                c_string(cpu).as_ptr(),
                c_string(features).as_ptr(),
                tier.codegen_level(),
                LLVMRelocMode::LLVMRelocPIC,
                LLVMCodeModel::LLVMCodeModelSmall,
            )
        };
        match NonNull::new(raw) {
            Some(raw) => Ok(Self { raw }),
            None => Err(EngineError::new(
                Phase::Target,
                format!("LLVM cannot generate code for {triple}"),
            )),
        }
    }

    /// The raw target machine.
    pub fn as_raw(&self) -> LLVMTargetMachineRef {
        self.raw.as_ptr()
    }

    /// Gives a module this machine's triple and data layout.
    ///
    /// # Safety
    ///
    /// `module` is a live module that nobody else uses meanwhile.
    pub(super) unsafe fn adopt(&mut self, module: LLVMModuleRef) {
        // SAFETY: module and machine are live; the triple and layout are copied into the module.
        unsafe {
            let triple = LLVMGetTargetMachineTriple(self.as_raw());
            LLVMSetTarget(module, triple);
            take_message(triple);
            let layout = LLVMCreateTargetDataLayout(self.as_raw());
            LLVMSetModuleDataLayout(module, layout);
            LLVMDisposeTargetData(layout);
        }
    }

    /// Hands the raw machine to whoever disposes of it.
    pub(super) fn into_raw(self) -> LLVMTargetMachineRef {
        let raw = self.as_raw();
        std::mem::forget(self);
        raw
    }
}

impl Drop for TargetMachine {
    fn drop(&mut self) {
        // SAFETY: the machine is ours.
        unsafe { LLVMDisposeTargetMachine(self.as_raw()) };
    }
}

/// Runs `work` with a machine for `tier`, made once and reused: making one costs as much as
/// compiling a small function.
pub(super) fn with_machine<R>(
    tier: Tier,
    work: impl FnOnce(&mut TargetMachine) -> Result<R, EngineError>,
) -> Result<R, EngineError> {
    static IDLE: [Mutex<Vec<TargetMachine>>; 3] = [const { Mutex::new(Vec::new()) }; 3];
    let idle = &IDLE[tier as usize];
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);

    let reused = fork::guarded(|| lock().pop());
    let mut machine = match reused {
        Some(machine) => machine,
        None => fork::guarded(|| TargetMachine::host(tier))?,
    };
    let result = work(&mut machine);
    fork::guarded(|| lock().push(machine));
    result
}

fn c_string(text: &str) -> CString {
    CString::new(text).expect("LLVM's names hold no null byte")
}
