//! What the next compilation starts with, made when one is over.
//!
//! Making a context with its dialects, parsing a pipeline, collecting the patterns of its passes and
//! freeing all that again takes longer than compiling a small function. So it is done in the
//! background: a compilation leaves its context to be freed there, and then the next one is made.

use std::sync::{Mutex, PoisonError};
use std::thread;

use pyopt_passes::extension::generation;
use pyopt_passes::infra::{PipelineError, Prepared};
use pyopt_runtime::{engine::background, fork};

use super::driver;

/// What a spare was made for: a pipeline, and what was registered then.
type Purpose = (String, u64);

/// One that no compilation has used, and its purpose.
static SPARE: Mutex<Option<(Purpose, Prepared)>> = Mutex::new(None);

/// Compiles with a context and the passes of a pipeline that nothing has used before.
pub fn with_prepared<R, E: From<PipelineError>>(
    pipeline: &str,
    work: impl FnOnce(&Prepared) -> Result<R, E>,
) -> Result<R, E> {
    let purpose = (pipeline.to_owned(), generation());
    let prepared = match take(&purpose) {
        Some(prepared) => prepared,
        None => fork::guarded(|| first(pipeline))?,
    };
    let result = work(&prepared);
    background::submit(move || {
        fork::guarded(|| drop(prepared));
        make(purpose);
    });
    result
}

/// Makes what the first compilation of a pipeline starts with. Inside the gate: much is done once in a
/// process then, and a child would wait for ever for a thread that it doesn't have to do it.
fn first(pipeline: &str) -> Result<Prepared, PipelineError> {
    let prepared = Prepared::new(driver::context(), pipeline)?;
    match prepared.warm_up() {
        true => Ok(prepared),
        // The module will show why.
        false => Prepared::new(driver::context(), pipeline),
    }
}

fn take(purpose: &Purpose) -> Option<Prepared> {
    let fits = |(made_for, _): &mut (Purpose, Prepared)| made_for == purpose;
    // Inside the gate, so that no child inherits the lock.
    let found = fork::guarded(|| spare().take_if(fits));
    found.map(|(_, prepared)| prepared)
}

fn make(purpose: Purpose) {
    // All of it inside the gate: a child must not find a lock of the compiler taken by a thread that it
    // doesn't have.
    let before = fork::guarded(|| {
        let fits = |(made_for, _): &(Purpose, Prepared)| *made_for == purpose;
        if purpose.1 != generation() || spare().as_ref().is_some_and(fits) {
            return None;
        }
        let prepared = on_own_thread(|| Prepared::new(driver::context(), &purpose.0).ok())?;
        spare().replace((purpose, prepared))
    });
    drop(before);
}

/// Makes and warms up on a thread that has ended when this returns. MLIR keeps caches for each thread
/// that has used a context, and gives them back under a lock of the context when the thread ends: were
/// that the worker's end, a child could find the lock of its spare context taken.
fn on_own_thread(make: impl FnOnce() -> Option<Prepared> + Send) -> Option<Prepared> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("pyopt-spare".into());
        let maker =
            builder.spawn_scoped(scope, || fork::covered(|| make().filter(Prepared::warm_up)));
        maker.ok()?.join().ok().flatten()
    })
}

fn spare() -> std::sync::MutexGuard<'static, Option<(Purpose, Prepared)>> {
    SPARE.lock().unwrap_or_else(PoisonError::into_inner)
}
