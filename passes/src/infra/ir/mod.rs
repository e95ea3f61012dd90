//! Reading and changing IR, where melior leaves something to wish for.
//!
//! The traits here extend melior's references. All of them keep `'a`, the lifetime of the IR a
//! pass works on, so that what is found by walking can be stored, compared and used in new
//! operations. As everywhere in MLIR it is the pass that knows when it has erased something.

mod attributes;
mod block;
mod dead;
mod dominance;
mod operation;
mod value;

pub use self::{
    attributes::{AttributeExt, OperationAttributes},
    block::{BlockExt, RegionExt},
    dead::erase_unused,
    dominance::Dominance,
    operation::{OperationExt, parse_operation},
    value::{Use, ValueExt},
};

#[cfg(test)]
mod tests;
