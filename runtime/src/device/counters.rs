//! What was done on devices.

use smallvec::SmallVec;

/// Counts of what was done on devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Kernels that were launched.
    pub launches: u64,
    /// Copies to devices.
    pub copies_in: u64,
    /// Bytes that were copied to devices.
    pub bytes_in: u64,
    /// Copies to the host.
    pub copies_out: u64,
    /// Bytes that were copied to the host.
    pub bytes_out: u64,
}

impl Counters {
    pub(super) fn copied_in(&mut self, bytes: usize) {
        self.copies_in += 1;
        self.bytes_in += bytes as u64;
    }

    pub(super) fn copied_out(&mut self, bytes: usize) {
        self.copies_out += 1;
        self.bytes_out += bytes as u64;
    }

    /// Adds others.
    pub fn add(&mut self, other: Self) {
        self.launches += other.launches;
        self.copies_in += other.copies_in;
        self.bytes_in += other.bytes_in;
        self.copies_out += other.copies_out;
        self.bytes_out += other.bytes_out;
    }
}

/// What was copied to the host for loops that run there: copies and bytes, by numbers of places.
#[derive(Clone, Debug, Default)]
pub struct ForLoops(SmallVec<[(i32, u64, u64); 2]>);

impl ForLoops {
    /// Adds what was copied for the loop at a place.
    pub(super) fn note(&mut self, place: i32, copies: u64, bytes: u64) {
        match self.0.iter_mut().find(|one| one.0 == place) {
            Some(known) => {
                known.1 += copies;
                known.2 += bytes;
            }
            None => self.0.push((place, copies, bytes)),
        }
    }

    /// Adds others.
    pub fn add(&mut self, other: &Self) {
        for (place, copies, bytes) in other.iter() {
            self.note(place, copies, bytes);
        }
    }

    /// Copies and bytes by places.
    pub fn iter(&self) -> impl Iterator<Item = (i32, u64, u64)> {
        self.0.iter().copied()
    }
}
