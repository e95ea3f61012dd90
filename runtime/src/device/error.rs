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

/// A number of bytes for people.
pub fn shown(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut scaled = bytes as f64;
    let mut unit = None;
    for name in UNITS {
        if scaled < 1024.0 {
            break;
        }
        scaled /= 1024.0;
        unit = Some(name);
    }
    match unit {
        None => format!("{bytes} bytes"),
        Some(unit) => format!("{scaled:.1} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn sizes_are_shown_in_the_largest_unit_that_fits() {
        assert_eq!(shown(0), "0 bytes");
        assert_eq!(shown(1023), "1023 bytes");
        assert_eq!(shown(1536), "1.5 KiB");
        assert_eq!(shown(3 << 30), "3.0 GiB");
        assert_eq!(shown(1 << 50), "1024.0 TiB");
    }
}
