//! Drivers of devices: what finds devices, and runs kernels on them.
//!
//! [`Driver`] and [`Device`] are what one has to do, in Rust. The [`table`] is the same as functions of C: a
//! library that is loaded makes one of its driver by [`table::Table::of`], and the process has a driver again
//! by [`table::Loaded`]. Kernels of devices that run code of the host's processor are compiled by the
//! process ([`host::compile`]).

mod driver;
mod error;
mod exported;
pub mod host;
mod loaded;
pub mod table;
#[cfg(test)]
mod tests;
mod text;

pub use driver::{
    Argument, Device, DeviceInfo, Driver, RawBuffer, RawFunction, RawQueue, found_once,
};
pub use error::{DeviceError, Result};
pub use text::{List, Sink, Text};
