//! Calls of code that has to do with devices, and what they did there.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyopt_runtime::device::registry::{self, OpenDevice};
use pyopt_runtime::device::{
    Counters, ForLoops, Result, contexts, entry, failures, nested, persistent, session,
};
use pyopt_runtime::error::PyoptError;
use smallvec::SmallVec;

use crate::devices;
use crate::unbox::ArgBuffer;

/// What the calls of a specialisation have done on devices.
#[derive(Default)]
pub struct DeviceCalls(Mutex<Done>);

#[derive(Default)]
struct Done {
    /// By the numbers of devices; 0 for the CPU.
    counters: SmallVec<[(u32, Counters); 1]>,
    /// What was copied to the host for loops that run there, by their sites.
    for_loops: ForLoops,
}

impl DeviceCalls {
    /// Runs code on a device, or on the CPU with arrays on devices and contexts that it enters.
    ///
    /// # Safety
    /// `error` is the record of the code, which was prepared.
    #[inline(never)]
    pub unsafe fn run(
        &self,
        device: Option<&Arc<OpenDevice>>,
        args: &ArgBuffer,
        error: *mut PyoptError,
        work: impl FnOnce() -> i32,
    ) -> i32 {
        let around = nested::exchange_done(nested::Done::new());
        let depth = nested::depth();
        let mut has_raised = false;
        let work = || {
            let status = work();
            has_raised = status != 0;
            // What is raised needn't have gone through the handlers that leave contexts.
            let left = nested::leave_to(depth);
            if status == 0 { left } else { Ok(status) }
        };
        let (status, counters, for_loops) = match device {
            Some(device) => on_device(device, args, work),
            None => on_host(args, work),
        };
        self.count(
            device.map_or(0, |device| device.number),
            counters,
            &for_loops,
        );
        for (device, counters, for_loops) in nested::exchange_done(around) {
            self.count(device, counters, &for_loops);
        }
        match status {
            Ok(status) => {
                // What the code itself has left with has its values.
                if status != 0 && !has_raised {
                    // SAFETY: the caller's promise.
                    unsafe { failures::hold_values(error) };
                }
                status
            }
            // SAFETY: the caller's promise.
            Err(failed) => unsafe { entry::report(error, &failed) },
        }
    }

    /// Launches, copies and bytes to devices, copies and bytes to the host, by the names of devices.
    pub fn counters(&self) -> Vec<(String, [u64; 5])> {
        let name = |number| match registry::numbered(number) {
            Some(device) => device.name().to_owned(),
            None => registry::HOST.to_owned(),
        };
        let done = self.done();
        let counters = done.counters.iter();
        counters
            .map(|(number, counters)| (name(*number), devices::counted(*counters)))
            .collect()
    }

    /// The sites of loops that run on the host, with copies and bytes that were copied there for each.
    pub fn for_loops(&self) -> Vec<(i32, u64, u64)> {
        self.done().for_loops.iter().collect()
    }

    fn done(&self) -> MutexGuard<'_, Done> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, device: u32, counters: Counters, for_loops: &ForLoops) {
        if counters == Counters::default() {
            return;
        }
        let mut done = self.done();
        done.for_loops.add(for_loops);
        match done.counters.iter_mut().find(|one| one.0 == device) {
            Some((_, before)) => before.add(counters),
            None => done.counters.push((device, counters)),
        }
    }
}

/// Runs code that launches kernels of a device.
fn on_device(
    device: &Arc<OpenDevice>,
    args: &ArgBuffer,
    work: impl FnOnce() -> Result<i32>,
) -> (Result<i32>, Counters, ForLoops) {
    let begun = contexts::queue(device);
    let begun = begun.and_then(|queue| session::begin(device, queue, args.device_arrays()));
    let running = match begun {
        Ok(running) => running,
        Err(failed) => return (Err(failed), Counters::default(), ForLoops::default()),
    };
    let status = work();
    let for_loops = running.for_loops();
    let (ended, counters) = running.finish();
    // What was raised first goes before what the end of the session raises.
    let succeeded = matches!(status, Ok(0));
    (if succeeded { ended } else { status }, counters, for_loops)
}

/// Runs code of the CPU on arrays on devices: their contents are copied, and copied again when a device
/// uses them next.
fn on_host(
    args: &ArgBuffer,
    work: impl FnOnce() -> Result<i32>,
) -> (Result<i32>, Counters, ForLoops) {
    let mut counters = Counters::default();
    let addresses = args.device_arrays();
    let arrays = addresses
        .iter()
        .filter_map(|&address| persistent::find(address));
    let arrays: SmallVec<[_; 8]> = arrays.collect();
    for array in &arrays {
        if let Err(failed) = array.use_on_host(true, &mut counters) {
            return (Err(failed), counters, ForLoops::default());
        }
    }
    let status = work();
    let published = arrays
        .iter()
        .try_for_each(|array| array.publish(&mut counters));
    let ended = match published {
        Err(failed) if matches!(status, Ok(0)) => Err(failed),
        _ => status,
    };
    (ended, counters, ForLoops::default())
}
