//! Typed functions, written by hand, compiled and run through their entry points.

mod arrays;
mod parallel;
mod scalars;

use pyopt_passes::{
    compile::{self, Site},
    create_context,
    infra::run_pipeline,
    pipelines::TYPED_TO_LLVM,
    register_passes,
};
use pyopt_runtime::{
    engine::{self, LlvmContext, LlvmModule, LoadedCode, Tier},
    error::PyoptError,
    memory::{Owner, OwnerKind, stats},
};
use std::{
    ffi::c_void,
    ptr,
    sync::{Once, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

type EntryPoint = unsafe extern "C" fn(*mut i64, *mut PyoptError, *const i64) -> i32;

/// Every program may allocate, and the counts are the process's: one that is counted runs alone.
static RUNNING: RwLock<()> = RwLock::new(());

/// The claim on [`RUNNING`] that a program holds as long as it can be called.
enum Claim {
    Shared(#[expect(dead_code, reason = "held, not read")] RwLockReadGuard<'static, ()>),
    Alone(#[expect(dead_code, reason = "held, not read")] RwLockWriteGuard<'static, ()>),
}

/// A compiled module.
struct Program {
    code: LoadedCode,
    sites: Vec<Site>,
    _claim: Claim,
}

/// What a call raised: the exception, its message, and the functions it came through.
#[derive(Debug, PartialEq)]
struct Raised(String, String, Vec<String>);

impl Program {
    fn new(text: &str) -> Self {
        let claim = RUNNING.read().unwrap_or_else(PoisonError::into_inner);
        Self::compile(text, Claim::Shared(claim))
    }

    /// A program whose allocations are counted.
    fn counted(text: &str) -> Self {
        let claim = RUNNING.write().unwrap_or_else(PoisonError::into_inner);
        Self::compile(text, Claim::Alone(claim))
    }

    fn compile(text: &str, claim: Claim) -> Self {
        static UPSTREAM: Once = Once::new();
        UPSTREAM.call_once(melior::utility::register_all_passes);
        register_passes();
        let context = create_context();
        let mut module = melior::ir::Module::parse(&context, text).expect("the text is MLIR");
        let pipeline = TYPED_TO_LLVM.text(&TYPED_TO_LLVM.default_options());
        run_pipeline(&context, &mut module, &pipeline).expect("it lowers");

        let llvm = LlvmContext::new();
        // SAFETY: the module is made in the fresh context, which goes with it.
        let module_ir = unsafe {
            let raw = compile::to_llvm_ir(&context, &module, llvm.as_raw().cast());
            LlvmModule::from_raw(raw.cast(), llvm).expect("it translates")
        };
        let object = engine::compile(module_ir, Tier::Lean).expect("it compiles");
        assert!(!compile::entries(&module).is_empty());
        Self {
            code: LoadedCode::load(&object).expect("it loads"),
            sites: compile::sites(&module),
            _claim: claim,
        }
    }

    /// Calls a function with the slots of its arguments; gives the slots of its results.
    fn call<const N: usize>(&self, function: &str, arguments: &[i64]) -> Result<[i64; N], Raised> {
        let address = self
            .code
            .lookup(&format!("pyopt_entry_{function}"))
            .expect("it is there");
        let mut results = [0; N];
        let mut error = PyoptError::new(std::ptr::null());
        // SAFETY: entries have this type, and the tests give them what their signature asks for.
        let status = unsafe {
            let entry = std::mem::transmute::<ptr::NonNull<c_void>, EntryPoint>(address);
            entry(results.as_mut_ptr(), &mut error, arguments.as_ptr())
        };
        if status == 0 {
            return Ok(results);
        }
        let site = |id: i64| {
            self.sites
                .iter()
                .find(|site| site.id == id)
                .expect("ids are sites")
        };
        let origin = site(status.into());
        // SAFETY: the record was filled by the call.
        drop(unsafe { PyoptError::take_payload(&raw mut error) });
        let calls = error
            .call_sites()
            .iter()
            .map(|id| site(*id).function.clone());
        Err(Raised(
            origin.exception.clone(),
            origin.message.clone().unwrap_or_default(),
            [origin.function.clone()].into_iter().chain(calls).collect(),
        ))
    }
}

/// An array of the host, as compiled code sees it.
struct Array<T> {
    owner: Box<Owner>,
    data: Vec<T>,
}

impl<T> Array<T> {
    fn new(data: Vec<T>) -> Self {
        Self {
            owner: Box::new(Owner::borrowed(ptr::null_mut())),
            data,
        }
    }

    fn slots(&mut self, sizes: &[i64], strides: &[i64]) -> Vec<i64> {
        let owner = ptr::from_mut(&mut *self.owner).addr() as i64;
        let data = self.data.as_mut_ptr().addr() as i64;
        [&[owner, data], sizes, strides].concat()
    }
}

fn f64s(slots: &[i64]) -> Vec<f64> {
    slots
        .iter()
        .map(|slot| f64::from_bits(*slot as u64))
        .collect()
}

fn bits(value: f64) -> i64 {
    value.to_bits() as i64
}
