//! Random numbers: NumPy's legacy generator and distributions and those of Python's `random`, with
//! a state of each for each thread.
//!
//! Compiled code draws from its own states, not from NumPy's and Python's. A thread's is seeded by
//! the operating system when it is first used, and again in a forked child, so that the child
//! doesn't repeat what the parent draws. After a seed the numbers are those of
//! `numpy.random.RandomState` and `random.Random`.

mod continuous;
mod discrete;
mod mersenne;
mod python;

use std::{cell::RefCell, sync::Once, thread::LocalKey};

use crate::{error::PyoptError, fork, symbols};
pub use mersenne::{MersenneTwister, WORDS};
pub(crate) use python::seed_python;

/// A generator with what the normal distribution keeps.
#[derive(Clone, Debug)]
pub struct Generator {
    bits: MersenneTwister,
    /// The second of a pair of normal numbers, still to be given out.
    gauss: Option<f64>,
}

impl Generator {
    /// The generator that NumPy's `seed` makes of a number.
    pub fn from_seed(seed: u32) -> Self {
        Self {
            bits: MersenneTwister::from_seed(seed),
            gauss: None,
        }
    }

    /// One that nobody can foresee.
    fn from_system() -> Self {
        let mut key = [0u32; 16];
        let bytes = size_of_val(&key);
        // SAFETY: the buffer is that long. So few bytes are given at once or not at all.
        let given = unsafe { libc::getrandom(key.as_mut_ptr().cast(), bytes, 0) };
        assert_eq!(given, bytes as isize, "the system gives no random bytes");
        Self::from_key(&key)
    }

    fn from_key(key: &[u32]) -> Self {
        Self {
            bits: MersenneTwister::from_key(key),
            gauss: None,
        }
    }
}

/// A generator of a thread, once it is used.
type State = RefCell<Option<Box<Generator>>>;

thread_local! {
    /// That of `numpy.random`.
    static NUMPY: State = const { RefCell::new(None) };
    /// That of Python's `random`.
    static PYTHON: State = const { RefCell::new(None) };
}

/// Draws from a generator of this thread.
fn draw<R>(state: &'static LocalKey<State>, work: impl FnOnce(&mut Generator) -> R) -> R {
    state.with_borrow_mut(|generator| {
        work(generator.get_or_insert_with(|| {
            forget_in_children();
            Box::new(Generator::from_system())
        }))
    })
}

/// Sees to it that forked children don't repeat what their parents draw.
fn forget_in_children() {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(|| fork::at_fork(None, None, Some(forget)));
}

/// In the child after a fork: it has only the thread that forked, whose generators go.
unsafe extern "C" fn forget() {
    NUMPY.set(None);
    PYTHON.set(None);
}

/// Gives this thread a generator with a known state.
fn set(state: &'static LocalKey<State>, generator: Generator) {
    forget_in_children();
    state.set(Some(Box::new(generator)));
}

/// A generator that each thread has.
#[derive(Clone, Copy, Debug)]
pub enum Of {
    /// That of `numpy.random`.
    NumPy,
    /// That of Python's `random`.
    Python,
}

impl Of {
    fn state(self) -> &'static LocalKey<State> {
        match self {
            Self::NumPy => &NUMPY,
            Self::Python => &PYTHON,
        }
    }

    /// A copy of this thread's.
    pub fn bits(self) -> MersenneTwister {
        draw(self.state(), |generator| generator.bits.clone())
    }

    /// Has this thread go on from a state; a normal number that was kept is dropped.
    pub fn set_bits(self, bits: MersenneTwister) {
        set(self.state(), Generator { bits, gauss: None });
    }
}

/// Arguments in slots, one behind the other.
struct Slots(*const i64);

impl Slots {
    /// # Safety
    ///
    /// The next slot holds a value of the type.
    unsafe fn next<T: Copy>(&mut self) -> T {
        // SAFETY: the caller's promise.
        unsafe {
            let value = self.0.cast::<T>().read();
            self.0 = self.0.add(1);
            value
        }
    }
}

/// Defines what compiled code calls to draw a number from a distribution.
macro_rules! number {
    ($state:ident, $one:ident($($argument:ident: $type:ty),*) -> $result:ty = $draw:expr) => {
        /// Draws a number.
        ///
        /// # Safety
        ///
        /// The parameters are in slots; `returned` has room for one.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $one(
            _error: *mut $crate::error::PyoptError,
            returned: *mut i64,
            arguments: *const i64,
        ) -> i32 {
            let mut _slots = $crate::random::Slots(arguments);
            // SAFETY: the caller's promise.
            unsafe {
                $(let $argument: $type = _slots.next();)*
                let drawn: $result = $crate::random::draw(
                    &$crate::random::$state,
                    |generator| $draw(generator, $($argument),*),
                );
                returned.cast::<$result>().write(drawn);
            }
            0
        }
    };
}

