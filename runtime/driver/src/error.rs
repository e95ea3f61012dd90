//! Why something about a device failed.

use std::fmt;

/// Why something about a device failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceError {
    /// There is no such driver or device.
    Absent(String),
    /// The device has no memory left, though nothing is kept for later any more.
    OutOfMemory(String),
    /// The process is the child of one that has used devices.
    Forked,
    /// The driver refused something.
    Failed(String),
}

/// What an operation on a device gives.
pub type Result<T> = std::result::Result<T, DeviceError>;

impl fmt::Display for DeviceError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent(text) | Self::OutOfMemory(text) | Self::Failed(text) => {
                out.write_str(text)
            }
            Self::Forked => out.write_str(
                "this process was forked from one that has used devices, whose drivers don't outlive a \
                 fork; start processes with multiprocessing's 'spawn' method",
            ),
        }
    }
}

impl std::error::Error for DeviceError {}
