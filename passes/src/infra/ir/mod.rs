//! Reading and changing IR, where melior's API doesn't suffice.
//!
//! The traits here extend melior's references. All of them keep `'a`, the lifetime of the IR a pass
//! works on, so that references found by walking can be stored, compared and used as operands of
//! new operations. As everywhere in MLIR, a pass must not use what it has erased.

mod aggregate;
mod attributes;
mod block;
mod dead;
mod dominance;
mod interfaces;
mod key;
mod operation;
mod value;

pub(crate) use self::attributes::dictionary_entry;
pub use self::{
    aggregate::{array_elements, struct_fields},
    attributes::{AttributeExt, OperationAttributes},
    block::{BlockExt, RegionExt},
    dead::erase_unused,
    dominance::Dominance,
    interfaces::{
        Access, Dimension, Effect, InterfaceModel, OperationInterfaces, Raises, view_root,
    },
    key::{Identity, Key},
    operation::{OperationExt, parse_operation},
    value::{Use, ValueExt, types_of},
};

pub(crate) use self::attributes::{internal_linkage, is_subprogram};

#[cfg(test)]
mod tests;
