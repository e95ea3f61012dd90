//! Marks of assignments, for debuggers.
//!
//! Values alone don't tell which variable they are of and from when on: `x = y` makes no operation.
//! Where debug information is asked for, `typed.variable` says it for parameters, for assignments,
//! and behind `yield`, since what a debugger shows doesn't outlive a suspension.

use super::{Form, Lifter};
use crate::attributes::integer_attribute;
use melior::ir::{
    BlockLike, Identifier, Location, Operation, Value,
    operation::{OperationBuilder, OperationLike, OperationResult},
};

/// Operations whose results are left without a mark: what becomes of them depends on their being
/// used for nothing but calls, or on what is appended before anything else uses them.
const UNMARKED: &[&str] = &[
    "py.build_list",
    "py.build_map",
    "py.build_set",
    "py.make_function",
];

impl<'c, 'a> Lifter<'c, 'a> {
    /// Marks the parameters, at the start of the function.
    pub(super) fn mark_parameters(&self, at: Location<'c>) {
        if self.form != Form::Marked {
            return;
        }
        for local in 0..self.code.parameter_count() {
            let value = self.entry.argument(local).expect("a parameter is one");
            let mark = self.mark(local, value.into(), Some(local + 1), at);
            self.entry.append_operation(mark);
        }
    }

    /// Marks that a local has a value from here on.
    pub(super) fn mark_assignment(&self, local: usize, value: Value<'c, 'a>) {
        if self.form == Form::Marked && !is_unmarked(value) {
            self.append(self.mark(local, value, None, self.location()));
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
        local: usize,
        value: Value<'c, 'a>,
        argument: Option<usize>,
        at: Location<'c>,
    ) -> Operation<'c> {
        let named = |name| Identifier::new(self.context, name);
        let name = self.text(&self.code.local_names[local]);
        let mut builder = OperationBuilder::new("typed.variable", at)
            .add_operands(&[value])
            .add_attributes(&[(named("name"), name.into())]);
        if let Some(argument) = argument {
            let position = integer_attribute(self.context, argument as i64).into();
            builder = builder.add_attributes(&[(named("argument"), position)]);
        }
        builder.build().expect("a mark has no results")
    }
}

fn is_unmarked(value: Value) -> bool {
    let Ok(result) = OperationResult::try_from(value) else {
        return false;
    };
    let operation = result.owner();
    let name = operation.name();
    let name = name.as_string_ref();
    UNMARKED.contains(&name.as_str().unwrap_or_default())
}
