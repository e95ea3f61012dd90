//! The function that is being emitted, and going from block to block in it.

use crate::{
    inference::{
        emit::Emit,
        families::objects,
        issue::{Stop, Typing},
        lattice::Fact,
        program::{
            environment::{Environment, Slot},
            flow::Flow,
            presence::present_behind,
        },
        val::Val,
    },
    infra::{
        BlockExt, Builder,
        ops::{cf, func, typed},
    },
    py::edges::Edge,
};
use melior::ir::{BlockRef, OperationRef, Type, Value};
use pyopt_dialects::typed::TypedType;
use std::collections::HashMap;

/// The value of an optional that isn't None.
pub(super) fn present_slot<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    optional: Slot<'c, 'a>,
) -> Option<Slot<'c, 'a>> {
    let fact = optional.fact.present()?;
    let (ty, optional) = (fact.ty?, optional.value?);
    let value = e.op(ty, |b| typed::OptionalValue::create(b, optional, ty));
    Some(value.into())
}

/// The type that a variable has at all its assignments; those of other types have none in common.
pub(super) type VariableTypes<'c> = HashMap<&'c str, Type<'c>>;

/// A function that is being emitted.
pub(super) struct Emission<'p, 'c, 'a> {
    /// The emitter of values.
    pub(super) e: Emit<'p, 'c, 'a>,
    /// The builder of blocks and terminators: the emitter's.
    pub(super) builder: &'p Builder<'c, 'a>,
    /// What the analysis found.
    pub(super) flow: &'p Flow<'c, 'a>,
    /// The typed function.
    pub(super) function: func::Func<'c, 'a>,
    /// The typed block of each reached block, by position.
    pub(super) blocks: HashMap<usize, BlockRef<'c, 'a>>,
    /// The typed values so far.
    pub(super) environment: Environment<'c, 'a>,
    /// The variables that debuggers are told of.
    pub(super) variables: VariableTypes<'c>,
}

impl<'c, 'a> Emission<'_, 'c, 'a> {
    /// The typed block of an edge and the operands, converted to its arguments' types.
    pub(super) fn edge(
        &mut self,
        terminator: OperationRef<'c, 'a>,
        index: usize,
    ) -> Typing<(BlockRef<'c, 'a>, Vec<Value<'c, 'a>>)> {
        let edge = Edge::of(terminator).swap_remove(index);
        let arguments = edge.target.argument_values();
        let present = present_behind(terminator, index);
        let mut values = Vec::new();
        for (operand, argument) in edge
            .passed(terminator)
            .into_iter()
            .zip(&arguments[edge.produced..])
        {
            let fact = self.flow.environment.slot(*argument).fact;
            let mut slot = self.environment.slot(operand);
            if present.contains(&operand) {
                slot = present_slot(&self.e, slot).unwrap_or(slot);
            }
            values.push(self.pass(operand, slot, fact)?);
        }
        let position = self.flow.position(edge.target);
        let typed = self.blocks.get(&position).copied().ok_or(Stop::Unknown)?;
        Ok((typed, values))
    }

    /// Converts a value to what a block's argument holds.
    fn pass(
        &mut self,
        operand: Value<'c, 'a>,
        slot: Slot<'c, 'a>,
        target: Fact<'c>,
    ) -> Typing<Value<'c, 'a>> {
        let e = &mut self.e;
        let Some(ty) = target.ty.filter(|_| target.conflict.is_none()) else {
            // Nobody can use the argument.
            let nothing = match target.unbound && target.conflict.is_none() {
                true => {
                    let ty = target.storage(e.context());
                    e.op(ty, |b| typed::Unbound::create(b, ty))
                }
                false => e.none(),
            };
            return nothing.value.ok_or(Stop::Unknown);
        };
        objects::check_kept(ty)?;
        let known = slot.fact.ty.map(|ty| Val {
            literal: slot.fact.literal,
            origin: Some(operand),
            ..Val::new(ty, slot.value)
        });
        if !target.unbound {
            let known = known.ok_or(Stop::Unknown)?;
            return e.coerce(known, ty)?.value.ok_or(Stop::Unknown);
        }
        let unbound = e.type_of(TypedType::Unbound(ty));
        let local = match known {
            None => e.op(unbound, |b| typed::Unbound::create(b, unbound)),
            Some(known) if !slot.fact.unbound => {
                let known = e.coerce(known, ty)?;
                e.op(unbound, |b| typed::Bind::create(b, known.ir(), unbound))
            }
            Some(known) if known.ty == ty => known,
            Some(known) => {
                let local = Val {
                    ty: e.type_of(TypedType::Unbound(known.ty)),
                    ..known
                };
                let bound = e.op(e.i1(), |b| typed::IsBound::create(b, local.ir()));
                let value = e.op(known.ty, |b| {
                    typed::BoundValue::create(b, local.ir(), known.ty)
                });
                let value = e.coerce(value, ty)?;
                let value = e.op(unbound, |b| typed::Bind::create(b, value.ir(), unbound));
                let nothing = e.op(unbound, |b| typed::Unbound::create(b, unbound));
                e.select(bound, value, nothing)
            }
        };
        local.value.ok_or(Stop::Unknown)
    }

    /// Ends the block with a branch.
    pub(super) fn branch(&self, target: BlockRef<'c, 'a>, operands: &[Value<'c, 'a>]) {
        cf::Branch::create(self.builder, operands, target);
    }
}
