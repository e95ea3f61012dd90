//! Type inference: from `py` to `typed`.
//!
//! The analysis finds what is known of each value of a specialisation, to a fixed point over its
//! blocks and, through return types, over all of them; the emission then builds the typed functions.
//! Both run the same typing functions. From below, each part importing only those above it:
//!
//! - [`issue`], [`val`], [`arguments`], [`lattice`]: why typing stops, typed values, those that a call
//!   passes, and facts about values, whose join is that of their [types](crate::types::join);
//! - [`resolver`]: what the host has for calls: overloads and intrinsics;
//! - [`program`]: the functions of the module, the specialisations that are asked for, and the
//!   [state](program::flow) of the analysis of each;
//! - [`emit`]: the emitter, with which typing functions make their results; it carries the table of
//!   [rules](emit::Rules) by which one family of operations asks for another's ([`rules`]);
//! - [`families`]: operations by the types of their operands: numbers, arrays, lists, times, …;
//! - [`functions`]: the functions of Python's modules and NumPy's, by name;
//! - [`dispatch`]: which family each of Python's operations belongs to; it fills the table of rules;
//! - [`transfer`], [`step`]: what each operation of `py` means, with [`displays`] and [`keywords`] for
//!   what Python builds step by step, and [`refinement`], which tells lists what they will hold;
//! - [`flow`], [`unrolling`], [`emission`]: the analysis of a specialisation, loops that it takes apart,
//!   and the emission.

pub(crate) mod arguments;
pub(crate) mod dispatch;
mod displays;
pub(crate) mod emission;
pub(crate) mod emit;
mod empty_defaults;
pub(crate) mod families;
pub(crate) mod flow;
pub(crate) mod functions;
pub(crate) mod issue;
mod keywords;
pub(crate) mod lattice;
pub(crate) mod operator_kinds;
pub(crate) mod program;
mod refinement;
pub(crate) mod refusals;
pub mod resolver;
pub(crate) mod rules;
mod step;
pub(crate) mod transfer;
mod unrolling;
pub(crate) mod val;

pub use self::{families::linking, resolver as overloads};
