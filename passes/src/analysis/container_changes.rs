//! Which lists, dicts, sets and structures a loop or function changes that it didn't make itself.
//!
//! What is changed is one of the values from outside, or was made here, or may be anything from outside whose
//! type has to do with its own: what is read out of a container may have been put into it here. Calls are known
//! by summaries of the callees. Replacing an item that is only a number doesn't count: iterations do that at
//! different places.

use crate::{
    analysis::{ownership::owns, sizes::library_role},
    infra::{
        Access, BlockExt, OperationExt, OperationInterfaces, RegionExt, ValueExt,
        ops::{AnyOp, func, typed},
    },
    types::containers::{held_types, holds_changeable, is_changeable, is_opaque, may_hold},
};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::enums::LibraryRole;
use std::collections::HashMap;

/// What callees do.
#[derive(Default)]
pub(crate) struct Summaries<'c> {
    /// What is known, by their symbols.
    known: HashMap<&'c str, Summary>,
    /// Whether lookups of keys change nothing.
    ignores_lookups: bool,
}

/// What a function does with its arguments.
#[derive(Clone, Default)]
struct Summary {
    /// The parameters whose containers, or those in them, it changes.
    changed: Vec<usize>,
    /// Whether what it returns was made by it, with all containers in it.
    is_fresh: bool,
}

impl<'c> Summaries<'c> {
    /// For who asks what a table has: a lookup may make the slots of one that the host has filled, which is a
    /// change for threads alone.
    pub fn of_entries() -> Self {
        Self {
            ignores_lookups: true,
            ..Self::default()
        }
    }

    /// The values from outside of an operation that are, or hold, containers that it changes.
    pub fn changed_by<'a>(&mut self, operation: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>>
    where
        'c: 'a,
    {
        let mut outside = Vec::new();
        for value in operation
            .pre_order()
            .into_iter()
            .flat_map(OperationExt::operand_values)
        {
            if !value.is_inside(operation)
                && holds_changeable(value.ty())
                && !outside.contains(&value)
            {
                outside.push(value);
            }
        }
        let scope = Scope { operation, outside };
        scope.changed(self)
    }

    fn of<'a>(&mut self, caller: OperationRef<'c, 'a>, symbol: &'c str) -> Summary
    where
        'c: 'a,
    {
        if let Some(known) = self.known.get(symbol) {
            return known.clone();
        }
        let function = caller.lookup_symbol(symbol).and_then(func::Func::of);
        let body = function.and_then(|function| function.body().entry());
        let Some((function, body)) = function.zip(body) else {
            // Nobody knows what a function without a body does.
            return Summary::worst(caller.operand_values().len());
        };
        let parameters = body.argument_values();
        // A function that calls itself is taken for the worst there.
        self.known.insert(symbol, Summary::worst(parameters.len()));
        let scope = Scope {
            operation: *function,
            outside: parameters.clone(),
        };
        let changed = scope.changed(self);
        let positions = 0..parameters.len();
        let summary = Summary {
            changed: positions
                .filter(|at| changed.contains(&parameters[*at]))
                .collect(),
            is_fresh: scope.returns_fresh(self),
        };
        self.known.insert(symbol, summary.clone());
        summary
    }
}

impl Summary {
    fn worst(parameters: usize) -> Self {
        Self {
            changed: (0..parameters).collect(),
            is_fresh: false,
        }
    }
}

/// A loop or function, and the values that it gets its containers by.
struct Scope<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    outside: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Scope<'c, 'a> {
    fn changed(&self, summaries: &mut Summaries<'c>) -> Vec<Value<'c, 'a>> {
        let mut found = Vec::new();
        if self.outside.is_empty() {
            return found;
        }
        for operation in self.operation.pre_order() {
            for (target, is_deep) in targets(operation, summaries) {
                self.sources(target, is_deep, summaries, &mut found);
            }
        }
        found
    }

    /// Adds the values from outside that a value may be or hold, or that may hold it; with `is_deep` also
    /// those that have to do with what it holds.
    fn sources(
        &self,
        value: Value<'c, 'a>,
        is_deep: bool,
        summaries: &mut Summaries<'c>,
        found: &mut Vec<Value<'c, 'a>>,
    ) {
        if self.outside.contains(&value) {
            return add(found, value);
        }
        let is_made_here = value
            .defining_op()
            .is_some_and(|maker| match callee(maker) {
                Some(symbol) => summaries.of(maker, symbol).is_fresh,
                None => allocates(maker, value),
            });
        let types = match (is_made_here && !is_opaque(value.ty()), is_deep) {
            (true, false) => return,
            (true, true) => held_types(value.ty()),
            (false, _) => vec![value.ty()],
        };
        for ty in types.into_iter().filter(|ty| holds_changeable(*ty)) {
            for one in &self.outside {
                if may_hold(one.ty(), ty) || may_hold(ty, one.ty()) {
                    add(found, *one);
                }
            }
        }
    }

    /// Whether what a function returns has no container that came from outside.
    fn returns_fresh(&self, summaries: &mut Summaries<'c>) -> bool {
        let returns = self.operation.nested_ops::<func::Return>();
        let mut returned = returns.into_iter().flat_map(|one| one.operand_values());
        returned.all(|value| {
            let mut found = Vec::new();
            self.sources(value, true, summaries, &mut found);
            found.is_empty() && !is_opaque(value.ty())
        })
    }
}

fn add<'c, 'a>(found: &mut Vec<Value<'c, 'a>>, value: Value<'c, 'a>) {
    if !found.contains(&value) {
        found.push(value);
    }
}

/// What an operation changes, those inside of it aside, and whether it may be what that holds.
fn targets<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    summaries: &mut Summaries<'c>,
) -> Vec<(Value<'c, 'a>, bool)> {
    if summaries.ignores_lookups
        && let Some(call) = typed::Call::of(operation)
        && matches!(
            library_role(call),
            Some(LibraryRole::Lookup | LibraryRole::Slots)
        )
    {
        return Vec::new();
    }
    if let Some(symbol) = callee(operation) {
        let inputs = operation.operand_values();
        let changed = summaries.of(operation, symbol).changed;
        return changed
            .into_iter()
            .filter_map(|at| Some((*inputs.get(at)?, true)))
            .collect();
    }
    if let Some(set) = typed::ListSet::of(operation)
        && !owns(set.item().ty())
    {
        return Vec::new();
    }
    if !operation.region_list().is_empty() || operation.is_terminator() {
        return Vec::new();
    }
    let mut operands = operation.operand_values();
    let effects = operation.effects();
    operands.retain(|operand| {
        is_changeable(operand.ty())
            && effects.as_ref().is_none_or(|effects| {
                effects.iter().any(|effect| {
                    let is_write = effect.memory && effect.access == Access::Write;
                    is_write && effect.value.is_none_or(|written| written == *operand)
                })
            })
    });
    operands.into_iter().map(|one| (one, false)).collect()
}

/// The function that an operation calls.
pub(crate) fn callee<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<&'c str> {
    match AnyOp::of(operation) {
        AnyOp::Typed(typed::Op::Call(call)) => Some(call.callee()),
        AnyOp::Typed(typed::Op::TryCall(call)) => Some(call.callee()),
        AnyOp::Func(func::Op::Call(call)) => Some(call.callee()),
        _ => None,
    }
}

/// Whether an operation makes the memory of a value.
fn allocates<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> bool {
    let effects = operation.effects().unwrap_or_default();
    effects
        .iter()
        .any(|effect| effect.access == Access::Allocate && effect.value == Some(value))
}
