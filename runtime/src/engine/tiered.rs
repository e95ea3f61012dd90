//! Code that is compiled once more while it stays hot.
//!
//! The first tier is quick to compile. Some calls are timed; when they add up to more than what
//! compiling took, the module is compiled with LLVM's O3 in the background. Neither tier is the
//! faster one for every function, so a few calls alternate between the two, and the faster one
//! stays. A call that runs is never replaced.

use std::{
    ffi::c_void,
    ptr::NonNull,
    sync::{
        Arc, Mutex, OnceLock, PoisonError, Weak,
        atomic::{AtomicPtr, AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use super::{
    CompiledModule, EngineError, LlvmModule, LoadedCode, ObjectCode, Tier, background, compile,
    module::Bitcode,
};
use crate::fork;

/// So many calls of each tier decide between them, in an order that favours neither where times
/// drift or alternate.
const TRIALS: usize = 6;
const ORDER: [Tier; 4] = [Tier::Lean, Tier::O3, Tier::O3, Tier::Lean];

/// Set in the environment to `0`, it keeps code at its first tier.
const VARIABLE: &str = "PYOPT_RECOMPILE";

/// A trial takes so many hundredths of the other tier's time or less where it is the faster one
/// without doubt. Otherwise the last tier stays: it is the one that larger inputs gain by.
const CLEARLY_FASTER: u32 = 97;

/// What calls are timed by when tiers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The time that the calling thread had a processor: what else runs on the machine doesn't count.
    Thread,
    /// What passes: for code that runs on several threads.
    Wall,
}

impl Clock {
    /// Runs something and says how long it took.
    fn time<R>(self, run: impl FnOnce() -> R) -> (R, Duration) {
        match self {
            Self::Thread => {
                let start = thread_time();
                let result = run();
                (result, thread_time().saturating_sub(start))
            }
            Self::Wall => {
                let start = Instant::now();
                let result = run();
                (result, start.elapsed())
            }
        }
    }
}

/// How long this thread has had a processor.
fn thread_time() -> Duration {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the place for the time is live. A clock that isn't there leaves it as it is: no tier
    // is then faster than the other.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut now) };
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// A function at one or two tiers.
#[derive(Debug)]
pub struct TieredCode {
    /// What calls run.
    entry: AtomicPtr<c_void>,
    /// Calls until the next one that is watched.
    unwatched: AtomicU32,
    stage: Mutex<Stage>,
    symbol: String,
    clock: Clock,
    first: Version,
    last: OnceLock<Version>,
}

/// The function at one tier. It stays loaded: a call on another thread may run it.
#[derive(Debug)]
struct Version {
    entry: NonNull<c_void>,
    code: LoadedCode,
}

// SAFETY: the address is of code that lives as long as the value and may be run on any thread.
unsafe impl Send for Version {}
// SAFETY: as above.
unsafe impl Sync for Version {}

#[derive(Debug)]
enum Stage {
    /// Runs the first tier; so many calls were made.
    Counting {
        calls: u32,
        /// What is compiled again, and from when on.
        source: Bitcode,
        hot: Duration,
    },
    /// Is being compiled.
    Waiting { calls: u32 },
    /// Both tiers are there, and calls of each were timed.
    Trying {
        first: Vec<Duration>,
        last: Vec<Duration>,
    },
    /// Stays as it is.
    Settled,
}

impl Version {
    fn load(object: &ObjectCode, symbol: &str) -> Result<Self, EngineError> {
        let code = LoadedCode::load(object)?;
        let entry = code.lookup(symbol)?;
        Ok(Self { entry, code })
    }
}

impl TieredCode {
    /// Loads a module that was compiled for its first calls. The clock is the one that is right for
    /// what it does.
    pub fn load(module: CompiledModule, clock: Clock) -> Result<Arc<Self>, EngineError> {
        let first = Version::load(&module.object, &module.symbol)?;
        let recompiles = std::env::var_os(VARIABLE).is_none_or(|v| v != "0");
        let (stage, unwatched) = match module.source.filter(|_| recompiles) {
            Some(source) => {
                let hot = module.hot;
                let calls = 1;
                (Stage::Counting { calls, source, hot }, 1)
            }
            None => (Stage::Settled, u32::MAX),
        };
        Ok(Arc::new(Self {
            entry: AtomicPtr::new(first.entry.as_ptr()),
            unwatched: AtomicU32::new(unwatched),
            stage: Mutex::new(stage),
            symbol: module.symbol,
            clock,
            first,
            last: OnceLock::new(),
        }))
    }

    /// Makes a call: `run` gets the entry of the code that it is to run.
    #[inline]
    pub fn run<R>(self: &Arc<Self>, run: impl FnOnce(NonNull<c_void>) -> R) -> R {
        match self.entry() {
            Some(entry) => run(entry),
            None => self.watched(run),
        }
    }

    /// What the next call is to run; none if that is up to [`Self::watched`].
    #[inline]
    fn entry(&self) -> Option<NonNull<c_void>> {
        // Two threads may count one call for two: nothing depends on it.
        let left = self.unwatched.load(Ordering::Relaxed).wrapping_sub(1);
        if left == 0 {
            return None;
        }
        self.unwatched.store(left, Ordering::Relaxed);
        NonNull::new(self.entry.load(Ordering::Acquire))
    }

    /// Another function of the same code, at its first tier. It is there as long as this is.
    pub fn lookup(&self, symbol: &str) -> Result<NonNull<c_void>, EngineError> {
        self.first.code.lookup(symbol)
    }

    /// A call that is timed.
    #[cold]
    fn watched<R>(self: &Arc<Self>, run: impl FnOnce(NonNull<c_void>) -> R) -> R {
        let (tier, clock) = self.next_trial();
        let (result, time) = clock.time(|| run(self.version(tier).entry));
        self.note(tier, time);
        result
    }

    /// The tier that most calls run at now.
    pub fn tier(&self) -> Tier {
        let entry = self.entry.load(Ordering::Acquire);
        match self.last.get() {
            Some(last) if last.entry.as_ptr() == entry => Tier::O3,
            _ => Tier::Lean,
        }
    }

    fn version(&self, tier: Tier) -> &Version {
        match tier {
            Tier::O3 => self.last.get().unwrap_or(&self.first),
            _ => &self.first,
        }
    }

    fn stage(&self) -> std::sync::MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tier of the next call that is watched, and what that is timed by: a thread's clock takes
    /// longer to read than the shortest calls, which matters where times are added up.
    fn next_trial(&self) -> (Tier, Clock) {
        match &*self.stage() {
            Stage::Trying { first, last } => {
                let calls = first.len() + last.len();
                (ORDER[calls % ORDER.len()], self.clock)
            }
            _ => (self.tier(), Clock::Wall),
        }
    }

    /// Takes down how long a call took, and decides what comes next.
    fn note(self: &Arc<Self>, tier: Tier, time: Duration) {
        let next = self.stage().note(tier, time);
        let until = match next {
            Next::Call(until) => until,
            Next::Recompile(until, source) => {
                let code = Arc::downgrade(self);
                background::submit(move || recompile(&code, &source));
                until
            }
            Next::Keep(tier) => {
                let entry = self.version(tier).entry.as_ptr();
                self.entry.store(entry, Ordering::Release);
                u32::MAX
            }
        };
        self.unwatched.store(until, Ordering::Relaxed);
    }
}

/// What follows a timed call.
enum Next {
    /// So many calls later one is timed again.
    Call(u32),
    /// Besides, the code is to be compiled again.
    Recompile(u32, Bitcode),
    /// No more calls are timed: this tier stays.
    Keep(Tier),
}

impl Stage {
    fn note(&mut self, tier: Tier, time: Duration) -> Next {
        match self {
            Stage::Counting { calls, hot, .. } => {
                let done = *calls;
                let is_hot = time.saturating_mul(done) >= *hot;
                *calls = done.saturating_mul(2);
                if !is_hot {
                    return Next::Call(done);
                }
                let calls = *calls;
                match std::mem::replace(self, Stage::Waiting { calls }) {
                    Stage::Counting { source, .. } => Next::Recompile(done, source),
                    _ => Next::Call(done),
                }
            }
            // The worker sets the count of calls to one when it is done, which a call may
            // overwrite: so there is a next one.
            Stage::Waiting { calls } => {
                let done = *calls;
                *calls = done.saturating_mul(2);
                Next::Call(done)
            }
            Stage::Trying { first, last } => {
                match tier {
                    Tier::O3 => last.push(time),
                    _ => first.push(time),
                }
                if first.len() < TRIALS || last.len() < TRIALS {
                    return Next::Call(1);
                }
                let tier = faster(first, last);
                *self = Stage::Settled;
                Next::Keep(tier)
            }
            Stage::Settled => Next::Call(u32::MAX),
        }
    }
}

/// The tier whose least disturbed call took less time.
fn faster(first: &[Duration], last: &[Duration]) -> Tier {
    let least = |times: &[Duration]| times.iter().min().copied().unwrap_or_default();
    match least(first) * 100 <= least(last) * CLEARLY_FASTER && !least(last).is_zero() {
        true => Tier::Lean,
        false => Tier::O3,
    }
}

/// Compiles code at the last tier, unless nobody has it any more.
fn recompile(code: &Weak<TieredCode>, source: &Bitcode) {
    let Some(symbol) = code.upgrade().map(|code| code.symbol.clone()) else {
        return;
    };
    let made = LlvmModule::from_bitcode(source)
        .and_then(|module| compile(module, Tier::O3))
        .and_then(|object| Version::load(&object, &symbol));
    let Some(code) = code.upgrade() else {
        return;
    };
    // What compiled once compiles again; if it doesn't, the first tier is right, too.
    let there = made.is_ok_and(|version| code.last.set(version).is_ok());
    // Inside the gate, so that no child inherits the lock.
    fork::guarded(|| {
        *code.stage() = match there {
            true => Stage::Trying {
                first: Vec::with_capacity(TRIALS),
                last: Vec::with_capacity(TRIALS),
            },
            false => Stage::Settled,
        };
    });
    code.unwatched.store(1, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn counting(hot: Duration) -> Stage {
        let module = LlvmModule::from_ir("define void @f() { ret void }").unwrap();
        Stage::Counting {
            calls: 1,
            source: module.to_bitcode(),
            hot,
        }
    }

    #[test]
    fn calls_are_timed_ever_more_seldom_until_they_add_up() {
        let mut stage = counting(20 * MS);
        let mut calls = 1;
        loop {
            match stage.note(Tier::Lean, MS) {
                Next::Call(until) => {
                    assert_eq!(until, calls);
                    calls += until;
                }
                Next::Recompile(..) => break,
                Next::Keep(_) => panic!("there is one tier"),
            }
        }
        assert_eq!(calls, 32);
        assert!(matches!(stage.note(Tier::Lean, MS), Next::Call(64)));
    }

    #[test]
    fn the_faster_tier_stays() {
        for (slow, fast) in [(Tier::Lean, Tier::O3), (Tier::O3, Tier::Lean)] {
            let mut stage = Stage::Trying {
                first: Vec::new(),
                last: Vec::new(),
            };
            let mut kept = None;
            for call in 0..2 * TRIALS {
                let tier = ORDER[call % ORDER.len()];
                // All calls of the fast tier but one are disturbed.
                let time = match tier == slow {
                    true => 3 * MS,
                    false if call < 2 * TRIALS - 4 => 9 * MS,
                    false => MS,
                };
                match stage.note(tier, time) {
                    Next::Call(1) => {}
                    Next::Keep(tier) => kept = Some(tier),
                    _ => panic!("every call is timed"),
                }
            }
            assert_eq!(kept, Some(fast));
            assert!(matches!(stage, Stage::Settled));
        }
    }

    #[test]
    fn a_tie_is_for_the_last_tier() {
        assert_eq!(
            faster(&[99 * MS, 300 * MS], &[101 * MS, 100 * MS]),
            Tier::O3
        );
        assert_eq!(
            faster(&[95 * MS, 300 * MS], &[101 * MS, 100 * MS]),
            Tier::Lean
        );
        assert_eq!(faster(&[Duration::ZERO], &[Duration::ZERO]), Tier::O3);
    }

    #[test]
    fn the_clock_of_a_thread_counts_what_it_does_itself() {
        let wait = || std::thread::sleep(20 * MS);
        assert!(Clock::Thread.time(wait).1 < Clock::Wall.time(wait).1);
    }

    #[test]
    fn hot_code_is_compiled_again_and_gives_the_same() {
        let text = "define i64 @f(i64 %n) {
        entry:
          br label %loop
        loop:
          %i = phi i64 [ 0, %entry ], [ %next, %loop ]
          %sum = phi i64 [ 0, %entry ], [ %sum2, %loop ]
          %square = mul i64 %i, %i
          %sum2 = xor i64 %sum, %square
          %next = add i64 %i, 1
          %more = icmp slt i64 %next, %n
          br i1 %more, label %loop, label %done
        done:
          ret i64 %sum2
        }";
        let module = CompiledModule::compile(LlvmModule::from_ir(text).unwrap(), "f").unwrap();
        let code = TieredCode::load(module, Clock::Thread).unwrap();
        let run = |entry: NonNull<c_void>| {
            // SAFETY: the text gives `f` this type, and the code lives through the call.
            let f: extern "C" fn(i64) -> i64 = unsafe { std::mem::transmute(entry) };
            f(100_000)
        };
        let expected = (0..100_000i64).fold(0, |sum, i| sum ^ (i * i));
        let start = Instant::now();
        while !matches!(*code.stage(), Stage::Settled) {
            assert_eq!(code.run(run), expected);
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "{:?}",
                code.stage()
            );
        }
        assert!(code.last.get().is_some());
        assert!(code.entry().is_some_and(|entry| run(entry) == expected));
    }
}
