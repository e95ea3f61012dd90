//! Passes that leave our dialects for upstream's and LLVM's.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

mod abi;
mod alive;
mod c_abi;
mod control_flow;
pub mod define_device_functions;
pub mod describe_variables;
mod elementary;
mod emit;
pub mod expand_elementary;
mod externals;
pub mod hoist_headers;
pub mod kernels_to_host;
pub mod kernels_to_llvm_ir;
pub mod llvm_to_gpu;
pub mod lower_strided_access;
pub mod lower_structured_control_flow;
pub mod lower_traps;
pub mod name_subprograms;
mod operations;
pub mod require_llvm;
pub mod run_for_dialect;
mod slots;
pub mod split_aggregates;
pub mod store_variables;
mod subprogram;
pub mod tag_accesses;
pub mod typed_to_abi;
pub mod typed_to_memref;
mod types;
pub mod verify_module;

pub(crate) use abi::device::take_image;
