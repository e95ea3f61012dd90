//! The types of the `typed` dialect, as inference and lowering see them.

pub(crate) mod exception_classes;
pub(crate) mod functions;
pub(crate) mod layout;
pub(crate) mod number;
pub(crate) mod sequences;
pub(crate) mod tuples;