use number;

/// Defines what compiled code calls for a distribution of NumPy's: one function draws a number, one
/// fills a part of a vector.
macro_rules! distributions {
    ($($one:ident, $many:ident($($argument:ident: $type:ty),*) -> $result:ty = $draw:expr;)*) => {
        $(
            number!(NUMPY, $one($($argument: $type),*) -> $result = $draw);

            /// Draws the elements of a vector between two positions.
            ///
            /// # Safety
            ///
            /// In slots are the vector (owner, data, size, and stride in elements), two positions in
            /// it, and the parameters. Nobody else uses these elements.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $many(
                _error: *mut PyoptError,
                _returned: *mut i64,
                arguments: *const i64,
            ) -> i32 {
                let mut slots = Slots(arguments);
                // SAFETY: the caller's promise.
                unsafe {
                    let (_owner, data) = (slots.next::<i64>(), slots.next::<*mut $result>());
                    let (_size, stride) = (slots.next::<i64>(), slots.next::<isize>());
                    let (start, stop) = (slots.next::<isize>(), slots.next::<isize>());
                    $(let $argument: $type = slots.next();)*
                    draw(&NUMPY, |generator| {
                        for at in start..stop {
                            let drawn: $result = $draw(generator, $($argument),*);
                            data.offset(at * stride).write(drawn);
                        }
                    });
                }
                0
            }
        )*

        /// The names and addresses of these functions.
        pub(crate) fn symbols() -> Vec<(&'static std::ffi::CStr, usize)> {
            let numpy = symbols::table![pyopt_random_seed, $($one, $many,)*];
            numpy.into_iter().chain(python::symbols()).collect()
        }
    };
}

distributions! {
    pyopt_random_uniform, pyopt_random_fill_uniform(low: f64, width: f64) -> f64
        = |g: &mut Generator, low, width| low + width * g.uniform();
    pyopt_random_unit, pyopt_random_fill_unit() -> f64 = Generator::uniform;
    pyopt_random_normal, pyopt_random_fill_normal(mean: f64, scale: f64) -> f64
        = |g: &mut Generator, mean, scale| mean + scale * g.normal();
    pyopt_random_lognormal, pyopt_random_fill_lognormal(mean: f64, scale: f64) -> f64
        = |g: &mut Generator, mean, scale| f64::exp(mean + scale * g.normal());
    pyopt_random_exponential, pyopt_random_fill_exponential(scale: f64) -> f64
        = |g: &mut Generator, scale| scale * g.exponential();
    pyopt_random_gamma, pyopt_random_fill_gamma(shape: f64, scale: f64) -> f64
        = |g: &mut Generator, shape, scale| scale * g.gamma(shape);
    pyopt_random_beta, pyopt_random_fill_beta(a: f64, b: f64) -> f64 = Generator::beta;
    pyopt_random_chisquare, pyopt_random_fill_chisquare(freedom: f64) -> f64
        = Generator::chisquare;
    pyopt_random_noncentral_chisquare, pyopt_random_fill_noncentral_chisquare(
        freedom: f64, distance: f64) -> f64 = Generator::noncentral_chisquare;
    pyopt_random_f, pyopt_random_fill_f(numerator: f64, denominator: f64) -> f64 = Generator::f;
    pyopt_random_t, pyopt_random_fill_t(freedom: f64) -> f64 = Generator::t;
    pyopt_random_cauchy, pyopt_random_fill_cauchy() -> f64 = Generator::cauchy;
    pyopt_random_pareto, pyopt_random_fill_pareto(a: f64) -> f64 = Generator::pareto;
    pyopt_random_weibull, pyopt_random_fill_weibull(a: f64) -> f64 = Generator::weibull;
    pyopt_random_power, pyopt_random_fill_power(a: f64) -> f64 = Generator::power;
    pyopt_random_rayleigh, pyopt_random_fill_rayleigh(mode: f64) -> f64 = Generator::rayleigh;
    pyopt_random_laplace, pyopt_random_fill_laplace(mean: f64, scale: f64) -> f64
        = Generator::laplace;
    pyopt_random_gumbel, pyopt_random_fill_gumbel(mode: f64, scale: f64) -> f64
        = Generator::gumbel;
    pyopt_random_logistic, pyopt_random_fill_logistic(mean: f64, scale: f64) -> f64
        = Generator::logistic;
    pyopt_random_triangular, pyopt_random_fill_triangular(left: f64, mode: f64, right: f64) -> f64
        = Generator::triangular;
    pyopt_random_vonmises, pyopt_random_fill_vonmises(mean: f64, concentration: f64) -> f64
        = Generator::vonmises;
    pyopt_random_wald, pyopt_random_fill_wald(mean: f64, scale: f64) -> f64 = Generator::wald;
    pyopt_random_integer, pyopt_random_fill_integer(low: i64, width: u64) -> i64
        = |g: &mut Generator, low: i64, width| low.wrapping_add(g.bits.up_to(width) as i64);
    pyopt_random_poisson, pyopt_random_fill_poisson(mean: f64) -> i64 = Generator::poisson;
    pyopt_random_binomial, pyopt_random_fill_binomial(n: i64, p: f64) -> i64
        = |g: &mut Generator, n, p| g.binomial(n, p, false);
    pyopt_random_category, pyopt_random_fill_category(n: i64, p: f64) -> i64
        = |g: &mut Generator, n, p| g.binomial(n, p, true);
    pyopt_random_negative_binomial, pyopt_random_fill_negative_binomial(n: f64, p: f64) -> i64
        = Generator::negative_binomial;
    pyopt_random_geometric, pyopt_random_fill_geometric(p: f64) -> i64 = Generator::geometric;
    pyopt_random_zipf, pyopt_random_fill_zipf(a: f64) -> i64 = Generator::zipf;
    pyopt_random_logseries, pyopt_random_fill_logseries(p: f64) -> i64 = Generator::logseries;
    pyopt_random_hypergeometric, pyopt_random_fill_hypergeometric(
        good: i64, bad: i64, sample: i64) -> i64 = Generator::hypergeometric;
}

