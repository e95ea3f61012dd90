//! What makes a specialisation the kernel of a stencil.

use crate::inference::issue::{Stop, Typing};

/// A kernel: how it indexes its arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kernel {
    /// Which arguments it indexes relative to the current element.
    pub relative: Vec<bool>,
    /// The neighborhood that the program gives: lowest and highest offset of each dimension.
    neighborhood: Option<Vec<i64>>,
    /// The lowest and highest constant offset that was seen.
    seen: Vec<i64>,
}

impl Kernel {
    /// A kernel for arrays of a rank.
    pub fn new(relative: Vec<bool>, neighborhood: Option<Vec<i64>>, rank: usize) -> Self {
        Self {
            relative,
            neighborhood,
            seen: vec![0; 2 * rank],
        }
    }

    /// Whether another one is used in the same way.
    pub fn is_like(&self, other: &Self) -> bool {
        self.relative == other.relative && self.neighborhood == other.neighborhood
    }

    /// Takes note of an offset, if it is known. It must be inside of the neighborhood, or known
    /// when there is none.
    pub fn reach(&mut self, dimension: usize, offset: Option<i64>) -> Typing<()> {
        let bounds = 2 * dimension..2 * dimension + 2;
        let Some(offset) = offset else {
            return match self.neighborhood {
                Some(_) => Ok(()),
                None => Err(problem(
                    "kernel index is not constant, 'neighborhood' option required",
                )
                .hint("give the decorator the lowest and highest index of each dimension")),
            };
        };
        if let Some(seen) = self.seen.get_mut(bounds.clone()) {
            seen[0] = seen[0].min(offset);
            seen[1] = seen[1].max(offset);
        }
        match self
            .neighborhood
            .as_ref()
            .and_then(|given| given.get(bounds))
        {
            Some(given) if !(given[0]..=given[1]).contains(&offset) => Err(problem(format!(
                "the kernel reads at offset {offset} of dimension {dimension}, outside of its \
                 neighborhood ({}, {})",
                given[0], given[1]
            ))),
            _ => Ok(()),
        }
    }

    /// The lowest and highest offset of each dimension.
    pub fn bounds(&self) -> Vec<i64> {
        self.neighborhood
            .clone()
            .unwrap_or_else(|| self.seen.clone())
    }
}

/// A problem with a stencil.
pub(crate) fn problem(what: impl std::fmt::Display) -> Stop {
    Stop::issue(format!("stencil: {what}"))
}
