//! Marks of assignments, for debuggers.
//!
//! Values alone don't tell which variable they are of and from when on: `x = y` makes no operation.
//! Where debug information is asked for, `typed.variable` says it for parameters, for assignments,
//! and behind `yield`, since what a debugger shows doesn't outlive a suspension.

use super::{Form, Lifter};
use melior::ir::{BlockLike, Location, Value};
use pyopt_dialects::{
    ops::{py, typed},
    view::{OpBuilder, Place},
};

impl<'c, 'a> Lifter<'c, 'a> {
    /// Marks the parameters, at the start of the function.
    pub(super) fn mark_parameters(&self, at: Location<'c>) {
        if self.form != Form::Marked {
            return;
        }
        for local in 0..self.code.parameter_count() {
            let value = self.entry.argument(local).expect("a parameter is one");
            let end = Place::end(self.context, &self.entry, at);
            let mark = self.mark(&end, local, value.into());
            mark.set_argument(Some(local as i64 + 1));
        }
    }

    /// Marks that a local has a value from here on.
    pub(super) fn mark_assignment(&self, local: usize, value: Value<'c, 'a>) {
        if self.form == Form::Marked && !is_unmarked(value) {
            self.mark(self, local, value);
        }
    }

    /// Marks the locals that certainly have a value.
    pub(super) fn mark_locals(&self) {
        for (local, value) in self.state.locals.iter().enumerate() {
            if let Some(value) = *value
                && !self.unbound.contains(local)
                && !self.code.is_cell(local)
            {
                self.mark_assignment(local, value);
            }
        }
    }

    fn mark(
        &self,
        place: &impl OpBuilder<'c, 'a>,
        local: usize,
        value: Value<'c, 'a>,
    ) -> typed::Variable<'c, 'a> {
        typed::Variable::create(place, &self.code.local_names[local], &[value])
    }
}

/// Whether a value is left without a mark: what becomes of it depends on its being used for nothing
/// but calls, or on what is appended before anything else uses it.
fn is_unmarked(value: Value) -> bool {
    matches!(
        py::Op::defining(value),
        Some(
            py::Op::BuildList(_)
                | py::Op::BuildMap(_)
                | py::Op::BuildSet(_)
                | py::Op::MakeFunction(_)
        )
    )
}
