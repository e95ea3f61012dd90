//! What debuggers learn of variables.

use super::function::{Emission, VariableTypes};
use crate::{
    inference::{
        issue::{Stop, Typing},
        program::flow::Flow,
    },
    infra::{BlockExt, ops::typed},
    types::{debug_layout::is_shown, join::join_types},
};
use melior::{
    Context,
    ir::{Type, operation::OperationLike},
};
use std::collections::HashMap;

/// Joins the types that each variable is assigned, so that a counter that begins as an int and goes
/// on as a float is one variable.
pub(super) fn types<'c>(context: &'c Context, flow: &Flow<'c, '_>) -> VariableTypes<'c> {
    let mut types: HashMap<&str, Option<Type>> = HashMap::new();
    for block in flow.reached() {
        for mark in block.operation_list() {
            let mark = typed::Variable::of(mark);
            let Some((name, ty)) = mark.and_then(|mark| marked(flow, mark)) else {
                continue;
            };
            let joined = match types.get(name) {
                None => Some(ty),
                Some(before) => before.and_then(|before| join_types(context, before, ty)),
            };
            types.insert(name, joined.filter(|&ty| is_shown(ty)));
        }
    }
    let known = types.into_iter();
    known.filter_map(|(name, ty)| Some((name, ty?))).collect()
}

/// The variable and the type that a mark says it has, if a debugger can show it.
fn marked<'c, 'a>(
    flow: &Flow<'c, 'a>,
    mark: typed::Variable<'c, 'a>,
) -> Option<(&'c str, Type<'c>)> {
    let val = flow.environment.val(*mark.value().first()?).ok()?;
    is_shown(val.ty).then_some((mark.name(), val.ty))
}

impl<'c, 'a> Emission<'_, 'c, 'a> {
    /// Tells debuggers of an assignment in a function of the program. A kernel of a stencil is no
    /// function that runs, and functions of the library aren't the program's.
    pub(super) fn emit_variable(&mut self, mark: typed::Variable<'c, 'a>) -> Typing<()> {
        let specialization = &self.e.program.specializations[self.e.specialization];
        if specialization.kernel.is_some() || self.e.is_library() {
            return Ok(());
        }
        let Some((name, _)) = marked(self.flow, mark) else {
            return Ok(());
        };
        self.e.location = mark.location();
        self.builder.at(self.e.location);
        let value = mark.value().first().copied().ok_or(Stop::Unknown)?;
        let mut val = self.environment.val(value)?;
        if let Some(&ty) = self.variables.get(name) {
            val = self.e.coerce(val, ty)?;
        }
        let told = typed::Variable::create(self.builder, mark.name(), &[val.ir()]);
        told.set_argument(mark.argument());
        told.set_type(Some(val.ty));
        Ok(())
    }
}
