//! Parts of `typed-to-abi`: what raises and catches, the table of sites, entry points for the host and for C, functions of the host, parallel launches.

pub(in crate::lowering) mod c_entry;
pub(in crate::lowering) mod catching;
pub(in crate::lowering) mod device;
pub(in crate::lowering) mod entry;
pub(in crate::lowering) mod launch;
mod memory;
pub(in crate::lowering) mod object;
pub(in crate::lowering) mod precondition;
pub(in crate::lowering) mod raising;
mod reduction;
pub(in crate::lowering) mod sites;
mod spirv;
