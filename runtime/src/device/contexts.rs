//! Which device a thread's calls are for: a stack of contexts, the host's by default.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    sync::Arc,
};

use super::{
    DeviceError, Result,
    driver::RawQueue,
    registry::{self, HOST, OpenDevice, Queue},
};

/// A context that was entered.
struct Context {
    number: u32,
    /// A queue of somebody else's that launches go to.
    queue: Option<Arc<Queue>>,
}

thread_local! {
    /// The number of the present device; 0 for the host.
    static CURRENT: Cell<u32> = const { Cell::new(0) };
    static STACK: RefCell<Vec<Context>> = const { RefCell::new(Vec::new()) };
    /// This thread's queues.
    static QUEUES: RefCell<HashMap<u32, Arc<Queue>>> = RefCell::new(HashMap::new());
}

/// The number of the device that calls of this thread are for; 0 for the host.
#[inline]
pub fn current() -> u32 {
    CURRENT.get()
}

/// The device that calls of this thread are for.
pub fn current_device() -> Option<Arc<OpenDevice>> {
    registry::numbered(current())
}

/// Enters the context of a device, or of the host, on this thread; `stream` is a queue of somebody else's
/// that launches go to.
pub fn enter(name: &str, stream: Option<u64>) -> Result<()> {
    let context = match name {
        HOST if stream.is_some() => {
            return Err(DeviceError::Failed("the CPU has no streams".to_owned()));
        }
        HOST => Context {
            number: 0,
            queue: None,
        },
        _ => {
            let device = registry::open(name)?;
            let queue = match stream {
                Some(_) if !device.device.takes_queues() => {
                    return Err(DeviceError::Failed(format!(
                        "{name} takes no streams of other libraries"
                    )));
                }
                Some(stream) => Some(Arc::new(Queue::foreign(&device, RawQueue(stream)))),
                // Made here, so that what fails does so where the context is entered.
                None => {
                    own_queue(&device)?;
                    None
                }
            };
            Context {
                number: device.number,
                queue,
            }
        }
    };
    CURRENT.set(context.number);
    STACK.with_borrow_mut(|stack| stack.push(context));
    Ok(())
}

/// Leaves the context that this thread entered last; whether there was one.
pub fn leave() -> bool {
    let (left, below) = STACK.with_borrow_mut(|stack| {
        let left = stack.pop();
        (left, stack.last().map_or(0, |one| one.number))
    });
    CURRENT.set(below);
    left.is_some()
}

/// The queue that launches on a device go to on this thread.
pub fn queue(device: &Arc<OpenDevice>) -> Result<Arc<Queue>> {
    let foreign = STACK.with_borrow(|stack| {
        let top = stack.last().filter(|top| top.number == device.number);
        top.and_then(|top| top.queue.clone())
    });
    match foreign {
        Some(queue) => Ok(queue),
        None => own_queue(device),
    }
}

fn own_queue(device: &Arc<OpenDevice>) -> Result<Arc<Queue>> {
    QUEUES.with_borrow_mut(|queues| {
        if let Some(queue) = queues.get(&device.number) {
            return Ok(queue.clone());
        }
        let queue = Arc::new(Queue::new(device)?);
        queues.insert(device.number, queue.clone());
        Ok(queue)
    })
}
