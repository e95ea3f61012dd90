//! Waiting without sleeping.

use std::{
    hint,
    time::{Duration, Instant},
};

/// How long threads look for what they wait for before they sleep: a launcher that has no part left
/// whether the others are done, a worker whether there is another region. Parts that take about the same
/// time mostly are done by then, and who sleeps is woken where the last worker ran and not where it was.
const SPINNING: Duration = Duration::from_micros(100);

/// How often they look before they look at the time.
const SPINS: u32 = 300;

/// Looks for a while whether something has happened, as long as `may` allows it, and tells whether it has.
pub(super) fn spin(may: impl Fn() -> bool, happened: impl Fn() -> bool) -> bool {
    let begin = Instant::now();
    while may() && begin.elapsed() < SPINNING {
        for _ in 0..SPINS {
            if happened() {
                return true;
            }
            hint::spin_loop();
        }
    }
    false
}
