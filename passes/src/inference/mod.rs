//! Type inference: from `py` to `typed`.

pub(crate) mod arguments;
pub(crate) mod dispatch;
mod displays;
pub(crate) mod emission;
pub(crate) mod emit;
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
pub(crate) mod rules;
mod step;
pub(crate) mod transfer;
pub(crate) mod val;

pub use families::{linking, overloads};
