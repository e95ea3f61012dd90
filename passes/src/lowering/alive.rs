//! Which containers surely exist where they are used.
//!
//! A list behind an optional value that is None, or a variable that wasn't assigned, is no address: nobody may look
//! at its header before the check that guards it.

use crate::{
    infra::{
        BlockExt, OperationExt, RegionExt, ValueExt,
        ops::{AnyOp, func, marks, scf, typed},
    },
    types::containers::is_changeable,
};
use melior::ir::{Attribute, OperationRef, RegionRef, Value, ValueLike, operation::OperationLike};
use std::collections::{HashMap, HashSet};

/// Marks the operations whose containers exist wherever their values are defined, so that what is read of their
/// headers may be read before.
pub(super) fn mark<'c>(module: OperationRef<'c, '_>) {
    let mut known = HashMap::new();
    for operation in module.pre_order() {
        if !matches!(AnyOp::of(operation), AnyOp::Typed(_)) {
            continue;
        }
        let operands = operation.operand_values().into_iter();
        let containers: Vec<_> = operands.filter(|value| is_changeable(value.ty())).collect();
        let mut exist = containers
            .iter()
            .map(|value| *known.entry(key(*value)).or_insert_with(|| exists(*value)));
        if !containers.is_empty() && exist.all(|exists| exists) {
            let context = operation.context();
            // SAFETY: the operation's context outlives it.
            operation.set_attr(marks::ALIVE, Attribute::unit(unsafe { context.to_ref() }));
        }
    }
}

fn key(value: Value) -> usize {
    value.to_raw().ptr as usize
}

/// Whether a container is one on every path to its value.
fn exists(value: Value) -> bool {
    let mut seen = HashSet::from([key(value)]);
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        let Some(sources) = sources(value) else {
            return false;
        };
        left.extend(
            sources
                .into_iter()
                .filter(|source| seen.insert(key(*source))),
        );
    }
    true
}

/// The values one of which a value is; none for what makes or reads a container. Nothing is returned for what may be
/// no container.
fn sources<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let position = value.position();
    let handed_on = |region: RegionRef<'c, 'a>, at: usize| {
        region
            .entry()?
            .terminator_op()?
            .operand_values()
            .get(at)
            .copied()
    };
    let Some(operation) = value.defining_op() else {
        let block = value.defining_block();
        return match AnyOp::of(block.parent()?) {
            AnyOp::Func(func::Op::Func(function)) => {
                (function.body().entry() == Some(block)).then(Vec::new)
            }
            AnyOp::Scf(scf::Op::For(r#loop)) => {
                let at = position.checked_sub(1)?;
                Some(vec![
                    r#loop.init_args()[at],
                    handed_on(r#loop.region(), at)?,
                ])
            }
            AnyOp::Scf(scf::Op::While(r#loop)) if r#loop.before().entry() == Some(block) => {
                Some(vec![
                    r#loop.inits()[position],
                    handed_on(r#loop.after(), position)?,
                ])
            }
            // The first operand of the condition is the condition.
            AnyOp::Scf(scf::Op::While(r#loop)) => {
                Some(vec![handed_on(r#loop.before(), position + 1)?])
            }
            _ => None,
        };
    };
    match AnyOp::of(operation) {
        AnyOp::Typed(
            typed::Op::ListNew(_)
            | typed::Op::ListGet(_)
            | typed::Op::TableNew(_)
            | typed::Op::TableKey(_)
            | typed::Op::TableValue(_)
            | typed::Op::Call(_),
        ) => Some(vec![]),
        AnyOp::Scf(scf::Op::If(branch)) => Some(vec![
            handed_on(branch.then_region(), position)?,
            handed_on(branch.else_region(), position)?,
        ]),
        AnyOp::Scf(scf::Op::For(r#loop)) => Some(vec![
            r#loop.init_args()[position],
            handed_on(r#loop.region(), position)?,
        ]),
        AnyOp::Scf(scf::Op::While(r#loop)) => Some(vec![handed_on(r#loop.before(), position + 1)?]),
        _ => None,
    }
}
