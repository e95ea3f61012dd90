//! The types of the `typed` dialect, as inference and lowering see them: what is asked of a type, and
//! how types are made of others. Nothing here makes operations.
//!
//! Each family of types has a file; [`join`] says which type holds the values of two, [`display`]
//! how users read them.

pub(crate) mod addresses;
pub(crate) mod choices;
pub(crate) mod containers;
pub mod conversion;
pub(crate) mod debug_layout;
pub(crate) mod display;
pub(crate) mod exception_classes;
pub(crate) mod exceptions;
pub(crate) mod functions;
pub(crate) mod iteration;
pub(crate) mod join;
pub(crate) mod layout;
pub(crate) mod lists;
pub(crate) mod names;
pub mod number;
pub(crate) mod objects;
pub(crate) mod optional;
pub(crate) mod records;
pub(crate) mod scalar_names;
pub(crate) mod sequences;
pub(crate) mod tables;
pub(crate) mod tuples;
