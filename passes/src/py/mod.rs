//! Passes on the `py` dialect: Python before its types are known.
//!
//! Each public module is a pass: `build.rs` registers its `PASS`. Helpers are private modules.

mod asked_attributes;
pub(crate) mod bindings;
pub(crate) mod blocks;
mod capture;
mod captured_defaults;
mod closure_plans;
mod consumers;
pub mod convert_assignments;
pub mod convert_closures;
mod copies;
mod diagnostics;
pub(crate) mod edges;
mod escapes;
pub mod expand_chunksize;
pub mod expand_intrinsics;
pub mod expand_with;
pub mod expand_yield_from;
pub mod fixup_args;
pub(crate) mod function;
mod function_object;
pub mod inline;
pub mod inline_closures;
pub mod inline_contexts;
mod inlining;
pub mod keep_results;
pub mod lift_loops;
pub mod lift_with;
pub mod literal_unroll;
pub mod literals;
pub mod live_variables;
pub(crate) mod mentions;
pub mod print_cfg;
pub mod promote_cells;
mod protect;
pub mod prune_branches;
pub mod resolve_callees;
pub mod resolve_names;
pub mod semantic_constants;
mod single_values;
pub mod sink_iterables;
pub mod translate_bytecode;
pub(crate) mod tuple_items;
mod type_syntax;
pub mod unroll_tuples;
mod unrolling;
