//! Loop-carried flow dependences through memory: elements that an iteration stores and a later one loads.
//!
//! `x[i] = x[i - 1] * a[i]` has the distance 1: no two of its iterations can run at once.
//!
//! **Soundness.** A distance is an exact answer: affine forms equal their values modulo 2^64, so the indices of the
//! store and of the load that many iterations later are the same words in every dimension. No distance says
//! nothing: indices may meet that aren't affine, or through another array of the same memory.

use super::{affine::Sum, element_access::ElementAccess};
use melior::ir::{OperationRef, Value};

/// The most pairs of stores and loads that are looked at, so that large bodies don't cost their square.
const PAIRS: usize = 256;

/// How many iterations of a loop lie between a store and a load of the same element, at least; `None` where
/// no such pair is found among the first ones. `position` is the induction variable, which counts up by one,
/// and `inside` is what the body holds.
pub(crate) fn shortest_distance<'c: 'a, 'a>(
    position: Value<'c, 'a>,
    inside: &[OperationRef<'c, 'a>],
) -> Option<i128> {
    let accesses = inside.iter().copied().filter_map(ElementAccess::of);
    let (stores, loads): (Vec<_>, Vec<_>) =
        accesses.partition(|access| matches!(access, ElementAccess::Store(_)));
    let pairs = stores
        .iter()
        .flat_map(|store| loads.iter().map(move |load| (*store, *load)));
    pairs
        .take(PAIRS)
        .filter(|(store, load)| store.array() == load.array())
        .filter_map(|(store, load)| distance(position, &store.indices(), &load.indices()))
        .filter(|distance| *distance > 0)
        .min()
}

/// How many iterations after a store at some indices the load at others reads the element; negative where the
/// load comes first. `None` where that isn't one number.
pub(crate) fn distance<'c: 'a, 'a>(
    position: Value<'c, 'a>,
    stored: &[Value<'c, 'a>],
    loaded: &[Value<'c, 'a>],
) -> Option<i128> {
    let mut found = None;
    for (store, load) in stored.iter().zip(loaded) {
        let store = Sum::of(*store);
        let step = store.factor_of(position);
        let apart = store.minus(&Sum::of(*load)).as_number()?;
        match step {
            0 if apart == 0 => {}
            0 => return None,
            // The load meets at iteration t what the store wrote at t - apart / step.
            _ if apart % step == 0 && found.is_none_or(|known| known == apart / step) => {
                found = Some(apart / step);
            }
            _ => return None,
        }
    }
    found
}
