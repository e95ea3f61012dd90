//! Devices: what compiled code runs on besides the CPU.
//!
//! A *driver* ([`driver::Driver`], registered in [`registry`]) finds *devices*; pyopt's own are
//! [`opencl`] and [`cuda`], whose libraries are loaded when somebody asks for one of their devices. A
//! thread's stack of *contexts* ([`contexts`]) says which device its calls are for. Each such call is a
//! *session* ([`session`]): its kernels run one behind the other in a queue, and a table ([`table`]) says
//! which memory of the host the device has. Arrays that stay on a device are [`persistent`]. Compiled code
//! knows the functions in [`entry`], and enters and leaves contexts by those in [`nested`].

pub mod contexts;
mod counters;
pub mod cuda;
mod dynamic;
pub mod entry;
pub mod failures;
mod grid;
mod native;
pub mod nested;
pub mod opencl;
pub mod persistent;
mod pool;
pub mod registry;
pub mod session;
mod sizes;
mod table;
#[cfg(test)]
mod tests;

pub use counters::{Counters, ForLoops};
pub use pyopt_driver::{self as driver, DeviceError, Result};
