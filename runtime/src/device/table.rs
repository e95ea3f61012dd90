//! The memory of the host that a session has on its device.
//!
//! An entry is a range of the host's addresses with memory of the device for all of it. Entries don't
//! overlap: where a range is asked for that overlaps others, one entry for the hull of them takes their
//! place. So views of one allocation that overlap share memory on the device as they do on the host.

use std::{ffi::c_void, ops::Range, ptr};

use super::{
    Result,
    counters::Counters,
    driver::RawBuffer,
    pool::Buffer,
    registry::{OpenDevice, Queue},
};

struct Entry {
    range: Range<usize>,
    buffer: Buffer,
    /// Whether the device has the host's contents, or newer ones.
    is_valid: bool,
    /// What kernels have written since it was last copied to the host: the hull of it.
    written: Option<Range<usize>>,
}

/// The ranges that a device has, and memory that they had.
#[derive(Default)]
pub struct Table {
    entries: Vec<Entry>,
    /// Memory that was given up. What runs in the queue may still use it, so only the queue reuses it.
    spare: Vec<Buffer>,
}

/// Where a table puts what it does.
pub struct Through<'a> {
    /// The device.
    pub device: &'a OpenDevice,
    /// The queue.
    pub queue: &'a Queue,
    /// What is counted.
    pub counters: &'a mut Counters,
}

impl Through<'_> {
    /// Copies a part of an entry to the host; it is there when the queue was waited for.
    fn copy_out(&mut self, entry: &Entry, part: &Range<usize>) -> Result<()> {
        let offset = part.start - entry.range.start;
        // SAFETY: the part is of the entry, whose addresses stay while it is in a table.
        unsafe {
            self.device.device.copy_out(
                self.queue.raw,
                entry.buffer.raw,
                offset,
                address(part.start),
                part.len(),
            )?;
        }
        self.counters.copied_out(part.len());
        Ok(())
    }

    fn copy_in(&mut self, entry: &Entry) -> Result<()> {
        let range = &entry.range;
        // SAFETY: the host's memory is there while the entry is in a table.
        unsafe {
            self.device.device.copy_in(
                self.queue.raw,
                address(range.start),
                range.len(),
                entry.buffer.raw,
                0,
            )?;
        }
        self.counters.copied_in(range.len());
        Ok(())
    }
}

fn address(at: usize) -> *mut c_void {
    ptr::with_exposed_provenance_mut(at)
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

fn hull(one: &Range<usize>, other: &Range<usize>) -> Range<usize> {
    one.start.min(other.start)..one.end.max(other.end)
}

impl Table {
    /// Has the device hold a range, with the host's contents unless all of it will be overwritten.
    pub fn hold(
        &mut self,
        range: &Range<usize>,
        is_overwritten: bool,
        through: &mut Through<'_>,
    ) -> Result<()> {
        let covers =
            |entry: &Entry| entry.range.start <= range.start && range.end <= entry.range.end;
        let index = match self.entries.iter().position(covers) {
            Some(index) => index,
            None => self.join(range, through)?,
        };
        let entry = &mut self.entries[index];
        if !entry.is_valid {
            if !is_overwritten || entry.range != *range {
                through.copy_in(entry)?;
            }
            entry.is_valid = true;
        }
        Ok(())
    }

    /// Puts one entry in the place of all that a range overlaps.
    fn join(&mut self, range: &Range<usize>, through: &mut Through<'_>) -> Result<usize> {
        let mut range = range.clone();
        let mut waits = false;
        while let Some(index) = self
            .entries
            .iter()
            .position(|entry| overlap(&entry.range, &range))
        {
            let entry = self.entries.swap_remove(index);
            range = hull(&range, &entry.range);
            if let Some(part) = &entry.written {
                through.copy_out(&entry, part)?;
                waits = true;
            }
            self.spare.push(entry.buffer);
        }
        if waits {
            through.queue.synchronize()?;
        }
        let buffer = self.take(range.len(), through.device)?;
        self.entries.push(Entry {
            range,
            buffer,
            is_valid: false,
            written: None,
        });
        Ok(self.entries.len() - 1)
    }

    /// Memory for so many bytes: that was given up before, or the device's.
    fn take(&mut self, bytes: usize, device: &OpenDevice) -> Result<Buffer> {
        let fits = |buffer: &Buffer| {
            (bytes..=bytes.saturating_add(bytes / 4 + 512)).contains(&buffer.capacity())
        };
        match self.spare.iter().position(fits) {
            Some(index) => Ok(self.spare.swap_remove(index)),
            None => device.take(bytes),
        }
    }

    /// Where the device has an address that it holds: memory, and the offset.
    pub fn find(&self, range: &Range<usize>) -> Option<(RawBuffer, usize)> {
        let covers =
            |entry: &&Entry| entry.range.start <= range.start && range.end <= entry.range.end;
        let entry = self.entries.iter().find(covers)?;
        Some((entry.buffer.raw, entry.range.start))
    }

    /// Notes that kernels write to a range that the device holds.
    pub fn note_written(&mut self, range: &Range<usize>) {
        let entries = self.entries.iter_mut();
        for entry in entries.filter(|entry| overlap(&entry.range, range)) {
            entry.written = Some(match &entry.written {
                Some(before) => hull(before, range),
                None => range.clone(),
            });
        }
    }

    /// Copies what kernels have written to the host: of everything, or of what overlaps a range. Whether
    /// there was something; it is there when the queue was waited for.
    pub fn copy_back(
        &mut self,
        of: Option<&Range<usize>>,
        through: &mut Through<'_>,
    ) -> Result<bool> {
        let mut any = false;
        for entry in &mut self.entries {
            if of.is_some_and(|range| !overlap(&entry.range, range)) {
                continue;
            }
            if let Some(part) = entry.written.clone() {
                through.copy_out(entry, &part)?;
                entry.written = None;
                any = true;
            }
        }
        Ok(any)
    }

    /// Notes that the host changes its memory: everything, or what overlaps a range.
    pub fn invalidate(&mut self, of: Option<&Range<usize>>) {
        for entry in &mut self.entries {
            if of.is_none_or(|range| overlap(&entry.range, range)) {
                entry.is_valid = false;
            }
        }
    }

    /// Forgets what the device has of memory that goes.
    pub fn forget(&mut self, range: &Range<usize>) {
        while let Some(index) = self
            .entries
            .iter()
            .position(|entry| overlap(&entry.range, range))
        {
            let entry = self.entries.swap_remove(index);
            self.spare.push(entry.buffer);
        }
    }

    /// Gives all memory back to the device, which is done with it.
    pub fn clear(&mut self, device: &OpenDevice) {
        let entries = self.entries.drain(..).map(|entry| entry.buffer);
        entries
            .chain(self.spare.drain(..))
            .for_each(|buffer| device.give(buffer));
    }

    /// Whether memory of the device's pool was used.
    pub fn has_memory(&self) -> bool {
        !self.entries.is_empty() || !self.spare.is_empty()
    }
}
