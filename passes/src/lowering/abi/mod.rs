//! Parts of `typed-to-abi`: what raises, the table of sites, entry points, parallel launches.

pub(in crate::lowering) mod entry;
pub(in crate::lowering) mod launch;
mod memory;
pub(in crate::lowering) mod raising;
mod reduction;
pub(in crate::lowering) mod sites;
