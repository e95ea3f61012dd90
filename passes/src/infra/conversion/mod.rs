//! Dialect conversion.
//!
//! Lowerings whose types become several (an array becomes a memref and its owner) go through here:
//! MLIR's driver converts block arguments, results of structured control flow, signatures, calls
//! and returns, and a lowering only says what becomes of its types ([`TypeConverter`]) and of its
//! operations ([`Conversion::pattern`]).
//!
//! Two things differ from rewriting by hand. Operands arrive converted, each as a list of values,
//! while the operation itself still has the old ones. And every change must go through the
//! [`PatternRewriter`], which records it: when a conversion fails, the driver rolls it back.

mod driver;
mod panics;
mod rewriter;
mod types;

pub use self::{
    driver::Conversion,
    rewriter::{PatternRewriter, single},
    types::{Converted, TypeConverter},
};

#[cfg(test)]
mod tests;
