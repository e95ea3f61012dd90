//! Views of operations and the names of discardable attributes ([`marks`]), generated from the
//! `.td` files of our dialects and of upstream's.
//!
//! `typed::Load::of(operation)?.array()` reads an operand by its name in the definition,
//! `typed::Cast::create(&builder, value, r#type)` makes an operation, and
//! `match typed::Op::of(operation)` tells the operations of a dialect apart. A view is `Copy` and
//! recognises an operation by its registered class ([`crate::view::OpView`]); a name that changes
//! in a definition changes here, so that whoever used the old one doesn't compile.

// `complex.create` is made by a function that is called so for every operation.
#![allow(clippy::self_named_constructors)]

include!(concat!(env!("OUT_DIR"), "/ops.rs"));
