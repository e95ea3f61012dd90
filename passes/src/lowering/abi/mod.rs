//! Parts of `typed-to-abi`: what raises, the table of sites, entry points, parallel launches.

pub(super) mod entry;
pub(super) mod launch;
pub(super) mod raising;
pub(super) mod sites;