/// Seeds this thread's generator with a number of 32 bits, or if that is none by the operating system.
///
/// # Safety
///
/// In slots are the number and whether there is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_random_seed(
    _error: *mut PyoptError,
    _returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    // SAFETY: the caller's promise.
    let (seed, is_given) = unsafe { (arguments.read(), arguments.add(1).read()) };
    let generator = match is_given {
        0 => Generator::from_system(),
        _ => Generator::from_seed(seed as u32),
    };
    set(&NUMPY, generator);
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{ptr, thread};

    fn seed(number: i64) {
        let slots = [number, 1];
        // SAFETY: these are the slots.
        unsafe { pyopt_random_seed(ptr::null_mut(), ptr::null_mut(), slots.as_ptr()) };
    }

    fn units(count: usize) -> Vec<f64> {
        (0..count)
            .map(|_| draw(&NUMPY, Generator::uniform))
            .collect()
    }

    #[test]
    fn a_seed_gives_the_sequence_of_numpy() {
        // What numpy.random.seed(42) leads to.
        seed(42);
        assert_eq!(units(2), [0.3745401188473625, 0.9507143064099162]);
        seed(42);
        let normal: Vec<_> = (0..3).map(|_| draw(&NUMPY, Generator::normal)).collect();
        assert_eq!(
            normal,
            [0.4967141530112327, -0.13826430117118466, 0.6476885381006925]
        );
        // The kept number goes with the seed.
        seed(42);
        assert_eq!(draw(&NUMPY, Generator::normal), 0.4967141530112327);
    }

    #[test]
    fn a_state_that_is_set_again_repeats_what_was_drawn() {
        seed(3);
        units(5);
        let kept = Of::NumPy.bits();
        let drawn = units(700);
        Of::NumPy.set_bits(kept.clone());
        assert_eq!(units(700), drawn);
        let (words, next) = kept.state();
        assert!(MersenneTwister::from_state(*words, next).is_some());
        assert!(MersenneTwister::from_state(*words, WORDS + 1).is_none());
    }

    #[test]
    fn threads_have_states_of_their_own() {
        seed(1);
        let here = units(3);
        let there = thread::spawn(|| units(3)).join().expect("draws");
        assert_ne!(here, there);
        seed(1);
        let other = thread::spawn(|| seed(2));
        other.join().expect("seeds");
        assert_eq!(units(3), here);
    }

    #[test]
    fn parts_of_a_vector_are_filled() {
        let mut values = [0.0; 6];
        let arguments = [0, values.as_mut_ptr() as i64, 3, 2, 1, 3];
        seed(42);
        // SAFETY: every second element of six.
        unsafe { pyopt_random_fill_unit(ptr::null_mut(), ptr::null_mut(), arguments.as_ptr()) };
        let expected = [0.0, 0.0, 0.3745401188473625, 0.0, 0.9507143064099162, 0.0];
        assert_eq!(values, expected);
    }
}
