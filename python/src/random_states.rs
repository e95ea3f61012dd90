//! The states of this thread's generators of random numbers, for programs that keep them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyopt_runtime::random::{MersenneTwister, Of};

fn generator(python: bool) -> Of {
    if python { Of::Python } else { Of::NumPy }
}

/// The position of the next word and the words of Python's or NumPy's generator.
#[pyfunction]
pub fn random_state(python: bool) -> (usize, Vec<u32>) {
    let bits = generator(python).bits();
    let (words, next) = bits.state();
    (next, words.to_vec())
}

/// Has Python's or NumPy's generator go on from a state.
#[pyfunction]
pub fn set_random_state(python: bool, next: usize, words: Vec<u32>) -> PyResult<()> {
    let words = words.try_into().ok();
    let bits = words.and_then(|words| MersenneTwister::from_state(words, next));
    let bits = bits.ok_or_else(|| {
        PyValueError::new_err("a state is a position of at most 624 and a list of 624 words")
    })?;
    generator(python).set_bits(bits);
    Ok(())
}
