//! Memory of a device that is kept for the next who needs some of about this size.

use std::collections::BTreeMap;

use super::{
    DeviceError, Result,
    driver::{Device, RawBuffer},
    sizes::shown,
};

/// Memory that somebody uses.
#[derive(Debug)]
pub struct Buffer {
    /// The driver's handle.
    pub raw: RawBuffer,
    /// How large it is; what was asked for is at most that.
    capacity: usize,
}

impl Buffer {
    /// How large it is.
    pub fn capacity(&self) -> usize {
        self.capacity
    }
}

/// The memory of a device that isn't in use, by size.
#[derive(Default)]
pub struct Pool {
    free: BTreeMap<usize, Vec<RawBuffer>>,
    /// Bytes in `free`.
    kept: u64,
    /// Bytes that are in use.
    used: u64,
}

/// The smallest size.
const SMALLEST: usize = 256;

/// The size that is allocated where so many bytes are asked for: at most an eighth more, so that sizes
/// that differ a little share memory.
fn size_class(bytes: usize) -> usize {
    let bytes = bytes.max(SMALLEST);
    let power = bytes.checked_next_power_of_two().unwrap_or_default();
    let step = (power / 16).max(SMALLEST);
    bytes.checked_next_multiple_of(step).unwrap_or(bytes)
}

impl Pool {
    /// Memory of at least so many bytes.
    pub fn take(&mut self, device: &dyn Device, bytes: usize) -> Result<Buffer> {
        let capacity = size_class(bytes);
        if let Some(found) = self.free.get_mut(&capacity).and_then(Vec::pop) {
            self.kept -= capacity as u64;
            self.used += capacity as u64;
            return Ok(Buffer {
                raw: found,
                capacity,
            });
        }
        let made = match device.allocate(capacity) {
            Err(DeviceError::OutOfMemory(_)) => {
                self.clear(device);
                device.allocate(capacity)
            }
            other => other,
        };
        let raw = made.map_err(|error| match error {
            DeviceError::OutOfMemory(reason) => self.out_of_memory(device, bytes, &reason),
            other => other,
        })?;
        self.used += capacity as u64;
        Ok(Buffer { raw, capacity })
    }

    /// Takes memory back. Whatever used it must be done.
    pub fn give(&mut self, buffer: Buffer) {
        self.kept += buffer.capacity as u64;
        self.used -= buffer.capacity as u64;
        self.free
            .entry(buffer.capacity)
            .or_default()
            .push(buffer.raw);
    }

    /// Gives everything that isn't in use back to the device.
    pub fn clear(&mut self, device: &dyn Device) {
        let all = std::mem::take(&mut self.free);
        all.into_values()
            .flatten()
            .for_each(|buffer| device.free(buffer));
        self.kept = 0;
    }

    /// Bytes in use, and bytes kept for later.
    pub fn sizes(&self) -> (u64, u64) {
        (self.used, self.kept)
    }

    fn out_of_memory(&self, device: &dyn Device, bytes: usize, reason: &str) -> DeviceError {
        let info = device.info();
        let available = match device.available() {
            Some(available) => format!(", {} are free", shown(available)),
            None => String::new(),
        };
        DeviceError::OutOfMemory(format!(
            "{} has no room for {}: of {} pyopt uses {}{available} ({reason})",
            info.name,
            shown(bytes as u64),
            shown(info.memory),
            shown(self.used),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::size_class;

    #[test]
    fn sizes_are_rounded_up_by_an_eighth_at_most() {
        assert_eq!(size_class(0), 256);
        assert_eq!(size_class(257), 512);
        for bytes in [1 << 20, (1 << 20) + 1, 3_000_001, 123_456_789] {
            let made = size_class(bytes);
            assert!(made >= bytes && made - bytes <= bytes / 8 + 256, "{bytes}");
        }
        assert_eq!(size_class(usize::MAX), usize::MAX);
    }
}
