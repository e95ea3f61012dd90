//! What compiled code runs on: the JIT engine, memory, the parallel scheduler and kernels.
//!
//! This crate knows no dialect. It takes an LLVM module and gives callable code:
//!
//! ```
//! use pyopt_runtime::engine::{self, LlvmModule, LoadedCode, Tier};
//!
//! let text = "define i64 @add(i64 %a, i64 %b) {
//!   %sum = add i64 %a, %b
//!   ret i64 %sum
//! }";
//! let module = LlvmModule::from_ir(text)?;
//! let object = engine::compile(module, Tier::Lean)?;
//! let code = LoadedCode::load(&object)?;
//! let add = code.lookup("add")?;
//! // SAFETY: the type is the one in the text, and `code` outlives the call.
//! let add: extern "C" fn(i64, i64) -> i64 = unsafe { std::mem::transmute(add) };
//! assert_eq!(add(40, 2), 42);
//! # Ok::<(), engine::EngineError>(())
//! ```
//!
//! - [`engine`]: optimisation tiers, object code, loading. MLIR's translation makes its module in
//!   [`engine::LlvmContext::as_raw`] and hands it over with [`engine::LlvmModule::from_raw`].
//! - [`disk_cache`]: files that keep object code for later processes.
//! - [`memory`]: the reference-counted [`memory::Owner`] behind every array, and its counters.
//! - [`repeat`]: copies of arrays in which dimensions are repeated.
//! - [`lists`]: the lists of compiled code.
//! - [`tables`]: the dicts and sets of compiled code.
//! - [`sharing`]: structures that threads use at the same time.
//! - [`turns`]: turns of calls that use such structures, where the host has no global lock.
//! - [`text`]: texts, and what is computed of them.
//! - [`error`]: the record an exception leaves compiled code with.
//! - [`exception`]: what an exception keeps while compiled code handles it.
//! - [`scheduler`]: parallel regions, the number of threads.
//! - [`kernels`], [`complex`]: functions that compiled code calls by name.
//! - [`device`]: devices besides the CPU: drivers, memory, launches.
//! - [`random`]: random numbers. [`clock`]: the system's clocks.
//! - [`stack`]: how deep recursion may go.
//! - [`symbols`]: which names those are; [`c_functions`]: the names of C functions of other libraries.

pub mod border;
pub mod c_functions;
pub mod clock;
pub mod complex;
pub mod device;
pub mod disk_cache;
mod elements;
pub mod engine;
pub mod error;
pub mod exception;
pub mod fork;
pub mod identity;
pub mod keeping;
mod kept_results;
pub mod kernels;
pub mod lists;
mod made_constants;
pub mod memory;
mod pool;
pub mod products;
pub mod random;
pub mod repeat;
pub mod scheduler;
pub mod sharing;
pub mod stack;
pub mod symbols;
pub mod tables;
pub mod text;
pub mod turns;
