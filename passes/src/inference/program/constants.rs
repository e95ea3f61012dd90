//! Functions that are specialised for the constants that they are called with.

use super::{Program, specialization::SpecId};
use crate::py::function::PyFunction;

impl Program<'_, '_> {
    /// Whether a function is specialised for the constants among its arguments.
    pub fn is_by_value(&self, function: &PyFunction) -> bool {
        self.by_value.contains(function.symbol)
    }

    /// Where what the host asked for can't be compiled, has the functions that led there specialised for the
    /// constants that they are called with, as Numba does: an overload may have a body for literals alone, and
    /// the index of a tuple or the name of an attribute must be known. Says whether there are such functions
    /// that weren't so before; their callers are to be analysed again.
    ///
    /// A function that calls itself would be specialised for ever new values, and isn't.
    pub fn specialize_by_value(&mut self) -> bool {
        let refused = self.refused();
        if !refused.iter().any(|&id| self.specializations[id].entry) {
            return false;
        }
        // In the order in which they were asked for.
        for id in 0..self.specializations.len() {
            if refused.contains(&id) && self.takes_values(id) {
                let specialization = &self.specializations[id];
                if self.by_value.insert(specialization.function.symbol) {
                    self.pending.extend(&specialization.dependents);
                }
            }
        }
        !self.pending.is_empty()
    }

    fn takes_values(&self, id: SpecId) -> bool {
        let specialization = &self.specializations[id];
        let symbol = specialization.function.symbol;
        let mut callers = specialization.dependents.iter();
        !specialization.entry
            && specialization.kernel.is_none()
            && specialization.function.library.is_none()
            && callers.all(|&caller| self.specializations[caller].function.symbol != symbol)
    }
}
